"""Section 5: what can be decided without running it: data, drops, expected errors.

The figures themselves are re-run by `auditor experiments`; statements about them are claims of
`auditor.experiments.claims`, which uses the expected errors of this module.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.integer_part import floor_of, floors
from proofs_numeric.arithmetic.special import binomial_pmf
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_7.composed_levels import either_order
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.classical import DATA_PROCESSING

K_MANY = replace(K, name="W", upper=200)
TAU_LOW = Parameter("tau", "threshold; 0 shows every cell", "clients", 0, 40, integer=True)
LOG_B = Parameter("log2_b", "log2 of the number of buckets", lower=6, upper=14, integer=True)


def binomial_mode(A: Arithmetic, *, log2_b: int) -> Number:
    """Largest probability of Bin(B, 1/2): ``C(B, B/2)/2^B``."""
    size = 2**log2_b
    return A.number(math.comb(size, size // 2)) / A.number(2**size)


_mode = algorithm(binomial_mode)()


def bucket_numbers(size: int) -> Iterator[int]:
    """B = 1 .. ``size``."""
    return iter(range(1, size + 1))


def tosses(b: int) -> list[int]:
    """How many of the 2^B sequences of B tosses have 0, 1, ... heads: toss by toss."""
    ways = [1]
    for _toss in range(b):
        ways = [tail + head for tail, head in zip([*ways, 0], [0, *ways], strict=True)]
    return ways


def fits(b: int) -> bool:
    """Whether what B tosses can show fits in B buckets."""
    return sum(ways > 0 for ways in tosses(b)) <= b


def last_value_is_drawn(b: int) -> bool:
    """Whether B buckets, and not B + 1, miss exactly the mass 2^-B of Bin(B, 1/2)."""
    sums = [sum(map(Fraction, tosses(b)[:buckets])) / 2**b for buckets in (b, b + 1)]
    return sums == [1 - Fraction(1, 2**b), 1]


dropped = hidden(1000, sampling_rate(epsilon="1/5", alpha="1/6"), 19)
"""Probability that an item of frequency 0.1% is dropped: epsilon = 0.2, n = 1e6, alpha = 1/6, tau = 20."""
_BUCKETS = sizes(64, 128, 512)


@functools.singledispatch
def _mass(A: Arithmetic, W: int, p: Number, v: int) -> Number:
    return binomial_pmf(A, W, p, v) if v <= W else A.number(0)


@_mass.register
def _(A: Float64, W: Number, p: Number, v: Number) -> Any:
    from scipy.stats import binom  # an import of a second, which doubles alone need

    return binom.pmf(v, W, p)


@functools.singledispatch
def _beyond(A: Arithmetic, mean: Number, tau: int) -> list[Any]:
    """Where the part above the mean begins: floor(mean) + 1, or tau if that is more; all that it may be."""
    return [max(floor + 1, tau) for floor in floors(A, mean)]


@_beyond.register
def _(A: Float64, mean: Any, tau: int) -> list[Any]:
    return [np.maximum(np.floor(mean) + 1, tau)]


def cell_error(A: Arithmetic, *, W: Any, p_s: Number, tau: int) -> Any:
    """Expected absolute error of a cell's estimate times p_s (clients): a cell not shown counts as zero.

    ``W p_s P[V < tau] + (1 - p_s)(2 k b(k) - tau b(tau))``, V ~ Bin(W, p_s) with law b, k = max(floor(W p_s) + 1, tau):
    the sum of (v - W p_s) b(v) over v >= t is t (1 - p_s) b(t) (Todhunter), and largest at the first t above the mean.
    tau = 0 is the mean deviation of V. In float64 W may be an array.
    """
    mean = W * p_s
    above = A.maximum(*(k * _mass(A, W, p_s, k) for k in _beyond(A, mean, tau)))
    return mean * lower_tail(A, W, p_s, tau - 1) + (1 - p_s) * (2 * above - tau * _mass(A, W, p_s, tau))


def cell_error_by_counts(A: Arithmetic, *, W: int, p_s: Number, tau: int) -> Number:
    """The same, count by count."""
    mean = W * p_s
    law = cells.binomial_law(A, W, p_s)
    return A.sum(law[v] * (A.maximum(v - mean, mean - v) if v >= tau else mean) for v in range(W + 1))


b, p_s = symbols("b p_s")
_linear = (1 - p_s) * expm1(epsilon)
_square = _linear * _linear + 4 * p_s * p_s * expm1(epsilon)
_root = (_linear + _square / (2 * p_s + sqrt(_square + 4 * p_s * p_s))) / (2 * p_s)
"""The root less 1, a sum of positive terms: a rate of 1e-300 overflows none."""
laplace_scale = 1 / log1p(_root)
"""Least scale b of Laplace noise on a Poisson sample that is epsilon-DP for the population, under replacement.

