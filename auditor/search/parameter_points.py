"""Points of a claim's domain as arguments of a callable: doubles, integers and words.

A box is a part of the claim's domain. Points are short decimals on a logarithmic scale, decimals with a few disturbed
last bits, and corners.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from auditor.errors import UsageError, closest
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Box, Parameter, ParameterError

Argument = float | int | str
Point = dict[str, Argument]

TRIES = 30
"""Most draws per requested point; draws outside the box and repeated draws are discarded."""
CUTS = 8
"""Steps between the values at which a box may be cut."""
UNBOUNDED_LOG, UNBOUNDED_LINEAR, LARGEST_INTEGER = Fraction(10**12), Fraction(1000), Fraction(10**9)
SMALLEST: Mapping[str, Fraction] = {"delta": Fraction(1, 10**300)}
SMALLEST_OTHER = Fraction(1, 10**12)
HARD: Mapping[str, tuple[str, ...]] = {
    "epsilon": ("0", "1e-12", "1e-9", "1e-3", "1", "20", "300", "709", "709.5", "710", "745", "746", "1000"),
    "delta": ("1e-300", "1e-100", "1e-30", "1e-17", "1e-16", "1e-10", "1e-5", "0.5", "0.9999999999999999"),
    "c_u": ("1", "2", "51914", "1000000", "1000000000"),
    "mu": ("1e-9", "1e-4", "6e-4", "0.01", "1", "8", "40", "100"),
    "gap": ("0", "1", "8.2", "8.3", "37"),
}
SIMPLE = ("1", "2", "3", "0.5", "5", "10", "4", "0.1", "0", "20", "100", "0.01", "1000", "1e-3")

USED_DELTAS = ("1e-5", "1e-6", "1e-8", "1e-3", "1e-10", "0.01", "1e-9", "1e-7", "1e-4", "1e-12", "0.1", "0.5", "1e-15")
USED_OTHER = ("1", "2", "0.5", "0.1", "3", "5", "10", "0", "4", "0.01", "20", "100", "1000", "8", "0.2", "1.5", "0.25")
SMALL_INTEGERS = ("6", "7", "9")
"""Values in common use, the most frequent first; code often has special cases there."""


def exact_value(argument: Argument) -> Value:
    """Return the exact value of a double as a fraction; integers and words unchanged."""
    return Fraction(argument) if isinstance(argument, float) else argument


def exact_values(point: Mapping[str, Argument]) -> dict[str, Value]:
    """Return the exact values of a point, at which the truth is evaluated."""
    return {name: exact_value(argument) for name, argument in point.items()}


@dataclass(frozen=True)
class Axis:
    """One parameter's searched range: `lower <= value <= upper` inside the parameter's own domain."""

    parameter: Parameter
    lower: Fraction
    upper: Fraction

    @property
    def fixed(self) -> bool:
        """Whether the range is a single number."""
        return not self.parameter.choices and self.lower == self.upper

    def argument(self, text: str | Fraction) -> Argument | None:
        """Return the argument for an exact number, or None outside the range."""
        value = Fraction(text)
        if self.parameter.integer:
            return int(value) if value.denominator == 1 and self.contains(int(value)) else None
        argument = float(value)
        return argument if self.contains(argument) else None

    def contains(self, argument: Argument) -> bool:
        """Return whether the exact value of an argument lies in the range."""
        if isinstance(argument, str):
            return argument in self.parameter.choices
        least, greatest = self._ends
        return least <= argument <= greatest

    @functools.cached_property
    def _ends(self) -> tuple[float, float]:
        """The least and the greatest argument, as integers or doubles, for exact and fast comparisons."""
        of = self.parameter
        least = self.lower if of.lower == "-infinity" else max(self.lower, Fraction(exact(of.lower)))
        greatest = self.upper if of.upper == "infinity" else min(self.upper, Fraction(exact(of.upper)))
        if of.integer:
            first, last = math.ceil(least), math.floor(greatest)
            return first + (not of.contains(first)), last - (not of.contains(last))
        low, high = float(least), float(greatest)
        if low < least or not of.contains(Fraction(low)):
            low = math.nextafter(low, math.inf)
        if high > greatest or not of.contains(Fraction(high)):
            high = math.nextafter(high, -math.inf)
        return low, high

    @functools.cached_property
    def corners(self) -> tuple[Argument, ...]:
        """The ends of the range (one step inside where open) and the parameter's hard values."""
        if self.parameter.choices:
            return self.parameter.choices
        texts: list[str | Fraction] = [*HARD.get(self.parameter.name, ("1e-9", "1", "1000000")), self.lower, self.upper]
        if self.parameter.integer:
            texts += [self.lower + 1, self.upper - 1]
        else:
            inward = (math.nextafter(float(self.lower), math.inf), math.nextafter(float(self.upper), -math.inf))
            texts += [Fraction(end) for end in inward if math.isfinite(end)]
        arguments = {argument: None for text in texts if (argument := self.argument(text)) is not None}
        return tuple(arguments)

    @functools.cached_property
    def used(self) -> tuple[Argument, ...]:
        """The values in common use inside the range, the most frequent first; the corners if there are none."""
        small = self.parameter.name.partition("_")[0] == "delta" and self.upper <= 1
        texts = USED_DELTAS if small else (*USED_OTHER, *SMALL_INTEGERS) if self.parameter.integer else USED_OTHER
        arguments = {argument: None for text in texts if (argument := self.argument(text)) is not None}
        return self.parameter.choices or tuple(arguments) or self.corners

    def with_used(self, extra: Sequence[float]) -> tuple[Argument, ...]:
        """Return the `extra` values inside the range, then the values in common use."""
        inside = (self.argument(Fraction(value)) for value in extra if math.isfinite(value))
        return tuple(dict.fromkeys([*(argument for argument in inside if argument is not None), *self.used]))

    def draw(self, random: Random) -> Argument:
        """Return a random value, on a logarithmic scale if the range is positive and longer than a decade."""
        if self.parameter.choices:
            return random.choice(self.parameter.choices)
        lower, upper = float(self.lower), float(self.upper)
        start = max(lower, float(self._smallest())) if lower >= 0 and upper > 0 else lower
        wide = start > 0 and upper > 10 * start
        value = math.exp(random.uniform(math.log(start), math.log(upper))) if wide else random.uniform(lower, upper)
        return (
            min(max(round(value), math.ceil(self.lower)), math.floor(self.upper)) if self.parameter.integer else value
        )

    def sample(self, random: Random, decade: int | None = None) -> Argument:
        """Return a corner, a short decimal or one with disturbed last bits, near a given decade; maybe out of range."""
        corners = self.corners
        if self.parameter.choices or (self.fixed and corners):
            return random.choice(corners)
        if decade is not None and self._reaches(decade):
            return _decimal(random, decade + random.randint(-1, 1))
        if corners and random.random() < 0.25:
            return random.choice(corners)
        return self._whole(random) if self.parameter.integer else self._double(random)

    def _whole(self, random: Random) -> Argument:
        lower, upper = math.ceil(self.lower), math.floor(self.upper)
        if upper <= lower + 20 or random.random() < 0.5:
            return random.randint(lower, min(upper, lower + 20))
        short = random.randint(1, 999) * 10 ** random.randint(0, len(str(upper)))
        return random.choice((short, self.draw(random)))

    def _double(self, random: Random) -> float:
        lower, upper = float(self.lower), float(self.upper)
        if lower > 0 and upper / lower < 10:
            return random.uniform(lower, upper)
        if lower < 0 and (upper <= 0 or random.random() < 0.5):
            return -_decimal(random, _decade(random, max(Fraction(0), -self.upper), -self.lower, self._smallest()))
        return _decimal(random, _decade(random, self.lower, self.upper, self._smallest()))

    def _reaches(self, decade: int) -> bool:
        near = self.lower < 10 ** Fraction(decade + 1) and self.upper > Fraction(10) ** (decade - 1)
        return near and self.upper > 0 and not (self.parameter.choices or self.parameter.integer or self.fixed)

    def _smallest(self) -> Fraction:
        return SMALLEST.get(self.parameter.name, SMALLEST_OTHER)


