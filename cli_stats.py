"""What there is, counted: goods, tariff, findings, recipes, files."""

from __future__ import annotations

from math import comb
from typing import Any

from customs_env.env.render import PAPER_TITLES
from customs_env.generator.discrepancies import RECIPES
from customs_env.generator.stock import Variant, variants_of
from customs_env.generator.trade import trade
from customs_env.generator.variations import VARIATIONS
from customs_env.goods import families
from customs_env.goods.family import DEGREES
from customs_env.goods.splits import held_out_rows
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.flags import FLAG_RULES, vocabulary
from customs_env.scenarios.tasks import SPLITS, TASKS
from customs_env.tariff.schedule import load_schedule


def _goods() -> list[Variant]:
    """Return all goods of the splits `train` and `test`, which share none."""
    return [variant for split in ("train", "test") for name in families() for variant in variants_of(name, split)]


def _wordings() -> dict[str, int]:
    """Return, for each degree, how many different texts the wordings of all goods can make."""
    found = dict.fromkeys(DEGREES, 0)
    for variant in _goods():
        for degree in DEGREES:
            for wording in variant.wordings(degree):
                texts = 1
                for words, _, _ in wording.choices:
                    texts *= len(words)
                found[degree] += texts
    return found


def count_everything() -> dict[str, Any]:
    """Return the counts by name; those that fall into kinds as mappings."""
    goods = list(families().values())
    answers = {row.tariff_item for family in goods for row in family.rows}
    schedule = load_schedule()
    pools = trade()
    return {
        "goods_families": len(goods),
        "goods_kinds": {
            kind: sum(family.kind == kind for family in goods) for kind in sorted({family.kind for family in goods})
        },
        "goods_variants": len(_goods()),
        "contrast_pairs": sum(comb(len(pair["values"]), 2) for family in goods for pair in family.contrast),
        "tariff_items_held_out_for_test": sum(len(held_out_rows(family)) for family in goods),
        "tariff_items_answered": len(answers),
        "chapters_answered": len({code[:2] for code in answers}),
        "headings_answered": len({code[:4] for code in answers}),
        "tariff_items_in_table": len(schedule),
        "subheadings_in_table": len(schedule.subheadings()),
        "headings_in_table": len(schedule.headings()),
        "chapters_in_table": len(schedule.chapters()),
        "flags": len(FLAG_RULES),
        "flags_by_task": {task_id: len(vocabulary(task_id)) for task_id in TASKS},
        "discrepancy_recipes": len(RECIPES),
        "variations": len(VARIATIONS),
        "canonical_files": {task_id: len(canonical_pool(task_id)) for task_id in TASKS},
        "paper_kinds": len(PAPER_TITLES),
        "wordings": _wordings(),
        "shippers": sum(map(len, pools.shippers.values())),
        "shipper_countries": len(pools.shippers),
        "importers": len(pools.importers),
        "loading_ports": sum(map(len, pools.loading_ports.values())),
        "discharge_ports": len(pools.discharge_ports),
        "splits": dict(SPLITS),
    }