Given everybody else's part, the ratio of densities of two neighbours is (1 - p + p r)/(1 - p + p s), where r and s
are ratios of Laplace densities one apart, in different cells: anything in [1/u, u] with u = e^(1/b), and the ends
are attained. The largest ratio is e^epsilon at the positive root of p u^2 - (1 - p)(e^epsilon - 1) u - p e^epsilon.
"""
laplace_ratio = (1 - p_s + p_s * exp(1 / b)) / (1 - p_s + p_s / exp(1 / b))
"""Largest ratio of densities of Laplace noise of scale b on a Poisson sample, under replacement."""
_rate = sampling_rate(alpha="1/6")
_laplace_excess = 2**14 / (epsilon * _rate * 10**6)
"""Least error of Laplace noise of scale 1/epsilon on the sample, E|N|/(p n), over 2^-14."""


def fair_coins(A: Arithmetic, *, epsilon: Number) -> Number:
    """Replacement delta of the shuffled sums when each of m = floor(p n) clients adds a fair coin to every cell.

    With y shown by the cell that gains, the bad x are those above a cut: the sum over y of b(y) T(t - 1) - e^epsilon
    b(y - 1) T(t), T the upper tail of b. Far from m/2 the law has less than 2 exp(-2 w^2/m) (Hoeffding), enclosed.
    """
    m = floor_of(A, sampling_rate(A, epsilon=epsilon, alpha=A.number("1/6")) * 10**6)
    centre, width = m // 2, math.isqrt(40 * m) + 1
    low, high = max(centre - width, 0), min(centre + width, m)
    rest = A.between(A.number(0), 2 * A.exp(-A.number(Fraction(2 * (width - 1) ** 2, m))))
    law = {centre: binomial_pmf(A, m, A.number(1) / 2, centre)}
    for v in range(centre, high):
        law[v + 1] = law[v] * (m - v) / (v + 1)
    for v in range(centre, low, -1):
        law[v - 1] = law[v] * v / (m - v + 1)
    tails, tail = {}, rest
    for v in range(high, low - 1, -1):
        tail = tail + law[v]
        tails[v] = tail

    def upper(t: int) -> Any:
        return tails[max(t, low)] if t <= high else rest

    factor, total = A.exp(epsilon), rest
    for y in range(low + 1, high + 1):
        cut = (m + 1) * factor * y / (m - y + 1 + factor * y)
        gains = (law[y] * upper(t) - factor * law[y - 1] * upper(t + 1) for t in floors(A, cut))
        total = total + A.maximum(A.number(0), *gains)
    return total


four_levels = algorithm(either_order)(epsilon=1, p=_rate(epsilon=1), tau=20, levels=4)
"""Upper bound on the delta of four levels at the total epsilon = 1, each at that epsilon's rate and tau = 20."""
_coins = algorithm(fair_coins)()
_PLOTTED = Parameter("epsilon", "privacy of the plots", "nats", "1/10", 1)

