"""Goods ready to be drawn: for each combination of values of each family, its wordings compiled to word lists.

Built once from `goods`; drawing from it costs a few list look-ups.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from threading import Lock
from typing import Any

from customs_env.generator.trade import trade
from customs_env.goods import Family, Row, family
from customs_env.goods.family import Template
from customs_env.goods.splits import part_of, rows_of
from customs_env.goods.wording import padded
from customs_env.scenarios.policy import COLOUR_WORDS, STANDARD_POLICY
from customs_env.scenarios.record import LineGoods
from customs_env.tariff.schedule import load_schedule

#: So many bits of a file's wording draw belong to one slot; a family has at most nine slots in 64 bits.
SLOT_BITS = 7
SLOT_MASK = (1 << SLOT_BITS) - 1


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern and, for each slot, the words that it may take, their number, and the slot's place in the draw.

    A slot has the same place in all wordings of its family, so that one draw says one thing on all papers of a file:
    terms of one value may be figures (3.7 kW, 5.5 kW) that contradict each other and leave the tariff item alone.
    """

    pattern: str
    choices: tuple[tuple[tuple[str, ...], int, int], ...]

    def spell(self, draw: int) -> str:
        """Return the wording that the integer `draw` picks; equal draws give equal texts."""
        return self.pattern % tuple(
            [words[(draw >> place & SLOT_MASK) % count] for words, count, place in self.choices]
        )


@dataclass(frozen=True, slots=True)
class Variant:
    """Goods with all facts fixed: what a file is drawn of.

    `line_goods`: the goods of a file's lines. `names_in_capitals`: what bills say after the number of packages.
    `facts`: name, words, number of words and place in the draw of the article and of each deciding attribute.
    """

    split: str
    goods: LineGoods
    line_goods: tuple[LineGoods, ...]
    goods_class: str
    compiled: dict[str, tuple[Wording, ...]]
    article_terms: tuple[str, ...]
    names_in_capitals: tuple[str, ...]
    facts: tuple[tuple[str, tuple[str, ...], int, int], ...]
    qualifiers: tuple[Mapping[str, Any], ...]
    origins: tuple[str, ...]
    origins_not_exempt: tuple[str, ...]

    def detailed(self, draw: int) -> dict[str, Any]:
        """Return the answer to a request for the detailed description, in the words that `draw` picks."""
        stated = {name: words[(draw >> place & SLOT_MASK) % count] for name, words, count, place in self.facts}
        parts = [stated["article"]]
        parts += [f"{name.replace('_', ' ')}: {term}" for name, term in stated.items() if name != "article"]
        return {"lines": [{"item": 1, "description": "; ".join(parts), "particulars": stated}]}

    def wordings(self, degree: str) -> tuple[Wording, ...]:
        """Return the wordings of a degree, compiled when they are first asked for."""
        found = self.compiled.get(degree)
        if found is None:
            family = self.goods.family
            templates = part_of(family.templates[degree], self.split)
            found = tuple(_compile(template, family, self.goods.values, self.split) for template in templates)
            self.compiled[degree] = found
        return found


def _compile(template: Template, family: Family, values: Mapping[str, str], split: str) -> Wording:
    return Wording(template.pattern, tuple(_choice(slot, family, values, split) for slot in template.slots))


def _choice(slot: str, family: Family, values: Mapping[str, str], split: str) -> tuple[tuple[str, ...], int, int]:
    """Return the words of a slot, their number and its place in the draw."""
    place = SLOT_BITS * (*family.vocabulary, *family.details).index(slot)
    words = family.vocabulary[slot][values[slot]] if slot in family.vocabulary else part_of(family.details[slot], split)
    return words, len(words), place


def _goods_class(family: Family, row: Row, values: Mapping[str, str]) -> str:
    """Return the class that says which findings can occur: a coloured textile, a controlled chemical, ..."""
    if family.kind == "chemical":
        controlled = any(
            part["percent"][1] > STANDARD_POLICY.controlled_cas.get(part["cas"], 101.0) for part in row.composition
        )
        return "controlled_chemical" if controlled else "chemical"
    if family.kind == "textile":
        terms = family.padded_terms["finish"][values["finish"]]
        coloured = [any(f" {word} " in term for word in COLOUR_WORDS) for term in terms]
        return "coloured_textile" if all(coloured) else "grey_textile"
    return "general"


def _variants(family: Family, rows: tuple[Row, ...], split: str, country_names: Mapping[str, str]) -> list[Variant]:
    found = []
    for row in rows:
        open_attributes = [name for name in family.vocabulary if name not in row.values]
        for combination in product(*(family.vocabulary[name] for name in open_attributes)):
            values = {**row.values, **dict(zip(open_attributes, combination, strict=True))}
            origins = tuple(country_names[code] for code in row.origins or family.origins)
            decisive = [name for name in family.deciding if name != "article"]
            goods = LineGoods(family, row, values)
            found.append(
                Variant(
                    split=split,
                    goods=goods,
                    line_goods=(goods,),
                    goods_class=_goods_class(family, row, values),
                    compiled={},
                    article_terms=family.vocabulary["article"][values["article"]],
                    names_in_capitals=tuple(term.upper() for term in family.vocabulary["article"][values["article"]]),
                    facts=tuple((name, *_choice(name, family, values, split)) for name in ("article", *decisive)),
                    qualifiers=({"item": 1, **family.qualifiers},),
                    origins=origins,
                    origins_not_exempt=tuple(o for o in origins if o not in STANDARD_POLICY.azo_exempt_origins),
                )
            )
    return found


_LOCK = Lock()


def variants_of(family_name: str, split: str) -> tuple[Variant, ...]:
    """Return the goods of a family that files of a split can have, perhaps none; built when first asked for."""
    with _LOCK:  # threads that ask first together get the same ones
        return _built(family_name, split)


@cache
def _built(family_name: str, split: str) -> tuple[Variant, ...]:
    kept = family(family_name)
    return tuple(_variants(kept, rows_of(kept, split), split, trade().countries))


def dutiable(variant: Variant) -> bool:
    """Return whether duty on these goods is ad valorem and nothing else."""
    return load_schedule().item(variant.goods.row.tariff_item).duty_is_ad_valorem


def rivals(variant: Variant) -> tuple[Variant, ...]:
    """Return the variants of the same family and article that answer to another tariff item."""
    goods = variant.goods
    return _rivals(variant.split, goods.family.name, goods.row.tariff_item, goods.values["article"])


@lru_cache(maxsize=1 << 12)
def _rivals(split: str, family_name: str, tariff_item: str, article: str) -> tuple[Variant, ...]:
    return tuple(
        variant
        for variant in _siblings(family_name, split)
        if variant.goods.row.tariff_item != tariff_item and variant.goods.values["article"] == article
    )


def _siblings(family_name: str, split: str) -> tuple[Variant, ...]:
    """Return the goods of a family that a packing list may name beside those of the invoice.

    A file of `test` may show goods of `train` beside its own, never the other way round.
    """
    if split != "test":
        return variants_of(family_name, split)
    return tuple(_variants(family(family_name), family(family_name).rows, split, trade().countries))


def names_other_goods(text: str, family: Family) -> bool:
    """Return whether a description holds no name of the family's goods."""
    return not family.names_goods(padded(text))
