"""How many episodes a store holds, for how long, and that its count of them is right - the same for both journals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from episodes import ASK, FINAL, right_answer, start
from live_server import Clock
from stores import SEED, MakeStore, making, opened

from customs_env.errors import CapacityError
from customs_env.server.journals import EpisodeConflictError

BAD = {"flags": "no list"}


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    with making("memory" if request.param == "memory" else f"sqlite:///{tmp_path}/episodes.db") as made:
        yield made


def test_the_cap_counts_open_episodes_and_expiry_gives_places_back(make: MakeStore) -> None:
    clock = Clock()
    store = make(clock, max_episodes=3, idle_s=60)
    ids = [opened(store) for _ in range(3)]
    with pytest.raises(CapacityError, match="3 places"):
        opened(store)
    store.step(ids[0], FINAL["task3"])
    opened(store)
    clock.now += 40
    store.step(ids[1], ASK)
    clock.now += 40  # all but ids[1] are idle for more than 60 s
    assert [opened(store) for _ in range(2)]
    with pytest.raises(CapacityError):
        opened(store)
    assert store.state(ids[1])["step_count"] == 1
    with pytest.raises(EpisodeConflictError, match="expired"):
        store.state(ids[2])


def test_an_expired_id_may_be_used_again(make: MakeStore) -> None:
    clock = Clock()
    store = make(clock, idle_s=60)
    store.reset({"seed": SEED}, "mine")
    store.step("mine", ASK)
    clock.now += 61
    store.reset({"seed": SEED}, "mine")
    assert store.state("mine")["step_count"] == 0
    store.step("mine", BAD, "r1")
    store.step("mine", right_answer(start()))
    assert len(store.finished("mine").events) == 2  # and none of the old one's


def test_a_full_store_looks_for_expired_episodes_at_once(make: MakeStore) -> None:
    clock = Clock()
    store = make(clock, max_episodes=1, idle_s=2)
    for _ in range(3):
        opened(store)
        clock.now += 3  # sooner than SQLite sweeps of itself


def test_only_so_many_finished_episodes_are_kept(make: MakeStore) -> None:
    clock = Clock()
    store = make(clock, keep_finished=2)
    ids = []
    for _ in range(4):
        clock.now += 11  # SQLite sweeps every ten seconds
        ids.append(opened(store, task_id="task1"))
        store.step(ids[-1], FINAL["task1"])
    clock.now += 11
    opened(store)
    for known in ids[:2]:
        with pytest.raises(EpisodeConflictError):
            store.finished(known)
    assert [store.finished(known).episode_id for known in ids[2:]] == ids[2:]


def test_the_count_of_open_episodes_never_drifts(make: MakeStore) -> None:
    clock = Clock()
    store = make(clock, idle_s=60)
    for round_ in range(5):
        ids = [opened(store, task_id="task1") for _ in range(4)]
        for known in ids[: round_ % 4]:
            store.step(known, FINAL["task1"])
        assert store.journal.open_count() == 4 - round_ % 4
        clock.now += 61
        opened(store)
        assert store.journal.open_count() == 1
        clock.now += 61
        with pytest.raises(EpisodeConflictError):
            store.only_open()
        store.reset({}, f"r{round_}")
        store.step(f"r{round_}", FINAL["task3"])
        assert store.journal.open_count() == 0


def test_played_episodes_at_hand_are_bounded(make: MakeStore) -> None:
    store = make()
    store._live_limit = 5
    ids = [opened(store) for _ in range(20)]
    for known in ids:
        store.step(known, ASK)
    assert len(store._live) <= 5
    assert {store.state(known)["step_count"] for known in ids} == {1}
