"""Reference values to 25 digits, recomputed in balls; each was found independently at 30 to 60 digits."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.rogers2024 import laws, orders, range_one, remark_7, section_4_2_1, theorem_10, thresholds
from proofs_numeric.rogers2024.theorem_8 import statement as theorem_8
from proofs_numeric.rogers2024.theorem_9 import statement as theorem_9
from proofs_numeric.rogers2024.theorem_11 import statement as theorem_11
from proofs_numeric.statements.concentrated import canonne_epsilon_upper, cdp_to_dp_epsilon_upper, gaussian_epsilon

MILLIONTH = Fraction(1, 10**6)
ONE = {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": MILLIONTH}

VALUES = {
    "Laplace threshold": (thresholds.laplace_threshold, ONE, "14.12236337740432879469072"),
    "Gaussian threshold": (thresholds.gaussian_threshold, ONE, "5.753424308822898948193988"),
    "Gaussian threshold, many labels": (
        thresholds.gaussian_threshold,
        {"delta_0": 10, "delta_inf": 5, "epsilon": Fraction(1, 2), "delta": Fraction(1, 10**8)},
        "64.97807015007686871562310",
    ),
    "top threshold": (thresholds.top_threshold, ONE, "7.722357125251299023166886"),
    "Gumbel threshold": (
        thresholds.gumbel_threshold, {"k_bar": 10, "epsilon": 1, "delta": MILLIONTH}, "17.11809565095831978812594",
    ),
    "Gumbel mass": (theorem_9.worst_new_mass, {"delta": MILLIONTH}, "9.999990000009999990000010e-7"),
    "stream threshold, statement": (
        thresholds.threshold_of_statement, {"L": 7, "delta_0": 1, "epsilon": 1, "delta": MILLIONTH},
        "11.26526916870575605508316",
    ),
    "stream threshold, proof": (
        thresholds.threshold_of_proof, {"L": 7, "delta_0": 1, "epsilon": 1, "delta": MILLIONTH},
        "9.889983876784351231387994",
    ),
    "conversion": (cdp_to_dp_epsilon_upper, {"rho": Fraction(1, 2), "delta": MILLIONTH}, "5.756521769756931978630121"),
    "best conversion": (
        canonne_epsilon_upper, {"rho": Fraction(1, 2), "delta": MILLIONTH}, "5.221534444530169044220961",
    ),
    "converted first": (
        remark_7.converted_first, {"epsilon": 1, "delta_prime": MILLIONTH}, "11.51304353951386395726024",
    ),
    "converted last": (remark_7.converted_last, {"epsilon": 1, "delta_prime": MILLIONTH}, "8.433844377699676893904814"),
    "sharp exponential mechanism": (range_one.em_exact_rho, {"epsilon": 1}, "0.1233015614822445333633584"),
    "sharp Laplace": (orders.laplace_rho, {"epsilon": 1}, "0.3678794411714423215955238"),
    "sharp pure DP": (orders.pure_rho, {"epsilon": 1}, "0.4621171572600097585023185"),
    "Laplace Renyi divergence": (laws.laplace_renyi, {"alpha": 2, "epsilon": 1}, "0.6191236299985928833997885"),
    "statement's first round": (
        theorem_11.first_round_mass_of_statement, {"L": 1, "delta_0": 1, "epsilon": 1, "delta": Fraction(9, 10)},
        "0.9650368366397468454120943",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_formulas_give_the_reference_values(name):
    """Twenty-four of the 25 printed digits, certified; the last one may be rounded either way."""
    formula, parameters, printed = VALUES[name]
    enclosure = enclose(formula, parameters, 30)
    assert abs((enclosure.lower + enclosure.upper) / 2 - Fraction(printed)) <= abs(Fraction(printed)) / 10**24


@pytest.mark.parametrize("name", VALUES)
def test_mpmath_and_doubles_agree_with_the_ball(name):
    """One formula, three arithmetics."""
    formula, parameters, _printed = VALUES[name]
    exact = enclose(formula, parameters, 30)
    with MpReal(30) as A:
        high = formula(A, **{k: A.number(v) if isinstance(v, Fraction) else v for k, v in parameters.items()})
    with Float64() as A:
        double = formula(A, **{k: A.number(v) if isinstance(v, Fraction) else v for k, v in parameters.items()})
    assert exact.lower * (1 - Fraction(1, 10**28)) <= Fraction(str(high)) <= exact.upper * (1 + Fraction(1, 10**28))
    assert float(double) == pytest.approx(float(exact.lower), rel=1e-12)


def test_the_exact_gaussian_epsilon_of_one_half():
    """Mu = 1 at 1e-6: what no conversion of rho = 1/2 can beat; and of two releases at epsilon 1."""
    assert gaussian_epsilon(Fraction(1, 2), MILLIONTH).decimal(24)[0] == "4.8865541174622119963705"
    assert gaussian_epsilon(1, MILLIONTH).decimal(24)[0].startswith("7.28608096641860764606")


def test_the_delta_left_over_by_the_printed_conversion():
    """The exact Gaussian's delta at the converted epsilon is 90 times smaller than asked for."""

    def left(A):
        return gaussian_profile(A, cdp_to_dp_epsilon_upper(A, rho=A.number(Fraction(1, 2)), delta=MILLIONTH), 1)

    assert enclose(left, {}, 25).decimal(22)[0].startswith("1.11562052945970053846")


