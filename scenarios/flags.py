"""The findings: name, predicate, class by grade, legal basis, and the rule as agents read it.

Classes belong to grades, not to names: the same name can cover a slip (grade a) and something worse (grade b).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from customs_env.scenarios import predicates


@dataclass(frozen=True, slots=True)
class FlagRule:
    """A finding: predicate, class by grade, where it is looked for, legal basis, and the rule as agents read it."""

    name: str
    predicate: predicates.Predicate
    classes: Mapping[str, str]
    tasks: tuple[str, ...]
    looks_at: str
    basis: str
    rule: str


_BOTH = ("task2", "task3")
_FULL = ("task3",)

#: In the order of the public environment's names, which the vocabulary keeps.
FLAG_RULES: tuple[FlagRule, ...] = (
    FlagRule(
        "quantity_mismatch",
        predicates.quantity_mismatch,
        {"a": "hold"},
        _BOTH,
        "visible",
        "Customs Act s.46(4), s.17, s.111(l) and (m)",
        "For a line matched by item number, invoice and packing list give different quantities after conversion "
        "inside one kind of unit. Counted goods (pieces, pairs, sets): at all. Mass, length, area, volume: by more "
        "than quantity_packed_pct of the invoice. Units of different kinds are not compared.",
    ),
    FlagRule(
        "missing_country_of_origin",
        predicates.missing_country_of_origin,
        {"a": "query"},
        _BOTH,
        "visible and requestable",
        "Customs Act s.46 with the Bill of Entry form",
        "No paper gives a country of origin: not the country_of_origin field of invoice or packing list, not a "
        "statement such as 'Made in ...', 'Product of ...' or 'Origin: ...' in marks or line descriptions, and not "
        "the certificate of origin where one can be requested. A field counts where its whole content "
        "is the name of a country; EU, VARIOUS, 'as per contract' and 'see remarks' name none.",
    ),
    FlagRule(
        "weight_mismatch_packing_vs_bl",
        predicates.weight_mismatch,
        {"a": "query"},
        _BOTH,
        "visible",
        "Customs Act s.30, s.46(4A)",
        "Gross weight of the packing list and of the bill of lading differ by more than the greater of weight_pct of "
        "the packing list's and weight_kg, in the same unit.",
    ),
    FlagRule(
        "invoice_number_mismatch_bl_vs_invoice",
        predicates.invoice_number_mismatch,
        {"a": "query"},
        _BOTH,
        "visible",
        "Customs Act s.46(4A); identity of the consignment in the manifest",
        "The bill of lading's invoice_reference quotes at least one number (several are parted by comma, semicolon, & "
        "or 'and'), none is the invoice's, and the bill's description and marks do not hold the invoice's number as "
        "whole words either. Numbers are compared by "
        "letters and digits alone.",
    ),
    FlagRule(
        "missing_invoice_number_on_bl",
        predicates.missing_invoice_number,
        {"a": "note", "b": "query"},
        _BOTH,
        "visible",
        "no rule asks for it; kept as a note",
        "The bill of lading holds no invoice number: not in invoice_reference, description or marks. Grade a where "
        "the bill's marks are the invoice's marks, grade b where they are not (blank, N/M or others).",
    ),
    FlagRule(
        "goods_description_mismatch_invoice_vs_packing_list",
        predicates.goods_description_mismatch,
        {"a": "hold"},
        _BOTH,
        "visible",
        "Customs Act s.46(4A), s.111(m)",
        "For a matched line, the packing list's description holds none of the goods_names of declaration_qualifiers, "
        "or states of some particular only other values than the invoice states. A shorter wording that keeps the "
        "name and contradicts nothing is no mismatch.",
    ),
    FlagRule(
        "consignee_name_mismatch",
        predicates.consignee_name_mismatch,
        {"a": "query", "b": "hold"},
        _BOTH,
        "visible",
        "Customs Act s.2(26), s.30(3); Circular 14/2017-Customs",
        "The bill of lading is consigned to a named party (not to order, not to a bank) whose folded name is neither "
        "the invoice's buyer nor its consignee. Grade a: same address as that party and at most "
        "consignee_spelling_edits edits from its folded name. Grade b: anybody else.",
    ),
    FlagRule(
        "missing_notify_party",
        predicates.missing_notify_party,
        {"a": "query"},
        _BOTH,
        "visible",
        "manifest and delivery order practice; Customs Act s.30",
        "The notify party is blank and the bill is to order or consigned to a bank. Blank on a bill to a named "
        "importer is no finding.",
    ),
    FlagRule(
        "suspected_undervaluation",
        predicates.suspected_undervaluation,
        {"a": "query"},
        _BOTH,
        "visible and requestable",
        "CVR 2007 rule 12 with its explanation; Customs Act s.17(2)",
        "A line's unit price, brought to the unit and the CIF basis of the price reference (FOB, FCA, FAS, EXW x "
        "1.0525; CFR, CPT x 1.0125; CIF, CIP as it is), is below undervaluation_fraction of the reference's low end.",
    ),
    FlagRule(
        "vague_goods_description",
        predicates.vague_goods_description,
        {"a": "query"},
        _FULL,
        "visible",
        "Customs Act s.46(4A); CVR 2007 rule 12 explanation (iii)(e)",
        "For a line, some particular of declaration_qualifiers is stated by none of its terms in the descriptions of "
        "invoice and packing list, nor in product and substances of an attached safety data sheet. An answer to a "
        "request does not cure it.",
    ),
    FlagRule(
        "origin_loading_mismatch",
        predicates.origin_loading_mismatch,
        {"a": "note"},
        _FULL,
        "visible and requestable",
        "no general rule; routing in context",
        "The port of loading lies outside the country of origin, the pair is not in ordinary_outlets, and nothing "
        "explains it: the name of the country of origin in place of receipt, pre-carriage or transhipment, or a "
        "seller established in the loading country. A port alone names no country; an unknown origin is no finding.",
    ),
    FlagRule(
        "high_value_shipment",
        predicates.high_value_shipment,
        {"a": "note"},
        _FULL,
        "visible",
        "no customs rule has such a line; a note for the importer's file",
        "The invoice total is above high_value_usd, strictly.",
    ),
    FlagRule(
        "dual_use_or_controlled_chemical_risk",
        predicates.dual_use_or_controlled_chemical_risk,
        {"a": "refer"},
        _FULL,
        "visible",
        "NDPS (Regulation of Controlled Substances) Order 2013; ODS Rules 2000; Customs Act s.11",
        "The safety data sheet names a CAS number of controlled_substances with a percent_max above its limit, and no "
        "permit of the file covers it: same CAS number, importer the buyer, quantity at least the net weight of the "
        "packing list, arrival date within validity.",
    ),
    FlagRule(
        "textile_declaration_review",
        predicates.textile_declaration_review,
        {"a": "query"},
        _FULL,
        "visible and requestable",
        "ITC(HS) Schedule 1 General Note 10; Public Notice 14/2023 (Appendix 2X)",
        "In a file with an azo test report (textiles): an invoice or packing-list description says (whole words) one "
        "of colour_words, the origin is not in azo_exempt_origins (an unknown origin is not), and the azo test report "
        "is not valid: accredited laboratory, result 'not detected', this invoice's number, dated within "
        "azo_report_months before the arrival date.",
    ),
)

FLAG_BY_NAME = {rule.name: rule for rule in FLAG_RULES}


def vocabulary(task_id: str) -> tuple[str, ...]:
    """Return the flag names of a task, the same for every file of it."""
    return tuple(rule.name for rule in FLAG_RULES if task_id in rule.tasks)
