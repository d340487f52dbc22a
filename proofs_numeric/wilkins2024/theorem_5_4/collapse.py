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

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import gaussian_profile, mills, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Derivative, Symbolic
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import EPSILON, MU, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    INTEGER_TAU,
    POINTS,
    delta_exact,
    profile_complement,
    second_value,
)
from proofs_numeric.wilkins2024.theorem_5_4.hazard import HERE, W_STEPS, W, hazard
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import branch_and_bound_maximum


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


def _later(A: Arithmetic, *, a: Number, b: Number, left: Number, epsilon: Number, rate: Number, unit: Number) -> Any:
    rows = A.number(a) + A.number(b) + A.number(left)
    return second_of(A, a=A.number(a) + A.number(b), epsilon=epsilon, rows=rows, rate=rate, unit=unit)


def _restarted(
    A: Arithmetic, *, a: Number, b: Number, left: Number, epsilon: Number, rate: Number, unit: Number
) -> Any:
    loss = A.number(a) * A.number(rate)
    rest = second_of(A, a=b, epsilon=A.number(epsilon) + loss, rows=A.number(b) + A.number(left), rate=rate, unit=unit)
    return -A.expm1(-loss) + A.exp(-loss) * rest


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


def G_prime(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    """``(h/2)(1 + rho u)``."""
    epsilon, mu = A.number(epsilon), A.number(mu)
    x, u = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    h = hazard(A, x)
    return h / 2 * (1 + (x + h) * u)


def _ratio(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return 2 * G_prime(A, epsilon=epsilon, mu=mu) / g_prime(A, epsilon=epsilon, mu=mu)


def _W_at(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    epsilon, mu = A.number(epsilon), A.number(mu)
    return W(A, x=epsilon / mu - mu / 2, u=epsilon / mu + mu / 2)


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

_MODERATE_MU = Parameter("mu", MU.description, lower="1e-3", upper=100, log=True)

_MODERATE_EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", upper=100)

_A = Parameter("a", "rows at the threshold, any real", unit="rows", upper=100)

_B = Parameter("b", "further rows at the threshold, any real", unit="rows", upper=100)

_LEFT = Parameter("left", "rows above the threshold, any real", unit="rows", lower="1/1000", upper=100)

_RATE = Parameter("rate", "L, log-probability lost a row", unit="nats", upper=10, log=True)

_UNIT = Parameter("unit", "k, distance of one row", lower="1e-3", upper=10, log=True)

MODERATE = Box((_MODERATE_EPSILON, _MODERATE_MU))
"""Where statements about g and G are searched."""


def _profile(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    return gaussian_profile(A, epsilon, mu)


def _total_variation(A: Arithmetic, *, mu: Number, epsilon: Number = 0) -> Number:
    return 2 * normal_cdf(A, A.number(mu) / 2) - 1


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
        id="wilkins2024.thm5.4.collapse.self_similar",
        source=ours(HERE),
        title="The second term restarts at any a",
        statement=r"\text{second}_{C,\epsilon}(a+b)=1-p^a+p^a\,\text{second}_{C-a,\epsilon+aL}(b)",
        kind=Identity(_later, _restarted, proof=Symbolic()),
        domain=Box((_A, _B, _LEFT, _MODERATE_EPSILON, _RATE, _UNIT)),
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
        id="wilkins2024.thm5.4.collapse.G_prime",
        source=ours(HERE),
        title="Derivative of G = (mu/2) h(x) in mu",
        statement=r"G'=(h/2)(1+\rho u)",
        kind=Identity(derivative(G, "mu"), G_prime, proof=Symbolic()),
        domain=MODERATE,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.g_below_G",
        source=ours(HERE),
        title="g < G: a critical point of the second term loses to a_= = C_u",
        statement=r"-\log(1-f(\mu,\epsilon))<\tfrac{\mu}{2}\,\phi(x)/\Phi(x),\quad\epsilon\ge0,\ \mu>0",
        kind=Inequality(
            g, G, Relation.LESS, proof=Derivation((*G_PRIME_STEPS, BIG_G_PRIME_STEP, RATIO_STEP, *W_STEPS))
        ),
        domain=MODERATE,
        note="The proof covers every epsilon >= 0 and mu > 0; the search a moderate box. 2 G'/g' = W > 2 and both "
        "sides vanish as mu -> 0.",
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
        id="wilkins2024.thm5.4.collapse",
        source=ours("Theorem 5.4"),
        title="Theorem 5.4 in O(1): the maximum of two deltas",
        statement=r"\delta_{(5.8)}=\max\{1-p^{C_u},\ f(\mu(C_u),\epsilon)\},\quad C_u\ge1,\ \epsilon\ge0",
        kind=Identity(
            delta_exact,
            branch_and_bound_maximum,
            proof=Derivation(
                (
                    Premise("wilkins2024.thm5.4.third", "1. the third term never beats the second"),
                    Premise("wilkins2024.thm5.4.third.tie", "1. and equals it at epsilon = 0"),
                    Premise("wilkins2024.thm5.4.collapse.derivative", "2. critical points have nL = (mu/2) h(x)"),
                    Premise("wilkins2024.thm5.4.collapse.self_similar", "3. the second term restarts at any a"),
                    Premise("wilkins2024.thm5.4.collapse.g_prime", "5. derivative of g"),
                    Premise("wilkins2024.thm5.4.collapse.G_prime", "5. derivative of G"),
                    Premise(
                        "wilkins2024.thm5.4.collapse.g_below_G",
                        "4. and 5. g < G, hence second(C_u) >= second(a) at every critical a",
                    ),
                    Premise("wilkins2024.thm5.4.collapse.mills_lower", "6. e2 > 0"),
                    Premise("wilkins2024.thm5.4.collapse.u_mills", "6. u m(u) increases"),
                    Premise("wilkins2024.thm5.4.collapse.rho", "6. rho > 0"),
                    Premise("wilkins2024.thm5.4.collapse.W.slope", "6. W increases with u"),
                    Premise("wilkins2024.thm5.4.collapse.W.right", "6. W > 2 on u = x"),
                    Premise("wilkins2024.thm5.4.collapse.W.left", "6. W > 2 on u = -x"),
                    Premise("wilkins2024.thm5.4.collapse.W", "6. W > 2"),
                    Premise("wilkins2024.thm5.4.collapse.end", "7. second is continuous up to a_= = C_u"),
                )
            ),
        ),
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
