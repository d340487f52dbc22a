"""Decisions that are taken at another threshold, on another number, or more than once."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.law import rows_profile
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT, one_sided
from mechanisms.mechanism import BatchMechanism
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Direction


@dataclass(frozen=True)
class AnyTau(BatchMechanism):
    """Algorithm 1 as printed, for any real tau: nonempty groups with count >= tau.

    Table 1 of the paper allows tau = 0 and fractions, and delta is read at the gap tau* - tau. Counts are integers and
    only nonempty groups are visited, so tau acts as max(1, ceil(tau)) and the true gap is smaller.
    """

    tau: float
    tau_star: float
    sigma: float

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; groups below tau are left out before the noise is drawn."""
        visited = {key: count for key, count in histogram.items() if count >= self.tau}
        mechanism = correct.GaussianSparseHistogram(1, self.tau_star, self.sigma, grid=correct.grid_for(self.sigma))
        return mechanism.release_many(visited, n, rng)


def build_any_tau(*, c_u: Value, sigma: Value, gap: Value, mu_o: Value = 0, tau: Value = 0) -> AnyTau:
    """Algorithm 1 with this tau, whatever it is, and tau* = tau + gap; counts only."""
    del c_u, mu_o  # bounded upstream; no aggregates here
    return AnyTau(float(Fraction(tau)), float(Fraction(tau) + Fraction(gap)), float(Fraction(sigma)))


class LargestCountThreshold(correct.GaussianSparseHistogram):
    """Uses min(tau*, largest count) as the upper threshold, so that some group always has a fair chance."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases under the lowered threshold."""
        lowered = min(self.tau_star, max([self.tau, *histogram.values()]))
        mechanism = correct.GaussianSparseHistogram(**{**vars(self), "tau_star": lowered})
        return mechanism.release_many(histogram, n, rng)


class TrueCountDecides(correct.GaussianSparseHistogram):
    """Releases C + v for groups with C >= tau*."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        values = correct.round_to_grid(counts + self.sigma * rng.standard_normal((n, counts.size)), self.grid)
        values[:, counts < self.tau_star] = float("nan")
        return values


_ATTEMPTS = 10


class Retries(correct.GaussianSparseHistogram):
    """Draws the noise of a row until it passes, ten times at most."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        values = super()._noisy_counts(counts, n, rng)
        for _attempt in range(_ATTEMPTS - 1):
            values = np.where(np.isnan(values), super()._noisy_counts(counts, n, rng), values)
        return values


class SeparateNoise(correct.GaussianSparseHistogram):
    """C + v decides, but C + w is released.

    It looks like more noise and is less privacy: the decision is a second, free look at the count. Rows far above tau*
    and rows at tau have the correct mechanism's law; only rows near tau* show it.
    """

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        decision, value = counts + self.sigma * rng.standard_normal((2, n, counts.size))
        released = (counts >= self.least_count) & (decision >= self.tau_star)
        return np.where(released, correct.round_to_grid(value, self.grid), np.nan)


def separate_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, count: int, tau_star: Value, sigma: Value
) -> Any:
    """A biased coin composed with a Gaussian of distance 1/sigma where the coin says release.

    With r the release probabilities, r_P f(1/sigma, epsilon - log(r_P / r_Q)) + max(0, 1 - r_P - e^epsilon (1 - r_Q)).
    """
    epsilon, s, t = A.number(epsilon), A.number(sigma), A.number(tau_star)
    first, second = (count, count - 1) if direction is Direction.FORWARD else (count - 1, count)
    log_first, log_second = log_normal_cdf(A, (first - t) / s), log_normal_cdf(A, (second - t) / s)
    released = A.exp(log_first) * gaussian_profile(A, epsilon - log_first + log_second, 1 / s)
    far_part = normal_cdf(A, (t - first) / s) - A.exp(epsilon) * normal_cdf(A, (t - second) / s)
    return released + A.maximum(0, far_part)


ONE_ROW = {"c_u": 1}

FAULTS = (
    MECHANISM.broken(
        id="tau_star_off_by_one", title="tau* off by one", caught_by="empirical.impossible_key",
        parameters={"c_u": 1, "gap": 5}, pair="wc1", at={"gap": 4},
        explanation="New keys appear with probability 1 - Phi((gap - 1)/sigma)^c_u instead of 1 - Phi(gap/sigma)^c_u.",
    ),
    MECHANISM.broken(
        id="tau_zero", title="tau = 0, as printed", caught_by="empirical.impossible_key",
        parameters={"c_u": 1, "gap": 5, "tau": 0}, pair="wc1", build=build_any_tau,
        explanation="A lone user's group is released with probability 1 - Phi((tau* - 1)/sigma), not 1 - "
        "Phi(tau*/sigma).",
    ),
    MECHANISM.broken(
        id="non_integer_tau", title="tau is not an integer", parameters={"c_u": 1, "gap": "9/2", "tau": "3/2"},
        pair="wc1", build=build_any_tau,
        explanation="The smallest count that passes is ceil(tau): the true gap is tau* - ceil(tau), smaller than "
        "printed.",
    ),
    MECHANISM.broken(
        id="data_dependent_threshold", title="tau* follows the largest count", caught_by="empirical.impossible_key",
        parameters=ONE_ROW, pair="wc1", subclass=LargestCountThreshold, profile=partial(one_sided, mass=lift("1/2")),
        explanation="Where every group is small the threshold is small too: a lone user's key comes out half the time.",
    ),
    MECHANISM.broken(
        id="threshold_on_true_count", title="the true count is compared with tau*", parameters=ONE_ROW, pair="wc5.at",
        subclass=TrueCountDecides, profile=DISJOINT,
        explanation="Whether a key is present tells exactly on which side of tau* its count is.",
    ),
    MECHANISM.broken(
        id="second_chance", title="rows held back are tried again", caught_by="empirical.impossible_key",
        parameters=ONE_ROW, pair="wc1", epsilon="3/2", subclass=Retries,
        profile=partial(rows_profile, at_threshold=_ATTEMPTS, far=0, sigma=2, gap=6),
        explanation="A new key appears with probability 1 - Phi(gap/sigma)^10.",
    ),
    MECHANISM.broken(
        id="separate_decision_noise", title="separate noise for the decision and for the release",
        parameters={"c_u": 1, "sigma": 1, "gap": 5}, pair="wc5.at", subclass=SeparateNoise,
        profile=partial(separate_profile, count=6, tau_star=6, sigma=1),
        explanation="Near tau* the decision moves with the count, and the released value is a full second measurement.",
    ),
)  # fmt: skip
