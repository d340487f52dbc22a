"""Algorithm 1 of rogers2024 with Laplace noise: b = Delta_inf/epsilon, T = Delta_inf + b log(Delta_0/(2 delta))."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.mechanism import MechanismSpec, of_numbers, of_pairs
from mechanisms.noise import laplace
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import edge, far, labels, laplace_cut, laplace_shift, one_sided, users
from mechanisms.unknown_domain.release import check_count, check_delta, check_scale
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024.laws import above_any, laplace_tail
from proofs_numeric.rogers2024.positive_counts import laplace_threshold

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def threshold(A: Any, *, delta_0: Exact, delta_inf: Exact, b: Exact, delta: Exact) -> Any:
    """T of Theorem 7 (counts)."""
    epsilon = A.number(delta_inf) / A.number(b)
    return laplace_threshold(A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=delta)


@of_numbers
def build(*, delta_0: Exact, delta_inf: Exact, b: Exact, delta: Exact) -> UnknownDomainHistogram:
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


def new_mass(A: Any, *, delta_0: Exact, delta_inf: Exact, b: Exact, delta: Exact) -> Any:
    """`1 - (1 - tail((T - D_inf)/b))^D_0`."""
    lead = threshold(A, delta_0=delta_0, delta_inf=delta_inf, b=b, delta=delta) - A.number(delta_inf)
    return above_any(A, A.number(delta_0), laplace_tail(A, lead / A.number(b)))


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """A1.new, A1.high and A1.lapedge: a shared count's profile vanishes from epsilon = Delta_inf/b on."""
    d0, dinf, b, delta = (parameters[name] for name in ("delta_0", "delta_inf", "b", "delta"))
    step, adjacency, mechanism = int(dinf), users(parameters), build(**parameters)
    high, near = far(mechanism.threshold, mechanism.scale), round(mechanism.threshold) + step
    at = partial(threshold, delta_0=d0, delta_inf=dinf, b=b, delta=delta)
    return (
        Pair(
            "a1.new",
            dict.fromkeys(labels(int(d0)), step),
            {},
            "delta_0 new items of the largest count a new item can have",
            adjacency,
            partial(one_sided, mass=partial(new_mass, delta_0=d0, delta_inf=dinf, b=b, delta=delta)),
        ),
        Pair(
            "a1.high",
            {"k00": high + step},
            {"k00": high},
            "one shared count far above the threshold",
            adjacency,
            partial(laplace_shift, distance=Fraction(step) / Fraction(b)),
        ),
        Pair(
            "a1.lapedge",
            {"k00": near},
            {"k00": near - step},
            "one shared count at the threshold",
            adjacency,
            partial(edge, upper=near, lower=near - step, scale=b, threshold=at, tail=laplace_tail, cut=laplace_cut),
        ),
    )


MECHANISM = MechanismSpec(
    id="unknown_domain_laplace",
    title="Unknown Domain Histogram with Laplace noise (Algorithm 1)",
    build=build,
    parameters={"delta_0": 3, "delta_inf": 1, "b": 2, "delta": "1/20"},
    guarantee_claim="rogers2024.thm7.laplace.profile",
    **of_pairs(users, pairs),
    source="rogers2024, Section 4.1, Algorithm 1; Theorem 7",
)
