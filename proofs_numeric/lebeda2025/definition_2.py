"""Definition 2: neighbouring datasets."""

from typing import Any

from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.kinds import Definition


def _one_user_apart(case: tuple[tuple[Any, ...], tuple[Any, ...]]) -> bool:
    left, right = (sorted(side) for side in case)
    small, large = sorted((left, right), key=len)
    return len(large) == len(small) + 1 and any(large[:i] + large[i + 1 :] == small for i in range(len(large)))


CLAIMS = (
    stated(
        "def2", "Definition 2", "neighbouring datasets: one data point added or removed",
        r"D \sim D' \iff D = D' \cup \{x\} \text{ or } D' = D \cup \{x\}",
        Definition(
            _one_user_apart, ((("a",), ("a", "b")), (("a", "b"), ("b",)), ((), ("a",))),
            ((("a",), ("b",)), (("a",), ("a",)), (("a",), ("a", "b", "c"))),
        ),
    ),
)  # fmt: skip
