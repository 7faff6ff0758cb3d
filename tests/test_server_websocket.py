"""WebSocket sessions through OpenEnv: errors are data, the socket stays open, nothing is echoed at length."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from episodes import ASK, FINAL, right_answer, start
from live_server import Live, running, told
from websockets.sync.client import ClientConnection

from customs_env.server.settings import BODY_LIMIT_BYTES, Settings

SEED = 1_000_001


@pytest.fixture
def session(live: Live) -> Iterator[ClientConnection]:
    with live.session() as connection:
        yield connection


def said(session: ClientConnection, text: str | bytes) -> dict[str, Any]:
    session.send(text)
    answer: dict[str, Any] = json.loads(session.recv(timeout=30))
    return answer


def test_an_invalid_action_is_an_observation_with_its_error(session: ClientConnection) -> None:
    told(session, "reset", {"seed": SEED})
    for action in ({"hs_code": 85183019}, {"unknown": 1}, {}, {"flags": [["nested"]]}):
        answer = told(session, "step", action)
        assert answer["type"] == "observation"
        assert (answer["data"]["reward"], answer["data"]["done"]) == (0.0, False)
        assert set(answer["data"]["observation"]["error"]) == {"code", "field", "expected", "got"}
    assert told(session, "state")["data"]["step_count"] == 0
    assert told(session, "step", right_answer(start()))["data"]["reward"] == 0.9


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_an_invalid_action(session: ClientConnection, number: str) -> None:
    told(session, "reset", {"seed": SEED})
    answer = said(session, f'{{"type": "step", "data": {{"duty_amount_inr": {number}}}}}')
    assert answer["data"]["observation"]["error"]["field"] == "duty_amount_inr"


def test_a_step_before_reset_and_after_the_end_is_an_error_and_changes_nothing(session: ClientConnection) -> None:
    assert told(session, "step", FINAL["task3"])["type"] == "error"
    assert told(session, "state")["data"]["episode_id"] is None
    told(session, "reset", {"task_id": "task1", "seed": SEED, "episode_id": "one"})
    told(session, "step", FINAL["task1"])
    before = told(session, "state")["data"]
    assert told(session, "step", right_answer(start("task1")))["data"]["code"] == "EXECUTION_ERROR"
    assert told(session, "state")["data"] == before


def test_a_reset_that_cannot_be_used_names_the_known_arguments_and_keeps_the_episode(session: ClientConnection) -> None:
    told(session, "reset", {"seed": SEED, "episode_id": "kept"})
    answer = told(session, "reset", {"sed": 1})
    assert answer["type"] == "error"
    assert "task_id, seed, difficulty" in answer["data"]["message"]
    assert told(session, "state")["data"]["episode_id"] == "kept"


def test_a_session_plays_episode_after_episode(session: ClientConnection) -> None:
    for number in range(3):
        answer = told(session, "reset", {"task_id": "task3", "seed": SEED + number, "episode_id": f"e{number}"})
        assert answer["data"]["observation"]["episode_id"] == f"e{number}"
        told(session, "step", ASK)
        assert told(session, "state")["data"]["step_count"] == 1


def test_without_an_id_an_unguessable_one_is_issued(session: ClientConnection) -> None:
    ids = {told(session, "reset", {"seed": SEED})["data"]["observation"]["episode_id"] for _ in range(20)}
    assert len(ids) == 20 and all(len(issued) >= 24 for issued in ids)


@pytest.mark.parametrize(
    "text",
    [
        "[]", "7", '"reset"', "null", "{", "not json", "", '{"type": "dance"}', '{"type": 7}', '{"data": {}}', '{"type": "step"}',
        '{"type": "step", "data": []}', '{"type": "step", "data": {}, "extra": 1}', '{"type": "reset", "data": {"self": 1}}',
        '{"type": "reset", "data": {"task_id": "\\ud800"}}', "[" * 100_000, '{"type": "step", "data": {"a": ' + '{"a":' * 100 + "1" + "}" * 102,
        '{"type": "reset", "data": {"seed": 1, "x": "' + "y" * BODY_LIMIT_BYTES + '"}}', b'{"type": "reset"}',
    ],
)  # fmt: skip
def test_a_message_that_cannot_be_used_is_an_error_and_the_session_goes_on(
    session: ClientConnection, text: str | bytes
) -> None:
    told(session, "reset", {"task_id": "task1", "seed": SEED, "episode_id": "kept"})
    answer = said(session, text)
    assert answer["type"] == "error"
    assert len(json.dumps(answer)) < 2_000 and "Traceback" not in json.dumps(answer)
    assert told(session, "state")["data"]["episode_id"] == "kept"
    assert told(session, "step", right_answer(start("task1")))["data"]["reward"] == 0.9


def test_errors_repeat_at_most_a_hundred_characters_of_the_input(session: ClientConnection) -> None:
    long = "Z" * 5_000
    told(session, "reset", {"seed": SEED})
    for text in (
        json.dumps({"type": long}),
        json.dumps({"type": "step", "data": long}),
        json.dumps({"type": "step", "data": {}, long: long}),
        json.dumps({"type": "reset", "data": {long: long}}),
        json.dumps({"type": "reset", "data": {"split": long}}),
        json.dumps({"type": "step", "data": {"recommendation": long}}),
        json.dumps({"type": "step", "data": {long: 1}}),
    ):
        assert "Z" * 101 not in json.dumps(said(session, text))


def test_a_fault_of_the_server_tells_nothing(session: ClientConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    told(session, "reset", {"seed": SEED})
    with monkeypatch.context() as broken:
        broken.setattr("customs_env.env.episode.grade", lambda *_: {}["a secret"])
        answer = told(session, "step", FINAL["task3"])
    assert answer["type"] == "error"
    assert "secret" not in json.dumps(answer) and "Traceback" not in json.dumps(answer)


def test_sessions_are_capped_with_a_clear_error() -> None:
    with running(Settings(max_sessions=1)) as server, server.session() as first:
        told(first, "reset", {"seed": SEED})
        with server.session() as second:
            assert json.loads(second.recv(timeout=30))["data"]["code"] == "CAPACITY_REACHED"
        assert told(first, "state")["data"]["step_count"] == 0


def test_mcp_answers_json_rpc_and_offers_no_tool_yet(live: Live) -> None:
    with live.client() as client:
        assert client.post("/mcp", json={}).json()["jsonrpc"] == "2.0"
        assert client.post("/mcp", content=b"[" * 100_000).json()["error"]["code"] == -32700
