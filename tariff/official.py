"""Official tariff lists as people have them: CSV files with a code in each row, read with every fault named by line.

Two kinds are read here: a schedule, one code a row with its text or its rates or both, and a list of the integrated
tax, one entry a row with the codes that it covers. The README names the columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from customs_env.errors import CodeSpellingError, DataError, shown
from customs_env.tariff.codes import LEVELS, normalise_code
from customs_env.tariff.lines import LEVIES, SpecificRate

#: Column names that say the same.
_SAME_COLUMN = {
    "bcd_percent": "bcd_pct", "sws_percent": "sws_pct", "aidc_percent": "aidc_pct", "igst_percent": "igst_pct",
    "health_cess_percent": "health_cess_pct", "hs_code": "code", "tariff_item": "code",
}  # fmt: skip
_KNOWN = frozenset({"code", "description", "unit", "status", "bcd_specific", *LEVIES})
#: What a `status` column may say of a row that counts; any other row is left out, and counted under its status.
USABLE_STATUS = frozenset({"", "ok", "gstn_fill"})
#: Units as the First Schedule abbreviates them, in the codes of the Bill of Entry.
_UNITS = {
    "u": "NOS", "kg": "KGS", "m2": "SQM", "m": "MTR", "pa": "PRS", "l": "LTR", "m3": "CBM", "g": "GMS", "cm": "CTM",
    "mt": "MTS", "tu": "THD", "nos": "NOS", "kgs": "KGS", "doz": "DOZ", "prs": "PRS",
}  # fmt: skip
UNIT_CODES = frozenset(_UNITS.values()) | {"SET", "TON", "KWH", "GRS"}
LONGEST_TEXT = 4_000
LONGEST_STATUS = 40
MOST_ROWS = 200_000
MOST_COLUMNS = 100
MOST_BYTES = 64 * 1024 * 1024
HIGHEST_PCT = 3_000
#: How many bad lines a message names.
FAULTS_SHOWN = 20

_PER_CENT = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4})?) ?%?")
#: `20% or Rs. 130 per sq. metre, whichever is higher`: a percentage, and an amount that is payable where it is more.
_COMPOUND = re.compile(
    r"([0-9]{1,4}(?:\.[0-9]{1,4})?) ?% or Rs\.? ?([0-9]{1,6}(?:\.[0-9]{1,2})?) ?per "
    r"(?:(?P<area>sq\.? ?(?:met(?:re|er)|m)?|sqm)|kg)\.?(?:,? ?whichever is (?:higher|more))?"
)
_SPECIFIC = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,2})?) INR/([A-Z]{3})")
_NOTHING = frozenset({"free", "nil"})
#: What a spreadsheet makes of a code that it takes for a number, or for a formula.
_SPREADSHEET = re.compile(r"[0-9]+\.0|[0-9.]+[eE]\+?[0-9]+|=.*")
#: A column of so many rates or more, all of them below 1, holds fractions and no percentages.
_FEWEST_TO_JUDGE = 3


@dataclass(frozen=True, slots=True)
class OfficialRow:
    """One row: `rates` holds the levies that it states, in per cent; `bcd_specific` is None where it states none."""

    line: int
    code: str
    description: str
    unit: str
    rates: Mapping[str, Decimal]
    bcd_specific: SpecificRate | None


@dataclass(frozen=True, slots=True)
class IgstEntry:
    """One entry of a list of the integrated tax: the codes it covers, and its scope where that is not all goods."""

    line: int
    igst_pct: Decimal
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    scope: str

    def reach(self, code: str) -> int:
        """Return how many digits of a code the entry names: 0 where it does not cover the code."""
        if any(code.startswith(prefix) for prefix in self.excluded):
            return 0
        return max((len(prefix) for prefix in self.included if code.startswith(prefix)), default=0)


@dataclass(slots=True)
class OfficialList:
    """A schedule: its rows by code, the levies that it has columns for, the rows that a status left out."""

    rows: dict[str, OfficialRow] = field(default_factory=dict)
    levies: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)
    #: code -> status of the rows left out
    left_out_codes: dict[str, str] = field(default_factory=dict)
    ignored_columns: tuple[str, ...] = ()


class Faults:
    """Collects the faults of a file by line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: list[str] = []
        self._count = 0

    def add(self, line: int, fault: str) -> None:
        self._count += 1
        if self._count <= FAULTS_SHOWN:
            self._found.append(f"  line {line}: {fault}")

    def stop_if_any(self) -> None:
        if self._count:
            more = self._count - len(self._found)
            tail = [f"  and {more} more"] if more else []
            head = f"{self._name}: nothing was read, {self._count} bad line{'s' if self._count > 1 else ''}"
            raise DataError("\n".join([head, *self._found, *tail]))


