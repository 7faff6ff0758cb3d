"""A loaded schedule adds lines to look-ups and keyword search, and changes no file, no answer and no line of ours."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from drawn_files import as_bytes
from official_lists import SMALL, written

from customs_env.agents.retrieval import tariff_index
from customs_env.agents.rules import RulesAgent
from customs_env.cli import main
from customs_env.env.episode import Episode, resolve_request
from customs_env.env.lookups import duty_rate_schedule
from customs_env.errors import DataError, InputError, TraceError
from customs_env.evaluation.client import LocalClient
from customs_env.evaluation.replaying import replay
from customs_env.evaluation.runner import EpisodePlan, play
from customs_env.server.play import versions_text
from customs_env.tariff.loaded import SCHEDULE_VARIABLE, lookup_schedule, versions_in_force
from customs_env.tariff.official import read_official_list
from customs_env.tariff.schedule import load_schedule
from customs_env.tariff.storing import store_schedule
from customs_env.versions import VERSIONS

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the reference folder is not here")
OWN = load_schedule()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return written(tmp_path, SMALL)


@pytest.fixture
def loaded(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "snapshot"
    store_schedule(read_official_list(small, ("code", "description")), small.name, folder)
    monkeypatch.setenv(SCHEDULE_VARIABLE, str(folder))
    return folder


def test_a_loaded_line_is_looked_up_beside_the_own_table(loaded: Path) -> None:
    answer = duty_rate_schedule("0101.30")
    assert answer["description"] == "Live equine animals"
    assert [row["tariff_item"] for row in answer["items"]] == ["01013010", "01013020", "01013090"]
    (row,) = answer["subheadings"]
    assert (row["bcd_pct_min"], row["bcd_pct_max"], row["sws_pct"], row["igst_pct"]) == (0, 30, 10, None)
    assert answer["items"][0]["igst_pct"] == 0 and answer["items"][1]["igst_pct"] is None
    assert {row["confidence"] for row in answer["items"]} == {"loaded"}
    assert duty_rate_schedule("9801")["items"][0]["description"] == "Machinery for a project"
    with pytest.raises(InputError, match="heading that the snapshot"):
        duty_rate_schedule("0102")


def test_loaded_rows_have_the_fields_of_our_own(loaded: Path) -> None:
    added, own = duty_rate_schedule("0101"), duty_rate_schedule("8517")
    assert list(added) == list(own)
    for level in ("subheadings", "items"):
        assert list(added[level][0]) == list(own[level][0])


def test_own_lines_stay_for_answers_are_graded_by_them(
    small: Path, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_it = duty_rate_schedule("8517")
    monkeypatch.delenv(SCHEDULE_VARIABLE)
    assert as_bytes(with_it) == as_bytes(duty_rate_schedule("8517"))


@needs_reference
def test_the_official_list_loads_and_every_heading_of_ours_keeps_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "snapshot"
    assert main(["tariff", "load", str(REFERENCE / "itchs_india_8digit.csv"), "--to", str(folder)]) == 0
    alone = {heading: duty_rate_schedule(heading) for heading in OWN.headings()}
    monkeypatch.setenv(SCHEDULE_VARIABLE, str(folder))
    items = lookup_schedule().items()
    assert len(items) == 12_451
    for heading, before in alone.items():
        after = duty_rate_schedule(heading)
        own = {row["tariff_item"]: row for row in before["items"]}
        assert {row["tariff_item"]: row for row in after["items"] if row["tariff_item"] in own} == own
        assert [row["tariff_item"] for row in after["items"]] == [code for code in items if code[:4] == heading]
    for heading in sorted({code[:4] for code in items}):
        assert duty_rate_schedule(heading)["description"] or heading[:2] == "98"
    assert "01013010" in tariff_index().items
    assert tariff_index().ranked("live asses and donkeys", 20)[0].startswith("0101")


def test_keyword_search_sees_the_loaded_lines(loaded: Path) -> None:
    assert tariff_index().ranked("asses for breeding", 1) == ["01013010"]


def test_files_and_truth_are_the_same_with_and_without_a_schedule(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened() -> list[bytes]:
        episodes = [
            Episode(resolve_request(task_id=task, seed=seed)) for task in ("task1", "task3") for seed in (5_000, 5_001)
        ]
        return [as_bytes([e.observation().to_dict() | {"episode_id": ""}, e.truth.to_dict()]) for e in episodes]

    with_it = opened()
    monkeypatch.delenv(SCHEDULE_VARIABLE)
    assert with_it == opened()


def test_the_digest_stands_in_the_versions_and_parts_the_traces(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = lookup_schedule().digest
    assert versions_in_force() == {**VERSIONS, "schedule": digest}
    record = play(
        LocalClient(),
        RulesAgent(),
        EpisodePlan("rules", "task1", {"task_id": "task1", "seed": 5_000, "canonical": False}),
        versions_in_force(),
    )
    with_it = versions_text({})
    assert replay(record, LocalClient()) == record.score
    monkeypatch.delenv(SCHEDULE_VARIABLE)
    assert versions_in_force() == VERSIONS
    assert versions_text({}) != with_it
    with pytest.raises(TraceError, match="schedule was"):
        replay(record, LocalClient())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "lines.csv").write_text("code\n"),
        lambda folder: (folder / "lines.csv").unlink(),
        lambda folder: (folder / "manifest.json").unlink(),
        lambda folder: (folder / "manifest.json").write_text("{"),
        lambda folder: (folder / "manifest.json").write_text("[]"),
        lambda folder: (folder / "manifest.json").write_bytes(b"\xff"),
    ],
)
def test_a_snapshot_that_is_not_whole_stops_the_reset(spoil: Any, loaded: Path) -> None:
    spoil(loaded)
    with pytest.raises(InputError, match=SCHEDULE_VARIABLE):
        resolve_request(task_id="task1", seed=5_000)


def test_a_new_snapshot_takes_the_place_of_the_old_and_nothing_else_is_overwritten(small: Path, tmp_path: Path) -> None:
    official = read_official_list(small, ("code", "description"))
    folder, other = tmp_path / "snapshot", tmp_path / "other"
    assert store_schedule(official, "a.csv", folder) == store_schedule(official, "b.csv", folder)
    assert sorted(path.name for path in folder.iterdir()) == ["lines.csv", "manifest.json"]
    other.mkdir()
    (other / "thesis.txt").write_text("keep me")
    for place in (other, small):
        with pytest.raises(DataError, match="something else"):
            store_schedule(official, "a.csv", place)
    assert (other / "thesis.txt").read_text() == "keep me"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["list.csv", "other", "snapshot"]


def test_the_load_command_says_what_it_did_and_how_to_use_it(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "snapshot"
    assert main(["tariff", "load", str(small), "--to", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "5 tariff items, 1 headings and subheadings" in said and f"{SCHEDULE_VARIABLE}={folder}" in said
    assert "columns not used: remark" in said


def test_rates_go_through_a_snapshot_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "code,description,bcd_pct,bcd_specific\n01013010,Asses,0.0125,12.50 INR/KGS\n")
    store_schedule(read_official_list(path), "x.csv", tmp_path / "s")
    monkeypatch.setenv(SCHEDULE_VARIABLE, str(tmp_path / "s"))
    (row,) = duty_rate_schedule("0101")["items"]
    assert (row["bcd_pct"], row["bcd_specific"]) == (float(Decimal("0.0125")), "12.50 INR/KGS")
