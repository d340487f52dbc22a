"""Sums of all beginnings of a sequence with Gaussian noise, by a binary tree or by a banded matrix (DP-FTRL).

The tree has a node for each complete block of `2^j` steps that starts at a multiple of `2^j`. The first step is in one
block of each size up to the number of steps, and no step is in more: where a record is in one step, the released nodes
are one Gaussian release at distance `sqrt(floor(log2 steps) + 1)`.

With a banded square-root matrix the released sums are a post-processing of `C x + noise`, where C is the lower
triangular Toeplitz matrix of the first `bands` coefficients of `(1 - z)^(-1/2)`: its square sums all beginnings. A
record takes part in steps that are at least `bands` apart, so that its columns have no common row: the release is
Gaussian at the distance `sqrt(participations (r_0^2 + ... + r_(bands-1)^2))`.
"""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.special import gaussian_profile, gaussian_profile_direct
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

STEPS = Parameter("steps", "steps of the tree", "steps", 1, 10**9, integer=True, log=True)
BANDS = Parameter("bands", "bands of the matrix", "bands", 1, 1000, integer=True, log=True)
PARTICIPATIONS = Parameter("participations", "steps that a record is in", "steps", 1, 10**5, integer=True, log=True)


def tree(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Exact delta of all nodes of the tree."""
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(steps.bit_length())) / A.number(sigma))


def _by_blocks(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Number:
    """The complete blocks of every step are counted; then the analytic Gaussian delta of that many releases."""
    sizes = [2**j for j in range(steps) if 2**j <= steps]
    most = max(sum((step // size + 1) * size <= steps for size in sizes) for step in range(steps))
    return gaussian_profile_direct(A, A.number(epsilon), A.sqrt(A.number(most)) / A.number(sigma))


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
        "tree_aggregation", "tree aggregation, a record in one step",
        "Exact delta of all noisy sums of a binary tree, a record in one step",
        r"f(\sqrt{\lfloor\log_2 n\rfloor + 1}/\sigma, \varepsilon)",
        DeltaBound(tree, _by_blocks, points("epsilon sigma steps", (1, 2, 1), ("0.5", 5, 7), (2, 3, 100), (1, 4, 64))),
        domain=(EPSILON, SIGMA, STEPS), falls=("epsilon", "sigma"), rises=("steps",),
        note="Sigma is the noise of a node divided by what a record changes of it. Of several trees, each with its own "
        "records, the largest counts.",
    ),
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
