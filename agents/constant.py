"""Fixed policies: what a grader must never pay for. Each submits at once and looks at the form alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from customs_env.agents.base import Action, Observation, code_fields, documents, final, line_count

#: A well-spelt code that answers to no goods of the tables (live sheep): a constant has to submit some code.
CONSTANT_CODE = "01041010"

_CODE_LIKE = re.compile(r"\b\d{4}(?:[. ]?\d{2}){1,2}\b")


@dataclass(frozen=True, slots=True)
class ConstantAgent:
    """Answer every file with `answer(observation)`."""

    name: str
    answer: Callable[[Observation], Mapping[str, Any]]

    def start(self, seed: int) -> None:
        """A constant has nothing to draw."""

    def act(self, observation: Observation) -> Action:
        """Return a final submission."""
        return final(observation, self.answer(observation))


def _fixed(recommendation: str, flags: tuple[str, ...] = ()) -> Callable[[Observation], Mapping[str, Any]]:
    def answer(observation: Observation) -> Mapping[str, Any]:
        return {
            **code_fields([CONSTANT_CODE] * line_count(observation)),
            "flags": list(flags),
            "recommendation": recommendation,
            "assessable_value_inr": 0.0,
            "duty_amount_inr": 0.0,
        }

    return answer


def _all_flags(observation: Observation) -> Mapping[str, Any]:
    return {**_fixed("hold")(observation), "flags": list(observation.get("flag_vocabulary") or ())}


def _texts(value: Any) -> list[str]:
    """Return every text inside a JSON value, in reading order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for key in value for text in _texts(value[key])]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []


def _copy(observation: Observation) -> Mapping[str, Any]:
    """Copy the first code-like text, the first flag named anywhere, the declared amount."""
    papers = documents(observation)
    texts = _texts(list(papers.values()))
    codes = [re.sub(r"\D", "", found) for text in texts for found in _CODE_LIKE.findall(text)]
    folded = " ".join(texts).casefold()
    vocabulary = [str(flag) for flag in observation.get("flag_vocabulary") or ()]
    named = [flag for flag in vocabulary if flag in folded or flag.replace("_", " ") in folded]
    total = papers.get("invoice", {}).get("total")
    amount = float(total) if isinstance(total, (int, float)) and not isinstance(total, bool) else 0.0
    return {
        **code_fields([(codes or [CONSTANT_CODE])[0]] * line_count(observation)),
        "flags": named or vocabulary[:1],
        "recommendation": "query_shipper",
        "assessable_value_inr": amount,
        "duty_amount_inr": amount,
    }


def constant(
    recommendation: str, flags: tuple[str, ...] = (), name: str = "", code: str = CONSTANT_CODE
) -> ConstantAgent:
    """Return the constant policy of one recommendation, one flag set and one code."""

    def answer(observation: Observation) -> Mapping[str, Any]:
        return {**_fixed(recommendation, flags)(observation), **code_fields([code] * line_count(observation))}

    return ConstantAgent(name or f"constant-{recommendation}", answer)


def clear_all() -> ConstantAgent:
    """Return the policy that clears everything."""
    return ConstantAgent("clear-all", _fixed("clear"))


def hold_all() -> ConstantAgent:
    """Return the policy that holds everything and names no finding."""
    return ConstantAgent("hold-all", _fixed("hold"))


def query_all() -> ConstantAgent:
    """Return the policy that asks the shipper about everything and names no finding."""
    return ConstantAgent("query-all", _fixed("query_shipper"))


def refer_all() -> ConstantAgent:
    """Return the policy that refers everything to customs and names no finding."""
    return ConstantAgent("refer-all", _fixed("refer_to_customs"))


def all_flags() -> ConstantAgent:
    """Return the policy that reports the whole vocabulary."""
    return ConstantAgent("all-flags", _all_flags)


def copier() -> ConstantAgent:
    """Return the policy that copies the first values it sees."""
    return ConstantAgent("copy", _copy)


def empty() -> ConstantAgent:
    """Return the policy of the blank form: an empty code, no flags, `clear`, zero amounts."""

    def answer(observation: Observation) -> Mapping[str, Any]:
        return {**_fixed("clear")(observation), **code_fields([""] * line_count(observation))}

    return ConstantAgent("empty", answer)
