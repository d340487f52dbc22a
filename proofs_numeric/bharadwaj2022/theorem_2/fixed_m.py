r"""m fixed: every client is drawn at the rate m/n, and when one leaves, all the others' rate becomes m/(n - 1).

The worst data. Write ``p = m/n`` and ``p' = m/(n - 1)``; the leaving client's item has k copies. What the other
``n - k`` clients were drawn at is told by how many of them were drawn, and a histogram of theirs is a post-processing
of one item's that they all hold: given that s of it are shown, hand s out at random and threshold again; where nothing
is shown, nothing of any part is. So their worst data is one other item, and

    delta(epsilon) = max over k of both hockey sticks of (T Bin(k, p), T Bin(n - k, p)) and
                     (T Bin(k - 1, p'), T Bin(n - k, p')),   T the threshold.

The scan over k is finite. With v of the item and N clients drawn in all, v < k, the ratio of the laws is

    (1 - p) k/(k - v) g(N),   g(N) = (p/p')^N ((1 - p)/(1 - p'))^(n - 1 - N), which falls with N.

Given N, v/k is the mean of k of the n clients, drawn without putting back: a reverse martingale, in which a hockey
stick is convex. So without thresholds it never grows with k, and a threshold never raises it: once it is below the
largest value found, no larger k matters.

A bound in closed form. First the client leaves at the rate p, then the rate changes to p': for every eta,

    delta(epsilon) <= delta_p(epsilon - eta) + e^(epsilon - eta) H_eta(Bin(n - 1, p) || Bin(n - 1, p')),

and in the reverse order the ratio is at most ``1/((1 - p) g(N))``.
"""

import functools
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import MpReal, Rational
from proofs_numeric.arithmetic.finite_laws import Masses, binomial, joint, partitions, released, stick
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.special import binomial_tail, in_balls
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.classical import DATA_PROCESSING

_SPREAD, _MORE = 14, 60
"""In doubles the others' count is summed within 14 deviations and 60: less than e^-90 lies beyond (Bernstein); the
item's own up to as far above tau and its mean, where less than e^-36 of what is at tau lies beyond."""
_HALVINGS = 24
_MOST_COPIES = 30
"""Copies that an oracle enumerates."""


def _change(A: Arithmetic, n: int, m: int) -> tuple[Any, Any]:
    """``ln((1 - p)/(1 - p'))``, the log-ratio of a client not drawn, and by how much that of one drawn is lower."""
    return A.log1p(A.number(m) / (n * (n - 1 - m))), -A.log1p(-1 / A.number(n - m))


@functools.singledispatch
def pair_sticks(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int, k: int) -> tuple[Any, Any]:
    """Both hockey sticks of k copies beside one other item; the one with the client present first."""
    factor, rates, rest = A.exp(epsilon), (A.number(m) / n, A.number(m) / (n - 1)), n - k
    absence, fall = _change(A, n, m)
    here, there = cells.cell_outcomes(A, k, rates[0], tau), cells.cell_outcomes(A, k - 1, rates[1], tau)
    forward, backward = [A.number(0)] * 2
    for x, y in itertools.zip_longest(here, there):
        if y is None:  # all k copies are drawn: one more than there are without the client
            forward += x
            continue
        # The others' count at which the ratio is e^epsilon: below it the first law is the larger one.
        even = (A.log(x / (factor * y)) + rest * absence) / fall
        lows, highs = [A.number(0)], [A.number(0), y - factor * x]
        for floor in floors(A, even):
            t = max(tau - 1, min(floor, rest))
            p, q = (lower_tail(A, rest, rate, t) for rate in rates)
            lows.append(x * p - factor * y * q)
        even = (A.log(factor * x / y) + rest * absence) / fall
        for floor in floors(A, even):
            t = max(tau, min(floor, rest) + 1)
            p, q = (binomial_tail(A, rest, rate, t) for rate in rates)
            highs.append(y * q - factor * x * p)
        forward, backward = forward + A.maximum(*lows), backward + A.maximum(*highs)
    return forward, backward


