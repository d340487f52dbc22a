"""gdpnum: trade-off functions, the mu of Gaussian privacy and advantage out of privacy loss distributions."""


def epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k releases by CTDAccountant."""
    from gdpnum import CTDAccountant

    accountant = CTDAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return float(accountant.get_epsilon(delta=delta, grid_step=1e-3))


def power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of k releases, PLDConverter.get_beta."""
    from gdpnum import CTDAccountant

    accountant = CTDAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return 1 - float(accountant.get_beta(alpha, grid_step=1e-3))


def mu_power(alpha: float, sigma: float, k: int) -> float:
    """Power at the level alpha against the mu of get_mu, which the library calls pessimistic."""
    from gdpnum import CTDAccountant, PLDConverter
    from gdpnum.converter import gaussian_fdp

    accountant = CTDAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return 1 - float(gaussian_fdp(PLDConverter(accountant.get_pld(grid_step=1e-3)).get_mu())(alpha))


def advantage(sigma: float, k: int) -> float:
    """Advantage of k releases, PLDConverter.get_advantage."""
    from gdpnum import CTDAccountant, PLDConverter

    accountant = CTDAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return float(PLDConverter(accountant.get_pld(grid_step=1e-3)).get_advantage())


def accountant_advantage(sigma: float, k: int) -> float:
    """Advantage of k releases, CTDAccountant.get_advantage."""
    from gdpnum import CTDAccountant

    accountant = CTDAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return float(accountant.get_advantage(grid_step=1e-3))


_BOX = {"sigma": ("0.5", "20"), "k": ("1", "50")}
_LEVELS = {"alpha": ("1e-4", "0.9"), **_BOX}
AUDITS = (
    {
        "id": "gdpnum.gaussian.epsilon", "title": "CTDAccountant.get_epsilon", "function": "epsilon",
        "against": "standard.gaussian.composition", "solves": ("epsilon",), "box": {"delta": ("1e-10", "0.01"), **_BOX},
        "cost": 3,
    },
    {
        "id": "gdpnum.power", "title": "CTDAccountant.get_beta", "against": "standard.power.gaussian", "floor": "1e-15",
        "box": _LEVELS, "tolerance": "1e-4", "cost": 3,
        "note": "An estimate: no direction is documented, and powers near 1e-3 are a millionth too small.",
    },
    {
        "id": "gdpnum.mu", "title": "PLDConverter.get_mu, read through gaussian_fdp", "function": "mu_power",
        "against": "standard.power.gaussian", "floor": "1e-15", "box": {**_LEVELS, "sigma": ("2", "20")}, "cost": 3,
        "note": "Above a mu of about 12 the rest of the curve is below err=1e-10, and it raises a ValueError.",
    },
    {
        "id": "gdpnum.advantage", "title": "PLDConverter.get_advantage", "against": "standard.advantage.gaussian",
        "box": _BOX, "cost": 3, "points": ({"sigma": "0.5", "k": 50},),
        "note": "See dp_accounting.pld.gaussian.composition: the error of the transform raises delta above one.",
    },
    {
        "id": "gdpnum.accountant.advantage", "title": "CTDAccountant.get_advantage",
        "against": "standard.advantage.gaussian", "box": _BOX, "expected": "REFUTED",
        "points": ({"sigma": "1", "k": 1},),
        "note": "It names a module that is not imported: every call raises a NameError.",
    },
)  # fmt: skip
