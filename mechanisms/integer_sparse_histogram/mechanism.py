"""The integer sparse histogram: each nonempty key's count plus discrete Gaussian noise, released if at least T.

Statement: for each key with count C >= 1 draw Z, P[Z = x] proportional to exp(-x^2/(2 sigma^2)) on the integers, and
release C + Z if it is at least T. `release` draws exactly, in integers and fractions: there is no rounding to argue
away, and the law is the theorem's. `release_many` inverts a table of doubles (`mechanisms.noise.discrete_gaussian`).
On integers the comparison matters: it is a field, and ">=" is the claim's.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Released, check_releases, validate
from mechanisms.laws.privacy_loss import AtomLoss, DiscreteLoss, SumLoss
from mechanisms.mechanism import Boundary, MechanismSpec, of_numbers
from mechanisms.noise.discrete_gaussian import Table, sample
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.discrete_gaussian import moved_profile, sum_masses
from proofs_numeric.expression import symbols
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.integer import discrete_gaussian_tail
from proofs_numeric.thresholds.integer_profile import KEYS
from proofs_numeric.wilkins2024.neighbours import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours

_FAR = 30
"""Standard deviations above the threshold at which a key is released but for a probability below 1e-190."""
_LARGEST = 2**53


class WholeCounts(ABC):
    """Whole counts with noise on the integers, thresholded; subclasses are dataclasses with these fields.

    Attributes:
        threshold: least noisy count that is released (counts), an integer >= 1.
        boundary: whether a noisy count equal to the threshold passes.
    """

    threshold: int
    boundary: Boundary
    releases_only_input_keys = True

    def __post_init__(self) -> None:
        """Refuse a threshold that is no whole count."""
        if isinstance(self.threshold, bool) or not isinstance(self.threshold, int) or self.threshold < 1:
            raise ValueError(f"expected an integer threshold >= 1 (counts), got threshold={self.threshold!r}")

    @property
    def least(self) -> int:
        """Smallest noisy count that is released."""
        return self.threshold + (self.boundary is Boundary.EXCLUSIVE)

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> int:
        """Return one exact draw of the noise."""

    @abstractmethod
    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return many draws, fast."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One exact release."""
        keys, counts = _columns(histogram)
        noisy = {key: int(count) + self.draw(rng) for key, count in zip(keys, counts, strict=True)}
        return {key: float(count) for key, count in noisy.items() if count >= self.least}

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases by fast draws; NaN where not released."""
        check_releases(n)
        keys, counts = _columns(histogram)
        noisy = counts + self.noise((n, len(keys)), rng)
        return keys, np.where(noisy >= self.least, noisy.astype(np.float64), np.nan)


@dataclass(frozen=True)
class IntegerSparseHistogram(WholeCounts):
    """Whole counts with discrete Gaussian noise, thresholded.

    Attributes:
        sigma: parameter of the noise (counts), 1/100 to 10^5, exact.
        threshold, boundary: as of `WholeCounts`.
    """

    sigma: Fraction
    threshold: int
    boundary: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse a scale without a table, too."""
        super().__post_init__()
        if not Fraction(1, 100) <= self.sigma <= 10**5:
            raise ValueError(f"expected 0.01 <= sigma <= 100000 (counts), got sigma={float(self.sigma):g}")

    def draw(self, rng: np.random.Generator) -> int:
        """One exact draw."""
        return sample(rng, variance=self.sigma**2)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Draws by table, each within `Table`'s total variation."""
        return Table(float(self.sigma)).sample(rng, shape)


def _columns(histogram: Histogram) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    validate(histogram)
    keys = tuple(sorted(key for key, count in histogram.items() if count))
    if max(histogram.values(), default=0) > _LARGEST:
        raise ValueError("expected counts <= 2^53, which doubles hold exactly, got a larger one; count in larger units")
    return keys, np.array([histogram[key] for key in keys], dtype=np.int64)


@of_numbers
def build(*, sigma: Value, threshold: Value, c_u: Value = 1, per_key: Value = 1) -> IntegerSparseHistogram:
    """The mechanism by the names of its claim; c_u and per_key are enforced on the records beforehand."""
    check_whole(threshold=threshold, c_u=c_u, per_key=per_key)
    return IntegerSparseHistogram(Fraction(sigma), int(Fraction(threshold)))


def check_whole(**counts: Value) -> None:
    """Raise ValueError unless each is an integer >= 1."""
    for name, value in counts.items():
        if Fraction(value).denominator != 1 or Fraction(value) < 1:
            raise ValueError(f"expected an integer {name} >= 1, got {name}={value}")


