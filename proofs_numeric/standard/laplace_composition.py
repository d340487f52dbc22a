"""Many releases with Laplace noise, exactly: their loss has atoms on a lattice, and the sum over its nodes is closed.

The loss of one release at distance 1 and scale b, `u = 1/b`, is u and -u with some mass and spread between; with
`w = 2 z + 1` and `zeta = w u/2`

    E e^(z L) = e^(-u/2) (cosh zeta + sinh(zeta)/w),

the cosine from the two atoms, the rest from what is spread. The cosine does not fall along a line, so the sum of
:mod:`inversion` over its nodes would not end. With the period a multiple of 2 u, however, nodes that lie `2 pi/u` apart
have the same cosine and sine but for a common sign: the sum over each such class is a power series in 1/w whose terms
are residues.
"""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import flint

from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.special import integral_over
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.parameters import EPSILON, SCALE, own

FAR = 20.0
"""Nats by which terms may exceed delta, that the line be far from 0: the further, the shorter are the classes."""
NEAR = 0.3
"""Real part of `w_0 u` from where a division would lose more than a bit in two terms."""
FEW_NODES = 20_000
"""Nodes of the plain sum, of a microsecond each, that are no dearer than classes."""


@dataclass(frozen=True)
class LaplaceLoss(inversion.Loss):
    """Of `k` releases with Laplace noise, at a distance of `u > 0` scales each."""

    u: Any
    k: int

    def moment(self, z: Any) -> Any:
        """`e^(-k u/2) (cosh zeta + sinh(zeta)/w)^k`; the last term is `u/2` of `sinh(zeta)/zeta`."""
        zeta = (z + flint.acb(1) / 2) * self.u
        spread = self.u / 2 * (zeta * flint.acb(0, 1)).sinc()
        return (-self.k * self.u / 2).exp() * (zeta.cosh() + spread) ** self.k

    def beyond(self, c: Any, t: Any) -> Any:
        """`|cosh zeta|` and `|sinh zeta|` are at most `cosh Re zeta`, and `|w|` is at least 2 t."""
        most = ((c + flint.arb(1) / 2) * self.u).cosh() * (1 + 1 / (2 * t))
        return (-self.k * self.u / 2).exp() * most**self.k


def composed(A: Arithmetic, *, epsilon: Number, scale: Number, k: int) -> Any:
    """Exact delta of `k` releases."""

    def enclosed(bits: int, *, epsilon: Any, scale: Any) -> Any:
        most = flint.arb(0).union((-(epsilon - k / scale).expm1()).max(flint.arb(0)))
        if not bool(epsilon * scale < k):  # no loss exceeds epsilon
            return most
        loss = LaplaceLoss(1 / scale, k)
        # the atoms alone are less than the whole by e^(-k/(2 scale)), which may be enough for the plain sum
        for way in (partial(inversion.delta, most_nodes=FEW_NODES), _by_classes):
            with contextlib.suppress(NotEnclosedError):
                if (enclosure := way([loss], epsilon, bits)).is_finite():
                    return enclosure
        return most

    return inversion.in_balls(A, enclosed, epsilon=epsilon, scale=scale)


