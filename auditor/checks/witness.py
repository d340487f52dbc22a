"""Search for a counterexample in a claim's domain, by certified comparison, with shrinking.

The search uses the domain only (corners, grid, logarithmic scales), and no knowledge of violations: a formula with
another error must give another witness.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from random import Random

from hypothesis import HealthCheck, Phase, Verbosity, reject, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from auditor.accountant_audit.practical import has_practical_parameters
from auditor.search.reproducible import find
from proofs_numeric.arithmetic.enclosure import Comparison, Order
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Box, Parameter, grid
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.statement import ALIKE_BITS, SEARCH_BITS, Statement


def is_exact_delta(claim: Claim) -> bool:
    """Return whether a claim states the exact delta of a mechanism."""
    return isinstance(claim.kind, DeltaBound) and claim.role is Role.EXACT and claim.quantity is QuantityKind.DELTA


def named_places(claim: Claim) -> list[Mapping[str, Value]]:
    """Return the points that a claim names: its own, those of quoted numbers, and those of its oracle."""
    oracle = claim.kind.oracle_points if isinstance(claim.kind, DeltaBound) else ()
    return [*claim.points, *(quoted.at for quoted in claim.quoted), *oracle]


@dataclass(frozen=True)
class Witness:
    """A point at which a statement fails, both sides enclosed."""

    parameters: dict[str, Value]
    comparison: Comparison


@dataclass(frozen=True)
class SearchResult:
    """Result of a search.

    Attributes:
        witness: a violation; None if none was found.
        compared: number of distinct points with both sides defined.
        tested: number of compared points that decide a non-vacuous comparison.
        undefined: number of points with an undefined side.
        closest: tested point of least relative slack.
        slack: relative slack at `closest`.
    """

    witness: Witness | None
    compared: int
    tested: int
    undefined: int
    closest: dict[str, Value] | None
    slack: Fraction | None


def _wholes(parameter: Parameter, unit: Fraction) -> st.SearchStrategy[int]:
    """Return a strategy for the integers whose product with a unit the parameter contains."""
    lower, upper = parameter.range_searched
    low, high = -(-lower // unit), upper // unit
    low += not parameter.contains(low * unit)  # an open end
    high -= not parameter.contains(high * unit)
    return st.integers(low, high) if low <= high else st.nothing()


def _multiples(parameter: Parameter, unit: Fraction) -> st.SearchStrategy[Value]:
    return _wholes(parameter, unit).map(lambda n: parameter.coerce(n * unit))


@functools.cache
def _listed_values(parameter: Parameter) -> tuple[Value, ...]:
    """Return the values of an enumerated or constant parameter; empty for a range."""
    if parameter.choices:
        return parameter.choices
    lower, upper = parameter.range_searched
    return (parameter.coerce(lower),) if lower == upper else ()


def short_points(parameters: tuple[Parameter, ...]) -> st.SearchStrategy[dict[str, Value]]:
    """Return a strategy for points of integers and decimals, with at most one digit more than the range needs.

    The strategy has few levels, since each level is as slow as a comparison.
    """
    units = [Fraction(1) if p.integer or _listed_values(p) else _short_unit(p) for p in parameters]
    wholes = (
        st.sampled_from(listed) if (listed := _listed_values(p)) else _wholes(p, unit)
        for p, unit in zip(parameters, units, strict=True)
    )

    def point(values: tuple[Value, ...]) -> dict[str, Value]:
        return {
            p.name: n if isinstance(n, str) else p.coerce(n * unit)
            for p, n, unit in zip(parameters, values, units, strict=True)
        }

    return st.tuples(*wholes).map(point)


@functools.cache
def _short_unit(parameter: Parameter) -> Fraction:
    lower, upper = parameter.range_searched
    return min(Fraction(1, 10), Fraction(f"1e{math.floor(math.log10(upper - lower)) - 1}"))


def values_of(parameter: Parameter) -> st.SearchStrategy[Value]:
    """Return a strategy for exact values of one parameter: decimals, logarithmic scales, fractions, and the ends."""
    if listed := _listed_values(parameter):
        return st.sampled_from(listed)
    lower, upper = parameter.range_searched
    if parameter.integer:
        near = replace(parameter, lower=lower, upper=min(upper, lower + 100))
        return st.one_of(_multiples(near, Fraction(1)), _multiples(parameter, Fraction(1)))
    scales = st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(1, 999), st.integers(-15, 12))
    options = [
        _multiples(parameter, min(Fraction(1, 1000), _short_unit(parameter))),
        scales,
        st.sampled_from([lower, upper]),
    ]
    if upper - lower <= 1:
        options.append(st.fractions(0, 1, max_denominator=997).map(lambda share: lower + share * (upper - lower)))
    return st.one_of(*options).filter(parameter.contains).map(Fraction)


def draw_value(parameter: Parameter, rng: Random, short_only: bool = False) -> Value:
    """Return a random value of a parameter: a short decimal, one at any scale, or a fraction of a short range."""
    if listed := _listed_values(parameter):
        return rng.choice(listed)
    lower, upper = parameter.range_searched
    short = Fraction(1) if parameter.integer else _short_unit(parameter)
    while True:
        kind = 0 if parameter.integer else 1 if short_only else rng.randrange(4)
        if kind == 3 and upper - lower <= 1:
            places = rng.randint(1, 997)
            value = lower + (upper - lower) * Fraction(rng.randint(0, places), places)
        elif kind == 2:
            value = Fraction(rng.randint(1, 999)) * Fraction(10) ** rng.randint(-15, 12)
        else:
            unit = short if kind or parameter.integer else min(Fraction(1, 1000), short)
            value = unit * _whole(-(-lower // unit), upper // unit, rng)
        if parameter.contains(value):
            return parameter.coerce(value)


def _whole(low: int, high: int, rng: Random) -> int:
    """Return a random integer of a range: uniform, or at a random scale from the point nearest to 0."""
    away = rng.getrandbits(rng.randint(0, (high - low).bit_length()))
    near = min(max(0, low), high) + rng.choice((-away, away))
    return min(max(rng.choice((near, rng.randint(low, high))), low), high)


def points_of(box: Box, extra: tuple[Mapping[str, Value], ...], per_parameter: int, cap: int) -> list[dict[str, Value]]:
    """Return the claim's corner points, then a grid reduced evenly to about ``cap`` points.

    Args:
        box: the domain.
        extra: corner points of the claim.
        per_parameter: values of each parameter in the grid.
        cap: target number of grid points.
    """
    points = [dict(box.parse(point)) for point in extra if set(box.names) >= set(point)]
    dense = list(islice(grid(box, per_parameter), 50_000))
    step = max(1, len(dense) // max(1, cap))
    return [*points, *dense[::step]]


class _Compared:
    """The compared points of a search, without duplicates."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.comparisons: dict[tuple[tuple[str, Value], ...], Comparison | None] = {}
        self.tested: list[dict[str, Value]] = []
        self.alike: list[dict[str, Value]] = []
        self.closest: tuple[Fraction, dict[str, Value]] | None = None

    def violated(self, parameters: dict[str, Value], alike: float = ALIKE_BITS) -> bool | None:
        """Return whether the statement fails at a point; None if a side is undefined.

        Sides that agree to ``alike`` bits are left undecided at first.
        """
        key = tuple(parameters.items())
        if key in self.comparisons:
            comparison = self.comparisons[key]
            return None if comparison is None else self.statement.violated_by(comparison)
        comparison = self.statement.compare(parameters, SEARCH_BITS, alike)
        if (
            comparison is not None
            and comparison.left is not None
            and comparison.left.lower <= 0 < comparison.left.upper
        ):
            comparison = self.statement.compare(parameters)  # few bits cannot certify a side that is 0
        self.comparisons[key] = comparison
        if comparison is None or comparison.left is None or comparison.right is None:
            return None
        if comparison.order is Order.UNDECIDED and comparison.bits < SEARCH_BITS[-1]:
            self.alike.append(parameters)
        if self.statement.tested_by(comparison):
            self.tested.append(parameters)
            scale = max(abs(end) for side in (comparison.left, comparison.right) for end in (side.lower, side.upper))
            slack = (comparison.right.lower - comparison.left.upper) / scale if scale else Fraction(0)
            if self.closest is None or slack < self.closest[0]:
                self.closest = (slack, parameters)
        return self.statement.violated_by(comparison)

    def at_drawn_points(self, examples: int, rng: Random) -> dict[str, Value] | None:
        """Draw until `examples` new points are defined; return the first violation."""
        box, defined = self.statement.box, 0
        for _draw in range(_DRAWS * examples):
            if defined == examples:
                break
            plain = rng.random() < 0.5
            point = {parameter.name: draw_value(parameter, rng, plain) for parameter in box.parameters}
            if tuple(point.items()) in self.comparisons or not box.admits(point):
                continue
            if violated := self.violated(point):
                return point
            defined += violated is not None
        return None

    def near_tested_points(self, examples: int, rng: Random) -> dict[str, Value] | None:
        """Draw near tested points until `examples` points are tested; return the first violation."""
        box = self.statement.box
        for _step in range(_STEPS * examples):
            if not self.tested or len(self.tested) >= examples:
                break
            near = _near(box, rng.choice(self.tested), rng)
            if box.admits(near) and self.violated(near):
                return near
        return None

    def at_points_alike(self, examples: int) -> dict[str, Value] | None:
        """Compare agreeing sides at more bits until `examples` points are tested; return the first violation."""
        while self.alike and len(self.tested) < examples:
            point = self.alike.pop(0)
            del self.comparisons[tuple(point.items())]
            if self.violated(point, math.inf):
                return point
        return None


