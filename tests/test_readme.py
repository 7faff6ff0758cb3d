"""README and docs/ say what is so: tables, fields, error codes; and the README's examples run."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_server import running

import customs_env
from customs_env.agents import AGENT_NAMES, BASELINES
from customs_env.agents.llm_connection import ATTEMPTS, DEFAULT_MODELS, GIVE_UP_AFTER
from customs_env.env.actions import ACTION_FIELDS
from customs_env.env.episode import MAX_REJECTIONS, Episode, resolve_request
from customs_env.env.render import PAPER_TITLES
from customs_env.env.reset import RESET_FIELDS
from customs_env.evaluation.client import LocalClient
from customs_env.evaluation.lines import LONGEST_ACTION, LONGEST_REASON, SUCCESS_SCORE, EpisodeLines
from customs_env.evaluation.plans import DEFAULT_SEEDS, parse_seeds
from customs_env.evaluation.report import FEW
from customs_env.evaluation.runner import EpisodePlan, play
from customs_env.goods.family import FAMILIES_DIR
from customs_env.scenarios.tasks import REQUESTABLE_FIELDS, TASKS
from customs_env.server.app import build_app
from customs_env.server.settings import Settings

ROOT = Path(customs_env.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"
#: Settings that other programs define.
NOT_OURS = {"PORT", "API_BASE_URL", "MODEL_NAME", "OPENAI_API_KEY", "HF_TOKEN", "ENV_BASE_URL", "LLM_TEMPERATURE"}


def doc(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"no section {heading}"
    return found[1]


def first_column(text: str) -> set[str]:
    """Return the names in backquotes of the first column of a section's tables."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def example(name: str) -> str:
    found = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, name
    return found[1]


# Tables


def test_the_readmes_tables_are_those_of_the_registries() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "readme_tables.py"), "--check"], check=False)
    assert done.returncode == 0, "run scripts/readme_tables.py"


def test_the_readmes_links_lead_somewhere() -> None:
    for page in (README, *(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))):
        for target in re.findall(r"\]\(([^)#:]+)\)", page):
            assert (ROOT / target).exists() or (ROOT / "docs" / target).exists(), target


def test_every_make_target_that_the_readme_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"make ([a-z-]+)", README)) <= targets


def test_every_agent_that_the_readme_names_exists() -> None:
    named = re.search(r"takes a baseline \((.*?), \.\.\.\)", README)
    assert named
    assert set(re.findall(r"`([\w-]+)`", named[1])) <= set(AGENT_NAMES)


def test_every_setting_of_the_code_stands_in_the_readme_and_the_other_way_round() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("server", "env", "agents", "evaluation")
        for path in (ROOT / folder).glob("*.py")
    )
    ours = set(re.findall(r"\bCUSTOMS_ENV_[A-Z_]+\b", code))
    assert first_column(section(README, "Settings")) - NOT_OURS == ours
    inference = (ROOT / "inference.py").read_text(encoding="utf-8")
    assert all(re.search(rf"\b{name}\b", code + inference) for name in NOT_OURS)


# docs/wire.md


def test_the_wires_fields_are_documented() -> None:
    wire = doc("wire.md")
    observation = Episode(resolve_request(seed=1)).observation().to_dict()
    assert first_column(section(wire, "Reset arguments")) == set(RESET_FIELDS)
    assert first_column(section(wire, "Action")) == set(ACTION_FIELDS)
    assert first_column(section(wire, "Observation")) == set(observation)


def test_every_route_is_documented_and_every_documented_one_exists() -> None:
    served = {getattr(route, "path", "") for route in build_app(Settings()).router.routes}
    documented = first_column(section(doc("wire.md"), "Routes"))
    assert documented == served - {"/docs/oauth2-redirect"}


def test_a_flag_of_no_vocabulary_counts_as_a_false_one_as_documented() -> None:
    episode = Episode(resolve_request(task_id="task2", canonical=True, seed=1))
    end = episode.step({"flags": ["quantity_mismatch", "no such flag"], "recommendation": "hold"})
    assert end.error is None and (end.breakdown or {})["flags"] == {"caught": 1, "missed": 0, "false": 1}
    assert "accepted and counts as a false flag" in " ".join(section(doc("wire.md"), "Action").split())