Moved = Callable[..., Any]
"""(A, epsilon, n=, sigma=, per_key=) -> hockey stick of n keys far above the threshold that move by per_key."""


def rows_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    rows: Rows,
    sigma: Fraction,
    threshold: int,
    moved: Moved = moved_profile,
) -> Any:
    """Exact hockey stick of ``rows.new`` keys of one count beside ``rows.moved`` far above T that move alike."""
    rate = -A.log1p(-discrete_gaussian_tail(A, A.number(sigma), threshold - rows.count)) * rows.new
    far: dict[str, Any] = {"n": rows.moved, "sigma": sigma, "per_key": rows.move}
    if direction is Direction.FORWARD:
        return -A.expm1(-rate) + A.exp(-rate) * moved(A, A.number(epsilon) + rate, **far)
    return moved(A, A.number(epsilon) - rate, **far)


def rows_loss(direction: Direction, *, rows: Rows, sigma: Fraction, threshold: int) -> SumLoss:
    """Privacy loss of the same pair: whether a new key passes, and the total of the noises of those that move."""
    hidden = rows.new * math.log1p(-discrete_gaussian_tail(Float64(), np.float64(sigma), threshold - rows.count))
    new = AtomLoss(hidden, hidden) if direction is Direction.FORWARD else AtomLoss(-hidden)
    return SumLoss((new, total_loss(sigma, n=rows.moved, move=rows.move)))


def total_loss(sigma: Fraction, *, n: int, move: int) -> DiscreteLoss:
    """Privacy loss of n values that move alike, in either order: (2 move t + n move^2)/(2 sigma^2), t their noise."""
    masses, _outside = sum_masses(Float64(), np.float64(sigma), n)
    t = np.arange(len(masses[n])) - len(masses[n]) // 2
    values = (2 * move * t + n * move**2) / (2 * float(sigma) ** 2)
    return DiscreteLoss(tuple(values.tolist()), tuple(masses[n].tolist()))


@dataclass(frozen=True)
class Rows:
    """A pair whose new keys have one count, and whose others lie far above the threshold and move alike."""

    new: int
    count: int
    moved: int
    move: int

    @staticmethod
    def of(neighbours: Neighbours, parameters: Parameters, *, noise: str = "sigma", scales: int = _FAR) -> Rows | None:
        """What the neighbours are, if they are such a pair; so many scales of the noise above the threshold is far."""
        far = int(parameters["threshold"]) + scales * Fraction(parameters[noise])
        changes = [*neighbours.changes.values()]
        new = [here for here, there in changes if there == 0]
        moves = [here - there for here, there in changes if there]
        alike = len({*new}) <= 1 and len({*moves}) <= 1 and min(moves, default=1) > 0
        if not alike or any(0 < there < far for _here, there in changes):
            return None
        return Rows(len(new), max(new, default=0), len(moves), max(moves, default=1))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law of such a pair; else none is known."""
    rows = Rows.of(neighbours, parameters)
    if rows is None:
        return ExactLaw()
    at: dict[str, Any] = {"sigma": Fraction(parameters["sigma"]), "threshold": int(parameters["threshold"])}
    return ExactLaw(partial(rows_profile, rows=rows, **at), partial(rows_loss, rows=rows, **at))


MECHANISM = MechanismSpec(
    id="integer_sparse_histogram", title="sparse histogram with discrete Gaussian noise", build=build,
    parameters={"sigma": 2, "threshold": 7, "c_u": 2, "per_key": 1},
    guarantee_claim="thresholds.gaussian.integer.profile",
    source="a statement of this project; noise of Canonne, Kamath and Steinke 2020", privacy=KEYS, law=law,
)  # fmt: skip


_SIGMA, _PER_KEY = symbols("sigma per_key")
COUNTS = Calibrator(
    id=MECHANISM.id, claim="thresholds.gaussian.integer.profile", release="counts",
    users={"c_u": "keys", "per_key": "per_key"}, noise="sigma", threshold="threshold",
    limit_threshold=_PER_KEY + FAR * _SIGMA, deviation=_SIGMA,
)  # fmt: skip
CALIBRATORS = (
    COUNTS,
    replace(
        COUNTS, id=f"{MECHANISM.id}_adaptive", mechanism=MECHANISM.id, claim="thresholds.gaussian.integer.releases",
        release="adaptive_counts", users={**COUNTS.users, "releases": "releases"}, noise_share=Fraction(3, 4),
    ),
)  # fmt: skip
