"""IBM's diffprivlib: scales of its Gaussian mechanisms."""


def analytic_sigma(epsilon: float, delta: float, k: int) -> float:
    """Scale of GaussianAnalytic."""
    from diffprivlib.mechanisms import GaussianAnalytic

    if k != 1:
        raise ValueError("one release")
    return float(GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=1)._scale)


def classical_sigma(epsilon: float, delta: float, k: int) -> float:
    """Scale of Gaussian, epsilon at most 1."""
    from diffprivlib.mechanisms import Gaussian

    if k != 1:
        raise ValueError("one release")
    return float(Gaussian(epsilon=epsilon, delta=delta, sensitivity=1)._scale)


def discrete_sigma(epsilon: float, delta: float, sensitivity: int) -> float:
    """Scale of GaussianDiscrete."""
    from diffprivlib.mechanisms import GaussianDiscrete

    return float(GaussianDiscrete(epsilon=epsilon, delta=delta, sensitivity=sensitivity)._scale)


def accountant_total(epsilon_0: float, delta_0: float, k: int) -> tuple[float, float]:
    """Epsilon and delta of k mechanisms at a slack of 1e-6."""
    from diffprivlib import BudgetAccountant

    spent = BudgetAccountant(slack=1e-6).total([(epsilon_0, delta_0)] * k, 1e-6)
    return float(spent[0]), float(spent[1])


def laplace_scale(epsilon: float, delta: float, k: int) -> float:
    """Scale of Laplace noise for epsilon and delta."""
    from diffprivlib.mechanisms import Laplace

    if k != 1:
        raise ValueError("one release")
    noise = Laplace(epsilon=epsilon, delta=delta, sensitivity=1)
    return float((noise.variance(0.0) / 2) ** 0.5)


def geometric_scale(epsilon: float, delta: float, sensitivity: int) -> float:
    """Scale of geometric noise, -1 divided by the exponent that Geometric has as its scale."""
    from diffprivlib.mechanisms import Geometric

    return -1 / float(Geometric(epsilon=epsilon, sensitivity=sensitivity)._scale) + 0 * delta


AUDITS = (
    {
        "id": "diffprivlib.gaussian_analytic.sigma", "title": "GaussianAnalytic", "function": "analytic_sigma",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"delta": ("1e-12", "0.1"), "epsilon": ("0.01", "10"), "k": ("1", "1")}, "expected": "REFUTED",
        "points": ({"epsilon": "3", "delta": "4e-11", "k": 1},),
        "note": "Too little noise where delta is small: the search ends at an absolute accuracy.",
    },
    {
        "id": "diffprivlib.gaussian.sigma", "title": "Gaussian", "function": "classical_sigma",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"delta": ("1e-12", "0.1"), "epsilon": ("0.01", "1"), "k": ("1", "1")},
    },
    {
        "id": "diffprivlib.gaussian_discrete.sigma", "title": "GaussianDiscrete", "function": "discrete_sigma",
        "against": "standard.discrete_gaussian", "solves": ("sigma",),
        "box": {"delta": ("1e-9", "0.1"), "epsilon": ("0.1", "5"), "sensitivity": ("1", "3")}, "expected": "REFUTED",
        "points": ({"epsilon": "3", "sensitivity": 1, "delta": "1e-5"},),
        "note": "The search for the scale is not rounded up.",
    },
    {
        "id": "diffprivlib.accountant.total", "title": "BudgetAccountant.total, slack 1e-6",
        "against": "standard.composition.homogeneous", "solves": ("epsilon", "delta"),
        "box": {"epsilon_0": ("0.01", "2"), "delta_0": ("1e-10", "1e-3"), "k": ("1", "1000")},
    },
    {
        "id": "diffprivlib.laplace.scale", "title": "Laplace with a delta, by its variance",
        "against": "standard.laplace.composition", "solves": ("scale",),
        "box": {"delta": ("1e-10", "0.1"), "epsilon": ("0.01", "10"), "k": ("1", "1")},
    },
    {
        "id": "diffprivlib.geometric.scale", "title": "Geometric", "against": "standard.discrete_laplace",
        "solves": ("scale",), "box": {"delta": ("0", "0"), "epsilon": ("0.01", "10"), "sensitivity": ("1", "100")},
    },
)  # fmt: skip
