"""Exact laws of the known mechanisms on two neighbours, over cells: what any auditor could at best see of them.

Each function returns the probabilities (m,) of m cells on the left and on the right. Continuous outputs are cut into
fine cells; means over the noisy threshold are Gauss-Legendre integrals between the kinks of the integrand.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.power import kl_inf
from tests.known_violations.mechanisms import THRESHOLD

Floats = NDArray[np.float64]
Queries = Sequence[int]
Laws = tuple[Floats, Floats]
FINE = 400
"""Cells of a continuous output on each side of its middle."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def laplace_cdf(x: Floats, scale: float) -> Floats:
    """P[Laplace(scale) <= x]."""
    tail = 0.5 * np.exp(-np.abs(x) / scale)
    return np.where(x < 0, tail, 1.0 - tail)


def exponential_cdf(x: Floats, scale: float) -> Floats:
    """P[Exponential(scale) <= x]."""
    return -np.expm1(-np.maximum(x, 0.0) / scale)


def steps(scale: float, number: int) -> Floats:
    """Distances from a middle, dense near it, to 40 scales on both sides."""
    far = np.geomspace(1e-3, 40.0, number) * scale
    return np.concatenate([-far[::-1], [0.0], far])


def noisy_threshold(scale: float, queries: Queries) -> Laws:
    """Nodes of the noisy threshold and their weights, with the kinks at the queries and at the threshold as ends."""
    ends = np.unique(np.concatenate([THRESHOLD + steps(scale, 12), np.array(queries, dtype=float)]))
    nodes, weights = [], []
    for low, high in pairwise(ends):
        bar = 0.5 * (low + high) + 0.5 * (high - low) * NODES
        nodes.append(bar)
        weights.append(0.5 * (high - low) * WEIGHTS * np.exp(-np.abs(bar - THRESHOLD) / scale) / (2 * scale))
    return np.concatenate(nodes), np.concatenate(weights)


def maximum(left: Queries, right: Queries, scale: float, cdf: Callable[[Floats, float], Floats]) -> Laws:
    """Laws of the largest noisy query, in fine cells."""
    cuts = np.unique(np.concatenate([np.mean(left) + steps(scale, FINE), np.array([*left, *right], dtype=float)]))

    def law(queries: Queries) -> Floats:
        below = np.prod([cdf(cuts - query, scale) for query in queries], axis=0)
        return np.diff(np.concatenate([[0.0], below, [1.0]]))

    return law(left), law(right)


def largest(left: Queries, right: Queries, scale: float) -> Laws:
    """Laws of the place of the largest noisy query, with Laplace noise."""
    ends = np.unique(np.concatenate([np.mean(left) + steps(scale, 12), np.array([*left, *right], dtype=float)]))
    half = 0.5 * np.diff(ends)[:, None]
    top = (0.5 * (ends[1:] + ends[:-1])[:, None] + half * NODES).ravel()
    weights = (half * WEIGHTS).ravel()

    def law(queries: Queries) -> Floats:
        density = [np.exp(-np.abs(top - query) / scale) / (2 * scale) for query in queries]
        below = [laplace_cdf(top - query, scale) for query in queries]
        others = [np.prod([below[j] for j in range(len(queries)) if j != i], axis=0) for i in range(len(queries))]
        return np.array([float(weights @ (density[i] * others[i])) for i in range(len(queries))])

    return law(left), law(right)


def one_number(left: tuple[float, float], right: tuple[float, float]) -> Laws:
    """Laws of Laplace noise around a value: (value, scale) on the left and on the right, in fine cells."""
    middles = [value + steps(scale, FINE) for value, scale in (left, right)]
    cuts = np.unique(np.concatenate(middles))

    def law(value: float, scale: float) -> Floats:
        return np.diff(np.concatenate([[0.0], laplace_cdf(cuts - value, scale), [1.0]]))

    return law(*left), law(*right)


def answers(left: Queries, right: Queries, *, threshold_scale: float, query_scale: float, most: int | None) -> Laws:
    """Laws of the pattern of answers of a sparse vector that stops after `most` positive ones."""
    bar, weights = noisy_threshold(threshold_scale, (*left, *right))

    def law(queries: Queries) -> dict[str, float]:
        open_ended, stopped = {"": np.ones(len(bar))}, dict[str, Floats]()
        for query in queries:
            below = laplace_cdf(bar - query, query_scale) if query_scale else (query < bar).astype(float)
            grown = {}
            for pattern, chance in open_ended.items():
                grown[pattern + "0"] = chance * below
                full = most is not None and pattern.count("1") + 1 >= most
                (stopped if full else grown)[pattern + "1"] = chance * (1.0 - below)
            open_ended = grown
        return {pattern: float(weights @ chance) for pattern, chance in {**open_ended, **stopped}.items()}

    p, q = law(left), law(right)
    patterns = sorted(p | q)
    return np.array([p[x] for x in patterns]), np.array([q[x] for x in patterns])


def noisy_answers(left: Queries, right: Queries, scale: float) -> Laws:
    """Laws of the place and, in fine cells, the value of the first noisy query that passes the noisy threshold."""
    bar, weights = noisy_threshold(scale, (*left, *right))
    cuts = np.unique(np.concatenate([THRESHOLD + steps(scale, FINE // 8), np.array([*left, *right], dtype=float)]))

    def law(queries: Queries) -> Floats:
        none_so_far, cells = weights, []
        for query in queries:
            above = 1.0 - laplace_cdf(np.maximum(cuts, bar[:, None]) - query, scale)
            passes = 1.0 - laplace_cdf(bar - query, scale)
            beyond = np.concatenate([passes[:, None], above, np.zeros((len(bar), 1))], axis=1)
            cells.append(-np.diff(none_so_far @ beyond))
            none_so_far = none_so_far * (1.0 - passes)
        return np.concatenate([*cells, [none_so_far.sum()]])

    return law(left), law(right)


def hockey_stick(laws: Laws, epsilon: float) -> float:
    """Largest excess of an event over e^epsilon times its probability on the other side."""
    p, q = laws
    e = math.exp(epsilon)
    return float(max(np.maximum(p - e * q, 0.0).sum(), np.maximum(q - e * p, 0.0).sum()))


def releases_needed(laws: Laws, epsilon: float, alpha: float) -> float:
    """Releases a side that a bet told both laws needs on average: log(1 / alpha) over its growth on the cells."""
    return -math.log(alpha) / max(kl_inf(*laws, epsilon, 0.0, 0.0).lower, 1e-300)
