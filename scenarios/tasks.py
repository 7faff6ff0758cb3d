"""The task registry: names, steps, what is asked, levels, splits, and the components that score an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Fields that an agent can request in a shipment file, from the start.
REQUESTABLE_FIELDS = (
    "detailed_goods_description",
    "certificate_of_origin",
    "exchange_rate",
    "duty_rate_schedule",
    "price_reference",
)

DIFFICULTIES = ("easy", "standard")
DEFAULT_DIFFICULTY = "standard"

#: Files a split declares. Procedural files are numbered within these counts by `index`.
SPLITS: Mapping[str, int] = {"train": 1_000_000, "validation": 10_000, "test": 10_000}
DEFAULT_SPLIT = "train"

#: Seeds below this, without split, index or difficulty, pick from the canonical pool, as in the public environment.
CANONICAL_SEEDS_BELOW = 1_000_000


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `weights` are those of the raw score's components and add up to 1."""

    task_id: str
    long_name: str
    max_steps: int
    document_type: str
    required: tuple[str, ...]
    weights: Mapping[str, float]
    requestable: tuple[str, ...]
    instruction: str


TASKS: Mapping[str, Task] = {
    task.task_id: task
    for task in (
        Task(
            "task1",
            "classification",
            1,
            "invoice",
            ("hs_code",),
            {"hs_code": 1.0},
            (),
            "Read the commercial invoice and assign the Indian tariff item, eight digits, in `hs_code`. "
            "The exact item scores 1.0, the right heading (first four digits) 0.5.",
        ),
        Task(
            "task2",
            "document_validation",
            1,
            "shipment_file",
            ("flags", "recommendation"),
            {"flags": 0.8, "recommendation": 0.2},
            (),
            "Compare the papers of the shipment file under `decision_policy`. Report every finding of "
            "`flag_vocabulary` that the file holds in `flags`, and what should happen to the file in "
            "`recommendation`. Each false flag costs 0.15 of the flag score.",
        ),
        Task(
            "task3",
            "full_clearance",
            3,
            "shipment_file",
            ("hs_code", "flags", "recommendation", "assessable_value_inr", "duty_amount_inr"),
            {
                "hs_code": 0.30,
                "flags": 0.30,
                "recommendation": 0.20,
                "assessable_value_inr": 0.10,
                "duty_amount_inr": 0.10,
            },
            REQUESTABLE_FIELDS,
            "Clear the shipment file. You may first request information (`step_kind` request_information with "
            "`requested_fields`; a duty_rate_schedule needs the `hs_code` you ask about) or record an initial_review. "
            "The final_submission carries the Indian tariff item (`hs_code`), every finding (`flags`), the "
            "`recommendation`, the `assessable_value_inr` and the `duty_amount_inr`.",
        ),
    )
}

TASK_BY_LONG_NAME = {task.long_name: task for task in TASKS.values()}
