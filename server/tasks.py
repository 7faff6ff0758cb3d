"""OpenEnv's task API: which files there are, by split and index, and nothing of what is in them."""

from __future__ import annotations

from typing import Any

from customs_env.env.reset import DEFAULT_TASK
from customs_env.errors import InputError
from customs_env.scenarios.tasks import DEFAULT_DIFFICULTY, SPLITS, TASKS

#: list_tasks shows so many of a split; num_tasks tells the whole count.
PREVIEW = 100
#: get_task_range answers so many at once.
MAX_RANGE = 10_000


class TaskCatalogue:
    """The TaskProvider of the environment. Counts are constants; a record is a function of split and index.

    Record `index` of a split is the file that `reset(split=split, index=index)` opens, and `record["reset"]` says the
    same with every argument written out. Every other task has as many files under the same numbers: its `task_id`
    goes with the reset.
    """

    def list_splits(self) -> list[dict[str, str]]:
        """Return the splits, each of its own type."""
        return [{"name": name, "type": name} for name in SPLITS]

    def num_tasks(self, split: str) -> int:
        """Return the declared number of records of a split."""
        if split not in SPLITS:
            raise InputError("unknown_value", "split", "one of " + ", ".join(SPLITS), split)
        return SPLITS[split]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the first records of a split."""
        return self.get_task_range(split, 0, PREVIEW)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return one record; raise IndexError outside 0 <= index < num_tasks."""
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(f"split {split} has records 0 to {SPLITS[split] - 1}")
        task = TASKS[DEFAULT_TASK]
        return {
            "id": f"{split}-{index}",
            "split": split,
            "index": index,
            "task_id": task.task_id,
            "name": task.long_name,
            "difficulty": DEFAULT_DIFFICULTY,
            "max_steps": task.max_steps,
            "reset": {
                "task_id": task.task_id,
                "split": split,
                "index": index,
                "difficulty": DEFAULT_DIFFICULTY,
            },
        }

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Return the records of [start, stop), as a Python slice reads the bounds, at most MAX_RANGE of them."""
        chosen = range(self.num_tasks(split))[slice(start, stop)]
        if len(chosen) > MAX_RANGE:
            raise InputError("invalid_value", "stop", f"at most {MAX_RANGE} records at once", len(chosen))
        return [self.get_task(split, index) for index in chosen]


def task_list() -> list[dict[str, Any]]:
    """Return what /tasks says of each task."""
    return [
        {
            "task_id": task.task_id,
            "name": task.long_name,
            "max_steps": task.max_steps,
            "document_type": task.document_type,
            "final_submission": list(task.required),
            "available_fields": list(task.requestable),
            "instruction": task.instruction,
        }
        for task in TASKS.values()
    ]
