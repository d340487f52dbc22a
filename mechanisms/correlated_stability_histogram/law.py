"""Exact law of Algorithm 2 on two histograms: hockey stick and privacy loss, from what becomes of each counter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram.laws.all_changed_profile import all_changed_delta
from mechanisms.correlated_stability_histogram.laws.one_changed_profile import one_changed_delta
from mechanisms.correlated_stability_histogram.laws.one_lower_loss import OneLowerLoss
from mechanisms.correlated_stability_histogram.laws.shared_noise_loss import CensoredLoss, NewCountersLoss
from mechanisms.laws.privacy_loss import AtomLoss, GaussianLoss
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.noise_maximum import log_unreleased
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.lebeda2025.exact.pair import pair_delta
from proofs_numeric.lebeda2025.neighbours import is_far
from proofs_numeric.statements.neighbours import Direction, Neighbours

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value

_BITS = 40
"""Accuracy of profiles in balls: twelve digits."""
_NEAR_BITS = 36
"""Accuracy of those of counters near the threshold: eleven digits, or three bits in eight of a ball's."""
_ALL_CHANGED = 12
"""Largest k for which the profile of N6 is found in a second."""


@dataclass(frozen=True)
class Moves:
    """What becomes of the counters that are not below the lower threshold on both sides.

    Attributes:
        new: counters at the lower threshold on the left, below it on the right.
        far: (right-hand count, change 0 or 1) of shared counters far above the threshold.
        near: the same of the other shared counters.
    """

    new: int
    far: tuple[tuple[int, int], ...]
    near: tuple[tuple[int, int], ...]

    @staticmethod
    def of(neighbours: Neighbours, *, tau: int, threshold: Fraction, sigma: Fraction) -> Moves | None:
        """Sort the counters; None where one falls from left to right by more than 1, or rises."""
        left, right = neighbours.left, neighbours.right
        counts = [(left.get(key, 0), right.get(key, 0)) for key in {**left, **right}]
        visited_changes = [(low, high - low) for high, low in counts if max(low, high) >= tau]
        if not all(change in {0, 1} for _low, change in visited_changes):
            return None
        split: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        for low, change in visited_changes:
            if low >= tau:
                split[is_far(low, threshold=threshold, sigma=sigma)].append((low, change))
        far, near = tuple(split[True]), tuple(split[False])
        return Moves(len(visited_changes) - len(far) - len(near), far, near)

    @property
    def changed(self) -> int:
        """Shared counters that change."""
        return sum(change for _count, change in (*self.far, *self.near))

    def among(self, k: int) -> tuple[int, int] | None:
        """Numbers (l, j) of new and of changed counters, where k are present and no shared one is near."""
        return None if self.near or self.new + len(self.far) != k else (self.new, self.changed)


