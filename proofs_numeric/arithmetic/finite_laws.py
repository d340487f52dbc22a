"""Laws with few outcomes, mass by mass in any numbers with an order: what enumerations and oracles sum."""

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number

Masses = dict[Any, Any]
"""Mass of each outcome; an outcome that is absent has none."""


def collected(outcomes: Iterable[tuple[Hashable, Any]]) -> Masses:
    """Return the law of outcomes with masses, those of equal outcomes added up."""
    law: Masses = {}
    for outcome, mass in outcomes:
        law[outcome] = law.get(outcome, 0) + mass
    return law


def image(law: Mapping[Any, Any], function: Callable[[Any], Hashable]) -> Masses:
    """Return the law of a function of the outcome."""
    return collected((function(outcome), mass) for outcome, mass in law.items())


def joint(laws: Iterable[Mapping[Any, Any]]) -> Masses:
    """Return the law of independent outcomes, as tuples."""
    rows = itertools.product(*(law.items() for law in laws))
    return {tuple(outcome for outcome, _mass in row): math.prod(mass for _outcome, mass in row) for row in rows}


def binomial(k: int, p: Any) -> Masses:
    """Return the law of Bin(k, p), each mass from its binomial coefficient."""
    return {v: math.comb(k, v) * p**v * (1 - p) ** (k - v) for v in range(k + 1)}


def released(law: Mapping[Any, Any], tau: int) -> Masses:
    """Return the law of counts, or of tuples of counts, of which those below tau are 0."""

    def release(count: Any) -> Any:
        return tuple(map(release, count)) if isinstance(count, tuple) else count if count >= tau else 0

    return image(law, release)


def partitions(number: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways in which a number is a sum of positive ones up to the largest, largest first."""
    if number == 0:
        yield ()
    for part in range(min(number, largest), 0, -1):
        yield from ((part, *rest) for rest in partitions(number - part, part))


def numbers(A: Arithmetic, law: Mapping[Any, Any]) -> Masses:
    """Return the law with its masses, which are fractions, in an arithmetic."""
    return {outcome: A.number(mass) for outcome, mass in law.items()}


def lattice(A: Arithmetic, density: Callable[[Number], Any], reach: int) -> Masses:
    """Return the law on ``-reach..reach`` with masses in proportion to a density."""
    weights = {x: density(A.number(x)) for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {x: weight / total for x, weight in weights.items()}


def stick(left: Mapping[Any, Any], right: Mapping[Any, Any], factor: Any) -> Any:
    """Return the hockey stick ``sum of (P - factor Q)_+``."""
    gains = (mass - factor * right.get(outcome, 0) for outcome, mass in left.items())
    return sum(gain for gain in gains if gain > 0)
