"""Duty on a line, by hand-worked vectors, by a second route in fractions, and by property."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.errors import DataError, TariffError
from customs_env.tariff import DutyRates, SpecificRate, assess_duty, flat_duty_inr, load_schedule

VECTORS = json.loads((Path(__file__).parent / "vectors" / "duty.json").read_text(encoding="utf-8"))
HEADS = ("bcd", "aidc", "sws", "health_cess", "add", "igst")


def assess(case):
    rates = case["rates"]
    return assess_duty(
        Decimal(case["assessable_value"]),
        DutyRates(
            bcd_pct=Decimal(rates["bcd"]),
            sws_pct=Decimal(rates["sws"]),
            igst_pct=Decimal(rates["igst"]),
            aidc_pct=Decimal(rates.get("aidc", 0)),
            health_cess_pct=Decimal(rates.get("health_cess", 0)),
            bcd_specific=SpecificRate.parse(rates["specific"]) if "specific" in rates else None,
        ),
        quantity=None if case["quantity"] is None else Decimal(case["quantity"]),
        add_inr=Decimal(case["add"] or 0),
    )


def second_route(value, rates, quantity=None, add=0):
    """The heads in exact fractions, rounded half-up by the floor of half more."""
    pct = {name: Fraction(rates.get(name, 0)) / 100 for name in ("bcd", "aidc", "health_cess", "sws", "igst")}
    value, add = Fraction(value), Fraction(add)
    bcd = value * pct["bcd"]
    if "specific" in rates and quantity is not None:
        bcd = max(bcd, Fraction(rates["specific"].split()[0]) * Fraction(quantity))
    aidc, cess = value * pct["aidc"], value * pct["health_cess"]
    sws = (bcd + aidc + cess) * pct["sws"]
    igst = (value + bcd + aidc + cess + sws + add) * pct["igst"]
    return {
        name: floor(head + Fraction(1, 2)) for name, head in zip(HEADS, (bcd, aidc, sws, cess, add, igst), strict=True)
    }


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_worked_duty(case):
    found = assess(case)
    assert {name: str(head) for name, head in found.heads().items()} | {"total": str(found.total_inr)} == case["expect"]


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_worked_duty_by_the_second_route(case):
    heads = second_route(case["assessable_value"], case["rates"], case["quantity"], case["add"] or 0)
    assert {name: str(head) for name, head in heads.items()} == {name: case["expect"][name] for name in HEADS}
    assert sum(heads.values()) == int(case["expect"]["total"])


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_every_step_cites_its_rule_and_the_last_is_the_total(case):
    found = assess(case)
    assert all(step.label and step.rule for step in found.steps)
    assert found.steps[-1].amount_inr == found.total_inr


rates_pct = st.decimals(0, 150, places=2)


@given(
    value=st.decimals(0, 10**9, places=2),
    bcd=rates_pct,
    sws=rates_pct,
    igst=rates_pct,
    aidc=rates_pct,
    cess=rates_pct,
    add=st.decimals(0, 10**7, places=2),
    quantity=st.none() | st.decimals(0, 10**6, places=3),
)
def test_any_rates_give_the_same_heads_by_both_routes(value, bcd, sws, igst, aidc, cess, add, quantity):
    rates = {
        "bcd": bcd,
        "sws": sws,
        "igst": igst,
        "aidc": aidc,
        "health_cess": cess,
        "specific": "45 INR/NOS",
    }
    found = assess_duty(
        value,
        DutyRates(bcd, sws, igst, aidc, cess, SpecificRate.parse("45 INR/NOS")),
        quantity=quantity,
        add_inr=add,
    )
    heads = second_route(value, rates, quantity, add)
    assert {name: int(head) for name, head in found.heads().items()} == heads
    assert found.total_inr == sum(heads.values())


@given(value=st.decimals(0, 10**9, places=2), quantity=st.decimals(0, 10**6, places=2))
def test_the_higher_of_percentage_and_amount_is_never_below_either(value, quantity):
    rates = DutyRates(Decimal(20), bcd_specific=SpecificRate(Decimal(45), "NOS"))
    found = assess_duty(value, rates, quantity=quantity).bcd_inr
    assert found >= assess_duty(value, DutyRates(Decimal(20))).bcd_inr
    assert abs(found - max(value / 5, 45 * quantity)) <= Decimal("0.5")


def test_a_line_of_the_table_is_assessed_at_its_own_rates():
    schedule = load_schedule()
    for item in schedule:
        found = assess_duty(Decimal(100_000), item)
        rates = {
            "bcd": item.bcd_pct,
            "sws": item.sws_pct,
            "igst": item.igst_pct,
            "aidc": item.aidc_pct,
            "health_cess": item.health_cess_pct,
        }
        assert {name: int(head) for name, head in found.heads().items()} == second_route(100_000, rates)


@pytest.mark.parametrize("case", VECTORS["flat"], ids=lambda case: case["assessable_value"])
def test_flat_duty(case):
    found = flat_duty_inr(Decimal(case["assessable_value"]), Decimal(case["bcd"]))
    assert str(found) == case["duty"]
    exact = Fraction(case["assessable_value"]) * Fraction(case["bcd"]) / 100
    assert int(found * 100) == floor(exact * 100 + Fraction(1, 2))


def test_a_callers_decimal_context_changes_nothing():
    with localcontext() as context:
        context.prec = 3
        found = assess_duty(Decimal("123456.78"), DutyRates(Decimal("7.5")))
    assert {name: int(head) for name, head in found.heads().items()} == second_route(
        "123456.78", {"bcd": "7.5", "sws": 10, "igst": 18}
    )


@pytest.mark.parametrize(
    "bad", [Decimal("NaN"), Decimal("Infinity"), Decimal(-1), 1.5, "100", None, True, Decimal(10) ** 30]
)
def test_what_is_no_amount_is_refused(bad):
    rates = DutyRates(Decimal(10), bcd_specific=SpecificRate(Decimal(1), "KGS"))
    with pytest.raises(TariffError, match="assessable_value_inr"):
        assess_duty(bad, rates)
    with pytest.raises(TariffError, match="add_inr"):
        assess_duty(Decimal(1), rates, add_inr=bad)
    if bad is not None:
        with pytest.raises(TariffError, match="quantity"):
            assess_duty(Decimal(1), rates, quantity=bad)


@pytest.mark.parametrize("bad", [Decimal(-1), Decimal("NaN"), Decimal(2000), 10])
def test_what_is_no_rate_is_refused(bad):
    with pytest.raises(TariffError, match="bcd_pct"):
        assess_duty(Decimal(1), DutyRates(bad))


@pytest.mark.parametrize("text", ["", "45", "45 INR", "45 INR/", "x INR/NOS", "-1 INR/NOS", "0 INR/NOS", "NaN INR/NOS"])
def test_what_is_no_specific_rate_is_refused(text):
    with pytest.raises(DataError, match="specific rate"):
        SpecificRate.parse(text)


def test_a_specific_rate_reads_back_as_it_is_written():
    assert str(SpecificRate.parse("45 INR/NOS")) == "45 INR/NOS"
