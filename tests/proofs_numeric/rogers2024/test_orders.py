"""Sharp constants of all Renyi orders: the proof's steps hold, and fail for a smaller constant."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from auditor.checks.lemma import symbolically_equal
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.rogers2024.laws import laplace_renyi, randomised_response_renyi
from proofs_numeric.rogers2024.orders import RANDOMISED_RESPONSE, laplace_rho, solution


@pytest.mark.slow
def test_a_smaller_constant_is_not_the_slope():
    """The last step is what pins the constant."""
    slope = RANDOMISED_RESPONSE.steps[-1]

    def smaller(A, *, epsilon):
        return slope.right(A, epsilon=epsilon) * A.number(Fraction(999, 1000))

    assert not symbolically_equal(replace(slope, right=smaller))


@pytest.mark.parametrize(
    ("renyi", "c"), [(randomised_response_renyi, 0), (laplace_renyi, Fraction(1, 2))], ids=["pure", "laplace"]
)
def test_divergences_are_the_differences_of_log_y(renyi, c):
    """At one point, in numbers."""
    with MpReal(30) as A:
        alpha, epsilon = A.number("7/2"), A.number("9/10")
        y = [solution(A, t=t, epsilon=epsilon, c=c) for t in (3, Fraction(1, 2))]
        assert float(A.log(y[0] / y[1])) == pytest.approx(float((alpha - 1) * renyi(A, alpha=alpha, epsilon=epsilon)))


@pytest.mark.slow
def test_the_laplace_constant_is_the_divergence_of_order_one():
    """Integral of p log(p/q) over two Laplace densities one apart: 1/e."""
    x = sympy.Symbol("x", real=True)
    pieces = ((-sympy.oo, 0, sympy.exp(x), 1), (0, 1, sympy.exp(-x), 1 - 2 * x), (1, sympy.oo, sympy.exp(-x), -1))
    divergence = sum(sympy.integrate(density / 2 * loss, (x, low, high)) for low, high, density, loss in pieces)
    with MpReal(20) as A:
        assert float(divergence) == pytest.approx(float(laplace_rho(A, epsilon=1)), rel=1e-15)
