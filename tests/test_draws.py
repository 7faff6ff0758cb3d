"""Draw streams: what they depend on, and that they keep apart."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from customs_env.generator.draws import draw_words, stream_prefix

STREAMS = (b"goods", b"parties", b"amounts", b"paperwork", b"discrepancies", b"variations")
BASE = {"task_id": "task2", "split": "train", "difficulty": "standard", "seed": 7, "split_key": ""}

seeds = st.integers(min_value=-(2**63), max_value=2**63 - 1)
names = st.binary(min_size=1, max_size=20)


def prefix(seed: int) -> bytes:
    return stream_prefix("task2", "train", "standard", seed)


@given(seeds, names)
def test_a_stream_is_a_function_of_its_name_and_its_file(seed: int, name: bytes) -> None:
    once = draw_words(stream_prefix("task3", "train", "easy", seed), name)
    draw_words(stream_prefix("task3", "train", "easy", seed), b"something else")
    assert once == draw_words(stream_prefix("task3", "train", "easy", seed), name)


@given(seeds, names)
def test_a_stream_is_sixteen_words_of_32_bits(seed: int, name: bytes) -> None:
    words = draw_words(stream_prefix("task3", "train", "easy", seed), name)
    assert len(words) == 16
    assert all(isinstance(word, int) and 0 <= word < 2**32 for word in words)


def test_every_argument_changes_every_stream() -> None:
    changed = [
        BASE,
        {**BASE, "task_id": "task3"},
        {**BASE, "split": "test"},
        {**BASE, "difficulty": "easy"},
        {**BASE, "seed": 8},
        {**BASE, "seed": -7},
        {**BASE, "split_key": "k"},
    ]
    for name in STREAMS:
        drawn = [
            draw_words(stream_prefix(**arguments), name)  # type: ignore[arg-type]
            for arguments in changed
        ]
        assert all(not set(one) & set(other) for one, other in combinations(drawn, 2))


def test_streams_of_one_file_share_no_word() -> None:
    for seed in range(200):
        words = [word for name in STREAMS for word in draw_words(prefix(seed), name)]
        assert len(set(words)) == len(words)


def test_words_spread_evenly_over_neighbouring_seeds() -> None:
    """Sixteen buckets, 4,000 seeds: chi-square with 15 degrees of freedom stays below 45 (one in ten thousand)."""
    for place in (0, 1, 7, 15):
        for shift in (0, 28):
            buckets = [0] * 16
            for seed in range(4000):
                buckets[draw_words(prefix(seed), b"goods")[place] >> shift & 15] += 1
            assert sum((count - 250) ** 2 / 250 for count in buckets) < 45


def test_words_of_neighbouring_seeds_are_uncorrelated() -> None:
    first = [draw_words(prefix(seed), b"goods")[0] / 2**32 - 0.5 for seed in range(4000)]
    product = sum(one * other for one, other in pairwise(first)) / 3999
    assert abs(product * 12) < 0.08  # five standard errors of the correlation
