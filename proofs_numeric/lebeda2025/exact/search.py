"""A search over all forward pairs, where the collapse fails."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_numeric.arithmetic import Ball
from proofs_numeric.lebeda2025.exact.analysis import bracket_top, searched_delta, two_terms
from proofs_numeric.lebeda2025.parameters import ours
from proofs_numeric.lebeda2025.section_3.collapse import tie
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import FiniteStatement


def searched_cases(size: int) -> Iterator[tuple[int, str]]:
    """Sparsity up to ``size`` and delta at which every forward pair is searched."""
    return ((k, delta) for k, delta in ((2, "1e-6"), (16, "1e-5"), (64, "1e-5")) if k <= size)


def search_decides(case: tuple[int, str]) -> bool:
    """Whether, at ``A_k = G_k = delta`` and epsilon = 0, the search gives delta to 20 bits, inside the bracket."""
    k, delta = case
    sigma, gap = tie(k, Fraction(delta))
    with Ball(64) as A:
        at = {"epsilon": A.number(0), "k": k, "sigma": A.number(sigma), "gap": A.number(gap)}
        found, two = searched_delta(A, **at), two_terms(A, **at)
        return bool(two < found < bracket_top(A, **at, two=two) and found.rel_accuracy_bits() >= 20)


CLAIMS = (
    Claim(
        id="lebeda2025.csh.exact.search",
        source=ours("Section 8 (open problem)"),
        title="where the collapse fails a search over all forward pairs decides the exact delta",
        statement=r"\max(A_k, G_k) < \max_{l,j} \delta_{l,j}(0) < \max_l [1 - (1 - A_l)(1 - dg(k-l))],"
        r" A_k = G_k",
        kind=FiniteStatement(
            cases=searched_cases,
            holds=search_decides,
            sizes={"quick": 2, "standard": 16, "deep": 64},
            size_text="sparsity",
        ),
        note="every pair that may be the largest is enclosed; csh.exact searches up to k = 16 and brackets beyond",
    ),
)
