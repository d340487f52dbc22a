"""Partition selection: one user more decides with which probability a key is released."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.standard.parameters import EPSILON, source
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import DeltaBound


def fewer(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number) -> Number:
    """Delta of the law with `keep` against that with `keep_next`."""
    one, two, factor = A.number(keep), A.number(keep_next), A.exp(A.number(epsilon))
    return A.maximum(0, one - factor * two) + A.maximum(0, (1 - one) - factor * (1 - two))


def more(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number) -> Number:
    """Delta of the law with `keep_next` against that with `keep`."""
    return fewer(A, epsilon=epsilon, keep=keep_next, keep_next=keep)


def keep(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number) -> Number:
    """Exact delta of releasing a key with probability `keep`, or `keep_next` with one user more, in both orders."""
    at = {"epsilon": epsilon, "keep": keep, "keep_next": keep_next}
    return A.maximum(fewer(A, **at), more(A, **at))


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
    Claim(
        id="standard.partition_selection.keep",
        float64_lost="1e-15",
        source=source("partition selection"),
        title="Exact delta of two probabilities of releasing a key",
        statement=r"\max(\pi_{n+1} - e^\varepsilon\pi_n, \; (1-\pi_n) - e^\varepsilon(1-\pi_{n+1}), \dots)_+",
        kind=DeltaBound(
            keep,
            _by_events,
            (
                {"epsilon": 1, "keep": "1e-6", "keep_next": "1e-5"},
                {"epsilon": "0.5", "keep": "0.6", "keep_next": "0.9"},
                {"epsilon": 2, "keep": "0.6", "keep_next": "0.8"},
            ),
        ),
        domain=Box((EPSILON, KEEP, KEEP_NEXT)),
        falls=("epsilon",),
        note="A library's probabilities for n and n + 1 users are judged with --solves keep,keep_next.",
    ),
)
