"""The assessable value of a line, in paise: the exercise formula `flat`, and `statutory`.

Statutory: Customs Act s.14 and the Customs Valuation Rules (CVR) 2007 as amended by 91/2017-Customs (NT) of
26-09-2017. The rules chosen where practice leaves room:

- 20 % and 1.125 % are of FOB wherever FOB can be told apart. They are of a sum only where the papers give
  that sum undivided: FOB + insurance (then transport is 20 % of it), FOB + transport as in a CFR price with no
  break-up (then insurance is 1.125 % of it). A known freight beside a known FOB leaves FOB known: insurance
  is 1.125 % of FOB, not of the sum.
- By air, transport counts at most 20 % of FOB, also inside a CPT, CIP or D price whose own break-up shows
  more; without a break-up the price is taken as it stands.
- Freight and insurance stated beside a CIF or CIP price are memo items: they tell FOB, and are not added.
- A D price stands for CIF. Costs and duties in India come off only where the papers show them apart.
- FOB is the price free on board without the additions of rule 10(1), which are added on top.
- Unknown costs to the port of export leave FOB unknown under EXW, FCA and FAS: an error, not a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from customs_env.errors import TariffError, shown
from customs_env.tariff.currency import Money
from customs_env.tariff.incoterms import PriceBasis, price_basis
from customs_env.tariff.money import MONEY, ZERO, Step, paise, percent, total

# The exercise formula. It is not Indian law, and the policy says so.
FLAT_USD_RATE = Decimal("83.0")
FLAT_FREIGHT_PCT = Decimal(4)
FLAT_INSURANCE_PCT = Decimal("1.25")
_FLAT_FACTOR = FLAT_USD_RATE * (100 + FLAT_FREIGHT_PCT + FLAT_INSURANCE_PCT) / 100
_FLAT_NUMERATOR, _FLAT_DENOMINATOR = _FLAT_FACTOR.as_integer_ratio()
_PAISA = Decimal("0.01")

UNKNOWN_FREIGHT_PCT = Decimal(20)
UNKNOWN_INSURANCE_PCT = Decimal("1.125")
AIR_FREIGHT_CAP_PCT = Decimal(20)

MODES = ("sea", "air", "land")

#: Costs outside the price that rule 10(1) adds, and costs that rule 10(2) counts beside the freight.
ADDED_COSTS = {
    "selling_commission": "CVR 2007 rule 10(1)(a)(i)",
    "container_cost": "CVR 2007 rule 10(1)(a)(ii)",
    "packing": "CVR 2007 rule 10(1)(a)(iii)",
    "assist": "CVR 2007 rule 10(1)(b)",
    "royalty_or_licence_fee": "CVR 2007 rule 10(1)(c)",
    "proceeds_to_seller": "CVR 2007 rule 10(1)(d)",
    "other_condition_of_sale": "CVR 2007 rule 10(1)(e)",
    "lighterage": "CVR 2007 rule 10(2), explanation",
    "ship_demurrage": "CVR 2007 rule 10(2), explanation",
}
#: Costs that stay out of the value, wherever they are stated apart from the price.
EXCLUDED_COSTS = {
    "buying_commission": "CVR 2007 rule 10(1)(a)(i): other than buying commissions",
    "work_in_india": "CVR 2007 rule 10(1)(b): undertaken elsewhere than in India",
    "handling_at_place_of_importation": "91/2017-Customs (NT): handling at the place of importation",
    "port_to_icd_transport": "CVR 2007 rule 10(2), proviso on inland container depots",
    "inland_haulage_in_india": "CVR 2007 rule 3, explanation (after importation)",
    "duty_in_india": "CVR 2007 rule 3, explanation (duties in India)",
}

_UNKNOWN_WORDS = frozenset({"", "-", "NA", "N/A", "N.A.", "NOT AVAILABLE", "NOT KNOWN", "UNKNOWN"})
_NIL_WORDS = frozenset({"NIL", "ZERO"})
#: Plain digits, or grouped by commas as in 1,234,567 and 12,34,567; 123,45 could mean either: no amount.
_AMOUNT = re.compile(
    r"(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})*,[0-9]{3})(?:\.[0-9]+)?(?:E[+-][0-9]{1,2})?"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost beside the price: its kind (of ADDED_COSTS or EXCLUDED_COSTS) and amount."""

    kind: str
    money: Money

    def __post_init__(self) -> None:
        if self.kind not in ADDED_COSTS and self.kind not in EXCLUDED_COSTS:
            known = ", ".join([*ADDED_COSTS, *EXCLUDED_COSTS])
            raise TariffError(f"expected a kind of cost ({known}), got {shown(self.kind)}")


