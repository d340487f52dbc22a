"""What the kernel asks of SymPy: a formula's expression over a box, its domain, sign, derivative and limits.

SymPy is in the trust base.  Two guards stand beside it: an expression must agree with the formula in balls at points of
the box, and no identity, derivative or limit is taken of an expression that is not seen to be defined on all of it.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import sympy

from proofs_numeric.arithmetic import Ball, Number, exact
from proofs_numeric.arithmetic.derivative import evaluate_expression
from proofs_numeric.arithmetic.formula import Formula, evaluate_in
from proofs_numeric.arithmetic.noise_maximum import released, unreleased
from proofs_numeric.arithmetic.pair_stick import pair_stick
from proofs_numeric.arithmetic.symbolic import (
    BinomialMass,
    BinomialTail,
    DiscreteGaussianLoss,
    DiscreteGaussianProfile,
    LaplaceProfile,
    PairStick,
    SharedLoss,
    Symbolic,
    is_whole,
)
from proofs_numeric.kernel import limits
from proofs_numeric.kernel.boxes import positive_on_box, ranges_of
from proofs_numeric.kernel.recording import ExpressionError, Recording, Slack
from proofs_numeric.statements.box import Box, Parameter, grid
from proofs_numeric.statements.kinds import AtMost

A = Symbolic()
_SAMPLES = 24
_BITS = (128, 4096)
"""Of comparisons at points: more where nothing is known of a far tail."""
_POINTS_OF_CONSTRAINT = 256
_AGREEING_BITS = 64
"""A formula is compared with its expression where so many bits of it are known."""
_FEW_BOXES, _MORE_BOXES = 30, 1000
"""Bisections before and after an expression is taken apart into factors."""
_CORNERS = Ball(96)
_LARGE_RATE = 32
_FAR, _FAR_BITS = 10_000, 20_000
"""Next to an infinite end, and the precision that keeps e^x (1 - erf(x)) there."""


class Phi(sympy.Function):  # type: ignore[misc]
    """The normal distribution function, which SymPy writes by erf: positive, below one."""

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _eval_is_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None


class Loss(sympy.Function):  # type: ignore[misc]
    """``-log Phi``: positive."""

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _eval_is_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None


class Quantile(sympy.Function):  # type: ignore[misc]
    """The inverse of erf, which is odd and increases: real, with the sign of its argument."""

    def _eval_is_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _eval_is_positive(self) -> Any:
        return self._argument.is_positive

    def _eval_is_negative(self) -> Any:
        return self._argument.is_negative

    def _eval_is_nonnegative(self) -> Any:
        return self._argument.is_nonnegative

    @property
    def _argument(self) -> Any:
        return _factored(self.args[0])


def symbols_of(box: Box) -> dict[str, Any]:
    """One symbol for each parameter, with the assumptions that its range grants."""
    return {parameter.name: _symbol(parameter) for parameter in box.parameters}


@functools.lru_cache(maxsize=1024)
def _symbol(parameter: Parameter) -> Any:
    if parameter.choices:
        raise ExpressionError(f"expected a number for {parameter.name}, got a word: take the choices one by one")
    if "infinity" not in str(parameter.lower) + str(parameter.upper) and exact(parameter.lower) == exact(
        parameter.upper
    ):
        return A.number(exact(parameter.lower))
    assumptions = {"integer": True} if parameter.integer else {"real": True}
    if parameter.lower != "-infinity" and exact(parameter.lower) >= 0:
        positive = exact(parameter.lower) > 0 or parameter.open_lower
        assumptions["positive" if positive else "nonnegative"] = True
    elif parameter.upper != "infinity" and exact(parameter.upper) <= 0:
        negative = exact(parameter.upper) < 0 or parameter.open_upper
        assumptions["negative" if negative else "nonpositive"] = True
    return sympy.Symbol(parameter.name, **assumptions)


def expression(formula: Formula, box: Box, hypotheses: Sequence[AtMost] = ()) -> Any:
    """The formula on the box's symbols; it agrees with the formula in balls at points of the box, and is defined there.

    With ``hypotheses`` it is defined where they hold, if one of them says so.

    Raises:
        ExpressionError: it has none, it does not agree, or a denominator or a logarithm may vanish on the box.

    """
    built, unseen = build(formula, box)
    for one in unseen:
        if not one.told_by(hypotheses, box):
            raise one.error(box, hypotheses)
    return built


@functools.lru_cache(maxsize=1024)
def build(formula: Formula, box: Box) -> tuple[Any, Sequence[Unseen]]:
    """The formula on the box's symbols, and what is missing for it to be defined on all of the box.

    Raises:
        ExpressionError: it has none, or it does not agree with the formula.

    """
    built, taken = written(formula, box)
    return built, undefined(built, box, taken)


@functools.lru_cache(maxsize=1024)
def written(formula: Formula, box: Box) -> tuple[Any, Sequence[Any]]:
    """The expression, which may not be defined on all of the box, and the logarithms, roots and laws that it takes.

    Raises:
        ExpressionError: it has none, or it does not agree with the formula.

    """
    symbols, recording = symbols_of(box), Recording()
    if isinstance(formula, Written) and all(symbols.get(name) == symbol for name, symbol in formula.free):
        return formula.built, ()  # which is the formula in balls too
    built = recording.expression(formula, symbols)
    require_agreement(formula, built, symbols, box)
    return built, tuple(recording.taken)


def with_more(box: Box, *parameters: Parameter) -> Box:
    """The box with more parameters, of which its constraint says nothing."""
    admits, names = box.constraint, box.names
    constraint = None if admits is None else lambda **at: admits(**{name: at[name] for name in names})
    return Box((*box.parameters, *parameters), constraint, box.constraint_text)


@dataclass(frozen=True)
class Written:
    """An expression as a formula of the parameters that its symbols stand for, in every arithmetic."""

    built: Any
    free: tuple[tuple[str, Any], ...]

    def __call__(self, B: Any, **parameters: Any) -> Any:
        if B.name == A.name:
            return B.number(self.built.xreplace({symbol: A.number(parameters[name]) for name, symbol in self.free}))
        return evaluate_expression(
            B, self.built, {symbol: B.number(parameters[name]) for name, symbol in self.free if name in parameters}
        )


def formula_of(built: Any, box: Box) -> Written:
    """The expression as a formula of the box's parameters."""
    return Written(built, tuple((name, symbol) for name, symbol in symbols_of(box).items() if symbol.is_Symbol))


@dataclass(frozen=True)
class Uninterpreted(Ball):
    """Balls in which what is long to integrate is another function, from 0 to 1, of all that it is of."""

    def any_of(self, *xs: Any) -> Any:
        """That function."""
        mixture = self.sum(self.sqrt(self.number(place)) * self.number(x) for place, x in enumerate(xs, start=2))
        return (2 + self.number(mixture).sin()) / 4


@pair_stick.register
def _(A: Uninterpreted, *, bits: int | None = None, new: Any = None, **at: Any) -> Any:
    del bits, new
    return A.any_of(*(at[name] for name in sorted(at)))


@unreleased.register
def _(A: Uninterpreted, *, l: int, t: Number, b: Number, bits: int | None = None) -> Any:
    del bits
    return A.any_of(l, t, b) if l else A.number(1)


@released.register
def _(A: Uninterpreted, *, l: int, t: Number, b: Number, bits: int | None = None) -> Any:
    return 1 - unreleased(A, l=l, t=t, b=b, bits=bits)


