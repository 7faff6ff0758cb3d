"""What every request and message passes first: where it comes from, size, depth, and no long echo of its own text.

Pure ASGI, outside of the framework's routes, so that it holds for OpenEnv's own routes too.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson

from customs_env.errors import ECHO_LIMIT, InputError
from customs_env.server.settings import Settings
from customs_env.server.wire import MAX_DEPTH, Answer, input_refusal, is_deep, refusal, strict_json

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_WS_ERROR_PREFIX, _WS_MCP_PREFIX = '{"type":"error"', '{"type":"mcp"'
_BINARY = ("VALIDATION_ERROR", "send JSON as text, not as bytes")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@/\s]+)(?::[0-9]+)?")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_WHENCE = (b"origin", b"host")
_LISTED = "the operator can list it in CUSTOMS_ENV_ALLOWED_ORIGINS"
_MCP = "/mcp"
#: Routes that read their JSON themselves, strictly.
_OWN = frozenset({"/reset", "/step", "/grader", "/baseline"})
#: JSON-RPC's codes.
_PARSE_ERROR, _INVALID_PARAMS, _SERVER_ERROR = -32700, -32602, -32000
#: Python reads no integer of more digits than its limit, which can be set as low as this.
_SHORT_NUMBER = 640

#: Our own errors are shorter than this. OpenEnv's name a wrong message type or session in full.
OWN_MESSAGE_LIMIT = 1_000
OTHER_MESSAGE_LIMIT = ECHO_LIMIT
#: OpenEnv lists one error for each field that it does not know.
MAX_ERRORS_LISTED = 20


async def send_answer(send: Send, answer: Answer, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """Send a JSON answer."""
    length = str(len(answer.body)).encode()
    fixed = ((b"content-type", b"application/json"), (b"content-length", length))
    await send({"type": "http.response.start", "status": answer.status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": answer.body})


class Guard:
    """Refuses HTTP bodies and WebSocket messages beyond the limit, however they are sent, and sockets beyond theirs.

    A body is read whole before it is passed on: that is the only way to count one that comes in chunks, and no
    route takes a longer one. Sockets are counted here: OpenEnv forgets a session that is idle, its socket still open.
    """

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._limit = settings.body_limit
        self._max_sockets = settings.max_sessions
        self._idle_s = settings.idle_s
        self._allowed_origins = settings.origins()
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind = scope["type"]
        if kind == "websocket":
            await self._socket(scope, receive, send)
        elif kind == "http":
            problem = self._foreign(scope)
            if problem is None:
                await self._bounded(scope, receive, send)
            else:
                await send_answer(send, refusal(403, *problem), ((b"connection", b"close"),))
        else:
            await self._app(scope, receive, send)

    def _foreign(self, scope: Scope) -> tuple[str, str] | None:
        """Return the code and the words of what is wrong with where a request comes from, or None.

        Both guard against web pages that use their reader's browser to reach a server meant for the reader's own
        programs: a page of another host says so in Origin; one whose name was made to point to this machine
        afterwards does not, but the name stands in Host. Programs send no Origin, and the Host that they connect to.
        """
        headers: dict[bytes, str] = {}
        for name, value in scope["headers"]:
            if name in _WHENCE:  # a header that comes twice is none that a browser sends: all of it is compared
                text = value.decode("latin-1").strip().lower()
                headers[name] = f"{headers[name]}, {text}" if name in headers else text
        host = headers.get(b"host", "")
        server = scope.get("server")
        if host and server and _is_loopback(str(server[0])) and not _is_loopback(_without_port(host)):
            hosts = {_without_port(origin.partition("://")[2]) for origin in self._allowed_origins}
            if _without_port(host) not in hosts:
                return "foreign_host", f"this machine does not go by that name here: {_LISTED}"
        if scope.get("method") in _READING or b"origin" not in headers:
            return None
        return (
            None if self._is_own(headers[b"origin"], host) else ("foreign_origin", f"a page of another host: {_LISTED}")
        )

    def _is_own(self, origin: str, host: str) -> bool:
        """Tell whether an Origin is listed, or that of the Host itself."""
        if origin.rstrip("/") in self._allowed_origins:
            return True
        scheme, _, place = origin.partition("://")
        default_port = {"http": ":80", "https": ":443"}.get(scheme)
        if default_port is None or not host:
            return False
        return place.removesuffix(default_port) == host.removesuffix(default_port)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._foreign(scope) is not None:
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # not accepted yet: HTTP 403
            return
        is_mcp = scope["path"] == _MCP
        if self._sockets >= self._max_sockets:
            await receive()
            await send({"type": "websocket.accept"})
            reason = f"all {self._max_sockets} places for WebSocket sessions are taken: try again later"
            await send(_ws_error("CAPACITY_REACHED", reason, is_mcp))
            await send({"type": "websocket.close", "code": 1013})
            return
        self._sockets += 1
        try:
            await self._app(scope, self._checked(receive, send, is_mcp), _trimmed(send, is_mcp))
        finally:
            self._sockets -= 1

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
        problem = _json_problem(scope, body)
        if problem is not None:
            await send_answer(send, problem)
            return
        whole: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Message:
            nonlocal whole
            if whole is None:
                return await receive()
            message, whole = whole, None
            return message

        await self._app(scope, replay, _trimmed_reply(send) if scope["path"] == _MCP else send)

    async def _too_large(self, send: Send) -> None:
        answer = refusal(413, "too_large", f"a request body may have {self._limit} bytes: send less")
        # What the client has not sent yet is not waited for
        await send_answer(send, answer, ((b"connection", b"close"),))

    def _checked(self, receive: Receive, send: Send, is_mcp: bool) -> Receive:
        """Return a `receive` that answers unfit messages itself and keeps the session open, but not an idle one."""

        async def checked() -> Message:
            while True:
                try:
                    message = await asyncio.wait_for(receive(), self._idle_s)
                except asyncio.TimeoutError:
                    await send(_ws_error("IDLE_TIMEOUT", f"no message for {self._idle_s:g} seconds", is_mcp))
                    return {"type": "websocket.disconnect", "code": 1001, "reason": "idle"}
                if message["type"] != "websocket.receive":
                    return message
                text = message.get("text")
                problem = _BINARY if text is None else self._problem(text)
                if problem is None:
                    return message
                await send(_ws_error(*problem, is_mcp))

        return checked

    def _problem(self, text: str) -> tuple[str, str] | None:
        """Return the code and the message of what is wrong with a WebSocket message, or None."""
        if len(text) * 4 > self._limit and len(text.encode("utf-8", "replace")) > self._limit:
            return "VALIDATION_ERROR", f"a message may have {self._limit} bytes: send less"
        raw = text.encode("utf-8", "replace")
        # Half a surrogate pair can be written as an escape, and could not be sent back; OpenEnv ends the session
        # over a number that Python does not read
        if (
            len(raw) < _SHORT_NUMBER
            and text.startswith("{")
            and raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH
            and b"\\u" not in raw
        ):
            return None
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            return "INVALID_JSON", f"invalid JSON: {error.msg}"
        if not isinstance(value, dict):
            return "VALIDATION_ERROR", "a message is a JSON object with `type` and `data`"
        return ("VALIDATION_ERROR", "too many levels of nesting") if is_deep(raw, value) else None


def _without_port(host: str) -> str:
    """Return the name or address of a Host header, in brackets where it came so; what is none, as it stands."""
    found = _HOST.fullmatch(host)
    return found[1] if found else host


def _is_loopback(host: str) -> bool:
    """Tell whether a name or an address is this machine's own, for itself alone."""
    if host in ("localhost", "::1", "[::1]") or host.endswith(".localhost"):
        return True
    return host.startswith("127.") and host.replace(".", "").isdigit()


