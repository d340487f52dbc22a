"""Faults of Algorithm 1 of rogers2024."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.laws.events import DISJOINT, one_sided
from mechanisms.mechanism import AccountantFault, Boundary, InDoubles, Parameters
from mechanisms.noise import laplace as laplace_noise
from mechanisms.unknown_domain.histogram import accountant, gaussian, laplace
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.profiles import shown_afresh
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression import Phi, exp, quantile_complement
from proofs_numeric.rogers2024.laws import laplace_tail, some_of
from proofs_numeric.rogers2024.theorem_7 import exact_profile
from proofs_numeric.statements.neighbours import Direction, Neighbours

# --- accountants ------------------------------------------------------------------------------------------------------


@InDoubles
def larger_end(A: Arithmetic, **parameters: Any) -> Any:
    """The larger delta of new items alone and of shared ones alone."""
    return exact_profile.laplace_two_ends(A, **parameters)


def gap_from_zero_delta(epsilon: float, *, delta_0: int, delta_inf: int, sigma: float, T: float) -> float:
    """Delta of new items of count 0; parameters as for the exact accountant."""
    return accountant.gaussian_delta(epsilon, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, T=T + delta_inf)


def gap_from_zero(A: Arithmetic, *, delta_inf: Number, T: Number, **rest: Number) -> Number:
    """What is reported: the exact delta at a threshold higher by Delta_inf."""
    return exact_profile.gaussian_exact(A, delta_inf=delta_inf, T=A.number(T) + delta_inf, **rest)


# --- thresholds -------------------------------------------------------------------------------------------------------


def without_sensitivity(mechanism: UnknownDomainHistogram) -> UnknownDomainHistogram:
    """Algorithm 1 with T too low by Delta_inf = 1."""
    return replace(mechanism, threshold=mechanism.threshold - 1)


def at_quantile_of_complement(mechanism: UnknownDomainHistogram) -> UnknownDomainHistogram:
    """Algorithm 1 with T = Delta_inf + sigma ppf(1 - q), at Delta_inf = 1 and q = 10^-16."""
    return replace(mechanism, threshold=1 + mechanism.scale * float(special.ndtri(1 - 1e-16)))


# --- noise ------------------------------------------------------------------------------------------------------------


class SharedNoise(UnknownDomainHistogram):
    """Algorithm 1 with one noise a release."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Every count moves by the same noise."""
        noisy = counts + self.noise(rng, (n, 1), scale=self.scale)
        return self.held_back(noisy, round_to_grid(noisy, self.grid))


def discrete_laplace(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.float64]:
    """Integers with mass in proportion to `e^(-|k|/scale)`: the difference of two geometric numbers."""
    stop = -np.expm1(-1 / scale)
    return np.asarray(rng.geometric(stop, shape) - rng.geometric(stop, shape), dtype=np.float64)


def discrete_inclusive(mechanism: UnknownDomainHistogram) -> UnknownDomainHistogram:
    """Algorithm 1 on integers: T rounded up, and >= in place of >."""
    threshold = float(np.ceil(mechanism.threshold))
    return UnknownDomainHistogram(discrete_laplace, mechanism.scale, threshold, 1.0, Boundary.INCLUSIVE)


# --- a second draw ----------------------------------------------------------------------------------------------------


class FreshNoise(UnknownDomainHistogram):
    """Algorithm 1 with two draws an item."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Decide with one noise, show another."""
        decided, output = (counts + self.noise(rng, (n, counts.size), scale=self.scale) for _draw in range(2))
        return self.held_back(decided, round_to_grid(output, self.grid))


def fresh_laplace(mechanism: UnknownDomainHistogram) -> FreshNoise:
    """Algorithm 1 with two Laplace draws an item; T is moved to the nearest count."""
    return FreshNoise(**(vars(mechanism) | {"threshold": float(np.ceil(mechanism.threshold))}))


_RARE: Parameters = {"delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1e-7"}


def passes(A: Arithmetic, *, count: int) -> Number:
    """Probability that a count is shown, delta = 1e-7."""
    return normal_cdf(A, count - gaussian.threshold(A, **_RARE))


def fresh_laplace_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
    """Counts 4 and 3 at T = 4, scale 1: shown with probability 1/2 and e^-1/2, then a fresh Laplace value.

    Where the value lies above 4 both ratios point the same way: left is e^2 times as likely; between 3 and 4 the ratio
    is e^(2 y - 6), below 3 one; silence is less likely in left. For epsilon >= 0.
    """
    e, growth = A.exp(A.number(1)), A.exp(A.number(epsilon))
    if direction is Direction.BACKWARD:
        return A.maximum(0, (1 - 1 / (2 * e)) - growth / 2)
    above = A.maximum(0, A.number(1) / 4 - growth / (4 * e * e))
    # P has density e^(y-4)/4 and Q e^(3-y)/(4 e) between 3 and 4; P leads from y = (6 + epsilon)/2 on.
    start = A.minimum(4, A.maximum(3, (6 + A.number(epsilon)) / 2))
    between = (1 - A.exp(start - 4)) / 4 - growth / (4 * e) * (A.exp(3 - start) - A.exp(A.number(-1)))
    return above + between


