"""Install this checkout, editable, into the running Python: `python scripts/install.py server,llm,dev`.

Resolving and unpacking with uv takes a fraction of pip's time. uv does not read pip's settings, so those that name
packages' sources are passed on as they stand on this machine. Where uv cannot be had, or fails, pip does the work.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv>=0.5"

#: pip's settings that uv knows, with uv's name for each.
PASSED_ON = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraints",
    "no-index": "--no-index",
}


def pip_settings() -> dict[str, list[str]]:
    """Return pip's settings on this machine by name, from files and environment, the environment first."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    found: dict[str, list[str]] = {}
    by_rank: dict[str, int] = {}
    for line in listed.splitlines():
        key, _, quoted = line.partition("=")
        section, _, name = key.rpartition(".")
        rank = {"global": 1, "install": 2, ":env:": 3}.get(section, 0)
        if rank <= by_rank.get(name, 0):
            continue
        try:
            value = str(ast.literal_eval(quoted))
        except (ValueError, SyntaxError):
            continue
        by_rank[name], found[name] = rank, value.split()
    return found


def uv_arguments(settings: dict[str, list[str]]) -> list[str]:
    """Return uv's arguments for pip's settings; pip looks into all indexes, so uv is told to do so too."""
    arguments = ["--index-strategy", "unsafe-best-match"] if "extra-index-url" in settings else []
    for name, option in PASSED_ON.items():
        values = settings.get(name, [])
        if name == "no-index":
            arguments += [option] if values and values[0].lower() in ("1", "true", "yes", "on") else []
            continue
        for value in values:
            arguments += [option, value]
    return arguments


def with_uv(target: list[str]) -> bool:
    """Install with uv; tell whether it worked."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, UV], stderr=subprocess.DEVNULL, check=False).returncode:
        return False
    settings = pip_settings()
    environment = dict(os.environ)
    if "cert" in settings:
        environment.setdefault("SSL_CERT_FILE", settings["cert"][0])
    if "default-timeout" in settings or "timeout" in settings:
        environment.setdefault("UV_HTTP_TIMEOUT", (settings.get("default-timeout") or settings["timeout"])[0])
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
    done = subprocess.run(
        [*command, *uv_arguments(settings), *target], env=environment, stderr=subprocess.DEVNULL, check=False
    )
    return done.returncode == 0


def compile_what_is_used() -> None:
    """Write the bytecode of the large libraries that the server imports.

    pip compiles everything, which takes longer than the rest of the installation; uv nothing. Where the user's
    settings keep Python from writing bytecode, every start of the server would compile them anew.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    wanted = "import openenv.core.env_server.http_server, openai, uvicorn, rich.progress, gymnasium"
    subprocess.run([sys.executable, "-c", wanted], env=environment, capture_output=True, check=False)


def main() -> int:
    """Install and return the exit status."""
    extras = sys.argv[1]
    os.chdir(ROOT)
    target = ["--editable", f".[{extras}]"]
    print(f"installing customs-env[{extras}] (a minute or two the first time)", flush=True)
    if with_uv(target):
        compile_what_is_used()
        return 0
    print("uv could not do it; pip installs instead (some minutes)", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return subprocess.run([*pip, *target], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
