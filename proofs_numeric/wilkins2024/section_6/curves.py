r"""The curves and numbers of the case study (Section 6) and of Figures 1a and 1b, as functions and as claims.

``C_u = 51914``, ``epsilon = 0.349``, ``delta = 1e-5`` unless said otherwise.  Thresholds are gaps ``tau* - tau``
(counts); the paper's ``tau = 1`` is added where it prints ``tau*``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression import derivative
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.neighbours import Privacy
from proofs_numeric.wilkins2024.neighbours import sparse_histogram_at
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

C_U_STUDY = 51_914
EPSILON_STUDY = Fraction(349, 1000)
DELTA_STUDY = Fraction(1, 10**5)
SIGMA_PRINTED = 2228
FIGURE_1B_DELTA = Fraction(1, 10**8)
"""delta_infinite of Figure 1b."""

rows_quantile = quantile_complement(-expm1(log1p(-delta) / C_U_STUDY))
"""``z = Phi^{-1}((1 - delta)^{1/C_u})``: the least gap in noise standard deviations, for ``0 < delta < 1``."""
study_distance = distance(rows=C_U_STUDY)
"""``mu(C_u)`` of the case study, with other columns."""
_spent = profile(EPSILON_STUDY, study_distance)
study_delta_gaussian = _spent(mu_o=0)
study_delta_infinite = delta_infinite(c_u=C_U_STUDY)
study_delta_exact = delta_exact(epsilon=EPSILON_STUDY, c_u=C_U_STUDY, mu_o=0)
_largest_distance = algorithm(gaussian_mu)(epsilon=EPSILON_STUDY)
least_sigma = sqrt(C_U_STUDY) / _largest_distance(delta=DELTA_STUDY)
"""Least noise of the Gaussian mechanism for (0.349, 1e-5): where both curves of Figure 1a begin."""
study_epsilon = algorithm(gaussian_epsilon)(mu=study_distance(mu_o=0))
"""Epsilon at which delta_Gaussian is ``delta``."""
least_epsilon = study_epsilon(sigma=least_sigma)


def study_privacy(sigma: int = SIGMA_PRINTED, delta: Fraction = DELTA_STUDY) -> Privacy:
    """Neighbours of the case study's mechanism at noise `sigma` and the least gap for `delta`, where not parameters."""
    return sparse_histogram_at(partial(_study_thresholds, sigma, delta))


def _study_thresholds(printed: int, fixed: Fraction, **parameters: Value) -> Mapping[str, Value]:
    A, sigma = Float64(), parameters.get("sigma", printed)
    gap = float(least_gap(A, sigma=A.number(sigma), delta=A.number(parameters.get("delta", fixed))))
    return {"c_u": C_U_STUDY, "sigma": sigma, "gap": Fraction(gap), **parameters}


# --- Figure 1a --------------------------------------------------------------------------------------------------------
least_gap = rows_quantile * sigma
"""Least ``tau* - tau`` by Theorem 5.4, for ``sigma`` at which delta_Gaussian is at most delta."""
exact_gap = least_gap(delta=DELTA_STUDY)
_least_added = rows_quantile(delta=delta - _spent) * sigma
least_added_gap = _least_added(mu_o=0)
"""Least ``tau* - tau`` by Theorem 4.1, for ``sigma`` at which delta_Gaussian is below delta (else none)."""
added_gap_with_columns = _least_added(delta=DELTA_STUDY)
added_gap = least_added_gap(delta=DELTA_STUDY)
gap_ratio_with_columns = added_gap_with_columns / exact_gap
gap_ratio = gap_ratio_with_columns(mu_o=0)
"""Add the deltas over exact, in Figure 1a."""
gap_difference_with_columns = added_gap_with_columns - exact_gap
gap_difference = gap_difference_with_columns(mu_o=0)


def crossing_sigma(A: Arithmetic, *, excess: Fraction) -> Number:
    """Noise at which add the deltas needs ``1 + excess`` times the exact gap (the ratio falls with sigma)."""
    target = 1 + A.number(excess)
    return increasing_root(A, lambda sigma: target - gap_ratio(A, sigma=sigma), A.number(2229), A.number(4000))


added_gap_slope = derivative(added_gap, "sigma")


def least_added_sigma(A: Arithmetic) -> Number:
    """Noise at which the add-the-deltas curve of Figure 1a is lowest."""
    return increasing_root(A, lambda sigma: added_gap_slope(A, sigma=sigma), A.number(2230), A.number(2500))


# --- Figure 1b --------------------------------------------------------------------------------------------------------
figure_1b_exact = delta_exact(
    c_u=C_U_STUDY, sigma=least_sigma, gap=least_gap(sigma=least_sigma, delta=FIGURE_1B_DELTA), mu_o=0
)
"""Exact delta at the least sigma and the gap for which delta_infinite = 1e-8, as the figure is drawn."""
figure_1b_ratio = 1 + FIGURE_1B_DELTA / profile(epsilon, study_distance(sigma=least_sigma, mu_o=0))
"""``delta_add / delta_GSHM`` of Figure 1b, up to where delta_Gaussian falls to 1e-8."""


def figure_1b_by_definition(A: Arithmetic, *, epsilon: Number) -> Number:
    """The same without the formulas: the Gaussian pair integrated, and one less the chance that every row is silent."""
    inner = hockey_stick_by_quadrature(A, epsilon=epsilon, mu=study_distance(A, sigma=least_sigma(A), mu_o=0), weight=1)
    return A.maximum(inner, 1 - normal_cdf(A, rows_quantile(A, delta=FIGURE_1B_DELTA)) ** C_U_STUDY)


# --- other columns ----------------------------------------------------------------------------------------------------
half_of_delta = _largest_distance(delta="5e-6") / sqrt(C_U_STUDY)
"""mu_o whose share ``f(sqrt(C_u) mu_o, 0.349)`` of delta_Gaussian is 5e-6."""
_left_by_columns = DELTA_STUDY - profile(EPSILON_STUDY, sqrt(C_U_STUDY) * mu_o)
limiting_ratio = rows_quantile(delta=_left_by_columns) / rows_quantile(delta=DELTA_STUDY)
"""Limit of ``gap_ratio`` as sigma grows: the noise on counts then costs nothing, the other columns delta_o."""


def claim(row: str, locator: str, title: str, statement: str | None, kind: Kind, *, by: str = "", **rest: Any) -> Claim:
    """A claim of the paper, false where ``by`` corrects it; of this project where it corrects one or has no place."""
    if by:
        return refuted(row, locator, title, statement, kind, by=by, **rest)
    made = own if row.endswith(".corrected") or not locator else stated
    return made(row, locator or "Section 6", title, statement, kind, **rest)


def number(
    row: str, locator: str, title: str, formula: Formula, value: str, reading: Reading = Reading.NEAREST, **rest: Any
) -> Claim:
    """A printed number with the reading that gives its digits."""
    return claim(
        row, locator, title, rf"{value} \text{{ ({reading.value})}}", Quantity(formula, value, reading), **rest
    )


def our_number(row: str, title: str, formula: Formula, value: str, **rest: Any) -> Claim:
    """A number of this project about the case study, kept as a regression."""
    return number(row, "", title, formula, value, **rest)


def compared(
    row: str, locator: str, title: str, statement: str | None, kind: Inequality, *, by: str = "", **rest: Any
) -> Claim:
    """A comparison of two constants; where it is said to hold, one enclosure proves it."""
    return claim(row, locator, title, statement, kind, by=by, proof=None if by else Boxes(bits=192), **rest)
