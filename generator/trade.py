"""Parties, ports, banks and vessels that files are drawn from. Firms are invented; ports carry their UN/LOCODE."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data" / "trade.json"


@dataclass(frozen=True, slots=True)
class Trade:
    """The pools. Mappings run from country name to what is there."""

    countries: Mapping[str, str]
    shippers: Mapping[str, tuple[Mapping[str, str], ...]]
    importers: tuple[Mapping[str, str], ...]
    loading_ports: Mapping[str, tuple[str, ...]]
    discharge_ports: tuple[str, ...]
    port_marks: Mapping[str, str]
    bangladesh_discharge_ports: tuple[str, ...]
    inland_places: Mapping[str, tuple[str, ...]]
    banks: tuple[str, ...]
    vessels: tuple[str, ...]
    laboratories: tuple[str, ...]
    payment_terms: tuple[str, ...]
    containers: tuple[str, ...]
    transit_days: Mapping[str, int]
    west: frozenset[str]


#: Letter values of ISO 6346: A is 10, multiples of 11 are passed over.
_LETTER = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (n for n in range(10, 39) if n % 11), strict=True))


def container_number(owner: str, serial: int) -> str:
    """Return a container number with its ISO 6346 check digit (a remainder of 10 is written 0)."""
    body = f"{owner}U{serial:06d}"
    total = sum((_LETTER[char] if char.isalpha() else int(char)) << place for place, char in enumerate(body))
    return f"{body}{total % 11 % 10}"


def short_form(name: str) -> str:
    """Return a firm's name with its legal form in short."""
    name = name.replace("Private Limited", "Pvt. Ltd.").replace("Company Limited", "Co. Ltd.")
    return name.replace(" Limited", " Ltd")


def _letters(name: str) -> str:
    """Return the first three letters of a firm's name, which head its document numbers."""
    return "".join(filter(str.isalpha, name.upper()))[:3]


@lru_cache(maxsize=1)
def trade() -> Trade:
    """Return the pools, read once."""
    data: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))

    def labels(entries: list[dict[str, str]]) -> tuple[str, ...]:
        return tuple(f"{entry['name']} ({entry['locode']})" for entry in entries)

    # Garments of Bangladesh come in by sea at Nhava Sheva and Kolkata only; all goods of that origin are kept to them.
    open_to_bangladesh = [port for port in data["discharge_ports"] if port["locode"] in ("INNSA", "INCCU")]
    return Trade(
        countries=data["countries"],
        shippers={
            country: tuple({**firm, "country": country, "letters": _letters(firm["name"])} for firm in firms)
            for country, firms in data["shippers"].items()
        },
        importers=tuple(
            {
                **firm,
                "letters": "".join(word[0] for word in firm["name"].split(" ") if word[0].isupper()),
                "notify": f"{firm['name']}, {firm['address']}",
                "short": short_form(firm["name"]),
                "capitals": short_form(firm["name"]).upper(),
            }
            for firm in data["importers"]
        ),
        loading_ports={country: labels(ports) for country, ports in data["loading_ports"].items()},
        discharge_ports=labels(data["discharge_ports"]),
        port_marks={f"{port['name']} ({port['locode']})": port["name"].upper() for port in data["discharge_ports"]},
        bangladesh_discharge_ports=labels(open_to_bangladesh),
        inland_places={country: tuple(places) for country, places in data["inland_places"].items()},
        banks=tuple(data["banks"]),
        vessels=tuple(data["vessels"]),
        laboratories=tuple(data["laboratories"]),
        payment_terms=tuple(data["payment_terms"]),
        transit_days=data["transit_days"],
        west=frozenset(data["west"]),
        containers=tuple(
            container_number(owner, serial)
            for owner in ("QXB", "QZD", "QXF", "QZK")
            for serial in range(104_729, 999_999, 13_999)
        ),
    )
