"""autodp: Gaussian noise, its calibration, randomised response."""


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


def laplace_rdp(alpha: float, scale: float) -> float:
    """Renyi divergence of Laplace noise."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.LaplaceMechanism(scale).get_RDP(alpha))


def response_rdp(alpha: float, epsilon_0: float, categories: int) -> float:
    """Renyi divergence of randomised response."""
    import math

    import autodp.mechanism_zoo as zoo

    if categories != 2:
        raise ValueError("two answers")
    return float(zoo.RandresponseMechanism(1 / (1 + math.exp(-epsilon_0))).get_RDP(alpha))


def exponential_rdp(alpha: float, eta: float) -> float:
    """Renyi divergence of an exponential mechanism of range eta."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.ExponentialMechanism(eta).get_RDP(alpha))


def exponential_epsilon(delta: float, eta: float, k: int) -> float:
    """Epsilon of k exponential mechanisms of range eta."""
    import autodp.mechanism_zoo as zoo
    from autodp.transformer_zoo import Composition

    return float(Composition()([zoo.ExponentialMechanism(eta)], [k]).get_approxDP(delta))


def sample_epsilon(delta: float, sigma: float, rate: float) -> float:
    """Epsilon of one Gaussian step on a sample without replacement, a record replaced."""
    import autodp.mechanism_zoo as zoo
    from autodp.transformer_zoo import AmplificationBySampling

    gaussian = zoo.GaussianMechanism(sigma)
    gaussian.neighboring = "replace_one"
    return float(AmplificationBySampling(PoissonSampling=False)(gaussian, rate).get_approxDP(delta))


def sample_steps_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Gaussian steps on samples without replacement, a record replaced."""
    import autodp.mechanism_zoo as zoo
    from autodp.transformer_zoo import AmplificationBySampling, Composition

    gaussian = zoo.GaussianMechanism(sigma)
    gaussian.neighboring = "replace_one"
    sampled = AmplificationBySampling(PoissonSampling=False)(gaussian, rate)
    return float(Composition()([sampled], [k]).get_approxDP(delta))


def subsampled_rdp(alpha: float, sigma: float, rate: float) -> float:
    """Renyi divergence of one Poisson-subsampled Gaussian step."""
    import autodp.mechanism_zoo as zoo
    from autodp.transformer_zoo import AmplificationBySampling

    one = AmplificationBySampling(PoissonSampling=True)(zoo.GaussianMechanism(sigma), rate, improved_bound_flag=True)
    return float(one.get_RDP(alpha))


def zcdp_epsilon(delta: float, rho: float) -> float:
    """Epsilon of rho-zCDP."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.zCDP_Mechanism(rho).get_approxDP(delta))


def laplace_scale(epsilon: float, delta: float, k: int) -> float:
    """Calibration of k Laplace releases through RDP."""
    import autodp.mechanism_zoo  # noqa: F401 - the order of imports that autodp needs
    from autodp import privacy_calibrator

    return float(privacy_calibrator.laplace_mech(epsilon, delta, k)["b"])


def response_share(epsilon: float, delta: float, delta_0: float, k: int) -> float:
    """Epsilon of each of k randomised responses for a total, through RDP."""
    import math

    import autodp.mechanism_zoo  # noqa: F401 - the order of imports that autodp needs
    from autodp import privacy_calibrator

    if delta_0 != 0:
        raise ValueError("pure answers")
    p = float(privacy_calibrator.randresponse_mech(epsilon, delta, k)["p"])
    return math.log(p / (1 - p))


def pure_rdp(alpha: float, epsilon_0: float, categories: int) -> float:
    """Renyi divergence of any epsilon_0-DP mechanism."""
    import autodp.mechanism_zoo as zoo

    if categories != 2:
        raise ValueError("two answers")
    return float(zoo.PureDP_Mechanism(epsilon_0).get_RDP(alpha))


def rdp_sigma(epsilon: float, delta: float, k: int) -> float:
    """Calibration of k Gaussian releases through RDP."""
    import autodp.mechanism_zoo  # noqa: F401 - the order of imports that autodp needs
    from autodp import privacy_calibrator

    return float(privacy_calibrator.gaussian_mech(epsilon, delta, k)["sigma"])


def classical_sigma(epsilon: float, delta: float, k: int) -> float:
    """The classical calibration."""
    import autodp.mechanism_zoo  # noqa: F401 - the order of imports that autodp needs
    from autodp import privacy_calibrator

    if k != 1:
        raise ValueError("one release")
    return float(privacy_calibrator.classical_gaussian_mech(epsilon, delta)["sigma"])


def gaussian_power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of one Gaussian release."""
    import autodp.mechanism_zoo as zoo

    if k != 1:
        raise ValueError("one release")
    return 1 - float(zoo.ExactGaussianMechanism(sigma).get_fDP(alpha))


def pure_power(alpha: float, epsilon_0: float, categories: int) -> float:
    """One less the trade-off function of any epsilon_0-DP mechanism."""
    import autodp.mechanism_zoo as zoo

    if categories != 2:
        raise ValueError("two answers")
    return 1 - float(zoo.PureDP_Mechanism(epsilon_0).get_fDP(alpha))


def sparse_vector_epsilon(threshold_scale: float, query_scale: float, tops: int) -> float:
    """Renyi divergence of infinite order of the sparse vector; a query's noise has twice its scale b."""
    import autodp.mechanism_zoo as zoo

    b = min(threshold_scale, query_scale / 2)
    return float(zoo.LaplaceSVT_Mechanism({"b": b, "k": 1000 * tops, "c": tops}).get_RDP(float("inf")))


