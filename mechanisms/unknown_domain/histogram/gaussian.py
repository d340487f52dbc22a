"""Algorithm 1 of rogers2024 with Gaussian noise: sigma = Delta_inf/epsilon, T = Delta_inf + sigma z(delta/Delta_0)."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import MechanismSpec, Parameters, of_numbers
from mechanisms.noise import normal
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.profiles import added, edge, gaussian_shift, mixed
from mechanisms.unknown_domain.release import check_count, check_delta, check_scale
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import symbols
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail
from proofs_numeric.rogers2024.neighbours import GAUSSIAN_HISTOGRAM, far
from proofs_numeric.rogers2024.thresholds import gaussian_threshold
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.wilkins2024.neighbours import FAR


def threshold(A: Arithmetic, *, delta_0: Value, delta_inf: Value, sigma: Value, delta: Value) -> Number:
    """T of Theorem 7 (counts)."""
    epsilon = A.number(delta_inf) / A.number(sigma)
    return gaussian_threshold(
        A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=A.number(delta)
    )


@of_numbers
def build(*, delta_0: Value, delta_inf: Value, sigma: Value, delta: Value) -> UnknownDomainHistogram:
    """Algorithm 1 by the names of Theorem 7.

    Raises:
        ValueError: delta outside (0, 1), a count below 1, sigma <= 0, or T <= 0.
    """
    check_delta(delta)
    check_count("delta_0", delta_0, "labels")
    check_count("delta_inf", delta_inf, "counts")
    scale = check_scale("sigma", sigma)
    T = float(threshold(Float64(), delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    return UnknownDomainHistogram(normal.sample, scale, T, grid_for(scale))


def new_mass(A: Arithmetic, *, counts: tuple[int, ...], **calibration: Value) -> Number:
    """Probability that some of the new items of these counts is shown: `delta/D_0` each where the count is D_inf."""
    mass = A.number(0)
    for count, items in sorted(Counter(counts).items()):
        if count == int(calibration["delta_inf"]):
            tail = A.number(calibration["delta"]) / A.number(calibration["delta_0"])
        else:
            tail = gaussian_tail(A, (threshold(A, **calibration) - count) / A.number(calibration["sigma"]))
        mass = mass + (1 - mass) * above_any(A, items, tail)
    return mass


def nothing_new(A: Arithmetic, **new: Any) -> Number:
    """Probability that none of them is shown."""
    return 1 - new_mass(A, **new)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where new items, shared counts far above T, or both are added to; and of one shared count anywhere."""
    changes = added(neighbours)
    if changes is None:
        return ExactLaw()
    calibration: dict[str, Any] = {name: parameters[name] for name in ("delta_0", "delta_inf", "sigma", "delta")}
    sigma = Fraction(parameters["sigma"])
    at: Callable[[Arithmetic], Number] = partial(threshold, **calibration)
    new = tuple(left for left, right in changes.values() if not right)
    shared = [(left, right) for left, right in changes.values() if right]
    squared = sum(((left - right) / sigma) ** 2 for left, right in shared)
    if shared and min(right for _left, right in shared) < far(float(at(Float64())), float(sigma)):
        if len(changes) > 1:
            return ExactLaw()
        ((upper, lower),) = shared
        return ExactLaw(partial(edge, upper=upper, lower=lower, scale=parameters["sigma"], threshold=at))
    if not shared:
        return ExactLaw(partial(one_sided, mass=partial(new_mass, counts=new, **calibration)))
    shift = partial(gaussian_shift, squared=squared)
    if not new:
        return ExactLaw(shift)
    return ExactLaw(partial(mixed, survival=partial(nothing_new, counts=new, **calibration), shift=shift))


MECHANISM = MechanismSpec(
    id="unknown_domain_gaussian", title="Unknown Domain Histogram with Gaussian noise (Algorithm 1)", build=build,
    parameters={"delta_0": 3, "delta_inf": 1, "sigma": 2, "delta": "1/20"},
    guarantee_claim="rogers2024.thm7.gaussian.profile", privacy=GAUSSIAN_HISTOGRAM, law=law,
    source="rogers2024, Section 4.1, Algorithm 1; Theorem 7",
)  # fmt: skip


_SIGMA, _DELTA_INF = symbols("sigma delta_inf")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="rogers2024.thm7.gaussian.exact", release="counts",
    users={"delta_0": "keys", "delta_inf": "per_key"}, noise="sigma", threshold="T",
    limit_threshold=_DELTA_INF + FAR * _SIGMA, deviation=_SIGMA,
)  # fmt: skip
