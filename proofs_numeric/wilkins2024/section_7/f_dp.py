r"""Section 7: the analysis by f-DP composition (7.1), and how it stands to the exact delta.

The distance between the two comes from one relaxation: the rows at the threshold are taken for a general
``(0, 1 - beta)``-DP mechanism, ``beta = p^a_=``.  Their true trade-off function is ``beta (1 - alpha)`` in one order,
and with it f-DP composition gives the second term of (5.8) exactly (``wilkins2024.sec7.true_tradeoff``).
"""

import math
from collections.abc import Iterator
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Turn
from proofs_numeric.statements.kinds import (
    DeltaBound,
    Editorial,
    FiniteStatement,
    Identity,
    Inequality,
    Monotonicity,
    Relation,
)
from proofs_numeric.statements.tactics import (
    Boxes,
    ByClaim,
    Given,
    Largest,
    Maximum,
    Part,
    Product,
    Sign,
    Slope,
    Sum,
    Symbolic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.appendix_a_3 import gaussian_conjugate
from proofs_numeric.wilkins2024.corollary_5_4_1.adding_the_deltas import add_the_deltas
from proofs_numeric.wilkins2024.lemma_5_2 import epsilon_2
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import C_U, EPSILON, MU, MU_O, SIGMA, ours, printed
from proofs_numeric.wilkins2024.section_2 import EVERYWHERE, profile
from proofs_numeric.wilkins2024.theorem_5_4.collapse import no_row
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    INTEGER_TAU,
    ORACLE_POINTS,
    POINTS,
    delta_exact,
    delta_gaussian,
    delta_infinite,
    distance,
    hockey_stick_by_quadrature,
    literal_terms,
    loss_rate,
    second_value,
)
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import largest_over_rows

# --- Theorem 7.1 ------------------------------------------------------------------------------------------------------


def f_dp_value(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """``1 - beta + beta f(mu, epsilon)`` with ``beta = e^-loss``."""
    return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, epsilon, mu)


def f_dp_term(
    A: Arithmetic, *, epsilon: Number, a_equal: Number, a_plus: Number, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    """The number under the maximum of (7.1) at ``a_equal`` rows at the threshold and ``a_plus > 0`` above it."""
    loss = A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)
    return f_dp_value(A, epsilon=A.number(epsilon), loss=loss, mu=distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o))


def f_dp_terms(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Iterator[Any]:
    """Every number under the maximum of (7.1), ``a_+ = 0`` first, with ``f(0, epsilon) = 0``: ``C_u + 1`` of them."""
    yield delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)
    for a in range(c_u):
        yield f_dp_term(A, epsilon=epsilon, a_equal=a, a_plus=c_u - a, sigma=sigma, gap=gap, mu_o=mu_o)


