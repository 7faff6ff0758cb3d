"""How a text states a fact: whole words, letter case and punctuation ignored.

One rule serves the generator's checks, the predicates and the policy text that tells agents of it.
"""

from __future__ import annotations

import re

_NOT_WORD = re.compile(r"[^0-9a-z]+")
#: ASCII only: letters to lower case, digits kept, all else a blank.
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))


def padded(text: str) -> str:
    """Return `text` casefolded, every run of other than a-z and 0-9 made one blank, one blank at each end."""
    if text.isascii():
        return " " + " ".join(text.translate(_ASCII).split()) + " "
    return " " + _NOT_WORD.sub(" ", text.casefold()).strip() + " "
