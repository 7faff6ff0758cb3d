#!/bin/sh
# Makes .venv with the newest Python from 3.10 to 3.13 that is found (PYTHON=... says which) and installs the given
# extras in it: scripts/setup_venv.sh server,llm,dev
set -eu
cd "$(dirname "$0")/.."
extras=${1:?which extras to install, such as server,llm}

suitable() {
    "$1" -c 'import sys, venv, ensurepip; raise SystemExit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    chosen=
    if [ -n "${PYTHON:-}" ]; then
        suitable "$PYTHON" || { echo "PYTHON=$PYTHON is no Python from 3.10 to 3.13 with venv" >&2; exit 1; }
        chosen=$PYTHON
    else
        # A version manager may keep Pythons off the path; its shims then exist without working, hence the trial of each
        for name in python3.13 python3.12 python3.11 python3.10 python3 python \
            "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12*/bin/python \
            "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.11*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.10*/bin/python
        do
            if suitable "$name"; then chosen=$name; break; fi
        done
        [ -n "$chosen" ] || {
            echo "no Python from 3.10 to 3.13 with venv was found: install one, or say make PYTHON=/path/to/python" >&2
            exit 1
        }
    fi
    echo "making .venv with $("$chosen" --version)"
    "$chosen" -m venv --clear .venv
fi
exec .venv/bin/python scripts/install.py "$extras"
