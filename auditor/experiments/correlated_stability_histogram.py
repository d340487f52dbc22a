"""lebeda2025: Figure 3; and noise and threshold by how many of k counters a user changes."""

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from auditor.experiments.computed import Chart, Curve, Figure
from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.correlated_stability_histogram import accountant as correlated
from mechanisms.correlated_stability_histogram.sparse_users import calibrated
from mechanisms.gaussian_sparse_histogram import accountant as independent
from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as added
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.lebeda2025 import sparse_users_histogram
from proofs_numeric.lebeda2025.sparse_users import worst_square
from proofs_numeric.lebeda2025.theorem_11 import theorem_11
from proofs_numeric.lebeda2025.theorem_12 import theorem_12

_A = Float64()
_EPSILON, _DELTA = 0.349, 1e-5


def total(sigma: float, gamma: float) -> float:
    """Deviation of a released counter."""
    return sigma * math.sqrt(1 + 1 / gamma)


def least_independent(k: int) -> float:
    """Least noise of the uncorrelated mechanism: its dotted line."""
    return independent.sigma(_EPSILON, _DELTA, c_u=k)


@cache
def least_correlated(k: int) -> float:
    """Least total noise of the correlated mechanism: its dotted line."""
    return total(correlated.sigma(_EPSILON, _DELTA, k=k), math.sqrt(k))


def _uncorrelated(of: object, k: int, noise: float) -> float:
    return float(of.gap(_EPSILON, _DELTA, c_u=k, sigma=noise))  # type: ignore[attr-defined]


def _exact(k: int, noise: float) -> float:
    return correlated.gap(_EPSILON, _DELTA, k=k, sigma=noise / math.sqrt(1 + k**-0.5))


def bounded(bound: Formula, k: int, noise: float) -> float:
    """Least threshold that a bound on delta allows at this total noise, from above; infinite where none does."""
    sigma = np.float64(noise / math.sqrt(1 + k**-0.5))

    def room(ratio: float) -> float:
        return _DELTA - float(bound(_A, epsilon=np.float64(_EPSILON), k=k, sigma=sigma, gap=ratio * sigma))

    ratio = float(increasing_root(_A, room, 0.0, 30.0)) if room(30.0) > 0 else math.inf
    return ratio * float(sigma)


_NEAR = (1.002, 1.008, 1.02, 1.05)
"""Places beyond a least noise, where curves of added deltas turn."""


def _noises(k: int, count: int) -> tuple[float, ...]:
    """From the least total noise of the correlated mechanism to a quarter above that of the other."""
    low, high = least_correlated(k), least_independent(k)
    even = (low + (1.25 * high - low) * (step + 1) / count for step in range(count))
    return tuple(sorted((*even, *(least * near for least in (low, high) for near in _NEAR))))


def _of_k(k: int) -> Chart:
    curves = (
        Curve("csh.added", "correlated, add the deltas (Theorem 11)", partial(bounded, theorem_11, k), dashed=True),
        Curve("csh.thm12", "correlated, Theorem 12", partial(bounded, theorem_12, k), dashed=True),
        Curve("csh.exact", "correlated, exact (lebeda2025.csh.exact)", partial(_exact, k)),
        Curve("gshm.added", "independent, add the deltas (Lemma 6)", partial(_uncorrelated, added, k), dashed=True),
        Curve("gshm.exact", "independent, exact (Lemma 7)", partial(_uncorrelated, independent, k)),
    )
    marks = {
        "least noise: independent, exact (Lemma 7)": partial(least_independent, k),
        "least noise: correlated, exact (lebeda2025.csh.exact)": partial(least_correlated, k),
    }
    return Chart(
        f"k={k}",
        f"k = {k}",
        "deviation of a released counter (counts)",
        "least tau (counts)",
        _noises(k, 8),
        _noises(k, 60),
        curves,
        marks,
    )


