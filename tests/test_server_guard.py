"""What stands before every route: sizes, origins, JSON that OpenEnv would fail on, sockets that stay open."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from episodes import ASK, FINAL, right_answer, start
from live_server import Live, opened, running, stepped, told
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from customs_env.errors import InputError, shown
from customs_env.server.routes import MAX_ACTION_JSON
from customs_env.server.settings import BODY_LIMIT_BYTES, Settings

SEED = 1_000_001
FOREIGN = "https://elsewhere.example"


# -- bodies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/grader", "/state", "/"])
def test_no_method_has_a_body_beyond_the_limit(client: httpx.Client, method: str, path: str) -> None:
    part = b" " * 50_000
    content = iter([part] * (BODY_LIMIT_BYTES // len(part) + 1))
    assert client.request(method, path, content=content).status_code == 413
    assert client.request(method, path, content=b" " * 10).status_code != 413


def test_a_head_request_has_no_body_beyond_the_limit_either(client: httpx.Client) -> None:
    assert client.request("HEAD", "/grader", content=b" " * (BODY_LIMIT_BYTES + 1)).status_code == 413


@pytest.mark.parametrize("path", ["tasks", "num_tasks", "task", "task_range"])
@pytest.mark.parametrize(
    "body",
    [b'{"split": "\\ud800"}', b'{"\\ud800": 1, "split": "test"}', b'{"split": %s}' % (b"9" * 5_000), b"[" * 200_000],
)
def test_json_that_cannot_be_sent_back_is_422_on_openenvs_routes(client: httpx.Client, path: str, body: bytes) -> None:
    answer = client.post(f"/customs_env/{path}", content=body)
    assert (answer.status_code, set(answer.json())) == (422, {"code", "field", "expected", "got"})


def rpc(method: Any, **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, **more}).encode()


@pytest.mark.parametrize("session_id", [{}, {"a": 1}, [], ["x"], 7, True, 0])
@pytest.mark.parametrize("method", ["tools/list", "openenv/session/close"])
def test_a_session_id_of_another_type_is_a_json_rpc_error(client: httpx.Client, method: str, session_id: Any) -> None:
    answer = client.post("/mcp", content=rpc(method, params={"session_id": session_id}))
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (200, -32602, 1)


@pytest.mark.parametrize("body", [b'{"method": "\\ud800"}', b'{"a": "\\udfff"}', b"{", b"\xff", b'{"id": NaN}'])
def test_mcp_answers_what_is_no_json_with_a_parse_error(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/mcp", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32700)


def test_mcp_repeats_at_most_a_hundred_characters(client: httpx.Client, live: Live) -> None:
    long = "Z" * 5_000
    with connect(live.url.replace("http", "ws") + "/mcp", proxy=None) as session:
        for body in (
            rpc(long),
            rpc({long: long}),
            rpc("tools/call", params={"name": long, "session_id": long}),
            rpc("openenv/session/close", params={"session_id": long}),
        ):
            answer = client.post("/mcp", content=body)
            assert answer.status_code == 200 and answer.json()["error"]["message"]
            session.send(body.decode())
            for text in (answer.text, str(session.recv(timeout=30))):
                assert json.loads(text)["jsonrpc"] == "2.0" and "Z" * 101 not in text


def test_no_message_over_a_socket_is_answered_by_more_than_it_may_repeat(live: Any) -> None:
    """OpenEnv repeats what it does not know: a method, and an error for each field."""
    unknown = {f"field {number:040}": 1 for number in range(4_000)}
    long = {"jsonrpc": "2.0", "method": "Z" * 100_000, "id": 1}
    with connect(live.url.replace("http", "ws") + "/ws", proxy=None) as session:
        for message in (
            {"type": "mcp", "data": unknown},
            {"type": "mcp", "data": long},
            {"type": "mcp", "data": {**long, "method": {"zz": "Z" * 1000}}},
            {"type": "reset", "data": {}, **unknown},
            {"type": "step", "data": unknown},
            {"type": "nothing", **unknown},
        ):
            session.send(json.dumps(message))
            text = str(session.recv(timeout=30))
            assert json.loads(text)["type"] in ("mcp", "error")
            assert len(text) < 16_000 and "Z" * 101 not in text and "pydantic" not in text, message["type"]


@pytest.mark.parametrize(
    "host", ["[::1].evil.com", "localhost:8000@evil.com", "localhost@evil.com", "[::1]x", "127.0.0.1.evil.com", "a]b"]
)
def test_a_host_that_only_looks_like_this_machine_is_foreign(client: httpx.Client, host: str) -> None:
    answer = client.post("/reset", headers={"Host": host}, json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_host")


def test_the_first_of_two_origins_counts_too(client: httpx.Client) -> None:
    here = f"{client.base_url.host}:{client.base_url.port}"
    headers = [("Host", here), ("Origin", "https://evil.example"), ("Origin", f"http://{here}")]
    answer = client.post("/reset", headers=headers, json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")


def test_an_errors_own_text_can_be_sent() -> None:
    assert shown("a\ud800é") == "a?é"
    assert InputError("invalid", "field", "text", "\udfff").to_dict()["got"] == "?"


def test_an_action_that_is_large_is_refused_and_counts_as_no_rejection(client: httpx.Client) -> None:
    mine = opened(client, seed=SEED)["episode_id"]
    answer = stepped(client, {**FINAL["task3"], "flags": ["é" * 200] * 64}, episode_id=mine)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "too_long", "action")
    assert client.get("/state", params={"episode_id": mine}).json()["rejections"] == 0
    assert stepped(client, {**ASK, "metadata": {}}, episode_id=mine).status_code == 200
    assert len(json.dumps(right_answer(start()))) < MAX_ACTION_JSON / 10


# -- ids --------------------------------------------------------------------------------------------------------------


def test_an_id_that_cannot_be_used_is_never_passed_over_for_the_only_open_episode() -> None:
    with running() as server, server.client() as client:
        theirs = opened(client, seed=SEED)["episode_id"]
        for query, headers in (
            ("?episode_id=", {}),
            ("?episode_id", {}),
            ("?episode_id=&other=1", {}),
            ("", {"X-Episode-Id": ""}),
            ("", {"Cookie": "episode_id="}),
            ("", {"Cookie": 'a[b]=1; episode_id=""'}),
            ("", {"Cookie": "episode_id=%00"}),
        ):
            for answer in (
                client.get("/state" + query, headers=headers),
                client.post("/step" + query, headers=headers, json={"action": FINAL["task3"]}),
            ):
                assert (answer.status_code, answer.json()["field"]) == (422, "episode_id"), (query, headers)
        for cookie in ("a[b]=1; episode_id=mine", "x y z; \x80=1;episode_id=mine", 'episode_id="mine"'):
            answer = client.post("/step", headers={"Cookie": cookie.encode("latin-1")}, json={"action": ASK})
            assert answer.json()["code"] == "unknown_episode"
        assert client.get("/state", headers={"Cookie": f"a[b]=1; episode_id={theirs}"}).json()["step_count"] == 0


def test_a_request_id_needs_the_episodes_id() -> None:
    with running() as server, server.client() as client:
        mine = opened(client, seed=SEED)["episode_id"]
        answer = stepped(client, ASK, request_id="r1")
        assert (answer.status_code, answer.json()["code"]) == (422, "missing_field")
        assert stepped(client, ASK, request_id="r1", episode_id=mine).status_code == 200


# -- where requests come from -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [FOREIGN, "null", "http://localhost:1", "http://[", "file://", "ftp://{host}"])
def test_a_page_of_another_host_is_refused(client: httpx.Client, live: Live, origin: str) -> None:
    origin = origin.format(host=live.url.removeprefix("http://"))
    before = live.store.journal.open_count()
    for path in ("/reset", "/step"):
        answer = client.post(path, json={}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert live.store.journal.open_count() == before
    for path in ("/ws", "/mcp"):
        with pytest.raises(InvalidStatus) as refused:
            connect(live.url.replace("http", "ws") + path, proxy=None, additional_headers={"Origin": origin})
        assert refused.value.response.status_code == 403
    assert client.get("/tasks", headers={"Origin": origin}).status_code == 200


def test_the_servers_own_pages_and_listed_ones_may_play() -> None:
    listed = Settings.from_environment(
        {"CUSTOMS_ENV_ALLOWED_ORIGINS": f" {FOREIGN}/ , http://other:81, https://play.example:8443"}
    )
    with running(listed) as server, server.client() as client:
        for origin in (server.url, FOREIGN, FOREIGN.upper(), "http://other:81"):
            assert client.post("/reset", json={"seed": SEED}, headers={"Origin": origin}).status_code == 200
            address = server.url.replace("http", "ws") + "/ws"
            with connect(address, proxy=None, additional_headers={"Origin": origin}) as session:
                assert told(session, "reset", {"seed": SEED})["type"] == "observation"
        assert client.post("/reset", json={}, headers={"Origin": "http://other"}).status_code == 403
        https = {"Origin": "https://play.example", "Host": "play.example:443"}
        assert client.post("/reset", json={}, headers=https).status_code == 200


def test_a_name_that_points_to_this_machine_is_not_its_own(client: httpx.Client, live: Live) -> None:
    port = live.url.rpartition(":")[2]
    for host in (f"elsewhere.example:{port}", "127.0.0.1.elsewhere.example", "localhost.elsewhere.example", "10.0.0.1"):
        headers = {"Host": host, "Origin": f"http://{host}"}
        for answer in (client.get("/state", headers=headers), client.post("/reset", json={}, headers=headers)):
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_host")
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST", "127.0.0.2"):
        assert client.get("/health", headers={"Host": host}).status_code == 200


# -- sockets ----------------------------------------------------------------------------------------------------------


def test_a_number_of_thousands_of_digits_ends_no_session(live: Live) -> None:
    with live.session() as session:
        told(session, "reset", {"seed": SEED, "episode_id": "kept"})
        for kind in ("step", "reset"):
            session.send(f'{{"type": "{kind}", "data": {{"seed": {"9" * 5_000}}}}}')
            assert json.loads(session.recv(timeout=30))["data"]["code"] == "INVALID_JSON"
        assert told(session, "state")["data"]["episode_id"] == "kept"
        assert told(session, "step", right_answer(start()))["data"]["reward"] == 0.9


def test_a_reset_argument_named_self_is_refused_like_any_other(live: Live) -> None:
    with live.session() as session:
        message = told(session, "reset", {"self": 1})["data"]["message"]
        assert message.startswith("self: expected one of task_id, seed")


def test_open_sockets_are_counted_whatever_they_do_and_give_their_places_back() -> None:
    with running(Settings(max_sessions=2)) as server:
        address = server.url.replace("http", "ws")
        with server.session(), connect(address + "/mcp", proxy=None):
            with server.session() as third:
                assert json.loads(third.recv(timeout=30))["data"]["code"] == "CAPACITY_REACHED"
                with pytest.raises(ConnectionClosed):
                    third.recv(timeout=30)
            with connect(address + "/mcp", proxy=None) as fourth:
                assert "CAPACITY_REACHED" in json.loads(fourth.recv(timeout=30))["error"]["message"]
        # The server notices a closed socket in its own time; until then a new one is told so and closed.
        deadline = monotonic() + 30
        while monotonic() < deadline:
            with suppress(ConnectionClosed), server.session() as later:
                if told(later, "reset", {"seed": SEED})["type"] == "observation":
                    break
        else:
            pytest.fail("the places stay taken")


def test_an_idle_socket_is_closed() -> None:
    with running(Settings(idle_s=0.2)) as server, server.session() as session:
        assert told(session, "reset", {"seed": SEED})["type"] == "observation"
        assert json.loads(session.recv(timeout=30))["data"]["code"] == "IDLE_TIMEOUT"
        with pytest.raises(ConnectionClosed):
            session.recv(timeout=30)


# -- the store's file -------------------------------------------------------------------------------------------------


def test_a_store_that_another_program_holds_is_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("customs_env.server.sqlite_journal.BUSY_MS", 50)
    path = tmp_path / "episodes.db"
    with running(Settings(store=f"sqlite:///{path}")) as server, server.client() as client:
        mine = opened(client, seed=SEED)["episode_id"]
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for answer in (client.post("/reset", json={"seed": SEED}), stepped(client, ASK, episode_id=mine)):
            assert (answer.status_code, answer.json()["code"]) == (503, "store_busy")
            assert int(answer.headers["retry-after"]) > 0
        other.execute("ROLLBACK")
        other.close()
        assert stepped(client, ASK, episode_id=mine).json()["observation"]["step_index"] == 1
