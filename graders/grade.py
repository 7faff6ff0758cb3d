"""The grade of a submission: components, raw score, breakdown.

Pure and total: any JSON in, a finite score in [0, 1] out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from customs_env.graders.amounts import flat_amount_score
from customs_env.graders.flags import FlagGrade, flag_grade
from customs_env.graders.hs_code import hs_code_score
from customs_env.graders.recommendation import recommendation_score
from customs_env.scenarios.tasks import TASKS
from customs_env.scenarios.truth import Truth


class Grade(NamedTuple):
    """Raw score in [0, 1], the component scores behind it, and the counts of flags where the task has flags."""

    raw: float
    components: Mapping[str, float]
    flags: FlagGrade | None

    def breakdown(self) -> dict[str, Any]:
        """Return what an agent may learn after the end: component scores and counts, never the answer."""
        shown: dict[str, Any] = {"raw_score": round(self.raw, 6), "components": dict(self.components)}
        if self.flags is not None:
            shown["flags"] = {"caught": self.flags.caught, "missed": self.flags.missed, "false": self.flags.false}
        return shown


def grade(task_id: str, submission: Mapping[str, Any], truth: Truth) -> Grade:
    """Return the grade of a final submission (its wire fields) for a file whose truth is `truth`."""
    components: dict[str, float] = {}
    flags: FlagGrade | None = None
    weights = TASKS[task_id].weights
    if "hs_code" in weights:
        components["hs_code"] = hs_code_score(submission.get("hs_code"), truth.tariff_items[0])
    if "flags" in weights:
        recommendation = submission.get("recommendation")
        flags = flag_grade(submission.get("flags"), truth.flags, recommendation)
        components["flags"] = flags.score
        components["recommendation"] = recommendation_score(recommendation, truth.recommendation or "")
    if "assessable_value_inr" in weights:
        components["assessable_value_inr"] = flat_amount_score(
            submission.get("assessable_value_inr"), truth.assessable_value_paise or 0
        )
        components["duty_amount_inr"] = flat_amount_score(
            submission.get("duty_amount_inr"), truth.duty_amount_paise or 0
        )
    raw = 0.0
    for name, weight in weights.items():
        raw += weight * components[name]
    return Grade(raw if raw < 1.0 else 1.0, components, flags)
