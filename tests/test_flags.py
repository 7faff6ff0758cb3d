"""Each finding beside its look-alikes, on files written by hand (the tables are in `flag_cases`)."""

from __future__ import annotations

from typing import Any

import pytest
from drawn_files import FLAG_LEVELS, many
from flag_cases import ELSEWHERE, GERMAN, REVIEW, TABLES, UNDERVALUED, VAGUE, amounts
from hand_made_files import ADDRESS, GOODS, IMPORTER, NUMBER, PAPERS, found_in, make_file, papers_of

from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.flags import FLAG_BY_NAME, FLAG_RULES, vocabulary
from customs_env.scenarios.policy import STANDARD_POLICY
from customs_env.scenarios.truth import Finding, establish_truth, recommendation_for

ROWS = [
    pytest.param(goods, task, changes, expected, id=f"{table}: {what} ({task})")
    for table, goods, cases, both in TABLES
    for what, changes, expected in cases
    for task in (("task2", "task3") if both else ("task3",))
]


@pytest.mark.parametrize(("goods", "task", "changes", "expected"), ROWS)
def test_findings_are_exactly_those_of_the_case(
    goods: str, task: str, changes: dict[str, Any], expected: dict[str, str]
) -> None:
    assert found_in(make_file(goods, changes, task)) == expected


@pytest.mark.parametrize("goods", GOODS)
@pytest.mark.parametrize("task", ["task2", "task3"])
def test_clean_papers_have_no_finding_and_clear(goods: str, task: str) -> None:
    truth = establish_truth(make_file(goods, task=task))
    assert truth.findings == ()
    assert truth.recommendation == "clear"


def test_a_file_that_looks_dirty_is_clean() -> None:
    dirty = {
        **GERMAN, **amounts(20, "MT", 20000, "KGS"), "inv.lines.0.unit_price": 2000.0, "pl.gross_weight": 20560.4, "bl.gross_weight": 20560,
        "pl.net_weight": 20000.0, "bl.consignee": "Sagar Polymers Pvt Ltd", "bl.invoice_reference": "HC-0457",
        "bl.port_of_loading": "Antwerp (BEANR)", "bl.port_of_loading_country": "Belgium", "pl.total_packages": 800, "bl.packages": 20,
        "bl.package_kind": "pallets (800 bags)", "inv.insurance": None,
    }  # fmt: skip
    for task in ("task2", "task3"):
        truth = establish_truth(make_file("acid", dirty, task))
        assert (truth.findings, truth.recommendation) == ((), "clear")


def test_lines_are_matched_by_item_number_not_by_order() -> None:
    several = {
        "inv.lines.0.quantity": 100,
        "inv.lines.1.quantity": 200,
        "pl.lines.0.quantity": 200,
        "pl.lines.1.quantity": 100,
    }
    assert found_in(make_file("hose", several, lines=2)) == {"quantity_mismatch": "a"}
    swapped = {**several, "pl.lines.0.item": 2, "pl.lines.1.item": 1}
    assert found_in(make_file("hose", swapped, lines=2)) == {}


def test_a_finding_on_any_line_is_found() -> None:
    assert found_in(make_file("hose", {"pl.lines.2.quantity": 4000}, lines=3)) == {"quantity_mismatch": "a"}
    assert found_in(make_file("hose", {"inv.lines.2.unit_price": 0.1}, lines=3)) == UNDERVALUED


def test_task2_knows_no_finding_of_task3_alone() -> None:
    everything = {**ELSEWHERE, "inv.total": 90_000.0, **VAGUE[0][1]}
    assert found_in(make_file("hose", everything, "task2")) == {}
    assert set(vocabulary("task2")) < set(vocabulary("task3"))
    assert vocabulary("task1") == ()


# -- blanks ---------------------------------------------------------------------------------------------------------


