"""Float64 accountant of the correlated stability histogram: delta, epsilon, least gap and least sigma, k up to 10^6.

``delta`` is exact: that of the two unmixed pairs where the certificate of ``lebeda2025.sec3.cert`` holds, elsewhere of
the largest pair; but a bracket's upper end where boxes of pairs do not settle which that is, as `report` says. It is
raised by the relative margin 1e-12 and the least positive double, more than the formulas round by, so it is never below
the truth.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.lebeda2025.exact.analysis import cells_below_ceilings, largest_pairs
from proofs_numeric.lebeda2025.exact.cover import Bounds
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_delta

_A = Float64()
_LARGEST_K = 10**6
_MARGIN = 1e-12
"""Above the relative rounding of the formulas (largest seen: 2e-13); certificates keep this far from equality."""


@dataclass(frozen=True)
class Account:
    """A delta and what it is.

    Attributes:
        delta: at least the truth; when ``exact``, at most 2e-12 of it above.
        lower: largest delta of the pairs looked at; the truth lies between it and ``delta``.
        exact: whether no other pair can be larger.
    """

    delta: float
    lower: float
    exact: bool


def report(epsilon: float, *, k: int, sigma: float, gap: float) -> Account:
    """Delta at epsilon >= 0 (nats) with the certificate's answer.

    Args:
        epsilon: privacy-loss level, >= 0.
        k: sparsity bound, 1 to 10^6.
        sigma: deviation of one counter's own noise (counts), > 0.
        gap: threshold above the lower threshold (counts), any finite real.

    Raises:
        ValueError: a parameter outside its domain, one line.
    """
    _check(epsilon=epsilon, k=k, sigma=sigma, gap=gap)
    at: dict[str, Any] = {"epsilon": np.float64(epsilon), "k": k, "sigma": np.float64(sigma), "gap": np.float64(gap)}
    new = float(new_released(_A, k=k, sigma=at["sigma"], gap=at["gap"], l=k))
    two = max(new, float(shared_delta(_A, epsilon=at["epsilon"], k=k, sigma=at["sigma"], d=k)))
    bounds = Bounds(_A, **at)
    if cells_below_ceilings(bounds, np.float64(two * (1 - _MARGIN))) is not None:
        return Account(_add_margin(two), two, exact=True)
    largest = largest_pairs(bounds)
    lower = max((two, *(float(pair_delta(_A, **at, l=l, j=j, direction="forward")) for l, j in largest.pairs)))
    return Account(
        _add_margin(lower if largest.top is None else max(lower, largest.top)), lower, exact=largest.top is None
    )


def delta(epsilon: float, *, k: int, sigma: float, gap: float) -> float:
    """Delta at epsilon, never below the truth; see `report` for whether it is exact."""
    return report(epsilon, k=k, sigma=sigma, gap=gap).delta


def pair(epsilon: float, *, k: int, sigma: float, gap: float, l: int, j: int, direction: str = "forward") -> float:
    """Exact delta of one pair, to within rounding: l new counters, j of the k - l shared ones changed.

    A positive delta that no double holds is told as the least one.

    Raises:
        ValueError: a parameter outside its domain, one line.
    """
    check_doubles(epsilon=epsilon)
    _check(epsilon=abs(epsilon), k=k, sigma=sigma, gap=gap)
    if direction not in ("forward", "reverse"):
        raise ValueError(f"expected direction to be forward or reverse, got {direction!r}")
    at: dict[str, Any] = {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "gap": np.float64(gap)}
    value = float(pair_delta(_A, **at, k=k, l=l, j=j, direction=direction))
    return max(value, math.ulp(0.0)) if l or j else value


def epsilon(delta: float, *, k: int, sigma: float, gap: float) -> float:
    """Least epsilon >= 0 whose accounted delta is at most `delta`; infinity where new counters alone need more."""
    _check_delta(delta)
    _check(epsilon=0.0, k=k, sigma=sigma, gap=gap)
    if _add_margin(float(new_released(_A, k=k, sigma=np.float64(sigma), gap=np.float64(gap), l=k))) > delta:
        return math.inf

    def shared_excess(value: float) -> float:
        return (
            _add_margin(float(shared_delta(_A, epsilon=np.float64(value), k=k, sigma=np.float64(sigma), d=k))) - delta
        )

    def excess(value: float) -> float:
        return report(value, k=k, sigma=sigma, gap=gap).delta - delta

    # Less never does for the shared counters alone; where the certificate holds, this much does for every pair.
    least = _least_epsilon(shared_excess, 0.0)
    return least if math.isinf(least) or excess(least) <= 0 else _least_epsilon(excess, least)


def _least_epsilon(excess: Any, low: float) -> float:
    """Least epsilon >= low where a decreasing function is at most 0."""
    if excess(low) <= 0:
        return low
    high = max(1.0, 2 * low)
    while excess(high) > 0:
        low, high = high, 2 * high
    return _smallest(excess, low, high)


def gap(epsilon: float, delta: float, *, k: int, sigma: float) -> float:
    """Least gap (counts) whose accounted delta at `epsilon` is at most `delta`; infinity where sigma is too small."""
    _check_delta(delta)
    _check(epsilon=epsilon, k=k, sigma=sigma)
    if _add_margin(float(shared_delta(_A, epsilon=np.float64(epsilon), k=k, sigma=np.float64(sigma), d=k))) > delta:
        return math.inf

    def new_excess(ratio: float) -> float:
        return (
            _add_margin(float(new_released(_A, k=k, sigma=np.float64(sigma), gap=np.float64(ratio * sigma), l=k)))
            - delta
        )

    ratio = _smallest(new_excess, -60.0, 60.0)
    if report(epsilon, k=k, sigma=sigma, gap=ratio * sigma).delta <= delta:
        return ratio * sigma

    def excess(value: float) -> float:
        return report(epsilon, k=k, sigma=sigma, gap=value * sigma).delta - delta

    # Near epsilon = 0 the bracket decides; only if the shared counters leave room below delta does a gap exist.
    return _smallest(excess, ratio, 60.0) * sigma if excess(60.0) <= 0 else math.inf


def sigma(epsilon: float, delta: float, *, k: int) -> float:
    """Least sigma (counts) at which some gap meets (epsilon, delta), rounded up; infinite where no double is enough."""
    _check_delta(delta)
    _check(epsilon=epsilon, k=k, sigma=1.0)

    def scale(log_sigma: float) -> Any:
        with np.errstate(over="ignore"):
            return np.exp(np.float64(log_sigma))

    def excess(log_sigma: float) -> float:
        return (
            _add_margin(float(shared_delta(_A, epsilon=np.float64(epsilon), k=k, sigma=scale(log_sigma), d=k))) - delta
        )

    low, high = -10.0, 10.0
    while excess(low) < 0:
        low -= 10
    while excess(high) > 0:
        high += 10
    return float(scale(_smallest(excess, low, high)))


def _add_margin(delta: float) -> float:
    """Delta with the margin on top, at most 1."""
    return min(1.0, math.nextafter(delta * (1 + _MARGIN), math.inf))


def _smallest(excess: Any, low: float, high: float) -> float:
    """Root of a decreasing function, returned on the side where it is at most 0."""
    root = float(increasing_root(_A, lambda value: -excess(value), low, high))
    step = 1e-15 * max(1.0, abs(root))
    while excess(root) > 0:
        root, step = root + step, 2 * step
    return root


def _check(*, epsilon: float, k: int, sigma: float, gap: float = 0.0) -> None:
    check_doubles(epsilon=epsilon, sigma=sigma, gap=gap)
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"expected 0 <= epsilon < infinity (nats), got epsilon={epsilon}")
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= _LARGEST_K:
        raise ValueError(f"expected an integer k with 1 <= k <= {_LARGEST_K} (counters), got k={k!r}")
    if not 0 < sigma < math.inf:
        raise ValueError(f"expected 0 < sigma < infinity (counts), got sigma={sigma}")
    if not math.isfinite(gap):
        raise ValueError(f"expected a finite gap (counts), got gap={gap}")


def _check_delta(delta: float) -> None:
    check_doubles(delta=delta)
    if not 0 < delta < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta}")
