"""Write the README's tables from the registries: `python scripts/readme_tables.py`; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from customs_env.scenarios.flags import FLAG_RULES
from customs_env.scenarios.tasks import TASKS

README = Path(__file__).resolve().parent.parent / "README.md"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tasks_table() -> str:
    """Return the tasks: steps, what an answer carries, what it is worth."""
    rows = []
    for task in TASKS.values():
        weights = " + ".join(f"{weight:.2f} `{field}`" for field, weight in task.weights.items())
        asks = ", ".join(f"`{field}`" for field in task.requestable) or "nothing"
        rows.append((f"`{task.task_id}`", f"`{task.long_name}`", str(task.max_steps), weights, asks))
    return _table(("id", "long name", "steps", "raw score", "can be requested"), rows)


def flags_table() -> str:
    """Return the findings: in which tasks, of which class, by which law."""
    rows = []
    for rule in FLAG_RULES:
        classes = ", ".join(rule.classes.values())
        rows.append((f"`{rule.name}`", ", ".join(rule.tasks), classes, rule.basis))
    return _table(("flag", "tasks", "class", "basis"), rows)


TABLES = {"tasks": tasks_table, "flags": flags_table}


def with_tables(text: str) -> str:
    """Return the README's text with every table as the registries have it."""
    for name, table in TABLES.items():
        before, start, rest = text.partition(f"<!-- table: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise SystemExit(f"README.md has no place for the table {name}")
        text = f"{before}{start}{table()}\n{end}{after}"
    return text


def main() -> int:
    """Write or compare; return 1 where the README is out of date."""
    text = README.read_text(encoding="utf-8")
    made = with_tables(text)
    if "--check" in sys.argv[1:]:
        return int(made != text)
    README.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
