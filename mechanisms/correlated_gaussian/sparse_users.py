"""Correlated noise for users of at most m of k counters, all of which are released: f + Z 1 + (Z_1, ..., Z_k).

Z has variance sigma^2/gamma. `calibrated` has the gamma and sigma of least total noise (lebeda2025.sparse.least); the
paper's gamma = sqrt(k) is for users of any number of counters.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.calibrator import Calibrator
from mechanisms.correlated_gaussian.mechanism import CorrelatedGaussian
from mechanisms.correlated_stability_histogram.mechanism import check_scale, sparsity
from mechanisms.gaussian_sparse_histogram.accountant import check_epsilon
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.privacy_loss import GaussianLoss
from mechanisms.mechanism import AccountantFault, InDoubles, MechanismSpec, Parameters, check_doubles, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import algorithm, sqrt, symbols
from proofs_numeric.lebeda2025.sparse_users import FEW_COUNTERS, best_gamma, worst_square
from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class SparseUsers(CorrelatedGaussian):
    """Correlated noise of any ratio.

    Attributes:
        gamma: ratio of own to shared variance; finite, > 0.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no dimension, scale or ratio."""
        super().__post_init__()
        check_scale(self.gamma)

    @property
    def shared_scale(self) -> float:
        """Deviation of the shared noise."""
        return self.sigma / math.sqrt(self.gamma)


@of_numbers
def build(*, k: Value, m: Value, sigma: Value, gamma: Value) -> SparseUsers:
    """The mechanism by the names of its claim; m is enforced on the records beforehand."""
    if not 1 <= sparsity(m) <= sparsity(k):
        raise ValueError(f"expected 1 <= m <= k={k} (counters), got m={m}")
    scale = float(Fraction(sigma))
    return SparseUsers(k=sparsity(k), sigma=scale, grid=grid_for(scale), gamma=float(Fraction(gamma)))


def check_point(epsilon: float, *, k: int, m: int, sigma: float, gamma: float) -> None:
    """Refuse what is no point of the noise's accountants.

    Raises:
        ValueError: a value out of range or NaN.
    """
    check_epsilon(epsilon)
    check_doubles(k=k, m=m)
    if not (1 <= m <= k and m % 1 == 0 and k % 1 == 0):
        raise ValueError(f"expected integers 1 <= m <= k (counters), got k={k}, m={m}")
    for name, value in (("sigma", sigma), ("gamma", gamma)):
        if not 0 < value < math.inf:
            raise ValueError(f"expected 0 < {name} < infinity, got {name}={value}")


def check_delta(delta_target: float) -> None:
    """Refuse a target that is no probability between 0 and 1."""
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")


def delta(epsilon: float, *, k: int, m: int, sigma: float, gamma: float) -> float:
    """Exact delta at epsilon >= 0, float64.

    Raises:
        ValueError: a value out of range or NaN.
    """
    check_point(epsilon, k=k, m=m, sigma=sigma, gamma=gamma)
    square = float(worst_square(Float64(), k=int(k), m=int(m), gamma=np.float64(gamma)))
    return gaussian.delta(epsilon, mu=max(math.sqrt(square) / sigma, math.ulp(0.0)))


def calibrated(epsilon: float, delta_target: float, *, k: int, m: int) -> SparseUsers:
    """Least total noise that keeps (epsilon, delta), 2 <= m <= k; at m = 1 independent noise is the best.

    Raises:
        ValueError: a value out of range.
    """
    if not 2 <= m <= k:
        raise ValueError(f"expected 2 <= m <= k={k} (counters), got m={m}; share no noise at m = 1")
    check_delta(delta_target)
    check_doubles(k=k, m=m)
    A = Float64()
    gamma = float(best_gamma(A, k=k, m=m))
    square = float(worst_square(A, k=k, m=m, gamma=np.float64(gamma)))
    sigma = math.sqrt(square) * gaussian.sigma(epsilon, delta_target, sensitivity=1.0)
    if not sigma < math.inf:
        raise ValueError(
            f"expected an epsilon and delta that some sigma keeps, got epsilon={epsilon}, delta={delta_target}"
        )
    while delta(epsilon, k=k, m=m, sigma=sigma, gamma=gamma) > delta_target:
        sigma *= 1 + 2**-50
    return SparseUsers(k=k, sigma=sigma, grid=grid_for(sigma), gamma=gamma)


def changed_profile(
    A: Arithmetic, epsilon: Number, _direction: Direction, *, k: int, sigma: Fraction, gamma: Fraction, j: int
) -> Any:
    """Exact hockey stick of j changed counters, both orders."""
    square = squared_distance(d=k, j=j, ratio=A.number(gamma))
    return gaussian_profile(A, A.number(epsilon), A.sqrt(square) / A.number(sigma))


def changed_loss(_direction: Direction, *, mu: float) -> GaussianLoss:
    """Its privacy loss."""
    return GaussianLoss(mu)


def changed_law(*, k: int, sigma: Fraction, gamma: Fraction, j: int) -> ExactLaw:
    """Law of j of k counters that change by one, all upwards."""
    mu = math.sqrt(squared_distance(d=k, j=j, ratio=float(gamma))) / float(sigma)
    return ExactLaw(partial(changed_profile, k=k, sigma=sigma, gamma=gamma, j=j), partial(changed_loss, mu=mu))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where counters change by one, all upwards."""
    changes = [here - there for here, there in neighbours.changes.values()]
    if not set(changes) <= {1}:
        return ExactLaw()
    k, sigma, gamma = int(parameters["k"]), Fraction(parameters["sigma"]), Fraction(parameters["gamma"])
    return changed_law(k=k, sigma=sigma, gamma=gamma, j=len(changes))


