"""Lemmas 8 and 9: quantiles, by interactive search and by a hierarchical histogram.

A search for the value with ``below`` of n clients below it halves its interval h times, each time by a fresh sample,
and goes left where the sampled count of the clients below the split is at least its expectation at ``below``.  If no
split that is more than 3/sqrt(m) away in rank is taken for one on the other side, the last interval, of length 2^-h,
holds a value within 3/sqrt(m) of the wanted rank.  For ``phi > tau/m`` a count that is not shown is below that
expectation either way, so the threshold changes nothing.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from proofs_numeric.arithmetic import Rational
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_7.composition import BASIC
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *

_COUNTS = (
    Parameter("below", "clients below the quantile, phi n", "clients", 0, 10_000, integer=True),
    Parameter("above", "clients above it", "clients", 100, 10_000, integer=True, log=True),
    Parameter("m", "expected size of a sample", "clients", 16, 10_000, integer=True, log=True),
    Parameter("steps", "splits, h", "steps", 1, 40, integer=True, log=True),
)


def misleading_probability(A: Arithmetic, *, below: int, above: int, m: int, steps: int, reach: int) -> Any:
    """``1 - (1 - w)^h``, w the chance that a split ``reach`` clients away is taken for one on the other side.

    The data that mislead a search most have such a split at every step (``lem8.search``).
    """
    n = below + above
    p, least = A.number(Fraction(m, n)), -(-below * m // n)
    too_low = binomial_tail(A, below - reach, p, least) if reach <= below else A.number(0)
    too_high = lower_tail(A, below + reach, p, least - 1) if reach <= above else A.number(0)
    return 1 - (1 - A.maximum(too_low, too_high)) ** steps


def search_error(A: Arithmetic, *, below: int, above: int, m: int, steps: int) -> Any:
    """:func:`misleading_probability` from the first count on that is more than 3/sqrt(m) away in rank."""
    reach = math.isqrt(9 * (below + above) ** 2 // m) + 1
    return misleading_probability(A, below=below, above=above, m=m, steps=steps, reach=reach)


Search = tuple[int, int, int, int, int]
"""Clients below the quantile and above it, expected size of a sample, steps, and the count that is too far away."""


def searches(size: int) -> Iterator[Search]:
    """Searches of one and two steps over at most ``size`` clients."""
    for n in range(2, size + 1):
        for below, m, steps, reach in product(range(n), range(1, n), (1, 2), range(1, n)):
            yield below, n - below, m, steps, reach


def error_on_data(counts: tuple[int, ...], case: Search) -> Fraction:
    """The chance that a search ends where no value is near the quantile, split by split; counts below each split."""
    below, above, m, _steps, reach = case
    n = below + above
    p, least = Fraction(m, n), -(-below * m // n)

    def off(low: int, high: int) -> Fraction:
        if high == low + 1:
            return Fraction(counts[low] >= below + reach or counts[high] <= below - reach)
        middle = (low + high) // 2
        left = sum(cells.binomial_law(Rational(), counts[middle], p)[least:], Fraction(0))
        return left * off(low, middle) + (1 - left) * off(middle, high)

    return off(0, len(counts) - 1)


def worst_data_mislead(case: Search) -> bool:
    """Whether the largest error over all data is that of a search which meets the worst split at every step."""
    below, above, m, steps, reach = case
    data = combinations_with_replacement(range(below + above + 1), 2**steps - 1)
    worst = max(error_on_data((0, *counts, below + above), case) for counts in data)
    return bool(worst == misleading_probability(Rational(), below=below, above=above, m=m, steps=steps, reach=reach))


bernstein = symbol("steps") * exp(-lift("9/2") / (1 + 1 / sqrt(symbol("m"))))
"""Bernstein's bound at 3 sqrt(m) with variance at most m, at each step."""
_MEDIAN = {"below": 500, "above": 500, "m": 100, "steps": 10}

