"""Gymnasium environments for language models: a file as JSON text in, an action as JSON text out."""

from __future__ import annotations

import json
import string
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from customs_env.env.episode import Episode, resolve_request
from customs_env.env.observation import Observation
from customs_env.env.render import render_observation
from customs_env.env.strict_json import MAX_ACTION_BYTES, parse_json
from customs_env.errors import InputError, ProtocolError
from customs_env.scenarios.canonical import canonical_pool

#: Every character that an observation may hold and an action may use: ASCII with line breaks, Latin letters, the rupee
#: sign.
CHARSET = frozenset(string.printable) | frozenset(map(chr, range(0xA0, 0x180))) | frozenset("₹–—‘’“”…×≤≥")

MAX_OBSERVATION_CHARS = 200_000

#: What `reset(options=...)` takes beside `canonical` (the number of a canonical file).
_OPTIONS = ("split", "index", "difficulty", "seed", "reward_scale", "request_cost", "presentation")


class CustomsTextEnv(gymnasium.Env[str, str]):
    """One customs file an episode, for an agent that reads and writes text.

    Observation space
        `Text`: the wire observation as one JSON object (README, "The wire").
    Action space
        `Text`: one JSON object with the wire's action fields; what is no such object is rejected, with the reason in
        the observation.
    Rewards
        0.0 until the last step, then 0.1 to 0.9 (`reward_scale="raw"`: 0 to 1).
    Starting state
        A file drawn from `np_random`. `options`: `canonical` (number of a canonical file), or `seed`, `split`, `index`,
        `difficulty` as the reset arguments of the wire.
    End
        Terminated by a final submission; truncated when the steps, or eight rejections, are used up.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        task_id: str = "task3",
        difficulty: str = "standard",
        split: str = "train",
        reward_scale: str = "bounded",
        request_cost: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InputError("unknown_value", "render_mode", "ansi or None", render_mode)
        self.render_mode = render_mode
        self._defaults = {
            "task_id": task_id,
            "difficulty": difficulty,
            "split": split,
            "reward_scale": reward_scale,
            "request_cost": request_cost,
        }
        self._task_id = resolve_request(
            **self._defaults, index=0
        ).task.task_id  # refuses wrong defaults here, not at the first reset
        self.observation_space = Text(MAX_OBSERVATION_CHARS, min_length=0, charset=CHARSET)
        self.action_space = Text(MAX_ACTION_BYTES, min_length=0, charset=CHARSET)
        self._episode: Episode | None = None
        self._shown: dict[str, Any] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the file that `options` name, or else one drawn from `np_random`."""
        super().reset(seed=seed)
        if options is not None and not isinstance(options, dict):
            raise InputError("wrong_type", "options", "a dict or None", options)
        given = {name: value for name, value in (options or {}).items() if value is not None}
        for name in given:
            if name != "canonical" and name not in _OPTIONS:
                known = f"canonical, {', '.join(_OPTIONS)}"
                raise InputError("unknown_argument", f"options[{str(name)[:50]!r}]", known, "an unknown option")
        arguments = {**self._defaults, **given}
        canonical = arguments.pop("canonical", None)
        if canonical is not None:
            for name in ("index", "seed", "difficulty", "split"):
                if name in given:
                    raise InputError("conflict", f"options[{name!r}]", f"canonical or {name}, not both", given[name])
                arguments.pop(name, None)
            size = len(canonical_pool(self._task_id))
            if isinstance(canonical, bool) or not isinstance(canonical, int) or not 0 <= canonical < size:
                raise InputError("out_of_range", "options['canonical']", f"a number from 0 to {size - 1}", canonical)
            arguments |= {"canonical": True, "seed": canonical}
        else:
            arguments["canonical"] = False
            if "index" not in arguments:
                arguments.setdefault("seed", int(self.np_random.integers(2**32)))
        request = resolve_request(**arguments)
        self._episode = Episode(request)
        return self._text(self._episode.observation()), {"file": request.to_kwargs()}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Apply a JSON action.

        Raises:
            ProtocolError: before the first reset, or after the end.
        """
        if self._episode is None:
            raise ProtocolError("step before reset: reset starts an episode")
        if self._episode.done:
            raise ProtocolError("the episode is over: reset starts another")
        try:
            if not isinstance(action, str):
                raise InputError("wrong_type", "action", "JSON text", action)
            observation = self._episode.step(parse_json(action))
        except InputError as fault:
            observation = self._episode.reject(fault)
        info = {"breakdown": observation.to_dict()["breakdown"]} if observation.done else {}
        return self._text(observation), observation.reward, observation.terminated, observation.truncated, info

    def render(self) -> str | None:
        """Return the file as a person reads it (render mode `ansi`)."""
        return render_observation(self._shown) if self.render_mode == "ansi" and self._shown else None

    def _text(self, observation: Observation) -> str:
        self._shown = observation.to_dict()
        text = json.dumps(self._shown, ensure_ascii=False)
        if observation.error is not None and not CHARSET.issuperset(text):
            # What a rejection repeats may be any character; JSON can write it in ASCII, which the space holds.
            return json.dumps(self._shown).replace("\x7f", "\\u007f")
        return text
