"""Faults of Algorithm 2 of rogers2024."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT, one_sided
from mechanisms.mechanism import Parameters
from mechanisms.noise import normal
from mechanisms.unknown_domain.profiles import counting, shown_afresh
from mechanisms.unknown_domain.release import check_ties, rank_labels
from mechanisms.unknown_domain.top.law import any_passes, calibration_of, threshold
from mechanisms.unknown_domain.top.mechanism import MECHANISM, UnknownDomainTop, build
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression import lift, quantile_complement, sqrt
from proofs_numeric.rogers2024.neighbours import labels
from proofs_numeric.rogers2024.theorem_8.statement import beats
from proofs_numeric.statements.neighbours import Direction, Neighbours

# --- thresholds -------------------------------------------------------------------------------------------------------


def without_root_two(mechanism: UnknownDomainTop) -> UnknownDomainTop:
    """Algorithm 2 without the sqrt(2) of two noises, at Delta_inf = 1; bottoms are not printed."""
    return replace(mechanism, threshold=1 + (mechanism.threshold - 1) / 2**0.5, padding=False)


def build_without_union(**parameters: Value) -> UnknownDomainTop:
    """Algorithm 2 with the T of Delta_0 = 1; bottoms are not printed."""
    return replace(build(**{**parameters, "delta_0": 1}), padding=False)


class NextCountIgnored(UnknownDomainTop):
    """Algorithm 2 with the threshold of Algorithm 1."""

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds about T."""
        del next_count, items
        return self.threshold + normal.sample(rng, (n, 1), scale=self.scale)


class NoiselessThreshold(UnknownDomainTop):
    """Algorithm 2 with an exact threshold."""

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """The same threshold in every release."""
        del items, rng
        return np.full((n, 1), self.threshold + next_count)


