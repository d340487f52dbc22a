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

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, mills, normal_cdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import (
    Boxes,
    ByClaim,
    Derivative,
    Given,
    Increasing,
    Largest,
    Maximum,
    Part,
    Product,
    Sign,
    Slope,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.parameters import ours
from proofs_numeric.wilkins2024.section_7.f_dp import (
    GAUSSIAN_POSITIVE,
    delta_f_dp,
    distance_of_all,
    f_dp_value,
    first_of,
    gaussian_of,
    product_of,
    term_of,
)
from proofs_numeric.wilkins2024.theorem_5_4.collapse import EVERYWHERE, G, g, rate_of
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import DOMAIN, POINTS, delta_exact
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard


def _five_quarters_exact(A: Arithmetic, **parameters: Any) -> Number:
    return A.number("5/4") * delta_exact(A, **parameters)


def _hazard_times_mills(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    epsilon, mu = A.number(epsilon), A.number(mu)
    return hazard(A, epsilon / mu - mu / 2) * mills(A, epsilon / mu + mu / 2)


def _g_over_mu(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return g(A, epsilon=epsilon, mu=mu) / A.number(mu)


def _G_above_g(A: Arithmetic, **at: Number) -> Any:
    return G(A, **at) - g(A, **at)


def _share_of_G(A: Arithmetic, **at: Number) -> Any:
    return G(A, **at) / (1 + _hazard_times_mills(A, **at))


def _below_one(A: Arithmetic, **at: Number) -> Any:
    return 1 - _hazard_times_mills(A, **at)


def _grows_by(A: Arithmetic, **at: Number) -> Any:
    """``mu g' - G``."""
    return _share_of_G(A, **at) * _below_one(A, **at)


_HM = ByClaim("wilkins2024.sec7.f_dp_factor.hm")


def _split(A: Arithmetic, *, s: Number) -> Number:
    s = A.number(s)
    return s + A.sqrt(1 - s)


def _split_below(A: Arithmetic, *, s: Number) -> Number:
    return A.number(Fraction(5, 4)) - (A.sqrt(1 - A.number(s)) - A.number(Fraction(1, 2))) ** 2


def _scaled_exponent(A: Arithmetic, *, m: Number) -> Number:
    return -A.expm1(-A.number(m) * 5 / 4)


def _scaled_value(A: Arithmetic, *, m: Number) -> Number:
    return -A.expm1(-A.number(m)) * 5 / 4


def _equal_deltas_ratio(A: Arithmetic) -> Any:
    # epsilon = 0, C_u = 4, mu = 10^-6, the gap such that the deltas are equal; three of four rows at the threshold.
    mu = A.number(Fraction(1, 10**6))
    exact = 2 * normal_cdf(A, mu / 2) - 1
    loss = -A.log1p(-exact) * 3 / 4
    return f_dp_value(A, epsilon=A.number(0), loss=loss, mu=mu / 2) / exact


def _nearly_five_quarters(A: Arithmetic) -> Number:
    return A.number("1.249999")


# --- one term, at ``share`` of the rows, whose loss is ``lost`` in all ------------------------------------------------


def _left(A: Arithmetic, *, share: Number, **_rest: Number) -> Any:
    """``sqrt(1 - s)``."""
    return A.sqrt(1 - A.number(share))


def _few(A: Arithmetic, *, mu: Number, **at: Number) -> Any:
    return A.number(mu) * _left(A, **at)


def _mu(A: Arithmetic, *, mu: Number, **_rest: Number) -> Any:
    return A.number(mu)


def _lost(A: Arithmetic, *, lost: Number, **_rest: Number) -> Any:
    """``X``, the loss of all rows."""
    return A.number(lost)


def _first(A: Arithmetic, *, lost: Number, **_rest: Number) -> Any:
    return -A.expm1(-A.number(lost))


def _gaussian(A: Arithmetic, *, epsilon: Number, mu: Number, **_rest: Number) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def _at_share(A: Arithmetic, *, epsilon: Number, **at: Number) -> Any:
    loss = A.number(at["lost"]) * at["share"]
    return f_dp_value(A, epsilon=A.number(epsilon), loss=loss, mu=_few(A, **at))


def _five_quarters_larger(A: Arithmetic, **at: Number) -> Any:
    return A.number("5/4") * A.maximum(_first(A, **at), _gaussian(A, **at))


def _g_of_all(A: Arithmetic, *, epsilon: Number, mu: Number, **_rest: Number) -> Any:
    return g(A, epsilon=epsilon, mu=mu)


def _square(A: Arithmetic, **at: Number) -> Any:
    """``5/4 - s - sqrt(1 - s)``."""
    return (_left(A, **at) - A.number(Fraction(1, 2))) ** 2


def _square_and_share(A: Arithmetic, *, share: Number, **at: Number) -> Any:
    return _square(A, share=share, **at) + A.number(share)


def _slopes_apart(A: Arithmetic, *, epsilon: Number, **at: Number) -> Any:
    few = _few(A, **at)
    return _g_of_all(A, epsilon=epsilon, **at) / at["mu"] - g(A, epsilon=epsilon, mu=few) / few


def _lost_above(A: Arithmetic, **at: Number) -> Any:
    return _lost(A, **at) - _g_of_all(A, **at)


def _g_above(A: Arithmetic, **at: Number) -> Any:
    return _g_of_all(A, **at) - _lost(A, **at)


def _kept_over_kept(A: Arithmetic, **at: Number) -> Any:
    """``e^(X - g)``."""
    return (1 - _gaussian(A, **at)) * A.exp(_lost(A, **at))


def _by_gap(sign: int) -> Tactic:
    """That X is above g where the first delta is above the Gaussian one, and the other way round."""
    grown = Part(lambda A, **at: A.exp(_lost(A, **at)))
    gap = Part(lambda A, **at: sign * (_first(A, **at) - _gaussian(A, **at)), Given())
    left, right = (one, _kept_over_kept)[::sign]
    return Increasing("log", left, right, Product((grown, gap)))


_SMALLER = Substitute(
    Box((Parameter("w", "", lower="-infinity", upper=0),)),
    {"w": _lost_above},
    Sign(),
    zero,
    lambda A, *, w: -A.number(w),
    {"w <": _by_gap(-1)},
)
_STAR = product_of(
    Part(_few),
    Part(
        _slopes_apart,
        ByClaim(
            "wilkins2024.sec7.f_dp_factor.star",
            {"mu": _few, "mu_2": _mu},
            {"mu < mu_2": Product((Part(_mu), Part(lambda A, **at: 1 - _left(A, **at))))},
        ),
    ),
)
"""``sqrt(1 - s) g(mu) - g(sqrt(1 - s) mu)``."""


def _within(exponent: Formula, m: Part, parts: tuple[Part, ...]) -> Tactic:
    """That the term is at most ``1 - e^(-5m/4)``, and that at most 5/4 of ``1 - e^-m``: what is left is the parts."""

    def more(A: Arithmetic, **at: Number) -> Any:
        return A.sum([part.formula(A, **at) for part in parts])

    def scaled(A: Arithmetic, **at: Number) -> Any:
        return _scaled_exponent(A, m=exponent(A, **at))

    grown = Substitute(
        Box((Parameter("y", ""),)), {"y": more}, Sign(), zero, lambda A, *, y: A.expm1(A.number(y)), {"y": Sum(parts)}
    )
    kept = Part(lambda A, **at: A.exp(-exponent(A, **at) * 5 / 4))
    return Through(
        scaled,
        Product((kept, Part(lambda A, **at: A.expm1(more(A, **at)), grown))),
        ByClaim("wilkins2024.sec7.f_dp_factor.concave", {"m": exponent}, {"m": m.proof}),
    )


_ROW = Maximum(
    (
        Part(
            _first,
            _within(
                _lost,
                Part(_lost),
                (product_of(Part(_lost), Part(_square)), product_of(Part(_left), Part(_lost_above, _by_gap(1))), _STAR),
            ),
        ),
        Part(
            _gaussian,
            _within(
                _g_of_all,
                Part(_g_of_all, Sum((Part(_lost), Part(_g_above, _SMALLER)))),
                (
                    product_of(Part(_lost), Part(_square)),
                    product_of(Part(_square_and_share), Part(_g_above, _SMALLER)),
                    _STAR,
                ),
            ),
        ),
    ),
    inside=True,
)


# --- all rows ---------------------------------------------------------------------------------------------------------


_GAUSSIAN_IS_LARGER = Sum(
    (
        Part(lambda A, **at: gaussian_of(A, **at) - first_of(A, **at), Given()),
        Part(
            lambda A, **at: gaussian_of(A, **at) / 4,
            Product((Part(lambda A, **at: A.number("1/4")), GAUSSIAN_POSITIVE)),
        ),
    )
)
_FACTOR = Largest(
    "place",
    Maximum(
        (
            Part(
                first_of,
                Maximum(
                    (
                        Part(first_of, product_of(Part(lambda A, **at: A.number("1/4")), Part(first_of)).proof),
                        Part(gaussian_of, _GAUSSIAN_IS_LARGER),
                    ),
                    inside=True,
                ),
            ),
            Part(
                term_of,
                ByClaim(
                    "wilkins2024.sec7.f_dp_factor.row",
                    {
                        "mu": distance_of_all,
                        "lost": lambda A, *, c_u, **at: c_u * rate_of(A, **at),
                        "share": lambda A, *, place, c_u, **_rest: A.number(place) / c_u,
                    },
                ),
            ),
        )
    ),
)


_SECTION_7 = "Section 7"
_STRETCH = Box((Parameter("s", "share of the rows at the threshold, a_=/C_u", upper=1),))
_EXPONENT = Box((Parameter("m", "M = -log(1 - delta)", unit="nats"),))

CLAIMS = (
    Claim(
        id="wilkins2024.sec7.f_dp_factor.hm",
        source=ours(_SECTION_7),
        title="h(x) m(u) is at most 1",
        statement=r"h(x)\,m(u)\le1,\quad x=\epsilon/\mu-\mu/2,\ u=\epsilon/\mu+\mu/2,\ \epsilon\ge0",
        kind=Inequality(
            _hazard_times_mills,
            one,
            proof=Product(
                (
                    Part(lambda A, *, epsilon, mu: mills(A, epsilon / mu + mu / 2)),
                    Part(
                        lambda A, *, epsilon, mu: hazard(A, -epsilon / mu - mu / 2) - hazard(A, epsilon / mu - mu / 2),
                        Derivative(
                            "epsilon",
                            "lower",
                            Sum(
                                (
                                    Part(
                                        lambda A, *, epsilon, mu: (
                                            hazard(A, -epsilon / mu - mu / 2)
                                            / mu
                                            * (-epsilon / mu - mu / 2 + hazard(A, -epsilon / mu - mu / 2))
                                        ),
                                        Product(
                                            (
                                                Part(lambda A, *, epsilon, mu: hazard(A, -epsilon / mu - mu / 2) / mu),
                                                Part(
                                                    lambda A, *, epsilon, mu: (
                                                        -epsilon / mu - mu / 2 + hazard(A, -epsilon / mu - mu / 2)
                                                    ),
                                                    ByClaim(
                                                        "wilkins2024.thm5.4.collapse.rho",
                                                        {"x": lambda A, *, epsilon, mu: -epsilon / mu - mu / 2},
                                                    ),
                                                ),
                                            )
                                        ),
                                    ),
                                    Part(
                                        lambda A, *, epsilon, mu: (
                                            hazard(A, epsilon / mu - mu / 2)
                                            / mu
                                            * (epsilon / mu - mu / 2 + hazard(A, epsilon / mu - mu / 2))
                                        ),
                                        Product(
                                            (
                                                Part(lambda A, *, epsilon, mu: hazard(A, epsilon / mu - mu / 2) / mu),
                                                Part(
                                                    lambda A, *, epsilon, mu: (
                                                        epsilon / mu - mu / 2 + hazard(A, epsilon / mu - mu / 2)
                                                    ),
                                                    ByClaim(
                                                        "wilkins2024.thm5.4.collapse.rho",
                                                        {"x": lambda A, *, epsilon, mu: epsilon / mu - mu / 2},
                                                    ),
                                                ),
                                            )
                                        ),
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        domain=EVERYWHERE,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor.star",
        source=ours(_SECTION_7),
        title="-log(1 - f)/mu increases with mu",
        statement=r"g(\mu)/\mu\ \text{strictly increases},\quad g=-\log(1-f(\mu,\epsilon)),\ \epsilon\ge0",
        kind=Monotonicity(
            _g_over_mu,
            "mu",
            increasing=True,
            proof=Slope(
                Product(
                    (
                        Part(lambda A, *, epsilon, mu: 1 / A.number(mu) ** 2),
                        Part(
                            lambda A, **at: _G_above_g(A, **at) + _grows_by(A, **at),
                            Sum(
                                (
                                    Part(_G_above_g, ByClaim("wilkins2024.thm5.4.collapse.g_below_G")),
                                    Part(_grows_by, Product((Part(_share_of_G), Part(_below_one, _HM)))),
                                )
                            ),
                        ),
                    )
                )
            ),
        ),
        domain=EVERYWHERE,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor.split",
        source=ours(_SECTION_7),
        title="s + sqrt(1 - s) is 5/4 less a square",
        statement=r"s+\sqrt{1-s}=\tfrac54-(\sqrt{1-s}-\tfrac12)^2",
        kind=Identity(_split, _split_below, proof=Symbolic()),
        domain=_STRETCH,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor.concave",
        source=ours(_SECTION_7),
        title="A longer exponent costs at most its factor",
        statement=r"1-e^{-5M/4}\le\tfrac54(1-e^{-M}),\quad M\ge0",
        kind=Inequality(
            _scaled_exponent,
            _scaled_value,
            proof=Derivative(
                "m",
                "lower",
                Product((Part(lambda A, *, m: A.number(5) / 4 * A.exp(-m)), Part(lambda A, *, m: -A.expm1(-m / 4)))),
            ),
        ),
        domain=_EXPONENT,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor.row",
        source=ours(_SECTION_7),
        title="No term of f-DP composition is above 5/4 of the larger delta, however the rows are divided",
        statement=r"1-e^{-sX}(1-f(\sqrt{1-s}\mu,\epsilon))\le\tfrac54\max\{1-e^{-X},\ f(\mu,\epsilon)\}",
        kind=Inequality(_at_share, _five_quarters_larger, proof=_ROW),
        domain=Box(
            (
                *EVERYWHERE.parameters,
                Parameter("lost", "X, the loss of all rows", unit="nats", open_lower=True),
                Parameter("share", "share of the rows at the threshold", upper=1, open_upper=True),
            )
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor",
        source=ours(_SECTION_7),
        title="f-DP composition is loose by a factor of at most 5/4",
        statement=r"\delta_{f\text{-DP}}\le\tfrac54\,\delta_{\mathrm{GSHM}}",
        kind=Inequality(delta_f_dp, _five_quarters_exact, proof=_FACTOR),
        domain=DOMAIN,
        points=POINTS,
        note="The constant is the least (wilkins2024.sec7.f_dp_factor.sharp).",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.sec7.f_dp_factor.sharp",
        source=ours(_SECTION_7),
        title="The constant 5/4 is the least",
        statement=r"\epsilon=0,\ C_u=4,\ \delta_\infty=\delta_G,\ a_==3,\ \mu=10^{-6}:\ "
        r"\text{(7.1)}>1.249999\,\delta_{\mathrm{GSHM}}",
        kind=Inequality(_nearly_five_quarters, _equal_deltas_ratio, Relation.LESS, proof=Boxes()),
    ),
)
