"""A server that is killed in mid-episode: the next one over the same store goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from episodes import ASK, right_answer, start

SEED = 1_000_001


@contextmanager
def process(path: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """Run the server as its own process on a free port; kill it in the end, without a word before."""
    command = [sys.executable, "-m", "customs_env.server.app", "--port", "0", "--log-level", "info"]
    environment = {**os.environ, "CUSTOMS_ENV_STORE": f"sqlite:///{path}/episodes.db"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=path
    ) as server:
        assert server.stderr is not None
        said = iter(server.stderr.readline, "")
        address = next(line.split("running on ")[1].split()[0] for line in said if "running on " in line)
        try:
            with httpx.Client(base_url=address, trust_env=False) as client:
                yield server, client
        finally:
            server.send_signal(signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_server_goes_on_in_mid_episode(tmp_path: Path) -> None:
    with process(tmp_path) as (_, client):
        mine = client.post("/reset", json={"seed": SEED}).json()["observation"]["episode_id"]
        ask = {"action": ASK, "episode_id": mine, "request_id": "r1"}
        asked = client.post("/step", json=ask).json()
    with process(tmp_path) as (_, client):
        assert client.post("/step", json=ask).json() == asked
        answer = client.post("/step", json={"action": right_answer(start()), "episode_id": mine}).json()
        assert (answer["reward"], answer["done"]) == (0.9, True)
