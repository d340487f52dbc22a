r"""Section 7: the analysis by f-DP composition (7.1), and how it stands to the exact delta.

The distance between the two comes from one relaxation: the rows at the threshold are taken for a general
``(0, 1 - beta)``-DP mechanism, ``beta = p^a_=``.  Their true trade-off function is ``beta (1 - alpha)`` in one order,
and with it f-DP composition gives the second term of (5.8) exactly (``wilkins2024.sec7.true_tradeoff``).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.appendix_a_3 import gaussian_conjugate
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.lemma_5_2 import epsilon_2
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.section_2 import EVERYWHERE
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import largest_over_rows

place = symbol("place")
f_dp_term = filter_bound(loss=a_equal * loss_rate, mu=distance(rows=a_plus))
"""The number under the maximum of (7.1) at ``a_equal`` rows at the threshold and ``a_plus > 0`` above it."""


def f_dp_terms(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Iterator[Any]:
    """Every number under the maximum of (7.1), ``a_+ = 0`` first, with ``f(0, epsilon) = 0``: ``C_u + 1`` of them."""
    yield delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)
    for a in range(c_u):
        yield f_dp_term(A, epsilon=epsilon, a_equal=a, a_plus=c_u - a, sigma=sigma, gap=gap, mu_o=mu_o)


def literal_f_dp(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """(7.1) as printed, term by term in O(C_u); ``epsilon >= 0``."""
    return A.maximum(*f_dp_terms(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o))


def delta_f_dp(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """Delta of (7.1): an upper bound on the exact delta; certified branch and bound over ``a_=``, any ``C_u``.

    Domain as for Theorem 5.4, ``epsilon >= 0``.  Source: wilkins2024 Theorem 7.1.
    """
    at: dict[str, Any] = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    largest = largest_over_rows(A, lambda B, a_equal, **values: term_of(B, place=a_equal, **values), ((0, True),), **at)
    return A.maximum(delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap), largest)


def f_dp_by_quadrature(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """(7.1) from its dominating pair: an atom of mass ``1 - p^a`` on each side, else the Gaussian pair, integrated."""
    p = normal_cdf(A, A.number(gap) / A.number(sigma))
    values = [1 - p**c_u]
    for a in range(c_u):
        mu = A.sqrt((c_u - a) * (A.number(sigma) ** -2 + A.number(mu_o) ** 2))
        inner = hockey_stick_by_quadrature(A, epsilon=epsilon, mu=mu, weight=A.number(1))
        values.append(1 - p**a + p**a * inner)
    return A.maximum(*values)


# --- the gap between (7.1) and (5.8) ----------------------------------------------------------------------------------
_top = profile(epsilon, mu)
# The composed trade-off is beta f_mu, so 1 + (beta f)^*(-e^eps) = 1 + beta f^*(-e^(eps + loss)).
_true_composition = 1 + exp(-loss) * gaussian_conjugate(level=epsilon + loss)
term_of = f_dp_term(a_equal=place, a_plus=c_u - place)
"""The term at ``place`` rows at the threshold."""
BELOW_F_DP = Largest(
    "place", largest_of((delta_infinite, Symbolic()), (delta_gaussian, Through(term_of, Hypothesis(), Symbolic()))),
    (lift(0),),
)  # fmt: skip
"""The exact delta is the larger of the first term and the one without a row at the threshold."""

distance_of_all, _left = distance(rows=c_u), distance(rows=c_u - place)
GAUSSIAN_POSITIVE = part((delta_gaussian, positive(mu=distance_of_all)))
_FEWER = ByClaim(
    "wilkins2024.thm2.2.mono", {"mu": _left, "mu_2": distance_of_all},
    {"mu < mu_2": product_of(distance(rows=1), sqrt(c_u) - sqrt(c_u - place))},
)  # fmt: skip
_TERM_BELOW_SUM = sum_of(
    factors(exp(-(c_u * loss_rate)), expm1((c_u - place) * loss_rate)),
    factors(-expm1(-(place * loss_rate)), GAUSSIAN_POSITIVE),
    factors(exp(-(place * loss_rate)), (delta_gaussian - profile(epsilon, _left), _FEWER)),
)
"""``(p^a - p^C) + (1 - p^a) f(mu(C)) + p^a (f(mu(C)) - f(mu(n)))`` is left."""
_BELOW_SUM = Largest("place", largest_of((delta_infinite, product_of(GAUSSIAN_POSITIVE)), (term_of, _TERM_BELOW_SUM)))

_LEVELS = Box(
    (
        EPSILON, Parameter("a_equal", "rows at the threshold", unit="rows", upper=10**6, integer=True, log=True), SIGMA,
        DOMAIN["gap"],
    )
)  # fmt: skip
_SECTION_7 = "Section 7"
_Division = tuple[str, str, Fraction, Fraction]
"""An equation, a parameter where it is stated, its value, and the divisor there; a square's root is 0 where it is."""


