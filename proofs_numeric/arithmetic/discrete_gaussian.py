"""Sums of discrete Gaussian noises: masses, tails, and the hockey stick of noisy counts that all move."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.special import as_fraction, discrete_gaussian_normaliser, discrete_gaussian_tail_bound

_DEVIATIONS = 38.6
"""Of a noise, beyond which its masses are no doubles."""
_LEVEL = 700
"""Nats; the exponential of more is soon no double."""
Tail = Callable[[Any], Any]
"""k -> P[S_n >= k]."""


def discrete_gaussian_terms(A: Arithmetic, sigma: Number) -> int:
    """Terms after which the discrete Gaussian series is below the precision of `A`."""
    return math.ceil(float(A.number(sigma)) * math.sqrt(2 * math.log(2) * (A.bits + 16))) + 2


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
    law = np.convolve(_double_masses(sigma, n // 2), _double_masses(sigma, n - n // 2))
    beyond = int(np.argmax(law > 0))
    return law[beyond : len(law) - beyond]


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
        tails = sum_tails(ball, ball.number(as_fraction(sigma)), most)
    return [*(functools.partial(_rounded_tail, A, tail) for tail in tails)]


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


@functools.singledispatch
def withheld_loss(A: Arithmetic, sigma: Number, k: int) -> Any:
    """``-log P[Z < k]`` of one noise."""
    return -A.log1p(-sum_tails(A, A.number(sigma), 1)[1](k))