def literal_f_dp(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """(7.1) as printed, term by term in O(C_u); ``epsilon >= 0``."""
    return A.maximum(*f_dp_terms(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o))


def f_dp_at(A: Arithmetic, a_equal: int, *, c_u: int, **at: Any) -> Any:
    """The term at ``a_equal`` rows at the threshold, from 0 to ``c_u - 1``."""
    return f_dp_term(A, a_equal=a_equal, a_plus=c_u - a_equal, **at)


def delta_f_dp(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """Delta of (7.1): an upper bound on the exact delta; certified branch and bound over ``a_=``, any ``C_u``.

    Domain as for Theorem 5.4, ``epsilon >= 0``.  Source: wilkins2024 Theorem 7.1.
    """
    at: dict[str, Any] = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    return A.maximum(
        delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap), largest_over_rows(A, f_dp_at, ((0, True),), **at)
    )


def f_dp_by_quadrature(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """(7.1) from its dominating pair: an atom of mass ``1 - p^a`` on each side, else the Gaussian pair, integrated."""
    p = normal_cdf(A, A.number(gap) / A.number(sigma))
    values = [1 - p**c_u]
    for a in range(c_u):
        mu = A.sqrt((c_u - a) * (A.number(sigma) ** -2 + A.number(mu_o) ** 2))
        inner = hockey_stick_by_quadrature(A, epsilon=epsilon, mu=mu, weight=A.number(1))
        values.append(1 - p**a + p**a * inner)
    return A.maximum(*values)


def _total_variation_of(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return 2 * normal_cdf(A, A.number(mu) / 2) - 1


def _epsilon_1(A: Arithmetic, *, epsilon: Number, a_equal: Number, sigma: Number, gap: Number) -> Number:
    return A.number(epsilon)


def _linear_terms(c_u: int) -> bool:
    point = {"epsilon": 1.0, "sigma": 2.0, "gap": 5.0, "mu_o": 0.0}
    printed_terms = sum(1 for term_of in f_dp_terms(Float64(), c_u=c_u, **point))
    exact_terms = sum(1 for term_of in literal_terms(Float64(), c_u=c_u, **point))
    return (printed_terms, exact_terms) == (c_u + 1, 2 * c_u + 1)


# --- the gap between (7.1) and (5.8) ----------------------------------------------------------------------------------


def _ends(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    rest = {"epsilon": epsilon, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    return A.maximum(delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap), f_dp_term(A, a_equal=0, a_plus=c_u, **rest))


def _one_row_exact(A: Arithmetic, *, epsilon: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    return delta_exact(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


def _one_row_f_dp(A: Arithmetic, *, epsilon: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    return literal_f_dp(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=gap, mu_o=mu_o)


_CASE: dict[str, Any] = {"epsilon": 0, "c_u": 100, "mu_o": 0}


def _interior_exact(A: Arithmetic, *, sigma: Number, gap: Number) -> Number:
    return delta_exact(A, sigma=sigma, gap=gap, **_CASE)


def _interior_f_dp(A: Arithmetic, *, sigma: Number, gap: Number) -> Any:
    return f_dp_term(A, epsilon=0, a_equal=75, a_plus=25, sigma=sigma, gap=gap, mu_o=0)


def _interior_exact_scaled(A: Arithmetic, *, sigma: Number, gap: Number) -> Number:
    return A.number("6/5") * _interior_exact(A, sigma=sigma, gap=gap)


_INTERIOR = Box(
    (
        Parameter("sigma", SIGMA.description, unit="counts", lower="99.9", upper="100.1"),
        Parameter("gap", "tau* - tau", unit="counts", lower="334.6", upper="335"),
    )
)


def _twice_exact(A: Arithmetic, **parameters: Any) -> Number:
    return 2 * delta_exact(A, **parameters)


def _equal_deltas_sum(A: Arithmetic, *, epsilon: Number, c_u: Number, mu: Number) -> Any:
    # L chosen so that delta_infinite = delta_Gaussian.
    top = profile(A, epsilon=epsilon, mu=mu)
    rate = -A.log1p(-top) / c_u
    return -A.expm1(-(c_u * rate)) + top


def _equal_deltas_twice(A: Arithmetic, *, epsilon: Number, c_u: Number, mu: Number) -> Any:
    return 2 * profile(A, epsilon=epsilon, mu=mu)


def _true_composition(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Number:
    # The composed trade-off is beta f_mu, so 1 + (beta f)^*(-e^eps) = 1 + beta f^*(-e^(eps + loss)).
    epsilon, loss = A.number(epsilon), A.number(loss)
    return 1 + A.exp(-loss) * gaussian_conjugate(A, level=epsilon + loss, mu=mu)


def _second_term(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    return second_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def first_of(A: Arithmetic, *, c_u: Number, sigma: Number, gap: Number, **_rest: Number) -> Any:
    """The first term, whatever else is given."""
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


def gaussian_of(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, mu_o: Number, **_rest: Number) -> Any:
    """``delta_Gaussian``, whatever else is given."""
    return delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


def term_of(A: Arithmetic, *, place: int, **at: Any) -> Any:
    """The term at ``place`` rows at the threshold."""
    return f_dp_at(A, place, **at)


BELOW_F_DP = Largest(
    "place", Maximum((Part(first_of, Symbolic()), Part(gaussian_of, Through(term_of, Given(), Symbolic())))), (no_row,)
)
"""The exact delta is the larger of the first term and the one without a row at the threshold."""


def _distance_left(A: Arithmetic, *, place: int, c_u: int, sigma: Number, mu_o: Number, **_rest: Number) -> Any:
    return distance(A, rows=c_u - place, sigma=sigma, mu_o=mu_o)


def distance_of_all(A: Arithmetic, *, c_u: int, sigma: Number, mu_o: Number, **_rest: Number) -> Any:
    """``mu(C_u)``."""
    return distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)


def _unit(A: Arithmetic, *, sigma: Number, mu_o: Number, **_rest: Number) -> Any:
    return distance(A, rows=1, sigma=sigma, mu_o=mu_o)


def _more_of_all(A: Arithmetic, *, place: int, c_u: int, **_rest: Number) -> Any:
    return A.sqrt(A.number(c_u)) - A.sqrt(A.number(c_u) - place)


def _lost(A: Arithmetic, *, place: int, sigma: Number, gap: Number, **_rest: Number) -> Any:
    """``a L``."""
    return place * loss_rate(A, sigma=sigma, gap=gap)


def _kept_of_all(A: Arithmetic, *, c_u: int, sigma: Number, gap: Number, **_rest: Number) -> Any:
    """``p^C``."""
    return A.exp(-(c_u * loss_rate(A, sigma=sigma, gap=gap)))


def _gained_by_rest(A: Arithmetic, *, place: int, c_u: int, sigma: Number, gap: Number, **_rest: Number) -> Any:
    """``p^(a - C) - 1``."""
    return A.expm1((c_u - place) * loss_rate(A, sigma=sigma, gap=gap))


def _hidden(A: Arithmetic, **at: Any) -> Any:
    return -A.expm1(-_lost(A, **at))


def _kept(A: Arithmetic, **at: Any) -> Any:
    return A.exp(-_lost(A, **at))


def _grown(A: Arithmetic, **at: Any) -> Any:
    """What the profile gains from the rows at the threshold."""
    few, all_rows = _distance_left(A, **at), distance_of_all(A, **at)
    return gaussian_profile(A, at["epsilon"], all_rows) - gaussian_profile(A, at["epsilon"], few)


def product_of(*parts: Part) -> Part:
    """The product of parts, by their proofs."""

    def product(A: Arithmetic, **at: Any) -> Any:
        return math.prod(part.formula(A, **at) for part in parts)

    return Part(product, Product(parts))


GAUSSIAN_POSITIVE = Part(gaussian_of, ByClaim("wilkins2024.thm2.2.positive", {"mu": distance_of_all}))
_BELOW_SUM = Largest(
    "place",
    Maximum(
        (
            Part(first_of, Product((GAUSSIAN_POSITIVE,))),
            Part(
                term_of,
                Sum(
                    (
                        product_of(Part(_kept_of_all), Part(_gained_by_rest)),
                        product_of(Part(_hidden), GAUSSIAN_POSITIVE),
                        product_of(
                            Part(_kept),
                            Part(
                                _grown,
                                ByClaim(
                                    "wilkins2024.thm2.2.mono",
                                    {"mu": _distance_left, "mu_2": distance_of_all},
                                    {"mu < mu_2": Product((Part(_unit), Part(_more_of_all)))},
                                ),
                            ),
                        ),
                    )
                ),
            ),
        )
    ),
)
"""``(p^a - p^C) + (1 - p^a) f(mu(C)) + p^a (f(mu(C)) - f(mu(n)))`` is left."""

# --- claims -----------------------------------------------------------------------------------------------------------

_PROFILE_DOMAIN = Box((EPSILON, MU))
_MU = Parameter("mu", MU.description, lower="1/100", upper=50, log=True)
_LOSS = Parameter("loss", "a_= L", unit="nats", upper=1000, log=True)
_LEVELS = Box(
    (
        EPSILON,
        Parameter("a_equal", "rows at the threshold", unit="rows", upper=10**6, integer=True, log=True),
        SIGMA,
        DOMAIN["gap"],
    )
)
_SECTION_7 = "Section 7"


CLAIMS = (
    Claim(
        id="wilkins2024.thm7.1",
        source=printed("Theorem 7.1", "(7.1)"),
        title="Delta by f-DP composition",
        statement=r"\max_{a_++a_==C_u}1-p^{a_=}+p^{a_=}f(\mu(a_+),\epsilon)\le\delta",
        kind=DeltaBound(
            formula=delta_f_dp,
            oracle=f_dp_by_quadrature,
            oracle_points=ORACLE_POINTS,
            exact=delta_exact,
            proof=BELOW_F_DP,
        ),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        falls=("epsilon", "gap"),
        rises=("c_u", "mu_o"),
        moves=dict.fromkeys(
            ("epsilon", "gap", "c_u", "mu_o"),
            moves.by_profiles(
                "each bracket is 1 - p^a (1 - f), which falls with p and grows with f; p grows with the gap, mu with "
                "the rows above and with mu_o; a maximum over more rows is no smaller"
            ),
        ),
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}, (2, 4, 40)),),
        privacy=SPARSE_HISTOGRAM,
        role=Role.UPPER,
        loose="by at most a quarter of the exact delta (wilkins2024.sec7.f_dp_factor)",
        note="At a_+ = 0 the bracket is read as its limit f(0, epsilon) = 0.",
        points=POINTS,
    ),
    Claim(
        id="wilkins2024.thm7.1.zero",
        source=printed("Theorem 7.1; Theorem 2.2; Lemma A.3", "(7.1); (2.3); (A.17)"),
        title="Divisions by zero as printed",
        statement=r"a_+=0:\ \epsilon/\mu(0);\quad\mu=0:\ \epsilon/\mu;\quad\delta=1:\ \alpha/(1-\delta)",
        kind=Editorial(
            printed="epsilon/mu at mu = 0, alpha/(1 - delta) at delta = 1",
            corrected="the limits f(0, epsilon) = max(0, 1 - e^epsilon), and g = 0",
            reason="the maximum of (7.1) includes a_+ = 0, where mu = 0",
        ),
        expected=Expectation.NOT_CHECKABLE,
        corrected_by="wilkins2024.thm7.1.zero.corrected",
    ),
    Claim(
        id="wilkins2024.thm7.1.zero.corrected",
        source=ours("Theorem 7.1"),
        title="The bracket of (7.1) vanishes as a_+ -> 0",
        statement=r"f(\mu,\epsilon)\le2\Phi(\mu/2)-1\to0\ (\mu\to0),\quad\epsilon\ge0",
        kind=Inequality(profile, _total_variation_of, proof=ByClaim("wilkins2024.thm5.4.collapse.end")),
        domain=_PROFILE_DOMAIN,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.eps2",
        source=printed(_SECTION_7),
        title="epsilon_2 <= epsilon, as printed",
        statement=r"\epsilon_2=\epsilon-a_=\log\Phi(t)\le\epsilon",
        kind=Inequality(epsilon_2, _epsilon_1),
        domain=_LEVELS,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.sec7.eps2.corrected",
        note="The conclusion delta_GSHM <= delta_f-DP needs, and has, the reverse.",
    ),
    Claim(
        id="wilkins2024.sec7.eps2.corrected",
        source=ours(_SECTION_7),
        title="epsilon_2 >= epsilon",
        statement=r"\epsilon\le\epsilon_2=\epsilon-a_=\log\Phi(t)",
        kind=Inequality(_epsilon_1, epsilon_2, proof=Sign()),
        domain=_LEVELS,
        note="Phi < 1, so -a_= log Phi >= 0, with equality only at a_= = 0.",
    ),
    Claim(
        id="wilkins2024.sec7.chain",
        source=printed(_SECTION_7),
        title="The exact delta is at most that of f-DP composition",
        statement=r"\delta_{\mathrm{GSHM}}\le\delta_{f\text{-DP}}",
        kind=Inequality(delta_exact, delta_f_dp, proof=BELOW_F_DP),
        domain=DOMAIN,
        points=POINTS,
        note="The printed argument leaves the third term out; third <= second closes it.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.chain.add",
        source=printed(_SECTION_7),
        title="f-DP composition is at most adding the deltas",
        statement=r"\delta_{f\text{-DP}}\le\delta_{\mathrm{add}}",
        kind=Inequality(delta_f_dp, add_the_deltas, proof=_BELOW_SUM),
        domain=DOMAIN,
        points=POINTS,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.mono",
        source=printed(_SECTION_7),
        title="The bracket decreases with epsilon",
        statement=r"f(\mu,\epsilon)\text{ is strictly decreasing in }\epsilon",
        kind=Monotonicity(profile, "epsilon", increasing=False, proof=Slope()),
        domain=EVERYWHERE,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.c1",
        source=printed(_SECTION_7),
        title="For one row f-DP composition is exact",
        statement=r"C_u=1:\ \delta_{f\text{-DP}}=\delta_{\mathrm{GSHM}}",
        kind=Identity(_one_row_f_dp, _one_row_exact, proof=Symbolic()),
        domain=Box((EPSILON, SIGMA, DOMAIN["gap"], MU_O)),
    ),
    Claim(
        id="wilkins2024.sec7.ends",
        source=printed(_SECTION_7),
        title="A maximum of (7.1) at a_+ = 0 or C_u is the exact delta",
        statement=r"\max\{\text{(7.1) at }a_+=0,\ C_u\}=\delta_{\mathrm{GSHM}}",
        kind=Identity(_ends, delta_exact, proof=Symbolic()),
        domain=DOMAIN,
        points=POINTS,
    ),
    Claim(
        id="wilkins2024.sec7.gap",
        source=printed(_SECTION_7),
        title="A maximum of (7.1) strictly inside leaves a gap",
        statement=r"C_u=100,\ \mu_o=0,\ \epsilon=0,\ \sigma\approx100,\ \tau^*-\tau\approx334.8,\ a_==75:\ "
        r"\tfrac65\,\delta_{\mathrm{GSHM}}<\text{(7.1)}",
        kind=Inequality(_interior_exact_scaled, _interior_f_dp, Relation.LESS, proof=Boxes()),
        domain=_INTERIOR,
        assumptions=("the interior maximiser is not tied with an end",),
        note="Wherever an interior term exceeds both ends it exceeds the exact delta, by wilkins2024.sec7.ends; here a "
        "box around the widest gap.",
    ),
    Claim(
        id="wilkins2024.sec7.tighter",
        source=printed(_SECTION_7),
        title="f-DP composition is tighter than adding the deltas",
        statement=r"\delta_{f\text{-DP}}<\delta_{\mathrm{add}}",
        kind=Inequality(delta_f_dp, add_the_deltas, Relation.LESS, proof=_BELOW_SUM),
        domain=DOMAIN,
        points=POINTS,
        note="How much: wilkins2024.sec7.f_dp_factor against wilkins2024.sec7.add_factor.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.add_factor",
        source=ours(_SECTION_7),
        title="Adding the deltas is loose by a factor of at most 2",
        statement=r"\delta_{\mathrm{add}}\le2\,\delta_{\mathrm{GSHM}}",
        kind=Inequality(add_the_deltas, _twice_exact, proof=ByClaim("wilkins2024.sec4.loose.two")),
        domain=DOMAIN,
        points=POINTS,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.add_factor.sharp",
        source=ours(_SECTION_7),
        title="The factor 2 is reached where the two deltas are equal",
        statement=r"\delta_\infty=\delta_G\ \Rightarrow\ \delta_{\mathrm{add}}=2\max(\delta_\infty,\delta_G)",
        kind=Identity(_equal_deltas_sum, _equal_deltas_twice, proof=Symbolic()),
        domain=Box((EPSILON, C_U, Parameter("mu", MU.description, lower="1e-3", upper=10, log=True))),
        note="The left side chooses the threshold at which the deltas agree.",
    ),
    Claim(
        id="wilkins2024.sec7.true_tradeoff",
        source=ours(_SECTION_7),
        title="With the true trade-off of the rows at tau, f-DP composition is exact",
        statement=r"1+(\beta f_\mu)^*(-e^{\epsilon})=1-\beta+\beta f(\mu,\epsilon-\ln\beta)",
        kind=Identity(_true_composition, _second_term, proof=Symbolic()),
        domain=Box((Parameter("epsilon", "privacy-loss level", unit="nats", upper=100), _LOSS, _MU)),
    ),
    Claim(
        id="wilkins2024.sec7.cplx",
        source=printed(_SECTION_7),
        title="No practical difference in complexity",
        statement=r"\text{(7.1): }C_u+1\text{ terms};\ \text{(5.8): }2C_u+1",
        kind=FiniteStatement(
            cases=lambda size: range(1, size + 1),
            holds=_linear_terms,
            sizes={"quick": 20, "standard": 60, "deep": 300},
            size_text="C_u",
        ),
        note="Both are linear as printed; outdated, since the exact delta is O(1) by wilkins2024.thm5.4.collapse.",
    ),
    Claim(
        id="wilkins2024.sec7.concl",
        source=printed(_SECTION_7),
        title="The exact analysis is preferable over f-DP composition",
        statement=r"\delta_{\mathrm{GSHM}}\le\delta_{f\text{-DP}}\text{ for }M_=\text{ taken as }(0,\delta)\text{-DP}",
        kind=Inequality(delta_exact, delta_f_dp, proof=BELOW_F_DP),
        domain=DOMAIN,
        points=POINTS,
        cost=3,
        note="Holds for the relaxation only: with the true trade-off of M_=, f-DP composition is exact.",
        quantity=QuantityKind.PROBABILITY,
    ),
)