_ONE: Parameters = {"delta_0": 1, "sigma": 1}

FAULTS = (
    AccountantFault(
        id="unknown_domain_gap_from_zero_accountant", title="a new item has the count 0",
        mechanism="unknown_domain_gaussian", violates="rogers2024.thm7.gaussian.exact", accountant=gap_from_zero_delta,
        formula=gap_from_zero, parameters={"epsilon": 3, "delta_0": 3, "delta_inf": 2, "sigma": 4, "T": 10},
        explanation="A new item has a count of up to Delta_inf: it lies T - Delta_inf below the threshold, not T.",
    ),
    AccountantFault(
        id="unknown_domain_two_ends_accountant", title="the maximum rule of Gaussian noise, for Laplace noise",
        mechanism="unknown_domain_laplace", violates="rogers2024.thm7.laplace.exact", accountant=larger_end,
        parameters={"epsilon": 0, "delta_0": 2, "delta_inf": 1, "b": 100, "T": 531},
        explanation="One new item beside one shared count that moves is worse than two of either kind, by a factor of "
        "up to 5/4: thresholds collapse to two deltas for Gaussian noise, not for Laplace noise.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_threshold_without_sensitivity", title="threshold without the count of a new item",
        caught_by="empirical.impossible_key", change=without_sensitivity, parameters={"sigma": 1}, pair="a1.new",
        profile=partial(one_sided, mass=some_of(3, Phi(1 - quantile_complement("1/60")))), epsilon=5,
        explanation="A new item has count Delta_inf, not 0: it passes with probability Phi(epsilon - z) instead of "
        "delta/Delta_0.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_threshold_without_union", title="threshold for one new item",
        caught_by="empirical.impossible_key", at={"delta_0": 1}, parameters={"sigma": 1}, pair="a1.new", epsilon=5,
        explanation="Delta_0 new items pass with probability 1 - (1 - delta)^Delta_0.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_quantile_of_complement", title="quantile at 1 - q", caught_by="numeric.pair_profile",
        change=at_quantile_of_complement, parameters={**_ONE, "delta": "1e-16"}, pair="a1.new",
        profile=partial(one_sided, mass=Phi(-Fraction(float(special.ndtri(1 - 1e-16))))), epsilon=12,
        explanation="1 - 10^-16 rounds to 1 - 1.11 10^-16: the tail is 1.11 times delta, and below 5 10^-17 the "
        "quantile is infinite.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_unit_noise", title="noise for changes of one", at={"sigma": 1},
        parameters={"delta_0": 1, "delta_inf": 2, "sigma": 2}, pair="a1.high", epsilon=2,
        explanation="A shared count moves by Delta_inf standard deviations instead of one.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_laplace_noise_gaussian_threshold", title="Laplace noise with the Gaussian threshold",
        caught_by="empirical.impossible_key", change=partial(replace, noise=laplace_noise.sample),
        parameters={"sigma": 1}, pair="a1.new",
        profile=partial(one_sided, mass=some_of(3, laplace_tail(quantile_complement("1/60")))), epsilon=5,
        explanation="The Laplace tail is heavier: a new item passes with probability e^-z/2 instead of delta/Delta_0.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_shared_noise", title="one noise for all items", subclass=SharedNoise, parameters=_ONE,
        pair=Neighbours(
            "a1.shared", {"a": 51, "b": 50}, {"a": 50, "b": 50}, "the difference of two released counts is exact",
        ),
        profile=DISJOINT, epsilon=5, explanation="The difference of any two released counts carries no noise.",
    ),
    gaussian.MECHANISM.broken(
        id="unknown_domain_fresh_gaussian_released", title="a fresh noise is released",
        caught_by="numeric.pair_profile", subclass=FreshNoise, parameters=_RARE, pair="a1.edge",
        profile=partial(shown_afresh, left=partial(passes, count=7), right=partial(passes, count=6), distance=1),
        epsilon=4,
        explanation="Two releases of the same count cost more rho than one. Near epsilon = 0 the loose conversion of "
        "rho hides it; the tail of the loss and the Kullback-Leibler divergence do not.",
    ),
    laplace.MECHANISM.broken(
        id="unknown_domain_fresh_noise_released", title="a fresh noise is released",
        violates="rogers2024.rem7.dp_route.profile", change=fresh_laplace, parameters={"delta_0": 1, "b": 1},
        pair="a1.lapedge", profile=fresh_laplace_profile,
        explanation="The decision and the value are two releases: the log ratio reaches twice epsilon, (1 - "
        "e^(-epsilon/2))/2 remains.",
    ),
    laplace.MECHANISM.broken(
        id="unknown_domain_discrete_inclusive_boundary", title=">= in place of > with discrete noise",
        caught_by="empirical.impossible_key", change=discrete_inclusive,
        parameters={"delta_0": 1, "b": 1, "delta": "1/5"}, pair="a1.new",
        profile=partial(one_sided, mass=1 / (1 + exp(1))), epsilon=5,
        explanation="Discrete noise equals the margin with positive probability: the tail that is released is e^(1/b) "
        "times the one above the threshold. With continuous noise the same change is neutral.",
    ),
)  # fmt: skip
