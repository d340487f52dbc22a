"""python-dp (Google's C++ library): Gaussian noise and partition selection."""


def gaussian_sigma(epsilon: float, delta: float, k: int) -> float:
    """Standard deviation of the Gaussian mechanism, l2 sensitivity 1."""
    from pydp._pydp import _mechanisms

    if k != 1:
        raise ValueError("one release")
    return float(_mechanisms.GaussianMechanism(epsilon, delta, 1.0).std)


def laplace_threshold(delta: float, scale: float, c_u: int, per_key: int) -> float:
    """Threshold of Laplace partition selection: noise of scale c_u/epsilon on the number of users."""
    from pydp.algorithms.partition_selection import create_partition_strategy

    if per_key != 1:
        raise ValueError("a user counts once a key")
    return float(create_partition_strategy("laplace", c_u / scale, delta, c_u).threshold)


def gaussian_keys(epsilon: float, delta: float, keys: int) -> tuple[float, float]:
    """Noise and threshold of Gaussian partition selection, in weights of 1/sqrt(keys) a key."""
    from statistics import NormalDist

    from pydp.algorithms.partition_selection import create_partition_strategy

    strategy = create_partition_strategy("gaussian", epsilon, delta, keys)
    users = int(strategy.threshold) + 1
    sigma = (users - strategy.threshold) / NormalDist().inv_cdf(strategy.probability_of_keep(users))
    return sigma / keys**0.5, strategy.threshold / keys**0.5


def _keep(users: int, *arguments: object) -> tuple[float, float]:
    """Probabilities of a selection for so many users, and for one more."""
    from pydp.algorithms.partition_selection import create_partition_strategy

    strategy = create_partition_strategy(*arguments)
    return strategy.probability_of_keep(users), strategy.probability_of_keep(users + 1)


def keep_first(delta: float, epsilon: float) -> tuple[float, float]:
    """Probabilities of truncated geometric selection for 0 and 1 users: the threshold case."""
    return _keep(0, "truncated_geometric", epsilon, delta, 1)


def keep_tenth(delta: float, epsilon: float) -> tuple[float, float]:
    """The same for 10 and 11 users."""
    return _keep(10, "truncated_geometric", epsilon, delta, 1)


def keys_first(delta: float, epsilon: float, c_u: int) -> tuple[float, float]:
    """Probabilities of truncated geometric selection of several keys for 0 and 1 users."""
    return _keep(0, "truncated_geometric", epsilon, delta, c_u)


def keys_tenth(delta: float, epsilon: float, c_u: int) -> tuple[float, float]:
    """The same for 10 and 11 users."""
    return _keep(10, "truncated_geometric", epsilon, delta, c_u)


def keys_pre_threshold(delta: float, epsilon: float, c_u: int) -> tuple[float, float]:
    """The same at a pre-threshold of 20, for 19 and 20 users."""
    return _keep(19, "truncated_geometric", epsilon, delta, c_u, 20)


def keys_laplace(delta: float, epsilon: float, c_u: int) -> tuple[float, float]:
    """Probabilities of Laplace thresholding for 10 and 11 users."""
    return _keep(10, "laplace", epsilon, delta, c_u)


_DELTA = ("1e-12", "0.01")
_OF_KEYS = {
    "against": "standard.partition_selection.keys", "solves": ("keep", "keep_next"),
    "box": {"delta": ("1e-8", "0.01"), "epsilon": ("0.01", "10"), "c_u": ("1", "100")},
}  # fmt: skip
AUDITS = (
    {
        "id": "python_dp.gaussian.sigma", "title": "GaussianMechanism.std", "against": "standard.gaussian.composition",
        "solves": ("sigma",), "box": {"delta": _DELTA, "epsilon": ("0.01", "10"), "k": ("1", "1")},
    },
    {
        "id": "python_dp.laplace.threshold", "title": "Laplace partition selection: threshold",
        "against": "thresholds.laplace.real", "solves": ("threshold",),
        "box": {"delta": _DELTA, "scale": ("0.2", "100"), "c_u": ("1", "1e4"), "per_key": ("1", "1")},
    },
    {
        "id": "python_dp.gaussian.keys",
        "title": "Gaussian partition selection: threshold, and noise by probability_of_keep",
        "against": "thresholds.weighted.keys", "solves": ("sigma", "threshold"),
        "box": {"delta": _DELTA, "epsilon": ("0.01", "10"), "keys": ("1", "1e4")},
    },
    {
        "id": "python_dp.geometric.keep.first",
        "title": "truncated geometric selection: probability_of_keep(0) and (1)", "function": "keep_first",
        "against": "standard.partition_selection.keep", "solves": ("keep", "keep_next"),
        "box": {"delta": _DELTA, "epsilon": ("0.01", "10")},
    },
    {
        "id": "python_dp.geometric.keep.tenth",
        "title": "truncated geometric selection: probability_of_keep(10) and (11)", "function": "keep_tenth",
        "against": "standard.partition_selection.keep", "solves": ("keep", "keep_next"),
        "note": "Smaller deltas are lost in the rounding of a probability near 1.",
        "box": {"delta": ("1e-8", "0.01"), "epsilon": ("0.01", "10")},
    },
    {
        "id": "python_dp.geometric.keys.first", "title": "truncated geometric selection of several keys: 0 and 1 users",
        "function": "keys_first", **_OF_KEYS,
    },
    {
        "id": "python_dp.geometric.keys.tenth",
        "title": "truncated geometric selection of several keys: 10 and 11 users", "function": "keys_tenth", **_OF_KEYS,
    },
    {
        "id": "python_dp.geometric.keys.pre_threshold",
        "title": "truncated geometric selection with a pre-threshold of 20: 19 and 20 users",
        "function": "keys_pre_threshold", **_OF_KEYS,
    },
    {
        "id": "python_dp.laplace.keys.tenth", "title": "Laplace thresholding of several keys: 10 and 11 users",
        "function": "keys_laplace", **_OF_KEYS,
    },
)  # fmt: skip
