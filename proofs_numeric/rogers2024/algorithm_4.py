"""Algorithm 4: many queries, paid by what they print."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.rogers2024.theorem_10 import SIZES, entries_are_capped, stream_cases

CLAIMS = (
    stated(
        "alg4", "Algorithm 4", "Pay-what-you-get prints at most k* entries",
        r"k^{(i)} \le k^* - k,\quad k \leftarrow k + |I^{(i)}|",
        FiniteStatement(stream_cases, entries_are_capped, SIZES, "k*"),
        note="Bottom is counted; exact law by peeling round after round.",
    ),
)  # fmt: skip
