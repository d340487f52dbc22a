"""Theorem 5: concentrated privacy of the exponential mechanism."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import logistic
from proofs_numeric.rogers2024.laws import two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import ALPHA, BETA, EPSILON, LEVEL, THETA, ours, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.classical import INTERPOLATION
from proofs_numeric.statements.concentrated import approximate_delta_upper, dp_to_cdp_rho_upper
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Trusted
from proofs_numeric.statements.kinds import DeltaBound, Inequality


def em_rho(A: Arithmetic, *, epsilon: Number) -> Number:
    """``epsilon^2 / 8``: rho of the exponential mechanism over a score of range one (Theorem 5)."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon / 8


def em_rho_naive(A: Arithmetic, *, epsilon: Number) -> Number:
    """``epsilon^2 / 2``: rho of the exponential mechanism through pure DP."""
    return dp_to_cdp_rho_upper(A, epsilon=epsilon)


def pick_promise(A: Arithmetic, *, beta: Number) -> tuple[Any, Any]:
    """``(0, 1/(8 beta^2))`` of one pick over counts, Theorem 5."""
    return A.number(0), em_rho(A, epsilon=1 / A.number(beta))


def pick_bound(A: Arithmetic, *, epsilon: Number, beta: Number) -> Number:
    """Delta that :func:`pick_promise` implies at ``epsilon``."""
    delta, rho = pick_promise(A, beta=beta)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def pick_worst_known(A: Arithmetic, *, epsilon: Number, beta: Number) -> Number:
    """Exact profile of two equal counts one of which moves (C2): ``(e^{1/beta}/(1 + e^{1/beta}) - e^epsilon/2)_+``."""
    return A.maximum(0, logistic(A, 1 / A.number(beta)) - A.exp(A.number(epsilon)) / 2)


def alpha_em_rho(A: Arithmetic, *, alpha: Number, epsilon: Number, theta: Number) -> Number:
    """``alpha epsilon^2 / 8``."""
    return alpha * em_rho(A, epsilon=epsilon)


def alpha_em_rho_naive(A: Arithmetic, *, alpha: Number, epsilon: Number, theta: Number) -> Number:
    """``alpha epsilon^2 / 2``."""
    return alpha * em_rho_naive(A, epsilon=epsilon)


def popoviciu_gap(A: Arithmetic, *, theta: Number) -> Number:
    """``1/4 - theta (1 - theta)``: slack of the variance bound for a law on two points one apart."""
    theta = A.number(theta)
    return A.number(Fraction(1, 4)) - theta * (1 - theta)


def popoviciu_square(A: Arithmetic, *, theta: Number) -> Number:
    """``(1/2 - theta)^2``."""
    theta = A.number(theta)
    return (A.number(Fraction(1, 2)) - theta) ** 2


NEARLY_ATTAINED: tuple[dict[str, Value], ...] = tuple(
    {"alpha": alpha, "epsilon": epsilon, "theta": "1/2"}
    for alpha, epsilon in (("1.01", "0.01"), (4, "0.01"), (2, "0.1"))
)
"""Where ``alpha epsilon^2/8`` is loose by less than a per cent."""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm5.profile",
        source=ours("Theorem 5 and its best conversion"),
        title="Privacy profile that Theorem 5 promises for counts",
        statement=r"\delta(\varepsilon) \le B_\rho(\varepsilon),\ \rho = 1/(8\beta^2)",
        kind=DeltaBound(pick_bound, exact=pick_worst_known),
        domain=Box((LEVEL, BETA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=SELECTION,
        note="Scores are counts of range one, weights e^(count/beta).",
        promise=pick_promise,
    ),
    Claim(
        id="rogers2024.em_naive",
        source=printed("Section 2, before Theorem 5"),
        title="The exponential mechanism is epsilon^2/2-CDP through pure DP",
        statement=r"D_\alpha \le \alpha\varepsilon^2/2",
        kind=Inequality(
            two_point_renyi,
            alpha_em_rho_naive,
            proof=Derivation(
                (
                    Premise("rogers2024.thm2.em_pure", "the mechanism is epsilon-DP"),
                    Premise("rogers2024.thm3.dp_to_cdp", "epsilon-DP is epsilon^2/2-CDP"),
                )
            ),
        ),
        domain=Box((replace(ALPHA, upper=1000), EPSILON, THETA)),
        quantity=QuantityKind.RHO,
        privacy=SELECTION,
        loose="four times rho of Theorem 5",
    ),
    Claim(
        id="rogers2024.thm5.em_cdp",
        source=printed("Theorem 5"),
        title="The exponential mechanism is epsilon^2/8-CDP over a score of known range",
        statement=r"D_\alpha(P\|Q) \le \alpha\varepsilon^2/8",
        kind=Inequality(
            two_point_renyi,
            alpha_em_rho,
            proof=Derivation(
                (
                    Trusted(
                        INTERPOLATION,
                        "K(a) = log E_Q[e^(a g)] with g the log ratio has K(0) = K(1) = 0, so K(a) = a(a-1)/2 K''(xi) "
                        "for some xi in [0, a], and K'' is a variance of g under a tilted law",
                    ),
                    SymbolicIdentity(
                        "Popoviciu",
                        popoviciu_gap,
                        popoviciu_square,
                        ("theta",),
                        argument="a law on [c, c + epsilon] has variance at most epsilon^2/4, attained on two points",
                    ),
                )
            ),
        ),
        domain=Box((replace(ALPHA, upper=1000), EPSILON, THETA)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        privacy=SELECTION,
        points=NEARLY_ATTAINED,
        evaluates=lambda A, **parameters: em_rho(A, epsilon=parameters["epsilon"]),
        loose="tight as epsilon -> 0; at epsilon = 1 the exact rho is .98641 of it (rogers2024.sharp.em)",
    ),
)
