"""The versions that fix what a seed and a score mean, as the server reports them."""

from __future__ import annotations

from customs_env.generator.draws import GENERATION_VERSION
from customs_env.graders.reward import GRADING_VERSION
from customs_env.scenarios.truth import TRUTH_VERSION

VERSIONS = {
    "generation_version": GENERATION_VERSION,
    "grading_version": GRADING_VERSION,
    "truth_version": TRUTH_VERSION,
}

#: All of them in one text, kept with every episode: a log is replayed by the versions that made it, or not at all.
VERSIONS_TEXT = ".".join(VERSIONS.values())
