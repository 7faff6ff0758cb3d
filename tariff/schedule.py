"""The Indian tariff lines that goods of this package answer to, closed around them, on the snapshot date.

Of every subheading that goods touch the table holds all Indian items; of every heading touched, all
subheadings with their rates. Read on first use from `data/`; `data/README.md` has columns and sources.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from customs_env.errors import DataError, UnknownCodeError, shown
from customs_env.tariff.codes import fold_code, normalise_code, normalise_item
from customs_env.tariff.lines import TariffItem, TariffSubheading, per_cent
from customs_env.tariff.nomenclature import nomenclature_text
from customs_env.versions import SNAPSHOT_DATE

_DATA = Path(__file__).parent / "data"
_HEADING_COLUMNS = ["code", "description"]
_SUBHEADING_COLUMNS = [
    *("code", "description", "bcd_pct_min", "bcd_pct_max", "igst_pct", "sws_pct", "aidc_pct", "items_in_table"),
    "confidence",
]
_ITEM_COLUMNS = [
    *("code", "description", "unit", "bcd_pct", "bcd_specific", "sws_pct", "aidc_pct", "health_cess_pct", "igst_pct"),
    *("source", "confidence", "note", "differs"),
]
#: How many neighbours an error message names.
_NEIGHBOURS_SHOWN = 6


class TariffSchedule:
    """The tariff table. Look-ups are O(1), change nothing, raise UnknownCodeError with the nearest reason."""

    def __init__(self, folder: Path = _DATA) -> None:
        self._folder = folder
        self._items: dict[str, TariffItem] = {}
        self._subheadings: dict[str, TariffSubheading] = {}
        self._headings: dict[str, str] = {}
        self._items_of: dict[str, tuple[str, ...]] = {}
        self._subheadings_of: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]] = {}
        self._loaded = False
        self._lock = Lock()

    # Look-ups by one code

    def item(self, code: str) -> TariffItem:
        """Return the tariff item of a code in any accepted spelling (CodeSpellingError, UnknownCodeError)."""
        try:
            return self._items[code]
        except (KeyError, TypeError):
            return self._item_slowly(code)

    def has_item(self, code: object) -> bool:
        """Whether the table holds a code, in any accepted spelling. Never raises."""
        digits = fold_code(code)
        if digits is None:
            return False
        self._load()
        return digits in self._items

    def subheading(self, code: str) -> TariffSubheading:
        """Return the subheading of a six-digit code (of an eight-digit one: the subheading it lies in)."""
        digits = normalise_code(code)
        if len(digits) < 6:
            raise UnknownCodeError(f"{digits} is shorter than a subheading: six digits are needed")
        self._load()
        found = self._subheadings.get(digits[:6])
        if found is None:
            raise UnknownCodeError(self._why_no_subheading(digits[:6]))
        return found

    def heading_table(self, code: str) -> dict[str, Any]:
        """Return the complete heading of a 4-, 6- or 8-digit code as JSON-ready data, fresh on each call.

        A pure function of the code: `hs_code` (its digits), `heading`, `description` of the heading,
        `snapshot_date`, `subheadings` (all, with rates) and `items` (every one that the table holds).
        Raises CodeSpellingError, or UnknownCodeError where the table does not hold the heading.
        """
        digits = normalise_code(code)
        if len(digits) < 4:
            raise UnknownCodeError(f"{digits} is a chapter: ask for a heading (four, six or eight digits)")
        heading = digits[:4]
        if heading not in self._tables:
            self._load()
            if heading not in self._subheadings_of:
                raise UnknownCodeError(self._why_no_heading(heading))
            self._tables[heading] = (
                tuple(self._subheadings[six].as_row() for six in self._subheadings_of[heading]),
                tuple(self._items[eight].as_row() for eight in self.items(heading)),
            )
        subheadings, items = self._tables[heading]
        return {
            "hs_code": digits,
            "heading": heading,
            "description": self._headings[heading],
            "snapshot_date": SNAPSHOT_DATE,
            "subheadings": [row.copy() for row in subheadings],
            "items": [row.copy() for row in items],
        }

    def nomenclature_text(self, code: str) -> str:
        """Return the HS 2022 text of a 2-, 4- or 6-digit code (slow the first time)."""
        return nomenclature_text(code)

    def heading_description(self, heading: str) -> str:
        """Return our own wording of a heading of the table."""
        digits = normalise_code(heading)
        self._load()
        if digits not in self._headings:
            raise UnknownCodeError(self._why_no_heading(digits[:4]))
        return self._headings[digits]

    # Listings, in order of code

    def chapters(self) -> tuple[str, ...]:
        """Return the chapters of which the table holds a heading."""
        self._load()
        return tuple(dict.fromkeys(heading[:2] for heading in self._headings))

    def headings(self, chapter: str = "") -> tuple[str, ...]:
        """Return the headings of the table, or those of one chapter."""
        self._load()
        return tuple(heading for heading in self._headings if heading.startswith(chapter))

    def subheadings(self, prefix: str = "") -> tuple[str, ...]:
        """Return the subheadings of the table, or those that start with some digits."""
        self._load()
        if len(prefix) == 4:
            return self._subheadings_of.get(prefix, ())
        return tuple(six for six in self._subheadings if six.startswith(prefix))

    def items(self, prefix: str = "") -> tuple[str, ...]:
        """Return the tariff items of the table, or those that start with some digits."""
        self._load()
        if len(prefix) == 6:
            return self._items_of.get(prefix, ())
        if len(prefix) == 4:
            return tuple(eight for six in self._subheadings_of.get(prefix, ()) for eight in self._items_of.get(six, ()))
        return tuple(eight for eight in self._items if eight.startswith(prefix))

    def __len__(self) -> int:
        self._load()
        return len(self._items)

    def __iter__(self) -> Iterator[TariffItem]:
        self._load()
        return iter(self._items.values())

    # Inside

    def _item_slowly(self, code: str) -> TariffItem:
        """Fold the spelling, read the table if it was not, or say why there is no such item."""
        self._load()
        digits = normalise_item(code)
        found = self._items.get(digits)
        if found is None:
            raise UnknownCodeError(self._why_no_item(digits))
        return found

    def _why_no_item(self, digits: str) -> str:
        six = digits[:6]
        siblings = self._items_of.get(six, ())
        if siblings:
            return f"{digits} is no Indian item: subheading {six} has {_some(siblings)}"
        if six in self._subheadings:
            return f"{digits}: the table holds subheading {six} with its rates, but none of its items"
        return f"{digits} is not in the table: {self._why_no_subheading(six)}"

    def _why_no_subheading(self, six: str) -> str:
        known = self._subheadings_of.get(six[:4])
        if known:
            return f"heading {six[:4]} has no subheading {six}; it has {_some(known)}"
        return self._why_no_heading(six[:4])

    def _why_no_heading(self, heading: str) -> str:
        near = self.headings(heading[:2])
        others = f"; of chapter {heading[:2]} it holds {_some(near)}" if near else ""
        return f"the table of {SNAPSHOT_DATE} does not hold heading {heading}{others}"

    def _load(self) -> None:
        """Read the three files once; threads that come meanwhile wait."""
        if self._loaded:
            return
        with self._lock:
            if not self._loaded:
                self._read()
                self._loaded = True

    def _read(self) -> None:
        for code, description in _rows(self._folder / "headings.csv", _HEADING_COLUMNS):
            self._headings[code] = description
        items_of: dict[str, list[str]] = {}
        subheadings_of: dict[str, list[str]] = {}
        for code, description, *rates, in_table, mark in _rows(self._folder / "subheadings.csv", _SUBHEADING_COLUMNS):
            subheadings_of.setdefault(code[:4], []).append(code)
            low, high, igst, sws, aidc = map(per_cent, rates)
            self._subheadings[code] = TariffSubheading(
                code, description, low, high, igst, sws, aidc, in_table == "yes", mark
            )
        for row in _rows(self._folder / "items.csv", _ITEM_COLUMNS):
            items_of.setdefault(row[0][:6], []).append(row[0])
            self._items[row[0]] = TariffItem.from_fields(row)
        self._items_of = {six: tuple(codes) for six, codes in items_of.items()}
        self._subheadings_of = {four: tuple(codes) for four, codes in subheadings_of.items()}


def _rows(path: Path, columns: list[str]) -> Iterator[list[str]]:
    """Yield the rows of a table of `data/`; raises DataError where its columns are not those expected."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        if header != columns:
            raise DataError(f"{path.name}: expected the columns {', '.join(columns)}, got {', '.join(header)}")
        for row in rows:
            if len(row) != len(columns):
                raise DataError(
                    f"{path.name}: {shown(row[0] if row else 'a line')} has {len(row)} fields, expected {len(columns)}"
                )
            yield row


def _some(codes: tuple[str, ...]) -> str:
    """Return the first codes of a list as text, and how many more there are."""
    more = len(codes) - _NEIGHBOURS_SHOWN
    return ", ".join(codes[:_NEIGHBOURS_SHOWN]) + (f" and {more} more" if more > 0 else "")


@lru_cache(maxsize=1)
def load_schedule() -> TariffSchedule:
    """Return the one schedule of this process; its files are read when the first code is looked up."""
    return TariffSchedule()
