"""Event logs in SQLite: they survive a restart, and several workers share them.

Every step is one transaction (BEGIN IMMEDIATE ... COMMIT), so that steps of one episode are ordered whichever
worker takes them. WAL with synchronous=NORMAL: a killed server loses nothing; a power cut may lose the last steps
but never damages the file.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from customs_env.errors import DataError
from customs_env.server.journals import Clock, Entry, Event, id_in_use, no_room
from customs_env.server.wire import json_bytes, json_value

SCHEMA_VERSION = 1
BUSY_MS = 5_000
SWEEP_S = 10.0
WAL_TRIES = 100

#: The counter is kept by triggers, so that the cap costs no scan and cannot drift from the rows.
SCHEMA = """
CREATE TABLE IF NOT EXISTS episodes (
    episode_id TEXT PRIMARY KEY,
    born TEXT NOT NULL,
    reset TEXT NOT NULL,
    versions TEXT NOT NULL,
    reset_request_id TEXT,
    length INTEGER NOT NULL DEFAULT 0,
    touched REAL NOT NULL,
    outcome TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS open_by_touched ON episodes (touched) WHERE outcome IS NULL;
CREATE INDEX IF NOT EXISTS finished_by_touched ON episodes (touched) WHERE outcome IS NOT NULL;
CREATE TABLE IF NOT EXISTS events (
    episode_id TEXT NOT NULL REFERENCES episodes ON DELETE CASCADE,
    position INTEGER NOT NULL,
    action TEXT,
    request_id TEXT,
    status INTEGER NOT NULL,
    body BLOB,
    PRIMARY KEY (episode_id, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO counters VALUES ('open', 0);
CREATE TRIGGER IF NOT EXISTS episode_opened AFTER INSERT ON episodes WHEN NEW.outcome IS NULL
    BEGIN UPDATE counters SET value = value + 1 WHERE name = 'open'; END;
CREATE TRIGGER IF NOT EXISTS episode_finished AFTER UPDATE OF outcome ON episodes
    WHEN OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
    BEGIN UPDATE counters SET value = value - 1 WHERE name = 'open'; END;
CREATE TRIGGER IF NOT EXISTS episode_dropped AFTER DELETE ON episodes WHEN OLD.outcome IS NULL
    BEGIN UPDATE counters SET value = value - 1 WHERE name = 'open'; END;
"""


class SqliteJournal:
    """Logs in a database file, opened when first used."""

    def __init__(self, path: str, clock: Clock, max_open: int, idle_s: float, keep_finished: int) -> None:
        self._path = path
        self._clock = clock
        self._max_open = max_open
        self._idle_s = idle_s
        self._keep_finished = keep_finished
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._swept = float("-inf")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold one transaction: committed at the end, rolled back by an exception."""
        with self._lock:
            database = self._database()
            database.execute("BEGIN IMMEDIATE")
            try:
                yield
                database.execute("COMMIT")
            except BaseException:  # also a cancelled task or Ctrl-C must not leave the transaction open; raised again
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold one snapshot."""
        with self._lock:
            database = self._database()
            database.execute("BEGIN")
            try:
                yield
            finally:
                database.execute("COMMIT")

    def add(self, entry: Entry) -> None:
        """Keep a new episode."""
        database = self._database()
        self._sweep()
        if self.open_count() >= self._max_open:
            self._sweep(at_once=True)
            if self.open_count() >= self._max_open:
                raise no_room(self._max_open)
        earlier = database.execute("SELECT touched FROM episodes WHERE episode_id = ?", (entry.episode_id,)).fetchone()
        if earlier is not None:
            if earlier[0] >= self._oldest():
                raise id_in_use(entry.episode_id)
            database.execute("DELETE FROM episodes WHERE episode_id = ?", (entry.episode_id,))
        database.execute(
            "INSERT INTO episodes (episode_id, born, reset, versions, touched, reset_request_id) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                entry.episode_id,
                entry.born,
                json_bytes(entry.reset).decode(),
                entry.versions,
                entry.touched,
                entry.reset_request_id,
            ),
        )

    def get(self, episode_id: str) -> Entry | None:
        """Return an episode, or None."""
        row = (
            self._database()
            .execute(
                "SELECT episode_id, born, reset, versions, touched, reset_request_id, length, outcome "
                "FROM episodes WHERE episode_id = ? AND touched >= ?",
                (episode_id, self._oldest()),
            )
            .fetchone()
        )
        if row is None:
            return None
        outcome = None if row[7] is None else json_value(row[7])
        return Entry(row[0], row[1], json_value(row[2]), row[3], row[4], row[5], row[6], outcome)

    def events(self, episode_id: str) -> list[Event]:
        """Return the log of an episode."""
        rows = self._database().execute(
            "SELECT action, request_id, status, body FROM events WHERE episode_id = ? ORDER BY position",
            (episode_id,),
        )
        return [Event(None if row[0] is None else json_value(row[0]), *row[1:]) for row in rows]

    def position(self, episode_id: str, request_id: str) -> int | None:
        """Return the place of an answered request."""
        row = (
            self._database()
            .execute(
                "SELECT position FROM events WHERE episode_id = ? AND request_id = ?",
                (episode_id, request_id),
            )
            .fetchone()
        )
        return None if row is None else int(row[0])

    def append(self, entry: Entry, event: Event, outcome: dict[str, Any] | None) -> None:
        """Add an event."""
        database = self._database()
        action = None if event.action is None else json_bytes(event.action).decode()
        database.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
            (entry.episode_id, entry.length, action, event.request_id, event.status, event.body),
        )
        entry.length += 1
        entry.touched = self._clock()
        entry.outcome = outcome
        database.execute(
            "UPDATE episodes SET length = ?, touched = ?, outcome = ? WHERE episode_id = ?",
            (
                entry.length,
                entry.touched,
                None if outcome is None else json_bytes(outcome).decode(),
                entry.episode_id,
            ),
        )

    def open_ids(self, limit: int) -> list[str]:
        """Return ids of open episodes."""
        rows = self._database().execute(
            "SELECT episode_id FROM episodes WHERE outcome IS NULL AND touched >= ? LIMIT ?",
            (self._oldest(), limit),
        )
        return [row[0] for row in rows]

    def open_count(self) -> int:
        """Return the number of open episodes, those included that expired since the last sweep."""
        return int(self._database().execute("SELECT value FROM counters WHERE name = 'open'").fetchone()[0])

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _oldest(self) -> float:
        return self._clock() - self._idle_s

    def _sweep(self, at_once: bool = False) -> None:
        """Drop what expired, and finished episodes beyond those to be kept; not oftener than every SWEEP_S."""
        now = self._clock()
        if now - self._swept < SWEEP_S and not at_once:
            return
        self._swept = now
        database = self._database()
        database.execute("DELETE FROM episodes WHERE touched < ? AND outcome IS NULL", (self._oldest(),))
        database.execute("DELETE FROM episodes WHERE touched < ? AND outcome IS NOT NULL", (self._oldest(),))
        database.execute(
            "DELETE FROM episodes WHERE episode_id IN (SELECT episode_id FROM episodes WHERE outcome IS NOT NULL "
            "ORDER BY touched DESC LIMIT -1 OFFSET ?)",
            (self._keep_finished,),
        )

    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        database: sqlite3.Connection | None = None
        try:
            Path(self._path).parent.mkdir(parents=True, exist_ok=True)
            # The lock orders the threads of this process; SQLite orders the processes
            database = sqlite3.connect(
                self._path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
            )
            self._prepare(database)
        except (OSError, sqlite3.Error, DataError) as error:
            if database is not None:
                database.close()
            raise DataError(f"{self._path} cannot be used as the store of episodes: {error}") from error
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        _switch_to_wal(database)
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA foreign_keys = ON")
        found = database.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, SCHEMA_VERSION):
            raise DataError(f"it is of form {found}, this server reads form {SCHEMA_VERSION}: use another file")
        database.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


def _switch_to_wal(database: sqlite3.Connection) -> None:
    """Switch to WAL. Of workers that start at once, one does it; SQLite does not let the others wait for it."""
    for _ in range(WAL_TRIES - 1):
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            time.sleep(BUSY_MS / 1000 / WAL_TRIES)
        else:
            return
    database.execute("PRAGMA journal_mode = WAL")
