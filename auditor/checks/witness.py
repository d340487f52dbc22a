"""Search for a counterexample from a claim's domain alone, decided by certified comparison and shrunk.

The search knows the domain (corners, grid, logarithmic scales) and nothing of where a statement fails: breaking a
formula in another place must produce another witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from proofs_numeric.arithmetic import exact
from proofs_numeric.certify import Comparison, Order, compare
from proofs_numeric.claim import (
    Box,
    Claim,
    DeltaBound,
    Formula,
    Identity,
    Inequality,
    Monotonicity,
    Parameter,
    Relation,
    Role,
    Value,
    grid,
)

SEARCH_BITS = 512
IDENTITY_BITS = 256


@dataclass(frozen=True)
class Statement:
    """``left relation right`` over a box; ``relation`` is ``<``, ``<=`` or ``=``."""

    left: Formula
    right: Formula
    relation: str
    box: Box
    left_name: str = "left side"
    right_name: str = "right side"

    def violated_by(self, comparison: Comparison) -> bool:
        """Whether a certified order contradicts the statement; an undecided order never does."""
        return (
            comparison.order
            in {
                "<": {Order.GREATER, Order.EQUAL},
                "<=": {Order.GREATER},
                "=": {Order.LESS, Order.GREATER},
            }[self.relation]
        )

    def compare(self, parameters: Mapping[str, Value]) -> Comparison | None:
        """Certified comparison at a point; None where a side is undefined there."""
        try:
            comparison = compare(
                self.left, self.right, parameters, IDENTITY_BITS if self.relation == "=" else SEARCH_BITS
            )
        except (ZeroDivisionError, ArithmeticError):
            return None
        return None if comparison.left is None or comparison.right is None else comparison


@dataclass(frozen=True)
class Witness:
    """A point at which a statement fails, both sides enclosed."""

    parameters: dict[str, Value]
    comparison: Comparison


@dataclass(frozen=True)
class SearchResult:
    """What a search did: the witness, if any, and how many points were compared, decided, or undefined."""

    witness: Witness | None
    compared: int
    undecided: int
    undefined: int
    closest: dict[str, Value] | None
    """Point of least relative slack among the decided ones."""
    slack: Fraction | None


def statement_of(claim: Claim) -> Statement | None:
    """The comparison a claim makes, if it makes one."""
    kind = claim.kind
    if isinstance(kind, Inequality):
        return Statement(kind.left, kind.right, kind.relation.value, claim.domain)
    if isinstance(kind, Identity):
        return Statement(kind.left, kind.right, "=", claim.domain)
    if isinstance(kind, Monotonicity):
        return _monotone_statement(kind, claim.domain)
    if isinstance(kind, DeltaBound) and kind.exact is not None:
        if claim.role is Role.UPPER:
            return Statement(kind.exact, kind.formula, "<=", claim.domain, "exact delta", "bound")
        if claim.role is Role.LOWER:
            return Statement(kind.formula, kind.exact, "<=", claim.domain, "bound", "exact delta")
        return Statement(kind.formula, kind.exact, "=", claim.domain, "claimed delta", "exact delta")
    return None


def _monotone_statement(kind: Monotonicity, box: Box) -> Statement:
    name, later = kind.parameter, f"{kind.parameter}_2"

    def at(chosen: str) -> Formula:
        def formula(A: Any, **values: Any) -> Any:
            moved = values[chosen]
            rest = {key: value for key, value in values.items() if key not in {name, later}}
            return kind.formula(A, **{name: moved}, **rest)

        return formula

    parameter = box[name]
    second = Parameter(**{**vars(parameter), "name": later, "description": f"a larger {name}"})

    def ordered(**values: Value) -> bool:
        first, other = values[name], values[later]
        rest = {key: value for key, value in values.items() if key != later}
        moved = {**rest, name: other}
        return isinstance(first, int | Fraction) and first < other and box.admits(rest) and box.admits(moved)  # type: ignore[operator]

    pair = Box((*box.parameters, second), ordered, f"{name} < {later}")
    smaller, larger = (at(name), at(later)) if kind.increasing else (at(later), at(name))
    return Statement(smaller, larger, (Relation.LESS if kind.strict else Relation.LESS_EQUAL).value, pair)


def values_of(parameter: Parameter) -> st.SearchStrategy[Value]:
    """Exact values of one parameter: short decimals first, logarithmic scales, and the ends of the domain."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    cut = 10**12 if parameter.log else 1000
    lower = -Fraction(cut) if parameter.lower == "-infinity" else Fraction(exact(parameter.lower))
    upper = max(lower + 1, Fraction(cut)) if parameter.upper == "infinity" else Fraction(exact(parameter.upper))
    if parameter.integer:
        low, high = -(-lower.numerator // lower.denominator), upper.numerator // upper.denominator
        whole: st.SearchStrategy[Value] = st.integers(low, high)
        return whole if high - low <= 100 else st.one_of(st.integers(low, min(high, low + 100)), whole)
    ends = [x for x in (lower, upper) if parameter.contains(x)]

    def scaled(digits: int) -> st.SearchStrategy[Fraction]:
        unit = 10**digits
        return st.integers(-(-lower * unit // 1), upper * unit // 1).map(lambda n: Fraction(n, unit))

    near_zero = st.builds(lambda m, e: Fraction(m) / 10**e, st.integers(1, 999), st.integers(1, 15))
    options = [scaled(1), scaled(3), *([near_zero] if lower <= 0 < upper or parameter.log else [])]
    if upper - lower <= 1:
        options.append(st.fractions(lower, upper, max_denominator=997))
    if ends:
        options.append(st.sampled_from(ends))
    return st.one_of(*options).filter(parameter.contains).map(exact)


def points_of(box: Box, extra: tuple[Mapping[str, Value], ...], per_parameter: int, cap: int) -> list[dict[str, Value]]:
    """Hard corners given by the claim, then a grid thinned evenly to ``cap`` points."""
    chosen = [dict(box.parse(point)) for point in extra if set(box.names) >= set(point)]
    dense = list(islice(grid(box, per_parameter), 50_000))
    step = max(1, len(dense) // max(1, cap))
    return [*chosen, *dense[::step]]


def search(
    statement: Statement,
    points: Iterable[dict[str, Value]],
    examples: int,
    seed: int,
) -> SearchResult:
    """Look for a violation on ``points`` and on ``examples`` Hypothesis examples; shrink what is found."""
    tally = {"compared": 0, "undecided": 0, "undefined": 0}
    closest: tuple[Fraction, dict[str, Value]] | None = None

    def violates(parameters: dict[str, Value]) -> bool:
        nonlocal closest
        comparison = statement.compare(parameters)
        if comparison is None or comparison.left is None or comparison.right is None:
            tally["undefined"] += 1
            return False
        tally["compared"] += 1
        if comparison.order is Order.UNDECIDED:
            tally["undecided"] += 1
            return False
        scale = max(abs(comparison.left.upper), abs(comparison.right.upper))
        slack = (comparison.right.lower - comparison.left.upper) / scale if scale else Fraction(0)
        if closest is None or slack < closest[0]:
            closest = (slack, parameters)
        return statement.violated_by(comparison)

    found = next((point for point in points if violates(point)), None)
    strategy = st.fixed_dictionaries({p.name: values_of(p) for p in statement.box.parameters}).filter(
        statement.box.admits
    )
    if found is not None:
        strategy = st.one_of(strategy, st.just(found))
    witness = None
    if statement.box.parameters:
        try:
            best = find(strategy, violates, settings=_settings(examples), random=Random(seed))  # noqa: S311
            witness = best
        except (NoSuchExample, Unsatisfiable):
            witness = found
    else:
        witness = found if found is not None else ({} if violates({}) else None)
    if witness is None:
        slack, at = closest or (None, None)
        return SearchResult(None, tally["compared"], tally["undecided"], tally["undefined"], at, slack)
    comparison = statement.compare(witness)
    if comparison is None:
        raise RuntimeError(f"expected the witness {witness} to compare again; the formula is not deterministic")
    return SearchResult(
        Witness(witness, comparison), tally["compared"], tally["undecided"], tally["undefined"], None, None
    )


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
