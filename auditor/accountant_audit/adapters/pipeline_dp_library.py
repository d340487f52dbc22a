"""PipelineDP: the Gaussian accountant of its computations, its budget accountants, and partition selection."""


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


def naive_budget(epsilon: float, delta: float, k: int, m: int) -> tuple[float, float, float, float]:
    """Epsilon and delta of each of k mechanisms, and of each of m that have twice their weight."""
    from pipeline_dp import NaiveBudgetAccountant
    from pipeline_dp.aggregate_params import MechanismType

    budget = NaiveBudgetAccountant(epsilon, delta)
    light, heavy = (budget.request_budget(MechanismType.GAUSSIAN, weight=w, count=n) for w, n in ((1, k), (2, m)))
    budget.compute_budgets()
    return light.eps, light.delta, heavy.eps, heavy.delta


def _noise(epsilon: float, delta: float, kind: str, **request: float) -> float:
    """Standard deviation that PLDBudgetAccountant gives to mechanisms of one kind."""
    from pipeline_dp.aggregate_params import MechanismType
    from pipeline_dp.budget_accounting import PLDBudgetAccountant

    budget = PLDBudgetAccountant(epsilon, delta)
    spec = budget.request_budget(MechanismType[kind], **request)
    budget.compute_budgets()
    return float(spec.noise_standard_deviation)


def weighted_gaussian(epsilon: float, delta: float, c_u: int) -> tuple[float, float]:
    """Noise and threshold of weighted Gaussian partition selection."""
    from statistics import NormalDist

    from pipeline_dp import partition_selection

    strategy = partition_selection.create_weighted_gaussian_thresholding(epsilon, delta, c_u)
    users = int(strategy.threshold) + 1
    sigma = (users - strategy.threshold) / NormalDist().inv_cdf(strategy.probability_of_keep(users))
    return sigma, strategy.threshold


def pld_sigma(epsilon: float, delta: float, k: int) -> float:
    """Noise of each of k Gaussian releases."""
    return _noise(epsilon, delta, "GAUSSIAN", count=k)


def pld_sigma_of_two(epsilon: float, delta: float, k: int) -> float:
    """Noise of each of k Gaussian releases of sensitivity 2, in sensitivities."""
    return _noise(epsilon, delta, "GAUSSIAN", count=k, sensitivity=2) / 2


def pld_scale(epsilon: float, delta: float, k: int) -> float:
    """Scale of each of k Laplace releases."""
    return _noise(epsilon, delta, "LAPLACE", count=k) / 2**0.5


def pld_scale_pure(epsilon: float, delta: float, k: int) -> float:
    """Scale of each of k Laplace releases for a delta of 0, which is at most the one asked for."""
    return _noise(epsilon, 0 * delta, "LAPLACE", count=k) / 2**0.5


def _selected(users: int, *strategy: object) -> tuple[float, float]:
    """Probabilities of releasing a partition of n and n + 1 users."""
    from pipeline_dp import PartitionSelectionStrategy
    from pipeline_dp.partition_selection import create_partition_selection_strategy

    selection = create_partition_selection_strategy(PartitionSelectionStrategy.TRUNCATED_GEOMETRIC, *strategy)
    return selection.probability_of_keep(users), selection.probability_of_keep(users + 1)


def select_first(epsilon: float, delta: float, c_u: int) -> tuple[float, float]:
    """Of 0 and 1 users."""
    return _selected(0, epsilon, delta, c_u)


def select_pre_threshold(epsilon: float, delta: float, c_u: int) -> tuple[float, float]:
    """Of 30 and 31 users at a pre-threshold of 20."""
    return _selected(30, epsilon, delta, c_u, 20)


