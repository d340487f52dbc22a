"""Algorithm 3: Top-k pre-processing."""

from collections.abc import Callable, Iterator, Mapping

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, one_user_cases
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.cuts import Reduced
from proofs_numeric.statements.instances import LawInstances, ReducedAt
from proofs_numeric.statements.kinds import sizes


def top_k(histogram: Mapping[str, int], k: int) -> Counts:
    """Algorithm 3's pre-processing: subtract the (k+1)-th largest count from all, drop what is not positive."""
    ordered = sorted(histogram.values(), reverse=True)
    cut = ordered[k] if len(ordered) > k else 0
    return {key: count - cut for key, count in histogram.items() if count > cut}


REDUCED = Reduced(Box((K,)), lambda _A, *, k: k + 1, parameter_named("k"))
"""The pre-processing, of every pair of neighbours."""


def reduced_by(rule: Callable[[Mapping[str, int], int], Counts]) -> LawInstances:
    """What a rule keeps of neighbours with k counters: k-sparse and monotonic."""

    def instances(case: tuple[Counts, Counts, int]) -> Iterator[ReducedAt]:
        left, right, k = case
        yield ReducedAt({"k": lift(k)}, (left, right), (rule(left, k), rule(right, k)), k)

    return LawInstances(instances)


CLAIMS = (
    stated(
        "alg3", "Algorithm 3", "Top-k pre-processing leaves at most k counters", r"\|\text{Top-}k(H)\|_0 \le k",
        FiniteStatement(
            one_user_cases, reduced_by(top_k), sizes(2, 3, 4), "largest count", every=REDUCED,
            proof=ByClaim("lebeda2025.lem13"),
        ),
        note="Decided with the rest of Lemma 13.",
    ),
)  # fmt: skip
