"""The claim under audit: (epsilon, delta), another measure, a profile, or a registered claim, with its neighbours."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.errors import UsageError
from auditor.mechanism_audit.options import dashed
from auditor.target.target import Misbehaved, Returned, as_target
from mechanisms.histogram import validate
from proofs_numeric.arithmetic import Ball, exact
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.adjacency import AddRemoveUser, Adjacency, EachAnswer, ReplaceUser
from proofs_numeric.statements.box import format_parameters
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.neighbours import Neighbours

LARGEST_EPSILON = 700
"""Largest epsilon; beyond it e^epsilon exceeds the doubles."""
PROFILE_EPSILONS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Values of epsilon of levels of every claimed curve, and at which the audit bounds delta from below."""
CDP_GRID = (1.0, 2.0, 4.0)
"""Excess of epsilon over rho, in units of 2 sqrt(rho), of further levels of a concentrated claim."""
GDP_GRID = (0.0, 1.0, 2.5, 4.0)
"""Standard deviations above the mean mu^2/2 of the privacy loss, of further levels of a Gaussian claim."""
FAR = 18.0
"""Excess in the units of both grids at which the delta of a pure concentrated or Gaussian claim is below 1e-70."""
PROFILE_GRID = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Values of epsilon of the levels of a claimed profile."""
FAR_EPSILON = 200.0
"""Epsilon at which a claimed profile is evaluated for events that are impossible on the neighbour."""
ADJACENCIES: Mapping[str, Callable[[int, int], Adjacency]] = {
    "add-remove": AddRemoveUser,
    "replace": ReplaceUser,
    "each-answer": EachAnswer,
}
"""Neighbouring relations by name; arguments: largest number of changed keys and largest change of each."""


@dataclass(frozen=True)
class Level:
    """One (epsilon, delta) that the mechanism must satisfy."""

    epsilon: float
    delta: float


@dataclass(frozen=True)
class Promise:
    """The claim under audit.

    Attributes:
        levels: each audited (epsilon, delta), delta rounded up; a single level for a claim of (epsilon, delta).
        never: level for an event that is impossible on the neighbour: its probability is at most this delta, whatever
            epsilon is. For a claimed curve the level has so large an epsilon that only the approximate part of delta is
            left; a finite Renyi divergence excludes the event.
        pairs: the claim's worst-case pairs; empty without a registered claim.
        adjacency: neighbouring relation.
        keys: names of the keys that the mechanism accepts; empty if it accepts any.
        epsilon, delta: texts for the report.
        measure: name (rho, mu or privacy_profile) -> text, if the claim is no (epsilon, delta).
        arguments: command-line words that state the claim.
    """

    levels: tuple[Level, ...]
    never: Level
    pairs: tuple[Neighbours, ...]
    adjacency: Adjacency
    keys: tuple[str, ...]
    epsilon: str
    delta: str
    measure: Mapping[str, str]
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        """Return the claim in the notation of the field."""
        if not self.measure:
            return f"(epsilon={self.epsilon}, delta={self.delta})"
        return ", ".join(f"{name}={value}" for name, value in self.measure.items())


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A claim stated without the catalogue, as exact texts.

    It is pure epsilon; (epsilon, delta); rho-zCDP, delta-approximate if delta is given; mu-GDP; or a profile.

    Attributes:
        epsilon, delta, rho, mu: exact texts.
        privacy_profile: `FILE:callable` or a callable that returns the claimed delta at `epsilon=`.
    """

    epsilon: str | None = None
    delta: str | None = None
    rho: str | None = None
    mu: str | None = None
    privacy_profile: str | Callable[..., Any] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """Return the given values by name."""
        return {name: value for name, value in vars(self).items() if value is not None}


