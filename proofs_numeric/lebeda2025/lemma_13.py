"""Lemma 13: Top-k pre-processing is k-sparse and monotonic; other reductions."""

from collections.abc import Mapping
from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.algorithm_3 import REDUCED, reduced_by, top_k
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, one_user_cases
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.cuts import Cut
from proofs_numeric.statements.kinds import sizes


def kept_largest(histogram: Mapping[str, int], k: int) -> Counts:
    """The k largest counts as they are, ties by key: looks like Algorithm 3 and is not monotonic."""
    chosen = sorted((key for key, count in histogram.items() if count), key=lambda key: (-histogram[key], key))[:k]
    return {key: histogram[key] for key in chosen}


def top_k_subtracting_kth(histogram: Mapping[str, int], k: int) -> Counts:
    """Subtract the k-th count unconditionally (0 when fewer than k are non-zero): sound, and wastes one counter."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k - 1] if len(ordered) >= k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


_BY_PLACES = Cut(ByClaim("rogers2024.thm9.places"))


def _parts(case: tuple[Counts, Counts, int]) -> dict[str, object]:
    left, right, k = case
    return {"k": k, "sketches of neighbours": (left, right), "kept": (kept_largest(left, k), kept_largest(right, k))}


CLAIMS = (
    stated(
        "lem13", "Lemma 13", "Top-k pre-processing is k-sparse and monotonic",
        r"\text{Top-}k(H) - \text{Top-}k(H') \in \{0,1\}^d \cup \{0,-1\}^d",
        FiniteStatement(
            one_user_cases, reduced_by(top_k), sizes(2, 3, 5), "largest count", every=REDUCED, proof=_BY_PLACES,
        ),
        note="both cases of the proof occur: the (k+1)-th count moves or stays; ties included",
    ),
    own(
        "lem13.largest", "Lemma 13", "Top-k without the subtraction",
        r"\text{keeping the } k \text{ largest counts is } k\text{-sparse and monotonic}",
        FiniteStatement(one_user_cases, reduced_by(kept_largest), sizes(2, 3, 3), "largest count", describe=_parts),
        expected=Expectation.REFUTED, corrected_by="lebeda2025.lem13",
    ),
    own(
        "lem13.kth", "Lemma 13", "subtracting the k-th count unconditionally is sound too",
        r"\text{subtracting the } k\text{-th count (0 when fewer) is } k\text{-sparse and monotonic}",
        FiniteStatement(
            one_user_cases, reduced_by(top_k_subtracting_kth), sizes(2, 3, 4), "largest count",
            every=replace(REDUCED, rank=parameter_named("k")), proof=_BY_PLACES,
        ),
    ),
)  # fmt: skip
