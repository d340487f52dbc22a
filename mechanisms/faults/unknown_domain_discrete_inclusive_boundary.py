"""Algorithm 1 with discrete Laplace noise that releases a count equal to the threshold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Boundary, Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import laplace as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import one_sided, users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


def discrete_laplace(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.float64]:
    """Integers with mass in proportion to `e^(-|k|/scale)`: the difference of two geometric numbers."""
    stop = -np.expm1(-1 / scale)
    return np.asarray(rng.geometric(stop, shape) - rng.geometric(stop, shape), dtype=np.float64)


def build(*, delta_0: Exact, delta_inf: Exact, b: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 on integers: T rounded up, and >= in place of >."""
    mechanism = correct.build(delta_0=delta_0, delta_inf=delta_inf, b=b, delta=delta)
    return UnknownDomainHistogram(
        discrete_laplace, mechanism.scale, float(np.ceil(mechanism.threshold)), 1.0, Boundary.INCLUSIVE
    )


def new_mass(A: Any) -> Any:
    """A new item of count 1 against T = 2, b = 1: noise of at least 1, `1/(1 + e)`."""
    return 1 / (1 + A.exp(A.number(1)))


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 1, "b": 1, "delta": "1/5"}

FAULT = Fault(
    id="unknown_domain_discrete_inclusive_boundary",
    title=">= in place of > with discrete noise",
    mechanism="unknown_domain_laplace",
    violates="rogers2024.thm7.laplace.profile",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair("a1.new", {"a": 1}, {}, "one new item", users(_PARAMETERS), partial(one_sided, mass=new_mass)),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation=(
        "Discrete noise equals the margin with positive probability: the tail that is released is e^(1/b) times the "
        "one above the threshold. With continuous noise the same change is neutral."
    ),
)
