"""Attacks on the kernel: each proof here closes on a true statement and must not close on the false one beside it."""

import ast
import itertools
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import proofs_numeric
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.integer_part import ceiling_of_half, ceiling_of_root, floor_of
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import binomial_tail, integral, normal_cdf, normal_quantile_complement
from proofs_numeric.arithmetic.symbolic import BinomialTail
from proofs_numeric.kernel import expressions, limits
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.numbers import decide_order, decide_printed
from proofs_numeric.kernel.prove import Theorem, prove
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import (
    Achieved,
    AtMost,
    Calibration,
    DeltaBound,
    Identity,
    Inequality,
    Levels,
    Monotonicity,
    Quantity,
    Reading,
    Recurrence,
    Relation,
)
from proofs_numeric.statements.statement import Statement, statement_of
from proofs_numeric.statements.tactics import (
    Barrier,
    Both,
    Boxes,
    ByClaim,
    Cases,
    Contrary,
    Derivative,
    Have,
    Hypothesis,
    Increasing,
    Induction,
    Maximum,
    Ordered,
    Part,
    Peak,
    Product,
    Resting,
    Rewrite,
    Root,
    Sign,
    Slope,
    Split,
    Steps,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
    Trees,
    Within,
)
from proofs_numeric.statements.verdict import Verdict

ROOT = Path(proofs_numeric.__file__).parents[1]
X = Parameter("x", "", upper=1)
REAL = Parameter("x", "", lower="-infinity")
POSITIVE = Parameter("x", "", open_lower=True)
Y = Parameter("y", "", upper=1)


def claim(kind, *parameters, identifier="test.claim", constraint=None):
    """A claim of the kind over the parameters, [0, 1] unless said."""
    domain = Box(parameters or (X,), constraint, "said" if constraint else "")
    return Claim(id=identifier, source=Source("test", "here"), title="", statement="", kind=kind, domain=domain)


def below(left, right, proof, *parameters, relation=Relation.LESS_EQUAL, **options):
    """Left <= right, with its proof."""
    return claim(Inequality(left, right, relation, proof), *parameters, **options)


def grows(formula, proof, *, strict=True):
    """The formula grows with x, with its proof."""
    return claim(Monotonicity(formula, "x", increasing=True, strict=strict, proof=proof))


zero = lambda A, **_parameters: A.number(0)
one = lambda A, **_parameters: A.number(1)
x = lambda _A, *, x, **_parameters: x
square = lambda _A, *, x, **_parameters: x * x
exponential = lambda A, *, x: A.exp(x)
chord = lambda A, *, x: 1 + x + A.number(0)  # 1 + x, below e^x
mass = lambda A, *, x: normal_cdf(A, 2 * x) - normal_cdf(A, x)  # between x and 2x
log_mass = lambda A, *, x: A.log(mass(A, x=x))  # its logarithm


def tied(made: Claim) -> tuple[Claim, ...]:
    """The claim; of a calibration that does not say whose number it achieves, with a claim that has that number."""
    if not isinstance(made.kind, Calibration) or made.kind.by is not None:
        return (made,)
    by = Achieved("test.achieved", {}, lower=0, open_lower=True)
    box = Box((*made.domain.parameters, Parameter("value", "", open_lower=True)))
    number = replace(made, id=by.claim, kind=DeltaBound(made.kind.achieved, made.kind.achieved), domain=box)
    by = replace(by, at={"value": parameter_named("value")})
    return replace(made, kind=replace(made.kind, by=by)), number


def closes(made: Claim, *others: Claim) -> bool:
    """Whether the kernel closes every goal of the claim's proof."""
    made, *number = tied(made)
    try:
        theorem = prove(made, {other.id: other for other in (made, *number, *others)})
    except TacticError:
        return False
    return theorem.verdict is Verdict.PROVED


LESS = {"relation": Relation.LESS}
CONVEX = Derivative("x", "lower", Derivative("x", "lower"))

RISES = Maximum((Part(x, Slope()), Part(lambda _A, *, x: 3 * x - 1, Slope())))
FALLS = Maximum((Part(x, Slope()), Part(lambda _A, *, x: 1 - 3 * x, Slope())))
STANDS = Maximum((Part(x, Slope()), Part(one, Slope())))

y = lambda _A, *, y, **_parameters: y


def larger_is_x(answered):
    """``max(x, y) = x`` where it is said."""
    proof = Both(Maximum((Part(x, Symbolic()), Part(y, Hypothesis()))), Sign())
    kind = Calibration(x, lambda A, *, value, x, y: A.maximum(value, y), target="x", answered=answered, proof=proof)
    return claim(kind, X, Y)


WHOLE = Parameter("x", "", lower=1, upper=9, integer=True)
THREE = Parameter("x", "", lower=1, upper=3, integer=True)
HALF_ON = Parameter("x", "", lower="1/2", open_lower=True, integer=True)
REAL_TO_NINE = Parameter("x", "", upper=9)

off_two = lambda A, *, x: (A.number(x) - 2) * (A.number(x) - 2)  # how far x is from 2, squared
modulus = lambda A, *, x: A.sqrt(x * x)  # the absolute value, as a root

LARGER_OF_BOTH = Both(Maximum((Part(x, Symbolic()), Part(square))), Sign())

