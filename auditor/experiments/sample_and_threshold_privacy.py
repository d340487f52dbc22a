"""What exact accounting of sample-and-threshold buys: least thresholds, the paper's settings, levels, errors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial

from auditor.experiments import expected
from auditor.experiments.curves import ALPHA, DELTA, EXACT, LAPLACE_POPULATION, LAPLACE_SAMPLE
from auditor.experiments.populations import POPULATIONS, Population
from auditor.report.model import Plot, Series, Table
from mechanisms.sample_and_threshold import accountant as exact
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.enclosure import NotEnclosedError, bounds, decimal_string
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7.composed_levels import either_order

EPSILONS = (0.1, 0.2, 0.5, 1.0)
PAPER_TAU = 20
SIZES = tuple(2**power for power in (6, 8, 10, 12, 14))
_A = Float64()
_TIE = 1e-6
"""Errors that differ by less, relatively, are called equal."""
BOUNDS: dict[str, Callable[..., float]] = {
    "Lemma 3": partial(cells.lemma_3, _A),
    "Lemma 3'": partial(cells.lemma_3_prime, _A),
    "Theorem 2": partial(cells.theorem_2, _A),
    "binomial tail": partial(cells.delta_binom, _A),
    "exact": exact.delta,
}
"""Deltas at (epsilon, alpha, tau) under add/remove, each at most the one before it."""


def _up(value: float | Fraction, digits: int = 4) -> str:
    """A number as a decimal string, rounded up."""
    return decimal_string(Fraction(value), digits, 1)


def _down(value: float, digits: int = 4) -> str:
    """A number as a decimal string, rounded down."""
    return decimal_string(Fraction(value), digits, -1)


def _text(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}g}"


def least_thresholds(epsilon: float, alpha: float) -> dict[str, int]:
    """Least integer tau whose delta is at most 1e-8, by each bound and under replacement."""
    found = {
        name: next(tau for tau in itertools.count(1) if bound(epsilon=epsilon, alpha=alpha, tau=tau) <= DELTA)
        for name, bound in BOUNDS.items()
    }
    return {**found, "exact, replacement": exact.least_tau(epsilon, DELTA, alpha=alpha, replacement=True)}


def epsilon_spent(p: float, tau: int) -> float:
    """Least epsilon >= -ln(1 - p) with (epsilon, 1e-8)-DP under add/remove."""
    pure = -math.log1p(-p) * (1 + 1e-12)

    def excess(epsilon: float) -> float:
        return DELTA - exact.delta_at_rate(float(epsilon), p=p, tau=tau)

    return float(increasing_root(_A, excess, pure, 20.0))


SETTINGS = (
    ("Section 3.1, alpha = 1/6", 1.0, exact.rate(1.0, 1 / 6), 20),
    ("Section 3.1, p = epsilon/5", 1.0, 1 / 5, exact.lemma_3_threshold(DELTA, alpha=1 / 5)),
    ("Section 3.3", 1.0, 0.1, 20),
    *((f"Section 5, epsilon = {epsilon:g}", epsilon, exact.rate(epsilon, ALPHA), 20) for epsilon in EPSILONS[:3]),
)
"""(where, epsilon, p, tau) of the paper, each with the promise delta <= 1e-8."""


def spent() -> Table:
    """The privacy that each setting of the paper really has, and the greatest rate that its promise allows."""
    rows = []
    for where, epsilon, p, tau in SETTINGS:
        alpha = exact.alpha_of(epsilon, p)
        greatest = exact.greatest_rate(epsilon, DELTA, tau=tau)
        values = [exact.delta(epsilon, alpha=alpha, tau=tau), epsilon_spent(p, tau)]
        rows.append(
            [where, _text(epsilon), _text(p), str(tau), *map(_up, values), _down(greatest), _down(greatest / p)]
        )
    return Table(
        caption="The paper's settings, each promising (epsilon, 1e-8): delta at that epsilon, epsilon at delta = 1e-8 "
        "(both rounded up), and the greatest sampling rate with that promise at the same tau (rounded down), under "
        "add/remove",
        columns=["setting", "epsilon", "p", "tau", "delta", "epsilon at 1e-8", "greatest p", "over the paper's"],
        rows=rows,
    )


def composed(epsilon: float, levels: int) -> Fraction:
    """Certified upper bound on the delta of fresh levels at the rate and threshold of one, at one level's epsilon."""
    p = Fraction(exact.rate(epsilon, ALPHA))
    with Ball(128) as A:
        ends = bounds(either_order(A, epsilon=Fraction(epsilon), p=p, tau=PAPER_TAU, levels=levels))
    if ends is None:
        raise NotEnclosedError(f"expected an enclosure of the delta of {levels} levels, got none at 128 bits")
    return ends[1]


