"""Credit for assessable value and duty, each an amount in rupees."""

from __future__ import annotations

from typing import Any

#: Flat basis: full credit within this share of the right amount.
FLAT_TOLERANCE = 0.05


def flat_amount_score(submitted: Any, true_paise: int) -> float:
    """Return 1.0 where `submitted` (rupees) lies within five per cent of the right amount, else 0.0.

    A right amount of nil is met exactly or not at all.
    """
    if isinstance(submitted, bool) or not isinstance(submitted, (int, float)):
        return 0.0
    if not -1e18 < submitted < 1e18:  # NaN is neither; larger integers are not for floats
        return 0.0
    right = true_paise / 100
    return 1.0 if abs(submitted - right) <= FLAT_TOLERANCE * right else 0.0
