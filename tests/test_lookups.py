"""Look-ups answer the question asked: functions of the argument, complete, the same bytes whatever the truth is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from drawn_files import as_bytes
from hand_made_files import make_file
from hypothesis import given
from hypothesis import strategies as st

from customs_env.env.episode import Episode, resolve_request
from customs_env.env.lookups import duty_rate_schedule, exchange_rates
from customs_env.errors import InputError
from customs_env.goods import families
from customs_env.scenarios.tasks import REQUESTABLE_FIELDS
from customs_env.scenarios.truth import establish_truth
from customs_env.tariff.schedule import load_schedule

HEADINGS = sorted({row.tariff_item[:4] for goods in families().values() for row in goods.rows})
ITEMS = sorted({row.tariff_item for goods in families().values() for row in goods.rows})


def asked(episode: Episode, fields: list[str], code: Any = None) -> dict[str, Any]:
    action: dict[str, Any] = {"step_kind": "request_information", "requested_fields": fields}
    if code is not None:
        action["hs_code"] = code
    return episode.step(action).to_dict()


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_is_answered_complete(heading: str) -> None:
    schedule = load_schedule()
    answer = duty_rate_schedule(heading)
    assert answer["heading"] == heading
    assert [row["subheading"] for row in answer["subheadings"]] == list(schedule.subheadings(heading))
    assert [row["tariff_item"] for row in answer["items"]] == list(schedule.items(heading))
    held = {row["subheading"] for row in answer["subheadings"] if row["items_in_table"]}
    assert {row["tariff_item"][:6] for row in answer["items"]} == held
    assert {item[:6] for item in ITEMS if item.startswith(heading)} <= held, (
        "goods touch a subheading without its items"
    )


@given(st.sampled_from(ITEMS), st.sampled_from([4, 6, 8]))
def test_the_answer_depends_on_the_heading_alone_and_repeats_the_argument(item: str, digits: int) -> None:
    answer, whole = duty_rate_schedule(item[:digits]), duty_rate_schedule(item[:4])
    assert answer.pop("hs_code") == item[:digits]
    assert whole.pop("hs_code") == item[:4]
    assert as_bytes(answer) == as_bytes(whole)


@given(st.sampled_from(ITEMS))
def test_every_spelling_of_a_code_gets_the_same_bytes(item: str) -> None:
    spellings = (f"{item[:4]}.{item[4:6]}.{item[6:]}", f" {item[:4]} {item[4:]} ")
    assert {as_bytes(duty_rate_schedule(text)) for text in spellings} == {as_bytes(duty_rate_schedule(item))}


def test_an_item_that_does_not_exist_gets_its_heading_like_any_other() -> None:
    real, unreal = duty_rate_schedule("40091100"), duty_rate_schedule("40099999")
    assert real["items"] == unreal["items"]
    assert set(real) == set(unreal)


@pytest.mark.parametrize(
    "code", [None, "", "40", "9", "abcd", "400", "40091", 4009, ["4009"], "9999", "0000", "4009" * 20]
)
def test_no_code_or_no_heading_of_the_table_is_an_input_error_that_asks_for_one(code: Any) -> None:
    with pytest.raises(InputError) as caught:
        duty_rate_schedule(code)
    assert caught.value.field == "hs_code"


def test_changing_an_answer_changes_no_later_one() -> None:
    before = as_bytes([duty_rate_schedule("4009"), exchange_rates()])
    for answer in (duty_rate_schedule("4009"), exchange_rates()):
        for value in answer.values():
            if isinstance(value, list):
                value[0].clear()
            elif isinstance(value, dict):
                next(iter(value.values())).clear()
        answer.clear()
    assert as_bytes([duty_rate_schedule("4009"), exchange_rates()]) == before


def test_exchange_rates_are_the_same_for_every_file() -> None:
    answers = set()
    for seed in range(1_000_000, 1_000_010):
        episode = Episode(resolve_request(task_id="task3", seed=seed))
        answers.add(json.dumps(asked(episode, ["exchange_rate"])["revealed_content"]))
    assert len(answers) == 1
    assert exchange_rates()["rates"]["USD"]["per"] == 1


@pytest.mark.parametrize("code", ["4009", "400921", "2915.24.00", "52083990", "99999999", "", None])
@pytest.mark.parametrize(("shown", "really"), [("hose", "dyed"), ("acid", "anhydride"), ("dyed", "grey")])
def test_two_files_that_differ_in_truth_alone_answer_equal_bytes(shown: str, really: str, code: str | None) -> None:
    one, other = make_file(shown), make_file(shown, goods=really)
    assert establish_truth(one).tariff_items != establish_truth(other).tariff_items
    request = resolve_request(task_id="task3", seed=1_000_000)
    episodes = [Episode(request, "e", one), Episode(request, "e", other)]
    assert as_bytes(episodes[0].observation().to_dict()) == as_bytes(episodes[1].observation().to_dict())
    for fields in (["duty_rate_schedule"], list(REQUESTABLE_FIELDS)):
        answers = {as_bytes(asked(episode, fields, code)) for episode in episodes}
        assert len(answers) == 1


def test_the_schedule_holds_no_more_for_the_right_code_than_for_a_wrong_one() -> None:
    for seed in range(1_000_000, 1_000_030):
        episode = Episode(resolve_request(task_id="task3", seed=seed))
        wrong = "4009" if not episode.truth.tariff_items[0].startswith("4009") else "2915"
        first = asked(episode, ["duty_rate_schedule"], wrong)["revealed_content"]["duty_rate_schedule"]
        assert as_bytes(first) == as_bytes(duty_rate_schedule(wrong))
        assert episode.truth.tariff_items[0] not in json.dumps(first)
