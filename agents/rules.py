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

    def start(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, observation: Observation) -> Action:
        """Return a request while something is unasked and a step is left for it, else the submission."""
        papers = Papers.of(observation)
        return self._request(observation, papers) or self._submission(observation, papers)

    def _told(self, observation: Observation) -> str | None:
        return self._told_item(observation) if callable(self._told_item) else self._told_item

    def _request(self, observation: Observation, papers: Papers) -> Action | None:
        left = int(observation.get("max_steps") or 1) - int(observation.get("step_index") or 0)
        revealed = observation.get("revealed_content") or {}
        wanted = [name for name in observation.get("available_fields") or () if name not in revealed]
        if left < 2 or observation.get("error"):
            return None
        guess = (self._told(observation) or heading_guesses(papers)[0])[:8]
        if not wanted:
            # A second page of the schedule, where the fuller description points to another heading
            if self._told_item is not None or str(papers.schedule.get("heading") or guess[:4]) == guess[:4]:
                return None
            wanted = ["duty_rate_schedule"]
        return {"step_kind": "request_information", "requested_fields": wanted, "hs_code": guess}

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
