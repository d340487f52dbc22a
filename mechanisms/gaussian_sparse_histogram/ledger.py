"""A ledger of releases of sparse histograms and of lists: what the budget does not cover is refused.

(epsilon, delta) is split in advance into a budget for rows at the threshold and one for rows far above it; within them
everything may be chosen after the earlier releases were seen: data, sigma, thresholds, the number of releases
(`proofs_numeric`, claim wilkins2024.composition.filter). Releases of other mechanisms are covered too: `release` of
`mechanisms.unknown_domain.histogram.accountant` and `mechanisms.integer_sparse_histogram.accountant`, `cost` of
`mechanisms.unknown_domain.gumbel.accountant` and `mechanisms.correlated_stability_histogram.composed_accountant`.
Adding up rho and delta of each costs more noise.

Where nothing that was released decides what is released next, a `Schedule` composes the exact profiles of the releases
of sparse histograms, with no split in advance. Of other mechanisms it knows the same pairs as the ledger, and of
correlated histograms, where data is fixed in advance, one pair for each number of new counters (`Cost.pairs`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release, adaptive_bounds, counted, path_bounds
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024.range_pool import pooled_square
from proofs_numeric.statements.concentrated import BudgetError

_ROUNDING = 1e-12
"""Budgets are this much below their values in doubles."""
_ROUNDING_OF_PICKS = 1e-10
"""Above the rounding of a pool."""
_NEVER_NEW = 1000.0
"""A gap in deviations at which a row at its threshold names nothing: in doubles exactly, in balls by 1e-217000."""

Parts = list[tuple[float, float]]
"""Losses and squares."""


@dataclass(frozen=True)
class Cost:
    """What a release of another mechanism takes, if it is dominated by a pair that names the side or is Gaussian.

    Attributes:
        loss: minus the logarithm of the probability that nothing names the side, >= 0 and finite (nats).
        square: squared distance of the Gaussian pair, >= 0 and finite.
        pairs: where each two neighbours are dominated by one of several pairs, the loss and square of each.
        picks: where the square is that of so many picks of labels, which a `Schedule` pools with others'.
        beta: scale of their Gumbel noise (counts).
    """

    loss: float
    square: float
    pairs: tuple[tuple[float, float], ...] = ()
    picks: int = 0
    beta: float = 1.0
    c_u: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        """Refuse what is no cost."""
        for name in ("loss", "square"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"expected 0 <= {name} < infinity, got {name}={getattr(self, name)}")
        for pair in self.pairs:
            if not (0 <= pair[0] <= self.loss and 0 <= pair[1] <= self.square):
                raise ValueError(f"expected pairs within loss {self.loss:.6g} and square {self.square:.6g}, got {pair}")

    @functools.cached_property
    def steps(self) -> tuple[float, Parts]:
        """What every pair loses, and parts that lose a loss or keep a square: no pair has more of both than a path.

        The squares are those of the least concave function of the loss above all pairs.
        """
        pairs = self.pairs or ((self.loss, self.square),)
        hull = [(min(loss for loss, _square in pairs), self.square)]
        for loss, square in sorted(pairs):
            if loss == hull[-1][0]:
                continue
            while len(hull) > 1 and _is_below(hull[-1], hull[-2], (loss, square)):
                hull.pop()
            hull.append((loss, square))
        falls = [(after[0] - before[0], before[1] - after[1]) for before, after in itertools.pairwise(hull)]
        return hull[0][0], [*falls, (0.0, hull[-1][1])]


@functools.lru_cache(maxsize=1024)
def square_of_picks(n: int, beta: float) -> float:
    """Square of a Gaussian pair that n picks of labels are no worse than (rogers2024.range.pool), rounded up."""
    return float(pooled_square(Float64(), n=n, beta=np.float64(beta))) * (1 + _ROUNDING_OF_PICKS)


def _pooled(costs: list[Cost]) -> list[Cost]:
    """The costs, picks at the same noise taken together."""
    lists: dict[float, list[Cost]] = {}
    for cost in costs:
        if cost.picks:
            lists.setdefault(cost.beta, []).append(cost)
    together = [
        Cost(math.fsum(one.loss for one in each), square_of_picks(sum(one.picks for one in each), beta))
        for beta, each in lists.items()
    ]
    return [*(cost for cost in costs if not cost.picks), *together]


def _is_below(point: tuple[float, float], left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether a point is not above the chord."""
    return (point[1] - left[1]) * (right[0] - left[0]) <= (right[1] - left[1]) * (point[0] - left[0])


