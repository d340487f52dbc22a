"""Right mechanisms that tempt a test: tight at their claim, with ties, labels, exceptions, state, draws of their own.

Each keeps its claim exactly, and most attain it on the pair that is told, where a false alarm is likeliest.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import norm

from auditor import audit_mechanism
from proofs_numeric.statements.verdict import Verdict

TRUTH = math.e / (1 + math.e)
GAUSSIAN_DELTA = float(norm.cdf(0.5 - 1) - math.e * norm.cdf(-0.5 - 1))
"""delta(1) of the Gaussian mechanism with mu = 1 (Dong, Roth and Su 2022, Corollary 1)."""
RARE = 0.02
SEARCHED_EVERY = 4


def answer(histogram: Mapping[str, int], rng: Any) -> bool:
    """Randomized response at epsilon 1: whether k0 has its second user."""
    return (histogram.get("k0", 0) >= 2) == (rng.random() < TRUTH)


def response(histogram, rng):
    """The answer."""
    return bool(answer(histogram, rng))


def responses(histogram, rng):
    """The answer among others, in a list of a record."""
    return {"asked": [True, bool(answer(histogram, rng)), bool(rng.random() < 0.5)]}


def label(histogram, rng):
    """The answer at the end of a label."""
    return f"ward {rng.integers(3)}: {'yes' if answer(histogram, rng) else 'no'}"


def text(histogram, rng):
    """The answer is the last letter of a text that no other release has."""
    return f"{int(rng.integers(10**6)):06d}{int(answer(histogram, rng))}"


def raising(histogram, rng):
    """Yes is an exception."""
    if answer(histogram, rng):
        raise ValueError(f"no result after {rng.integers(2)} attempts")
    return 1.0


def geometric(histogram, rng):
    """Two-sided geometric noise."""
    p = 1 - math.exp(-1)
    return {"k0": histogram.get("k0", 0) + int(rng.geometric(p)) - int(rng.geometric(p))}


def laplace_in_tenths(histogram, rng):
    """Laplace noise, rounded."""
    return {"k0": round(histogram.get("k0", 0) + rng.laplace(0, 1), 1)}


def rare(histogram, rng):
    """Ties: the same release, but for one in fifty, whose sign is a response."""
    if rng.random() >= RARE:
        return 0
    return 1 if answer(histogram, rng) else -1


def gaussian(histogram, rng):
    """Tight at epsilon 1 alone."""
    return round(histogram.get("k0", 0) + rng.normal(0, 1), 6)


def exact_sometimes(histogram, rng):
    """Tight at every epsilon up to 1, at delta = .02: the count itself, once in fifty."""
    if rng.random() < RARE:
        return {"k0": histogram.get("k0", 0)}
    return {"k0": 100 + int(answer(histogram, rng))}


def selected(histogram, rng):
    """A key is released with probability delta: a new one makes it tight at every epsilon."""
    return [key for key in sorted(histogram) if rng.random() < RARE]


def selected_at_once(histogram, rng):
    """One draw releases all keys: one user's key is among them with probability delta."""
    return sorted(histogram) if rng.random() < RARE else []


def selected_in_blocks(histogram, rng):
    """Keys of one last letter share a draw."""
    drawn = {letter: rng.random() < RARE for letter in sorted({key[-1] for key in histogram})}
    return [key for key in sorted(histogram) if drawn[key[-1]]]


def selected_with_a_cap(histogram, rng):
    """The first two in order of those that are selected: which others are, says nothing of a key."""
    return selected(histogram, rng)[:2]


def shuffled(histogram, rng):
    """The order of keys says nothing."""
    noisy = [("k0", int(answer(histogram, rng))), ("a", 1), ("b", 2), ("c", int(rng.integers(3)))]
    return {noisy[place][0]: noisy[place][1] for place in rng.permutation(4)}


def atoms(histogram, rng):
    """Five hundred values, the same for all data, and a response in the last digit."""
    return round(float(np.log1p(rng.integers(500))) + 1e-9 * answer(histogram, rng), 12)


