"""Traces prove what they say: written, read, replayed, and refused where they do not hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from customs_env.agents import BASELINES
from customs_env.evaluation import (
    EpisodePlan,
    EpisodeRecord,
    LocalClient,
    TraceError,
    play,
    read_traces,
    replay,
    score_lines,
    write_traces,
)
from customs_env.evaluation.report import table
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
