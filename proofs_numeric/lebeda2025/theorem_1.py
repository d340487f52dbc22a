"""Theorem 1, informal: half the noise, in the limit of large k."""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.parameters import K, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import Derivative, Part, Product, Substitute


def _sigma_ratio_squared(A: Arithmetic, *, k: int) -> Number:
    """Squared ratio of total deviations, correlated over uncorrelated, at equal mu."""
    root = A.sqrt(A.number(k))
    return ((root + 1) / (2 * root)) ** 2


def _half_and_vanishing(A: Arithmetic, *, k: int) -> Number:
    return A.number(Fraction(1, 4)) + 1 / A.sqrt(A.number(k))


def _threshold_ratio(A: Arithmetic, *, k: int) -> Number:
    """``(1 + k^(-1/4)) sigma`` over the deviation of independent noise at equal mu, ``sqrt(k)/mu``."""
    root = A.sqrt(A.number(k))
    return (1 + 1 / A.sqrt(root)) * A.sqrt(1 + 1 / root) / 2


def _half_and_fourth_root(A: Arithmetic, *, k: int) -> Number:
    return A.number(Fraction(1, 2)) + 1 / A.sqrt(A.sqrt(A.number(k)))


def _u(A: Arithmetic, w: Number) -> Any:
    """``k^(-1/4)`` at ``w = log(k)/4``."""
    return A.exp(-A.number(w))


def _u_ratio(A: Arithmetic, w: Number) -> Any:
    u = _u(A, w)
    return (1 + u) * A.sqrt(1 + u * u)


def _gain_of_u(A: Arithmetic, *, w: Number) -> Any:
    """``(1 + 2u)^2 - (1 + u)^2 (1 + u^2)``, over u."""
    u = _u(A, w)
    return 2 + 2 * u - 2 * u * u - u**3


CLAIMS = (
    Claim(
        id="lebeda2025.thm1.informal",
        source=printed("Theorem 1"),
        title="half the noise, in the limit of large k",
        statement=r"(\sqrt{k} + 1)/(2\sqrt{k}) = 1/2 + o(1)",
        kind=Inequality(
            left=_sigma_ratio_squared,
            right=_half_and_vanishing,
            proof=Product(
                (
                    Part(lambda A, *, k: 1 / (4 * A.number(k))),
                    Part(lambda A, *, k: 2 * A.sqrt(A.number(k)) - 1, Derivative("k", "lower")),
                )
            ),
        ),
        domain=Box((K,)),
        partial="the noise; what the threshold is measured in is lebeda2025.thm1.informal.threshold",
        note="for the threshold the ratio tends to 1/2 slowly: .563 (Theorem 11) and .502 (exact) at k = 51914",
    ),
    Claim(
        id="lebeda2025.thm1.informal.threshold",
        source=printed("Theorem 1"),
        title="half the threshold, in the limit of large k",
        statement=r"(1 + k^{-1/4})\sqrt{1 + k^{-1/2}}/2 \le 1/2 + k^{-1/4}",
        kind=Inequality(
            _threshold_ratio,
            _half_and_fourth_root,
            proof=Substitute(
                Box((Parameter("w", "log(k)/4"),)),
                {"w": lambda A, *, k: A.log(A.number(k)) / 4},
                Product(
                    (
                        Part(lambda A, *, w: _u(A, w)),
                        Part(_gain_of_u),
                        Part(lambda A, *, w: 1 / (2 * (1 + 2 * _u(A, w) + _u_ratio(A, w)))),
                    )
                ),
                lambda A, *, w: _u_ratio(A, w) / 2,
                lambda A, *, w: A.number(Fraction(1, 2)) + _u(A, w),
            ),
        ),
        domain=Box((K,)),
        partial="what multiplies the quantiles of the thresholds: (1 + k^(-1/4)) sigma by Theorem 11 over sigma of "
        "independent noise, at equal mu; that the quantiles agree in the limit is left out",
    ),
)
