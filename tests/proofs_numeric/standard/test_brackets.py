"""Truths between two bounds: what quadrature and sampling give lies between them."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

from auditor.engine.registry import registry
from tests.proofs_numeric.value import value

SAMPLES = "standard.sampling_without_replacement.composition"
ALLOCATION = "standard.random_allocation.upper"
SPARSE_VECTOR = "standard.sparse_vector.gaussian"


def ends(identifier, **point):
    """Return both bounds as doubles."""
    kind = registry().claim(identifier).kind
    return tuple(float(value(formula, **point).lower) for formula in (kind.exact, kind.formula))


def density(z):
    """Return the standard normal density."""
    return np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "sigma"), [(0.5, 1.0), (2.0, 0.6), (0.0, 3.0)])
def test_two_steps_of_random_allocation_lie_between_the_bounds(epsilon, sigma):
    """The price of an option on two terms, by its closed form for one and quadrature over the other."""
    mu = 1 / sigma

    def option(top, z):
        left = top - math.exp(mu * z - mu * mu / 2)
        if left <= 0:
            return 0.0
        score = (math.log(left) + mu * mu / 2) / mu
        return density(z) * (left * ndtr(score) - ndtr(score - mu))

    def price(top):
        return quad(lambda z: option(top, z), -12, 12, limit=200, epsabs=1e-13)[0]

    factor = math.exp(epsilon)
    exact = max(1 - factor + price(2 * factor) / 2, factor * price(2 / factor) / 2)
    lower, upper = ends(ALLOCATION, epsilon=Fraction(epsilon), sigma=Fraction(sigma), steps=2)
    assert lower - 1e-9 <= exact <= upper + 1e-9
    assert upper < 1.001 * lower


@pytest.mark.slow
def test_many_steps_of_random_allocation_lie_between_the_bounds():
    """A million draws of the likelihood ratio: six standard errors around their mean."""
    epsilon, sigma, steps, draws = 0.25, 1.0, 20, 10**6
    rng = np.random.default_rng(20)
    ratio = np.mean([np.exp(rng.standard_normal(draws) / sigma - 0.5 / sigma**2) for _ in range(steps)], axis=0)
    gains = [np.maximum(ratio - math.exp(epsilon), 0), np.maximum(1 - math.exp(epsilon) * ratio, 0)]
    lower, upper = ends(ALLOCATION, epsilon=Fraction(epsilon), sigma=Fraction(sigma), steps=steps)
    mean, error = max((gain.mean(), gain.std() / math.sqrt(draws)) for gain in gains)
    assert lower - 6 * error <= mean <= upper + 6 * error
    assert upper < 1.01 * lower


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "rate"), [(0.05, 0.5), (0.2, 0.9)])
def test_steps_in_different_orders_are_below_the_bound(epsilon, rate):
    """The mixture first and then the noise, or both twice: an accountant may owe any of them."""
    sigma, x = 5.0, np.linspace(-45, 45, 3001)
    noise = density(x / sigma) / sigma
    mixture = rate * density((x - 1) / sigma) / sigma + (1 - rate) * noise
    orders = itertools.product([(mixture, noise), (noise, mixture)], repeat=2)
    square = (x[1] - x[0]) ** 2
    deltas = [
        square * np.maximum(np.outer(one[0], two[0]) - math.exp(epsilon) * np.outer(one[1], two[1]), 0).sum()
        for one, two in orders
    ]
    lower, upper = ends(SAMPLES, epsilon=Fraction(epsilon), sigma=5, rate=Fraction(rate), k=2)
    assert max(deltas) == pytest.approx(lower, rel=1e-3)
    assert max(deltas) < upper


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.5, 4.0])
def test_all_outcomes_of_a_sparse_vector_lie_between_the_bounds(alpha):
    """The divergence of the four outcomes of three queries; the lower bound tells three of them apart."""
    sigma, query_sigma, k = 1.0, 2.0, 3
    height = query_sigma * math.sqrt(2 * math.log(k))

    def outcomes(heights):
        def likelihood(stop):
            def at(z):
                below = [ndtr((sigma * z - h) / query_sigma) for h in heights]
                return density(z) * math.prod(below[:stop]) * (1 - below[stop] if stop < k else 1)

            return quad(at, -12, 12, epsabs=1e-14)[0]

        return [likelihood(stop) for stop in range(k + 1)]

    one, other = outcomes([-height, -height, 0.0]), outcomes([1 - height, 1 - height, -1.0])

    def divergence(P, Q):
        return math.log(sum(p**alpha * q ** (1 - alpha) for p, q in zip(P, Q, strict=True))) / (alpha - 1)

    exact = max(divergence(one, other), divergence(other, one))
    merged = [[sum(each[:2]), *each[2:]] for each in (one, other)]
    lower, upper = ends(SPARSE_VECTOR, alpha=Fraction(alpha), sigma=1, query_sigma=2, k=k)
    assert lower == pytest.approx(max(divergence(*merged), divergence(*merged[::-1])), rel=1e-8)
    assert lower <= exact <= upper
