"""Gaussian noise of what both neighbours release: too little is told at 1e-10, enough is not, nor what clamps."""

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from auditor.mechanism_audit.draws.gaussian_value import gaussian_value_test, most_telling
from auditor.mechanism_audit.draws.steered import Steering
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

SIGMA = 5.4952661572
"""Of a count: delta(1) = 1e-9 (Balle & Wang 2018, theorem 8)."""
PAIR = Neighbours("one", {"a": 101}, {"a": 100})
ALPHA = 5e-8


def rounded(histogram, rng):
    """Release integers."""
    return {key: round(count + rng.normal(0, SIGMA)) for key, count in histogram.items()}


def scaled(histogram, rng):
    """Release a list, by SciPy."""
    return [[key, count - SIGMA * float(stats.norm.rvs(random_state=rng))] for key, count in histogram.items()]


def summed(histogram, rng):
    """Release a total with the noise of three."""
    return sum(histogram.values()) + float(rng.standard_normal(3) @ np.full(3, 0.2 * SIGMA / math.sqrt(3)))


def clamped(histogram, rng):
    """Keep noise within two deviations."""
    return {key: count + min(max(rng.normal(0, SIGMA), -2 * SIGMA), 2 * SIGMA) for key, count in histogram.items()}


def hidden(histogram, rng):
    """Release a large number rarely, whatever the count."""
    return {key: count + (60 if rng.random() < 0.02 else rng.normal(0, SIGMA)) for key, count in histogram.items()}


SEEN = []


def remembering(histogram, rng):
    """Release a count of 101 higher after five large draws in a row: chance 5e-10, but each tilted draw is large."""
    large = len(SEEN) >= 5 and min(SEEN[-5:]) > 2.2 * SIGMA
    SEEN.append(rng.normal(0, SIGMA))
    return {key: count + SEEN[-1] + (3 * SIGMA if large and count > 100 else 0) for key, count in histogram.items()}


def judged(mechanism, delta, pair=PAIR, direction=Direction.FORWARD, epsilon=1.0, seed=1, budget=60.0):
    """The test of a level."""
    with as_target(mechanism, "mechanism") as target:
        sampler = Sampler(target, Pace(budget))
        return gaussian_value_test(sampler, pair, direction, Level(epsilon, delta), ALPHA, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "direction"), [(rounded, Direction.FORWARD), (scaled, Direction.BACKWARD)])
def test_a_delta_of_1e_9_is_told_from_a_tenth_of_it_and_not_from_itself(mechanism, direction):
    """Within 1e4 releases per dataset; what is right is not."""
    result = judged(mechanism, 1e-10, direction=direction)
    assert result.rejected
    assert result.samples <= 1e4
    assert 1e-10 < result.delta_lower <= 1e-9
    right = judged(mechanism, 1e-9, direction=direction)
    assert right is None or not right.rejected


@pytest.mark.slow
def test_rounded_noise_of_two_decimals_is_not_suspected_of_more_than_it_gives():
    """The edge of the neighbour is looked for where it is, one count further out."""

    def cents(histogram, rng):
        return round(sum(histogram.values()) + rng.normal(0, 1), 2)

    promise = 5.867689649769558e-06  # of mu = 1 at epsilon = 4.5
    for seed in range(2):
        result = judged(cents, promise, Neighbours("one", {"a": 52}, {"a": 51}), epsilon=4.5, seed=seed)
        assert result is None or not result.rejected


@pytest.mark.slow
def test_noise_of_several_draws_is_seen_too():
    """A fifth of the noise: each of three draws is shifted in proportion."""
    result = judged(summed, 1e-9)
    assert result.rejected
    assert len(result.plan.coordinates) == 3


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [clamped, hidden])
def test_noise_that_is_not_that_of_its_draws_says_nothing(mechanism):
    """The neighbour's number exceeds what its draws add, or falls short of it."""
    assert judged(mechanism, 1e-10) is None


