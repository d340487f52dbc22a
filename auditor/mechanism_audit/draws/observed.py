"""Source lines that draw a mechanism's noise: the draws of both neighbours with equal randomness.

A line of text names the place of a draw, its frequency and its scale. It marks a number of draws or a scale that
depends on the data: with equal randomness on both sides, nothing else can have changed it. For additive noise on
counts, the text also gives a scale that satisfies the claim. This hint is derived from the law alone and is no verdict.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import log_ndtr, ndtri

from auditor.mechanism_audit.sampler import LOGGING, releases_key
from auditor.statistics.binomial import fewest_above, fewest_below, masses
from auditor.statistics.seeds import seed_of

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.draws.steered import SteeredTest
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Batch
    from proofs_numeric.statements.neighbours import Neighbours

RELEASES = 4
MORE_RELEASES = 64
"""Releases if the draws of `RELEASES` explain nothing: a branch of probability 0.1 draws in one of them."""
SAME_SHIFT = 0.05
"""Share of the largest difference within which differences of rounded numbers count as equal."""
MOST_LINES = 6
LOCATIONS = frozenset({"loc", "low", "high"})
"""Parameters of location, which a mechanism may take from its data."""
BISECTIONS = 60
DEVIATIONS = 4.0
"""Largest number of standard deviations between a share and the probability that it is matched with."""
COIN_DIGITS = 1e4
MOST_TOSSES = 2**20
TAIL = 1e-3
"""Share of delta in each tail of a binomial law that is left out."""
KEEPING = ("laplace", "normal", "standard_normal")
"""Methods for which the hint can name a scale."""


@dataclass
class LineDraws:
    """Draws of one line of the target by one method, on the left and on the right.

    Attributes:
        numbers: for each release, the number of values drawn.
        scales: values of each parameter other than locations.
        shared: whether a release draws fewer values than it has keys and columns.
    """

    numbers: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    scales: tuple[dict[str, set[float]], dict[str, set[float]]] = field(default_factory=lambda: ({}, {}))
    shared: bool = False

    def values(self, name: str, method: str) -> set[float]:
        """Return the values of a parameter that does not depend on the data; {1} for the scale of a standard normal."""
        left, right = self.scales
        if method == "standard_normal" and name == "scale":
            return {1.0}
        return left.get(name, set()) if left.get(name) == right.get(name, left.get(name)) else set()


@dataclass(frozen=True)
class Shift:
    """Difference of the released numbers of a pair with equal noise on both sides.

    Attributes:
        total: sum of the absolute differences.
        root: square root of the sum of their squares.
    """

    total: float
    root: float

    @classmethod
    def between(cls, left: Batch, right: Batch) -> Shift | None:
        """Return the shift; None if releases differ in form or by varying amounts, or if noise is missing."""
        if left.columns != right.columns or left.values.shape != right.values.shape:
            return None
        with np.errstate(invalid="ignore"):
            differences = left.values - right.values
        if not np.isfinite(differences).all():
            return None
        mean = differences.mean(axis=0)
        if (np.abs(differences - mean) > SAME_SHIFT * np.abs(mean).max(initial=0.0)).any():
            return None
        noisy = (np.ptp(left.values, axis=0) > 0) & (np.ptp(right.values, axis=0) > 0)
        if not noisy[mean != 0].all():
            return None
        return cls(float(np.abs(mean).sum()), float(np.sqrt((mean**2).sum())))


@dataclass(frozen=True)
class Draws:
    """Draws of both neighbours with equal randomness.

    Attributes:
        places: draws by (site, method), in the order of the target.
        shift: shift of the released numbers; None if it is not constant over the releases.
        released: first key of one side alone that is in each release of this side and in none of the other; "" if none.
    """

    places: dict[tuple[str, str], LineDraws]
    shift: Shift | None
    released: str = ""


def observe_draws(sampler: Sampler, pair: Neighbours, seed: int, releases: int = RELEASES) -> Draws:
    """Draw a few releases of both neighbours with equal randomness and return their draws."""
    places: dict[tuple[str, str], LineDraws] = {}
    batches = []
    for side, histogram in enumerate((pair.left, pair.right)):
        batch = sampler.batch(histogram, releases, seed_of(seed, "draws"), plan=LOGGING)
        batches.append(batch)
        for draws in batch.steered.logged if batch.steered is not None else []:
            totals: dict[tuple[str, str], int] = {}
            for site, method, _order, size, parameters in draws:
                totals[site, method] = totals.get((site, method), 0) + size
                each = places.setdefault((site, method), LineDraws())
                for name, value in parameters.items():
                    if name not in LOCATIONS:
                        values = value if isinstance(value, list) else [value]
                        each.scales[side].setdefault(name, set()).update(values)
            for place, total in totals.items():
                places[place].numbers[side].append(total)
                places[place].shared |= total < min(len(histogram), len(batch.columns))
    return Draws(places, Shift.between(*batches), _always_released(pair, *batches))


def _always_released(pair: Neighbours, left: Batch, right: Batch) -> str:
    """Return the first key of one side that is in each of its releases and in none of the other's; "" without one."""
    for here, there, batch, other in ((pair.left, pair.right, left, right), (pair.right, pair.left, right, left)):
        for key in here:
            if key not in there and releases_key(batch, key).all() and not releases_key(other, key).any():
                return key
    return ""


