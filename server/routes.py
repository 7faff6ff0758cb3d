"""The HTTP episodes: POST /reset, POST /step, GET /state, and who may see the result: /grader.

OpenEnv's own three routes make a fresh environment for every request and forget it. These take their place, under
the same paths and with the same shapes, documented as FastAPI routes and served as plain ASGI.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from customs_env.errors import CapacityError, InputError
from customs_env.server.episodes import EpisodeStore
from customs_env.server.guard import Receive, Scope, Send, send_answer
from customs_env.server.journals import EpisodeConflictError
from customs_env.server.models import action_payload
from customs_env.server.wire import Answer, checked_id, input_refusal, json_bytes, refusal, request_object

COOKIE = "episode_id"
STEP_FIELDS = ("action", "episode_id", "request_id", "timeout_s")
#: With a full store, a client is told to come back after so many seconds.
RETRY_AFTER_S = 10

logger = logging.getLogger(__name__)

Headers = tuple[tuple[bytes, bytes], ...]


class EpisodeRoutes:
    """The handlers over one store.

    They call the store in the event loop, SQLite's too: a step with its transaction takes less than handing it to a
    thread and back (with a thread, 16 clients got a third fewer episodes a second).
    """

    def __init__(self, store: EpisodeStore) -> None:
        self.store = store

    async def reset(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """POST /reset."""

        async def serve() -> Answer:
            arguments = request_object(await _body(receive))
            request_id = _taken_id(arguments, "request_id")
            episode_id = _taken_id(arguments, "episode_id")
            return self.store.reset(arguments, episode_id, request_id)

        answer = await _answered(serve)
        cookie: Headers = ()
        if answer.status == 200:
            value = f"{COOKIE}={quote(answer.episode_id, safe='')}; Path=/; HttpOnly; SameSite=Lax"
            cookie = ((b"set-cookie", value.encode("ascii")),)
        await _send(send, answer, cookie)

    async def step(self, scope: Scope, receive: Receive, send: Send) -> None:
        """POST /step."""

        async def serve() -> Answer:
            body = request_object(await _body(receive))
            for name in body:
                if name not in STEP_FIELDS:
                    raise InputError("unknown_field", name, "one of " + ", ".join(STEP_FIELDS), body[name])
            action = body.get("action")
            if not isinstance(action, dict):
                raise InputError("wrong_type", "action", "a JSON object with the fields of an action", action)
            timeout = body.get("timeout_s")
            if timeout is not None and (
                isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0
            ):
                raise InputError("invalid_value", "timeout_s", "a number of seconds above 0", timeout)
            request_id = _taken_id(body, "request_id")
            episode_id = self.named_episode(scope, body)
            return self.store.step(episode_id, action_payload(action), request_id)

        await _send(send, await _answered(serve))

    async def state(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """GET /state."""

        async def serve() -> Answer:
            episode_id = self.named_episode(scope, {})
            return Answer(200, json_bytes(self.store.state(episode_id)))

        await _send(send, await _answered(serve))

    def named_episode(self, scope: Scope, body: dict[str, Any]) -> str:
        """Return the episode that a request names: body, query, header or cookie; without any, the only open one."""
        named = named_id(scope, body)
        return named if named is not None else self.store.only_open()

    def open(self) -> None:
        """Use the store once, so that one that cannot be used stops the server at its start."""
        with self.store.journal.reading():
            self.store.journal.open_count()


def named_id(scope: Mapping[str, Any], body: dict[str, Any]) -> str | None:
    """Return the episode_id of a request, taken from body, query, header, cookie, in this order; None without any."""
    in_body = _taken_id(body, "episode_id")
    if in_body is not None:
        return in_body
    query = scope["query_string"]
    if query:
        in_query = parse_qs(query.decode("latin-1")).get("episode_id")
        if in_query:
            return checked_id(in_query[0])
    for name, value in scope["headers"]:
        if name == b"x-episode-id":
            return checked_id(value.decode("utf-8", "replace"))
    for name, value in scope["headers"]:
        if name == b"cookie":
            in_cookie = _cookie_id(value.decode("latin-1"))
            if in_cookie is not None:
                return in_cookie
    return None


def _cookie_id(header: str) -> str | None:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return checked_id(unquote(morsel.value)) if morsel is not None and morsel.value else None


def _taken_id(body: dict[str, Any], field: str) -> str | None:
    """Take an id out of a body; null counts as absent."""
    value = body.pop(field, None)
    return None if value is None else checked_id(value, field)


async def _body(receive: Receive) -> bytes:
    """Return a body that the guard has read whole."""
    message = await receive()
    body: bytes = message.get("body", b"")
    return body


async def _answered(serve: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return the answer of `serve`, or the refusal that its error means."""
    try:
        return await serve()
    except InputError as error:
        return input_refusal(error)
    except EpisodeConflictError as error:
        return refusal(409, error.code, str(error))
    except CapacityError as error:
        return refusal(503, "full", str(error))
    except Exception:
        # Answered here, so that the client's connection is kept; what failed is for the log alone
        logger.exception("a request failed")
        return refusal(500, "internal", "internal error: the server's log has it")


async def _send(send: Send, answer: Answer, headers: Headers = ()) -> None:
    if answer.status == 503:
        headers = (*headers, (b"retry-after", str(RETRY_AFTER_S).encode()))
    await send_answer(send, answer, headers)
