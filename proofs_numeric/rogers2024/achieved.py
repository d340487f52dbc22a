"""The claims whose numbers the thresholds and epsilons of the paper meet their targets by."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *

value = symbol("value")
_scale = delta_inf / epsilon
"""Of the noise of one count."""
GAUSSIAN_MASS = Achieved("wilkins2024.lem5.1", {"c_u": delta_0, "sigma": _scale, "gap": value - delta_inf})
"""The delta of continuous Gaussian noise of one count's scale, of D_0 new items of count D_inf."""
ABOVE_MINIMUM_MASS = Achieved(
    GAUSSIAN_MASS.claim, {**GAUSSIAN_MASS.at, "gap": value - (symbol("c_min") - 1 + delta_inf)}
)
LAPLACE_MASS = Achieved("rogers2024.thm7.laplace.new_item_mass", {"lead": (value - delta_inf) / _scale})
GUMBEL_MASS = Achieved("rogers2024.thm9.new_item_mass", {"delta": k_bar * exp(-(value - 1) * epsilon)})
UNION_MASS = Achieved("rogers2024.thm11.union.mass", {"lead": (value - 1) * epsilon})
TAIL = Achieved("rogers2024.thm3.cdp_to_dp.tail", {"excess": maximum(value, rho) - rho})
