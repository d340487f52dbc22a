"""Google's dp-accounting: the exact Gaussian mechanism, its calibration, and privacy loss distributions."""

from __future__ import annotations

from auditor.accountant_audit.adapter import Accountant
from proofs_numeric.statements.verdict import Expectation


def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Epsilon for a delta at noise sigma, sensitivity 1."""
    from dp_accounting import gaussian_mechanism

    return float(gaussian_mechanism.get_epsilon_gaussian(sigma, delta))


def gaussian_sigma(epsilon: float, delta: float) -> float:
    """Noise for (epsilon, delta), sensitivity 1."""
    from dp_accounting import gaussian_mechanism

    return float(gaussian_mechanism.get_sigma_gaussian(epsilon, delta))


def pld_delta(epsilon: float, mu: float) -> float:
    """Delta from the discretised privacy loss distribution (pessimistic estimate)."""
    from dp_accounting.pld import privacy_loss_distribution

    distribution = privacy_loss_distribution.from_gaussian_mechanism(1.0 / mu, value_discretization_interval=INTERVAL)
    return float(distribution.get_delta_for_epsilon(epsilon))


INTERVAL = 1e-3
"""Width of a bucket of the privacy loss distribution."""
_HERE = "auditor.accountant_audit.libraries.dp_accounting_library"

ACCOUNTANTS = (
    Accountant(
        id="dp_accounting.gaussian.epsilon",
        title="get_epsilon_gaussian",
        against="thresholds.gaussian.epsilon",
        function=f"{_HERE}:gaussian_epsilon",
        library="dp-accounting",
        box={"sigma": ("0.01", "1e4"), "delta": ("1e-300", "0.9")},
        tolerance="1e-6",
        note="Accurate, not outward rounded: at sigma 1e4 the achieved delta exceeds the target by up to 1e-7 of it.",
    ),
    Accountant(
        id="dp_accounting.gaussian.sigma",
        title="get_sigma_gaussian",
        against="thresholds.gaussian.sigma",
        function=f"{_HERE}:gaussian_sigma",
        library="dp-accounting",
        box={"epsilon": ("0.01", "700"), "delta": ("1e-12", "0.9")},
    ),
    Accountant(
        id="dp_accounting.gaussian.sigma.corner",
        title="get_sigma_gaussian down to epsilon 0 and delta 1e-300",
        against="thresholds.gaussian.sigma",
        function=f"{_HERE}:gaussian_sigma",
        library="dp-accounting",
        box={"epsilon": ("0", "0.01"), "delta": ("1e-300", "1e-6")},
        tolerance="1e-3",
        expected=Expectation.REFUTED,
        note="At epsilon near 0 and delta below about 1e-12 the noise is too small: the root search loses digits.",
    ),
    Accountant(
        id="dp_accounting.pld.delta",
        title="PLD from_gaussian_mechanism, get_delta_for_epsilon",
        against="wilkins2024.thm2.2",
        function=f"{_HERE}:pld_delta",
        library="dp-accounting",
        box={"epsilon": ("0", "20"), "mu": ("0.1", "2")},
        note="A pessimistic estimate: the truth is a lower bound, the excess is the discretisation.",
    ),
)
