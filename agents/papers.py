"""The papers of one file as the rules agent holds them: by name, with what was revealed on request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from customs_env.agents.base import Observation, documents
from customs_env.agents.reading import LEGAL_FORMS

Paper = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Papers:
    """What one observation shows. A paper that is not in the file is an empty mapping."""

    invoice: Paper
    packing_list: Paper
    bill: Paper
    arrival: Paper
    safety_sheet: Paper
    permits: Paper
    azo_report: Paper
    price_reference: Paper
    certificate: Paper
    details: Paper
    rates: Paper
    schedule: Paper
    policy: Paper
    vocabulary: tuple[str, ...]

    @classmethod
    def of(cls, observation: Observation) -> Papers:
        """Read an observation."""
        papers = documents(observation)
        revealed = observation.get("revealed_content") or {}

        def answer(name: str) -> Paper:
            value = revealed.get(name)
            return value if isinstance(value, Mapping) else {}

        return cls(
            invoice=papers.get("invoice", {}),
            packing_list=papers.get("packing_list", {}),
            bill=papers.get("bill_of_lading", {}),
            arrival=papers.get("arrival_notice", {}),
            safety_sheet=papers.get("safety_data_sheet", {}),
            permits=papers.get("import_permits", {}),
            azo_report=papers.get("azo_test_report", {}),
            price_reference=papers.get("price_reference") or answer("price_reference"),
            certificate=answer("certificate_of_origin"),
            details=answer("detailed_goods_description"),
            rates=answer("exchange_rate"),
            schedule=answer("duty_rate_schedule"),
            policy=observation.get("decision_policy") or {},
            vocabulary=tuple(observation.get("flag_vocabulary") or ()),
        )

    @property
    def invoice_lines(self) -> list[Paper]:
        """The goods lines of the invoice."""
        return list(self.invoice.get("lines") or ())

    def packed_line(self, line: Paper, place: int) -> Paper:
        """Return the packing-list line of an invoice line: by item number, else by order."""
        lines = list(self.packing_list.get("lines") or ())
        for packed in lines:
            if packed.get("item") is not None and packed.get("item") == line.get("item"):
                return dict(packed)
        return lines[place] if place < len(lines) else {}

    def list_of(self, name: str) -> Any:
        """Return a list of the policy, empty where it has none."""
        return (self.policy.get("lists") or {}).get(name) or ()

    def number(self, group: str, name: str, default: float) -> float:
        """Return a number of the policy's thresholds or tolerances."""
        value = (self.policy.get(group) or {}).get(name)
        return float(value) if isinstance(value, (int, float)) else default

    @property
    def legal_forms(self) -> Mapping[str, str]:
        """Which words of legal forms mean the same."""
        listed = self.list_of("legal_form_words")
        return {**LEGAL_FORMS, **listed} if isinstance(listed, Mapping) else LEGAL_FORMS

    def qualifiers(self, line: Paper, place: int) -> Paper:
        """Return what the policy says must be stated for an invoice line's goods."""
        rows = [row for row in self.policy.get("declaration_qualifiers") or () if isinstance(row, Mapping)]
        for row in rows:
            if row.get("item") == line.get("item"):
                return row
        return rows[place] if place < len(rows) else {}
