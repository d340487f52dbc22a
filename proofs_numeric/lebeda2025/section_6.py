"""Section 6: aggregates of released counters, and sums that are centred by a released count.

Every released counter takes a column along, with independent noise at distance mu_o when the counter changes.
"""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.laws import BELOW, COUNTERS, added, all_silent_loss
from proofs_numeric.lebeda2025.lemma_8 import changed_square
from proofs_numeric.lebeda2025.neighbours import AGGREGATES
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.shared import CounterProfile

d, gamma, mu_o, share, width, count, centre, half = symbols("d gamma mu_o share width count centre half")
_s = d + gamma
aggregates_mu_squared = squared_distance(d=d, j=j, ratio=gamma) + j * mu_o * mu_o
"""``sigma^2 mu^2`` with aggregates of the j changed counters: ``j - j^2/(d + gamma) + j m^2``, m = sigma mu_o."""
_aggregates_square = _s * (1 + mu_o * mu_o) ** 2 / 4 - (j - _s * (1 + mu_o * mu_o) / 2) ** 2 / _s
centred_square = ((share * width - width / 2) / (sigma / 2)) ** 2
"""Squared distance that a value ``share * width`` of [0, width] adds to its centred sum under noise sigma/2."""
direct_square = (width / sigma) ** 2
"""Squared distance of the largest value of [0, width] to the plain sum under noise sigma."""
_weights = (lift(1), width / 2, width / 2)
_covariance = ((sigma * sigma / 4, 0, 0), (0, count * count / gamma, 0), (0, 0, count * count))
centred_variance = sum(
    (a * b * _covariance[m][n] for m, a in enumerate(_weights) for n, b in enumerate(_weights)), lift(0)
)
"""Variance of ``(S - (C/2) N + Y) + (C/2)(N + Z + Z_i)``: of every term, from the covariances of the noise."""
_centred_variance_printed = (sigma / 2) ** 2 + (width / 2) ** 2 * count * count * (1 + 1 / gamma)

_SHARE = Parameter("share", "a value, from the lower end, over the width of the range", lower=0, upper=1)
_WIDTH = Parameter("width", "width of the range of values, C", lower="1/1000", upper=1000, log=True)
_SUM_NOISE = Parameter(
    "sigma", "standard deviation that the plain sum would have", lower="1/1000", upper=1000, log=True
)

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
    (k, sum_of(factors(2 * _each, k - changed, (_turn - k, Hypothesis())), _each * (k - changed) ** 2)),
    (_turn, product_of(_each, (_turn - changed) ** 2)), inside=True
)  # fmt: skip
"""Of all k counters where that is below the turning point, else there."""

CLAIMS = (
    stated(
        "sec6.agg.centred", "Section 6",
        "sums of values in [0, C]: half the independent noise keeps the distance once C/2 a user is taken off",
        r"\left(\frac{x - C/2}{\sigma_s/2}\right)^2 \le \left(\frac{C}{\sigma_s}\right)^2,\ 0 \le x \le C",
        Inequality(centred_square, direct_square, proof=product_of(4 * width**2 / sigma**2, share, 1 - share)),
        reconstruction=True, domain=(_SHARE, _WIDTH, _SUM_NOISE),
        note="Equal at both ends: x = 0 tells as much as x = C. The count that is taken off is added again from its "
        "released value (lebeda2025.sec6.agg.variance).",
    ),
    stated(
        "sec6.agg.variance", "Section 6", "total variance of a sum that is centred by a released count",
        r"\mathrm{Var} = (\sigma_s/2)^2 + (C/2)^2\sigma^2(1 + 1/\gamma)",
        Identity(centred_variance, _centred_variance_printed, proof=Symbolic()), reconstruction=True,
        domain=(
            _WIDTH, _SUM_NOISE, Parameter("count", "noise of the count, sigma", lower="1/1000", upper=1000, log=True),
            Parameter("gamma", "ratio", lower="0.01", upper=1000, log=True),
        ),
        note="The noise of the sum is halved, the count's is paid again in every sum: a gain where C^2 sigma^2 (1 + "
        "1/gamma) < 3 sigma_s^2.",
    ),
    stated(
        "sec6.agg.range", "Section 6", "values in [L, U]: recentring never raises the sensitivity",
        r"\left|x - \tfrac{L+U}2\right| \le \max(|L|, |U|),\ L \le x \le U",
        Inequality(
            (centre - half + 2 * share * half - centre) ** 2, maximum((centre - half) ** 2, (centre + half) ** 2),
            proof=Through(half**2, product_of(4 * half**2, share, 1 - share), Split("centre", 0, Sign(), Sign())),
        ),
        reconstruction=True,
        domain=(
            Parameter("centre", "(L + U)/2", lower=-1000, upper=1000),
            replace(_WIDTH, name="half", description="(U - L)/2"), _SHARE,
        ),
        note="Squares of both sides. Recentred values reach the half-width (U - L)/2: 5 and not 15 for [5, 15].",
    ),
    stated(
        "sec6.agg", "Section 6", "aggregates of the changed counters",
        r"\sigma^2\mu^2 = j - j^2/(d+\gamma) + j \sigma^2 \mu_o^2, \text{ worst at } j = (d+\gamma)(1 + "
        r"\sigma^2\mu_o^2)/2",
        Identity(aggregates_mu_squared, _aggregates_square, proof=Symbolic()), reconstruction=True,
        domain=Box(
            tuple(
                Parameter(name, text, lower="0.01", upper=1000, log=True)
                for name, text in (
                    ("j", "changed counters"), ("d", "counters"), ("gamma", "ratio"), ("mu_o", "sigma mu_o"),
                )
            ),
        ),
        note="the worst j moves up from (d + gamma)/2, and is capped at d",
    ),
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
            proof=CounterProfile(
                added(all_silent_loss, _square_of_change, _square_of_change(changed=_worst), _WORST),
                all_silent_loss, BELOW,
            ),
        ),
        domain=(EPSILON, K, SIGMA, GAP, MU_O), role=Role.UPPER, falls=("epsilon", "gap"), rises=("mu_o",),
        privacy=AGGREGATES, loose="two worst cases that no pair has at once",
        points=({"epsilon": 1, "k": 10, "sigma": 10, "gap": 60, "mu_o": Fraction(1, 20)},), cost=2,
    ),
)  # fmt: skip
