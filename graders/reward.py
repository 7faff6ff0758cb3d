"""From the raw score to the reward that is paid."""

from __future__ import annotations

FLOOR, CEILING = 0.1, 0.9
REWARD_SCALES = ("bounded", "raw")


def reward_of(raw: float, scale: str = "bounded", cost: float = 0.0) -> float:
    """Return the terminal reward: `0.1 + 0.8 x raw - cost`, four decimals, in [0.1, 0.9]; `raw` scale: in [0, 1].

    The cost of requests never takes the reward below the floor.
    """
    if scale == "raw":
        floor, ceiling, paid = 0.0, 1.0, raw - cost
    else:
        floor, ceiling, paid = FLOOR, CEILING, FLOOR + (CEILING - FLOOR) * raw - cost
    if paid <= floor:
        return floor
    return round(paid, 4) if paid < ceiling else ceiling


def floor_of(scale: str) -> float:
    """Return what an episode pays that ends without an answer."""
    return 0.0 if scale == "raw" else FLOOR
