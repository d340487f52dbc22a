"""Faults of quantiles and ranges: one sample for all levels or steps, siblings by subtraction, leaves unthresholded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.faults import sample_and_threshold_levels as trie
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold import hierarchical_histogram, interactive_quantile
from mechanisms.sample_and_threshold.mechanism import adjacency
from proofs_numeric.bharadwaj2022 import cells, composition
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_PARAMETERS: dict[str, Exact] = {"p": "3/10", "tau": 5, "levels": 2}


def build_one_sample(*, p: Exact, tau: Exact, levels: Exact) -> hierarchical_histogram.HierarchicalHistogram:
    """The hierarchical histogram of one sample."""
    mechanism = hierarchical_histogram.build(p=p, tau=tau, levels=levels)
    return replace(mechanism, trie=trie.build_one_sample(p=p, tau=tau, levels=levels))


class SiblingsFilled(hierarchical_histogram.HierarchicalHistogram):
    """Fills in a hidden child as its parent minus its sibling."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases of a binary tree in which a shown parent with one shown child has two."""
        keys, values = super().release_many(histogram, n, rng)
        shown = dict(zip(keys, values.T, strict=True))
        nothing = np.full(n, np.nan)
        names = (*keys, *(name for name in map(sibling, keys) if len(name) > 1 and name not in shown))
        filled = [
            np.where(
                np.isnan(own := shown.get(name, nothing)), shown[name[:-1]] - shown.get(sibling(name), nothing), own
            )
            if len(name) > 1
            else shown[name]
            for name in names
        ]
        return names, np.stack(filled, axis=1)


def sibling(key: str) -> str:
    """The other child of a binary bucket's parent."""
    return key[:-1] + ("1" if key[-1] == "0" else "0")


def build_siblings(*, p: Exact, tau: Exact, levels: Exact) -> SiblingsFilled:
    """Siblings by subtraction within one sample."""
    return SiblingsFilled(2, trie.build_one_sample(p=p, tau=tau, levels=levels))


def build_leaves(*, p: Exact, tau: Exact, levels: Exact) -> hierarchical_histogram.HierarchicalHistogram:
    """Ranges answered from leaves without threshold."""
    mechanism = hierarchical_histogram.build(p=p, tau=tau, levels=levels)
    return replace(mechanism, trie=trie.build_unthresholded(p=p, tau=tau, levels=levels))


class OneSampleSearch(interactive_quantile.InteractiveQuantile):
    """The same sampled clients at every step."""

    def _sampled(
        self, counts: NDArray[np.int64], n: int, rng: np.random.Generator, last: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return super()._sampled(counts, n, rng, last) if last is None else last


def build_one_sample_search(*, p: Exact, tau: Exact, levels: Exact) -> OneSampleSearch:
    """The median search on one sample."""
    return OneSampleSearch(**vars(interactive_quantile.build(p=p, tau=tau, levels=levels)))


class DecidesOnTrueCounts(interactive_quantile.InteractiveQuantile):
    """Compares the true counts of both buckets to choose the next split."""

    def _decides(
        self,
        buckets: NDArray[np.float64],
        values: NDArray[np.float64],
        counts: NDArray[np.int64],
        splits: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        del buckets
        below = np.where(values < splits[:, None], counts, 0).sum(axis=1)
        return interactive_quantile.goes_right(np.stack([below, counts.sum() - below], axis=1) * 1.0, self.phi)


def build_true_decision(*, p: Exact, tau: Exact, levels: Exact) -> DecidesOnTrueCounts:
    """The median search that looks at true counts."""
    return DecidesOnTrueCounts(**vars(interactive_quantile.build(p=p, tau=tau, levels=levels)))


def true_decision_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """30 (or 29) clients at 0 beside 30 at 0.6: the second split is 0.25, with 30 right of it, or 0.75, with none."""
    p, tau = A.number(Fraction(3, 10)), 5
    first = composition.level_laws(A, p=p, tau=tau, k=30)
    (hidden, *shown), below = cells.cell_outcomes(A, 30, p, tau), cells.cell_outcomes(A, 59, p, tau)
    zero = A.number(0)
    here = [*cells.cell_outcomes(A, 30, p, tau), *[zero] * (len(below) - len(shown) - 1)]
    # The right bucket of the second step is hidden in both, or shown on the left only.
    second = [*((x * hidden, y) for x, y in zip(here, below, strict=True)), (A.sum(shown), zero)]
    laws = composition.composed_laws([first, second])
    left, right = [x for x, _y in laws], [y for _x, y in laws]
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def _lone(other: str, profile: Any) -> Pair:
    left, right = {"0": 40, other: 1}, {"0": 40}
    return Pair("lone", left, right, f"one client at {other} beside 40 at 0", adjacency(_PARAMETERS), profile)


_fault = partial(
    Fault,
    violates="bharadwaj2022.lem7.rate",
    parameters=_PARAMETERS,
    caught_by="empirical.black_box",
    direction=Direction.FORWARD,
    epsilon=1,
)


# A client at 1/4 is a sibling leaf of the 40 at 0, as "ab" is of "aa": the laws are those of the trie.
FAULTS = (
    _fault(
        id="sample_and_threshold_hierarchy_one_sample",
        title="one sample for all levels of the hierarchy",
        mechanism="hierarchical_histogram",
        build=build_one_sample,
        pair=_lone("1/4", trie.one_sample_profile),
        explanation="A bucket and its only shown child differ by the hidden clients.",
    ),
    _fault(
        id="sample_and_threshold_sibling_filled",
        title="a hidden bucket is filled in as parent minus sibling, within one sample",
        mechanism="hierarchical_histogram",
        build=build_siblings,
        pair=_lone("1/4", trie.one_sample_profile),
        explanation="The subtraction publishes the count that the threshold hid; nothing else is told.",
    ),
    _fault(
        id="sample_and_threshold_leaves_unthresholded",
        title="ranges are answered from leaves without threshold",
        mechanism="hierarchical_histogram",
        build=build_leaves,
        pair=_lone("1/4", trie.unthresholded_profile),
        explanation="A lone leaf under a shown bucket is counted with probability p.",
    ),
    _fault(
        id="sample_and_threshold_search_one_sample",
        title="one sample for all steps of the search",
        mechanism="interactive_quantile",
        build=build_one_sample_search,
        pair=_lone("3/10", trie.one_sample_profile),
        explanation=(
            "The left buckets of the first two steps differ by the client at 3/10; alone on its side, it is hidden."
        ),
    ),
    _fault(
        id="sample_and_threshold_search_on_true_counts",
        title="the next split is chosen by true counts",
        mechanism="interactive_quantile",
        build=build_true_decision,
        pair=Pair(
            "tie",
            {"0": 30, "3/5": 30},
            {"0": 29, "3/5": 30},
            "as many below the first split as above",
            adjacency(_PARAMETERS),
            true_decision_profile,
        ),
        explanation="One client decides where the second split lies, and its counts show where that was.",
    ),
)
