"""Drawn files for tests: what was planted in them, what they show, and their bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import customs_env.generator.generate as generate_module
from customs_env.generator.discrepancies import Recipe
from customs_env.generator.generate import generate
from customs_env.generator.plan import Plan
from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.tasks import DIFFICULTIES, TASKS
from customs_env.scenarios.truth import Truth, establish_truth

#: Every task with every level, and those whose files have findings.
LEVELS = [(task, level) for task in TASKS for level in DIFFICULTIES]
FLAG_LEVELS = [(task, level) for task, level in LEVELS if "flags" in TASKS[task].required]


@dataclass(frozen=True)
class Drawn:
    """A drawn file with what its plan was and what is so."""

    seed: int
    file: ShipmentFile
    planted: tuple[Recipe, ...]
    truth: Truth

    @property
    def papers(self) -> dict[str, dict[str, Any]]:
        return {paper["type"]: paper for paper in self.file.case.papers}


def draw(task: str, seed: int, level: str = "standard") -> Drawn:
    """Return the file of a seed together with the recipes that the generator's plan gave it."""
    seen: list[Plan] = []
    plan = generate_module.plan

    def watched(*arguments: Any) -> Plan:
        seen.append(plan(*arguments))
        return seen[-1]

    generate_module.plan = watched
    try:
        file = generate(task, seed, level)
    finally:
        generate_module.plan = plan
    return Drawn(seed, file, seen[0].recipes if seen else (), establish_truth(file))


#: So many files of a task and level the tests share. They are drawn once.
MANY = 2000


@cache
def many(task: str, level: str) -> tuple[Drawn, ...]:
    """Return the files of MANY neighbouring seeds."""
    return tuple(draw(task, seed, level) for seed in range(1_000_000, 1_000_000 + MANY))


def shown(file: ShipmentFile) -> dict[str, Any]:
    """Return all that belongs to the file itself: papers and answers, no text of the policy."""
    case = file.case
    return {
        "task": case.task_id,
        "difficulty": case.difficulty,
        "shipment_id": case.shipment_id,
        "papers": list(case.papers),
        "answers": dict(case.answers),
        "qualifiers": [dict(entry) for entry in case.qualifiers],
    }


def as_bytes(value: Any) -> bytes:
    """Return the canonical JSON of a value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def digest(value: Any) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of the canonical JSON."""
    return sha256(as_bytes(value)).hexdigest()[:32]


def texts_in(value: Any) -> Iterator[str]:
    """Yield every key and every leaf of a JSON value as text."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from texts_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from texts_in(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