@dataclass(frozen=True)
class Ledger:
    """Budgets, and the releases that were covered.

    Attributes:
        epsilon: of everything together, >= 0 (nats).
        delta: of everything together, 0 < delta < 1.
        share: part of delta that rows at their thresholds may use, 0 < share < 1; the noise pays for the rest.
        releases: covered so far, in order.
    """

    epsilon: float
    delta: float
    share: float = 0.25
    releases: tuple[Release | Cost, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        exact.check_epsilon(self.epsilon)
        for name in ("delta", "share"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"expected 0 < {name} < 1, got {name}={getattr(self, name)}")

    @property
    def loss(self) -> float:
        """Lam, budget of the sum of C L: ``1 - e^-Lam = share delta``."""
        return -math.log1p(-self.share * self.delta) * (1 - _ROUNDING)

    @functools.cached_property
    def mu(self) -> float:
        """M, root of the budget of the sum of C k^2: ``1 - e^-Lam + e^-Lam f(M, epsilon) = delta``."""
        rest = (1 - self.share) * self.delta / (1 - self.share * self.delta)
        return exact.mu(1, exact.sigma(self.epsilon, rest, c_u=1), 0.0) * (1 - _ROUNDING)

    @property
    def loss_left(self) -> float:
        """What is left of Lam."""
        return self.loss - math.fsum(release.c_u * release.loss for release in self.releases)

    @property
    def square_left(self) -> float:
        """What is left of M^2."""
        return self.mu**2 - math.fsum(release.c_u * release.square for release in self.releases)

    def spend(self, release: Release | Cost) -> Ledger:
        """Return the ledger with one more release.

        Raises:
            TypeError: something else than a release or a cost.
            BudgetError: the release is not covered, with what it needs and what is left.
        """
        _require_known(release)
        for name, needed, left, remedy in (
            ("C L of rows at the threshold", release.c_u * release.loss, self.loss_left, "a larger gap"),
            ("C k^2 of rows far above", release.c_u * release.square, self.square_left, "more noise"),
        ):
            if not needed <= left:
                raise BudgetError(
                    f"expected {name} <= {max(left, 0):.6g}, what is left for release {len(self.releases) + 1}, got "
                    f"{needed:.6g}; it needs {remedy}, or fewer rows"
                )
        return replace(self, releases=(*self.releases, release))

    def equal(self, times: int, *, c_u: int) -> Release:
        """Return the release of least noise and gap that what is left covers `times` times, without aggregates.

        Raises:
            ValueError: no release, or no row.
            BudgetError: nothing is left.
        """
        if not (times >= 1 and times % 1 == 0):
            raise ValueError(f"expected an integer times >= 1, got times={times}")
        exact.check(c_u=c_u, sigma=1.0, gap=0.0, mu_o=0.0)
        rows, loss, square = times * c_u, self.loss_left, self.square_left
        if loss <= 0 or square <= 0:
            raise BudgetError(f"expected something left of both budgets, got loss {loss:.6g} and square {square:.6g}")
        sigma = math.sqrt(rows / square) * (1 + 2 * _ROUNDING)
        return Release(c_u, sigma, exact.threshold(-math.expm1(-loss), c_u=rows, sigma=sigma) * (1 + 2 * _ROUNDING))


@dataclass(frozen=True)
class Schedule:
    """Releases whose number and parameters depend on nothing that was released, by their exact profiles.

    Attributes:
        epsilon: of everything together, >= 0 (nats).
        delta: of everything together, 0 < delta < 1.
        adaptive: whether data may depend on earlier releases; if not, all of it is fixed before the first.
        releases: covered so far, in order.

    """

    epsilon: float
    delta: float
    adaptive: bool = False
    releases: tuple[Release | Cost, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        exact.check_epsilon(self.epsilon)
        if not 0 < self.delta < 1:
            raise ValueError(f"expected 0 < delta < 1, got delta={self.delta}")

    @functools.cached_property
    def spent(self) -> float:
        """Delta of the releases so far: from above, exact but for the brackets of `path_bounds`, `adaptive_bounds`.

        The pair of a cost names the side whatever else is released; its square is that of a row that is never new.
        """
        costs = [release for release in self.releases if isinstance(release, Cost)]
        rows = [release for release in self.releases if isinstance(release, Release)]
        if not self.adaptive:
            costs = _pooled(costs)
            parts = counted(rows)
            steps = Counter(part for cost in costs for part in cost.steps[1] if any(part))
            # Silence of a cost's pair is not said to raise the level: then no part's does.
            is_lossless = not any(loss for loss, _square in steps)
            other = path_bounds(self.epsilon, parts + steps, raises_level=is_lossless).upper if parts + steps else 0.0
            return _with_names(math.fsum(cost.steps[0] for cost in costs), other)
        # In their order: who has seen a Gaussian pair knows when to bring new rows.
        stages = [_as_rows(release) for release in self.releases if not isinstance(release, Cost) or release.square]
        name_loss = math.fsum(cost.loss for cost in costs)
        delta = _with_names(name_loss, adaptive_bounds(self.epsilon, stages).upper if stages else 0.0)
        if len({cost.beta for cost in costs if cost.picks}) != 1:
            return delta
        # Picks of one kind between Gaussian pairs of a fixed total: all may be taken together, the others seen before.
        square = math.fsum(cost.square for cost in _pooled(costs)) + math.fsum(row.c_u * row.square for row in rows)
        name_loss += math.fsum(row.c_u * row.loss for row in rows)
        return min(delta, _with_names(name_loss, gaussian.profile(self.epsilon, math.sqrt(square))))

    def spend(self, release: Release | Cost) -> Schedule:
        """Return the schedule with one more release.

        Raises:
            TypeError: something else than a release or a cost.
            BudgetError: with it delta would be exceeded; what all would cost.
        """
        _require_known(release)
        longer = replace(self, releases=(*self.releases, release))
        if not longer.spent <= self.delta:
            raise BudgetError(
                f"expected delta <= {self.delta:.6g} of {len(longer.releases)} releases together, got "
                f"{longer.spent:.6g}; the last one needs more noise, a larger gap or fewer rows"
            )
        return longer


def _as_rows(release: Release | Cost) -> Release:
    """A cost's Gaussian pair as a row that is never new."""
    if isinstance(release, Release):
        return release
    spread = 1 / math.sqrt(release.square)
    return Release(1, spread, _NEVER_NEW * spread)


def _with_names(loss: float, other: float) -> float:
    """Delta of pairs that name the side, or else tell what is told otherwise."""
    return min(1.0, (-math.expm1(-loss) + math.exp(-loss) * other) * (1 + _ROUNDING))


def _require_known(release: object) -> None:
    if not isinstance(release, Release | Cost):
        raise TypeError(
            "expected a Release of a sparse histogram with Gaussian noise, or the Cost of another mechanism that has "
            f"one, got {type(release).__name__}"
        )


def delta_of_budgets(epsilon: float, *, loss: float, mu: float) -> float:
    """What all that the budgets cover can cost: 1 - e^-loss + e^-loss f(mu, epsilon).

    Raises:
        ValueError: a value out of range or NaN.
    """
    exact.check_epsilon(epsilon)
    for name, value in (("loss", loss), ("mu", mu)):
        if not 0 < value < math.inf:
            raise ValueError(f"expected 0 < {name} < infinity, got {name}={value}")
    return min(1.0, (-math.expm1(-loss) + math.exp(-loss) * gaussian.profile(epsilon, mu)) * (1 + _ROUNDING))


CALIBRATOR = Calibrator(
    id="ledger", mechanism="gaussian_sparse_histogram", claim="wilkins2024.composition.filter", release="budgets",
    users={},
)  # fmt: skip
"""The largest budget of losses for a budget of squares, or of squares for losses."""
