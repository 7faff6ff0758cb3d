"""A file as a person reads it: plain text, the papers one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Every kind of paper, in the order of a file, with its title.
PAPER_TITLES = {
    "invoice": "COMMERCIAL INVOICE",
    "packing_list": "PACKING LIST",
    "bill_of_lading": "BILL OF LADING",
    "arrival_notice": "ARRIVAL NOTICE",
    "safety_data_sheet": "SAFETY DATA SHEET",
    "import_permits": "IMPORT PERMITS ON FILE",
    "azo_test_report": "AZO DYE TEST REPORT",
    "price_reference": "PRICE REFERENCE",
}


def _label(key: str) -> str:
    return key.replace("_", " ")


def _value(value: Any) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def _lines(content: Mapping[str, Any], indent: str) -> list[str]:
    shown = []
    for key, value in content.items():
        if key == "type":
            continue
        if isinstance(value, Mapping):
            shown.append(f"{indent}{_label(key)}:")
            shown.extend(_lines(value, indent + "    "))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            for number, entry in enumerate(value, 1):
                shown.append(f"{indent}{_label(key)} {number}:")
                shown.extend(_lines(entry, indent + "    "))
        elif isinstance(value, (list, tuple)):
            shown.append(f"{indent}{_label(key):<24} {', '.join(map(_value, value)) or '-'}")
        else:
            shown.append(f"{indent}{_label(key):<24} {_value(value)}")
    return shown


def render_paper(paper: Mapping[str, Any]) -> str:
    """Return one paper as text."""
    title = PAPER_TITLES.get(paper.get("type", ""), _label(str(paper.get("type", "paper"))).upper())
    return "\n".join([title, "-" * len(title), *_lines(paper, "  ")])


def render_observation(observation: Mapping[str, Any]) -> str:
    """Return a wire observation as text: what is asked, the papers, what was revealed, how it ended."""
    content = observation["document_content"]
    papers = content.get("documents", [content])
    head = (
        f"{observation['task_id']} ({observation['difficulty']})  file {observation['shipment_id']}  "
        f"step {observation['step_index']} of {observation['max_steps']}"
    )
    parts = [head, "=" * len(head), observation["task_instruction"], ""]
    for paper in papers:
        parts += [render_paper(paper), ""]
    if observation["flag_vocabulary"]:
        parts += ["FINDINGS TO LOOK FOR (rules: decision_policy)", f"  {', '.join(observation['flag_vocabulary'])}"]
        parts += ["RECOMMENDATIONS", f"  {', '.join(observation['decision_policy']['recommendations'])}"]
    if observation["available_fields"]:
        parts += ["CAN BE REQUESTED", f"  {', '.join(observation['available_fields'])}"]
    parts.append("")
    for field, answer in observation["revealed_content"].items():
        parts += [f"ANSWER: {_label(field)}", *_lines(answer, "  "), ""]
    if observation["error"]:
        error = observation["error"]
        parts.append(f"REJECTED: {error['field']}: expected {error['expected']}, got {error['got']}")
    if observation["breakdown"]:
        parts += ["RESULT", *_lines(observation["breakdown"], "  ")]
    parts.append(observation["message"])
    return "\n".join(parts)
