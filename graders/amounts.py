"""Credit for assessable value and duty, each an amount in rupees."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

#: Flat basis: full credit within this share of the right amount.
FLAT_TOLERANCE = 0.05


def flat_amount_score(submitted: Any, true: Decimal) -> float:
    """Return 1.0 where `submitted` lies within five per cent of the right amount (exactly, if it is nil), else 0.0."""
    if isinstance(submitted, bool) or not isinstance(submitted, (int, float)):
        return 0.0
    if isinstance(submitted, float) and not math.isfinite(submitted):
        return 0.0
    right = float(true)
    if abs(submitted) > 1e18:
        return 0.0
    return 1.0 if abs(submitted - right) <= FLAT_TOLERANCE * right else 0.0
