"""The fourteen findings, each read off the papers alone. A function returns its finding's grade, or None.

A finding with one class has the grade "a"; with two, "a" (the lighter) or "b". The classes stand in the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from customs_env.agents.origins import origins, same_country
from customs_env.agents.papers import Papers
from customs_env.agents.reading import (
    amount,
    edits,
    folded_name,
    folded_number,
    kilograms,
    listed_numbers,
    measured,
    quoted_numbers,
    says,
    stated,
    words,
)
from customs_env.agents.regulated import controlled_chemical, textile_review
from customs_env.agents.worth import declared_usd, reference_price

Grade = str | None


def quantity_mismatch(papers: Papers) -> Grade:
    """Invoice and packing list give different quantities of one line, in units of one kind."""
    share = papers.number("tolerances", "quantity_packed_pct", 0.5) / 100
    for place, line in enumerate(papers.invoice_lines):
        packed = papers.packed_line(line, place)
        billed = measured(line.get("quantity"), line.get("unit"))
        listed = measured(packed.get("quantity"), packed.get("unit"))
        if billed is None or listed is None or billed[0] != listed[0]:
            continue
        counted = billed[0] in ("count", "pair", "set")
        allowed = 0.0 if counted else share * billed[1]
        if abs(billed[1] - listed[1]) > allowed + 1e-9 * billed[1]:
            return "a"
    return None


def missing_country_of_origin(papers: Papers) -> Grade:
    """No paper gives a country of origin."""
    return None if origins(papers) else "a"


def weight_mismatch(papers: Papers) -> Grade:
    """Packing list and bill of lading give different gross weights."""
    packed = kilograms(papers.packing_list.get("gross_weight"), papers.packing_list.get("weight_unit"))
    billed = kilograms(papers.bill.get("gross_weight"), papers.bill.get("weight_unit"))
    if packed is None or billed is None:
        return None
    share = papers.number("tolerances", "weight_pct", 0.5) / 100
    allowed = max(share * packed, papers.number("tolerances", "weight_kg", 10.0))
    return "a" if abs(packed - billed) > allowed + 1e-9 else None


def _own_number_in_text(papers: Papers) -> bool:
    own = folded_number(papers.invoice.get("invoice_number"))
    texts = (papers.bill.get("description"), papers.bill.get("marks"))
    return bool(own) and any(own in folded_number(text) for text in texts)


def invoice_number_mismatch(papers: Papers) -> Grade:
    """The bill of lading refers to invoices, and the invoice of the file is not among them."""
    own = folded_number(papers.invoice.get("invoice_number"))
    quoted = listed_numbers(papers.bill.get("invoice_reference"))
    return "a" if own and quoted and own not in quoted and not _own_number_in_text(papers) else None


def missing_invoice_number(papers: Papers) -> Grade:
    """The bill of lading gives no invoice number; graver where its marks are not the invoice's either."""
    running = [number for name in ("description", "marks") for number in quoted_numbers(papers.bill.get(name))]
    if listed_numbers(papers.bill.get("invoice_reference")) or running or _own_number_in_text(papers):
        return None
    ours, theirs = words(papers.invoice.get("marks")).strip(), words(papers.bill.get("marks")).strip()
    return "a" if ours and ours == theirs and ours != "n m" else "b"


def goods_description_mismatch(papers: Papers) -> Grade:
    """Invoice and packing list name different goods, or different values of one deciding attribute."""
    for place, line in enumerate(papers.invoice_lines):
        rule = papers.qualifiers(line, place)
        billed = words(line.get("description"))
        listed = words(papers.packed_line(line, place).get("description"))
        if not billed.strip() or not listed.strip():
            continue
        names = [str(name) for name in rule.get("goods_names") or ()]
        if names and not any(says(listed, name) for name in names):
            return "a"
        for values in (rule.get("particulars") or {}).values():
            here, there = stated(billed, values), stated(listed, values)
            if here and there and not here & there:
                return "a"
    return None


def _is_to_order(consignee: Any) -> bool:
    return " to order " in words(consignee) or " to the order " in words(consignee)


def _is_bank(consignee: Any) -> bool:
    return " bank " in words(consignee)