def _how_often(each: LineDraws, pair: Neighbours) -> str:
    left, right = each.numbers
    sides = (left, len(pair.left)), (right, len(pair.right))
    if all(number == keys for numbers, keys in sides for number in numbers):
        return "once a key"
    if not left or not right:
        return f"only on the {'left' if left else 'right'}"
    if left == right:
        few, many = min(left), max(left)
        return f"{few} a release" if few == many else f"{few} to {many} a release"
    return f"{_range(left)} a release on the left and {_range(right)} on the right"


def _range(numbers: list[int]) -> str:
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


def _values(values: set[float]) -> str:
    return ", ".join(f"{value:.6g}" for value in sorted(values)[:3]) + ("..." if len(values) > 3 else "")


def lines(
    places: Mapping[tuple[str, str], LineDraws],
    pair: Neighbours,
    result: BlackBoxResult | None,
    leak: SteeredTest | None,
    c_u: int,
    per_key: int = 1,
    scaled: Container[tuple[str, str]] = (),
    rho: float | None = None,
) -> list[str]:
    """Return a text for each place that draws: method, frequency, dependence on the data, and a hint for a repair.

    Args:
        places: the draws.
        pair: neighbouring pair.
        result: refutation; None if there is none.
        leak: importance-sampling test that refuted; None if there is none.
        c_u: largest number of keys that one user changes.
        per_key: largest change of one key by one user.
        scaled: (site, method) of draws that the target multiplies by another value, so that their scale is no guide.
        rho: claimed rho of zCDP; None for other claims.
    """
    texts = []
    for (site, method), each in list(places.items())[:MOST_LINES]:
        left, right = each.scales
        fixed = {name: values for name, values in left.items() if right.get(name, values) == values}
        described = ", ".join(f"{name}={_values(values)}" for name, values in fixed.items())
        parts = [f"{short(site)} draws {method}({described}) {_how_often(each, pair)}"]
        parts += [
            f"its {name} depends on the data: {_values(values)} on the left, {_values(right[name])} on the right"
            for name, values in left.items()
            if name not in fixed
        ]
        scales = each.values("scale", method)
        if result is not None and len(scales) == 1 and (site, method) not in scaled:
            (scale,) = scales
            if leak is not None and leak.exposed.keys:
                hint = threshold_that_keeps(leak, (site, method), scale, result.delta_claimed)
            elif pair.left.keys() == pair.right.keys():
                hint = scale_that_keeps(method, scale, result.epsilon, result.delta_claimed, c_u, per_key, rho)
            else:
                hint = None
            parts += [] if hint is None else [hint]
        texts.append("; ".join(parts))
    return texts


def short(site: str) -> str:
    """Return file:line without the folders."""
    path, _, line = site.rpartition(":")
    return f"{Path(path).name}:{line}"


def scale_that_keeps(
    method: str, scale: float, epsilon: float, delta: float, c_u: int, per_key: int = 1, rho: float | None = None
) -> str | None:
    """Return the scale that satisfies the claim for counts, as text; None if the scale does or none is known."""
    least = least_scale(method, epsilon, delta, c_u, per_key, rho) if method in KEEPING else None
    if least is None:
        return None
    keys = "a key" if c_u == 1 else f"{c_u} keys"
    return f"scale {up(least):g} suffices if a user changes {keys} by {per_key}" if scale < least else None


def least_scale(
    method: str, epsilon: float, delta: float, c_u: int, per_key: int = 1, rho: float | None = None
) -> float | None:
    """Return the smallest scale of noise on counts (the largest p for a geometric law); None if unknown.

    A user changes `c_u` counts by up to `per_key` each. Laws with a tail e^-(x / scale) need the sum of the changes
    over epsilon. Gaussian noise needs `gaussian_scale` for the root of the sum of squares. Under rho-zCDP it needs that
    root over sqrt(2 rho), because a single level of the curve requires less.
    """
    moved = c_u * per_key
    if epsilon > 0 and method in ("laplace", "exponential", "gumbel", "logistic"):
        return moved / epsilon
    if epsilon > 0 and method == "geometric":
        return -math.expm1(-epsilon / moved)
    if rho is not None and method in ("normal", "standard_normal"):
        return per_key * math.sqrt(c_u / (2 * rho))
    if delta > 0 and method in ("normal", "standard_normal"):
        return per_key * gaussian_scale(epsilon, delta, c_u)
    return None