def gaussian_sparse_vector_rdp(alpha: float, sigma: float, query_sigma: float, k: int) -> float:
    """Renyi divergence of a Gaussian sparse vector that stops at the first answer above."""
    import autodp.mechanism_zoo as zoo

    if query_sigma >= 3**0.5 * sigma:
        raise ValueError("its bound there is for queries of at least 0 only")
    return float(zoo.GaussianSVT_Mechanism({"sigma": sigma, "sigma_nu": query_sigma, "k": k}).get_RDP(alpha))


def composed_gaussian_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k Gaussian releases."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.ComposedGaussianMechanism({"sigma": sigma, "coeff": k}).get_approxDP(delta))


def discrete_gaussian_epsilon(delta: float, sigma: float, sensitivity: int) -> float:
    """Epsilon of discrete Gaussian noise through zCDP."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.DiscreteGaussianMechanism(sigma / sensitivity).get_approxDP(delta))


def noisy_sgd_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Poisson-subsampled Gaussian steps."""
    import autodp.mechanism_zoo as zoo

    return float(zoo.NoisySGD_Mechanism(rate, sigma, k).get_approxDP(delta))


_BOX = {"delta": ("1e-12", "0.1")}
AUDITS = (
    {
        "id": "autodp.gaussian.epsilon", "title": "ExactGaussianMechanism.get_approxDP",
        "against": "wilkins2024.thm2.2", "solves": ("epsilon",), "box": {**_BOX, "mu": ("0.01", "10")},
    },
    {
        "id": "autodp.gaussian.sigma", "title": "ana_gaussian_mech", "against": "standard.gaussian.composition",
        "solves": ("sigma",), "box": {**_BOX, "epsilon": ("0.01", "10"), "k": ("1", "1")}, "expected": "REFUTED",
        "points": ({"epsilon": "1", "delta": "1e-10", "k": 1},),
        "note": "Too little noise where delta is small: the root search stops at an absolute accuracy of 1e-12 in "
        "delta.",
    },
    {
        "id": "autodp.gaussian.rdp", "title": "GaussianMechanism composed, get_approxDP through RDP",
        "function": "gaussian_rdp_epsilon", "against": "standard.gaussian.composition", "solves": ("epsilon",),
        "box": {**_BOX, "sigma": ("0.5", "100"), "k": ("1", "1000")},
    },
    {
        "id": "autodp.laplace.epsilon", "title": "LaplaceMechanism.get_approxDP through RDP",
        "against": "rogers2024.thm1.laplace", "solves": ("epsilon",),
        "box": {**_BOX, "delta_1": ("1", "1"), "b": ("0.1", "100")},
        "points": ({"delta_1": "1", "b": "1", "delta": "1e-12"},),
        "note": "The root search that converts RDP and the exact profile to epsilon is too low by rounding.",
    },
    {
        "id": "autodp.randomized_response.epsilon", "title": "RandresponseMechanism.get_approxDP through RDP",
        "function": "response_epsilon", "against": "standard.randomized_response", "solves": ("epsilon",),
        "box": {**_BOX, "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
        "points": ({"epsilon_0": "1", "categories": 2, "delta": "1e-10"},), "note": "See autodp.laplace.epsilon.",
    },
    {
        "id": "autodp.rdp.laplace", "title": "LaplaceMechanism.get_RDP", "function": "laplace_rdp",
        "against": "standard.renyi.laplace", "box": {"alpha": ("1.1", "200"), "scale": ("0.1", "100")},
    },
    {
        "id": "autodp.rdp.randomized_response", "title": "RandresponseMechanism.get_RDP", "function": "response_rdp",
        "against": "standard.renyi.randomized_response",
        "box": {"alpha": ("1.1", "200"), "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
    },
    {
        "id": "autodp.rdp.exponential", "title": "ExponentialMechanism.get_RDP", "function": "exponential_rdp",
        "against": "standard.renyi.bounded_range", "box": {"alpha": ("1.1", "200"), "eta": ("0.01", "10")},
    },
    {
        "id": "autodp.exponential.composition", "title": "ExponentialMechanism composed, get_approxDP",
        "function": "exponential_epsilon", "against": "standard.bounded_range.composition", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "1e-4"), "eta": ("0.01", "2"), "k": ("2", "100")}, "expected": "REFUTED",
        "points": ({"delta": "1e-9", "eta": "1", "k": 3}, {"delta": "1e-4", "eta": "1", "k": 3}),
        "note": "Each answer is a bound, but at some deltas it exceeds the pure epsilon that the same call returns at "
        "a smaller delta.",
    },
    {
        "id": "autodp.rdp.subsampled_gaussian",
        "title": "AmplificationBySampling of GaussianMechanism, improved bound, get_RDP", "function": "subsampled_rdp",
        "against": "standard.renyi.subsampled_gaussian",
        "box": {"alpha": ("1.1", "60"), "sigma": ("0.3", "20"), "rate": ("1e-4", "0.9")},
    },
    {
        "id": "autodp.sample.epsilon",
        "title": "AmplificationBySampling of GaussianMechanism, PoissonSampling=False, get_approxDP",
        "against": "standard.sampling_without_replacement", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("0.5", "20"), "rate": ("0.001", "0.9")}, "budget": 40,
    },
    {
        "id": "autodp.sample.steps.epsilon",
        "title": "AmplificationBySampling of GaussianMechanism, PoissonSampling=False, composed, get_approxDP",
        "function": "sample_steps_epsilon", "against": "standard.sampling_without_replacement.composition",
        "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("0.7", "5"), "rate": ("0.01", "0.5"), "k": ("100", "2000")},
        "cost": 30, "budget": 40,
    },
    {
        "id": "autodp.zcdp.epsilon", "title": "zCDP_Mechanism.get_approxDP", "against": "standard.zcdp",
        "solves": ("epsilon",), "box": {"delta": ("1e-12", "0.1"), "rho": ("1e-4", "10")},
    },
    {
        "id": "autodp.laplace.scale", "title": "laplace_mech", "against": "standard.laplace.composition",
        "solves": ("scale",), "box": {"delta": ("1e-9", "0.01"), "epsilon": ("0.1", "5"), "k": ("1", "50")},
        "budget": 40,
    },
    {
        "id": "autodp.randomized_response.share", "title": "randresponse_mech", "function": "response_share",
        "against": "standard.composition.homogeneous", "solves": ("epsilon_0",),
        "box": {"delta": ("1e-9", "0.01"), "epsilon": ("0.1", "5"), "delta_0": ("0", "0"), "k": ("1", "50")},
        "budget": 40,
    },
    {
        "id": "autodp.rdp.pure", "title": "PureDP_Mechanism.get_RDP", "function": "pure_rdp",
        "against": "standard.renyi.randomized_response",
        "box": {"alpha": ("1.1", "200"), "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
    },
    {
        "id": "autodp.gaussian.rdp.sigma", "title": "gaussian_mech", "function": "rdp_sigma",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"delta": ("1e-12", "0.01"), "epsilon": ("0.01", "10"), "k": ("1", "50")}, "budget": 40,
    },
    {
        "id": "autodp.gaussian.classical", "title": "classical_gaussian_mech", "function": "classical_sigma",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"delta": ("1e-12", "0.1"), "epsilon": ("0.01", "1"), "k": ("1", "1")},
    },
    {
        "id": "autodp.gaussian.power", "title": "ExactGaussianMechanism.get_fDP", "against": "standard.power.gaussian",
        "floor": "1e-15", "box": {"alpha": ("1e-4", "0.9"), "sigma": ("0.3", "20"), "k": ("1", "1")},
    },
    {
        "id": "autodp.pure.power", "title": "PureDP_Mechanism.get_fDP", "against": "standard.power.randomized_response",
        "floor": "1e-15", "box": {"alpha": ("1e-4", "0.9"), "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
    },
    {
        "id": "autodp.sparse_vector", "title": "LaplaceSVT_Mechanism.get_RDP at infinite order",
        "function": "sparse_vector_epsilon", "against": "standard.sparse_vector",
        "box": {"threshold_scale": ("0.1", "100"), "query_scale": ("0.1", "100"), "tops": ("1", "20")},
    },
    {
        "id": "autodp.sparse_vector.gaussian", "title": "GaussianSVT_Mechanism of one answer above, get_RDP",
        "function": "gaussian_sparse_vector_rdp", "against": "standard.sparse_vector.gaussian",
        "box": {"alpha": ("1.1", "100"), "sigma": ("3", "100"), "query_sigma": ("1", "5"), "k": ("1", "1000")},
        "budget": 60,
    },
    {
        "id": "autodp.composed_gaussian", "title": "ComposedGaussianMechanism.get_approxDP",
        "function": "composed_gaussian_epsilon", "against": "standard.gaussian.composition", "solves": ("epsilon",),
        "box": {**_BOX, "sigma": ("0.5", "100"), "k": ("1", "1000")},
    },
    {
        "id": "autodp.discrete_gaussian", "title": "DiscreteGaussianMechanism.get_approxDP",
        "function": "discrete_gaussian_epsilon", "against": "standard.discrete_gaussian", "solves": ("epsilon",),
        "box": {**_BOX, "sigma": ("0.5", "50"), "sensitivity": ("1", "5")},
    },
    {
        "id": "autodp.noisy_sgd", "title": "NoisySGD_Mechanism.get_approxDP", "function": "noisy_sgd_epsilon",
        "against": "standard.subsampled_gaussian.composition.both", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("0.7", "5"), "rate": ("0.01", "0.5"), "k": ("100", "10000")},
        "cost": 30, "budget": 40,
    },
)  # fmt: skip
