"""Money on the papers: the declared value in USD, the price on the reference's basis, value and duty."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from customs_env.agents.papers import Paper, Papers
from customs_env.agents.reading import amount, measured


def inr_per(papers: Papers, currency: str) -> float | None:
    """Return the rupees of one unit of a currency by the revealed rates, else by the policy's dollar rate."""
    rate = (papers.rates.get("rates") or {}).get(currency)
    if isinstance(rate, dict) and amount(rate.get("import")) is not None:
        return float(rate["import"]) / float(rate.get("per") or 1)
    if currency == "USD":
        return amount((papers.policy.get("valuation") or {}).get("usd_rate"))
    return None


def in_usd(papers: Papers, money: Any) -> float | None:
    """Return an amount of the invoice in USD."""
    number, currency = amount(money), str(papers.invoice.get("currency") or "USD").strip().upper()
    if number is None or currency == "USD":
        return number
    own, dollar = inr_per(papers, currency), inr_per(papers, "USD")
    return None if own is None or not dollar else number * own / dollar


def declared_usd(papers: Papers) -> float | None:
    """Return the invoice's total in USD."""
    return in_usd(papers, papers.invoice.get("total"))


PAISA = Decimal("0.01")

#: Freight and insurance on top of FOB, in percent, that the rule of undervaluation counts with.
FREIGHT_PCT, INSURANCE_PCT = 4.0, 1.25


def _valuation(papers: Papers, name: str) -> float:
    return amount((papers.policy.get("valuation") or {}).get(name)) or 0.0


def reference_price(papers: Papers, line: Paper, row: Paper) -> float | None:
    """Return a line's unit price in USD on the basis (CIF) and in the unit of the price reference."""
    price = in_usd(papers, line.get("unit_price"))
    one, wanted = measured(1, line.get("unit")), measured(1, row.get("unit"))
    if price is None or one is None or wanted is None or one[0] != wanted[0]:
        return None
    price *= wanted[1] / one[1]
    incoterm = str(papers.invoice.get("incoterm") or "").strip().upper()
    if incoterm in ("EXW", "FCA", "FAS", "FOB"):
        price *= 1 + (FREIGHT_PCT + INSURANCE_PCT) / 100
    elif incoterm in ("CFR", "CPT"):
        price *= 1 + INSURANCE_PCT / 100
    return price


def assessable_value(papers: Papers) -> Decimal:
    """Return the assessable value in rupees by the policy's flat formula."""
    rate = Decimal(str(_valuation(papers, "usd_rate")))
    added = Decimal(str(_valuation(papers, "freight_pct"))) + Decimal(str(_valuation(papers, "insurance_pct")))
    declared = Decimal(repr(declared_usd(papers) or 0.0))
    return (declared * rate * (1 + added / 100)).quantize(PAISA, ROUND_HALF_UP)


def duty(papers: Papers, value: Decimal, item: str) -> Decimal:
    """Return the duty of the item by the flat formula; zero where the schedule does not show the item."""
    for row in papers.schedule.get("items") or ():
        if str(row.get("tariff_item")) == item:
            return (value * Decimal(str(row.get("bcd_pct") or 0)) / 100).quantize(PAISA, ROUND_HALF_UP)
    return Decimal(0)
