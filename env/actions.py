"""Actions as they come over the wire, and the one rule for which are valid.

Strict types: "123" is no number and 85183019 no string; NaN, infinity and negative money are refused; every field has a
limit. A code that does not exist is valid here (it is graded, and scores): refusing it would be a probe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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
    "step_kind", "hs_code", "hs_codes", "flags", "recommendation", "confidence", "assessable_value_inr",
    "duty_amount_inr", "requested_fields", "task_id",
)  # fmt: skip
_KNOWN = frozenset((*ACTION_FIELDS, "metadata"))


def _text(value: Any, field: str) -> None:
    if not isinstance(value, str):
        raise InputError("wrong_type", field, "a string", value)
    if len(value) > MAX_TEXT:
        raise InputError("too_long", field, f"at most {MAX_TEXT} characters", f"{len(value)} characters")


def _texts(value: Any, field: str) -> None:
    most = MAX_FLAGS if field == "flags" else MAX_CODES
    if not isinstance(value, list):
        raise InputError("wrong_type", field, "a list of strings", value)
    if len(value) > most:
        raise InputError("too_many", field, f"at most {most} entries", f"{len(value)} entries")
    for place, entry in enumerate(value):
        if not isinstance(entry, str) or len(entry) > MAX_TEXT:
            _text(entry, f"{field}[{place}]")


def _number(value: Any, field: str, most: float, unit: str) -> None:
    if type(value) is float and 0.0 <= value <= most:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError("wrong_type", field, f"a number ({unit})", value)
    if not 0 <= value <= most:  # NaN is neither
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError("not_finite", field, f"a finite number ({unit})", value)
        raise InputError("out_of_range", field, f"from 0 to {most:g} ({unit})", value)


def _rupees(value: Any, field: str) -> None:
    _number(value, field, MAX_AMOUNT_INR, "rupees")


def _share(value: Any, field: str) -> None:
    _number(value, field, 1.0, "share")


def _recommendation(value: Any, field: str) -> None:
    if not isinstance(value, str) or value not in RECOMMENDATIONS:
        raise InputError("unknown_value", field, f"one of {', '.join(RECOMMENDATIONS)}", value)


#: The check of each field that is given and not null. `step_kind` and `task_id` depend on more than themselves.
_CHECKS: Mapping[str, Callable[[Any, str], None]] = {
    "hs_code": _text,
    "hs_codes": _texts,
    "flags": _texts,
    "recommendation": _recommendation,
    "confidence": _share,
    "assessable_value_inr": _rupees,
    "duty_amount_inr": _rupees,
    "requested_fields": _texts,
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
                check(value, field)
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
    codes = action.get("hs_codes")
    if codes is not None:
        if len(codes) != 1:
            raise InputError("wrong_count", "hs_codes", "one code, as the file has one line", f"{len(codes)} codes")
        if action.get("hs_code") not in (None, codes[0]):
            raise InputError("conflict", "hs_codes", "hs_code or hs_codes, or the same code in both", codes[0])
    for field in task.required:
        if action.get(field) is None and (field != "hs_code" or codes is None):
            raise InputError("missing_field", field, f"given: {task.task_id} grades it", "nothing")


def _check_request(action: Mapping[str, Any], task: Task) -> None:
    if not task.requestable:
        raise InputError(
            "not_offered", "step_kind", "final_submission: this task has nothing to request", "request_information"
        )
    if not action.get("requested_fields"):
        raise InputError("missing_field", "requested_fields", f"some of {', '.join(task.requestable)}", "nothing")
    for place, field in enumerate(action["requested_fields"]):
        if field not in task.requestable:
            raise InputError(
                "unknown_value", f"requested_fields[{place}]", f"one of {', '.join(task.requestable)}", field
            )
