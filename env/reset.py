"""Which file an episode plays: the reset arguments, checked, and the file they name."""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from typing import Any, NamedTuple

from customs_env.errors import InputError
from customs_env.generator.generate import generate
from customs_env.graders.reward import REWARD_SCALES
from customs_env.scenarios.canonical import canonical_pool, open_canonical
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
SHORTEST_SPLIT_KEY = 20
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


def split_key() -> str:
    """Return the operator's key of the test split, "" where there is none.

    `shipment_id` is a hash of it and of what everybody knows: a short key could be found by trying.

    Raises:
        InputError: a key of fewer than SHORTEST_SPLIT_KEY characters.
    """
    key = os.environ.get(SPLIT_KEY_VARIABLE, "")
    if 0 < len(key) < SHORTEST_SPLIT_KEY:
        raise InputError(
            "invalid_value", SPLIT_KEY_VARIABLE, f"at least {SHORTEST_SPLIT_KEY} characters", f"{len(key)} characters"
        )
    return key


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
    if not arguments.keys() <= _KNOWN:
        name = next(name for name in arguments if name not in _KNOWN)
        raise InputError(
            "unknown_argument", str(name)[:100], f"one of {', '.join(RESET_FIELDS)}", "an unknown argument"
        )
    get = arguments.get
    settings = (
        get("task_id"),
        get("difficulty"),
        get("split"),
        get("presentation"),
        get("duty_blind"),
        get("reward_scale"),
        get("request_cost"),
        get("canonical"),
    )
    try:
        task, difficulty, split, scale, cost, canonical = _settings(*settings)
    except TypeError:  # what cannot be hashed is none of the values that are taken
        task, difficulty, split, scale, cost, canonical = _settings.__wrapped__(*settings)
    seed, index = get("seed"), get("index")
    if seed is not None:
        seed = _integer(seed, "seed", MAX_SEED)
    if index is not None:
        index = _integer(index, "index", SPLITS[split] - 1)
        if seed is not None:
            raise InputError("conflict", "index", "index or seed, not both", "both")
        if canonical:
            raise InputError("conflict", "index", "no index with canonical=true: seed picks the file", index)
        return ResetRequest(task, difficulty, split, None, index, None, scale, cost)
    if seed is None:
        seed = secrets.randbelow(2**32 - CANONICAL_SEEDS_BELOW) + CANONICAL_SEEDS_BELOW
    elif canonical is None and seed < CANONICAL_SEEDS_BELOW:
        canonical = get("split") is None and get("difficulty") is None
    if canonical:
        number = seed % len(canonical_pool(task.task_id))
        return ResetRequest(task, DEFAULT_DIFFICULTY, DEFAULT_SPLIT, None, None, number, scale, cost)
    return ResetRequest(task, difficulty, split, seed, None, None, scale, cost)


@lru_cache(maxsize=256, typed=True)
def _settings(
    task_id: Any,
    difficulty: Any,
    split: Any,
    presentation: Any,
    duty_blind: Any,
    reward_scale: Any,
    request_cost: Any,
    canonical: Any,
) -> tuple[Task, str, str, str, float, bool | None]:
    """Return the checked arguments that do not number a file, each None replaced; `typed` keeps True from being 1."""
    task = _task(DEFAULT_TASK if task_id is None else task_id)
    level = _choice(DEFAULT_DIFFICULTY if difficulty is None else difficulty, "difficulty", DIFFICULTIES)
    part = _choice(DEFAULT_SPLIT if split is None else split, "split", _SPLIT_NAMES)
    if presentation is not None:
        _choice(presentation, "presentation", ("json",))
    if duty_blind is not None and duty_blind is not False:
        raise InputError("not_offered", "duty_blind", "false: duty-blind clearance is not in this version", duty_blind)
    scale = _choice("bounded" if reward_scale is None else reward_scale, "reward_scale", REWARD_SCALES)
    cost = 0.0 if request_cost is None else request_cost
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0.0 <= cost <= 1.0:
        raise InputError("out_of_range", "request_cost", "a number from 0 to 1", cost)
    if canonical is not None and not isinstance(canonical, bool):
        raise InputError("wrong_type", "canonical", "true or false", canonical)
    if canonical:
        for field, value, usual in (("difficulty", level, DEFAULT_DIFFICULTY), ("split", part, DEFAULT_SPLIT)):
            if value != usual:
                raise InputError("conflict", field, f"none, or {usual}, with canonical=true", value)
    return task, level, part, scale, float(cost), canonical


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
        return open_canonical(task_id, request.canonical_index)
    key = split_key() if request.split == "test" else ""
    # An index counts its split's files from 0; it is its own seed space, apart from the seeds that users give.
    seed = request.seed if request.index is None else -1 - (request.index or 0)
    return generate(task_id, seed if seed is not None else 0, request.difficulty, request.split, key)
