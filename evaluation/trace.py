"""The record of an episode: what was asked for, what was done, what was seen (as hashes) and what it paid.

A trace file is JSON lines, one episode a line. Played again on the same versions, a trace gives the same
hashes and rewards; `replaying` proves it or says where it parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from customs_env.errors import TraceError, shown

TRACE_FORMAT = 1

#: What names the run, is said for people, or stands elsewhere in a record.
_NOT_HASHED = frozenset({"episode_id", "message", "metadata", "reward", "done"})

#: What stands between an agent's note on its action and the environment's reason for rejecting it.
AFTER_NOTE = " | "


#: The JSON types of the plain fields of a record, and what they are called.
_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(("agent", "task_id", "shipment_id"), ((str,), "a text")),
    **dict.fromkeys(("canonical", "done"), ((bool,), "true or false")),
    "score": ((int, float, type(None)), "a number or null"),
    "breakdown": ((dict, type(None)), "an object or null"),
    "unscored_because": ((str, type(None)), "a text or null"),
}


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """One episode. `score` is the last reward, or None where the agent could not be asked (unscored).

    `observations` are hashes: one of the reset, then one for each action; none at all where the agent could not
    even start and the file was never opened. `errors` has, for each action, the reason why it was rejected, or None.
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
        if not isinstance(value, dict) or type(value.get("trace_format")) is not int:
            raise TraceError(f"no trace of format {TRACE_FORMAT}")
        if value["trace_format"] != TRACE_FORMAT:
            raise TraceError(f"no trace of format {TRACE_FORMAT}")
        parts = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        missing = sorted(set(cls.__dataclass_fields__) - set(parts))
        if missing:
            raise TraceError(f"the trace lacks {', '.join(missing)}")
        for name in ("observations", "actions", "rewards", "errors"):
            if not isinstance(parts[name], list):
                raise TraceError(f"{name} of a trace is a list")
            parts[name] = tuple(parts[name])
        for name, (kinds, called) in _KINDS.items():
            if type(parts[name]) not in kinds:
                raise TraceError(f"{name} of a trace is {called}, got {shown(parts[name])}")
        if not isinstance(parts["reset"], dict) or not isinstance(parts["versions"], dict):
            raise TraceError("reset and versions of a trace are objects")
        return cls(**parts)


def rejection(observation: Mapping[str, Any], note: str | None = None) -> str | None:
    """Return in one line why the last action was rejected, after the agent's own note on it; None if it was not."""
    error = observation.get("error")
    if not error:
        return None
    reason = str(error)
    if isinstance(error, Mapping):
        reason = f"{error.get('field')}: expected {error.get('expected')}, got {error.get('got')}"
    return f"{note}{AFTER_NOTE}{reason}" if note else reason


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
            except json.JSONDecodeError as error:
                raise TraceError(
                    f"{path.name}, line {number}: expected one JSON object a line, as --traces writes them "
                    f"(the file of --json holds results, not traces), got {error}"
                ) from error
            except (ValueError, TraceError) as error:
                raise TraceError(f"{path.name}, line {number}: {error}") from error
