r"""The three-term maximum of Theorem 5.4 always collapses: ``delta = max(delta_infinite, delta_Gaussian)``.

Statement.  For every integer ``C_u >= 1``, ``epsilon >= 0``, ``sigma > 0``, real gap and ``mu_o >= 0``,

    max{ 1 - p^C_u, max_a second(a), max_a third(a) } = max{ 1 - p^C_u, f(mu(C_u), epsilon) }.

Letters.  ``L = -log p > 0``, ``k = sqrt(1/sigma^2 + mu_o^2)``, ``n = C_u - a``, ``mu = k sqrt(n)``; at a level ``e``:
``x = e/mu - mu/2``, ``u = e/mu + mu/2``; ``h = phi/Phi`` at x, ``m = Phi(-u)/phi(u)`` (Mills), ``rho = x + h``.

Proof.

1. ``thm5.4.third``: third(a) <= second(a).  Hence third terms never matter.
2. ``collapse.g_below_G``: ``g := -log(1 - f) < G := (mu/2) h(x)`` for e >= 0 and mu > 0.  For fixed x the difference
   grows with u, as its slope is ``h m/(2 (1 + h m))`` times ``rho(x) - rho(-u) + u - x``, and rho increases
   (``collapse.rho.rises``); it starts at mu = 0 from 0, or, for x = -z < 0, at e = 0, where it grows with z.
3. ``collapse.second``: for real a, second'(a) = e^{-aL} [L Phi(x) - phi(x) mu/(2n)] at the level e = epsilon + aL
   (``collapse.derivative``), which has the sign of ``n L - G``.  Where second(a) is at least ``1 - p^C_u``, nL <= g < G
   and it falls: so it is not above what it is at a = 0, or below the bar ``1 - p^C_u``.

No step samples: each is an identity or a sign over its whole unbounded domain.
"""

from dataclasses import replace

from proofs_numeric.expression import derivative
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.profiles import AtThreshold
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *
from proofs_numeric.wilkins2024.theorem_5_4.hazard import HERE, hazard, rho, x
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import branch_and_bound_maximum, term_of_rows

a, rate, unit, left, u, size, excess, ratio, share, place = symbols("a rate unit left u size excess ratio share place")
second_of = second_value(loss=a * rate, mu=unit * sqrt(rows - a))
"""second(a) for real ``0 <= a < rows``: ``rate = L``, ``unit = k``, ``rows = C_u``."""
_n = rows - a
_mu_of = unit * sqrt(_n)
_x_of = (epsilon + a * rate) / _mu_of - _mu_of / 2
second_slope = exp(-a * rate) * (rate * Phi(_x_of) - phi(_x_of) * _mu_of / (2 * _n))

_factor = exp(epsilon - loss - 2 * loss * epsilon / (mu * mu))
_of_profile = {"epsilon": 2 * loss / mu * (epsilon / mu + mu / 2), "mu": 2 * loss / mu}
_tail = exp(epsilon - loss) * (1 - exp(-2 * loss * epsilon / (mu * mu))) * Phi(loss / mu - epsilon / mu - mu / 2)
_SECOND_RISES = Derivative(
    "epsilon", "lower", sum_of(factors(_factor, (profile(*_of_profile.values()), positive(**_of_profile))), _tail)
)
"""At epsilon = 0 the terms are equal; there, with v = loss/mu and z = epsilon/mu + mu/2, the difference begins to rise
by ``e^(epsilon - loss) {e^(-2 v epsilon/mu) f(2v, 2 v z) + (1 - e^(-2 v epsilon/mu)) Phi(v - z)}``."""

g = -log1p(-profile(epsilon, mu))
_h = hazard(x=epsilon / mu - mu / 2)
G = mu / 2 * _h
g_prime = _h / (1 + _h * mills(epsilon / mu + mu / 2))
_g_from = -log(Phi(x) + phi(x) / phi(u) * Phi(-u))
_G_from = (u - x) / 2 * hazard
_grows_with_u = hazard * mills(u) / (2 * (1 + hazard * mills(u)))

