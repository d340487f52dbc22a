"""Lemma 6: relative error of a shown count."""

import math
from fractions import Fraction

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floor_of, larger_of
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_5 import TAU_100, M, W
from proofs_numeric.bharadwaj2022.parameters import P_S, own, refuted, uncheckable
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Identity, Inequality, Quantity
from proofs_numeric.statements.tactics import Symbolic

GAMMA = Parameter("gamma", "relative error", lower=0, upper=1, open_lower=True, open_upper=True)
PHI = Parameter("phi", "relative frequency of the item", lower=0, upper=1, open_lower=True)
BETA = Parameter("beta", "failure probability", lower=0, upper=1, open_lower=True)


def outside(A: Arithmetic, *, gamma: Number, W: int, p_s: Number, tau: int) -> Number:
    """Exact probability that the estimate is off by more than gamma, relatively; an item not shown is."""
    mean, gamma = W * A.number(p_s), A.number(gamma)
    low = larger_of(A, tau, -floor_of(A, -(1 - gamma) * mean))
    high = floor_of(A, (1 + gamma) * mean) + 1
    # Where no count is shown and close enough, the tails meet.
    return A.minimum(1, cells.lower_tail(A, W, p_s, low - 1) + cells.upper_tail(A, W, p_s, high))


def two_sided(A: Arithmetic, *, gamma: Number, W: int, p_s: Number, tau: int) -> Number:
    """``2 exp(-gamma^2 mu/3)``, mu = W p_s."""
    del tau
    return 2 * A.exp(-gamma * gamma * W * p_s / 3)


def two_sided_as_printed(A: Arithmetic, *, gamma: Number, W: int, p_s: Number, tau: int) -> Number:
    """``2 exp(-gamma^2 mu)``: the printed exponent with the constant of the proof."""
    del tau
    return 2 * A.exp(-gamma * gamma * W * p_s)


def _away(A: Arithmetic, *, gamma: Number, phi: Number, m: int) -> Number:
    """Exact probability that Bin(m, phi) is off by more than gamma, relatively, shown or not."""
    return outside(A, gamma=gamma, W=m, p_s=phi, tau=0)


def failure_bound(A: Arithmetic, *, gamma: Number, phi: Number, m: int) -> Number:
    """``2 exp(-gamma^2 phi m/3)``."""
    return 2 * A.exp(-gamma * gamma * phi * m / 3)


def _estimable(*, gamma: Number, W: Number, p_s: Number, tau: Number) -> bool:
    return bool((1 - gamma) * W * p_s >= tau)


def mean_needed(A: Arithmetic, *, gamma: Number, beta: Number) -> Number:
    """``(3/gamma^2) ln(2/beta)``."""
    return 3 / (gamma * gamma) * A.log(2 / beta)


def mean_as_printed(A: Arithmetic, *, gamma: Number, beta: Number) -> Number:
    """``(3/gamma^2) ln(1/(2 beta))``."""
    return 3 / (gamma * gamma) * A.log(1 / (2 * beta))


def _failure_at(A: Arithmetic, *, gamma: Number, beta: Number) -> Number:
    return 2 * A.exp(-gamma * gamma * mean_needed(A, gamma=gamma, beta=beta) / 3)


_LEMMA_6 = Box((GAMMA, W, P_S, TAU_100))


def _thresholds_it_holds_for(*, gamma: Fraction, phi: Fraction, m: int) -> str:
    """Lemma 6 needs a lower end of the interval that is still shown."""
    most = math.floor((1 - gamma) * phi * m)
    needed = "(1 - gamma) phi m >= tau is needed"
    return f"holds for tau <= {most}: {needed}" if most else f"holds for no tau >= 1: {needed}"


CLAIMS = (
    refuted(
        "lem6.stmt",
        "Lemma 6",
        "Within gamma relative error, except with probability 2 exp(-gamma^2 phi m)",
        r"\Pr[|X-\mu|>\gamma\mu\lor X<\tau]\le2\exp(-\gamma^2\phi m)",
        Inequality(outside, two_sided_as_printed),
        by="lem6.corrected.exact",
        domain=_LEMMA_6,
        points=({"gamma": "1/2", "W": 1001, "p_s": "1/10", "tau": 1},),
        note='"except" is missing, the exponent lacks 1/3, and an item below tau is not shown. The constant is the '
        "proof's 2; no constant helps for p < 1/2: lem6.outside against 2.7e-11 at gamma = 1/2, W = 1001, p = 1/10.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem6.corrected",
        "Lemma 6",
        "Failure probability 2 exp(-gamma^2 phi m/3)",
        r"2\exp(-\gamma^2\phi m/3)",
        DeltaBound(failure_bound, exact=_away),
        domain=Box((GAMMA, PHI, M)),
        quantity=QuantityKind.PROBABILITY,
        role=Role.UPPER,
        points=({"gamma": "1/2", "phi": "1/100", "m": 10_000}, {"gamma": "1/4", "phi": "1/3", "m": 1000}),
        note="For 0 < gamma < 1 and (1 - gamma) phi m >= tau; compared with the exact law in lem6.corrected.exact.",
        remark=_thresholds_it_holds_for,
    ),
    own(
        "lem6.corrected.exact",
        "Lemma 6",
        "The exact failure probability is at most 2 exp(-gamma^2 mu/3) when (1 - gamma) mu >= tau",
        r"\Pr[|X-\mu|>\gamma\mu\lor X<\tau]\le2\exp(-\gamma^2\mu/3)",
        Inequality(outside, two_sided),
        domain=Box((GAMMA, W, P_S, TAU_100), _estimable, "(1 - gamma) W p_s >= tau"),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem6.outside",
        "Lemma 6",
        "1001 clients, one in ten sampled: the count is off by half with probability 3.00268e-7",
        r"\Pr[|X-\mu|>\tfrac12\mu\lor X<1]=3.00268\cdot10^{-7}",
        Quantity(lambda A: outside(A, gamma=A.number("1/2"), W=1001, p_s=A.number("1/10"), tau=1), "3.00268e-7"),
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "lem6.solve",
        "Lemma 6",
        "mu = (3/gamma^2) ln(1/(2 beta))",
        r"\mu=\tfrac3{\gamma^2}\ln\tfrac1{2\beta}",
        Identity(mean_needed, mean_as_printed),
        by="lem6.solve.corrected",
        domain=Box((GAMMA, BETA)),
        note="2 exp(-gamma^2 mu/3) = beta gives ln(2/beta); the printed form is too small by (3/gamma^2) ln 4.",
    ),
    own(
        "lem6.solve.corrected",
        "Lemma 6",
        "mu = (3/gamma^2) ln(2/beta)",
        r"2\exp(-\gamma^2\mu/3)=\beta",
        Identity(_failure_at, lambda _A, *, gamma, beta: beta, proof=Symbolic()),
        domain=Box((GAMMA, BETA)),
    ),
    uncheckable(
        "lem6.norm",
        "Section 3.3",
        "The relative frequency of an item in the histogram",
        r"v/\textstyle\sum v",
        Editorial(
            "the (relative) frequency of any item in the histogram",
            "divide by m, or by the total that is released",
            "Dividing by the sample's size before thresholding leaks delta = p: fault sample_and_threshold_true_size.",
        ),
    ),
)
