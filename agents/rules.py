"""The rules agent: reads papers and policy as a broker does and computes its answer. It knows no truth.

It shares no code with the predicates, the generator or the graders, so that where both agree on thousands of
files both are likely right. Findings, recommendation, value and duty are exact; the tariff item is a guess by
words, unless `told_item` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from customs_env.agents.base import Action, Observation, code_fields, final, short_task
from customs_env.agents.classify import best_item, goods_texts, heading_guesses
from customs_env.agents.findings import findings
from customs_env.agents.papers import Papers
from customs_env.agents.worth import assessable_value, duty

ToldItem: TypeAlias = "str | Callable[[Observation], str] | None"

SCHEDULE = "duty_rate_schedule"

#: After so many headings that the schedule does not hold, the clerk stops guessing.
MOST_REFUSALS = 4

_STRICTNESS = ("note", "query", "hold", "refer")
_RECOMMENDED = dict(zip(_STRICTNESS, ("clear", "query_shipper", "hold", "refer_to_customs"), strict=True))


def finding_class(papers: Papers, flag: str, grade: str) -> str:
    """Return the class that the policy gives to a finding of this grade."""
    told = ((papers.policy.get("findings") or {}).get(flag) or {}).get("class")
    if isinstance(told, Mapping):
        told = told.get(grade)
    return told if told in _STRICTNESS else "query"


def recommendation(papers: Papers, found: Mapping[str, str]) -> str:
    """Return the recommendation: the strictest class found; queries about identity add up by the policy."""
    classes = {flag: finding_class(papers, flag, grade) for flag, grade in found.items()}
    present = set(classes.values())
    rule = papers.policy.get("identity_rule") or {}
    about_identity = [flag for flag in rule.get("flags") or () if classes.get(flag) == "query"]
    if rule.get("flags") and len(about_identity) >= int(rule.get("count") or 3):
        present.add(str(rule.get("counts_as") or "hold"))
    return _RECOMMENDED[max(present & set(_STRICTNESS), key=_STRICTNESS.index, default="note")]


class RulesAgent:
    """Ask for everything that can be asked for, then submit."""

    name = "rules"

    def __init__(self, told_item: ToldItem = None) -> None:
        self._told_item = told_item
        self._asked = ""
        self._refused: set[str] = set()

    def start(self, seed: int) -> None:  # noqa: ARG002
        """Forget the last episode; nothing is drawn."""
        self._asked, self._refused = "", set()

    def act(self, observation: Observation) -> Action:
        """Return a request while something is unasked and a step is left for it, else the submission."""
        papers = Papers.of(observation)
        return self._request(observation, papers) or self._submission(observation, papers)

    def _told(self, observation: Observation) -> str | None:
        return self._told_item(observation) if callable(self._told_item) else self._told_item

    def _page(self, observation: Observation, papers: Papers) -> str | None:
        """Return the page of the schedule to open: the item told, or the likeliest heading not yet refused."""
        if observation.get("error") and self._asked:
            self._refused.add(self._asked)
        told = self._told(observation)
        pages = [told] if told else heading_guesses(papers)
        left = [page for page in pages if page not in self._refused]
        return left[0] if left and len(self._refused) < MOST_REFUSALS else None

    def _request(self, observation: Observation, papers: Papers) -> Action | None:
        left = int(observation.get("max_steps") or 1) - int(observation.get("step_index") or 0)
        if left < 2:
            return None
        page = self._page(observation, papers)
        revealed = observation.get("revealed_content") or {}
        wanted = [name for name in observation.get("available_fields") or () if name not in revealed]
        if page is None:
            wanted = [name for name in wanted if name != SCHEDULE]
        elif not wanted and page[:4] != str(papers.schedule.get("heading"))[:4]:
            wanted = [SCHEDULE]  # the fuller description points to another page
        if not wanted:
            return None
        asked = {"step_kind": "request_information", "requested_fields": wanted}
        self._asked = page if page is not None and SCHEDULE in wanted else ""
        return {**asked, "hs_code": self._asked} if self._asked else asked

    def _codes(self, observation: Observation, papers: Papers) -> list[str]:
        told = self._told(observation)
        codes = []
        for place in range(max(1, len(papers.invoice_lines))):
            guess = best_item(papers.schedule, goods_texts(papers, place))
            codes.append(told or guess or heading_guesses(papers, place)[0] + "0000")
        return codes

    def _submission(self, observation: Observation, papers: Papers) -> Action:
        codes = self._codes(observation, papers)
        answer: dict[str, Any] = {**code_fields(codes)}
        if short_task(observation) != "task1":
            found = findings(papers)
            answer["flags"] = [flag for flag in papers.vocabulary if flag in found]
            answer["recommendation"] = recommendation(papers, found)
        if short_task(observation) == "task3":
            value = assessable_value(papers)
            answer["assessable_value_inr"] = float(value)
            answer["duty_amount_inr"] = float(duty(papers, value, codes[0]))
        return final(observation, answer)
