"""Gymnasium ids, registered where Gymnasium is there or as soon as it is imported: the engine need not load it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

ENV_IDS = {
    "customs_env/Classification-v1": ("task1", 1),
    "customs_env/DocumentValidation-v1": ("task2", 1),
    "customs_env/FullClearance-v1": ("task3", 3),
}


def register_envs() -> None:
    """Register every id once. The engine counts steps and rejections itself, so Gymnasium adds no limit of its own."""
    from gymnasium.envs.registration import register, registry

    for env_id, (task_id, _) in ENV_IDS.items():
        if env_id not in registry:
            register(
                id=env_id,
                entry_point="customs_env.env.text_env:CustomsTextEnv",
                kwargs={"task_id": task_id},
                nondeterministic=False,
            )


class _AfterGymnasium(importlib.abc.MetaPathFinder):
    """Lets the import of Gymnasium go its way and registers the ids behind it.

    Gymnasium costs a quarter of a second and 15 MB, which an engine without it should not pay.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_and_register(module: ModuleType) -> None:
                execute(module)
                register_envs()

            spec.loader.exec_module = exec_and_register  # type: ignore[method-assign]
        return spec


def register_with_gymnasium() -> None:
    """Register now where Gymnasium is loaded, else when it will be."""
    if "gymnasium" in sys.modules:
        register_envs()
    elif not any(isinstance(finder, _AfterGymnasium) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterGymnasium())
