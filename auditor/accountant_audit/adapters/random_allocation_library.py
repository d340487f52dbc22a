"""random-allocation: one epoch of random allocation by each of its methods, and the Gaussian mechanism."""


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


def decomposition_delta(epsilon: float, sigma: float, steps: int) -> float:
    """Delta in both directions: PLD of Poisson subsampling."""
    return _allocation("allocation_delta_decomposition", sigma, steps, epsilon=epsilon)


def recursive_delta(epsilon: float, sigma: float, steps: int) -> float:
    """Delta in both directions: recursion."""
    return _allocation("allocation_delta_recursive", sigma, steps, epsilon=epsilon)


def direct_epsilon(delta: float, sigma: float, steps: int) -> float:
    """Epsilon in both directions by RDP of integer orders, and closed form."""
    return _epsilon("direct", delta, sigma, steps)


def composed_epsilon(delta: float, sigma: float, steps: int) -> float:
    """Epsilon in both directions by the RDP bound of Dong, Chen and Ozgur."""
    return _epsilon("RDP_DCO", delta, sigma, steps)


def _epsilon(method: str, delta: float, sigma: float, steps: int) -> float:
    """Return an epsilon; raise ValueError for infinity, by which the library says that a method gives no bound."""
    epsilon = _allocation(f"allocation_epsilon_{method}", sigma, steps, delta=delta)
    if epsilon == float("inf"):
        raise ValueError(f"{method} gives no finite epsilon")
    return epsilon


def _allocation(name: str, sigma: float, steps: int, **target: float) -> float:
    """Call a function of one epoch at the orders that its examples use."""
    from random_allocation import random_allocation_scheme as scheme

    orders = list(range(2, 61))
    config = scheme.SchemeConfig(allocation_direct_alpha_orders=orders, allocation_RDP_DCO_alpha_orders=orders)
    return float(getattr(scheme, name)(scheme.PrivacyParams(sigma=sigma, num_steps=steps, **target), config))


def allocation_rdp(alpha: int, sigma: float, steps: int) -> float:
    """Renyi divergence of integer order, a record removed."""
    from random_allocation.random_allocation_scheme import direct

    return float(direct.allocation_RDP_remove(alpha, sigma, steps))


_BOX = {"sigma": ("0.1", "100"), "k": ("1", "1")}
_ALLOCATION = {"sigma": ("0.5", "10"), "steps": ("1", "5000")}
AUDITS = (
    {
        "id": "random_allocation.gaussian.delta", "title": "Gaussian_delta", "against": "standard.gaussian.composition",
        "box": {"epsilon": ("0.01", "20"), **_BOX},
    },
    {
        "id": "random_allocation.gaussian.epsilon", "title": "Gaussian_epsilon",
        "against": "standard.gaussian.composition", "solves": ("epsilon",), "box": {"delta": ("1e-10", "0.1"), **_BOX},
    },
    {
        "id": "random_allocation.decomposition.delta", "title": "allocation_delta_decomposition",
        "against": "standard.random_allocation.upper", "box": {"epsilon": ("0.1", "8"), **_ALLOCATION}, "budget": 60,
        "expected": "REFUTED", "points": ({"epsilon": "3", "sigma": "1", "steps": 1},),
        "note": "Infinity at one step, which is the Gaussian mechanism, and 0 for deltas near 1e-19.",
    },
    {
        "id": "random_allocation.recursive.delta", "title": "allocation_delta_recursive",
        "against": "standard.random_allocation.upper", "box": {"epsilon": ("0.1", "8"), **_ALLOCATION}, "budget": 40,
        "expected": "REFUTED", "points": ({"epsilon": "3", "sigma": "1", "steps": 1},),
        "note": "Infinity at one step, which is the Gaussian mechanism.",
    },
    {
        "id": "random_allocation.direct.epsilon", "title": "allocation_epsilon_direct",
        "against": "standard.random_allocation.upper", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), **_ALLOCATION}, "budget": 40,
    },
    {
        "id": "random_allocation.composed.epsilon", "title": "allocation_epsilon_RDP_DCO",
        "against": "standard.random_allocation.upper", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), **_ALLOCATION}, "budget": 40,
    },
    {
        "id": "random_allocation.rdp", "title": "allocation_RDP_remove", "function": "allocation_rdp",
        "against": "standard.random_allocation.renyi",
        "box": {"alpha": ("2", "40"), "sigma": ("0.3", "20"), "steps": ("1", "1e5")}, "budget": 40,
    },
)  # fmt: skip
