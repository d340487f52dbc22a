"""What a claim declares monotone is so: certified on pairs of points, one parameter apart."""

from random import Random

import pytest

from auditor.engine.registry import registry
from auditor.search.parameter_points import exact_values, search_box
from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.formula import evaluate_in

DECLARED = [name for name, claim in registry().claims.items() if claim.rises or claim.falls]
PAIRS = 2
"""Of each parameter; of a dear claim, one."""
DRAWS = 200
DEAR = 20
"""Cost from which one pair does, enclosed in 128 bits: more shows no more of an order."""
FEW = 999
"""Most of whole numbers of a dear claim, which take the time: releases, counters, users."""


def value(claim, point):
    """Enclose the claim's value, or None where it has none."""
    values = exact_values(point)
    if claim.special_value is not None and claim.special_value(**values) is not None:
        return None
    try:
        return evaluate_in(Ball(128 if claim.cost >= DEAR else 192), claim.formula, values)
    except (ArithmeticError, ValueError):
        return None


def steps(claim, name, random):
    """Yield values of the claim at points that differ in one parameter, the smaller first: drawn ones, and its own.

    Of a dear claim its own come first, which are cheap.
    """
    box = search_box(claim.domain)
    (axis,) = (axis for axis in box.axes if axis.parameter.name == name)
    found = 0
    drawn = ({one.parameter.name: one.draw(random) for one in box.axes} for _ in range(DRAWS))
    own = ({one: exact(number) for one, number in point.items()} for point in claim.points)
    for point in (*own, *drawn) if claim.cost >= DEAR else (*drawn, *own):
        low, high = sorted(
            ({**point, name: other} for other in (point[name], axis.draw(random))), key=lambda p: p[name]
        )
        if found == (PAIRS if claim.cost < DEAR else 1) or not (box.contains(low) and box.contains(high)):
            continue
        if claim.cost >= DEAR and any(high[one.name] > FEW for one in claim.domain.parameters if one.integer):
            continue
        first, second = value(claim, low), value(claim, high)
        if first is not None and second is not None and (second - first).is_finite():
            found += 1
            yield first, second


@pytest.mark.slow
@pytest.mark.parametrize("identifier", DECLARED)
def test_a_declared_direction_is_one(identifier):
    """No enclosure falls where the claim says that it rises, nor the other way round."""
    claim = registry().claim(identifier)
    assert not {*claim.rises} & {*claim.falls}
    for name in (*claim.rises, *claim.falls):
        pairs = list(steps(claim, name, Random(name)))  # noqa: S311 - points, no secret
        assert pairs, name
        assert not any(second < first if name in claim.rises else second > first for first, second in pairs), name


def test_many_claims_declare_their_directions():
    """A list that is empty would test nothing."""
    assert len(DECLARED) > 40
