"""openenv.yaml, the runtime plan, the Dockerfile and the requirements: what is declared is what is there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from episodes import start
from live_server import running
from openenv.cli._validation import validate_running_environment
from openenv.core.env_server.interfaces import Environment
from openenv.validation.runner import run_validation
from openenv.validation.types import Level

from customs_env.env.episode import Episode, resolve_request
from customs_env.graders.reward import CEILING, FLOOR
from customs_env.scenarios.tasks import SPLITS
from customs_env.server.environment import ENV_NAME, CustomsEnvironment
from customs_env.versions import VERSIONS

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load((ROOT / "openenv.yaml").read_text(encoding="utf-8"))
    return value


@pytest.fixture(scope="module")
def plan(manifest: dict[str, Any]) -> dict[str, Any]:
    path = ROOT / manifest["validation"]["execution"]["probe_path"]
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def test_the_manifest_passes_openenvs_static_level(tmp_path: Path) -> None:
    """On a copy of what it names: the checkout may hold caches and links that are not tracked."""
    for name in ("openenv.yaml", "Dockerfile", "oracle", "validation", "server"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name)
        else:
            shutil.copy(source, tmp_path / name)
    report = run_validation(tmp_path, max_level=Level.STATIC)
    assert report.verdict.value == "pass", report.model_dump_json()


def test_the_files_that_the_manifest_names_are_there(manifest: dict[str, Any]) -> None:
    validation = manifest["validation"]
    named = [
        validation["capabilities"]["oracle"]["location"],
        validation["execution"]["probe_path"],
        validation["execution"]["dockerfile"],
        manifest["app"].split(":")[0].replace(".", "/") + ".py",
    ]
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_key_under_validation_is_one_that_openenv_reads(manifest: dict[str, Any]) -> None:
    """It ignores unknown ones there in silence."""
    known = {"reward", "judge", "resources", "network", "task_distribution", "capabilities", "types", "execution"}
    assert set(manifest["validation"]) <= known


def test_the_manifest_declares_what_the_server_declares(manifest: dict[str, Any]) -> None:
    validation = manifest["validation"]
    assert (manifest["name"], manifest["version"]) == (ENV_NAME, VERSIONS["package"])
    assert validation["task_distribution"]["dataset_version"] == VERSIONS["snapshot_date"]
    environment = CustomsEnvironment()
    counts = {split["name"]: environment.num_tasks(split["name"]) for split in environment.list_splits()}
    assert validation["capabilities"]["declared_task_count"] == counts == dict(SPLITS)
    assert validation["reward"]["range"] == [0.0, CEILING]
    assert validation["reward"]["floor_margin"] == pytest.approx(CEILING - FLOOR)
    assert issubclass(CustomsEnvironment, Environment) and CustomsEnvironment.SUPPORTS_CONCURRENT_SESSIONS


def test_the_runtime_plan_is_a_whole_solving_episode(plan: dict[str, Any]) -> None:
    episode = Episode(resolve_request(seed=plan["reset"]["seed"], **plan["reset"]["options"]))
    rewards = [episode.step(action).reward for action in plan["actions"]]
    assert rewards == [0.0] * (len(rewards) - 1) + [CEILING]
    assert len(rewards) > 1 and episode.terminated


def test_a_running_server_passes_openenvs_checks(plan: dict[str, Any], manifest: dict[str, Any]) -> None:
    from openenv.validation.graders.runtime.basic import (
        ObservationSchemaGrader,
        RewardWellFormedGrader,
        StateContractGrader,
    )
    from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
    from openenv.validation.runtime.collector import collect_runtime_evidence
    from openenv.validation.runtime.contracts import load_runtime_plan

    parsed = OpenEnvYamlParser().parse(ROOT)
    with running() as server:
        report = validate_running_environment(server.url)
        evidence = collect_runtime_evidence(
            server.url,
            load_runtime_plan(ROOT, parsed.execution),
            episode_timeout_s=manifest["validation"]["resources"]["episode_timeout_s"],
        )
    assert report["passed"] and report["summary"]["passed_count"] == 6, report
    assert evidence.failure_reason is None

    class Subject:
        manifest = parsed
        runtime_evidence = evidence

    for grader in (ObservationSchemaGrader(), RewardWellFormedGrader(), StateContractGrader()):
        result = grader.run(Subject())
        assert result.status.value == "pass", result


def test_the_oracle_solves_every_task(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util
    import sys

    spec = importlib.util.spec_from_file_location("oracle_solve", ROOT / "oracle" / "solve.py")
    assert spec is not None and spec.loader is not None
    solve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(solve)
    monkeypatch.setattr(sys, "argv", ["solve.py", "--episodes", "5"])
    assert solve.main() == 0
    with running() as server:
        monkeypatch.setattr(sys, "argv", ["solve.py", "--episodes", "2", "--base-url", server.url])
        assert solve.main() == 0
    assert '"lowest": 0.9' in capsys.readouterr().out
    assert solve.solution({"task_id": "task1", "seed": 1_000_001}) == [
        {"step_kind": "final_submission", "hs_code": start("task1").truth.tariff_items[0]}
    ]


def test_the_requirements_are_those_of_the_package_and_its_extras() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = set()
    for name in ("dependencies", "llm", "server"):
        block = re.search(rf"^{name} = \[\n(.*?)^\]", text, re.M | re.S)
        assert block is not None, name
        declared |= set(re.findall(r'^\s*"([^"]+)"', block.group(1), re.M))
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()}
    assert required == declared
    assert all("#" in line for line in lines if line), "each floor has its reason beside it"


def test_the_image_runs_without_rights_on_port_8000_with_a_health_check() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert len(re.findall(r"^FROM ", text, re.M)) == 2
    last_stage = text.rsplit("\nFROM ", 1)[1]
    for line in (
        "USER 65532:65532",
        "EXPOSE 8000",
        "HEALTHCHECK ",
        'LABEL org.opencontainers.image.title="customs_env"',
    ):
        assert f"\n{line}" in last_stage
    assert "VOLUME" not in text and ":latest" not in text
    assert f"VERSION={VERSIONS['package']}" in text


def test_the_image_gets_all_of_the_package_and_none_of_its_answers() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packages = re.findall(r'"customs_env\.(\w+)",', pyproject)
    assert packages and not set(packages) & set(ignored)
    assert {"oracle", "tests", "validation"} <= set(ignored)
    assert "oracle" not in packages
