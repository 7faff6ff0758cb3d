"""What goes over the wire, as OpenEnv models: the schema of /schema and the types of the client.

Strict like the engine: "123" is no number, 85183019 is no string, NaN is refused. The engine (`customs_env.env`)
validates every action itself, whatever the transport; a test holds the two to the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StrictBool, StrictInt, StrictStr

from customs_env.env.actions import MAX_AMOUNT_INR, MAX_CODES, MAX_FLAGS, MAX_TEXT

Money = Annotated[float, Field(strict=True, ge=0, le=MAX_AMOUNT_INR, allow_inf_nan=False)]
Label = Annotated[StrictStr, Field(max_length=MAX_TEXT)]


class CustomsAction(Action):
    """One step of a customs broker: ask for information, record a first review, or file the final answer.

    A final submission carries the fields that its task grades; one that lacks any is rejected, never filled in.
    """

    step_kind: Literal["initial_review", "request_information", "final_submission"] = Field(
        default="final_submission", description="What this step is; only a final submission is graded."
    )
    hs_code: Label | None = Field(
        default=None,
        description="The 8-digit Indian tariff item, as text (dots and spaces are allowed). With "
        "request_information for duty_rate_schedule: the 4, 6 or 8 digits to look up.",
    )
    hs_codes: Annotated[list[Label], Field(max_length=MAX_CODES)] | None = Field(
        default=None,
        description="Tariff items in the order of the invoice lines, where there are several lines.",
    )
    flags: Annotated[list[Label], Field(max_length=MAX_FLAGS)] | None = Field(
        default=None,
        description="Every finding of the file, named as in flag_vocabulary; an empty list says that there is none.",
    )
    recommendation: Literal["clear", "hold", "query_shipper", "refer_to_customs"] | None = Field(
        default=None,
        description="What should happen to the file: the strictest class found, by decision_policy.",
    )
    confidence: Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)] | None = Field(
        default=None, description="How sure you are, from 0 to 1. Recorded, not scored."
    )
    assessable_value_inr: Money | None = Field(
        default=None, description="Assessable value of the consignment in rupees, by the policy's valuation."
    )
    duty_amount_inr: Money | None = Field(default=None, description="Total duty in rupees, all heads together.")
    requested_fields: Annotated[list[Label], Field(max_length=MAX_CODES)] | None = Field(
        default=None, description="With request_information: which of available_fields to reveal."
    )
    task_id: Label | None = Field(
        default=None, description="May repeat the episode's task; an error if it names another one."
    )


class WireAction(CustomsAction):
    """A CustomsAction as it came, for the server: published with the same schema, validated by the engine alone.

    An agent's mistake has to become an observation with `error`. Were it refused here, OpenEnv would answer with
    its own error before the episode saw it.
    """

    _raw: dict[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def model_validate(cls, obj: Any, **_options: Any) -> WireAction:
        """Keep `obj` untouched; a WireAction passes through."""
        if isinstance(obj, WireAction):
            return obj
        action = cls.model_construct()
        action._raw = dict(obj) if isinstance(obj, Mapping) else {"action": obj}
        return action

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the schema of CustomsAction."""
        return CustomsAction.model_json_schema(*args, **options)


def action_payload(action: Action | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the action as the engine takes it: only what was said, without OpenEnv's `metadata`."""
    if isinstance(action, WireAction):
        payload: Mapping[str, Any] = action._raw
    elif isinstance(action, Action):
        given = action.model_fields_set
        payload = {name: getattr(action, name) for name in type(action).model_fields if name in given}
    else:
        payload = action
    return {name: value for name, value in payload.items() if name != "metadata"} if "metadata" in payload else payload


class ActionError(BaseModel):
    """Why an action was rejected. The episode is kept; eight rejections end it."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(description="Name of the rule that was broken.")
    field: str = Field(description="The field that breaks it.")
    expected: str = Field(description="What would have been accepted.")
    got: str = Field(description="What came, in at most 100 characters.")


class CustomsObservation(Observation):
    """What the agent may see of its file: the papers, the policy, what it asked for, and at the end the breakdown."""

    document_type: Literal["invoice", "shipment_file"] = Field(
        description="`invoice` for task1, `shipment_file` for the other tasks."
    )
    document_content: dict[str, Any] = Field(
        description="task1: the fields of the invoice. Else {documents: [...]}, each paper with its `type`."
    )
    task_instruction: str = Field(description="What is asked, in words.")
    decision_policy: dict[str, Any] = Field(
        description="The broker's rules of this file: classes of findings, thresholds, lists, valuation formula."
    )
    flag_vocabulary: list[str] = Field(description="Every finding that files of this task can have.")
    episode_id: str = Field(description="Send it back with every step over HTTP.")
    shipment_id: str = Field(description="Stable name of the file; tells neither seed nor answer.")
    task_id: str = Field(description="task1, task2 or task3.")
    difficulty: str = Field(description="Level of the file: easy, standard, hard or expert.")
    step_index: int = Field(description="Steps used so far; a rejected action uses none.")
    max_steps: int = Field(description="Steps that the episode has.")
    available_fields: list[str] = Field(description="What request_information can ask for.")
    revealed_content: dict[str, Any] = Field(description="What was asked for so far, by field.")
    message: str = Field(description="What happened, in words.")
    error: ActionError | None = Field(default=None, description="Why the last action was rejected, else null.")
    breakdown: dict[str, Any] | None = Field(
        default=None, description="After the end: component scores and counts, never the answer."
    )

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """Return the fields as plain JSON values; OpenEnv's own call is served without a copy of the papers."""
        if options == _SERVER_DUMP and not isinstance(self.error, BaseModel):
            return {name: value for name, value in self.__dict__.items() if name not in _OUTSIDE}
        return super().model_dump(**options)


_OUTSIDE = frozenset({"reward", "done"})
_SERVER_DUMP: dict[str, Any] = {"exclude": {"reward", "done"}}


class CustomsState(State):
    """Where an episode stands. Nothing of the truth is in it."""

    task_id: str | None = Field(default=None, description="Task of the episode; null before the first reset.")
    difficulty: str | None = Field(default=None, description="Level of the file.")
    split: str | None = Field(default=None, description="Split that the file is drawn from.")
    seed: StrictInt | None = Field(default=None, description="Seed of the file, drawn where none was given.")
    index: StrictInt | None = Field(default=None, description="Index in the split, where the reset asked by index.")
    canonical: StrictBool | None = Field(default=None, description="Whether the file is one of the canonical ones.")
    max_steps: int = Field(default=0, description="Steps that the episode has.")
    rejections: int = Field(default=0, description="Actions rejected so far; the eighth ends the episode.")
    done: bool = Field(default=False, description="Whether the episode is over.")
    truncated: bool = Field(default=False, description="Whether it ended without a final submission.")


class CustomsMetadata(EnvironmentMetadata):
    """/metadata: the environment and the versions that fix what a seed and a score mean."""

    versions: dict[str, str] = Field(
        description="Of the package; of generation (changes when any file does), of grading (when any score does), of "
        "truth (when an answer is corrected); the date of the law and the rates; and, as `schedule`, the digest of "
        "a loaded schedule where there is one."
    )
