"""Discrepancies: the errors a file can hold, one recipe or more for each finding.

A recipe alters the draft of the papers; it never writes truth. The predicates over the finished file must then find its
flag and, unless `consequences` says so, nothing else. Recipes of one group exclude each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from customs_env.generator.draft import Draft
from customs_env.generator.groups import groups
from customs_env.generator.stock import names_other_goods, rivals
from customs_env.generator.trade import Trade
from customs_env.scenarios.policy import CONTROLLED_SUBSTANCES, ORDINARY_OUTLETS

#: What an origin field says that names no country, on goods of Europe and elsewhere.
_NO_COUNTRY = ("", "VARIOUS", "AS PER CONTRACT", "SEE REMARKS")
_NO_COUNTRY_EUROPE = ("", "EU", "AS PER CONTRACT", "SEE REMARKS")
_EUROPEAN = frozenset({"Germany", "Italy", "Netherlands", "Belgium", "France", "Spain"})


def no_country(origin: str, place: int) -> str:
    """Return one of the four entries that goods of an origin may have where no country is named."""
    return (_NO_COUNTRY_EUROPE if origin in _EUROPEAN else _NO_COUNTRY)[place & 3]


#: Where goods of the East, and of the West, are loaded when they are not loaded at home.
_HUBS_EAST = ("United Arab Emirates", "Sri Lanka", "Malaysia", "Singapore")
_HUBS_WEST = ("United Arab Emirates", "Egypt", "Turkey", "Sri Lanka")


def load_in(draft: Draft, country: str, place: int, trade: Trade) -> None:
    """Move the loading to a port of another country: the goods go there first, so the invoice is older.

    A price free on board at home is then free carrier at home; both count alike for the value.
    """
    ports = trade.loading_ports[country]
    draft.loading_country, draft.loading_port = country, ports[place % len(ports)]
    if draft.incoterm in ("FOB", "FAS"):
        draft.incoterm = "FCA"
    draft.on_board_day = draft.arrival_day - trade.transit_days[country] - draft.serial % 6
    invoiced = draft.on_board_day - 12 - (draft.serial >> 8) % 14
    if draft.variant.goods.family.kind == "textile":
        shifted = draft.azo_days_before_arrival + draft.invoice_day - invoiced
        # From near by the goods sail sooner after their invoice: the report is still there when they do.
        draft.azo_days_before_arrival = max(shifted, draft.arrival_day - draft.on_board_day)
    draft.invoice_day = invoiced


def call_on_the_way(draft: Draft, place: int, trade: Trade) -> str:
    """Return the note of a port of call between the loading and India that names neither origin nor loading port."""
    calls = (
        ("Salalah", "Jeddah", "Port Said")
        if draft.loading_country in trade.west
        else ("Port Klang", "Colombo", "Tanjung Pelepas")
    )
    fit = [
        port for port in calls if port not in draft.loading_port and draft.origin not in _COUNTRY_OF_CALL.get(port, "")
    ]
    return f"Vessel calls at {fit[place % len(fit)]}" if fit else ""


_COUNTRY_OF_CALL = {
    "Port Klang": "Malaysia",
    "Tanjung Pelepas": "Malaysia",
    "Colombo": "Sri Lanka",
    "Port Said": "Egypt",
}

Apply = Callable[[Draft, int, Trade], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to plant a finding.

    `groups`: variations and other recipes that it excludes. `goods_classes`: where it can be planted (empty:
    everywhere). `weight`: how often it is drawn beside the others. `easy_weight`: the same at the easy level, where it
    stands alone: findings of class hold are drawn more often there, so that no recommendation is right for half of the
    files.
    """

    name: str
    flag: str
    groups: frozenset[str]
    goods_classes: frozenset[str]
    weight: int
    easy_weight: int
    apply: Apply


