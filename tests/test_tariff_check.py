"""The table held against official lists: what differs is told, and explained in its row or not."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from official_lists import written

from customs_env.cli import main
from customs_env.tariff.check import compare_with_igst_list, compare_with_schedule
from customs_env.tariff.official import read_igst_list, read_official_list
from customs_env.tariff.schedule import load_schedule

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the reference folder is not here")
OWN = load_schedule()
#: The reasons that a row may give.
BECAUSE = {
    "later law", "concession", "nil list", "outside GST", "entry by description", "suspect source", "incomplete list",
}  # fmt: skip


def as_list(folder: Path, change: dict[str, str] | None = None, drop: str = "", add: str = "") -> Path:
    changed = change or {}
    lines = ["code,bcd_pct"]
    lines += [f"{item.code},{changed.get(item.code, item.bcd_pct)}" for item in OWN if item.code != drop]
    return written(folder, "\n".join(lines) + f"\n{add}\n")


def test_the_table_agrees_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tariff", "check", "--against", str(as_list(tmp_path))]) == 0
    assert "0 differences" in capsys.readouterr().out


def test_a_changed_rate_a_missing_and_a_new_code_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = as_list(tmp_path, {"85176210": "12.5"}, drop="85176220", add="85176298,20")
    assert main(["tariff", "check", "--against", str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    found = {(row["tariff_item"], row["field"], row["table"], row["list"]) for row in told["rows"]}
    assert ("85176210", "bcd_pct", str(OWN.item("85176210").bcd_pct), "12.5") in found
    assert ("85176220", "code", "held", "absent") in found
    assert ("85176298", "code", "absent", "held") in found
    assert told["differences"] == len(found) == 3


def test_a_list_of_a_few_can_be_held_against_its_own_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "code,bcd_rate,bcd_pct\n85176210,1,99\n")
    assert main(["tariff", "check", "--against", str(path), "--listed-only"]) == 1
    said = capsys.readouterr().out
    assert "1 differences" in said and "columns not used: bcd_rate" in said
    path = written(tmp_path, "igst_percent,include_prefixes\n18,851762\n")
    assert main(["tariff", "check", "--against", str(path), "--listed-only"]) == 0


def test_an_explanation_holds_for_the_value_that_it_explains_and_no_other(tmp_path: Path) -> None:
    item = next(item for item in OWN if item.differs.startswith("bcd_pct "))
    theirs = item.differs.split(": ")[0].split()[1]
    for value, explained in ((theirs, True), ("77", False)):
        found = compare_with_schedule([item], read_official_list(as_list(tmp_path, {item.code: value})))
        (difference,) = (d for d in found.differences if d.field == "bcd_pct")
        assert bool(difference.because) is explained


@pytest.mark.parametrize(
    ("code", "rates"), [("85176210", "28"), ("85176220", "18"), ("85176290", "5 or 12"), ("85176260", "5")]
)
def test_the_entry_that_names_most_digits_decides_and_a_scope_allows_its_rate(
    code: str, rates: str, tmp_path: Path
) -> None:
    text = (
        "igst_percent,include_prefixes,exclude_prefixes,scope\n"
        "5,8517,85176220,all\n28,85176210,,all\n12,85176290,,routers\n3,85,,of silver\n"
    )
    entries = read_igst_list(written(tmp_path, text))
    item = replace(OWN.item(code), igst_pct=Decimal(77))
    (difference,) = compare_with_igst_list([item], entries).differences
    assert difference.theirs == rates
    for rate in rates.split(" or "):
        assert not compare_with_igst_list([replace(item, igst_pct=Decimal(rate))], entries).differences


def test_every_explanation_of_a_row_is_a_reason_that_the_readme_explains() -> None:
    readme = (Path(__file__).resolve().parents[1] / "tariff" / "data" / "README.md").read_text(encoding="utf-8")
    used = {part.split(": ")[1] for item in OWN if item.differs for part in item.differs.split("; ")}
    assert used <= BECAUSE
    assert all(f"`{reason}`" in readme for reason in BECAUSE)


@needs_reference
def test_every_difference_from_the_official_lists_is_explained_in_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    for name, status in (("itchs_india_8digit.csv", 0), ("bcd_statutory_2024.csv", 1), ("igst_2025_09_22.csv", 1)):
        against = ["tariff", "check", "--against", str(REFERENCE / name)]
        assert main([*against, "--unexplained"]) == 0, name
        assert main(against) == status, name
        assert ", 0 not" in capsys.readouterr().out
