"""Misra-Gries sketches and their merges are k-sparse and monotonic (example of Definition 9); other merges are not."""

import itertools
from collections.abc import Callable, Iterable, Iterator

from proofs_numeric.lebeda2025.algorithm_3 import kept_largest, top_k, top_k_subtracting_kth
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, neighbours
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.pair import new_released, shared_mu
from proofs_numeric.lebeda2025.neighbours import MISRA_GRIES
from proofs_numeric.lebeda2025.parameters import *

Merge = Callable[[Iterable[Counts], int], Counts]
MergeCase = tuple[Counts, Counts, Counts, int]
"""Sketches of neighbours, another one, and k."""


def misra_gries(stream: Iterable[str], k: int) -> Counts:
    """Misra-Gries sketch with k counters: count, insert, or subtract one from all (Misra and Gries 1982)."""
    return sketch_runs(((element, 1) for element in stream), k)


def sketch_runs(runs: Iterable[tuple[str, int]], k: int) -> Counts:
    """Misra-Gries sketch of a stream given as (element, times in a row)."""
    sketch: Counts = {}
    for element, times in runs:
        left = times
        while left:
            if element in sketch or len(sketch) < k:
                sketch[element] = sketch.get(element, 0) + left
                break
            lowered = min(left, *sketch.values())
            sketch = {key: count - lowered for key, count in sketch.items() if count > lowered}
            left -= lowered
    return sketch


def added(sketches: Iterable[Counts]) -> Counts:
    """Sum of sketches, key by key."""
    total: Counts = {}
    for sketch in sketches:
        for key, count in sketch.items():
            total[key] = total.get(key, 0) + count
    return total


def merge(sketches: Iterable[Counts], k: int) -> Counts:
    """Merge of sketches: sum, then subtract the (k+1)-th largest counter."""
    return top_k(added(sketches), k)


