"""The lines of the tariff: tariff items and subheadings with their rates, as the table and look-ups show them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from customs_env.errors import DataError, shown

#: The levies of a line that are percentages, as columns and fields are called.
LEVIES = ("bcd_pct", "sws_pct", "aidc_pct", "health_cess_pct", "igst_pct")


@dataclass(frozen=True, slots=True)
class SpecificRate:
    """An amount per unit that is payable instead of the percentage where it comes to more."""

    amount_inr: Decimal
    unit: str

    @classmethod
    def parse(cls, text: str) -> SpecificRate:
        """Read a text such as `45 INR/NOS`; raises DataError."""
        amount, _, unit = text.partition(" INR/")
        try:
            rate = cls(Decimal(amount), unit)
        except InvalidOperation as error:
            raise DataError(f"a specific rate reads like '45 INR/NOS', got {text!r}") from error
        if not unit or not rate.amount_inr.is_finite() or rate.amount_inr <= 0:
            raise DataError(f"a specific rate reads like '45 INR/NOS', got {text!r}")
        return rate

    def __str__(self) -> str:
        return f"{self.amount_inr} INR/{self.unit}"


@dataclass(frozen=True, slots=True)
class TariffItem:
    """One eight-digit line: our own wording, unit of quantity, and rates in per cent."""

    code: str
    description: str
    unit: str
    bcd_pct: Decimal
    bcd_specific: SpecificRate | None
    sws_pct: Decimal
    aidc_pct: Decimal
    health_cess_pct: Decimal
    igst_pct: Decimal
    source: str
    confidence: str
    note: str
    #: where an official list in hand says something else, and why: `bcd_pct 15: concession; igst_pct 18: nil list`
    differs: str

    @classmethod
    def from_fields(cls, fields: list[str]) -> TariffItem:
        """Return the item of a row of items.csv; raises DataError for a rate that is none."""
        code, description, unit, bcd_pct, specific, *rates, source, mark, note, differs = fields
        sws, aidc, cess, igst = map(per_cent, rates)
        bcd_specific = SpecificRate.parse(specific) if specific else None
        return cls(
            *(code, description, unit, per_cent(bcd_pct), bcd_specific, sws, aidc, cess, igst),
            *(source, mark, note, differs),
        )

    @property
    def duty_is_ad_valorem(self) -> bool:
        """Whether basic duty is a percentage and nothing else: no amount per unit is known, or noted as possible."""
        return self.bcd_specific is None and "specific rate" not in self.note

    def as_row(self) -> dict[str, Any]:
        """Return the JSON-ready row that look-ups show."""
        return {
            "tariff_item": self.code,
            "description": self.description,
            "unit": self.unit,
            "bcd_pct": rate_number(self.bcd_pct),
            "bcd_specific": "" if self.bcd_specific is None else str(self.bcd_specific),
            "sws_pct": rate_number(self.sws_pct),
            "aidc_pct": rate_number(self.aidc_pct),
            "health_cess_pct": rate_number(self.health_cess_pct),
            "igst_pct": rate_number(self.igst_pct),
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class TariffSubheading:
    """One six-digit subheading: our own wording and the range of its items' rates in per cent."""

    code: str
    description: str
    bcd_pct_min: Decimal
    bcd_pct_max: Decimal
    igst_pct: Decimal
    sws_pct: Decimal
    aidc_pct: Decimal
    items_in_table: bool
    confidence: str

    def as_row(self) -> dict[str, Any]:
        """Return the JSON-ready row that look-ups show."""
        return {
            "subheading": self.code,
            "description": self.description,
            "bcd_pct_min": rate_number(self.bcd_pct_min),
            "bcd_pct_max": rate_number(self.bcd_pct_max),
            "igst_pct": rate_number(self.igst_pct),
            "sws_pct": rate_number(self.sws_pct),
            "aidc_pct": rate_number(self.aidc_pct),
            "items_in_table": self.items_in_table,
            "confidence": self.confidence,
        }


@lru_cache(maxsize=256)
def per_cent(text: str) -> Decimal:
    """Return a percentage of the tables, which hold few different ones; raises DataError."""
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise DataError(f"expected a percentage, got {shown(text)!r}") from error


def rate_number(value: Decimal) -> int | float:
    """Return a percentage as JSON shows it: 20, 7.5."""
    return int(value) if value == value.to_integral_value() else float(value)
