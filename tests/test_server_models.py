"""The wire's models: described, strict as the engine is, and nothing of the truth in any of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from episodes import FINAL, each_task, right_answer, start
from hypothesis import given
from hypothesis import strategies as st
from live_server import Live
from pydantic import ValidationError

from customs_env.env.actions import ACTION_FIELDS, MAX_FLAGS, MAX_TEXT, check_action
from customs_env.env.reset import RESET_FIELDS
from customs_env.errors import InputError, ProtocolError
from customs_env.scenarios.tasks import SPLITS, TASKS
from customs_env.server.environment import CustomsEnvironment
from customs_env.server.models import CustomsAction, CustomsObservation, CustomsState, WireAction, action_payload
from customs_env.server.openapi import ResetArguments, StepArguments
from customs_env.server.settings import Settings
from customs_env.server.tasks import MAX_RANGE, PREVIEW
from customs_env.versions import VERSIONS

SEED = 1_000_001
MODELS = [CustomsAction, CustomsObservation, CustomsState, ResetArguments, StepArguments]


@pytest.fixture(scope="module")
def client(live: Live) -> Iterator[httpx.Client]:
    with live.client() as http:
        yield http


# -- schemas ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model.__name__))
def test_every_field_is_described(model: Any) -> None:
    schema = model.model_json_schema()
    for owner in (schema, *schema.get("$defs", {}).values()):
        for name, field in owner["properties"].items():
            assert field.get("description"), f"{owner['title']}.{name}"


def test_the_schema_route_publishes_our_models(client: httpx.Client) -> None:
    published = client.get("/schema").json()
    assert published["action"] == CustomsAction.model_json_schema()
    assert published["observation"] == CustomsObservation.model_json_schema()
    assert published["state"] == CustomsState.model_json_schema()


def test_models_and_engine_name_the_same_fields() -> None:
    assert set(CustomsAction.model_fields) == {*ACTION_FIELDS, "metadata"}
    shown = start().observation().to_dict()
    assert set(CustomsObservation.model_fields) == {*shown, "reward", "done", "metadata"}
    assert set(ResetArguments.model_fields) == {*RESET_FIELDS, "request_id"}


@each_task
def test_observations_fit_their_schema(task: str) -> None:
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(CustomsObservation.model_json_schema())
    engine = start(task)
    for seen in (engine.observation(), engine.step({"flags": 1}), engine.step(FINAL[task])):
        body = {**json.loads(json.dumps(seen.to_dict())), "reward": seen.reward, "done": seen.done, "metadata": {}}
        assert list(validator.iter_errors(body)) == []


# -- strictness: the typed action and the engine refuse the same ------------------------------------------------------


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=MAX_TEXT + 2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
ODD = st.sampled_from(
    ["123", 85183019, True, float("nan"), float("inf"), -1, -0.0, 1e15, 2**60, "x" * (MAX_TEXT + 1), ["x"] * (MAX_FLAGS + 1), [1], [None], "clear"]
)  # fmt: skip


@given(field=st.sampled_from(ACTION_FIELDS), value=JSON | ODD)
def test_models_and_engine_agree_on_the_type_of_every_field(field: str, value: Any) -> None:
    """Where only types decide: fields whose meaning the task decides too are held against the types alone."""
    action = {**FINAL["task3"], field: value}
    try:
        CustomsAction.model_validate(action)
        typed = True
    except ValidationError:
        typed = False
    try:
        check_action(action, TASKS["task3"])
        accepted = True
    except InputError as error:
        # The model does not know the task: what it asks for, what it is called
        accepted = error.code in ("missing_field", "other_task", "wrong_count", "not_offered")
    if field == "step_kind" and value is None:
        return  # null counts as absent over the wire; typed code leaves it out
    if field == "requested_fields" and not value:
        return  # nothing asked for in a final submission, however it is spelt
    assert typed == accepted


@pytest.mark.parametrize(
    "value", ["x", 1, None, [], {"a": 1}, {"hs_code": 1}, {"metadata": {"trace": 1}, "hs_code": "4009"}]
)
def test_the_wire_action_keeps_what_came(value: Any) -> None:
    payload = action_payload(WireAction.model_validate(value))
    if isinstance(value, dict):
        assert payload == {name: part for name, part in value.items() if name != "metadata"}
    else:
        assert payload == {"action": value}  # an unknown field, which the engine refuses


# -- the environment object -------------------------------------------------------------------------------------------


def test_an_observation_of_the_environment_may_be_changed_and_changes_nothing_else() -> None:
    def emptied(value: Any) -> None:
        for child in list(value.values()) if isinstance(value, dict) else list(value):
            if isinstance(child, (dict, list)):
                emptied(child)
        value.clear()

    environment = CustomsEnvironment()
    seen = environment.reset(task_id="task3", seed=SEED)
    before = seen.model_copy(deep=True)
    emptied(seen.document_content)
    emptied(seen.decision_policy)
    after = environment.step(CustomsAction(step_kind="initial_review"))
    assert after.document_content == before.document_content
    assert after.decision_policy == before.decision_policy == CustomsEnvironment().reset(seed=SEED).decision_policy


def test_async_and_plain_methods_say_the_same() -> None:
    async def play() -> list[Any]:
        environment = CustomsEnvironment()
        seen = [await environment.reset_async(task_id="task3", seed=SEED, episode_id="e")]
        seen += [await environment.step_async(CustomsAction(**right_answer(start())))]
        return [(o.model_dump(exclude={"reward", "done"}), o.reward, o.done) for o in seen]

    environment = CustomsEnvironment()
    plain = [environment.reset(task_id="task3", seed=SEED, episode_id="e")]
    plain += [environment.step(CustomsAction(**right_answer(start())))]
    assert asyncio.run(play()) == [(o.model_dump(exclude={"reward", "done"}), o.reward, o.done) for o in plain]


def test_errors_of_use_are_ours_and_readable() -> None:
    environment = CustomsEnvironment()
    with pytest.raises(ProtocolError, match="reset first"):
        environment.step(CustomsAction(hs_code="40091100"))
    with pytest.raises(InputError, match="one of task_id, seed"):
        environment.reset(sed=1)
    with pytest.raises(InputError, match="episode_id"):
        environment.reset(episode_id="")
    environment.reset(task_id="task1", seed=SEED)
    with pytest.raises(InputError, match="render"):
        environment.step(CustomsAction(hs_code="40091100"), render=True)


@each_task
def test_state_and_task_records_hold_nothing_of_the_truth(task: str) -> None:
    environment = CustomsEnvironment()
    environment.reset(task_id=task, seed=SEED)
    truth = start(task).truth
    texts = [environment.state.model_dump_json(), json.dumps(environment.get_task("train", 1))]
    secrets = [*truth.tariff_items, *truth.flags, *([truth.recommendation] if truth.recommendation else [])]
    assert not [secret for secret in secrets for text in texts if secret in text]


def test_metadata_carries_the_versions() -> None:
    metadata = CustomsEnvironment().get_metadata()
    assert (metadata.name, metadata.version, metadata.versions) == ("customs_env", VERSIONS["package"], VERSIONS)


# -- the task API -----------------------------------------------------------------------------------------------------


def test_the_task_api_declares_constant_counts(client: httpx.Client) -> None:
    assert client.get("/list_environments").json() == ["customs_env"]
    assert client.get("/customs_env/splits").json() == [{"name": name, "type": name} for name in SPLITS]
    for split, count in SPLITS.items():
        assert client.post("/customs_env/num_tasks", json={"split": split}).json() == {"num_tasks": count}
        listed = client.post("/customs_env/tasks", json={"split": split}).json()["tasks"]
        assert [record["index"] for record in listed] == list(range(PREVIEW))
        last = client.post("/customs_env/task", json={"split": split, "index": count - 1}).json()["task"]
        assert (last["split"], last["index"]) == (split, count - 1)
        for index in (-1, count):
            assert client.post("/customs_env/task", json={"split": split, "index": index}).status_code == 400


def test_task_ranges_are_read_like_slices(client: httpx.Client) -> None:
    def indexes(start_: int | None, stop: int | None) -> list[int]:
        body = {"split": "test", "start": start_, "stop": stop}
        return [t["index"] for t in client.post("/customs_env/task_range", json=body).json()["tasks"]]

    assert indexes(3, 6) == [3, 4, 5]
    assert indexes(-2, None) == [9998, 9999]
    assert indexes(6, 3) == []
    assert len(indexes(None, None)) == SPLITS["test"] == MAX_RANGE
    answer = client.post("/customs_env/task_range", json={"split": "train"})
    assert (answer.status_code, answer.json()["field"]) == (422, "stop")


def test_an_unknown_split_is_422(client: httpx.Client) -> None:
    for path, body in (("num_tasks", {}), ("tasks", {}), ("task", {"index": 0}), ("task_range", {})):
        answer = client.post(f"/customs_env/{path}", json={"split": "tset", **body})
        assert (answer.status_code, answer.json()["field"]) == (422, "split")


def test_a_record_names_the_file_that_its_split_and_index_open(client: httpx.Client) -> None:
    record = client.post("/customs_env/task", json={"split": "validation", "index": 41}).json()["task"]
    by_index = client.post("/reset", json={"split": "validation", "index": 41}).json()["observation"]
    in_full = client.post("/reset", json=record["reset"]).json()["observation"]
    assert {**by_index, "episode_id": ""} == {**in_full, "episode_id": ""}
    assert by_index["task_id"] == record["task_id"]


# -- settings ---------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_environment() -> None:
    read = Settings.from_environment(
        {
            "CUSTOMS_ENV_STORE": "sqlite:////tmp/e.db",
            "CUSTOMS_ENV_OPERATOR_KEY": "k",
            "CUSTOMS_ENV_MAX_EPISODES": "5",
            "CUSTOMS_ENV_IDLE_S": "60",
        }
    )
    assert read == Settings(store="sqlite:////tmp/e.db", operator_key="k", max_episodes=5, idle_s=60)
    assert read.sqlite_path() == "/tmp/e.db"
    assert Settings.from_environment({}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("CUSTOMS_ENV_MAX_EPISODES", "0"), ("CUSTOMS_ENV_IDLE_S", "1h"), ("CUSTOMS_ENV_MAX_SESSIONS", "-1"), ("CUSTOMS_ENV_KEEP_FINISHED", "1" * 30)],
)  # fmt: skip
def test_a_setting_that_cannot_be_used_is_an_error_that_names_it(name: str, value: str) -> None:
    with pytest.raises(InputError, match=name):
        Settings.from_environment({name: value})


@pytest.mark.parametrize("store", ["redis://x", "sqlite://", "sqlite:///", "Memory"])
def test_an_unknown_store_is_an_error(store: str) -> None:
    with pytest.raises(InputError, match="memory or sqlite"):
        Settings(store=store).sqlite_path()