FIGURE_3 = Figure(
    id="lebeda2025.figure3", title="Least threshold by total noise, (epsilon, delta) = (0.349, 1e-5)",
    source="Section 5, Figure 3", charts=tuple(map(_of_k, (51914, 51, 10))),
    settings=("total noise: sigma of Algorithm 1, sigma sqrt(1 + k^(-1/2)) of Algorithm 2",),
    unstated=(
        "k of Figure 3b is missing in the available text; 51 and 10 are drawn",
        "the formula of Theorem 12 is missing, too; this project reconstructed it",
    ),
)  # fmt: skip

# --- users of few counters --------------------------------------------------------------------------------------------


@cache
def by_independent(_k: int, m: int) -> tuple[float, float]:
    """Noise and threshold of the Gaussian sparse histogram with C_u = m."""
    sigma = independent.sigma(1.0, _DELTA, c_u=m)
    return sigma, independent.threshold(_DELTA, c_u=m, sigma=sigma)


@cache
def by_paper(k: int, m: int) -> tuple[float, float]:
    """Total noise and threshold at gamma = sqrt(k), as users of at most m counters need it."""
    gamma = math.sqrt(k)
    sigma = math.sqrt(float(worst_square(_A, k=k, m=m, gamma=np.float64(gamma)))) * gaussian.sigma(
        1.0, _DELTA, sensitivity=1.0
    )

    def room(ratio: float) -> float:
        at = {"sigma": np.float64(sigma), "gamma": np.float64(gamma), "gap": ratio * sigma}
        return _DELTA * (1 + 1e-9) - float(sparse_users_histogram.delta(_A, epsilon=np.float64(1), k=k, m=m, **at))

    return total(sigma, gamma), float(increasing_root(_A, room, 0.0, 30.0)) * sigma


@cache
def by_default(k: int, m: int) -> tuple[float, float]:
    """Total noise and threshold of the library's default; at m = 1 that is independent noise."""
    if m == 1:
        return by_independent(k, m)
    noise = calibrated(1.0, _DELTA, k=k, m=m)
    return total(noise.sigma, noise.gamma), noise.tau_star - 1


_WAYS = (
    ("independent", "independent noise", by_independent),
    ("paper", "shared, gamma = sqrt(k)", by_paper),
    ("default", "shared, gamma of least noise", by_default),
)


def _by_m(way: Callable[[int, int], tuple[float, float]], part: int, k: int, m: float) -> float:
    return way(k, int(m))[part]


def _by_k(way: Callable[[int, int], tuple[float, float]], part: int, m: int, k: float) -> float:
    return way(int(k), m)[part]


_M = {10: (1, 2, 3, 4, 5, 6, 7, 8, 10), 100: (1, 2, 3, 5, 7, 10, 14, 20, 30, 40, 55, 75, 100)}
_K = (10, 20, 50, 100, 200, 500, 1000, 10_000)


def _sparse(part: int) -> tuple[Chart, ...]:
    name, y = (("noise", "deviation released"), ("threshold", "least tau"))[part]
    axes = "m (counters that a user changes)", f"{y} (counts)"
    by_m = (
        Chart(
            f"{name}.k={k}",
            f"k = {k}",
            *axes,
            tuple(map(float, _M[k])),
            tuple(map(float, range(1, k + 1))),
            tuple(Curve(id_, label, partial(_by_m, way, part, k)) for id_, label, way in _WAYS),
        )
        for k in _M
    )
    by_k = Chart(
        f"{name}.m=10",
        "m = 10",
        "k (counters)",
        axes[1],
        tuple(map(float, _K)),
        (*map(float, _K), 1e5),
        tuple(Curve(id_, label, partial(_by_k, way, part, 10)) for id_, label, way in _WAYS),
        log="x",
    )
    return (*by_m, by_k)


SPARSE_USERS = Figure(
    id="lebeda2025.sparse",
    title="Noise and threshold where a user changes at most m of k counters, (epsilon, delta) = (1, 1e-5)",
    source="lebeda2025.sparse.* (the open regime of Section 8)",
    charts=(*_sparse(0), *_sparse(1)),
    settings=("the least total noise of each way, and the least threshold at it; histograms of at most k counters",),
    unstated=("everything: the paper leaves the regime open",),
)
EXPERIMENTS = (FIGURE_3, SPARSE_USERS)
