"""Who plays: agents that see the wire and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from customs_env.agents import constant
from customs_env.agents.base import Action, Agent, AgentFactory, Observation
from customs_env.agents.random import RandomAgent
from customs_env.agents.rules import RulesAgent
from customs_env.errors import InputError, UnscoredError

#: Every agent that needs nothing but this package. A new one is a file and an entry here.
BASELINES: Mapping[str, Callable[[], Agent]] = {
    "random": RandomAgent,
    "clear-all": constant.clear_all,
    "hold-all": constant.hold_all,
    "query-all": constant.query_all,
    "refer-all": constant.refer_all,
    "all-flags": constant.all_flags,
    "copy": constant.copier,
    "empty": constant.empty,
    "rules": RulesAgent,
}

#: The names that `agent_factory` knows.
AGENT_NAMES = (*BASELINES, "retrieval", "llm")


def agent_factory(name: str, tell: Callable[[str], None] = lambda _text: None) -> AgentFactory:
    """Return what makes a fresh agent for each episode; raise InputError for an unknown name.

    `tell` is given, at once, what the user should know while agents play (that a model is out of reach).
    """
    if name == "llm":
        from customs_env.agents.llm import LLMAgent
        from customs_env.agents.llm_connection import LLMConnection, LLMSettings

        connection = LLMConnection(LLMSettings.from_environment(), tell=tell)
        tell(f"asking the model {connection.settings.model} at {connection.address}")
        return lambda: LLMAgent(connection)
    if name == "retrieval":
        from customs_env.agents.retrieval import RetrievalAgent, tariff_index

        tariff_index()  # a missing extra is said before anything is played
        return RetrievalAgent
    if name not in BASELINES:
        raise InputError("unknown_agent", "agent", "one of " + ", ".join(AGENT_NAMES), name)
    return BASELINES[name]


__all__ = [
    "AGENT_NAMES",
    "BASELINES",
    "Action",
    "Agent",
    "AgentFactory",
    "Observation",
    "RulesAgent",
    "UnscoredError",
    "agent_factory",
]
