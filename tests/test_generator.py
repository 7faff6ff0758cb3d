"""Files from seeds: what is planted is found, equal seeds give equal bytes, streams keep apart."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn_files import FLAG_LEVELS, LEVELS, Drawn, as_bytes, digest, draw, many, shown

import customs_env
import customs_env.generator.generate as generate_module
from customs_env.generator import variations as variations_module
from customs_env.generator.discrepancies import RECIPES, load_in
from customs_env.generator.draft import Draft, iso_day
from customs_env.generator.generate import generate
from customs_env.generator.plan import CLEAN
from customs_env.generator.trade import Trade, trade
from customs_env.generator.variations import VARIATIONS, Variation
from customs_env.scenarios.tasks import SPLITS
from customs_env.scenarios.truth import establish_truth, findings_of

STREAMS = (b"goods", b"parties", b"amounts", b"paperwork", b"discrepancies", b"variations")

each_level = pytest.mark.parametrize(("task", "level"), LEVELS)
each_flag_level = pytest.mark.parametrize(("task", "level"), FLAG_LEVELS)


# -- planted and found ------------------------------------------------------------------------------------------


def disagreements(files: tuple[Drawn, ...]) -> list[tuple[int, list[str], list[str]]]:
    return [
        (drawn.seed, sorted(recipe.name for recipe in drawn.planted), sorted(drawn.truth.flags))
        for drawn in files
        if {recipe.flag for recipe in drawn.planted} != drawn.truth.flags
    ]


@each_flag_level
def test_what_is_planted_is_found_and_nothing_else(task: str, level: str) -> None:
    assert disagreements(many(task, level)) == []


@pytest.mark.slow
@each_flag_level
def test_what_is_planted_is_found_over_40000_seeds(task: str, level: str) -> None:
    for start in range(5_000_000, 5_040_000, 4_000):
        assert disagreements(tuple(draw(task, seed, level) for seed in range(start, start + 4_000))) == []


@each_flag_level
def test_every_recipe_of_the_task_is_drawn(task: str, level: str) -> None:
    drawn = {recipe.name for file in many(task, level) for recipe in file.planted}
    vocabulary = {flag for file in many(task, level) for flag in file.truth.flags}
    assert drawn == {recipe.name for recipe in RECIPES if recipe.flag in vocabulary}


def test_every_flag_has_a_recipe() -> None:
    assert len({recipe.flag for recipe in RECIPES}) == 14
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)


def test_no_flag_stands_twice_and_no_two_planted_recipes_share_a_group() -> None:
    for drawn in many("task3", "standard"):
        groups = [group for recipe in drawn.planted for group in recipe.groups]
        assert len(groups) == len(set(groups))
        assert len({finding.flag for finding in drawn.truth.findings}) == len(drawn.truth.findings)


def test_a_task1_file_has_no_findings_and_one_item() -> None:
    for drawn in many("task1", "standard")[:300]:
        truth = drawn.truth
        assert (truth.findings, truth.flags, truth.recommendation) == ((), frozenset(), None)
        assert len(truth.tariff_items) == 1


def test_truth_is_the_same_when_it_is_established_again() -> None:
    for drawn in many("task3", "standard")[:300]:
        assert establish_truth(drawn.file) == drawn.truth


# -- variations ---------------------------------------------------------------------------------------------------


def _clean(monkeypatch: pytest.MonkeyPatch, vary: Callable[[Draft, tuple[int, ...], Trade], None]) -> None:
    """Let the generator plant nothing and vary as the test says."""

    def replaced(*arguments: Any) -> None:
        words = next(given for given in arguments if isinstance(given, tuple) and len(given) == 16)
        vary(arguments[0], words, next(given for given in arguments if isinstance(given, Trade)))

    monkeypatch.setattr(generate_module, "plan", lambda *_: CLEAN)
    monkeypatch.setattr(generate_module, "vary", replaced)


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda variation: variation.name)
def test_a_variation_alone_leaves_a_clean_file_clean_and_changes_some_file(
    variation: Variation, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = 0
    for task in variation.tasks:
        for seed in range(250):
            _clean(monkeypatch, lambda *_: None)
            plain = as_bytes(shown(generate(task, seed)))

            _clean(monkeypatch, lambda draft, words, trade: variation.apply(draft, words[9], trade))
            varied = generate(task, seed)
            assert findings_of(varied) == (), f"{task} seed {seed}"
            changed += as_bytes(shown(varied)) != plain
    assert changed > 0


def test_all_variations_that_groups_allow_together_leave_a_clean_file_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    def every_second(draft: Draft, words: tuple[int, ...], trade: Trade) -> None:
        for place, variation in enumerate(VARIATIONS):
            if words[0] >> place & 1 and task in variation.tasks:
                variation.apply(draft, words[1 + place % 15], trade)

    _clean(monkeypatch, every_second)
    for task in ("task2", "task3"):
        for seed in range(1500):
            assert findings_of(generate(task, seed)) == (), f"{task} seed {seed}"


@each_flag_level
def test_every_variation_is_drawn(task: str, level: str) -> None:
    called = set()

    def watch(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == variations_module.__file__:
            called.add(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        for seed in range(400):
            generate(task, seed, level)
    finally:
        sys.setprofile(None)
    assert {variation.name for variation in VARIATIONS if task in variation.tasks} - called == set()


# -- the same bytes -------------------------------------------------------------------------------------------------

PRINT_DIGEST = """
from drawn_files import LEVELS, digest, shown
from customs_env.generator.generate import generate
from customs_env.scenarios.truth import establish_truth
for task, level in LEVELS:
    for split in ("train", "test"):
        files = [generate(task, seed, level, split) for seed in (0, 1, 2**62, *range(10**6, 10**6 + 40))]
        print(digest([[shown(file), establish_truth(file).to_dict()] for file in files]))
