"""What a price under each Incoterm of 2020 already holds, as far as the customs value is concerned."""

from __future__ import annotations

from dataclasses import dataclass

from customs_env.errors import TariffError, shown


@dataclass(frozen=True, slots=True)
class PriceBasis:
    """Which costs the price holds: those up to free on board, the main carriage, the insurance of it."""

    term: str
    holds_export_costs: bool
    holds_freight: bool
    holds_insurance: bool
    reaches_india: bool


def _basis(term: str, held: str) -> PriceBasis:
    return PriceBasis(term, "x" in held, "f" in held, "i" in held, "d" in held)


#: The eleven rules. Under a D term the seller carries the risk to the named place: its price stands for CIF.
INCOTERMS = {
    term: _basis(term, held)
    for term, held in {
        "EXW": "",
        "FCA": "",
        "FAS": "",
        "FOB": "x",
        "CFR": "xf",
        "CPT": "xf",
        "CIF": "xfi",
        "CIP": "xfi",
        "DAP": "xfid",
        "DPU": "xfid",
        "DDP": "xfid",
    }.items()
}


def price_basis(incoterm: str) -> PriceBasis:
    """Return what a price under an Incoterm holds; raises TariffError for a term of no 2020 rule."""
    found = INCOTERMS.get(incoterm) if isinstance(incoterm, str) else None
    if found is None:
        raise TariffError(f"expected an Incoterm of 2020 ({', '.join(INCOTERMS)}), got {shown(incoterm)}")
    return found
