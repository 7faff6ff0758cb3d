"""Actions as they come over the wire, and the one rule for which are valid.

Strict types: "123" is no number and 85183019 no string; NaN, infinity and negative money are refused; every field has a limit. A code
that does not exist is valid here (it is graded, and scores): refusing it would be a probe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from customs_env.errors import InputError
from customs_env.scenarios.policy import RECOMMENDATIONS
from customs_env.scenarios.tasks import TASK_BY_LONG_NAME, Task

STEP_KINDS = ("initial_review", "request_information", "final_submission")

MAX_FLAGS = 64
MAX_TEXT = 200
MAX_CODES = 64
#: A crore of crores: no consignment is worth more, and floats stay exact to the paisa below it.
MAX_AMOUNT_INR = 1e14

#: Every field of an action. `metadata` is the host protocol's own and is ignored.
ACTION_FIELDS = (
    "step_kind", "hs_code", "hs_codes", "flags", "recommendation", "confidence", "assessable_value_inr", "duty_amount_inr",
    "requested_fields", "task_id",
)  # fmt: skip
_KNOWN = frozenset((*ACTION_FIELDS, "metadata"))


def _text(action: Mapping[str, Any], field: str) -> None:
    value = action[field]
    if not isinstance(value, str):
        raise InputError("wrong_type", field, "a string", value)
    if len(value) > MAX_TEXT:
        raise InputError("too_long", field, f"at most {MAX_TEXT} characters", f"{len(value)} characters")


def _texts(action: Mapping[str, Any], field: str, most: int) -> None:
    value = action[field]
    if not isinstance(value, list):
        raise InputError("wrong_type", field, "a list of strings", value)
    if len(value) > most:
        raise InputError("too_many", field, f"at most {most} entries", f"{len(value)} entries")
    for place, entry in enumerate(value):
        if not isinstance(entry, str):
            raise InputError("wrong_type", f"{field}[{place}]", "a string", entry)
        if len(entry) > MAX_TEXT:
            raise InputError("too_long", f"{field}[{place}]", f"at most {MAX_TEXT} characters", f"{len(entry)} characters")


def _number(action: Mapping[str, Any], field: str, most: float, unit: str) -> None:
    value = action[field]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError("wrong_type", field, f"a number ({unit})", value)
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError("not_finite", field, f"a finite number ({unit})", value)
    if value < 0 or value > most:
        raise InputError("out_of_range", field, f"from 0 to {most:g} ({unit})", value)


def _recommendation(action: Mapping[str, Any], field: str) -> None:
    value = action[field]
    if not isinstance(value, str) or value not in RECOMMENDATIONS:
        raise InputError("unknown_value", field, f"one of {', '.join(RECOMMENDATIONS)}", value)


#: The check of each field that is given and not null. `step_kind` and `task_id` depend on more than themselves.
_CHECKS: Mapping[str, Callable[[Mapping[str, Any], str], None]] = {
    "hs_code": _text,
    "hs_codes": partial(_texts, most=MAX_CODES),
    "flags": partial(_texts, most=MAX_FLAGS),
    "recommendation": _recommendation,
    "confidence": partial(_number, most=1.0, unit="share"),
    "assessable_value_inr": partial(_number, most=MAX_AMOUNT_INR, unit="rupees"),
    "duty_amount_inr": partial(_number, most=MAX_AMOUNT_INR, unit="rupees"),
    "requested_fields": partial(_texts, most=MAX_CODES),
    "task_id": _text,
}


def check_action(action: Any, task: Task) -> str:
    """Return the step kind of a valid action.

    Absent fields and null are the same. Raises InputError naming the first offending field.
    """
    if not isinstance(action, Mapping):
        raise InputError("wrong_type", "action", "a JSON object", action)
    if not action.keys() <= _KNOWN:
        field = next(field for field in action if field not in _KNOWN)
        raise InputError("unknown_field", str(field)[:100], f"one of {', '.join(ACTION_FIELDS)}", "an unknown field")
    kind = action.get("step_kind")
    if kind is None:
        kind = "final_submission"
    elif not isinstance(kind, str) or kind not in STEP_KINDS:
        raise InputError("unknown_value", "step_kind", f"one of {', '.join(STEP_KINDS)}", kind)
    get = action.get
    for field, value in action.items():
        if value is not None:
            check = _CHECKS.get(field)
            if check is not None:
                check(action, field)
    task_id = get("task_id")
    if task_id is not None:
        named = TASK_BY_LONG_NAME.get(task_id)
        if task_id != task.task_id and named is not task:
            raise InputError("other_task", "task_id", f"{task.task_id} (the task of this episode)", task_id)
    if kind == "request_information":
        _check_request(action, task)
    if kind == "final_submission":
        _check_final(action, task)
    return kind


def _check_final(action: Mapping[str, Any], task: Task) -> None:
    for field in task.required:
        if action.get(field) is None:
            if field == "hs_code" and action.get("hs_codes"):
                codes = action["hs_codes"]
                if len(codes) == 1:
                    continue
                raise InputError("wrong_count", "hs_codes", "one code, as the file has one line", f"{len(codes)} codes")
            raise InputError("missing_field", field, f"given: {task.task_id} grades it", "nothing")


def _check_request(action: Mapping[str, Any], task: Task) -> None:
    if not task.requestable:
        raise InputError("not_offered", "step_kind", "final_submission: this task has nothing to request", "request_information")
    if not action.get("requested_fields"):
        raise InputError("missing_field", "requested_fields", f"some of {', '.join(task.requestable)}", "nothing")
    for place, field in enumerate(action["requested_fields"]):
        if field not in task.requestable:
            raise InputError("unknown_value", f"requested_fields[{place}]", f"one of {', '.join(task.requestable)}", field)
