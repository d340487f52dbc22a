r"""f-DP composition is loose by a factor of at most 5/4, and by no smaller constant.

Statement.  For every integer ``C_u >= 1``, ``epsilon >= 0``, ``sigma > 0``, real gap and ``mu_o >= 0``,

    max_a 1 - p^a + p^a f(mu(C_u - a), epsilon)  <=  5/4 max{ 1 - p^C_u, f(mu(C_u), epsilon) }.

Letters as in :mod:`proofs_numeric.wilkins2024.theorem_5_4.collapse`: ``g = -log(1 - f)``, ``G = (mu/2) h(x)``,
``x = epsilon/mu - mu/2``, ``u = epsilon/mu + mu/2``, ``h = phi/Phi`` at x, ``m`` the Mills ratio at u.

Proof.

1. ``h m <= 1`` (``sec7.f_dp_factor.hm``): ``m(u) = 1/h(-u)``, and ``h`` decreases while ``x >= -u``.
2. ``g/mu`` increases with mu (``sec7.f_dp_factor.star``): ``mu g' = 2 G/(1 + h m) >= G`` by step 1 and ``g_prime``,
   and ``G > g`` (``collapse.g_below_G``); the derivative of ``g/mu`` is ``(mu g' - g)/mu^2``.
3. With ``a = s C_u``, ``mu(C_u - a) = sqrt(1 - s) mu``.  Let ``M = -log(1 - max{...})``: then ``C_u L <= M`` and
   ``g(mu) <= M``, so by step 2 the term of (7.1) is ``1 - e^{-sCL - g(sqrt(1-s) mu)} <= 1 - e^{-(s + sqrt(1-s)) M}``.
4. ``s + sqrt(1 - s) = 5/4 - (sqrt(1 - s) - 1/2)^2 <= 5/4`` (``sec7.f_dp_factor.split``), with equality at ``s = 3/4``.
5. ``1 - e^{-5M/4} <= (5/4)(1 - e^{-M})`` for ``M >= 0`` (``sec7.f_dp_factor.concave``).

The constant is the least: at ``epsilon = 0``, ``C_u = 4``, equal deltas and ``mu = 10^-6`` the ratio exceeds 1.249999
(``sec7.f_dp_factor.sharp``).
"""

import functools
import operator

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.section_7.f_dp import GAUSSIAN_POSITIVE, delta_f_dp, distance_of_all, term_of
from proofs_numeric.wilkins2024.theorem_5_4.collapse import EVERYWHERE, G, g
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

s, m, w, y, lost, share, place = symbols("s m w y lost share place")

_x, _u = epsilon / mu - mu / 2, epsilon / mu + mu / 2
_hazard = phi(_x) / Phi(_x)
_hm = _hazard * mills(_u)
_share, _below_one = G / (1 + _hm), (1 - _hm, ByClaim("wilkins2024.sec7.f_dp_factor.hm"))
_MORE_THAN_G = sum_of((G - g, ByClaim("wilkins2024.thm5.4.collapse.g_below_G")), factors(_share, _below_one))


