"""Exact accountant of sample-and-threshold, float64: add/remove and replacement neighbours, and its inverses.

Add/remove: the closed form of `proofs_numeric.bharadwaj2022.cells`, delta = S_k - e^epsilon S_(k-1) at
k = ceil((tau - 1)/q), for every p <= 1 - e^-epsilon. Replacement: two cells (ka, kb) against (ka - 1, kb + 1); the
largest is sought in boxes of counts, see `proofs_numeric.bharadwaj2022.theorem_2.replacement`. Nothing here is rounded
outward; for tau up to 1000 the relative error of a delta is below 1e-12.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechanisms.sample_and_threshold.mechanism import check_rate, check_tau, check_whole
from proofs_numeric.arithmetic import Ball, Float64, Number
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composed_levels
from proofs_numeric.bharadwaj2022.theorem_2.fixed_m import exact_delta
from proofs_numeric.bharadwaj2022.theorem_2.replacement import Worst, log_bound, scan

LARGEST_EPSILON = 700
"""Nats; e^epsilon is a double up to here."""
_LARGEST_TAU = 100_000
_MOST_COPIES = 10**6
"""Of an item that is scanned one by one: a minute's worth."""
_MOST_CLIENTS = 10**12
_SPREAD = 6
_ROUGH_STEPS = 16
_CERTIFIED = 2
"""Paths of a dozen that are enclosed: the worst by a rough lattice in doubles."""


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
        epsilon: > 0, at most 700 (nats).
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
    """Least delta at epsilon when one client's item is replaced, at p = alpha (1 - e^-epsilon), over all counts.

    Returns:
        The value and the counts (ka, kb) against (ka - 1, kb + 1) that attain it.
    """
    p = rate(epsilon, alpha)
    check_rate(p)
    check_tau(tau)
    return scan(epsilon, p, tau)


def delta_replacement_at_rate(epsilon: float, *, p: float, tau: int) -> float:
    """Least replacement delta at any epsilon from 0 to 700 for a sampling rate p, above 1 - e^-epsilon too."""
    if not 0 <= epsilon <= LARGEST_EPSILON:
        raise ValueError(f"expected 0 <= epsilon <= {LARGEST_EPSILON} (nats), got epsilon={epsilon}")
    check_rate(p)
    check_tau(tau)
    return scan(epsilon, p, tau).value


def delta_fixed_m(epsilon: float, *, n: int, m: int, tau: int) -> float:
    """Least delta at epsilon when one of n clients leaves and m stays: the rate m/n becomes m/(n - 1) for all others.

    Exact over all data; the scan is that of `proofs_numeric.bharadwaj2022.theorem_2.fixed_m`. Under replacement no rate
    changes: see `delta_replacement_at_rate`. Exactly m clients drawn without putting back have a delta of m/n.

    Args:
        epsilon: > 0, at most 700 (nats).
        n: clients, the leaving one among them, at most 10^12.
        m: expected sample size (clients), at most n - 2.
        tau: threshold, an integer >= 1 (clients).

    Raises:
        ValueError: a value out of range, or (tau - 1)/(1 - e^-epsilon (1 - m/n)) above a million, which is not scanned.
    """
    check_epsilon(epsilon)
    check_tau(tau)
    check_whole("n", n, "clients")
    check_whole("m", m, "clients")
    if n > _MOST_CLIENTS:
        raise ValueError(f"expected n <= {_MOST_CLIENTS} (clients), got n={n}; more are close to a fixed rate")
    if m > n - 2:
        raise ValueError(f"expected m <= n - 2 (clients), got m={m}, n={n}; a rate of 1 samples nothing")
    if tau > n:
        return 0.0  # nothing is shown
    copies = (tau - 1) / (m / n - (1 - m / n) * math.expm1(-epsilon))
    if min(copies, n) > _MOST_COPIES:
        raise ValueError(
            f"expected a worst item of at most {_MOST_COPIES} copies, got about {min(copies, n):.3g} at "
            f"epsilon={epsilon}, tau={tau}; allow a larger epsilon or a lower tau"
        )
    return float(exact_delta(Float64(), epsilon=float(epsilon), n=int(n), m=int(m), tau=int(tau)))


