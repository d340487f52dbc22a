"""Speed of the numbers that everything rests on, as ratios of processor time within one run."""

import itertools
import time
from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
import pytest

from mechanisms.correlated_stability_histogram import accountant as correlated
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release, adaptive_bounds
from mechanisms.sample_and_threshold import accountant as sampled
from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as theorem_5_4
from proofs_numeric.wilkins2024.theorem_5_4.hazard import rho

CASE_STUDY = {"epsilon": "0.349", "c_u": 51914, "sigma": 2228, "gap": 13947, "mu_o": 0}
ROUNDS = 7


def seconds(work: Callable[[], object], calls: int) -> float:
    """Processor seconds of one of ``calls`` calls."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - start) / calls


def ratio(slow: Callable[[], object], fast: Callable[[], object], calls: tuple[int, int] = (1, 1)) -> float:
    """Least time of the one over least time of the other, taken in turns."""
    slow(), fast()
    rounds = [(seconds(slow, calls[0]), seconds(fast, calls[1])) for _ in range(ROUNDS)]
    return min(one for one, _other in rounds) / min(other for _one, other in rounds)


def check_ratio(benchmark, value: float, most: float) -> None:
    """Record a ratio and compare it with its goal."""
    benchmark.pedantic(lambda: value, rounds=1)
    benchmark.extra_info["ratio"] = round(value, 2)
    assert value <= most


def bare_arb(epsilon, c_u, sigma, gap, mu_o):
    """Theorem 5.4's collapse as one would write it with Arb alone."""
    root = flint.arb(2).sqrt()
    mu = c_u.sqrt() * (1 / (sigma * sigma) + mu_o * mu_o).sqrt()
    left, right = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    gaussian = (-left / root).erfc() / 2 - epsilon.exp() * (-right / root).erfc() / 2
    return (-(c_u * (-(gap / sigma / root).erfc() / 2).log1p()).expm1()).max(gaussian)


def test_a_ball_of_the_exact_delta_against_bare_arb(benchmark):
    """The formula that every arithmetic shares costs little more than its own error functions."""
    with Ball(128) as A:
        numbers = {name: A.number(value) for name, value in CASE_STUDY.items()}
        assert bare_arb(**numbers).overlaps(theorem_5_4.delta_exact(A, **numbers))
        value = ratio(lambda: theorem_5_4.delta_exact(A, **numbers), lambda: bare_arb(**numbers), (300, 300))
    check_ratio(benchmark, value, 1.5)


@pytest.mark.parametrize(("c_u", "sigma", "gap"), [(1, 2, 12), (51914, 2228, 13947), (10**9, 10**6, 7 * 10**6)])
def test_thirty_certified_digits_against_bare_arb(benchmark, c_u, sigma, gap):
    """Certified digits, ends and all, at any C_u."""
    point = {"epsilon": Fraction("0.349"), "c_u": c_u, "sigma": Fraction(sigma), "gap": Fraction(gap), "mu_o": 0}
    with Ball(128) as A:
        numbers = {name: A.number(value) for name, value in point.items()}
        value = ratio(lambda: enclose(theorem_5_4.delta_exact, point, 30), lambda: bare_arb(**numbers), (100, 300))
    check_ratio(benchmark, value, 5)


@pytest.mark.parametrize("k", [10, 51914, 10**6])
def test_the_inverse_of_the_correlated_profile(benchmark, k):
    """An epsilon in a dozen deltas."""
    scale = {"sigma": 5.0 * k**0.5, "gap": 40.0 * k**0.5}
    value = ratio(lambda: correlated.epsilon(1e-3, k=k, **scale), lambda: correlated.delta(0.2, k=k, **scale), (1, 5))
    check_ratio(benchmark, value, 15)


def test_a_million_correlated_counters(benchmark):
    """The profile at k = 10^6 in doubles costs at most twenty times that of ten counters; certified, 200 times that."""

    def doubles(k):
        return lambda: correlated.delta(0.349, k=k, sigma=5.0 * k**0.5, gap=30.0 * k**0.5)

    point = {"epsilon": Fraction("0.349"), "k": 10**6, "sigma": 5000, "gap": 30000}
    many = doubles(10**6)
    assert ratio(lambda: enclose(exact_delta, point, 10), many) <= 200
    check_ratio(benchmark, ratio(many, doubles(10), (1, 10)), 20)