CLAIMS = (
    stated(
        "exp.tau", "Section 5", "alpha = 1/6 and delta = 1e-8 yield tau = 20", r"\lceil\ln(10^8)/C_{1/6}\rceil=20",
        Quantity(log(10**8) / c_alpha(alpha="1/6"), "20", Reading.ROUNDED_UP), loose="11 is enough by the exact delta",
    ),
    refuted(
        "exp.mode", "Section 5", "The most popular item has at most 5% (Binomial data)", r"\binom{B}{B/2}2^{-B}\le0.05",
        _mode <= lift("1/20"), by="exp.mode.corrected", domain=(LOG_B,), note="9.9% at B = 64 and 0.62% at B = 2^14.",
    ),
    own(
        "exp.mode.corrected", "Section 5", "The most popular item has at most sqrt(2/(pi B)), 0.62% to 10%",
        r"\binom{B}{B/2}2^{-B}\le\sqrt{2/(\pi B)}", _mode <= sqrt(2 / (pi * lift(2) ** symbol("log2_b"))),
        domain=(LOG_B,),
    ),
    refuted(
        "exp.support", "Section 5", "Binomial(B, 1/2) draws a bucket out of B", r"|\{0,\dots,B\}|\le B",
        FiniteStatement(
            bucket_numbers, fits, _BUCKETS, "B", describe=lambda b: {"B": b, "values of B tosses": len(tosses(b))},
        ),
        by="exp.support.corrected", note="B + 1 values; the geometric law has no end. A wrap or clip rule is needed.",
    ),
    own(
        "exp.support.corrected", "Section 5", "Binomial(B, 1/2) needs B + 1 buckets",
        r"\Pr[\mathrm{Bin}(B,\tfrac12)<B]=1-2^{-B},\ \Pr[\mathrm{Bin}(B,\tfrac12)\le B]=1",
        FiniteStatement(bucket_numbers, last_value_is_drawn, _BUCKETS, "B"),
    ),
    stated(
        "exp.01pct", "Section 5", "At epsilon = 0.2 an item of frequency 0.1% is dropped with probability below 2%",
        r"\Pr[\mathrm{Bin}(1000,p)<20]<0.02", dropped < lift("1/50"),
    ),
    own(
        "exp.error", "Section 5", "Expected absolute error of a cell of sample-and-threshold, in closed form",
        r"p_s\,\mathbb{E}|\hat f-f|\,n=Wp_s\Pr[V<\tau]+(1-p_s)(2kb(k)-\tau b(\tau))",
        Identity(cell_error, cell_error_by_counts), domain=(K_MANY, P_S, TAU_LOW), evaluates=cell_error,
    ),
    own(
        "exp.laplace", "Section 5",
        "Least scale of Laplace noise on a Poisson sample at equal privacy, under replacement",
        r"\ln\frac{1-p+pe^{1/b}}{1-p+pe^{-1/b}}=\epsilon", eq(log(laplace_ratio(b=laplace_scale)), epsilon),
        proof=Symbolic(), domain=(EPSILON, P_S), evaluates=laplace_scale, quantity=QuantityKind.SCALE,
        privacy=neighbours.SHUFFLE, note="Under add/remove 1/ln(1 + (e^epsilon - 1)/p) is enough: rem.fair.corrected.",
    ),
    own(
        "exp.trivial.laplace", "Section 5",
        "At B = 2^14 and epsilon <= 0.3 Laplace noise of scale 1/epsilon is worse than reporting zero",
        r"\tfrac{1}{\epsilon p n}>1.264286\cdot2^{-14}", lift("1.264286") < _laplace_excess, proof=Boxes(),
        domain=(replace(_PLOTTED, upper="3/10"),),
        note="n = 10^6, alpha = 1/6. The paper plots the noise of a sample without amplification.",
    ),
    own(
        "exp.levels", "Section 4.1",
        "Four fresh levels, each at the rate of epsilon = 1 and tau = 20: their bound at epsilon = 1 is below 4.2e-14",
        r"\delta_4(1)<4.2\cdot10^{-14},\ p=\tfrac16(1-e^{-1})", four_levels < lift("4.2e-14"), cost=40,
        note="Add/remove, for every path of counts. By Lemma 7 they are (4, 4 delta); with a share of epsilon each a "
        "level samples almost three times fewer clients.",
    ),
    own(
        "exp.levels.least", "Section 4.1", "The bound for these four levels is above 3.8e-14",
        r"3.8\cdot10^{-14}<\delta_4(1)", lift("3.8e-14") < four_levels, cost=40, **PROBABILITY,
    ),
    refuted(
        "exp.range", "Section 5",
        "For epsilon in [0.1, 1] all mechanisms have guarantees: fair coins have delta <= 1e-8",
        r"\delta_{f=1/2}(\epsilon)\le10^{-8}", _coins <= lift("1e-8"), by="exp.range.corrected", domain=(_PLOTTED,),
        cost=5,
        note="Replacement neighbours, m = floor(p n) clients of n = 10^6. Delta at epsilon = 0.1 is exp.range.worst.",
        partial="fair coins; that no other coins have a smaller delta is left out", **PROBABILITY,
    ),
    own(
        "exp.range.worst", "Section 5", "Fair coins have delta 2.0727e-8 at epsilon = 0.1",
        r"\delta_{f=1/2}(0.1)=2.0727\cdot10^{-8}", Quantity(_coins(epsilon="1/10"), "2.0727e-8"), **PROBABILITY,
    ),
    own(
        "exp.range.corrected", "Section 5", "Fair coins have delta <= 1e-8 from epsilon = 0.11 on",
        r"\delta_{f=1/2}(\epsilon)\le10^{-8}\quad(\epsilon\ge0.11)", _coins <= lift("1e-8"),
        proof=derived(
            Premise("bharadwaj2022.exp.range.corrected.first", "at epsilon = 0.11"), *moves.EPSILON.steps,
            Trusted(DATA_PROCESSING, "m grows with epsilon: coins of more clients are added to those of fewer"),
        ),
        domain=(replace(_PLOTTED, lower="11/100"),), cost=5, **PROBABILITY,
    ),
    own(
        "exp.range.corrected.first", "Section 5", "Fair coins have delta below 6.3e-10 at epsilon = 0.11",
        r"\delta_{f=1/2}(0.11)<6.3\cdot10^{-10}", _coins(epsilon="11/100") < lift("6.3e-10"), **PROBABILITY,
    ),
)  # fmt: skip
