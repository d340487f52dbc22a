"""The uncorrelated mechanism as the paper restates it: Algorithm 1, Lemmas 6 and 7 with C_u = k and tau* = 1 + tau."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian
from proofs_numeric.lebeda2025.neighbours import UNCORRELATED
from proofs_numeric.lebeda2025.noise_maximum import delta_infinite, released
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import Definition, DeltaBound, Identity, Law
from proofs_numeric.statements.proof import ByClaim, Proof, SymbolicIdentity
from proofs_numeric.wilkins2024 import theorem_5_4


def lemma_6(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``HS(sqrt(k)/sigma, epsilon) + 1 - Phi(tau/sigma)^k``."""
    new = -A.expm1(k * log_normal_cdf(A, A.number(gap) / sigma))
    return gaussian_profile(A, epsilon, A.sqrt(A.number(k)) / sigma) + new


def lemma_7_literal(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """The three maxima as printed, term by term; k is small."""
    log_p = log_normal_cdf(A, A.number(gap) / sigma)
    terms = [-A.expm1(k * log_p)]
    for j in range(1, k + 1):
        p = A.exp((k - j) * log_p)
        mu = A.sqrt(A.number(j)) / sigma
        terms.append(1 - p + p * gaussian_profile(A, epsilon - (k - j) * log_p, mu))
        terms.append(gaussian_profile(A, epsilon + (k - j) * log_p, mu))
    return A.maximum(*terms)


def lemma_7(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``wilkins2024.thm5.4`` with C_u = k and no aggregates."""
    return theorem_5_4.delta_exact(A, epsilon=epsilon, c_u=k, sigma=sigma, gap=gap, mu_o=A.number(0))


def _lemma_6_by_parts(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    infinite = theorem_5_4.delta_infinite(A, c_u=k, sigma=sigma, gap=gap)
    return theorem_5_4.delta_gaussian(A, epsilon=epsilon, c_u=k, sigma=sigma, mu_o=A.number(0)) + infinite


def _is_dp(case: tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction, Fraction]) -> bool:
    """(e^epsilon, delta)-DP of two laws on the same outcomes, both directions, by the best event."""
    p, q, factor, delta = case
    forward = sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), Fraction(0))
    backward = sum((max(Fraction(0), b - factor * a) for a, b in zip(p, q, strict=True)), Fraction(0))
    return max(forward, backward) <= delta


def first_released(keys: tuple[str, ...], values: Any) -> Any:
    """Whether counter ``a`` is released."""
    return ~np.isnan(values[:, keys.index("a")])


def both_released(keys: tuple[str, ...], values: Any) -> Any:
    """Whether counters ``a`` and ``b`` are both released."""
    return first_released(keys, values) & ~np.isnan(values[:, keys.index("b")])


def _own_noise_passes(A: Arithmetic) -> Any:
    """Count 5, threshold 1 + 6, sigma 2."""
    return normal_cdf(A, A.number(-1))


def _both_pass(A: Arithmetic) -> Any:
    """Two counters of count 1, k = 4, sigma 4, tau 2: one pass each less the chance that some passes."""
    at = {"t": A.number(Fraction(1, 2)), "b": 1 / A.sqrt(A.number(2))}
    return 2 * released(A, l=1, **at) - released(A, l=2, **at)


def _discrete_passes(A: Arithmetic) -> Any:
    """One counter of count 1, k = 4, sigma 2, tau 3/2."""
    own, shared = DiscreteGaussian(A, A.number(4)), DiscreteGaussian(A, 4 / A.sqrt(A.number(2)))
    reach = shared.count
    return A.sum(shared.pmf(z) * own.survival(3 - z + 1) for z in range(-reach, reach + 1))


def _threshold_on_count(_A: Arithmetic, *, count: Any, noise: Any, tau: Any) -> Any:
    return count + noise - (1 + tau)


def _gap_above_one(_A: Arithmetic, *, count: Any, noise: Any, tau: Any) -> Any:
    return noise - ((1 + tau) - count)


def _lower(A: Arithmetic, *, k: int, sigma: Any, tau: int, gap: Any) -> Any:
    """Chance that some of k counters at the lower threshold passes ``tau_star = tau + gap``, from the counts."""
    star = tau + A.number(gap)
    return delta_infinite(A, k=k, sigma=sigma, gap=star - tau)


_SMALL = Box(
    (EPSILON, replace(K, upper=12), replace(SIGMA, lower="0.1", upper=1000), replace(GAP, lower=-20, upper=1000))
)

CLAIMS = (
    Claim(
        id="lebeda2025.def3",
        source=printed("Definition 3"),
        title="(epsilon, delta)-differential privacy",
        statement=r"P[M(D) \in S] \le e^\epsilon P[M(D') \in S] + \delta",
        kind=Definition(
            accepts=_is_dp,
            members=(
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(3), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 10)),
            ),
            non_members=(
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(2), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 20)),
            ),
        ),
    ),
    Claim(
        id="lebeda2025.alg1",
        source=printed("Algorithm 1"),
        title="a counter of the uncorrelated mechanism",
        statement=r"P[H_i + N(0, \sigma^2) > 1 + \tau]",
        kind=Law(
            mechanism="gaussian_sparse_histogram",
            settings={"c_u": 2, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1},
            histogram={"a": 5, "b": 40},
            event=first_released,
            probability=_own_noise_passes,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.alg2",
        source=printed("Algorithm 2"),
        title="two counters of the correlated mechanism share their noise",
        statement=r"P[\text{both of two counters of 1 pass}], \text{ correlation } 1/(1 + \sqrt{k})",
        kind=Law(
            mechanism="correlated_stability_histogram",
            settings={"k": 4, "sigma": 4, "gap": 2, "tau": 1},
            histogram={"a": 1, "b": 1},
            event=both_released,
            probability=_both_pass,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.alg4",
        source=printed("Algorithm 4"),
        title="a counter of the discrete correlated mechanism",
        statement=r"P[1 + (Z + Z_i)/2 > 1 + \tau]",
        kind=Law(
            mechanism="discrete_correlated",
            settings={"k": 4, "sigma": 2, "gap": Fraction(3, 2)},
            histogram={"a": 1, "b": 1},
            event=first_released,
            probability=_discrete_passes,
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.lem6",
        source=printed("Lemma 6"),
        title="add-the-deltas for the uncorrelated mechanism",
        statement=r"f(\sqrt{k}/\sigma, \epsilon) + 1 - \Phi(\tau/\sigma)^k",
        kind=DeltaBound(formula=lemma_6, exact=lemma_7),
        domain=_SMALL,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=UNCORRELATED,
        note="wilkins2024.thm4.1 with C_u = k and tau* = 1 + tau (lem6.same)",
        cost=2,
    ),
    Claim(
        id="lebeda2025.lem6.same",
        source=ours("Lemma 6"),
        title="Lemma 6 is the earlier paper's add-the-deltas",
        statement=r"\text{Lemma 6} = \delta_{gauss} + \delta_\infty \text{ of wilkins2024, } C_u = k",
        kind=Identity(left=lemma_6, right=_lemma_6_by_parts),
        domain=_SMALL,
        cost=2,
    ),
    Claim(
        id="lebeda2025.lem7",
        source=printed("Lemma 7"),
        title="exact delta of the uncorrelated mechanism",
        statement=r"\max\{1 - \Phi^k, \max_j [1 - \Phi^{k-j} + \Phi^{k-j} f(\sqrt{j}/\sigma, \epsilon - (k-j)\ln\Phi)],"
        r" \max_j f(\sqrt{j}/\sigma, \epsilon + (k-j)\ln\Phi)\}",
        kind=DeltaBound(
            formula=lemma_7,
            oracle=lemma_7_literal,
            oracle_points=(
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3},
                {"epsilon": 0, "k": 5, "sigma": 1, "gap": 4},
                {"epsilon": 2, "k": 10, "sigma": "0.5", "gap": 1},
                {"epsilon": "0.1", "k": 4, "sigma": 3, "gap": -2},
            ),
            proof=Proof((ByClaim("wilkins2024.thm5.4", "the same statement with C_u = k and tau* = 1 + tau"),)),
        ),
        domain=Box((EPSILON, K, SIGMA, GAP)),
        quantity=QuantityKind.DELTA,
        privacy=UNCORRELATED,
        cost=2,
    ),
    Claim(
        id="lebeda2025.lem7.conv",
        source=printed("Section 2.3"),
        title="threshold 1 + tau instead of tau",
        statement=r"H_i + Z > 1 + \tau \iff Z > (1 + \tau) - H_i",
        kind=Identity(
            left=_threshold_on_count,
            right=_gap_above_one,
            proof=Proof((SymbolicIdentity("a shift", _threshold_on_count, _gap_above_one, ("count", "noise", "tau")),)),
        ),
        domain=Box(
            (
                Parameter("count", "count of a counter", "users", lower=0, upper=10**6, integer=True),
                Parameter("noise", "its noise", "counts", lower=-1000, upper=1000),
                Parameter("tau", "the paper's tau", "counts", lower=-1000, upper=1000),
            )
        ),
        note='">" here against ">=" there: the same for continuous noise, not for discrete noise (a mechanism field)',
    ),
    Claim(
        id="lebeda2025.sec6.lower",
        source=printed("Section 6"),
        title="a lower threshold replaces tau by tau* - tau",
        statement=r"\delta_\infty(\tau_{low}, \tau^*) = \delta_\infty(1, 1 + \tau^* - \tau_{low})",
        kind=Identity(
            left=_lower, right=lambda A, *, k, sigma, gap, **_tau: delta_infinite(A, k=k, sigma=sigma, gap=gap)
        ),
        domain=Box(
            (
                replace(K, upper=1000),
                replace(SIGMA, lower="0.1", upper=1000),
                Parameter("tau", "lower threshold, an integer", "users", lower=1, upper=10**6, integer=True, log=True),
                replace(GAP, lower=-100, upper=1000),
            )
        ),
        note="for integer lower thresholds; a real one acts as its ceiling (wilkins2024)",
        cost=2,
    ),
)
