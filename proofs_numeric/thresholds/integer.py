r"""Thresholded release of counts with Gaussian noise: the least delta of any concentrated guarantee.

Each key's count gets independent noise and the key is released iff `count + Z >= threshold` (with `>=`: on integers `>`
is another mechanism). One user changes at most `c_u` keys, each by at most `per_key`. A key that only the user holds
has count at most `per_key` and can be released on one side only, so with `q = P[Z >= threshold - per_key]` the loss is
infinite with probability `1 - (1 - q)^c_u`, attained by `c_u` keys of count `per_key`: the least delta of any
(delta-approximate) concentrated guarantee, at `rho = c_u per_key^2 / (2 sigma^2)`.

Laplace noise is in :mod:`laplace`.
"""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic.discrete_gaussian import discrete_gaussian_terms
from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.special import discrete_gaussian_normaliser, discrete_gaussian_tail_bound, integral
from proofs_numeric.expression import Function
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, Neighbours, Privacy
from proofs_numeric.thresholds.parameters import *


def discrete_gaussian_tail(A: Arithmetic, sigma: Number, k: int) -> Number:
    """`P[Z >= k]` for `P[Z = x]` proportional to `exp(-x^2 / (2 sigma^2))` on the integers, any integer `k`."""
    if k < 1:
        return 1 - discrete_gaussian_tail(A, sigma, 1 - k)
    sigma = A.number(sigma)
    terms = discrete_gaussian_terms(A, sigma)
    body = A.sum(A.exp(-A.number(x * x) / (2 * sigma * sigma)) for x in range(k, k + terms))
    tail = body + discrete_gaussian_tail_bound(A, sigma, k + terms)
    return tail / discrete_gaussian_normaliser(A, sigma, terms)


passing = Function("discrete_gaussian_tail", discrete_gaussian_tail, r"\Pr[N_{{\mathbb Z}}(0, {0}^2) \ge {1}]")
some_passing = -expm1(c_u * log1p(-symbol("q")))
"""``1 - (1 - q)^c_u``: at least one of ``c_u`` independent events of probability q."""
gaussian_integer = some_passing(q=passing(sigma, threshold - per_key))
"""Least delta of the integer histogram with discrete Gaussian noise."""
gaussian_real = some_passing(q=Phi((per_key - threshold) / sigma))
"""Least delta with continuous Gaussian noise."""

# --- the same from the definition: every mass summed or integrated, keys one by one -----------------------------------

FAR = 120
"""Scales beyond which nothing is summed: e^-120 of a Laplace law, far less of a Gaussian one."""
_FAR_GAUSSIAN = 16
"""Scales of a Gaussian law beyond which less than e^-120 of any of its tails is left."""


def _some_key(A: Arithmetic, released: Number, c_u: int) -> Number:
    silent = A.number(1)
    for _key in range(c_u):
        silent = silent * (1 - released)
    return 1 - silent


def gaussian_weight(A: Arithmetic, x: Number, scale: Number) -> Number:
    """Density of Gaussian noise up to a factor."""
    return A.exp(-(x * x) / (2 * scale * scale))


def by_summation(weight: Any, noise: str) -> Formula:
    """Delta on integers from the weights of the noise on ``[-120 scale, 120 scale]``, summed."""

    def oracle(A: Arithmetic, *, threshold: int, c_u: int, per_key: int, **parameters: Any) -> Number:
        scale = A.number(parameters[noise])
        law = lattice(A, lambda x: weight(A, x, scale), math.ceil(FAR * float(scale)))
        return _some_key(A, A.sum(mass for x, mass in law.items() if per_key + x >= threshold), c_u)

    return oracle


def by_quadrature(weight: Any, noise: str, far: int = FAR) -> Formula:
    """Delta on reals from the density of the noise, integrated on both sides of its kink, each over ``far`` scales."""

    def oracle(A: Arithmetic, *, threshold: Number, c_u: int, per_key: int, **parameters: Any) -> Number:
        scale = A.number(parameters[noise])

        def mass(start: Number) -> Number:
            ends = [start + scale * n for n in range(far + 1)]
            return A.sum(integral(A, lambda B, x: weight(B, x, scale), a, b) for a, b in pairwise(ends))

        return _some_key(A, mass(A.number(threshold) - per_key) / (2 * mass(A.number(0))), c_u)

    return oracle


def points_of(noise: str) -> tuple[dict[str, Value], ...]:
    """Settings at which the definition is summed."""
    return points(f"{noise} threshold c_u per_key", (1, 4, 1, 1), ("3/2", 12, 5, 2), ("1/4", 3, 3, 1), (2, 9, 2, 3))


def new_keys(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Return a user alone in every key of theirs, with the most there: the pair that attains delta."""
    rows = min(int(parameters.get("c_u", 1)), MOST_CHANGED_KEYS)
    left = {f"k{i}": int(parameters.get("per_key", 1)) for i in range(rows)}
    return (Neighbours("new_keys", left, {}, f"{rows} keys that only the user holds"),)


NEW_KEYS = Privacy(adjacency, new_keys)

CLAIMS = (
    own(
        "gaussian.integer", "integer thresholds", "Least delta of the integer histogram with discrete Gaussian noise",
        r"\delta = 1 - (1 - P[Z \ge T - m])^{C_u} \text{ at } \rho = C_u m^2 / (2\sigma^2)",
        DeltaBound(gaussian_integer, by_summation(gaussian_weight, "sigma"), points_of("sigma")),
        domain=above_move(SIGMA, INTEGER_THRESHOLD, C_U, PER_KEY), falls=("threshold",), rises=("c_u", "per_key"),
        privacy=NEW_KEYS,
    ),
    own(
        "gaussian.real", "integer thresholds", "Least delta of the histogram with continuous Gaussian noise",
        r"\delta = 1 - \Phi((T - m)/\sigma)^{C_u} \text{ at } \rho = C_u m^2 / (2\sigma^2)",
        DeltaBound(gaussian_real, by_quadrature(gaussian_weight, "sigma", _FAR_GAUSSIAN), points_of("sigma")),
        domain=above_move(SIGMA, THRESHOLD, C_U, PER_KEY), falls=("threshold",), rises=("c_u", "per_key"),
        privacy=NEW_KEYS,
    ),
)  # fmt: skip
