"""The exact hockey stick of a correlated pair, in three arithmetics."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from scipy import special

from proofs_numeric.arithmetic import Ball, ComplexBall, Float64, MpReal, mixed_pair_enclosure, mixed_pair_trapezoid
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.mixed_pair import MixedPair
from proofs_numeric.arithmetic.noise_maximum import ConditionalSurvival, geometric_sum, released, unreleased
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_cdf, normal_pdf
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.oracle import pair_delta_by_definition
from proofs_numeric.lebeda2025.exact.pair import pair_delta, shared_mu, worst_change

# (epsilon, k, sigma, gap, l, j) -> forward, reverse; float64 quadrature and simulation elsewhere.
_KNOWN = [
    (("3/10", 3, "2", "3", 1, 1), ".143639016125", ".088418919763"),
    (("3/10", 4, "3/2", "2", 2, 1), ".268137606170", ".186225761013"),
    (("1/10", 4, "2", "4", 1, 2), ".191345487284", ".186549995805"),
    (("1/2", 6, "2", "3", 2, 2), ".208671549524", ".108802230566"),
]

_HARD = [("3/10", 3, "2", "3", 1, 2), ("0", 6, "100000", "564930", 3, 2)]


def _point(values: tuple, direction: str) -> dict:
    epsilon, k, sigma, gap, l, j = values
    exact = {"epsilon": Fraction(epsilon), "sigma": Fraction(sigma), "gap": Fraction(gap)}
    return {**exact, "k": k, "l": l, "j": j, "direction": direction}


@pytest.mark.slow
@pytest.mark.parametrize(("values", "forward", "reverse"), _KNOWN)
def test_known_pairs_are_enclosed_to_twelve_digits(values, forward, reverse):
    """Both directions of four published pairs lie within half a unit of their last printed digit."""
    for direction, printed in (("forward", forward), ("reverse", reverse)):
        found = enclose(pair_delta, _point(values, direction), 14)
        assert abs((found.lower + found.upper) / 2 - Fraction(printed)) <= Fraction(1, 10**12)


@pytest.mark.slow
@pytest.mark.parametrize("values", [*(known[0] for known in _KNOWN), *_HARD])
@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_arithmetics_agree(values, direction):
    """Mpmath at 15 digits and doubles fall into the ball, up to their own rounding."""
    ball = enclose(pair_delta, _point(values, direction), 12)
    middle = float((ball.lower + ball.upper) / 2)
    assert float(evaluate_in(MpReal(15), pair_delta, _point(values, direction))) == pytest.approx(middle, rel=1e-12)
    assert float(evaluate_in(Float64(), pair_delta, _point(values, direction))) == pytest.approx(middle, rel=1e-9)


@pytest.mark.parametrize(("l", "j"), [(2, 1), (4, 0), (0, 2)])
def test_negative_epsilon_is_the_reflected_other_direction(l, j):
    """forward(-e) = 1 - e^-e + e^-e reverse(e)."""
    values = ("3/10", 4, "3/2", "2", l, j)
    reverse = float(evaluate_in(Float64(), pair_delta, _point(values, "reverse")))
    forward = float(evaluate_in(Float64(), pair_delta, {**_point(values, "forward"), "epsilon": Fraction(-3, 10)}))
    assert forward == pytest.approx(1 - np.exp(-0.3) + np.exp(-0.3) * reverse, rel=1e-10)


def test_all_new_counters_leak_in_reverse_too():
    """L = k: reverse is max(0, 1 - e^epsilon (1 - A_k)), not 0."""
    values = ("1/10", 3, "2", "3", 3, 0)
    forward = float(evaluate_in(Float64(), pair_delta, _point(values, "forward")))
    reverse = float(evaluate_in(Float64(), pair_delta, _point(values, "reverse")))
    assert reverse == pytest.approx(1 - np.exp(0.1) * (1 - forward), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "gap"), [("0", "3661/1000"), ("0", "3"), ("-1/10", "3")])
def test_of_counters_none_of_which_changes_the_new_ones_are_told_apart_both_ways(epsilon, gap):
    """J = 0, epsilon <= 0: the reverse is 1 - e^epsilon (1 - A_l), in balls to every digit however rare a release."""
    values = (epsilon, 4, "1/10" if gap == "3661/1000" else "2", gap, 2, 0)
    reverse = enclose(pair_delta, _point(values, "reverse"), 30)
    forward = enclose(pair_delta, {**_point(values, "forward"), "epsilon": Fraction(0)}, 30)
    factor = Fraction(np.exp(float(Fraction(epsilon))))
    assert float(reverse.lower / (1 - factor * (1 - forward.lower))) == pytest.approx(1, rel=1e-12)
    assert float(evaluate_in(MpReal(15), pair_delta, _point(values, "reverse"))) == pytest.approx(
        float(reverse.lower), rel=1e-9
    )


@pytest.mark.parametrize(
    ("k", "d"), [(k, d) for k in (1, 2, 3, 4, 9, 10, 17, 51914) for d in (1, 2, 3, 10, 25) if d <= k]
)
def test_worst_change_maximises_the_distance(k, d):
    """The integer formula agrees with trying every j."""
    distance = [float(shared_mu(Float64(), k=k, sigma=1.0, d=d, j=j)) for j in range(d + 1)]
    assert distance[worst_change(k, d)] == max(distance)


@pytest.mark.parametrize(
    ("l", "k", "t"), [(1, 1, "3"), (3, 3, "3/2"), (10, 10, "5"), (10, 10, "-3"), (16, 16, "0"), (7, 12, "8")]
)
def test_release_probability_agrees_with_rigorous_integration(l, k, t):
    """The trapezoidal enclosure meets acb.integral's, two independent rigorous rules."""
    with Ball(128) as A:
        b, x = shared_slope(A, k=k), A.number(Fraction(t))
        direct = integral(A, lambda C, z: normal_pdf(C, z) * normal_cdf(C, x - b * z) ** l, -15, 15)
        assert (1 - direct).overlaps(released(A, l=l, t=x, b=b) + A.number(0).union(A.number(Fraction(1, 10**40))))
        assert unreleased(A, l=l, t=x, b=b).overlaps(direct)


