"""The event logs: order, replay, restarts, several workers, limits - the same for both journals."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from episodes import ASK, FINAL, REVIEW, right_answer, start
from hypothesis import given
from hypothesis import strategies as st
from live_server import Clock
from stores import SEED, MakeStore, making, opened

from customs_env.env.episode import MAX_REJECTIONS
from customs_env.errors import DataError, InputError, ProtocolError
from customs_env.server.episodes import EpisodeStore, make_store
from customs_env.server.journals import EpisodeConflictError, Event
from customs_env.server.operators import operator_record
from customs_env.server.settings import Settings

BAD = {"flags": "no list"}


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[MakeStore]:
    with making(f"sqlite:///{tmp_path}/deeper/episodes.db") as made:
        yield made


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    with making("memory" if request.param == "memory" else f"sqlite:///{tmp_path}/episodes.db") as made:
        yield made


def shown(answer: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(answer.body)
    return value


# -- the log is the episode -------------------------------------------------------------------------------------------


ACTIONS = st.lists(
    st.sampled_from([ASK, REVIEW, BAD, FINAL["task3"], {**FINAL["task3"], "flags": ["a", "a"]}]), max_size=14
)


@given(actions=ACTIONS, live_limit=st.sampled_from([0, 1_000]), kind=st.sampled_from(["memory", "sqlite"]))
def test_any_play_through_a_store_equals_the_engine(
    tmp_path_factory: pytest.TempPathFactory, actions: list[dict[str, Any]], live_limit: int, kind: str
) -> None:
    where = "memory" if kind == "memory" else f"sqlite:///{tmp_path_factory.mktemp('store')}/episodes.db"
    with closing(make_store(Settings(store=where), Clock())) as store:
        store._live_limit = live_limit  # 0: every step replays its log
        _play_and_compare(store, actions)


def _play_and_compare(store: EpisodeStore, actions: list[dict[str, Any]]) -> None:
    engine = start()
    mine = store.reset({"task_id": "task3", "seed": SEED}, "episode-1").episode_id
    for action in actions:
        if engine.done:
            with pytest.raises(ProtocolError):
                store.step(mine, action)
            continue
        expected = engine.step(action)
        answer = store.step(mine, action)
        if expected.error is not None and not expected.done:
            assert (answer.status, shown(answer)) == (422, dict(expected.error))
        else:
            assert answer.status == 200
            assert shown(answer)["observation"] == {**json.loads(json.dumps(expected.to_dict())), "metadata": {}}
            assert (shown(answer)["reward"], shown(answer)["done"]) == (expected.reward, expected.done)
        state = store.state(mine)
        assert (state["step_count"], state["rejections"], state["done"]) == (
            engine.step_index,
            engine.rejections,
            engine.done,
        )


def test_a_rejected_action_is_not_kept_but_counted(make: MakeStore) -> None:
    store = make()
    mine = opened(store)
    store.step(mine, {"flags": "x" * 10_000})
    store.step(mine, ASK)
    store.step(mine, FINAL["task3"])
    events = store.finished(mine).events
    assert [event.action for event in events] == [None, ASK, FINAL["task3"]]
    assert events[0].body is None


def test_metadata_and_drawn_seeds_are_in_the_log_as_they_have_to_be(make: MakeStore) -> None:
    store = make()
    mine = store.reset({"task_id": "task1"}).episode_id
    store.step(mine, FINAL["task1"])
    entry = store.finished(mine)
    assert isinstance(entry.reset["seed"], int) and entry.reset["canonical"] is False


def test_a_step_that_fails_leaves_no_trace(make: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make()
    mine = opened(store)
    store.step(mine, ASK)
    with monkeypatch.context() as broken:
        broken.setattr("customs_env.env.episode.grade", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.step(mine, FINAL["task3"], "r1")
    assert store.state(mine)["step_count"] == 1
    assert shown(store.step(mine, right_answer(start()), "r1"))["reward"] == 0.9


def test_a_transaction_that_fails_is_undone(sqlite_store: MakeStore) -> None:
    store = sqlite_store()
    mine = opened(store)
    journal = store.journal
    with suppress(ZeroDivisionError), journal.writing():
        entry = journal.get(mine)
        assert entry is not None
        journal.append(entry, Event(ASK), None)
        raise ZeroDivisionError
    assert sqlite_store().state(mine)["step_count"] == 0
    store.step(mine, ASK)
    assert sqlite_store().state(mine)["step_count"] == 1


def test_a_reset_that_cannot_be_used_opens_nothing(make: MakeStore) -> None:
    store = make()
    with pytest.raises(InputError):
        store.reset({"sed": 1})
    assert store.journal.open_count() == 0


# -- order ------------------------------------------------------------------------------------------------------------


def test_of_many_final_submissions_at_once_exactly_one_is_graded(make: MakeStore) -> None:
    store = make()
    for _ in range(10):
        mine = opened(store)
        at_once = threading.Barrier(8)

        def submit(known: str = mine, gate: threading.Barrier = at_once) -> str:
            gate.wait(30)
            try:
                return str(store.step(known, FINAL["task3"]).status)
            except EpisodeConflictError as error:
                return error.code

        with ThreadPoolExecutor(8) as pool:
            answers = [future.result() for future in [pool.submit(submit) for _ in range(8)]]
        assert sorted(answers) == ["200"] + ["episode_over"] * 7


def test_of_many_workers_that_step_one_episode_at_once_exactly_one_ends_it(sqlite_store: MakeStore) -> None:
    workers = [sqlite_store() for _ in range(4)]
    for round_ in range(10):
        mine = opened(workers[0], seed=SEED + round_)
        at_once = threading.Barrier(len(workers))

        def submit(worker: EpisodeStore, known: str = mine, gate: threading.Barrier = at_once) -> str:
            gate.wait(30)
            try:
                worker.step(known, ASK)
                return str(worker.step(known, FINAL["task3"]).status)
            except EpisodeConflictError as error:
                return error.code

        with ThreadPoolExecutor(len(workers)) as pool:
            answers = sorted(pool.map(submit, workers))
        # Three requests end it too: then none submitted in time
        assert answers in (["200"] + ["episode_over"] * 3, ["episode_over"] * 4)
        assert len({worker.finished(mine).length for worker in workers}) == 1


def test_a_request_sent_twice_at_once_counts_once(make: MakeStore) -> None:
    store = make()
    mine = opened(store)
    at_once = threading.Barrier(8)

    def ask(_: int) -> bytes:
        at_once.wait(30)
        return store.step(mine, ASK, "the same").body

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
    assert store.state(mine)["step_count"] == 1


# -- restarts and workers ---------------------------------------------------------------------------------------------


def test_two_workers_over_one_file_play_one_episode_in_turns(sqlite_store: MakeStore) -> None:
    one, other = sqlite_store(), sqlite_store()
    mine = opened(one)
    one.step(mine, BAD, "bad")
    other.step(mine, ASK, "ask")
    assert one.state(mine)["step_count"] == other.state(mine)["step_count"] == 1
    assert one.step(mine, ASK, "ask") == other.step(mine, ASK, "ask")
    assert one.step(mine, BAD, "bad").status == other.step(mine, BAD, "bad").status == 422
    assert shown(one.step(mine, right_answer(start())))["reward"] == 0.9
    with pytest.raises(EpisodeConflictError, match="over"):
        other.step(mine, FINAL["task3"])
    assert one.finished(mine) == other.finished(mine)


def test_an_id_that_is_used_again_does_not_meet_its_old_episode(sqlite_store: MakeStore) -> None:
    """The other worker still has the old one at hand, at the same length of log."""
    clock = Clock()
    one, other = sqlite_store(clock, idle_s=60), sqlite_store(clock, idle_s=60)
    other.reset({"task_id": "task3", "seed": SEED}, "mine")
    clock.now += 61
    one.reset({"task_id": "task2", "seed": SEED + 1}, "mine")
    assert other.state("mine")["task_id"] == "task2"


def test_an_episode_goes_on_after_a_restart(sqlite_store: MakeStore) -> None:
    before = sqlite_store()
    mine = opened(before)
    for _ in range(MAX_REJECTIONS - 2):
        before.step(mine, BAD)
    answer = before.step(mine, ASK, "r1")
    before.close()
    after = sqlite_store()
    assert after.step(mine, ASK, "r1") == answer
    assert after.state(mine)["rejections"] == MAX_REJECTIONS - 2
    assert after.step(mine, BAD).status == 422
    assert shown(after.step(mine, BAD))["done"] is True


def test_a_log_of_other_versions_is_not_replayed(sqlite_store: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = sqlite_store()
    mine = opened(store)
    store.close()
    monkeypatch.setattr("customs_env.server.play.TRUTH_VERSION", 0)
    with pytest.raises(EpisodeConflictError, match="another version") as conflict:
        sqlite_store().step(mine, ASK)
    assert conflict.value.code == "other_version"


def test_a_log_of_another_key_of_the_test_split_is_not_replayed_nor_its_answer_told(
    sqlite_store: MakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUSTOMS_ENV_SPLIT_KEY", "one key of the operator")
    reset = {"task_id": "task2", "split": "test", "index": 7}
    store = sqlite_store()
    store.reset(reset, "theirs", "r0")
    store.reset({**reset, "split": "train"}, "public")
    store.reset(reset, "finished")
    store.step("finished", FINAL["task2"], "r1")
    truth = operator_record(store.finished("finished"))["truth"]
    assert truth is not None
    store.close()

    monkeypatch.setenv("CUSTOMS_ENV_SPLIT_KEY", "two key of the operator")
    store = sqlite_store()
    for again in (
        lambda: store.step("theirs", FINAL["task2"]),
        lambda: store.reset(reset, "theirs", "r0"),
        lambda: store.step("finished", FINAL["task2"], "r1"),
    ):
        with pytest.raises(EpisodeConflictError, match="another key") as conflict:
            again()
        assert conflict.value.code == "other_version"
    assert operator_record(store.finished("finished"))["truth"] is None
    assert store.step("public", FINAL["task2"]).status == 200

    monkeypatch.setenv("CUSTOMS_ENV_SPLIT_KEY", "one key of the operator")
    assert store.step("theirs", FINAL["task2"]).status == 200
    assert operator_record(store.finished("finished"))["truth"] == truth


def test_a_file_that_is_no_store_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, not a database, however long they may be" * 100)
    with making(f"sqlite:///{path}") as made, pytest.raises(DataError, match=r"notes\.txt"):
        made().reset({})


def test_a_store_of_another_form_is_refused(sqlite_store: MakeStore, tmp_path: Path) -> None:
    sqlite_store().reset({})
    with closing(sqlite3.connect(tmp_path / "deeper/episodes.db")) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(DataError, match="form 99"):
        sqlite_store().reset({})
