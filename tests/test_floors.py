"""What pays and what does not: the right answer scores the maximum, null, junk, spam and constant answers stay at the floor."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from drawn_files import FLAG_LEVELS, LEVELS, Drawn, draw, many
from episodes import right_answer

from customs_env.env.episode import Episode, resolve_request
from customs_env.graders.grade import grade
from customs_env.graders.reward import reward_of
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.flags import vocabulary
from customs_env.scenarios.policy import RECOMMENDATIONS
from customs_env.scenarios.tasks import TASKS

FLAGS_AND_CLEARANCE_FLOOR, CLASSIFICATION_FLOOR = 0.35, 0.15
TRIED = 500

each_level = pytest.mark.parametrize(("task", "level"), LEVELS)
each_flag_level = pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)


@lru_cache(maxsize=8)
def tried(task: str, level: str, count: int = TRIED) -> tuple[Drawn, ...]:
    """Return the files on which policies are measured: none of them is among those that `many` fits on."""
    return tuple(draw(task, seed, level) for seed in range(8_000_000, 8_000_000 + count))


def mean_reward(answer: dict[str, Any], task: str, files: tuple[Drawn, ...]) -> float:
    return sum(reward_of(grade(task, answer, drawn.truth).raw) for drawn in files) / len(files)


# -- the right answer -----------------------------------------------------------------------------------------------------


@each_level
def test_the_right_answer_pays_09_on_500_seeds(task: str, level: str) -> None:
    for seed in range(8_000_000, 8_000_000 + TRIED):
        episode = Episode(resolve_request(task_id=task, seed=seed, difficulty=level))
        assert episode.step(right_answer(episode)).reward == 0.9, seed


@pytest.mark.parametrize("task", TASKS)
def test_the_right_answer_pays_09_on_canonical_files(task: str) -> None:
    for number in range(len(canonical_pool(task))):
        episode = Episode(resolve_request(task_id=task, seed=number))
        assert episode.step(right_answer(episode)).reward == 0.9


@pytest.mark.slow
@each_level
def test_the_right_answer_pays_09_on_20000_seeds_in_every_split(task: str, level: str) -> None:
    for split in ("train", "validation", "test"):
        for index in range(0, 10_000, 1 if split == "train" else 2):
            episode = Episode(resolve_request(task_id=task, index=index, split=split, difficulty=level))
            assert episode.step(right_answer(episode)).reward == 0.9, (split, index)


# -- null, empty, junk, spam ------------------------------------------------------------------------------------------------


@each_level
@pytest.mark.parametrize(
    "action", [{}, None, "junk", {"step_kind": "initial_review"}], ids=["null", "none", "junk", "idle"]
)
def test_doing_nothing_stays_at_the_floor(task: str, level: str, action: Any) -> None:
    for seed in range(8_000_000, 8_000_050):
        episode = Episode(resolve_request(task_id=task, seed=seed, difficulty=level))
        while not episode.done:
            observation = episode.step(action)
        assert observation.reward == 0.1


def lazy_answers(task: str) -> dict[str, dict[str, Any]]:
    flags = {
        "empty": [],
        "all flags": list(vocabulary(task)),
        "junk": ["x", "y"],
        "64 labels": [f"flag {n}" for n in range(64)],
    }
    rest = {"hs_code": "00000000", "assessable_value_inr": 0, "duty_amount_inr": 0}
    return {
        f"{name}, {recommendation}": {"flags": said, "recommendation": recommendation, **rest}
        for (name, said), recommendation in product(flags.items(), RECOMMENDATIONS)
    }


@each_flag_level
def test_empty_junk_and_spam_reports_stay_at_the_floor(task: str, level: str) -> None:
    means = {name: mean_reward(answer, task, tried(task, level)) for name, answer in lazy_answers(task).items()}
    assert {name: mean for name, mean in means.items() if mean > FLAGS_AND_CLEARANCE_FLOOR} == {}


# -- constant policies, fitted on other seeds ----------------------------------------------------------------------------------


def best_sets(task: str, files: tuple[Drawn, ...]) -> list[tuple[str, list[str]]]:
    """Return, for each recommendation and each size, the flag set that pays most on these files: all sets are tried."""
    flags = vocabulary(task)
    bit = {flag: 1 << number for number, flag in enumerate(flags)}
    sets = np.arange(1 << len(flags))
    size = np.array([int(number).bit_count() for number in sets])
    counts = Counter((sum(bit[flag] for flag in drawn.truth.flags), drawn.truth.recommendation) for drawn in files)
    found = []
    for recommendation in RECOMMENDATIONS:
        total = np.zeros(len(sets))
        for (mask, right), count in counts.items():
            if mask:
                caught = size[sets & mask]
                score = np.maximum(0.0, caught / size[mask] - 0.15 * (size - caught))
            else:
                score = ((sets == 0) & (recommendation == "clear")).astype(float)
            weights = TASKS[task].weights
            total += count * (weights["flags"] * score + weights["recommendation"] * (right == recommendation))
        for wanted in range(len(flags) + 1):
            number = int(np.flatnonzero(size == wanted)[total[size == wanted].argmax()])
            found.append((recommendation, [flag for flag in flags if bit[flag] & number]))
    return found


def best_rest(files: tuple[Drawn, ...]) -> dict[str, Any]:
    """Return the item, the value and the duty that a constant answer does best to give."""
    answer: dict[str, Any] = {}
    items = Counter(drawn.truth.tariff_items[0] for drawn in files)
    headings = Counter(item[:4] for item in items.elements())
    answer["hs_code"] = max(items, key=lambda item: items[item] + headings[item[:4]])
    for field in ("assessable_value_inr", "duty_amount_inr"):
        right = np.sort([float(getattr(drawn.truth, field) or 0) for drawn in files])
        inside = np.searchsorted(right, right * 1.05 / 0.95, side="right") - np.arange(len(right))
        answer[field] = float(right[inside.argmax()] * 1.05)
    return answer


def constants_above_the_floor(
    task: str, level: str, fitted: tuple[Drawn, ...], measured: tuple[Drawn, ...]
) -> dict[str, float]:
    rest = best_rest(fitted) if task == "task3" else {}
    above = {}
    for recommendation, flags in best_sets(task, fitted):
        mean = mean_reward({"flags": flags, "recommendation": recommendation, **rest}, task, measured)
        if mean > FLAGS_AND_CLEARANCE_FLOOR:
            above[f"{recommendation}, {flags}"] = round(mean, 4)
    return above


@each_flag_level
def test_no_constant_answer_pays_more_than_035(task: str, level: str) -> None:
    """Every recommendation, with the best flag set of every size, and in task3 the best constant item, value and duty."""
    assert constants_above_the_floor(task, level, many(task, level), tried(task, level)) == {}


@pytest.mark.slow
@each_flag_level
def test_no_constant_answer_pays_more_than_035_measured_on_20000(task: str, level: str) -> None:
    fitted = tuple(draw(task, seed, level) for seed in range(9_000_000, 9_010_000))
    assert constants_above_the_floor(task, level, fitted, tried(task, level, 20_000)) == {}


@pytest.mark.parametrize("level", ["easy", "standard"])
def test_no_constant_code_pays_more_than_015_in_classification(level: str) -> None:
    codes = {drawn.truth.tariff_items[0] for drawn in many("task1", level)}
    rights = Counter(drawn.truth.tariff_items[0] for drawn in tried("task1", level))
    headings = Counter(item[:4] for item in rights.elements())
    for code in sorted(codes):
        mean = (
            rights[code] * reward_of(1.0) + (headings[code[:4]] - rights[code]) * reward_of(0.5) + (TRIED - headings[code[:4]]) * reward_of(0.0)
        ) / TRIED  # fmt: skip
        assert mean <= CLASSIFICATION_FLOOR, code
    likeliest = max(codes, key=lambda code: rights[code])
    assert mean_reward({"hs_code": likeliest}, "task1", tried("task1", level)) <= CLASSIFICATION_FLOOR


def test_copying_the_vocabulary_in_order_or_backwards_pays_the_same_floor() -> None:
    for task in ("task2", "task3"):
        files = tried(task, "standard")
        once = mean_reward({"flags": list(vocabulary(task)), "recommendation": "hold"}, task, files)
        again = mean_reward({"flags": list(vocabulary(task))[::-1] * 2, "recommendation": "hold"}, task, files)
        assert once == again < FLAGS_AND_CLEARANCE_FLOOR
