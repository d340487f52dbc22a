"""Faults of the sample-and-threshold histogram: threshold, sampling rate, sample size.

The claimed delta of Theorem 2 hides most of them: they are held against the exact delta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import BatchMechanism, Fault
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold import mechanism as correct
from mechanisms.sample_and_threshold.fixed_size_sample import FixedSize
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_PARAMETERS: dict[str, Exact] = {"p": "3/10", "tau": 5}
_P, _TAU = Fraction(3, 10), 5
_MAJORITY = 40


def _stick(A: Any, epsilon: Any, direction: Direction, left: list[Any], right: list[Any]) -> Any:
    laws = (left, right) if direction is Direction.FORWARD else (right, left)
    return cells.hockey_stick(A, *laws, A.exp(A.number(epsilon)))


def _cell(A: Any, epsilon: Any, direction: Direction, *, k: int, tau: int = _TAU, p: Any = _P) -> Any:
    laws = [cells.cell_outcomes(A, copies, A.number(p), tau) for copies in (k, k - 1)]
    return _stick(A, epsilon, direction, *laws)


# --- thresholds -------------------------------------------------------------------------------------------------------


def build_off_by_one(*, p: Exact, tau: Exact) -> correct.SampleAndThreshold:
    """Shows a count from tau - 1 on."""
    mechanism = correct.build(p=p, tau=tau)
    return replace(mechanism, tau=mechanism.tau - 1)


def off_by_one_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of 2 copies against 1 at threshold 2 and rate 1/2."""
    return _cell(A, epsilon, direction, k=2, tau=2, p=Fraction(1, 2))


def build_no_threshold(*, p: Exact, tau: Exact) -> correct.SampleAndThreshold:
    """Shows whatever was sampled."""
    return replace(correct.build(p=p, tau=tau), tau=1)


def no_threshold_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of one copy against none at threshold 1."""
    return _cell(A, epsilon, direction, k=1, tau=1)


class TrueCountDecides(correct.SampleAndThreshold):
    """Compares the true count with tau and shows the sampled one."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; a sampled count of 0 is not shown."""
        heavy = {key: count for key, count in histogram.items() if count >= self.tau}
        return correct.SampleAndThreshold(self.p, 1).release_many(heavy, n, rng)


def build_true_count(*, p: Exact, tau: Exact) -> TrueCountDecides:
    """The mechanism with tau on the true count."""
    return TrueCountDecides(**vars(correct.build(p=p, tau=tau)))


def true_count_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of 5 copies, shown unless none is sampled, against 4, never shown."""
    return _stick(A, epsilon, direction, cells.cell_outcomes(A, _TAU, A.number(_P), 1), [A.number(1)])


# --- rate -------------------------------------------------------------------------------------------------------------

_FORGOTTEN = Fraction(63, 100)


def build_alpha_forgotten(*, p: Exact, tau: Exact) -> correct.SampleAndThreshold:
    """Samples at 1 - e^-1 (63%) in place of alpha (1 - e^-1)."""
    return replace(correct.build(p=p, tau=tau), p=float(_FORGOTTEN))


def alpha_forgotten_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of 6 against 5 copies at rate 0.63."""
    return _cell(A, epsilon, direction, k=6, p=_FORGOTTEN)


_LINEAR = Fraction(4746, 10_000)


def build_linear_rate(*, p: Exact, tau: Exact) -> correct.SampleAndThreshold:
    """Samples at alpha epsilon in place of alpha (1 - e^-epsilon): 0.4746 for 0.3 at epsilon = 1."""
    return replace(correct.build(p=p, tau=tau), p=float(_LINEAR))


def linear_rate_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of 5 copies against 4 at rate 0.4746."""
    return _cell(A, epsilon, direction, k=5, p=_LINEAR)


# --- what is shown ----------------------------------------------------------------------------------------------------


class TrueCountShown(correct.SampleAndThreshold):
    """Compares the sampled count with tau and shows the true one."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases of true counts, NaN where too few were sampled."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.where(np.isnan(values), np.nan, [float(histogram[key]) for key in keys])


