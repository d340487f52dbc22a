"""fourier-accountant: FFT estimates of delta and epsilon."""


def gaussian_delta(epsilon: float, sigma: float, k: int) -> float:
    """Delta of k releases at sampling rate 1, substitution off."""
    import fourier_accountant

    return float(fourier_accountant.get_delta_R(target_eps=epsilon, sigma=sigma, q=1.0 - 1e-12, ncomp=k))


def subsampled_delta(epsilon: float, sigma: float, rate: float) -> float:
    """Delta of one Poisson-subsampled step."""
    import fourier_accountant

    return float(fourier_accountant.get_delta_R(target_eps=epsilon, sigma=sigma, q=rate, ncomp=1))


def subsampled_steps_delta(epsilon: float, sigma: float, rate: float, k: int) -> float:
    """Delta of k Poisson-subsampled steps, on the grid that it has by default."""
    import fourier_accountant

    return float(fourier_accountant.get_delta_R(target_eps=epsilon, sigma=sigma, q=rate, ncomp=k))


def subsampled_epsilon(delta: float, sigma: float, rate: float) -> float:
    """Epsilon of one Poisson-subsampled step, on the grid that it has by default."""
    import fourier_accountant

    return float(fourier_accountant.get_epsilon_R(target_delta=delta, sigma=sigma, q=rate, ncomp=1))


AUDITS = (
    {
        "id": "fourier_accountant.gaussian.delta", "title": "get_delta_R at sampling rate 1 - 1e-12",
        "against": "standard.gaussian.composition",
        "box": {"epsilon": ("0.1", "5"), "sigma": ("1", "20"), "k": ("1", "100")}, "tolerance": "1e-3", "budget": 40,
        "expected": "REFUTED", "points": ({"epsilon": "3", "sigma": "1", "k": 1},),
        "note": (
            "Where 1 - q is below e^-L the start of the grid is negative, and the answer is nearly 0, without a "
            "warning."
        ),
    },
    {
        "id": "fourier_accountant.subsampled.delta", "title": "get_delta_R, one step",
        "against": "standard.subsampled_gaussian",
        "box": {"epsilon": ("0.1", "1"), "sigma": ("1", "2"), "rate": ("0.1", "0.9")}, "tolerance": "1e-3",
        "budget": 40,
    },
    {
        "id": "fourier_accountant.subsampled.epsilon", "title": "get_epsilon_R, one step",
        "against": "standard.subsampled_gaussian", "solves": ("epsilon",),
        "box": {"delta": ("1e-6", "0.001"), "sigma": ("1", "2"), "rate": ("0.1", "0.9")}, "tolerance": "1e-3",
        "budget": 40,
    },
    {
        "id": "fourier_accountant.subsampled.composition.delta", "title": "get_delta_R, many steps",
        "function": "subsampled_steps_delta", "against": "standard.subsampled_gaussian.composition",
        "box": {"epsilon": ("0.5", "4"), "sigma": ("1", "4"), "rate": ("0.01", "0.1"), "k": ("100", "1000")},
        "tolerance": "1e-3", "budget": 40, "cost": 30, "expected": "REFUTED",
        "points": ({"epsilon": "1", "sigma": "1.6", "rate": "0.01", "k": 100},),
        "note": "Below zero where delta is 3e-16, and some percent too small up to 1e-13: rounding errors.",
    },
)  # fmt: skip
