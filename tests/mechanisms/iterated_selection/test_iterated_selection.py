"""The iterated weighted set union: its rounds, its laws against draws and against the claims, and its accountants."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.iterated_selection import accountant
from mechanisms.iterated_selection.mechanism import MECHANISM, build, law
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.thresholds.iterated import iterated_bound

AT = {"sigma_1": 3, "threshold_1": 5, "sigma_2": 2, "threshold_2": 4, "sigma_3": 1, "threshold_3": 3}


def test_a_key_is_shown_in_one_round_and_the_others_weigh_more_after_it():
    """No noise to speak of: key a passes in round 1, then the user of both gives b its whole weight, which passes 4."""
    quiet = {f"sigma_{i}": Fraction(1, 1000) for i in (1, 2, 3)}
    release = build(**{**AT, **quiet}).release({"u/a": 1, "u/b": 1, "a": 9, "b": 3, "v/b": 1}, np.random.default_rng(1))
    assert release == pytest.approx({"a@1": 9 + math.sqrt(1 / 2), "b@2": 5.0}, abs=0.01)


@pytest.mark.parametrize("others", [0, 1, 4])
@pytest.mark.parametrize("direction", list(Direction))
def test_the_law_of_one_key_is_that_of_draws(others, direction):
    """Hockey stick at 1/2 of 400,000 releases in cells of half a unit of weight, within the cells' error and chance."""
    right = {"k0": others} if others else {}
    pair = Neighbours("pair", right | {"u/k0": 1}, right, "")
    exact = float(law(pair, AT).profile(Float64(), np.float64(0.5), direction))
    n, mechanism = 400_000, build(**AT)
    masses = []
    for side, histogram in enumerate((pair.left, pair.right)):
        names, values = mechanism.release_many(histogram, n, np.random.default_rng([7, side]))
        cells = [np.histogram(values[:, i], np.arange(-10, 30, 0.5))[0] for i in range(len(names))] or [np.zeros(0)]
        output = np.concatenate(cells)
        result = np.zeros(3 * 79 + 1)
        result[: output.size] = output
        result[-1] = n - output.sum()
        masses.append(result / n)
    p, q = masses if direction is Direction.FORWARD else masses[::-1]
    assert np.maximum(p - math.exp(0.5) * q, 0).sum() == pytest.approx(exact, abs=0.015)


def test_the_bound_is_above_every_law_of_the_worst_pairs_and_below_the_rounds_added():
    """At five levels, both orders."""
    at = {name: float(Fraction(value)) for name, value in MECHANISM.parameters.items()}
    for epsilon in (0.0, 0.5, 1.0, 3.0, 6.0):
        bound = accountant.delta(epsilon, **at)
        for pair in MECHANISM.pairs(MECHANISM.parameters):
            for way in Direction:
                assert float(pair.profile(Float64(), np.float64(epsilon), way)) <= bound
        assert accountant.one_key(epsilon, **{name: x for name, x in at.items() if name != "c_u"}) <= bound


def test_at_the_default_split_one_key_costs_half_of_what_composition_counts():
    """Half of 1e-5 for the noise, half for new keys, split 9:30:100; by SciPy, 5.00e-6 of new keys is the largest."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    def noise(mu):
        return norm.cdf(mu / 2 - 1 / mu) - math.e * norm.cdf(-mu / 2 - 1 / mu)

    mu = brentq(lambda m: noise(m) - 5e-6, 0.01, 5, xtol=1e-14)
    parts, at = np.array([9, 30, 100]) / 139, {}
    for i, part in enumerate(parts, start=1):
        at[f"sigma_{i}"] = float(1 / (mu * math.sqrt(part)))
        at[f"threshold_{i}"] = float(1 + at[f"sigma_{i}"] * norm.isf(5e-6 * part))
    assert float(iterated_bound(Float64(), epsilon=1.0, c_u=1, **at)) == pytest.approx(1e-5, rel=1e-4)
    assert accountant.delta(1.0, **at) == pytest.approx(5e-6, rel=1e-4)
    assert accountant.one_key(1.0, **at) == pytest.approx(5e-6, rel=1e-4)
