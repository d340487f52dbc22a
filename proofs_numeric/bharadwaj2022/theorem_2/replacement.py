"""The largest replacement delta of sample-and-threshold over all pairs of counts, at any epsilon >= 0 and any rate.

With (ka, kb) against (ka - 1, kb + 1) and Q/P a product of two factors, write f for the hockey stick.  Leaving the
threshold off a cell never lowers f, and a cell without threshold only lowers it as its count grows: its factor of Q/P
(or of P/Q) is a function of the sample mean, a reverse martingale, and the hockey stick is convex in it.  So

* at a fixed ka, once f without the second threshold is at most the best value found, no larger kb matters;
* nor does a smaller one once ``(1 - S) h(level of "nothing") + S h(level of tau)`` is, with h the hockey stick of the
  first cell alone and S the probability that kb copies are shown. Both levels fall with kb (that of "nothing" because
  kb + 1 copies exceed kb in likelihood ratio, so also in reversed hazard rate), and S rises;
* once at some ka no kb gives more without the first threshold, no larger ka matters; where e^epsilon (1 - p) >= 1 the
  first cell is met at levels of at least epsilon + ln(1 - p) only, and nothing grows beyond ka = tau/(1 - e^-epsilon).

In float64 the scan ends where nothing larger by one part in 1e12 is left, as a limit may equal the largest value; in
balls where nothing certainly larger is, by one part in 2^(bits/2), which the value then holds.
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.binomial_mass import binomial_mass
from proofs_numeric.bharadwaj2022.parameters import ALPHA, EPSILON, K_A, K_B, SETTINGS, TAU, VISIBLE, P, own, refuted
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, Inequality

_SLACK = 1e-12
_LARGEST = 100_000


@dataclass(frozen=True)
class Worst:
    """The largest delta found and the counts (ka, kb) that attain it."""

    value: float
    ka: int
    kb: int


@functools.lru_cache(maxsize=1024)
def _law(k: int, p: float) -> NDArray[np.float64]:
    shown = binomial_mass(float(k), p, 1 - p, np.arange(1.0, k + 1))
    return np.concatenate([[math.exp(k * math.log1p(-p))], shown])


@functools.lru_cache(maxsize=8)
def _tails(k: int, p: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``S(t) = P[B >= t]`` and ``sum of S(j) over j >= t``, t = 0 .. k + 2."""
    once = np.concatenate([np.cumsum(_law(k, p)[::-1])[::-1], [0.0, 0.0]])
    return once, np.cumsum(once[::-1])[::-1]


def pair_delta(epsilon: float, p: float, first: int, second: int, ka: int, kb: int) -> float:
    """Hockey stick of (ka, kb) against (ka - 1, kb + 1), float64, thresholds `first` and `second` (0: none).

    Given an outcome of the second cell what the first adds is its hockey stick at e^epsilon over the outcome's ratio.
    """
    mass, other = _law(kb, p), _law(kb + 1, p)
    ratio = (kb + 1 - np.arange(kb + 1)) / ((kb + 1) * (1 - p))
    if second > 0:
        hidden = mass[:second].sum(), other[:second].sum()
        mass = np.concatenate([[hidden[0]], mass[second:]])
        # A mass below the smallest double adds nothing, whatever its ratio.
        ratio = np.concatenate([[hidden[0] / hidden[1] if hidden[1] > 0 else 1.0], ratio[second:]])
    return float(np.sum(mass * _first_cell(p, first, ka, math.exp(epsilon) / ratio)))


