"""The integer sparse histogram with a whole sum beside every count, discrete Gaussian noise on both.

A released key takes its sum along, with noise of its own; a key that is held back takes it with it. Users add at most
`per_sum` to a sum, either way: clip first. One exact release costs two draws a key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.histogram import validate
from mechanisms.integer_sparse_histogram import mechanism as counts
from mechanisms.integer_sparse_histogram.mechanism import IntegerSparseHistogram, Rows, rows_profile, total_loss
from mechanisms.laws.privacy_loss import SumLoss
from mechanisms.mechanism import MechanismSpec, of_numbers
from mechanisms.noise.discrete_gaussian import Table, sample
from mechanisms.pair import ExactLaw
from proofs_numeric.thresholds.integer_profile import KEYS
from proofs_numeric.thresholds.integer_sums import moved_with_sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class IntegerSparseHistogramSums:
    """Whole counts and whole sums, thresholded by the count.

    Attributes:
        counts: noise and threshold of the counts.
        sigma_s: parameter of the sums' noise (units of the sums), 1/100 to 10^5, exact.
        contribution: in `release` and `release_many` a sum is count times this, its key `KEY.sum`; `release_table`
            takes the sums as they are.
    """

    counts: IntegerSparseHistogram
    sigma_s: Fraction
    contribution: int = 1
    releases_only_input_keys = False

    def __post_init__(self) -> None:
        """Refuse a scale without a table."""
        if not Fraction(1, 100) <= self.sigma_s <= 10**5:
            raise ValueError(f"expected 0.01 <= sigma_s <= 100000 (units of the sums), got {float(self.sigma_s):g}")

    def release_table(
        self, table: Mapping[str, tuple[int, int]], rng: np.random.Generator
    ) -> dict[str, tuple[float, int]]:
        """One exact release: key -> (count, sum), sums whole numbers of either sign.

        Raises:
            ValueError: a count is none, or a sum is no integer.
        """
        wrong = [key for key, (_count, total) in table.items() if not isinstance(total, int | np.integer)]
        if wrong:
            raise ValueError(
                f"expected whole sums (int), got {table[wrong[0]][1]!r} for {wrong[0]!r}; round them first"
            )
        shown = self.counts.release({key: count for key, (count, _total) in table.items()}, rng)
        return {
            key: (count, int(table[key][1]) + sample(rng, variance=self.sigma_s**2)) for key, count in shown.items()
        }

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One exact release of counts with sums that are count times contribution."""
        validate(histogram)
        table = {key: (count, int(count) * self.contribution) for key, count in histogram.items()}
        shown = self.release_table(table, rng)
        return {name: value for key, (count, total) in shown.items()
                for name, value in ((key, count), (f"{key}.sum", float(total)))}  # fmt: skip

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases by table, each draw within `Table`'s total variation; NaN where not released."""
        keys, values = self.counts.release_many(histogram, n, rng)
        totals = np.array([int(histogram[key]) * self.contribution for key in keys], dtype=np.int64)
        sums = np.where(np.isnan(values), np.nan, totals + Table(float(self.sigma_s)).sample(rng, values.shape))
        return (*keys, *(f"{key}.sum" for key in keys)), np.concatenate([values, sums], axis=1)


@of_numbers
def build(*, sigma_s: Value, per_sum: Value, per_key: Value = 1, **of_counts: Value) -> IntegerSparseHistogramSums:
    """The mechanism by the names of its claim: the sum is per_sum/per_key times the count, a whole number."""
    each = Fraction(per_sum) / Fraction(per_key)
    if each.denominator != 1 or each < 1:
        raise ValueError(f"expected per_sum a positive multiple of per_key={per_key}, got per_sum={per_sum}")
    return IntegerSparseHistogramSums(counts.build(per_key=per_key, **of_counts), Fraction(sigma_s), int(each))


def rows_loss(direction: Direction, *, rows: Rows, sigma_s: Fraction, per_sum: int, **at: Any) -> SumLoss:
    """Privacy loss of new keys, and of the totals of counts and of sums of those that move."""
    return SumLoss(
        (*counts.rows_loss(direction, rows=rows, **at).parts, total_loss(sigma_s, n=rows.moved, move=per_sum))
    )


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where new keys have one count, and the others lie far above the threshold and move alike."""
    rows = Rows.of(neighbours, parameters)
    if rows is None:
        return ExactLaw()
    at: dict[str, Any] = {"sigma": Fraction(parameters["sigma"]), "threshold": int(parameters["threshold"])}
    each = int(parameters["per_sum"]) // int(parameters.get("per_key", 1))
    sums: dict[str, Any] = {"sigma_s": Fraction(parameters["sigma_s"]), "per_sum": rows.move * each}
    return ExactLaw(
        partial(rows_profile, rows=rows, **at, moved=partial(moved_with_sums, **sums)),
        partial(rows_loss, rows=rows, **at, **sums),
    )


MECHANISM = MechanismSpec(
    id="integer_sparse_histogram_sums",
    title="sparse histogram with whole sums, discrete Gaussian noise on both",
    build=build,
    parameters={"sigma": 2, "threshold": 9, "c_u": 2, "per_key": 1, "sigma_s": 4, "per_sum": 2},
    guarantee_claim="thresholds.gaussian.integer.sums",
    source="a statement of this project; aggregates of wilkins2024, Theorem 5.4, on integers",
    privacy=KEYS,
    law=law,
)


def build_negative(**parameters: Value) -> IntegerSparseHistogramSums:
    """Build with sums that fall with the count."""
    mechanism = build(**parameters)
    return replace(mechanism, contribution=-mechanism.contribution)


FAULTS = (
    MECHANISM.broken(
        id="integer_sparse_histogram_sums_unclipped",
        title="users add twice what the sums are clipped to",
        caught_by="empirical.black_box",
        pair="moved",
        at={"per_sum": 4},
        epsilon=1,
        explanation="The noise is calibrated for sums that move by two; they move by four.",
    ),
)

CONTROLS = (
    MECHANISM.neutral(
        id="integer_sparse_histogram_sums_negative",
        title="users take from the sums what they might add",
        build=build_negative,
        pair="moved",
        epsilon=1,
        proof="The sums' noise is symmetric: a sum that falls by C is the mirror image of one that rises by it.",
    ),
)
