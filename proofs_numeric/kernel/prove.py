"""The kernel: from a claim's own statement, by tactics, to closed goals.  Nothing else may say PROVED.

A proof starts at the goal that :func:`goal_of` reads off the claim; a tactic replaces it by goals that imply it, and
every leaf is closed here, by branch and bound or by SymPy.  Of a constraint between parameters SymPy is told what it
reads off it, if anything; what holds on the whole box holds on the part that the claim speaks of.  Where a goal goes
along a path, the constraint is told only if it holds on all of the path.  The arithmetic is that of the real numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from types import UnionType
from typing import Any, NamedTuple

import sympy

from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.binary import binary_digits
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import normal_cdf, normal_quantile_complement
from proofs_numeric.arithmetic.symbolic import is_whole
from proofs_numeric.expression.nodes import Expression
from proofs_numeric.kernel import (
    adaptive,
    binary,
    cuts,
    enumeration,
    events,
    expressions,
    gaussians,
    implicit,
    largest,
    noise,
    pairs,
    profiles,
    races,
    reach,
    shared,
)
from proofs_numeric.kernel.boxes import BoxProof, positive_on_box
from proofs_numeric.kernel.goals import Goal, Left, Moves, Recurs, TacticError
from proofs_numeric.kernel.recording import ExpressionError
from proofs_numeric.statements import tactics
from proofs_numeric.statements.adaptive import Adaptive, Spent
from proofs_numeric.statements.box import Box, Parameter, grid
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.cuts import Cut, Reduced
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.gaussians import LogConcave, Matching, Relabelled, Streams, Tops, Truncated
from proofs_numeric.statements.kinds import (
    Achieved,
    AtMost,
    Calibration,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Monotonicity,
    Recurrence,
    Relation,
)
from proofs_numeric.statements.noise import AllBelow, OfSharedNoise, Passing
from proofs_numeric.statements.pairs import Clipped, GoodParts
from proofs_numeric.statements.profiles import (
    AtOrder,
    AtThreshold,
    BadCounts,
    Composed,
    ConcentratedRows,
    Converted,
    HalfLine,
    OfAnyNumber,
    OfSamples,
    Profile,
    Reflected,
    Withheld,
    WithinLevel,
)
from proofs_numeric.statements.races import Clocks, Conditioned, InRange, Lists, Matched, Picked, Picks
from proofs_numeric.statements.shared import Backward, Between, CounterProfile, Falling, Hidden, Integrated
from proofs_numeric.statements.statement import Statement, meets_target, statement_of
from proofs_numeric.statements.tactics import Tactic
from proofs_numeric.statements.verdict import Expectation, Verdict


@dataclass(frozen=True)
class Step:
    """A goal and how it was closed: by its children, or by the kernel itself."""

    goal: Goal
    tactic: Tactic
    children: tuple[Step, ...] = ()
    boxes: BoxProof | None = None
    """What branch and bound found, where that closed a comparison."""
    claim: str = ""
    scope: tuple[str, ...] = ()
    """The boxes that this step and what it rests on are confined to."""

    @property
    def formula(self) -> Formula:
        """``right - left`` of a comparison: what branch and bound showed positive."""
        if not isinstance(self.goal, Statement):
            raise TypeError(f"expected a comparison, got {self.text}")
        return gap(self.goal)

    @property
    def text(self) -> str:
        """The goal and the tactic in words."""
        goal = self.goal
        match goal:
            case Statement():
                statement = f"{goal.left_name} {goal.relation} {goal.right_name}"
            case Moves():
                statement = f"moves in {goal.parameter}"
            case Recurs():
                statement = f"left side {goal.recurrence.relation} right side after any number of steps"
            case Truncated():
                statement = "truncated, to any half-spaces in any dimension"
            case Adaptive():
                statement = "delta <= bound, of steps chosen as one goes"
            case GoodParts():
                statement = "good parts, of every pair"
            case AllBelow():
                statement = f"bound {goal.relation} probability, of all counters"
            case Backward():
                statement = "the other way round no more, of one pair"
            case Profile():
                statement = f"profile {goal.relation} bound, of the worst pair"
            case (
                Conditioned()
                | InRange()
                | Lists()
                | Picks()
                | Relabelled()
                | Tops()
                | Streams()
                | ConcentratedRows()
                | Reduced()
            ):
                statement = f"{type(goal).__name__.lower()}, of every pair of neighbours"
        over = ", ".join(parameter.range for parameter in goal.box.parameters) or "no parameters"
        by = f" of {self.claim}" if self.claim else ""
        return f"{type(self.tactic).__name__}{by}: {statement} over {over}"

    def leaves(self, path: str = "1") -> Iterator[tuple[str, Step]]:
        """The steps that the kernel closed, each with its path in the tree; a claim stands for its own proof."""
        children = self.children[:-1] if self.claim else self.children
        if self.claim or not children:
            yield path, self
        for number, child in enumerate(children, start=1):
            yield from child.leaves(f"{path}.{number}")


_MADE_BY_PROVE = object()


@dataclass(frozen=True)
class Theorem:
    """A claim whose statement the kernel reduced to closed goals.

    Errors: TypeError where anything but :func:`prove` makes one.
    """

    claim: str
    root: Step
    made_by: InitVar[object]
    verdict: Verdict = field(default=Verdict.PROVED, init=False)

    def __post_init__(self, made_by: object) -> None:
        if made_by is not _MADE_BY_PROVE:
            raise TypeError("expected a theorem from prove(claim, claims), which closes its goals")

    @property
    def scope(self) -> str:
        """The smaller domain that the leaves cover, in words; empty for the declared one."""
        return "; ".join(self.root.scope)

    @property
    def summary(self) -> str:
        """The tactics of the tree, outermost first."""
        return " > ".join(dict.fromkeys(_names(self.root)))


def _names(step: Step) -> Iterator[str]:
    yield type(step.tactic).__name__ + (f" {step.claim}" if step.claim else "")
    for child in step.children:
        yield from _names(child)


Claims = Mapping[str, Claim]


def goal_of(claim: Claim) -> Goal | None:
    """What there is to prove of a claim: its own formulas, relation and domain.  None where it compares nothing."""
    kind = claim.kind
    if isinstance(kind, Monotonicity):
        return Moves(kind.formula, kind.parameter, kind.increasing, kind.strict, claim.domain)
    if isinstance(kind, Recurrence):
        return Recurs(kind, claim.domain)
    if isinstance(kind, Calibration):
        return meets_target(kind, claim.domain)
    if isinstance(kind, FiniteStatement):
        return _of_every_size(kind, claim.domain)
    if (laws := _of_laws(claim)) is not None:
        return laws
    stated = statement_of(claim)
    # A hypothesis is told as such, and not as a part of the box.
    return replace(stated, box=Box(stated.box.parameters)) if stated is not None and stated.hypotheses else stated


def _of_laws(claim: Claim) -> Goal | None:
    """What a claim says of the laws that it names, if it names any."""
    kind = claim.kind
    if isinstance(kind, DeltaBound) and sum(x is not None for x in (kind.budgets, kind.noise, kind.pairs)) > 1:
        raise TacticError("expected a bound of budgets, of noise or of pairs, got one of several")
    if isinstance(kind, Inequality) and kind.pair is not None:
        if kind.relation is not Relation.LESS_EQUAL:
            raise TacticError(f"expected the reverse hockey stick to be at most the forward one, got {kind.relation}")
        return Backward(claim.domain, kind.pair, kind.left, kind.right)
    if isinstance(kind, DeltaBound) and kind.budgets is not None:
        if claim.role is not Role.UPPER:
            raise TacticError("expected an upper bound of what budgets cover, got another claim")
        return Adaptive(claim.domain, kind.budgets, kind.formula)
    if isinstance(kind, DeltaBound) and kind.noise is not None:
        return _of_noise(claim, kind)
    if isinstance(kind, DeltaBound) and kind.pairs is not None:
        if claim.role not in _PROFILES:
            raise TacticError(f"expected an exact profile or a bound of it, got a {claim.role} one")
        return Profile(claim.domain, kind.pairs, kind.formula, _PROFILES[claim.role])
    return None


def _of_noise(claim: Claim, kind: DeltaBound) -> AllBelow:
    """What a claim says of noise: that all is below, or that some passes, which is what is left of one."""
    if claim.role not in (Role.EXACT, Role.UPPER if isinstance(kind.noise, Passing) else Role.LOWER):
        raise TacticError(f"expected a bound of how likely noise is below its threshold, got a {claim.role} one")
    relation = "=" if claim.role is Role.EXACT else "<="
    if isinstance(kind.noise, Passing):
        passes = kind.formula
        return AllBelow(claim.domain, kind.noise.noise, lambda A, **at: 1 - passes(A, **at), relation)
    assert kind.noise is not None  # noqa: S101 - of noise
    return AllBelow(claim.domain, kind.noise, kind.formula, relation)


_PROFILES: Mapping[Role, str] = {Role.EXACT: "=", Role.UPPER: "<=", Role.LOWER: ">="}


def _of_every_size(kind: FiniteStatement, box: Box) -> Goal | None:
    """What an enumerated statement says of every size, over all of the claim's domain."""
    every = kind.every
    if isinstance(every, Recurrence):
        return Recurs(every, box)
    if every is not None and (missing := [p.name for p in box.parameters if p not in every.box.parameters]):
        raise TacticError(f"expected a statement over the claim's domain, got another {missing[0]}")
    return every


