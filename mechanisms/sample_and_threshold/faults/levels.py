"""Levels and steps that share a sample, skip the threshold, fill in what it hid, or split no budget."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released
from mechanisms.sample_and_threshold import hierarchical_histogram as hierarchy
from mechanisms.sample_and_threshold import interactive_quantile as search
from mechanisms.sample_and_threshold import trie_heavy_hitters as trie
from mechanisms.sample_and_threshold.mechanism import sampled, stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.neighbours import far_count
from proofs_numeric.statements.neighbours import Direction, Neighbours

_P, _TAU = "3/10", 5
_MAJORITY = far_count({"p": _P, "tau": _TAU})

# --- tries ------------------------------------------------------------------------------------------------------------


class OneSample(trie.TrieHeavyHitters):
    """The same sampled clients at every level."""

    def _sampled(
        self, histogram: Histogram, prefixes: dict[str, int], n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        keys = sorted(histogram)
        leaves = sampled(np.array([histogram[key] for key in keys], dtype=np.int64), self.p, n, rng)
        below = np.array([[key.startswith(prefix) for prefix in prefixes] for key in keys], dtype=np.float64)
        return leaves @ below.reshape(len(keys), len(prefixes))


def one_sample_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """One "ab" beside all others' "aa": "a" counts v or v + 1 beside "aa" with v; below tau "aa" is hidden."""
    p, zero = A.number(_P), A.number(0)
    law = cells.binomial_law(A, _MAJORITY, p)
    # Nothing; "a" alone with tau (v = tau - 1 and "ab" sampled); both shown.
    laws = [
        (A.sum(law[: _TAU - 1]) + (1 - p) * law[_TAU - 1], A.sum(law[:_TAU])),
        (p * law[_TAU - 1], zero),
        *(outcome for mass in law[_TAU:] for outcome in (((1 - p) * mass, mass), (p * mass, zero))),
    ]
    return stick(A, epsilon, direction, laws)


class UnthresholdedChildren(trie.TrieHeavyHitters):
    """Shows every sampled child of a shown prefix."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent tries; the threshold applies to the first level only."""
        prefixes = trie.prefix_counts(histogram, self.levels)
        keys = tuple(prefixes)
        values = self._sampled(histogram, prefixes, n, rng)
        for i, key in enumerate(keys):
            hidden = values[:, i] < (self.tau if len(key) == 1 else 1)
            if len(key) > 1:
                hidden |= np.isnan(values[:, keys.index(key[:-1])])
            values[hidden, i] = np.nan
        return keys, values


def unthresholded_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """The top level holds one client more on the left; below it "ab" is shown with probability p there only."""
    p = A.number(_P)
    hidden, *released_laws = composition.level_laws(A, p=p, tau=_TAU, k=_MAJORITY + 1)
    laws = [hidden, *(outcome for x, y in released_laws for outcome in (((1 - p) * x, y), (p * x, A.number(0))))]
    return stick(A, epsilon, direction, laws)


def build_unsplit(*, p: Value, tau: Value) -> trie.TrieHeavyHitters:
    """Three unpruned levels at the rate and threshold of one."""
    return replace(trie.build(p=p, tau=tau, levels=3), prune=False)


# --- hierarchies ------------------------------------------------------------------------------------------------------


class SiblingsFilled(hierarchy.HierarchicalHistogram):
    """Fills in a hidden child as its parent minus its sibling."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of a binary tree in which a shown parent with one shown child has two."""
        keys, values = super().release_many(histogram, n, rng)
        columns = dict(zip(keys, values.T, strict=True))
        nothing = np.full(n, np.nan)
        names = (*keys, *(name for name in map(sibling, keys) if len(name) > 1 and name not in columns))
        filled = [
            np.where(
                np.isnan(column := columns.get(name, nothing)),
                columns[name[:-1]] - columns.get(sibling(name), nothing),
                column,
            )
            if len(name) > 1
            else columns[name]
            for name in names
        ]
        return names, np.stack(filled, axis=1)


def sibling(key: str) -> str:
    """The other child of a binary bucket's parent."""
    return key[:-1] + ("1" if key[-1] == "0" else "0")


def over(
    subclass: type[trie.TrieHeavyHitters],
    mechanism: hierarchy.HierarchicalHistogram,
    within: type[hierarchy.HierarchicalHistogram] = hierarchy.HierarchicalHistogram,
) -> hierarchy.HierarchicalHistogram:
    """The hierarchical histogram over another trie."""
    return within(mechanism.beta, subclass(**vars(mechanism.trie)))


