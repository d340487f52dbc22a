"""Algorithm 2 of rogers2024: the top (k_bar + 1) counts against one noisy threshold.

Statement: T~ = T + c_(k_bar+1) + N(0, sigma^2), one draw; release (i, c_i + N(0, sigma^2)) for the top k_bar items
whose noisy count exceeds T~; where there are fewer, the top is padded with bottoms of count 0, which may be released
too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram import grid_for, round_to_grid
from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec
from mechanisms.noise import normal
from mechanisms.pair import Direction, Pair
from mechanisms.unknown_domain import (
    BOTTOM,
    LabelOrder,
    by_label,
    check_count,
    check_delta,
    check_scale,
    check_threshold,
    check_ties,
    ranked,
)
from mechanisms.unknown_domain_pairs import (
    above_noisy_bar,
    far,
    gaussian_shift,
    labels,
    users,
    with_atom,
)
from proofs_numeric.arithmetic import Float64
from proofs_numeric.rogers2024.top_counts import top_threshold
from proofs_numeric.special import normal_cdf, normal_quantile_complement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters

REMEDY = "T > 0 needs delta < delta_0 / 2, or more noise"


@dataclass(frozen=True)
class UnknownDomainTop(BatchMechanism):
    """Algorithm 2.

    Attributes:
        k_bar: number of items compared with the threshold.
        scale: sigma of every noise, the threshold's included (counts).
        threshold: T, > 0 (counts).
        grid: released values are rounded to the nearest multiple; a power of two.
        ties: order of labels that breaks ties, fixed before the data.
        padding: whether bottoms are released; without them the release is a function of the padded one.
    """

    k_bar: int
    scale: float
    threshold: float
    grid: float
    ties: LabelOrder | None = by_label
    padding: bool = True

    def __post_init__(self) -> None:
        """Refuse a top without a declared order, and a threshold that is none."""
        check_ties(self.ties)
        check_threshold(self.threshold, REMEDY)

    @property
    def releases_only_input_keys(self) -> bool:  # type: ignore[override]
        """Whether released keys are keys of the input: bottoms are not."""
        return not self.padding

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: the top items in the order of labels, then bottoms; NaN where not released."""
        validate(histogram)
        order = ranked(histogram, check_ties(self.ties))
        top = sorted(order[: self.k_bar])
        bottoms = [(f"{BOTTOM}{i}", 0) for i in range(1, self.k_bar - len(top) + 1)] if self.padding else []
        entries = [*top, *bottoms]
        next_count = order[self.k_bar][1] if len(order) > self.k_bar else 0
        noisy = np.array([c for _key, c in entries], dtype=np.float64) + normal.sample(
            rng, (n, len(entries)), scale=self.scale
        )
        passes = noisy > self.bar(next_count, n, len(entries), rng)
        return tuple(key for key, _c in entries), np.where(passes, round_to_grid(noisy, self.grid), np.nan)

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds, shape (n, 1): one for all items of a release."""
        del items
        return self.threshold + next_count + normal.sample(rng, (n, 1), scale=self.scale)


def threshold(A: Any, *, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> Any:
    """T of Theorem 8 (counts)."""
    epsilon = A.number(delta_inf) / A.number(sigma)
    return top_threshold(A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=delta)


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainTop:
    """Algorithm 2 by the names of Theorem 8.

    Raises:
        ValueError: delta outside (0, 1), a count below 1, sigma <= 0, or T <= 0.
    """
    check_delta(delta)
    check_count("delta_0", delta_0, "labels")
    check_count("delta_inf", delta_inf, "counts")
    scale = check_scale("sigma", sigma)
    T = float(threshold(Float64(), delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    return UnknownDomainTop(check_count("k_bar", k_bar, "items"), scale, T, grid_for(scale))


def single_new(A: Any, epsilon: Any, direction: Direction, *, ratio: Exact, delta: Exact) -> Any:
    """B1 at k_bar = 1: left shows the item with probability delta, right a bottom with a smaller one."""
    growth, d = A.exp(A.number(epsilon)), A.number(delta)
    other = normal_cdf(A, -(normal_quantile_complement(A, d) + A.number(ratio) / A.sqrt(2)))
    if direction is Direction.FORWARD:
        return d + A.maximum(0, (1 - d) - growth * (1 - other))
    return other + A.maximum(0, (1 - other) - growth * (1 - d))


def _bar(A: Any, *, next_count: int, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> Any:
    return next_count + threshold(A, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)


def _atoms(A: Any, *, left: Any, right: Any, counts: tuple[int, int], sigma: Exact) -> tuple[Any, Any]:
    """Probability of silence on each side, k_bar = 1."""
    width = A.sqrt(2) * A.number(sigma)
    return normal_cdf(A, (left(A) - counts[0]) / width), normal_cdf(A, (right(A) - counts[1]) / width)


def _span(A: Any, *, centre: int, sigma: Exact) -> tuple[Any, Any]:
    return A.number(centre) - 14 * A.number(sigma), A.number(centre) + 14 * A.number(sigma)


def one_entry(parameters: Parameters, left: tuple[int, int], right: tuple[int, int]) -> Any:
    """Profile at k_bar = 1 of (top count, next count) against (top count, next count), the same item on top."""
    sigma = parameters["sigma"]
    rest = {name: parameters[name] for name in ("delta_0", "delta_inf", "sigma", "delta")}
    bars = [partial(_bar, next_count=side[1], **rest) for side in (left, right)]
    return partial(
        with_atom,
        left=partial(above_noisy_bar, count=left[0], sigma=sigma, bar=bars[0]),
        right=partial(above_noisy_bar, count=right[0], sigma=sigma, bar=bars[1]),
        atoms=partial(_atoms, left=bars[0], right=bars[1], counts=(left[0], right[0]), sigma=sigma),
        span=partial(_span, centre=left[0], sigma=sigma),
    )


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """B1 or B1' (new items), B2 (only the threshold moves), B3 (a high count moves), B7 (both move), B4 (a swap)."""
    adjacency, mechanism = users(parameters), build(**parameters)
    d0, step, k_bar = int(parameters["delta_0"]), int(parameters["delta_inf"]), mechanism.k_bar
    ratio = Fraction(step) / Fraction(parameters["sigma"])
    T, near = mechanism.threshold, 5 + step + round(mechanism.threshold)
    high = far(T, mechanism.scale)
    keys, delta = labels(k_bar), parameters["delta"]
    found = [
        Pair(
            "b3",
            {keys[0]: high + step},
            {keys[0]: high},
            "one shared count far above the threshold",
            adjacency,
            partial(gaussian_shift, squared=ratio**2),
        ),
    ]
    if k_bar == 1:
        found += [
            Pair(
                "b1",
                {"k00": step},
                {},
                "one new item, one place",
                adjacency,
                partial(single_new, ratio=ratio, delta=delta),
            )
            if d0 == 1
            else Pair("b1", {"k00": step}, {}, "one new item, one place", adjacency),
            Pair(
                "b2",
                {"k00": near, "next": 5 + step},
                {"k00": near, "next": 5},
                "only the threshold moves",
                adjacency,
                one_entry(parameters, (near, 5 + step), (near, 5)),
            ),
            Pair(
                "b4",
                {"z": 1 + step, "b": 1},
                {"z": 1, "b": 1},
                "the top item loses its place to an equal one",
                adjacency,
            ),
        ]
        if d0 > 1:
            found.append(
                Pair(
                    "b7",
                    {"k00": near + step, "next": 5 + step},
                    {"k00": near, "next": 5},
                    "the top count and the threshold move together",
                    adjacency,
                    one_entry(parameters, (near + step, 5 + step), (near, 5)),
                )
            )
    else:
        found.append(
            Pair(
                "b2",
                dict.fromkeys(keys, near) | {"next": 5 + step},
                dict.fromkeys(keys, near) | {"next": 5},
                "only the threshold moves, under many items",
                adjacency,
            )
        )
        if k_bar > d0:
            shared = dict.fromkeys(labels(k_bar - d0, "s"), high)
            found.append(
                Pair(
                    "b5",
                    {**shared, "a": 5 + 2 * step, "m": 5 + step},
                    {**shared, "a": 5 + step, "m": 5 + step},
                    "an item of the top falls to the count of the next",
                    adjacency,
                )
            )
        full = dict.fromkeys(labels(min(k_bar, d0)), step)
        found.append(Pair("b1'", full, {}, "only new items", adjacency))
    return tuple(found)


MECHANISM = MechanismSpec(
    id="unknown_domain_top",
    title="Unknown Domain from the top k_bar + 1 (Algorithm 2)",
    build=build,
    parameters={"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"},
    guarantee_claim="rogers2024.thm8.profile",
    adjacency=users,
    pairs=pairs,
    source="rogers2024, Section 4.2, Algorithm 2; Theorem 8",
)
