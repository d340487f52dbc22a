"""OpenDP: thresholded histograms on integers and reals, and the conversion from zero-concentrated privacy.

OpenDP promises outward rounding, so any answer below the truth counts. On integer counts it releases keys with noisy
value `>= threshold` but takes delta from `P[Z > threshold - linf]` (opendp issue 2922): an expected refutation, which
turns red when upstream is fixed.
"""

from typing import Any


def laplace_threshold_integer(scale: float, threshold: int, c_u: int, per_key: int) -> float:
    """Delta of make_laplace_threshold on integer counts."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    metric = dp.l01inf_distance(dp.absolute_distance(T=int))
    release = dp.m.make_laplace_threshold(domain, metric, scale=scale, threshold=threshold)
    return float(release.map((c_u, c_u * per_key, per_key))[1])


def laplace_threshold_real(scale: float, threshold: float, c_u: int, per_key: int) -> float:
    """Delta of make_laplace_threshold on floats."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False))
    metric = dp.l01inf_distance(dp.absolute_distance(T=float))
    release = dp.m.make_laplace_threshold(domain, metric, scale=scale, threshold=float(threshold))
    return float(release.map((c_u, float(c_u * per_key), float(per_key)))[1])


def gaussian_threshold_integer(sigma: float, threshold: int, c_u: int, per_key: int) -> float:
    """Delta of make_gaussian_threshold on integer counts; the l2 distance is an integer, sqrt(c_u) rounded up."""
    import math

    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    metric = dp.l02inf_distance(dp.absolute_distance(T=int))
    release = dp.m.make_gaussian_threshold(domain, metric, scale=sigma, threshold=threshold)
    return float(release.map((c_u, (math.isqrt(c_u - 1) + 1) * per_key, per_key))[1])


def gaussian_threshold_real(sigma: float, threshold: float, c_u: int, per_key: int) -> float:
    """Delta of make_gaussian_threshold on floats."""
    import math

    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False))
    metric = dp.l02inf_distance(dp.absolute_distance(T=float))
    release = dp.m.make_gaussian_threshold(domain, metric, scale=sigma, threshold=float(threshold))
    return float(release.map((c_u, float(math.sqrt(c_u) * per_key), float(per_key)))[1])


def _reals() -> tuple[Any, Any]:
    """Real numbers and their distance."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def _integers() -> tuple[Any, Any]:
    """Integers and their distance."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp.atom_domain(T=int), dp.absolute_distance(T=int)


def _scores() -> tuple[Any, Any]:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)


def zcdp_delta(epsilon: float, mu: float) -> float:
    """Delta at epsilon of the rho-zCDP curve, rho = mu^2/2: make_zCDP_to_approxDP of a Gaussian of scale 1/mu."""
    import opendp.prelude as dp

    curve = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*_reals(), scale=1.0 / mu))
    return float(curve.map(1.0).delta(epsilon))


def zcdp_epsilon(delta: float, rho: float) -> float:
    """Epsilon of rho-zCDP, by the profile's search."""
    import opendp.prelude as dp

    scale = (0.5 / rho) ** 0.5
    return float(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*_reals(), scale=scale)).map(1.0).epsilon(delta))


def fixed_delta_composition(delta: float, sigma: float, k: int) -> float:
    """Epsilon of k Gaussian releases at delta/k each, composed as approximate privacy."""
    import opendp.prelude as dp

    one = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*_reals(), scale=sigma)), delta=delta / k)
    return float(dp.c.make_composition([one] * k).map(1.0)[0])


def discrete_laplace_epsilon(delta: float, scale: float, sensitivity: int) -> float:
    """Epsilon of geometric noise: make_laplace on integers."""
    import opendp.prelude as dp

    return float(dp.m.make_laplace(*_integers(), scale=scale).map(sensitivity)) + 0 * delta


def discrete_gaussian_delta(epsilon: float, sigma: float, sensitivity: int) -> float:
    """Delta of make_gaussian on integers by its rho."""
    import opendp.prelude as dp

    return float(
        dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*_integers(), scale=sigma)).map(sensitivity).delta(epsilon)
    )


def laplace_composition(delta: float, scale: float, k: int) -> float:
    """Epsilon of k Laplace releases on reals."""
    import opendp.prelude as dp

    return float(dp.c.make_composition([dp.m.make_laplace(*_reals(), scale=scale)] * k).map(1.0)) + 0 * delta


