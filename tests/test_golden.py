"""Published seeds stay the same files, truths and scores, unless a version says otherwise."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from drawn_files import LEVELS

from customs_env.versions import VERSIONS


def _script() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "make_golden.py"
    spec = importlib.util.spec_from_file_location("make_golden", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


golden = _script()
each_level = pytest.mark.parametrize(("task", "level"), LEVELS)


@pytest.fixture(scope="module")
def now() -> dict[tuple[str, str], dict[str, Any]]:
    return {(task, level): golden.golden_of(task, level) for task, level in LEVELS}


def kept(task: str, level: str) -> dict[str, Any]:
    return dict(json.loads(golden.path_of(task, level).read_text(encoding="utf-8")))


@each_level
@pytest.mark.parametrize("part", ["file", "truth", "rewards"])
def test_nothing_moved_without_its_version(
    task: str, level: str, part: str, now: dict[tuple[str, str], dict[str, Any]]
) -> None:
    old, new = kept(task, level), now[task, level]
    moved = [one["seed"] for one, other in zip(old["files"], new["files"], strict=True) if one[part] != other[part]]
    version = golden.COVERED_BY[part]
    assert not moved, f"{part} of seeds {moved} moved: raise the {version} version and run scripts/make_golden.py"


@each_level
def test_the_golden_files_carry_the_present_versions_and_twenty_seeds(task: str, level: str) -> None:
    old = kept(task, level)
    assert old["versions"] == {name: VERSIONS[name] for name in ("generation", "truth", "grading")}
    assert len({one["seed"] for one in old["files"]}) == len(old["files"]) == 20


@each_level
def test_the_right_answer_of_each_golden_file_pays_09(task: str, level: str) -> None:
    assert {one["rewards"][0] for one in kept(task, level)["files"]} == {0.9}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the script write two seeds of one task into a folder of the test's own."""
    monkeypatch.setattr(golden, "GOLDEN", tmp_path)
    monkeypatch.setattr(golden, "SEEDS", (1, 2))
    monkeypatch.setattr(golden, "TASKS", {"task2": golden.TASKS["task2"]})
    monkeypatch.setattr(golden, "DIFFICULTIES", ("easy",))
    return tmp_path / "task2_easy.json"


@pytest.mark.parametrize(("part", "version"), [("file", "generation"), ("truth", "truth"), ("rewards", "grading")])
def test_the_script_refuses_to_overwrite_what_moved_unless_its_version_was_raised(
    small: Path, monkeypatch: pytest.MonkeyPatch, part: str, version: str
) -> None:
    assert golden.main([]) == 0
    written = json.loads(small.read_text())
    spoilt = json.loads(small.read_text())
    spoilt["files"][0][part] = "moved"
    small.write_text(json.dumps(spoilt))
    assert golden.main([]) == 1
    assert golden.main(["--check"]) == 1
    assert json.loads(small.read_text()) == spoilt
    raised = {**golden.VERSIONS, version: "a later one"}
    monkeypatch.setattr(golden, "VERSIONS", raised)
    assert golden.main([]) == 0
    assert json.loads(small.read_text())["files"] == written["files"]


def test_force_overwrites_and_a_second_run_changes_nothing(small: Path) -> None:
    golden.main([])
    text = small.read_text()
    small.write_text(text.replace('"file": "', '"file": "0'))
    assert golden.main(["--force"]) == 0
    assert small.read_text() == text
    assert golden.main([]) == 0
    assert golden.main(["--check"]) == 0
    assert small.read_text() == text
