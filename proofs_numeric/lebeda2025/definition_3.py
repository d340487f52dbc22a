"""Definition 3: (epsilon, delta)-differential privacy, of finite laws."""

from fractions import Fraction

from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.kinds import Definition


def _is_dp(case: tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction, Fraction]) -> bool:
    """(e^epsilon, delta)-DP of two laws on the same outcomes, both directions, by the best event."""
    p, q, factor, delta = case
    forward = sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), Fraction(0))
    backward = sum((max(Fraction(0), b - factor * a) for a, b in zip(p, q, strict=True)), Fraction(0))
    return max(forward, backward) <= delta


CLAIMS = (
    stated(
        "def3", "Definition 3", "(epsilon, delta)-differential privacy",
        r"P[M(D) \in S] \le e^\epsilon P[M(D') \in S] + \delta",
        Definition(
            _is_dp,
            (
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(3), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 10)),
            ),
            (
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(2), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 20)),
            ),
        ),
    ),
)  # fmt: skip
