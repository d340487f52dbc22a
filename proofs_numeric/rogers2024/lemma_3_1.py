"""Section 3: the unifying lemma, and what its proof needs."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.concentrated import hockey_stick

Joint = dict[tuple[str, bool], Fraction]
"""Joint law of the outcome and of the event E."""


def joint_laws(size: int) -> Iterator[tuple[Joint, Fraction]]:
    """Laws on two outcomes with the event, masses in ``1/size``, and a delta with ``Pr[E] >= 1 - delta``."""
    cells = [("s", True), ("s", False), ("t", True), ("t", False)]
    for masses in product(range(size + 1), repeat=len(cells)):
        joint = {cell: Fraction(m, size) for cell, m in zip(cells, masses, strict=True)}
        if sum(masses) == size and (joint["s", True] or joint["t", True]):
            failure = joint["s", False] + joint["t", False]
            yield from ((joint, delta) for delta in {failure, (1 + failure) / 2} if 0 < delta < 1)


def parts(joint: Joint) -> tuple[dict[str, Fraction], dict[str, Fraction], Fraction]:
    """P, P' = P given E, and Pr[E]; S is where P' is positive."""
    success = sum((m for (_y, good), m in joint.items() if good), Fraction(0))
    law = {y: joint[y, True] + joint[y, False] for y in ("s", "t")}
    return law, {y: joint[y, True] / success for y in ("s", "t")}, success


def meets_condition_two(joint: Joint) -> bool:
    """``P(y) = 1{y in S} Pr[E] P'(y)`` for y in S: outcomes of S come with E only."""
    law, good, success = parts(joint)
    return all(law[y] == success * good[y] for y in good if good[y])


def remainder(joint: Joint, delta: Fraction, *, repaired: bool = False) -> dict[str, Fraction]:
    """P'' as printed: ``(P(y | not E) Pr[not E] + P'(y)(Pr[E] - (1 - delta))) / delta`` off S and on S apart.

    The display for y in S leaves out the first term, taking ``P(y | not E) = 0`` there.  The repaired P'' has ``P(y)``
    in its place off S: condition 2 summed over S says ``P(S) = Pr[E]``, which is all that its mass needs.
    """
    law, good, success = parts(joint)
    off = {y: 0 if good[y] else law[y] if repaired else joint[y, False] for y in good}
    return {y: (off[y] + good[y] * (success - (1 - delta))) / delta for y in good}


def mixes(joint: Joint, delta: Fraction, rest: dict[str, Fraction]) -> bool:
    """Whether P'' is a law and ``(1 - delta) P' + delta P'' = P``."""
    law, good, _success = parts(joint)
    is_law = sum(rest.values()) == 1 and min(rest.values()) >= 0
    return is_law and all((1 - delta) * good[y] + delta * rest[y] == law[y] for y in law)


Side = tuple[dict[str, Fraction], dict[str, Fraction], Fraction]
"""P, P' and Pr[E], where conditions 1 and 2 hold."""


def sides(size: int) -> Iterator[Side]:
    """Laws with masses in ``1/size``: s and t come with E only, u and v without."""
    for masses in product(range(size + 1), repeat=4):
        success = masses[0] + masses[1]
        if sum(masses) == size and success:
            law = {y: Fraction(m, size) for y, m in zip("stuv", masses, strict=True)}
            yield law, {y: law[y] * size / success for y in "st"}, Fraction(success, size)


def two_sides(size: int) -> Iterator[tuple[Side, Side, Fraction]]:
    """Pairs of sides with one S, and the delta that the worse of them uses up."""
    for left, right in product(sides(size), repeat=2):
        if all((left[1][y] > 0) == (right[1][y] > 0) for y in "st"):
            yield left, right, 1 - min(left[2], right[2])


def lemma_holds(case: tuple[Side, Side, Fraction]) -> bool:
    """What condition 3 says of the good parts, Definition 2.2 says of the laws, at every ratio e^epsilon tried.

    ``H(P||Q) <= delta + (1 - delta) H(P'||Q')``: all that the profile of delta-approximate rho-CDP is made of.
    """
    (law, good, _), (other, other_good, _), delta = case
    return all(
        hockey_stick(law, other, ratio) <= delta + (1 - delta) * hockey_stick(good, other_good, ratio)
        for ratio in (Fraction(1), Fraction(3, 2), Fraction(4))
    )


p, q, inside, outside, rest, spare = symbols("p q inside outside rest spare")
_likely = 1 - delta + spare * delta
"""``Pr[E]``, at least 1 - delta."""
_SIZES = {"quick": 4, "standard": 6, "deep": 10}

