"""Of every report the wrong version is refuted and the right one is not; the record is that of the files."""

import ast
import csv
import re
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from proofs_numeric.statements.verdict import Verdict
from tests.field import record
from tests.field.corpus import CASES, DATA, HERE, RIGHT, Audit, Case, Right, audits

MOST_LINES = 45
"""Lines of a target's file, docstrings included."""
ADDRESS = re.compile(
    r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+|https://github\.com/\S+/blob/[0-9a-f]{40}/\S+"
)


def skipped(case: Case) -> bool:
    """Return whether a package that the case needs is absent."""
    return bool(case.needs) and find_spec(case.needs) is None


def module(audit: Audit):
    """Import a target's file."""
    spec = spec_from_file_location(audit.file.stem, audit.file)
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def data_of(audit: Audit, loaded):
    """Return the data set of an audit: rows, or a histogram; a small histogram where it has none."""
    given = audit.options.get("dataset")
    if given is None:
        return {"visitors": 5}
    if not given.endswith(".csv"):
        return loaded.data(np.random.default_rng(0))
    records = list(csv.DictReader(Path(given).read_text("utf-8").splitlines()))
    if "count" in records[0]:
        return {record["key"]: int(record["count"]) for record in records}
    return [(record["user"], record["partition"], float(record.get("value", 1))) for record in records]


def test_there_are_enough_reports_of_every_kind():
    """At least 40 reports and 20 right mechanisms, all names different, every kind with two cases at least."""
    assert len({case.report for case in CASES}) >= 40
    assert len({mechanism.name for mechanism in RIGHT}) == len(RIGHT) >= 20
    assert len({case.name for case in CASES}) == len(CASES)
    kinds = [case.kind for case in CASES]
    assert set(kinds) == set(Case.__annotations__["kind"].__args__)
    assert all(kinds.count(kind) >= 2 for kind in kinds)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_whole(case: Case):
    """It has an address, a sentence, a promise and both versions, in a short file."""
    assert ADDRESS.fullmatch(case.report)
    assert re.fullmatch(r"[A-Z].*\.", case.fault)
    assert case.options
    text = case.file.read_text("utf-8")
    functions = {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    assert {"wrong", "right"} <= functions
    assert text.count("\n") <= MOST_LINES


def test_every_file_belongs_to_a_case():
    """No target, data set or mechanism is left over."""
    assert {file.stem for file in (HERE / "targets").glob("*.py")} == {case.name for case in CASES}
    assert {file.stem for file in (HERE / "right").glob("*.py")} == {mechanism.name for mechanism in RIGHT}
    used = {str(audit.options.get("dataset")) for audit in audits().values()}
    assert {str(file) for file in DATA.glob("*.csv")} <= used


@pytest.mark.slow
@pytest.mark.parametrize("audit", audits().values(), ids=lambda audit: audit.name)
def test_a_target_gives_releases(audit: Audit):
    """Each function runs on the data that come with it, or on a small histogram."""
    if audit.accountant or (audit.file.stem == "opendp_tree" and find_spec("opendp") is None):
        pytest.skip("not applicable: an accountant, or OpenDP is not installed")
    loaded = module(audit)
    release = getattr(loaded, audit.function)
    if audit.name == "approximate_bounds:wrong":  # an exception is one of its outputs
        with pytest.raises(ValueError, match="outside of the range"):
            release(data_of(audit, loaded), np.random.default_rng(1))
    else:
        assert release(data_of(audit, loaded), np.random.default_rng(1)) is not None


def test_the_record_is_that_of_the_files():
    """Targets, data and options are those of the recorded run, and the page is written from it.

    An audit that was not run yet is named as such on the page.
    """
    result = record.recorded()
    remedy = f"run `{record.COMMAND}`"
    assert record.outdated(result) == [], remedy
    assert result, remedy
    assert record.PAGE.read_text("utf-8") == record.page(result), remedy


QUICK = 8.0
"""CPU seconds of a recorded refutation up to which the suite repeats it; `python -m tests.field.record` runs all."""
LOOK = 1.5
"""CPU seconds of a look at a right version: enough for a gross false alarm, too few for every verdict of the record."""


def quick() -> list[Case]:
    """Return the cases whose wrong version was refuted in so few CPU seconds."""
    result = record.recorded()
    entries = [(case, result.get(f"{case.name}:wrong", {})) for case in CASES if not skipped(case)]
    return [case for case, entry in entries if entry.get("verdict") == "REFUTED" and entry["seconds"] <= QUICK]


def test_most_cases_are_repeated_by_the_suite():
    """A record of few refutations would leave nothing to repeat."""
    assert len(quick()) >= 20


@pytest.mark.slow
@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.parametrize("case", quick(), ids=lambda case: case.name)
def test_the_wrong_version_is_refuted(case: Case):
    """With what an ordinary user tells the audit."""
    result = record.run(case.audit("wrong"))
    assert result.verdict is Verdict.REFUTED, result.detail


@pytest.mark.slow
@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.parametrize("case", quick(), ids=lambda case: case.name)
def test_the_right_version_is_not_refuted(case: Case):
    """No violation is found in a short look."""
    result = record.run(case.audit("right"), LOOK)
    assert result.verdict is not Verdict.REFUTED, result.detail


@pytest.mark.slow
@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.parametrize("mechanism", RIGHT, ids=lambda mechanism: mechanism.name)
def test_a_right_mechanism_is_not_refuted(mechanism: Right):
    """Ordinary mechanisms give no false alarm in a short look."""
    result = record.run(mechanism.audit(), LOOK)
    assert result.verdict is not Verdict.REFUTED, result.detail