def search(statement: Statement, points: Iterable[dict[str, Value]], examples: int, seed: int) -> SearchResult:
    """Search for a violation on given points, at random points, and near tested points.

    If fewer than ``examples`` distinct points test the statement, the search continues near tested points, and among
    points whose sides agree to 30 digits. Hypothesis shrinks a violation with ``examples`` examples and a new search:
    its engine is slower than most comparisons, so it does not search first.

    Args:
        statement: the statement.
        points: points to test first.
        examples: number of random points, and of points that should test the statement.
        seed: seed of the random points.
    """
    compared, rng = _Compared(statement), Random(seed)  # noqa: S311
    witness = next((point for point in points if compared.violated(point)), None)
    witness = witness or compared.at_drawn_points(examples, rng) or compared.near_tested_points(examples, rng)
    witness = witness or compared.at_points_alike(examples)
    comparisons = compared.comparisons.values()
    undefined = sum(comparison is None for comparison in comparisons)
    counts = len(comparisons) - undefined, len(compared.tested), undefined
    if witness is None:
        slack, at = compared.closest or (None, None)
        return SearchResult(None, *counts, at, slack)
    if examples:
        witness = _smallest(compared, examples, seed, witness)
    comparison = statement.compare(witness)
    if comparison is None:
        raise RuntimeError(f"expected the witness {witness} to compare again; the formula is not deterministic")
    return SearchResult(Witness(witness, comparison), *counts, None, None)


