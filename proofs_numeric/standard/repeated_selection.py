"""The best of a random number of runs of an epsilon_0-DP mechanism (Papernot and Steinke 2022).

If g is the probability generating function of the number of runs and F the probability that one run is no better than
an outcome, the best run is no better with probability g(F).

The pair: one run answers "worse" with probability `1/(1 + e^-epsilon_0)` under P and `1/(1 + e^epsilon_0)` under Q, and
draws a uniform score among the answers of its kind. Where Q is at x in a score, P is at `e^epsilon_0 x` up to the kink
`x = 1/(1 + e^epsilon_0)`, then at `1 - e^-epsilon_0 (1 - x)`. The loss of the best run rises up to the kink and falls
beyond it: what gains most is an interval of scores around the kink. Nothing loses more than the scores at the kink: as
g' rises, `F_P` as large as epsilon_0 allows is the worst. So the largest loss of all mechanisms is the loss there.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

MEAN = Parameter("mean", "expected number of runs", "runs", 1, 10**4, log=True, open_lower=True)


def _gain(A: Arithmetic, between: Any, first: Any, last: Any, *, epsilon: Any, epsilon_0: Any) -> Any:
    """P less e^epsilon times Q of the scores from `first` to `1 - last` under Q; `between(a, b)` is g(a) - g(b)."""
    up = A.exp(epsilon_0)
    kink = 1 / (1 + up)
    if first >= kink:
        return A.number(0)
    first, last = A.minimum(A.maximum(0, first), kink), A.minimum(last, up * kink)
    return A.maximum(0, between(1 - last / up, up * first) - A.exp(epsilon) * between(1 - last, first))


def geometric(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, mean: Number) -> Any:
    """Delta of the pair for a geometric number of runs."""
    epsilon, epsilon_0, stop = A.number(epsilon), A.number(epsilon_0), 1 / A.number(mean)
    half = A.expm1((epsilon + epsilon_0) / 2)
    first = A.expm1((epsilon - epsilon_0) / 2) / ((1 - stop) * half)
    last = stop * half / ((1 - stop) * -A.expm1((epsilon - epsilon_0) / 2)) if epsilon < epsilon_0 else A.number(1)

    def between(above: Any, below: Any) -> Any:
        return stop * (above - below) / ((1 - (1 - stop) * above) * (1 - (1 - stop) * below))

    return _gain(A, between, first, last, epsilon=epsilon, epsilon_0=epsilon_0)


def poisson(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, mean: Number) -> Any:
    """Delta of the pair for a Poisson number of runs; without a run nothing is lost."""
    epsilon, epsilon_0, mean = A.number(epsilon), A.number(epsilon_0), A.number(mean)
    first = (epsilon - epsilon_0) / (mean * A.expm1(epsilon_0))
    last = (epsilon + epsilon_0) / (mean * -A.expm1(-epsilon_0))

    def between(above: Any, below: Any) -> Any:
        return A.exp(mean * (above - 1)) * -A.expm1(mean * (below - above))

    return _gain(A, between, first, last, epsilon=epsilon, epsilon_0=epsilon_0)


RUNS = 320
"""Largest number of runs of the oracle; more have a probability below 1e-40 at its points."""


def _by_runs(probabilities: Callable[[Arithmetic, Any], Iterator[Any]]) -> Formula:
    """The best two ends of an interval of scores; the law of the best run is summed over the number of runs."""

    def oracle(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, mean: Number) -> Any:
        factor, odds = A.exp(A.number(epsilon)), A.exp(A.number(epsilon_0))
        runs = list(islice(probabilities(A, A.number(mean)), RUNS))
        kink = 1 / (1 + odds)

        def best_is_below(share: Any) -> Any:
            total = A.number(0)
            for probability in reversed(runs):
                total = (total + probability) * share
            return total

        def below(x: Any) -> Any:
            here = odds * x if x < kink else 1 - (1 - x) / odds
            return best_is_below(here) - factor * best_is_below(x)

        upper = peak_value(A, below, kink, A.number(1), 130)
        return max(A.number(0), upper + peak_value(A, lambda x: -below(x), A.number(0), kink, 130))

    return oracle


def _geometric_runs(A: Arithmetic, mean: Any) -> Iterator[Any]:
    probability = 1 / mean
    while True:
        yield probability
        probability = probability * (1 - 1 / mean)


def _poisson_runs(A: Arithmetic, mean: Any) -> Iterator[Any]:
    probability = A.exp(-mean)
    for run in count(1):
        probability = probability * mean / run
        yield probability


def _claim(row: str, runs: str, statement: str, formula: Formula, oracle: Formula) -> Claim:
    return own(
        row, "repeated selection", f"Delta of the best of {runs} of runs of an epsilon_0-DP mechanism, at least",
        statement,
        DeltaBound(formula, oracle, points("epsilon epsilon_0 mean", ("0.5", 1, 4), ("1.2", 1, 4), (0, "0.3", 2))),
        float64_error="1e-6", float64_lost="1e-14", domain=(EPSILON, EPSILON_0, MEAN), role=Role.LOWER,
        falls=("epsilon",), rises=("epsilon_0",),
        note="The delta of one mechanism and one order of its answers, so that no smaller delta is right. It is 0 from "
        "the least pure epsilon of all epsilon_0-DP mechanisms on.",
    )  # fmt: skip


CLAIMS = (
    _claim(
        "repeated_selection.geometric", "a geometric number",
        r"\sup_{x \le y} P[(x, y)] - e^\varepsilon Q[(x, y)], \; g(F) = F/(m - (m-1) F)",
        geometric, _by_runs(_geometric_runs),
    ),
    _claim(
        "repeated_selection.poisson", "a Poisson number",
        r"\sup_{x \le y} P[(x, y)] - e^\varepsilon Q[(x, y)], \; g(F) = e^{m (F - 1)}",
        poisson, _by_runs(_poisson_runs),
    ),
)  # fmt: skip
