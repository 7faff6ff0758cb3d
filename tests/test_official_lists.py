"""Official lists as people have them are read whole, or refused with each bad row named by its line."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_lists import SMALL, written

from customs_env.cli import main
from customs_env.errors import DataError
from customs_env.tariff.official import FAULTS_SHOWN, read_igst_list, read_official_list


def test_rates_units_and_headings_are_read_as_a_schedule_writes_them(tmp_path: Path) -> None:
    found = read_official_list(written(tmp_path, SMALL))
    assert found.rows["01013010"].rates == {"bcd_pct": 30, "sws_pct": 10, "igst_pct": 0}
    assert found.rows["01013090"].rates["bcd_pct"] == 0
    assert found.rows["98010011"].unit == "KGS"
    assert "igst_pct" not in found.rows["01013020"].rates
    assert found.rows["0101"].description == "Live equine animals"
    assert found.ignored_columns == ("remark",)


def test_a_percentage_or_an_amount_is_both(tmp_path: Path) -> None:
    text = (
        'code,bcd_percent\n55132100,"10% or Rs. 24 per sq. metre, whichever is higher"\n51111110,10% or Rs.135 per kg\n'
    )
    rows = read_official_list(written(tmp_path, text)).rows
    assert (rows["55132100"].rates["bcd_pct"], str(rows["55132100"].bcd_specific)) == (10, "24 INR/SQM")
    assert str(rows["51111110"].bcd_specific) == "135 INR/KGS"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1013010,Asses,30", "leading zero"),
        ("4.00931E+07,Asses,30", "format the column as text"),
        ("40093100.0,Asses,30", "format the column as text"),
        ("010130,Asses,30", "tariff items of 8 digits"),
        ('01013010,Asses,"20% or Rs. 130 per kg, whichever is lower"', "expected a percentage"),
        ("01013010,Asses,20% or Rs. 130 per sq. foot", "expected a percentage"),
        ("01013010,Asses", "expected 3 fields, got 2"),
        ("01013010,Asses,30,1", "expected 3 fields, got 4"),
        ("01013010,,30", "description"),
        ("01013010,Asses,thirty", "bcd_pct: expected a percentage"),
        ("01013010,Asses,-5", "bcd_pct"),
        ("01013010,Asses,NaN", "bcd_pct"),
        ("01013010,Asses,1e3", "bcd_pct"),
        ("01013010,Asses,9999", "at most 3,000"),
        ("01012100,Horses again,30", "a second time"),
        ("0101301A,Asses,30", "no letters"),
        (",Asses,30", "blank"),
        ("01013010,As\x07ses,30", "printable"),
        ("01013010," + "a" * 5000 + ",30", "4,000"),
    ],
)
def test_a_bad_row_is_named_by_line_and_nothing_is_loaded(
    row: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, f"code,description,bcd_pct\n01012100,Horses,30\n{row}\n01012910,Horses for polo,30\n")
    folder = tmp_path / "snapshot"
    assert main(["tariff", "load", str(path), "--to", str(folder)]) == 2
    said = capsys.readouterr().err
    assert "line 3: " in said and told in said and "Traceback" not in said
    assert not folder.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty file"),
        (b"code,description\n", "at least one usable row"),
        (b"code,description\n0101,\xff\n", "UTF-8"),
        (b"name,description\nx,y\n", "the column code"),
        (b"code\n01012100\n", "the column description"),
        (b"code,description\n0101,Horses\n", "tariff items of 8 digits"),
        (b"code;description\n01012100;x\n", "commas between the columns"),
        ("code,description\n01012100,x\n".encode("utf-16"), "UTF-16"),
        (b"TARIFF OF INDIA,,\ncode,description,unit\n", "column names in the first line"),
        (b"code,description,status\n01012100,x," + b"y" * 100 + b"\n", "at most 40 characters"),
        (b"a," * 200 + b"code\n", "fields, got more"),
        (b"code,description\n99999999,x\n", "HS 2022"),
        (b"code,description,bcd_pct\n01012100,x,0.1\n01012910,x,0.05\n01012990,x,0.2\n", "fractions"),
        (b"code,description,code\n01012100,x,01012100\n", "each column once"),
        (b"code,hs_code,description\n01012100,01012100,x\n", "each column once"),
        (b'code,description\n01012100,"x\n', "line 2"),
        (b"code,description\n01012100,x\x00\n", "line 2"),
        (b"code,description\n01012199,an item under a heading that has none\n01019999,none\n", "HS 2022, got 01019999"),
    ],
)
def test_a_file_that_is_no_schedule_is_refused_with_the_reason(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "snapshot"
    assert main(["tariff", "load", str(written(tmp_path, content)), "--to", str(folder)]) == 2
    assert told in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize(
    "amount", ["1e9 INR/KGS", "NaN INR/KGS", "24 INR/XYZ", "24 INR/KGS please", "0 INR/KGS", "24", "-1 INR/KGS"]
)
def test_an_amount_for_a_unit_is_one_or_is_refused(amount: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="bcd_specific"):
        read_official_list(written(tmp_path, f"code,bcd_specific\n01013010,{amount}\n"))


@pytest.mark.parametrize("prefixes", ["207", "1012100", "10129", "x", "123456789"])
def test_a_prefix_that_lost_its_zero_is_refused(prefixes: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 2: include_prefixes"):
        read_igst_list(written(tmp_path, f"igst_percent,include_prefixes\n5,{prefixes}\n"))


@pytest.mark.parametrize("command", [["check", "--against"], ["load"]])
def test_what_is_no_file_is_refused(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("/dev/zero", str(tmp_path), str(tmp_path / "none.csv")):
        assert main(["tariff", *command, place]) == 2
        assert "expected a file" in capsys.readouterr().err


def test_many_bad_lines_are_counted_and_the_first_shown(tmp_path: Path) -> None:
    with pytest.raises(DataError) as refused:
        read_official_list(written(tmp_path, "code\n" + "x\n" * 500))
    said = str(refused.value)
    assert "500 bad lines" in said and f"and {500 - FAULTS_SHOWN} more" in said
    assert len(said.splitlines()) == FAULTS_SHOWN + 2


@given(st.binary(max_size=300))
def test_any_bytes_are_a_list_or_a_data_error(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), b"code,description,bcd_pct\n" + content)
        for read in (read_official_list, read_igst_list):
            with contextlib.suppress(DataError):
                read(path)


def test_a_byte_order_mark_and_carriage_returns_do_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfcode,description\r\n0101.30.10,Asses\r\n\r\n")
    assert list(read_official_list(path).rows) == ["01013010"]


def test_rows_with_a_status_are_left_out_and_counted(tmp_path: Path) -> None:
    text = "code,status\n01012100,ok\n01012910,suspect_parent\n01012990,suspect_parent\n01013010,\n"
    found = read_official_list(written(tmp_path, text))
    assert list(found.rows) == ["01012100", "01013010"]
    assert found.left_out == {"suspect_parent": 2}