def test_tiny_release_probabilities_keep_their_digits():
    """A delta of 1e-271 is enclosed to 25 digits at 128 bits: the rule's error is relative."""
    with Ball(128) as A:
        value = released(A, l=12, t=A.number(40), b=shared_slope(A, k=12))
        assert value.rel_accuracy_bits() > 85
    assert float(released(Float64(), l=12, t=40.0, b=12**-0.25)) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize("A", [Float64(), MpReal(15), Ball(64)], ids=lambda A: A.name)
@pytest.mark.parametrize("b", ["1/2", "1", "3/2", "1e6", "1e160"])
def test_two_and_three_noises_of_any_shared_scale_are_silent_by_sheppard_s_formula(A, b):
    """At t = 0 with correlation rho: 1/4 + asin(rho)/(2 pi), and 1/8 + 3 asin(rho)/(4 pi)."""
    square = Fraction(b) ** 2
    angle = 1 / 2 - math.atan(math.sqrt((1 + 2 * square) / square**2)) / math.pi  # asin(rho)/pi, to every digit
    with A:
        for l, silent in ((2, 1 / 4 + angle / 2), (3, 1 / 8 + 3 * angle / 4)):
            at = {"l": l, "t": A.number(0), "b": A.number(Fraction(b))}
            assert float(unreleased(A, **at)) == pytest.approx(silent, rel=1e-13)
            assert float(released(A, **at)) == pytest.approx(1 - silent, rel=1e-13)


@pytest.mark.parametrize(("l", "t", "b"), [(2, -30, 1), (100, -30, 1), (3, -30, "3/2"), (100, -3, "1/2"), (7, 25, 40)])
def test_doubles_find_a_rare_silence_wherever_it_comes_from(l, t, b):
    """The double lies within a relative 1e-12 of the ball."""
    with Ball(128) as A:
        exact = float(unreleased(A, l=l, t=A.number(t), b=A.number(Fraction(b))))
    assert float(unreleased(Float64(), l=l, t=float(t), b=float(Fraction(b)))) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("terms", [0, 1, 2, 3, 7, 64, 1000])
def test_geometric_sum_adds_the_powers(terms):
    """Doubling gives 1 + r + ... + r^(n-1)."""
    assert geometric_sum(MpReal(30), MpReal(30).number("1/2"), terms) == pytest.approx(
        2 - 2.0 ** (1 - terms) if terms else 0
    )


@pytest.mark.parametrize(("l", "d"), [(5, 8), (2, 9), (4, 6)])
def test_the_ball_of_any_number_of_shared_counters_holds_the_double(l, d):
    """Also where they are not those that are left, as in boxes of pairs."""
    at = {"epsilon": 0, "k": 10, "sigma": 3, "gap": 9, "l": l, "d": d, "j": 3, "direction": "forward"}
    found = enclose(pair_delta, at, 9)
    assert float(found.lower) - 1e-9 <= float(evaluate_in(Float64(), pair_delta, at)) <= float(found.upper) + 1e-9


