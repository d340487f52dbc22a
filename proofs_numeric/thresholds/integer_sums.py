r"""Whole sums beside whole counts, both with discrete Gaussian noise: the exact privacy profile of their release.

A released key takes a sum along, to which a user adds at most C in either direction, with noise of its own. With n keys
that move by m, and their sums by C, the sums' loss ``(2 C u - n C^2)/(2 sigma_s^2)`` depends on the total u alone, so

    H_n(epsilon) = sum over u of  W_n(u - n C) H_n^counts(epsilon - (2 C u - n C^2)/(2 sigma_s^2)),

W_n the n-fold law of the sums' noise. The worst pairs are those of `integer_profile`: a new key's sum is shown with the
key only, which tells all there is.
"""

import functools
import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.discrete_gaussian import moved_profile, sum_masses, sum_tails
from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.likeliest import Beside
from proofs_numeric.arithmetic.special import in_balls
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.classical import BLACKWELL
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.thresholds.integer import gaussian_weight, passing
from proofs_numeric.thresholds.integer_profile import KEYS, MOVES, largest_beside_new_keys
from proofs_numeric.thresholds.parameters import *


@functools.singledispatch
def moved_with_sums(
    A: Arithmetic, epsilon: Number, *, n: int, sigma_s: Number, per_sum: int, totals: Any = None, **counts: Any
) -> Any:
    """Exact hockey stick ``H_n`` of n noisy counts that move by ``per_key``, each with a sum that moves by ``per_sum``.

    ``totals``: what `sum_masses` returns, where it is known; ``counts``: what else `moved_profile` takes.  Any real
    epsilon.
    """
    epsilon, sigma_s = A.number(epsilon), A.number(sigma_s)
    counts = {**counts, "tail": counts.get("tail") or sum_tails(A, A.number(counts["sigma"]), n)[n]}
    every, outside = totals or sum_masses(A, sigma_s, n)
    masses = every[n]
    # The sums that the table leaves out have at most their mass.
    total, reach = A.between(A.number(0), n * outside), len(masses) // 2
    for v, mass in enumerate(masses, start=-reach):
        loss = (2 * per_sum * v + n * per_sum**2) / (2 * sigma_s * sigma_s)
        total += mass * moved_profile(A, epsilon - loss, n=n, **counts)
    return total


@moved_with_sums.register
def _(A: Float64, epsilon: Any, *, n: int, sigma_s: Number, per_sum: int, totals: Any = None, **counts: Any) -> Any:
    every, _outside = totals or sum_masses(A, sigma_s, n)
    masses, c, sigma_s = every[n], A.number(per_sum), A.number(sigma_s)
    v = np.arange(len(masses)) - len(masses) // 2
    with np.errstate(over="ignore", divide="ignore"):
        losses = (2 * v + n * c) * c / 2 / sigma_s / sigma_s
    return masses @ moved_profile(A, epsilon - losses, n=n, **counts)


def _of_tables(
    A: Arithmetic, *, sigma: Number, threshold: int, c_u: int, sigma_s: Number, **moves: int
) -> dict[str, Any]:
    """What `beside_new_keys` takes, from the laws of the sums of noises."""
    one: dict[str, Any] = {"sigma": A.number(sigma), "sigma_s": A.number(sigma_s), **moves}
    tails, totals = sum_tails(A, one["sigma"], c_u), sum_masses(A, one["sigma_s"], c_u)

    def moved(n: int, level: Any) -> Any:
        return moved_with_sums(A, level, n=n, **one, tail=tails[n], totals=totals)

    return {"rate": -A.log1p(-tails[1](threshold - moves["per_key"])), "c_u": c_u, "moved": moved}


