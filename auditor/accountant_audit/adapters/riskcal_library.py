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
        "note": "Nothing exact follows from rho: below the Gaussian at mu = sqrt(2 rho) is a violation, above loose.",
    },
)
