"""Proofs as data: a tree of tactics that the kernel applies to a claim's own statement.

A tactic never states a conclusion.  It says how the goal it is given falls apart into goals that imply it, or how the
goal is closed; :mod:`proofs_numeric.kernel` does both and checks every condition.  Formulas in a tactic have the
parameters of the goal; where a tactic's field is itself a tactic, it proves the subgoal that the field names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.rules import Rule

if TYPE_CHECKING:
    from proofs_numeric.statements.kinds import AtMost


class Tactic:
    """What the kernel knows how to apply; a class it does not know is refused."""

    rule: ClassVar[Rule | None] = None
    """The rule over laws that the kernel applies, an axiom; None: the tactic is about real numbers."""

    def tree(self) -> Iterator[Tactic]:
        """This tactic and those in it, outermost first."""
        yield self
        for attribute in fields(self):  # type: ignore[arg-type]
            value = getattr(self, attribute.name)
            parts = value if isinstance(value, tuple) else value.values() if isinstance(value, Mapping) else (value,)
            for part in parts:
                if isinstance(part, Tactic):
                    yield from part.tree()

    @property
    def summary(self) -> str:
        """The tactics of this tree, outermost first, with the claims that they name."""
        names = (
            f"{type(one).__name__}{f' {one.claim}' if isinstance(one, ByClaim) else ''}"
            for one in self.tree()
            if not isinstance(one, Part)
        )
        return " > ".join(dict.fromkeys(names))

    def claims_named(self) -> Iterator[str]:
        """Ids of the claims that this tree rests on."""
        return (one.claim for one in self.tree() if isinstance(one, ByClaim))


@dataclass(frozen=True)
class Symbolic(Tactic):
    """Close an equality, or an inequality whose sides are equal: SymPy reduces the difference of the sides to zero.

    A side may also be the maximum, or the minimum, that the other is a member of.
    """


@dataclass(frozen=True)
class Sign(Tactic):
    """Close an inequality by the sign of ``right - left`` as SymPy derives it from the signs of the parameters.

    Ranges are mapped onto half lines, ends of closed ranges taken apart, so that polynomials with coefficients of one
    sign there, and positive functions of them, are decided.  What a strict hypothesis says to be positive is so where
    it stands in ``right - left``.
    """


@dataclass(frozen=True)
class Hypothesis(Tactic):
    """Close an inequality that is one of the goal's hypotheses: SymPy reduces the difference of the gaps to zero."""


@dataclass(frozen=True)
class Boxes(Tactic):
    """Close an inequality on a compact domain by interval branch and bound on ``right - left > 0``."""

    bits: int = 96
    max_boxes: int = 50_000


@dataclass(frozen=True)
class Part(Tactic):
    """A term or a factor, and the proof of its sign."""

    formula: Formula
    proof: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Sum(Tactic):
    """``right - left`` is the sum of the parts (SymPy); each is >= 0, and for ``<`` the first is > 0."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Product(Tactic):
    """``right - left`` is the product of the parts (SymPy); each is > 0 for ``<``, >= 0 for ``<=``."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Maximum(Tactic):
    """``left`` is the largest of the parts (SymPy), and each part is related to ``right``; parts prove that.

    A formula that moves is the largest of the parts, and each of them moves that way.  With ``inside`` the maximum, or
    the minimum, of the parts' formulas stands anywhere in a comparison, which parts prove with each in its place; that
    it is the largest, or the least, is a hypothesis there.
    """

    parts: tuple[Part, ...]
    inside: bool = False


@dataclass(frozen=True)
class Through(Tactic):
    """``left`` to ``middle`` to ``right``: for ``<``, the second is strict, or the first where ``strict_first``."""

    middle: Formula
    first: Tactic = field(default_factory=Sign)
    second: Tactic = field(default_factory=Sign)
    strict_first: bool = False


@dataclass(frozen=True)
class Both(Tactic):
    """An equality by ``left <= right`` and ``right <= left``."""

    below: Tactic = field(default_factory=Sign)
    above: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Increasing(Tactic):
    """The sides are an increasing ``function`` of ``left`` and ``right`` (SymPy), which compare alike.

    It is "exp", "log", "sqrt", "normal_cdf" or its inverse, "normal_quantile".
    """

    function: str
    left: Formula
    right: Formula
    proof: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Rewrite(Tactic):
    """Replace one side or both by other formulas, equal over the domain; ``equal`` proves each equality."""

    proof: Tactic
    left: Formula | None = None
    right: Formula | None = None
    equal: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class Substitute(Tactic):
    """Go over to a goal in other variables: its sides at ``new`` are this goal's sides (SymPy).

    ``new`` gives each new variable as a formula of the old ones; a parameter of ``box`` without one keeps its name.
    That each new variable, over the old domain, lies in ``box`` are goals, proved by ``ranges`` or by ``Sign``: under
    "x" for a variable x, or under "x <" for its upper end. Of an integer SymPy sees that it is one.
    Hypotheses of the new goal are goals of this one, at the new variables.
    """

    box: Box
    new: Mapping[str, Formula]
    proof: Tactic
    left: Formula
    right: Formula
    ranges: Mapping[str, Tactic] = field(default_factory=dict)
    hypotheses: Mapping[AtMost, Tactic] = field(default_factory=dict)


