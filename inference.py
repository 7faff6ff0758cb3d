"""Run agents against the environment and print the score table.

    python inference.py                       what a newcomer means: see below
    python inference.py --agent rules --task all --seeds 1000000:1000050 --base-url http://127.0.0.1:8000

Without arguments: the server of ENV_BASE_URL if that is set, else a local environment; the language model if
OPENAI_API_KEY or HF_TOKEN is set (API_BASE_URL and MODEL_NAME say which), which is paid for, else every baseline;
20 seeded files of each task.

Standard output has `[START]`, `[STEP]` and `[END]` lines, one episode each; the progress bar and the table go
to standard error. Where a model could not be asked the episode is unscored (`score=null`), never a zero; a model
that is out of reach for two episodes in a row is asked no more. docs/runs.md tells of the lines.
Exit status: 0 all episodes scored, 1 some were not, 2 wrong usage, 130 interrupted (what was done is kept).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    from customs_env.agents import AGENT_NAMES, BASELINES
    from customs_env.errors import CustomsEnvError, InputError
    from customs_env.evaluation.client import Client, HttpClient, LocalClient
    from customs_env.evaluation.outputs import check_outputs
    from customs_env.evaluation.plans import DEFAULT_SEEDS, TASK_IDS, make_plans, parse_seeds
    from customs_env.evaluation.runner import check_concurrency
    from customs_env.evaluation.session import Session
except ModuleNotFoundError as error:
    if error.name and error.name.partition(".")[0] in ("customs_env", "rich", "httpx"):
        sys.exit(f"inference.py needs the package installed ({error.name} is missing): pip install -e .")
    raise


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = argparse.ArgumentParser(
        prog="inference.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--agent", action="append", help=f"{', '.join(AGENT_NAMES)}, or baselines; commas or repeated")
    made.add_argument("--task", default="all", help=f"{', '.join(TASK_IDS)} (commas), or all (default)")
    made.add_argument("--seeds", help="A:B (B not included) or a list with commas; default 1000000:1000020")
    made.add_argument("--canonical", action="store_true", help="play the canonical files (with --seeds: these)")
    made.add_argument("--difficulty", help="level of the seeded files")
    made.add_argument("--split", help="train, validation or test")
    place = made.add_mutually_exclusive_group()
    place.add_argument("--base-url", help="address of a running environment")
    place.add_argument("--local", action="store_true", help="play in this process, without a server")
    made.add_argument("--concurrency", type=int, help="episodes at once (default: 8 over HTTP, 1 local)")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the results")
    made.add_argument("--traces", type=Path, metavar="DIR", help="write one trace file an agent")
    return made


def chosen_agents(asked: Sequence[str] | None) -> list[str]:
    """Return the agents to play; without any asked for, the model if a key is set, else every baseline."""
    if not asked:
        return ["llm"] if os.environ.get("OPENAI_API_KEY") or os.environ.get("HF_TOKEN") else list(BASELINES)
    names: list[str] = []
    for name in (part.strip() for text in asked for part in text.split(",")):
        names += list(BASELINES) if name == "baselines" else [name]
    for name in names:
        if name not in AGENT_NAMES:
            raise InputError("unknown_agent", "--agent", "one of " + ", ".join(AGENT_NAMES), name)
    return list(dict.fromkeys(names))


def run(arguments: argparse.Namespace) -> int:
    """Play what the arguments ask for and return the exit status."""
    agents = chosen_agents(arguments.agent)
    base_url = arguments.base_url or (None if arguments.local else os.environ.get("ENV_BASE_URL"))
    concurrency = arguments.concurrency if arguments.concurrency is not None else (8 if base_url else 1)
    check_concurrency(concurrency)
    client: Client = HttpClient(base_url) if base_url else LocalClient()
    extra = {"difficulty": arguments.difficulty, "split": arguments.split}
    try:
        plans = make_plans(
            agents,
            arguments.task,
            parse_seeds(arguments.seeds) if arguments.seeds else None,
            arguments.canonical,
            {name: value for name, value in extra.items() if value is not None},
        )
        check_outputs(arguments.json, arguments.traces)
        session = Session(client, agents, plans, concurrency)
        session.play()
    finally:
        client.close()
    session.show_table()
    session.write(arguments.json, arguments.traces, _recorded(arguments, agents))
    if session.interrupted:
        return 130
    if session.trouble is not None and not session.records:
        return 2
    return 0 if session.complete else 1


def _recorded(arguments: argparse.Namespace, agents: Sequence[str]) -> dict[str, Any]:
    """Return the arguments that a result depends on."""
    return {
        "agents": list(agents),
        "task": arguments.task,
        "seeds": arguments.seeds or DEFAULT_SEEDS,
        "canonical": arguments.canonical,
        "difficulty": arguments.difficulty,
        "split": arguments.split,
    }


def _with_negative_values(argv: Sequence[str]) -> list[str]:
    """Return the arguments with `--seeds -3:2` as `--seeds=-3:2`: argparse would take the value for an option."""
    made: list[str] = []
    for argument in argv:
        if made and made[-1] in ("--seeds", "--seed") and re.match(r"-\d", argument):
            made[-1] += f"={argument}"
        else:
            made.append(argument)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    arguments = parser().parse_args(_with_negative_values(sys.argv[1:] if argv is None else argv))
    try:
        return run(arguments)
    except (CustomsEnvError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our lines has gone; nothing more can be said there
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        print(f"inference.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