@dataclass(frozen=True, slots=True)
class ValuationInput:
    """What the papers say of one line. None is unknown; a declared nil is an amount of zero.

    `goods` is the price under the Incoterm. `insurance_in_price` marks a FOB price that holds the insurance.
    `costs` stand beside the price; `costs_in_price` are excluded costs that a D price holds and the papers
    show apart.
    """

    incoterm: str
    mode: str
    goods: Money
    charges_to_port_of_export: Money | None = None
    freight: Money | None = None
    insurance: Money | None = None
    insurance_in_price: bool = False
    costs: tuple[Cost, ...] = ()
    costs_in_price: tuple[Cost, ...] = ()


@dataclass(frozen=True, slots=True)
class Valuation:
    """The value of a line in paise, its parts unrounded, and the steps.

    A part that the papers do not tell apart from the price is None: it lies inside the sum.
    """

    assessable_value_inr: Decimal
    unrounded_inr: Decimal
    fob_inr: Decimal | None
    freight_counted_inr: Decimal | None
    insurance_counted_inr: Decimal | None
    steps: tuple[Step, ...]


def flat_assessable_value_inr(declared_usd: Decimal) -> Decimal:
    """Return declared USD x 83.0 x (1 + 4 % + 1.25 %), to the paisa."""
    return MONEY.quantize(MONEY.multiply(declared_usd, _FLAT_FACTOR), _PAISA)


def flat_assessable_value_paise(declared_usd: float) -> int:
    """Return the same in whole paise, from a total as papers print it (a number of at most two decimals).

    Files are valued by the thousand a second; integers are as exact as Decimal and cost a tenth.
    """
    cents = round(declared_usd * 100)
    if cents / 100 != declared_usd:
        return int(flat_assessable_value_inr(Decimal(str(declared_usd))).scaleb(2))
    return (2 * cents * _FLAT_NUMERATOR + _FLAT_DENOMINATOR) // (2 * _FLAT_DENOMINATOR)  # half-up


def explain_flat_value(declared_usd: Decimal) -> Valuation:
    """Return the value of the exercise formula with its steps."""
    base = MONEY.multiply(declared_usd, FLAT_USD_RATE)
    freight = percent(FLAT_FREIGHT_PCT, base)
    insurance = percent(FLAT_INSURANCE_PCT, base)
    unrounded = total((base, freight, insurance))
    rule = "exercise formula of the policy"
    steps = (
        Step(f"declared USD {declared_usd} at {FLAT_USD_RATE}", base, rule),
        Step(f"freight {FLAT_FREIGHT_PCT} %", freight, rule),
        Step(f"insurance {FLAT_INSURANCE_PCT} %", insurance, rule),
        Step("assessable value, rounded half-up to the paisa", paise(unrounded), rule),
    )
    return Valuation(paise(unrounded), unrounded, base, freight, insurance, steps)


def parse_charge(value: object) -> Decimal | None:
    """Return a charge as papers state it: None where unknown (blank, NA), 0 for nil, else the amount.

    Accepts Decimal, int, float (by its shortest text) and text with commas between digits.
    Raises TariffError for anything else, and for amounts that are negative or not finite.
    """
    if value is None:
        return None
    text = "?" if isinstance(value, bool) or not isinstance(value, (Decimal, int, float, str)) else str(value)
    if len(text) > 40:
        raise TariffError(f"expected a charge (amount, nil, or blank for unknown), got {shown(value)}")
    word = text.strip().upper()
    if word in _UNKNOWN_WORDS:
        return None
    if word in _NIL_WORDS:
        return ZERO
    if _AMOUNT.fullmatch(word) is None:
        raise TariffError(f"expected a charge (amount, nil, or blank for unknown), got {shown(value)}")
    return Decimal(word.replace(",", ""))