def gaussian_composition(epsilon: float, sigma: float, k: int) -> float:
    """Delta of k Gaussian releases composed by rho."""
    import opendp.prelude as dp

    composed = dp.c.make_composition([dp.m.make_gaussian(*_reals(), scale=sigma)] * k)
    return float(dp.c.make_zCDP_to_approxDP(composed).map(1.0).delta(epsilon))


def response_epsilon(delta: float, epsilon_0: float, categories: int) -> float:
    """Epsilon of randomised response over words."""
    import math

    import opendp.prelude as dp

    dp.enable_features("contrib")
    true = 1 / (1 + (categories - 1) * math.exp(-epsilon_0))
    return float(dp.m.make_randomized_response([str(word) for word in range(categories)], prob=true).map(1)) + 0 * delta


def noisy_max_epsilon(delta: float, epsilon_0: float) -> float:
    """Epsilon of the noisy maximum with exponential noise, any scores that a record changes by at most 1."""
    import opendp.prelude as dp

    return float(dp.m.make_noisy_max(*_scores(), dp.max_divergence(), scale=2 / epsilon_0).map(1.0)) + 0 * delta


def gaussian_rho(sigma: float) -> float:
    """Rho of Gaussian noise on reals."""
    import opendp.prelude as dp

    return float(dp.m.make_gaussian(*_reals(), scale=sigma).map(1.0))


def discrete_gaussian_rho(sigma: float, sensitivity: int) -> float:
    """Rho of Gaussian noise on integers."""
    import opendp.prelude as dp

    return float(dp.m.make_gaussian(*_integers(), scale=sigma).map(sensitivity))


def laplace_rho(scale: float) -> float:
    """Rho of Laplace noise on reals by its pure epsilon."""
    import opendp.prelude as dp

    return float(dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*_reals(), scale=scale)).map(1.0))


def gumbel_max_rho(eta: float) -> float:
    """Rho of the noisy maximum with Gumbel noise, the exponential mechanism of range eta."""
    import opendp.prelude as dp

    return float(dp.m.make_noisy_max(*_scores(), dp.zero_concentrated_divergence(), scale=2 / eta).map(1.0))


def noisy_max_rho(epsilon_0: float) -> float:
    """Rho of the noisy maximum with exponential noise by its pure epsilon."""
    import opendp.prelude as dp

    noisy_max = dp.m.make_noisy_max(*_scores(), dp.max_divergence(), scale=2 / epsilon_0)
    return float(dp.c.make_pureDP_to_zCDP(noisy_max).map(1.0))


