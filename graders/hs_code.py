"""Credit for a tariff item: 1.0 exact, 0.5 right heading, else 0."""

from __future__ import annotations

from typing import Any

from customs_env.tariff.codes import fold_code

EXACT, RIGHT_HEADING = 1.0, 0.5


def hs_code_score(submitted: Any, true_item: str) -> float:
    """Return the credit of a submitted code in {0.0, 0.5, 1.0}.

    A code that does not exist is graded like any other; a text that is no eight-digit code in the written spelling
    scores 0.
    """
    code = fold_code(submitted) if isinstance(submitted, str) else None
    if code is None:
        return 0.0
    if code == true_item:
        return EXACT
    return RIGHT_HEADING if code[:4] == true_item[:4] else 0.0
