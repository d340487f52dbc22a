"""Corollary 5.4.1: adding the deltas against taking their maximum."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.expression import lift, log, maximum, product_of, profile, symbol
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Turn
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import DeltaBound, Identity, Inequality, Relation
from proofs_numeric.statements.profiles import AtThreshold, SparseRows
from proofs_numeric.statements.tactics import (
    ByClaim,
    Increasing,
    Maximum,
    Part,
    Product,
    Sign,
    Substitute,
    Sum,
    Symbolic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, budgets_of
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import (
    A_EQUAL,
    BROAD_MU,
    EPSILON,
    MU,
    MU_O,
    PROOF_OF_541,
    SIGMA,
    c_u,
    epsilon,
    mu,
    ours,
    printed,
)
from proofs_numeric.wilkins2024.theorem_5_4.collapse import LARGER_DELTA_IS_A_TERM, each_second, no_row, no_third
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    INTEGER_TAU,
    POINTS,
    delta_exact,
    delta_gaussian,
    delta_infinite,
    distance,
    literal_maximum,
    loss_rate,
    second_term,
    second_value,
    third_term,
    third_value,
)
from proofs_numeric.wilkins2024.theorem_5_4.rows_above import at_loss, beta, earlier, grows, later, third_beyond
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import branch_and_bound_maximum


def add_the_deltas(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    """``delta_infinite + delta_Gaussian`` of (5.9): an upper bound on the exact delta; may exceed 1."""
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap) + delta_gaussian(
        A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o
    )


def _maximum_one_row(A: Arithmetic, *, epsilon: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    return literal_maximum(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


def _larger_of_two_one_row(A: Arithmetic, *, epsilon: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    return A.maximum(
        1 - normal_cdf(A, A.number(gap) / A.number(sigma)),
        delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o),
    )


def _exact_at_share(A: Arithmetic, *, epsilon: Number, c_u: int, mu: Number, theta: Number) -> Number:
    epsilon, mu = A.number(epsilon), A.number(mu)
    top = gaussian_profile(A, epsilon, mu)
    rate = -A.log1p(-A.number(theta) * top) / c_u
    values = [A.number(theta) * top]
    for a in range(c_u):
        loss, rest = a * rate, mu * A.sqrt(A.number(Fraction(c_u - a, c_u)))
        values.append(-A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, epsilon + loss, rest))
        values.append(gaussian_profile(A, epsilon - loss, rest))
    return A.maximum(*values)


def _gaussian(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


theta = symbol("theta")
_top = profile(epsilon, mu)
_share_of_top, _odds_of_share = theta * _top, 1 / (1 - theta * _top)
_larger_at_share = maximum(_share_of_top, _top)
_SOME_DELTA = (_top, ByClaim("wilkins2024.thm2.2.positive"))
_SOME_SHARE = product_of(theta, _SOME_DELTA)
_LOST_AT_SHARE = product_of(
    1 / c_u,
    (
        log(_odds_of_share),
        Increasing("log", lift(1), _odds_of_share, product_of(_odds_of_share, (_share_of_top, _SOME_SHARE))),
    ),
)
_AT_SHARE = (c_u, log(_odds_of_share) / c_u, mu**2 / c_u, _LOST_AT_SHARE)
"""Rows, ``L`` at which ``delta_infinite = theta delta_Gaussian``, the squared distance a row, and that L > 0."""
_NEW_ROWS_LESS = product_of(1 - theta, _SOME_DELTA)
_SECOND_LESS, _THIRD_LESS = (
    Through(_larger_at_share, each(*_AT_SHARE), Maximum((Part(_share_of_top, _NEW_ROWS_LESS), Part(_top, Symbolic()))))
    for each in (each_second, no_third)
)


def _second(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    return second_term(A, epsilon=epsilon, a_equal=a_equal, a_plus=a_plus, sigma=sigma, gap=gap, mu_o=mu_o)


def _second_in_beta(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    beta = normal_cdf(A, A.number(gap) / A.number(sigma)) ** a_equal
    mu = distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o)
    return 1 - beta + beta * gaussian_profile(A, A.number(epsilon) - A.log(beta), mu)


def _second_of_p(A: Arithmetic, *, epsilon: Number, a_equal: Number, p: Number, mu: Number) -> Any:
    return second_value(A, epsilon=epsilon, loss=-a_equal * A.log(p), mu=mu)


def _second_of_beta(A: Arithmetic, *, epsilon: Number, a_equal: Number, p: Number, mu: Number) -> Any:
    left = p**a_equal
    return 1 - left + left * gaussian_profile(A, epsilon - A.log(left), mu)


def _bound_of_loss(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    left = beta(A, loss=loss)
    return 1 - left + left * gaussian_profile(A, epsilon, mu + rise)


def _level(A: Arithmetic, *, epsilon: Number, **_rest: Any) -> Number:
    return epsilon


def _rises(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    return gaussian_profile(A, epsilon, mu + rise) - gaussian_profile(A, epsilon, mu)


def _falls(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    return gaussian_profile(A, epsilon, mu) - gaussian_profile(A, epsilon + loss, mu)


_FALLS = ByClaim("wilkins2024.sec7.mono", {"epsilon": _level, "epsilon_2": later})


def _second_bound(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    loss = A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)
    star = distance(A, rows=a_equal + a_plus, sigma=sigma, mu_o=mu_o)
    return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, A.number(epsilon), star)


def _third(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    return third_term(A, epsilon=epsilon, a_equal=a_equal, a_plus=a_plus, sigma=sigma, gap=gap, mu_o=mu_o)


def _third_bound(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
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


def _product_bound(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    first = delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)
    return first + (1 - first) * delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


_PROFILE = Box((EPSILON, MU))


def _log_beta(A: Arithmetic, *, a_equal: Number, sigma: Number, gap: Number) -> Number:
    return -(A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap))


_LOG_BETA = Box((A_EQUAL, SIGMA, DOMAIN["gap"]))

CLAIMS = (
    Claim(
        id="wilkins2024.cor5.4.1.lb",
        source=printed("Corollary 5.4.1", "(5.10)"),
        title="The larger of the two deltas is a lower bound",
        statement=r"\max(\delta_\infty,\delta_G)\le\delta",
        kind=DeltaBound(formula=delta_exact, exact=branch_and_bound_maximum, proof=LARGER_DELTA_IS_A_TERM),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        falls=("epsilon", "gap"),
        rises=("c_u", "mu_o"),
        privacy=SPARSE_HISTOGRAM,
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
        kind=DeltaBound(
            formula=add_the_deltas,
            exact=delta_exact,
            budgets=budgets_of(parameter_named("c_u")),
            proof=replace(WITHIN_BUDGETS, end=ByClaim("wilkins2024.pf.cor1.opt.value")),
        ),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        falls=("epsilon", "gap"),
        rises=("c_u", "mu_o"),
        moves=moves.slopes("epsilon", "gap", "c_u", "mu_o"),
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}, (2, 4, 40)),),
        privacy=SPARSE_HISTOGRAM,
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
        kind=Identity(_maximum_one_row, _larger_of_two_one_row, proof=Symbolic()),
        domain=Box((EPSILON, SIGMA, DOMAIN["gap"], MU_O)),
    ),
    Claim(
        id="wilkins2024.cor5.4.1.dG",
        source=printed(PROOF_OF_541),
        title="delta_Gaussian is below 1",
        statement=r"\delta_G<1",
        kind=Inequality(_gaussian, one, Relation.LESS, proof=Sign()),
        domain=_PROFILE,
    ),
    Claim(
        id="wilkins2024.cor5.4.1.dG.positive",
        source=printed(PROOF_OF_541),
        title="delta_Gaussian is positive",
        statement=r"0<\delta_G",
        kind=Inequality(zero, _gaussian, Relation.LESS, proof=ByClaim("wilkins2024.thm2.2.positive")),
        domain=_PROFILE,
        note="Printed with <=.",
    ),
    Claim(
        id="wilkins2024.cor5.4.1.often",
        source=printed("Section 5, after Corollary 5.4.1"),
        title="The minimal delta is often equal to the lower bound",
        statement=r"\delta=\max(\delta_\infty,\delta_G)\text{ with realistic parameters}",
        kind=Identity(delta_exact, branch_and_bound_maximum, proof=ByClaim("wilkins2024.thm5.4.collapse")),
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
        kind=DeltaBound(
            _top,
            exact=_exact_at_share,
            pairs=SparseRows(*_AT_SHARE[:3]),
            proof=AtThreshold(_NEW_ROWS_LESS, _SECOND_LESS, _THIRD_LESS, (no_row,), Symbolic(), _LOST_AT_SHARE),
        ),
        domain=Box(
            (
                EPSILON,
                Parameter("c_u", "rows of a user", unit="rows", lower=1, upper=30, integer=True),
                BROAD_MU,
                Parameter("theta", "delta_infinite / delta_Gaussian", unit="ratio", upper=1, open_lower=True),
            )
        ),
        quantity=QuantityKind.DELTA,
        note="Searched against the literal maximum (5.8) at the threshold that makes delta_infinite the given share.",
    ),
    Claim(
        id="wilkins2024.A.11",
        source=printed(PROOF_OF_541, "(A.11)"),
        title="The second term written with beta",
        statement=r"\text{second}(a_=)=1-\beta+\beta f(\mu(a_+),\epsilon-\ln\beta),\ \beta=\Phi(t)^{a_=}",
        kind=Identity(
            _second,
            _second_in_beta,
            proof=Substitute(
                Box(
                    (
                        EPSILON,
                        _ROWS[0],
                        Parameter("p", "Phi(t)", upper=1, open_lower=True, open_upper=True),
                        Parameter("mu", "mu(a_+)", open_lower=True),
                    )
                ),
                {
                    "p": lambda A, *, gap, sigma, **_rest: normal_cdf(A, A.number(gap) / A.number(sigma)),
                    "mu": lambda A, *, a_plus, sigma, mu_o, **_rest: distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o),
                },
                Symbolic(),
                _second_of_p,
                _second_of_beta,
            ),
        ),
        domain=_TERMS,
    ),
    Claim(
        id="wilkins2024.A.12",
        source=printed(PROOF_OF_541, "(A.12)"),
        title="Bound of the second term by r",
        statement=r"\text{second}(a_=)\le1-\beta+\beta f(\mu^*,\epsilon)",
        kind=Inequality(
            _second,
            _second_bound,
            proof=at_loss(
                "a_equal",
                Product(
                    (
                        Part(beta),
                        Part(
                            lambda A, **at: _rises(A, **at) + _falls(A, **at),
                            Sum((Part(_rises, grows(_level)), Part(_falls, _FALLS))),
                        ),
                    )
                ),
                second_value,
                _bound_of_loss,
            ),
        ),
        domain=_TERMS,
        note="f grows with mu and falls with epsilon.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.A.12.third",
        source=printed(PROOF_OF_541, "(A.12)"),
        title="Bound of the third term by t",
        statement=r"\text{third}(a_=)\le f(\mu^*,\epsilon+\ln\beta)",
        kind=Inequality(_third, _third_bound, proof=at_loss("a_equal", grows(earlier), third_value, third_beyond)),
        domain=_TERMS,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.A.12.sign",
        source=printed(PROOF_OF_541, "(A.12)"),
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
        source=ours(PROOF_OF_541),
        title="The sign of ln beta",
        statement=r"\ln\beta=a_=\ln\Phi(t)\le0",
        kind=Inequality(_log_beta, zero, proof=Sign()),
        domain=_LOG_BETA,
    ),
    Claim(
        id="wilkins2024.pf.cor1.opt.value",
        source=printed(PROOF_OF_541),
        title="The value of r at a_= = C_u is below the sum",
        statement=r"\delta_\infty+(1-\delta_\infty)\delta_G<\delta_\infty+\delta_G",
        kind=Inequality(
            _product_bound,
            add_the_deltas,
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, c_u, sigma, gap, **_rest: delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)),
                    Part(
                        lambda A, *, epsilon, c_u, sigma, mu_o, **_rest: delta_gaussian(
                            A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o
                        ),
                        ByClaim(
                            "wilkins2024.thm2.2.positive",
                            {
                                "mu": lambda A, *, c_u, sigma, mu_o, **_rest: distance(
                                    A, rows=c_u, sigma=sigma, mu_o=mu_o
                                )
                            },
                        ),
                    ),
                )
            ),
        ),
        domain=DOMAIN,
    ),
)
