"""How often things occur: the bounds that keep a constant report from paying (DESIGN section 3)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from drawn_files import FLAG_LEVELS, Drawn, draw, many

from customs_env.scenarios.flags import vocabulary

each_flag_level = pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)


def noise(share: float, count: int) -> float:
    """Return two and a half standard errors of a share measured on so many files."""
    return 2.5 * sqrt(share * (1 - share) / count)


def flag_shares_too_high(task: str, files: tuple[Drawn, ...]) -> dict[str, float]:
    flagged = [drawn.truth.flags for drawn in files if drawn.truth.flags]
    uniform = sum(map(len, flagged)) / len(flagged) / len(vocabulary(task))
    bound = max(0.15, 1.5 * uniform)
    counts = Counter(flag for flags in flagged for flag in flags)
    shares = {flag: count / len(flagged) for flag, count in counts.items()}
    return {flag: share for flag, share in shares.items() if share > bound + noise(bound, len(flagged))}


def recommendations_too_frequent(files: tuple[Drawn, ...]) -> dict[str, float]:
    counts = Counter(drawn.truth.recommendation for drawn in files)
    return {
        str(name): count / len(files)
        for name, count in counts.items()
        if count / len(files) > 0.45 + noise(0.45, len(files))
    }


@each_flag_level
def test_no_flag_stands_in_more_than_its_bound_of_flagged_files(task: str, level: str) -> None:
    assert flag_shares_too_high(task, many(task, level)) == {}


@each_flag_level
def test_no_recommendation_stands_in_more_than_45_percent_of_files(task: str, level: str) -> None:
    assert recommendations_too_frequent(many(task, level)) == {}


@pytest.mark.slow
@each_flag_level
def test_the_bounds_hold_over_20000_seeds(task: str, level: str) -> None:
    files = tuple(draw(task, seed, level) for seed in range(3_000_000, 3_020_000))
    assert flag_shares_too_high(task, files) == {}
    assert recommendations_too_frequent(files) == {}


@each_flag_level
def test_12_to_20_percent_of_files_are_clean(task: str, level: str) -> None:
    files = many(task, level)
    clean = sum(not drawn.truth.flags for drawn in files) / len(files)
    assert 0.12 <= clean <= 0.20


@each_flag_level
def test_every_flag_of_the_vocabulary_occurs_and_none_outside_it(task: str, level: str) -> None:
    assert {flag for drawn in many(task, level) for flag in drawn.truth.flags} == set(vocabulary(task))


def chi_square(table: dict[str, Counter[int]], columns: list[int]) -> tuple[float, int]:
    """Return chi-square and degrees of freedom of a table of counts: row -> column -> how many."""
    total = sum(sum(row.values()) for row in table.values())
    of_column = {column: sum(row[column] for row in table.values()) for column in columns}
    value = 0.0
    for row in table.values():
        of_row = sum(row.values())
        for column in columns:
            expected = of_row * of_column[column] / total
            value += (row[column] - expected) ** 2 / expected
    return value, (len(table) - 1) * (len(columns) - 1)


@pytest.mark.parametrize("task", ["task2", "task3"])
def test_the_number_of_findings_is_independent_of_the_goods(task: str) -> None:
    table: dict[str, Counter[int]] = {}
    for drawn in many(task, "standard"):
        table.setdefault(drawn.file.goods[0].family.kind, Counter())[len(drawn.truth.flags)] += 1
    value, freedom = chi_square(table, [0, 1, 2, 3])
    assert value < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("task", ["task2", "task3"])
def test_the_number_of_findings_tells_little_of_their_kinds(task: str) -> None:
    """A kind's share of all findings in files with several is between half and twice its share in files with one.

    It cannot be equal: no flag is drawn twice and groups exclude each other, which flattens the shares where several are drawn.
    """
    shares: dict[bool, dict[str, float]] = {}
    totals: dict[bool, int] = {}
    for several in (False, True):
        files = [drawn for drawn in many(task, "standard") if (len(drawn.truth.flags) > 1) == several]
        counts = Counter(flag for drawn in files for flag in drawn.truth.flags)
        totals[several] = sum(counts.values())
        shares[several] = {flag: counts[flag] / totals[several] for flag in vocabulary(task)}
    for flag in vocabulary(task):
        one, more = shares[False][flag], shares[True][flag]
        slack = noise(one, totals[False]) + noise(more, totals[True])
        assert one / 2 - slack < more < one * 2 + slack, flag


@each_flag_level
def test_all_families_and_kinds_of_goods_are_drawn(task: str, level: str) -> None:
    names = {drawn.file.goods[0].family.name for drawn in many(task, level)}
    kinds = {drawn.file.goods[0].family.kind for drawn in many(task, level)}
    assert kinds == {"general", "chemical", "textile"}
    assert len(names) >= 40