def is_igst_list(path: Path) -> bool:
    """Whether a file is a list of the integrated tax by the codes that its entries cover. Raises DataError."""
    return "include_prefixes" in _columns(path.name, next(_lines(path))[1])


def read_official_list(path: Path, needs: tuple[str, ...] = ("code",)) -> OfficialList:
    """Read a schedule: every row, or none.

    Args:
        path: a CSV file in UTF-8, first line the column names.
        needs: columns that must be there.

    Raises:
        DataError: not such a file; or bad rows, each named by line, field, what was expected and what came.
    """
    return _read_schedule(path.name, _lines(path), needs)


def read_official_text(name: str, text: str) -> OfficialList:
    """Read a schedule that is in memory already; see read_official_list."""
    return _read_schedule(name, _rows(name, text), ("code", "description"))


def _read_schedule(name: str, lines: Iterator[tuple[int, list[str]]], needs: tuple[str, ...]) -> OfficialList:
    _, header = next(lines)
    columns = _columns(name, header)
    missing = [column for column in needs if column not in columns]
    if missing:
        raise DataError(f"{name}: expected {_columns_text(missing)} in the first line, got {shown(', '.join(header))}")
    found = OfficialList(
        levies=tuple(levy for levy in LEVIES if levy in columns),
        ignored_columns=tuple(column for column in columns if column not in _KNOWN),
    )
    faults = Faults(name)
    for line, row in _records(columns, lines, faults):
        status = row.get("status", "")
        try:
            code = _code(row["code"])
            if code in found.rows or code in found.left_out_codes:
                raise DataError(f"code: expected each code once, got {code} a second time")
            if len(status) > LONGEST_STATUS:
                raise DataError(f"status: expected at most {LONGEST_STATUS} characters, got {len(status)}")
            if status not in USABLE_STATUS:
                found.left_out[shown(status)] += 1
                found.left_out_codes[code] = status
                continue
            found.rows[code] = _row(line, code, row, described="description" in needs)
        except DataError as fault:
            faults.add(line, str(fault))
    faults.stop_if_any()
    _refuse_fractions(name, found)
    if not found.rows:
        raise DataError(f"{name}: expected at least one usable row, got none")
    return found


def read_igst_list(path: Path) -> list[IgstEntry]:
    """Read a list of the integrated tax: columns igst_percent, include_prefixes, exclude_prefixes, scope.

    Raises:
        DataError: not such a file, or bad rows, each named by line.
    """
    lines = _lines(path)
    _, header = next(lines)
    columns = _columns(path.name, header)
    missing = [name for name in ("igst_pct", "include_prefixes") if name not in columns]
    if missing:
        raise DataError(f"{path.name}: expected {_columns_text(missing)}, got {shown(', '.join(header))}")
    faults, entries = Faults(path.name), []
    for line, row in _records(columns, lines, faults):
        try:
            rate = _per_cent("igst_percent", row["igst_pct"]) if row["igst_pct"] else None
            included = _prefixes("include_prefixes", row["include_prefixes"])
            excluded = _prefixes("exclude_prefixes", row.get("exclude_prefixes", ""))
            scope = row.get("scope", "")
            scope = "" if scope.lower() == "all" else scope
            if rate is None:
                raise DataError("igst_percent: expected a rate, got a blank")
            if not included and not scope:
                raise DataError("include_prefixes: expected codes, or a scope in words, got neither")
            entries.append(IgstEntry(line, rate, included, excluded, scope))
        except DataError as fault:
            faults.add(line, str(fault))
    faults.stop_if_any()
    if not entries:
        raise DataError(f"{path.name}: expected at least one entry, got none")
    return entries


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Return line number and fields of each row of a file that is not empty, the header first."""
    if not path.is_file():
        raise DataError(f"{path}: expected a file, got {'a folder' if path.is_dir() else 'none'}")
    if path.stat().st_size > MOST_BYTES:
        raise DataError(f"{path.name}: expected at most {MOST_BYTES:,} bytes, got {path.stat().st_size:,}")
    content = path.read_bytes()
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{path.name}: expected text in UTF-8, got UTF-16: save it as CSV UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise DataError(f"{path.name}: expected text in UTF-8, got a byte that is none at {fault.start:,}") from fault
    return _rows(path.name, text)


def _rows(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    count = 0
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            count += 1
            if count > MOST_ROWS or len(fields) > MOST_COLUMNS:
                raise DataError(f"{name}: expected at most {MOST_ROWS:,} rows of {MOST_COLUMNS} fields, got more")
            yield reader.line_num, fields
    except csv.Error as fault:
        raise DataError(f"{name}, line {reader.line_num}: {fault}") from fault
    if not count:
        raise DataError(f"{name}: expected a first line of column names, got an empty file")


def _records(
    columns: list[str], lines: Iterator[tuple[int, list[str]]], faults: Faults
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and fields by column; a row of too many or too few is a fault."""
    for line, fields in lines:
        if len(fields) == len(columns):
            yield line, dict(zip(columns, (text.strip() for text in fields), strict=True))
        else:
            faults.add(line, f"expected {len(columns)} fields, got {len(fields)}")


