"""Write generator/data/groups.json, the list of what files draw their goods from. Run it after a family was changed.

python scripts/index_goods.py [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from customs_env.generator.groups import measured

LISTED = Path(__file__).resolve().parents[1] / "generator" / "data" / "groups.json"


def text() -> str:
    """Return the file's text: a line a family."""
    splits = [
        f" {json.dumps(split)}: [\n  " + ",\n  ".join(json.dumps(entry) for entry in entries) + "\n ]"
        for split, entries in measured().items()
    ]
    return "{\n" + ",\n".join(splits) + "\n}\n"


def main() -> int:
    """Write the list, or with --check say whether it is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where the list is another")
    options = parser.parse_args()
    wanted = text()
    if options.check:
        same = LISTED.exists() and LISTED.read_text(encoding="utf-8") == wanted
        print(f"{LISTED.name}: {'as it stands' if same else 'differs: run scripts/index_goods.py'}")
        return 0 if same else 1
    LISTED.write_text(wanted, encoding="utf-8")
    print(f"{LISTED.name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
