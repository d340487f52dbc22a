"""Shared counters with their aggregates: the distance, and sums that are centred by a released count (Section 6)."""

from dataclasses import replace

from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.expression import lift, maximum, product_of, symbols
from proofs_numeric.lebeda2025.parameters import j, sigma, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Identity, Inequality
from proofs_numeric.statements.tactics import Sign, Split, Symbolic, Through

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
)  # fmt: skip
