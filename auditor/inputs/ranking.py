"""Rank of neighbouring pairs by their estimated privacy loss, from a few releases of both sides with equal draws.

With equal draws, added noise cancels in the difference of two releases: the rest is the effect of the data. Its ratio
to the scale of the noise is about the loss. The estimate ranks pairs and never decides. Where draws do not match, it is
too small or too large. The verdict rests on fresh releases alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.target.target import Survey
from auditor.target.worker import EXCEPTION_PREFIX

Floats = NDArray[np.float64]

LARGEST_LOSS = 20.0
"""Largest estimate: a difference without noise has no finite loss."""
CLEAR_DEVIATIONS = 2.0
"""Smallest mean difference of a number, in standard errors, if the draws do not match exactly."""
SPREAD_WEIGHT = 2.0
"""Weight of the log-ratio of a number's two standard deviations, which differ if the noise depends on the data."""


@dataclass(frozen=True)
class Coupled:
    """Releases of both sides of a pair with equal draws.

    Args:
        survey: survey of both inputs.
        left, right: places of the two inputs in it.
    """

    survey: Survey
    left: int
    right: int

    @property
    def raises(self) -> tuple[bool, bool]:
        """Return, for each side, whether every release is an exception."""
        return raises(self.survey, self.left), raises(self.survey, self.right)

    def loss(self, order: int = 1) -> float:
        """Return the estimated privacy loss, at most `LARGEST_LOSS`.

        Args:
            order: of the norm by which the losses of the numbers add: 1 for Laplace noise, 2 for Gaussian noise.
        """
        values = self.survey.batch.values
        left, right = values[self.survey.rows(self.left)], values[self.survey.rows(self.right)]
        return min(LARGEST_LOSS, _structure_loss(self) + _number_loss(left, right, order))


def raises(survey: Survey, place: int) -> bool:
    """Return whether every release of the input at a place is an exception."""
    return all(shape.startswith(EXCEPTION_PREFIX) for shape in survey.shapes(place))


def _structure_loss(pair: Coupled) -> float:
    """Return the largest log-ratio of the two frequencies of one form of the output.

    A form that all releases of one side and none of the other have gives the largest loss.
    """
    left, right = (pair.survey.shapes(place) for place in (pair.left, pair.right))
    loss, n = 0.0, len(left)
    for shape in {*left, *right}:
        here, there = left.count(shape), right.count(shape)
        if {here, there} == {0, n}:
            return LARGEST_LOSS
        loss = max(loss, abs(float(np.log((here + 0.5) / (there + 0.5)))))
    return loss


def _number_loss(left: Floats, right: Floats, order: int) -> float:
    """Return the norm of the mean differences of numbers in units of the noise, plus the weighted change of a spread.

    The unit is a standard deviation over the square root of 2: the scale of Laplace noise.
    """
    both = ~np.isnan(left) & ~np.isnan(right)
    used = both.any(axis=0)
    if not used.any():
        return 0.0
    both, n = both[:, used], both[:, used].sum(axis=0)
    difference = np.where(both, left[:, used] - right[:, used], 0.0)
    mean = difference.sum(axis=0) / n
    error = np.sqrt(_squares(difference, both)) / n
    moved = np.maximum(0.0, np.abs(mean) - CLEAR_DEVIATIONS * error)
    squares = [_squares(np.where(both, side[:, used], 0.0), both) for side in (left, right)]
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = np.sqrt((squares[0] + squares[1]) / (4 * np.maximum(n - 1, 1)))
        parts = np.where(moved > 0, moved / noise, 0.0)
    wide = (n > 2) & (squares[0] > 0) & (squares[1] > 0)
    spread = np.abs(np.log(squares[0][wide] / squares[1][wide])) / 2
    norm = np.linalg.norm(np.minimum(parts, LARGEST_LOSS), order)
    return float(norm + SPREAD_WEIGHT * spread.max(initial=0.0))


def _squares(values: Floats, present: NDArray[np.bool_]) -> Floats:
    """Return the sum of squared deviations from the mean of each column, (columns,)."""
    mean = values.sum(axis=0) / present.sum(axis=0)
    return np.asarray(np.where(present, (values - mean) ** 2, 0.0).sum(axis=0))
