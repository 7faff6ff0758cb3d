"""The oracle: solve episodes with the answers in hand, and so show that the top of the reward range can be reached.

    python oracle/solve.py                            every task in this process
    python oracle/solve.py --base-url http://...      the same over the HTTP of a running server
    python oracle/solve.py --plan validation/runtime.json    write the episode that `openenv validate` plays

Not part of the installed package: the server that agents talk to cannot reach it. Against a server with a split key
of its own, the answers of the test split are not to be had here.
"""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from customs_env.env.episode import Episode, resolve_request
from customs_env.evaluation.oracle import OracleAgent, truth_of
from customs_env.graders.reward import CEILING
from customs_env.scenarios.tasks import TASKS

FIRST_SEED = 1_000_000
#: The episode of the runtime plan: a canonical file, so that it outlives changes of the generator.
PLAN = {"task_id": "task3", "canonical": True, "seed": 1}
PLAN_EPISODE_ID = "validation-1"

Player = Callable[[dict[str, Any], list[dict[str, Any]]], float]


def solution(arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that solve the file of these reset arguments: ask for everything there is, then submit."""
    episode = Episode(resolve_request(**arguments))
    truth, fields = truth_of(arguments), list(episode.request.task.requestable)
    final = OracleAgent(truth).act(episode.observation().to_dict())
    asked = {"step_kind": "request_information", "requested_fields": fields, "hs_code": truth.tariff_items[0]}
    return [asked, final] if fields else [final]


def play_here(arguments: dict[str, Any], actions: list[dict[str, Any]]) -> float:
    """Play in this process; return the last reward."""
    episode = Episode(resolve_request(**arguments))
    return [episode.step(action).reward for action in actions][-1]


def player_at(base_url: str) -> Player:
    """Return what plays over the HTTP of a server."""

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - the address is the operator's own
            base_url.rstrip("/") + path,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            answer: dict[str, Any] = json.load(response)
        return answer

    def play(arguments: dict[str, Any], actions: list[dict[str, Any]]) -> float:
        episode_id = post("/reset", arguments)["observation"]["episode_id"]
        return float([post("/step", {"action": action, "episode_id": episode_id})["reward"] for action in actions][-1])

    return play


def write_plan(path: Path) -> None:
    """Write the runtime plan: one full solving episode."""
    options = {name: value for name, value in PLAN.items() if name != "seed"}
    plan = {
        "plan_schema_version": "1",
        "reset": {"episode_id": PLAN_EPISODE_ID, "seed": PLAN["seed"], "options": options},
        "actions": solution(dict(PLAN)),
    }
    path.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Solve, print one JSON line a task, and return 0 where every episode paid the most there is."""
    parser = argparse.ArgumentParser(description="Solve episodes with the answers in hand.")
    parser.add_argument("--base-url", help="a running server; without it, this process plays")
    parser.add_argument("--episodes", type=int, default=20, help="seeded files of each task (default 20)")
    parser.add_argument("--plan", type=Path, help="write the runtime plan to this file and do nothing else")
    options = parser.parse_args()
    if options.plan is not None:
        write_plan(options.plan)
        return 0
    play = play_here if options.base_url is None else player_at(options.base_url)
    failed = False
    for task_id in TASKS:
        files = [{"task_id": task_id, "seed": seed} for seed in range(FIRST_SEED, FIRST_SEED + options.episodes)]
        rewards = [play(arguments, solution(arguments)) for arguments in files]
        failed = failed or min(rewards) < CEILING
        print(json.dumps({"task": task_id, "episodes": len(rewards), "lowest": min(rewards), "most": CEILING}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
