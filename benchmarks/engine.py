"""Episodes a second on this machine: reset and final submission on fresh seeds, in this process, on one core.

Each figure is the median of five rounds. Beside it stands a reference loop measured in the same round (blake2b,
small dictionaries and JSON, no line of this package), so that machines, and days on one machine, can be compared.

    python benchmarks/engine.py [--episodes N] [--rounds N] [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from customs_env.env.episode import Episode, resolve_request
from customs_env.scenarios.tasks import TASKS
from customs_env.versions import VERSIONS

#: What an agent without a clue sends: valid, graded, a constant.
FINAL: dict[str, dict[str, Any]] = {
    "task1": {"hs_code": "40091100"},
    "task2": {"flags": ["quantity_mismatch"], "recommendation": "hold"},
    "task3": {
        "hs_code": "40091100",
        "flags": ["quantity_mismatch"],
        "recommendation": "hold",
        "assessable_value_inr": 1_000_000.0,
        "duty_amount_inr": 100_000.0,
    },
}
#: The goal of the project for task3, on the machine that it was set on.
GOAL = 15_000


def play(task: str, first: int, count: int) -> float:
    """Play so many episodes of fresh seeds; return episodes a second."""
    action = FINAL[task]
    started = perf_counter()
    for seed in range(first, first + count):
        Episode(resolve_request(task_id=task, seed=seed)).step(action)
    return count / (perf_counter() - started)


def observe(task: str, first: int, count: int) -> float:
    """The same, with both observations written out as JSON, as a server sends them."""
    action = FINAL[task]
    started = perf_counter()
    for seed in range(first, first + count):
        episode = Episode(resolve_request(task_id=task, seed=seed))
        json.dumps(episode.observation().to_dict())
        json.dumps(episode.step(action).to_dict())
    return count / (perf_counter() - started)


def reference(count: int) -> float:
    """Return turns a second of a loop that stands for the machine: one hash, one dictionary, one JSON text a turn."""
    started = perf_counter()
    for number in range(count):
        digest = blake2b(f"reference|{number}".encode()).digest()
        record = {f"field {place}": digest[place] * 3.5 for place in range(24)}
        json.dumps(record)
    return count / (perf_counter() - started)


def measure(episodes: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return, for each kind of play, the median rate and its median ratio to the reference loop of the same round."""
    kinds: dict[str, Callable[[int], float]] = {}
    for task in TASKS:
        kinds[f"{task} reset, final"] = lambda first, task=task: play(task, first, episodes)  # type: ignore[misc]
    kinds["task3 with both observations as JSON"] = lambda first: observe("task3", first, max(50, episodes // 10))
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    ratios: dict[str, list[float]] = {kind: [] for kind in kinds}
    for task in TASKS:  # what is built once (goods, plans, schedule) is not measured
        play(task, 1_000_000, 200)
    reference(2_000)
    for number in range(rounds):
        for kind, run in kinds.items():
            gc.collect()
            machine = reference(20_000)
            rate = run(2_000_000 + number * 10 * episodes)
            machine = (machine + reference(20_000)) / 2
            rates[kind].append(rate)
            ratios[kind].append(rate / machine)
    return {
        kind: {"episodes_per_second": round(median(rates[kind]), 1), "of_reference": round(median(ratios[kind]), 4)}
        for kind in kinds
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=4_000, help="episodes in each round (default 4000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the median counts (default 5)")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args(arguments)
    figures = measure(options.episodes, options.rounds)
    width = max(map(len, figures))
    counts = f"medians of {options.rounds} rounds of {options.episodes} episodes"
    print(f"Python {sys.version.split()[0]}, generation {VERSIONS['generation']}, {counts}")
    print(f"{'':{width}}  {'episodes/s':>11}  {'microseconds':>12}  {'of reference':>12}")
    for kind, figure in figures.items():
        rate = figure["episodes_per_second"]
        print(f"{kind:{width}}  {rate:>11,.0f}  {1e6 / rate:>12,.1f}  {figure['of_reference']:>12.3f}")
    print(f"goal: {GOAL:,} episodes/s of task3 (reset, final)")
    if options.json:
        options.json.write_text(
            json.dumps({"versions": VERSIONS, "figures": figures}, indent=1) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
