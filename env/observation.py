"""What an agent sees after a reset or a step. The papers are laid out from the case when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from customs_env.graders.grade import Grade
from customs_env.scenarios.case import Case
from customs_env.scenarios.flags import vocabulary
from customs_env.scenarios.policy_text import decision_policy
from customs_env.scenarios.tasks import Task


class Outcome(NamedTuple):
    """How an episode ended: graded, or `ended_by` "rejections" or "steps" without an answer."""

    grade: Grade | None
    ended_by: str
    cost: float
    reward: float

    def breakdown(self) -> dict[str, Any]:
        """Return what an agent may learn of it: component scores and counts, never the answer."""
        if self.grade is None:
            return {"raw_score": 0.0, "components": {}, "ended_by": self.ended_by, "reward": self.reward}
        return {**self.grade.breakdown(), "request_cost": round(self.cost, 6), "reward": self.reward}


class Observation(NamedTuple):
    """One observation. `to_dict` gives the wire's fields; `reward` and `done` (and its two halves) stand beside."""

    case: Case
    task: Task
    episode_id: str
    step_index: int
    revealed: Mapping[str, Any]
    message: str
    error: Mapping[str, str] | None
    outcome: Outcome | None
    reward: float
    terminated: bool
    truncated: bool

    @property
    def breakdown(self) -> dict[str, Any] | None:
        """What the agent may learn of its score, None before the end."""
        return None if self.outcome is None else self.outcome.breakdown()

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated

    def to_dict(self) -> dict[str, Any]:
        """Return the observation as JSON objects of its own: a caller may change them and changes nothing else."""
        return deepcopy(self.shared_dict())

    def shared_dict(self) -> dict[str, Any]:
        """Return the same as `to_dict` without the copy, for those who only read or write it out."""
        case, task = self.case, self.task
        content: Any = case.papers[0] if task.task_id == "task1" else {"documents": list(case.papers)}
        return {
            "document_type": task.document_type,
            "document_content": content,
            "task_instruction": task.instruction,
            "decision_policy": decision_policy(case),
            "flag_vocabulary": list(vocabulary(task.task_id)),
            "episode_id": self.episode_id,
            "shipment_id": case.shipment_id,
            "task_id": task.task_id,
            "difficulty": case.difficulty,
            "step_index": self.step_index,
            "max_steps": task.max_steps,
            "available_fields": list(task.requestable),
            "revealed_content": dict(self.revealed),
            "message": self.message,
            "error": self.error,
            "breakdown": self.breakdown,
        }