_AT_LEVEL_ZERO = Derivative(
    "size", "lower",
    product_of(size * hazard(x=-size), (rho(x=-size), ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -size}))),
)  # fmt: skip


def _on_side(sign: int, at_end: Tactic, *, size_open: bool) -> Tactic:
    """Along x fixed, of one sign: size and excess are not 0 together; ``G - g`` grows with u."""
    sizes = Parameter("size", "", open_lower=size_open), Parameter("excess", "", open_lower=not size_open)
    at = {"x": sign * size, "u": size + excess}
    rises = ByClaim("wilkins2024.thm5.4.collapse.rho.rises", {"x": -at["u"], "x_2": at["x"]})
    apart, gained = at["u"] - at["x"], rho(x=at["x"]) - rho(x=-at["u"])
    return Substitute(
        Box(sizes), {"size": mu * (lift("1/2") - ratio) * -sign, "excess": mu if sign > 0 else 2 * ratio * mu},
        Derivative(
            "excess", "lower", product_of(_grows_with_u(**at), (apart + gained, sum_of(apart, (gained, rises)))), at_end
        ),
        _g_from(**at), _G_from(**at),
    )  # fmt: skip


_OPEN_MU = Parameter("mu", MU.description, open_lower=True)
_BELOW_G = Substitute(
    Box((Parameter("ratio", "epsilon/mu^2"), _OPEN_MU)), {"ratio": epsilon / mu**2},
    Split(
        "ratio", "1/2",
        Split(
            "ratio", "1/4", _on_side(-1, _AT_LEVEL_ZERO, size_open=True), _on_side(-1, _AT_LEVEL_ZERO, size_open=False)
        ),
        _on_side(1, Symbolic(), size_open=False),
    ),
    g(epsilon=ratio * mu**2), G(epsilon=ratio * mu**2),
)  # fmt: skip
"""By the sign of x: the side where epsilon < mu^2/2, and there near epsilon = 0 and away from it; the other side."""

_MODERATE_EPSILON = Parameter("epsilon", "privacy-loss level", "nats", upper=100)
_RATE = Parameter("rate", "L, log-probability lost a row", "nats", upper=10, log=True)
_UNIT = Parameter("unit", "k, distance of one row", lower="1e-3", upper=10, log=True)
MODERATE = Box((_MODERATE_EPSILON, Parameter("mu", MU.description, lower="1e-3", upper=100, log=True)))
"""Where statements about g and G are searched."""

# --- second terms, at ``a = share rows`` ------------------------------------------------------------------------------
_left, _loss = rows * (1 - share), rows * share * rate
_raised_epsilon, _mu = epsilon + _loss, unit * sqrt(_left)
_second = second_value(loss=_loss, mu=_mu)
_first, _gaussian = -expm1(-(rows * rate)), profile(epsilon, unit * sqrt(rows))
_per_row = exp(-_loss) * Phi(_raised_epsilon / _mu - _mu / 2) * rows / _left
"""``e^{-aL} Phi(x) C_u/n``: times ``G - n L`` what second loses as the share grows."""
_G_here, _complement_here = G(epsilon=_raised_epsilon, mu=_mu), 1 - profile(_raised_epsilon, _mu)
_fall = _G_here - _left * rate
_kept_above, _complement_above = exp(-(_left * rate)) - _complement_here, _complement_here - exp(-_G_here)
"""``p^n - (1 - f)``, and ``1 - f - e^-G``."""


def _falls_above_the_bar(above: Tactic) -> Tactic:
    """That second does not rise with the share, where it is above the first term, by ``above``."""
    both = sum_of(
        (_kept_above, product_of(exp(_loss), (_second - _first, above))),
        (_complement_above, ByClaim("wilkins2024.thm5.4.collapse.complement", {"epsilon": _raised_epsilon, "mu": _mu})),
    )
    grown = product_of(exp(_G_here), (_kept_above + _complement_above, both))
    return product_of(_per_row, (_fall, Increasing("log", lift(1), exp(_fall), grown)))


