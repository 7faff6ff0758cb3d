"""The tariff table: look-ups, closure around the goods families, marks of confidence."""

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.errors import CodeSpellingError, DataError, TariffError, UnknownCodeError
from customs_env.tariff import TariffSchedule, load_schedule, nomenclature_text
from customs_env.tariff.nomenclature import nomenclature
from customs_env.versions import SNAPSHOT_DATE

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT.parent / "shared" / "reference"
SCHEDULE = load_schedule()
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the reference folder is not here")


def answers():
    """The tariff items that goods families answer to, with the family."""
    return {
        row["tariff_item"]: path.stem
        for path in sorted((ROOT / "goods" / "families").glob("*.json"))
        for row in json.loads(path.read_text(encoding="utf-8"))["items"]
    }


def reference(name):
    with (REFERENCE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def indian_items():
    return {row["code"] for row in reference("itchs_india_8digit.csv") if row["status"] in ("ok", "gstn_fill")}


# Closure


def test_every_answer_of_a_goods_family_is_an_item_of_the_table():
    missing = {code: family for code, family in answers().items() if not SCHEDULE.has_item(code)}
    assert not missing


def test_the_table_holds_no_heading_and_no_item_that_goods_do_not_touch():
    touched = set(answers())
    assert set(SCHEDULE.headings()) == {code[:4] for code in touched}
    assert {item.code[:6] for item in SCHEDULE} == {code[:6] for code in touched}


def test_at_least_150_answers_in_40_chapters():
    codes = set(answers())
    assert len(codes) >= 150
    assert len({code[:2] for code in codes}) >= 40


def test_of_every_heading_all_subheadings_of_hs_2022_are_there():
    for heading in SCHEDULE.headings():
        expected = {code for code in nomenclature() if len(code) == 6 and code.startswith(heading)}
        assert set(SCHEDULE.subheadings(heading)) == expected


def test_items_in_table_says_which_subheadings_have_all_their_items():
    for six in SCHEDULE.subheadings():
        assert SCHEDULE.subheading(six).items_in_table == bool(SCHEDULE.items(six))


@needs_reference
def test_every_item_of_the_table_is_an_indian_item():
    assert {item.code for item in SCHEDULE} <= indian_items()


@needs_reference
def test_of_every_subheading_touched_all_indian_items_are_there():
    touched = {item.code[:6] for item in SCHEDULE}
    assert {item.code for item in SCHEDULE} == {code for code in indian_items() if code[:6] in touched}


@needs_reference
def test_checked_duties_of_the_first_schedule_are_those_of_its_parse():
    parsed = {row["code"]: row for row in reference("bcd_statutory_2024.csv")}
    for item in SCHEDULE:
        if item.confidence == "checked" and item.source.startswith("FS2024"):
            assert parsed[item.code]["status"] == "ok"
            assert Decimal(parsed[item.code]["bcd_percent"].split("%")[0]) == item.bcd_pct


# Data


def test_codes_ascend_and_occur_once():
    for codes in ([item.code for item in SCHEDULE], SCHEDULE.subheadings(), SCHEDULE.headings()):
        assert list(codes) == sorted(set(codes))


def test_every_line_is_described_in_short_and_marked():
    for item in SCHEDULE:
        assert 0 < len(item.description) <= 90
        assert item.description == item.description.strip()
        assert item.confidence in ("checked", "assumed")
        assert item.source
        assert item.unit.isalpha()
        assert item.unit.isupper()
    for six in SCHEDULE.subheadings():
        row = SCHEDULE.subheading(six)
        assert row.description
        assert row.confidence in ("checked", "assumed")
    assert all(SCHEDULE.heading_description(heading) for heading in SCHEDULE.headings())


def test_lines_of_one_subheading_can_be_told_apart():
    for six in SCHEDULE.subheadings():
        texts = [SCHEDULE.item(code).description.casefold() for code in SCHEDULE.items(six)]
        assert len(texts) == len(set(texts))


def test_no_description_prints_a_code():
    for item in SCHEDULE:
        digits = "".join(character if character.isdigit() else " " for character in item.description)
        assert not any(item.code.startswith(run) for run in digits.split() if len(run) >= 4)


def test_rates_are_percentages_that_the_law_knows():
    for item in SCHEDULE:
        assert 0 <= item.bcd_pct <= 150
        assert item.sws_pct in (0, 10)
        assert 0 <= item.aidc_pct <= 100
        assert item.health_cess_pct in (0, 5)
        assert item.igst_pct in (0, Decimal("0.25"), Decimal("1.5"), 3, 5, 18, 28, 40)


def test_textile_lines_with_an_alternative_amount_say_so_or_state_it():
    for item in SCHEDULE:
        if "50" <= item.code[:2] <= "63" and item.sws_pct == 0 and item.bcd_specific is None:
            assert item.confidence == "assumed"
            assert "alternative specific rate" in item.note


def test_the_range_of_a_subheading_holds_its_items():
    for item in SCHEDULE:
        row = SCHEDULE.subheading(item.code)
        assert row.bcd_pct_min <= item.bcd_pct <= row.bcd_pct_max


@pytest.mark.parametrize(
    ("code", "bcd", "sws", "aidc", "igst"),
    [("85183019", 20, 10, 0, 18), ("64039110", 20, 0, Decimal("18.5"), 5), ("94054200", 20, 0, 5, 18)],
)
def test_rates_known_from_elsewhere(code, bcd, sws, aidc, igst):
    item = SCHEDULE.item(code)
    assert (item.bcd_pct, item.sws_pct, item.aidc_pct, item.igst_pct) == (bcd, sws, aidc, igst)


# Look-ups


@given(st.sampled_from([item.code for item in SCHEDULE]))
def test_any_spelling_finds_the_same_item(code):
    spaced = f"{code[:4]} {code[4:6]}.{code[6:]}"
    assert SCHEDULE.item(code) is SCHEDULE.item(spaced)
    assert SCHEDULE.has_item(spaced)


def test_a_first_look_up_in_another_spelling_reads_the_table():
    assert TariffSchedule().item("8518.30.19").code == "85183019"
    assert TariffSchedule().has_item("8518.30.19")
    assert len(TariffSchedule()) == len(SCHEDULE)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("42022200", "no Indian item: subheading 420222 has 42022210"),
        ("85189999", "heading 8518 has no subheading 851899"),
        ("85184000", "holds subheading 851840 with its rates, but none of its items"),
        ("16847130", "does not hold heading 1684"),
        ("85203000", "does not hold heading 8520; of chapter 85 it holds"),
    ],
)
def test_an_unknown_item_is_refused_with_the_nearest_reason(code, says):
    with pytest.raises(UnknownCodeError, match=says):
        SCHEDULE.item(code)


