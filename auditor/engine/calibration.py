"""Calibration: the parameters of a claim about delta that keep a target, certified by balls on both sides.

Doubles propose a value. The claim's ball decides: its delta at the returned value is at most the target, and its delta
at the next value on the other side of the grid is above the target.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from auditor.errors import UsageError
from mechanisms.calibrator import Calibrator
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import (
    Comparison,
    Enclosure,
    Order,
    compare,
    decimal_string,
    enclose,
    exact_value,
)
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.statements.box import Parameter, ParameterError
from proofs_numeric.statements.claim import Claim

OPEN_VALUE = "?"
"""In the place of a value: compute it, although the claim has a default."""
MOST_STEPS = 200
"""Steps of the grid from the proposed value within which a certified value must lie."""
_LEAST = 2.0**-60
_LARGEST = 2.0**100
_HALVINGS = 60
_SHOWN_DIGITS = 6

Point = Mapping[str, Value]


class CalibrationError(UsageError):
    """No value of the claim's domain keeps the target."""


@dataclass(frozen=True)
class Choice:
    """One calibrated number, and the certified deltas of it and of the next value of the grid.

    Attributes:
        name: the parameter.
        value: the value, which keeps the target.
        delta: the largest delta at the value, rounded up.
        next_value: the next value on the other side; None if the claim's domain ends at the value.
        next_delta: the least delta there, rounded down; None if balls do not decide whether it exceeds the target.
        least_by: id of the claim that states the least value, or the value itself; empty without one.
        at: parameters that the search fixed, such as the threshold at which the noise was calibrated.
    """

    name: str
    value: Value
    delta: str
    next_value: Value | None = None
    next_delta: str | None = None
    least_by: str = ""
    at: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Calibrated:
    """The calibrated numbers of a mechanism, in order, and all parameters of its claim."""

    calibrator: Calibrator
    choices: tuple[Choice, ...]
    point: Point

    @property
    def deviation(self) -> float:
        """Standard deviation of a released value; NaN if it is not declared."""
        if self.calibrator.deviation is None:
            return math.nan
        return _double(self.calibrator.deviation, self.point)

    @property
    def noise_share(self) -> Fraction:
        """Share of the target that the calibrated noise may have: 1 if the noise was given."""
        is_calibrated = any(one.name == self.calibrator.noise for one in self.choices)
        return self.calibrator.noise_share if is_calibrated else Fraction(1)

    @property
    def first_count(self) -> Fraction | None:
        """Noisy count from which a key is released; None without a threshold."""
        if not self.calibrator.threshold:
            return None
        return Fraction(self.point[self.calibrator.threshold]) + self.calibrator.first_count


def calibrate(
    calibrator: Calibrator, claim: Claim, target: Fraction | None, values: Mapping[str, Any], *, digits: int = 5
) -> Calibrated:
    """Compute what is missing: noise and threshold, one other parameter, or delta.

    Args:
        calibrator: data of the mechanism.
        claim: its claim about delta.
        target: delta to keep; None: compute delta.
        values: exact values of the claim's parameters, epsilon among them unless it is computed.
        digits: significant digits of a real number, which is rounded to the safe side.

    Raises:
        CalibrationError: no value in the claim's domain keeps the target.
        UsageError: more, or other, parameters are missing than can be computed.
    """
    point = _complete_point(calibrator, claim, target, values, digits)
    missing = [name for name in claim.domain.names if name not in point and name not in calibrator.follows]
    if target is None:
        if missing:
            raise UsageError(f"expected --delta, or values of {', '.join(missing)} to compute delta")
        point = _following(point, calibrator, claim)
        return Calibrated(calibrator, (_delta(claim, claim.domain.parse(point)),), point)
    noise, threshold = calibrator.noise, calibrator.threshold
    search = _Search(calibrator, claim, target, digits)
    if noise and threshold and {*missing} == {noise, threshold}:
        for_noise = _Search(calibrator, claim, target * calibrator.noise_share, digits)
        chosen = for_noise.choice(
            noise, lambda value: _at_limit({**point, noise: value}, calibrator, claim), falls=True
        )
        solution = {**point, noise: chosen.value}
        second = search.choice(threshold, lambda value: {**solution, threshold: value}, falls=True)
        solution = _following({**solution, threshold: second.value}, calibrator, claim)
        return Calibrated(calibrator, (chosen, second), solution)
    if len(missing) != 1 or missing[0] not in (*claim.falls, *claim.rises):
        raise UsageError(_too_many(calibrator, claim, missing))
    (name,) = missing
    one = search.choice(name, lambda value: {**point, name: value}, falls=name in claim.falls)
    return Calibrated(calibrator, (one,), _following({**point, name: one.value}, calibrator, claim))


