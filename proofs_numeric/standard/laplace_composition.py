"""Many releases with Laplace noise: two laws on a lattice of losses, convolved in balls, with the truth between them.

One release at distance 1 and scale b has the profile `1 - e^((epsilon - 1/b)/2)` for `|epsilon| <= 1/b`. The law above
joins its values at the lattice by chords in `e^epsilon`, so it dominates the pair (Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi 2022). The law below is the noise rounded to cells of width `2/STEPS`, whose losses lie on the same lattice:
what is computed from a release loses no more. Powers of both as polynomials keep the order.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, MpReal, Number
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.standard.parameters import EPSILON, SCALE, source
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound

STEPS = 64
"""Steps of the lattice from a loss of 0 to the largest, 1/b."""
GUARD = 64


def chords(A: Ball, scale: Number) -> list[Any]:
    """Masses at the losses `i/(STEPS b)`, i from -STEPS to STEPS, of the law that joins one release's profile."""
    losses = [A.number(i) / (STEPS * scale) for i in range(-STEPS, STEPS + 1)]
    profile = [-A.expm1((loss - 1 / scale) / 2) for loss in losses]
    steps = zip(losses, losses[1:], profile, profile[1:], strict=False)
    slopes = [(above - below) / (A.exp(right) - A.exp(left)) for left, right, above, below in steps]
    pairs = zip([A.number(1), *slopes], [*slopes, A.number(0)], losses, strict=True)
    return [A.exp(loss) * (before - after) for before, after, loss in pairs]


def cells(A: Ball, scale: Number) -> list[Any]:
    """Masses at the same losses of the noise rounded to the two tails and `STEPS/2` cells between the centres."""
    masses = [A.number(0)] * (2 * STEPS + 1)
    half = STEPS // 2
    masses[2 * STEPS] = A.number(1) / 2
    masses[0] = A.exp(-1 / scale) / 2
    for i in range(half):  # the cell [i/half, (i + 1)/half] has loss (1 - (2 i + 1)/half)/b
        left, right = (A.exp(-A.number(end) / (half * scale)) for end in (i, i + 1))
        masses[2 * STEPS - 2 * (2 * i + 1)] = (left - right) / 2
    return masses


def _composed(A: Arithmetic, law: Any, epsilon: Number, scale: Number, k: int) -> Number:
    """Delta at epsilon of `k` independent losses of a law."""
    ball = Ball((A.bits if A.encloses else 128) + GUARD)
    with ball:
        exact_scale, exact_epsilon = (ball.number(x if A.encloses else as_fraction(x)) for x in (scale, epsilon))
        total = flint.arb_poly(law(ball, exact_scale)) ** k
        losses = ((i, ball.number(i - k * STEPS) / (STEPS * exact_scale)) for i in range(2 * k * STEPS, -1, -1))
        delta = ball.number(0)
        for i, loss in losses:
            if loss < exact_epsilon:
                break
            delta += total[i] * ball.maximum(0, -ball.expm1(exact_epsilon - loss))
    return delta if A.encloses else A.number(as_fraction(delta))


def above(A: Arithmetic, *, epsilon: Number, scale: Number, k: int) -> Any:
    """Delta of `k` releases of the law above."""
    return _composed(A, chords, _exactly(A, epsilon), _exactly(A, scale), k)


def below(A: Arithmetic, *, epsilon: Number, scale: Number, k: int) -> Number:
    """Delta of `k` releases of the law below."""
    return _composed(A, cells, _exactly(A, epsilon), _exactly(A, scale), k)


def _exactly(A: Arithmetic, value: Number) -> Any:
    """A number that a ball can be made of: mpmath's to its own digits."""
    number = A.number(value)
    return str(number) if isinstance(A, MpReal) else number


FEW = Parameter("k", "number of releases", "releases", 1, 200, integer=True, log=True, default=1)

CLAIMS = (
    Claim(
        id="standard.laplace.composition",
        source=source("Laplace mechanism, k releases"),
        title="Delta of k releases with Laplace noise, between two laws on a lattice of losses",
        statement=r"H_{e^\varepsilon}(\mathrm{Lap}(0, b)^k, \mathrm{Lap}(1, b)^k)",
        kind=DeltaBound(above, exact=below),
        domain=Box((EPSILON, SCALE, FEW)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        points=({"epsilon": 1, "scale": 2, "k": 2}, {"epsilon": Fraction(1, 2), "scale": 10, "k": 20}),
        falls=("epsilon",),
        rises=("k",),
        counts="k",
        loose=f"the lattice: {STEPS} steps from a loss of 0 to the largest",
        note="An accountant below the upper law and not below the lower one differs; below both it is unsafe.",
        cost=40,
    ),
)
