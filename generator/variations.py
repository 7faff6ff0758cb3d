"""Harmless variations: differences that honest papers show everywhere. None of them is a finding.

Each is drawn on its own bits of the `variations` stream, whether or not the file holds a discrepancy. A variation that
would undo or hide a discrepancy of its group gives way (`gives_way_to`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from customs_env.generator.discrepancies import azo_report_not_valid, call_on_the_way, load_in, no_country
from customs_env.generator.draft import Draft
from customs_env.generator.trade import Trade, short_form

Apply = Callable[[Draft, int, Trade], None]


@dataclass(frozen=True, slots=True)
class Variation:
    """A harmless difference: how often of 256, to which discrepancy groups it gives way, what it does, where."""

    name: str
    of_256: int
    gives_way_to: frozenset[str]
    apply: Apply
    tasks: tuple[str, ...] = ("task2", "task3")


def legal_form_spelling(draft: Draft, word: int, trade: Trade) -> None:
    """`Private Limited` on one paper, `Pvt. Ltd.` on another; sometimes capitals or a leading M/s."""
    name, importer = draft.bill_consignee, draft.buyer
    if name.startswith("TO "):
        return
    short, capitals = importer["short"], importer["capitals"]
    if name != importer["name"]:
        short = short_form(name)
        capitals = short.upper()
    draft.bill_consignee = (capitals, f"M/s {short}", short)[word % 3]


def to_order_bill(draft: Draft, word: int, trade: Trade) -> None:
    """The bill is to order (of a bank, or of the shipper) and names the importer as the party to notify."""
    bank = trade.banks[(word >> 8) % len(trade.banks)]
    draft.bill_consignee = (f"TO ORDER OF {bank.upper()}", "TO ORDER", "TO THE ORDER OF SHIPPER")[word % 3]
    draft.bill_address = bank if word % 3 == 0 else ("", draft.seller["address"])[word >> 16 & 1]
    draft.bill_notify = draft.buyer["notify"]


def blank_notify_on_straight_bill(draft: Draft, word: int, trade: Trade) -> None:
    """A bill to the named importer leaves the notify party blank, or says that it is the consignee."""
    if not draft.bill_consignee.startswith("TO "):
        draft.bill_notify = "" if word % 3 else "SAME AS CONSIGNEE"


def bill_without_address(draft: Draft, word: int, trade: Trade) -> None:
    """The bill names the importer as consignee and leaves out the address."""
    if not draft.bill_consignee.startswith("TO "):
        draft.bill_address = ""


def invoice_number_punctuation(draft: Draft, word: int, trade: Trade) -> None:
    """`HC/0457` on the invoice, `HC-0457` or `HC 0457` on the bill of lading."""
    draft.bill_reference = draft.bill_reference.replace("/", "-" if word % 2 else " ")


def several_invoice_numbers(draft: Draft, word: int, trade: Trade) -> None:
    """The bill quotes the numbers of two invoices, ours among them."""
    head, _, tail = draft.invoice_number.rpartition("/")
    other = f"{head}/{int(tail) + 1:04d}"
    draft.bill_reference = f"{draft.invoice_number}, {other}" if word % 2 else f"{other} & {draft.invoice_number}"


def invoice_number_in_description(draft: Draft, word: int, trade: Trade) -> None:
    """The bill quotes the invoice in the text of its description, the field of its own stays blank."""
    draft.bill_reference = ""
    draft.bill_description = f"{draft.bill_description}, AS PER INVOICE NO. {draft.invoice_number}"


def bill_without_marks(draft: Draft, word: int, trade: Trade) -> None:
    """The bill gives no marks of its own, or says that there are none; its invoice number ties it to the invoice."""
    draft.bill_marks = ("N/M", "")[word % 2]


def gross_weight_rounded(draft: Draft, word: int, trade: Trade) -> None:
    """The carrier's gross weight is in whole kilograms."""
    draft.bill_gross = float(round(draft.bill_gross))


def bill_weight_in_tonnes(draft: Draft, word: int, trade: Trade) -> None:
    """The carrier gives tonnes where the packing list gives kilograms."""
    draft.bill_gross = round(draft.bill_gross / 1000, 4)
    draft.bill_weight_unit = "MT"


