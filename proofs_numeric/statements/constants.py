"""The formulas that statements are put together from: constants, and a parameter by itself."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.formula import Formula


def zero(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 0, whatever the parameters."""
    return A.number(0)


def one(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 1, whatever the parameters."""
    return A.number(1)


def integer_of(number: int) -> Formula:
    """Return the formula of an integer, which counts something."""
    return lambda _A, **_parameters: number


def parameter_named(name: str) -> Formula:
    """Return the formula whose value is that of a parameter."""
    return lambda A, **at: A.number(at[name])