class OwnGenerator:
    """It draws from a generator of its own."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng([seed, 1])

    def __call__(self, histogram, rng):
        return bool(answer(histogram, self.rng))


class Serial:
    """Every release has a number: which one, is no secret."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, histogram, rng):
        self.calls += 1
        return {"serial": self.calls, "answer": int(answer(histogram, rng))}


class Alternating:
    """Every second release says no for yes."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, histogram, rng):
        self.calls += 1
        return bool(answer(histogram, rng)) == bool(self.calls % 2)


class Vectorised:
    """Integer Laplace noise, many at a time."""

    def release_many(self, histogram, n, rng):
        """Return n releases."""
        return ("k0",), np.round(histogram.get("k0", 0) + rng.laplace(0, 1, (n, 1)))


@dataclass(frozen=True)
class Null:
    """A right mechanism by seed, what it claims, and the pair on which it is tight; None: the audit looks for pairs."""

    target: Callable[[int], object]
    options: Mapping[str, Any] = field(default_factory=lambda: {"epsilon": "1"})
    pair: Mapping[str, Mapping[str, int]] | None = field(
        default_factory=lambda: {"left": {"k0": 2}, "right": {"k0": 1}}
    )

    @property
    def every(self) -> int:
        """One in so many seeds audits it: to look for pairs takes four times as long."""
        return 1 if self.pair is not None else SEARCHED_EVERY


LEAKY = {"epsilon": "1", "delta": "0.02"}
NULLS = {
    "response": Null(lambda _: response),
    "response among others": Null(lambda _: responses),
    "label": Null(lambda _: label),
    "text": Null(lambda _: text),
    "exception": Null(lambda _: raising),
    "geometric": Null(lambda _: geometric),
    "laplace in tenths": Null(lambda _: laplace_in_tenths),
    "ties": Null(lambda _: rare),
    "gaussian": Null(lambda _: gaussian, {"epsilon": "1", "delta": repr(math.nextafter(GAUSSIAN_DELTA, 1))}),
    "exact sometimes": Null(lambda _: exact_sometimes, LEAKY),
    "selected": Null(lambda _: selected, {"epsilon": "0", "delta": "0.02"}, {"left": {"k0": 1}, "right": {}}),
    "shuffled": Null(lambda _: shuffled),
    "atoms": Null(lambda _: atoms),
    "own generator": Null(OwnGenerator),
    "serial": Null(lambda _: Serial()),
    "alternating": Null(lambda _: Alternating()),
    "vectorised": Null(lambda _: Vectorised()),
    "geometric, pairs searched": Null(lambda _: geometric, pair=None),
    "response, pairs searched": Null(lambda _: responses, pair=None),
    "selected, pairs searched": Null(lambda _: selected, LEAKY, None),
    "selected at once": Null(lambda _: selected_at_once, LEAKY, None),
    "selected in blocks": Null(lambda _: selected_in_blocks, LEAKY, None),
    "selected with a cap": Null(lambda _: selected_with_a_cap, LEAKY, None),
}
ALPHA = 0.05
SAMPLES = 600
"""Releases a side of one audit."""


def alarm(name: str, seed: int) -> bool:
    """Return whether a null is refuted, by an audit with default settings but for alpha and the releases."""
    null = NULLS[name]
    audit = audit_mechanism(
        null.target(seed), pair=null.pair, samples=SAMPLES, alpha=str(ALPHA), seed=seed, **null.options
    )
    if audit.verdict is Verdict.ERROR:
        raise AssertionError(f"{name}: {audit.detail}")
    return audit.verdict is Verdict.REFUTED


def audits(seeds: Iterable[int]) -> list[tuple[str, int]]:
    """Return which nulls are audited with which of the seeds."""
    return [(name, seed) for seed in seeds for name, null in NULLS.items() if seed % null.every == 0]


def alarms(seeds: Iterable[int]) -> Counter[str]:
    """Return how many audits of each null, one a seed, refute it."""
    return Counter(name for name, seed in audits(seeds) if alarm(name, seed))
