"""Accountants of the correlated stability histogram, wrong by little."""

import numpy as np

from mechanisms.correlated_stability_histogram import accountant
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.exact.cover import two_terms


def rounded_down(epsilon, k, sigma, gap):
    """A relative 1e-9 below the exact delta."""
    return accountant.delta(epsilon, k=k, sigma=sigma, gap=gap) * (1 - 1e-9)


def unmixed(epsilon, k, sigma, gap):
    """The two unmixed pairs, whether or not the certificate says that they are enough."""
    at = {"epsilon": np.float64(epsilon), "sigma": np.float64(sigma), "gap": np.float64(gap)}
    return float(two_terms(Float64(), k=k, **at))
