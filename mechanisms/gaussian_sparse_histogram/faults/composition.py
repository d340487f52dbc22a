"""Accountants of several releases that report less than their composition."""

import math
from collections.abc import Sequence
from typing import Any

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release, three_kinds
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.wilkins2024.composition import fixed
from proofs_numeric.wilkins2024.composition.adaptive import TWICE, maximum_rule
from proofs_numeric.wilkins2024.composition.stopping import LOW_LAST

_KINDS = (1, 2, 3)


def maximum_of_kinds(epsilon: float, **kinds: Any) -> float:
    """The maximum rule over releases of three kinds; parameters as for the exact accountant."""
    return _maximum(epsilon, three_kinds(**kinds))


def maximum_of_kinds_in_turn(epsilon: float, *, c_u: int, **kinds: Any) -> float:
    """The maximum rule; parameters as where neighbours are chosen as one goes."""
    numbers = ((kinds[f"releases_{i}"] * c_u, kinds[f"sigma_{i}"], kinds[f"gap_{i}"]) for i in _KINDS)
    return _maximum(epsilon, [Release(*kind) for kind in numbers if kind[0]])


def _maximum(epsilon: float, releases: Sequence[Release]) -> float:
    exact.check_epsilon(epsilon)
    loss, square = (sum(getattr(kind, part) * kind.c_u for kind in releases) for part in ("loss", "square"))
    return max(-math.expm1(-loss), gaussian.profile(epsilon, math.sqrt(square)))


def two_ends_in_turn(A: Arithmetic, *, epsilon: Number, c_u: int, **kinds: Any) -> Any:
    """The same in any arithmetic."""
    rows = {f"rows_{i}": kinds.pop(f"releases_{i}") * c_u for i in _KINDS}
    return fixed.composed_two_ends(A, epsilon=epsilon, **rows, **kinds)


def maximum_of_releases(
    epsilon: float, *, releases: int, c_u: int, sigma: float, gap: float, mu_o: float = 0.0
) -> float:
    """Theorem 5.4 at T C_u rows; parameters as for the adaptive accountant."""
    return exact.delta(epsilon, c_u=releases * c_u, sigma=sigma, gap=gap, mu_o=mu_o)


def noise_alone(epsilon: float, *, loss: float, mu: float) -> float:
    """What the squares cost, and nothing for rows at their thresholds."""
    del loss
    return gaussian.profile(epsilon, mu)


def noise_alone_formula(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """The same in any arithmetic."""
    del loss
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


FAULTS = (
    AccountantFault(
        id="ledger_without_thresholds_accountant", title="a ledger of the noise alone",
        mechanism="gaussian_sparse_histogram", violates="wilkins2024.composition.filter", accountant=noise_alone,
        formula=noise_alone_formula, parameters={"epsilon": 1, "loss": "1/1000", "mu": "1/5"},
        explanation="Each day's new keys pass their threshold with some probability, and no noise makes up for it.",
    ),
    AccountantFault(
        id="composed_maximum_rule_accountant", title="the maximum rule for releases with different thresholds",
        mechanism="gaussian_sparse_histogram", violates="wilkins2024.composition.fixed", accountant=maximum_of_kinds,
        formula=fixed.composed_two_ends, parameters=fixed.NOISY_AND_PLAIN,
        explanation="One release may be worst at its threshold and another far above it: the delta is up to twice the "
        "larger of the two ends.",
    ),
    AccountantFault(
        id="adaptive_maximum_rule_accountant", title="the maximum rule for adaptive releases",
        mechanism="gaussian_sparse_histogram", violates="wilkins2024.composition.adaptive",
        accountant=maximum_of_releases, formula=maximum_rule, parameters=TWICE,
        explanation="An adversary who sees a small loss of a high row plays rows at the threshold next, which is more "
        "than either alone.",
    ),
    AccountantFault(
        id="adaptive_maximum_of_kinds_accountant",
        title="the maximum rule for adaptive releases with different thresholds", mechanism="gaussian_sparse_histogram",
        violates="wilkins2024.composition.adaptive.kinds", accountant=maximum_of_kinds_in_turn,
        formula=two_ends_in_turn, parameters=LOW_LAST,
        explanation="Who sees the losses of the first releases chooses the rows of the next by them, and gains most "
        "where the low threshold comes last.",
    ),
)  # fmt: skip