@dataclass(frozen=True)
class Root(Tactic):
    """Put a new parameter ``root`` for the root in the goal (`increasing_root`), with what holds of it as hypotheses.

    Its function is ``rises - falls``, formulas of the goal's parameters and of ``root``, or the difference of their
    logarithms; goals are that each is positive then (``positive``), that ``rises - falls`` grows strictly with
    ``root`` over its range (``moves``), and that both ends lie in that range (``ends``).  Hypotheses, each proved by:

    - ``falls <= rises``: that is so at the upper end (``above``);
    - ``rises <= falls``: that is so at the lower end (``below``);
    - ``root <= at_most[0]``: a value in the range, not below the lower end, with ``falls <= rises`` there;
    - ``at_least[0] <= root``: a value in the range, not above the upper end, with ``rises <= falls`` there;
    - what is missing for the goal to be defined on all of its domain, each in turn: that is so where all other
      hypotheses hold, and those that the goal has, about the root too (``defined``).
    """

    root: Parameter
    falls: Formula
    rises: Formula
    proof: Tactic
    above: Tactic | None = None
    below: Tactic | None = None
    at_most: tuple[Formula, Tactic] | None = None
    at_least: tuple[Formula, Tactic] | None = None
    positive: tuple[Tactic, Tactic] = (Sign(), Sign())
    moves: Tactic | None = None
    """``Slope()`` unless said."""
    ends: Tactic = field(default_factory=Sign)
    defined: tuple[Tactic, ...] = ()


@dataclass(frozen=True)
class LargestTerm(Tactic):
    """A sum over the integers r from 1 to ``number``, by how many of r's binary digits are 1 (`sum_by_ones`).

    ``left`` is linear in it (SymPy), with a coefficient >= 0: ``sign``.  It is at most ``number`` times its term at
    1 + share (digits - 1) ones, for some share in [0, 1]; ``digits``, a new parameter too, are those of ``number``,
    any integer that its range allows.
    """

    number: str
    proof: Tactic
    sign: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Largest(Tactic):
    """Put the term at ``place``, a new integer, for the largest one in the goal (`largest_term`), which it is for some.

    Its constraint is that there is such a term.  Hypotheses are that no term at ``others`` is larger: integers, of
    which it is a goal that there are such terms.
    """

    place: str
    proof: Tactic
    others: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Split(Tactic):
    """The part of the domain with ``parameter <= at``, and the rest: ``>= at``, of an integer ``>= at + 1``.

    ``without``: the part, "lower" or "upper", that leaves ``at`` out, of a real parameter.
    """

    parameter: str
    at: Value
    below: Tactic
    above: Tactic
    without: str = ""


@dataclass(frozen=True)
class Cases(Tactic):
    """Where ``first <= second``, and where ``second < first``: each is a hypothesis of its part."""

    first: Formula
    second: Formula
    below: Tactic
    above: Tactic


@dataclass(frozen=True)
class Have(Tactic):
    """The goal under one more hypothesis, ``hypothesis``, which is a goal too: ``reason`` proves it."""

    hypothesis: AtMost
    reason: Tactic
    proof: Tactic


@dataclass(frozen=True)
class Contrary(Tactic):
    """Any goal, as its hypotheses are contrary: ``first <= second`` and ``second < first`` both follow from them."""

    first: Formula
    second: Formula
    at_most: Tactic
    less: Tactic


@dataclass(frozen=True)
class Within(Tactic):
    """Prove the goal on a smaller box only: the proof's scope."""

    box: Box
    proof: Tactic


