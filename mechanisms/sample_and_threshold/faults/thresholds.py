"""Wrong thresholds, wrong sampling rates, and a shown count that is not the sampled one.

The claimed delta of Theorem 2 hides most of them: they are held against the exact delta.
"""

from functools import partial
from typing import Any

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import one_sided
from mechanisms.sample_and_threshold import mechanism as correct
from mechanisms.sample_and_threshold.mechanism import MECHANISM, stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Direction, Neighbours

_P, _TAU = "3/10", 5


class TrueCountDecides(correct.SampleAndThreshold):
    """Compares the true count with tau and shows the sampled one."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases; a sampled count of 0 is not shown."""
        heavy = {key: count for key, count in histogram.items() if count >= self.tau}
        return correct.SampleAndThreshold(self.p, 1).release_many(heavy, n, rng)


class TrueCountShown(correct.SampleAndThreshold):
    """Compares the sampled count with tau and shows the true one."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of true counts, NaN where too few were sampled."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, np.where(np.isnan(values), np.nan, [float(histogram[key]) for key in keys])


def true_count_shown_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """20 copies against 19: when shown the count tells them apart."""
    more, fewer = (binomial_tail(A, k, A.number(_P), _TAU) for k in (20, 19))
    zero = A.number(0)
    return stick(A, epsilon, direction, [(1 - more, 1 - fewer), (more, zero), (zero, fewer)])


FAULTS = (
    MECHANISM.broken(
        id="sample_and_threshold_off_by_one", title="the threshold is tau - 1", parameters={"p": "1/2", "tau": 3},
        at={"tau": 2}, pair=Neighbours("two", {"k0": 2}, {"k0": 1}, "2 copies against 1"),
        explanation="The delta is that of tau - 1; at tau = 5 Theorem 2's bound is above it and hides the fault.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_no_threshold", title="no threshold", at={"tau": 1},
        pair=Neighbours("unique", {"k0": 1}, {}, "one copy: shown when sampled"),
        explanation="A unique item is shown with probability p; the neighbour never shows it.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_true_count", title="tau is compared with the true count", subclass=TrueCountDecides,
        pair=Neighbours("at_tau", {"k0": 5}, {"k0": 4}, "tau copies against tau - 1"),
        profile=partial(one_sided, mass=1 - lift("7/10") ** 5),
        explanation="Whether the item is shown at all tells on which side of tau its true count is.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_alpha_forgotten", title="the sampling rate lacks the factor alpha", at={"p": "63/100"},
        pair=Neighbours("six", {"k0": 6}, {"k0": 5}, "6 copies against 5"),
        explanation="At p = 0.63 all copies are often sampled, and shown.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_linear_rate", title="the sampling rate is alpha epsilon",
        # alpha epsilon where alpha (1 - e^-epsilon) is 0.3 at epsilon = 1.
        at={"p": "0.4746"}, pair=Neighbours("five", {"k0": 5}, {"k0": 4}, "5 copies against 4"),
        explanation="alpha epsilon exceeds alpha (1 - e^-epsilon); Theorem 2's bound hides it, the exact delta and "
        "the law do not.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_true_count_shown", title="a shown count is the true one", subclass=TrueCountShown,
        pair=Neighbours("twenty", {"k0": 20}, {"k0": 19}, "20 copies against 19"), profile=true_count_shown_profile,
        explanation="Sampling decides only whether the count is shown; what is shown is not sampled.",
    ),
)  # fmt: skip
