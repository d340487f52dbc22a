"""PipelineDP: the Gaussian accountant of its computations."""

from __future__ import annotations


def gaussian_delta(epsilon: float, sigma: float, k: int) -> float:
    """Delta of the Gaussian mechanism."""
    from pipeline_dp import dp_computations

    if k != 1:
        raise ValueError("one release")
    return float(dp_computations.gaussian_delta(sigma, epsilon))


def gaussian_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of the Gaussian mechanism."""
    from pipeline_dp import dp_computations

    if k != 1:
        raise ValueError("one release")
    return float(dp_computations.gaussian_epsilon(sigma, delta))


def calibrated_sigma(epsilon: float, delta: float, k: int) -> float:
    """Noise for epsilon and delta."""
    from pipeline_dp import dp_computations

    if k != 1:
        raise ValueError("one release")
    return float(dp_computations.compute_sigma(epsilon, delta, 1.0))


_BOX = {"sigma": ("0.1", "1000"), "k": ("1", "1")}
AUDITS = (
    {
        "id": "pipeline_dp.gaussian.delta",
        "title": "dp_computations.gaussian_delta",
        "function": "gaussian_delta",
        "against": "standard.gaussian.composition",
        "box": {"epsilon": ("0.01", "20"), **_BOX},
        "tolerance": "1e-6",
    },
    {
        "id": "pipeline_dp.gaussian.epsilon",
        "title": "dp_computations.gaussian_epsilon",
        "function": "gaussian_epsilon",
        "against": "standard.gaussian.composition",
        "solves": ("epsilon",),
        "box": {"delta": ("1e-12", "0.1"), **_BOX},
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"sigma": "100", "k": 1, "delta": "0.004"},),
        "note": "A negative epsilon where delta is more than epsilon 0 needs.",
    },
    {
        "id": "pipeline_dp.gaussian.sigma",
        "title": "dp_computations.compute_sigma",
        "function": "calibrated_sigma",
        "against": "standard.gaussian.composition",
        "solves": ("sigma",),
        "box": {"epsilon": ("0.01", "20"), "delta": ("1e-12", "0.1"), "k": ("1", "1")},
        "tolerance": "1e-6",
    },
)