def require_agreement(
    formula: Formula,
    built: Any,
    symbols: Mapping[str, Any],
    box: Box,
    more: Callable[[Ball, Mapping[Any, Any]], dict[Any, Any]] = lambda _ball, values: dict(values),
    balls: type[Ball] = Uninterpreted,
) -> None:
    """Refuse an expression that is not the formula in balls at points of the box; ``more`` adds values of symbols.

    Raises:
        ExpressionError: they differ, or cannot be compared at any point tried.

    """
    compared = False
    for bits, point in itertools.product(_BITS, some_points(box)):
        if compared and bits != _BITS[0]:
            break
        ball = balls(bits)
        with ball:
            try:
                pairs = ((symbols[name], value) for name, value in point.items() if symbols[name].is_Symbol)
                values = more(ball, {symbol: ball.number(value) for symbol, value in pairs})
                second = ball.number(evaluate_expression(ball, built, values))
                first = ball.number(evaluate_in(ball, formula, point))
            except (ArithmeticError, NotImplementedError, ValueError):
                continue
            except TypeError as error:
                raise ExpressionError(f"the expression cannot be compared with the formula: {error}") from error
            where = ", ".join(f"{name}={value}" for name, value in point.items())
            if first.is_finite() and second.is_finite():
                compared = compared or first.rad() * 2**_AGREEING_BITS <= 1 + abs(first)
                if not first.overlaps(second):
                    raise ExpressionError(f"the formula is {first} and its SymPy expression {second} at {where}")
    if not compared:
        raise ExpressionError(f"the formula and its SymPy expression {built} cannot be compared at any point tried")


class Unseen(NamedTuple):
    """A condition, ``needed`` >= 0 or > 0, without which an expression is not defined, and that is not seen."""

    needed: Any
    strict: bool
    what: str

    def error(self, box: Box, hypotheses: Sequence[AtMost] = ()) -> ExpressionError:
        """To raise where nobody else shows it; a denominator may have either sign."""
        relation = "<" if self.strict else "<="
        where = "" if self.what == "a denominator" else counterexample(self.needed, relation, box, hypotheses)
        return ExpressionError(f"{self.what}, {self.needed}, is not seen to be defined on the whole box{where}")

    def told_by(self, hypotheses: Sequence[AtMost], box: Box) -> bool:
        """Whether hypotheses, themselves defined on the whole box, say that."""
        gaps = [
            gap for hypothesis in hypotheses if hypothesis.strict or not self.strict for gap in _gap_of(hypothesis, box)
        ]
        if any(vanishes(gap - self.needed) for gap in gaps):
            return True
        assumed = self.needed.xreplace(said_positive(hypotheses, box))
        return bool(assumed != self.needed and positive(assumed, box, strict=self.strict))


def _gap_of(hypothesis: AtMost, box: Box) -> Iterator[Any]:
    """What a hypothesis says to be >= 0, or > 0, if that is defined on the whole box."""
    with contextlib.suppress(ExpressionError):
        yield expression(hypothesis.right, box) - expression(hypothesis.left, box)


def said_positive(hypotheses: Sequence[AtMost], box: Box) -> dict[Any, Any]:
    """A positive symbol for what each strict hypothesis that is defined on the whole box says to be positive."""
    return {
        gap: _dummy(gap, positive=True)
        for hypothesis in hypotheses
        if hypothesis.strict
        for gap in _gap_of(hypothesis, box)
    }


def require_defined(built: Any, box: Box, taken: Sequence[Any] = ()) -> None:
    """Refuse an expression that is not seen to be a function on the whole box, but for integer parts continuous.

    ``taken``: what a formula takes on the way, and SymPy may have dropped.

    Raises:
        ExpressionError: a denominator, or the argument of a logarithm, power or quantile, may leave its range.

    """
    if missing := undefined(built, box, taken):
        raise missing[0].error(box)


def undefined(built: Any, box: Box, taken: Sequence[Any] = ()) -> Sequence[Unseen]:
    """What is missing for an expression to be a function on the whole box, as in `require_defined`."""
    nodes = itertools.chain.from_iterable(map(sympy.preorder_traversal, (built, *taken)))
    conditions: dict[Any, Unseen] = {}
    for needed, strict, what in dict.fromkeys(condition for node in nodes for condition in _conditions(node)):
        signs = [sympy.sympify(signed) for signed in ((needed, -needed) if what == "a denominator" else (needed,))]
        # What is read off at once needs no boxes, what a few boxes show no factors, and what has factors no more boxes.
        ranges = _taken_by(box, needed)
        if not (
            any(_read(signed, strict=strict) and positive(signed, box, strict=strict) for signed in signs)
            or any(_enclosed_above_zero(signed, ranges, _FEW_BOXES) for signed in signs)
            or any(positive(signed, box, strict=strict) for signed in signs)
            or any(_enclosed_above_zero(signed, ranges, _MORE_BOXES) for signed in signs)
        ):
            conditions[needed] = Unseen(needed, strict or (needed in conditions and conditions[needed].strict), what)
    return tuple(conditions.values())


def _taken_by(box: Box, *built: Any) -> Box:
    """The bare ranges of those parameters that are in the expressions: no other is worth a bisection."""
    symbols, free = symbols_of(box), set().union(*(one.free_symbols for one in built))
    taken = (p for p in box.parameters if not symbols[p.name].free_symbols.isdisjoint(free))
    return Box(tuple(replace(p, description="", unit="", default=None) for p in taken))


@functools.lru_cache(maxsize=4096)
def _enclosed_above_zero(built: Any, box: Box, most: int) -> bool:
    """Whether so many boxes show the expression > 0; of a box that is not compact they show nothing."""
    if any(p.choices or "infinity" in f"{p.lower}{p.upper}" for p in box.parameters):
        return False
    try:
        formula, ranges = formula_of(built, box), ranges_of(box)
        # Each corner is in a leaf, which would be above zero.
        corners = (dict(zip(ranges, ends, strict=True)) for ends in itertools.product(*ranges.values()))
        if not all(evaluate_in(_CORNERS, formula, corner) > 0 for corner in corners):
            return False
        return positive_on_box(formula, box, bits=_CORNERS.bits, max_boxes=most).decided is True
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return False


def _conditions(node: Any) -> Iterator[tuple[Any, bool, str]]:
    """What must be positive (strictly or not) for a node to be a smooth function of its arguments."""
    if isinstance(node, sympy.log):
        yield node.args[0], True, "the argument of a logarithm"
    elif isinstance(node, sympy.erfinv):
        yield 1 - node.args[0], True, "the argument of a quantile"
        yield 1 + node.args[0], True, "the argument of a quantile"
    elif isinstance(node, BinomialMass | BinomialTail):
        yield node.args[0], False, "a number of trials"
        yield node.args[1], False, "a probability"
        yield 1 - node.args[1], False, "the complement of a probability"
    elif isinstance(node, sympy.Function):
        yield from _conditions_of_law(node)
    elif isinstance(node, sympy.Pow) and not node.exp.is_integer:
        yield node.base, not node.exp.is_positive, "the base of a power"
    elif isinstance(node, sympy.Pow) and not node.exp.is_nonnegative:
        base = node.base
        while base.is_Pow:
            base = base.base
        # A logarithm has the sign of how far its argument is above 1.
        yield base.args[0] - 1 if isinstance(base, sympy.log) else base, True, "a denominator"


def _conditions_of_law(node: Any) -> Iterator[tuple[Any, bool, str]]:
    if isinstance(node, SharedLoss):
        yield node.args[0], False, "a number of noises"
        yield node.args[2], True, "the shared noise"
    elif isinstance(node, PairStick):
        _epsilon, scale, _gap, ratio, l, d, j, _forward = node.args
        yield scale, True, "the noise"
        yield ratio, True, "the shared noise"
        for count in (l, j, d - j):
            yield count, False, "a number of counters"
    elif isinstance(node, LaplaceProfile):
        yield node.args[0] - 1, False, "a number of counts less one"
        yield node.args[1], False, "a distance"
        for steps in node.args[3:]:
            yield steps - 1, False, "a number of steps less one"
    elif isinstance(node, DiscreteGaussianLoss):
        yield node.args[0], True, "the noise"
    elif isinstance(node, DiscreteGaussianProfile):
        yield node.args[0] - 1, False, "a number of counts less one"
        yield node.args[1], True, "the noise"
        yield node.args[2] - 1, False, "a number of steps less one"


