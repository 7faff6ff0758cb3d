"""Play a trace again: prove that it says what happened, or say where it parts."""

from __future__ import annotations

from customs_env.agents.base import short_task
from customs_env.errors import TraceError, shown
from customs_env.evaluation.client import Client, Turn
from customs_env.evaluation.plans import is_canonical
from customs_env.evaluation.trace import AFTER_NOTE, EpisodeRecord, observation_hash, rejection

#: A trace is replayed only where these are what they were.
DECIDING_VERSIONS = ("generation", "grading", "truth", "schedule")


def replay(record: EpisodeRecord, client: Client) -> float | None:
    """Play a record's actions again and return the score; raise TraceError where anything differs.

    Compared is all that the file and the actions decide: what was seen, paid and rejected, end, score, breakdown, name
    and kind of the file. An unscored episode has no score, says why, and was left before its end; of one that was never
    opened there is nothing to compare but that.
    """
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
    _check_consistent(record)
    turn = client.reset({key: value for key, value in record.reset.items() if key != "episode_id"})
    named = {"task_id": short_task(turn.observation), "canonical": is_canonical(record.reset)}
    if record.observations:
        named["shipment_id"] = turn.observation.get("shipment_id")
        _compare(0, turn, record.observations[0], 0.0)
    for step, action in enumerate(record.actions, 1):
        if turn.done:
            raise TraceError(f"the episode ended before action {step}")
        turn = client.step(turn.episode_id, action)
        _compare(step, turn, record.observations[step], record.rewards[step - 1])
        _compare_error(step, rejection(turn.observation), record.errors[step - 1])
    if turn.done != record.done:
        raise TraceError(f"the episode {'ended' if turn.done else 'did not end'} where the trace says otherwise")
    score = turn.reward if turn.done else None
    for name, value in {**named, "score": score, "breakdown": turn.observation.get("breakdown")}.items():
        if getattr(record, name) != value or isinstance(getattr(record, name), bool) != isinstance(value, bool):
            raise TraceError(f"{name} is {shown(value)}, the trace says {shown(getattr(record, name))}")
    return score


def _check_consistent(record: EpisodeRecord) -> None:
    """Raise TraceError where a record contradicts itself."""
    played = len(record.actions)
    never_opened = not record.observations and record.unscored_because is not None
    if len(record.observations) != (0 if never_opened else played + 1):
        raise TraceError("the numbers of observations and actions do not fit each other")
    if len(record.rewards) != played or len(record.errors) != played:
        raise TraceError("the numbers of actions, rewards and errors do not fit each other")
    if record.score is None and (not record.unscored_because or record.done):
        raise TraceError("an episode without a score says why it has none and was left before its end")
    if record.score is not None and (record.unscored_because is not None or not record.done):
        raise TraceError("an episode with a score was played to its end and has no reason to be unscored")


def _compare(step: int, turn: Turn, expected_hash: str, expected_reward: float) -> None:
    if observation_hash(turn.observation) != expected_hash:
        raise TraceError(f"another observation after action {step}")
    if turn.reward != expected_reward:
        raise TraceError(f"action {step} pays {turn.reward}, the trace says {expected_reward}")


def _compare_error(step: int, reason: str | None, recorded: str | None) -> None:
    """Hold the recorded reason of a rejection against the environment's; an agent's note may stand before it."""
    fits = recorded == reason
    if reason is not None and isinstance(recorded, str):
        fits = fits or recorded.endswith(AFTER_NOTE + reason)
    if not fits:
        raise TraceError(f"action {step} was answered with {shown(reason)}, the trace says {shown(recorded)}")
