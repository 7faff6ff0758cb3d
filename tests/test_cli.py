"""The command line: what it shows, what it counts, what it refuses, and with which status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from customs_env import cli
from customs_env.agents import BASELINES
from customs_env.env.episode import Episode, resolve_request
from customs_env.env.render import PAPER_TITLES
from customs_env.evaluation.client import LocalClient
from customs_env.evaluation.plans import make_plans
from customs_env.evaluation.runner import play_all
from customs_env.evaluation.trace import write_traces
from customs_env.scenarios.tasks import TASKS


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = cli.main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("task", [*TASKS, *(task.long_name for task in TASKS.values())])
@pytest.mark.parametrize("seed", ["3", "1000042"])
def test_show_prints_every_paper_of_the_file(capsys: pytest.CaptureFixture[str], task: str, seed: str) -> None:
    status, out, _ = run(capsys, "show", "--task", task, "--seed", seed)
    case = Episode(resolve_request(task_id=task, seed=int(seed))).file.case
    assert status == 0
    for paper in case.papers:
        assert PAPER_TITLES[paper["type"]] in out
    assert case.shipment_id in out
    assert "RIGHT ANSWER" not in out
    observation = Episode(resolve_request(task_id=task, seed=int(seed))).observation().to_dict()
    wanted = [*observation["flag_vocabulary"], *observation["available_fields"]]
    wanted += observation["decision_policy"].get("recommendations", {})
    assert all(word in out for word in wanted), "a person could not answer from this"


def test_replay_of_a_results_file_says_what_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    results = tmp_path / "demo.json"
    results.write_text(json.dumps({"versions": {}, "episodes": []}, indent=1))
    status, _, err = run(capsys, "replay", str(results))
    assert status == 2
    assert "results, not traces" in err


def test_show_json_is_the_first_observation(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "show", "--task", "task2", "--split", "test", "--index", "7", "--json")
    shown = json.loads(out)
    assert shown["observation"] == Episode(resolve_request(**shown["reset"])).observation().to_dict()
    assert set(shown) == {"reset", "observation"}


@pytest.mark.parametrize("task", list(TASKS))
def test_show_truth_tells_the_answer_and_why(capsys: pytest.CaptureFixture[str], task: str) -> None:
    truth = Episode(resolve_request(task_id=task, seed=1_000_001)).truth
    _, out, _ = run(capsys, "show", "--task", task, "--seed", "1000001", "--truth")
    assert truth.tariff_items[0] in out
    assert all(flag in out for flag in truth.flags)
    _, out, _ = run(capsys, "show", "--task", task, "--seed", "1000001", "--truth", "--json")
    told = json.loads(out)["truth"]
    assert told["tariff_items"] == list(truth.tariff_items)
    assert len(told["reasons"]) == len(truth.tariff_items)


def test_canonical_and_its_opposite_say_which_file_outright(capsys: pytest.CaptureFixture[str]) -> None:
    def reset(*arguments: str) -> Any:
        return json.loads(run(capsys, "show", "--task", "task1", "--json", *arguments)[1])["reset"]

    assert reset("--seed", "1")["canonical"] is True
    assert reset("--seed", "1", "--no-canonical")["canonical"] is False
    assert reset("--seed", "1000001", "--canonical")["canonical"] is True


def test_stats_counts_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    counts = json.loads(run(capsys, "stats", "--json")[1])
    assert counts["goods_families"] >= 40
    assert counts["tariff_items_answered"] >= 150
    assert counts["chapters_answered"] >= 40
    assert counts["tariff_items_answered"] <= counts["tariff_items_in_table"]
    assert counts["flags"] == 14
    assert counts["variations"] >= 8
    assert counts["canonical_files"] == {"task1": 8, "task2": 8, "task3": 8}
    assert counts["shippers"] >= 15
    assert counts["shipper_countries"] >= 10
    assert counts["importers"] >= 10
    assert counts["loading_ports"] >= 17
    assert counts["discharge_ports"] >= 8
    text = run(capsys, "stats")[1]
    assert all(name.replace("_", " ") in text for name in counts)


def test_the_titles_of_papers_are_those_of_the_papers_that_occur() -> None:
    files = [
        Episode(resolve_request(task_id=task, seed=seed)).file for task in TASKS for seed in range(1_000_000, 1_000_060)
    ]
    kinds = {paper["type"] for file in files for paper in file.case.papers}
    assert kinds == set(PAPER_TITLES)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a trace file of the rules agent and one that only clears, on two files of each task."""
    agents = ["rules", "clear-all"]
    plans = make_plans(agents, seeds=[1_000_000, 1_000_001])
    client = LocalClient()
    records = [record for _, record in play_all(client, plans, lambda plan: BASELINES[plan.agent]())]
    path = tmp_path_factory.mktemp("traces") / "trace.jsonl"
    assert write_traces(path, records) == len(plans)
    return path


