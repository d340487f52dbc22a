"""Queries [0, r) from hierarchical histograms (bharadwaj2022 Section 4.2): what composition costs, two ways.

Buckets are the values 0 .. B - 1 in order, B = 2^L; a hierarchical histogram has L levels with a fresh sample each, and
every answer adds at most one bucket a level. All curves promise (epsilon, 1e-8) to the population under add/remove.
"""

import math

import numpy as np

from auditor.experiments.curves import ALPHA, DELTA, Curve, Parameters
from auditor.experiments.measures import Estimates
from auditor.experiments.populations import Counts
from mechanisms.sample_and_threshold import accountant
from mechanisms.sample_and_threshold.mechanism import SampleAndThreshold
from mechanisms.sample_and_threshold.trie_heavy_hitters import TrieHeavyHitters

COMPOSED_TAU = 20


def levels_of(counts: Counts) -> int:
    """L, where B = 2^L."""
    return counts.size.bit_length() - 1


def _shares(epsilon: float, counts: Counts) -> Parameters:
    """Lemma 7: every level gets epsilon/L and delta/L, and from them p and tau as in Lemma 3."""
    levels = levels_of(counts)
    p = accountant.rate(epsilon / levels, ALPHA)
    return {"p": p, "tau": accountant.lemma_3_threshold(DELTA / levels, alpha=ALPHA)}


def _composed(epsilon: float, counts: Counts) -> Parameters:
    """Every level at the rate of the total epsilon, but at most 1 - e^(-epsilon/L).

    Removed for added, every outcome of a level has a ratio of at least 1 - p, so all levels together one of at least
    e^-epsilon: delta is zero. Added for removed it is the convolution's, `composed_levels.every_path`, below 1e-8.
    """
    apart = -math.expm1(-epsilon / levels_of(counts))
    return {"p": min(accountant.rate(epsilon, ALPHA), apart), "tau": COMPOSED_TAU}


def _one_level(epsilon: float, _counts: Counts) -> Parameters:
    """One histogram of the buckets, at the least tau."""
    return {"p": accountant.rate(epsilon, ALPHA), "tau": accountant.least_tau(epsilon, DELTA, alpha=ALPHA)}


def _hierarchical(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    """Weights below every bucket from the released trie: right of a split the left bucket is added."""
    levels = levels_of(counts)
    histogram = {f"{bucket:0{levels}b}": int(count) for bucket, count in enumerate(counts)}
    _keys, released = TrieHeavyHitters(at["p"], int(at["tau"]), levels).release_many(histogram, repetitions, rng)
    estimates = np.nan_to_num(released, nan=0.0)
    below = np.zeros((repetitions, 1))
    for level in range(1, levels + 1):
        # Columns are in the order of (length, name): the 2^level buckets of a level stand together.
        left = estimates[:, 2**level - 2 : 2 ** (level + 1) - 2 : 2]
        below = np.stack([below, below + left], axis=2).reshape(repetitions, -1)
    return np.asarray(below / (at["p"] * counts.sum()))


def _cumulated(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    """Weights below every bucket from one histogram of all of them."""
    width = len(str(counts.size))
    histogram = {f"{bucket:0{width}}": int(count) for bucket, count in enumerate(counts)}
    _keys, released = SampleAndThreshold(at["p"], int(at["tau"])).release_many(histogram, repetitions, rng)
    estimates = np.nan_to_num(released, nan=0.0)
    return np.asarray((np.cumsum(estimates, axis=1) - estimates) / (at["p"] * counts.sum()))


_FAMILY = "hierarchical"
SHARES = Curve("levels_shares", "hierarchical, a share of epsilon a level (Lemma 7)", _FAMILY, dashed=True,
               calibrate=_shares, estimate=_hierarchical)  # fmt: skip
COMPOSED = Curve("levels_composed", "hierarchical, levels composed by convolution", _FAMILY, dashed=False,
                 calibrate=_composed, estimate=_hierarchical)  # fmt: skip
ONE_LEVEL = Curve("one_level", "one histogram, added up", "one level", dashed=False,
                  calibrate=_one_level, estimate=_cumulated)  # fmt: skip
CURVES = (SHARES, COMPOSED, ONE_LEVEL)
