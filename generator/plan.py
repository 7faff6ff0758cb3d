"""Which discrepancies a file holds: how many, drawn first and independently of their kind, then a compatible set.

All compatible sets of up to MOST recipes are listed once for each task and goods class with their weights, so that a
file costs one draw and the frequencies are exact.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations
from typing import NamedTuple

from customs_env.generator.discrepancies import RECIPES, Recipe
from customs_env.scenarios.flags import vocabulary

#: Of 1,000 files so many hold 0, 1, 2, 3 discrepancies. About one in six is clean at every level.
COUNTS_BY_DIFFICULTY: dict[str, tuple[int, ...]] = {
    "easy": (167, 833),
    "standard": (167, 513, 223, 97),
}


class Plan(NamedTuple):
    """The recipes to plant in a file, their names, and the groups that they bar to variations."""

    recipes: tuple[Recipe, ...]
    names: frozenset[str]
    groups: frozenset[str]


CLEAN = Plan((), frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class _Choice:
    plans: tuple[Plan, ...]
    cumulative: tuple[int, ...]

    def draw(self, word: int) -> Plan:
        return self.plans[bisect_right(self.cumulative, word % self.cumulative[-1])]


def _compatible(recipes: tuple[Recipe, ...]) -> bool:
    taken: set[str] = set()
    for recipe in recipes:
        if taken & recipe.groups:
            return False
        taken |= recipe.groups
    return len({recipe.flag for recipe in recipes}) == len(recipes)


def _choice(task_id: str, difficulty: str, goods_class: str, count: int) -> _Choice:
    flags = vocabulary(task_id)
    usable = [r for r in RECIPES if r.flag in flags and (not r.goods_classes or goods_class in r.goods_classes)]
    sets = tuple(chosen for chosen in combinations(usable, count) if _compatible(chosen))
    weights = []
    for chosen in sets:
        weight = 1
        for recipe in chosen:
            weight *= recipe.easy_weight if difficulty == "easy" else recipe.weight
        weights.append(weight)
    plans = tuple(
        Plan(chosen, frozenset(r.name for r in chosen), frozenset().union(*(r.groups for r in chosen)))
        for chosen in sets
    )
    return _Choice(plans, tuple(accumulate(weights)))


@lru_cache(maxsize=32)
def _plan(task_id: str, difficulty: str, goods_class: str) -> tuple[tuple[int, ...], tuple[_Choice, ...]]:
    """Return the limits of the counts and, for each count from one, the sets to choose from."""
    limits = tuple(accumulate(COUNTS_BY_DIFFICULTY[difficulty]))
    return limits, tuple(_choice(task_id, difficulty, goods_class, count) for count in range(1, len(limits)))


def plan(task_id: str, difficulty: str, goods_class: str, words: tuple[int, ...]) -> Plan:
    """Return what to plant in a file of these goods, CLEAN for a clean one. Takes two words."""
    limits, choices = _plan(task_id, difficulty, goods_class)
    count = bisect_right(limits, words[0] % limits[-1])
    return choices[count - 1].draw(words[1]) if count else CLEAN
