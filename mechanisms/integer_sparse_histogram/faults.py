"""Planted faults of the integer sparse histogram: a threshold one lower, noise of a rounded scale, the maximum rule."""

from typing import Any

from mechanisms.integer_sparse_histogram.mechanism import MECHANISM
from mechanisms.mechanism import AccountantFault, InDoubles
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.thresholds.integer import discrete_gaussian_tail
from proofs_numeric.thresholds.integer_profile import BETWEEN_THE_ENDS, pair_profiles, two_ends
from proofs_numeric.thresholds.integer_sums import FORGOTTEN
from proofs_numeric.wilkins2024.composition.budgets import filter_bound


@InDoubles
def maximum_rule(A: Arithmetic, **at: Any) -> Any:
    """The larger of the two ends."""
    return two_ends(A, **at)


@InDoubles
def strict_tail(A: Arithmetic, *, threshold: int, **parameters: Any) -> Number:
    """The exact profile at the next threshold: P[Z > T - m] for P[Z >= T - m]."""
    return A.maximum(*pair_profiles(A, threshold=threshold + 1, **parameters))


@InDoubles
def counts_alone(A: Arithmetic, *, sigma_s: Number, per_sum: int, **counts: Any) -> Number:
    """The exact profile of the counts, whatever is released beside them."""
    del sigma_s, per_sum
    return A.maximum(*pair_profiles(A, **counts))


@InDoubles
def continuous_distance(
    A: Arithmetic, *, epsilon: Number, releases: int, sigma: Number, threshold: int, c_u: int, per_key: int
) -> Any:
    """The bound on releases with m/sigma, a continuous count's distance."""
    rows, sigma = A.number(releases * c_u), A.number(sigma)
    loss = -rows * A.log1p(-discrete_gaussian_tail(A, sigma, threshold - per_key))
    return filter_bound(A, epsilon=epsilon, loss=loss, mu=A.sqrt(rows) * per_key / sigma)


FAULTS = (
    MECHANISM.broken(
        id="integer_sparse_histogram_low_threshold", title="keys at threshold - 1 are released", pair="new_keys",
        at={"threshold": 4}, parameters={"threshold": 5}, epsilon=2,
        explanation="On integers > and >= are different mechanisms: a new key passes e^(1/2) to e^3 times as often.",
    ),
    MECHANISM.broken(
        id="integer_sparse_histogram_truncated_scale", title="sigma is truncated to a whole number", pair="moved",
        at={"sigma": 1}, parameters={"sigma": "19/10", "threshold": 12},
        explanation="The noise of sigma = 1.9 has sigma = 1: nearly four times the loss of a key that moves.",
    ),
    AccountantFault(
        id="integer_maximum_rule_accountant", title="the maximum rule on integers",
        mechanism="integer_sparse_histogram", violates="thresholds.gaussian.integer.profile", accountant=maximum_rule,
        parameters=BETWEEN_THE_ENDS,
        explanation="One new key beside three that move is worse than four of either kind, where losses are a lattice.",
    ),
    AccountantFault(
        id="integer_strict_threshold_accountant", title="P[Z > T - m] in place of P[Z >= T - m]",
        mechanism="integer_sparse_histogram", violates="thresholds.gaussian.integer.profile", accountant=strict_tail,
        parameters={"epsilon": 2, "sigma": 2, "threshold": 7, "c_u": 2, "per_key": 1},
        explanation="The defect of opendp issue 2922: continuous noise has no mass at the threshold, integers have.",
    ),
    AccountantFault(
        id="integer_sums_forgotten_accountant", title="the counts' delta for counts with sums",
        mechanism="integer_sparse_histogram_sums", violates="thresholds.gaussian.integer.sums", accountant=counts_alone,
        parameters=FORGOTTEN,
        explanation="A released key takes a sum along that tells of the same user: distances add.",
    ),
    AccountantFault(
        id="integer_taken_for_continuous_accountant",
        title="integer noise spends what continuous noise of the same sigma does", mechanism="integer_sparse_histogram",
        violates="thresholds.gaussian.integer.releases", accountant=continuous_distance,
        parameters={"epsilon": 0, "releases": 1, "sigma": 1, "threshold": 12, "c_u": 1, "per_key": 1},
        explanation="At epsilon = 0 a count that moves by one tells P[Z = 0] = 0.399, a continuous one 0.383.",
    ),
)  # fmt: skip
