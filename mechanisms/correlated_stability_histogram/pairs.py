"""Worst-case neighbours of the correlated stability histogram, N1 to N6, with their exact profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram.laws.all_changed_profile import all_changed_delta
from mechanisms.correlated_stability_histogram.laws.one_changed_profile import one_changed_delta
from mechanisms.correlated_stability_histogram.laws.one_lower_loss import OneLowerLoss
from mechanisms.correlated_stability_histogram.laws.shared_noise_loss import CensoredLoss, NewCountersLoss
from mechanisms.laws.privacy_loss import AtomLoss, GaussianLoss, Loss, SharedLoss, ShiftedLoss
from mechanisms.pair import Pair
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.lebeda2025.exact_pair import pair_delta, worst_change
from proofs_numeric.lebeda2025.noise_maximum import log_unreleased
from proofs_numeric.statements.adjacency import SparseMonotone
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters
    from mechanisms.pair import Profile

_BITS = 40
"""Accuracy of profiles in balls: twelve digits."""
_NEAR_BITS = 36
"""Accuracy of those of counters near the threshold: eleven digits, or three bits in eight of a ball's."""
_ALL_CHANGED = 12
"""Largest k for which the profile of N6 is found in a second."""
FAR = 40
"""Deviations above the threshold at which a counter counts as never held back."""


def adjacency(parameters: Parameters) -> SparseMonotone:
    """Definition 9 at these parameters."""
    return SparseMonotone(k=int(parameters["k"]))


def far_count(*, threshold: Fraction, sigma: Fraction) -> int:
    """A count 40 total deviations (at most sqrt(2) sigma each) above the threshold."""
    return math.ceil(max(threshold, Fraction(0)) + 2 * FAR * sigma) + 2


def pair_profile(
    A: Any, epsilon: Any, direction: Direction, *, k: int, sigma: Exact, gap: Exact, l: int, j: int
) -> Any:
    """Exact hockey stick of the pair (l, j); left is the histogram with the larger counts."""
    word = "forward" if direction is Direction.FORWARD else "reverse"
    at = {"sigma": A.number(Fraction(sigma)), "gap": A.number(Fraction(gap)), "k": k, "l": l, "j": j}
    return pair_delta(A, epsilon=A.number(epsilon), **at, direction=word, bits=_BITS)


def all_new_loss(direction: Direction, *, k: int, sigma: Exact, gap: Exact) -> AtomLoss:
    """Privacy loss of N1: no new counter is released, or (left only) one is and the loss is infinite."""
    log_hidden = float(log_unreleased(l=k, t=float(Fraction(gap) / Fraction(sigma)), b=k**-0.25))
    return AtomLoss(log_hidden, log_hidden) if direction is Direction.FORWARD else AtomLoss(-log_hidden)


def shared_loss(_direction: Direction, *, k: int, sigma: Exact, j: int) -> GaussianLoss:
    """Privacy loss of N2: normals whose precision matrix gives ``(j - j^2/(k + sqrt(k)))/sigma^2`` for j changes."""
    return GaussianLoss(math.sqrt(j - j * j / (k + math.sqrt(k))) / float(Fraction(sigma)))


def new_counters_loss(direction: Direction, *, k: int, sigma: Exact, gap: Exact, l: int, j: int) -> NewCountersLoss:
    """Privacy loss of N3 and N5: l new counters, j of the k - l shared ones changed far above the threshold."""
    unit = 1.0 / float(Fraction(sigma))
    return NewCountersLoss(k=k, new=l, changed=j, gap=float(Fraction(gap)) * unit, unit=unit, direction=direction)


def near_loss(
    direction: Direction, *, k: int, sigma: Exact, tau_star: Exact, shared: tuple[int, ...], changed: int
) -> CensoredLoss:
    """Privacy loss of N4 and N6: shared counters at the threshold, the first ``changed`` one larger on the left."""
    unit = 1.0 / float(Fraction(sigma))
    right = tuple(unit * float(count - Fraction(tau_star)) for count in shared)
    left = tuple(value + unit * (i < changed) for i, value in enumerate(right))
    lower = direction is Direction.BACKWARD and changed == 1 < len(shared)
    return (OneLowerLoss if lower else CensoredLoss)(k=k, left=left, right=right, direction=direction)


