"""The predicates: one for each finding, over the record of the finished file.

A predicate returns the grade of the finding, or "" where there is none. Most findings have the one grade "a"; where the
same name covers a slip and something worse, "b" is the worse. `flags` says what each grade means and by what law.
Source of rules: Customs Act 1962, Customs Valuation Rules 2007 (CVR), ITC(HS) General Notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from customs_env.goods.wording import padded
from customs_env.scenarios.policy import COLOUR_WORDS
from customs_env.scenarios.reading import (
    COUNTED,
    UNITS,
    fold_name,
    fold_number,
    is_order_party,
    quoted_numbers,
    within_edits,
)
from customs_env.scenarios.record import FileRecord

Predicate = Callable[[FileRecord], str]

#: Brings a unit price to the CIF basis of the price reference: cost and freight lacks insurance, free on board both.
TO_CIF_FACTOR = {
    "EXW": 1.0525, "FCA": 1.0525, "FAS": 1.0525, "FOB": 1.0525, "CFR": 1.0125, "CPT": 1.0125, "CIF": 1.0, "CIP": 1.0,
    "DAP": 1.0, "DPU": 1.0, "DDP": 1.0,
}  # fmt: skip


def quantity_mismatch(record: FileRecord) -> str:
    """Invoice and packing list give different quantities for a line, after conversion inside one kind of unit."""
    for line in record.lines:
        left, right = line.quantity, line.list_quantity
        same_unit = line.unit == line.list_unit
        if left is None or right is None or (same_unit and left == right):
            continue
        kind, factor = UNITS[line.unit]
        if not same_unit:
            other_kind, other_factor = UNITS[line.list_unit]
            if kind != other_kind:
                continue
            left, right = left * factor, right * other_factor
        allowed = 1e-6 if kind in COUNTED else record.policy.quantity_tolerance_pct / 100 * left
        if abs(left - right) > allowed:
            return "a"
    return ""


def missing_country_of_origin(record: FileRecord) -> str:
    """No paper, and no certificate where one can be had, gives a country of origin."""
    return "" if record.origin_given else "a"


def weight_mismatch(record: FileRecord) -> str:
    """Gross weights of packing list and bill of lading differ by more than the tolerance."""
    packed, shipped = record.list_gross, record.bill_gross
    if packed is None or shipped is None:
        return ""
    packed_kg = packed * UNITS[record.list_weight_unit][1]
    apart_kg = abs(packed_kg - shipped * UNITS[record.bill_weight_unit][1])
    policy = record.policy
    if apart_kg <= policy.weight_tolerance_kg or apart_kg <= policy.weight_tolerance_pct / 100 * packed_kg:
        return ""
    return "a"


def _bill_text_quotes(record: FileRecord, number: str) -> bool:
    """Return whether the bill's description or marks hold the invoice number as whole words, however punctuated."""
    description, end = record.bill_description, len(number)
    place = description.find(number)
    if place >= 0 and not description[place - 1 : place].isalnum() and not description[place + end :][:1].isalnum():
        return True  # letter for letter, which is how most bills quote
    text = padded(description) + padded(record.bill_marks)
    return padded(number) in text or f" {fold_number(number).lower()} " in text


def invoice_number_mismatch(record: FileRecord) -> str:
    """The bill of lading quotes invoice numbers and none of them is the invoice's."""
    reference, number = record.bill_reference, record.invoice_number
    if reference == number or not reference:
        return ""
    quoted = quoted_numbers(reference)
    if not quoted:
        return ""
    folded = fold_number(number)
    return "" if not folded or folded in quoted or _bill_text_quotes(record, number) else "a"


#: What a marks field says that holds no marks, folded as numbers are.
_NO_MARKS = ("", "NM", "NOMARKS", "NIL")


def missing_invoice_number(record: FileRecord) -> str:
    """The bill of lading quotes no invoice number; worse where its marks do not tie it to the invoice either."""
    if record.bill_reference.strip() or _bill_text_quotes(record, record.invoice_number):
        return ""
    marks = fold_number(record.bill_marks)
    tied = marks not in _NO_MARKS and marks == fold_number(record.invoice_marks)
    return "a" if tied else "b"


def goods_description_mismatch(record: FileRecord) -> str:
    """Packing list and invoice name different goods, or state different values of the same particular."""
    for line in record.lines:
        invoiced, packed = line.invoiced, line.packed
        if packed == invoiced or not packed.strip():
            continue
        family = line.goods.family
        if not family.names_goods(packed) or family.contradicts(packed, invoiced):
            return "a"
    return ""


