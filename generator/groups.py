"""What files draw their goods from: families with weights, by split and goods class.

`data/groups.json` lists them, so that a process reads only the families that its files draw. `scripts/index_goods.py`
writes it from `measured`, and a test holds it against the families.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from customs_env.generator.stock import Variant, dutiable, variants_of
from customs_env.goods import families
from customs_env.scenarios.tasks import SPLITS

_DATA = Path(__file__).parent / "data" / "groups.json"

#: Of the files that show one invoice no chapter takes more than this share, as far as the families' weights can help.
MOST_OF_A_CHAPTER = 0.07


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Families to draw from: names, units and cumulative weights.

    `goods_class` and `ad_valorem` say which of a family's goods are meant: of one class or of all, those whose duty is
    ad valorem alone or all.
    """

    split: str
    goods_class: str
    ad_valorem: bool
    names: tuple[str, ...]
    units: tuple[str, ...]
    limits: tuple[int, ...]
    _found: dict[str, tuple[Variant, ...]] = field(default_factory=dict)

    def draw(self, word: int) -> tuple[Variant, ...]:
        """Return the goods of the family that a 32-bit word picks."""
        return self.members(self.names[bisect_right(self.limits, word % self.limits[-1])])

    def members(self, name: str) -> tuple[Variant, ...]:
        """Return the goods of a family of this group."""
        found = self._found.get(name)
        if found is None:
            found = tuple(
                variant
                for variant in variants_of(name, self.split)
                if self.goods_class in ("", variant.goods_class) and (not self.ad_valorem or dutiable(variant))
            )
            self._found[name] = found
        return found


@dataclass(frozen=True, slots=True)
class Groups:
    """All families of a split, and those of each goods class: all goods, and those whose duty is ad valorem alone."""

    everything: Group
    by_class: Mapping[str, Group]
    dutiable_by_class: Mapping[str, Group]


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, Any]:
    listed: Mapping[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return listed


@cache
def groups(split: str) -> Groups:
    """Return the groups of a split."""
    entries = _listed()[split]

    def group(goods_class: str, ad_valorem: bool) -> Group:
        key = "dutiable" if ad_valorem else "classes"
        chosen = [entry for entry in entries if not goods_class or goods_class in entry[key]]
        return Group(
            split,
            goods_class,
            ad_valorem,
            tuple(entry["family"] for entry in chosen),
            tuple(entry["unit"] for entry in chosen),
            tuple(accumulate(entry["weight"] for entry in chosen)),
        )

    classes = sorted({goods_class for entry in entries for goods_class in entry["classes"]})
    return Groups(
        group("", False),
        {goods_class: group(goods_class, False) for goods_class in classes},
        {goods_class: group(goods_class, True) for goods_class in classes},
    )


def measured() -> dict[str, list[dict[str, Any]]]:
    """Return what `groups.json` has to say: for each split its families with unit, weight and goods classes."""
    return {split: _measured(split) for split in SPLITS}


def _measured(split: str) -> list[dict[str, Any]]:
    goods = {name: variants_of(name, split) for name in families()}
    goods = {name: variants for name, variants in goods.items() if variants}
    return [
        {
            "family": name,
            "unit": variants[0].goods.family.unit,
            "weight": max(1, round(weight * 1_000_000)),
            "classes": sorted({variant.goods_class for variant in variants}),
            "dutiable": sorted({variant.goods_class for variant in variants if dutiable(variant)}),
        }
        for (name, variants), weight in zip(goods.items(), _weights(list(goods.values())), strict=True)
    ]


def _weights(goods: Sequence[tuple[Variant, ...]]) -> tuple[float, ...]:
    """Return a weight for each family such that no chapter of tariff items takes more than MOST_OF_A_CHAPTER.

    Families of a crowded chapter are drawn more rarely in the same proportion, many times over, as a share that shrinks
    makes the others grow.
    """
    chapters = [Counter(variant.goods.row.tariff_item[:2] for variant in variants) for variants in goods]
    weights = [1.0] * len(goods)
    for _ in range(50):
        shares: dict[str, float] = {}
        for weight, of_family in zip(weights, chapters, strict=True):
            for chapter, count in of_family.items():
                shares[chapter] = shares.get(chapter, 0.0) + weight * count / sum(of_family.values())
        total = sum(weights)
        for place, of_family in enumerate(chapters):
            fullest = max(shares[chapter] for chapter in of_family) / total
            if fullest > MOST_OF_A_CHAPTER:
                weights[place] *= MOST_OF_A_CHAPTER / fullest
    return tuple(weights)
