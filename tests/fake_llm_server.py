"""A small OpenAI-compatible server on a free port of this machine, for tests of the LLM path over real HTTP.

It answers `POST /v1/chat/completions` with what `answer(request_body)` returns: a text is the model's content, a
`Reply` is sent as it is. Every request body is kept in `requests`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """A raw HTTP answer: an error status, another body, headers; `hang_up` closes the connection instead."""

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False


Answer = Callable[[dict[str, Any]], "str | Reply"]


class FakeLLMServer:
    """Use as a context manager; `base_url` is what API_BASE_URL would be."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                outer.keys.append(self.headers.get("Authorization", ""))
                if self.path != "/v1/chat/completions":
                    self._send(Reply(404, "no such path"))
                    return
                given = outer.answer(body)
                reply = given if isinstance(given, Reply) else Reply(body=completion(given, body["model"]))
                if reply.hang_up:
                    self.close_connection = True
                    return
                self._send(reply)

            def _send(self, reply: Reply) -> None:
                data = reply.body.encode()
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """Tests need no access log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeLLMServer:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def completion(content: str, model: str) -> str:
    """Return the body of a chat completion with this content."""
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return json.dumps(
        {
            "id": "chatcmpl-test",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [choice],
            "usage": usage,
        }
    )


def refusal(status: int, message: str, **headers: str) -> Reply:
    """Return an error as OpenAI's servers word it."""
    return Reply(status, json.dumps({"error": {"message": message, "type": "error"}}), dict(headers))