def raised_codes(folder: str) -> set[str]:
    """Return the codes with which a folder's code makes an InputError."""
    found = set()
    for path in (ROOT / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "InputError" and node.args:
                assert isinstance(node.args[0], ast.Constant), f"{path.name}, line {node.lineno}: say the code outright"
                found.add(str(node.args[0].value))
    return found


def test_every_error_code_is_documented() -> None:
    assert first_column(doc("wire.md").partition("Codes of 422:")[2]) == raised_codes("env") | raised_codes("server")


# docs/papers.md


def paths(value: Any, prefix: str = "") -> Iterator[str]:
    """Yield the fields of a paper as the tables write them."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from paths(part, f"{prefix}.{key}" if prefix else key)
    elif isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
        for part in value:
            yield from paths(part, f"{prefix}[]")
    else:
        yield prefix


@pytest.fixture(scope="module")
def files() -> list[Any]:
    resets: list[dict[str, Any]] = [{"seed": seed} for seed in (*range(8), *range(1_000_000, 1_000_060))]
    return [Episode(resolve_request(task_id=task, **reset)).file for task in TASKS for reset in resets]


@pytest.mark.parametrize("kind", sorted(PAPER_TITLES))
def test_every_field_of_every_paper_is_documented_and_always_there(kind: str, files: list[Any]) -> None:
    documented = first_column(section(doc("papers.md"), kind))
    papers = [paper for file in files for paper in file.case.papers if paper["type"] == kind]
    assert papers
    for paper in papers:
        assert set(paths(paper)) == documented


def test_every_answer_to_a_request_is_documented() -> None:
    episode = Episode(resolve_request(task_id="task3", seed=1_000_001))
    request = {"step_kind": "request_information", "requested_fields": list(REQUESTABLE_FIELDS), "hs_code": "4009"}
    revealed = episode.step(request).to_dict()["revealed_content"]
    for field, answer in revealed.items():
        documented = first_column(section(doc("papers.md"), field)) - {"type"}
        told = {re.sub(r"(particulars|rates)\..*", r"\1", path) for path in paths(answer)}
        assert told == documented - {"subheadings[]", "items[]"}, field


def test_papers_are_documented_in_the_order_of_a_file(files: list[Any]) -> None:
    order = [title for title in re.findall(r"^## (\w+)$", doc("papers.md"), re.MULTILINE) if title in PAPER_TITLES]
    assert order == list(PAPER_TITLES)
    for file in files:
        kinds = [paper["type"] for paper in file.case.papers]
        assert kinds == sorted(kinds, key=order.index)


# docs/goods.md


def test_every_field_of_a_family_is_documented() -> None:
    fields = first_column(section(doc("goods.md"), "Fields").partition("A row of `items`:")[0])
    row_fields = first_column(section(doc("goods.md"), "Fields").partition("A row of `items`:")[2])
    used: set[str] = set()
    used_in_rows: set[str] = set()
    for path in FAMILIES_DIR.glob("*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        used |= set(data)
        used_in_rows |= {key for row in data["items"] for key in row}
    assert (used, used_in_rows) == (fields, row_fields)


# docs/runs.md, and what the README says of runs


def test_the_lines_of_a_run_are_documented_as_they_are() -> None:
    lines = [line.split(" ")[0] for line in section(doc("runs.md"), "Lines").splitlines() if line.startswith("[")]
    assert lines == ["[START]", "[STEP]", "[END]"]
    plan = EpisodePlan("rules", "task1", {"task_id": "task1", "seed": 1_000_000})
    said: list[str] = []
    play(LocalClient(), BASELINES["rules"](), plan, watcher=EpisodeLines("rules", said.append, threading.Lock(), True))
    for form, line in zip(re.findall(r"^\[.*$", doc("runs.md"), re.MULTILINE), said, strict=True):
        assert re.findall(r"(\w+)=", form) == re.findall(r" (\w+)=", line)


def test_the_figures_of_the_docs_are_those_of_the_code() -> None:
    runs = " ".join(doc("runs.md").split())
    readme = " ".join(README.split())
    files = len(parse_seeds(DEFAULT_SEEDS))
    assert f"from a score of {SUCCESS_SCORE} on" in runs and f"from a score of {SUCCESS_SCORE} on" in readme
    assert f"more than {LONGEST_ACTION:,} characters" in runs and f"At most {LONGEST_REASON} characters" in runs
    assert (GIVE_UP_AFTER, ATTEMPTS, FEW, MAX_REJECTIONS) == (2, 5, 10, 8), "spelt out as words in runs.md"
    assert f"{files} seeded files of each task, {files * len(TASKS)} in all" in readme
    assert files * sum(task.max_steps for task in TASKS.values()) == 100
    assert all(f"`{model}`" in readme for model in DEFAULT_MODELS.values())


def test_commands_of_the_readme_and_the_docs_say_where_they_are() -> None:
    for page in (README, *(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))):
        assert not re.search(r"`customs-env ", page)
        assert not re.search(r"^customs-env ", page, re.MULTILINE)


def test_the_readme_tells_how_many_tests_need_the_reference_folder() -> None:
    code = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py") if path != Path(__file__)
    )
    marks = len(re.findall(r"^@needs_reference$", code, re.MULTILINE))
    marks += len(re.findall(r"^@pytest\.mark\.skipif\(.*the reference folder is not here", code, re.MULTILINE))
    assert marks == 8 and "Eight of them compare with official" in README


# Examples


def shown_rewards(name: str) -> list[float]:
    """Return the rewards that an example claims to get."""
    found = [float(figure) for figure in re.findall(r"#.*\breward ([\d.]+\d)", example(name))]
    assert found, f"the example {name} shows no reward"
    return found


@pytest.mark.parametrize("name", ["python", "engine"])
def test_the_python_examples_pay_what_they_show(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", example(name)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [float(done.stdout.splitlines()[-1].split(" ")[0])] == shown_rewards(name) == [0.9]


def test_the_example_of_the_client_pays_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    with running() as live:
        # In this process, which has loaded OpenEnv anyway
        exec(compile(example("client").replace(ADDRESS, live.url), "README.md", "exec"), {})
    assert [float(capsys.readouterr().out.split(" ")[0])] == shown_rewards("client") == [0.9]


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_the_examples_with_curl_pay_what_they_show() -> None:
    with running() as live:
        script = example("http").replace(ADDRESS, live.url).replace("curl -s", "curl -s -w '\\n' --noproxy '*'")
        done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    opened, asked, ended, graded = map(json.loads, done.stdout.splitlines())
    assert opened["observation"]["episode_id"] == "my-first-file"
    assert set(asked["observation"]["revealed_content"]) == {"detailed_goods_description", "duty_rate_schedule"}
    assert ended["done"] is True
    assert ended["observation"]["breakdown"] == graded["breakdown"]
    assert [ended["reward"]] == [graded["reward"]] == shown_rewards("http") == [0.9]
