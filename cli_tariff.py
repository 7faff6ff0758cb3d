"""`customs-env tariff`: hold the table against an official list, or load an official schedule for the look-ups."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from customs_env.tariff.check import Comparison, Difference, compare_with_igst_list, compare_with_schedule
from customs_env.tariff.loaded import SCHEDULE_VARIABLE, lookup_schedule
from customs_env.tariff.official import OfficialList, is_igst_list, read_igst_list, read_official_list
from customs_env.tariff.schedule import load_schedule
from customs_env.tariff.storing import DEFAULT_FILE, store_schedule

_HEAD = ("tariff item", "field", "table", "list", "because", "note of the row")
_WIDTHS = (12, 15, 8, 20, 21)


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `tariff check` and `tariff load` to the command line."""
    tariff = commands.add_parser("tariff", help="check the tariff table, or load an official schedule")
    actions = tariff.add_subparsers(dest="action", required=True, metavar="action")

    check = actions.add_parser("check", help="report every code and rate that an official list has otherwise")
    check.add_argument(
        "--against", type=Path, required=True, metavar="FILE",
        help="CSV: one code a row (code, bcd_percent, ...), or the IGST entries (igst_percent, include_prefixes, ...)",
    )  # fmt: skip
    check.add_argument("--unexplained", action="store_true", help="only what the rows of the table do not explain")
    check.add_argument(
        "--listed-only", action="store_true", help="only the codes that the list names: for a list of a few"
    )
    check.add_argument("--json", action="store_true", help="as JSON")
    check.set_defaults(run=_check)

    load = actions.add_parser("load", help="load a full official schedule for look-ups and keyword search")
    load.add_argument("file", type=Path, metavar="FILE", help="CSV: one code a row (code, description, ...)")
    load.add_argument(
        "--to", type=Path, default=Path(DEFAULT_FILE), metavar="SNAPSHOT",
        help=f"where the snapshot is written (default: {DEFAULT_FILE})",
    )  # fmt: skip
    load.set_defaults(run=_load)


def _check(options: argparse.Namespace) -> int:
    path: Path = options.against
    items = list(load_schedule())
    unused: tuple[str, ...] = ()
    if is_igst_list(path):
        entries = read_igst_list(path)
        if options.listed_only:
            items = [item for item in items if any(entry.reach(item.code) for entry in entries)]
        found = compare_with_igst_list(items, entries)
    else:
        official = read_official_list(path)
        unused = official.ignored_columns
        if options.listed_only:
            items = [item for item in items if item.code in official.rows]
        found = compare_with_schedule(items, official)
    wanted = found.unexplained if options.unexplained else found.differences
    if options.json:
        print(json.dumps(_as_json(found, wanted), indent=1))
    else:
        _print(found, wanted, len(items))
        if unused:
            print(f"columns not used: {', '.join(unused)}")
    return 1 if wanted else 0


def _as_json(found: Comparison, wanted: list[Difference]) -> dict[str, object]:
    return {
        "compared": dict(found.compared),
        "not_compared": dict(found.not_compared),
        "differences": len(found.differences),
        "unexplained": len(found.unexplained),
        "rows": [difference.to_dict() for difference in wanted],
    }


def _print(found: Comparison, wanted: list[Difference], items: int) -> None:
    if wanted:
        print(_line(_HEAD))
    for difference in wanted:
        print(_line(tuple(difference.to_dict().values())))
    print(f"{items:,} tariff items of the table; compared: {_counts(found.compared)}")
    if found.not_compared:
        print(f"not compared, for the list says nothing usable: {_counts(found.not_compared)}")
    unexplained = len(found.unexplained)
    explained = len(found.differences) - unexplained
    print(f"{len(found.differences):,} differences: {explained:,} explained in the rows, {unexplained:,} not")


def _line(fields: tuple[str, ...]) -> str:
    *cells, note = fields
    padded = (cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True))
    return f"{' '.join(padded)} {note}".rstrip()


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "nothing"


def _load(options: argparse.Namespace) -> int:
    path: Path = options.file
    official = read_official_list(path, needs=("code", "description"))
    snapshot: Path = options.to.absolute()
    digest = store_schedule(official, path.name, snapshot)
    _report(official, path, snapshot, digest)
    return 0


def _report(official: OfficialList, path: Path, snapshot: Path, digest: str) -> None:
    items = sum(len(code) == 8 for code in official.rows)
    print(f"{path.name}: {items:,} tariff items, {len(official.rows) - items:,} headings and subheadings loaded")
    stated = {levy: sum(levy in row.rates for row in official.rows.values()) for levy in official.levies}
    print(f"rates stated: {_counts(stated)}; look-ups answer null where a line states none")
    if official.left_out:
        print(f"left out by their status: {_counts(official.left_out)}")
    if official.ignored_columns:
        print(f"columns not used: {', '.join(official.ignored_columns)}")
    own = list(load_schedule())
    found = compare_with_schedule(own, official)
    print(
        f"the {len(own):,} items of the package's own table stay as they are, for answers are graded by them; "
        f"{len(found.differences):,} differences (customs-env tariff check --against {path})"
    )
    print(f"snapshot {digest[:16]} written to {snapshot}")
    print(f"to use it: export {SCHEDULE_VARIABLE}={snapshot}")
    if lookup_schedule().digest not in ("", digest[:16]):
        print(f"{SCHEDULE_VARIABLE} names another snapshot now", file=sys.stderr)
