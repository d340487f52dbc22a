"""Worst-case pairs: exact profiles against quadrature, enumeration and simulation that share no code with them."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from mechanisms.gaussian_sparse_histogram.law import near_profile, rows_profile, two_near_profile
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM, build
from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

FORWARD, BACKWARD = Direction.FORWARD, Direction.BACKWARD
SETTINGS = [
    {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1},
    {"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1},
    {"c_u": 4, "sigma": "3/2", "gap": 3, "mu_o": 0, "tau": 3},
    {"c_u": 3, "sigma": "1.5", "gap": "4.5", "mu_o": "1/2", "tau": 2},
    {"c_u": 5, "sigma": 8, "gap": 20, "mu_o": 0, "tau": 1},
]
EPSILONS = [-0.6, 0.0, 0.35, 1.0, 4.0]


def _value(profile, epsilon, direction):
    return float(profile(Float64(), np.float64(epsilon), direction))


def _hockey_stick(p_atoms, q_atoms, p_density, q_density, limits, epsilon):
    """Definition: sum and integral of max(0, P - e^epsilon Q) over a mixed law on a line."""
    e = math.exp(epsilon)
    atoms = sum(max(0.0, p - e * q) for p, q in zip(p_atoms, q_atoms, strict=True))
    x = np.linspace(*limits, 400_001)
    return atoms + integrate.simpson(np.maximum(0.0, p_density(x) - e * q_density(x)), x=x)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("equal", "far"), [(0, 1), (0, 4), (2, 0), (1, 3), (3, 1)])
def test_rows_at_tau_and_far_above_against_quadrature(epsilon, equal, far):
    """WC1 to WC4: the formula of Lemma 5.2 is the integral of max(0, P - e^epsilon Q) of the released sum."""
    sigma, gap, mu_o = 1.5, 2.5, 0.25
    mu = math.sqrt(far * (1 / sigma**2 + mu_o**2))
    beta = stats.norm.cdf(gap / sigma) ** equal
    arguments = {"at_threshold": equal, "far": far, "sigma": "1.5", "gap": "2.5", "mu_o": "0.25"}

    def with_user(x):
        return beta * stats.norm.pdf(x, mu)

    limits = (-9, mu + 9)
    if far:
        forward = _hockey_stick([1 - beta], [0], with_user, stats.norm.pdf, limits, epsilon)
        backward = _hockey_stick([0], [1 - beta], stats.norm.pdf, with_user, limits, epsilon)
    else:
        nothing = np.zeros_like
        forward = _hockey_stick([1 - beta, beta], [0, 1], nothing, nothing, limits, epsilon)
        backward = _hockey_stick([0, 1], [1 - beta, beta], nothing, nothing, limits, epsilon)
    for direction, expected in ((FORWARD, forward), (BACKWARD, backward)):
        value = float(rows_profile(Float64(), np.float64(epsilon), direction, **arguments))
        assert value == pytest.approx(expected, abs=2e-8)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("count", [4, 6, 7, 9, 14])
def test_one_row_near_the_threshold_against_quadrature(epsilon, count):
    """WC5: a normal censored at tau*, as an atom and a density."""
    sigma, tau_star = 2.0, 7.0
    p_atom, q_atom = (stats.norm.cdf((tau_star - c) / sigma) for c in (count, count - 1))

    def density(c):
        return lambda y: stats.norm.pdf(y, c, sigma)

    limits = (tau_star, count + 20)
    forward = _hockey_stick([p_atom], [q_atom], density(count), density(count - 1), limits, epsilon)
    backward = _hockey_stick([q_atom], [p_atom], density(count - 1), density(count), limits, epsilon)
    for direction, expected in ((FORWARD, forward), (BACKWARD, backward)):
        value = near_profile(Float64(), np.float64(epsilon), direction, count=count, tau_star=7, sigma=2)
        assert float(value) == pytest.approx(expected, abs=2e-8)


@pytest.mark.slow
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("epsilon", [-0.4, 0.0, 0.5, 1.5])
def test_one_row_with_aggregates_against_a_double_integral(epsilon, direction):
    """WC5 with mu_o > 0: the aggregate of a released row is a second coordinate."""
    sigma, tau_star, count, mu_o = 1.5, 6.5, 6, 0.7
    signs = (1, 0) if direction is FORWARD else (0, 1)
    e = math.exp(epsilon)
    y, z = np.linspace(tau_star, count + 14, 3001), np.linspace(-8, 9, 3001)
    p, q = (np.outer(stats.norm.pdf(y, count - 1 + s, sigma), stats.norm.pdf(z, s * mu_o)) for s in signs)
    body = integrate.simpson(integrate.simpson(np.maximum(0, p - e * q), x=z, axis=1), x=y)
    p_atom, q_atom = (stats.norm.cdf((tau_star - count + 1 - s) / sigma) for s in signs)
    value = near_profile(
        Float64(), np.float64(epsilon), direction, count=count, tau_star="6.5", sigma="1.5", mu_o="0.7"
    )
    assert float(value) == pytest.approx(body + max(0, p_atom - e * q_atom), abs=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize(("count", "epsilon"), [(9, -0.3), (9, 0.0), (9, 0.7), (6, 0.7), (12, 1.5)])
def test_two_rows_near_the_threshold_against_a_double_sum(count, epsilon, direction):
    """WC5 with two rows: the product of two censored normals, discretised finely."""
    sigma, tau_star, step = 2.0, 7.0, 0.01
    edges = np.arange(tau_star, count + 16, step)

    def law(mean):
        cells = np.diff(stats.norm.cdf(edges, mean, sigma))
        return np.concatenate([[stats.norm.cdf(tau_star, mean, sigma)], cells])

    p, q = (law(count), law(count - 1)) if direction is FORWARD else (law(count - 1), law(count))
    expected = np.sum(np.maximum(0, np.outer(p, p) - math.exp(epsilon) * np.outer(q, q)))
    value = two_near_profile(Float64(), np.float64(epsilon), direction, count=count, tau_star=7, sigma=2)
    assert float(value) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("settings", SETTINGS)
def test_pairs_are_neighbours_and_cover_the_catalogue(settings):
    """Every pair is checked by its adjacency, ids are unique, and WC1, WC2, WC5 and WC6 are always there."""
    result = MECHANISM.pairs(settings)
    for pair in result:
        pair.check()
        travelled = pickle.loads(pickle.dumps(pair))  # noqa: S301  # our own bytes
        assert _value(travelled.profile, 0.5, FORWARD) == _value(pair.profile, 0.5, FORWARD)
    ids = [pair.id for pair in result]
    assert len(set(ids)) == len(ids)
    assert {"wc1", "wc2", "wc6"} <= set(ids)
    assert any(pair_id.startswith("wc5") for pair_id in ids)
    assert ("wc3" in ids) == (settings["c_u"] > 1)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("epsilon", ["0", "1/3", "1", "5/2"])
def test_no_pair_exceeds_theorem_5_4_and_some_pair_attains_it(settings, epsilon):
    """At epsilon >= 0 the largest profile over pairs and directions is Theorem 5.4, certified in balls."""
    with Ball(160) as A:
        numbers = {name: A.number(Fraction(settings[name])) for name in ("sigma", "gap", "mu_o")}
        claim = delta_exact(A, epsilon=A.number(Fraction(epsilon)), c_u=settings["c_u"], **numbers)
        values = [
            pair.profile(A, A.number(Fraction(epsilon)), direction)
            for pair, direction in itertools.product(MECHANISM.pairs(settings), Direction)
        ]
        assert all(value.lower() <= claim.upper() for value in values)
        assert any(abs(float((value - claim) / claim)) < 1e-30 for value in values)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
def test_three_arithmetics_agree(settings):
    """Float64 and mpmath agree with the ball on every pair and direction."""
    for pair, direction, epsilon in itertools.product(MECHANISM.pairs(settings), Direction, ("-1/2", "3/4")):
        with Ball(192) as A:
            ball = pair.profile(A, A.number(Fraction(epsilon)), direction)
            assert float(ball.rad()) < 1e-20
            middle = float(ball.mid())
        mp = MpReal(25)
        assert float(pair.profile(mp, mp.number(epsilon), direction)) == pytest.approx(middle, rel=1e-14, abs=1e-30)
        assert _value(pair.profile, float(Fraction(epsilon)), direction) == pytest.approx(middle, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("settings", SETTINGS[1:3])
def test_profiles_reflect_and_fall_with_epsilon(settings):
    """Backward is the reflection of forward, and every profile falls with epsilon but never below 1 - e^epsilon."""
    for pair in MECHANISM.pairs(settings):
        for epsilon in (-1.0, 0.0, 0.4, 2.0):
            forward, backward = _value(pair.profile, -epsilon, FORWARD), _value(pair.profile, epsilon, BACKWARD)
            assert backward == pytest.approx(-math.expm1(epsilon) + math.exp(epsilon) * forward, abs=1e-12)
        for direction in Direction:
            values = [_value(pair.profile, epsilon, direction) for epsilon in np.linspace(-2, 4, 13)]
            assert np.all(np.diff(values) <= 1e-13)
            floors = [max(0.0, -math.expm1(epsilon)) for epsilon in np.linspace(-2, 4, 13)]
            assert np.all(np.array(values) >= np.array(floors) - 1e-13)


def test_profiles_are_vectorised_in_float64():
    """A closed-form profile takes an array of epsilon in one call."""
    pair = MECHANISM.pairs(SETTINGS[1])[0]
    grid = np.linspace(0, 3, 7)
    assert np.allclose(pair.profile(Float64(), grid, FORWARD), [_value(pair.profile, e, FORWARD) for e in grid])


@pytest.mark.parametrize("at_threshold", [0, 2, 4])
def test_mechanism_attains_the_profile_on_its_best_event(at_threshold):
    """Simulated on the likelihood-ratio event of WC1, WC3 and WC2, the mechanism shows the profile both ways."""
    n, c_u, sigma, tau, gap, epsilon = 400_000, 4, 1.5, 3, 3, 0.7
    far = c_u - at_threshold
    settings = {"c_u": c_u, "sigma": "1.5", "gap": gap, "tau": tau}
    mechanism = build(**settings)
    count = 200
    left = {f"t{i}": tau for i in range(at_threshold)} | {f"f{i}": count for i in range(far)}
    right = {key: value - 1 for key, value in left.items()}
    log_beta = at_threshold * stats.norm.logcdf(gap / sigma)

    def losses(histogram, seed):
        keys, values = mechanism.release_many(histogram, n, np.random.default_rng(seed))
        is_new = np.array([key.startswith("t") for key in keys])
        loss = np.sum((values[:, ~is_new] - count + 0.5) / sigma**2, axis=1) + log_beta
        return np.where(np.any(~np.isnan(values[:, is_new]), axis=1), np.inf, loss)

    with_user, without = losses(left, 1), losses(right, 2)
    arguments = {"at_threshold": at_threshold, "far": far, "sigma": "1.5", "gap": gap}
    # Hoeffding on a difference of two means in [0, 1] and [0, e^epsilon]: beyond the band with probability 1e-10.
    band = (1 + math.exp(epsilon)) * math.sqrt(math.log(4e10) / (2 * n))
    events = {FORWARD: (with_user > epsilon, without > epsilon), BACKWARD: (without < -epsilon, with_user < -epsilon)}
    for direction, (p, q) in events.items():
        expected = float(rows_profile(Float64(), np.float64(epsilon), direction, **arguments))
        assert np.mean(p) - math.exp(epsilon) * np.mean(q) == pytest.approx(expected, abs=band)


def test_catalogue_values_at_two_and_two_rows():
    """Second and third term at a_= = 2 of 4 rows, sigma = 1.5, gap = 3, epsilon = .7, to twelve digits."""
    arguments = {"at_threshold": 2, "far": 2, "sigma": "1.5", "gap": 3}
    forward, backward = (rows_profile(MpReal(30), MpReal(30).number("0.7"), d, **arguments) for d in Direction)
    assert float(forward) == pytest.approx(0.194542689383, abs=1e-12)
    assert float(backward) == pytest.approx(0.177437774093, abs=1e-12)


def test_the_specification_points_at_its_claim_and_pairs():
    """The specification's default parameters build the mechanism and its pairs."""
    assert MECHANISM.guarantee_claim == "wilkins2024.thm5.4"
    assert MECHANISM.build(**MECHANISM.parameters).gap == 6
    for pair in MECHANISM.pairs(MECHANISM.parameters):
        MECHANISM.adjacency(MECHANISM.parameters).check(pair.left, pair.right)
