"""Write an official schedule as the snapshot file that `loaded` reads: whole, or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
from hashlib import sha256
from pathlib import Path

from customs_env.errors import DataError
from customs_env.tariff.lines import LEVIES
from customs_env.tariff.loaded import SNAPSHOT_FORMAT, read_manifest
from customs_env.tariff.nomenclature import nomenclature
from customs_env.tariff.official import Faults, OfficialList

DEFAULT_FILE = "tariff_snapshot.csv"
_COLUMNS = ["code", "description", "unit", "bcd_specific", *LEVIES]
#: The chapter that India fills for itself: the Harmonized System has no subheadings there.
_NATIONAL = "98"


def store_schedule(official: OfficialList, source: str, path: Path) -> str:
    """Write a schedule as a snapshot, in place of an earlier one there; return its digest.

    The file is a line of JSON (format, source, counts, digest) and the lines as CSV.

    Raises:
        DataError: no tariff item, tariff items under subheadings that HS 2022 does not have, each named by line; or
            a path where something else than a snapshot lies. Nothing is written then.
    """
    items = sum(len(code) == 8 for code in official.rows)
    if not items:
        raise DataError(f"{source}: expected tariff items of 8 digits, got headings and subheadings alone")
    _refuse_unknown_subheadings(official, source)
    if os.path.lexists(path) and (not path.is_file() or (path.stat().st_size and read_manifest(path) is None)):
        raise DataError(f"{path}: expected a new file, or an earlier snapshot, got something else")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for code, row in sorted(official.rows.items()):
        specific = "" if row.bcd_specific is None else str(row.bcd_specific)
        rates = [format(row.rates[levy], "f") if levy in row.rates else "" for levy in LEVIES]
        writer.writerow([code, row.description, row.unit, specific, *rates])
    content = text.getvalue().encode("utf-8")
    digest = sha256(content).hexdigest()
    manifest = {
        "format": SNAPSHOT_FORMAT,
        "source": source[:200],
        "lines": len(official.rows),
        "tariff_items": items,
        "sha256": digest,
    }
    # Written beside its place and moved there in one go: a reader finds the old snapshot or the new one, whole
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        beside.write_bytes(json.dumps(manifest).encode("utf-8") + b"\n" + content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return digest


def _refuse_unknown_subheadings(official: OfficialList, source: str) -> None:
    known = nomenclature()
    faults = Faults(source)
    for code, row in official.rows.items():
        if code[:6] not in known and not code.startswith(_NATIONAL):
            faults.add(row.line, f"code: expected a code of HS 2022, got {code}")
    faults.stop_if_any()
