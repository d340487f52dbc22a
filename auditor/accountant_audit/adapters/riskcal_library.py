"""riskcal: trade-off functions and advantage of Gaussian DP and zero-concentrated privacy, as power of a best test."""

from __future__ import annotations


def gdp_power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of 1/sigma-GDP."""
    from riskcal import analysis

    if k != 1:
        raise ValueError("one release")
    return 1 - float(analysis.get_beta_from_gdp(1 / sigma, alpha))


def zcdp_power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of rho-zCDP, rho = 1/(2 sigma^2)."""
    from riskcal import analysis

    if k != 1:
        raise ValueError("one release")
    return 1 - float(analysis.get_beta_from_zcdp(0.5 / sigma**2, alpha))


def gdp_advantage(sigma: float, k: int) -> float:
    """Advantage of 1/sigma-GDP."""
    from riskcal import analysis

    if k != 1:
        raise ValueError("one release")
    return float(analysis.get_advantage_from_gdp(1 / sigma))


def zcdp_advantage(sigma: float, k: int) -> float:
    """Advantage of rho-zCDP, rho = 1/(2 sigma^2)."""
    from riskcal import analysis

    if k != 1:
        raise ValueError("one release")
    return float(analysis.get_advantage_from_zcdp(0.5 / sigma**2))


def rdp_power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of Renyi privacy of order 4, that of k Gaussian releases."""
    from riskcal import analysis

    return 1 - float(analysis.get_beta_from_rdp(4 * k / (2 * sigma**2), alpha, 4.0))


def approximate_zcdp_power(alpha: float, sigma: float, k: int) -> float:
    """One less the trade-off function of rho-zCDP by its deprecated approximation."""
    from riskcal import analysis

    return 1 - float(analysis.get_beta_from_zcdp_approx(k / (2 * sigma**2), alpha))


def error_rates_epsilon(delta: float, keep: float, keep_next: float) -> float:
    """Epsilon of a test with these false alarms and this power."""
    from riskcal import analysis

    return float(analysis.get_epsilon_from_err_rates(delta, keep, 1 - keep_next))


_BOX = {"sigma": ("0.3", "20"), "k": ("1", "1")}
_LEVELS = {"alpha": ("1e-4", "0.9"), **_BOX}
AUDITS = (
    {
        "id": "riskcal.gdp.power",
        "title": "analysis.get_beta_from_gdp",
        "function": "gdp_power",
        "against": "standard.power.gaussian",
        "box": _LEVELS,
        "tolerance": "1e-6",
    },
    {
        "id": "riskcal.zcdp.power",
        "title": "analysis.get_beta_from_zcdp",
        "function": "zcdp_power",
        "against": "standard.power.gaussian",
        "box": _LEVELS,
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"alpha": "0.01", "sigma": "10", "k": 1},),
        "note": "At small rho and level it answers beta = 1 - alpha, as of no leak; the Gaussian of that rho leaks.",
    },
    {
        "id": "riskcal.gdp.advantage",
        "title": "analysis.get_advantage_from_gdp",
        "function": "gdp_advantage",
        "against": "standard.advantage.gaussian",
        "box": _BOX,
        "tolerance": "1e-6",
    },
    {
        "id": "riskcal.zcdp.advantage",
        "title": "analysis.get_advantage_from_zcdp",
        "function": "zcdp_advantage",
        "against": "standard.advantage.gaussian",
        "box": _BOX,
        "tolerance": "1e-6",
        "budget": 40,
        "note": "Nothing exact follows from rho: below the Gaussian at mu = sqrt(2 rho) is a violation, above loose.",
    },
    {
        "id": "riskcal.rdp.power",
        "title": "analysis.get_beta_from_rdp at order 4",
        "function": "rdp_power",
        "against": "standard.power.gaussian",
        "box": {"alpha": ("1e-4", "0.9"), "sigma": ("1", "20"), "k": ("1", "5")},
        "tolerance": "1e-6",
        "cost": 3,
    },
    {
        "id": "riskcal.zcdp.approximate.power",
        "title": "analysis.get_beta_from_zcdp_approx",
        "function": "approximate_zcdp_power",
        "against": "standard.power.gaussian",
        "box": {"alpha": ("1e-4", "0.9"), "sigma": ("1", "20"), "k": ("1", "5")},
        "tolerance": "1e-6",
        "expected": "REFUTED",
        "points": ({"alpha": "0.01", "sigma": "10", "k": 1},),
        "note": "Deprecated, and the same as riskcal.zcdp.power.",
    },
    {
        "id": "riskcal.error_rates.epsilon",
        "title": "analysis.get_epsilon_from_err_rates",
        "function": "error_rates_epsilon",
        "against": "standard.partition_selection.keep",
        "solves": ("epsilon",),
        "box": {"delta": ("1e-9", "0.1"), "keep": ("1e-4", "0.1"), "keep_next": ("0.1", "0.99")},
        "tolerance": "1e-6",
    },
)
