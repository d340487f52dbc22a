"""Brackets of zeros: as narrow as asked for, with their signs, from few evaluations."""

import math

import pytest

from auditor.statistics.bracketing import bracket_of_zero

FUNCTIONS = {
    "a line": (lambda x: x - 0.3, 0.0, 1.0, 0.3),
    "a falling line": (lambda x: 0.3 - x, 0.0, 1.0, 0.3),
    "a power": (lambda x: x**9 - 1e-4, 0.0, 4.0, 1e-4 ** (1 / 9)),
    "a step": (lambda x: math.copysign(1.0, x - math.pi / 4), 0.0, 1.0, math.pi / 4),
    "an infinity on one side": (lambda x: -math.inf if x < 0.25 else x, 0.0, 1.0, 0.25),
    "flat beside the zero": (lambda x: (x - 0.6) ** 3, 0.0, 1.0, 0.6),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_bracket_holds_the_zero_and_keeps_the_signs_of_its_ends(name: str) -> None:
    """The ends are evaluated, at most the width apart, and have the signs of those given."""
    function, low, high, zero = FUNCTIONS[name]
    observations = {low: function(low), high: function(high)}

    def watched(x: float) -> float:
        assert low < x < high
        return observations.setdefault(x, function(x))

    left, right = bracket_of_zero(watched, low, high, 1e-6, function(low), function(high))
    assert left <= zero <= right <= left + 1e-6
    assert (observations[left] >= 0) == (function(low) >= 0)
    assert (observations[right] >= 0) == (function(high) >= 0)


def test_a_smooth_function_takes_fewer_evaluations_than_halving() -> None:
    """Twenty halvings narrow [0, 1] to a millionth; the logarithm's zero is there in half as many evaluations."""
    points: list[float] = []

    def watched(x: float) -> float:
        points.append(x)
        return math.log(x / 0.01)

    bracket_of_zero(watched, 0.0, 1.0, 1e-6, -math.inf, math.log(100.0))
    assert len(points) <= 12
