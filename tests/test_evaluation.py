"""Traces prove what they say, figures are computed right, and the client survives a bad line."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from customs_env.agents import BASELINES
from customs_env.errors import CapacityError, InputError, ProtocolError, UnscoredError
from customs_env.evaluation import (
    EpisodePlan,
    EpisodeRecord,
    HttpClient,
    LocalClient,
    ServiceError,
    TraceError,
    Turn,
    agent_seed,
    interval,
    play,
    play_all,
    read_traces,
    replay,
    score_lines,
    write_traces,
)
from customs_env.evaluation.lines import LONGEST_ACTION, LONGEST_REASON, EpisodeLines, step_line
from customs_env.evaluation.outputs import check_outputs
from customs_env.evaluation.plans import is_canonical, make_plans, parse_seeds, parse_tasks
from customs_env.evaluation.report import FEW, interval_text, table
from customs_env.evaluation.trace import observation_hash
from customs_env.versions import VERSIONS


def record(agent: str = "rules", task_id: str = "task3", seed: int = 1_000_000) -> EpisodeRecord:
    plan = EpisodePlan(agent, task_id, {"task_id": task_id, "seed": seed})
    return play(LocalClient(), BASELINES[agent](), plan, VERSIONS)


# -- traces ------------------------------------------------------------------------------------------------------


def test_a_trace_file_gives_the_records_back(tmp_path: Path) -> None:
    records = [record(agent, task) for agent in ("rules", "random") for task in ("task1", "task2", "task3")]
    path = tmp_path / "new" / "t.jsonl"
    assert write_traces(path, records) == 6
    assert list(read_traces(path)) == records
    assert [replay(kept, LocalClient()) for kept in read_traces(path)] == [kept.score for kept in records]


def test_a_replay_refuses_what_it_cannot_reproduce() -> None:
    kept = record()
    actions = ({**kept.actions[0], "requested_fields": ["exchange_rate"]}, *kept.actions[1:])
    changed = {
        "other versions": replace(kept, versions={**kept.versions, "grading": "0"}),
        "another observation": replace(kept, observations=("0" * 64, *kept.observations[1:])),
        "another observation after action 1": replace(kept, actions=actions),
        "pays": replace(kept, rewards=(*kept.rewards[:-1], 0.95)),
        "neither seed nor index": replace(kept, reset={"task_id": "task3"}),
        "do not fit": replace(kept, rewards=kept.rewards[:-1]),
        "played to its end": replace(kept, done=False),
        "do not fit each other": replace(kept, errors=kept.errors[:-1]),
        "score is": replace(kept, score=0.95),
        "breakdown is": replace(kept, breakdown={**(kept.breakdown or {}), "raw_score": 0.77}),
        "breakdown is dict": replace(kept, breakdown=None),
        "shipment_id is": replace(kept, shipment_id="SHP-0000000000000000"),
        "task_id is": replace(kept, task_id="task2"),
        "canonical is": replace(kept, canonical=True),
        "was answered with None": replace(kept, errors=("hs_code: no", *kept.errors[1:])),
        "without a score": replace(kept, score=None),
        "left before its end": replace(kept, score=None, unscored_because="the line is dead"),
        "no reason to be unscored": replace(kept, unscored_because="the line is dead"),
    }
    for reason, wrong in changed.items():
        with pytest.raises(TraceError, match=reason):
            replay(wrong, LocalClient())


def test_an_unfinished_episode_replays_without_a_score() -> None:
    kept = record()
    cut = replace(
        kept,
        actions=kept.actions[:1],
        observations=kept.observations[:2],
        rewards=(0.0,),
        errors=(None,),
        done=False,
        score=None,
        breakdown=None,
        unscored_because="the line is dead",
    )
    assert replay(cut, LocalClient()) is None
    never = replace(cut, actions=(), observations=(), rewards=(), errors=(), shipment_id="")
    assert replay(never, LocalClient()) is None
    for wrong in (replace(cut, unscored_because=None), replace(never, rewards=(0.0,)), replace(never, canonical=True)):
        with pytest.raises(TraceError):
            replay(wrong, LocalClient())


class Mumbling:
    """Sends what nobody can read, and knows it."""

    name = "mumbling"
    note = "nothing was said"

    def start(self, seed: int) -> None:
        pass

    def act(self, observation: Mapping[str, Any]) -> dict[str, Any]:
        return {}


def test_an_agents_note_stands_before_the_reason_and_replays() -> None:
    plan = EpisodePlan("mumbling", "task1", {"task_id": "task1", "seed": 1_000_000})
    kept = play(LocalClient(), Mumbling(), plan, VERSIONS)
    assert len(kept.errors) == 8
    assert all(str(error).startswith("nothing was said | hs_code: expected") for error in kept.errors)
    assert replay(kept, LocalClient()) == kept.score == 0.1
    with pytest.raises(TraceError, match="was answered with hs_code"):
        replay(replace(kept, errors=("nothing was said", *kept.errors[1:])), LocalClient())


@pytest.mark.parametrize("value", [None, 1, 1.5, True, "x", [], {}, ["x"], [None], {"a": []}], ids=repr)
def test_any_field_of_any_json_type_reads_as_a_record_or_is_named(tmp_path: Path, value: Any) -> None:
    """Whatever reads as a record can be reported and replayed, or is refused as a trace: nothing else is raised."""
    whole = record().to_dict()
    path = tmp_path / "t.jsonl"
    for name in whole:
        path.write_text("\n".join(map(json.dumps, (whole, {**whole, name: value}))), encoding="utf-8")
        try:
            records = list(read_traces(path))
            table(score_lines(records))
            for kept in records:
                replay(kept, LocalClient())
        except TraceError:
            continue


@pytest.mark.parametrize("line", ["{", "[]", '{"trace_format": 99}', '{"trace_format": 1}', "null"])
def test_a_line_that_is_no_trace_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    write_traces(path, [record()])
    path.write_text(path.read_text(encoding="utf-8") + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(TraceError, match=r"t\.jsonl, line 3"):
        list(read_traces(path))


def test_hashes_leave_out_what_names_the_run() -> None:
    first, second = (LocalClient().reset({"task_id": "task2", "seed": 1_000_001}).observation for _ in range(2))
    assert observation_hash({**first, "episode_id": "x", "metadata": {}}) == observation_hash(second)
    assert observation_hash({**first, "step_index": 1}) != observation_hash(second)


# -- runner ------------------------------------------------------------------------------------------------------


def test_threads_and_one_thread_give_equal_records() -> None:
    plans = make_plans(["rules", "random"], seeds=range(1_000_000, 1_000_010))
    client = LocalClient()

    def make(plan: EpisodePlan) -> Any:
        return BASELINES[plan.agent]()

    one = dict(play_all(client, plans, make))
    many = dict(play_all(client, plans, make, concurrency=8))
    assert one == many and list(one) == list(range(60))


def test_an_agents_draws_depend_on_the_plan_alone() -> None:
    plan = EpisodePlan("random", "task2", {"task_id": "task2", "seed": 5})
    same = EpisodePlan("random", "task2", {"seed": 5, "task_id": "task2"})
    assert agent_seed(plan) == agent_seed(same) == 15416290908041866828
    assert agent_seed(plan) != agent_seed(EpisodePlan("random", "task2", {"task_id": "task2", "seed": 6}))


class Sulking:
    """Asks once, then cannot be reached."""

    name = "sulking"

    def start(self, seed: int) -> None:
        self.asked = False

    def act(self, observation: Mapping[str, Any]) -> dict[str, Any]:
        if self.asked:
            raise UnscoredError("the line is dead")
        self.asked = True
        return {"step_kind": "request_information", "requested_fields": ["exchange_rate"]}


def test_an_agent_that_cannot_be_asked_leaves_the_episode_unscored() -> None:
    kept = play(LocalClient(), Sulking(), EpisodePlan("s", "task3", {"task_id": "task3", "seed": 1_000_000}))
    assert (kept.score, kept.done, kept.unscored_because) == (None, False, "the line is dead")
    assert len(kept.actions) == 1 and kept.rewards == (0.0,)


class Absent:
    """Cannot be asked, and says so before the file is opened."""

    name = "absent"

    def start(self, seed: int) -> None:
        raise UnscoredError("given up")


def test_an_agent_that_cannot_start_leaves_the_file_unopened_and_the_lines_whole() -> None:
    class Closed:
        def reset(self, arguments: Mapping[str, Any]) -> Turn:
            raise AssertionError("opened")

    said: list[str] = []
    lines = EpisodeLines("absent", said.append, threading.Lock(), live=True)
    plan = EpisodePlan("absent", "task1", {"task_id": "task1", "seed": 1_000_000})
    kept = play(Closed(), Absent(), plan, VERSIONS, lines)
    assert (kept.score, kept.unscored_because, kept.observations) == (None, "given up", ())
    assert said == [
        "[START] task=task1 env=customs_env model=absent",
        "[END] success=false steps=0 score=null rewards=",
    ]


def test_an_environment_without_end_is_reported() -> None:
    class Endless:
        def reset(self, arguments: Mapping[str, Any]) -> Turn:
            return Turn({"episode_id": "1"}, 0.0, False)

        def step(self, episode_id: str, action: Mapping[str, Any]) -> Turn:
            return Turn({"episode_id": "1"}, 0.0, False)

        def versions(self) -> dict[str, str]:
            return {}

        def close(self) -> None:
            pass

    kept = play(Endless(), BASELINES["empty"](), EpisodePlan("empty", "task1", {}))
    assert kept.score is None and "did not end" in str(kept.unscored_because)


# -- lines -------------------------------------------------------------------------------------------------------


@given(
    st.dictionaries(
        st.text(max_size=20),
        st.one_of(st.text(max_size=9000), st.lists(st.text(max_size=300), max_size=64), st.integers(), st.none()),
        max_size=12,
    ),
    st.one_of(st.none(), st.text(max_size=3000)),
)
@example({"hs_code": '"' * 5000}, "x\ny")
@example({"hs_code": "\\" * 3000}, None)
@example({"hs_code": "\u2028\n\x85" * 900}, "\u2028")
def test_a_step_is_one_line_of_bounded_length(action: dict[str, Any], error: str | None) -> None:
    line = step_line(1, action, Turn({}, 0.0, False), error)
    assert len(line.splitlines()) == 1 and len(line) <= LONGEST_ACTION + LONGEST_REASON + 80
    shown = json.loads(line.partition("action=")[2].rpartition(" reward=")[0])
    assert shown == action or list(shown) == ["cut"]


# -- plans -------------------------------------------------------------------------------------------------------


def test_seeds_and_tasks_of_a_command_line() -> None:
    assert parse_seeds("3:6") == [3, 4, 5] and parse_seeds("7") == [7] and parse_seeds("7,9") == [7, 9]
    assert parse_tasks("all") == ["task1", "task2", "task3"]
    assert parse_tasks("full_clearance,task1,task3") == ["task3", "task1"]
    for wrong in ("", "1:", "2:1", "-1", "1:2:3", "x"):
        with pytest.raises(InputError):
            parse_seeds(wrong)


@pytest.mark.parametrize(
    "arguments",
    [
        {"extra": {"difficulty": "hard"}},
        {"extra": {"split": "dev"}},
        {"extra": {"difficulty": "easy"}, "canonical": True},
        {"seeds": [1, 2**63]},
        {"task": "task9"},
    ],
    ids=str,
)
def test_what_no_reset_accepts_is_refused_before_anything_is_played(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        make_plans(["rules"], **arguments)


@pytest.mark.parametrize("episodes", [0, -1])
def test_so_many_episodes_at_once_cannot_be(episodes: int) -> None:
    with pytest.raises(InputError, match="at least 1"):
        list(play_all(LocalClient(), [], lambda plan: BASELINES["empty"](), episodes))


# -- outputs -----------------------------------------------------------------------------------------------------


def test_outputs_are_tried_before_play_and_what_stands_there_is_kept(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept.json", tmp_path / "a" / "b" / "new.json"
    kept.write_text("old", encoding="utf-8")
    check_outputs(kept, tmp_path / "c" / "traces")
    check_outputs(new, None)
    check_outputs(None, None)
    assert kept.read_text(encoding="utf-8") == "old" and new.parent.is_dir() and not new.exists()
    assert list((tmp_path / "c" / "traces").iterdir()) == []
    for wrong in (tmp_path, kept / "x.json", Path("/proc/none/x.json")):
        with pytest.raises(InputError, match="--json: expected a file that can be written"):
            check_outputs(wrong, None)
    for wrong in (kept, kept / "traces", Path("/proc/none")):
        with pytest.raises(InputError, match="--traces: expected a folder that can be written"):
            check_outputs(None, wrong)


def test_the_canonical_rule_is_that_of_the_wire() -> None:
    assert is_canonical({"seed": 3}) and is_canonical({"seed": 2_000_000, "canonical": True})
    for reset in ({"seed": 3, "canonical": False}, {"seed": 3, "split": "test"}, {"seed": 1_000_000}, {"index": 1}):
        assert not is_canonical(reset)


# -- figures -----------------------------------------------------------------------------------------------------


def test_the_interval_is_students() -> None:
    # mean 0.5, s = 0.1, n = 5: t(4) = 2.776, half-width 2.776 * 0.1 / sqrt(5)
    scores = [0.4, 0.6, 0.5, 0.5 - math.sqrt(0.01), 0.5 + math.sqrt(0.01)]
    low, high = interval(scores) or (0, 0)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert (high - low) / 2 == pytest.approx(2.776 * 0.1 / math.sqrt(5), rel=1e-3)
    assert interval([0.5]) is None and interval([]) is None
    assert interval([0.0, 1.0], (0.0, 1.0)) == (0.0, 1.0)
    many = interval([0.4, 0.6] * 500)
    assert many is not None and (many[1] - many[0]) / 2 == pytest.approx(1.962 * 0.1 / math.sqrt(999), rel=1e-3)


@given(st.lists(st.floats(0.1, 0.9), max_size=40))
def test_an_interval_lies_within_what_can_be_paid_and_around_the_mean(scores: list[float]) -> None:
    found = interval(scores)
    if len(set(scores)) < 2:
        assert found is None
    elif found is not None:
        assert 0.1 <= found[0] <= found[1] <= 0.9
        assert found[0] - 1e-9 <= math.fsum(scores) / len(scores) <= found[1] + 1e-9


def test_raw_scores_may_be_anything_from_0_to_1() -> None:
    kept = record(task_id="task2")
    raw = replace(kept, reset={**kept.reset, "reward_scale": "raw"})
    (line,) = score_lines([replace(raw, score=0.0), replace(raw, score=1.0)])
    assert (line.low, line.high) == (0.0, 1.0)
    (line,) = score_lines([replace(kept, score=0.1), replace(kept, score=0.9)])
    assert (line.low, line.high) == (0.1, 0.9)


def test_the_table_says_what_its_interval_is_and_from_how_few() -> None:
    kept = record(task_id="task2")
    few = score_lines([replace(kept, score=score) for score in (0.1, 0.5, 0.9)])
    many = score_lines([replace(kept, score=score) for score in (0.1, 0.5, 0.9) * FEW])
    equal = score_lines([kept, kept])
    assert interval_text(few[0]).endswith("(n=3)") and "n=" not in interval_text(many[0])
    assert interval_text(equal[0]) == "all equal" and interval_text(score_lines([kept])[0]) == "-"
    assert "Student's t" in str(table(few).caption)


def test_unscored_episodes_are_counted_apart_and_canonical_files_too() -> None:
    kept = record(task_id="task2")
    unscored = replace(kept, score=None, unscored_because="x")
    canonical = replace(kept, canonical=True, score=0.1)
    lines = score_lines([kept, unscored, canonical, replace(kept, score=0.5)])
    assert [(line.files, line.n, line.unscored) for line in lines] == [("canonical", 1, 0), ("seeded", 2, 1)]
    assert lines[0].low is None and lines[1].mean == pytest.approx(0.7)
    assert table(lines).row_count == 2 and table([]).row_count == 0


# -- the HTTP client ---------------------------------------------------------------------------------------------


class Scripted:
    """A server that answers with what the script says, in turn."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        self.answers = list(answers)
        self.bodies: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                assert "Cookie" not in self.headers
                status, value = outer.answers.pop(0)
                if status == 0:
                    self.close_connection = True
                    return
                data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Set-Cookie", "episode_id=other; Path=/")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.slept: list[float] = []

    def __enter__(self) -> HttpClient:
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.client = HttpClient(address, sleep=self.slept.append)
        return self.client

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.server.shutdown()
        self.server.server_close()