N = Parameter("n", "clients", "clients", 1000, 10**12, integer=True, log=True)
LEVELS = Parameter("levels", "depth of the trie", "levels", 1, 30, integer=True)

n, levels = symbols("n levels")
printed_error = (levels * tau) ** 2 / (epsilon * n)
"""``(L tau)^2/(epsilon n)`` (Lemma 9)."""
printed_sample = epsilon * n / (levels * tau)
"""``m``, the setting behind Lemma 9."""
node_deviation = sqrt((1 - printed_sample / n) / (2 * printed_sample))
"""Standard deviation of the sampled weight of one node that holds half of the clients, over m."""
_rate = epsilon / (levels * tau)
"""``m/n``."""
_deviation = 1 / sqrt(printed_sample)
corrected_error = printed_error + _deviation
"""Pruning and one standard deviation of sampling."""
_SAMPLED = at_most(levels * tau, epsilon * n)
_LEMMA_9 = Box((N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE), _SAMPLED, "epsilon n >= levels tau")

CLAIMS = (
    stated(
        "lem8.stmt", "Lemma 8",
        "A search of h splits is off by more than 3/sqrt(m) in rank with probability below h times Bernstein's bound",
        r"f\pm2^{-h}\text{ is a }\phi\pm O(m^{-1/2})\text{ quantile}", Inequality(search_error, bernstein),
        domain=Box(_COUNTS, lambda *, below, above, m, steps: m < below + above, "m < below + above"),
        partial="the rank; that the search is (h epsilon, h delta)-DP is bharadwaj2022.lem8.rate",
        note="On the data that mislead it most, h bounded or the constant of O grows with sqrt(log h). Needs tau/m < "
        "phi < 1 - 3/sqrt(m), of which the statement omits the upper end.",
        **PROBABILITY,
    ),
    own(
        "lem8.search", "Lemma 8",
        "No data mislead a search more than those with the worst split at every step, in exact fractions",
        r"\max_{\text{data}}\Pr[\text{no value of the last interval is near}]=1-(1-w)^h",
        FiniteStatement(searches, worst_data_mislead, sizes(4, 5, 6), "clients"),
    ),
    own(
        "lem8.loose", "Lemma 8",
        "Ten splits, 1000 clients, 100 sampled, the median: the bound is 265.313 times the exact error",
        r"10\,e^{-(9/2)/(1+1/\sqrt{100})}=265.313\,(1-(1-w)^{10})",
        Quantity(bernstein(m=100, steps=10) / algorithm(search_error)(**_MEDIAN), "265.313"),
        quantity=QuantityKind.RATIO,
    ),
    own(
        "lem8.rate", "Lemma 8",
        "L steps of the search at total epsilon: L times the exact delta of a step at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)", assumptions=("a fresh independent sample at each step",),
        privacy=neighbours.SPLIT,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one of a step's two buckets.",
        **BASIC,
    ),
    refuted(
        "lem9.stmt", "Lemma 9", "The rank error is (L tau)^2/(epsilon n): one node's standard deviation is below it",
        r"\phi\pm O((L\tau)^2/\epsilon n)", node_deviation <= printed_error, by="lem9.stmt.corrected", domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out; "
        "privacy is bharadwaj2022.lem9.rate",
        note="The sampling error is missing and dominates for large n; the resolution is beta^-L.",
    ),
    own(
        "lem9.stmt.corrected", "Lemma 9", "With the sampling term one standard deviation is covered",
        r"\phi\pm O((L\tau)^2/\epsilon n+\sqrt{1/m})", node_deviation <= corrected_error,
        proof=Through(_deviation, product_of(_deviation, (1 + _rate) / (2 + sqrt(2 * (1 - _rate))))), domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out",
    ),
    own(
        "lem9.rate", "Lemma 9",
        "A hierarchical histogram of L levels at total epsilon: L times the exact delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)", assumptions=("a fresh independent sample at each level",),
        privacy=neighbours.VALUE,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one bucket of a level.", **BASIC,
    ),
)  # fmt: skip
