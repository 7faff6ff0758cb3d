"""Wall time and memory of a fresh interpreter that imports the package and plays one task3 episode in process.

Median of seven. Beside it stand the bare interpreter and the import alone, measured by turns in the same run, so that a
slow machine is seen to be one.

    python benchmarks/cold_start.py [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

PLAY = """
from customs_env.env.episode import Episode, resolve_request
episode = Episode(resolve_request(task_id="task3", seed=1_000_042))
episode.observation().to_dict()
fields = ["duty_rate_schedule", "exchange_rate"]
episode.step({"step_kind": "request_information", "requested_fields": fields, "hs_code": "4009"})
final = {"hs_code": "40091100", "flags": [], "recommendation": "clear", "assessable_value_inr": 1, "duty_amount_inr": 1}
assert episode.step(final).done
"""
PROGRAMS = {
    "bare interpreter": "",
    "import customs_env": "import customs_env",
    "import and one task3 episode": f"import customs_env\n{PLAY}",
}
#: The child says how much memory it held at most. Linux counts kilobytes, macOS bytes; Windows has no such call.
MEMORY = """
import sys
try:
    import resource
except ImportError:
    print(0)
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024))
"""
GOAL_SECONDS, GOAL_MB = 0.4, 120


def run(program: str) -> tuple[float, float]:
    """Run a program in a fresh interpreter; return wall seconds and the most memory it held, in MB."""
    started = perf_counter()
    done = subprocess.run([sys.executable, "-c", program + MEMORY], check=True, capture_output=True, text=True)
    return perf_counter() - started, float(done.stdout.split()[-1])


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="runs of which the median counts (default 7)")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args(arguments)
    for program in PROGRAMS.values():  # compiled files are written once, by whoever comes first
        run(program)
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    for _ in range(options.runs):
        for name, program in PROGRAMS.items():
            runs[name].append(run(program))
    figures = {
        name: {
            "seconds": round(median(time for time, _ in taken), 4),
            "peak_mb": round(median(memory for _, memory in taken), 1),
        }
        for name, taken in runs.items()
    }
    bare = figures["bare interpreter"]["seconds"]
    width = max(map(len, figures))
    print(f"Python {sys.version.split()[0]}, medians of {options.runs} fresh interpreters")
    print(f"{'':{width}}  {'seconds':>8}  {'of bare':>8}  {'peak MB':>8}")
    for name, figure in figures.items():
        print(f"{name:{width}}  {figure['seconds']:>8.3f}  {figure['seconds'] / bare:>8.1f}  {figure['peak_mb']:>8.1f}")
    print(f"goal: under {GOAL_SECONDS} s and {GOAL_MB} MB for import and one task3 episode")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
