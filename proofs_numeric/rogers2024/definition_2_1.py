"""Definition 2.1: approximate differential privacy."""

from collections.abc import Mapping
from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.statements.concentrated import hockey_stick

FiniteLaw = Mapping[str, Fraction]


def law(**masses: int) -> dict[str, Fraction]:
    """A law from integer masses."""
    total = sum(masses.values())
    return {outcome: Fraction(mass, total) for outcome, mass in masses.items() if mass}


HALVES, SKEWED, CERTAIN = law(y=1, n=1), law(y=3, n=2), law(y=1)

CLAIMS = (
    stated(
        "def2.1", "Definition 2.1", "Approximate differential privacy",
        r"\Pr[A(x) \in S] \le e^\varepsilon \Pr[A(x') \in S] + \delta",
        Definition(
            accepts=lambda case: all(hockey_stick(p, q, case[2]) <= case[3] for p, q in (case[:2], case[1::-1])),
            members=(
                (HALVES, HALVES, Fraction(1), Fraction(0)), (SKEWED, law(y=2, n=3), Fraction(3, 2), Fraction(0)),
                (CERTAIN, law(y=9, n=1), Fraction(1), Fraction(1, 10)),
            ),
            non_members=(
                (SKEWED, law(y=2, n=3), Fraction(7, 5), Fraction(0)),
                (law(y=9, n=1), CERTAIN, Fraction(1000), Fraction(9, 100)),
            ),
        ),
        equation="(1)", note="Each example is (law of x, law of x', e^epsilon, delta), checked in both directions.",
    ),
)  # fmt: skip
