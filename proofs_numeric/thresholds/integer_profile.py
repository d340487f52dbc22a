r"""Thresholded release of whole counts with discrete Gaussian noise: the exact privacy profile at every epsilon.

Letters: ``m`` = per_key, ``T`` the threshold (``>=``), ``q = P[Z >= T - m]``, ``L = -log(1 - q)``, ``S_n`` the sum of n
noises.

A key that one side alone has holds at most m there, and is released with probability at most q. A key that both sides
have shows a function of its noisy count, which moves by at most m: laws that are translates of a log-concave one have
half-lines for best events, so every hockey stick grows with the move, and the smaller move is a post-processing of the
larger one (Blackwell). Keys are independent. The worst pairs have ``a`` new keys of count m beside ``C_u - a`` that
move by m far above T:

    max over a of  1 - e^(-a L) + e^(-a L) H_(C_u - a)(epsilon + a L)    the user's presence against the absence,
                   H_(C_u - a)(epsilon - a L)                            the reverse.

``H_n`` is one sum: the loss ``sum of (2 m x_i - m^2)/(2 sigma^2)`` depends on ``s = sum of x_i`` alone, so the best
event is ``s > epsilon sigma^2/m + n m/2`` and ``H_n(epsilon) = P[S_n >= s* - n m] - e^epsilon P[S_n >= s*]``.

With Gaussian noise the maximum is at an end, a = 0 or C_u (``wilkins2024.thm5.4.collapse``); on the integers it is not.
"""

import functools
import heapq
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, MpReal, Number
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.special import as_fraction, discrete_gaussian_normaliser, discrete_gaussian_tail_bound
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Quoted, Turn
from proofs_numeric.statements.classical import BLACKWELL
from proofs_numeric.statements.derivation import Derivation, Trusted, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.neighbours import Neighbours, Privacy
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.thresholds.integer import (
    C_U,
    INTEGER_THRESHOLD,
    PER_KEY,
    SIGMA,
    above_move,
    adjacency,
    discrete_gaussian_terms,
    gaussian_weight,
    new_keys,
    own,
)

_DEVIATIONS = 38.6
"""Of a noise, beyond which its masses are no doubles."""
_LEVEL = 700
"""Nats; the exponential of more is soon no double."""
Tail = Callable[[Any], Any]
"""k -> P[S_n >= k]."""

LEFT_OUT = 1e-305
"""Mass of one noise, at most, that the tables of doubles do without: what is below the least double."""


@functools.singledispatch
def sum_masses(A: Arithmetic, sigma: Number, most: int) -> tuple[Sequence[Any], Any]:
    """Masses of the sums of n = 0, 1, ..., ``most`` noises, each list centred at 0, and what one noise leaves out."""
    raise TypeError(f"expected an arithmetic that convolves, got {A.name}")


@sum_masses.register
def _(A: Ball, sigma: Any, most: int) -> tuple[list[Any], Any]:
    reach = discrete_gaussian_terms(A, sigma)
    total = discrete_gaussian_normaliser(A, sigma, reach)
    half = [A.exp(-A.number(x * x) / (2 * sigma * sigma)) / total for x in range(reach + 1)]
    outside = 2 * discrete_gaussian_tail_bound(A, sigma, reach + 1) / total
    one = flint.arb_poly(half[:0:-1] + half)
    powers = itertools.accumulate(itertools.repeat(one, most), operator.mul, initial=flint.arb_poly([1]))
    coefficients = (power.coeffs() for power in powers)
    return [[*each, *[A.number(0)] * (2 * n * reach + 1 - len(each))] for n, each in enumerate(coefficients)], outside


@dataclass(frozen=True)
class _Each(Sequence[Any]):
    """What belongs to n = 0, 1, ..., ``most`` noises, made when it is asked for."""

    of: Callable[[int], Any]
    most: int

    def __len__(self) -> int:
        return self.most + 1

    def __getitem__(self, n: Any) -> Any:
        return self.of(range(self.most + 1)[n])


