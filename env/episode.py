"""The episode: one shipment file from reset to the end. DESIGN section 8 has the state table.

Pays 0.0 on every step but the last, so that the sum, the last and the maximum of the rewards are one figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from customs_env.env.actions import check_action
from customs_env.env.lookups import duty_rate_schedule, exchange_rates
from customs_env.env.observation import Observation, Outcome
from customs_env.env.reset import ResetRequest, draw_file, resolve_request
from customs_env.errors import InputError, ProtocolError
from customs_env.graders.grade import grade
from customs_env.graders.reward import floor_of, reward_of
from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.truth import Truth, establish_truth
from customs_env.tariff.loaded import lookup_schedule

__all__ = ["Episode", "Observation", "ResetRequest", "draw_file", "resolve_request"]

#: So many rejected actions end the episode at the floor.
MAX_REJECTIONS = 8


class Episode:
    """One file being worked. Not safe for use by two threads at once; the server orders its calls."""

    __slots__ = (
        "_file", "_outcome", "_schedule", "_truth", "episode_id", "rejections", "request", "requests_made", "revealed",
        "reward", "score_raw", "step_index", "submission", "terminated", "truncated",
    )  # fmt: skip

    def __init__(self, request: ResetRequest, episode_id: str = "", file: ShipmentFile | None = None) -> None:
        self.request = request
        self.episode_id = episode_id
        self._file = file if file is not None else draw_file(request)
        self._truth: Truth | None = None
        self._schedule = lookup_schedule()  # the one of the reset, whatever the environment says later
        self.step_index = 0
        self.rejections = 0
        self.requests_made = 0
        self.revealed: dict[str, Any] = {}
        self._outcome: Outcome | None = None
        self.score_raw: float | None = None
        self.submission: dict[str, Any] | None = None
        self.reward = 0.0
        self.terminated = False
        self.truncated = False

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated

    @property
    def file(self) -> ShipmentFile:
        """The file; for operators and graders, as it holds what the goods really are."""
        return self._file

    @property
    def truth(self) -> Truth:
        """The right answer, computed once when it is first asked for; never part of an observation."""
        if self._truth is None:
            self._truth = establish_truth(self._file)
        return self._truth

    @property
    def breakdown(self) -> dict[str, Any] | None:
        """What the agent may learn of its score, None before the end."""
        return None if self._outcome is None else self._outcome.breakdown()

    def observation(self, message: str = "", error: Mapping[str, str] | None = None) -> Observation:
        """Return what the agent sees now."""
        done = self.terminated or self.truncated
        return Observation(
            self._file.case,
            self.request.task,
            self.episode_id,
            self.step_index,
            self.revealed,
            message or ("The episode is over." if done else "The file is open."),
            error,
            self._outcome,
            self.reward if done else 0.0,
            self.terminated,
            self.truncated,
        )

    def step(self, action: Any) -> Observation:
        """Apply an action and return the observation after it.

        An invalid action is rejected: the observation says which field, what was expected and what came, no step is
        used. The eighth rejection truncates the episode at the floor.

        Raises:
            ProtocolError: the episode is over; nothing changes and nothing is paid.
        """
        if self.terminated or self.truncated:
            raise ProtocolError("the episode is over: reset starts another")
        try:
            kind = check_action(action, self.request.task)
            if kind == "request_information":
                return self._request(action)
        except InputError as fault:
            return self.reject(fault)
        if kind == "final_submission":
            return self._submit(action)
        return self._use_step("The initial review is recorded.")

    def reject(self, fault: InputError) -> Observation:
        """Count an action that breaks the contract; no step is used."""
        self.rejections += 1
        if self.rejections >= MAX_REJECTIONS:
            self._truncate("rejections")
            return self.observation(f"{MAX_REJECTIONS} actions were rejected: the episode ends.", fault.to_dict())
        left = MAX_REJECTIONS - self.rejections
        return self.observation(
            f"The action was rejected, no step was used; {left} more rejections end the episode.", fault.to_dict()
        )

    def _request(self, action: Mapping[str, Any]) -> Observation:
        fields = list(dict.fromkeys(action["requested_fields"]))
        answers = self._file.case.answers
        found: dict[str, Any] = {}
        for field in fields:
            if field == "duty_rate_schedule":
                found[field] = duty_rate_schedule(action.get("hs_code"), self._schedule)
            elif field == "exchange_rate":
                found[field] = exchange_rates()
            else:
                found[field] = deepcopy(answers[field])  # whoever changes it changes no later observation
        # A new mapping, so that observations given out before keep what they showed.
        self.revealed = {**self.revealed, **found}
        self.requests_made += len(fields)
        return self._use_step(f"Answered: {', '.join(fields)}.")

    def _use_step(self, message: str) -> Observation:
        self.step_index += 1
        if self.step_index >= self.request.task.max_steps:
            self._truncate("steps")
            return self.observation(f"{message} No step is left and nothing was submitted: the episode ends.")
        return self.observation(message)

    def _submit(self, action: Mapping[str, Any]) -> Observation:
        submission = {**action}
        if None in submission.values():
            submission = {field: value for field, value in submission.items() if value is not None}
        if "hs_code" not in submission and submission.get("hs_codes"):
            submission["hs_code"] = submission["hs_codes"][0]
        result = grade(self.request.task.task_id, submission, self.truth)
        cost = self.request.request_cost * self.requests_made
        self.step_index += 1
        self.submission = submission
        self.score_raw = result.raw
        self.reward = reward_of(result.raw, self.request.reward_scale, cost)
        self._outcome = Outcome(result, "", cost, self.reward)
        self.terminated = True
        return self.observation("The submission is graded.")

    def _truncate(self, why: str) -> None:
        self.truncated = True
        self.score_raw = 0.0
        self.reward = floor_of(self.request.reward_scale)
        self._outcome = Outcome(None, why, 0.0, self.reward)
