"""JSON from outside: no NaN, no infinity, no key twice, no nesting without end. One reader for every face."""

from __future__ import annotations

import json
from typing import Any

from customs_env.errors import InputError

#: The longest action text that is read; far more than any valid action needs.
MAX_ACTION_BYTES = 256 * 1024
MAX_DEPTH = 32


def _no_constant(name: str) -> Any:
    raise InputError("not_finite", "action", "JSON numbers", name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InputError("duplicate_key", "action", "every key once", "a key twice")
    return found


def _depth_within(value: Any, left: int) -> bool:
    if isinstance(value, dict):
        return left > 0 and all(_depth_within(part, left - 1) for part in value.values())
    if isinstance(value, list):
        return left > 0 and all(_depth_within(part, left - 1) for part in value)
    return True


def parse_json(text: str | bytes, field: str = "action") -> Any:
    """Return the JSON value of a text.

    Raises:
        InputError: not JSON, too long, too deeply nested, a key twice, NaN or infinity.
    """
    if len(text) > MAX_ACTION_BYTES:
        raise InputError("too_long", field, f"at most {MAX_ACTION_BYTES} characters", f"{len(text)} characters")
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique)
    except RecursionError:
        raise InputError("too_deep", field, f"at most {MAX_DEPTH} levels", "deeper nesting") from None
    except ValueError as fault:  # JSONDecodeError, UnicodeDecodeError, an integer of too many digits
        raise InputError("not_json", field, "a JSON object", str(fault)) from None
    if not _depth_within(value, MAX_DEPTH):
        raise InputError("too_deep", field, f"at most {MAX_DEPTH} levels", "deeper nesting")
    return value
