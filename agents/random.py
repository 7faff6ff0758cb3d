"""A player without eyes: every field is drawn, from the observation's vocabulary only."""

from __future__ import annotations

from random import Random

from customs_env.agents.base import RECOMMENDATIONS, Action, Observation, code_fields, final, line_count


class RandomAgent:
    """Submit at once: a random code, random flags, a random recommendation, random amounts."""

    name = "random"

    def __init__(self) -> None:
        self._draw = Random(0)  # noqa: S311  a player, no secret

    def start(self, seed: int) -> None:
        """Seed the draws of this episode."""
        self._draw = Random(seed)  # noqa: S311

    def act(self, observation: Observation) -> Action:
        """Return a final submission."""
        draw = self._draw
        codes = [
            f"{draw.randint(1, 97):02d}{draw.randint(1, 30):02d}{draw.randint(0, 9999):04d}"
            for _ in range(line_count(observation))
        ]
        vocabulary = list(observation.get("flag_vocabulary") or ())
        flags = draw.sample(vocabulary, draw.randint(0, min(3, len(vocabulary))))
        value = round(draw.uniform(100_000, 5_000_000), 2)
        return final(
            observation,
            {
                **code_fields(codes),
                "flags": flags,
                "recommendation": draw.choice(RECOMMENDATIONS),
                "assessable_value_inr": value,
                "duty_amount_inr": round(value * draw.uniform(0.0, 0.4), 2),
            },
        )
