"""What an agent sees: the wire's fields, nothing that aliases the inside, nothing of the truth."""

from __future__ import annotations

import json
from typing import Any

import pytest
from drawn_files import LEVELS
from episodes import ASK, FINAL, each_task, right_answer, start

from customs_env.env.episode import Episode, resolve_request
from customs_env.scenarios.policy import RECOMMENDATIONS
from customs_env.scenarios.tasks import TASKS

OBSERVATION_FIELDS = {
    "document_type", "document_content", "task_instruction", "decision_policy", "flag_vocabulary", "episode_id", "shipment_id", "task_id",
    "difficulty", "step_index", "max_steps", "available_fields", "revealed_content", "message", "error", "breakdown",
}  # fmt: skip


def trampled(value: Any) -> None:
    """Spoil everything that can be changed in a JSON value."""
    if isinstance(value, dict):
        for part in value.values():
            trampled(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            trampled(part)
        value.append("spoilt")


@each_task
def test_changing_an_observation_changes_nothing_inside(task: str) -> None:
    actions = [*([ASK] if TASKS[task].requestable else []), {"nonsense": 1}, FINAL[task]]
    plain, spoilt = start(task), start(task)
    trampled(spoilt.observation().to_dict())
    for action in actions:
        expected = plain.step(action).to_dict()
        observation = spoilt.step(action)
        trampled(observation.to_dict())
        assert observation.to_dict() == expected
    trampled(spoilt.observation().to_dict())
    assert start(task).observation().to_dict() == start(task).observation().to_dict()


def test_an_earlier_observation_keeps_what_it_showed() -> None:
    episode = start()
    first = episode.observation()
    kept = first.to_dict()
    second = episode.step(ASK)
    kept_second = second.to_dict()
    episode.step(right_answer(episode))
    assert first.to_dict() == kept
    assert second.to_dict() == kept_second


def test_a_submission_may_be_changed_afterwards_without_effect() -> None:
    episode, answer = start("task2"), {"flags": ["quantity_mismatch"], "recommendation": "hold"}
    shown = episode.step(answer).to_dict()
    answer["flags"].append("x")  # type: ignore[union-attr]
    assert episode.observation("The submission is graded.").to_dict() == shown


@pytest.mark.parametrize(("task", "level"), LEVELS)
def test_the_same_actions_give_the_same_observations(task: str, level: str) -> None:
    actions = [*([ASK] if TASKS[task].requestable else []), {"nonsense": 1}, FINAL[task]]
    runs = []
    for _ in range(2):
        episode = start(task, difficulty=level)
        runs.append(
            json.dumps([episode.observation().to_dict(), *(episode.step(action).to_dict() for action in actions)])
        )
    assert runs[0] == runs[1]


@pytest.mark.parametrize(("task", "level"), LEVELS)
def test_observations_have_the_wires_fields_and_are_plain_json(task: str, level: str) -> None:
    shown = start(task, difficulty=level).observation().to_dict()
    assert set(shown) == OBSERVATION_FIELDS
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert (shown["task_id"], shown["difficulty"], shown["episode_id"]) == (task, level, "episode-1")
    assert (shown["max_steps"], shown["step_index"]) == (TASKS[task].max_steps, 0)
    assert shown["document_type"] == ("invoice" if task == "task1" else "shipment_file")


@pytest.mark.parametrize("seed", [0, 5, 1_000_001, 4_123_456_789])
@each_task
def test_no_truth_and_no_seed_stands_in_an_observation_not_even_at_the_end(task: str, seed: int) -> None:
    episode = start(task, seed)
    answer = FINAL[task]
    seen = [episode.observation().to_dict(), episode.step(answer).to_dict()]
    truth = episode.truth
    keys = {"truth", "tariff_item", "tariff_items", "findings_of", "seed", "answer"}
    for shown in seen:
        text = json.dumps({**shown, "decision_policy": None})
        assert truth.tariff_items[0] not in text
        assert not keys & set(shown)
        if seed > 1000:
            assert str(seed) not in text
        if truth.assessable_value_inr is not None:
            assert f"{truth.assessable_value_inr}" not in text
    assert set(RECOMMENDATIONS) >= {truth.recommendation} - {None}


@pytest.mark.parametrize("reset", [{"canonical": True, "seed": 1}, {"seed": 1_000_001}], ids=str)
def test_what_an_episode_gave_out_can_be_changed_and_changes_no_other(reset: dict[str, Any]) -> None:
    request = resolve_request(task_id="task3", **reset)
    ask = {"step_kind": "request_information", "requested_fields": ["price_reference", "certificate_of_origin"]}
    plain = Episode(request)
    expected = (plain.observation().to_dict(), plain.step(ask).to_dict(), plain.truth)
    other = Episode(request)
    seen = other.step(ask)
    seen.revealed["price_reference"]["lines"][0]["low"] = 12345
    seen.case.papers[0]["seller"]["country"] = "Nowhere"
    seen.shared_dict()["document_content"]["documents"][1]["gross_weight"] = -1
    fresh = Episode(request)
    assert (fresh.observation().to_dict(), fresh.step(ask).to_dict(), fresh.truth) == expected
