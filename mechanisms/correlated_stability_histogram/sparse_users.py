"""Algorithm 2 for users of at most m of the k counters: shared variance sigma^2/gamma, and its accountant.

`calibrated` is the default of this library where a histogram has at most k counters and a user at most m of them: the
ratio of least total noise (lebeda2025.sparse.least) and the least threshold, at every m from 2 to k. At m = k it needs
no more than the paper's gamma = sqrt(k); at m = 1 noise is not worth sharing (mechanisms.gaussian_sparse_histogram).
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.correlated_gaussian import sparse_users as all_released
from mechanisms.correlated_stability_histogram import mechanism as plain
from mechanisms.correlated_stability_histogram.law import Moves
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.laws.privacy_loss import AtomLoss
from mechanisms.mechanism import AccountantFault, InDoubles, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.noise_maximum import log_unreleased
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.expression import algorithm, sqrt, symbols
from proofs_numeric.lebeda2025 import sparse_users_histogram as exact
from proofs_numeric.lebeda2025.composition import named_by_some
from proofs_numeric.lebeda2025.sparse_users import best_gamma
from proofs_numeric.statements.neighbours import Direction, Neighbours

_MARGIN = 1e-12
"""Above the relative rounding of the formulas."""


@dataclass(frozen=True)
class SparseUsersHistogram(plain.CorrelatedStabilityHistogram):
    """Algorithm 2 at any ratio.

    Attributes:
        gamma: ratio of own to shared variance; finite, > 0.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what Algorithm 2 refuses, and what is no ratio."""
        super().__post_init__()
        plain.check_scale(self.gamma)

    @property
    def shared_scale(self) -> float:
        """Deviation of the shared noise."""
        return self.sigma / math.sqrt(self.gamma)


@of_numbers
def build(*, k: Value, m: Value, sigma: Value, gamma: Value, gap: Value, tau: Value = 1) -> SparseUsersHistogram:
    """The mechanism by the names of its claim; m is enforced on the records beforehand."""
    if not 1 <= plain.sparsity(m) <= plain.sparsity(k):
        raise ValueError(f"expected 1 <= m <= k={k} (counters), got m={m}")
    return SparseUsersHistogram(**vars(plain.build(k=k, sigma=sigma, gap=gap, tau=tau)), gamma=float(Fraction(gamma)))


def delta(epsilon: float, *, k: int, m: int, sigma: float, gamma: float, gap: float) -> float:
    """Delta at epsilon >= 0, never below the truth: exact to 2e-12 of it where no mixed pair can be the worst.

    Args:
        epsilon: privacy-loss level (nats), >= 0.
        k: most counters that are not zero.
        m: most counters of one user, 1 <= m <= k.
        sigma: deviation of a counter's own noise (users), > 0.
        gamma: ratio of own to shared variance, > 0.
        gap: tau* - tau (users), any finite real.

    Raises:
        ValueError: a value out of range or NaN.
    """
    all_released.check_point(epsilon, k=k, m=m, sigma=sigma, gamma=gamma)
    if not math.isfinite(gap):
        raise ValueError(f"expected a finite gap (users), got gap={gap}")
    at = {name: np.float64(value) for name, value in (("sigma", sigma), ("gamma", gamma), ("gap", gap))}
    result = float(exact.delta(Float64(), epsilon=np.float64(epsilon), k=int(k), m=int(m), **at))
    return min(1.0, math.nextafter(result * (1 + _MARGIN), math.inf))


def calibrated(epsilon: float, delta_target: float, *, k: int, m: int) -> SparseUsersHistogram:
    """Least total noise, and at it the least threshold, that keep (epsilon, delta); 2 <= m <= k, tau = 1.

    Raises:
        ValueError: a value out of range.
    """
    # The accounted delta is above the truth by a margin and the least double.
    target = delta_target * (1 - 4 * _MARGIN) - 2 * math.ulp(0.0)
    all_released.check_delta(delta_target)
    if not target > 0:
        raise ValueError(f"expected 1.5e-323 <= delta < 1, got delta={delta_target}")
    noise = all_released.calibrated(epsilon, target, k=k, m=m)
    at: dict[str, Any] = {"k": k, "m": m, "sigma": noise.sigma, "gamma": noise.gamma}

    def excess(ratio: float) -> float:
        return delta(epsilon, **at, gap=ratio * noise.sigma) - delta_target

    ratio = float(increasing_root(Float64(), lambda ratio: -excess(ratio), -60.0, 60.0))
    while excess(ratio) > 0:
        ratio = math.nextafter(ratio, math.inf)
    return SparseUsersHistogram(
        k=k, tau=1, tau_star=1 + ratio * noise.sigma, sigma=noise.sigma, grid=grid_for(noise.sigma), gamma=noise.gamma
    )


def new_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, releases: int = 1, **at: Any) -> Any:
    """Exact hockey stick of l new counters and no other, in each of so many releases."""
    new = named_by_some(A, releases=releases, new=exact.passes(A, **at))
    if direction is Direction.FORWARD:
        return A.maximum(new, -A.expm1(A.number(epsilon)))
    return A.maximum(A.number(0), 1 - A.exp(A.number(epsilon)) * (1 - new))


def new_loss(
    direction: Direction, *, l: int, sigma: Fraction, gamma: Fraction, gap: Fraction, releases: int = 1
) -> AtomLoss:
    """Its privacy loss."""
    hidden = releases * float(log_unreleased(l=l, t=float(gap / sigma), b=1 / math.sqrt(gamma)))
    return AtomLoss(hidden, hidden) if direction is Direction.FORWARD else AtomLoss(-hidden)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where all counters are new, or all shared and far above the threshold; else none is known."""
    sigma, gamma, gap = (Fraction(parameters[name]) for name in ("sigma", "gamma", "gap"))
    tau = int(parameters.get("tau", 1))
    changes = Moves.of(neighbours, tau=tau, threshold=tau + gap, sigma=exact.total_deviation(parameters))
    if (
        changes is None
        or changes.near
        or bool(changes.new) == bool(changes.far)
        or not (changes.new or changes.changed)
    ):
        return ExactLaw()
    if changes.new:
        at: dict[str, Any] = {"l": changes.new, "sigma": sigma, "gamma": gamma, "gap": gap}
        return ExactLaw(partial(new_profile, **at), partial(new_loss, **at))
    return all_released.changed_law(k=len(changes.far), sigma=sigma, gamma=gamma, j=changes.changed)


