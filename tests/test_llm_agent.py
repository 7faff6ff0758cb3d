"""The language model's path, over real HTTP to a server of the tests' own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from fake_llm_server import FakeLLMServer, Reply, refusal

from customs_env.agents.llm import LLMAgent
from customs_env.agents.llm_connection import ATTEMPTS, HF_ROUTER, LLMConnection, LLMSettings
from customs_env.agents.prompt import SYSTEM, answer_schema, user_text
from customs_env.agents.reading_answers import NO_OBJECT
from customs_env.errors import InputError, OutOfReachError
from customs_env.evaluation.client import LocalClient
from customs_env.evaluation.oracle import OracleAgent, truth_of
from customs_env.evaluation.report import score_lines
from customs_env.evaluation.runner import EpisodePlan, play
from customs_env.evaluation.trace import EpisodeRecord

CLEAR = '{"step_kind": "final_submission", "flags": [], "recommendation": "clear"}'
PLAN = EpisodePlan("llm", "task2", {"task_id": "task2", "seed": 1_000_003})


class Sleeps(list[float]):
    """Stands in for time.sleep and remembers for how long it was asked to sleep."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@contextmanager
def connection(
    server: FakeLLMServer, sleep: Sleeps | None = None, told: list[str] | None = None, **more: Any
) -> Iterator[LLMConnection]:
    settings = LLMSettings("test/model-1", "test-key", server.base_url, timeout_s=10, **more)
    tell = [].append if told is None else told.append
    made = LLMConnection(settings, sleep=Sleeps() if sleep is None else sleep, tell=tell)
    try:
        yield made
    finally:
        made.close()


def play_with(
    server: FakeLLMServer, plan: EpisodePlan = PLAN, sleep: Sleeps | None = None, **more: Any
) -> EpisodeRecord:
    with connection(server, sleep, **more) as made:
        return play(LocalClient(), LLMAgent(made), plan)


# -- the call --------------------------------------------------------------------------------------------------


def test_the_models_answer_is_played_and_scored() -> None:
    for task_id in ("task1", "task2", "task3"):
        reset = {"task_id": task_id, "seed": 1_000_000}
        right = OracleAgent(truth_of(reset)).act(LocalClient().reset(reset).observation)
        with FakeLLMServer(lambda body, right=right: json.dumps(right)) as server:
            record = play_with(server, EpisodePlan("llm", task_id, reset))
        assert (record.score, record.agent, record.unscored_because) == (0.9, "test/model-1", None)
        assert server.keys == ["Bearer test-key"]


def test_structured_output_is_asked_for_with_the_vocabulary() -> None:
    with FakeLLMServer(lambda body: CLEAR) as server:
        play_with(server)
    (body,) = server.requests
    assert body["model"] == "test/model-1" and body["messages"][0]["content"] == SYSTEM
    form = body["response_format"]
    assert form["type"] == "json_schema" and form["json_schema"]["strict"] is True
    schema = form["json_schema"]["schema"]
    assert schema["additionalProperties"] is False and schema["required"] == list(schema["properties"])
    observation = LocalClient().reset(PLAN.reset).observation
    assert schema["properties"]["flags"]["items"]["enum"] == observation["flag_vocabulary"]
    assert "temperature" not in body


def test_a_server_without_structured_output_is_asked_in_a_simpler_form_and_that_is_remembered() -> None:
    def answer(body: dict[str, Any]) -> str | Reply:
        return refusal(400, "response_format is not supported") if "response_format" in body else CLEAR

    with FakeLLMServer(answer) as server, connection(server) as shared:
        for _ in range(2):
            assert play(LocalClient(), LLMAgent(shared), PLAN).score is not None
        forms = [body.get("response_format", {}).get("type") for body in server.requests]
    assert forms == ["json_schema", "json_object", None, None]


