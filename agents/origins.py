"""Countries of origin: where papers state them, and what is a country at all."""

from __future__ import annotations

import re
from typing import Any

from customs_env.agents.papers import Papers
from customs_env.agents.reading import ascii_fold, words

#: Countries that trade with India by sea, as papers name them; `EU` or "as per contract" is none.
_COUNTRY_LIST = """
argentina; australia; austria; bahrain; bangladesh; belgium; brazil; bulgaria; cambodia; canada; chile;
china; colombia; croatia; cyprus; czech republic; czechia; denmark; egypt; estonia; ethiopia; finland;
france; germany; ghana; great britain; greece; hong kong; hong kong china; hungary; iceland; indonesia;
iran; iraq; ireland; israel; italy; japan; jordan; kenya; korea; kuwait; latvia; lithuania; luxembourg;
malaysia; malta; mauritius; mexico; morocco; mozambique; myanmar; nepal; netherlands; new zealand; nigeria;
norway; oman; pakistan; peru; philippines; poland; portugal; pr china; qatar; republic of korea; romania;
russia; russian federation; saudi arabia; serbia; singapore; slovakia; slovenia; south africa; south korea;
spain; sri lanka; sweden; switzerland; taiwan; tanzania; thailand; the netherlands; tunisia; turkey;
turkiye; uae; uganda; uk; ukraine; united arab emirates; united kingdom; united states; united states of
america; uruguay; usa; viet nam; vietnam; zambia; zimbabwe
"""
COUNTRIES = frozenset(" ".join(name.split()) for name in _COUNTRY_LIST.split(";"))

_SAME = {
    "the netherlands": "netherlands",
    "republic of korea": "south korea",
    "korea": "south korea",
    "usa": "united states",
    "united states of america": "united states",
    "uae": "united arab emirates",
    "uk": "united kingdom",
    "great britain": "united kingdom",
    "viet nam": "vietnam",
    "turkiye": "turkey",
    "czechia": "czech republic",
    "pr china": "china",
    "hong kong china": "hong kong",
    "russian federation": "russia",
}

_STATEMENT = re.compile(r" (?:made in|product of|country of origin|origin) ((?:[a-z]+ ){1,4})")


def country(text: Any) -> str:
    """Return the country that a text names, in one spelling; empty where it names none."""
    name = words(ascii_fold(text)).strip()
    return _SAME.get(name, name) if name in COUNTRIES else ""


def same_country(first: Any, second: Any) -> bool:
    """Tell whether two texts name one country."""
    one, other = country(first) or words(first).strip(), country(second) or words(second).strip()
    return bool(one) and one == other


def _in_statements(text: Any) -> list[str]:
    """Return the countries that statements such as "Made in Italy" inside a text name."""
    found = []
    for tail in _STATEMENT.findall(words(text)):
        parts = tail.split()
        # the longest run of words that is a country: "united arab emirates carton" names one
        named = [country(" ".join(parts[:length])) for length in range(len(parts), 0, -1)]
        found += [name for name in named if name][:1]
    return found


def origins(papers: Papers) -> list[str]:
    """Return the countries of origin that the papers give, the requested certificate among them."""
    given = [paper.get("country_of_origin") for paper in (papers.invoice, papers.packing_list, papers.certificate)]
    texts = [paper.get("marks") for paper in (papers.invoice, papers.packing_list, papers.bill)]
    for paper in (papers.invoice, papers.packing_list):
        texts += [line.get("description") for line in paper.get("lines") or ()]
    found = [country(name) for name in given] + [name for text in texts for name in _in_statements(text)]
    return list(dict.fromkeys(name for name in found if name))
