"""Algorithm 3: Gumbel noise over the largest counts."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.instances import BOTTOM

AUDIT_HISTOGRAM = {"a": 3, "b": 2, "c": 1}
ABOVE_HISTOGRAM = {"a": 6, "b": 5, "c": 4}
"""Counts at which a and then b are printed often enough for a sample to tell one law of the order from another."""


def printed_nothing(keys: tuple[str, ...], values: Any) -> Any:
    """Whether bottom was printed first."""
    return values[:, keys.index(BOTTOM)] == 1


def printed_a_then_b(keys: tuple[str, ...], values: Any) -> Any:
    """Whether the list starts with a, b."""
    with np.errstate(invalid="ignore"):
        return (values[:, keys.index("a")] == 1) & (values[:, keys.index("b")] == 2)


_bottom = 60 * exp(1)
"""The weight of the threshold at epsilon = 1, delta = .05, k_bar = 3."""
probability_of_nothing = _bottom / (_bottom + exp(3) + exp(2) + exp(1))
"""First pick is the threshold."""
_total = _bottom + exp(6) + exp(5) + exp(4)
probability_of_a_then_b = exp(6) / _total * exp(5) / (_total - exp(6))
_LAW_SETTINGS: Mapping[str, Any] = {"k_bar": 3, "k": 2, "beta": 1, "delta": Fraction(1, 20)}

CLAIMS = (
    stated(
        "alg3", "Algorithm 3", "Algorithm 3: nothing printed", r"\Pr[(\bot)] = w_\bot/(w_\bot + \sum_i w_i)",
        Law("unknown_domain_gumbel", _LAW_SETTINGS, AUDIT_HISTOGRAM, printed_nothing, probability_of_nothing),
        quantity=QuantityKind.PROBABILITY,
        note="c_(k_bar+1) = 0 where there is no such item. In print h is initialised for h~, I_k < k means |I_k| < k .",
    ),
    stated(
        "alg3.order", "Algorithm 3", "Algorithm 3: a printed first, b second",
        r"\Pr[(a, b, \ldots)] = \tfrac{w_a}{W}\tfrac{w_b}{W - w_a}",
        Law("unknown_domain_gumbel", _LAW_SETTINGS, ABOVE_HISTOGRAM, printed_a_then_b, probability_of_a_then_b),
        quantity=QuantityKind.PROBABILITY,
    ),
    uncheckable(
        "alg3.letters", "Algorithm 3", "The wrong list is emptied, and a list is compared with a number",
        r"h = \emptyset, \quad I_k < k",
        Editorial(
            printed="Initialize h = empty; if I_k < k then I_k = I_k with bottom",
            corrected="Initialize h~ = empty; if |I_k| < k then I_k = I_k with bottom",
            reason="h is the input; h~ collects what is above the threshold. Bottom ends a list of fewer than k items.",
        ),
    ),
)  # fmt: skip
