"""The HTTP client survives a bad line and turns refusals into the package's exceptions."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from customs_env.errors import CapacityError, InputError, ProtocolError
from customs_env.evaluation import (
    HttpClient,
    LocalClient,
    ServiceError,
)

# -- the HTTP client ---------------------------------------------------------------------------------------------


class Scripted:
    """A server that answers with what the script says, in turn."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        self.answers = list(answers)
        self.bodies: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                assert "Cookie" not in self.headers
                status, value = outer.answers.pop(0)
                if status == 0:
                    self.close_connection = True
                    return
                data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Set-Cookie", "episode_id=other; Path=/")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.slept: list[float] = []

    def __enter__(self) -> HttpClient:
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.client = HttpClient(address, sleep=self.slept.append)
        return self.client

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.server.shutdown()
        self.server.server_close()


OPEN = (200, {"observation": {"episode_id": "e1"}, "reward": None, "done": False})
OVER = (200, {"observation": {"episode_id": "e1"}, "reward": 0.9, "done": True})


def test_a_lost_answer_is_asked_for_again_under_the_same_request_id() -> None:
    script = Scripted(OPEN, (0, ""), (503, {"code": "full"}), OVER)
    with script as client:
        turn = client.step(client.reset({"seed": 1}).episode_id, {"flags": []})
    assert (turn.done, turn.reward) == (True, 0.9)
    steps = script.bodies[1:]
    assert len(steps) == 3 and len({body["request_id"] for body in steps}) == 1
    assert steps[0]["episode_id"] == "e1" and steps[0]["request_id"] != script.bodies[0]["request_id"]
    assert script.slept == sorted(script.slept) and len(script.slept) == 2


def test_a_422_of_a_step_is_an_observation_with_an_error() -> None:
    parts = {"code": "missing_field", "field": "flags", "expected": "a list", "got": "nothing"}
    with Scripted(OPEN, (422, parts)) as client:
        turn = client.step(client.reset({}).episode_id, {})
    assert turn.observation["error"] == parts and not turn.done and turn.episode_id == "e1"


@pytest.mark.parametrize(
    ("answer", "error", "word"),
    [
        ((422, {"code": "c", "field": "seed", "expected": "x", "got": "y"}), InputError, "seed: expected x"),
        ((422, {"detail": [{"loc": ["body", "seed"], "msg": "bad", "input": 1}]}), InputError, "body.seed"),
        ((409, {"code": "open", "detail": "already open"}), ProtocolError, "already open"),
        ((500, "oops"), ServiceError, "answered 500"),
        ((200, "<html>"), ServiceError, "answered 200"),
        ((200, {"hello": "world"}), ServiceError, "no observation"),
    ],
)
def test_refusals_come_as_the_exceptions_of_the_package(
    answer: tuple[int, Any], error: type[Exception], word: str
) -> None:
    with Scripted(answer) as client, pytest.raises(error, match=word):
        client.reset({})


def test_a_full_server_is_a_capacity_error_after_some_patience() -> None:
    with Scripted(*[(503, {"code": "full"})] * 4) as client, pytest.raises(CapacityError, match="busy"):
        client.reset({})


def test_a_finished_or_unknown_episode_is_a_protocol_error_here_too() -> None:
    client = LocalClient()
    turn = client.reset({"task_id": "task2", "seed": 1_000_000})
    client.step(turn.episode_id, {"flags": [], "recommendation": "clear"})
    for episode_id in (turn.episode_id, "never"):
        with pytest.raises(ProtocolError, match="reset first"):
            client.step(episode_id, {})
