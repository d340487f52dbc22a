"""Exact profiles of counters at the threshold (N4, N6) against their definition, tilted losses and each other."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate
from scipy.special import ndtr

from auditor.checks.white_box import epsilon_for
from auditor.statistics.tilting import tilted_interval
from mechanisms.correlated_stability_histogram.law import near_loss, near_profile
from mechanisms.correlated_stability_histogram.laws.all_changed_profile import all_changed_delta, convolved
from mechanisms.correlated_stability_histogram.laws.one_changed_profile import one_changed_delta
from mechanisms.correlated_stability_histogram.laws.shared_noise_rule import find_cut, missed
from mechanisms.correlated_stability_histogram.mechanism import MECHANISM
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.statements.neighbours import Direction

WAYS = tuple(Direction)
SIGMA, TAU_STAR = 4, 13


def profile(epsilon, direction, k, shared, changed, sigma=SIGMA):
    """Ball of the profile."""
    with Ball(128) as A:
        at = {"k": k, "sigma": sigma, "tau_star": TAU_STAR, "shared": shared, "changed": changed}
        return near_profile(A, A.number(epsilon), direction, **at)


def by_definition(epsilon, direction, k, counts, changes):
    """Two censored counters with shared noise: sums of densities on a grid of outputs, Z by the trapezoidal rule."""
    eta, factor = k**-0.25, math.exp(epsilon)
    z = np.linspace(-9, 9, 241) * eta
    weight = np.exp(-0.5 * (z / eta) ** 2) / (eta * math.sqrt(2 * math.pi)) * (z[1] - z[0])
    nodes, masses = np.polynomial.legendre.leggauss(700)
    y, dy = 7.0 * (nodes + 1), 7.0 * masses
    total = 0.0
    for passed in itertools.product((True, False), repeat=2):
        laws = []
        for moved in (0, 1):
            blocks = []
            for place, count in enumerate(counts):
                mean = count + moved * changes[place]
                output = np.exp(-0.5 * (y[:, None] - mean - z) ** 2) / math.sqrt(2 * math.pi)
                blocks.append(output if passed[place] else ndtr(-mean - z)[None, :])
            laws.append((blocks[0] * weight) @ blocks[1].T)
        first, second = reversed(laws) if direction is Direction.FORWARD else laws
        measure = np.outer(*(dy if out else np.ones(1) for out in passed))
        total += float((np.maximum(first - factor * second, 0) * measure).sum())
    return total


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("epsilon", ["0", "0.1", "0.4"])
@pytest.mark.parametrize("changed", [1, 2])
def test_two_counters_agree_with_the_definition(changed: int, epsilon: str, direction: Direction):
    """Outputs of two counters on a grid: kinks cost the grid six digits, a wrong case costs far more."""
    shared = (12, 13) if changed == 1 else (13, 13)
    counts, changes = [(c - TAU_STAR) / SIGMA for c in shared], [(i < changed) / SIGMA for i in range(2)]
    expected = by_definition(float(epsilon), direction, 2, counts, changes)
    result = profile(epsilon, direction, 2, shared, changed)
    assert float(result.mid()) == pytest.approx(expected, rel=2e-4, abs=2e-6)
    assert result.rel_accuracy_bits() > 25 or expected < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize(("k", "shared", "changed", "sigma"), [
    (1, (13,), 1, 4),
    (3, (12, 13, 400), 1, 4),
    (4, (12, 13, 400, 400), 1, 4),
    (4, (13,) * 4, 4, 4),
    (6, (13,) * 6, 6, 2),
    (4, (10, 15, 400, 400), 1, 2),
    (4, (18,) * 4, 4, 4),
])  # fmt: skip
def test_profiles_lie_in_tilted_intervals(k, shared, changed, sigma, direction):
    """Losses sampled from the noisy counts themselves (error 1e-10 each) hold the ball, down to 1e-13."""
    loss = near_loss(direction, k=k, sigma=sigma, tau_star=TAU_STAR, shared=shared, changed=changed)
    for epsilon in ("0", "0.25", "1"):
        ball = profile(epsilon, direction, k, shared, changed, sigma)
        enclosure = tilted_interval(loss, float(epsilon), 10_000, 1e-10, np.random.default_rng(7))
        assert ball.rad() < 1e-9 * ball.upper() + 1e-15
        assert enclosure.lower * (1 - 1e-9) <= float(ball.upper())
        assert float(ball.lower()) <= enclosure.upper * (1 + 1e-9)


TARGETS = (1e-1, 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("name", [f"n{i}" for i in range(1, 7)])
def test_every_worst_case_pair_is_enclosed_within_five_per_cent_to_1e_12(name, direction):
    """From 1e5 losses, at 95 per cent; wider intervals hold the ball."""
    pair = MECHANISM.pair(name, {"k": 4, "sigma": 4, "gap": 12, "tau": 1})
    loss = pair.loss(direction)
    for target in TARGETS:
        epsilon = epsilon_for(loss, target)
        if epsilon > largest_loss(loss) > 0:  # then nothing is left
            epsilon = Fraction(largest_loss(loss)) - 10 * Fraction(target)
        with Ball(64) as A:
            exact = pair.profile(A, A.number(epsilon), direction)
        enclosure = tilted_interval(loss, float(epsilon), 100_000, 0.05, np.random.default_rng(11))
        assert 0.95 * float(exact.mid()) < enclosure.lower <= enclosure.upper < 1.05 * float(exact.mid())
        sure = tilted_interval(loss, float(epsilon), 20_000, 1e-10, np.random.default_rng(12))
        room = 1e-9 + 1e-14 / float(exact.mid())  # the largest loss is known to a double's accuracy
        assert sure.lower * (1 - room) <= float(exact.upper())
        assert sure.upper * (1 + room) >= float(exact.lower())


def largest_loss(loss):
    """The end of the losses, where they have one."""
    return getattr(loss, "largest", math.inf)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [(12, 13), (13, 12, 14), (10, 15, 400, 400), (40, 13)])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.7])
def test_shifted_weights_stay_below_their_bound(shared, epsilon):
    """No output, however it is drawn, weighs more than the bound says; some come close to it."""
    loss = near_loss(Direction.BACKWARD, k=len(shared), sigma=4, tau_star=TAU_STAR, shared=shared, changed=1)
    losses, weights = loss.draws(epsilon, 20_000, np.random.default_rng(5))
    above = losses > epsilon
    brackets = weights[above] + np.log(-np.expm1(epsilon - losses[above]))
    assert loss.log_bound(epsilon) - 5 < brackets.max() <= loss.log_bound(epsilon)


@pytest.mark.parametrize("k", [1, 4])
def test_no_loss_is_larger_than_that_of_the_empty_output(k):
    """All counts lower by the same: outputs beyond the largest loss are never drawn, and delta is 0 there."""
    loss = near_loss(Direction.BACKWARD, k=k, sigma=4, tau_star=TAU_STAR, shared=(13,) * k, changed=k)
    losses, _discounts = loss.sample(0.0, 5_000, np.random.default_rng(6))
    assert losses.max() == loss.largest
    beyond = Fraction(math.ceil(loss.largest * 10**6), 10**6)
    assert tilted_interval(loss, float(beyond), 1_000, 0.05, np.random.default_rng(7)).upper == 0.0
    assert float(profile(str(beyond), Direction.BACKWARD, k, (13,) * k, k).upper()) < 1e-15


@pytest.mark.slow
def test_the_comparison_sees_a_change_three_per_cent_too_large():
    """The profile of a slightly larger change leaves the interval: the test above can fail."""
    loss = near_loss(Direction.FORWARD, k=4, sigma=4, tau_star=TAU_STAR, shared=(13,) * 4, changed=4)
    enclosure = tilted_interval(loss, 0.25, 200_000, 1e-10, np.random.default_rng(7))
    off = all_changed_delta(k=4, count=Fraction(0), change=Fraction(103, 400), epsilon=Fraction(1, 4), bits=36)
    assert not enclosure.lower <= float(off.mid()) <= enclosure.upper


@pytest.mark.slow
@pytest.mark.parametrize(("k", "shared", "changed"), [(4, (12, 13, 400, 400), 1), (4, (13,) * 4, 4), (2, (12, 13), 1)])
def test_both_directions_are_the_total_variation_at_zero(k, shared, changed):
    """Different events, cases and integrals: one number."""
    forward, backward = (profile("0", direction, k, shared, changed) for direction in WAYS)
    assert forward.overlaps(backward)
    assert max(forward.rad(), backward.rad()) < 1e-10


@pytest.mark.parametrize("k", [2, 4, 8])
def test_counters_far_above_the_threshold_are_never_held_back(k):
    """Thirty deviations up both profiles are those of normals with the shared noise alone."""
    at = {"k": k, "change": Fraction(1, 4), "epsilon": Fraction(1, 2), "bits": 36}
    pair = MECHANISM.pair("n2", {"k": k, "sigma": 4, "gap": 12})
    for found, j in (
        (all_changed_delta(count=Fraction(30), **at), k),
        (one_changed_delta(count=Fraction(30), beside=Fraction(30), **at), 1),
    ):
        with Ball(128) as A:
            expected = pair.profile.func(A, A.number("1/2"), Direction.FORWARD, **(pair.profile.keywords | {"j": j}))
            assert found.overlaps(expected)
        assert found.rel_accuracy_bits() > 25


@pytest.mark.parametrize("size", [2, 3, 5])
def test_convolutions_are_iterated_integrals(size: int):
    """f_s from f_(s-1) by quadrature, on both sides of where the series gives way to a normal density."""
    with Ball(80) as A:
        for u in (0.3, 2.0, 9.0, 11.0 * size):

            def integrand(v: float, u: float = u) -> float:
                return math.exp(-((u - v) ** 2) / 2) * float(convolved(A, size - 1, A.number(Fraction(v))))

            expected, _error = integrate.quad(integrand, 0, u, points=[u * (size - 1) / size], epsrel=1e-11)
            assert float(convolved(A, size, A.number(Fraction(u)))) == pytest.approx(expected, rel=1e-9)


def test_a_missed_cut_is_enclosed_or_unbounded():
    """Two normals a unit apart: the bracket holds the best event, and a cut that is not near one says nothing."""
    with Ball(80) as A:

        def densities(u):
            return A.exp(u), A.number(1)

        window = (-5.0, 5.0)
        cut = find_cut(lambda u: u, 1.0, window, 1)
        assert 0 < 1 - cut < 1e-9
        factor = A.exp(A.number(1))
        assert missed(A, factor, densities, cut, window, 1) < 1e-15
        for wrong in (0.9, 1.1):
            assert not missed(A, factor, densities, wrong, window, 1).is_finite()
        assert find_cut(lambda u: u, 7.0, window, 1) == 5.0
        assert find_cut(lambda u: u, -7.0, window, 1) == -5.0
        assert find_cut(lambda u: -u, 7.0, window, -1) == -5.0
        assert find_cut(lambda u: -u, -7.0, window, -1) == 5.0


@pytest.mark.slow
def test_negative_levels_follow_from_complements():
    """1 - e^eps + e^eps delta(-eps) in the other direction; it falls in epsilon throughout, in doubles too."""
    pair = MECHANISM.pair("n6", {"k": 4, "sigma": 4, "gap": 12})
    values = [float(pair.profile(Float64(), epsilon, Direction.FORWARD)) for epsilon in (-2.0, -0.3, 0.0, 0.3, 2.0)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(1 - math.exp(-2), abs=1e-6)