def _first_cell(p: float, first: int, ka: int, factor: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hockey sticks of ka against ka - 1 copies, threshold `first`, at factors.

    The bad values are v > x, and what they add is E[(B - x); B >= t]/(ka - x) = ((t - x) S(t) + S(t + 1) + S(t + 2) +
    ...)/(ka - x): no differences of close numbers.
    """
    # ka - x, at times far below the rounding of ka.
    gap = ka * (1 - p) / factor
    t = np.clip(ka + 1 - np.ceil(np.minimum(gap, ka + 1)).astype(int), first, ka + 1)
    once, twice = _tails(ka, p)
    part = ((gap - (ka - t)) * once[t] + twice[t + 1]) / gap
    return np.asarray(np.maximum(np.maximum(part, 1 - factor), 0))


def _up_to(epsilon: float, p: float, first: int, second: int, ka: int, kb: int) -> float:
    """What no pair of ka and at most kb copies exceeds: the second bound of the module's docstring, `second` >= 1."""
    A, below = Float64(), second - 1
    hidden, other = (float(cells.lower_tail(A, k, p, below)) for k in (kb, kb + 1))
    levels = math.exp(epsilon) * np.array([other / hidden if hidden > 0 else 1 - p])
    nothing = _first_cell(p, first, ka, levels)[0]
    if kb < second:
        return float(nothing)
    levels = math.exp(epsilon) * (1 - p) / np.array([1 - second / (kb + 1)])
    return float(
        nothing + cells.upper_tail(A, kb, p, second) * max(0.0, _first_cell(p, first, ka, levels)[0] - nothing)
    )


@cells.tight_replacement.register
def _(A: Float64, *, epsilon: Number, alpha: Number, tau: int, ka: int, kb: int) -> Any:
    p = cells.sampling_rate(A, epsilon=float(epsilon), alpha=float(alpha))
    return A.number(pair_delta(float(epsilon), float(p), tau, tau, ka, kb))


class _Doubles:
    """Pairs in float64, at a level and a rate."""

    def __init__(self, epsilon: float, p: float) -> None:
        self.epsilon, self.p = epsilon, p

    def delta(self, first: int, second: int, ka: int, kb: int) -> float:
        """Of a pair, with these thresholds, 0: none."""
        return pair_delta(self.epsilon, self.p, first, second, ka, kb)

    def up_to(self, first: int, second: int, ka: int, kb: int) -> float:
        """What no pair of ka and at most kb copies exceeds."""
        return _up_to(self.epsilon, self.p, first, second, ka, kb)


class _Balls(cells.Replaced):
    """Pairs in balls."""

    def up_to(self, first: int, second: int, ka: int, kb: int) -> Any:
        """What no pair of ka and at most kb copies exceeds."""
        hidden, other = self.hidden(second, kb)
        nothing = self.stick(first, ka, self.A.number(1), other / hidden)
        if kb < second:
            return nothing
        level = (1 - self.p) / (1 - self.A.number(second) / (kb + 1))
        shown = cells.upper_tail(self.A, kb, self.p, second)
        return nothing + shown * self.A.maximum(0, self.stick(first, ka, self.A.number(1), level) - nothing)


def scan(epsilon: float, p: float, tau: int) -> Worst:
    """The pair of the largest delta in float64.

    Raises:
        ValueError: the scan does not end within 100000 copies.
    """
    # tau clients of an item against tau - 1 tell more than nothing at every rate, below the smallest double too.
    found = [Worst(cells.LEAST, tau, 0)]
    pairs = _scanned(
        _Doubles(epsilon, p),
        epsilon,
        p,
        tau,
        lambda x: bool(x <= found[-1].value * (1 + _SLACK)),
        below_all=p <= -math.expm1(-epsilon),
    )
    for value, ka, kb in pairs:
        if value > found[-1].value:
            found.append(Worst(value, ka, kb))
    return found[-1]


def _scanned(
    pairs: _Doubles | _Balls, epsilon: float, p: float, tau: int, small: Callable[[Any], bool], *, below_all: bool
) -> Iterator[tuple[Any, int, int]]:
    """Yield pairs with their deltas until, by ``small``, no other has more than the largest of them.

    ``below_all``: that e^epsilon (1 - p) is at least 1, so that few ka matter.
    """

    def found(ka: int, kb: int) -> tuple[Any, int, int]:
        return pairs.delta(tau, tau, ka, kb), ka, kb

    # The likely worst first, and counts nearest to it: a large value early ends the scans early.
    likely, kb = _likely(epsilon, p, tau)
    yield found(likely, min(kb, _LARGEST))
    if below_all:
        for ka in sorted(range(tau, int(tau / -math.expm1(-epsilon)) + 2), key=lambda k: abs(k - likely)):
            yield from (found(ka, kb) for kb in _counts(pairs, (tau, tau), ka, small))
        return
    for ka in range(max(1, tau - 1), _LARGEST):
        yield from (found(ka, kb) for kb in _counts(pairs, (tau, tau), ka, small))
        if all(small(pairs.delta(0, tau, ka, kb)) for kb in _counts(pairs, (0, tau), ka, small)):
            return
    raise ValueError(f"expected a scan that ends by ka={_LARGEST}, got epsilon={epsilon}, p={p}, tau={tau}")


def _counts(
    pairs: _Doubles | _Balls, thresholds: tuple[int, int], ka: int, small: Callable[[Any], bool]
) -> Iterator[int]:
    """Yield every count kb at which (ka, kb) may have more than is ``small``, asked before each; some of them twice."""
    first, second = thresholds
    low = max(0, second - 1)

    def enough(kb: int) -> bool:
        return small(pairs.delta(first, 0, ka, kb))

    width = 1
    while low + width < _LARGEST and not enough(low + width):
        yield low + width  # where the second cell hides little, which may raise what is enough
        width *= 2
    high = low + bisect.bisect_left(range(low, min(low + width, _LARGEST)), x=True, key=enough)
    for kb in range(high, low - 1, -1):
        if small(pairs.up_to(first, second, ka, kb)):
            return
        yield kb


def _in_balls(A: Ball, level: Any, rate: Any, tau: int) -> tuple[Any, tuple[int, int]]:
    """An enclosure of the largest of all pairs, certified, and the pair that a scan in balls finds."""
    factor, slack = A.exp(level), 1 + A.number(2) ** (-A.bits // 2)
    found, pair = rate**tau, (tau, 0)  # of tau clients of an item against tau - 1
    pairs = _scanned(
        _Balls(A, factor, rate),
        float(level.lower()),  # which leaves more counts to look at
        float(rate.lower()),
        tau,
        lambda x: bool(x <= found * slack),
        below_all=bool(factor * (1 - rate) >= 1),
    )
    for value, ka, kb in pairs:
        if value > found:
            pair = ka, kb
        found = A.maximum(found, value)
    return A.between(found, found * slack), pair


@functools.lru_cache(maxsize=256)
def _worst(epsilon: Fraction, p: Fraction, tau: int, bits: int) -> tuple[int, int]:
    with Ball(bits) as A:
        return _in_balls(A, A.number(epsilon), A.number(p), tau)[1]


@functools.singledispatch
def replacement_rate(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> Any:
    """Exact replacement delta at any epsilon >= 0 and rate p, of the pair that a scan finds, in balls for certain.

    The pair is sought in balls of twice the bits: what it gains over others may be less than a double sees.
    """
    ka, kb = _worst(as_fraction(epsilon), as_fraction(p), tau, 2 * A.bits)
    return cells.replacement_at(A, factor=A.exp(A.number(epsilon)), p=p, tau=tau, ka=ka, kb=kb)


@replacement_rate.register
def _(A: Float64, *, epsilon: Number, p: Number, tau: int) -> Any:
    worst = scan(float(epsilon), float(p), tau)
    return cells.replacement_at(A, factor=A.exp(A.number(epsilon)), p=p, tau=tau, ka=worst.ka, kb=worst.kb)


@replacement_rate.register
def _(A: Ball, *, epsilon: Number, p: Number, tau: int) -> Any:
    """The largest of all pairs, certified: by a scan in balls."""
    return _in_balls(A, A.number(epsilon), A.number(p), tau)[0]


def replacement_by_products(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> Number:
    """The same from the product laws of all counts up to 3 tau/p + 4, outcome by outcome."""
    factor, last = A.exp(A.number(epsilon)), int(3 * tau / float(p)) + 4
    return A.maximum(
        *(
            cells.product_profile(A, factor=factor, p=p, tau=tau, ka=ka, kb=kb)
            for ka in range(1, last)
            for kb in range(last)
        )
    )


def likely_worst(epsilon: float, alpha: float, tau: int) -> tuple[int, int]:
    """Counts at which large deviations put the replacement delta at p = alpha (1 - e^-epsilon)."""
    return _likely(epsilon, -alpha * math.expm1(-epsilon), tau)


def _likely(epsilon: float, p: float, tau: int) -> tuple[int, int]:
    """Counts at which large deviations put the replacement delta: tau sampled of each item, the loss exactly epsilon.

    With x = tau/ka and y = tau/kb: (1 - y)/(1 - x) = e^epsilon, and D(x || p)/x + D(y || p)/y least; y is at most p.
    """
    y = p * np.linspace(0.3, 1.0, 2001)[:-1]
    x = 1 - (1 - y) * math.exp(-epsilon)

    def cost(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.log(z / p) + (1 - z) / z * np.log((1 - z) / (1 - p)))

    at = int(np.argmin(cost(x) + cost(y)))
    return max(tau, round(tau / x[at])), round(tau / y[at])


def likely_replacement(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    """Exact delta of the replacement pair that large deviations single out (kb up to 20 tau)."""
    ka, kb = likely_worst(float(epsilon), float(alpha), tau)
    return cells.tight_replacement(A, epsilon=epsilon, alpha=alpha, tau=tau, ka=ka, kb=min(kb, 20 * tau))


def theorem_2_replacement(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Theorem 2 at epsilon + ln(1 - p) with the same p: what holds under replacement at epsilon.

    With epsilon' = epsilon + ln(1 - p): q' = 1 - e^-epsilon, and the divergence is D(q' || p).
    """
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    q = -A.expm1(-epsilon)
    # (1 - q')/(1 - p) = e^-epsilon/(1 - p); q'/p = 1/alpha.
    return A.exp(-tau / q * (-q * A.log(alpha) - A.exp(-epsilon) * (epsilon + A.log1p(-p))))


def _replacement_corrected(A: Arithmetic, *, ka: int, kb: int, **point: Any) -> Number:
    del ka, kb
    return theorem_2_replacement(A, **point)


CLAIMS = (
    own(
        "tight.replacement",
        "Section 2",
        "Exact delta of a replacement pair",
        r"\sum_{o_a,o_b}[P_{k_a}P_{k_b}-e^\epsilon P_{k_a-1}P_{k_b+1}]_+",
        DeltaBound(
            cells.tight_replacement,
            oracle=cells.replacement_from_definition,
            oracle_points=(
                {**VISIBLE, "ka": 6, "kb": 7},
                {"epsilon": 1, "alpha": "1/6", "tau": 3, "ka": 3, "kb": 0},
                {"epsilon": "1/2", "alpha": 1, "tau": 5, "ka": 7, "kb": 7},
            ),
        ),
        domain=Box((replace(EPSILON, lower="1/100"), ALPHA, TAU, K_A, K_B)),
        points=({**SETTINGS[0], "ka": 29, "kb": 121}, {**VISIBLE, "ka": 6, "kb": 7}),
        quantity=QuantityKind.DELTA,
        cost=7,
    ),
    own(
        "tight.replacement.rate",
        "Section 2",
        "Exact replacement delta at any epsilon for a fixed sampling rate",
        r"\max_{k_a,k_b}\sum_{o_a,o_b}[P_{k_a}P_{k_b}-e^\epsilon P_{k_a-1}P_{k_b+1}]_+",
        DeltaBound(
            replacement_rate,
            oracle=replacement_by_products,
            # At the first the pair that large deviations single out is not the worst; at the last no count that
            # the scan meets while it doubles is.
            oracle_points=(
                {"epsilon": "1/20", "p": "1/2", "tau": 2},
                {"epsilon": "1/2", "p": "7/10", "tau": 2},
                {"epsilon": "1/2", "p": "7/10", "tau": 3},
            ),
        ),
        domain=Box(
            (
                replace(EPSILON, lower=0, log=False, upper=10),
                replace(P, lower="1/5", upper="4/5", open_lower=False, open_upper=False),
                replace(TAU, upper=10),
            )
        ),
        quantity=QuantityKind.DELTA,
        privacy=neighbours.ITEMS,
        falls=("epsilon", "tau"),
        rises=("p",),
        moves={"epsilon": moves.EPSILON, "tau": moves.THRESHOLD, "p": moves.THINNED},
        cost=7,
        note="The scan over counts is finite (docstring of proofs_numeric.bharadwaj2022.theorem_2.replacement).",
    ),
    refuted(
        "thm2.repl",
        "Theorem 2",
        "Theorem 2 under the neighbours the paper defines: one client's value replaced",
        r"\max_{k_a,k_b}\mathrm{repl}(k_a,k_b)\le\exp(-\tfrac{\tau}{q}D(q\|p))",
        Inequality(likely_replacement, cells.theorem_2),
        by="thm2.repl.corrected",
        domain=Box((replace(EPSILON, lower="1/10", upper=1), ALPHA, replace(TAU, upper=500))),
        note="The counts follow from (epsilon, alpha, tau) by large deviations. The smallest violation known is at "
        "tau = 445; at tau = 460, epsilon = 0.4, alpha = 1, (885, 1615): 6.8273e-38 > 5.2018e-38.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.repl.corrected",
        "Theorem 2",
        "Under replacement the bound holds at epsilon + ln(1 - p)",
        r"\mathrm{repl}(k_a,k_b)\le\exp(-\tfrac{\tau}{q'}D(q'\|p)),\ q'=1-e^{-\epsilon}",
        Inequality(cells.tight_replacement, _replacement_corrected),
        domain=Box((replace(EPSILON, lower="1/20", upper=5), ALPHA, replace(TAU, upper=500), K_A, K_B)),
        points=({"epsilon": "2/5", "alpha": 1, "tau": 460, "ka": 885, "kb": 1615},),
        cost=5,
        evaluates=_replacement_corrected,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=neighbours.ITEMS,
    ),
)