def _by_classes(losses: Sequence[LaplaceLoss], epsilon: Any, bits: int) -> Any:
    """The sum of all nodes, class by class, of a lone loss; classes far from the real node are bounded."""
    (loss,) = losses
    u, k, log_m = loss.u, loss.k, inversion.log_moment([loss])
    line = inversion.find_line(log_m, float(epsilon.mid()), bits, far=FAR)
    if math.isinf(line.period):
        raise NotEnclosedError(f"expected an epsilon apart from the largest loss, got {epsilon}")
    half = math.ceil(line.period / float(u.mid()) / 4)
    c, T = flint.arb(line.c), 2 * (2 * half + 1) * u
    x, scale = (c + flint.arb(1) / 2) * u, (-c * epsilon - k * u / 2).exp() / T

    def beyond(last: int) -> Any:
        """All classes but those of `|r| <= last`: there |cosh zeta|^2 is cosh(x)^2 - sin(phi)^2 or less."""
        angle_sine = (flint.arb(last + 1) / (2 * half + 1) * flint.arb.pi()).sin()
        most = (x.cosh() ** 2 - angle_sine**2).sqrt() + x.sinh() / (2 * c + 1)
        return scale * most**k * (1 / (c * c) + T / (2 * c))  # of 1/|z|^2, the sum over all nodes is no more

    def is_small(last: int) -> bool:
        with inversion.ROUGH:
            return bool(beyond(last).log() < line.error)

    count = 0
    while count < half and not is_small(count):
        count = min(half, count + 1 + count // 4)
    left_out = beyond(count) if count < half else flint.arb(0)
    turns = (epsilon / u - k) / 2
    part = turns - math.floor(float(turns.mid()))
    value = sum((_class(loss, epsilon, part, line, half, r) for r in range(count + 1)), flint.arb(0))
    if not (part >= 0 and part <= 1):  # a point of the lattice: both branches meet there, and either may be meant
        part += 1 if float(part.mid()) < 0.5 else -1
        value = value.union(sum((_class(loss, epsilon, part, line, half, r) for r in range(count + 1)), flint.arb(0)))
    return value + left_out.union(-left_out) - inversion.aliases([loss], line, T, epsilon)


def _class(loss: LaplaceLoss, epsilon: Any, part: Any, line: inversion.Line, half: int, r: int) -> Any:
    """The sum over the classes r and -r of the `2 half + 1` classes.

    `4 v^2/(1 - v^2) (C + S v)^k` is expanded at `v = 1/w`, and for `s >= 2` and `0 <= part <= 1`

        sum over q of e^(-2 pi i q part) w_q^-s = -[w^(s-1)] u e^((w_0 - w) u part)/(1 - e^((w_0 - w) u)),

    by the residue at 0 of a function whose other poles are the nodes `w_q = w_0 + 2 pi i q/u`.
    """
    u, k, c = loss.u, loss.k, flint.arb(line.c)
    zeta = flint.acb((c + flint.arb(1) / 2) * u, flint.arb(r) / (2 * half + 1) * flint.arb.pi())
    w, cosine, sine, nearest = 2 * zeta / u, zeta.cosh(), zeta.sinh(), 2 * c + 1
    scale = (-(w - 1) / 2 * epsilon - k * u / 2).exp() / (2 * (2 * half + 1) * u)

    def terms(v: Any) -> Any:
        """The expansion of absolute values at v, times what all nodes are to the nearest: `sum |w_0/w_q|^2`."""
        whole = 4 * v * v / (1 - v * v) * (abs(cosine) + abs(sine) * v) ** k
        return whole * (1 + nearest * u / 2) * abs(scale)

    def needed(v: Any) -> float:
        with inversion.ROUGH:
            nats = float(terms(v).log().mid()) - line.error + math.log(2 * half + 1)
            return nats / float((v * nearest).log().mid())

    v = min((nearest ** (flint.arb(-i) / 16) for i in range(1, 16)), key=needed)
    length = max(4, math.ceil(needed(v)))
    binomials = [cosine**k]
    for j in range(1, length - 1):
        binomials.append(binomials[-1] * (k - j + 1) / j * sine / cosine)
    for s in range(2, length - 1):
        binomials[s] += binomials[s - 2]
    residues, total, power = _residues(w * u, part, length), flint.acb(0), u
    for s in range(2, length + 1):
        power *= u
        total -= 4 * binomials[s - 2] * residues[s - 1] * power
    left_out = terms(v) / (v * nearest) ** (length + 1)
    value = (total * scale).real + left_out.union(-left_out)
    return value if r == 0 else 2 * value


def _residues(start: Any, part: Any, length: int) -> list[Any]:
    """Coefficients of `e^((start - W) part)/(1 - e^(start - W))` in W, for `Re start > 0` and `0 <= part <= 1`.

    With `x = e^(W - start)` it is `-x^(1 - part) (1 + x) (1 + x^2) (1 + x^4) ...`, of positive coefficients where start
    is real: nothing cancels. Near the pole a division loses little.
    """
    rate = float(start.real.mid())
    doublings = math.ceil(math.log2((2 * length + flint.ctx.prec) / rate))
    saved, flint.ctx.cap = flint.ctx.cap, length
    try:
        rest = flint.acb_series([-start, 1], prec=length)
        value = -(rest * (1 - part)).exp()
        if rate < NEAR:
            value /= 1 - rest.exp()
        else:
            for i in range(doublings):
                value *= 1 + (rest * 2**i).exp()
    finally:
        flint.ctx.cap = saved
    coefficients = [value[n] for n in range(length)]
    if rate < NEAR:
        return coefficients
    after = 2**doublings + 1 - part
    first = (-start.real * after).exp()
    for n in range(length):  # x^(m - part) has (m - part)^n/n! e^(-start (m - part)), from here on less and less
        left_out = first / (1 - (flint.arb(n) / after - start.real).exp())
        coefficients[n] += flint.acb(left_out.union(-left_out), left_out.union(-left_out))
        first *= after / (n + 1)
    return coefficients


def _by_quadrature(A: Arithmetic, *, epsilon: Number, scale: Number, k: int) -> Any:
    """One release by its profile, more by integrating that of the others over the noise of one."""
    epsilon, scale = A.number(epsilon), A.number(scale)
    if k == 1 and epsilon < -1 / scale:
        return -A.expm1(epsilon)
    if k == 1:
        return A.maximum(0, -A.expm1((epsilon - 1 / scale) / 2))

    def others(level: Number) -> Any:
        return _by_quadrature(A, epsilon=level, scale=scale, k=k - 1)

    outside = others(epsilon - 1 / scale) / 2 + A.exp(-1 / scale) / 2 * others(epsilon + 1 / scale)
    kinks = ((1 - scale * epsilon + k - 1 - 2 * j) / 2 for j in range(k))
    ends = [A.number(0), *sorted(x for x in kinks if 0 < x < 1), A.number(1)]

    def weighted(_: Arithmetic, x: Number) -> Any:
        return A.exp(-x / scale) / (2 * scale) * others(epsilon - (1 - 2 * x) / scale)

    return outside + integral_over(A, weighted, ends)


MANY = Parameter("k", "number of releases", "releases", 1, 10**4, integer=True, log=True, default=1)

CLAIMS = (
    own(
        "laplace.composition", "Laplace mechanism, k releases", "Exact delta of k releases with Laplace noise",
        r"H_{e^\varepsilon}(\mathrm{Lap}(0, b)^k, \mathrm{Lap}(1, b)^k)",
        DeltaBound(
            composed, _by_quadrature,
            points("epsilon scale k", ("0.1", 2, 1), ("0.25", 1, 2), (0, 5, 2), ("0.3", 3, 3), (3, 1, 2)),
        ),
        domain=(EPSILON, SCALE, MANY), points=points("epsilon scale k", (1, 700, 10**4), ("1/2", 10, 20)),
        falls=("epsilon", "scale"), rises=("k",), counts="k",
        note="By inversion of the moment generating function; what the sum leaves out is bounded, and added.", cost=40,
    ),
)  # fmt: skip
