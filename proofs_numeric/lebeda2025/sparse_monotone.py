"""Histograms that are k-sparse and monotonic (Definition 9): Misra-Gries sketches, their merges, and Algorithm 3."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from proofs_numeric.adjacency import SparseMonotone
from proofs_numeric.claim import Box, ByClaim, Claim, Definition, FiniteStatement, Identity, Parameter, Proof, Trusted
from proofs_numeric.lebeda2025.parameters import ours, printed
from proofs_numeric.verdict import Expectation

Counts = dict[str, int]
Merge = Callable[[Iterable[Counts], int], Counts]


def misra_gries(stream: Iterable[str], k: int) -> Counts:
    """Misra-Gries sketch with k counters: count, insert, or subtract one from all (Misra and Gries 1982)."""
    sketch: Counts = {}
    for element in stream:
        if element in sketch:
            sketch[element] += 1
        elif len(sketch) < k:
            sketch[element] = 1
        else:
            sketch = {key: count - 1 for key, count in sketch.items() if count > 1}
    return sketch


def added(sketches: Iterable[Counts]) -> Counts:
    """Sum of sketches, key by key."""
    total: Counts = {}
    for sketch in sketches:
        for key, count in sketch.items():
            total[key] = total.get(key, 0) + count
    return total


def top_k(histogram: Mapping[str, int], k: int) -> Counts:
    """Algorithm 3's pre-processing: subtract the (k+1)-th largest count from all, drop what is not positive."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k] if len(ordered) > k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


def merge(sketches: Iterable[Counts], k: int) -> Counts:
    """Merge of sketches: sum, then subtract the (k+1)-th largest counter."""
    return top_k(added(sketches), k)


def kept_largest(histogram: Mapping[str, int], k: int) -> Counts:
    """The k largest counts as they are, ties by key: looks like Algorithm 3 and is not monotonic."""
    chosen = sorted((key for key, count in histogram.items() if count), key=lambda key: (-histogram[key], key))[:k]
    return {key: histogram[key] for key in chosen}


