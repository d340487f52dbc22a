"""Theorem 6: composition."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.definition_2_1 import FiniteLaw, law
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA_LINEAR, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.concentrated import composed_delta
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Editorial, FiniteStatement, Identity, Recurrence
from proofs_numeric.statements.tactics import ByClaim, Steps, Symbolic
from proofs_numeric.statements.verdict import Expectation


def product_of_survivals(A: Arithmetic, *, delta_first: Number, delta_second: Number) -> Number:
    """``1 - (1 - d1)(1 - d2)``."""
    return 1 - (1 - A.number(delta_first)) * (1 - A.number(delta_second))


def sum_minus_product(A: Arithmetic, *, delta_first: Number, delta_second: Number) -> Any:
    """``d1 + d2 - d1 d2``."""
    return composed_delta(A.number(delta_first), A.number(delta_second))


def composition_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]]]:
    """A first mechanism's pair on two outcomes and, for each outcome, a second mechanism's pair."""
    pairs = [law(y0=i, y1=size - i) for i in range(1, size)]
    for first, other, *second in product(pairs, repeat=6):
        yield first, other, tuple(second[:2]), tuple(second[2:])


def second_moment(left: FiniteLaw, right: FiniteLaw) -> Fraction:
    """``exp(D_2(P||Q)) = sum p^2/q``, exact."""
    return sum((p * p / right[y] for y, p in left.items()), Fraction(0))


def composes_at_order_two(case: tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]]) -> bool:
    """``D_2(joint) <= D_2(first) + max_y D_2(second | y)``, exponentiated and exact."""
    first, other, second, second_other = case
    joint = {(y, z): p * second[i][z] for i, (y, p) in enumerate(first.items()) for z in second[i]}
    joint_other = {(y, z): q * second_other[i][z] for i, (y, q) in enumerate(other.items()) for z in second_other[i]}
    moment = sum((p * p / joint_other[o] for o, p in joint.items()), Fraction(0))
    return moment <= second_moment(first, other) * max(map(second_moment, second, second_other))


def _term(A: Arithmetic, *, alpha: Number, p: Number, q: Number) -> Any:
    """``p^alpha q^(1 - alpha)``: what an outcome adds to ``exp((alpha - 1) D_alpha)``."""
    alpha = A.number(alpha)
    return A.exp(alpha * A.log(p) + (1 - alpha) * A.log(q))


def _with_outcome(A: Arithmetic, *, alpha: Number, first: Number, p: Number, q: Number, **_rest: Number) -> Any:
    return A.number(first) + _term(A, alpha=alpha, p=p, q=q)


def _with_answers(
    A: Arithmetic,
    *,
    alpha: Number,
    largest: Number,
    joint: Number,
    p: Number,
    q: Number,
    share: Number,
    **_rest: Number,
) -> Any:
    return A.number(joint) + _term(A, alpha=alpha, p=p, q=q) * share * largest


def joint_moment(A: Arithmetic, *, joint: Number, **_rest: Number) -> Any:
    """``exp((alpha - 1) D_alpha)`` of both answers, outcome by outcome of the first."""
    return A.number(joint)


def product_of_moments(A: Arithmetic, *, first: Number, largest: Number, **_rest: Number) -> Any:
    """The first answer's moment times the largest of the second's."""
    return A.number(first) * largest


def _mass(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, "probability", upper=1, open_lower=True, log=True)


_ORDERS = Box((replace(ALPHA, upper="infinity"), Parameter("largest", "max M", log=True)))
_MOMENTS = Recurrence(
    state=Box((Parameter("first", "of the first answer's moment"), Parameter("joint", "of both answers'"))),
    given=Box((_mass("p", "p_y"), _mass("q", "q_y"), Parameter("share", "M_y / max M", upper=1))),
    start={"first": zero, "joint": zero},
    step={"first": _with_outcome, "joint": _with_answers},
    left=joint_moment,
    right=product_of_moments,
    proof=Steps(),
)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm6",
        source=printed("Theorem 6"),
        title="Adaptive composition adds rho",
        statement=r"D_\alpha(\text{joint}) \le D_\alpha(A_1) + \max_y D_\alpha(A_2(\cdot, y))",
        kind=FiniteStatement(
            composition_cases,
            composes_at_order_two,
            {"quick": 4, "standard": 5, "deep": 7},
            "masses in 1/size",
            every=_MOMENTS,
            proof=ByClaim("rogers2024.thm6.order"),
        ),
        domain=_ORDERS,
        partial="delta = 0, order 2 where it is enumerated; deltas are rogers2024.thm6.delta",
        note="In print rho'_2 and rho_2, Z and Y are the same things.",
    ),
    Claim(
        id="rogers2024.thm6.order",
        source=printed("Theorem 6"),
        title="Renyi moments of adaptive mechanisms multiply, at every order",
        statement=r"\sum_y p_y^\alpha q_y^{1-\alpha} M_y \le \sum_y p_y^\alpha q_y^{1-\alpha} \max_y M_y,\ "
        r"M_y = \sum_z p_{z|y}^\alpha q_{z|y}^{1-\alpha}",
        kind=_MOMENTS,
        domain=_ORDERS,
        note="exp((alpha - 1) D_alpha) of the joint answer, of the first and the largest of the second's. Logarithms "
        "over alpha - 1 give the sum of the divergences.",
    ),
    Claim(
        id="rogers2024.thm6.delta",
        source=printed("Theorem 6"),
        title="Deltas compose as failure probabilities",
        statement=r"1 - (1-\delta_1)(1-\delta_2) = \delta_1 + \delta_2 - \delta_1\delta_2",
        kind=Identity(product_of_survivals, sum_minus_product, Symbolic()),
        domain=Box((replace(DELTA_LINEAR, name="delta_first"), replace(DELTA_LINEAR, name="delta_second"))),
        quantity=QuantityKind.DELTA,
        evaluates=sum_minus_product,
    ),
    Claim(
        id="rogers2024.thm6.letters",
        source=printed("Theorem 6"),
        title="One parameter under two names, one set under two letters",
        statement=r"\rho'_2 \text{ and } \rho_2; \quad A : X \to Z",
        kind=Editorial(
            printed="A_2(., y) is delta_2-approximate rho'_2-CDP; A is rho_1 + rho_2-CDP",
            corrected="A_2(., y) is delta_2-approximate rho_2-CDP; A is rho_1 + rho_2-CDP",
            reason="rho'_2 is meant to be rho_2; Z is the set of the last answer, and both answers may be released.",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
)
