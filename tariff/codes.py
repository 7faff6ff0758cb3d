"""How a tariff code may be spelt: one written rule for look-ups, actions and graders.

Accepted: ASCII digits, full-width digits (folded), single dots or spaces between digits, blanks around.
Nothing else is folded, nothing is completed: a code with a missing digit is refused with the reason.
"""

from __future__ import annotations

import re

from customs_env.errors import CodeSpellingError, shown

#: What a code of so many digits is called.
LEVELS = {2: "chapter", 4: "heading", 6: "subheading", 8: "tariff item"}
#: No spelling of eight digits needs more characters.
LONGEST_SPELLING = 40

_DIGIT = "[0-9\uff10-\uff19]"
_WELL_SPELT = re.compile(f" *{_DIGIT}+(?:[. ]{_DIGIT}+)* *")
_FOLD = {ord("."): None, ord(" "): None} | {0xFF10 + digit: str(digit) for digit in range(10)}

#: Last heading of the chapters whose number starts with a zero (HS 2022).
_LAST_HEADING = {"1": 6, "2": 10, "3": 9, "4": 10, "5": 11, "6": 4, "7": 14, "8": 14, "9": 10}


def _digits(text: str) -> str | None:
    """Return the digits of a well-spelt code of any length, else None."""
    if len(text) > LONGEST_SPELLING or _WELL_SPELT.fullmatch(text) is None:
        return None
    return text.translate(_FOLD)


def fold_code(text: object) -> str | None:
    """Return the eight digits of a well-spelt tariff item code, else None. Never raises (for graders)."""
    if not isinstance(text, str):
        return None
    if len(text) == 8 and text.isascii() and text.isdigit():
        return text
    digits = _digits(text)
    return digits if digits is not None and len(digits) == 8 else None


def normalise_code(text: str) -> str:
    """Return the digits of a chapter, heading, subheading or tariff item (2, 4, 6 or 8 digits).

    Raises CodeSpellingError with the reason: not a text, a character or separator that is not folded, a
    number of digits that no Indian code has, a leading zero that seems lost.
    """
    if not isinstance(text, str):
        raise CodeSpellingError(
            f"a tariff code is text, got {type(text).__name__} {shown(text)}: a number loses leading zeros"
        )
    digits = _digits(text)
    if digits is None:
        raise CodeSpellingError(f"{_spelling_fault(text)}: {shown(text)!r}")
    if len(digits) not in LEVELS:
        raise CodeSpellingError(f"{_length_fault(digits)}: {shown(text)!r}")
    return digits


def normalise_item(text: str) -> str:
    """Return the eight digits of a tariff item; CodeSpellingError names a shorter code for what it is."""
    digits = normalise_code(text)
    if len(digits) != 8:
        level = LEVELS[len(digits)]
        raise CodeSpellingError(
            f"{digits} is a {level}, not a tariff item: that has eight digits, and none is completed here"
        )
    return digits


def _spelling_fault(text: str) -> str:
    """Say what keeps `text` from being a code."""
    if len(text) > LONGEST_SPELLING:
        return f"expected at most {LONGEST_SPELLING} characters, got {len(text)}"
    bare = text.strip(" ")
    if not bare:
        return "expected a tariff code, got a blank text"
    for character in bare:
        if _WELL_SPELT.fullmatch(character) is None and character not in ". ":
            if character.isalpha():
                return f"a tariff code has no letters, got {shown(character)!r}"
            if character.isdigit() or character.isnumeric():
                return f"only the digits 0 to 9 are folded, got {shown(character)!r}"
            return f"only single dots and spaces may stand between digits, got {shown(character)!r}"
    if bare[0] == "." or bare[-1] == ".":
        return "a dot stands between digits, not at an end"
    return "dots and spaces between digits must be single"


def _length_fault(digits: str) -> str:
    """Say why a run of digits of a wrong length is no Indian code."""
    length = len(digits)
    if length == 10:
        return "ten digits: foreign ten-digit codes are not Indian items, which have eight digits"
    if length > 8:
        return f"{length} digits: an Indian tariff item has eight"
    if _zero_seems_lost(digits):
        return (
            f"{length} digits: the leading zero of chapter 0{digits[0]} seems lost (spreadsheets drop it); "
            "write the code with every digit"
        )
    return f"{length} digits: a code has two (chapter), four (heading), six (subheading) or eight (item)"


def _zero_seems_lost(digits: str) -> bool:
    """Whether the digits, after a zero, would start with an existing heading of chapters 01 to 09."""
    last_heading = _LAST_HEADING.get(digits[0])
    if last_heading is None:
        return False
    return len(digits) == 1 or 1 <= int(digits[1:3]) <= last_heading
