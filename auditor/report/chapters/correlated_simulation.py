"""Exact deltas of the correlated stability histogram against releases of it: the best event, counted on both sides.

The event is the likelihood ratio's, from the normal law of the released counters and the posterior of the shared noise;
so the excess of its frequencies estimates the hockey stick itself, and exact binomial limits enclose it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from auditor.checks import show
from auditor.report.model import Table
from auditor.statistics.exact_tests import clopper_pearson_lower, clopper_pearson_upper
from auditor.statistics.seeds import block_generator
from mechanisms.correlated_stability_histogram import accountant, mechanism
from proofs_numeric.lebeda2025.neighbours import far_count
from proofs_numeric.lebeda2025.noise_maximum import log_unreleased

LEVEL = 1e-10
"""Probability with which one binomial limit fails."""
_TAU = 1


@dataclass(frozen=True)
class Case:
    """A pair (l, j) and where its delta is wanted."""

    epsilon: float
    k: int
    sigma: Fraction
    gap: int
    l: int
    j: int


CASES = (
    Case(0.3, 3, Fraction(2), 3, 1, 1),
    Case(0.3, 4, Fraction(3, 2), 2, 2, 1),
    Case(0.1, 4, Fraction(2), 4, 1, 2),
    Case(0.5, 6, Fraction(2), 3, 2, 2),
)


@dataclass(frozen=True)
class Simulated:
    """Exact delta of a case in one direction, and limits for it from releases."""

    exact: float
    lower: float
    upper: float


def _releases(
    case: Case, larger: bool, n: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether a new counter came out, and the shared counters less their smaller counts, shape (n, k - l)."""
    built = mechanism.build(k=case.k, sigma=case.sigma, gap=case.gap, tau=_TAU)
    far = far_count(threshold=Fraction(_TAU + case.gap), sigma=case.sigma)
    shared = {f"s{i}": far + (larger and i < case.j) for i in range(case.k - case.l)}
    new = {f"n{i}": _TAU for i in range(case.l)} if larger else {}
    keys, values = built.release_many(shared | new, n, rng)
    out = np.any(~np.isnan(values[:, [keys.index(key) for key in new]]), axis=1)
    return out, values[:, [keys.index(key) for key in shared]] - far


def _loss(case: Case, residuals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Privacy loss of releases without a new counter, larger histogram over smaller."""
    d, gamma, sigma = case.k - case.l, math.sqrt(case.k), float(case.sigma)
    total, changed = residuals.sum(axis=1), residuals[:, : case.j].sum(axis=1)
    ratio = (changed - case.j * total / (d + gamma)) / sigma**2
    ratio -= (case.j - case.j**2 / (d + gamma)) / (2 * sigma**2)
    posterior = (total - case.j) / (gamma + d)
    silent = log_unreleased(l=case.l, t=(case.gap - posterior) / sigma, b=1 / math.sqrt(gamma + d))
    return np.asarray(ratio + silent)


def _limits(hits: int, n: int) -> tuple[float, float]:
    return clopper_pearson_lower(hits, n, LEVEL), clopper_pearson_upper(hits, n, LEVEL)


def simulate(case: Case, direction: str, n: int, seed: int = 0) -> Simulated:
    """N releases of either histogram, forward (the larger one first) or reverse."""
    counts = []
    for larger in (True, False):
        rng = block_generator(seed, "correlated_simulation", str(case), direction, str(larger))
        out, residuals = _releases(case, larger, n, rng)
        loss = np.where(out, np.inf, _loss(case, residuals))
        counts.append(int(np.sum(loss > case.epsilon if direction == "forward" else -loss > case.epsilon)))
    (first, second) = counts if direction == "forward" else counts[::-1]
    (p_low, p_high), (q_low, q_high), factor = _limits(first, n), _limits(second, n), math.exp(case.epsilon)
    scale, gap = float(case.sigma), float(case.gap)
    exact = accountant.pair(case.epsilon, k=case.k, sigma=scale, gap=gap, l=case.l, j=case.j, direction=direction)
    return Simulated(exact, max(0.0, p_low - factor * q_high), min(1.0, p_high - factor * q_low))


def against_releases(n: int) -> Table:
    """The four cases in both directions."""
    rows = []
    for case in CASES:
        for direction in ("forward", "reverse"):
            found = simulate(case, direction, n)
            numbers = (case.epsilon, case.k, case.sigma, case.gap, f"{case.l}, {case.j}")
            inside = "yes" if found.lower <= found.exact <= found.upper else "no"
            limits = show.real(Fraction(found.lower), 4, -1), show.real(Fraction(found.upper), 4, 1)
            shown = f"{found.exact:.12f}", *limits, inside
            rows.append([*map(str, numbers), direction, *shown])
    return Table(
        caption=f"Exact delta of mixed pairs against {n} releases a side; each binomial limit fails with probability "
        f"{LEVEL:g}",
        columns=["epsilon", "k", "sigma", "tau", "l, j", "direction", "exact", "at least", "at most", "inside"],
        rows=rows,
    )