@pytest.mark.parametrize(
    ("delta_0", "delta", "printed"),
    [
        (2, MILLIONTH, "9.98249077e-7"),
        (3, Fraction(1, 20), "0.0429458886"),
        (1, MILLIONTH, "1e-6"),
        (2, Fraction(463, 1000), "0.355386757"),
    ],
)
def test_new_item_mass_of_the_top_algorithm(delta_0, delta, printed):
    """1 - E[Phi(sqrt(2) z + Z)^D_0]; delta itself for one item."""
    mass = enclose(theorem_8.new_item_mass, {"delta_0": delta_0, "delta": delta}, 15)
    assert float(mass.lower) == pytest.approx(float(printed), rel=2e-9)


@pytest.mark.parametrize(
    ("formula", "printed"),
    [(thresholds.threshold_of_proof, 0.0184678), (thresholds.threshold_of_statement, 0.00473608)],
)
def test_new_item_mass_over_three_rounds(formula, printed):
    """U1 at delta = .05: the proof's threshold, and the statement's larger one."""
    A = Float64()
    lead = formula(A, L=3, delta_0=1, epsilon=1, delta=0.05) - 1
    assert float(theorem_11.stream_new_mass_at(A, lead=lead, L=3, delta_0=1)) == pytest.approx(printed, rel=1e-5)


def test_pay_what_you_get_mass():
    """Three all-new queries with k* = 2 at delta = .05."""
    mass = theorem_10.stream_new_mass(Float64(), l_star=3, k_star=2, delta=0.05)
    assert float(mass) == pytest.approx(0.0929705, rel=1e-6)


def test_the_swap_pair_exceeds_k_bar_times_rho():
    """KL = .5594 at N - t - T = 1.95 > 1/2: the smaller histogram's law against the larger one's."""
    with Ball(128) as A:
        kl = section_4_2_1.swap_kl(A, epsilon=A.number(1), lead=A.number("1.95"))
        assert kl > A.number("0.55935")
        assert kl < A.number("0.55937")


def test_the_printed_mixture_of_a_stream_has_a_negative_part():
    """l* = 2, delta = .1: -0.7355."""
    value = theorem_10.all_bottom_remainder(Float64(), l_star=2, delta=0.1)
    assert float(value) == pytest.approx(-0.7355, abs=5e-5)


def test_the_literal_scale_of_theorem_10_crosses_far_too_often():
    """Delta_inf = 2, k_bar = 1, epsilon = 1, delta = 1e-6: 1.646e-3."""
    mass = theorem_10.crossing_with_literal_scale(Float64(), delta_inf=2, k_bar=1, epsilon=1, delta=1e-6)
    assert float(mass) == pytest.approx(1.646e-3, rel=5e-4)
