"""Duty on one line: the Indian heads of duty in their order, and the exercise formula `flat`.

Rates: First Schedule of the Customs Tariff Act 1975 and the levies beside it. Each head is computed unrounded
on unrounded heads and rounded half-up to the rupee at the end; the total is the sum of the rounded heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from customs_env.errors import TariffError, shown
from customs_env.tariff.lines import SpecificRate, TariffItem
from customs_env.tariff.money import MONEY, ZERO, Step, checked_amount, paise, percent, rupees, total


@dataclass(frozen=True, slots=True)
class DutyRates:
    """The rates of one line in per cent, for goods whose rates do not come from the table."""

    bcd_pct: Decimal
    sws_pct: Decimal = Decimal(10)
    igst_pct: Decimal = Decimal(18)
    aidc_pct: Decimal = ZERO
    health_cess_pct: Decimal = ZERO
    bcd_specific: SpecificRate | None = None


@dataclass(frozen=True, slots=True)
class DutyAssessment:
    """The heads of duty of one line in whole rupees, and the steps that led to them."""

    assessable_value_inr: Decimal
    bcd_inr: Decimal
    aidc_inr: Decimal
    sws_inr: Decimal
    health_cess_inr: Decimal
    add_inr: Decimal
    igst_inr: Decimal
    total_inr: Decimal
    steps: tuple[Step, ...]

    def heads(self) -> dict[str, Decimal]:
        """Return the heads by name, in the order in which the Bill of Entry states them."""
        return {
            "bcd": self.bcd_inr,
            "aidc": self.aidc_inr,
            "sws": self.sws_inr,
            "health_cess": self.health_cess_inr,
            "add": self.add_inr,
            "igst": self.igst_inr,
        }


def assess_duty(
    assessable_value_inr: Decimal,
    rates: TariffItem | DutyRates,
    *,
    quantity: Decimal | None = None,
    add_inr: Decimal = ZERO,
) -> DutyAssessment:
    """Return the statutory duty on one line.

    `quantity` is in the unit of the line's specific rate; with it, the specific amount is payable where it is
    more than the percentage, without it the percentage alone (a step says so). `add_inr` is an anti-dumping
    duty already worked out in rupees. Raises TariffError for an amount that is no amount.
    """
    value = checked_amount(assessable_value_inr, "assessable_value_inr")
    add = checked_amount(add_inr, "add_inr")
    steps: list[Step] = []

    bcd = _basic_duty(value, rates, quantity, steps)
    aidc = percent(_rate(rates.aidc_pct, "aidc_pct"), value)
    steps.append(Step(f"AIDC {rates.aidc_pct} % of the value", aidc, "Finance Act 2021 s.124; 11/2021-Customs"))
    cess = percent(_rate(rates.health_cess_pct, "health_cess_pct"), value)
    steps.append(Step(f"health cess {rates.health_cess_pct} % of the value", cess, "Finance Act 2020 s.141"))
    # Finance Act 2018 s.110: the surcharge is on the duties actually payable, so it is nil where they are
    customs_duties = total((bcd, aidc, cess))
    sws = percent(_rate(rates.sws_pct, "sws_pct"), customs_duties)
    steps.append(
        Step(
            f"SWS {rates.sws_pct} % of BCD, AIDC and health cess",
            sws,
            "Finance Act 2018 s.110; 11/2018-Customs",
        )
    )
    steps.append(Step("anti-dumping duty", add, "Customs Tariff Act 1975 s.9A"))
    # Customs Tariff Act s.3(8): value plus every duty levied like a duty of customs
    base = total((value, customs_duties, sws, add))
    igst = percent(_rate(rates.igst_pct, "igst_pct"), base)
    steps.append(Step(f"IGST {rates.igst_pct} % of {paise(base)}", igst, "Customs Tariff Act 1975 s.3(7), s.3(8)"))

    payable = total(rupees(head) for head in (bcd, aidc, sws, cess, add, igst))
    steps.append(Step("total of the heads, each rounded half-up to the rupee", payable, "Customs Act s.154A"))
    return DutyAssessment(
        assessable_value_inr=value,
        bcd_inr=rupees(bcd),
        aidc_inr=rupees(aidc),
        sws_inr=rupees(sws),
        health_cess_inr=rupees(cess),
        add_inr=rupees(add),
        igst_inr=rupees(igst),
        total_inr=payable,
        steps=tuple(steps),
    )


def flat_duty_inr(assessable_value_inr: Decimal, bcd_pct: Decimal) -> Decimal:
    """Return the duty of the exercise formula: value x BCD, to the paisa. It is not Indian law."""
    return paise(percent(bcd_pct, assessable_value_inr))


def flat_duty_paise(assessable_value_paise: int, bcd: tuple[int, int]) -> int:
    """Return the same in whole paise, of a value in whole paise and a rate as `rate_fraction` gives it."""
    numerator, denominator = bcd
    return (2 * assessable_value_paise * numerator + denominator) // (2 * denominator)  # half-up


def rate_fraction(rate_pct: Decimal) -> tuple[int, int]:
    """Return a rate in per cent as an exact fraction of the value: 7.5 is (3, 40)."""
    numerator, denominator = MONEY.divide(rate_pct, Decimal(100)).as_integer_ratio()
    return numerator, denominator


def _basic_duty(value: Decimal, rates: TariffItem | DutyRates, quantity: Decimal | None, steps: list[Step]) -> Decimal:
    """Return the basic customs duty, unrounded: the percentage, or the specific amount where higher."""
    rule = "Customs Act s.12; Customs Tariff Act 1975, First Schedule"
    ad_valorem = percent(_rate(rates.bcd_pct, "bcd_pct"), value)
    steps.append(Step(f"BCD {rates.bcd_pct} % of the value", ad_valorem, rule))
    specific = rates.bcd_specific
    if specific is None:
        return ad_valorem
    if quantity is None:
        steps.append(Step(f"{specific} not compared: no quantity was stated", ZERO, rule))
        return ad_valorem
    by_quantity = MONEY.multiply(specific.amount_inr, checked_amount(quantity, "quantity"))
    steps.append(Step(f"BCD {specific} on {quantity} {specific.unit}", by_quantity, rule))
    higher = max(ad_valorem, by_quantity)
    steps.append(Step("the higher of the two is payable", higher, rule))
    return higher


def _rate(rate_pct: Decimal, name: str) -> Decimal:
    """Return a rate if it is a percentage that a duty can have; raises TariffError."""
    if not isinstance(rate_pct, Decimal) or not rate_pct.is_finite() or not 0 <= rate_pct <= 1000:
        raise TariffError(f"{name}: expected a Decimal from 0 to 1000, got {shown(str(rate_pct))}")
    return rate_pct