def statutory_value(papers: ValuationInput) -> Valuation:
    """Return the assessable value of a line under rule 10; TariffError where the papers do not allow one."""
    basis = price_basis(papers.incoterm)
    if papers.mode not in MODES:
        raise TariffError(f"expected a mode of transport ({', '.join(MODES)}), got {shown(papers.mode)}")
    if papers.insurance_in_price and (basis.holds_freight or not basis.holds_export_costs):
        raise TariffError("insurance_in_price marks a FOB price; the other Incoterms say what they hold")
    steps: list[Step] = []
    price = _price(papers, basis, steps)
    if basis.holds_freight:
        value, fob, freight, insurance = _carriage_in_price(papers, basis, price, steps)
    else:
        value, fob, freight, insurance = _carriage_beside_price(papers, price, steps)
    value = MONEY.add(value, _added_costs(papers.costs, steps))
    rounded = paise(value)
    steps.append(Step("assessable value, rounded half-up to the paisa", rounded, "Customs Act s.14(1)"))
    return Valuation(rounded, value, fob, freight, insurance, tuple(steps))


_Parts = tuple[Decimal, "Decimal | None", "Decimal | None", "Decimal | None"]


def _price(papers: ValuationInput, basis: PriceBasis, steps: list[Step]) -> Decimal:
    """Return the price in rupees, brought to FOB where the term stops short, less costs in India."""
    price = papers.goods.inr
    steps.append(Step(f"price {basis.term} {papers.goods.currency} {papers.goods.amount}", price, "CVR 2007 rule 3"))
    if not basis.holds_export_costs:
        charges = papers.charges_to_port_of_export
        if charges is None:
            raise TariffError(
                f"{basis.term}: FOB is unknown without the costs to the port of export (nil if there is none)"
            )
        steps.append(Step("costs to the port of export", charges.inr, "CVR 2007 rule 10(2)(a)"))
        price = MONEY.add(price, charges.inr)
        steps.append(Step("FOB", price, "Customs Act s.14(1)"))
    elif papers.charges_to_port_of_export is not None:
        steps.append(Step("costs to the port of export lie in the price", ZERO, "CVR 2007 rule 10(2)(a)"))
    for cost in papers.costs_in_price:
        if not basis.reaches_india or cost.kind not in EXCLUDED_COSTS:
            raise TariffError(f"{basis.term}: a price of this term holds no {cost.kind} that comes off")
        steps.append(Step(f"less {cost.kind}, shown apart in the price", -cost.money.inr, EXCLUDED_COSTS[cost.kind]))
        price = MONEY.subtract(price, cost.money.inr)
    if price < 0:
        raise TariffError("the costs shown apart come to more than the price")
    return price


def _carriage_beside_price(papers: ValuationInput, price: Decimal, steps: list[Step]) -> _Parts:
    """Value a price up to FOB: transport and insurance are added, known or by the rule of thumb."""
    insurance = None if papers.insurance is None else papers.insurance.inr
    fob: Decimal | None = price
    base, name = price, "FOB"
    if papers.insurance_in_price:
        if insurance is None:
            fob, name = None, "FOB + insurance, an undivided sum"
        else:
            fob = base = _less(price, insurance, "insurance")
            steps.append(Step("FOB, the price less the insurance in it", fob, "CVR 2007 rule 10(2)"))
    freight = _freight_beside(papers, base, name, steps)
    if papers.insurance_in_price:
        value = MONEY.add(price, freight)
        steps.append(Step("insurance lies in the price", ZERO, "CVR 2007 rule 10(2)(b)"))
    else:
        insurance = _insurance(insurance, base, name, steps)
        value = total((price, freight, insurance))
    return value, fob, freight, insurance


