r"""Theorem 5.4, the exact profile of the Gaussian sparse histogram mechanism.

Letters: ``epsilon`` (nats), ``c_u`` = C_u (rows), ``sigma`` (counts), ``gap`` = tau* - tau (counts), ``mu_o``;
``L = -log Phi(gap/sigma)``, ``k = sqrt(1/sigma^2 + mu_o^2)``, ``mu(n) = k sqrt(n)``, ``a`` = a_= rows at the threshold.

The printed value (5.8) is the largest of three terms over ``a``:

- first: ``1 - p^C_u``, the chance that a row appears which only one side can release;
- second(a) = ``1 - p^a + p^a f(mu(C_u - a), epsilon + a L)``, the user's presence against the absence;
- third(a) = ``f(mu(C_u - a), epsilon - a L)``, the reverse.

It exists three times: :func:`delta_exact` in O(1) (claim ``wilkins2024.thm5.4.collapse``), :func:`literal_maximum` as
printed, and certified at any ``C_u`` in :mod:`proofs_numeric.wilkins2024.theorem_5_4.rows_maximum`.
"""

from collections.abc import Callable, Iterator
from typing import Any

from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.parameters import *

__all__ = [
    "DENSITIES", "DOMAIN", "INTEGER_TAU", "LOSS", "ORACLE_POINTS", "PARAMETERS", "POINTS", "a_equal", "a_plus",
    "count_terms", "delta_below_zero", "delta_exact", "delta_gaussian", "delta_infinite", "delta_on_pairs", "distance",
    "hockey_stick_by_quadrature", "literal_maximum", "literal_terms", "loss", "loss_rate", "profile_complement", "rows",
    "second_term", "second_value", "third_term", "third_value",
]  # fmt: skip
"""The words of Theorem 5.4, for ``import *`` where its terms are spoken of."""

a_equal, a_plus, rows, loss, shift = symbols("a_equal a_plus rows loss shift")
loss_rate = -log_cdf(gap / sigma)
"""``L = -log Phi(gap/sigma) > 0``: log-probability lost with each row at the threshold."""

distance = sqrt(rows) * sqrt(1 / (sigma * sigma) + mu_o * mu_o)
"""``mu(n) = sqrt(n/sigma^2 + n mu_o^2)`` of (5.6), for ``n = rows``."""

_ratio = epsilon / mu
profile_complement = Phi(_ratio - mu / 2) + exp(epsilon) * Phi(-_ratio - mu / 2)
"""``1 - f(mu, epsilon)`` as a sum of positive terms, ``Phi(x) + e^epsilon Phi(-x - mu)``; ``mu > 0``."""

delta_infinite = -expm1(-(c_u * loss_rate))
"""First term, ``1 - Phi(gap/sigma)^C_u``; any real gap."""

delta_gaussian = profile(epsilon, distance(rows=c_u))
"""``f(mu(C_u), epsilon)``: the Gaussian mechanism of the same noise; any real epsilon."""

second_value = -expm1(-loss) + exp(-loss) * profile(epsilon + loss, mu)
"""``1 - beta + beta f(mu, epsilon + loss)`` with ``beta = e^-loss``, ``loss = a L >= 0``."""

third_value = profile(epsilon - loss, mu)
"""``f(mu, epsilon - loss)``; the level may be negative."""

_of_rows = {"loss": a_equal * loss_rate, "mu": distance(rows=a_plus)}
second_term, third_term = second_value(**_of_rows), third_value(**_of_rows)
"""Terms of (5.8) at ``a_equal`` rows at the threshold and ``a_plus > 0`` rows above it."""


def literal_terms(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Iterator[Any]:
    """Every number under the maximum of (5.8), as printed: ``2 C_u + 1`` of them."""
    yield delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)
    epsilon, rate = A.number(epsilon), loss_rate(A, sigma=sigma, gap=gap)
    unit = distance(A, rows=1, sigma=sigma, mu_o=mu_o)
    for a_equal in range(c_u):
        loss, mu = A.number(a_equal) * rate, A.sqrt(A.number(c_u - a_equal)) * unit
        yield second_value(A, epsilon=epsilon, loss=loss, mu=mu)
        yield third_value(A, epsilon=epsilon, loss=loss, mu=mu)


