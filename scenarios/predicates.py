"""The predicates: one for each finding, over the finished file.

A predicate returns the grade of the finding, or "" where there is none. Most findings have the one grade "a"; where the
same name covers a slip and something worse, "b" is the worse. `flags` says what each grade means and by what law.
Source of rules: Customs Act 1962, Customs Valuation Rules 2007 (CVR), ITC(HS) General Notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from customs_env.goods.wording import padded
from customs_env.scenarios import reading
from customs_env.scenarios.policy import COLOUR_WORDS
from customs_env.scenarios.view import FileView

Predicate = Callable[[FileView], str]

#: Brings a unit price to the CIF basis of the price reference: cost and freight lacks insurance, free on board both.
TO_CIF_FACTOR = {
    "EXW": 1.0525, "FCA": 1.0525, "FAS": 1.0525, "FOB": 1.0525, "CFR": 1.0125, "CPT": 1.0125, "CIF": 1.0, "CIP": 1.0,
    "DAP": 1.0, "DPU": 1.0, "DDP": 1.0,
}  # fmt: skip


def quantity_mismatch(view: FileView) -> str:
    """Invoice and packing list give different quantities for a line, after conversion inside one kind of unit."""
    for line, packing in view.lines:
        if packing is None:
            continue
        left, right = line["quantity"], packing["quantity"]
        same_unit = line["unit"] == packing["unit"]
        if left is None or right is None or (same_unit and left == right):
            continue
        kind, factor = reading.UNITS[line["unit"]]
        if not same_unit:
            other_kind, other_factor = reading.UNITS[packing["unit"]]
            if kind != other_kind:
                continue
            left, right = left * factor, right * other_factor
        allowed = 1e-6 if kind in reading.COUNTED else view.policy.quantity_tolerance_pct / 100 * left
        if abs(left - right) > allowed:
            return "a"
    return ""


def missing_country_of_origin(view: FileView) -> str:
    """No paper, and no certificate where one can be had, gives a country of origin."""
    return "" if view.origin else "a"


def weight_mismatch(view: FileView) -> str:
    """Gross weights of packing list and bill of lading differ by more than the tolerance."""
    packing_list, bill = view.packing_list, view.bill
    packed, shipped = packing_list["gross_weight"], bill["gross_weight"]
    if packed is None or shipped is None:
        return ""
    packed_kg = packed * reading.UNITS[packing_list["weight_unit"]][1]
    apart_kg = abs(packed_kg - shipped * reading.UNITS[bill["weight_unit"]][1])
    policy = view.policy
    return (
        "a"
        if apart_kg > policy.weight_tolerance_kg and apart_kg > policy.weight_tolerance_pct / 100 * packed_kg
        else ""
    )


def _bill_text_quotes(view: FileView, number: str) -> bool:
    """Return whether the bill's description or marks hold the invoice number as whole words, however punctuated."""
    text = padded(view.bill["description"]) + padded(view.bill["marks"])
    return padded(number) in text or f" {reading.fold_number(number).lower()} " in text


def invoice_number_mismatch(view: FileView) -> str:
    """The bill of lading quotes invoice numbers and none of them is the invoice's."""
    reference = view.bill["invoice_reference"]
    if not reference or reference == view.invoice["invoice_number"]:
        return ""
    quoted = reading.quoted_numbers(reference)
    if not quoted:
        return ""
    number = view.invoice["invoice_number"]
    if not reading.fold_number(number):
        return ""
    return "" if reading.fold_number(number) in quoted or _bill_text_quotes(view, number) else "a"


#: What a marks field says that holds no marks, folded as numbers are.
_NO_MARKS = ("", "NM", "NOMARKS", "NIL")


def missing_invoice_number(view: FileView) -> str:
    """The bill of lading quotes no invoice number; worse where its marks do not tie it to the invoice either."""
    if view.bill["invoice_reference"].strip() or _bill_text_quotes(view, view.invoice["invoice_number"]):
        return ""
    marks = reading.fold_number(view.bill["marks"])
    tied = marks not in _NO_MARKS and marks == reading.fold_number(view.invoice["marks"])
    return "a" if tied else "b"


def goods_description_mismatch(view: FileView) -> str:
    """Packing list and invoice name different goods, or state different values of the same particular."""
    for (invoiced, packed), goods in zip(view.texts, view.goods, strict=True):
        if packed == invoiced or not packed.strip():
            continue
        family = goods.family
        if not family.names_goods(packed):
            return "a"
        for attribute in family.deciding:
            stated = family.stated_values(attribute, packed)
            if stated and family.states(attribute, invoiced) and not family.states_one_of(attribute, stated, invoiced):
                return "a"
    return ""


def consignee_name_mismatch(view: FileView) -> str:
    """The bill names a consignee who is neither buyer nor consignee of the invoice: a misspelling, or another party."""
    consignee = view.bill["consignee"]
    buyer, shipped_to = view.invoice["buyer"], view.invoice["consignee"]
    if consignee == buyer["name"] or not consignee.strip() or reading.is_order_party(consignee):
        return ""
    named = reading.fold_name(consignee)
    parties = {reading.fold_name(buyer["name"]): buyer, reading.fold_name(shipped_to["name"]): shipped_to}
    if named in parties:
        return ""
    address = reading.fold_name(view.bill["consignee_address"])
    for name, party in parties.items():
        same_place = name and address == reading.fold_name(party["address"])
        if same_place and reading.within_edits(named, name, view.policy.consignee_spelling_edits):
            return "a"
    return "b"


