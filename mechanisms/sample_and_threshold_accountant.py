"""Exact accountant of sample-and-threshold, float64: add/remove and replacement neighbours, and its inverses.

Add/remove: the closed form of `proofs_numeric.bharadwaj2022.cells`, delta = S_k - e^epsilon S_(k-1) at
k = ceil((tau - 1)/q), for every p <= 1 - e^-epsilon. Replacement: two cells (ka, kb) against (ka - 1, kb + 1); the
maximum is a finite scan, see `proofs_numeric.bharadwaj2022.replacement`. Nothing here is rounded outward; for tau up to
1000 the relative error of a delta is below 1e-12.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.sample_and_threshold import check_rate, check_tau
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022 import cells, composition
from proofs_numeric.bharadwaj2022.replacement import Worst, scan

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LARGEST_TAU = 100_000


def rate(epsilon: float, alpha: float) -> float:
    """``p = alpha (1 - e^-epsilon)``.

    Raises:
        ValueError: epsilon <= 0 or alpha outside (0, 1].
    """
    check_epsilon(epsilon)
    if not 0 < alpha <= 1:
        raise ValueError(f"expected 0 < alpha <= 1, got alpha={alpha}")
    return -alpha * math.expm1(-epsilon)


def delta(epsilon: float, *, alpha: float, tau: int) -> float:
    """Least delta at epsilon under add/remove, at p = alpha (1 - e^-epsilon); exact.

    Args:
        epsilon: > 0 (nats).
        alpha: sampling rate over its largest value, 0 < alpha <= 1.
        tau: threshold, an integer >= 1 (clients; shown iff the sampled count is at least tau).

    Raises:
        ValueError: a value out of range, in one line.
    """
    rate(epsilon, alpha)
    check_tau(tau)
    return float(cells.tight(Float64(), epsilon=epsilon, alpha=alpha, tau=tau))


def delta_at_rate(epsilon: float, *, p: float, tau: int) -> float:
    """Least delta at epsilon under add/remove for a sampling rate p <= 1 - e^-epsilon.

    Raises:
        ValueError: a value out of range, or p above 1 - e^-epsilon, where the other direction counts too.
    """
    return delta(epsilon, alpha=alpha_of(epsilon, p), tau=tau)


def alpha_of(epsilon: float, p: float) -> float:
    """``alpha = p/(1 - e^-epsilon)``, refused where it exceeds 1."""
    check_epsilon(epsilon)
    check_rate(p)
    largest = -math.expm1(-epsilon)
    if p > largest * (1 + 1e-15):
        raise ValueError(
            f"expected p <= 1 - e^-epsilon = {largest:.6g}, got p={p}; sample fewer or allow epsilon >= "
            f"{-math.log1p(-p):.6g}"
        )
    return min(p / largest, 1.0)


def delta_replacement(epsilon: float, *, alpha: float, tau: int) -> Worst:
    """Least delta at epsilon when one client's item is replaced, at p = alpha (1 - e^-epsilon); a complete scan.

    Returns:
        The value and the counts (ka, kb) against (ka - 1, kb + 1) that attain it.
    """
    p = rate(epsilon, alpha)
    check_tau(tau)
    return scan(epsilon, p, tau)[0]


def least_tau(epsilon: float, delta_target: float, *, alpha: float, replacement: bool = False) -> int:
    """Least threshold with (epsilon, delta_target)-DP at p = alpha (1 - e^-epsilon).

    The delta never grows with tau (a higher threshold is post-processing).

    Raises:
        ValueError: delta_target outside (0, 1), or no tau up to 100000 reaches it.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")

    def reached(tau: int) -> bool:
        return delta(epsilon, alpha=alpha, tau=tau) <= delta_target

    high = 1
    while not reached(high):
        high *= 2
        if high > _LARGEST_TAU:
            raise ValueError(f"expected a delta that tau <= {_LARGEST_TAU} reaches, got delta={delta_target}")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    # Under replacement the delta is never smaller, and its scan is dear: continue from here.
    while replacement and delta_replacement(epsilon, alpha=alpha, tau=high).value > delta_target:
        high += 1
    return high