def _ws_error(code: str, reason: str, is_mcp: bool) -> Message:
    """Return an error in the form of the socket: OpenEnv's on /ws, JSON-RPC's on /mcp."""
    if is_mcp:
        return {"type": "websocket.send", "text": _rpc_error(_SERVER_ERROR, f"{code}: {reason}").decode()}
    error = {"type": "error", "data": {"message": reason, "code": code}}
    return {"type": "websocket.send", "text": orjson.dumps(error).decode()}


def _rpc_error(code: int, reason: str, request_id: Any = None) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "error": {"code": code, "message": reason}, "id": request_id})


def _json_problem(scope: Scope, body: bytes) -> Answer | None:
    """Return the refusal of a body that one of OpenEnv's POST routes would fail on, or None."""
    if scope["method"] != "POST" or not body or scope["path"] in _OWN:
        return None
    is_mcp = scope["path"] == _MCP
    try:
        value = strict_json(body)
    except InputError as error:
        return Answer(200, _rpc_error(_PARSE_ERROR, str(error))) if is_mcp else input_refusal(error)
    if is_mcp and isinstance(value, dict):
        params = value.get("params")
        if isinstance(params, dict) and not isinstance(params.get("session_id"), (str, type(None))):
            request_id = value.get("id") if isinstance(value.get("id"), (str, int)) else None
            return Answer(200, _rpc_error(_INVALID_PARAMS, "Invalid params - 'session_id' is text", request_id))
    return None


