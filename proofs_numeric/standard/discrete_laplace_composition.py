"""Many releases with discrete Laplace noise: the loss of one lies on a lattice, and that of all is a power.

At sensitivity d and scale b the loss of one release is `(d - 2 x)/b` for `x` in 0, ..., d: the integers left of both
centres, one between them, those right of both. The masses of the sum are the coefficients of a polynomial's power, in
balls; nothing is left out.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.likeliest import Beside
from proofs_numeric.standard import inversion, lattice
from proofs_numeric.standard.discrete_gaussian_composition import FEW
from proofs_numeric.standard.parameters import EPSILON, FAR, SCALE, own
from proofs_numeric.statements.box import Parameter, points
from proofs_numeric.statements.kinds import DeltaBound


def profile(_ball: Ball, *, scale: Any, sensitivity: int, k: int) -> Callable[[Any], Any]:
    """Delta of `k` independent releases, each moved by `sensitivity`, as a function of epsilon."""
    ratio = (-1 / scale).exp()
    masses = [flint.arb(1), *((1 - ratio) * ratio**x for x in range(1, sensitivity)), ratio**sensitivity]
    law = flint.arb_poly([mass / (1 + ratio) for mass in masses]) ** k
    return lattice.profile(k * sensitivity / scale, 2 / scale, law.coeffs(), flint.arb(0))


def composed(A: Arithmetic, *, epsilon: Number, scale: Number, sensitivity: int, k: int) -> Any:
    """Delta at one epsilon; 0 from the largest loss on, which exact parameters may equal."""
    if A.number(epsilon * scale - k * sensitivity) >= 0:
        return A.number(0)

    def enclosed(_bits: int, *, epsilon: Any, scale: Any) -> Any:
        return profile(Ball(flint.ctx.prec), scale=scale, sensitivity=sensitivity, k=k)(epsilon)

    return inversion.in_balls(A, enclosed, epsilon=epsilon, scale=scale)


def _by_answers(A: Arithmetic, *, epsilon: Number, scale: Number, sensitivity: int, k: int) -> Number:
    """Every sequence of answers that has a mass, under both data sets; the last answers by their likelihood ratio."""
    width, factor = A.number(scale), A.exp(A.number(epsilon))
    reach = math.ceil(FAR * float(width))
    weights = {x: A.exp(-abs(x) / width) for x in range(-reach - sensitivity, reach + sensitivity + 1)}
    whole = A.sum(weights.values()) ** k
    last = Beside((weights[x], weights[x - sensitivity]) for x in range(-reach, reach + sensitivity + 1))
    excess = A.number(0)
    for answers in itertools.product(range(-reach, reach + sensitivity + 1), repeat=k - 1):
        p, q = A.number(1), factor
        for x in answers:
            p, q = p * weights[x], q * weights[x - sensitivity]
        excess += last.stick(p, q)
    return excess / whole


MANY = Parameter("k", "number of releases", "releases", 1, 1000, integer=True, log=True, default=1)

CLAIMS = (
    own(
        "discrete_laplace.composition", "discrete Laplace mechanism, k releases",
        "Exact delta of k releases with discrete Laplace noise",
        r"\sum_s P[S = s] (1 - e^{\varepsilon - (kd - 2s)/b})_+, \; S = X_1 + \dots + X_k",
        DeltaBound(
            composed, _by_answers,
            points("epsilon scale sensitivity k", ("0.3", "1.5", 4, 1), (1, "0.5", 3, 2), (3, 2, 2, 2)),
        ),
        domain=(EPSILON, SCALE, FEW, MANY), points=points("epsilon scale sensitivity k", (2, 20, 2, 100)),
        falls=("epsilon",), rises=("sensitivity", "k"), counts="k",
        note="A power of a polynomial in balls, and exact: the losses of integers lie on a lattice.", cost=20,
    ),
)  # fmt: skip
