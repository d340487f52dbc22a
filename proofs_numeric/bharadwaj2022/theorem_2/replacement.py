"""The largest replacement delta of sample-and-threshold over all pairs of counts, at any epsilon >= 0 and any rate.

Write L_k(x) for the hockey stick of k against k - 1 copies at a factor x, and Q/P for a ratio of chances. With (ka, kb)
against (ka - 1, kb + 1) the hockey stick f is the mean of L_ka(e^epsilon Q/P) over the second cell, P its law with kb
copies and Q with kb + 1. In float64 boxes of pairs are searched, whose number hardly grows with the counts:

* L_k(x) rises with k up to k* = ceil((tau - 1)/q), q = 1 - (1 - p)/x, and falls after it (docstring of `cells`, whose
  argument asks only that q > 0; at q <= 0 every L_k(x) is 1 - x). So its largest value over an interval of counts is
  that at k*, or at the end nearest to it.
* The mean of (x - e^epsilon Q/P)_+ is e^epsilon G(x/e^epsilon), G(y) = y - 1 + L_(kb+1)(y).
* Over an interval of ka the largest L_ka(x) is convex in x and falls. On a grid of factors its chords are above it, and
  constant beyond the last factor: a sum of terms c (x - .)_+ with c >= 0. Their means, each at its own worst kb, bound
  every pair of a box [ka, ka'] x [kb, kb']. For a single ka, c are the chances of ka - 1 copies.
* A box that may hold more than the best pair found is halved, the most promising first; the last count may be infinite.

In balls, where a pair of few counts costs less than a bound of a box, the counts are scanned. Leaving the threshold off
a cell never lowers f, and a cell without threshold only lowers it as its count grows: its factor of Q/P (or of P/Q) is
a function of the sample mean, a reverse martingale, and the hockey stick is convex in it. So

* at a fixed ka, once f without the second threshold is at most the best value found, no larger kb matters;
* nor does a smaller one once ``(1 - S) h(level of "nothing") + S h(level of tau)`` is, with h the hockey stick of the
  first cell alone and S the probability that kb copies are shown. Both levels fall with kb (that of "nothing" because
  kb + 1 copies exceed kb in likelihood ratio, so also in reversed hazard rate), and S rises;
* once at some ka no kb gives more without the first threshold, no larger ka matters; where e^epsilon (1 - p) >= 1 the
  first cell is met at levels of at least epsilon + ln(1 - p) only, and nothing grows beyond ka = tau/(1 - e^-epsilon).

In float64 the search ends where nothing larger by one part in 1e12 is left, as a limit may equal the largest value; in
balls where nothing certainly larger is, by one part in 2^(bits/2), which the value then holds.
"""

import bisect
import functools
import heapq
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from proofs_numeric.arithmetic.special import as_fraction, binomial_tail
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves

_SLACK = 1e-12
_FACTORS = 256
_SHARES = 64
"""Of epsilon, that a client who leaves an item is given, beside one who joins the other."""
_SPREAD = 4
"""Deviations about the likely mean at which factors are looked at."""
_MOST = 2**40
_MOST_TAU = 10**5
_LARGEST = 100_000
Counts = tuple[int, float, int, float]
"""A box of pairs: first and last ka, first and last kb; the last may be infinite."""


@dataclass(frozen=True)
class Worst:
    """The largest delta found and the counts (ka, kb) that attain it."""

    value: float
    ka: int
    kb: int


class _Sums:
    """Law and tails of Bin(k, p) in float64, up to where every mass is below the smallest double."""

    def __init__(self, k: int, p: float) -> None:
        last = min(k, int(k * p + 40 * math.sqrt(k * p)) + 400)
        masses = cells.binomial_mass(float(k), p, 1 - p, np.arange(1.0, last + 1))
        self.law = np.concatenate([[math.exp(k * math.log1p(-p))], masses])
        self.upper = np.concatenate([np.cumsum(self.law[::-1])[::-1], [0.0, 0.0]])
        """``P[B >= t]``, t = 0 .. last + 2."""
        self.uppers = np.cumsum(self.upper[::-1])[::-1]
        """``sum of P[B >= j] over j >= t``."""

    @functools.cached_property
    def lower(self) -> NDArray[np.float64]:
        """``P[B < t]``, t = 0 .. last + 1."""
        return np.concatenate([[0.0], np.cumsum(self.law)])

    @functools.cached_property
    def lowers(self) -> NDArray[np.float64]:
        """``sum of P[B < j] over j < t``."""
        return np.concatenate([[0.0], np.cumsum(self.lower)])


