"""Which files are played: tasks, seeds and pools as a command line names them, made into plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from customs_env.env.reset import resolve_request
from customs_env.errors import InputError
from customs_env.evaluation.runner import EpisodePlan
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.tasks import CANONICAL_SEEDS_BELOW, TASKS

#: Twenty procedural files a task: what is played when no seeds are named.
DEFAULT_SEEDS = "1000000:1000020"

#: More than this is surely a slip of the keyboard.
MOST_SEEDS = 1_000_000

TASK_IDS = tuple(TASKS)


def parse_seeds(text: str) -> list[int]:
    """Return the seeds that `A:B` (B not included) or `A,B,C` names; raise InputError for anything else."""
    wrong = InputError("invalid_value", "seeds", "A:B with A below B, or whole numbers with commas", text)
    try:
        if ":" in text:
            first, last = (int(part) for part in text.split(":"))
            if not 0 <= first < last or last - first > MOST_SEEDS:
                raise wrong
            return list(range(first, last))
        seeds = [int(part) for part in text.split(",")]
    except ValueError:
        raise wrong from None
    if any(seed < 0 for seed in seeds):
        raise wrong
    return seeds


def parse_tasks(text: str) -> list[str]:
    """Return the short names of the tasks that a text names with commas, or all."""
    if text.strip() == "all":
        return list(TASK_IDS)
    short = {task.long_name: task.task_id for task in TASKS.values()}
    chosen = [short.get(name.strip(), name.strip()) for name in text.split(",")]
    for name in chosen:
        if name not in TASKS:
            raise InputError("unknown_task", "task", "all, or of " + ", ".join(TASK_IDS), name)
    return list(dict.fromkeys(chosen))


def make_plans(
    agents: Sequence[str],
    task: str = "all",
    seeds: Sequence[int] | None = None,
    canonical: bool = False,
    extra: Mapping[str, Any] | None = None,
) -> list[EpisodePlan]:
    """Return the plans of a run: every agent on every file of every task.

    `canonical` asks for the canonical pool: all of it, or the files of the given seeds. Raises InputError for what no
    reset would accept (a level, a split, a seed that there is not), before anything is played.
    """
    more = dict(extra or {})
    plans = []
    for agent in agents:
        for task_id in parse_tasks(task):
            if canonical:
                numbers = list(seeds) if seeds is not None else list(range(len(canonical_pool(task_id))))
                resets = [{"task_id": task_id, "seed": seed, "canonical": True, **more} for seed in numbers]
            else:
                numbers = list(seeds) if seeds is not None else parse_seeds(DEFAULT_SEEDS)
                resets = [{"task_id": task_id, "seed": seed, **more} for seed in numbers]
            if resets:
                # All differ in the seed alone
                resolve_request(**max(resets, key=lambda reset: int(reset["seed"])))
            plans += [EpisodePlan(agent, task_id, reset, is_canonical(reset)) for reset in resets]
    return plans


def is_canonical(reset: Mapping[str, Any]) -> bool:
    """Tell whether reset arguments name a file of the canonical pool (the rule of the wire)."""
    if isinstance(reset.get("canonical"), bool):
        return bool(reset["canonical"])
    seed = reset.get("seed")
    named = any(reset.get(name) is not None for name in ("split", "index", "difficulty"))
    return isinstance(seed, int) and seed < CANONICAL_SEEDS_BELOW and not named