def promise_of_numbers(stated: Stated, adjacency: Adjacency, words: tuple[str, ...], python: str | None) -> Promise:
    """Return the promise of a stated claim.

    A concentrated claim is converted to levels by the best conversion through Renyi orders, a Gaussian claim by its
    exact profile. Both are enclosed and rounded up, so every mechanism that satisfies the claim satisfies every level.

    Args:
        stated: the claim.
        adjacency: neighbouring relation.
        words: command-line words of the relation.
        python: interpreter of a profile given as a file.

    Errors:
        UsageError: a number out of range, an invalid profile, or a combination that claims nothing.
    """
    texts_of = stated.values
    values = {name: _exact(name, text) for name, text in texts_of.items() if name != "privacy_profile"}
    words = (*(word for name, text in texts_of.items() for word in (f"--{dashed(name)}", str(text))), *words)
    delta = values.get("delta", Fraction(0))
    in_range = 0 <= delta < 1 and values.get("epsilon", 0) <= LARGEST_EPSILON
    if not (in_range and all(value >= 0 for value in values.values())):
        raise UsageError(
            f"expected 0 <= epsilon <= {LARGEST_EPSILON}, 0 <= delta < 1, rho >= 0 and mu >= 0, got "
            f"{', '.join(f'{name}={texts_of[name]}' for name in values)}"
        )
    measure = {name: str(text) for name, text in texts_of.items()}
    curve: tuple[Level, ...]
    match sorted(texts_of):
        case ["epsilon"] | ["delta", "epsilon"]:
            level = Level(float(values["epsilon"]), float(delta))
            labels = str(stated.epsilon), stated.delta or "0"
            return Promise((level,), level, (), adjacency, (), *labels, {}, words)
        case ["rho"] | ["delta", "rho"] if values["rho"] > 0:
            curve = _cdp_levels(values["rho"], delta)
        case ["mu"] if values["mu"] > 0:
            mu = values["mu"]
            curve = _levels(partial(_gdp_delta, mu), float(mu) ** 2 / 2, float(mu), GDP_GRID)
        case ["privacy_profile"]:
            curve = _profile_levels(stated.privacy_profile, python)
        case _:
            raise UsageError(
                "expected one of --epsilon E, --epsilon E --delta D, --rho R > 0 (with --delta D: approximate), --mu M "
                "> 0 and --privacy-profile FILE:callable, got "
                f"{', '.join(f'--{dashed(n)} {v}' for n, v in measure.items()) or 'none'}"
            )
    levels = tuple(level for level in curve[:-1] if level.delta < 1)
    if not levels:
        raise UsageError(f"{', '.join(f'{n}={v}' for n, v in measure.items())} promises nothing that can be refuted")
    return Promise(levels, curve[-1], (), adjacency, (), *texts(levels), measure, words)


def _levels(curve: Callable[[float], float], mean: float, step: float, grid: Sequence[float]) -> tuple[Level, ...]:
    """Return levels of a claimed curve by epsilon; the last one is that of an event impossible on the neighbour.

    Args:
        curve: epsilon -> largest delta that the claim allows, rounded up.
        mean: start of the grid.
        step: unit of the grid.
        grid: multiples of the unit.
    """
    epsilons = sorted({*PROFILE_EPSILONS, *(mean + step * each for each in (*grid, FAR))})
    return tuple(Level(epsilon, curve(epsilon)) for epsilon in epsilons if epsilon <= LARGEST_EPSILON)


def texts(levels: Sequence[Level]) -> tuple[str, str]:
    """Return the epsilons and the deltas of levels as texts for the report."""
    return ", ".join(f"{level.epsilon:.6g}" for level in levels), ", ".join(f"{level.delta:.6g}" for level in levels)


def _exact(name: str, value: int | Fraction | str) -> Fraction:
    try:
        return Fraction(exact(value))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None


def _gdp_delta(mu: Fraction, epsilon: float) -> float:
    """Return the exact profile of mu-GDP (Dong, Roth and Su 2022, Corollary 1), rounded up."""
    value = evaluate_in(Ball(128), lambda A: gaussian_profile(A, A.number(Fraction(epsilon)), A.number(mu)), {})
    return math.nextafter(float(value.upper()), math.inf)


def _profile_levels(profile: str | Callable[..., Any] | None, python: str | None) -> tuple[Level, ...]:
    """Return the levels of a claimed profile, its exact answers rounded up; the last is as in `_levels`.

    A profile without a valid answer at `FAR_EPSILON` has its last delta there, since a profile never rises.
    """
    with as_target(profile, "accountant", python=python) as target:
        *answers, far = target.call_many([{"epsilon": epsilon} for epsilon in (*PROFILE_GRID, FAR_EPSILON)])
    deltas = []
    for epsilon, answer in zip(PROFILE_GRID, answers, strict=False):
        if not isinstance(answer, Returned) or not 0 <= answer.value <= 1:
            text = answer if isinstance(answer, Misbehaved) else f"returns {answer}"
            raise UsageError(
                f"--privacy-profile: expected delta in [0, 1] at every epsilon, got at epsilon={epsilon:g}: {text}"
            )
        deltas.append(answer.value)
    if deltas != sorted(deltas, reverse=True):
        raise UsageError("--privacy-profile: expected a delta that never rises with epsilon, got one that does")
    least = far.value if isinstance(far, Returned) and 0 <= far.value <= deltas[-1] else deltas[-1]
    rounded = (math.nextafter(float(d), math.inf) if Fraction(float(d)) < d else float(d) for d in (*deltas, least))
    return tuple(map(Level, (*PROFILE_GRID, FAR_EPSILON), rounded))