def test_a_refusal_of_every_form_is_not_taken_for_a_matter_of_form() -> None:
    with FakeLLMServer(lambda body: refusal(400, "context too long")) as server, connection(server) as shared:
        assert play(LocalClient(), LLMAgent(shared), PLAN).unscored_because
        server.answer = lambda body: CLEAR
        play(LocalClient(), LLMAgent(shared), PLAN)
        assert server.requests[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("trouble", [refusal(500, "oops"), refusal(429, "slow down"), Reply(hang_up=True)])
def test_passing_trouble_is_retried_with_growing_delays(trouble: Reply) -> None:
    sleeps, replies = Sleeps(), [trouble, trouble, trouble]
    with FakeLLMServer(lambda body: replies.pop() if replies else CLEAR) as server:
        record = play_with(server, sleep=sleeps)
    assert record.score is not None and len(server.requests) == 4
    assert len(sleeps) == 3 and 1 <= sleeps[0] < sleeps[1] < sleeps[2] < 8


def test_retry_after_is_obeyed() -> None:
    sleeps, replies = Sleeps(), [refusal(429, "slow down", **{"Retry-After": "7"})]
    with FakeLLMServer(lambda body: replies.pop() if replies else CLEAR) as server:
        play_with(server, sleep=sleeps)
    assert sleeps == [7.0]


def test_lasting_trouble_leaves_the_episode_unscored_and_never_zero() -> None:
    with FakeLLMServer(lambda body: refusal(503, "down for repairs")) as server:
        record = play_with(server)
    assert len(server.requests) == ATTEMPTS
    assert record.score is None and "503" in str(record.unscored_because)
    (line,) = score_lines([record])
    assert (line.n, line.unscored, line.mean) == (0, 1, None)


@pytest.mark.parametrize(
    "reply",
    [refusal(401, "bad key"), refusal(404, "no such model"), Reply(200, "<html>hello</html>"), Reply(200, "{}")],
    ids=["bad key", "no model", "html", "no choices"],
)
def test_what_no_retry_can_mend_is_unscored(reply: Reply) -> None:
    with FakeLLMServer(lambda body: reply) as server:
        record = play_with(server)
    assert record.score is None and record.unscored_because


def test_a_server_that_is_not_there_is_unscored() -> None:
    with FakeLLMServer(lambda body: CLEAR) as server:
        pass
    sleeps = Sleeps()
    with connection(server, sleeps) as made, pytest.raises(OutOfReachError, match="cannot be made"):
        made.ask([], {}, Random(0))
    assert not sleeps, "nobody is there: no pause mends that"


def out_of_reach(server: FakeLLMServer, episodes: int = 4) -> tuple[list[EpisodeRecord], list[str]]:
    """Play episodes in a row over one connection; return the records and what the user was told."""
    told: list[str] = []
    with connection(server, told=told) as shared:
        return [play(LocalClient(), LLMAgent(shared), PLAN) for _ in range(episodes)], told


DEAD = {
    "bad key": refusal(401, "Incorrect API key provided: test-key"),
    "no model": refusal(404, "no such model"),
    "another id each time": refusal(500, "oops"),
    "broken off": Reply(hang_up=True),
    "empty account": Reply(429, json.dumps({"error": {"message": "pay", "code": "insufficient_quota"}})),
    "html": Reply(200, "<html>hello</html>"),
    "no choices": Reply(200, "{}"),
}


@pytest.mark.parametrize("reply", DEAD.values(), ids=DEAD.keys())
def test_a_server_out_of_reach_is_given_up_after_two_episodes_and_the_user_is_told_at_once(reply: Reply) -> None:
    seen: list[int] = []

    def answer(body: dict[str, Any]) -> Reply:
        seen.append(1)
        return refusal(500, f"oops, request {len(seen)}") if reply is DEAD["another id each time"] else reply

    with FakeLLMServer(answer) as server:
        records, told = out_of_reach(server)
        address = server.base_url
    calls = 2 * ATTEMPTS if reply.hang_up or reply.status == 500 else 2
    assert len(seen) == calls, "the third and fourth episode are not asked about"
    assert [record.score for record in records] == [None] * 4
    assert all("given up after 2 episodes" in str(record.unscored_because) for record in records[2:])
    assert all(not record.observations for record in records[2:]), "a file that nobody plays is not opened"
    assert address in told[0] and "given up" in told[-1] and len(told) <= 3
    assert "test-key" not in "".join(told) + "".join(str(record.unscored_because) for record in records)


def test_an_answer_in_between_starts_the_count_anew() -> None:
    replies = [refusal(401, "no"), CLEAR, refusal(401, "no"), CLEAR, refusal(401, "no")]
    with FakeLLMServer(lambda body: replies.pop()) as server:
        records, _ = out_of_reach(server, 5)
    assert [record.score is None for record in records] == [True, False, True, False, True]


def test_trouble_of_one_request_gives_up_nobody() -> None:
    for reply in (refusal(400, "context too long"), refusal(413, "too long"), refusal(429, "slow down")):
        with FakeLLMServer(lambda body, reply=reply: reply) as server:
            records, told = out_of_reach(server, 3)
            asked = len(server.requests)
            server.answer = lambda body: CLEAR
        assert not any("given up" in str(record.unscored_because) for record in records)
        assert told and len(told) <= 2 and asked >= 3


@pytest.mark.parametrize(
    "address",
    ["localhost:8000/v1", "ftp://x/v1", "http://", "http:///v1", "http://x:port", "http://[::1", "http://a b/v1", "k"],
)
def test_an_address_that_is_none_is_refused_before_play(address: str) -> None:
    for name in ("API_BASE_URL", "OPENAI_BASE_URL"):
        with pytest.raises(InputError, match=f"{name}: expected an address") as refused:
            LLMSettings.from_environment({"OPENAI_API_KEY": "k", name: address})
        assert "got k" not in str(refused.value)


def test_user_and_password_of_an_address_are_not_shown() -> None:
    settings = LLMSettings("m", "test-key", "http://user:word@127.0.0.1:9/v1?token=x")
    assert LLMConnection(settings).address == "http://127.0.0.1:9/v1"


def test_a_rejected_answer_goes_back_with_the_reason() -> None:
    replies = [CLEAR, '{"flags": []}']
    with FakeLLMServer(lambda body: replies.pop()) as server:
        record = play_with(server)
    assert record.score is not None and len(record.actions) == 2
    assert record.errors[0] and "recommendation" in record.errors[0]
    told = server.requests[1]["messages"]
    assert told[2] == {"role": "assistant", "content": '{"flags": []}'}
    assert "rejected" in told[3]["content"] and "recommendation" in told[3]["content"]


def test_a_model_that_never_answers_is_scored_at_the_floor_and_told_why() -> None:
    with FakeLLMServer(lambda body: "I am not sure.") as server:
        record = play_with(server)
    assert record.score == 0.1 and len(record.actions) == 8
    assert all(str(error).startswith(f"{NO_OBJECT} | ") for error in record.errors)
    assert NO_OBJECT in server.requests[1]["messages"][-1]["content"]


def test_a_note_stands_only_where_the_answer_was_rejected() -> None:
    with FakeLLMServer(lambda body: '{"flags": [], "recommendation": "clear", "confidence": "rather"}') as server:
        record = play_with(server)
    assert record.errors == (None,)
    with FakeLLMServer(lambda body: '{"flags": "none", "recommendation": "clear"}') as server:
        record = play_with(server)
    assert str(record.errors[0]).startswith("not readable in the answer: flags | flags: expected")


def test_settings_come_from_the_environment() -> None:
    read = LLMSettings.from_environment
    assert read({"OPENAI_API_KEY": "a"}).base_url is None
    both = read({"OPENAI_API_KEY": "a", "HF_TOKEN": "b", "API_BASE_URL": "http://x/v1", "MODEL_NAME": "m"})
    assert (both.api_key, both.base_url, both.model) == ("a", "http://x/v1", "m")
    assert read({"HF_TOKEN": "b", "OPENAI_BASE_URL": "http://y/v1"}).base_url == HF_ROUTER
    assert read({"OPENAI_API_KEY": "a", "OPENAI_BASE_URL": "http://y/v1"}).base_url == "http://y/v1"
    assert read({"OPENAI_API_KEY": " a\n"}).api_key == "a"
    assert read({"HF_TOKEN": "b", "LLM_TEMPERATURE": "0"}).temperature == 0.0
    for wrong in ({}, {"OPENAI_API_KEY": ""}, {"HF_TOKEN": "b", "LLM_TEMPERATURE": "warm"}, {"HF_TOKEN": "clé"}):
        with pytest.raises(InputError):
            read(wrong)


def test_a_set_temperature_is_sent() -> None:
    with FakeLLMServer(lambda body: CLEAR) as server:
        play_with(server, temperature=0.0)
    assert server.requests[0]["temperature"] == 0.0


def test_the_prompt_shows_papers_policy_and_what_was_revealed() -> None:
    client = LocalClient()
    turn = client.reset({"task_id": "task3", "seed": 1_000_000})
    invoice = turn.observation["document_content"]["documents"][0]
    assert invoice["invoice_number"] in user_text(turn.observation)
    assert "request_information" in user_text(turn.observation)
    ask = {"step_kind": "request_information", "requested_fields": ["certificate_of_origin"]}
    for _ in range(2):
        turn = client.step(turn.episode_id, ask)
    shown = user_text(turn.observation)
    assert turn.observation["revealed_content"]["certificate_of_origin"]["reference"] in shown
    # the last step can only decide
    assert "request_information" not in shown.split("# Answer")[1]
    assert "requested_fields" not in answer_schema(turn.observation)["properties"]