def merge_keeping_largest(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum, then keep the k largest without subtracting."""
    return kept_largest(added(sketches), k)


def merge_subtracting_kth_if_more(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum; only if more than k counters remain, subtract the k-th largest."""
    total = added(sketches)
    return total if sum(count > 0 for count in total.values()) <= k else top_k_subtracting_kth(total, k)


def sum_only(sketches: Iterable[Counts], k: int) -> Counts:
    """Sum alone: monotonic, but not k-sparse."""
    return added(sketches)


def _streams(universe: int, length: int) -> Iterator[tuple[str, ...]]:
    return itertools.product("abcd"[:universe], repeat=length)


def _sketch_cases(size: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    for k in (1, 2, 3):
        for length in range(1, size + 1):
            for stream in _streams(4, length):
                for removed in range(length):
                    yield stream, removed, k


def _pair(stream: tuple[str, ...], at: int, k: int, *, removed: int = 1) -> tuple[Counts, Counts]:
    """The sketches of a stream and of the stream without so many elements from a place on."""
    return misra_gries(stream, k), misra_gries(stream[:at] + stream[at + removed :], k)


def _merge_cases(size: int) -> Iterator[MergeCase]:
    for k in (1, 2, 3):
        cases = (_pair(stream, at, k) for stream, at, picks in _sketch_cases(size) if picks == k)
        pairs = sorted({(tuple(sorted(left.items())), tuple(sorted(right.items()))) for left, right in cases})
        others = sorted({left for left, _right in pairs} | {right for _left, right in pairs})
        for left, right in pairs:
            for other in others:
                yield dict(left), dict(right), dict(other), k


def _merged(rule: Merge, case: MergeCase) -> tuple[Counts, Counts]:
    left, right, other, k = case
    return rule([left, other], k), rule([right, other], k)


def _chained(case: MergeCase) -> bool:
    left, right, other, k = case
    chain = merge([merge([left, other], k), other], k), merge([merge([right, other], k), other], k)
    flat = merge([left, other, other], k), merge([right, other, other], k)
    return neighbours(*chain, k) and neighbours(*flat, k)


def _user_cases(size: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    for length in range(2, size + 1, 2):
        yield from ((stream, at, 2) for stream in _streams(4, length) for at in range(0, length, 2))


def _users_seen(case: tuple[tuple[str, ...], int, int]) -> dict[str, object]:
    stream, at, k = case
    without = stream[:at] + stream[at + 2 :]
    return {"k": k, "stream": stream, "without a user's two elements": without, "sketches": _pair(*case, removed=2)}


def _false(row: str, title: str, statement: str, rule: Merge, note: str) -> Claim:
    def describe(case: MergeCase) -> dict[str, object]:
        left, right, other, k = case
        return {"k": k, "sketches of neighbours": (left, right), "merged with": other, "merges": _merged(rule, case)}

    return own(
        f"def9.mg.{row}", "Definition 9, example", title, statement,
        FiniteStatement(
            _merge_cases, lambda case: neighbours(*_merged(rule, case), case[3]), sizes(3, 4, 5), "stream length",
            describe=describe,
        ),
        expected=Expectation.REFUTED, corrected_by="lebeda2025.def9.mg.merge", note=note,
    )  # fmt: skip


one_sketch = maximum(new_released(l=k), *(profile(epsilon, shared_mu(d=k, j=moved)) for moved in (1, k)))
"""What one more element does at the end of a stream: it empties k counters of 1, lowers k far ones, or raises one.

A lower bound on the exact delta.
"""

CLAIMS = (
    stated(
        "def9.mg", "Definition 9, example", "Misra-Gries sketches of neighbouring streams are k-sparse and monotonic",
        r"MG_k(S) - MG_k(S \setminus x) \in \{0,1\}^d \cup \{0,-1\}^d",
        FiniteStatement(
            _sketch_cases, lambda case: neighbours(*_pair(*case), case[2]), sizes(4, 5, 7), "stream length",
        ),
        assumptions=("every user holds one element",),
    ),
    stated(
        "def9.mg.merge", "Definition 9, example",
        "merging by sum and subtraction of the (k+1)-th counter keeps the property",
        r"\text{pairwise merges, sum then subtract the } (k+1)\text{-th largest}",
        FiniteStatement(
            _merge_cases, lambda case: neighbours(*_merged(merge, case), case[3]), sizes(3, 4, 5), "stream length",
        ),
    ),
    stated(
        "def9.mg.chain", "Definition 9, example", "chained and flat merges of several sketches keep the property",
        r"\text{merges of three sketches, chained or at once}",
        FiniteStatement(_merge_cases, _chained, sizes(3, 4, 4), "stream length"),
    ),
    _false(
        "largest", "merging by keeping the k largest counters, nothing subtracted",
        r"\text{merges that keep the } k \text{ largest keep the property}", merge_keeping_largest,
        "ties and near-ties swap which counters survive",
    ),
    _false(
        "kth", "merging by subtracting the k-th counter only if more than k remain",
        r"\text{merges that subtract the } k\text{-th largest when needed keep the property}",
        merge_subtracting_kth_if_more,
        "k=2: (0:3, 3:1) against (0:3), merged with (2:2), gives {0:1} against {0:3, 2:2}",
    ),
    _false(
        "sum", "merging by summing alone", r"\text{sums of sketches are } k\text{-sparse}", sum_only,
        "monotonic, but up to 2k counters",
    ),
    own(
        "def9.mg.users", "Definition 9, example", "users who hold two elements",
        r"MG_k(S) - MG_k(S \setminus \{x, y\}) \in \{0,1\}^d \cup \{0,-1\}^d",
        FiniteStatement(
            _user_cases, lambda case: neighbours(*_pair(*case, removed=2), case[2]), sizes(6, 6, 8), "stream length",
            describe=_users_seen,
        ),
        expected=Expectation.REFUTED, corrected_by="lebeda2025.def9.mg",
        note="the example needs one element a user: k=2, stream ab ab cd fails",
    ),
    own(
        "def9.mg.delta", "Definition 9", "delta of a Misra-Gries sketch released by Algorithm 2",
        r"\delta(\epsilon) \le \max_{l, j} \delta_{l,j}^{\to}(\epsilon)", DeltaBound(exact_delta, exact=one_sketch),
        domain=(EPSILON, K, SIGMA, GAP), assumptions=("one element of the stream added or removed",), role=Role.UPPER,
        falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD}, privacy=MISRA_GRIES,
        loose="one element moves all counters of a sketch or a single one; merged sketches move any number (def9.mg)",
        bracketed="as lebeda2025.csh.exact, whose number it is",
        note="sketches and their merges are k-sparse and monotonic (def9.mg, def9.mg.merge)",
        points=points("epsilon k sigma gap", (1, 10, 10, 200), ("1/2", 100, 20, 300)), cost=12,
    ),
)  # fmt: skip
