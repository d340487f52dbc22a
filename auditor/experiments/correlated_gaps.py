"""What exact accounting of the correlated stability histogram buys; Figure 3 drawn again and extended to all k."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from auditor.checks import show
from auditor.report.model import Plot, Series, Table
from mechanisms.correlated_stability_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram import accountant as uncorrelated
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.theorem_12 import theorem_12
from proofs_numeric.lebeda2025.theorem_21 import enumeration
from proofs_numeric.lebeda2025.theorem_21.bound import theorem_21, theorem_21_sharp

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPSILON, DELTA = 0.349, 1e-5
"""Section 6 of lebeda2025: the setting of Figure 3."""
SPARSITIES = tuple(dict.fromkeys(int(k) for k in (2, 5, 51, 51914, *np.geomspace(2, 10**6, 13).round())))
_A = Float64()
_FEASIBLE = 1 + 1e-9
"""Just above the least sigma, where rounding leaves every analysis a threshold."""
_INFLATIONS = np.geomspace(1e-6, 0.5, 100) + 1
_NARROWINGS = 3


def total(k: int, sigma: Any) -> Any:
    """Standard deviation of one released count, ``sigma sqrt(1 + k^{-1/2})``."""
    return sigma * math.sqrt(1 + k**-0.5)


def add_the_deltas_gap(k: int, sigma: Any) -> Any:
    """Least gap of Theorem 11 (Lemma 22), at an array of sigma."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return lemma_22(_A, epsilon=np.float64(EPSILON), delta=np.float64(DELTA), k=k, sigma=sigma)


def slepian_gap(k: int, sigma: Any) -> Any:
    """Least gap where Slepian's bound on new counters is added to delta_gauss, at an array of sigma."""
    with np.errstate(invalid="ignore", divide="ignore"):
        left = DELTA - delta_gauss(_A, epsilon=np.float64(EPSILON), k=k, sigma=sigma)
        return -special.ndtri(-np.expm1(np.log1p(-left) / k)) * total(k, sigma)


def theorem_12_gap(k: int, sigma: float) -> float:
    """Least gap of Theorem 12; sigma at or above the least one."""

    def room(ratio: float) -> float:
        at = {"epsilon": np.float64(EPSILON), "sigma": np.float64(sigma), "gap": np.float64(ratio * sigma)}
        return DELTA - float(theorem_12(_A, **at, k=k))

    # No gap is below the one at which new counters alone take all of delta; mostly that one is it.
    tail = -np.expm1(np.log1p(-DELTA) / (k + 1))
    alone = float((1 + k**-0.25) * -special.ndtri(tail)) * (1 + 1e-12)
    return sigma * float(increasing_root(_A, room, alone, 60.0))


def exact_gap(k: int, sigma: float) -> float:
    """Least gap of the exact analysis."""
    return exact.gap(EPSILON, DELTA, k=k, sigma=sigma)


def uncorrelated_gap(k: int, sigma: float) -> float:
    """Least gap of the exact analysis without shared noise."""
    return uncorrelated.gap(EPSILON, DELTA, c_u=k, sigma=sigma)


def least_sigma(k: int) -> float:
    """Least sigma of the exact analysis and of Theorem 12: the worst number of changed counters is an integer."""
    return exact.sigma(EPSILON, DELTA, k=k) * _FEASIBLE


def least_sigma_of_lemma_8(k: int) -> float:
    """Least sigma of Lemma 8, whose number of changed counters is real: never below `least_sigma`."""
    mu = 1 / uncorrelated.sigma(EPSILON, DELTA, c_u=1)
    return math.sqrt(k + math.sqrt(k)) / (2 * mu) * _FEASIBLE


def least(gap: Callable[[NDArray[np.float64]], NDArray[np.float64]], sigmas: NDArray[np.float64]) -> float:
    """Least gap over increasing sigmas and between them: the range is narrowed around its best point."""
    for _ in range(_NARROWINGS):
        best = int(np.nanargmin(gap(sigmas)))
        sigmas = np.linspace(sigmas[max(0, best - 1)], sigmas[min(len(sigmas) - 1, best + 1)], len(sigmas))
    return float(np.nanmin(gap(sigmas)))


