"""The canonical pool for tests: its files, their findings and wordings."""

import pytest

from customs_env.goods.wording import padded
from customs_env.scenarios.canonical import canonical_pool
from customs_env.scenarios.tasks import TASKS
from customs_env.scenarios.truth import establish_truth

POOL = [(task, seed, entry) for task in TASKS for seed, entry in enumerate(canonical_pool(task))]
SHIPMENTS = [(task, seed, entry) for task, seed, entry in POOL if task != "task1"]


def every(cases=POOL):
    return pytest.mark.parametrize(("task", "seed", "entry"), cases, ids=[entry.file_id for _, _, entry in cases])


def findings_of(entry):
    return [(finding.flag, finding.grade) for finding in establish_truth(entry.file).findings]


def files_of(task):
    return [entry for one, _, entry in POOL if one == task]


def files_with(task, flag):
    return [entry for entry in files_of(task) if flag in dict(findings_of(entry))]


def stated(entry, attribute, text):
    return entry.file.goods[0].family.stated_values(attribute, padded(text))


def description(entry, paper="invoice"):
    return entry.file.case.paper(paper)["lines"][0]["description"]
