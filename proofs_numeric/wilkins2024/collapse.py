r"""The three-term maximum of Theorem 5.4 always collapses: ``delta = max(delta_infinite, delta_Gaussian)``.

Statement.  For every integer ``C_u >= 1``, ``epsilon >= 0``, ``sigma > 0``, real gap and ``mu_o >= 0``,

    max{ 1 - p^C_u, max_a second(a), max_a third(a) } = max{ 1 - p^C_u, f(mu(C_u), epsilon) }.

Letters.  ``L = -log p > 0``, ``k = sqrt(1/sigma^2 + mu_o^2)``, ``n = C_u - a``, ``mu = k sqrt(n)``; at a level ``e``:
``x = e/mu - mu/2``, ``u = e/mu + mu/2``; ``h = phi/Phi`` at x, ``m = Phi(-u)/phi(u)`` (Mills), ``rho = x + h``.

Derivation.  Each step is a claim with its own proof.

1. ``thm5.4.third``: third(a) <= second(a), equal only at epsilon = 0 or a = 0.  Hence third terms never matter.
2. ``collapse.derivative``: for real a, second'(a) = e^{-aL} [L Phi(x) - phi(x) mu/(2n)] at the level e = epsilon + aL.
3. ``collapse.self_similar``: second(a + b) = 1 - p^a + p^a second~(b), where second~ has C_u - a rows and level
   epsilon + aL.  So whether second(C_u) >= second(a) is the same question at a = 0 with other parameters.
4. At a critical point a of second in (0, C_u), step 2 gives ``nL = G(mu) := (mu/2) h(x)``; by step 3
   second(C_u) >= second(a) iff ``1 - e^{-nL} >= f(mu, e)`` iff ``nL >= g(mu) := -log(1 - f(mu, e))``.
5. ``collapse.g_below_G``: g < G for e >= 0 and mu > 0.  Both vanish as mu -> 0, and
   ``g' = h/(1 + h m)`` (``collapse.g_prime``), ``G' = (h/2)(1 + rho u)`` (``collapse.G_prime``), so that
   G'/g' = W/2 with ``W = (1 + h m)(1 + rho u)``.
6. ``collapse.W``: W > 2 for u >= |x|, (x, u) != (0, 0); here u >= |x| because e >= 0.  At fixed x,
   dW/du = x + h u m + rho h e2 with ``e2 = (1 + u^2) m - u`` (``collapse.W.slope``), which is positive:
   rho > 0 (``collapse.rho``), e2 > 0 (``collapse.mills_lower``), and for x = -z < 0 the product u m(u) increases
   (``collapse.u_mills``) from h(-z) z m(z) = z at u = z.  At u = |x| the value is (1 + rho x)/Phi(x) >= 2 for
   x >= 0 (``collapse.W.right``) and 2 (1 + rho z) >= 2 for x = -z (``collapse.W.left``).
7. second is continuous on [0, C_u] (with second(C_u) = delta_infinite, as f(mu, e) -> 0 for mu -> 0 at e > 0), so its
   maximum lies at 0 (delta_Gaussian), at C_u (delta_infinite) or at a critical point, which is no better than C_u.

No step samples: each is an identity or a sign over its whole unbounded domain.
"""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Claim,
    Identity,
    Inequality,
    Monotonicity,
    Parameter,
    PositiveOnBox,
    Proof,
    QuantityKind,
    Relation,
    Role,
    SymbolicIdentity,
)
from proofs_numeric.derivative import derivative
from proofs_numeric.special import gaussian_profile, mills, normal_cdf, normal_pdf
from proofs_numeric.wilkins2024.parameters import EPSILON, MU, ours
from proofs_numeric.wilkins2024.rows_maximum import (
    branch_and_bound_maximum,
    hazard_on_ends,
    mills_on_ends,
)
from proofs_numeric.wilkins2024.theorem_5_4 import (
    A10_STEP,
    DOMAIN,
    INTEGER_TAU,
    LOSS,
    POINTS,
    delta_exact,
    profile_complement,
    second_value,
    third_value,
    zero,
)

