"""The geometric sparse histogram: each nonempty key's count plus discrete Laplace noise, released if at least T.

Statement: for each key with count C >= 1 draw Z, P[Z = x] proportional to exp(-|x| / b) on the integers, and release
C + Z if it is at least T. `release` draws exactly; on integers the comparison matters (`WholeCounts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.integer_sparse_histogram.mechanism import Rows, WholeCounts, check_whole
from mechanisms.laws.privacy_loss import AtomLoss, DiscreteLoss, SumLoss
from mechanisms.mechanism import Boundary, MechanismSpec, of_numbers
from mechanisms.noise import discrete_laplace
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.laplace import laplace_counts_profile, lattice_losses
from proofs_numeric.expression import exp, expm1, sqrt, symbols
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.laplace import FAR_SCALES, LAPLACE_KEYS, integer_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class GeometricSparseHistogram(WholeCounts):
    """Whole counts with discrete Laplace noise, thresholded.

    Attributes:
        scale: b of the noise (counts), > 0, exact.
        threshold, boundary: as of `WholeCounts`.
    """

    scale: Fraction
    threshold: int
    boundary: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse a scale without a law, too."""
        super().__post_init__()
        if not 0 < self.scale <= 10**5:
            raise ValueError(f"expected 0 < scale <= 100000 (counts), got scale={float(self.scale):g}")

    def draw(self, rng: np.random.Generator) -> int:
        """One exact draw."""
        return discrete_laplace.sample(rng, scale=self.scale)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Differences of geometric draws."""
        return discrete_laplace.sample_many(rng, shape, scale=float(self.scale))


@of_numbers
def build(*, scale: Value, threshold: Value, c_u: Value = 1, per_key: Value = 1) -> GeometricSparseHistogram:
    """The mechanism by the names of its claim; c_u and per_key are enforced on the records beforehand."""
    check_whole(threshold=threshold, c_u=c_u, per_key=per_key)
    return GeometricSparseHistogram(Fraction(scale), int(Fraction(threshold)))


def _hidden(A: Arithmetic, *, rows: Rows, scale: Fraction, threshold: int) -> Any:
    """``-log`` of the probability that no new key passes."""
    return rows.new * A.number(integer_loss(A, margin=threshold - rows.count, scale=scale))


def rows_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, rows: Rows, scale: Fraction, threshold: int
) -> Any:
    """Exact hockey stick of ``rows.new`` keys of one count beside ``rows.moved`` far above T that move alike."""
    loss = _hidden(A, rows=rows, scale=scale, threshold=threshold)
    far = partial(
        laplace_counts_profile, A, n=rows.moved, distance=A.number(rows.move) / A.number(scale), steps=rows.move
    )
    if direction is Direction.FORWARD:
        return -A.expm1(-loss) + A.exp(-loss) * far(A.number(epsilon) + loss)
    return far(A.number(epsilon) - loss)


def rows_loss(direction: Direction, *, rows: Rows, scale: Fraction, threshold: int) -> SumLoss:
    """Privacy loss of the same pair: whether a new key passes, and the losses of those that move."""
    hidden = -float(_hidden(Float64(), rows=rows, scale=scale, threshold=threshold))
    new = AtomLoss(hidden, hidden) if direction is Direction.FORWARD else AtomLoss(-hidden)
    masses = lattice_losses(Float64(), rows.moved, rows.move / float(scale), rows.move)
    values = (rows.moved * rows.move - 2 * np.arange(len(masses))) / float(scale)
    return SumLoss((new, DiscreteLoss(tuple(values.tolist()), tuple(np.asarray(masses).tolist()))))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law of such a pair; else none is known."""
    rows = Rows.of(neighbours, parameters, noise="scale", scales=FAR_SCALES)
    if rows is None:
        return ExactLaw()
    at: dict[str, Any] = {"scale": Fraction(parameters["scale"]), "threshold": int(parameters["threshold"])}
    return ExactLaw(partial(rows_profile, rows=rows, **at), partial(rows_loss, rows=rows, **at))


MECHANISM = MechanismSpec(
    id="geometric_sparse_histogram", title="sparse histogram with discrete Laplace noise", build=build,
    parameters={"scale": 2, "threshold": 7, "c_u": 2, "per_key": 1},
    guarantee_claim="thresholds.laplace.integer.profile",
    source="a statement of this project; the threshold of OpenDP, Tumult and Google's libraries on whole counts",
    privacy=LAPLACE_KEYS, law=law,
)  # fmt: skip


_SCALE, _PER_KEY = symbols("scale per_key")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="thresholds.laplace.integer.profile", release="counts",
    users={"c_u": "keys", "per_key": "per_key"}, noise="scale", threshold="threshold",
    limit_threshold=_PER_KEY + FAR_SCALES * _SCALE, deviation=sqrt(2) * exp(-1 / (2 * _SCALE)) / -expm1(-1 / _SCALE),
)  # fmt: skip
