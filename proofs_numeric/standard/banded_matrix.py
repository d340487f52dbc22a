"""DP-FTRL with a banded square-root matrix: Gaussian noise that is correlated over the steps.

The released sums are a post-processing of `C x + noise`, where C is the lower triangular Toeplitz matrix of the first
`bands` coefficients of `(1 - z)^(-1/2)`: its square sums all beginnings. A record takes part in steps that are at least
`bands` apart, so that its columns have no common row: the release is Gaussian at the distance
`sqrt(participations (r_0^2 + ... + r_(bands-1)^2))`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.special import gaussian_profile, gaussian_profile_direct
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

BANDS = Parameter("bands", "bands of the matrix", "bands", 1, 1000, integer=True, log=True)
PARTICIPATIONS = Parameter("participations", "steps that a record is in", "steps", 1, 10**5, integer=True, log=True)


def banded(A: Arithmetic, *, epsilon: Number, sigma: Number, bands: int, participations: int) -> Any:
    """Exact delta of all steps."""
    norm, square = A.number(1), A.number(1)
    for j in range(1, bands):
        square = square * (1 - 1 / A.number(2 * j)) ** 2
        norm = norm + square
    return gaussian_profile(A, A.number(epsilon), A.sqrt(participations * norm) / A.number(sigma))


def _by_columns(A: Arithmetic, *, epsilon: Number, sigma: Number, bands: int, participations: int) -> Number:
    """The squared distance of the rows of the matrix, whose coefficients are those of a square root of 1/(1 - z)."""
    root = [Fraction(1)]
    for j in range(1, bands):
        root.append((1 - sum((root[i] * root[j - i] for i in range(1, j)), Fraction(0))) / 2)
    rows = [Fraction(0)] * (bands * participations)
    for start in range(0, len(rows), bands):
        for j, coefficient in enumerate(root):
            rows[start + j] += coefficient
    norm = sum(row * row for row in rows)
    return gaussian_profile_direct(A, A.number(epsilon), A.sqrt(A.number(norm)) / A.number(sigma))


CLAIMS = (
    own(
        "banded_matrix", "DP-FTRL with a banded square-root matrix",
        "Exact delta of banded DP-FTRL, the steps of a record at least `bands` apart",
        r"f(\sqrt{k \sum_{j<b} \binom{2j}{j}^2 16^{-j}}/\sigma, \varepsilon)",
        DeltaBound(
            banded, _by_columns,
            points("epsilon sigma bands participations", (1, 2, 1, 1), ("0.5", 5, 8, 3), (2, 3, 40, 2)),
        ),
        domain=(EPSILON, SIGMA, BANDS, PARTICIPATIONS), falls=("epsilon", "sigma"), rises=("bands", "participations"),
        note="Of another strategy matrix with nonnegative entries, take `standard.gaussian.composition` with sigma "
        "divided by the largest norm of a record's columns.",
    ),
)  # fmt: skip
