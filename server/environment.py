"""The OpenEnv face of the engine: one object, one episode, for WebSocket sessions and for Python."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from openenv.core.env_server.interfaces import Environment

from customs_env.env.episode import Observation
from customs_env.errors import CustomsEnvError, InputError, ProtocolError
from customs_env.server.models import (
    CustomsAction,
    CustomsMetadata,
    CustomsObservation,
    CustomsState,
    action_payload,
)
from customs_env.server.play import Play, new_id, open_play
from customs_env.server.tasks import TaskCatalogue
from customs_env.server.wire import checked_id, observation_body
from customs_env.tariff.loaded import versions_in_force
from customs_env.versions import __version__

ENV_NAME = "customs_env"
DESCRIPTION = (
    "Work as an Indian customs broker: read the papers of a sea import, classify the goods, find what is wrong, say "
    "what should happen to the file, work out value and duty. Every answer is graded by a program."
)

logger = logging.getLogger(__name__)
Result = TypeVar("Result")


class InternalError(CustomsEnvError):
    """A fault of the server. What happened is in its log, not in its answers."""


class CustomsEnvironment(TaskCatalogue, Environment[CustomsAction, CustomsObservation, CustomsState]):
    """One customs file at a time.

    An action that breaks the contract comes back as an observation with `error`, reward 0.0, no step used. A step
    before the first reset or after the end raises ProtocolError, a reset with arguments that cannot be used
    InputError; either leaves everything as it was.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._play: Play | None = None

    def reset(self, /, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> CustomsObservation:
        """Open a file; `kwargs` are the other reset arguments, and an unknown one is an error that names the known."""
        return _copied(self._reset(seed, episode_id, kwargs))

    def step(
        self,
        action: CustomsAction,
        timeout_s: float | None = None,  # noqa: ARG002 - OpenEnv's signature
        **kwargs: Any,
    ) -> CustomsObservation:
        """Play one action. Steps take no time worth limiting: `timeout_s` is accepted and not needed."""
        return _copied(self._step(action, kwargs))

    # OpenEnv runs overridden async methods in its event loop and all others in a thread for each session. A step
    # takes microseconds: handing it to a thread would cost several times the step. What these return is written
    # out at once, so that it need not be copied.
    async def reset_async(
        self, /, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> CustomsObservation:
        """Open a file, for a WebSocket session."""
        return _guarded(lambda: _shared(self._reset(seed, episode_id, kwargs)))

    async def step_async(
        self,
        action: CustomsAction,
        timeout_s: float | None = None,  # noqa: ARG002 - OpenEnv's signature
        **kwargs: Any,
    ) -> CustomsObservation:
        """Play one action, for a WebSocket session."""
        return _guarded(lambda: _shared(self._step(action, kwargs)))

    def _reset(self, seed: int | None, episode_id: str | None, others: Mapping[str, Any]) -> Observation:
        known_as = new_id() if episode_id is None else checked_id(episode_id)
        self._play = open_play({**others, "seed": seed}, known_as)
        return self._play.episode.observation()

    def _step(self, action: CustomsAction, others: Mapping[str, Any]) -> Observation:
        for name, value in others.items():
            raise InputError("unknown_field", name, "an action and nothing else", value)
        if self._play is None:
            raise ProtocolError("no episode is open: reset first")
        return self._play.episode.step(action_payload(action))

    @property
    def state(self) -> CustomsState:
        """Where the episode stands; nothing of the truth."""
        return CustomsState() if self._play is None else CustomsState(**self._play.state())

    def get_metadata(self) -> CustomsMetadata:
        """Return name, description and versions."""
        return CustomsMetadata(
            name=ENV_NAME,
            description=DESCRIPTION,
            version=__version__,
            author="The customs_env authors",
            versions=versions_in_force(),
        )


def _shared(observation: Observation) -> CustomsObservation:
    """Return the engine's observation as OpenEnv's, without validating or copying what the engine has just made."""
    body = observation_body(observation)
    return CustomsObservation.model_construct(**body["observation"], reward=body["reward"], done=body["done"])


def _copied(observation: Observation) -> CustomsObservation:
    """Return the engine's observation as OpenEnv's, to be kept and changed as the caller likes."""
    return CustomsObservation(**observation.to_dict(), reward=observation.reward, done=observation.done)


def _guarded(call: Callable[[], Result]) -> Result:
    """Return what `call` returns. OpenEnv sends the text of any exception to the client: let out only our own."""
    try:
        return call()
    except CustomsEnvError:
        raise
    except Exception:  # whatever it is, its text must not reach the client; the log has it whole
        logger.exception("an episode failed")
        raise InternalError("internal error: the server's log has it") from None
