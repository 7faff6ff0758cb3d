"""The canonical pool: 24 files whose answer, written by hand, is what the predicates compute."""

import re
from collections import Counter
from decimal import Decimal

import pytest
from canonical_files import POOL, SHIPMENTS, description, every, files_of, files_with, findings_of, stated
from drawn_files import texts_in

from customs_env.env.episode import Episode, resolve_request
from customs_env.goods.wording import padded
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.flags import vocabulary
from customs_env.scenarios.tasks import TASKS
from customs_env.scenarios.truth import establish_truth
from customs_env.tariff.schedule import load_schedule

# ---------------------------------------------------------------- truth


@every()
def test_the_computed_truth_is_the_answer_written_by_hand(task, seed, entry):
    computed = establish_truth(entry.file).to_dict()
    written = entry.written_answer
    assert computed["tariff_items"] == written["tariff_items"]
    assert [(f["flag"], f["grade"]) for f in computed["findings"]] == [
        (f["flag"], f["grade"]) for f in written["findings"]
    ]
    for field in ("recommendation", "assessable_value_inr", "duty_amount_inr"):
        assert computed[field] == written[field], field


@every()
def test_every_answer_says_why_and_names_known_items_and_flags(task, seed, entry):
    written = entry.written_answer
    assert set(written) == {
        "tariff_items", "findings", "recommendation", "assessable_value_inr", "duty_amount_inr", "why",
    }  # fmt: skip
    assert 40 < len(written["why"]) < 400
    assert len(written["tariff_items"]) == len(entry.file.case.paper("invoice")["lines"])
    for code in written["tariff_items"]:
        assert load_schedule().item(code).code == code
    assert {f["flag"] for f in written["findings"]} <= set(vocabulary(task))


@every()
def test_the_written_answer_earns_the_full_reward(task, seed, entry):
    episode = Episode(resolve_request(task_id=task, seed=seed, canonical=True))
    written = entry.written_answer
    answer = {
        "hs_code": written["tariff_items"][0],
        "flags": [f["flag"] for f in written["findings"]],
        **{key: written[key] for key in ("recommendation", "assessable_value_inr", "duty_amount_inr")},
    }
    action = {field: answer[field] for field in TASKS[task].required}
    result = episode.step({"step_kind": "final_submission", **action})
    assert result.error is None
    assert (result.reward, result.done) == (0.9, True)


@every(SHIPMENTS)
def test_hand_arithmetic_of_value_and_duty(task, seed, entry):
    # A second route to the figures: the policy's formula in one line, outside the tariff package.
    if task != "task3":
        assert entry.written_answer["assessable_value_inr"] is entry.written_answer["duty_amount_inr"] is None
        return
    total = Decimal(str(entry.file.case.paper("invoice")["total"]))
    rate = load_schedule().item(entry.written_answer["tariff_items"][0]).bcd_pct
    value = total * Decimal("83") * Decimal("1.0525")
    assert abs(Decimal(str(entry.written_answer["assessable_value_inr"])) - value) <= Decimal("0.005")
    assert abs(Decimal(str(entry.written_answer["duty_amount_inr"])) - value * rate / 100) <= Decimal("0.0051")


# ---------------------------------------------------------------- the mix


@pytest.mark.parametrize("task", TASKS)
def test_each_task_has_eight_files_with_names_of_their_own(task):
    pool = canonical_pool(task)
    assert len(pool) == 8
    assert [entry.file_id[:8] for entry in pool] == [f"{task}_{number:02d}" for number in range(1, 9)]


def test_shipment_ids_are_unique_and_tell_nothing():
    ids = [entry.file.case.shipment_id for _, _, entry in POOL]
    assert len(set(ids)) == len(ids) == 24
    assert all(re.fullmatch(r"SHP-C[0-9A-F]{15}", one) for one in ids)


def test_task1_covers_eight_chapters():
    chapters = {entry.written_answer["tariff_items"][0][:2] for entry in files_of("task1")}
    assert len(chapters) == 8


@every([case for case in POOL if case[0] == "task1"])
def test_task1_wording_states_every_fact_that_decides_and_no_other(task, seed, entry):
    goods = entry.file.goods[0]
    assert [paper["type"] for paper in entry.file.case.papers] == ["invoice"]
    for attribute in goods.family.deciding:
        assert stated(entry, attribute, description(entry)) == {goods.values[attribute]}, attribute


def test_task2_has_one_clean_file_four_with_one_discrepancy_three_with_more():
    counts = Counter(len(findings_of(entry)) for entry in files_of("task2"))
    assert counts[0] == 1
    assert counts[1] == 4
    assert counts[2] + counts[3] == 3


