"""Truth: what is so about a finished file, computed from it and from nothing else.

Only generator, scenarios, graders, the episode engine, the audit and the operator's command line may import this
module.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.flags import FLAG_RULES
from customs_env.scenarios.policy import IDENTITY_COUNT, IDENTITY_FLAGS, RECOMMENDATION_BY_CLASS
from customs_env.scenarios.tasks import TASKS
from customs_env.tariff.duty import flat_duty_paise, rate_fraction
from customs_env.tariff.schedule import load_schedule
from customs_env.tariff.valuation import flat_assessable_value_paise

#: Classes from the mildest to the strictest. No finding clears, as a note does.
_STRICTNESS = ("note", "query", "hold", "refer")
_HOLD = _STRICTNESS.index("hold")
_RECOMMENDATIONS = tuple(RECOMMENDATION_BY_CLASS[of_class] for of_class in _STRICTNESS)
_NO_FLAGS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the flag's name, its grade and the class that the grade has.

    `strictness` is the place of the class among the four, mildest first; `counts_for_identity` is set where the
    finding is one of class query about the identity of the consignment.
    """

    flag: str
    grade: str
    finding_class: str
    strictness: int = field(init=False)
    counts_for_identity: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "strictness", _STRICTNESS.index(self.finding_class))
        of_identity = self.finding_class == "query" and self.flag in IDENTITY_FLAGS
        object.__setattr__(self, "counts_for_identity", of_identity)


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
    """The right answer of a file. Fields that the task does not ask for are None (or empty). Amounts are in paise."""

    tariff_items: tuple[str, ...]
    findings: tuple[Finding, ...]
    flags: frozenset[str]
    recommendation: str | None
    assessable_value_paise: int | None
    duty_amount_paise: int | None

    @property
    def assessable_value_inr(self) -> Decimal | None:
        """The assessable value in rupees, exact to the paisa."""
        return None if self.assessable_value_paise is None else Decimal(self.assessable_value_paise).scaleb(-2)

    @property
    def duty_amount_inr(self) -> Decimal | None:
        """The duty in rupees, exact to the paisa."""
        return None if self.duty_amount_paise is None else Decimal(self.duty_amount_paise).scaleb(-2)

    def to_dict(self) -> dict[str, Any]:
        """Return the truth in JSON form, for operators."""
        value, duty = self.assessable_value_paise, self.duty_amount_paise
        return {
            "tariff_items": list(self.tariff_items),
            "findings": [{"flag": f.flag, "grade": f.grade, "class": f.finding_class} for f in self.findings],
            "recommendation": self.recommendation,
            "assessable_value_inr": None if value is None else value / 100,
            "duty_amount_inr": None if duty is None else duty / 100,
        }


def findings_of(file: ShipmentFile) -> tuple[Finding, ...]:
    """Return the findings of a file among its task's vocabulary, in the order of the vocabulary."""
    record = file.record
    rules = _RULES_BY_TASK[file.case.task_id]
    if record is None or not rules:
        return ()
    record.compare()
    return tuple([by_grade[grade] for predicate, by_grade in rules if (grade := predicate(record))])


def recommendation_for(findings: tuple[Finding, ...]) -> str:
    """Return the recommendation of the strictest class found: refer > hold > query > note, which clears.

    IDENTITY_COUNT findings of class query about the identity of the consignment count as one of class hold.
    """
    strictest = identity = 0
    for finding in findings:
        if finding.strictness > strictest:
            strictest = finding.strictness
        identity += finding.counts_for_identity
    if identity >= IDENTITY_COUNT and strictest < _HOLD:
        strictest = _HOLD
    return _RECOMMENDATIONS[strictest]


def establish_truth(file: ShipmentFile) -> Truth:
    """Return the truth of a file. Pure: equal files have equal truths."""
    items = tuple([line.row.tariff_item for line in file.goods])
    task = file.case.task_id
    record = file.record
    if task == "task1" or record is None:
        return Truth(items, (), _NO_FLAGS, None, None, None)
    findings = findings_of(file)
    flags = frozenset([finding.flag for finding in findings])
    recommendation = recommendation_for(findings)
    if task == "task2":
        return Truth(items, findings, flags, recommendation, None, None)
    value = flat_assessable_value_paise(record.total)
    return Truth(items, findings, flags, recommendation, value, flat_duty_paise(value, _bcd_rate(items[0])))


@lru_cache(maxsize=1 << 12)
def _bcd_rate(tariff_item: str) -> tuple[int, int]:
    """Return the basic customs duty of a tariff item as a fraction."""
    return rate_fraction(load_schedule().item(tariff_item).bcd_pct)
