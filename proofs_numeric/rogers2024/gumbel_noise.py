"""Section 4.2.1: Gumbel and exponential noise pick as the exponential mechanism and permute-and-flip do."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

from proofs_numeric.arithmetic.derivative import derivative as reduced_derivative
from proofs_numeric.expression import derivative
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.laws import in_panels
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import em_rho
from proofs_numeric.rogers2024.theorem_9.statement import BASES

x, v, q1, q2, q3, first, none, rate, weight = symbols("x v q1 q2 q3 first none rate weight")
_w1, _w2, _w3 = exp(q1), exp(q2), exp(q3)
_below = exp(-exp(-x))
"""Probability that Gumbel noise is below x."""
_largest_density = exp(-x) * _below * _below(x=x + q1 - q2) * _below(x=x + q1 - q3)
"""Density of ``G1 = x`` with the two other sums below ``q1 + x``."""
softmax_first = _w1 / (_w1 + _w2 + _w3)
_largest_primitive = softmax_first * exp(-v / softmax_first)
"""Its integral up to x as a function of ``v = e^-x``: ``e^{-v/p}`` times ``p``, the exponential mechanism's."""
_middle_density = exp(-x) * _below * -expm1(-exp(-(x + q2 - q1))) * _below(x=x + q2 - q3)
"""Density of ``G2 = x`` with the first sum above ``q2 + x`` and the third below."""
_rest, _total = (_w2 + _w3) / _w2, (_w1 + _w2 + _w3) / _w2
_middle_primitive = exp(-v * _rest) / _rest - exp(-v * _total) / _total
"""Its integral up to x as a function of ``v = e^-x``."""
peeled_order = _w1 / (_w1 + _w2 + _w3) * _w2 / (_w2 + _w3)
released_maximum_kl = expm1(epsilon) - epsilon
"""``e^epsilon - 1 - epsilon``: divergence of the released noisy maximum when every score moves by one."""


def by_quadrature(A: Arithmetic, *, density: Expression, q1: Number, q2: Number, q3: Number) -> Number:
    """Probability of an order of the three sums, from the density of one beside the distributions of the others.

    Over ``[-6, 120]``, the rest enclosed (left tail e^-e^6, right tail e^-118).
    """
    scores = {"q1": A.number(q1), "q2": A.number(q2), "q3": A.number(q3)}
    value = in_panels(A, lambda B, x: density(B, x=x, **scores), A.number(-6), A.number(120), cuts=(24, 6))
    return A.between(value, value + A.exp(-A.number(110)))


