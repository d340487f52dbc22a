"""Algorithm 1: positive counts above a threshold, and counts above a known minimum."""

from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.achieved import ABOVE_MINIMUM_MASS
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail
from proofs_numeric.rogers2024.neighbours import GAUSSIAN_HISTOGRAM
from proofs_numeric.rogers2024.parameters import printed
from proofs_numeric.rogers2024.theorem_7.statement import T_BOX, target_delta
from proofs_numeric.rogers2024.thresholds import gaussian_threshold
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Calibration, Inequality, Law
from proofs_numeric.statements.tactics import Derivative
from proofs_numeric.statements.verdict import Expectation


def anything_printed(keys: tuple[str, ...], values: Any) -> Any:
    """Whether at least one key was released."""
    return ~np.isnan(values).all(axis=1)


def audit_new_mass(A: Arithmetic) -> Number:
    """``1 - (1 - delta/D_0)^{D_0}`` at delta = .3, D_0 = 3."""
    return above_any(A, 3, A.number(Fraction(1, 10)))


THREE_NEW = {"a": 1, "b": 1, "c": 1}


def cmin_threshold(
    A: Arithmetic, *, c_min: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """Threshold when the input lists items of count at least ``c_min`` only: ``c_min - 1`` higher."""
    rest = {"delta_0": delta_0, "delta_inf": delta_inf, "epsilon": epsilon, "delta": delta}
    return c_min - 1 + gaussian_threshold(A, **rest)


def cmin_new_mass(
    A: Arithmetic, *, value: Number, c_min: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact mass of D_0 items that appear with count ``c_min - 1 + D_inf``."""
    x = (A.number(value) - (c_min - 1) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, gaussian_tail(A, x))


def cmin_mass_at_printed_threshold(A: Arithmetic, **parameters: Any) -> Number:
    """:func:`cmin_new_mass` at the T printed for ``c_min = 1``."""
    rest = {name: value for name, value in parameters.items() if name != "c_min"}
    return cmin_new_mass(A, value=gaussian_threshold(A, **rest), **parameters)


CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            id=f"rogers2024.alg1{suffix}",
            source=printed("Algorithm 1"),
            title=f"Algorithm 1 with {noise} noise: mass of three new items",
            statement=r"\Pr[\text{some new item is printed}] = 1 - (1 - \delta/\Delta_0)^{\Delta_0}",
            kind=Law(
                mechanism=f"unknown_domain_{noise.lower()}",
                settings={"delta_0": 3, "delta_inf": 1, scale: 1, "delta": Fraction(3, 10)},
                histogram=THREE_NEW,
                event=anything_printed,
                probability=audit_new_mass,
            ),
            quantity=QuantityKind.PROBABILITY,
        )
        for suffix, noise, scale in (("", "Gaussian", "sigma"), (".laplace", "Laplace", "b"))
    ),
    Claim(
        id="rogers2024.alg1.ext_cmin",
        source=printed("Section 4.1"),
        title="Extension to items of count at least c_min",
        statement=r"T = (c_{\min} - 1) + \Delta_\infty + \sigma z(\delta/\Delta_0)",
        kind=Calibration(
            cmin_threshold, cmin_new_mass, tight=False, by=ABOVE_MINIMUM_MASS, proof=Derivative("delta", "lower")
        ),
        domain=Box(
            (
                Parameter(
                    "c_min", "least count that the input lists", "counts", lower=1, upper=10**6, integer=True, log=True
                ),
                *T_BOX.parameters,
            )
        ),
        privacy=GAUSSIAN_HISTOGRAM,
        note="The paper says straightforward and prints no formula; a new item may have count c_min - 1 + Delta_inf.",
    ),
    Claim(
        id="rogers2024.alg1.ext_cmin.as_printed",
        source=printed("Section 4.1"),
        title="The printed threshold with items of count at least c_min",
        statement=r"\Pr[\neg E] \le \delta \text{ with } T = \Delta_\infty + \sigma z(\delta/\Delta_0)",
        kind=Inequality(cmin_mass_at_printed_threshold, target_delta),
        domain=Box(
            (
                Parameter("c_min", "least count that the input lists", "counts", lower=1, upper=1000, integer=True),
                *T_BOX.parameters,
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.alg1.ext_cmin",
        quantity=QuantityKind.PROBABILITY,
    ),
)
