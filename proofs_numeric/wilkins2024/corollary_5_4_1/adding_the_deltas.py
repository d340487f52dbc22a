"""Corollary 5.4.1: adding the deltas against taking their maximum."""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.profiles import AtThreshold, SparseRows
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, budgets_of
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.collapse import LARGER_DELTA_IS_A_TERM, each_second, no_third
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *
from proofs_numeric.wilkins2024.theorem_5_4.rows_above import at_loss, beta, earlier, grows, later, rise, third_beyond
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import branch_and_bound_maximum


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


theta = symbol("theta")
_top = profile(epsilon, mu)
_share_of_top, _odds_of_share = theta * _top, 1 / (1 - theta * _top)
_SOME_DELTA = (_top, positive())
_ODDS_ABOVE_ONE = product_of(_odds_of_share, (_share_of_top, product_of(theta, _SOME_DELTA)))
_LOST_AT_SHARE = product_of(1 / c_u, (log(_odds_of_share), Increasing("log", lift(1), _odds_of_share, _ODDS_ABOVE_ONE)))
_AT_SHARE = (c_u, log(_odds_of_share) / c_u, mu**2 / c_u, _LOST_AT_SHARE)
"""Rows, ``L`` at which ``delta_infinite = theta delta_Gaussian``, the squared distance a row, and that L > 0."""
_NEW_ROWS_LESS = product_of(1 - theta, _SOME_DELTA)
_SECOND_LESS, _THIRD_LESS = (
    Through(
        maximum(_share_of_top, _top), each(*_AT_SHARE), largest_of((_share_of_top, _NEW_ROWS_LESS), (_top, Symbolic()))
    )
    for each in (each_second, no_third)
)

p = symbol("p")
_chance = Phi(gap / sigma)
_of_beta = 1 - p**a_equal + p**a_equal * profile(epsilon - log(p**a_equal), mu)
"""(A.11) at ``p = Phi(t)``, ``beta = p^a_=``."""
_rises, _falls = profile(epsilon, mu + rise) - _top, _top - profile(later, mu)
_FALLS = ByClaim("wilkins2024.sec7.mono", {"epsilon": epsilon, "epsilon_2": later})
_loss_of_rows, _star = a_equal * loss_rate, distance(rows=a_equal + a_plus)

_ROWS = Parameter("a_equal", "rows at the threshold", "rows", 0, 1000, integer=True, log=True)
_TERMS = Box(
    (
        EPSILON, _ROWS, Parameter("a_plus", "rows above it", "rows", 1, 1000, integer=True, log=True),
        Parameter("sigma", SIGMA.description, "counts", "1/10", 1000, log=True),
        Parameter("gap", "tau* - tau", "counts", -10, 1000), Parameter("mu_o", MU_O.description, upper=10),
    )
)  # fmt: skip
_PROFILE, _LOG_BETA = Box((EPSILON, MU)), Box((A_EQUAL, SIGMA, GAP))
_SOME_OF_ROWS = (delta_gaussian, positive(mu=distance(rows=c_u)))
"""Of all rows above the threshold."""

