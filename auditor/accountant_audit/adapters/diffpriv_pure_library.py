"""diffpriv-pure: Gaussian calibration and advanced composition."""


def gaussian_sigma(epsilon: float, delta: float, k: int) -> float:
    """Noise for (epsilon, delta)."""
    import diffpriv_pure

    if k != 1:
        raise ValueError("one release")
    return float(diffpriv_pure.gaussian_sigma(1.0, epsilon, delta))


def advanced_composition(epsilon_0: float, delta_0: float, k: int) -> tuple[float, float]:
    """Epsilon and delta of k mechanisms."""
    import diffpriv_pure

    epsilon, delta = diffpriv_pure.PrivacyBudget(1.0).advanced_composition(k, epsilon_0, delta_0)
    return float(epsilon), float(delta)


AUDITS = (
    {
        "id": "diffpriv_pure.gaussian.sigma", "title": "gaussian_sigma", "against": "standard.gaussian.composition",
        "solves": ("sigma",), "box": {"delta": ("1e-12", "0.1"), "epsilon": ("0.01", "20"), "k": ("1", "1")},
        "expected": "REFUTED", "points": ({"epsilon": "10", "delta": "2e-5", "k": 1},),
        "note": "The classical formula, which needs epsilon at most 1, at every epsilon.",
    },
    {
        "id": "diffpriv_pure.advanced_composition", "title": "PrivacyBudget.advanced_composition",
        "against": "standard.composition.homogeneous", "solves": ("epsilon", "delta"),
        "box": {"epsilon_0": ("0.01", "5"), "delta_0": ("1e-10", "1e-3"), "k": ("1", "1000")}, "expected": "REFUTED",
        "points": ({"epsilon_0": "1", "delta_0": "2e-7", "k": 40},),
        "note": "The term k epsilon_0 (e^epsilon_0 - 1) is left out, and the slack delta is not added.",
    },
)  # fmt: skip