def test_bounds_on_many_levels(benchmark):
    """Sixteen levels cost at most ten times what four do, and 1,024 at most twenty times what sixteen do."""

    def bounds(levels):
        return lambda: sampled.composed_bounds(1.0, p=0.05, tau=20, levels=levels)

    sixteen = seconds(bounds(16), 1)
    assert seconds(bounds(1024), 1) <= 20 * sixteen
    check_ratio(benchmark, sixteen / seconds(bounds(4), 2), 10)


def test_small_epsilon_and_rate_in_mpmath(benchmark):
    """Counts run to thousands; no count is scanned."""

    def digits(epsilon, p):
        point = {"epsilon": Fraction(epsilon), "p": Fraction(p), "tau": 60}
        return lambda: evaluate_in(MpReal(30), cells.tight_rate, point)

    check_ratio(benchmark, ratio(digits("1/10000", "1/50"), digits(1, "1/2"), (3, 3)), 30)


def test_points_at_once(benchmark):
    """A point of 10^5 costs at most a twenty-fifth of what it costs alone."""
    rng = np.random.default_rng(1)
    rows = rng.integers(1, 10**5, 10**5)
    sigma = rng.uniform(1, 100, 10**5) * np.sqrt(rows)
    point = {"epsilon": rng.uniform(0.01, 5, 10**5), "c_u": rows, "sigma": sigma, "gap": 5 * sigma, "mu_o": 0.0}
    scalar = {name: value[0] if np.ndim(value) else value for name, value in point.items()}
    A = Float64()
    one = seconds(lambda: theorem_5_4.delta_exact(A, **scalar), 300)
    check_ratio(benchmark, seconds(lambda: theorem_5_4.delta_exact(A, **point), 1) / 10**5 / one, 1 / 25)


def test_ten_thousand_adaptive_releases(benchmark):
    """Bounds to a percent cost at most four times those of thirty releases."""

    def bounds(releases):
        levels = itertools.count()  # no two calls at one point: bounds are kept

        def call():
            root = releases**0.5
            value = adaptive_bounds(1 + next(levels) / 2**20, [Release(1, 4 * root, 22 * root)] * releases)
            assert 0 < value.upper <= 1.02 * value.lower

        return call

    check_ratio(benchmark, ratio(bounds(10**4), bounds(30)), 4)


# --- expressions against the same formulas as Python functions -------------------------------------------------------


def plain_rho(A, *, x):
    """``x + phi(x)/Phi(x)``."""
    x = A.number(x)
    return x + normal_pdf(A, x) / normal_cdf(A, x)


def sampling_rate(A, *, epsilon, alpha):
    """``alpha (1 - e^-epsilon)``."""
    return -alpha * A.expm1(-epsilon)


def bad_rate(A, *, epsilon, alpha):
    """``(1 - e^-epsilon)(1 + alpha e^-epsilon)``."""
    return -A.expm1(-epsilon) * (1 + alpha * A.exp(-epsilon))


def plain_theorem_2(A, *, epsilon, alpha, tau):
    """Theorem 2, from helpers that are Python functions."""
    p, q = (f(A, epsilon=epsilon, alpha=alpha) for f in (sampling_rate, bad_rate))
    divergence = A.log((1 + alpha * A.exp(-epsilon)) / alpha) - epsilon * (1 - p) * A.exp(-epsilon) / q
    return A.exp(-tau * divergence)


PAIRS = {
    "rho": (rho, plain_rho, {"x": "-3/7"}),
    "theorem 2": (cells.theorem_2, plain_theorem_2, {"epsilon": "1/3", "alpha": "1/6", "tau": 20}),
}


@pytest.mark.parametrize("A", [Ball(128), MpReal(50), Float64()], ids=lambda A: A.name)
@pytest.mark.parametrize("name", PAIRS)
def test_a_compiled_expression_is_no_slower(benchmark, name, A):
    """One evaluation, at numbers of the arithmetic."""
    expression, plain, at = PAIRS[name]
    with A:
        values = {key: A.number(value) if isinstance(value, str) else value for key, value in at.items()}
        value = ratio(lambda: expression(A, **values), lambda: plain(A, **values), (300, 300))
    check_ratio(benchmark, value, 1.15)