def consignee_name_mismatch(papers: Papers) -> Grade:
    """The bill is consigned to a named party that is neither the invoice's buyer nor its consignee."""
    named = papers.bill.get("consignee")
    if not str(named or "").strip() or _is_to_order(named) or _is_bank(named):
        return None
    forms = papers.legal_forms
    buyer, consignee = papers.invoice.get("buyer") or {}, papers.invoice.get("consignee") or {}
    parties = [party for party in (buyer, consignee) if str(party.get("name") or "").strip()]
    mine = folded_name(named, forms)
    known = [folded_name(party.get("name"), forms) for party in parties]
    if not known or mine in known:
        return None
    address = words(papers.bill.get("consignee_address"))
    near = papers.number("tolerances", "consignee_spelling_edits", 2)
    for party, name in zip(parties, known, strict=True):
        same_address = address.strip() and address == words(party.get("address"))
        if same_address and edits(mine, name) <= near:
            return "a"
    return "b"


def missing_notify_party(papers: Papers) -> Grade:
    """Nobody is to be notified, and the consignee is an order or a bank."""
    consignee = papers.bill.get("consignee")
    blank = not str(papers.bill.get("notify_party") or "").strip()
    return "a" if blank and (_is_to_order(consignee) or _is_bank(consignee)) else None


def suspected_undervaluation(papers: Papers) -> Grade:
    """A unit price, on the reference's basis, is below the policy's part of the reference's low end."""
    fraction = papers.number("thresholds", "undervaluation_fraction", 0.6)
    for line in papers.invoice_lines:
        for row in papers.price_reference.get("lines") or ():
            if row.get("item") != line.get("item"):
                continue
            price, low = reference_price(papers, line, row), amount(row.get("low"))
            if price is not None and low is not None and price < fraction * low - 1e-9:
                return "a"
    return None


def vague_goods_description(papers: Papers) -> Grade:
    """Some deciding attribute of a line is stated on none of its papers."""
    for place, line in enumerate(papers.invoice_lines):
        texts = [line.get("description"), papers.packed_line(line, place).get("description")]
        texts.append(papers.safety_sheet.get("product"))
        texts += [part.get("substance") for part in papers.safety_sheet.get("composition") or ()]
        joined = "".join(words(text) for text in texts)
        for values in (papers.qualifiers(line, place).get("particulars") or {}).values():
            if not stated(joined, values):
                return "a"
    return None


def origin_loading_mismatch(papers: Papers) -> Grade:
    """The goods were loaded in another country than that of origin, with nothing that explains it."""
    loaded, known = papers.bill.get("port_of_loading_country"), origins(papers)
    if not known or not words(loaded).strip() or any(same_country(origin, loaded) for origin in known):
        return None
    route = [words(papers.bill.get(name)) for name in ("place_of_receipt", "pre_carriage", "transhipment")]
    if any(says(text, origin) for text in route for origin in known):
        return None
    if same_country((papers.invoice.get("seller") or {}).get("country"), loaded):
        return None
    for outlet in papers.list_of("ordinary_outlets"):
        if any(same_country(outlet[0], origin) for origin in known) and same_country(outlet[1], loaded):
            return None
    return "a"


def high_value_shipment(papers: Papers) -> Grade:
    """The invoice's total, in USD, is above the policy's threshold."""
    usd = declared_usd(papers)
    return "a" if usd is not None and usd > papers.number("thresholds", "high_value_usd", 50_000) else None


FINDINGS: Mapping[str, Callable[[Papers], Grade]] = {
    "quantity_mismatch": quantity_mismatch,
    "missing_country_of_origin": missing_country_of_origin,
    "weight_mismatch_packing_vs_bl": weight_mismatch,
    "invoice_number_mismatch_bl_vs_invoice": invoice_number_mismatch,
    "missing_invoice_number_on_bl": missing_invoice_number,
    "goods_description_mismatch_invoice_vs_packing_list": goods_description_mismatch,
    "consignee_name_mismatch": consignee_name_mismatch,
    "missing_notify_party": missing_notify_party,
    "suspected_undervaluation": suspected_undervaluation,
    "vague_goods_description": vague_goods_description,
    "origin_loading_mismatch": origin_loading_mismatch,
    "high_value_shipment": high_value_shipment,
    "dual_use_or_controlled_chemical_risk": controlled_chemical,
    "textile_declaration_review": textile_review,
}


def findings(papers: Papers) -> dict[str, str]:
    """Return the grade of every finding of the vocabulary that the papers show."""
    graded = {flag: FINDINGS[flag](papers) for flag in papers.vocabulary if flag in FINDINGS}
    return {flag: grade for flag, grade in graded.items() if grade is not None}
