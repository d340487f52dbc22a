"""Releases a side until known violations are refuted, told the pair: medians at alpha = .05, beside the best known.

`AUDITOR_ROWS` names those to look at, as a part of a row's name; `AUDITOR_SEEDS` says over how many seeds, 61 else. The
table is printed: ours with its number of seeds, as a multiple of the best published or measured figure of a test that
is valid, and of ln(1 / alpha) / KL_inf of the laws in fine cells: no test of that level needs fewer on average.

A median over 61 seeds is itself known to about a tenth; it may be below that bound, as a few long runs make the mean
large. More is lost where events are known, to capital divided over modes, stakes and events, than to learning events.
"""

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
import pytest
from scipy.stats import laplace as laplace_law
from scipy.stats import norm

from auditor import audit_mechanism
from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from auditor.mechanism_audit.one_sample import new_key
from auditor.statistics.betting import BOTH_DIRECTIONS
from auditor.statistics.power import kl_inf
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.statistics.mechanisms_under_audit import GRID, ONE_KEY, Neighbours, gaussian, laplace
from tests.known_violations.laws import Laws
from tests.known_violations.mechanisms import Known, mean_with_true_count
from tests.known_violations.test_known_violations import BROKEN

ALPHA = 0.05
SEEDS = range(31_000_000, 31_000_000 + int(os.environ.get("AUDITOR_SEEDS", "61")))
"""Used nowhere else: nothing was tuned on them."""
CELLS = 400
SIGMA = 3.7306316348159436
"""Least sigma of the analytic Gaussian mechanism at (1, 1e-5) and shift 1."""
WIDE = math.sqrt(2 * math.log(1.25e5))
"""Sigma at (epsilon, 1e-5) and shift 1, times epsilon, by the classical bound."""
NEW_KEY = Neighbours("new key", {"k0": 1}, {})


@dataclass(frozen=True)
class Threshold:
    """A key of one user is released with probability p, as the threshold's law says; others are no matter here."""

    p: float

    def release_many(self, histogram, n, rng):
        """N releases."""
        keys = tuple(histogram)
        return keys, np.where(rng.random((n, len(keys))) < self.p, 1.0, np.nan)


@dataclass(frozen=True)
class GaussianMean:
    """A noisy sum over the true number of records."""

    sigma: float

    def release_many(self, histogram, n, rng):
        """N releases."""
        count = sum(histogram.values())
        return ("mean",), np.rint((count + rng.normal(0, self.sigma, (n, 1))) / count * GRID) / GRID


@dataclass(frozen=True)
class Row:
    """A violation, the pair that shows it, the claim, the figure to reach, and the laws of both sides on cells."""

    mechanism: object
    pair: Neighbours
    epsilon: float
    delta: float
    figure: float
    laws: Laws
    declared: bool = False

    def needed(self, seed: int) -> float:
        """Releases a side until it is refuted."""
        if self.declared:
            pair = {"left": dict(self.pair.left), "right": dict(self.pair.right)}
            result = audit_mechanism(
                self.mechanism, epsilon=repr(self.epsilon), delta=repr(self.delta), pair=pair, only_input_keys=True,
                steer=False, alpha=str(ALPHA), seed=seed, samples=int(2 * self.figure), budget=600.0,
            ).result  # fmt: skip
        else:
            budget = Budget(int(10 * self.figure), confirmation=0.0)
            sampler = histogram_sampler(self.mechanism)
            result = audit_pairs(
                sampler, [self.pair], self.epsilon, self.delta, alpha=ALPHA, seed=seed, budget=budget,
                new_key=partial(new_key, directions=BOTH_DIRECTIONS),
            )  # fmt: skip
        return result.samples if result.verdict is Verdict.REFUTED else math.inf

    @property
    def bound(self) -> float:
        """Releases a side that the best test of this level needs on average; of one side, where it knows the other."""
        if self.declared:
            return -math.log(ALPHA) / divergence(self.laws[0], np.array([self.delta, 1 - self.delta]))
        return -math.log(ALPHA) / kl_inf(*self.laws, self.epsilon, self.delta, self.delta).upper


def divergence(law: np.ndarray, other: np.ndarray) -> float:
    """Kullback-Leibler divergence, in nats."""
    return float(law @ np.log(law / other))


def cells(left: Callable, right: Callable, low: float, high: float) -> Laws:
    """Return two laws on cells between low and high, by their distribution functions."""
    cuts = np.linspace(low, high, CELLS)
    first, second = (np.diff(np.concatenate([[0.0], cdf(cuts), [1.0]])) for cdf in (left, right))
    return np.maximum(first, 0.0), np.maximum(second, 0.0)


def scaled(law, first: float, second: float) -> Laws:
    """Return two laws about the same mean, with these scales."""
    widest = 30 * max(first, second) if law is laplace_law else 8 * max(first, second)
    return cells(law(0, first).cdf, law(0, second).cdf, -widest, widest)


