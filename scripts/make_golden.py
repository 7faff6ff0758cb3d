"""Write the golden files: hashes of 20 files a task and level, of their truths, and the rewards of four answers.

A published seed stays the same file, so the golden files are overwritten only where the version that covers the change
was raised (GENERATION_VERSION for files, TRUTH_VERSION for truths, GRADING_VERSION for rewards), or with --force before
a first release.

    python scripts/make_golden.py [--force] [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from customs_env.env.episode import Episode, resolve_request
from customs_env.generator.generate import generate
from customs_env.scenarios.case import ShipmentFile
from customs_env.scenarios.flags import vocabulary
from customs_env.scenarios.tasks import DIFFICULTIES, TASKS
from customs_env.scenarios.truth import establish_truth
from customs_env.versions import VERSIONS

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
#: Twenty seeds: small, neighbouring, and as large as they come.
SEEDS = (0, 1, 2, 999_999, *range(1_000_000, 1_000_012), 2**31, 2**32 + 7, 2**53 + 1, 2**63 - 1)
#: Which version covers which part of an entry.
COVERED_BY = {"file": "generation", "truth": "truth", "rewards": "grading"}


def digest(value: Any) -> str:
    """Return 32 hexadecimal digits of the SHA-256 of a value's canonical JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return sha256(text.encode()).hexdigest()[:32]


def shown(file: ShipmentFile) -> dict[str, Any]:
    """Return what belongs to the file itself, no text of policy or instruction."""
    case = file.case
    return {
        "task": case.task_id,
        "difficulty": case.difficulty,
        "shipment_id": case.shipment_id,
        "papers": list(case.papers),
        "answers": dict(case.answers),
    }


def fixed_answers(task: str, file: ShipmentFile) -> list[dict[str, Any]]:
    """Return four answers that depend on vocabulary and truth alone: right, half right, clear-all, all flags."""
    truth = establish_truth(file)
    value, duty = truth.assessable_value_inr, truth.duty_amount_inr
    amounts = {"assessable_value_inr": float(value or 0), "duty_amount_inr": float(duty or 0)}
    item = truth.tariff_items[0]
    every = [
        {"hs_code": item, "flags": sorted(truth.flags), "recommendation": truth.recommendation, **amounts},
        {"hs_code": f"{item[:4]}9999", "flags": sorted(truth.flags)[:1], "recommendation": "hold", **amounts},
        {
            "hs_code": "00000000",
            "flags": [],
            "recommendation": "clear",
            "assessable_value_inr": 0,
            "duty_amount_inr": 0,
        },
        {**amounts, "hs_code": item, "flags": list(vocabulary(task)), "recommendation": "query_shipper"},
    ]
    return [{field: answer[field] for field in TASKS[task].required} for answer in every]


def entry(task: str, level: str, seed: int) -> dict[str, Any]:
    """Return the golden entry of one file."""
    file = generate(task, seed, level)
    request = resolve_request(task_id=task, seed=seed, difficulty=level)
    rewards = [Episode(request, "", file).step(answer).reward for answer in fixed_answers(task, file)]
    return {
        "seed": seed,
        "file": digest(shown(file)),
        "truth": digest(establish_truth(file).to_dict()),
        "rewards": rewards,
    }


def golden_of(task: str, level: str) -> dict[str, Any]:
    """Return the golden content of a task and level as it is now."""
    versions = {name: VERSIONS[name] for name in ("generation", "truth", "grading")}
    return {
        "task": task,
        "difficulty": level,
        "versions": versions,
        "files": [entry(task, level, seed) for seed in SEEDS],
    }


def path_of(task: str, level: str) -> Path:
    """Return where the golden content of a task and level lies."""
    return GOLDEN / f"{task}_{level}.json"


def moved_parts(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return the parts of the entries that differ: file, truth, rewards."""
    if [one["seed"] for one in old["files"]] != [one["seed"] for one in new["files"]]:
        return list(COVERED_BY)
    return [
        part
        for part in COVERED_BY
        if any(one[part] != other[part] for one, other in zip(old["files"], new["files"], strict=True))
    ]


def uncovered(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return the parts that moved although neither their own version nor that of the files was raised."""
    moved = moved_parts(old, new)
    raised = {name for name, value in new["versions"].items() if old["versions"].get(name) != value}
    # Another file has another truth and other rewards; another truth has other rewards.
    covering = {"file": {"generation"}, "truth": {"generation", "truth"}, "rewards": {"generation", "truth", "grading"}}
    return [part for part in moved if not covering[part] & raised]


def written(content: dict[str, Any]) -> str:
    """Return golden content as text, one file a line."""
    lines = ",\n  ".join(json.dumps(one) for one in content["files"])
    head = json.dumps({key: value for key, value in content.items() if key != "files"})
    return f'{head[:-1]}, "files": [\n  {lines}\n]}}\n'


def main(arguments: list[str] | None = None) -> int:
    """Write or check the golden files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--force", action="store_true", help="overwrite although no version was raised")
    parser.add_argument("--check", action="store_true", help="write nothing, say what moved")
    options = parser.parse_args(arguments)
    GOLDEN.mkdir(parents=True, exist_ok=True)
    refused = 0
    for task in TASKS:
        for level in DIFFICULTIES:
            path, new = path_of(task, level), golden_of(task, level)
            old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
            missing = uncovered(old, new) if old else []
            if missing and not options.force:
                refused += 1
                wanted = ", ".join(sorted({COVERED_BY[part] for part in missing}))
                print(
                    f"{path.name}: {', '.join(missing)} moved; raise the version of {wanted} or give --force",
                    file=sys.stderr,
                )
            elif options.check:
                same = old == new
                refused += not same
                print(f"{path.name}: {'as it stands' if same else 'out of date'}")
            elif old != new:
                path.write_text(written(new), encoding="utf-8")
                print(f"{path.name}: written")
            else:
                print(f"{path.name}: as it stands")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
