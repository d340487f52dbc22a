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
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, mills, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import one, parameter_named
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.profiles import AtThreshold
from proofs_numeric.statements.tactics import (
    Barrier,
    Both,
    ByClaim,
    Cases,
    Derivative,
    Given,
    Increasing,
    Largest,
    Maximum,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import EPSILON, MU, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    INTEGER_TAU,
    LOSS,
    POINTS,
    delta_exact,
    delta_gaussian,
    delta_infinite,
    loss_rate,
    profile_complement,
    second_term,
    second_value,
    third_term,
    third_value,
)
from proofs_numeric.wilkins2024.theorem_5_4.hazard import HERE, hazard, rho
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import branch_and_bound_maximum, term_of_rows
from proofs_numeric.wilkins2024.theorem_5_4.third_term import SECOND_RISES


def second_of(A: Arithmetic, *, a: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    """second(a) for real ``0 <= a < rows``: ``rate = L``, ``unit = k``, ``rows = C_u``."""
    a, epsilon, rate = A.number(a), A.number(epsilon), A.number(rate)
    mu = A.number(unit) * A.sqrt(A.number(rows) - a)
    return second_value(A, epsilon=epsilon, loss=a * rate, mu=mu)


def second_slope(A: Arithmetic, *, a: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Number:
    """``e^{-aL} [L Phi(x) - phi(x) mu/(2n)]``, ``x = (epsilon + aL)/mu - mu/2``."""
    a, epsilon, rate = A.number(a), A.number(epsilon), A.number(rate)
    n = A.number(rows) - a
    mu = A.number(unit) * A.sqrt(n)
    x = (epsilon + a * rate) / mu - mu / 2
    return A.exp(-a * rate) * (rate * normal_cdf(A, x) - normal_pdf(A, x) * mu / (2 * n))


def _slope_of_left(A: Arithmetic, *, a: Number, left: Number, epsilon: Number, rate: Number, unit: Number) -> Number:
    return second_slope(A, a=a, epsilon=epsilon, rows=A.number(a) + A.number(left), rate=rate, unit=unit)


def _derivative_of_left(A: Arithmetic, *, a: Number, left: Number, epsilon: Number, rate: Number, unit: Number) -> Any:
    rows = A.number(a) + A.number(left)
    return derivative(second_of, "a")(A, a=a, epsilon=epsilon, rows=rows, rate=rate, unit=unit)


def g(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    """``-log(1 - f(mu, epsilon))``."""
    return -A.log1p(-gaussian_profile(A, A.number(epsilon), A.number(mu)))


def G(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    """``(mu/2) h(x)`` at ``x = epsilon/mu - mu/2``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    return mu / 2 * hazard(A, epsilon / mu - mu / 2)


def _g_by_complement(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return -A.log(profile_complement(A, epsilon=epsilon, mu=mu))


def g_prime(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    """``h/(1 + h m)``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    h = hazard(A, epsilon / mu - mu / 2)
    return h / (1 + h * mills(A, epsilon / mu + mu / 2))


def _g_from(A: Arithmetic, x: Number, u: Number) -> Number:
    return -A.log(normal_cdf(A, x) + normal_pdf(A, x) / normal_pdf(A, u) * normal_cdf(A, -u))


def _G_from(A: Arithmetic, x: Number, u: Number) -> Number:
    return (u - x) / 2 * hazard(A, x)


def _grows_with_u(A: Arithmetic, x: Number, u: Number) -> Number:
    h, m = hazard(A, x), mills(A, u)
    return h * m / (2 * (1 + h * m))


def _rho_gained(A: Arithmetic, x: Number, u: Number) -> Number:
    return rho(A, x=x) - rho(A, x=-u)


def _apart(_A: Arithmetic, x: Number, u: Number) -> Number:
    return u - x


def _from_size(formula: Any, sign: int) -> Any:
    """A formula of x and u, at ``x = size`` or ``-size`` and ``u = size + excess``."""

    def of(A: Arithmetic, *, size: Number, excess: Number) -> Any:
        size = A.number(size)
        return formula(A, sign * size, size + excess)

    return of


def _grows(sign: int) -> Tactic:
    """That ``G - g`` grows with u."""
    gained, apart = (_from_size(part, sign) for part in (_rho_gained, _apart))
    values = {"x": _from_size(lambda _A, _x, u: -u, sign), "x_2": _from_size(lambda _A, x, _u: x, sign)}
    parts = (Part(apart), Part(gained, ByClaim("wilkins2024.thm5.4.collapse.rho.rises", values)))
    return Product(
        (Part(_from_size(_grows_with_u, sign)), Part(lambda A, **at: apart(A, **at) + gained(A, **at), Sum(parts)))
    )


_AT_LEVEL_ZERO = Derivative(
    "size",
    "lower",
    Product(
        (
            Part(lambda A, *, size: A.number(size) * hazard(A, -A.number(size))),
            Part(
                lambda A, *, size: rho(A, x=-A.number(size)),
                ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda A, *, size: -A.number(size)}),
            ),
        )
    ),
)


def _ray(formula: Any) -> Any:
    """A formula of epsilon and mu, at ``epsilon = ratio mu^2``."""
    return lambda A, *, ratio, mu: formula(A, epsilon=A.number(ratio) * A.number(mu) ** 2, mu=mu)


def _half_less(sign: int) -> Any:
    return lambda A, *, ratio, mu: A.number(mu) * (A.number(1) / 2 - A.number(ratio)) * sign


def _on_side(sign: int, at_end: Tactic, *, size_open: bool) -> Tactic:
    """Along x fixed, of one sign: size and excess are not 0 together."""
    size, excess = Parameter("size", "", open_lower=size_open), Parameter("excess", "", open_lower=not size_open)
    excesses = {1: lambda A, *, mu, **_ratio: A.number(mu), -1: lambda A, *, ratio, mu: 2 * A.number(ratio) * mu}
    return Substitute(
        Box((size, excess)),
        {"size": _half_less(-sign), "excess": excesses[sign]},
        Derivative("excess", "lower", _grows(sign), at_end),
        _from_size(_g_from, sign),
        _from_size(_G_from, sign),
    )


_OPEN_MU = Parameter("mu", MU.description, open_lower=True)

_BELOW_G = Substitute(
    Box((Parameter("ratio", "epsilon/mu^2"), _OPEN_MU)),
    {"ratio": lambda A, *, epsilon, mu: A.number(epsilon) / A.number(mu) ** 2},
    Split(
        "ratio",
        "1/2",
        Split(
            "ratio", "1/4", _on_side(-1, _AT_LEVEL_ZERO, size_open=True), _on_side(-1, _AT_LEVEL_ZERO, size_open=False)
        ),
        _on_side(1, Symbolic(), size_open=False),
    ),
    _ray(g),
    _ray(G),
)
"""By the sign of x: the side where epsilon < mu^2/2, and there near epsilon = 0 and away from it; the other side."""

_MODERATE_MU = Parameter("mu", MU.description, lower="1e-3", upper=100, log=True)

_MODERATE_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=100)

_A = Parameter("a", "rows at the threshold, any real", unit="rows", upper=100)

_LEFT = Parameter("left", "rows above the threshold, any real", unit="rows", lower="1/1000", upper=100)

_RATE = Parameter("rate", "L, log-probability lost a row", unit="nats", upper=10, log=True)

_UNIT = Parameter("unit", "k, distance of one row", lower="1e-3", upper=10, log=True)

MODERATE = Box((_MODERATE_EPSILON, _MODERATE_MU))
"""Where statements about g and G are searched."""


def _profile(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    return gaussian_profile(A, epsilon, mu)


def _total_variation(A: Arithmetic, *, mu: Number, epsilon: Number = 0) -> Number:
    return 2 * normal_cdf(A, A.number(mu) / 2) - 1


def _exp_of_minus_G(A: Arithmetic, **at: Number) -> Number:
    return A.exp(-G(A, **at))


def _complement(A: Arithmetic, **at: Number) -> Any:
    return 1 - _profile(A, **at)


# --- second terms, at ``a = share rows`` ------------------------------------------------------------------------------


def _left(A: Arithmetic, *, rows: Number, share: Number, **_rest: Number) -> Any:
    """``n``."""
    return A.number(rows) * (1 - A.number(share))


def _loss(A: Arithmetic, *, rows: Number, share: Number, rate: Number, **_rest: Number) -> Any:
    """``a L``."""
    return A.number(rows) * share * rate


def _raised(A: Arithmetic, *, epsilon: Number, **at: Number) -> Any:
    """``epsilon + a L``."""
    return A.number(epsilon) + _loss(A, **at)


def _mu(A: Arithmetic, *, unit: Number, **at: Number) -> Any:
    return A.number(unit) * A.sqrt(_left(A, **at))


def _second(A: Arithmetic, **at: Number) -> Any:
    return second_value(A, epsilon=A.number(at["epsilon"]), loss=_loss(A, **at), mu=_mu(A, **at))


def _first(A: Arithmetic, *, rows: Number, rate: Number, **_rest: Number) -> Any:
    return -A.expm1(-(A.number(rows) * rate))


def _gaussian(A: Arithmetic, *, epsilon: Number, rows: Number, unit: Number, **_rest: Number) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(unit) * A.sqrt(A.number(rows)))


def _larger_delta(A: Arithmetic, **at: Number) -> Any:
    return A.maximum(_first(A, **at), _gaussian(A, **at))


def _per_row(A: Arithmetic, **at: Number) -> Any:
    """``e^{-aL} Phi(x) C_u/n``: times ``G - n L`` what second loses as the share grows."""
    level, mu = _raised(A, **at), _mu(A, **at)
    return A.exp(-_loss(A, **at)) * normal_cdf(A, level / mu - mu / 2) * A.number(at["rows"]) / _left(A, **at)


def _G_here(A: Arithmetic, **at: Number) -> Any:
    return G(A, epsilon=_raised(A, **at), mu=_mu(A, **at))


def _fall(A: Arithmetic, **at: Number) -> Any:
    return _G_here(A, **at) - _left(A, **at) * at["rate"]


def _kept_above(A: Arithmetic, **at: Number) -> Any:
    """``p^n - (1 - f)``."""
    return A.exp(-(_left(A, **at) * at["rate"])) - _complement(A, epsilon=_raised(A, **at), mu=_mu(A, **at))


def _complement_above(A: Arithmetic, **at: Number) -> Any:
    """``1 - f - e^-G``."""
    here = {"epsilon": _raised(A, **at), "mu": _mu(A, **at)}
    return _complement(A, **here) - _exp_of_minus_G(A, **here)


def _falls_above_the_bar(above: Tactic) -> Tactic:
    """That second does not rise with the share, where it is above the first term, by ``above``."""
    kept = Product(
        (Part(lambda A, **at: A.exp(_loss(A, **at))), Part(lambda A, **at: _second(A, **at) - _first(A, **at), above))
    )
    complement = ByClaim("wilkins2024.thm5.4.collapse.complement", {"epsilon": _raised, "mu": _mu})
    both = Part(
        lambda A, **at: _kept_above(A, **at) + _complement_above(A, **at),
        Sum((Part(_kept_above, kept), Part(_complement_above, complement))),
    )
    grown = Product((Part(lambda A, **at: A.exp(_G_here(A, **at))), both))
    return Product((Part(_per_row), Part(_fall, Increasing("log", one, lambda A, **at: A.exp(_fall(A, **at)), grown))))


_GAUSSIAN_ABOVE = Sum(
    (
        Part(lambda A, **at: _second(A, **at) - _gaussian(A, **at), Given()),
        Part(lambda A, **at: _gaussian(A, **at) - _first(A, **at), Given()),
    )
)

_SECOND_BELOW = Cases(
    _gaussian,
    _first,
    Through(_first, Barrier("share", _falls_above_the_bar(Given()), Given()), Symbolic()),
    Through(_gaussian, Barrier("share", _falls_above_the_bar(_GAUSSIAN_ABOVE), Symbolic()), Symbolic()),
)

_LEVEL = Parameter("epsilon", EPSILON.description, unit="nats")
EVERYWHERE = Box((_LEVEL, _OPEN_MU))
_ANY_ROWS = Parameter("rows", "C_u, any real", unit="rows", open_lower=True)
_ANY_RATE = Parameter("rate", _RATE.description, unit="nats", open_lower=True)
_ANY_UNIT = Parameter("unit", _UNIT.description, open_lower=True)
_SHARE = Parameter("share", "rows at the threshold over C_u", upper=1, open_upper=True)

# --- all rows ---------------------------------------------------------------------------------------------------------


def rate_of(A: Arithmetic, *, sigma: Number, gap: Number, **_rest: Number) -> Any:
    """``L``, from the parameters of the theorem."""
    return loss_rate(A, sigma=sigma, gap=gap)


def square_of(A: Arithmetic, *, sigma: Number, mu_o: Number, **_rest: Number) -> Any:
    """``1/sigma^2 + mu_o^2``."""
    return 1 / A.number(sigma) ** 2 + A.number(mu_o) ** 2


def _delta_infinite(A: Arithmetic, *, c_u: Number, sigma: Number, gap: Number, **_rest: Number) -> Any:
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


def _delta_gaussian(
    A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, mu_o: Number, **_rest: Number
) -> Any:
    return delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


def _term(which: Any) -> Any:
    """The second or the third term at the place of the largest."""

    def term(A: Arithmetic, *, place: int, c_u: int, **at: Number) -> Any:
        return which(A, a_equal=place, a_plus=c_u - place, **at)

    return term


def _row_terms(A: Arithmetic, *, place: int, **at: Any) -> Any:
    return term_of_rows(A, place, **at)


SEEN = Sign()


def each_second(rows: Formula, loss: Formula, square: Formula, lost: Tactic = SEEN) -> Tactic:
    """That a second term at ``place`` is at most the larger delta of so many rows; ``lost`` proves that loss > 0."""
    values: dict[str, Formula] = {
        "rows": rows,
        "rate": loss,
        "unit": lambda A, **at: A.sqrt(square(A, **at)),
        "share": lambda A, **at: A.number(at["place"]) / rows(A, **at),
    }
    return ByClaim("wilkins2024.thm5.4.collapse.second", values, {"rate": lost})


def no_third(rows: Formula, loss: Formula, square: Formula, lost: Tactic = SEEN) -> Tactic:
    """That a third term is, as it is not above the second."""

    def all_lost(A: Arithmetic, **at: Any) -> Any:
        return at["place"] * loss(A, **at)

    def mu(A: Arithmetic, **at: Any) -> Any:
        return A.sqrt(A.number(rows(A, **at)) - at["place"]) * A.sqrt(square(A, **at))

    def second(A: Arithmetic, **at: Any) -> Any:
        return second_value(A, epsilon=A.number(at["epsilon"]), loss=all_lost(A, **at), mu=mu(A, **at))

    above = Substitute(
        Box((_LEVEL, Parameter("loss", LOSS.description, unit="nats", open_lower=True), _OPEN_MU)),
        {"loss": all_lost, "mu": mu},
        replace(SECOND_RISES, at_end=Symbolic()),
        third_value,
        second_value,
        {"loss": Product((Part(parameter_named("place")), Part(loss, lost)))},
    )
    return Through(second, Split("place", 0, Symbolic(), above), each_second(rows, loss, square, lost))


def no_row(_A: Arithmetic, **_parameters: Any) -> int:
    """The place of the term with no row at the threshold."""
    return 0


def larger_delta(rows: Formula, loss: Formula, square: Formula) -> AtThreshold:
    """That the larger of the two deltas is the profile of `SparseRows`."""
    terms = each_second(rows, loss, square), no_third(rows, loss, square)
    return AtThreshold(Symbolic(), *terms, (no_row,), Symbolic())


_ROWS = (parameter_named("c_u"), rate_of, square_of)

_ARE_TERMS = Maximum(
    (
        Part(_delta_infinite, Symbolic()),
        Part(
            _delta_gaussian,
            Through(
                _row_terms,
                Given(),
                Maximum((Part(_term(second_term), Symbolic()), Part(_term(third_term), Symbolic()))),
            ),
        ),
    )
)


LARGER_DELTA_IS_A_TERM = Largest("place", _ARE_TERMS, (no_row,))
"""The larger of the two deltas is at most (5.8)."""

_COLLAPSE = Largest(
    "place",
    Both(
        _ARE_TERMS,
        Maximum(
            (
                Part(_delta_infinite, Symbolic()),
                Part(_term(second_term), each_second(*_ROWS)),
                Part(_term(third_term), no_third(*_ROWS)),
            )
        ),
    ),
    (no_row,),
)
"""The largest of the terms is one of them, and not below that of no row at the threshold, ``delta_Gaussian``."""


CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.collapse.derivative",
        source=ours(HERE),
        title="Derivative of the second term in real a",
        statement=r"\text{second}'(a)=e^{-aL}\,[L\Phi(x)-\phi(x)\mu/(2n)]",
        kind=Identity(_derivative_of_left, _slope_of_left, proof=Symbolic()),
        domain=Box((_A, _LEFT, _MODERATE_EPSILON, _RATE, _UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.g_prime",
        source=ours(HERE),
        title="Derivative of g = -log(1 - f) in mu",
        statement=r"g'=h/(1+h\,m)",
        kind=Identity(derivative(_g_by_complement, "mu"), g_prime, proof=Symbolic()),
        domain=MODERATE,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.g_below_G",
        source=ours(HERE),
        title="g < G: a critical point of the second term loses to a_= = C_u",
        statement=r"-\log(1-f(\mu,\epsilon))<\tfrac{\mu}{2}\,\phi(x)/\Phi(x),\quad\epsilon\ge0,\ \mu>0",
        kind=Inequality(g, G, Relation.LESS, proof=_BELOW_G),
        domain=EVERYWHERE,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.complement",
        source=ours(HERE),
        title="What the Gaussian profile leaves is above e^-G",
        statement=r"e^{-G}<1-f(\mu,\epsilon)",
        kind=Inequality(
            _exp_of_minus_G,
            _complement,
            Relation.LESS,
            proof=Increasing(
                "exp",
                lambda A, **at: -G(A, **at),
                lambda A, **at: -g(A, **at),
                Product(
                    (Part(lambda A, **at: G(A, **at) - g(A, **at), ByClaim("wilkins2024.thm5.4.collapse.g_below_G")),)
                ),
            ),
        ),
        domain=EVERYWHERE,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.end",
        source=ours(HERE),
        title="The Gaussian profile vanishes with the distance",
        statement=r"f(\mu,\epsilon)\le2\Phi(\mu/2)-1\to0\ (\mu\to0),\quad\epsilon\ge0",
        kind=Inequality(_profile, _total_variation, proof=Derivative("epsilon", "lower")),
        domain=Box((EPSILON, MU)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.second",
        source=ours(HERE),
        title="No second term is above both deltas, whatever part of the rows is at the threshold",
        statement=r"\text{second}(a)\le\max\{1-p^C,\ f(\mu(C),\epsilon)\},\quad0\le a<C",
        kind=Inequality(_second, _larger_delta, proof=_SECOND_BELOW),
        domain=Box((_LEVEL, _ANY_ROWS, _ANY_RATE, _ANY_UNIT, _SHARE)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse",
        source=ours("Theorem 5.4"),
        title="Theorem 5.4 in O(1): the maximum of two deltas",
        statement=r"\delta_{(5.8)}=\max\{1-p^{C_u},\ f(\mu(C_u),\epsilon)\},\quad C_u\ge1,\ \epsilon\ge0",
        kind=Identity(delta_exact, branch_and_bound_maximum, proof=_COLLAPSE),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        evaluates=delta_exact,
        quantity=QuantityKind.DELTA,
        privacy=SPARSE_HISTOGRAM,
        role=Role.EXACT,
        note="The right side is the three-term maximum itself, by certified branch and bound over a_=.",
        points=POINTS,
    ),
)
