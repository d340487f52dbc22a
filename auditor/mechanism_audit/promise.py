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
from proofs_numeric.statements.box import Parameter, format_parameters
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.guarantee import ApproximateCDP
from proofs_numeric.statements.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.claim import Claim

THRESHOLDED = {"sigma", "gap"}
"""Parameters of a claim on the two thresholds' gap, at whose place a caller may give the thresholds themselves."""
LARGEST_EPSILON = 700
"""Beyond it e^epsilon leaves the doubles."""
TAU = Parameter("tau", "counts below are never released", unit="users", lower=1, integer=True)
TAU_STAR = Parameter("tau_star", "noisy counts below are not released", unit="users", open_lower=True)
CDP_GRID = (1.0, 2.0, 4.0, 7.0)
"""Excess of epsilon over rho in units of 2 sqrt(rho) at which a concentrated claim is read."""


@dataclass(frozen=True)
class Level:
    """One (epsilon, delta) that the mechanism is held to."""

    epsilon: float
    delta: float


@dataclass(frozen=True)
class Promise:
    """What is claimed: levels, the pairs that may expose it, who is a neighbour, and the texts for the report."""

    levels: tuple[Level, ...]
    pairs: tuple[Neighbours, ...]
    """Empty: pairs are searched."""
    c_u: int
    adjacency: Any
    epsilon: str
    delta: str
    rho: str | None
    arguments: tuple[str, ...]
    """Command-line words that state the claim."""


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
    return Promise((level,), (), c_u, AddRemoveUser(c_u=c_u), str(epsilon), str(delta), None, words)


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
    given, extra = _without_thresholds(claim, parameters)
    values = claim.domain.parse(given)
    c_u = int(values.get("c_u", values["k"] if set(values) >= {"k", "sigma"} else 1))
    words = ("--claim", claim.id, *(f"{name}={value}" for name, value in {**values, **extra}.items()))
    pairs, adjacency = _worst_cases(claim, {**values, **extra}, c_u)
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
        return Promise((level,), pairs, c_u, adjacency, str(values["epsilon"]), bound.decimal(17)[2], None, words)
    rho = enclose(formula, values, 20).upper
    guarantee = ApproximateCDP(delta=Fraction(values.get("delta", 0)), rho=rho)
    levels = tuple(_cdp_level(guarantee, float(rho), step) for step in CDP_GRID)
    epsilons = ", ".join(f"{level.epsilon:.6g}" for level in levels)
    deltas = ", ".join(f"{level.delta:.6g}" for level in levels)
    return Promise(levels, pairs, c_u, adjacency, epsilons, deltas, f"{float(rho):.17g}", words)


def _without_thresholds(
    claim: Claim, parameters: Mapping[str, int | Fraction | str]
) -> tuple[dict[str, int | Fraction | str], dict[str, Value]]:
    """Return the claim's own parameters, and tau where it was given: a claim on the gap knows neither threshold.

    Errors:
        ParameterError: a threshold out of range.
        UsageError: both gap and tau_star are given.

    """
    given, extra = dict(parameters), {}
    if set(claim.domain.names) >= THRESHOLDED:
        if "tau" in given:
            extra["tau"] = TAU.parse(given.pop("tau"))
        if "tau_star" in given:
            if "gap" in given:
                raise UsageError(
                    f"expected gap or tau_star, got gap={given['gap']} and tau_star={given['tau_star']}; "
                    "tau_star = tau + gap, and tau is 1 unless given"
                )
            given["gap"] = Fraction(TAU_STAR.parse(given.pop("tau_star"))) - Fraction(extra.get("tau", 1))
    return given, extra


def _cdp_level(guarantee: ApproximateCDP, rho: float, step: float) -> Level:
    epsilon = rho + 2 * math.sqrt(rho) * step
    value = evaluate_in(Ball(128), lambda A: guarantee.profile(A, A.number(Fraction(epsilon))), {})
    return Level(epsilon, min(math.nextafter(float(value.upper()), math.inf), math.nextafter(1.0, 0.0)))


def _worst_cases(claim: Claim, values: Mapping[str, Value], c_u: int) -> tuple[tuple[Neighbours, ...], Any]:
    """Return the claim's worst-case pairs (none where it has no noise scale to place them by) and its adjacency."""
    if claim.privacy is not None:
        return claim.privacy.worst_cases(values), claim.privacy.adjacency(values)
    return (), AddRemoveUser(c_u=c_u, per_key=int(values.get("per_key", 1)))


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


def promised(
    claim: str | None,
    parameters: Mapping[str, int | Fraction | str],
    **named: int | Fraction | str | None,
) -> dict[str, Any]:
    """Arguments of :func:`audit_mechanism` from keywords: with a claim, epsilon, delta and c_u are its parameters."""
    given = {name: value for name, value in named.items() if value is not None}
    if claim is not None:
        return {"parameters": {**parameters, **given}}
    texts = {name: _text(name, value) for name, value in given.items() if name != "c_u"}
    return {"parameters": parameters, **texts, "c_u": given.get("c_u", 1)}


def _text(name: str, value: int | Fraction | str) -> str:
    _exact(name, value)
    return str(value)


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
