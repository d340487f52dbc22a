"""TrieHH++: a sample-and-threshold histogram of the prefixes at each of L levels, a fresh sample a level.

Source: bharadwaj2022 Section 4.1, Lemma 7. One sample for all levels has delta = p: the samples must be independent.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_LEVEL
from mechanisms.sample_and_threshold.mechanism import (
    check_rate,
    check_tau,
    check_whole,
    integer,
    least_count,
    sampled,
    stick,
)
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.neighbours import PATH
from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class TrieHeavyHitters(BatchMechanism):
    """The trie of popular prefixes with their sampled counts.

    Attributes:
        p: probability that a client takes part in one level, 0 < p < 1.
        tau: threshold on sampled counts (clients).
        levels: depth L; every key has exactly this many characters.
        rule: whether a sampled count equal to tau is shown.
        prune: whether a prefix is dropped when its parent was not shown (post-processing either way).
    """

    p: float
    tau: int
    levels: int
    prune: bool = True
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_rate(self.p)
        check_tau(self.tau, self.rule)
        check_whole("levels", self.levels, "levels")

    releases_only_input_keys = False
    """No: prefixes of input keys are released."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent tries: one column a prefix of the input in the order of (length, name), NaN where not shown."""
        prefixes = prefix_counts(histogram, self.levels)
        keys = tuple(prefixes)
        values = self._sampled(histogram, prefixes, n, rng)
        values[values < least_count(self.tau, self.rule)] = np.nan
        if self.prune:
            column = {key: i for i, key in enumerate(keys)}
            for key, i in column.items():
                if len(key) > 1:
                    values[np.isnan(values[:, column[key[:-1]]]), i] = np.nan
        return keys, values

    def _sampled(
        self, histogram: Histogram, prefixes: dict[str, int], n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Sampled counts of all prefixes; samples of different levels are independent."""
        del histogram
        return sampled(np.array(list(prefixes.values()), dtype=np.int64), self.p, n, rng)


def prefix_counts(histogram: Histogram, levels: int) -> dict[str, int]:
    """Clients by prefix of length 1 .. levels, in the order of (length, name).

    Raises:
        ValueError: a key has another length than `levels`, or the histogram is not one.
    """
    validate(histogram)
    wrong = next((key for key in histogram if len(key) != levels), None)
    if wrong is not None:
        raise ValueError(f"expected keys of exactly {levels} characters, got {wrong!r}; pad or cut the keys")
    counts: dict[str, int] = {}
    for level in range(1, levels + 1):
        for key in sorted(histogram):
            counts[key[:level]] = counts.get(key[:level], 0) + histogram[key]
    return counts


@of_numbers
def build(*, p: Value, tau: Value, levels: Value) -> TrieHeavyHitters:
    """The mechanism by the names of its claim."""
    return TrieHeavyHitters(float(Fraction(p)), integer("tau", tau), integer("levels", levels))


Path = tuple[tuple[int, int], ...]
"""Counts (left, right) of the prefixes of one string, from the shortest on."""


def profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    p: Value,
    tau: int,
    paths: tuple[Path, ...],
    prune: bool = True,
) -> Any:
    """Exact profile of paths of prefixes without a common one, a fresh sample a level."""
    rate = A.number(Fraction(p))
    return stick(
        A, epsilon, direction, composition.composed_laws([_path_laws(rate, tau, path, prune) for path in paths])
    )


def _path_laws(p: Number, tau: int, path: Path, prune: bool) -> composition.Laws:
    laws: composition.Laws = [(1, 1)]
    for left, right in reversed(path):
        hidden, *released_laws = composition.cell_laws(tau, (left, p), (right, p))
        # A hidden prefix hides what is below it: its outcome stands alone.
        laws = (
            [hidden, *composition.composed_laws([released_laws, laws])]
            if prune
            else composition.composed_laws([[hidden, *released_laws], laws])
        )
    return laws


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where one string changes, or two that part at the first letter; other prefixes say nothing."""
    changes = neighbours.changes
    lengths = {len(key) for key in (*neighbours.left, *neighbours.right)}
    if len(lengths) != 1 or not 1 <= len(changes) == len({key[0] for key in changes}) <= 2:
        return ExactLaw()
    p, tau, (levels,) = Fraction(parameters["p"]), integer("tau", parameters["tau"]), lengths
    left, right = (prefix_counts(side, levels) for side in (neighbours.left, neighbours.right))
    paths = tuple(
        tuple((left.get(key[:level], 0), right.get(key[:level], 0)) for level in range(1, levels + 1))
        for key in changes
    )
    return ExactLaw(partial(profile, p=p, tau=tau, paths=paths))


MECHANISM = MechanismSpec(
    id="trie_heavy_hitters", title="TrieHH++: prefixes level by level, a fresh sample a level", build=build,
    parameters={"p": "3/10", "tau": 5, "levels": 2}, guarantee_claim="bharadwaj2022.lem7.rate",
    source="bharadwaj2022, Section 4.1, Lemma 7", privacy=PATH, law=law,
)  # fmt: skip

CALIBRATOR = replace(ONE_LEVEL, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="levels")
