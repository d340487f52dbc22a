"""Right mechanisms that tempt a test: tight at their claim, with ties, labels, exceptions, state, draws of their own.

Each keeps its claim exactly, and most attain it on the pair that is told, where a false alarm is likeliest.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
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


def response_delta(epsilon):
    """Return the exact delta of randomized response at epsilon 1; it is attained at every epsilon."""
    return max(0.0, TRUTH - math.exp(epsilon) * (1 - TRUTH))


def exact_sometimes(histogram, rng):
    """Tight at every epsilon up to 1, at delta = .02: the count itself, once in fifty."""
    if rng.random() < RARE:
        return {"k0": histogram.get("k0", 0)}
    return {"k0": 100 + int(answer(histogram, rng))}


def selected(histogram, rng):
    """A key is released with probability delta: a new one makes it tight at every epsilon."""
    return [key for key in sorted(histogram) if rng.random() < RARE]


@cache
def kept(users: int) -> float:
    """Return the largest probability with which a key may be released beyond that of one user, at epsilon 1.

    Zero at one user. From two on the selection of Desfontaines, Voss and Gipson (2022), at delta = `OF_A_KEY`.
    """
    largest = 0.0
    for _ in range(users - 1):
        if largest == 1:
            break
        largest = min(math.e * largest + OF_A_KEY, 1 - (1 - largest - OF_A_KEY) / math.e, 1.0)
    return largest


def released(histogram, rng, group):
    """Return the keys in order; keys of one group share the draw that releases a key of one user.

    The draw of a group does not depend on data. Apart from it a further user changes the chance of one key, as the
    selection allows: (1, `OF_A_KEY`) holds however keys are grouped, and a new key attains it.
    """
    keys = sorted(histogram)
    draws = {each: rng.random() < OF_A_KEY for each in sorted(set(map(group, keys)))}
    return [key for key in keys if draws[group(key)] or rng.random() < kept(histogram[key])]


def keys_alone(histogram, rng):
    """Each key has a draw of its own."""
    return released(histogram, rng, lambda key: key)


def keys_at_once(histogram, rng):
    """One draw for all keys."""
    return released(histogram, rng, lambda key: "")


def keys_in_blocks(histogram, rng):
    """Keys of one last letter share a draw."""
    return released(histogram, rng, lambda key: key[-1])


def keys_with_a_cap(histogram, rng):
    """At most two keys are released."""
    return keys_alone(histogram, rng)[:2]


def keys_sorted(histogram, rng):
    """Keys are sorted by draws that do not depend on data, the largest first."""
    return sorted(keys_in_blocks(histogram, rng), key=lambda key: rng.random(), reverse=True)


def slowly(mechanism: Callable[..., Any]) -> Callable[..., Any]:
    """Return the mechanism with a tenth of a millisecond more in each release."""

    def release(histogram, rng):
        end = time.process_time() + 1e-4
        while time.process_time() < end:
            pass
        return mechanism(histogram, rng)

    return release


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
    "gaussian by mu": Null(lambda _: gaussian, {"mu": "1"}),
    "gaussian by rho": Null(lambda _: gaussian, {"rho": "1/2"}),
    "response by profile": Null(lambda _: response, {"privacy_profile": response_delta}),
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
}
OF_A_KEY = 0.005
"""Delta of a new key: of 16 keys of one user, 8 in 100 releases show one."""
KEYS = {"epsilon": "1", "delta": repr(OF_A_KEY)}
MANY_KEYS = {
    "keys alone": Null(lambda _: keys_alone, KEYS, None),
    "keys at once": Null(lambda _: keys_at_once, KEYS, None),
    "keys in blocks": Null(lambda _: keys_in_blocks, KEYS, None),
    "keys with a cap": Null(lambda _: keys_with_a_cap, KEYS, None),
    "keys sorted": Null(lambda _: keys_sorted, KEYS, None),
}
"""Nulls of the test of many keys."""
RANDOM_NAMES = {
    f"{name}, epsilon 5": replace(null, options={**KEYS, "epsilon": "5"}) for name, null in MANY_KEYS.items()
}
"""Nulls of the test of random names at an epsilon at which counting on the neighbour is the dearer way."""
SHARED_KEYS = {
    f"{mechanism.__name__.replace('_', ' ')}, slow": Null(lambda _, mechanism=mechanism: slowly(mechanism), KEYS, None)
    for mechanism in (keys_alone, keys_at_once, keys_in_blocks, keys_sorted)
}
"""Nulls of the guesses of who holds shared keys: too slow for counting in the time that they get."""
PURE_EPSILON = {name: null for name, null in NULLS.items() if [*null.options] == ["epsilon"]}
"""Nulls whose power is required in epsilon."""
CURVES = {name: null for name, null in NULLS.items() if "epsilon" not in null.options}
"""Nulls of claims with several levels."""
GROUPS = {
    "all tests": NULLS,
    "many keys": MANY_KEYS,
    "random names": RANDOM_NAMES,
    "shared keys": SHARED_KEYS,
    "pure epsilon": PURE_EPSILON,
    "claimed curves": CURVES,
}
ALPHA = 0.05
SAMPLES = 600
"""Releases a side of one audit."""
QUICKLY = {"samples": 300, "budget": 0.6}
"""Releases and CPU seconds of an audit of many keys: its search of pairs is short."""
WITH_SHARED_KEYS = {"samples": 20, "budget": 1.0, "largest_count": 6000}
"""Releases of each test, CPU seconds, and users over all keys, of an audit of a slow target."""


def alarm(name: str, seed: int) -> bool:
    """Return whether a null is refuted, by an audit with default settings but for alpha, the releases and the time."""
    null = {**NULLS, **MANY_KEYS, **RANDOM_NAMES, **SHARED_KEYS}[name]
    options = {"samples": SAMPLES} if name in NULLS else WITH_SHARED_KEYS if name in SHARED_KEYS else QUICKLY
    options = {**options, **null.options}
    audit = audit_mechanism(null.target(seed), pair=null.pair, alpha=str(ALPHA), seed=seed, **options)
    if audit.verdict is Verdict.ERROR:
        raise AssertionError(f"{name}: {audit.detail}")
    if name not in NULLS and audit.many_keys is None:
        raise AssertionError(f"{name} does not meet the test of many keys: {audit.notes}")
    if name in SHARED_KEYS and audit.shared_keys is None and audit.verdict is not Verdict.REFUTED:
        raise AssertionError(f"{name} does not meet the test of shared keys: {audit.notes}")
    return audit.verdict is Verdict.REFUTED


def audits(nulls: Mapping[str, Null], seeds: Iterable[int]) -> list[tuple[str, int]]:
    """Return which of the nulls are audited with which of the seeds; those of many keys with each."""
    every = {name: null.every if name in NULLS else 1 for name, null in nulls.items()}
    return [(name, seed) for seed in seeds for name in nulls if seed % every[name] == 0]


def alarms(asked: Iterable[tuple[str, int]]) -> Counter[str]:
    """Return how many of the audits of each null refute it."""
    return Counter(name for name, seed in asked if alarm(name, seed))
