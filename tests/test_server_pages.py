"""What is said to whom: /state, /grader, /baseline, faults, documents."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from episodes import ASK, FINAL, each_task, right_answer, start
from live_server import OPERATOR_KEY, opened, running, stepped

from customs_env.server.settings import Settings

SEED = 1_000_001


# -- who may know what ------------------------------------------------------------------------------------------------


STATE_KEYS = {
    "episode_id", "step_count", "task_id", "difficulty", "split", "seed", "index", "canonical", "max_steps", "rejections", "done",
    "truncated",
}  # fmt: skip


@each_task
def test_state_says_what_was_asked_and_nothing_of_the_truth(client: httpx.Client, task: str) -> None:
    mine = opened(client, task_id=task, seed=SEED, split="test", difficulty="easy")["episode_id"]
    state = client.get("/state", params={"episode_id": mine}).json()
    assert set(state) == STATE_KEYS
    asked = {"task_id": task, "seed": SEED, "split": "test", "difficulty": "easy", "index": None, "canonical": False}
    assert {name: state[name] for name in asked} == asked


def test_state_reports_the_seed_that_was_drawn(client: httpx.Client) -> None:
    first = opened(client, task_id="task2")
    seed = client.get("/state", params={"episode_id": first["episode_id"]}).json()["seed"]
    again = opened(client, task_id="task2", seed=seed)
    assert {**again, "episode_id": ""} == {**first, "episode_id": ""}


def test_state_reports_canonical_files_and_indexes(client: httpx.Client) -> None:
    canonical = opened(client, task_id="task2", seed=13)["episode_id"]
    indexed = opened(client, task_id="task2", split="validation", index=7)["episode_id"]
    states = [client.get("/state", headers={"X-Episode-Id": known}).json() for known in (canonical, indexed)]
    assert [(state["canonical"], state["seed"], state["split"], state["index"]) for state in states] == [
        (True, 13, None, None),
        (False, None, "validation", 7),
    ]


def test_grader_shows_an_open_episode_to_nobody(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    for headers in ({}, {"X-Operator-Key": OPERATOR_KEY}):
        answer = client.get("/grader", params={"episode_id": mine}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (409, "episode_open")


def test_grader_gives_the_answer_only_with_the_operators_key(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    stepped(client, ASK, episode_id=mine)
    stepped(client, {"flags": 1}, episode_id=mine)
    stepped(client, FINAL["task3"], episode_id=mine)
    open_to_all = client.get("/grader", params={"episode_id": mine}).json()
    assert {"truth", "actions", "reset"} & set(open_to_all) == set()
    assert start().truth.tariff_items[0] not in json.dumps(open_to_all)
    wrong = client.get("/grader", params={"episode_id": mine}, headers={"X-Operator-Key": OPERATOR_KEY[:-1]})
    assert wrong.status_code == 403
    full = client.post("/grader", json={"episode_id": mine}, headers={"X-Operator-Key": OPERATOR_KEY}).json()
    assert full["truth"] == start().truth.to_dict()
    assert (full["actions"], full["rejections"], full["reset"]["seed"]) == ([ASK, FINAL["task3"]], 1, SEED)


def test_grader_asks_which_episode_and_knows_no_other(client: httpx.Client) -> None:
    assert client.get("/grader").json()["code"] == "episode_id_needed"
    assert client.get("/grader", params={"episode_id": "never"}).json()["code"] == "unknown_episode"


def test_without_a_key_of_the_operators_no_key_opens_anything() -> None:
    with running(Settings()) as server, server.client() as client:
        for key in ("", "x"):
            assert client.get("/baseline", headers={"X-Operator-Key": key}).status_code == 403
            assert client.get("/grader?episode_id=a", headers={"X-Operator-Key": key}).status_code == 403
        assert client.get("/baseline").status_code == 403


def test_baseline_plays_the_rules_agent_for_operators(client: httpx.Client) -> None:
    assert client.post("/baseline").status_code == 403
    answer = client.post("/baseline", json={"episodes": 2}, headers={"X-Operator-Key": OPERATOR_KEY})
    assert answer.status_code == 200
    tasks = answer.json()["tasks"]
    assert set(tasks) == {"task1", "task2", "task3"}
    assert all(len(task["rewards"]) == 2 and 0.1 <= task["mean_reward"] <= 0.9 for task in tasks.values())


@pytest.mark.parametrize("body", [{"episodes": 0}, {"episodes": "2"}, {"agent": "oracle"}, {"agent": 1}, {"seeds": 1}])
def test_a_baseline_that_cannot_be_played_is_422(client: httpx.Client, body: Any) -> None:
    assert client.post("/baseline", json=body, headers={"X-Operator-Key": OPERATOR_KEY}).status_code == 422


# -- faults, documents ------------------------------------------------------------------------------------------------


def test_a_fault_of_the_server_is_500_without_traceback_and_the_episode_goes_on(
    alone: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = opened(alone, seed=SEED)["episode_id"]
    stepped(alone, ASK, episode_id=mine)
    with monkeypatch.context() as broken:
        broken.setattr("customs_env.env.episode.grade", lambda *_: 1 / 0)
        answer = stepped(alone, FINAL["task3"], episode_id=mine)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "Traceback" not in answer.text and "division" not in answer.text
    state = alone.get("/state").json()
    assert (state["step_count"], state["done"]) == (1, False)
    assert stepped(alone, right_answer(start()), episode_id=mine).json()["reward"] == 0.9


def test_a_fault_in_one_of_the_other_routes_is_500_in_json(
    alone: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("customs_env.server.pages.task_list", lambda: 1 / 0)
    answer = alone.get("/tasks")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")


def test_the_front_page_the_tasks_and_the_metadata_say_what_this_is(client: httpx.Client) -> None:
    from customs_env.versions import VERSIONS

    assert client.get("/").json()["versions"] == VERSIONS
    assert client.get("/metadata").json()["versions"] == VERSIONS
    assert client.get("/health").json() == {"status": "healthy"}
    assert [task["task_id"] for task in client.get("/tasks").json()["tasks"]] == ["task1", "task2", "task3"]


def test_openapi_documents_our_three_routes_in_place_of_openenvs(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    reset, step_, state = (
        document["paths"][path][method] for path, method in (("/reset", "post"), ("/step", "post"), ("/state", "get"))
    )
    schemas = document["components"]["schemas"]
    assert reset["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/ResetArguments")
    assert step_["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/StepArguments")
    assert {"409", "413", "422", "503"} <= set(reset["responses"])
    assert {"409", "413", "422"} <= set(step_["responses"])
    assert state["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].endswith("/CustomsState")
    from customs_env.env.reset import RESET_FIELDS

    assert set(schemas["ResetArguments"]["properties"]) == {*RESET_FIELDS, "request_id"}


def test_the_agents_side_of_openenvs_production_mode_has_no_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENENV_MODE", "production")
    with running() as server, server.client() as client:
        assert client.post("/reset").status_code == 404
        assert client.get("/health").status_code == 200
        assert "/reset" not in client.get("/openapi.json").json()["paths"]
