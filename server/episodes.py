"""HTTP episodes as event logs.

An episode is its reset arguments and its events. A step replays the log on a fresh episode, applies the action and
appends it, in one transaction; a played episode is kept at hand, and used again where its length shows that nobody
else has stepped it in between.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from customs_env.errors import shown
from customs_env.server.journals import Clock, Entry, EpisodeConflictError, Event, Journal, MemoryJournal
from customs_env.server.play import Play, new_id, open_play, versions_text
from customs_env.server.settings import Settings
from customs_env.server.sqlite_journal import SqliteJournal
from customs_env.server.wire import Answer, input_refusal, observation_bytes

#: Played episodes at hand. Beyond them a step costs a replay, which is cheap; memory stays bounded.
LIVE_LIMIT = 256

#: What stands for a rejected action in a replay: no engine accepts it, and its place in the count is all that matters
_REJECTED: Mapping[str, Any] = {"rejected": None}


def check_versions(entry: Entry) -> None:
    """Raise EpisodeConflictError where another version, or another key of the test split, opened the episode.

    A log is replayed by what made it, or not at all: the same reset would be another file.
    """
    if entry.versions != versions_text(entry.reset):
        raise EpisodeConflictError(
            "other_version",
            "this episode was opened by another version of the environment, or under another key of the test split: "
            "POST /reset opens a new one",
        )


class EpisodeStore:
    """All HTTP episodes. Safe to call from several threads; with a shared journal also from several processes.

    Errors: InputError for reset arguments, EpisodeConflictError where no step is possible, CapacityError when full.
    """

    def __init__(self, journal: Journal, clock: Clock = time.time, live_limit: int = LIVE_LIMIT) -> None:
        self.journal = journal
        self._clock = clock
        self._live_limit = live_limit
        self._live: OrderedDict[str, tuple[str, int, Play]] = OrderedDict()

    def reset(
        self, arguments: Mapping[str, Any], episode_id: str | None = None, request_id: str | None = None
    ) -> Answer:
        """Open an episode and return its first observation.

        A reset that repeats the id and the request_id of an earlier one gets that one's answer.
        """
        play = open_play(arguments, episode_id or new_id())
        known_as = play.episode.episode_id
        entry = Entry(
            known_as, new_id(), dict(play.arguments), versions_text(play.arguments), self._clock(), request_id
        )
        body = observation_bytes(play.episode.observation())
        with self.journal.writing():
            earlier = self.journal.get(known_as) if episode_id and request_id else None
            if earlier is not None and earlier.reset_request_id == request_id:
                check_versions(earlier)
                again = open_play(earlier.reset, known_as)
                return Answer(200, observation_bytes(again.episode.observation()), known_as)
            self.journal.add(entry)
            self._keep(entry, play)
        return Answer(200, body, known_as)

    def step(self, episode_id: str, action: Mapping[str, Any], request_id: str | None = None) -> Answer:
        """Play one action: 200 with the observation, or 422 where the action is rejected and the episode goes on."""
        with self.journal.writing():
            entry = self._entry(episode_id)
            if request_id is not None:
                position = self.journal.position(episode_id, request_id)
                if position is not None:
                    return self._answer_again(entry, position)
            if entry.outcome is not None:
                raise EpisodeConflictError(
                    "episode_over", "this episode is over and was graded once: POST /reset opens another"
                )
            # Not at hand while it is played: should anything fail, the next step starts from the log
            play = self._taken(entry)
            observation = play.episode.step(action)
            error = observation.error
            if error is not None and not observation.done:
                answer = input_refusal(error, episode_id)
            else:
                answer = Answer(200, observation_bytes(observation), episode_id)
            event = Event(dict(action), request_id) if error is None else _rejection(answer, request_id)
            self.journal.append(entry, event, play.outcome() if observation.done else None)
        if not observation.done:
            self._keep(entry, play)
        return answer

    def state(self, episode_id: str) -> dict[str, Any]:
        """Return where an episode stands."""
        with self.journal.reading():
            entry = self._entry(episode_id)
            play = self._taken(entry)
            if entry.outcome is None:
                self._keep(entry, play)
        return play.state()

    def finished(self, episode_id: str) -> Entry:
        """Return a finished episode with its log and outcome; raise EpisodeConflictError while it is open."""
        with self.journal.reading():
            entry = self._entry(episode_id)
            if entry.outcome is None:
                raise EpisodeConflictError("episode_open", "this episode is not over: submit a final answer first")
            entry.events = self.journal.events(episode_id)
        return entry

    def only_open(self) -> str:
        """Return the id of the one open episode; raise EpisodeConflictError where there is none, or more than one."""
        with self.journal.reading():
            found = self.journal.open_ids(2)
        if len(found) == 1:
            return found[0]
        if not found:
            raise EpisodeConflictError("no_episode", "no episode is open: POST /reset first")
        raise EpisodeConflictError(
            "episode_id_needed",
            "several episodes are open: send the episode_id of yours (from /reset) in the body, as ?episode_id=, in "
            "the header X-Episode-Id, or as the cookie that /reset set",
        )

    def close(self) -> None:
        """Let go of the journal."""
        self._live.clear()
        self.journal.close()

    def _entry(self, episode_id: str) -> Entry:
        entry = self.journal.get(episode_id)
        if entry is None:
            raise EpisodeConflictError(
                "unknown_episode",
                f"no episode {shown(episode_id)!r} here: it was never reset, or expired; POST /reset first",
            )
        return entry

    def _taken(self, entry: Entry) -> Play:
        """Return the episode as its log says it stands, and take it out of those at hand."""
        born, length, play = self._live.pop(entry.episode_id, ("", 0, None))
        if play is not None and (born, length) == (entry.born, entry.length):
            return play
        return self._replayed(entry, self.journal.events(entry.episode_id))

    def _replayed(self, entry: Entry, events: list[Event]) -> Play:
        check_versions(entry)
        play = open_play(entry.reset, entry.episode_id)
        for event in events:
            play.episode.step(_REJECTED if event.action is None else event.action)
        return play

    def _answer_again(self, entry: Entry, position: int) -> Answer:
        """Return the answer that an event got: a rejection's as kept, an accepted action's by replay."""
        events = self.journal.events(entry.episode_id)
        event = events[position]
        if event.action is None:
            return Answer(event.status, event.body or b"{}", entry.episode_id)
        play = self._replayed(entry, events[:position])
        return Answer(200, observation_bytes(play.episode.step(event.action)), entry.episode_id)

    def _keep(self, entry: Entry, play: Play) -> None:
        self._live[entry.episode_id] = (entry.born, entry.length, play)
        if len(self._live) > self._live_limit:
            self._live.popitem(last=False)


def _rejection(answer: Answer, request_id: str | None) -> Event:
    """Return the event of a rejected action; its answer is kept only where it can be asked for again."""
    return Event(None, request_id, answer.status, answer.body if request_id is not None else None)


def make_store(settings: Settings, clock: Clock = time.time) -> EpisodeStore:
    """Return the store that the settings ask for."""
    path = settings.sqlite_path()
    limits = (clock, settings.max_episodes, settings.idle_s, settings.keep_finished)
    journal: Journal = MemoryJournal(*limits) if path is None else SqliteJournal(path, *limits)
    return EpisodeStore(journal, clock)
