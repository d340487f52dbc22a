"""Faults of the baselines of bharadwaj2022 Section 5: Laplace noise, Hadamard response, shuffled coins."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.baselines import central_laplace, hadamard_response, shuffle_bernoulli
from mechanisms.mechanism import AccountantFault, Fault
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold.mechanism import adjacency as add_remove
from mechanisms.sample_and_threshold.replacement import adjacency as replacement
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters

# --- Laplace ----------------------------------------------------------------------------------------------------------


def build_half_scale(*, b: Exact) -> central_laplace.CentralLaplace:
    """Scale b/2: calibrated to one count where two move."""
    return central_laplace.build_replacement(b=Fraction(b) / 2)


class EmptyWithoutNoise(central_laplace.CentralLaplace):
    """Adds noise to items that somebody sampled holds, and leaves the others out."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases, NaN for an item without sampled clients."""
        keys, noise = self.noisy.release_many({}, n, rng)
        counts = rng.binomial([histogram.get(key, 0) for key in keys], self.p, size=noise.shape)
        return keys, np.where(counts > 0, counts + noise, np.nan)


def build_empty_without_noise(*, epsilon_0: Exact, p: Exact) -> EmptyWithoutNoise:
    """Noise on non-empty items only."""
    return EmptyWithoutNoise(**vars(central_laplace.build(epsilon_0=epsilon_0, p=p)))


def presence_profile(A: Any, epsilon: Any, direction: Direction, *, p: Exact) -> Any:
    """The item is there with probability p on the left only."""
    rate, zero = A.number(Fraction(p)), A.number(0)
    left, right = [rate, 1 - rate], [zero, A.number(1)]
    laws = (left, right) if direction is Direction.FORWARD else (right, left)
    return cells.hockey_stick(A, *laws, A.exp(A.number(epsilon)))


# --- Hadamard response ------------------------------------------------------------------------------------------------


class LieFromAll(hadamard_response.HadamardResponse):
    """A client that does not keep its half draws from all indices in place of the other half."""

    def reports(self, items: Any, rng: np.random.Generator) -> NDArray[np.int64]:
        """One index a client."""
        items = np.asarray(items, dtype=np.int64)
        truth = replace(hadamard_response.HadamardResponse(**vars(self)), epsilon=700.0).reports(items, rng)
        anything = rng.integers(0, self.size, size=items.shape)
        return np.where(rng.random(items.shape) < self.keep, truth, anything)


class TwiceEpsilon(hadamard_response.HadamardResponse):
    """Keeps the truth with probability e^(2 epsilon)/(1 + e^(2 epsilon))."""

    @property
    def keep(self) -> float:
        """Probability of a +1 index."""
        return hadamard_response.HadamardResponse(2 * self.epsilon, self.buckets).keep


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


def _reports(kind: Any, epsilon_0: Exact, p: Exact) -> hadamard_response.HadamardReports:
    local = hadamard_response.build(epsilon_0=epsilon_0, p=p).local
    return hadamard_response.HadamardReports(kind(**vars(local)))


def build_lie_from_all(*, epsilon_0: Exact, p: Exact) -> hadamard_response.HadamardReports:
    """Lies drawn from all indices."""
    return _reports(LieFromAll, epsilon_0, p)


def build_twice_epsilon(*, epsilon_0: Exact, p: Exact) -> hadamard_response.HadamardReports:
    """Twice the epsilon."""
    return _reports(TwiceEpsilon, epsilon_0, p)


def build_matrix_too_small(*, epsilon_0: Exact, p: Exact) -> hadamard_response.HadamardReports:
    """Four items and four indices."""
    local = hadamard_response.build(epsilon_0=epsilon_0, p=p, buckets=4).local
    return IndicesOutside(MatrixTooSmall(**vars(local)))


def lie_from_all_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """A +1 index has probability keep + (1 - keep)/2 in all, keep = e/(1 + e)."""
    del direction
    keep = 1 / (1 + A.exp(A.number(-1)))
    truth = (1 + keep) / 2
    return A.maximum(A.number(0), truth - A.exp(A.number(epsilon)) * (1 - truth)) / 2


def outside_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Item k3 (row 4 of 4 indices): uniform with probability keep, else outside; k0 never is outside."""
    keep, zero, four = 1 / (1 + A.exp(A.number(-1))), A.number(0), A.number(4)
    left = [keep / four] * 4 + [(1 - keep) / four] * 4
    right = [keep / 2, (1 - keep) / 2] * 2 + [zero] * 4
    laws = (left, right) if direction is Direction.FORWARD else (right, left)
    return cells.hockey_stick(A, *laws, A.exp(A.number(epsilon)))


# --- shuffled coins ---------------------------------------------------------------------------------------------------


def build_sampled_coins(*, m: Exact, f: Exact, p: Exact) -> shuffle_bernoulli.ShuffledSample:
    """The coins' probability is set for all m clients, and only 2 add them."""
    mechanism = shuffle_bernoulli.build(m=m, f=f, p=p)
    return replace(mechanism, coins=replace(mechanism.coins, clients=2))


class CoinsOnlyWhereHeld(shuffle_bernoulli.ShuffledSample):
    """Adds coins to items that somebody sampled holds."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; an item without sampled clients comes out as 0."""
        true = rng.binomial([histogram.get(key, 0) for key in self.universe], self.p, size=(n, len(self.universe)))
        coins = rng.binomial(self.coins.clients, self.coins.flip, size=true.shape)
        return self.universe, np.where(true > 0, true + coins, 0).astype(np.float64)


