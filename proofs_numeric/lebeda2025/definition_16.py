"""Definition 16: zero-concentrated differential privacy."""

from fractions import Fraction

from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.kinds import Definition


def _approximates(case: tuple[Fraction, tuple[tuple[Fraction, Fraction], ...]]) -> bool:
    """rho-zCDP of a divergence given as (alpha, D_alpha) pairs."""
    rho, divergences = case
    return all(alpha > 1 and divergence <= rho * alpha for alpha, divergence in divergences)


CLAIMS = (
    stated(
        "def16", "Definition 16", "zero-concentrated differential privacy",
        r"D_\alpha(M(D) \| M(D')) \le \rho \alpha \text{ for all } \alpha > 1",
        Definition(
            _approximates, ((Fraction(1, 2), ((Fraction(2), Fraction(1)), (Fraction(3), Fraction(3, 2)))),),
            ((Fraction(1, 2), ((Fraction(2), Fraction(9, 8)),)),),
        ),
    ),
)  # fmt: skip