CLAIMS = (
    stated(
        "lem3.1", "Lemma 3.1", "Three conditions give approximate CDP",
        r"P(y) = \Pr[E] P'(y),\ y \in S,\ \Pr[E] \ge 1-\delta \Rightarrow H_{e^\varepsilon}(P\|Q) \le \delta + "
        r"(1-\delta) H_{e^\varepsilon}(P'\|Q')",
        FiniteStatement(two_sides, lemma_holds, _SIZES, "masses in 1/size"),
        partial="the profile of finite laws; approximate CDP itself is rogers2024.lem3.1.parts",
        note="Every pair of joint laws of outcome and event, in what Definition 2.2 says of the profile; attained "
        "with disjoint remainders. P >= (1 - delta) P' already suffices.",
    ),
    stated(
        "lem3.1.parts", "Lemma 3.1", "The laws are mixtures with the parts whose divergences condition 3 bounds",
        r"P(y) = \Pr[E] P'(y) + P(y) 1\{y \notin S\},\ \Pr[E] \ge 1-\delta \Rightarrow P = (1-\delta) P' + \delta P'',"
        r"\ P'' \ge 0,\ \textstyle\sum_y P''(y) = 1",
        Recurrence(
            state=Box(
                (Parameter("inside", "P' so far"), Parameter("outside", "P off S so far"), Parameter("rest", "of P''"))
            ),
            inputs=Box((Parameter("p", "P'(y)", "probability"), Parameter("q", "P(y) off S", "probability"))),
            start={"inside": zero, "outside": zero, "rest": zero},
            step={
                "inside": inside + p, "outside": outside + q,
                "rest": rest + (_likely * p + q - (1 - delta) * p) / delta,
            },
            left=_likely * inside + outside, right=(1 - delta) * inside + delta * rest, relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic()),
        ),
        domain=(DELTA_LINEAR, Parameter("spare", "of delta that Pr[E] leaves", upper=1)),
        note="Of any number of outcomes. P'' is at least 0, a range of the state that every step keeps, and sums to 1 "
        "where P and P' do. The divergences of P' and Q' are those of condition 3.",
    ),
    refuted(
        "lem3.1.P''", "Lemma 3.1, proof", "The remainder P'' of the proof",
        r"P'' = \tfrac1\delta\left(P(y \mid \neg E)\Pr[\neg E] + P'(y)(\Pr[E] - (1-\delta))\right)",
        FiniteStatement(
            joint_laws, lambda case: mixes(case[0], case[1], remainder(*case)), _SIZES, "masses in 1/size",
            describe=lambda case: {"law of (y, E)": case[0], "delta": case[1], "P''": remainder(*case)},
        ),
        by="lem3.1.P''.corrected", note="Takes P(. | not E) = 0 on S; wrong where E is not a function of the outcome.",
    ),
    stated(
        "lem3.1.P''.corrected", "Lemma 3.1, proof", "The remainder P'' repaired",
        r"P'' = \tfrac1\delta\left(P(y) 1\{y \notin S\} + P'(y)(\Pr[E] - (1-\delta))\right)",
        FiniteStatement(
            lambda size: (case for case in joint_laws(size) if meets_condition_two(case[0])),
            lambda case: mixes(case[0], case[1], remainder(*case, repaired=True)), _SIZES, "masses in 1/size"
        ),
        partial="finite laws; all others are left out",
        note="Certificate of the repaired proof: P'' is a law and the mixture is P wherever condition 2 holds.",
    ),
    refuted(
        "lem3.1.Q''", "Lemma 3.1, proof", "Q as a mixture with weights 1-delta and 1-delta", None,
        eq(1 - delta + (1 - delta), 1), by="lem3.1.Q''.corrected", domain=(DELTA_LINEAR,),
    ),
    stated(
        "lem3.1.Q''.corrected", "Lemma 3.1, proof", "Q as a mixture with weights 1-delta and delta", None,
        eq(1 - delta + delta, 1), proof=Symbolic(), domain=(DELTA_LINEAR,),
    ),
    uncheckable(
        "lem3.1.cond2", "Lemma 3.1, condition 2", "The indicator of condition 2",
        r"P(y) = 1\{y \in S\} \Pr[E] P'(y) \text{ for all } y \in S",
        Editorial(
            printed="P(y) = 1{y in S} Pr[E] P'(y) for all y in S", corrected="P(y) = Pr[E] P'(y) for all y in S",
            reason="The indicator is redundant on S; read for every y the condition would force Pr[E] = 1.",
        ),
    ),
)  # fmt: skip
