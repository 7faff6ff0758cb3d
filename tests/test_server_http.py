"""HTTP episodes: which episode a request is for, what is refused and how, what is said to whom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from episodes import ASK, FINAL, each_task, right_answer, start
from live_server import OPERATOR_KEY, Live, opened, running

from customs_env.env.episode import MAX_REJECTIONS
from customs_env.server.settings import BODY_LIMIT_BYTES, Settings

SEED = 1_000_001
ERROR_KEYS = {"code", "field", "expected", "got"}


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with running() as server:
        yield server


@pytest.fixture
def client(live: Live) -> Iterator[httpx.Client]:
    with live.client() as http:
        yield http


@pytest.fixture
def alone() -> Iterator[httpx.Client]:
    """A client of a server that nobody else uses."""
    with running() as server, server.client() as http:
        yield http


def step(client: httpx.Client, action: Any, **more: Any) -> httpx.Response:
    return client.post("/step", json={"action": action, **more})


# -- the answer, and the episode that it is about ---------------------------------------------------------------------


@each_task
def test_an_episode_from_reset_to_reward(client: httpx.Client, task: str) -> None:
    engine = start(task)
    observation = opened(client, task_id=task, seed=SEED)
    assert {**observation, "episode_id": "episode-1", "metadata": None} == {
        **engine.observation().to_dict(),
        "metadata": None,
    }
    answer = step(client, right_answer(engine), episode_id=observation["episode_id"]).json()
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
    refused = step(alone, FINAL["task1"])
    assert (refused.status_code, refused.json()["code"]) == (409, "no_episode")
    mine = opened(alone, task_id="task1", seed=SEED)["episode_id"]
    assert alone.get("/state").json()["episode_id"] == mine
    other = opened(alone, task_id="task1", seed=SEED)["episode_id"]
    for answer in (step(alone, FINAL["task1"]), alone.get("/state")):
        assert (answer.status_code, answer.json()["code"]) == (409, "episode_id_needed")
        assert "X-Episode-Id" in answer.json()["detail"]
    assert step(alone, FINAL["task1"], episode_id=other).status_code == 200
    answer = step(alone, FINAL["task1"])
    assert answer.json()["observation"]["episode_id"] == mine


def test_an_id_that_is_not_known_is_409(client: httpx.Client) -> None:
    answer = step(client, FINAL["task1"], episode_id="never-reset")
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
        step(client, FINAL["task1"], episode_id="my own")


@pytest.mark.parametrize("bad", ["", "x" * 256, "two\nlines", 7, ["a"], {"a": 1}])
def test_an_id_that_cannot_be_one_is_refused(client: httpx.Client, bad: Any) -> None:
    for answer in (client.post("/reset", json={"episode_id": bad}), step(client, FINAL["task1"], episode_id=bad)):
        assert answer.status_code == 422
        assert answer.json()["field"] == "episode_id"


# -- after the end ----------------------------------------------------------------------------------------------------


@each_task
def test_a_finished_episode_is_never_graded_again(client: httpx.Client, task: str) -> None:
    mine = opened(client, task_id=task, seed=SEED)["episode_id"]
    first = step(client, FINAL[task], episode_id=mine).json()
    before = client.get("/grader", params={"episode_id": mine}).json()
    again = step(client, right_answer(start(task)), episode_id=mine)
    assert (again.status_code, again.json()["code"]) == (409, "episode_over")
    assert client.get("/grader", params={"episode_id": mine}).json() == before
    assert before["reward"] == first["reward"]
    assert before["breakdown"] == first["observation"]["breakdown"]


# -- invalid actions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"hs_code": 85183019}, "hs_code"),
        ({**FINAL["task3"], "duty_amount_inr": "123"}, "duty_amount_inr"),
        ({**FINAL["task3"], "assessable_value_inr": -1}, "assessable_value_inr"),
        ({**FINAL["task3"], "recommendation": "release"}, "recommendation"),
        ({**FINAL["task3"], "hs_cod": "40091100"}, "hs_cod"),
        ({**FINAL["task3"], "flags": ["x"] * 65}, "flags"),
        ({"hs_code": "40091100"}, "flags"),
        ({}, "hs_code"),
    ],
)
def test_an_invalid_action_is_422_with_four_parts_and_the_episode_is_kept(
    client: httpx.Client, action: dict[str, Any], field: str
) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    answer = step(client, action, episode_id=mine)
    assert answer.status_code == 422
    assert set(answer.json()) == ERROR_KEYS
    assert answer.json()["field"] == field
    state = client.get("/state", params={"episode_id": mine}).json()
    assert (state["step_count"], state["rejections"], state["done"]) == (0, 1, False)
    assert step(client, right_answer(start()), episode_id=mine).json()["reward"] == 0.9


@pytest.mark.parametrize(
    "body", [{}, {"action": None}, {"action": "clear"}, {"action": [1]}, {"action": {}, "acton": 1}]
)
def test_a_body_that_is_no_step_is_422_and_counts_as_no_rejection(client: httpx.Client, body: Any) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    answer = client.post("/step", json=body, params={"episode_id": mine})
    assert (answer.status_code, set(answer.json())) == (422, ERROR_KEYS)
    assert client.get("/state", params={"episode_id": mine}).json()["rejections"] == 0


@pytest.mark.parametrize("timeout", [0, -1, "1", True])
def test_a_timeout_is_a_number_above_zero(client: httpx.Client, timeout: Any) -> None:
    assert step(client, FINAL["task3"], timeout_s=timeout).json()["field"] == "timeout_s"
    mine = opened(client, seed=SEED)["episode_id"]
    assert step(client, FINAL["task3"], episode_id=mine, timeout_s=1.5).status_code == 200


def test_no_refusal_repeats_more_than_a_hundred_characters(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    long = "Z" * 5_000
    answers = [
        step(client, {**FINAL["task3"], "recommendation": long}, episode_id=mine),
        step(client, {**FINAL["task3"], long: 1}, episode_id=mine),
        step(client, {**FINAL["task3"], "flags": long}, episode_id=mine),
        step(client, {**FINAL["task3"], "flags": [[long]]}, episode_id=mine),
        client.post("/step", json={"action": {}, long: 1}),
        client.post("/reset", json={long: 1}),
        client.post("/reset", json={"split": long}),
        client.post("/reset", content=long),
        step(client, {}, episode_id=long),
        client.post("/customs_env/num_tasks", json={"split": long}),
        client.post("/customs_env/num_tasks", json={"split": [long]}),
        client.post("/customs_env/num_tasks", json={long: long, "split": "test"}),
    ]
    for answer in answers:
        assert 400 <= answer.status_code < 500
        assert "Z" * 101 not in answer.text


def test_the_eighth_rejection_ends_the_episode_at_the_floor(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    answers = [step(client, {"flags": 1}, episode_id=mine) for _ in range(MAX_REJECTIONS)]
    assert [answer.status_code for answer in answers] == [422] * (MAX_REJECTIONS - 1) + [200]
    last = answers[-1].json()
    assert (last["reward"], last["done"]) == (0.1, True)
    assert last["observation"]["error"]["field"] == "flags"
    assert step(client, FINAL["task3"], episode_id=mine).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        b'{"seed": NaN}', b'{"request_cost": Infinity}', b'{"request_cost": -Infinity}', b'{"request_cost": 1e999}', b"[1]", b'"seed"', b"7",
        b"{", b"seed=1", b"\xff\xfe", b'{"split": "\\ud800"}', b"[" * 200_000, b'{"a":' * 100 + b"1" + b"}" * 100,
    ],
)  # fmt: skip
def test_what_is_no_strict_json_object_is_422_and_opens_nothing(client: httpx.Client, live: Live, body: bytes) -> None:
    before = live.store.journal.open_count()
    for path in ("/reset", "/step"):
        answer = client.post(path, content=body)
        assert (answer.status_code, set(answer.json())) == (422, ERROR_KEYS)
    assert live.store.journal.open_count() == before


@pytest.mark.parametrize("value", [b"NaN", b"Infinity", b"1e999"])
def test_numbers_that_are_none_are_refused_in_actions(client: httpx.Client, value: bytes) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    body = b'{"action": {"duty_amount_inr": %s}, "episode_id": "%s"}' % (value, mine.encode())
    assert client.post("/step", content=body).json()["code"] == "invalid_json"


@pytest.mark.parametrize("body", [b"", b"{}", b"null"])
def test_reset_needs_no_argument(client: httpx.Client, body: bytes) -> None:
    assert client.post("/reset", content=body).status_code == 200


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"sed": 1}, "sed"),
        ({"seed": "1"}, "seed"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**70}, "seed"),
        ({"seed": True}, "seed"),
        ({"task_id": "task9"}, "task_id"),
        ({"seed": 1, "index": 1}, "index"),
        ({"split": "test", "index": 10_000_000}, "index"),
    ],
)
def test_reset_arguments_that_cannot_be_used_are_422(client: httpx.Client, arguments: Any, field: str) -> None:
    answer = client.post("/reset", json=arguments)
    assert (answer.status_code, set(answer.json()), answer.json()["field"]) == (422, ERROR_KEYS, field)


def test_an_unknown_reset_argument_is_told_the_known_ones(client: httpx.Client) -> None:
    assert "task_id, seed, difficulty" in client.post("/reset", json={"taskid": "task1"}).json()["expected"]


# -- repeated requests ------------------------------------------------------------------------------------------------


def test_a_repeated_request_gets_the_same_answer_and_counts_once(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    sent = [({"flags": 1}, "bad"), (ASK, "ask"), (FINAL["task3"], "final")]
    answers = {}
    for action, request_id in sent:
        answers[request_id] = step(client, action, episode_id=mine, request_id=request_id)
        again = step(client, action, episode_id=mine, request_id=request_id)
        assert (again.status_code, again.content) == (answers[request_id].status_code, answers[request_id].content)
    assert [answers[request_id].status_code for _, request_id in sent] == [422, 200, 200]
    for _, request_id in sent:  # also later, and whatever it carries now
        again = step(client, FINAL["task3"], episode_id=mine, request_id=request_id)
        assert (again.status_code, again.content) == (answers[request_id].status_code, answers[request_id].content)
    state = client.get("/state", params={"episode_id": mine}).json()
    assert (state["step_count"], state["rejections"]) == (2, 1)


def test_a_request_id_is_of_one_episode(client: httpx.Client) -> None:
    first, second = (opened(client, task_id="task1", seed=SEED + n)["episode_id"] for n in range(2))
    answers = [step(client, FINAL["task1"], episode_id=mine, request_id="1").json() for mine in (first, second)]
    assert [answer["observation"]["episode_id"] for answer in answers] == [first, second]


def test_a_repeated_reset_with_ones_own_id_gets_the_same_answer(client: httpx.Client) -> None:
    body = {"task_id": "task3", "episode_id": "lost answer", "request_id": "r1"}
    first = client.post("/reset", json=body)
    client.post("/step", json={"action": ASK, "episode_id": "lost answer"})
    again = client.post("/reset", json=body)
    assert (again.status_code, again.content) == (200, first.content)
    assert client.post("/reset", json={**body, "request_id": "r2"}).status_code == 409


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/reset", "/step", "/mcp", "/customs_env/tasks", "/baseline"])
@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
def test_a_body_beyond_256_kb_is_413(client: httpx.Client, path: str, chunked: bool) -> None:
    part = b" " * 50_000
    over = BODY_LIMIT_BYTES // len(part) + 1
    content: Any = iter([part] * over) if chunked else part * over
    answer = client.post(path, content=content)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
def test_a_body_of_256_kb_is_read(client: httpx.Client, chunked: bool) -> None:
    body = b'{"seed": 1000001}'.ljust(BODY_LIMIT_BYTES)
    content: Any = iter([body[:100_000], body[100_000:]]) if chunked else body
    assert client.post("/reset", content=content).status_code == 200


def test_a_full_server_says_so_with_503_and_has_room_again_later() -> None:
    with running(Settings(max_episodes=2, idle_s=60)) as server, server.client() as client:
        first = opened(client, task_id="task1", seed=SEED)["episode_id"]
        opened(client, task_id="task1", seed=SEED)
        for _ in range(2):
            full = client.post("/reset", json={"seed": SEED})
            assert (full.status_code, full.json()["code"]) == (503, "full")
            assert "2 places" in full.json()["detail"] and int(full.headers["retry-after"]) > 0
        step(client, FINAL["task1"], episode_id=first)  # a finished one gives its place back
        assert client.post("/reset", json={"seed": SEED}).status_code == 200
        assert client.post("/reset", json={"seed": SEED}).status_code == 503
        server.clock.now += 61  # and so do those that nobody touches
        assert client.post("/reset", json={"seed": SEED}).status_code == 200


def test_an_idle_episode_expires() -> None:
    with running(Settings(idle_s=60)) as server, server.client() as client:
        mine = opened(client, seed=SEED)["episode_id"]
        server.clock.now += 59
        assert step(client, ASK, episode_id=mine).status_code == 200
        server.clock.now += 59
        assert client.get("/state", params={"episode_id": mine}).json()["step_count"] == 1
        server.clock.now += 2
        assert step(client, ASK, episode_id=mine).json()["code"] == "unknown_episode"


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
    step(client, ASK, episode_id=mine)
    step(client, {"flags": 1}, episode_id=mine)
    step(client, FINAL["task3"], episode_id=mine)
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
    step(alone, ASK, episode_id=mine)
    with monkeypatch.context() as broken:
        broken.setattr("customs_env.env.episode.grade", lambda *_: 1 / 0)
        answer = step(alone, FINAL["task3"], episode_id=mine)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "Traceback" not in answer.text and "division" not in answer.text
    state = alone.get("/state").json()
    assert (state["step_count"], state["done"]) == (1, False)
    assert step(alone, right_answer(start()), episode_id=mine).json()["reward"] == 0.9


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
