"""The server: OpenEnv's application with our HTTP episodes in it.

`customs_env.server.app:app` for uvicorn, `python -m customs_env.server.app` for a shell.
"""

from __future__ import annotations

import argparse
import gc
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Sequence
from socket import socket
from typing import NoReturn, cast

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.types import ConcurrencyConfig

from customs_env.env.reset import split_key
from customs_env.errors import DataError, InputError
from customs_env.server.environment import DESCRIPTION, ENV_NAME, CustomsEnvironment
from customs_env.server.episodes import EpisodeStore, make_store
from customs_env.server.guard import Guard, Receive, Scope, Send
from customs_env.server.models import CustomsObservation, CustomsState, WireAction
from customs_env.server.openapi import DOCUMENTED
from customs_env.server.pages import serve_pages
from customs_env.server.routes import RETRY_AFTER_S, EpisodeRoutes, is_locked, locked_refusal
from customs_env.server.settings import Settings
from customs_env.server.wire import Answer, input_refusal, refusal
from customs_env.tariff.loaded import lookup_schedule
from customs_env.versions import __version__

#: OpenEnv's routes that ours replace.
REPLACED = frozenset({"/reset", "/step", "/state", "/metadata"})


def build_app(settings: Settings, store: EpisodeStore | None = None) -> FastAPI:
    """Return the application; `store` stands in for the one that the settings ask for."""
    lookup_schedule()  # an unusable CUSTOMS_ENV_SCHEDULE, or too short a key, stops the server before anybody plays
    split_key()
    app = create_app(
        CustomsEnvironment,
        WireAction,
        CustomsObservation,
        env_name=ENV_NAME,
        concurrency_config=ConcurrencyConfig(
            max_concurrent_envs=settings.max_sessions, session_timeout=float(settings.idle_s)
        ),
        state_cls=CustomsState,
    )
    app.version = __version__
    app.title, app.description, app.contact, app.license_info = (
        ENV_NAME,
        DESCRIPTION,
        None,
        {"name": "Apache-2.0"},
    )
    paths = {getattr(route, "path", "") for route in app.router.routes}
    app.router.routes[:] = [route for route in app.router.routes if getattr(route, "path", "") not in REPLACED]
    episodes = EpisodeRoutes(store or make_store(settings))
    app.state.episodes = episodes
    handlers = {"/reset": episodes.reset, "/step": episodes.step, "/state": episodes.state}
    for path, handler in handlers.items():
        # OpenEnv's production mode is without these three; it stays so
        if path in paths:
            _serve_raw(app, path, handler)
    serve_pages(app, episodes, settings)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(InputError, _invalid_input)
    app.add_exception_handler(sqlite3.OperationalError, _store_failed)
    app.add_exception_handler(Exception, _internal_error)
    app.add_middleware(Guard, settings=settings)
    app.router.on_startup.append(episodes.open)
    app.router.on_shutdown.append(episodes.store.close)
    return app


def _serve_raw(app: FastAPI, path: str, handler: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
    """Serve `path` by an ASGI handler, documented as a FastAPI route and first to be matched.

    FastAPI would validate and copy every observation twice on its way out, which takes longer than the episode.
    """
    app.add_api_route(path, **DOCUMENTED[path])
    route = cast(APIRoute, app.router.routes.pop())
    route.app = handler
    app.router.routes.insert(0, route)


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, media_type="application/json")


async def _invalid_request(_request: Request, error: Exception) -> Response:
    """Answer what FastAPI finds wrong with a request to one of OpenEnv's routes, without repeating its input."""
    found = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    field = ".".join(str(part) for part in found.get("loc", ())) or "body"
    return _response(
        input_refusal(InputError("invalid", field[:100], str(found.get("msg", "another form")), found.get("input")))
    )


async def _invalid_input(_request: Request, error: Exception) -> Response:
    return _response(input_refusal(cast(InputError, error)))


async def _store_failed(_request: Request, error: Exception) -> Response:
    """Answer a store that another program holds; any other failure of it is a fault of ours."""
    if not is_locked(error):
        raise error
    answer = locked_refusal()
    return Response(answer.body, answer.status, {"retry-after": str(RETRY_AFTER_S)}, media_type="application/json")


async def _internal_error(_request: Request, _error: Exception) -> Response:
    """Answer a fault of ours. Its traceback goes to the log, never to the client."""
    return _response(refusal(500, "internal", "internal error: the server's log has it"))


app = build_app(Settings.from_environment())


class _AnnouncingServer(uvicorn.Server):
    """Says on standard error where it answers, once it does."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            bound = [listening.getsockname()[:2] for server in self.servers for listening in server.sockets]
            host, port = bound[0] if bound else (self.config.host, self.config.port)
            print(f"serving on http://{host}:{port} (Ctrl-C stops it)", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve on loopback port 8000 unless told otherwise (--host, --port, or PORT in the environment)."""
    parser = argparse.ArgumentParser(description="Serve customs_env over HTTP and WebSocket.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument(
        "--port", type=int, default=os.environ.get("PORT") or "8000", help="port (default: $PORT, else 8000)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes; more than one needs CUSTOMS_ENV_STORE=sqlite:///...",
    )
    parser.add_argument("--log-level", default="warning", help="uvicorn's log level (default: warning)")
    options = parser.parse_args(arguments)
    settings = Settings.from_environment()
    if options.workers > 1 and settings.sqlite_path() is None:
        parser.error("several workers need a store that they share: set CUSTOMS_ENV_STORE=sqlite:///path/to/file")
    # A message somewhat too long is answered with the reason (see Guard); one far beyond ends the session
    ws_max_size = 4 * settings.body_limit
    if options.workers > 1:
        _serve_workers(options, ws_max_size)
    try:
        app.state.episodes.open()
    except DataError as error:
        parser.error(str(error))
    # What the imports left behind lives as long as the process: the garbage collector need not look at it again
    gc.collect()
    gc.freeze()
    config = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        log_level=options.log_level,
        ws_max_size=ws_max_size,
        # Observations are sent to programs nearby: compressing one takes longer than playing it
        ws_per_message_deflate=False,
    )
    server = _AnnouncingServer(config)
    try:
        server.run()
    except SystemExit:  # uvicorn's way of saying that it could not start
        if server.started:
            raise
    if not server.started:
        parser.error(f"no server on {options.host} port {options.port}: the reason stands above; --port takes another")


def _serve_workers(options: argparse.Namespace, ws_max_size: int) -> NoReturn:
    """Become uvicorn's own command, which starts the workers.

    Workers import the main module of the process that starts them. Were it this one, with OpenEnv behind it, they
    would not be up within the five seconds that uvicorn gives them.
    """
    command = [sys.executable, "-m", "uvicorn", "customs_env.server.app:app"]
    command += ["--host", options.host, "--port", str(options.port), "--workers", str(options.workers)]
    command += ["--log-level", options.log_level, "--ws-max-size", str(ws_max_size)]
    command += ["--ws-per-message-deflate", "false"]
    os.execv(sys.executable, command)  # noqa: S606 - our own interpreter, with arguments of our own


if __name__ == "__main__":
    main()
