"""Delta of a Misra-Gries sketch that Algorithm 2 releases (the example of Definition 9)."""

from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.pair import new_released, shared_mu
from proofs_numeric.lebeda2025.neighbours import MISRA_GRIES
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import points

one_sketch = maximum(new_released(l=k), *(profile(epsilon, shared_mu(d=k, j=moved)) for moved in (1, k)))
"""What one more element does at the end of a stream: it empties k counters of 1, lowers k far ones, or raises one.

A lower bound on the exact delta.
"""

CLAIMS = (
    own(
        "def9.mg.delta", "Definition 9", "delta of a Misra-Gries sketch released by Algorithm 2",
        r"\delta(\epsilon) \le \max_{l, j} \delta_{l,j}^{\to}(\epsilon)", DeltaBound(exact_delta, exact=one_sketch),
        domain=(EPSILON, K, SIGMA, GAP), assumptions=("one element of the stream added or removed",), role=Role.UPPER,
        falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD}, privacy=MISRA_GRIES,
        loose="one element moves all counters of a sketch or a single one; merged sketches move any number (def9.mg)",
        bracketed="as lebeda2025.csh.exact, whose number it is",
        note="sketches and their merges are k-sparse and monotonic (def9.mg, def9.mg.merge)",
        points=points("epsilon k sigma gap", (1, 10, 10, 200), (Fraction(1, 2), 100, 20, 300)), cost=12,
    ),
)  # fmt: skip