@pytest.mark.parametrize("code", ["420222", "4202", "42"])
def test_a_shorter_code_is_no_item(code):
    with pytest.raises(CodeSpellingError, match="not a tariff item"):
        SCHEDULE.item(code)


def test_subheadings_are_found_by_six_or_eight_digits():
    assert SCHEDULE.subheading("8518.30") is SCHEDULE.subheading("85183019")
    with pytest.raises(UnknownCodeError, match="shorter than a subheading"):
        SCHEDULE.subheading("8518")
    with pytest.raises(UnknownCodeError, match="has no subheading"):
        SCHEDULE.subheading("851899")


def test_listings_nest():
    for chapter in SCHEDULE.chapters():
        for heading in SCHEDULE.headings(chapter):
            assert heading.startswith(chapter)
            by_subheading = [code for six in SCHEDULE.subheadings(heading) for code in SCHEDULE.items(six)]
            assert list(SCHEDULE.items(heading)) == by_subheading
    assert [item.code for item in SCHEDULE] == list(SCHEDULE.items())
    assert len(SCHEDULE) == len(SCHEDULE.items())
    assert SCHEDULE.items("99") == SCHEDULE.items("9999") == SCHEDULE.items("999999") == ()


# The look-up that agents make


def test_a_heading_table_is_complete():
    for heading in SCHEDULE.headings():
        table = SCHEDULE.heading_table(heading)
        assert table["heading"] == table["hs_code"] == heading
        assert table["description"]
        assert table["snapshot_date"] == SNAPSHOT_DATE
        assert [row["subheading"] for row in table["subheadings"]] == list(SCHEDULE.subheadings(heading))
        assert [row["tariff_item"] for row in table["items"]] == list(SCHEDULE.items(heading))
        json.dumps(table)


