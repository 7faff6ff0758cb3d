"""A run as people start one: agents, files and a client, with progress bar, lines, table and results.

`inference.py` and the demo are both thin faces of `Session`.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from customs_env.agents import AgentFactory, agent_factory
from customs_env.errors import CustomsEnvError
from customs_env.evaluation.client import Client
from customs_env.evaluation.lines import EpisodeLines
from customs_env.evaluation.report import results, score_lines, table, write_results
from customs_env.evaluation.runner import EpisodePlan, play_all
from customs_env.evaluation.trace import EpisodeRecord, write_traces


@dataclass(slots=True)
class Session:
    """Play plans against a client and keep what was done. `episode_lines` prints the `[START]` family."""

    client: Client
    agents: Sequence[str]
    plans: Sequence[EpisodePlan]
    concurrency: int = 1
    episode_lines: bool = True
    console: Console = field(default_factory=lambda: Console(stderr=True))
    records: list[EpisodeRecord] = field(default_factory=list)
    trouble: CustomsEnvError | None = None
    interrupted: bool = False

    def play(self) -> None:
        """Play all plans; an error or Ctrl-C ends the run early and leaves what was done in `records`."""
        factories: dict[str, AgentFactory] = {name: agent_factory(name, self._tell) for name in self.agents}
        lock = threading.Lock()
        done: dict[int, EpisodeRecord] = {}

        def watch(plan: EpisodePlan) -> EpisodeLines | None:
            if not self.episode_lines:
                return None
            return EpisodeLines(factories[plan.agent]().name, _say, lock, live=self.concurrency == 1)

        with self._progress() as progress:
            bar = progress.add_task("episodes", total=len(self.plans))
            try:
                played = play_all(
                    self.client, self.plans, lambda plan: factories[plan.agent](), self.concurrency, watch
                )
                for place, record in played:
                    done[place] = record
                    progress.update(bar, advance=1, description=f"{record.agent} {record.task_id}")
            except KeyboardInterrupt:
                self.interrupted = True
            except CustomsEnvError as error:
                self.trouble = error
        self.records = [done[place] for place in sorted(done)]

    @property
    def complete(self) -> bool:
        """Whether every plan was played to an end and scored."""
        return len(self.records) == len(self.plans) and all(record.score is not None for record in self.records)

    def show_table(self) -> None:
        """Print the score table, and what went wrong."""
        if self.records:
            self.console.print(table(score_lines(self.records)))
        reasons = sorted({record.unscored_because for record in self.records if record.unscored_because})
        for reason in reasons[:5]:
            self._tell(f"unscored: {reason}")
        if self.trouble is not None:
            self._tell(f"stopped: {self.trouble}")
        if self.interrupted:
            self._tell(f"interrupted after {len(self.records)} of {len(self.plans)} episodes")

    def write(self, json_file: Path | None, traces: Path | None, arguments: dict[str, Any]) -> None:
        """Write the results and the traces, one file an agent."""
        if json_file is not None:
            versions = self.records[0].versions if self.records else {}
            write_results(json_file, results(self.records, versions, arguments, self.complete))
        if traces is not None:
            for agent in dict.fromkeys(record.agent for record in self.records):
                name = re.sub(r"[^A-Za-z0-9.-]+", "_", agent)
                own = [record for record in self.records if record.agent == agent]
                write_traces(traces / f"{name}.jsonl", own)

    def _tell(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            # Lines for a pipe must not be drawn into the bar's stream
            redirect_stdout=sys.stdout.isatty(),
            redirect_stderr=False,
        )


def _say(line: str) -> None:
    print(line, flush=True)
