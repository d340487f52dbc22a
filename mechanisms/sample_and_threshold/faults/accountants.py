"""Accountants of sample-and-threshold that are unsafe: readings and slips of the paper's formulas."""

import math
from functools import partial
from typing import Any

from mechanisms.mechanism import AccountantFault, InDoubles
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.integer_part import floor_of, floors
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.theorem_2.bound import printed_exact_binomial

_DEFAULT: dict[str, int | str] = {"epsilon": "1", "alpha": "1/6", "tau": 20}
_MOST_COPIES = 1000
_VISIBLE: dict[str, int | str] = {"epsilon": "1", "alpha": "1/2", "tau": 5}


@InDoubles
def wrong_sign(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Lemma 3 with C_alpha = ln(1/alpha) + 1/(1 + alpha)."""
    del epsilon
    return A.exp(-tau * (1 / (1 + alpha) - A.log(alpha)))


@InDoubles
def atom_only(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """The atom of infinite loss alone, p^tau."""
    return A.exp(tau * A.log(cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)))


@InDoubles
def strict_binomial(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    """The printed binomial."""
    return printed_exact_binomial(A, epsilon=epsilon, alpha=alpha, tau=tau)


@InDoubles
def strict_binomial_above(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """``P[Bin(ceil(tau/q), p) > tau]``: the same with tau/q rounded up."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    k = -floor_of(A, -tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha))
    return binomial_tail(A, k, p, tau + 1)


@InDoubles
def power_of_alpha(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """``alpha^tau``: the paper's alpha^O(tau) taken at its word."""
    del epsilon
    return A.exp(tau * A.log(alpha))


@InDoubles
def bits(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Theorem 2 with the divergence in bits."""
    return A.exp(-tau * cells.divergence(A, epsilon=epsilon, alpha=alpha) / A.log(A.number(2)))


@InDoubles
def reversed_divergence(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Theorem 2 with D(p || q)."""
    p, q = (rate(A, epsilon=epsilon, alpha=alpha) for rate in (cells.sampling_rate, cells.bad_rate))
    # (1 - p)/(1 - q) = e^epsilon.
    return A.exp(-tau / q * ((1 - p) * epsilon - p * A.log(q / p)))


@InDoubles
def complement_of_q(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Theorem 2 with q = e^-epsilon (1 - p), which is 1 - q."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    q = A.exp(-epsilon) * (1 - p)
    return A.exp(-tau / q * cells.kl(A, q=q, p=p))


def ratio_as_printed(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Largest sum of excesses over counts up to tau/q with the printed ratio (1 - p)^k/(k - v)."""
    p, factor = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha), A.exp(epsilon)
    last = max(floors(A, tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha)))
    zero, options = A.number(0), [A.number(0)]
    for k in range(tau, last + 1):
        law, none = cells.binomial_law(A, k, p), (1 - p) ** k
        # Where k - v > 1 the excess is below -1, so that its positive part is left out.
        bad = (law[v] * A.maximum(zero, 1 - factor * (k - v) / none) for v in range(max(tau, k - 1), k))
        options.append(law[k] + A.sum(bad))
    return A.maximum(*options)


@InDoubles
def add_remove_only(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> Any:
    """The add/remove delta, reported for replacement."""
    return cells.tight_rate(A, epsilon=epsilon, p=p, tau=tau)


@InDoubles
def one_level(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, k: int) -> Any:
    """The delta of one level at the total epsilon, reported for all levels."""
    del levels
    return cells.cell_profile(A, factor=A.exp(epsilon), p=p, tau=tau, k=k)


def as_quoted(A: Arithmetic, *, epsilon: Number, levels: int, step: Number, delta_step: Number) -> Number:
    """``2 L delta'`` from the quoted advanced composition's epsilon on, else 1; float64 only."""
    reached = float(epsilon) >= float(
        composition.advanced_as_printed(A, levels=levels, step=step, delta_step=delta_step)
    )
    return 2 * levels * delta_step if reached else A.number(1)


def ratio_as_printed_delta(epsilon: float, *, alpha: float, tau: int) -> float:
    """The printed ratio in float64, at most 1000 copies."""
    if tau / -math.expm1(-epsilon) > _MOST_COPIES:
        return 1.0
    return float(ratio_as_printed(Float64(), epsilon=epsilon, alpha=alpha, tau=tau))


def as_quoted_delta(epsilon: float, *, levels: int, step: float, delta_step: float) -> float:
    """The quoted advanced composition in float64, at most 1."""
    return min(1.0, float(as_quoted(Float64(), epsilon=epsilon, levels=levels, step=step, delta_step=delta_step)))


@InDoubles
def constant_rate(A: Arithmetic, *, epsilon: Number, n: int, m: int, tau: int) -> Any:
    """The exact delta at a constant rate m/n."""
    return cells.tight_rate(A, epsilon=epsilon, p=A.number(m) / n, tau=tau)


_fault = partial(
    AccountantFault, mechanism="sample_and_threshold", violates="bharadwaj2022.tight",
    parameters=_DEFAULT,
)  # fmt: skip


FAULTS = (
    _fault(
        id="sample_and_threshold_strict_binomial",
        title="the exact binomial at tau/q with the proof's strict inequality", accountant=strict_binomial,
        explanation="The cell is shown at tau already, not above it: 5.5e-15 is reported where 6.9e-15 is true.",
    ),
    _fault(
        id="sample_and_threshold_strict_binomial_above", title="the same at tau/q rounded up",
        accountant=strict_binomial_above, parameters=_VISIBLE,
        explanation="One copy more does not make up for the strict inequality: 5.09e-3 is reported where 5.37e-3 is "
        "true.",
    ),
    _fault(
        id="sample_and_threshold_constant_sign", title="C_alpha with + 1/(1 + alpha)", accountant=wrong_sign,
        explanation="The exponent is too large: 9.8e-24 is reported where 6.9e-15 is true.",
    ),
    _fault(
        id="sample_and_threshold_power_of_alpha", title="alpha^tau", accountant=power_of_alpha,
        explanation="The O in the exponent hides a factor below 1: 2.7e-16 is reported where 6.9e-15 is true.",
    ),
    _fault(
        id="sample_and_threshold_divergence_in_bits", title="the divergence in bits", accountant=bits,
        explanation="exp undoes a natural logarithm: 8.9e-18 is reported where 6.9e-15 is true.",
    ),
    _fault(
        id="sample_and_threshold_divergence_reversed", title="D(p||q) in place of D(q||p)",
        accountant=reversed_divergence, parameters={"epsilon": "5", "alpha": "1/2", "tau": 20},
        explanation="The two agree for small epsilon; from about epsilon = 3 on D(p||q) is the larger one.",
    ),
    _fault(
        id="sample_and_threshold_q_complement", title="q = e^-epsilon (1 - p)", accountant=complement_of_q,
        parameters={"epsilon": "1/10", "alpha": "1/6", "tau": 20},
        explanation="That is 1 - q: near 1 for small epsilon, where the exponent becomes that of p^tau.",
    ),
    _fault(
        id="sample_and_threshold_printed_ratio", title="the ratio (1 - p)^k/(k - v) as printed",
        accountant=ratio_as_printed_delta, formula=ratio_as_printed,
        explanation="The power makes every count but v = k look harmless: only the atom p^tau is left.",
    ),
    _fault(
        id="sample_and_threshold_atom_only", title="p^tau", accountant=atom_only,
        explanation="Counts above tau leak more often than tau copies do: the worst count is ceil((tau - 1)/q).",
    ),
    _fault(
        id="sample_and_threshold_add_remove_only", title="the add/remove delta reported for replacement",
        mechanism="sample_and_threshold_replacement", violates="bharadwaj2022.tight.replacement.rate",
        accountant=add_remove_only, parameters={"epsilon": "1", "p": "3/10", "tau": 5},
        explanation="A replaced item also changes the count of the new one: the delta is larger, by 2% here, by half "
        "at alpha = 1.",
    ),
    _fault(
        id="sample_and_threshold_constant_rate", title="the delta of a constant rate m/n where m is fixed",
        violates="bharadwaj2022.thm2.mfixed.exact", accountant=constant_rate,
        parameters={"epsilon": "1", "n": 10, "m": 8, "tau": 2},
        explanation="A leaving client changes every cell's rate: 0.6400 is reported where 0.6418 is true.",
    ),
    _fault(
        id="sample_and_threshold_one_level_only", title="the delta of one level for all levels",
        mechanism="trie_heavy_hitters", violates="bharadwaj2022.lem7.path", accountant=one_level,
        parameters={"epsilon": "1", "p": "3/10", "tau": 5, "levels": 2, "k": 6},
        explanation="Each level is a fresh chance to show the path: nearly L times the delta at the same epsilon.",
    ),
    _fault(
        id="sample_and_threshold_composition_as_quoted",
        title="advanced composition as quoted, without sqrt(2) and e^epsilon - 1", mechanism="trie_heavy_hitters",
        violates="bharadwaj2022.lem7.kov", accountant=as_quoted_delta, formula=as_quoted,
        parameters={"epsilon": "5.8", "levels": 100, "step": "1/10", "delta_step": "1e-12"},
        explanation="At 100 levels of epsilon 0.1 the quoted epsilon is 5.80 and the true delta there 2.5e-9, not "
        "2e-10.",
    ),
)  # fmt: skip
