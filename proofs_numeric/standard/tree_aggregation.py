"""Sums of all beginnings of a sequence by a binary tree with Gaussian noise: a record is in one of its steps.

The tree has a node for each complete block of `2^j` steps that starts at a multiple of `2^j`. The first step is in one
block of each size up to the number of steps, and no step is in more: the released nodes are one Gaussian release at
distance `sqrt(floor(log2 steps) + 1)`.
"""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic.special import gaussian_profile, gaussian_profile_direct
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

STEPS = Parameter("steps", "steps of the tree", "steps", 1, 10**9, integer=True, log=True)


def tree(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Any:
    """Exact delta of all nodes of the tree."""
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(steps.bit_length())) / A.number(sigma))


def _by_blocks(A: Arithmetic, *, epsilon: Number, sigma: Number, steps: int) -> Number:
    """The complete blocks of every step are counted; then the analytic Gaussian delta of that many releases."""
    sizes = [2**j for j in range(steps) if 2**j <= steps]
    most = max(sum((step // size + 1) * size <= steps for size in sizes) for step in range(steps))
    return gaussian_profile_direct(A, A.number(epsilon), A.sqrt(A.number(most)) / A.number(sigma))


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
)  # fmt: skip
