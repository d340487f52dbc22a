"""Samples whose size is fixed, or told: what is hidden can then be counted."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import one_sided
from mechanisms.mechanism import BatchMechanism
from mechanisms.sample_and_threshold import contacts, fixed_m, fixed_size_sample
from mechanisms.sample_and_threshold import mechanism as correct
from mechanisms.sample_and_threshold.mechanism import MECHANISM, stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Direction, Neighbours

_P, _TAU = Fraction(3, 10), 5
_MAJORITY, _SAMPLE = 40, 12
_UNIQUE = Neighbours("unique", {"k0": _MAJORITY, "k1": 1}, {"k0": _MAJORITY}, "a unique item beside 40 copies")


def build_fixed_size(*, p: Value, tau: Value) -> fixed_size_sample.FixedSize:
    """Draws m = 12 clients, 0.3 of the pair's 40."""
    return fixed_size_sample.FixedSize(m=int(Fraction(p) * _MAJORITY), tau=correct.integer("tau", tau))


@dataclass(frozen=True)
class WithReplacement(BatchMechanism):
    """Draws clients one at a time, with replacement."""

    draws: int
    tau: int

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key in the order of names, NaN where not shown."""
        keys = tuple(sorted(histogram))
        shares = np.array([histogram[key] for key in keys], dtype=np.float64)
        values = rng.multinomial(self.draws, shares / shares.sum(), size=n).astype(np.float64)
        values[values < self.tau] = np.nan
        return keys, values


def build_with_replacement(*, p: Value, tau: Value) -> WithReplacement:
    """Draws 12 times, 0.3 of the pair's 40."""
    return WithReplacement(int(Fraction(p) * _MAJORITY), correct.integer("tau", tau))


@dataclass(frozen=True)
class SizePublished(BatchMechanism):
    """The histogram with the sample's size before thresholding, under the key `size`."""

    histogram: correct.SampleAndThreshold

    releases_only_input_keys = False
    """No: `size` is released too."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases, the last column the sample's size."""
        keys, values = replace(self.histogram, tau=1).release_many(histogram, n, rng)
        size = np.nansum(values, axis=1, keepdims=True)
        values[values < self.histogram.tau] = math.nan
        return (*keys, "size"), np.concatenate([values, size], axis=1)


def size_published_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """40 copies and a unique item against 40 copies: with v >= tau shown the size is v, or v + 1 if it was sampled."""
    p = A.number(_P)
    law = cells.binomial_law(A, _MAJORITY, p)
    laws = []
    for size in range(_TAU + 1):  # nothing shown: the size alone
        hidden = [law[v] if 0 <= v < _TAU else A.number(0) for v in (size, size - 1)]
        laws.append(((1 - p) * hidden[0] + p * hidden[1], hidden[0]))
    for mass in law[_TAU:]:
        laws += [((1 - p) * mass, mass), (p * mass, A.number(0))]
    return stick(A, epsilon, direction, laws)


class AbstentionsCounted(contacts.ContactScheme):
    """Releases how many of the contacted clients abstained."""

    releases_only_input_keys = False
    """No: `abstained` is released too."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases, the last column the number of abstentions."""
        keys, values = fixed_size_sample.draw_samples(histogram, lambda population: self.sizes(population, n, rng), rng)
        abstained = self.contacts - values.sum(axis=1, keepdims=True)
        values[values < self.tau] = np.nan
        return (*keys, "abstained"), np.concatenate([values, abstained], axis=1)


def abstentions_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """A unique item beside 9 copies against 10 copies, with the size of a sample of 7 at 5/7 known."""
    rate, answers, n, tau = Fraction(5, 7), 7, 10, 2
    joint: dict[tuple[int, int, int], list[Fraction]] = {}
    for side, unique in enumerate((1, 0)):
        for x, y in product(range(unique + 1), range(n - unique + 1)):
            if (t := x + y) <= answers:
                size = math.comb(answers, t) * rate**t * (1 - rate) ** (answers - t) / math.comb(n, t)
                key = (x if x >= tau else 0, y if y >= tau else 0, t)
                joint.setdefault(key, [Fraction(0)] * 2)[side] += math.comb(unique, x) * math.comb(n - unique, y) * size
    return stick(
        A, epsilon, direction, [(A.number(left), A.number(right)) for _release, (left, right) in sorted(joint.items())]
    )


class ScaledBack(fixed_m.FixedM):
    """Releases estimates for the population: sampled counts times n/m."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of estimates."""
        keys, values = super().release_many(histogram, n, rng)
        return keys, values * (sum(histogram.values()) / self.m)


def scaled_back_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """Six copies beside 34 against five: every shown estimate is a multiple of n/12, and says which n it is."""
    (hidden_p, hidden_q), *released_laws = fixed_m.joint_laws(A, m=_SAMPLE, tau=_TAU, left=(6, 34), right=(5, 34))
    zero = A.number(0)
    apart = [laws for p, q in released_laws for laws in ((p, zero), (zero, q))]
    return stick(A, epsilon, direction, [(hidden_p, hidden_q), *apart])


DEPLOYED = fixed_m.MECHANISM
_SIX = Neighbours("six", {"k0": 6, "k1": 34}, {"k0": 5, "k1": 34}, "6 copies of 40 clients against 5 of 39")
SCHEME = contacts.MECHANISM

FAULTS = (
    MECHANISM.broken(
        id="sample_and_threshold_with_replacement", title="a fixed number of draws with replacement",
        build=build_with_replacement, pair=_UNIQUE,
        profile=partial(one_sided, mass=1 - lift(Fraction(_MAJORITY, _MAJORITY + 1)) ** _SAMPLE),
        explanation="Draws that hit the unique client are missing from the rest: delta = 1 - (1 - 1/n)^m at every "
        "epsilon.",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_fixed_size", title="a sample of fixed size", build=build_fixed_size, pair=_UNIQUE,
        profile=partial(one_sided, mass=lift(Fraction(_SAMPLE, _MAJORITY + 1))),
        explanation="A shown count below m tells that a hidden item was drawn: delta = m/n at every epsilon (Section "
        "3.2).",
    ),
    MECHANISM.broken(
        id="sample_and_threshold_true_size", title="the sample's size before thresholding is released",
        change=SizePublished, pair=_UNIQUE, profile=size_published_profile,
        explanation="Size minus shown counts is the number of hidden clients; dividing by the size leaks the same.",
    ),
    DEPLOYED.broken(
        id="sample_and_threshold_fixed_m_scaled_back", title="counts are scaled back by the number of clients, n/m",
        subclass=ScaledBack, pair=_SIX, profile=scaled_back_profile,
        explanation="Estimates are multiples of n/m: any one shown tells n from n - 1. Scale by a public number.",
    ),
    SCHEME.broken(
        id="sample_and_threshold_no_extra_contact", title="m clients are contacted and all take part (c = 0)",
        at={"contacts": 5}, pair="unique",
        explanation="The size is m again: a shown count below m tells that a hidden item was drawn, delta = m/n.",
    ),
    SCHEME.broken(
        id="sample_and_threshold_abstentions_counted", title="abstentions are recognisable and counted",
        subclass=AbstentionsCounted, pair="unique", profile=abstentions_profile,
        explanation="Contacts minus abstentions is the sample's size; size minus shown counts is the number of hidden "
        "clients.",
    ),
)  # fmt: skip
