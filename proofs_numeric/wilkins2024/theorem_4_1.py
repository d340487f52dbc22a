r"""Theorem 4.1 and Section 4: add the deltas, its looseness, and the thresholds it is for."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from proofs_numeric.arithmetic.special import integral, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.algorithm_1 import chance
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, budgets_of
from proofs_numeric.wilkins2024.finite import row_law
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.section_2 import profile_by_definition
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *
from proofs_numeric.wilkins2024.theorem_5_4.rows_above import at_loss, beta, earlier, grows, later, rise, third_beyond

delta_added = delta_gaussian + delta_infinite
"""(4.1), (5.9): add the deltas, an upper bound on the exact delta; may exceed 1."""


def delta_added_by_definition(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    """The same by quadrature: the chance that a row at tau appears, and the hockey stick of two normals."""
    sigma, gap, mu_o = A.number(sigma), A.number(gap), A.number(mu_o)
    appears = A.sum(integral(A, normal_pdf, gap / sigma + n, gap / sigma + n + 1) for n in range(45))
    mu = A.sqrt(c_u / (sigma * sigma) + c_u * mu_o * mu_o)
    return 1 - (1 - appears) ** c_u + profile_by_definition(A, epsilon=epsilon, mu=mu)


infinite, gaussian = symbols("infinite gaussian")
_larger = maximum(infinite, gaussian)
_TWO = Box(tuple(Parameter(name, "one of the two deltas", lower="-infinity") for name in ("infinite", "gaussian")))

# --- non-integer tau --------------------------------------------------------------------------------------------------
least, slack, tau_star = symbols("least slack tau_star")
delta_at_real_tau = delta_exact(gap=tau_star - least)
"""Exact delta at ``tau = least - slack``: counts are integers, so ``least`` is the least count released."""
printed_delta_at_real_tau = delta_exact(gap=tau_star - least + slack)
"""(5.8) read literally at ``gap = tau* - tau`` with ``tau = least - slack``."""
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
rest = symbol("rest")
_all_rows = {"c_u": a_equal + a_plus}
_largest_term = maximum(delta_infinite(**_all_rows), second_term, third_term)
_infinite, _of_all_rows = -expm1(-loss - rest), profile(epsilon, mu + rise)
_other_rows = exp(-loss) * (1 - exp(-rest))
_rises, _falls = _of_all_rows - profile(epsilon, mu), profile(epsilon, mu) - profile(later, mu)
_r = 1 - exp(-loss) + exp(-loss) * profile(epsilon, mu)
_scaled = exp(-epsilon) * profile_complement
_SOME_OF_ALL = positive(mu=mu + rise)
_SHARE = factors(1 - exp(-loss), (_of_all_rows, _SOME_OF_ALL))
_LEVEL, _LOSS = Parameter("epsilon", "level"), Parameter("loss", "a_= L")
_MU = Parameter("mu", "mu(a_+)", open_lower=True)
_AT_LOSS = Box(
    (_LEVEL, _LOSS, _MU, Parameter("rise", "mu(C_u) - mu(a_+)"), Parameter("rest", "a_+ L", open_lower=True))
)
_SECOND_BELOW = sum_of(
    _other_rows, _SHARE, factors(beta, (_rises, grows(epsilon))),
    factors(beta, (_falls, ByClaim("wilkins2024.sec7.mono", {"epsilon": epsilon, "epsilon_2": later}))),
)  # fmt: skip
_BELOW_R = Substitute(
    Box((_LEVEL, _LOSS, _MU)), {"mu": mu + rise},
    product_of(exp(epsilon - loss), (_scaled(epsilon=epsilon - loss) - _scaled, Derivative("loss", "lower"))),
    third_value, _r,
)  # fmt: skip
_THIRD_BELOW = Through(third_beyond, grows(earlier), Through(_r(mu=mu + rise), _BELOW_R, sum_of(_other_rows, _SHARE)))
_ABOVE = Parameter("a_plus", "rows above tau", unit="rows", lower=1, upper=10**9, integer=True, log=True)
_BELOW_SUM = at_loss(
    "a_equal",
    largest_of(
        (_infinite, _SOME_OF_ALL), (second_value, _SECOND_BELOW), (third_value, _THIRD_BELOW)
    ),
    maximum(_infinite, second_value, third_value), _of_all_rows + _infinite, _AT_LOSS,
)  # fmt: skip

_HARD = points(
    "epsilon c_u sigma gap mu_o", ("0.349", 51914, 2228, 13947, 0), ("0.3", 3, 1, -1, 0),
    (5, 10**6, 1000, 9000, "0.0005"), (20, 20, "1.2", 9, "0.3"), (0, 100, 100, "334.8", 0),
)  # fmt: skip
_WC1, _WC1_WITHOUT = (dict.fromkeys(("k0", "k1", "k2"), count) for count in (3, 2))
_WC1_SETTINGS = {"c_u": 3, "sigma": 2, "gap": 3, "mu_o": 0, "tau": 3}

CLAIMS = (
    stated(
        "thm4.1", "Theorem 4.1", "Add the deltas",
        r"\delta \le \delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}}",
        DeltaBound(
            delta_added, oracle=delta_added_by_definition,
            oracle_points=(
                *points("epsilon c_u sigma gap mu_o", (1, 1, 2, 5, 0), ("1/2", 10, 3, 10, "1/4")), *_HARD[:2],
            ),
            exact=delta_exact, budgets=budgets_of(c_u),
            proof=replace(WITHIN_BUDGETS, end=ByClaim("wilkins2024.pf.cor1.opt.value")),
        ),
        equation="4.1", domain=DOMAIN,
        falls=("epsilon", "gap"), rises=("c_u", "mu_o"), privacy=SPARSE_HISTOGRAM,
        role=Role.UPPER, points=_HARD, assumptions=("tau is an integer, at least 1",),
        loose="up to a factor of two, where the two deltas are equal; vacuous where the sum exceeds 1",
        note="Stated for tau = 1 and m = 1 (mu_o = 0); other tau and mu_o are the generalisation (5.9).",
    ),
    chance(
        "thm4.1.pinf", "Section 4, after Theorem 4.1",
        "delta_infinite is the worst-case chance of infinite privacy loss",
        r"P(\text{one of } C_u \text{ rows at } \tau \text{ appears}) = 1 - \Phi((\tau^*-\tau)/\sigma)^{C_u}",
        (_WC1_SETTINGS, _WC1, tuple(_WC1)), delta_infinite(c_u=3, sigma=2, gap=3),
        "C_u = 3 rows of exactly tau = 3 users; without the user no row can appear (thm4.1.pinf.without).",
    ),
    chance(
        "thm4.1.pinf.without", "Section 4, after Theorem 4.1", "Without the user none of these rows can appear",
        r"P_{M(X_{-j})}(\text{some row appears}) = 0", (_WC1_SETTINGS, _WC1_WITHOUT, tuple(_WC1)), lift(0),
    ),
    stated(
        "sec4.loose", "Section 4", "Add the deltas is overly conservative",
        r"\delta < \delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}}", _largest_term < delta_added(**_all_rows),
        proof=_BELOW_SUM, domain=(EPSILON, A_EQUAL, _ABOVE, SIGMA, GAP, MU_O),
        points=tuple(
            {("a_plus" if k == "c_u" else k): v for k, v in point.items()} | {"a_equal": 0} for point in _HARD
        ),
        note="Of every term of (5.8), at a_= rows of C_u = a_= + a_+. In doubles the smaller delta can be absorbed.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "sec4.loose.two", "Section 4", "By at most a factor of two",
        r"\delta_{\mathrm{Gaussian}} + \delta_{\mathrm{infinite}} \le 2 \delta", delta_added <= 2 * delta_exact,
        proof=Substitute(
            _TWO, {"infinite": delta_infinite, "gaussian": delta_gaussian},
            sum_of(_larger - infinite, _larger - gaussian), infinite + gaussian, 2 * _larger,
        ),
        domain=DOMAIN, points=_HARD, quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "sec4.scope", "Section 4", "The result applies to arbitrary tau >= 1",
        r"\delta \le (5.8) \text{ at } \tau^* - \tau \text{ for every real } \tau \ge 1",
        delta_at_real_tau <= printed_delta_at_real_tau, by="sec4.scope.corrected",
        domain=Box(
            (EPSILON, C_U, SIGMA, _LEAST, _SLACK, TAU_STAR, MU_O),
            lambda *, least, slack, **_: Fraction(least) - Fraction(slack) >= 1, "tau = least - slack >= 1",
        ),
        points=points("epsilon c_u sigma least slack tau_star mu_o", (5, 1, 1, 2, "1/2", 5, 0)),
        note="Counts are integers, so tau = 1.5 acts as tau = 2 and (5.8) at tau* - 1.5 understates delta.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec4.scope.corrected", "Section 4", "A real tau acts as max(1, tau rounded up)",
        r"M_{\tau, \tau^*} = M_{\max(1, \lceil \tau \rceil), \tau^*}",
        FiniteStatement(_real_thresholds, acts_as_integer_tau, sizes(3, 6, 20), "counts and thresholds"),
        note="The analysis applies to integer tau >= 1; other tau are rounded up first.",
    ),
)  # fmt: skip
"""Claims of Section 4."""
