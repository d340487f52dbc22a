r"""Lemma 5.3: the distance of rows above tau, and the post-processing of appendix A.2.1."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.finite import (
    RATIOS,
    FiniteLaw,
    best_event,
    hockey_stick,
    law_pairs,
    laws,
    merged,
    merges,
)
from proofs_numeric.wilkins2024.outcomes import BY_MERGED, MERGED, RATIO
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import a_plus, distance

printed_distance = sqrt(a_plus / (sigma * sigma) + a_plus * (mu_o * mu_o))
"""``mu(a_+)`` of (5.6)."""

_Merge = tuple[FiniteLaw, FiniteLaw, Fraction, tuple[int, ...]]


def _merge_cases(size: int) -> Iterator[_Merge]:
    yield from product(laws(4, size), laws(4, size), RATIOS, tuple(merges(4)))


def block_by_block(case: _Merge) -> Iterator[Instance]:
    """(A.6): by how much the loss difference grows by a merge of outcomes; outcomes in the order of their blocks."""
    left, right, ratio, blocks = case
    order = sorted({**left, **right}, key=lambda outcome: blocks[int(str(outcome))])
    begins = [not i or blocks[int(str(o))] != blocks[int(str(order[i - 1]))] for i, o in enumerate(order)]
    steps = (
        {"p": left.get(o, Fraction(0)), "q": right.get(o, Fraction(0)), "new": Fraction(new)}
        for o, new in zip(order, begins, strict=True)
    )
    after = hockey_stick(merged(left, blocks), merged(right, blocks), ratio)
    growth = after - hockey_stick(left, right, ratio)
    yield Instance({"ratio": lift(ratio)}, tuple(steps), growth, Fraction(0))


merging_lowers_the_difference = Instances(block_by_block)


def chain_of_a7(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """(A.7): on ``E`` the integrand is not negative, off ``E`` not positive, so that E is a best event."""
    left, right, ratio = case
    inside = {o for o, p in left.items() if p >= ratio * right[o]}
    terms = {o: p - ratio * right[o] for o, p in left.items()}
    signs = all((terms[o] >= 0) if o in inside else (terms[o] <= 0) for o in terms)
    return signs and best_event(left, right, ratio) == hockey_stick(left, right, ratio)


CLAIMS = (
    stated(
        "lem5.3.mu", "Lemma 5.3", "The distance of rows above tau", None,
        eq(printed_distance, distance(rows=a_plus)), proof=Symbolic(), equation="5.6", domain=(A_PLUS, SIGMA, MU_O),
    ),
    stated(
        "A.6", "Appendix A.2.1", "Post-processing for every real epsilon",
        r"H_\varepsilon(f \circ P, f \circ Q) \le H_\varepsilon(P, Q), \ \varepsilon \in \mathbb R",
        FiniteStatement(
            _merge_cases, merging_lowers_the_difference, sizes(2, 3, 6), "four outcomes, every merge; denominator",
            every=MERGED, proof=BY_MERGED,
        ),
        equation="A.6", domain=(RATIO,), partial="laws on finitely many outcomes; all others are left out",
    ),
    stated(
        "A.6.chain", "Appendix A.2.1", "The signs used in (A.7)",
        r"P - e^\varepsilon Q \ge 0 \text{ on } E, \ \le 0 \text{ off } E",
        FiniteStatement(
            lambda size: law_pairs(3, size), chain_of_a7, sizes(4, 6, 10), "three outcomes, denominator"
        ),
        equation="A.7", partial="laws on three outcomes; all others are left out",
    ),
)  # fmt: skip
"""Claims of Lemma 5.3 on its distance and its post-processing."""
