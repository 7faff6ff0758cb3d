"""What every request and message passes first: limits on size and depth, and no long echo of a client's own text.

Pure ASGI, outside of the framework's routes, so that it holds for OpenEnv's own routes too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson

from customs_env.errors import ECHO_LIMIT
from customs_env.server.wire import MAX_DEPTH, Answer, is_deep, refusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_WS_ERROR_PREFIX = '{"type":"error"'
_BINARY = ("VALIDATION_ERROR", "send JSON as text, not as bytes")

#: Our own errors are shorter than this. OpenEnv's name a wrong message type or session in full.
OWN_MESSAGE_LIMIT = 1_000
OTHER_MESSAGE_LIMIT = ECHO_LIMIT


async def send_answer(send: Send, answer: Answer, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """Send a JSON answer."""
    length = str(len(answer.body)).encode()
    fixed = ((b"content-type", b"application/json"), (b"content-length", length))
    await send({"type": "http.response.start", "status": answer.status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": answer.body})


class Guard:
    """Refuses HTTP bodies and WebSocket messages beyond `limit` bytes, however they are sent.

    A body is read whole before it is passed on: that is the only way to count one that comes in chunks, and no
    route takes a longer one.
    """

    def __init__(self, app: App, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind = scope["type"]
        if kind == "websocket":
            await self._app(scope, self._checked(receive, send), _trimmed(send))
        elif kind == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            await self._bounded(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if declared.isdigit() and int(declared[:20]) > self._limit:
            await self._too_large(send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client has gone
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._limit:
                await self._too_large(send)
                return
        whole: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Message:
            nonlocal whole
            if whole is None:
                return await receive()
            message, whole = whole, None
            return message

        await self._app(scope, replay, send)

    async def _too_large(self, send: Send) -> None:
        answer = refusal(413, "too_large", f"a request body may have {self._limit} bytes: send less")
        # What the client has not sent yet is not waited for
        await send_answer(send, answer, ((b"connection", b"close"),))

    def _checked(self, receive: Receive, send: Send) -> Receive:
        """Return a `receive` that answers unfit messages itself and keeps the session open."""

        async def checked() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                text = message.get("text")
                problem = _BINARY if text is None else self._problem(text)
                if problem is None:
                    return message
                code, reason = problem
                error = {"type": "error", "data": {"message": reason, "code": code}}
                await send({"type": "websocket.send", "text": orjson.dumps(error).decode()})

        return checked

    def _problem(self, text: str) -> tuple[str, str] | None:
        """Return the code and the message of what is wrong with a WebSocket message, or None."""
        if len(text) * 4 > self._limit and len(text.encode("utf-8", "replace")) > self._limit:
            return "VALIDATION_ERROR", f"a message may have {self._limit} bytes: send less"
        raw = text.encode("utf-8", "replace")
        # Half a surrogate pair can be written as an escape, and could not be sent back
        if text.startswith("{") and raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH and b"\\u" not in raw:
            return None
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            return "INVALID_JSON", f"invalid JSON: {error.msg}"
        if not isinstance(value, dict):
            return "VALIDATION_ERROR", "a message is a JSON object with `type` and `data`"
        return ("VALIDATION_ERROR", "too many levels of nesting") if is_deep(raw, value) else None


def _trimmed(send: Send) -> Send:
    """Return a `send` that cuts what OpenEnv's errors repeat of the client's input."""

    async def trimmed(message: Message) -> None:
        text = message.get("text")
        if isinstance(text, str) and text.startswith(_WS_ERROR_PREFIX):
            error = orjson.loads(text)
            for finding in error["data"].get("errors", ()):
                for part in ("input", "ctx", "url"):
                    finding.pop(part, None)
                finding["loc"] = [str(step)[:ECHO_LIMIT] for step in finding.get("loc", ())]
            limit = OWN_MESSAGE_LIMIT if error["data"].get("code") == "EXECUTION_ERROR" else OTHER_MESSAGE_LIMIT
            error["data"]["message"] = str(error["data"].get("message", ""))[:limit]
            message = {**message, "text": orjson.dumps(error).decode()}
        await send(message)

    return trimmed
