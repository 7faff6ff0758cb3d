"""The exceptions of customs_env, as one tree.

CustomsEnvError
├── TariffError            a code, rate or schedule that cannot be used
│   ├── CodeSpellingError  a text that is no tariff code in the written spelling
│   └── UnknownCodeError   a well-spelt code that the schedule does not hold
├── DataError              a data file of the package (or of the user) that breaks its own rules
├── InputError             an action or a request that breaks the contract (field, expected, got)
│   └── KeyRefusedError    (server.operators) the operator's key is missing or wrong
├── ProtocolError          a step where none is possible: never reset, or already done
│   └── EpisodeConflictError  (server.journals) a request that does not fit the episodes there are
├── CapacityError          more open episodes than the server allows
├── InternalError          (server.environment) a fault of the server; its log says what
├── UnscoredError          an agent that could not answer for a reason that is not its own
│   └── OutOfReachError    the same for a reason that the next episode will meet too
├── MissingExtraError      (client) a part of the package whose dependencies are not installed; an ImportError
├── ServiceError           the environment's server is out of reach, or answers what no environment answers
└── TraceError             a trace that cannot be read or reproduced
"""

from __future__ import annotations

from typing import Any

#: The longest piece of a caller's own input that a message repeats.
ECHO_LIMIT = 100


class CustomsEnvError(Exception):
    """Base of every error that this package raises on purpose."""


class TariffError(CustomsEnvError):
    """A code, rate or schedule cannot be used."""


class CodeSpellingError(TariffError):
    """A text is not a tariff code in the written spelling; the message says why."""


class UnknownCodeError(TariffError):
    """A well-spelt code stands in no table of this schedule."""


class DataError(CustomsEnvError):
    """A data file breaks its own rules."""


def shown(value: Any) -> str:
    """Return `value` as short text fit for a message: at most ECHO_LIMIT characters, never raising."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, (list, tuple, dict, set)):
        return f"{type(value).__name__} of length {len(value)}"
    else:
        try:
            text = repr(value)
        except ValueError:  # an integer beyond the interpreter's limit for decimal text
            return type(value).__name__
    if not text.isascii():  # half a surrogate pair could not be sent
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= ECHO_LIMIT else text[: ECHO_LIMIT - 1] + "…"


class InputError(CustomsEnvError):
    """A request or an action breaks the contract.

    `code` names the rule, `field` the offending field, `expected` what would have been accepted and `got`
    a short form of what came (at most ECHO_LIMIT characters).
    """

    def __init__(self, code: str, field: str, expected: str, got: Any) -> None:
        self.code = code
        self.field = field
        self.expected = expected
        self.got = shown(got)
        super().__init__(f"{field}: expected {expected}, got {self.got}")

    def to_dict(self) -> dict[str, str]:
        """Return the four parts as the wire shows them."""
        return {"code": self.code, "field": self.field, "expected": self.expected, "got": self.got}


class ProtocolError(CustomsEnvError):
    """A step where none is possible: nothing changes and nothing is paid."""


class CapacityError(CustomsEnvError):
    """The server holds as many open episodes as it may."""


class UnscoredError(CustomsEnvError):
    """The agent could not answer for a reason that is not its own (its model was out of reach).

    The runner records the episode as unscored (`None`), never as a zero.
    """


class OutOfReachError(UnscoredError):
    """What the agent asks is out of reach for every episode: a dead server, a wrong address, key or model."""


class ServiceError(CustomsEnvError):
    """The environment's server could not be reached, or answered what no environment answers."""


class TraceError(CustomsEnvError):
    """A trace cannot be read, or cannot be reproduced here; the message says why."""
