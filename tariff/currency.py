"""Exchange rates that the Central Board of Indirect Taxes and Customs notifies for imports and exports.

Customs Act s.14(1), proviso: the rate in force on the day on which the Bill of Entry is presented. The
official lists quote some currencies per hundred units (JPY, KRW), so every rate carries its `per`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from customs_env.errors import TariffError, shown
from customs_env.tariff.money import MONEY, checked_amount

_FILE = Path(__file__).parent / "data" / "exchange_rates.json"


@dataclass(frozen=True, slots=True)
class NotifiedRate:
    """Rupees for `per` units of a currency, as notified for imports and for exports."""

    currency: str
    per: int
    import_inr: Decimal
    export_inr: Decimal
    effective_from: date

    def to_inr(self, amount: Decimal) -> Decimal:
        """Return an amount of this currency in rupees at the import rate, unrounded."""
        return MONEY.divide(MONEY.multiply(amount, self.import_inr), Decimal(self.per))


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a currency with the rate that turns it into rupees (`rate` is None for rupees)."""

    amount: Decimal
    currency: str = "INR"
    rate: NotifiedRate | None = None

    def __post_init__(self) -> None:
        checked_amount(self.amount, "amount")
        if (self.currency == "INR") != (self.rate is None):
            raise TariffError(f"an amount in {shown(self.currency)} needs its notified rate, one in INR none")
        if self.rate is not None and self.rate.currency != self.currency:
            raise TariffError(f"a rate of {self.rate.currency} cannot convert {shown(self.currency)}")

    @property
    def inr(self) -> Decimal:
        """The amount in rupees, unrounded."""
        return self.amount if self.rate is None else self.rate.to_inr(self.amount)


@dataclass(frozen=True, slots=True)
class ExchangeTable:
    """The rates of one notification: in force from `effective_from` until the day before `superseded_on`."""

    effective_from: date
    superseded_on: date
    rates: Mapping[str, NotifiedRate]

    def rate(self, currency: str) -> NotifiedRate:
        """Return the notified rate of a currency; raises TariffError for one that is not notified."""
        found = self.rates.get(currency)
        if found is None:
            known = ", ".join(sorted(self.rates))
            raise TariffError(f"no rate is notified for {shown(currency)!r}; notified are {known}")
        return found

    def money(self, amount: Decimal, currency: str) -> Money:
        """Return an amount with the rate of this table (INR needs none)."""
        return Money(amount) if currency == "INR" else Money(amount, currency, self.rate(currency))

    def covers(self, day: date) -> bool:
        """Whether this table is the one in force on a day."""
        return self.effective_from <= day < self.superseded_on

    def as_dict(self) -> dict[str, Any]:
        """Return the table as JSON-ready data, fresh on each call; the rates are rupees per `per` units."""
        return {
            "effective_from": self.effective_from.isoformat(),
            "unit": "INR",
            "rates": {
                code: {"per": rate.per, "import": float(rate.import_inr), "export": float(rate.export_inr)}
                for code, rate in self.rates.items()
            },
        }


@lru_cache(maxsize=1)
def load_exchange_table() -> ExchangeTable:
    """Return the table in force on the snapshot date, read once."""
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    start = date.fromisoformat(raw["effective_from"])
    rates = {
        code: NotifiedRate(code, row["per"], Decimal(row["import"]), Decimal(row["export"]), start)
        for code, row in sorted(raw["rates"].items())
    }
    return ExchangeTable(start, date.fromisoformat(raw["superseded_on"]), MappingProxyType(rates))


def to_inr(amount: Decimal, currency: str) -> Decimal:
    """Return an amount in rupees, unrounded, at the import rate in force on the snapshot date."""
    amount = checked_amount(amount, "amount")
    return amount if currency == "INR" else load_exchange_table().rate(currency).to_inr(amount)
