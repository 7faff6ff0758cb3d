"""Which file a reset names: the canonical rule, splits, indexes, keys, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from drawn_files import as_bytes, shown

from customs_env.env.episode import Episode, ResetRequest, draw_file, resolve_request
from customs_env.errors import InputError
from customs_env.generator.generate import generate
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.tasks import CANONICAL_SEEDS_BELOW, DIFFICULTIES, SPLITS, TASKS

each_task = pytest.mark.parametrize("task", TASKS)


def content(**arguments: Any) -> bytes:
    return as_bytes(shown(draw_file(resolve_request(**arguments))))


def is_canonical(request: ResetRequest) -> bool:
    return request.canonical_index is not None


# -- the canonical rule -----------------------------------------------------------------------------------------------------


@each_task
def test_there_are_eight_canonical_files(task: str) -> None:
    assert len(canonical_pool(task)) == 8


@each_task
@pytest.mark.parametrize("seed", [0, 1, 7, 8, 999_999])
def test_a_small_seed_alone_picks_from_the_pool_by_remainder(task: str, seed: int) -> None:
    pool = canonical_pool(task)
    assert content(task_id=task, seed=seed) == as_bytes(shown(pool[seed % len(pool)].file))


@each_task
@pytest.mark.parametrize("more", [{"split": "train"}, {"difficulty": "standard"}, {"canonical": False}])
def test_a_small_seed_with_split_or_level_or_canonical_false_is_procedural(task: str, more: dict[str, Any]) -> None:
    assert content(task_id=task, seed=5, **more) == as_bytes(shown(generate(task, 5)))


@each_task
def test_seeds_from_a_million_are_procedural_and_canonical_true_says_it_outright(task: str) -> None:
    assert not is_canonical(resolve_request(task_id=task, seed=CANONICAL_SEEDS_BELOW))
    assert is_canonical(resolve_request(task_id=task, seed=CANONICAL_SEEDS_BELOW - 1))
    assert content(task_id=task, seed=CANONICAL_SEEDS_BELOW) == as_bytes(shown(generate(task, CANONICAL_SEEDS_BELOW)))
    request = resolve_request(task_id=task, seed=5_000_003, canonical=True)
    assert request.canonical_index == 5_000_003 % len(canonical_pool(task))


@each_task
def test_seed_0_is_a_seed_and_not_absent(task: str) -> None:
    assert resolve_request(task_id=task, seed=0).canonical_index == 0
    assert resolve_request(task_id=task, seed=0, canonical=False).seed == 0
    assert content(task_id=task, seed=0, canonical=False) == as_bytes(shown(generate(task, 0)))


def test_no_seed_draws_one_and_says_so_in_the_request() -> None:
    requests = [resolve_request(task_id="task2") for _ in range(20)]
    assert len({request.seed for request in requests}) == 20
    assert all(request.seed is not None and request.seed >= CANONICAL_SEEDS_BELOW for request in requests)
    assert is_canonical(resolve_request(task_id="task2", canonical=True))


def test_the_largest_seed_is_accepted() -> None:
    for seed in (2**31, 2**32, 2**53 + 1, 2**63 - 1):
        assert resolve_request(seed=seed).seed == seed
        assert content(task_id="task1", seed=seed) == as_bytes(shown(generate("task1", seed)))


# -- splits, indexes, keys --------------------------------------------------------------------------------------------------


def test_declared_counts_are_constants() -> None:
    assert dict(SPLITS) == {"train": 1_000_000, "validation": 10_000, "test": 10_000}


@pytest.mark.parametrize("split", SPLITS)
def test_an_index_runs_to_the_declared_count(split: str) -> None:
    assert resolve_request(split=split, index=SPLITS[split] - 1).index == SPLITS[split] - 1
    with pytest.raises(InputError, match="index"):
        resolve_request(split=split, index=SPLITS[split])


def test_an_index_is_procedural_even_where_it_is_small() -> None:
    assert not is_canonical(resolve_request(task_id="task2", index=0))
    files = {content(task_id="task2", index=index) for index in range(50)}
    assert len(files) == 50


def test_indexes_and_seeds_name_different_files() -> None:
    assert not {content(task_id="task1", index=number) for number in range(50)} & {
        content(task_id="task1", seed=number, canonical=False) for number in range(50)
    }


def test_splits_and_levels_hold_different_files() -> None:
    files = {
        content(task_id="task1", index=3, split=split, difficulty=level) for split in SPLITS for level in DIFFICULTIES
    }
    assert len(files) == len(SPLITS) * len(DIFFICULTIES)


def test_the_operators_key_changes_test_files_and_their_ids_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUSTOMS_ENV_SPLIT_KEY", raising=False)
    plain = {split: content(task_id="task2", index=1, split=split) for split in SPLITS}
    public_id = draw_file(resolve_request(task_id="task2", index=1, split="test")).case.shipment_id
    monkeypatch.setenv("CUSTOMS_ENV_SPLIT_KEY", "secret key of the operator")
    keyed = {split: content(task_id="task2", index=1, split=split) for split in SPLITS}
    assert {split for split in SPLITS if plain[split] != keyed[split]} == {"test"}
    assert draw_file(resolve_request(task_id="task2", index=1, split="test")).case.shipment_id != public_id
    assert "secret" not in str(Episode(resolve_request(task_id="task2", index=1, split="test")).observation().to_dict())


# -- what is accepted, what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        {"task_id": "task1", "seed": 3},
        {"task_id": "task2", "seed": 3, "canonical": False},
        {"task_id": "task3", "seed": 4_000_000_000, "difficulty": "easy", "request_cost": 0.1},
        {"task_id": "task3", "index": 17, "split": "validation", "reward_scale": "raw"},
        {"task_id": "task2"},
        {"task_id": "task2", "canonical": True},
    ],
    ids=str,
)
def test_a_request_written_out_names_the_same_file_again(arguments: dict[str, Any]) -> None:
    request = resolve_request(**arguments)
    again = resolve_request(**request.to_kwargs())
    assert again == request
    assert shown(draw_file(again)) == shown(draw_file(request))


def test_both_names_of_a_task_mean_it_and_null_means_absent() -> None:
    for task in TASKS.values():
        assert (
            resolve_request(task_id=task.long_name, seed=1).task is resolve_request(task_id=task.task_id, seed=1).task
        )
    everything = dict.fromkeys(
        ("difficulty", "split", "index", "canonical", "presentation", "duty_blind", "reward_scale", "request_cost")
    )
    assert resolve_request(task_id="task1", seed=4, **everything) == resolve_request(task_id="task1", seed=4)


REFUSED: list[dict[str, Any]] = [
    {"task_id": "task9"}, {"task_id": 1}, {"task_id": ["task1"]}, {"task_id": ""}, {"task_id": "Task1"},
    {"seed": -1}, {"seed": 2**63}, {"seed": "5"}, {"seed": 1.0}, {"seed": True}, {"seed": [1]}, {"seed": math.nan},
    {"index": -1}, {"index": "1"}, {"index": 1.5}, {"index": False},
    {"difficulty": "impossible"}, {"difficulty": "hard "}, {"difficulty": 2}, {"split": "dev"}, {"split": ["test"]},
    {"canonical": 1}, {"canonical": "true"}, {"reward_scale": "log"}, {"reward_scale": 1},
    {"request_cost": -0.1}, {"request_cost": 1.1}, {"request_cost": math.nan}, {"request_cost": "0"}, {"request_cost": True},
    {"presentation": "image"}, {"duty_blind": True}, {"duty_blind": 0},
]  # fmt: skip


@pytest.mark.parametrize("arguments", REFUSED, ids=str)
def test_a_wrong_argument_is_refused_by_name(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        resolve_request(**arguments)
    (name,) = arguments
    assert caught.value.field == name
    assert len(caught.value.got) <= 100


@pytest.mark.parametrize("index", [0, 5])
def test_index_with_seed_or_with_canonical_is_an_error(index: int) -> None:
    for more in ({"seed": 0}, {"seed": 5}, {"canonical": True}):
        with pytest.raises(InputError) as caught:
            resolve_request(task_id="task1", index=index, **more)
        assert caught.value.code == "conflict"


def test_an_unknown_argument_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        resolve_request(task_id="task1", sed=4)
    assert caught.value.field == "sed"
    assert all(
        name in caught.value.expected for name in ("task_id", "seed", "split", "index", "canonical", "reward_scale")
    )


def test_canonical_files_say_the_level_they_have() -> None:
    shown_level = Episode(resolve_request(task_id="task2", seed=3)).observation().to_dict()["difficulty"]
    assert shown_level == "standard"


def test_a_split_key_that_could_be_found_by_trying_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CUSTOMS_ENV_SPLIT_KEY", "k7q")
    with pytest.raises(InputError, match="at least 20 characters") as refused:
        Episode(resolve_request(task_id="task1", seed=5, split="test"))
    assert "k7q" not in str(refused.value)
    Episode(resolve_request(task_id="task1", seed=5, split="train"))