OPEN = (200, {"observation": {"episode_id": "e1"}, "reward": None, "done": False})
OVER = (200, {"observation": {"episode_id": "e1"}, "reward": 0.9, "done": True})


def test_a_lost_answer_is_asked_for_again_under_the_same_request_id() -> None:
    script = Scripted(OPEN, (0, ""), (503, {"code": "full"}), OVER)
    with script as client:
        turn = client.step(client.reset({"seed": 1}).episode_id, {"flags": []})
    assert (turn.done, turn.reward) == (True, 0.9)
    steps = script.bodies[1:]
    assert len(steps) == 3 and len({body["request_id"] for body in steps}) == 1
    assert steps[0]["episode_id"] == "e1" and steps[0]["request_id"] != script.bodies[0]["request_id"]
    assert script.slept == sorted(script.slept) and len(script.slept) == 2


def test_a_422_of_a_step_is_an_observation_with_an_error() -> None:
    parts = {"code": "missing_field", "field": "flags", "expected": "a list", "got": "nothing"}
    with Scripted(OPEN, (422, parts)) as client:
        turn = client.step(client.reset({}).episode_id, {})
    assert turn.observation["error"] == parts and not turn.done and turn.episode_id == "e1"


@pytest.mark.parametrize(
    ("answer", "error", "word"),
    [
        ((422, {"code": "c", "field": "seed", "expected": "x", "got": "y"}), InputError, "seed: expected x"),
        ((422, {"detail": [{"loc": ["body", "seed"], "msg": "bad", "input": 1}]}), InputError, "body.seed"),
        ((409, {"code": "open", "detail": "already open"}), ProtocolError, "already open"),
        ((500, "oops"), ServiceError, "answered 500"),
        ((200, "<html>"), ServiceError, "answered 200"),
        ((200, {"hello": "world"}), ServiceError, "no observation"),
    ],
)
def test_refusals_come_as_the_exceptions_of_the_package(
    answer: tuple[int, Any], error: type[Exception], word: str
) -> None:
    with Scripted(answer) as client, pytest.raises(error, match=word):
        client.reset({})


def test_a_full_server_is_a_capacity_error_after_some_patience() -> None:
    with Scripted(*[(503, {"code": "full"})] * 4) as client, pytest.raises(CapacityError, match="busy"):
        client.reset({})


def test_a_finished_or_unknown_episode_is_a_protocol_error_here_too() -> None:
    client = LocalClient()
    turn = client.reset({"task_id": "task2", "seed": 1_000_000})
    client.step(turn.episode_id, {"flags": [], "recommendation": "clear"})
    for episode_id in (turn.episode_id, "never"):
        with pytest.raises(ProtocolError, match="reset first"):
            client.step(episode_id, {})
