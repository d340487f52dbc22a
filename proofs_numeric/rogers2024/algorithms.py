"""Algorithms 1 to 4: what each prints, by its exact law on few keys."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.achieved import ABOVE_MINIMUM_MASS
from proofs_numeric.rogers2024.laws import some_of
from proofs_numeric.rogers2024.neighbours import GAUSSIAN_HISTOGRAM
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_7.statement import T_BOX
from proofs_numeric.rogers2024.theorem_8.statement import new_item_mass
from proofs_numeric.rogers2024.theorem_10 import SIZES, entries_are_capped, stream_cases
from proofs_numeric.rogers2024.thresholds import gaussian_threshold
from proofs_numeric.statements.instances import BOTTOM


def anything_printed(keys: tuple[str, ...], values: Any) -> Any:
    """Whether at least one key was released."""
    return ~np.isnan(values).all(axis=1)


THREE_NEW = {"a": 1, "b": 1, "c": 1}
c_min, value = symbols("c_min value")
cmin_new_mass = some_of(delta_0, Phi(-((value - (c_min - 1) - delta_inf) * epsilon / delta_inf)))
"""Exact mass of D_0 items that appear with count ``c_min - 1 + D_inf``."""
_C_MIN = Parameter("c_min", "least count that the input lists", "counts", lower=1, upper=1000, integer=True)


def printed_nothing(keys: tuple[str, ...], values: Any) -> Any:
    """Whether bottom was printed first."""
    return values[:, keys.index(BOTTOM)] == 1


def printed_a_then_b(keys: tuple[str, ...], values: Any) -> Any:
    """Whether the list starts with a, b."""
    with np.errstate(invalid="ignore"):
        return (values[:, keys.index("a")] == 1) & (values[:, keys.index("b")] == 2)


_bottom = 60 * exp(1)
"""The weight of the threshold at epsilon = 1, delta = .05, k_bar = 3."""
_total = _bottom + exp(6) + exp(5) + exp(4)
_LAW_SETTINGS: Mapping[str, Any] = {"k_bar": 3, "k": 2, "beta": 1, "delta": Fraction(1, 20)}

CLAIMS = (
    *(
        stated(
            f"alg1{suffix}", "Algorithm 1", f"Algorithm 1 with {noise} noise: mass of three new items",
            r"\Pr[\text{some new item is printed}] = 1 - (1 - \delta/\Delta_0)^{\Delta_0}",
            Law(
                mechanism=f"unknown_domain_{noise.lower()}",
                settings={"delta_0": 3, "delta_inf": 1, scale: 1, "delta": Fraction(3, 10)},
                histogram=THREE_NEW, event=anything_printed, probability=some_of(3, lift("1/10")),
            ),
            quantity=QuantityKind.PROBABILITY,
        )
        for suffix, noise, scale in (("", "Gaussian", "sigma"), (".laplace", "Laplace", "b"))
    ),
    stated(
        "alg1.ext_cmin", "Section 4.1", "Extension to items of count at least c_min",
        r"T = (c_{\min} - 1) + \Delta_\infty + \sigma z(\delta/\Delta_0)",
        Calibration(
            c_min - 1 + gaussian_threshold, cmin_new_mass, tight=False, by=ABOVE_MINIMUM_MASS,
            proof=Derivative("delta", "lower"),
        ),
        domain=(replace(_C_MIN, upper=10**6, log=True), *T_BOX.parameters),
        privacy=GAUSSIAN_HISTOGRAM,
        note="The paper says straightforward and prints no formula; a new item may have count c_min - 1 + Delta_inf.",
    ),
    refuted(
        "alg1.ext_cmin.as_printed", "Section 4.1", "The printed threshold with items of count at least c_min",
        r"\Pr[\neg E] \le \delta \text{ with } T = \Delta_\infty + \sigma z(\delta/\Delta_0)",
        cmin_new_mass(value=gaussian_threshold) <= delta, by="alg1.ext_cmin",
        domain=(_C_MIN, *T_BOX.parameters),
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "alg2", "Algorithm 2", "Algorithm 2: mass of three new items",
        r"\Pr[\text{some new item is printed}] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]",
        Law(
            mechanism="unknown_domain_top",
            settings={"k_bar": 3, "delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": Fraction(1, 20)},
            histogram=THREE_NEW, event=anything_printed, probability=new_item_mass(delta_0=3, delta="1/20"),
        ),
        quantity=QuantityKind.PROBABILITY,
        note="One threshold noise for all items; padding entries have count 0 and are dropped after the comparison. "
        "Needs a tie order fixed before the data. In print h_(k_bar+1) is defined and h_(k_bar) used.",
    ),
    uncheckable(
        "alg2.letters", "Algorithm 2", "The histogram that is defined is not the one that is used",
        r"h_{(\bar k+1)} \text{ is defined, } h_{(\bar k)} \text{ is padded and released}",
        Editorial(
            printed="Let h_(k_bar+1) be the top-(k_bar+1) items; if h_(k_bar) has fewer than k_bar items",
            corrected="Let h_(k_bar) be the top-k_bar items, and c_(k_bar+1) the next count, 0 where there is none",
            reason="Only k_bar items are padded and noised; with k_bar+1 the next count would compete with itself.",
        ),
    ),
    stated(
        "alg3", "Algorithm 3", "Algorithm 3: nothing printed", r"\Pr[(\bot)] = w_\bot/(w_\bot + \sum_i w_i)",
        Law(
            "unknown_domain_gumbel", _LAW_SETTINGS, {"a": 3, "b": 2, "c": 1}, printed_nothing,
            _bottom / (_bottom + exp(3) + exp(2) + exp(1)),
        ),
        quantity=QuantityKind.PROBABILITY,
        note="c_(k_bar+1) = 0 where there is no such item. In print h is initialised for h~, I_k < k means |I_k| < k .",
    ),
    stated(
        "alg3.order", "Algorithm 3", "Algorithm 3: a printed first, b second",
        r"\Pr[(a, b, \ldots)] = \tfrac{w_a}{W}\tfrac{w_b}{W - w_a}",
        # Counts at which a and then b are printed often enough for a sample to tell one law of the order from another.
        Law(
            "unknown_domain_gumbel", _LAW_SETTINGS, {"a": 6, "b": 5, "c": 4}, printed_a_then_b,
            exp(6) / _total * exp(5) / (_total - exp(6)),
        ),
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
    stated(
        "alg4", "Algorithm 4", "Pay-what-you-get prints at most k* entries",
        r"k^{(i)} \le k^* - k,\quad k \leftarrow k + |I^{(i)}|",
        FiniteStatement(stream_cases, entries_are_capped, SIZES, "k*"),
        note="Bottom is counted; exact law by peeling round after round.",
    ),
)  # fmt: skip
