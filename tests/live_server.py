"""A real server for tests: uvicorn in a thread, on a free loopback port, over any settings and clock."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from customs_env.server.app import build_app
from customs_env.server.episodes import EpisodeStore, make_store
from customs_env.server.settings import Settings

OPERATOR_KEY = "a key that only operators know"


class Clock:
    """Time that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class _ToldServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@dataclass
class Live:
    """A running server, its store, and its clock."""

    url: str
    store: EpisodeStore
    clock: Clock = field(default_factory=Clock)

    def client(self) -> httpx.Client:
        """Return a client that keeps no cookies unless it is told to."""
        return httpx.Client(base_url=self.url, timeout=30, trust_env=False)

    def session(self) -> ClientConnection:
        """Return a WebSocket session."""
        return connect(self.url.replace("http", "ws") + "/ws", compression=None, proxy=None, max_size=None)


@contextmanager
def running(settings: Settings | None = None, store: EpisodeStore | None = None) -> Iterator[Live]:
    """Run a server for as long as the block lasts."""
    clock = Clock()
    chosen = settings or Settings(operator_key=OPERATOR_KEY)
    kept = store or make_store(chosen, clock)
    listener = socket.create_server(("127.0.0.1", 0))
    server = _ToldServer(uvicorn.Config(build_app(chosen, kept), log_level="critical", ws_per_message_deflate=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        assert server.ready.wait(30)
        yield Live(f"http://127.0.0.1:{listener.getsockname()[1]}", kept, clock)
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()


def opened(client: httpx.Client, **arguments: Any) -> dict[str, Any]:
    """Reset over HTTP; return the observation."""
    answer = client.post("/reset", json=arguments)
    assert answer.status_code == 200, answer.text
    client.cookies.clear()
    observation: dict[str, Any] = answer.json()["observation"]
    return observation


def told(session: ClientConnection, kind: str, data: Any = None) -> dict[str, Any]:
    """Send one message and return the answer."""
    session.send(json.dumps({"type": kind} if data is None else {"type": kind, "data": data}))
    answer: dict[str, Any] = json.loads(session.recv(timeout=30))
    return answer


def stepped(client: httpx.Client, action: Any, **more: Any) -> httpx.Response:
    """Step over HTTP; `more` stands beside the action in the body."""
    return client.post("/step", json={"action": action, **more})