def test_an_impossible_pair_is_refused():
    """More changed counters than shared ones is one clear line."""
    with pytest.raises(ValueError, match="expected 0 <= l and 0 <= j <= d"):
        pair_delta(Float64(), epsilon=0.1, k=3, sigma=1.0, gap=1.0, l=2, j=2, direction="forward")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "direction"),
    [
        (("0", 3, "2", "3", 2, 1), "forward"),
        (("1/10", 4, "4", "12", 2, 2), "forward"),
        (("1/10", 4, "4", "12", 2, 2), "reverse"),
        (("0", 4, "4", "12", 3, 0), "reverse"),
        (("1", 4, "4", "12", 3, 0), "reverse"),
        (("-1/10", 4, "4", "12", 2, 0), "forward"),
        (("0", 2, "100000", "500000", 1, 1), "forward"),
    ],
)
def test_parting_the_window_at_its_kinks_changes_nothing_but_the_width(values, direction, monkeypatch):
    """Smooth parts between certified changes of sign give what the positive part integrated as it stands gives."""
    with Ball(64) as A:
        parted = pair_delta(A, **_point(values, direction), bits=24)
        monkeypatch.setattr(mixed_pair_enclosure, "_parts", lambda *_given: None)
        whole = pair_delta(A, **_point(values, direction), bits=24)
    assert parted.overlaps(whole)
    assert parted.rel_accuracy_bits() >= whole.rel_accuracy_bits() >= 18


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("values", [_KNOWN[2][0], ("0", 4, "4", "-5", 2, 1), ("2", 6, "5", "20", 3, 1)])
def test_the_trapezoidal_rule_meets_rigorous_integration(values, direction, monkeypatch):
    """Two enclosures of one integral that share no error bound; the rule's has the bits that were asked for."""
    with Ball(64) as A:
        by_rule = pair_delta(A, **_point(values, direction), bits=30)
        monkeypatch.setattr(mixed_pair_enclosure, "trapezoid", lambda *_given: None)
        whole = pair_delta(A, **_point(values, direction), bits=30)
    assert by_rule.overlaps(whole)
    assert by_rule.rel_accuracy_bits() >= 28


@pytest.mark.slow
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("l", [1, 4])
def test_the_integrand_is_below_its_bound_off_the_real_line(l, forward):
    """|F(x + iy)| where Arb finds it, at 60 points of the strip in which F is analytic; some within a tenth of it."""
    with Ball(128) as A:
        number = A.number
        numbers = [number(Fraction(value)) for value in ("3/10", "2", "3", "3/2")]
        silent = unreleased(A, l=l, t=numbers[2] / numbers[1], b=1 / numbers[3].sqrt())
        pair = MixedPair(l, 5, 2, A, *numbers, 1 - silent, silent, number(0), forward)
        g, c = ConditionalSurvival(A, l, pair.b, 120), mixed_pair_trapezoid.curvature(pair)
        ratios = []
        for x in np.arange(-4.0, 3.5, 0.75):
            ends = number(x - 1 / 64), number(x + 1 / 64)
            logs = [g(A, pair.t - pair.slope * end).log() for end in ends]
            m, spread = (logs[0] - logs[1]) * 32, c / 32
            strip = mixed_pair_trapezoid.Strip(pair, *ends, *logs, m - spread, m + spread)
            for y in (0.01, 0.1, 0.2, 0.3, 0.4, 0.5):
                z = flint.acb(x, y)
                found = abs(pair.integrand(ComplexBall(128), z, g(ComplexBall(128), pair.t - pair.slope * z)))
                bound = sum((log.exp() for log in strip.logs(A, number(y), c)), number(0)) / (2 * A.pi).sqrt()
                assert found < bound
                ratios.append(float(found / bound))
        assert len(ratios) == 60
        assert max(ratios) > 0.1


def test_only_a_certain_change_of_sign_is_narrowed():
    """Elsewhere both ends are the point asked about, so that no parts are left; a change is enclosed as asked."""
    with Ball(64) as A:
        for flat in (lambda x: x * 0, lambda x: x * x + 1):
            left, right = mixed_pair_enclosure._narrowed(flat, 0.5, 1e-9)
            assert left == right
        left, right = mixed_pair_enclosure._narrowed(lambda x: A.number(Fraction(1, 2)) - x, 0.5, 1e-9)
        assert right - left < 1e-9
        assert left < 0.5 < right


@pytest.mark.parametrize("t", ["-1e15", "-1e40", "-1e300"])
def test_a_threshold_far_below_is_passed_for_certain(t):
    """P = 1 in few bits, where the probability of silence is a ball about 0, and that is still known to be tiny."""
    with Ball(64) as A:
        at = {"l": 999, "t": A.number(t), "b": shared_slope(A, k=1000)}
        assert abs(released(A, **at) - 1) < 1e-15
        assert 0 <= unreleased(A, **at).upper() < 1e-300


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("A", [Float64(), MpReal(15), Ball(64)], ids=lambda A: A.name)
@pytest.mark.parametrize("sigma", ["1e-100", "1e-12"])
def test_hardly_any_noise_tells_histograms_apart_for_certain(A, direction, sigma):
    """Both ends of what costs no integral are 1; so none is taken over a window that no double holds."""
    point = {**_point(("53/2000000", 1000, sigma, "-1000", 500, 3), direction)}
    with A:
        assert float(abs(evaluate_in(A, pair_delta, point) - 1)) < 1e-12


