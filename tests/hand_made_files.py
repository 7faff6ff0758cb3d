"""Shipment files written by hand for tests: a clean one of each kind of goods, changed by paths such as `bill.consignee`.

Nothing here comes from the generator, so that predicates are tested against papers whose every word the test knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from customs_env.goods import family
from customs_env.scenarios.case import ShipmentFile, written_file
from customs_env.scenarios.policy import STANDARD_POLICY
from customs_env.scenarios.record import LineGoods
from customs_env.scenarios.truth import findings_of

IMPORTER = "Sagar Polymers Private Limited"
ADDRESS = "Plot 47, MIDC Taloja, Raigad, Maharashtra"
NUMBER = "HC/0457"

#: kind of goods -> family, values, wording that states every particular, unit, origin, its port
GOODS: dict[str, tuple[str, dict[str, str], str, str, str, str]] = {
    "hose": (
        "rubber_hoses",
        {"article": "hose", "reinforcement": "none", "fittings": "without"},
        "Vulcanised rubber hose, unreinforced, bulk length without fittings",
        "MTR",
        "China",
        "Shanghai (CNSHG)",
    ),
    "acid": (
        "acetyls",
        {"article": "acetyl", "substance": "acetic_acid"},
        "Bulk organic chemical, glacial acetic acid",
        "KGS",
        "China",
        "Shanghai (CNSHG)",
    ),
    "anhydride": (
        "acetyls",
        {"article": "acetyl", "substance": "acetic_anhydride"},
        "Bulk organic chemical, acetic anhydride",
        "KGS",
        "China",
        "Shanghai (CNSHG)",
    ),
    "dyed": (
        "cotton_fabric",
        {"article": "fabric", "composition": "cotton", "weave": "satin", "weight": "light", "finish": "dyed"},
        "Woven fabric in the piece, pure cotton, satin weave, 140 gsm, piece dyed",
        "MTR",
        "China",
        "Shanghai (CNSHG)",
    ),
    "grey": (
        "cotton_fabric",
        {"article": "fabric", "composition": "cotton", "weave": "satin", "weight": "heavy", "finish": "grey"},
        "Woven fabric in the piece, pure cotton, satin weave, 270 gsm, loomstate unbleached",
        "MTR",
        "China",
        "Shanghai (CNSHG)",
    ),
}

#: Short names of papers in paths.
PAPERS = {
    "inv": "invoice",
    "pl": "packing_list",
    "bl": "bill_of_lading",
    "arr": "arrival_notice",
    "sds": "safety_data_sheet",
    "lic": "import_permits",
    "azo": "azo_test_report",
    "ref": "price_reference",
    "coo": "certificate_of_origin",
}


def papers_of(kind: str) -> dict[str, dict[str, Any]]:
    """Return clean papers of a kind of goods by type, with the certificate of origin among them."""
    _, values, text, unit, origin, port = GOODS[kind]
    line = {"item": 1, "description": text, "quantity": 5000, "unit": unit}
    papers: dict[str, dict[str, Any]] = {
        "invoice": {
            "type": "invoice",
            "invoice_number": NUMBER,
            "invoice_date": "2025-11-18",
            "seller": {"name": "Haiyue Trading Co., Ltd.", "address": "218 Jiangnan Road, Ningbo", "country": origin},
            "buyer": {"name": IMPORTER, "address": ADDRESS, "iec": "AAQCS4471K", "gstin": "27AAQCS4471K1ZO"},
            "consignee": {"name": IMPORTER, "address": ADDRESS},
            "incoterm": "CIF",
            "named_place": "Nhava Sheva (INNSA)",
            "currency": "USD",
            "lines": [{**line, "unit_price": 2.0, "amount": 10000.0}],
            "freight": None,
            "insurance": None,
            "total": 10000.0,
            "country_of_origin": origin,
            "payment_terms": "30 days from bill of lading",
            "marks": "SP / NHAVA SHEVA / 1-100",
        },
        "packing_list": {
            "type": "packing_list",
            "invoice_number": NUMBER,
            "date": "2025-11-18",
            "lines": [{**line, "packages": 100, "net_weight": 5000.0, "gross_weight": 5200.0}],
            "total_packages": 100,
            "package_kind": "drums",
            "net_weight": 5000.0,
            "gross_weight": 5200.0,
            "weight_unit": "KGS",
            "country_of_origin": origin,
            "marks": "SP / NHAVA SHEVA / 1-100",
        },
        "bill_of_lading": {
            "type": "bill_of_lading",
            "bl_number": "HAIB1234567",
            "shipper": "Haiyue Trading Co., Ltd.",
            "consignee": IMPORTER,
            "consignee_address": ADDRESS,
            "notify_party": f"{IMPORTER}, {ADDRESS}",
            "place_of_receipt": "",
            "pre_carriage": "",
            "vessel": "Meridian Star",
            "voyage": "104W",
            "port_of_loading": port,
            "port_of_loading_country": origin,
            "transhipment": "",
            "port_of_discharge": "Nhava Sheva (INNSA)",
            "on_board_date": "2025-12-01",
            "description": "100 DRUMS AS INVOICED",
            "invoice_reference": NUMBER,
            "marks": "SP / NHAVA SHEVA / 1-100",
            "packages": 100,
            "package_kind": "drums",
            "gross_weight": 5200.0,
            "weight_unit": "KGS",
            "freight_terms": "PREPAID",
            "containers": ["QXBU1047291"],
        },
        "arrival_notice": {
            "type": "arrival_notice",
            "bl_number": "HAIB1234567",
            "vessel": "Meridian Star",
            "voyage": "104W",
            "arrival_date": "2025-12-24",
            "bill_of_entry_date": "2025-12-22",
            "port_of_discharge": "Nhava Sheva (INNSA)",
        },
        "price_reference": {
            "type": "price_reference",
            "lines": [
                {
                    "item": 1,
                    "unit": unit,
                    "currency": "USD",
                    "basis": "CIF",
                    "low": 1.5,
                    "high": 3.0,
                    "period": "2025-09 to 2025-11",
                }
            ],
        },
        "certificate_of_origin": {
            "reference": "COO-123456",
            "issuing_body": "Chamber of Commerce",
            "country_of_origin": origin,
            "statement": "As declared by the exporter.",
        },
    }
    if kind in ("acid", "anhydride"):
        row = family("acetyls").row(values)
        part = row.composition[0]
        low, high = part["percent"]
        papers["safety_data_sheet"] = {
            "type": "safety_data_sheet",
            "product": "bulk organic chemical",
            "supplier": "Haiyue Trading Co., Ltd.",
            "un_number": "2789",
            "hazard_class": "8",
            "composition": [
                {"cas": part["cas"], "substance": part["substance"], "percent_min": low, "percent_max": high}
            ],
        }
        papers["import_permits"] = {
            "type": "import_permits",
            "permits": [
                {
                    "permit_number": "CBN/IMP/1234/2025",
                    "authority": "Central Bureau of Narcotics",
                    "cas": "108-24-7",
                    "substance": "acetic anhydride",
                    "importer": IMPORTER,
                    "quantity_kg": 5000,
                    "valid_from": "2025-10-01",
                    "valid_to": "2026-03-31",
                }
            ],
        }
    if kind in ("dyed", "grey"):
        papers["azo_test_report"] = {
            "type": "azo_test_report",
            "report_number": "AZ-12345",
            "laboratory": "Textiles Committee, Mumbai",
            "accredited": True,
            "report_date": "2025-11-01",
            "invoice_number": NUMBER,
            "result": "not detected",
        }
    return papers


def _put(papers: dict[str, dict[str, Any]], path: str, value: Any) -> None:
    head, *rest = path.split(".")
    place: Any = papers[PAPERS[head]]
    for step in rest[:-1]:
        place = place[int(step)] if step.isdigit() else place[step]
    if rest[-1].isdigit():
        place[int(rest[-1])] = value
    else:
        if rest[-1] not in place:
            raise KeyError(f"{path} is no field of the paper")
        place[rest[-1]] = value


def make_file(
    kind: str = "hose",
    changes: Mapping[str, Any] | None = None,
    task: str = "task3",
    goods: str | None = None,
    lines: int = 1,
) -> ShipmentFile:
    """Return a file of clean papers with `changes` (path -> value). `goods`: another kind of goods than the papers show."""
    papers = papers_of(kind)
    for paper in ("invoice", "packing_list", "price_reference"):
        first = papers[paper]["lines"][0]
        papers[paper]["lines"] = [{**deepcopy(first), "item": number} for number in range(1, lines + 1)]
    for path, value in (changes or {}).items():
        _put(papers, path, value)
    certificate = papers.pop("certificate_of_origin")
    reference = papers["price_reference"]
    answers: dict[str, Any] = {}
    if task == "task3":
        papers.pop("price_reference")
        answers = {
            "certificate_of_origin": certificate,
            "price_reference": {"lines": reference["lines"]},
            "detailed_goods_description": {"lines": [{"item": 1, "description": GOODS[kind][2], "particulars": {}}]},
        }
    if task == "task1":
        papers = {"invoice": papers["invoice"]}
    name, values, *_ = GOODS[goods or kind]
    kept = family(name)
    line = LineGoods(kept, kept.row(values), values)
    return written_file(
        task_id=task,
        difficulty="standard",
        shipment_id="SHP-HANDMADE",
        papers=tuple(papers.values()),
        answers=answers,
        policy=STANDARD_POLICY,
        qualifiers=tuple({"item": number, **family(GOODS[kind][0]).qualifiers} for number in range(1, lines + 1)),
        goods=(line,) * lines,
    )


def found_in(file: ShipmentFile) -> dict[str, str]:
    """Return the findings of a file, flag -> grade."""
    return {finding.flag: finding.grade for finding in findings_of(file)}