_BOX = {"scale": ("0.1", "100"), "threshold": ("2", "2000"), "c_u": ("1", "1e6"), "per_key": ("1", "10")}
_GAUSSIAN_BOX = {"sigma": ("0.3", "50"), "threshold": ("2", "1000"), "c_u": ("1", "1e6"), "per_key": ("1", "10")}
AUDITS = (
    {
        "id": "opendp.laplace_threshold.integer", "title": "make_laplace_threshold, integer counts",
        "against": "thresholds.laplace.integer", "box": _BOX, "tolerance": "0", "expected": "REFUTED",
        "points": ({"scale": "1", "threshold": 4, "c_u": 1, "per_key": 1},),
        "reported": "https://github.com/opendp/opendp/issues/2922",
        "note": (
            "It releases counts >= threshold and computes delta for counts > threshold; the true delta is "
            "e^(1/scale) times larger."
        ),
    },
    {
        "id": "opendp.laplace_threshold.real", "title": "make_laplace_threshold, float counts",
        "against": "thresholds.laplace.real", "box": _BOX, "tolerance": "0",
    },
    {
        "id": "opendp.gaussian_threshold.integer", "title": "make_gaussian_threshold, integer counts",
        "against": "thresholds.gaussian.integer", "box": _GAUSSIAN_BOX, "tolerance": "0", "expected": "REFUTED",
        "points": ({"sigma": "1", "threshold": 4, "c_u": 1, "per_key": 1},),
        "reported": "https://github.com/opendp/opendp/issues/2922",
        "note": "It releases counts >= threshold and computes delta for counts > threshold.",
    },
    {
        "id": "opendp.gaussian_threshold.real", "title": "make_gaussian_threshold, float counts",
        "against": "thresholds.gaussian.real", "box": _GAUSSIAN_BOX, "tolerance": "0",
    },
    {
        "id": "opendp.zcdp.delta", "title": "make_zCDP_to_approxDP of a Gaussian", "against": "wilkins2024.thm2.2",
        "box": {"epsilon": ("0", "700"), "mu": ("1e-4", "100")}, "tolerance": "0",
        "note": "Nothing exact follows from rho: below the Gaussian at mu = sqrt(2 rho) is a violation, above loose.",
    },
    {
        "id": "opendp.zcdp.epsilon", "title": "make_zCDP_to_approxDP, epsilon(delta)", "against": "standard.zcdp",
        "solves": ("epsilon",), "box": {"delta": ("1e-12", "0.1"), "rho": ("1e-4", "10")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.fix_delta.composition", "title": "make_fix_delta of make_zCDP_to_approxDP, make_composition",
        "function": "fixed_delta_composition", "against": "standard.gaussian.composition", "solves": ("epsilon",),
        "box": {"delta": ("1e-10", "0.01"), "sigma": ("1", "100"), "k": ("1", "20")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.discrete_laplace", "title": "make_laplace, integers (geometric noise)",
        "function": "discrete_laplace_epsilon", "against": "standard.discrete_laplace", "solves": ("epsilon",),
        "box": {"delta": ("0", "0"), "scale": ("0.05", "1000"), "sensitivity": ("1", "100")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.discrete_gaussian", "title": "make_zCDP_to_approxDP of make_gaussian, integers",
        "function": "discrete_gaussian_delta", "against": "standard.discrete_gaussian",
        "box": {"epsilon": ("0.01", "20"), "sigma": ("0.3", "50"), "sensitivity": ("1", "10")}, "tolerance": "0",
    },
    {
        "id": "opendp.laplace.composition", "title": "make_composition of make_laplace",
        "function": "laplace_composition", "against": "standard.laplace.composition", "solves": ("epsilon",),
        "box": {"delta": ("0", "0"), "scale": ("0.1", "100"), "k": ("1", "50")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.gaussian.composition", "title": "make_zCDP_to_approxDP of make_composition of make_gaussian",
        "function": "gaussian_composition", "against": "standard.gaussian.composition",
        "box": {"epsilon": ("0.01", "20"), "sigma": ("0.5", "50"), "k": ("1", "50")}, "tolerance": "0",
    },
    {
        "id": "opendp.randomized_response", "title": "make_randomized_response", "function": "response_epsilon",
        "against": "standard.randomized_response", "solves": ("epsilon",),
        "box": {"delta": ("1e-12", "1e-6"), "epsilon_0": ("0.1", "10"), "categories": ("2", "20")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.noisy_max", "title": "make_noisy_max under pure privacy, exponential noise",
        "function": "noisy_max_epsilon", "against": "standard.permute_and_flip", "solves": ("epsilon",),
        "box": {"delta": ("0", "0"), "epsilon_0": ("0.01", "20")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.gaussian.rho", "title": "make_gaussian under zCDP", "against": "standard.rho.gaussian",
        "box": {"sigma": ("0.1", "1000")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.discrete_gaussian.rho", "title": "make_gaussian on integers under zCDP",
        "against": "standard.rho.discrete_gaussian", "tolerance": "1e-9",
        "box": {"sigma": ("0.1", "100"), "sensitivity": ("1", "20")},
    },
    {
        "id": "opendp.laplace.rho", "title": "make_pureDP_to_zCDP of make_laplace", "against": "standard.rho.laplace",
        "box": {"scale": ("0.1", "1000")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.noisy_max.rho", "title": "make_noisy_max under zCDP, Gumbel noise", "function": "gumbel_max_rho",
        "against": "standard.rho.bounded_range", "box": {"eta": ("0.001", "20")}, "tolerance": "1e-9",
    },
    {
        "id": "opendp.noisy_max.pure.rho", "title": "make_pureDP_to_zCDP of make_noisy_max, exponential noise",
        "function": "noisy_max_rho", "against": "standard.rho.permute_and_flip", "box": {"epsilon_0": ("0.001", "20")},
        "tolerance": "1e-9",
    },
)  # fmt: skip
