"""What a claim declares monotone is so: certified on pairs of points, one parameter apart."""

from fractions import Fraction
from random import Random

import pytest

from auditor.engine.registry import registry
from auditor.search.parameter_points import exact_values, search_box
from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.formula import evaluate_in

DECLARED = [name for name, claim in registry().claims.items() if claim.rises or claim.falls]
OURS = sorted({one.against for name, one in registry().accountants.items() if name.startswith("reference.")})
ROWS = {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}
KINDS = {"epsilon": 1, "rows_1": 5, "sigma_1": 4, "gap_1": 10, "rows_2": 5, "sigma_2": 4, "gap_2": 10}
SHARED = {"epsilon": 1, "k": 4, "sigma": 1, "gap": 10}
FEW = {"epsilon": 2, "k": 10, "m": 3, "sigma": 3, "gamma": 10, "gap": 12}
SEVERAL = {**FEW, "releases": 2, "sigma": 4, "gap": 18, "mu_o": 0}
BOTH_WAYS = (
    ("wilkins2024.thm5.4", ROWS, "sigma", (2, 4, 40)),
    ("wilkins2024.cor5.4.1.ub", ROWS, "sigma", (2, 4, 40)),
    ("wilkins2024.thm7.1", ROWS, "sigma", (2, 4, 40)),
    ("wilkins2024.composition.adaptive", {**ROWS, "releases": 1}, "sigma", (2, 4, 40)),
    ("wilkins2024.composition.fixed", KINDS, "sigma_1", (2, 4, 40)),
    ("wilkins2024.composition.fixed", KINDS, "sigma_2", (2, 4, 40)),
    (
        "thresholds.gaussian.integer.profile",
        {"epsilon": 1, "c_u": 4, "per_key": 1, "threshold": 8},
        "sigma",
        (1, 2, 20),
    ),
    ("rogers2024.thm7.gaussian.exact", {"epsilon": 1, "delta_0": 10, "delta_inf": 1, "T": 11}, "sigma", (2, 4, 40)),
    ("rogers2024.thm7.laplace.exact", {"epsilon": 1, "delta_0": 4, "delta_inf": 1, "T": 11}, "b", (1, 2, 40)),
    ("lebeda2025.csh.exact", SHARED, "sigma", (1, 3, 30)),
    ("lebeda2025.csh.exact", {**SHARED, "epsilon": 5, "gap": 5}, "k", (1, 2, 60)),
    ("lebeda2025.composition.same", {**SHARED, "releases": 2}, "sigma", (1, 3, 30)),
    ("lebeda2025.composition.same", {**SHARED, "releases": 2, "epsilon": 5, "gap": 5}, "k", (1, 2, 60)),
    ("lebeda2025.composition.adaptive", {**SHARED, "releases": 2}, "sigma", (1, 3, 30)),
    ("lebeda2025.composition.adaptive", {**SHARED, "releases": 2, "epsilon": 10, "gap": 5}, "k", (1, 2, 60)),
    ("lebeda2025.thm21.exact", {"epsilon": 1, "k": 2, "gap": 4}, "sigma", (Fraction(1, 2), 1, 6)),
    ("lebeda2025.thm21.exact", {"epsilon": 5, "sigma": 1, "gap": 5}, "k", (1, 2, 8)),
    ("lebeda2025.sparse.histogram", FEW, "sigma", (1, 3, 30)),
    ("lebeda2025.sparse.histogram", {**FEW, "epsilon": Fraction(3, 2)}, "gamma", (1, 4, 1000)),
    ("lebeda2025.sparse.releases", SEVERAL, "sigma", (1, 3, 30)),
    ("lebeda2025.sparse.releases", SEVERAL, "gamma", (1, 4, 1000)),
    ("lebeda2025.sparse.releases.adaptive", SEVERAL, "sigma", (1, 3, 30)),
    ("lebeda2025.sparse.releases.adaptive", SEVERAL, "gamma", (1, 4, 1000)),
    ("bharadwaj2022.tight", {"alpha": Fraction(1, 6), "tau": 11}, "epsilon", (Fraction(1, 50), Fraction(2, 5), 2)),
)
"""Of the accountants' claims: a point, and three values of a parameter at which delta turns."""
PAIRS = 2
DRAWS = 200
DEAR = 100
"""Cost from which a claim is enclosed to fifty bits: more would show no more of an order."""


def value(claim, point):
    """Enclose the claim's value, or None where it has none."""
    values = exact_values(point)
    if claim.special_value is not None and claim.special_value(**values) is not None:
        return None
    try:
        return evaluate_in(Ball(96 if claim.cost >= DEAR else 192), claim.formula, values)
    except (ArithmeticError, ValueError):
        return None


def steps(claim, name, random):
    """Yield values of the claim at points that differ in one parameter, the smaller first: drawn, then its own."""
    box = search_box(claim.domain)
    (axis,) = (axis for axis in box.axes if axis.parameter.name == name)
    found = 0
    drawn = ({one.parameter.name: one.draw(random) for one in box.axes} for _ in range(DRAWS))
    own = ({one: exact(number) for one, number in point.items()} for point in claim.points)
    for point in (*drawn, *own):
        low, high = sorted(
            ({**point, name: other} for other in (point[name], axis.draw(random))), key=lambda p: p[name]
        )
        if found == PAIRS or not (box.contains(low) and box.contains(high)):
            continue
        first, second = value(claim, low), value(claim, high)
        if first is not None and second is not None and (second - first).is_finite():
            found += 1
            yield first, second


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


@pytest.mark.parametrize(("identifier", "point", "name", "places"), BOTH_WAYS)
def test_delta_turns_where_no_direction_is_declared(identifier, point, name, places):
    """Falls and rises, or the other way round, certified: more noise at the same threshold shows more new keys."""
    first, second, third = (value(registry().claim(identifier), {**point, name: place}) for place in places)
    assert (first > second < third) or (first < second > third)


def test_every_parameter_of_our_accountants_has_a_direction_or_a_turn():
    """Nothing is left open: each is declared one way, and held to it, or has its three values above."""
    turns = {(identifier, name) for identifier, _point, name, _places in BOTH_WAYS}
    claims = [registry().claim(identifier) for identifier in OURS]
    named = {(claim.id, one.name) for claim in claims for one in claim.domain.parameters}
    declared = {(claim.id, name) for claim in claims for name in (*claim.rises, *claim.falls)}
    assert len(named) > 90
    assert named - declared == turns
