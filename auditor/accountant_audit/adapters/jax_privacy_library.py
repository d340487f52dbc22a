"""JAX Privacy: banded matrices of DP-FTRL, and DP-SGD by its training accountants."""

from typing import Any


def banded_epsilon(delta: float, sigma: float, bands: int, participations: int) -> float:
    """Epsilon of DP-FTRL by the Toeplitz coefficients of a banded square-root matrix."""
    from jax_privacy.matrix_factorization import toeplitz

    coefficients = toeplitz.optimal_max_error_strategy_coefs(bands)
    square = toeplitz.minsep_sensitivity_squared(coefficients, bands, participations, bands * participations)
    return _released_epsilon(delta, sigma / float(square) ** 0.5)


def dense_epsilon(delta: float, sigma: float, bands: int, participations: int) -> float:
    """Epsilon of DP-FTRL by the banded square-root matrix itself."""
    from jax_privacy.matrix_factorization import sensitivity, toeplitz

    coefficients = toeplitz.optimal_max_error_strategy_coefs(bands)
    matrix = toeplitz.materialize_lower_triangular(coefficients, bands * participations)
    return _released_epsilon(delta, sigma / sensitivity.get_sensitivity_banded(matrix, bands, participations))


def upper_epsilon(delta: float, sigma: float, bands: int, participations: int) -> float:
    """Epsilon of DP-FTRL by the upper bound on the sensitivity of any matrix."""
    from jax_privacy.matrix_factorization import sensitivity, toeplitz

    coefficients = toeplitz.optimal_max_error_strategy_coefs(bands)
    matrix = toeplitz.materialize_lower_triangular(coefficients, bands * participations)
    bound = sensitivity.get_min_sep_sensitivity_upper_bound(matrix, bands, participations)
    return _released_epsilon(delta, sigma / bound)


def _released_epsilon(delta: float, noise: float) -> float:
    from jax_privacy.accounting import accountants, analysis

    accountant = analysis.SingleReleaseTrainingAccountant(accountants.PldAccountantConfig())
    params = analysis.DpParams(noise_multipliers=noise, num_samples=1, delta=delta, batch_size=1)
    return float(accountant.compute_epsilon(1, params))


def steps_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Poisson-subsampled Gaussian steps."""
    from jax_privacy.accounting import analysis

    return _steps_epsilon(delta, sigma, rate, k, analysis.SamplingMethod.POISSON)


def fixed_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Gaussian steps on samples of a fixed size; the noise is in clipping norms."""
    from jax_privacy.accounting import analysis

    return _steps_epsilon(delta, 2 * sigma, rate, k, analysis.SamplingMethod.FIXED_BATCH_SIZE)


def _steps_epsilon(delta: float, noise: float, rate: float, k: int, method: Any) -> float:
    from jax_privacy.accounting import accountants, analysis

    sample, records = rate.as_integer_ratio()
    accountant = analysis.DpsgdTrainingAccountant(accountants.PldAccountantConfig(value_discretization_interval=1e-3))
    params = analysis.DpParams(
        noise_multipliers=noise, num_samples=records, delta=delta, batch_size=sample, sampling_method=method
    )
    return float(accountant.compute_epsilon(k, params))


def calibrated_sigma(epsilon: float, delta: float, rate: float, k: int) -> float:
    """Noise of k Poisson-subsampled Gaussian steps, to the default tolerance."""
    from jax_privacy.accounting import accountants, analysis, calibrate

    sample, records = rate.as_integer_ratio()
    accountant = analysis.DpsgdTrainingAccountant(accountants.PldAccountantConfig(value_discretization_interval=1e-3))
    sigma = calibrate.calibrate_noise_multiplier(
        target_epsilon=epsilon, accountant=accountant, batch_sizes=sample, num_updates=k, num_samples=records,
        target_delta=delta,
    )  # fmt: skip
    return float(sigma)


_MATRIX = {"delta": ("1e-10", "0.01"), "sigma": ("2", "100"), "bands": ("1", "30"), "participations": ("1", "10")}
_STEPS = {"delta": ("1e-10", "0.01"), "sigma": ("0.7", "5"), "rate": ("0.01", "0.5"), "k": ("100", "2000")}
AUDITS = (
    {
        "id": "jax_privacy.banded.epsilon", "title": "toeplitz.minsep_sensitivity_squared, one release by PLD",
        "against": "standard.banded_matrix", "solves": ("epsilon",), "box": _MATRIX, "budget": 20,
    },
    {
        "id": "jax_privacy.banded.dense", "title": "sensitivity.get_sensitivity_banded, one release by PLD",
        "function": "dense_epsilon", "against": "standard.banded_matrix", "solves": ("epsilon",), "box": _MATRIX,
        "budget": 20,
    },
    {
        "id": "jax_privacy.banded.upper",
        "title": "sensitivity.get_min_sep_sensitivity_upper_bound, one release by PLD", "function": "upper_epsilon",
        "against": "standard.banded_matrix", "solves": ("epsilon",), "box": _MATRIX, "budget": 20,
    },
    {
        "id": "jax_privacy.steps.epsilon", "title": "DpsgdTrainingAccountant, POISSON, by PLD",
        "against": "standard.subsampled_gaussian.composition.both", "solves": ("epsilon",), "box": _STEPS,
        "cost": 30, "budget": 20,
    },
    {
        "id": "jax_privacy.fixed.epsilon", "title": "DpsgdTrainingAccountant, FIXED_BATCH_SIZE, by PLD",
        "against": "standard.sampling_without_replacement.composition", "solves": ("epsilon",), "box": _STEPS,
        "cost": 30, "budget": 20,
    },
    {
        "id": "jax_privacy.calibrated.sigma", "title": "calibrate_noise_multiplier with DpsgdTrainingAccountant",
        "against": "standard.subsampled_gaussian.composition.both", "solves": ("sigma",),
        "box": {"epsilon": ("0.5", "8"), "delta": ("1e-9", "1e-4"), "rate": ("0.01", "0.5"), "k": ("100", "500")},
        "cost": 100, "budget": 30,
    },
)  # fmt: skip