MECHANISM = MechanismSpec(
    id="correlated_stability_histogram_sparse_users", title="correlated stability histogram for users of few counters",
    build=build, parameters={"k": 10, "m": 3, "sigma": 2, "gamma": 10, "gap": 8},
    guarantee_claim="lebeda2025.sparse.histogram", source="a statement of this project; lebeda2025, Algorithm 2",
    privacy=exact.FEW_OF_SPARSE, law=law,
)  # fmt: skip


_SIGMA, _GAMMA = symbols("sigma gamma")
CALIBRATOR = replace(
    plain.CALIBRATOR, id=MECHANISM.id, claim="lebeda2025.sparse.histogram", users={"k": "all_keys", "m": "keys"},
    deviation=_SIGMA * sqrt(1 + 1 / _GAMMA), chosen={"gamma": algorithm(best_gamma)()},
)  # fmt: skip


class SharedByVariance(SparseUsersHistogram):
    """The ratio of variances taken for that of deviations."""

    @property
    def shared_scale(self) -> float:
        """Deviation sigma/gamma: too small for gamma > 1."""
        return self.sigma / self.gamma


class Clipped(SparseUsersHistogram):
    """Whole, clipped values."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.clip(np.rint(super()._noisy_counts(counts, n, rng)), 0, 10**6)


@InDoubles
def one_new(A: Arithmetic, *, epsilon: Number, k: int, m: int, sigma: Number, gamma: Number, gap: Number) -> Any:
    """The larger of the two ends, with one new counter in the place of m."""
    new = exact.passes(A, l=1, sigma=sigma, gamma=gamma, gap=gap)
    return A.maximum(new, exact.changed(A, epsilon=epsilon, d=k, most=m, sigma=sigma, gamma=gamma))


FAULTS = (
    MECHANISM.broken(
        id="correlated_stability_histogram_sparse_users_shared_by_variance",
        title="gamma is taken for the ratio of deviations", subclass=SharedByVariance,
        parameters={"k": 10, "m": 5, "sigma": 1, "gamma": 10, "gap": 6}, at={"gamma": 100}, pair="worst", epsilon=2,
        explanation="The shared noise has a tenth of its variance: the mean of the counters tells who was there.",
    ),
    MECHANISM.broken(
        id="correlated_stability_histogram_sparse_users_threshold_without_one",
        title="the threshold is the gap, not one user above it", caught_by="empirical.impossible_key",
        parameters={"k": 10, "m": 3, "sigma": 2, "gamma": 10, "gap": 4},  # tau* = gap
        at={"gap": 3},  # tau* = gap
        pair="new", epsilon=2,
        explanation="A new counter has 1, and so only gap - 1 to go: keys that only one side holds pass too often.",
    ),
    AccountantFault(
        id="correlated_stability_histogram_sparse_users_one_new_accountant",
        title="the threshold is that of one new counter", mechanism=MECHANISM.id,
        violates="lebeda2025.sparse.histogram", accountant=one_new,
        parameters={"epsilon": 2, "k": 10, "m": 3, "sigma": 2, "gamma": 10, "gap": 6},
        explanation="A user brings m new counters; any of them that passes tells.",
    ),
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="correlated_stability_histogram_sparse_users_rounded", title="values rounded to whole counts and clipped",
        subclass=Clipped, pair="new",
        proof="Rounding and clipping to public constants are functions of the release alone: post-processing.",
    ),
)  # fmt: skip
