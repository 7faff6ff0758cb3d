"""Structure tells nothing: what can be read off keys, blanks, lengths and kinds of papers predicts no finding."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from drawn_files import FLAG_LEVELS, Drawn, many

from customs_env.scenarios.flags import vocabulary

#: By so much may a classifier on structure beat the base rate, in accuracy: noise of a thousand files, no more.
MARGIN = 0.02

each_flag_level = pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)


def structure(value: Any, path: str, blanks: bool) -> dict[str, int]:
    """Return what the structure of a JSON value says: keys there, lengths of lists, and (with `blanks`) which values are blank."""
    if isinstance(value, dict):
        found: dict[str, int] = {f"{path} keys": len(value)}
        for key, part in value.items():
            found |= structure(part, f"{path}.{key}", blanks)
        return found
    if isinstance(value, (list, tuple)):
        found = {f"{path} length": len(value)}
        for place, part in enumerate(value):
            name = part.get("type", str(place)) if isinstance(part, dict) else str(place)
            found |= structure(part, f"{path}.{name}", blanks)
        return found
    return {f"{path} blank": int(value in ("", None))} if blanks else {f"{path} there": 1}


@cache
def table(task: str, level: str, blanks: bool) -> np.ndarray[Any, Any]:
    """Return one row a file, one column a feature that is not the same everywhere."""
    files = many(task, level)
    rows = [structure([list(drawn.file.case.papers), dict(drawn.file.case.answers)], "", blanks) for drawn in files]
    names = sorted({name for row in rows for name in row})
    whole = np.array([[row.get(name, -1) for name in names] for row in rows], dtype=float)
    varying = whole[:, whole.std(axis=0) > 0]
    return np.unique(varying, axis=1) if varying.shape[1] else varying  # many fields of one paper say the same


def targets(task: str, files: tuple[Drawn, ...]) -> np.ndarray[Any, Any]:
    return np.array([[flag in drawn.truth.flags for flag in vocabulary(task)] for drawn in files])


def logistic_predictions(known: Any, labels: Any, unknown: Any) -> Any:
    """Return the predictions of a ridge logistic regression fitted by Newton's method."""
    scale = known.std(axis=0)
    centre = known.mean(axis=0)
    scale[scale == 0] = 1.0
    one = np.column_stack([np.ones(len(known)), (known - centre) / scale])
    other = np.column_stack([np.ones(len(unknown)), (unknown - centre) / scale])
    weights = np.zeros(one.shape[1])
    for _ in range(5):
        chance = 1 / (1 + np.exp(-np.clip(one @ weights, -30, 30)))
        curvature = one.T @ (one * (chance * (1 - chance))[:, None]) + np.eye(one.shape[1])
        weights += np.linalg.solve(curvature, one.T @ (labels - chance) - weights)
    return other @ weights > 0


def stump_predictions(known: Any, labels: Any, unknown: Any) -> Any:
    """Return the predictions of the one feature that is best on the known files, by the majority of each of its values."""
    best, best_right = np.full(len(unknown), labels.mean() > 0.5), -1.0
    for column in range(known.shape[1]):
        right = 0.0
        guess = np.full(len(unknown), labels.mean() > 0.5)
        for value in np.unique(known[:, column]):
            here = known[:, column] == value
            answer = labels[here].mean() > 0.5
            right += (labels[here] == answer).sum()
            guess[unknown[:, column] == value] = answer
        if right > best_right:
            best, best_right = guess, right
    return best


def advantages(task: str, level: str, blanks: bool, predict: Any) -> dict[str, float]:
    """Return, for each flag, by how much the classifier beats the more frequent answer on files that it has not seen."""
    files = many(task, level)
    features, answers = table(task, level, blanks), targets(task, files)
    half = len(files) // 2
    found = {}
    for number, flag in enumerate(vocabulary(task)):
        known, unknown = answers[:half, number], answers[half:, number]
        base = max(unknown.mean(), 1 - unknown.mean())
        guess = predict(features[:half], known, features[half:]) if features.shape[1] else np.zeros(half, bool)
        found[flag] = float((guess == unknown).mean() - base)
    return {flag: round(gain, 4) for flag, gain in found.items() if gain > MARGIN}


@each_flag_level
@pytest.mark.parametrize("predict", [stump_predictions, logistic_predictions])
def test_keys_lengths_and_kinds_of_papers_predict_no_flag(task: str, level: str, predict: Any) -> None:
    assert advantages(task, level, False, predict) == {}


@each_flag_level
@pytest.mark.parametrize("predict", [stump_predictions, logistic_predictions])
def test_blanks_predict_no_flag(task: str, level: str, predict: Any) -> None:
    assert advantages(task, level, True, predict) == {}


@each_flag_level
def test_no_blank_settles_a_finding_by_itself(task: str, level: str) -> None:
    """Findings of absence stand on blanks; yet each of these blanks is harmless in one file of four, or in more."""
    files = many(task, level)
    rows = [structure([list(drawn.file.case.papers), dict(drawn.file.case.answers)], "", True) for drawn in files]
    names = sorted({name for row in rows for name, blank in row.items() if name.endswith(" blank") and blank})
    settled = {}
    for name in names:
        having = [drawn.truth.flags for drawn, row in zip(files, rows, strict=True) if row.get(name) == 1]
        for flag in vocabulary(task):
            share = sum(flag in flags for flags in having) / len(having)
            if len(having) >= 20 and share > 0.75:
                settled[name, flag] = round(share, 2)
    assert settled == {}


def test_the_classifiers_of_this_test_find_what_is_there() -> None:
    """A feature that betrays a flag is found by both; noise is not."""
    random = np.random.default_rng(3)
    noise = random.integers(0, 2, (2000, 6)).astype(float)
    labels = random.random(2000) < 0.3
    leaky = np.column_stack([noise, labels])
    for predict in (stump_predictions, logistic_predictions):
        assert (predict(leaky[:1000], labels[:1000], leaky[1000:]) == labels[1000:]).mean() > 0.99
        assert (predict(noise[:1000], labels[:1000], noise[1000:]) == labels[1000:]).mean() < 0.75
