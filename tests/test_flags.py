"""Each finding beside its look-alikes, on files written by hand. A case is (what it is, changes, findings that must stand)."""

from __future__ import annotations

from typing import Any

import pytest
from hand_made_files import ADDRESS, GOODS, IMPORTER, NUMBER, PAPERS, found_in, make_file, papers_of

from customs_env.scenarios.flags import FLAG_BY_NAME, FLAG_RULES, vocabulary
from customs_env.scenarios.policy import STANDARD_POLICY
from customs_env.scenarios.truth import Finding, establish_truth, recommendation_for

Case = tuple[str, dict[str, Any], dict[str, str]]

OTHER = {"bl.consignee": "Kaveri Import House Private Limited", "bl.consignee_address": "12 SIDCO Estate, Chennai"}
GERMAN = {
    "inv.country_of_origin": "Germany", "pl.country_of_origin": "Germany", "coo.country_of_origin": "Germany",
    "inv.seller.country": "Germany", "bl.port_of_loading": "Hamburg (DEHAM)", "bl.port_of_loading_country": "Germany",
}  # fmt: skip
NO_ORIGIN = {"inv.country_of_origin": "", "pl.country_of_origin": "", "coo.country_of_origin": ""}


def amounts(quantity: float, unit: str, packed: float | None, packed_unit: str) -> dict[str, Any]:
    return {
        "inv.lines.0.quantity": quantity, "inv.lines.0.unit": unit, "pl.lines.0.quantity": packed, "pl.lines.0.unit": packed_unit,
    }  # fmt: skip


def price(unit_price: float, incoterm: str = "CIF", unit: str = "MTR", reference_unit: str = "MTR") -> dict[str, Any]:
    return {
        "inv.lines.0.unit_price": unit_price, "inv.incoterm": incoterm, "inv.lines.0.unit": unit, "pl.lines.0.unit": unit,
        "ref.lines.0.unit": reference_unit,
    }  # fmt: skip


def descriptions(invoiced: str, packed: str) -> dict[str, Any]:
    return {"inv.lines.0.description": invoiced, "pl.lines.0.description": packed}


QUANTITY: list[Case] = [
    ("one piece short", amounts(5000, "NOS", 4999, "NOS"), {"quantity_mismatch": "a"}),
    ("100 dozen are 1200 pieces", amounts(100, "DOZ", 1200, "PCS"), {}),
    ("100 dozen are not 1199 pieces", amounts(100, "DOZ", 1199, "NOS"), {"quantity_mismatch": "a"}),
    ("20 MT are 20000 kg", amounts(20, "MT", 20000, "KGS"), {}),
    ("weight within 0.5 percent", amounts(20000, "KGS", 20099, "KGS"), {}),
    ("weight beyond 0.5 percent", amounts(20000, "KGS", 20101, "KGS"), {"quantity_mismatch": "a"}),
    ("length beyond 0.5 percent", amounts(5000, "MTR", 4970, "MTR"), {"quantity_mismatch": "a"}),
    ("pairs are counted", amounts(500, "PRS", 499, "PRS"), {"quantity_mismatch": "a"}),
    ("pieces and kilograms are not compared", amounts(5000, "NOS", 800, "KGS"), {}),
    ("sets and pieces are not compared", amounts(500, "SET", 1000, "PCS"), {}),
    ("a blank is not different", amounts(5000, "MTR", None, "MTR"), {}),
]

ORIGIN: list[Case] = [
    ("nowhere", NO_ORIGIN, {"missing_country_of_origin": "a"}),
    ("EU is no country", {**NO_ORIGIN, "inv.country_of_origin": "EU"}, {"missing_country_of_origin": "a"}),
    ("as per contract is no country", {**NO_ORIGIN, "pl.country_of_origin": "AS PER CONTRACT"}, {"missing_country_of_origin": "a"}),
    ("invoice only", {**NO_ORIGIN, "inv.country_of_origin": "China"}, {}),
    ("packing list only", {**NO_ORIGIN, "pl.country_of_origin": "CHINA"}, {}),
    ("certificate only, which can be requested", {**NO_ORIGIN, "coo.country_of_origin": "China"}, {}),
    ("marks of the packing list", {**NO_ORIGIN, "pl.marks": "SP / 1-100 MADE IN CHINA"}, {}),
    ("marks of the bill", {**NO_ORIGIN, "bl.marks": "SP / NHAVA SHEVA / Product of China"}, {}),
    ("line description", {**NO_ORIGIN, "inv.lines.0.description": f"{GOODS['hose'][2]}, origin: China"}, {}),
    ("made in a place that is no country", {**NO_ORIGIN, "pl.marks": "MADE IN NINGBO"}, {"missing_country_of_origin": "a"}),
    ("no certificate of origin is needed", {"coo.country_of_origin": ""}, {}),
]

