"""Sharp constants of all Renyi orders."""

import pytest
import sympy

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.rogers2024.orders import laplace_rho


@pytest.mark.slow
def test_the_laplace_constant_is_the_divergence_of_order_one():
    """Integral of p log(p/q) over two Laplace densities one apart: 1/e."""
    x = sympy.Symbol("x", real=True)
    pieces = ((-sympy.oo, 0, sympy.exp(x), 1), (0, 1, sympy.exp(-x), 1 - 2 * x), (1, sympy.oo, sympy.exp(-x), -1))
    divergence = sum(sympy.integrate(density / 2 * loss, (x, low, high)) for low, high, density, loss in pieces)
    with MpReal(20) as A:
        assert float(divergence) == pytest.approx(float(laplace_rho(A, epsilon=1)), rel=1e-15)
