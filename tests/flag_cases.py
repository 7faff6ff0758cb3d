"""Each finding beside its look-alikes: tables of (what it is, changes to clean papers, findings that must stand)."""

from __future__ import annotations

from typing import Any

from hand_made_files import GOODS

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
    (
        "as per contract is no country",
        {**NO_ORIGIN, "pl.country_of_origin": "AS PER CONTRACT"},
        {"missing_country_of_origin": "a"},
    ),
    ("invoice only", {**NO_ORIGIN, "inv.country_of_origin": "China"}, {}),
    ("packing list only", {**NO_ORIGIN, "pl.country_of_origin": "CHINA"}, {}),
    ("certificate only, which can be requested", {**NO_ORIGIN, "coo.country_of_origin": "China"}, {}),
    ("marks of the packing list", {**NO_ORIGIN, "pl.marks": "SP / 1-100 MADE IN CHINA"}, {}),
    ("marks of the bill", {**NO_ORIGIN, "bl.marks": "SP / NHAVA SHEVA / Product of China"}, {}),
    ("line description", {**NO_ORIGIN, "inv.lines.0.description": f"{GOODS['hose'][2]}, origin: China"}, {}),
    (
        "made in a place that is no country",
        {**NO_ORIGIN, "pl.marks": "MADE IN NINGBO"},
        {"missing_country_of_origin": "a"},
    ),
    ("no certificate of origin is needed", {"coo.country_of_origin": ""}, {}),
]

WEIGHT: list[Case] = [
    ("within 0.5 percent", {"bl.gross_weight": 5225.0}, {}),
    ("beyond 0.5 percent", {"bl.gross_weight": 5227.0}, {"weight_mismatch_packing_vs_bl": "a"}),
    ("rounded to kilograms", {"pl.gross_weight": 20560.4, "bl.gross_weight": 20560}, {}),
    ("tonnes and kilograms", {"bl.gross_weight": 5.2, "bl.weight_unit": "MT"}, {}),
    ("tonnes that differ", {"bl.gross_weight": 5.6, "bl.weight_unit": "MT"}, {"weight_mismatch_packing_vs_bl": "a"}),
    ("ten kilograms of little", {"pl.gross_weight": 300.0, "bl.gross_weight": 310.0}, {}),
    (
        "eleven kilograms of little",
        {"pl.gross_weight": 300.0, "bl.gross_weight": 311.0},
        {"weight_mismatch_packing_vs_bl": "a"},
    ),
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
    (
        "none of several is ours",
        {"bl.invoice_reference": "HC/0456; HC/0458"},
        {"invoice_number_mismatch_bl_vs_invoice": "a"},
    ),
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
    (
        "other words for the same values",
        descriptions(HOSE, "Hose of vulcanised rubber; plain wall with no reinforcement"),
        {},
    ),
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
    (
        "a firm that only sounds so",
        {**OTHER, "bl.consignee": "New Bankura Mills Ltd"},
        {"consignee_name_mismatch": "b"},
    ),
    ("capitals and M/s", {"bl.consignee": "M/s. SAGAR POLYMERS PRIVATE LIMITED"}, {}),
    ("two letters off", {"bl.consignee": "Sagor Polimers Private Limited"}, {"consignee_name_mismatch": "a"}),
    ("three letters off", {"bl.consignee": "Sagor Polimurs Private Limited"}, {"consignee_name_mismatch": "b"}),
    (
        "misspelt, another address",
        {"bl.consignee": "Sagar Polimers Pvt Ltd", "bl.consignee_address": "Surat"},
        {"consignee_name_mismatch": "b"},
    ),
    ("the invoice's ship-to", {**OTHER, "inv.consignee.name": "KAVERI IMPORT HOUSE PVT LTD"}, {}),
    ("ampersand for and", {"inv.buyer.name": "Rao and Sons Ltd", "bl.consignee": "RAO & SONS LIMITED"}, {}),
    ("blank", {"bl.consignee": "", "bl.consignee_address": ""}, {}),
    ("blanks", {"bl.consignee": "  ", "bl.consignee_address": ""}, {}),
]

TO_ORDER = {"bl.consignee": "TO ORDER", "bl.consignee_address": ""}
NOTIFY: list[Case] = [
    ("blank on an order bill", {**TO_ORDER, "bl.notify_party": ""}, {"missing_notify_party": "a"}),
    ("blanks on an order bill", {**TO_ORDER, "bl.notify_party": "   "}, {"missing_notify_party": "a"}),
    (
        "blank on a bank's bill",
        {"bl.consignee": "Konkan Union Bank", "bl.notify_party": ""},
        {"missing_notify_party": "a"},
    ),
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
    (
        "Dubai seller's stock",
        {"bl.port_of_loading_country": "United Arab Emirates", "inv.seller.country": "United Arab Emirates"},
        {},
    ),
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
    (
        "trace at the limit",
        {"sds.composition.0.cas": "108-24-7", "sds.composition.0.percent_max": 1.0, PERMIT + "cas": ""},
        {},
    ),
    (
        "above the limit",
        {"sds.composition.0.cas": "108-24-7", "sds.composition.0.percent_max": 1.1, PERMIT + "cas": ""},
        CONTROLLED,
    ),
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
