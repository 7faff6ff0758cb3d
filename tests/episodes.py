"""Episodes for tests: a start, actions that are valid, the right answer."""

from __future__ import annotations

from typing import Any

import pytest

from customs_env.env.episode import Episode, resolve_request
from customs_env.scenarios.tasks import TASKS

FINAL: dict[str, dict[str, Any]] = {
    "task1": {"hs_code": "40091100"},
    "task2": {"flags": [], "recommendation": "clear"},
    "task3": {
        "hs_code": "40091100", "flags": [], "recommendation": "clear", "assessable_value_inr": 1, "duty_amount_inr": 1.5,
    },
}  # fmt: skip
ASK = {"step_kind": "request_information", "requested_fields": ["certificate_of_origin"]}
REVIEW = {"step_kind": "initial_review"}

each_task = pytest.mark.parametrize("task", TASKS)


def start(task: str = "task3", seed: int = 1_000_001, **more: Any) -> Episode:
    return Episode(resolve_request(task_id=task, seed=seed, **more), "episode-1")


def right_answer(episode: Episode) -> dict[str, Any]:
    truth = episode.truth
    answer: dict[str, Any] = {
        "hs_code": truth.tariff_items[0],
        "flags": sorted(truth.flags),
        "recommendation": truth.recommendation,
    }
    if truth.assessable_value_inr is not None and truth.duty_amount_inr is not None:
        answer |= {
            "assessable_value_inr": float(truth.assessable_value_inr),
            "duty_amount_inr": float(truth.duty_amount_inr),
        }
    return {field: answer[field] for field in episode.request.task.required}
