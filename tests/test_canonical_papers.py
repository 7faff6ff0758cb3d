"""The papers of the canonical pool: shaped like drawn ones, true to the trade, and without the answer."""

import json
import re
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from canonical_files import POOL, SHIPMENTS, every, findings_of, stated
from drawn_files import texts_in

from customs_env.env.episode import Episode, resolve_request
from customs_env.generator.generate import generate
from customs_env.generator.trade import trade
from customs_env.scenarios.reading import UNITS

PORTS = Path(__file__).resolve().parents[1].parent / "shared" / "reference" / "ports_major.csv"
BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def shape(value):
    """Keys and kinds of a JSON value: what is left when the figures and the words are taken away."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        shapes = [shape(part) for part in value]
        assert all(one == shapes[0] for one in shapes), "entries of one list differ in shape"
        return ["one or more", *shapes[:1]]
    if value is None or isinstance(value, bool):
        return str(type(value).__name__)
    return "number" if isinstance(value, (int, float)) else type(value).__name__


@cache
def generated(task, family_kind):
    """The first generated file of a task whose goods are of a kind."""
    files = (generate(task, seed) for seed in range(1_000_000, 1_001_000))
    return next(file for file in files if file.goods[0].family.kind == family_kind)


@every()
def test_papers_and_answers_have_the_shape_of_generated_files(task, seed, entry):
    case = entry.file.case
    other = generated(task, entry.file.goods[0].family.kind).case
    assert [paper["type"] for paper in case.papers] == [paper["type"] for paper in other.papers]
    for mine, theirs in zip(case.papers, other.papers, strict=True):
        assert list(mine) == list(theirs)
        assert shape(mine) == shape(theirs)
    assert list(case.answers) == list(other.answers)
    for field, answer in case.answers.items():
        if field == "detailed_goods_description":
            (line,) = answer["lines"]
            goods = entry.file.goods[0]
            assert list(line) == list(other.answers[field]["lines"][0])
            assert set(line["particulars"]) == {"article", *goods.family.deciding}
            for name, term in line["particulars"].items():
                assert stated(entry, name, term) == {goods.values[name]}
        else:
            assert shape(answer) == shape(other.answers[field])
    assert bool(case.qualifiers) == bool(other.qualifiers) or task == "task1"


@every()
def test_no_code_stands_where_an_agent_can_read_it(task, seed, entry):
    observation = Episode(resolve_request(task_id=task, seed=seed, canonical=True)).observation().to_dict()
    read = [*texts_in(observation), *texts_in(dict(entry.file.case.answers))]
    for text in read:
        digits = re.sub(r"(?<=\d)[\s./-]+(?=\d)", "", text)
        for code in entry.written_answer["tariff_items"]:
            assert code not in digits, text
            assert not re.search(rf"(?<!\d){code[:6]}(?!\d)", digits), text
            assert not re.search(rf"(?<!\d){code[:4]}\.{code[4:6]}", text), text


@every()
def test_file_names_and_titles_are_not_shown(task, seed, entry):
    observation = Episode(resolve_request(task_id=task, seed=seed, canonical=True)).observation().to_dict()
    shown = json.dumps(observation, ensure_ascii=False)
    assert entry.title not in shown
    assert entry.file_id not in shown
    assert entry.written_answer["why"] not in shown


def gstin_check_character(body):
    """GSTIN, 15th character: weights 1, 2, 1, 2, ...; quotient and remainder by 36 added up."""
    total = 0
    for place, character in enumerate(body):
        product = BASE36.index(character) * (place % 2 + 1)
        total += product // 36 + product % 36
    return BASE36[-total % 36]


@every()
def test_gstin_and_iec_are_well_formed_and_agree(task, seed, entry):
    buyer = entry.file.case.paper("invoice")["buyer"]
    gstin = buyer["gstin"]
    assert re.fullmatch(r"[0-3]\d[A-Z]{5}\d{4}[A-Z][1-9]Z[0-9A-Z]", gstin)
    assert gstin[-1] == gstin_check_character(gstin[:14])
    assert buyer["iec"] == gstin[2:12]
    # Fourth letter of a PAN: C a company, F a firm (an LLP too); the fifth is the first of the name.
    assert buyer["iec"][3] == ("F" if "LLP" in buyer["name"] else "C")
    assert buyer["iec"][4] == buyer["name"][0]


def test_a_wrong_gstin_character_would_be_seen():
    assert gstin_check_character("27AAPFU0939F1Z") == "V"
    assert gstin_check_character("27AAPFU0938F1Z") != "V"


def container_check_digit(body):
    """ISO 6346: letters from 10 without multiples of 11, weights 1, 2, 4, ..., modulo 11, 10 written 0."""
    values = [value for value in range(10, 39) if value % 11]
    figures = [int(c) if c.isdigit() else values[ord(c) - ord("A")] for c in body]
    return sum(figure * 2**place for place, figure in enumerate(figures)) % 11 % 10


@every(SHIPMENTS)
def test_container_numbers_have_their_check_digit(task, seed, entry):
    (number,) = entry.file.case.paper("bill_of_lading")["containers"]
    assert re.fullmatch(r"[A-Z]{3}U\d{7}", number)
    assert int(number[-1]) == container_check_digit(number[:-1])


def test_a_wrong_container_digit_would_be_seen():
    assert container_check_digit("CSQU305438") == 3
    assert container_check_digit("CSQU305483") != 3


@every(SHIPMENTS)
def test_dates_run_in_the_order_of_the_trade(task, seed, entry):
    case = entry.file.case
    bill, notice = case.paper("bill_of_lading"), case.paper("arrival_notice")
    days = [case.paper("invoice")["invoice_date"], bill["on_board_date"], notice["arrival_date"]]
    invoiced, loaded, arrived = map(date.fromisoformat, days)
    entered = date.fromisoformat(notice["bill_of_entry_date"])
    assert invoiced < loaded < entered == date(2025, 12, 22)
    assert 10 <= (arrived - loaded).days <= 45
    assert 0 <= (arrived - entered).days <= 30


@every(SHIPMENTS)
def test_papers_agree_with_themselves(task, seed, entry):
    case = entry.file.case
    packing, bill, notice = (case.paper(k) for k in ("packing_list", "bill_of_lading", "arrival_notice"))
    assert packing["lines"][0]["packages"] == packing["total_packages"]
    for weight in ("net_weight", "gross_weight"):
        assert packing["lines"][0][weight] == packing[weight]
    assert 1.005 < packing["gross_weight"] / packing["net_weight"] < 1.2
    for field in ("bl_number", "vessel", "voyage", "port_of_discharge"):
        assert bill[field] == notice[field]
    assert bill["shipper"] == case.paper("invoice")["seller"]["name"]
    assert f"({packing['total_packages']} {packing['package_kind']})" in bill["package_kind"] or (
        bill["packages"], bill["package_kind"]
    ) == (packing["total_packages"], packing["package_kind"])  # fmt: skip


@every(SHIPMENTS)
def test_weights_are_what_the_goods_weigh(task, seed, entry):
    packing = entry.file.case.paper("packing_list")
    line, family = packing["lines"][0], entry.file.goods[0].family
    per_unit = UNITS[line["unit"]][1] / UNITS[family.unit][1] if line["unit"] != family.unit else 1
    low, high = entry.file.goods[0].row.net_kg_per_unit
    assert low <= line["net_weight"] / (line["quantity"] * per_unit) <= high


@every()
def test_totals_are_right_and_prices_honest_unless_undervalued(task, seed, entry):
    invoice = entry.file.case.paper("invoice")
    line = invoice["lines"][0]
    amount = Decimal(str(line["quantity"])) * Decimal(str(line["unit_price"]))
    assert Decimal(str(line["amount"])) == Decimal(str(invoice["total"])) == amount
    per_unit = UNITS[line["unit"]][1] / UNITS[entry.file.goods[0].family.unit][1]
    cif = line["unit_price"] * {"FOB": 1.0525, "CFR": 1.0125, "CIF": 1.0}[invoice["incoterm"]] / per_unit
    low, high = entry.file.goods[0].row.price_usd_per_unit
    if "suspected_undervaluation" in dict(findings_of(entry)):
        assert cif < 0.45 * low  # well clear of the threshold of 0.6
    else:
        assert low <= cif <= high


@every()
def test_ports_and_places_fit(task, seed, entry):
    case = entry.file.case
    country_of = {**trade().countries, "HK": "Hong Kong", "LK": "Sri Lanka", "EG": "Egypt"}
    label = re.compile(r"[^()]+ \(([A-Z]{5})\)")
    invoice = case.paper("invoice")
    at_loading = invoice["incoterm"] == "FOB"
    named = label.fullmatch(invoice["named_place"]).group(1)
    if task == "task1":
        assert named.startswith("IN") != at_loading
        return
    bill = case.paper("bill_of_lading")
    loading = label.fullmatch(bill["port_of_loading"]).group(1)
    assert country_of[loading[:2]] == bill["port_of_loading_country"]
    assert label.fullmatch(bill["port_of_discharge"]).group(1).startswith("IN")
    assert invoice["named_place"] == bill["port_of_loading" if at_loading else "port_of_discharge"]
    assert bill["freight_terms"] == ("COLLECT" if at_loading else "PREPAID")


@pytest.mark.skipif(not PORTS.is_file(), reason="the reference folder is not here")
def test_every_port_is_a_real_seaport():
    known = set(re.findall(r"^([A-Z]{5}),", PORTS.read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        code
        for _, _, entry in POOL
        for text in texts_in(list(entry.file.case.papers))
        for code in re.findall(r"\(([A-Z]{5})\)", text)
    }
    assert named
    assert named <= known


@every()
def test_goods_come_from_where_they_are_made(task, seed, entry):
    invoice = entry.file.case.paper("invoice")
    origins = {trade().countries[code] for code in entry.file.goods[0].family.origins}
    stated_origin = invoice["country_of_origin"]
    certificate = entry.file.case.answers.get("certificate_of_origin", {}).get("country_of_origin", "")
    assert {stated_origin, certificate} - {"", "EU"} <= origins
    assert invoice["seller"]["address"].endswith(invoice["seller"]["country"])
