"""Bets on releases of many keys of one user each: right whatever keys have to do with one another."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom, laplace

from auditor.statistics.many_keys import LOG_WEIGHTS, ManyKeysBets, best_stake, poisson, stakes_at

MEAN, ALPHA, RUNS, RELEASES, USERS = 0.02, 0.05, 2000, 60, 100
CERTAINTY = 1e-9
EPSILON, OTHERS = 1.0, 3
"""Of private selections of keys, and the number of other users of each shared key."""


def independent(rng, mean):
    """Each key for itself."""
    return rng.binomial(USERS, mean, (RUNS, RELEASES))


def one_draw_for_all(rng, mean):
    """All keys or none."""
    return USERS * rng.binomial(1, mean, (RUNS, RELEASES))


def noise_by_blocks(rng, mean):
    """Ten keys at once."""
    return 10 * rng.binomial(USERS // 10, mean, (RUNS, RELEASES))


def capped(rng, mean):
    """Always as many keys as a cap lets through: the mean is exact, and nothing varies."""
    return np.full((RUNS, RELEASES), int(USERS * mean))


def half_at_times(rng, mean):
    """A common draw decides on independent ones."""
    return rng.binomial(USERS, 0.5, (RUNS, RELEASES)) * rng.binomial(1, 2 * mean, (RUNS, RELEASES))


LAWS = [independent, one_draw_for_all, noise_by_blocks, capped, half_at_times]


def log_capitals(shown, users, allowed):
    """Return the largest log-capital of each run, (runs,), as the docstring of the module has it."""
    stakes, capital = stakes_at(users, allowed), np.zeros((len(shown), len(LOG_WEIGHTS)))
    largest = np.zeros(len(shown))
    for each in shown.T:
        capital += np.log1p(stakes * (each[:, None] / users / allowed - 1))
        largest = np.maximum(largest, np.log(np.exp(capital + LOG_WEIGHTS).sum(axis=1)))
    return largest


def bets_on(shown, allowed=MEAN, alpha=ALPHA):
    """Return the bets of one run."""
    bets = ManyKeysBets(allowed, alpha)
    for each in shown.tolist():
        bets.add(USERS, each)
    return bets


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_keys_that_depend_on_one_another_raise_no_more_alarms(law):
    """The mean is exactly at the claim in each; the class says the same as the formula."""
    shown = law(np.random.default_rng(1), MEAN)
    capitals = log_capitals(shown, USERS, MEAN)
    assert bets_on(shown[0]).largest_log_capital == pytest.approx(capitals[0], abs=1e-9)
    alarms = int((capitals >= -math.log(ALPHA)).sum())
    assert binom.sf(alarms - 1, RUNS, ALPHA) > CERTAINTY


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_lower_bound_covers_the_mean(law):
    """It is above the mean as seldom as a mechanism at its claim is refuted, and above the claim for most."""
    shown = law(np.random.default_rng(2), 3 * MEAN)
    bounds = [bets_on(each).mean_lower() for each in shown[:40]]
    assert binom.sf(sum(bound > 3 * MEAN for bound in bounds) - 1, 40, ALPHA) > CERTAINTY
    assert max(bounds) > MEAN


def test_each_factor_has_mean_one_at_the_claim():
    """So capital cannot be expected to grow; exact for the binomial law, at every size."""
    for users in (1, 7, 50):
        x = np.arange(users + 1)
        factors = 1 + stakes_at(users, MEAN) * (x[:, None] / users / MEAN - 1)
        assert binom.pmf(x, users, MEAN) @ factors == pytest.approx(np.ones(len(LOG_WEIGHTS)), abs=1e-12)
        assert factors.min() > 0
    assert np.exp(LOG_WEIGHTS).sum() == pytest.approx(1)


@pytest.mark.parametrize(("users", "releases"), [(2, 4000), (50, 200), (1000, 60)])
def test_the_power_that_is_stated_is_reached(users, releases):
    """Of independent keys at the detectable mean, .95 of the runs refute; the margin is of 400 runs."""
    allowed, alpha = 1e-3, 1e-4
    stated = ManyKeysBets(allowed, alpha, [users] * releases, [0] * releases).detectable_mean()
    released_counts = np.random.default_rng(users).binomial(users, stated, (400, releases))
    refuted = int((log_capitals(released_counts, users, allowed) >= -math.log(alpha)).sum())
    assert allowed < stated < 1
    assert binom.cdf(refuted, 400, 0.94) > CERTAINTY
    assert refuted < 400  # a mean that every run refutes is not the smallest


def test_keys_that_are_released_together_are_seen_and_lower_the_power():
    """Otherwise the power would be that of independent keys."""
    rng = np.random.default_rng(1)
    apart, together = ManyKeysBets(0.01, 1e-6), ManyKeysBets(0.01, 1e-6)
    for _ in range(300):
        apart.add(100, int(rng.binomial(100, 0.005)))
        together.add(100, 100 * int(rng.random() < 0.02))
    assert (apart.together, together.together) == (False, True)
    assert together.detectable_mean() > 2 * apart.detectable_mean()


def test_capital_is_what_one_computes_by_hand():
    """A mixture of products."""
    bets = ManyKeysBets(0.01, 1e-3)
    for shown in (3, 0, 1):
        bets.add(40, shown)
    stakes = stakes_at(40, 0.01)
    product = np.prod([1 + stakes * (shown / 40 / 0.01 - 1) for shown in (3, 0, 1)], axis=0)
    after_one = float(np.exp(LOG_WEIGHTS) @ (1 + stakes * (3 / 40 / 0.01 - 1)))
    assert bets.largest_log_capital == pytest.approx(math.log(max(after_one, float(np.exp(LOG_WEIGHTS) @ product))))
    assert bets.log_capital(0.01) == pytest.approx(bets.largest_log_capital)
    assert bets.log_capital(0.02) < bets.log_capital(0.01)


def test_the_best_stake_grows_fastest():
    """Against its neighbours; of few expected keys it is about the excess of their number."""
    counts, law = poisson(3 * 0.2)
    assert law.sum() == pytest.approx(1, abs=1e-9)

    def growth(stake):
        return float(law @ np.log1p(stake * (counts / 0.2 - 1)))

    best = best_stake(0.2, 3.0)
    assert growth(best) >= max(growth(best - 0.01), growth(best + 0.01))
    assert best_stake(1e-4, 3.0) == pytest.approx(2e-4, rel=0.01)


def top_key(counts, others):
    """Return the law of the key that the exponential mechanism selects: each count weighs e^(epsilon count)."""
    weights = [math.exp(EPSILON * (count + others)) for count in counts]
    return {frozenset({j}): weight / sum(weights) for j, weight in enumerate(weights)}


def first_in_order(counts, others):
    """Return the law of the first of the keys sorted by count, ties by name: no noise."""
    return {frozenset({max(range(len(counts)), key=lambda j: (counts[j] + others, -j))}): 1.0}


def all_by_one_draw(counts, others):
    """Return the law of all keys or none, by one Laplace draw on the total count."""
    total = sum(count + others for count in counts)
    value = float(laplace.sf(len(counts) * others + 1 - total, scale=1 / EPSILON))
    return {frozenset(range(len(counts))): value, frozenset(): 1 - value}


def first_two_kept(counts, _others):
    """Return the law of the first two keys that pass a threshold, each with a Laplace draw of its own."""
    passes, law = [float(laplace.sf(1 - count, scale=1 / EPSILON)) for count in counts], Counter()
    for kept in itertools.product((0, 1), repeat=len(counts)):
        keys = frozenset([j for j, one in enumerate(kept) if one][:2])
        law[keys] += math.prod(p if one else 1 - p for p, one in zip(passes, kept, strict=True))
    return law


def mean_over_shared_keys(mechanism, keys):
    """Return the mean of Y with delta 0, exactly: over all coins and the law of the selected keys."""
    total = 0.0
    for coins in itertools.product((0, 1), repeat=keys):
        for selected, probability in mechanism(coins, OTHERS).items():
            signs = sum(1.0 if coins[j] else -math.exp(EPSILON) for j in selected)
            total += 2 / keys * signs * probability / 2**keys
    return total


@pytest.mark.parametrize("keys", [1, 2, 5])
@pytest.mark.parametrize(
    ("mechanism", "private"),
    [(top_key, True), (all_by_one_draw, True), (first_two_kept, True), (first_in_order, False)],
)
def test_the_mean_over_shared_keys_is_bounded_whatever_keys_have_to_do_with_one_another(mechanism, private, keys):
    """Exactly: at most delta = 0 for private selections with common noise or a cap, above it without noise."""
    mean = mean_over_shared_keys(mechanism, keys)
    if private:
        assert mean <= 1e-12
    elif keys > 1:
        assert mean > 0.01


@pytest.mark.parametrize(("users", "shown"), [(0, 0), (3, 4), (3, -1)])
def test_counts_that_cannot_be_are_refused(users, shown):
    """More users with a key than there are."""
    with pytest.raises(ValueError, match="expected 0 <= released_count <= users"):
        ManyKeysBets(0.1, 0.1).add(users, shown)
    with pytest.raises(ValueError, match="allowed and alpha"):
        ManyKeysBets(0.0, 0.1)