_SELECTION = {
    "against": "standard.partition_selection.keys",
    "solves": ("keep", "keep_next"),
    "box": {"epsilon": ("0.01", "10"), "delta": ("1e-8", "0.01"), "c_u": ("1", "100")},
}
_BOX = {"sigma": ("0.1", "1000"), "k": ("1", "1")}
_BUDGET = {"epsilon": ("0.1", "10"), "delta": ("1e-10", "0.01"), "k": ("1", "30")}
AUDITS = (
    {
        "id": "pipeline_dp.gaussian.delta", "title": "dp_computations.gaussian_delta",
        "against": "standard.gaussian.composition", "box": {"epsilon": ("0.01", "20"), **_BOX},
    },
    {
        "id": "pipeline_dp.gaussian.epsilon", "title": "dp_computations.gaussian_epsilon",
        "against": "standard.gaussian.composition", "solves": ("epsilon",), "box": {"delta": ("1e-12", "0.1"), **_BOX},
        "points": ({"sigma": "100", "k": 1, "delta": "0.004"},),
        "note": "A negative epsilon where delta exceeds the delta required at epsilon 0.",
    },
    {
        "id": "pipeline_dp.gaussian.sigma", "title": "dp_computations.compute_sigma", "function": "calibrated_sigma",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"epsilon": ("0.01", "20"), "delta": ("1e-12", "0.1"), "k": ("1", "1")},
    },
    {
        "id": "pipeline_dp.weighted_gaussian",
        "title": "create_weighted_gaussian_thresholding: threshold, and noise by probability_of_keep",
        "against": "thresholds.weighted.delta", "solves": ("sigma", "threshold"),
        "box": {"epsilon": ("0.01", "10"), "delta": ("1e-12", "0.01"), "c_u": ("1", "1e4")},
        "note": "Noise and threshold grow with sqrt(c_u), though weights of 1/sqrt(keys) bound the sensitivity by 1.",
    },
    {
        "id": "pipeline_dp.naive_budget", "title": "NaiveBudgetAccountant",
        "against": "standard.composition.heterogeneous", "solves": ("epsilon_0", "delta_0", "epsilon_1", "delta_1"),
        "box": {"epsilon": ("0.1", "10"), "delta": ("1e-6", "0.01"), "k": ("1", "30"), "m": ("1", "30")},
        "note": (
            "In doubles the parts add up to epsilon (1 + 2^-52) in places; the error is visible for delta below 1e-9."
        ),
    },
    {
        "id": "pipeline_dp.pld_budget.sigma", "title": "PLDBudgetAccountant, Gaussian mechanisms",
        "function": "pld_sigma", "against": "standard.gaussian.composition", "solves": ("sigma",), "box": _BUDGET,
        "budget": 60,
    },
    {
        "id": "pipeline_dp.pld_budget.sigma_of_two",
        "title": "PLDBudgetAccountant, Gaussian mechanisms of sensitivity 2", "function": "pld_sigma_of_two",
        "against": "standard.gaussian.composition", "solves": ("sigma",), "box": _BUDGET, "budget": 60,
        "expected": "REFUTED", "points": ({"epsilon": 1, "delta": "1e-5", "k": 1},),
        "note": "It treats sensitivity 2 as sensitivity 1. Here sigma is the noise divided by the sensitivity.",
    },
    {
        "id": "pipeline_dp.pld_budget.scale", "title": "PLDBudgetAccountant, Laplace mechanisms",
        "function": "pld_scale", "against": "standard.laplace.composition", "solves": ("scale",), "box": _BUDGET,
        "budget": 60,
    },
    {
        "id": "pipeline_dp.pld_budget.pure_scale", "title": "PLDBudgetAccountant, Laplace mechanisms at delta 0",
        "function": "pld_scale_pure", "against": "standard.laplace.composition", "solves": ("scale",), "box": _BUDGET,
        "expected": "REFUTED", "points": ({"epsilon": 1, "delta": "1e-5", "k": 10},),
        "note": "At delta 0 it adds the weights of requests and not their counts: k releases have the noise of one.",
    },
    {
        "id": "pipeline_dp.selection.first",
        "title": "create_partition_selection_strategy, truncated geometric: 0 and 1 users", "function": "select_first",
        **_SELECTION,
    },
    {
        "id": "pipeline_dp.selection.pre_threshold",
        "title": "create_partition_selection_strategy with a pre-threshold of 20: 30 and 31 users",
        "function": "select_pre_threshold", **_SELECTION,
    },
)  # fmt: skip