"""


def digests_in(python: str, hash_seed: str, where: Path) -> str:
    """Return the digests that another process prints. It finds the package through a link, as it need not be installed there."""
    link = where / "customs_env"
    if not link.exists():
        link.symlink_to(Path(customs_env.__file__).parent)
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": f"{where}{os.pathsep}{Path(__file__).parent}",
    }
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([python, "-c", PRINT_DIGEST], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_equal_seeds_give_equal_bytes_under_three_hash_seeds(tmp_path: Path) -> None:
    outputs = {digests_in(sys.executable, hash_seed, tmp_path) for hash_seed in ("0", "1", "4294967295")}
    assert len(outputs) == 1
    (output,) = outputs
    assert len(set(output.split())) == 2 * len(LEVELS)


def other_pythons() -> list[str]:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = []
    for minor in (10, 11, 12, 13):
        found += sorted(map(str, root.glob(f"versions/3.{minor}.*/bin/python")))[:1]
    return found


@pytest.mark.slow
@pytest.mark.skipif(not other_pythons(), reason="no other Python is installed here")
@pytest.mark.parametrize("python", other_pythons())
def test_every_supported_python_gives_the_same_bytes(python: str, tmp_path: Path) -> None:
    assert digests_in(python, "7", tmp_path) == digests_in(sys.executable, "7", tmp_path)


@each_level
def test_a_file_needs_no_earlier_draw(task: str, level: str) -> None:
    alone = as_bytes(shown(generate(task, 1_000_077, level)))
    for seed in range(1_000_100, 1_000_000, -7):
        generate(task, seed, level)
    assert as_bytes(shown(generate(task, 1_000_077, level))) == alone


@each_level
def test_task_level_split_and_key_each_give_other_files(task: str, level: str) -> None:
    files = {digest(shown(generate(task, 5, level, split))) for split in SPLITS}
    files.add(digest(shown(generate(task, 5, level, "test", "a key"))))
    files.add(digest(shown(generate(task, 5, level, "test", "another key"))))
    assert len(files) == len(SPLITS) + 2


def test_the_split_key_is_mixed_into_the_test_split_alone() -> None:
    for split in ("train", "validation"):
        assert shown(generate("task2", 5, "standard", split, "a key")) == shown(generate("task2", 5, "standard", split))


@each_level
def test_neighbouring_seeds_give_different_files(task: str, level: str) -> None:
    files = many(task, level)
    assert len({as_bytes(shown(drawn.file)) for drawn in files}) == len(files)
    assert len({drawn.file.case.shipment_id for drawn in files}) == len(files)


# -- streams ----------------------------------------------------------------------------------------------------------


def facts(drawn: Drawn) -> dict[str, Any]:
    """Return what each stream decides, as far as it does so alone."""
    papers = drawn.papers
    invoice, bill, arrival = papers["invoice"], papers["bill_of_lading"], papers["arrival_notice"]
    return {
        "goods": (drawn.truth.tariff_items, dict(drawn.file.goods[0].values), drawn.file.case.shipment_id),
        "parties": (invoice["seller"], invoice["buyer"], bill["vessel"], bill["voyage"]),
        "amounts": (invoice["lines"][0]["unit_price"], invoice["total"], papers["packing_list"]["total_packages"]),
        "paperwork": (invoice["invoice_number"].rpartition("/")[2], arrival["arrival_date"]),
        "discrepancies": [recipe.name for recipe in drawn.planted],
    }


#: Changed stream -> facts that must stay. Goods decide what can be planted and what it costs; a planted price or origin is drawn
#: with the amounts and the parties.
UNTOUCHED = {
    b"variations": ("goods", "parties", "amounts", "paperwork", "discrepancies"),
    b"paperwork": ("goods", "parties", "amounts", "discrepancies"),
    b"amounts": ("goods", "parties", "paperwork", "discrepancies"),
    b"parties": ("goods", "paperwork", "discrepancies"),
    b"discrepancies": ("goods", "paperwork"),
    b"goods": ("paperwork",),
}


@pytest.mark.parametrize("stream", UNTOUCHED, ids=bytes.decode)
def test_other_draws_in_one_stream_change_nothing_that_another_decides(
    stream: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = generate_module.draw_words
    seeds = range(2_000_000, 2_000_150)
    before = [draw("task3", seed) for seed in seeds]
    monkeypatch.setattr(
        generate_module, "draw_words", lambda prefix, name: words(prefix, b"other " + name if name == stream else name)
    )
    after = [draw("task3", seed) for seed in seeds]
    for one, other in zip(before, after, strict=True):
        old, new = facts(one), facts(other)
        assert {name: old[name] for name in UNTOUCHED[stream]} == {name: new[name] for name in UNTOUCHED[stream]}
    differing = sum(shown(one.file) != shown(other.file) for one, other in zip(before, after, strict=True))
    assert differing > 100, "the stream is not read at all"


def test_a_stream_of_another_name_may_be_read_without_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [shown(generate("task3", seed)) for seed in range(50)]
    words = generate_module.draw_words

    def one_draw_more(prefix: bytes, name: bytes) -> tuple[int, ...]:
        words(prefix, b"a new stream")
        return words(prefix, name)

    monkeypatch.setattr(generate_module, "draw_words", one_draw_more)
    assert [shown(generate("task3", seed)) for seed in range(50)] == before


def test_an_azo_report_is_never_of_a_day_after_the_sailing_however_the_goods_travel() -> None:
    """Moving the loading near to India shortens the voyage; the report must not fall behind the arrival with it."""
    for country in ("Sri Lanka", "Singapore", "United Arab Emirates", "Egypt"):
        for seed in range(400):
            draft = generate("task3", seed).record
            assert isinstance(draft, Draft)
            if draft.azo_report is None:
                continue
            load_in(draft, country, seed, trade())
            draft.settle()
            assert draft.azo_report["report_date"] <= iso_day(draft.on_board_day), (country, seed)


def test_more_packed_than_invoiced_is_never_more_than_an_honest_permit_covers() -> None:
    """Seed 5009625: goods of a coarse step were packed over by more than the fifth that permits leave."""
    assert {finding.flag for finding in establish_truth(generate("task3", 5_009_625)).findings} == {
        "consignee_name_mismatch",
        "quantity_mismatch",
    }