_GAUSSIAN_ABOVE = sum_of((_second - _gaussian, Hypothesis()), (_gaussian - _first, Hypothesis()))
_SECOND_BELOW = Cases(
    _gaussian, _first, Through(_first, Barrier("share", _falls_above_the_bar(Hypothesis()), Hypothesis()), Symbolic()),
    Through(_gaussian, Barrier("share", _falls_above_the_bar(_GAUSSIAN_ABOVE), Symbolic()), Symbolic()),
)  # fmt: skip

_LEVEL = Parameter("epsilon", EPSILON.description, unit="nats")
EVERYWHERE = Box((_LEVEL, _OPEN_MU))
_ANY_ROWS = Parameter("rows", "C_u, any real", unit="rows", open_lower=True)
_ANY_RATE = Parameter("rate", _RATE.description, unit="nats", open_lower=True)
_ANY_UNIT = Parameter("unit", _UNIT.description, open_lower=True)
_SHARE = Parameter("share", "rows at the threshold over C_u", upper=1, open_upper=True)

# --- all rows ---------------------------------------------------------------------------------------------------------
square_of = 1 / sigma**2 + mu_o**2
BY_SIGN = Sign()


def each_second(rows: Expression, loss: Expression, square: Expression, lost: Tactic = BY_SIGN) -> Tactic:
    """That a second term at ``place`` is at most the larger delta of so many rows; ``lost`` proves that loss > 0."""
    values = {"rows": rows, "rate": loss, "unit": sqrt(square), "share": place / rows}
    return ByClaim("wilkins2024.thm5.4.collapse.second", values, {"rate": lost})


def no_third(rows: Expression, loss: Expression, square: Expression, lost: Tactic = BY_SIGN) -> Tactic:
    """That a third term is, as it is not above the second."""
    at = {"loss": place * loss, "mu": sqrt(rows - place) * sqrt(square)}
    above = Substitute(
        Box((_LEVEL, Parameter("loss", LOSS.description, unit="nats", open_lower=True), _OPEN_MU)), at,
        replace(_SECOND_RISES, at_end=Symbolic()), third_value, second_value, {"loss": product_of(place, (loss, lost))},
    )  # fmt: skip
    return Through(second_value(**at), Split("place", 0, Symbolic(), above), each_second(rows, loss, square, lost))


def larger_delta(rows: Expression, loss: Expression, square: Expression) -> AtThreshold:
    """That the larger of the two deltas is the profile of `SparseRows`."""
    terms = each_second(rows, loss, square), no_third(rows, loss, square)
    return AtThreshold(Symbolic(), *terms, (lift(0),), Symbolic())


ROWS = (c_u, loss_rate, square_of)
"""Rows, loss a row and squared distance a row, from the parameters of the theorem."""


def rows_at(of_thresholds: Expression) -> tuple[Expression, Expression, Expression]:
    """`ROWS` where the gap is a function of both thresholds."""
    return c_u, loss_rate(gap=of_thresholds), square_of


_second_at, _third_at = (term(a_equal=place, a_plus=c_u - place) for term in (second_term, third_term))
"""The second or the third term at the place of the largest."""
_IS_A_TERM = largest_of((_second_at, Symbolic()), (_third_at, Symbolic()))
_ARE_TERMS = largest_of(
    (delta_infinite, Symbolic()),
    (delta_gaussian, Through(lambda A, *, place, **at: term_of_rows(A, place, **at), Hypothesis(), _IS_A_TERM))
)  # fmt: skip
LARGER_DELTA_IS_A_TERM = Largest("place", _ARE_TERMS, (lift(0),))
"""The larger of the two deltas is at most (5.8)."""
_COLLAPSE = Largest(
    "place",
    Both(
        _ARE_TERMS,
        largest_of((delta_infinite, Symbolic()), (_second_at, each_second(*ROWS)), (_third_at, no_third(*ROWS))),
    ),
    (lift(0),),
)  # fmt: skip
"""The largest of the terms is one of them, and not below that of no row at the threshold, ``delta_Gaussian``."""

