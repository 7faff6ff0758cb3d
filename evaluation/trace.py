"""The record of an episode: what was asked for, what was done, what was seen (as hashes) and what it paid.

A trace file is JSON lines, one episode a line. Played again on the same versions, a trace gives the same
hashes and rewards; `replay` proves it or says where it parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from customs_env.errors import TraceError
from customs_env.evaluation.client import Client, Turn

TRACE_FORMAT = 1

#: A trace is replayed only where these are what they were.
DECIDING_VERSIONS = ("generation", "grading", "truth")

#: What names the run, is said for people, or stands elsewhere in a record.
_NOT_HASHED = frozenset({"episode_id", "message", "metadata", "reward", "done"})


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """One played episode. `score` is the last reward, or None where the agent could not be asked (unscored).

    `observations` are hashes: one of the reset, then one for each action. `errors` has, for each action, the
    reason why it was rejected, or None.
    """

    agent: str
    task_id: str
    reset: dict[str, Any]
    canonical: bool
    shipment_id: str
    observations: tuple[str, ...]
    actions: tuple[dict[str, Any], ...]
    rewards: tuple[float, ...]
    errors: tuple[str | None, ...]
    done: bool
    score: float | None
    breakdown: dict[str, Any] | None
    unscored_because: str | None
    versions: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a trace line holds it."""
        return {"trace_format": TRACE_FORMAT, **asdict(self)}

    @classmethod
    def from_dict(cls, value: Any) -> EpisodeRecord:
        """Read a trace line; raise TraceError where it is none."""
        if not isinstance(value, dict) or value.get("trace_format") != TRACE_FORMAT:
            raise TraceError(f"no trace of format {TRACE_FORMAT}")
        parts = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        missing = sorted(set(cls.__dataclass_fields__) - set(parts))
        if missing:
            raise TraceError(f"the trace lacks {', '.join(missing)}")
        for name in ("observations", "actions", "rewards", "errors"):
            if not isinstance(parts[name], list):
                raise TraceError(f"{name} of a trace is a list")
            parts[name] = tuple(parts[name])
        if not isinstance(parts["reset"], dict) or not isinstance(parts["versions"], dict):
            raise TraceError("reset and versions of a trace are objects")
        return cls(**parts)


def observation_hash(observation: Mapping[str, Any]) -> str:
    """Return the sha256 of what is seen, without the parts that name the run."""
    seen = {key: value for key, value in observation.items() if key not in _NOT_HASHED}
    text = json.dumps(seen, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write_traces(path: Path, records: Iterable[EpisodeRecord]) -> int:
    """Write a trace file; return how many episodes it holds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record.to_dict(), sort_keys=True, ensure_ascii=False) + "\n")
            count += 1
    return count


def read_traces(path: Path) -> Iterator[EpisodeRecord]:
    """Yield the episodes of a trace file; raise TraceError with the line that cannot be read."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield EpisodeRecord.from_dict(json.loads(line))
            except (ValueError, TraceError) as error:
                raise TraceError(f"{path.name}, line {number}: {error}") from error


def replay(record: EpisodeRecord, client: Client) -> float | None:
    """Play a record's actions again and return the score; raise TraceError where anything differs."""
    versions = client.versions()
    changed = [
        f"{name} was {record.versions.get(name, 'none')}, is {versions.get(name, 'none')}"
        for name in DECIDING_VERSIONS
        if versions.get(name) != record.versions.get(name)
    ]
    if changed:
        raise TraceError(f"made with other versions: {'; '.join(changed)}")
    if record.reset.get("seed") is None and record.reset.get("index") is None:
        raise TraceError("the reset names neither seed nor index, so its file cannot be drawn again")
    if len(record.observations) != len(record.actions) + 1 or len(record.rewards) != len(record.actions):
        raise TraceError("the numbers of observations, actions and rewards do not fit each other")
    turn = client.reset({key: value for key, value in record.reset.items() if key != "episode_id"})
    _compare(0, turn, record.observations[0], 0.0)
    for step, action in enumerate(record.actions, 1):
        if turn.done:
            raise TraceError(f"the episode ended before action {step}")
        turn = client.step(turn.episode_id, action)
        _compare(step, turn, record.observations[step], record.rewards[step - 1])
    if turn.done != record.done:
        raise TraceError(f"the episode {'ended' if turn.done else 'did not end'} where the trace says otherwise")
    return turn.reward if turn.done else None


def _compare(step: int, turn: Turn, expected_hash: str, expected_reward: float) -> None:
    if observation_hash(turn.observation) != expected_hash:
        raise TraceError(f"another observation after action {step}")
    if turn.reward != expected_reward:
        raise TraceError(f"action {step} pays {turn.reward}, the trace says {expected_reward}")
