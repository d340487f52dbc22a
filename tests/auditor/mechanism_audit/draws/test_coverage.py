"""A branch on data that no data set took is found, whatever its form; guards, options and noise hide nothing."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from auditor.mechanism_audit.draws.coverage import coverage_of
from auditor.target import worker
from auditor.target.coverage import Coverage
from auditor.target.worker import beside, survey
from tests.auditor.mechanism_audit import branches, decorated

DATA = ({}, {"a": 1}, {"a": 3, "b": 1}, {"a": 4, "b": 7})


def doubt(name, module=branches):
    """Return the doubt after one release of each data set."""
    mechanism = getattr(module, name)
    seen = Coverage(mechanism)
    for histogram in DATA:
        with seen:
            mechanism(histogram, np.random.default_rng(0))
    return coverage_of(seen.new_steps(), name).doubt()


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("without_else", "'total < LARGE' was never false"),
        ("elif_without_else", "'total < LARGE' was never false"),
        ("skipped_noise", "'total < LARGE' was never false"),
        ("expression", "'total > LARGE' was never true"),
        ("one_line", "'total > LARGE' was never true"),
        ("choice", "'total > LARGE' was never true"),
        ("comprehension", "'count > LARGE' was never true"),
        ("matched", "'sorted(histogram)' never matched '['ash', 'birch', 'cedar']'"),
        ("loop", "'total > LARGE' was never true"),
        ("handler", "'except ZeroDivisionError' never happened"),
        ("entry", "'exactly' was never chosen"),
        ("table", "'exactly' was never chosen"),
        ("lambdas", "a lambda was never chosen"),
        ("by_name", "'exactly' was never chosen"),
        ("by_attribute", "'_plain' was never chosen"),
        ("handed_on", "'exactly' was never chosen"),
    ],
)
def test_a_branch_that_data_never_took_leaves_a_doubt(name, condition):
    """The doubt names the file and the condition."""
    result = doubt(name)
    assert result is not None
    assert "of branches.py" in result
    assert condition in result


@pytest.mark.parametrize("name", ["option", "guards", "both", "by_noise", "law", "every_entry"])
def test_right_mechanisms_leave_no_doubt(name):
    """Each has a branch that looks alike and releases nothing of the data, or that ran."""
    assert doubt(name) is None


def test_the_way_around_a_block_is_called_so():
    """The block itself ran."""
    assert doubt("skipped_noise").startswith("the way around line")


@pytest.mark.parametrize(
    "name",
    [
        "cached", "wrapped", "bound", "context", "property_", "cached_property", "static", "of_class", "method",
        "called", "entry",
    ],
)  # fmt: skip
def test_functions_under_decorators_are_covered(name):
    """The block never ran, or the function was never chosen."""
    result = doubt(name, decorated)
    assert result is not None
    assert "of decorated.py" in result


@pytest.mark.parametrize("name", ["right_cached", "right_wrapped", "right_floor", "right_clip"])
def test_right_functions_under_decorators_leave_no_doubt(name):
    """All their branches on data ran."""
    assert doubt(name, decorated) is None


def test_a_block_that_is_declared_not_to_run_is_an_assumption(tmp_path):
    """The note says so; the same block without the comment leaves a doubt, which names the comment."""
    text = "def release(histogram, rng):\n    n = sum(histogram.values())\n    if n > 10**13:MARK\n        return n\n"
    for mark in ("", "  # pragma: no cover"):
        file = tmp_path / "marked.py"
        file.write_text(text.replace("MARK", mark))
        result = coverage_of([(str(file), 1, 1, 2), (str(file), 1, 2, 3), (str(file), 1, 3, -1)], "release")
        assert (result.doubt() is None) is bool(mark)
        assert ("assumed, by '# pragma: no cover'" in result.note()) is bool(mark)
        assert mark or "'# pragma: no cover' declares" in result.doubt()


COMPILED = """
from concurrent.futures import ThreadPoolExecutor

def compiled(function):
    return len

@compiled
def kernel(counts):
    return sum(counts)

def in_thread(counts):
    if sum(counts) > 10**13:
        return counts
    return 0

def at_once(counts):
    return max(counts, default=0)

def release(histogram, rng):
    counts = [*histogram.values()]
    with ThreadPoolExecutor(1) as pool:
        rest = pool.submit(in_thread, counts).result()
    return kernel(counts) + at_once(counts) + rest + rng.laplace()
"""


def test_functions_whose_lines_are_not_counted_are_named_and_threads_are_counted(tmp_path):
    """A decorator that compiles hides its function; a function in a thread leaves a doubt as any other."""
    file = tmp_path / "fast.py"
    file.write_text(COMPILED)
    spec = spec_from_file_location("fast", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    seen = Coverage(module.release)
    with seen:
        module.release({"a": 3}, np.random.default_rng(0))
    found = coverage_of(seen.new_steps(), "release")
    assert found.uncounted_names == ("kernel in line 8 of fast.py",)
    assert found.note().startswith(
        "never ran on any data set tried: fast.py:13; not counted: kernel in line 8 of fast.py"
    )
    assert "line 13 of fast.py ('sum(counts) > 10 ** 13' was never true)" in found.doubt()


def test_a_survey_runs_what_a_cache_would_hide():
    """The releases before it filled the cache."""
    decorated.right_cached({"a": 5}, np.random.default_rng(0))
    requests = {
        "n": 2,
        "seed": 1,
        "inputs": [{"histogram": {"a": 5}}],
        "form": {},
        "cover": True,
        "seconds": 9,
        "clock": 9,
    }
    beside("coverage").empty_caches.cache_clear()
    answer, _ = survey(decorated.right_cached, "Generator", requests, lambda: None)
    first = decorated.half.__wrapped__.__code__.co_firstlineno
    assert first in {step[1] for step in answer["steps"][0]}


def test_the_auditor_beside_a_target_is_no_part_of_it():
    """A target in the root of a checkout: its lines are counted, those of the worker that reads its release are not."""
    seen = Coverage(branches.without_else)
    seen.folder = f"{Path(worker.__file__).parents[2]}/"
    with seen:
        worker.shape_of({"a": branches.without_else({"a": 1}, np.random.default_rng(0))}, [])
    assert {step[0] for step in seen.new_steps()} == {branches.__file__}
