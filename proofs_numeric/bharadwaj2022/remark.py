"""Remarks of Sections 3.3 and 4.1: other models at equal privacy, and heavy hitters alone."""

from fractions import Fraction

from proofs_numeric.arithmetic import Rational
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.exact_delta import rational_settings
from proofs_numeric.expression.vocabulary import *

amplified = log1p(sampling_rate * expm1(epsilon))
"""Population epsilon of an epsilon-DP mechanism on the Poisson sample: ``ln(1 + p (e^epsilon - 1))``."""
base_epsilon = log1p(exp(epsilon) / alpha)
"""``ln(1 + e^epsilon/alpha)``: the sample's epsilon that amplifies to epsilon at p = alpha (1 - e^-epsilon)."""


def labels_only(case: tuple[Fraction, Fraction, int, int]) -> bool:
    """Whether the set of shown items alone has at most the delta of one histogram, exactly."""
    factor, p, tau, k = case
    A = Rational()
    forward = forward_at(A, factor=factor, p=p, tau=tau, k=k)
    return bool(forward <= cells.tight_of(A, factor=factor, p=p, tau=tau))


CLAIMS = (
    stated(
        "rem.rate", "Section 3.3, remark",
        "The rounding error tau/m is 1/(alpha C_alpha) ln(1/delta)/(epsilon n), constant 6.42",
        r"\tfrac{1}{\alpha C_\alpha}=6.42", Quantity(6 / c_alpha(alpha="1/6"), "6.42"),
        note="The paper prints an O(); the constant is ours, at alpha = 1/6.",
        partial="the constant of tau/m; that the error is O(1/sqrt(m)) + O(tau/m) is left out",
    ),
    uncheckable(
        "rem.shuf", "Section 3.3, remark", "Error of the shuffle model on a cohort of m",
        r"O(\log(1/\delta)/(\epsilon^2m))",
        Editorial(
            "additional noise O(log(1/delta)/(epsilon^2 m))",
            "noise of standard deviation Theta(sqrt(log(1/delta))/(epsilon m))",
            "The quoted form is the worst case over cells, from another paper; exact noise: shuffle_bernoulli.",
        ),
    ),
    refuted(
        "rem.fair", "Section 3.3, remark",
        "Baselines at epsilon on the sampled cohort have the same epsilon on the population", None,
        eq(amplified, epsilon), by="rem.fair.corrected", domain=(EPSILON, ALPHA),
        note="The baselines get no credit for amplification by sampling.",
    ),
    own(
        "rem.fair.corrected", "Section 3.3, remark",
        "At equal privacy a baseline may use ln(1 + e^epsilon/alpha) on the sample",
        r"\epsilon_0=\ln(1+e^\epsilon/\alpha)", eq(log1p(sampling_rate * (exp(base_epsilon) - 1)), epsilon),
        proof=Symbolic(), domain=(EPSILON, ALPHA), evaluates=base_epsilon, quantity=QuantityKind.EPSILON,
    ),
    stated(
        "rem.hh", "Section 4.1, remark", "Heavy hitters alone need one histogram: no factor L", r"(\epsilon,\delta)",
        FiniteStatement(rational_settings, labels_only, sizes(12, 24, 60), "copies"),
    ),
)  # fmt: skip