_HIGHEST_EXPANDED = 64
"""Whole powers of a sum up to which it is multiplied out; a higher one stands for itself."""


@functools.lru_cache(maxsize=4096)
def vanishes(difference: Any) -> bool:
    """Whether SymPy reduces the expression, real and defined on its box, to zero."""
    difference = _by_one_mass(difference).replace(_is_log_of_exp, lambda node: node.args[0].args[0])
    if difference == 0:
        return True
    if _differs(difference, 64, _TURNS):
        return False
    if _is_zero_in_variables(difference):
        return True
    # What is in a far tail has no known bit at first, and high powers of probabilities differ in far tails alone.
    if _differs(difference, _BITS[1], _TURNS[:2]) or _differs(difference, _BITS[1], _TURNS[:2], unit=1):
        return False
    high = [node for node in difference.atoms(sympy.Pow) if node.base.is_Add and node.exp.is_Integer]
    difference = difference.xreplace({node: sympy.Dummy() for node in high if abs(node.exp) > _HIGHEST_EXPANDED})
    if _vanishes_by_laws(difference):
        return True
    # Sums of many error functions cancel once they are expanded; rational functions mostly grow by it.
    simplified = (sympy.simplify, lambda x: sympy.simplify(sympy.expand(x)))
    reductions = (
        sympy.expand,
        lambda x: sympy.expand(sympy.expand_log(x.replace(sympy.log, lambda u: sympy.log(sympy.factor(u))))),
        _numerator,
        lambda x: _numerator(x.replace(sympy.exp, _without_logs).replace(_is_power_of_count, _in_counts)),
        lambda x: _numerator(x.replace(sympy.erf, lambda u: sympy.erf(sympy.simplify(sympy.radsimp(u))))),
        *(simplified[::-1] if difference.has(sympy.erf) else simplified),
        lambda x: sympy.simplify(sympy.powsimp(sympy.expand(x, power_exp=True), combine="exp", force=False)),
        lambda x: sympy.simplify(sympy.expand(sympy.expand_log(_canonical(x), force=False))),
    )
    return any(reduce(difference) == 0 for reduce in reductions)


def _is_zero_in_variables(difference: Any) -> bool:
    """Whether the numerator is zero, with variables for functions, exponentials, roots, and what is no sum or product.

    An identity in the variables is one of what they stand for; a root's q-th power is what it is the root of.
    """
    split = _with_factored_roots(difference)
    if (alone := _logarithm_alone(split)) is not None:
        logarithm, value = alone
        return _is_zero(logarithm.args[0] - sympy.exp(value))
    difference = split.replace(sympy.log, lambda u: sympy.expand_log(sympy.log(_factored(u))))
    difference = _once_each(difference)
    # Each is a whole power of the exponential of the largest rate that divides all.
    powers, _stand_for = _powers_of_variables(difference, sympy.gcd_list)
    return Fractions(difference.xreplace(powers).xreplace(powers)).is_zero  # of what is a logarithm, in it too


def _with_factored_roots(built: Any) -> Any:
    """The expression with each root of a product as the product of the roots of what is seen not to be negative."""
    roots = {node: _factored(node.base) ** node.exp for node in built.atoms(sympy.Pow) if _is_root(node)}
    return built.xreplace(roots)


def _is_root(node: Any) -> bool:
    return bool(node.exp.is_Rational and not node.exp.is_Integer and not node.base.is_Atom)


def _logarithm_alone(difference: Any) -> tuple[Any, Any] | None:
    """The only logarithm of an expression that is linear in it, and what it then is where the expression is zero."""
    logarithms = difference.atoms(sympy.log)
    if len(logarithms) != 1:
        return None
    (logarithm,) = logarithms
    rate, rest = difference.coeff(logarithm), difference.xreplace({logarithm: sympy.S.Zero})
    linear = rate.is_Rational and rate != 0 and not (difference - rate * logarithm).has(logarithm)
    return (logarithm, -rest / rate) if linear else None


_FUNCTIONS = sympy.erf, sympy.erfinv, sympy.log


def _once_each(built: Any) -> Any:
    """The expression with one of all functions of it that are the same, and the opposite for those of the opposite."""
    functions_so_far: list[Any] = []
    same = {}
    functions = built.atoms(*_FUNCTIONS)
    # The shorter stays, in which the longer is not.
    for node in sorted(functions, key=lambda one: (one.count_ops(), sympy.default_sort_key(one))):
        for other in functions_so_far:
            if other.func is node.func and (sign := _compared(node.args[0], other.args[0], node.func)):
                same[node] = sign * other
                break
        else:
            functions_so_far.append(node)
    moved = built.xreplace(same)
    # What was within others may be the same now; SymPy may write the opposite again as it was.
    return _once_each(moved) if len(moved.atoms(*_FUNCTIONS)) < len(functions) else moved


def _compared(here: Any, there: Any, function: Any) -> int:
    """1 where the function is the same at both, -1 where it is the opposite, 0 where neither is seen."""
    opposite = here * there - 1 if function is sympy.log else here + there
    return 1 if _is_zero(here - there) else -1 if _is_zero(opposite) else 0


def _is_zero(difference: Any) -> bool:
    return bool(difference == 0) or (not _differs(difference, 64, _TURNS[:1]) and _is_zero_in_variables(difference))


