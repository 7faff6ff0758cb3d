"""What every agent is: a name, a start, and one action for one observation.

Agents read the wire observation (a plain dict) and return the wire action (a plain dict). They import nothing
of scenarios, generator or graders: what they know is what a stranger at the other end of HTTP could know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

Observation = Mapping[str, Any]
Action = dict[str, Any]


class Agent(Protocol):
    """One player. The runner makes a fresh one for every episode and never shares it between threads.

    An agent may have an attribute `note` (text or None): what was wrong with its last action in its own eyes. Where
    the environment rejects the action, the note stands before the reason in traces and in `[STEP]`.
    """

    @property
    def name(self) -> str:
        """The name in tables, traces and the `model=` of `[START]`."""
        ...

    def start(self, seed: int) -> None:
        """Begin an episode; the same seed and the same observations give the same actions.

        Raises UnscoredError where it is known beforehand that no answer can be had.
        """
        ...

    def act(self, observation: Observation) -> Action:
        """Return the next action for what is seen now; raise UnscoredError where no answer can be had."""
        ...


AgentFactory = Callable[[], Agent]

#: The flags' field, the recommendation's, and so on: what a final submission of each task carries.
GRADED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "task1": ("hs_code",),
    "task2": ("flags", "recommendation"),
    "task3": ("hs_code", "flags", "recommendation", "assessable_value_inr", "duty_amount_inr"),
}

RECOMMENDATIONS = ("clear", "hold", "query_shipper", "refer_to_customs")


def short_task(observation: Observation) -> str:
    """Return `task1`, `task2` or `task3`, whichever spelling of the task's name the observation carries."""
    task = str(observation.get("task_id", ""))
    return {
        "classification": "task1",
        "document_validation": "task2",
        "full_clearance": "task3",
        "reclassification": "task4",
    }.get(task, task)


def documents(observation: Observation) -> dict[str, dict[str, Any]]:
    """Return the papers of the file by their type; of a task1 file the invoice alone."""
    content = observation.get("document_content") or {}
    listed = content.get("documents") if isinstance(content, Mapping) else None
    if isinstance(listed, list):
        return {str(paper.get("type", "")): paper for paper in listed if isinstance(paper, dict)}
    return {"invoice": dict(content)} if isinstance(content, Mapping) else {}


def line_count(observation: Observation) -> int:
    """Return the number of goods lines of the invoice, at least one."""
    lines = documents(observation).get("invoice", {}).get("lines")
    return max(1, len(lines)) if isinstance(lines, list) else 1


def code_fields(codes: list[str]) -> Action:
    """Return the code field of the wire: `hs_code` for one line, `hs_codes` in line order for several."""
    return {"hs_code": codes[0]} if len(codes) == 1 else {"hs_codes": list(codes)}


def final(observation: Observation, values: Mapping[str, Any]) -> Action:
    """Return a final submission that carries exactly the fields graded in the observation's task."""
    graded = GRADED_FIELDS.get(short_task(observation), ())
    wanted = set(graded) | ({"hs_codes"} if "hs_code" in graded else set())
    return {"step_kind": "final_submission", **{name: values[name] for name in values if name in wanted}}
