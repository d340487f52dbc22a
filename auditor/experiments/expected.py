"""Expected errors of the curves, without simulation: exact for sample-and-threshold and Laplace noise, else bracketed.

All are means over buckets of E|estimated - true frequency| in float64, as a fraction of the population; buckets with
equal counts are computed once. With X the centred sampled count of a bucket and N independent centred noise,
max(E|X|, E|N|) <= E|X + N| <= E|X| + E|N| (Jensen's and the triangle inequality).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from auditor.experiments.populations import Counts
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022.section_5.experiments import cell_error

_FAR = 40
"""Laplace noise this many scales away from a count no longer changes its absolute value: e^-40."""


@dataclass(frozen=True)
class Bracket:
    """A number between two float64 numbers."""

    lower: float
    upper: float


def threshold_error(counts: Counts, *, p: float, tau: float) -> float:
    """Expected error of sample-and-threshold; tau = 0 is plain Poisson sampling."""
    values, times = np.unique(counts, return_counts=True)
    cells = cell_error(Float64(), W=values, p_s=p, tau=int(tau))
    return float(cells @ times / (p * counts.sum() * counts.size))


def laplace_error(counts: Counts, *, p: float, b: float) -> float:
    """Expected error of Laplace noise of scale b on a Poisson sample: E|X| + b E exp(-|X|/b)."""
    values, times = np.unique(counts, return_counts=True)
    width = math.ceil(_FAR * b)
    outcomes = np.floor(values * p).astype(int)[:, None] + np.arange(-width, width + 2)
    noise = b * np.sum(
        stats.binom.pmf(outcomes, values[:, None], p) * np.exp(-np.abs(outcomes - values[:, None] * p) / b), axis=1
    )
    return threshold_error(counts, p=p, tau=0) + float(noise @ times / (p * counts.sum() * counts.size))


def reported_share(counts: Counts, *, p: float, tau: float) -> float:
    """Expected share of the buckets that sample-and-threshold reports."""
    return float(np.mean(stats.binom.sf(tau - 1, counts, p)))


def shuffle_error(counts: Counts, *, m: float, f: float) -> Bracket:
    """Expected error of shuffled coins on m clients drawn without replacement."""
    coins = float(mean_deviation(m, f)) / m
    sampling = float(_hypergeometric_deviation(counts, m).mean()) / m
    return Bracket(max(coins, sampling), coins + sampling)


def hadamard_error(counts: Counts, *, m: float, epsilon_0: float) -> Bracket:
    """Expected error of Hadamard response on m clients drawn without replacement.

    Given h holders of the item among them, the sum of signs is 2 Bin(m - h, 1/2) - (m - h) plus that of the holders.
    The lower end leaves the holders' part out, at the largest h; the upper end is the standard deviation at most.
    """
    slope = math.tanh(epsilon_0 / 2)
    others = np.maximum(m - counts, 0)
    lower = 2 * float(np.mean(mean_deviation(others, 0.5))) / (m * slope)
    frequency = counts / counts.sum()
    return Bracket(lower, float(np.mean(np.sqrt((1 / slope**2 - frequency**2) / m))))


def mean_deviation(n: float | Counts, p: float) -> Any:
    """``E|Bin(n, p) - n p|`` (de Moivre)."""
    return cell_error(Float64(), W=n, p_s=p, tau=0)


def _hypergeometric_deviation(counts: Counts, m: float) -> NDArray[np.float64]:
    """``E|H - m c/n|`` for each count c, H the number of its clients among m of n: 2 k (n - c - m + k) P[H = k]/n."""
    n = int(counts.sum())
    k = np.floor(m * counts / n).astype(int) + 1
    return np.asarray(2 * k * (n - counts - m + k) * stats.hypergeom.pmf(k, n, counts, m) / n)
