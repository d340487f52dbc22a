"""Faults of TrieHH++ and of hierarchical histograms: one sample for all levels, children unthresholded, no split."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold import trie_heavy_hitters as correct
from mechanisms.sample_and_threshold.mechanism import adjacency, sampled
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_PARAMETERS: dict[str, Exact] = {"p": "3/10", "tau": 5, "levels": 2}
_P, _TAU = Fraction(3, 10), 5
_MAJORITY = 40


def _stick(A: Any, epsilon: Any, direction: Direction, left: list[Any], right: list[Any]) -> Any:
    laws = (left, right) if direction is Direction.FORWARD else (right, left)
    return cells.hockey_stick(A, *laws, A.exp(A.number(epsilon)))


class OneSample(correct.TrieHeavyHitters):
    """The same sampled clients at every level."""

    def _sampled(
        self, histogram: Histogram, prefixes: dict[str, int], n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        keys = sorted(histogram)
        leaves = sampled(np.array([histogram[key] for key in keys], dtype=np.int64), self.p, n, rng)
        below = np.array([[key.startswith(prefix) for prefix in prefixes] for key in keys], dtype=np.float64)
        return leaves @ below.reshape(len(keys), len(prefixes))


def build_one_sample(*, p: Exact, tau: Exact, levels: Exact) -> OneSample:
    """TrieHH++ on one sample."""
    return OneSample(**vars(correct.build(p=p, tau=tau, levels=levels)))


def one_sample_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """40 "aa" and one "ab" against 40 "aa": "a" counts v or v + 1 beside "aa" with v; below tau "aa" is hidden."""
    p = A.number(_P)
    law = cells.binomial_law(A, _MAJORITY, p)
    # Nothing; "a" alone with tau (v = tau - 1 and "ab" sampled); both shown.
    left = [A.sum(law[: _TAU - 1]) + (1 - p) * law[_TAU - 1], p * law[_TAU - 1]]
    right = [A.sum(law[:_TAU]), A.number(0)]
    for mass in law[_TAU:]:
        left += [(1 - p) * mass, p * mass]
        right += [mass, A.number(0)]
    return _stick(A, epsilon, direction, left, right)


class UnthresholdedChildren(correct.TrieHeavyHitters):
    """Shows every sampled child of a shown prefix."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent tries; the threshold applies to the first level only."""
        prefixes = correct.prefix_counts(histogram, self.levels)
        keys = tuple(prefixes)
        values = self._sampled(histogram, prefixes, n, rng)
        for i, key in enumerate(keys):
            hidden = values[:, i] < (self.tau if len(key) == 1 else 1)
            if len(key) > 1:
                hidden |= np.isnan(values[:, keys.index(key[:-1])])
            values[hidden, i] = np.nan
        return keys, values


def build_unthresholded(*, p: Exact, tau: Exact, levels: Exact) -> UnthresholdedChildren:
    """TrieHH++ with a threshold at the top only."""
    return UnthresholdedChildren(**vars(correct.build(p=p, tau=tau, levels=levels)))


def unthresholded_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """The top level holds 41 against 40 clients; below it "ab" is shown with probability p on the left only."""
    p = A.number(_P)
    more, fewer = (cells.cell_outcomes(A, k, p, _TAU) for k in (_MAJORITY + 1, _MAJORITY))
    fewer = [*fewer, A.number(0)]
    left, right = [more[0]], [fewer[0]]
    for x, y in zip(more[1:], fewer[1:], strict=True):
        left += [(1 - p) * x, p * x]
        right += [y, A.number(0)]
    return _stick(A, epsilon, direction, left, right)


def build_unsplit(*, p: Exact, tau: Exact) -> correct.TrieHeavyHitters:
    """Three unpruned levels at the rate and threshold of one."""
    return replace(correct.build(p=p, tau=tau, levels=3), prune=False)


def unsplit_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Three fresh samples of one path, 3 against 2 copies, at rate 1/2 and threshold 3."""
    return correct.path_profile(A, epsilon, direction, p=Fraction(1, 2), tau=3, k=3, levels=3, prune=False)


_fault = partial(
    Fault,
    mechanism="trie_heavy_hitters",
    violates="bharadwaj2022.lem7.rate",
    parameters=_PARAMETERS,
    caught_by="empirical.black_box",
    direction=Direction.FORWARD,
    epsilon=1,
)


def _pair(pair_id: str, left: dict[str, int], right: dict[str, int], description: str, profile: Any) -> Pair:
    return Pair(pair_id, left, right, description, adjacency(_PARAMETERS), profile)


FAULTS = (
    _fault(
        id="sample_and_threshold_one_sample",
        title="one sample for all levels",
        build=build_one_sample,
        pair=_pair("ab", {"aa": 40, "ab": 1}, {"aa": 40}, 'one "ab" beside 40 "aa"', one_sample_profile),
        explanation=(
            "The counts of a prefix and of its only shown child differ by the hidden ones: delta is close to p (E18)."
        ),
    ),
    _fault(
        id="sample_and_threshold_unthresholded_children",
        title="children of a shown prefix are not thresholded",
        build=build_unthresholded,
        pair=_pair("ab", {"aa": 40, "ab": 1}, {"aa": 40}, 'one "ab" beside 40 "aa"', unthresholded_profile),
        explanation=(
            "The unique child is shown with probability p; the same for a range answered from unthresholded leaves."
        ),
    ),
    _fault(
        id="sample_and_threshold_no_budget_split",
        title="three levels, each with the budget of one",
        violates="bharadwaj2022.tight.rate",
        build=build_unsplit,
        parameters={"p": "1/2", "tau": 3},
        pair=_pair("path", {"aaa": 3}, {"aaa": 2}, "one path, 3 copies against 2", unsplit_profile),
        explanation="Each level is a fresh chance to show the path; Theorem 2's bound hides it.",
    ),
)