def prove(claim: Claim, claims: Claims) -> Theorem:
    """Prove the claim's statement by its tactics; ``claims`` are those that ``ByClaim`` may name.

    What this process proved of the same claim, from the same claims, is not proved again: each is the object itself,
    so that one changed is another.

    Raises:
        TacticError: a goal stays open; the message says which, and why.

    """
    stored = _PROVED.get(id(claim))
    if stored is not None and all(claims.get(name) is one for name, one in stored.claims.items()):
        return stored.theorem
    goal, proof = goal_of(claim), getattr(claim.kind, "proof", None)
    if goal is None or not isinstance(proof, Tactic):
        raise TacticError(f"expected a statement with a proof by tactics, got {claim.id}")
    if len(set(goal.box.names)) != len(goal.box.names):
        raise TacticError(f"expected parameters of different names, got {', '.join(goal.box.names)}")
    _require_point(goal.box, goal.hypotheses if isinstance(goal, Statement) else ())
    # A claim's proof may not rest on the claim itself, nor on one that rests on it.
    others = _Others(claims, claim.id)
    if isinstance(claim.kind, Calibration):
        _check_achieved(claim.kind, claim.domain, others)
    if isinstance(claim.kind, DeltaBound) and isinstance(goal, Statement):
        _check_bounded(claim.kind, claim.role, claim.domain, others)
    if isinstance(claim.kind, FiniteStatement):
        enumeration.check_instances(claim.kind, claim.domain)
    _check_evaluated(claim)
    reach.check_reach(claim)
    reach.check_promise(claim)
    root = apply(goal, proof, others)
    if isinstance(claim.kind, DeltaBound | Calibration) and claim.kind.by is not None:
        value = (claim.kind.by.range,) if isinstance(claim.kind, Calibration) else ()
        box = replace(claim.domain, parameters=(*claim.domain.parameters, *value))
        root = replace(root, scope=(*root.scope, *_unreached(claim.kind.by, box, others)))
    theorem = Theorem(claim.id, root, _MADE_BY_PROVE)
    _PROVED[id(claim)] = _Proved(claim, others.premises, theorem)
    return theorem


def _check_evaluated(claim: Claim) -> None:
    """Refuse a claim that evaluates a number of which its statement says nothing.

    The statement has it as a side, or a part of one, or, about laws of any size, as their rho.
    """
    number, kind = claim.evaluates, claim.kind
    if number is None or isinstance(kind, FiniteStatement):
        rho = _rho_of(kind.every) if isinstance(kind, FiniteStatement) else None
        if number is None or number is rho:
            return
        try:
            same = rho is not None and expressions.vanishes(_same_number((number, rho), claim.domain)[0])
        except ExpressionError as error:
            raise TacticError(
                f"the rho of the laws cannot be compared with the number that is evaluated: {error}"
            ) from error
        if not same:
            raise TacticError("expected the rho of the laws as the number that is evaluated")
    elif isinstance(kind, Inequality | Identity) and number not in (kind.left, kind.right):
        parts = (side.nodes() for side in (kind.left, kind.right) if isinstance(side, Expression))
        if number not in {part for nodes in parts for part in nodes}:
            raise TacticError("expected a side of the comparison, or a part of one, as the number that is evaluated")


def _rho_of(every: object) -> Formula | None:
    """The rho of a general form, if it has one; of a stream's laws by the digits of its last round."""
    rho: Formula | None = getattr(every, "rho", None)
    if rho is None or not isinstance(every, Streams):
        return rho
    digits, rounds = every.digits, every.rounds
    return lambda A, **at: rho(A, **{digits: binary_digits(A, at[rounds])}, **at)


def _check_achieved(kind: Calibration, domain: Box, claims: Claims) -> None:
    """Refuse a calibration unless its target is met by the number of another claim, which reads the value."""
    if kind.by is None:
        raise TacticError("expected the claim whose number meets the target, got none; give by=Achieved(claim, at)")
    other = claims.get(kind.by.claim)
    if other is None or not isinstance(other.kind, DeltaBound) or other.expected is not Expectation.HOLDS:
        raise TacticError(f"expected a delta bound that holds as what meets the target, got {kind.by.claim}")
    if other.role is Role.LOWER:
        raise TacticError(f"expected an exact number or an upper bound as what meets the target, got {other.id}")
    box = Box((*domain.parameters, kind.by.range))
    if len(set(box.names)) != len(box.names):
        raise TacticError(f"expected parameters of {other.id}, and none of the name value, got {', '.join(kind.by.at)}")
    read = _check_number(kind.achieved, kind.by, other.kind.formula, claims, box, "what meets the target")
    if expressions.symbols_of(box)["value"] not in read:
        raise TacticError(f"expected a number of {other.id} that changes with the value, got one that does not")


def _check_bounded(kind: DeltaBound, role: Role, domain: Box, claims: Claims) -> None:
    """Refuse a delta without laws unless it, or what it is compared with, is the number of another claim."""
    if kind.by is None:
        raise TacticError("expected the claim whose number the delta is compared with; give by=Achieved(claim, at)")
    other = claims.get(kind.by.claim)
    if other is None or other.formula is None or other.expected is not Expectation.HOLDS:
        raise TacticError(f"expected a claim that holds and has a number to compare with, got {kind.by.claim}")
    if role is Role.EXACT and other.role is not Role.EXACT:
        raise TacticError(f"expected an exact number to compare with, got {other.id}")
    with suppress(TacticError):
        _check_number(kind.formula, kind.by, other.formula, claims, domain, "the delta")
        return
    assert kind.exact is not None  # noqa: S101 - it is a comparison
    _check_number(kind.exact, kind.by, other.formula, claims, domain, "what the delta is compared with")


def _require_ground(claim: Claim, claims: Claims, before: tuple[str, ...] = ()) -> None:
    """Refuse a number that is compared with itself alone, or by claims that name each other."""
    kind = claim.kind
    if claim.id in before:
        raise TacticError(f"expected claims to compare with that do not name each other, got {', '.join(before)}")
    if not isinstance(kind, DeltaBound) or any((kind.pairs, kind.noise, kind.budgets, kind.oracle)):
        return
    if kind.by is not None:
        other = claims.get(kind.by.claim)
        if other is None:
            raise TacticError(
                f"expected a claim to compare with, got {kind.by.claim}: none, or one that rests on this one"
            )
        _require_ground(other, claims, (*before, claim.id))
    elif kind.exact is None or _are_equal(kind.formula, kind.exact, claim.domain):
        raise TacticError(f"expected laws, an oracle or another number to compare with, of {claim.id}")


def _are_equal(first: Formula, second: Formula, box: Box) -> bool:
    """Whether SymPy sees that two formulas are equal."""
    try:
        return bool(expressions.vanishes(_same_number((first, second), box)[0]))
    except ExpressionError:
        return False


def _check_number(ours: Formula, by: Achieved, number: Formula, claims: Claims, box: Box, what: str) -> Any:
    """Refuse a formula that is not the number of the other claim at ``by``; return the symbols that this one reads."""
    other = claims[by.claim]
    strangers = [name for name in by.at if name not in other.domain.names]
    if strangers:
        raise TacticError(f"expected parameters of {other.id}, got {strangers[0]}")
    _require_ground(other, claims)
    missing = [name for name in other.domain.names if name not in by.at and name not in box.names]
    if missing:
        raise TacticError(f"expected a formula for each parameter of {other.id}, got none for {missing[0]}")
    try:
        left, read = _same_number((ours, _composed(number, other.domain, by.at)), box)
    except ExpressionError as error:
        raise TacticError(f"{what}, by {other.id}: {error}") from error
    if not expressions.vanishes(left):
        covered = left.free_symbols <= set(expressions.symbols_of(box).values())
        where = expressions.counterexample(left, "=", box) if covered else ""
        raise TacticError(f"expected the number of {other.id} as {what}; SymPy leaves {left}{where}")
    return read


def _unreached(by: Achieved, domain: Box, claims: Claims) -> Iterator[str]:
    """The ranges of the other claim's parameters that this claim is not seen to stay in, in words."""
    other, box = claims[by.claim], Box(domain.parameters)
    for parameter in other.domain.parameters:
        try:
            if parameter.name not in by.at:
                _check_range(domain, parameter, tactics.ByClaim(other.id))
            for end in _ends(parameter, by.at[parameter.name], box) if parameter.name in by.at else ():
                apply(end, tactics.Sign(), claims)
        except TacticError:
            yield f"{parameter.range} in {other.id}"
    if other.domain.constraint is not None and other.domain.constraint is not domain.constraint:
        yield f"{other.domain.constraint_text} in {other.id}"


def _same_number(formulas: tuple[Formula, Formula], box: Box) -> tuple[Any, Any]:
    """The difference of two formulas, and the symbols of the second; or as formulas of one sum by binary digits."""
    try:
        first, second = (expressions.build(formula, box)[0] for formula in formulas)
    except ExpressionError:
        counts = [one.name for one in box.parameters if one.integer and not one.choices and one.lower == 1]
        for name in counts:
            with suppress(ExpressionError):
                return binary.difference(formulas, box, name)
        raise
    return first - second, second.free_symbols


def _require_point(box: Box, hypotheses: Sequence[AtMost] = ()) -> None:
    """Refuse a box of which whatever is said is true."""
    if not any(all(one(**point) for one in hypotheses) for per in (1, 5) for point in grid(box, per)):
        ranges = ", ".join(parameter.range for parameter in box.parameters)
        raise TacticError(f"expected a statement about some point, got none among those tried of {ranges}")