def test_task2_files_hold_every_flag_of_the_vocabulary():
    assert {flag for entry in files_of("task2") for flag, _ in findings_of(entry)} == set(vocabulary("task2"))


def test_three_queries_about_identity_hold_a_file():
    entry = next(entry for entry in files_of("task2") if len(findings_of(entry)) == 3)
    truth = establish_truth(entry.file)
    assert {finding.finding_class for finding in truth.findings} == {"query"}
    assert truth.recommendation == "hold"


def test_the_clean_file_of_task2_looks_dirty():
    case = next(entry for entry in files_of("task2") if not findings_of(entry)).file.case
    invoice, packing, bill = (case.paper(kind) for kind in ("invoice", "packing_list", "bill_of_lading"))
    line, packed = invoice["lines"][0], packing["lines"][0]
    assert (line["quantity"], line["unit"], packed["quantity"], packed["unit"]) == (20, "MT", 20000, "KGS")
    assert (packing["gross_weight"], bill["gross_weight"]) == (20560.4, 20560.0)
    assert "Private Limited" in invoice["buyer"]["name"]
    assert "PVT LTD" in bill["consignee"]
    assert (invoice["invoice_number"], bill["invoice_reference"]) == ("HC/0457", "HC-0457")
    assert (invoice["country_of_origin"], bill["port_of_loading"]) == ("Germany", "Antwerp (BEANR)")
    assert (packing["total_packages"], packing["package_kind"]) == (800, "bags")
    assert (bill["packages"], bill["package_kind"]) == (20, "pallets (800 bags)")
    assert "CIF plus 10 %" in invoice["payment_terms"]


def test_task3_mix():
    clean = [entry for entry in files_of("task3") if not findings_of(entry)]
    assert len(clean) == 1
    assert len(files_with("task3", "vague_goods_description")) == 2
    assert len(files_with("task3", "suspected_undervaluation")) == 1
    assert len(files_with("task3", "dual_use_or_controlled_chemical_risk")) == 1
    assert len(files_with("task3", "textile_declaration_review")) == 1
    (machine,) = files_with("task3", "high_value_shipment")
    assert machine.written_answer["tariff_items"][0][:2] == "84"
    recommendations = {entry.written_answer["recommendation"] for entry in files_of("task3")}
    assert recommendations == {"clear", "query_shipper", "hold", "refer_to_customs"}


def test_vague_files_hide_a_fact_that_the_detailed_description_gives_back():
    for entry in files_with("task3", "vague_goods_description"):
        goods = entry.file.goods[0]
        said = f"{description(entry)} {description(entry, 'packing_list')}"
        hidden = [name for name in goods.family.deciding if not stated(entry, name, said)]
        line = entry.file.case.answers["detailed_goods_description"]["lines"][0]
        assert hidden
        for name in hidden:
            assert stated(entry, name, line["description"]) == {goods.values[name]}


def test_the_controlled_chemical_comes_with_its_safety_sheet_and_a_permit_that_does_not_cover():
    (entry,) = files_with("task3", "dual_use_or_controlled_chemical_risk")
    case = entry.file.case
    (permit,) = case.paper("import_permits")["permits"]
    assert permit["cas"] == case.paper("safety_data_sheet")["composition"][0]["cas"]
    assert permit["quantity_kg"] < case.paper("packing_list")["net_weight"] / 3


def test_the_origin_of_the_textile_is_known_from_the_certificate_alone():
    (entry,) = files_with("task3", "textile_declaration_review")
    case = entry.file.case
    assert case.paper("invoice")["country_of_origin"] == case.paper("packing_list")["country_of_origin"] == ""
    origin = case.answers["certificate_of_origin"]["country_of_origin"]
    assert origin not in ("", case.paper("bill_of_lading")["port_of_loading_country"])
    assert not any(origin.casefold() in text.casefold() for text in texts_in(list(case.papers)))


def test_one_invoice_is_partly_foreign_and_its_terms_still_decide():
    (entry,) = [one for one in files_of("task3") if not description(one).isascii()]
    goods = entry.file.goods[0]
    for attribute in goods.family.deciding:
        assert stated(entry, attribute, description(entry)) == {goods.values[attribute]}


@every()
def test_no_wording_states_a_wrong_fact_unless_it_is_the_finding(task, seed, entry):
    goods = entry.file.goods[0]
    papers = ["invoice"] if task == "task1" else ["invoice", "packing_list"]
    if "goods_description_mismatch_invoice_vs_packing_list" in dict(findings_of(entry)):
        papers = ["invoice"]
    for paper in papers:
        assert goods.family.names_goods(padded(description(entry, paper)))
        for attribute in goods.family.deciding:
            assert stated(entry, attribute, description(entry, paper)) <= {goods.values[attribute]}
