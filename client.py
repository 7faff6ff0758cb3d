"""The client: play episodes of a running server over its WebSocket.

    with CustomsEnv(base_url="http://127.0.0.1:8000").sync() as env:
        result = env.reset(task_id="task2", canonical=True, seed=1)
        result = env.step({"flags": ["quantity_mismatch"], "recommendation": "hold"})
        print(result.reward, result.observation.breakdown)

Each client has a session and an episode of its own. Needs the extra `server` (OpenEnv); nothing of the server is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from customs_env.errors import CustomsEnvError


class MissingExtraError(CustomsEnvError, ImportError):
    """The extra `server` is not installed, of which this module needs OpenEnv's client and the models."""


try:
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient

    from customs_env.server.models import CustomsAction, CustomsObservation, CustomsState, action_payload
except ModuleNotFoundError as fault:
    raise MissingExtraError(
        "customs_env.client needs the extra `server`: pip install 'customs-env[server]', or '.[server]' in a checkout "
        f"(no module {fault.name})"
    ) from fault

__all__ = ["CustomsAction", "CustomsEnv", "CustomsObservation", "CustomsState", "MissingExtraError"]


class CustomsEnv(EnvClient[Any, CustomsObservation, CustomsState]):
    """OpenEnv's client with this environment's types.

    `step` takes a CustomsAction or a plain mapping of its fields. A mapping is sent as it is, so that what the
    environment thinks of it can be seen: an invalid action comes back as an observation with `error`.
    """

    def _step_payload(self, action: CustomsAction | Mapping[str, Any]) -> dict[str, Any]:
        return dict(action_payload(action))

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[CustomsObservation]:
        told = {**payload.get("observation", {}), "reward": payload.get("reward"), "done": payload.get("done", False)}
        observation = CustomsObservation(**told)
        return StepResult(observation=observation, reward=payload.get("reward"), done=observation.done)

    def _parse_state(self, payload: dict[str, Any]) -> CustomsState:
        return CustomsState(**payload)
