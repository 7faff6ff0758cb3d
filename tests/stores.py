"""Stores for tests: of either kind, closed when done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from live_server import Clock

from customs_env.server.episodes import EpisodeStore, make_store
from customs_env.server.settings import Settings

SEED = 1_000_001

MakeStore = Callable[..., EpisodeStore]


@contextmanager
def making(where: str) -> Iterator[MakeStore]:
    """Give what makes stores at one place, and close them all in the end."""
    stores: list[EpisodeStore] = []

    def made(clock: Clock | None = None, **settings: Any) -> EpisodeStore:
        stores.append(make_store(Settings(store=where, **settings), clock or Clock()))
        return stores[-1]

    yield made
    for store in stores:
        store.close()


def opened(store: EpisodeStore, **arguments: Any) -> str:
    return store.reset({"seed": SEED, **arguments}).episode_id