def _columns(name: str, header: list[str]) -> list[str]:
    """Return the column names in our own spelling."""
    names = [title.strip().lower() for title in header]
    if len(names) == 1 and (parting := next((mark for mark in ";\t|" if mark in names[0]), "")):
        raise DataError(f"{name}: expected commas between the columns, got {parting!r}")
    if "" in names:
        raise DataError(f"{name}: expected column names in the first line, got {shown(', '.join(header))}")
    columns = [_SAME_COLUMN.get(title, title) for title in names]
    twice = [column for column, count in Counter(columns).items() if count > 1]
    if twice:
        raise DataError(f"{name}: expected each column once, got {shown(', '.join(twice))} twice")
    return columns


def _columns_text(names: list[str]) -> str:
    return f"the column{'s' if len(names) > 1 else ''} {', '.join(names)}"


def _code(text: str) -> str:
    if _SPREADSHEET.fullmatch(text):
        raise DataError(f"code: a spreadsheet took it for a number: format the column as text, got {shown(text)}")
    try:
        return normalise_code(text)
    except CodeSpellingError as fault:
        raise DataError(f"code: {fault}") from fault


def _row(line: int, code: str, row: Mapping[str, str], described: bool) -> OfficialRow:
    description = " ".join(row.get("description", "").split())
    if described and not description:
        raise DataError("description: expected the text of the line, got a blank")
    if len(description) > LONGEST_TEXT or not description.isprintable():
        raise DataError(f"description: expected at most {LONGEST_TEXT:,} printable characters, got {len(description)}")
    unit = row.get("unit", "")
    if len(unit) > 20 or not unit.isprintable():
        raise DataError(f"unit: expected at most 20 printable characters, got {shown(unit)}")
    rates: dict[str, Decimal] = {}
    specific = _specific(row.get("bcd_specific", ""))
    for levy in LEVIES:
        text = row.get(levy, "")
        compound = _COMPOUND.fullmatch(text) if levy == "bcd_pct" else None
        if compound:
            if specific is not None:
                raise DataError("bcd_specific: expected the amount in one column, got it in two")
            specific = SpecificRate(Decimal(compound[2]), "SQM" if compound["area"] else "KGS")
            text = compound[1]
        rate = _per_cent(levy, text)
        if rate is not None:
            rates[levy] = rate
    if (rates or specific) and len(code) < 8:
        raise DataError(
            f"{next(iter(rates), 'bcd_specific')}: expected rates on tariff items of 8 digits, got one on {code}"
        )
    return OfficialRow(line, code, description, _UNITS.get(unit.lower().rstrip("."), unit), rates, specific)


def _refuse_fractions(name: str, found: OfficialList) -> None:
    for levy in found.levies:
        stated = [row.rates[levy] for row in found.rows.values() if row.rates.get(levy)]
        if len(stated) >= _FEWEST_TO_JUDGE and max(stated) < 1:
            raise DataError(f"{name}: {levy}: expected per cent such as 7.5, got fractions such as {stated[0]}")


def _per_cent(name: str, text: str) -> Decimal | None:
    """Return a rate in per cent, None for a blank."""
    if not text:
        return None
    if text.lower() in _NOTHING:
        return Decimal(0)
    match = _PER_CENT.fullmatch(text)
    if match is None:
        raise DataError(f"{name}: expected a percentage such as 7.5, or Free, got {shown(text)}")
    rate = Decimal(match[1])
    if rate > HIGHEST_PCT:
        raise DataError(f"{name}: expected at most {HIGHEST_PCT:,} per cent, got {match[1]}")
    return rate


def _specific(text: str) -> SpecificRate | None:
    if not text:
        return None
    match = _SPECIFIC.fullmatch(text)
    if match is None or match[2] not in UNIT_CODES or not float(match[1]):
        raise DataError(f"bcd_specific: expected an amount for a unit such as 24 INR/SQM, got {shown(text)}")
    return SpecificRate(Decimal(match[1]), match[2])


def _prefixes(name: str, text: str) -> tuple[str, ...]:
    prefixes = tuple(text.split())
    for prefix in prefixes:
        if not (prefix.isascii() and prefix.isdigit() and len(prefix) in LEVELS):
            raise DataError(f"{name}: expected codes of 2, 4, 6 or 8 digits between blanks, got {shown(prefix)}")
    return prefixes
