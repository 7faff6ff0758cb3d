"""No code and no heading number stands in any text that goods are described with, in any split, spelt in any way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest

from customs_env.env.episode import Episode, resolve_request
from customs_env.generator.stock import Variant, Wording, variants_of
from customs_env.goods import families
from customs_env.goods.family import DEGREES
from customs_env.scenarios.tasks import SPLITS, TASKS
from customs_env.tariff.codes import LEVELS
from customs_env.tariff.nomenclature import nomenclature
from customs_env.tariff.schedule import load_schedule

ITEMS = frozenset(load_schedule().items())
#: Pairs of digits with single dots or blanks between them: how people write a code.
RUN = re.compile(r"(?<![0-9])(?<![0-9]\.)[0-9]{2}(?:[. ]?[0-9]{2}){1,3}(?![0-9])")
#: A chemical's registry number is no code, though its first part may have four digits.
REGISTRY_NUMBER = re.compile(r"CAS [0-9]{2,7}-[0-9]{2}-[0-9]")
#: IMP/2819/2025, HC-0457: numbers of papers, drawn without regard to the goods.
REFERENCE_NUMBER = re.compile(r"\b[A-Z][A-Z0-9]*(?:[/-][A-Z0-9]+)+\b")


def is_code(digits: str) -> bool:
    """Whether digits are a heading or subheading of HS 2022, or an item of the table."""
    if len(digits) not in LEVELS or len(digits) < 4:
        return False
    return digits in nomenclature() or digits in ITEMS or (len(digits) == 8 and digits[:6] in nomenclature())


def codes_in(text: str) -> list[str]:
    """The codes that a text spells, the registry numbers of chemicals aside."""
    runs = RUN.findall(REGISTRY_NUMBER.sub("", text))
    return [run for run in runs if is_code(re.sub("[. ]", "", run))]


def variants() -> Iterator[Variant]:
    for split in SPLITS:
        for name in families():
            yield from variants_of(name, split)


def wordings() -> Iterator[Wording]:
    for variant in variants():
        for degree in DEGREES:
            yield from variant.wordings(degree)


def words() -> set[str]:
    """Every word list's entries: terms, details, names of goods, answers to a request for more."""
    found: set[str] = set()
    for variant in variants():
        found.update(variant.article_terms, variant.names_in_capitals)
        for name, terms, _, _ in variant.facts:
            found.update(terms)
            found.add(name.replace("_", " "))
        for qualifier in variant.qualifiers:
            found.update(text for text in texts_of(qualifier))
    for wording in wordings():
        for choices, _, _ in wording.choices:
            found.update(choices)
    return found


def texts_of(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) or hasattr(value, "items"):
        for key, inner in value.items():
            yield from texts_of(key)
            yield from texts_of(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from texts_of(inner)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("smartphones 8517", ["8517"]),
        ("85.17 goods", ["85.17"]),
        ("goods of 8517.13.00", ["8517.13.00"]),
        ("8517 13 00 is one", ["8517 13 00"]),
        ("code 85171300", ["85171300"]),
        ("rated 2500 W, 99.95 percent, 114.3 mm", []),
        ("CAS 7719-09-7", []),
    ],
)
def test_the_scan_sees_codes_as_they_are_spelt(text: str, found: list[str]) -> None:
    assert codes_in(text) == found


def test_no_word_of_any_wording_spells_a_code() -> None:
    leaks = {word: codes for word in words() if (codes := codes_in(word))}
    assert not leaks


def test_no_pattern_spells_a_code() -> None:
    patterns = {wording.pattern for wording in wordings()}
    assert not {pattern: codes for pattern in patterns if (codes := codes_in(pattern.replace("%s", "goods")))}


def test_no_two_words_side_by_side_become_a_code() -> None:
    """Where nothing but a blank or a dot stands between two slots, the figures of their words could join."""
    seen: set[tuple[tuple[str, ...], str, tuple[str, ...]]] = set()
    for wording in wordings():
        between = wording.pattern.split("%s")[1:-1]
        for place, glue in enumerate(between):
            if glue not in ("", " ", "."):
                continue
            left, right = wording.choices[place][0], wording.choices[place + 1][0]
            if (left, glue, right) in seen:
                continue
            seen.add((left, glue, right))
            ends = [word for word in left if word[-1:].isdigit()]
            starts = [word for word in right if word[:1].isdigit()]
            joined = [f"{end}{glue}{start}" for end in ends for start in starts]
            assert not [text for text in joined if codes_in(text)], (left[:3], right[:3])
    assert seen


def test_no_pattern_sets_figures_beside_a_slot() -> None:
    for pattern in {wording.pattern for wording in wordings()}:
        assert not re.search(r"[0-9][. ]?%s|%s[. ]?[0-9]", pattern), pattern


@pytest.mark.parametrize("split", SPLITS)
def test_no_text_of_a_drawn_file_spells_the_heading_of_its_goods(split: str) -> None:
    """The rest of the papers too: marks, remarks, answers to every request. Reference numbers, drawn alone, may meet it."""
    for task in ("task1", "task3"):
        for index in range(300):
            episode = Episode(resolve_request(task_id=task, split=split, index=index, difficulty="standard"))
            heading = episode.truth.tariff_items[0][:4]
            seen = [episode.observation().to_dict()]
            asked = [field for field in TASKS[task].requestable if field != "duty_rate_schedule"]
            if asked:
                seen.append(episode.step({"step_kind": "request_information", "requested_fields": asked}).to_dict())
            for shown in seen:
                for text in texts_of({**shown, "decision_policy": None, "shared_parameters": None}):
                    found = [re.sub("[. ]", "", code) for code in codes_in(REFERENCE_NUMBER.sub("", text))]
                    assert not [code for code in found if code.startswith(heading)], (task, split, index, text)