def packing_list_counts_otherwise(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list is short or over by 4 to 15 percent, or by one step of the quantity where that is more.

    Goods sold by weight are never over by more than 15 percent: where the step is more than that they are short.
    """
    quantity, step = draft.line.list_quantity, draft.variant.goods.family.quantity_step
    change = max(1, round(quantity * (4 + (word >> 1) % 12) / 100))
    if quantity % step == 0 and quantity > 4 * step:  # honest quantities are multiples of the step: so are these
        change = -(-change // step) * step
    counted = quantity - change if word % 2 and quantity > change else quantity + change
    if draft.line.list_unit == "KGS" and counted > quantity * 1.15 and quantity > change:
        counted = quantity - change  # a coarse step: more would weigh more than the permit of an honest file covers
    draft.line.list_quantity = counted
    if draft.line.list_unit == "KGS":  # goods sold by weight weigh what was packed, on the bill too
        share = counted / quantity
        draft.list_net = float(counted)
        draft.list_gross = round(draft.list_gross * share, 1)
        draft.bill_gross = round(draft.bill_gross * share, 1)


def origin_nowhere(draft: Draft, word: int, trade: Trade) -> None:
    """No paper gives the country; each field is blank or says what is no country."""
    draft.invoice_origin = no_country(draft.origin, word)
    draft.list_origin = no_country(draft.origin, word >> 4)
    draft.certificate_country = ""


def bill_weighs_otherwise(draft: Draft, word: int, trade: Trade) -> None:
    """The bill's gross weight is off by 3 to 9 percent and at least 40 kg."""
    change = max(40.0, draft.list_gross * (30 + (word >> 1) % 61) / 1000)
    gross = draft.bill_gross
    draft.bill_gross = round(gross - change if word % 2 and gross > 3 * change else gross + change, 1)


def bill_quotes_other_invoice(draft: Draft, word: int, trade: Trade) -> None:
    """Two digits of the number are changed, or the number is another altogether."""
    head, _, tail = draft.invoice_number.rpartition("/")
    shift = 1 + word % 8999
    draft.bill_reference = f"{head}/{(int(tail) - 1000 + shift) % 9000 + 1000}"


def bill_quotes_no_invoice(draft: Draft, word: int, trade: Trade) -> None:
    """No invoice number on the bill; its marks still tie it to the invoice."""
    draft.bill_reference = ""


def bill_not_tied_to_invoice(draft: Draft, word: int, trade: Trade) -> None:
    """No invoice number on the bill, and its marks are blank or N/M."""
    draft.bill_reference = ""
    draft.bill_marks = ("N/M", "")[word % 2]


def packing_list_names_other_goods(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list describes goods of another family."""
    family = draft.variant.goods.family
    others = groups(draft.variant.split).everything
    start = word % len(others.names)
    for step in range(2 * len(others.names)):
        place = (start + step) % len(others.names)
        if others.units[place] != family.unit and step < len(others.names):
            continue  # another unit would give it away; any will do only where no family shares it
        other = others.members(others.names[place])
        variant = other[(word >> 8) % len(other)]
        wordings = variant.wordings("terse")
        text = wordings[(word >> 16) % len(wordings)].spell(draft.wording_draw)
        if names_other_goods(text, family) and (family.kind != "textile" or variant.goods.family.kind != "textile"):
            draft.line.list_description = text
            return


def packing_list_contradicts_invoice(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list states another value of a particular that decides the tariff item."""
    siblings = rivals(draft.variant)
    if not siblings:
        packing_list_names_other_goods(draft, word, trade)
        return
    variant = siblings[word % len(siblings)]
    wordings = variant.wordings(("precise", "terse")[(word >> 8) % 2])
    draft.line.list_description = wordings[(word >> 12) % len(wordings)].spell(draft.wording_draw)


def consignee_misspelt(draft: Draft, word: int, trade: Trade) -> None:
    """One letter of the first word of the consignee's name is wrong, doubled or lost; the address is the importer's."""
    name = draft.buyer["name"]
    first = name.split(" ")[0]
    place = 1 + word % (len(first) - 2)
    letter = name[place]
    kind = (word >> 8) % 3
    if kind == 0:
        other = "aeiou"[(word >> 12) % 5] if letter in "aeiou" else "lnrst"[(word >> 12) % 5]
        letter = other if other != letter else ("y" if letter in "aeiou" else "k")
        draft.bill_consignee = name[:place] + letter + name[place + 1 :]
    elif kind == 1:
        draft.bill_consignee = name[:place] + letter + name[place:]
    else:
        draft.bill_consignee = name[:place] + name[place + 1 :]
    draft.bill_address = draft.buyer["address"]


def consignee_is_another_party(draft: Draft, word: int, trade: Trade) -> None:
    """The bill is consigned to a firm that no other paper names."""
    others = [firm for firm in trade.importers if firm["name"] != draft.buyer["name"]]
    firm = others[word % len(others)]
    draft.bill_consignee, draft.bill_address = firm["name"], firm["address"]


def order_bill_without_notify(draft: Draft, word: int, trade: Trade) -> None:
    """The bill is to order and names nobody to notify."""
    bank = trade.banks[(word >> 8) % len(trade.banks)]
    draft.bill_consignee = (f"TO ORDER OF {bank.upper()}", "TO ORDER", "TO THE ORDER OF SHIPPER")[word % 3]
    draft.bill_address = bank if word % 3 == 0 else ("", draft.seller["address"])[word >> 16 & 1]
    draft.bill_notify = ""


def price_far_below_reference(draft: Draft, word: int, trade: Trade) -> None:
    """The unit price is 25 to 45 percent of the reference's low end. Made where the price is drawn."""


def description_hides_a_particular(draft: Draft, word: int, trade: Trade) -> None:
    """Every paper describes the goods in words that leave out a deciding particular."""
    wordings, terms = draft.variant.wordings("vague"), draft.variant.article_terms
    draft.line.description = draft.line.list_description = wordings[word % len(wordings)].spell(draft.wording_draw)
    if word >> 8 & 1:
        name = terms[(word >> 9) % len(terms)]
        draft.line.list_description = name.upper() if word >> 12 & 1 else name


def loaded_abroad_unexplained(draft: Draft, word: int, trade: Trade) -> None:
    """Loaded in a country that is neither the origin's nor its outlet, with nothing to explain it."""
    hubs = _HUBS_WEST if draft.origin in trade.west else _HUBS_EAST
    countries = [hub for hub in hubs if hub != draft.origin and (draft.origin, hub) not in ORDINARY_OUTLETS]
    load_in(draft, countries[word % len(countries)], word >> 8, trade)
    if word >> 16 & 1:
        draft.transhipment = call_on_the_way(draft, word >> 17, trade)


def value_above_threshold(draft: Draft, word: int, trade: Trade) -> None:
    """The consignment is worth more than the policy's threshold. Made where the amount is drawn."""


def permit_does_not_cover(draft: Draft, word: int, trade: Trade) -> None:
    """The permit on file is for another substance, or spoilt in one of the ways of `spoil_permit`."""
    if word % 4 == 0:
        others = [entry for entry in CONTROLLED_SUBSTANCES if entry["cas"] != draft.permit_cas]
        other = others[(word >> 4) % len(others)]
        draft.permit_cas, draft.permit_substance = other["cas"], other["substance"]
        draft.permit_authority = other["authority"]
    else:
        spoil_permit(draft, word >> 2, trade)


def spoil_permit(draft: Draft, word: int, trade: Trade) -> None:
    """Make the permit another importer's, too small, or one that had run out by the arrival."""
    kind = word % 3
    if kind == 0:
        names = [firm["name"] for firm in trade.importers if firm["name"] != draft.buyer["name"]]
        draft.permit_importer = names[(word >> 4) % len(names)]
    elif kind == 1:
        draft.permit_quantity_kg = max(10, int(draft.list_net * 0.4) // 10 * 10)
    else:
        length = draft.permit_to_day - draft.permit_from_day
        draft.permit_to_day = draft.arrival_day - 15 - (word >> 4) % 60
        draft.permit_from_day = draft.permit_to_day - length


def azo_report_not_valid(draft: Draft, word: int, trade: Trade) -> None:
    """The report is of an earlier invoice, of a laboratory without accreditation, or of an old consignment."""
    kind = word % 3
    if kind == 1:
        draft.azo_accredited = False
        return
    head, _, tail = draft.invoice_number.rpartition("/")
    draft.azo_invoice_number = f"{head}/{(int(tail) - 1000 + 1 + (word >> 4) % 8999) % 9000 + 1000}"
    draft.azo_days_before_arrival += 20 + (word >> 4) % 60
    if kind == 2:
        draft.azo_days_before_arrival = 230 + (word >> 4) % 200


def _recipe(apply: Apply, flag: str, groups: str, weight: int, goods_classes: str = "", easy_weight: int = 0) -> Recipe:
    return Recipe(
        apply.__name__,
        flag,
        frozenset(groups.split()),
        frozenset(goods_classes.split()),
        weight,
        easy_weight or weight,
        apply,
    )


RECIPES: tuple[Recipe, ...] = (
    _recipe(packing_list_counts_otherwise, "quantity_mismatch", "quantity", 10, easy_weight=16),
    _recipe(origin_nowhere, "missing_country_of_origin", "origin", 9),
    _recipe(bill_weighs_otherwise, "weight_mismatch_packing_vs_bl", "weight", 9),
    _recipe(bill_quotes_other_invoice, "invoice_number_mismatch_bl_vs_invoice", "bill_reference", 9),
    _recipe(bill_quotes_no_invoice, "missing_invoice_number_on_bl", "bill_reference", 6),
    _recipe(bill_not_tied_to_invoice, "missing_invoice_number_on_bl", "bill_reference", 3),
    _recipe(
        packing_list_names_other_goods,
        "goods_description_mismatch_invoice_vs_packing_list",
        "description",
        5,
        easy_weight=8,
    ),
    _recipe(
        packing_list_contradicts_invoice,
        "goods_description_mismatch_invoice_vs_packing_list",
        "description",
        6,
        easy_weight=8,
    ),
    _recipe(consignee_misspelt, "consignee_name_mismatch", "consignee", 4),
    _recipe(consignee_is_another_party, "consignee_name_mismatch", "consignee", 6, easy_weight=12),
    _recipe(order_bill_without_notify, "missing_notify_party", "notify consignee", 9),
    _recipe(price_far_below_reference, "suspected_undervaluation", "price", 9),
    _recipe(
        description_hides_a_particular,
        "vague_goods_description",
        "description",
        10,
        "general coloured_textile grey_textile",
    ),
    _recipe(loaded_abroad_unexplained, "origin_loading_mismatch", "route origin", 9),
    _recipe(value_above_threshold, "high_value_shipment", "price", 9),
    _recipe(permit_does_not_cover, "dual_use_or_controlled_chemical_risk", "permit", 60, "controlled_chemical"),
    _recipe(azo_report_not_valid, "textile_declaration_review", "textile", 40, "coloured_textile"),
)