CLAIMS = (
    stated(
        "cor5.4.1.lb", "Corollary 5.4.1", "The larger of the two deltas is a lower bound",
        r"\max(\delta_\infty,\delta_G)\le\delta",
        DeltaBound(
            formula=delta_exact, exact=branch_and_bound_maximum, by=Achieved("wilkins2024.thm5.4"),
            proof=LARGER_DELTA_IS_A_TERM,
        ),
        equation="(5.10)", domain=DOMAIN, assumptions=(INTEGER_TAU,), falls=("epsilon", "gap"), rises=("c_u", "mu_o"),
        privacy=SPARSE_HISTOGRAM, role=Role.LOWER,
        note="Both numbers are members of the maximum (5.8). Equality holds always: wilkins2024.thm5.4.collapse.",
        points=POINTS, cost=2,
    ),
    stated(
        "cor5.4.1.ub", "Corollary 5.4.1", "Adding the deltas is an upper bound", r"\delta<\delta_\infty+\delta_G",
        DeltaBound(
            formula=delta_added, exact=delta_exact, budgets=budgets_of(c_u),
            proof=replace(WITHIN_BUDGETS, end=ByClaim("wilkins2024.pf.cor1.opt.value")),
        ),
        equation="(5.10)", domain=DOMAIN, assumptions=(INTEGER_TAU,), falls=("epsilon", "gap"), rises=("c_u", "mu_o"),
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}, (2, 4, 40)),), privacy=SPARSE_HISTOGRAM,
        role=Role.UPPER, loose="by a factor of up to 2, reached where the two deltas are equal",
        partial="at most; that the bound is strict is wilkins2024.cor5.4.1.ub.strict",
        note="Strict in exact arithmetic; in floating point the smaller delta may be absorbed. May exceed 1.",
        points=POINTS,
    ),
    stated(
        "cor5.4.1.ub.strict", "Corollary 5.4.1", "Adding the deltas is always above the delta",
        r"\delta<\delta_\infty+\delta_G", delta_exact < delta_added,
        proof=largest_of((delta_infinite, product_of(_SOME_OF_ROWS)), (delta_gaussian, product_of(delta_infinite))),
        equation="(5.10)", domain=DOMAIN, assumptions=(INTEGER_TAU,), privacy=SPARSE_HISTOGRAM,
        quantity=QuantityKind.DELTA,
    ),
    stated(
        "cor5.4.1.c1", "Corollary 5.4.1", "For one row the lower bound is an equality",
        r"C_u=1:\ \delta=\max(\delta_\infty,\delta_G)",
        eq(algorithm(literal_maximum)(c_u=1), maximum(1 - Phi(gap / sigma), delta_gaussian(c_u=1))), proof=Symbolic(),
        domain=(EPSILON, SIGMA, GAP, MU_O),
    ),
    stated(
        "cor5.4.1.dG", PROOF_OF_541, "delta_Gaussian is below 1", None, _top < 1, proof=Sign(), domain=_PROFILE,
    ),
    stated(
        "cor5.4.1.dG.positive", PROOF_OF_541, "delta_Gaussian is positive", None, _top > 0,
        proof=positive(), domain=_PROFILE, note="Printed with <=.",
    ),
    stated(
        "cor5.4.1.often", "Section 5, after Corollary 5.4.1", "The minimal delta is often equal to the lower bound",
        r"\delta=\max(\delta_\infty,\delta_G)\text{ with realistic parameters}",
        Identity(delta_exact, branch_and_bound_maximum, proof=ByClaim("wilkins2024.thm5.4.collapse")), domain=DOMAIN,
        evaluates=delta_exact, note="Understated: always, not often.", points=POINTS, cost=3,
    ),
    stated(
        "cor5.4.1.free", "Section 5, after Corollary 5.4.1",
        "Thresholding is free where delta_infinite <= delta_Gaussian",
        r"\delta_\infty=\theta\delta_G,\ 0<\theta\le1\ \Rightarrow\ \delta=\delta_G",
        DeltaBound(
            _top, exact=_exact_at_share, pairs=SparseRows(*_AT_SHARE[:3]),
            proof=AtThreshold(_NEW_ROWS_LESS, _SECOND_LESS, _THIRD_LESS, (lift(0),), Symbolic(), _LOST_AT_SHARE),
        ),
        domain=(
            EPSILON, Parameter("c_u", "rows of a user", "rows", 1, 30, integer=True), BROAD_MU,
            Parameter("theta", "delta_infinite / delta_Gaussian", "ratio", upper=1, open_lower=True),
        ),
        note="Searched against the literal maximum (5.8) at the threshold that makes delta_infinite the given share.",
    ),
    stated(
        "A.11", PROOF_OF_541, "The second term written with beta",
        r"\text{second}(a_=)=1-\beta+\beta f(\mu(a_+),\epsilon-\ln\beta),\ \beta=\Phi(t)^{a_=}",
        eq(second_term, _of_beta(p=_chance, mu=distance(rows=a_plus))),
        proof=Substitute(
            Box((
                EPSILON, _ROWS, Parameter("p", "Phi(t)", upper=1, open_lower=True, open_upper=True),
                Parameter("mu", "mu(a_+)", open_lower=True),
            )),
            {"p": _chance, "mu": distance(rows=a_plus)}, Symbolic(), second_value(loss=-a_equal * log(p)), _of_beta,
        ),
        equation="(A.11)", domain=_TERMS,
    ),
    stated(
        "A.12", PROOF_OF_541, "Bound of the second term by r", r"\text{second}(a_=)\le1-\beta+\beta f(\mu^*,\epsilon)",
        second_term <= -expm1(-_loss_of_rows) + exp(-_loss_of_rows) * profile(epsilon, _star),
        proof=at_loss(
            "a_equal", product_of(beta, (_rises + _falls, sum_of((_rises, grows(epsilon)), (_falls, _FALLS)))),
            second_value, 1 - beta + beta * profile(epsilon, mu + rise),
        ),
        equation="(A.12)", domain=_TERMS, note="f grows with mu and falls with epsilon.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "A.12.third", PROOF_OF_541, "Bound of the third term by t", r"\text{third}(a_=)\le f(\mu^*,\epsilon+\ln\beta)",
        third_term <= profile(epsilon - _loss_of_rows, _star),
        proof=at_loss("a_equal", grows(earlier), third_value, third_beyond),
        equation="(A.12)", domain=_TERMS, quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "A.12.sign", PROOF_OF_541, "The sign of ln beta, as printed",
        r"\ln\beta=a_=\ln\Phi(t)<0,\quad0\le a_=\le C_u-1", -_loss_of_rows < 0, equation="(A.12)",
        by="A.12.sign.corrected", domain=_LOG_BETA,
        note="Zero at a_= = 0, which both maxima include; (A.12) needs no more than at most zero.",
    ),
    own(
        "A.12.sign.corrected", PROOF_OF_541, "The sign of ln beta", r"\ln\beta=a_=\ln\Phi(t)\le0", -_loss_of_rows <= 0,
        proof=Sign(), domain=_LOG_BETA,
    ),
    stated(
        "pf.cor1.opt.value", PROOF_OF_541, "The value of r at a_= = C_u is below the sum",
        r"\delta_\infty+(1-\delta_\infty)\delta_G<\delta_\infty+\delta_G",
        delta_infinite + (1 - delta_infinite) * delta_gaussian < delta_added,
        proof=product_of(delta_infinite, _SOME_OF_ROWS), domain=DOMAIN,
    ),
)  # fmt: skip
