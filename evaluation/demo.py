"""The demo: a server on a free port, every baseline on canonical and seeded files, the score table.

`python -m customs_env.evaluation.demo`. Table and progress bar go to standard error, traces and results under
`outputs/`. The server is started and stopped here.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from customs_env.agents import BASELINES
from customs_env.errors import CustomsEnvError, InputError, ServiceError
from customs_env.evaluation.client import HttpClient
from customs_env.evaluation.outputs import check_outputs
from customs_env.evaluation.plans import make_plans
from customs_env.evaluation.runner import check_concurrency
from customs_env.evaluation.session import Session

FIRST_SEED = 1_000_000
START_LIMIT_S = 120.0

#: The server's port comes from PORT.
SERVER_COMMAND = (sys.executable, "-m", "customs_env.server.app")


def free_port() -> int:
    """Return a port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_server(command: Sequence[str] = SERVER_COMMAND, start_limit_s: float = START_LIMIT_S) -> Iterator[str]:
    """Start the server, yield its address when it is healthy, stop it; ServiceError has what it said."""
    port = free_port()
    base_url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(
            list(command),
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PORT": str(port)},
        )
        try:
            _wait_until_healthy(process, base_url, start_limit_s)
        except ServiceError as error:
            _stop(process)
            log.seek(0)
            raise ServiceError(f"{error}\n{log.read()[-2000:]}") from error
        try:
            yield base_url
        finally:
            _stop(process)


def _wait_until_healthy(process: subprocess.Popen[bytes], base_url: str, limit_s: float) -> None:
    import httpx

    end = time.monotonic() + limit_s
    while process.poll() is None:
        try:
            if httpx.get(f"{base_url}/health", timeout=2.0).status_code == 200:
                return
        except httpx.TransportError:
            pass  # not listening yet
        if time.monotonic() > end:
            raise ServiceError(f"the server was not healthy after {limit_s:.0f} s; it said:")
        time.sleep(0.1)
    raise ServiceError(f"the server stopped with status {process.returncode}; it said:")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demo and return the exit status: 0 where every episode was played and scored."""
    parser = argparse.ArgumentParser(prog="customs_env demo", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="seeded files of each task (default: 20)")
    parser.add_argument("--outputs", type=Path, default=Path("outputs"), help="where traces and results go")
    parser.add_argument("--concurrency", type=int, default=8, help="episodes at once (default: 8)")
    options = parser.parse_args(argv)
    console = Console(stderr=True)
    agents = list(BASELINES)
    try:
        if options.seeds < 1:
            raise InputError("invalid_value", "--seeds", "a whole number of at least 1", options.seeds)
        check_concurrency(options.concurrency)
        check_outputs(options.outputs / "demo.json", options.outputs / "traces")
        plans = make_plans(agents, canonical=True)
        plans += make_plans(agents, seeds=range(FIRST_SEED, FIRST_SEED + options.seeds))
        console.print("starting the server (some seconds) ...")
        with running_server() as base_url:
            client = HttpClient(base_url)
            console.print(f"playing {len(plans)} episodes over HTTP at {base_url}", highlight=False)
            session = Session(client, agents, plans, options.concurrency, episode_lines=False, console=console)
            session.play()
            client.close()
    except (CustomsEnvError, OSError) as error:
        console.print(f"demo: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    except KeyboardInterrupt:
        return 130
    session.show_table()
    session.write(options.outputs / "demo.json", options.outputs / "traces", {"seeds": options.seeds})
    console.print(f"results in {options.outputs}/demo.json, traces in {options.outputs}/traces", highlight=False)
    if session.interrupted:
        return 130
    return 0 if session.complete else 1


if __name__ == "__main__":
    sys.exit(main())
