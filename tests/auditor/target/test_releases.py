"""Outputs of single releases: what was met before is appended at once, as it would be if nothing had been."""

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from auditor.target import worker
from auditor.target.target import BudgetSpentError, KeyOrder, arrays, as_target, sorted_shape
from auditor.target.worker import Releases, UnusableOutputError, clock, draw_singly

OUTPUTS = [
    {"a": 1.0, "b": 2},
    {"a": 3.0, "b": 4.0},
    {"b": 1.0, "a": 2.0},
    {},
    {},
    {"a": True, "b": 1.0},
    {"a": math.nan, "b": 1.0},
    {"a": -math.inf, "b": 1.0},
    {"a": np.float64(0.5), "b": np.int64(3)},
    {"a": None, "b": 1.0},
    {"a": [1.0], "b": 1.0},
    {"a.b": 1.0},
    {"a": {"b": 1.0}},
    {"a": "#", "b": 1.0},
    [1.0, 2.0],
    [1.0, math.nan],
    [3.0, True],
    ["a", "b"],
    (4.0, np.float32(0.5)),
    np.array([5.0, 6.0]),
    "#",
    "a",
    ["a"],
    7,
    7.5,
    math.inf,
    True,
    1,
    None,
    {"a": [{"b": 1.0}, "x"], "c": (2, math.nan)},
    {"a": [1.5, True], "c": "x"},
    {"a": [1.5, 1], "c": "x"},
    {"a": [1.5, False], "c": "y"},
    {"a": [1.5, None], "c": {}},
    {"a": [1.5, math.inf], "c": [[], [2.5]]},
    {"a": {"d": [0.5], "b": 1}, "c": {"x": 1.5}},
    {"a": {"b": [0.5], "d": 1}, "c": {"x": 1.5}},
    {"a": [[np.float64(1.5)], [2]], "c": 'quote " and \n line'},
    [[1.5, "x"], [2.5, "x"]],
    [[1.5, "x"], [2.5, "y"]],
    [[[[1.5, "x"]]], [2.5, 3.5]],
]


def decoded(releases):
    """Shape and numbers by column of every release."""
    fields, payload = releases.encode()
    index, values = arrays(fields, payload, len(releases.kinds))
    rows = [
        {key: value for key, value in zip(fields["columns"], row, strict=True) if not math.isnan(value)}
        for row in values.tolist()
    ]
    return [(fields["shapes"][place], row) for place, row in zip(index.tolist(), rows, strict=True)]


def alone(output):
    """What one output is when nothing was met before."""
    releases = Releases()
    releases.add_output(output)
    return decoded(releases)[0]


def test_an_output_is_the_same_whatever_came_before():
    """In any order, again and again."""
    rng = np.random.default_rng(0)
    draws = [OUTPUTS[place] for place in rng.integers(len(OUTPUTS), size=400)]
    releases = Releases()
    for output in draws:
        releases.add_output(output)
    assert decoded(releases) == [alone(output) for output in draws]


def test_keys_and_lists_are_told_in_the_order_of_a_release():
    """An order may be that of the data."""
    shapes = [
        worker.shape_of_output(output, [])
        for output in ({"b": 1.0, "a": 2.0}, {"a": 2.0, "b": 1.0}, ["b", "a"], ["a", "b"])
    ]
    assert shapes == ['{"b":#,"a":#}', '{"a":#,"b":#}', '["b","a"]', '["a","b"]']


async def returned_late(entries):
    """Return a dictionary."""
    return dict(entries)


async def yields_late(entries):
    """Yield the entries one by one."""
    for entry in entries:
        yield entry


def test_coroutines_and_generators_are_run_to_their_end():
    """Pairs of a key and a number are a dictionary; repeated keys and other items stay a list."""
    entries = [("b", 1.0), ("a", 2.0)]
    for output in (returned_late(entries), yields_late(entries), (entry for entry in entries)):
        assert worker.finished(output) == {"b": 1.0, "a": 2.0}
    assert worker.finished(iter_of(1.0, 2.0)) == [1.0, 2.0]
    assert worker.finished(iter_of(("a", 1.0), ("a", 2.0))) == [("a", 1.0), ("a", 2.0)]
    assert worker.finished(iter_of()) == {}


def iter_of(*items):
    """Yield the items."""
    yield from items


def test_integers_beyond_doubles_are_refused_where_smaller_ones_were_met():
    """The way that is short for usual outputs takes no number on trust."""
    releases = Releases()
    releases.add_output({"a": 1})
    with pytest.raises(UnusableOutputError, match="doubles"):
        releases.add_output({"a": 10**400})


