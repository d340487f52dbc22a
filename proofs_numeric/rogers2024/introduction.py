"""Section 1: what noise and bad outcomes alone do not give."""

from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.concentrated import hockey_stick

gaussian_delta = profile(epsilon, symbol("mu"))
"""Delta of the Gaussian mechanism at distance ``mu``."""


def noiseless_values_leak(count: int) -> bool:
    """Whether deciding by a noisy threshold and printing exact counts separates {a: N+1} from {a: N} fully.

    The new-label mass of that mechanism is at most delta; on these two counts both sides print with the same
    probability, but never the same value, so the hockey stick is the whole printing probability, here at least 3/4.
    """
    noise = {-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}

    def printed(true_count: int) -> Fraction:
        return sum((mass for shift, mass in noise.items() if true_count + shift > count - 1), Fraction(0))

    left, right = ({str(n): printed(n), "nothing": 1 - printed(n)} for n in (count + 1, count))
    return printed(1) == 0 and all(hockey_stick(left, right, Fraction(r)) >= Fraction(3, 4) for r in (1, 10, 10**6))


CLAIMS = (
    stated(
        "intro.gauss_not_pure", "Section 1", "Fixed Gaussian noise is approximately but never purely private",
        None, gaussian_delta > 0, proof=ByClaim("wilkins2024.thm2.2.positive"),
        domain=(LEVEL, Parameter("mu", "sensitivity over sigma", lower="1e-6", upper=1000, log=True)),
        quantity=QuantityKind.DELTA, privacy=COUNTS, evaluates=gaussian_delta,
        partial="never pure; that some epsilon meets every delta above 0 is left out",
    ),
    stated(
        "intro.bad_outcomes_insufficient", "Section 1",
        "Bounding the mass of bad outcomes does not give approximate privacy",
        r"\exists A: \Pr[\text{new label}] \le \delta,\ H_\varepsilon(A(h) \| A(h')) \ge 3/4 \ \forall \varepsilon",
        FiniteStatement(
            cases=lambda size: range(3, size + 3), holds=noiseless_values_leak,
            sizes={"quick": 5, "standard": 20, "deep": 200}, size_text="count N",
        ),
        note="Algorithm 1 that thresholds noisily and prints the exact count.",
    ),
)  # fmt: skip
