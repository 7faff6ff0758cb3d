"""Case (what an agent may see) and the shipment file around it. Named tuples: immutable, and cheap to make.

The papers are JSON-shaped mappings, in the form the agent reads: the predicates look at the same thing.
`docs/papers.md` lists their fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from customs_env.goods import Family, Row
from customs_env.scenarios.policy import Policy

Paper = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LineGoods:
    """What the goods of one invoice line are: the family, its row, and the values of all attributes."""

    family: Family
    row: Row
    values: Mapping[str, str]


class Case(NamedTuple):
    """What an agent may see of a file, at once (`papers`) or on request (`answers`).

    `answers` holds the requestable fields whose content belongs to this file; the exchange rates and the duty
    rate schedule are public and come from the tariff. Nothing in a case is changed once it is made.
    """

    task_id: str
    difficulty: str
    shipment_id: str
    papers: tuple[Paper, ...]
    answers: Mapping[str, Any]
    policy: Policy
    qualifiers: tuple[Mapping[str, Any], ...]

    def paper(self, kind: str) -> Paper | None:
        """Return the paper of a type, or None where the file has none."""
        for paper in self.papers:
            if paper["type"] == kind:
                return paper
        return None


class ShipmentFile(NamedTuple):
    """A case and what its goods really are. Truth is computed from this and from nothing else."""

    case: Case
    goods: tuple[LineGoods, ...]
