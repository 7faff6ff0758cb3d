"""Settings for all tests: sibling modules can be imported, hypothesis is deterministic and has no deadline (nothing is timed)."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("project", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("project")
