"""The best test against a release: its power at a level of false alarms, and its advantage over guessing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_cdf, normal_pdf, normal_quantile
from proofs_numeric.standard.parameters import SCALE, SIGMA, K, source
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import DeltaBound


def gaussian_power(A: Arithmetic, *, alpha: Number, sigma: Number, k: int) -> Number:
    """Largest power at level `alpha` against `k` releases with noise `sigma`: `Phi(Phi^-1(alpha) + sqrt(k)/sigma)`."""
    return normal_cdf(A, normal_quantile(A, A.number(alpha)) + A.sqrt(A.number(k)) / A.number(sigma))


def laplace_power(A: Arithmetic, *, alpha: Number, scale: Number) -> Number:
    """Largest power at level `alpha` against one release with noise of density `exp(-|x|/scale)/(2 scale)`.

    `delta(e) + alpha exp(e)` at the best `e` in [-1/scale, 1/scale], where `delta(e) = 1 - exp((e - 1/scale)/2)`; the
    best lies `2/scale + 2 log(2 alpha)` below `1/scale`.
    """
    alpha, rate = A.number(alpha), 1 / A.number(scale)
    below = A.maximum(0, A.minimum(2 * rate, 2 * rate + 2 * A.log(2 * alpha)))
    return -A.expm1(-below / 2) + alpha * A.exp(rate - below)


def by_threshold(tail: Callable[..., Any]) -> Any:
    """Power of the test that rejects above a threshold, from the tail of the noise: likelihood ratios rise."""

    def oracle(A: Arithmetic, *, alpha: Number, **parameters: Any) -> Any:
        alpha, low, high = A.number(alpha), A.number(-(10**4)), A.number(10**4)
        for _step in range(400):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(A, middle, **parameters) > alpha else (low, middle)
        return tail(A, (low + high) / 2 - 1, **parameters)

    return oracle


def _gaussian_tail(A: Arithmetic, x: Number, *, sigma: Number, k: int) -> Number:
    return normal_cdf(A, -x * A.sqrt(A.number(k)) / A.number(sigma))


def _laplace_tail(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    half = A.exp(-abs(x) / A.number(scale)) / 2
    return half if x > 0 else 1 - half


def gaussian_advantage(A: Arithmetic, *, sigma: Number, k: int) -> Any:
    """Largest power less false alarms against `k` releases with noise `sigma`: the delta at epsilon 0."""
    return gaussian_profile(A, A.number(0), A.sqrt(A.number(k)) / A.number(sigma))


def _gaussian_overlap(A: Arithmetic, *, sigma: Number, k: int) -> Number:
    """The mass of a unit normal between the two midpoints."""
    half = A.sqrt(A.number(k)) / A.number(sigma) / 2
    ends = [half * step / 8 for step in range(-8, 9)]
    return A.sum(integral(A, normal_pdf, a, b) for a, b in pairwise(ends))


def laplace_advantage(A: Arithmetic, *, scale: Number) -> Number:
    """Largest power less false alarms against one release of Laplace noise: `1 - exp(-1/(2 scale))`."""
    return -A.expm1(-1 / (2 * A.number(scale)))


def _laplace_overlap(A: Arithmetic, *, scale: Number) -> Number:
    """The mass of the noise within half a sensitivity of its centre."""
    width = A.number(scale)
    ends = [A.number(step) / 32 for step in range(17)]
    return A.sum(integral(A, lambda B, x: B.exp(-x / width) / width, a, b) for a, b in pairwise(ends))


ALPHA = Parameter("alpha", "level: false alarms of the test", "probability", "1e-300", 1, log=True, open_upper=True)

CLAIMS = (
    Claim(
        id="standard.power.gaussian",
        source=source("trade-off function of the Gaussian mechanism, k releases"),
        title="Largest power of a test at level alpha against k releases with Gaussian noise",
        statement=r"1 - \beta(\alpha) = \Phi(\Phi^{-1}(\alpha) + \sqrt{k}/\sigma)",
        kind=DeltaBound(
            gaussian_power,
            by_threshold(_gaussian_tail),
            (
                {"alpha": "0.05", "sigma": 1, "k": 1},
                {"alpha": "1e-6", "sigma": 3, "k": 20},
                {"alpha": "0.7", "sigma": 2, "k": 3},
            ),
        ),
        domain=Box((ALPHA, SIGMA, K)),
        quantity=QuantityKind.PROBABILITY,
        falls=("sigma",),
        rises=("alpha", "k"),
        note="Dong, Roth and Su 2022, equation (6): the trade-off function is beta, one less this power.",
    ),
    Claim(
        id="standard.power.laplace",
        source=source("trade-off function of the Laplace mechanism"),
        title="Largest power of a test at level alpha against one release with Laplace noise",
        statement=r"1 - \beta(\alpha) = \min_{|e| \le 1/b} (1 - e^{(e - 1/b)/2} + \alpha e^e)",
        kind=DeltaBound(
            laplace_power,
            by_threshold(_laplace_tail),
            (
                {"alpha": "0.01", "scale": 2},
                {"alpha": "0.4", "scale": 2},
                {"alpha": "0.9", "scale": "0.5"},
            ),
        ),
        domain=Box((ALPHA, SCALE)),
        quantity=QuantityKind.PROBABILITY,
        falls=("scale",),
        rises=("alpha",),
        note="The trade-off function is beta, one less this power.",
    ),
    Claim(
        id="standard.advantage.gaussian",
        source=source("advantage against the Gaussian mechanism, k releases"),
        title="Largest power less false alarms against k releases with Gaussian noise",
        statement=r"\max_\alpha (1 - \beta(\alpha) - \alpha) = 2\Phi(\sqrt{k}/(2\sigma)) - 1",
        kind=DeltaBound(gaussian_advantage, _gaussian_overlap, ({"sigma": 1, "k": 1}, {"sigma": 30, "k": 10})),
        domain=Box((SIGMA, K)),
        quantity=QuantityKind.PROBABILITY,
        falls=("sigma",),
        rises=("k",),
    ),
    Claim(
        id="standard.advantage.laplace",
        source=source("advantage against the Laplace mechanism"),
        title="Largest power less false alarms against one release with Laplace noise",
        statement=r"\max_\alpha (1 - \beta(\alpha) - \alpha) = 1 - e^{-1/(2b)}",
        kind=DeltaBound(laplace_advantage, _laplace_overlap, ({"scale": 1}, {"scale": 20})),
        domain=Box((SCALE,)),
        quantity=QuantityKind.PROBABILITY,
        falls=("scale",),
    ),
)
