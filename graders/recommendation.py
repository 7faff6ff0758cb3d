"""Credit for the recommendation: exact match."""

from __future__ import annotations

from typing import Any


def recommendation_score(submitted: Any, true: str) -> float:
    """Return 1.0 where the recommendation is the right one, else 0.0."""
    return 1.0 if isinstance(submitted, str) and submitted == true else 0.0
