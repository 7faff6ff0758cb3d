"""What each split may show of the goods: rows and wordings that are kept for one split alone.

`test` draws its goods from rows that `train` and `validation` never show, and its wordings from templates and details
that neither shows; `validation` has templates and details of its own for the goods of `train`. The terms of attributes
are shared: the decision policy lists them, because they say what a declaration must state.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from customs_env.goods.family import Family, Row

Part = TypeVar("Part")

#: Of the rows of a family one in so many is kept for `test`; a family of fewer keeps none.
ROWS_PER_HELD_OUT = 4


#: Items that two families answer to (sauces of two kinds, parts of two vehicles). None is held out: the other family
#: would show it in `train`. A test keeps the list.
SHARED_ITEMS = frozenset({
    "13021300", "15200000", "16021000", "16023200", "16051000", "16052100", "16052900", "17021110", "17021910",
    "18062000", "19019010", "20054000", "20055100", "23031000", "23040010", "23063010", "23063020", "29054500",
    "34042000", "34049020", "35051010", "35051090", "39233090", "39235010", "45031000", "84733099", "87083000",
    "87089300",
})  # fmt: skip


def held_out_rows(family: Family) -> frozenset[str]:
    """Return the tariff items whose rows are kept for `test`: those whose hash with the family's name is lowest.

    A tariff item is held out with all its rows, so that no item of `test` is an answer of the family in `train`.
    """
    items = {row.tariff_item for row in family.rows}
    ranked = sorted(items - SHARED_ITEMS, key=lambda item: _rank(family.name, item))
    return frozenset(ranked[: len(items) // ROWS_PER_HELD_OUT])


def rows_of(family: Family, split: str) -> tuple[Row, ...]:
    """Return the rows that files of a split can have as their goods, perhaps none."""
    held_out = held_out_rows(family)
    return tuple(row for row in family.rows if (row.tariff_item in held_out) == (split == "test"))


def part_of(parts: Sequence[Part], split: str) -> tuple[Part, ...]:
    """Return the parts of a list (templates, details) that a split may use.

    The last is for `test`, the one before for `validation`, the others for `train`. A list of fewer than three is
    shared: it says too little to be recognised by.
    """
    if len(parts) < 3:
        return tuple(parts)
    if split == "test":
        return tuple(parts[-1:])
    if split == "validation":
        return tuple(parts[-2:-1])
    return tuple(parts[:-2])


def _rank(family_name: str, tariff_item: str) -> bytes:
    return sha256(f"held out|{family_name}|{tariff_item}".encode()).digest()
