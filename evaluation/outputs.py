"""Where results and traces go, tried before the first episode: nobody plays for hours into a folder that refuses."""

from __future__ import annotations

import tempfile
from pathlib import Path

from customs_env.errors import InputError


def check_outputs(json_file: Path | None, traces: Path | None) -> None:
    """Raise InputError where results cannot be written to a file, or traces to a folder; make missing folders."""
    if json_file is not None:
        try:
            if json_file.is_dir():
                raise IsADirectoryError(None, "it is a folder")
            if json_file.is_file():
                json_file.open("a", encoding="utf-8").close()
            elif not json_file.exists():
                _try_folder(json_file.parent)
        except OSError as error:
            raise _not_writable("--json", "a file that can be written", json_file, error) from error
    if traces is not None:
        try:
            _try_folder(traces)
        except OSError as error:
            raise _not_writable("--traces", "a folder that can be written", traces, error) from error


def _try_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _not_writable(option: str, expected: str, path: Path, error: OSError) -> InputError:
    return InputError("not_writable", option, expected, f"{error.strerror or error}: {path}")
