"""Credit for assessable value and duty, each an amount in rupees."""

from __future__ import annotations

from typing import Any

#: Flat basis: full credit within one part in so many of the right amount, five per cent.
TOLERATED_SHARE = 20


def flat_amount_score(submitted: Any, true_paise: int) -> float:
    """Return 1.0 where `submitted` (rupees) lies within five per cent of the right amount, else 0.0.

    A right amount of nil is met exactly or not at all.
    """
    if isinstance(submitted, bool) or not isinstance(submitted, (int, float)):
        return 0.0
    if not -1e18 < submitted < 1e18:  # NaN is neither; larger integers are not for floats
        return 0.0
    # In whole paise, so that an amount at exactly five per cent is inside whatever its floats are.
    apart_paise = abs(round(submitted * 100) - true_paise)
    return 1.0 if apart_paise * TOLERATED_SHARE <= true_paise else 0.0
