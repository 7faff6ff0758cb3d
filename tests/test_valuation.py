"""The customs value, by hand-worked vectors, by a second route in fractions, and by property."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.errors import TariffError
from customs_env.tariff import (
    INCOTERMS,
    Cost,
    Money,
    NotifiedRate,
    ValuationInput,
    explain_flat_value,
    flat_assessable_value_inr,
    load_exchange_table,
    parse_charge,
    statutory_value,
)
from customs_env.tariff.valuation import ADDED_COSTS, EXCLUDED_COSTS, MODES

VECTORS = json.loads((Path(__file__).parent / "vectors" / "valuation.json").read_text(encoding="utf-8"))
DAY = load_exchange_table().effective_from
PARTS = ("charges_to_port_of_export", "freight", "insurance")


def money(text, rates):
    currency, amount = text.split()
    if currency == "INR":
        return Money(Decimal(amount))
    rate = rates[currency]
    notified = NotifiedRate(currency, rate["per"], Decimal(rate["import"]), Decimal(rate["import"]), DAY)
    return Money(Decimal(amount), currency, notified)


def papers_of(case):
    raw, rates = case["papers"], case.get("rates", {})
    return ValuationInput(
        incoterm=raw["incoterm"],
        mode=raw["mode"],
        goods=money(raw["goods"], rates),
        **{part: money(raw[part], rates) for part in PARTS if part in raw},
        insurance_in_price=raw.get("insurance_in_price", False),
        costs=tuple(Cost(kind, money(text, rates)) for kind, text in raw.get("costs", {}).items()),
        costs_in_price=tuple(Cost(kind, money(text, rates)) for kind, text in raw.get("costs_in_price", {}).items()),
    )


def paise_half_up(exact):
    return Decimal(floor(exact * 100 + Fraction(1, 2))).scaleb(-2)


def second_route(case):
    """The same value in exact fractions, from the text of rule 10(2); None where the carriage exceeds the price."""
    raw, rates = case["papers"], case.get("rates", {})

    def inr(text):
        currency, amount = text.split()
        if currency == "INR":
            return Fraction(amount)
        return Fraction(amount) * Fraction(rates[currency]["import"]) / rates[currency]["per"]

    term = raw["incoterm"]
    price = inr(raw["goods"]) - sum(inr(text) for text in raw.get("costs_in_price", {}).values())
    price += inr(raw["charges_to_port_of_export"]) if term in ("EXW", "FCA", "FAS") else 0
    known = {part: inr(raw[part]) for part in ("freight", "insurance") if part in raw}
    inside = set()
    if term not in ("EXW", "FCA", "FAS", "FOB"):
        inside.add("freight")
    if term in ("CIF", "CIP", "DAP", "DPU", "DDP") or raw.get("insurance_in_price"):
        inside.add("insurance")
    fob = price - sum(known[part] for part in inside) if inside <= known.keys() else None
    if fob is not None and fob < 0:
        return None
    base = price if fob is None else fob
    value = price
    if fob is not None and "freight" in inside and raw["mode"] == "air":
        value -= max(known["freight"] - fob / 5, 0)
    if "freight" not in inside:
        freight = known.get("freight", base / 5)
        value += min(freight, base / 5) if raw["mode"] == "air" else freight
    if "insurance" not in inside:
        value += known.get("insurance", base * Fraction(9, 800))
    added = sum(inr(text) for kind, text in raw.get("costs", {}).items() if kind in ADDED_COSTS)
    return value + added


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_worked_value(case):
    found = statutory_value(papers_of(case))
    expect = {name: None if text is None else Decimal(text) for name, text in case["expect"].items()}
    assert found.fob_inr == expect["fob"]
    assert found.freight_counted_inr == expect["freight"]
    assert found.insurance_counted_inr == expect["insurance"]
    assert found.unrounded_inr == expect["unrounded"]
    assert str(found.assessable_value_inr) == case["expect"]["value"]


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_worked_value_by_the_second_route(case):
    exact = second_route(case)
    assert exact == Fraction(case["expect"]["unrounded"])
    assert paise_half_up(exact) == Decimal(case["expect"]["value"])


@pytest.mark.parametrize("case", VECTORS["statutory"], ids=lambda case: case["id"])
def test_every_step_cites_its_rule_and_the_last_is_the_value(case):
    found = statutory_value(papers_of(case))
    assert all(step.label and step.rule for step in found.steps)
    assert found.steps[-1].amount_inr == found.assessable_value_inr


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["id"])
def test_papers_that_allow_no_value_are_refused_with_the_reason(case):
    with pytest.raises(TariffError, match=case["says"]):
        statutory_value(papers_of(case))


def test_the_vectors_hold_every_incoterm_and_mode():
    assert {case["papers"]["incoterm"] for case in VECTORS["statutory"]} == set(INCOTERMS)
    assert {case["papers"]["mode"] for case in VECTORS["statutory"]} == set(MODES)


amounts = st.decimals(0, 10**7, places=2)
maybe = st.none() | amounts


@given(
    term=st.sampled_from(sorted(INCOTERMS)),
    mode=st.sampled_from(MODES),
    goods=st.decimals(1, 10**7, places=2),
    charges=amounts,
    freight=maybe,
    insurance=maybe,
    rate=st.decimals("0.01", 400, places=2),
    per=st.sampled_from([1, 100]),
    added=maybe,
)
def test_any_papers_give_the_same_value_by_both_routes(
    term, mode, goods, charges, freight, insurance, rate, per, added
):
    raw = {"incoterm": term, "mode": mode, "goods": f"XXX {goods}"}
    if term in ("EXW", "FCA", "FAS"):
        raw["charges_to_port_of_export"] = f"XXX {charges}"
    if freight is not None:
        raw["freight"] = f"XXX {freight}"
    if insurance is not None:
        raw["insurance"] = f"INR {insurance}"
    if added is not None:
        raw["costs"] = {"royalty_or_licence_fee": f"INR {added}", "buying_commission": "INR 77"}
    case = {"papers": raw, "rates": {"XXX": {"per": per, "import": str(rate)}}}
    papers, exact = papers_of(case), second_route(case)
    if exact is None:
        with pytest.raises(TariffError, match="more than the price"):
            statutory_value(papers)
        return
    found = statutory_value(papers)
    if per == 1:
        assert Fraction(found.unrounded_inr) == exact
    assert found.assessable_value_inr == paise_half_up(exact)


@given(goods=st.decimals(1, 10**7, places=2), freight=amounts)
def test_by_air_no_freight_counts_over_a_fifth_of_fob(goods, freight):
    found = statutory_value(
        ValuationInput("FOB", "air", Money(goods), freight=Money(freight), insurance=Money(Decimal(0)))
    )
    assert found.freight_counted_inr == min(freight, goods / 5)
    assert found.unrounded_inr <= goods * Decimal("1.2")


def test_freight_of_exactly_a_fifth_is_counted_without_a_cap():
    papers = ValuationInput("FOB", "air", Money(Decimal(500)), freight=Money(Decimal(100)))
    found = statutory_value(papers)
    assert found.freight_counted_inr == 100
    assert not any("at most" in step.label for step in found.steps)


def test_a_price_that_is_all_carriage_leaves_a_fob_of_nil():
    papers = ValuationInput("CIF", "sea", Money(Decimal(10)), freight=Money(Decimal(9)), insurance=Money(Decimal(1)))
    assert statutory_value(papers).fob_inr == 0
    assert statutory_value(papers).assessable_value_inr == 10


@pytest.mark.parametrize("kind", sorted(EXCLUDED_COSTS))
def test_excluded_costs_change_nothing_and_leave_a_step(kind):
    plain = ValuationInput("FOB", "sea", Money(Decimal(1000)))
    papers = ValuationInput("FOB", "sea", Money(Decimal(1000)), costs=(Cost(kind, Money(Decimal(99))),))
    found = statutory_value(papers)
    assert found.assessable_value_inr == statutory_value(plain).assessable_value_inr
    assert any(kind in step.label and step.amount_inr == 0 for step in found.steps)


def test_a_cost_of_no_known_kind_is_refused():
    with pytest.raises(TariffError, match="kind of cost"):
        Cost("landing_charge", Money(Decimal(1)))


# The exercise formula


@pytest.mark.parametrize("case", VECTORS["flat"], ids=lambda case: case["declared_usd"])
def test_flat_value(case):
    declared = Decimal(case["declared_usd"])
    assert str(flat_assessable_value_inr(declared)) == case["value"]
    explained = explain_flat_value(declared)
    assert explained.assessable_value_inr == Decimal(case["value"])
    assert all(step.rule for step in explained.steps)


@given(st.decimals(0, 10**12, places=4))
def test_flat_value_by_integer_arithmetic(declared):
    # 83.0 x 1.0525 = 87.3575; in ten-thousandths: n x 873575 / 10^8 rupees, half-up to the paisa
    tenthousandths = int(declared.scaleb(4))
    paise = (tenthousandths * 873575 + 500_000) // 1_000_000
    assert int(flat_assessable_value_inr(declared).scaleb(2)) == paise
    assert explain_flat_value(declared).assessable_value_inr == flat_assessable_value_inr(declared)


def test_a_callers_decimal_context_changes_nothing():
    with localcontext() as context:
        context.prec = 3
        assert flat_assessable_value_inr(Decimal("49999.99")) == Decimal("4367874.13")
        found = statutory_value(ValuationInput("FOB", "sea", Money(Decimal("123456.78"))))
    assert found.unrounded_inr == Decimal("123456.78") * Decimal("1.21125")


# Charges as papers state them


@pytest.mark.parametrize("value", VECTORS["charges"]["unknown"])
def test_blank_is_unknown(value):
    assert parse_charge(value) is None


@pytest.mark.parametrize("value", VECTORS["charges"]["nil"])
def test_a_declared_nil_is_nil(value):
    assert parse_charge(value) == 0


@pytest.mark.parametrize(("value", "amount"), VECTORS["charges"]["amounts"])
def test_stated_amounts(value, amount):
    assert parse_charge(value) == Decimal(amount)


@pytest.mark.parametrize("value", [*VECTORS["charges"]["refused"], float("nan"), float("inf"), -1, -0.5])
def test_what_is_no_charge_is_refused(value):
    with pytest.raises(TariffError, match="expected a charge"):
        parse_charge(value)


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50) | st.decimals())
def test_parsing_a_charge_is_total(value):
    try:
        charge = parse_charge(value)
    except TariffError:
        return
    assert charge is None or (charge.is_finite() and charge >= 0)
