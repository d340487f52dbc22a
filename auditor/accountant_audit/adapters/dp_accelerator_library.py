"""dp-accelerator: Renyi accounting of DP-SGD in Rust, at the orders of its own accountant."""


def gaussian_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k releases, every record in each."""
    from dp_accelerator import DPSGDAccountant

    return float(DPSGDAccountant(sigma, 1, 1).get_epsilon(k, delta))


def subsampled_epsilon(delta: float, sigma: float, rate: float) -> float:
    """Epsilon of one Poisson-subsampled step."""
    from dp_accelerator import DPSGDAccountant, compute_epsilon_batch

    orders = DPSGDAccountant(sigma, 1, 1).orders
    return float(compute_epsilon_batch(rate, sigma, [1], orders, delta)[0])


def curve_epsilon(delta: float, sigma: float, rate: float) -> float:
    """Epsilon that follows from get_rdp_curve of one subsampled step, by Mironov's Proposition 3."""
    import math

    from dp_accelerator import DPSGDAccountant

    one = DPSGDAccountant(sigma, 1, 1)
    one.q = rate
    return float(min(rdp + math.log(1 / delta) / (order - 1) for order, rdp in one.get_rdp_curve(1).items()))


_DELTA = ("1e-12", "0.01")
_STEP = {"delta": _DELTA, "sigma": ("0.3", "10"), "rate": ("0.001", "0.9")}
AUDITS = (
    {
        "id": "dp_accelerator.gaussian.epsilon", "title": "DPSGDAccountant.get_epsilon, every record in each step",
        "against": "standard.gaussian.composition", "solves": ("epsilon",),
        "box": {"delta": _DELTA, "sigma": ("0.3", "100"), "k": ("1", "10000")},
    },
    {
        "id": "dp_accelerator.subsampled.epsilon", "title": "compute_epsilon_batch, one Poisson-subsampled step",
        "against": "standard.subsampled_gaussian.both", "solves": ("epsilon",), "box": _STEP,
    },
    {
        "id": "dp_accelerator.rdp_curve", "title": "DPSGDAccountant.get_rdp_curve, one Poisson-subsampled step",
        "function": "curve_epsilon", "against": "standard.subsampled_gaussian.both", "solves": ("epsilon",),
        "box": _STEP, "expected": "REFUTED", "points": ({"sigma": "1", "rate": "0.01", "delta": "1e-5"},),
        "note": "order rate^2 / (2 sigma^2) is the limit of small orders; at order 8 the divergence is 2.2 times it.",
    },
)  # fmt: skip
