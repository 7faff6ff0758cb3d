"""Bytes in, bytes out: strict JSON for requests, one shape for answers, the same over HTTP and WebSocket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from customs_env.env.episode import Observation
from customs_env.errors import InputError, shown

MAX_DEPTH = 32
MAX_ID = 255


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer: status, JSON body, and the episode that it is about."""

    status: int
    body: bytes
    episode_id: str = ""


def observation_body(observation: Observation) -> dict[str, Any]:
    """Return the observation in OpenEnv's form: reward and done beside it, metadata within.

    To be written out at once: its parts are the engine's own, not copies.
    """
    content = observation.shared_dict()
    content["metadata"] = {}
    return {"observation": content, "reward": observation.reward, "done": observation.done}


def observation_bytes(observation: Observation) -> bytes:
    """Return `observation_body` as JSON."""
    return orjson.dumps(observation_body(observation))


def json_bytes(value: Any) -> bytes:
    """Return a value as compact JSON."""
    return orjson.dumps(value)


def json_value(data: bytes | str) -> Any:
    """Return the value of stored JSON of our own."""
    return orjson.loads(data)


def request_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a request body, {} for an empty one; raise InputError for anything else.

    NaN, Infinity and numbers beyond a double are refused, and so is nesting beyond MAX_DEPTH.
    """
    if not body:
        return {}
    value = strict_json(body)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError("wrong_type", "body", "a JSON object", value)
    return value


def strict_json(body: bytes) -> Any:
    """Return the JSON value of a request body; raise InputError for what is none, or nests beyond MAX_DEPTH."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InputError(
            "invalid_json", "body", "JSON in UTF-8, without NaN or Infinity", f"not that: {error.msg}"
        ) from None
    if isinstance(value, (dict, list)) and is_deep(body, value):
        raise InputError("too_deep", "body", f"at most {MAX_DEPTH} levels of nesting", "more")
    return value


def is_deep(text: bytes, value: Any) -> bool:
    """Tell whether a parsed value nests beyond MAX_DEPTH. `text` is its JSON: few brackets settle it at once."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return False
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def checked_id(value: Any, field: str = "episode_id") -> str:
    """Return a client's own id; raise InputError unless it is printable text of 1 to MAX_ID characters."""
    if not isinstance(value, str):
        raise InputError("wrong_type", field, "text", value)
    if not 0 < len(value) <= MAX_ID or not value.isprintable():
        raise InputError("invalid_value", field, f"1 to {MAX_ID} printable characters", value)
    return value


def refusal(status: int, code: str, detail: str, **more: Any) -> Answer:
    """Return the answer to a request that cannot be served: what is wrong and the way out."""
    return Answer(status, orjson.dumps({"code": code, "detail": detail, **more}))


def input_refusal(error: InputError | Mapping[str, Any], episode_id: str = "") -> Answer:
    """Return the 422 of an invalid action or request: exactly code, field, expected, got."""
    parts = error.to_dict() if isinstance(error, InputError) else dict(error)
    parts["field"] = shown(parts["field"])
    return Answer(422, orjson.dumps(parts), episode_id)
