"""More noise at the same threshold can cost Algorithm 1 privacy; more noise and more threshold together cannot."""

from proofs_numeric.expression import largest_of, symbol
from proofs_numeric.rogers2024.parameters import delta_0, delta_inf, own, sigma
from proofs_numeric.rogers2024.theorem_7.exact_profile import GAUSSIAN_BOX, gaussian_exact, shared_items
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.tactics import Slope
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_infinite

z = symbol("z")
threshold_in_deviations = gaussian_exact(T=delta_inf + z * sigma)
_Z = Parameter("z", "the threshold above Delta_inf in deviations of the noise", lower=-100, upper=100)

CLAIMS = (
    own(
        "thm7.gaussian.exact.mono.sigma", "Algorithm 1 and Theorem 7",
        "At the same threshold the exact delta of Algorithm 1 never grows with the noise",
        r"\sigma < \sigma' \Rightarrow \delta(\sigma) \ge \delta(\sigma')",
        Monotonicity(gaussian_exact, "sigma", increasing=False, strict=False), domain=GAUSSIAN_BOX,
        expected=Expectation.REFUTED, corrected_by="rogers2024.thm7.gaussian.exact.mono.sigma.corrected",
        quantity=QuantityKind.PROBABILITY,
        points=({"epsilon": 1, "delta_0": 10, "delta_inf": 1, "sigma": 4, "sigma_2": 8, "T": 11},),
        note="More noise carries new items over the threshold.",
    ),
    own(
        "thm7.gaussian.exact.mono.sigma.corrected", "Algorithm 1 and Theorem 7",
        "With the threshold a fixed number of deviations above Delta_inf it never grows with the noise",
        r"\sigma < \sigma' \Rightarrow \delta(\sigma, \Delta_\infty + z\sigma) \ge \delta(\sigma', \Delta_\infty + "
        r"z\sigma')",
        Monotonicity(
            threshold_in_deviations, "sigma", increasing=False, strict=False,
            proof=largest_of((delta_infinite(c_u=delta_0, sigma=1, gap=z), Slope()), (shared_items, Slope())),
        ),
        domain=(*GAUSSIAN_BOX.parameters[:-1], _Z), quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
