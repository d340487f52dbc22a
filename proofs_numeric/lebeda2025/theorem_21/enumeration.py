"""Theorem 21: add-the-deltas for the discrete correlated mechanism with a threshold, and how loose it is.

The exact delta by enumeration, in balls.

A pair (l, j): l counters are new, j of the ``d = k - l`` shared ones change, all shared counts far above the threshold.
The densities of the shared outputs under both neighbours depend on them only through the sum of the changed outputs and
the sum of the others (own noises are equal discrete Gaussians: multiply out the square), so these two integers are
enumerated, with Z summed out.
"""

import functools
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import flint

from proofs_numeric.arithmetic import Exact
from proofs_numeric.lebeda2025.discrete import delta_infinite, noises, release_probability, zcdp_delta
from proofs_numeric.lebeda2025.lemma_19 import rho
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.concentrated import delta_upper

_new_counters = algorithm(delta_infinite)()
theorem_21_sharp = algorithm(delta_upper)(rho=rho) + _new_counters
"""Theorem 21 with the conversion of Canonne, Kamath and Steinke in place of Lemma 17's."""
theorem_21 = zcdp_delta(rho=rho) + _new_counters
"""``delta(rho, epsilon) + delta_inf``, Lemma 17's conversion and Lemma 20 at its best split."""

_ARITHMETIC = Ball(48)


class _Enumerated(NamedTuple):
    """Sums of changed outputs (rows) against sums of the others (columns), no new counter released."""

    larger: Any
    """Matrix of probabilities under H'."""
    smaller: Any
    released: Any
    """Probability under H' that a new counter is released."""
    left_out: Any
    """Between 0 and the probability, under either law, of what lies outside the matrices."""


_noises = functools.lru_cache(maxsize=16)(functools.partial(noises, _ARITHMETIC))


@functools.lru_cache(maxsize=64)
def _sums(k: int, sigma: Fraction, counters: int, shift: int) -> Any:
    """Matrix over (z, sum): probability that ``counters`` outputs ``shift + z + Z_i`` have this sum."""
    shared_law, own_law = _noises(k, sigma)
    masses, middle = (flint.arb_poly(own_law.masses) ** counters).coeffs(), counters * own_law.count
    reach = counters * (shared_law.count + own_law.count + 2)  # changes are 0 or 2
    return flint.arb_mat(
        [
            [
                masses[place] if 0 <= (place := middle + total - counters * (shift + z)) < len(masses) else 0
                for total in range(-reach, reach + 1)
            ]
            for z in shared_law.values
        ]
    )


def _joint(weights: list[Any], changed: Any, others: Any) -> Any:
    weighted = flint.arb_mat([[w * x for x in row] for w, row in zip(weights, changed.tolist(), strict=True)])
    return weighted.transpose() * others


@functools.lru_cache(maxsize=16)
def _smaller(k: int, sigma: Fraction, d: int, j: int) -> Any:
    return _joint(_noises(k, sigma)[0].masses, _sums(k, sigma, j, 0), _sums(k, sigma, d - j, 0))


@functools.lru_cache(maxsize=16)
def _enumerated(k: int, sigma: Fraction, gap: Fraction, l: int, j: int) -> _Enumerated:
    d, twice = k - l, math.floor(2 * gap)
    with _ARITHMETIC as A:
        shared_law, own_law = _noises(k, sigma)
        silent = [(1 - own_law.survival(twice - z + 1)) ** l for z in shared_law.values]
        hidden = [p * g for p, g in zip(shared_law.masses, silent, strict=True)]
        passes = A.sum(p * (1 - g) for p, g in zip(shared_law.masses, silent, strict=True))
        beyond = 2 * shared_law.survival(shared_law.count + 1)
        return _Enumerated(
            larger=_joint(hidden, _sums(k, sigma, j, 2), _sums(k, sigma, d - j, 0)),
            smaller=_smaller(k, sigma, d, j),
            released=passes + A.number(0).union(beyond),
            left_out=A.number(0).union(beyond + d * 2 * own_law.survival(own_law.count + 1)),
        )


