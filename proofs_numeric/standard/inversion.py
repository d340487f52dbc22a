"""Delta of a sum of independent privacy losses from their moment generating functions, enclosed.

With `L` the sum under the first law and `M(z) = E e^(z L)`, delta as a function of epsilon has the two-sided Laplace
transform `M(z)/(z (z + 1))` at `Re z > 0`. The trapezoidal sum of the inversion along `Re z = c`, at the nodes
`c + 2 pi i n/T`, is by Poisson's summation formula *exactly*

    (1/T) sum_n M(z_n) e^(-z_n epsilon) / (z_n (z_n + 1)) = sum_m e^(c m T) delta(epsilon + m T),

and all that is added to delta is positive and bounded: `delta <= 1` left of epsilon, and right of it Chernoff's
`delta(y) <= M(c') e^(-c' y)/(1 + c')`. In the strip -1 < c < 0 the same sum is that of `-(1 - delta)`, bounded by 1 and
by e^y. Nodes that are left out are bounded by what `M` is at most beyond them. `c` and `T` are chosen in low precision:
every choice is right, and some are narrow.

Sources: Abate and Whitt 1992 (Poisson summation); Sommer, Meiser and Mohammadi 2019, Koskela, Jaelkoe and Honkela 2020
(privacy loss and Fourier accountant, there without the certainty).
"""

import contextlib
import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, MpReal, Number
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.special import as_fraction

GUARD = 64
ROUGH = Ball(64)
"""Where the line is looked for."""
MOST_NODES = 200_000
MOST_ABOVE = 20.0
"""Nats by which terms may exceed delta, that the period be short."""
LEAST_DOUBLE = 2.0**-1074
SAYS_NOTHING = -1e-3
"""Logarithm of Chernoff's bound above which 1 serves as well, and doubles may not tell it from 0."""
MOST_HALVINGS = 100
PERIODS = 32
"""Of each power of two: those of lines."""
SPARE = 5.0
"""Nats by which each error is smaller than what is asked."""
BEYOND_HALF = 16
"""Bits that are asked for beyond half of a ball's: mostly fewer are lost, and half of them are then told at once."""


class Loss(ABC):
    """A privacy loss under the first of two laws, of one release or of several."""

    @property
    def largest(self) -> Any:
        """At least every value that the loss takes, a ball."""
        return flint.arb("inf")

    @abstractmethod
    def moment(self, z: Any) -> Any:
        """`E e^(z L)` at a complex ball, at the precision of the context."""

    @abstractmethod
    def beyond(self, c: Any, t: Any) -> Any:
        """At least `|E e^((c + i s) L)|` for every real `|s| >= t`, for `t > 0`."""

    def moments(self, c: Any, step: Any, count: int) -> list[Any]:
        """The moments at `c`, `c + i step`, `c + 2 i step` and so on, `count` of them."""
        return [self.moment(flint.acb(c, n * step)) for n in range(count)]

    def log_moment(self, c: float) -> float:
        """`log E e^(c L)` about, to choose a line by; infinite where it is not finite."""
        with ROUGH:
            value = self.moment(flint.acb(c)).real.log()
            return float(value.mid()) if value.is_finite() else math.inf

    def log_beyond(self, c: float, t: float) -> float:
        """`log |E e^((c + i s) L)|` at most, at `|s| >= t`, about: to choose by how many nodes are kept."""
        with ROUGH:
            value = self.beyond(flint.arb(c), flint.arb(t)).log()
            return float(value.mid()) if value.is_finite() else math.inf


@dataclass(frozen=True)
class Line:
    """Where to integrate, found in low precision.

    Args:
        c: the real part.
        period: `T`, at least.
        error: logarithm of what the answer may be wrong by.
        step: right of 0, how far right of the line the other periods are bounded on another one.

    """

    c: float
    period: float
    error: float
    step: float = 0.0


