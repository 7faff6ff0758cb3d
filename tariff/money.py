"""Decimal arithmetic of this package: one context, declared roundings, amounts with their currency's rate.

Every sum of money is computed unrounded here and rounded once, by name: `paise` for values, `rupees` for a
head of duty. The context is our own, so that no caller's `decimal.setcontext` changes a result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow

from customs_env.errors import TariffError, shown

#: 40 digits: a product of two twenty-digit amounts stays exact.
MONEY = Context(prec=40, rounding=ROUND_HALF_UP, traps=[InvalidOperation, DivisionByZero, Overflow])

ZERO = Decimal(0)
_PAISA = Decimal("0.01")
_RUPEE = Decimal(1)
_PER_CENT = Decimal("0.01")
#: No consignment is worth more than this in any currency; it keeps every result inside the context.
LARGEST_AMOUNT = Decimal(10) ** 18


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a computation: what it gives in rupees, unrounded, and the rule that says so."""

    label: str
    amount_inr: Decimal
    rule: str


def paise(amount: Decimal) -> Decimal:
    """Return `amount` rounded half-up to the paisa."""
    return MONEY.quantize(amount, _PAISA)


def rupees(amount: Decimal) -> Decimal:
    """Return `amount` rounded half-up to the whole rupee."""
    return MONEY.quantize(amount, _RUPEE)


def percent(rate_pct: Decimal, of: Decimal) -> Decimal:
    """Return `rate_pct` per cent of an amount, unrounded."""
    return MONEY.multiply(MONEY.multiply(of, rate_pct), _PER_CENT)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """Return the exact sum of amounts."""
    result = ZERO
    for amount in amounts:
        result = MONEY.add(result, amount)
    return result


def checked_amount(amount: object, name: str) -> Decimal:
    """Return `amount` as a Decimal if it is a finite Decimal or int from 0 to LARGEST_AMOUNT.

    Raises TariffError otherwise; a float is refused, since it was rounded before it came here.
    """
    if isinstance(amount, int) and not isinstance(amount, bool):
        amount = Decimal(amount)
    if not isinstance(amount, Decimal):
        raise TariffError(f"{name}: expected a Decimal, got {type(amount).__name__} {shown(amount)}")
    if not amount.is_finite() or amount < 0 or amount > LARGEST_AMOUNT:
        raise TariffError(f"{name}: expected an amount from 0 to {LARGEST_AMOUNT}, got {shown(str(amount))}")
    return amount
