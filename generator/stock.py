"""Goods ready to be drawn: for each combination of values of each family, its wordings compiled to word lists.

Built once from `goods`; drawing from it costs a few list look-ups.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from customs_env.generator.trade import trade
from customs_env.goods import Family, Row, families
from customs_env.goods.family import Template
from customs_env.goods.wording import padded
from customs_env.scenarios.case import LineGoods
from customs_env.scenarios.policy import COLOUR_WORDS, STANDARD_POLICY
from customs_env.tariff.schedule import load_schedule


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern and, for each of its slots, the words that it may take and their number."""

    pattern: str
    choices: tuple[tuple[tuple[str, ...], int], ...]

    def spell(self, draw: int) -> str:
        """Return the wording that the integer `draw` picks; equal draws give equal texts."""
        parts = []
        for words, count in self.choices:
            parts.append(words[draw % count])
            draw //= count
        return self.pattern % tuple(parts)


@dataclass(frozen=True, slots=True)
class Variant:
    """Goods with all facts fixed: what a file is drawn of.

    `names_in_capitals` is what bills say after the number of packages; `detailed` the answer to a request for the
    detailed description.
    """

    goods: LineGoods
    goods_class: str
    compiled: dict[str, tuple[Wording, ...]]
    article_terms: tuple[str, ...]
    names_in_capitals: tuple[str, ...]
    detailed: Mapping[str, Any]
    qualifiers: tuple[Mapping[str, Any], ...]
    origins: tuple[str, ...]
    origins_not_exempt: tuple[str, ...]

    def wordings(self, degree: str) -> tuple[Wording, ...]:
        """Return the wordings of a degree, compiled when they are first asked for."""
        found = self.compiled.get(degree)
        if found is None:
            family = self.goods.family
            found = tuple(_compile(template, family, self.goods.values) for template in family.templates[degree])
            self.compiled[degree] = found
        return found


@dataclass(frozen=True, slots=True)
class Stock:
    """All variants: by family, and by goods class; where duty is asked for, those whose duty is ad valorem alone."""

    by_family: tuple[tuple[Variant, ...], ...]
    by_class: Mapping[str, tuple[tuple[Variant, ...], ...]]
    dutiable_by_class: Mapping[str, tuple[tuple[Variant, ...], ...]]
    siblings: Mapping[str, tuple[Variant, ...]]


def _compile(template: Template, family: Family, values: Mapping[str, str]) -> Wording:
    choices = [
        family.vocabulary[slot][values[slot]] if slot in family.vocabulary else family.details[slot]
        for slot in template.slots
    ]
    return Wording(template.pattern, tuple((words, len(words)) for words in choices))


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


def _variants(family: Family, country_names: Mapping[str, str]) -> list[Variant]:
    found = []
    for row in family.rows:
        open_attributes = [name for name in family.vocabulary if name not in row.values]
        for combination in product(*(family.vocabulary[name] for name in open_attributes)):
            values = {**row.values, **dict(zip(open_attributes, combination, strict=True))}
            origins = tuple(country_names[code] for code in family.origins)
            first = {name: family.vocabulary[name][value][0] for name, value in values.items()}
            found.append(
                Variant(
                    goods=LineGoods(family, row, values),
                    goods_class=_goods_class(family, row, values),
                    compiled={},
                    article_terms=family.vocabulary["article"][values["article"]],
                    names_in_capitals=tuple(
                        f"{family.package_kind} {term}".upper()
                        for term in family.vocabulary["article"][values["article"]]
                    ),
                    detailed={
                        "lines": [
                            {
                                "item": 1,
                                "description": "; ".join(
                                    [
                                        first["article"],
                                        *(
                                            f"{name.replace('_', ' ')}: {first[name]}"
                                            for name in family.deciding
                                            if name != "article"
                                        ),
                                    ]
                                ),
                                "particulars": {name: first[name] for name in ("article", *family.deciding)},
                            }
                        ]
                    },
                    qualifiers=({"item": 1, **family.qualifiers},),
                    origins=origins,
                    origins_not_exempt=tuple(o for o in origins if o not in STANDARD_POLICY.azo_exempt_origins),
                )
            )
    return found


@lru_cache(maxsize=1)
def stock() -> Stock:
    """Return the stock of goods, built once."""
    by_family = []
    by_class: dict[str, list[tuple[Variant, ...]]] = {}
    dutiable: dict[str, list[tuple[Variant, ...]]] = {}
    siblings = {}
    schedule = load_schedule()
    for family in families().values():
        variants = tuple(_variants(family, trade().countries))
        by_family.append(variants)
        siblings[family.name] = variants
        for goods_class in sorted({variant.goods_class for variant in variants}):
            members = tuple(v for v in variants if v.goods_class == goods_class)
            by_class.setdefault(goods_class, []).append(members)
            plain = tuple(v for v in members if schedule.item(v.goods.row.tariff_item).duty_is_ad_valorem)
            if plain:
                dutiable.setdefault(goods_class, []).append(plain)
    return Stock(
        tuple(by_family),
        {name: tuple(groups) for name, groups in by_class.items()},
        {name: tuple(groups) for name, groups in dutiable.items()},
        siblings,
    )


def names_other_goods(text: str, family: Family) -> bool:
    """Return whether a description holds no name of the family's goods."""
    return not family.names_goods(padded(text))
