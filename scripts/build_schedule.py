"""Build tariff/data/items.csv, subheadings.csv and headings.csv from the goods families and a reference folder.

    python scripts/build_schedule.py REFERENCE_DIR [PARTS_DIR]

The goods families (goods/families/*.json) say which tariff items goods answer to. The reference folder gives the
Indian tariff list, the First Schedule of mid 2024 and the IGST schedule of 22-09-2025; none of its texts is copied.
scripts/schedule_rates.csv holds what the law changed since, other levies and the IGST entries judged by hand, each
with its source and confidence. Descriptions are our own: PARTS_DIR/desc_*.csv (code,description,unit),
sub_*.csv and head_*.csv (code,description); a code that no part describes keeps the wording of the present table.
Anything missing stops the build with a list of what is missing.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from customs_env.tariff.check import (
    ABSENT,
    LEAST_REACH_OF_A_SCOPE,
    RESIDUAL_IGST_PCT,
    compare_with_igst_list,
    compare_with_schedule,
)
from customs_env.tariff.lines import TariffItem
from customs_env.tariff.official import UNIT_CODES, IgstEntry, read_igst_list, read_official_list

ROOT = Path(__file__).resolve().parents[1]
GOODS = ROOT / "goods" / "families"
DATA = ROOT / "tariff" / "data"
RATES = ROOT / "scripts" / "schedule_rates.csv"

LONGEST_DESCRIPTION = 90
TEXTILES = tuple(str(chapter) for chapter in range(50, 64))

BLANK = {"description": "", "unit": ""}

ITEM_COLUMNS = [
    *("code", "description", "unit", "bcd_pct", "bcd_specific", "sws_pct", "aidc_pct", "health_cess_pct", "igst_pct"),
    *("source", "confidence", "note", "differs"),
]
SUBHEADING_COLUMNS = [
    *("code", "description", "bcd_pct_min", "bcd_pct_max", "igst_pct", "sws_pct", "aidc_pct", "items_in_table"),
    "confidence",
]


@dataclass(frozen=True)
class Rate:
    """A value of one levy, where it comes from and how sure it is."""

    value: str
    confidence: str
    source: str
    note: str = ""
    #: why it is not what the reference lists say: one of the reasons that tariff/data/README.md explains
    differs: str = ""


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file; a row of too many or too few fields stops the build, as it would lose a part."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise SystemExit(f"{path.name}, line {reader.line_num}: expected {len(reader.fieldnames or ())} fields")
            rows.append(row)
        return rows


class RateBook:
    """Answers, for any tariff item, the rate of each levy on the snapshot date."""

    def __init__(self, reference: Path) -> None:
        self.first_schedule = read_official_list(reference / "bcd_statutory_2024.csv")
        self.igst_list = read_igst_list(reference / "igst_2025_09_22.csv")
        self.by_hand: dict[str, dict[str, Rate]] = {}
        for row in read(RATES):
            for prefix in row["prefixes"].split():
                rates = self.by_hand.setdefault(row["levy"], {})
                if prefix in rates:
                    raise SystemExit(f"{RATES.name}: {row['levy']} of {prefix} stands twice")
                rates[prefix] = Rate(row["value"], row["confidence"], row["source"], row["note"], row["differs"])
        self.missing: set[str] = set()

    def hand(self, levy: str, code: str) -> Rate | None:
        """Return the rate of the longest prefix of `code` that was entered by hand."""
        rates = self.by_hand.get(levy, {})
        for length in range(8, 1, -1):
            if code[:length] in rates:
                return rates[code[:length]]
        return None

    def bcd(self, code: str) -> tuple[Rate, str]:
        """Return the basic duty in per cent, and the specific alternative (or "")."""
        specific = self.hand("bcd_specific", code)
        found = self.hand("bcd", code)
        if found is None:
            row = self.first_schedule.rows.get(code)
            text = format(row.rates["bcd_pct"], "f") if row and "bcd_pct" in row.rates else ""
            if row and row.bcd_specific:
                return Rate(text, "checked", "FS2024"), str(row.bcd_specific)
            found = Rate(text, "checked", "FS2024") if text else self.hand("bcd_else", code)
            if found is None:
                self.missing.add(f"bcd of {code}: neither in the First Schedule's parse nor entered by hand")
                return Rate("0", "assumed", ""), ""
        if specific is None and code.startswith(TEXTILES) and self.sws(code).value == "0":
            # the textile lines that 11/2018-Customs exempts from SWS are those with an alternative amount
            found = Rate(found.value, "assumed", found.source, "alternative specific rate may apply", found.differs)
        return found, "" if specific is None else specific.value

    def sws(self, code: str) -> Rate:
        return self.hand("sws", code) or Rate("10", "checked", "")

    def aidc(self, code: str) -> Rate:
        return self.hand("aidc", code) or Rate("0", "checked", "")

    def health_cess(self, code: str) -> Rate:
        return self.hand("health_cess", code) or Rate("0", "checked", "")

    def igst_rate(self, code: str) -> Rate:
        """Return the IGST: by hand, else the entry for all goods; a scope nobody judged is a missing decision."""
        by_hand = self.hand("igst", code)
        hand_length = next((n for n in range(8, 1, -1) if code[:n] in self.by_hand.get("igst", {})), 0)
        best, best_length = None, 0
        scoped: list[tuple[IgstEntry, int]] = []
        for entry in self.igst_list:
            length = entry.reach(code)
            if length and entry.scope:
                scoped.append((entry, length))
            elif length > best_length:
                best, best_length = Rate(format(entry.igst_pct, "f"), "checked", "IGST9-2025"), length
        if by_hand is not None and hand_length >= best_length:
            best, best_length = by_hand, hand_length
        # a scope of a whole chapter names few goods; one as narrow as the best entry needs a judgement
        open_scopes = [
            entry for entry, n in scoped if n >= LEAST_REACH_OF_A_SCOPE and n > hand_length and n >= best_length
        ]
        rates = {format(entry.igst_pct, "f") for entry in open_scopes} | ({best.value} if best else set())
        if open_scopes and len(rates) > 1:
            scopes = "; ".join(f"line {entry.line}, {entry.igst_pct} %: {entry.scope}" for entry in open_scopes)
            self.missing.add(f"igst of {code[:4]}: judge by hand: {scopes}")
        if best is None and open_scopes:
            best = Rate(format(open_scopes[0].igst_pct, "f"), "checked", "IGST9-2025")
        return best or Rate(format(RESIDUAL_IGST_PCT, "f"), "checked", "IGST9-2025", "residual rate")

    def unit(self, code: str) -> str:
        row = self.first_schedule.rows.get(code)
        return "" if row is None else row.unit


def families() -> set[str]:
    """Return the tariff items that the goods families answer to."""
    return {
        row["tariff_item"]
        for path in sorted(GOODS.glob("*.json"))
        for row in json.loads(path.read_text(encoding="utf-8"))["items"]
    }


def descriptions(parts: Path | None, kind: str, table: str) -> dict[str, dict[str, str]]:
    """Return our own wordings: those of the present table, then those of the parts."""
    present = DATA / f"{table}.csv"
    found = {row["code"]: row for row in read(present)} if present.exists() else {}
    for path in sorted(parts.glob(f"{kind}_*.csv")) if parts else ():
        found.update((row["code"], row) for row in read(path) if row["description"].strip())
    return found


def joined(values: Iterable[str]) -> str:
    return " + ".join(dict.fromkeys(value for value in values if value))


def item_row(code: str, book: RateBook, wording: dict[str, str]) -> dict[str, str]:
    """Return the row of one tariff item."""
    bcd, specific = book.bcd(code)
    levies = (bcd, book.sws(code), book.aidc(code), book.health_cess(code), book.igst_rate(code))
    sure = all(rate.confidence == "checked" for rate in levies)
    unit = wording.get("unit", "").strip() or book.unit(code)
    if unit not in UNIT_CODES:
        book.missing.add(f"unit of {code}: got {unit!r}")
    return {
        "code": code,
        "description": wording["description"].strip(),
        "unit": unit,
        "bcd_pct": bcd.value,
        "bcd_specific": specific,
        "sws_pct": levies[1].value,
        "aidc_pct": levies[2].value,
        "health_cess_pct": levies[3].value,
        "igst_pct": levies[4].value,
        "source": joined(rate.source for rate in levies),
        "confidence": "checked" if sure else "assumed",
        "note": joined(rate.note for rate in levies).replace(" + ", "; "),
        "differs": "",
    }


def explain_differences(rows: list[dict[str, str]], book: RateBook) -> None:
    """Write into each row why it is not what the reference lists say; a difference without a reason is missing."""
    by_code = {row["code"]: row for row in rows}
    items = [TariffItem.from_fields([row[column] for column in ITEM_COLUMNS]) for row in rows]
    first_schedule = compare_with_schedule(items, book.first_schedule)
    igst = compare_with_igst_list(items, book.igst_list)
    why: dict[str, list[str]] = {}
    for difference in (*first_schedule.differences, *igst.differences):
        code = difference.code
        if difference.theirs == ABSENT:
            because = "incomplete list"
        else:
            rate = book.igst_rate(code) if difference.field == "igst_pct" else book.bcd(code)[0]
            because = rate.differs
        if not because:
            book.missing.add(f"{difference.field} of {code}: {difference.ours}, but {difference.theirs} in the list")
        why.setdefault(code, []).append(f"{difference.field} {difference.theirs}: {because}")
    for code, reasons in why.items():
        if code in by_code:
            by_code[code]["differs"] = "; ".join(reasons)


def subheading_row(six: str, items: list[str], in_table: bool, book: RateBook, text: str) -> dict[str, str]:
    """Return the row of one subheading: the range of basic duty over its Indian items, and the usual other rates."""
    bcd = [book.bcd(code)[0] for code in items]
    others = [[rate(code) for code in items] for rate in (book.igst_rate, book.sws, book.aidc)]
    usual = [Counter(rate.value for rate in rates).most_common(1)[0][0] for rates in others]
    uniform = all(len({rate.value for rate in rates}) == 1 for rates in others)
    sure = uniform and all(rate.confidence == "checked" for rates in (bcd, *others) for rate in rates)
    percentages = sorted((rate.value for rate in bcd), key=float)
    return {
        "code": six,
        "description": text.strip(),
        "bcd_pct_min": percentages[0],
        "bcd_pct_max": percentages[-1],
        "igst_pct": usual[0],
        "sws_pct": usual[1],
        "aidc_pct": usual[2],
        "items_in_table": "yes" if in_table else "no",
        "confidence": "checked" if sure else "assumed",
    }


def write(name: str, columns: list[str], rows: list[dict[str, str]]) -> None:
    with (DATA / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def build(reference: Path, parts: Path | None) -> None:
    book = RateBook(reference)
    usable = set(read_official_list(reference / "itchs_india_8digit.csv").rows)
    nomenclature = {row["code"] for row in read(reference / "hs2022_nomenclature.csv") if row["level"] == "6"}
    answers = families()
    missing = {f"item {code}: a goods family answers to it, but it is no Indian item" for code in answers - usable}
    touched = {code[:6] for code in answers}
    headings = sorted({code[:4] for code in answers})
    items = sorted(code for code in usable if code[:6] in touched)
    subheadings = sorted(six for six in nomenclature if six[:4] in set(headings))
    texts = {
        "item": descriptions(parts, "desc", "items"),
        "subheading": descriptions(parts, "sub", "subheadings"),
        "heading": descriptions(parts, "head", "headings"),
    }
    for kind, codes in (("item", items), ("subheading", subheadings), ("heading", headings)):
        for code in codes:
            text = texts[kind].get(code, {}).get("description", "").strip()
            if not text:
                missing.add(f"{kind} {code}: no description")
            elif kind == "item" and len(text) > LONGEST_DESCRIPTION:
                missing.add(f"{kind} {code}: description of {len(text)} characters, at most {LONGEST_DESCRIPTION}")
    indian: dict[str, list[str]] = {}
    for code in sorted(usable):
        indian.setdefault(code[:6], []).append(code)
    missing |= {f"subheading {six}: no Indian item, so no rates" for six in subheadings if six not in indian}
    item_rows = [item_row(code, book, texts["item"].get(code, BLANK)) for code in items]
    subheading_rows = [
        subheading_row(six, indian[six], six in touched, book, texts["subheading"].get(six, BLANK)["description"])
        for six in subheadings
        if six in indian
    ]
    explain_differences(item_rows, book)
    missing |= book.missing
    if missing:
        raise SystemExit("\n".join(sorted(missing)) + f"\nnothing written: {len(missing)} things are missing")
    write("items.csv", ITEM_COLUMNS, item_rows)
    write("subheadings.csv", SUBHEADING_COLUMNS, subheading_rows)
    write(
        "headings.csv",
        ["code", "description"],
        [{"code": h, "description": texts["heading"][h]["description"].strip()} for h in headings],
    )
    marks = Counter(row["confidence"] for row in item_rows)
    print(
        f"{len(answers)} items answered to, {len(items)} items, {len(subheadings)} subheadings, "
        f"{len(headings)} headings, {len({h[:2] for h in headings})} chapters; "
        f"items checked {marks['checked']}, assumed {marks['assumed']}"
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
