"""A goods family: attributes, the table from their values to tariff items, wordings, habits of trade.

Data: one JSON file a family in `families/`; `docs/goods.md` documents the form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from customs_env.errors import DataError
from customs_env.goods.wording import padded

FAMILIES_DIR = Path(__file__).parent / "families"

#: The degrees of wording, from the fullest to the one that hides a deciding fact.
DEGREES = ("precise", "commercial", "terse", "vague")

_SLOT = re.compile(r"\{([a-z_0-9]+)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A wording with slots: `pattern % parts`, the parts drawn from the slots' word lists in order."""

    pattern: str
    slots: tuple[str, ...]
    hides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One combination of deciding values and the tariff item that it answers to."""

    values: Mapping[str, str]
    tariff_item: str
    reason: str
    price_usd_per_unit: tuple[float, float]
    net_kg_per_unit: tuple[float, float]
    composition: tuple[Mapping[str, Any], ...]
    un: Mapping[str, str] | None
    #: ISO countries that supply these goods, where they are others than the family's; else empty
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """What is known of a family of goods.

    `vocabulary` maps attribute -> value -> terms as printed; `padded_terms` the same in the form that
    `wording.padded` makes comparable. `deciding` attributes are those on which the tariff item depends.
    `deciding_terms` holds, for each of them, the padded terms of all its values; `deciding_values` the same by value.
    `qualifiers` is the part of the decision policy that tells which particulars a declaration must state.
    """

    name: str
    title: str
    chapter: str
    kind: str
    vocabulary: Mapping[str, Mapping[str, tuple[str, ...]]]
    padded_terms: Mapping[str, Mapping[str, tuple[str, ...]]]
    deciding: tuple[str, ...]
    free: tuple[str, ...]
    rows: tuple[Row, ...]
    templates: Mapping[str, tuple[Template, ...]]
    details: Mapping[str, tuple[str, ...]]
    unit: str
    quantity: tuple[int, int]
    quantity_step: int
    package_kind: str
    units_per_package: tuple[int, ...]
    origins: tuple[str, ...]
    incoterms: tuple[str, ...]
    import_requirements: tuple[str, ...]
    contrast: tuple[Mapping[str, Any], ...]
    qualifiers: Mapping[str, Any]
    all_terms: Mapping[str, tuple[str, ...]]
    deciding_terms: tuple[tuple[str, ...], ...]
    deciding_values: tuple[tuple[tuple[str, ...], ...], ...]

    def states(self, attribute: str, text: str) -> bool:
        """Return whether `text` (as `wording.padded` returns it) states some value of `attribute`."""
        for term in self.all_terms[attribute]:  # noqa: SIM110 - twice as fast as any(), on the generator's hot path
            if term in text:
                return True
        return False

    def names_goods(self, text: str) -> bool:
        """Return whether `text` (as `wording.padded` returns it) holds a name of these goods."""
        return self.states("article", text)

    def contradicts(self, text: str, other: str) -> bool:
        """Return whether, of some deciding attribute, two texts (in padded form) state values and none in common."""
        for values in self.deciding_values:
            stated = False
            for terms in values:
                for term in terms:
                    if term in text:
                        break
                else:
                    continue
                stated = True
                for term in terms:
                    if term in other:
                        break
                else:
                    continue
                break  # a value in common
            else:
                if stated and any(term in other for terms in values for term in terms):
                    return True
        return False

    def row(self, values: Mapping[str, str]) -> Row:
        """Return the row whose deciding values are those of `values`.

        Raises:
            DataError: no row of the family has these values.
        """
        for row in self.rows:
            if all(values.get(name) == value for name, value in row.values.items()):
                return row
        raise DataError(f"family {self.name}: no row for {dict(values)}")

    def stated_values(self, attribute: str, text: str) -> frozenset[str]:
        """Return the values of `attribute` that `text` (as `wording.padded` returns it) states."""
        by_value = self.padded_terms[attribute].items()
        return frozenset(value for value, terms in by_value if any(term in text for term in terms))


def _template(text: str, slots_known: frozenset[str], family: str, hides: tuple[str, ...] = ()) -> Template:
    slots = tuple(_SLOT.findall(text))
    unknown = sorted(set(slots) - slots_known)
    if unknown:
        raise DataError(f"family {family}: wording {text!r} names the unknown slots {unknown}")
    return Template(_SLOT.sub("%s", text.replace("%", "%%")), slots, hides)


def _pair(value: Any) -> tuple[float, float]:
    low, high = value
    return float(low), float(high)


def family_from_json(data: Mapping[str, Any]) -> Family:
    """Return the family that `data` (the parsed JSON of one file) describes.

    Raises:
        DataError: a wording names a slot that no attribute and no detail provides.
    """
    name = data["family"]
    vocabulary = {
        attribute: {
            value: tuple(entry["terms"] if isinstance(entry, dict) else entry)
            for value, entry in spec["values"].items()
        }
        for attribute, spec in data["attributes"].items()
    }
    padded_terms = {
        attribute: {value: tuple(padded(term) for term in terms) for value, terms in values.items()}
        for attribute, values in vocabulary.items()
    }
    details = {slot: tuple(words) for slot, words in data.get("details", {}).items()}
    slots_known = frozenset(vocabulary) | frozenset(details)
    templates = {
        degree: tuple(_template(text, slots_known, name) for text in data["phrasings"][degree])
        for degree in DEGREES[:3]
    }
    templates["vague"] = tuple(
        _template(entry["text"], slots_known, name, tuple(entry["hides"])) for entry in data["phrasings"]["vague"]
    )
    deciding = tuple(data["deciding"])
    qualifiers = {
        "goods_names": [term for terms in vocabulary["article"].values() for term in terms],
        "particulars": {
            attribute: {f"v{number}": list(terms) for number, terms in enumerate(vocabulary[attribute].values(), 1)}
            for attribute in deciding
        },
    }
    all_terms = {
        attribute: tuple(term for terms in values.values() for term in terms)
        for attribute, values in padded_terms.items()
    }
    rows = tuple(
        Row(
            values=dict(row["when"]),
            tariff_item=row["tariff_item"],
            reason=row["reason"],
            price_usd_per_unit=_pair(row["price_usd_per_unit"]),
            net_kg_per_unit=_pair(row["net_kg_per_unit"]),
            composition=tuple(row.get("composition", ())),
            un=row.get("un"),
            origins=tuple(row.get("origins", ())),
        )
        for row in data["items"]
    )
    low, high = data["quantity"]
    return Family(
        name=name,
        title=data["title"],
        chapter=data["chapter"],
        kind=data["kind"],
        vocabulary=vocabulary,
        padded_terms=padded_terms,
        deciding=deciding,
        free=tuple(data.get("free", ())),
        rows=rows,
        templates=templates,
        details=details,
        unit=data["unit"],
        quantity=(int(low), int(high)),
        quantity_step=int(data["quantity_step"]),
        package_kind=data["package"]["kind"],
        units_per_package=tuple(data["package"]["units_per_package"]),
        origins=tuple(data["origins"]),
        incoterms=tuple(data["incoterms"]),
        import_requirements=tuple(data["import_requirements"]),
        contrast=tuple(data.get("contrast", ())),
        qualifiers=qualifiers,
        all_terms=all_terms,
        deciding_terms=tuple(all_terms[attribute] for attribute in deciding),
        deciding_values=tuple(tuple(padded_terms[attribute].values()) for attribute in deciding),
    )


_LOCK = Lock()


@lru_cache(maxsize=1)
def family_names() -> tuple[str, ...]:
    """Return the names of all families, sorted."""
    return tuple(sorted(path.stem for path in FAMILIES_DIR.glob("*.json")))


def family(name: str) -> Family:
    """Return one family; its file is read when it is first asked for, and once.

    Raises:
        DataError: there is no family of that name.
    """
    with _LOCK:  # threads that ask first together get the same one
        return _read(name)


def families() -> Mapping[str, Family]:
    """Return every family by name, in the order of the names."""
    return {name: family(name) for name in family_names()}


@cache
def _read(name: str) -> Family:
    path = FAMILIES_DIR / f"{name}.json"
    if name not in family_names():
        raise DataError(f"no goods family is called {name!r}")
    one = family_from_json(json.loads(path.read_text(encoding="utf-8")))
    if one.name != name:
        raise DataError(f"{path.name}: holds the family {one.name}, expected {name}")
    return one