WEIGHT: list[Case] = [
    ("within 0.5 percent", {"bl.gross_weight": 5225.0}, {}),
    ("beyond 0.5 percent", {"bl.gross_weight": 5227.0}, {"weight_mismatch_packing_vs_bl": "a"}),
    ("rounded to kilograms", {"pl.gross_weight": 20560.4, "bl.gross_weight": 20560}, {}),
    ("tonnes and kilograms", {"bl.gross_weight": 5.2, "bl.weight_unit": "MT"}, {}),
    ("tonnes that differ", {"bl.gross_weight": 5.6, "bl.weight_unit": "MT"}, {"weight_mismatch_packing_vs_bl": "a"}),
    ("ten kilograms of little", {"pl.gross_weight": 300.0, "bl.gross_weight": 310.0}, {}),
    ("eleven kilograms of little", {"pl.gross_weight": 300.0, "bl.gross_weight": 311.0}, {"weight_mismatch_packing_vs_bl": "a"}),
    ("blank on the bill", {"bl.gross_weight": None}, {}),
    ("blank on the packing list", {"pl.gross_weight": None}, {}),
    # net and gross, as in the trade's own cases: no finding of this vocabulary looks at them
    ("float noise", {"pl.lines.0.net_weight": 0.30000000000000004, "pl.lines.0.gross_weight": 0.3}, {}),
    ("gross of the line blank", {"pl.lines.0.net_weight": 12.5, "pl.lines.0.gross_weight": None}, {}),
    ("net and gross equal", {"pl.lines.0.net_weight": 12.5, "pl.lines.0.gross_weight": 12.5}, {}),
]

NOT_TIED = {"bl.invoice_reference": "", "bl.marks": "N/M"}
INVOICE_NUMBER: list[Case] = [
    ("another number", {"bl.invoice_reference": "HC/0458"}, {"invoice_number_mismatch_bl_vs_invoice": "a"}),
    ("other punctuation", {"bl.invoice_reference": "hc-0457"}, {}),
    ("no punctuation", {"bl.invoice_reference": "HC 0457"}, {}),
    ("a leading zero counts", {"bl.invoice_reference": "HC/457"}, {"invoice_number_mismatch_bl_vs_invoice": "a"}),
    ("one of several is ours", {"bl.invoice_reference": "HC/0456, HC/0457"}, {}),
    ("one of two is ours", {"bl.invoice_reference": "HC/0456 & HC/0457"}, {}),
    ("none of several is ours", {"bl.invoice_reference": "HC/0456; HC/0458"}, {"invoice_number_mismatch_bl_vs_invoice": "a"}),
    (
        "another in its field, ours in the text",
        {"bl.invoice_reference": "PI-77", "bl.description": "HOSE AS PER INVOICE HC/0457"},
        {},
    ),
    ("none, marks tie the bill", {"bl.invoice_reference": ""}, {"missing_invoice_number_on_bl": "a"}),
    ("none, no marks", NOT_TIED, {"missing_invoice_number_on_bl": "b"}),
    ("none, blank marks", {**NOT_TIED, "bl.marks": ""}, {"missing_invoice_number_on_bl": "b"}),
    ("none, other marks", {**NOT_TIED, "bl.marks": "KIH / CHENNAI / 1-40"}, {"missing_invoice_number_on_bl": "b"}),
    ("blanks are none", {"bl.invoice_reference": "  "}, {"missing_invoice_number_on_bl": "a"}),
    ("in the description", {**NOT_TIED, "bl.description": "100 COILS HOSE INV. NO. HC/0457"}, {}),
    ("in the marks", {**NOT_TIED, "bl.marks": "SP HC-0457 1-100"}, {}),
    (
        "a longer number that begins with ours",
        {**NOT_TIED, "bl.description": "100 COILS HOSE INV. NO. HC/04571"},
        {"missing_invoice_number_on_bl": "b"},
    ),
    ("no marks on either paper tie nothing", {**NOT_TIED, "inv.marks": "N/M"}, {"missing_invoice_number_on_bl": "b"}),
]