def _freight_beside(papers: ValuationInput, base: Decimal, name: str, steps: list[Step]) -> Decimal:
    """Return the transport that counts beside a price."""
    if papers.freight is None:
        freight = percent(UNKNOWN_FREIGHT_PCT, base)
        steps.append(
            Step(
                f"transport unknown: {UNKNOWN_FREIGHT_PCT} % of {name}",
                freight,
                "CVR 2007 rule 10(2), first proviso",
            )
        )
        return freight
    freight = papers.freight.inr
    steps.append(Step("transport", freight, "CVR 2007 rule 10(2)(a)"))
    return _air_cap(papers, freight, base, steps)


def _carriage_in_price(papers: ValuationInput, basis: PriceBasis, price: Decimal, steps: list[Step]) -> _Parts:
    """Value a price that holds the main carriage: a break-up tells FOB; what the price lacks is added."""
    freight = None if papers.freight is None else papers.freight.inr
    insurance = None if papers.insurance is None else papers.insurance.inr
    fob: Decimal | None = None
    if freight is not None and (insurance is not None or not basis.holds_insurance):
        inside = MONEY.add(freight, insurance or ZERO) if basis.holds_insurance else freight
        fob = _less(price, inside, "the carriage in it")
        steps.append(Step("FOB, by the price's own break-up", fob, "CVR 2007 rule 10(2)"))
    elif freight is not None or (insurance is not None and basis.holds_insurance):
        steps.append(Step("memo of a part only: FOB cannot be told apart", ZERO, "CVR 2007 rule 10(2)"))
    value = price
    if freight is not None and fob is not None:
        counted = _air_cap(papers, freight, fob, steps)
        value = MONEY.subtract(value, MONEY.subtract(freight, counted))
        freight = counted
    if freight is not None:
        steps.append(Step("transport lies in the price and is not added again", ZERO, "CVR 2007 rule 10(2)(a)"))
    if basis.holds_insurance:
        if insurance is not None:
            steps.append(Step("insurance lies in the price and is not added again", ZERO, "CVR 2007 rule 10(2)(b)"))
        return value, fob, freight, insurance
    base, name = (fob, "FOB") if fob is not None else (price, "FOB + transport, an undivided sum")
    insurance = _insurance(insurance, base, name, steps)
    return MONEY.add(value, insurance), fob, freight, insurance


def _air_cap(papers: ValuationInput, freight: Decimal, fob: Decimal, steps: list[Step]) -> Decimal:
    """Return the freight that counts: by air at most a fifth of FOB."""
    if papers.mode != "air":
        return freight
    cap = percent(AIR_FREIGHT_CAP_PCT, fob)
    if freight <= cap:
        return freight
    steps.append(
        Step(
            f"by air transport counts at most {AIR_FREIGHT_CAP_PCT} % of FOB",
            cap,
            "CVR 2007 rule 10(2), air proviso",
        )
    )
    return cap


def _insurance(insurance: Decimal | None, base: Decimal, name: str, steps: list[Step]) -> Decimal:
    """Return the insurance that is added to a price without it."""
    if insurance is not None:
        steps.append(Step("insurance", insurance, "CVR 2007 rule 10(2)(b)"))
        return insurance
    assumed = percent(UNKNOWN_INSURANCE_PCT, base)
    steps.append(
        Step(
            f"insurance unknown: {UNKNOWN_INSURANCE_PCT} % of {name}",
            assumed,
            "CVR 2007 rule 10(2), second proviso",
        )
    )
    return assumed


def _added_costs(costs: tuple[Cost, ...], steps: list[Step]) -> Decimal:
    """Return the sum of the costs that the rules add; those that stay out get a step of zero."""
    added = ZERO
    for cost in costs:
        rule = ADDED_COSTS.get(cost.kind)
        if rule is None:
            steps.append(Step(f"{cost.kind} {cost.money.inr} stays out", ZERO, EXCLUDED_COSTS[cost.kind]))
        else:
            steps.append(Step(cost.kind, cost.money.inr, rule))
            added = MONEY.add(added, cost.money.inr)
    return added


def _less(price: Decimal, part: Decimal, name: str) -> Decimal:
    """Return a price without a part that it holds; TariffError where the part is more than the price."""
    if part > price:
        raise TariffError(f"{name} comes to more than the price")
    return MONEY.subtract(price, part)
