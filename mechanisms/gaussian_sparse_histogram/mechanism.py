"""The Gaussian sparse histogram mechanism: Algorithm 1 of wilkins2024, with both thresholds and optional aggregates.

Statement: for each nonempty group with count C >= tau, draw v ~ N(0, sigma^2); if C + v >= tau*, release C + v and,
where aggregates are asked for, A + m with m ~ N(0, Sigma). Its exact delta depends on (tau, tau*) only through the gap
tau* - tau (Theorem 5.4), for integer tau >= 1.

Floating point: which doubles C + v can reach depends on C, so a release in doubles is not the theorem's mechanism. The
decision is taken on the unrounded sum, and what is released is rounded to a declared grid: post-processing in the
real-number model, and coarse enough that the low bits of the sum are gone. Keys come out in the order of their names.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.law import law
from mechanisms.histogram import Counts, Histogram, Released, column
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, of_numbers
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import symbol, symbols
from proofs_numeric.wilkins2024.neighbours import FAR, SPARSE_HISTOGRAM

_BLOCK = 16_384
"""Values handled at a time: 128 KiB of doubles stay in the second-level cache through every pass."""


@dataclass(frozen=True)
class Aggregates:
    """The aggregation function A of Algorithm 1 and its noise.

    Attributes:
        names: one name a column, none "count" or with a "/".
        contribution: what one record adds to each column (its bound, where records differ).
        covariance: Sigma, the covariance of the columns' noise; symmetric positive definite.
    """

    names: tuple[str, ...]
    contribution: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        """Refuse shapes that do not match and a Sigma that is no covariance."""
        width, sigma = len(self.names), np.asarray(self.covariance, dtype=np.float64)
        if len({"count", *self.names}) <= width or any("/" in name for name in self.names):
            raise ValueError(f"expected names that differ, none 'count' or with a '/', got {self.names}")
        if width == 0 or len(self.contribution) != width or sigma.shape != (width, width):
            raise ValueError(
                f"expected contribution of length {width} and Sigma of shape {(width, width)} for {self.names}, "
                f"got {len(self.contribution)} and {sigma.shape}"
            )
        if not np.array_equal(sigma, sigma.T) or not np.all(np.linalg.eigvalsh(sigma) > 0):
            raise ValueError(f"expected a symmetric positive definite Sigma, got {self.covariance}")

    @property
    def factor(self) -> NDArray[np.float64]:
        """Lower triangular L with L L^T = Sigma: standard normals times L^T have covariance Sigma."""
        return np.linalg.cholesky(np.asarray(self.covariance, dtype=np.float64))

    def mu_o(self, differences: Iterable[Sequence[float]] = ()) -> float:
        """Distance mu_o of equation (5.1): max of sqrt(d^T Sigma^-1 d) over the differences d of one group.

        Args:
            differences: A(X, G) - A(X', G) over groups and neighbours; by default the contribution of one record.
        """
        whitened = np.linalg.solve(self.factor, np.asarray(list(differences) or [self.contribution]).T)
        return float(np.sqrt(np.max(np.sum(whitened**2, axis=0))))


@dataclass(frozen=True)
class GaussianSparseHistogram(BatchMechanism):
    """Algorithm 1 (wilkins2024 Section 3).

    Attributes:
        tau: groups with fewer users are never released; an integer >= 1 (users).
        tau_star: groups whose noisy count is below are not released; finite, > 0 (users), real.
        sigma: standard deviation of the count's noise; finite, > 0 (users).
        aggregates: further columns, or None. In `release` and `release_many` every record contributes the same vector:
            a column is count * contribution, keys are those of columns, `count` and these (`histogram.column`);
            `release_table` takes the columns as they are.
        grid: released values are rounded to the nearest multiple; a power of two, so that multiples are exact.
        lower_boundary: whether a count equal to tau passes.
        upper_boundary: whether a noisy count equal to tau* passes (probability 0 in the real-number model).
    """

    tau: int
    tau_star: float
    sigma: float
    aggregates: Aggregates | None = None
    grid: float = 2.0**-10
    lower_boundary: Boundary = Boundary.INCLUSIVE
    upper_boundary: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters under which the printed delta would be wrong or the noise would be no noise."""
        check_tau(self.tau)
        if not 0 < self.tau_star < math.inf:
            raise ValueError(f"expected 0 < tau_star < infinity (users), got tau_star={self.tau_star}")
        if not 0 < self.sigma < math.inf:
            raise ValueError(f"expected 0 < sigma < infinity (users), got sigma={self.sigma}")
        if not 0 < self.grid < math.inf or math.frexp(self.grid)[0] != 0.5:
            raise ValueError(
                f"expected grid to be a power of two (users), got grid={self.grid}; multiples are then exact"
            )

    @property
    def releases_only_input_keys(self) -> bool:  # type: ignore[override]
        """Whether released keys are keys of the input: columns of aggregates have keys of their own."""
        return self.aggregates is None

    @property
    def least_count(self) -> int:
        """Smallest count that can be released: the tau of the theorem."""
        return self.tau if self.lower_boundary is Boundary.INCLUSIVE else self.tau + 1

    @property
    def gap(self) -> float:
        """The tau* - tau of Theorem 5.4, for accounting."""
        return self.tau_star - self.least_count

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key in the order of names (then its aggregates), NaN where not released.

        Raises:
            ValueError: the histogram is not one (`mechanisms.histogram.validate`).
        """
        keys, counts = self._columns(histogram)
        released = self._noisy_counts(counts, n, rng)
        if self.aggregates is None:
            return keys, released
        values = counts[:, None] * np.asarray(self.aggregates.contribution)
        columns = tuple(column(name, key) for key in keys for name in ("count", *self.aggregates.names))
        table = np.concatenate([released[:, :, None], self._noisy_values(values, released, rng)], axis=2)
        return columns, table.reshape(n, len(columns))

    def release_table(
        self, table: Mapping[str, tuple[int, Sequence[float]]], rng: np.random.Generator
    ) -> dict[str, tuple[float, ...]]:
        """One release of groups with their aggregates: key -> (count, values of A).

        Raises:
            ValueError: a count is no count, or a row has not one finite value for each column of `aggregates`.
        """
        keys, counts = self._columns({key: count for key, (count, _values) in table.items()})
        released = self._noisy_counts(counts, 1, rng)
        if self.aggregates is not None:
            values = np.asarray([table[key][1] for key in keys], dtype=np.float64).reshape(len(keys), -1)
            expected = (len(keys), len(self.aggregates.names))
            if keys and (values.shape != expected or not np.all(np.isfinite(values))):
                raise ValueError(f"expected finite aggregates of shape {expected}, got shape {values.shape}: {values}")
            noisy = self._noisy_values(values.reshape(expected), released, rng)[0]
        else:
            noisy = np.empty((len(keys), 0))
        return {
            key: (count, *row)
            for key, count, row in zip(keys, released[0].tolist(), noisy.tolist(), strict=True)
            if not math.isnan(count)
        }

    def _columns(self, histogram: Histogram) -> Released:
        counts = histogram if isinstance(histogram, Counts) else Counts(histogram)
        if counts.largest > 2**52 * self.grid:
            raise ValueError(
                f"expected counts <= 2^52 grid steps of {self.grid}, got {counts.largest}; choose a larger grid"
            )
        return counts.names, counts.array

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Shape (n, len(counts)): rounded noisy counts, NaN where a threshold holds them back."""
        visited = counts >= self.least_count
        if not np.all(visited):
            values = np.full((n, counts.size), np.nan)
            values[:, visited] = self._noisy_counts(counts[visited], n, rng)
            return values
        values = np.empty((n, counts.size))
        # In units of the grid (a power of two: exact) rounding is one call.
        shift, scale, threshold = counts / self.grid, self.sigma / self.grid, self.tau_star / self.grid
        below = np.less if self.upper_boundary is Boundary.INCLUSIVE else np.less_equal
        rows = max(1, _BLOCK // max(1, counts.size))
        for start in range(0, n, rows):
            block = values[start : start + rows]
            rng.standard_normal(out=block)
            block *= scale
            block += shift
            is_withheld = below(block, threshold)
            np.rint(block, out=block)
            block *= self.grid
            block[is_withheld] = np.nan
        return values

    def _noisy_values(
        self, values: ArrayLike, released: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Shape released.shape + (columns,): rounded noisy aggregates of released groups, NaN elsewhere."""
        assert self.aggregates is not None  # noqa: S101  # callers branch on it
        noise = rng.standard_normal((*released.shape, len(self.aggregates.names))) @ self.aggregates.factor.T
        noisy = round_to_grid(np.asarray(values) + noise, self.grid)
        noisy[np.isnan(released)] = np.nan
        return noisy


def check_tau(tau: object) -> None:
    """Refuse a tau at which Theorem 5.4, read at gap tau* - tau, understates delta.

    Raises:
        ValueError: tau is not an integer >= 1, with the reason and the value to pass.
    """
    if isinstance(tau, int | np.integer) and not isinstance(tau, bool) and tau >= 1:
        return
    acts_as = max(1, math.ceil(tau)) if isinstance(tau, int | float | Fraction) and -math.inf < tau < math.inf else 1
    raise ValueError(
        f"expected an integer tau >= 1 (users), got tau={tau}; counts are integers and only nonempty groups visited: "
        f"it would act as tau={acts_as} and the delta at gap tau_star - {tau} would be too small; pass tau={acts_as}"
    )


def round_to_grid(values: NDArray[np.float64], grid: float) -> NDArray[np.float64]:
    """Nearest multiples of the grid (a power of two), ties to even."""
    return np.rint(values / grid) * grid


def grid_for(sigma: float) -> float:
    """Grid of a release: the power of two at or below sigma / 1024, a function of public parameters only."""
    return 2.0 ** (math.frexp(sigma)[1] - 11)


@of_numbers
def build(*, c_u: Value, sigma: Value, gap: Value, mu_o: Value = 0, tau: Value = 1) -> GaussianSparseHistogram:
    """Algorithm 1 by the names of Theorem 5.4; with mu_o > 0 one aggregate column `value` of variance 1 / mu_o^2.

    Args:
        c_u: groups a user may touch; enforced on the records beforehand, so it does not enter the release.
        sigma: standard deviation (users).
        gap: tau* - tau (users).
        mu_o: distance contributed by the aggregates of one group (no unit).
        tau: lower threshold (users).
    """
    if Fraction(c_u) < 1 or Fraction(c_u).denominator != 1:
        raise ValueError(f"expected an integer c_u >= 1 (rows), got c_u={c_u}")
    for name, value in (("sigma", sigma), ("gap", gap), ("mu_o", mu_o), ("tau", tau)):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"expected a finite {name} (users), got {name}={value}")
    lower = Fraction(tau)
    check_tau(int(lower) if lower.denominator == 1 else lower)
    distance = Fraction(mu_o)
    return GaussianSparseHistogram(
        tau=int(lower),
        tau_star=float(lower + Fraction(gap)),
        sigma=float(Fraction(sigma)),
        aggregates=Aggregates(("value",), (1.0,), ((float(1 / distance**2),),)) if distance else None,
        grid=grid_for(float(Fraction(sigma))),
    )


MECHANISM = MechanismSpec(
    id="gaussian_sparse_histogram", title="Gaussian sparse histogram mechanism (Algorithm 1)", build=build,
    parameters={"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}, guarantee_claim="wilkins2024.thm5.4",
    source="wilkins2024, Section 3, Algorithm 1; Theorem 5.4", privacy=SPARSE_HISTOGRAM, law=law,
)  # fmt: skip


_SIGMA, _FIRST_SIGMA = symbols("sigma sigma_1")
_BY_LOOSER_RULES = Calibrator(
    id=f"{MECHANISM.id}_f_dp", mechanism=MECHANISM.id, claim="wilkins2024.thm7.1", release="counts_by_looser_rules",
    users={"c_u": "keys"}, noise="sigma", threshold="gap", limit_threshold=FAR * _SIGMA, deviation=_SIGMA,
    first_count=1,
)  # fmt: skip
_ADDED = replace(
    _BY_LOOSER_RULES, id=f"{MECHANISM.id}_added", claim="wilkins2024.cor5.4.1.ub", noise_share=Fraction(3, 4)
)
CALIBRATORS = (
    replace(
        _BY_LOOSER_RULES, id=MECHANISM.id, mechanism="", claim="wilkins2024.thm5.4", release="counts",
        least={
            "sigma": "wilkins2024.thm5.4.sigma", "gap": "wilkins2024.thm5.4.gap",
            "epsilon": "wilkins2024.thm5.4.epsilon",
        },
    ),
    _BY_LOOSER_RULES,
    _ADDED,
    replace(
        _ADDED, id=f"{MECHANISM.id}_adaptive", claim="wilkins2024.composition.adaptive", release="adaptive_counts",
        users={"c_u": "keys", "releases": "releases"},
    ),
    replace(
        _BY_LOOSER_RULES, id=f"{MECHANISM.id}_repeated", claim="wilkins2024.composition.equal",
        release="repeated_counts", users={"c_u": "keys", "releases": "releases"},
    ),
    replace(
        _BY_LOOSER_RULES, id=f"{MECHANISM.id}_fixed", claim="wilkins2024.composition.fixed", release="two_releases",
        users={"rows_1": "keys"}, noise="sigma_1", threshold="gap_1", limit_threshold=FAR * _FIRST_SIGMA,
        deviation=_FIRST_SIGMA,
        follows={"rows_2": symbol("rows_1"), "sigma_2": _FIRST_SIGMA, "gap_2": symbol("gap_1")},
    ),
)  # fmt: skip
"""Releases fixed in advance are two equal ones, unless the second has values of its own."""