def moves(neighbours: Neighbours, parameters: Parameters) -> Moves | None:
    """Sort the counters by a mechanism's thresholds; None where they change as no neighbours' do."""
    tau = int(parameters.get("tau", 1))
    at: dict[str, Any] = {"threshold": tau + Fraction(parameters["gap"]), "sigma": Fraction(parameters["sigma"])}
    return Moves.of(neighbours, tau=tau, **at)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where k counters are new or shared and far, or none change, or of N4 and N6; else none is known."""
    changes, k = moves(neighbours, parameters), int(parameters["k"])
    noise: dict[str, Any] = {"k": k, "sigma": Fraction(parameters["sigma"])}
    gap = Fraction(parameters["gap"])
    if neighbours.left == neighbours.right:
        return ExactLaw(no_difference)
    if changes is None or not (changes.new or changes.changed):
        return ExactLaw()
    if changes.near:
        return _near_law(changes, tau_star=int(parameters.get("tau", 1)) + gap, **noise)
    pair = changes.among(k)
    if pair is None:
        return ExactLaw()
    l, j = pair
    profile = partial(pair_profile, **noise, gap=gap, l=l, j=j)
    if l == 0:
        return ExactLaw(profile, partial(shared_loss, **noise, j=j))
    if l == k:
        return ExactLaw(profile, partial(all_new_loss, **noise, gap=gap))
    return ExactLaw(profile, partial(new_counters_loss, **noise, gap=gap, l=l, j=j))


def no_difference(A: Arithmetic, epsilon: Number, _direction: Direction) -> Number:
    """Hockey stick of a law and itself: ``max(0, 1 - e^epsilon)``."""
    return A.maximum(A.number(0), 1 - A.exp(A.number(epsilon)))


def _near_law(moves: Moves, *, k: int, sigma: Fraction, tau_star: Fraction) -> ExactLaw:
    """Law where shared counters are near: one changes and one more is near, or all are, change and are equal."""
    changed, still = ([count for count, change in moves.near if change == moved] for moved in (1, 0))
    present = len(moves.near) + len(moves.far)
    one = len(changed) == 1 and len(still) == min(1, present - 1)
    every = len(changed) == present and len(set(changed)) == 1
    if moves.new or moves.changed != len(changed) or not (one or every):
        return ExactLaw()
    shared = (*changed, *still, *(count for count, _change in moves.far))
    at: dict[str, Any] = {"k": k, "sigma": sigma, "tau_star": tau_star, "shared": shared, "changed": len(changed)}
    is_supported = present == k and (one or k <= _ALL_CHANGED)
    return ExactLaw(partial(near_profile, **at) if is_supported else None, partial(near_loss, **at))


def pair_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: Value, gap: Value, l: int, j: int
) -> Any:
    """Exact hockey stick of the pair (l, j); left is the histogram with the larger counts."""
    word = "forward" if direction is Direction.FORWARD else "reverse"
    at: dict[str, Any] = {"sigma": A.number(Fraction(sigma)), "gap": A.number(Fraction(gap)), "k": k, "l": l, "j": j}
    return pair_delta(A, epsilon=A.number(epsilon), **at, direction=word, bits=_BITS)


def all_new_loss(direction: Direction, *, k: int, sigma: Value, gap: Value) -> AtomLoss:
    """Privacy loss of N1: no new counter is released, or (left only) one is and the loss is infinite."""
    log_hidden = float(log_unreleased(l=k, t=float(Fraction(gap) / Fraction(sigma)), b=k**-0.25))
    return AtomLoss(log_hidden, log_hidden) if direction is Direction.FORWARD else AtomLoss(-log_hidden)


def shared_loss(_direction: Direction, *, k: int, sigma: Value, j: int) -> GaussianLoss:
    """Privacy loss of N2: normals whose precision matrix gives ``(j - j^2/(k + sqrt(k)))/sigma^2`` for j changes."""
    return GaussianLoss(math.sqrt(squared_distance(d=k, j=j, ratio=math.sqrt(k))) / float(Fraction(sigma)))


def new_counters_loss(direction: Direction, *, k: int, sigma: Value, gap: Value, l: int, j: int) -> NewCountersLoss:
    """Privacy loss of N3 and N5: l new counters, j of the k - l shared ones changed far above the threshold."""
    unit = 1.0 / float(Fraction(sigma))
    return NewCountersLoss(k=k, new=l, changed=j, gap=float(Fraction(gap)) * unit, unit=unit, direction=direction)


def near_loss(
    direction: Direction, *, k: int, sigma: Value, tau_star: Value, shared: tuple[int, ...], changed: int
) -> CensoredLoss:
    """Privacy loss of N4 and N6: shared counters at the threshold, the first ``changed`` one larger on the left."""
    unit = 1.0 / float(Fraction(sigma))
    right = tuple(unit * float(count - Fraction(tau_star)) for count in shared)
    left = tuple(value + unit * (i < changed) for i, value in enumerate(right))
    lower = direction is Direction.BACKWARD and changed == 1 < len(shared)
    return (OneLowerLoss if lower else CensoredLoss)(k=k, left=left, right=right, direction=direction)


def near_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    k: int,
    sigma: Value,
    tau_star: Value,
    shared: tuple[int, ...],
    changed: int,
) -> Number:
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
    arguments: dict[str, Any] = {"k": k, "count": first, "change": change}
    arguments["epsilon"] = level if A.encloses else Fraction(float(level))
    arguments["bits"] = min(_NEAR_BITS, 3 * A.bits // 8) if A.encloses else _NEAR_BITS
    delta = all_changed_delta(**arguments) if changed == k else one_changed_delta(**arguments, beside=others[0])
    return A.maximum(0, delta if A.encloses else A.number(as_fraction(delta.mid())))
