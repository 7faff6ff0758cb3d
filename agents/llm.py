"""A language model behind any OpenAI-compatible server, as an agent.

The connection and its settings are in `llm_connection`.
"""

from __future__ import annotations

from random import Random

from customs_env.agents.base import Action, Observation
from customs_env.agents.llm_connection import LLMConnection
from customs_env.agents.prompt import SYSTEM, answer_schema, correction_text, user_text
from customs_env.agents.reading_answers import read_answer


class LLMAgent:
    """Ask the model at every step; a rejected answer goes back to it with the reason."""

    def __init__(self, connection: LLMConnection) -> None:
        self._connection = connection
        self._draw = Random(0)  # noqa: S311  jitter, no secret
        self._last_answer = ""
        #: What could not be read of the last answer, or None.
        self.note: str | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._connection.settings.model

    def start(self, seed: int) -> None:
        """Forget the last episode; raise OutOfReachError where the model has been given up."""
        self._connection.check_not_given_up()
        self._draw = Random(seed)  # noqa: S311
        self._last_answer = ""
        self.note = None

    def act(self, observation: Observation) -> Action:
        """Return what the model answers, read by the rule of `reading_answers`."""
        messages = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": user_text(observation)},
        ]
        if observation.get("error"):
            messages.append({"role": "assistant", "content": self._last_answer or "(nothing)"})
            messages.append({"role": "user", "content": correction_text(observation["error"], self.note)})
        self._last_answer = self._connection.ask(messages, answer_schema(observation), self._draw)
        action, self.note = read_answer(self._last_answer, observation.get("flag_vocabulary") or ())
        return action
