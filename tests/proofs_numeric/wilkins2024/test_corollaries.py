"""Corollaries 5.4.1 and 5.4.2: values, special values, errata found by search, mutants refuted."""

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.wilkins2024 import corollary_5_4_2
from proofs_numeric.wilkins2024.corollary_5_4_1 import adding_the_deltas, end_functions
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from tests.proofs_numeric.refuted import refuted

ALL = (*adding_the_deltas.CLAIMS, *end_functions.CLAIMS, *corollary_5_4_2.CLAIMS)
CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in ALL}
SUMS = {
    ("1", 1, "2", "5", "0"): "0.01303926030889071055121312",
    ("0", 100, "100", "334.8", "0"): "0.07976700875280794168829550",
    ("0.349", 51914, "2228", "13947", "0"): "2.003190490602835999855340e-5",
    ("0.5", 10, "3", "10", "0.25"): "0.3676897124196538895416113",
    ("5", 10**6, "1000", "9000", "0.0005"): "9.377209101230951377491363e-6",
    ("0.3", 3, "1", "-1", "0"): "1.550195489233755023203776",
    ("20", 20, "1.2", "9", "0.3"): "0.0005725820547147656309223995",
}


def ratio(delta, epsilon=1, sigma=1):
    """(5.11) as a float."""
    point = {"epsilon": epsilon, "delta": Fraction(delta), "sigma": sigma, "mu_o": 0}
    return float(evaluate_in(MpReal(20), corollary_5_4_2.ratio_of_gaps, point))


@pytest.mark.parametrize(("inputs", "expected"), SUMS.items())
def test_the_sum_of_the_deltas_at_25_digits(inputs, expected):
    """Adding the deltas agrees with the reference table, above 1 too."""
    names = ("epsilon", "c_u", "sigma", "gap", "mu_o")
    point = CLAIMS["cor5.4.1.ub"].domain.parse(dict(zip(names, inputs, strict=True)))
    enclosure = enclose(delta_added, point, 50)
    middle, printed = (enclosure.lower + enclosure.upper) / 2, Fraction(expected)
    assert abs(middle - printed) < printed / 10**24


def test_the_ratio_of_the_case_of_the_erratum():
    """Sigma = epsilon = 1: 3.65 at delta = .45, but -0.267 and 0.351 beyond one half."""
    assert ratio("0.45") == pytest.approx(3.65387, rel=1e-5)
    assert ratio("0.6") == pytest.approx(-0.266716190247, rel=1e-11)
    assert ratio("0.7") == pytest.approx(0.351217118162, rel=1e-11)


@pytest.mark.parametrize("delta", ["1/10", "1/2"])
def test_the_ratio_is_told_where_both_gaps_are_positive(delta):
    """Of one row above delta_Gaussian, 0.38, and below 1/2."""
    with pytest.raises(ParameterError, match=r"delta_Gaussian < delta|delta < 1/2"):
        CLAIMS["cor5.4.2"].domain.parse({"epsilon": 1, "delta": delta, "sigma": 1, "mu_o": 0})


def test_adding_has_no_threshold_where_the_noise_alone_reaches_delta():
    """(A.15) is infinite for delta <= delta_Gaussian, (A.16) for delta < delta_Gaussian."""
    point = {"epsilon": 1, "delta": Fraction(1, 10), "sigma": 1, "mu_o": 0}
    assert CLAIMS["A.15"].special_value(**point).value == "infinity"
    assert CLAIMS["A.16"].special_value(**point).value == "infinity"


def test_the_ratio_at_a_tiny_delta():
    """A delta of 1e-300 is answered."""
    point = {"epsilon": 1, "delta": Fraction("1e-300"), "sigma": 1000, "mu_o": 0}
    enclosure = enclose(corollary_5_4_2.ratio_of_gaps, point, 30)
    assert 1 <= float(enclosure.upper) < 1.000001


@pytest.mark.slow
def test_r_falls_below_t_with_the_wrong_delta():
    """R with 0.99 f in place of f does not stay above t."""
    claim = CLAIMS["pf.cor1.rt"]

    def smaller(A, *, epsilon, mu, beta):
        beta = A.number(beta)
        return 1 - beta + beta * A.number("0.99") * end_functions.t(A, epsilon=epsilon, mu=mu, beta=1)

    assert refuted(replace(claim, kind=replace(claim.kind, right=smaller)))


@pytest.mark.slow
def test_the_sum_is_not_a_bound_once_it_is_scaled_down():
    """0.6 times the sum falls below the exact delta."""
    claim = CLAIMS["cor5.4.1.ub"]

    def scaled(A, **values):
        return A.number("0.6") * delta_added(A, **values)

    assert refuted(replace(claim, kind=replace(claim.kind, formula=scaled, exact=delta_exact)))
