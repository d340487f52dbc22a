"""Errors of pure sparse histograms: each formula solves the equation that its text states."""

import math

import numpy as np
import pytest

from proofs_numeric.arithmetic import Float64
from proofs_numeric.thresholds.pure import needed_error, plain_error


@pytest.mark.parametrize(("epsilon", "items", "beta"), [(1.0, 10**6, 0.05), (0.1, 100, 0.1), (5.0, 10**9, 1e-6)])
def test_the_errors_meet_their_probabilities(epsilon, items, beta):
    """The packing of all items is full at the needed error; all Laplace noise is below the plain one 1 - beta."""
    at = {"epsilon": np.float64(epsilon), "items": items, "beta": np.float64(beta)}
    needed, plain = (float(error(Float64(), **at)) for error in (needed_error, plain_error))
    users = 2 * needed
    assert (1 - beta) * (1 + (items - 1) * math.exp(-epsilon * users)) == pytest.approx(1, rel=1e-9)
    assert items * math.log1p(-math.exp(-epsilon * plain / 2)) == pytest.approx(math.log1p(-beta), rel=1e-6)
    assert 4 < plain / needed < 4.1
