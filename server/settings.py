"""What an operator can set, each with its environment variable."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from customs_env.errors import InputError

BODY_LIMIT_BYTES = 256 * 1024
MAX_EPISODES = 20_000
IDLE_S = 3_600
KEEP_FINISHED = 10_000
MAX_SESSIONS = 512


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server runs. The defaults suit one process on one machine."""

    #: CUSTOMS_ENV_STORE: "memory", or "sqlite:///relative/path", "sqlite:////absolute/path"
    store: str = "memory"
    #: CUSTOMS_ENV_OPERATOR_KEY: opens /baseline and the answers in /grader; without it both stay shut
    operator_key: str = ""
    #: CUSTOMS_ENV_MAX_EPISODES: open HTTP episodes at a time
    max_episodes: int = MAX_EPISODES
    #: CUSTOMS_ENV_IDLE_S: an episode that nobody touched for so long is forgotten
    idle_s: float = IDLE_S
    #: CUSTOMS_ENV_KEEP_FINISHED: finished episodes kept for /grader and for repeated requests
    keep_finished: int = KEEP_FINISHED
    #: CUSTOMS_ENV_MAX_SESSIONS: open WebSockets at a time; and, counted by OpenEnv, its sessions at a time: those of
    #: the WebSockets and those that POST /mcp opens
    max_sessions: int = MAX_SESSIONS
    #: CUSTOMS_ENV_ALLOWED_ORIGINS: pages of other hosts that may play, and names of this machine that a proxy on
    #: it passes on, as https://host[:port], separated by commas
    allowed_origins: str = ""
    body_limit: int = BODY_LIMIT_BYTES

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the environment variables; raise InputError for one that cannot be used."""
        env = os.environ if environ is None else environ
        return cls(
            store=env.get("CUSTOMS_ENV_STORE") or "memory",
            operator_key=env.get("CUSTOMS_ENV_OPERATOR_KEY", ""),
            max_episodes=_count(env, "CUSTOMS_ENV_MAX_EPISODES", MAX_EPISODES),
            idle_s=_count(env, "CUSTOMS_ENV_IDLE_S", IDLE_S),
            keep_finished=_count(env, "CUSTOMS_ENV_KEEP_FINISHED", KEEP_FINISHED),
            max_sessions=_count(env, "CUSTOMS_ENV_MAX_SESSIONS", MAX_SESSIONS),
            allowed_origins=env.get("CUSTOMS_ENV_ALLOWED_ORIGINS", ""),
        )

    def origins(self) -> frozenset[str]:
        """Return the allowed origins, as a browser writes them."""
        listed = (origin.strip().lower().rstrip("/") for origin in self.allowed_origins.split(","))
        return frozenset(origin for origin in listed if origin)

    def sqlite_path(self) -> str | None:
        """Return the database file, or None for the memory store; raise InputError for anything else."""
        if self.store == "memory":
            return None
        prefix = "sqlite:///"
        if self.store.startswith(prefix) and len(self.store) > len(prefix):
            return self.store[len(prefix) :]
        raise InputError("invalid_value", "CUSTOMS_ENV_STORE", "memory or sqlite:///path", self.store)


def _count(env: Mapping[str, str], name: str, default: int) -> int:
    text = env.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:12]) <= 1_000_000_000:
        raise InputError("invalid_value", name, "a whole number from 1 to 1000000000", text)
    return int(text)
