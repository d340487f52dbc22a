"""Section 6: the numbers to full digits, and both figures' curves."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.gaussian import gaussian_mu
from proofs_numeric.statements.kinds import Quantity
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.section_6 import case_study, curves, figures
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

CLAIMS = {claim.id: claim for claim in (*case_study.CLAIMS, *figures.CLAIMS)}

NUMBERS = [
    (partial(gaussian_mu, epsilon=curves.EPSILON_STUDY, delta=curves.DELTA_STUDY), "0.1022428607685887084992821"),
    (curves.least_sigma, "2228.482632459165605747292"),
    (curves.study_delta_gaussian(sigma=2228), "1.003103848512687018142232e-5"),
    (curves.study_epsilon(delta=curves.DELTA_STUDY, sigma=2228), "0.349082346731436661428274"),
    (curves.rows_quantile(delta=curves.DELTA_STUDY), "6.259887837972396418260908"),
    (curves.rows_quantile(delta=curves.FIGURE_1B_DELTA), "7.260643694547749192291899"),
    (curves.exact_gap(sigma=2228), "13947.0301030024992198853"),
    (curves.exact_gap(sigma=curves.least_sigma), "13950.05132806384070454614"),
    (curves.added_gap(sigma=2396), "15148.71682197614133136743"),
    (curves.exact_gap(sigma=2396), "14998.69125978186181815314"),
    (partial(curves.crossing_sigma, excess=Fraction(1, 100)), "2396.03115859699557348141"),
    (curves.added_gap(sigma=2699), "16912.29170653259549017987"),
    (curves.exact_gap(sigma=2699), "16895.43727468749793288619"),
    (partial(curves.crossing_sigma, excess=Fraction(1, 1000)), "2698.675727949597385617447"),
    (curves.added_gap(sigma=2400), "15169.13123035956861834551"),
    (curves.added_gap(sigma=2300), "14748.98671879655408316729"),
    (curves.added_gap(sigma=2240), "14916.87057210906764689289"),
    (curves.exact_gap(sigma=2240), "14022.14875705816797690443"),
    (curves.least_gap(sigma=2228, delta=curves.FIGURE_1B_DELTA), "16176.71415145238520042635"),
    (curves.least_gap(sigma=curves.least_sigma, delta=curves.FIGURE_1B_DELTA), "16180.2183737738100298368"),
    (curves.study_delta_infinite(sigma=2228, gap=16176), "1.00237266041447891057508e-8"),
    (curves.least_epsilon(delta=Fraction(1, 10**8)), "0.5044432911940683624927358"),
    (curves.least_epsilon(delta=Fraction(1, 10**7)), "0.4576816737714488118278036"),
    (curves.least_epsilon(delta=Fraction(1, 10**6)), "0.4063822943858608209648582"),
    (curves.study_epsilon(delta=Fraction(1, 10**8), sigma=2228), "0.5045578389622798366582843"),
    (curves.study_epsilon(delta=Fraction(1, 10**7), sigma=2228), "0.4577864520697479811075333"),
    (curves.study_epsilon(delta=Fraction(1, 10**6), sigma=2228), "0.4064764286764514526350166"),
]

FIGURE_1A = [
    ("2229.0026", 15816.98, 13953.31),
    ("2230.0026", 15490.85, 13959.57),
    ("2240.0026", 14916.81, 14022.17),
    ("2250.0026", 14785.48, 14084.76),
    ("2275.0026", 14712.06, 14241.26),
    ("2300.0026", 14748.99, 14397.76),
    ("2350.0026", 14929.50, 14710.75),
    ("2400.0026", 15169.14, 15023.75),
    ("2450.0026", 15436.28, 15336.74),
    ("2500.0026", 15718.90, 15649.74),
    ("2528.0026", 15881.62, 15825.01),
]

FIGURE_1B = [
    ("0.10", "9.327866550630e-3", "1.00000107206"),
    ("0.15", "3.476638510e-3", "1.00000287634"),
    ("0.20", "1.077143151e-3", "1.00000928382"),
    ("0.25", "2.745469903e-4", "1.00003642364"),
    ("0.30", "5.710274982e-5", "1.00017512291"),
    ("0.35", "9.630131494e-6", "1.00103840742"),
    ("0.40", "1.310314495e-6", "1.00763175561"),
    ("0.45", "1.432770197e-7", "1.06979486325"),
    ("0.50", "1.255086784e-8", "1.79675765305"),
]


def digits_of(text):
    """Significant digits of a decimal."""
    return len(text.split("e")[0].replace(".", "").lstrip("0"))


def agrees(formula, text, parameters=None):
    """Whether the certified value rounds to the printed digits (one unit of slack for the last)."""
    digits = digits_of(text)
    enclosure = enclose(formula, parameters or {}, digits + 4)
    value = Fraction(text)
    return abs((enclosure.lower + enclosure.upper) / 2 - value) <= abs(value) / Fraction(10) ** (digits - 1)


@pytest.mark.parametrize(("formula", "text"), NUMBERS, ids=[text for _f, text in NUMBERS])
def test_numbers_to_full_digits(formula, text):
    """Certified roots and thresholds reproduce every digit of the table."""
    assert agrees(formula, text)


@pytest.mark.parametrize(("sigma", "added", "exact"), FIGURE_1A)
def test_figure_1a(sigma, added, exact):
    """Both curves on the plotted grid, as far as four decimals of sigma determine them."""
    at = {"sigma": Fraction(sigma)}
    slack = 1e-2 + 5e-5 * abs(float(enclose(curves.added_gap_slope, at, 12).lower))
    assert float(enclose(curves.added_gap, at, 12).lower) == pytest.approx(added, abs=slack)
    assert float(enclose(curves.exact_gap, at, 12).lower) == pytest.approx(exact, abs=6e-3)


@pytest.mark.parametrize(("epsilon", "delta", "ratio"), FIGURE_1B)
def test_figure_1b(epsilon, delta, ratio):
    """Exact delta and the ratio of the two accountings on the plotted range."""
    at = {"epsilon": Fraction(epsilon)}
    assert agrees(curves.figure_1b_exact, delta, at)
    assert agrees(curves.figure_1b_ratio, ratio, at)


def test_curves_are_vectorised_in_float64():
    """The notebook draws each curve with one call, within 1e-12 of the certified values."""
    A, sigmas = Float64(), np.array([2240.0, 2300.0, 2400.0, 2528.0])
    for curve in (curves.added_gap, curves.exact_gap):
        fast = curve(A, sigma=sigmas)
        sure = [float(enclose(curve, {"sigma": Fraction(int(s))}, 20).lower) for s in sigmas]
        assert fast == pytest.approx(sure, rel=1e-11)
    epsilons = np.linspace(0.1, 0.5, 5)
    assert curves.figure_1b_ratio(A, epsilon=epsilons).shape == (5,)
    assert np.all(np.diff(curves.figure_1b_exact(A, epsilon=epsilons)) < 0)


def test_the_slope_of_the_add_curve_is_its_derivative():
    """A central difference at 60 digits agrees."""
    with MpReal(60) as A:
        h, sigma = A.number("1e-20"), A.number(2350)
        difference = (curves.added_gap(A, sigma=sigma + h) - curves.added_gap(A, sigma=sigma - h)) / (2 * h)
        assert abs(difference / curves.added_gap_slope(A, sigma=sigma) - 1) < 1e-30


def test_literal_parameters_of_figure_1b_give_other_ratios():
    """With sigma = 2228 and gap 16176 the four ratios are 1.99763, 1.100237, 1.010024 and 1.001002."""
    for exponent, value in ((8, 1.99763), (7, 1.100237), (6, 1.010024), (5, 1.001002)):

        def ratio(A, exponent=exponent):
            epsilon = curves.study_epsilon(A, delta=Fraction(1, 10**exponent), sigma=2228)
            at = {"epsilon": epsilon, "c_u": curves.C_U_STUDY, "sigma": 2228, "gap": 16176, "mu_o": 0}
            return delta_added(A, **at) / delta_exact(A, **at)

        assert float(enclose(ratio, {}, 12).lower) == pytest.approx(value, abs=6e-6)


def test_the_printed_pair_belongs_to_a_narrow_window():
    """16,910 and 16,894 come out together near sigma = 2698.70, and not at 2699."""

    def pair(sigma):
        at = {"sigma": Fraction(sigma)}
        return tuple(round(enclose(curve, at, 12).lower) for curve in (curves.added_gap, curves.exact_gap))

    assert pair("2698.70") == (16910, 16894)
    assert pair("2698.68") != (16910, 16894)
    assert pair("2699") == (16912, 16895)


def test_every_false_number_has_a_correction():
    """A refuted claim names its correction, which is a claim expected to hold."""
    refuted = [claim for claim in CLAIMS.values() if claim.expected is Expectation.REFUTED]
    assert len(refuted) >= 8
    for claim in refuted:
        assert CLAIMS[claim.corrected_by].expected is Expectation.HOLDS


def test_printed_numbers_are_decimal_strings():
    """Every printed number parses exactly."""
    assert all(Fraction(c.kind.printed) for c in CLAIMS.values() if isinstance(c.kind, Quantity))
