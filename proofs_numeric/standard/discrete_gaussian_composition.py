"""Many releases with discrete Gaussian noise: the sum of the answers decides, and its law is a convolution in balls.

The loss of one release at `x` is `sensitivity (x + sensitivity/2)/sigma^2`, of `k` releases their sum: it lies on a
lattice, so nothing is rounded. What is left out of the tables is on top: masses that are kept are at most the true
ones, and no outcome adds more than its mass to delta, so delta exceeds the sum by at most the mass that was left out.
"""

import math
from collections.abc import Callable
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.standard import lattice
from proofs_numeric.standard.parameters import EPSILON, own
from proofs_numeric.statements.box import Parameter, points
from proofs_numeric.statements.kinds import DeltaBound

GUARD = 64


def _sum_of(ball: Ball, sigma: Any, k: int) -> tuple[Any, int]:
    """Masses of the sum of `k` draws, from `-reach` on, each at most the true one; and `reach`."""
    sure = math.sqrt(2 * math.log(2) * ball.bits)  # standard deviations that leave out less than the precision
    wide = float(sigma) + 1

    def cut(masses: Any, reach: int, draws: int) -> tuple[Any, int]:
        half = min(reach, math.ceil(sure * wide * math.sqrt(draws)))
        return flint.arb_poly(masses.coeffs()[reach - half : reach + half + 1]), half

    reach = math.ceil(sure * wide)
    weights = [ball.exp(-ball.number(x * x) / (2 * sigma * sigma)) for x in range(reach + 1)]
    ratio = ball.exp(-ball.number(2 * reach + 1) / (2 * sigma * sigma))
    beyond = weights[-1] * ratio / (1 - ratio)  # each further weight is smaller by more than the first ratio
    whole = weights[0] + 2 * ball.sum([*weights[1:], beyond])
    one = flint.arb_poly([weights[abs(x)] / whole for x in range(-reach, reach + 1)])
    total, width, draws = one, reach, 1
    for bit in bin(k)[3:]:
        total, width = cut(total * total, 2 * width, 2 * draws)
        draws *= 2
        if bit == "1":
            total, width = cut(total * one, width + reach, draws + 1)
            draws += 1
    return total, width


def profile(ball: Ball, *, sigma: Any, sensitivity: int, k: int) -> Callable[[Any], Any]:
    """Delta of `k` independent releases, each moved by `sensitivity`, as a function of epsilon."""
    masses, reach = _sum_of(ball, sigma, k)
    step = sensitivity / (sigma * sigma)
    largest = step * (len(masses) - 1 - reach + ball.number(k * sensitivity) / 2)
    left_out = ball.maximum(0, 1 - masses(ball.number(1)))
    return lattice.profile(largest, step, reversed(masses.coeffs()), left_out)


def composed(A: Arithmetic, *, epsilon: Number, sigma: Number, sensitivity: int, k: int) -> Number:
    """Delta at one epsilon."""
    ball = Ball((A.bits if A.encloses else 128) + GUARD)
    with ball:
        spread, loss = (ball.number(x if A.encloses else as_fraction(x)) for x in map(A.number, (sigma, epsilon)))
        delta = profile(ball, sigma=spread, sensitivity=sensitivity, k=k)(loss)
    return delta if A.encloses else A.number(as_fraction(delta))


def _by_sums(A: Arithmetic, *, epsilon: Number, sigma: Number, sensitivity: int, k: int) -> Number:
    """Every sequence of answers, one release more at a time; the definition at the end, outcome by outcome."""
    width = A.number(sigma)
    reach = math.ceil(25 * float(width)) + 2
    one = {x: A.exp(-A.number(x * x) / (2 * width * width)) for x in range(-reach, reach + 1)}
    whole = A.sum(one.values())
    left, right = {0: A.number(1)}, {0: A.number(1)}
    for _release in range(k):
        left, right = (_added(A, law, one, shift) for law, shift in ((left, sensitivity), (right, 0)))
    factor, norm = A.exp(A.number(epsilon)), whole**k
    return A.sum(max(A.number(0), p - factor * right.get(x, A.number(0))) for x, p in left.items()) / norm


def _added(A: Arithmetic, law: dict[int, Number], one: dict[int, Number], shift: int) -> dict[int, Number]:
    masses: dict[int, Number] = {}
    for x, p in law.items():
        for y, q in one.items():
            masses[x + y + shift] = masses.get(x + y + shift, A.number(0)) + p * q
    return masses


NARROW = Parameter("sigma", "parameter of the noise, exp(-x^2/(2 sigma^2))", "counts", "0.3", 20, log=True)
FEW = Parameter("sensitivity", "most that one user changes the count", "counts", 1, 10, integer=True, default=1)
MANY = Parameter("k", "number of releases", "releases", 1, 10**4, integer=True, log=True, default=1)

CLAIMS = (
    own(
        "discrete_gaussian.composition", "discrete Gaussian mechanism, k releases",
        "Exact delta of k releases with discrete Gaussian noise",
        r"\sum_s P[S = s] (1 - e^{\varepsilon - d(s + kd/2)/\sigma^2})_+, \; S = Z_1 + \dots + Z_k",
        DeltaBound(composed, _by_sums, points("epsilon sigma sensitivity k", ("0.3", 1, 1, 1), (1, "1.5", 2, 3))),
        domain=(EPSILON, NARROW, FEW, MANY), points=points("epsilon sigma sensitivity k", (2, 20, 1, 100)),
        falls=("epsilon",), rises=("sensitivity", "k"), counts="k",
        note="A convolution in balls, and exact: the losses of integers lie on a lattice.", cost=100,
    ),
)  # fmt: skip
