"""The other routes: the front page, /metadata, /tasks, /grader, and the operator's /baseline."""

from __future__ import annotations

from typing import Any, cast

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool

from customs_env.errors import InputError
from customs_env.server import operators
from customs_env.server.environment import DESCRIPTION, ENV_NAME, CustomsEnvironment
from customs_env.server.journals import EpisodeConflictError
from customs_env.server.models import CustomsMetadata
from customs_env.server.routes import EpisodeRoutes, named_id
from customs_env.server.settings import Settings
from customs_env.server.tasks import task_list
from customs_env.server.wire import input_refusal, json_bytes, refusal, request_object
from customs_env.tariff.loaded import versions_in_force

ROUTES = {
    "/reset": "POST: open an episode",
    "/step": "POST: play one action",
    "/state": "GET: where an episode stands",
    "/tasks": "GET: the tasks",
    "/grader": "GET: the breakdown of a finished episode",
    "/schema": "GET: action, observation, state",
    "/metadata": "GET: name and versions",
    "/health": "GET: is the server up",
    "/ws": "WebSocket: a session with an episode of its own",
    "/docs": "GET: everything, in a browser",
}


def serve_pages(app: FastAPI, episodes: EpisodeRoutes, settings: Settings) -> None:
    """Add the routes to the application."""

    @app.get("/", tags=["Environment Info"], summary="What this is and where to go")
    async def index() -> dict[str, Any]:
        return {"name": ENV_NAME, "description": DESCRIPTION, "versions": versions_in_force(), "routes": ROUTES}

    @app.get("/metadata", tags=["Environment Info"], summary="Name, description and versions")
    async def metadata() -> CustomsMetadata:
        return CustomsEnvironment().get_metadata()

    @app.get("/tasks", tags=["Environment Info"], summary="The tasks: what is asked, and what an answer carries")
    async def tasks() -> dict[str, Any]:
        return {"tasks": task_list()}

    async def grader(request: Request) -> Response:
        """Return reward and breakdown of a finished episode, to whoever knows its id (body, query, header or cookie).

        With the operator's key in X-Operator-Key, also the request, the actions and the right answer.
        """
        operator = operators.is_operator(request.headers.get(operators.KEY_HEADER), settings.operator_key)
        body = request_object(await request.body())
        episode_id = named_id(request.scope, body)
        if episode_id is None:
            return _json(
                409,
                {
                    "code": "episode_id_needed",
                    "detail": "name the episode: ?episode_id=, X-Episode-Id or cookie",
                },
            )
        try:
            entry = episodes.store.finished(episode_id)
        except EpisodeConflictError as error:
            answer = refusal(409, error.code, str(error))
            return Response(answer.body, answer.status, media_type="application/json")
        result = operators.result_of(entry)
        return _json(200, {**result, **operators.operator_record(entry)} if operator else result)

    async def baseline(request: Request) -> Response:
        """Play a baseline agent (`agent`, default rules) on `episodes` seeded files of each task. For operators."""
        if not operators.is_operator(request.headers.get(operators.KEY_HEADER), settings.operator_key):
            raise operators.KeyRefusedError
        agent, count = operators.baseline_request(request_object(await request.body()))
        return _json(200, await run_in_threadpool(operators.run_baseline, agent, count))

    async def key_refused(_request: Request, error: Exception) -> Response:
        return Response(input_refusal(cast(InputError, error)).body, 403, media_type="application/json")

    for method in ("GET", "POST"):
        app.add_api_route(
            "/grader",
            grader,
            methods=[method],
            tags=["Grading"],
            summary="Result of a finished episode",
            operation_id=f"grader_{method.lower()}",
        )
        app.add_api_route(
            "/baseline",
            baseline,
            methods=[method],
            tags=["Grading"],
            summary="Run a baseline (operators)",
            operation_id=f"baseline_{method.lower()}",
        )
    app.add_exception_handler(operators.KeyRefusedError, key_refused)


def _json(status: int, value: Any) -> Response:
    return Response(json_bytes(value), status, media_type="application/json")
