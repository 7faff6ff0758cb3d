"""The draft of a file: every figure and text that its papers will show, and the papers made of it.

Variations (harmless) and discrepancies (errors) alter a draft; `papers` then writes it out once. So what a file shows
is in one place, and no paper is patched behind another's back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from customs_env.generator.stock import Variant
from customs_env.scenarios.case import Paper

#: The day on which every file is worked: rates, lists and exchange rates are those of this day.
SNAPSHOT_DATE = date(2025, 12, 22)

_FIRST_DAY = SNAPSHOT_DATE - timedelta(days=800)
_ISO = tuple((_FIRST_DAY + timedelta(days=number)).isoformat() for number in range(1600))


def iso_day(days_from_snapshot: int) -> str:
    """Return the ISO date so many days after the snapshot date (negative: before)."""
    return _ISO[800 + days_from_snapshot]


@dataclass(slots=True, init=False, eq=False)
class Draft:
    """What the papers will show. Attributes are named `<paper>_<field>`; those without a paper are shared by all.

    Nothing is set at the start: the generator fills in what the goods call for. Days count from the snapshot date.
    """

    variant: Variant
    serial: int
    # Parties and route
    shipper: Mapping[str, str]
    importer: Mapping[str, str]
    origin: str
    loading_country: str
    loading_port: str
    discharge_port: str
    receipt: str
    pre_carriage: str
    transhipment: str
    vessel: str
    voyage: str
    container: str
    container_count: int
    named_port: str
    wording_draw: int
    payment_terms: str
    # Amounts
    incoterm: str
    currency: str
    unit: str
    quantity: int
    unit_price: float
    packages: int
    package_kind: str
    # Invoice
    invoice_number: str
    invoice_day: int
    invoice_description: str
    invoice_origin: str
    invoice_marks: str
    # Packing list
    list_invoice_number: str
    list_description: str
    list_quantity: float
    list_unit: str
    list_net: float
    list_gross: float
    list_weight_unit: str
    list_origin: str
    list_marks: str
    # Bill of lading and arrival notice
    bill_number: str
    bill_consignee: str
    bill_address: str
    bill_notify: str
    bill_description: str
    bill_reference: str
    bill_marks: str
    bill_packages: int
    bill_package_kind: str
    bill_gross: float
    bill_weight_unit: str
    on_board_day: int
    arrival_day: int
    # Certificate of origin and price reference
    certificate_country: str
    reference_unit: str
    reference_low: float
    reference_high: float
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


def invoice_paper(draft: Draft) -> Paper:
    """Return the commercial invoice."""
    amount = int(draft.quantity * draft.unit_price * 100 + 0.5) / 100
    importer, shipper = draft.importer, draft.shipper
    return {
        "type": "invoice",
        "invoice_number": draft.invoice_number,
        "invoice_date": _ISO[800 + draft.invoice_day],
        "seller": {"name": shipper["name"], "address": shipper["address"], "country": shipper["country"]},
        "buyer": {
            "name": importer["name"],
            "address": importer["address"],
            "iec": importer["iec"],
            "gstin": importer["gstin"],
        },
        "consignee": {"name": importer["name"], "address": importer["address"]},
        "incoterm": draft.incoterm,
        "named_place": draft.named_port if draft.incoterm in ("FOB", "FCA", "EXW", "FAS") else draft.discharge_port,
        "currency": draft.currency,
        "lines": [
            {
                "item": 1,
                "description": draft.invoice_description,
                "quantity": draft.quantity,
                "unit": draft.unit,
                "unit_price": draft.unit_price,
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


def reference_paper(draft: Draft) -> Paper:
    """Return the price reference of the goods."""
    return {
        "lines": [
            {
                "item": 1,
                "unit": draft.reference_unit,
                "currency": "USD",
                "basis": "CIF",
                "low": draft.reference_low,
                "high": draft.reference_high,
                "period": "2025-09 to 2025-11",
            }
        ]
    }


def shipment_papers(draft: Draft, invoice: Paper) -> list[Paper]:
    """Return the papers of a shipment file, invoice first; which kinds there are depends on the goods alone."""
    arrival = _ISO[800 + draft.arrival_day]
    papers = [
        invoice,
        {
            "type": "packing_list",
            "invoice_number": draft.list_invoice_number,
            "date": invoice["invoice_date"],
            "lines": [
                {
                    "item": 1,
                    "description": draft.list_description,
                    "quantity": draft.list_quantity,
                    "unit": draft.list_unit,
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
        },
        {
            "type": "bill_of_lading",
            "bl_number": draft.bill_number,
            "shipper": draft.shipper["name"],
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
        },
        {
            "type": "arrival_notice",
            "bl_number": draft.bill_number,
            "vessel": draft.vessel,
            "voyage": draft.voyage,
            "arrival_date": arrival,
            "bill_of_entry_date": _ISO[800],
            "port_of_discharge": draft.discharge_port,
        },
    ]
    kind = draft.variant.goods.family.kind
    if kind == "chemical":
        papers.append(_safety_sheet(draft))
        papers.append(_permits(draft))
    elif kind == "textile":
        papers.append(
            {
                "type": "azo_test_report",
                "report_number": f"AZ-{draft.serial % 90_000 + 10_000}",
                "laboratory": draft.azo_laboratory,
                "accredited": draft.azo_accredited,
                "report_date": _ISO[800 + draft.arrival_day - draft.azo_days_before_arrival],
                "invoice_number": draft.azo_invoice_number,
                "result": draft.azo_result,
            }
        )
    return papers


def _safety_sheet(draft: Draft) -> Paper:
    un = draft.variant.goods.row.un
    return {
        "type": "safety_data_sheet",
        "product": draft.sheet_product,
        "supplier": draft.shipper["name"],
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


def request_answers(draft: Draft) -> dict[str, Any]:
    """Return what can be requested of this file; every answer has the same shape in every file."""
    country = draft.certificate_country
    return {
        "detailed_goods_description": draft.variant.detailed(draft.wording_draw),
        "certificate_of_origin": {
            "reference": f"COO-{draft.serial % 900_000 + 100_000}" if country else "",
            "issuing_body": "Chamber of Commerce" if country else "",
            "country_of_origin": country,
            "statement": "Goods as declared by the exporter." if country else "No certificate is held for these goods.",
        },
        "price_reference": reference_paper(draft),
    }
