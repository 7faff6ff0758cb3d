"""The wire from the player's side: one interface, over HTTP or in this process.

Both clients may be shared by threads. An action that the environment rejects comes back as an observation
with `error`, whatever the transport.
"""

from __future__ import annotations

import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Protocol

from customs_env.errors import CapacityError, InputError, ProtocolError, ServiceError
from customs_env.tariff.loaded import versions_in_force

ATTEMPTS = 4
FIRST_DELAY_S = 0.25


@dataclass(frozen=True, slots=True)
class Turn:
    """What the environment says after a reset or a step. `reward` is 0.0 until the end."""

    observation: dict[str, Any]
    reward: float
    done: bool

    @property
    def episode_id(self) -> str:
        """The id that the next step has to name."""
        return str(self.observation.get("episode_id", ""))


class Client(Protocol):
    """An environment that can hold many episodes at once."""

    def reset(self, arguments: Mapping[str, Any]) -> Turn:
        """Open an episode; raise InputError where an argument is not accepted."""
        ...

    def step(self, episode_id: str, action: Mapping[str, Any]) -> Turn:
        """Play one action; raise ProtocolError where the episode is over or unknown."""
        ...

    def versions(self) -> dict[str, str]:
        """Return the versions that fix what a seed means."""
        ...

    def close(self) -> None:
        """Let go of connections and episodes."""
        ...


class HttpClient:
    """Talk to a server at `base_url`; raise ServiceError when it cannot be used."""

    def __init__(self, base_url: str, timeout_s: float = 30.0, sleep: Callable[[float], None] = time.sleep) -> None:
        import httpx

        if not base_url.startswith(("http://", "https://")):
            raise InputError("invalid_value", "base_url", "an address with http:// or https://", base_url)
        self.base_url = base_url.rstrip("/")
        self._httpx = httpx
        self._sleep = sleep
        self._run, self._requests = secrets.token_hex(8), itertools.count(1)
        self._last: dict[str, dict[str, Any]] = {}
        # No cookies: the episode's id travels in the body, and one jar would be shared by all threads
        jar = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        self._http = httpx.Client(
            base_url=self.base_url,
            timeout=timeout_s,
            cookies=jar,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
        )

    def reset(self, arguments: Mapping[str, Any]) -> Turn:
        """Open an episode on the server."""
        body = {**arguments, "request_id": f"{self._run}-{next(self._requests)}"}
        turn = self._turn(self._send("POST", "/reset", body))
        self._last[turn.episode_id] = turn.observation
        return turn

    def step(self, episode_id: str, action: Mapping[str, Any]) -> Turn:
        """Play one action; a lost answer is asked for again under the same request id and counts once."""
        body = {
            "action": dict(action),
            "episode_id": episode_id,
            "request_id": f"{self._run}-{next(self._requests)}",
        }
        try:
            turn = self._turn(self._send("POST", "/step", body))
        except InputError as error:
            observation = {**self._last.get(episode_id, {}), "error": error.to_dict()}
            return Turn(observation, 0.0, False)
        if turn.done:
            self._last.pop(episode_id, None)
        else:
            self._last[episode_id] = turn.observation
        return turn

    def versions(self) -> dict[str, str]:
        """Return the versions of the server's /metadata."""
        return versions_of(self._send("GET", "/metadata", None))

    def get(self, path: str) -> dict[str, Any]:
        """Return the JSON object of a read-only route."""
        return self._send("GET", path, None)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        delay = FIRST_DELAY_S
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._http.request(method, path, json=body)
            except (self._httpx.TransportError, self._httpx.InvalidURL) as error:
                if attempt == ATTEMPTS:
                    raise ServiceError(
                        f"no environment answers at {self.base_url} ({type(error).__name__}): is it running?"
                    ) from error
            else:
                if response.status_code not in (429, 502, 503, 504):
                    return self._understood(path, response.status_code, response.content)
                if attempt == ATTEMPTS:
                    raise CapacityError(f"{self.base_url} is busy ({response.status_code}): try again later")
            self._sleep(delay)
            delay *= 2
        raise AssertionError("unreachable")  # the last attempt returns or raises

    def _understood(self, path: str, status: int, content: bytes) -> dict[str, Any]:
        try:
            value = json.loads(content)
        except ValueError:
            value = None
        if status < 300 and isinstance(value, dict):
            return value
        told = value if isinstance(value, dict) else {}
        reason = told.get("error", told.get("detail", told))
        if status == 422:
            raise _input_error(reason)
        message = reason.get("message", reason) if isinstance(reason, dict) else reason
        if status == 409:
            raise ProtocolError(str(message))
        raise ServiceError(f"{self.base_url}{path} answered {status}: {str(message)[:200]}")

    @staticmethod
    def _turn(value: dict[str, Any]) -> Turn:
        observation = value.get("observation")
        if not isinstance(observation, dict):
            raise ServiceError("the server's answer has no observation: is it a customs_env server?")
        return Turn(observation, float(value.get("reward") or 0.0), bool(value.get("done")))


def _input_error(reason: Any) -> InputError:
    """Return the InputError that a 422 states: ours has four parts, FastAPI's is a list of findings."""
    if isinstance(reason, list) and reason and isinstance(reason[0], dict):
        first = reason[0]
        field = ".".join(str(part) for part in first.get("loc", ()))
        return InputError("invalid", field or "body", str(first.get("msg", "another form")), first.get("input"))
    told = reason if isinstance(reason, dict) else {"expected": reason}
    return InputError(
        str(told.get("code", "invalid")),
        str(told.get("field", "body")),
        str(told.get("expected", "another form")),
        told.get("got", ""),
    )


def versions_of(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions of /metadata under their names in `customs_env.versions`."""
    told = metadata.get("versions")
    if not isinstance(told, Mapping):
        return {}
    return {str(name).removesuffix("_version"): str(version) for name, version in told.items()}


class LocalClient:
    """Play in this process, on the same engine that the server serves."""

    def __init__(self) -> None:
        from customs_env.env import episode

        self._engine = episode
        self._count = itertools.count(1)
        self._open: dict[str, Any] = {}
        self._lock = threading.Lock()

    def reset(self, arguments: Mapping[str, Any]) -> Turn:
        """Open an episode."""
        request = self._engine.resolve_request(**arguments)
        with self._lock:
            episode_id = str(arguments.get("episode_id") or f"local-{next(self._count)}")
        played = self._engine.Episode(request, episode_id)
        self._open[episode_id] = played
        return self._turn(played.observation())

    def step(self, episode_id: str, action: Mapping[str, Any]) -> Turn:
        """Play one action."""
        played = self._open.get(episode_id)
        if played is None:
            raise ProtocolError(f"episode {episode_id!r} is over or was never opened: reset first")
        turn = self._turn(played.step(action))
        if turn.done:
            del self._open[episode_id]
        return turn

    def versions(self) -> dict[str, str]:
        """Return the versions of the installed package."""
        return versions_in_force()

    def close(self) -> None:
        """Forget all open episodes."""
        self._open.clear()

    @staticmethod
    def _turn(observation: Any) -> Turn:
        return Turn(observation.to_dict(), float(observation.reward), bool(observation.done))
