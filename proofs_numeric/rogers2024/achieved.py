"""The claims whose numbers the thresholds and epsilons of the paper meet their targets by."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import Achieved


def _scale(A: Arithmetic, *, delta_inf: Number, epsilon: Number, **_at: Number) -> Any:
    """``D_inf/epsilon``: the scale of the noise of one count."""
    return delta_inf / A.number(epsilon)


def _count_above_minimum(A: Arithmetic, *, c_min: Number, delta_inf: Number, **_at: Number) -> Any:
    """``c_min - 1 + D_inf``: the largest count of an item that a neighbour does not release."""
    return A.number(c_min) - 1 + delta_inf


def _odds(A: Arithmetic, *, value: Number, k_bar: Number, epsilon: Number, **_at: Number) -> Any:
    return k_bar * A.exp(-(A.number(value) - 1) * epsilon)


def _lead(A: Arithmetic, *, value: Number, epsilon: Number, **_at: Number) -> Any:
    return (A.number(value) - 1) * A.number(epsilon)


def _excess(A: Arithmetic, *, value: Number, rho: Number, **_at: Number) -> Any:
    return A.maximum(value, rho) - A.number(rho)


_NEW_KEYS: dict[str, Formula] = {
    "threshold": parameter_named("value"),
    "c_u": parameter_named("delta_0"),
    "per_key": parameter_named("delta_inf"),
}
GAUSSIAN_MASS = Achieved("thresholds.gaussian.real", {**_NEW_KEYS, "sigma": _scale})
"""The delta of continuous Gaussian noise of one count's scale, of D_0 new items of count D_inf."""
ABOVE_MINIMUM_MASS = Achieved(GAUSSIAN_MASS.claim, {**GAUSSIAN_MASS.at, "per_key": _count_above_minimum})
LAPLACE_MASS = Achieved("thresholds.laplace.real", {**_NEW_KEYS, "scale": _scale})
GUMBEL_MASS = Achieved("rogers2024.thm9.new_item_mass", {"delta": _odds})
UNION_MASS = Achieved("rogers2024.thm11.union.mass", {"lead": _lead})
TAIL = Achieved("rogers2024.thm3.cdp_to_dp.tail", {"excess": _excess})
