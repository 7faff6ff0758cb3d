"""The server of a language model: where it is, how it is asked, what is tried again and what is given up.

Settings come from the environment: `API_BASE_URL` (default: OpenAI's, or Hugging Face's router where only
HF_TOKEN is set), `MODEL_NAME`, `OPENAI_API_KEY` or `HF_TOKEN`, `LLM_TEMPERATURE` (not sent unless set).

Passing trouble (429, 5xx, time-outs, a connection that breaks) is tried again with growing pauses, ATTEMPTS times in
all. What no pause mends (no server at the address, a refused key, no such model, answers that no model's server gives)
is not. A server that fails for a reason that is not the one request's is out of reach: after GIVE_UP_AFTER episodes
in a row that ended so, for the same reason, it is asked no more. A 429 is none of these reasons: who is told to slow
down has reached the server.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from customs_env.errors import InputError, OutOfReachError, UnscoredError

if TYPE_CHECKING:
    import openai

HF_ROUTER = "https://router.huggingface.co/v1"
KEY_VARIABLES = ("OPENAI_API_KEY", "HF_TOKEN")
DEFAULT_MODELS = {"openai": "gpt-4.1-mini", "huggingface": "Qwen/Qwen2.5-72B-Instruct"}

#: A server that is there takes a connection at once, however long it thinks afterwards.
CONNECT_TIMEOUT_S = 10.0
ATTEMPTS = 5
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
GIVE_UP_AFTER = 2

#: How the answer's form is asked for, best first; a server that refuses one is asked with the next.
FORMS = ("json_schema", "json_object", "text")

_TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FORM_REFUSED = frozenset({400, 422, 501})
#: Answers to one request, which the next may not get: too long, refused in content, too many at a time.
_OF_ONE_REQUEST = frozenset({400, 409, 413, 422, 425, 429})


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
        """Read the settings; raise InputError where no key is set, or one cannot be used."""
        openai_key, hf_token = (environ.get(name, "").strip() for name in KEY_VARIABLES)
        if not (openai_key or hf_token):
            raise InputError("missing_key", " or ".join(KEY_VARIABLES), "a key in the environment", "none")
        if not re.fullmatch("[!-~]+", openai_key or hf_token):
            raise InputError("invalid_value", "the key", "printable ASCII without blanks", "other characters")
        house = "openai" if openai_key else "huggingface"
        # The SDK's own variable, which it reads where no address is given
        spare = "OPENAI_BASE_URL" if house == "openai" else ""
        for name in ("API_BASE_URL", spare):
            base_url = environ.get(name, "").strip() or None
            if base_url is not None:
                _check_address(name, base_url, (openai_key, hf_token))
                break
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


def _check_address(name: str, text: str, secrets: tuple[str, ...]) -> None:
    """Raise InputError where a setting is no address of a server over HTTP."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, half an IPv6 address
        usable = False
    if not usable or any(sign.isspace() or not sign.isprintable() for sign in text):
        got = "a key" if any(secret and secret in text for secret in secrets) else text
        raise InputError("invalid_value", name, "an address such as https://host/v1", got)


class _Trouble(NamedTuple):
    """Why a call failed; whether a pause may mend it (and how long a one), and whether it awaits the others too."""

    reason: str
    passing: bool = True
    out_of_reach: bool = True
    wait_s: float | None = None


