"""The decision policy: classes, thresholds, lists, dates. All that the grader uses stands here and in the observation.

The law behind each figure is cited in `flags.py` (findings) and in `tariff` (value and duty). Lists are dated: they say
what holds on the snapshot date 2025-12-22.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

POLICY_VERSION = "2025-12-22.1"

#: Recommendations from the strictest to the mildest, with the class of finding that calls for each.
RECOMMENDATION_BY_CLASS = {
    "refer": "refer_to_customs",
    "hold": "hold",
    "query": "query_shipper",
    "note": "clear",
}
RECOMMENDATIONS = tuple(RECOMMENDATION_BY_CLASS.values())

#: Findings about the identity of the consignment: so many of class query count as one of class hold.
IDENTITY_FLAGS = (
    "consignee_name_mismatch",
    "invoice_number_mismatch_bl_vs_invoice",
    "weight_mismatch_packing_vs_bl",
)
IDENTITY_COUNT = 3

#: Substances whose import needs a permit. Regimes: NDPS (Regulation of Controlled Substances) Order 2013, Schedule C,
#: with Customs Act s.11 (S.O. 834(E) of 26-03-2013 declares the later twelve); Ozone Depleting Substances Rules 2000.
#: Schedule 3 chemicals of the Chemical Weapons Convention Act 2000 need none from a State Party, so they are not here.
#: SCOMET is an export list and never the ground of an import finding.
_NDPS, _ODS = "NDPS (RCS) Order 2013", "ODS Rules 2000"
_AUTHORITIES = {_NDPS: "Central Bureau of Narcotics", _ODS: "Directorate General of Foreign Trade"}
CONTROLLED_SUBSTANCES: tuple[Mapping[str, Any], ...] = tuple(
    {"cas": cas, "substance": substance, "regime": regime, "authority": _AUTHORITIES[regime], "limit_percent": 1.0}
    for cas, substance, regime in (
        ("108-24-7", "acetic anhydride", _NDPS),
        ("118-92-3", "anthranilic acid", _NDPS),
        ("89-52-1", "N-acetylanthranilic acid", _NDPS),
        ("103-82-2", "phenylacetic acid", _NDPS),
        ("78-93-3", "methyl ethyl ketone", _NDPS),
        ("120-57-0", "piperonal", _NDPS),
        ("120-58-1", "isosafrole", _NDPS),
        ("94-59-7", "safrole", _NDPS),
        ("7722-64-7", "potassium permanganate", _NDPS),
        ("75-45-6", "chlorodifluoromethane (HCFC-22)", _ODS),
    )
)

#: FTP Appendix 2X with Public Notice 14/2023: goods of these origins need no azo-dye report. The European Union is
#: listed there as such; its member states that the files name are written out.
AZO_EXEMPT_ORIGINS = (
    "Australia", "Austria", "Belgium", "Canada", "Denmark", "France", "Germany", "Italy", "Japan", "Netherlands",
    "Poland", "Serbia", "South Korea", "Spain", "United Kingdom",
)  # fmt: skip

#: Words that say that a textile carries colour.
COLOUR_WORDS = ("dyed", "printed", "yarns of different colours", "coloured woven")

#: Pairs (origin, country of loading) that are the ordinary way out by sea. Chinese goods by way of Dubai are ordinary
#: only with through evidence, so that pair is not here.
ORDINARY_OUTLETS = (
    ("Germany", "Belgium"), ("Germany", "Netherlands"), ("Germany", "Italy"), ("France", "Belgium"),
    ("Belgium", "Netherlands"), ("Netherlands", "Belgium"), ("France", "Italy"), ("Italy", "France"),
    ("China", "Hong Kong"), ("China", "Singapore"), ("Switzerland", "Italy"), ("Switzerland", "Netherlands"),
    ("Switzerland", "Germany"), ("Austria", "Germany"), ("Austria", "Italy"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds and lists of one file. The defaults are the policy of every level below `expert`."""

    weight_tolerance_pct: float = 0.5
    weight_tolerance_kg: float = 10.0
    quantity_tolerance_pct: float = 0.5
    consignee_spelling_edits: int = 2
    high_value_usd: float = 50_000.0
    undervaluation_fraction: float = 0.6
    azo_report_months: int = 6
    controlled_cas: Mapping[str, float] = field(
        default_factory=lambda: {entry["cas"]: float(entry["limit_percent"]) for entry in CONTROLLED_SUBSTANCES}
    )
    azo_exempt_origins: frozenset[str] = frozenset(AZO_EXEMPT_ORIGINS)
    ordinary_outlets: frozenset[tuple[str, str]] = frozenset(ORDINARY_OUTLETS)
    valuation_basis: str = "flat"


STANDARD_POLICY = Policy()
