"""Where event logs are kept: the journal's interface, and the journal in memory.

A journal keeps, for each episode, its reset arguments and its events. It knows nothing of customs files. All calls
happen inside `writing()` or `reading()`, which order them; the owner is `EpisodeStore`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from customs_env.errors import CapacityError, ProtocolError, shown

Clock = Callable[[], float]


class EpisodeConflictError(ProtocolError):
    """A request that does not fit the episodes there are. `code` names why; nothing has changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a log: an accepted action, or a rejected one with the answer that it got.

    An accepted action's answer is found again by replay. A rejected one is not kept: it may be large, and all
    that it changed is the count of rejections.
    """

    action: dict[str, Any] | None
    request_id: str | None = None
    status: int = 200
    body: bytes | None = None


@dataclass(slots=True)
class Entry:
    """An episode as the journal knows it. `outcome` is null until the end; `length` counts its events.

    `born` differs between two episodes that had the same id, one after the other.
    """

    episode_id: str
    born: str
    reset: dict[str, Any]
    versions: str
    touched: float
    reset_request_id: str | None = None
    length: int = 0
    outcome: dict[str, Any] | None = None
    events: list[Event] = field(default_factory=list)


class Journal(Protocol):
    """What a store needs of the place where its logs are kept."""

    def writing(self) -> AbstractContextManager[None]:
        """Hold all that follows in one transaction; an exception undoes it."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Hold all that follows to one point in time."""
        ...

    def add(self, entry: Entry) -> None:
        """Keep a new episode; raise EpisodeConflictError for a known id, CapacityError where no place is left."""
        ...

    def get(self, episode_id: str) -> Entry | None:
        """Return an episode without its events, or None where it is unknown or expired."""
        ...

    def events(self, episode_id: str) -> list[Event]:
        """Return the log of an episode in order."""
        ...

    def position(self, episode_id: str, request_id: str) -> int | None:
        """Return the place in the log of a request that was answered before."""
        ...

    def append(self, entry: Entry, event: Event, outcome: dict[str, Any] | None) -> None:
        """Add an event, and the outcome where it ended the episode."""
        ...

    def open_ids(self, limit: int) -> list[str]:
        """Return the ids of open episodes, at most `limit`."""
        ...

    def open_count(self) -> int:
        """Return the number of open episodes."""
        ...

    def close(self) -> None:
        """Let go of files."""
        ...


def id_in_use(episode_id: str) -> EpisodeConflictError:
    """Return the conflict of a reset with an id that is known already."""
    return EpisodeConflictError(
        "id_in_use",
        f"episode_id {shown(episode_id)!r} is in use: reset with another id, or without one to be given one",
    )


def no_room(limit: int) -> CapacityError:
    """Return the error of a full store."""
    return CapacityError(
        f"all {limit} places for open episodes are taken: finish episodes that are open, or try again later"
    )


class MemoryJournal:
    """Logs in this process. They end with it."""

    def __init__(self, clock: Clock, max_open: int, idle_s: float, keep_finished: int) -> None:
        self._clock = clock
        self._max_open = max_open
        self._idle_s = idle_s
        self._keep_finished = keep_finished
        self._lock = threading.RLock()
        # Both in the order in which they were last touched: what expires stands in front
        self._open: OrderedDict[str, Entry] = OrderedDict()
        self._finished: OrderedDict[str, Entry] = OrderedDict()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock. Nothing has to be undone: the store writes last, and in one call."""
        with self._lock:
            yield

    reading = writing

    def add(self, entry: Entry) -> None:
        """Keep a new episode."""
        self._expire()
        if entry.episode_id in self._open or entry.episode_id in self._finished:
            raise id_in_use(entry.episode_id)
        if len(self._open) >= self._max_open:
            raise no_room(self._max_open)
        self._open[entry.episode_id] = entry

    def get(self, episode_id: str) -> Entry | None:
        """Return an episode, or None."""
        entry = self._open.get(episode_id) or self._finished.get(episode_id)
        if entry is None or entry.touched < self._clock() - self._idle_s:
            return None
        return entry

    def events(self, episode_id: str) -> list[Event]:
        """Return the log of an episode."""
        entry = self._open.get(episode_id) or self._finished[episode_id]
        return entry.events

    def position(self, episode_id: str, request_id: str) -> int | None:
        """Return the place of an answered request."""
        for position, event in enumerate(self.events(episode_id)):
            if event.request_id == request_id:
                return position
        return None

    def append(self, entry: Entry, event: Event, outcome: dict[str, Any] | None) -> None:
        """Add an event."""
        entry.events.append(event)
        entry.length += 1
        entry.touched = self._clock()
        if outcome is None:
            self._open.move_to_end(entry.episode_id)
            return
        entry.outcome = outcome
        self._finished[entry.episode_id] = self._open.pop(entry.episode_id)
        while len(self._finished) > self._keep_finished:
            self._finished.popitem(last=False)

    def open_ids(self, limit: int) -> list[str]:
        """Return ids of open episodes."""
        self._expire()
        return [episode_id for episode_id, _ in zip(self._open, range(limit), strict=False)]

    def open_count(self) -> int:
        """Return the number of open episodes."""
        self._expire()
        return len(self._open)

    def close(self) -> None:
        """Forget everything."""
        self._open.clear()
        self._finished.clear()

    def _expire(self) -> None:
        oldest = self._clock() - self._idle_s
        for entries in (self._open, self._finished):
            while entries:
                first = next(iter(entries.values()))
                if first.touched >= oldest:
                    break
                entries.popitem(last=False)