class LLMConnection:
    """One server, shared by all episodes of a run.

    It remembers which form of answer the server takes and how many episodes in a row it failed. `tell` is given each
    new reason of trouble at once; neither it nor an error ever has the key.
    """

    def __init__(
        self,
        settings: LLMSettings,
        sleep: Callable[[float], None] = time.sleep,
        tell: Callable[[str], None] = lambda _text: None,
    ) -> None:
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
        self._tell = tell
        self._form = 0
        self._lock = threading.Lock()
        # Reasons without their particulars, which may differ each time (`_kind`)
        self._told: set[str] = set()
        self._failed_in_a_row = ("", 0)
        self._given_up: str | None = None
        # Our own retries: the SDK's sleep in real time and cannot be tested
        timeout = openai.Timeout(settings.timeout_s, connect=min(CONNECT_TIMEOUT_S, settings.timeout_s))
        self._client = openai.OpenAI(
            api_key=settings.api_key, base_url=settings.base_url, timeout=timeout, max_retries=0
        )
        # Without user and password, should the address have any
        address = self._client.base_url
        self.address = str(address.copy_with(userinfo=b"", query=None)).rstrip("/")

    def ask(self, messages: list[dict[str, str]], schema: Mapping[str, Any], draw: Random) -> str:
        """Return the model's text.

        Raises:
            UnscoredError: this request gets no answer.
            OutOfReachError: the server gives none to any request. The episode that gets this ends with it.
        """
        self.check_not_given_up()
        try:
            text = self._patiently(messages, schema, draw)
        except OutOfReachError as error:
            self._count_failure(str(error))
            raise
        except UnscoredError as error:
            self._tell_once(str(error))
            raise
        with self._lock:
            self._failed_in_a_row = ("", 0)
        return text

    def check_not_given_up(self) -> None:
        """Raise OutOfReachError where the server is asked no more."""
        if self._given_up is not None:
            raise OutOfReachError(self._given_up)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _count_failure(self, reason: str) -> None:
        self._tell_once(reason)
        with self._lock:
            before, count = self._failed_in_a_row
            count = count + 1 if _kind(reason) == before else 1
            self._failed_in_a_row = (_kind(reason), count)
            gives_up = count >= GIVE_UP_AFTER and self._given_up is None
            if gives_up:
                self._given_up = f"not asked, given up after {count} episodes in a row: {reason}"
        if gives_up:
            self._tell(f"given up after {count} episodes in a row for the same reason; the others are not played")

    def _tell_once(self, reason: str, more: str = "") -> None:
        kind = _kind(reason) + more
        with self._lock:
            new = kind not in self._told
            self._told.add(kind)
        if new:
            self._tell(reason + more)

    def _patiently(self, messages: list[dict[str, str]], schema: Mapping[str, Any], draw: Random) -> str:
        attempt, delay, form = 1, FIRST_DELAY_S, self._form
        while True:
            try:
                text = self._once(messages, schema, FORMS[form])
            except self._openai.APIError as error:
                if getattr(error, "status_code", None) in _FORM_REFUSED and form + 1 < len(FORMS):
                    form += 1
                    continue
                trouble = self._understood(error)
                if not trouble.passing or attempt >= ATTEMPTS:
                    kind = OutOfReachError if trouble.out_of_reach else UnscoredError
                    raise kind(trouble.reason) from error
            else:
                self._form = max(self._form, form)  # a refused form is not asked for again
                return text
            self._tell_once(trouble.reason, " (trying again)")
            # Jitter keeps parallel episodes from asking again all at once
            pause = delay * (1 + 0.25 * draw.random()) if trouble.wait_s is None else trouble.wait_s
            self._sleep(min(LONGEST_DELAY_S, pause))
            attempt, delay = attempt + 1, delay * 2

    def _understood(self, error: openai.APIError) -> _Trouble:
        """Return what an error of the SDK means for the next attempt and for the other episodes."""
        if isinstance(error, self._openai.APIStatusError):
            status = error.status_code
            # 429 also says that an account is empty, which no pause fills
            empty = error.code == "insufficient_quota"
            return _Trouble(
                f"{self._server} answered {status}: {self._short(error)}",
                passing=status in _TRY_AGAIN and not empty,
                out_of_reach=status not in _OF_ONE_REQUEST or empty,
                wait_s=_retry_after(error.response.headers.get("retry-after")),
            )
        if not isinstance(error, self._openai.APIConnectionError):
            return _Trouble(f"{self._server} cannot be used: {self._short(error)}")  # a body that is no answer
        # httpx's own errors stand behind the SDK's; a ConnectError says that there is nobody to talk to
        below = error.__cause__ or error
        name = type(below).__name__
        what = "was closed"
        if name == "ConnectError":
            what = "cannot be made"
        elif name == "ConnectTimeout":
            what = f"was not taken within {CONNECT_TIMEOUT_S:.0f} s"
        elif isinstance(error, self._openai.APITimeoutError):
            what = f"brought no answer within {self.settings.timeout_s:.0f} s"
        reason = f"the connection to {self._server} {what}: {self._short(below) or name}"
        return _Trouble(reason, passing=name != "ConnectError")

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
            raise OutOfReachError(f"{self._server} sent no JSON: is it OpenAI-compatible?") from None
        choices = getattr(completion, "choices", None)
        if not choices or choices[0].message is None:
            raise OutOfReachError(f"{self._server} sent no choice: is it OpenAI-compatible?")
        return str(choices[0].message.content or "")

    @property
    def _server(self) -> str:
        return f"the model's server at {self.address}"

    def _short(self, error: BaseException) -> str:
        text = " ".join(str(error).split())
        return text.replace(self.settings.api_key, "(the key)")[:200]


def _kind(reason: str) -> str:
    """Return a reason without its particulars: what stands before the colon."""
    return reason.partition(": ")[0]


def _retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, where it gives them as a number."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