def _powers_of_variables(built: Any, unit: Callable[[Sequence[Any]], Any]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Exponentials as products of whole powers of variables, and what these stand for.

    Args:
        built: the expression.
        unit: of all rates c of an ``e^(c u)`` the one whose exponential the variable is; each is a multiple of it.

    """
    powers = {node: [term.as_coeff_Mul() for term in Fractions(node.args[0]).terms] for node in built.atoms(sympy.exp)}
    rates: dict[Any, list[Any]] = {}
    for rate, rest in itertools.chain.from_iterable(powers.values()):
        rates.setdefault(rest, []).append(rate)
    units = {rest: unit(rates_of_rest) for rest, rates_of_rest in rates.items()}
    bases = {rest: sympy.Dummy(positive=True) for rest in rates}
    # What is a logarithm is one of what is positive.
    bases |= {rest: rest.args[0] ** units[rest] for rest in rates if isinstance(rest, sympy.log)}
    free = {
        node: sympy.Mul(*(bases[rest] ** (rate / units[rest]) for rate, rest in terms))
        for node, terms in powers.items()
    }
    return free, {base: sympy.exp(units[rest] * rest) for rest, base in bases.items() if base.is_Dummy}


class Fractions:
    """An expression as a fraction of polynomials in variables: one for each root and each node but sums and products.

    The variables are of what is in a sum, product or power, innermost last.
    """

    def __init__(self, built: Any) -> None:
        self._built = built
        self._orders: dict[Any, int] = {}
        others: dict[Any, None] = {}
        self._look(built, others)
        names = tuple(f"x{place}" for place in range(len(self._orders) + len(others)))
        self._context = flint.fmpq_mpoly_ctx.get(names, "degrevlex")
        self._roots = {base: place for place, base in enumerate(self._orders)}
        self._others = {node: place for place, node in enumerate(others, start=len(self._orders))}

    def _look(self, node: Any, others: dict[Any, None]) -> None:
        if node.is_Add or node.is_Mul:
            for part in node.args:
                self._look(part, others)
        elif node.is_Pow and node.exp.is_Rational:
            self._look(node.base, others)
            if not node.exp.is_Integer:  # after the roots in its base
                self._orders[node.base] = math.lcm(self._orders.get(node.base, 1), int(node.exp.q))
        elif not node.is_Rational:
            others[node] = None

    @property
    def is_zero(self) -> bool:
        """Whether it is zero whatever the variables are; False too where it divides by what is zero."""
        if self._built.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo):
            return False
        try:
            top, _rest = self._reduced(self._of(self._built)[0])
        except ZeroDivisionError:
            return False
        return bool(top.is_zero())

    @property
    def factored(self) -> Any:
        """The expression as a product of powers of polynomials that have no factors; what is a product, by its own.

        Raises:
            ZeroDivisionError: it divides by what is zero.

        """

        def split(polynomial: Any) -> Any:
            rate, factors = polynomial.factor()
            powers = (sympy.Add(*self._terms_of(factor)) ** int(power) for factor, power in factors)
            return _rational(rate) * sympy.Mul(*powers)

        product = []
        for part in sympy.Mul.make_args(self._built):
            base, power = part.as_base_exp()
            base, power = (base, power) if power.is_Integer else (part, sympy.S.One)
            (top, under), (bottom, over) = map(self._reduced, self._of(base))
            product.append((split(top * over) / split(bottom * under)) ** power)
        return sympy.Mul(*product)

    @property
    def terms(self) -> Sequence[Any]:
        """Terms whose sum it is: those of a polynomial, and others over the denominator, which no more divides them.

        Expressions over the same denominator, or none, that are linear combinations of one another are so term by term.
        """
        try:
            (top, under), (bottom, over) = map(self._reduced, self._of(self._built))
        except ZeroDivisionError:
            return [self._built]
        top, bottom = top * over, bottom * under
        common = top.gcd(bottom) * bottom.leading_coefficient()
        whole, rest = divmod(top / common, bottom / common)
        below = sympy.Add(*self._terms_of(bottom / common))
        return [*self._terms_of(whole), *(term / below for term in self._terms_of(rest))]

    def _terms_of(self, polynomial: Any) -> Iterator[Any]:
        """The terms of a polynomial as expressions."""
        nodes = [*(base ** sympy.Rational(1, order) for base, order in self._orders.items()), *self._others]
        for powers, rate in polynomial.to_dict().items():
            factors = (node ** int(power) for node, power in zip(nodes, powers, strict=True) if power)
            yield sympy.Mul(_rational(rate), *factors)

    def _of(self, node: Any) -> tuple[Any, Any]:
        one = self._context.constant(1)
        if node.is_Rational:
            return self._context.constant(flint.fmpq(int(node.p), int(node.q))), one
        if node.is_Add:
            return functools.reduce(_sum, map(self._of, node.args))
        if node.is_Mul:
            return functools.reduce(_product, map(self._of, node.args))
        if node.is_Pow and node.exp.is_Rational:
            whole = node.exp.is_Integer
            top, bottom = self._of(node.base) if whole else (self._context.gen(self._roots[node.base]), one)
            power = int(node.exp * (1 if whole else self._orders[node.base]))
            if power < 0:
                if top.is_zero():
                    raise ZeroDivisionError
                top, bottom, power = bottom, top, -power
            return top**power, bottom**power
        return self._context.gen(self._others[node]), one

    def _reduced(self, polynomial: Any) -> tuple[Any, Any]:
        """The polynomial as a fraction in which no root has its power: what it is the root of stands there."""
        bottom = self._context.constant(1)
        for base, order in reversed(self._orders.items()):
            place, of = self._roots[base], self._of(base)
            parts: dict[int, dict[Any, Any]] = collections.defaultdict(dict)
            for powers, factor in polynomial.to_dict().items():
                wholes, left = divmod(powers[place], order)
                parts[wholes][*powers[:place], left, *powers[place + 1 :]] = factor
            most = max(parts, default=0)
            terms = (self._context.from_dict(part) * of[0] ** n * of[1] ** (most - n) for n, part in parts.items())
            polynomial, bottom = sum(terms, self._context.constant(0)), bottom * of[1] ** most
        return polynomial, bottom


def _rational(number: flint.fmpq) -> Any:
    return sympy.Rational(int(number.p), int(number.q))


def _sum(first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any]:
    common = first[1].gcd(second[1])
    mine, other = first[1] / common, second[1] / common
    return first[0] * other + second[0] * mine, first[1] * other


def _product(first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any]:
    return first[0] * second[0], first[1] * second[1]


def _vanishes_by_laws(difference: Any) -> bool:
    """Whether the expression is linear in binomial laws, and the coefficient of each, and the rest, vanish."""
    laws = {law: sympy.Dummy(nonnegative=True) for law in difference.atoms(BinomialMass, BinomialTail)}
    moved = difference.xreplace(laws)
    slopes = [sympy.diff(moved, law) for law in laws.values()]
    if not laws or any(slope.has(*laws.values()) for slope in slopes):
        return False
    return all(map(vanishes, (*slopes, moved.xreplace(dict.fromkeys(laws.values(), sympy.S.Zero)))))


@functools.lru_cache(maxsize=64)
def _numerator(built: Any) -> Any:
    """The numerator over one denominator, expanded, one power of each base and one exponential in each term."""
    top, _bottom = sympy.fraction(sympy.together(sympy.powsimp(sympy.expand(built), combine="exp")))
    return sympy.powsimp(sympy.expand(top), combine="exp")


def _without_logs(exponent: Any) -> Any:
    """``e^(c log x)``, where x is positive as its logarithm is taken, as ``x^c``."""
    terms = (term.as_independent(sympy.log, as_Add=False) for term in sympy.Add.make_args(sympy.expand(exponent)))
    return sympy.Mul(*(u.args[0] ** c if isinstance(u, sympy.log) else sympy.exp(c * u) for c, u in terms))


def _is_power_of_count(node: Any) -> bool:
    return isinstance(node, sympy.Pow) and node.exp.is_integer and not node.exp.is_number


def _in_counts(power: Any) -> Any:
    """``x^(a + m n)`` as ``x^a`` and the m-th power of what stands for ``x^n``, so that whole powers of x cancel.

    Those of -x too, as ``(-1)^n`` and ``x^n``.
    """
    factors, bases = [], []
    for base, whole in sympy.factor(sympy.cancel(power.base)).as_powers_dict().items():
        signed = base.is_Add and base.could_extract_minus_sign()
        bases += [(sympy.S.NegativeOne, whole), (-base, whole)] if signed else [(base, whole)]
    for base, whole in bases:
        if base is sympy.E:
            factors.append(sympy.exp(sympy.expand(whole * power.exp)))
            continue
        for term in sympy.Add.make_args(sympy.expand(whole * power.exp)):
            number, count = term.as_coeff_Mul()
            if count != 1 and not number.is_Integer:
                number, count = sympy.S.One, term
            factors.append((base if count == 1 else sympy.Function("power")(base, count)) ** number)
    return sympy.Mul(*factors)


def _by_one_mass(built: Any) -> Any:
    """The expression with the masses of one binomial law, some trials and hits apart, written by that of most.

    ``b_(n-1)(v-1) = v b_n(v)/(n p)`` and ``b_(n-1)(v) = (n - v) b_n(v)/(n (1 - p))``, at every integer v; at another
    rate x ``b_n(v; x) = (x/p)^v ((1 - x)/(1 - p))^(n - v) b_n(v; p)``.
    """
    built = built.xreplace(_at_one_rate(built.atoms(BinomialMass)))
    groups: dict[Any, list[Any]] = {}
    for mass in built.atoms(BinomialMass):
        (trials, n), (hits, v) = (number.as_coeff_Add() for number in (mass.args[0], mass.args[2]))
        groups.setdefault((n, mass.args[1], v), []).append((mass, trials, hits))
    written = {}
    for (n, p, v), masses in groups.items():
        top = max(hits for _mass, _trials, hits in masses)
        most = max(trials + top - hits for _mass, trials, hits in masses)
        for mass, trials, hits in masses:
            lost = top - hits
            written[mass] = BinomialMass(n + most, p, v + top) * sympy.Mul(
                *((v + top - step) / ((n + most - step) * p) for step in range(lost)),
                *((n + number - v - hits) / ((n + number) * (1 - p)) for number in range(trials + 1, most - lost + 1)),
            )
    return built.xreplace(written)


def _at_one_rate(masses: set[Any]) -> dict[Any, Any]:
    """Masses by those at the first rate of the same numbers of trials and hits, other numbers added to them or not."""
    written: dict[Any, Any] = {}
    rates: dict[Any, Any] = {}
    for mass in sorted(masses, key=sympy.default_sort_key):
        n, x, v = mass.args
        p = rates.setdefault((n.as_coeff_Add()[1], v.as_coeff_Add()[1]), x)
        if p != x:
            hit, missed = (sympy.fraction(sympy.cancel(odds)) for odds in (x / p, (1 - x) / (1 - p)))
            ratio = sympy.Mul(*(top**number / bottom**number for (top, bottom), number in ((hit, v), (missed, n - v))))
            written[mass] = ratio * BinomialMass(n, p, v)
    return written


def _is_log_of_exp(node: Any) -> bool:
    return isinstance(node, sympy.log) and isinstance(node.args[0], sympy.exp)


def _canonical(built: Any) -> Any:
    """The expression with erf written by Phi of the argument that has no minus sign, so that logarithms split."""
    return built.replace(sympy.erf, lambda u: 2 * Phi(sympy.sqrt(2) * u) - 1)


_TURNS = (1, 2, 3, 5, 8, 11, 12)


def _differs(difference: Any, bits: int, turns: tuple[int, ...], unit: int = 13) -> bool:
    """Whether the expression is plainly not zero at a point of reals in units of 1/unit: it need not be reduced."""
    ball, symbols = Ball(bits), sorted(difference.free_symbols, key=str)
    with ball:
        for turn in turns:
            # Numbers to 13 in another order each turn, first rising and last falling; reals are as many units.
            numbers = {symbol: turn * place % 13 or 13 for place, symbol in enumerate(symbols, start=1)}
            values = {
                symbol: ball.number(number if symbol.is_integer else Fraction(number, unit))
                for symbol, number in numbers.items()
            }
            try:
                value = ball.number(evaluate_expression(ball, difference, values))
            except (ArithmeticError, NotImplementedError, TypeError, ValueError):
                continue
            if value > 0 or value < 0:
                return True
    return False


# --- signs ------------------------------------------------------------------------------------------------------------


def positive(built: Any, box: Box, *, strict: bool = True) -> bool:
    """Whether the expression, defined on the whole box, is seen > 0 (or >= 0) there."""
    built = sympy.sympify(built)
    return _positive(built, box if box.constraint is not None else _taken_by(box, built), strict=strict)


@functools.lru_cache(maxsize=4096)
def _positive(built: Any, box: Box, *, strict: bool) -> bool:
    symbols = symbols_of(box)
    if not built.free_symbols and (number := _enclosed(built)) is not None and number != 0:
        return bool(number > 0)
    if _below_zero(built, symbols, box):
        return False
    if not built.has(sympy.erf, sympy.erfinv) and _read(built, strict=strict):
        return True
    if _by_parts(built, symbols, box, strict=strict):
        return True
    slack = slack_of(box)
    alternatives = _without_maxima(built)
    if any(all(_sign_is_clear(case, box, slack, strict=strict) for case in cases) for cases in alternatives):
        return True
    if not strict and is_whole(built) and _sign_is_clear(built + 1, box, slack, strict=True):
        return True
    # Whatever an integer part that is not negative is.
    counts = {
        part: _dummy(part, positive=False, integer=True) for part in built.atoms(sympy.floor) if part.is_nonnegative
    }
    if counts:
        return positive(built.xreplace(counts), box, strict=strict)
    if not built.has(sympy.Max, sympy.Min):
        return False
    sizes = built.replace(_is_size, lambda node: sympy.Abs(node.args[0]))
    return any(_sign_is_clear(written, box, slack, strict=strict) for written in dict.fromkeys((built, sizes)))


def _by_parts(built: Any, symbols: Mapping[str, Any], box: Box, *, strict: bool) -> bool:
    """Whether the sign is that of the factors or of the base, of which a whole has more cases and more to factor."""
    if isinstance(built, sympy.exp):
        return True
    if built.is_Pow and built.exp.is_real:
        return positive(built.base, box, strict=strict or not built.exp.is_nonnegative)
    if not built.is_Mul or sum(not factor.is_number for factor in built.args) < 2:
        return False
    signed = [-factor if _below_zero(factor, symbols, box) else factor for factor in built.args]
    falling = sum(one is not factor for one, factor in zip(signed, built.args, strict=True))
    return falling % 2 == 0 and all(positive(factor, box, strict=strict) for factor in signed)


def _is_size(node: Any) -> bool:
    return isinstance(node, sympy.Max) and len(node.args) == 2 and sympy.Add(*node.args) == 0


def _enclosed(built: Any) -> Any:
    """A number in a ball, or None where it has none."""
    ball = Ball(4096)
    with ball:
        try:
            return ball.number(evaluate_expression(ball, built, {}))
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            return None


def _below_zero(built: Any, symbols: Mapping[str, Any], box: Box) -> bool:
    """Whether an enclosure at a point of the box shows that there is no sign to look for.

    Of what is long to integrate a sign is told, whatever its value.
    """
    return any(value < 0 for _point, value in _at_points(built, symbols, box, Uninterpreted(128)))


def _at_points(
    built: Any, symbols: Mapping[str, Any], box: Box, ball: Ball
) -> Iterator[tuple[Mapping[str, Any], flint.arb]]:
    """Points of the box, and enclosures of the expression there; those where it has none are left out."""
    for point in some_points(box):
        with ball:
            try:
                values = {symbol: ball.number(point[name]) for name, symbol in symbols.items() if symbol.is_Symbol}
                value = ball.number(evaluate_expression(ball, built, values))
            except (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):
                continue
        yield point, value


class _Quick(Uninterpreted):
    """Balls in which what is long to integrate has no value."""

    def any_of(self, *xs: Any) -> Any:
        raise NotImplementedError


def counterexample(difference: Any, relation: str, box: Box, hypotheses: Sequence[AtMost] = ()) -> str:
    """Say where ``right - left`` is certainly not as the relation has it, and the hypotheses hold: for people.

    Empty where no point tried is one.
    """
    for point, value in _at_points(sympy.sympify(difference), symbols_of(box), box, _Quick(128)):
        if value < 0 or (relation == "=" and value > 0) or (relation == "<" and value == 0):
            with contextlib.suppress(ArithmeticError, NotImplementedError, TypeError, ValueError):
                if all(hypothesis(**point) for hypothesis in hypotheses):
                    where = ", ".join(f"{name}={number}" for name, number in point.items()) or "no parameters"
                    return f"; it is {value.str(6, radius=False)} at {where}"
    return ""


@functools.lru_cache(maxsize=1024)
def some_points(box: Box, samples: int = _SAMPLES) -> Sequence[Mapping[str, Any]]:
    """Points of the box, drawn alike in every run: each parameter at an end, near its lower end, or in between."""
    axes = {parameter.name: _places(parameter) for parameter in box.parameters}
    if not all(axes.values()):
        return []
    draw = random.Random(0)  # noqa: S311 - where to look, not what to keep secret
    candidates = ({name: draw.choice(places) for name, places in axes.items()} for _ in range(8 * samples))
    taken = itertools.islice((point for point in candidates if box.admits(point)), samples)
    points = list({tuple(point.values()): point for point in taken}.values())  # one that is drawn twice tells no more
    return points or list(itertools.islice(grid(box, 1), samples))


def _places(parameter: Parameter) -> list[Any]:
    places = [point[parameter.name] for point in grid(Box((parameter,)), 5)]
    start = -3 if parameter.lower == "-infinity" else math.floor(exact(parameter.lower))
    near = (start + step for step in (1, 2, 3, 4))
    return [*places, *(parameter.coerce(number) for number in near if parameter.contains(number))]


def _sign_is_clear(built: Any, box: Box, slack: tuple[Any, bool] | None, *, strict: bool) -> bool:
    """Whether the sign is seen on the ranges of the box, and where ``slack`` is >= 0, or > 0."""
    return _sign_is_clear_on(built, _taken_by(box, built, *([] if slack is None else slack[:1])), slack, strict=strict)


@functools.lru_cache(maxsize=4096)
def _sign_is_clear_on(built: Any, box: Box, slack: tuple[Any, bool] | None, *, strict: bool) -> bool:
    laws = built.atoms(BinomialMass, BinomialTail)
    built = built.xreplace({law: _dummy(law, positive=strict and _can_happen(law, box, slack)) for law in laws})
    built = built.xreplace(
        {loss: _dummy(loss, positive=False) for loss in built.atoms(SharedLoss, DiscreteGaussianLoss)}
    )
    if built.is_Pow and built.exp.is_integer and _between(built.base) is not None:
        return _sign_is_clear_on(built.base, box, slack, strict=True)
    between = _between(built)
    if between is not None:
        return _sign_is_clear_on(between, box, slack, strict=strict)
    # That of fewest terms has least to cancel.
    variants = sorted(_with_phi(built), key=lambda written: len(sympy.Add.make_args(written)))
    if any(_read(written, strict=strict) for written in variants):
        return True
    if any(_read(_factored(written), strict=strict) for written in variants):
        return True
    symbols = symbols_of(box)
    solved = () if slack is None else tuple(_solved(*slack))
    inside = {symbol for power in built.atoms(sympy.exp) for symbol in power.free_symbols}
    for solution in ({}, *solved):
        needed = built.subs(solution).free_symbols
        moving = {name: symbol for name, symbol in symbols.items() if symbol in needed}
        ended = {symbol for name, symbol in moving.items() if "infinity" not in f"{box[name].lower}{box[name].upper}"}
        for half_lines in dict.fromkeys(map(frozenset, (ended & inside, ended, ()))):
            cases = [
                {**{symbol: value.subs(case) for symbol, value in solution.items()}, **case}
                for case in _charts(moving, box, half_lines)
            ]
            if any(all(_charted(written, case, strict=strict) for case in cases) for written in variants):
                return True
    return False


def _can_happen(law: Any, box: Box, slack: tuple[Any, bool] | None) -> bool:
    """Whether so many hits are seen to have a chance: 0 <= v <= n and 0 < p < 1."""
    n, p, v = law.args
    counts, chances = (v, n - v), (p, 1 - p)
    return (
        isinstance(law, BinomialMass)
        and all(_sign_is_clear_on(count, box, slack, strict=False) for count in counts)
        and all(_sign_is_clear_on(chance, box, slack, strict=True) for chance in chances)
    )


def _between(built: Any) -> Any:
    """``u - v`` of an expression that is ``c (erf(u) - erf(v))`` with c > 0, which has its sign; None of any other.

    So with the inverse of erf in its place: both are odd and increase; and, but for the sum, with exp and a root.
    """
    terms = [_numbered(term) for term in sympy.Add.make_args(sympy.expand(built))]
    if len(terms) != 2 or not all(factor.is_number for factor, _node in terms):
        return None
    (factor, first), (other, second) = terms
    of, u = _increased(first, beside=second)
    same, v = _increased(second, beside=first)
    if of is None or of != same:
        return None
    ends = {-factor: u - v} | ({factor: u + v} if of in {sympy.erf, sympy.erfinv} else {})
    return sympy.sign(factor) * ends[other] if other in ends else None


def _numbered(term: Any) -> tuple[Any, Any]:
    """A number and what it is a factor of."""
    factor, node = term.as_independent(sympy.erf, sympy.erfinv, sympy.exp, as_Add=False)
    number: tuple[Any, Any] = (factor, node) if node != 1 or factor.is_number else factor.as_coeff_Mul()
    return number


def _increased(node: Any, *, beside: Any) -> tuple[Any, Any]:
    """An increasing function and its argument; of 1 that which its neighbour is of."""
    if isinstance(node, sympy.erf | sympy.erfinv | sympy.exp):
        return node.func, node.args[0]
    if node.is_Pow and node.exp.is_Rational and node.exp.is_positive and not node.exp.is_integer:
        return node.exp, node.base
    if node != 1:
        return None, node
    of, _argument = (None, None) if beside == 1 else _increased(beside, beside=node)
    if of in {sympy.erf, sympy.erfinv}:  # of which 1 is no value at a number that SymPy knows
        return None, node
    return of, sympy.S.Zero if of is sympy.exp else sympy.S.One


@functools.lru_cache(maxsize=64)
def slack_of(box: Box) -> tuple[Any, bool] | None:
    """What the box's constraint says is >= 0, or > 0 (True): read off the constraint itself, on the symbols.

    None where there is none, or it is more than one comparison, or that is not the constraint at points of the box:
    then nothing follows from it here.
    """
    if box.constraint is None:
        return None
    symbols, recording = symbols_of(box), Recording()
    try:
        at = {name: recording.number(symbol) for name, symbol in symbols.items()}
        slack = _slack(recording, box.constraint, at) if isinstance(box.constraint, AtMost) else box.constraint(**at)
        if not isinstance(slack, Slack) or recording.refusals:
            return None
        for point in some_points(replace(box, constraint=None), _POINTS_OF_CONSTRAINT):
            values = {symbol: A.number(point[name]) for name, symbol in symbols.items() if symbol.is_Symbol}
            there = slack.built.xreplace(values)
            if bool(there > 0 if slack.strict else there >= 0) != box.admits(point):
                return None
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        return None
    return slack.built, slack.strict


def _slack(recording: Recording, constraint: AtMost, at: Mapping[str, Any]) -> Slack:
    left, right = (recording.number(side(recording, **at)).built for side in (constraint.left, constraint.right))
    return Slack(right - left, constraint.strict, recording)


def _solved(slack: Any, strict: bool) -> Iterator[dict[Any, Any]]:
    """Each symbol in which the slack is affine, by the others and a new variable that stands for the slack.

    An integer slack above zero is at least one.
    """
    if strict and is_whole(slack):
        slack, strict = slack - 1, False
    t = _dummy(slack, positive=strict, integer=is_whole(slack))
    for symbol in sorted(slack.free_symbols, key=str):
        rate = sympy.diff(slack, symbol)
        if rate.is_Rational and rate != 0:
            yield {symbol: sympy.expand((t - slack.subs(symbol, 0)) / rate)}


def _without_maxima(built: Any) -> list[list[Any]]:
    """Lists of expressions, any one of which being positive throughout makes the expression positive.

    A maximum with a positive factor is at least each of its members, one with a negative factor is one of them; with a
    minimum it is the other way round.
    """
    nodes = built.atoms(sympy.Max, sympy.Min)
    if not nodes:
        return [[built]]
    # Those that fall apart into cases come first, as within a case any member of the others will do; then the outer.
    rising = {node: _rising(built, node) for node in nodes}
    chosen = {node: rises is (node.func is sympy.Max) for node, rises in rising.items()}
    depth = {node: -len(node.atoms(sympy.Max, sympy.Min)) for node in nodes}
    node = min(nodes, key=lambda one: (rising[one] is None, chosen[one], depth[one], sympy.default_sort_key(one)))
    branches = [_without_maxima(built.xreplace({node: member})) for member in node.args]
    if chosen[node]:
        return [cases for branch in branches for cases in branch]
    return [[case for cases in choice for case in cases] for choice in itertools.product(*branches)]


def _rising(built: Any, node: Any) -> bool | None:
    """Whether the expression, linear in the node, rises with it (True) or falls (False)."""
    slope = _slope_in(built, node)
    if slope is None:
        return None
    return next((sign for one in (slope, sympy.expand(slope)) if (sign := one.is_positive) or one.is_negative), None)


def _slope_in(built: Any, node: Any) -> Any:
    """The factor of the node in an expression that is linear in it; None where it is another function of it."""
    if built == node:
        return sympy.S.One
    if not built.has(node):
        return sympy.S.Zero
    moving = [part for part in built.args if part.has(node)]
    if built.is_Add:
        slopes = [_slope_in(part, node) for part in moving]
        return None if None in slopes else sympy.Add(*slopes)
    if built.is_Mul and len(moving) == 1:
        slope = _slope_in(moving[0], node)
        return None if slope is None else sympy.Mul(slope, *(part for part in built.args if part is not moving[0]))
    return None


def _with_phi(built: Any) -> Iterator[Any]:
    """The expression with each erf written by Phi, whose sign SymPy is told: of its argument, or of the opposite."""
    built = built.replace(sympy.erfinv, Quantile)
    errors = sorted(built.atoms(sympy.erf), key=str)[:3]
    for signs in itertools.product((1, -1), repeat=len(errors)):
        phi = {e: s * (2 * Phi(s * sympy.sqrt(2) * e.args[0]) - 1) for e, s in zip(errors, signs, strict=True)}
        yield _losses(built, phi) if phi else built


def _losses(built: Any, phi: Mapping[Any, Any]) -> Any:
    """Put Phi for erf, and -Loss for the logarithm of a Phi."""
    written = built.replace(sympy.log, lambda u: sympy.log(sympy.expand_mul(u.xreplace(phi))))
    written = written.replace(sympy.log, lambda u: -Loss(u.args[0]) if isinstance(u, Phi) else sympy.log(u))
    return sympy.expand_mul(written.xreplace(phi))


def _charts(symbols: Mapping[str, Any], box: Box, half_lines: frozenset[Any]) -> Iterator[dict[Any, Any]]:
    """Maps from half lines that cover the box, or more, together.

    A range becomes ``(lower + upper t)/(1 + t)`` and its closed upper end, or ``lower + t`` where one end is dropped.
    """
    moving = [p for p in box.parameters if symbols.get(p.name, sympy.S.Zero).is_Symbol]
    axes = [_axis(p, symbols[p.name], half_line=symbols[p.name] in half_lines) for p in moving]
    for choice in itertools.product(*axes):
        yield dict(choice)


def _axis(parameter: Parameter, symbol: Any, *, half_line: bool) -> list[tuple[Any, Any]]:
    lower = None if parameter.lower == "-infinity" else A.number(exact(parameter.lower))
    upper = None if parameter.upper == "infinity" else A.number(exact(parameter.upper))
    opened = parameter.open_upper if lower is None else parameter.open_lower
    if lower is None and upper is None:
        return [(symbol, sympy.Dummy(real=True))]
    if lower is None:
        return [(symbol, upper - _dummy(upper - symbol, positive=opened))]
    if upper is None or half_line:
        whole = parameter.integer and lower.is_Integer
        return [(symbol, lower + _dummy(symbol - lower, positive=opened, integer=whole))]
    t = _dummy((symbol - lower) / (upper - symbol), positive=opened)
    inside = [(symbol, (lower + upper * t) / (1 + t))]
    return inside if parameter.open_upper else [*inside, (symbol, upper)]


def _charted(written: Any, case: Mapping[Any, Any], *, strict: bool) -> bool:
    moved = written.xreplace(case).replace(sympy.floor, lambda u: u - _part_of_one(u))
    in_exponents = {symbol for power in moved.atoms(sympy.exp) for symbol in power.free_symbols}
    for t in sorted(in_exponents, key=str):
        moved = _without_exponentials(moved, t)
    if _read(moved, strict=strict):
        return True
    free = moved.replace(sympy.log, _free_logarithm).replace(sympy.exp, _free_exponential)
    return _read(_factored(free), strict=strict)


def _without_exponentials(moved: Any, t: Any) -> Any:
    """Write ``e^(c t)`` as a power of a variable of its own: one more than any t >= 0, positive for any real t.

    The new variable moves freely beside t, so what holds for it holds for the exponential.
    """
    least = int(t.is_nonnegative is True)
    base = least + _dummy(sympy.exp(t) - least, positive=not least or t.is_positive)

    def split(argument: Any) -> Any:
        argument = sympy.expand(argument)
        slope = argument.coeff(t, 1)
        rest = sympy.expand(argument - slope * t)
        linear = slope.is_Rational and slope != 0 and not rest.has(t)
        return base**slope * sympy.exp(rest) if linear else sympy.exp(argument)

    return moved.replace(sympy.exp, split)


def _free_logarithm(u: Any) -> Any:
    """Write ``log u``, where u is seen above or below one, by a variable that moves over that half line."""
    above = _factored(u - 1)
    for sign in (1, -1):
        excess = sign * above
        if excess.is_nonnegative:
            return sign * _dummy(sign * sympy.log(u), positive=excess.is_positive)
    return sympy.log(u)


def _free_exponential(u: Any) -> Any:
    """Write ``e^u`` by a variable that moves over all of its range, a half line where the sign of u is not seen.

    The argument is real, as what is defined on the box is.
    """
    if u.is_nonnegative:
        return 1 + _dummy(sympy.exp(u) - 1, positive=u.is_positive)
    if u.is_nonpositive:
        return 1 / (1 + _dummy(sympy.exp(-u) - 1, positive=u.is_negative))
    return _dummy(sympy.exp(u), positive=True)


def _part_of_one(u: Any) -> Any:
    """``u - floor(u)`` by a variable: at least 0, less than 1."""
    part = u - sympy.floor(u)
    t = _dummy(part / (1 - part), positive=False)
    return t / (1 + t)


@functools.lru_cache(maxsize=4096)
def _dummy(stands_for: Any, *, positive: bool | None, integer: bool | None = None) -> Any:
    """The variable that moves over all values an expression may have: > 0, or >= 0; an integer where said.

    The same expression has the same one each time, so that what was seen of one is known when it comes again: at a
    point all variables have the values of their expressions at once, and so what holds of all values holds there.
    """
    kind = {"integer": True} if integer else {}
    return sympy.Dummy(positive=True, **kind) if positive else sympy.Dummy(nonnegative=True, **kind)


@functools.lru_cache(maxsize=4096)
def _factored(built: Any) -> Any:
    """The expression's factors; ``e^(c u)`` with a large c is one variable, whose c-th roots of one nobody needs."""
    hidden: dict[Any, Any] = {}

    def hide(argument: Any) -> Any:
        rate, rest = argument.as_coeff_Mul()
        if abs(rate) <= _LARGE_RATE:
            return sympy.exp(argument)
        whole = sympy.exp(abs(rate) * rest)
        power = hidden[whole] = _dummy(whole, positive=True)
        return power if rate > 0 else 1 / power

    moved = _with_factored_roots(built).replace(sympy.exp, hide)
    free, stand_for = _powers_of_variables(
        moved, lambda rates: sympy.Rational(1, math.lcm(*(int(rate.q) for rate in rates)))
    )
    if any(not power.exp.is_Rational for power in moved.atoms(sympy.Pow)):
        factors = sympy.factor(moved)  # which takes a power of a count apart
    else:
        try:
            factors = Fractions(moved.xreplace(free)).factored.xreplace(stand_for)
        except ZeroDivisionError:
            factors = moved
    for power, variable in reversed(hidden.items()):  # an inner one was hidden first
        factors = factors.xreplace({variable: power})
    return factors


def _read(built: Any, *, strict: bool) -> bool:
    return bool(built.is_positive if strict else built.is_nonnegative)


# --- calculus ---------------------------------------------------------------------------------------------------------


_MOST_PIECES = 32


class Piece(NamedTuple):
    """An expression with one part in the place of each maximum, and what is >= 0 where those parts are chosen."""

    built: Any
    gaps: tuple[Any, ...] = ()


def pieces(built: Any, moving: Any = None) -> tuple[Piece, ...]:
    """The expressions of which one is the value at each point: of each maximum (that is ``moving``) one part is chosen.

    Raises:
        ExpressionError: there are too many, or one is infinite.

    """
    results = [Piece(built)]
    while (node := next((n for one in results for n in _choices(one.built, moving)), None)) is not None:
        results = list(dict.fromkeys(chosen for one in results for chosen in _chosen(one, node)))
        if len(results) > _MOST_PIECES:
            raise ExpressionError(f"expected at most {_MOST_PIECES} choices of the parts of maxima, got more")
    if any(one.built.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo) for one in results):
        raise ExpressionError("expected finite expressions for the parts of each maximum, got an infinite one")
    # Of two parts that are equal either may be chosen, everywhere by the same sign of their difference.
    two_each = all(len(node.args) <= 2 for node in _choices(built, moving))
    return tuple(one for one in results if not (two_each and any(gap != 0 and -gap in one.gaps for gap in one.gaps)))


