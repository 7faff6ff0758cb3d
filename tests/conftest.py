"""Settings for all tests: sibling modules can be imported, hypothesis is deterministic and has no deadline (nothing is timed)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    import httpx
    from live_server import Live

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("project", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("project")


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    """A server for the tests of one module. Imported here: tests of the engine need no server to be installed."""
    from live_server import running

    with running() as server:
        yield server


@pytest.fixture
def client(live: Live) -> Iterator[httpx.Client]:
    """A client of the module's server."""
    with live.client() as http:
        yield http


@pytest.fixture
def alone() -> Iterator[httpx.Client]:
    """A client of a server that nobody else uses."""
    from live_server import running

    with running() as server, server.client() as http:
        yield http
