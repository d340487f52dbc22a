"""Algorithm 1: positive counts above a threshold, and counts above a known minimum."""

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
from proofs_numeric.rogers2024.thresholds import gaussian_threshold


def anything_printed(keys: tuple[str, ...], values: Any) -> Any:
    """Whether at least one key was released."""
    return ~np.isnan(values).all(axis=1)


THREE_NEW = {"a": 1, "b": 1, "c": 1}

c_min, value = symbols("c_min value")
cmin_threshold = c_min - 1 + gaussian_threshold
"""Threshold when the input lists items of count at least ``c_min`` only: ``c_min - 1`` higher."""
cmin_new_mass = some_of(delta_0, Phi(-((value - (c_min - 1) - delta_inf) * epsilon / delta_inf)))
"""Exact mass of D_0 items that appear with count ``c_min - 1 + D_inf``."""
_C_MIN = Parameter("c_min", "least count that the input lists", "counts", lower=1, upper=1000, integer=True)

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
            cmin_threshold, cmin_new_mass, tight=False, by=ABOVE_MINIMUM_MASS, proof=Derivative("delta", "lower"),
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
)  # fmt: skip
