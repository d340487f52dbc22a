"""The intermediate histogram in the proof of Theorem 11."""

from __future__ import annotations

from collections.abc import Mapping

from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, neighbour_cases, neighbours
from proofs_numeric.lebeda2025.parameters import printed
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.derivation import Derivation, Unchecked
from proofs_numeric.statements.kinds import FiniteStatement


def intermediate(left: Mapping[str, int], right: Mapping[str, int]) -> Counts:
    """The histogram between neighbours (Theorem 11): support of the smaller, counts of the larger."""
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    return {key: larger[key] for key in smaller}


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


CLAIMS = (
    Claim(
        id="lebeda2025.thm11.proof",
        source=printed("Theorem 11, proof"),
        title="the intermediate histogram exists for every pair of neighbours",
        statement=r"supp(\hat H) = supp(H), \hat H = H' \text{ there}; H' - \hat H = 1 \text{ outside}",
        kind=FiniteStatement(
            cases=neighbour_cases,
            holds=_intermediate_holds,
            sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
            proof=Derivation(
                (
                    Unchecked(
                        "the larger neighbour has c + s, s in {0, 1}, where the smaller has c, key by key: c + s is "
                        "kept where c > 0, still within s of c; where c = 0 a key is new and its count is s = 1; and "
                        "the new keys are among the k of the larger support"
                    ),
                )
            ),
        ),
    ),
)