@functools.lru_cache(maxsize=1024)
def exact_delta_by_enumeration(
    *, epsilon: Exact, k: int, sigma: Exact, gap: Exact, l: int, j: int, direction: str = "forward"
) -> Any:
    """Ball enclosure of the hockey stick of (l, j), shared counts far above the threshold."""
    law = _enumerated(k, Fraction(sigma), Fraction(gap), l, j)
    with _ARITHMETIC as A:
        factor = A.exp(A.number(epsilon))
        if direction == "forward":
            excess, rest = law.larger - law.smaller * factor, law.released + law.left_out
        else:
            excess, rest = law.smaller - law.larger * factor, law.left_out
        zero = flint.arb(0)
        return sum((x.max(zero) for x in excess.entries() if not x <= zero), rest)


_HAIR = Fraction(1, 10**10)
"""A threshold this far below a half integer drops one half integer less."""
Case = tuple[Fraction, int, int, Fraction, int, int, str]
"""epsilon, k, sigma, gap, l, j, direction."""


def cases(size: int) -> Iterator[Case]:
    """Every pair with k <= 3 at the first ``size`` sigmas, three thresholds and three levels, both directions."""
    pairs = [(k, l, j) for k in (1, 2, 3) for l in range(k + 1) for j in range(k - l + 1)]
    for sigma, (k, l, j) in itertools.product((1, 2, 4)[:size], pairs):
        gaps, levels = (Fraction(2), Fraction(7, 2) - _HAIR, Fraction(4 * sigma)), map(Fraction, ("3/10", "1", "3"))
        for gap, epsilon, direction in itertools.product(gaps, levels, ("forward", "reverse")):
            yield epsilon, k, sigma, gap, l, j, direction


@functools.lru_cache(maxsize=128)
def _bound(formula: Formula, epsilon: Fraction, k: int, sigma: int, gap: Fraction) -> Any:
    with Ball(64) as A:
        return formula(A, epsilon=epsilon, k=k, sigma=A.number(sigma), gap=A.number(gap))


def share(case: Case, formula: Formula = theorem_21) -> Any:
    """Ball enclosure of the exact delta as a share of Theorem 21's, with its conversion or the sharp one."""
    epsilon, k, sigma, gap, l, j, direction = case
    exact = exact_delta_by_enumeration(epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction=direction)
    with _ARITHMETIC:
        return exact / _bound(formula, epsilon, k, sigma, gap)


CLAIMS = (
    stated(
        "thm21", "Theorem 21", "the discrete correlated stability histogram",
        r"\delta(\rho, \epsilon) + 1 - \max_a P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        DeltaBound(
            theorem_21, exact=algorithm(release_probability)(),
            proof=derived(
                Premise("lebeda2025.thm11.proof", "the intermediate histogram of Theorem 11"),
                Premise("lebeda2025.lem20", "new counters"), Premise("lebeda2025.lem19", "shared counters"),
                Premise("lebeda2025.lem17", "from zCDP to (epsilon, delta)"),
            ),
        ),
        domain=(EPSILON, replace(K, upper=1000), SMALL_SIGMA, SMALL_GAP), role=Role.UPPER, privacy=DISCRETE,
        loose="Lemma 17's conversion and Lemma 20's split: the report enumerates how much of it k <= 3 can use", cost=3,
    ),
    own(
        "thm21.enumeration", "Theorem 21", "exact delta by enumeration stays below Theorem 21",
        r"\delta_{l,j} \le \delta(\rho, \epsilon) + \delta_\infty, k \le 3, every (l, j), both directions",
        FiniteStatement(cases, lambda case: bool(share(case) <= 1), sizes(1, 2, 3), "scales"),
    ),
    own(
        "thm21.enumeration.sharp", "Theorem 21",
        "exact delta by enumeration stays below Theorem 21 with the sharpest conversion from zCDP",
        r"\delta_{l,j} \le \inf_\alpha \frac{e^{(\alpha-1)(\alpha\rho-\epsilon)}}{\alpha}(1 - 1/\alpha)^{\alpha-1} + "
        r"\delta_\infty, k \le 3",
        FiniteStatement(cases, lambda case: bool(share(case, theorem_21_sharp) <= 1), sizes(1, 1, 3), "scales"),
        note="Theorem 21 leaves the conversion open; this is the one of Canonne, Kamath and Steinke",
    ),
)  # fmt: skip
