"""What is behind the operator's key: the answers of finished episodes, and the baseline run.

Without CUSTOMS_ENV_OPERATOR_KEY both stay shut, whatever a client sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import Any

from customs_env.errors import InputError
from customs_env.scenarios.tasks import TASKS
from customs_env.server.journals import Entry
from customs_env.server.play import open_play, versions_text

KEY_HEADER = "X-Operator-Key"
MAX_BASELINE_EPISODES = 200
FIRST_BASELINE_SEED = 1_000_000


class KeyRefusedError(InputError):
    """The operator's key is missing where it is needed, or wrong."""

    def __init__(self) -> None:
        super().__init__("operator_key", KEY_HEADER, "the operator's key", "another one, or none")


def is_operator(key: str | None, operator_key: str) -> bool:
    """Tell whether a request carries the operator's key; raise KeyRefusedError where it carries a wrong one."""
    if key is None:
        return False
    if not operator_key or not compare_digest(key.encode(), operator_key.encode()):
        raise KeyRefusedError
    return True


def result_of(entry: Entry) -> dict[str, Any]:
    """Return what whoever knows the id of a finished episode may see: rewards and breakdown, no answer."""
    return {"episode_id": entry.episode_id, **(entry.outcome or {})}


def operator_record(entry: Entry) -> dict[str, Any]:
    """Return the whole record of a finished episode: request, log and answer.

    The answer is None where this server would draw another file: under other versions, or another key.
    """
    same = entry.versions == versions_text(entry.reset)
    return {
        "versions": entry.versions,
        "reset": dict(entry.reset),
        "actions": [event.action for event in entry.events if event.action is not None],
        "rejections": sum(event.action is None for event in entry.events),
        "truth": open_play(entry.reset, entry.episode_id).episode.truth.to_dict() if same else None,
    }


def baseline_request(body: Mapping[str, Any]) -> tuple[str, int]:
    """Return agent and episodes a task of a /baseline body; raise InputError."""
    for name in body:
        if name not in ("agent", "episodes"):
            raise InputError("unknown_field", name, "agent, episodes", body[name])
    agent, episodes = body.get("agent", "rules"), body.get("episodes", 20)
    if not isinstance(agent, str):
        raise InputError("wrong_type", "agent", "the name of an agent", agent)
    if type(episodes) is not int or not 1 <= episodes <= MAX_BASELINE_EPISODES:
        raise InputError("invalid_value", "episodes", f"a whole number from 1 to {MAX_BASELINE_EPISODES}", episodes)
    return agent, episodes


def run_baseline(agent_name: str, episodes: int) -> dict[str, Any]:
    """Play an agent in this process on the first seeded files of each task and return its mean rewards."""
    from customs_env.agents import BASELINES

    if agent_name not in BASELINES:
        raise InputError("unknown_agent", "agent", "one of " + ", ".join(BASELINES), agent_name)
    scores: dict[str, dict[str, Any]] = {}
    for task_id in TASKS:
        rewards = []
        for seed in range(FIRST_BASELINE_SEED, FIRST_BASELINE_SEED + episodes):
            agent = BASELINES[agent_name]()
            agent.start(seed)
            episode = open_play({"task_id": task_id, "seed": seed}, f"baseline-{task_id}-{seed}").episode
            observation = episode.observation()
            while not observation.done:
                observation = episode.step(agent.act(observation.to_dict()))
            rewards.append(observation.reward)
        scores[task_id] = {"mean_reward": round(sum(rewards) / len(rewards), 4), "rewards": rewards}
    return {"agent": agent_name, "episodes": episodes, "first_seed": FIRST_BASELINE_SEED, "tasks": scores}
