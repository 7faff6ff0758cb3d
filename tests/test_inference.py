"""`inference.py` as people run it: its lines, table, files, defaults and exit statuses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_llm_server import FakeLLMServer, refusal

from customs_env.agents import BASELINES
from customs_env.evaluation import demo
from customs_env.evaluation.client import LocalClient
from customs_env.evaluation.replaying import replay
from customs_env.evaluation.trace import read_traces

SCRIPT = Path(__file__).parents[1] / "inference.py"

START = re.compile(r"\[START\] task=(\S+) env=customs_env model=(\S+)")
STEP = re.compile(r"\[STEP\] step=(\d+) action=(.*) reward=(\d\.\d\d) done=(true|false) error=(null|.+)")
END = re.compile(r"\[END\] success=(true|false) steps=(\d+) score=(\d\.\d{3}|null) rewards=([\d.,]*)")

CLEAN = dict.fromkeys(("ENV_BASE_URL", "OPENAI_API_KEY", "HF_TOKEN", "API_BASE_URL", "MODEL_NAME"), "")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **CLEAN, "COLUMNS": "120", **environment}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, timeout=180, env=env
    )


def episodes(output: str) -> list[tuple[re.Match[str], list[re.Match[str]], re.Match[str]]]:
    """Parse the lines; every line must be one of the three kinds, in order."""
    found: list[tuple[Any, list[Any], Any]] = []
    start, steps = None, []
    for line in output.splitlines():
        if line.startswith("[START]"):
            assert start is None
            start, steps = START.fullmatch(line), []
            assert start, line
        elif line.startswith("[STEP]"):
            step = STEP.fullmatch(line)
            assert start and step, line
            assert int(step[1]) == len(steps) + 1
            json.loads(step[2])
            steps.append(step)
        else:
            end = END.fullmatch(line)
            assert start and end, line
            found.append((start, steps, end))
            start = None
    assert start is None
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with demo.running_server() as base_url:
        yield base_url


def test_lines_table_and_files(tmp_path: Path) -> None:
    results, traces = tmp_path / "deep" / "results.json", tmp_path / "traces"
    done = run(
        *("--local", "--agent", "rules,copy", "--task", "all", "--seeds", "1000000:1000003"),
        *("--json", str(results), "--traces", str(traces)),
    )
    assert done.returncode == 0, done.stderr
    played = episodes(done.stdout)
    assert [(start[1], start[2]) for start, _, _ in played] == [
        (task, agent) for agent in ("rules", "copy") for task in ("task1", "task2", "task3") for _ in range(3)
    ]
    for _, steps, end in played:
        assert len(steps) == int(end[2]) and steps[-1][4] == "true"
        assert [step[3] for step in steps] == end[4].split(",")
        assert 0.0 <= float(end[3]) <= 1.0 and (float(end[3]) >= 0.5) == (end[1] == "true")
        assert all(step[3] == "0.00" for step in steps[:-1])
    assert "mean" in done.stderr and "rules" in done.stderr and "[START]" not in done.stderr

    told = json.loads(results.read_text(encoding="utf-8"))
    assert told["complete"] is True and len(told["episodes"]) == len(played) == 18
    assert [f"{episode['score']:.3f}" for episode in told["episodes"]] == [end[3] for _, _, end in played]
    row = next(line for line in told["table"] if (line["agent"], line["task_id"]) == ("rules", "task2"))
    assert row["mean"] == pytest.approx(0.9) and (row["n"], row["files"], row["unscored"]) == (3, "seeded", 0)
    assert told["versions"]["generation"] and told["arguments"]["seeds"] == "1000000:1000003"

    assert sorted(path.name for path in traces.iterdir()) == ["copy.jsonl", "rules.jsonl"]
    records = list(read_traces(traces / "rules.jsonl"))
    assert [replay(record, LocalClient()) for record in records] == [record.score for record in records]


def test_over_http_as_in_this_process(server: str) -> None:
    arguments = ("--agent", "rules", "--agent", "random", "--seeds", "1000000:1000004", "--concurrency", "4")
    remote, local = run(*arguments, "--base-url", server), run(*arguments, "--local")
    assert remote.returncode == local.returncode == 0, remote.stderr
    assert sorted(map(_text, episodes(remote.stdout))) == sorted(map(_text, episodes(local.stdout)))


def _text(episode: tuple[Any, list[Any], Any]) -> str:
    start, steps, end = episode
    return "\n".join(found.group(0) for found in (start, *steps, end))


def test_canonical_files_stand_in_lines_of_their_own(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    done = run("--local", "--agent", "rules", "--task", "task2", "--canonical", "--json", str(results))
    assert done.returncode == 0, done.stderr
    told = json.loads(results.read_text(encoding="utf-8"))
    assert [(line["files"], line["n"]) for line in told["table"]] == [("canonical", len(told["episodes"]))]
    shipments = [episode["shipment_id"] for episode in told["episodes"]]
    assert len(set(shipments)) == len(shipments) >= 8


def test_small_seeds_are_canonical_as_on_the_wire(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    run("--local", "--agent", "empty", "--task", "task1", "--seeds", "1,1000001", "--json", str(results))
    run_again = json.loads(results.read_text(encoding="utf-8"))
    assert [line["files"] for line in run_again["table"]] == ["canonical", "seeded"]


def test_without_arguments_every_baseline_plays_all_tasks_here() -> None:
    done = run()
    assert done.returncode == 0, done.stderr
    played = {(start[2], start[1]) for start, _, _ in episodes(done.stdout)}
    assert played == {(name, task) for name in BASELINES for task in ("task1", "task2", "task3")}


def test_without_arguments_a_key_means_the_model_and_an_address_the_server(server: str) -> None:
    answer = '{"hs_code": "40091100", "flags": [], "recommendation": "clear", '
    answer += '"assessable_value_inr": 1, "duty_amount_inr": 1}'
    with FakeLLMServer(lambda body: answer) as llm:
        done = run(OPENAI_API_KEY="k", API_BASE_URL=llm.base_url, MODEL_NAME="house/model", ENV_BASE_URL=server)
        asked = len(llm.requests)
    assert done.returncode == 0, done.stderr
    played = episodes(done.stdout)
    assert {start[2] for start, _, _ in played} == {"house/model"}
    assert {start[1] for start, _, _ in played} == {"task1", "task2", "task3"}
    assert asked == sum(len(steps) for _, steps, _ in played)


def test_a_model_out_of_reach_is_unscored_and_the_run_says_so(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    with FakeLLMServer(lambda body: refusal(401, "bad key")) as llm:
        done = run(
            *("--local", "--agent", "llm", "--task", "task1", "--seeds", "1000000:1000002"),
            *("--json", str(results)),
            HF_TOKEN="k",
            API_BASE_URL=llm.base_url,
        )
    assert done.returncode == 1
    assert [(end[1], end[2], end[3]) for _, _, end in episodes(done.stdout)] == [("false", "0", "null")] * 2
    assert "unscored" in done.stderr and "401" in done.stderr
    told = json.loads(results.read_text(encoding="utf-8"))
    assert told["complete"] is False and told["table"][0]["mean"] is None and told["table"][0]["unscored"] == 2


def test_a_dead_model_server_is_named_at_once_and_given_up(tmp_path: Path) -> None:
    with FakeLLMServer(lambda body: "") as llm:
        address = llm.base_url
    done = run(
        *("--local", "--task", "task1,task2", "--seeds", "1000000:1000100"),
        *("--json", str(tmp_path / "r.json"), "--traces", str(tmp_path / "t")),
        OPENAI_API_KEY="sk-secret",
        API_BASE_URL=address,
    )
    assert done.returncode == 1
    played = episodes(done.stdout)
    assert len(played) == 200 and {end[3] for _, _, end in played} == {"null"}
    said = done.stderr.splitlines()
    assert address in said[0] and "cannot be made" in said[1] and "given up after 2 episodes" in said[2]
    (traces,) = (tmp_path / "t").iterdir()
    records = list(read_traces(traces))
    assert [bool(record.observations) for record in records] == [True] * 2 + [False] * 198
    assert [replay(record, LocalClient()) for record in records] == [None] * 200
    everything = done.stdout + done.stderr + (tmp_path / "r.json").read_text("utf-8") + traces.read_text("utf-8")
    assert "sk-secret" not in everything


def test_what_is_wrong_with_the_models_address_is_said_before_play() -> None:
    done = run("--local", OPENAI_API_KEY="sk-secret", API_BASE_URL="sk-secret")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "inference.py: API_BASE_URL: expected an address such as https://host/v1, got a key\n"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--agent", "wizard"), "one of random"),
        (("--agent", "llm", "--local"), "OPENAI_API_KEY"),
        (("--seeds", "5:5"), "A:B"),
        (("--seeds", "a:b"), "A:B"),
        (("--seeds", "0:99999999"), "A:B"),
        (("--task", "task9"), "task1"),
        (("--base-url", "localhost:8000"), "http://"),
        (("--base-url", "http://127.0.0.1:9", "--agent", "empty"), "is it running"),
        (("--local", "--agent", "empty", "--difficulty", "hard"), "one of easy, standard"),
        (("--local", "--agent", "empty", "--split", "dev"), "one of train"),
        (("--local", "--agent", "empty", "--canonical", "--difficulty", "easy"), "canonical"),
        (("--local", "--agent", "empty", "--seeds", "-3:2"), "got -3:2"),
        (("--local", "--agent", "empty", "--seeds", "-1"), "got -1"),
        (("--local", "--agent", "empty", "--seeds", str(2**63)), "seed"),
        (("--concurrency", "0", "--local", "--agent", "empty"), "at least 1"),
        (("--local", "--agent", "empty", "--json", "/proc/none/x.json"), "--json"),
        (("--local", "--agent", "empty", "--traces", "/proc/none"), "--traces"),
        (("--local", "--base-url", "http://x"), "not allowed"),
        (("--bogus",), "unrecognized"),
    ],
)
def test_wrong_usage_is_one_clear_sentence(arguments: tuple[str, ...], word: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert word in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""
    if "usage:" not in done.stderr and "--base-url" not in arguments:
        assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_leaves_what_was_done(tmp_path: Path) -> None:
    results, traces = tmp_path / "r.json", tmp_path / "t"
    process = subprocess.Popen(
        [
            *(sys.executable, str(SCRIPT), "--local", "--agent", "random", "--task", "task2"),
            *("--seeds", "1000000:1050000", "--json", str(results), "--traces", str(traces)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **CLEAN},
    )
    assert process.stdout is not None
    for _ in range(30):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in errors, errors
    told = json.loads(results.read_text(encoding="utf-8"))
    assert told["complete"] is False and len(told["episodes"]) >= 9
    assert len(list(read_traces(traces / "random.jsonl"))) == len(told["episodes"])
    assert "interrupted after" in errors


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), "--local", "--agent", "random", "--seeds", "1000000:1003000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **CLEAN},
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 1 and "Traceback" not in errors, errors


@pytest.mark.slow
def test_the_demo_starts_plays_and_stops_its_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--seeds", "2", "--outputs", str(tmp_path)]) == 0
    told = json.loads((tmp_path / "demo.json").read_text(encoding="utf-8"))
    assert {line["files"] for line in told["table"]} == {"canonical", "seeded"}
    assert {line["agent"] for line in told["table"]} == set(BASELINES)
    assert len(list((tmp_path / "traces").iterdir())) == len(BASELINES)
    assert "Mean score" in capsys.readouterr().err


def test_a_server_that_stops_at_once_says_why() -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no store carrier-pigeon')"]
    with pytest.raises(demo.ServiceError, match="carrier-pigeon"), demo.running_server(command):
        pass


def test_a_server_that_never_answers_is_stopped() -> None:
    command = [sys.executable, "-c", "import time; print('thinking', flush=True); time.sleep(600)"]
    with (
        pytest.raises(demo.ServiceError, match=r"(?s)not healthy after 1 s.*thinking"),
        demo.running_server(command, start_limit_s=1.0),
    ):
        pass
