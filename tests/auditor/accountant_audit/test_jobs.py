"""Several processes answer for one accountant: what is said of it does not depend on their number."""

import json
import os
from pathlib import Path

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.errors import ExitCode
from auditor.front.accountants import accountant_request
from auditor.front.cli import invoke
from auditor.target.target import Limits, Returned, as_target

CLAIM = "wilkins2024.thm2.2"
TARGET = """
import math, os

def delta(epsilon, mu):
    with open(os.path.join({folder!r}, str(os.getpid())), "a") as calls:
        calls.write(f"{{epsilon!r}} {{mu!r}}\\n")
    if mu > 50:
        {beyond}
    above, below = (math.erfc(-x / math.sqrt(2)) / 2 for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
    return above - math.exp(epsilon) * below
"""


@pytest.mark.slow
@pytest.mark.parametrize("beyond", ["pass", "os._exit(3)"], ids=["answers", "dies"])
def test_an_audit_says_the_same_with_any_number_of_processes(beyond, tmp_path):
    """Every call is the same, in the same order, with the same judgement; and with three each of them is asked."""
    logs, processes = [], []
    for jobs in (None, 1, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        file = folder / "slow.py"
        file.write_text(TARGET.format(folder=str(folder), beyond=beyond), "utf-8")
        audit = audit_accountant(accountant_request(f"{file}:delta", CLAIM, max_examples=40, jobs=jobs))
        logs.append([(call.point, call.answer, call.judgement.kind, call.is_random) for call in audit.calls])
        told = (path for path in folder.iterdir() if path.is_file() and path != file)
        processes.append(sorted(len(path.read_text("utf-8").splitlines()) for path in told))
    assert logs[0] == logs[1] == logs[2]
    assert len(logs[0]) > 80
    assert len(processes[2]) >= len(processes[0]) + 2
    assert processes[2][-3] >= 10


@pytest.mark.slow
def test_calls_are_shared_out_by_turns():
    """Answers come in the order of the calls; after one on which a process died there is none of that process."""

    def answer(x):
        return os._exit(1) if x == 5 else 10 * x

    target = as_target(answer, "accountant", Limits(answer_seconds=60.0))
    target.jobs = 2
    with target:
        answers = target.call_apart([{"x": x} for x in range(10)])
    said = [one.value if isinstance(one, Returned) else one and one.name for one in answers]
    assert said == [0, 10, 20, 30, 40, "dies", 60, None, 80, None]


def test_it_is_for_a_function_and_a_claim(capsys):
    """A class has parts that are audited one after another: the number would be ignored, and is refused."""
    objects = Path(__file__).parent / "objects.py"
    assert invoke(["accountant", f"{objects}:Gaussian", "--jobs", "2", "--json"]) == ExitCode.USAGE
    assert "--jobs is for a function and --against" in json.dumps(capsys.readouterr().err)
