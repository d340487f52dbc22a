"""Algorithm 4: many queries, paid by what they print."""

from proofs_numeric.rogers2024.parameters import printed
from proofs_numeric.rogers2024.theorem_10 import SIZES, entries_are_capped, stream_cases
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import FiniteStatement

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.alg4",
        source=printed("Algorithm 4"),
        title="Pay-what-you-get prints at most k* entries",
        statement=r"k^{(i)} \le k^* - k,\quad k \leftarrow k + |I^{(i)}|",
        kind=FiniteStatement(stream_cases, entries_are_capped, SIZES, "k*"),
        note="Bottom is counted; exact law by peeling round after round.",
    ),
)
