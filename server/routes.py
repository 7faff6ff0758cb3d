"""The HTTP episodes: POST /reset, POST /step, GET /state, and who may see the result: /grader.

OpenEnv's own three routes make a fresh environment for every request and forget it. These take their place, under
the same paths and with the same shapes, documented as FastAPI routes and served as plain ASGI.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from customs_env.errors import CapacityError, InputError
from customs_env.server.episodes import EpisodeStore
from customs_env.server.guard import Receive, Scope, Send, send_answer
from customs_env.server.journals import EpisodeConflictError
from customs_env.server.models import action_payload
from customs_env.server.wire import Answer, checked_id, input_refusal, json_bytes, refusal, request_object

COOKIE = "episode_id"
#: A valid action is shorter by far. Accepted ones are kept until their episode is forgotten.
MAX_ACTION_JSON = 16 * 1024
STEP_FIELDS = ("action", "episode_id", "request_id", "timeout_s")
#: With a full or locked store, a client is told to come back after so many seconds.
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
            size = len(json_bytes(action))
            if size > MAX_ACTION_JSON:
                raise InputError("too_long", "action", f"at most {MAX_ACTION_JSON} bytes of JSON", f"{size} bytes")
            request_id = _taken_id(body, "request_id")
            episode_id = named_id(scope, body)
            if episode_id is None:
                if request_id is not None:
                    # Sent again, it would be for whichever episode is the only open one by then
                    raise InputError("missing_field", "episode_id", "the episode of the request_id", None)
                episode_id = self.store.only_open()
            return self.store.step(episode_id, action_payload(action), request_id)

        await _send(send, await _answered(serve))

    async def state(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """GET /state."""

        async def serve() -> Answer:
            episode_id = named_id(scope, {}) or self.store.only_open()
            return Answer(200, json_bytes(self.store.state(episode_id)))

        await _send(send, await _answered(serve))

    def open(self) -> None:
        """Use the store once, so that one that cannot be used stops the server at its start."""
        with self.store.journal.reading():
            self.store.journal.open_count()


def named_id(scope: Mapping[str, Any], body: dict[str, Any]) -> str | None:
    """Return the episode_id of a request, taken from body, query, header, cookie, in this order; None without any.

    One that is named but cannot be used is an InputError, never passed over: the step would be for another episode.
    """
    in_body = _taken_id(body, "episode_id")
    if in_body is not None:
        return in_body
    query = scope["query_string"]
    if query:
        in_query = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("episode_id")
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
    """Return the id of a cookie header, whatever else stands in it; raise InputError for one that cannot be used."""
    for part in header.split(";"):
        name, _, value = part.partition("=")
        if name.strip() == COOKIE:
            return checked_id(unquote(value.strip().strip('"')))
    return None


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
    except Exception as error:
        if is_locked(error):
            return locked_refusal()
        # Answered here, so that the client's connection is kept; what failed is for the log alone
        logger.exception("a request failed")
        return refusal(500, "internal", "internal error: the server's log has it")


def is_locked(error: Exception) -> bool:
    """Tell whether the store failed only because another program holds its file."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def locked_refusal() -> Answer:
    """Return the answer while another program holds the store's file."""
    return refusal(503, "store_busy", "the store of episodes is busy: nothing has changed, try again later")


async def _send(send: Send, answer: Answer, headers: Headers = ()) -> None:
    if answer.status == 503:
        headers = (*headers, (b"retry-after", str(RETRY_AFTER_S).encode()))
    await send_answer(send, answer, headers)
