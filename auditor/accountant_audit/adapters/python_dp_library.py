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


def keep(delta: float, epsilon: float, users: int = 1) -> tuple[float, float]:
    """Probabilities of truncated geometric selection for n and n + 1 users."""
    from pydp.algorithms.partition_selection import create_partition_strategy

    strategy = create_partition_strategy("truncated_geometric", epsilon, delta, 1)
    return strategy.probability_of_keep(users), strategy.probability_of_keep(users + 1)


def keep_first(delta: float, epsilon: float) -> tuple[float, float]:
    """The same for 0 and 1 users: the threshold case."""
    return keep(delta, epsilon, 0)


def keep_tenth(delta: float, epsilon: float) -> tuple[float, float]:
    """The same for 10 and 11 users."""
    return keep(delta, epsilon, 10)


_DELTA = ("1e-12", "0.01")
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
)  # fmt: skip
