"""The record of a file: what its papers show, as flat fields. The predicates read it; papers are laid out of it.

A drawn file has its record from the generator, and papers only once somebody reads them; a file written by hand is read
into a record by `read_papers`. A test reads the papers of drawn files back and finds equal fields: truth is a function
of what the papers show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from customs_env.goods import Family, Row
from customs_env.goods.wording import padded
from customs_env.scenarios.policy import Policy
from customs_env.scenarios.reading import country_named, country_stated

Paper = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LineGoods:
    """What the goods of one invoice line are: the family, its row, and the values of all attributes."""

    family: Family
    row: Row
    values: Mapping[str, str]


@dataclass(slots=True, init=False, eq=False)
class LineRecord:
    """An invoice line, what packing list and price reference say of it, and what its goods are.

    Without a packing-list line `list_description` is "" and `list_quantity` None; without a price reference
    `reference_low` is None. `invoiced` and `packed` are the two descriptions in comparable form ("" where there is
    none); `FileRecord.compare` sets them.
    """

    goods: LineGoods
    description: str
    quantity: float | None
    unit: str
    unit_price: float
    list_description: str
    list_quantity: float | None
    list_unit: str
    reference_currency: str
    reference_unit: str
    reference_low: float | None
    invoiced: str
    packed: str


@dataclass(slots=True, init=False, eq=False)
class FileRecord:
    """What the papers show. Attributes are named `<paper>_<field>`; those without a paper are shared or the invoice's.

    Nothing is set at the start: who makes a record fills in every field but `origin_given`, the country of origin that
    the papers give ("" for none), which `compare` sets.
    """

    policy: Policy
    lines: Sequence[LineRecord]
    # Invoice
    invoice_number: str
    seller: Mapping[str, str]
    buyer: Mapping[str, str]
    ship_to: Mapping[str, str]
    incoterm: str
    currency: str
    total: float
    invoice_origin: str
    invoice_marks: str
    # Packing list
    list_net: float
    list_gross: float | None
    list_weight_unit: str
    list_origin: str
    list_marks: str
    # Bill of lading and arrival notice
    bill_consignee: str
    bill_address: str
    bill_notify: str
    bill_description: str
    bill_reference: str
    bill_marks: str
    bill_gross: float | None
    bill_weight_unit: str
    receipt: str
    pre_carriage: str
    transhipment: str
    loading_country: str
    arrival_date: str
    # Certificate of origin: "" where none can be had, or it names no country
    certificate_country: str
    # Papers that only some goods call for
    safety_sheet: Paper | None
    permits: Paper | None
    azo_report: Paper | None
    origin_given: str

    def compare(self) -> None:
        """Set what several predicates share: descriptions in comparable form and the origin that is given."""
        for line in self.lines:
            description, packed = line.description, line.list_description
            line.invoiced = invoiced = padded(description)
            line.packed = invoiced if packed == description else padded(packed)
        self.origin_given = (
            country_named(self.invoice_origin) or country_named(self.list_origin) or self._origin_stated()
        )

    def _origin_stated(self) -> str:
        """Return the country that marks, descriptions or the certificate give, or ""."""
        for marks in (self.invoice_marks, self.list_marks, self.bill_marks):
            folded = marks.casefold()
            if "made" in folded or "product" in folded or "origin" in folded:  # few do; the rest need no more folding
                found = country_stated(padded(marks))
                if found:
                    return found
        for line in self.lines:
            found = country_stated(line.invoiced) or country_stated(line.packed)
            if found:
                return found
        return country_named(self.certificate_country)


def read_papers(
    papers: Sequence[Paper], answers: Mapping[str, Any], goods: Sequence[LineGoods], policy: Policy
) -> FileRecord:
    """Return the record of papers and answers that stand written out.

    Args:
        papers: those of a shipment file: invoice, packing list, bill of lading, arrival notice, and what the goods
            call for. `docs/papers.md` lists their fields.
        answers: what can be requested; the certificate of origin and the price reference are read.
        goods: what the goods of each invoice line are.
        policy: the file's policy.

    Raises:
        KeyError: a paper or a field is missing.
        ValueError: there are not as many goods as invoice lines.
    """
    by_kind = {paper["type"]: paper for paper in papers}
    invoice, packing_list, bill = by_kind["invoice"], by_kind["packing_list"], by_kind["bill_of_lading"]
    record = FileRecord()
    record.policy = policy
    reference = by_kind.get("price_reference") or answers.get("price_reference") or {"lines": ()}
    packed = {line["item"]: line for line in packing_list["lines"]}
    priced = {line["item"]: line for line in reference["lines"]}
    record.lines = [
        _read_line(line, packed.get(line["item"]), priced.get(line["item"]), kind)
        for line, kind in zip(invoice["lines"], goods, strict=True)
    ]
    record.invoice_number = invoice["invoice_number"]
    record.seller, record.buyer, record.ship_to = invoice["seller"], invoice["buyer"], invoice["consignee"]
    record.incoterm, record.currency, record.total = invoice["incoterm"], invoice["currency"], invoice["total"]
    record.invoice_origin, record.invoice_marks = invoice["country_of_origin"], invoice["marks"]
    record.list_net, record.list_gross = packing_list["net_weight"], packing_list["gross_weight"]
    record.list_weight_unit = packing_list["weight_unit"]
    record.list_origin, record.list_marks = packing_list["country_of_origin"], packing_list["marks"]
    record.bill_consignee, record.bill_address = bill["consignee"], bill["consignee_address"]
    record.bill_notify, record.bill_description = bill["notify_party"], bill["description"]
    record.bill_reference, record.bill_marks = bill["invoice_reference"], bill["marks"]
    record.bill_gross, record.bill_weight_unit = bill["gross_weight"], bill["weight_unit"]
    record.receipt, record.pre_carriage = bill["place_of_receipt"], bill["pre_carriage"]
    record.transhipment, record.loading_country = bill["transhipment"], bill["port_of_loading_country"]
    record.arrival_date = by_kind["arrival_notice"]["arrival_date"]
    record.certificate_country = answers.get("certificate_of_origin", {}).get("country_of_origin", "")
    record.safety_sheet = by_kind.get("safety_data_sheet")
    record.permits = by_kind.get("import_permits")
    record.azo_report = by_kind.get("azo_test_report")
    return record


def _read_line(line: Paper, packing: Paper | None, reference: Paper | None, goods: LineGoods) -> LineRecord:
    record = LineRecord()
    record.goods = goods
    record.description, record.quantity = line["description"], line["quantity"]
    record.unit, record.unit_price = line["unit"], line["unit_price"]
    record.list_description, record.list_quantity, record.list_unit = "", None, record.unit
    if packing is not None:
        record.list_description, record.list_quantity = packing["description"], packing["quantity"]
        record.list_unit = packing["unit"]
    record.reference_currency, record.reference_unit, record.reference_low = "", record.unit, None
    if reference is not None:
        record.reference_currency, record.reference_unit = reference["currency"], reference["unit"]
        record.reference_low = reference["low"]
    return record