def quantity_in_other_unit(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list counts in dozens or tonnes where the invoice counts in pieces or kilograms, or the reverse."""
    quantity = draft.line.list_quantity
    light = draft.list_net < 1.5 * draft.line.quantity
    if draft.line.list_unit == "NOS" and quantity % 12 == 0 and light:
        draft.line.list_unit, draft.line.list_quantity = "DOZ", quantity // 12
    elif draft.line.list_unit == "DOZ":
        draft.line.list_unit, draft.line.list_quantity = "NOS", quantity * 12
    elif draft.line.list_unit == "KGS":
        draft.line.list_unit, draft.line.list_quantity = "MT", round(quantity / 1000, 6)


def origin_on_packing_list_only(draft: Draft, word: int, trade: Trade) -> None:
    """The invoice leaves the origin blank, the packing list gives it."""
    draft.invoice_origin = no_country(draft.origin, word)


def origin_in_marks_only(draft: Draft, word: int, trade: Trade) -> None:
    """No field gives the origin; the marks on the packages do."""
    draft.invoice_origin, draft.list_origin = no_country(draft.origin, word >> 8), no_country(draft.origin, word >> 12)
    statement = ("MADE IN", "PRODUCT OF", "ORIGIN:")[word % 3]
    draft.list_marks = f"{draft.list_marks} {statement} {draft.origin.upper()}"


def origin_on_certificate_only(draft: Draft, word: int, trade: Trade) -> None:
    """No paper on file gives the origin; the certificate, on request, does."""
    draft.certificate_country = draft.origin
    draft.list_marks = draft.invoice_marks
    draft.invoice_origin, draft.list_origin = no_country(draft.origin, word), no_country(draft.origin, word >> 4)


def certificate_without_country(draft: Draft, word: int, trade: Trade) -> None:
    """No certificate is held; a paper on file names the country."""
    draft.certificate_country = ""


def loaded_at_ordinary_outlet(draft: Draft, word: int, trade: Trade) -> None:
    """Goods of one country leave by a neighbour's port, as they ordinarily do."""
    outlets = _OUTLETS.get(draft.origin)
    if outlets:
        load_in(draft, outlets[word % len(outlets)], word >> 8, trade)


def loaded_abroad_with_through_route(draft: Draft, word: int, trade: Trade) -> None:
    """Loaded in another country, with the place of receipt or the transhipment naming the country of origin."""
    hubs = ("United Arab Emirates", "Egypt") if draft.origin in trade.west else ("Singapore", "Sri Lanka")
    countries = [country for country in hubs if country != draft.origin]
    load_in(draft, countries[word % len(countries)], word >> 4, trade)
    places = trade.inland_places[draft.origin]
    place = places[(word >> 8) % len(places)]
    if (word >> 16) % 2:
        draft.receipt = f"{place}, {draft.origin}"
    else:
        draft.transhipment = f"Received at {place}, {draft.origin}; transhipped {draft.loading_country}"


def pallets_on_bill(draft: Draft, word: int, trade: Trade) -> None:
    """The bill counts pallets and says how many packages stand on them."""
    if draft.package_kind.startswith(("pallet", "crate", "unit")):
        return
    kg_each = draft.list_gross / draft.packages
    per_pallet = min((20, 24, 36, 40)[word % 4], int(1000 / kg_each))
    if per_pallet > 1 and kg_each * min(per_pallet, draft.packages) > 150:
        draft.bill_packages = pallets = -(-draft.packages // per_pallet)
        draft.bill_package_kind = f"pallet{'s' if pallets > 1 else ''} ({draft.packages} {draft.package_kind})"


def description_in_other_words(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list describes the same goods in other words, none of which contradicts the invoice."""
    wordings = draft.variant.wordings(("commercial", "terse")[word % 2])
    draft.line.list_description = wordings[(word >> 4) % len(wordings)].spell(draft.wording_draw)


def description_shortened(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list gives the bare name of the goods, perhaps in capitals."""
    terms = draft.variant.article_terms
    name = terms[(word >> 1) % len(terms)]
    draft.line.list_description = name.upper() if word % 2 else name


def exempt_origin_without_report(draft: Draft, word: int, trade: Trade) -> None:
    """Coloured textiles of an exempt origin with a report that would not do: none is needed."""
    variant = draft.variant
    if variant.goods.family.kind == "textile" and (
        draft.origin not in variant.origins_not_exempt or variant.goods_class == "grey_textile"
    ):
        azo_report_not_valid(draft, word, trade)


def order_number_on_bill(draft: Draft, word: int, trade: Trade) -> None:
    """The bill quotes the importer's order, which is no invoice."""
    draft.bill_description = f"{draft.bill_description}, ORDER NO. PO{word % 9000 + 1000}"


def inland_receipt(draft: Draft, word: int, trade: Trade) -> None:
    """The carrier took the goods over inland, in the country where they were loaded."""
    places = trade.inland_places.get(draft.loading_country, ())
    if places and not draft.receipt and not draft.transhipment and draft.loading_country == draft.origin:
        draft.receipt = f"{places[word % len(places)]}, {draft.loading_country}"
        draft.pre_carriage = ("", "By truck", "By rail", "By feeder")[word >> 8 & 3]


def ports_of_call(draft: Draft, word: int, trade: Trade) -> None:
    """The bill names a port of call on the way."""
    if not draft.transhipment:
        draft.transhipment = call_on_the_way(draft, word, trade)


def fuller_marks_on_packing_list(draft: Draft, word: int, trade: Trade) -> None:
    """The packing list says more of the marks than the other papers."""
    draft.list_marks = f"{draft.list_marks} {('GROSS AND NET MARKED', 'STENCILLED IN BLACK', 'BOTH SIDES')[word % 3]}"


def origin_in_capitals(draft: Draft, word: int, trade: Trade) -> None:
    """The country stands in capitals."""
    draft.invoice_origin = draft.invoice_origin.upper()
    draft.list_origin = draft.list_origin.upper()


_OUTLETS: dict[str, tuple[str, ...]] = {
    "Germany": ("Belgium", "Netherlands"),
    "France": ("Belgium",),
    "Belgium": ("Netherlands",),
    "Netherlands": ("Belgium",),
    "China": ("Hong Kong", "Singapore"),
    "Italy": ("France",),
}


def _variation(of_256: int, gives_way_to: str, apply: Apply, tasks: str = "task2 task3") -> Variation:
    return Variation(apply.__name__, of_256, frozenset(gives_way_to.split()), apply, tuple(tasks.split()))


#: In order of application. The groups are those of `discrepancies`.
VARIATIONS: tuple[Variation, ...] = (
    _variation(72, "consignee notify", to_order_bill),
    _variation(110, "", legal_form_spelling),
    _variation(150, "notify", blank_notify_on_straight_bill),
    _variation(90, "consignee", bill_without_address),
    _variation(40, "bill_reference", several_invoice_numbers),
    _variation(90, "", invoice_number_punctuation),
    _variation(72, "bill_reference", invoice_number_in_description),
    _variation(36, "bill_reference", bill_without_marks),
    _variation(100, "", gross_weight_rounded),
    _variation(60, "", bill_weight_in_tonnes),
    _variation(90, "", quantity_in_other_unit),
    _variation(60, "origin", origin_on_packing_list_only),
    _variation(70, "origin", origin_in_marks_only),
    _variation(90, "origin", certificate_without_country, "task3"),
    _variation(20, "origin", origin_on_certificate_only, "task3"),
    _variation(60, "", origin_in_capitals),
    _variation(50, "", fuller_marks_on_packing_list),
    _variation(50, "", order_number_on_bill),
    _variation(60, "route", loaded_at_ordinary_outlet),
    _variation(24, "route origin", loaded_abroad_with_through_route),
    _variation(60, "", inland_receipt),
    _variation(60, "", ports_of_call),
    _variation(64, "", pallets_on_bill),
    _variation(90, "description", description_in_other_words),
    _variation(50, "description", description_shortened),
    _variation(120, "origin textile description", exempt_origin_without_report),
)

#: Variations are drawn in groups of so many, each group by one word: all its subsets are listed with their
#: probabilities, so that a file costs three draws and not one for each variation.
_GROUP_SIZE = 6
_CERTAIN = 1 << 32
_WORD = _CERTAIN - 1
#: The words of the stream that the groups do not use.
_OWN_FROM, _OWN_WORDS = 5, 11

#: Of each variation of a subset: the groups that it gives way to, what it does, the place of its own word and an odd
#: factor that makes its draw another than that of the variations with which it shares the word.
_Subset = tuple[tuple[frozenset[str], Apply, int, int], ...]


@lru_cache(maxsize=8)
def _groups(task_id: str, rarer: int) -> tuple[tuple[tuple[int, ...], tuple[_Subset, ...]], ...]:
    """Return, for each group, the cumulative 32-bit limits of its subsets and the subsets."""
    groups = []
    usable = [variation for variation in VARIATIONS if task_id in variation.tasks]
    for start in range(0, len(usable), _GROUP_SIZE):
        members = usable[start : start + _GROUP_SIZE]
        limits, subsets, reached = [], [], 0.0
        for chosen in product((False, True), repeat=len(members)):
            probability = 1.0
            for variation, taken in zip(members, chosen, strict=True):
                share = variation.of_256 / 256 / rarer
                probability *= share if taken else 1.0 - share
            reached += probability
            limits.append(round(reached * _CERTAIN))
            subsets.append(
                tuple(
                    (variation.gives_way_to, variation.apply, _OWN_FROM + own % _OWN_WORDS, 2 * own + 1)
                    for own, (variation, taken) in enumerate(zip(members, chosen, strict=True), start)
                    if taken
                )
            )
        groups.append((tuple(limits[:-1]), tuple(subsets)))
    return tuple(groups)


def vary(draft: Draft, task_id: str, barred: frozenset[str], words: tuple[int, ...], trade: Trade, rarer: int) -> None:
    """Apply each harmless variation with its probability, `rarer` times rarer, unless a discrepancy's group bars it."""
    for word, (limits, subsets) in zip(words, _groups(task_id, rarer), strict=False):
        for gives_way_to, apply, own, factor in subsets[bisect_right(limits, word)]:
            if gives_way_to.isdisjoint(barred):
                apply(draft, words[own] * factor & _WORD, trade)
