r"""Lemma 5.3 for any number of rows, each with further aggregates that are released only when its count is.

The law of ``a_+`` changed rows of which all but one have counts so far above tau* that they are always released: those
are Gaussian, at distance ``sqrt(a_+ - 1) mu(1)`` with their aggregates. Given what the last row shows, all that is left
is Gaussian too, its own aggregates included where its count passes tau*: one integral over that count,

    H(epsilon) = P_w f(R_w, epsilon - log(P_w/Q_w)) + E[f(R, epsilon - loss(v)); released].
"""

from dataclasses import replace

from proofs_numeric.arithmetic.special import gaussian_profile, integral, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.box import points
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, budgets_of
from proofs_numeric.wilkins2024.lemma_5_3.two_rows import FAR, written_profile
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import a_plus, distance


def forward_any(A: Arithmetic, *, epsilon: Number, a_plus: int, sigma: Number, mu_o: Number, margin: Number) -> Number:
    """Exact hockey stick of ``a_plus`` changed rows, user present against absent, all but one far above tau*."""
    epsilon, mu_o, unit = A.number(epsilon), A.number(mu_o), 1 / A.number(sigma)
    others = (a_plus - 1) * (unit * unit + mu_o * mu_o)
    mu = A.sqrt(others + mu_o * mu_o)
    first = A.number(margin) * unit
    level = epsilon - log_normal_cdf(A, -first) + log_normal_cdf(A, unit - first)
    silent = A.maximum(0, -A.expm1(level)) if a_plus < 2 else gaussian_profile(A, level, A.sqrt(others))

    def released(B: Arithmetic, v: Number) -> Number:
        left = epsilon - (v + unit / 2) * unit
        return normal_pdf(B, v) * written_profile(B, left, mu)

    start, far = A.maximum(-first, A.number(-FAR)), A.number(FAR)
    value = normal_cdf(A, -first) * silent + integral(A, released, start, A.maximum(start, far), bits=A.bits // 2)
    return A.between(value, value + 2 * normal_cdf(A, -far))


backward_any = -expm1(epsilon) + exp(epsilon) * algorithm(forward_any)(epsilon=-epsilon)
"""The same, user absent against present: the complementary events, reflected."""
any_bound = profile(epsilon, distance(rows=a_plus))
"""``f(mu(a_+), epsilon)``, (5.6) and (5.7): the same rows without their thresholds."""
_LEVEL = Parameter("epsilon", "privacy-loss level", unit="nats", upper=20)
_ROWS = (
    replace(A_PLUS, lower=1, upper=10**9, searched=None),
    Parameter("sigma", "standard deviation of the noise", "counts", lower="1/2", upper=100, log=True),
    Parameter("mu_o", "Mahalanobis sensitivity of a row's other aggregates", lower="1/10", upper=10, log=True),
    Parameter("margin", "count of one row with the user, less tau*", "counts", lower=-50, upper=300),
)
_POINTS = points(
    "epsilon a_plus sigma mu_o margin", (1, 1, 1, 1, 8), (1, 2, 1, "1/2", 1), ("1/10", 5, 4, "1/10", 0),
    (2, 100, 10, "1/10", -3),
)  # fmt: skip


def _bound(where: str, direction: str, exact: Formula, level: Parameter) -> Claim:
    number = where[-1]
    return stated(
        f"lem5.3.{where}.any", "Lemma 5.3",
        f"Thresholded rows and their aggregates are no worse than Gaussian ones, {direction}",
        rf"H_{{\varepsilon_{number}}} \le f(\mu(a_+), \varepsilon_{number})",
        DeltaBound(any_bound, exact=exact, budgets=Budgets(zero, budgets_of(a_plus).square)), equation="5.7",
        proof=WITHIN_BUDGETS, domain=(level, *_ROWS), quantity=QuantityKind.DELTA, role=Role.UPPER, points=_POINTS,
        note="Compared on the laws in which one row may be withheld; with two: lem5.3.ub2.two and .ub3.two.",
    )  # fmt: skip


CLAIMS = (
    _bound("ub2", "user present against absent", forward_any, _LEVEL),
    _bound("ub3", "user absent against present", backward_any, replace(_LEVEL, lower=-20)),
)
"""Lemma 5.3 as printed, in both directions."""
