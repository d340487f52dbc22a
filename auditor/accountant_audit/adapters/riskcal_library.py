"""riskcal: trade-off functions and advantage of Gaussian DP and zero-concentrated privacy, as power of a best test."""


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

    if keep > keep_next:
        raise ValueError("error rates of a trade-off function add up to at most 1")
    return float(analysis.get_epsilon_from_err_rates(delta, keep, 1 - keep_next))


def pure_power(alpha: float, epsilon_0: float, categories: int) -> float:
    """One less the trade-off function of epsilon_0-DP."""
    from riskcal import analysis

    if categories != 2:
        raise ValueError("two answers")
    return 1 - float(analysis.get_beta_from_adp(epsilon_0, 0.0, alpha))


def pure_advantage(epsilon: float, epsilon_0: float, categories: int) -> float:
    """Advantage of epsilon_0-DP: the delta of randomised response at epsilon 0."""
    from riskcal import analysis

    if categories != 2 or epsilon != 0:
        raise ValueError("two answers, epsilon 0")
    return float(analysis.get_advantage_from_adp(epsilon_0, 0.0))


def bayes_advantage(sigma: float, k: int) -> float:
    """Advantage out of the Bayes risk at even odds."""
    from riskcal import analysis

    return 1 - 2 * float(analysis.get_bayes_risk_from_gdp(k**0.5 / sigma, 0.5))


def laplace_power(alpha: float, scale: float, k: int) -> float:
    """One less the trade-off function of a PLD of k Laplace releases."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    from riskcal import analysis

    one = pld.from_laplace_mechanism(scale, value_discretization_interval=1e-3)
    return 1 - float(analysis.get_beta_from_pld(one.self_compose(k), alpha))


def subsampled_power(alpha: float, sigma: float, rate: float) -> float:
    """One less the trade-off function of a PLD of one Poisson-subsampled step."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    from riskcal import analysis

    one = pld.from_gaussian_mechanism(sigma, sampling_prob=rate, value_discretization_interval=1e-3)
    return 1 - float(analysis.get_beta_from_pld(one, alpha))


_BOX = {"sigma": ("0.3", "20"), "k": ("1", "1")}
_LEVELS = {"alpha": ("1e-4", "0.9"), **_BOX}
AUDITS = (
    {
        "id": "riskcal.gdp.power", "title": "analysis.get_beta_from_gdp", "against": "standard.power.gaussian",
        "floor": "1e-15", "box": _LEVELS,
    },
    {
        "id": "riskcal.zcdp.power", "title": "analysis.get_beta_from_zcdp", "against": "standard.power.gaussian",
        "floor": "1e-15", "box": _LEVELS, "expected": "REFUTED", "points": ({"alpha": "0.01", "sigma": "10", "k": 1},),
        "note": (
            "At small rho and level it answers beta = 1 - alpha, as without any loss; the Gaussian of that rho has a "
            "loss."
        ),
    },
    {
        "id": "riskcal.gdp.advantage", "title": "analysis.get_advantage_from_gdp",
        "against": "standard.advantage.gaussian", "box": _BOX,
    },
    {
        "id": "riskcal.zcdp.advantage", "title": "analysis.get_advantage_from_zcdp",
        "against": "standard.advantage.gaussian", "box": _BOX, "budget": 40,
        "note": "Nothing exact follows from rho: below the Gaussian at mu = sqrt(2 rho) is a violation, above loose.",
    },
    {
        "id": "riskcal.rdp.power", "title": "analysis.get_beta_from_rdp at order 4",
        "against": "standard.power.gaussian", "floor": "1e-15",
        "box": {"alpha": ("1e-4", "0.9"), "sigma": ("1", "20"), "k": ("1", "5")}, "cost": 3,
    },
    {
        "id": "riskcal.zcdp.approximate.power", "title": "analysis.get_beta_from_zcdp_approx",
        "function": "approximate_zcdp_power", "against": "standard.power.gaussian", "floor": "1e-15",
        "box": {"alpha": ("1e-4", "0.9"), "sigma": ("1", "20"), "k": ("1", "5")}, "expected": "REFUTED",
        "points": ({"alpha": "0.01", "sigma": "10", "k": 1},), "note": "Deprecated, and equal to riskcal.zcdp.power.",
    },
    {
        "id": "riskcal.error_rates.epsilon", "title": "analysis.get_epsilon_from_err_rates",
        "against": "standard.partition_selection.keep", "solves": ("epsilon",),
        "box": {"delta": ("1e-9", "0.1"), "keep": ("1e-4", "0.1"), "keep_next": ("0.1", "0.99")},
    },
    {
        "id": "riskcal.pure.power", "title": "analysis.get_beta_from_adp at delta 0",
        "against": "standard.power.randomized_response", "floor": "1e-15",
        "box": {"alpha": ("1e-4", "0.9"), "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
    },
    {
        "id": "riskcal.pure.advantage", "title": "analysis.get_advantage_from_adp at delta 0",
        "against": "standard.randomized_response",
        "box": {"epsilon": ("0", "0"), "epsilon_0": ("0.01", "10"), "categories": ("2", "2")},
    },
    {
        "id": "riskcal.gdp.bayes", "title": "analysis.get_bayes_risk_from_gdp at even odds",
        "function": "bayes_advantage", "against": "standard.advantage.gaussian",
        "box": {"sigma": ("0.3", "20"), "k": ("1", "50")},
    },
    {
        "id": "riskcal.pld.power.laplace", "title": "analysis.get_beta_from_pld of composed Laplace mechanisms",
        "function": "laplace_power", "against": "standard.power.laplace.composition", "floor": "1e-15",
        "box": {"alpha": ("1e-4", "0.9"), "scale": ("1", "20"), "k": ("1", "5")}, "tolerance": "1e-4",
        "note": "An estimate: no accuracy is documented, and a finer grid leaves it 1e-6 below.", "budget": 40,
    },
    {
        "id": "riskcal.pld.power.subsampled_gaussian",
        "title": "analysis.get_beta_from_pld of a Poisson-subsampled step", "function": "subsampled_power",
        "against": "standard.power.subsampled_gaussian", "floor": "1e-15",
        "box": {"alpha": ("1e-4", "0.9"), "sigma": ("0.5", "20"), "rate": ("0.01", "0.9")}, "tolerance": "1e-4",
        "note": "An estimate: no accuracy is documented, and a finer grid leaves it 1e-6 below.",
    },
)  # fmt: skip
