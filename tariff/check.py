"""The table held against an official list: every code and every rate that the two do not have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from customs_env.tariff.lines import TariffItem
from customs_env.tariff.official import IgstEntry, OfficialList

#: The integrated tax of goods that no entry names, in per cent.
RESIDUAL_IGST_PCT = Decimal(18)
#: Entries of a scope "in any chapter" name chapters only; they cover single goods, so they are no rate of an item.
LEAST_REACH_OF_A_SCOPE = 4
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the table and the list say differently; `because` is empty where the row does not explain it."""

    code: str
    field: str
    ours: str
    theirs: str
    because: str
    note: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the difference as JSON-ready data."""
        return {
            "tariff_item": self.code,
            "field": self.field,
            "table": self.ours,
            "list": self.theirs,
            "because": self.because,
            "note": self.note,
        }


@dataclass(slots=True)
class Comparison:
    """What was compared and what differs, in order of the code."""

    differences: list[Difference] = field(default_factory=list)
    #: field -> how many items were compared in it
    compared: Counter[str] = field(default_factory=Counter)
    #: field, or status of the list -> how many items the list says nothing usable of
    not_compared: Counter[str] = field(default_factory=Counter)

    @property
    def unexplained(self) -> list[Difference]:
        """Return the differences that no row explains."""
        return [difference for difference in self.differences if not difference.because]


def compare_with_schedule(items: Iterable[TariffItem], official: OfficialList) -> Comparison:
    """Hold items against a schedule: their codes, those of their subheadings, and each levy that the list states.

    A blank rate of the list is not compared. A row that the list's status leaves out counts as no row where the list
    is one of codes alone, and is not compared where it has rates.
    """
    found = Comparison()
    ours = {item.code: item for item in items}
    for item in ours.values():
        row = official.rows.get(item.code)
        if row is None:
            status = official.left_out_codes.get(item.code)
            if status is not None and official.levies:
                found.not_compared[f"status {status}"] += 1
                continue
            found.compared["code"] += 1
            found.differences.append(_difference(item, "code", "held", f"status {status}" if status else ABSENT))
            continue
        found.compared["code"] += 1
        for levy in official.levies:
            theirs = row.rates.get(levy)
            if theirs is None:
                found.not_compared[levy] += 1
                continue
            found.compared[levy] += 1
            own = getattr(item, levy)
            if own != theirs:
                found.differences.append(_difference(item, levy, _text(own), _text(theirs)))
            if levy == "bcd_pct" and row.bcd_specific is not None and row.bcd_specific != item.bcd_specific:
                specific = "" if item.bcd_specific is None else str(item.bcd_specific)
                found.differences.append(_difference(item, "bcd_specific", specific, str(row.bcd_specific)))
    subheadings = {code[:6] for code in ours}
    for code in official.rows:
        if len(code) == 8 and code[:6] in subheadings and code not in ours:
            found.differences.append(Difference(code, "code", ABSENT, "held", ""))
    found.differences.sort(key=lambda difference: (difference.code, difference.field))
    return found


def compare_with_igst_list(items: Iterable[TariffItem], entries: Sequence[IgstEntry]) -> Comparison:
    """Hold the integrated tax of items against the entries of a list.

    A rate agrees that is the one of the entry for all goods that names most digits of the code (18 without one), or
    that of an entry which covers some goods of the code: which goods those are, a list of codes does not say.
    """
    found = Comparison()
    by_start: dict[str, list[IgstEntry]] = {}
    for entry in entries:
        for start in {prefix[:2] for prefix in entry.included}:
            by_start.setdefault(start, []).append(entry)
    for item in items:
        possible = _igst_rates(item.code, by_start.get(item.code[:2], []))
        found.compared["igst_pct"] += 1
        if item.igst_pct not in possible:
            theirs = " or ".join(_text(rate) for rate in sorted(possible))
            found.differences.append(_difference(item, "igst_pct", _text(item.igst_pct), theirs))
    found.differences.sort(key=lambda difference: difference.code)
    return found


def _igst_rates(code: str, entries: Iterable[IgstEntry]) -> set[Decimal]:
    """Return the rates that a list allows for a code."""
    reached = [(entry.reach(code), entry) for entry in entries]
    of_all = [(reach, entry.igst_pct) for reach, entry in reached if reach and not entry.scope]
    furthest = max((reach for reach, _ in of_all), default=0)
    rates = {rate for reach, rate in of_all if reach == furthest} or {RESIDUAL_IGST_PCT}
    return rates | {entry.igst_pct for reach, entry in reached if entry.scope and reach >= LEAST_REACH_OF_A_SCOPE}


def _difference(item: TariffItem, name: str, ours: str, theirs: str) -> Difference:
    because = dict(_explained(item.differs)).get(f"{name} {theirs}", "")
    return Difference(item.code, name, ours, theirs, because, item.note)


def _explained(differs: str) -> Iterator[tuple[str, str]]:
    """Yield `field value` and reason of each part of a row's `differs`."""
    for part in differs.split("; "):
        what, _, because = part.partition(": ")
        yield what, because


def _text(rate: Decimal) -> str:
    return f"{rate.normalize():f}"
