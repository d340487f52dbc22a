"""Two thresholds in the place of their gap: a claim on the gap knows neither, its neighbours need both."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Parameter, ParameterError

TAU = Parameter("tau", "counts below are never released", unit="users", lower=1, integer=True, default=1)
TAU_STAR = Parameter("tau_star", "noisy counts below are not released", unit="users", open_lower=True)


def by_gap(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Value]]:
    """Return the parameters with `gap` for the thresholds, and the lower threshold apart where it was given.

    Args:
        values: by name; `tau_star` stands for gap = tau_star - tau, and tau is 1 unless given.

    Raises:
        ParameterError: a threshold out of range, or gap and tau_star together.

    """
    parameters, placing = dict(values), {}
    if "tau" in parameters:
        placing["tau"] = TAU.parse(parameters.pop("tau"))
    if "tau_star" in parameters:
        if "gap" in parameters:
            raise ParameterError(
                f"expected gap or tau_star, got gap={parameters['gap']} and tau_star={parameters['tau_star']}; "
                "tau_star = tau + gap, and tau is 1 unless given"
            )
        parameters["gap"] = Fraction(TAU_STAR.parse(parameters.pop("tau_star"))) - Fraction(placing.get("tau", 1))
    return parameters, placing
