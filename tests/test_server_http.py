"""HTTP episodes: which episode a request is for, how it ends, requests that come twice."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from episodes import ASK, FINAL, each_task, right_answer, start
from live_server import opened, stepped

SEED = 1_000_001


# -- the answer, and the episode that it is about ---------------------------------------------------------------------


@each_task
def test_an_episode_from_reset_to_reward(client: httpx.Client, task: str) -> None:
    engine = start(task)
    observation = opened(client, task_id=task, seed=SEED)
    assert {**observation, "episode_id": "episode-1", "metadata": None} == {
        **engine.observation().to_dict(),
        "metadata": None,
    }
    answer = stepped(client, right_answer(engine), episode_id=observation["episode_id"]).json()
    assert (answer["reward"], answer["done"]) == (0.9, True)
    assert answer["observation"]["breakdown"]["raw_score"] == 1.0


def test_the_answer_has_openenvs_shape(client: httpx.Client) -> None:
    answer = client.post("/reset", json={"task_id": "task1", "seed": SEED}).json()
    assert set(answer) == {"observation", "reward", "done"}
    assert (answer["reward"], answer["done"], answer["observation"]["metadata"]) == (0.0, False, {})
    assert not {"reward", "done"} & set(answer["observation"])


@pytest.mark.parametrize("way", ["body", "query", "header", "cookie"])
def test_a_step_takes_the_id_from(client: httpx.Client, way: str) -> None:
    mine = opened(client, task_id="task1", seed=SEED)["episode_id"]
    opened(client, task_id="task2", seed=SEED)
    body: dict[str, Any] = {"action": FINAL["task1"]}
    if way == "body":
        answer = client.post("/step", json={**body, "episode_id": mine})
    elif way == "query":
        answer = client.post("/step", json=body, params={"episode_id": mine})
    elif way == "header":
        answer = client.post("/step", json=body, headers={"X-Episode-Id": mine})
    else:
        answer = client.post("/step", json=body, headers={"Cookie": f"other=1; episode_id={mine}"})
    assert answer.status_code == 200
    assert answer.json()["observation"]["episode_id"] == mine


def test_reset_sets_the_id_as_a_cookie_that_scripts_cannot_read(client: httpx.Client) -> None:
    answer = client.post("/reset", json={"seed": SEED, "episode_id": "cookie; with spaces"})
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Lax" in answer.headers["set-cookie"]
    assert client.get("/state").json()["episode_id"] == "cookie; with spaces"  # httpx sends the cookie back
    client.cookies.clear()


def test_the_body_goes_before_query_header_and_cookie(client: httpx.Client) -> None:
    first, second, third, fourth = (opened(client, task_id="task3", seed=SEED)["episode_id"] for _ in range(4))
    headers = {"X-Episode-Id": third, "Cookie": f"episode_id={fourth}"}
    ways = [
        client.post("/step", json={"action": ASK, "episode_id": first}, params={"episode_id": second}, headers=headers),
        client.post("/step", json={"action": ASK}, params={"episode_id": second}, headers=headers),
        client.post("/step", json={"action": ASK}, headers=headers),
        client.post("/step", json={"action": ASK}, headers={"Cookie": headers["Cookie"]}),
    ]
    assert [way.json()["observation"]["episode_id"] for way in ways] == [first, second, third, fourth]


def test_without_an_id_the_only_open_episode_is_served(alone: httpx.Client) -> None:
    refused = stepped(alone, FINAL["task1"])
    assert (refused.status_code, refused.json()["code"]) == (409, "no_episode")
    mine = opened(alone, task_id="task1", seed=SEED)["episode_id"]
    assert alone.get("/state").json()["episode_id"] == mine
    other = opened(alone, task_id="task1", seed=SEED)["episode_id"]
    for answer in (stepped(alone, FINAL["task1"]), alone.get("/state")):
        assert (answer.status_code, answer.json()["code"]) == (409, "episode_id_needed")
        assert "X-Episode-Id" in answer.json()["detail"]
    assert stepped(alone, FINAL["task1"], episode_id=other).status_code == 200
    answer = stepped(alone, FINAL["task1"])
    assert answer.json()["observation"]["episode_id"] == mine


def test_an_id_that_is_not_known_is_409(client: httpx.Client) -> None:
    answer = stepped(client, FINAL["task1"], episode_id="never-reset")
    assert (answer.status_code, answer.json()["code"]) == (409, "unknown_episode")


def test_ids_are_unguessable_and_distinct(client: httpx.Client) -> None:
    ids = {opened(client, seed=SEED)["episode_id"] for _ in range(50)}
    assert len(ids) == 50
    assert all(len(issued) >= 24 for issued in ids)


def test_an_id_of_ones_own_is_taken_once(client: httpx.Client) -> None:
    assert opened(client, task_id="task1", seed=SEED, episode_id="my own")["episode_id"] == "my own"
    for _ in range(2):  # open, then finished
        again = client.post("/reset", json={"seed": SEED, "episode_id": "my own"})
        assert (again.status_code, again.json()["code"]) == (409, "id_in_use")
        stepped(client, FINAL["task1"], episode_id="my own")


@pytest.mark.parametrize("bad", ["", "x" * 256, "two\nlines", 7, ["a"], {"a": 1}])
def test_an_id_that_cannot_be_one_is_refused(client: httpx.Client, bad: Any) -> None:
    for answer in (client.post("/reset", json={"episode_id": bad}), stepped(client, FINAL["task1"], episode_id=bad)):
        assert answer.status_code == 422
        assert answer.json()["field"] == "episode_id"


# -- after the end ----------------------------------------------------------------------------------------------------


@each_task
def test_a_finished_episode_is_never_graded_again(client: httpx.Client, task: str) -> None:
    mine = opened(client, task_id=task, seed=SEED)["episode_id"]
    first = stepped(client, FINAL[task], episode_id=mine).json()
    before = client.get("/grader", params={"episode_id": mine}).json()
    again = stepped(client, right_answer(start(task)), episode_id=mine)
    assert (again.status_code, again.json()["code"]) == (409, "episode_over")
    assert client.get("/grader", params={"episode_id": mine}).json() == before
    assert before["reward"] == first["reward"]
    assert before["breakdown"] == first["observation"]["breakdown"]


# -- repeated requests ------------------------------------------------------------------------------------------------


def test_a_repeated_request_gets_the_same_answer_and_counts_once(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    sent = [({"flags": 1}, "bad"), (ASK, "ask"), (FINAL["task3"], "final")]
    answers = {}
    for action, request_id in sent:
        answers[request_id] = stepped(client, action, episode_id=mine, request_id=request_id)
        again = stepped(client, action, episode_id=mine, request_id=request_id)
        assert (again.status_code, again.content) == (answers[request_id].status_code, answers[request_id].content)
    assert [answers[request_id].status_code for _, request_id in sent] == [422, 200, 200]
    for _, request_id in sent:  # also later, and whatever it carries now
        again = stepped(client, FINAL["task3"], episode_id=mine, request_id=request_id)
        assert (again.status_code, again.content) == (answers[request_id].status_code, answers[request_id].content)
    state = client.get("/state", params={"episode_id": mine}).json()
    assert (state["step_count"], state["rejections"]) == (2, 1)


def test_a_request_id_is_of_one_episode(client: httpx.Client) -> None:
    first, second = (opened(client, task_id="task1", seed=SEED + n)["episode_id"] for n in range(2))
    answers = [stepped(client, FINAL["task1"], episode_id=mine, request_id="1").json() for mine in (first, second)]
    assert [answer["observation"]["episode_id"] for answer in answers] == [first, second]


def test_a_repeated_reset_with_ones_own_id_gets_the_same_answer(client: httpx.Client) -> None:
    body = {"task_id": "task3", "episode_id": "lost answer", "request_id": "r1"}
    first = client.post("/reset", json=body)
    client.post("/step", json={"action": ASK, "episode_id": "lost answer"})
    again = client.post("/reset", json=body)
    assert (again.status_code, again.content) == (200, first.content)
    assert client.post("/reset", json={**body, "request_id": "r2"}).status_code == 409
