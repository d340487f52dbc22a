"""Many releases with noise on the integers: the losses lie on a lattice, so nothing is rounded.

Of discrete Gaussian noise the sum of the answers decides, and its law is a convolution in balls. The loss of one
release at `x` is `sensitivity (x + sensitivity/2)/sigma^2`, of `k` releases their sum. What is left out of the tables
is on top: masses that are kept are at most the true ones, and no outcome adds more than its mass to delta, so delta
exceeds the sum by at most the mass that was left out.

Of discrete Laplace noise the loss of one release, at sensitivity d and scale b, is `(d - 2 x)/b` for `x` in 0, ..., d:
the integers left of both centres, one between them, those right of both. The masses of the sum are the coefficients of
a polynomial's power, in balls; nothing is left out.
"""

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import flint

from proofs_numeric.arithmetic.finite_laws import image, joint, lattice
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.likeliest import Beside
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.parameters import *
from proofs_numeric.thresholds.integer import gaussian_weight


def lattice_profile(largest: Any, step: Any, masses: Iterable[Any], left_out: Any) -> Callable[[Any], Any]:
    """Return delta as a function of epsilon, any real ball, in the precision of the context.

    Args:
        largest: the largest loss.
        step: what each further one is less, > 0.
        masses: probability of each loss under the first law, from the largest on, at most the true one.
        left_out: what is missing in all of them: no outcome adds more than its mass to delta.

    """
    ball, near, far = Ball(flint.ctx.prec), [flint.arb(0)], [flint.arb(0)]
    ratio, odds = step.exp(), (-largest).exp()
    for mass in masses:
        near.append(near[-1] + mass)
        far.append(far[-1] + mass * odds)
        odds *= ratio
    more = left_out / 2 + left_out * flint.arb(0, 0.5)

    def delta(epsilon: Any) -> Any:
        factor = epsilon.exp()
        counts = {max(0, min(last + 1, len(near) - 1)) for last in floors(ball, (largest - epsilon) / step)}
        return ball.maximum(*(near[count] - factor * far[count] for count in counts)) + more

    return delta


def _sum_of(ball: Ball, sigma: Any, k: int) -> tuple[Any, int]:
    """Masses of the sum of `k` Gaussian draws, from `-reach` on, each at most the true one; and `reach`."""
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


def gaussian_delta(ball: Ball, *, sigma: Any, sensitivity: int, k: int) -> Callable[[Any], Any]:
    """Delta of `k` independent releases, each moved by `sensitivity`, as a function of epsilon."""
    masses, reach = _sum_of(ball, sigma, k)
    step = sensitivity / (sigma * sigma)
    largest = step * (len(masses) - 1 - reach + ball.number(k * sensitivity) / 2)
    left_out = ball.maximum(0, 1 - masses(ball.number(1)))
    return lattice_profile(largest, step, reversed(masses.coeffs()), left_out)


def gaussian_composed(A: Arithmetic, *, epsilon: Number, sigma: Number, sensitivity: int, k: int) -> Number:
    """Delta at one epsilon."""
    ball = Ball((A.bits if A.encloses else 128) + inversion.GUARD)
    with ball:
        spread, loss = (ball.number(x if A.encloses else as_fraction(x)) for x in map(A.number, (sigma, epsilon)))
        delta = gaussian_delta(ball, sigma=spread, sensitivity=sensitivity, k=k)(loss)
    return delta if A.encloses else A.number(as_fraction(delta))


def _by_sums(A: Arithmetic, *, epsilon: Number, sigma: Number, sensitivity: int, k: int) -> Any:
    """Every sequence of answers, one release more at a time; the definition at the end, outcome by outcome."""
    width, factor = A.number(sigma), A.exp(A.number(epsilon))
    law = lattice(A, lambda x: gaussian_weight(A, x, width), math.ceil(25 * float(width)) + 2)
    left, right = {0: A.number(1)}, {0: A.number(1)}
    for _release in range(k):
        left = image(joint((left, law)), lambda answers: sum(answers) + sensitivity)
        right = image(joint((right, law)), sum)
    return A.sum(max(A.number(0), p - factor * right.get(x, A.number(0))) for x, p in left.items())


