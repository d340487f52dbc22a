"""Section 3.3: what is omitted (Lemma 5), relative error (Lemma 6), and the remark on other models."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import ALPHA, EPSILON, P_S, TAU, own, refuted, stated, uncheckable
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Identity, Inequality, Quantity, Relation
from proofs_numeric.statements.proof import Proof, SymbolicIdentity

W = Parameter("W", "clients that hold the item", unit="clients", lower=1, upper=10_000, integer=True, log=True)
GAMMA = Parameter("gamma", "relative error", lower=0, upper=1, open_lower=True, open_upper=True)
PHI = Parameter("phi", "relative frequency of the item", lower=0, upper=1, open_lower=True)
M = Parameter("m", "expected sample size", unit="clients", lower=1, upper=10**9, integer=True, log=True)
N = Parameter("n", "clients", unit="clients", lower=10_000, upper=10**8, integer=True, log=True)
BETA = Parameter("beta", "failure probability", lower=0, upper=1, open_lower=True)
_UPPER: dict[str, Any] = {"quantity": QuantityKind.PROBABILITY, "role": Role.UPPER}
_TAU = replace(TAU, upper=100)


def omission_bound(A: Arithmetic, *, W: int, p_s: Any, tau: int) -> Any:
    """``exp(-(w - tau)^2/(2 w))``, w = W p_s (Lemma 5)."""
    w = W * p_s
    return A.exp(-(w - tau) * (w - tau) / (2 * w))


def omission(A: Arithmetic, *, W: int, p_s: Any, tau: int) -> Any:
    """Exact probability that the item is not shown, ``P[Bin(W, p_s) < tau]``."""
    return cells.lower_tail(A, W, p_s, tau - 1)


def omission_bound_as_printed(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Any:
    """``exp(-(W m/n - tau)^2 n/(2 W m))``."""
    mean = A.number(W) * m / n
    return A.exp(-(mean - tau) * (mean - tau) * n / (2 * A.number(W) * m))


def _in_terms_of_w(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Any:
    return omission_bound(A, W=W, p_s=A.number(m) / n, tau=tau)


def omission_with_replacement(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Any:
    """``P[Bin(m, W/n) <= tau]``: the footnote's sampling with replacement."""
    return cells.lower_tail(A, m, A.number(W) / n, tau)


def _mean_above_tau(*, W: Any, p_s: Any, tau: Any) -> bool:
    return bool(W * p_s > tau)


def _footnote(*, W: Any, m: Any, n: Any, tau: Any) -> bool:
    return bool(n >= W and m <= n and W * m > tau * n)


def outside(A: Arithmetic, *, gamma: Any, W: int, p_s: Any, tau: int) -> Any:
    """Exact probability that the estimate is off by more than gamma, relatively; an item not shown is."""
    mean = W * p_s
    low = max(tau, -cells.floor_of(A, -(1 - gamma) * mean))
    high = cells.floor_of(A, (1 + gamma) * mean) + 1
    return cells.lower_tail(A, W, p_s, low - 1) + cells.upper_tail(A, W, p_s, high)


def two_sided(A: Arithmetic, *, gamma: Any, W: int, p_s: Any, tau: int) -> Any:
    """``2 exp(-gamma^2 mu/3)``, mu = W p_s."""
    del tau
    return 2 * A.exp(-gamma * gamma * W * p_s / 3)


def two_sided_as_printed(A: Arithmetic, *, gamma: Any, W: int, p_s: Any, tau: int) -> Any:
    """``2 exp(-gamma^2 mu)``: the printed exponent with the constant of the proof."""
    del tau
    return 2 * A.exp(-gamma * gamma * W * p_s)


def failure_bound(A: Arithmetic, *, gamma: Any, phi: Any, m: int) -> Any:
    """``2 exp(-gamma^2 phi m/3)``."""
    return 2 * A.exp(-gamma * gamma * phi * m / 3)


def _failure_from_mean(A: Arithmetic, *, gamma: Any, phi: Any, m: int) -> Any:
    return two_sided(A, gamma=gamma, W=m, p_s=phi, tau=1)


def _estimable(*, gamma: Any, W: Any, p_s: Any, tau: Any) -> bool:
    return bool((1 - gamma) * W * p_s >= tau)


def mean_needed(A: Arithmetic, *, gamma: Any, beta: Any) -> Any:
    """``(3/gamma^2) ln(2/beta)``."""
    return 3 / (gamma * gamma) * A.log(2 / beta)


def mean_as_printed(A: Arithmetic, *, gamma: Any, beta: Any) -> Any:
    """``(3/gamma^2) ln(1/(2 beta))``."""
    return 3 / (gamma * gamma) * A.log(1 / (2 * beta))


def _failure_at(A: Arithmetic, *, gamma: Any, beta: Any) -> Any:
    return 2 * A.exp(-gamma * gamma * mean_needed(A, gamma=gamma, beta=beta) / 3)