@sum_masses.register
def _(_A: Float64, sigma: Any, most: int) -> tuple[Sequence[Any], Any]:
    return _Each(functools.partial(_double_masses, float(sigma)), most), LEFT_OUT


@functools.lru_cache(maxsize=256)
def _double_masses(sigma: float, n: int) -> NDArray[np.float64]:
    """By halving n: of positive terms, so that relative errors stay small; without what is no double."""
    if n == 0:
        return np.ones(1)
    if n == 1:
        reach = int(_DEVIATIONS * sigma)
        weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
        return np.asarray(weights / weights.sum())
    found = np.convolve(_double_masses(sigma, n // 2), _double_masses(sigma, n - n // 2))
    beyond = int(np.argmax(found > 0))
    return found[beyond : len(found) - beyond]


@functools.singledispatch
def sum_tails(A: Arithmetic, sigma: Number, most: int) -> Sequence[Tail]:
    """Upper tails of the sums of n = 0, 1, ..., ``most`` independent noises, at every integer."""
    raise TypeError(f"expected an arithmetic that convolves, got {A.name}")


@sum_tails.register
def _(A: Ball, sigma: Any, most: int) -> Sequence[Tail]:
    return _ball_tails(A, sigma.mid().man_exp(), sigma.rad().man_exp(), most)


@functools.lru_cache(maxsize=32)
def _ball_tails(A: Ball, middle: tuple[Any, Any], radius: tuple[Any, Any], most: int) -> list[Tail]:
    """At a ball sigma: one noise is asked about at many epsilons and thresholds."""
    masses, outside = sum_masses(A, flint.arb(middle, radius), most)
    return [
        functools.partial(
            _ball_tail, list(itertools.accumulate(each[::-1]))[::-1], len(each) // 2, A.number(0).union(n * outside)
        )
        for n, each in enumerate(masses)
    ]


def _ball_tail(tails: list[Any], reach: int, left_out: Any, k: int) -> Any:
    """Sums with a noise outside the table weigh at most what is left out."""
    return (tails[max(0, k + reach)] if k <= reach else 0) + left_out


@sum_tails.register
def _(A: MpReal, sigma: Any, most: int) -> Sequence[Tail]:
    with Ball(A.bits + 64) as ball:
        found = sum_tails(ball, ball.number(as_fraction(sigma)), most)
    return [*(functools.partial(_rounded_tail, A, tail) for tail in found)]


def _rounded_tail(A: MpReal, tail: Tail, k: int) -> Any:
    with Ball(A.bits + 64):
        return A.number(as_fraction(tail(k)))


@sum_tails.register
def _(_A: Float64, sigma: Any, most: int) -> Sequence[Tail]:
    return _Each(functools.partial(_double_tail, float(sigma)), most)


@functools.lru_cache(maxsize=256)
def _double_tail(sigma: float, n: int) -> Tail:
    """Without what the tables leave out, which would be taken off too where a tail is subtracted; of arrays too."""
    masses = _double_masses(sigma, n)
    tails, reach = np.append(np.cumsum(masses[::-1])[::-1], 0.0), len(masses) // 2

    def tail(k: Any) -> Any:
        return tails[np.asarray(np.clip(k, -reach, reach + 1) + reach, dtype=np.int64)]

    return tail


@functools.singledispatch
def moved_profile(
    A: Arithmetic, epsilon: Number, *, n: int, sigma: Number, per_key: int, tail: Tail | None = None
) -> Any:
    """Exact hockey stick ``H_n`` of n noisy counts that each move by ``per_key``; any real epsilon."""
    epsilon, sigma = A.number(epsilon), A.number(sigma)
    if n == 0:
        return A.maximum(0, -A.expm1(epsilon))
    tail = tail or sum_tails(A, sigma, n)[n]
    last = epsilon * sigma * sigma / per_key + A.number(n * per_key) / 2
    level = A.exp(epsilon)
    return A.maximum(0, *(tail(x + 1 - n * per_key) - level * tail(x + 1) for x in floors(A, last)))


@moved_profile.register
def _(A: Float64, epsilon: Any, *, n: int, sigma: Number, per_key: int, tail: Tail | None = None) -> Any:
    epsilon, sigma = A.number(epsilon), A.number(sigma)
    if n == 0:
        return A.maximum(0, -A.expm1(A.minimum(epsilon, 1)))
    tail = tail or sum_tails(A, sigma, n)[n]
    with np.errstate(over="ignore"):
        first = np.floor(epsilon * sigma * sigma / per_key - n * per_key / 2) + 1
    here, there = tail(first), tail(first + n * per_key)
    # The level is infinite beyond e^709, its product with a chance is not.
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        taken = np.where(epsilon < _LEVEL, np.exp(epsilon) * there, np.exp(epsilon + np.log(there)))
    return A.maximum(0, here - taken)


def _of_tables(A: Arithmetic, *, sigma: Number, threshold: int, c_u: int, per_key: int) -> dict[str, Any]:
    """What `beside_new_keys` takes, from the tails of the sums of noises."""
    sigma, tails = A.number(sigma), sum_tails(A, A.number(sigma), c_u)

    def moved(n: int, level: Number) -> Any:
        return moved_profile(A, level, n=n, sigma=sigma, per_key=per_key, tail=tails[n])

    return {"rate": -A.log1p(-tails[1](threshold - per_key)), "c_u": c_u, "moved": moved}


def pair_profiles(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Iterator[Any]:
    """Delta of every pair: no key is new, all are, and then those between them; both orders."""
    return beside_new_keys(A, A.number(epsilon), **_of_tables(A, **parameters))


def beside_new_keys(
    A: Arithmetic, epsilon: Any, *, rate: Any, c_u: int, moved: Callable[[int, Any], Any]
) -> Iterator[Any]:
    """Delta of a new keys, each held back with probability e^-rate, beside c_u - a that move; the ends first."""
    yield moved(c_u, epsilon)
    yield -A.expm1(-(c_u * rate))
    for a in range(1, c_u):
        loss = a * rate
        yield -A.expm1(-loss) + A.exp(-loss) * moved(c_u - a, epsilon + loss)
        yield moved(c_u - a, epsilon - loss)


def exact_profile(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Any:
    """Exact delta, the largest over the number of new keys and both orders; ``epsilon >= 0``."""
    return largest_beside_new_keys(A, A.number(epsilon), **_of_tables(A, **parameters))


@functools.singledispatch
def largest_beside_new_keys(A: Arithmetic, epsilon: Any, **others: Any) -> Any:
    """The largest of `beside_new_keys`."""
    return A.maximum(*beside_new_keys(A, epsilon, **others))


@largest_beside_new_keys.register
def _(_A: Float64, epsilon: Any, *, rate: Any, c_u: int, moved: Callable[[int, Any], Any]) -> float:
    """But for one part in 1e13.

    ``H_n`` rises with n and falls with epsilon: over an interval of a no pair has more than its last number of new keys
    beside the others of its first. Intervals that may hold more than the best are halved, the most promising first.
    """
    epsilon, rate = float(epsilon), float(rate)
    best = max(float(moved(c_u, epsilon)), -math.expm1(-(c_u * rate)))

    def bound(first: int, last: int) -> float:
        n, loss = c_u - first, last * rate
        here = -math.expm1(-loss) + math.exp(-loss) * float(moved(n, epsilon + first * rate))
        return max(here, float(moved(n, epsilon - loss)))

    boxes = [(-bound(1, c_u - 1), 1, c_u - 1)] if c_u > 1 else []
    while boxes and -boxes[0][0] > best * (1 + 1e-13):
        most, first, last = heapq.heappop(boxes)
        if first == last:
            return -most
        middle = (first + last) // 2
        for box in ((first, middle), (middle + 1, last)):
            heapq.heappush(boxes, (-bound(*box), *box))
    return best


def two_ends(A: Arithmetic, **parameters: Any) -> Number:
    """The larger delta of keys that all move and of keys that are all new: the maximum rule."""
    return A.maximum(*itertools.islice(pair_profiles(A, **parameters), 2))


def by_outputs(weight: Formula, noise: str, far: int, *, reverse: bool = False) -> Formula:
    """Delta from the weights of the noise on ``far`` scales each way, summed over every joint output of the keys.

    The largest of all pairs and of both orders, or, ``reverse``, of the absence against the user's presence.
    """

    def oracle(A: Arithmetic, *, epsilon: Number, threshold: int, c_u: int, per_key: int, **parameters: Any) -> Number:
        level, scale = A.exp(A.number(epsilon)), A.number(parameters[noise])
        reach = int(far * float(scale)) + 1
        weights = {x: weight(A, A.number(x), scale) for x in range(-reach, reach + 1)}
        total = sum(weights.values())
        shown = sum(w for x, w in weights.items() if per_key + x >= threshold) / total
        silent = {x: (weights.get(x - per_key, 0) / total, weights.get(x, 0) / total)
                  for x in range(-reach, reach + per_key + 1)}  # fmt: skip
        best = A.number(0)
        for a in range(c_u + 1):
            kept, values = (1 - shown) ** a, [A.number(0), A.number(0)]
            for outputs in itertools.product(silent.values(), repeat=c_u - a):
                p, q = kept, A.number(1)
                for with_user, without in outputs:
                    p, q = p * with_user, q * without
                values = [values[0] + max(0, p - level * q), values[1] + max(0, q - level * p)]
            best = max(best, values[1]) if reverse else max(best, 1 - kept + values[0], values[1])
        return best

    return oracle


def pairs(parameters: Mapping[str, Any], *, noise: str, scales: int) -> tuple[Neighbours, ...]:
    """All keys new, all ``scales`` of the noise above the threshold, and one new beside the others so far above."""
    (alone,) = new_keys(parameters)
    rows, most = len(alone.left), int(parameters.get("per_key", 1))
    far = int(parameters["threshold"]) + scales * math.ceil(Fraction(parameters[noise])) + most

    def beside(name: str, new: int, description: str) -> Neighbours:
        right = {f"k{i}": far for i in range(new, rows)}
        left = {**{f"k{i}": most for i in range(new)}, **dict.fromkeys(right, far + most)}
        return Neighbours(name, left, right, description)

    found = (alone, beside("moved", 0, f"{rows} keys far above the threshold"))
    return found if rows == 1 else (*found, beside("mixed", 1, f"one new key beside {rows - 1} far above"))


KEYS = Privacy(adjacency, functools.partial(pairs, noise="sigma", scales=40))

EPSILON = Parameter("epsilon", "privacy-loss level", unit="nats", lower=0, upper=50)
FEW_KEYS = (replace(C_U, upper=6, log=False), replace(PER_KEY, upper=20))
BOX = above_move(EPSILON, replace(SIGMA, lower="0.2", upper=8), INTEGER_THRESHOLD, *FEW_KEYS)
_SECOND = 300
"""Largest c_u sigma (keys counts) of which the profile is enclosed in about a second."""
_TABLED = Box(
    (
        EPSILON, replace(SIGMA, lower="0.2", upper=300, searched=("0.2", 16)), INTEGER_THRESHOLD,
        replace(C_U, upper=64, log=False, searched=(1, 8)), replace(PER_KEY, searched=(1, 20)),
    ),
    lambda **values: bool(values["threshold"] > values["per_key"] and values["c_u"] * values["sigma"] <= _SECOND),
    f"threshold > per_key and c_u sigma <= {_SECOND}",
)  # fmt: skip


def _point(epsilon: str, sigma: str, threshold: int, c_u: int, per_key: int = 1) -> dict[str, Value]:
    return {"epsilon": epsilon, "sigma": sigma, "threshold": threshold, "c_u": c_u, "per_key": per_key}


BETWEEN_THE_ENDS = _point("43/20", "17/25", 2, 4)
"""One new key beside three that move beats both ends: 0.6152 against 0.6140."""
FAR = _point("37/5", "32/5", 480, 3, 2)
"""Delta is about 1e-42: what tables of doubles leave out is as large."""

MOVES = {
    "epsilon": moves.EPSILON, "threshold": moves.THRESHOLD, "c_u": moves.by_channel("a key less is one more, left out"),
    "per_key": Derivation(
        (
            Trusted(
                BLACKWELL,
                "a smaller move is a post-processing of a larger one, whose profile is larger at every real epsilon, "
                "as the law is log-concave; a new key is released with a larger chance",
            ),
        )
    ),
}  # fmt: skip
"""Why its delta moves as declared."""

CLAIMS = (
    own(
        "gaussian.integer.profile", "integer thresholds",
        "Exact delta at every epsilon of the integer histogram with discrete Gaussian noise",
        r"\delta(\varepsilon) = \max_a \max\{1 - e^{-aL} + e^{-aL} H_{C_u-a}(\varepsilon + aL),\ "
        r"H_{C_u-a}(\varepsilon - aL)\},\ L = -\log P[Z < T - m]",
        DeltaBound(
            exact_profile, oracle=by_outputs(gaussian_weight, "sigma", 20),
            oracle_points=(
                _point("1", "2", 9, 1, 2), _point("0", "1", 4, 2), _point("4", "1", 3, 2),
                _point("1/2", "3/2", 7, 2, 2), _point("5/2", "2/5", 2, 3),
            ),
            proof=Derivation(
                (
                    Unchecked(
                        "smaller chances by post-processing",
                        "a new key of count d <= m is released with probability at most q, and (q', 0) is a "
                        "post-processing of (q, 0) for q' <= q",
                    ),
                    Unchecked(
                        "half-lines of a log-concave law",
                        "translates of a log-concave law have half-lines for best events, and P[Z >= t - d] - "
                        "e^epsilon P[Z >= t] grows with d at every t and every real epsilon",
                    ),
                    Trusted(
                        BLACKWELL,
                        "so a smaller move is a post-processing of m; a shared key shows a function of its noisy "
                        "count, keys are independent, and fewer of them are one more",
                    ),
                    Unchecked(
                        "sufficiency of the sum of outputs",
                        "the loss of n keys that move depends on the sum of their outputs alone",
                    ),
                    Unchecked(
                        "supremum at large counts",
                        "counts that grow without bound come as close to the supremum as one likes",
                    ),
                ),
            ),
        ),
        domain=_TABLED, assumptions=("counts unbounded and at least C_u keys",), quantity=QuantityKind.DELTA,
        falls=("epsilon", "threshold"), rises=("c_u", "per_key"), moves=MOVES,
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 4, "per_key": 1, "threshold": 8}, (1, 2, 20)),), privacy=KEYS,
        points=(_point("1", "2", 9, 1, 2), _point("1", "5", 30, 3), BETWEEN_THE_ENDS, FAR),
        note="On integers no rounding has to be argued away: what is released is the theorem's law. The reverse order "
        "was never the larger one in a search; it is in the formula all the same.",
        cost=40,
        quoted=(
            Quoted(
                "four keys a user, integer noise, once",
                {"epsilon": 1, "sigma": "7.47", "threshold": 36, "c_u": 4, "per_key": 1},
            ),
        ),
    ),
    own(
        "gaussian.integer.two_ends", "integer thresholds",
        "With discrete Gaussian noise the worse of new keys alone and shared ones alone decides",
        r"\delta(\varepsilon) = \max\{1 - e^{-C_u L},\ H_{C_u}(\varepsilon)\}", Inequality(exact_profile, two_ends),
        domain=BOX, expected=Expectation.REFUTED, corrected_by="thresholds.gaussian.integer.profile",
        quantity=QuantityKind.DELTA, privacy=KEYS, points=(BETWEEN_THE_ENDS,),
        note="Theorem 5.4's maximum does not survive on the integers: the losses of n keys lie on a lattice, half a "
        "step off where n m is odd. Half a percent at most was seen, at sigma = 0.68; from sigma = 1 on none "
        "(thresholds.gaussian.integer.two_ends.grid, .wide).",
        cost=40,
    ),
)  # fmt: skip
