"""What the HTTP routes refuse, how they say so, and what a refusal leaves untouched."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from episodes import ASK, FINAL, right_answer, start
from live_server import Live, opened, running, stepped

from customs_env.env.episode import MAX_REJECTIONS
from customs_env.server.settings import BODY_LIMIT_BYTES, Settings

SEED = 1_000_001
ERROR_KEYS = {"code", "field", "expected", "got"}


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
    answer = stepped(client, action, episode_id=mine)
    assert answer.status_code == 422
    assert set(answer.json()) == ERROR_KEYS
    assert answer.json()["field"] == field
    state = client.get("/state", params={"episode_id": mine}).json()
    assert (state["step_count"], state["rejections"], state["done"]) == (0, 1, False)
    assert stepped(client, right_answer(start()), episode_id=mine).json()["reward"] == 0.9


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
    assert stepped(client, FINAL["task3"], timeout_s=timeout).json()["field"] == "timeout_s"
    mine = opened(client, seed=SEED)["episode_id"]
    assert stepped(client, FINAL["task3"], episode_id=mine, timeout_s=1.5).status_code == 200


def test_no_refusal_repeats_more_than_a_hundred_characters(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    long = "Z" * 5_000
    answers = [
        stepped(client, {**FINAL["task3"], "recommendation": long}, episode_id=mine),
        stepped(client, {**FINAL["task3"], long: 1}, episode_id=mine),
        stepped(client, {**FINAL["task3"], "flags": long}, episode_id=mine),
        stepped(client, {**FINAL["task3"], "flags": [[long]]}, episode_id=mine),
        client.post("/step", json={"action": {}, long: 1}),
        client.post("/reset", json={long: 1}),
        client.post("/reset", json={"split": long}),
        client.post("/reset", content=long),
        stepped(client, {}, episode_id=long),
        client.post("/customs_env/num_tasks", json={"split": long}),
        client.post("/customs_env/num_tasks", json={"split": [long]}),
        client.post("/customs_env/num_tasks", json={long: long, "split": "test"}),
    ]
    for answer in answers:
        assert 400 <= answer.status_code < 500
        assert "Z" * 101 not in answer.text


def test_the_eighth_rejection_ends_the_episode_at_the_floor(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    answers = [stepped(client, {"flags": 1}, episode_id=mine) for _ in range(MAX_REJECTIONS)]
    assert [answer.status_code for answer in answers] == [422] * (MAX_REJECTIONS - 1) + [200]
    last = answers[-1].json()
    assert (last["reward"], last["done"]) == (0.1, True)
    assert last["observation"]["error"]["field"] == "flags"
    assert stepped(client, FINAL["task3"], episode_id=mine).status_code == 409


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


def test_nesting_is_limited_however_the_brackets_are_spread(client: httpx.Client) -> None:
    wide = {"seed": [[0]] * 500}
    assert client.post("/reset", json=wide).json()["field"] == "seed"
    deep: Any = 0
    for _ in range(40):
        deep = [deep, [], {}]
    assert client.post("/reset", json={"seed": deep}).json()["code"] == "too_deep"


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
        stepped(client, FINAL["task1"], episode_id=first)  # a finished one gives its place back
        assert client.post("/reset", json={"seed": SEED}).status_code == 200
        assert client.post("/reset", json={"seed": SEED}).status_code == 503
        server.clock.now += 61  # and so do those that nobody touches
        assert client.post("/reset", json={"seed": SEED}).status_code == 200


def test_an_idle_episode_expires() -> None:
    with running(Settings(idle_s=60)) as server, server.client() as client:
        mine = opened(client, seed=SEED)["episode_id"]
        server.clock.now += 59
        assert stepped(client, ASK, episode_id=mine).status_code == 200
        server.clock.now += 59
        assert client.get("/state", params={"episode_id": mine}).json()["step_count"] == 1
        server.clock.now += 2
        assert stepped(client, ASK, episode_id=mine).json()["code"] == "unknown_episode"
