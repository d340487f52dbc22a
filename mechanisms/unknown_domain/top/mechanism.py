"""Algorithm 2 of rogers2024: the top (k_bar + 1) counts against one noisy threshold.

Statement: T~ = T + c_(k_bar+1) + N(0, sigma^2), one draw; release (i, c_i + N(0, sigma^2)) for the top k_bar items
whose noisy count exceeds T~; where there are fewer, the top is padded with bottoms of count 0, which may be released
too.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, of_numbers
from mechanisms.noise import normal
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
from mechanisms.unknown_domain.top.law import law, threshold
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import symbols
from proofs_numeric.rogers2024.neighbours import TOP

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

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: the top items in the order of labels, then bottoms; NaN where not released."""
        validate(histogram)
        order = rank_labels(histogram, check_ties(self.ties))
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


@of_numbers
def build(*, k_bar: Value, delta_0: Value, delta_inf: Value, sigma: Value, delta: Value) -> UnknownDomainTop:
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


MECHANISM = MechanismSpec(
    id="unknown_domain_top", title="Unknown Domain from the top k_bar + 1 (Algorithm 2)", build=build,
    parameters={"k_bar": 2, "delta_0": 2, "delta_inf": 2, "sigma": 4, "delta": "1/20"},
    guarantee_claim="rogers2024.thm8.profile", privacy=TOP, law=law,
    source="rogers2024, Section 4.2, Algorithm 2; Theorem 8",
)  # fmt: skip

_DELTA_INF, _SIGMA = symbols("delta_inf sigma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="ranked_counts",
    users={"delta_0": "keys", "delta_inf": "per_key"}, noise="sigma", deviation=_SIGMA,
    shares={"delta": Fraction(1, 2)}, stated={"T": ("rogers2024.thm8.T", {"epsilon": _DELTA_INF / _SIGMA})},
)  # fmt: skip
