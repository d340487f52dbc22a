"""The constant formulas that statements compare with."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic


def zero(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 0, whatever the parameters."""
    return A.number(0)


def one(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 1, whatever the parameters."""
    return A.number(1)
