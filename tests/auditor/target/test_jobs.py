"""Processes that draw the releases of one request together draw what one of them would."""

import json
import os
import shlex
from pathlib import Path

import numpy as np
import pytest

from auditor.errors import ExitCode
from auditor.front.cli import invoke
from auditor.target.target import PARTS, Limits, MisbehavedError, as_target
from tests.auditor.target.test_hostile import gone, linux

LOGGED = {"shares": [1.0], "tilts": [[]], "log": True}
SLOW = """
import time


def release(histogram, rng):
    time.sleep(0.002)
    return {key: count + int(rng.integers(-SPREAD, SPREAD + 1)) for key, count in histogram.items()}
"""


def crew(given, jobs):
    """A live target with so many processes."""
    target = as_target(given, "mechanism", Limits(answer_seconds=60.0))
    target.jobs = jobs
    return target


def varied(histogram, rng):
    """One of several forms, or an exception."""
    coin = int(rng.integers(5))
    if coin == 4:
        raise ValueError(f"no {rng.integers(3)}")
    return [{}, {"a": rng.normal()}, [rng.normal(), "x"], {"b": 1.0, "a": 2.0}][coin]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "plan"), [(1, None), (17, None), (333, None), (40, LOGGED)])
def test_what_is_drawn_does_not_depend_on_the_number_of_processes(n, plan):
    """Nor does its order, steered or not; and all that was asked for is drawn."""
    batches = []
    for jobs in (1, 3, 40) if n == 333 else (1, 2):
        with crew(varied, jobs) as target:
            batches.append(target.sample({"k0": 1}, n, 7, (1, 2), plan=plan))
    first = batches[0]
    assert len(first.values) == n
    for other in batches[1:]:
        assert (other.shapes, other.columns, other.rng_used) == (first.shapes, first.columns, True)
        assert np.array_equal(other.shape_index, first.shape_index)
        assert np.array_equal(other.values, first.values, equal_nan=True)
        assert plan is None or other.steered.logged == first.steered.logged


@pytest.mark.slow
def test_parts_have_generators_of_their_own():
    """Of 320 normal draws no two are the same, and the next request's are others."""
    with crew(lambda _histogram, rng: rng.normal(), 2) as target:
        draws = np.concatenate([target.sample({"k0": 1}, 160, 1, (place,)).values for place in range(2)])
    assert len(np.unique(draws)) == 320


@pytest.mark.slow
def test_every_process_draws():
    """As many ids as there are processes, and no more of them than parts."""
    for jobs in (1, 3, 40):
        with crew(lambda _histogram, _rng: os.getpid(), jobs) as target:
            assert len(np.unique(target.sample({"k0": 1}, 64, 0).values)) == min(jobs, PARTS)


@pytest.mark.slow
@linux
@pytest.mark.parametrize("how", ["exits", "ends"])
def test_one_that_dies_is_named_and_none_is_left(how, tmp_path):
    """The others are ended with it; so they are at the end of a good request."""

    def release(_histogram, _rng):
        (tmp_path / str(os.getpid())).touch()
        if how == "exits" and len(list(tmp_path.iterdir())) == 3:
            os._exit(9)
        return 1.0

    with crew(release, 3) as target:
        if how == "exits":
            with pytest.raises(MisbehavedError, match="exited with status 9"):
                target.sample({"k0": 1}, 64, 0)
        else:
            target.sample({"k0": 1}, 64, 0)
    started = [int(file.name) for file in tmp_path.iterdir()]
    assert len(started) == 3
    assert all(gone(pid) for pid in started)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "claimed", "said"), [(1, "0.1", ExitCode.FINDINGS), (4, "0.2", ExitCode.OK)], ids=["wrong", "right"]
)
def test_an_audit_says_the_same_with_any_number_of_processes(spread, claimed, said, tmp_path, capsys):
    """The document, a refutation's and a silence's, to the letter; and its own command says it again."""
    file = Path(tmp_path / "slow.py")
    file.write_text(SLOW.replace("SPREAD", str(spread)), "utf-8")
    pair = json.dumps({"left": {"k0": 2, "k1": 1}, "right": {"k0": 1, "k1": 1}})
    words = ["mechanism", f"{file}:release", "--epsilon", "1", "--delta", claimed, "--pair", pair, "--samples", "600"]
    results = []
    for jobs in ("1", "4"):
        code = invoke([*words, "--json", "--jobs", jobs])
        results.append((code, json.loads(capsys.readouterr().out)))
    assert results[0] == results[1]
    assert results[0][0] == said
    again = shlex.split(results[0][1]["reproduce"])[1:]
    assert (invoke([*again, "--json"]), json.loads(capsys.readouterr().out)) == results[0]
