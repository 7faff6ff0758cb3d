"""The versions that a published figure must carry."""

from __future__ import annotations

__version__ = "0.1.0"

#: Changes when any file does: a published seed stays the same file.
GENERATION_VERSION = "1"
#: Changes when any score does.
GRADING_VERSION = "1"
#: Changes when an answer is corrected; docs/ERRATA.md then has an entry.
TRUTH_VERSION = "1"
#: The date of law, tariff and exchange rates.
SNAPSHOT_DATE = "2025-12-22"

VERSIONS = {
    "package": __version__,
    "generation": GENERATION_VERSION,
    "grading": GRADING_VERSION,
    "truth": TRUTH_VERSION,
    "snapshot_date": SNAPSHOT_DATE,
}
