"""Auditors with the mistakes that published ones make; each breaks the level it promises."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy.stats import norm

from auditor.statistics.exact_tests import clopper_pearson_lower, clopper_pearson_upper, guess_test

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
    """The exact guessing test, valid where the guesses were fixed before the releases were drawn."""
    return correct + wrong > 0 and guess_test(correct, correct + wrong, EPSILON, alpha).p_value <= alpha


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
    mu = norm.isf(fpr) - norm.ppf(fnr)
    delta = norm.cdf(mu / 2 - EPSILON / mu) - math.exp(EPSILON) * norm.cdf(-mu / 2 - EPSILON / mu)
    return bool(mu > 0 and delta > 1e-5)


BROKEN = (multiplicity_ignored, margin_without_alpha, event_chosen_on_the_judging_sample, gaussian_assumption)
