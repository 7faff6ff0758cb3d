"""How the HTTP episodes are documented in /openapi.json: the shapes that `routes` serves as plain ASGI.

Only documentation: requests are checked by `wire`, `routes` and the engine, answers are written by them.
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import Cookie, Header, Query
from pydantic import BaseModel, ConfigDict, Field

from customs_env.server.models import ActionError, CustomsAction, CustomsObservation, CustomsState


class ResetArguments(BaseModel):
    """Which file to open. Nothing is required; an unknown argument is an error that names the known ones."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"task_id": "task3", "seed": 1000042}, {}]}
    )

    task_id: str | None = Field(default=None, description="task1, task2, task3 or the long name of one.")
    seed: int | None = Field(
        default=None,
        ge=0,
        description="Below 1000000 without split, index, difficulty: a canonical file. Else a file drawn from the "
        "seed. Without seed and index one is drawn and reported in /state.",
    )
    difficulty: str | None = Field(default=None, description="Level: easy or standard.")
    split: Literal["train", "validation", "test"] | None = Field(default=None, description="Split, default train.")
    index: int | None = Field(default=None, ge=0, description="File `index` of the split; not together with seed.")
    canonical: bool | None = Field(default=None, description="Ask outright for a canonical file, or for none.")
    presentation: str | None = Field(default=None, description="Form in which the papers are shown.")
    duty_blind: bool | None = Field(
        default=None, description="task3 with the classification committed before any rate."
    )
    reward_scale: str | None = Field(default=None, description="`raw` pays in [0, 1] instead of 0.1 + 0.8 x raw.")
    request_cost: float | None = Field(default=None, ge=0, description="Charge at the end for each requested field.")
    episode_id: str | None = Field(
        default=None, max_length=255, description="Your own id. Without it an unguessable one is issued."
    )
    request_id: str | None = Field(
        default=None,
        max_length=255,
        description="With your own episode_id: a repeated reset gets the same answer.",
    )


class StepArguments(BaseModel):
    """One action, and the episode that it is for."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"action": {"hs_code": "40091100"}, "episode_id": "from-reset"}]},
    )

    action: CustomsAction = Field(description="The action; its schema is in /schema too.")
    episode_id: str | None = Field(default=None, max_length=255, description="From /reset.")
    request_id: str | None = Field(
        default=None, max_length=255, description="A repeated request_id gets the answer of the first time."
    )
    timeout_s: float | None = Field(default=None, gt=0, description="Accepted as in OpenEnv; no step takes long.")


class EpisodeAnswer(BaseModel):
    """An observation with what it pays."""

    observation: CustomsObservation = Field(description="What the agent sees; reward and done stand beside it.")
    reward: float = Field(description="0.0 until the end, then from 0.1 to 0.9.")
    done: bool = Field(description="Whether the episode is over.")


class Refusal(BaseModel):
    """Why a request was not served, and the way out."""

    code: str = Field(description="Name of the reason.")
    detail: str = Field(description="The reason and the way out, in words.")


_PROBLEMS: dict[int | str, dict[str, Any]] = {
    409: {"model": Refusal, "description": "No such step is possible; nothing changed, nothing is paid."},
    403: {"model": Refusal, "description": "A web page of another host sends it, or a host that is not allowed."},
    413: {"model": Refusal, "description": "The body is larger than 256 KB."},
    422: {
        "model": ActionError,
        "description": "The request or the action breaks the contract; the episode is kept.",
    },
    503: {"model": Refusal, "description": "All places for open episodes are taken, or the store is busy."},
}


async def _reset(request: ResetArguments) -> EpisodeAnswer:
    """Open an episode.

    The answer carries `episode_id` in the observation and as a cookie: send either back with every step.
    """
    raise NotImplementedError  # served by EpisodeRoutes.reset


async def _step(
    request: StepArguments,
    episode_id: str | None = Query(default=None, description="The episode, if not in the body."),
    x_episode_id: str | None = Header(default=None, description="The episode, if not in body or query."),
    cookie_id: str | None = Cookie(default=None, alias="episode_id", description="The episode, as /reset set it."),
) -> EpisodeAnswer:
    """Play one action.

    Without an id the step is for the only open episode, where there is exactly one. An action that breaks the
    contract is answered with 422 and costs no step; the eighth such ends the episode, which is answered with 200
    and `done`. A finished episode is never graded again.
    """
    raise NotImplementedError  # served by EpisodeRoutes.step


async def _state(
    episode_id: str | None = Query(default=None, description="The episode."),
    x_episode_id: str | None = Header(default=None, description="The episode, if not in the query."),
    cookie_id: str | None = Cookie(default=None, alias="episode_id", description="The episode, as /reset set it."),
) -> CustomsState:
    """Tell where an episode stands. Nothing of the truth is in it."""
    raise NotImplementedError  # served by EpisodeRoutes.state


#: Arguments of `FastAPI.add_api_route` for each of the three.
DOCUMENTED: dict[str, dict[str, Any]] = {
    "/reset": {
        "endpoint": _reset,
        "methods": ["POST"],
        "name": "reset",
        "tags": ["Environment Control"],
        "responses": {code: _PROBLEMS[code] for code in (403, 409, 413, 422, 503)},
    },
    "/step": {
        "endpoint": _step,
        "methods": ["POST"],
        "name": "step",
        "tags": ["Environment Control"],
        "responses": {code: _PROBLEMS[code] for code in (403, 409, 413, 422, 503)},
    },
    "/state": {
        "endpoint": _state,
        "methods": ["GET"],
        "name": "state",
        "tags": ["State Management"],
        "responses": {code: _PROBLEMS[code] for code in (403, 409, 413, 422, 503)},
    },
}
