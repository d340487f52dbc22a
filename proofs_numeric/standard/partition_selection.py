"""Partition selection: one user more decides with which probability a key is released."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

keep, keep_next = symbols("keep keep_next")
_factor = exp(epsilon)
fewer = maximum(0, keep - _factor * keep_next) + maximum(0, (1 - keep) - _factor * (1 - keep_next))
"""Delta of the law with `keep` against that with `keep_next`."""

more = fewer(keep=keep_next, keep_next=keep)
"""Delta of the law with `keep_next` against that with `keep`."""

worse_order = maximum(fewer, more)
"""Exact delta of releasing a key with probability `keep`, or `keep_next` with one user more, in both orders."""


def _by_events(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number) -> Number:
    """The positive part of either order, outcome by outcome."""
    laws = [(A.number(p), 1 - A.number(p)) for p in (keep, keep_next)]
    factor = A.exp(A.number(epsilon))
    return max(
        sum(max(A.number(0), p - factor * q) for p, q in zip(left, right, strict=True))
        for left, right in (laws, laws[::-1])
    )


KEEP = Parameter("keep", "probability that a key of n users is released", "probability", 0, 1, log=True)
KEEP_NEXT = Parameter("keep_next", "the same for n + 1 users", "probability", 0, 1, log=True)

CLAIMS = (
    own(
        "partition_selection.keep", "partition selection", "Exact delta of two probabilities of releasing a key",
        r"\max(\pi_{n+1} - e^\varepsilon\pi_n, \; (1-\pi_n) - e^\varepsilon(1-\pi_{n+1}), \dots)_+",
        DeltaBound(
            worse_order, _by_events,
            (
                {"epsilon": 1, "keep": "1e-6", "keep_next": "1e-5"},
                {"epsilon": "0.5", "keep": "0.6", "keep_next": "0.9"},
                {"epsilon": 2, "keep": "0.6", "keep_next": "0.8"},
            ),
        ),
        float64_lost="1e-15", domain=(EPSILON, KEEP, KEEP_NEXT), falls=("epsilon",),
        note="A library's probabilities for n and n + 1 users are judged with --solves keep,keep_next.",
    ),
)  # fmt: skip