def _rho_at(at: Expression) -> Part:
    """``h (x + h)/mu`` at an argument."""
    hazard = phi(at) / Phi(at)
    return factors(hazard / mu, (at + hazard, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": at})))


_HAZARDS_APART = phi(-_u) / Phi(-_u) - _hazard, Derivative("epsilon", "lower", sum_of(_rho_at(-_u), _rho_at(_x)))

_tiny = lift("1e-6") / 2
_equal_delta = 2 * Phi(_tiny) - 1
_equal_deltas_ratio = filter_bound(epsilon=0, loss=-log1p(-_equal_delta) * 3 / 4, mu=_tiny) / _equal_delta
"""At epsilon = 0, C_u = 4, mu = 10^-6, the gap such that the deltas are equal; three of four rows at the threshold."""

# --- one term, at ``share`` of the rows, whose loss is ``lost`` in all ------------------------------------------------
_left = sqrt(1 - share)
_few = mu * _left
_first, _gaussian = -expm1(-lost), profile(epsilon, mu)
_square = (_left - lift("1/2")) ** 2
"""``5/4 - s - sqrt(1 - s)``."""
_kept_over_kept = (1 - _gaussian) * exp(lost)
"""``e^(X - g)``, X the loss of all rows."""


def _by_gap(sign: int) -> Tactic:
    """That X is above g where the first delta is above the Gaussian one, and the other way round."""
    left, right = (lift(1), _kept_over_kept)[::sign]
    return Increasing("log", left, right, product_of(exp(lost), (sign * (_first - _gaussian), Hypothesis())))


_SMALLER = Substitute(
    Box((Parameter("w", "", lower="-infinity", upper=0),)), {"w": lost - g}, Sign(), zero, -w, {"w <": _by_gap(-1)}
)
_GROWS = ByClaim(
    "wilkins2024.sec7.f_dp_factor.star", {"mu": _few, "mu_2": mu}, {"mu < mu_2": product_of(mu, 1 - _left)}
)
_STAR = factors(_few, (g / mu - g(mu=_few) / _few, _GROWS))
"""``sqrt(1 - s) g(mu) - g(sqrt(1 - s) mu)``."""


def _within(at: Expression, positive: Tactic, *parts: Part) -> Tactic:
    """That the term is at most ``1 - e^(-5m/4)``, and that at most 5/4 of ``1 - e^-m``: what is left is the parts."""
    more = functools.reduce(operator.add, (one.formula for one in parts))
    grown = Substitute(Box((Parameter("y", ""),)), {"y": more}, Sign(), zero, expm1(y), {"y": Sum(parts)})
    return Through(
        -expm1(-at * 5 / 4), product_of(exp(-at * 5 / 4), (expm1(more), grown)),
        ByClaim("wilkins2024.sec7.f_dp_factor.concave", {"m": at}, {"m": positive}),
    )  # fmt: skip


_G_ABOVE = g - lost, _SMALLER
_ROW = largest_of(
    (_first, _within(lost, Sign(), factors(lost, _square), factors(_left, (lost - g, _by_gap(1))), _STAR)),
    (_gaussian, _within(g, sum_of(lost, _G_ABOVE), factors(lost, _square), factors(_square + share, _G_ABOVE), _STAR)),
    inside=True
)  # fmt: skip


# --- all rows ---------------------------------------------------------------------------------------------------------
_quarter = lift("1/4")
_FIRST_BELOW = largest_of(
    (delta_infinite, product_of(_quarter, delta_infinite)),
    (delta_gaussian, sum_of((delta_gaussian - delta_infinite, Hypothesis()), factors(_quarter, GAUSSIAN_POSITIVE))),
    inside=True,
)
_TERM_BELOW = ByClaim(
    "wilkins2024.sec7.f_dp_factor.row", {"mu": distance_of_all, "lost": c_u * loss_rate, "share": place / c_u}
)
_SECTION_7 = "Section 7"

CLAIMS = (
    own(
        "sec7.f_dp_factor.hm", _SECTION_7, "h(x) m(u) is at most 1",
        r"h(x)\,m(u)\le1,\quad x=\epsilon/\mu-\mu/2,\ u=\epsilon/\mu+\mu/2,\ \epsilon\ge0", _hm <= 1,
        proof=product_of(mills(_u), _HAZARDS_APART), domain=EVERYWHERE,
    ),
    own(
        "sec7.f_dp_factor.star", _SECTION_7, "-log(1 - f)/mu increases with mu", None,
        Monotonicity(
            g / mu, "mu", increasing=True,
            proof=Slope(product_of(1 / mu**2, (G - g + _share * _below_one[0], _MORE_THAN_G))),
        ),
        domain=EVERYWHERE,
    ),
    own(
        "sec7.f_dp_factor.split", _SECTION_7, "s + sqrt(1 - s) is 5/4 less a square", None,
        eq(s + sqrt(1 - s), lift("5/4") - (sqrt(1 - s) - lift("1/2")) ** 2), proof=Symbolic(),
        domain=(Parameter("s", "share of the rows at the threshold, a_=/C_u", upper=1),),
    ),
    own(
        "sec7.f_dp_factor.concave", _SECTION_7, "A longer exponent costs at most its factor", None,
        -expm1(-m * 5 / 4) <= -expm1(-m) * 5 / 4,
        proof=Derivative("m", "lower", product_of(lift(5) / 4 * exp(-m), -expm1(-m / 4))),
        domain=(Parameter("m", "M = -log(1 - delta)", "nats"),),
    ),
    own(
        "sec7.f_dp_factor.row", _SECTION_7,
        "No term of f-DP composition is above 5/4 of the larger delta, however the rows are divided",
        r"1-e^{-sX}(1-f(\sqrt{1-s}\mu,\epsilon))\le\tfrac54\max\{1-e^{-X},\ f(\mu,\epsilon)\}",
        filter_bound(loss=lost * share, mu=_few) <= lift("5/4") * maximum(_first, _gaussian), proof=_ROW,
        domain=(
            *EVERYWHERE.parameters, Parameter("lost", "X, the loss of all rows", unit="nats", open_lower=True),
            Parameter("share", "share of the rows at the threshold", upper=1, open_upper=True),
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec7.f_dp_factor", _SECTION_7, "f-DP composition is loose by a factor of at most 5/4",
        r"\delta_{f\text{-DP}}\le\tfrac54\,\delta_{\mathrm{GSHM}}",
        Inequality(
            delta_f_dp, lift("5/4") * delta_exact,
            proof=Largest("place", largest_of((delta_infinite, _FIRST_BELOW), (term_of, _TERM_BELOW))),
        ),
        domain=DOMAIN, points=POINTS, quantity=QuantityKind.PROBABILITY,
        note="The constant is the least (wilkins2024.sec7.f_dp_factor.sharp).",
    ),
    own(
        "sec7.f_dp_factor.sharp", _SECTION_7, "The constant 5/4 is the least",
        r"\epsilon=0,\ C_u=4,\ \delta_\infty=\delta_G,\ a_==3,\ \mu=10^{-6}:\ "
        r"\text{(7.1)}>1.249999\,\delta_{\mathrm{GSHM}}",
        lift("1.249999") < _equal_deltas_ratio, proof=Boxes(),
    ),
)  # fmt: skip
