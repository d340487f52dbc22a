"""Lemma 22: the least threshold of Theorem 11."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.enclosure import Order, compare
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.neighbours import sparse_monotone, stability_histogram
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.theorem_11 import delta_infinite_bound, theorem_11
from proofs_numeric.statements.neighbours import Neighbours, Privacy

share, value = symbols("share value")


def _least_tau(left: Expression) -> Expression:
    """Where ``1 - psi^(k+1)`` is what the Gaussian part leaves of delta."""
    return (1 + shared_slope) * sigma * quantile_complement(-expm1(log1p(-left) / (k + 1)))


lemma_22 = _least_tau(delta - delta_gauss)
"""Least tau of Theorem 11: ``(1 + k^{-1/4}) sigma Phi^{-1}((1 - delta + delta_gauss)^{1/(k+1)})``."""

_SHARE = Parameter("share", "delta_gauss/delta", upper=1, open_lower=True, open_upper=True)
_OF_SHARE = delta_infinite_bound(gap=_least_tau(delta - delta * share)) + delta * share
_BY_SHARE = Substitute(
    Box((DELTA, K, SIGMA, _SHARE)), {"share": delta_gauss / delta}, Symbolic(), _OF_SHARE, delta,
    {
        "share": product_of(
            1 / delta, (delta_gauss, ByClaim("wilkins2024.thm2.2.positive", {"mu": sqrt(k + sqrt(k)) / (2 * sigma)})),
        ),
        "share <": product_of(1 / delta, (delta - delta_gauss, Hypothesis())),
    },
)  # fmt: skip
"""By what the Gaussian part has of delta."""


def infeasible(*, epsilon: Any, delta: Any, k: int, sigma: Any) -> SpecialValue | None:
    """Infinite where the Gaussian part alone needs all of delta."""
    point: dict[str, Any] = {"epsilon": Fraction(epsilon), "k": k, "sigma": Fraction(sigma), "delta": Fraction(delta)}
    order = compare(symbol("delta"), delta_gauss, point).order
    if order is Order.GREATER:
        return None
    return SpecialValue("infinity", "delta_gauss alone is at least delta; no threshold helps, raise sigma")


def _at_its_threshold(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Worst cases of Algorithm 2 at Lemma 22's threshold; at a gap of 0 where no threshold helps."""
    values: dict[str, Any] = {name: Fraction(parameters[name]) for name in ("epsilon", "delta", "sigma")}
    values["k"] = int(parameters["k"])
    gap = 0.0 if infeasible(**values) else float(lemma_22(Float64(), **values))
    return stability_histogram({**parameters, "gap": Fraction(gap)})


CLAIMS = (
    stated(
        "lem22", "Lemma 22", "least threshold of Theorem 11",
        r"\tau = (1 + k^{-1/4}) \sigma \Phi^{-1}((1 - \delta + \delta_{gauss})^{1/(k+1)})",
        Calibration(
            formula=lemma_22, achieved=theorem_11(gap=value), by=Achieved("lebeda2025.thm11", {"gap": value}),
            achieved_at_least=two_terms(gap=value), answered=at_most(delta_gauss, delta, strict=True), proof=_BY_SHARE,
        ),
        domain=(EPSILON, DELTA, K, SIGMA), falls=("epsilon", "delta"),
        privacy=Privacy(sparse_monotone, _at_its_threshold), special_value=infeasible,
        points=points("epsilon delta k sigma", ("0.349", "1e-5", 10, 20), ("0.349", "1e-5", 51914, 1140)),
        note="read with delta > delta_gauss; evaluated as a complement, so a tiny delta loses no digits",
    ),
)  # fmt: skip
