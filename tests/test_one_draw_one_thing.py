"""All papers of a file speak of one consignment: the same term for each fact, the same details, whoever asks first."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from drawn_files import FLAG_LEVELS, many

from customs_env.goods import Family
from customs_env.goods.wording import padded
from customs_env.scenarios.record import LineGoods

MISMATCH = "goods_description_mismatch_invoice_vs_packing_list"


def stated_terms(family: Family, attribute: str, value: str, text: str) -> set[str]:
    """Return the longest terms of a value that a text states."""
    found = {term for term in family.padded_terms[attribute][value] if term in text}
    return {term for term in found if not any(term != other and term in other for other in found)}


def facts(goods: LineGoods) -> list[str]:
    """Return the attributes whose terms may differ in more than words."""
    return [name for name in goods.values if name != "article"]


@pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)
def test_papers_of_a_file_state_a_fact_in_the_same_term(task: str, level: str) -> None:
    for drawn in many(task, level):
        if MISMATCH in drawn.truth.flags:
            continue
        goods = drawn.file.goods[0]
        texts = [padded(drawn.papers[kind]["lines"][0]["description"]) for kind in ("invoice", "packing_list")]
        detailed = drawn.file.case.answers.get("detailed_goods_description")
        if detailed:
            texts.append(padded(detailed["lines"][0]["description"]))
        for name in facts(goods):
            said = [stated_terms(goods.family, name, goods.values[name], text) for text in texts]
            spoken = [terms for terms in said if terms]
            assert not spoken or set.intersection(*spoken), f"seed {drawn.seed}: {name}: {spoken}"


@pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)
def test_papers_of_a_file_never_give_two_brands_or_models(task: str, level: str) -> None:
    for drawn in many(task, level):
        if MISMATCH in drawn.truth.flags:
            continue
        family = drawn.file.goods[0].family
        texts = [padded(drawn.papers[kind]["lines"][0]["description"]) for kind in ("invoice", "packing_list")]
        for slot, words in family.details.items():
            said: list[set[str]] = []
            for text in texts:
                found = {word for word in map(padded, words) if word in text}
                said.append({word for word in found if not any(word != other and word in other for other in found)})
            spoken: list[Any] = [words for words in said if words]
            assert all(words == spoken[0] for words in spoken), f"seed {drawn.seed}: {slot}: {spoken}"


_TOGETHER = """
import hashlib, json, sys, threading
from customs_env.env.episode import Episode, resolve_request
from customs_env.generator.generate import generate

def digest(seeds):
    whole = hashlib.sha256()
    for seed in seeds:
        whole.update(json.dumps(generate("task2", seed, "easy").case.papers, sort_keys=True).encode())
    return whole.hexdigest()

seeds = range(1_000_000, 1_000_120)
if sys.argv[1] == "alone":
    print(digest(seeds))
else:
    found, gate = [], threading.Barrier(8)
    def play():
        gate.wait()
        found.append(digest(seeds))
    threads = [threading.Thread(target=play) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    print(*sorted(set(found)))
"""


def test_threads_that_ask_first_together_get_the_files_of_one_that_asks_alone() -> None:
    def run(how: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _TOGETHER, how], capture_output=True, text=True, check=True
        ).stdout.strip()

    assert {run("together") for _ in range(3)} == {run("alone")}
