"""The layers hold, and each contract is seen to fire on a tree that breaks it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import customs_env

ROOT = Path(customs_env.__file__).parent

LINT = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"

#: A file, a line that must not stand in it, and the contract that says so.
BREACHES = [
    ("tariff/codes.py", "import customs_env.scenarios.tasks", "layers"),
    ("scenarios/tasks.py", "import customs_env.generator.draws", "layers"),
    ("graders/reward.py", "import customs_env.generator.draws", "layers"),
    ("env/render.py", "import customs_env.agents.base", "layers"),
    ("agents/base.py", "import customs_env.evaluation.trace", "layers"),
    ("evaluation/report.py", "import customs_env.server.wire", "layers"),
    ("agents/base.py", "import customs_env.scenarios.flags", "agents-know-no-truth"),
    ("agents/worth.py", "import customs_env.env.actions", "agents-know-no-truth"),
    ("server/tasks.py", "import customs_env.scenarios.truth", "truth"),
    ("env/render.py", "import customs_env.scenarios.truth", "truth"),
    ("evaluation/report.py", "import customs_env.scenarios.truth", "truth"),
    ("inference.py", "import customs_env.scenarios.truth", "truth"),
]


def lint(root: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in `root`, which goes before the installed one."""
    chosen = [argument for contract in contracts for argument in ("--contract", contract)]
    return subprocess.run(
        [sys.executable, "-c", LINT, "--config", str(ROOT / "pyproject.toml"), "--no-cache", *chosen],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the package's code under its own name."""
    root = tmp_path_factory.mktemp("layers")
    for path in ROOT.rglob("*.py"):
        inside = path.relative_to(ROOT)
        if inside.parts[0][0] == "." or inside.parts[0] in ("build", "tests", "scripts", "benchmarks"):
            continue
        target = root / "customs_env" / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return root


def test_all_contracts_are_kept(copied: Path) -> None:
    done = lint(copied)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("file", "line", "contract"), BREACHES)
def test_a_breach_is_found(copied: Path, file: str, line: str, contract: str) -> None:
    path = copied / "customs_env" / file
    kept = path.read_text(encoding="utf-8")
    path.write_text(f"{kept}\n\n{line}\n", encoding="utf-8")
    try:
        done = lint(copied, contract)
    finally:
        path.write_text(kept, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout
