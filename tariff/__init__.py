"""The law of the package: tariff codes and lines, value, duty and exchange rates on the snapshot date.

Nothing here draws, guesses or knows a file's truth; nothing slow is read before it is asked for.
"""

from customs_env.tariff.codes import fold_code, normalise_code, normalise_item
from customs_env.tariff.currency import ExchangeTable, Money, NotifiedRate, load_exchange_table, to_inr
from customs_env.tariff.duty import DutyAssessment, DutyRates, assess_duty, flat_duty_inr
from customs_env.tariff.incoterms import INCOTERMS, PriceBasis, price_basis
from customs_env.tariff.money import Step, paise, rupees
from customs_env.tariff.nomenclature import nomenclature_text
from customs_env.tariff.schedule import (
    SpecificRate,
    TariffItem,
    TariffSchedule,
    TariffSubheading,
    load_schedule,
)
from customs_env.tariff.valuation import (
    Cost,
    Valuation,
    ValuationInput,
    explain_flat_value,
    flat_assessable_value_inr,
    parse_charge,
    statutory_value,
)
from customs_env.versions import SNAPSHOT_DATE

__all__ = [
    "INCOTERMS",
    "SNAPSHOT_DATE",
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
