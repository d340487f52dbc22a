"""What a mechanism is held to: an (epsilon, delta), or what a claim promises at its parameters, and on which pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.errors import UsageError
from mechanisms.histogram import validate
from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.box import format_parameters
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_numeric.statements.adjacency import Adjacency
    from proofs_numeric.statements.claim import Claim

LARGEST_EPSILON = 700
"""Beyond it e^epsilon leaves the doubles."""
CDP_GRID = (1.0, 2.0, 4.0, 7.0)
"""Excess of epsilon over rho in units of 2 sqrt(rho) at which a concentrated claim is read."""


@dataclass(frozen=True)
class Level:
    """One (epsilon, delta) that the mechanism is held to."""

    epsilon: float
    delta: float


@dataclass(frozen=True)
class Promise:
    """What is claimed.

    Attributes:
        levels: each (epsilon, delta) that is audited; one but for a concentrated claim.
        pairs: the claim's worst cases; none where two numbers are promised.
        adjacency: who is a neighbour of whom.
        keys: names of the keys that the mechanism knows; none where any will do.
        epsilon, delta, rho: texts for the report; rho of a concentrated claim only.
        arguments: command-line words that state the claim.

    """

    levels: tuple[Level, ...]
    pairs: tuple[Neighbours, ...]
    adjacency: Adjacency
    keys: tuple[str, ...]
    epsilon: str
    delta: str
    rho: str | None
    arguments: tuple[str, ...]


def promise_of_numbers(epsilon: str, delta: str, c_u: int) -> Promise:
    """Return the promise (epsilon, delta) for users who add 1 to at most `c_u` keys.

    Errors:
        UsageError: epsilon or delta is no number in range, or c_u < 1.

    """
    e, d = _exact("epsilon", epsilon), _exact("delta", delta)
    if not (0 <= e <= LARGEST_EPSILON and 0 <= d < 1):
        raise UsageError(
            f"expected 0 <= epsilon <= {LARGEST_EPSILON} and 0 <= delta < 1, got epsilon={epsilon}, delta={delta}"
        )
    if c_u < 1:
        raise UsageError(f"expected c_u >= 1 (keys), got c_u={c_u}")
    words = ("--epsilon", str(epsilon), "--delta", str(delta), *(("--c-u", str(c_u)) if c_u != 1 else ()))
    level = Level(float(e), float(d))
    return Promise((level,), (), AddRemoveUser(c_u=c_u), (), str(epsilon), str(delta), None, words)


def _exact(name: str, value: int | Fraction | str) -> Fraction:
    try:
        return Fraction(exact(value))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None


def promise_of_claim(claim: Claim, parameters: Mapping[str, int | Fraction | str]) -> Promise:
    """Return what a claim promises at its parameters, with its worst-case pairs.

    A delta claim is read at its epsilon, rounded up to a double; a rho claim through the delta of its curve on a grid
    of epsilons.

    Errors:
        ParameterError: a parameter is missing, unknown or out of range.
        UsageError: the claim promises no (epsilon, delta).

    """
    formula = claim.formula
    if formula is None or claim.quantity not in {QuantityKind.DELTA, QuantityKind.RHO}:
        raise UsageError(
            f"claim {claim.id} ({claim.kind.title}) promises no delta or rho that a mechanism could keep; "
            "give a claim that does, or --epsilon and --delta"
        )
    if "direction" in claim.domain.names:
        raise UsageError(f"claim {claim.id} is about one pair of neighbours; give one that is about all of them")
    privacy = claim.privacy
    if privacy is None:
        raise UsageError(
            f"claim {claim.id} does not say who is a neighbour of whom, so no releases can be audited against it; give "
            "a claim that does, or --epsilon and --delta"
        )
    own, placing = privacy.reads(parameters)
    values = claim.domain.parse(own)
    placed = {**values, **placing}
    words = ("--claim", claim.id, *(f"{name}={value}" for name, value in placed.items()))
    try:
        pairs, adjacency = privacy.worst_cases(placed), privacy.adjacency(placed)
    except (ValueError, ArithmeticError) as error:  # what a calibration says of parameters that it has no answer for
        raise UsageError(f"claim {claim.id} has no neighbours at {format_parameters(placed)}: {error}") from None
    keys = () if privacy.any_key else tuple(dict.fromkeys(key for pair in pairs for key in (*pair.left, *pair.right)))
    if claim.quantity is QuantityKind.DELTA:
        if "epsilon" not in values:
            raise UsageError(f"claim {claim.id} takes no epsilon; give --epsilon and --delta")
        bound = enclose(formula, values, 20)
        delta = min(1.0, math.nextafter(float(bound.upper), math.inf))
        if delta >= 1:
            raise UsageError(
                f"claim {claim.id} promises delta >= 1 at {format_parameters(values)}: nothing can refute it"
            )
        level = Level(float(Fraction(values["epsilon"])), delta)
        return Promise((level,), pairs, adjacency, keys, str(values["epsilon"]), bound.decimal(17)[2], None, words)
    rho = enclose(formula, values, 20).upper
    levels = tuple(_cdp_level(rho, Fraction(values.get("delta", 0)), step) for step in CDP_GRID)
    epsilons = ", ".join(f"{level.epsilon:.6g}" for level in levels)
    deltas = ", ".join(f"{level.delta:.6g}" for level in levels)
    return Promise(levels, pairs, adjacency, keys, epsilons, deltas, f"{float(rho):.17g}", words)


def _cdp_level(rho: Fraction, delta: Fraction, step: float) -> Level:
    """The best conversion of delta-approximate rho-CDP through Renyi orders, some way above rho."""
    from proofs_numeric.statements.concentrated import approximate_delta_upper

    epsilon = float(rho) + 2 * math.sqrt(rho) * step
    at = {"rho": rho, "delta": delta, "epsilon": Fraction(epsilon)}
    value = evaluate_in(Ball(128), approximate_delta_upper, at)
    return Level(epsilon, min(math.nextafter(float(value.upper()), math.inf), math.nextafter(1.0, 0.0)))


def given_pair(pair: Mapping[str, Any], adjacency: Any) -> Neighbours:
    """Return the caller's pair, checked; without an adjacency any two histograms that differ will do.

    Errors:
        UsageError: not {"left": {...}, "right": {...}}, no histograms, or no neighbours under the adjacency.

    """
    shape = '{"left": {key: count}, "right": {key: count}}'
    if set(pair) != {"left", "right"}:
        raise UsageError(f"expected a pair {shape}, got keys {', '.join(map(str, pair))}")
    for name, histogram in pair.items():
        if not isinstance(histogram, dict):
            raise UsageError(f"expected a pair {shape}, got {name} of type {type(histogram).__name__}")
    try:
        validate(pair["left"])
        validate(pair["right"])
        if adjacency is not None:
            adjacency.check(pair["left"], pair["right"])
    except ValueError as error:
        raise UsageError(f"--pair: {error}") from None
    if pair["left"] == pair["right"]:
        raise UsageError("--pair: expected two histograms that differ, got the same one twice")
    return Neighbours("given", dict(pair["left"]), dict(pair["right"]))


def promise_of(
    claim: Claim | None, parameters: Mapping[str, Any] | None, epsilon: str | None, delta: str | None, c_u: int
) -> Promise:
    """Return the promise of a claim at its parameters, or of two numbers.

    Errors:
        UsageError: a mixture of the two, or neither.

    """
    if claim is not None and epsilon is None and delta is None:
        return promise_of_claim(claim, parameters or {})
    if claim is None and epsilon is not None and delta is not None and not parameters:
        return promise_of_numbers(epsilon, delta, c_u)
    raise UsageError("expected either --claim CLAIM name=value ... or --epsilon E --delta D, got a mixture or neither")
