"""The oracle: answers from the truth. For tests and the audit only; no agent of a table may use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from customs_env.agents.base import Action, Observation, code_fields, final
from customs_env.env.episode import draw_file, resolve_request
from customs_env.scenarios.truth import Truth, establish_truth


def truth_of(reset: Mapping[str, Any]) -> Truth:
    """Return the right answer of the file that reset arguments name."""
    return establish_truth(draw_file(resolve_request(**reset)))


class OracleAgent:
    """Submit the truth of the file at the first step."""

    name = "oracle"

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    def start(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, observation: Observation) -> Action:
        """Return the right answer as a final submission."""
        truth = self._truth
        answer: dict[str, Any] = {
            **code_fields(list(truth.tariff_items)),
            "flags": sorted(truth.flags),
            "recommendation": truth.recommendation,
        }
        if truth.assessable_value_inr is not None:
            answer["assessable_value_inr"] = float(truth.assessable_value_inr)
        if truth.duty_amount_inr is not None:
            answer["duty_amount_inr"] = float(truth.duty_amount_inr)
        return final(observation, answer)
