"""A full official schedule of the user's own, and the tariff that look-ups and keyword search see with it.

`storing` writes it as a snapshot file; the environment variable CUSTOMS_ENV_SCHEDULE names the one in force. The
lines of the package's own table stay what they are, for answers are graded by them; a loaded schedule adds the lines
that the table does not hold.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from customs_env.errors import DataError, InputError, UnknownCodeError
from customs_env.tariff.codes import normalise_code
from customs_env.tariff.lines import LEVIES, rate_number
from customs_env.tariff.nomenclature import nomenclature
from customs_env.tariff.schedule import TariffSchedule, load_schedule
from customs_env.versions import SNAPSHOT_DATE, VERSIONS

if TYPE_CHECKING:
    from customs_env.tariff.official import OfficialRow

#: Names the snapshot in force; unset, there is the package's table alone.
SCHEDULE_VARIABLE = "CUSTOMS_ENV_SCHEDULE"
SNAPSHOT_FORMAT = 1
#: What the `confidence` of a line from a loaded schedule reads.
LOADED = "loaded"
_LONGEST_MANIFEST = 2_000


class LookupSchedule:
    """The tariff as look-ups and keyword search see it: the package's table, and around it a loaded schedule.

    A function of code and snapshot alone. `digest` is empty where nothing is loaded.
    """

    def __init__(self, own: TariffSchedule, lines: Mapping[str, OfficialRow] | None = None, digest: str = "") -> None:
        self._own = own
        self._lines = dict(lines or {})
        self.digest = digest
        self._added: dict[str, list[OfficialRow]] = {}
        for code, line in sorted(self._lines.items()):
            if len(code) == 8 and not own.has_item(code):
                self._added.setdefault(code[:4], []).append(line)

    def heading_table(self, code: str) -> dict[str, Any]:
        """Return the complete heading of a 4-, 6- or 8-digit code: see TariffSchedule.heading_table.

        A rate that a loaded schedule does not state is None. Raises CodeSpellingError, UnknownCodeError.
        """
        digits = normalise_code(code)
        heading = digits[:4]
        added = self._added.get(heading)
        try:
            table = self._own.heading_table(digits)
        except UnknownCodeError:
            if added is None:
                raise
            table = {
                "hs_code": digits,
                "heading": heading,
                "description": self.text(heading),
                "snapshot_date": SNAPSHOT_DATE,
                "subheadings": [],
                "items": [],
            }
        if added is None:
            return table
        by_six: dict[str, list[OfficialRow]] = {}
        for line in added:
            by_six.setdefault(line.code[:6], []).append(line)
        subheadings = {row["subheading"]: row for row in table["subheadings"]}
        for six, lines in by_six.items():
            own = subheadings.get(six)
            if own is None or not (own["items_in_table"] or any("bcd_pct" not in line.rates for line in lines)):
                subheadings[six] = self._subheading_row(six, lines)  # what its lines say, which all stand below
            else:
                own["items_in_table"] = True
        table["subheadings"] = [subheadings[six] for six in sorted(subheadings)]
        items = [*table["items"], *(_item_row(line) for line in added)]
        table["items"] = sorted(items, key=lambda row: row["tariff_item"])
        return table

    def items(self) -> tuple[str, ...]:
        """Return the tariff items of both, in order of code."""
        return tuple(sorted({*self._own.items(), *(line.code for lines in self._added.values() for line in lines)}))

    def text(self, code: str) -> str:
        """Return the wording of a heading, subheading or tariff item: ours, else the loaded one, else that of the HS.

        Empty for a subheading or heading that none of them words.
        """
        try:
            if len(code) == 8:
                return self._own.item(code).description
            return self._own.subheading(code).description if len(code) == 6 else self._own.heading_description(code)
        except UnknownCodeError:
            line = self._lines.get(code)
            return line.description if line is not None else nomenclature().get(code, "")

    def _subheading_row(self, six: str, lines: list[OfficialRow]) -> dict[str, Any]:
        """Return the row of a subheading that the table does not hold: rates where its lines state them and agree."""
        rates = {levy: [line.rates.get(levy) for line in lines] for levy in LEVIES}
        bcd = [rate for rate in rates["bcd_pct"] if rate is not None]
        whole = len(bcd) == len(lines)
        same = {levy: stated[0] if len(set(stated)) == 1 else None for levy, stated in rates.items()}
        return {
            "subheading": six,
            "description": self.text(six),
            "bcd_pct_min": _shown(min(bcd)) if whole else None,
            "bcd_pct_max": _shown(max(bcd)) if whole else None,
            "igst_pct": _shown(same["igst_pct"]),
            "sws_pct": _shown(same["sws_pct"]),
            "aidc_pct": _shown(same["aidc_pct"]),
            "items_in_table": True,
            "confidence": LOADED,
        }


def lookup_schedule() -> LookupSchedule:
    """Return the tariff that look-ups see: with the schedule of CUSTOMS_ENV_SCHEDULE where that is set.

    A file is read once in a process. Raises InputError where it is no whole snapshot.
    """
    return _lookup_schedule(os.environ.get(SCHEDULE_VARIABLE, ""))


def versions_in_force() -> dict[str, str]:
    """Return what a published figure must carry: the versions, and the digest of a loaded schedule where one is."""
    digest = lookup_schedule().digest
    return {**VERSIONS, "schedule": digest} if digest else dict(VERSIONS)


@lru_cache(maxsize=8)
def _lookup_schedule(path: str) -> LookupSchedule:
    if not path:
        return LookupSchedule(load_schedule())
    try:
        lines, digest = _read(Path(path))
    except (OSError, DataError) as fault:
        reason = f"{path}: {getattr(fault, 'strerror', None) or fault}"
        raise InputError(
            "unusable_schedule", SCHEDULE_VARIABLE, "a file that `customs-env tariff load` wrote", reason
        ) from fault
    return LookupSchedule(load_schedule(), lines, digest)


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Return the first line of a snapshot, None where a file is no snapshot of the present format. Raises OSError."""
    with path.open("rb") as file:
        first = file.readline(_LONGEST_MANIFEST)
    try:
        manifest = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("format") == SNAPSHOT_FORMAT else None


def _read(path: Path) -> tuple[dict[str, OfficialRow], str]:
    """Return the lines of a snapshot and the short form of its digest; raise DataError where it is not whole."""
    if not path.is_file():
        raise DataError("no such file")
    from customs_env.tariff.official import read_official_text  # here: most processes load no schedule

    manifest = read_manifest(path)
    if manifest is None:
        raise DataError(f"it is no snapshot of format {SNAPSHOT_FORMAT}")
    content = path.read_bytes().partition(b"\n")[2]
    digest = sha256(content).hexdigest()
    if digest != manifest.get("sha256"):
        raise DataError("its lines are not those that it was written with")
    return read_official_text(path.name, content.decode("utf-8", "replace")).rows, digest[:16]


def _item_row(line: OfficialRow) -> dict[str, Any]:
    """Return the JSON-ready row that look-ups show of a loaded tariff item: the fields of TariffItem.as_row."""
    rates = {levy: _shown(line.rates.get(levy)) for levy in LEVIES}
    return {
        "tariff_item": line.code,
        "description": line.description,
        "unit": line.unit,
        "bcd_pct": rates.pop("bcd_pct"),
        "bcd_specific": "" if line.bcd_specific is None else str(line.bcd_specific),
        **rates,
        "confidence": LOADED,
    }


def _shown(rate: Decimal | None) -> int | float | None:
    return None if rate is None else rate_number(rate)
