"""Theorem 5: concentrated privacy of the exponential mechanism."""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import Promise, converted
from proofs_numeric.rogers2024.laws import two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.races import Picked, Picks

theta, share = symbols("theta share")
em_rho = epsilon * epsilon / 8
"""Rho of the exponential mechanism over a score of range one (Theorem 5)."""
em_rho_naive = epsilon * epsilon / 2
"""Rho of the exponential mechanism through pure DP (Theorem 3)."""
PICK = Promise(em_rho(epsilon=1 / beta))
"""Of one pick over counts."""
tilted = alpha * log1p(share * expm1(-epsilon))
"""``alpha log(1 - share + share e^-epsilon)``: log of the mean ratio, to the power alpha."""
chord = 1 + share * expm1(-alpha * epsilon)
"""``1 - share + share e^(-alpha epsilon)``: mean of the ratio's power where the ratio is 1 or ``e^-epsilon``."""
power = exp(tilted)
"""``(1 - share + share e^-epsilon)^alpha``."""
log_moment = log(chord) - tilted
"""``(alpha - 1) D_alpha`` of the two-point pair, its smaller ratio of mass ``share``."""
moment = exp(log_moment)
log_growth = (alpha - 1) * (alpha * em_rho)
growth = exp(log_growth)
"""What a pick adds to the moment, at most."""

_low = share * exp(-alpha * epsilon)
_spread = (1 - 2 * _low / (1 - share + _low)) ** 2 / 4
"""``(1 - 2p)^2/4``, p the smaller ratio's mass, tilted by alpha: what a variance in [0, 1] leaves of 1/4."""
_curvature, _slope_at_one = epsilon**2 * _spread, epsilon * _spread(alpha=1)
_excess = -expm1((1 - alpha) * epsilon), Derivative("epsilon", "lower")
_turning = alpha * _low(alpha=1) * (1 - share) / ((1 - share + _low(alpha=1)) * (1 - share + _low))

NEARLY_ATTAINED = points("alpha epsilon theta", ("1.01", "0.01", "1/2"), (4, "0.01", "1/2"), (2, "0.1", "1/2"))
"""Where ``alpha epsilon^2/8`` is loose by less than a per cent."""
ORDERS = Box((ALPHA, EPSILON, Parameter("share", "mass of the smaller ratio", upper=1)))


def _in_alpha(curvature: Expression, slope: Expression) -> Derivative:
    at_one = Derivative("epsilon", "lower", Rewrite(Sign(), right=slope))
    rising = Derivative("alpha", "lower", Rewrite(Sign(), right=curvature), at_one)
    return Derivative("alpha", "lower", rising, Symbolic())


PICKS = Picks(Box((ORDERS["alpha"], EPSILON, K)), "k", width=epsilon, rho=k * em_rho)
"""Picks from weights that move by a factor within ``[c, c e^epsilon]``."""
# From order 1, where both sides vanish, in alpha twice; at order 1 in epsilon.  Both slopes are squares.
_AT_THETA = _in_alpha(_curvature(share=1 - theta), _slope_at_one(share=1 - theta))

CLAIMS = (
    own(
        "thm5.chord", "Theorem 5", "A power of a ratio lies below its chord",
        r"(1 - s + s e^{-\varepsilon})^\alpha \le 1 - s + s e^{-\alpha\varepsilon}", power <= chord,
        proof=Increasing("exp", tilted, log(chord), Derivative("epsilon", "lower", product_of(_turning, _excess))),
        domain=ORDERS,
    ),
    own(
        "thm5.moment", "Theorem 5", "The Renyi moment of a two-point pair of range one",
        r"\frac{1 - s + s e^{-\alpha\varepsilon}}{(1 - s + s e^{-\varepsilon})^\alpha} \le "
        r"e^{\alpha(\alpha-1)\varepsilon^2/8}",
        moment <= growth, proof=Increasing("exp", log_moment, log_growth, _in_alpha(_curvature, _slope_at_one)),
        domain=ORDERS,
    ),
    own(
        "thm5.profile", "Theorem 5 and its best conversion", "Privacy profile that Theorem 5 promises for counts",
        r"\delta(\varepsilon) \le B_\rho(\varepsilon),\ \rho = 1/(8\beta^2)",
        DeltaBound(
            # Two equal counts one of which moves (C2): (e^(1/beta)/(1 + e^(1/beta)) - e^epsilon/2)_+.
            PICK.profile, exact=maximum(0, 1 / (1 + exp(-(1 / beta))) - exp(epsilon) / 2),
            pairs=Promised(PICKS, {"epsilon": 1 / beta, "k": integer_of(1)}),
            proof=converted(Picked(ByClaim("rogers2024.thm9.picks")), PICK)
        ),
        domain=(LEVEL, BETA), role=Role.UPPER, privacy=SELECTION,
        note="Scores are counts of range one, weights e^(count/beta).", promise=PICK,
    ),
    stated(
        "em_naive", "Section 2, before Theorem 5", "The exponential mechanism is epsilon^2/2-CDP through pure DP",
        r"D_\alpha \le \alpha\varepsilon^2/2", two_point_renyi <= alpha * em_rho_naive,
        proof=Through(alpha * em_rho, ByClaim("rogers2024.thm5.em_cdp")),
        domain=(replace(ALPHA, searched=(1, 1000)), EPSILON, THETA), quantity=QuantityKind.RHO, privacy=SELECTION,
        loose="four times rho of Theorem 5",
        partial="two outcomes; any number of outcomes is rogers2024.thm9.picks at k = 1, with less rho",
    ),
    stated(
        "thm5.em_cdp", "Theorem 5", "The exponential mechanism is epsilon^2/8-CDP over a score of known range",
        r"D_\alpha(P\|Q) \le \alpha\varepsilon^2/8", two_point_renyi <= alpha * em_rho,
        proof=product_of(1 / (alpha - 1), (log_growth - log_moment(share=1 - theta), _AT_THETA)),
        domain=(replace(ALPHA, searched=(1, 1000)), EPSILON, THETA), quantity=QuantityKind.RHO, role=Role.UPPER,
        privacy=SELECTION, points=NEARLY_ATTAINED, evaluates=em_rho,
        loose="tight as epsilon -> 0; at epsilon = 1 the exact rho is .98641 of it (rogers2024.sharp.em)",
        partial="two outcomes; any number of outcomes is rogers2024.thm9.picks at k = 1",
    ),
    stated(
        "concl", "Section 5", "The CDP route improves the exponential mechanism's rho", None, em_rho <= em_rho_naive,
        proof=Sign(), domain=(EPSILON,), note="For Laplace see rogers2024.rem7.gain, for Gaussian rogers2024.rem7.cmp.",
        partial="the exponential mechanism; Laplace noise is rogers2024.rem7.gain, Gaussian noise rogers2024.rem7.cmp",
    ),
)  # fmt: skip
