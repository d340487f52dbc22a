"""Tumult Core: geometric noise, rho, and partition selection with it; what it promises is exact, and needs no Spark."""


def geometric_threshold(scale: float, threshold: int, c_u: int, per_key: int) -> float:
    """Delta of GeometricPartitionSelection for so many rows of one key, a formula: to the nearest double."""
    import sympy
    from tmlt.core.domains.spark_domains import SparkDataFrameDomain, SparkStringColumnDescriptor
    from tmlt.core.measurements.spark_measurements import GeometricPartitionSelection

    if c_u != 1:
        raise ValueError("rows of one key")
    keys = SparkDataFrameDomain({"key": SparkStringColumnDescriptor()})
    release = GeometricPartitionSelection(keys, threshold=threshold, alpha=sympy.Rational(scale))
    return float(sympy.N(release.privacy_function(per_key)[1].expr, 30))


def geometric_epsilon(delta: float, scale: float, sensitivity: int) -> float:
    """Epsilon of geometric noise, rounded up."""
    import sympy
    from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise

    epsilon = AddGeometricNoise(sympy.Rational(scale)).privacy_function(sensitivity)
    return float(epsilon.to_float(round_up=True)) + 0 * delta


def discrete_gaussian_rho(sigma: float, sensitivity: int) -> float:
    """Rho of discrete Gaussian noise, rounded up."""
    import sympy
    from tmlt.core.measurements.noise_mechanisms import AddDiscreteGaussianNoise

    noise = AddDiscreteGaussianNoise(sympy.Rational(sigma) ** 2)
    return float(noise.privacy_function(sensitivity).to_float(round_up=True))


def geometric_rho(epsilon_0: float) -> float:
    """Rho of geometric noise by its pure epsilon, rounded up."""
    import sympy
    from tmlt.core.measurements.converters import PureDPToRhoZCDP
    from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise

    noise = PureDPToRhoZCDP(AddGeometricNoise(1 / sympy.Rational(epsilon_0)))
    return float(noise.privacy_function(1).to_float(round_up=True))


AUDITS = (
    {
        "id": "tmlt_core.geometric_threshold", "title": "GeometricPartitionSelection.privacy_function(1)",
        "against": "thresholds.laplace.integer",
        "box": {"scale": ("0.1", "100"), "threshold": ("2", "2000"), "c_u": ("1", "1"), "per_key": ("1", "1")},
        "tolerance": "1e-15",
        "note": (
            "The formula is exact; its to_float(round_up=True) is never below the exact value, and returns 1e-15 "
            "where the value is tiny."
        ),
    },
    {
        "id": "tmlt_core.geometric_threshold.rows",
        "title": "GeometricPartitionSelection.privacy_function of several rows", "function": "geometric_threshold",
        "against": "thresholds.laplace.integer",
        "box": {"scale": ("0.1", "100"), "threshold": ("10", "2000"), "c_u": ("1", "1"), "per_key": ("1", "5")},
        "tolerance": "1e-15", "note": "Its bound is that of group privacy.",
    },
    {
        "id": "tmlt_core.geometric.epsilon", "title": "AddGeometricNoise.privacy_function",
        "against": "standard.discrete_laplace", "solves": ("epsilon",), "tolerance": "0",
        "box": {"delta": ("0", "0"), "scale": ("0.05", "1000"), "sensitivity": ("1", "100")},
    },
    {
        "id": "tmlt_core.discrete_gaussian.rho", "title": "AddDiscreteGaussianNoise.privacy_function",
        "against": "standard.rho.discrete_gaussian", "tolerance": "1e-15",
        "box": {"sigma": ("0.1", "100"), "sensitivity": ("1", "20")},
    },
    {
        "id": "tmlt_core.geometric.rho", "title": "PureDPToRhoZCDP of AddGeometricNoise",
        "against": "standard.rho.pure", "tolerance": "1e-15", "box": {"epsilon_0": ("0.001", "20")},
    },
)  # fmt: skip
