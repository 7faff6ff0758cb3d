"""One game of the engine behind the wire: opened from reset arguments, described for /state and for the record."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from customs_env.env.episode import Episode, resolve_request
from customs_env.env.reset import split_key
from customs_env.tariff.loaded import lookup_schedule
from customs_env.versions import GENERATION_VERSION, GRADING_VERSION, TRUTH_VERSION


@dataclass(frozen=True, slots=True)
class Play:
    """An episode and the reset arguments that open the same one again, the drawn seed among them."""

    arguments: Mapping[str, Any]
    episode: Episode

    def state(self) -> dict[str, Any]:
        """Return the fields of CustomsState: what was asked for and how far it is, nothing of the truth."""
        episode = self.episode
        request = episode.request
        canonical = request.canonical_index is not None
        return {
            "episode_id": episode.episode_id,
            "step_count": episode.step_index,
            "task_id": request.task.task_id,
            "difficulty": request.difficulty,
            "split": None if canonical else request.split,
            "seed": self.arguments.get("seed"),
            "index": request.index,
            "canonical": canonical,
            "max_steps": request.task.max_steps,
            "rejections": episode.rejections,
            "done": episode.done,
            "truncated": episode.truncated,
        }

    def outcome(self) -> dict[str, Any]:
        """Return what is kept of a finished episode: no answer is in it."""
        episode = self.episode
        return {
            "task_id": episode.request.task.task_id,
            "steps": episode.step_index,
            "reward": episode.reward,
            "score_raw": None if episode.score_raw is None else round(episode.score_raw, 6),
            "terminated": episode.terminated,
            "truncated": episode.truncated,
            "breakdown": episode.breakdown,
        }


def versions_text(reset: Mapping[str, Any]) -> str:
    """Return what must be the same for a log to be replayed: versions, loaded schedule, a digest of the split's key."""
    versions = f"{GENERATION_VERSION}.{GRADING_VERSION}.{TRUTH_VERSION}"
    schedule = lookup_schedule().digest
    if schedule:
        versions = f"{versions}.schedule-{schedule}"
    key = split_key() if reset.get("split") == "test" else ""
    return f"{versions}.{sha256(b'split key ' + key.encode()).hexdigest()[:16]}" if key else versions


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_urlsafe(18)


def open_play(arguments: Mapping[str, Any], episode_id: str) -> Play:
    """Open an episode; raise InputError for a reset argument that is unknown or cannot be used."""
    request = resolve_request(**arguments)
    kept = {name: value for name, value in arguments.items() if value is not None}
    kept["canonical"] = request.canonical_index is not None
    if "seed" not in kept and "index" not in kept:
        kept["seed"] = request.seed if request.canonical_index is None else request.canonical_index
    return Play(kept, Episode(request, episode_id))