def least_gaps(k: int) -> dict[str, float]:
    """Least gap of each analysis, each at its own best sigma."""
    sigma = least_sigma(k)
    sigmas = least_sigma_of_lemma_8(k) * _INFLATIONS
    return {
        "Theorem 11": least(partial(add_the_deltas_gap, k), sigmas),
        "Slepian added to delta_gauss": least(partial(slepian_gap, k), sigmas),
        "Theorem 12": theorem_12_gap(k, sigma),
        "exact": exact_gap(k, sigma),
        "exact, without shared noise": uncorrelated_gap(k, uncorrelated.sigma(EPSILON, DELTA, c_u=k) * _FEASIBLE),
    }


_STYLES = {"Theorem 11": "dashed", "exact, without shared noise": "dashed"}


def _series(name: str, x: list[float], y: list[float]) -> Series:
    kept = [(f"{a:.10g}", f"{b:.10g}") for a, b in zip(x, y, strict=True) if math.isfinite(b)]
    style = _STYLES.get(name, "line")
    return Series(name=name, x=[a for a, _ in kept], y=[b for _, b in kept], style=style)  # type: ignore[arg-type]


def figure_3(k: int, points: int = 16) -> Plot:
    """Least gap against the total standard deviation of a released count."""
    first, other = least_sigma_of_lemma_8(k), uncorrelated.sigma(EPSILON, DELTA, c_u=k) * _FEASIBLE
    last = 1.2 * other / math.sqrt(1 + k**-0.5)
    sigmas = first * np.geomspace(1 + 1e-4, last / first, points)
    totals = [float(x) for x in total(k, sigmas)]
    alone = [float(x) for x in np.geomspace(other, 1.2 * other, points)]
    single: tuple[tuple[str, Callable[[int, float], float]], ...] = (
        ("Theorem 12", theorem_12_gap),
        ("exact", exact_gap),
    )
    return Plot(
        caption=f"Figure 3: least gap against total standard deviation, k = {k}, epsilon = 0.349, delta = 1e-5",
        x_label="sigma sqrt(1 + k^(-1/2)) (counts)",
        y_label="least gap (counts)",
        series=[
            _series("Theorem 11", totals, [float(x) for x in add_the_deltas_gap(k, sigmas)]),
            _series("Slepian added to delta_gauss", totals, [float(x) for x in slepian_gap(k, sigmas)]),
            *(_series(name, totals, [f(k, float(s)) for s in sigmas]) for name, f in single),
            _series("exact, without shared noise", alone, [uncorrelated_gap(k, s) for s in alone]),
        ],
    )


_CONVERSIONS = {"Lemma 17": theorem_21, "Canonne, Kamath and Steinke": theorem_21_sharp}


def looseness(scales: int) -> Table:
    """Largest share of Theorem 21's delta that an enumerated pair uses, by k and by conversion from zCDP."""
    rows = []
    for name, formula in _CONVERSIONS.items():
        best: dict[int, tuple[Any, Any]] = {}
        for case in enumeration.cases(scales):
            used, k = enumeration.share(case, formula), case[1]
            if k not in best or used.upper() > best[k][0].upper():
                best[k] = (used, case)
        for k, (used, (epsilon, _k, sigma, gap, l, j, direction)) in best.items():
            share = show.real(as_fraction(used.upper()), 6, 1)
            rows.append([name, str(k), share, str(epsilon), str(sigma), str(gap), str(l), str(j), direction])
    return Table(
        caption="Theorem 21: exact delta by enumeration of every pair with k <= 3, its largest share of the bound",
        columns=["conversion", "k", "exact / bound at most", "epsilon", "sigma", "tau", "l", "j", "direction"],
        rows=rows,
    )
