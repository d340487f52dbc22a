"""random-allocation: the profile of the Gaussian mechanism."""


def gaussian_delta(epsilon: float, sigma: float, k: int) -> float:
    """Delta of one release."""
    from random_allocation.other_schemes import local

    if k != 1:
        raise ValueError("one release")
    return float(local.Gaussian_delta(sigma, epsilon))


def gaussian_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of one release, at most 1e-9 above: at its default of 1e-3 it can rise with delta."""
    from random_allocation.other_schemes import local

    if k != 1:
        raise ValueError("one release")
    return float(local.Gaussian_epsilon(sigma, delta, epsilon_tolerance=1e-9))


_BOX = {"sigma": ("0.1", "100"), "k": ("1", "1")}
AUDITS = (
    {
        "id": "random_allocation.gaussian.delta",
        "title": "Gaussian_delta",
        "against": "standard.gaussian.composition",
        "box": {"epsilon": ("0.01", "20"), **_BOX},
    },
    {
        "id": "random_allocation.gaussian.epsilon",
        "title": "Gaussian_epsilon",
        "against": "standard.gaussian.composition",
        "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.1"), **_BOX},
    },
)
