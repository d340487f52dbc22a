r"""Many picks of bounded range beside one Gaussian pair: ``V_n(epsilon) <= f(mu_n, epsilon)``, up to 1e-30.

`bounded_range` has the profile ``V_n`` of n picks of which each may follow those before. It is symmetric,
``V_n(-epsilon) = 1 - e^-epsilon + e^-epsilon V_n(epsilon)``, as f is: levels from 0 on count. In ``y = e^epsilon`` a
bound on V is its chords ``a - b y`` between levels, and f is above a chord wherever ``Phi^-1(a) - Phi^-1(b) <= mu``.

So n picks that follow one another are no worse than a Gaussian pair at mu_n, whatever comes after them (Blackwell).
Gaussian pairs between picks of one range, of squares with a total fixed in advance, may be taken to be seen before all
picks, as who knows more chooses better: the picks then follow one another. They are taken in pools of 16, whose squares
add.

One pick takes ``1.254 s/2`` (`range_gaussian`), ten take ``1.037 sqrt(10) s/2``; as many as one likes not less than
``sqrt(n) s/2``, the deviation of the loss.
"""

import functools
import math
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.bounded_range import bounds_on_picks, finer, picks_by_search, stream_attained
from proofs_numeric.rogers2024.neighbours import PAY_WHAT_YOU_GET
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.range_gaussian import pick_mu
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import points
from proofs_numeric.statements.classical import BLACKWELL, DATA_PROCESSING
from proofs_numeric.wilkins2024.composition.adaptive import named_or_gaussian
from proofs_numeric.wilkins2024.composition.budgets import filter_bound

CELLS = 8
"""Cells of the grid in one range: mu is a part in 250 above that of twice as many."""
POOL = 16
"""Picks of one pool."""
LEFT_OUT = 1e-30
"""What a pool's chords leave out of V."""


@functools.lru_cache(maxsize=256)
def _levels_that_count(n: int, beta: float) -> int:
    """How many levels until doubles find ten times less than is left out."""
    bounds = bounds_on_picks(
        Float64(), epsilon=np.float64(0), k=n, beta=np.float64(beta), cells=CELLS, levels=n * CELLS
    )
    return int(np.argmax(np.append(bounds, 0.0) < LEFT_OUT / 10))


def pool_mu(A: Arithmetic, *, n: int, beta: Number) -> Any:
    """``mu_n``, at which f is above every chord of the bound on ``V_n/(1 - 1e-30)``; n at most 16."""
    levels = _levels_that_count(n, float(A.number(beta)))
    values = bounds_on_picks(A, epsilon=A.number(0), k=n, beta=beta, cells=CELLS, levels=levels)
    with finer(A, k=n, beta=beta) as fine:
        y = [fine.exp(i / (CELLS * fine.number(beta))) for i in range(levels + 1)]
        v = [value / (1 - fine.number(str(LEFT_OUT))) for value in values] + [fine.number(0)]
        falls = [(v[i] - v[i + 1]) / (y[i + 1] - y[i]) for i in range(levels)]
        apart = (
            normal_quantile_complement(fine, b) - normal_quantile_complement(fine, v[i] + b * y[i])
            for i, b in enumerate(falls)
        )
        return fine.minimum(fine.maximum(*apart), fine.sqrt(fine.number(n)) * pick_mu(fine, beta=beta))


def pooled_square(A: Arithmetic, *, n: int, beta: Number) -> Any:
    """Square of a Gaussian pair that n picks of range ``1/beta`` are no worse than, in pools of 16."""
    pools, rest = divmod(n, POOL)
    square = pools * pool_mu(A, n=POOL, beta=beta) ** 2 if pools else A.number(0)
    return square + pool_mu(A, n=rest, beta=beta) ** 2 if rest else square


pooled_loss = minimum(l_star, k_star) * log1p(delta) + floor(-k_star / POOL) * log1p(-lift(str(LEFT_OUT)))
"""Loss of at most ``k_star`` picks in ``l_star`` queries, at odds ``delta`` of new items in each."""
pool_bound = filter_bound(loss=pooled_loss, mu=sqrt(algorithm(pooled_square)(n=k_star)))
"""``1 - e^-Lam + e^-Lam f(M, epsilon)`` at the loss and square of the stream."""


