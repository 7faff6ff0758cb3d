"""The wheel's lists are complete, and what is declared is what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import customs_env
from customs_env.versions import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(customs_env.__file__).parent
#: Folders of the checkout that are no part of the installed package.
NOT_INSTALLED = {
    "benchmarks",
    "build",
    "canaries",
    "dist",
    "docs",
    "oracle",
    "outputs",
    "scripts",
    "tests",
    "validation",
}
#: Files inside packages that the code does not read.
NOT_DATA = {"README.md"}
HEAVY = ("fastapi", "gradio", "httpx", "openai", "openenv", "pandas", "pydantic", "rich", "torch", "uvicorn")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def source_folders() -> list[Path]:
    return sorted(
        path
        for path in ROOT.iterdir()
        if path.is_dir()
        and path.name[0] not in "._"
        and path.name not in NOT_INSTALLED
        and not path.name.endswith("egg-info")
    )


def test_every_folder_with_code_is_a_listed_package(project: dict[str, Any]) -> None:
    with_code = {
        ".".join(("customs_env", *path.parent.relative_to(ROOT).parts))
        for folder in source_folders()
        for path in folder.rglob("*.py")
    }
    assert {"customs_env", *with_code} == set(project["tool"]["setuptools"]["packages"])


def test_every_package_has_an_init_file(project: dict[str, Any]) -> None:
    for package in project["tool"]["setuptools"]["packages"]:
        assert (ROOT.joinpath(*package.split(".")[1:]) / "__init__.py").is_file()


def test_every_data_file_is_in_the_package_data(project: dict[str, Any]) -> None:
    declared = project["tool"]["setuptools"]["package-data"]
    for folder in source_folders():
        for path in folder.rglob("*"):
            inside = path.relative_to(ROOT)
            hidden = any(part.startswith(".") for part in inside.parts)
            if hidden or path.is_dir() or path.suffix in (".py", ".pyc") or path.name in NOT_DATA:
                continue
            package = f"customs_env.{inside.parts[0]}"
            name = Path(*inside.parts[1:]).as_posix()
            assert any(fnmatch(name, pattern) for pattern in declared.get(package, [])), (
                f"{inside} would miss in the wheel"
            )
    assert (ROOT / "py.typed").is_file()


def test_every_pattern_of_the_package_data_finds_something(project: dict[str, Any]) -> None:
    for package, patterns in project["tool"]["setuptools"]["package-data"].items():
        for pattern in patterns:
            assert list(ROOT.joinpath(*package.split(".")[1:]).glob(pattern)), f"{package}: {pattern}"


def test_the_version_is_the_same_everywhere(project: dict[str, Any]) -> None:
    assert project["project"]["version"] == __version__ == version("customs-env")


def test_every_runtime_dependency_has_a_floor_and_every_tool_a_pin(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"]
    for requirement in (*project["project"]["dependencies"], *extras["llm"], *extras["server"]):
        assert re.fullmatch(r"[a-z-]+(\[\w+\])?>=[\d.]+", requirement), requirement
    for requirement in extras["dev"]:
        assert requirement.startswith("customs-env[") or re.fullmatch(r"[a-z-]+==[\d.]+(; .+)?", requirement), (
            requirement
        )


def test_every_entry_point_exists(project: dict[str, Any]) -> None:
    for target in project["project"]["scripts"].values():
        module, _, function = target.partition(":")
        path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
        assert f"def {function}(" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "program",
    [
        "from customs_env.env.episode import Episode, resolve_request; Episode(resolve_request(seed=1)).observation().to_dict()",
        "import gymnasium, customs_env; gymnasium.make('customs_env/FullClearance-v1').reset(seed=1)",
        "import customs_env.cli",
    ],
    ids=["engine", "gymnasium", "command line"],
)
def test_engine_gymnasium_and_command_line_load_no_server_and_no_model_client(program: str) -> None:
    check = f"{program}\nimport sys\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("missing", ["openenv", "pydantic"])
def test_the_client_without_its_extra_says_which_one(missing: str) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
try:
    from customs_env.client import CustomsEnv
except ImportError as fault:
    print(fault, isinstance(fault.__cause__, ModuleNotFoundError))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "customs-env[server]" in done.stdout and done.stdout.strip().endswith("True")


def test_the_engine_alone_does_not_load_gymnasium() -> None:
    check = "import customs_env.env.episode, sys; print('gymnasium' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"