def promise_of_claim(claim: Claim, parameters: Mapping[str, int | Fraction | str]) -> Promise:
    """Return the promise of a claim at its parameters, with its worst-case pairs.

    A delta claim is read at its epsilon, rounded up to a double. A rho claim is read through the delta of its curve on
    a grid of epsilons.

    Errors:
        ParameterError: a parameter is missing, unknown or out of range.
        UsageError: the claim states no (epsilon, delta).
    """
    formula = claim.formula
    if formula is None or claim.quantity not in {QuantityKind.DELTA, QuantityKind.RHO}:
        raise UsageError(
            f"claim {claim.id} ({claim.kind.title}) promises no delta or rho that a mechanism could keep; "
            "give a claim that does, or --epsilon and --delta"
        )
    if "direction" in claim.domain.names:
        raise UsageError(f"claim {claim.id} is about one pair of neighbours; give a claim about all neighbours")
    privacy = claim.privacy
    if privacy is None:
        raise UsageError(
            f"claim {claim.id} does not define neighbours, so no releases can be audited against it; give a claim that "
            "does, or --epsilon and --delta"
        )
    of_claim, placing = privacy.reads(parameters)
    values = claim.domain.parse(of_claim)
    placed = {**values, **placing}
    words = ("--claim", claim.id, *(f"{name}={value}" for name, value in placed.items()))
    try:
        pairs, adjacency = privacy.worst_cases(placed), privacy.adjacency(placed)
    except (ValueError, ArithmeticError) as error:  # a calibration without an answer for these parameters raises
        raise UsageError(f"claim {claim.id} has no neighbours at {format_parameters(placed)}: {error}") from None
    for pair in pairs:
        try:
            adjacency.check(pair.left, pair.right)
        except ValueError as error:
            raise UsageError(
                f"claim {claim.id} declares the pair {pair.id}, which its own adjacency refuses at "
                f"{format_parameters(placed)}: {error}; correct worst_cases or adjacency of the claim"
            ) from None
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
        labels = str(values["epsilon"]), bound.decimal(17)[2]
        return Promise((level,), level, pairs, adjacency, keys, *labels, {}, words)
    rho = enclose(formula, values, 20).upper
    *levels, never = _cdp_levels(rho, Fraction(values.get("delta", 0)))
    measure = {"rho": f"{float(rho):.17g}"}
    return Promise(tuple(levels), never, pairs, adjacency, keys, *texts(levels), measure, words)


def _cdp_delta(rho: Fraction, delta: Fraction, epsilon: float) -> float:
    """Return the delta of the best conversion of delta-approximate rho-CDP, rounded up.

    It goes through Renyi orders, and at epsilon 0 also through Pinsker's inequality: the KL divergence is at most rho,
    so the total variation is at most sqrt(rho / 2).
    """
    from proofs_numeric.statements.concentrated import approximate_delta_upper

    value = evaluate_in(Ball(128), approximate_delta_upper, {"rho": rho, "delta": delta, "epsilon": Fraction(epsilon)})
    bounds = [math.nextafter(float(value.upper()), math.inf), math.nextafter(1.0, 0.0)]
    if epsilon == 0:
        variation = math.nextafter(math.sqrt(math.nextafter(float(rho / 2), math.inf)), math.inf)
        bounds.append(math.nextafter(float(delta) + variation, math.inf))
    return min(bounds)


def _cdp_levels(rho: Fraction, delta: Fraction) -> tuple[Level, ...]:
    return _levels(partial(_cdp_delta, rho, delta), float(rho), 2 * math.sqrt(rho), CDP_GRID)


def given_pair(pair: Mapping[str, Any], adjacency: Any) -> Neighbours:
    """Return the caller's pair, checked; without an adjacency, any two different histograms are accepted.

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
    claim: Claim | None,
    parameters: Mapping[str, Any],
    stated: Stated,
    adjacency: Adjacency,
    words: tuple[str, ...],
    python: str | None,
) -> Promise:
    """Return the promise of a claim at its parameters, or of a claim stated in numbers.

    Errors:
        UsageError: a mixture of the two.
    """
    if claim is not None and not stated.values and not words:
        return promise_of_claim(claim, parameters)
    if claim is None and not parameters:
        return promise_of_numbers(stated, adjacency, words, python)
    raise UsageError(
        "expected either --claim CLAIM name=value ..., which defines neighbours, or numbers such as "
        "--epsilon E --delta D, got a mixture"
    )
