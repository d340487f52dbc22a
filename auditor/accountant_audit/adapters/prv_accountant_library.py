"""prv-accountant: numerical composition of privacy random variables, answers (lower, estimate, upper)."""


def gaussian_epsilon(delta: float, sigma: float, k: int) -> tuple[float, float, float]:
    """Bracket of epsilon of k Gaussian releases."""
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import GaussianMechanism

    accountant = PRVAccountant(
        prvs=[GaussianMechanism(noise_multiplier=sigma)],
        eps_error=0.01,
        delta_error=delta / 1000,
        max_self_compositions=[k],
    )
    return tuple(accountant.compute_epsilon(delta, [k]))


def gaussian_delta(epsilon: float, sigma: float, k: int) -> tuple[float, float, float]:
    """Bracket of delta of k Gaussian releases."""
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import GaussianMechanism

    accountant = PRVAccountant(
        prvs=[GaussianMechanism(noise_multiplier=sigma)], eps_error=0.01, delta_error=1e-10, max_self_compositions=[k]
    )
    return tuple(accountant.compute_delta(epsilon, [k]))


def laplace_epsilon(delta: float, scale: float, k: int) -> tuple[float, float, float]:
    """Bracket of epsilon of k Laplace releases of scale b, sensitivity 1."""
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import LaplaceMechanism

    accountant = PRVAccountant(
        prvs=[LaplaceMechanism(mu=1 / scale)], eps_error=0.01, delta_error=delta / 1000, max_self_compositions=[k]
    )
    return tuple(accountant.compute_epsilon(delta, [k]))


def subsampled_epsilon(delta: float, sigma: float, rate: float, k: int) -> tuple[float, float, float]:
    """Bracket of epsilon of k Poisson-subsampled Gaussian steps."""
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import PoissonSubsampledGaussianMechanism

    accountant = PRVAccountant(
        prvs=[PoissonSubsampledGaussianMechanism(sampling_probability=rate, noise_multiplier=sigma)],
        eps_error=0.05,
        delta_error=delta / 1000,
        max_self_compositions=[k],
    )
    return tuple(accountant.compute_epsilon(delta, [k]))


def pairs_epsilon(delta: float, epsilon_0: float, delta_0: float, k: int) -> tuple[float, float, float]:
    """Bracket of epsilon of k mechanisms of (epsilon_0, delta_0)."""
    from prv_accountant import ApproximateDPMechanism, PRVAccountant

    accountant = PRVAccountant(
        prvs=[ApproximateDPMechanism(epsilon_0, delta_0)],
        eps_error=0.01,
        delta_error=delta / 1000,
        max_self_compositions=[k],
    )
    return tuple(accountant.compute_epsilon(delta, [k]))


_BRACKET = ("lower", "estimate", "upper")
AUDITS = (
    {
        "id": "prv_accountant.gaussian.epsilon", "title": "PRVAccountant of GaussianMechanism, compute_epsilon",
        "against": "standard.gaussian.composition", "solves": ("epsilon",), "returns": _BRACKET,
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("1", "100"), "k": ("1", "100")},
    },
    {
        "id": "prv_accountant.gaussian.delta", "title": "PRVAccountant of GaussianMechanism, compute_delta",
        "against": "standard.gaussian.composition", "returns": _BRACKET, "floor": "1e-10",
        "box": {"epsilon": ("0.1", "10"), "sigma": ("1", "50"), "k": ("1", "200")}, "budget": 40,
    },
    {
        "id": "prv_accountant.laplace.epsilon", "title": "PRVAccountant of LaplaceMechanism, compute_epsilon",
        "against": "standard.laplace.composition", "solves": ("epsilon",), "returns": _BRACKET,
        "box": {"delta": ("1e-10", "0.01"), "scale": ("1", "100"), "k": ("1", "50")}, "tolerance": "1e-4",
        "expected": "REFUTED", "points": ({"scale": "9", "k": 50, "delta": "8e-5"},),
        "reported": "https://github.com/microsoft/prv_accountant/issues/42",
        "note": "It raises RuntimeError if its grid is too short for the mean, as its message states.",
    },
    {
        "id": "prv_accountant.subsampled_gaussian.epsilon",
        "title": "PRVAccountant of PoissonSubsampledGaussianMechanism, compute_epsilon",
        "function": "subsampled_epsilon", "against": "standard.subsampled_gaussian.composition.both",
        "solves": ("epsilon",), "returns": _BRACKET,
        "box": {"delta": ("1e-8", "0.01"), "sigma": ("0.8", "5"), "rate": ("0.01", "0.2"), "k": ("100", "1000")},
        "budget": 40, "expected": "REFUTED", "points": ({"sigma": "1", "rate": "0.15", "k": 400, "delta": "1e-5"},),
        "reported": "https://github.com/microsoft/prv_accountant/issues/42",
        "note": "It raises RuntimeError if its grid is too short, as its message states; its brackets are right.",
        "cost": 30,
    },
    {
        "id": "prv_accountant.pairs.epsilon", "title": "PRVAccountant of ApproximateDPMechanism",
        "against": "standard.composition.homogeneous", "solves": ("epsilon",), "returns": _BRACKET,
        "box": {"delta": ("1e-5", "0.01"), "epsilon_0": ("0.05", "1"), "delta_0": ("1e-12", "1e-9"), "k": ("1", "100")},
        "cost": 3, "expected": "REFUTED", "points": ({"epsilon_0": "1", "delta_0": "1e-9", "k": 59, "delta": "1e-5"},),
        "note": "The upper end is too low: the lattice of the losses adds to the promised error.",
    },
)  # fmt: skip