class NoisePerItem(UnknownDomainTop):
    """Algorithm 2 with a threshold noise for each item."""

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds of shape (n, items)."""
        return self.threshold + next_count + normal.sample(rng, (n, items), scale=self.scale)


def passing(A: Arithmetic, *, next_count: int, noises: int) -> Number:
    """Probability that an item of count 8 is released, over the given number of unit noises."""
    T = threshold(A, delta_0=1, delta_inf=1, sigma=1, delta="1/20")
    return normal_cdf(A, (8 - next_count - T) / A.sqrt(noises))


# --- ties and noise ---------------------------------------------------------------------------------------------------


class TiesByRow(UnknownDomainTop):
    """Algorithm 2 on whatever rows come first."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """Among equal counts the earlier row wins."""
        row = {key: index for index, key in enumerate(histogram)}
        mechanism = UnknownDomainTop(**(vars(self) | {"ties": row.__getitem__}))
        return mechanism.release_many(histogram, n, rng)


class TrueCounts(UnknownDomainTop):
    """Algorithm 2 whose noises cancel in the comparison."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """An item passes if and only if its true count exceeds T + c_(k_bar+1)."""
        order = rank_labels(histogram, check_ties(self.ties))
        next_count = order[self.k_bar][1] if len(order) > self.k_bar else 0
        passing = sorted(item for item in order[: self.k_bar] if item[1] > self.threshold + next_count)
        counts = np.array([count for _key, count in passing], dtype=np.float64)
        values = round_to_grid(counts + normal.sample(rng, (n, counts.size), scale=self.scale), self.grid)
        return tuple(key for key, _count in passing), values


class FreshNoise(UnknownDomainTop):
    """Algorithm 2 with two draws an item."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """Decide as Algorithm 2 does, show the counts with fresh noise; bottoms have count 0."""
        keys, decided = super().release_many(histogram, n, rng)
        counts = np.array([histogram.get(key, 0) for key in keys], dtype=np.float64)
        rounded_values = round_to_grid(counts + normal.sample(rng, decided.shape, scale=self.scale), self.grid)
        return keys, np.where(np.isnan(decided), np.nan, rounded_values)


_ONE: Parameters = {"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1}
_RARE: Parameters = {**_ONE, "delta": "1e-7"}
_THREE: Parameters = {"k_bar": 3, "delta_0": 3, "delta_inf": 1, "sigma": 1}
_UNDER_SIXTY = Neighbours(
    "b2", dict.fromkeys(labels(60), 8) | {"zz": 5}, dict.fromkeys(labels(60), 8) | {"zz": 4},
    "only the threshold moves, under sixty items",
)  # fmt: skip


def passes(A: Arithmetic, *, count: int) -> Number:
    """Probability that a count without a next one is shown, delta = 1e-7."""
    return any_passes(A, items=1, lead=count, **calibration_of(_RARE))


FAULTS = (
    MECHANISM.broken(
        id="unknown_domain_top_threshold_without_root_two", title="threshold for one noise",
        caught_by="empirical.impossible_key", change=without_root_two, parameters=_THREE, pair="b1'",
        profile=partial(one_sided, mass=beats(items=3, margin=quantile_complement("1/60"))), epsilon=5,
        explanation="The threshold is noisy too: the difference of two noises has standard deviation sqrt(2) sigma.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_threshold_without_union", title="threshold for one new item",
        caught_by="empirical.impossible_key", build=build_without_union, parameters=_THREE, pair="b1'",
        profile=partial(one_sided, mass=beats(items=3, margin=sqrt(2) * quantile_complement("1/20"))), epsilon=5,
        explanation="Delta_0 new items share the failure probability of one.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_next_count_ignored", title="threshold without the next count", subclass=NextCountIgnored,
        parameters=_ONE,
        pair=Neighbours(
            "b4", {"z": 100, "b": 99}, {"z": 99, "b": 99},
            "the top item loses its place to an equal one; both are far above T (up to Phi(-60))",
        ),
        profile=DISJOINT, epsilon=5,
        explanation="An item can enter the top with any count; only items within Delta_inf of the next count are "
        "hidden by T.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_noiseless_threshold", title="threshold without noise", subclass=NoiselessThreshold,
        parameters={**_ONE, "k_bar": 60}, pair=_UNDER_SIXTY,
        profile=partial(
            counting, items=60, left=partial(passing, next_count=5, noises=1),
            right=partial(passing, next_count=4, noises=1),
        ),
        explanation="One user moves the exact threshold of every item: how many pass tells on which side it was.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_threshold_noise_per_item", title="threshold noise for each item", subclass=NoisePerItem,
        parameters={**_ONE, "k_bar": 60}, pair=_UNDER_SIXTY,
        profile=partial(
            counting, items=60, left=partial(passing, next_count=5, noises=2),
            right=partial(passing, next_count=4, noises=2),
        ),
        explanation="Independent comparisons average the threshold's noise away: the loss grows with the number of "
        "items, not with Delta_0.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_ties_by_row", title="ties by the order of rows", subclass=TiesByRow,
        parameters={**_ONE, "k_bar": 6, "sigma": 10}, pair="b6",
        profile=partial(one_sided, mass=beats(items=6, margin=sqrt(2) * quantile_complement("1/20") + lift("1/10"))),
        epsilon=2,
        explanation="With data-dependent ties all k_bar items of the top can change although one count moves: k_bar "
        "new items, T for Delta_0.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_true_counts_compared", title="item and threshold share their noise", subclass=TrueCounts,
        parameters=_ONE,
        pair=Neighbours(
            "b.edge", {"a": 4}, {"a": 3}, "the count crosses T = 3.326: released always in left, never in right",
        ),
        profile=DISJOINT, epsilon=5,
        explanation="The noise cancels: whether the count exceeds T is shown without noise.",
    ),
    MECHANISM.broken(
        id="unknown_domain_top_fresh_noise_released", title="a fresh noise is released", caught_by="numeric.renyi",
        subclass=FreshNoise, parameters=_RARE,
        pair=Neighbours(
            "b.edge", {"a": 11}, {"a": 10},
            "the top count lies at the threshold: the decision and the value leak on their own",
        ),
        profile=partial(shown_afresh, left=partial(passes, count=11), right=partial(passes, count=10), distance=1),
        direction=Direction.BACKWARD,
        explanation="Two releases of the same count cost more rho than one: a tenth more here, which only the "
        "divergence shows.",
    ),
)  # fmt: skip
