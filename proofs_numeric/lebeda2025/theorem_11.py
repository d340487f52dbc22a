"""Theorem 11 (add-the-deltas) and Lemma 22 (its threshold)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64
from proofs_numeric.arithmetic.enclosure import Order, compare
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.lebeda2025.correlated_gaussian import delta_gauss
from proofs_numeric.lebeda2025.exact_analysis import two_terms
from proofs_numeric.lebeda2025.lemma_10 import log_split_probability
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM, sparse_monotone, stability_histogram
from proofs_numeric.lebeda2025.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.parameters import DELTA, EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, SpecialValue
from proofs_numeric.statements.kinds import Calibration, DeltaBound
from proofs_numeric.statements.neighbours import Neighbours, Privacy
from proofs_numeric.statements.proof import ByClaim, Proof, Trusted


def delta_infinite_bound(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """``1 - psi^{k+1}``."""
    return -A.expm1((k + 1) * log_split_probability(A, k=k, sigma=sigma, gap=gap))


def theorem_11_power(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``delta_gauss + 1 - psi^k``: Theorem 11 with one factor fewer, for tau >= 0."""
    new = -A.expm1(k * log_split_probability(A, k=k, sigma=A.number(sigma), gap=A.number(gap)))
    return delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma) + new


def theorem_11(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``delta_gauss + delta_inf``; may exceed 1, where it says nothing."""
    gauss = delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma)
    return gauss + delta_infinite_bound(A, k=k, sigma=A.number(sigma), gap=A.number(gap))


def lemma_22(A: Arithmetic, *, epsilon: Any, delta: Any, k: int, sigma: Any) -> Any:
    """Least tau of Theorem 11: ``(1 + k^{-1/4}) sigma Phi^{-1}((1 - delta + delta_gauss)^{1/(k+1)})``."""
    left = A.number(delta) - delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma)
    tail = -A.expm1(A.log1p(-left) / (k + 1))
    return (1 + shared_slope(A, k)) * sigma * normal_quantile_complement(A, tail)


def infeasible(*, epsilon: Any, delta: Any, k: int, sigma: Any) -> SpecialValue | None:
    """Infinite where the Gaussian part alone needs all of delta."""
    point = {"epsilon": epsilon, "k": k, "sigma": Fraction(sigma), "delta": Fraction(delta)}
    order = compare(
        lambda A, *, delta, **_rest: A.number(delta),
        lambda A, *, epsilon, k, sigma, **_rest: delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma),
        {**point, "epsilon": Fraction(epsilon)},
    ).order
    if order is Order.GREATER:
        return None
    return SpecialValue("infinity", "delta_gauss alone is at least delta; no threshold helps, raise sigma")


def _achieved(A: Ball, *, value: Any, epsilon: Any, delta: Any, k: int, sigma: Any) -> Any:
    return theorem_11(A, epsilon=epsilon, k=k, sigma=sigma, gap=value)


def _at_its_threshold(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Worst cases of Algorithm 2 at Lemma 22's threshold; at a gap of 0 where no threshold helps."""
    given: dict[str, Any] = {name: Fraction(parameters[name]) for name in ("epsilon", "delta", "sigma")}
    given["k"] = int(parameters["k"])
    gap = 0.0 if infeasible(**given) else float(lemma_22(Float64(), **given))
    return stability_histogram({**parameters, "gap": Fraction(gap)})


CLAIMS = (
    Claim(
        id="lebeda2025.thm11",
        source=printed("Theorem 11"),
        title="add-the-deltas for the correlated stability histogram",
        statement=r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^{k+1}",
        kind=DeltaBound(
            formula=theorem_11,
            exact=two_terms,
            proof=Proof(
                (
                    Trusted(
                        "intermediate histogram: the support of H with the shared counts of H'; "
                        "P[H'] <= P[H^] + delta_inf <= e^epsilon P[H] + delta_gauss + delta_inf, additive step first"
                    ),
                    ByClaim("lebeda2025.lem8", "H^ against H: the correlated Gaussian mechanism on the shared support"),
                    ByClaim("lebeda2025.lem10", "H' against H^: only new counters differ, and they rarely pass"),
                    ByClaim("lebeda2025.thm11.proof", "such a histogram exists for every pair of neighbours"),
                )
            ),
        ),
        domain=Box((EPSILON, K, SIGMA, GAP)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=STABILITY_HISTOGRAM,
        loose="Lemma 10 against the exact probability, and two worst cases that no pair has at once: see csh.exact",
    ),
    Claim(
        id="lebeda2025.thm11.power",
        source=ours("Theorem 11"),
        title="Theorem 11 with psi^k, for tau >= 0",
        statement=r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^k, \tau \ge 0",
        kind=DeltaBound(
            formula=theorem_11_power,
            exact=two_terms,
            proof=Proof(
                (
                    ByClaim("lebeda2025.thm11", "the chain of Theorem 11, whatever bounds the new counters"),
                    ByClaim("lebeda2025.lem10.power.corrected", "psi^k does"),
                )
            ),
        ),
        domain=Box((EPSILON, K, SIGMA, replace(GAP, lower=0))),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=STABILITY_HISTOGRAM,
        cost=2,
    ),
    Claim(
        id="lebeda2025.lem22",
        source=printed("Lemma 22"),
        title="least threshold of Theorem 11",
        statement=r"\tau = (1 + k^{-1/4}) \sigma \Phi^{-1}((1 - \delta + \delta_{gauss})^{1/(k+1)})",
        kind=Calibration(formula=lemma_22, achieved=_achieved),
        domain=Box((EPSILON, DELTA, K, SIGMA)),
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        privacy=Privacy(sparse_monotone, _at_its_threshold),
        special_value=infeasible,
        points=(
            {"epsilon": "0.349", "delta": "1e-5", "k": 10, "sigma": 20},
            {"epsilon": "0.349", "delta": "1e-5", "k": 51914, "sigma": 1140},
        ),
        note="read with delta > delta_gauss; evaluated as a complement, so a tiny delta loses no digits",
    ),
)
