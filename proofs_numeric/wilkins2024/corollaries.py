r"""Corollaries 5.4.1 and 5.4.2: adding the deltas against taking their maximum.

Letters: ``beta = p^a_=``, ``r(beta) = 1 - beta + beta f(mu*, epsilon)``, ``t(beta) = f(mu*, epsilon + log beta)``,
``mu* = mu(C_u)``.  The paper proves ``r >= t`` from end points and a second derivative.  Here is a shorter proof, for
every real epsilon: ``e^-epsilon (1 - f(mu, epsilon))`` has the derivative ``-e^-epsilon Phi(epsilon/mu - mu/2) < 0``,
so it is larger at ``epsilon + log beta``, which is ``1 - t > beta (1 - f(mu, epsilon)) = 1 - r`` for ``0 < beta < 1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.certify import Order
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Calibration,
    Claim,
    DeltaBound,
    Identity,
    Inequality,
    Monotonicity,
    Parameter,
    Proof,
    QuantityKind,
    Relation,
    Role,
    SpecialValue,
    SymbolicIdentity,
    Value,
)
from proofs_numeric.derivative import derivative
from proofs_numeric.special import gaussian_profile, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.verdict import Expectation
from proofs_numeric.wilkins2024.calibrations import (
    certified_order,
)
from proofs_numeric.wilkins2024.collapse import THIRD_STEPS
from proofs_numeric.wilkins2024.parameters import A_EQUAL, DELTA, EPSILON, MU, MU_O, SIGMA, ours, printed
from proofs_numeric.wilkins2024.rows_maximum import (
    branch_and_bound_maximum,
)
from proofs_numeric.wilkins2024.theorem_5_4 import (
    A9_STEP,
    A10_STEP,
    DOMAIN,
    INTEGER_TAU,
    POINTS,
    SECOND_AT_ZERO_STEP,
    THIRD_AT_ZERO_STEP,
    delta_exact,
    delta_gaussian,
    delta_infinite,
    distance,
    literal_maximum,
    loss_rate,
    profile_complement,
    second_term,
    second_value,
    third_term,
    zero,
)

# --- Corollary 5.4.1 --------------------------------------------------------------------------------------------------


def add_the_deltas(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    """``delta_infinite + delta_Gaussian`` of (5.9): an upper bound on the exact delta; may exceed 1."""
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap) + delta_gaussian(
        A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o
    )


def _gaussian(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def _one_minus_gaussian(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return 1 - gaussian_profile(A, epsilon, mu)


def _complement(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return profile_complement(A, epsilon=epsilon, mu=mu)


COMPLEMENT_STEP = SymbolicIdentity(
    "1 - f = Phi(epsilon/mu - mu/2) + e^epsilon Phi(-mu/2 - epsilon/mu)",
    _one_minus_gaussian,
    _complement,
    ("epsilon", "mu"),
    ("mu",),
    "a sum of positive terms, so f < 1",
)


def _zero_of_profile(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return A.number(0)


def _one_of_profile(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return A.number(1)


def _maximum_one_row(A: Arithmetic, *, epsilon: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return literal_maximum(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


def _larger_of_two_one_row(A: Arithmetic, *, epsilon: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return A.maximum(
        1 - normal_cdf(A, A.number(gap) / A.number(sigma)),
        delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o),
    )


# The exact delta and delta_Gaussian where delta_infinite is a share theta of delta_Gaussian: L solves
# 1 - e^(-C L) = theta f, so the first term is theta f and the terms over a_= have loss a L.


def _exact_at_share(A: Arithmetic, *, epsilon: Any, c_u: int, mu: Any, theta: Any) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    top = gaussian_profile(A, epsilon, mu)
    rate = -A.log1p(-A.number(theta) * top) / c_u
    values = [A.number(theta) * top]
    for a in range(c_u):
        loss, rest = a * rate, mu * A.sqrt(A.number(Fraction(c_u - a, c_u)))
        values.append(-A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, epsilon + loss, rest))
        values.append(gaussian_profile(A, epsilon - loss, rest))
    return A.maximum(*values)


def _gaussian_at_share(A: Arithmetic, *, epsilon: Any, c_u: int, mu: Any, theta: Any) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


# --- the functions r and t of the proof -------------------------------------------------------------------------------


def r(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    """``1 - beta + beta f(mu, epsilon)``."""
    beta = A.number(beta)
    return 1 - beta + beta * gaussian_profile(A, A.number(epsilon), A.number(mu))


def t(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    """``f(mu, epsilon + log beta)``, ``0 < beta``."""
    return gaussian_profile(A, A.number(epsilon) + A.log(A.number(beta)), A.number(mu))


def _scaled_complement(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return A.exp(-epsilon) * profile_complement(A, epsilon=epsilon, mu=mu)


def _scaled_complement_slope(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return -A.exp(-epsilon) * normal_cdf(A, epsilon / mu - mu / 2)


def _r_less_t(A: Arithmetic, *, epsilon: Any, mu: Any, loss: Any) -> Any:
    # At beta = e^-loss, so that the symbols need no logarithm.
    beta = A.exp(-loss)
    return 1 - beta + beta * gaussian_profile(A, epsilon, mu) - gaussian_profile(A, epsilon - loss, mu)


def _r_less_t_scaled(A: Arithmetic, *, epsilon: Any, mu: Any, loss: Any) -> Any:
    earlier = _scaled_complement(A, epsilon=epsilon - loss, mu=mu)
    return A.exp(epsilon - loss) * (earlier - _scaled_complement(A, epsilon=epsilon, mu=mu))


RT_STEPS = (
    COMPLEMENT_STEP,
    SymbolicIdentity(
        "d/depsilon [e^-epsilon (1 - f)] = -e^-epsilon Phi(epsilon/mu - mu/2)",
        derivative(_scaled_complement, "epsilon"),
        _scaled_complement_slope,
        ("epsilon", "mu"),
        ("mu",),
        "negative: K(epsilon) = e^-epsilon (1 - f(mu, epsilon)) decreases strictly, at every real epsilon",
    ),
    SymbolicIdentity(
        "r - t = e^(epsilon - loss) [K(epsilon - loss) - K(epsilon)] at beta = e^-loss",
        _r_less_t,
        _r_less_t_scaled,
        ("epsilon", "mu", "loss"),
        ("mu", "loss"),
        "positive for loss > 0, that is 0 < beta < 1: the factor that vanishes at beta = 1 is the difference of K",
    ),
)


def _r_at_one(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return r(A, epsilon=epsilon, mu=mu, beta=1)


def _both_at_one(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return t(A, epsilon=epsilon, mu=distance(A, rows=c_u, sigma=sigma, mu_o=mu_o), beta=1)


def _delta_infinite_of(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


def _delta_gaussian_of(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


def _r_slope(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    mu = distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)
    return derivative(r, "beta")(A, epsilon=epsilon, mu=mu, beta=1)


def _r_slope_symbolic(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    return -1 + gaussian_profile(A, epsilon, mu)


def _slope_printed(A: Arithmetic, **parameters: Any) -> Any:
    return -1 + _delta_infinite_of(A, **parameters)


def _slope_corrected(A: Arithmetic, **parameters: Any) -> Any:
    return -1 + _delta_gaussian_of(A, **parameters)


def _minus_exp(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return -A.exp(A.number(epsilon))


def _t_slope(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    return -A.exp(epsilon) * normal_cdf(A, -mu / 2 - (epsilon + A.log(A.number(beta))) / mu)


def _t_curvature(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    epsilon, mu, beta = A.number(epsilon), A.number(mu), A.number(beta)
    return normal_pdf(A, mu / 2 - (epsilon + A.log(beta)) / mu) / (beta * beta * mu)


T_SLOPE_STEP = SymbolicIdentity(
    "dt/dbeta", derivative(t, "beta"), _t_slope, ("epsilon", "mu", "beta"), ("mu", "beta"), "A.10 and the chain rule"
)
T_CURVATURE_STEP = SymbolicIdentity(
    "d2t/dbeta2 (A.14)",
    derivative(t, "beta", "beta"),
    _t_curvature,
    ("epsilon", "mu", "beta"),
    ("mu", "beta"),
    "a density over a positive number is positive: t is strictly convex on (0, 1]",
)


def _t_near_zero(A: Arithmetic, *, epsilon: Any, mu: Any, beta: Any) -> Any:
    return 1 - A.exp(A.number(epsilon)) * A.number(beta)


def _t_above_line(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return gaussian_profile(A, epsilon, mu) - (1 - A.exp(epsilon))


def _reflected(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return A.exp(epsilon) * gaussian_profile(A, -epsilon, mu)


REFLECTION_STEP = SymbolicIdentity(
    "f(mu, e) - (1 - e^e) = e^e f(mu, -e)",
    _t_above_line,
    _reflected,
    ("epsilon", "mu"),
    ("mu",),
    "positive since f > 0: f(mu, e) > 1 - e^e",
)


def _density_left(A: Arithmetic, *, x: Any, y: Any) -> Any:
    x, y = A.number(x), A.number(y)
    return A.exp(y) * normal_pdf(A, x / 2 + y / x)


def _density_right(A: Arithmetic, *, x: Any, y: Any) -> Any:
    x, y = A.number(x), A.number(y)
    return normal_pdf(A, x / 2 - y / x)


# --- (A.11), (A.12) ---------------------------------------------------------------------------------------------------


def _second(A: Arithmetic, *, epsilon: Any, a_equal: Any, a_plus: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return second_term(A, epsilon=epsilon, a_equal=a_equal, a_plus=a_plus, sigma=sigma, gap=gap, mu_o=mu_o)


def _second_in_beta(A: Arithmetic, *, epsilon: Any, a_equal: Any, a_plus: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    beta = normal_cdf(A, A.number(gap) / A.number(sigma)) ** a_equal
    mu = distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o)
    return 1 - beta + beta * gaussian_profile(A, A.number(epsilon) - A.log(beta), mu)


def _second_of_loss(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu)


def _second_of_beta(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    beta = A.exp(-loss)
    return 1 - beta + beta * gaussian_profile(A, epsilon - A.log(beta), mu)


def _second_bound(A: Arithmetic, *, epsilon: Any, a_equal: Any, a_plus: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    loss = A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)
    star = distance(A, rows=a_equal + a_plus, sigma=sigma, mu_o=mu_o)
    return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, A.number(epsilon), star)


def _third(A: Arithmetic, *, epsilon: Any, a_equal: Any, a_plus: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    return third_term(A, epsilon=epsilon, a_equal=a_equal, a_plus=a_plus, sigma=sigma, gap=gap, mu_o=mu_o)


def _third_bound(A: Arithmetic, *, epsilon: Any, a_equal: Any, a_plus: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    loss = A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)
    star = distance(A, rows=a_equal + a_plus, sigma=sigma, mu_o=mu_o)
    return gaussian_profile(A, A.number(epsilon) - loss, star)


_ROWS = (
    Parameter("a_equal", "rows at the threshold", unit="rows", lower=0, upper=1000, integer=True, log=True),
    Parameter("a_plus", "rows above it", unit="rows", lower=1, upper=1000, integer=True, log=True),
)
_TERMS = Box(
    (
        EPSILON,
        *_ROWS,
        Parameter("sigma", SIGMA.description, unit="counts", lower="1/10", upper=1000, log=True),
        Parameter("gap", "tau* - tau", unit="counts", lower=-10, upper=1000),
        Parameter("mu_o", MU_O.description, upper=10),
    )
)


def _product_bound(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any, mu_o: Any) -> Any:
    first = delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)
    return first + (1 - first) * delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


def _sum_less_product(A: Arithmetic, *, p: Any, q: Any) -> Any:
    return p + q - (p + (1 - p) * q)


def _product(A: Arithmetic, *, p: Any, q: Any) -> Any:
    return p * q


# --- f-DP decomposition, shared with the ordering of Section 7 --------------------------------------------------------


def _sum_less_term(A: Arithmetic, *, beta: Any, beta_last: Any, f_star: Any, f: Any) -> Any:
    return (1 - beta_last) + f_star - (1 - beta + beta * f)


def _sum_less_term_split(A: Arithmetic, *, beta: Any, beta_last: Any, f_star: Any, f: Any) -> Any:
    return (beta - beta_last) + (1 - beta) * f_star + beta * (f_star - f)


def _term_less_second(A: Arithmetic, *, beta: Any, f: Any, f_later: Any) -> Any:
    return (1 - beta + beta * f) - (1 - beta + beta * f_later)


def _term_less_second_split(A: Arithmetic, *, beta: Any, f: Any, f_later: Any) -> Any:
    return beta * (f - f_later)


BELOW_F_DP_STEPS = (
    *THIRD_STEPS,
    SymbolicIdentity(
        "f-DP term - second = beta (f(mu, eps) - f(mu, eps_2))",
        _term_less_second,
        _term_less_second_split,
        ("beta", "f", "f_later"),
        ("beta",),
        "not negative by A.10, as eps_2 >= eps: second <= f-DP term at every a_=; third <= second; and the first term "
        "of (5.8) is the f-DP term at a_+ = 0",
    ),
)
BELOW_SUM_STEPS = (
    A9_STEP,
    A10_STEP,
    SymbolicIdentity(
        "sum - f-DP term = (beta - p^C) + (1 - beta) f* + beta (f* - f)",
        _sum_less_term,
        _sum_less_term_split,
        ("beta", "beta_last", "f_star", "f"),
        ("beta", "beta_last", "f_star", "f"),
        "each part is >= 0: p^C <= beta <= 1, f(mu(n), eps) <= f(mu*, eps) by A.9, f > 0 by A.10; at beta = 1 the "
        "first is positive, below it the second: the sum is strictly larger",
    ),
)

# --- Corollary 5.4.2 --------------------------------------------------------------------------------------------------


def ratio_of_gaps(A: Arithmetic, *, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    """(5.11): least gap by adding the deltas over the least gap by their maximum, at ``C_u = 1``."""
    delta = A.number(delta)
    excess = delta - delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o)
    return normal_quantile_complement(A, excess) / normal_quantile_complement(A, delta)


def least_gap_adding(A: Arithmetic, *, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    """Gap at which ``delta_infinite + delta_Gaussian = delta`` for one row (counts), (A.15)."""
    excess = A.number(delta) - delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o)
    return A.number(sigma) * normal_quantile_complement(A, excess)


def least_gap_exact(A: Arithmetic, *, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    """Gap at which ``delta_infinite = delta`` for one row (counts), (A.16)."""
    return A.number(sigma) * normal_quantile_complement(A, A.number(delta))


def _gaps_divided(A: Arithmetic, **parameters: Any) -> Any:
    return least_gap_adding(A, **parameters) / least_gap_exact(A, **parameters)


def _added(A: Arithmetic, *, value: Any, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    return add_the_deltas(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=value, mu_o=mu_o)


def _exact(A: Arithmetic, *, value: Any, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    return delta_exact(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=value, mu_o=mu_o)


def _order_of_delta(epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> Order:
    return certified_order(
        lambda A, **p: A.number(p["delta"]),
        lambda A, **p: delta_gaussian(A, epsilon=p["epsilon"], c_u=1, sigma=p["sigma"], mu_o=p["mu_o"]),
        {"epsilon": epsilon, "delta": delta, "sigma": sigma, "mu_o": mu_o},
    )


def _no_ratio(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if delta == Fraction(1, 2):
        return SpecialValue("undefined", "at delta = 1/2 the exact least gap is 0: (5.11) divides by zero")
    order = _order_of_delta(epsilon, delta, sigma, mu_o)
    if order is Order.LESS:
        return SpecialValue("undefined", "delta is below delta_Gaussian: no threshold meets it either way")
    if order is not Order.GREATER:
        return SpecialValue("infinity", "delta equals delta_Gaussian to 1024 bits: adding needs more")
    return None


def _no_added_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _order_of_delta(epsilon, delta, sigma, mu_o) is Order.GREATER:
        return None
    return SpecialValue("infinity", "delta is not above delta_Gaussian: the sum exceeds it at every threshold")


def _no_exact_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _order_of_delta(epsilon, delta, sigma, mu_o) is not Order.LESS:
        return None
    return SpecialValue("infinity", "delta is below delta_Gaussian: the noise alone exceeds it at every threshold")


def _one_of_ratio(A: Arithmetic, *, epsilon: Any, delta: Any, sigma: Any, mu_o: Any) -> Any:
    return A.number(1)


def _ratio_near_gaussian(A: Arithmetic, *, epsilon: Any, sigma: Any, eta: Any) -> Any:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    eta = A.number(eta)
    return normal_quantile_complement(A, eta) / normal_quantile_complement(A, top + eta)


def _ratio_lower(A: Arithmetic, *, epsilon: Any, sigma: Any, eta: Any) -> Any:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    return normal_quantile_complement(A, A.number(eta)) / normal_quantile_complement(A, top)


def _upper_tail(A: Arithmetic, *, z: Any) -> Any:
    return normal_cdf(A, -z)


def _minus_density(A: Arithmetic, *, z: Any) -> Any:
    return -normal_pdf(A, z)


TAIL_STEP = SymbolicIdentity(
    "d/dz Phi(-z) = -phi(z)",
    derivative(_upper_tail, "z"),
    _minus_density,
    ("z",),
    (),
    "the upper tail decreases strictly, and so does its inverse Q(q) = Phi^-1(1 - q), with Q(1/2) = 0",
)


def _one_minus_cdf(A: Arithmetic, *, z: Any) -> Any:
    return 1 - normal_cdf(A, z)


POSITIVE_TAIL_STEP = SymbolicIdentity(
    "1 - Phi(z) = Phi(-z)",
    _one_minus_cdf,
    _upper_tail,
    ("z",),
    (),
    "positive, so p < 1 and delta_infinite = 1 - p^C_u > 0, while -e^epsilon <= -1 for epsilon >= 0",
)

# --- claims -----------------------------------------------------------------------------------------------------------

_RATIO_DOMAIN = Box(
    (EPSILON, DELTA, Parameter("sigma", SIGMA.description, unit="counts", lower="1e-6", upper=10**6, log=True), MU_O)
)
_BELOW_HALF = Parameter(
    "delta", "target delta", unit="probability", upper="1/2", log=True, open_lower=True, open_upper=True
)
_CORRECTED_DOMAIN = Box((EPSILON, _BELOW_HALF, SIGMA, MU_O))
_BETA = Parameter("beta", "p^a_=", unit="probability", upper=1, log=True, open_lower=True)
_INNER_BETA = Parameter("beta", "p^a_=", unit="probability", upper=1, log=True, open_lower=True, open_upper=True)
_MU = Parameter("mu", MU.description, lower="1e-3", upper=1000, log=True)
_RT = Box((EPSILON, _MU, _BETA))
_PROFILE = Box((EPSILON, MU))
_RATIO_POINTS: tuple[Mapping[str, Value], ...] = (
    {"epsilon": 1, "delta": Fraction("0.45"), "sigma": 1, "mu_o": 0},
    {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "sigma": 10, "mu_o": 0},
)
_PROOF_OF_541 = "Proof of Corollary 5.4.1"


def _log_beta(A: Arithmetic, *, a_equal: Any, sigma: Any, gap: Any) -> Any:
    return -(A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap))


_LOG_BETA = Box((A_EQUAL, SIGMA, DOMAIN["gap"]))

CLAIMS = (
    Claim(
        id="wilkins2024.cor5.4.1.lb",
        source=printed("Corollary 5.4.1", "(5.10)"),
        title="The larger of the two deltas is a lower bound",
        statement=r"\max(\delta_\infty,\delta_G)\le\delta",
        kind=DeltaBound(
            formula=delta_exact,
            exact=branch_and_bound_maximum,
            proof=Proof((SECOND_AT_ZERO_STEP, THIRD_AT_ZERO_STEP)),
        ),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        quantity=QuantityKind.DELTA,
        role=Role.LOWER,
        note="Both numbers are members of the maximum (5.8). Equality holds always: wilkins2024.thm5.4.collapse.",
        points=POINTS,
        cost=2,
    ),
    Claim(
        id="wilkins2024.cor5.4.1.ub",
        source=printed("Corollary 5.4.1", "(5.10)"),
        title="Adding the deltas is an upper bound",
        statement=r"\delta<\delta_\infty+\delta_G",
        kind=DeltaBound(formula=add_the_deltas, exact=delta_exact, proof=Proof((*BELOW_F_DP_STEPS, *BELOW_SUM_STEPS))),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        loose="by a factor of up to 2, reached where the two deltas are equal",
        note="Strict in exact arithmetic; in floating point the smaller delta may be absorbed. May exceed 1.",
        points=POINTS,
    ),
    Claim(
        id="wilkins2024.cor5.4.1.c1",
        source=printed("Corollary 5.4.1"),
        title="For one row the lower bound is an equality",
        statement=r"C_u=1:\ \delta=\max(\delta_\infty,\delta_G)",
        kind=Identity(_maximum_one_row, _larger_of_two_one_row, proof=Proof((SECOND_AT_ZERO_STEP, THIRD_AT_ZERO_STEP))),
        domain=Box((EPSILON, SIGMA, DOMAIN["gap"], MU_O)),
    ),
    Claim(
        id="wilkins2024.cor5.4.1.dG",
        source=printed(_PROOF_OF_541),
        title="delta_Gaussian is below 1",
        statement=r"\delta_G<1",
        kind=Inequality(_gaussian, _one_of_profile, Relation.LESS, proof=Proof((COMPLEMENT_STEP,))),
        domain=_PROFILE,
    ),
    Claim(
        id="wilkins2024.cor5.4.1.dG.positive",
        source=printed(_PROOF_OF_541),
        title="delta_Gaussian is positive",
        statement=r"0<\delta_G",
        kind=Inequality(_zero_of_profile, _gaussian, Relation.LESS, proof=Proof((A10_STEP,))),
        domain=_PROFILE,
        note="Printed with <=.",
    ),
    Claim(
        id="wilkins2024.cor5.4.1.often",
        source=printed("Section 5, after Corollary 5.4.1"),
        title="The minimal delta is often equal to the lower bound",
        statement=r"\delta=\max(\delta_\infty,\delta_G)\text{ with realistic parameters}",
        kind=Identity(
            delta_exact,
            branch_and_bound_maximum,
            proof=Proof((ByClaim("wilkins2024.thm5.4.collapse", "the bound is an equality for all parameters"),)),
        ),
        domain=DOMAIN,
        evaluates=delta_exact,
        note="Understated: always, not often.",
        points=POINTS,
        cost=3,
    ),
    Claim(
        id="wilkins2024.cor5.4.1.free",
        source=printed("Section 5, after Corollary 5.4.1"),
        title="Thresholding is free where delta_infinite <= delta_Gaussian",
        statement=r"\delta_\infty=\theta\delta_G,\ 0<\theta\le1\ \Rightarrow\ \delta=\delta_G",
        kind=Identity(
            _exact_at_share,
            _gaussian_at_share,
            proof=Proof((ByClaim("wilkins2024.thm5.4.collapse", "delta = max(delta_infinite, delta_Gaussian)"),)),
        ),
        domain=Box(
            (
                EPSILON,
                Parameter("c_u", "rows of a user", unit="rows", lower=1, upper=30, integer=True),
                _MU,
                Parameter("theta", "delta_infinite / delta_Gaussian", unit="ratio", upper=1, open_lower=True),
            )
        ),
        note="The left side is the literal maximum (5.8) at the threshold that makes delta_infinite the given share.",
    ),
    Claim(
        id="wilkins2024.A.11",
        source=printed(_PROOF_OF_541, "(A.11)"),
        title="The second term written with beta",
        statement=r"\text{second}(a_=)=1-\beta+\beta f(\mu(a_+),\epsilon-\ln\beta),\ \beta=\Phi(t)^{a_=}",
        kind=Identity(
            _second,
            _second_in_beta,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "second = 1 - beta + beta f(mu, eps - log beta) at beta = e^-loss",
                        _second_of_loss,
                        _second_of_beta,
                        ("epsilon", "loss", "mu"),
                        ("loss", "mu"),
                        "beta = p^a_= has -log beta = a_= L",
                    ),
                )
            ),
        ),
        domain=_TERMS,
    ),
    Claim(
        id="wilkins2024.A.12",
        source=printed(_PROOF_OF_541, "(A.12)"),
        title="Bound of the second term by r",
        statement=r"\text{second}(a_=)\le1-\beta+\beta f(\mu^*,\epsilon)",
        kind=Inequality(_second, _second_bound, proof=Proof((A9_STEP, A10_STEP))),
        domain=_TERMS,
        note="f grows with mu and falls with epsilon.",
    ),
    Claim(
        id="wilkins2024.A.12.third",
        source=printed(_PROOF_OF_541, "(A.12)"),
        title="Bound of the third term by t",
        statement=r"\text{third}(a_=)\le f(\mu^*,\epsilon+\ln\beta)",
        kind=Inequality(_third, _third_bound, proof=Proof((A9_STEP,))),
        domain=_TERMS,
    ),
    Claim(
        id="wilkins2024.A.12.sign",
        source=printed(_PROOF_OF_541, "(A.12)"),
        title="The sign of ln beta, as printed",
        statement=r"\ln\beta=a_=\ln\Phi(t)<0,\quad0\le a_=\le C_u-1",
        kind=Inequality(_log_beta, zero, Relation.LESS),
        domain=_LOG_BETA,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.A.12.sign.corrected",
        note="Zero at a_= = 0, which both maxima include; (A.12) needs no more than at most zero.",
    ),
    Claim(
        id="wilkins2024.A.12.sign.corrected",
        source=ours(_PROOF_OF_541),
        title="The sign of ln beta",
        statement=r"\ln\beta=a_=\ln\Phi(t)\le0",
        kind=Inequality(_log_beta, zero, proof=Proof((POSITIVE_TAIL_STEP,))),
        domain=_LOG_BETA,
    ),
    Claim(
        id="wilkins2024.pf.cor1.opt",
        source=printed(_PROOF_OF_541),
        title="r decreases in beta: its maximum is at the largest a_=",
        statement=r"r(\beta)=1-\beta+\beta f(\mu^*,\epsilon)\text{ is decreasing}",
        kind=Monotonicity(r, "beta", increasing=False, proof=Proof((COMPLEMENT_STEP,))),
        domain=_RT,
        note="dr/dbeta = -(1 - f) < 0.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.opt.value",
        source=printed(_PROOF_OF_541),
        title="The value of r at a_= = C_u is below the sum",
        statement=r"\delta_\infty+(1-\delta_\infty)\delta_G<\delta_\infty+\delta_G",
        kind=Inequality(
            _product_bound,
            add_the_deltas,
            Relation.LESS,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "difference = delta_infinite delta_Gaussian",
                        _sum_less_product,
                        _product,
                        ("p", "q"),
                        ("p", "q"),
                        "a product of positive numbers",
                    ),
                    A10_STEP,
                )
            ),
        ),
        domain=DOMAIN,
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends",
        source=printed(_PROOF_OF_541),
        title="r(1) = t(1) = delta_infinite, as printed",
        statement=r"r(1)=t(1)=\delta_\infty",
        kind=Identity(_both_at_one, _delta_infinite_of),
        domain=DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.pf.cor1.ends.corrected",
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends.corrected",
        source=ours(_PROOF_OF_541),
        title="r(1) = t(1) = delta_Gaussian",
        statement=r"r(1)=t(1)=\delta_G",
        kind=Identity(
            _both_at_one,
            _delta_gaussian_of,
            proof=Proof(
                (
                    SymbolicIdentity("r(1) = f(mu*, epsilon)", _r_at_one, _gaussian, ("epsilon", "mu"), ("mu",)),
                    SymbolicIdentity(
                        "t(1) = f(mu*, epsilon)",
                        lambda A, *, epsilon, mu: t(A, epsilon=epsilon, mu=mu, beta=1),
                        _gaussian,
                        ("epsilon", "mu"),
                        ("mu",),
                    ),
                )
            ),
        ),
        domain=DOMAIN,
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends.zero",
        source=printed(_PROOF_OF_541),
        title="r(0) = t(0) = 1",
        statement=r"1-e^{\epsilon}\beta\le t(\beta)\le1,\text{ so }t(\beta)\to1=r(0)\ (\beta\to0)",
        kind=Inequality(_t_near_zero, t, proof=Proof((REFLECTION_STEP, A10_STEP, COMPLEMENT_STEP))),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.dr",
        source=printed(_PROOF_OF_541),
        title="dr/dbeta = -1 + delta_infinite, as printed",
        statement=r"dr/d\beta=-1+\delta_\infty",
        kind=Identity(_r_slope, _slope_printed),
        domain=DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.pf.cor1.dr.corrected",
    ),
    Claim(
        id="wilkins2024.pf.cor1.dr.corrected",
        source=ours(_PROOF_OF_541),
        title="dr/dbeta = -1 + delta_Gaussian",
        statement=r"dr/d\beta=-1+\delta_G",
        kind=Identity(
            _r_slope,
            _slope_corrected,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "dr/dbeta",
                        derivative(r, "beta"),
                        _r_slope_symbolic,
                        ("epsilon", "mu", "beta"),
                        ("mu", "beta"),
                        "with mu = mu* this is -1 + delta_Gaussian",
                    ),
                )
            ),
        ),
        domain=DOMAIN,
    ),
    Claim(
        id="wilkins2024.pf.cor1.dt",
        source=printed(_PROOF_OF_541),
        title="First derivative of t",
        statement=r"dt/d\beta=-e^{\epsilon}\Phi(-\mu^*/2-(\epsilon+\ln\beta)/\mu^*)",
        kind=Identity(derivative(t, "beta"), _t_slope, proof=Proof((T_SLOPE_STEP,))),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.d0",
        source=printed(_PROOF_OF_541),
        title="The slopes at beta = 0 compared with delta_infinite",
        statement=r"-e^{\epsilon}<-1+\delta_\infty",
        kind=Inequality(_minus_exp, _slope_printed, Relation.LESS, proof=Proof((POSITIVE_TAIL_STEP,))),
        domain=DOMAIN,
        note="True, but the slope of r is -1 + delta_Gaussian: the proof needs wilkins2024.pf.cor1.d0.corrected.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.d0.corrected",
        source=ours(_PROOF_OF_541),
        title="The slopes at beta = 0 compared with delta_Gaussian",
        statement=r"-e^{\epsilon}<-1+\delta_G",
        kind=Inequality(_minus_exp, _slope_corrected, Relation.LESS, proof=Proof((REFLECTION_STEP, A10_STEP))),
        domain=DOMAIN,
        note="f > 1 - e^epsilon at every real epsilon.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.phi",
        source=printed(_PROOF_OF_541),
        title="Tilting the normal density",
        statement=r"e^y\phi(x/2+y/x)=\phi(x/2-y/x)",
        kind=Identity(
            _density_left,
            _density_right,
            proof=Proof((SymbolicIdentity("tilt", _density_left, _density_right, ("x", "y"), ("x",)),)),
        ),
        domain=Box(
            (
                Parameter("x", "distance", lower="1e-3", upper=1000, log=True),
                Parameter("y", "level", unit="nats", lower=-700, upper=700),
            )
        ),
    ),
    Claim(
        id="wilkins2024.A.14",
        source=printed(_PROOF_OF_541, "(A.14)"),
        title="Second derivative of t",
        statement=r"d^2t/d\beta^2=\phi(\mu^*/2-(\epsilon+\ln\beta)/\mu^*)/(\beta^2\mu^*)>0",
        kind=Identity(derivative(t, "beta", "beta"), _t_curvature, proof=Proof((T_CURVATURE_STEP,))),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.rt",
        source=printed(_PROOF_OF_541, "(A.13)"),
        title="r > t inside (0, 1)",
        statement=r"r(\beta)>t(\beta),\quad0<\beta<1",
        kind=Inequality(t, r, Relation.LESS, proof=Proof(RT_STEPS)),
        domain=Box((EPSILON, _MU, _INNER_BETA)),
        note="Holds for every real epsilon; the proof is not the paper's (see the module's docstring).",
    ),
    Claim(
        id="wilkins2024.cor5.4.2",
        source=printed("Corollary 5.4.2", "(5.11)"),
        title="Ratio of the least gaps for one row",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)",
        kind=Identity(
            _gaps_divided,
            ratio_of_gaps,
            proof=Proof((TAIL_STEP, SECOND_AT_ZERO_STEP, THIRD_AT_ZERO_STEP)),
        ),
        domain=_RATIO_DOMAIN,
        evaluates=ratio_of_gaps,
        special_value=_no_ratio,
        quantity=QuantityKind.RATIO,
        note="Equality in (A.15) and (A.16), solved by the inverse tail and divided. The larger gap over the smaller "
        "one only for delta_Gaussian < delta < 1/2.",
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.cor5.4.2.gt1",
        source=printed("Corollary 5.4.2"),
        title="The ratio is always greater than one, as printed",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1",
        kind=Inequality(_one_of_ratio, ratio_of_gaps, Relation.LESS),
        domain=_RATIO_DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.cor5.4.2.gt1.corrected",
        note="For delta > 1/2 the exact least gap is negative.",
    ),
    Claim(
        id="wilkins2024.cor5.4.2.gt1.corrected",
        source=ours("Corollary 5.4.2"),
        title="The ratio is greater than one for delta < 1/2",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1,\quad\delta_G<\delta<1/2",
        kind=Inequality(_one_of_ratio, ratio_of_gaps, Relation.LESS, proof=Proof((TAIL_STEP, A10_STEP))),
        domain=_CORRECTED_DOMAIN,
        note="Q(delta - delta_Gaussian) > Q(delta) > 0, as 0 < delta - delta_Gaussian < delta < 1/2. Points with delta "
        "below delta_Gaussian have no ratio and are passed over.",
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.cor5.4.2.unb",
        source=printed("Corollary 5.4.2"),
        title="The ratio can be arbitrarily large",
        statement=r"\delta=\delta_G+\eta:\ \text{ratio}\ge Q(\eta)/Q(\delta_G)\to\infty\ (\eta\to0),"
        r"\ Q(q)=\Phi^{-1}(1-q)",
        kind=Inequality(_ratio_lower, _ratio_near_gaussian, proof=Proof((TAIL_STEP,))),
        domain=Box(
            (
                EPSILON,
                Parameter("sigma", SIGMA.description, unit="counts", lower=1, upper=1000, log=True),
                Parameter("eta", "delta - delta_Gaussian", unit="probability", upper="1/10", log=True, open_lower=True),
            )
        ),
        note="sigma >= 1 keeps delta below 1/2.",
    ),
    Claim(
        id="wilkins2024.A.15",
        source=printed("Proof of Corollary 5.4.2", "(A.15)"),
        title="Least gap by adding the deltas, one row",
        statement=r"\delta-\delta_G\ge1-\Phi((\tau^*-\tau)/\sigma)",
        kind=Calibration(formula=least_gap_adding, achieved=_added),
        domain=_RATIO_DOMAIN,
        special_value=_no_added_gap,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.A.16",
        source=printed("Proof of Corollary 5.4.2", "(A.16)"),
        title="Least gap by the exact delta, one row",
        statement=r"\delta\ge1-\Phi((\tau^*-\tau)/\sigma)",
        kind=Calibration(formula=least_gap_exact, achieved=_exact),
        domain=_RATIO_DOMAIN,
        special_value=_no_exact_gap,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=_RATIO_POINTS,
    ),
)
