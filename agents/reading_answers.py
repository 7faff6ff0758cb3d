"""The one rule by which the text of a language model becomes an action.

1. **Where the answer is.** Everything up to the last `</think>` is reasoning and not read. In the rest,
   fences and prose are of no account: every outermost `{...}` that parses (as JSON, or as a Python literal of
   the same shape) is a candidate, and the last one with at least one field of an action is the answer. An
   object that only wraps another under `action`, `answer`, `arguments` or `parameters` stands for the inner
   one.
2. **What a field may look like.** `null` and unknown fields are dropped. Amounts and the confidence may be
   texts: currency words, `₹`, thousands separators and spaces are taken away, `%` divides by 100; what still
   is no finite number is dropped. Codes may be numbers and become their digits, never padded. `flags` is a list
   of texts, or one text that is a flag of the vocabulary; `hs_codes` and `requested_fields` are lists, or one text
   with commas. Names from a vocabulary are casefolded, with spaces and hyphens as underscores.
3. **Nothing is invented.** A field that cannot be read is left out: the note says so, and the environment says
   what is missing. An empty list is read only where an empty list was written. Half a surrogate pair, which no
   file and no request could carry, becomes U+FFFD.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from customs_env.agents.base import Action

WRAPPERS = ("action", "answer", "arguments", "parameters")

#: Only the end of a longer text is read, and after so many braces that open nothing the rest is given up.
LONGEST_TEXT, MOST_MISSES = 100_000, 200

#: Notes on a text that states no action.
NO_OBJECT = "no JSON object in the answer"
NO_FIELDS = "no JSON object in the answer has a field of an action"

_MONEY_WORDS = re.compile(r"(?i)\b(?:inr|rs|rupees?)\b\.?|₹|\s|,|'|_")


class Reading(NamedTuple):
    """An action, and what could not be read of the text that states it, or None."""

    action: Action
    note: str | None


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
        return _whole(value).strip()
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return str(value)
    return None


def read_word(value: Any) -> str | None:
    """Return a name of a vocabulary: casefolded, spaces and hyphens as underscores."""
    return re.sub(r"[\s-]+", "_", _whole(value).strip().casefold()) if isinstance(value, str) else None


def _whole(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _read_list(one: Callable[[Any], str | None]) -> Callable[[Any], list[str] | None]:
    """Return a reader of a list, or of one text with commas, whose entries `one` can all read."""

    def read(value: Any) -> list[str] | None:
        if isinstance(value, str):
            bare = value.strip().strip("[]")
            value = re.split(r"\s*[,;\n]\s*", bare) if bare.casefold() not in ("", "none", "null") else None
        if not isinstance(value, (list, tuple)):
            return None
        read = [text for text in map(one, value) if text is not None]
        return read if len(read) == len(value) else None

    return read


def _read_flags(value: Any, vocabulary: Collection[str]) -> list[str] | None:
    """Return the flags of a list of texts, or of one text that is a flag of the vocabulary; else None."""
    if isinstance(value, str):
        return [word] if (word := read_word(value)) in vocabulary and word else None
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        return None
    return [read_word(entry) or "" for entry in value]


#: How each field is read; None where it cannot be. `flags` gets the vocabulary with each answer.
_READERS: dict[str, Callable[[Any], Any]] = {
    "step_kind": read_word,
    "hs_code": read_code,
    "hs_codes": _read_list(read_code),
    "flags": partial(_read_flags, vocabulary=()),
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


def read_answer(text: str | None, vocabulary: Collection[str] = ()) -> Reading:
    """Return the action that a model's text states, by the rule above, and a note on what could not be read.

    The action is empty where the text states none. `vocabulary` holds the flags of the file's task.
    """
    spoken = (text or "").rpartition("</think>")[2]
    chosen: dict[str, Any] = {}
    note: str | None = NO_OBJECT
    for value in map(_unwrapped, _objects(spoken[-LONGEST_TEXT:])):
        note = NO_FIELDS
        if any(name in value for name in _READERS):
            chosen = value
    if not chosen:
        return Reading({}, note)
    readers: dict[str, Callable[[Any], Any]] = {**_READERS, "flags": partial(_read_flags, vocabulary=vocabulary)}
    read = {name: reader(chosen[name]) for name, reader in readers.items() if chosen.get(name) is not None}
    unread = [name for name, value in read.items() if value is None]
    note = f"not readable in the answer: {', '.join(unread)}" if unread else None
    return Reading({name: value for name, value in read.items() if value is not None}, note)
