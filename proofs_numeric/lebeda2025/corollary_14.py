"""Corollary 14: what is known of Algorithm 2 holds for Algorithm 3, whose reduction maps neighbours to neighbours."""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.algorithm_3 import REDUCED
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.claim import largest_pair
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.laws import COUNTERS
from proofs_numeric.lebeda2025.neighbours import TOP_K
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.theorem_11 import ADDED, theorem_11
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import points

CLAIMS = (
    stated(
        "cor14", "Corollary 14", "Algorithm 3 inherits the guarantees of Algorithm 2",
        r"\text{Theorems 11 and 12 hold for Algorithm 3}",
        DeltaBound(
            theorem_11, exact=two_terms, pairs=replace(COUNTERS, reduced=REDUCED),
            proof=replace(ADDED, reduced=ByClaim("lebeda2025.lem13")),
        ),
        domain=(EPSILON, K, SIGMA, GAP), role=Role.UPPER, privacy=TOP_K,
        partial="Theorem 11; where Theorem 12 is the smaller bound, lebeda2025.cor14.exact is smaller still",
    ),
    own(
        "cor14.exact", "Corollary 14", "exact delta of Algorithm 3",
        r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        DeltaBound(
            exact_delta, delta_by_definition, ({"epsilon": "0.3", "k": 2, "sigma": 2, "gap": 3},),
            pairs=replace(COUNTERS, reduced=REDUCED), proof=largest_pair(ByClaim("lebeda2025.lem13")),
        ),
        domain=(EPSILON, K, SIGMA, GAP), falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD},
        assumptions=("one user with any number of keys", "the universe has at least k keys"), privacy=TOP_K,
        bracketed="as lebeda2025.csh.exact, whose number it is",
        points=points(
            "epsilon k sigma gap", ("0.349", 10, "17.741998402", "96.753015889"), (0, 20, 100000, "541385.345262"),
        ),
        note="at most csh.exact by lem13; no less, as a k-sparse histogram is its own reduction", cost=12,
    ),
)  # fmt: skip