def leaves(value: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [
            leaf for key, part in value.items() if key not in ("type", "item") for leaf in leaves(part, f"{path}.{key}")
        ]
    if isinstance(value, list):
        return [leaf for place, part in enumerate(value) for leaf in leaves(part, f"{path}.{place}")]
    return [(path, value)]


#: Fields without which no figure can be compared: no paper leaves them blank (a test below holds that), and no predicate asks.
NEVER_BLANK = {
    "inv.incoterm", "inv.total", "inv.lines.0.unit", "inv.lines.0.unit_price", "pl.lines.0.unit", "pl.weight_unit", "pl.net_weight",
    "bl.weight_unit", "arr.arrival_date", "sds.composition.0.percent_max", "lic.permits.0.quantity_kg", "ref.lines.0.unit",
    "ref.lines.0.low",
}  # fmt: skip

BLANKS = [
    pytest.param(goods, path, None if isinstance(value, (int, float)) else "", id=f"{goods} {path}")
    for goods in ("hose", "anhydride", "dyed")
    for head, kind in PAPERS.items()
    if kind in papers_of(goods)
    for path, value in leaves(papers_of(goods)[kind], head)
    if not isinstance(value, bool) and path not in NEVER_BLANK
]
#: What the absence of a value may mean. No comparison is among them.
OF_ABSENCE = {
    "missing_country_of_origin", "missing_invoice_number_on_bl", "vague_goods_description", "dual_use_or_controlled_chemical_risk",
    "textile_declaration_review",
}  # fmt: skip


@pytest.mark.parametrize(("goods", "path", "blank"), BLANKS)
def test_a_blank_is_no_difference_and_breaks_nothing(goods: str, path: str, blank: Any) -> None:
    for task in ("task2", "task3"):
        assert set(found_in(make_file(goods, {path: blank}, task))) <= OF_ABSENCE


def test_no_paper_leaves_a_field_blank_that_predicates_count_on() -> None:
    files = [drawn.file for task, level in FLAG_LEVELS for drawn in many(task, level)[:300]]
    files += [entry.file for task in ("task2", "task3") for entry in canonical_pool(task)]
    kinds = {kind: head for head, kind in PAPERS.items()}
    for file in files:
        for paper in file.case.papers:
            held = dict(leaves(paper, kinds[paper["type"]]))
            assert not [path for path in NEVER_BLANK if held.get(path, 0) in ("", None)]


# -- classes and recommendation ---------------------------------------------------------------------------------------


def findings(*names: str) -> tuple[Finding, ...]:
    made = []
    for name in names:
        flag, _, grade = name.partition(":")
        made.append(Finding(flag, grade or "a", FLAG_BY_NAME[flag].classes[grade or "a"]))
    return tuple(made)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), "clear"),
        (("high_value_shipment",), "clear"),
        (("missing_invoice_number_on_bl", "origin_loading_mismatch", "high_value_shipment"), "clear"),
        (("missing_invoice_number_on_bl:b",), "query_shipper"),
        (("high_value_shipment", "weight_mismatch_packing_vs_bl"), "query_shipper"),
        (("consignee_name_mismatch",), "query_shipper"),
        (("consignee_name_mismatch:b",), "hold"),
        (("quantity_mismatch", "missing_country_of_origin"), "hold"),
        (("quantity_mismatch", "dual_use_or_controlled_chemical_risk"), "refer_to_customs"),
        (("consignee_name_mismatch", "weight_mismatch_packing_vs_bl"), "query_shipper"),
        (
            ("consignee_name_mismatch", "weight_mismatch_packing_vs_bl", "invoice_number_mismatch_bl_vs_invoice"),
            "hold",
        ),
        (("missing_country_of_origin", "missing_notify_party", "suspected_undervaluation"), "query_shipper"),
    ],
)
def test_the_strictest_class_recommends_and_three_identity_queries_hold(names: tuple[str, ...], expected: str) -> None:
    assert recommendation_for(findings(*names)) == expected


def test_the_identity_rule_counts_in_a_file() -> None:
    three = {"bl.consignee": "Sagar Polimers Pvt Ltd", "bl.gross_weight": 6000.0, "bl.invoice_reference": "HC/0999"}
    truth = establish_truth(make_file("hose", three, "task2"))
    assert len(truth.findings) == 3
    assert truth.recommendation == "hold"


def test_every_rule_has_classes_a_legal_basis_and_a_text_that_agents_read() -> None:
    for rule in FLAG_RULES:
        assert set(rule.classes.values()) <= {"refer", "hold", "query", "note"}
        assert rule.basis
        assert len(rule.rule) > 30
        assert rule.looks_at in ("visible", "visible and requestable")


def test_the_azo_report_is_valid_for_the_policys_months() -> None:
    months = STANDARD_POLICY.azo_report_months
    year, month = divmod(2025 * 12 + 11 - months, 12)
    oldest = f"{year}-{month + 1:02d}-24"
    assert found_in(make_file("dyed", {"azo.report_date": oldest})) == {}
    assert found_in(make_file("dyed", {"azo.report_date": oldest[:-2] + "23"})) == REVIEW


def test_names_used_here_are_those_of_the_papers() -> None:
    bill = papers_of("hose")["bill_of_lading"]
    assert (bill["consignee"], bill["consignee_address"], bill["invoice_reference"]) == (IMPORTER, ADDRESS, NUMBER)
