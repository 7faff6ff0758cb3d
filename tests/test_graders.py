"""Graders: total over arbitrary JSON, exact arithmetic, and laws that any change of an answer obeys."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from drawn_files import draw
from hypothesis import given
from hypothesis import strategies as st

from customs_env.graders.amounts import flat_amount_score
from customs_env.graders.flags import FALSE_FLAG_PENALTY, flag_grade
from customs_env.graders.grade import grade
from customs_env.graders.hs_code import hs_code_score
from customs_env.graders.recommendation import recommendation_score
from customs_env.graders.reward import floor_of, reward_of
from customs_env.scenarios.flags import vocabulary
from customs_env.scenarios.policy import RECOMMENDATIONS
from customs_env.scenarios.tasks import TASKS
from customs_env.scenarios.truth import Truth, establish_truth

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True, allow_infinity=True) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FLAGS = vocabulary("task3")
flag_sets = st.frozensets(st.sampled_from(FLAGS), max_size=6)
true_sets = st.frozensets(st.sampled_from(FLAGS), min_size=1, max_size=3)
items = st.from_regex(r"[0-9]{8}", fullmatch=True)
FIELDS = ("hs_code", "hs_codes", "flags", "recommendation", "assessable_value_inr", "duty_amount_inr", "confidence")
submissions = st.dictionaries(
    st.sampled_from(FIELDS), ANY_JSON | st.lists(st.sampled_from(FLAGS)) | st.sampled_from(RECOMMENDATIONS), max_size=7
)

TRUTHS = {task: [draw(task, seed).truth for seed in range(40)] for task in TASKS}


def perfect(task: str, truth: Truth) -> dict[str, Any]:
    """Return the answer that is right in every field of the task."""
    answer: dict[str, Any] = {}
    for field in TASKS[task].required:
        if field == "hs_code":
            answer[field] = truth.tariff_items[0]
        elif field == "flags":
            answer[field] = sorted(truth.flags)
        elif field == "recommendation":
            answer[field] = truth.recommendation
        else:
            answer[field] = float(getattr(truth, field))
    return answer


# -- total, finite, deterministic -------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(TASKS)), st.integers(0, 39), submissions)
def test_any_submission_has_one_finite_grade_in_range(task: str, number: int, submission: dict[str, Any]) -> None:
    truth = TRUTHS[task][number]
    first, second = grade(task, submission, truth), grade(task, submission, truth)
    assert first == second
    assert math.isfinite(first.raw)
    assert 0.0 <= first.raw <= 1.0
    assert set(first.components) == set(TASKS[task].weights)
    assert all(0.0 <= score <= 1.0 for score in first.components.values())
    json.dumps(first.breakdown(), allow_nan=False)


@given(ANY_JSON, true_sets, ANY_JSON)
def test_any_flags_and_any_recommendation_are_graded(reported: Any, true: frozenset[str], recommendation: Any) -> None:
    result = flag_grade(reported, true, recommendation)
    assert 0.0 <= result.score <= 1.0
    assert result.caught + result.missed == len(true)
    assert result.false >= 0
    assert recommendation_score(recommendation, "hold") in (0.0, 1.0)


@given(ANY_JSON | st.integers(min_value=10**300, max_value=10**320), st.integers(min_value=0, max_value=10**14))
def test_any_amount_and_any_code_is_graded(submitted: Any, true_paise: int) -> None:
    assert flat_amount_score(submitted, true_paise) in (0.0, 1.0)
    assert hs_code_score(submitted, "40091100") in (0.0, 0.5, 1.0)


@given(st.text(max_size=60))
def test_a_text_of_any_signs_is_no_code_unless_it_is_spelt_like_one(text: str) -> None:
    if hs_code_score(text, "40091100"):
        assert sum(map(str.isdigit, text)) == 8


# -- exact arithmetic (DESIGN section 3) ------------------------------------------------------------------------------


def test_tariff_item_pays_1_for_the_item_half_for_the_heading_else_0() -> None:
    for code, credit in {
        "40091100": 1.0, "4009.11.00": 1.0, "4009 11 00": 1.0, " 40091100 ": 1.0, "４００９１１００": 1.0, "40092100": 0.5, "40099999": 0.5,
        "40101100": 0.0, "400911": 0.0, "4009": 0.0, "4009110": 0.0, "400911000": 0.0, "4009-11-00": 0.0, "4009..1100": 0.0, "": 0.0,
        "abcdefgh": 0.0,
    }.items():  # fmt: skip
        assert hs_code_score(code, "40091100") == credit, code
    assert hs_code_score(40091100, "40091100") == 0.0


@given(true_sets, flag_sets, st.sampled_from(RECOMMENDATIONS))
def test_flags_score_recall_less_015_for_each_false_flag(
    true: frozenset[str], said: frozenset[str], recommendation: str
) -> None:
    result = flag_grade(sorted(said), true, recommendation)
    caught, false = len(said & true), len(said - true)
    assert (result.caught, result.missed, result.false) == (caught, len(true) - caught, false)
    assert result.score == pytest.approx(max(0.0, caught / len(true) - 0.15 * false), abs=1e-12)
    assert FALSE_FLAG_PENALTY == 0.15


def test_a_clean_file_pays_an_empty_report_with_clear_alone() -> None:
    nothing: frozenset[str] = frozenset()
    assert flag_grade([], nothing, "clear").score == 1.0
    for recommendation in (*RECOMMENDATIONS[:3], None, "CLEAR", ["clear"]):
        assert flag_grade([], nothing, recommendation).score == 0.0
    assert flag_grade([FLAGS[0]], nothing, "clear").score == 0.0
    assert flag_grade(None, nothing, "clear").score == 0.0


def test_amounts_are_full_within_five_percent_and_nothing_beyond() -> None:
    for submitted, credit in {100.0: 1.0, 95.0: 1.0, 105.0: 1.0, 94.99: 0.0, 105.01: 0.0, 0: 0.0, 1e300: 0.0}.items():
        assert flat_amount_score(submitted, 100_00) == credit, submitted
    # At exactly five per cent, whatever the floats of it are.
    assert flat_amount_score(1_315_771.47, 138_502_260) == 1.0
    for paise in (100, 999_980, 138_502_260, 10**13):
        for share in (95, 105):
            assert flat_amount_score(paise * share / 100 / 100, paise) == 1.0, (paise, share)
        assert flat_amount_score((paise * 105 // 100 + 1) / 100, paise) == 0.0
    assert flat_amount_score(0, 0) == 1.0
    assert flat_amount_score(0.01, 0) == 0.0
    for wrong in (True, "100", None, [100], math.nan, math.inf, -math.inf):
        assert flat_amount_score(wrong, 100_00) == 0.0


@pytest.mark.parametrize("task", TASKS)
def test_weights_are_those_of_the_design_and_add_up_to_1(task: str) -> None:
    expected = {
        "task1": {"hs_code": 1.0},
        "task2": {"flags": 0.8, "recommendation": 0.2},
        "task3": {
            "hs_code": 0.3, "flags": 0.3, "recommendation": 0.2, "assessable_value_inr": 0.1, "duty_amount_inr": 0.1,
        },
    }  # fmt: skip
    assert dict(TASKS[task].weights) == expected[task]
    assert math.fsum(TASKS[task].weights.values()) == pytest.approx(1.0)


@given(st.sampled_from(sorted(TASKS)), st.integers(0, 39), submissions)
def test_raw_is_the_weighted_sum_of_the_components(task: str, number: int, submission: dict[str, Any]) -> None:
    result = grade(task, submission, TRUTHS[task][number])
    expected = sum(weight * result.components[name] for name, weight in TASKS[task].weights.items())
    assert result.raw == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_the_right_answer_scores_exactly_1_and_pays_09(task: str) -> None:
    for truth in TRUTHS[task]:
        raw = grade(task, perfect(task, truth), truth).raw
        assert raw == pytest.approx(1.0, abs=1e-12)
        assert reward_of(raw) == 0.9
        assert reward_of(raw, "raw") == 1.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_reward_is_01_plus_08_raw_less_cost_within_01_and_09(raw: float, cost: float) -> None:
    assert reward_of(raw, "bounded", cost) == pytest.approx(max(0.1, 0.1 + 0.8 * raw - cost), abs=5.1e-5)
    assert 0.1 <= reward_of(raw, "bounded", cost) <= 0.9
    assert 0.0 <= reward_of(raw, "raw", cost) <= 1.0
    assert reward_of(raw) == round(reward_of(raw), 4)
    assert (floor_of("bounded"), floor_of("raw")) == (0.1, 0.0)


def test_rewards_by_hand() -> None:
    truth = Truth(("40091100",), (), frozenset(FLAGS[:2]), "hold", 1000_00, 100_00)
    answer = {
        "hs_code": "40092100", "flags": [FLAGS[0], FLAGS[0], "no_such_flag"], "recommendation": "hold",
        "assessable_value_inr": 1049, "duty_amount_inr": 90,
    }  # fmt: skip
    # 0.30 x 0.5 + 0.30 x (1/2 - 0.15) + 0.20 + 0.10 + 0 = 0.555
    assert grade("task3", answer, truth).raw == pytest.approx(0.555, abs=1e-12)
    assert reward_of(grade("task3", answer, truth).raw) == 0.544
    # 0.8 x 0.35 + 0.2 = 0.48
    assert reward_of(grade("task2", answer, truth).raw) == 0.484


# -- laws of change -----------------------------------------------------------------------------------------------------


@given(true_sets, flag_sets)
def test_one_more_true_flag_never_lowers_and_one_more_false_flag_never_raises(
    true: frozenset[str], said: frozenset[str]
) -> None:
    before = flag_grade(sorted(said), true, "hold").score
    for flag in FLAGS:
        after = flag_grade(sorted(said | {flag}), true, "hold").score
        assert after >= before if flag in true else after <= before


@given(st.lists(st.sampled_from(FLAGS), max_size=8), true_sets, st.randoms(use_true_random=False))
def test_order_and_repetition_of_flags_change_nothing(said: list[str], true: frozenset[str], random: Any) -> None:
    shuffled = said + said
    random.shuffle(shuffled)
    assert flag_grade(shuffled, true, "hold") == flag_grade(said, true, "hold")


@given(st.text(min_size=1, max_size=12), true_sets)
def test_an_unknown_label_is_a_false_flag(label: str, true: frozenset[str]) -> None:
    if label not in true:
        assert flag_grade([*true, label], true, "hold").false == 1
        assert flag_grade([*true, label], true, "hold").score == pytest.approx(0.85)


@given(items, items)
def test_credit_for_codes_is_symmetric_and_blind_to_spelling(one: str, other: str) -> None:
    assert hs_code_score(one, other) == hs_code_score(other, one)
    assert hs_code_score(f"{one[:4]}.{one[4:6]}.{one[6:]}", other) == hs_code_score(one, other)


@given(
    st.sampled_from(sorted(TASKS)),
    st.integers(0, 39),
    submissions,
    st.dictionaries(st.text(max_size=5), ANY_JSON, max_size=3),
)
def test_fields_that_the_task_does_not_grade_change_nothing(
    task: str, number: int, submission: dict[str, Any], more: dict[str, Any]
) -> None:
    truth = TRUTHS[task][number]
    graded = {field: value for field, value in submission.items() if field in TASKS[task].required}
    extra = {key: value for key, value in more.items() if key not in FIELDS}
    assert grade(task, {**graded, **extra, "confidence": 1.0}, truth) == grade(task, graded, truth)


@pytest.mark.parametrize("task", TASKS)
def test_mending_any_one_field_of_a_wrong_answer_never_lowers_the_grade(task: str) -> None:
    for truth in TRUTHS[task]:
        right = perfect(task, truth)
        wrong = {
            "hs_code": "99999999", "flags": ["no_such_flag"], "recommendation": "none", "assessable_value_inr": 1e15,
            "duty_amount_inr": 1e15,
        }  # fmt: skip
        answer = {field: wrong[field] for field in right}
        last = grade(task, answer, truth).raw
        for field, value in right.items():
            answer[field] = value
            now = grade(task, answer, truth).raw
            assert now >= last
            last = now


@pytest.mark.parametrize("task", TASKS)
def test_the_breakdown_has_scores_and_counts_and_no_answer(task: str) -> None:
    for truth in TRUTHS[task]:
        answer = {**perfect(task, truth), "flags": [], "recommendation": "none", "hs_code": "99999999"}
        text = json.dumps(grade(task, answer, truth).breakdown())
        assert truth.tariff_items[0] not in text
        assert not [flag for flag in FLAGS if flag in text]
        assert str(truth.recommendation) not in text
        if truth.assessable_value_inr is not None:
            assert str(truth.assessable_value_inr) not in text


def test_grading_does_not_change_the_submission_or_the_truth() -> None:
    drawn = draw("task3", 3)
    submission = {**perfect("task3", drawn.truth), "flags": sorted(drawn.truth.flags)}
    kept = json.dumps(submission)
    grade("task3", submission, drawn.truth)
    assert json.dumps(submission) == kept
    assert establish_truth(drawn.file) == drawn.truth
