"""The two laws on the lattice enclose the delta of many Laplace releases."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.laplace_composition import above, below


def one_release(epsilon, scale):
    """Profile of one release at any real epsilon: Balle and Wang 2018, Theorem 3."""
    if epsilon < -1 / scale:
        return -mpmath.expm1(epsilon)
    return mpmath.mpf(0) if epsilon > 1 / scale else -mpmath.expm1((epsilon - 1 / scale) / 2)


def two_releases(epsilon, scale):
    """The profile of one release at what the other's loss leaves, integrated over the other's noise."""
    far = 60 * scale
    ends = [-far, 0, *(mpmath.mpf(i) / 64 for i in range(1, 65)), 1 + far]

    def weighted(x):
        loss = (abs(x - 1) - abs(x)) / scale
        return mpmath.exp(-abs(x) / scale) / (2 * scale) * one_release(epsilon - loss, scale)

    return mpmath.fsum(mpmath.quad(weighted, pair) for pair in pairwise(ends))


@pytest.mark.parametrize(("k", "exact"), [(1, one_release), (2, two_releases)])
@pytest.mark.parametrize(("epsilon", "scale"), [("0.1", 2), ("0.25", 1), ("0", 5), ("0.01", "0.5")])
def test_the_delta_of_few_releases_lies_between_both_laws(k, exact, epsilon, scale):
    """Against quadrature of the definition, and closely so."""
    point = {"epsilon": Fraction(epsilon), "scale": Fraction(scale), "k": k}
    lower, upper = (enclose(law, point, 15) for law in (below, above))
    with mpmath.workdps(25):
        true = exact(mpmath.mpf(epsilon), mpmath.mpf(scale) if scale != "0.5" else mpmath.mpf("0.5"))
    assert float(lower.lower) * (1 - 1e-12) <= float(true) <= float(upper.upper) * (1 + 1e-12)
    assert upper.upper < lower.lower * Fraction(102, 100)


def test_the_laws_are_close_for_many_releases():
    """One part in ten thousand at a delta of 1e-4 and a hundred releases."""
    point = {"epsilon": Fraction(1), "scale": Fraction(30), "k": 100}
    lower, upper = (enclose(law, point, 15) for law in (below, above))
    assert lower.upper < upper.lower < lower.lower * Fraction(10001, 10000)
