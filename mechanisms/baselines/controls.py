"""Variants of the baselines of bharadwaj2022 Section 5 that look wrong and keep their delta."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.baselines import central_laplace, hadamard_response
from mechanisms.baselines.faults import of_local
from mechanisms.histogram import Histogram, Released
from mechanisms.sample_and_threshold.mechanism import stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.neighbours import Direction, Neighbours


class Clipped(central_laplace.CentralLaplace):
    """Noisy counts, negative ones set to 0."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of counts of at least 0."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.maximum(values, 0.0)


class RowZeroUsed(hadamard_response.HadamardResponse):
    """Item x uses row x: the first item has the constant row."""

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of the matrix by item."""
        return items


class RowsWrapped(hadamard_response.HadamardResponse):
    """K = B with rows taken modulo K: the last item has the constant row."""

    @property
    def size(self) -> int:
        """Number of indices, B."""
        return self.buckets

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of the matrix by item."""
        return (items + 1) % self.size


def uniform_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, epsilon_0: Value, p: Value) -> Any:
    """A uniform index against the index of an item with a row of its own, four indices."""
    rate, four = A.number(Fraction(p)), A.number(4)
    truth = 1 / (1 + A.exp(-A.number(Fraction(epsilon_0))))
    left = [1 / four] * 4
    right = [(1 - rate) / four + rate * mass / 2 for mass in (truth, truth, 1 - truth, 1 - truth)]
    return stick(A, epsilon, direction, list(zip(left, right, strict=True)))


_UNIFORM = partial(uniform_profile, epsilon_0=2, p="1/2")
_LAPLACE = central_laplace.MECHANISMS[0]

CONTROLS = (
    _LAPLACE.neutral(
        id="central_laplace_on_a_sample", title="epsilon on a sample, promised as epsilon on the population",
        parameters={"p": 1}, at={"p": "3/10"}, pair="alone",
        proof="Sampling mixes the client's law with the one that ignores it, and the hockey stick is convex: the "
        "delta can only fall. A comparison that gives no credit for it is unfair to the baseline, not wrong about "
        "privacy.",
    ),
    _LAPLACE.neutral(
        id="central_laplace_clipped", title="negative counts are set to 0", subclass=Clipped, pair="alone",
        epsilon="1/2",
        proof="Clipping is a function of the release: post-processing. The best events start between 0 and 1, so that "
        "not even the delta changes.",
    ),
    hadamard_response.MECHANISM.neutral(
        id="hadamard_row_zero", title="row 0 is used", change=partial(of_local, RowZeroUsed),
        pair=Neighbours("constant", {"k0": 1}, {"k1": 1}, "the item of row 0 against another"), profile=_UNIFORM,
        epsilon="1/2",
        proof="An item with the constant row reports a uniform index, the average of a row's law and its opposite: it "
        "lies between the laws that the promise compares. The item cannot be estimated: a fault of utility.",
    ),
    hadamard_response.MECHANISM.neutral(
        id="hadamard_rows_wrapped", title="K = B, rows modulo K", change=partial(of_local, RowsWrapped, buckets=4),
        pair=Neighbours("constant", {"k3": 1}, {"k1": 1}, "the item of row 0 against another"), profile=_UNIFORM,
        epsilon="1/2",
        proof="The last item falls on the constant row and reports a uniform index, the average of a row's law and "
        "its opposite; the others keep rows of their own. The item cannot be estimated: a fault of utility.",
    ),
)  # fmt: skip
