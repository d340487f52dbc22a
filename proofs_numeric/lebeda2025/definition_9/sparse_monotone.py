"""Definition 9: histograms that are k-sparse and monotonic."""

import itertools
from collections.abc import Iterator, Mapping

from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.adjacency import SparseMonotone

Counts = dict[str, int]


def neighbours(left: Mapping[str, int], right: Mapping[str, int], k: int) -> bool:
    """Whether both are k-sparse and differ by a vector of {0,1}^d or {0,-1}^d (equal ones included)."""
    if dict(left) == dict(right):
        return len(left) <= k
    try:
        SparseMonotone(k).check(left, right)
    except ValueError:
        return False
    return True


def one_user_cases(size: int) -> Iterator[tuple[Counts, Counts, int]]:
    """All histograms of 4 keys with counts up to ``size``, each with every one-user addition, k = 1..3."""
    for counts in itertools.product(range(size + 1), repeat=4):
        for change in itertools.product((0, 1), repeat=4):
            if any(change):
                left = {key: c for key, c in zip("abcd", counts, strict=True) if c}
                right = {key: c + e for key, c, e in zip("abcd", counts, change, strict=True) if c + e}
                for k in (1, 2, 3):
                    yield left, right, k


def neighbour_cases(size: int) -> Iterator[tuple[Counts, Counts, int]]:
    """Those of them that are neighbours."""
    return ((left, right, k) for left, right, k in one_user_cases(size) if neighbours(left, right, k))


def _differ_in_at_most_k(case: tuple[Counts, Counts, int]) -> bool:
    left, right, k = case
    return sum(left.get(key, 0) != right.get(key, 0) for key in {*left, *right}) <= k


CLAIMS = (
    stated(
        "def9", "Definition 9", "k-sparse monotonic histograms",
        r"\|H\|_0 \le k, \quad H - H' \in \{0,1\}^d \cup \{0,-1\}^d",
        Definition(
            lambda case: neighbours(*case),
            (({"a": 2}, {"a": 1}, 1), ({"a": 1, "b": 1}, {}, 2), ({"a": 5, "b": 2}, {"a": 4, "b": 2}, 2)),
            (({"a": 1, "b": 1}, {"a": 1}, 1), ({"a": 2}, {"b": 1}, 2), ({"a": 3}, {"a": 1}, 1)),
        ),
    ),
    stated(
        "def9.k", "Definition 9", "neighbours differ in at most k counters", r"\|H - H'\|_0 \le k",
        FiniteStatement(neighbour_cases, _differ_in_at_most_k, sizes(2, 3, 4), "largest count"),
        note="the larger histogram's support holds every changed counter",
    ),
)  # fmt: skip