@functools.singledispatch
def exact_with_sums(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Any:
    """Exact delta, the largest over the number of new keys and both orders; ``epsilon >= 0``."""
    return largest_beside_new_keys(A, A.number(epsilon), **_of_tables(A, **parameters))


@exact_with_sums.register
def _(A: MpReal, **parameters: Any) -> Any:
    return in_balls(A, exact_with_sums, **parameters)


def by_outputs(
    A: Arithmetic, *, epsilon: Number, threshold: int, c_u: int, per_key: int, per_sum: int, **noises: Number
) -> Any:
    """Both orders of every pair, summed over every joint output of the keys and of their sums."""
    level, widths = A.exp(A.number(epsilon)), (A.number(noises["sigma"]), A.number(noises["sigma_s"]))
    counts, sums = (lattice(A, functools.partial(gaussian_weight, A, scale=s), int(16 * float(s)) + 1) for s in widths)
    tail = sum(w for x, w in counts.items() if per_key + x >= threshold)
    both = [
        (counts.get(x - per_key, 0) * sums.get(u - per_sum, 0), counts.get(x, 0) * sums.get(u, 0))
        for x in range(min(counts), max(counts) + per_key + 1)
        for u in range(min(sums), max(sums) + per_sum + 1)
    ]
    moved, back = Beside(both), Beside((without, with_user) for with_user, without in both)
    best = 1 - (1 - tail) ** c_u
    for a in range(c_u):
        suppressed, values = (1 - tail) ** a, [A.number(0), A.number(0)]
        for outputs in itertools.product(both, repeat=c_u - a - 1):
            p, q = suppressed, A.number(1)
            for with_user, without in outputs:
                p, q = p * with_user, q * without
            values = [values[0] + moved.stick(p, level * q), values[1] + back.stick(q, level * p)]
        best = max(best, 1 - suppressed + values[0], values[1])
    return best


x, y, c, s, sigma_s, per_sum = symbols("x y c s sigma_s per_sum")


def _counts(epsilon: int, threshold: int, c_u: int) -> dict[str, Value]:
    return {"epsilon": epsilon, "threshold": threshold, "c_u": c_u, "per_key": 1}


_by_rho = algorithm(approximate_delta_upper)(
    rho=c_u * ((per_key / sigma) ** 2 + (per_sum / sigma_s) ** 2) / 2,
    delta=1 - (1 - passing(sigma, threshold - per_key)) ** c_u,
)
"""What is used for such releases: rho of counts and sums added up, converted, and the delta of new keys."""

_NAMES = "epsilon sigma threshold c_u per_key sigma_s per_sum"
_THREE, FORGOTTEN = points(_NAMES, ("1", "5", 30, 3, 1, "20", 1), ("1", "2", 12, 2, 1, "4", 2))
"""The second: the sums more than double the counts' delta."""

CLAIMS = (
    own(
        "gaussian.integer.sums", "integer thresholds",
        "Exact delta of the integer histogram with whole sums beside the counts, discrete Gaussian noise on both",
        r"\delta(\varepsilon) = \max_a \max\{1 - e^{-aL} + e^{-aL} H_{C_u-a}(\varepsilon + aL),\ "
        r"H_{C_u-a}(\varepsilon - aL)\},\ H_n(\varepsilon) = \sum_u W_n(u - nC)H^{\mathrm{counts}}_n(\varepsilon - "
        r"\tfrac{2Cu - nC^2}{2\sigma_s^2})",
        DeltaBound(
            exact_with_sums, by_outputs,
            points(
                _NAMES, ("1", "2", 9, 1, 2, "3", 2), ("4", "1", 3, 1, 1, "1/2", 1), ("1", "2/5", 2, 2, 1, "2/5", 1),
            ),
            proof=derived(
                Premise("thresholds.gaussian.integer.profile", "the pairs: a new keys beside C_u - a that move"),
                Trusted(
                    BLACKWELL,
                    "a sum that moves by less than C, either way, is a post-processing of one that moves by C: "
                    "its noise is log-concave and symmetric",
                ),
                SymbolicIdentity(
                    "the loss of the sums depends on their total alone (two sums; more add up)",
                    (x * x - (x - c) ** 2 + y * y - (y - c) ** 2) / (2 * s * s),
                    (2 * c * (x + y) - 2 * c * c) / (2 * s * s), ("x", "y", "c", "s"), ("s",),
                ),
                Unchecked(
                    "independent noise of the sums",
                    "the sums' noise is independent: given their total the counts are met at the rest of epsilon",
                ),
            ),
        ),
        domain=above_move(
            EPSILON, replace(SIGMA, lower="0.2", upper=8), INTEGER_THRESHOLD, replace(C_U, upper=4, log=False),
            replace(PER_KEY, upper=20),
            replace(
                SIGMA, name="sigma_s", description="parameter of the sums' noise", unit="units of the sums",
                lower="0.2", upper=20,
            ),
            Parameter("per_sum", "most that a user adds to a sum, C", "units of the sums", 1, 20, integer=True),
        ),
        assumptions=("counts unbounded and at least C_u keys",), falls=("epsilon", "threshold"),
        rises=("c_u", "per_key", "per_sum"), moves={**MOVES, "per_sum": MOVES["per_key"]},
        turns=(
            Turn("sigma", _counts(1, 8, 4) | {"sigma_s": 20, "per_sum": 1}, (1, 2, 8)),
            Turn("sigma_s", _counts(3, 40, 1) | {"sigma": 2, "per_sum": 1}, ("1/4", "9/20", "11/20")),
        ),
        privacy=KEYS, points=(_THREE, FORGOTTEN),
        note="Theorem 5.4's aggregates, on integers. More noise on the sums can tell more: at epsilon = 3 one key's "
        "delta rises from 0.113 to 0.120 between sigma_s = 0.45 and 0.55.",
        cost=150, quoted=(Quoted("three keys a user, each with a whole sum, integer noise, once", _THREE),),
    ),
    own(
        "gaussian.integer.sums.gain", "integer thresholds",
        "Adding up rho and the new keys' delta costs a factor 3.2 at three keys with sums, once",
        r"3.2\,\delta < \delta_\infty + (1 - \delta_\infty)\,\delta_{\mathrm{CDP}}(\rho, 1),\ \rho = C_u(m^2/\sigma^2 "
        r"+ C^2/\sigma_s^2)/2",
        Inequality(
            lambda A: A.number("3.2")
            * exact_with_sums(A, **{n: A.number(x) if isinstance(x, str) else x for n, x in _THREE.items()}),
            _by_rho(**_THREE), Relation.LESS,
        ),
        quantity=QuantityKind.RATIO,
        note="epsilon = 1, sigma = 5, T = 30, sums that move by one under noise of sigma_s = 20: 4.4e-4, not 1.4e-3.",
    ),
)  # fmt: skip