def permute_and_flip_law(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """Exact law of permute-and-flip: the first outcome of a random order whose coin ``base^(q - q*)`` shows heads."""
    accept = [base ** (score - max(scores)) for score in scores]
    law, orders = [Fraction(0)] * len(scores), list(permutations(range(len(scores))))
    for order in orders:
        left = Fraction(1, len(orders))
        for index in order:
            law[index] += left * accept[index]
            left *= 1 - accept[index]
    return law


def exponential_noise_argmax(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """Exact law of the largest score plus Exp(epsilon) noise: ``a_i integral_0^1 prod_{j != i} (1 - a_j u) du``.

    ``a = base^(q - q*)``: outcome i must first climb to the best score q*, from where ``u = e^{-epsilon x}``.
    """
    accept = [base ** (score - max(scores)) for score in scores]
    law = []
    for index, mass in enumerate(accept):
        polynomial = [Fraction(1)]
        for a in accept[:index] + accept[index + 1 :]:
            shifted = [Fraction(0), *(-a * c for c in polynomial)]
            polynomial = [x + y for x, y in zip([*polynomial, Fraction(0)], shifted, strict=True)]
        law.append(mass * sum(c / (power + 1) for power, c in enumerate(polynomial)))
    return law


def _integrated(density: Expression, primitive: Expression, law: Expression) -> Derivation:
    """The density's integral over all noise by its primitive in ``v = e^-x``."""
    slope = derivative(primitive(v=exp(-x)), "x")
    return derived(
            SymbolicIdentity("the primitive's derivative is the density", slope, density, ("x", "q1", "q2", "q3")),
            SymbolicIdentity(
                "the primitive at infinity", primitive(v=0), law, ("q1", "q2", "q3"),
                argument="as x tends to infinity v tends to 0; as x tends to minus infinity v tends to infinity, where "
                "the primitive's decaying exponentials vanish",
            ),
        )  # fmt: skip


_not_rung = -first / rate * exp(-rate * v)


def rate_of_ringing(A: Arithmetic, *, none: Number, **at: Number) -> Any:
    """Derivative in v of ``w_1/W (1 - e^(-W v))``, without the denominator: it is defined at a rate of 0."""
    return reduced_derivative(_not_rung, "v")(A, **at)


_SCORES = Box(tuple(Parameter(f"q{i}", "score times epsilon", lower=-5, upper=5) for i in (1, 2, 3)))
_RATE = Parameter("rate", "of a clock", "rates", open_lower=True, log=True)

CLAIMS = (
    stated(
        "gumbel.max", "Section 4.2.1", "Largest score plus Gumbel noise is the exponential mechanism",
        r"\Pr[\operatorname{argmax}_i (q_i + G_i) = 1] = e^{\varepsilon q_1}/\sum_i e^{\varepsilon q_i}",
        Identity(
            partial(by_quadrature, density=_largest_density), softmax_first,
            _integrated(_largest_density, _largest_primitive, softmax_first), digits=20,
        ),
        domain=_SCORES, cost=5, quantity=QuantityKind.PROBABILITY, evaluates=softmax_first,
        partial="three scores; any number of scores is rogers2024.gumbel.race",
    ),
    own(
        "gumbel.race", "Section 4.2.1", "Of any number of clocks, the first rings first with its rate over all rates",
        r"w_1\prod_i e^{-w_i v} = \tfrac{d}{dv}\,\tfrac{w_1}{W}(1 - e^{-W v}),\ W = \sum_i w_i",
        Recurrence(
            state=Box((Parameter("none", "probability that none has rung"), replace(_RATE, name="rate"))),
            inputs=Box((replace(_RATE, name="weight"),)), start={"none": exp(-first * v), "rate": first},
            step={"none": none * exp(-weight * v), "rate": rate + weight},
            # The density at v of the first clock, times the probability that no other has rung.
            left=first * none, right=rate_of_ringing, relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic(), factor=exp(-weight * v)),
        ),
        domain=(replace(_RATE, name="first"), Parameter("v", "time", log=True)),
        note="From v = 0 to infinity w_1/W; with v = e^-x and w_i = e^q_i, scores with Gumbel noise.",
    ),
    stated(
        "gumbel.topk", "Section 4.2.1", "One-shot Gumbel top-k is the peeled exponential mechanism",
        r"\Pr[q_1 + G_1 > q_2 + G_2 > q_3 + G_3] = \tfrac{w_1}{w_1+w_2+w_3}\tfrac{w_2}{w_2+w_3}",
        Identity(
            partial(by_quadrature, density=_middle_density), peeled_order,
            _integrated(_middle_density, _middle_primitive, peeled_order), digits=20,
        ),
        domain=_SCORES, cost=5, quantity=QuantityKind.PROBABILITY, evaluates=peeled_order,
        partial="three scores; other numbers of scores are left out",
    ),
    stated(
        "expnoise.pf", "Section 4.2.1", "Exponential noise is permute-and-flip",
        r"\operatorname{argmax}(q + \text{Exp}(\varepsilon)) \sim \text{permute-and-flip with } e^{\varepsilon(q - "
        r"q^*)}",
        FiniteStatement(
            lambda size: product(range(size + 1), repeat=3),
            lambda scores: all(permute_and_flip_law(scores, b) == exponential_noise_argmax(scores, b) for b in BASES),
            {"quick": 3, "standard": 5, "deep": 8}, "largest score",
        ),
    ),
    stated(
        "rnm.argmax_only", "Section 4.2.1", "Only the argmax may be released", None, em_rho < released_maximum_kl,
        proof=Derivative("epsilon", "lower", Derivative("epsilon", "lower")), domain=(EPSILON,),
        quantity=QuantityKind.RHO, privacy=SELECTION, evaluates=released_maximum_kl, float64_lost="1e-15",
        note="Releasing the noisy maximum when every score moves by one: a Gumbel law shifted by its scale times "
        "epsilon; the divergence exceeds the exponential mechanism's epsilon^2/8.",
    ),
)  # fmt: skip