MECHANISM = MechanismSpec(
    id="correlated_gaussian_sparse_users", title="correlated Gaussian noise for users of few counters", build=build,
    parameters={"k": 10, "m": 3, "sigma": 2, "gamma": 10}, guarantee_claim="lebeda2025.sparse.delta",
    source="a statement of this project; the noise of lebeda2025, Lemma 8", privacy=FEW_COUNTERS, law=law,
)  # fmt: skip


_SIGMA, _GAMMA = symbols("sigma gamma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="lebeda2025.sparse.delta", release="known_keys", users={"k": "all_keys", "m": "keys"},
    noise="sigma", deviation=_SIGMA * sqrt(1 + 1 / _GAMMA), chosen={"gamma": algorithm(best_gamma)()},
    least={"sigma": "lebeda2025.sparse.sigma"},
)  # fmt: skip


class SharedByVariance(SparseUsers):
    """The ratio of variances taken for that of deviations."""

    @property
    def shared_scale(self) -> float:
        """Deviation sigma/gamma: too small for gamma > 1."""
        return self.sigma / self.gamma


class Clamped(SparseUsers):
    """Negative counts are released as 0."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases without negative counts."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.maximum(values, 0)


@InDoubles
def all_changed(A: Arithmetic, *, epsilon: Number, k: int, m: int, sigma: Number, gamma: Number) -> Any:
    """``f(mu, epsilon)`` at j = m, whether it is the worst change or not."""
    square = squared_distance(d=k, j=m, ratio=A.number(gamma))
    return gaussian_profile(A, A.number(epsilon), A.sqrt(square) / A.number(sigma))


FAULTS = (
    MECHANISM.broken(
        id="correlated_gaussian_sparse_users_shared_by_variance", title="gamma is taken for the ratio of deviations",
        subclass=SharedByVariance, parameters={"k": 10, "m": 5, "sigma": 1, "gamma": 10}, at={"gamma": 100}, pair="all",
        epsilon=2,
        explanation="The shared noise has a tenth of its variance: the mean of the counters tells who was there.",
    ),
    AccountantFault(
        id="correlated_gaussian_sparse_users_all_changed_accountant",
        title="the change of all m counters is taken for the worst", mechanism=MECHANISM.id,
        violates="lebeda2025.sparse.delta", accountant=all_changed,
        parameters={"epsilon": 1, "k": 10, "m": 9, "sigma": 2, "gamma": 2},
        explanation="Above (k + gamma)/2 counters the shared noise hides a larger change better.",
    ),
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="correlated_gaussian_sparse_users_clamped", title="negative counts are released as 0", subclass=Clamped,
        pair="worst",
        proof="A function of the released values alone: post-processing. The pair's profile, that of the unclamped "
        "mechanism, is an upper bound.",
    ),
)  # fmt: skip
