"""Section 2: the exponential mechanism, Theorems 2 and 5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.special import logistic
from proofs_numeric.rogers2024.laws import two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    BETA,
    EPSILON,
    LEVEL,
    THETA,
    ours,
    printed,
)
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import approximate_delta_upper, dp_to_cdp_rho_upper, pure_delta
from proofs_numeric.statements.kinds import Definition, DeltaBound, FiniteStatement, Inequality
from proofs_numeric.statements.proof import ByClaim, Proof, SymbolicIdentity, Trusted


def em_rho(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon^2 / 8``: rho of the exponential mechanism over a score of range one (Theorem 5)."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon / 8


def em_rho_naive(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon^2 / 2``: rho of the exponential mechanism through pure DP."""
    return dp_to_cdp_rho_upper(A, epsilon=epsilon)


def pure_promise(A: Arithmetic, *, beta: Any) -> tuple[Any, Any]:
    """``(0, 1/(2 beta^2))`` of 1/beta-DP, Theorem 3."""
    return A.number(0), em_rho_naive(A, epsilon=1 / A.number(beta))


def pick_promise(A: Arithmetic, *, beta: Any) -> tuple[Any, Any]:
    """``(0, 1/(8 beta^2))`` of one pick over counts, Theorem 5."""
    return A.number(0), em_rho(A, epsilon=1 / A.number(beta))


def pick_bound(A: Arithmetic, *, epsilon: Any, beta: Any) -> Any:
    """Delta that :func:`pick_promise` implies at ``epsilon``."""
    delta, rho = pick_promise(A, beta=beta)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def pick_worst_known(A: Arithmetic, *, epsilon: Any, beta: Any) -> Any:
    """Exact profile of two equal counts one of which moves (C2): ``(e^{1/beta}/(1 + e^{1/beta}) - e^epsilon/2)_+``."""
    return A.maximum(0, logistic(A, 1 / A.number(beta)) - A.exp(A.number(epsilon)) / 2)


def pure_profile(A: Arithmetic, *, epsilon: Any, beta: Any) -> Any:
    """Delta of 1/beta-DP at ``epsilon``: randomised response at the promised level."""
    return pure_delta(A, epsilon=epsilon, promised=1 / A.number(beta))


def two_outcomes(A: Arithmetic, *, epsilon: Any, beta: Any) -> Any:
    """The same from a pair of laws on two outcomes with odds ``e^(1/beta)``, outcome by outcome."""
    odds, ratio = A.exp(1 / A.number(beta)), A.exp(A.number(epsilon))
    left, right = (odds / (1 + odds), 1 / (1 + odds)), (1 / (1 + odds), odds / (1 + odds))
    return A.sum(A.maximum(0, p - ratio * q) for p, q in zip(left, right, strict=True))


def alpha_em_rho(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``alpha epsilon^2 / 8``."""
    return alpha * em_rho(A, epsilon=epsilon)


def alpha_em_rho_naive(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``alpha epsilon^2 / 2``."""
    return alpha * em_rho_naive(A, epsilon=epsilon)


def popoviciu_gap(A: Arithmetic, *, theta: Any) -> Any:
    """``1/4 - theta (1 - theta)``: slack of the variance bound for a law on two points one apart."""
    theta = A.number(theta)
    return A.number(Fraction(1, 4)) - theta * (1 - theta)


def popoviciu_square(A: Arithmetic, *, theta: Any) -> Any:
    """``(1/2 - theta)^2``."""
    theta = A.number(theta)
    return (A.number(Fraction(1, 2)) - theta) ** 2


def score_range(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """``max_{y,y'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))``."""
    changes = [x - y for x, y in zip(left, right, strict=True)]
    return max(changes) - min(changes)


def has_range(case: tuple[tuple[int, ...], tuple[int, ...], int]) -> bool:
    """Whether the pair of score vectors has exactly the range given."""
    left, right, value = case
    return score_range(left, right) == value


def softmax(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """The exponential mechanism's law with ``e^(epsilon/range) = base`` rational."""
    weights = [base**score for score in scores]
    return [weight / sum(weights) for weight in weights]


def score_pairs(size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of score vectors over three outcomes with scores up to ``size``."""
    vectors = list(product(range(size + 1), repeat=3))
    return product(vectors, vectors)


def em_is_pure(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """``P(y) <= e^epsilon P'(y)`` with ``e^epsilon = base^range``."""
    base = Fraction(3, 2)
    left, right = case
    bound = base ** score_range(left, right)
    return all(p <= bound * q for p, q in zip(softmax(left, base), softmax(right, base), strict=True))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.def.range",
        source=printed("Section 2", "display before Theorem 2"),
        title="Range of a quality score",
        statement=r"\Delta(q) = \max_{y,y'} \max_{x \sim x'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))",
        kind=Definition(
            accepts=has_range,
            members=(((1, 0), (0, 0), 1), ((1, 0), (0, 1), 2), ((2, 2), (1, 1), 0)),
            non_members=(((1, 0), (0, 1), 1), ((1, 1), (0, 0), 1)),
        ),
        note="Called sensitivity in Theorems 2 and 5. A monotone score of sup-sensitivity 1 has range at most 1, any "
        "other at most 2: with the sup-sensitivity the mechanism is only 2 epsilon-DP.",
    ),
    Claim(
        id="rogers2024.thm2.em_pure",
        source=printed("Theorem 2"),
        title="The exponential mechanism is epsilon-DP over a score of known range",
        statement=r"\Pr[M(x) = y] \propto e^{\varepsilon q(x,y)/\Delta(q)} \text{ is } \varepsilon\text{-DP}",
        kind=FiniteStatement(score_pairs, em_is_pure, {"quick": 2, "standard": 3, "deep": 4}, "largest score"),
        note="Decided in rationals with e^(epsilon/Delta(q)) = 3/2; three outcomes.",
    ),
    Claim(
        id="rogers2024.thm2.profile",
        source=ours("Theorem 2"),
        title="Privacy profile that Theorem 2 promises for counts",
        statement=r"\delta(\varepsilon) \le (e^{1/\beta} - e^\varepsilon)_+/(e^{1/\beta} + 1)",
        kind=DeltaBound(
            pure_profile,
            oracle=two_outcomes,
            oracle_points=({"epsilon": 0, "beta": 1}, {"epsilon": "1/2", "beta": "3/4"}, {"epsilon": 1, "beta": "1/5"}),
        ),
        domain=Box((LEVEL, replace(BETA, lower="1e-2"))),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=SELECTION,
        note="Scores are counts of range one, weights e^(count/beta).",
        promise=pure_promise,
    ),
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
            proof=Proof(
                (
                    ByClaim("rogers2024.thm2.em_pure", "the mechanism is epsilon-DP"),
                    ByClaim("rogers2024.thm3.dp_to_cdp", "epsilon-DP is epsilon^2/2-CDP"),
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
            proof=Proof(
                (
                    Trusted(
                        "K(a) = log E_Q[e^(a g)] with g the log ratio has K(0) = K(1) = 0, so K(a) = a(a-1)/2 K''(xi) "
                        "for some xi in [0, a] (interpolation error), and K'' is a variance of g under a tilted law"
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
        evaluates=lambda A, **parameters: em_rho(A, epsilon=parameters["epsilon"]),
        loose="tight as epsilon -> 0; at epsilon = 1 the exact rho is .98641 of it (rogers2024.sharp.em)",
    ),
)
