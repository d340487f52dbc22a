r"""The curves and numbers of the case study (Section 6) and of Figures 1a and 1b, as functions.

``C_u = 51914``, ``epsilon = 0.349``, ``delta = 1e-5`` unless said otherwise.  Thresholds are gaps ``tau* - tau``
(counts); the paper's ``tau = 1`` is added where it prints ``tau*``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.statements.neighbours import Privacy
from proofs_numeric.wilkins2024.neighbours import sparse_histogram_at
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    delta_exact,
    delta_gaussian,
    delta_infinite,
    hockey_stick_by_quadrature,
)

C_U_STUDY = 51_914
EPSILON_STUDY = Fraction(349, 1000)
DELTA_STUDY = Fraction(1, 10**5)
SIGMA_PRINTED = 2228
FIGURE_1B_DELTA = Fraction(1, 10**8)
"""delta_infinite of Figure 1b."""

# --- solving ----------------------------------------------------------------------------------------------------------


def rows_quantile(A: Arithmetic, *, delta: Number, c_u: Number = C_U_STUDY) -> Number:
    """``z = Phi^{-1}((1 - delta)^{1/C_u})``: the least gap in noise standard deviations, for ``0 < delta < 1``."""
    return normal_quantile_complement(A, -A.expm1(A.log1p(-A.number(delta)) / c_u))


def study_distance(A: Arithmetic, *, sigma: Number, mu_o: Number = 0) -> Number:
    """``mu(C_u)`` of the case study at noise ``sigma``."""
    sigma, mu_o = A.number(sigma), A.number(mu_o)
    return A.sqrt(C_U_STUDY * (1 / (sigma * sigma) + mu_o * mu_o))


def study_delta_gaussian(A: Arithmetic, *, sigma: Number, epsilon: Number = EPSILON_STUDY, mu_o: Number = 0) -> Any:
    """delta_Gaussian of the case study."""
    return delta_gaussian(A, epsilon=A.number(epsilon), c_u=C_U_STUDY, sigma=sigma, mu_o=mu_o)


def study_delta_infinite(A: Arithmetic, *, sigma: Number, gap: Number) -> Number:
    """delta_infinite of the case study."""
    return delta_infinite(A, c_u=C_U_STUDY, sigma=sigma, gap=gap)


def study_delta_exact(A: Arithmetic, *, sigma: Number, gap: Number) -> Number:
    """Exact delta of the case study at epsilon = 0.349."""
    return delta_exact(A, epsilon=A.number(EPSILON_STUDY), c_u=C_U_STUDY, sigma=sigma, gap=gap, mu_o=0)


def least_sigma(A: Arithmetic) -> Number:
    """Least noise of the Gaussian mechanism for (0.349, 1e-5): where both curves of Figure 1a begin."""
    return A.sqrt(A.number(C_U_STUDY)) / gaussian_mu(A, epsilon=EPSILON_STUDY, delta=DELTA_STUDY)


def study_privacy(sigma: int = SIGMA_PRINTED, delta: Fraction = DELTA_STUDY) -> Privacy:
    """Neighbours of the case study's mechanism at noise `sigma` and the least gap for `delta`, where not parameters."""
    return sparse_histogram_at(partial(_study_thresholds, sigma, delta))


def _study_thresholds(printed: int, fixed: Fraction, **parameters: Value) -> Mapping[str, Value]:
    A, sigma = Float64(), parameters.get("sigma", printed)
    gap = float(exact_gap(A, sigma=A.number(sigma), delta=A.number(parameters.get("delta", fixed))))
    return {"c_u": C_U_STUDY, "sigma": sigma, "gap": Fraction(gap), **parameters}


# --- Figure 1a --------------------------------------------------------------------------------------------------------


def exact_gap(A: Arithmetic, *, sigma: Number, delta: Number = DELTA_STUDY) -> Number:
    """Least ``tau* - tau`` by Theorem 5.4, ``z sigma``, for ``sigma`` at which delta_Gaussian is at most delta."""
    return rows_quantile(A, delta=delta) * A.number(sigma)


def added_gap(A: Arithmetic, *, sigma: Number, delta: Number = DELTA_STUDY, mu_o: Number = 0) -> Number:
    """Least ``tau* - tau`` by Theorem 4.1, for ``sigma`` at which delta_Gaussian is below delta (else none)."""
    rest = A.number(delta) - study_delta_gaussian(A, sigma=sigma, mu_o=mu_o)
    return rows_quantile(A, delta=rest) * A.number(sigma)


def gap_ratio(A: Arithmetic, *, sigma: Number, mu_o: Number = 0) -> Number:
    """Add the deltas over exact, in Figure 1a."""
    return added_gap(A, sigma=sigma, mu_o=mu_o) / exact_gap(A, sigma=sigma)


