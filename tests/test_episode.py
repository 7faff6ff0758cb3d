"""The episode: every row of the state table, every kind of invalid action, what is paid."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from episodes import ASK, FINAL, REVIEW, each_task, right_answer, start

from customs_env.env.actions import check_action
from customs_env.env.episode import MAX_REJECTIONS, Episode
from customs_env.errors import InputError, ProtocolError
from customs_env.scenarios.tasks import REQUESTABLE_FIELDS, TASKS


def state(episode: Episode) -> tuple[Any, ...]:
    return (
        episode.step_index, episode.done, episode.reward, episode.rejections, episode.breakdown, json.dumps(episode.observation().to_dict()),
    )  # fmt: skip


# -- the state table ----------------------------------------------------------------------------------------------------


def test_request_information_reveals_pays_nothing_and_uses_a_step() -> None:
    episode = start()
    observation = episode.step(ASK)
    shown = observation.to_dict()
    assert set(shown["revealed_content"]) == {"certificate_of_origin"}
    assert (observation.reward, observation.done, shown["step_index"], shown["error"]) == (0.0, False, 1, None)


def test_initial_review_is_recorded_pays_nothing_and_uses_a_step() -> None:
    observation = start().step({**REVIEW, "hs_code": "40091100"})
    shown = observation.to_dict()
    assert (observation.reward, observation.done, shown["step_index"], shown["revealed_content"]) == (0.0, False, 1, {})


@each_task
def test_a_final_submission_is_graded_and_ends(task: str) -> None:
    observation = start(task).step(FINAL[task])
    assert (observation.done, observation.terminated, observation.truncated) == (True, True, False)
    assert 0.1 <= observation.reward <= 0.9
    assert set(observation.to_dict()["breakdown"]["components"]) == set(TASKS[task].weights)


@each_task
def test_step_kind_defaults_to_the_final_submission(task: str) -> None:
    plain = start(task).step(FINAL[task])
    said = start(task).step({**FINAL[task], "step_kind": "final_submission"})
    null = start(task).step({**FINAL[task], "step_kind": None, "confidence": None})
    assert plain.to_dict() == said.to_dict() == null.to_dict()


@pytest.mark.parametrize(("task", "waste"), [*((task, REVIEW) for task in TASKS), ("task3", ASK)])
def test_the_last_step_without_submission_truncates_at_the_floor(task: str, waste: dict[str, Any]) -> None:
    episode = start(task)
    for number in range(TASKS[task].max_steps):
        assert not episode.done, number
        observation = episode.step(waste)
    assert (observation.terminated, observation.truncated, observation.reward) == (False, True, 0.1)
    assert observation.to_dict()["breakdown"]["ended_by"] == "steps"


def test_a_submission_on_the_last_step_counts() -> None:
    episode = start()
    episode.step(ASK)
    episode.step(REVIEW)
    observation = episode.step(right_answer(episode))
    assert (observation.reward, observation.terminated) == (0.9, True)


@each_task
def test_an_invalid_action_uses_no_step_and_changes_nothing_else(task: str) -> None:
    episode = start(task)
    before = episode.observation().to_dict()
    observation = episode.step({**FINAL[task], "nonsense": 1})
    after = observation.to_dict()
    assert (observation.reward, observation.done) == (0.0, False)
    assert set(after["error"]) == {"code", "field", "expected", "got"}
    assert after["message"] != before["message"]
    for changed in ("error", "message"):
        before.pop(changed)
        after.pop(changed)
    assert before == after


@each_task
def test_the_eighth_rejection_truncates_at_the_floor(task: str) -> None:
    assert MAX_REJECTIONS == 8
    episode = start(task)
    for number in range(1, 9):
        observation = episode.step({"nonsense": number})
        assert observation.done == (number == 8)
    assert (observation.terminated, observation.truncated, observation.reward) == (False, True, 0.1)
    assert observation.to_dict()["error"]
    with pytest.raises(ProtocolError):
        episode.step(FINAL[task])


def test_seven_rejections_cost_nothing() -> None:
    episode = start()
    for _ in range(7):
        episode.step({})
    assert episode.step(right_answer(episode)).reward == 0.9


@each_task
@pytest.mark.parametrize("action", ["final", ASK, {"nonsense": 1}, None], ids=["final", "request", "invalid", "none"])
def test_a_step_after_the_end_is_a_protocol_error_and_changes_nothing(task: str, action: Any) -> None:
    episode = start(task)
    episode.step(FINAL[task])
    before = state(episode)
    with pytest.raises(ProtocolError):
        episode.step(FINAL[task] if action == "final" else action)
    assert state(episode) == before


# -- requests -------------------------------------------------------------------------------------------------------------


def test_every_field_can_be_requested_at_once_and_answers_stay() -> None:
    episode = start()
    every = {"step_kind": "request_information", "requested_fields": list(REQUESTABLE_FIELDS), "hs_code": "4009"}
    first = episode.step(every).to_dict()["revealed_content"]
    assert set(first) == set(REQUESTABLE_FIELDS)
    assert episode.step(REVIEW).to_dict()["revealed_content"] == first


def test_a_field_asked_twice_in_one_request_counts_once() -> None:
    episode = start(request_cost=0.05)
    episode.step({**ASK, "requested_fields": ["certificate_of_origin"] * 3})
    assert episode.step(right_answer(episode)).reward == pytest.approx(0.85)


@pytest.mark.parametrize(("fields", "cost", "paid"), [(1, 0.05, 0.85), (4, 0.1, 0.5), (4, 1.0, 0.1)])
def test_each_request_costs_at_the_end_never_below_the_floor(fields: int, cost: float, paid: float) -> None:
    episode = start(request_cost=cost)
    names = [name for name in REQUESTABLE_FIELDS if name != "duty_rate_schedule"][:fields]
    assert episode.step({**ASK, "requested_fields": names}).reward == 0.0
    observation = episode.step(right_answer(episode))
    assert observation.reward == pytest.approx(paid)
    assert observation.to_dict()["breakdown"]["request_cost"] == pytest.approx(cost * fields)


def test_a_request_that_is_rejected_reveals_nothing_and_costs_nothing() -> None:
    episode = start(request_cost=0.2)
    asked = {"step_kind": "request_information", "requested_fields": ["certificate_of_origin", "duty_rate_schedule"]}
    for code in (None, "", "40", "abcd", "9999"):
        shown = episode.step({**asked, "hs_code": code}).to_dict()
        assert shown["error"]["field"] == "hs_code"
        assert (shown["revealed_content"], shown["step_index"]) == ({}, 0)
    assert episode.step(right_answer(episode)).reward == 0.9


def test_the_raw_scale_pays_from_0_to_1() -> None:
    episode = start(reward_scale="raw")
    assert episode.step(right_answer(episode)).reward == 1.0
    truncated = start("task1", reward_scale="raw")
    assert truncated.step(REVIEW).reward == 0.0


# -- invalid actions --------------------------------------------------------------------------------------------------------

LONG, DEEP = "x" * 201, [["x"]]
#: field -> values that no task accepts, with the code of the error.
WRONG: list[tuple[str, Any, str]] = [
    ("step_kind", "submit", "unknown_value"), ("step_kind", 3, "unknown_value"), ("step_kind", ["final_submission"], "unknown_value"),
    ("hs_code", 40091100, "wrong_type"), ("hs_code", True, "wrong_type"), ("hs_code", ["40091100"], "wrong_type"), ("hs_code", LONG, "too_long"),
    ("hs_codes", "40091100", "wrong_type"), ("hs_codes", [40091100], "wrong_type"), ("hs_codes", {"0": "x"}, "wrong_type"),
    ("hs_codes", ["1"] * 65, "too_many"), ("hs_codes", [LONG], "too_long"),
    ("flags", "quantity_mismatch", "wrong_type"), ("flags", {"a": 1}, "wrong_type"), ("flags", [1], "wrong_type"), ("flags", [None], "wrong_type"),
    ("flags", DEEP, "wrong_type"), ("flags", ["f"] * 65, "too_many"), ("flags", [LONG], "too_long"), ("flags", 0, "wrong_type"),
    ("recommendation", "Clear", "unknown_value"), ("recommendation", "", "unknown_value"), ("recommendation", 1, "unknown_value"),
    ("recommendation", ["clear"], "unknown_value"), ("recommendation", {}, "unknown_value"),
    ("confidence", 1.01, "out_of_range"), ("confidence", -0.1, "out_of_range"), ("confidence", "0.5", "wrong_type"),
    ("confidence", True, "wrong_type"), ("confidence", math.nan, "not_finite"),
    ("assessable_value_inr", "123", "wrong_type"), ("assessable_value_inr", -1, "out_of_range"), ("assessable_value_inr", math.inf, "not_finite"),
    ("assessable_value_inr", math.nan, "not_finite"), ("assessable_value_inr", 1e300, "out_of_range"), ("assessable_value_inr", False, "wrong_type"),
    ("assessable_value_inr", 10**5000, "out_of_range"),
    ("duty_amount_inr", [1], "wrong_type"), ("duty_amount_inr", -0.01, "out_of_range"), ("duty_amount_inr", -math.inf, "not_finite"),
    ("requested_fields", "exchange_rate", "wrong_type"), ("requested_fields", [1], "wrong_type"), ("requested_fields", {"a": 1}, "wrong_type"),
    ("requested_fields", 0, "wrong_type"), ("requested_fields", {}, "wrong_type"), ("requested_fields", False, "wrong_type"),
    ("requested_fields", ["x"] * 65, "too_many"),
    ("task_id", "task9", "other_task"), ("task_id", 1, "wrong_type"),
    ("nonsense", None, "unknown_field"), ("HS_CODE", "40091100", "unknown_field"), ("x" * 5000, 1, "unknown_field"),
]  # fmt: skip


@each_task
@pytest.mark.parametrize(
    ("field", "value", "code"),
    WRONG,
    ids=lambda value: repr(value)[:30] if not isinstance(value, int) else type(value).__name__,
)
def test_a_wrong_field_is_rejected_by_name_and_never_echoed_at_length(
    task: str, field: str, value: Any, code: str
) -> None:
    episode = start(task)
    observation = episode.step({**FINAL[task], field: value})
    assert episode.rejections == 1
    error = observation.to_dict()["error"]
    assert error["code"] == code
    assert error["field"].split("[")[0] == field[:100]
    assert all(len(part) <= 300 for part in error.values())
    assert len(error["got"]) <= 100
    assert episode.step_index == 0


@each_task
@pytest.mark.parametrize("action", [None, [], "final_submission", 7, True, [FINAL["task3"]]], ids=repr)
def test_what_is_no_object_is_rejected(task: str, action: Any) -> None:
    shown = start(task).step(action).to_dict()
    assert (shown["error"]["code"], shown["error"]["field"]) == ("wrong_type", "action")


@each_task
def test_a_final_submission_that_lacks_a_graded_field_is_rejected_not_graded(task: str) -> None:
    for field in TASKS[task].required:
        for gap in ({}, {field: None}):
            action = {name: value for name, value in FINAL[task].items() if name != field} | gap
            shown = start(task).step(action).to_dict()
            assert (shown["error"]["code"], shown["error"]["field"], shown["breakdown"]) == (
                "missing_field",
                field,
                None,
            )


@pytest.mark.parametrize("task", ["task1", "task3"])
def test_one_code_may_come_as_a_list_of_one(task: str) -> None:
    episode = start(task)
    answer = right_answer(episode)
    answer["hs_codes"] = [answer.pop("hs_code")]
    assert episode.step(answer).reward == 0.9
    answer["hs_codes"] *= 2
    assert start(task).step(answer).to_dict()["error"]["field"] == "hs_codes"


def test_another_tasks_id_is_rejected_and_ones_own_in_both_names_accepted() -> None:
    assert start("task2").step({**FINAL["task2"], "task_id": "task3"}).to_dict()["error"]["code"] == "other_task"
    for name in ("task2", "document_validation"):
        assert start("task2").step({**FINAL["task2"], "task_id": name}).done


@pytest.mark.parametrize("task", ["task1", "task2"])
def test_a_task_of_one_step_has_nothing_to_request(task: str) -> None:
    assert start(task).step(ASK).to_dict()["error"]["code"] == "not_offered"


@pytest.mark.parametrize("fields", [None, [], ["nonsense"], ["exchange_rate", "truth"], "exchange_rate", [3], 0])
def test_a_request_names_known_fields(fields: Any) -> None:
    error = start().step({"step_kind": "request_information", "requested_fields": fields}).to_dict()["error"]
    assert error["field"].startswith("requested_fields")


def test_a_code_that_does_not_exist_is_graded_not_rejected() -> None:
    for code in ("99999999", "00000000", "not a code", ""):
        assert start("task1").step({"hs_code": code}).reward == 0.1


def test_unknown_flags_are_graded_as_false_not_rejected() -> None:
    observation = start("task2").step({"flags": ["no_such_flag", ""], "recommendation": "hold"})
    assert observation.to_dict()["breakdown"]["flags"]["false"] == 2


def test_the_hosts_metadata_is_ignored() -> None:
    assert start("task2").step({**FINAL["task2"], "metadata": {"a": [1]}}).done


def test_checking_an_action_names_the_field_in_an_input_error() -> None:
    with pytest.raises(InputError, match="confidence"):
        check_action({**FINAL["task1"], "confidence": 2}, TASKS["task1"])
