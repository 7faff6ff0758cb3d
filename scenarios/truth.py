"""Truth: what is so about a finished file, computed from it and from nothing else.

Only generator, scenarios, graders, the episode engine, the audit and the operator's command line may import this
module.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.flags import FLAG_RULES
from customs_env.scenarios.policy import IDENTITY_COUNT, IDENTITY_FLAGS, RECOMMENDATION_BY_CLASS
from customs_env.scenarios.tasks import TASKS
from customs_env.scenarios.view import FileView
from customs_env.tariff.duty import flat_duty_inr
from customs_env.tariff.schedule import load_schedule
from customs_env.tariff.valuation import flat_assessable_value_inr

_STRICTNESS = ("note", "query", "hold", "refer")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the flag's name, its grade and the class that the grade has."""

    flag: str
    grade: str
    finding_class: str


#: For each task its predicates, each with the finding that a grade makes.
_RULES_BY_TASK = {
    task: tuple(
        (rule.predicate, {grade: Finding(rule.name, grade, of_class) for grade, of_class in rule.classes.items()})
        for rule in FLAG_RULES
        if task in rule.tasks
    )
    for task in TASKS
}


class Truth(NamedTuple):
    """The right answer of a file. Fields that the task does not ask for are None (or empty)."""

    tariff_items: tuple[str, ...]
    findings: tuple[Finding, ...]
    flags: frozenset[str]
    recommendation: str | None
    assessable_value_inr: Decimal | None
    duty_amount_inr: Decimal | None

    def to_dict(self) -> dict[str, Any]:
        """Return the truth in JSON form, for operators."""
        return {
            "tariff_items": list(self.tariff_items),
            "findings": [{"flag": f.flag, "grade": f.grade, "class": f.finding_class} for f in self.findings],
            "recommendation": self.recommendation,
            "assessable_value_inr": None if self.assessable_value_inr is None else float(self.assessable_value_inr),
            "duty_amount_inr": None if self.duty_amount_inr is None else float(self.duty_amount_inr),
        }


def findings_of(file: ShipmentFile) -> tuple[Finding, ...]:
    """Return the findings of a file among its task's vocabulary, in the order of the vocabulary."""
    rules = _RULES_BY_TASK[file.case.task_id]
    if not rules:
        return ()
    view = FileView(file)
    return tuple([by_grade[grade] for predicate, by_grade in rules if (grade := predicate(view))])


def recommendation_for(findings: tuple[Finding, ...]) -> str:
    """Return the recommendation of the strictest class found: refer > hold > query > note, which clears.

    IDENTITY_COUNT findings of class query about the identity of the consignment count as one of class hold.
    """
    if not findings:
        return "clear"
    strictest = 0
    identity = 0
    for finding in findings:
        strictest = max(strictest, _STRICTNESS.index(finding.finding_class))
        identity += finding.finding_class == "query" and finding.flag in IDENTITY_FLAGS
    if identity >= IDENTITY_COUNT:
        strictest = max(strictest, _STRICTNESS.index("hold"))
    return RECOMMENDATION_BY_CLASS[_STRICTNESS[strictest]]


def establish_truth(file: ShipmentFile) -> Truth:
    """Return the truth of a file; its first paper is the invoice. Pure: equal files have equal truths."""
    items = tuple(line.row.tariff_item for line in file.goods)
    task = file.case.task_id
    if task == "task1":
        return Truth(items, (), frozenset(), None, None, None)
    findings = findings_of(file)
    flags = frozenset([finding.flag for finding in findings])
    recommendation = recommendation_for(findings)
    if task == "task2":
        return Truth(items, findings, flags, recommendation, None, None)
    value = flat_assessable_value_inr(Decimal(str(file.case.papers[0]["total"])))
    duty = flat_duty_inr(value, load_schedule().item(items[0]).bcd_pct)
    return Truth(items, findings, flags, recommendation, value, duty)
