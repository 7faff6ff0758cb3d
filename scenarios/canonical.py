"""The canonical pool: files written by hand, one JSON file each, with the answer written by hand beside the papers.

The written answer is for people and for one test; what grades an episode is computed by `truth` as for every other
file.
"""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from customs_env.errors import DataError
from customs_env.goods import family
from customs_env.scenarios.case import ShipmentFile, written_file
from customs_env.scenarios.policy import STANDARD_POLICY
from customs_env.scenarios.record import LineGoods
from customs_env.scenarios.tasks import DEFAULT_DIFFICULTY, TASKS

CANONICAL_DIR = Path(__file__).parent / "canonical"


@dataclass(frozen=True, slots=True)
class CanonicalFile:
    """A file of the pool: its id, what it shows, the file, and the answer written by hand."""

    file_id: str
    title: str
    file: ShipmentFile
    written_answer: dict[str, Any]


def _load(path: Path) -> CanonicalFile:
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["task"] not in TASKS:
        raise DataError(f"{path.name}: unknown task {data['task']!r}")
    goods = []
    for entry in data["goods"]:
        kind = family(entry["family"])
        goods.append(LineGoods(kind, kind.row(entry["values"]), entry["values"]))
    file = written_file(
        task_id=data["task"],
        difficulty=DEFAULT_DIFFICULTY,
        shipment_id=data["shipment_id"],
        papers=tuple(data["papers"]),
        answers=data.get("answers", {}),
        policy=STANDARD_POLICY,
        qualifiers=()
        if data["task"] == "task1"
        else tuple({"item": number, **line.family.qualifiers} for number, line in enumerate(goods, 1)),
        goods=tuple(goods),
    )
    return CanonicalFile(path.stem, data["title"], file, data["answer"])


def open_canonical(task_id: str, number: int) -> ShipmentFile:
    """Return a canonical file with papers of its own: who changes what an episode gave out changes no other episode."""
    file = canonical_pool(task_id)[number].file
    case = file.case
    return written_file(
        task_id=case.task_id,
        difficulty=case.difficulty,
        shipment_id=case.shipment_id,
        papers=deepcopy(case.papers),
        answers=deepcopy(case.answers),
        policy=case.policy,
        qualifiers=case.qualifiers,
        goods=file.goods,
    )


@lru_cache(maxsize=8)
def canonical_pool(task_id: str) -> tuple[CanonicalFile, ...]:
    """Return the canonical files of a task, in the order of their names."""
    return tuple(_load(path) for path in sorted(CANONICAL_DIR.glob(f"{task_id}_*.json")))
