"""Definition 2.2: approximate concentrated differential privacy."""

from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.definition_2_1 import CERTAIN, HALVES, SKEWED, law
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.statements.concentrated import Decomposition


def certificate_holds(case: tuple[Decomposition, Fraction, Fraction]) -> bool:
    """Definition 2.2 through a decomposition at orders 1, 2, 5 and 50."""
    decomposition, delta, rho = case
    return decomposition.certifies(delta, rho, (1, 2, 5, 50))


CLAIMS = (
    stated(
        "def2.2", "Definition 2.2", "Approximate concentrated differential privacy",
        r"P = (1-\delta)P' + \delta P'',\ D_\alpha(P'\|Q') \le \alpha\rho,\ D_\alpha(Q'\|P') \le \alpha\rho",
        Definition(
            accepts=certificate_holds,
            members=(
                (Decomposition(SKEWED, SKEWED, SKEWED, SKEWED), Fraction(0), Fraction(0)),
                (Decomposition(HALVES, SKEWED, HALVES, SKEWED), Fraction(0), Fraction(1, 20)),
                (Decomposition(law(y=9, new=1), CERTAIN, CERTAIN, CERTAIN), Fraction(1, 10), Fraction(0)),
            ),
            non_members=(
                (Decomposition(law(y=9, new=1), CERTAIN, CERTAIN, CERTAIN), Fraction(1, 20), Fraction(1)),
                (Decomposition(HALVES, SKEWED, HALVES, SKEWED), Fraction(0), Fraction(1, 100)),
            ),
        ),
        note="Each example is a decomposition (P, Q, P', Q') with delta and rho; alpha = 1 is Kullback-Leibler.",
    ),
)  # fmt: skip