def _cuts(axis: Axis, points: Sequence[Mapping[str, Argument]]) -> list[Axis]:
    """Return the parts of an axis below and above evenly spaced values of the points, without the axis itself."""
    if axis.parameter.choices:
        return []
    values = sorted(Fraction(point[axis.parameter.name]) for point in points)
    ends = sorted({values[place * (len(values) - 1) // CUTS] for place in range(CUTS + 1)}) if values else []
    parts = [part for end in ends for part in (replace(axis, lower=end), replace(axis, upper=end))]
    return [part for part in parts if part != axis]


def _decades(lower: Fraction, upper: Fraction, smallest: Fraction) -> tuple[int, int]:
    first = max(lower, min(smallest, upper))
    return math.floor(math.log10(first)), math.floor(math.log10(upper))


def _decade(random: Random, lower: Fraction, upper: Fraction, smallest: Fraction) -> int:
    """Return a random decade of the range; with probability 1/2 at least -2, if the range allows."""
    low, high = _decades(lower, upper, smallest)
    return random.randint(min(max(low, -2), high) if random.random() < 0.5 else low, high)


def _decimal(random: Random, decade: int) -> float:
    """Return a random double of a decade, with one or four digits, and with or without disturbed last bits."""
    digits = random.choice((0, random.randrange(1000)))
    lead, last_bits = random.randint(1, 9), random.choice((0, random.randrange(2**20)))
    return float(f"{lead}.{digits:03d}e{decade}") * (1 + last_bits * 2.0**-52)


@dataclass(frozen=True)
class SearchBox:
    """The searched part of a claim's domain."""

    domain: Box
    axes: tuple[Axis, ...]
    constants: Mapping[str, Argument]
    """Parameters that the target does not take, with the one value of their range or their default."""

    def sample(self, random: Random, number: int) -> list[Point]:
        """Return up to `number` distinct points; fewer if few draws lie in the box.

        Half of the points have all reals near one decade, since formulas often depend on ratios (epsilon / mu).
        """
        points: dict[str, Point] = {}
        for _ in range(TRIES * number):
            decade = random.choice((None, random.randint(-9, 6)))
            point = {axis.parameter.name: axis.sample(random, decade) for axis in self.axes}
            if random.random() < 0.5:  # two equal parameters, for example a level and a gap
                one, other = (random.choice(self.axes) for _ in range(2))
                if (
                    other.contains(same := point[one.parameter.name])
                    and one.parameter.integer == other.parameter.integer
                ):
                    point[other.parameter.name] = same
            if self.contains(point):
                points[repr(point)] = point
            if len(points) == number:
                break
        return list(points.values())

    def contains(self, point: Mapping[str, Argument]) -> bool:
        """Return whether every argument is in range and the constraint holds."""
        return all(axis.contains(point[axis.parameter.name]) for axis in self.axes) and self.admits(point)

    def admits(self, point: Mapping[str, Argument]) -> bool:
        """Return whether the claim's constraint between parameters holds at the exact values."""
        return self.domain.admits(exact_values({**self.constants, **point}))

    def admitted(self, random: Random, draws: int = 200) -> Fraction:
        """Return the share of random points of the ranges that the claim's constraint admits."""
        if self.domain.constraint is None:
            return Fraction(1)
        points = ({axis.parameter.name: axis.draw(random) for axis in self.axes} for _ in range(draws))
        return Fraction(sum(map(self.admits, points)), draws)

    def cut_to(self, points: Sequence[Mapping[str, Argument]], least: float, seed: int) -> "SearchBox | None":
        """Return the box cut at one end of some ranges, so that the constraint admits the share `least` of it.

        Each cut is at a value of the points. The first cut that is enough and keeps most points is chosen; if none is
        enough, the cut with the largest share is cut further.

        Args:
            points: points that the constraint admits.
            least: share of random points to admit.
            seed: of the random points.

        Returns:
            The smaller box; None if no cuts are enough.
        """
        box, inside = self, list(points)
        for _ in range(len(self.axes)):
            cuts = []
            for place, axis in enumerate(box.axes):
                for ends in _cuts(axis, inside):
                    cut = replace(box, axes=(*box.axes[:place], ends, *box.axes[place + 1 :]))
                    rest = [point for point in inside if ends.contains(point[axis.parameter.name])]
                    share = float(cut.admitted(Random(seed)))  # noqa: S311 - a search, not a secret
                    cuts.append((min(share, least), len(rest), cut, rest))
            if not cuts:
                return None
            share, _, box, inside = max(cuts, key=lambda one: one[:2])
            if share >= least:
                return box
        return None

    @property
    def size(self) -> int | None:
        """Number of points without the constraint; None if a range of reals is not a single number."""
        if any(not (axis.fixed or axis.parameter.choices or axis.parameter.integer) for axis in self.axes):
            return None
        widths = (len(axis.parameter.choices) or int(axis.upper - axis.lower) + 1 for axis in self.axes)
        return math.prod(widths)

    def text(self) -> dict[str, tuple[str, str]]:
        """Return the ranges as exact text; a word's range is its first and last choice."""
        return {
            axis.parameter.name: (axis.parameter.choices[0], axis.parameter.choices[-1])
            if axis.parameter.choices
            else (short(axis.lower), short(axis.upper))
            for axis in self.axes
        }

    def published_points(self, published: tuple[Mapping[str, Value], ...]) -> list[Point]:
        """Return the published points inside the box."""
        points = [point for values in published if (point := self._point(values)) is not None]
        return [point for point in points if self.contains(point)]

    def corner_points(self) -> list[Point]:
        """Return the points with corners in one or two axes and moderate values in the others."""
        points: list[Point] = []
        centre = {axis.parameter.name: _moderate(axis) for axis in self.axes}
        for axis in self.axes:
            points += [{**centre, axis.parameter.name: corner} for corner in axis.corners]
        for first, second in itertools.combinations(self.axes, 2):
            corners = itertools.product(first.corners, second.corners)
            points += [{**centre, first.parameter.name: one, second.parameter.name: two} for one, two in corners]
        unique = {repr(sorted(point.items())): point for point in points}
        return [point for point in unique.values() if self.contains(point)]

    def used_points(self, extra: Mapping[str, Sequence[float]] | None = None) -> list[Point]:
        """Return points that contain every pair of common values of every two parameters, the most frequent first.

        Row (i, j) of an orthogonal array over a prime p has place j for the first parameter and place i + a j modulo p
        for the a-th one: every two parameters take every pair of places once.

        Args:
            extra: further values by parameter, placed before the common ones.
        """
        values = [axis.with_used((extra or {}).get(axis.parameter.name, ())) for axis in self.axes]
        if not all(values):
            return []
        least = max(len(values) - 1, *map(len, values), 1)
        prime = next(p for p in itertools.count(least) if p > 1 and all(p % d for d in range(2, math.isqrt(p) + 1)))
        smallest: dict[str, tuple[int, Point]] = {}
        for i, j in itertools.product(range(prime), repeat=2):
            places = [j, *((i + a * j) % prime for a in range(len(values) - 1))]
            chosen = [(place % len(of), of) for place, of in zip(places, values, strict=True)]
            point = {axis.parameter.name: of[at] for axis, (at, of) in zip(self.axes, chosen, strict=True)}
            if self.contains(point):
                smallest.setdefault(repr(point), (sum(at for at, _ in chosen), point))
        return [point for _, point in sorted(smallest.values(), key=lambda item: item[0])]

    def point_with(self, numbers: Mapping[str, float]) -> Point | None:
        """Return the point with these numbers and moderate values of the other parameters; None if outside the box."""
        point = {axis.parameter.name: _moderate(axis) for axis in self.axes}
        for axis in self.axes:
            name = axis.parameter.name
            if name in numbers:
                argument = axis.argument(Fraction(numbers[name]))
                if argument is None:
                    return None
                point[name] = argument
        return point if self.contains(point) else None

    def _point(self, values: Mapping[str, Value]) -> Point | None:
        point: Point = {}
        for axis in self.axes:
            value = values.get(axis.parameter.name, axis.parameter.default)
            if value is None:
                return None
            argument = str(value) if axis.parameter.choices else axis.argument(Fraction(value))
            if argument is None:
                return None
            point[axis.parameter.name] = argument
        return point

    def neighbour(self, point: Mapping[str, Argument], random: Random) -> Point:
        """Return the point with some numbers multiplied by a random factor; it may lie outside the box."""
        scale = random.choice((0.03, 0.3, 1.0))
        moved: Point = dict(point)
        for axis in self.axes:
            value = point[axis.parameter.name]
            if isinstance(value, str):
                moved[axis.parameter.name] = random.choice(axis.parameter.choices)
            elif random.random() < 0.7:
                factor = 10 ** random.gauss(0.0, scale)
                moved[axis.parameter.name] = max(1, round(value * factor)) if isinstance(value, int) else value * factor
        return moved

    def rounded(self, point: Mapping[str, Argument], digits: int) -> Point | None:
        """Return the point with every number rounded to `digits` significant digits; None if outside the box."""
        near: Point = {}
        for axis in self.axes:
            now = point[axis.parameter.name]
            argument = now if isinstance(now, str) else axis.argument(Fraction(f"{float(now):.{digits}g}"))
            if argument is None:
                return None
            near[axis.parameter.name] = argument
        return near if self.contains(near) else None

    def simpler(self, point: Mapping[str, Argument]) -> Iterator[Point]:
        """Yield points in the box that differ from `point` in one simpler argument, simplest first."""
        for axis in self.axes:
            name = axis.parameter.name
            now = point[name]
            if isinstance(now, str):
                continue
            for argument in _simpler_numbers(axis, now):
                candidate = {**point, name: argument}
                if self.admits(candidate):
                    yield candidate


def _moderate(axis: Axis) -> Argument:
    if axis.parameter.choices:
        return axis.parameter.choices[0]
    for text in ("1", "0.1", "1e-5", "10"):
        if (argument := axis.argument(text)) is not None:
            return argument
    middle = (axis.lower + axis.upper) / 2
    return round(middle) if axis.parameter.integer else float(middle)


@functools.lru_cache(maxsize=2**12, typed=True)
def complexity(argument: Argument) -> tuple[int, float]:
    """Return a sort key of readability: significant digits, then distance from 1 in decades."""
    if isinstance(argument, str):
        return (0, 0.0)
    digits = len(f"{argument:.17g}" if isinstance(argument, int) else repr(argument).split("e")[0].removesuffix(".0"))
    magnitude = abs(math.log10(abs(float(argument)))) if argument else 0.5
    return (digits, magnitude)


def _simpler_numbers(axis: Axis, now: float) -> list[Argument]:
    texts: list[str | Fraction] = [*SIMPLE, axis.lower, axis.upper]
    texts += [Fraction(f"{float(now):.{digits}g}") for digits in range(1, 7)]
    arguments = {argument for text in texts if (argument := axis.argument(text)) is not None}
    return sorted((argument for argument in arguments if complexity(argument) < complexity(now)), key=complexity)


def short(value: Fraction) -> str:
    """Return a number as the shortest of integer, the decimal that names its double, and fraction."""
    if value.denominator == 1:
        digits = str(value.numerator)
        stripped = digits.rstrip("0")
        zeros = len(digits) - len(stripped)
        return f"{stripped}e{zeros}" if zeros > 6 else digits
    text = repr(float(value))
    return text if value in (Fraction(text), Fraction(float(value))) else str(value)


def search_box(
    domain: Box, ranges: Mapping[str, tuple[Value, Value]] | None = None, accepts: frozenset[str] | None = None
) -> SearchBox:
    """Return the claim's domain restricted to `ranges`; parameters that the target does not take are held fixed.

    A parameter is held at its default, or at the one value of its range.

    Args:
        domain: the claim's domain.
        ranges: exact lower and upper end by name; equal ends fix a parameter.
        accepts: names that the target takes by keyword; None for any.

    Raises:
        UsageError: an unknown name, an end that is not an exact number, an empty range, a range outside the domain.
    """
    ranges = ranges or {}
    unknown = next((name for name in ranges if name not in domain.names), None)
    if unknown is not None:
        nearest = f"; closest: '{closest(unknown, domain.names)}'" if domain.names else ""
        raise UsageError(f"--box {unknown}: no such parameter; allowed: {', '.join(domain.names) or 'none'}{nearest}")
    for name, ends in ranges.items():
        if isinstance(ends, str) or len(ends) != 2:
            raise UsageError(f"--box {name}: expected two ends (lo, hi), got {ends!r}")
    constants: dict[str, Argument] = {}
    axes: list[Axis] = []
    for parameter in domain.parameters:
        name = parameter.name
        axis = _axis(parameter, ranges.get(name))
        if accepts is None or name in accepts:
            axes.append(axis)
        elif name not in ranges and (default := parameter.default) is not None:
            constants[name] = default if isinstance(default, int | str) else float(default)
        elif axis.fixed and (only := axis.argument(axis.lower)) is not None:
            constants[name] = only
        else:
            axes.append(axis)
    return SearchBox(domain, tuple(axes), constants)


def _axis(parameter: Parameter, ends: tuple[Value, Value] | None) -> Axis:
    if parameter.choices:
        return Axis(_chosen(parameter, ends), Fraction(0), Fraction(0))
    cut = LARGEST_INTEGER if parameter.integer else UNBOUNDED_LOG if parameter.log else UNBOUNDED_LINEAR
    lower = -cut if parameter.lower == "-infinity" else Fraction(exact(parameter.lower))
    upper = max(cut, lower) if parameter.upper == "infinity" else Fraction(exact(parameter.upper))
    if ends is None:
        return Axis(parameter, *(parameter.range_searched if parameter.searched else (lower, upper)))
    low, high = (_end(parameter, text) for text in ends)
    if low > high:
        raise UsageError(f"--box {parameter.name}: expected lo <= hi, got {ends[0]}:{ends[1]}")
    for end, text in ((low, ends[0]), (high, ends[1])):
        at_open_end = (parameter.open_lower and end == low) or (parameter.open_upper and end == high)
        if not parameter.contains(exact(end)) and not at_open_end:
            raise UsageError(f"--box {parameter.name}: expected {parameter.allowed}, got {text}")
    if not parameter.integer:  # use the nearest double as an end: the target takes doubles
        return Axis(parameter, Fraction(float(low)), Fraction(float(high)))
    whole = Fraction(math.ceil(low)), Fraction(math.floor(high))
    if whole[0] > whole[1]:
        raise UsageError(f"--box {parameter.name}: expected an integer in {ends[0]}:{ends[1]}, got a range without one")
    return Axis(parameter, *whole)


def _chosen(parameter: Parameter, ends: tuple[Value, Value] | None) -> Parameter:
    """Return the parameter with the choices between two of its words."""
    if ends is None:
        return parameter
    for word in ends:
        if word not in parameter.choices:
            raise UsageError(f"--box {parameter.name}: expected {parameter.allowed}, got {word}")
    first, last = (parameter.choices.index(word) for word in ends)
    return replace(parameter, choices=parameter.choices[min(first, last) : max(first, last) + 1])


def _end(parameter: Parameter, text: Value) -> Fraction:
    try:
        return Fraction(exact(text))
    except (TypeError, ValueError, ParameterError) as error:
        raise UsageError(f"--box {parameter.name}: {error}; a range is LO:HI") from None
