"""Bets on guesses of fair coins from one release: right whatever the noise of keys has in common."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from auditor.statistics.coin_guesses import EXPONENTIAL, STRATEGIES, CoinBets, log_evidence

EPSILON, DELTA, COINS = 1.0, 0.05, 5
Q = math.e / (1 + math.e)
CERTAINTY = 1e-9


def responses(coins, epsilon=EPSILON):
    """Return the law of the coins that are guessed to be 1: each by randomized response of its own."""
    right = 1 / (1 + math.exp(-epsilon))
    law = {}
    for picked in itertools.product((0, 1), repeat=len(coins)):
        law[picked] = math.prod(right if one == coin else 1 - right for one, coin in zip(picked, coins, strict=True))
    return law


def one_failure(coins):
    """All coins are revealed at once with probability delta, and none otherwise."""
    nothing = (0,) * len(coins)
    law = {coins: DELTA}
    law[nothing] = law.get(nothing, 0) + 1 - DELTA
    return law


def own_failures(coins):
    """Each coin is revealed with probability delta of its own."""
    law = {}
    for failed in itertools.product((0, 1), repeat=len(coins)):
        picked = tuple(coin * one for coin, one in zip(coins, failed, strict=True))
        law[picked] = law.get(picked, 0) + math.prod(DELTA if one else 1 - DELTA for one in failed)
    return law


def common_response(coins):
    """One randomized response for the parity of all coins decides whether all of them are guessed."""
    right = sum(coins) % 2
    return {(1,) * len(coins): Q if right else 1 - Q, (0,) * len(coins): 1 - Q if right else Q}


def failing_responses(coins):
    """Randomized responses, and with probability delta all coins instead."""
    law = {picked: (1 - DELTA) * p for picked, p in responses(coins).items()}
    law[coins] += DELTA
    return law


def too_exact(coins):
    """Randomized responses of twice the epsilon."""
    return responses(coins, 2 * EPSILON)


def mean_evidence(mechanism, delta, m=COINS):
    """Return the mean of E of each strategy, exactly."""
    stakes, kept = STRATEGIES.T
    stakes, total = stakes / Q, np.zeros(len(STRATEGIES))
    for coins in itertools.product((0, 1), repeat=m):
        for picked, probability in mechanism(coins).items():
            right = sum(a and b for a, b in zip(picked, coins, strict=True))
            wrong = sum(picked) - right
            product = right * np.log1p(stakes * (1 - Q)) + wrong * np.log1p(-stakes * Q)
            total += probability / 2**m * np.exp(log_evidence(product, stakes, kept, m, EPSILON, delta))
    return total


@pytest.mark.parametrize("m", [1, 2, COINS])
@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [
        (responses, 1e-9),
        (responses, DELTA),
        (common_response, 1e-9),
        (one_failure, DELTA),
        (own_failures, DELTA),
        (failing_responses, DELTA),
    ],
)
def test_the_mean_of_the_evidence_is_at_most_one_for_private_mechanisms(mechanism, delta, m):
    """Exactly, over all coins and the law of the guesses."""
    assert mean_evidence(mechanism, delta, m).max() <= 1 + 1e-12


@pytest.mark.parametrize(("mechanism", "grows"), [(responses, False), (too_exact, True)])
def test_the_exponential_part_is_tight(mechanism, grows):
    """Its mean is its weight for a mechanism at its claim, and above it for one of twice the epsilon."""
    kept = STRATEGIES[:, 1]
    parts = (mean_evidence(mechanism, 1e-12) - kept) / ((1 - kept) * EXPONENTIAL)
    assert (parts > 1.01).any() == grows
    assert parts.min() > 1 - 1e-6


def test_one_failure_uses_up_much_of_what_it_may():
    """A bound that no mechanism comes near would refute nothing."""
    stakes, kept = (np.array([value]) for value in (0.9 / Q, 0.05))
    m = 4000
    all_right = np.array([m / 2 * math.log1p(stakes[0] * (1 - Q))])
    gain = math.exp(log_evidence(all_right, stakes, kept, m, EPSILON, DELTA)[0])
    assert 0.4 < DELTA * gain < 1


def guessed(rng, law, size):
    """Return guesses and right guesses of one rule, (size, 2)."""
    made, right = law(rng, size)
    return np.stack([made, right], axis=-1)


def independent(rng, size):
    """Return guesses of 200 coins by randomized response."""
    made = rng.binomial(200, 0.5, size)
    return made, rng.binomial(made, Q)


def all_at_times(rng, size):
    """With probability delta all coins of 1 are guessed."""
    ones = rng.binomial(200, 0.5, size)
    made = ones * (rng.random(size) < DELTA)
    return made, made


def blocks(rng, size):
    """Ten coins at once are revealed with probability delta."""
    made = rng.binomial(10, DELTA, size) * 10
    return made, made


@pytest.mark.parametrize(("law", "delta"), [(independent, 1e-6), (all_at_times, DELTA), (blocks, 2 * DELTA)])
def test_private_mechanisms_raise_no_more_alarms_than_alpha(law, delta):
    """Of blocks, twice as many coins are revealed as hold a 1, which delta covers twice over."""
    rng, alpha, runs, releases = np.random.default_rng(1), 0.05, 1000, 30
    alarms = 0
    for _ in range(runs):
        bets = CoinBets(EPSILON, delta, alpha, 1, 1)
        for each in guessed(rng, law, releases):
            bets.add(200, each.reshape(1, 1, 2))
        alarms += bets.rejected
    assert binom.sf(alarms - 1, runs, alpha) > CERTAINTY


@pytest.mark.parametrize(("delta", "coins", "releases"), [(0.0364, 1000, 25), (1e-5, 2000, 6)])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_power_that_is_stated_is_reached(delta, coins, releases, share):
    """Of an event of that excess, .95 of the runs refute, and the bound on delta does not exceed the excess."""
    alpha, runs, rng = 1e-4, 300, np.random.default_rng(2)
    bets = CoinBets(EPSILON, delta, alpha, 3, 4, [coins] * releases)
    excess = bets.detectable(share)
    other = share * (1 - excess) / math.e
    event = excess + math.e * other
    refuted = above = 0
    for _ in range(runs):
        run = CoinBets(EPSILON, delta, alpha, 3, 4)
        for _ in range(releases):
            ones = rng.binomial(coins, 0.5)
            right, wrong = rng.binomial(ones, event), rng.binomial(coins - ones, other)
            guesses = np.zeros((3, 4, 2), dtype=np.int64)
            guesses[1, 2] = right + wrong, right
            run.add(coins, guesses)
        refuted += run.rejected
        above += refuted < 20 and run.delta_lower() > excess
    assert delta < excess < 1
    assert binom.cdf(refuted, runs, 0.93) > CERTAINTY
    assert above == 0


def test_more_releases_detect_less():
    """The number of further releases is proposed by it."""
    bets = CoinBets(EPSILON, 0.01, 1e-6, 3, 4, [1000])
    found = [bets.detectable(0.0, n) for n in (1, 10, 100)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.05


@pytest.mark.parametrize("guesses", [(3, 4), (11, 4), (3, -1)])
def test_counts_that_cannot_be_are_refused(guesses):
    """More right guesses than guesses, or more guesses than coins."""
    with pytest.raises(ValueError, match="expected 0 <= right guesses"):
        CoinBets(1.0, 0.1, 0.1, 1, 1).add(10, np.array(guesses).reshape(1, 1, 2))