def build_coins_where_held(*, m: Exact, f: Exact, p: Exact) -> CoinsOnlyWhereHeld:
    """Coins on non-empty items only."""
    return CoinsOnlyWhereHeld(**vars(shuffle_bernoulli.build(m=m, f=f, p=p)))


def where_held_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """With probability 1/2 the client is sampled, and its own item comes out as 1 + coins, the other one as 0."""
    del direction
    return A.maximum(A.number(Fraction(1, 2)), 1 - A.exp(A.number(epsilon)))


def one_cell(A: Any, *, epsilon: Any, m: int, f: Any, p: Any) -> Any:
    """Delta of one cell that gains a client: half of what a replacement changes."""
    zero = A.number(0)
    coins = [*cells.binomial_law(A, m, f), zero]
    moved = [(1 - p) * here + p * before for here, before in zip(coins, [zero, *coins], strict=False)]
    return cells.hockey_stick(A, moved, coins, A.exp(A.number(epsilon)))


def one_cell_delta(epsilon: float, *, m: int, f: float, p: float) -> float:
    """The same in float64."""
    return float(one_cell(Float64(), epsilon=epsilon, m=m, f=f, p=p))


def _moved(pair_id: str, profile: Any, *, left: str = "k0", right: str = "k1") -> Pair:
    return Pair(pair_id, {left: 1}, {right: 1}, "one client, two items", replacement({}), profile)


def _fault(
    stem: str,
    title: str,
    mechanism: str,
    build: Any,
    parameters: Parameters,
    pair: Pair,
    explanation: str,
    epsilon: Exact = 1,
) -> Fault:
    row = mechanism.removeprefix("central_").removesuffix("_response").removesuffix("_bernoulli").replace("_", ".")
    return Fault(
        id=stem,
        title=title,
        mechanism=mechanism,
        violates=f"bharadwaj2022.base.{row}",
        caught_by="empirical.black_box",
        build=build,
        parameters=parameters,
        pair=pair,
        direction=Direction.FORWARD,
        epsilon=epsilon,
        explanation=explanation,
    )


_LOCAL: dict[str, Exact] = {"epsilon_0": 1, "p": 1}
_ABOVE = "11/10"
"""A little above epsilon_0: nothing is allowed there."""
_COINS: dict[str, Exact] = {"m": 30, "f": "1/5", "p": "1/2"}

FAULTS = (
    _fault(
        "central_laplace_half_scale",
        "scale 1/epsilon where neighbours replace",
        "central_laplace_replacement",
        build_half_scale,
        {"b": 2},
        Pair(
            "moved",
            {"k0": 3, "k1": 2},
            {"k0": 2, "k1": 3},
            "both counts move",
            replacement({}),
            partial(central_laplace.moved_profile, b=1),
        ),
        "Two counts move by one: delta(epsilon) = 1 - e^(-epsilon/2)(1 + epsilon/4), 0 from 2 epsilon on only.",
    ),
    _fault(
        "central_laplace_empty_without_noise",
        "no noise on empty items",
        "central_laplace",
        build_empty_without_noise,
        {"epsilon_0": 2, "p": "3/10"},
        Pair("alone", {"k0": 1}, {}, "one client alone", add_remove({}), partial(presence_profile, p=Fraction(3, 10))),
        "That an item is there at all tells that its only client was sampled.",
    ),
    _fault(
        "hadamard_lie_from_all",
        "a lie is drawn from all indices",
        "hadamard_response",
        build_lie_from_all,
        _LOCAL,
        _moved("alone", lie_from_all_profile),
        "Half of the lies are true: the ratio is 2 e^epsilon + 1, and delta(epsilon) = 1/4 whatever epsilon.",
        _ABOVE,
    ),
    _fault(
        "hadamard_twice_epsilon",
        "e^(2 epsilon) in the probability of the truth",
        "hadamard_response",
        build_twice_epsilon,
        _LOCAL,
        _moved("alone", partial(hadamard_response.profile, epsilon_0=2, p=1)),
        "The report has twice its epsilon.",
        _ABOVE,
    ),
    _fault(
        "hadamard_matrix_too_small",
        "K = B: no power of two above the number of items",
        "hadamard_response",
        build_matrix_too_small,
        _LOCAL,
        _moved("last", outside_profile, left="k3", right="k0"),
        "The last item has the constant row; its lies flip a bit that no index has and leave the matrix.",
        _ABOVE,
    ),
    _fault(
        "shuffle_few_coins",
        "coins are calibrated to more clients than answer",
        "shuffle_bernoulli",
        build_sampled_coins,
        _COINS,
        _moved("moved", partial(shuffle_bernoulli.profile, m=2, f=Fraction(1, 5), p=Fraction(1, 2))),
        "f is set for 30 clients' coins and only 2 add theirs: the noise has a fifteenth of its variance.",
    ),
    _fault(
        "shuffle_coins_where_held",
        "no coins on empty items",
        "shuffle_bernoulli",
        build_coins_where_held,
        _COINS,
        _moved("moved", where_held_profile),
        "An item is above 0 only where its client was sampled.",
    ),
    AccountantFault(
        id="shuffle_one_cell",
        title="the delta of one cell where a replacement moves two",
        mechanism="shuffle_bernoulli",
        violates="bharadwaj2022.base.shuffle",
        caught_by="numeric.accountant",
        accountant=one_cell_delta,
        formula=one_cell,
        parameters={"epsilon": "1/2", "m": 20, "f": "1/5", "p": "1/2"},
        explanation="Add/remove shifts one cell; a replacement shifts a second one the other way.",
    ),
)
