"""Measure agents: clients of the wire, episodes in parallel, traces, the score table, the demo."""

from __future__ import annotations

from customs_env.errors import ServiceError, TraceError
from customs_env.evaluation.client import Client, HttpClient, LocalClient, Turn
from customs_env.evaluation.replaying import replay
from customs_env.evaluation.report import ScoreLine, interval, score_lines
from customs_env.evaluation.runner import EpisodePlan, agent_seed, play, play_all
from customs_env.evaluation.trace import EpisodeRecord, read_traces, write_traces

__all__ = [
    "Client",
    "EpisodePlan",
    "EpisodeRecord",
    "HttpClient",
    "LocalClient",
    "ScoreLine",
    "ServiceError",
    "TraceError",
    "Turn",
    "agent_seed",
    "interval",
    "play",
    "play_all",
    "read_traces",
    "replay",
    "score_lines",
    "write_traces",
]