def stated(result: Calibrated, claim_of: Callable[[str], Claim], *, digits: int = 5) -> tuple[Choice, ...]:
    """Return the numbers that other claims state at the calibrated parameters, rounded up.

    Args:
        result: the calibrated numbers.
        claim_of: id -> claim.
        digits: significant digits.
    """
    choices = []
    for name, (claim_id, formulas) in result.calibrator.stated.items():
        claim = claim_of(claim_id)
        assert claim.formula is not None  # noqa: S101 - the registry has checked it
        point = {one: result.point[one] for one in claim.domain.names if one not in formulas}
        for one, formula in formulas.items():
            value = exact_value(formula, result.point)
            if value is None:
                raise ValueError(f"expected a rational {one} of {claim_id} at {result.point}, got none")
            point[one] = value
        number = decimal_string(enclose(claim.formula, point, digits + 2).upper, digits, 1)
        choices.append(Choice(name, Fraction(number), "", least_by=claim_id))
    return tuple(choices)


def _too_many(calibrator: Calibrator, claim: Claim, missing: list[str]) -> str:
    pair = " and ".join(filter(None, (calibrator.noise, calibrator.threshold)))
    both = f"{pair}, or " if calibrator.noise and calibrator.threshold else ""
    one = ", ".join((*claim.falls, *claim.rises))
    remedy = "give NAME=VALUE of the others" if missing else "write NAME=? for the one to compute"
    return f"expected all but {both}one of {one}, got {', '.join(missing) or 'nothing'} to compute; {remedy}"


def _complete_point(
    calibrator: Calibrator, claim: Claim, target: Fraction | None, values: Mapping[str, Any], digits: int
) -> dict[str, Value]:
    """Return the given values, defaults of other parameters than noise and threshold, and chosen ones."""
    names = claim.domain.names
    for name in values:
        if name not in names:
            raise ParameterError(f"unknown parameter {name}; allowed: {', '.join(names)}")
    point = {name: claim.domain[name].parse(value) for name, value in values.items() if value != OPEN_VALUE}
    for parameter in claim.domain.parameters:
        name = parameter.name
        if name not in (*values, calibrator.noise, calibrator.threshold) and parameter.default is not None:
            point[name] = parameter.parse(parameter.default)
    if target is not None:
        point |= {name: target * share for name, share in calibrator.shares.items() if name not in values}
    for name, formula in calibrator.chosen.items():
        if name not in point:
            result = _double(formula, point)
            if not math.isfinite(result):
                raise CalibrationError(f"expected values with a best {name}, got none; give {name} ({claim.id})")
            step = _step(claim.domain[name], calibrator, Fraction(result), digits)
            point[name] = claim.domain[name].parse(round(Fraction(result) / step) * step)
    return point


def _following(point: Point, calibrator: Calibrator, claim: Claim) -> dict[str, Value]:
    """Return the point with the parameters that follow others."""
    values = dict(point)
    for name, formula in calibrator.follows.items():
        if name not in values:
            value = exact_value(formula, values)
            if value is None:
                raise ValueError(f"expected a rational {name} of {calibrator.id} at {point}, got none")
            values[name] = claim.domain[name].coerce(value)
    return values


def _at_limit(point: Point, calibrator: Calibrator, claim: Claim) -> Point:
    """Return the point with the limit threshold, or with the end of the claim's domain before it."""
    parameter, limit = claim.domain[calibrator.threshold], calibrator.limit_threshold
    value = None if limit is None else exact_value(limit, point)
    if value is None:
        raise ValueError(f"expected a rational threshold of {calibrator.id} at {point}, got none")
    least, most = _ends(parameter)
    value = min(max(value, least), most)
    return {**point, parameter.name: parameter.coerce(Fraction(math.ceil(value)) if parameter.integer else value)}