HOSE = GOODS["hose"][2]
DESCRIPTION: list[Case] = [
    (
        "goods of another family",
        descriptions(HOSE, "Glazed porcelain wash basin"),
        {"goods_description_mismatch_invoice_vs_packing_list": "a"},
    ),
    (
        "another value of a particular",
        descriptions(HOSE, "Vulcanised rubber hose, unreinforced, with crimped end fittings"),
        {"goods_description_mismatch_invoice_vs_packing_list": "a"},
    ),
    ("the bare name", descriptions(HOSE, "VULCANISED RUBBER HOSE"), {}),
    ("other words for the same values", descriptions(HOSE, "Hose of vulcanised rubber; plain wall with no reinforcement"), {}),
    ("states more than the invoice", descriptions("Vulcanised rubber hose, unreinforced", HOSE), {}),
    ("blank on the packing list", descriptions(HOSE, ""), {}),
    ("the same words", descriptions(HOSE, HOSE.upper()), {}),
]

CONSIGNEE: list[Case] = [
    ("legal form abbreviated", {"bl.consignee": "Sagar Polymers Pvt. Ltd."}, {}),
    ("misspelt", {"bl.consignee": "Sagar Polimers Pvt Ltd"}, {"consignee_name_mismatch": "a"}),
    ("another firm altogether", OTHER, {"consignee_name_mismatch": "b"}),
    ("to order of a bank", {"bl.consignee": "To order of Konkan Union Bank, Mumbai", "bl.consignee_address": ""}, {}),
    ("to the order of the shipper", {"bl.consignee": "TO THE ORDER OF SHIPPER", "bl.consignee_address": ""}, {}),
    ("a bank", {"bl.consignee": "Konkan Union Bank, Mumbai", "bl.consignee_address": "Mumbai"}, {}),
    ("a bank whose name begins so", {"bl.consignee": "Bank of Konkan, Mumbai", "bl.consignee_address": "Mumbai"}, {}),
    ("a firm that only sounds so", {**OTHER, "bl.consignee": "New Bankura Mills Ltd"}, {"consignee_name_mismatch": "b"}),
    ("capitals and M/s", {"bl.consignee": "M/s. SAGAR POLYMERS PRIVATE LIMITED"}, {}),
    ("two letters off", {"bl.consignee": "Sagor Polimers Private Limited"}, {"consignee_name_mismatch": "a"}),
    ("three letters off", {"bl.consignee": "Sagor Polimurs Private Limited"}, {"consignee_name_mismatch": "b"}),
    ("misspelt, another address", {"bl.consignee": "Sagar Polimers Pvt Ltd", "bl.consignee_address": "Surat"}, {"consignee_name_mismatch": "b"}),
    ("the invoice's ship-to", {**OTHER, "inv.consignee.name": "KAVERI IMPORT HOUSE PVT LTD"}, {}),
    ("ampersand for and", {"inv.buyer.name": "Rao and Sons Ltd", "bl.consignee": "RAO & SONS LIMITED"}, {}),
    ("blank", {"bl.consignee": "", "bl.consignee_address": ""}, {}),
    ("blanks", {"bl.consignee": "  ", "bl.consignee_address": ""}, {}),
]

TO_ORDER = {"bl.consignee": "TO ORDER", "bl.consignee_address": ""}
NOTIFY: list[Case] = [
    ("blank on an order bill", {**TO_ORDER, "bl.notify_party": ""}, {"missing_notify_party": "a"}),
    ("blanks on an order bill", {**TO_ORDER, "bl.notify_party": "   "}, {"missing_notify_party": "a"}),
    ("blank on a bank's bill", {"bl.consignee": "Konkan Union Bank", "bl.notify_party": ""}, {"missing_notify_party": "a"}),
    ("blank on a straight bill", {"bl.notify_party": ""}, {}),
    ("same as consignee", {"bl.notify_party": "SAME AS CONSIGNEE"}, {}),
    ("named on an order bill", TO_ORDER, {}),
]