def gap_difference(A: Arithmetic, *, sigma: Number, mu_o: Number = 0) -> Number:
    """Add the deltas less exact, in Figure 1a."""
    return added_gap(A, sigma=sigma, mu_o=mu_o) - exact_gap(A, sigma=sigma)


def crossing_sigma(A: Arithmetic, *, excess: Fraction) -> Number:
    """Noise at which add the deltas needs ``1 + excess`` times the exact gap (the ratio falls with sigma)."""
    target = 1 + A.number(excess)
    ends = A.number(2229), A.number(4000)
    return increasing_root(A, lambda sigma: target - gap_ratio(A, sigma=sigma), *ends)


def added_gap_slope(A: Arithmetic, *, sigma: Number) -> Any:
    """Derivative of ``added_gap`` by sigma.

    With ``d = delta - delta_Gaussian`` and the tail ``x = 1 - (1 - d)^{1/C}``: ``d' = phi(mu/2 - eps/mu) mu/sigma``,
    ``x' = (1 - x) d' / (C (1 - d))``, ``z' = -x'/phi(z)`` and the slope is ``z + sigma z'``.
    """
    sigma = A.number(sigma)
    mu = study_distance(A, sigma=sigma)
    rest = A.number(DELTA_STUDY) - study_delta_gaussian(A, sigma=sigma)
    falling = normal_pdf(A, mu / 2 - A.number(EPSILON_STUDY) / mu) * mu / sigma
    tail = -A.expm1(A.log1p(-rest) / C_U_STUDY)
    z = normal_quantile_complement(A, tail)
    return z - sigma * (1 - tail) * falling / (C_U_STUDY * (1 - rest)) / normal_pdf(A, z)


def least_added_sigma(A: Arithmetic) -> Number:
    """Noise at which the add-the-deltas curve of Figure 1a is lowest."""
    return increasing_root(A, lambda sigma: added_gap_slope(A, sigma=sigma), A.number(2230), A.number(2500))


# --- Figure 1b --------------------------------------------------------------------------------------------------------


def figure_1b_exact(A: Arithmetic, *, epsilon: Number) -> Number:
    """Exact delta at the least sigma and the gap for which delta_infinite = 1e-8, as the figure is drawn."""
    sigma = least_sigma(A)
    gap = exact_gap(A, sigma=sigma, delta=FIGURE_1B_DELTA)
    return delta_exact(A, epsilon=epsilon, c_u=C_U_STUDY, sigma=sigma, gap=gap, mu_o=0)


def figure_1b_by_definition(A: Arithmetic, *, epsilon: Number) -> Number:
    """The same without the formulas: the Gaussian pair integrated, and one less the chance that every row is silent."""
    inner = hockey_stick_by_quadrature(A, epsilon=epsilon, mu=study_distance(A, sigma=least_sigma(A)), weight=1)
    return A.maximum(inner, 1 - normal_cdf(A, rows_quantile(A, delta=FIGURE_1B_DELTA)) ** C_U_STUDY)


def figure_1b_ratio(A: Arithmetic, *, epsilon: Number) -> Any:
    """``delta_add / delta_GSHM`` of Figure 1b, up to where delta_Gaussian falls to 1e-8."""
    gaussian = study_delta_gaussian(A, sigma=least_sigma(A), epsilon=epsilon)
    return 1 + A.number(FIGURE_1B_DELTA) / gaussian


def study_epsilon(A: Arithmetic, *, delta: Number, sigma: Number | None = None) -> Number:
    """Epsilon at which delta_Gaussian is ``delta``, at the least sigma unless one is given."""
    mu = study_distance(A, sigma=least_sigma(A) if sigma is None else sigma)
    return gaussian_epsilon(A, mu=mu, delta=delta)


# --- other columns ----------------------------------------------------------------------------------------------------


def mu_o_for(A: Arithmetic, *, delta_o: Fraction) -> Number:
    """mu_o whose share ``f(sqrt(C_u) mu_o, 0.349)`` of delta_Gaussian is ``delta_o``."""
    return gaussian_mu(A, epsilon=EPSILON_STUDY, delta=delta_o) / A.sqrt(A.number(C_U_STUDY))


def limiting_ratio(A: Arithmetic, *, mu_o: Number) -> Number:
    """Limit of ``gap_ratio`` as sigma grows: the noise on counts then costs nothing, the other columns delta_o."""
    mu_o = A.number(mu_o)
    spent = gaussian_profile(A, A.number(EPSILON_STUDY), A.sqrt(A.number(C_U_STUDY)) * mu_o)
    return rows_quantile(A, delta=A.number(DELTA_STUDY) - spent) / rows_quantile(A, delta=DELTA_STUDY)