def build_true_count_shown(*, p: Exact, tau: Exact) -> TrueCountShown:
    """The mechanism that shows true counts."""
    return TrueCountShown(**vars(correct.build(p=p, tau=tau)))


def true_count_shown_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """20 copies against 19: when shown the count tells them apart."""
    more, fewer = (cells.upper_tail(A, k, A.number(_P), _TAU) for k in (20, 19))
    zero = A.number(0)
    return _stick(A, epsilon, direction, [1 - more, more, zero], [1 - fewer, zero, fewer])


# --- sample size ------------------------------------------------------------------------------------------------------


def build_fixed_size(*, p: Exact, tau: Exact) -> FixedSize:
    """Draws m = 12 clients, 0.3 of the pair's 40."""
    return FixedSize(m=int(Fraction(p) * _MAJORITY), tau=correct.integer("tau", tau))


def fixed_size_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """With the unique client drawn (probability 12/41) 11 of the majority are shown, else 12; without it always 12."""
    drawn = A.number(Fraction(12, _MAJORITY + 1))
    return _stick(A, epsilon, direction, [drawn, 1 - drawn], [A.number(0), A.number(1)])


@dataclass(frozen=True)
class WithReplacement(BatchMechanism):
    """Draws clients one at a time, with replacement."""

    draws: int
    tau: int

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: one column a key in the order of names, NaN where not shown."""
        keys = tuple(sorted(histogram))
        shares = np.array([histogram[key] for key in keys], dtype=np.float64)
        values = rng.multinomial(self.draws, shares / shares.sum(), size=n).astype(np.float64)
        values[values < self.tau] = np.nan
        return keys, values


def build_with_replacement(*, p: Exact, tau: Exact) -> WithReplacement:
    """Draws 12 times, 0.3 of the pair's 40."""
    return WithReplacement(int(Fraction(p) * _MAJORITY), correct.integer("tau", tau))


def with_replacement_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Bin(12, 1/41) draws hit the unique client; the rest of the 12 is shown where it reaches tau."""
    law = cells.binomial_law(A, 12, A.number(Fraction(1, _MAJORITY + 1)))
    zero = A.number(0)
    # Outcomes: 12 shown, 11, ..., tau, nothing.
    left = [*law[: 12 - _TAU + 1], A.sum(law[12 - _TAU + 1 :])]
    return _stick(A, epsilon, direction, left, [A.number(1), *[zero] * (len(left) - 1)])


@dataclass(frozen=True)
class SizePublished(BatchMechanism):
    """The histogram with the sample's size before thresholding, under the key `size`."""

    histogram: correct.SampleAndThreshold

    releases_only_input_keys = False
    """No: `size` is released too."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases, the last column the sample's size."""
        keys, values = replace(self.histogram, tau=1).release_many(histogram, n, rng)
        size = np.nansum(values, axis=1, keepdims=True)
        values[values < self.histogram.tau] = math.nan
        return (*keys, "size"), np.concatenate([values, size], axis=1)


def build_size_published(*, p: Exact, tau: Exact) -> SizePublished:
    """The mechanism with its sample size."""
    return SizePublished(correct.build(p=p, tau=tau))


def size_published_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """40 copies and a unique item against 40 copies: with v >= tau shown the size is v, or v + 1 if it was sampled."""
    p = A.number(_P)
    law = cells.binomial_law(A, _MAJORITY, p)
    left, right = [], []
    for size in range(_TAU + 1):  # nothing shown: the size alone
        hidden = [law[v] if 0 <= v < _TAU else A.number(0) for v in (size, size - 1)]
        left.append((1 - p) * hidden[0] + p * hidden[1])
        right.append(hidden[0])
    for mass in law[_TAU:]:
        left += [(1 - p) * mass, p * mass]
        right += [mass, A.number(0)]
    return _stick(A, epsilon, direction, left, right)


