"""What the splits keep apart: goods and wordings of `test` are never shown in `train`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from customs_env.generator.generate import generate
from customs_env.generator.groups import _listed, groups, measured
from customs_env.generator.stock import variants_of
from customs_env.goods import families, family
from customs_env.goods.family import DEGREES
from customs_env.goods.splits import SHARED_ITEMS, held_out_rows, part_of, rows_of
from customs_env.goods.wording import padded
from customs_env.scenarios.tasks import SPLITS

FILES = 1_500


def descriptions(
    split: str, task: str = "task1", level: str = "standard", count: int = FILES
) -> Iterator[tuple[Any, str]]:
    for seed in range(1_000_000, 1_000_000 + count):
        file = generate(task, seed, level, split)
        for paper in file.case.papers[:2]:
            for line in paper.get("lines", ()):
                yield file, line["description"]


def test_goods_of_test_are_never_those_of_train_or_validation() -> None:
    for goods in families().values():
        train = {row.tariff_item for row in rows_of(goods, "train")}
        assert train == {row.tariff_item for row in rows_of(goods, "validation")}
        test = {row.tariff_item for row in rows_of(goods, "test")}
        assert test == held_out_rows(goods) and not train & test
        assert train, f"{goods.name}: nothing is left to train on"
        assert train | test == {row.tariff_item for row in goods.rows}


def test_no_item_of_test_is_an_answer_in_train_of_whatever_family() -> None:
    shown = {
        split: {row.tariff_item for goods in families().values() for row in rows_of(goods, split)} for split in SPLITS
    }
    assert not shown["test"] & (shown["train"] | shown["validation"])


def test_the_items_of_two_families_are_listed() -> None:
    answering = Counter(item for goods in families().values() for item in {row.tariff_item for row in goods.rows})
    assert {item for item, count in answering.items() if count > 1} == SHARED_ITEMS


def test_drawn_goods_are_those_of_their_split() -> None:
    for split in SPLITS:
        for task in ("task1", "task3"):
            for seed in range(2_000_000, 2_000_400):
                (line,) = generate(task, seed, "standard", split).goods
                assert (line.row.tariff_item in held_out_rows(line.family)) == (split == "test")


@pytest.mark.parametrize("name", sorted(families()))
def test_every_degree_has_wordings_of_its_own_for_each_split(name: str) -> None:
    goods = family(name)
    for degree in DEGREES:
        parts = {split: set(part_of(goods.templates[degree], split)) for split in SPLITS}
        assert all(parts.values())
        assert len(goods.templates[degree]) >= 5
        assert not parts["train"] & parts["validation"] and not parts["test"] & (parts["train"] | parts["validation"])
        assert len(parts["train"]) >= 3
        folded = [
            padded(re.sub("%s", " slot ", template.pattern)) + str(template.slots)
            for template in goods.templates[degree]
        ]
        assert len(set(folded)) == len(folded), f"{degree}: two wordings differ in punctuation alone"


def test_no_wording_of_one_split_occurs_in_another() -> None:
    """Of the invoices, which always carry a wording; a packing list may give the bare name of the goods."""
    seen = {split: {padded(text) for _, text in descriptions(split)} for split in SPLITS}
    assert not seen["train"] & seen["validation"]
    assert not seen["train"] & seen["test"]
    assert not seen["validation"] & seen["test"]


@pytest.mark.parametrize("split", SPLITS)
def test_wordings_are_spelt_with_the_details_and_templates_of_their_split_alone(split: str) -> None:
    for goods in families().values():
        own = {part_of(words, split) for words in goods.details.values()}
        terms = {words for values in goods.vocabulary.values() for words in values.values()}
        for variant in variants_of(goods.name, split):
            for degree in DEGREES:
                patterns = {template.pattern for template in part_of(goods.templates[degree], split)}
                for wording in variant.wordings(degree):
                    assert wording.pattern in patterns
                    assert all(words in own or words in terms for words, _, _ in wording.choices), goods.name


def test_the_list_of_groups_is_that_of_the_families() -> None:
    assert _listed() == measured(), "run scripts/index_goods.py"


@pytest.mark.parametrize("split", SPLITS)
def test_every_goods_class_has_goods_in_every_split(split: str) -> None:
    found = groups(split)
    classes = {"general", "chemical", "controlled_chemical", "coloured_textile", "grey_textile"}
    assert set(found.by_class) == set(found.dutiable_by_class) == classes
    for group in (found.everything, *found.by_class.values(), *found.dutiable_by_class.values()):
        assert group.names and all(map(group.members, group.names))


@pytest.mark.slow
def test_20000_files_show_every_family_no_chapter_too_often_and_no_description_again_and_again() -> None:
    chapters: Counter[str] = Counter()
    names: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    for file, text in descriptions("train", count=20_000):
        chapters[file.goods[0].row.tariff_item[:2]] += 1
        names[file.goods[0].family.name] += 1
        texts[text] += 1
    assert set(names) == set(families())
    assert max(chapters.values()) <= 0.08 * 20_000
    assert max(texts.values()) <= 20_000 / 2_000
