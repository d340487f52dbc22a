"""Thresholds of Theorems 7, 8, 9 and 11 (counts): what a noisy count must exceed to be printed."""

from proofs_numeric.arithmetic.binary import binary_digits
from proofs_numeric.expression import Function
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024 import enumeration
from proofs_numeric.rogers2024.parameters import *

digits = Function("digits", binary_digits, r"\lceil\log_2({0} + 1)\rceil")
floor_levels = Function("floor_levels", lambda _A, L: enumeration.floor_levels(L), r"\lfloor\log_2({0} + 1)\rfloor")
L, terms = symbols("L terms")

laplace_threshold = delta_inf + delta_inf / epsilon * (log(delta_0) - log(2 * delta))
gaussian_threshold = delta_inf + delta_inf / epsilon * quantile_complement(delta / delta_0)
top_threshold = delta_inf + sqrt(2) * delta_inf / epsilon * quantile_complement(delta / delta_0)
gumbel_threshold = 1 + (log(k_bar) - log(delta)) / epsilon
"""With Gumbel noise of scale ``1/epsilon``."""
threshold_of_levels = 1 + sqrt(terms) / epsilon * quantile_complement(delta / (delta_0 * L))
"""With ``sigma = 1/epsilon``, as below."""
threshold_of_statement = threshold_of_levels(terms=digits(L) + 1)
threshold_of_proof = threshold_of_levels(terms=digits(L))
threshold_of_floor = threshold_of_levels(terms=floor_levels(L))
"""With the most noise terms that any round adds."""