UNDERVALUED = {"suspected_undervaluation": "a"}
VALUE: list[Case] = [
    ("just below 60 percent of the low end", price(0.89), UNDERVALUED),
    ("60 percent exactly", price(0.90), {}),
    ("free on board brought to CIF", price(0.86, "FOB"), {}),
    ("free on board still below", price(0.85, "FOB"), UNDERVALUED),
    ("cost and freight brought to CIF", price(0.89, "CFR"), {}),
    ("per tonne against per kilogram", price(2000, "CIF", "MT", "KGS"), {}),
    ("per tonne and too low", price(800, "CIF", "MT", "KGS"), UNDERVALUED),
    ("per dozen against per piece", price(20, "CIF", "DOZ", "NOS"), {}),
    ("per dozen and too low", price(9, "CIF", "DOZ", "NOS"), UNDERVALUED),
    ("units of different kinds", price(0.5, "CIF", "KGS", "MTR"), {}),
    ("far above the reference", price(90.0), {}),
]

VAGUE: list[Case] = [
    ("a particular stands nowhere", descriptions("Vulcanised rubber hose, unreinforced", "RUBBER HOSE, unreinforced, vulcanised rubber hose"), {"vague_goods_description": "a"}),
    ("the packing list states it", descriptions("Vulcanised rubber hose, unreinforced", HOSE), {}),
    ("neutral facts may be left out", descriptions(HOSE, HOSE), {}),
]  # fmt: skip

ELSEWHERE = {"bl.port_of_loading": "Colombo (LKCMB)", "bl.port_of_loading_country": "Sri Lanka"}
MISROUTED = {"origin_loading_mismatch": "a"}
ROUTE: list[Case] = [
    ("unexplained", ELSEWHERE, MISROUTED),
    ("China by Hong Kong", {"bl.port_of_loading_country": "Hong Kong"}, {}),
    ("China by Dubai", {"bl.port_of_loading_country": "United Arab Emirates"}, MISROUTED),
    ("Dubai seller's stock", {"bl.port_of_loading_country": "United Arab Emirates", "inv.seller.country": "United Arab Emirates"}, {}),
    ("place of receipt", {**ELSEWHERE, "bl.place_of_receipt": "Ningbo, CHINA"}, {}),
    ("pre-carriage", {**ELSEWHERE, "bl.pre_carriage": "Feeder from Shanghai, China"}, {}),
    ("transhipment", {**ELSEWHERE, "bl.transhipment": "Received Ningbo, China; transhipped Colombo"}, {}),
    ("transhipment that names another country", {**ELSEWHERE, "bl.transhipment": "Singapore"}, MISROUTED),
    ("German goods at Antwerp", {**GERMAN, "bl.port_of_loading_country": "Belgium"}, {}),
    ("German goods in Egypt", {**GERMAN, "bl.port_of_loading_country": "Egypt"}, MISROUTED),
    ("an unknown origin contradicts nothing", {**NO_ORIGIN, **ELSEWHERE}, {"missing_country_of_origin": "a"}),
]

HIGH: list[Case] = [
    ("at the threshold", {"inv.total": 50_000.0}, {}),
    ("above it", {"inv.total": 50_000.01}, {"high_value_shipment": "a"}),
    ("many yen", {"inv.total": 7_000_000, "inv.currency": "JPY"}, {}),
]

PERMIT = "lic.permits.0."
CONTROLLED = {"dual_use_or_controlled_chemical_risk": "a"}
CHEMICAL: list[Case] = [
    ("covered by the permit", {}, {}),
    ("permit for another substance", {PERMIT + "cas": "118-92-3"}, CONTROLLED),
    ("permit of another importer", {PERMIT + "importer": "Kaveri Import House Private Limited"}, CONTROLLED),
    ("importer in other letters", {PERMIT + "importer": "SAGAR POLYMERS PVT. LTD."}, {}),
    ("permit for too little", {PERMIT + "quantity_kg": 4999}, CONTROLLED),
    ("net weight in tonnes", {"pl.net_weight": 5.0, "pl.gross_weight": 5.2, "pl.weight_unit": "MT"}, {}),
    ("expired the day before arrival", {PERMIT + "valid_to": "2025-12-23"}, CONTROLLED),
    ("valid to the day of arrival", {PERMIT + "valid_to": "2025-12-24"}, {}),
    ("not yet valid", {PERMIT + "valid_from": "2025-12-25"}, CONTROLLED),
]
NEIGHBOUR: list[Case] = [
    ("acetic acid is not controlled", {PERMIT + "valid_to": "2025-01-01"}, {}),
    ("trace at the limit", {"sds.composition.0.cas": "108-24-7", "sds.composition.0.percent_max": 1.0, PERMIT + "cas": ""}, {}),
    ("above the limit", {"sds.composition.0.cas": "108-24-7", "sds.composition.0.percent_max": 1.1, PERMIT + "cas": ""}, CONTROLLED),
    ("the safety sheet states the substance", descriptions("Bulk organic chemical", "Bulk organic chemical"), {}),
]