@dataclass(frozen=True)
class Derivative(Tactic):
    """From the sign at one end of ``parameter``, and the sign of the derivative by it, taken by SymPy.

    ``end`` is "lower" (``right - left`` does not decrease) or "upper" (does not increase); at an open or infinite end
    its limit, taken by SymPy, has the sign that ``at_end`` proves.
    """

    parameter: str
    end: str
    proof: Tactic = field(default_factory=Sign)
    at_end: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Barrier(Tactic):
    """``<=`` from its sign at the closed lower end of ``parameter``, and that ``right - left`` grows where it is <= 0.

    The derivative by the parameter, taken by SymPy, is >= 0: ``proof``, under the hypothesis ``right <= left``.  For
    were the gap below zero somewhere, so it would be, and no larger, all the way down to the end, as it is continuous;
    there it is not: ``at_end``.
    """

    parameter: str
    proof: Tactic
    at_end: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Induction(Tactic):
    """Over an integer ``parameter`` n: the goal at its lower end, and from each n below the upper end to n + 1.

    With ``gap = right - left`` the step is ``factor(n) gap(n) <= gap(n + 1)``, where ``factor`` is >= 0, and > 0 for
    ``<``; of an equality, ``=`` and any factor.  So the hypothesis is used at n alone, and only upwards.
    """

    parameter: str
    proof: Tactic = field(default_factory=Sign)
    base: Tactic = field(default_factory=Sign)
    factor: Formula = one
    sign: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Peak(Tactic):
    """``left`` at any integer ``parameter`` n is at most that at n = ``at``, which is at most ``right``: ``end``.

    ``at`` is an integer in n's range, ``inside``; up to it ``left`` rises, ``rises``, and from it on it falls,
    ``falls``: from each n to n + 1, where the constraint is that n + 1 <= ``at``, and n >= ``at``.
    """

    parameter: str
    at: Formula
    rises: Tactic = field(default_factory=Sign)
    falls: Tactic = field(default_factory=Sign)
    end: Tactic = field(default_factory=Symbolic)
    inside: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Steps(Tactic):
    """A recurrence: what its start and each step keep, over all of the state's declared range, and what that implies.

    That start and step stay in the range are goals, proved by ``ranges`` or by ``Sign``.  With ``gap = right - left``
    of ``invariant`` (of the goal where there is none), the step is ``factor gap(state) <= gap(next)``, as `Induction`;
    the goal's own gap is at least ``weight`` times that of ``invariant``, by ``end``.
    """

    proof: Tactic = field(default_factory=Sign)
    base: Tactic = field(default_factory=Sign)
    factor: Formula = one
    sign: Tactic = field(default_factory=Sign)
    ranges: Mapping[str, Tactic] = field(default_factory=dict)
    invariant: tuple[Formula, Formula] | None = None
    weight: Formula = one
    end: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Trees(Tactic):
    """A recurrence over trees, by induction over the levels: its nodes by ``proof``, where a child's value is bounded.

    There ``below`` is a share, in [0, 1], of the bound of one level less.  The leaf is within the bound at no level,
    and no value is negative: goals, proved by ``leaf`` and ``sign``.
    """

    proof: Tactic
    leaf: Tactic = field(default_factory=Sign)
    sign: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Slope(Tactic):
    """A monotone formula: the sign of its derivative by the parameter, taken by SymPy.

    Of a formula with maxima, minima and absolute values it is that of each formula that has one of the parts in the
    place of each: at every point one of them is the value, all are smooth, and the value is continuous.

    What is missing for a formula to be defined on the whole box is a goal, each proved by one of ``defined`` in turn,
    and a hypothesis about the derivative.
    """

    proof: Tactic = field(default_factory=Sign)
    defined: tuple[Tactic, ...] = ()


@dataclass(frozen=True)
class Ordered(Tactic):
    """A monotone formula is compared at two values p and p_2 of its parameter p.

    Hypotheses are ``p < p_2``, and what the box's constraint says of both, where it is a hypothesis.
    """

    proof: Tactic


@dataclass(frozen=True)
class Resting(Tactic):
    """The goal, by ``proof``, of formulas that find by a search what they say: it rests on ``claims``, proved too.

    ``over`` is what the search tries beside the goal's parameters, without a largest value; a claim may have its
    constraint.  Each claim's parameters, taken ``at`` formulas of both or of the same name, lie in its domain over all
    that the goal's box and ``over`` allow, as in `ByClaim`.
    """

    proof: Tactic
    claims: tuple[ByClaim, ...]
    over: Box = field(default_factory=Box)


@dataclass(frozen=True)
class ByClaim(Tactic):
    """Another claim's statement, its parameters taken ``at`` formulas of this goal's; names not given are kept.

    The difference of the sides must be this goal's (by SymPy where they are other formulas), the relation at least as
    strong.  That the values ``at`` this goal's domain lie inside the domain proved there are goals, proved by
    ``ranges`` or by ``Sign``.  A monotone claim compares its formula at two values of its parameter p, ``p`` and
    ``p_2``.  A recurrence must be the claim's, formula by formula (SymPy), its steps given no more; ``at`` may give
    parameters other names.  Any other goal must be the claim's own.
    """

    claim: str
    at: Mapping[str, Formula] = field(default_factory=dict)
    ranges: Mapping[str, Tactic] = field(default_factory=dict)
