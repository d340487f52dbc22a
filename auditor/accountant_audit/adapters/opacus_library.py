"""Opacus: RDP, Gaussian DP and PRV accountants."""


def gdp_delta(epsilon: float, mu: float) -> float:
    """Delta of mu-GDP."""
    from opacus.accountants.analysis import gdp

    return float(gdp.delta_eps_mu(eps=epsilon, mu=mu))


def gdp_epsilon(delta: float, mu: float) -> float:
    """Epsilon of mu-GDP."""
    from opacus.accountants.analysis import gdp

    return float(gdp.eps_from_mu(mu=mu, delta=delta))


def gdp_poisson_epsilon(delta: float, sigma: float, rate: float) -> float:
    """Epsilon of one Poisson-subsampled step by the central limit of GDP."""
    from opacus.accountants.analysis import gdp

    return float(gdp.compute_eps_poisson(steps=1, noise_multiplier=sigma, sample_rate=rate, delta=delta))


def rdp_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k releases by RDP at the accountant's own orders."""
    from opacus.accountants import RDPAccountant

    accountant = RDPAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return float(accountant.get_epsilon(delta))


def prv_epsilon(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k releases by PRV, upper end."""
    from opacus.accountants import PRVAccountant

    accountant = PRVAccountant()
    accountant.history = [(sigma, 1.0, k)]
    return float(accountant.get_epsilon(delta))


def rdp_steps_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Poisson-subsampled steps by RDP at the accountant's own orders."""
    from opacus.accountants import RDPAccountant

    accountant = RDPAccountant()
    accountant.history = [(sigma, rate, k)]
    return float(accountant.get_epsilon(delta))


def prv_steps_epsilon(delta: float, sigma: float, rate: float, k: int) -> float:
    """Epsilon of k Poisson-subsampled steps by PRV, upper end."""
    from opacus.accountants import PRVAccountant

    accountant = PRVAccountant()
    accountant.history = [(sigma, rate, k)]
    return float(accountant.get_epsilon(delta))


def rdp_order(alpha: float, sigma: float, rate: float) -> float:
    """Renyi divergence of one Poisson-subsampled step."""
    from opacus.accountants.analysis import rdp

    return float(rdp.compute_rdp(q=rate, noise_multiplier=sigma, steps=1, orders=alpha))


def noise_multiplier(epsilon: float, delta: float, k: int) -> float:
    """Noise of k releases, by RDP."""
    from opacus.accountants.utils import get_noise_multiplier

    return float(get_noise_multiplier(target_epsilon=epsilon, target_delta=delta, sample_rate=1.0, steps=k))


_STEPS = {"delta": ("1e-8", "0.01"), "sigma": ("0.8", "5"), "rate": ("0.01", "0.2"), "k": ("100", "1000")}
_BOX = {"delta": ("1e-10", "0.01"), "sigma": ("0.5", "100"), "k": ("1", "1000")}
AUDITS = (
    {
        "id": "opacus.gdp.delta", "title": "gdp.delta_eps_mu", "against": "wilkins2024.thm2.2",
        "box": {"epsilon": ("0.01", "20"), "mu": ("0.01", "10")},
    },
    {
        "id": "opacus.gdp.epsilon", "title": "gdp.eps_from_mu", "against": "wilkins2024.thm2.2", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "mu": ("0.05", "10")},
    },
    {
        "id": "opacus.gdp.poisson", "title": "gdp.compute_eps_poisson, one step", "function": "gdp_poisson_epsilon",
        "against": "standard.subsampled_gaussian", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("0.5", "10"), "rate": ("0.001", "1")}, "expected": "REFUTED",
        "points": ({"sigma": "1", "rate": "0.09", "delta": "1e-9"},),
        "reported": "https://github.com/meta-pytorch/opacus/pull/400",
        "note": "The central limit of many steps, used for one step; no bound, as its documentation states.",
    },
    {
        "id": "opacus.rdp.epsilon", "title": "RDPAccountant", "against": "standard.gaussian.composition",
        "solves": ("epsilon",), "box": _BOX, "points": ({"sigma": "100", "k": "1", "delta": "0.01"},),
        "note": "A negative epsilon where the loss is small and delta is large: it is correct.",
    },
    {
        "id": "opacus.prv.epsilon", "title": "PRVAccountant", "against": "standard.gaussian.composition",
        "solves": ("epsilon",),
        # where more than epsilon 60 is lost its grid does not end within a call's time
        "box": {**_BOX, "sigma": ("2", "100"), "k": ("1", "300")},
    },
    {
        "id": "opacus.rdp.steps.epsilon", "title": "RDPAccountant, Poisson-subsampled steps",
        "against": "standard.subsampled_gaussian.composition.both", "solves": ("epsilon",), "box": _STEPS, "budget": 40,
        "cost": 30,
    },
    {
        "id": "opacus.prv.steps.epsilon", "title": "PRVAccountant, Poisson-subsampled steps",
        "against": "standard.subsampled_gaussian.composition.both", "solves": ("epsilon",), "box": _STEPS, "budget": 40,
        "cost": 30,
    },
    {
        "id": "opacus.rdp.order", "title": "analysis.rdp.compute_rdp, at one order",
        "against": "standard.renyi.subsampled_gaussian",
        "box": {"alpha": ("1.25", "200"), "sigma": ("0.3", "20"), "rate": ("0.01", "0.9")}, "expected": "REFUTED",
        "points": ({"alpha": "183.8", "sigma": "20", "rate": "0.6"},),
        "note": "At large orders that are no whole numbers its series is cut too early: a divergence below 0. Where "
        "divergences are about 1e-9 they are parts in 10^6 too small: a logarithm close to log(1).",
    },
    {
        "id": "opacus.noise_multiplier", "title": "get_noise_multiplier, every record in each step",
        "against": "standard.gaussian.composition", "solves": ("sigma",),
        "box": {"epsilon": ("0.1", "10"), "delta": ("1e-9", "0.01"), "k": ("1", "100")},
        "points": ({"epsilon": "0.1", "delta": "1e-9", "k": 1},),
        "note": "Declines by a ValueError at small epsilon: no order of its table reaches it.",
    },
)  # fmt: skip