_sums = functools.lru_cache(maxsize=512)(_Sums)


def pair_delta(epsilon: float, p: float, tau: int, ka: int, kb: int) -> float:
    """Hockey stick of (ka, kb) against (ka - 1, kb + 1), float64.

    Given an outcome of the second cell what the first adds is its hockey stick at e^epsilon over the outcome's ratio.
    """
    mass, other = _sums(kb, p).law, _sums(kb + 1, p).law
    hidden = mass[:tau].sum(), other[:tau].sum()
    counts = np.arange(tau, len(mass))
    mass = np.concatenate([[hidden[0]], mass[tau:]])
    # A mass below the smallest double adds nothing, whatever its ratio.
    nothing = hidden[1] / hidden[0] if hidden[0] > 0 else 1.0
    factors = math.exp(epsilon) * np.concatenate([[nothing], (kb + 1) * (1 - p) / (kb + 1 - counts)])
    return float(np.sum(mass * _either(p, tau, ka, factors)[0]))


def _either(
    p: float, tau: int, k: int, factors: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """L_k(x) and ``x - 1 + L_k(x)`` at factors x, each as a sum of numbers >= 0.

    The bad values are v > y = k q, and what they add is E[(B - y); B >= t]/(k - y) = ((t - y) S(t) + S(t + 1) +
    S(t + 2) + ...)/(k - y), S the upper tail; what the others hold is the same of y - B below t.
    """
    nothing, all_of_it = np.maximum(1 - factors, 0), np.maximum(factors - 1, 0)
    if k < tau:
        return nothing, all_of_it
    sums = _sums(k, p)
    last = len(sums.law)
    # k - y, at times far below the rounding of k.
    gap = k * (1 - p) / factors
    t = np.clip(k + 1 - np.ceil(np.minimum(gap, k + 1.0)), tau, k + 1)
    at = np.minimum(t, last).astype(int)
    above = gap - (k - t)
    bad = (above * sums.upper[at] + sums.uppers[at + 1]) / gap
    good = ((1 - above) * sums.lower[at] + sums.lowers[at] + np.maximum(t - last, 0)) / gap
    return np.maximum(bad, nothing), np.maximum(good, all_of_it)


@cells.tight_replacement.register
def _(A: Float64, *, epsilon: Number, alpha: Number, tau: int, ka: int, kb: int) -> Any:
    p = sampling_rate(A, epsilon=float(epsilon), alpha=float(alpha))
    return A.number(pair_delta(float(epsilon), float(p), tau, ka, kb))


def _halves(box: Counts) -> tuple[Counts, Counts]:
    ka, last_ka, kb, last_kb = box

    def width(first: int, last: float) -> float:
        # Of what is infinite, so that it is not halved for ever where the other side decides.
        return (last + 1) / (first + 1) if last < math.inf else 1 + 8 / math.sqrt(first + 1)

    if kb == last_kb or (ka < last_ka and width(ka, last_ka) >= width(kb, last_kb)):
        middle = _middle(ka, last_ka)
        return (ka, middle, kb, last_kb), (middle + 1, last_ka, kb, last_kb)
    middle = _middle(kb, last_kb)
    return (ka, last_ka, kb, middle), (ka, last_ka, middle + 1, last_kb)


def _middle(first: int, last: float) -> int:
    if last < math.inf:
        return (first + int(last)) // 2
    if first > _MOST:
        raise ValueError(f"expected a search that ends by {_MOST} copies, got more than {first}")
    return 2 * first + 1


class _Factors:
    """The hockey sticks of both kinds at some factors, for any interval of counts, in float64."""

    def __init__(self, p: float, tau: int, factors: NDArray[np.float64]) -> None:
        self.p, self.tau, self.factors = p, tau, factors
        self.at = functools.cache(functools.partial(_either, p, tau, factors=factors))
        with np.errstate(divide="ignore", invalid="ignore"):
            q = 1 - (1 - p) / factors
            self.worst = np.where(q > 0, np.maximum(np.ceil((tau - 1) / q), tau), math.inf)

    @functools.cached_property
    def peaks(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both at the worst count of each factor: there t = tau, and S_k - S_(k-1) is p P[Bin(k - 1, p) = tau - 1]."""
        p, tau, x = self.p, self.tau, self.factors
        fewer = np.minimum(self.worst, 1e15) - 1
        trials = np.maximum(fewer - tau + 1, 1)
        tail = np.where(fewer < tau, 0, special.betainc(tau, trials, p))
        hidden = np.where(fewer < tau, 1, special.betaincc(tau, trials, p))
        mass = cells.binomial_mass(fewer, p, 1 - p, tau - 1.0) if tau > 1 else np.exp(fewer * math.log1p(-p))
        bad, good = p * mass - (x - 1) * tail, p * mass + (x - 1) * hidden
        return np.maximum(bad, np.maximum(1 - x, 0)), np.maximum(good, np.maximum(x - 1, 0))

    def most(self, first: int, last: float, kind: int) -> NDArray[np.float64]:
        """The largest over first <= k <= last: of L_k(x), kind 0, or of x - 1 + L_k(x), kind 1."""
        low = self.at(first)[kind]
        if first == last:
            return low
        high = self.at(int(last))[kind] if last < math.inf else low
        return np.where(self.worst <= first, low, np.where(self.worst >= last, high, self.peaks[kind]))


class _Doubles:
    """The best pair found in float64, at a level and a rate, and what no pair of a box exceeds."""

    def __init__(self, epsilon: float, p: float, tau: int) -> None:
        self.epsilon, self.p, self.tau, self.factor = epsilon, p, tau, math.exp(epsilon)
        # tau clients of an item against tau - 1 tell more than nothing at every rate, below the smallest double too.
        self.best, self.pair = cells.LEAST, (tau, 0)
        self.likely = likely_counts(epsilon, p, tau)
        self.second = _Factors(p, tau, _grid(p, tau, max(tau, self.likely[1])))
        self.first = _Factors(p, tau, self.factor * self.second.factors)
        self.single = functools.lru_cache(maxsize=64)(self._single)

    def _single(self, ka: int) -> tuple[_Factors, NDArray[np.float64], float]:
        """Likelihood ratios of ka against ka - 1 copies over e^epsilon, chances under ka - 1, and what they leave."""
        p, tau = self.p, self.tau
        if ka < tau:
            return _Factors(p, tau, np.array([1 / self.factor])), np.ones(1), 0.0
        here, fewer = _sums(ka, p), _sums(ka - 1, p)
        hidden = here.law[:tau].sum(), fewer.law[:tau].sum()
        v = np.arange(tau, min(ka, len(fewer.law)))
        v = v[here.upper[v] > self.best * _SLACK / 4]
        nothing = hidden[0] / hidden[1] if hidden[1] > 0 else 0.0
        ratios = np.concatenate([[nothing], ka * (1 - p) / (ka - v)]) / self.factor
        chances = np.concatenate([[hidden[1]], fewer.law[v]])
        some = ratios > 1 - p  # what is below is no outcome of the second cell
        return _Factors(p, tau, ratios[some]), chances[some], float(here.upper[tau + len(v)])

    def bound(self, box: Counts) -> float:
        """What no pair of the box exceeds, but for rounding."""
        ka, last_ka, kb, last_kb = box
        if ka == last_ka:
            ratios, chances, rest = self.single(ka)
            return rest + self.factor * float(chances @ ratios.most(kb + 1, last_kb + 1, 1))
        sticks = self.first.most(ka, last_ka, 0)
        falls = np.diff(sticks) / -np.diff(self.first.factors)
        falls[:-1] -= falls[1:]
        means = self.second.most(kb + 1, last_kb + 1, 1)[1:]
        return float(sticks[-1]) + self.factor * float(np.maximum(falls, 0) @ means)

    def run(self) -> None:
        """Look at pairs until no other has more than the best."""
        # The likely worst first: a large value early leaves fewer boxes.
        for pair in ((self.tau, 0), self.likely):
            self._see(*pair)
        # Fewer than tau - 1 copies tell no more than tau - 1: nothing is shown.
        every = max(1, self.tau - 1), math.inf, self.tau - 1, math.inf
        boxes: list[tuple[float, Counts]] = [(-math.inf, every)]
        while boxes and not self._enough(-boxes[0][0]):
            for box in _halves(heapq.heappop(boxes)[1]):
                bound = self.bound(box)
                if self._enough(bound):
                    continue
                if box[0] == box[1] and box[2] == box[3]:
                    self._see(box[0], box[2])
                else:
                    heapq.heappush(boxes, (-bound, box))

    def _enough(self, bound: float) -> bool:
        return bound <= self.best * (1 + _SLACK)

    def _see(self, ka: int, kb: int) -> None:
        value = pair_delta(self.epsilon, self.p, self.tau, ka, kb)
        if value > self.best:
            self.best, self.pair = value, (ka, kb)


def _grid(p: float, tau: int, count: int) -> NDArray[np.float64]:
    """Factors (1 - p)/(1 - z) at sample means z: half of them from 0 to 1, densest at p, where the factor is 1.

    The others are about that of tau sampled of a likely count, which decides where deltas are small.
    """
    wide = 8 / p
    steps = np.linspace(-math.asinh(8), math.asinh((1 - p) * wide), _FACTORS // 2)[:-1]
    mean = tau / count
    near = mean + np.linspace(-_SPREAD, _SPREAD, _FACTORS // 2) * math.sqrt(mean * (1 - mean) / count)
    z = np.concatenate([p + np.sinh(steps) / wide, near[(near > 0) & (near < 1)]])
    return np.unique(np.append((1 - p) / (1 - z), 1.0))


def log_bound(epsilon: float, p: float, tau: int) -> float:
    """Upper bound on the logarithm of the delta of every pair, of add/remove neighbours too, at any epsilon >= 0.

    A replacement is a client less of one item and one more of the other, and losses of e and epsilon - e add: delta is
    at most that of the one at e, plus e^e times that of the other at epsilon - e. With q = 1 - e^-e (1 - p) and
    c = 1 - e^(epsilon - e) (1 - p) they are at most P[Bin(floor(tau/q), p) >= tau] and, at some n >= (tau - 1)/c - 1,
    P[Bin(n, p) <= tau - 1] (docstring of `cells`); the second vanishes at c <= 0. Both are bounded by Chernoff, the
    best of some e is taken, and a divergence whose terms cancel is replaced by its second-order bound.
    """
    if epsilon <= 0:
        return 0.0
    left = epsilon * np.linspace(0, 1, _SHARES + 1)[1:]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        above, below = -(1 - p) * np.expm1(-left), (1 - p) * np.expm1(epsilon - left)
        q, c = p + above, p - below
        joins = np.where(c > 0, left + (1 - tau) * _divergence(c, p, below, left - epsilon), -math.inf)
        bounds = np.maximum(-tau * _divergence(q, p, above, left), joins - math.log1p(-p))
    return min(0.0, float(np.min(bounds)) + math.log(2))


def _divergence(z: Any, p: float, apart: Any, loss: Any) -> Any:
    """At most ``D(z || p)/z``, apart = |z - p| and loss = log((1 - p)/(1 - z)); at z = p none."""
    exact = np.log(z / p) - loss * (1 - z) / z
    return np.where(apart > 0.01 * z, exact * (1 - 1e-9), apart / z * apart / (2 * np.maximum(z, p)))


def scan(epsilon: float, p: float, tau: int) -> Worst:
    """The pair of the largest delta in float64.

    A delta that no double holds is told as the least one; where a client who joins an item changes nothing that a
    double sees, the closed form of one who leaves one is the answer.

    Raises:
        ValueError: tau above 10^5, the likely worst pair has more than 2^40 copies, or the search does not end
            within as many.
    """
    none = Worst(cells.LEAST, tau, 0)
    if log_bound(epsilon, p, tau) < math.log(cells.LEAST):
        return none
    if tau == 1 and p <= -math.expm1(-epsilon):
        return Worst(p, 1, 0)  # as at every level a client who leaves
    # A client who joins gives away at most -ln(1 - p).
    if (rest := epsilon + math.log1p(-p)) > 0:
        here, most = (
            float(cells.tight(Float64(), epsilon=e, alpha=-p / math.expm1(-e), tau=tau)) for e in (epsilon, rest)
        )
        if most <= here * (1 + _SLACK):
            q = float(bad_rate(Float64(), epsilon=epsilon, alpha=-p / math.expm1(-epsilon)))
            return Worst(here, max(tau, math.ceil((tau - 1) / q)), 0)
    if tau > _MOST_TAU:
        raise ValueError(f"expected tau <= {_MOST_TAU} (clients) where no closed form is the answer, got tau={tau}")
    search = _Doubles(epsilon, p, tau)
    search.run()
    return Worst(search.best, *search.pair)


class _Balls(cells.Replaced):
    """Pairs in balls."""

    def up_to(self, first: int, second: int, ka: int, kb: int) -> Any:
        """What no pair of ka and at most kb copies exceeds."""
        hidden, other = self.hidden(second, kb)
        nothing = self.stick(first, ka, self.A.number(1), other / hidden)
        if kb < second:
            return nothing
        level = (1 - self.p) / (1 - self.A.number(second) / (kb + 1))
        tail = binomial_tail(self.A, kb, self.p, second)
        return nothing + tail * self.A.maximum(0, self.stick(first, ka, self.A.number(1), level) - nothing)


def _scanned(
    pairs: _Balls, epsilon: float, p: float, tau: int, small: Callable[[Any], bool], *, below_all: bool
) -> Iterator[tuple[Any, int, int]]:
    """Yield pairs with their deltas until, by ``small``, no other has more than the largest of them.

    ``below_all``: that e^epsilon (1 - p) is at least 1, so that few ka matter.
    """

    def entry(ka: int, kb: int) -> tuple[Any, int, int]:
        return pairs.delta(tau, tau, ka, kb), ka, kb

    # The likely worst first, and counts nearest to it: a large value early ends the scans early.
    likely, kb = likely_counts(epsilon, p, tau)
    yield entry(likely, min(kb, _LARGEST))
    if below_all:
        for ka in sorted(range(tau, int(tau / -math.expm1(-epsilon)) + 2), key=lambda k: abs(k - likely)):
            yield from (entry(ka, kb) for kb in _counts(pairs, (tau, tau), ka, small))
        return
    for ka in range(max(1, tau - 1), _LARGEST):
        yield from (entry(ka, kb) for kb in _counts(pairs, (tau, tau), ka, small))
        if all(small(pairs.delta(0, tau, ka, kb)) for kb in _counts(pairs, (0, tau), ka, small)):
            return
    raise ValueError(f"expected a scan that ends by ka={_LARGEST}, got epsilon={epsilon}, p={p}, tau={tau}")


def _counts(pairs: _Balls, thresholds: tuple[int, int], ka: int, small: Callable[[Any], bool]) -> Iterator[int]:
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
    largest, pair = rate**tau, (tau, 0)  # of tau clients of an item against tau - 1
    pairs = _scanned(
        _Balls(A, factor, rate),
        float(level.lower()),  # which leaves more counts to look at
        float(rate.lower()),
        tau,
        lambda x: bool(x <= largest * slack),
        below_all=bool(factor * (1 - rate) >= 1),
    )
    for value, ka, kb in pairs:
        if value > largest:
            pair = ka, kb
        largest = A.maximum(largest, value)
    return A.between(largest, largest * slack), pair


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
    counts = itertools.product(range(1, last), range(last))
    return A.maximum(*(cells.product_profile(A, factor=factor, p=p, tau=tau, ka=ka, kb=kb) for ka, kb in counts))


def likely_counts(epsilon: float, p: float, tau: int) -> tuple[int, int]:
    """Counts at which large deviations put the replacement delta: tau sampled of each item, the loss exactly epsilon.

    With x = tau/ka and y = tau/kb: (1 - y)/(1 - x) = e^epsilon, and D(x || p)/x + D(y || p)/y least; y is at most p.
    """
    y = p * np.linspace(0.3, 1.0, 2001)[:-1]
    x = y - (1 - y) * math.expm1(-epsilon)

    def cost(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.log(z / p) + (1 - z) / z * np.log1p((p - z) / (1 - p)))

    at = int(np.argmin(cost(x) + cost(y)))
    most = tau / min(float(x[at]), float(y[at]))
    if not most <= _MOST:
        raise ValueError(
            f"expected a worst item of at most 2^40 copies, got about {most:.3g} at epsilon={epsilon}, p={p}, "
            f"tau={tau}; allow a larger epsilon or a lower tau"
        )
    return max(tau, round(tau / x[at])), round(tau / y[at])


def likely_replacement(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    """Exact delta of the replacement pair that large deviations single out (kb up to 20 tau)."""
    ka, kb = likely_counts(float(epsilon), -float(alpha) * math.expm1(-float(epsilon)), tau)
    return cells.tight_replacement(A, epsilon=epsilon, alpha=alpha, tau=tau, ka=ka, kb=min(kb, 20 * tau))


_bad = -expm1(-epsilon)
# (1 - q')/(1 - p) = e^-epsilon/(1 - p); q'/p = 1/alpha.
_exponent = -_bad * log(alpha) - exp(-epsilon) * (epsilon + log1p(-sampling_rate))
theorem_2_replacement = exp(-tau / _bad * _exponent)
"""Theorem 2 at epsilon + ln(1 - p) with the same p: what holds under replacement at epsilon.

With epsilon' = epsilon + ln(1 - p): q' = 1 - e^-epsilon, and the divergence is D(q' || p).
"""
_CHANGE = points("epsilon p tau", ("1/20", "1/2", 2), ("1/2", "7/10", 2), ("1/2", "7/10", 3))
"""At the first the pair that large deviations single out is not the worst; at the last no count that the scan meets
while it doubles is."""

CLAIMS = (
    own(
        "tight.replacement", "Section 2", "Exact delta of a replacement pair",
        r"\sum_{o_a,o_b}[P_{k_a}P_{k_b}-e^\epsilon P_{k_a-1}P_{k_b+1}]_+",
        DeltaBound(
            cells.tight_replacement,
            algorithm(cells.product_profile)(factor=exp(epsilon), p=alpha * (1 - exp(-epsilon))),
            points("epsilon alpha tau ka kb", (1, "1/2", 5, 6, 7), (1, "1/6", 3, 3, 0), ("1/2", 1, 5, 7, 7)),
        ),
        domain=(replace(EPSILON, lower="1/100"), ALPHA, TAU, K_A, K_B),
        points=points("epsilon alpha tau ka kb", (1, "1/6", 20, 29, 121), (1, "1/2", 5, 6, 7)), cost=7,
    ),
    own(
        "tight.replacement.rate", "Section 2", "Exact replacement delta at any epsilon for a fixed sampling rate",
        r"\max_{k_a,k_b}\sum_{o_a,o_b}[P_{k_a}P_{k_b}-e^\epsilon P_{k_a-1}P_{k_b+1}]_+",
        DeltaBound(replacement_rate, replacement_by_products, _CHANGE),
        domain=(LEVEL_TO_TEN, rate_within("1/5", "4/5"), replace(TAU, upper=10)), privacy=neighbours.ITEMS,
        falls=("epsilon", "tau"), rises=("p",), moves={"tau": moves.THRESHOLD, "p": moves.THINNED}, cost=7,
        note="The scan over counts is finite (docstring of proofs_numeric.bharadwaj2022.theorem_2.replacement).",
    ),
    refuted(
        "thm2.repl", "Theorem 2", "Theorem 2 under the neighbours the paper defines: one client's value replaced",
        r"\max_{k_a,k_b}\mathrm{repl}(k_a,k_b)\le\exp(-\tfrac{\tau}{q}D(q\|p))",
        algorithm(likely_replacement)() <= theorem_2, by="thm2.repl.corrected",
        domain=(replace(EPSILON, lower="1/10", upper=1), ALPHA, replace(TAU, upper=500)),
        note="The counts follow from (epsilon, alpha, tau) by large deviations. The smallest violation known is at "
        "tau = 445; at tau = 460, epsilon = 0.4, alpha = 1, (885, 1615): 6.8273e-38 > 5.2018e-38.",
        **PROBABILITY,
    ),
    own(
        "thm2.repl.corrected", "Theorem 2", "Under replacement the bound holds at epsilon + ln(1 - p)",
        r"\mathrm{repl}(k_a,k_b)\le\exp(-\tfrac{\tau}{q'}D(q'\|p)),\ q'=1-e^{-\epsilon}",
        algorithm(cells.tight_replacement)() <= theorem_2_replacement,
        domain=(replace(EPSILON, lower="1/20", upper=5), ALPHA, replace(TAU, upper=500), K_A, K_B),
        points=({"epsilon": "2/5", "alpha": 1, "tau": 460, "ka": 885, "kb": 1615},), cost=5,
        evaluates=theorem_2_replacement, quantity=QuantityKind.DELTA, role=Role.UPPER, privacy=neighbours.ITEMS,
    ),
)  # fmt: skip
