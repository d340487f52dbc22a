"""Accountants of the iterated weighted set union, rounded up: an upper bound, and exact for users of one key.

`proofs_numeric`, claims thresholds.iterated.keys and thresholds.iterated.one.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from mechanisms.weighted_set_union import accountant as weighted
from proofs_numeric.arithmetic import Ball
from proofs_numeric.thresholds.iterated import ROUNDS, one_key_delta, same_data_bound


def delta(epsilon: float, *, c_u: int = 1, **rounds: float) -> float:
    """Upper bound on delta at epsilon if the data stay the same, exact where the worst user has only new keys.

    Args:
        epsilon: >= 0 (nats).
        c_u: most keys that one user has.
        rounds: sigma_1, threshold_1, sigma_2 and so on: noise and threshold of three rounds (weights).

    Raises:
        ValueError: a value out of range or NaN.
    """
    _rounds(c_u, rounds)
    return _rounded_up(same_data_bound, epsilon, rounds, c_u=int(c_u))


def one_key(epsilon: float, **rounds: float) -> float:
    """Exact delta at epsilon where a user has one key, rounded up; parameters and errors as of `delta`."""
    _rounds(1, rounds)
    return _rounded_up(one_key_delta, epsilon, rounds)


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


def _rounded_up(formula: Callable[..., Any], epsilon: float, rounds: dict[str, float], **whole: int) -> float:
    sparse_histogram.check_epsilon(epsilon)
    with Ball(128) as A:
        exact = {name: A.number(Fraction(value)) for name, value in {"epsilon": epsilon, **rounds}.items()}
        return min(1.0, math.nextafter(float(formula(A, **exact, **whole).upper()), math.inf))
