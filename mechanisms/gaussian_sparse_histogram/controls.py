"""Algorithm 1 with one thing changed that looks wrong and is not: each control keeps Theorem 5.4."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.law import near_profile
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import BatchMechanism, Boundary
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import Phi
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.wilkins2024.neighbours import changed_rows, far_count


def build_with(name: str, value: Any, **parameters: Value) -> correct.GaussianSparseHistogram:
    """Algorithm 1 with one field changed."""
    return replace(correct.build(**parameters), **{name: value})


class Clipped(correct.GaussianSparseHistogram):
    """Algorithm 1 with clipped values."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.clip(super()._noisy_counts(counts, n, rng), self.tau_star, 1000 * self.tau_star)


@dataclass(frozen=True)
class DeclaredUniverse(BatchMechanism):
    """Releases every key of the universe whose noisy count reaches tau*; keys outside it are ignored."""

    universe: tuple[str, ...]
    tau_star: float
    sigma: float

    releases_only_input_keys = False
    """No: a key of the universe can come out with nobody in it."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; one column for each key of the universe."""
        validate(histogram)
        # Counts are raised by one together with the thresholds, so that empty groups are visited.
        counts_plus_one = {key: histogram.get(key, 0) + 1 for key in self.universe}
        mechanism = correct.GaussianSparseHistogram(
            1, self.tau_star + 1, self.sigma, grid=min(1.0, correct.grid_for(self.sigma))
        )
        keys, values = mechanism.release_many(counts_plus_one, n, rng)
        return keys, values - 1


def build_declared_universe(
    *, c_u: Value, sigma: Value, gap: Value, mu_o: Value = 0, tau: Value = 1
) -> DeclaredUniverse:
    """The row formula of the paper at tau = 0 over the universe k0 .. k7, with tau* = tau + gap; counts only."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return DeclaredUniverse(tuple(f"k{i}" for i in range(8)), mechanism.tau_star, mechanism.sigma)


class Thinned(correct.GaussianSparseHistogram):
    """Algorithm 1 with half of its released rows."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases, each row kept with probability 1/2."""
        keys, values = super().release_many(histogram, n, rng)
        values[rng.random(values.shape) < 0.5] = np.nan
        return keys, values


class SortedByNoisyCount(correct.GaussianSparseHistogram):
    """Algorithm 1 whose single release is ordered by the values it shows, ties by name."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release, largest noisy count first."""
        released = super().release(histogram, rng)
        return dict(sorted(released.items(), key=lambda item: (-item[1], item[0])))


_MOST_RELEASED = 3


class LargestReleased(correct.GaussianSparseHistogram):
    """Algorithm 1 followed by a cut to the three largest noisy counts, ties by name."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases, at most three rows each."""
        keys, values = super().release_many(histogram, n, rng)
        order = np.argsort(-values, axis=1, kind="stable")  # NaN last
        np.put_along_axis(values, order[:, _MOST_RELEASED:], np.nan, axis=1)
        return keys, values


class Shuffled(correct.GaussianSparseHistogram):
    """Algorithm 1 whose single release is in a uniformly random order."""

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One release in random order."""
        items = list(super().release(histogram, rng).items())
        return dict(items[i] for i in rng.permutation(len(items)))


ONE_ROW = {"c_u": 1}
_FAR = far_count(tau_star=7, sigma=2)
_ORDER = Neighbours(
    "wc6", {"k0": _FAR, "k1": _FAR + 1}, {"k0": _FAR, "k1": _FAR},
    "the pair on which the order of true counts would be a giveaway",
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="clipped_values", title="values clipped from below at tau* and from above at a constant", parameters=ONE_ROW,
        pair="wc5.at", subclass=Clipped, unknown_law=True,
        proof="Clipping to an interval fixed in advance is a function of the released value alone, so this is "
        "post-processing of Algorithm 1. Below, only values that rounding moved under tau* change at all.",
    ),
    MECHANISM.neutral(
        id="coarse_grid", title="releases rounded to multiples of 16", parameters=ONE_ROW, pair="wc2",
        build=partial(build_with, "grid", 16.0), unknown_law=True,
        proof="The decision is taken on the unrounded sum; what is released is a fixed function (rounding to the "
        "grid) of what Algorithm 1 releases. A function of the output that does not look at the data is "
        "post-processing and raises no hockey stick.",
    ),
    MECHANISM.neutral(
        id="declared_universe", title="empty groups of a declared universe are released like others",
        parameters=ONE_ROW, pair="wc1", build=build_declared_universe,
        profile=partial(near_profile, count=1, tau_star=7, sigma=2),
        proof="With the universe fixed in advance the noisy counts of all its keys are a Gaussian mechanism of "
        "distance sqrt(C_u)/sigma, and thresholding them is post-processing: delta is at most the second term of "
        "Theorem 5.4 alone. (The same rule over keys found in the data is the fault tau_zero.)",
    ),
    MECHANISM.neutral(
        id="dropped_keys", title="released rows dropped at random", parameters=ONE_ROW, pair="wc1", subclass=Thinned,
        profile=partial(one_sided, mass=Phi(-3) / 2),
        proof="The coins are independent of the data given the output of Algorithm 1, so dropping is a randomised "
        "function of that output: for every outcome of the coins it is post-processing, and a hockey stick is convex, "
        "so their mixture raises none.",
    ),
    MECHANISM.neutral(
        id="exclusive_upper_boundary", title="> in place of >= at tau*", pair="wc1", epsilon=3,
        build=partial(build_with, "upper_boundary", Boundary.EXCLUSIVE),
        proof="The normal law has no atoms, so C + v = tau* has probability 0 and both rules give the same law. (At "
        "the lower threshold, or with discrete noise, the rule matters: there > acts as tau + 1.)",
    ),
    MECHANISM.neutral(
        id="keys_by_noisy_count", title="keys in the order of noisy counts", parameters=ONE_ROW, pair=_ORDER,
        subclass=SortedByNoisyCount,
        proof="The order is a function of the released values (ties by name), so it adds nothing to them: "
        "post-processing, and invertible, so the law of what is learnt is unchanged. Compare the fault "
        "keys_by_true_count.",
    ),
    MECHANISM.neutral(
        id="largest_released", title="only the largest released values are published", parameters={"c_u": 3},
        pair="wc1", epsilon=3, subclass=LargestReleased,
        proof="Which rows are kept is a function of the released values and names only: post-processing of Algorithm "
        "1.",
    ),
    MECHANISM.neutral(
        id="released_below_tau", title="groups below tau released, tau* kept", parameters={"c_u": 1, "tau": 3},
        pair=changed_rows("at_tau", [3], "the changed row at tau in left; in right, below tau, it is released too"),
        at={"tau": 1, "gap": 8},
        proof="This is Algorithm 1 with tau = 1 and the same tau*, hence with the gap tau* - 1 >= tau* - tau. Its "
        "exact delta is Theorem 5.4 at that gap, and the theorem's delta does not increase with the gap: only the "
        "first term depends on it, as 1 - Phi(gap/sigma)^C_u.",
    ),
    MECHANISM.neutral(
        id="shuffled_keys", title="keys in a random order", parameters=ONE_ROW, pair=_ORDER, subclass=Shuffled,
        proof="Given the released rows the permutation is uniform and independent of the data: a randomised function "
        "of the output, hence post-processing; forgetting the order recovers the output, so nothing is lost either.",
    ),
)  # fmt: skip
