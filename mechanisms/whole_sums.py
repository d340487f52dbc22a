"""Whole sums beside the counts of a thresholded histogram, with discrete Gaussian noise of their own.

A released key takes its sum along; a key that is held back takes it with it. Users add at most `per_sum` to a sum,
either way: clip first. One exact release costs one draw a sum more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.histogram import Released, column, validate
from mechanisms.noise.discrete_gaussian import Table, sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Mechanism
    from proofs_numeric.arithmetic.formula import Value


@dataclass(frozen=True)
class WholeSums:
    """Counts and whole sums, thresholded by the count.

    Attributes:
        counts: noise and threshold of the counts.
        sigma_s: parameter of the sums' noise (units of the sums), 1/100 to 10^5, exact.
        contribution: in `release` and `release_many` a sum is count times this, and keys are those of two columns,
            `count` and `sum` (`mechanisms.histogram.column`); `release_table` takes the sums as they are.
    """

    counts: Mechanism
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
        counts = self.counts.release({key: count for key, (count, _total) in table.items()}, rng)
        return {
            key: (count, int(table[key][1]) + sample(rng, variance=self.sigma_s**2)) for key, count in counts.items()
        }

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One exact release of counts with sums that are count times contribution."""
        validate(histogram)
        table = {key: (count, int(count) * self.contribution) for key, count in histogram.items()}
        table_release = self.release_table(table, rng)
        return {
            column(name, key): float(value)
            for key, released in table_release.items()
            for name, value in zip(("count", "sum"), released, strict=True)
        }

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases by table, each draw within `Table`'s total variation; NaN where not released."""
        keys, values = self.counts.release_many(histogram, n, rng)
        totals = np.array([int(histogram[key]) * self.contribution for key in keys], dtype=np.int64)
        sums = np.where(np.isnan(values), np.nan, totals + Table(float(self.sigma_s)).sample(rng, values.shape))
        columns = tuple(column(name, key) for name in ("count", "sum") for key in keys)
        return columns, np.concatenate([values, sums], axis=1)


def beside(counts: Mechanism, *, sigma_s: Value, each: Value) -> WholeSums:
    """Counts with sums of which a user adds `each` per count.

    Raises:
        ValueError: `each` is no whole number >= 1.
    """
    contribution = Fraction(each)
    if contribution.denominator != 1 or contribution < 1:
        raise ValueError(f"expected per_sum a positive multiple of what a count moves by, got {each} times that")
    return WholeSums(counts, Fraction(sigma_s), int(contribution))


def falling(build: Callable[..., WholeSums], **parameters: Value) -> WholeSums:
    """Build with sums that fall where the count grows."""
    mechanism = build(**parameters)
    return replace(mechanism, contribution=-mechanism.contribution)
