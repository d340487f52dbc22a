"""Faults of Algorithm 3 of rogers2024."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.mechanism import AccountantFault
from mechanisms.noise import gumbel
from mechanisms.unknown_domain.gumbel import accountant
from mechanisms.unknown_domain.gumbel.mechanism import MECHANISM, UnknownDomainGumbel, build, law, threshold
from mechanisms.unknown_domain.profiles import finite
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.bounded_range import POINTS, bound_on_picks
from proofs_numeric.rogers2024.neighbours import labels
from proofs_numeric.rogers2024.theorem_9.statement import worst_new_mass
from proofs_numeric.statements.adjacency import ReplaceUser
from proofs_numeric.statements.neighbours import Direction, Neighbours

# --- accountants ------------------------------------------------------------------------------------------------------


def picks_alone(A: Arithmetic, *, epsilon: Number, k: int, beta: Number, delta: Number) -> Any:
    """What the picks cost, and nothing for new items."""
    del delta
    return bound_on_picks(A, epsilon=epsilon, k=k, beta=beta)


def picks_alone_delta(epsilon: float, *, k: int, beta: float, delta: float) -> float:
    """The same in doubles; parameters as for the accountant."""
    new = float(worst_new_mass(Float64(), delta=delta))
    return (accountant.delta(epsilon, k=k, beta=beta, delta=delta) - new) / (1 - new)


# --- thresholds -------------------------------------------------------------------------------------------------------


def build_without_k_bar(*, k: Value, beta: Value, delta: Value, k_bar: Value) -> UnknownDomainGumbel:
    """Algorithm 3 with the T of k_bar = 1; bottom is not printed."""
    low = build(k_bar=1, k=1, beta=beta, delta=delta)
    return replace(build(k_bar=k_bar, k=k, beta=beta, delta=delta), threshold=low.threshold, bottom=False)


def threshold_without_k_bar(A: Arithmetic) -> Number:
    """T of k_bar = 1."""
    return threshold(A, k_bar=1, beta=1, delta="1/20")


def without_one(mechanism: UnknownDomainGumbel) -> UnknownDomainGumbel:
    """Algorithm 3 with T too low by one; bottom is not printed."""
    return replace(mechanism, threshold=mechanism.threshold - 1, bottom=False)


def threshold_without_one(A: Arithmetic) -> Number:
    """T less one."""
    return threshold(A, k_bar=3, beta=1, delta="1/20") - 1


class NoiselessThreshold(UnknownDomainGumbel):
    """Algorithm 3 with an exact threshold."""

    def bar(self, next_count: int, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """The same threshold in every release."""
        del rng
        return np.full((n, 1), self.threshold + next_count)


def first_of_twenty(A: Arithmetic, *, next_count: int) -> dict[str, Any]:
    """K = 1, twenty items of count 5: bottom with probability exp(-20 e^(5 - T - next)), else each item alike."""
    T = threshold(A, k_bar=20, beta=1, delta="1/20")
    bottom = A.exp(-20 * A.exp(5 - T - next_count))
    return {"bottom": bottom, **dict.fromkeys(labels(20), (1 - bottom) / 20)}


# --- scores -----------------------------------------------------------------------------------------------------------


class ScoresReleased(UnknownDomainGumbel):
    """Algorithm 3 that shows the largest noisy count."""

    def ranks(
        self, counts: NDArray[np.float64], next_count: int, places: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """The noisy count, on a grid of 1/1024, of the first pick instead of its rank."""
        n = places.size
        noisy = counts + gumbel.sample(rng, (n, counts.size), scale=self.scale)
        best = noisy.max(axis=1, keepdims=True)
        first_rank = np.where(
            (noisy == best) & (best > self.bar(next_count, n, rng)), np.rint(noisy * 1024) / 1024, np.nan
        )
        bottom = np.where(np.isnan(first_rank).all(axis=1), 1.0, np.nan)
        return np.concatenate([first_rank, bottom[:, None]], axis=1)


def score_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
    """One count far above T that moves by one: Gumbel laws one scale apart, exact up to e^-30.

    The log ratio is 1 - (e - 1) u with u = e^-x, bounded above by 1 and unbounded below.
    """
    e, level = A.exp(A.number(1)), A.number(epsilon)
    if direction is Direction.FORWARD:
        u = A.maximum(0, (1 - level) / (e - 1))
        return A.maximum(0, -A.expm1(-u * e) + A.exp(level) * A.expm1(-u))
    u = (1 + level) / (e - 1)
    return A.exp(-u) - A.exp(level - e * u)


_NEW = Neighbours("c1", dict.fromkeys(labels(3), 1), {}, "k_bar new items")
_ONE_PICK = {**MECHANISM.parameters, "k": 1}
_TWO = MECHANISM.broken(
    id="unknown_domain_gumbel_replaced_user", title="sensitivity in place of range", parameters={"k_bar": 2, "k": 1},
    pair=Neighbours("c2.swap", {"a": 51, "b": 50}, {"a": 50, "b": 51}, "a user moves from one item to another"),
    epsilon="1/2",
    explanation="Every count moves by one at most, but one up and one down: the log ratio ranges over 2/beta. Theorem "
    "5 needs the range of the score, which is its sensitivity only where all counts move the same way.",
)  # fmt: skip

FAULTS = (
    AccountantFault(
        id="unknown_domain_gumbel_picks_alone_accountant", title="picks of bounded range, and nothing for new items",
        mechanism="unknown_domain_gumbel", violates="rogers2024.range.gumbel", accountant=picks_alone_delta,
        formula=picks_alone, parameters=POINTS[0],
        explanation="A label of one side only is shown with probability delta/(1 + delta), however small a range.",
    ),
    MECHANISM.broken(
        id="unknown_domain_gumbel_threshold_without_k_bar", title="threshold for one item",
        caught_by="empirical.impossible_key", build=build_without_k_bar, parameters={"k": 1}, pair="c1",
        profile=law(_NEW, _ONE_PICK, threshold_without_k_bar).profile, epsilon=5,
        explanation="k_bar new items pass with probability k_bar delta/(1 + k_bar delta).",
    ),
    MECHANISM.broken(
        id="unknown_domain_gumbel_threshold_without_one", title="threshold without the count of a new item",
        caught_by="empirical.impossible_key", change=without_one, parameters={"k": 1}, pair="c1",
        profile=law(_NEW, _ONE_PICK, threshold_without_one).profile, epsilon=5,
        explanation="New items have count 1: their mass is e^epsilon delta/(1 + e^epsilon delta).",
    ),
    MECHANISM.broken(
        id="unknown_domain_gumbel_noiseless_threshold", title="threshold without noise", subclass=NoiselessThreshold,
        parameters={"k_bar": 20, "k": 1},
        pair=Neighbours(
            "c5",
            dict.fromkeys(labels(20), 5) | {"zz": 1},
            dict.fromkeys(labels(20), 5),
            "only the threshold moves, under twenty items",
        ),
        profile=partial(
            finite, left=partial(first_of_twenty, next_count=1), right=partial(first_of_twenty, next_count=0)
        ),
        explanation="New-item pairs pass; but one user moves an exact threshold, and an empty list is far more likely "
        "on one side.",
    ),
    MECHANISM.broken(
        id="unknown_domain_gumbel_half_noise", title="half the noise", at={"beta": "1/2"},
        parameters={"k_bar": 10, "k": 1},
        pair=Neighbours(
            "c2",
            dict.fromkeys(labels(10), 50) | {"k00": 51},
            dict.fromkeys(labels(10), 50),
            "one of ten high counts moves",
        ),
        explanation="Every pick costs four times the promised rho.",
    ),
    MECHANISM.broken(
        id="unknown_domain_gumbel_scores_released", title="noisy counts are released", subclass=ScoresReleased,
        parameters={"k_bar": 1, "k": 1},
        pair=Neighbours("c.high", {"a": 51}, {"a": 50}, "one count far above the threshold moves"),
        profile=score_profile, direction=Direction.BACKWARD,
        explanation="The exponential mechanism protects the choice, not the noisy score: its law has no bounded ratio.",
    ),
    # The mechanism is right; whoever takes it for one about replaced users is not.
    replace(_TWO, pair=replace(_TWO.pair, adjacency=ReplaceUser())),
)  # fmt: skip