def laplace_delta(_ball: Ball, *, scale: Any, sensitivity: int, k: int) -> Callable[[Any], Any]:
    """Delta of `k` independent releases, each moved by `sensitivity`, as a function of epsilon."""
    ratio = (-1 / scale).exp()
    masses = [flint.arb(1), *((1 - ratio) * ratio**x for x in range(1, sensitivity)), ratio**sensitivity]
    law = flint.arb_poly([mass / (1 + ratio) for mass in masses]) ** k
    return lattice_profile(k * sensitivity / scale, 2 / scale, law.coeffs(), flint.arb(0))


def laplace_composed(A: Arithmetic, *, epsilon: Number, scale: Number, sensitivity: int, k: int) -> Any:
    """Delta at one epsilon; 0 from the largest loss on, which exact parameters may equal."""
    if A.number(epsilon * scale - k * sensitivity) >= 0:
        return A.number(0)

    def enclosed(_bits: int, *, epsilon: Any, scale: Any) -> Any:
        return laplace_delta(Ball(flint.ctx.prec), scale=scale, sensitivity=sensitivity, k=k)(epsilon)

    return inversion.in_balls(A, enclosed, epsilon=epsilon, scale=scale)


def _by_answers(A: Arithmetic, *, epsilon: Number, scale: Number, sensitivity: int, k: int) -> Number:
    """Every sequence of answers that has a mass, under both data sets; the last answers by their likelihood ratio."""
    width, factor = A.number(scale), A.exp(A.number(epsilon))
    reach = math.ceil(FAR * float(width))
    law = lattice(A, lambda x: laplace_weight(A, x, width), reach + sensitivity)
    answers = range(-reach, reach + sensitivity + 1)
    last = Beside((law[x], law[x - sensitivity]) for x in answers)
    excess = A.number(0)
    for first in itertools.product(answers, repeat=k - 1):
        p, q = A.number(1), factor
        for x in first:
            p, q = p * law[x], q * law[x - sensitivity]
        excess += last.stick(p, q)
    return excess


_FEW = replace(SENSITIVITY, upper=10)
OF_GAUSSIAN = replace(NARROW, lower="0.3", upper=20), _FEW, replace(K, upper=10**4)
OF_LAPLACE = SCALE, _FEW, replace(K, upper=1000)
"""What the releases depend on beside epsilon."""

CLAIMS = (
    own(
        "discrete_gaussian.composition", "discrete Gaussian mechanism, k releases",
        "Exact delta of k releases with discrete Gaussian noise",
        r"\sum_s P[S = s] (1 - e^{\varepsilon - d(s + kd/2)/\sigma^2})_+, \; S = Z_1 + \dots + Z_k",
        DeltaBound(
            gaussian_composed, _by_sums, points("epsilon sigma sensitivity k", ("0.3", 1, 1, 1), (1, "1.5", 2, 3)),
        ),
        domain=(EPSILON, *OF_GAUSSIAN), points=points("epsilon sigma sensitivity k", (2, 20, 1, 100)),
        falls=("epsilon",), rises=("sensitivity", "k"), counts="k",
        note="A convolution in balls, and exact: the losses of integers lie on a lattice.", cost=100,
    ),
    own(
        "discrete_laplace.composition", "discrete Laplace mechanism, k releases",
        "Exact delta of k releases with discrete Laplace noise",
        r"\sum_s P[S = s] (1 - e^{\varepsilon - (kd - 2s)/b})_+, \; S = X_1 + \dots + X_k",
        DeltaBound(
            laplace_composed, _by_answers,
            points("epsilon scale sensitivity k", ("0.3", "1.5", 4, 1), (1, "0.5", 3, 2), (3, 2, 2, 2)),
        ),
        domain=(EPSILON, *OF_LAPLACE), points=points("epsilon scale sensitivity k", (2, 20, 2, 100)),
        falls=("epsilon",), rises=("sensitivity", "k"), counts="k",
        note="A power of a polynomial in balls, and exact: the losses of integers lie on a lattice.", cost=20,
    ),
)  # fmt: skip