def shifted(law, scale: float) -> Laws:
    """Return two laws a step of 1 apart."""
    reach = 1e-9 if law is laplace_law else 8 * scale
    return cells(law(1, scale).cdf, law(0, scale).cdf, -reach, 1 + reach)


def of_threshold(p: float) -> Laws:
    """Return the laws of a key that one side may release and the other cannot."""
    return np.array([p, 1 - p]), np.array([0.0, 1.0])


def known_row(name: str, epsilon: float, figure: float) -> Row:
    """Return a row of the suites of broken mechanisms."""
    row = BROKEN[name]
    return Row(Known(row.release, epsilon), row.pair, epsilon, 0.0, figure, row.laws(epsilon))


TWO_RECORDS = Neighbours("two records", {"a": 2}, {"a": 1})
ROWS = {
    "Laplace, half the scale": Row(laplace(0.5), ONE_KEY, 1.0, 0.0, 153, shifted(laplace_law, 0.5)),
    "Laplace, scale over 1.25": Row(laplace(0.8), ONE_KEY, 1.0, 0.0, 1_278, shifted(laplace_law, 0.8)),
    "histogram of inverted scale, .2": known_row("histogram with inverted scale", 0.2, 100),
    "histogram of inverted scale, .7": known_row("histogram with inverted scale", 0.7, 274),
    "Gaussian, half of sigma": Row(gaussian(SIGMA / 2), ONE_KEY, 1.0, 1e-5, 23_712, shifted(norm, SIGMA / 2)),
    **{
        f"threshold at {at}{', declared' if declared else ', undeclared'}": Row(
            Threshold(p), NEW_KEY, 1.0, claimed, figure, of_threshold(p), declared
        )
        for at, p, claimed, figure in ((5, 0.0134, 0.004926, 1_484), (10, 9.03e-5, 3.319e-5, 488_960))
        for declared in (True, False)
    },
    **{
        f"mean over the true number, Laplace, {epsilon:g}": Row(
            Known(mean_with_true_count, epsilon), TWO_RECORDS, epsilon, 0.0, figure,
            scaled(laplace_law, 0.5 / epsilon, 1 / epsilon),
        )
        for epsilon, figure in ((0.01, 274), (0.1, 402))
    },
    **{
        f"mean over the true number, Gaussian, {epsilon:g}": Row(
            GaussianMean(WIDE / epsilon), TWO_RECORDS, epsilon, 1e-5, figure,
            scaled(norm, WIDE / epsilon / 2, WIDE / epsilon),
        )
        for epsilon, figure in ((0.01, 210), (0.1, 242))
    },
    "noisy max with its value, .7": known_row("noisy max with its value", 0.7, 5_000),
    "noisy max, exponential, .7": known_row("noisy max with its value, exponential noise", 0.7, 1_000),
    "noisy max with its value, .1": known_row("noisy max with its value", 0.1, 190_572),
    "noisy max, exponential, .1": known_row("noisy max with its value, exponential noise", 0.1, 179_362),
    "sparse vector, no query noise, .7": known_row("sparse vector without query noise", 0.7, 1_000),
    "sparse vector, no query noise, .1": known_row("sparse vector without query noise", 0.1, 370),
    "sparse vector without cap, .1": known_row("sparse vector without cap", 0.1, 99_535),
}  # fmt: skip
CHOSEN = [name for name in ROWS if os.environ.get("AUDITOR_ROWS", "") in name]


NEAR, ENOUGH = 2.0, 5
"""Multiple of the bound within which so many rows are to be."""


@pytest.fixture(scope="module")
def multiples() -> dict[str, float]:
    """Return the median of each row so far, as a multiple of its bound."""
    return {}


@pytest.mark.parametrize("name", CHOSEN)
def test_releases_to_decide(name: str, multiples: dict[str, float], benchmark, capsys) -> None:
    """At or below the best figure."""
    row = ROWS[name]
    used = benchmark.pedantic(lambda: median(row.needed(seed) for seed in SEEDS), rounds=1, iterations=1)
    benchmark.extra_info.update(median=used, figure=row.figure, bound=row.bound)
    multiples[name] = used / row.bound
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name:42} {used:9,.0f} (n = {len(SEEDS)})  {used / row.figure:5.2f} of best {row.figure:9,.0f}"
            f"  {multiples[name]:5.2f} of bound {row.bound:9,.0f}"
        )
    assert used <= row.figure


@pytest.mark.skipif(len(CHOSEN) < len(ROWS), reason="asks for all rows")
def test_near_what_is_possible(multiples: dict[str, float]) -> None:
    """Enough rows are within twice the bound."""
    assert sum(multiple <= NEAR for multiple in multiples.values()) >= ENOUGH, multiples
