"""Record and papers say the same: truth is a function of what a file shows."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal

import pytest
from drawn_files import FLAG_LEVELS, as_bytes, many
from hypothesis import given
from hypothesis import strategies as st

from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.case import ShipmentFile, written_file
from customs_env.scenarios.record import FileRecord, LineRecord, read_papers
from customs_env.scenarios.truth import establish_truth
from customs_env.tariff.duty import flat_duty_inr, flat_duty_paise, rate_fraction
from customs_env.tariff.valuation import flat_assessable_value_inr, flat_assessable_value_paise

#: Set by `compare`, or no content of a paper.
DERIVED = {"lines", "origin_given", "invoiced", "packed", "goods", "policy"}
#: Parties hold more than the papers print; these parts are read.
PARTIES = {"seller": ("country",), "buyer": ("name", "address"), "ship_to": ("name", "address")}


def values(record: FileRecord) -> dict[str, object]:
    """Return what a record holds of the papers."""
    found = {f.name: getattr(record, f.name) for f in fields(FileRecord) if f.name not in {*DERIVED, *PARTIES}}
    for party, parts in PARTIES.items():
        found |= {f"{party} {part}": getattr(record, party)[part] for part in parts}
    for number, line in enumerate(record.lines):
        found |= {f"{number} {f.name}": getattr(line, f.name) for f in fields(LineRecord) if f.name not in DERIVED}
    return found


def written_out(file: ShipmentFile) -> ShipmentFile:
    """Return the file made anew of its papers and answers alone, as a file written by hand is."""
    case = file.case
    return written_file(
        case.task_id, case.difficulty, case.shipment_id, case.papers, case.answers, case.policy, case.qualifiers,
        file.goods,
    )  # fmt: skip


@pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)
def test_the_papers_of_a_drawn_file_read_back_are_its_record(task: str, level: str) -> None:
    for drawn in many(task, level):
        record, case = drawn.file.record, drawn.file.case
        assert record is not None
        read = read_papers(case.papers, case.answers, drawn.file.goods, case.policy)
        assert values(read) == values(record), drawn.seed


@pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)
def test_truth_of_the_papers_is_truth_of_the_record(task: str, level: str) -> None:
    for drawn in many(task, level):
        assert establish_truth(written_out(drawn.file)) == drawn.truth, drawn.seed


@pytest.mark.parametrize("task", ["task2", "task3"])
def test_a_file_written_by_hand_has_a_record_and_one_invoice_has_none(task: str) -> None:
    assert all(entry.file.record is not None for entry in canonical_pool(task))
    assert all(entry.file.record is None for entry in canonical_pool("task1"))


def test_papers_are_laid_out_once_and_equal_whenever_they_are_first_read() -> None:
    for drawn in many("task3", "standard")[:50]:
        case = drawn.file.case
        assert case.papers is case.papers
        assert case.answers is case.answers
        before = as_bytes([list(case.papers), dict(case.answers)])
        establish_truth(drawn.file)
        assert as_bytes([list(case.papers), dict(case.answers)]) == before


@given(st.integers(min_value=0, max_value=10**13), st.decimals(min_value=0, max_value=200, places=4))
def test_value_and_duty_in_whole_paise_are_those_in_decimal(cents: int, bcd_pct: Decimal) -> None:
    value = flat_assessable_value_inr(Decimal(cents).scaleb(-2))
    paise = flat_assessable_value_paise(cents / 100)
    assert Decimal(paise).scaleb(-2) == value
    assert Decimal(flat_duty_paise(paise, rate_fraction(bcd_pct))).scaleb(-2) == flat_duty_inr(value, bcd_pct)


@given(st.floats(min_value=0, max_value=1e9, allow_nan=False))
def test_a_total_of_more_than_two_decimals_is_valued_as_it_is_written(total: float) -> None:
    assert Decimal(flat_assessable_value_paise(total)).scaleb(-2) == flat_assessable_value_inr(Decimal(str(total)))