@pytest.mark.slow
def test_what_earlier_tilted_releases_leave_behind_accuses_nobody(monkeypatch):
    """The right mechanism passes as its weightiest draws are drawn again in a new process, and only so."""
    assert judged(remembering, 1e-8) is None
    monkeypatch.setattr(Steering, "stands_alone", lambda *_: True)
    assert judged(remembering, 1e-8).rejected


def test_the_pair_is_one_of_the_same_keys_of_which_most_change():
    """None where a key is new."""
    new, one = Neighbours("new", {"a": 1}, {}), Neighbours("one", {"a": 9, "b": 9}, {"a": 8, "b": 9})
    both = Neighbours("both", {"a": 9, "b": 9}, {"a": 8, "b": 8})
    assert most_telling([new, one, PAIR, both]) is both
    assert most_telling([new]) is None


def mixed(histogram, rng):
    """Release with Gaussian noise, once in a million with wide Laplace noise in its place: delta(6) is below 1e-12."""
    return {
        key: count + (rng.laplace(0, 2) if rng.random() < 1e-6 else rng.normal(0, 0.9))
        for key, count in histogram.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "epsilon", "delta"), [(rounded, "1", "1e-10"), (mixed, "6", "1e-9")])
def test_what_is_only_suspected_is_undecided(mechanism, epsilon, delta):
    """Never green, and never called wrong: the first has ten times its delta, the second is right."""
    pair = {"left": dict(PAIR.left), "right": dict(PAIR.right)}
    audit = audit_mechanism(mechanism, epsilon=epsilon, delta=delta, pair=pair, samples=4_000)
    assert audit.exit_code == 3
    assert audit.detail.startswith("undecided: suspected of delta >= ")
    assert "if the neighbour releases such a sum only if" in audit.detail
    assert "sets the scale of normal" in audit.where[0]


@pytest.mark.slow
def test_the_rare_tails_of_a_mixture_are_enough():
    """Where Gaussian noise alone has delta(6) = 1e-7, the mixture with Laplace noise has less than 1e-12."""
    x = np.arange(-40, 60, 2e-4)
    gaussian = np.maximum(0, stats.norm.pdf(x - 1, scale=0.9) - math.exp(6) * stats.norm.pdf(x, scale=0.9))
    density = [
        (1 - 1e-6) * stats.norm.pdf(x - at, scale=0.9) + 1e-6 * stats.laplace.pdf(x - at, scale=2) for at in (1, 0)
    ]
    assert gaussian.sum() * 2e-4 > 1e-7
    assert np.maximum(0, density[0] - math.exp(6) * density[1]).sum() * 2e-4 < 1e-12


def three_keys(sigma, histogram, rng):
    """Release integers for six public keys."""
    return {key: round(histogram.get(key, 0) + rng.normal(0, sigma)) for key in "abcdef"}


@pytest.mark.slow
@pytest.mark.parametrize(("divided_by", "suspected"), [(math.sqrt(3), True), (math.sqrt(2), True), (1.0, False)])
def test_a_sum_of_rounded_values_bounds_the_neighbour_by_its_releases(divided_by, suspected):
    """The roundings of three keys hide an edge of the sum; sigma 6.4618 has delta(1) = 1e-5 for three keys."""
    pair = Neighbours("three", {"a": 50, "b": 50, "c": 50}, {"a": 49, "b": 49, "c": 49})
    test = judged(partial(three_keys, 6.4618 / divided_by), 1e-5, pair, budget=300.0)  # on a busy machine, too
    assert (test is not None and test.rejected) is suspected


@pytest.mark.slow
def test_known_keys_that_all_change_make_the_pair():
    """Keys that the target ignores change nothing."""
    audit = audit_mechanism(partial(three_keys, 6.4618 / math.sqrt(3)), epsilon="1", delta="1e-5", c_u=3)
    assert audit.verdict is Verdict.UNDECIDED
    assert "pair 3 known keys far above" in audit.detail
