"""Section 4.2.2: what a stream of queries costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from proofs_numeric.rogers2024.parameters import printed
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import FiniteStatement


def scaling_cases(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Sizes k^(i) of three queries and the cap k* <= sum k^(i)."""
    for sizes in product(range(1, size + 1), repeat=3):
        for k_star in range(1, sum(sizes) + 1):
            yield sizes, k_star


def cap_is_no_worse(case: tuple[tuple[int, ...], int]) -> bool:
    """k* picks cost at most what ``sum k^(i) <= l* max k`` picks cost."""
    sizes, k_star = case
    return k_star <= sum(sizes) <= len(sizes) * max(sizes)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.sec422.scaling",
        source=printed("Section 4.2.2"),
        title="k* against l* k",
        statement=r"k^* \le \sum_i k^{(i)} \le \ell^* \max_i k^{(i)}",
        kind=FiniteStatement(scaling_cases, cap_is_no_worse, {"quick": 3, "standard": 4, "deep": 6}, "k^(i)"),
    ),
)