@dataclass(frozen=True)
class Shares:
    """Shares of the releases of the two sides in the likeliest distinguishing event.

    Attributes:
        likelier, rarer: share on the side where the event is likelier, and on the other side.
        n: releases per dataset.
    """

    likelier: float
    rarer: float
    n: int


def chance_that_keeps(chance: float, shares: Shares, epsilon: float, delta: float) -> float | None:
    """Return the coin probability that satisfies (epsilon, delta) if the coin chooses truth or replacement.

    The replacement is uniform over m answers: all answers, or all but the truth. The result is rounded towards the
    claim.

    Args:
        chance: probability of the coin, for the truth or for its replacement.
        shares: shares of releases with this probability.
        epsilon: claimed epsilon.
        delta: claimed delta.

    Returns:
        The probability; None if the shares do not match exactly one such mechanism, or if the coin satisfies the claim.
    """
    e, candidates = math.exp(epsilon), set[float]()
    for truth, sign in ((chance, -1), (1.0 - chance, 1)):
        if not (0.0 < truth < 1.0 and shares.rarer > 0.0):
            continue
        answers = max(1, round((1.0 - truth) / shares.rarer))
        for of_all in (False, True) if answers > 1 else (False,):
            c = 1.0 / answers
            offset = c if of_all else 0.0
            laws = (shares.likelier, truth + offset * (1.0 - truth)), (shares.rarer, c * (1.0 - truth))
            if all(abs(share - p) <= DEVIATIONS * math.sqrt(p * (1.0 - p) / shares.n) for share, p in laws):
                most = (e * c - offset + delta) / (1.0 - offset + e * c)
                bound = most if sign < 0 else 1.0 - most
                candidates.add(
                    -sign * math.floor(-sign * bound * COIN_DIGITS) / COIN_DIGITS if 0.0 < most < truth else -1.0
                )
    (only,) = candidates if len(candidates) == 1 else (-1.0,)
    return only if 0.0 < only < 1.0 else None


def tosses_that_keep(p: float, epsilon: float, delta: float, c_u: int) -> int | None:
    """Return the fewest tosses whose number of heads, added to a count, satisfies (epsilon, delta); None if none.

    The condition is on the hockey-stick divergences of Binomial(n, p) and its shift by `c_u`, in both directions. The
    result is also None beyond `MOST_TOSSES`.
    """

    def keeps(n: int) -> bool:
        heads = np.arange(fewest_above(n, p, TAIL * delta), min(n, fewest_below(n, p, TAIL * delta)) + 1.0)
        law = masses(heads, n, p)
        here, moved = np.pad(law, (0, c_u)), np.pad(law, (c_u, 0))
        return all(np.maximum(a - math.exp(epsilon) * b, 0.0).sum() <= delta for a, b in ((here, moved), (moved, here)))

    if not (0.0 < p < 1.0 and 0.0 < delta < 1.0):
        return None
    count = bisect_left(range(1, MOST_TOSSES), True, key=keeps)  # noqa: FBT003
    return count + 1 if count + 1 < MOST_TOSSES else None


def threshold_that_keeps(leak: SteeredTest, place: tuple[str, str], scale: float, delta: float) -> str | None:
    """Return a text with the rise of the threshold at which a key is released with estimated probability delta.

    None if the release does not depend on a single number of this draw.
    """
    tilts = [tilt for component in leak.plan.tilts for tilt in component.items()]
    if len(tilts) != 1 or not 0 < delta < leak.estimate < 0.5:
        return None
    ((address, strength),) = tilts
    if strength <= 0 or (address.site, address.method) != place:
        return None
    if place[1] in ("laplace", "exponential"):
        more = scale * math.log(leak.estimate / delta)
    elif place[1] in ("normal", "standard_normal"):
        more = scale * float(ndtri(leak.estimate) - ndtri(delta))
    else:
        return None
    return f"a threshold higher by {up(more):g} achieves delta={delta:g} for a new key"


def gaussian_scale(epsilon: float, delta: float, c_u: int) -> float:
    """Return the least sigma, to about 1e-12, whose profile at sensitivity sqrt(c_u) is at most delta at epsilon.

    Source: Balle & Wang (2018), theorem 8.
    """

    def profile(sigma: float) -> float:
        mu = math.sqrt(c_u) / sigma
        first, second = (float(log_ndtr(sign * mu / 2 - epsilon / mu)) for sign in (1.0, -1.0))
        return math.exp(first) - math.exp(epsilon + second)

    low, high = 1e-3, 1e6
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if profile(middle) > delta else (low, middle)
    return high


def up(value: float) -> float:
    """Return the number rounded up to three significant digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return math.ceil(round(value / unit, 9)) * unit
