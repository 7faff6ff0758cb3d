"""Files from seeds: `generate(task, seed, difficulty, split)` needs no earlier draw and no global state.

Equal arguments give equal bytes in any process, on any platform, on every supported Python. Goods, parties, amounts,
paperwork, discrepancies and variations are drawn on streams of their own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from customs_env.generator.discrepancies import spoil_permit
from customs_env.generator.draft import Draft, LineDraft
from customs_env.generator.draws import WORD_RANGE, draw_words, stream_prefix
from customs_env.generator.groups import Group, groups
from customs_env.generator.plan import CLEAN, plan
from customs_env.generator.trade import Trade, trade
from customs_env.generator.variations import vary
from customs_env.goods import Family
from customs_env.scenarios.case import Case, ShipmentFile
from customs_env.scenarios.policy import CONTROLLED_SUBSTANCES, STANDARD_POLICY
from customs_env.scenarios.predicates import TO_CIF_FACTOR
from customs_env.scenarios.reading import COUNTED, UNITS

#: Of 100 shipment files so many are of each goods class; the findings that only some goods can have need enough of
#: these.
GOODS_CLASS_SHARES = (
    ("general", 66), ("controlled_chemical", 8), ("chemical", 8), ("coloured_textile", 12), ("grey_textile", 6),
)  # fmt: skip

#: Invoice totals are drawn between these (USD); of a shipment above the policy's threshold between the higher ones.
#: Harmless totals keep a fifth below the threshold, high ones lie a fifth above it.
ORDINARY_TOTAL_USD = (4_000, 40_000)
HIGH_TOTAL_USD = (60_000, 120_000)

#: The degrees of wording that papers use where no discrepancy hides a particular.
_DEGREES = {"easy": ("precise", "commercial"), "standard": ("precise", "commercial", "terse")}
#: At the easy level every harmless difference is so many times rarer.
_VARIATIONS_RARER = {"easy": 3, "standard": 1}


#: What ten containers carry, one carries, and a carton may weigh.
MOST_NET_KG = 240_000
CONTAINER_KG = 26_500
MOST_CARTON_KG = 35
#: What is heavier travels unpacked, counted in units: vehicles, excavators, large machines.
MOST_CRATE_KG = 900
BULKY_FROM_KG = 9_000

_CONTROLLED_BY_CAS = {entry["cas"]: entry for entry in CONTROLLED_SUBSTANCES}

#: What packages often say beside shipper, port and number.
_CARE = ("", "", "", "", " / KEEP DRY", " / HANDLE WITH CARE", " / THIS SIDE UP", " / USE NO HOOKS")


@lru_cache(maxsize=16)
def _class_table(task_id: str, split: str) -> tuple[Group, ...]:
    """Return, a hundred entries long, the families of the goods class that each entry stands for."""
    by_class = groups(split).dutiable_by_class if task_id == "task3" else groups(split).by_class
    return tuple(by_class[name] for name, share in GOODS_CLASS_SHARES for _ in range(share))


def generate(
    task_id: str, seed: int, difficulty: str = "standard", split: str = "train", split_key: str = ""
) -> ShipmentFile:
    """Return the file of a seed.

    Args:
        task_id: task1, task2 or task3.
        seed: any integer.
        difficulty: a level of `scenarios.tasks.DIFFICULTIES`.
        split: train, validation or test.
        split_key: the operator's key, mixed into every stream of the test split.
    """
    prefix = stream_prefix(task_id, split, difficulty, seed, split_key if split == "test" else "")
    shipment = task_id != "task1"
    pools = trade()
    words = draw_words(prefix, b"goods")
    group = _class_table(task_id, split)[words[0] % 100] if shipment else groups(split).everything
    family_variants = group.draw(words[1])
    variant = family_variants[words[2] % len(family_variants)]
    # Words that nothing else uses, so that they name the file and tell nothing of it.
    shipment_id = f"SHP-{words[14]:08X}{words[15]:08X}"

    draft = Draft()
    draft.task_id, draft.policy = task_id, STANDARD_POLICY
    draft.variant = variant
    draft.line = line = LineDraft()
    draft.lines = (line,)
    line.goods = variant.goods
    draft.wording_draw = words[5] << 32 | words[6]
    degrees = _DEGREES[difficulty]
    wordings = variant.wordings(degrees[words[3] % len(degrees)])
    line.description = line.list_description = wordings[words[4] % len(wordings)].spell(draft.wording_draw)
    planned, discrepancy_words = CLEAN, words
    if shipment:
        discrepancy_words = draw_words(prefix, b"discrepancies")
        planned = plan(task_id, difficulty, variant.goods_class, discrepancy_words)
    _parties(draft, planned.names, draw_words(prefix, b"parties"), pools)
    _amounts(draft, planned.names, draw_words(prefix, b"amounts"))
    _paperwork(draft, draw_words(prefix, b"paperwork"), pools)
    if shipment:
        for place, recipe in enumerate(planned.recipes, 2):
            recipe.apply(draft, discrepancy_words[place], pools)
        vary(draft, task_id, planned.groups, draw_words(prefix, b"variations"), pools, _VARIATIONS_RARER[difficulty])
    draft.settle()
    qualifiers = variant.qualifiers if shipment else ()
    case = Case(task_id, difficulty, shipment_id, draft, STANDARD_POLICY, qualifiers)
    return ShipmentFile(case, variant.line_goods, draft)


def _parties(draft: Draft, planted: frozenset[str], words: tuple[int, ...], pools: Trade) -> None:
    variant = draft.variant
    # Only goods of an origin that is not exempt can lack the report.
    origins = variant.origins_not_exempt if "azo_report_not_valid" in planted else variant.origins
    origin = origins[words[0] % len(origins)]
    draft.origin = origin
    firms = pools.shippers[origin]
    draft.seller = firms[words[1] % len(firms)]
    draft.buyer = draft.ship_to = importer = pools.importers[words[2] % len(pools.importers)]
    draft.invoice_origin = draft.list_origin = draft.certificate_country = origin
    draft.loading_country = origin
    ports = pools.loading_ports[origin]
    draft.loading_port = draft.named_port = ports[words[3] % len(ports)]
    ports = pools.bangladesh_discharge_ports if origin == "Bangladesh" else pools.discharge_ports
    draft.discharge_port = ports[words[4] % len(ports)]
    incoterms = variant.goods.family.incoterms
    draft.incoterm = incoterms[words[5] % len(incoterms)]
    draft.receipt = draft.pre_carriage = draft.transhipment = ""
    draft.vessel = pools.vessels[words[6] % len(pools.vessels)]
    draft.voyage = f"{100 + words[7] % 800}{'EWNS'[words[7] >> 30]}"
    draft.payment_terms = pools.payment_terms[words[9] % len(pools.payment_terms)]
    draft.bill_consignee, draft.bill_address = importer["name"], importer["address"]
    draft.bill_notify = importer["notify"]


def _amounts(draft: Draft, planted: frozenset[str], words: tuple[int, ...]) -> None:
    line = draft.line
    goods = draft.variant.goods
    family, row = goods.family, goods.row
    # What the reference says differs from file to file, else its two ends would name the goods.
    # (`int(x * 100 + 0.5) / 100` rounds a positive figure; `round` takes five times as long.)
    low, high = row.price_usd_per_unit
    grain = 100 if low >= 1 else 10_000
    low = int(low * (0.85 + 0.3 * (words[5] / WORD_RANGE)) * grain + 0.5) / grain
    high = int(max(high * (0.85 + 0.3 * (words[6] / WORD_RANGE)), low * 1.25) * grain + 0.5) / grain
    share = words[0] / WORD_RANGE
    # An honest price lies inside the reference; one that is suspect at a quarter to nearly a half of its low end, for a
    # quantity that is as large as any.
    honest_price = cif_price = low + (high - low) * share
    if "price_far_below_reference" in planted:
        cif_price = low * (0.25 + 0.2 * share)
    price = cif_price / TO_CIF_FACTOR[draft.incoterm]
    grain = 100 if price >= 1 else 10_000
    price = int(price * grain + 0.5) / grain
    least, most = HIGH_TOTAL_USD if "value_above_threshold" in planted else ORDINARY_TOTAL_USD
    step = family.quantity_step
    quantity = (int((least + (most - least) * (words[1] / WORD_RANGE)) / honest_price / step + 0.5) or 1) * step
    if not least * 0.97 < quantity * honest_price < most * 1.1:  # a coarse step against the amount: take what fits
        quantity = max(1, int(most / honest_price))
    unit = family.unit
    line.unit = line.list_unit = line.reference_unit = unit
    draft.currency = line.reference_currency = "USD"
    line.unit_price, line.reference_low, line.reference_high = price, low, high
    kind, holds = UNITS[unit]
    if kind == "mass":
        per_unit = holds
    else:
        kg_low, kg_high = row.net_kg_per_unit
        per_unit = kg_low + (kg_high - kg_low) * (words[3] / WORD_RANGE)
    # No consignment fills more than ten containers, but one that is to be worth much may.
    if quantity * per_unit > MOST_NET_KG and "value_above_threshold" not in planted:
        quantity = max(1, int(MOST_NET_KG / per_unit))
    line.quantity = line.list_quantity = quantity
    per_package, draft.package_kind = _package(family, per_unit, words[2])
    draft.bill_package_kind = draft.package_kind
    draft.packages = draft.bill_packages = packages = -(-quantity // per_package)
    draft.list_net = net = (int(quantity * per_unit * 10 + 0.5) or 1) / 10
    gross = net * (1.02 + 0.08 * (words[4] / WORD_RANGE)) + packages * 0.2
    draft.list_gross = draft.bill_gross = int(gross * 10 + 0.5) / 10
    draft.list_weight_unit = draft.bill_weight_unit = "KGS"
    if packages == 1:
        draft.package_kind = draft.bill_package_kind = draft.package_kind[:-1]


def _package(family: Family, kg_per_unit: float, word: int) -> tuple[int, str]:
    """Return how many units a package holds and what it is: a carton that a man can lift, else a crate, else itself."""
    per_package = family.units_per_package[word % len(family.units_per_package)]
    kind = family.package_kind
    if kind in ("cartons", "crates") and UNITS[family.unit][0] in COUNTED:
        if kg_per_unit > MOST_CRATE_KG:
            return 1, "units"
        per_package = min(per_package, int(MOST_CRATE_KG / kg_per_unit))
    if kind == "cartons" and per_package * kg_per_unit > MOST_CARTON_KG:
        per_package = int(MOST_CARTON_KG / kg_per_unit)
        if not per_package:
            return 1, "crates"
    return per_package, kind


def _paperwork(draft: Draft, words: tuple[int, ...], pools: Trade) -> None:
    variant = draft.variant
    draft.serial = serial = words[0]
    packages = draft.packages
    head = draft.seller["letters"]
    number = f"{head}25/{1000 + words[1] % 9000}"
    draft.invoice_number = draft.list_invoice_number = draft.bill_reference = draft.azo_invoice_number = number
    draft.arrival_day = arrival = 1 + words[2] % 8
    draft.on_board_day = on_board = arrival - pools.transit_days[draft.origin] - words[3] % 12
    first = words[13] % len(pools.containers)
    # Bulky goods fill a container before they weigh it down: a large lot now and then takes one more, or two.
    boxes = int(draft.list_gross // CONTAINER_KG) + 1
    if draft.list_gross > BULKY_FROM_KG and packages > 40:
        boxes += (0, 0, 0, 1, 1, 2)[(words[13] >> 16) % 6]
    draft.container, draft.container_count = pools.containers[first], boxes
    draft.invoice_day = on_board - 2 - words[4] % 18
    marks = f"{draft.buyer['letters']} / {pools.port_marks[draft.discharge_port]} / 1-{packages}{_CARE[words[12] % 8]}"
    draft.invoice_marks = draft.list_marks = draft.bill_marks = marks
    draft.bill_number = f"{head}{'ABCDEFGH'[serial % 8]}{1_000_000 + words[5] % 9_000_000}"
    names = variant.names_in_capitals
    draft.bill_description = f"{packages} {draft.package_kind.upper()} {names[words[6] % len(names)]}"
    kind = variant.goods.family.kind
    if kind == "textile":
        draft.azo_laboratory = pools.laboratories[words[7] % len(pools.laboratories)]
        draft.azo_accredited, draft.azo_result = True, "not detected"
        # Of this consignment: between its invoice and its sailing.
        draft.azo_days_before_arrival = arrival - draft.invoice_day - words[8] % (on_board - draft.invoice_day)
    elif kind == "chemical":
        _chemical_paperwork(draft, words, pools)


def _chemical_paperwork(draft: Draft, words: tuple[int, ...], pools: Trade) -> None:
    row = draft.variant.goods.row
    parts: list[dict[str, Any]] = [
        {
            "cas": part["cas"],
            "substance": part["substance"],
            "percent_min": part["percent"][0],
            "percent_max": part["percent"][1],
        }
        for part in row.composition
    ]
    draft.sheet_parts = parts
    draft.sheet_product = draft.variant.article_terms[0]
    permit = CONTROLLED_SUBSTANCES[words[7] % len(CONTROLLED_SUBSTANCES)]
    draft.permit_cas, draft.permit_substance = permit["cas"], permit["substance"]
    draft.permit_authority = permit["authority"]
    if draft.variant.goods_class == "controlled_chemical":
        permit = _CONTROLLED_BY_CAS[parts[0]["cas"]]
        draft.permit_cas, draft.permit_substance = permit["cas"], permit["substance"]
        draft.permit_authority = permit["authority"]
    elif words[8] % 4 == 0:
        # A trace of a controlled substance below its limit, which needs no permit.
        trace = CONTROLLED_SUBSTANCES[words[9] % len(CONTROLLED_SUBSTANCES)]
        parts.append({"cas": trace["cas"], "substance": trace["substance"], "percent_min": 0.0, "percent_max": 0.3})
    draft.permit_importer = draft.buyer["name"]
    draft.permit_quantity_kg = (int(draft.list_net * 1.2) // 500 + 1 + words[10] % 4) * 500
    draft.permit_from_day = draft.arrival_day - 40 - words[11] % 100
    draft.permit_to_day = draft.permit_from_day + 180
    if draft.variant.goods_class == "chemical" and words[8] >> 4 & 1:
        # The goods need no permit; the one on file may be anybody's, small or over.
        spoil_permit(draft, words[14], pools)