def _choices(built: Any, moving: Any) -> Iterator[Any]:
    """The maxima, minima and absolute values, outermost first."""
    chosen = (n for n in sympy.preorder_traversal(built) if isinstance(n, sympy.Max | sympy.Min | sympy.Abs))
    return (node for node in chosen if moving is None or node.has(moving))


_OF_REALS = sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.erf, sympy.Max, sympy.Min, sympy.Abs
"""What is a function of all real numbers that it is defined for."""


def generalized(built: Any, moving: Any, box: Box) -> tuple[Any, Box] | None:
    """The expression with a parameter for each sum, maximum or value of a function that stands; None: there is none.

    What holds for all values of these parameters, > 0, >= 0 or any as they are seen to be, holds for the expression.
    """
    parameters: dict[Any, Parameter] = {}
    names = (name for n in itertools.count() if (name := f"constant_{n}") not in box.names)

    def generalize(node: Any) -> Any:
        if node.has(moving):
            return node.func(*map(generalize, node.args)) if isinstance(node, _OF_REALS) else node
        if isinstance(node, sympy.Mul | sympy.Pow):
            return node.func(*map(generalize, node.args))
        if node.is_Atom or isinstance(node, sympy.exp):
            return node
        if node not in parameters:
            strict = positive(node, box)
            signed = strict or positive(node, box, strict=False)
            parameters[node] = Parameter(next(names), "", lower=0 if signed else "-infinity", open_lower=strict)
        return _symbol(parameters[node])

    expression_of_parameters = generalize(built)
    return (expression_of_parameters, Box((*box.parameters, *parameters.values()))) if parameters else None