@pytest.mark.parametrize("A", [Float64(), MpReal(15), Ball(128)], ids=lambda A: A.name)
def test_a_large_epsilon_weighs_a_silence_that_one_less_forgets(A):
    """One new counter of k = 1, t = -15/sqrt(2) in deviations of the sum: 1 - e^59 Phi(-15/sqrt(2)), SciPy's log_ndtr.

    In doubles the release has probability 1.
    """
    expected = -np.expm1(59 + special.log_ndtr(-15 / np.sqrt(2)))
    assert 0.1 < expected < 0.9
    with A:
        found = evaluate_in(A, pair_delta, _point(("59", 1, "1", "-15", 1, 0), "reverse"))
        assert float(found) == pytest.approx(expected, rel=1e-10)


@pytest.mark.slow
def test_the_reverse_is_at_most_the_shared_part_and_what_silence_loses():
    """The free ends f and f + e^epsilon A_l hold of the integral of the definition."""
    at = {"epsilon": Fraction(3, 10), "k": 6, "sigma": Fraction(2), "gap": Fraction(9), "l": 2, "j": 2}
    with Ball(128) as A:
        found = evaluate_in(A, pair_delta, {**at, "direction": "reverse"})
        new = released(A, l=2, t=A.number(9) / 2, b=shared_slope(A, k=6))
        shared = gaussian_profile(A, A.number(Fraction(3, 10)), shared_mu(A, k=6, sigma=A.number(2), d=4, j=2))
        assert shared <= found <= shared + A.exp(A.number(Fraction(3, 10))) * new
    assert float(pair_delta_by_definition(Float64(), **at, direction="reverse")) == pytest.approx(float(found))


@pytest.mark.slow
@pytest.mark.parametrize("values", [("40", 10, "1e12", "-1e6", 3, 2), ("1", 10, "1e160", "5", 3, 2)])
def test_mpmath_keeps_its_digits_where_the_noise_all_but_hides_the_change(values):
    """However small the stick, or sharp the level at which it bends: doubles and fifteen digits agree."""
    found = evaluate_in(MpReal(15), pair_delta, _point(values, "reverse"))
    assert float(found) == pytest.approx(
        float(evaluate_in(Float64(), pair_delta, _point(values, "reverse"))), rel=1e-12
    )


@pytest.mark.slow
def test_mpmath_finds_a_stick_far_in_the_tails():
    """Twice the digits begin with the digits, below the least double."""
    few, many = (
        evaluate_in(MpReal(n), pair_delta, _point(("700", 100, "1/2", "1", 89, 5), "reverse")) for n in (12, 24)
    )
    assert 0 < many < 1e-320
    assert abs(few / many - 1) < 1e-12


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        (("700", 3, "2", "3", 1, 1), "2.1802780223477475225697828775465239e-1374"),
        pytest.param(("700", 6, "10", "30", 3, 2), "6.39755058010039184166498131753849e-862", marks=pytest.mark.slow),
        pytest.param(("700", 6, "10", "30", 3, 0), "1.99868302502875413171965629366762e-854", marks=pytest.mark.slow),
        (("100", 6, "10", "30", 3, 2), "3.69389238640153535722652878227923e-163"),
    ],
)
def test_a_stick_far_in_the_tails_is_enclosed_in_reverse(values, printed):
    """By balls of 128 bits; printed: mpmath's quadrature, whose code for g and whose rule are its own."""
    with Ball(128) as A:
        found = evaluate_in(A, pair_delta, _point(values, "reverse"))
        assert found.rel_accuracy_bits() > 40
        assert abs(found / A.number(printed) - 1) < A.number("1e-12")


def test_an_epsilon_whose_exponential_is_no_double_is_refused_in_reverse():
    """In doubles; balls have it."""
    with pytest.raises(ValueError, match=r"epsilon <= 709 .* got epsilon=800"):
        evaluate_in(Float64(), pair_delta, _point(("800", 4, "1", "3", 1, 2), "reverse"))


def test_a_level_that_moves_by_many_deviations_in_a_step_gets_a_short_step():
    """Of 19 old counters beside 9981 new ones the change tells little: its level is steep, beyond the window too."""
    point = {"epsilon": Fraction(1, 10**12), "sigma": 100, "gap": Fraction(1000, 3)}
    with Ball(64) as A:
        value = pair_delta(
            A, **{name: A.number(x) for name, x in point.items()}, k=10**4, l=9981, j=17, direction="forward", bits=22
        )
        assert value.rad() < 2.0**-16
