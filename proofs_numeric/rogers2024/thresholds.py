"""Thresholds of Theorems 7, 8, 9 and 11 (counts): what a noisy count must exceed to be printed."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.binary import binary_digits
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.enumeration import floor_levels


def laplace_threshold(A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number) -> Number:
    """``T = D_inf + (D_inf/epsilon) log(D_0 / (2 delta))`` (counts)."""
    return delta_inf + delta_inf / A.number(epsilon) * (A.log(A.number(delta_0)) - A.log(2 * A.number(delta)))


def gaussian_threshold(A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number) -> Number:
    """``T = D_inf + (D_inf/epsilon) z(delta/D_0)`` (counts), ``z`` the upper normal quantile."""
    return delta_inf + delta_inf / A.number(epsilon) * normal_quantile_complement(A, A.number(delta) / delta_0)


def top_threshold(A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number) -> Number:
    """``T = D_inf + sqrt(2) (D_inf/epsilon) z(delta/D_0)`` (counts)."""
    quantile = normal_quantile_complement(A, A.number(delta) / delta_0)
    return delta_inf + A.sqrt(2) * delta_inf / A.number(epsilon) * quantile


def gumbel_threshold(A: Arithmetic, *, k_bar: Number, epsilon: Number, delta: Number) -> Number:
    """``T = 1 + log(k_bar/delta)/epsilon`` (counts), Gumbel noise of scale ``1/epsilon``."""
    return 1 + (A.log(A.number(k_bar)) - A.log(A.number(delta))) / A.number(epsilon)


def threshold_of_levels(
    A: Arithmetic, *, terms: Number, L: Number, delta_0: Number, epsilon: Number, delta: Number
) -> Number:
    """``T = 1 + sigma sqrt(terms) z(delta/(D_0 L))`` with ``sigma = 1/epsilon`` (counts)."""
    quantile = normal_quantile_complement(A, A.number(delta) / (delta_0 * L))
    return 1 + A.sqrt(A.number(terms)) / A.number(epsilon) * quantile


def threshold_of_statement(A: Arithmetic, *, L: int, delta_0: Number, epsilon: Number, delta: Number) -> Number:
    """``T = 1 + sigma sqrt(ceil(log2(L+1)) + 1) z(delta/(D_0 L))`` with ``sigma = 1/epsilon`` (counts)."""
    return threshold_of_levels(A, terms=binary_digits(A, L) + 1, L=L, delta_0=delta_0, epsilon=epsilon, delta=delta)


def threshold_of_proof(A: Arithmetic, *, L: int, delta_0: Number, epsilon: Number, delta: Number) -> Number:
    """``T = 1 + sigma sqrt(ceil(log2(L+1))) z(delta/(D_0 L))`` with ``sigma = 1/epsilon`` (counts)."""
    return threshold_of_levels(A, terms=binary_digits(A, L), L=L, delta_0=delta_0, epsilon=epsilon, delta=delta)


def threshold_of_floor(A: Arithmetic, *, L: int, delta_0: Number, epsilon: Number, delta: Number) -> Number:
    """``T = 1 + sigma sqrt(floor(log2(L+1))) z(delta/(D_0 L))``: the most noise terms any round adds."""
    return threshold_of_levels(A, terms=floor_levels(L), L=L, delta_0=delta_0, epsilon=epsilon, delta=delta)
