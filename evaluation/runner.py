"""Play agents against a client: one episode, or many at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from customs_env.agents.base import Agent
from customs_env.errors import CapacityError, CustomsEnvError, InputError, ProtocolError, ServiceError, UnscoredError
from customs_env.evaluation.client import Client, Turn
from customs_env.evaluation.trace import EpisodeRecord, observation_hash, rejection
from customs_env.tariff.loaded import lookup_schedule

#: An environment ends every episode long before this; one that does not is reported, not played for ever.
MOST_TURNS = 64


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """Which agent plays which file. `reset` holds the reset arguments, `task_id` and `seed` among them."""

    agent: str
    task_id: str
    reset: dict[str, Any] = field(default_factory=dict)
    canonical: bool = False


class Watcher(Protocol):
    """Is told of an episode while it is played (by the thread that plays it)."""

    def started(self, plan: EpisodePlan) -> None:
        """The episode was opened."""
        ...

    def stepped(self, number: int, action: Mapping[str, Any], turn: Turn, error: str | None) -> None:
        """An action was answered; `error` says why it was rejected."""
        ...

    def ended(self, record: EpisodeRecord) -> None:
        """The episode is over."""
        ...


AgentMaker = Callable[[EpisodePlan], Agent]


def agent_seed(plan: EpisodePlan) -> int:
    """Return the seed of an agent's own draws: a function of the plan alone, the same in any process."""
    text = json.dumps([plan.task_id, plan.reset], sort_keys=True)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def play(
    client: Client,
    agent: Agent,
    plan: EpisodePlan,
    versions: Mapping[str, str] | None = None,
    watcher: Watcher | None = None,
) -> EpisodeRecord:
    """Play one episode to its end and return its record.

    An agent that cannot be asked (UnscoredError) or a server that fails in mid-episode leaves it unscored; one that
    knows so at its start leaves the file unopened.
    Raises InputError where the reset is not accepted, ServiceError where no server answers at the reset.
    """
    try:
        agent.start(agent_seed(plan))
    except UnscoredError as error:
        return _unopened(agent, plan, str(error), versions, watcher)
    turn = client.reset(plan.reset)
    if watcher is not None:
        watcher.started(plan)
    shipment_id = str(turn.observation.get("shipment_id", ""))
    hashes, actions, rewards, errors = [observation_hash(turn.observation)], [], [], []
    trouble: str | None = None
    while not turn.done and trouble is None:
        try:
            action = agent.act(turn.observation)
            turn = client.step(turn.episode_id, action)
        except (UnscoredError, ServiceError, CapacityError, ProtocolError) as error:
            trouble = str(error)
            break
        hashes.append(observation_hash(turn.observation))
        actions.append(action)
        rewards.append(turn.reward)
        errors.append(rejection(turn.observation, getattr(agent, "note", None)))
        if watcher is not None:
            watcher.stepped(len(actions), action, turn, errors[-1])
        if len(actions) >= MOST_TURNS and not turn.done:
            trouble = f"the environment did not end the episode in {MOST_TURNS} turns"
    breakdown = turn.observation.get("breakdown")
    record = EpisodeRecord(
        agent=agent.name,
        task_id=plan.task_id,
        reset=dict(plan.reset),
        canonical=plan.canonical,
        shipment_id=shipment_id,
        observations=tuple(hashes),
        actions=tuple(actions),
        rewards=tuple(rewards),
        errors=tuple(errors),
        done=turn.done,
        score=None if trouble else turn.reward,
        breakdown=dict(breakdown) if isinstance(breakdown, Mapping) else None,
        unscored_because=trouble,
        versions=dict(versions or {}),
    )
    if watcher is not None:
        watcher.ended(record)
    return record


def _unopened(
    agent: Agent, plan: EpisodePlan, reason: str, versions: Mapping[str, str] | None, watcher: Watcher | None
) -> EpisodeRecord:
    """Return the record of an episode whose agent could not even start."""
    record = EpisodeRecord(
        agent=agent.name,
        task_id=plan.task_id,
        reset=dict(plan.reset),
        canonical=plan.canonical,
        shipment_id="",
        observations=(),
        actions=(),
        rewards=(),
        errors=(),
        done=False,
        score=None,
        breakdown=None,
        unscored_because=reason,
        versions=dict(versions or {}),
    )
    if watcher is not None:
        watcher.started(plan)
        watcher.ended(record)
    return record


def check_concurrency(concurrency: int) -> None:
    """Raise InputError where so many episodes at once cannot be."""
    if concurrency < 1:
        raise InputError("invalid_value", "concurrency", "a whole number of at least 1", concurrency)


def play_all(
    client: Client,
    plans: Sequence[EpisodePlan],
    make_agent: AgentMaker,
    concurrency: int = 1,
    watch: Callable[[EpisodePlan], Watcher | None] = lambda _plan: None,
) -> Iterator[tuple[int, EpisodeRecord]]:
    """Yield (place in `plans`, record) as episodes are finished, up to `concurrency` played at once.

    The first error that is not an agent's own ends the run: what was finished has been yielded before.
    Closing the iterator (or Ctrl-C) waits for the episodes in play and starts no more.
    """
    check_concurrency(concurrency)
    versions = client.versions()
    searched = lookup_schedule().digest
    if searched:  # the agents run here: what they search need not be what the server's look-ups show
        versions = {**versions, "agent_schedule": searched}

    def one(place: int, plan: EpisodePlan) -> tuple[int, EpisodeRecord]:
        return place, play(client, make_agent(plan), plan, versions, watch(plan))

    if concurrency == 1:
        for place, plan in enumerate(plans):
            yield one(place, plan)
        return
    rest = iter(enumerate(plans))
    with ThreadPoolExecutor(concurrency) as pool:
        running = {pool.submit(one, place, plan) for place, plan in islice(rest, concurrency)}
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(one, place, plan) for place, plan in islice(rest, len(done))}
                failed: CustomsEnvError | None = None
                for future in done:
                    trouble = future.exception()
                    if isinstance(trouble, CustomsEnvError):
                        failed = trouble
                    else:
                        yield future.result()
                if failed is not None:
                    raise failed
        finally:
            for future in running:
                future.cancel()