def _divisions(size: int) -> Iterator[_Division]:
    """At each number of rows, sigma = 1 and mu_o = 1/2; at each distance; at each delta."""
    for number in range(size + 1):
        share = Fraction(number, size)
        yield "(7.1)", "a_+", Fraction(number), number * (1 + Fraction(1, 4))
        yield "(2.3)", "mu", share, share
        yield "(A.17)", "delta", share, 1 - share


def divides(case: _Division) -> bool:
    """Whether the equation is defined there."""
    return case[-1] != 0


def _division(case: _Division) -> dict[str, Any]:
    equation, name, value, divisor = case
    return {"equation": equation, name: value, "divisor": divisor}


CLAIMS = (
    stated(
        "thm7.1", "Theorem 7.1", "Delta by f-DP composition",
        r"\max_{a_++a_==C_u}1-p^{a_=}+p^{a_=}f(\mu(a_+),\epsilon)\le\delta",
        DeltaBound(
            formula=delta_f_dp, oracle=f_dp_by_quadrature, oracle_points=ORACLE_POINTS, exact=delta_exact,
            by=Achieved("wilkins2024.thm5.4"), proof=BELOW_F_DP,
        ),
        equation="(7.1)", domain=DOMAIN, assumptions=(INTEGER_TAU,), falls=("epsilon", "gap"), rises=("c_u", "mu_o"),
        moves=dict.fromkeys(
            ("epsilon", "gap", "c_u", "mu_o"),
            moves.by_profiles(
                "each bracket is 1 - p^a (1 - f), which falls with p and grows with f; p grows with the gap, mu with "
                "the rows above and with mu_o; a maximum over more rows is no smaller",
            ),
        ),
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}, (2, 4, 40)),), privacy=SPARSE_HISTOGRAM,
        role=Role.UPPER, loose="by at most a quarter of the exact delta (wilkins2024.sec7.f_dp_factor)",
        note="At a_+ = 0 the bracket is read as its limit f(0, epsilon) = 0.", points=POINTS,
    ),
    refuted(
        "thm7.1.zero", "Theorem 7.1; Theorem 2.2; Lemma A.3", "(7.1), (2.3) and (A.17) divide by no zero",
        r"a_+=0:\ \epsilon/\mu(0);\quad\mu=0:\ \epsilon/\mu;\quad\delta=1:\ \alpha/(1-\delta)",
        FiniteStatement(_divisions, divides, sizes(2, 3, 4), "rows", describe=_division),
        equation="(7.1); (2.3); (A.17)", by="thm7.1.zero.corrected",
        note="The maximum of (7.1) includes a_+ = 0, where mu = 0. Read the limits: f(0, epsilon) = "
        "max(0, 1 - e^epsilon) in (7.1) and (2.3), and g = 0 in (A.17).",
    ),
    own(
        "thm7.1.zero.corrected", "Theorem 7.1", "The bracket of (7.1) vanishes as a_+ -> 0",
        None, _top <= 2 * Phi(mu / 2) - 1,
        proof=ByClaim("wilkins2024.thm5.4.collapse.end"), domain=(EPSILON, MU), quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "sec7.eps2", _SECTION_7, "epsilon_2 <= epsilon, as printed", r"\epsilon_2=\epsilon-a_=\log\Phi(t)\le\epsilon",
        epsilon_2 <= epsilon, by="sec7.eps2.corrected", domain=_LEVELS,
        note="The conclusion delta_GSHM <= delta_f-DP needs, and has, the reverse.",
    ),
    own(
        "sec7.eps2.corrected", _SECTION_7, "epsilon_2 >= epsilon", r"\epsilon\le\epsilon_2=\epsilon-a_=\log\Phi(t)",
        epsilon <= epsilon_2, proof=Sign(), domain=_LEVELS,
        note="Phi < 1, so -a_= log Phi >= 0, with equality only at a_= = 0.",
    ),
    stated(
        "sec7.chain", _SECTION_7, "The exact delta is at most that of f-DP composition",
        r"\delta_{\mathrm{GSHM}}\le\delta_{f\text{-DP}}", Inequality(delta_exact, delta_f_dp, proof=BELOW_F_DP),
        domain=DOMAIN, points=POINTS, note="The printed argument leaves the third term out; third <= second closes it.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "sec7.chain.add", _SECTION_7, "f-DP composition is at most adding the deltas",
        r"\delta_{f\text{-DP}}\le\delta_{\mathrm{add}}", Inequality(delta_f_dp, delta_added, proof=_BELOW_SUM),
        domain=DOMAIN, points=POINTS, quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "sec7.mono", _SECTION_7, "The bracket decreases with epsilon", None,
        Monotonicity(_top, "epsilon", increasing=False, proof=Slope()), domain=EVERYWHERE,
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "sec7.c1", _SECTION_7, "For one row f-DP composition is exact",
        r"C_u=1:\ \delta_{f\text{-DP}}=\delta_{\mathrm{GSHM}}", eq(algorithm(literal_f_dp)(c_u=1), delta_exact(c_u=1)),
        proof=Symbolic(), domain=(EPSILON, SIGMA, DOMAIN["gap"], MU_O),
    ),
    stated(
        "sec7.ends", _SECTION_7, "A maximum of (7.1) at a_+ = 0 or C_u is the exact delta",
        r"\max\{\text{(7.1) at }a_+=0,\ C_u\}=\delta_{\mathrm{GSHM}}",
        eq(maximum(delta_infinite, f_dp_term(a_equal=0, a_plus=c_u)), delta_exact), proof=Symbolic(), domain=DOMAIN,
        points=POINTS,
    ),
    stated(
        "sec7.gap", _SECTION_7, "A maximum of (7.1) strictly inside leaves a gap",
        r"C_u=100,\ \mu_o=0,\ \epsilon=0,\ \sigma\approx100,\ \tau^*-\tau\approx334.8,\ a_==75:\ "
        r"\tfrac65\,\delta_{\mathrm{GSHM}}<\text{(7.1)}",
        lift("6/5") * delta_exact(epsilon=0, c_u=100, mu_o=0) < f_dp_term(epsilon=0, a_equal=75, a_plus=25, mu_o=0),
        proof=Boxes(),
        domain=(
            Parameter("sigma", SIGMA.description, "counts", "99.9", "100.1"),
            Parameter("gap", "tau* - tau", "counts", "334.6", 335),
        ),
        assumptions=("the interior maximiser is not tied with an end",),
        note="Wherever an interior term exceeds both ends it exceeds the exact delta, by wilkins2024.sec7.ends; here "
        "a box around the widest gap.",
        partial="one mechanism; of any other, a term above both ends is above the exact delta by wilkins2024.sec7.ends",
    ),
    stated(
        "sec7.tighter", _SECTION_7, "f-DP composition is tighter than adding the deltas",
        r"\delta_{f\text{-DP}}<\delta_{\mathrm{add}}",
        Inequality(delta_f_dp, delta_added, Relation.LESS, proof=_BELOW_SUM), domain=DOMAIN, points=POINTS,
        note="How much: wilkins2024.sec7.f_dp_factor against wilkins2024.sec7.add_factor.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec7.add_factor", _SECTION_7, "Adding the deltas is loose by a factor of at most 2",
        r"\delta_{\mathrm{add}}\le2\,\delta_{\mathrm{GSHM}}",
        Inequality(delta_added, 2 * delta_exact, proof=ByClaim("wilkins2024.sec4.loose.two")), domain=DOMAIN,
        points=POINTS, quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec7.add_factor.sharp", _SECTION_7, "The factor 2 is reached where the two deltas are equal",
        r"\delta_\infty=\delta_G\ \Rightarrow\ \delta_{\mathrm{add}}=2\max(\delta_\infty,\delta_G)",
        eq(-expm1(-(c_u * (-log1p(-_top) / c_u))) + _top, 2 * _top), proof=Symbolic(),
        domain=(EPSILON, C_U, Parameter("mu", MU.description, lower="1e-3", upper=10, log=True)),
        note="The left side chooses the threshold at which the deltas agree.",
    ),
    own(
        "sec7.true_tradeoff", _SECTION_7, "With the true trade-off of the rows at tau, f-DP composition is exact",
        r"1+(\beta f_\mu)^*(-e^{\epsilon})=1-\beta+\beta f(\mu,\epsilon-\ln\beta)",
        eq(_true_composition, second_value), proof=Symbolic(),
        domain=(
            Parameter("epsilon", "privacy-loss level", "nats", upper=100),
            Parameter("loss", "a_= L", "nats", upper=1000, log=True),
            Parameter("mu", MU.description, lower="1/100", upper=50, log=True),
        ),
    ),
    stated(
        "sec7.cplx", _SECTION_7, "No practical difference in complexity",
        r"\text{(7.1): }C_u+1\text{ terms};\ \text{(5.8): }2C_u+1",
        FiniteStatement(
            lambda size: range(1, size + 1),
            lambda c_u: [count_terms(terms, c_u) for terms in (f_dp_terms, literal_terms)] == [c_u + 1, 2 * c_u + 1],
            sizes(20, 60, 300), "C_u",
        ),
        note="Both are linear as printed; outdated, since the exact delta is O(1) by wilkins2024.thm5.4.collapse.",
    ),
    stated(
        "sec7.concl", _SECTION_7, "The exact analysis is preferable over f-DP composition",
        r"\delta_{\mathrm{GSHM}}\le\delta_{f\text{-DP}}\text{ for }M_=\text{ taken as }(0,\delta)\text{-DP}",
        Inequality(delta_exact, delta_f_dp, proof=BELOW_F_DP), domain=DOMAIN, points=POINTS, cost=3,
        note="Holds for the relaxation only: with the true trade-off of M_=, f-DP composition is exact.",
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
