"""Which file an episode plays: the reset arguments, checked, and the file they name."""

from __future__ import annotations

import os
import secrets
from typing import Any, NamedTuple

from customs_env.errors import InputError
from customs_env.generator.generate import generate
from customs_env.graders.reward import REWARD_SCALES
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.tasks import (
    CANONICAL_SEEDS_BELOW,
    DEFAULT_DIFFICULTY,
    DEFAULT_SPLIT,
    DIFFICULTIES,
    SPLITS,
    TASK_BY_LONG_NAME,
    TASKS,
    Task,
)

#: The reset arguments of the wire. `presentation` and `duty_blind` have one value each in this version.
RESET_FIELDS = (
    "task_id", "seed", "difficulty", "split", "index", "canonical", "presentation", "duty_blind", "reward_scale",
    "request_cost", "episode_id",
)  # fmt: skip

_KNOWN = frozenset(RESET_FIELDS)
_SPLIT_NAMES = tuple(SPLITS)

MAX_SEED = 2**63 - 1
SPLIT_KEY_VARIABLE = "CUSTOMS_ENV_SPLIT_KEY"
DEFAULT_TASK = "task3"


class ResetRequest(NamedTuple):
    """A checked reset: exactly one of `seed`, `index`, `canonical_index` says which file."""

    task: Task
    difficulty: str
    split: str
    seed: int | None
    index: int | None  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    canonical_index: int | None
    reward_scale: str
    request_cost: float

    def to_kwargs(self) -> dict[str, Any]:
        """Return reset arguments that give the same file again, whatever drew the seed."""
        kwargs: dict[str, Any] = {"task_id": self.task.task_id, "reward_scale": self.reward_scale}
        if self.request_cost:
            kwargs["request_cost"] = self.request_cost
        if self.canonical_index is not None:
            return {**kwargs, "canonical": True, "seed": self.canonical_index}
        which = {"index": self.index} if self.index is not None else {"seed": self.seed, "canonical": False}
        return {**kwargs, "difficulty": self.difficulty, "split": self.split, **which}


def _integer(value: Any, field: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError("wrong_type", field, "an integer", value)
    if not 0 <= value <= most:
        raise InputError("out_of_range", field, f"from 0 to {most}", value)
    return value


def _choice(value: Any, field: str, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InputError("unknown_value", field, f"one of {', '.join(choices)}", value)
    return value


def resolve_request(**arguments: Any) -> ResetRequest:
    """Return the checked reset of the wire's arguments; None counts as absent.

    A seed below CANONICAL_SEEDS_BELOW without split, index or difficulty picks from the canonical pool; `canonical`
    says it outright. No seed and no index draws a seed.

    Raises:
        InputError: an unknown argument, a wrong type or value, `index` together with `seed`.
    """
    given = {}
    for name, value in arguments.items():
        if name not in _KNOWN:
            raise InputError(
                "unknown_argument", str(name)[:100], f"one of {', '.join(RESET_FIELDS)}", "an unknown argument"
            )
        if value is not None:
            given[name] = value
    get = given.get
    task = _task(get("task_id", DEFAULT_TASK))
    difficulty = _choice(get("difficulty", DEFAULT_DIFFICULTY), "difficulty", DIFFICULTIES)
    split = _choice(get("split", DEFAULT_SPLIT), "split", _SPLIT_NAMES)
    _choice(get("presentation", "json"), "presentation", ("json",))
    if get("duty_blind", False) is not False:
        raise InputError(
            "not_offered", "duty_blind", "false: duty-blind clearance is not in this version", given["duty_blind"]
        )
    scale = _choice(get("reward_scale", "bounded"), "reward_scale", REWARD_SCALES)
    cost = get("request_cost", 0.0)
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0.0 <= cost <= 1.0:
        raise InputError("out_of_range", "request_cost", "a number from 0 to 1", cost)
    seed = _integer(given["seed"], "seed", MAX_SEED) if "seed" in given else None
    index = _integer(given["index"], "index", SPLITS[split] - 1) if "index" in given else None
    canonical = get("canonical")
    if canonical is not None and not isinstance(canonical, bool):
        raise InputError("wrong_type", "canonical", "true or false", canonical)
    if canonical:
        for field, usual in (("difficulty", DEFAULT_DIFFICULTY), ("split", DEFAULT_SPLIT)):
            if given.get(field, usual) != usual:
                raise InputError("conflict", field, f"none, or {usual}, with canonical=true", given[field])
    if index is not None:
        if seed is not None:
            raise InputError("conflict", "index", "index or seed, not both", "both")
        if canonical:
            raise InputError("conflict", "index", "no index with canonical=true: seed picks the file", index)
    elif seed is None:
        seed = secrets.randbelow(2**32 - CANONICAL_SEEDS_BELOW) + CANONICAL_SEEDS_BELOW
    elif canonical is None and seed < CANONICAL_SEEDS_BELOW:
        canonical = not ("split" in given or "difficulty" in given)
    if canonical and seed is not None:
        number = seed % len(canonical_pool(task.task_id))
        return ResetRequest(task, DEFAULT_DIFFICULTY, DEFAULT_SPLIT, None, None, number, scale, float(cost))
    return ResetRequest(task, difficulty, split, seed, index, None, scale, float(cost))


def _task(name: Any) -> Task:
    task = TASKS.get(name) or TASK_BY_LONG_NAME.get(name) if isinstance(name, str) else None
    if task is None:
        known = ", ".join(f"{t.task_id} ({t.long_name})" for t in TASKS.values())
        raise InputError("unknown_value", "task_id", f"one of {known}", name)
    return task


def draw_file(request: ResetRequest) -> ShipmentFile:
    """Return the file that a reset names."""
    task_id = request.task.task_id
    if request.canonical_index is not None:
        return canonical_pool(task_id)[request.canonical_index].file
    key = os.environ.get(SPLIT_KEY_VARIABLE, "") if request.split == "test" else ""
    # An index counts its split's files from 0; it is its own seed space, apart from the seeds that users give.
    seed = request.seed if request.index is None else -1 - (request.index or 0)
    return generate(task_id, seed if seed is not None else 0, request.difficulty, request.split, key)
