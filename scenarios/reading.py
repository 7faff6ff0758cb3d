"""How papers are compared: names, numbers, units, countries. FLAGS conventions 1, 2 and 4 of the trade notes.

Blank is never "different"; units before numbers; harmless spelling is folded away.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

from customs_env.goods.wording import padded

#: Words of a firm's legal form, each to one spelling. Other forms (GmbH, Sdn Bhd, S.p.A.) stay as written.
LEGAL_FORM_WORDS = {
    "pvt": "private",
    "ltd": "limited",
    "co": "company",
    "corp": "corporation",
    "inc": "incorporated",
    "and": "",
}

#: Unit -> (kind, how many base units it holds). Units of different kinds are never compared.
UNITS: dict[str, tuple[str, float]] = {
    "NOS": ("count", 1.0),
    "PCS": ("count", 1.0),
    "DOZ": ("count", 12.0),
    "PRS": ("pair", 1.0),
    "SET": ("set", 1.0),
    "KGS": ("mass", 1.0),
    "MT": ("mass", 1000.0),
    "MTR": ("length", 1.0),
    "SQM": ("area", 1.0),
    "LTR": ("volume", 1.0),
    "CBM": ("volume", 1000.0),
}

#: Kinds that are counted: any difference is a difference.
COUNTED = frozenset({"count", "pair", "set"})

#: Country names a paper may give as origin (names as the generator and the canonical files print them).
COUNTRIES = (
    "Australia", "Austria", "Bangladesh", "Belgium", "Brazil", "Canada", "China", "Denmark", "Egypt", "France",
    "Germany", "Hong Kong", "Indonesia", "Italy", "Japan", "Malaysia", "Netherlands", "Poland", "Serbia",
    "Singapore", "South Korea", "Spain", "Sri Lanka", "Switzerland", "Taiwan", "Thailand", "Turkey",
    "United Arab Emirates", "United Kingdom", "United States", "Vietnam",
)  # fmt: skip

#: Other spellings of these names.
_ALIASES = {
    "usa": "United States", "u s a": "United States", "united states of america": "United States",
    "uk": "United Kingdom", "great britain": "United Kingdom", "uae": "United Arab Emirates",
    "u a e": "United Arab Emirates", "korea": "South Korea", "republic of korea": "South Korea",
    "p r china": "China", "peoples republic of china": "China", "pr china": "China", "holland": "Netherlands",
    "the netherlands": "Netherlands", "turkiye": "Turkey", "viet nam": "Vietnam",
}  # fmt: skip

_NOT_WORD = re.compile(r"[^0-9a-z]+")
_NOT_NUMBER = re.compile(r"[^0-9A-Z]+")
_UPPER = bytes(range(256)).upper()
_PUNCTUATION = bytes(code for code in range(128) if not chr(code).isalnum())
_SEPARATOR = re.compile("[,;&]|and", re.IGNORECASE)
_QUOTED = re.compile(r"[,;&]|\band\b", re.IGNORECASE)
_COUNTRY_BY_FOLD = {name.casefold(): name for name in COUNTRIES} | _ALIASES
_ORIGIN_STATEMENT = re.compile(
    " (?:made in|product of|origin) (" + "|".join(sorted(_COUNTRY_BY_FOLD, key=len, reverse=True)) + ") "
)


@lru_cache(maxsize=1 << 14)
def fold_name(name: str) -> str:
    """Return a firm's name with case, punctuation, `M/s`, `&`/`and` and legal-form spellings folded away."""
    if not name.isascii():
        name = normalize("NFKC", name)
    words = _NOT_WORD.sub(" ", name.casefold()).split()
    if not words:  # a name in another script is compared as it stands
        return name.casefold().strip()
    if words[:2] == ["m", "s"]:
        words = words[2:]
    return " ".join(filter(None, (LEGAL_FORM_WORDS.get(word, word) for word in words)))


def fold_number(number: str) -> str:
    """Return a document number's letters and digits alone (A-Z, 0-9), upper case; leading zeros stay."""
    if number.isascii():
        return number.encode("ascii").translate(_UPPER, _PUNCTUATION).decode("ascii")
    return _NOT_NUMBER.sub("", number.upper())


def quoted_numbers(text: str) -> list[str]:
    """Return the numbers that a field quotes, folded; several are parted by comma, semicolon, `&` or `and`."""
    if not text:
        return []
    if _SEPARATOR.search(text) is None:
        folded = fold_number(text)
        return [folded] if folded else []
    return [folded for folded in map(fold_number, _QUOTED.split(text)) if folded]


@lru_cache(maxsize=1 << 12)
def country_named(text: str) -> str:
    """Return the country that a field names as its whole content, or "" (`EU`, blank and notes name none)."""
    return _COUNTRY_BY_FOLD.get(padded(text)[1:-1], "") if text else ""


def country_stated(text: str) -> str:
    """Return the country that a text, in comparable form, states as `made in`, `product of` or `origin`, or ""."""
    if " made in " not in text and " product of " not in text and " origin " not in text:
        return ""
    found = _ORIGIN_STATEMENT.search(text)
    return _COUNTRY_BY_FOLD[found.group(1)] if found else ""


@lru_cache(maxsize=1 << 12)
def is_order_party(consignee: str) -> bool:
    """Return whether a bill of lading is consigned to order or to a bank: nobody who could take the goods is named."""
    folded = padded(consignee)
    return folded.startswith((" to order", " to the order")) or " bank " in folded


def within_edits(left: str, right: str, most: int) -> bool:
    """Return whether `left` becomes `right` by at most `most` insertions, deletions and replacements."""
    if abs(len(left) - len(right)) > most:
        return False
    start = 0
    for start, (one, other) in enumerate(zip(left, right, strict=False)):  # noqa: B007 - the place of the first difference
        if one != other:
            break
    else:
        # One is the beginning of the other: what is over must go.
        return True
    if most == 0:
        return False
    left, right = left[start:], right[start:]
    return (
        within_edits(left[1:], right[1:], most - 1)
        or within_edits(left[1:], right, most - 1)
        or within_edits(left, right[1:], most - 1)
    )
