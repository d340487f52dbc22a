"""Two thresholds in the place of their gap: a claim on the gap knows neither, its neighbours need both."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Parameter, ParameterError

TAU = Parameter("tau", "counts below are never released", unit="users", lower=1, integer=True, default=1)
TAU_STAR = Parameter("tau_star", "noisy counts below are not released", unit="users", open_lower=True)


def by_gap(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Value]]:
    """Return what is given with `gap` for the thresholds, and the lower threshold apart where it was given.

    Args:
        given: by name; `tau_star` stands for gap = tau_star - tau, and tau is 1 unless given.

    Raises:
        ParameterError: a threshold out of range, or gap and tau_star together.

    """
    own, placing = dict(given), {}
    if "tau" in own:
        placing["tau"] = TAU.parse(own.pop("tau"))
    if "tau_star" in own:
        if "gap" in own:
            raise ParameterError(
                f"expected gap or tau_star, got gap={own['gap']} and tau_star={own['tau_star']}; tau_star = tau + gap, "
                "and tau is 1 unless given"
            )
        own["gap"] = Fraction(TAU_STAR.parse(own.pop("tau_star"))) - Fraction(placing.get("tau", 1))
    return own, placing
