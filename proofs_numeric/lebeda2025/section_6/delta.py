"""Add-the-deltas for the correlated stability histogram with aggregates (Section 6).

Every released counter takes a column along, with independent noise at distance mu_o when the counter changes.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.expression import factors, largest_of, maximum, minimum, product_of, profile, sqrt, sum_of, symbols
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.laws import COUNTERS, added, all_silent_loss
from proofs_numeric.lebeda2025.lemma_8 import changed_square
from proofs_numeric.lebeda2025.neighbours import AGGREGATES
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, epsilon, k, own, sigma
from proofs_numeric.lebeda2025.section_6.distance import aggregates_mu_squared
from proofs_numeric.statements.box import Parameter, points
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.noise import OfSharedNoise
from proofs_numeric.statements.shared import Named
from proofs_numeric.statements.tactics import Given, Symbolic

MU_O = Parameter("mu_o", "distance that the aggregates of one counter add", "standard deviations", 0, 100, default=0)

changed, mu_o = symbols("changed mu_o")
shared_distance = sqrt(aggregates_mu_squared(d=k, gamma=sqrt(k), mu_o=sigma * mu_o)) / sigma
"""``mu = sqrt(j - j^2/(k + sqrt(k)) + j sigma^2 mu_o^2)/sigma``: k shared counters of which j change."""
_turn = (k + sqrt(k)) * (1 + (sigma * mu_o) ** 2) / 2
_worst = minimum(k, _turn)
delta = profile(epsilon, shared_distance(j=_worst)) + delta_infinite
"""``f(mu, epsilon) + delta_inf``, mu at the worst real ``j = min(k, (k + sqrt(k))(1 + sigma^2 mu_o^2)/2)``."""
_pairs = maximum(profile(epsilon, shared_distance(j=k)), two_terms)
"""What single pairs reach: those without aggregates, and all k shared counters changed with them."""


def by_quadrature(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, mu_o: Number) -> Any:
    """The worst real number of changes by golden section, its hockey stick and the largest noise integrated."""
    sigma, gap, mu_o, level = A.number(sigma), A.number(gap), A.number(mu_o), A.number(epsilon)
    root = A.sqrt(A.number(k))

    def square(j: Number) -> Any:
        """Of the change of j counters by own and shared noise, covariance inverted, and of j columns."""
        return (j - j * j / (k + root)) / sigma**2 + j * mu_o**2

    part, low, high = (A.sqrt(A.number(5)) - 1) / 2, A.number(0), A.number(k)
    for _halving in range(80):
        one, two = high - part * (high - low), low + part * (high - low)
        low, high = (low, two) if square(one) > square(two) else (one, high)
    mu = A.sqrt(A.maximum(square(low), square(A.number(k))))

    def excess(B: Arithmetic, z: Number) -> Any:
        return normal_pdf(B, z) * (1 - B.exp(level - mu * mu / 2 - mu * z))

    def passes(B: Arithmetic, z: Number) -> Any:
        """Some counter's own noise above what the shared one leaves."""
        beyond = normal_cdf(B, (z / B.sqrt(root) - gap / sigma))
        return normal_pdf(B, z) * B.sum(beyond * (1 - beyond) ** i for i in range(k))

    start = level / mu - mu / 2
    stick = A.sum(integral(A, excess, start + i, start + i + 4) for i in range(0, 40, 4))
    return stick + A.sum(integral(A, passes, A.number(i), A.number(i + 4)) for i in range(-12, 20, 4))


_square_of_change = changed_square + changed * mu_o**2
_each = 1 / ((k + sqrt(k)) * sigma**2)
_WORST = largest_of(
    (k, sum_of(factors(2 * _each, k - changed, (_turn - k, Given())), _each * (k - changed) ** 2)),
    (_turn, product_of(_each, (_turn - changed) ** 2)), inside=True
)  # fmt: skip
"""Of all k counters where that is below the turning point, else there."""

CLAIMS = (
    own(
        "sec6.agg.delta", "Section 6", "add-the-deltas with aggregates of released counters",
        r"\delta = f(\mu, \epsilon) + \delta_\infty, \mu^2 = \max_{j \le k} [(j - j^2/(k + \sqrt{k}))/\sigma^2 + j "
        r"\mu_o^2]",
        DeltaBound(
            delta, exact=_pairs, oracle=by_quadrature,
            oracle_points=points(
                "epsilon k sigma gap mu_o", (1, 10, 10, 60, "1/20"), ("1/2", 1, 3, 12, 0), (0, 4, 2, 5, "1/4"),
            ),
            pairs=replace(COUNTERS, beside=mu_o**2),
            proof=Named(
                added(all_silent_loss, _square_of_change, _square_of_change(changed=_worst), _WORST), all_silent_loss,
                OfSharedNoise(Symbolic()),
            ),
        ),
        domain=(EPSILON, K, SIGMA, GAP, MU_O), role=Role.UPPER, privacy=AGGREGATES,
        loose="two worst cases that no pair has at once",
        points=({"epsilon": 1, "k": 10, "sigma": 10, "gap": 60, "mu_o": Fraction(1, 20)},), cost=2,
    ),
)  # fmt: skip