@pair_sticks.register
def _(A: Float64, *, epsilon: Number, n: int, m: int, tau: int, k: int) -> tuple[float, float]:
    # Outcome by outcome, terms of one sign; log-ratios in closed form.
    rates, rest = (m / n, m / (n - 1)), n - k
    absence, fall = (float(x) for x in _change(A, n, m))
    reach = _SPREAD * math.sqrt(rest * rates[0]) + _MORE
    most = max(tau, k * rates[1])
    v = np.arange(tau, min(k, math.ceil(most + _SPREAD * math.sqrt(most) + _MORE)))
    s = np.arange(max(tau, math.floor(rest * rates[0] - reach)), min(rest, math.ceil(rest * rates[1] + reach)) + 1)
    own_ratio = math.log1p(-rates[0]) - np.log1p(-v / k) + (k - 1) * absence - v * fall
    first = _outcomes(own_ratio, v, tau, (k, k - 1), rates)
    second = _outcomes(rest * absence - s * fall, s, tau, (rest, rest), rates)
    loss = first[0][:, None] + second[0]
    forward = first[1] @ np.maximum(-np.expm1(epsilon - loss), 0) @ second[1]
    backward = first[2] @ np.maximum(-np.expm1(np.minimum(epsilon + loss, 0)), 0) @ second[2]
    return float(forward + (rates[0] ** k if k >= tau else 0)), float(backward)


def _outcomes(ratio: Any, values: Any, tau: int, counts: tuple[int, int], rates: tuple[float, float]) -> list[Any]:
    """Log-ratio and both masses of a cell's outcomes, nothing shown first."""
    masses = [
        cells.binomial_mass(float(max(1, k)), p, 1 - p, values.astype(float))
        for k, p in zip(counts, rates, strict=True)
    ]
    hidden = [float(lower_tail(Float64(), k, p, tau - 1)) for k, p in zip(counts, rates, strict=True)]
    # Where nothing is shown with a probability that is no double, its ratio does not matter.
    even = math.log(hidden[0] / hidden[1]) if min(hidden) > 0 else 0.0
    return [np.concatenate([[x], more]) for x, more in zip((even, *hidden), (ratio, *masses), strict=True)]


def rest_stick(A: Arithmetic, eta: Number, *, n: int, m: int, forward: bool = True) -> Any:
    """What n - 1 clients tell of their rate: ``H_eta(Bin(n - 1, m/n) || Bin(n - 1, m/(n - 1)))``, or the reverse."""
    absence, fall = _change(A, n, m)
    even, options = ((n - 1) * absence + (-eta if forward else eta)) / fall, [A.number(0)]
    for floor in floors(A, even):
        t = max(-1, min(floor, n - 1))
        p, q = (
            lower_tail(A, n - 1, rate, t) if forward else binomial_tail(A, n - 1, rate, t + 1)
            for rate in (A.number(m) / n, A.number(m) / (n - 1))
        )
        options.append(p - A.exp(eta) * q if forward else q - A.exp(eta) * p)
    return A.maximum(*options)


@functools.lru_cache(maxsize=256)
def _halvings(epsilon: float, n: int, m: int, tau: int) -> int:
    """How often epsilon is halved for the eta of about the least bound."""
    A = Float64()

    def bound(i: int) -> float:
        eta = epsilon / 2**i
        leaving = cells.tight_of(A, factor=math.exp(epsilon - eta), p=m / n, tau=tau)
        return float(leaving + math.exp(epsilon - eta) * rest_stick(A, eta, n=n, m=m))

    return min(range(1, _HALVINGS), key=bound)


