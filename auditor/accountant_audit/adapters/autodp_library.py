"""autodp: Gaussian noise, its calibration, randomised response."""

from __future__ import annotations


def gaussian_epsilon(delta: float, mu: float) -> float:
    """Epsilon of the exact Gaussian mechanism at noise 1/mu."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.ExactGaussianMechanism(1 / mu).get_approxDP(delta))


def gaussian_sigma(epsilon: float, delta: float, k: int) -> float:
    """Analytic Gaussian calibration."""
    import autodp.mechanism_zoo  # noqa: F401 - the order of imports that autodp needs
    from autodp import privacy_calibrator

    if k != 1:
        raise ValueError("one release")
    return float(privacy_calibrator.ana_gaussian_mech(epsilon, delta)["sigma"])


def gaussian_rdp_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k releases through RDP."""
    import autodp.mechanism_zoo as zoo
    from autodp.transformer_zoo import Composition

    composed = Composition()([zoo.GaussianMechanism(sigma)], [k])
    return float(composed.get_approxDP(delta))


def laplace_epsilon(delta: float, delta_1: float, b: float) -> float:
    """Epsilon of Laplace noise at a delta."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.LaplaceMechanism(b / delta_1).get_approxDP(delta))


def response_epsilon(delta: float, epsilon_0: float, categories: int) -> float:
    """Epsilon of randomised response at a delta."""
    import math

    import autodp.mechanism_zoo as zoo

    if categories != 2:
        raise ValueError("two answers")
    return float(zoo.RandresponseMechanism(1 / (1 + math.exp(-epsilon_0))).get_approxDP(delta))


_BOX = {"delta": ("1e-12", "0.1")}
AUDITS = (
    {
        "id": "autodp.gaussian.epsilon",
        "title": "ExactGaussianMechanism.get_approxDP",
        "function": "gaussian_epsilon",
        "against": "wilkins2024.thm2.2",
        "solves": ("epsilon",),
        "box": {**_BOX, "mu": ("0.01", "10")},
        "tolerance": "1e-6",
    },
    {
        "id": "autodp.gaussian.sigma",
        "title": "ana_gaussian_mech",
        "function": "gaussian_sigma",
        "against": "standard.gaussian.composition",
        "solves": ("sigma",),
        "box": {**_BOX, "epsilon": ("0.01", "10"), "k": ("1", "1")},
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"epsilon": "1", "delta": "1e-10", "k": 1},),
        "note": "Too little noise where delta is small: the search ends at an absolute accuracy of 1e-12 in delta.",
    },
    {
        "id": "autodp.gaussian.rdp",
        "title": "GaussianMechanism composed, get_approxDP through RDP",
        "function": "gaussian_rdp_epsilon",
        "against": "standard.gaussian.composition",
        "solves": ("epsilon",),
        "box": {**_BOX, "sigma": ("0.5", "100"), "k": ("1", "1000")},
        "tolerance": "1e-6",
    },
    {
        "id": "autodp.laplace.epsilon",
        "title": "LaplaceMechanism.get_approxDP through RDP",
        "function": "laplace_epsilon",
        "against": "rogers2024.thm1.laplace",
        "solves": ("epsilon",),
        "box": {**_BOX, "delta_1": ("1", "1"), "b": ("0.1", "100")},
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"delta_1": "1", "b": "1", "delta": "1e-12"},),
        "note": "The root that turns RDP and the exact profile into epsilon is not rounded up.",
    },
    {
        "id": "autodp.randomized_response.epsilon",
        "title": "RandresponseMechanism.get_approxDP through RDP",
        "function": "response_epsilon",
        "against": "standard.randomized_response",
        "solves": ("epsilon",),
        "box": {**_BOX, "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"epsilon_0": "1", "categories": 2, "delta": "1e-10"},),
        "note": "See autodp.laplace.epsilon.",
    },
)
