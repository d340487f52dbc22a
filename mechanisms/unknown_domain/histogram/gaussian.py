"""Algorithm 1 of rogers2024 with Gaussian noise: sigma = Delta_inf/epsilon, T = Delta_inf + sigma z(delta/Delta_0)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.mechanism import MechanismSpec, of_numbers, of_pairs
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import edge, far, gaussian_shift, labels, mixed, one_sided, users
from mechanisms.unknown_domain.release import check_count, check_delta, check_scale
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024.laws import above_any
from proofs_numeric.rogers2024.positive_counts import gaussian_threshold

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def threshold(A: Any, *, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> Any:
    """T of Theorem 7 (counts)."""
    epsilon = A.number(delta_inf) / A.number(sigma)
    return gaussian_threshold(A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=delta)


@of_numbers
def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
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


def nothing_new(A: Any, *, items: int, delta_0: Exact, delta: Exact) -> Any:
    """`(1 - delta/D_0)^items`."""
    return 1 - above_any(A, items, A.number(delta) / A.number(delta_0))


def new_mass(A: Any, *, items: int, delta_0: Exact, delta: Exact) -> Any:
    """`1 - (1 - delta/D_0)^items`."""
    return above_any(A, items, A.number(delta) / A.number(delta_0))


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """A1.new, A1.high, A1.mix and A1.edge."""
    d0, dinf, sigma, delta = (parameters[name] for name in ("delta_0", "delta_inf", "sigma", "delta"))
    number, step = int(d0), int(dinf)
    adjacency, mechanism = users(parameters), build(**parameters)
    high = far(mechanism.threshold, mechanism.scale)
    keys = labels(number)
    ratio = (Fraction(step) / Fraction(sigma)) ** 2
    at = partial(threshold, delta_0=d0, delta_inf=dinf, sigma=sigma, delta=delta)
    near = round(mechanism.threshold) + step
    found = [
        Pair(
            "a1.new",
            dict.fromkeys(keys, step),
            {},
            "delta_0 new items of the largest count a new item can have",
            adjacency,
            partial(one_sided, mass=partial(new_mass, items=number, delta_0=d0, delta=delta)),
        ),
        Pair(
            "a1.high",
            dict.fromkeys(keys, high + step),
            dict.fromkeys(keys, high),
            "delta_0 shared counts far above the threshold",
            adjacency,
            partial(gaussian_shift, squared=number * ratio),
        ),
        Pair(
            "a1.edge",
            {"k00": near},
            {"k00": near - step},
            "one shared count at the threshold",
            adjacency,
            partial(edge, upper=near, lower=near - step, scale=sigma, threshold=at),
        ),
    ]
    if number > 1:
        left = {keys[0]: step} | dict.fromkeys(keys[1:], high + step)
        found.append(
            Pair(
                "a1.mix",
                left,
                dict.fromkeys(keys[1:], high),
                "one new item beside shared counts far above the threshold",
                adjacency,
                partial(
                    mixed,
                    survival=partial(nothing_new, items=1, delta_0=d0, delta=delta),
                    squared=(number - 1) * ratio,
                ),
            )
        )
    return tuple(found)


MECHANISM = MechanismSpec(
    id="unknown_domain_gaussian",
    title="Unknown Domain Histogram with Gaussian noise (Algorithm 1)",
    build=build,
    parameters={"delta_0": 3, "delta_inf": 1, "sigma": 2, "delta": "1/20"},
    guarantee_claim="rogers2024.thm7.gaussian.profile",
    **of_pairs(users, pairs),
    source="rogers2024, Section 4.1, Algorithm 1; Theorem 7",
)
