"""Episodes are run, bounded and reported alike in any order, and figures are computed right."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from customs_env.agents import BASELINES
from customs_env.errors import InputError, UnscoredError
from customs_env.evaluation import (
    EpisodePlan,
    EpisodeRecord,
    LocalClient,
    Turn,
    agent_seed,
    interval,
    play,
    play_all,
    score_lines,
)
from customs_env.evaluation.lines import LONGEST_ACTION, LONGEST_REASON, EpisodeLines, step_line
from customs_env.evaluation.outputs import check_outputs
from customs_env.evaluation.plans import is_canonical, make_plans, parse_seeds, parse_tasks
from customs_env.evaluation.report import FEW, interval_text, table
from customs_env.versions import VERSIONS


def record(agent: str = "rules", task_id: str = "task3", seed: int = 1_000_000) -> EpisodeRecord:
    plan = EpisodePlan(agent, task_id, {"task_id": task_id, "seed": seed})
    return play(LocalClient(), BASELINES[agent](), plan, VERSIONS)


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
