"""What the runs say: mean score with its 95 % interval, by agent, task and kind of file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from customs_env.evaluation.trace import EpisodeRecord
from customs_env.graders.reward import CEILING, FLOOR

if TYPE_CHECKING:
    from rich.table import Table

#: Student's t at 97.5 % for 1 to 30 degrees of freedom (any statistics table).
_T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


#: An interval from fewer episodes than this is shown with their number: it leans on scores that look like a bell.
FEW = 10

#: What is said under the table.
CAPTION = (
    "n: scored episodes. 95 % interval of the mean: Student's t, cut to the scores that are possible; from fewer "
    f"than {FEW} episodes it is a rough guide and says n; equal scores give none."
)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the table. `mean` is None where nothing was scored, the interval where `interval` gives none."""

    agent: str
    task_id: str
    files: str  # "canonical" or "seeded": canonical files never count in a reported score
    n: int
    unscored: int
    mean: float | None
    low: float | None
    high: float | None


def possible_scores(records: Iterable[EpisodeRecord]) -> tuple[float, float]:
    """Return the least and the most that episodes like these can pay."""
    raw = any(record.reset.get("reward_scale") == "raw" for record in records)
    return (0.0, 1.0) if raw else (FLOOR, CEILING)


def interval(scores: Sequence[float], possible: tuple[float, float] = (FLOOR, CEILING)) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean, Student's t, cut to the possible scores.

    None for fewer than two scores, and for scores that are all equal: their spread says nothing, and an interval of
    no width would say that the mean is certain.
    """
    n = len(scores)
    if n < 2 or min(scores) == max(scores):
        return None
    mean = math.fsum(scores) / n
    spread = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / (n - 1) / n)
    # Beyond the table: the first term of the expansion of t around the normal quantile
    t = _T_975[n - 2] if n - 2 < len(_T_975) else 1.96 + 2.37 / (n - 1)
    return max(possible[0], mean - t * spread), min(possible[1], mean + t * spread)


def score_lines(records: Iterable[EpisodeRecord]) -> list[ScoreLine]:
    """Return one line for each (agent, task, kind of file), in the order of first appearance by agent."""
    groups: dict[tuple[str, str, str], list[EpisodeRecord]] = {}
    for record in records:
        kind = "canonical" if record.canonical else "seeded"
        groups.setdefault((record.agent, record.task_id, kind), []).append(record)
    agents = list(dict.fromkeys(agent for agent, _, _ in groups))
    lines = []
    for agent, task_id, kind in sorted(groups, key=lambda key: (agents.index(key[0]), key[1], key[2])):
        group = groups[agent, task_id, kind]
        scores = [record.score for record in group if record.score is not None]
        low, high = interval(scores, possible_scores(group)) or (None, None)
        mean = math.fsum(scores) / len(scores) if scores else None
        lines.append(ScoreLine(agent, task_id, kind, len(scores), len(group) - len(scores), mean, low, high))
    return lines


def interval_text(line: ScoreLine) -> str:
    """Return the interval of a line as the table shows it."""
    if line.low is None:
        return "all equal" if line.n > 1 else "-"
    few = f" (n={line.n})" if line.n < FEW else ""
    return f"{line.low:.3f} - {line.high:.3f}{few}"


def table(lines: Sequence[ScoreLine]) -> Table:
    """Return the score table for a terminal."""
    from rich.table import Table

    drawn = Table(
        title="Mean score by agent, task and kind of file",
        title_justify="left",
        caption=CAPTION,
        caption_justify="left",
    )
    for heading in ("agent", "task", "files"):
        drawn.add_column(heading, no_wrap=True)
    for heading in ("n", "unscored", "mean", "95 % interval"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    agent = lines[0].agent if lines else ""
    for line in lines:
        if line.agent != agent:
            drawn.add_section()
            agent = line.agent
        drawn.add_row(
            line.agent,
            line.task_id,
            line.files,
            str(line.n),
            str(line.unscored or "-"),
            "-" if line.mean is None else f"{line.mean:.3f}",
            interval_text(line),
        )
    return drawn


def results(
    records: Sequence[EpisodeRecord],
    versions: Mapping[str, str],
    arguments: Mapping[str, Any],
    complete: bool,
) -> dict[str, Any]:
    """Return the results as JSON holds them: the table, every episode's score, and what they depend on."""
    return {
        "results_format": 1,
        "complete": complete,
        "versions": dict(versions),
        "arguments": dict(arguments),
        "table": [asdict(line) for line in score_lines(records)],
        "episodes": [
            {
                "agent": record.agent,
                "task_id": record.task_id,
                "canonical": record.canonical,
                "reset": record.reset,
                "shipment_id": record.shipment_id,
                "steps": len(record.actions),
                "score": record.score,
                "unscored_because": record.unscored_because,
                "breakdown": record.breakdown,
            }
            for record in records
        ],
    }


def write_results(path: Path, value: Mapping[str, Any]) -> None:
    """Write the results file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
