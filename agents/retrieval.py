"""The retrieval agent: keyword search over the public tariff for the item, the rules agent for everything else.

No training and no truth: BM25 over the texts of the schedule, with their hierarchy. What it scores says how far a
search for words goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from customs_env.agents.base import Observation
from customs_env.agents.classify import goods_texts
from customs_env.agents.papers import Papers
from customs_env.agents.rules import RulesAgent
from customs_env.errors import InputError
from customs_env.tariff.loaded import LookupSchedule, lookup_schedule
from customs_env.tariff.nomenclature import nomenclature

#: What the score of an item's own line counts beside those of its subheading and its heading.
ITEM_WEIGHT, SUBHEADING_WEIGHT, HEADING_WEIGHT = 1.0, 0.7, 0.5


class TariffIndex:
    """BM25 over the lines of a schedule: items, subheadings and headings, each with the texts above it.

    Raises:
        InputError: bm25s or PyStemmer is not installed (the extra `retrieval`).
    """

    def __init__(self, schedule: LookupSchedule) -> None:
        try:
            import bm25s
            import Stemmer
        except ModuleNotFoundError as fault:
            raise InputError(
                "not_installed",
                "agent",
                "the extra `retrieval`: pip install 'customs-env[retrieval]'",
                f"no module {fault.name}",
            ) from fault
        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")
        texts = nomenclature()
        self.items = schedule.items()
        own = [schedule.text(code) for code in self.items]
        sixes = {six: place for place, six in enumerate(sorted({code[:6] for code in self.items}))}
        fours = {four: place for place, four in enumerate(sorted({code[:4] for code in self.items}))}
        self._six_of = [sixes[code[:6]] for code in self.items]
        self._four_of = [fours[code[:4]] for code in self.items]
        six_texts = [f"{schedule.text(six)} {texts.get(six, '')}" for six in sixes]
        four_texts = [f"{schedule.text(four)} {texts.get(four, '')}" for four in fours]
        below: list[list[str]] = [[] for _ in fours]
        for place, four in enumerate(self._four_of):
            below[four].append(own[place])
        self._levels = (
            (ITEM_WEIGHT, self._index([f"{text} {six_texts[s]}" for text, s in zip(own, self._six_of, strict=True)])),
            (SUBHEADING_WEIGHT, self._index(six_texts)),
            (HEADING_WEIGHT, self._index([f"{text} {' '.join(b)}" for text, b in zip(four_texts, below, strict=True)])),
        )

    def _tokens(self, texts: Sequence[str]) -> Any:
        return self._bm25s.tokenize(
            list(texts), stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )

    def _index(self, texts: Sequence[str]) -> Any:
        index = self._bm25s.BM25()
        index.index(self._tokens(texts), show_progress=False)
        return index

    def ranked(self, text: str, most: int = 10) -> list[str]:
        """Return the likeliest tariff items of a description, best first; ties in order of the code."""
        (tokens,) = self._tokens([text])
        if not tokens:
            return list(self.items[:most])
        (own_weight, own), (six_weight, six), (four_weight, four) = self._levels
        scores = own_weight * _shares(own.get_scores(tokens))
        scores = scores + six_weight * _shares(six.get_scores(tokens))[self._six_of]
        scores = scores + four_weight * _shares(four.get_scores(tokens))[self._four_of]
        order = sorted(range(len(self.items)), key=lambda place: (-scores[place], self.items[place]))
        return [self.items[place] for place in order[:most]]


def _shares(scores: Any) -> Any:
    """Return scores as shares of the best, so that the levels can be added."""
    best = scores.max()
    return scores / best if best > 0 else scores


def tariff_index() -> TariffIndex:
    """Return the index of the tariff in force in this process, built when it is first asked for."""
    return _index_of(lookup_schedule())


@lru_cache(maxsize=1)
def _index_of(schedule: LookupSchedule) -> TariffIndex:
    return TariffIndex(schedule)


def likeliest_item(observation: Observation) -> str:
    """Return the item that fits best what the papers say of the goods of the first line."""
    texts = dict.fromkeys(goods_texts(Papers.of(observation), 0))
    return tariff_index().ranked(" ; ".join(texts), 1)[0]


class RetrievalAgent(RulesAgent):
    """The rules agent with the tariff item of a keyword search."""

    name = "retrieval"

    def __init__(self) -> None:
        super().__init__(told_item=likeliest_item)