def amplified(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """Population epsilon of an epsilon-DP mechanism on the Poisson sample: ``ln(1 + p (e^epsilon - 1))``."""
    return A.log1p(cells.sampling_rate(A, epsilon=epsilon, alpha=alpha) * A.expm1(epsilon))


def base_epsilon(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    """``ln(1 + e^epsilon/alpha)``: the sample's epsilon that amplifies to epsilon at p = alpha (1 - e^-epsilon)."""
    return A.log1p(A.exp(epsilon) / alpha)


def _amplified_base(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    base = A.exp(base_epsilon(A, epsilon=epsilon, alpha=alpha)) - 1
    return A.log1p(cells.sampling_rate(A, epsilon=epsilon, alpha=alpha) * base)


def _amplified_factor(A: Arithmetic, *, epsilon: Any, alpha: Any) -> Any:
    return 1 + alpha * (1 - A.exp(-epsilon)) * A.exp(epsilon) / alpha


_LEMMA_5 = Box((W, P_S, _TAU))
_LEMMA_6 = Box((GAMMA, W, P_S, _TAU))


def _thresholds_it_holds_for(*, gamma: Fraction, phi: Fraction, m: int) -> str:
    """Lemma 6 needs a lower end of the interval that is still shown."""
    most = math.floor((1 - gamma) * phi * m)
    needed = "(1 - gamma) phi m >= tau is needed"
    return f"holds for tau <= {most}: {needed}" if most else f"holds for no tau >= 1: {needed}"


CLAIMS = (
    refuted(
        "lem5.stmt",
        "Lemma 5",
        "An item of count W is omitted with probability at most exp(-(w - tau)^2/(2w))",
        r"\exp(-(\tfrac{Wm}n-\tau)^2\tfrac{n}{2Wm})",
        Inequality(omission, omission_bound),
        by="lem5.stmt.corrected",
        domain=_LEMMA_5,
        evaluates=omission_bound,
        note="E8: needs w > tau; at W = 1, p = 0.1, tau = 20 the bound is e^-1980 and the truth 1.",
        **_UPPER,
    ),
    own(
        "lem5.stmt.corrected",
        "Lemma 5",
        "The bound holds for w > tau",
        r"w=Wp_s>\tau",
        Inequality(omission, omission_bound),
        domain=Box((W, P_S, _TAU), _mean_above_tau, "W p_s > tau"),
        evaluates=omission_bound,
        **_UPPER,
    ),
    stated(
        "lem5.alg",
        "Lemma 5",
        "The two forms of the bound",
        r"(\tfrac{Wm}n-\tau)^2\tfrac n{2Wm}=\tfrac{(w-\tau)^2}{2w}",
        Identity(omission_bound_as_printed, _in_terms_of_w),
        domain=Box((W, replace(M, upper=10**4), N, _TAU)),
    ),
    stated(
        "lem5.foot",
        "Lemma 5, footnote",
        "The bound also covers Bin(m, W/n), sampling with replacement",
        r"\Pr[\mathrm{Bin}(m,W/n)\le\tau]\le\exp(-(w-\tau)^2/(2w))",
        Inequality(omission_with_replacement, omission_bound_as_printed),
        domain=Box((W, replace(M, upper=10**4), N, _TAU), _footnote, "W <= n, m <= n, W m > tau n"),
        note="Neither kind of sampling is the mechanism's: its X is Bin(W, m/n). Chernoff covers all three.",
    ),
    stated(
        "lem5.num",
        "Section 3.3",
        "exp(-32) < 1e-13 at w = 100, tau = 20",
        r"\exp(-32)<10^{-13}",
        Inequality(
            lambda A: omission_bound(A, W=1000, p_s=A.number("1/10"), tau=20),
            lambda A: A.number("1e-13"),
            Relation.LESS,
        ),
        loose="the exact probability is 1.08e-24",
    ),
    refuted(
        "lem6.stmt",
        "Lemma 6",
        "Within gamma relative error, except with probability 2 exp(-gamma^2 phi m)",
        r"\Pr[|X-\mu|>\gamma\mu]\le2\exp(-\gamma^2\phi m)",
        Inequality(outside, two_sided_as_printed),
        by="lem6.corrected.exact",
        domain=_LEMMA_6,
        note='E9: "except" is missing, the exponent lacks 1/3, and an item below tau is not shown. The constant is the '
        "proof's 2; no constant helps for p < 1/2.",
    ),
    own(
        "lem6.corrected",
        "Lemma 6",
        "Failure probability 2 exp(-gamma^2 phi m/3)",
        r"2\exp(-\gamma^2\phi m/3)",
        DeltaBound(
            failure_bound,
            oracle=_failure_from_mean,
            oracle_points=({"gamma": "1/2", "phi": "1/100", "m": 10_000},),
        ),
        domain=Box((GAMMA, PHI, M)),
        quantity=QuantityKind.PROBABILITY,
        note="For 0 < gamma < 1 and (1 - gamma) phi m >= tau; compared with the exact law in lem6.corrected.exact.",
        remark=_thresholds_it_holds_for,
    ),
    own(
        "lem6.corrected.exact",
        "Lemma 6",
        "The exact failure probability is at most 2 exp(-gamma^2 mu/3) when (1 - gamma) mu >= tau",
        r"\Pr[|X-\mu|>\gamma\mu\lor X<\tau]\le2\exp(-\gamma^2\mu/3)",
        Inequality(outside, two_sided),
        domain=Box((GAMMA, W, P_S, _TAU), _estimable, "(1 - gamma) W p_s >= tau"),
    ),
    refuted(
        "lem6.solve",
        "Lemma 6",
        "mu = (3/gamma^2) ln(1/(2 beta))",
        r"\mu=\tfrac3{\gamma^2}\ln\tfrac1{2\beta}",
        Identity(mean_needed, mean_as_printed),
        by="lem6.solve.corrected",
        domain=Box((GAMMA, BETA)),
        note="T4: 2 exp(-gamma^2 mu/3) = beta gives ln(2/beta); the printed form is too small by (3/gamma^2) ln 4.",
    ),
    own(
        "lem6.solve.corrected",
        "Lemma 6",
        "mu = (3/gamma^2) ln(2/beta)",
        r"2\exp(-\gamma^2\mu/3)=\beta",
        Identity(
            _failure_at,
            lambda _A, *, gamma, beta: beta,  # noqa: ARG005
            proof=Proof(
                (
                    SymbolicIdentity(
                        "failure at mu",
                        _failure_at,
                        lambda _A, *, gamma, beta: beta,  # noqa: ARG005
                        ("gamma", "beta"),
                        ("gamma", "beta"),
                    ),
                )
            ),
        ),
        domain=Box((GAMMA, BETA)),
    ),
    stated(
        "lem6.num",
        "Section 3.3",
        "mu = 300 at gamma = 1/sqrt(10), logarithm 10",
        r"\tfrac3{\gamma^2}\cdot10=300",
        Quantity(lambda A: 3 / A.number("1/10") * 10, "300"),
        note="The failure probability that this guarantees is 2e^-10 = 9.08e-5, four times the printed reading.",
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
    stated(
        "rem.rate",
        "Section 3.3, remark",
        "The rounding error tau/m is 1/(alpha C_alpha) ln(1/delta)/(epsilon n), constant 6.42",
        r"\tfrac{1}{\alpha C_\alpha}=6.42",
        Quantity(lambda A: 6 / cells.c_alpha(A, alpha=A.number("1/6")), "6.42"),
        note="The paper prints an O(); the constant is ours, at alpha = 1/6.",
    ),
    uncheckable(
        "rem.shuf",
        "Section 3.3, remark",
        "Error of the shuffle model on a cohort of m",
        r"O(\log(1/\delta)/(\epsilon^2m))",
        Editorial(
            "additional noise O(log(1/delta)/(epsilon^2 m))",
            "noise of standard deviation Theta(sqrt(log(1/delta))/(epsilon m))",
            "The quoted form is the worst case over cells, from another paper; exact noise: shuffle_bernoulli.",
        ),
    ),
    refuted(
        "rem.fair",
        "Section 3.3, remark",
        "Baselines at epsilon on the sampled cohort have the same epsilon on the population",
        r"\ln(1+p(e^\epsilon-1))=\epsilon",
        Identity(amplified, lambda _A, *, epsilon, alpha: epsilon),  # noqa: ARG005
        by="rem.fair.corrected",
        domain=Box((EPSILON, ALPHA)),
        note="E12: the baselines get no credit for amplification by sampling.",
    ),
    own(
        "rem.fair.corrected",
        "Section 3.3, remark",
        "At equal privacy a baseline may use ln(1 + e^epsilon/alpha) on the sample",
        r"\epsilon_0=\ln(1+e^\epsilon/\alpha)",
        Identity(
            _amplified_base,
            lambda _A, *, epsilon, alpha: epsilon,  # noqa: ARG005
            proof=Proof(
                (
                    SymbolicIdentity(
                        "1 + p (e^epsilon_0 - 1) = e^epsilon",
                        _amplified_factor,
                        lambda A, *, epsilon, alpha: A.exp(epsilon),  # noqa: ARG005
                        ("epsilon", "alpha"),
                        ("epsilon", "alpha"),
                    ),
                )
            ),
        ),
        domain=Box((EPSILON, ALPHA)),
        evaluates=base_epsilon,
        quantity=QuantityKind.EPSILON,
    ),
)
