"""Notified exchange rates and amounts in them."""

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from customs_env.errors import TariffError
from customs_env.tariff import Money, NotifiedRate, load_exchange_table, to_inr
from customs_env.versions import SNAPSHOT_DATE

VECTORS = json.loads((Path(__file__).parent / "vectors" / "valuation.json").read_text(encoding="utf-8"))
TABLE = load_exchange_table()
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference" / "cbic_exchange_rates.csv"


@pytest.mark.parametrize("case", VECTORS["currency"], ids=lambda case: case["currency"])
def test_yen_and_won_are_quoted_per_hundred(case):
    rate = Decimal(case["import"])
    notified = NotifiedRate(case["currency"], case["per"], rate, rate, TABLE.effective_from)
    assert notified.to_inr(Decimal(case["amount"])) == Decimal(case["inr"])
    assert TABLE.rate(case["currency"]).per == 100


def test_the_table_is_in_force_on_the_snapshot_date():
    assert TABLE.covers(date.fromisoformat(SNAPSHOT_DATE))
    assert TABLE.covers(TABLE.effective_from)
    assert not TABLE.covers(TABLE.superseded_on)
    assert not TABLE.covers(date(2025, 12, 18))


def test_the_table_holds_the_22_notified_currencies_import_above_export():
    assert len(TABLE.rates) == 22
    assert all(rate.import_inr > rate.export_inr > 0 for rate in TABLE.rates.values())
    assert {code for code, rate in TABLE.rates.items() if rate.per != 1} == {"JPY", "KRW"}


def test_amounts_convert_at_the_import_rate():
    assert to_inr(Decimal(100), "USD") == Decimal("9125.00")
    assert to_inr(Decimal(2_450_000), "JPY") == Decimal(1_445_500)
    assert to_inr(Decimal("12.34"), "INR") == Decimal("12.34")
    assert TABLE.money(Decimal(100), "EUR").inr == Decimal("10795.00")
    assert TABLE.money(Decimal(100), "INR").inr == 100


@given(st.sampled_from(sorted(TABLE.rates)), st.decimals(0, 10**9, places=2))
def test_conversion_by_fractions(currency, amount):
    rate = TABLE.rate(currency)
    exact = Fraction(amount) * Fraction(rate.import_inr) / rate.per
    assert Fraction(to_inr(amount, currency)) == exact


@pytest.mark.parametrize("currency", ["PKR", "usd", "", "INR "])
def test_a_currency_that_is_not_notified_is_refused(currency):
    with pytest.raises(TariffError, match="no rate is notified"):
        to_inr(Decimal(1), currency)


def test_an_amount_carries_the_rate_of_its_own_currency():
    with pytest.raises(TariffError, match="needs its notified rate"):
        Money(Decimal(1), "USD")
    with pytest.raises(TariffError, match="needs its notified rate"):
        Money(Decimal(1), "INR", TABLE.rate("USD"))
    with pytest.raises(TariffError, match="cannot convert"):
        Money(Decimal(1), "EUR", TABLE.rate("USD"))


@pytest.mark.parametrize("bad", [Decimal(-1), Decimal("NaN"), 1.5, "1", None, True])
def test_what_is_no_amount_is_refused(bad):
    with pytest.raises(TariffError, match="amount"):
        to_inr(bad, "USD")
    with pytest.raises(TariffError, match="amount"):
        Money(bad)


def test_the_shown_table_is_fresh_and_json_ready():
    shown = TABLE.as_dict()
    assert shown["rates"]["USD"] == {"per": 1, "import": 91.25, "export": 89.55}
    assert shown["rates"]["JPY"] == {"per": 100, "import": 59.0, "export": 57.1}
    json.dumps(shown)
    shown["rates"].clear()
    assert TABLE.as_dict()["rates"]


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference folder is not here")
def test_the_rates_are_those_of_the_published_list():
    import csv

    with REFERENCE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["effective_from"] == TABLE.effective_from.isoformat()]
    assert {row["currency"] for row in rows} == set(TABLE.rates)
    for row in rows:
        rate = TABLE.rate(row["currency"])
        assert rate.import_inr / rate.per == Decimal(row["inr_per_unit_import"])
        assert rate.export_inr / rate.per == Decimal(row["inr_per_unit_export"])
