"""Judging an auditor: how often does it refute mechanisms that are exactly at their claim?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

CERTAINTY = 1e-9
"""A level is called wrong when the frequency seen would have a smaller probability under a right one."""


@dataclass(frozen=True)
class Calibration:
    """How often an auditor refuted a mechanism that is exactly at its claim.

    Attributes:
        refuted: number of false alarms, in as many of the runs as were made.
        runs: number of independent audits.
        alpha: false-alarm probability the auditor promises.
    """

    refuted: int
    runs: int
    alpha: float

    @property
    def too_many(self) -> bool:
        """The false alarms are incompatible with a level of at most alpha."""
        return bool(binom.sf(self.refuted - 1, self.runs, self.alpha) < CERTAINTY)

    @property
    def too_few(self) -> bool:
        """The false alarms are incompatible with a level of at least alpha / 5: power is thrown away."""
        return bool(binom.cdf(self.refuted, self.runs, self.alpha / 5) < CERTAINTY)


def calibrate(
    auditor: Callable[[np.random.Generator, float], bool], alpha: float, runs: int, seed: int, *, whole: bool = True
) -> Calibration:
    """Run an auditor on independent data of a mechanism exactly at its claim.

    Args:
        auditor: (generator, alpha) -> whether it refutes; draws its own data.
        alpha: level asked for.
        runs: independent audits.
        seed: of everything.
        whole: whether all runs are made, or only as many as decide whether the false alarms of all are too many.
    """
    refuted, fewest = 0, 1 + int(binom.isf(CERTAINTY, runs, alpha))
    for left, stream in zip(reversed(range(runs)), np.random.SeedSequence(seed).spawn(runs), strict=True):
        refuted += bool(auditor(np.random.default_rng(stream), alpha))
        if not whole and (refuted >= fewest or refuted + left < fewest):
            break
    return Calibration(refuted, runs, alpha)


LEVELS = (0.05, 0.001)
"""Levels at which an auditor is judged: a margin that does not depend on alpha may be wide enough for one of them."""


def judged(
    auditor: Callable[[np.random.Generator, float], bool], seed: int, runs: int = 2200, *, whole: bool = True
) -> Iterator[Calibration]:
    """Judge an auditor of fixed sample size at every level: broken ones and ours go through this function alike."""
    for place, alpha in enumerate(LEVELS):
        yield calibrate(auditor, alpha, runs, seed + place, whole=whole)


def misses(auditor: Callable[[np.random.Generator, float], bool], seed: int, runs: int = 60) -> bool:
    """Whether an auditor of a mechanism that leaks twice its claim refutes too rarely for a power of one half.

    Its refutations would have a probability below `CERTAINTY` at that power, at one of the levels or more.
    """
    seen = (calibrate(auditor, alpha, runs, seed + place) for place, alpha in enumerate(LEVELS))
    return any(binom.cdf(level.refuted, runs, 0.5) < CERTAINTY for level in seen)
