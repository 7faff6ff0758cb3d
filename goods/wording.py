"""How a text states a fact: whole words, letter case and punctuation ignored.

One rule serves the generator's checks, the predicates and the policy text that tells agents of it.
"""

from __future__ import annotations

import re

_NOT_WORD = re.compile(r"[^0-9a-z]+")
#: ASCII letters to lower case, digits kept, all else a blank. (Bytes translate several times faster than text.)
_ASCII = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))


def padded(text: str) -> str:
    """Return `text` casefolded, every run of other than a-z and 0-9 made one blank, one blank at each end."""
    if text.isascii():
        return " " + " ".join(text.encode("ascii").translate(_ASCII).decode("ascii").split()) + " "
    return " " + _NOT_WORD.sub(" ", text.casefold()).strip() + " "
