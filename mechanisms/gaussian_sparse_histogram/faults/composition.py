"""Accountants of several releases that report less than their composition."""

from __future__ import annotations

import math

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release
from mechanisms.mechanism import AccountantFault
from proofs_numeric.wilkins2024.composition.adaptive import TWICE, maximum_rule
from proofs_numeric.wilkins2024.composition.fixed import NOISY_AND_PLAIN, composed_two_ends


def maximum_of_kinds(
    epsilon: float, *, rows_1: int, sigma_1: float, gap_1: float, rows_2: int, sigma_2: float, gap_2: float
) -> float:
    """The maximum rule over releases of two kinds; parameters as for the exact accountant."""
    exact.check_epsilon(epsilon)
    kinds = Release(rows_1, sigma_1, gap_1), Release(rows_2, sigma_2, gap_2)
    loss, square = (sum(getattr(kind, part) * kind.c_u for kind in kinds) for part in ("loss", "square"))
    return max(-math.expm1(-loss), gaussian.profile(epsilon, math.sqrt(square)))


def maximum_of_releases(
    epsilon: float, *, releases: int, c_u: int, sigma: float, gap: float, mu_o: float = 0.0
) -> float:
    """Theorem 5.4 at T C_u rows; parameters as for the adaptive accountant."""
    return exact.delta(epsilon, c_u=releases * c_u, sigma=sigma, gap=gap, mu_o=mu_o)


FAULTS = (
    AccountantFault(
        id="composed_maximum_rule_accountant",
        title="the maximum rule for releases with different thresholds",
        mechanism="gaussian_sparse_histogram",
        violates="wilkins2024.composition.fixed",
        caught_by="numeric.accountant",
        accountant=maximum_of_kinds,
        formula=composed_two_ends,
        parameters=NOISY_AND_PLAIN,
        explanation="One release may be worst at its threshold and another far above it: the delta is up to twice "
        "the larger of the two ends.",
    ),
    AccountantFault(
        id="adaptive_maximum_rule_accountant",
        title="the maximum rule for adaptive releases",
        mechanism="gaussian_sparse_histogram",
        violates="wilkins2024.composition.adaptive",
        caught_by="numeric.accountant",
        accountant=maximum_of_releases,
        formula=maximum_rule,
        parameters=TWICE,
        explanation="An adversary who sees a small loss of a high row plays rows at the threshold next, which is more "
        "than either alone.",
    ),
)
