"""Numbers computed from one release, on which an event can put a threshold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.forms import Part, parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.statistics.sample import Sample

Floats = NDArray[np.float64]

MOST_KEYS_IN_DETAIL = 12
"""Up to this many columns each gets its own fractional part and lowest bit."""
MOST_KEYS_IN_PAIRS = 7
"""Up to this many columns every pairwise difference is a feature."""
MOST_KEYS = 64
"""This many columns, the most telling ones, are features of their own; totals see all of them."""
MOST_PARTS = 32
"""This many parts of the forms of releases are features."""
MOST_FORMS = 256
"""Forms whose parts are looked at."""
RAISED = "raised "
"""How the form of an exception begins."""
_PLAIN = re.compile(r'\{("(?:[^"\\]|\\.)*":#,?)*\}|#')
"""A dictionary of numbers, or a number."""
MOST_KEYS_COMPARED = 512
"""This many columns are looked at for noise in common."""
MOST_CLOSE_PAIRS_COMPARED = 256
MOST_CLOSE_PAIRS = 8
"""With more columns, this many differences: those of the columns that move together most."""
FRACTION_BITS, EXPONENTS = 52, 2047
"""Bits of a double after the leading one, and the largest number that its exponent's bits hold."""
DIFFERENCE_DIGITS = 9
"""Decimals kept of a difference: noise shared by two keys cancels up to rounding, and leaves an atom."""


BEND = 1.5
"""Standard deviations beyond which the square of a value in a score stays what it is."""
FARTHEST = 6.0
"""Most standard deviations that a value counts for."""
SCORE_DIGITS = 9
"""Decimals kept of a score."""
TOLD_TERMS = 6
"""Terms of a score that its name tells."""

LONE = "the output"
"""What a number is called that has no key: it is all that is released."""


class Feature(Protocol):
    """A function of one release."""

    @property
    def text(self) -> str:
        """Name for people."""

    def column(self, sample: Sample) -> Floats:
        """Return the feature of each release, (n,); NaN where it has none."""


@dataclass(frozen=True)
class Value:
    """The number released under a key, or one that the form of a release says."""

    key: str | Part

    @property
    def text(self) -> str:
        """Name for people."""
        return str(self.key) if isinstance(self.key, Part) else f"value of {self.key or LONE}"

    def column(self, sample: Sample) -> Floats:
        """Return the released values, NaN where the key is missing."""
        return np.ascontiguousarray(sample.column(self.key))


@dataclass(frozen=True)
class Difference:
    """The difference of two released numbers: exposes noise that two keys share."""

    key: str
    other: str

    @property
    def text(self) -> str:
        """Name for people."""
        return f"value of {self.key} - value of {self.other}"

    def column(self, sample: Sample) -> Floats:
        """Return the differences, NaN unless both keys are released."""
        return np.asarray(np.round(sample.column(self.key) - sample.column(self.other), DIFFERENCE_DIGITS))


@dataclass(frozen=True)
class FractionalPart:
    """The distance of a released number above the integer grid: exposes noise of another grid than the counts'."""

    key: str

    @property
    def text(self) -> str:
        """Name for people."""
        return f"fractional part of {self.key or LONE}"

    def column(self, sample: Sample) -> Floats:
        """Return value - floor(value) in [0, 1)."""
        values = sample.column(self.key)
        return np.asarray(values - np.floor(values))