def in_balls(A: Arithmetic, formula: Callable[..., Any], **parameters: Number) -> Any:
    """A formula of real numbers that is evaluated in balls, in any arithmetic: `formula(bits, **parameters)`.

    A little more than half of the arithmetic's bits are asked for: mpmath's digits, or those of a double.

    Raises:
        NotEnclosedError: the arithmetic gives one number, and no bit of it is known; below the least double it is told
            in doubles, as nothing.
    """
    bits = A.bits if A.encloses else 2 * (math.ceil(A.digits * math.log2(10)) if isinstance(A, MpReal) else 53)
    ball = Ball(bits + GUARD)
    exact = {name: A.number(x) if A.encloses else as_fraction(A.number(x)) for name, x in parameters.items()}
    with ball:
        value = formula(bits // 2 + BEYOND_HALF, **{name: ball.number(x) for name, x in exact.items()})
    if A.encloses:
        return value
    if value.rel_accuracy_bits() < 1 and (isinstance(A, MpReal) or value.abs_upper() > LEAST_DOUBLE):
        raise NotEnclosedError(f"expected a value of which a bit is known, got {value}")
    return A.number(as_fraction(value))


def least(function: Callable[[float], float], start: float) -> float:
    """Where a unimodal function of a positive number is least, to a few per cent, near `start` or far from it."""
    values: dict[int, float] = {}

    def at(step: int) -> float:
        if step not in values:
            values[step] = function(start * math.exp(step / 8))
        return values[step]

    step, width = 0, 16
    while width:
        step = min((step - width, step, step + width), key=at) if abs(step) < 400 else step
        if at(step) <= min(at(step - width), at(step + width)) or abs(step) >= 400:
            width //= 2
    return start * math.exp(step / 8)


def log_moment(losses: Sequence[Loss]) -> Callable[[float], float]:
    """`log M(c)` at real c, about."""
    return lambda c: sum(loss.log_moment(c) for loss in losses)


def find_line(log_m: Callable[[float], float], epsilon: float, bits: int, far: float = 0.0) -> Line:
    """The line where terms are least, in the strip where delta is nearer to one.

    With `far > 0` it is right of 0, and as far to the right as terms grow by no more than so many nats.
    """

    def psi(c: float) -> float:
        return log_m(c) - c * epsilon

    def strip(odds: float) -> float:
        c = -odds / (1 + odds)
        return psi(c) - math.log(-c * (1 + c))

    goal = bits * math.log(2) + SPARE
    right = least(lambda c: psi(c) - math.log(c * (c + 1)), 1.0)
    if not far and psi(right) > -1.0:
        odds = least(strip, 1.0)
        if strip(odds) < psi(right) - math.log(right * (right + 1)):
            c = -odds / (1 + odds)
            return Line(c, max(goal / -c, (goal + epsilon) / (1 + c)), -goal)
    error = psi(right) - math.log(1 + right) - goal

    def line(c: float) -> Line:
        """With what bounds the other periods on both sides; infinite where terms exceed delta by far."""
        if psi(c) > psi(right) + max(far, MOST_ABOVE):
            return Line(c, math.inf, error)
        step = least(lambda step: (psi(c + step) - error) / step, c)
        return Line(c, max(-error / c, (psi(c + step) - error) / step), error, step)

    c = right if far else least(lambda c: line(c).period, right)
    while far and psi(1.2 * c) < psi(right) + far:
        c *= 1.2
    return line(c)


def aliases(losses: Sequence[Loss], line: Line, T: Any, epsilon: Any) -> Any:
    """A ball from 0 to what the other periods add at most, each of length `T >= line.period`."""
    c, step = flint.arb(line.c), flint.arb(line.step)
    near = (-abs(c) * T).exp()
    if c < 0:
        far = (epsilon - (1 + c) * T).exp() / (1 - (-(1 + c) * T).exp())
    elif epsilon + T >= sum(loss.largest for loss in losses):
        far = flint.arb(0)
    else:
        with ROUGH:  # a bound in any precision
            moment = product(losses, flint.acb(c + step)).real
        far = moment * (-(c + step) * epsilon - step * T).exp() / (1 - (-step * T).exp())
    return flint.arb(0).union(near / (1 - near) + far)


def chernoff(losses: Sequence[Loss], epsilon: float) -> tuple[float, float]:
    """Where Chernoff's bound on delta is least, about, and its logarithm there."""
    log_m = log_moment(losses)
    c = least(lambda c: log_m(c) - c * epsilon, 1.0)
    return c, log_m(c) - c * epsilon


def at_most(losses: Sequence[Loss], epsilon: Any, nats: float) -> Any:
    """A ball from 0 to Chernoff's bound on delta: to about the least one, or to any that is so many nats below one.

    Up to 1 where Chernoff's says no more, as at an epsilon that most losses exceed.
    """
    log_m, level = log_moment(losses), float(epsilon.mid())
    c, least_one = chernoff(losses, level)
    enough = max(-nats, 0.9 * least_one)
    for _ in range(MOST_HALVINGS if least_one < SAYS_NOTHING else 0):
        with contextlib.suppress(NotEnclosedError):  # far to the right a moment may be dearer than its loss allows
            if log_m(c / 2) - c / 2 * level >= enough:
                bound = product(losses, flint.acb(c)).real * (-c * epsilon).exp() / (1 + flint.arb(c))
                return flint.arb(0).union(bound.max(flint.arb(0)))
        c /= 2
    return flint.arb(0).union(flint.arb(1))


def product(losses: Sequence[Loss], z: Any) -> Any:
    """`M(z)`."""
    value = losses[0].moment(z)
    for loss in losses[1:]:
        value *= loss.moment(z)
    return value


def delta(losses: Sequence[Loss], epsilon: Any, bits: int, most_nodes: int = MOST_NODES) -> Any:
    """Delta of the sum of the losses at `epsilon >= 0`, a ball, in the precision of the context.

    `bits` bits of it are asked for: the more, the more nodes.

    Raises:
        NotEnclosedError: the moments fall too slowly along the line, as those of lone atoms do not at all.
    """
    log_m, level = log_moment(losses), float(epsilon.mid())
    line = find_line(log_m, level, bits)
    if line.period < math.inf:  # rounded up, that neighbouring epsilons share their nodes
        line = replace(line, period=2.0 ** (math.ceil(PERIODS * math.log2(line.period)) / PERIODS))
    c, step, T = flint.arb(line.c), 2 * flint.arb.pi() / flint.arb(line.period), flint.arb(line.period)

    def is_small(nodes: int) -> bool:
        t = 2 * math.pi / line.period * nodes
        reach = math.log(2 * nodes / line.period / t**2) - line.c * level
        return reach + sum(loss.log_beyond(line.c, t) for loss in losses) < line.error

    if not is_small(most_nodes):
        raise NotEnclosedError(f"expected moments that fall along the line within {most_nodes} nodes, got more")
    counts = [4]
    while counts[-1] < most_nodes:
        counts.append(min(most_nodes, counts[-1] + counts[-1] // 4))
    nodes = counts[bisect_left(counts, 1, key=is_small)]
    left_out = (-c * epsilon).exp() * 2 / (T * nodes * step**2)  # 2/T of the sum of 1/(n step)^2 over n > nodes
    for loss in losses:
        left_out *= loss.beyond(c, step * nodes)
    if not left_out.is_finite():
        raise NotEnclosedError("expected moments with a bound along the line, got one without")
    total = flint.arb(0)
    for n, factors in enumerate(zip(*(loss.moments(c, step, nodes + 1) for loss in losses), strict=True)):
        z = flint.acb(c, n * step)
        term = (math.prod(factors) * (-z * epsilon).exp() / (z * (z + 1))).real
        total += term if n == 0 else 2 * term
    value = total / T + (-left_out).union(left_out)
    others = aliases(losses, line, T, epsilon)
    return 1 + value + others if line.c < 0 else value - others
