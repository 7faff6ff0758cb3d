"""The one rule by which the text of a language model becomes an action.

1. **Where the answer is.** Everything up to the last `</think>` is reasoning and not read. In the rest,
   fences and prose are of no account: every outermost `{...}` that parses (as JSON, or as a Python literal of
   the same shape) is a candidate, and the last one with at least one field of an action is the answer. An
   object that only wraps another under `action`, `answer`, `arguments` or `parameters` stands for the inner
   one.
2. **What a field may look like.** `null` and unknown fields are dropped. Amounts and the confidence may be
   texts: currency words, `₹`, thousands separators and spaces are taken away, `%` divides by 100; what still
   is no finite number is dropped. Codes may be numbers and become their digits, never padded. Lists may be
   one text with commas. Names from a vocabulary are casefolded, with spaces and hyphens as underscores.
3. **Nothing is invented.** A field that cannot be read is left out, and the environment says what is missing.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from customs_env.agents.base import Action

WRAPPERS = ("action", "answer", "arguments", "parameters")

#: Only the end of a longer text is read, and after so many braces that open nothing the rest is given up.
LONGEST_TEXT, MOST_MISSES = 100_000, 200

_MONEY_WORDS = re.compile(r"(?i)\b(?:inr|rs|rupees?)\b\.?|₹|\s|,|'|_")


def read_number(value: Any) -> float | None:
    """Return a finite number from a number or from text around one, else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        number = float(value) if abs(value) < 1e300 else math.inf
    elif isinstance(value, str):
        bare = _MONEY_WORDS.sub("", value)
        share = bare.endswith("%")
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", bare.rstrip("%")):
            return None
        number = float(bare.rstrip("%")) / (100 if share else 1)
    else:
        return None
    return number if math.isfinite(number) else None


def read_code(value: Any) -> str | None:
    """Return a tariff code as text; numbers become their digits and are never padded."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return str(value)
    return None


def read_word(value: Any) -> str | None:
    """Return a name of a vocabulary: casefolded, spaces and hyphens as underscores."""
    return re.sub(r"[\s-]+", "_", value.strip().casefold()) if isinstance(value, str) else None


def _read_list(one: Callable[[Any], str | None]) -> Callable[[Any], list[str] | None]:
    def read(value: Any) -> list[str] | None:
        if isinstance(value, str):
            bare = value.strip().strip("[]")
            value = [] if bare.casefold() in ("", "none", "null") else re.split(r"\s*[,;\n]\s*", bare)
        if not isinstance(value, (list, tuple)):
            return None
        return [text for text in map(one, value) if text]

    return read


_READERS: dict[str, Callable[[Any], Any]] = {
    "step_kind": read_word,
    "hs_code": read_code,
    "hs_codes": _read_list(read_code),
    "flags": _read_list(read_word),
    "recommendation": read_word,
    "confidence": read_number,
    "assessable_value_inr": read_number,
    "duty_amount_inr": read_number,
    "requested_fields": _read_list(read_word),
}


def _balanced(text: str, start: int) -> str | None:
    """Return the brace-balanced piece that begins at `start`; braces in double-quoted strings do not count."""
    depth, quoted, place = 0, False, start
    while place < len(text):
        sign = text[place]
        if quoted:
            if sign == "\\":
                place += 1
            elif sign == '"':
                quoted = False
        elif sign == '"':
            quoted = True
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if not depth:
                return text[start : place + 1]
        place += 1
    return None


def _literal(piece: str | None) -> dict[str, Any] | None:
    if piece is None:
        return None
    try:
        value = ast.literal_eval(piece)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield every object of a text that parses, outermost first, in reading order."""
    decoder, place, misses = json.JSONDecoder(), text.find("{"), 0
    while place >= 0 and misses < MOST_MISSES:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            piece = _balanced(text, place)
            value, end = _literal(piece), place + len(piece or "")
        if isinstance(value, dict):
            yield value
        else:
            misses, end = misses + 1, place + 1
        place = text.find("{", end)


def _unwrapped(value: dict[str, Any]) -> dict[str, Any]:
    for wrapper in WRAPPERS:
        inner = value.get(wrapper)
        if isinstance(inner, dict) and not any(name in value for name in _READERS):
            return inner
    return value


def read_answer(text: str | None) -> Action:
    """Return the action that a model's text states, by the rule above; empty where it states none."""
    spoken = (text or "").rpartition("</think>")[2]
    chosen: dict[str, Any] = {}
    for value in map(_unwrapped, _objects(spoken[-LONGEST_TEXT:])):
        if any(name in value for name in _READERS):
            chosen = value
    read = {name: reader(chosen[name]) for name, reader in _READERS.items() if chosen.get(name) is not None}
    return {name: value for name, value in read.items() if value is not None}