SMALLEST_SIDE = Fraction(1, 10**15)
"""Least right side of a worst witness."""


def find_worst(statement: Statement, points: Iterable[dict[str, Value]]) -> Witness | None:
    """Return the violation of an upper bound with the largest certified factor of left over right side.

    Points outside the practical range of accountants, or with a right side below `SMALLEST_SIDE`, are left out.

    Args:
        statement: the statement; the result is None for an equality or a relation in words.
        points: the points to compare.
    """
    if statement.relation not in {"<=", "<"}:
        return None
    worst, largest = None, Fraction(0)
    for point in filter(has_practical_parameters, points):
        comparison = statement.compare(point, SEARCH_BITS, ALIKE_BITS)
        if comparison is None or comparison.left is None or comparison.right is None:
            continue
        if comparison.right.lower >= SMALLEST_SIDE and statement.violated_by(comparison):
            factor = comparison.left.lower / comparison.right.upper
            if factor > largest:
                worst, largest = Witness(point, comparison), factor
    return worst


def _smallest(compared: _Compared, examples: int, seed: int, fallback: dict[str, Value]) -> dict[str, Value]:
    """Return a shrunk violation among `examples` examples of Hypothesis; the fallback if there is none."""

    def violates(parameters: dict[str, Value]) -> bool:
        violated = compared.violated(parameters)
        if violated is None:
            reject()  # an example with an undefined side does not count
        return violated

    box = compared.statement.box
    # Short decimals are the first alternative: witnesses shrink to them.
    strategy = short_points(box.parameters) | st.fixed_dictionaries({p.name: values_of(p) for p in box.parameters})
    rng = Random(seed)  # noqa: S311
    with suppress(NoSuchExample, Unsatisfiable):
        return find(strategy.filter(box.admits), violates, settings=_settings(examples), random=rng)
    return fallback


_DRAWS = 20
"""Most draws per example: a box may have a constraint, and a formula a smaller domain."""
_STEPS = 3
"""Points near tested points per example."""


def _near(box: Box, point: Mapping[str, Value], rng: Random) -> dict[str, Value]:
    """Return a point within a factor of 2, or within 1, in each parameter; a word is replaced by any choice."""
    neighbour = dict(point)
    for parameter in box.parameters:
        if parameter.choices:
            neighbour[parameter.name] = rng.choice(parameter.choices)
            continue
        value = Fraction(point[parameter.name])
        steps = [value * Fraction(rng.randint(50, 200), 100), value + Fraction(rng.randint(-100, 100), 100), value]
        if parameter.integer:
            steps = [Fraction(round(step)) for step in (steps[0], value + rng.choice((-1, 1)), value)]
        inside = [step for step in steps if parameter.contains(step)]
        neighbour[parameter.name] = parameter.coerce(rng.choice(inside))
    return neighbour


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
