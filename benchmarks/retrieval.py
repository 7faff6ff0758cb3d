"""How far a search for words goes: the share of task1 files whose tariff item the retrieval agent finds.

At 2, 4, 6 and 8 digits, for each difficulty, beside a random item of the table and the most frequent item of other
seeds, with the 95 per cent interval by Wilson. No truth is used but to count.

    python benchmarks/retrieval.py [--files N] [--split SPLIT]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import sqrt
from random import Random

from customs_env.agents.retrieval import likeliest_item, tariff_index
from customs_env.env.episode import Episode, resolve_request
from customs_env.scenarios.tasks import DIFFICULTIES, SPLITS

DIGITS = (2, 4, 6, 8)
FIRST_SEED, OTHER_SEEDS = 1_000_000, 5_000_000


def interval(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 per cent interval of a share by Wilson."""
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return middle - half, middle + half


def measure(difficulty: str, split: str, files: int) -> dict[str, dict[int, int]]:
    """Return, for each way of guessing, the files whose item it has right at so many digits."""
    items, random = tariff_index().items, Random(1)
    answers = [
        Episode(
            resolve_request(task_id="task1", seed=OTHER_SEEDS + number, difficulty=difficulty, split=split)
        ).truth.tariff_items[0]
        for number in range(files)
    ]
    modal = {digits: Counter(item[:digits] for item in answers).most_common(1)[0][0] for digits in DIGITS}
    hits = {way: dict.fromkeys(DIGITS, 0) for way in ("retrieval", "most frequent", "random")}
    for number in range(files):
        episode = Episode(
            resolve_request(task_id="task1", seed=FIRST_SEED + number, difficulty=difficulty, split=split)
        )
        true = episode.truth.tariff_items[0]
        guessed = likeliest_item(episode.observation().to_dict())
        drawn = random.choice(items)
        for digits in DIGITS:
            hits["retrieval"][digits] += guessed[:digits] == true[:digits]
            hits["most frequent"][digits] += modal[digits] == true[:digits]
            hits["random"][digits] += drawn[:digits] == true[:digits]
    return hits


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2_000, help="files of each difficulty (default 2000)")
    parser.add_argument("--split", choices=list(SPLITS), default="train")
    options = parser.parse_args(arguments)
    print("| difficulty | guess | " + " | ".join(f"{digits} digits" for digits in DIGITS) + " |")
    print("| --- | --- | " + " | ".join("---" for _ in DIGITS) + " |")
    for difficulty in DIFFICULTIES:
        for way, hits in measure(difficulty, options.split, options.files).items():
            cells = []
            for digits in DIGITS:
                low, high = interval(hits[digits], options.files)
                cells.append(f"{100 * hits[digits] / options.files:.1f} ({100 * low:.1f} to {100 * high:.1f})")
            print(f"| {difficulty} | {way} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
