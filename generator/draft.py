"""The draft of a file: every figure and text that its papers will show, and the papers made of it.

Variations (harmless) and discrepancies (errors) alter a draft; its papers are written out once, when somebody reads
them. So what a file shows is in one place, and no paper is patched behind another's back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from customs_env.generator.stock import Variant
from customs_env.scenarios.record import FileRecord, LineRecord, Paper

#: The day on which every file is worked: rates, lists and exchange rates are those of this day.
SNAPSHOT_DATE = date(2025, 12, 22)

_FIRST_DAY = SNAPSHOT_DATE - timedelta(days=800)
_ISO = tuple((_FIRST_DAY + timedelta(days=number)).isoformat() for number in range(1600))


def iso_day(days_from_snapshot: int) -> str:
    """Return the ISO date so many days after the snapshot date (negative: before)."""
    return _ISO[800 + days_from_snapshot]


@dataclass(slots=True, init=False, eq=False)
class LineDraft(LineRecord):
    """A line in the making: the generator leaves no quantity or weight blank."""

    quantity: int
    list_quantity: float
    reference_low: float
    reference_high: float


@dataclass(slots=True, init=False, eq=False)
class Draft(FileRecord):
    """A record in the making, and what else its papers will show. Days count from the snapshot date.

    `line` is the only one of `lines` that the generator draws today. Variations and discrepancies alter the draft;
    `settle` then fixes what follows from the rest.
    """

    task_id: str
    line: LineDraft
    variant: Variant
    serial: int
    wording_draw: int
    # Route
    origin: str
    loading_port: str
    named_port: str
    discharge_port: str
    vessel: str
    voyage: str
    container: str
    container_count: int
    # Invoice and packing list
    invoice_day: int
    payment_terms: str
    list_gross: float
    list_invoice_number: str
    packages: int
    package_kind: str
    # Bill of lading and arrival notice
    bill_number: str
    bill_gross: float
    bill_packages: int
    bill_package_kind: str
    on_board_day: int
    arrival_day: int
    # Chemicals: safety sheet and permit
    sheet_product: str
    sheet_parts: list[dict[str, Any]]
    permit_cas: str
    permit_authority: str
    permit_substance: str
    permit_importer: str
    permit_quantity_kg: int
    permit_from_day: int
    permit_to_day: int
    # Textiles: azo-dye report
    azo_laboratory: str
    azo_accredited: bool
    azo_result: str
    azo_invoice_number: str
    azo_days_before_arrival: int

    def settle(self) -> None:
        """Fix the total, the dates and the papers of which only some goods have one. Nothing is altered afterwards."""
        line = self.line
        # Quantity and price are positive, so that adding a half rounds.
        self.total = int(line.quantity * line.unit_price * 100 + 0.5) / 100
        self.arrival_date = _ISO[800 + self.arrival_day]
        self.safety_sheet = self.permits = self.azo_report = None
        kind = line.goods.family.kind
        if kind == "chemical":
            self.safety_sheet, self.permits = _safety_sheet(self), _permits(self)
        elif kind == "textile":
            self.azo_report = _azo_report(self)
        if self.task_id == "task2":  # nothing can be requested there
            self.certificate_country = ""

    def papers(self) -> tuple[Paper, ...]:
        """Return the papers of a shipment file, invoice first; which there are depends on task and goods alone."""
        if self.task_id == "task1":
            return (_invoice(self),)
        papers = [_invoice(self), _packing_list(self), _bill_of_lading(self), _arrival_notice(self)]
        papers += [paper for paper in (self.safety_sheet, self.permits, self.azo_report) if paper is not None]
        if self.task_id == "task2":
            papers.append({"type": "price_reference", **_price_reference(self)})
        return tuple(papers)

    def answers(self) -> dict[str, Any]:
        """Return what can be requested of this file; every answer has the same shape in every file."""
        if self.task_id != "task3":
            return {}
        country = self.certificate_country
        return {
            "detailed_goods_description": self.variant.detailed(self.wording_draw),
            "certificate_of_origin": {
                "reference": f"COO-{self.serial % 900_000 + 100_000}" if country else "",
                "issuing_body": "Chamber of Commerce" if country else "",
                "country_of_origin": country,
                "statement": "Goods as declared by the exporter."
                if country
                else "No certificate is held for these goods.",
            },
            "price_reference": _price_reference(self),
        }


def _invoice(draft: Draft) -> Paper:
    line, buyer, seller = draft.line, draft.buyer, draft.seller
    amount = draft.total
    return {
        "type": "invoice",
        "invoice_number": draft.invoice_number,
        "invoice_date": _ISO[800 + draft.invoice_day],
        "seller": {"name": seller["name"], "address": seller["address"], "country": seller["country"]},
        "buyer": {
            "name": buyer["name"],
            "address": buyer["address"],
            "iec": buyer["iec"],
            "gstin": buyer["gstin"],
        },
        "consignee": {"name": buyer["name"], "address": buyer["address"]},
        "incoterm": draft.incoterm,
        "named_place": draft.named_port if draft.incoterm in ("FOB", "FCA", "EXW", "FAS") else draft.discharge_port,
        "currency": draft.currency,
        "lines": [
            {
                "item": 1,
                "description": line.description,
                "quantity": line.quantity,
                "unit": line.unit,
                "unit_price": line.unit_price,
                "amount": amount,
            }
        ],
        "freight": None,
        "insurance": None,
        "total": amount,
        "country_of_origin": draft.invoice_origin,
        "payment_terms": draft.payment_terms,
        "marks": draft.invoice_marks,
    }


def _price_reference(draft: Draft) -> Paper:
    return {
        "lines": [
            {
                "item": 1,
                "unit": draft.line.reference_unit,
                "currency": "USD",
                "basis": "CIF",
                "low": draft.line.reference_low,
                "high": draft.line.reference_high,
                "period": "2025-09 to 2025-11",
            }
        ]
    }


def _packing_list(draft: Draft) -> Paper:
    line = draft.line
    return {
        "type": "packing_list",
        "invoice_number": draft.list_invoice_number,
        "date": _ISO[800 + draft.invoice_day],
        "lines": [
            {
                "item": 1,
                "description": line.list_description,
                "quantity": line.list_quantity,
                "unit": line.list_unit,
                "packages": draft.packages,
                "net_weight": draft.list_net,
                "gross_weight": draft.list_gross,
            }
        ],
        "total_packages": draft.packages,
        "package_kind": draft.package_kind,
        "net_weight": draft.list_net,
        "gross_weight": draft.list_gross,
        "weight_unit": draft.list_weight_unit,
        "country_of_origin": draft.list_origin,
        "marks": draft.list_marks,
    }


def _bill_of_lading(draft: Draft) -> Paper:
    return {
        "type": "bill_of_lading",
        "bl_number": draft.bill_number,
        "shipper": draft.seller["name"],
        "consignee": draft.bill_consignee,
        "consignee_address": draft.bill_address,
        "notify_party": draft.bill_notify,
        "place_of_receipt": draft.receipt,
        "pre_carriage": draft.pre_carriage,
        "vessel": draft.vessel,
        "voyage": draft.voyage,
        "port_of_loading": draft.loading_port,
        "port_of_loading_country": draft.loading_country,
        "transhipment": draft.transhipment,
        "port_of_discharge": draft.discharge_port,
        "on_board_date": _ISO[800 + draft.on_board_day],
        "description": draft.bill_description,
        "invoice_reference": draft.bill_reference,
        "marks": draft.bill_marks,
        "packages": draft.bill_packages,
        "package_kind": draft.bill_package_kind,
        "gross_weight": draft.bill_gross,
        "weight_unit": draft.bill_weight_unit,
        "freight_terms": "COLLECT" if draft.incoterm in ("FOB", "FCA", "EXW", "FAS") else "PREPAID",
        "containers": [draft.container],
        "container_count": draft.container_count,
    }


def _arrival_notice(draft: Draft) -> Paper:
    return {
        "type": "arrival_notice",
        "bl_number": draft.bill_number,
        "vessel": draft.vessel,
        "voyage": draft.voyage,
        "arrival_date": draft.arrival_date,
        "bill_of_entry_date": _ISO[800],
        "port_of_discharge": draft.discharge_port,
    }


def _azo_report(draft: Draft) -> Paper:
    return {
        "type": "azo_test_report",
        "report_number": f"AZ-{draft.serial % 90_000 + 10_000}",
        "laboratory": draft.azo_laboratory,
        "accredited": draft.azo_accredited,
        "report_date": _ISO[800 + draft.arrival_day - draft.azo_days_before_arrival],
        "invoice_number": draft.azo_invoice_number,
        "result": draft.azo_result,
    }


def _safety_sheet(draft: Draft) -> Paper:
    un = draft.variant.goods.row.un
    return {
        "type": "safety_data_sheet",
        "product": draft.sheet_product,
        "supplier": draft.seller["name"],
        "un_number": un["number"] if un else "",
        "hazard_class": un["class"] if un else "",
        "composition": draft.sheet_parts,
    }


def _permits(draft: Draft) -> Paper:
    return {
        "type": "import_permits",
        "permits": [
            {
                "permit_number": f"IMP/{draft.serial % 9_000 + 1_000}/2025",
                "authority": draft.permit_authority,
                "cas": draft.permit_cas,
                "substance": draft.permit_substance,
                "importer": draft.permit_importer,
                "quantity_kg": draft.permit_quantity_kg,
                "valid_from": _ISO[800 + draft.permit_from_day],
                "valid_to": _ISO[800 + draft.permit_to_day],
            }
        ],
    }