def missing_notify_party(view: FileView) -> str:
    """A bill to order or to a bank names nobody to notify."""
    bill = view.bill
    return "a" if not bill["notify_party"].strip() and reading.is_order_party(bill["consignee"]) else ""


def suspected_undervaluation(view: FileView) -> str:
    """A unit price, brought to the basis and unit of the price reference, lies below the fraction of its low end."""
    if view.price_reference is None:
        return ""
    invoice = view.invoice
    factor = TO_CIF_FACTOR[invoice["incoterm"]]
    for reference in view.price_reference["lines"]:
        for line in invoice["lines"]:
            if line["item"] != reference["item"] or invoice["currency"] != reference["currency"]:
                continue
            price = line["unit_price"] * factor
            if line["unit"] != reference["unit"]:
                kind, holds = reading.UNITS[line["unit"]]
                other_kind, other_holds = reading.UNITS[reference["unit"]]
                if kind != other_kind:
                    continue
                price = price / holds * other_holds
            if price < view.policy.undervaluation_fraction * reference["low"]:
                return "a"
    return ""


def vague_goods_description(view: FileView) -> str:
    """A particular on which the tariff item depends is stated on no paper: invoice, packing list, data sheet."""
    sheet = view.safety_sheet
    for (invoiced, packed), goods in zip(view.texts, view.goods, strict=True):
        family = goods.family
        for attribute in family.deciding:
            if family.states(attribute, invoiced) or (packed != invoiced and family.states(attribute, packed)):
                continue
            if sheet is None or not family.states(attribute, _sheet_text(sheet)):
                return "a"
    return ""


def _sheet_text(sheet: Mapping[str, Any]) -> str:
    """Return product and substances of a safety sheet in comparable form."""
    return padded(sheet["product"]) + "".join([padded(part["substance"]) for part in sheet["composition"]])


def origin_loading_mismatch(view: FileView) -> str:
    """Loaded outside the country of origin, without through evidence and off the ordinary outlets."""
    origin, loading = view.origin, view.bill["port_of_loading_country"]
    if not origin or not loading or origin == loading or (origin, loading) in view.policy.ordinary_outlets:
        return ""
    bill = view.bill
    through = f"{bill['place_of_receipt']} {bill['pre_carriage']} {bill['transhipment']}".casefold()
    if origin.casefold() in through or view.invoice["seller"]["country"] == loading:
        return ""
    return "a"


def high_value_shipment(view: FileView) -> str:
    """The invoice total lies above the policy's threshold, strictly."""
    invoice = view.invoice
    return "a" if invoice["currency"] == "USD" and invoice["total"] > view.policy.high_value_usd else ""


def dual_use_or_controlled_chemical_risk(view: FileView) -> str:
    """The safety sheet names a controlled substance above its limit and no permit covers it."""
    sheet = view.safety_sheet
    if sheet is None:
        return ""
    controlled = view.policy.controlled_cas
    for part in sheet["composition"]:
        limit = controlled.get(part["cas"])
        if limit is not None and part["percent_max"] > limit and not _permit_covers(view, part["cas"]):
            return "a"
    return ""


def _permit_covers(view: FileView, cas: str) -> bool:
    if view.permits is None:
        return False
    packing, arrival = view.packing_list, view.arrival["arrival_date"]
    net_kg = packing["net_weight"] * reading.UNITS[packing["weight_unit"]][1]
    importer = reading.fold_name(view.invoice["buyer"]["name"])
    return any(
        permit["cas"] == cas
        and reading.fold_name(permit["importer"]) == importer
        and permit["quantity_kg"] >= net_kg
        and permit["valid_from"] <= arrival <= permit["valid_to"]
        for permit in view.permits["permits"]
    )


def textile_declaration_review(view: FileView) -> str:
    """Coloured textiles of an origin that is not exempt come without a valid azo-dye report."""
    report = view.azo_report
    if report is None or view.origin in view.policy.azo_exempt_origins:
        return ""
    if not any(f" {word} " in text for texts in view.texts for text in texts for word in COLOUR_WORDS):
        return ""
    arrival = view.arrival["arrival_date"]
    valid = (
        report["accredited"]
        and report["result"] == "not detected"
        and reading.fold_number(report["invoice_number"]) == reading.fold_number(view.invoice["invoice_number"])
        and months_before(arrival, view.policy.azo_report_months) <= report["report_date"] <= arrival
    )
    return "" if valid else "a"


def months_before(iso_date: str, months: int) -> str:
    """Return the ISO date `months` calendar months before, the day cut to the month's length."""
    day = date.fromisoformat(iso_date)
    count = day.year * 12 + day.month - 1 - months
    year, month = divmod(count, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(year, month + 1, last).isoformat()
        except ValueError:
            continue
    return date(year, month + 1, day.day).isoformat()
