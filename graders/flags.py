"""Credit for the report of findings."""

from __future__ import annotations

from typing import Any, NamedTuple

#: What each distinct false flag costs, of the flag score.
FALSE_FLAG_PENALTY = 0.15


class FlagGrade(NamedTuple):
    """Score in [0, 1] and the counts behind it: true flags caught and missed, distinct false flags."""

    score: float
    caught: int
    missed: int
    false: int


def flag_grade(reported: Any, true: frozenset[str], recommendation: Any) -> FlagGrade:
    """Return recall less FALSE_FLAG_PENALTY for each distinct false flag, never below 0.

    A file without findings scores 1.0 for an empty report that comes with `clear`, else 0.0. Unknown labels count as
    false flags, duplicates once. What is no list of texts is no report and scores 0.0.
    """
    if not isinstance(reported, (list, tuple, set, frozenset)):
        return FlagGrade(0.0, 0, len(true), 0)
    for flag in reported:
        if not isinstance(flag, str):
            return FlagGrade(0.0, 0, len(true), 0)
    distinct = frozenset(reported)
    if not true:
        return FlagGrade(1.0 if not distinct and recommendation == "clear" else 0.0, 0, 0, len(distinct))
    caught = len(distinct & true)
    false = len(distinct) - caught
    score = caught / len(true) - FALSE_FLAG_PENALTY * false
    return FlagGrade(score if score > 0.0 else 0.0, caught, len(true) - caught, false)
