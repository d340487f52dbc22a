"""A formula's enclosure at numbers as users write them."""

from fractions import Fraction

from proofs_numeric.arithmetic.enclosure import Enclosure, enclose
from proofs_numeric.arithmetic.formula import Formula


def value(formula: Formula, **point: int | str) -> Enclosure:
    """Enclose a formula at exact numbers, to 25 digits."""
    return enclose(formula, {name: x if isinstance(x, int) else Fraction(x) for name, x in point.items()}, 25)
