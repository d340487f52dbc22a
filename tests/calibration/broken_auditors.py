"""Auditors with the mistakes that published ones make: some break the level they promise, others miss what leaks."""

import math
from functools import cache

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri
from scipy.stats import binom

from auditor.statistics.exact_tests import clopper_pearson_lower, clopper_pearson_upper

EPSILON = 1.0
RELEASES = 400


def laplace_at_its_claim(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Releases of counts 0 and 1 with Laplace noise of scale 1: exactly epsilon = 1, tight below 0."""
    return rng.laplace(0.0, 1.0, RELEASES), rng.laplace(1.0, 1.0, RELEASES)


def two_bounds_refute(hits_p: int, hits_q: int, n: int, alpha: float) -> bool:
    """The textbook test: two Clopper-Pearson bounds at alpha / 2 each."""
    return clopper_pearson_lower(hits_p, n, alpha / 2) > math.exp(EPSILON) * clopper_pearson_upper(hits_q, n, alpha / 2)


@cache
def guesses_refute(correct: int, wrong: int, alpha: float) -> bool:
    """The exact guessing test, valid where the guesses were fixed before the releases were drawn.

    A guess of a fair secret bit is right with probability at most e^epsilon / (1 + e^epsilon), given that it is made.
    """
    return correct + wrong > 0 and binom.sf(correct - 1, correct + wrong, 1 / (1 + math.exp(-EPSILON))) <= alpha


def multiplicity_ignored(rng: np.random.Generator, alpha: float) -> bool:
    """Tries twenty independent batches at the full alpha each and reports the best."""
    return any(
        guesses_refute(int((x < 0).sum() + (y > 1).sum()), int((x > 1).sum() + (y < 0).sum()), alpha)
        for x, y in (laplace_at_its_claim(rng) for _ in range(20))
    )


def margin_without_alpha(rng: np.random.Generator, alpha: float) -> bool:
    """Uses sqrt(log(min(2, 1 / alpha)) / 2n), where it should be max: the same margin for every alpha."""
    x, y = laplace_at_its_claim(rng)
    margin = math.sqrt(math.log(min(2.0, 1 / alpha)) / (2 * RELEASES))
    return float((x < 0).mean()) - margin > math.exp(EPSILON) * (float((y < 0).mean()) + margin)


def event_chosen_on_the_judging_sample(rng: np.random.Generator, alpha: float) -> bool:
    """Picks the cells with the largest observed ratio, then tests them on the same releases."""
    x, y = laplace_at_its_claim(rng)
    edges = np.linspace(-3, 4, 41)
    cells_x, cells_y = (np.bincount(np.digitize(side, edges), minlength=len(edges) + 1) for side in (x, y))
    left, right = cells_x > math.exp(EPSILON) * cells_y, cells_y > math.exp(EPSILON) * cells_x
    correct, wrong = cells_x[left].sum() + cells_y[right].sum(), cells_y[left].sum() + cells_x[right].sum()
    return guesses_refute(int(correct), int(wrong), alpha)


def gaussian_assumption(rng: np.random.Generator, alpha: float) -> bool:
    """Fits the trade-off function of a Gaussian mechanism to one threshold and reads epsilon at delta = 1e-5 off it."""
    x, y = laplace_at_its_claim(rng)
    fpr = clopper_pearson_upper(int((y < 0.5).sum()), RELEASES, alpha / 2)
    fnr = 1 - clopper_pearson_lower(int((x < 0.5).sum()), RELEASES, alpha / 2)
    mu = -ndtri(fpr) - ndtri(fnr)
    delta = ndtr(mu / 2 - EPSILON / mu) - math.exp(EPSILON) * ndtr(-mu / 2 - EPSILON / mu)
    return bool(mu > 0 and delta > 1e-5)


def tails(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Give the frequencies of a tight event and the standard deviation of p - e^epsilon q."""
    p, q = float((x < 0).mean()), float((y < 0).mean())
    return p, q, math.sqrt((p * (1 - p) + math.exp(2 * EPSILON) * q * (1 - q)) / len(x))


def deviations(x: np.ndarray, y: np.ndarray) -> float:
    """Give how many standard deviations the event x < 0 lies above the claim."""
    p, q, deviation = tails(x, y)
    return (p - math.exp(EPSILON) * q) / deviation


def estimates_taken_for_bounds(rng: np.random.Generator, alpha: float) -> bool:
    """Compares two frequencies, as if they were probabilities."""
    return deviations(*laplace_at_its_claim(rng)) > 0


def an_interval_that_ignores_its_level(rng: np.random.Generator, alpha: float) -> bool:
    """Takes 1.96 standard deviations whatever it was asked for."""
    return deviations(*laplace_at_its_claim(rng)) > 1.96 / 2


def the_best_of_ten_tests(rng: np.random.Generator, alpha: float) -> bool:
    """Runs the whole audit ten times and keeps the one that looks worst."""
    return max(deviations(*laplace_at_its_claim(rng)) for _ in range(10)) > -ndtri(alpha)


def no_union_bound_over_events(rng: np.random.Generator, alpha: float) -> bool:
    """Tests forty disjoint tight cells at the full alpha each."""
    x, y = laplace_at_its_claim(rng)
    edges = np.linspace(-2, 0, 41)
    left, right = np.histogram(x, edges)[0], np.histogram(y, edges)[0]
    return any(guesses_refute(int(p), int(q), alpha) for p, q in zip(left, right, strict=True))


def no_union_bound_over_epsilons(rng: np.random.Generator, alpha: float) -> bool:
    """Tests a profile at twenty epsilons, each at the full alpha."""
    x, y = laplace_at_its_claim(rng)
    epsilon = np.linspace(-8, 0.97, 20)
    p, q = ((side[:, None] < (1 - epsilon) / 2).mean(axis=0) for side in (x, y))
    deviation = np.sqrt((p * (1 - p) + np.exp(2 * epsilon) * q * (1 - q)) / RELEASES)
    return bool((p - np.exp(epsilon) * q + np.expm1((epsilon - 1) / 2) > -ndtri(alpha) * deviation).any())


def one_sided_for_two_sided(rng: np.random.Generator, alpha: float) -> bool:
    """Tests both directions, each at the level of one."""
    x, y = laplace_at_its_claim(rng)
    return max(deviations(x, y), deviations(1 - y, 1 - x)) > -ndtri(alpha)


def optional_stopping(rng: np.random.Generator, alpha: float) -> bool:
    """Looks after every ten releases, and stops when a test of fixed size refutes."""
    x, y = laplace_at_its_claim(rng)
    n = np.arange(50, RELEASES, 10)
    p, q = (np.cumsum(side < 0)[n - 1] / n for side in (x, y))
    deviation = np.sqrt((p * (1 - p) + math.exp(2 * EPSILON) * q * (1 - q)) / n)
    return bool((p - math.exp(EPSILON) * q > -ndtri(alpha) * deviation).any())


def a_wealth_that_starts_again(rng: np.random.Generator, alpha: float) -> bool:
    """Bets, and takes a wealth below one back to one: the losses of an e-process are forgotten."""
    x, y = laplace_at_its_claim(rng)
    wealth = highest = 1.0
    for gain in (x < 0).astype(float) - math.exp(EPSILON) * (y < 0):
        wealth = max(1.0, wealth * (1 + 0.3 * gain))
        highest = max(highest, wealth)
    return highest >= 1 / alpha


def a_bet_placed_after_the_draw(rng: np.random.Generator, alpha: float) -> bool:
    """Chooses the side to bet on when it has seen the release."""
    x, y = laplace_at_its_claim(rng)
    gains = (x < 0).astype(float) - math.exp(EPSILON) * (y < 0)
    return float(np.log1p(0.3 * np.maximum(gains, -0.3)).sum()) >= math.log(1 / alpha)


def batches_that_lost_are_dropped(rng: np.random.Generator, alpha: float) -> bool:
    """Multiplies the wealth of those batches only that won."""
    x, y = laplace_at_its_claim(rng)
    gains = np.log1p(0.3 * ((x < 0).astype(float) - math.exp(EPSILON) * (y < 0))).reshape(20, -1).sum(axis=1)
    return float(gains[gains > 0].sum()) >= math.log(1 / alpha)


def p_values_multiplied(rng: np.random.Generator, alpha: float) -> bool:
    """Takes the product of the p-values of ten batches for a p-value."""
    batches = (laplace_at_its_claim(rng) for _ in range(10))
    return sum(log_ndtr(-deviations(x, y)) for x, y in batches) <= math.log(alpha)


def variance_of_twice_the_releases(rng: np.random.Generator, alpha: float) -> bool:
    """Divides by the releases of both sides together."""
    return deviations(*laplace_at_its_claim(rng)) * math.sqrt(2) > -ndtri(alpha)


def delta_forgotten(rng: np.random.Generator, alpha: float) -> bool:
    """Holds a mechanism that spends its delta to epsilon alone."""
    x, y = laplace_at_its_claim(rng)
    spent = rng.random(RELEASES) < 0.1
    return deviations(np.where(spent, -9, x), y) > -ndtri(alpha)


def a_batch_taken_for_independent_releases(rng: np.random.Generator, alpha: float) -> bool:
    """Counts each of four copies of a release as a release of its own."""
    x, y = laplace_at_its_claim(rng)
    return deviations(np.repeat(x, 4), np.repeat(y, 4)) > -ndtri(alpha)


BROKEN = (
    a_batch_taken_for_independent_releases,
    a_bet_placed_after_the_draw,
    a_wealth_that_starts_again,
    an_interval_that_ignores_its_level,
    batches_that_lost_are_dropped,
    delta_forgotten,
    estimates_taken_for_bounds,
    event_chosen_on_the_judging_sample,
    gaussian_assumption,
    margin_without_alpha,
    multiplicity_ignored,
    no_union_bound_over_epsilons,
    no_union_bound_over_events,
    one_sided_for_two_sided,
    optional_stopping,
    p_values_multiplied,
    the_best_of_ten_tests,
    variance_of_twice_the_releases,
)


def laplace_of_half_the_noise(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Releases of counts 0 and 1 with Laplace noise of scale 1/2, said to be epsilon = 1: it is 2."""
    return rng.laplace(0.0, 0.5, RELEASES), rng.laplace(1.0, 0.5, RELEASES)


def a_direction_dropped(rng: np.random.Generator, alpha: float) -> bool:
    """Holds the left side's event against the right side only in the direction that is private."""
    x, y = laplace_of_half_the_noise(rng)
    return deviations(1 - y, 1 - x) > -ndtri(alpha) and deviations(y, x) > -ndtri(alpha)


def a_stop_at_the_first_success(rng: np.random.Generator, alpha: float) -> bool:
    """Ends with the first key that shows nothing, and never comes to the one that leaks."""
    keys = (laplace_at_its_claim, laplace_of_half_the_noise)
    return all(deviations(*key(rng)) > -ndtri(alpha) for key in keys)


def the_last_word_counts(rng: np.random.Generator, alpha: float) -> bool:
    """Overwrites the verdict of a key by that of the next."""
    found = False
    for key in (laplace_of_half_the_noise, laplace_at_its_claim):
        found = deviations(*key(rng)) > -ndtri(alpha)
    return found


def releases_that_fail_are_dropped(rng: np.random.Generator, alpha: float) -> bool:
    """Draws again where a mechanism raises, which it does for negative counts: the output that leaks."""
    x, y = laplace_of_half_the_noise(rng)
    x, y = x[x >= 0], y[y >= 0]
    return guesses_refute(int((x < 0).sum()), int((y < 0).sum()), alpha)


def outliers_removed(rng: np.random.Generator, alpha: float) -> bool:
    """Keeps what lies between the counts, and tests the tails."""
    x, y = (side[(side >= 0) & (side <= 1)] for side in laplace_of_half_the_noise(rng))
    return guesses_refute(int((x < 0).sum() + (y > 1).sum()), int((x > 1).sum() + (y < 0).sum()), alpha)


def a_pair_of_equals(rng: np.random.Generator, alpha: float) -> bool:
    """Draws both sides from one histogram."""
    x, again = rng.laplace(0.0, 0.5, (2, RELEASES))
    return deviations(x, again) > -ndtri(alpha)


def sides_mixed(rng: np.random.Generator, alpha: float) -> bool:
    """Shuffles the releases of both sides together."""
    mixed = rng.permutation(np.concatenate(laplace_of_half_the_noise(rng)))
    return deviations(mixed[:RELEASES], mixed[RELEASES:]) > -ndtri(alpha)


def means_compared(rng: np.random.Generator, alpha: float) -> bool:
    """Asks whether the means are those of the counts."""
    x, y = laplace_of_half_the_noise(rng)
    off = max(abs(float(x.mean())) / x.std(), abs(float(y.mean()) - 1) / y.std()) * math.sqrt(RELEASES)
    return off > -ndtri(alpha / 4)


def the_promise_read_off_the_releases(rng: np.random.Generator, alpha: float) -> bool:
    """Estimates the noise and holds the mechanism to the epsilon of that noise."""
    x, y = laplace_of_half_the_noise(rng)
    epsilon = 1 / float(np.abs(x).mean())
    p, q, _ = tails(x, y)
    deviation = math.sqrt((p * (1 - p) + math.exp(2 * epsilon) * q * (1 - q)) / RELEASES)
    return p - math.exp(epsilon) * q > -ndtri(alpha) * deviation


def epsilon_in_powers_of_ten(rng: np.random.Generator, alpha: float) -> bool:
    """Takes 10 to the epsilon for e to the epsilon."""
    p, q, deviation = tails(*laplace_of_half_the_noise(rng))
    return p - 10**EPSILON * q > -ndtri(alpha) * deviation


def the_other_tail(rng: np.random.Generator, alpha: float) -> bool:
    """Compares the p-value of the wrong side."""
    return ndtr(deviations(*laplace_of_half_the_noise(rng))) <= alpha


def a_level_shared_with_every_release(rng: np.random.Generator, alpha: float) -> bool:
    """Takes the events among four hundred releases for 2^400 tests."""
    return log_ndtr(-deviations(*laplace_of_half_the_noise(rng))) <= math.log(alpha) - RELEASES * math.log(2)


def all_the_wealth_on_each_bet(rng: np.random.Generator, alpha: float) -> bool:
    """Bets everything it has: the first loss ends the process."""
    x, y = laplace_of_half_the_noise(rng)
    gains = (x < 0).astype(float) - math.exp(EPSILON) * (y < 0)
    return bool(np.prod(np.maximum(0.0, 1 + gains)) >= 1 / alpha)


TOO_GREEN = (
    a_direction_dropped,
    a_level_shared_with_every_release,
    a_pair_of_equals,
    a_stop_at_the_first_success,
    all_the_wealth_on_each_bet,
    epsilon_in_powers_of_ten,
    means_compared,
    outliers_removed,
    releases_that_fail_are_dropped,
    sides_mixed,
    the_last_word_counts,
    the_other_tail,
    the_promise_read_off_the_releases,
)
