"""Lemma 8: quantiles by interactive search."""

from __future__ import annotations

from dataclasses import replace

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_7.composition import BASIC
from proofs_numeric.bharadwaj2022.lemma_9 import N
from proofs_numeric.bharadwaj2022.parameters import P_S, own, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Inequality

N_SMALL = replace(N, lower=400, upper=20_000)
SHARE = Parameter("share", "fraction of clients below the split", lower=0, upper=1)


def split_error(A: Arithmetic, *, n: int, p_s: Number, share: Number) -> Number:
    """``P[|B - E B| > 3 sqrt(m)]`` for the sampled count B of the clients below a split, m = n p."""
    below = floor_of(A, n * A.number(share) + A.number("1/3"))
    mean, reach = below * A.number(p_s), 3 * A.sqrt(n * A.number(p_s))
    high = floor_of(A, mean + reach) + 1
    low = -floor_of(A, reach - mean) - 1
    return cells.upper_tail(A, below, p_s, high) + cells.lower_tail(A, below, p_s, low)


def bernstein(A: Arithmetic, *, n: int, p_s: Number, share: Number) -> Number:
    """``2 exp(-(9/2)/(1 + 1/sqrt(m)))``: Bernstein at 3 sqrt(m) with variance at most m."""
    del share
    return 2 * A.exp(-A.number("9/2") / (1 + 1 / A.sqrt(n * A.number(p_s))))


CLAIMS = (
    stated(
        "lem8.stmt",
        "Lemma 8",
        "One split's rank is off by more than 3/sqrt(m) with probability below Bernstein's bound",
        r"f\pm2^{-h}\text{ is a }\phi\pm O(m^{-1/2})\text{ quantile}",
        Inequality(split_error, bernstein),
        domain=Box((N_SMALL, P_S, SHARE)),
        partial="one split's count by one sample; the search of h adaptive splits and its privacy are left out "
        "(the delta of h fresh samples is bharadwaj2022.lem8.rate)",
        note="For constant tau (tau <= sqrt m) and phi < 1 - tau/m, which the statement omits; the union over h steps "
        "adds sqrt(log h).",
    ),
    own(
        "lem8.rate",
        "Lemma 8",
        "L steps of the search at total epsilon: L times the exact delta of a step at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)",
        assumptions=("a fresh independent sample at each step",),
        privacy=neighbours.SPLIT,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one of a step's two buckets.",
        **BASIC,
    ),
)
