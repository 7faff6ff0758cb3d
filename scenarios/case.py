"""Case (what an agent may see) and the shipment file around it.

The papers are JSON-shaped mappings, in the form the agent reads. `docs/papers.md` lists their fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from customs_env.scenarios.policy import Policy
from customs_env.scenarios.record import FileRecord, LineGoods, Paper, read_papers


class PaperSource(Protocol):
    """Where the papers of a file come from: a record that lays them out, or papers that stand written."""

    def papers(self) -> tuple[Paper, ...]:
        """Return the papers that the agent sees at once."""

    def answers(self) -> Mapping[str, Any]:
        """Return what the agent can request."""


@dataclass(frozen=True, slots=True)
class WrittenPapers:
    """Papers and answers that stand written out."""

    written: tuple[Paper, ...]
    written_answers: Mapping[str, Any]

    def papers(self) -> tuple[Paper, ...]:
        """Return the papers."""
        return self.written

    def answers(self) -> Mapping[str, Any]:
        """Return the answers."""
        return self.written_answers


class Case:
    """What an agent may see of a file, at once (`papers`) or on request (`answers`).

    Both are laid out when they are first read, as most files of a training run are never read in full. `answers` holds
    the requestable fields whose content belongs to this file; the exchange rates and the duty rate schedule are public
    and come from the tariff. Nothing in a case is changed once it is made.
    """

    __slots__ = ("_answers", "_papers", "_source", "difficulty", "policy", "qualifiers", "shipment_id", "task_id")

    def __init__(
        self,
        task_id: str,
        difficulty: str,
        shipment_id: str,
        source: PaperSource,
        policy: Policy,
        qualifiers: tuple[Mapping[str, Any], ...],
    ) -> None:
        self.task_id = task_id
        self.difficulty = difficulty
        self.shipment_id = shipment_id
        self.policy = policy
        self.qualifiers = qualifiers
        self._source = source
        self._papers: tuple[Paper, ...] | None = None
        self._answers: Mapping[str, Any] | None = None

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The papers, invoice first."""
        if self._papers is None:
            self._papers = self._source.papers()
        return self._papers

    @property
    def answers(self) -> Mapping[str, Any]:
        """The answers to requests by field."""
        if self._answers is None:
            self._answers = self._source.answers()
        return self._answers

    def paper(self, kind: str) -> Paper | None:
        """Return the paper of a type, or None where the file has none."""
        for paper in self.papers:
            if paper["type"] == kind:
                return paper
        return None


class ShipmentFile(NamedTuple):
    """A case, what its goods really are, and its record (None where the task has the invoice alone).

    Truth is computed from this and from nothing else.
    """

    case: Case
    goods: tuple[LineGoods, ...]
    record: FileRecord | None


def written_file(
    task_id: str,
    difficulty: str,
    shipment_id: str,
    papers: tuple[Paper, ...],
    answers: Mapping[str, Any],
    policy: Policy,
    qualifiers: tuple[Mapping[str, Any], ...],
    goods: tuple[LineGoods, ...],
) -> ShipmentFile:
    """Return the file of papers that stand written out.

    Raises:
        KeyError, ValueError: `read_papers` says when.
    """
    case = Case(task_id, difficulty, shipment_id, WrittenPapers(papers, answers), policy, qualifiers)
    shipment = any(paper["type"] != "invoice" for paper in papers)
    return ShipmentFile(case, goods, read_papers(papers, answers, goods, policy) if shipment else None)