def test_replay_scores_a_trace_again(capsys: pytest.CaptureFixture[str], trace: Path) -> None:
    status, out, err = run(capsys, "replay", str(trace))
    assert (status, err) == (0, "")
    assert "rules" in out
    assert "12 episodes: 12 reproduced" in out


def changed(trace: Path, tmp_path: Path, change: Any) -> str:
    records = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    change(records[0])
    path = tmp_path / "changed.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda record: record["versions"].update(generation="0"), "other versions"),
        (lambda record: record["observations"].__setitem__(0, "0" * 64), "another observation"),
        (lambda record: record["rewards"].__setitem__(-1, 0.77), "pays"),
        (lambda record: record["reset"].update(seed=1_000_002), "another observation"),
        (lambda record: record["reset"].update(seed=None), "neither seed nor index"),
        (lambda record: record["reset"].update(task_id="task9"), "task_id"),
        (lambda record: record["actions"].append({}), "do not fit"),
        (lambda record: record.update(score=0.9 if record["score"] != 0.9 else 0.1), "score is"),
        (lambda record: record.update(breakdown={}), "breakdown is"),
        (lambda record: record.update(shipment_id="SHP-0"), "shipment_id is"),
        (lambda record: record.update(canonical=True), "canonical is"),
        (lambda record: record["errors"].__setitem__(0, "refused"), "was answered with None"),
        (lambda record: record.update(score=None), "without a score"),
        (lambda record: record.update(score=None, unscored_because="gone"), "left before its end"),
    ],
    ids=[
        *("version", "hash", "reward", "another seed", "no seed", "unknown task", "an action more"),
        *("score", "breakdown", "file", "kind of file", "error", "score taken away", "score excused away"),
    ],
)
def test_replay_refuses_what_it_cannot_reproduce(
    capsys: pytest.CaptureFixture[str], trace: Path, tmp_path: Path, change: Any, reason: str
) -> None:
    status, out, err = run(capsys, "replay", changed(trace, tmp_path, change))
    assert status == 1
    assert "episode 1" in err
    assert reason in err
    assert "11 reproduced" in out


@pytest.mark.parametrize("content", ["", "no json", "[]", "{}", '{"trace_format": 1}', "\xff\xfe"])
def test_replay_of_what_is_no_trace_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(content.encode("latin-1"))
    status, out, err = run(capsys, "replay", str(path))
    assert (status, out) == (2, "")
    assert err.startswith("customs-env: ")
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "--task", "task9"],
        ["show", "--seed", "-1"],
        ["show", "--seed", "1", "--index", "1"],
        ["show", "--split", "dev"],
        ["show", "--difficulty", "impossible"],
        ["show", "--index", "99999999"],
        ["replay", "does/not/exist"],
        ["replay", "."],
        ["serve", "--port", "0"],
        ["serve", "--port", "eighty"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("customs-env: ")
    assert len(err.strip().splitlines()) == 1


def test_serve_says_at_once_that_it_starts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def main(arguments: list[str]) -> None:
        said.append(capsys.readouterr().err)

    monkeypatch.setitem(sys.modules, "customs_env.server.app", SimpleNamespace(main=main))
    assert cli.main(["serve", "--port", "8001"]) == 0
    assert said == ["starting the server ...\n"]


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["show", "--seed", "x"], ["show", "--nonsense"], ["replay"]], ids=str
)
def test_what_the_parser_refuses_has_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err
