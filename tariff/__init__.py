"""The law of the package: tariff codes and lines, value, duty and exchange rates on the snapshot date.

Nothing here draws, guesses or knows a file's truth; nothing slow is read before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from customs_env.tariff.codes import fold_code, normalise_code, normalise_item
    from customs_env.tariff.currency import ExchangeTable, Money, NotifiedRate, load_exchange_table, to_inr
    from customs_env.tariff.duty import DutyAssessment, DutyRates, assess_duty, flat_duty_inr
    from customs_env.tariff.incoterms import INCOTERMS, PriceBasis, price_basis
    from customs_env.tariff.lines import SpecificRate, TariffItem, TariffSubheading
    from customs_env.tariff.money import Step, paise, rupees
    from customs_env.tariff.nomenclature import nomenclature_text
    from customs_env.tariff.schedule import TariffSchedule, load_schedule
    from customs_env.tariff.valuation import (
        Cost,
        Valuation,
        ValuationInput,
        explain_flat_value,
        flat_assessable_value_inr,
        parse_charge,
        statutory_value,
    )


#: The module of each public name, imported when the name is first asked for: who needs two functions does not pay
#: for all.
_MODULE_OF = {
    "fold_code": "codes",
    "normalise_code": "codes",
    "normalise_item": "codes",
    "ExchangeTable": "currency",
    "Money": "currency",
    "NotifiedRate": "currency",
    "load_exchange_table": "currency",
    "to_inr": "currency",
    "DutyAssessment": "duty",
    "DutyRates": "duty",
    "assess_duty": "duty",
    "flat_duty_inr": "duty",
    "INCOTERMS": "incoterms",
    "PriceBasis": "incoterms",
    "price_basis": "incoterms",
    "Step": "money",
    "paise": "money",
    "rupees": "money",
    "nomenclature_text": "nomenclature",
    "SpecificRate": "lines",
    "TariffItem": "lines",
    "TariffSchedule": "schedule",
    "TariffSubheading": "lines",
    "load_schedule": "schedule",
    "Cost": "valuation",
    "Valuation": "valuation",
    "ValuationInput": "valuation",
    "explain_flat_value": "valuation",
    "flat_assessable_value_inr": "valuation",
    "parse_charge": "valuation",
    "statutory_value": "valuation",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


__all__ = [
    "INCOTERMS",
    "Cost",
    "DutyAssessment",
    "DutyRates",
    "ExchangeTable",
    "Money",
    "NotifiedRate",
    "PriceBasis",
    "SpecificRate",
    "Step",
    "TariffItem",
    "TariffSchedule",
    "TariffSubheading",
    "Valuation",
    "ValuationInput",
    "assess_duty",
    "explain_flat_value",
    "flat_assessable_value_inr",
    "flat_duty_inr",
    "fold_code",
    "load_exchange_table",
    "load_schedule",
    "nomenclature_text",
    "normalise_code",
    "normalise_item",
    "paise",
    "parse_charge",
    "price_basis",
    "rupees",
    "statutory_value",
    "to_inr",
]
