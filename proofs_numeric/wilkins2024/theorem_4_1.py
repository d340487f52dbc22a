r"""Theorem 4.1 and Section 4: add the deltas, its looseness, and the thresholds it is for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement, Inequality, Law, Relation
from proofs_numeric.statements.tactics import ByClaim, Derivative, Maximum, Part, Product, Substitute, Sum, Through
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.algorithm_1 import MECHANISM_ID, any_released
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, budgets_of
from proofs_numeric.wilkins2024.finite import row_law
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import A_EQUAL, C_U, EPSILON, GAP, MU_O, SIGMA, TAU_STAR, ours, printed
from proofs_numeric.wilkins2024.section_2 import profile_by_definition
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    delta_exact,
    delta_gaussian,
    delta_infinite,
    profile_complement,
    second_term,
    second_value,
    third_term,
    third_value,
)
from proofs_numeric.wilkins2024.theorem_5_4.rows_above import at_loss, beta, earlier, grows, later


# --- Theorem 4.1 ------------------------------------------------------------------------------------------------------
def delta_added(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    """``delta_Gaussian + delta_infinite`` of (4.1), (5.9): add the deltas; may exceed 1."""
    return delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o) + delta_infinite(
        A, c_u=c_u, sigma=sigma, gap=gap
    )


def delta_added_by_definition(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    """The same by quadrature: the chance that a row at tau appears, and the hockey stick of two normals."""
    sigma, gap, mu_o = A.number(sigma), A.number(gap), A.number(mu_o)
    appears = A.sum(integral(A, normal_pdf, gap / sigma + n, gap / sigma + n + 1) for n in range(45))
    mu = A.sqrt(c_u / (sigma * sigma) + c_u * mu_o * mu_o)
    return 1 - (1 - appears) ** c_u + profile_by_definition(A, epsilon=epsilon, mu=mu)


def twice_exact(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """Twice the exact delta."""
    return 2 * delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)


_TWO = Box(tuple(Parameter(name, "one of the two deltas", lower="-infinity") for name in ("infinite", "gaussian")))


def _sum(A: Arithmetic, *, infinite: Number, gaussian: Number) -> Number:
    return infinite + gaussian


def _gaussian(A: Arithmetic, *, gap: Number, **rest: Any) -> Any:
    return delta_gaussian(A, **rest)


def _twice_larger(A: Arithmetic, *, infinite: Number, gaussian: Number) -> Number:
    return 2 * A.maximum(infinite, gaussian)


# --- non-integer tau --------------------------------------------------------------------------------------------------
def delta_at_real_tau(
    A: Arithmetic,
    *,
    epsilon: Number,
    c_u: Number,
    sigma: Number,
    least: int,
    slack: Number,
    tau_star: Number,
    mu_o: Number,
) -> Number:
    """Exact delta at ``tau = least - slack``: counts are integers, so ``least`` is the least count released."""
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=A.number(tau_star) - least, mu_o=mu_o)


def printed_delta_at_real_tau(
    A: Arithmetic,
    *,
    epsilon: Number,
    c_u: Number,
    sigma: Number,
    least: int,
    slack: Number,
    tau_star: Number,
    mu_o: Number,
) -> Number:
    """(5.8) read literally at ``gap = tau* - tau`` with ``tau = least - slack``."""
    gap = A.number(tau_star) - least + A.number(slack)
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)


def _tau_at_least_one(*, least: Value, slack: Value, **_rest: Value) -> bool:
    return Fraction(least) - Fraction(slack) >= 1


_LEAST = Parameter("least", "least count that passes tau: tau rounded up", "counts", 1, 10**6, integer=True, log=True)
_SLACK = Parameter("slack", "tau rounded up, less tau", "counts", 0, 1, open_upper=True)
_Real = tuple[int, Fraction, Fraction, int]


def _real_thresholds(size: int) -> Iterator[_Real]:
    taus = [Fraction(n, 4) for n in range(-2, 4 * size + 1)]
    yield from product(range(size + 2), taus, (Fraction(0), Fraction(3, 2), Fraction(size)), (1, 2))


def acts_as_integer_tau(case: _Real) -> bool:
    """Algorithm 1 with real tau has the law of ``max(1, ceil(tau))`` on (count, tau, tau*, width)."""
    count, tau, tau_star, width = case
    return row_law(count, tau, tau_star, width) == row_law(count, max(1, math.ceil(tau)), tau_star, width)


# --- every term of (5.8) is below the sum -----------------------------------------------------------------------------


def _largest_term(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    rows = {"epsilon": epsilon, "a_equal": a_equal, "a_plus": a_plus, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    first = delta_infinite(A, c_u=a_equal + a_plus, sigma=sigma, gap=gap)
    return A.maximum(first, second_term(A, **rows), third_term(A, **rows))


def _added_of_rows(A: Arithmetic, *, a_equal: Number, a_plus: Number, **rest: Any) -> Any:
    return delta_added(A, c_u=a_equal + a_plus, **rest)


def _infinite(A: Arithmetic, *, loss: Number, rest: Number, **_at: Number) -> Number:
    return -A.expm1(-loss - rest)


def _second_at_loss(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, **_at: Number) -> Any:
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu)


def _third(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, **_at: Number) -> Any:
    return third_value(A, epsilon=epsilon, loss=loss, mu=mu)


def _star(_A: Arithmetic, *, mu: Number, rise: Number, **_at: Number) -> Number:
    return mu + rise


def _of_all_rows(A: Arithmetic, *, epsilon: Number, mu: Number, rise: Number, **_at: Number) -> Any:
    return gaussian_profile(A, epsilon, mu + rise)


def _sum_at_loss(A: Arithmetic, **at: Number) -> Any:
    return _of_all_rows(A, **at) + _infinite(A, **at)


def _same_level(_A: Arithmetic, *, epsilon: Number, **_at: Number) -> Number:
    return epsilon


def _rises(A: Arithmetic, *, epsilon: Number, mu: Number, rise: Number, **_at: Number) -> Any:
    return gaussian_profile(A, epsilon, mu + rise) - gaussian_profile(A, epsilon, mu)


def _falls(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, **_at: Number) -> Any:
    return gaussian_profile(A, epsilon, mu) - gaussian_profile(A, epsilon + loss, mu)


def _other_rows(A: Arithmetic, *, loss: Number, rest: Number, **_at: Number) -> Number:
    return A.exp(-loss) * (1 - A.exp(-rest))


def _appears(A: Arithmetic, *, loss: Number, **_at: Number) -> Number:
    return 1 - A.exp(-loss)


def _third_of_all_rows(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number, **_at: Number) -> Any:
    return gaussian_profile(A, epsilon - loss, mu + rise)


def _r(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return 1 - A.exp(-loss) + A.exp(-loss) * gaussian_profile(A, epsilon, mu)


def _r_of_all_rows(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number, **_at: Number) -> Any:
    return _r(A, epsilon=epsilon, loss=loss, mu=mu + rise)


def _complement_gains(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    def scaled(level: Number) -> Number:
        return A.exp(-level) * profile_complement(A, epsilon=level, mu=mu)

    return scaled(epsilon - loss) - scaled(epsilon)


def _times(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) * second(A, **at)


_POSITIVE = ByClaim("wilkins2024.thm2.2.positive", {"mu": _star})
_SHARE = Part(_times(_appears, _of_all_rows), Product((Part(_appears), Part(_of_all_rows, _POSITIVE))))
_LEVEL, _LOSS = Parameter("epsilon", "level"), Parameter("loss", "a_= L")
_MU = Parameter("mu", "mu(a_+)", open_lower=True)
_AT_LOSS = Box(
    (_LEVEL, _LOSS, _MU, Parameter("rise", "mu(C_u) - mu(a_+)"), Parameter("rest", "a_+ L", open_lower=True))
)
_SECOND_BELOW = Sum(
    (
        Part(_other_rows),
        _SHARE,
        Part(_times(beta, _rises), Product((Part(beta), Part(_rises, grows(_same_level))))),
        Part(
            _times(beta, _falls),
            Product(
                (
                    Part(beta),
                    Part(_falls, ByClaim("wilkins2024.sec7.mono", {"epsilon": _same_level, "epsilon_2": later})),
                )
            ),
        ),
    )
)
_BELOW_R = Substitute(
    Box((_LEVEL, _LOSS, _MU)),
    {"mu": _star},
    Product(
        (
            Part(lambda A, *, epsilon, loss, mu: A.exp(epsilon - loss)),
            Part(_complement_gains, Derivative("loss", "lower")),
        )
    ),
    _third,
    _r,
)
_THIRD_BELOW = Through(
    _third_of_all_rows, grows(earlier), Through(_r_of_all_rows, _BELOW_R, Sum((Part(_other_rows), _SHARE)))
)
_ABOVE = Parameter("a_plus", "rows above tau", unit="rows", lower=1, upper=10**9, integer=True, log=True)
_BELOW_SUM = at_loss(
    "a_equal",
    Maximum((Part(_infinite, _POSITIVE), Part(_second_at_loss, _SECOND_BELOW), Part(_third, _THIRD_BELOW))),
    lambda A, **at: A.maximum(_infinite(A, **at), _second_at_loss(A, **at), _third(A, **at)),
    _sum_at_loss,
    _AT_LOSS,
)


_DOMAIN = Box((EPSILON, C_U, SIGMA, GAP, MU_O))
_HARD: tuple[Mapping[str, Value], ...] = (
    {"epsilon": "0.349", "c_u": 51914, "sigma": 2228, "gap": 13947, "mu_o": 0},
    {"epsilon": "0.3", "c_u": 3, "sigma": 1, "gap": -1, "mu_o": 0},
    {"epsilon": 5, "c_u": 10**6, "sigma": 1000, "gap": 9000, "mu_o": "0.0005"},
    {"epsilon": 20, "c_u": 20, "sigma": "1.2", "gap": 9, "mu_o": "0.3"},
    {"epsilon": 0, "c_u": 100, "sigma": 100, "gap": "334.8", "mu_o": 0},
)
_WC1 = {"k0": 3, "k1": 3, "k2": 3}
_WC1_SETTINGS = {"c_u": 3, "sigma": 2, "gap": 3, "mu_o": 0, "tau": 3}

CLAIMS = (
    Claim(
        id="wilkins2024.thm4.1",
        source=printed("Theorem 4.1", "4.1"),
        title="Add the deltas",
        statement=r"\delta \le \delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}}",
        kind=DeltaBound(
            delta_added,
            oracle=delta_added_by_definition,
            oracle_points=(
                {"epsilon": 1, "c_u": 1, "sigma": 2, "gap": 5, "mu_o": 0},
                {"epsilon": "1/2", "c_u": 10, "sigma": 3, "gap": 10, "mu_o": "1/4"},
                {"epsilon": "0.349", "c_u": 51914, "sigma": 2228, "gap": 13947, "mu_o": 0},
                {"epsilon": "0.3", "c_u": 3, "sigma": 1, "gap": -1, "mu_o": 0},
            ),
            exact=delta_exact,
            budgets=budgets_of(parameter_named("c_u")),
            proof=replace(WITHIN_BUDGETS, end=ByClaim("wilkins2024.pf.cor1.opt.value")),
        ),
        domain=_DOMAIN,
        falls=("epsilon", "gap"),
        rises=("c_u", "mu_o"),
        privacy=SPARSE_HISTOGRAM,
        role=Role.UPPER,
        points=_HARD,
        assumptions=("tau is an integer, at least 1",),
        loose="up to a factor of two, where the two deltas are equal; vacuous where the sum exceeds 1",
        note="Stated for tau = 1 and m = 1 (mu_o = 0); other tau and mu_o are the generalisation (5.9).",
    ),
    Claim(
        id="wilkins2024.thm4.1.pinf",
        source=printed("Section 4, after Theorem 4.1"),
        title="delta_infinite is the worst-case chance of infinite privacy loss",
        statement=r"P(\text{one of } C_u \text{ rows at } \tau \text{ appears}) = 1 - \Phi((\tau^*-\tau)/\sigma)^{C_u}",
        kind=Law(
            MECHANISM_ID,
            _WC1_SETTINGS,
            _WC1,
            partial(any_released, tuple(_WC1)),
            partial(delta_infinite, c_u=3, sigma=2, gap=3),
        ),
        quantity=QuantityKind.PROBABILITY,
        note="C_u = 3 rows of exactly tau = 3 users; without the user no row can appear (thm4.1.pinf.without).",
    ),
    Claim(
        id="wilkins2024.thm4.1.pinf.without",
        source=printed("Section 4, after Theorem 4.1"),
        title="Without the user none of these rows can appear",
        statement=r"P_{M(X_{-j})}(\text{some row appears}) = 0",
        kind=Law(
            MECHANISM_ID,
            _WC1_SETTINGS,
            {key: count - 1 for key, count in _WC1.items()},
            partial(any_released, tuple(_WC1)),
            lambda A: A.number(0),
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec4.loose",
        source=printed("Section 4"),
        title="Add the deltas is overly conservative",
        statement=r"\delta < \delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}}",
        kind=Inequality(_largest_term, _added_of_rows, Relation.LESS, _BELOW_SUM),
        domain=Box((EPSILON, A_EQUAL, _ABOVE, SIGMA, GAP, MU_O)),
        points=tuple(
            {("a_plus" if k == "c_u" else k): v for k, v in point.items()} | {"a_equal": 0} for point in _HARD
        ),
        note="Of every term of (5.8), at a_= rows of C_u = a_= + a_+. In doubles the smaller delta can be absorbed.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec4.loose.two",
        source=printed("Section 4"),
        title="By at most a factor of two",
        statement=r"\delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}} \le 2 \delta",
        kind=Inequality(
            delta_added,
            twice_exact,
            proof=Substitute(
                _TWO,
                {
                    "infinite": lambda A, *, c_u, sigma, gap, **_rest: delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap),
                    "gaussian": _gaussian,
                },
                Sum(
                    (
                        Part(lambda A, *, infinite, gaussian: A.maximum(infinite, gaussian) - infinite),
                        Part(lambda A, *, infinite, gaussian: A.maximum(infinite, gaussian) - gaussian),
                    )
                ),
                _sum,
                _twice_larger,
            ),
        ),
        domain=_DOMAIN,
        points=_HARD,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec4.scope",
        source=printed("Section 4"),
        title="The result applies to arbitrary tau >= 1",
        statement=r"\delta \le (5.8) \text{ at } \tau^* - \tau \text{ for every real } \tau \ge 1",
        kind=Inequality(delta_at_real_tau, printed_delta_at_real_tau),
        domain=Box(
            (EPSILON, C_U, SIGMA, _LEAST, _SLACK, TAU_STAR, MU_O), _tau_at_least_one, "tau = least - slack >= 1"
        ),
        points=({"epsilon": 5, "c_u": 1, "sigma": 1, "least": 2, "slack": "1/2", "tau_star": 5, "mu_o": 0},),
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.sec4.scope.corrected",
        note="Counts are integers, so tau = 1.5 acts as tau = 2 and (5.8) at tau* - 1.5 understates delta.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec4.scope.corrected",
        source=ours("Section 4"),
        title="A real tau acts as max(1, tau rounded up)",
        statement=r"M_{\tau, \tau^*} = M_{\max(1, \lceil \tau \rceil), \tau^*}",
        kind=FiniteStatement(
            _real_thresholds, acts_as_integer_tau, {"quick": 3, "standard": 6, "deep": 20}, "counts and thresholds"
        ),
        note="The analysis applies to integer tau >= 1; other tau are rounded up first.",
    ),
)
"""Claims of Section 4."""
