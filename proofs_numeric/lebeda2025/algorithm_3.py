"""Algorithm 3, Top-k pre-processing: k-sparse and monotonic (Lemma 13), as other reductions are or are not.

What is known of Algorithm 2 holds for Algorithm 3, whose reduction maps neighbours to neighbours (Corollary 14).
"""

from collections.abc import Callable, Iterator, Mapping

from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, one_user_cases
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.claim import largest_pair
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.laws import COUNTERS
from proofs_numeric.lebeda2025.neighbours import TOP_K
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.theorem_11 import ADDED, theorem_11
from proofs_numeric.statements.cuts import Cut, Reduced
from proofs_numeric.statements.instances import LawInstances, ReducedAt


def top_k(histogram: Mapping[str, int], k: int) -> Counts:
    """Algorithm 3's pre-processing: subtract the (k+1)-th largest count from all, drop what is not positive."""
    return top_k_subtracting_kth(histogram, k + 1)


def top_k_subtracting_kth(histogram: Mapping[str, int], k: int) -> Counts:
    """Subtract the k-th count unconditionally (0 when fewer than k are non-zero): sound, and wastes one counter."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k - 1] if len(ordered) >= k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


def kept_largest(histogram: Mapping[str, int], k: int) -> Counts:
    """The k largest counts as they are, ties by key: looks like Algorithm 3 and is not monotonic."""
    chosen = sorted((key for key, count in histogram.items() if count), key=lambda key: (-histogram[key], key))[:k]
    return {key: histogram[key] for key in chosen}


REDUCED = Reduced(Box((K,)), lambda _A, *, k: k + 1, parameter_named("k"))
"""The pre-processing, of every pair of neighbours."""
_REDUCED_COUNTERS = replace(COUNTERS, reduced=REDUCED)
_BY_PLACES = Cut(ByClaim("rogers2024.thm9.places"))
_LEMMA_13 = ByClaim("lebeda2025.lem13")


def reduced_by(rule: Callable[[Mapping[str, int], int], Counts]) -> LawInstances:
    """What a rule keeps of neighbours with k counters: k-sparse and monotonic."""

    def instances(case: tuple[Counts, Counts, int]) -> Iterator[ReducedAt]:
        left, right, k = case
        yield ReducedAt({"k": lift(k)}, (left, right), (rule(left, k), rule(right, k)), k)

    return LawInstances(instances)


def _parts(case: tuple[Counts, Counts, int]) -> dict[str, object]:
    left, right, k = case
    return {"k": k, "sketches of neighbours": (left, right), "kept": (kept_largest(left, k), kept_largest(right, k))}


CLAIMS = (
    stated(
        "alg3", "Algorithm 3", "Top-k pre-processing leaves at most k counters", r"\|\text{Top-}k(H)\|_0 \le k",
        FiniteStatement(
            one_user_cases, reduced_by(top_k), sizes(2, 3, 4), "largest count", every=REDUCED, proof=_LEMMA_13,
        ),
        note="Decided with the rest of Lemma 13.",
    ),
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
    stated(
        "cor14", "Corollary 14", "Algorithm 3 inherits the guarantees of Algorithm 2",
        r"\text{Theorems 11 and 12 hold for Algorithm 3}",
        DeltaBound(theorem_11, exact=two_terms, pairs=_REDUCED_COUNTERS, proof=replace(ADDED, reduced=_LEMMA_13)),
        domain=(EPSILON, K, SIGMA, GAP), role=Role.UPPER, privacy=TOP_K,
        partial="Theorem 11; where Theorem 12 is the smaller bound, lebeda2025.cor14.exact is smaller still",
    ),
    own(
        "cor14.exact", "Corollary 14", "exact delta of Algorithm 3",
        r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        DeltaBound(
            exact_delta, delta_by_definition, ({"epsilon": "0.3", "k": 2, "sigma": 2, "gap": 3},),
            pairs=_REDUCED_COUNTERS, proof=largest_pair(_LEMMA_13),
        ),
        domain=(EPSILON, K, SIGMA, GAP), falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD},
        assumptions=("one user with any number of keys", ENOUGH_KEYS), privacy=TOP_K,
        bracketed="as lebeda2025.csh.exact, whose number it is",
        points=points(
            "epsilon k sigma gap", ("0.349", 10, "17.741998402", "96.753015889"), (0, 20, 100000, "541385.345262"),
        ),
        note="at most csh.exact by lem13; no less, as a k-sparse histogram is its own reduction", cost=12,
    ),
)  # fmt: skip
