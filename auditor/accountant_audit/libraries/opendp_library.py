"""OpenDP: thresholded histograms on integers and reals, and the conversion from zero-concentrated privacy.

OpenDP promises outward rounding, so any under-report counts. On integer counts it releases keys with noisy value `>=
threshold` but takes delta from `P[Z > threshold - linf]` (opendp issue 2922): an expected refutation, which turns red
when upstream is fixed.
"""

from __future__ import annotations

import math
from typing import Any

from auditor.accountant_audit.adapter import Accountant
from proofs_numeric.statements.verdict import Expectation


def _map_space(number: type, distance: str) -> tuple[Any, Any]:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    atom = dp.atom_domain(T=int) if number is int else dp.atom_domain(T=float, nan=False)
    metric = getattr(dp, distance)(dp.absolute_distance(T=number))
    return dp.map_domain(dp.atom_domain(T=str), atom), metric


def _laplace(number: type, scale: float, threshold: float, c_u: int, per_key: int) -> float:
    import opendp.prelude as dp

    space = _map_space(number, "l01inf_distance")
    measurement: Any = dp.m.make_laplace_threshold(*space, scale=scale, threshold=number(threshold))
    return float(measurement.map((c_u, number(c_u * per_key), number(per_key)))[1])


def _gaussian(number: type, sigma: float, threshold: float, c_u: int, per_key: int) -> float:
    import opendp.prelude as dp

    space = _map_space(number, "l02inf_distance")
    measurement: Any = dp.m.make_gaussian_threshold(*space, scale=sigma, threshold=number(threshold))
    l2 = math.isqrt(c_u - 1) + 1 if number is int else math.sqrt(c_u)
    return float(measurement.map((c_u, number(l2 * per_key), number(per_key)))[1])


def laplace_threshold_integer(scale: float, threshold: int, c_u: int, per_key: int) -> float:
    """Delta of make_laplace_threshold on integer counts."""
    return _laplace(int, scale, threshold, c_u, per_key)


def laplace_threshold_real(scale: float, threshold: float, c_u: int, per_key: int) -> float:
    """Delta of make_laplace_threshold on floats."""
    return _laplace(float, scale, threshold, c_u, per_key)


def gaussian_threshold_integer(sigma: float, threshold: int, c_u: int, per_key: int) -> float:
    """Delta of make_gaussian_threshold on integer counts."""
    return _gaussian(int, sigma, threshold, c_u, per_key)


def gaussian_threshold_real(sigma: float, threshold: float, c_u: int, per_key: int) -> float:
    """Delta of make_gaussian_threshold on floats."""
    return _gaussian(float, sigma, threshold, c_u, per_key)


def zcdp_delta(epsilon: float, mu: float) -> float:
    """Delta at epsilon of the rho-zCDP curve, rho = mu^2/2: make_zCDP_to_approxDP of a Gaussian of scale 1/mu."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    curve: Any = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=1.0 / mu))
    return float(curve.map(1.0).delta(epsilon))


_HERE = "auditor.accountant_audit.libraries.opendp_library"
_BOX = {"scale": ("0.1", "100"), "threshold": ("2", "2000"), "c_u": ("1", "1e6"), "per_key": ("1", "10")}
_GAUSSIAN_BOX = {"sigma": ("0.3", "50"), "threshold": ("2", "1000"), "c_u": ("1", "1e6"), "per_key": ("1", "10")}

ACCOUNTANTS = (
    Accountant(
        id="opendp.laplace_threshold.integer",
        title="make_laplace_threshold, integer counts",
        against="thresholds.laplace.integer",
        function=f"{_HERE}:laplace_threshold_integer",
        library="opendp",
        box=_BOX,
        tolerance="0",
        expected=Expectation.REFUTED,
        note="Issue 2922: releases at >= threshold, accounts for >; the true delta is e^(1/scale) times the reported.",
    ),
    Accountant(
        id="opendp.laplace_threshold.real",
        title="make_laplace_threshold, float counts",
        against="thresholds.laplace.real",
        function=f"{_HERE}:laplace_threshold_real",
        library="opendp",
        box=_BOX,
        tolerance="0",
    ),
    Accountant(
        id="opendp.gaussian_threshold.integer",
        title="make_gaussian_threshold, integer counts",
        against="thresholds.gaussian.integer",
        function=f"{_HERE}:gaussian_threshold_integer",
        library="opendp",
        box=_GAUSSIAN_BOX,
        tolerance="0",
        expected=Expectation.REFUTED,
        note="Issue 2922 with the discrete Gaussian.",
    ),
    Accountant(
        id="opendp.gaussian_threshold.real",
        title="make_gaussian_threshold, float counts",
        against="thresholds.gaussian.real",
        function=f"{_HERE}:gaussian_threshold_real",
        library="opendp",
        box=_GAUSSIAN_BOX,
        tolerance="0",
    ),
    Accountant(
        id="opendp.zcdp.delta",
        title="make_zCDP_to_approxDP of a Gaussian",
        against="wilkins2024.thm2.2",
        function=f"{_HERE}:zcdp_delta",
        library="opendp",
        box={"epsilon": ("0", "700"), "mu": ("1e-4", "100")},
        tolerance="0",
        note="No exact answer from rho alone: below the Gaussian at mu = sqrt(2 rho) is a violation, above is loose.",
    ),
)
