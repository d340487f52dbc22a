"""A formula and its value in an arithmetic."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Exact

Formula = Callable[..., Any]
"""``formula(A, **parameters)``: the value in arithmetic ``A``; parameters by their names in the claim's domain."""


class OfFormulas:
    """What formulas say, beside a number: laws, pairs of them, recurrences; its fields hold them, or are such too."""


Value = Exact | str
"""An exact number, or a word: an enumeration's choice or ``"infinity"``."""


def evaluate_in(A: Arithmetic, formula: Formula, parameters: Mapping[str, Value]) -> Any:
    """Evaluate ``formula`` in ``A`` at exact parameters; words and integers pass as they are, fractions as numbers."""
    with A:
        return formula(
            A,
            **{
                name: A.number(v) if isinstance(v, Fraction) or v == "infinity" else v for name, v in parameters.items()
            },
        )
