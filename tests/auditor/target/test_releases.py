"""Outputs of single releases: what was met before is appended at once, as it would be if nothing had been."""

from __future__ import annotations

import math

import numpy as np
import pytest

from auditor.target.target import arrays
from auditor.target.worker import Releases, UnusableOutputError, draw_singly

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
    "#",
    7,
]


def decoded(releases):
    """Shape and numbers by column of every release."""
    fields, payload = releases.encode()
    index, values = arrays(fields, payload, releases.number)
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
    drawn = [OUTPUTS[place] for place in rng.integers(len(OUTPUTS), size=400)]
    releases = Releases()
    for output in drawn:
        releases.add_output(output)
    assert decoded(releases) == [alone(output) for output in drawn]


def test_integers_beyond_doubles_are_refused_where_smaller_ones_were_met():
    """The way that is short for usual outputs takes no number on trust."""
    releases = Releases()
    releases.add_output({"a": 1})
    with pytest.raises(UnusableOutputError, match="doubles"):
        releases.add_output({"a": 10**400})


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