def near_profile(
    A: Any,
    epsilon: Any,
    direction: Direction,
    *,
    k: int,
    sigma: Exact,
    tau_star: Exact,
    shared: tuple[int, ...],
    changed: int,
) -> Any:
    """Exact hockey stick of N4 (k - 2 of the shared counters far) and N6 (equal ones), by enclosures in balls.

    Where it is below about 1e-37 only an upper bound is enclosed, together with 0.
    """
    level = A.number(epsilon)
    if level < 0:  # what is not in an event is in its complement
        other = Direction.BACKWARD if direction is Direction.FORWARD else Direction.FORWARD
        at: dict[str, Any] = {"k": k, "sigma": sigma, "tau_star": tau_star, "shared": shared, "changed": changed}
        return -A.expm1(level) + A.exp(level) * near_profile(A, -level, other, **at)
    left, change = ((count - Fraction(tau_star)) / Fraction(sigma) for count in shared), 1 / Fraction(sigma)
    first, *others = left
    if direction is Direction.BACKWARD:
        first, change = first + change, -change
    given: dict[str, Any] = {"k": k, "count": first, "change": change}
    given["epsilon"] = level if A.encloses else Fraction(float(level))
    given["bits"] = min(_NEAR_BITS, 3 * A.bits // 8) if A.encloses else _NEAR_BITS
    found = all_changed_delta(**given) if changed == k else one_changed_delta(**given, beside=others[0])
    return A.maximum(0, found if A.encloses else A.number(as_fraction(found.mid())))


def counters(
    pair_id: str,
    description: str,
    parameters: Parameters,
    *,
    new: int,
    shared: tuple[int, ...],
    changed: int,
    profile: Profile | None,
    loss: Callable[[Direction], Loss | SharedLoss | ShiftedLoss] | None = None,
) -> Pair:
    """Pair with keys k0, k1, ...: ``new`` counters at tau on the left only, then ``shared`` right-hand counts.

    The first ``changed`` shared counts are one larger on the left.
    """
    tau = int(parameters.get("tau", 1))
    left = {f"k{i}": tau for i in range(new)}
    right = {f"k{i}": tau - 1 for i in range(new) if tau > 1}
    for i, count in enumerate(shared):
        left[f"k{new + i}"] = count + (i < changed)
        right[f"k{new + i}"] = count
    return Pair(pair_id, left, right, description, adjacency(parameters), profile, loss)


def all_changed(parameters: Parameters, profile: Profile | None) -> Pair:
    """N2 with all k counters shared, far above the threshold and changed: what the shared noise is there to hide."""
    threshold = int(parameters.get("tau", 1)) + Fraction(parameters["gap"])
    shared = (far_count(threshold=threshold, sigma=Fraction(parameters["sigma"])),) * int(parameters["k"])
    described = "all counters shared, far above the threshold and changed"
    return counters("n2.all", described, parameters, new=0, shared=shared, changed=len(shared), profile=profile)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """N1 to N6 at these parameters (k, sigma, gap, tau); those that need k >= 2 are left out at k = 1."""
    k, sigma, gap = int(parameters["k"]), Fraction(parameters["sigma"]), Fraction(parameters["gap"])
    tau = int(parameters.get("tau", 1))
    far, near = far_count(threshold=tau + gap, sigma=sigma), max(tau, math.ceil(tau + gap))

    worst, half = worst_change(k, k), max(1, (k - 1) // 2)
    losses: dict[str, Callable[[Direction], Loss | SharedLoss | ShiftedLoss]] = {
        "n1": partial(all_new_loss, k=k, sigma=sigma, gap=gap),
        "n2": partial(shared_loss, k=k, sigma=sigma, j=worst),
        "n3": partial(new_counters_loss, k=k, sigma=sigma, gap=gap, l=1, j=half),
        "n5": partial(new_counters_loss, k=k, sigma=sigma, gap=gap, l=k - 1, j=0),
    }

    def close(pair_id: str, description: str, shared: tuple[int, ...], changed: int) -> Pair:
        at: dict[str, Any] = {"shared": shared, "changed": changed}
        loss, profile = (partial(law, k=k, sigma=sigma, tau_star=tau + gap, **at) for law in (near_loss, near_profile))
        known = profile if changed == 1 or k <= _ALL_CHANGED else None
        return counters(pair_id, description, parameters, new=0, **at, profile=known, loss=loss)

    def exact(pair_id: str, description: str, l: int, j: int) -> Pair:
        profile = partial(pair_profile, k=k, sigma=sigma, gap=gap, l=l, j=j)
        at: dict[str, Any] = {"new": l, "shared": (far,) * (k - l), "changed": j}
        return counters(pair_id, description, parameters, **at, profile=profile, loss=losses.get(pair_id))

    found = [
        exact("n1", "all counters new: only left can release them", k, 0),
        exact("n2", f"all counters shared and far above the threshold, {worst} of {k} changed", 0, worst),
    ]
    if k > 1:
        found.append(exact("n3", "one new counter, about half of the shared ones changed", 1, half))
    beside = (max(tau, near - 1),) * (k > 1) + (near,) + (far,) * max(0, k - 2)
    found.append(close("n4", "shared counters at and just below the threshold, the first changed", beside, 1))
    if k > 1:
        found.append(exact("n5", "one shared counter unchanged, all others new", k - 1, 0))
        found.append(close("n6", "all counters changed and at the threshold", (near,) * k, k))
    return tuple(found)