NO_REPORT = {"azo.accredited": False}
REVIEW = {"textile_declaration_review": "a"}
TEXTILE: list[Case] = [
    ("valid report", {}, {}),
    ("laboratory without accreditation", NO_REPORT, REVIEW),
    ("dye found", {"azo.result": "detected"}, REVIEW),
    ("report of another invoice", {"azo.invoice_number": "HC/0458"}, REVIEW),
    ("invoice number with other punctuation", {"azo.invoice_number": "HC-0457"}, {}),
    ("report too old", {"azo.report_date": "2024-01-01"}, REVIEW),
    ("report after arrival", {"azo.report_date": "2025-12-25"}, REVIEW),
    ("report of the day of arrival", {"azo.report_date": "2025-12-24"}, {}),
    ("exempt origin", {**GERMAN, **NO_REPORT}, {}),
    ("exempt origin by Antwerp", {**GERMAN, **NO_REPORT, "bl.port_of_loading_country": "Belgium"}, {}),
    ("an unknown origin is not exempt", {**NO_ORIGIN, **NO_REPORT}, {**REVIEW, "missing_country_of_origin": "a"}),
]
GREY: list[Case] = [
    ("grey goods need no report", NO_REPORT, {}),
    ("undyed is not dyed", {**NO_REPORT, "inv.lines.0.description": GOODS["grey"][2] + ", undyed, unprinted"}, {}),
]

#: Goods, cases, and whether task2 has the findings too.
TABLES: list[tuple[str, str, list[Case], bool]] = [
    ("quantity", "hose", QUANTITY, True),
    ("origin", "hose", ORIGIN, False),
    ("weight", "hose", WEIGHT, True),
    ("invoice number", "hose", INVOICE_NUMBER, True),
    ("description", "hose", DESCRIPTION, True),
    ("consignee", "hose", CONSIGNEE, True),
    ("notify", "hose", NOTIFY, True),
    ("value", "hose", VALUE, True),
    ("vague", "hose", VAGUE, False),
    ("route", "hose", ROUTE, False),
    ("high", "hose", HIGH, False),
    ("chemical", "anhydride", CHEMICAL, False),
    ("neighbour", "acid", NEIGHBOUR, False),
    ("textile", "dyed", TEXTILE, False),
    ("grey", "grey", GREY, False),
]
ROWS = [
    pytest.param(goods, task, changes, expected, id=f"{table}: {what} ({task})")
    for table, goods, cases, both in TABLES
    for what, changes, expected in cases
    for task in (("task2", "task3") if both else ("task3",))
]


@pytest.mark.parametrize(("goods", "task", "changes", "expected"), ROWS)
def test_findings_are_exactly_those_of_the_case(goods: str, task: str, changes: dict[str, Any], expected: dict[str, str]) -> None:
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
    several = {"inv.lines.0.quantity": 100, "inv.lines.1.quantity": 200, "pl.lines.0.quantity": 200, "pl.lines.1.quantity": 100}
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
        return [leaf for key, part in value.items() if key not in ("type", "item") for leaf in leaves(part, f"{path}.{key}")]
    if isinstance(value, list):
        return [leaf for place, part in enumerate(value) for leaf in leaves(part, f"{path}.{place}")]
    return [(path, value)]


BLANKS = [
    pytest.param(goods, path, None if isinstance(value, (int, float)) else "", id=f"{goods} {path}")
    for goods in ("hose", "anhydride", "dyed")
    for head, kind in PAPERS.items()
    if kind in papers_of(goods)
    for path, value in leaves(papers_of(goods)[kind], head)
    if not isinstance(value, bool)
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