def by_search(A: Arithmetic, *, epsilon: Number, l_star: int, k_star: int, beta: Number, delta: Number) -> Any:
    """V chord by chord, each sought; quantiles of the standard library; the Gaussian loss integrated. To 16 picks."""
    step = 1 / (CELLS * float(beta))
    v = [*map(float, picks_by_search(0.0, k_star, float(beta), CELLS, CELLS * k_star)), 0.0]
    normal, apart = NormalDist(), []
    for i in range(CELLS * k_star):
        if v[i] < LEFT_OUT:
            break
        start, end = math.exp(i * step), math.exp((i + 1) * step)
        slope = (v[i] - v[i + 1]) / (end - start)
        apart.append(normal.inv_cdf(v[i] + slope * start) - normal.inv_cdf(slope))
    silent = 1 / (1 + A.number(delta)) ** min(l_star, k_star)
    return named_or_gaussian(A, epsilon=epsilon, silent=silent, mu=A.number(Fraction(max(apart))))


_NAMES = "epsilon l_star k_star beta delta"

CLAIMS = (
    own(
        "range.pool", "Theorem 10, by bounded range",
        "Lists of Algorithms 3 and 4 within the budgets of a ledger of Gaussian releases, their picks pooled",
        r"\delta(\varepsilon) \le 1 - c + c f(M, \varepsilon),\ c = (1+\delta)^{-\min(\ell^*, k^*)},\ M^2 = \lfloor "
        r"k^*/16\rfloor\mu_{16}^2 + \mu_{k^* \bmod 16}^2,\ V_n \le f(\mu_n, \cdot)",
        DeltaBound(
            pool_bound, exact=stream_attained, oracle=by_search,
            oracle_points=points(
                _NAMES, ("1/5", 2, 2, "3", "1e-2"), ("1", 1, 5, "4", "1e-6"), ("0", 5, 3, "1", "1e-3"),
            ),
            proof=derived(
                Premise("rogers2024.range.gumbel", "the profile of a list's picks, V_k, is of picks seen one by one"),
                Premise("rogers2024.thm10.kstar", "at most k* picks, each list has one at least"),
                Premise("rogers2024.range.gaussian", "one pick beside one Gaussian pair"),
                Premise(
                    "thresholds.gaussian.integer.pair.event",
                    "f is above a chord a - b y where Phi^-1(a) - Phi^-1(b) <= mu: the half-line of probability b",
                ),
                Premise(
                    "wilkins2024.obs2.1",
                    "levels below zero follow for f, and for V as picks of a range in the other order are picks of it",
                ),
                Trusted(
                    BLACKWELL,
                    "picks that follow one another, a pool of them, have the profile V at most: they are a "
                    "post-processing of the pair that is named or Gaussian, whose profile is above V at every level",
                ),
                Trusted(
                    DATA_PROCESSING,
                    "Gaussian pairs between picks, of squares with a total fixed in advance, are pieces of one path of "
                    "independent increments: all is a function of the path and of picks chosen by who knows all of it",
                ),
                Premise("wilkins2024.composition.filter", "lists and other releases between them"),
            ),
        ),
        domain=(
            LEVEL, replace(ELL_STAR, upper=1000), replace(K_STAR, upper=100), replace(BETA, lower=1, upper=1000), DELTA,
        ),
        role=Role.UPPER, falls=("epsilon", "beta"), rises=("l_star", "k_star", "delta"),
        moves=dict.fromkeys(
            ("epsilon", "l_star", "delta"), moves.by_profiles("1 - c + c f falls with c, and c with l* and delta")
        )
        | dict.fromkeys(
            ("beta", "k_star"),
            moves.by_profiles(
                "picks of less range, or fewer, are some of those of more, and so is the least Gaussian pair "
                "above them; what cells add to it was searched alone"
            ),
        ),
        privacy=PAY_WHAT_YOU_GET, points=points(_NAMES, ("0.7", 10, 10, "10", "1e-6"), ("2", 1, 18, "2", "1e-3")),
        loose="by what f is above V_k: ten picks take 3.7 % more than the deviation of their loss; one list is a "
        "stream of one query",
        note="Pick by pick (rogers2024.range.gaussian) they take 25 % more.", cost=800,
        quoted=(
            Quoted(
                "two lists with twenty labels in all, by what a ledger charges for them",
                *points(_NAMES, ("0.7", 2, 20, 15, "1e-8")),
            ),
        ),
    ),
)  # fmt: skip
