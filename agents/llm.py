"""A language model behind any OpenAI-compatible server.

Settings come from the environment: `API_BASE_URL` (default: OpenAI's, or Hugging Face's router where only
HF_TOKEN is set), `MODEL_NAME`, `OPENAI_API_KEY` or `HF_TOKEN`, `LLM_TEMPERATURE` (not sent unless set).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from customs_env.agents.base import Action, Observation
from customs_env.agents.prompt import SYSTEM, answer_schema, correction_text, user_text
from customs_env.agents.reading_answers import read_answer
from customs_env.errors import InputError, UnscoredError

HF_ROUTER = "https://router.huggingface.co/v1"
DEFAULT_MODELS = {"openai": "gpt-4.1-mini", "huggingface": "Qwen/Qwen2.5-72B-Instruct"}

ATTEMPTS = 5
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0

#: How the answer's form is asked for, best first; a server that refuses one is asked with the next.
FORMS = ("json_schema", "json_object", "text")

_TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_IS_IT_ONE = ": is API_BASE_URL an OpenAI-compatible server?"
_FORM_REFUSED = frozenset({400, 422, 501})


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """Where the model is and how it is asked."""

    model: str
    api_key: str
    base_url: str | None = None
    temperature: float | None = None
    timeout_s: float = 120.0

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> LLMSettings:
        """Read the settings; raise InputError where no key is set."""
        openai_key, hf_token = environ.get("OPENAI_API_KEY", ""), environ.get("HF_TOKEN", "")
        base_url = environ.get("API_BASE_URL") or None
        if not (openai_key or hf_token):
            raise InputError("missing_key", "OPENAI_API_KEY or HF_TOKEN", "a key in the environment", "none")
        house = "openai" if openai_key else "huggingface"
        if base_url is None and house == "huggingface":
            base_url = HF_ROUTER
        warmth = environ.get("LLM_TEMPERATURE", "").strip()
        try:
            temperature = float(warmth) if warmth else None
        except ValueError:
            raise InputError("wrong_type", "LLM_TEMPERATURE", "a number", warmth) from None
        return cls(
            model=environ.get("MODEL_NAME") or DEFAULT_MODELS[house],
            api_key=openai_key or hf_token,
            base_url=base_url,
            temperature=temperature,
        )


class LLMConnection:
    """One server, shared by all episodes of a run; it remembers which form of answer the server takes."""

    def __init__(self, settings: LLMSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        try:
            import openai
        except ImportError:
            raise InputError(
                "missing_package", "agent llm", "the package openai (pip install openai)", "none"
            ) from None
        self.settings = settings
        self.calls = 0
        self._openai = openai
        self._sleep = sleep
        self._form = 0
        # Our own retries: the SDK's sleep in real time and cannot be tested
        self._client = openai.OpenAI(
            api_key=settings.api_key, base_url=settings.base_url, timeout=settings.timeout_s, max_retries=0
        )

    def ask(self, messages: list[dict[str, str]], schema: Mapping[str, Any], draw: Random) -> str:
        """Return the model's text; raise UnscoredError when the server cannot be made to answer."""
        attempt, delay, form = 1, FIRST_DELAY_S, self._form
        while True:
            try:
                text = self._once(messages, schema, FORMS[form])
            except self._openai.APIStatusError as error:
                if error.status_code in _FORM_REFUSED and form + 1 < len(FORMS):
                    form += 1
                    continue
                if error.status_code not in _TRY_AGAIN or attempt >= ATTEMPTS:
                    raise UnscoredError(f"the model's server answered {error.status_code}: {_short(error)}") from error
                wait = _retry_after(error.response.headers.get("retry-after"))
            except self._openai.APIError as error:  # no connection, a time-out, a body that is no answer
                if attempt >= ATTEMPTS:
                    raise UnscoredError(f"the model's server cannot be used: {_short(error)}") from error
                wait = None
            else:
                self._form = max(self._form, form)  # a refused form is not asked for again
                return text
            # Jitter keeps parallel episodes from asking again all at once
            pause = delay * (1 + 0.25 * draw.random()) if wait is None else wait
            self._sleep(min(LONGEST_DELAY_S, pause))
            attempt, delay = attempt + 1, delay * 2

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _once(self, messages: list[dict[str, str]], schema: Mapping[str, Any], form: str) -> str:
        request: dict[str, Any] = {"model": self.settings.model, "messages": messages}
        if self.settings.temperature is not None:
            request["temperature"] = self.settings.temperature
        if form == "json_schema":
            wrapped = {"name": "customs_answer", "strict": True, "schema": dict(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": wrapped}
        elif form == "json_object":
            request["response_format"] = {"type": "json_object"}
        self.calls += 1
        try:
            completion = self._client.chat.completions.create(**request)
        except json.JSONDecodeError:  # the SDK lets it through when a body is no JSON
            raise UnscoredError(f"the model's server sent no JSON{_IS_IT_ONE}") from None
        choices = getattr(completion, "choices", None)
        if not choices or choices[0].message is None:
            raise UnscoredError(f"the model's server sent no choice{_IS_IT_ONE}")
        return str(choices[0].message.content or "")


def _retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, where it gives them as a number."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


class LLMAgent:
    """Ask the model at every step; a rejected answer goes back to it with the reason."""

    def __init__(self, connection: LLMConnection) -> None:
        self._connection = connection
        self._draw = Random(0)  # noqa: S311  jitter, no secret
        self._last_answer = ""

    @property
    def name(self) -> str:
        """The model's name."""
        return self._connection.settings.model

    def start(self, seed: int) -> None:
        """Forget the last episode."""
        self._draw = Random(seed)  # noqa: S311
        self._last_answer = ""

    def act(self, observation: Observation) -> Action:
        """Return what the model answers, read by the rule of `reading_answers`."""
        messages = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": user_text(observation)},
        ]
        if observation.get("error"):
            messages.append({"role": "assistant", "content": self._last_answer or "(nothing)"})
            messages.append({"role": "user", "content": correction_text(observation["error"])})
        self._last_answer = self._connection.ask(messages, answer_schema(observation), self._draw)
        return read_answer(self._last_answer)