# --- searches ---------------------------------------------------------------------------------------------------------


class OneSampleSearch(search.InteractiveQuantile):
    """The same sampled clients at every step."""

    def _sampled(
        self, counts: NDArray[np.int64], n: int, rng: np.random.Generator, last: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return super()._sampled(counts, n, rng, last) if last is None else last


class DecidesOnTrueCounts(search.InteractiveQuantile):
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
        return search.goes_right(np.stack([below, counts.sum() - below], axis=1) * 1.0, self.phi)


def true_decision_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """As many (or one less) at 0 as at 0.6: the second split is 0.25, with those at 0.6 right of it, or 0.75."""
    return stick(A, epsilon, direction, _true_decision_laws(A))


@lru_cache(maxsize=1)  # for one epsilon after another
def _true_decision_laws(A: Arithmetic) -> composition.Laws:
    p, n = A.number(_P), _MAJORITY
    first = composition.level_laws(A, p=p, tau=_TAU, k=n)
    (hidden, *others), below = cells.cell_outcomes(A, n, p, _TAU), cells.cell_outcomes(A, 2 * n - 1, p, _TAU)
    zero = A.number(0)
    here = [*cells.cell_outcomes(A, n, p, _TAU), *[zero] * (len(below) - len(others) - 1)]
    # The right bucket of the second step is hidden in both, or shown on the left only.
    second = [*((x * hidden, y) for x, y in zip(here, below, strict=True)), (A.sum(others), zero)]
    return composition.composed_laws([first, second])


_PATH = Neighbours("path", {"aaa": 3}, {"aaa": 2}, "one path, 3 copies against 2")

FAULTS = (
    trie.MECHANISM.broken(
        id="sample_and_threshold_one_sample", title="one sample for all levels", subclass=OneSample, pair="lone",
        profile=one_sample_profile,
        explanation="The counts of a prefix and of its only shown child differ by the hidden ones: delta is close to "
        "p.",
    ),
    trie.MECHANISM.broken(
        id="sample_and_threshold_unthresholded_children", title="children of a shown prefix are not thresholded",
        subclass=UnthresholdedChildren, pair="lone", profile=unthresholded_profile,
        explanation="The unique child is shown with probability p; the same for a range answered from unthresholded "
        "leaves.",
    ),
    # The claim is that of one histogram: it knows no number of levels.
    replace(trie.MECHANISM, parameters={"p": "1/2", "tau": 3}).broken(
        id="sample_and_threshold_no_budget_split", title="three levels, each with the budget of one",
        violates="bharadwaj2022.tight.rate", build=build_unsplit, pair=_PATH,
        profile=partial(trie.profile, p=Fraction(1, 2), tau=3, paths=(((3, 2),) * 3,), prune=False),
        explanation="Each level is a fresh chance to show the path; Theorem 2's bound hides it.",
    ),
    # A client at 1/4 is a sibling leaf of those at 0, as "ab" is of "aa": the laws are those of the trie.
    hierarchy.MECHANISM.broken(
        id="sample_and_threshold_hierarchy_one_sample", title="one sample for all levels of the hierarchy",
        change=partial(over, OneSample), pair="lone", profile=one_sample_profile,
        explanation="A bucket and its only shown child differ by the hidden clients.",
    ),
    hierarchy.MECHANISM.broken(
        id="sample_and_threshold_sibling_filled",
        title="a hidden bucket is filled in as parent minus sibling, within one sample",
        change=partial(over, OneSample, within=SiblingsFilled), pair="lone", profile=one_sample_profile,
        explanation="The subtraction publishes the count that the threshold hid; nothing else is told.",
    ),
    hierarchy.MECHANISM.broken(
        id="sample_and_threshold_leaves_unthresholded", title="ranges are answered from leaves without threshold",
        change=partial(over, UnthresholdedChildren), pair="lone", profile=unthresholded_profile,
        explanation="A lone leaf under a shown bucket is counted with probability p.",
    ),
    search.MECHANISM.broken(
        id="sample_and_threshold_search_one_sample", title="one sample for all steps of the search",
        subclass=OneSampleSearch, pair="lone", profile=one_sample_profile,
        explanation="The left buckets of the first two steps differ by the client at 1/4; alone on its side, it is "
        "hidden.",
    ),
    search.MECHANISM.broken(
        id="sample_and_threshold_search_on_true_counts", title="the next split is chosen by true counts",
        subclass=DecidesOnTrueCounts, pair="tie", profile=true_decision_profile,
        explanation="One client decides where the second split lies, and its counts show where that was.",
    ),
)  # fmt: skip
