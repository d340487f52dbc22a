"""Calibration of the Gaussian mechanism: epsilon for a delta, noise for both, as roots of the exact profile."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, MpReal
from proofs_numeric.claim import Box, Calibration, Claim, Parameter, QuantityKind, Role, Source
from proofs_numeric.special import gaussian_profile

FAR = 50
"""Standard deviations beyond which a normal tail is below any delta of the domain: log10 Phi(-50) < -540."""


@functools.singledispatch
def increasing_root(A: Arithmetic, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    """Zero of an increasing function, negative at `lower` and positive at `upper`, by bisection.

    A ball encloses it: the ends move only on certified signs.
    """
    raise NotImplementedError(A)


@increasing_root.register
def _(A: Float64, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    for _step in range(200):
        middle = (lower + upper) / 2
        below = function(middle) < 0
        lower, upper = np.where(below, middle, lower), np.where(below, upper, middle)
    return upper[()]


@increasing_root.register
def _(A: MpReal, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    while upper - lower > A.power(10, -A.digits - 5) * max(abs(lower), abs(upper)):
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if function(middle) < 0 else (lower, middle)
    return (lower + upper) / 2


@increasing_root.register
def _(A: Ball, function: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    lower, upper = lower.lower(), upper.upper()
    for _step in range(3 * A.bits):
        middle = ((lower + upper) / 2).mid()
        value = function(middle)
        if value < 0:
            lower = middle
        elif value > 0:
            upper = middle
        else:
            break
    return lower.union(upper)


def least_epsilon(A: Arithmetic, *, sigma: Any, delta: Any) -> Any:
    """Least `epsilon >= 0` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1; 0 where delta is that large."""
    sigma, delta = A.number(sigma), A.number(delta)
    mu = 1 / sigma
    # f(mu, e) > 1 - e^epsilon bounds the root from below; FAR deviations of the loss bound it from above.
    root = increasing_root(
        A, lambda epsilon: delta - gaussian_profile(A, epsilon, mu), A.log1p(-delta), mu * mu / 2 + FAR * mu
    )
    return A.maximum(0, root)


def least_sigma(A: Arithmetic, *, epsilon: Any, delta: Any) -> Any:
    """Least `sigma` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1 and `epsilon >= 0`."""
    epsilon, delta = A.number(epsilon), A.number(delta)
    # mu/2 - epsilon/mu = -FAR or FAR at the ends; f(mu, epsilon) <= f(mu, 0) < mu/2 makes mu = delta an end as well.
    half = A.sqrt(2 * epsilon + FAR * FAR)
    mu = increasing_root(
        A,
        lambda x: gaussian_profile(A, epsilon, x) - delta,
        A.maximum(2 * epsilon / (half + FAR), delta),
        half + FAR,
    )
    return 1 / mu


def achieved_epsilon(A: Arithmetic, *, value: Any, sigma: Any, delta: Any) -> Any:
    """Exact delta of noise `sigma` at `epsilon = value`."""
    return gaussian_profile(A, A.number(value), 1 / A.number(sigma))


def achieved_sigma(A: Arithmetic, *, value: Any, epsilon: Any, delta: Any) -> Any:
    """Exact delta at `epsilon` of noise `value`."""
    return gaussian_profile(A, A.number(epsilon), 1 / A.number(value))


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
        kind=Calibration(least_epsilon, achieved_epsilon, tight=False),
        domain=Box((SIGMA, DELTA)),
        quantity=QuantityKind.EPSILON,
        role=Role.CALIBRATION,
        loose="where delta exceeds f(1/sigma, 0) the least epsilon is 0 and achieves less than delta",
    ),
    Claim(
        id="thresholds.gaussian.sigma",
        source=_SOURCE,
        title="Least noise of the Gaussian mechanism for (epsilon, delta)",
        statement=r"\sigma = \min\{s > 0 : f(1/s, \varepsilon) \le \delta\}",
        kind=Calibration(least_sigma, achieved_sigma),
        domain=Box((EPSILON, DELTA)),
        quantity=QuantityKind.SCALE,
        role=Role.CALIBRATION,
    ),
)
