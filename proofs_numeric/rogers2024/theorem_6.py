"""Theorem 6: composition."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.definition import FiniteLaw, law
from proofs_numeric.rogers2024.parameters import *

delta_first, delta_second, p, q, first, joint, largest, share = symbols(
    "delta_first delta_second p q first joint largest share"
)
sum_minus_product = delta_first + delta_second - delta_first * delta_second


def composition_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]]]:
    """A first mechanism's pair on two outcomes and, for each outcome, a second mechanism's pair."""
    pairs = [law(y0=i, y1=size - i) for i in range(1, size)]
    for first, other, *second in product(pairs, repeat=6):
        yield first, other, tuple(second[:2]), tuple(second[2:])


def second_moment(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction]) -> Fraction:
    """``exp(D_2(P||Q)) = sum p^2/q``, exact."""
    return sum((p * p / right[y] for y, p in left.items()), Fraction(0))


def moments_of(case: tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]]) -> Iterator[Instance]:
    """Both sides of ``D_2(joint) <= D_2(first) + max_y D_2(second | y)``, exponentiated.

    Each first answer has its probabilities, and the second's share of the largest moment.
    """
    first, other, second, second_other = case
    moments = list(map(second_moment, second, second_other))
    largest = max(moments)
    joint, joint_other = (
        {(y, z): p * then[i][z] for i, (y, p) in enumerate(law.items()) for z in then[i]}
        for law, then in ((first, second), (other, second_other))
    )
    of_first, of_both = second_moment(first, other), second_moment(joint, joint_other)
    answers = zip(first.items(), moments, strict=True)
    yield Instance(
        at={"alpha": lift(2), "largest": lift(largest)},
        inputs=tuple({"p": p, "q": other[y], "share": moment / largest} for (y, p), moment in answers),
        left=of_both, right=of_first * largest, state={"first": of_first, "joint": of_both},
    )  # fmt: skip


_term = exp(alpha * log(p) + (1 - alpha) * log(q))
"""``p^alpha q^(1 - alpha)``: what an outcome adds to ``exp((alpha - 1) D_alpha)``."""


def _mass(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, "probability", upper=1, open_lower=True, log=True)


_ORDERS = Box((ALPHA, Parameter("largest", "max M", log=True)))
_MOMENTS = Recurrence(
    state=Box((Parameter("first", "of the first answer's moment"), Parameter("joint", "of both answers'"))),
    inputs=Box((_mass("p", "p_y"), _mass("q", "q_y"), Parameter("share", "M_y / max M", upper=1))),
    start={"first": zero, "joint": zero}, step={"first": first + _term, "joint": joint + _term * share * largest},
    left=joint, right=first * largest, proof=Steps(),
)  # fmt: skip

CLAIMS = (
    stated(
        "thm6", "Theorem 6", "Adaptive composition adds rho",
        r"D_\alpha(\text{joint}) \le D_\alpha(A_1) + \max_y D_\alpha(A_2(\cdot, y))",
        FiniteStatement(
            composition_cases, Instances(moments_of), {"quick": 4, "standard": 5, "deep": 7}, "masses in 1/size",
            every=_MOMENTS, proof=ByClaim("rogers2024.thm6.order"),
        ),
        domain=_ORDERS, partial="delta = 0, order 2 where it is enumerated; deltas are rogers2024.thm6.delta",
        note="In print rho'_2 and rho_2, Z and Y are the same things.",
    ),
    stated(
        "thm6.order", "Theorem 6", "Renyi moments of adaptive mechanisms multiply, at every order",
        r"\sum_y p_y^\alpha q_y^{1-\alpha} M_y \le \sum_y p_y^\alpha q_y^{1-\alpha} \max_y M_y,\ M_y = \sum_z "
        r"p_{z|y}^\alpha q_{z|y}^{1-\alpha}",
        _MOMENTS, domain=_ORDERS,
        note="exp((alpha - 1) D_alpha) of the joint answer, of the first and the largest of the second's. Logarithms "
        "over alpha - 1 give the sum of the divergences.",
        partial="laws on finitely many outcomes; all others are left out",
    ),
    stated(
        "thm6.delta", "Theorem 6", "Deltas compose as failure probabilities", None,
        eq(1 - (1 - delta_first) * (1 - delta_second), sum_minus_product), proof=Symbolic(),
        domain=(replace(DELTA_LINEAR, name="delta_first"), replace(DELTA_LINEAR, name="delta_second")),
        quantity=QuantityKind.DELTA, evaluates=sum_minus_product,
        partial="the sum; that the joint laws have parts of that mass is left out",
    ),
    uncheckable(
        "thm6.letters", "Theorem 6", "One parameter under two names, one set under two letters",
        r"\rho'_2 \text{ and } \rho_2; \quad A : X \to Z",
        Editorial(
            printed="A_2(., y) is delta_2-approximate rho'_2-CDP; A is rho_1 + rho_2-CDP",
            corrected="A_2(., y) is delta_2-approximate rho_2-CDP; A is rho_1 + rho_2-CDP",
            reason="rho'_2 is meant to be rho_2; Z is the set of the last answer, and both answers may be released.",
        ),
    ),
)  # fmt: skip