class _Proved(NamedTuple):
    """A theorem, its claim, and all the claims that its proof looked at, its premises' premises too."""

    claim: Claim
    claims: Mapping[str, Claim]
    theorem: Theorem


_PROVED: dict[int, _Proved] = {}
"""By the identity of the claim, which is kept: no other object has it as long as it is here."""


class _Others(Mapping[str, Claim]):
    """All claims but one, which may not rest on itself; each is looked up, and noted, when a tactic names it."""

    def __init__(self, claims: Claims, left_out: str) -> None:
        self._claims, self._left_out = claims, left_out
        self.premises: dict[str, Claim] = {}

    def __getitem__(self, identifier: str) -> Claim:
        if identifier == self._left_out:
            raise KeyError(identifier)
        claim = self.premises[identifier] = self._claims[identifier]
        return claim

    def __iter__(self) -> Iterator[str]:
        return (identifier for identifier in self._claims if identifier != self._left_out)

    def __len__(self) -> int:
        return sum(1 for _identifier in self)


def apply(goal: Goal, tactic: Tactic, claims: Claims) -> Step:
    """Apply a tactic to a goal and prove the goals that it leaves.

    Raises:
        TacticError: the tactic does not fit, or a goal stays open.

    """
    rule = _RULES.get(type(tactic))
    if rule is None:
        raise TacticError(f"expected a tactic of the kernel, got {type(tactic).__name__}")
    try:
        return rule(goal, tactic, claims)
    except ExpressionError as error:
        raise TacticError(f"{type(tactic).__name__}: {error}") from error


# --- what the tactics share ------------------------------------------------------------------------------------------


def _comparison(goal: Goal, tactic: Tactic, relations: str = "<= < =") -> Statement:
    if isinstance(goal, Statement) and goal.relation in relations.split():
        return goal
    goal_text = f"a goal with {goal.relation}" if isinstance(goal, Statement) else type(goal).__name__.lower()
    raise TacticError(f"{type(tactic).__name__}: expected a goal with one of {relations}, got {goal_text}")


def _built(formula: Formula, goal: Statement) -> Any:
    """Its expression over the goal's box, defined where the goal's hypotheses hold."""
    return expressions.expression(formula, goal.box, goal.hypotheses)


def _difference(goal: Statement) -> Any:
    return _built(goal.right, goal) - _built(goal.left, goal)


def _supposing(goal: Statement, *hypotheses: AtMost) -> Statement:
    """The goal with more hypotheses."""
    return replace(goal, hypotheses=(*goal.hypotheses, *hypotheses))


def gap(goal: Statement) -> Formula:
    """``right - left``, which a comparison is about."""
    return lambda A, **parameters: goal.right(A, **parameters) - goal.left(A, **parameters)


def _sign_goal(formula: Formula, box: Box, *, strict: bool) -> Statement:
    return Statement(zero, formula, "<" if strict else "<=", box)


def _equal(first: Any, second: Any, tactic: Tactic, what: str, box: Box, hypotheses: Sequence[AtMost] = ()) -> None:
    if not expressions.vanishes(left := first - second):
        where = expressions.counterexample(left, "=", box, hypotheses)
        raise TacticError(f"{type(tactic).__name__}: expected {what}; SymPy leaves {left}{where}")


_POINTWISE = (
    tactics.Within,
    tactics.Split,
    tactics.Cases,
    tactics.Contrary,
    tactics.Have,
    tactics.Through,
    tactics.Both,
    tactics.Rewrite,
    tactics.Sum,
    tactics.Product,
    tactics.Maximum,
    tactics.Increasing,
)
"""Tactics whose goals hold at a point where theirs does: what is shown on a part of the box is so on that part."""


def _inferred(goal: Goal, tactic: Tactic, *children: Step, scope: tuple[str, ...] = ()) -> Step:
    inherited = [text for child in children for text in child.scope]
    if inherited and not (isinstance(tactic, _POINTWISE) or (isinstance(tactic, tactics.ByClaim) and not tactic.at)):
        raise TacticError(
            f"{type(tactic).__name__}: expected proofs over all of the boxes of its goals, which are along paths or in "
            f"other variables, got one of {inherited[0]}; use Within before it"
        )
    return Step(goal, tactic, children, scope=tuple(dict.fromkeys((*scope, *inherited))))


# --- tactics that close a goal ---------------------------------------------------------------------------------------


def _symbolic(goal: Goal, tactic: Tactic, _claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "= <=")
    left, right = (_built(side, goal) for side in (goal.left, goal.right))
    # A member of a maximum is at most the maximum, and the minimum is at most a member.
    at_most = isinstance(right, sympy.Max) and left in right.args
    at_least = isinstance(left, sympy.Min) and right in left.args
    if goal.relation != "<=" or not (at_most or at_least):
        _equal(right, left, tactic, "equal sides", goal.box, goal.hypotheses)
    return Step(goal, tactic)


