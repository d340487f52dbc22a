"""Calibration of the Gaussian mechanism: epsilon for a delta, noise for both, as roots of the exact profile."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.arithmetic import Number
from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import Achieved, Calibration
from proofs_numeric.statements.tactics import Both, Given
from proofs_numeric.wilkins2024.neighbours import GAUSSIAN
from proofs_numeric.wilkins2024.profile_roots import largest_distance, least_epsilon_at


def least_epsilon(A: Arithmetic, *, sigma: Number, delta: Number) -> Number:
    """Least `epsilon >= 0` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1; 0 where delta is that large."""
    return gaussian_epsilon(A, delta=delta, mu=1 / A.number(sigma))


def least_sigma(A: Arithmetic, *, epsilon: Number, delta: Number) -> Number:
    """Least `sigma` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1 and `epsilon >= 0`."""
    return 1 / gaussian_mu(A, epsilon=epsilon, delta=delta)


def achieved_epsilon(A: Arithmetic, *, value: Number, sigma: Number, delta: Number) -> Any:
    """Exact delta of noise `sigma` at `epsilon = value`."""
    return gaussian_profile(A, A.number(value), 1 / A.number(sigma))


def _one_over_sigma(A: Arithmetic, *, sigma: Number, **_at: Number) -> Any:
    return 1 / A.number(sigma)


def _one_over_value(A: Arithmetic, *, value: Number, **_at: Number) -> Any:
    return 1 / A.number(value)


def achieved_sigma(A: Arithmetic, *, value: Number, epsilon: Number, delta: Number) -> Any:
    """Exact delta at `epsilon` of noise `value`."""
    return gaussian_profile(A, A.number(epsilon), 1 / A.number(value))


def _distance(A: Arithmetic, *, sigma: Number, **_rest: Any) -> Number:
    return 1 / A.number(sigma)


SIGMA = Parameter("sigma", "noise standard deviation for sensitivity 1", lower="0.01", upper=10**4, log=True)
EPSILON = Parameter("epsilon", "privacy-loss level", "nats", 0, 700, log=True)
DELTA = Parameter("delta", "target delta", "probability", "1e-300", "0.999", log=True)
_SOURCE = Source("thresholds", "Gaussian mechanism, sensitivity 1", ours=True)

CLAIMS = (
    Claim(
        id="thresholds.gaussian.epsilon",
        source=_SOURCE,
        title="Least epsilon of the Gaussian mechanism for a delta",
        statement=r"\varepsilon = \min\{e \ge 0 : f(1/\sigma, e) \le \delta\}",
        kind=Calibration(
            least_epsilon,
            achieved_epsilon,
            tight=False,
            by=Achieved("wilkins2024.thm2.2", {"epsilon": parameter_named("value"), "mu": _one_over_sigma}),
            proof=least_epsilon_at(_distance, Given()),
        ),
        domain=Box((SIGMA, DELTA)),
        quantity=QuantityKind.EPSILON,
        falls=("delta", "sigma"),
        privacy=GAUSSIAN,
        loose="where delta exceeds f(1/sigma, 0) the least epsilon is 0 and achieves less than delta",
    ),
    Claim(
        id="thresholds.gaussian.sigma",
        source=_SOURCE,
        title="Least noise of the Gaussian mechanism for (epsilon, delta)",
        statement=r"\sigma = \min\{s > 0 : f(1/s, \varepsilon) \le \delta\}",
        kind=Calibration(
            least_sigma,
            achieved_sigma,
            by=Achieved("wilkins2024.thm2.2", {"mu": _one_over_value}, positive=True),
            proof=largest_distance(Both(Given(), Given())),
        ),
        domain=Box((EPSILON, DELTA)),
        quantity=QuantityKind.SCALE,
        falls=("epsilon", "delta"),
        privacy=GAUSSIAN,
    ),
)