def test_names_that_are_random_end_in_a_named_finding():
    """Each would have a column; the auditor's memory is not what a target decides on."""
    releases = Releases(worker.MOST_CELLS // 2)
    releases.add_output({"0.4": 1})
    releases.add_output({"0.5": 1})
    with pytest.raises(UnusableOutputError, match=r"numbers under 3 names in 3 of .*allowed: 2 names"):
        releases.add_output({"0.6": 1})


@pytest.mark.slow
def test_a_release_of_too_many_numbers_ends_in_a_named_finding():
    """The first one: a look at sixteen of two million numbers took fifteen times what the audit was allowed."""
    with pytest.raises(UnusableOutputError, match=f"in 1 of 16 releases; allowed: {worker.MOST_NAMES} names"):
        Releases(16).add_output([0.0] * (worker.MOST_NAMES + 1))


def test_messages_of_one_text_with_and_without_numbers_are_told_apart():
    """`#` in a message is no number."""

    def release(histogram, rng):
        raise ValueError(("#", "5", "#", "6")[next(rng)])

    releases = Releases()
    draw_singly(release, dict, 4, iter(range(4)), releases, lambda: None)
    assert decoded(releases) == [
        ("raised ValueError: #", {}),
        ("raised ValueError: #", {"!0": 5.0}),
        ("raised ValueError: #", {}),
        ("raised ValueError: #", {"!0": 6.0}),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given.update(a=5),
        lambda given: given.update(c=1),
        lambda given: given.pop("a"),
        lambda given: given.update(a=given.pop("a")),
    ],
    ids=["value", "new key", "key gone", "order"],
)
def test_any_change_of_the_input_is_noticed(change):
    """Another value, another key, none, or another order: once is enough."""

    def release(histogram, rng):
        if next(rng) == 2:
            change(histogram)
        return {}

    untouched = {"a": 1, "b": 2}
    assert draw_singly(release, untouched.copy, 5, iter(range(5)), Releases(), lambda: None)
    assert not draw_singly(release, untouched.copy, 2, iter(range(2)), Releases(), lambda: None)
    assert list(untouched.items()) == [("a", 1), ("b", 2)]


def test_records_are_copied_again_only_after_a_change():
    """Each release gets the data as they were; copies of records and frames take as long as a release."""
    copies, seen = [], []

    def given():
        copies.append([{"value": 1.0}, {"value": 2.0}])
        return copies[-1]

    def release(records, rng):
        seen.append([record["value"] for record in records])
        if next(rng) == 2:
            records[0]["value"] = 5.0
        return 0.0

    assert draw_singly(release, given, 6, iter(range(6)), Releases(), lambda: None)
    assert seen == [[1.0, 2.0]] * 6
    assert len(copies) == 3  # the original, the first, and that after the change


_COUNTED = Path("/proc/self/schedstat").exists() and hasattr(os, "sched_setaffinity")


def waits(histogram, rng):
    """Take its time, computing nothing."""
    time.sleep(0.1)
    return dict(histogram)


@pytest.mark.slow
@pytest.mark.parametrize("starved", [0, 1])
def test_patience_is_with_the_target_alone(starved, monkeypatch):
    """A wait for a core is not the target's: what it waits for of itself is."""
    monkeypatch.setattr(worker, "starved_seconds", lambda _pid: starved * time.monotonic())
    with as_target(waits, "mechanism") as target:
        if starved:
            assert len(target.sample({"a": 1}, 25, 0, patience=2.0).values) == 25
        else:
            with pytest.raises(BudgetSpentError):
                target.sample({"a": 1}, 25, 0, patience=2.0)


@pytest.mark.slow
@pytest.mark.skipif(not _COUNTED, reason="the system does not count how long a process waits for a core")
def test_the_clock_of_a_batch_stands_while_it_waits_for_a_core():
    """Three others on its core: the wall goes on four times as fast as the process, and its clock does not."""
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(ours)})
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        wall, told, computed = time.monotonic(), clock(None), time.process_time()
        while time.process_time() - computed < 0.2:
            pass
        told, wall = clock(None) - told, time.monotonic() - wall
    finally:
        for other in spinning:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, ours)
    computed = time.process_time() - computed
    assert told - computed < (wall - computed) / 2


def test_the_order_of_keys_is_read_only_if_it_is_kept():
    """Texts, numbers, NaN and nested records keep their places; lists keep their order."""
    shape = '{"b":[#,"0 # \\"x",NaN],"a":{"d":-Infinity,"c":[{"f":true,"e":null}]}}'
    assert sorted_shape(shape) == '{"a":{"c":[{"e":null,"f":true}],"d":-Infinity},"b":[#,"0 # \\"x",NaN]}'
    assert sorted_shape("raised KeyError: {b, a}") == "raised KeyError: {b, a}"
    many = [f'"k{i:04}":#' for i in range(1000)]
    assert sorted_shape("{" + ",".join(reversed(many)) + "}") == "{" + ",".join(many) + "}"
    order = KeyOrder()
    order.applied(("{" + ",".join(many) + "}",), np.zeros(3, dtype=np.int64))
    assert not order.varies
    order.applied(("{" + ",".join(reversed(many)) + "}",), np.zeros(3, dtype=np.int64))
    assert order.varies
    assert not order.first

    def either(_histogram, rng):
        return {"a": 1.0, "b": 2.0} if rng.integers(2) else {"b": 2.0, "a": 1.0}

    with as_target(either, "mechanism") as target:
        batch = target.sample({"k0": 1}, 64, 1)
        assert batch.shapes == ('{"a":#,"b":#}',)
        assert target.order.varies
        assert np.array_equal(batch.values[:, [batch.columns.index("a"), batch.columns.index("b")]], [[1.0, 2.0]] * 64)
        target.order.is_released = True
        assert len(target.sample({"k0": 1}, 64, 1).shapes) == 2
