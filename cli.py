"""`customs-env`: serve the environment, show a file, count what there is, check and load tariffs, replay traces.

Exit status: 0 done, 1 a trace could not be reproduced, or a tariff list says something else, 2 wrong usage or
nothing that could be done.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from customs_env.cli_tariff import add_commands as add_tariff_commands
from customs_env.env.episode import Episode, resolve_request
from customs_env.env.render import render_observation
from customs_env.errors import CustomsEnvError, InputError, TraceError
from customs_env.scenarios.flags import FLAG_BY_NAME
from customs_env.scenarios.tasks import CANONICAL_SEEDS_BELOW, DIFFICULTIES, SPLITS, TASK_BY_LONG_NAME, TASKS
from customs_env.versions import __version__

MAX_PORT = 65_535


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="customs-env", description="Indian import clearance as an environment.")
    made.add_argument("--version", action="version", version=f"customs-env {__version__}")
    commands = made.add_subparsers(dest="command", required=True, metavar="command")

    serve = commands.add_parser("serve", help="serve over HTTP and WebSocket")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    serve.add_argument("--port", help="port (default: $PORT, else 8000)")
    serve.set_defaults(run=_serve)

    show = commands.add_parser("show", help="show one file as a person reads it")
    show.add_argument("--task", default="task3", help=f"{', '.join((*TASKS, *TASK_BY_LONG_NAME))} (default: task3)")
    show.add_argument(
        "--seed", type=int, help=f"which file; below {CANONICAL_SEEDS_BELOW} and alone: of the canonical pool"
    )
    show.add_argument("--index", type=int, help="which file of the split, instead of a seed")
    show.add_argument("--split", help=", ".join(SPLITS))
    show.add_argument("--difficulty", help=", ".join(DIFFICULTIES))
    show.add_argument(
        "--canonical", action=argparse.BooleanOptionalAction, help="the canonical pool, or a generated file, outright"
    )
    show.add_argument("--truth", action="store_true", help="also the right answer (for operators)")
    show.add_argument("--json", action="store_true", help="the first observation as JSON")
    show.set_defaults(run=_show)

    stats = commands.add_parser("stats", help="count goods, tariff items, findings, files")
    stats.add_argument("--json", action="store_true", help="as JSON")
    stats.set_defaults(run=_stats)

    add_tariff_commands(commands)

    replay = commands.add_parser("replay", help="play the episodes of a trace again and score them")
    replay.add_argument("trace", type=Path, help="a trace file (JSON lines), or - for standard input")
    replay.set_defaults(run=_replay)
    return made


def _serve(options: argparse.Namespace) -> int:
    text = str(options.port if options.port is not None else os.environ.get("PORT") or 8000)
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= MAX_PORT):
        raise InputError("invalid_value", "port", f"a whole number from 1 to {MAX_PORT}", text)
    # The server's libraries take seconds to load; it says itself where it serves, once it does
    print("starting the server ...", file=sys.stderr, flush=True)
    try:
        from customs_env.server.app import main as serve
    except ModuleNotFoundError as fault:
        raise InputError(
            "not_installed", "serve", "the extra `server`: pip install 'customs-env[server]'", f"no module {fault.name}"
        ) from fault
    serve(["--host", options.host, "--port", text])
    return 0


def _show(options: argparse.Namespace) -> int:
    names = ("seed", "index", "split", "difficulty", "canonical")
    arguments = {name: getattr(options, name) for name in names}
    request = resolve_request(task_id=options.task, **arguments)
    episode = Episode(request)
    observation = episode.observation().to_dict()
    which = request.to_kwargs()
    if options.json:
        shown: dict[str, Any] = {"reset": which, "observation": observation}
        if options.truth:
            shown["truth"] = _answer(episode)
        print(json.dumps(shown, ensure_ascii=False, indent=1))
        return 0
    print(render_observation(observation))
    print(f"\nreset arguments: {json.dumps(which)}")
    if options.truth:
        print(_answer_text(_answer(episode)))
    return 0


def _answer(episode: Episode) -> dict[str, Any]:
    """Return the right answer with the reason of each part, for operators."""
    answer = episode.truth.to_dict()
    answer["reasons"] = [line.row.reason for line in episode.file.goods]
    for finding in answer["findings"]:
        finding["law"] = FLAG_BY_NAME[finding["flag"]].basis
    return answer


def _answer_text(answer: dict[str, Any]) -> str:
    lines = ["", "RIGHT ANSWER"]
    for item, reason in zip(answer["tariff_items"], answer["reasons"], strict=True):
        lines.append(f"  tariff item {item}: {reason}")
    if answer["recommendation"] is not None:
        lines.append(f"  recommendation: {answer['recommendation']}")
        lines += [f"  {found['class']:<6} {found['flag']} ({found['law']})" for found in answer["findings"]]
        if not answer["findings"]:
            lines.append("  no finding")
    for field in ("assessable_value_inr", "duty_amount_inr"):
        if answer[field] is not None:
            lines.append(f"  {field}: {answer[field]:,.2f}")
    return "\n".join(lines)


def _stats(options: argparse.Namespace) -> int:
    from customs_env.cli_stats import count_everything

    counts = count_everything()
    if options.json:
        print(json.dumps(counts, indent=1))
        return 0
    for name, value in counts.items():
        shown = (
            ", ".join(f"{key} {count:,}" for key, count in value.items()) if isinstance(value, dict) else f"{value:,}"
        )
        print(f"{name.replace('_', ' '):<40} {shown}")
    return 0


def _replay(options: argparse.Namespace) -> int:
    from customs_env.evaluation.client import LocalClient
    from customs_env.evaluation.replaying import replay
    from customs_env.evaluation.trace import read_traces

    path = Path("/dev/stdin") if str(options.trace) == "-" else options.trace
    scores: dict[tuple[str, str], list[float]] = {}
    played = refused = unscored = 0
    client = LocalClient()
    for number, record in enumerate(read_traces(path), 1):
        played += 1
        try:
            score = replay(record, client)
        except (TraceError, InputError) as fault:
            refused += 1
            print(f"episode {number} ({record.agent}, {record.task_id}): not reproduced: {fault}", file=sys.stderr)
            continue
        if score is None or record.score is None:
            unscored += 1
        else:
            scores.setdefault((record.agent, record.task_id), []).append(score)
    if not played:
        raise InputError("empty_trace", "trace", "at least one episode", "none")
    for (agent, task_id), paid in sorted(scores.items()):
        print(f"{agent:<12} {task_id:<6} {len(paid):>6} episodes, mean score {sum(paid) / len(paid):.4f}")
    print(f"{played} episodes: {played - refused} reproduced ({unscored} without a score), {refused} not")
    return 1 if refused else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing more can be said there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CustomsEnvError as fault:
        print(f"customs-env: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(
            f"customs-env: {fault.filename}: {fault.strerror}" if fault.filename else f"customs-env: {fault}",
            file=sys.stderr,
        )
        return 2
    except UnicodeDecodeError:
        print("customs-env: the file is no text in UTF-8", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