def _chosen(one: Piece, node: Any) -> Iterator[Piece]:
    """The piece with each part in the node's place."""
    parts = (node.args[0], -node.args[0]) if isinstance(node, sympy.Abs) else node.args
    sign = -1 if isinstance(node, sympy.Min) else 1
    if not one.built.has(node):
        yield one
        return
    for part in parts:
        gaps = (*one.gaps, *(_over_one(sign * (part - other)) for other in parts if other != part))
        yield Piece(one.built.xreplace({node: part}), tuple(dict.fromkeys(gap.xreplace({node: part}) for gap in gaps)))


def _over_one(gap: Any) -> Any:
    """What has the sign of an expression, expanded, without a positive denominator."""
    top, bottom = sympy.fraction(sympy.together(gap))
    return sympy.expand(top if bottom.is_positive else gap)


def differentiated(built: Any, symbol: Any) -> Any:
    """The derivative of an expression that is smooth in the symbol.

    Raises:
        ExpressionError: it is not smooth (a maximum, an absolute value).

    """
    if any(part.has(symbol) for part in built.atoms(sympy.Max, sympy.Min, sympy.Abs, sympy.floor)):
        raise ExpressionError("expected a smooth expression, got a maximum, minimum, absolute value or integer part")
    return sympy.diff(built, symbol)


