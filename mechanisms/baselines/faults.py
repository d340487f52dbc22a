"""Faults of the baselines of bharadwaj2022 Section 5: Laplace noise, Hadamard response, shuffled coins."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.baselines import central_laplace, hadamard_response, shuffle_bernoulli
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import AccountantFault, InDoubles
from mechanisms.sample_and_threshold.mechanism import stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.expression import exp, lift, maximum, symbol
from proofs_numeric.statements.neighbours import Direction, Neighbours

# --- Laplace ----------------------------------------------------------------------------------------------------------


class EmptyWithoutNoise(central_laplace.CentralLaplace):
    """Adds noise to items that somebody sampled holds, and leaves the others out."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases, NaN for an item without sampled clients."""
        keys, noise = self.noisy.release_many({}, n, rng)
        counts = rng.binomial([histogram.get(key, 0) for key in keys], self.p, size=noise.shape)
        return keys, np.where(counts > 0, counts + noise, np.nan)


# --- Hadamard response ------------------------------------------------------------------------------------------------


class LieFromAll(hadamard_response.HadamardResponse):
    """A client that does not keep its half draws from all indices in place of the other half."""

    def reports(self, items: Any, rng: np.random.Generator) -> NDArray[np.int64]:
        """One index a client."""
        items = np.asarray(items, dtype=np.int64)
        truth = replace(hadamard_response.HadamardResponse(**vars(self)), epsilon=700.0).reports(items, rng)
        anything = rng.integers(0, self.size, size=items.shape)
        return np.where(rng.random(items.shape) < self.keep, truth, anything)


class MatrixTooSmall(hadamard_response.HadamardResponse):
    """K = B: the last item's row lies outside the matrix."""

    @property
    def size(self) -> int:
        """Number of indices, B."""
        return self.buckets


class IndicesOutside(hadamard_response.HadamardReports):
    """Counts indices beyond the matrix too."""

    @property
    def indices(self) -> int:
        """Number of indices counted."""
        return 2 * self.local.size


def of_local(
    subclass: type[hadamard_response.HadamardResponse],
    mechanism: hadamard_response.HadamardReports,
    reports: type[hadamard_response.HadamardReports] = hadamard_response.HadamardReports,
    **fields: int,
) -> hadamard_response.HadamardReports:
    """Reports of clients whose local mechanism is another."""
    return reports(subclass(**(vars(mechanism.local) | fields)))


def outside_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """Item k3 (row 4 of 4 indices): uniform with probability keep, else outside; k0 never is outside."""
    keep, zero, four = 1 / (1 + A.exp(A.number(-1))), A.number(0), A.number(4)
    left = [keep / four] * 4 + [(1 - keep) / four] * 4
    right = [keep / 2, (1 - keep) / 2] * 2 + [zero] * 4
    return stick(A, epsilon, direction, list(zip(left, right, strict=True)))


# --- shuffled coins ---------------------------------------------------------------------------------------------------


class CoinsOnlyWhereHeld(shuffle_bernoulli.ShuffledSample):
    """Adds coins to items that somebody sampled holds."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; an item without sampled clients comes out as 0."""
        true = rng.binomial([histogram.get(key, 0) for key in self.universe], self.p, size=(n, len(self.universe)))
        coins = rng.binomial(self.coins.clients, self.coins.flip, size=true.shape)
        return self.universe, np.where(true > 0, true + coins, 0).astype(np.float64)


@InDoubles
def one_cell(A: Arithmetic, *, epsilon: Number, m: int, f: Number, p: Number) -> Any:
    """Delta of one cell that gains a client: half of what a replacement changes."""
    zero = A.number(0)
    coins = [*cells.binomial_law(A, m, f), zero]
    moved = [(1 - p) * here + p * before for here, before in zip(coins, [zero, *coins], strict=False)]
    return cells.hockey_stick(A, moved, coins, A.exp(A.number(epsilon)))


_EPSILON = symbol("epsilon")
_TRUTH = (1 + 1 / (1 + exp(-1))) / 2
"""Probability of a +1 index in all, where lies are drawn from all indices."""
_LOCAL: dict[str, Value] = {"epsilon_0": 1, "p": 1}
_ABOVE = "11/10"
"""A little above epsilon_0: nothing is allowed there."""
_LAPLACE, _LAPLACE_REPLACEMENT = central_laplace.MECHANISMS

FAULTS = (
    _LAPLACE_REPLACEMENT.broken(
        id="central_laplace_half_scale", title="scale 1/epsilon where neighbours replace", at={"b": 1}, pair="moved",
        explanation="Two counts move by one: delta(epsilon) = 1 - e^(-epsilon/2)(1 + epsilon/4), 0 from 2 epsilon on "
        "only.",
    ),
    _LAPLACE.broken(
        id="central_laplace_empty_without_noise", title="no noise on empty items", subclass=EmptyWithoutNoise,
        pair="alone", profile=partial(one_sided, mass=lift("3/10")),
        explanation="That an item is there at all tells that its only client was sampled.",
    ),
    hadamard_response.MECHANISM.broken(
        id="hadamard_lie_from_all", title="a lie is drawn from all indices", change=partial(of_local, LieFromAll),
        parameters=_LOCAL, pair="alone", profile=maximum(0, _TRUTH - exp(_EPSILON) * (1 - _TRUTH)) / 2, epsilon=_ABOVE,
        explanation="Half of the lies are true: the ratio is 2 e^epsilon + 1, and delta(epsilon) = 1/4 whatever "
        "epsilon.",
    ),
    hadamard_response.MECHANISM.broken(
        id="hadamard_twice_epsilon", title="e^(2 epsilon) in the probability of the truth", parameters=_LOCAL,
        at={"epsilon_0": 2}, pair="alone", epsilon=_ABOVE, explanation="The report has twice its epsilon.",
    ),
    hadamard_response.MECHANISM.broken(
        id="hadamard_matrix_too_small", title="K = B: no power of two above the number of items",
        change=partial(of_local, MatrixTooSmall, reports=IndicesOutside, buckets=4), parameters=_LOCAL,
        pair=Neighbours("last", {"k3": 1}, {"k0": 1}, "one client, two items"), profile=outside_profile, epsilon=_ABOVE,
        explanation="The last item has the constant row; its lies flip a bit that no index has and leave the matrix.",
    ),
    shuffle_bernoulli.MECHANISM.broken(
        id="shuffle_few_coins", title="coins are calibrated to more clients than answer", at={"m": 2}, pair="moved",
        explanation="f is set for 30 clients' coins and only 2 add theirs: the noise has a fifteenth of its variance.",
    ),
    shuffle_bernoulli.MECHANISM.broken(
        id="shuffle_coins_where_held", title="no coins on empty items", subclass=CoinsOnlyWhereHeld, pair="moved",
        profile=maximum(Fraction(1, 2), 1 - exp(_EPSILON)),  # not sampled, both sides are 0
        explanation="An item is above 0 only where its client was sampled.",
    ),
    AccountantFault(
        id="shuffle_one_cell", title="the delta of one cell where a replacement moves two",
        mechanism="shuffle_bernoulli", violates="bharadwaj2022.base.shuffle", accountant=one_cell,
        parameters={"epsilon": "1/2", "m": 20, "f": "1/5", "p": "1/2"},
        explanation="Add/remove shifts one cell; a replacement shifts a second one the other way.",
    ),
)  # fmt: skip