def _legs(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> tuple[Any, Any, Any]:
    """``e^(epsilon - eta)``, what the rate's change adds to the leaving client's delta there, and the reverse order."""
    eta = A.number(epsilon) / 2 ** _halvings(float(epsilon), n, m, tau)
    factor = A.exp(epsilon - eta)
    back = rest_stick(A, epsilon + A.log1p(-A.number(m) / n), n=n, m=m, forward=False)
    return factor, factor * rest_stick(A, eta, n=n, m=m), back


def bound(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> Any:
    """The bound of the module's docstring, for the eta = epsilon/2^i that doubles choose: each is sound."""
    factor, change, back = _legs(A, epsilon=epsilon, n=n, m=m, tau=tau)
    return A.maximum(cells.tight_of(A, factor=factor, p=A.number(m) / n, tau=tau) + change, back)


def _leaving(A: Arithmetic, *, factor: Number, p: Number, tau: int, k: int) -> Any:
    """Hockey stick of k against k - 1 copies at a constant rate."""
    bad = floors(A, k * bad_rate_of(A, factor=factor, p=p))
    counts = (max(tau, floor + 1) for floor in bad)
    return A.maximum(0, *(forward_at(A, factor=factor, p=p, tau=t, k=k) for t in counts))


@functools.singledispatch
def exact_delta(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> Any:
    """Exact delta over all data of n clients, ``m <= n - 2``, both orders: the scan of the module's docstring."""
    at: dict[str, Any] = {"epsilon": A.number(epsilon), "n": n, "m": m}
    p = A.number(m) / n
    factor, change, back = _legs(A, **at, tau=tau)
    start = min(n, math.ceil((tau - 1) / float(bad_rate_of(Float64(), factor=math.exp(float(epsilon)), p=m / n))))
    # A positive delta that no double holds is told as the least one: the scan ends where nothing exceeds that.
    least = cells.LEAST if isinstance(A, Float64) else 0
    best = A.maximum(least, *pair_sticks(A, **at, tau=tau, k=max(1, start)))
    for k in range(1, n + 1):
        # A comparison of balls that is not certain is False: then the pair counts, and the scan goes on.
        if not A.maximum(_leaving(A, factor=factor, p=p, tau=tau, k=k) + change, back) < best:
            best = A.maximum(best, *pair_sticks(A, **at, tau=tau, k=k))
        if start <= k < n and A.maximum(*pair_sticks(A, **at, tau=1, k=k + 1)) < best:
            break
    return best


@exact_delta.register
def _(A: MpReal, **parameters: Any) -> Any:
    return in_balls(A, exact_delta, **parameters)


FixedSize = tuple[int, int, int, int, int]
"""e^epsilon, n, m, tau, and the copies of an item that a client takes along; the rest of n holds another item."""


def fixed_sizes(size: int) -> Iterator[FixedSize]:
    """Samples of m of n <= ``size`` clients with m/n <= 1 - e^-epsilon, m < n - 1, tau = 2."""
    for factor, n in itertools.product((2, 5), range(3, size + 1)):
        expected = range(2, min(n * (factor - 1) // factor, n - 2) + 1)
        yield from ((factor, n, m, 2, k) for m, k in itertools.product(expected, range(2, n)))


def fixed_m_delta(factor: int, n: int, m: int, tau: int, k: int) -> Fraction:
    """Exact hockey stick of both cells at rates m/n and m/(n - 1), when the client of a k-fold item leaves."""
    sides = (k, Fraction(m, n)), (k - 1, Fraction(m, n - 1))
    here, there = (_released((copies, n - k), rate, tau) for copies, rate in sides)
    return Fraction(stick(here, there, factor))


def _released(counts: Iterable[int], rate: Any, tau: int) -> Masses:
    return joint(released(binomial(count, rate), tau) for count in counts)


def _constant_p_delta(case: FixedSize) -> Any:
    factor, n, m, tau, _k = case
    return cells.tight_of(Rational(), factor=Fraction(factor), p=Fraction(m, n), tau=tau)


def fixed_m_within(case: FixedSize) -> bool:
    """Whether the delta is at most that of constant p = m/n, exactly."""
    return bool(fixed_m_delta(*case) <= _constant_p_delta(case))


def _fixed_m_seen(case: FixedSize) -> dict[str, Any]:
    at = zip(("e^epsilon", "n", "m", "tau", "copies"), case, strict=True)
    return {**dict(at), "delta": fixed_m_delta(*case), "delta of constant p = m/n": _constant_p_delta(case)}


def by_histograms(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> Any:
    """Both orders on all data of n clients, over every joint outcome of all their items."""
    level, best, rates = A.exp(A.number(epsilon)), A.number(0), (A.number(m) / n, A.number(m) / (n - 1))
    for k in range(1, n + 1):
        for others in partitions(n - k, n):
            here, there = _released((k, *others), rates[0], tau), _released((k - 1, *others), rates[1], tau)
            best = A.maximum(best, stick(here, there, level), stick(there, here, level))
    return best


def bound_by_outcomes(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> Any:
    """The bound at the best of all eta, each number of copies and each count of the others by its own outcomes."""
    level, rates = A.number(epsilon), (A.number(m) / n, A.number(m) / (n - 1))
    copies = [released(binomial(k, rates[0]), tau) for k in range(_MOST_COPIES)]
    first, second = (binomial(n - 1, rate) for rate in rates)
    bounds = []
    for i in range(1, _HALVINGS):
        factor, ratio = A.exp(level - level / 2**i), A.exp(level / 2**i)
        # Of k against k - 1 copies, shown from tau on; past its peak it falls to nothing.
        leaving = A.maximum(*(stick(here, there, factor) for there, here in itertools.pairwise(copies)))
        bounds.append(leaving + factor * stick(first, second, ratio))
    return A.maximum(A.minimum(*bounds), stick(second, first, A.exp(level) * (1 - rates[0])))


_BOX = Box(
    (
        replace(EPSILON, lower="1/10"),
        Parameter("n", "clients, the leaving one among them", "clients", 3, 10**6, integer=True, log=True),
        Parameter("m", "expected sample size", "clients", 1, 10**6, integer=True, log=True), replace(TAU, upper=12),
    ),
    lambda *, epsilon, n, m, tau: m <= n - 2, "m <= n - 2",
)  # fmt: skip
(_DEPLOYED,) = points("epsilon n m tau", ("1", 10**6, 10**4, 5))

n, m = symbols("n m")

CLAIMS = (
    refuted(
        "thm2.mfixed", "Section 3.1", "With m fixed, p = m/n changes with n: the delta stays below that of constant p",
        r"H_{e^\epsilon}(\prod_c\mathrm{Bin}(k_c,\tfrac mn)\|\prod_c\mathrm{Bin}(k_c',\tfrac "
        r"m{n-1}))\le\delta_{\mathrm{tight}}",
        FiniteStatement(fixed_sizes, fixed_m_within, sizes(8, 9, 10), "clients", describe=_fixed_m_seen),
        by="thm2.mfixed.corrected",
        note="When a client leaves, every cell's rate changes from m/n to m/(n-1), and all cells together tell more "
        "than the one that lost a copy: 0.64023 > 16/25 at n = 10, m = 8, e^epsilon = 5, tau = 2, 2 and 8 "
        "copies. Also where m/(n-1) = 1 - e^-epsilon: 0.640055 > 16/25 at e^epsilon = 9.",
    ),
    own(
        "thm2.mfixed.exact", "Section 3.1",
        "Exact delta of sample-and-threshold with m fixed, whatever the data of the n clients",
        r"\delta(\epsilon)=\max_k\max\{H_{e^\epsilon}(P_k\|Q_k),H_{e^\epsilon}(Q_k\|P_k)\},\ "
        r"P_k=T\mathrm{Bin}(k,\tfrac mn)\otimes T\mathrm{Bin}(n-k,\tfrac mn),\ Q_k=T\mathrm{Bin}(k-1,\tfrac "
        r"m{n-1})\otimes T\mathrm{Bin}(n-k,\tfrac m{n-1})",
        DeltaBound(
            exact_delta, by_histograms,
            points(
                "epsilon n m tau", ("1", 6, 4, 2), ("1/10", 6, 3, 2), ("1/2", 5, 2, 3), ("2", 5, 3, 1),
                ("1/2", 12, 2, 2),
            ),
            proof=derived(
                Trusted(
                    DATA_PROCESSING,
                    "the others' histogram is a post-processing of one item of all of them: shown s of it, hand s "
                    "out at random and threshold again; nothing shown, nothing of any part is",
                ),
                SymbolicIdentity(
                    "a client not drawn has the ratio 1 + m/(n(n - 1 - m))", (1 - m / n) / (1 - m / (n - 1)),
                    1 + m / (n * (n - 1 - m)), ("n", "m"),
                ),
                SymbolicIdentity(
                    "one drawn has 1 - 1/(n - m) times that", m / n * (1 - m / (n - 1)),
                    m / (n - 1) * (1 - m / n) * (1 - 1 / (n - m)), ("n", "m"), (),
                    "so given the copies' outcome the best events are half-lines of the others' count",
                ),
                Unchecked(
                    "reverse martingale of the sample's share",
                    "without thresholds the ratio is (1 - p) k/(k - v) g(N); given N, v/k is a mean of k clients "
                    "drawn without putting back, a reverse martingale, and a hockey stick is convex in it: it "
                    "never grows with k, so a k at which it is below a value found ends the scan",
                ),
            ),
        ),
        domain=_BOX, falls=("epsilon", "tau"), rises=("m",), moves={"tau": moves.THRESHOLD, "m": moves.THINNED},
        turns=(Turn("n", {"epsilon": "3/10", "m": 2, "tau": 5}, (5, 6, 7)),), privacy=neighbours.FIXED_M,
        points=(_DEPLOYED, *points("epsilon n m tau", ("1", 10, 8, 2))),
        note="A replaced client changes no rate: tight.replacement.rate holds at p = m/n as it is. Drawn without "
        "putting back, m of n, it is another mechanism, whose delta is m/n (fix.delta, fix.removed).",
        cost=60,
        quoted=(
            Quoted("each client at the rate of 1e4 of a million", {"epsilon": 1, "n": 1000000, "m": 10000, "tau": 5}),
        ),
    ),
    own(
        "thm2.mfixed.corrected", "Section 3.1",
        "With m fixed the delta of constant p at epsilon - eta, and what n - 1 clients tell of their rate, are enough",
        r"\delta(\epsilon)\le\max\{\delta_p(\epsilon-\eta)+e^{\epsilon-\eta}H_{e^\eta}(\mathrm{Bin}(n-1,p)\|"
        r"\mathrm{Bin}(n-1,p')),\ H_{e^\epsilon(1-p)}(\mathrm{Bin}(n-1,p')\|\mathrm{Bin}(n-1,p))\},\ p=\tfrac mn,\ "
        r"p'=\tfrac m{n-1}",
        DeltaBound(
            bound, exact=exact_delta, oracle=bound_by_outcomes,
            oracle_points=points(
                "epsilon n m tau", ("1", 12, 3, 2), ("1/2", 30, 6, 3), ("2", 9, 7, 1), ("1/2", 6, 1, 5),
            ),
            proof=derived(
                Premise("bharadwaj2022.tight.rate", "delta_p: the client leaves at the rate p, by its first term"),
                Trusted(DATA_PROCESSING, "then the others' rate changes: their number tells as much as they do"),
                Premise("lebeda2025.csh.exact.move", "H_(a b)(P||R) <= H_a(P||Q) + a H_b(Q||R), outcome by outcome"),
                Unchecked(
                    "bound of the reverse ratio",
                    "in the reverse order the ratio (k - v)/(k (1 - p) g(N)) is at most 1/((1 - p) g(N)), so the "
                    "hockey stick is at most that of e^epsilon (1 - p) on N alone",
                ),
            ),
        ),
        domain=_BOX, role=Role.UPPER, privacy=neighbours.FIXED_M, points=(_DEPLOYED,),
        note="Sound for every eta; eta = epsilon/2^i is chosen. At tau = 1 the second term is attained.", cost=60,
    ),
)  # fmt: skip