def consignee_name_mismatch(record: FileRecord) -> str:
    """The bill names a consignee who is neither buyer nor consignee of the invoice: a misspelling, or another party."""
    consignee, buyer, ship_to = record.bill_consignee, record.buyer, record.ship_to
    if consignee == buyer["name"] or is_order_party(consignee) or not consignee.strip():
        return ""
    named = fold_name(consignee)
    names = fold_name(buyer["name"]), fold_name(ship_to["name"])
    if named in names:
        return ""
    address = fold_name(record.bill_address)
    for name, party in zip(names, (buyer, ship_to), strict=True):
        same_place = name and address == fold_name(party["address"])
        if same_place and within_edits(named, name, record.policy.consignee_spelling_edits):
            return "a"
    return "b"


def missing_notify_party(record: FileRecord) -> str:
    """A bill to order or to a bank names nobody to notify."""
    return "a" if not record.bill_notify.strip() and is_order_party(record.bill_consignee) else ""


def suspected_undervaluation(record: FileRecord) -> str:
    """A unit price, brought to the basis and unit of the price reference, lies below the fraction of its low end."""
    factor = TO_CIF_FACTOR[record.incoterm]
    for line in record.lines:
        low = line.reference_low
        if low is None or record.currency != line.reference_currency:
            continue
        price = line.unit_price * factor
        if line.unit != line.reference_unit:
            kind, holds = UNITS[line.unit]
            other_kind, other_holds = UNITS[line.reference_unit]
            if kind != other_kind:
                continue
            price = price / holds * other_holds
        if price < record.policy.undervaluation_fraction * low:
            return "a"
    return ""


def vague_goods_description(record: FileRecord) -> str:
    """A particular on which the tariff item depends is stated on no paper: invoice, packing list, data sheet."""
    for line in record.lines:
        invoiced, packed = line.invoiced, line.packed
        for terms in line.goods.family.deciding_terms:
            for term in terms:
                if term in invoiced:
                    break
            else:
                if packed != invoiced and any(term in packed for term in terms):
                    continue
                sheet = record.safety_sheet
                if sheet is None or not any(term in _sheet_text(sheet) for term in terms):
                    return "a"
    return ""


def _sheet_text(sheet: Mapping[str, Any]) -> str:
    """Return product and substances of a safety sheet in comparable form."""
    return padded(sheet["product"]) + "".join([padded(part["substance"]) for part in sheet["composition"]])


def origin_loading_mismatch(record: FileRecord) -> str:
    """Loaded outside the country of origin, without through evidence and off the ordinary outlets."""
    origin, loading = record.origin_given, record.loading_country
    if origin == loading or not origin or not loading or (origin, loading) in record.policy.ordinary_outlets:
        return ""
    through = f"{record.receipt} {record.pre_carriage} {record.transhipment}".casefold()
    return "" if origin.casefold() in through or record.seller["country"] == loading else "a"


def high_value_shipment(record: FileRecord) -> str:
    """The invoice total lies above the policy's threshold, strictly."""
    return "a" if record.currency == "USD" and record.total > record.policy.high_value_usd else ""


def dual_use_or_controlled_chemical_risk(record: FileRecord) -> str:
    """The safety sheet names a controlled substance above its limit and no permit covers it."""
    sheet = record.safety_sheet
    if sheet is None:
        return ""
    controlled = record.policy.controlled_cas
    for part in sheet["composition"]:
        limit = controlled.get(part["cas"])
        if limit is not None and part["percent_max"] > limit and not _permit_covers(record, part["cas"]):
            return "a"
    return ""


def _permit_covers(record: FileRecord, cas: str) -> bool:
    if record.permits is None:
        return False
    net_kg = record.list_net * UNITS[record.list_weight_unit][1]
    importer = fold_name(record.buyer["name"])
    return any(
        permit["cas"] == cas
        and fold_name(permit["importer"]) == importer
        and permit["quantity_kg"] >= net_kg
        and permit["valid_from"] <= record.arrival_date <= permit["valid_to"]
        for permit in record.permits["permits"]
    )


def textile_declaration_review(record: FileRecord) -> str:
    """Coloured textiles of an origin that is not exempt come without a valid azo-dye report."""
    report = record.azo_report
    if report is None or record.origin_given in record.policy.azo_exempt_origins:
        return ""
    texts = [text for line in record.lines for text in (line.invoiced, line.packed)]
    if not any(f" {word} " in text for text in texts for word in COLOUR_WORDS):
        return ""
    arrival = record.arrival_date
    valid = (
        report["accredited"]
        and report["result"] == "not detected"
        and fold_number(report["invoice_number"]) == fold_number(record.invoice_number)
        and months_before(arrival, record.policy.azo_report_months) <= report["report_date"] <= arrival
    )
    return "" if valid else "a"


@lru_cache(maxsize=1 << 10)
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
