"""Goods: families of merchandise, the facts that decide their tariff item, and the words that state them.

This room lies under `scenarios`, because the truth of a file (is the description complete? do two papers
name the same goods?) needs the same facts for a file written by hand as for one drawn from a seed.
"""

from customs_env.goods.family import Family, Row, families, family, family_names

__all__ = ["Family", "Row", "families", "family", "family_names"]