def _ends(parameter: Parameter) -> tuple[Fraction, Fraction]:
    """Return the ends of a search: nonnegative values of the domain."""
    least = Fraction(0) if parameter.lower == "-infinity" else max(Fraction(parameter.lower), Fraction(0))
    return least, Fraction(_LARGEST) if parameter.upper == "infinity" else Fraction(parameter.upper)


def _step(parameter: Parameter, calibrator: Calibrator, near: Fraction, digits: int) -> Fraction:
    """Return the distance of values of a parameter near a number."""
    if parameter.integer:
        return Fraction(1)
    if parameter.name in calibrator.steps:
        return calibrator.steps[parameter.name]
    exponent = math.floor(math.log10(near)) if near > 0 else 0
    return Fraction(10) ** (exponent - digits + 1)


def _double(formula: Formula, point: Point) -> float:
    """Return the value in double precision; NaN where the formula has none."""
    with np.errstate(all="ignore"):
        try:
            return float(evaluate_in(Float64(), formula, point))
        except (ArithmeticError, ValueError):
            return math.nan


def _delta(claim: Claim, point: Point) -> Choice:
    """Return delta at the point, rounded up."""
    formula = claim.formula
    assert formula is not None  # noqa: S101 - the registry has checked it
    result = enclose(formula, point, _SHOWN_DIGITS)
    upper = decimal_string(min(result.upper, Fraction(1)), _SHOWN_DIGITS, 1)
    return Choice("delta", Fraction(upper), upper)


@dataclass(frozen=True)
class _Search:
    calibrator: Calibrator
    claim: Claim
    target: Fraction
    digits: int

    def choice(self, name: str, at: Callable[[Value], Point], *, falls: bool) -> Choice:
        """Return the value nearest to the target's side of a monotone delta.

        Args:
            name: the parameter.
            at: its value -> a point of the claim.
            falls: whether delta falls with it; else it rises.
        """
        parameter = self.claim.domain[name]
        least, most = _ends(parameter)

        def place(value: Fraction) -> Point:
            return _following(at(parameter.coerce(value)), self.calibrator, self.claim)

        rough = self._propose(parameter, place, falls=falls)
        if rough is None:
            domain = ", ".join(filter(None, (parameter.allowed, self.claim.domain.constraint_text)))
            larger = "delta" if name == "epsilon" else "epsilon or delta"
            raise CalibrationError(
                f"expected a value of {name} in the claim's domain, {domain}, that keeps "
                f"delta={float(self.target):g}, got none; allow a larger {larger} ({self.claim.id})"
            )
        step = _step(parameter, self.calibrator, Fraction(rough), self.digits)
        outwards = step if falls else -step
        value = (math.ceil if falls else math.floor)(Fraction(rough) / step) * step
        value = min(max(value, least), most)
        result = self._compared(parameter, value, place)
        for _step_taken in range(MOST_STEPS):
            if _is_kept(result, self.target):
                break
            value += outwards
            result = self._compared(parameter, value, place)
        else:
            raise CalibrationError(f"expected a certified {name} near {rough:.10g}, got none ({self.claim.id})")
        beside = self._compared(parameter, value - outwards, place)
        for _step_taken in range(MOST_STEPS):
            if not _is_kept(beside, self.target):
                break
            value, result = value - outwards, beside
            beside = self._compared(parameter, value - outwards, place)
        else:
            raise CalibrationError(f"expected the last certified {name} near {rough:.10g}, got none ({self.claim.id})")
        assert result is not None and result.left is not None  # noqa: PT018, S101 - it is certified
        is_decided = beside is not None and beside.order is Order.GREATER and beside.left is not None
        fixed = self.calibrator.threshold if name == self.calibrator.noise else ""
        return Choice(
            name,
            parameter.coerce(value),
            decimal_string(result.left.upper, _SHOWN_DIGITS, 1),
            None if beside is None else parameter.coerce(value - outwards),
            decimal_string(beside.left.lower, _SHOWN_DIGITS, -1) if is_decided else None,  # type: ignore[union-attr]
            self.calibrator.least.get(name, ""),
            {fixed: place(value)[fixed]} if fixed else {},
        )

    def _propose(self, parameter: Parameter, place: Callable[[Fraction], Point], *, falls: bool) -> float | None:
        """Return a value near the wanted one, by doubles; None if no value of the domain keeps the target."""
        least, most = map(float, _ends(parameter))

        def point_at(value: float) -> Point | None:
            number = Fraction(value)
            if parameter.integer:
                number = Fraction(math.ceil(number) if falls else math.floor(number))
            if not parameter.contains(number):
                return None
            point = place(number)
            return point if self.claim.domain.admits(point) else None

        def is_kept(value: float) -> bool:
            point = point_at(value)
            return point is not None and _double(self._formula, point) <= self.target

        if falls:
            return _least_value(is_kept, least, most)
        rough = _greatest_value(is_kept, least, most)
        if rough is not None:
            return rough
        start = _least_value(lambda value: point_at(value) is not None, least, most)
        return None if start is None else _greatest_value(is_kept, start, most)

    @property
    def _formula(self) -> Formula:
        formula = self.claim.formula
        assert formula is not None  # noqa: S101 - the registry has checked it
        return formula

    def _compared(self, parameter: Parameter, value: Fraction, place: Callable[[Fraction], Point]) -> Comparison | None:
        """Compare delta with the target; None outside the searched part of the claim's domain."""
        least, most = _ends(parameter)
        if not (least <= value <= most and parameter.contains(value)):
            return None
        point = place(value)
        if not self.claim.domain.admits(point):
            return None
        result = compare(self._formula, self._target, point)
        number = exact_value(self._formula, point) if result.order is Order.UNDECIDED else None
        if number is None:
            return result
        order = Order.EQUAL if number == self.target else Order.LESS if number < self.target else Order.GREATER
        return replace(result, order=order, left=Enclosure(number, number, result.bits))

    def _target(self, A: Any, **_point: Any) -> Any:
        return A.number(self.target)