def _trimmed_rpc(text: str | bytes) -> bytes | None:
    """Return a JSON-RPC reply with what its error repeats cut, or None where nothing has to be."""
    try:
        reply = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    error = reply.get("error") if isinstance(reply, dict) else None
    if not isinstance(error, dict):
        return None
    error["message"] = str(error.get("message", ""))[:OTHER_MESSAGE_LIMIT]
    error.pop("data", None)
    return orjson.dumps(reply)


def _trimmed_reply(send: Send) -> Send:
    """Return a `send` for POST /mcp, whose replies come in one piece."""
    start: Message = {}

    async def trimmed(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            start = message
            return
        body = message.get("body", b"")
        cut = None if message.get("more_body") else _trimmed_rpc(body)
        if start:
            if cut is not None:
                headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
                start = {**start, "headers": [*headers, (b"content-length", str(len(cut)).encode())]}
            await send(start)
            start = {}
            message = message if cut is None else {**message, "body": cut}
        await send(message)

    return trimmed


def _trimmed(send: Send, is_mcp: bool) -> Send:
    """Return a `send` that cuts what OpenEnv's errors repeat of the client's input."""

    async def trimmed(message: Message) -> None:
        text = message.get("text")
        if isinstance(text, str) and is_mcp:
            cut = _trimmed_rpc(text)
            message = message if cut is None else {**message, "text": cut.decode()}
        elif isinstance(text, str) and text.startswith(_WS_MCP_PREFIX):
            cut = _trimmed_rpc(orjson.dumps(orjson.loads(text)["data"]))
            if cut is not None:
                message = {**message, "text": orjson.dumps({"type": "mcp", "data": orjson.loads(cut)}).decode()}
        elif isinstance(text, str) and text.startswith(_WS_ERROR_PREFIX):
            error = orjson.loads(text)
            found = error["data"].get("errors", [])
            del found[MAX_ERRORS_LISTED:]
            for finding in found:
                for part in ("input", "ctx", "url"):
                    finding.pop(part, None)
                finding["loc"] = [str(step)[:ECHO_LIMIT] for step in finding.get("loc", ())]
            limit = OWN_MESSAGE_LIMIT if error["data"].get("code") == "EXECUTION_ERROR" else OTHER_MESSAGE_LIMIT
            error["data"]["message"] = str(error["data"].get("message", ""))[:limit]
            message = {**message, "text": orjson.dumps(error).decode()}
        await send(message)

    return trimmed