CLAIMS = (
    own(
        "thm5.4.third", "Theorem 5.4", "The third term of (5.8) never beats the second",
        r"\text{second}(a)>\text{third}(a)\text{ for }\epsilon>0,\ a>0", third_value < second_value,
        proof=_SECOND_RISES,
        domain=(
            Parameter("epsilon", "privacy-loss level", "nats", upper=700, log=True, open_lower=True),
            replace(LOSS, upper=10**4, open_lower=True), MU,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm5.4.third.tie", "Theorem 5.4", "At epsilon = 0 the second and third terms are equal",
        r"\epsilon=0:\ \text{second}(a)=\text{third}(a)", eq(second_value(epsilon=0), third_value(epsilon=0)),
        proof=Symbolic(), domain=(LOSS, MU),
    ),
    own(
        "thm5.4.collapse.derivative", HERE, "Derivative of the second term in real a",
        r"\text{second}'(a)=e^{-aL}\,[L\Phi(x)-\phi(x)\mu/(2n)]",
        eq(derivative(second_of, "a")(rows=a + left), second_slope(rows=a + left)), proof=Symbolic(),
        domain=(
            Parameter("a", "rows at the threshold, any real", "rows", upper=100),
            Parameter("left", "rows above the threshold, any real", "rows", "1/1000", 100), _MODERATE_EPSILON, _RATE,
            _UNIT,
        ),
    ),
    own(
        "thm5.4.collapse.g_prime", HERE, "Derivative of g = -log(1 - f) in mu", r"g'=h/(1+h\,m)",
        eq(derivative(-log(profile_complement), "mu"), g_prime), proof=Symbolic(), domain=MODERATE,
    ),
    own(
        "thm5.4.collapse.g_below_G", HERE, "g < G: a critical point of the second term loses to a_= = C_u", None, g < G,
        proof=_BELOW_G, domain=EVERYWHERE,
    ),
    own(
        "thm5.4.collapse.complement", HERE, "What the Gaussian profile leaves is above e^-G",
        r"e^{-G}<1-f(\mu,\epsilon)", exp(-G) < 1 - profile(epsilon, mu),
        proof=Increasing("exp", -G, -g, product_of((G - g, ByClaim("wilkins2024.thm5.4.collapse.g_below_G")))),
        domain=EVERYWHERE, quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm5.4.collapse.end", HERE, "The Gaussian profile vanishes with the distance", None,
        profile(epsilon, mu) <= 2 * Phi(mu / 2) - 1, proof=Derivative("epsilon", "lower"), domain=(EPSILON, MU),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm5.4.collapse.second", HERE,
        "No second term is above both deltas, whatever part of the rows is at the threshold",
        r"\text{second}(a)\le\max\{1-p^C,\ f(\mu(C),\epsilon)\},\quad0\le a<C", _second <= maximum(_first, _gaussian),
        proof=_SECOND_BELOW, domain=(_LEVEL, _ANY_ROWS, _ANY_RATE, _ANY_UNIT, _SHARE),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm5.4.collapse", "Theorem 5.4", "Theorem 5.4 in O(1): the maximum of two deltas",
        r"\delta_{(5.8)}=\max\{1-p^{C_u},\ f(\mu(C_u),\epsilon)\},\quad C_u\ge1,\ \epsilon\ge0",
        Identity(delta_exact, branch_and_bound_maximum, proof=_COLLAPSE), domain=DOMAIN, assumptions=(INTEGER_TAU,),
        evaluates=delta_exact, quantity=QuantityKind.DELTA, privacy=SPARSE_HISTOGRAM, role=Role.EXACT,
        note="The right side is the three-term maximum itself, by certified branch and bound over a_=.", points=POINTS,
    ),
)  # fmt: skip
