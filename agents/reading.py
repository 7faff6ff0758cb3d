"""How a broker compares what papers say: texts, names, numbers of documents, quantities and weights.

Written from the text rule of the policy and from trade practice; it shares no code with the predicates that
decide the truth.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

#: Unit -> (kind, how many base units it holds). Quantities of different kinds are not compared.
UNITS: Mapping[str, tuple[str, float]] = {
    "NOS": ("count", 1.0),
    "PCS": ("count", 1.0),
    "DOZ": ("count", 12.0),
    "GRS": ("count", 144.0),
    "PRS": ("pair", 1.0),
    "SET": ("set", 1.0),
    "KGS": ("mass", 1.0),
    "MT": ("mass", 1000.0),
    "MTR": ("length", 1.0),
    "SQM": ("area", 1.0),
    "LTR": ("volume", 1.0),
}

#: Words of legal forms that mean the same, where the policy gives no list of its own.
LEGAL_FORMS: Mapping[str, str] = {
    "pvt": "private",
    "ltd": "limited",
    "co": "company",
    "corp": "corporation",
    "inc": "incorporated",
}


def words(text: Any) -> str:
    """Return a text for whole-word search: casefolded, all but a-z and digits one blank, blanks around."""
    return " " + " ".join(re.findall(r"[a-z0-9]+", str(text or "").casefold())) + " "


def singular(word: str) -> str:
    """Return a word without the s of the plural, well enough for comparing."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def says(text: str, term: str) -> bool:
    """Tell whether a `words` text states a term."""
    sought = words(term)
    return bool(sought.strip()) and sought in text


def stated(text: str, terms: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the keys of the values of which the text states at least one term."""
    return {key for key, spellings in terms.items() if any(says(text, spelling) for spelling in spellings)}


def ascii_fold(text: Any) -> str:
    """Return a text with full-width forms made narrow and accents dropped."""
    wide = unicodedata.normalize("NFKD", str(text or ""))
    return "".join(sign for sign in wide if not unicodedata.combining(sign))


def folded_name(name: Any, forms: Mapping[str, str] = LEGAL_FORMS) -> str:
    """Return a party's name for comparison: case, punctuation, `M/s`, `&` and legal spellings gone."""
    text = re.sub(r"^\s*m\s*/\s*s\b\.?", " ", ascii_fold(name).casefold())
    parts = [part for part in re.findall(r"[a-z0-9]+", text) if part != "and"]
    return " ".join(forms.get(part, part) for part in parts)


def folded_number(number: Any) -> str:
    """Return a document's number as its letters and digits alone; leading zeros stay."""
    return re.sub(r"[^A-Z0-9]", "", ascii_fold(number).upper())


def edits(first: str, second: str) -> int:
    """Return the edit distance (insert, delete, replace) of two texts."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        corner, row[0] = row[0], i
        for j, right in enumerate(second, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (left != right))
    return row[-1]


def amount(value: Any) -> float | None:
    """Return a number of a paper, or None where the paper is blank."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return None


def measured(quantity: Any, unit: Any) -> tuple[str, float] | None:
    """Return a quantity as (kind, base units), or None where quantity or unit cannot be read."""
    number = amount(quantity)
    known = UNITS.get(str(unit or "").strip().upper())
    return None if number is None or known is None else (known[0], number * known[1])


def kilograms(weight: Any, unit: Any) -> float | None:
    """Return a weight in kilograms; a paper that names no unit means kilograms."""
    number = amount(weight)
    return None if number is None else number * (1000.0 if str(unit or "").strip().upper() == "MT" else 1.0)


# What introduces an invoice number in running text: "INV NO. HC/0457", "Invoice: 22-118 dated ...".
_QUOTED = re.compile(
    r"\binv(?:oice)?s?\b\.?\s*(?:(?:no|nos|number|numbers|ref)\b\.?)?\s*[:#.]?\s*((?=[^\s,;]*\d)[^\s,;]+)",
    re.IGNORECASE,
)


def listed_numbers(reference: Any) -> list[str]:
    """Return the invoice numbers, folded, that a reference field lists."""
    parts = re.split(r"[,;\n]|\s+(?:and|&)\s+|\s&\s", str(reference or ""))
    # "dated 2025-11-02" behind a number is no part of it
    bare = (re.split(r"\b(?:dt|dated|of)\b", part, maxsplit=1, flags=re.IGNORECASE)[0] for part in parts)
    stripped = (re.sub(r"(?i)^\s*inv(?:oice)?s?\b\.?\s*(?:(?:nos?|numbers?)\b\.?)?\s*[:#]?", "", part) for part in bare)
    return [folded for folded in map(folded_number, stripped) if any(sign.isdigit() for sign in folded)]


def quoted_numbers(text: Any) -> list[str]:
    """Return the invoice numbers, folded, that running text quotes after the word invoice."""
    return [folded_number(found) for found in _QUOTED.findall(str(text or ""))]
