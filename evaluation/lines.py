"""The lines that submissions to OpenEnv print: `[START]`, `[STEP]`, `[END]`, one line each.

An unscored episode has `score=null`: a zero would say that the agent earned nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from customs_env.evaluation.client import Turn
from customs_env.evaluation.runner import EpisodePlan
from customs_env.evaluation.trace import EpisodeRecord

ENVIRONMENT = "customs_env"

#: An episode counts as a success from this score on (a perfect agent scores 0.9, the floor is 0.1).
SUCCESS_SCORE = 0.5

#: The most characters of an action, and of a reason, in a line; the trace has them whole.
LONGEST_ACTION, LONGEST_REASON = 2000, 500


def _one_line(text: str) -> str:
    return " ".join(text.split())


def start_line(plan: EpisodePlan, model: str) -> str:
    """Return the line of an opened episode."""
    return f"[START] task={plan.task_id} env={ENVIRONMENT} model={_one_line(model).replace(' ', '_')}"


def action_text(action: Mapping[str, Any]) -> str:
    """Return an action as JSON on one line; one beyond LONGEST_ACTION as `{"cut": "how it begins"}`."""
    text = json.dumps(action, ensure_ascii=True, separators=(",", ":"))
    if len(text) <= LONGEST_ACTION:
        return text
    # Quoting doubles at most: every quotation mark and backslash of the text gets one before it
    return json.dumps({"cut": text[: LONGEST_ACTION // 2 - 10]}, separators=(",", ":"))


def step_line(number: int, action: Mapping[str, Any], turn: Turn, error: str | None = None) -> str:
    """Return the line of one action; `error` says why it was rejected, as the trace has it."""
    reason = _one_line(error or "null")
    if len(reason) > LONGEST_REASON:
        reason = reason[: LONGEST_REASON - 1] + "…"
    done = str(turn.done).lower()
    return f"[STEP] step={number} action={action_text(action)} reward={turn.reward:.2f} done={done} error={reason}"


def end_line(record: EpisodeRecord) -> str:
    """Return the line of a finished or abandoned episode."""
    score = "null" if record.score is None else f"{min(1.0, max(0.0, record.score)):.3f}"
    success = str(record.score is not None and record.score >= SUCCESS_SCORE).lower()
    rewards = ",".join(f"{reward:.2f}" for reward in record.rewards)
    return f"[END] success={success} steps={len(record.actions)} score={score} rewards={rewards}"


class EpisodeLines:
    """Write an episode's lines: at once where `live`, else together when it ends (episodes in parallel)."""

    def __init__(self, model: str, write: Callable[[str], None], lock: threading.Lock, live: bool) -> None:
        self._model = model
        self._write = write
        self._lock = lock
        self._live = live
        self._lines: list[str] = []

    def started(self, plan: EpisodePlan) -> None:
        """Write or keep `[START]`."""
        self._add(start_line(plan, self._model))

    def stepped(self, number: int, action: Mapping[str, Any], turn: Turn, error: str | None) -> None:
        """Write or keep `[STEP]`."""
        self._add(step_line(number, action, turn, error))

    def ended(self, record: EpisodeRecord) -> None:
        """Write `[END]`, and what was kept before it."""
        self._lines.append(end_line(record))
        self._flush()

    def _add(self, line: str) -> None:
        self._lines.append(line)
        if self._live:
            self._flush()

    def _flush(self) -> None:
        with self._lock:
            for line in self._lines:
                self._write(line)
        self._lines.clear()