def least_tau(epsilon: float, delta_target: float, *, alpha: float, replacement: bool = False) -> int:
    """Least threshold with (epsilon, delta_target)-DP at p = alpha (1 - e^-epsilon).

    The delta never grows with tau (a higher threshold is post-processing).

    Raises:
        ValueError: delta_target outside (0, 1), or no tau up to 100000 reaches it.
    """
    check_delta(delta_target)

    def reached(tau: int) -> bool:
        return delta(epsilon, alpha=alpha, tau=tau) <= delta_target

    low = _least_reached(reached, 1)
    if not replacement:
        return low
    # Under replacement the delta is never smaller, and its search is dear: continue from here.
    return _least_reached(lambda tau: delta_replacement(epsilon, alpha=alpha, tau=tau).value <= delta_target, low)


def _least_reached(reached: Callable[[int], bool], first: int) -> int:
    """Least tau from ``first`` on that a rising predicate holds at: by doubled steps, and bisection of the last."""
    low, high, step = first - 1, first, 1
    while not reached(high):
        low, high, step = high, high + step, 2 * step
        if high > _LARGEST_TAU:
            raise ValueError(
                f"expected a delta that tau <= {_LARGEST_TAU} reaches; allow a larger one or a lower alpha"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def least_tau_at_rate(epsilon: float, delta_target: float, *, p: float, replacement: bool = False) -> int:
    """Least threshold with (epsilon, delta_target)-DP at a sampling rate p <= 1 - e^-epsilon.

    Raises:
        ValueError: as `least_tau`, or p above 1 - e^-epsilon.
    """
    return least_tau(epsilon, delta_target, alpha=alpha_of(epsilon, p), replacement=replacement)


def greatest_rate(epsilon: float, delta_target: float, *, tau: int, replacement: bool = False) -> float:
    """Greatest p <= 1 - e^-epsilon with (epsilon, delta_target)-DP, rounded down.

    The delta never falls with p (a thinner sample is post-processing).

    Raises:
        ValueError: delta_target outside (0, 1), or epsilon or tau out of range.
    """
    check_delta(delta_target)
    high = _greatest_alpha(lambda alpha: delta(epsilon, alpha=alpha, tau=tau) <= delta_target, 1.0)
    if replacement:
        high = _greatest_alpha(
            lambda alpha: delta_replacement(epsilon, alpha=alpha, tau=tau).value <= delta_target, high
        )
    return rate(epsilon, high) if high else 0.0


def _greatest_alpha(reached: Callable[[float], bool], high: float) -> float:
    """Greatest alpha <= high that a falling predicate holds at, by bisection from below; 0 where there is none."""
    if high and reached(high):
        return high
    low = 0.0
    while high - low > high * 1e-15 and low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if reached(middle) else (low, middle)
    return low


def check_delta(delta_target: float) -> None:
    """Refuse a target that no tau could miss or meet."""
    if not 0 < delta_target < 1:
        raise ValueError(f"expected 0 < delta < 1, got delta={delta_target}")


def lemma_3_threshold(delta_target: float, *, alpha: float) -> int:
    """The paper's threshold, ``ceil(ln(1/delta)/C_alpha)``.

    Raises:
        ValueError: delta_target outside (0, 1), or alpha above 0.5173446105, where Lemma 3 is vacuous (C_alpha <= 0).
    """
    check_delta(delta_target)
    if not 0 < alpha <= float(cells.LEMMA_3_ALPHA):
        raise ValueError(f"expected 0 < alpha <= {cells.LEMMA_3_ALPHA} (C_alpha > 0), got alpha={alpha}; use least_tau")
    return math.ceil(-math.log(delta_target) / float(cells.c_alpha(Float64(), alpha=alpha)))


@dataclass(frozen=True)
class Bracket:
    """Certified bounds on a delta, and the count of the path that attains the lower one."""

    lower: float
    upper: float
    k: int


def composed_bounds(
    epsilon: float, *, p: float, tau: int, levels: int, replacement: bool = False, bits: int = 128
) -> Bracket:
    """Bounds on the delta of `levels` fresh samples of a trie at a total epsilon, by convolution in balls.

    The lower bound is the best path of equal counts among a dozen; the upper one holds for every path, under
    replacement for every two (`proofs_numeric.bharadwaj2022.lemma_7.composed_levels`). Both are rounded outward.

    Args:
        epsilon: total (nats), > 0.
        p: sampling probability of one level, 0 < p < 1.
        tau: threshold (clients).
        levels: number of levels, >= 1.
        replacement: whether a neighbour replaces a client; else one is added or removed.
        bits: working precision, beside what counts of clients take.

    Raises:
        ValueError: a value out of range, or a path of more than a million clients, which is not enumerated.
    """
    check_whole("levels", levels, "levels")
    check_epsilon(epsilon)
    check_rate(p)
    check_tau(tau)
    if math.log(levels) + log_bound(epsilon / levels, p, tau) < math.log(cells.LEAST):
        return Bracket(0.0, cells.LEAST, tau)
    counts = sorted(_likely_counts(epsilon, p, tau, levels), key=functools.partial(_rough, epsilon, p, tau, levels))
    with Ball(bits + math.ceil(math.log2(tau) - math.log2(p))) as A:
        point = {"epsilon": A.number(Fraction(epsilon)), "p": A.number(Fraction(p)), "tau": tau, "levels": levels}
        below, k = max(
            (_ends(composed_levels.path_bound(A, **point, k=k, up=False))[0], k) for k in counts[-_CERTIFIED:]
        )
        every = (
            composed_levels.every_path(A, **point, replacement=True)
            if replacement
            else composed_levels.either_order(A, **point)
        )
        above = _ends(every)[1]
    return Bracket(math.nextafter(float(below), 0), math.nextafter(float(above), 1), k)


def path_bounds(
    epsilon: float, *, p: float, tau: int, levels: int, k: int, steps: int = 256, bits: int = 128
) -> Bracket:
    """Bounds on the delta of one path of k clients through `levels` fresh samples at a total epsilon.

    Exact up to rounding for few levels; else by convolution on a lattice of `steps` to a level's share of epsilon.

    Raises:
        ValueError: a value out of range.
    """
    check_whole("levels", levels, "levels")
    check_whole("k", k, "clients")
    if k > _MOST_COPIES:
        raise ValueError(f"expected a path of at most {_MOST_COPIES} clients, got k={k}")
    check_whole("steps", steps, "lattice points")
    check_epsilon(epsilon)
    check_rate(p)
    check_tau(tau)
    with Ball(bits) as A:
        point = {"epsilon": A.number(Fraction(epsilon)), "p": A.number(Fraction(p)), "tau": tau, "levels": levels}
        low, high = (composed_levels.path_bound(A, **point, k=k, steps=steps, up=up) for up in (False, True))
        below, above = _ends(low)[0], _ends(high)[1]
    return Bracket(math.nextafter(float(below), 0), math.nextafter(float(above), 1), k)


def _likely_counts(epsilon: float, p: float, tau: int, levels: int) -> list[int]:
    """Counts near the worst one of a level at the total epsilon, and some up to that at epsilon/levels."""

    def worst(level: float) -> int:
        copies = (tau - 1) / (p - (1 - p) * math.expm1(-level))
        if max(copies, tau) > _MOST_COPIES:
            raise ValueError(
                f"expected a path of at most {_MOST_COPIES} clients, got about {max(copies, tau):.3g} at "
                f"epsilon={level}, tau={tau}; allow a larger epsilon or a lower tau"
            )
        return max(tau, math.ceil(copies))

    near, last = worst(epsilon), worst(epsilon / levels)
    spread = {near + round(i * (last - near) / _SPREAD) for i in range(1, _SPREAD + 1)}
    return sorted({k for k in range(near - 2, near + 3) if k >= tau} | spread)


def _rough(epsilon: float, p: float, tau: int, levels: int, k: int) -> float:
    """About twice the delta of a path of k clients: a bound from below plus one from above."""
    point: dict[str, Any] = {"epsilon": epsilon, "p": p, "tau": tau, "levels": levels, "k": k, "steps": _ROUGH_STEPS}
    return math.fsum(float(composed_levels.rounded_path(Float64(), **point, up=up)) for up in (False, True))


def _ends(value: Number) -> tuple[Fraction, Fraction]:
    ends = bounds(value)
    if ends is None:
        raise ValueError("expected an enclosure, got none; raise bits")
    return max(ends[0], Fraction(0)), min(ends[1], Fraction(1))


def amplified_epsilon(epsilon: float, p: float) -> float:
    """Population epsilon of an epsilon-DP mechanism run on a Poisson sample: ``ln(1 + p (e^epsilon - 1))``."""
    check_epsilon(epsilon)
    check_rate(p)
    return math.log1p(p * math.expm1(epsilon))


def base_epsilon(epsilon: float, p: float) -> float:
    """The sample's epsilon that amplifies to epsilon: ``ln(1 + (e^epsilon - 1)/p)``."""
    check_epsilon(epsilon)
    check_rate(p)
    base = math.expm1(epsilon) / p
    return math.log1p(base) if base < math.inf else math.log(math.expm1(epsilon)) - math.log(p)


def check_epsilon(epsilon: float) -> None:
    """Refuse an epsilon that is not positive, or whose exponential is no double."""
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise ValueError(f"expected 0 < epsilon <= {LARGEST_EPSILON} (nats), got epsilon={epsilon}")
