"""Histograms that are k-sparse and monotonic (Definition 9), Algorithm 3, and Theorem 11's intermediate histogram."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from proofs_numeric.lebeda2025.parameters import ours, printed
from proofs_numeric.statements.adjacency import SparseMonotone
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Definition, FiniteStatement
from proofs_numeric.statements.verdict import Expectation

Counts = dict[str, int]


def top_k(histogram: Mapping[str, int], k: int) -> Counts:
    """Algorithm 3's pre-processing: subtract the (k+1)-th largest count from all, drop what is not positive."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k] if len(ordered) > k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


def kept_largest(histogram: Mapping[str, int], k: int) -> Counts:
    """The k largest counts as they are, ties by key: looks like Algorithm 3 and is not monotonic."""
    chosen = sorted((key for key, count in histogram.items() if count), key=lambda key: (-histogram[key], key))[:k]
    return {key: histogram[key] for key in chosen}


def top_k_subtracting_kth(histogram: Mapping[str, int], k: int) -> Counts:
    """Subtract the k-th count unconditionally (0 when fewer than k are non-zero): sound, and wastes one counter."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k - 1] if len(ordered) >= k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


def neighbours(left: Mapping[str, int], right: Mapping[str, int], k: int) -> bool:
    """Whether both are k-sparse and differ by a vector of {0,1}^d or {0,-1}^d (equal ones included)."""
    if dict(left) == dict(right):
        return len(left) <= k
    try:
        SparseMonotone(k).check(left, right)
    except ValueError:
        return False
    return True


def _top_k_cases(size: int) -> Iterator[tuple[Counts, Counts, int]]:
    """All histograms of 4 keys with counts up to ``size``, each with every one-user addition, k = 1..3."""
    for counts in itertools.product(range(size + 1), repeat=4):
        for change in itertools.product((0, 1), repeat=4):
            if any(change):
                left = {key: c for key, c in zip("abcd", counts, strict=True) if c}
                right = {key: c + e for key, c, e in zip("abcd", counts, change, strict=True) if c + e}
                for k in (1, 2, 3):
                    yield left, right, k


def _reduced_by(rule: Callable[[Mapping[str, int], int], Counts]) -> Callable[[tuple[Counts, Counts, int]], bool]:
    def holds(case: tuple[Counts, Counts, int]) -> bool:
        left, right, k = case
        return neighbours(rule(left, k), rule(right, k), k)

    return holds


def intermediate(left: Mapping[str, int], right: Mapping[str, int]) -> Counts:
    """The histogram between neighbours (Theorem 11): support of the smaller, counts of the larger."""
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    return {key: larger[key] for key in smaller}


def _intermediate_cases(size: int) -> Iterator[tuple[Counts, Counts, int]]:
    return ((left, right, k) for left, right, k in _top_k_cases(size) if neighbours(left, right, k))


def _intermediate_holds(case: tuple[Counts, Counts, int]) -> bool:
    left, right, k = case
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    between = intermediate(left, right)
    new = {key for key in larger if key not in between}
    return (
        set(between) == set(smaller)
        and set(smaller) <= set(larger)
        and all(larger[key] == between[key] for key in between)
        and all(larger[key] == 1 for key in new)
        and neighbours(between, smaller, k)
        and len(new) <= k
    )


def _differ_in_at_most_k(case: tuple[Counts, Counts, int]) -> bool:
    left, right, k = case
    return sum(left.get(key, 0) != right.get(key, 0) for key in {*left, *right}) <= k


def _is_neighbour(case: tuple[Counts, Counts, int]) -> bool:
    return neighbours(*case)


def _one_user_apart(case: tuple[tuple[Any, ...], tuple[Any, ...]]) -> bool:
    left, right = (sorted(side) for side in case)
    small, large = sorted((left, right), key=len)
    return len(large) == len(small) + 1 and any(large[:i] + large[i + 1 :] == small for i in range(len(large)))


CLAIMS = (
    Claim(
        id="lebeda2025.def2",
        source=printed("Definition 2"),
        title="neighbouring datasets: one data point added or removed",
        statement=r"D \sim D' \iff D = D' \cup \{x\} \text{ or } D' = D \cup \{x\}",
        kind=Definition(
            accepts=_one_user_apart,
            members=((("a",), ("a", "b")), (("a", "b"), ("b",)), ((), ("a",))),
            non_members=((("a",), ("b",)), (("a",), ("a",)), (("a",), ("a", "b", "c"))),
        ),
    ),
    Claim(
        id="lebeda2025.def9",
        source=printed("Definition 9"),
        title="k-sparse monotonic histograms",
        statement=r"\|H\|_0 \le k, \quad H - H' \in \{0,1\}^d \cup \{0,-1\}^d",
        kind=Definition(
            accepts=_is_neighbour,
            members=(({"a": 2}, {"a": 1}, 1), ({"a": 1, "b": 1}, {}, 2), ({"a": 5, "b": 2}, {"a": 4, "b": 2}, 2)),
            non_members=(({"a": 1, "b": 1}, {"a": 1}, 1), ({"a": 2}, {"b": 1}, 2), ({"a": 3}, {"a": 1}, 1)),
        ),
    ),
    Claim(
        id="lebeda2025.def9.k",
        source=printed("Definition 9"),
        title="neighbours differ in at most k counters",
        statement=r"\|H - H'\|_0 \le k",
        kind=FiniteStatement(
            cases=_intermediate_cases,
            holds=_differ_in_at_most_k,
            sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
        ),
        note="the larger histogram's support holds every changed counter",
    ),
    Claim(
        id="lebeda2025.alg3",
        source=printed("Algorithm 3"),
        title="Top-k pre-processing leaves at most k counters",
        statement=r"\|\text{Top-}k(H)\|_0 \le k",
        kind=FiniteStatement(
            cases=_top_k_cases,
            holds=lambda case: len(top_k(case[0], case[2])) <= case[2] and len(top_k(case[1], case[2])) <= case[2],
            sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
        ),
    ),
    Claim(
        id="lebeda2025.lem13",
        source=printed("Lemma 13"),
        title="Top-k pre-processing is k-sparse and monotonic",
        statement=r"\text{Top-}k(H) - \text{Top-}k(H') \in \{0,1\}^d \cup \{0,-1\}^d",
        kind=FiniteStatement(
            cases=_top_k_cases,
            holds=_reduced_by(top_k),
            sizes={"quick": 2, "standard": 3, "deep": 5},
            size_text="largest count",
        ),
        note="both cases of the proof occur: the (k+1)-th count moves or stays; ties included",
    ),
    Claim(
        id="lebeda2025.lem13.largest",
        source=ours("Lemma 13"),
        title="Top-k without the subtraction",
        statement=r"\text{keeping the } k \text{ largest counts is } k\text{-sparse and monotonic}",
        kind=FiniteStatement(
            cases=_top_k_cases,
            holds=_reduced_by(kept_largest),
            sizes={"quick": 2, "standard": 3, "deep": 3},
            size_text="largest count",
        ),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem13",
    ),
    Claim(
        id="lebeda2025.lem13.kth",
        source=ours("Lemma 13"),
        title="subtracting the k-th count unconditionally is sound too",
        statement=r"\text{subtracting the } k\text{-th count (0 when fewer) is } k\text{-sparse and monotonic}",
        kind=FiniteStatement(
            cases=_top_k_cases,
            holds=_reduced_by(top_k_subtracting_kth),
            sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
        ),
    ),
    Claim(
        id="lebeda2025.thm11.proof",
        source=printed("Theorem 11, proof"),
        title="the intermediate histogram exists for every pair of neighbours",
        statement=r"supp(\hat H) = supp(H), \hat H = H' \text{ there}; H' - \hat H = 1 \text{ outside}",
        kind=FiniteStatement(
            cases=_intermediate_cases,
            holds=_intermediate_holds,
            sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
        ),
    ),
)
