"""Definition 4: sensitivity space and l2 sensitivity."""

from fractions import Fraction

from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.kinds import Definition


def _satisfies_definition_4(case: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], Fraction]) -> bool:
    """Whether the set of differences is the sensitivity space of these answers, with this squared l2 sensitivity."""
    answers, space, squared = case
    differences = {tuple(x - y for x, y in zip(a, b, strict=True)) for a in answers for b in answers if a != b}
    return differences == set(space) and max(sum(c * c for c in v) for v in differences) == squared


CLAIMS = (
    stated(
        "def4", "Definition 4", "sensitivity space and l2 sensitivity",
        r"\Delta f = \{f(D) - f(D')\}, \quad \Delta_2 = \max_{v \in \Delta f} \|v\|_2",
        Definition(
            _satisfies_definition_4,
            ((((0, 0), (1, 1)), ((1, 1), (-1, -1)), Fraction(2)), (((0,), (1,)), ((1,), (-1,)), Fraction(1))),
            ((((0, 0), (1, 1)), ((1, 1),), Fraction(2)), (((0, 0), (1, 1)), ((1, 1), (-1, -1)), Fraction(1))),
        ),
    ),
)  # fmt: skip
