"""Accountants of the iterated weighted set union, float64: an upper bound, and exact for users of one key.

`proofs_numeric`, claims thresholds.iterated.delta and thresholds.iterated.one.
"""

import math
from fractions import Fraction

import numpy as np

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from mechanisms.weighted_set_union import accountant as weighted
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.thresholds.iterated import ROUNDS, one_key_delta
from proofs_numeric.thresholds.weighted import most_lost

_ROUNDING = 1e-12
"""Above the relative rounding of three rounds."""


def delta(epsilon: float, *, c_u: int = 1, **rounds: float) -> float:
    """Upper bound on delta at epsilon, whatever the data become between the rounds.

    Args:
        epsilon: >= 0 (nats).
        c_u: most keys that one user has.
        rounds: sigma_1, threshold_1, sigma_2 and so on: noise and threshold of three rounds (weights).

    Raises:
        ValueError: a value out of range or NaN.
    """
    loss = square = 0.0
    sparse_histogram.check_epsilon(epsilon)
    for sigma, threshold in _rounds(c_u, rounds):
        at = {"sigma": np.float64(sigma), "threshold": np.float64(threshold)}
        loss += float(most_lost(Float64(), c_u=c_u, **at))
        square += 1 / sigma**2
    noise = gaussian.profile(epsilon, math.sqrt(square))
    return min(1.0, (-math.expm1(-loss) + math.exp(-loss) * noise) * (1 + _ROUNDING))


def one_key(epsilon: float, **rounds: float) -> float:
    """Exact delta at epsilon where a user has one key, rounded up; parameters and errors as of `delta`."""
    sparse_histogram.check_epsilon(epsilon)
    _rounds(1, rounds)
    with Ball(128) as A:
        exact = {name: A.number(Fraction(value)) for name, value in {"epsilon": epsilon, **rounds}.items()}
        return math.nextafter(float(one_key_delta(A, **exact).upper()), math.inf)


def worst_of_rounds(epsilon: float, *, c_u: int = 1, **rounds: float) -> float:
    """Largest of the rounds' own deltas, which is too little for all of them; parameters as of `delta`."""
    return max(
        weighted.delta(epsilon, sigma=sigma, threshold=threshold, c_u=c_u) for sigma, threshold in _rounds(c_u, rounds)
    )


def _rounds(c_u: int, at: dict[str, float]) -> list[tuple[float, float]]:
    rounds = [(at[f"sigma_{i}"], at[f"threshold_{i}"]) for i in ROUNDS]
    for sigma, threshold in rounds:
        sparse_histogram.check(c_u=c_u, sigma=sigma, gap=threshold, mu_o=0.0)
    return rounds