def limit(built: Any, name: str, box: Box, *, lower: bool) -> Any:
    """The limit of an expression at the lower or upper end of a parameter of the box.

    Where the expression is defined at a finite end too, it is continuous there, and this is its value. Elsewhere it is
    what SymPy finds, if balls near the end do not refute it.

    Raises:
        ExpressionError: SymPy finds none that is finite, or none that the expression comes near.

    """
    if built.has(sympy.floor):
        raise ExpressionError("expected a continuous expression, got an integer part")
    parameter, symbol, side = box[name], symbols_of(box)[name], "+" if lower else "-"
    end = {"infinity": sympy.oo, "-infinity": -sympy.oo}.get(str(parameter.lower if lower else parameter.upper))
    if end is None:
        end = A.number(exact(parameter.lower if lower else parameter.upper))
        reached = replace(parameter, open_lower=False) if lower else replace(parameter, open_upper=False)
        closed = replace(box, parameters=tuple(reached if p.name == name else p for p in box.parameters))
        try:
            require_defined(built.xreplace({symbol: symbols_of(closed)[name]}), closed)
        except ExpressionError:
            pass
        else:
            value = built.xreplace({symbol: end})
            return sympy.Integer(0) if vanishes(value) else value
    value = limits.by_parts(built, symbol, end)
    if value is not None and value.is_infinite is not True and _approached(built, symbol, end, side, value, box):
        return value
    for terms in ((built,), sympy.Add.make_args(sympy.expand(built))):
        try:
            value = sympy.Add(*(sympy.limit(term, symbol, end, side) for term in terms))
        except Exception as error:
            raise ExpressionError(f"SymPy finds no limit at {symbol} = {end}: {error}") from error
        if value.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo, sympy.Limit):
            raise ExpressionError(f"expected a finite limit at {symbol} = {end}, got {value}")
        if _approached(built, symbol, end, side, value, box):
            return value
    raise ExpressionError(f"SymPy finds the limit {value} at {symbol} = {end}, which the expression does not come near")