# --- step 1: third <= second ------------------------------------------------------------------------------------------
# With z = epsilon/mu + mu/2 and v = loss/mu, the difference vanishes at epsilon = 0 and its derivative there on is
#   e^eps [e^-loss Phi(v - z) - Phi(-v - z)]
#     = e^(eps - loss) { e^(-2 v eps/mu) f(2v, 2vz) + (1 - e^(-2 v eps/mu)) Phi(v - z) },
# a sum of a positive and a non-negative term: f is itself a hockey stick of Gaussians, at distance 2v and level 2vz.


def second_less_third(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    """``second - third`` at ``loss = a L``."""
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu) - third_value(A, epsilon=epsilon, loss=loss, mu=mu)


def second_less_third_slope(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    """Derivative of :func:`second_less_third` by epsilon, as a sum of non-negative terms."""
    z, v = epsilon / mu + mu / 2, loss / mu
    kept = A.exp(-(2 * v * epsilon / mu))
    tail = (1 - kept) * normal_cdf(A, v - z)
    return A.exp(epsilon - loss) * (kept * gaussian_profile(A, 2 * v * z, 2 * v) + tail)


def _difference_at_zero(A: Arithmetic, *, loss: Any, mu: Any) -> Any:
    return second_less_third(A, epsilon=A.number(0), loss=loss, mu=mu)


THIRD_STEPS = (
    SymbolicIdentity(
        "second = third at epsilon = 0",
        _difference_at_zero,
        zero,
        ("loss", "mu"),
        ("loss", "mu"),
        "the reflection f(mu, -x) = 1 - e^-x + e^-x f(mu, x)",
    ),
    SymbolicIdentity(
        "d(second - third)/depsilon as a sum of non-negative terms",
        derivative(second_less_third, "epsilon"),
        second_less_third_slope,
        ("epsilon", "loss", "mu"),
        ("epsilon", "loss", "mu"),
        "e^(eps-loss) {e^(-2 v eps/mu) f(2v, 2vz) + (1 - e^(-2 v eps/mu)) Phi(v - z)} > 0 for eps >= 0, loss > 0, "
        "since f > 0: the difference increases strictly from 0",
    ),
    A10_STEP,
)


def _second(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    return second_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _third(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    return third_value(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))


def _second_at_zero(A: Arithmetic, *, loss: Any, mu: Any) -> Any:
    return _second(A, epsilon=0, loss=loss, mu=mu)


def _third_at_zero(A: Arithmetic, *, loss: Any, mu: Any) -> Any:
    return _third(A, epsilon=0, loss=loss, mu=mu)


# --- steps 2 and 3: the second term as a function of real a -----------------------------------------------------------


def second_of(A: Arithmetic, *, a: Any, epsilon: Any, rows: Any, rate: Any, unit: Any) -> Any:
    """second(a) for real ``0 <= a < rows``: ``rate = L``, ``unit = k``, ``rows = C_u``."""
    a, epsilon, rate = A.number(a), A.number(epsilon), A.number(rate)
    mu = A.number(unit) * A.sqrt(A.number(rows) - a)
    return second_value(A, epsilon=epsilon, loss=a * rate, mu=mu)


def second_slope(A: Arithmetic, *, a: Any, epsilon: Any, rows: Any, rate: Any, unit: Any) -> Any:
    """``e^{-aL} [L Phi(x) - phi(x) mu/(2n)]``, ``x = (epsilon + aL)/mu - mu/2``."""
    a, epsilon, rate = A.number(a), A.number(epsilon), A.number(rate)
    n = A.number(rows) - a
    mu = A.number(unit) * A.sqrt(n)
    x = (epsilon + a * rate) / mu - mu / 2
    return A.exp(-a * rate) * (rate * normal_cdf(A, x) - normal_pdf(A, x) * mu / (2 * n))


def _slope_of_left(A: Arithmetic, *, a: Any, left: Any, epsilon: Any, rate: Any, unit: Any) -> Any:
    return second_slope(A, a=a, epsilon=epsilon, rows=A.number(a) + A.number(left), rate=rate, unit=unit)


def _derivative_of_left(A: Arithmetic, *, a: Any, left: Any, epsilon: Any, rate: Any, unit: Any) -> Any:
    rows = A.number(a) + A.number(left)
    return derivative(second_of, "a")(A, a=a, epsilon=epsilon, rows=rows, rate=rate, unit=unit)


def _later(A: Arithmetic, *, a: Any, b: Any, left: Any, epsilon: Any, rate: Any, unit: Any) -> Any:
    rows = A.number(a) + A.number(b) + A.number(left)
    return second_of(A, a=A.number(a) + A.number(b), epsilon=epsilon, rows=rows, rate=rate, unit=unit)


def _restarted(A: Arithmetic, *, a: Any, b: Any, left: Any, epsilon: Any, rate: Any, unit: Any) -> Any:
    loss = A.number(a) * A.number(rate)
    rest = second_of(A, a=b, epsilon=A.number(epsilon) + loss, rows=A.number(b) + A.number(left), rate=rate, unit=unit)
    return -A.expm1(-loss) + A.exp(-loss) * rest


# --- steps 5 and 6: g, G and W ----------------------------------------------------------------------------------------


def hazard(A: Arithmetic, x: Any) -> Any:
    """``phi(x)/Phi(x)``."""
    return normal_pdf(A, x) / normal_cdf(A, x)


def g(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """``-log(1 - f(mu, epsilon))``."""
    return -A.log1p(-gaussian_profile(A, A.number(epsilon), A.number(mu)))


def G(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """``(mu/2) h(x)`` at ``x = epsilon/mu - mu/2``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    return mu / 2 * hazard(A, epsilon / mu - mu / 2)


def _g_by_complement(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return -A.log(profile_complement(A, epsilon=epsilon, mu=mu))


def g_prime(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """``h/(1 + h m)``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    h = hazard(A, epsilon / mu - mu / 2)
    return h / (1 + h * mills(A, epsilon / mu + mu / 2))


def G_prime(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """``(h/2)(1 + rho u)``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    x, u = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    h = hazard(A, x)
    return h / 2 * (1 + (x + h) * u)


def W(A: Arithmetic, *, x: Any, u: Any) -> Any:
    """``(1 + h(x) m(u)) (1 + rho(x) u)``; ``2 G'/g'``."""
    h = hazard(A, x)
    return (1 + h * mills(A, u)) * (1 + (x + h) * u)


def W_slope(A: Arithmetic, *, x: Any, u: Any) -> Any:
    """``x + h u m + rho h e2`` with ``e2 = (1 + u^2) m - u``."""
    h, m = hazard(A, x), mills(A, u)
    return x + h * u * m + (x + h) * h * ((1 + u * u) * m - u)


def _ratio(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return 2 * G_prime(A, epsilon=epsilon, mu=mu) / g_prime(A, epsilon=epsilon, mu=mu)


def _W_at(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    epsilon, mu = A.number(epsilon), A.number(mu)
    return W(A, x=epsilon / mu - mu / 2, u=epsilon / mu + mu / 2)


def _of_excess(A: Arithmetic, formula: Any, x: Any, excess: Any) -> Any:
    x = A.number(x)
    return formula(A, x=x, u=A.maximum(x, -x) + A.number(excess))


def W_of_excess(A: Arithmetic, *, x: Any, excess: Any) -> Any:
    """W at ``u = |x| + excess``."""
    return _of_excess(A, W, x, excess)


def _W_slope_of_excess(A: Arithmetic, *, x: Any, excess: Any) -> Any:
    return _of_excess(A, W_slope, x, excess)


def _two(A: Arithmetic, **_parameters: Any) -> Any:
    return A.number(2)


def _W_box(A: Ball, *, z: Any, excess: Any) -> Any:
    u = z + excess
    m, right, left = mills_on_ends(A, u), hazard_on_ends(A, z), hazard_on_ends(A, -z)
    return A.minimum((1 + right * m) * (1 + (z + right) * u), (1 + left * m) * (1 + (left - z) * u)) - 2


def _mills(A: Arithmetic, *, u: Any) -> Any:
    return mills(A, A.number(u))


def _mills_below(A: Arithmetic, *, u: Any) -> Any:
    u = A.number(u)
    return u / (1 + u * u)


def _mills_gap(A: Arithmetic, *, u: Any) -> Any:
    return normal_cdf(A, -u) - u * normal_pdf(A, u) / (1 + u * u)


def _mills_gap_slope(A: Arithmetic, *, u: Any) -> Any:
    return -2 * normal_pdf(A, u) / (1 + u * u) ** 2


MILLS_STEP = SymbolicIdentity(
    "d/du [Phi(-u) - u phi(u)/(1 + u^2)] = -2 phi(u)/(1 + u^2)^2",
    derivative(_mills_gap, "u"),
    _mills_gap_slope,
    ("u",),
    (),
    "it decreases strictly to its limit 0, so Phi(-u) > u phi(u)/(1 + u^2), that is e2 > 0, for every real u",
)


def _u_mills(A: Arithmetic, *, u: Any) -> Any:
    u = A.number(u)
    return u * mills(A, u)


def _e2(A: Arithmetic, *, u: Any) -> Any:
    return (1 + u * u) * mills(A, u) - u


U_MILLS_STEP = SymbolicIdentity(
    "d/du [u m(u)] = (1 + u^2) m - u",
    derivative(_u_mills, "u"),
    _e2,
    ("u",),
    (),
    "the right side is e2 > 0",
)


def _rho(A: Arithmetic, *, x: Any) -> Any:
    x = A.number(x)
    return x + hazard(A, x)


def _rho_mass(A: Arithmetic, *, x: Any) -> Any:
    return x * normal_cdf(A, x) + normal_pdf(A, x)


def _cdf(A: Arithmetic, *, x: Any) -> Any:
    return normal_cdf(A, x)


RHO_STEP = SymbolicIdentity(
    "d/dx [x Phi(x) + phi(x)] = Phi(x)",
    derivative(_rho_mass, "x"),
    _cdf,
    ("x",),
    (),
    "it increases strictly from its limit 0 at -infinity, so rho = (x Phi + phi)/Phi > 0",
)
W_SLOPE_STEP = SymbolicIdentity(
    "dW/du = x + h u m + rho h e2",
    derivative(W, "u"),
    W_slope,
    ("x", "u"),
    ("u",),
    "positive: for x >= 0 every term is >= 0 and rho h e2 > 0; for x = -z <= -0 and u >= z, h u m(u) >= h z m(z) = z",
)


def _hazard_times_mills(A: Arithmetic, *, z: Any) -> Any:
    return hazard(A, -z) * mills(A, z)


def _one(A: Arithmetic, **_parameters: Any) -> Any:
    return A.number(1)


LEFT_STEPS = (
    SymbolicIdentity("h(-z) m(z) = 1", _hazard_times_mills, _one, ("z",), ("z",), "hence h(-z) z m(z) = z"),
    SymbolicIdentity(
        "W(z; -z) = 2 (1 + rho(-z) z)",
        lambda A, *, z: W(A, x=-z, u=z),
        lambda A, *, z: 2 * (1 + (-z + hazard(A, -z)) * z),
        ("z",),
        ("z",),
        "greater than 2 for z > 0, as rho > 0",
    ),
)


def _right_gap(A: Arithmetic, *, x: Any) -> Any:
    # Phi(x) (1 + rho x - 2 Phi(x)): positive exactly where (1 + rho x)/Phi(x) > 2.
    cdf = normal_cdf(A, x)
    return cdf * (1 + (x + hazard(A, x)) * x - 2 * cdf)


def _right_gap_slope(A: Arithmetic, *, x: Any) -> Any:
    return 2 * x * normal_cdf(A, x) + 2 * normal_pdf(A, x) * (1 - 2 * normal_cdf(A, x))


def _right_gap_curvature(A: Arithmetic, *, x: Any) -> Any:
    cdf, density = normal_cdf(A, x), normal_pdf(A, x)
    return 2 * (cdf - 2 * density * density) + 4 * x * density * cdf


def _cdf_less_density(A: Arithmetic, *, cdf: Any, density: Any) -> Any:
    return cdf - 2 * density * density


def _at_origin(formula: Any) -> Any:
    return lambda A: formula(A, x=A.number(0))


RIGHT_STEPS = (
    SymbolicIdentity(
        "W(x; x) = (1 + rho x)/Phi(x)",
        lambda A, *, x: W(A, x=x, u=x),
        lambda A, *, x: (1 + (x + hazard(A, x)) * x) / normal_cdf(A, x),
        ("x",),
        ("x",),
        "so that W(x; x) - 2 has the sign of B(x) = Phi (1 + rho x - 2 Phi)",
    ),
    SymbolicIdentity("B(0) = 0", _at_origin(_right_gap), zero, (), (), "both sides touch at the origin"),
    SymbolicIdentity(
        "B'(x) = 2 x Phi + 2 phi (1 - 2 Phi)",
        derivative(_right_gap, "x"),
        _right_gap_slope,
        ("x",),
        (),
        "first derivative",
    ),
    SymbolicIdentity("B'(0) = 0", _at_origin(_right_gap_slope), zero, (), (), "the touching is of second order"),
    SymbolicIdentity(
        "B''(x) = 2 (Phi - 2 phi^2) + 4 x phi Phi",
        derivative(_right_gap_slope, "x"),
        _right_gap_curvature,
        ("x",),
        (),
        "second derivative",
    ),
    PositiveOnBox(
        "Phi - 2 phi^2 > 0",
        _cdf_less_density,
        Box(
            (
                Parameter("cdf", "Phi(x) for x >= 0", unit="probability", lower="1/2", upper=1),
                Parameter("density", "phi(x) <= 1/sqrt(2 pi)", lower=0, upper="0.39895"),
            )
        ),
        "hence B'' > 0 for x >= 0 and B > 0 for x > 0",
    ),
)
W_STEPS = (RHO_STEP, MILLS_STEP, U_MILLS_STEP, W_SLOPE_STEP, *LEFT_STEPS, *RIGHT_STEPS)

G_PRIME_STEPS = (
    SymbolicIdentity(
        "1 - f = Phi(x) + e^epsilon Phi(-u)",
        lambda A, *, epsilon, mu: 1 - gaussian_profile(A, epsilon, mu),
        lambda A, *, epsilon, mu: profile_complement(A, epsilon=epsilon, mu=mu),
        ("epsilon", "mu"),
        ("mu",),
        "a sum of positive terms",
    ),
    SymbolicIdentity(
        "g' = h/(1 + h m)",
        derivative(_g_by_complement, "mu"),
        g_prime,
        ("epsilon", "mu"),
        ("mu",),
        "A.9 over 1 - f = Phi(x) (1 + h m)",
    ),
)
BIG_G_PRIME_STEP = SymbolicIdentity(
    "G' = (h/2)(1 + rho u)", derivative(G, "mu"), G_prime, ("epsilon", "mu"), ("mu",), "h' = -h rho, x' = -u/mu"
)
RATIO_STEP = SymbolicIdentity(
    "2 G'/g' = W", _ratio, _W_at, ("epsilon", "mu"), ("mu",), "so G' > g' where W > 2; both vanish as mu -> 0"
)

# --- claims -----------------------------------------------------------------------------------------------------------

_HERE = "Theorem 5.4, in O(1)"
_X = Parameter("x", "level less half the distance, x", lower=-40, upper=40)
_EXCESS = Parameter("excess", "u - |x|", upper=40)
_U = Parameter("u", "argument of the Mills ratio", lower=0)
_OPEN_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=700, log=True, open_lower=True)
_OPEN_LOSS = Parameter("loss", LOSS.description, unit="nats", upper=10**4, log=True, open_lower=True)
_MODERATE_MU = Parameter("mu", MU.description, lower="1e-3", upper=100, log=True)
_MODERATE_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=100)
_A = Parameter("a", "rows at the threshold, any real", unit="rows", upper=100)
_B = Parameter("b", "further rows at the threshold, any real", unit="rows", upper=100)
_LEFT = Parameter("left", "rows above the threshold, any real", unit="rows", lower="1/1000", upper=100)
_RATE = Parameter("rate", "L, log-probability lost a row", unit="nats", upper=10, log=True)
_UNIT = Parameter("unit", "k, distance of one row", lower="1e-3", upper=10, log=True)


def _not_origin(**point: Any) -> bool:
    return bool(point["x"] != 0 or point["excess"] != 0)


MODERATE = Box((_MODERATE_EPSILON, _MODERATE_MU))
"""Where statements about g and G are searched."""
_W_DOMAIN = Box((_X, _EXCESS), _not_origin, "(x, u) != (0, 0)")


def _profile(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    return gaussian_profile(A, epsilon, mu)


def _total_variation(A: Arithmetic, *, mu: Any, epsilon: Any = 0) -> Any:
    return 2 * normal_cdf(A, A.number(mu) / 2) - 1


def _profile_at_zero(A: Arithmetic, *, mu: Any) -> Any:
    return gaussian_profile(A, A.number(0), mu)


END_STEPS = (
    SymbolicIdentity(
        "f(mu, 0) = 2 Phi(mu/2) - 1",
        _profile_at_zero,
        _total_variation,
        ("mu",),
        ("mu",),
        "the largest value over epsilon >= 0, by A.10; it vanishes as mu -> 0",
    ),
    A10_STEP,
)

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.third",
        source=ours("Theorem 5.4"),
        title="The third term of (5.8) never beats the second",
        statement=r"\text{second}(a)>\text{third}(a)\text{ for }\epsilon>0,\ a>0",
        kind=Inequality(_third, _second, Relation.LESS, proof=Proof(THIRD_STEPS)),
        domain=Box((_OPEN_EPSILON, _OPEN_LOSS, MU)),
    ),
    Claim(
        id="wilkins2024.thm5.4.third.tie",
        source=ours("Theorem 5.4"),
        title="At epsilon = 0 the second and third terms are equal",
        statement=r"\epsilon=0:\ \text{second}(a)=\text{third}(a)",
        kind=Identity(_second_at_zero, _third_at_zero, proof=Proof(THIRD_STEPS[:1])),
        domain=Box((LOSS, MU)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.derivative",
        source=ours(_HERE),
        title="Derivative of the second term in real a",
        statement=r"\text{second}'(a)=e^{-aL}\,[L\Phi(x)-\phi(x)\mu/(2n)]",
        kind=Identity(
            _derivative_of_left,
            _slope_of_left,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "second'(a)",
                        _derivative_of_left,
                        _slope_of_left,
                        ("a", "left", "epsilon", "rate", "unit"),
                        ("a", "left", "epsilon", "rate", "unit"),
                        "a critical point has nL = (mu/2) h(x)",
                    ),
                )
            ),
        ),
        domain=Box((_A, _LEFT, _MODERATE_EPSILON, _RATE, _UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.self_similar",
        source=ours(_HERE),
        title="The second term restarts at any a",
        statement=r"\text{second}_{C,\epsilon}(a+b)=1-p^a+p^a\,\text{second}_{C-a,\epsilon+aL}(b)",
        kind=Identity(
            _later,
            _restarted,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "restart",
                        _later,
                        _restarted,
                        ("a", "b", "left", "epsilon", "rate", "unit"),
                        ("a", "b", "left", "epsilon", "rate", "unit"),
                        "1 - p^(a+b) = 1 - p^a + p^a (1 - p^b), and the levels agree",
                    ),
                )
            ),
        ),
        domain=Box((_A, _B, _LEFT, _MODERATE_EPSILON, _RATE, _UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.g_prime",
        source=ours(_HERE),
        title="Derivative of g = -log(1 - f) in mu",
        statement=r"g'=h/(1+h\,m)",
        kind=Identity(derivative(_g_by_complement, "mu"), g_prime, proof=Proof(G_PRIME_STEPS)),
        domain=MODERATE,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.G_prime",
        source=ours(_HERE),
        title="Derivative of G = (mu/2) h(x) in mu",
        statement=r"G'=(h/2)(1+\rho u)",
        kind=Identity(derivative(G, "mu"), G_prime, proof=Proof((BIG_G_PRIME_STEP,))),
        domain=MODERATE,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.g_below_G",
        source=ours(_HERE),
        title="g < G: a critical point of the second term loses to a_= = C_u",
        statement=r"-\log(1-f(\mu,\epsilon))<\tfrac{\mu}{2}\,\phi(x)/\Phi(x),\quad\epsilon\ge0,\ \mu>0",
        kind=Inequality(
            g,
            G,
            Relation.LESS,
            proof=Proof((*G_PRIME_STEPS, BIG_G_PRIME_STEP, RATIO_STEP, *W_STEPS)),
        ),
        domain=MODERATE,
        note="The proof covers every epsilon >= 0 and mu > 0; the search a moderate box. 2 G'/g' = W > 2 and both "
        "sides vanish as mu -> 0.",
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W",
        source=ours(_HERE),
        title="W > 2",
        statement=r"W(u;x)=(1+h(x)m(u))(1+\rho(x)u)>2,\quad u\ge|x|,\ (x,u)\ne(0,0)",
        kind=Inequality(_two, W_of_excess, Relation.LESS, proof=Proof(W_STEPS)),
        domain=_W_DOMAIN,
        note="The proof covers every real x and u >= |x|: W increases in u from a value above 2 at u = |x|; at the "
        "origin, where W = 2, B and B' vanish and B'' > 0.",
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.box",
        source=ours(_HERE),
        title="W > 2 away from the origin, by interval branch and bound",
        statement=r"W(u;x)>2,\quad 1/20\le|x|\le6,\ |x|\le u\le|x|+8",
        kind=Inequality(
            _two,
            W_of_excess,
            Relation.LESS,
            proof=Proof(
                (
                    PositiveOnBox(
                        "W - 2",
                        _W_box,
                        Box(
                            (
                                Parameter("z", "|x|", lower="1/20", upper=6),
                                Parameter("excess", "u - |x|", upper=8),
                            )
                        ),
                        "independent of the derivation of wilkins2024.thm5.4.collapse.W",
                    ),
                ),
                scope="1/20 <= |x| <= 6, |x| <= u <= |x| + 8",
                fraction="unbounded domain",
            ),
        ),
        domain=_W_DOMAIN,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.slope",
        source=ours(_HERE),
        title="W increases with u",
        statement=r"\partial W/\partial u=x+h\,u\,m(u)+\rho\,h\,e_2(u)>0,\quad u\ge|x|",
        kind=Inequality(
            zero,
            _W_slope_of_excess,
            Relation.LESS,
            proof=Proof((W_SLOPE_STEP, RHO_STEP, MILLS_STEP, U_MILLS_STEP, LEFT_STEPS[0])),
        ),
        domain=Box((_X, _EXCESS)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.right",
        source=ours(_HERE),
        title="W > 2 on u = x > 0",
        statement=r"2\Phi(x)<1+\rho(x)x,\quad x>0",
        kind=Inequality(
            lambda A, *, x: 2 * normal_cdf(A, A.number(x)),
            lambda A, *, x: 1 + _rho(A, x=x) * A.number(x),
            Relation.LESS,
            proof=Proof(RIGHT_STEPS),
        ),
        domain=Box((Parameter("x", "x = u", upper=40, open_lower=True),)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.left",
        source=ours(_HERE),
        title="W > 2 on u = -x > 0",
        statement=r"W(z;-z)=2(1+\rho(-z)z)>2,\quad z>0",
        kind=Inequality(
            _two,
            lambda A, *, z: W(A, x=-A.number(z), u=A.number(z)),
            Relation.LESS,
            proof=Proof((*LEFT_STEPS, RHO_STEP)),
        ),
        domain=Box((Parameter("z", "-x = u", upper=40, open_lower=True),)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.mills_lower",
        source=ours(_HERE),
        title="Lower bound of the Mills ratio",
        statement=r"u/(1+u^2)<\Phi(-u)/\phi(u)",
        kind=Inequality(_mills_below, _mills, Relation.LESS, proof=Proof((MILLS_STEP,))),
        domain=Box((_U,)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.u_mills",
        source=ours(_HERE),
        title="u m(u) increases",
        statement=r"(u\,m(u))'=(1+u^2)m(u)-u>0",
        kind=Monotonicity(_u_mills, "u", increasing=True, proof=Proof((U_MILLS_STEP, MILLS_STEP))),
        domain=Box((_U,)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.rho",
        source=ours(_HERE),
        title="rho > 0",
        statement=r"\rho(x)=x+\phi(x)/\Phi(x)>0",
        kind=Inequality(zero, _rho, Relation.LESS, proof=Proof((RHO_STEP,))),
        domain=Box((Parameter("x", "any real", lower=-1000, upper=1000),)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.end",
        source=ours(_HERE),
        title="The Gaussian profile vanishes with the distance",
        statement=r"f(\mu,\epsilon)\le2\Phi(\mu/2)-1\to0\ (\mu\to0),\quad\epsilon\ge0",
        kind=Inequality(_profile, _total_variation, proof=Proof(END_STEPS)),
        domain=Box((EPSILON, MU)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse",
        source=ours("Theorem 5.4"),
        title="Theorem 5.4 in O(1): the maximum of two deltas",
        statement=r"\delta_{(5.8)}=\max\{1-p^{C_u},\ f(\mu(C_u),\epsilon)\},\quad C_u\ge1,\ \epsilon\ge0",
        kind=Identity(
            delta_exact,
            branch_and_bound_maximum,
            proof=Proof(
                (
                    ByClaim("wilkins2024.thm5.4.third", "1. the third term never beats the second"),
                    ByClaim("wilkins2024.thm5.4.third.tie", "1. and equals it at epsilon = 0"),
                    ByClaim("wilkins2024.thm5.4.collapse.derivative", "2. critical points have nL = (mu/2) h(x)"),
                    ByClaim("wilkins2024.thm5.4.collapse.self_similar", "3. the second term restarts at any a"),
                    ByClaim("wilkins2024.thm5.4.collapse.g_prime", "5. derivative of g"),
                    ByClaim("wilkins2024.thm5.4.collapse.G_prime", "5. derivative of G"),
                    ByClaim(
                        "wilkins2024.thm5.4.collapse.g_below_G",
                        "4. and 5. g < G, hence second(C_u) >= second(a) at every critical a",
                    ),
                    ByClaim("wilkins2024.thm5.4.collapse.mills_lower", "6. e2 > 0"),
                    ByClaim("wilkins2024.thm5.4.collapse.u_mills", "6. u m(u) increases"),
                    ByClaim("wilkins2024.thm5.4.collapse.rho", "6. rho > 0"),
                    ByClaim("wilkins2024.thm5.4.collapse.W.slope", "6. W increases with u"),
                    ByClaim("wilkins2024.thm5.4.collapse.W.right", "6. W > 2 on u = x"),
                    ByClaim("wilkins2024.thm5.4.collapse.W.left", "6. W > 2 on u = -x"),
                    ByClaim("wilkins2024.thm5.4.collapse.W", "6. W > 2"),
                    ByClaim("wilkins2024.thm5.4.collapse.end", "7. second is continuous up to a_= = C_u"),
                )
            ),
        ),
        domain=DOMAIN,
        assumptions=(INTEGER_TAU,),
        evaluates=delta_exact,
        quantity=QuantityKind.DELTA,
        role=Role.EXACT,
        note="The right side is the three-term maximum itself, by certified branch and bound over a_=.",
        points=POINTS,
    ),
)
