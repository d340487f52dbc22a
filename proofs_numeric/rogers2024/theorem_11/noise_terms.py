"""Theorem 11, proof item 1: how many noise terms a round adds."""

from __future__ import annotations

from proofs_numeric.rogers2024.binary_mechanism import LENGTHS, up_to
from proofs_numeric.rogers2024.enumeration import floor_levels, levels
from proofs_numeric.rogers2024.parameters import printed
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.derivation import Derivation, Unchecked
from proofs_numeric.statements.kinds import FiniteStatement


def popcount_is_bounded(L: int) -> bool:
    """``max_{l <= L} ones(l) = floor(log2(L+1)) <= ceil(log2(L+1))``."""
    return max(r.bit_count() for r in range(1, L + 1)) == floor_levels(L) <= levels(L)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm11.popcount",
        source=printed("Theorem 11, proof item 1"),
        title="Noise terms of any round",
        statement=r"\max_{\ell \le L}\text{ones}(\ell) = \lfloor\log_2(L+1)\rfloor \le \lceil\log_2(L+1)\rceil",
        kind=FiniteStatement(
            up_to,
            popcount_is_bounded,
            LENGTHS,
            "L",
            proof=Derivation(
                (
                    Unchecked(
                        "the least number with n ones is 2^n - 1, which is at most L exactly where n <= log2(L + 1)"
                    ),
                )
            ),
        ),
    ),
)