@pytest.mark.parametrize("code", ["8518", "851830", "85183019", "8518.30.19", "85189999"])
def test_any_code_of_a_heading_shows_the_same_heading(code):
    table = SCHEDULE.heading_table(code)
    assert table.pop("hs_code") == "".join(filter(str.isdigit, code))
    expected = SCHEDULE.heading_table("8518")
    expected.pop("hs_code")
    assert json.dumps(table) == json.dumps(expected)


def test_equal_arguments_give_equal_bytes_in_fresh_schedules():
    assert json.dumps(TariffSchedule().heading_table("4202")) == json.dumps(SCHEDULE.heading_table("4202"))


def test_nobody_can_corrupt_the_table_through_what_he_got():
    table = SCHEDULE.heading_table("8518")
    before = json.dumps(table)
    table["items"][0]["bcd_pct"] = 99
    table["subheadings"].clear()
    assert json.dumps(SCHEDULE.heading_table("8518")) == before
    with pytest.raises(AttributeError):
        SCHEDULE.item("85183019").bcd_pct = Decimal(0)


@pytest.mark.parametrize("code", ["9999", "16847130", "168471", "0101"])
def test_a_heading_outside_the_table_is_a_clear_error(code):
    with pytest.raises(UnknownCodeError, match=f"does not hold heading {code[:4]}"):
        SCHEDULE.heading_table(code)


@pytest.mark.parametrize("code", ["85", "", "85183", None, 8518, "abcd", ["8518"]])
def test_a_heading_table_needs_a_code_of_four_six_or_eight_digits(code):
    with pytest.raises(TariffError):
        SCHEDULE.heading_table(code)


@given(st.text(max_size=20) | st.text(alphabet="0123456789. ", max_size=12))
def test_look_ups_of_any_text_answer_or_raise_a_tariff_error(code):
    for look_up in (SCHEDULE.item, SCHEDULE.subheading, SCHEDULE.heading_table, SCHEDULE.heading_description):
        try:
            look_up(code)
        except TariffError as error:
            message = str(error)
        else:
            continue
        assert 0 < len(message) < 400


# HS 2022 texts


def test_the_nomenclature_is_complete_without_its_statistical_rows():
    lengths = [len(code) for code in nomenclature()]
    assert [lengths.count(digits) for digits in (2, 4, 6)] == [96, 1228, 5612]
    assert len(lengths) == 96 + 1228 + 5612
    for code in ("99", "9999", "999999"):
        with pytest.raises(UnknownCodeError):
            nomenclature_text(code)


def test_texts_of_the_nomenclature():
    assert "eadphones" in SCHEDULE.nomenclature_text("8518.30")
    assert nomenclature_text("8518")
    with pytest.raises(UnknownCodeError, match="six digits"):
        nomenclature_text("85183019")
    with pytest.raises(CodeSpellingError):
        nomenclature_text("85183")


@needs_reference
def test_the_nomenclature_is_that_of_the_united_nations():
    assert set(nomenclature()) == {row["code"] for row in reference("hs2022_nomenclature.csv")}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (",20,,10,", ",20,45 rupees,10,", "specific rate"),
        (",20,,10,", ",twenty,,10,", "expected a percentage"),
        ("code,description", "hs,text", "expected the columns"),
        ("\n8518", "\nstray\n8518", "1 fields, expected"),
    ],
)
def test_a_broken_table_is_a_data_error(tmp_path, old, new, says):
    for name in ("headings.csv", "subheadings.csv", "items.csv"):
        text = (ROOT / "tariff" / "data" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(old, new) if name == "items.csv" else text, encoding="utf-8")
    with pytest.raises(DataError, match=says):
        TariffSchedule(tmp_path).item("85183019")
