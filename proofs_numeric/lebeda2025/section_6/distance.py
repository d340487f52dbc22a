"""Shared counters with their aggregates: the distance, and sums that are centred by a released count (Section 6)."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.lebeda2025.parameters import printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity, Inequality
from proofs_numeric.statements.tactics import Part, Product, Sign, Split, Symbolic, Through


def aggregates_mu_squared(A: Arithmetic, *, j: Number, d: Number, gamma: Number, mu_o: Number) -> Any:
    """``sigma^2 mu^2`` with aggregates of the j changed counters: ``j - j^2/(d + gamma) + j m^2``, m = sigma mu_o."""
    return squared_distance(d=d, j=j, ratio=gamma) + j * mu_o * mu_o


def _aggregates_square(A: Arithmetic, *, j: Number, d: Number, gamma: Number, mu_o: Number) -> Number:
    s = d + gamma
    top = s * (1 + mu_o * mu_o) / 2
    return s * (1 + mu_o * mu_o) ** 2 / 4 - (j - top) ** 2 / s


def centred_square(A: Arithmetic, *, share: Number, width: Number, sigma: Number) -> Number:
    """Squared distance that a value ``share * width`` of [0, width] adds to its centred sum under noise sigma/2."""
    value = A.number(share) * width - A.number(width) / 2
    return (value / (A.number(sigma) / 2)) ** 2


def direct_square(A: Arithmetic, *, share: Number, width: Number, sigma: Number) -> Number:
    """Squared distance of the largest value of [0, width] to the plain sum under noise sigma."""
    return (A.number(width) / sigma) ** 2


def centred_variance(A: Arithmetic, *, width: Number, sigma: Number, count: Number, gamma: Number) -> Number:
    """Variance of ``(S - (C/2) N + Y) + (C/2)(N + Z + Z_i)``: of every term, from the covariances of the noise."""
    half, sigma, count = A.number(width) / 2, A.number(sigma), A.number(count)
    weights = (A.number(1), half, half)
    covariance = ((sigma * sigma / 4, 0, 0), (0, count * count / gamma, 0), (0, 0, count * count))
    return A.sum(a * b * covariance[i][j] for i, a in enumerate(weights) for j, b in enumerate(weights))


def _centred_variance_printed(A: Arithmetic, *, width: Number, sigma: Number, count: Number, gamma: Number) -> Number:
    return (A.number(sigma) / 2) ** 2 + (A.number(width) / 2) ** 2 * count * count * (1 + 1 / A.number(gamma))


def _from_centre(A: Arithmetic, *, centre: Number, half: Number, share: Number) -> Number:
    value = A.number(centre) - half + 2 * A.number(share) * half
    return (value - centre) ** 2


def _from_zero(A: Arithmetic, *, centre: Number, half: Number, share: Number) -> Number:
    return A.maximum((A.number(centre) - half) ** 2, (A.number(centre) + half) ** 2)


_SHARE = Parameter("share", "a value, from the lower end, over the width of the range", lower=0, upper=1)
_WIDTH = Parameter("width", "width of the range of values, C", lower="1/1000", upper=1000, log=True)
_SUM_NOISE = Parameter(
    "sigma", "standard deviation that the plain sum would have", lower="1/1000", upper=1000, log=True
)

CLAIMS = (
    Claim(
        id="lebeda2025.sec6.agg.centred",
        source=printed("Section 6", reconstruction=True),
        title="sums of values in [0, C]: half the independent noise keeps the distance once C/2 a user is taken off",
        statement=r"\left(\frac{x - C/2}{\sigma_s/2}\right)^2 \le \left(\frac{C}{\sigma_s}\right)^2,\ 0 \le x \le C",
        kind=Inequality(
            centred_square,
            direct_square,
            proof=Product(
                (
                    Part(lambda A, *, share, width, sigma: 4 * A.number(width) ** 2 / A.number(sigma) ** 2),
                    Part(lambda A, *, share, width, sigma: A.number(share)),
                    Part(lambda A, *, share, width, sigma: 1 - A.number(share)),
                )
            ),
        ),
        domain=Box((_SHARE, _WIDTH, _SUM_NOISE)),
        note="Equal at both ends: x = 0 tells as much as x = C. The count that is taken off is added again from its "
        "released value (lebeda2025.sec6.agg.variance).",
    ),
    Claim(
        id="lebeda2025.sec6.agg.variance",
        source=printed("Section 6", reconstruction=True),
        title="total variance of a sum that is centred by a released count",
        statement=r"\mathrm{Var} = (\sigma_s/2)^2 + (C/2)^2\sigma^2(1 + 1/\gamma)",
        kind=Identity(centred_variance, _centred_variance_printed, proof=Symbolic()),
        domain=Box(
            (
                _WIDTH,
                _SUM_NOISE,
                Parameter("count", "noise of the count, sigma", lower="1/1000", upper=1000, log=True),
                Parameter("gamma", "ratio", lower="0.01", upper=1000, log=True),
            )
        ),
        note="The noise of the sum is halved, the count's is paid again in every sum: a gain where "
        "C^2 sigma^2 (1 + 1/gamma) < 3 sigma_s^2.",
    ),
    Claim(
        id="lebeda2025.sec6.agg.range",
        source=printed("Section 6", reconstruction=True),
        title="values in [L, U]: recentring never raises the sensitivity",
        statement=r"\left|x - \tfrac{L+U}2\right| \le \max(|L|, |U|),\ L \le x \le U",
        kind=Inequality(
            _from_centre,
            _from_zero,
            proof=Through(
                lambda A, *, centre, half, share: A.number(half) ** 2,
                Product(
                    (
                        Part(lambda A, *, centre, half, share: 4 * A.number(half) ** 2),
                        Part(lambda A, *, centre, half, share: A.number(share)),
                        Part(lambda A, *, centre, half, share: 1 - A.number(share)),
                    )
                ),
                Split("centre", 0, Sign(), Sign()),
            ),
        ),
        domain=Box(
            (
                Parameter("centre", "(L + U)/2", lower=-1000, upper=1000),
                replace(_WIDTH, name="half", description="(U - L)/2"),
                _SHARE,
            )
        ),
        note="Squares of both sides. Recentred values reach the half-width (U - L)/2: 5 and not 15 for [5, 15].",
    ),
    Claim(
        id="lebeda2025.sec6.agg",
        source=printed("Section 6", reconstruction=True),
        title="aggregates of the changed counters",
        statement=r"\sigma^2\mu^2 = j - j^2/(d+\gamma) + j \sigma^2 \mu_o^2,"
        r" \text{ worst at } j = (d+\gamma)(1 + \sigma^2\mu_o^2)/2",
        kind=Identity(left=aggregates_mu_squared, right=_aggregates_square, proof=Symbolic()),
        domain=Box(
            tuple(
                Parameter(name, text, lower="0.01", upper=1000, log=True)
                for name, text in (
                    ("j", "changed counters"),
                    ("d", "counters"),
                    ("gamma", "ratio"),
                    ("mu_o", "sigma mu_o"),
                )
            )
        ),
        note="the worst j moves up from (d + gamma)/2, and is capped at d",
    ),
)
