"""The Gymnasium face: the checker, twin rollouts, the character set, rendering, vector environments, protocol errors."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest
from episodes import FINAL
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import customs_env
from customs_env.env.episode import Episode, resolve_request
from customs_env.env.text_env import CHARSET, MAX_OBSERVATION_CHARS
from customs_env.errors import InputError, ProtocolError
from customs_env.scenarios.canonical import canonical_pool

IDS = {
    "customs_env/Classification-v1": "task1",
    "customs_env/DocumentValidation-v1": "task2",
    "customs_env/FullClearance-v1": "task3",
}
each_id = pytest.mark.parametrize(("env_id", "task"), IDS.items())


@pytest.fixture
def env(env_id: str) -> Iterator[gymnasium.Env[str, str]]:
    made = gymnasium.make(env_id)
    yield made
    made.close()


def rollout(env: gymnasium.Env[str, str], seed: int, task: str) -> list[Any]:
    """Return everything that a fixed way of playing sees."""
    seen: list[Any] = list(env.reset(seed=seed))
    actions = ["not json", json.dumps({"step_kind": "initial_review"})] if task == "task3" else ["not json"]
    for action in [*actions, json.dumps(FINAL[task])]:
        seen += env.step(action)
    return seen


def test_the_registered_ids_are_those_of_the_readme() -> None:
    assert set(customs_env.ENV_IDS) == set(IDS)
    assert {env_id for env_id in gymnasium.registry if env_id.startswith("customs_env/")} >= set(IDS)


@each_id
def test_the_checker_passes_without_a_warning(env_id: str, task: str) -> None:
    for mode in (None, "ansi"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = gymnasium.make(env_id, render_mode=mode)
            check_env(made.unwrapped)
            made.close()


@pytest.mark.parametrize("order", ["import customs_env, gymnasium", "import gymnasium, customs_env"])
def test_importing_in_either_order_registers(order: str) -> None:
    code = f"{order}; print(gymnasium.make('customs_env/FullClearance-v1').unwrapped.__class__.__name__)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "CustomsTextEnv"), done.stderr


def test_importing_the_package_loads_no_heavy_library() -> None:
    heavy = ("gymnasium", "numpy", "openenv", "gradio", "fastapi", "openai", "torch", "pandas")
    code = f"import sys, customs_env, customs_env.env.episode; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr


@each_id
def test_twin_rollouts_are_equal(env_id: str, task: str) -> None:
    twins = [gymnasium.make(env_id) for _ in range(2)]
    for seed in (0, 1, 12345):
        assert rollout(twins[0], seed, task) == rollout(twins[1], seed, task)


@each_id
def test_resets_without_a_seed_go_on_drawing_from_the_first(env_id: str, task: str) -> None:
    runs = []
    for _ in range(2):
        made = gymnasium.make(env_id)
        runs.append([made.reset(seed=9)[0], made.reset()[0], made.reset()[0]])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 3


@each_id
def test_resets_draw_procedural_files_that_differ(env_id: str, task: str, env: gymnasium.Env[str, str]) -> None:
    files = [env.reset(seed=seed)[1]["file"] for seed in range(20)]
    assert all("canonical" not in file or file["canonical"] is False for file in files)
    assert len({file["seed"] for file in files}) == 20


@each_id
def test_the_info_names_the_file_and_the_observation_does_not(
    env_id: str, task: str, env: gymnasium.Env[str, str]
) -> None:
    text, info = env.reset(seed=5)
    assert info["file"]["task_id"] == task
    shown = json.loads(text)
    again = Episode(resolve_request(**info["file"])).observation().to_dict()
    assert shown == again
    assert str(info["file"]["seed"]) not in text


@each_id
def test_observations_lie_in_the_space_over_many_files(env_id: str, task: str, env: gymnasium.Env[str, str]) -> None:
    for seed in range(150):
        text = env.reset(seed=seed)[0]
        assert set(text) <= CHARSET
        assert len(text) < MAX_OBSERVATION_CHARS
    for number in range(len(canonical_pool(task))):
        text = env.reset(options={"canonical": number})[0]
        assert env.observation_space.contains(text)
    assert "₹" in CHARSET


#: Action texts that the action space holds (escapes are ASCII) and whose values hold other signs.
@given(
    st.sampled_from(["recommendation", "step_kind", "task_id", "hs_code", "requested_fields"]),
    st.text(min_size=1, max_size=30),
)
def test_what_a_rejection_repeats_stays_in_the_observation_space(field: str, text: str) -> None:
    env = ENVS["task3"]
    env.reset(seed=1)
    for action in (
        {**FINAL["task3"], field: text},
        {**FINAL["task3"], text: 1},
        {"step_kind": "request_information", "requested_fields": [text]},
    ):
        written = json.dumps(action)
        if env.action_space.contains(written) and not env.unwrapped._episode.done:  # type: ignore[attr-defined]
            assert env.observation_space.contains(env.step(written)[0])


ENVS = {task: gymnasium.make(env_id, disable_env_checker=True) for env_id, task in IDS.items()}


@given(
    st.text(max_size=60)
    | st.sampled_from(["[" * 100_000, "1" * 10_000, '{"a": NaN}', '{"a":1,"a":2}', "null", "[]", '"x"', ""])
)
def test_any_text_is_an_action_that_gives_an_observation(text: str) -> None:
    env = ENVS["task2"]
    env.reset(seed=3)
    observation, reward, terminated, truncated, _ = env.step(text)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert json.loads(observation)["error"]


@each_id
def test_a_submission_terminates_with_a_breakdown(env_id: str, task: str, env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=2)
    observation, reward, terminated, truncated, info = env.step(json.dumps(FINAL[task]))
    assert (terminated, truncated) == (True, False)
    assert 0.1 <= float(reward) <= 0.9
    assert info["breakdown"] == json.loads(observation)["breakdown"]


@each_id
def test_a_step_before_reset_and_after_the_end_raises(env_id: str, task: str) -> None:
    bare = gymnasium.make(env_id).unwrapped
    with pytest.raises(ProtocolError):
        bare.step(json.dumps(FINAL[task]))
    bare.reset(seed=1)
    bare.step(json.dumps(FINAL[task]))
    for action in (json.dumps(FINAL[task]), "junk"):
        with pytest.raises(ProtocolError):
            bare.step(action)
    bare.reset(seed=1)
    bare.step(json.dumps(FINAL[task]))


@each_id
def test_eight_rejections_truncate(env_id: str, task: str, env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=1)
    ends = [env.step("junk")[1:4] for _ in range(8)]
    assert ends[-1] == (0.1, False, True)
    assert all(end == (0.0, False, False) for end in ends[:-1])


@each_id
def test_ansi_shows_the_file_as_a_person_reads_it(env_id: str, task: str) -> None:
    env = gymnasium.make(env_id, render_mode="ansi")
    observation = json.loads(env.reset(seed=4)[0])
    text = str(env.render())
    content = observation["document_content"]
    papers = content["documents"] if task != "task1" else [content]
    assert papers[0]["invoice_number"] in text
    assert all(line["description"] in text for line in papers[0]["lines"])
    assert "COMMERCIAL INVOICE" in text
    assert ("BILL OF LADING" in text) == (task != "task1")
    env.step(json.dumps(FINAL[task]))
    assert "RESULT" in str(env.render())
    assert gymnasium.make(env_id).unwrapped.render() is None


@each_id
def test_a_vector_env_plays_each_copy_on_its_own_file(env_id: str, task: str) -> None:
    envs = gymnasium.make_vec(env_id, num_envs=3, vectorization_mode="sync")
    observations, infos = envs.reset(seed=[11, 12, 13])
    singles = [gymnasium.make(env_id).reset(seed=seed)[0] for seed in (11, 12, 13)]
    assert list(observations) == singles
    assert len(infos["file"]["seed"]) == 3
    observations, rewards, terminated, truncated, _ = envs.step((json.dumps(FINAL[task]),) * 3)
    assert terminated.all()
    assert not truncated.any()
    assert ((rewards >= 0.1) & (rewards <= 0.9)).all()
    envs.close()


# -- options ------------------------------------------------------------------------------------------------------------------


@each_id
def test_options_pick_canonical_files_splits_and_levels(env_id: str, task: str, env: gymnasium.Env[str, str]) -> None:
    for number in (0, 7):
        text, info = env.reset(options={"canonical": number})
        assert json.loads(text)["shipment_id"] == canonical_pool(task)[number].file.case.shipment_id
        assert info["file"]["canonical"] is True
    text, info = env.reset(options={"split": "test", "index": 4, "difficulty": "easy"})
    assert json.loads(text)["difficulty"] == "easy"
    assert (info["file"]["index"], info["file"]["split"]) == (4, "test")


@each_id
@pytest.mark.parametrize(
    "options",
    [
        {"canonical": 8}, {"canonical": -1}, {"canonical": True}, {"canonical": "0"}, {"canonical": 0, "index": 1}, {"canonical": 0, "seed": 1},
        {"index": 1, "seed": 1}, {"nonsense": 1}, {"task_id": "task1"}, {"difficulty": "none"}, {"split": 3}, {"seed": -1},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_options_are_input_errors(
    env_id: str, task: str, env: gymnasium.Env[str, str], options: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        env.reset(options=options)


@each_id
@pytest.mark.parametrize("options", [{"seed": None}, {"index": None}, {"canonical": None}, {}, None], ids=str)
def test_options_of_null_are_absent_and_the_seed_still_decides(
    env_id: str, task: str, env: gymnasium.Env[str, str], options: dict[str, Any] | None
) -> None:
    assert env.reset(seed=21, options=options)[0] == env.reset(seed=21)[0]


@pytest.mark.parametrize(
    "arguments",
    [{"difficulty": "none"}, {"split": "dev"}, {"reward_scale": "x"}, {"request_cost": 2.0}, {"render_mode": "human"}],
    ids=str,
)
def test_wrong_defaults_are_refused_when_the_environment_is_made(arguments: dict[str, Any]) -> None:
    from customs_env.env.text_env import CustomsTextEnv

    with pytest.raises(InputError):
        CustomsTextEnv("task1", **arguments)


def test_the_raw_scale_and_the_level_are_arguments_of_make() -> None:
    env = gymnasium.make("customs_env/DocumentValidation-v1", reward_scale="raw", difficulty="easy")
    assert json.loads(env.reset(seed=1)[0])["difficulty"] == "easy"
    assert env.step(json.dumps({"flags": ["x"] * 9, "recommendation": "refer_to_customs"}))[1] == 0.0
