"""Write an official schedule as the snapshot folder that `loaded` reads: whole, or not at all."""

from __future__ import annotations

import csv
import io
import json
import secrets
import shutil
from hashlib import sha256
from pathlib import Path

from customs_env.errors import DataError
from customs_env.tariff.loaded import COLUMNS, LINES_FILE, MANIFEST_FILE, SNAPSHOT_FORMAT
from customs_env.tariff.nomenclature import nomenclature
from customs_env.tariff.official import Faults, OfficialList
from customs_env.tariff.schedule import LEVIES

DEFAULT_FOLDER = "tariff_snapshot"
#: Chapters that nations fill for themselves: the Harmonized System has no subheadings there.
_NATIONAL = ("98", "99")


def store_schedule(official: OfficialList, source: str, folder: Path) -> str:
    """Write a schedule as a snapshot folder, in place of an earlier one there; return its digest.

    Raises:
        DataError: tariff items under subheadings that HS 2022 does not have, each named by line; or a folder that
            holds something else than a snapshot. Nothing is written then.
    """
    _refuse_unknown_subheadings(official, source)
    if folder.exists() and not _is_snapshot(folder):
        raise DataError(f"{folder}: expected a new folder, or one that holds a snapshot, got something else")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for code, row in sorted(official.rows.items()):
        specific = "" if row.bcd_specific is None else str(row.bcd_specific)
        rates = [format(row.rates[levy], "f") if levy in row.rates else "" for levy in LEVIES]
        writer.writerow([code, row.description, row.unit, specific, *rates])
    content = text.getvalue().encode("utf-8")
    digest = sha256(content).hexdigest()
    manifest = {
        "format": SNAPSHOT_FORMAT,
        "source": source,
        "lines": len(official.rows),
        "tariff_items": sum(len(code) == 8 for code in official.rows),
        "sha256": digest,
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Written beside its place and then moved there: a reader finds the old snapshot or the new one, whole
    beside = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.new")
    old = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.old")
    try:
        beside.mkdir()
        (beside / LINES_FILE).write_bytes(content)
        (beside / MANIFEST_FILE).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if folder.exists():
            folder.rename(old)
        try:
            beside.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return digest


def _is_snapshot(folder: Path) -> bool:
    return folder.is_dir() and {path.name for path in folder.iterdir()} <= {LINES_FILE, MANIFEST_FILE}


def _refuse_unknown_subheadings(official: OfficialList, source: str) -> None:
    known = nomenclature()
    faults = Faults(source)
    for code, row in official.rows.items():
        if code[:6] not in known and not code.startswith(_NATIONAL):
            faults.add(row.line, f"code: expected a code of HS 2022, got {code}")
    faults.stop_if_any()