@dataclass(frozen=True)
class LowestBit:
    """The exponent of the lowest set bit of a released double: exposes which doubles can be reached.

    Adding noise to a larger count rounds to a coarser grid, so the lowest bit gives the magnitude of the count away.
    """

    key: str

    @property
    def text(self) -> str:
        """Name for people."""
        return f"exponent of the lowest set bit of {self.key or LONE}"

    def column(self, sample: Sample) -> Floats:
        """Return log2 of the largest power of two that divides the value; NaN for a missing value, -1100 for zero."""
        values = sample.column(self.key)
        bits = np.ascontiguousarray(values).view(np.int64)
        exponent, fraction = bits >> FRACTION_BITS & EXPONENTS, bits & (1 << FRACTION_BITS) - 1
        whole = fraction | np.minimum(exponent, 1) << FRACTION_BITS  # of a subnormal number no bit is left out
        zeros = np.bitwise_count((whole & -whole) - 1)
        lowest = np.maximum(exponent, 1) + zeros - float(FRACTION_BITS + EXPONENTS // 2)
        return np.asarray(np.where(np.isfinite(values), np.where(whole == 0, -1100.0, lowest), np.nan))


@dataclass(frozen=True)
class ReleasedCount:
    """How many numbers a release has."""

    text: str = "number of released keys"

    def column(self, sample: Sample) -> Floats:
        """Return the number of columns that are not NaN."""
        return sum((~np.isnan(column) for column in sample.values.T), np.zeros(len(sample)))


@dataclass(frozen=True)
class Total:
    """The sum of everything released."""

    text: str = "sum of the released values"

    def column(self, sample: Sample) -> Floats:
        """Return the sums; 0 for an empty release."""
        return sum((np.where(np.isnan(column), 0.0, column) for column in sample.values.T), np.zeros(len(sample)))


@dataclass(frozen=True)
class Largest:
    """The largest number released."""

    text: str = "largest released value"

    def column(self, sample: Sample) -> Floats:
        """Return the maxima; NaN for an empty release."""
        return reduce(np.fmax, sample.values.T, np.full(len(sample), np.nan))


@dataclass(frozen=True)
class Score:
    """Log-odds of left against right, logistic in each key's being released, standardised value and its bent square.

    The square stops growing at BEND standard deviations, as the loss of most noise does.

    Attributes:
        keys: the columns it looks at.
        centre: (k,), subtracted from a value.
        scale: (k,), a centred value is divided by it.
        weights: (1 + 3 k,): intercept, then released, value, bent square for each key.
    """

    keys: tuple[str | Part, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def text(self) -> str:
        """Name for people: the weights that count most, and how many others there are."""
        names = [
            f"{kind}{key}{end}" for key in self.keys for kind, end in (("[", " released]"), ("z(", ")"), ("bent(", ")"))
        ]
        terms = sorted(zip(self.weights[1:], names, strict=True), key=lambda term: -abs(term[0]))
        told = [f"{weight:+.3g} {name}" for weight, name in terms[:TOLD_TERMS] if weight]
        left = sum(weight != 0 for weight, _name in terms[TOLD_TERMS:])
        return f"score ({' '.join(told)}{f' and {left} smaller terms' if left else ''})"

    def column(self, sample: Sample) -> Floats:
        """Return the scores, rounded: like releases have like scores, whatever block they are in."""
        values = sample.columns(self.keys)
        centre, per_scale = np.array(self.centre)[:, None], 1.0 / np.array(self.scale)[:, None]
        released, slope, square = np.array(self.weights[1:]).reshape(-1, 3).T[:, :, None]
        scores = np.empty(len(values))
        rows = max(1, CACHED // max(1, len(self.keys)))
        for start in range(0, len(values), rows):
            # As `score_inputs(...) @ weights`, in a sixth of the time: blocks of any length are scored by this.
            standard = np.subtract(values[start : start + rows].T, centre, order="C")
            standard *= per_scale
            missing = np.isnan(standard)
            np.clip(standard, -FARTHEST, FARTHEST, out=standard)
            terms = np.clip(standard, -BEND, BEND)
            terms *= terms
            terms *= square
            standard *= slope
            terms += standard
            terms += released
            if missing.any():
                np.copyto(terms, 0.0, where=missing)
            terms.sum(axis=0, out=scores[start : start + rows])
        scores += self.weights[0]
        return np.round(scores, SCORE_DIGITS)


def score_inputs(values: Floats, centre: Floats, scale: Floats) -> Floats:
    """Return the design matrix of `Score`, (n, 1 + 3 k), for released values, (n, k)."""
    present = ~np.isnan(values)
    standard = np.where(present, np.clip((values - centre) / scale, -FARTHEST, FARTHEST), 0.0)
    bent = np.clip(standard, -BEND, BEND) ** 2
    inputs = np.stack([present.astype(np.float64), standard, bent], axis=2).reshape(len(values), -1)
    return np.concatenate([np.ones((len(values), 1)), inputs], axis=1)


RIDGE = 1.0
NEWTON_STEPS = 8
SETTLED = 1e-3
"""The weights are fitted when the square of no step is more: about what a Newton step leaves to the next one."""
WORK = 2**28
"""Products a Newton step may take; with many keys the score is fitted to fewer releases."""
FEWEST_FITTED = 2048
"""Releases a side to which a score is fitted however many keys there are."""
SPARSE = 8
"""One of so many releases is fitted to first, where that leaves FEWEST_FITTED a side."""
CACHED = 2**15
"""Numbers scored at a time."""
ROWS = 8192
"""Releases whose inputs are held at a time."""
HELD = 2**23
"""Inputs that are held from one Newton step to the next; more are computed again in each."""


def fit_score(left: Sample, right: Sample, keys: tuple[str | Part, ...], near: Score | None = None) -> Score:
    """Fit `Score` in these columns by ridge-penalised Newton steps; left releases are the positive class.

    They start from the weights of a score that is `near`, or else from those that fit a few of the releases.
    """
    size = 1 + 3 * len(keys)
    most = max(FEWEST_FITTED, WORK // (2 * size * size))
    sides = [side.columns(keys)[:: max(1, -(-len(side) // most))] for side in (left, right)]
    values = np.concatenate(sides)
    present = ~np.isnan(values)
    number = np.maximum(present.sum(axis=0), 1)
    centre = np.where(present, values, 0.0).sum(axis=0) / number
    scale = np.sqrt(np.where(present, (values - centre) ** 2, 0.0).sum(axis=0) / number)
    scale = np.where(scale > 0, scale, 1.0)
    weights = np.zeros(size) if near is None else np.array(near.weights)
    if near is None and min(map(len, sides)) >= SPARSE * FEWEST_FITTED:
        weights = fitted([side[::SPARSE] for side in sides], centre, scale, weights)
    weights = fitted(sides, centre, scale, weights)
    return Score(keys, tuple(centre.tolist()), tuple(scale.tolist()), tuple(weights.tolist()))


def fitted(sides: Sequence[Floats], centre: Floats, scale: Floats, weights: Floats) -> Floats:
    """Return the weights of `Score` that fit the values of both sides, (n, k) each, by Newton steps from others."""
    parts = [
        (side[start : start + ROWS], label)
        for side, label in zip(sides, (1.0, 0.0), strict=True)
        for start in range(0, len(side), ROWS)
    ]
    inputs_of = lru_cache(maxsize=None if sum(map(len, sides)) * len(weights) <= HELD else 0)(
        lambda place: score_inputs(parts[place][0], centre, scale)
    )
    for _ in range(NEWTON_STEPS):
        slope, weighted = -RIDGE * weights, list[Floats]()
        for place, (_rows, label) in enumerate(parts):
            inputs = inputs_of(place)
            probability = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
            slope += inputs.T @ (label - probability)
            weighted.append(inputs * np.sqrt(probability * (1.0 - probability))[:, None])
        step = ridge_step(weighted, slope)
        weights = weights + step
        if np.square(step).max() < SETTLED:
            break
    return weights


def ridge_step(weighted: Sequence[Floats], slope: Floats) -> Floats:
    """Return (RIDGE + W^T W)^-1 slope, (k,), for rows W, (n, k) in parts: in n dimensions where n is less."""
    rows, size = sum(map(len, weighted)), len(slope)
    if rows >= size or not rows:
        return np.asarray(np.linalg.solve(RIDGE * np.eye(size) + sum(part.T @ part for part in weighted), slope))
    whole = np.concatenate(weighted)  # Woodbury's identity
    inner = np.linalg.solve(RIDGE * np.eye(rows) + whole @ whole.T, whole @ slope)
    return np.asarray((slope - whole.T @ inner) / RIDGE)


def telling_keys(left: Sample, right: Sample, most: int) -> tuple[str, ...]:
    """Return the columns; of more than `most` those whose mean or rate of release differs most between the sides."""
    if len(left.keys) <= most:
        return left.keys
    scores = np.zeros(len(left.keys))
    for transform in (np.isfinite, np.nan_to_num):
        a, b = (transform(side.values).astype(np.float64) for side in (left, right))
        apart = abs(a.mean(axis=0) - b.mean(axis=0)) / np.sqrt(a.var(axis=0) + b.var(axis=0) + 1e-12)
        scores = np.maximum(scores, apart)
    return tuple(left.keys[column] for column in np.argsort(-scores, kind="stable")[:most])


def telling_parts(left: Sample, right: Sample) -> tuple[Part, ...]:
    """Return the parts of the forms whose mean or presence differs most between the sides, MOST_PARTS at most.

    Of releases that are dictionaries of numbers there are none, unless the order of the same keys varies.
    """
    found: dict[str, NDArray[np.float64]] = {}
    for place, side in enumerate((left, right)):
        names, counts = side.forms
        for name, count in zip(names, counts.tolist(), strict=True):
            found.setdefault(name, np.zeros(2))[place] += count / len(side)
    forms = [name for name, rates in found.items() if rates.any() and not name.startswith(RAISED)]
    orders = {tuple(sorted(map(str, parts_of(form)))) for form in forms}
    if all(_PLAIN.fullmatch(form) for form in forms) and len(orders) == len(forms):
        return ()
    rates = np.array([found[form] for form in forms])
    scores: dict[Part, float] = {}
    for part in dict.fromkeys(part for form in forms[:MOST_FORMS] for part in parts_of(form)):
        column = np.array([parts_of(form).get(part, np.nan) for form in forms])
        for numbers in (np.isfinite(column).astype(np.float64), np.nan_to_num(column)):
            mean = numbers @ rates
            spread = float(((numbers[:, None] - mean) ** 2 * rates).sum())
            if spread > 0:
                scores[part] = max(scores.get(part, 0.0), abs(mean[0] - mean[1]) / np.sqrt(spread + 1e-12))
    return tuple(sorted(scores, key=lambda part: -scores[part])[:MOST_PARTS])


def close_pairs(left: Sample, right: Sample, keys: tuple[str, ...]) -> list[Difference]:
    """Return differences of columns that move together: candidates for noise in common, the most telling ones first.

    Args:
        left: past releases.
        right: past releases with the same columns.
        keys: columns to look at.
    """
    sides = [np.stack([side.column(key) for key in keys]) for side in (left, right)]
    matrix = np.concatenate(sides, axis=1)
    present = np.isfinite(matrix)
    means = np.where(present, matrix, 0.0).sum(axis=1) / np.maximum(1, present.sum(axis=1))
    centred = np.where(present, matrix - means[:, None], 0.0)
    products = centred @ centred.T
    power = np.diag(products)
    closeness = 2.0 * products / np.maximum(power[:, None] + power[None, :], 1e-12)
    first, second = np.triu_indices(len(keys), 1)
    nearest = np.argsort(-closeness[first, second], kind="stable")[:MOST_CLOSE_PAIRS_COMPARED]
    telling = []
    for place in nearest:
        mean_left, mean_right, spread = 0.0, 0.0, 0.0
        a, b = (side[first[place]] - side[second[place]] for side in sides)
        a, b = a[np.isfinite(a)], b[np.isfinite(b)]
        if len(a) and len(b):
            mean_left, mean_right, spread = float(a.mean()), float(b.mean()), float(a.std() + b.std())
        telling.append(abs(mean_left - mean_right) / (spread + 1e-6))
    best = nearest[np.argsort(-np.array(telling), kind="stable")[:MOST_CLOSE_PAIRS]]
    return [Difference(keys[first[place]], keys[second[place]]) for place in best]


def scalar_features(left: Sample, right: Sample, parts: tuple[Part, ...] = ()) -> tuple[Feature, ...]:
    """Return the catalogue of features for releases with these columns, simplest first.

    Args:
        left: past releases.
        right: past releases with the same columns.
        parts: of the forms of releases, the telling ones.
    """
    keys = telling_keys(left, right, MOST_KEYS)
    whole = all(np.all((side.values == np.round(side.values)) | np.isnan(side.values)) for side in (left, right))
    features: list[Feature] = [Value(key) for key in keys]
    if len(keys) > 1:
        features += [ReleasedCount(), Total(), Largest()]
    if len(keys) <= MOST_KEYS_IN_PAIRS:
        features += [Difference(a, b) for a, b in combinations(keys, 2)]
    else:
        features += close_pairs(left, right, left.keys[:MOST_KEYS_COMPARED])
    if not whole and len(keys) <= MOST_KEYS_IN_DETAIL:
        features += [FractionalPart(key) for key in keys]
        features += [LowestBit(key) for key in keys]
    features += [Value(part) for part in parts]
    return tuple(features)
