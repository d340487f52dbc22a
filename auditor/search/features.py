"""Features: numbers computed from one release, for events that compare them with thresholds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.forms import Part, part_table, parts_of
from auditor.target.worker import EXCEPTION_PREFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.statistics.sample import Sample

Floats = NDArray[np.float64]

MOST_KEYS_IN_DETAIL = 12
"""Most columns for which the fractional part and lowest bit of each are features."""
MOST_KEYS_IN_PAIRS = 7
"""Most columns for which every pairwise difference is a feature."""
MOST_KEYS = 64
"""Most columns that are features, chosen by difference between the sides; totals use all columns."""
MOST_PARTS = 32
"""Most parts of the forms of releases that are features."""
MOST_FORMS = 256
"""Most forms whose parts are compared."""
_PLAIN = re.compile(r'\{("(?:[^"\\]|\\.)*":#,?)*\}|#')
"""A dictionary of numbers, or a number."""
_KEY = re.compile(r'"(?:[^"\\]|\\.)*"|^#')
"""A quoted key of a dictionary of numbers, or a number that is the whole form."""
MOST_KEYS_COMPARED = 512
"""Most columns that are compared for common noise."""
MOST_CLOSE_PAIRS_COMPARED = 256
MOST_CLOSE_PAIRS = 8
"""With more columns, the number of differences that are features: of the most correlated columns."""
FRACTION_BITS, EXPONENTS = 52, 2047
"""Fraction bits of a double, and the largest number in its exponent bits."""
DIFFERENCE_DIGITS = 9
"""Decimals of a difference: noise shared by two keys cancels up to rounding, and leaves an atom."""


BEND = 1.5
"""Standard deviations at which the square of a value in a score is clipped."""
FARTHEST = 6.0
"""Standard deviations at which a value in a score is clipped."""
SCORE_DIGITS = 9
"""Decimals of a score."""
NAMED_TERMS = 6
"""Most terms of a score in its name."""

LONE = "the output"
"""Name of a number without a key: the release is this number."""


class Feature(Protocol):
    """A function of one release."""

    @property
    def text(self) -> str:
        """Name for people."""

    def column(self, sample: Sample) -> Floats:
        """Return the feature of each release, (n,); NaN where it has none."""


@dataclass(frozen=True)
class Value:
    """The number released under a key, or a part of the form of a release."""

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
    """The difference of two released numbers: detects noise that two keys share."""

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
    """The fractional part of a released number: detects noise off the integer grid of the counts."""

    key: str

    @property
    def text(self) -> str:
        """Name for people."""
        return f"fractional part of {self.key or LONE}"

    def column(self, sample: Sample) -> Floats:
        """Return `value - floor(value)`, in [0, 1)."""
        values = sample.column(self.key)
        return np.asarray(values - np.floor(values))


@dataclass(frozen=True)
class LowestBit:
    """The exponent of the lowest set bit of a released double: detects the set of reachable doubles.

    Adding noise to a larger count rounds to a coarser grid, so the lowest bit reveals the magnitude of the count.
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
        whole = fraction | np.minimum(exponent, 1) << FRACTION_BITS  # a subnormal number has no implicit bit
        zeros = np.bitwise_count((whole & -whole) - 1)
        lowest = np.maximum(exponent, 1) + zeros - float(FRACTION_BITS + EXPONENTS // 2)
        return np.asarray(np.where(np.isfinite(values), np.where(whole == 0, -1100.0, lowest), np.nan))


@dataclass(frozen=True)
class ReleasedCount:
    """The number of released keys."""

    text: str = "number of released keys"

    def column(self, sample: Sample) -> Floats:
        """Return the number of columns that are not NaN."""
        return sum((~np.isnan(column) for column in sample.values.T), np.zeros(len(sample)))


@dataclass(frozen=True)
class Total:
    """The sum of the released numbers."""

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
    """Log-odds of left against right, linear in each key's presence, standardised value and clipped square.

    The square is clipped at BEND standard deviations, like the privacy loss of most noise.

    Attributes:
        keys: the k columns.
        centre: (k,), subtracted from a value.
        scale: (k,), divisor of a centred value.
        weights: (1 + 3 k,): intercept, then presence, value, clipped square for each key.
    """

    keys: tuple[str | Part, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def text(self) -> str:
        """Name for people: the terms of largest weight, and the number of other terms."""
        names = [
            f"{kind}{key}{end}" for key in self.keys for kind, end in (("[", " released]"), ("z(", ")"), ("bent(", ")"))
        ]
        terms = sorted(zip(self.weights[1:], names, strict=True), key=lambda term: -abs(term[0]))
        labels = [f"{weight:+.3g} {name}" for weight, name in terms[:NAMED_TERMS] if weight]
        left = sum(weight != 0 for weight, _name in terms[NAMED_TERMS:])
        return f"score ({' '.join(labels)}{f' and {left} smaller terms' if left else ''})"

    def column(self, sample: Sample) -> Floats:
        """Return the scores, rounded, so that equal releases have equal scores in every block."""
        values = sample.columns(self.keys)
        centre, per_scale = np.array(self.centre)[:, None], 1.0 / np.array(self.scale)[:, None]
        released, slope, square = np.array(self.weights[1:]).reshape(-1, 3).T[:, :, None]
        scores = np.empty(len(values))
        rows = max(1, CACHED // max(1, len(self.keys)))
        for start in range(0, len(values), rows):
            # Equal to `score_inputs(...) @ weights`, in a sixth of the time.
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
    """Return the design matrix of `Score`, (n, 1 + 3 k), of released values, (n, k)."""
    present = ~np.isnan(values)
    standard = np.where(present, np.clip((values - centre) / scale, -FARTHEST, FARTHEST), 0.0)
    bent = np.clip(standard, -BEND, BEND) ** 2
    inputs = np.stack([present.astype(np.float64), standard, bent], axis=2).reshape(len(values), -1)
    return np.concatenate([np.ones((len(values), 1)), inputs], axis=1)


RIDGE = 1.0
NEWTON_STEPS = 8
SMALL_STEP = 1e-3
"""Largest squared component of the last Newton step; about the error that a Newton step leaves."""
WORK = 2**28
"""Most products in a Newton step; with many keys the score is fitted to fewer releases."""
FEWEST_FITTED = 2048
"""Fewest releases per dataset in a fit, for any number of keys."""
SPARSE = 8
"""A first fit uses every eighth release, if that leaves FEWEST_FITTED per dataset."""
CACHED = 2**15
"""Numbers scored at a time."""
ROWS = 8192
"""Releases per block of the design matrix."""
MOST_CACHED_INPUTS = 2**23
"""Most inputs that are stored between Newton steps; otherwise each step computes them again."""


def fit_score(left: Sample, right: Sample, keys: tuple[str | Part, ...], near: Score | None = None) -> Score:
    """Return the `Score` in given columns, fitted by ridge-penalised Newton steps; left is the positive class.

    Args:
        left: past releases of the left histogram.
        right: past releases of the right histogram.
        keys: columns of the score.
        near: a score with the first weights; None to start from a fit to a few of the releases.
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
        weights = fit_weights([side[::SPARSE] for side in sides], centre, scale, weights)
    weights = fit_weights(sides, centre, scale, weights)
    return Score(keys, tuple(centre.tolist()), tuple(scale.tolist()), tuple(weights.tolist()))


def fit_weights(sides: Sequence[Floats], centre: Floats, scale: Floats, weights: Floats) -> Floats:
    """Return the weights of `Score` fitted to the values of both sides, (n, k) each, by Newton steps from `weights`."""
    parts = [
        (side[start : start + ROWS], label)
        for side, label in zip(sides, (1.0, 0.0), strict=True)
        for start in range(0, len(side), ROWS)
    ]
    inputs_of = lru_cache(maxsize=None if sum(map(len, sides)) * len(weights) <= MOST_CACHED_INPUTS else 0)(
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
        if np.square(step).max() < SMALL_STEP:
            break
    return weights


def ridge_step(weighted: Sequence[Floats], slope: Floats) -> Floats:
    """Return (RIDGE + W^T W)^-1 slope, (k,), for rows W, (n, k) in parts; solved in n dimensions if n < k."""
    rows, size = sum(map(len, weighted)), len(slope)
    if rows >= size or not rows:
        return np.asarray(np.linalg.solve(RIDGE * np.eye(size) + sum(part.T @ part for part in weighted), slope))
    whole = np.concatenate(weighted)  # Woodbury's identity
    inner = np.linalg.solve(RIDGE * np.eye(rows) + whole @ whole.T, whole @ slope)
    return np.asarray((slope - whole.T @ inner) / RIDGE)


def distinguishing_keys(left: Sample, right: Sample, most: int) -> tuple[str, ...]:
    """Return at most `most` columns, chosen by largest difference of mean or of release rate between the sides."""
    if len(left.keys) <= most:
        return left.keys
    scores = np.zeros(len(left.keys))
    for transform in (np.isfinite, np.nan_to_num):
        a, b = (transform(side.values).astype(np.float64) for side in (left, right))
        apart = abs(a.mean(axis=0) - b.mean(axis=0)) / np.sqrt(a.var(axis=0) + b.var(axis=0) + 1e-12)
        scores = np.maximum(scores, apart)
    return tuple(left.keys[column] for column in np.argsort(-scores, kind="stable")[:most])


def distinguishing_parts(left: Sample, right: Sample) -> tuple[Part, ...]:
    """Return the parts of the forms whose mean or presence differs most between the sides, MOST_PARTS at most.

    The result is empty for dictionaries of numbers, unless the order of equal keys varies.
    """
    rates_of: dict[str, NDArray[np.float64]] = {}
    for place, side in enumerate((left, right)):
        names, counts = side.forms
        for name, count in zip(names, counts.tolist(), strict=True):
            rates_of.setdefault(name, np.zeros(2))[place] += count / len(side)
    forms = [name for name, rates in rates_of.items() if rates.any() and not name.startswith(EXCEPTION_PREFIX)]
    if all(_PLAIN.fullmatch(form) for form in forms):
        orders = {tuple(sorted(_KEY.findall(form))) for form in forms}
        if len(orders) == len(forms):
            return ()
    rates = np.array([rates_of[form] for form in forms])
    totals = rates.sum(axis=0)
    table = part_table(tuple(forms))
    scores: dict[str, float] = {}
    for name in dict.fromkeys(name for form in forms[:MOST_FORMS] for name in parts_of(form)):
        places, column = table[name]
        weights = rates[places]
        without = totals - weights.sum(axis=0)
        for numbers in (np.isfinite(column).astype(np.float64), np.nan_to_num(column)):
            mean = numbers @ weights
            spread = float((np.square(numbers[:, None] - mean) * weights).sum() + (np.square(mean) * without).sum())
            if spread > 0:
                scores[name] = max(scores.get(name, 0.0), abs(mean[0] - mean[1]) / np.sqrt(spread + 1e-12))
    return tuple(map(Part, sorted(scores, key=lambda name: -scores[name])[:MOST_PARTS]))


def close_pairs(left: Sample, right: Sample, keys: tuple[str, ...]) -> list[Difference]:
    """Return differences of correlated columns, which may share noise; largest difference between the sides first.

    Args:
        left: past releases.
        right: past releases with the columns of `left`.
        keys: columns to compare.
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
    contrasts = []
    for place in nearest:
        mean_left, mean_right, spread = 0.0, 0.0, 0.0
        a, b = (side[first[place]] - side[second[place]] for side in sides)
        a, b = a[np.isfinite(a)], b[np.isfinite(b)]
        if len(a) and len(b):
            mean_left, mean_right, spread = float(a.mean()), float(b.mean()), float(a.std() + b.std())
        contrasts.append(abs(mean_left - mean_right) / (spread + 1e-6))
    best = nearest[np.argsort(-np.array(contrasts), kind="stable")[:MOST_CLOSE_PAIRS]]
    return [Difference(keys[first[place]], keys[second[place]]) for place in best]


def scalar_features(left: Sample, right: Sample, parts: tuple[Part, ...] = ()) -> tuple[Feature, ...]:
    """Return the features of past releases, simplest first.

    Args:
        left: past releases.
        right: past releases with the columns of `left`.
        parts: parts of the forms that are features.
    """
    keys = distinguishing_keys(left, right, MOST_KEYS)
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
