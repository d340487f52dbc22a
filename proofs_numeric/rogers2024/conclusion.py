"""Section 5: conclusion."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import em_rho, em_rho_naive

CLAIMS = (
    stated(
        "concl", "Section 5", "The CDP route improves the exponential mechanism's rho", None, em_rho <= em_rho_naive,
        proof=Sign(), domain=(EPSILON,), note="For Laplace see rogers2024.rem7.gain, for Gaussian rogers2024.rem7.cmp.",
        partial="the exponential mechanism; Laplace noise is rogers2024.rem7.gain, Gaussian noise rogers2024.rem7.cmp",
    ),
)  # fmt: skip
