"""Algorithm 1 of rogers2024 with Laplace noise: b = Delta_inf/epsilon, T = Delta_inf + b log(Delta_0/(2 delta))."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import MechanismSpec, Parameters, of_numbers
from mechanisms.noise import laplace
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.profiles import added, edge, laplace_cut, laplace_shift, mixed
from mechanisms.unknown_domain.release import check_count, check_delta, check_scale
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import laplace_tail
from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.rogers2024.laws import above_any
from proofs_numeric.rogers2024.neighbours import LAPLACE_HISTOGRAM, far
from proofs_numeric.rogers2024.thresholds import laplace_threshold
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.thresholds.laplace import FAR_SCALES


def threshold(A: Arithmetic, *, delta_0: Value, delta_inf: Value, b: Value, delta: Value) -> Number:
    """T of Theorem 7 (counts)."""
    epsilon = A.number(delta_inf) / A.number(b)
    return laplace_threshold(
        A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=A.number(delta)
    )


@of_numbers
def build(*, delta_0: Value, delta_inf: Value, b: Value, delta: Value) -> UnknownDomainHistogram:
    """Algorithm 1 by the names of Theorem 7.

    Raises:
        ValueError: delta outside (0, 1), a count below 1, b <= 0, or T <= 0.
    """
    check_delta(delta)
    check_count("delta_0", delta_0, "labels")
    check_count("delta_inf", delta_inf, "counts")
    scale = check_scale("b", b)
    T = float(threshold(Float64(), delta_0=delta_0, delta_inf=delta_inf, b=b, delta=delta))
    return UnknownDomainHistogram(laplace.sample, scale, T, grid_for(scale))


def new_mass(A: Arithmetic, *, counts: tuple[int, ...], **calibration: Value) -> Number:
    """Probability that some of the new items of these counts is shown: `tail((T - count)/b)` each."""
    mass = A.number(0)
    for count, items in sorted(Counter(counts).items()):
        tail = laplace_tail(A, (threshold(A, **calibration) - count) / A.number(calibration["b"]))
        mass = mass + (1 - mass) * above_any(A, A.number(items), tail)
    return mass


def nothing_new(A: Arithmetic, **new: Any) -> Number:
    """Probability that none of them is shown."""
    return 1 - new_mass(A, **new)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of new items, of shared counts far above T that move alike, of both, and of one shared count anywhere.

    The profile of one shared count vanishes from epsilon = shift/b on.
    """
    changes = added(neighbours)
    if changes is None:
        return ExactLaw()
    calibration: dict[str, Any] = {name: parameters[name] for name in ("delta_0", "delta_inf", "b", "delta")}
    b = parameters["b"]
    at: Callable[[Arithmetic], Number] = partial(threshold, **calibration)
    new = tuple(left for left, right in changes.values() if not right)
    shared = [(left, right) for left, right in changes.values() if right]
    if not shared:
        return ExactLaw(partial(one_sided, mass=partial(new_mass, counts=new, **calibration)))
    if min(right for _left, right in shared) < far(float(at(Float64())), float(Fraction(b))):
        if len(changes) > 1:
            return ExactLaw()
        ((upper, lower),) = shared
        return ExactLaw(
            partial(edge, upper=upper, lower=lower, scale=b, threshold=at, tail=laplace_tail, cut=laplace_cut)
        )
    moves = {left - right for left, right in shared}
    if len(moves) > 1:
        return ExactLaw()
    shift = partial(laplace_shift, distance=moves.pop() / Fraction(b), items=len(shared))
    if not new:
        return ExactLaw(shift)
    return ExactLaw(partial(mixed, survival=partial(nothing_new, counts=new, **calibration), shift=shift))


MECHANISM = MechanismSpec(
    id="unknown_domain_laplace", title="Unknown Domain Histogram with Laplace noise (Algorithm 1)", build=build,
    parameters={"delta_0": 3, "delta_inf": 1, "b": 2, "delta": "1/20"},
    guarantee_claim="rogers2024.thm7.laplace.profile", privacy=LAPLACE_HISTOGRAM, law=law,
    source="rogers2024, Section 4.1, Algorithm 1; Theorem 7",
)  # fmt: skip


_B, _DELTA_INF = symbols("b delta_inf")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="rogers2024.thm7.laplace.exact", release="counts",
    users={"delta_0": "keys", "delta_inf": "per_key"}, noise="b", threshold="T",
    limit_threshold=_DELTA_INF + FAR_SCALES * _B, deviation=sqrt(2) * _B,
)  # fmt: skip
