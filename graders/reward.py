"""From the raw score to the reward that is paid."""

from __future__ import annotations

FLOOR, CEILING = 0.1, 0.9
REWARD_SCALES = ("bounded", "raw")


def reward_of(raw: float, scale: str = "bounded", cost: float = 0.0) -> float:
    """Return the terminal reward: `0.1 + 0.8 x raw - cost`, four decimals, in [0.1, 0.9]; `raw` scale: in [0, 1].

    The cost of requests never takes the reward below the floor.
    """
    if scale == "raw":
        return round(min(1.0, max(0.0, raw - cost)), 4)
    return round(min(CEILING, max(FLOOR, FLOOR + (CEILING - FLOOR) * raw - cost)), 4)


def floor_of(scale: str) -> float:
    """Return what an episode pays that ends without an answer."""
    return 0.0 if scale == "raw" else FLOOR
