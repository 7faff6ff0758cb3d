"""The one rule by which a model's answer is read, however it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.agents.reading_answers import NO_FIELDS, NO_OBJECT, read_answer, read_number

FULL = {"hs_code": "40091100", "flags": ["weight_mismatch_packing_vs_bl"], "recommendation": "query_shipper"}

SPELLINGS = {
    "plain": json.dumps(FULL),
    "fence": f"```json\n{json.dumps(FULL, indent=2)}\n```",
    "prose around": f"Weights {{differ}}, so:\n{json.dumps(FULL)}\nI hope this helps. {{}}",
    "an open brace before": "Notation: { means a set. " + json.dumps(FULL),
    "thoughts first": f'<think>{{"hs_code": "1"}} no...</think>{json.dumps(FULL)}',
    "draft first": f'First idea {{"hs_code": "11111111", "flags": []}}, better: {json.dumps(FULL)}',
    "wrapped": json.dumps({"thought": "x", "action": FULL}),
    "python": str({**FULL, "confidence": None}),
    "trailing comma": json.dumps(FULL)[:-1] + ",}",
    "number for code": json.dumps({**FULL, "hs_code": 40091100}),
    "words for names": json.dumps(
        {"hs_code": " 40091100 ", "flags": "Weight mismatch packing vs BL", "recommendation": "Query Shipper"}
    ),
    "unknown fields": json.dumps({**FULL, "reasoning": "long", "duty_amount_inr": None}),
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_one_answer_in_many_spellings(text: str) -> None:
    assert read_answer(text, FULL["flags"]) == (FULL, None)


@pytest.mark.parametrize(
    ("given_", "number"),
    [
        ("1,23,456.78", 123456.78),
        ("₹ 1 234", 1234.0),
        ("Rs. 5000", 5000.0),
        ("INR 2.5e5", 250000.0),
        ("85%", 0.85),
        (7, 7.0),
        ("about 5", None),
        ("", None),
        (True, None),
        (float("nan"), None),
        ("1e999", None),
        (10**400, None),
        ([1], None),
    ],
)
def test_numbers_are_read_or_left_out(given_: Any, number: float | None) -> None:
    assert read_number(given_) == number


@pytest.mark.parametrize("text", ["", None, "no idea", "{}", "[]", '{"answer": 42}', "{" * 5000, "{" * 500 + "}" * 500])
def test_no_answer_is_an_empty_action_and_says_so(text: str | None) -> None:
    assert read_answer(text) == ({}, NO_FIELDS if text in ("{}", '{"answer": 42}') else NO_OBJECT)


@pytest.mark.parametrize(
    "flags",
    [
        "none",
        "None",
        "",
        "[]",
        "a, b",
        "no such flag",
        0,
        False,
        {},
        {"none": True},
        ["quantity_mismatch", 1],
        [None],
        [[]],
    ],
    ids=str,
)
def test_flags_that_are_no_list_of_texts_are_not_read_as_none(flags: Any) -> None:
    action, note = read_answer(json.dumps({"flags": flags, "recommendation": "clear"}), ["quantity_mismatch"])
    assert action == {"recommendation": "clear"} and note == "not readable in the answer: flags"


def test_flags_are_a_list_of_texts_or_one_flag_of_the_vocabulary() -> None:
    vocabulary = ["quantity_mismatch"]
    for written, read in (
        ([], []),
        (["Quantity mismatch", "other"], ["quantity_mismatch", "other"]),
        (["none"], ["none"]),
        ([""], [""]),
        ("quantity-mismatch", vocabulary),
    ):
        assert read_answer(json.dumps({"flags": written}), vocabulary) == ({"flags": read}, None)


def test_half_a_surrogate_pair_can_be_sent_and_written() -> None:
    action, _ = read_answer('{"hs_code": "4009\\ud800", "flags": ["\\udfff"]}')
    assert action == {"hs_code": "4009\ufffd", "flags": ["\ufffd"]}


@given(st.one_of(st.text(), st.text(alphabet="{}[]\",:\\ 'aflgs0123e_"), st.from_regex(r"\{.*\}")))
def test_any_text_gives_a_plain_action(text: str) -> None:
    action, note = read_answer(text)
    assert (action, note) == read_answer(text)
    json.dumps(action, allow_nan=False, ensure_ascii=False).encode()


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["hs_code", "hs_codes", "flags", "recommendation", "duty_amount_inr"]), JSON))
def test_fields_have_the_wires_types_or_are_left_out(fields: dict[str, Any]) -> None:
    action, _ = read_answer(json.dumps(fields))
    for name, value in action.items():
        if name in ("hs_codes", "flags"):
            assert isinstance(value, list) and all(isinstance(text, str) for text in value)
        elif name == "duty_amount_inr":
            assert isinstance(value, float)
        else:
            assert isinstance(value, str)