def literal_maximum(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """(5.8) as printed, term by term in O(C_u): the oracle of :func:`delta_exact`; ``epsilon >= 0``."""
    return A.maximum(*literal_terms(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o))


delta_exact = maximum(delta_infinite, delta_gaussian)
"""Exact delta of Algorithm 1, ``max(delta_infinite, delta_Gaussian)``, in O(1).

Domain: ``epsilon >= 0`` (nats), ``c_u >= 1`` rows, ``sigma > 0`` counts, any real ``gap = tau* - tau`` with an
integer ``tau >= 1``, ``mu_o >= 0``.  Source: wilkins2024 (5.8) and ``wilkins2024.thm5.4.collapse``.
"""

delta_below_zero = -expm1(epsilon) + exp(epsilon) * delta_exact(epsilon=-epsilon)
"""Exact delta at ``epsilon <= 0``: ``1 - e^epsilon + e^epsilon delta_exact(-epsilon)``.

The supremum over both orders of a pair obeys the reflection ``H_P,Q(-e) = 1 - e^-e + e^-e H_Q,P(e)``.
"""


def hockey_stick_by_quadrature(A: Arithmetic, *, epsilon: Number, mu: Number, weight: Number) -> Number:
    """Integral of ``max(0, w phi(x - mu) - e^epsilon phi(x))`` for ``0 < w <= 1``: from the definition, any epsilon.

    The integrand is positive right of ``(epsilon - log w)/mu + mu/2``; 45 standard deviations beyond are integrated.
    """
    epsilon, mu, weight = A.number(epsilon), A.number(mu), A.number(weight)
    start = (epsilon - A.log(weight)) / mu + mu / 2
    end = A.maximum(start, mu) + 45
    # Written with the ratio of the densities so that nothing is subtracted away where both are tiny.
    excess = A.log(weight) - epsilon

    def integrand(B: Arithmetic, x: Number) -> Number:
        return B.exp(epsilon) * normal_pdf(B, x) * B.expm1(mu * x - mu * mu / 2 + excess)

    return integral(A, integrand, start, end)


def delta_on_pairs(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """Largest hockey stick over the pairs WC1-WC4 with ``a`` rows at tau and ``C_u - a`` rows far above tau*.

    Both orders, every ``a``, each from the law itself: a row at tau appears only with the user (probability
    ``1 - p``), rows far above are Gaussian.  Rows below tau and untouched rows have one law on both sides.
    Any real epsilon.
    """
    p = normal_cdf(A, A.number(gap) / A.number(sigma))
    epsilon, one = A.number(epsilon), A.number(1)
    silent = p**c_u
    values = [
        1 - silent + A.maximum(A.number(0), silent - A.exp(epsilon)),
        A.maximum(A.number(0), 1 - A.exp(epsilon) * silent),
    ]
    for a in range(c_u):
        # Each row moves its own noise by 1/sigma and the aggregates' by mu_o; squares of independent moves add.
        mu = A.sqrt(A.sum(1 / A.number(sigma) ** 2 + A.number(mu_o) ** 2 for _row in range(c_u - a)))
        silent = p**a
        values.append(1 - silent + hockey_stick_by_quadrature(A, epsilon=epsilon, mu=mu, weight=silent))
        # max(0, phi(x) - e^epsilon w phi(x - mu)), mirrored by x -> mu - x.
        mirrored = epsilon + A.log(silent)
        values.append(hockey_stick_by_quadrature(A, epsilon=mirrored, mu=mu, weight=one))
    return A.maximum(*values)


PARAMETERS = (EPSILON, C_U, SIGMA, GAP, MU_O)
DOMAIN = Box(PARAMETERS)
INTEGER_TAU = "tau is an integer >= 1 (counts are integers and Algorithm 1 loops over nonempty groups)"
LOSS = Parameter(
    "loss", "a_= L, the log-probability that no row at the threshold appears", unit="nats", upper=10**6, log=True
)
POINTS = points(
    "epsilon c_u sigma gap mu_o", (1, 1, 2, 5, 0), (0, 100, 100, "334.8", 0), ("0.349", 51914, 2228, 13947, 0),
    ("0.5", 10, 3, 10, "0.25"), (5, 10**6, 1000, 9000, "0.0005"), ("0.3", 3, 1, -1, 0), (20, 20, "1.2", 9, "0.3"),
    (700, 10**9, 10**6, 6 * 10**6, "1e-5"),
)  # fmt: skip
"""Case study, ties of the two deltas, a threshold below tau, a billion rows."""
ORACLE_POINTS = points(
    "epsilon c_u sigma gap mu_o", (1, 1, 2, 5, 0), (0, 2, "3/2", 3, 0), ("0.7", 3, "1.5", 3, 0), ("0.3", 3, 1, -1, 0),
    ("0.5", 3, 3, 10, "0.25"), (2, 4, "4/5", 4, "1/2"), (3, 2, 2, 3, 0),
)  # fmt: skip
"""Few rows: the oracle integrates 2 C_u times.  At the last point delta_infinite decides, and sigma is not 1."""

_unit, _loss = lift("1/100"), lift("0.0004154") * (1 + shift / 10**6)
_at_0, _at_1, _at_86 = (second_value(epsilon=0, loss=a * _loss, mu=sqrt(lift(100 - a)) * _unit) for a in (0, 1, 86))

DENSITIES = Unchecked(
    "densities instead of finite laws",
    "what is enumerated over finite laws holds for densities: sums over outcomes become integrals",
)
"""The step from the rationals to the reals that the general lemmas on privacy loss need."""


def count_terms(terms: Callable[..., Iterator[Any]], c_u: int) -> int:
    """How many numbers stand under a maximum over the rows at the threshold."""
    return sum(1 for _term in terms(Float64(), epsilon=1.0, c_u=c_u, sigma=2.0, gap=5.0, mu_o=0.0))


CLAIMS = (
    stated(
        "thm5.4.lin", "Section 5, after Theorem 5.4", "(5.8) is evaluated in time linear in C_u",
        r"\text{(5.8) has }2C_u+1\text{ terms}",
        FiniteStatement(
            lambda size: range(1, size + 1), lambda c_u: count_terms(literal_terms, c_u) == 2 * c_u + 1,
            sizes(20, 60, 300), "C_u",
        ),
        note="Superseded by wilkins2024.thm5.4.collapse: O(1).",
    ),
    uncheckable(
        "pf5.4.ref", "Proof of Theorem 5.4", "A cross-reference to a lemma that does not exist",
        r"\text{" '"' r"the three terms follow from Lemma 5.1, Lemma 2.1, and Lemma 5.3" '"' r"}",
        Editorial(
            printed="Lemma 5.1, Lemma 2.1, and Lemma 5.3", corrected="Lemma 5.1, Lemma 5.2, and Lemma 5.3",
            reason="the paper has no Lemma 2.1; the second term is Lemma 5.2",
        ),
    ),
    stated(
        "A.9", "Proof of Theorem 5.4", "Derivative of the Gaussian profile in mu",
        r"\partial f/\partial\mu=\phi(\mu/2-\epsilon/\mu)>0",
        Identity(derivative(profile(epsilon, mu), "mu"), phi(mu / 2 - epsilon / mu), proof=Symbolic()),
        equation="(A.9)", domain=(EPSILON_REAL, MU),
    ),
    stated(
        "A.10", "Proof of Theorem 5.4", "Derivative of the Gaussian profile in epsilon",
        r"\partial f/\partial\epsilon=-e^{\epsilon}\Phi(-\mu/2-\epsilon/\mu)<0",
        Identity(
            derivative(profile(epsilon, mu), "epsilon"), -exp(epsilon) * Phi(-mu / 2 - epsilon / mu), proof=Symbolic(),
        ),
        equation="(A.10)", domain=(EPSILON_REAL, MU),
    ),
    own(
        "thm5.4.second.shape", "Theorem 5.4", "The second term is not unimodal in a_=",
        r"C_u=100,\ \sigma=100,\ \mu_o=0,\ \epsilon=0,\ L=4.154\cdot10^{-4}:\ "
        r"\text{second}(0)<\text{second}(1)>\text{second}(86)<\text{second}(100)",
        minimum(_at_1 - _at_0, _at_1 - _at_86, -expm1(-(100 * _loss)) - _at_86) > 0, proof=Boxes(),
        domain=(Parameter("shift", "L = 4.154e-4 (1 + shift/10^6)", lower=-1, upper=1),),
        note="A ternary search of the second term may stop at a local maximum; harmless for the whole maximum by "
        "wilkins2024.thm5.4.collapse.",
    ),
)  # fmt: skip