def _is_kept(result: Comparison | None, target: Fraction) -> bool:
    """Return whether delta is certified to be at most the target."""
    if result is None or result.left is None:
        return False
    return result.order in (Order.LESS, Order.EQUAL) or result.left.upper <= target


def _least_value(is_kept: Callable[[float], bool], least: float, most: float) -> float | None:
    """Return the least value, nearly, that keeps a falling delta; None if the largest does not keep it."""
    if is_kept(least):
        return least
    high = min(max(1.0, least), most)
    low = least
    while not is_kept(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high / 2 > max(low, _LEAST) and is_kept(high / 2):
        high /= 2
    low = max(low, high / 2 if high / 2 > _LEAST else 0.0)
    for _halving in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_kept(middle) else (middle, high)
    return high


def _greatest_value(is_kept: Callable[[float], bool], least: float, most: float) -> float | None:
    """Return the greatest value, nearly, that keeps a rising delta; None if the least does not keep it."""
    low = min(max(1.0, least), most)
    high = most
    while not is_kept(low):
        if low <= max(least, _LEAST):
            return None
        low, high = max(low / 2, least), low
    while 2 * low < high and is_kept(2 * low):
        low *= 2
    high = min(high, 2 * low)
    for _halving in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_kept(middle) else (low, middle)
    return high if is_kept(high) else low


FACTS = {
    "keys": "largest number of keys of one user",
    "all_keys": "largest number of keys in the data",
    "per_key": "largest change of one count by one user",
    "releases": "number of releases",
}
"""Facts about the data, by which mechanisms are compared."""


def fitting(calibrator: Calibrator, facts: Mapping[str, str]) -> dict[str, str] | None:
    """Return the parameters of the claim that the facts give; None if the mechanism does not fit them."""
    needs = {*calibrator.users.values()}
    known_facts = {"per_key": "1", "releases": "1", **facts}
    if not needs <= known_facts.keys():
        return None
    if any(known_facts[fact] != "1" and fact not in needs for fact in ("per_key", "releases")):
        return None
    return {parameter: known_facts[fact] for parameter, fact in calibrator.users.items()}
