"""Theorem 5: concentrated privacy of the exponential mechanism."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import logistic
from proofs_numeric.rogers2024.conversion import converted
from proofs_numeric.rogers2024.laws import two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import ALPHA, ANY_EPSILON, BETA, EPSILON, LEVEL, THETA, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import approximate_delta_upper, dp_to_cdp_rho_upper
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.races import OfTrees, Picks
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Increasing,
    Part,
    Product,
    Rewrite,
    Sign,
    Symbolic,
    Through,
)


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


def tilted(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number) -> Any:
    """``alpha log(1 - share + share e^-epsilon)``: log of the mean ratio, to the power alpha."""
    return A.number(alpha) * A.log1p(A.number(share) * A.expm1(-A.number(epsilon)))


def chord(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number) -> Any:
    """``1 - share + share e^(-alpha epsilon)``: mean of the ratio's power where the ratio is 1 or ``e^-epsilon``."""
    return 1 + A.number(share) * A.expm1(-A.number(alpha) * epsilon)


def _log_chord(A: Arithmetic, **at: Number) -> Any:
    return A.log(chord(A, **at))


def power(A: Arithmetic, **at: Number) -> Any:
    """``(1 - share + share e^-epsilon)^alpha``."""
    return A.exp(tilted(A, **at))


def log_moment(A: Arithmetic, **at: Number) -> Any:
    """``(alpha - 1) D_alpha`` of the two-point pair, its smaller ratio of mass ``share``."""
    return _log_chord(A, **at) - tilted(A, **at)


def moment(A: Arithmetic, **at: Number) -> Any:
    """``e^((alpha - 1) D_alpha)`` of that pair."""
    return A.exp(log_moment(A, **at))


def log_growth(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Any:
    """``(alpha - 1) alpha epsilon^2/8``."""
    return (A.number(alpha) - 1) * alpha_em_rho(A, alpha=A.number(alpha), epsilon=epsilon, theta=0)


def growth(A: Arithmetic, **at: Number) -> Any:
    """``e^((alpha - 1) alpha epsilon^2/8)``: what a pick adds to the moment, at most."""
    return A.exp(log_growth(A, **at))


def _spread(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number) -> Any:
    """``(1 - 2p)^2/4``, p the smaller ratio's mass, tilted by alpha: what a variance in [0, 1] leaves of 1/4."""
    low = A.number(share) * A.exp(-A.number(alpha) * epsilon)
    return (1 - 2 * low / (1 - share + low)) ** 2 / 4


def _curvature(A: Arithmetic, *, epsilon: Number, **at: Number) -> Any:
    return A.number(epsilon) ** 2 * _spread(A, epsilon=epsilon, **at)


def _slope_at_one(A: Arithmetic, *, epsilon: Number, share: Number) -> Any:
    return A.number(epsilon) * _spread(A, alpha=A.number(1), epsilon=epsilon, share=share)


def _excess(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Any:
    return -A.expm1((1 - A.number(alpha)) * epsilon)


def _turning(A: Arithmetic, *, alpha: Number, epsilon: Number, share: Number) -> Any:
    low, lower = (share * A.exp(-steps * A.number(epsilon)) for steps in (1, alpha))
    return alpha * low * (1 - A.number(share)) / ((1 - share + low) * (1 - share + lower))


def _order_less_one(A: Arithmetic, *, alpha: Number, **_rest: Number) -> Any:
    return 1 / (A.number(alpha) - 1)


def _of_theta(formula: Formula) -> Formula:
    return lambda A, *, theta, **at: formula(A, share=1 - A.number(theta), **at)


def _room(A: Arithmetic, *, theta: Number, **at: Number) -> Any:
    return log_growth(A, **at) - log_moment(A, share=1 - A.number(theta), **at)


NEARLY_ATTAINED: tuple[dict[str, Value], ...] = tuple(
    {"alpha": alpha, "epsilon": epsilon, "theta": "1/2"}
    for alpha, epsilon in (("1.01", "0.01"), (4, "0.01"), (2, "0.1"))
)
"""Where ``alpha epsilon^2/8`` is loose by less than a per cent."""


ORDERS = Box((replace(ALPHA, upper="infinity"), ANY_EPSILON, Parameter("share", "mass of the smaller ratio", upper=1)))


def _in_alpha(curvature: Formula, slope: Formula) -> Derivative:
    at_one = Derivative("epsilon", "lower", Rewrite(Sign(), right=slope))
    return Derivative(
        "alpha", "lower", Derivative("alpha", "lower", Rewrite(Sign(), right=curvature), at_one), Symbolic()
    )


PICKS = Picks(
    Box((ORDERS["alpha"], ANY_EPSILON, K)),
    "k",
    width=lambda A, *, epsilon, **_rest: A.number(epsilon),
    rho=lambda A, *, epsilon, k: k * em_rho(A, epsilon=epsilon),
)
"""Picks from weights that move by a factor within ``[c, c e^epsilon]``."""


def _once(_A: Arithmetic, **_at: Number) -> int:
    return 1


_PROFILE = Box((LEVEL, BETA))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm5.chord",
        source=ours("Theorem 5"),
        title="A power of a ratio lies below its chord",
        statement=r"(1 - s + s e^{-\varepsilon})^\alpha \le 1 - s + s e^{-\alpha\varepsilon}",
        kind=Inequality(
            power,
            chord,
            proof=Increasing(
                "exp",
                tilted,
                _log_chord,
                Derivative(
                    "epsilon", "lower", Product((Part(_turning), Part(_excess, Derivative("epsilon", "lower"))))
                ),
            ),
        ),
        domain=ORDERS,
    ),
    Claim(
        id="rogers2024.thm5.moment",
        source=ours("Theorem 5"),
        title="The Renyi moment of a two-point pair of range one",
        statement=r"\frac{1 - s + s e^{-\alpha\varepsilon}}{(1 - s + s e^{-\varepsilon})^\alpha} "
        r"\le e^{\alpha(\alpha-1)\varepsilon^2/8}",
        kind=Inequality(
            moment, growth, proof=Increasing("exp", log_moment, log_growth, _in_alpha(_curvature, _slope_at_one))
        ),
        domain=ORDERS,
    ),
    Claim(
        id="rogers2024.thm5.profile",
        source=ours("Theorem 5 and its best conversion"),
        title="Privacy profile that Theorem 5 promises for counts",
        statement=r"\delta(\varepsilon) \le B_\rho(\varepsilon),\ \rho = 1/(8\beta^2)",
        kind=DeltaBound(
            pick_bound,
            exact=pick_worst_known,
            pairs=Promised(PICKS, {"epsilon": lambda A, *, beta, **_rest: 1 / A.number(beta), "k": _once}),
            proof=converted(OfTrees(ByClaim("rogers2024.thm9.picks")), pick_promise, _PROFILE),
        ),
        domain=_PROFILE,
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
            two_point_renyi, alpha_em_rho_naive, proof=Through(alpha_em_rho, ByClaim("rogers2024.thm5.em_cdp"))
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
            # From order 1, where both sides vanish, in alpha twice; at order 1 in epsilon.  Both slopes are squares.
            proof=Product(
                (Part(_order_less_one), Part(_room, _in_alpha(_of_theta(_curvature), _of_theta(_slope_at_one))))
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