def _pair(pair_id: str, left: dict[str, int], right: dict[str, int], description: str, profile: Any) -> Pair:
    return Pair(pair_id, left, right, description, correct.adjacency(_PARAMETERS), profile)


_fault = partial(
    Fault,
    mechanism="sample_and_threshold",
    violates="bharadwaj2022.tight.rate",
    parameters=_PARAMETERS,
    caught_by="empirical.black_box",
    direction=Direction.FORWARD,
    epsilon=1,
)


FAULTS = (
    _fault(
        id="sample_and_threshold_off_by_one",
        title="the threshold is tau - 1",
        build=build_off_by_one,
        parameters={"p": "1/2", "tau": 3},
        pair=_pair("two", {"k0": 2}, {"k0": 1}, "2 copies against 1", off_by_one_profile),
        explanation="The delta is that of tau - 1; at tau = 5 Theorem 2's bound is above it and hides the fault.",
    ),
    _fault(
        id="sample_and_threshold_no_threshold",
        title="no threshold",
        build=build_no_threshold,
        pair=_pair("unique", {"k0": 1}, {}, "one copy: shown when sampled", no_threshold_profile),
        explanation="A unique item is shown with probability p; the neighbour never shows it.",
    ),
    _fault(
        id="sample_and_threshold_true_count",
        title="tau is compared with the true count",
        build=build_true_count,
        pair=_pair("at_tau", {"k0": 5}, {"k0": 4}, "tau copies against tau - 1", true_count_profile),
        explanation="Whether the item is shown at all tells on which side of tau its true count is.",
    ),
    _fault(
        id="sample_and_threshold_alpha_forgotten",
        title="the sampling rate lacks the factor alpha",
        build=build_alpha_forgotten,
        pair=_pair("six", {"k0": 6}, {"k0": 5}, "6 copies against 5", alpha_forgotten_profile),
        explanation="At p = 0.63 all copies are often sampled, and shown.",
    ),
    _fault(
        id="sample_and_threshold_linear_rate",
        title="the sampling rate is alpha epsilon",
        build=build_linear_rate,
        pair=_pair("five", {"k0": 5}, {"k0": 4}, "5 copies against 4", linear_rate_profile),
        explanation=(
            "alpha epsilon exceeds alpha (1 - e^-epsilon); Theorem 2's bound hides it, the exact delta "
            "and the law do not."
        ),
    ),
    _fault(
        id="sample_and_threshold_true_count_shown",
        title="a shown count is the true one",
        build=build_true_count_shown,
        pair=_pair("twenty", {"k0": 20}, {"k0": 19}, "20 copies against 19", true_count_shown_profile),
        explanation="Sampling decides only whether the count is shown; what is shown is not sampled.",
    ),
    _fault(
        id="sample_and_threshold_with_replacement",
        title="a fixed number of draws with replacement",
        build=build_with_replacement,
        pair=_pair(
            "unique", {"k0": 40, "k1": 1}, {"k0": 40}, "a unique item beside 40 copies", with_replacement_profile
        ),
        explanation=(
            "Draws that hit the unique client are missing from the rest: delta = 1 - (1 - 1/n)^m at every epsilon."
        ),
    ),
    _fault(
        id="sample_and_threshold_fixed_size",
        title="a sample of fixed size",
        build=build_fixed_size,
        pair=_pair("unique", {"k0": 40, "k1": 1}, {"k0": 40}, "a unique item beside 40 copies", fixed_size_profile),
        explanation=(
            "A shown count below m tells that a hidden item was drawn: delta = m/n at every epsilon (Section 3.2)."
        ),
    ),
    _fault(
        id="sample_and_threshold_true_size",
        title="the sample's size before thresholding is released",
        build=build_size_published,
        pair=_pair("unique", {"k0": 40, "k1": 1}, {"k0": 40}, "a unique item beside 40 copies", size_published_profile),
        explanation="Size minus shown counts is the number of hidden clients; dividing by the size leaks the same.",
    ),
)