def greatest_rate(epsilon: float, delta_target: float, *, tau: int) -> float:
    """Greatest p <= 1 - e^-epsilon with (epsilon, delta_target)-DP under add/remove, rounded down.

    The delta never falls with p (a thinner sample is post-processing).

    Raises:
        ValueError: delta_target outside (0, 1), or epsilon or tau out of range.
    """
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")
    if delta(epsilon, alpha=1.0, tau=tau) <= delta_target:
        return rate(epsilon, 1.0)
    low, high = 0.0, 1.0
    for _step in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta(epsilon, alpha=middle, tau=tau) <= delta_target else (low, middle)
    return rate(epsilon, low) if low else 0.0


def lemma_3_threshold(delta_target: float, *, alpha: float) -> int:
    """The paper's threshold, ``ceil(ln(1/delta)/C_alpha)``.

    Raises:
        ValueError: alpha outside (0, 0.5173446105), where C_alpha <= 0 and Lemma 3 says nothing.
    """
    if not 0 < alpha < 0.5173446105:
        raise ValueError(f"expected 0 < alpha < 0.5173446105 (C_alpha > 0), got alpha={alpha}; use least_tau")
    return math.ceil(-math.log(delta_target) / float(cells.c_alpha(Float64(), alpha=alpha)))


def composed_delta(epsilon: float, *, p: float, tau: int, levels: int, largest: int | None = None) -> float:
    """Largest delta over equal counts k of `levels` fresh samples of one path at total epsilon, by convolution.

    Outcomes are merged by how often each ratio occurs: losses add, so the L-fold law has the support of multisets.

    Args:
        epsilon: total (nats), >= 0.
        p: sampling probability of one level.
        tau: threshold.
        levels: number of levels.
        largest: counts tried are 1 .. largest; by default 3 tau. A lower bound on the delta over all paths.
    """
    check_rate(p)
    check_tau(tau)
    best = 0.0
    for k in range(1, (largest or 3 * tau) + 1):
        laws = np.array(composition.level_laws(Float64(), p=p, tau=tau, k=k), dtype=np.float64)
        left, right = np.ones(1), np.ones(1)
        for _level in range(levels):
            left, right = np.outer(left, laws[:, 0]).ravel(), np.outer(right, laws[:, 1]).ravel()
            left, right = _merged(left, right)
        best = max(best, float(np.maximum(left - math.exp(epsilon) * right, 0).sum()))
    return best


def _merged(left: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Merge outcomes of one ratio (to 12 digits): hockey sticks do not tell them apart."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.round(np.log(left) - np.log(right), 12)
    keep = left > 0
    values, inverse = np.unique(loss[keep], return_inverse=True)
    return (
        np.asarray(np.bincount(inverse, left[keep], minlength=values.size), dtype=np.float64),
        np.asarray(np.bincount(inverse, right[keep], minlength=values.size), dtype=np.float64),
    )


def amplified_epsilon(epsilon: float, p: float) -> float:
    """Population epsilon of an epsilon-DP mechanism run on a Poisson sample: ``ln(1 + p (e^epsilon - 1))``."""
    check_rate(p)
    return math.log1p(p * math.expm1(epsilon))


def base_epsilon(epsilon: float, p: float) -> float:
    """The sample's epsilon that amplifies to epsilon: ``ln(1 + (e^epsilon - 1)/p)``."""
    check_rate(p)
    return math.log1p(math.expm1(epsilon) / p)


def check_epsilon(epsilon: float) -> None:
    """Refuse an epsilon that is not positive and finite."""
    if not 0 < epsilon < math.inf:
        raise ValueError(f"expected 0 < epsilon < infinity (nats), got epsilon={epsilon}")
