"""privjail: conversions of its zCDP and Renyi accountants, and a Poisson-subsampled step at one order."""


def zcdp_epsilon(delta: float, rho: float) -> float:
    """Epsilon of rho-zCDP."""
    from privjail.accountants.zcdp import eps_from_rho_delta

    return float(eps_from_rho_delta(rho, delta))


def rdp_epsilon(delta: float, alpha: float, divergence: float) -> float:
    """Epsilon of a Renyi divergence of one order."""
    from privjail.accountants.rdp import rdp_to_approx_eps

    return float(rdp_to_approx_eps({alpha: divergence}, delta))


def subsampled_rdp(alpha: float, sigma: float, rate: float) -> float:
    """Renyi divergence of one step; the library takes integer orders."""
    from privjail import mechanism

    return float(mechanism.subsampled_rdp_eps_from_sigma(1.0, sigma, alpha, rate))


AUDITS = (
    {
        "id": "privjail.zcdp.epsilon", "title": "eps_from_rho_delta", "against": "standard.zcdp",
        "solves": ("epsilon",), "box": {"delta": ("1e-12", "0.1"), "rho": ("1e-4", "10")},
    },
    {
        "id": "privjail.rdp.epsilon", "title": "rdp_to_approx_eps", "against": "standard.rdp", "solves": ("epsilon",),
        "box": {"delta": ("1e-12", "0.1"), "alpha": ("1.1", "200"), "divergence": ("1e-4", "10")},
    },
    {
        "id": "privjail.subsampled.rdp", "title": "subsampled_rdp_eps_from_sigma at order 8",
        "function": "subsampled_rdp", "against": "standard.renyi.subsampled_gaussian",
        "box": {"alpha": ("8", "8"), "sigma": ("0.3", "20"), "rate": ("1e-3", "0.99")},
    },
)  # fmt: skip