def merge_keeping_largest(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum, then keep the k largest without subtracting."""
    return kept_largest(added(sketches), k)


def merge_subtracting_kth_if_more(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum; only if more than k counters remain, subtract the k-th largest."""
    total = added(sketches)
    if sum(count > 0 for count in total.values()) <= k:
        return total
    cut = sorted(total.values(), reverse=True)[k - 1]
    return {key: count - cut for key, count in total.items() if count > cut}


def sum_only(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum alone: monotonic, but not k-sparse."""
    return added(sketches)


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


def _streams(universe: int, length: int) -> Iterator[tuple[str, ...]]:
    return itertools.product("abcd"[:universe], repeat=length)


def _sketch_cases(size: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    for k in (1, 2, 3):
        for length in range(1, size + 1):
            for stream in _streams(4, length):
                for removed in range(length):
                    yield stream, removed, k


def _sketch_holds(case: tuple[tuple[str, ...], int, int]) -> bool:
    stream, removed, k = case
    return neighbours(misra_gries(stream, k), misra_gries(stream[:removed] + stream[removed + 1 :], k), k)


def _neighbouring_sketches(size: int, k: int) -> set[tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]]:
    found = set()
    for length in range(1, size + 1):
        for stream in _streams(4, length):
            for removed in range(length):
                pair = (misra_gries(stream, k), misra_gries(stream[:removed] + stream[removed + 1 :], k))
                found.add((tuple(sorted(pair[0].items())), tuple(sorted(pair[1].items()))))
    return found


def _merge_cases(size: int) -> Iterator[tuple[Counts, Counts, Counts, int]]:
    for k in (1, 2, 3):
        pairs = sorted(_neighbouring_sketches(size, k))
        others = sorted({left for left, _right in pairs} | {right for _left, right in pairs})
        for left, right in pairs:
            for other in others:
                yield dict(left), dict(right), dict(other), k


def _merged_by(rule: Merge) -> Callable[[tuple[Counts, Counts, Counts, int]], bool]:
    def holds(case: tuple[Counts, Counts, Counts, int]) -> bool:
        left, right, other, k = case
        return neighbours(rule([left, other], k), rule([right, other], k), k)

    return holds


def _chained(case: tuple[Counts, Counts, Counts, int]) -> bool:
    left, right, other, k = case
    chain = merge([merge([left, other], k), other], k), merge([merge([right, other], k), other], k)
    flat = merge([left, other, other], k), merge([right, other, other], k)
    return neighbours(*chain, k) and neighbours(*flat, k)


def _user_cases(size: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    return (
        (stream, at, 2)
        for length in range(2, size + 1, 2)
        for stream in _streams(4, length)
        for at in range(0, length, 2)
    )


def _user_holds(case: tuple[tuple[str, ...], int, int]) -> bool:
    stream, at, k = case
    return neighbours(misra_gries(stream, k), misra_gries(stream[:at] + stream[at + 2 :], k), k)


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


def _shift(A: Any, *, count: Any, noise: Any, gap: Any) -> Any:
    return count + noise - (1 + gap)


def _shifted(A: Any, *, count: Any, noise: Any, gap: Any) -> Any:
    return (count - 1) + noise - gap


_SIZES = {"quick": 4, "standard": 5, "deep": 7}


def _false(id_: str, title: str, statement: str, rule: Merge, note: str) -> Claim:
    return Claim(
        id=f"lebeda2025.def9.mg.{id_}",
        source=ours("Definition 9, example"),
        title=title,
        statement=statement,
        kind=FiniteStatement(
            cases=_merge_cases,
            holds=_merged_by(rule),
            sizes={"quick": 3, "standard": 4, "deep": 5},
            size_text="stream length",
        ),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.def9.mg.merge",
        note=note,
    )


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
        id="lebeda2025.def9.mg",
        source=printed("Definition 9, example"),
        title="Misra-Gries sketches of neighbouring streams are k-sparse and monotonic",
        statement=r"MG_k(S) - MG_k(S \setminus x) \in \{0,1\}^d \cup \{0,-1\}^d",
        kind=FiniteStatement(cases=_sketch_cases, holds=_sketch_holds, sizes=_SIZES, size_text="stream length"),
        assumptions=("every user holds one element",),
    ),
    Claim(
        id="lebeda2025.def9.mg.merge",
        source=printed("Definition 9, example"),
        title="merging by sum and subtraction of the (k+1)-th counter keeps the property",
        statement=r"\text{pairwise merges, sum then subtract the } (k+1)\text{-th largest}",
        kind=FiniteStatement(
            cases=_merge_cases,
            holds=_merged_by(merge),
            sizes={"quick": 3, "standard": 4, "deep": 5},
            size_text="stream length",
        ),
    ),
    Claim(
        id="lebeda2025.def9.mg.chain",
        source=printed("Definition 9, example"),
        title="chained and flat merges of several sketches keep the property",
        statement=r"\text{merges of three sketches, chained or at once}",
        kind=FiniteStatement(
            cases=_merge_cases, holds=_chained, sizes={"quick": 3, "standard": 4, "deep": 4}, size_text="stream length"
        ),
    ),
    _false(
        "largest",
        "merging by keeping the k largest counters, nothing subtracted",
        r"\text{merges that keep the } k \text{ largest keep the property}",
        merge_keeping_largest,
        "ties and near-ties swap which counters survive",
    ),
    _false(
        "kth",
        "merging by subtracting the k-th counter only if more than k remain",
        r"\text{merges that subtract the } k\text{-th largest when needed keep the property}",
        merge_subtracting_kth_if_more,
        "k=2: (0:3, 3:1) against (0:3), merged with (2:2), gives {0:1} against {0:3, 2:2}",
    ),
    _false(
        "sum",
        "merging by summing alone",
        r"\text{sums of sketches are } k\text{-sparse}",
        sum_only,
        "monotonic, but up to 2k counters",
    ),
    Claim(
        id="lebeda2025.def9.mg.users",
        source=ours("Definition 9, example"),
        title="users who hold two elements",
        statement=r"MG_k(S) - MG_k(S \setminus \{x, y\}) \in \{0,1\}^d \cup \{0,-1\}^d",
        kind=FiniteStatement(
            cases=_user_cases,
            holds=_user_holds,
            sizes={"quick": 6, "standard": 6, "deep": 8},
            size_text="stream length",
        ),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.def9.mg",
        note="the example needs one element a user: k=2, stream ab ab cd fails",
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
        id="lebeda2025.cor14",
        source=printed("Corollary 14"),
        title="Algorithm 3 inherits the guarantees of Algorithm 2",
        statement=r"\text{Theorems 11 and 12 hold for Algorithm 3}",
        kind=Identity(
            left=_shift,
            right=_shifted,
            proof=Proof(
                (
                    ByClaim("lebeda2025.lem13", "its input to Algorithm 2 is k-sparse and monotonic"),
                    ByClaim("lebeda2025.thm11", "Theorem 11 for Algorithm 2"),
                    Trusted("Algorithm 3 is Algorithm 2 after a deterministic map of neighbours to neighbours"),
                )
            ),
        ),
        domain=Box(
            (
                Parameter("count", "count of a counter", "users", lower=0, upper=10**6, integer=True),
                Parameter("noise", "its noise", "counts", lower=-1000, upper=1000),
                Parameter("gap", "tau", "counts", lower=-1000, upper=1000),
            )
        ),
        note="the identity says that threshold 1 + tau on a count is threshold tau on the count above 1",
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