def levels(depths: tuple[int, ...]) -> Table:
    """What L levels of a trie cost: the paper adds epsilons and deltas up, their convolution does not."""
    rows = []
    for depth in depths:
        alone = exact.delta(1.0, alpha=ALPHA, tau=PAPER_TAU)
        shared = exact.rate(1.0, ALPHA) / exact.rate(1.0 / depth, ALPHA)
        rows.append(
            [str(depth), f"({depth}, {_up(depth * alone)})", f"(1, {_up(composed(1.0, depth))})", _text(shared)]
        )
    return Table(
        caption="L fresh levels (TrieHH++, hierarchical histograms), each with p of epsilon = 1, alpha = 1/6 and tau = "
        "20, add/remove: (epsilon, delta) by addition, by certified convolution, and how many times more clients a "
        "level samples than with a share of epsilon",
        columns=["L", "by addition (Lemma 7)", "composed (upper bound)", "sample over that of a share"],
        rows=rows,
    )


@lru_cache
def expected_errors(population: Population, buckets: int, epsilon: float) -> dict[str, float]:
    """Expected absolute error per bucket, as a fraction of the population."""
    counts = population.counts(buckets)
    p = exact.rate(epsilon, ALPHA)
    least = int(EXACT.calibrate(epsilon, counts)["tau"])
    return {
        f"tau = {PAPER_TAU}": expected.threshold_error(counts, p=p, tau=PAPER_TAU),
        f"tau = {least}": expected.threshold_error(counts, p=p, tau=least),
        LAPLACE_SAMPLE.title: expected.laplace_error(counts, **LAPLACE_SAMPLE.calibrate(epsilon, counts)),
        LAPLACE_POPULATION.title: expected.laplace_error(counts, **LAPLACE_POPULATION.calibrate(epsilon, counts)),
    }


def errors(epsilon: float) -> Table:
    """Expected errors on every population and number of buckets."""
    rows, columns = [], []
    for population, buckets in itertools.product(POPULATIONS, SIZES):
        found = expected_errors(population, buckets, epsilon)
        columns = list(found)
        fair = {name: value for name, value in found.items() if name != LAPLACE_SAMPLE.title}
        best = [name for name, value in fair.items() if value <= min(fair.values()) * (1 + _TIE)]
        values = [f"{value:.3e}" for value in (1 / buckets, *found.values())]
        rows.append([population.title, str(buckets), *values, " or ".join(best)])
    return Table(
        caption=f"Expected absolute error per bucket at epsilon = {epsilon:g} (fraction of the population)",
        columns=["population", "B", "zero for every bucket", *columns, "least error at equal privacy"],
        rows=rows,
    )


def _series(name: str, x: list[float], y: list[float], style: str = "line") -> Series:
    return Series(name=name, x=[_text(a, 8) for a in x], y=[_text(b, 8) for b in y], style=style)  # type: ignore[arg-type]


def over_tau(epsilon: float) -> Plot:
    """Delta against the threshold, and the paper's target."""
    taus = list(range(1, 31))
    lines = [
        _series(
            name,
            [float(tau) for tau in taus],
            [float(bound(epsilon=epsilon, alpha=ALPHA, tau=tau)) for tau in taus],
            "line" if name == "exact" else "dashed",
        )
        for name, bound in BOUNDS.items()
    ]
    return Plot(
        caption=f"Delta against tau at epsilon = {epsilon:g}, alpha = 1/6, add/remove; the paper asks for 1e-8",
        x_label="tau (clients)",
        y_label="delta",
        y_log=True,
        series=[*lines, _series("1e-8", [1.0, 30.0], [DELTA, DELTA])],
    )
