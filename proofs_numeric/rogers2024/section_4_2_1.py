"""Section 4.2.1: rho of Algorithm 2 by k_bar."""

from dataclasses import replace
from functools import partial

from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.laws import in_panels, window
from proofs_numeric.rogers2024.neighbours import TOP_OF_K_BAR
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.sharpenings import SIDES_BY_TOP, coordinates_of_top
from proofs_numeric.rogers2024.theorem_7.statement import rho_of_ratio
from proofs_numeric.rogers2024.theorem_8.proof import BELOW, TOPS, certificate, top_cases
from proofs_numeric.statements.instances import LawInstances


def swap_kl(A: Arithmetic, *, epsilon: Number, lead: Number) -> Number:
    """Kullback-Leibler divergence of Algorithm 2's output, k_bar = 1, {a: N, b: t} against {a: N+1, b: t+1} (B7).

    ``lead = (N - t - T)/sigma``; with x the item's noise:
    ``E[Phi(x + lead) (epsilon^2/2 - epsilon x + log Phi(x + lead) - log Phi(x + lead - epsilon))]``.
    """
    epsilon, lead = A.number(epsilon), A.number(lead)

    def integrand(B: Arithmetic, x: Number) -> Number:
        ratio = log_normal_cdf(B, x + lead) - log_normal_cdf(B, x + lead - epsilon)
        return normal_pdf(B, x) * normal_cdf(B, x + lead) * (epsilon * epsilon / 2 - epsilon * x + ratio)

    reach = window(A, lead)
    value = in_panels(A, integrand, -reach, reach, part_of_bits=3)
    # Phi(y) |log Phi(y) - log Phi(y - epsilon)| <= epsilon (|y| + epsilon + 1): the reversed hazard of a normal at y
    # is at most |y| + 1.  Beyond the window the integrand is below phi(x) epsilon (2|x| + |lead| + 2 epsilon + 1).
    rest = 2 * epsilon * (2 * normal_pdf(A, reach) + (abs(lead) + 2 * epsilon + 1) * normal_cdf(A, -reach))
    return value + A.between(A.number(0), -rest) + A.between(A.number(0), rest)


_rho = rho_of_ratio(delta_0=coordinates_of_top)
"""``min(D_0, k_bar + 1) epsilon^2/2``."""
CLAIMS = (
    refuted(
        "sec421.kbar", "Section 4.2.1", "rho of Algorithm 2 bounded by k_bar epsilon^2/2",
        r"D_1(P\|Q) \le \bar k\varepsilon^2/2 \text{ for any } \Delta_0", Inequality(swap_kl, epsilon * epsilon / 2),
        by="sec421.kbar.corrected", cost=3,
        domain=(
            Parameter("epsilon", "noise parameter", "nats", lower="0.1", upper=2),
            Parameter("lead", "(N - t - T)/sigma", "standard deviations", lower=-4, upper=4),
        ),
        note="The text says only that rho is bounded in terms of k_bar; "
        "read as k_bar epsilon^2/2 it fails at k_bar = 1.",
    ),
    stated(
        "sec421.kbar.corrected", "Section 4.2.1", "Rho of Algorithm 2 is at most min(Delta_0, k_bar + 1) epsilon^2/2",
        r"P \ge (1-\delta)P',\ Q \ge (1-\delta)Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\min(\Delta_0, \bar k + 1)\varepsilon^2/2",
        FiniteStatement(
            partial(top_cases, most_items=3),
            LawInstances(lambda case: (certificate(case, min(case[3], case[2] + 1), _rho),)),
            {"quick": 2, "standard": 3, "deep": 4}, "largest count, three labels",
            every=replace(TOPS, relabelled=SIDES_BY_TOP, rho=_rho),
            proof=replace(BELOW, counts=ByClaim("rogers2024.sharp.top")),
        ),
        domain=(K_BAR, DELTA_0, EPSILON), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=TOP_OF_K_BAR,
        evaluates=_rho, assumptions=("ties are broken by an order of labels fixed before the data",),
    ),
)  # fmt: skip
