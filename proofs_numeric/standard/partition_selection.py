"""Partition selection: one user more decides with which probability a key is released."""

import itertools
import math

from proofs_numeric.arithmetic.special import binomial_pmf
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


def of_keys(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number, c_u: int) -> Number:
    """Exact delta of the same for each of c_u keys, independently, in both orders.

    The ratio of the two laws depends on the number of released keys alone, which is binomial.
    """
    laws = [[binomial_pmf(A, c_u, A.number(p), count) for count in range(c_u + 1)] for p in (keep, keep_next)]
    factor = A.exp(A.number(epsilon))
    return A.maximum(
        *(A.sum(A.maximum(0, p - factor * q) for p, q in zip(*pair, strict=True)) for pair in (laws, laws[::-1]))
    )


def _by_events(A: Arithmetic, *, epsilon: Number, keep: Number, keep_next: Number, c_u: int = 1) -> Number:
    """The same over every set of released keys."""
    chances = [(1 - A.number(p), A.number(p)) for p in (keep, keep_next)]
    sets = tuple(itertools.product((0, 1), repeat=c_u))
    laws = [[math.prod((of_key[key_set] for key_set in one), start=A.number(1)) for one in sets] for of_key in chances]
    factor = A.exp(A.number(epsilon))
    return max(
        sum(max(A.number(0), p - factor * q) for p, q in zip(left, right, strict=True))
        for left, right in (laws, laws[::-1])
    )


KEEP = Parameter("keep", "probability that a key of n users is released", "probability", 0, 1, log=True)
USER_KEYS = Parameter("c_u", "keys of one user", "keys", 1, 1000, integer=True, log=True, default=1)
KEEP_NEXT = Parameter("keep_next", "the same for n + 1 users", "probability", 0, 1, log=True)

CLAIMS = (
    own(
        "partition_selection.keep", "partition selection", "Exact delta of two probabilities of releasing a key",
        r"\max(\pi_{n+1} - e^\varepsilon\pi_n, \; (1-\pi_n) - e^\varepsilon(1-\pi_{n+1}), \dots)_+",
        DeltaBound(
            worse_order, _by_events,
            points("epsilon keep keep_next", (1, "1e-6", "1e-5"), ("0.5", "0.6", "0.9"), (2, "0.6", "0.8")),
        ),
        float64_lost="1e-15", domain=(EPSILON, KEEP, KEEP_NEXT), falls=("epsilon",),
        note="A library's probabilities for n and n + 1 users are judged with --solves keep,keep_next.",
    ),
    own(
        "partition_selection.keys", "partition selection", "Exact delta of a user of C_u keys that n others have, too",
        r"\max\{H(\pi_{n+1}, \pi_n), H(\pi_n, \pi_{n+1})\},\ "
        r"H(p, q) = \sum_j (P[B_{C_u,p} = j] - e^\varepsilon P[B_{C_u,q} = j])_+",
        DeltaBound(
            of_keys, _by_events,
            points(
                "epsilon keep keep_next c_u", (1, "1e-6", "1e-5", 3), ("0.5", "0.6", "0.9", 5), (2, "0.9", "0.7", 4),
                (1, 0, "1e-5", 8),
            ),
        ),
        float64_lost="1e-15", domain=(EPSILON, KEEP, KEEP_NEXT, USER_KEYS), falls=("epsilon",), rises=("c_u",),
        note="Of selection with one probability for each number of users: --solves keep,keep_next.",
    ),
)  # fmt: skip
