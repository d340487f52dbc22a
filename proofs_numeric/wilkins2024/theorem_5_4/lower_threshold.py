"""Theorem 5.4 with the lower threshold as Algorithm 1 uses it: a real tau acts as the least count at or above it."""

import functools
import itertools
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.profiles import SparseRows
from proofs_numeric.wilkins2024.neighbours import by_thresholds
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.collapse import larger_delta, rows_at
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_on_pairs


@functools.singledispatch
def ceiling(A: Arithmetic, x: Number) -> Number:
    """Least integer ``>= x``."""
    return -floor_of(A, -A.number(x))


@ceiling.register
def _(_A: Float64, x: Any) -> Any:
    return np.ceil(x)


def least_count(A: Arithmetic, *, tau: Number) -> Number:
    """Least count that Algorithm 1 can release: groups are nonempty and counts are integers, ``max(1, ceil(tau))``."""
    return ceiling(A, A.maximum(A.number(1), A.number(tau)))


_effective_gap = symbol("tau_star") - algorithm(least_count)()
_ROWS = rows_at(_effective_gap)
delta_real_threshold = delta_exact(gap=_effective_gap)
"""Exact delta of Algorithm 1 for any real ``tau >= 0``: Theorem 5.4 at ``max(1, ceil(tau))``."""
delta_as_printed = delta_exact(gap=symbol("tau_star") - symbol("tau"))
"""(5.8) with ``tau`` put in as it is."""


def delta_real_threshold_on_pairs(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, tau: Number, tau_star: Number, mu_o: Number
) -> Number:
    """Largest hockey stick over the pairs whose rows at the threshold hold the least count, which is counted."""
    least = next(count for count in itertools.count(1) if count >= tau)
    gap = A.number(tau_star) - least
    return delta_on_pairs(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)


_TAU_REAL = Parameter("tau", "lower threshold, any non-negative number as Table 1 allows", unit="counts", upper=1000)
_THRESHOLDS = Box((EPSILON, C_U, SIGMA, _TAU_REAL, TAU_STAR, MU_O))
_POINTS = points("epsilon c_u sigma tau tau_star mu_o", (5, 1, 1, 0, 4, 0), (5, 1, 1, "3/2", 5, 0))

CLAIMS = (
    refuted(
        "thm5.4.tau", "Table 1; Section 4; Theorem 5.4", "Theorem 5.4 for every non-negative tau, as printed",
        r"\text{Algorithm 1 with any }\tau\ge0\text{ is }(\epsilon,\delta)\text{-DP}\text{ at the }\delta\text{ of "
        r"(5.8)}",
        delta_real_threshold <= delta_as_printed, equation="(5.8)", by="thm5.4.tau.corrected", domain=_THRESHOLDS,
        quantity=QuantityKind.DELTA, privacy=by_thresholds(_effective_gap), role=Role.UPPER,
        note="Left: exact delta of Algorithm 1, whose least released count is max(1, ceil(tau)). With tau = 0 or a "
        "fraction the printed value is too small, for instance 42.6 times at C_u = sigma = 1, epsilon = 5, tau = 0, "
        "tau* = 4.",
    ),
    own(
        "thm5.4.tau.corrected", "Theorem 5.4", "Theorem 5.4 for every non-negative tau, corrected",
        r"\delta_{\text{Alg. "
        r"1}}(\tau)=\delta_{(5.8)}(\tau_{\mathrm{eff}}),\quad\tau_{\mathrm{eff}}=\max(1,\lceil\tau\rceil)",
        DeltaBound(
            formula=delta_real_threshold, oracle=delta_real_threshold_on_pairs, pairs=SparseRows(*_ROWS),
            proof=larger_delta(*_ROWS),
            oracle_points=(
                *_POINTS,
                *points(
                    "epsilon c_u sigma tau tau_star mu_o", ("1/2", 2, "3/2", 0, 5, "1/4"),
                    (5, 2, "3/2", 0, 4, 0),  # delta_infinite decides, of two rows
                ),
            ),
        ),
        domain=_THRESHOLDS, falls=("epsilon", "tau_star"), rises=("c_u", "mu_o"),
        privacy=by_thresholds(_effective_gap), points=_POINTS,
    ),
)  # fmt: skip
