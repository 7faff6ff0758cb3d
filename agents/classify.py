"""A guess at the tariff item: open the likely heading, take the line whose words fit the goods best."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from customs_env.agents.headings import likely_headings
from customs_env.agents.papers import Papers
from customs_env.agents.reading import singular, words

#: Where no word is known: machinery not elsewhere specified.
FALLBACK_HEADING = "8479"

_EMPTY_TEXT = "of the and or with for in a an to than by not other others whether kind used"
_EMPTY_WORDS = frozenset(_EMPTY_TEXT.split())


def _stems(text: Any) -> set[str]:
    """Return the meaning words of a text, plurals folded."""
    return set(map(singular, words(text).split())) - _EMPTY_WORDS


def goods_texts(papers: Papers, place: int) -> list[str]:
    """Return what the papers say about the goods of one line, the revealed description first."""
    lines = list(papers.details.get("lines") or ())
    texts: list[str] = []
    if place < len(lines):
        texts.append(str(lines[place].get("description") or ""))
        texts += [str(value) for value in (lines[place].get("particulars") or {}).values()]
    if place < len(papers.invoice_lines):
        line = papers.invoice_lines[place]
        texts.append(str(line.get("description") or ""))
        texts.append(str(papers.packed_line(line, place).get("description") or ""))
    return [text for text in texts if text]


def heading_guesses(papers: Papers, place: int = 0) -> list[str]:
    """Return headings to open, the likeliest first; never empty."""
    texts = " ; ".join(goods_texts(papers, place))
    named = likely_headings(texts)
    rule = papers.qualifiers(papers.invoice_lines[place], place) if place < len(papers.invoice_lines) else {}
    named += likely_headings(" ; ".join(map(str, rule.get("goods_names") or ())))
    return list(dict.fromkeys(named)) or [FALLBACK_HEADING]


def _rows(schedule: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for row in schedule.get("items") or () if isinstance(row, Mapping)]


def best_item(schedule: Mapping[str, Any], texts: Iterable[str]) -> str | None:
    """Return the item of a schedule page whose description shares the most telling words with the texts."""
    rows = _rows(schedule)
    goods = set().union(*map(_stems, texts))
    lines = [_stems(row.get("description")) for row in rows]
    commonness = Counter(word for line in lines for word in line)

    def fit(place: int) -> tuple[float, str]:
        line = lines[place]
        telling = {word: math.log(1 + len(rows) / commonness[word]) for word in line}
        gained = sum(telling[word] for word in line & goods)
        missed = sum(telling[word] for word in line - goods)
        return (-(gained - 0.3 * missed), str(rows[place].get("tariff_item")))

    return min(map(fit, range(len(rows))))[1] if rows else None