def _by_hypothesis(goal: Goal, tactic: Tactic, _claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    needed = _difference(goal)
    usable = (one for one in goal.hypotheses if one.strict or goal.relation == "<=")
    gaps = [_difference(replace(goal, left=one.left, right=one.right)) for one in usable]
    if not any(expressions.vanishes(needed - gap) for gap in gaps):
        raise TacticError(f"Hypothesis: expected the gap of a hypothesis, one of {gaps}, got {needed}")
    return Step(goal, tactic)


def _sign(goal: Goal, tactic: Tactic, _claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    difference = _difference(goal)
    if not any(
        expressions.positive(variant, goal.box, strict=goal.relation == "<")
        for variant in _with_positive(difference, goal)
    ):
        where = expressions.counterexample(difference, goal.relation, goal.box, goal.hypotheses)
        raise TacticError(f"Sign: expected the sign of {difference} to be seen on the box{where}")
    return Step(goal, tactic)


def _with_positive(difference: Any, goal: Statement) -> Iterator[Any]:
    """The expression with a positive symbol for each that a strict hypothesis says to be positive, and as it is."""
    yield from dict.fromkeys((difference.xreplace(expressions.said_positive(goal.hypotheses, goal.box)), difference))


def _boxes(goal: Goal, tactic: tactics.Boxes, _claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    unbounded = [p.allowed for p in goal.box.parameters if p.choices or "infinity" in str(p.lower) + str(p.upper)]
    if unbounded:
        raise TacticError(f"Boxes: expected a compact box, got {unbounded[0]}")
    try:
        implicit.require_enclosed(gap(goal), goal.box)
        decided = positive_on_box(gap(goal), goal.box, tactic.bits, tactic.max_boxes)
    except ExpressionError:
        raise
    except (TypeError, NotImplementedError, ArithmeticError) as error:
        raise TacticError(f"Boxes: the goal's formulas cannot be enclosed on boxes: {error}") from error
    if decided.decided is False:
        raise TacticError(f"Boxes: right - left <= 0 at {_at(decided.witness or {})}")
    if decided.decided is None:
        middle = {name: f"{float((Fraction(lo) + hi) / 2):.6g}" for name, (lo, hi) in (decided.widest or {}).items()}
        raise TacticError(f"Boxes: no sign after {decided.boxes} boxes; open near {_at(middle)}")
    return Step(goal, tactic, boxes=decided)


def _at(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in point.items()) or "no parameters"


# --- tactics that leave goals ----------------------------------------------------------------------------------------


def _parts(goal: Goal, tactic: tactics.Sum | tactics.Product, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    if not tactic.parts:
        raise TacticError(f"{type(tactic).__name__}: expected a part, whose sign the goal has, got none")
    product, strict = isinstance(tactic, tactics.Product), goal.relation == "<"
    built = [_built(part.formula, goal) for part in tactic.parts]
    whole = sympy.Mul(*built) if product else sympy.Add(*built)
    what = f"right - left to be the {'product' if product else 'sum'} of the parts"
    _equal(_difference(goal), whole, tactic, what, goal.box, goal.hypotheses)
    signs = (
        _sign_goal(part.formula, goal.box, strict=strict and (product or number == 0))
        for number, part in enumerate(tactic.parts)
    )
    children = (
        apply(replace(sign, hypotheses=goal.hypotheses), part.proof, claims)
        for sign, part in zip(signs, tactic.parts, strict=True)
    )
    return _inferred(goal, tactic, *children)


def _inside_of(goal: Goal, tactic: tactics.Maximum, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    parts = [_built(part.formula, goal) for part in tactic.parts]
    sides = [_built(side, goal) for side in (goal.left, goal.right)]
    node = next((one for one in (sympy.Max(*parts), sympy.Min(*parts)) if any(side.has(one) for side in sides)), None)
    if not isinstance(node, sympy.Max | sympy.Min):
        raise TacticError(f"Maximum: expected a maximum or minimum of {', '.join(map(str, parts))} in the goal")
    largest, children = isinstance(node, sympy.Max), []
    for built, part in zip(parts, tactic.parts, strict=True):
        left, right = (expressions.formula_of(side.xreplace({node: built}), goal.box) for side in sides)
        others = (one.formula for one in tactic.parts if one is not part)
        least = (AtMost(one, part.formula) if largest else AtMost(part.formula, one) for one in others)
        children.append(apply(replace(_supposing(goal, *least), left=left, right=right), part.proof, claims))
    return _inferred(goal, tactic, *children)


def _maximum(goal: Goal, tactic: tactics.Maximum, claims: Claims) -> Step:
    if tactic.inside:
        return _inside_of(goal, tactic, claims)
    name, whole, over = "left", None, goal.box
    hypotheses = goal.hypotheses if isinstance(goal, Statement) else ()
    match goal:
        case Moves():
            name, whole = "the formula", goal.formula
        case Recurs(recurrence=Recurrence(relation="<=" | "<", levels=None) as kind):
            whole, over = kind.left, Box((*over.parameters, *kind.state.parameters))
        case _:
            goal = _comparison(goal, tactic, "<= <")
            whole = goal.left
    built = [expressions.expression(part.formula, over, hypotheses) for part in tactic.parts]
    whole = expressions.expression(whole, over, hypotheses)
    _equal(whole, sympy.Max(*built), tactic, f"{name} to be the maximum of the parts", over, hypotheses)
    children = (apply(_of_part(goal, part.formula), part.proof, claims) for part in tactic.parts)
    return _inferred(goal, tactic, *children)


def _of_part(goal: Statement | Moves | Recurs, formula: Formula) -> Goal:
    """The goal with one of its maximum's parts in the place of the maximum."""
    match goal:
        case Moves():
            return replace(goal, formula=formula)
        case Recurs():
            return replace(goal, recurrence=replace(goal.recurrence, left=formula))
        case Statement():
            return replace(goal, left=formula)


def _through(goal: Goal, tactic: tactics.Through, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    first, second = ("<=", goal.relation) if not tactic.strict_first else (goal.relation, "<=")
    return _inferred(
        goal,
        tactic,
        apply(replace(goal, right=tactic.middle, relation=first), tactic.first, claims),
        apply(replace(goal, left=tactic.middle, relation=second), tactic.second, claims),
    )


def _both(goal: Goal, tactic: tactics.Both, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "=")
    return _inferred(
        goal,
        tactic,
        apply(replace(goal, relation="<="), tactic.below, claims),
        apply(replace(goal, left=goal.right, right=goal.left, relation="<="), tactic.above, claims),
    )


_INCREASING: Mapping[str, Callable[[Any, Any], Any]] = {
    "exp": lambda A, x: A.exp(x),
    "log": lambda A, x: A.log(x),
    "sqrt": lambda A, x: A.sqrt(x),
    "normal_cdf": normal_cdf,
    "normal_quantile": lambda A, x: normal_quantile_complement(A, 1 - x),
}
"""Functions that increase strictly wherever they are defined."""


def _increasing(goal: Goal, tactic: tactics.Increasing, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    function = _INCREASING.get(tactic.function)
    if function is None:
        raise TacticError(f"Increasing: expected one of {', '.join(_INCREASING)}, got {tactic.function}")
    for side, inner in ((goal.left, tactic.left), (goal.right, tactic.right)):
        built = function(expressions.A, _built(inner, goal))
        _equal(_built(side, goal), built, tactic, f"{tactic.function} of the formula given", goal.box, goal.hypotheses)
    return _inferred(goal, tactic, apply(replace(goal, left=tactic.left, right=tactic.right), tactic.proof, claims))


def _rewrite(goal: Goal, tactic: tactics.Rewrite, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    sides = [(goal.left, tactic.left), (goal.right, tactic.right)]
    equalities = (
        apply(replace(goal, left=old, right=new, relation="="), tactic.equal, claims)
        for old, new in sides
        if new is not None
    )
    rewritten = replace(goal, left=tactic.left or goal.left, right=tactic.right or goal.right)
    return _inferred(goal, tactic, *equalities, apply(rewritten, tactic.proof, claims))


def _substitute(goal: Goal, tactic: tactics.Substitute, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    for old, new in ((goal.left, tactic.left), (goal.right, tactic.right)):
        composed = _composed(new, tactic.box, tactic.new)
        (first, taken), (second, others) = (expressions.written(side, goal.box) for side in (old, composed))
        # The same as they stand are defined where the new sides are, which the new goal's proof shows.
        if first != second or not set(taken) <= set(others):
            first, second = (_built(side, goal) for side in (old, composed))
            what = "the new sides at the new variables to be the sides of the goal"
            _equal(first, second, tactic, what, goal.box, goal.hypotheses)
    children = _inside(goal, tactic.box, tactic.new, tactic, claims)
    for hypothesis, proof in tactic.hypotheses.items():
        children.append(apply(_at_values(hypothesis, goal, tactic.box, tactic.new), proof, claims))
    box = _unconstrained(tactic.box, tactic)
    changed = Statement(tactic.left, tactic.right, goal.relation, box, hypotheses=tuple(tactic.hypotheses))
    return _inferred(goal, tactic, *children, apply(changed, tactic.proof, claims))


def _at_values(hypothesis: AtMost, goal: Statement, box: Box, at: Mapping[str, Formula]) -> Statement:
    """A hypothesis about the box's parameters as a goal, at their values there."""
    return _as_goal(
        replace(hypothesis, left=_composed(hypothesis.left, box, at), right=_composed(hypothesis.right, box, at)), goal
    )


def _unconstrained(box: Box, tactic: Tactic) -> Box:
    """A box that no goal comes from: a constraint on it nobody would prove."""
    if box.constraint is not None:
        raise TacticError(f"{type(tactic).__name__}: expected a box without a constraint, got {box.constraint_text}")
    return box


def _composed(formula: Formula, box: Box, at: Mapping[str, Formula]) -> Formula:
    """The formula of the box's parameters, as one of the parameters that ``at`` is written in."""

    def composed(A: Any, **parameters: Any) -> Any:
        return formula(A, **{name: at[name](A, **parameters) if name in at else parameters[name] for name in box.names})

    return composed


def _inside(
    goal: Statement,
    target: Box,
    at: Mapping[str, Formula],
    tactic: tactics.Substitute | tactics.ByClaim,
    claims: Claims,
) -> list[Step]:
    """Goals, proved, that the goal's values of ``at`` lie in ``target``; names without one must lie in it."""
    box = goal.box
    strangers = [name for name in at if name not in target.names]
    if strangers:
        raise TacticError(f"{type(tactic).__name__}: expected variables of the new box, got {strangers[0]}")
    steps = []
    for parameter in target.parameters:
        if parameter.name not in at:
            _check_range(box, parameter, tactic)
            continue
        name, value = parameter.name, at[parameter.name]
        if parameter.choices or (parameter.integer and not is_whole(_built(value, goal))):
            raise TacticError(f"{type(tactic).__name__}: expected a value of {parameter.allowed}, got another number")
        if not (ends := list(_ends(parameter, value, box))):
            _built(value, goal)  # where there is an end, what it is held against is defined
        for end in ends:
            keys = (f"{name} <", name) if end.left is value else (name,)
            proof = next((tactic.ranges[key] for key in keys if key in tactic.ranges), tactics.Sign())
            steps.append(apply(replace(end, hypotheses=goal.hypotheses), proof, claims))
    return steps


def _ends(parameter: Parameter, value: Formula, box: Box) -> Iterator[Statement]:
    if parameter.lower != "-infinity":
        lower = exact(parameter.lower)
        yield Statement(_constant(lower), value, "<" if parameter.open_lower else "<=", box)
    if parameter.upper != "infinity":
        upper = exact(parameter.upper)
        yield Statement(value, _constant(upper), "<" if parameter.open_upper else "<=", box)


def _constant(value: Value) -> Formula:
    return lambda A, **_parameters: A.number(value)


def _check_range(box: Box, target: Parameter, tactic: Tactic) -> None:
    """Refuse a parameter whose range is not part of the range of the same name in the target."""
    if target.name not in box.names:
        raise TacticError(f"{type(tactic).__name__}: no value for {target.name}; the goal has {', '.join(box.names)}")
    here = box[target.name]
    inside = here.choices == target.choices and (here.integer or not target.integer)
    if inside and not here.choices:
        inside = _end_inside(here.lower, target.lower, here.open_lower, target.open_lower, 1) and _end_inside(
            here.upper, target.upper, here.open_upper, target.open_upper, -1
        )
    if not inside:
        raise TacticError(f"{type(tactic).__name__}: {here.allowed} is not inside {target.allowed}")


def _end_inside(here: Value, there: Value, here_open: bool, there_open: bool, side: int) -> bool:
    if "infinity" in str(there):
        return True
    if "infinity" in str(here):
        return False
    gap = (Fraction(exact(here)) - Fraction(exact(there))) * side
    return gap > 0 or (gap == 0 and (here_open or not there_open))


def _root(goal: Goal, tactic: tactics.Root, claims: Claims) -> Step:
    goal, parameter = _comparison(goal, tactic), tactic.root
    if parameter.integer or parameter.choices:
        raise TacticError(f"Root: expected a real parameter for the root, got {parameter.allowed}")
    sides = [side for one in goal.hypotheses for side in (one.left, one.right)]
    implicit_forms = implicit.name_root((goal.left, goal.right, *sides), goal.box, parameter)
    root, wide = implicit_forms.root, implicit_forms.box
    left, right, *rest = (expressions.formula_of(side, wide) for side in implicit_forms.built)
    goal_of_root = replace(goal, left=left, right=right, box=wide)
    # Of a hypothesis about the root only what is said of the parameter for it goes on.
    of_root = [
        first or second
        for first, second in zip(implicit_forms.has_root[2::2], implicit_forms.has_root[3::2], strict=True)
    ]
    hypotheses = [
        replace(one, left=rest[2 * n], right=rest[2 * n + 1]) if of_root[n] else _of(one, goal.box, {})
        for n, one in enumerate(goal.hypotheses)
    ]
    plain = tuple(one for one, about in zip(goal.hypotheses, of_root, strict=True) if not about)
    children = [apply(premise, proof, claims) for premise, proof in _of_root(goal_of_root.box, root, tactic)]
    symbol, box = expressions.symbols_of(goal_of_root.box)[parameter.name], goal.box
    falls, rises = (expressions.expression(side, goal_of_root.box) for side in (tactic.falls, tactic.rises))

    def at_most(first: Any, second: Any, over: Box) -> AtMost:
        return AtMost(expressions.formula_of(first, over), expressions.formula_of(second, over))

    def close(hypothesis: AtMost, proof: Tactic) -> None:
        children.append(apply(Statement(hypothesis.left, hypothesis.right, "<=", box, hypotheses=plain), proof, claims))

    def close_range(value: Any) -> None:
        inside = _ends(parameter, expressions.formula_of(value, box), box)
        children.extend(apply(one, tactic.ends, claims) for one in inside)

    def meet(value: Any, proof: Tactic, *, above: bool) -> None:
        first, second = (side.xreplace({symbol: value}) for side in ((falls, rises) if above else (rises, falls)))
        close(at_most(first, second, box), proof)

    for end, proof, above in ((root.upper, tactic.above, True), (root.lower, tactic.below, False)):
        expressions.require_defined(end, box)
        close_range(end)
        if proof is not None:
            meet(end, proof, above=above)
            hypotheses.append(
                at_most(falls, rises, goal_of_root.box) if above else at_most(rises, falls, goal_of_root.box)
            )
    for bound, above in ((tactic.at_most, True), (tactic.at_least, False)):
        if bound is not None:
            value = expressions.expression(bound[0], box)
            close_range(value)
            close(at_most(root.lower, value, box) if above else at_most(value, root.upper, box), tactic.ends)
            meet(value, bound[1], above=above)
            hypotheses.append(
                at_most(symbol, value, goal_of_root.box) if above else at_most(value, symbol, goal_of_root.box)
            )
    goal_of_root = replace(goal_of_root, hypotheses=tuple(hypotheses))
    for hypothesis, step in _defined(implicit_forms.unseen, goal_of_root, tactic, claims):
        children.append(step)
        hypotheses.append(hypothesis)
    return _inferred(
        goal, tactic, *children, apply(replace(goal_of_root, hypotheses=tuple(hypotheses)), tactic.proof, claims)
    )


def _defined(
    unseen: Sequence[expressions.Unseen], goal: Statement, tactic: tactics.Root | tactics.Slope, claims: Claims
) -> Iterator[tuple[AtMost, Step]]:
    """What is missing, where a goal's hypotheses hold, for expressions to be defined: each as a hypothesis, proved."""
    for one, proof in itertools.zip_longest(unseen, tactic.defined):
        if one is None:
            raise TacticError(f"{type(tactic).__name__}: expected as many proofs as is missing, got one more")
        if proof is None:
            raise one.error(goal.box, goal.hypotheses)
        hypothesis = AtMost(zero, expressions.formula_of(one.needed, goal.box), strict=one.strict)
        yield hypothesis, apply(_as_goal(hypothesis, goal), proof, claims)


def _as_goal(hypothesis: AtMost, goal: Statement) -> Statement:
    """A hypothesis as a goal, where another's hypotheses hold."""
    return replace(goal, left=hypothesis.left, right=hypothesis.right, relation="<" if hypothesis.strict else "<=")


def _largest_term(goal: Goal, tactic: tactics.LargestTerm, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    if goal.hypotheses:
        raise TacticError("LargestTerm: expected a goal without hypotheses")
    (left, right), slope, wide = binary.counted((goal.left, goal.right), goal.box, tactic.number)
    rest = expressions.formula_of(slope, wide)
    largest = replace(
        goal, left=expressions.formula_of(left, wide), right=expressions.formula_of(right, wide), box=wide
    )
    return _inferred(
        goal,
        tactic,
        apply(_sign_goal(rest, wide, strict=False), tactic.sign, claims),
        apply(largest, tactic.proof, claims),
    )


def _largest(goal: Goal, tactic: tactics.Largest, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    if goal.hypotheses:
        raise TacticError("Largest: expected a goal without hypotheses")
    built, term, number, wide = largest.chosen((goal.left, goal.right), goal.box, tactic.place)
    place, here = expressions.symbols_of(wide)[tactic.place], expressions.formula_of(term, wide)
    children, hypotheses = [], []
    for other in tactic.others:
        value = expressions.expression(other, goal.box)
        if not is_whole(value):
            raise TacticError(f"Largest: expected an integer for a place, got {value}")
        children.append(apply(_sign_goal(other, goal.box, strict=False), tactics.Sign(), claims))
        children.append(apply(Statement(other, parameter_named(number), "<", goal.box), tactics.Sign(), claims))
        hypotheses.append(AtMost(expressions.formula_of(term.xreplace({place: value}), wide), here))
    left, right = (expressions.formula_of(side, wide) for side in built)
    goal_of_term = _supposing(replace(goal, left=left, right=right, box=wide), *hypotheses)
    return _inferred(goal, tactic, *children, apply(goal_of_term, tactic.proof, claims))


def _of_root(box: Box, root: implicit.Root, tactic: tactics.Root) -> Iterator[tuple[Goal, Tactic]]:
    """What makes the root the only zero of a continuous function: else no number is said."""
    symbols = expressions.symbols_of(box)
    symbol = symbols[tactic.root.name]
    excess, *taken = (one.xreplace({implicit.AT: symbol}) for one in (root.excess, *root.taken))
    low, high = (expressions.expression(side, box) for side in (tactic.falls, tactic.rises))
    if any(part.has(symbol) for side in (low, high) for part in side.atoms(sympy.floor)):
        raise TacticError("Root: expected a continuous function, got an integer part")
    by_logs = excess.has(sympy.log) and not expressions.vanishes(excess - (high - low))
    logs = [one for one in taken if isinstance(one, sympy.log)] if by_logs else []
    expressions.require_defined(sympy.S.Zero if by_logs else excess, box, [one for one in taken if one not in logs])
    if by_logs:
        for side, proof in zip((tactic.falls, tactic.rises), tactic.positive, strict=True):
            yield _sign_goal(side, box, strict=True), proof
        _equal(excess, sympy.log(high) - sympy.log(low), tactic, "the root of the difference of the logarithms", box)
    else:
        _equal(excess, high - low, tactic, "the root of rises - falls", box)
    room = gap(Statement(tactic.falls, tactic.rises, "<=", box))
    yield Moves(room, tactic.root.name, increasing=True, strict=True, box=box), tactic.moves or tactics.Slope()


def _over_a_box(goal: Goal, tactic: Tactic) -> Statement | Moves | Recurs | AllBelow | Profile:
    if not isinstance(goal, Statement | Moves | Recurs | AllBelow | Profile):
        raise TacticError(f"{type(tactic).__name__}: expected a goal over a box, got {type(goal).__name__}")
    return goal


def _parameter(goal: Goal, tactic: Any) -> Parameter:
    """The parameter that a tactic names."""
    if tactic.parameter not in goal.box.names:
        raise TacticError(
            f"{type(tactic).__name__}: expected a parameter of the goal, got {tactic.parameter}; allowed: "
            f"{', '.join(goal.box.names) or 'none'}; name one of those, or go over to others with Substitute before it"
        )
    return goal.box[tactic.parameter]


def _split(goal: Goal, tactic: tactics.Split, claims: Claims) -> Step:
    goal, at = _over_a_box(goal, tactic), exact(tactic.at)
    parameter = _parameter(goal, tactic)
    if not parameter.contains(at) or (parameter.integer and not isinstance(at, int)):
        raise TacticError(f"Split: expected a value with {parameter.allowed}, got {tactic.at}")
    if tactic.without not in {"", "lower", "upper"} or (tactic.without and parameter.integer):
        raise TacticError(f"Split: expected a real parameter, of which a part leaves {tactic.at} out, got another")
    if isinstance(goal, Moves) and goal.parameter == tactic.parameter:
        raise TacticError(f"Split: {tactic.parameter} is what the formula is monotone in")
    below = replace(goal, box=_with(goal.box, tactic.parameter, upper=at, open_upper=tactic.without == "lower"))
    next_one = at + 1 if parameter.integer else at
    above = replace(goal, box=_with(goal.box, tactic.parameter, lower=next_one, open_lower=tactic.without == "upper"))
    return _inferred(goal, tactic, apply(below, tactic.below, claims), apply(above, tactic.above, claims))


def _cases(goal: Goal, tactic: tactics.Cases, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    for number in (tactic.first, tactic.second):
        _built(number, goal)  # refused where it is not defined: then neither case holds
    below, above = AtMost(tactic.first, tactic.second), AtMost(tactic.second, tactic.first, strict=True)
    return _inferred(
        goal,
        tactic,
        apply(_supposing(goal, below), tactic.below, claims),
        apply(_supposing(goal, above), tactic.above, claims),
    )


def _have(goal: Goal, tactic: tactics.Have, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    reason = apply(_as_goal(tactic.hypothesis, goal), tactic.reason, claims)
    return _inferred(goal, tactic, reason, apply(_supposing(goal, tactic.hypothesis), tactic.proof, claims))


def _contrary(goal: Goal, tactic: tactics.Contrary, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    at_most, less = AtMost(tactic.first, tactic.second), AtMost(tactic.second, tactic.first, strict=True)
    return _inferred(
        goal,
        tactic,
        apply(_as_goal(at_most, goal), tactic.at_most, claims),
        apply(_as_goal(less, goal), tactic.less, claims),
    )


def _with(box: Box, name: str, **changed: Any) -> Box:
    return replace(box, parameters=tuple(replace(p, **changed) if p.name == name else p for p in box.parameters))


def _within(goal: Goal, tactic: tactics.Within, claims: Claims) -> Step:
    goal = _over_a_box(goal, tactic)
    if goal.box.names != tactic.box.names:
        raise TacticError(f"Within: expected the parameters {goal.box.names}, got {tactic.box.names}")
    for parameter in goal.box.parameters:
        _check_range(tactic.box, parameter, tactic)
    hypotheses = goal.hypotheses if isinstance(goal, Statement) else ()
    _require_point(replace(tactic.box, constraint=goal.box.constraint), hypotheses)
    smaller = [p.allowed for p in tactic.box.parameters if p.allowed != goal.box[p.name].allowed]
    step = apply(replace(goal, box=_unconstrained(tactic.box, tactic)), tactic.proof, claims)
    return _inferred(goal, tactic, step, scope=("; ".join(smaller),) if smaller else ())


def _derivative(goal: Goal, tactic: tactics.Derivative, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<= <")
    parameter = _parameter(goal, tactic)
    lower = {"lower": True, "upper": False}.get(tactic.end)
    if lower is None:
        raise TacticError(f'Derivative: expected the end "lower" or "upper", got {tactic.end!r}')
    # The path from the end may leave the constraint, and the hypotheses.
    goal = replace(goal, box=_with(Box(goal.box.parameters), parameter.name, integer=False), hypotheses=())
    symbol = expressions.symbols_of(goal.box)[parameter.name]
    difference = _difference(goal)
    value: Formula
    end, opened = (parameter.lower, parameter.open_lower) if lower else (parameter.upper, parameter.open_upper)
    rest = Box(tuple(p for p in goal.box.parameters if p.name != parameter.name))
    if opened or "infinity" in str(end):
        value = expressions.formula_of(expressions.limit(difference, parameter.name, goal.box, lower=lower), rest)
        # Beyond an open end, a gap that starts at zero is positive as soon as it grows.
        strict_end = False
    else:
        value = expressions.at(gap(goal), parameter.name, exact(end))
        strict_end = goal.relation == "<"
    slope = expressions.formula_of(expressions.differentiated(difference, symbol) * (1 if lower else -1), goal.box)
    inner = _with(goal.box, parameter.name, **({"open_lower": True} if lower else {"open_upper": True}))
    strict = goal.relation == "<" and not strict_end
    return _inferred(
        goal,
        tactic,
        apply(_sign_goal(value, rest, strict=strict_end), tactic.at_end, claims),
        apply(_sign_goal(slope, inner, strict=strict), tactic.proof, claims),
    )


def _barrier(goal: Goal, tactic: tactics.Barrier, claims: Claims) -> Step:
    goal = _comparison(goal, tactic, "<=")
    parameter = _parameter(goal, tactic)
    if parameter.open_lower or "infinity" in str(parameter.lower) or parameter.choices or goal.box.constraint:
        raise TacticError(f"Barrier: expected a closed lower end, and no constraint, got {parameter.allowed}")
    name, start, symbol = parameter.name, exact(parameter.lower), expressions.symbols_of(goal.box)[tactic.parameter]
    # The path to the end may leave a hypothesis about the parameter.
    hypotheses = (
        one for one in goal.hypotheses if not _difference(replace(goal, left=one.left, right=one.right)).has(symbol)
    )
    rest = Box(tuple(p for p in goal.box.parameters if p.name != name))
    goal = replace(goal, box=_with(goal.box, name, integer=False), hypotheses=tuple(hypotheses))
    there = [
        replace(one, left=expressions.at(one.left, name, start), right=expressions.at(one.right, name, start))
        for one in goal.hypotheses
    ]
    end = _sign_goal(expressions.at(gap(goal), name, start), rest, strict=False)
    symbol = expressions.symbols_of(goal.box)[name]
    slope = expressions.differentiated(_difference(goal), symbol)
    grows = _sign_goal(expressions.formula_of(slope, goal.box), goal.box, strict=False)
    return _inferred(
        goal,
        tactic,
        apply(replace(end, hypotheses=tuple(there)), tactic.at_end, claims),
        apply(
            _supposing(replace(grows, hypotheses=goal.hypotheses), AtMost(goal.right, goal.left)), tactic.proof, claims
        ),
    )


def _induction(goal: Goal, tactic: tactics.Induction, claims: Claims) -> Step:
    goal = _comparison(goal, tactic)
    name, parameter = tactic.parameter, _parameter(goal, tactic)
    start = "-infinity" if parameter.choices or parameter.lower == "-infinity" else exact(parameter.lower)
    if not parameter.integer or parameter.open_lower or not isinstance(start, int):
        raise TacticError(f"Induction: expected an integer from a least one on, got {parameter.allowed}")
    # From the least n on the path may leave the constraint.
    goal = replace(goal, box=Box(goal.box.parameters))
    rest = Box(tuple(p for p in goal.box.parameters if p.name != name))
    left, right = (expressions.at(side, name, start) for side in (goal.left, goal.right))
    children = [apply(Statement(left, right, goal.relation, rest), tactic.base, claims)]
    last = None if parameter.upper == "infinity" else exact(parameter.upper) - 1
    if last is None or last >= start:
        below = goal.box if last is None else _with(goal.box, name, upper=last)
        steps = Statement(
            lambda A, **at: tactic.factor(A, **at) * gap(goal)(A, **at),
            lambda A, **at: gap(goal)(A, **{**at, name: at[name] + 1}),
            "=" if goal.relation == "=" else "<=",
            below,
        )
        if goal.relation != "=":
            children.append(apply(_sign_goal(tactic.factor, below, strict=goal.relation == "<"), tactic.sign, claims))
        children.append(apply(steps, tactic.proof, claims))
    return _inferred(goal, tactic, *children)


def _peak(goal: Goal, tactic: tactics.Peak, claims: Claims) -> Step:
    goal, name = _comparison(goal, tactic, "<="), tactic.parameter
    parameter = _parameter(goal, tactic)
    rest = Box(tuple(p for p in goal.box.parameters if p.name != name))
    if not parameter.integer or parameter.choices or goal.box.constraint is not None:
        raise TacticError(f"Peak: expected an integer, and no constraint, got {parameter.allowed}")
    goal = replace(goal, hypotheses=())
    if not is_whole(expressions.expression(tactic.at, rest)):
        raise TacticError("Peak: expected a place that is an integer")

    def beyond(lag: int, side: int) -> Box:
        """The part of the box with side (n - place) >= lag."""

        def there(**values: Any) -> Any:
            values_of_rest = {key: expressions.A.number(values[key]) for key in rest.names}
            return side * (values[name] - tactic.at(expressions.A, **values_of_rest)) - lag >= 0

        return Box(goal.box.parameters, there, f"at least {lag} {'above' if side > 0 else 'below'} the place")

    def after(A: Any, **at: Any) -> Any:
        return goal.left(A, **{**at, name: at[name] + 1})

    def highest(A: Any, **at: Any) -> Any:
        return goal.left(A, **{**at, name: tactic.at(A, **{key: at[key] for key in rest.names})})

    return _inferred(
        goal,
        tactic,
        *(apply(inside, tactic.inside, claims) for inside in _ends(parameter, tactic.at, rest)),
        apply(replace(goal, left=highest), tactic.end, claims),
        apply(replace(goal, right=after, box=beyond(1, -1)), tactic.rises, claims),
        apply(replace(goal, left=after, right=goal.left, box=beyond(0, 1)), tactic.falls, claims),
    )


def _slope(goal: Goal, tactic: tactics.Slope, claims: Claims) -> Step:
    if not isinstance(goal, Moves):
        raise TacticError(f"Slope: expected a monotone formula, got a {type(goal).__name__.lower()}")
    goal = replace(goal, box=_with(goal.box, goal.parameter, integer=False))
    symbols = expressions.symbols_of(goal.box)
    symbol, slack = symbols[goal.parameter], expressions.slack_of(goal.box)
    if slack is None or sympy.diff(slack[0], symbol, 2) != 0:  # else two values keep it, and so do all between them
        goal = replace(goal, box=Box(goal.box.parameters))
    built, unseen = expressions.build(goal.formula, goal.box)
    defined = list(_defined(unseen, _sign_goal(zero, goal.box, strict=False), tactic, claims))
    hypotheses = tuple(hypothesis for hypothesis, _step in defined)
    errors: list[TacticError | ExpressionError] = []
    for written, box, moving in _ways(built, symbol, goal.box):
        try:
            pieces = expressions.pieces(written, moving)
            steps = [_slope_of(one, symbol, replace(goal, box=box), hypotheses, tactic, claims) for one in pieces]
        except (TacticError, ExpressionError) as error:
            errors.append(error)
        else:
            return _inferred(goal, tactic, *(step for _hypothesis, step in defined), *steps)
    raise errors[0]


def _ways(built: Any, symbol: Any, box: Box) -> Iterator[tuple[Any, Box, Any]]:
    """An expression as it is, with parts of all maxima, and with parameters for what does not move."""
    yield built, box, symbol
    if any(not node.has(symbol) for node in built.atoms(sympy.Max, sympy.Min, sympy.Abs)):
        yield built, box, None
    if (general := expressions.generalized(built, symbol, box)) is not None:
        yield *general, symbol


def _slope_of(
    piece: expressions.Piece,
    symbol: Any,
    goal: Moves,
    hypotheses: tuple[AtMost, ...],
    tactic: tactics.Slope,
    claims: Claims,
) -> Step:
    """The sign of a piece's derivative, on the whole box or where one of its parts is the maximum that it is for."""
    slope = expressions.differentiated(piece.built, symbol) * (1 if goal.increasing else -1)
    boxes = [goal.box]
    if goal.box.constraint is None:
        chosen = (AtMost(zero, expressions.formula_of(gap, goal.box)) for gap in piece.gaps)
        boxes += [replace(goal.box, constraint=one, constraint_text="where the part is the larger") for one in chosen]
    errors: list[TacticError | ExpressionError] = []
    for box in boxes:
        signed = _supposing(_sign_goal(expressions.formula_of(slope, box), box, strict=goal.strict), *hypotheses)
        try:
            for one in expressions.undefined(piece.built, box):
                if not one.told_by(hypotheses, box):
                    raise one.error(box, hypotheses)
            return apply(signed, tactic.proof, claims)
        except (TacticError, ExpressionError) as error:
            errors.append(error)
    raise errors[0]


def _ordered(goal: Goal, tactic: tactics.Ordered, claims: Claims) -> Step:
    if not isinstance(goal, Moves):
        raise TacticError(f"Ordered: expected a monotone formula, got a {type(goal).__name__.lower()}")
    name, later = goal.parameter, f"{goal.parameter}_2"
    if later in goal.box.names:
        raise TacticError(f"Ordered: expected a name of its own for the larger {name}, got {later}")
    pair = Box((*goal.box.parameters, replace(goal.box[name], name=later)))

    moved = {name: parameter_named(later)}
    constraint = goal.box.constraint
    hypotheses = (
        () if not isinstance(constraint, AtMost) else (_of(constraint, goal.box, {}), _of(constraint, goal.box, moved))
    )
    sides = _composed(goal.formula, goal.box, {}), _composed(goal.formula, goal.box, moved)
    left, right = sides if goal.increasing else sides[::-1]
    compared = _supposing(
        Statement(left, right, "<" if goal.strict else "<=", pair, hypotheses=hypotheses),
        AtMost(parameter_named(name), parameter_named(later), strict=True),
    )
    return _inferred(goal, tactic, apply(compared, tactic.proof, claims))


def _of(hypothesis: AtMost, box: Box, at: Mapping[str, Formula]) -> AtMost:
    """A hypothesis about the box's parameters, as one of more."""
    return replace(hypothesis, left=_composed(hypothesis.left, box, at), right=_composed(hypothesis.right, box, at))


def _recurrence(goal: Goal, tactic: Tactic) -> Recurrence:
    if not isinstance(goal, Recurs):
        raise TacticError(f"{type(tactic).__name__}: expected a recurrence, got a {type(goal).__name__.lower()}")
    return goal.recurrence


def _steps(goal: Goal, tactic: tactics.Steps, claims: Claims) -> Step:
    kind, box = _recurrence(goal, tactic), Box(goal.box.parameters)
    if kind.levels is not None:
        raise TacticError("Steps: expected a recurrence without levels, which Trees takes")
    names = kind.state.names
    if set(kind.start) != set(names) or set(kind.step) != set(names):
        raise TacticError(f"Steps: expected a start and a step of each of {', '.join(names)}")
    state = Box((*box.parameters, *_unconstrained(kind.state, tactic).parameters))
    whole = Box((*state.parameters, *_unconstrained(kind.inputs, tactic).parameters))
    if len(set(whole.names)) != len(whole.names):
        raise TacticError(f"Steps: expected names of its own for each parameter, got {', '.join(whole.names)}")
    children = []
    for parameter in kind.state.parameters:
        if parameter.integer or parameter.choices:
            raise TacticError(f"Steps: expected a real state, got {parameter.allowed}")
        proof = tactic.ranges.get(parameter.name, tactics.Sign())
        for formula, over in ((kind.start[parameter.name], box), (kind.step[parameter.name], whole)):
            children += [apply(inside, proof, claims) for inside in _ends(parameter, formula, over)]
    whole_goal = invariant = Statement(kind.left, kind.right, kind.relation, state)
    if tactic.invariant is not None:
        (left, right), relation = tactic.invariant, "=" if whole_goal.relation == "=" else "<="
        invariant = replace(whole_goal, left=left, right=right, relation=relation)
    first = replace(
        invariant,
        left=_composed(invariant.left, state, kind.start),
        right=_composed(invariant.right, state, kind.start),
    )
    children.append(apply(replace(first, box=box), tactic.base, claims))
    strict = invariant.relation == "<"
    if invariant.relation != "=":
        children.append(apply(_sign_goal(tactic.factor, whole, strict=strict), tactic.sign, claims))
    gap_before, after = gap(invariant), _composed(gap(invariant), state, kind.step)
    next_one = Statement(
        _times(tactic.factor, _composed(gap_before, state, {})),
        after,
        "=" if invariant.relation == "=" else "<=",
        whole,
    )
    children.append(apply(next_one, tactic.proof, claims))
    if tactic.invariant is not None:
        if whole_goal.relation == "<":
            raise TacticError("Steps: expected a goal with <= or =, whose gap may be that of what is kept")
        if whole_goal.relation != "=":
            children.append(apply(_sign_goal(tactic.weight, state, strict=False), tactic.sign, claims))
        implied = Statement(_times(tactic.weight, gap_before), gap(whole_goal), whole_goal.relation, state)
        children.append(apply(implied, tactic.end, claims))
    return _inferred(goal, tactic, *children)


def _times(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) * second(A, **at)


def _trees(goal: Goal, tactic: tactics.Trees, claims: Claims) -> Step:
    kind, box = _recurrence(goal, tactic), goal.box
    levels, bound = kind.levels, kind.right
    if levels is None:
        raise TacticError("Trees: expected a recurrence with levels")
    count, below = box[levels.count], kind.inputs[levels.below]
    from_one = count.integer and count.lower == 1 and not count.open_lower
    if not from_one or kind.relation != "<=" or box.constraint is not None:
        raise TacticError(f"Trees: expected <= from one level on, without a constraint, got {count.allowed}")
    if below.lower != 0 or below.open_lower or below.upper != "infinity" or below.integer:
        raise TacticError(f"Trees: expected any value >= 0 below, got {below.allowed}")
    share = _with(kind.inputs, levels.below, upper=1, open_upper=False)

    def bounded(step: Formula) -> Formula:
        def at_share(A: Any, **at: Any) -> Any:
            less = {name: at[name] for name in box.names} | {levels.count: at[levels.count] - 1}
            return step(A, **{**at, levels.below: at[levels.below] * bound(A, **less)})

        return at_share

    node = replace(kind, inputs=share, step={name: bounded(step) for name, step in kind.step.items()}, levels=None)
    rest = Box(tuple(p for p in box.parameters if p.name != levels.count))
    leaf = expressions.at(levels.leaf, levels.count, 0)
    state = Box((*box.parameters, *kind.state.parameters))
    return _inferred(
        goal,
        tactic,
        apply(Statement(leaf, expressions.at(bound, levels.count, 0), "<=", rest), tactic.leaf, claims),
        apply(_sign_goal(leaf, rest, strict=False), tactic.leaf, claims),
        apply(_sign_goal(kind.left, state, strict=False), tactic.sign, claims),
        apply(Recurs(node, box), tactic.proof, claims),
    )


def _law(goal: Goal, tactic: Any, claims: Claims) -> Step:
    of, left = _OF_LAWS[type(tactic)]
    if not isinstance(goal, of):
        raise TacticError(
            f"{type(tactic).__name__}: expected a goal {getattr(of, '__name__', of)}, got {type(goal).__name__}"
        )
    return _inferred(goal, tactic, *(apply(premise, proof, claims) for premise, proof in left(goal, tactic)))


_OF_LAWS: Mapping[type[Tactic], tuple[type[Goal] | UnionType, Callable[[Any, Any], Left]]] = {
    Clocks: (Conditioned, races.clocks),
    Matched: (InRange, races.matched),
    Cut: (Reduced, cuts.cut),
    Picked: (Lists | Picks, races.picked),
    LogConcave: (Truncated, gaussians.log_concave),
    Matching: (Relabelled, gaussians.matching),
    GivenEvent: (Tops | Streams | ConcentratedRows, events.given_event),
    Clipped: (GoodParts, pairs.clipped),
    Spent: (Adaptive, adaptive.spent),
    OfSharedNoise: (AllBelow, noise.of_shared_noise),
    BadCounts: (Profile, profiles.bad_counts),
    OfSamples: (Profile, profiles.of_samples),
    HalfLine: (Profile, profiles.half_line),
    Withheld: (Profile, profiles.withheld),
    Reflected: (Profile, profiles.reflected),
    AtThreshold: (Profile, profiles.at_threshold),
    OfAnyNumber: (Profile, profiles.any_number),
    WithinLevel: (Profile, profiles.within_level),
    AtOrder: (Profile, profiles.at_order),
    CounterProfile: (Profile, shared.counter_profile),
    Hidden: (Profile, shared.hidden),
    Integrated: (Profile, shared.integrated),
    Between: (Statement, shared.between),
    Falling: (Backward, shared.falling),
    Composed: (Profile, profiles.composed),
    Converted: (Profile, profiles.converted),
}

_STRONGER = {"<": {"<"}, "<=": {"<", "<=", "="}, "=": {"="}, ">=": {">=", "="}}


def _by_claim(goal: Goal, tactic: tactics.ByClaim, claims: Claims) -> Step:
    claim = claims.get(tactic.claim)
    if claim is None or claim.id != tactic.claim:
        raise TacticError(f"ByClaim: expected a claim, got {tactic.claim}: none, or one that rests on this one")
    if not isinstance(goal, Statement):
        return _by_same_goal(goal, tactic, claim, claims)
    kind = claim.kind
    statement = statement_of(claim) if isinstance(kind, Monotonicity) else goal_of(claim)
    if not isinstance(statement, Statement):
        raise TacticError(f"ByClaim: expected a claim that compares two formulas, got {tactic.claim}")
    if statement.hypotheses and (tactic.at or not set(statement.hypotheses) <= set(goal.hypotheses)):
        raise TacticError(f"ByClaim: {tactic.claim} is proved only where there is an answer")
    if statement.relation not in _STRONGER[goal.relation]:
        raise TacticError(f"ByClaim: {tactic.claim} says {statement.relation}, the goal {goal.relation}")
    order: list[Step] = []
    if isinstance(kind, Monotonicity):
        # At equal values of the parameter the sides are equal: "<=" there needs no strict order.
        first, second = (tactic.at.get(name) for name in (kind.parameter, f"{kind.parameter}_2"))
        if first is None or second is None:
            raise TacticError(f"ByClaim: expected both values of {kind.parameter}, in the order in which it grows")
        ordered = Statement(first, second, "<" if goal.relation == "<" else "<=", goal.box, hypotheses=goal.hypotheses)
        order = [apply(ordered, tactic.ranges.get(f"{kind.parameter} < {kind.parameter}_2", tactics.Sign()), claims)]
    if claim.domain.constraint is not None:
        raise TacticError(f"ByClaim: {tactic.claim} is proved only where {claim.domain.constraint_text}")
    ranges = order + _inside(goal, statement.box, tactic.at, tactic, claims)
    same = goal.left is statement.left and goal.right is statement.right
    if tactic.at or not same or goal.box.names != statement.box.names:  # of more parameters a formula may say more
        there = _built(_composed(gap(statement), statement.box, tactic.at), goal)
        _equal(_difference(goal), there, tactic, f"right - left of {tactic.claim}", goal.box, goal.hypotheses)
    proved = prove(claim, claims).root
    return replace(_inferred(goal, tactic, *ranges, proved), claim=tactic.claim)


def _by_same_goal(goal: Goal, tactic: tactics.ByClaim, claim: Claim, claims: Claims) -> Step:
    """By a claim whose own goal is this one: a recurrence by SymPy, formula by formula, any other as it stands."""
    theirs = goal_of(claim)
    if isinstance(goal, Recurs) and isinstance(theirs, Recurs):
        _same_recurrence(goal, theirs, tactic)
    elif isinstance(goal, Profile) and isinstance(theirs, Profile) and theirs.relation in _STRONGER[goal.relation]:
        if replace(theirs, relation=goal.relation) != goal or tactic.at:
            raise TacticError(f"ByClaim: expected the pairs and the bound of {tactic.claim}, got others")
    elif goal != theirs or tactic.at:
        raise TacticError(f"ByClaim: expected the goal of {tactic.claim} as it stands, got another")
    return replace(_inferred(goal, tactic, prove(claim, claims).root), claim=tactic.claim)


def _same_recurrence(goal: Recurs, premise: Recurs, tactic: tactics.ByClaim) -> None:
    """Refuse unless what is known, over its domain and of all that its steps are given, is the goal there and more.

    Its states stay in its ranges, and so in those of the goal, on which the formulas of both are compared.
    """
    here, there = goal.recurrence, premise.recurrence
    if premise.box.constraint is not None or there.inputs.constraint is not None:
        raise TacticError(f"ByClaim: {tactic.claim} is proved only under a constraint")
    if there.relation not in _STRONGER[here.relation]:
        raise TacticError(f"ByClaim: {tactic.claim} says {there.relation}, the goal {here.relation}")
    strangers = [name for name in tactic.at if name not in premise.box.names]
    if strangers:  # of the state, say, which is not the goal's to choose
        raise TacticError(f"ByClaim: expected parameters of {tactic.claim}, got {strangers[0]}")
    names = {name: _name(formula, goal.box) for name, formula in tactic.at.items()}
    for parameter in premise.box.parameters:
        _check_range(goal.box, replace(parameter, name=names.get(parameter.name, parameter.name)), tactic)
    for inner, outer in ((here.inputs, there.inputs), (there.state, here.state)):
        for parameter in outer.parameters:
            _check_range(inner, parameter, tactic)
    of_levels = [
        levels and (names.get(levels.count, levels.count) if levels is there.levels else levels.count, levels.below)
        for levels in (here.levels, there.levels)
    ]
    if (here.inputs.names, here.state.names, of_levels[0]) != (there.inputs.names, there.state.names, of_levels[1]):
        raise TacticError(f"ByClaim: expected the state, the steps and the levels of {tactic.claim}")
    state, of_step = here.state.parameters, here.inputs.parameters
    pairs = [(f"the start of {name}", here.start[name], there.start[name], 0) for name in here.state.names]
    pairs += [(f"the step of {name}", here.step[name], there.step[name], 2) for name in here.state.names]
    pairs += [("the left side", here.left, there.left, 1), ("the right side", here.right, there.right, 1)]
    if here.levels is not None and there.levels is not None:
        pairs.append(("the leaf", here.levels.leaf, there.levels.leaf, 0))
    box = Box((*goal.box.parameters, *state, *of_step))
    if len(set(box.names)) != len(box.names):
        raise TacticError(f"ByClaim: expected names of its own for each parameter, got {', '.join(box.names)}")
    for what, mine, proved, reads in pairs:
        more = ((), state, (*state, *of_step))[reads]
        ours = expressions.expression(_composed(mine, Box((*goal.box.parameters, *more)), {}), box)
        theirs = expressions.expression(_composed(proved, Box((*premise.box.parameters, *more)), tactic.at), box)
        _equal(ours, theirs, tactic, f"{what} as in {tactic.claim}", box)


def _resting(goal: Goal, tactic: tactics.Resting, claims: Claims) -> Step:
    step, others, over = apply(goal, tactic.proof, claims), [], tactic.over
    wide = Box((*goal.box.parameters, *over.parameters))
    confined = [one.name for one in over.parameters if one.upper != "infinity" or one.choices]
    if len(set(wide.names)) != len(wide.names) or confined:
        raise TacticError(f"Resting: expected names of its own for what is searched, without a largest, got {over}")
    anywhere = Statement(zero, zero, "<=", wide)
    for one in tactic.claims:
        claim = claims.get(one.claim)
        if claim is None or claim.id != one.claim:
            raise TacticError(f"Resting: expected a claim, got {one.claim}: none, or one that rests on this one")
        cut = claim.domain.constraint
        if cut is not None and (cut is not over.constraint or one.at):
            raise TacticError(f"Resting: {one.claim} is proved only where {claim.domain.constraint_text}")
        ranges = _inside(anywhere, claim.domain, one.at, one, claims)
        root = prove(claim, claims).root
        others.append(replace(_inferred(root.goal, one, *ranges, root), claim=one.claim))
    return _inferred(goal, tactic, step, *others)


def _name(formula: Formula, box: Box) -> str:
    """Which of the box's parameters a formula is."""
    built = expressions.expression(formula, box)
    if built not in (symbols := expressions.symbols_of(box)).values():
        raise TacticError(f"ByClaim: expected a parameter of the goal, got {built}")
    return next(name for name, symbol in symbols.items() if symbol == built)


_RULES: Mapping[type[Tactic], Callable[[Any, Any, Claims], Step]] = {
    tactics.Symbolic: _symbolic,
    tactics.Hypothesis: _by_hypothesis,
    tactics.Sign: _sign,
    tactics.Boxes: _boxes,
    tactics.Sum: _parts,
    tactics.Product: _parts,
    tactics.Maximum: _maximum,
    tactics.Through: _through,
    tactics.Both: _both,
    tactics.Increasing: _increasing,
    tactics.Rewrite: _rewrite,
    tactics.Substitute: _substitute,
    tactics.Root: _root,
    tactics.LargestTerm: _largest_term,
    tactics.Largest: _largest,
    tactics.Split: _split,
    tactics.Cases: _cases,
    tactics.Contrary: _contrary,
    tactics.Have: _have,
    tactics.Within: _within,
    tactics.Derivative: _derivative,
    tactics.Barrier: _barrier,
    tactics.Induction: _induction,
    tactics.Peak: _peak,
    tactics.Steps: _steps,
    tactics.Trees: _trees,
    tactics.Slope: _slope,
    tactics.Ordered: _ordered,
    tactics.Resting: _resting,
    tactics.ByClaim: _by_claim,
    **dict.fromkeys(_OF_LAWS, _law),
}
"""All that may be done to a goal."""