TRUE_AND_FALSE = {
    "sides swapped": (below(square, one, Sign()), below(one, square, Sign())),
    "strict where the sides touch": (below(square, one, Sign()), below(square, one, Sign(), **LESS)),
    "open end taken for closed": (
        below(zero, x, Sign(), POSITIVE, **LESS), below(zero, x, Sign(), replace(POSITIVE, open_lower=False), **LESS),
    ),
    "formula set to zero": (
        below(one, exponential, Derivative("x", "lower"), POSITIVE, **LESS),
        below(one, zero, Derivative("x", "lower"), POSITIVE, **LESS),
    ),
    "a box that reaches one point too far": (
        below(square, one, Boxes(), replace(X, upper="0.999"), **LESS), below(square, one, Boxes(), X, **LESS),
    ),
    "p (1 + 1e-9) < q": (
        below(lambda A, *, x: x * (1 - A.number("1e-9")), x, Sign(), POSITIVE, **LESS),
        below(lambda A, *, x: x * (1 + A.number("1e-9")), x, Sign(), POSITIVE, **LESS),
    ),
    "an identity at the corners only": (
        claim(Identity(square, lambda _A, *, x: x * x, Symbolic())), claim(Identity(square, x, Symbolic())),
    ),
    "an identity off by 1e-9": (
        claim(Identity(square, lambda _A, *, x: x * x, Symbolic())),
        claim(Identity(square, lambda A, *, x: x * x * (1 + A.number("1e-9")), Symbolic())),
    ),
    "an identity of the non-negative half only": (
        claim(Identity(x, lambda A, *, x: A.sqrt(x * x), Symbolic())),
        claim(Identity(x, lambda A, *, x: A.sqrt(x * x), Symbolic()), REAL),
    ),
    "a factor that was lost": (
        below(square, x, Product((Part(x), Part(lambda _A, *, x: 1 - x)))),
        below(square, x, Product((Part(lambda _A, *, x: 1 - x),))),
    ),
    "a factor of the wrong sign": (
        below(square, x, Product((Part(x), Part(lambda _A, *, x: 1 - x)))),
        below(square, x, Product((Part(x), Part(lambda _A, *, x: 1 - x))), Parameter("x", "")),
    ),
    "a sum without a positive term": (
        below(zero, lambda _A, *, x: 1 + x, Sum((Part(one), Part(x))), **LESS),
        below(zero, lambda _A, *, x: x + x * x, Sum((Part(x), Part(square))), **LESS),
    ),
    "a sum of nothing": (below(x, lambda _A, *, x: 1 + x, Sum((Part(one),)), **LESS), below(x, x, Sum(()), **LESS)),
    "a maximum with a member left out": (
        below(lambda A, *, x: A.maximum(x, x * x), one, Maximum((Part(x), Part(square)))),
        below(lambda A, *, x: A.maximum(x, 2 - x), one, Maximum((Part(x),))),
    ),
    "a maximum of which one member falls": (
        grows(lambda A, *, x: A.maximum(x, 3 * x - 1), RISES), grows(lambda A, *, x: A.maximum(x, 1 - 3 * x), FALLS),
    ),
    "a maximum that moves, with a member left out": (
        grows(lambda A, *, x: A.maximum(x, 3 * x - 1), RISES),
        grows(lambda A, *, x: A.maximum(x, 2 - x), Maximum((Part(x, Slope()),))),
    ),
    "a maximum of which one member stands still": (
        grows(lambda A, *, x: A.maximum(x, 1), STANDS, strict=False), grows(lambda A, *, x: A.maximum(x, 1), STANDS),
    ),
    "a middle on the wrong side": (below(square, one, Through(x)), below(square, one, Through(lambda _A, *, x: 2 + x))),
    "a side rewritten as another formula": (
        below(square, one, Rewrite(Sign(), left=lambda _A, *, x: x * x)),
        below(lambda _A, *, x: 2 * x, one, Rewrite(Sign(), left=square)),
    ),
    "a hypothesis that says less": (larger_is_x(AtMost(y, x)), larger_is_x(AtMost(y, lambda _A, *, x, **_y: 2 * x))),
    "a hypothesis that is not there": (larger_is_x(AtMost(y, x)), larger_is_x(None)),
    "an equality of which one half is false": (
        claim(Identity(lambda A, *, x: A.maximum(x, x * x), x, LARGER_OF_BOTH)),
        claim(Identity(lambda A, *, x: A.maximum(x, x * x), x, LARGER_OF_BOTH), replace(X, upper=2)),
    ),
    "a mass between ends that cross": (
        below(zero, mass, Sign(), POSITIVE, **LESS), below(zero, mass, Sign(), REAL, **LESS),
    ),
    "a logarithm of a mass whose ends cross": (
        claim(Identity(log_mass, lambda A, *, x: log_mass(A, x=x) + x - x, Symbolic()), POSITIVE),
        claim(Identity(log_mass, lambda A, *, x: log_mass(A, x=x) + x - x, Symbolic()), REAL),
    ),
    "an inverse square of what may vanish": (
        below(zero, lambda A, *, x: 1 / mass(A, x=x) ** 2, Sign(), POSITIVE, **LESS),
        below(zero, lambda A, *, x: 1 / mass(A, x=x) ** 2, Sign(), REAL, **LESS),
    ),
    "an open end at which the value is below the limit that is needed": (
        below(one, lambda A, *, x: 1 + x + A.number(0), Derivative("x", "lower"), POSITIVE, **LESS),
        below(one, lambda A, *, x: A.number("0.999") + x, Derivative("x", "lower"), POSITIVE, **LESS),
    ),
    "a convex function above another chord": (
        below(chord, exponential, CONVEX, Parameter("x", "")),
        below(lambda A, *, x: chord(A, x=x) + x / 1000, exponential, CONVEX, Parameter("x", "")),
    ),
    "a derivative from the wrong end": (
        below(one, exponential, Derivative("x", "lower"), Parameter("x", "")),
        below(one, exponential, Derivative("x", "lower"), REAL),
    ),
    "a limit that is infinite": (
        below(lambda _A, *, x: 1 - x, one, Derivative("x", "lower"), POSITIVE),
        below(lambda A, *, x: -A.log(x), lambda A, **_x: A.number(5), Derivative("x", "lower"), POSITIVE),
    ),
    "a limit at infinity that is too small": (
        below(zero, lambda A, *, x: A.exp(-x), Derivative("x", "upper"), Parameter("x", ""), **LESS),
        below(zero, lambda A, *, x: A.exp(-x) - A.number("1e-9"), Derivative("x", "upper"), Parameter("x", ""), **LESS),
    ),
    "a pole inside the range": (
        below(lambda _A, *, x: 1 / (x + 1), one, Derivative("x", "lower"), Parameter("x", "")),
        below(
            lambda A, *, x: 1 / (x - 2) + A.number("1/2"), zero, Derivative("x", "lower"), Parameter("x", "", upper=5),
        ),
    ),
    "monotone in the other direction": (
        claim(Monotonicity(square, "x", increasing=True, strict=False, proof=Slope())),
        claim(Monotonicity(square, "x", increasing=False, strict=False, proof=Slope())),
    ),
    "monotone on half of the range": (
        claim(Monotonicity(square, "x", increasing=True, strict=False, proof=Slope())),
        claim(Monotonicity(square, "x", increasing=True, strict=False, proof=Slope()), replace(X, lower=-1)),
    ),
    "a split that is proved on one side": (
        below(square, one, Split("x", "1/2", Boxes(), Sign())),
        below(square, one, Split("x", "1/2", Boxes(), Sign()), replace(X, upper=2)),
    ),
    "integers between the parts of a split": (
        below(zero, off_two, Split("x", 2, Sign(), Sign()), replace(THREE, lower=2)),
        below(zero, lambda A, *, x: off_two(A, x=x) - A.number("1/8"), Split("x", "3/2", Sign(), Sign()), THREE),
    ),
    "the end that a strict split leaves out": (
        below(zero, lambda A, *, x: (x - A.number("1/2")) ** 2, Split("x", "1/2", Sign(), Sign(), without="lower")),
        below(
            zero, lambda A, *, x: (x - A.number("1/2")) ** 2, Split("x", "1/2", Sign(), Sign(), without="lower"),
            **LESS,
        ),
    ),
    "an integer that a strict split leaves out": (
        below(zero, x, Split("x", "1/2", Sign(), Sign(), without="lower")),
        below(zero, lambda A, *, x: off_two(A, x=x), Split("x", 2, Sign(), Sign(), without="lower"), THREE, **LESS),
    ),
    "integers from an end that is none": (
        below(one, x, Sign(), HALF_ON), below(lambda A, **_x: A.number("3/2"), x, Sign(), HALF_ON),
    ),
    "a logarithm that cancels": (
        below(lambda A, *, x: A.log(x + 5) - A.log(x + 5), one, Sign(), REAL_TO_NINE),
        below(lambda A, *, x: A.log(x - 5) - A.log(x - 5), one, Sign(), REAL_TO_NINE),
    ),
    "a square of a root": (
        claim(Identity(lambda A, *, x: A.sqrt(x + 5) ** 2, lambda _A, *, x: x + 5, Symbolic()), REAL_TO_NINE),
        claim(Identity(lambda A, *, x: A.sqrt(x - 5) ** 2, lambda _A, *, x: x - 5, Symbolic()), REAL_TO_NINE),
    ),
    "a formula that branches on a value, in balls": (
        below(lambda A, **_x: A.number("1/2"), one, Boxes()),
        below(lambda A, *, x: A.number(2 if x <= A.number("1/2") else 0), one, Boxes()),
    ),
    "a formula that branches on an integer": (
        below(lambda A, **_x: A.number(0), one, Sign(), WHOLE),
        below(lambda A, *, x: A.number(2 if x == 3 else 0), one, Sign(), WHOLE),
    ),
    "the derivative of a kink on its other side": (
        claim(Identity(derivative(square, "x"), lambda _A, *, x: 2 * x, Symbolic()), replace(X, lower=-2, upper=-1)),
        claim(Identity(derivative(modulus, "x"), one, Symbolic()), replace(X, lower=-2, upper=-1)),
    ),
    "two parameters of one name": (below(x, one, Sign(), X), below(x, one, Sign(), replace(X, upper=10), X)),
    "a tail of the normal law": (
        below(zero, lambda A, *, x: normal_cdf(A, -x), Sign(), REAL, **LESS),
        below(zero, lambda A, *, x: normal_cdf(A, -x) - A.number("1e-9"), Sign(), REAL, **LESS),
    ),
    "a calibration that misses its target": (
        claim(Calibration(square, lambda _A, *, value, x: value - x * x + x, target="x", proof=Symbolic())),
        claim(Calibration(square, lambda _A, *, value, x: value - x * x + x * x, target="x", proof=Symbolic())),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("attack", TRUE_AND_FALSE)
def test_what_is_true_closes_and_what_is_false_does_not(attack):
    """The false statement beside each true one is the smallest change that makes it false."""
    true, false = TRUE_AND_FALSE[attack]
    assert closes(true)
    assert not closes(false)


def inverted(upper):
    """1/(1 + x) <= 1 for x >= 1 in the variable t = 1/(1 + x), over (0, upper]."""
    return below(
        lambda _A, *, x: 1 / (1 + x),
        one,
        Substitute(
            Box((Parameter("t", "", upper=upper, open_lower=True),)),
            {"t": lambda _A, *, x: 1 / (1 + x)},
            Sign(),
            lambda _A, *, t: t,
            one,
        ),
        Parameter("x", "", lower=1),
    )


def bowl(bottom):
    """``(x - 1/2)^2 + bottom``, which falls before it rises."""
    return lambda A, *, x: (A.number(x) - A.number("1/2")) ** 2 + A.number(bottom)


def below_the_bar(bottom):
    """Ten times how far the bowl is below 0, and what its slope is more than that."""
    under = Part(
        lambda A, *, x: -10 * bowl(bottom)(A, x=x), Product((Part(ten), Part(less_than_bowl(bottom), Hypothesis())))
    )
    rest = Part(lambda A, *, x: 2 * (A.number(x) - A.number("1/2")) + 10 * bowl(bottom)(A, x=x), Boxes())
    return Sum((under, rest))


bowl_slope = lambda A, *, x: A.number(x) - A.number("1/2")  # half of its slope
ten = lambda A, **_x: A.number(10)


def less_than_bowl(bottom):
    """How far it is below 0."""
    return lambda A, *, x: -bowl(bottom)(A, x=x)


def barred(bottom, proof=None, *, relation=Relation.LESS_EQUAL, at_end=None, parameter=X, constraint=None):
    """That the bowl is not below 0, by a bar."""
    bar = Barrier("x", proof or below_the_bar(bottom), at_end or Sign())
    return claim(Inequality(zero, bowl(bottom), relation, proof=bar), parameter, constraint=constraint)


BARRIERS = {
    "that a bowl with its bottom below 0 is": barred("-1/10"),
    "strictly": barred("1/10", relation=Relation.LESS),
    "from an open end": barred("1/10", parameter=replace(X, open_lower=True)),
    "from far below": barred("1/10", parameter=REAL),
    "under a constraint": barred("1/10", constraint=lambda *, x: x >= 0),
    "from a value below 0": claim(
        Inequality(zero, lambda A, *, x: A.number(x) - 1, proof=Barrier("x", Sign(), Sign()))
    ),
    "by a slope that is negative": claim(
        Inequality(zero, lambda A, *, x: 1 - 2 * A.number(x), proof=Barrier("x", Sign(), Sign()))
    ),
    "by a hypothesis that the way from the end leaves": barred(
        "-1/100",
        Product((Part(lambda A, **_x: A.number(2)), Part(bowl_slope, Hypothesis()))),
        constraint=AtMost(lambda A, **_x: A.number("1/2"), x),
    ),
    "of a maximum": claim(
        Inequality(zero, lambda A, *, x: A.maximum(x, 1 - A.number(x)), proof=Barrier("x", Sign(), Sign()))
    ),
}


def test_a_bar_is_kept_where_the_gap_grows_below_it():
    """The bowl falls at first, but not where it would be below 0."""
    assert prove(barred("1/10"), {}).scope == ""


@pytest.mark.parametrize("attack", BARRIERS)
def test_a_bar_that_is_not_kept_is_refused(attack):
    """Each is false, or its path leaves what is known."""
    with pytest.raises(TacticError):
        prove(BARRIERS[attack], {})


@pytest.mark.parametrize(("upper", "holds"), [("1/2", True), ("0.499999", False)])
def test_a_substitution_must_cover_the_image(upper, holds):
    """The image of [1, infinity) under 1/(1 + x) is (0, 1/2]: a box that is smaller leaves a point out."""
    assert closes(inverted(upper)) is holds


def test_a_substitution_must_give_the_same_sides():
    """The sides at the new variable are compared with the sides of the goal."""
    other = inverted("1/2")
    moved = replace(other.kind, left=lambda A, *, x: 1 / (1 + x) + A.number("1e-9"))
    assert not closes(replace(other, kind=moved))


STEP_UP = Part(lambda _A, *, x, x_2: x_2 - x, Hypothesis())


@pytest.mark.parametrize(
    ("formula", "parameter", "increasing", "holds"),
    [
        (square, POSITIVE, True, True),
        (square, POSITIVE, False, False),
        (square, REAL, True, False),
        (square, X, True, False),  # by parts that are positive only above 0
        (lambda _A, *, x: -x * x, POSITIVE, True, False),
        (lambda _A, *, x: -x * x, POSITIVE, False, True),
    ],
)
def test_a_monotone_formula_is_compared_at_two_values(formula, parameter, increasing, holds):
    """x_2^2 - x^2 = (x_2 - x)(x_2 + x) > 0 for 0 < x < x_2: not the other way, nor where x may be negative."""
    sizes = Product((STEP_UP, Part(lambda _A, *, x, x_2: x_2 + x)))
    kind = Monotonicity(formula, "x", increasing=increasing, strict=True, proof=Ordered(sizes))
    assert closes(claim(kind, parameter)) is holds


@pytest.mark.parametrize(
    ("known", "least", "holds"),
    [("1/2", "1", True), ("1/2", "0.999999", False), (None, "1", False), ("0.500001", "1", False)],
)
def test_a_hypothesis_in_other_variables_is_a_goal(known, least, holds):
    """2x <= 1 where x <= 1/2: y <= 1 of y = 2x is shown, and nothing stronger is granted."""

    def bounded(end):
        return AtMost(lambda A, **at: A.number(next(iter(at.values()))), lambda A, **_at: A.number(end))

    said = None if known is None else bounded(known)
    to_y = Substitute(
        Box((Parameter("y", ""),)),
        {"y": lambda _A, *, x: 2 * x},
        Hypothesis(),
        lambda _A, *, y: y,
        one,
        hypotheses={
            bounded(least): Product(
                (Part(lambda A, **_at: A.number(2)), Part(lambda A, *, x: A.number("1/2") - x, Hypothesis()))
            )
        },
    )
    assert closes(below(lambda _A, *, x: 2 * x, one, to_y, constraint=said)) is holds


@pytest.mark.parametrize(("least", "lower", "holds"), [("1/2", 1, True), (0, 1, False), (0, "-infinity", False)])
def test_a_new_variable_has_a_value_on_all_of_the_domain(least, lower, holds):
    """1 <= y of y = 1/x for 1/2 <= x <= 1, but 1/0 is no value, with ends or without."""
    new = Box((Parameter("y", "", lower=lower),))
    proof = Substitute(new, {"y": lambda A, *, x: 1 / A.number(x)}, Sign(), zero, square_of_y)
    made = below(zero, lambda A, *, x: 1 / A.number(x) ** 2, proof, replace(X, lower=least))
    assert closes(made) is holds


square_of_y = lambda _A, *, y: y * y

HIDDEN = Fraction(1, 2027)
"""A number that nobody tries."""


@pytest.mark.parametrize(
    "formula",
    [
        lambda A, *, x: (x - A.number(HIDDEN)) / (x - A.number(HIDDEN)),
        lambda A, *, x: 1 + 0 / (A.number(x) - A.number(HIDDEN)),
        lambda A, *, x: (A.number(x) - A.number(HIDDEN)) ** -2 * (A.number(x) - A.number(HIDDEN)) ** 2,
        lambda A, *, x: (A.number(x) ** 2 - x * A.number(HIDDEN)) / (x - A.number(HIDDEN)) + 1 - x,
        lambda A, *, x: A.log(A.exp(1 / (A.number(x) - A.number(HIDDEN)))) * (A.number(x) - A.number(HIDDEN)),
        lambda A, *, x: 1 + 0 * normal_quantile_complement(A, A.number(x) - A.number(HIDDEN)),
    ],
)
def test_a_singularity_that_sympy_removes_is_one(formula):
    """What is 1 where x > 1/2027 has no value at 1/2027, wherever points are tried; nor by cases that say nothing."""
    above = replace(X, lower=HIDDEN, open_lower=True)
    assert closes(below(formula, one, Symbolic(), above))
    assert not closes(below(formula, one, Symbolic()))
    assert not closes(below(formula, one, Cases(zero, one, Symbolic(), Symbolic())))


@pytest.mark.parametrize(("least", "most", "holds"), [(0, 1, True), (0, 2, False), (-1, 1, False)])
def test_a_quantile_is_one_of_a_probability(least, most, holds):
    """``Phi(Phi^-1(x)) = x`` of x between 0 and 1."""
    inside = Parameter("x", "", lower=least, upper=most, open_lower=True, open_upper=True)
    back = claim(Identity(lambda A, *, x: normal_cdf(A, -normal_quantile_complement(A, x)), x, Symbolic()), inside)
    assert closes(back) is holds


@pytest.mark.parametrize(("least", "strict", "holds"), [(HIDDEN, True, True), (HIDDEN, False, False), (0, True, False)])
def test_a_hypothesis_says_where_the_sides_are_defined(least, strict, holds):
    """``(x - c)/(x - c) = 1`` where x > c, not where x >= c nor x > 0."""
    said = AtMost(lambda A, **_x: A.number(least), x, strict=strict)
    made = below(lambda A, *, x: (x - A.number(HIDDEN)) / (x - A.number(HIDDEN)), one, Symbolic(), constraint=said)
    assert closes(made) is holds


def test_a_hypothesis_does_not_say_that_it_is_defined_itself():
    """``0 < 1/(x - c)`` tells nothing of where x is c, and a path leaves what is said of its parameter."""
    inverse = lambda A, *, x: 1 / (x - A.number(HIDDEN))

    circular = below(
        lambda A, *, x: -inverse(A, x=x), zero, Hypothesis(), constraint=AtMost(zero, inverse, strict=True)
    )
    past_a_pole = below(
        inverse, zero, Derivative("x", "lower"), constraint=AtMost(lambda A, **_x: A.number(HIDDEN), x, strict=True)
    )
    assert not closes(circular)
    assert not closes(past_a_pole)


def test_an_integer_over_itself_is_one_but_at_zero():
    """n/n = 1 from 1 on; at 0 it has no value."""
    ratio = below(lambda A, *, n: A.number(n) / n, one, Symbolic(), N)
    assert closes(ratio)
    assert not closes(replace(ratio, domain=Box((replace(N, lower=0),))))


LEMMA = below(square, x, Sign(), identifier="test.lemma")


@pytest.mark.parametrize(
    ("lemma", "domain", "at", "holds"),
    [
        (LEMMA, X, {}, True),
        (LEMMA, replace(X, upper="1.000001"), {}, False),
        (LEMMA, Parameter("x", ""), {}, False),
        (replace(LEMMA, domain=Box((replace(X, open_upper=True),))), X, {}, False),
        (replace(LEMMA, domain=Box((X,), lambda *, x: x < 1, "x < 1")), X, {}, False),
        (replace(LEMMA, kind=replace(LEMMA.kind, proof=None)), X, {}, False),
        (replace(LEMMA, kind=replace(LEMMA.kind, left=lambda A, *, x: x * x / 2)), X, {}, False),
        (LEMMA, X, {"x": lambda _A, *, x: x / 2}, False),
    ],
)
def test_a_lemma_serves_where_it_was_proved(lemma, domain, at, holds):
    """x^2 <= x by the lemma: on its domain, not beyond an end, nor by a lemma of other sides or without a proof."""
    assert closes(below(square, x, ByClaim("test.lemma", at), domain), lemma) is holds


def test_a_lemma_is_taken_at_formulas_of_the_goal():
    """(x/2)^2 <= x/2 is the lemma at x/2."""
    half = {"x": lambda _A, *, x: x / 2}
    made = below(lambda _A, *, x: x * x / 4, lambda _A, *, x: x / 2, ByClaim("test.lemma", half))
    assert closes(made, LEMMA)


def test_a_lemma_says_nothing_of_a_parameter_that_it_does_not_have():
    """``x + 10 y <= 1`` where y is 0 unless it is given: not of any y, though the formulas are the same."""
    more = lambda A, *, x, y=0: A.number(x) + 10 * A.number(y)

    lemma = below(more, one, Sign(), identifier="test.lemma")
    assert closes(below(more, one, ByClaim("test.lemma")), lemma)
    assert not closes(below(more, one, ByClaim("test.lemma"), X, Y), lemma)


def test_a_claim_cannot_prove_itself():
    """Neither alone nor in a ring."""
    first = below(square, x, ByClaim("test.second"), identifier="test.first")
    second = below(square, x, ByClaim("test.first"), identifier="test.second")
    assert not closes(below(square, x, ByClaim("test.claim")))
    assert not closes(first, second)
    alias = below(square, x, ByClaim("test.alias"))
    with pytest.raises(TacticError, match=r"expected a claim, got test\.alias: none, or one that rests on this one"):
        prove(alias, {"test.alias": alias})


def test_a_theorem_serves_again_only_where_it_and_its_lemmas_are_the_same_objects():
    """Not for the claim with another side, nor beside a lemma that is false, has no proof or is not there."""
    user = below(square, x, ByClaim("test.lemma"), identifier="test.user")
    last = below(square, x, ByClaim("test.user"))
    known = {"test.lemma": LEMMA, "test.user": user}
    theorem = prove(last, known)
    assert prove(last, dict(known)) is theorem
    assert not closes(replace(last, kind=replace(last.kind, right=lambda _A, *, x: x / 2)), *known.values())
    false = replace(LEMMA, kind=replace(LEMMA.kind, left=x, right=square))
    for lemma in (false, replace(LEMMA, kind=replace(LEMMA.kind, proof=None))):
        assert not closes(last, lemma, user)
    assert not closes(last, user)
    assert not closes(last, LEMMA)


def test_a_smaller_box_is_the_scope_and_is_inherited():
    """A proof of part of the domain says which part, also through a lemma that rests on it."""
    part = Box((replace(X, upper="1/2"),))
    lemma = below(square, x, Within(part, Sign()), identifier="test.lemma")
    user = below(square, x, ByClaim("test.lemma"))
    for made in (lemma, user):
        assert prove(made, {"test.lemma": lemma}).scope == "0 <= x <= 1/2 (no unit)"
    assert not closes(below(square, x, Within(Box((replace(X, upper=2),)), Sign())))


HALF = replace(X, upper="1/2")
UPPER_HALF = Within(Box((replace(X, lower="1/2"),)), Sign())
LOWER_QUARTER = Within(Box((replace(X, upper="1/4"),)), Sign())

sixteenth = lambda A, **_x: A.number("1/16")
square_of_twice = lambda _A, *, x: 4 * x * x
twice = lambda _A, *, x: 2 * x

SCOPED = {
    "along a path from outside": below(x, square, Derivative("x", "lower", UPPER_HALF)),
    "in other variables of the same name": below(
        square_of_twice, sixteenth, Substitute(Box((X,)), {"x": twice}, LOWER_QUARTER, square, sixteenth), HALF,
    ),
    "of a lemma at other values": below(square_of_twice, sixteenth, ByClaim("test.lemma", {"x": twice}), HALF),
    "by steps from below it": below(
        zero, lambda _A, *, n: (n - 1) * (n - 6),
        Induction("n", Within(Box((Parameter("n", "", lower=5, integer=True),)), Sign())),
        Parameter("n", "", lower=1, integer=True),
    ),
    "of what a step is given": claim(
        Recurrence(
            Box((Parameter("s", ""),)), Box((Parameter("given", "", upper=9),)), {"s": zero},
            {"s": lambda _A, *, s, given, **_y: s / 2 + given}, lambda A, *, s, **_y: A.number(s),
            lambda A, **_at: A.number(2),
            proof=Steps(
                Within(Box((Y, Parameter("s", ""), Parameter("given", "", upper=1))), Sign()),
                factor=lambda A, **_at: A.number("1/2"),
            ),
        ),
        Y,
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", SCOPED)
def test_a_part_of_a_box_is_no_part_of_another(attack):
    """What is shown on a part, of which the goal needs the rest or which is of other variables, is no scope."""
    lemma = below(square, sixteenth, LOWER_QUARTER, identifier="test.lemma")
    with pytest.raises(TacticError, match="expected proofs over all of the boxes of its goals"):
        prove(SCOPED[attack], {"test.lemma": lemma})


def test_a_part_of_a_box_is_one_point_by_point():
    """Through a middle and by cases."""
    half = below(x, one, Through(lambda _A, *, x: 2 * x, Sign(), Within(Box((replace(X, upper="1/2"),)), Sign())))
    cases = below(x, one, Cases(x, zero, Sign(), Within(Box((replace(X, upper="1/2"),)), Sign())))
    for made in (half, cases):
        assert prove(made, {}).scope == "0 <= x <= 1/2 (no unit)"


@pytest.mark.parametrize("proof", [Sign(), Boxes()])
@pytest.mark.parametrize("empty", [{"lower": "1/2", "upper": "1/3"}, {"upper": 0, "open_upper": True}])
def test_nothing_is_proved_on_a_part_without_a_point(proof, empty):
    """-1 <= x^2 holds on [0, 1], and of every x of an empty part, which is no scope."""
    assert not closes(below(lambda A, *, x: -one(A), square, Within(Box((replace(X, **empty),)), proof)))


NOWHERE = {
    "a hypothesis that is false": below(one, zero, Hypothesis(), constraint=AtMost(one, zero)),
    "a hypothesis that holds beyond the box": below(
        lambda A, **_x: A.number(2), x, Hypothesis(), constraint=AtMost(lambda A, **_x: A.number(2), x),
    ),
    "a constraint that is never met": below(one, zero, Boxes(), X, Y, constraint=lambda *, x, y: x > y + 5),
    "no answer": claim(
        Calibration(x, lambda A, *, value, x: x + 1, "x", answered=AtMost(one, zero), proof=Hypothesis())
    ),
    "an open end at the other": below(zero, one, Boxes(), replace(X, lower=1, open_lower=True), **LESS),
    "no integer": below(zero, one, Boxes(), Parameter("n", "", lower="1/3", upper="2/3", integer=True), **LESS),
    "an upper end below the lower": below(zero, one, Boxes(), replace(X, lower=1, upper="1/2"), **LESS),
    "a part on which a hypothesis fails": below(
        one, zero, Within(Box((replace(X, lower=1), replace(Y, upper=0))), Hypothesis()), X, Y,
        constraint=AtMost(x, lambda _A, *, y, **_x: y),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", NOWHERE)
def test_nothing_is_proved_of_no_point(attack):
    """Whatever is said there is true, also that 1 <= 0."""
    with pytest.raises(TacticError, match="expected a statement about some point"):
        prove(tied(NOWHERE[attack])[0], {})


N = Parameter("n", "", lower=1, integer=True)

power = lambda A, *, n, x: A.exp(n * A.log1p(-x))  # (1 - x)^n
falling = lambda A, *, n, x: 1 - n * A.number(x)  # 1 - n x, below it
left_over = lambda _A, *, x, **_n: 1 - x


def about(left, right, proof=None, n=N, relation=Relation.LESS_EQUAL):
    """A comparison over integers n alone."""
    return below(left, right, proof or Induction("n"), n, relation=relation)


BERNOULLI = below(falling, power, Induction("n", factor=left_over), N, replace(X, upper="1/2"))
DOUBLED = Induction("n", Symbolic(), Symbolic(), factor=lambda _A, **_n: 2)
TO_SIX = Induction("n", factor=lambda A, *, n: (5 - n) / A.number(6))

INDUCTIONS = {
    "without its base": (about(zero, lambda _A, *, n: n - 1), about(zero, lambda _A, *, n: n - 2)),
    "a step that holds from 2 on only": (
        about(zero, lambda _A, *, n: (n - 2) ** 2, n=replace(N, lower=2)),
        about(zero, lambda A, *, n: (n - 2) ** 2 - A.number("1/2")),
    ),
    "a range that ends one later": (
        about(zero, lambda _A, *, n: n * (6 - n), TO_SIX, replace(N, upper=6)),
        about(zero, lambda _A, *, n: n * (6 - n), TO_SIX, replace(N, upper=7)),
    ),
    "reals between the integers": (
        about(zero, lambda _A, *, n: n - 1),
        about(zero, lambda _A, *, n: n - 1, n=replace(N, integer=False)),
    ),
    "integers without a least one": (
        about(zero, lambda _A, *, n: n * n, Sign(), replace(N, lower="-infinity")),
        about(zero, lambda _A, *, n: n - 1, n=replace(N, lower="-infinity")),
    ),
    "a factor below zero": (
        about(zero, lambda _A, *, n: n, Induction("n", factor=zero)),
        about(zero, lambda _A, *, n: 3 - 2 * n, Induction("n", factor=lambda _A, *, n: -n)),
    ),
    "the hypothesis at the next n": (
        about(zero, lambda _A, *, n: n),
        about(zero, lambda _A, *, n: 2 - n, Induction("n", factor=lambda _A, *, n: n - n)),
    ),
    "strict by a factor that may vanish": (
        about(zero, lambda _A, *, n: n, relation=Relation.LESS),
        about(zero, lambda _A, *, n: (n - 2) ** 2, Induction("n", factor=zero), relation=Relation.LESS),
    ),
    "Bernoulli beyond its range": (
        BERNOULLI,
        below(falling, power, Induction("n", factor=left_over), replace(N, lower=-2), replace(X, upper="1/2")),
    ),
    "Bernoulli the other way": (BERNOULLI, replace(BERNOULLI, kind=replace(BERNOULLI.kind, left=power, right=falling))),
    "Bernoulli a little stronger": (
        BERNOULLI,
        replace(BERNOULLI, kind=replace(BERNOULLI.kind, left=lambda A, *, n, x: falling(A, n=n, x=x) + x / 10**6)),
    ),
    "an equality of another first term": (
        claim(Identity(lambda _A, *, n: 2**n, lambda _A, *, n: 2 * 2 ** (n - 1), DOUBLED), N),
        claim(Identity(lambda _A, *, n: 2**n, lambda _A, *, n: 3 * 2 ** (n - 1), DOUBLED), N),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("attack", INDUCTIONS)
def test_an_induction_has_a_base_and_every_step(attack):
    """Each false statement holds at some n, and its proof lacks what the true one beside it has."""
    true, false = INDUCTIONS[attack]
    assert closes(true)
    assert not closes(false)


P_OF_ONE = Parameter("p", "", upper=1)
INNER = replace(P_OF_ONE, open_lower=True, open_upper=True)
COUNTS = (replace(N, name="k", lower=1), replace(N, name="t"))

shown = lambda A, *, p, k, t, **_parameters: binomial_tail(A, k, p, t)  # P[Bin(k, p) >= t]
shown_of_more = lambda A, *, k, **at: shown(A, k=k + 1, **at)  # of one trial more
exactly = lambda A, *, p, k, t: binomial_tail(A, k, p, t) - binomial_tail(A, k, p, t + 1)  # P[Bin(k, p) = t]
hits_of_more = lambda A, *, p, k, t: (k + 1 - t) * exactly(A, p=p, k=k + 1, t=t)  # (k + 1 - t) P[Bin(k + 1, p) = t]


def misses(A, *, p, k, t):
    """(k + 1)(1 - p) P[Bin(k, p) = t], which is the same."""
    return (k + 1) * (1 - p) * exactly(A, p=p, k=k, t=t)


def weighed(side, hits=0):
    """P[Bin(k, p) = t] x^t (1 - x)^(k - t), or the same with p and x exchanged."""

    def mass(A, *, p, x, k, t):
        first, second = (x, p) if side else (p, x)
        return exactly(A, p=first, k=k, t=t) * A.number(second) ** (t + hits) * (1 - A.number(second)) ** (k - t)

    return mass


def with_hits(least):
    """P[Bin(k, p) >= least(k)]."""
    return lambda A, *, p, k: shown(A, p=p, k=k, t=least(k))


def in_logs(A, *, p, k, t):
    """((1 - p)/p)^k p^t, by its logarithm."""
    p = A.number(p)
    return A.exp(k * A.log((1 - p) / p) + t * A.log(p))


def powers(more):
    """(1 - p)^k p^(t - k + more)."""
    return lambda A, *, p, k, t: (1 - A.number(p)) ** k * A.number(p) ** (t - k + more)


hill = lambda _A, *, n: -(n - 3) * (n - 3)  # largest at 3, where it is 0


def peaked(place, formula=hill, n=None, right=zero, end=None):
    """The formula is at most zero, by its peak."""
    return below(formula, right, Peak("n", lambda A, **_at: A.number(place), end=end or Sign()), n or N)


halved = lambda A, *, k, **_rest: k * A.number("1/2")  # k/2, an integer or not
floor = lambda A, *, x: floor_of(A, x)  # the integer part of x

PASCAL = below(shown, shown_of_more, Sign(), P_OF_ONE, *COUNTS)
FAR = Parameter("x", "")

COUNTED = {
    "a peak elsewhere": (peaked(3), peaked(4)),
    "a peak between the integers": (peaked(3), peaked("7/2")),
    "a peak beyond the range": (peaked(3), peaked(3, n=replace(N, upper=2))),
    "a peak before the range": (peaked(3), peaked(3, n=replace(N, lower=4))),
    "a peak of reals": (peaked(3), peaked(3, n=replace(N, integer=False))),
    "a valley": (peaked(3), peaked(3, lambda A, *, n: -hill(A, n=n))),
    "a second peak": (peaked(3), peaked(3, lambda A, *, n: hill(A, n=n) * (n - 6) * (n - 9))),
    "a bound below the peak": (peaked(3), peaked(3, right=lambda A, **_n: A.number("-1e-9"))),
    "a tail of one trial less": (PASCAL, below(shown_of_more, shown, Sign(), P_OF_ONE, *COUNTS)),
    "a chance above one": (PASCAL, below(shown, shown_of_more, Sign(), replace(P_OF_ONE, upper=2), *COUNTS)),
    "a chance below zero": (PASCAL, below(shown, shown_of_more, Sign(), replace(P_OF_ONE, lower=-1), *COUNTS)),
    "fewer trials than none": (
        PASCAL, below(shown, shown_of_more, Sign(), P_OF_ONE, replace(COUNTS[0], lower=-3), COUNTS[1]),
    ),
    "trials that are no integers": (
        PASCAL, below(shown, shown_of_more, Sign(), P_OF_ONE, replace(COUNTS[0], integer=False), COUNTS[1]),
    ),
    "a strictly larger tail, of hits that never come": (
        below(shown, shown_of_more, Sign(), P_OF_ONE, *COUNTS),
        below(shown, shown_of_more, Sign(), P_OF_ONE, *COUNTS, **LESS),
    ),
    "a mass by the other number of hits": (
        claim(Identity(hits_of_more, misses, Symbolic()), replace(P_OF_ONE, open_lower=True), *COUNTS),
        claim(
            Identity(lambda A, **at: hits_of_more(A, **{**at, "t": at["t"] + 1}), misses, Symbolic()),
            replace(P_OF_ONE, open_lower=True), *COUNTS,
        ),
    ),
    "a mass at another rate": (
        claim(Identity(weighed(0), weighed(1), Symbolic()), INNER, replace(INNER, name="x"), *COUNTS),
        claim(Identity(weighed(0), weighed(1, hits=1), Symbolic()), INNER, replace(INNER, name="x"), *COUNTS),
    ),
    "a tail taken for certain": (
        claim(Identity(with_hits(lambda _k: 0), one, Symbolic()), P_OF_ONE, COUNTS[0]),
        claim(Identity(with_hits(lambda _k: 1), one, Symbolic()), P_OF_ONE, COUNTS[0]),
    ),
    "a tail taken for certain of a chance above one": (
        claim(Identity(with_hits(lambda _k: 0), one, Symbolic()), P_OF_ONE, COUNTS[0]),
        claim(Identity(with_hits(lambda _k: 0), one, Symbolic()), replace(P_OF_ONE, upper=2), COUNTS[0]),
    ),
    "a tail taken for certain of fewer trials than none": (
        claim(Identity(with_hits(lambda _k: 0), one, Symbolic()), P_OF_ONE, COUNTS[0]),
        claim(Identity(with_hits(lambda _k: 0), one, Symbolic()), P_OF_ONE, replace(COUNTS[0], lower=-1)),
    ),
    "a tail taken for impossible": (
        claim(Identity(with_hits(lambda k: k + 1), zero, Symbolic()), P_OF_ONE, COUNTS[0]),
        claim(Identity(with_hits(lambda k: k), zero, Symbolic()), P_OF_ONE, COUNTS[0]),
    ),
    "a whole power less": (
        claim(Identity(in_logs, powers(0), Symbolic()), INNER, *COUNTS),
        claim(Identity(in_logs, powers(1), Symbolic()), INNER, *COUNTS),
    ),
    "an integer part above its number": (below(floor, x, Sign(), FAR), below(x, floor, Sign(), FAR)),
    "an integer part one below": (
        below(x, lambda A, *, x: floor_of(A, x) + 1, Sign(), FAR, **LESS),
        below(lambda A, *, x: floor_of(A, x) + 1, x, Sign(), FAR),
    ),
    "a number above -1 taken for an integer": (
        below(zero, floor, Sign(), FAR), below(zero, lambda A, *, x: x - A.number("1/2"), Sign(), FAR),
    ),
    "an integer part above -1 asked to be above 0": (
        below(zero, floor, Sign(), FAR), below(zero, floor, Sign(), FAR, **LESS),
    ),
    "the slope of an integer part": (
        grows(x, Slope(), strict=False), grows(lambda A, *, x: x - floor_of(A, x), Slope(), strict=False),
    ),
    "the limit of an integer part": (
        below(zero, lambda A, *, x: 1 - x, Derivative("x", "upper"), replace(X, open_upper=True)),
        below(zero, lambda A, *, x: floor_of(A, x) - A.number("1/2"), Derivative("x", "upper"), X),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", COUNTED)
def test_counts_and_their_laws_are_what_they_say(attack):
    """Peaks over integers, integer parts and binomial tails: what closes, and what must not."""
    true, false = COUNTED[attack]
    assert closes(true)
    assert not closes(false)


def test_a_lemma_about_integers_serves_at_integers():
    """At k + 1, and not at k/2."""
    lemma = replace(PASCAL, id="test.pascal")
    more = ByClaim("test.pascal", {"k": lambda _A, *, k, **_rest: k + 1})
    twice = below(shown_of_more, lambda A, *, k, **at: shown(A, k=k + 2, **at), more, P_OF_ONE, *COUNTS)
    assert closes(twice, lemma)
    between = ByClaim("test.pascal", {"k": halved})
    kind = Inequality(
        lambda A, *, k, **at: shown(A, k=halved(A, k=k), **at),
        lambda A, *, k, **at: shown(A, k=halved(A, k=k) + 1, **at),
        proof=between,
    )
    assert not closes(claim(kind, P_OF_ONE, *COUNTS), lemma)


@pytest.mark.slow
def test_binomial_laws_of_sympy_are_those_of_fractions():
    """Tails of shifted trials and thresholds, evaluated at numbers, against sums of exact masses."""
    n, t, p = sympy.Symbol("n", integer=True), sympy.Symbol("t", integer=True), sympy.Rational(2, 7)
    for more, later in itertools.product(range(-2, 3), repeat=2):
        for trials, hits in itertools.product(range(2, 6), range(-1, 7)):
            written = BinomialTail(n + more, p, t + later).subs({n: trials}).subs({t: hits})
            size, least = trials + more, hits + later
            masses = (math.comb(size, v) * p**v * (1 - p) ** (size - v) for v in range(max(least, 0), size + 1))
            assert written == sum(masses)


off_a_pole = lambda A, *, x: 1 / (A.number(x) - A.number("11/2"))  # falls on either side of 11/2

AT_A_POLE = Monotonicity(off_a_pole, "x", increasing=False, proof=Split("x", 5, Slope(), Slope()))
X_2 = Parameter("x_2", "", upper=1)
SHADOWED = Monotonicity(
    lambda A, *, x, x_2: A.number(x) - 2 * A.number(x_2), "x", increasing=False, proof=Ordered(Sign())
)


def test_two_monotone_parts_are_no_monotone_whole():
    """1/(x - 11/2) falls up to 5 and from 6 on, and rises between."""
    whole = Parameter("x", "", integer=True)
    with pytest.raises(TacticError, match="monotone in"):
        prove(claim(AT_A_POLE, whole), {})


def test_a_larger_value_has_a_name_of_its_own():
    """One less twice another rises with the first."""
    with pytest.raises(TacticError, match="a name of its own for the larger x"):
        prove(claim(SHADOWED, X, X_2), {})


@pytest.mark.parametrize(
    ("proved", "of"),
    [
        (below(x, x, Symbolic(), identifier="test.lemma"), below(x, x, ByClaim("test.lemma"), relation=Relation.LESS)),
        (
            claim(Monotonicity(square, "x", increasing=True, proof=Slope()), POSITIVE, identifier="test.lemma"),
            below(square, one, ByClaim("test.lemma", at={"x": x}), POSITIVE),
        ),
    ],
)
def test_a_lemma_says_no_more_than_its_relation(proved, of):
    """<= is not <, and two values are compared in their order alone."""
    assert closes(proved)
    assert not closes(of, proved)


def summed(limit, *, start=zero, state=None, inputs=None, factor=one, relation="<=", ranges=None):
    """After any number of steps s, each adding x in [0, 1] and 1 to n, s <= limit(n)."""
    state = state or Box((Parameter("s", ""), Parameter("n", "")))
    kind = Recurrence(
        state,
        Box(inputs or (X,)),
        {"s": start, "n": zero},
        {"s": lambda _A, *, s, x, **_rest: s + x, "n": lambda _A, *, n, **_rest: n + 1},
        lambda A, *, s, **_rest: A.number(s),
        limit,
        relation,
        proof=Steps(factor=factor, ranges=ranges or {}),
    )
    return claim(kind, Parameter("y", "", upper=1))


count = lambda A, *, n, **_rest: A.number(n)  # the number of steps

NARROW = Box((Parameter("s", "", upper=1), Parameter("n", "")))
LAX = Box((Parameter("s", ""), Parameter("n", "", upper=1)), lambda *, s, n: s <= n, "s <= n")

RECURRENCES = {
    "a step that is given too much": (summed(count), summed(count, inputs=(replace(X, upper="1.000001"),))),
    "a start above the bound": (summed(count), summed(count, start=lambda A, **_y: A.number("1e-9"))),
    "a start above the bound in part of the domain": (summed(count), summed(count, start=lambda _A, *, y: y)),
    "a bound that grows too slowly": (summed(count), summed(lambda A, *, n, **_rest: n * A.number("0.999999"))),
    "strict where the sides touch": (summed(count), summed(count, relation="<")),
    "equal where they differ": (summed(count), summed(count, relation="=")),
    "a range that the steps leave": (summed(count), summed(one, state=NARROW)),
    "a constraint that nobody proves": (summed(count), summed(count, state=LAX)),
    "a part of the state by the name of a parameter": (
        summed(count),
        summed(lambda A, *, y, **_rest: A.number(y), state=Box((Parameter("s", ""), Parameter("y", "")))),
    ),
    "a state of integers": (
        summed(count), summed(count, state=Box((Parameter("s", "", integer=True), Parameter("n", "")))),
    ),
    "a factor below zero": (
        summed(count), summed(lambda A, *, n, **_rest: 1 - A.number(n), factor=lambda A, **_rest: -A.number(1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", RECURRENCES)
def test_a_recurrence_has_a_start_and_keeps_every_step(attack):
    """Each false statement fails after some steps, and its proof lacks what the true one has."""
    true, false = RECURRENCES[attack]
    assert closes(true)
    assert not closes(false)


def tree(bound, *, leaf=one, below="below", k=None, node=None, state=None):
    """The mean of what is below, at any number of children, doubled at every node, is at most bound(k)."""
    mixed = lambda _A, *, mean, mass, weight, below, **_rest: (mass * mean + weight * below) / (mass + weight)

    kind = Recurrence(
        state or Box((Parameter("mass", "", open_lower=True), Parameter("mean", ""))),
        Box((Parameter("weight", "", open_lower=True), Parameter("below", "", lower=0 if below else 1))),
        {"mass": one, "mean": one},
        {"mass": lambda _A, *, mass, weight, **_rest: mass + weight, "mean": mixed},
        node or (lambda _A, *, mean, **_rest: 2 * mean),
        bound,
        levels=Levels("k", "below", leaf),
        proof=Trees(
            Steps(
                invariant=(lambda A, *, mean, **_rest: A.number(mean), lambda A, *, k, **_rest: bound(A, k=k - 1)),
                factor=lambda _A, *, mass, weight, **_rest: mass / (mass + weight),
                weight=lambda A, **_rest: A.number(2),
            )
        ),
    )
    return claim(kind, k or Parameter("k", "", lower=1, integer=True))


doubled = lambda A, *, k, **_rest: A.exp(k * A.log(A.number(2)))  # 2^k

TREES = {
    "a bound that grows too slowly": tree(lambda A, *, k, **_rest: A.exp(k * A.log(A.number("1.999999")))),
    "a leaf above the bound": tree(doubled, leaf=lambda A, **_k: A.number("1.000001")),
    "a leaf below zero": tree(doubled, leaf=lambda A, **_k: -A.number(1)),
    "a bound that does not grow": tree(one),
    "values that may be below zero": tree(doubled, state=Box((REAL, Parameter("mean", "", lower="-infinity")))),
    "a node that grows more": tree(doubled, node=lambda _A, *, mean, **_rest: 3 * mean),
    "not every value below": tree(doubled, below=""),
    "levels above 1": tree(doubled, k=Parameter("k", "", lower=1, open_lower=True, integer=True)),
    "levels from 2 on": tree(doubled, k=Parameter("k", "", lower=2, integer=True)),
    "levels that are no integers": tree(doubled, k=Parameter("k", "", lower=1)),
}


def test_a_tree_keeps_to_its_bound():
    """Doubling at every one of k levels."""
    assert closes(tree(doubled))


@pytest.mark.parametrize("attack", TREES)
def test_a_tree_needs_its_leaves_its_nodes_and_every_level(attack):
    """Each lacks one of them."""
    assert not closes(TREES[attack])


@pytest.mark.parametrize(
    ("made", "at", "left", "right"),
    [
        (summed(count), {"y": 0, "steps": 2, "x_1": 1, "x_2": Fraction(1, 2)}, Fraction(3, 2), 2),
        (tree(doubled), {"k": 2, "steps": 1, "weight_1": 1, "weight_2": 1}, 3, 4),
    ],
)
def test_an_instance_of_a_recurrence_is_searched(made, at, left, right):
    """1 + 1/2 in two steps; a child of the bottom's weight gives (1 + 1)/2 and, a level up, (1 + 2)/2, each doubled."""
    found = statement_of(made).compare(at)
    assert found.left.lower <= left <= found.left.upper
    assert found.right.lower <= right <= found.right.upper
    assert found.right.upper - found.left.lower < right - left + Fraction(1, 10**9)


ordered = lambda _A, *, x, y: y - x  # how far y is above x


def hidden_or_below(x, y):
    """Whether x is below y, or is that number."""
    return x == HIDDEN or x < y


@pytest.mark.parametrize(
    ("said", "relation", "holds"),
    [
        (lambda *, x, y: x < y, Relation.LESS, True),
        (lambda *, x, y: y > x, Relation.LESS, True),
        (lambda *, x, y: x <= y, Relation.LESS_EQUAL, True),
        (lambda *, x, y: x <= y, Relation.LESS, False),
        (lambda *, x, y: x >= y, Relation.LESS_EQUAL, False),
        (lambda *, x, y: x < 2 * y, Relation.LESS, False),
        (lambda *, x, y: bool(x < y), Relation.LESS, False),  # nothing is read off it: then nothing follows
        (lambda *, x, y: x < y < 1, Relation.LESS, False),
        (lambda *, x, y: x < y if y else True, Relation.LESS, False),  # a symbol is true, the number 0 is not
        (lambda *, x, y: x == Fraction(1, 2027) or x < y, Relation.LESS, False),  # nor is it equal to a number
        (lambda *, x, y: (x == Fraction(1, 2027)) | (x < y), Relation.LESS, False),
        (lambda *, x, y: hidden_or_below(x, y), Relation.LESS, False),  # however deep it is asked
        (lambda *, x, y: {Fraction(1, 2027): True}.get(x, x < y), Relation.LESS, False),
        (lambda *, x, y: True, Relation.LESS, False),
    ],
)
def test_a_constraint_says_no_more_than_it_says(said, relation, holds):
    """0 < y - x on a square by x < y, and by nothing that is weaker, another thing, or not one comparison."""
    made = below(zero, ordered, Sign(), X, Y, relation=relation, constraint=said)
    assert closes(made) is holds


def test_a_lemma_says_nothing_of_a_state_of_ones_choice():
    """``s <= 2`` of s that halves and grows by 1 at most is not said of y put for s."""
    halved = Recurrence(
        Box((Parameter("s", "", upper=2),)),
        Box((X,)),
        {"s": zero},
        {"s": lambda A, *, s, x, **_y: A.number(s) / 2 + x},
        lambda A, *, s, **_y: A.number(s),
        lambda A, **_rest: A.number(2),
        proof=Steps(factor=lambda A, **_rest: A.number("1/2")),
    )
    lemma, ten = claim(halved, Parameter("y", "", upper=10), identifier="test.lemma"), Parameter("y", "", upper=10)
    chosen = replace(
        halved,
        step={"s": lambda A, *, y, x, **_s: A.number(y) / 2 + x},
        left=lambda A, *, y, **_s: A.number(y),
        proof=ByClaim("test.lemma", {"s": y}),
    )
    assert closes(claim(replace(halved, proof=ByClaim("test.lemma")), ten), lemma)
    assert not closes(claim(chosen, ten), lemma)


@pytest.mark.parametrize(
    ("printed", "number", "reading", "verdict"),
    [
        ("1.1", "1", Reading.ROUNDED_UP, Verdict.REFUTED),  # 1 itself is printed as it is
        ("1.1", "1.01", Reading.ROUNDED_UP, Verdict.PROVED),
        ("1", "2", Reading.TRUNCATED, Verdict.REFUTED),
        ("1", "1.99", Reading.TRUNCATED, Verdict.PROVED),
        ("-1", "-0.95", Reading.TRUNCATED, Verdict.REFUTED),
        ("-1", "-1.05", Reading.TRUNCATED, Verdict.PROVED),
    ],
)
def test_a_rounded_number_keeps_off_the_end_that_is_printed_otherwise(printed, number, reading, verdict):
    """Of the numbers that a printed one stands for, one end is not printed so; of less than 0 digits are cut too."""
    assert decide_printed(Quantity(lambda A: A.number(number), printed, reading), 5).verdict is verdict


def test_a_limit_is_looked_at_where_the_parameters_are(monkeypatch):
    """``erf(a x)`` goes to -1 for a < 0: that it goes to 1 is refused where a may be either."""
    box = Box((Parameter("x", ""), Parameter("a", "", lower=-9, upper=9)))
    x, a = expressions.symbols_of(box).values()
    monkeypatch.setattr(sympy, "limit", lambda *_arguments: sympy.Integer(1))
    with pytest.raises(expressions.ExpressionError, match="does not come near"):
        expressions.limit(sympy.erf(a * x), "x", box, lower=False)
    above = Box((box["x"], replace(box["a"], lower=1)))
    x, a = expressions.symbols_of(above).values()
    assert expressions.limit(sympy.erf(a * x), "x", above, lower=False) == 1


@pytest.mark.parametrize("integer", [True, False])
def test_integers_that_differ_differ_by_one(integer):
    """1 <= y - x for integers x < y, and not for reals."""
    first = replace(WHOLE, integer=integer)
    made = below(one, ordered, Sign(), first, replace(first, name="y"), constraint=lambda *, x, y: x < y)
    assert closes(made) is integer


def test_a_path_that_leaves_the_constraint_proves_nothing():
    """At y = 2 x the slope of x (x - y) is seen >= 0, and it is negative; nor does a slope join two parts."""

    def bent(*, x, y):
        return y <= 2 * x

    assert closes(below(zero, lambda _A, *, x, y: 2 * x - y, Sign(), X, Y, constraint=bent))
    assert not closes(below(zero, lambda _A, *, x, y: x * (x - y), Derivative("x", "lower"), X, Y, constraint=bent))

    cubic = Monotonicity(
        lambda _A, *, x, y: x**3 / 3 - 2 * x + y * x, "x", increasing=True, strict=False, proof=Slope()
    )
    two_parts = (replace(REAL, lower=-2, upper=2), Y)
    assert not closes(claim(cubic, *two_parts, constraint=lambda *, x, y: y >= 2 - x * x))
    assert closes(claim(replace(cubic, formula=lambda _A, *, x, y: x**2 - y * x), X, Y, constraint=bent))


def test_a_box_of_a_tactic_brings_no_constraint_of_its_own():
    """Nobody would prove it."""
    smaller = Box((X, Y), lambda *, x, y: x < y, "x < y")
    for tactic in (Within(smaller, Sign()), Substitute(smaller, {}, Sign(), zero, ordered)):
        with pytest.raises(TacticError, match="expected a box without a constraint, got x < y"):
            prove(below(zero, ordered, tactic, X, Y), {})


def test_a_formula_that_says_another_thing_to_sympy_is_found_out():
    """What SymPy is given must agree with the balls."""
    two_faced = lambda A, *, x: x if A.name == "symbolic" else x + A.number(2)

    assert not closes(below(two_faced, one, Sign()))
    assert not closes(claim(Identity(two_faced, x, Symbolic())))


SPIKE = Fraction(1, 1024)


def goes_on(A, *, x):
    """Asks, and goes on when it is not answered."""
    try:
        return A.number(2 if A.number("0.3333") < x < A.number("0.3334") else 0)
    except (ArithmeticError, TypeError):
        return A.number(0)


def after_a_root(A, *, x):
    """Asks what SymPy would not be asked, as it knows no root."""
    root = increasing_root(A, lambda r, x: r - x, A.number(0), A.number(1), x)
    return goes_on(A, x=x) * root / root if A.number("0.3333") < x < A.number("0.3334") else 0 * root


def after_an_integral(A, *, x):
    """Asks beside an integral, which SymPy does not know either."""
    return 0 * integral(A, lambda _B, z: z, A.number(0), A.number(1)) + goes_on(A, x=x)


def inside_an_integral(A, *, x):
    """Asks in the integrand."""
    return integral(A, lambda B, z: goes_on(B, x=A.number(x)) + 0 * z, A.number(0), A.number(1))


def answered(A, *, x):
    """Asks for a double, which a term is none of."""
    try:
        return A.number(2 if float(x) == SPIKE else 0)
    except TypeError:
        return A.number(0)


def rounded(A, *, x):
    """Asks for an integer."""
    try:
        return A.number(0 * (x // 1) + (2 if round(x) == 1 else 0))
    except TypeError:
        return A.number(0)


def in_the_middle(A, *, x):
    """What is known of a ball's middle alone; of a term nothing is asked."""
    middle = x.mid() if A.encloses else x
    return 1 - (3 * middle - 1) ** 2


ASKS = {
    "for a double": (answered, (Sign(), Boxes())),
    "for an integer": (rounded, (Sign(), Boxes())),
    "for a text": (lambda A, *, x: A.number(2 if "0.33" in str(x) else 0), (Sign(), Boxes())),
    "for the middle of a ball": (lambda A, *, x: A.number(x.mid() if hasattr(x, "mid") else 0), (Sign(), Boxes())),
    "if it is a number": (lambda A, *, x: A.number(2 if x == A.number(SPIKE) else 0), (Sign(), Boxes())),
    "unless it is another": (lambda A, *, x: A.number(0 if x != A.number(SPIKE) else 2), (Sign(), Boxes())),
    "among numbers": (lambda A, *, x: A.number(2 if x in [A.number(SPIKE), A.number(7)] else 0), (Sign(), Boxes())),
    "as a key": (lambda A, *, x: A.number({SPIKE: 2}.get(x, 0)), (Sign(),)),
    "and goes on without an answer": (goes_on, (Sign(), Boxes())),
    "after a root": (after_a_root, (Boxes(),)),
    "after an integral": (after_an_integral, (Boxes(),)),
    "inside an integral": (inside_an_integral, (Boxes(),)),
}


@pytest.mark.parametrize(("formula", "proofs"), ASKS.values(), ids=ASKS)
def test_a_formula_that_asks_how_a_value_compares_is_refused(formula, proofs):
    """Each is 0 almost everywhere, and 2 at a place that no sample meets."""
    for proof in proofs:
        with pytest.raises(TacticError, match="branches on a value"):
            prove(below(formula, one, proof, **LESS), {})


@pytest.mark.parametrize("proof", [Sign(), Symbolic(), Boxes()])
def test_a_number_that_lies_between_two_is_neither(proof):
    """From 0 to 10, and from 0 to 1e-9: not 0, nor at most 1/2."""
    for most, in_balls_alone in ((10, False), (10, True), ("1e-9", True)):

        def bracket(A, *, x, most=most, in_balls_alone=in_balls_alone):
            widened = A.encloses or not in_balls_alone
            return 0 * x + (A.between(A.number(0), A.number(most)) if widened else A.number(0))

        assert not closes(below(bracket, lambda A, *, x: A.number("1e-10"), proof, **LESS))
        assert not closes(below(bracket, zero, proof))


def test_balls_that_do_not_hold_what_is_in_them_prove_nothing():
    """``1 - (3x - 1)^2 < 99/100`` at 1/2, in the middle, and not at 1/3."""
    with pytest.raises(TacticError, match="does not hold that at a point of it"):
        prove(below(in_the_middle, lambda A, **_x: A.number("99/100"), Boxes(), **LESS), {})


@pytest.mark.parametrize("proof", [Sign(), Boxes()])
def test_an_integer_that_a_formula_asks_for_is_refused(proof):
    """0 of all integers but two."""
    counts = Parameter("n", "", lower=1, upper=1000, integer=True)
    made = below(lambda A, *, n: A.number(2 if n in {777, 778} else 0), one, proof, counts, **LESS)
    assert not closes(made)
    assert closes(replace(made, kind=replace(made.kind, left=zero)))


def test_roots_and_integrals_close_on_boxes():
    """Of nothing that asks."""
    assert closes(below(lambda A, *, x: ROOT_OF_X(A, x=x) / 2, one, Boxes(), **LESS))
    half = lambda A, **_x: integral(A, lambda _B, z: z, A.number(0), A.number(1))
    assert closes(below(half, one, Boxes(), **LESS))


@pytest.mark.slow
def test_a_limit_that_sympy_gets_wrong_is_not_taken():
    """``Phi(x + 1) - e^y Phi(x - 1)`` goes to 0 at minus infinity; SymPy 1.14 finds 1 - e^y."""
    box = Box((REAL, replace(REAL, name="y")))
    x, y = expressions.symbols_of(box).values()
    built = normal_cdf(expressions.A, x + 1) - sympy.exp(y) * normal_cdf(expressions.A, x - 1)
    assert sympy.limit(built, x, -sympy.oo) == 1 - sympy.exp(y)
    assert expressions.limit(built, "x", box, lower=True) == 0


def test_a_limit_that_the_expression_does_not_come_near_is_refused(monkeypatch):
    """Where SymPy says 1 of each, far out is one half, and a thousand standard deviations out 0."""
    monkeypatch.setattr(sympy, "limit", lambda *_arguments: sympy.Integer(1))
    x = sympy.Symbol("x", real=True)
    with pytest.raises(expressions.ExpressionError, match="does not come near"):
        expressions.limit((x + 1) / (2 * x + 1), "x", Box((REAL,)), lower=True)
    monkeypatch.setattr(limits, "by_parts", lambda *_arguments: sympy.Integer(1))
    with pytest.raises(expressions.ExpressionError, match="does not come near"):
        expressions.limit(normal_cdf(expressions.A, x), "x", Box((REAL,)), lower=True)


def test_no_tactic_of_ones_own():
    """A tactic that the kernel does not know closes nothing."""

    class Obvious(Tactic):
        pass

    with pytest.raises(TacticError, match="expected a tactic of the kernel, got Obvious"):
        prove(below(one, square, Obvious()), {})


@pytest.mark.parametrize(
    "tactic",
    [Split("z", 0, Sign(), Sign()), Derivative("z", "lower"), Barrier("z", Sign()), Induction("z"), Peak("z", at=zero)],
)
def test_a_tactic_on_a_parameter_that_the_goal_lacks_says_so(tactic):
    """What, the value, what is allowed and what to do."""
    name = type(tactic).__name__
    with pytest.raises(TacticError, match=rf"{name}: expected a parameter of the goal, got z; allowed: x, y; name one"):
        prove(below(zero, lambda _A, *, x, y: x + y, tactic, X, Y), {})


def test_a_failed_tactic_says_which_condition_failed_and_where():
    """A counterexample is named."""
    with pytest.raises(TacticError, match=r"right - left <= 0 at x=1/2"):
        prove(below(lambda A, *, x: x + A.number("1/2"), one, Boxes(), **LESS), {})
    with pytest.raises(TacticError, match="expected a compact box, got 0 <= x"):
        prove(below(zero, exponential, Boxes(), Parameter("x", ""), **LESS), {})


@pytest.mark.parametrize(
    ("tactic", "told"),
    [
        (Sign(), r"the sign of x\*\*2 - x to be seen on the box"),
        (Symbolic(), r"equal sides; SymPy leaves x\*\*2 - x"),
        (Sum((Part(zero),)), r"to be the sum of the parts; SymPy leaves x\*\*2 - x"),
    ],
)
def test_a_goal_that_fails_at_a_point_is_refused_with_the_point(tactic, told):
    """Of ``x <= x^2``, the value there and the point."""
    with pytest.raises(TacticError, match=rf"{told}; it is -0\.222222 at x=2/3$"):
        prove(below(lambda _A, *, x: x, lambda _A, *, x: x * x, tactic), {})


def test_what_is_not_defined_is_refused_with_a_point():
    """The logarithm of 0."""
    with pytest.raises(TacticError, match=r"the argument of a logarithm, x, .*; it is 0 at x=0$"):
        prove(below(lambda A, *, x: A.log(x), lambda _A, *, x: x, Sign()), {})


def test_a_counterexample_is_one_where_the_hypotheses_hold():
    """Of ``x >= 1/4`` there is none where ``x >= 1/4``; of what is true none is named; 0 is one of ``x > 0`` alone."""
    box = Box((X,))
    x = expressions.symbols_of(box)["x"]
    quarter = AtMost(lambda A, *, x: A.number("1/4"), lambda A, *, x: A.number(x))
    assert expressions.counterexample(x - sympy.Rational(1, 4), "<=", box).startswith("; it is -")
    assert expressions.counterexample(x - sympy.Rational(1, 4), "<=", box, (quarter,)) == ""
    assert expressions.counterexample(x, "<=", box) == ""
    assert expressions.counterexample(x, "<", box) == "; it is 0 at x=0"


@pytest.mark.parametrize("made_by", [(), (None,), (Verdict.PROVED,), (prove,)])
def test_only_the_kernel_makes_a_theorem(made_by):
    """Nobody else does, not from the steps of one either."""
    theorem = prove(LEMMA, {})
    with pytest.raises(TypeError):
        Theorem(theorem.claim, theorem.root, *made_by)


def said(tree):
    """Lines that conclude PROVED: not those that compare with it, or list it among the verdicts."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "PROVED":
            above = parents[node]
            listed = isinstance(above, ast.Set | ast.Tuple) or (isinstance(above, ast.Dict) and node in above.keys)
            if not listed and not isinstance(above, ast.Compare):
                yield node.lineno


@pytest.mark.slow
def test_no_other_room_says_proved():
    """A verdict PROVED is written in the kernel alone; what speaks of one elsewhere only reads it."""
    rooms = [path for top in ("auditor", "mechanisms", "proofs_numeric") for path in (ROOT / top).rglob("*.py")]
    naming = [(path, text) for path in rooms if "PROVED" in (text := path.read_text("utf-8"))]
    saying = {path.parent.relative_to(ROOT).as_posix() for path, text in naming if any(said(ast.parse(text)))}
    assert saying == {"proofs_numeric/kernel"}
    assert sorted(said(ast.parse("x = {True: Verdict.PROVED}[holds]\nreturn Verdict.PROVED if x else y"))) == [1, 2]
    assert not list(said(ast.parse("v is Verdict.PROVED or v in {Verdict.PROVED} or {Verdict.PROVED: 'proved'}[v]")))


@pytest.mark.parametrize(
    ("left", "right", "relation", "verdict"),
    [
        (1, 2, "<=", Verdict.PROVED),
        (2, 1, "<=", Verdict.REFUTED),
        (1, 1, "<", Verdict.REFUTED),
        (1, 1, "<=", Verdict.UNDECIDED),  # neither side is certainly less: it says nothing about the numbers printed
        (1, 1, "=", Verdict.CONSISTENT),
        (1, 2, "=", Verdict.REFUTED),
    ],
)
def test_an_order_of_two_numbers_is_decided_by_their_enclosures(left, right, relation, verdict):
    """That two enclosures are equal decides no equation."""
    stated = Statement(lambda A: A.number(left), lambda A: A.number(right), relation, Box(()))
    assert decide_order(stated) is verdict
    with pytest.raises(ValueError, match="one about x"):
        decide_order(replace(stated, box=Box((X,))))


def test_a_calibration_with_no_answer_everywhere_is_no_lemma_everywhere():
    """``max(x, y) = x`` where ``y <= x`` does not say it of all x and y."""
    lemma, number = tied(replace(larger_is_x(AtMost(y, x)), id="test.lemma"))
    everywhere = claim(Identity(lambda A, *, x, y: A.maximum(x, y), x, ByClaim("test.lemma")), X, Y)
    known = {"test.lemma": lemma, number.id: number}
    assert prove(lemma, known).verdict is Verdict.PROVED
    with pytest.raises(TacticError, match="only where there is an answer"):
        prove(everywhere, known)


AT_ROOT = Parameter("r", "")


def root_of(excess, top=2, bottom=0):
    """The root of the excess, from the bottom up to the top, as a formula."""
    return lambda A, *, x: increasing_root(A, lambda r, x: excess(A, r, x), A.number(bottom), A.number(top), x)


grown = lambda _A, *, r, **_at: r + r * r  # the formula r + r^2, which grows with r >= 0
hump_at = lambda _A, *, r, **_at: r * (2 - r)  # the formula r (2 - r), which grows up to r = 1 only
hump_excess = lambda _A, r, x: r * (2 - r) - x  # how far r (2 - r) is above x

UP_TO = replace(X, upper="9/10")
ROOT_OF_X = root_of(lambda _A, r, x: r + r * r - x)


def crossing(proof=None, root=AT_ROOT, falls=x, rises=grown, **proofs):
    """The root is where r + r^2 is x."""
    proofs = proofs or {"above": Sign(), "below": Sign()}
    return Root(root, falls, rises, proof or Both(Hypothesis(), Hypothesis()), **proofs)


def meets(tactic, root=ROOT_OF_X, *parameters, at=grown):
    """The formula at the root is x, with its proof."""
    return claim(Identity(lambda A, *, x: at(A, r=root(A, x=x)), x, tactic), *parameters)


OF_LOGARITHMS = root_of(lambda A, r, x: A.log(r + r * r) - A.log(x), bottom="1e-9")
LOGS = crossing(root=replace(AT_ROOT, lower="1e-9"))
MET = (
    meets(crossing()),
    meets(LOGS, OF_LOGARITHMS, replace(X, lower="1e-6")),
    meets(
        crossing(rises=hump_at, root=replace(AT_ROOT, upper="9/10")), root_of(hump_excess, "9/10"), UP_TO, at=hump_at
    ),
)

ROOTS = {
    "another formula at the root": meets(crossing(), at=lambda _A, *, r: r + r * r * r),
    "a root of another function": meets(crossing(), root_of(lambda _A, r, x: r + r * r - 2 * x)),
    "a function that is not the root's": meets(crossing(rises=lambda _A, *, r, **_x: (r + r * r) / 2)),
    "a function that grows up to its middle": meets(crossing(rises=hump_at), root_of(hump_excess), UP_TO, at=hump_at),
    "no root up to the top": meets(crossing(), root_of(lambda _A, r, x: r + r * r - x, "1/2")),
    "no root from the bottom on": meets(crossing(), ROOT_OF_X, replace(X, lower=-1)),
    "a range without the root": meets(crossing(root=replace(AT_ROOT, upper="1/2"))),
    "a range in which the function falls": meets(crossing(root=replace(AT_ROOT, lower=-1))),
    "nothing said of the upper end": meets(crossing(below=Sign())),
    "nothing said of the lower end": meets(crossing(above=Sign())),
    "a name that is taken": meets(crossing(root=replace(AT_ROOT, name="x"))),
    "an integer for the root": meets(crossing(root=replace(AT_ROOT, integer=True))),
    "a function with a hole": meets(
        crossing(), root_of(lambda A, r, x: (r + r * r - x) * (r - A.number(HIDDEN)) / (r - A.number(HIDDEN)))
    ),
    "no root": meets(crossing(), lambda A, *, x: (A.sqrt(1 + 4 * A.number(x)) - 1) / 2),
    "logarithms of what may vanish": meets(LOGS, OF_LOGARITHMS),
    "two roots for one": claim(
        Identity(lambda A, *, x: ROOT_OF_X(A, x=x) * (1 + root_of(hump_excess)(A, x=x)), x, crossing())
    ),
}


@pytest.mark.parametrize("made", MET)
def test_a_root_is_where_the_sides_meet(made):
    """Also of logarithms, and up to where a function grows."""
    assert closes(made)


@pytest.mark.parametrize("attack", ROOTS)
def test_what_is_said_of_a_root_holds_of_no_other_number(attack):
    """Another function, one that is not monotone, one that does not vanish between the ends, or a range beside it."""
    assert not closes(ROOTS[attack])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bounds", "left_is_root", "holds"),
    [
        ({"at_most": (y, Hypothesis())}, True, True),
        ({"at_most": (y, Hypothesis())}, False, False),
        ({"at_most": (x, Sign())}, True, False),  # that x + x^2 >= x says nothing of y
        ({"at_least": (y, Hypothesis())}, False, False),  # y + y^2 >= x, not <=
        ({"above": Sign()}, True, False),
    ],
)
def test_no_smaller_number_is_beyond_the_root(bounds, left_is_root, holds):
    """Where y + y^2 >= x the root is at most y: not at least, and not without the hypothesis."""
    root = lambda A, *, x, y: ROOT_OF_X(A, x=x)

    enough = AtMost(x, lambda _A, *, y, **_x: y * y + y)
    sides = (root, y) if left_is_root else (y, root)
    tactic, domain = crossing(Hypothesis(), **bounds), (X, Y)
    assert closes(below(*sides, tactic, *domain, constraint=enough)) is holds
    assert not closes(below(*sides, tactic, *domain))


def test_a_root_that_is_not_the_formula_in_balls_is_found_out():
    """What SymPy is told of a root is compared with the root that balls find."""
    two_faced = lambda A, *, x: ROOT_OF_X(A, x=x if A.name == "symbolic" else x / 2)

    assert not closes(meets(crossing(), two_faced))


def inverse_of_room(A, *, value, x, y):
    """``y + 1/value``, for the value 1/(r - y): the root r."""
    return y + 1 / A.number(value)


def answer(said, defined, **changed):
    """``1/(r - y)``, r the root of ``r + r^2 = x``: y and its inverse make r, where it is said to be above y."""
    fields = {
        "formula": lambda _A, *, x, y: 1 / (ROOT_OF_X(_A, x=x) - y),
        "achieved": lambda A, *, value, x, y: grown(A, r=inverse_of_room(A, value=value, x=x, y=y)),
    }
    tactic = crossing(Both(Hypothesis(), Hypothesis()), above=Sign(), below=Sign(), defined=defined)
    return claim(Calibration(**fields | changed, target="x", answered=said, proof=tactic), X, Y)


above_y = lambda A, *, x, **_y: ROOT_OF_X(A, x=x)  # the root, which is above y where that is said

BELOW_ROOT = AtMost(y, above_y, strict=True)
ANSWERS = {
    "nothing said": answer(None, (Hypothesis(),)),
    "equality allowed": answer(AtMost(y, above_y), (Hypothesis(),)),
    "the other order": answer(AtMost(above_y, y, strict=True), (Hypothesis(),)),
    "something else said": answer(AtMost(y, lambda A, **at: 2 * above_y(A, **at), strict=True), (Hypothesis(),)),
    "no proof that it is defined": answer(BELOW_ROOT, ()),
    "a proof of more than is missing": answer(BELOW_ROOT, (Hypothesis(), Hypothesis())),
    "a proof of something else": answer(BELOW_ROOT, (Symbolic(),)),
    "another value": answer(BELOW_ROOT, (Hypothesis(),), formula=lambda A, *, x, y: 2 / (ROOT_OF_X(A, x=x) - y)),
}


def test_an_answer_is_defined_where_there_is_one():
    """``1/(r - y)`` where y < r, which the hypothesis says of the root and the proof of the number in its place."""
    assert closes(answer(BELOW_ROOT, (Hypothesis(),)))


@pytest.mark.parametrize("attack", ANSWERS)
def test_an_answer_is_defined_nowhere_else(attack):
    """Each lacks what says that y < r, or is another answer."""
    assert not closes(ANSWERS[attack])


S = Parameter("s", "", upper=1, open_upper=True)
SHARED = {"s": Product((Part(lambda A, *, x, **_y: 1 / x), Part(y)))}
LESS_THAN_X = {"s <": Product((Part(lambda A, *, x, **_y: 1 / x), Part(lambda _A, *, x, y: x - y, Hypothesis())))}


def logarithm_of_less(said, share=S, **changed):
    """``log(x - y) <= log x`` where y < x: by the share s = y/x."""
    log_less = lambda A, *, x, s: A.log(x - x * s)
    log_of = lambda A, *, x, **_rest: A.log(x)

    how = {"new": {"s": lambda _A, *, x, y: y / x}, "ranges": SHARED | LESS_THAN_X, **changed}
    less = Increasing("log", lambda A, *, x, s: x - x * s, x)
    tactic = Substitute(Box((POSITIVE, share)), proof=less, left=log_less, right=log_of, **how)
    return below(lambda A, *, x, y: A.log(x - y), log_of, tactic, POSITIVE, Parameter("y", ""), constraint=said)


SHARES = {
    "a hypothesis that allows equality": logarithm_of_less(AtMost(y, x)),
    "no hypothesis": logarithm_of_less(None),
    "another hypothesis": logarithm_of_less(AtMost(x, y, strict=True)),
    "a box on which the new side is not defined": logarithm_of_less(
        AtMost(y, x, strict=True), replace(S, open_upper=False)
    ),
    "an end that nothing proves": logarithm_of_less(AtMost(y, x, strict=True), ranges=SHARED),
    "another variable": logarithm_of_less(
        AtMost(y, x, strict=True), new={"s": lambda _A, *, x, y: y / x / 2}, ranges={"s <": Sign()}
    ),
}


def test_a_side_that_is_defined_by_a_hypothesis_alone_is_so_in_other_variables():
    """The logarithm is not defined on all of the box; in the share it is."""
    assert closes(logarithm_of_less(AtMost(y, x, strict=True)))


@pytest.mark.parametrize("attack", SHARES)
def test_new_variables_keep_to_their_box(attack):
    """Each lacks what keeps the share below 1."""
    assert not closes(SHARES[attack])


@pytest.mark.parametrize(("strict", "relation", "holds"), [(True, "<", True), (True, "<=", True), (False, "<", False)])
def test_a_strict_hypothesis_is_needed_for_a_strict_goal(strict, relation, holds):
    """``y < x`` of ``y <= x`` does not follow."""
    made = below(y, x, Hypothesis(), X, Y, relation=Relation(relation), constraint=AtMost(y, x, strict=strict))
    assert closes(made) is holds


@pytest.mark.parametrize(
    ("left", "right", "holds"),
    [
        (lambda A, *, x, y: A.minimum(x, y), x, True),
        (x, lambda A, *, x, y: A.maximum(x, y), True),
        (x, lambda A, *, x, y: A.minimum(x, y), False),
        (lambda A, *, x, y: A.maximum(x, y), x, False),
        (lambda A, *, x, y: A.minimum(x + 1, y), x, False),
    ],
)
def test_a_maximum_is_at_least_its_members_and_a_minimum_at_most(left, right, holds):
    """Not the other way round, strictly, or of another number."""
    assert closes(below(left, right, Symbolic(), X, Y)) is holds
    assert not closes(below(left, right, Symbolic(), X, Y, relation=Relation.LESS))


LARGER_X = AtMost(y, x)
CONTRARY = Contrary(x, y, Hypothesis(), Hypothesis())


@pytest.mark.parametrize(
    ("kept", "goal", "holds"),
    [
        (Cases(x, y, Contrary(x, y, Hypothesis(), Hypothesis()), Sign()), zero, False),  # that y < x is nowhere said
        (Cases(x, y, Contrary(y, x, Hypothesis(), Hypothesis()), Sign()), zero, False),
        (Cases(y, x, Sign(), CONTRARY), one, False),  # x < y and x <= y are not contrary
        (Cases(x, x, Sign(), Contrary(x, x, Symbolic(), Hypothesis())), y, True),  # that x < x is
        (Cases(x, x, Contrary(x, x, Symbolic(), Hypothesis()), Sign()), y, False),  # that x <= x is not
        (Cases(x, x, Sign(), Contrary(x, x, Symbolic(), Symbolic())), y, False),
        (Contrary(one, zero, Sign(), Sign()), zero, False),
    ],
)
def test_contrary_hypotheses_are_two_that_follow(kept, goal, holds):
    """That ``goal <= 1 + y``, true, is closed only with ``a <= b`` and ``b < a`` of the same numbers, each proved."""
    made = below(goal, lambda A, *, x, y: A.number(1) + y, kept, X, Y)
    assert closes(made) is holds


def test_what_is_had_is_proved():
    """``y <= 2`` by ``y <= x`` only where that is so; and a hypothesis is none of another goal."""

    def had(known, shown, constraint=None):
        return below(y, one, Have(known, shown, Through(x, Hypothesis(), Sign())), X, Y, constraint=constraint)

    assert closes(had(LARGER_X, Hypothesis(), LARGER_X))
    for made in (had(LARGER_X, Hypothesis()), had(LARGER_X, Sign()), had(AtMost(x, y), Hypothesis(), LARGER_X)):
        assert not closes(made)


@pytest.mark.parametrize(
    ("add", "defined", "holds"),
    [
        (1, (Derivative("x", "lower"),), True),
        (-1, (Derivative("x", "lower"),), False),  # e^x - x - 2 vanishes at 1.15
        (1, (), False),
        (1, (Derivative("x", "lower"), Sign()), False),
        (1, (Symbolic(),), False),
    ],
)
def test_a_monotone_formula_is_defined_on_the_whole_box(add, defined, holds):
    """``-1/(e^x - x - 1 + add)`` grows where what it divides by does not vanish, which is a goal."""
    room = lambda A, *, x: A.exp(x) - x + A.number(add) - 1

    steps = Product((Part(lambda A, *, x: 1 / room(A, x=x) ** 2), Part(lambda A, *, x: A.exp(x) - 1)))
    made = claim(
        Monotonicity(lambda A, *, x: -1 / room(A, x=x), "x", increasing=True, proof=Slope(steps, defined)), POSITIVE
    )
    assert closes(made) is holds


@pytest.mark.parametrize(("strict", "holds"), [(True, True), (False, False)])
def test_a_sign_is_seen_of_what_is_said_to_be_positive(strict, holds):
    """``0 < 1/(x - y)`` where y < x, of which the least is no sign."""
    inverse = lambda A, *, x, y: 1 / (A.number(x) - y)

    more = below(zero, inverse, Sign(), X, Y, constraint=AtMost(y, x, strict=strict), relation=Relation.LESS)
    less = below(inverse, zero, Sign(), X, Y, constraint=AtMost(y, x, strict=strict), relation=Relation.LESS)
    another = below(
        zero,
        lambda _A, *, x, y: x - 2 * y,
        Sign(),
        X,
        Y,
        constraint=AtMost(y, x, strict=strict),
        relation=Relation.LESS,
    )
    assert closes(more) is holds
    assert not closes(less)
    assert not closes(another)


least_of = lambda A, *, x, y: A.minimum(x, y)  # the smaller of x and y

LARGER = Maximum((Part(x, Hypothesis()), Part(y, Sign())), inside=True)


@pytest.mark.parametrize(
    ("below_y", "above_y", "holds"),
    [(Sign(), Sign(), True), (Hypothesis(), Sign(), False), (Sign(), Hypothesis(), False), (LARGER, LARGER, False)],
)
def test_cases_are_two_and_each_has_its_hypothesis(below_y, above_y, holds):
    """``min(x, y) <= x`` needs both; that y is at least x is known in one alone."""
    made = below(least_of, x, Cases(x, y, below_y, above_y), X, Y)
    assert closes(made) is holds


@pytest.mark.parametrize(("first", "second", "holds"), [(x, y, True), (y, x, False)])
def test_the_second_case_is_strict(first, second, holds):
    """That ``y < x`` where ``x <= y`` is not so: of ``y <= x`` and ``x < y`` neither says it."""
    more = lambda A, *, x, y: A.maximum(x, y + 1)

    strictly = Cases(first, second, Sign(), Through(x, Hypothesis(), Sign(), strict_first=True))
    assert closes(below(y, more, strictly, X, Y, relation=Relation.LESS)) is holds


def test_a_case_knows_no_more_than_its_hypothesis():
    """``max(x, y) - x`` is 0 where y is at most x, and is not elsewhere."""
    excess = lambda A, *, x, y: A.maximum(x, y) - x

    given = Maximum((Part(x, Sign()), Part(y, Hypothesis())), inside=True)
    nothing = below(excess, zero, Cases(y, x, given, given), X, Y)
    at_most_y = below(excess, y, Cases(y, x, Sign(), Sign()), X, Y)
    assert closes(at_most_y)
    assert not closes(nothing)
    undefined = Cases(lambda A, *, x, y: A.log(x - y), zero, Sign(), Sign())
    assert not closes(below(excess, y, undefined, X, Y))


@pytest.mark.parametrize(("least", "holds"), [("1e-300", True), ("-1e-300", False), (0, False)])
def test_the_sign_of_a_number_is_that_of_its_enclosure(least, holds):
    """However small: ``log 2 + log 3 - log 6 + 1e-300``, which SymPy does not add up."""
    little = lambda A, **_x: A.log(A.number(2)) + A.log(A.number(3)) - A.log(A.number(6)) + A.number(least)

    assert closes(below(zero, little, Sign(), **LESS)) is holds


def test_a_size_is_not_negative():
    """``max(x, -x) >= 0``, and ``max(x, 1 - x)`` is at least 1/2 and no more."""
    assert closes(below(zero, lambda A, *, x: A.maximum(x, -x), Sign(), REAL))
    assert not closes(below(zero, lambda A, *, x: A.maximum(x, -x), Sign(), REAL, **LESS))
    assert not closes(below(one, lambda A, *, x: A.maximum(x, -x), Sign(), REAL))


WHOLE_N = Parameter("n", "", lower=0, upper=9, integer=True)

half = lambda A, *, n: A.number(2) * ceiling_of_half(A, n)  # twice ceil(n/2)
ceiling_root = lambda A, *, n: A.number(ceiling_of_root(A, n))  # ceil(sqrt n)


def of(times, plus=0):
    """The number n/times + plus."""
    return lambda A, *, n: A.number(n) / times + A.number(plus)


def root_and(plus):
    """The number sqrt(n) + plus."""
    return lambda A, *, n: A.sqrt(A.number(n)) + A.number(plus)


@pytest.mark.parametrize(
    ("left", "right", "n", "holds"),
    [
        (of(1), half, WHOLE_N, True),
        (half, of(1, 1), WHOLE_N, True),
        (root_and(0), ceiling_root, WHOLE_N, True),
        (ceiling_root, root_and(1), WHOLE_N, True),
        (half, of(1), WHOLE_N, False),  # the value, or the floor, for the ceiling
        (ceiling_root, root_and(0), WHOLE_N, False),
        (of(1, 1), half, WHOLE_N, False),
        (half, of(1, 1), replace(WHOLE_N, integer=False), False),  # of 1/10 it is 1
        (ceiling_root, root_and(1), replace(WHOLE_N, integer=False), False),
        (ceiling_root, root_and(Fraction(1, 2)), WHOLE_N, False),
    ],
)
def test_a_ceiling_is_the_next_integer(left, right, n, holds):
    """``x <= ceil(x) <= x + 1``, half of an integer has half a unit less; a number that is no integer has neither."""
    assert closes(below(left, right, Sign(), n)) is holds


def test_a_maximum_inside_is_each_of_its_members():
    """``min(x, 1/2) <= 1/2`` by both members; not by one of them, nor by another's."""
    least = lambda A, *, x: A.minimum(x, A.number("1/2"))
    middle = lambda A, **_x: A.number("1/2")

    made = below(least, one, Maximum((Part(x), Part(middle)), inside=True))
    assert closes(made)
    assert not closes(below(least, middle, Maximum((Part(x), Part(middle)), inside=True)))
    assert not closes(below(least, one, Maximum((Part(middle),), inside=True)))
    assert not closes(below(least, one, Maximum((Part(x), Part(one)), inside=True)))


@pytest.mark.parametrize("of", ["maximum", "minimum"])
def test_a_member_in_a_maximums_place_is_the_largest(of):
    """``x <= max(x, y)`` and ``min(x, y) <= x`` by it; ``x <= min(x, y)`` and ``max(x, y) <= x`` not."""
    chosen = lambda A, *, x, y: getattr(A, of)(x, y)

    true, false = ((x, chosen), (chosen, x)) if of == "maximum" else ((chosen, x), (x, chosen))
    proof = Maximum((Part(x, Sign()), Part(y, Hypothesis())), inside=True)
    assert closes(below(*true, proof, X, Y))
    assert not closes(below(*false, proof, X, Y))


@pytest.mark.parametrize("integer", [True, False])
@pytest.mark.parametrize("share", [1, 2])
def test_an_integer_variable_takes_integers(integer, share):
    """``m (m - 1) >= 0`` of integers m = n/share where n is one and share is 1."""
    product = lambda A, *, n: A.number(n) / share * (A.number(n) / share - 1)

    m = Parameter("m", "", lower=-9, upper=9, integer=True)
    split = Split("m", 0, Product((Part(lambda A, *, m: -A.number(m)), Part(lambda A, *, m: 1 - A.number(m)))), Sign())
    tactic = Substitute(Box((m,)), {"m": of(share)}, split, zero, lambda A, *, m: A.number(m) * (m - 1))
    n = Parameter("n", "", lower=-9, upper=9, integer=integer)
    assert closes(below(zero, product, tactic, n)) is (integer and share == 1)


@pytest.mark.parametrize("function", ["log", "sqrt", "normal_cdf", "normal_quantile"])
def test_increasing_functions_keep_the_order(function):
    """Of x/4 + 1/8 and x/2 + 1/4, in their order only."""
    apply = {
        "log": lambda A, x: A.log(x),
        "sqrt": lambda A, x: A.sqrt(x),
        "normal_cdf": normal_cdf,
        "normal_quantile": lambda A, x: normal_quantile_complement(A, 1 - x),
    }[function]
    small, large = (
        lambda A, *, x, by=by: (A.number(x) + A.number("1/2")) * A.number(by) for by in (Fraction(1, 4), Fraction(1, 2))
    )
    of_small, of_large = (lambda A, *, x, to=to: apply(A, to(A, x=x)) for to in (small, large))
    assert closes(below(of_small, of_large, Increasing(function, small, large), **LESS))
    assert not closes(below(of_large, of_small, Increasing(function, large, small), **LESS))
    assert not closes(below(of_large, of_small, Increasing(function, small, large), **LESS))


_X, _Y = sympy.symbols("x y", positive=True)


@pytest.mark.parametrize(
    ("built", "sign"),
    [
        (sympy.erf(_X) - sympy.erf(_Y), _X - _Y),
        (sympy.erf(_X) + sympy.erf(_Y), _X + _Y),
        (3 - 3 * sympy.exp(-_X), _X),
        (2 - 2 * (1 - _X) ** sympy.Rational(1, 51914), _X),
        (sympy.sqrt(_X) - sympy.sqrt(_Y), _X - _Y),
        (sympy.erf(_X) - 1, None),
        (sympy.erfinv(_X) - 1, None),
        (sympy.exp(_X) + sympy.exp(_Y), None),
        (sympy.sqrt(_X) + 1, None),
        (1 - 2 * sympy.sqrt(_X), None),
        (sympy.sqrt(_X) - _X ** sympy.Rational(1, 3), None),
        (1 / sympy.sqrt(_X) - 1, None),
        (sympy.exp(_X) - sympy.sqrt(_Y), None),
    ],
)
def test_a_difference_of_one_increasing_function_has_the_sign_of_its_arguments(built, sign):
    """Of other differences nothing is said."""
    assert expressions._between(built) == sign


def test_quantiles_differ_as_their_arguments():
    """``Phi^-1(x) > Phi^-1(x/2)``, not with another factor, nor the other way."""

    def quantiles(A, *, x, by=1):
        return normal_quantile_complement(A, 1 - x) - by * normal_quantile_complement(A, 1 - x / 2)

    inside = Parameter("x", "", upper=1, open_lower=True, open_upper=True)
    assert closes(below(zero, quantiles, Sign(), inside, **LESS))
    assert not closes(below(zero, lambda A, *, x: -quantiles(A, x=x), Sign(), inside, **LESS))
    assert not closes(below(zero, lambda A, *, x: quantiles(A, x=x, by=2), Sign(), inside, **LESS))


def test_a_quantile_has_the_sign_of_its_argument():
    """``Phi^-1(x) > 0`` above 1/2, and not at it nor below."""
    quantile = lambda A, *, x: normal_quantile_complement(A, 1 - x)

    above = Parameter("x", "", lower="1/2", upper="3/4", open_lower=True)
    assert closes(below(zero, quantile, Sign(), above, **LESS))
    assert not closes(below(zero, quantile, Sign(), replace(above, open_lower=False), **LESS))
    assert not closes(below(zero, quantile, Sign(), replace(above, lower="1/4"), **LESS))


def resting(*claims, over=()):
    """That 0 <= x of x in [0, 2], which rests on claims about what it tries."""
    return below(zero, x, Resting(Sign(), claims, Box(over)), replace(X, upper=2), identifier="test.resting")


OF_Y = below(lambda _A, *, y: y * y, lambda _A, *, y: y, Sign(), Y, identifier="test.of_y")
ANY_Y = below(zero, y, Sign(), replace(Y, upper="infinity"), identifier="test.any_y")
ONE_Y = below(zero, y, Sign(), replace(Y, upper="infinity", integer=True), identifier="test.one_y")
WITHOUT_LARGEST = replace(Y, upper="infinity")
WHERE_Y_IS_LESS = replace(ANY_Y, domain=replace(ANY_Y.domain, constraint=AtMost(y, one), constraint_text="y <= 1"))


@pytest.mark.parametrize(
    ("made", "lemma"),
    [
        (resting(ByClaim("test.of_y")), OF_Y),
        (resting(ByClaim("test.of_y", {"y": x})), OF_Y),
        (resting(ByClaim("test.of_y"), over=(Y,)), OF_Y),
        (resting(ByClaim("test.of_y"), over=(WITHOUT_LARGEST,)), OF_Y),
        (resting(ByClaim("test.any_y"), over=(replace(WITHOUT_LARGEST, lower=-1),)), ANY_Y),
        (resting(ByClaim("test.any_y"), over=(WITHOUT_LARGEST,)), WHERE_Y_IS_LESS),
        (resting(ByClaim("test.one_y"), over=(WITHOUT_LARGEST,)), ONE_Y),
        (resting(ByClaim("test.any_y", {"z": x}), over=(WITHOUT_LARGEST,)), ANY_Y),
        (resting(ByClaim("test.any_y", {"y": x}), over=(replace(WITHOUT_LARGEST, name="x"),)), ANY_Y),
    ],
)
def test_what_a_search_rests_on_holds_wherever_it_looks(made, lemma):
    """A parameter of another name is compared by the value that it has there, or by all that is tried."""
    assert not closes(made, lemma)


def test_a_search_may_rest_on_claims_in_other_parameters():
    """Half of x is in [0, 1], and any y >= 0 is where the other claim speaks of it."""
    half = {"y": lambda A, *, x, **_at: A.number(x) / 2}
    assert closes(resting(ByClaim("test.of_y", half)), OF_Y)
    assert closes(resting(ByClaim("test.any_y"), over=(WITHOUT_LARGEST,)), ANY_Y)
