"""The domain of a claim: a box of named parameters with units, and grids of exact points in it."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from proofs_numeric.arithmetic import Exact, exact
from proofs_numeric.arithmetic.formula import Value


class ParameterError(ValueError):
    """A parameter is missing, unknown, not exact, or outside its domain."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a claim: name, meaning, unit and closed domain (open where said)."""

    name: str
    description: str
    unit: str = "no unit"
    lower: int | Fraction | str = 0
    upper: int | Fraction | str = "infinity"
    integer: bool = False
    log: bool = False
    """Search and plot on a logarithmic scale."""
    open_lower: bool = False
    open_upper: bool = False
    choices: tuple[str, ...] = ()
    """The words of an enumeration; bounds are then ignored."""
    default: Value | None = None
    searched: tuple[int | Fraction | str, int | Fraction | str] | None = None
    """Least and largest value that grids and searches try, where the domain goes further; None: its own ends, and
    10^12 (logarithmic) or 10^3 (linear) for an infinite one."""

    @property
    def allowed(self) -> str:
        """The domain in words with the unit, as error messages print it."""
        two_sided = not self.choices and self.lower != "-infinity"
        return f"{self.range} ({self.unit})" if two_sided else self.range

    @property
    def range(self) -> str:
        """The domain in words, without the unit."""
        if self.choices:
            return f"{self.name} in {{{', '.join(self.choices)}}}"
        left = f"{self.lower} {'<' if self.open_lower else '<='} "
        right = f" {'<' if self.open_upper or self.upper == 'infinity' else '<='} {self.upper}"
        kind = ", an integer" if self.integer else ""
        if self.lower == "-infinity":
            return f"{self.name}{right}{kind}" if self.upper != "infinity" else f"any real {self.name}{kind}"
        return f"{left}{self.name}{'' if self.upper == 'infinity' else right}{kind}"

    def parse(self, value: int | Fraction | str) -> Value:
        """Return the exact value; raise ParameterError with one line: expected domain, value."""
        if self.choices:
            if value not in self.choices:
                raise ParameterError(f"expected {self.allowed}, got {self.name}={value}")
            return str(value)
        try:
            number = exact(value)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"{self.name}: {error}") from None
        if (self.integer and not isinstance(number, int)) or not self.contains(number):
            raise ParameterError(f"expected {self.allowed}, got {self.name}={value}")
        if abs(Fraction(number)) > sys.float_info.max:
            largest = f"{sys.float_info.max:.3g}, the largest double"
            raise ParameterError(f"expected {self.allowed}, of size at most {largest}; got {self.name}={value}")
        return self.coerce(number)

    def coerce(self, number: Exact) -> Exact:
        """``int`` for an integer parameter (formulas loop over it), ``Fraction`` for a real one."""
        return int(number) if self.integer else Fraction(number)

    def contains(self, number: Exact) -> bool:
        """Whether the number lies in the domain."""
        lower, upper = self._ends
        if lower is not None and (number < lower or (self.open_lower and number == lower)):
            return False
        return upper is None or not (number > upper or (self.open_upper and number == upper))

    @functools.cached_property
    def range_searched(self) -> tuple[Fraction, Fraction]:
        """The ends of what grids and searches try, which may be open ends of the domain."""
        lower, upper = self._ends
        if self.searched is not None:
            first, last = map(exact, self.searched)
            return (
                Fraction(first if lower is None else max(lower, first)),
                Fraction(last if upper is None else min(upper, last)),
            )
        cut = Fraction(10**12 if self.log else 1000)
        least = -cut if lower is None else Fraction(lower)
        return least, max(least + 1, cut) if upper is None else Fraction(upper)

    @functools.cached_property
    def _ends(self) -> tuple[Exact | None, Exact | None]:
        """Both ends, parsed once; None where there is none."""
        return (
            None if self.lower == "-infinity" else exact(self.lower),
            None if self.upper == "infinity" else exact(self.upper),
        )


@dataclass(frozen=True)
class Box:
    """The domain of a claim: a product of parameters, cut by an optional constraint between them."""

    parameters: tuple[Parameter, ...] = ()
    constraint: Callable[..., bool] | None = None
    """Called with exact values by keyword; one that is an `AtMost` is a hypothesis of the claim's proof."""
    constraint_text: str = ""

    def __getitem__(self, name: str) -> Parameter:
        return next(parameter for parameter in self.parameters if parameter.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        """Parameter names in order."""
        return tuple(parameter.name for parameter in self.parameters)

    def parse(self, values: Mapping[str, int | Fraction | str]) -> dict[str, Value]:
        """Return exact values for every parameter (defaults filled in); raise ParameterError in one line."""
        unknown = [name for name in values if name not in self.names]
        if unknown:
            raise ParameterError(f"unknown parameter {unknown[0]}; allowed: {', '.join(self.names) or 'none'}")
        parsed: dict[str, Value] = {}
        for parameter in self.parameters:
            if parameter.name in values:
                parsed[parameter.name] = parameter.parse(values[parameter.name])
            elif parameter.default is not None:
                parsed[parameter.name] = parameter.parse(parameter.default)
            else:
                raise ParameterError(f"missing parameter {parameter.name}; expected {parameter.allowed}")
        if not self.admits(parsed):
            raise ParameterError(f"expected {self.constraint_text}, got {format_parameters(parsed)}")
        return parsed

    def admits(self, values: Mapping[str, Value]) -> bool:
        """Whether parsed values satisfy the constraint between parameters."""
        return self.constraint is None or bool(self.constraint(**values))


def format_parameters(values: Mapping[str, Value]) -> str:
    """``a=1, b=1/3`` in the order given."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def points(names: str, *rows: tuple[Value, ...]) -> tuple[dict[str, Value], ...]:
    """Return points, a row of values each, of the parameters that are named in a text."""
    return tuple(dict(zip(names.split(), row, strict=True)) for row in rows)


def grid(box: Box, per_parameter: int) -> Iterator[dict[str, Value]]:
    """Yield a deterministic grid of exact points of ``box``: ends (nudged where open) and ``per_parameter`` inside.

    Points outside the constraint are left out; those outside `Parameter.range_searched` too.
    """
    axes = [_axis(parameter, per_parameter) for parameter in box.parameters]
    points = (dict(zip(box.names, values, strict=True)) for values in itertools.product(*axes))
    yield from filter(box.admits, points)


def _axis(parameter: Parameter, count: int) -> list[Value]:
    if parameter.choices:
        return list(parameter.choices)
    lower, upper = parameter.range_searched
    steps = max(count + 1, 1)
    if parameter.log and lower < upper:
        start = lower if lower > 0 else min(Fraction(1, 10**12), upper / 2)
        low, high = math.log(start), math.log(upper)
        inner = [Fraction(f"{math.exp(low + (high - low) * i / steps):.3g}") for i in range(steps + 1)]
        inner = [min(max(value, start), upper) for value in inner]
    else:
        inner = [lower + (upper - lower) * i / steps for i in range(steps + 1)]
    values = [lower, *inner, upper]
    if parameter.integer:
        values = [Fraction(round(value)) for value in values]
    return [parameter.coerce(v) for v in sorted({v for v in values if parameter.contains(v)})]