def _approached(built: Any, symbol: Any, end: Any, side: str, value: Any, box: Box) -> bool:
    """Whether, next to the end, the expression is within a thousandth of the limit, as far as balls can tell.

    SymPy 1.14 takes ``limit(Phi(x + 1) - exp(e) Phi(x - 1), x, -oo)``, written by erf, for 1 - exp(e): it is 0.
    """
    far = {sympy.oo: Fraction(_FAR), -sympy.oo: Fraction(-_FAR)}.get(end)
    near = Fraction(end.p, end.q) + Fraction(1 if side == "+" else -1, _FAR**2) if far is None else far
    free = built.free_symbols | value.free_symbols
    rest = [(p, other) for p in box.parameters if (other := symbols_of(box)[p.name]) in free and other != symbol]
    points = {tuple(_moderate(p, share, place) for place, (p, _other) in enumerate(rest)) for share in _SHARES}
    ball = Ball(_FAR_BITS)
    for at in sorted(points):
        with ball:
            here = {other: ball.number(number) for (_p, other), number in zip(rest, at, strict=True)}
            try:
                reached = ball.number(evaluate_expression(ball, value, here))
                gap = ball.number(evaluate_expression(ball, built, {**here, symbol: ball.number(near)})) - reached
            except (ArithmeticError, NotImplementedError, ValueError):
                continue
            if abs(gap) > (1 + abs(reached)) / 1000:
                return False
    return True


_SHARES = (Fraction(2, 3), Fraction(3, 2), Fraction(-2, 3), Fraction(-3, 2))


def _moderate(parameter: Parameter, share: Fraction, place: int) -> Fraction:
    """A value in the parameter's range, of either sign where it has both, near an end where it has no such."""
    number = share + (Fraction(place, 7) if share > 0 else -Fraction(place, 7))
    ends = [Fraction(exact(end)) for end in (parameter.lower, parameter.upper) if "infinity" not in str(end)]
    inside = sum(ends, Fraction(0)) / 2 if len(ends) == 2 else (ends or [Fraction(0)])[0]
    candidates = [number, -number, *(end + sign * abs(number) for end in ends for sign in (1, -1)), inside]
    if parameter.integer:
        candidates = [Fraction(math.ceil(one)) for one in candidates]
    return next((one for one in candidates if parameter.contains(one)), inside)


def at(formula: Formula, name: str, value: Fraction | int) -> Formula:
    """The formula with one parameter fixed."""
    return lambda B, **rest: formula(B, **rest, **{name: B.number(value) if isinstance(value, Fraction) else value})
