"""Algorithm 3 of rogers2024: the ranked labels of the largest noisy counts above a noisy threshold, Gumbel noise.

Statement: T~ = T + c_(k_bar+1) + Gumbel(beta); of the top k_bar items those with c_i + Gumbel(beta) > T~, in falling
order, at most k, and a bottom at the end where there are fewer. T = 1 + beta log(k_bar/delta). The law is a peeling
exponential mechanism over the items and the threshold. What is released for a label is its rank 1, 2, ..., never a
count.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.noise import gumbel
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import finite
from mechanisms.unknown_domain.release import (
    BOTTOM,
    LabelOrder,
    by_label,
    check_count,
    check_delta,
    check_scale,
    check_threshold,
    check_ties,
    rank_labels,
)
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import pi, sqrt, symbol
from proofs_numeric.rogers2024.neighbours import GUMBEL
from proofs_numeric.rogers2024.peeling import peel
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.concentrated import FiniteLaw
from proofs_numeric.statements.neighbours import Neighbours

REMEDY = "T > 0 needs delta < k_bar e^(1/beta); any delta < 1 does"


def check_k(k: Value, k_bar: int) -> int:
    """Refuse to print more items than the data system returns."""
    number = check_count("k", k, "items")
    if number > k_bar:
        raise ValueError(f"expected k <= k_bar={k_bar} (items), got k={k}")
    return number


@dataclass(frozen=True)
class UnknownDomainGumbel(BatchMechanism):
    """Algorithm 3.

    Attributes:
        k_bar: number of items compared with the threshold.
        k: most labels released, bottom included; 1 <= k <= k_bar.
        scale: beta of every noise (counts).
        threshold: T, > 0 (counts).
        ties: order of labels that breaks ties on top, fixed before the data.
        bottom: whether the end of a short list is printed.
    """

    k_bar: int
    k: int
    scale: float
    threshold: float
    ties: LabelOrder | None = by_label
    bottom: bool = True

    def __post_init__(self) -> None:
        """Refuse k > k_bar, a top without a declared order, and a threshold that is none."""
        check_k(self.k, self.k_bar)
        check_ties(self.ties)
        check_threshold(self.threshold, REMEDY)

    @property
    def releases_only_input_keys(self) -> bool:  # type: ignore[override]
        """Whether released keys are keys of the input: bottom is not."""
        return not self.bottom

    def top(self, histogram: Histogram) -> tuple[tuple[str, ...], NDArray[np.float64], int]:
        """Labels of the top in their order, counts, and the next count."""
        validate(histogram)
        order = rank_labels(histogram, check_ties(self.ties))
        entries = sorted(order[: self.k_bar])
        next_count = order[self.k_bar][1] if len(order) > self.k_bar else 0
        counts = np.array([count for _key, count in entries], dtype=np.float64)
        return tuple(key for key, _count in entries), counts, next_count

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent lists: one column a label and one for bottom, ranks from 1, NaN where not released."""
        keys, counts, next_count = self.top(histogram)
        values = self.ranks(counts, next_count, np.full(n, self.k), rng)
        return ((*keys, BOTTOM), values) if self.bottom else (keys, values[:, :-1])

    def ranks(
        self, counts: NDArray[np.float64], next_count: int, places: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Ranks of shape (n, len(counts) + 1), bottom last; row i prints at most `places[i]` entries."""
        n = places.size
        noisy = gumbel.sample(rng, (n, counts.size), scale=self.scale)
        noisy += counts
        bar = self.bar(next_count, n, rng)
        ranks = np.full((n, counts.size + 1), np.nan)
        rows, columns = np.nonzero(noisy > bar)
        # Sort by row, then by falling noisy count; the position within the row is the rank.
        order = np.lexsort((-noisy[rows, columns], rows))
        rows, columns = rows[order], columns[order]
        passing = np.bincount(rows, minlength=n)
        position = np.arange(rows.size) - np.repeat(np.cumsum(passing) - passing, passing) + 1
        inside = position <= places[rows]
        ranks[rows[inside], columns[inside]] = position[inside]
        short = passing < places
        ranks[short, -1] = passing[short] + 1
        return ranks

    def bar(self, next_count: int, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds, shape (n, 1)."""
        return self.threshold + next_count + gumbel.sample(rng, (n, 1), scale=self.scale)


def threshold(A: Arithmetic, *, k_bar: Value, beta: Value, delta: Value) -> Number:
    """T of Theorem 9 (counts)."""
    return gumbel_threshold(A, k_bar=A.number(k_bar), epsilon=1 / A.number(beta), delta=A.number(delta))


@of_numbers
def build(*, k_bar: Value, k: Value, beta: Value, delta: Value) -> UnknownDomainGumbel:
    """Algorithm 3 by the names of Theorem 9.

    Raises:
        ValueError: delta outside (0, 1), k > k_bar, a count below 1, beta <= 0, or T <= 0.
    """
    check_delta(delta)
    number = check_count("k_bar", k_bar, "items")
    scale = check_scale("beta", beta)
    T = float(threshold(Float64(), k_bar=k_bar, beta=beta, delta=delta))
    return UnknownDomainGumbel(number, check_k(k, number), scale, T)


MOST_LISTS = 10**5
"""Lists that a law holds at most."""


def list_law(
    A: Arithmetic, *, counts: Mapping[str, int], next_count: int, k: int, beta: Value, threshold: Any
) -> FiniteLaw[Any]:
    """Law of the list printed for a top: `threshold(A)` is T (counts)."""
    scale = A.number(beta)
    weights = {label: A.exp(count / scale) for label, count in counts.items()}
    return peel(weights, A.exp((next_count + threshold(A)) / scale), k)


def lists(items: int, k: int) -> int:
    """How many lists of at most k of these items there are, those that end with bottom among them."""
    return sum(math.perm(items, length) for length in range(k + 1))


def law(neighbours: Neighbours, parameters: Parameters, at: Callable[[Arithmetic], Number] | None = None) -> ExactLaw:
    """Exact peeling law of any neighbours with few lists; `at` is a threshold other than that of Theorem 9 (counts)."""
    query, k = build(**parameters), int(parameters["k"])
    sides = [query.top(side) for side in (neighbours.left, neighbours.right)]
    if max(lists(len(keys), k) for keys, _counts, _next in sides) > MOST_LISTS:
        return ExactLaw()
    calibration: dict[str, Any] = {name: parameters[name] for name in ("k_bar", "beta", "delta")}
    T = at or partial(threshold, **calibration)
    left, right = (
        partial(
            list_law,
            counts=dict(zip(keys, map(int, counts), strict=True)),
            next_count=next_count,
            k=k,
            beta=parameters["beta"],
            threshold=T,
        )
        for keys, counts, next_count in sides
    )
    return ExactLaw(partial(finite, left=left, right=right))


MECHANISM = MechanismSpec(
    id="unknown_domain_gumbel", title="Unknown Domain Gumbel (Algorithm 3)", build=build,
    parameters={"k_bar": 3, "k": 2, "beta": 1, "delta": "1/20"}, guarantee_claim="rogers2024.thm9.profile",
    privacy=GUMBEL, law=law, source="rogers2024, Section 4.2.1, Algorithm 3; Theorem 9",
)  # fmt: skip

CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="rogers2024.range.gumbel", release="lists", users={}, noise="beta",
    deviation=symbol("beta") * pi / sqrt(6), shares={"delta": Fraction(1, 2)},
)  # fmt: skip
"""The claim's own `delta` chooses the threshold; it is a part of the target."""
