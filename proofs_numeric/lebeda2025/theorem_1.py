"""Theorem 1, informal: half the noise, in the limit of large k."""

from proofs_numeric.lebeda2025.parameters import *

w = symbol("w")
_root = sqrt(k)
_sigma_ratio_squared = ((_root + 1) / (2 * _root)) ** 2
"""Squared ratio of total deviations, correlated over uncorrelated, at equal mu."""
_threshold_ratio = (1 + 1 / sqrt(_root)) * sqrt(1 + 1 / _root) / 2
"""``(1 + k^(-1/4)) sigma`` over the deviation of independent noise at equal mu, ``sqrt(k)/mu``."""
_u = exp(-w)
"""``k^(-1/4)`` at ``w = log(k)/4``."""
_u_ratio = (1 + _u) * sqrt(1 + _u * _u)
_gain_of_u = 2 + 2 * _u - 2 * _u * _u - _u**3
"""``(1 + 2u)^2 - (1 + u)^2 (1 + u^2)``, over u."""

CLAIMS = (
    stated(
        "thm1.informal", "Theorem 1", "half the noise, in the limit of large k", None,
        _sigma_ratio_squared <= lift("1/4") + 1 / sqrt(k),
        proof=product_of(1 / (4 * k), (2 * sqrt(k) - 1, Derivative("k", "lower"))), domain=(K,),
        partial="the noise; what the threshold is measured in is lebeda2025.thm1.informal.threshold",
        note="for the threshold the ratio tends to 1/2 slowly: .563 (Theorem 11) and .502 (exact) at k = 51914",
    ),
    stated(
        "thm1.informal.threshold", "Theorem 1", "half the threshold, in the limit of large k", None,
        _threshold_ratio <= lift("1/2") + 1 / sqrt(sqrt(k)),
        proof=Substitute(
            Box((Parameter("w", "log(k)/4"),)), {"w": log(k) / 4},
            product_of(_u, _gain_of_u, 1 / (2 * (1 + 2 * _u + _u_ratio))), _u_ratio / 2, lift("1/2") + _u,
        ),
        domain=(K,),
        partial="what multiplies the quantiles of the thresholds: (1 + k^(-1/4)) sigma by Theorem 11 over sigma of "
        "independent noise, at equal mu; that the quantiles agree in the limit is left out",
    ),
)  # fmt: skip
