"""One engine behind every face: HTTP, WebSocket and Python give equal observations and rewards for equal seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from episodes import ASK, right_answer, start
from live_server import Live, opened, running, told

from customs_env.client import CustomsAction, CustomsEnv
from customs_env.env.episode import Observation
from customs_env.scenarios.tasks import TASKS
from customs_env.server.environment import CustomsEnvironment
from customs_env.server.settings import Settings

EPISODES = 200
THREADS = 16

Turn = tuple[dict[str, Any], float, bool]


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    path = tmp_path_factory.mktemp("store") / "episodes.db"
    with running(Settings(store="memory" if request.param == "memory" else f"sqlite:///{path}")) as server:
        yield server


def plan(number: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return reset arguments and actions of an episode: asked for information, rejected once, then right or wrong."""
    draw = random.Random(number)
    task = list(TASKS)[number % len(TASKS)]
    arguments = {"task_id": task, "seed": 1_000_000 + number}
    right = right_answer(start(task, arguments["seed"]))
    wrong = {
        **right,
        **{
            field: value for field, value in {"hs_code": "01041010", "recommendation": "hold"}.items() if field in right
        },
    }
    actions: list[dict[str, Any]] = [{**ASK, "hs_code": None}] if task == "task3" else []
    if draw.random() < 0.3:
        actions.append({"flags": "not a list"})
    actions.append(draw.choice([right, wrong]))
    return arguments, actions


def same(observation: dict[str, Any]) -> dict[str, Any]:
    """Return an observation without what differs between two runs of the same episode."""
    return {key: value for key, value in observation.items() if key not in ("episode_id", "metadata")}


def engine_turns(number: int) -> list[Turn]:
    arguments, actions = plan(number)
    episode = start(arguments["task_id"], arguments["seed"])
    observations: list[Observation] = [episode.observation(), *(episode.step(action) for action in actions)]
    return [(same(seen.to_dict()), seen.reward, seen.done) for seen in observations]


def turn(answer: dict[str, Any]) -> Turn:
    return same(answer["observation"]), answer["reward"], answer["done"]


def assert_equal_but_for_rejections(seen: list[Turn | None], number: int) -> None:
    """HTTP answers a rejected action with 422, which has no observation: None stands for it."""
    expected = engine_turns(number)
    assert len(seen) == len(expected)
    for got, (observation, reward, done) in zip(seen, expected, strict=True):
        if got is None:
            assert observation["error"] is not None
        else:
            assert got == (observation, reward, done)


def test_200_http_episodes_interleaved_over_16_threads_are_each_graded_on_their_own_file(live: Live) -> None:
    at_once = Barrier(THREADS)

    def worker(numbers: list[int]) -> dict[int, list[Turn | None]]:
        """Keep all of one's episodes open and play them turn by turn, so that they interleave in each thread too."""
        turns: dict[int, list[Turn | None]] = {}
        with live.client() as client:
            at_once.wait(30)
            ids = {}
            for number in numbers:
                observation = opened(client, **plan(number)[0])
                ids[number] = observation["episode_id"]
                turns[number] = [(same(observation), 0.0, False)]
            rest = {number: list(plan(number)[1]) for number in numbers}
            while rest:
                for number in list(rest):
                    body = {"action": rest[number].pop(0), "episode_id": ids[number]}
                    answer = client.post("/step", json=body)
                    turns[number].append(turn(answer.json()) if answer.status_code == 200 else None)
                    if not rest[number]:
                        del rest[number]
        return turns

    with ThreadPoolExecutor(THREADS) as pool:
        parts = list(pool.map(worker, [list(range(EPISODES))[n::THREADS] for n in range(THREADS)]))
    turns = {number: seen for part in parts for number, seen in part.items()}
    assert len(turns) == EPISODES
    for number, seen in turns.items():
        assert_equal_but_for_rejections(seen, number)
    finals = {seen[-1][1] for seen in turns.values() if seen[-1] is not None}
    assert {0.9} < finals  # both right and wrong answers were among them


def test_200_websocket_episodes_over_16_sessions_equal_the_engines(live: Live) -> None:
    def worker(numbers: list[int]) -> None:
        with live.session() as session:
            for number in numbers:
                arguments, actions = plan(number)
                turns = [turn(told(session, "reset", arguments)["data"])]
                turns += [turn(told(session, "step", action)["data"]) for action in actions]
                assert turns == engine_turns(number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(worker, [list(range(EPISODES))[n::THREADS] for n in range(THREADS)]))


def test_the_environment_object_equals_the_engine() -> None:
    for number in range(30):
        arguments, actions = plan(number)
        environment = CustomsEnvironment()
        seen = [
            environment.reset(**arguments),
            *(environment.step(CustomsAction.model_construct(**a)) for a in actions),
        ]
        turns = [(same(o.model_dump(exclude={"reward", "done"})), o.reward, o.done) for o in seen]
        assert turns == engine_turns(number)


def test_the_client_equals_the_engine(live: Live) -> None:
    with CustomsEnv(base_url=live.url).sync() as env:
        for number in range(9):
            arguments, actions = plan(number)
            seen = [env.reset(**arguments), *(env.step(action) for action in actions)]
            turns = [(same(r.observation.model_dump(exclude={"reward", "done"})), r.reward, r.done) for r in seen]
            assert turns == engine_turns(number)
            state = env.state()
            assert (state.task_id, state.seed, state.done) == (arguments["task_id"], arguments["seed"], True)


def test_the_client_takes_typed_actions(live: Live) -> None:
    with CustomsEnv(base_url=live.url).sync() as env:
        env.reset(task_id="task2", seed=1_000_001)
        result = env.step(CustomsAction(**right_answer(start("task2"))))
        assert result.reward == 0.9
        assert result.observation.breakdown is not None


def test_http_and_websocket_episodes_do_not_touch_each_other(live: Live) -> None:
    with live.client() as client, live.session() as first, live.session() as second:
        mine = opened(client, task_id="task3", seed=1_000_001)["episode_id"]
        told(first, "reset", {"task_id": "task1", "seed": 1_000_001, "episode_id": mine})
        told(second, "reset", {"task_id": "task2", "seed": 1_000_002, "episode_id": mine})
        told(first, "step", right_answer(start("task1")))
        states = [told(session, "state")["data"] for session in (first, second)]
        assert [(state["task_id"], state["done"]) for state in states] == [("task1", True), ("task2", False)]
        state = client.get("/state", params={"episode_id": mine}).json()
        assert (state["task_id"], state["step_count"], state["done"]) == ("task3", 0, False)
