"""Values for people: no digit that is not known, a bracket as a bracket, and reasons that are true."""

import itertools
import math
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from auditor.checks.show import mpmath_inside
from auditor.engine.evaluation import evaluate
from auditor.engine.registry import registry
from auditor.errors import UsageError
from auditor.front.cli import invoke
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import Enclosure, enclose, enclosed_at
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.claim import QuantityKind

BRACKETED = (
    "wilkins2024.composition.adaptive.stopping",
    {"epsilon": 1, "releases": 2, "c_u": 1, "sigma": "2.8284271", "gap": "7.649", "mu_o": 0},
)
CANCELLING = [
    ("rogers2024.sharp.em", {"alpha": 2, "epsilon": 100, "theta": "1/2"}),
    pytest.param("rogers2024.thm8.new_item_mass", {"delta_0": 1, "delta": "1e-300"}, marks=pytest.mark.slow),
    ("wilkins2024.sec7.f_dp_factor.star", {"epsilon": "92.59", "mu": 100}),
    ("lebeda2025.thm12", {"epsilon": 1, "k": 10000, "sigma": 1, "gap": 3}),  # a maximum over thousands of near terms
]


@pytest.mark.parametrize("lost", [0, 20, 50, 300, 1200])
def test_digits_that_a_cancellation_takes_are_computed_again(lost):
    """``(1 + 10^-lost/3) - 1`` is a third of 10^-lost to every digit shown."""

    def formula(A, *, x):
        return (1 + x / 3) - 1

    point = {"x": Fraction(1, 10**lost)}
    text = mpmath_inside(formula, point, enclose(formula, point, 30), 25)
    assert Fraction(text) / point["x"] == Fraction("0." + "3" * 25)


def test_a_value_outside_its_ball_at_every_precision_is_none():
    """Two kernels of one function that differ are told apart, however many digits are asked for."""
    assert mpmath_inside(lambda A: A.number(1), {}, Enclosure(Fraction(2), Fraction(2), 64), 10) is None
    assert mpmath_inside(lambda A: A.infinity, {}, Enclosure(Fraction(2), Fraction(2), 64), 10) is None


@pytest.mark.parametrize(("claim", "point"), CANCELLING)
def test_the_value_shown_lies_in_its_ball(claim, point):
    """To the last digit asked for, and says that it does."""
    evaluation, ball = evaluate(claim, point, digits=25), evaluate(claim, point, "ball", 25)
    unit = Fraction(evaluation.value) / 10**24
    assert Fraction(ball.lower) - unit <= Fraction(evaluation.value) <= Fraction(ball.upper) + unit
    assert evaluation.certified


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", ["mpmath", "ball"])
def test_a_bracket_is_shown_as_a_bracket(arithmetic, capsys):
    """No middle, and the reason."""
    claim, point = BRACKETED
    evaluation = evaluate(claim, point, arithmetic)
    assert evaluation.value is None
    assert 0.008828 < float(evaluation.lower) < 0.008829
    assert 0.008840 < float(evaluation.upper) < 0.008841
    assert "groups of releases" in evaluation.reason
    invoke(["evaluate", claim, *(f"{name}={value}" for name, value in point.items()), "--arithmetic", arithmetic])
    first, second, *_rest = capsys.readouterr().out.splitlines()
    assert first == f"between {evaluation.lower} and {evaluation.upper}; no more is known"
    assert second == f"because {evaluation.reason}"


FAR = [
    ("wilkins2024.thm5.4", {"epsilon": 700, "c_u": 10, "sigma": 1, "gap": 300}, "4.53005513281305806e-10494"),
    ("lebeda2025.csh.exact", {"epsilon": 700, "k": 10, "sigma": 1, "gap": 1000}, "3.24067955322323406e-32321"),
]
"""By mpmath with 60 digits: f(sqrt(10), 700), and the largest f(mu_j, 700), that of j = 7."""


@pytest.mark.parametrize("arithmetic", ["mpmath", "ball"])
@pytest.mark.parametrize(("claim", "point", "value"), FAR)
def test_digits_far_below_the_doubles_are_known(claim, point, value, arithmetic):
    """No digit of a bound on the magnitude is printed for one of the value."""
    evaluation = evaluate(claim, point, arithmetic, 18)
    assert evaluation.certified
    assert abs(Fraction(evaluation.value) / Fraction(value) - 1) < Fraction(1, 10**16)


def test_a_magnitude_below_every_exact_end_is_a_bracket():
    """f(1/1000, 700) is about e^(-2.45e11): balls print its bracket, doubles say that no digit is known."""
    point = {"epsilon": 700, "mu": "1/1000"}
    for arithmetic in ("mpmath", "ball"):
        evaluation = evaluate("wilkins2024.thm2.2", point, arithmetic)
        assert evaluation.value is None
        assert evaluation.lower == "0"
        assert Fraction(evaluation.upper) < Fraction(1, 10**78000)
        assert "too small" in evaluation.reason
    assert "no digit is known" in evaluate("wilkins2024.thm2.2", point, "float64").reason


TIES = [
    ("standard.partition_selection.keep", {"epsilon": 0, "keep": "1/3", "keep_next": "1/3"}),
    ("standard.randomized_response", {"epsilon": "1/3", "epsilon_0": "1/3", "categories": 2}),
    ("standard.bounded_range", {"epsilon": "1/3", "eta": "1/3"}),
    ("standard.discrete_laplace", {"epsilon": "1/3", "scale": 3, "sensitivity": 1}),
    ("standard.discrete_laplace.composition", {"epsilon": 1, "scale": 3, "sensitivity": 1, "k": 3}),
    ("standard.composition.homogeneous", {"epsilon": "1/3", "epsilon_0": "1/3", "delta_0": 0, "k": 1}),
]


@pytest.mark.parametrize("arithmetic", ["ball", "mpmath"])
@pytest.mark.parametrize(("identifier", "point"), TIES)
def test_a_value_that_is_0_by_a_tie_is_0(identifier, point, arithmetic):
    """Where balls of two equal numbers overlap at every precision; a little beside the tie it is not 0."""
    evaluation = evaluate(identifier, point, arithmetic)
    assert (evaluation.value, evaluation.certified) == ("0", True)
    first = list(point)[1]
    beside = {**point, first: Fraction(point[first]) * Fraction(101, 100)}
    if first != "scale":  # more noise, no delta
        assert float(evaluate(identifier, beside, arithmetic).value) > 0


BESIDE_TIES = [  # k releases of loss k/b at most, at that epsilon; the tails e^(-(T - m)/b)/(1 + e^(-1/b)) and e^-x/2
    ("standard.laplace.composition", {"epsilon": "3/7", "scale": 7, "k": 3}, "0"),
    (
        "thresholds.laplace.integer.profile",
        {"epsilon": "1/3", "scale": 3, "threshold": 40000, "c_u": 1, "per_key": 1}, "2.075014110e-5791",
    ),
    (
        "rogers2024.thm7.laplace.exact",
        {"epsilon": "1/3", "delta_0": 1, "delta_inf": 1, "b": 3, "T": 30000}, "7.923476955e-4344",
    ),
]  # fmt: skip


@pytest.mark.parametrize("arithmetic", ["ball", "mpmath"])
@pytest.mark.parametrize(("identifier", "point", "value"), BESIDE_TIES)
def test_what_a_tie_leaves_over_has_all_its_digits(identifier, point, value, arithmetic):
    """A difference of exact parameters that is 0, inside a maximum with a number below every double."""
    found = evaluate(identifier, point, arithmetic, 10)
    assert found.certified
    assert abs(Decimal(found.value) - Decimal(value)) <= Decimal(value) * Decimal("1e-9")
    if value != "0":
        assert "underflows" in evaluate(identifier, point, "float64").reason


def test_digits_that_no_ball_has_are_refused_with_the_options_that_help():
    """``tau/q`` is above an integer by e^-40000."""
    with pytest.raises(UsageError, match=r"expected 12 digits .* give fewer --digits, or --arithmetic float64$"):
        evaluate("bharadwaj2022.delta_binom", {"epsilon": 40000, "alpha": "1/2", "tau": 3}, "ball", 12)


@pytest.mark.parametrize(
    ("identifier", "point", "true"),
    [
        ("standard.subsampled_gaussian", {"epsilon": 700, "sigma": "1/20", "rate": "1/1000000"}, "3.24e-152"),
        ("wilkins2024.thm2.2", {"epsilon": 700, "mu": 17}, None),
        ("lebeda2025.thm21.delta_inf", {"k": 1, "sigma": "171/50", "gap": "400/3"}, "1.6e-167"),
        ("wilkins2024.lem5.1", {"epsilon": 1, "c_u": 1, "sigma": 1, "gap": 40}, "3.66e-350"),
    ],
)
def test_a_double_that_underflows_is_said_to(identifier, point, true):
    """The value that a ball has is named; where the double has digits nothing is said."""
    evaluation = evaluate(identifier, point, "float64")
    if true is None:
        assert evaluation.reason is None
        assert float(evaluation.value) > 0
    else:
        assert float(evaluation.value) == 0
        assert f"underflows: the value is {true}" in evaluation.reason


def test_why_a_double_is_infinite_is_true():
    """Either the value is beyond the doubles, or a step of the formula is."""
    step = evaluate("wilkins2024.sec7.f_dp_factor.star", {"epsilon": 0, "mu": 100}, "float64")
    assert step.value == "infinity"
    assert "a step of" in step.reason
    large = {"k_bar": 10**9, "epsilon": "1e-306", "delta": "1e-300"}
    assert "cannot hold it" in evaluate("rogers2024.thm9.T", large, "float64").reason
    assert 711_499 < float(evaluate("rogers2024.thm9.T", large | {"epsilon": "1e-3"}, "float64").value) < 711_500


_CORNERS = [Fraction(text) for text in ("1e-300", "1/3", "1", "3", "1e9", "1e300")]
_SOUGHT = {QuantityKind.THRESHOLD, QuantityKind.SCALE, QuantityKind.RHO, QuantityKind.EPSILON}
_ROOTS = {"wilkins2024.thm5.4.sigma": "its roots at a scale of 1e300 take minutes in balls"}
_IN_DOUBLES = sorted(
    claim.id
    for claim in registry().claims.values()
    if claim.formula and claim.quantity in _SOUGHT and claim.domain.names and claim.id not in _ROOTS
)


@pytest.mark.parametrize("identifier", _IN_DOUBLES)
def test_thresholds_scales_and_levels_are_finite_in_doubles_where_they_are(identifier):
    """At the sides of the domain, cut at 1e-300, 1e300 or a declared range: no step overflows before the value does."""
    claim = registry().claims[identifier]
    sides = []
    for parameter in claim.domain.parameters:
        first, last = parameter.range_searched if parameter.searched else (-math.inf, math.inf)
        inside = [
            parameter.coerce(x)
            for x in _CORNERS
            if not parameter.choices and first <= x <= last and parameter.contains(x)
        ]
        inside = [x for x in inside if not parameter.integer or x >= 1] or [parameter.coerce(Fraction(parameter.lower))]
        sides.append(parameter.choices[:1] or (inside[0], inside[-1]))
    compared = 0
    for values in set(itertools.product(*sides)):
        point = dict(zip(claim.domain.names, values, strict=True))
        if not claim.domain.admits(point) or (claim.special_value and claim.special_value(**point)):
            continue
        enclosed = enclosed_at(claim.formula, point, 512)
        if enclosed is None or max(abs(enclosed.lower), abs(enclosed.upper)) > sys.float_info.max:
            continue
        with np.errstate(all="ignore"):
            assert math.isfinite(float(evaluate_in(Float64(), claim.formula, point))), point
        compared += 1
    assert compared


@pytest.mark.parametrize("arithmetic", ["mpmath", "ball", "float64"])
def test_an_upper_bound_above_one_says_that_it_says_nothing(arithmetic):
    """Theorem 12's fourth term has a factor e^epsilon; below 1 nothing is remarked, nor of what is no probability."""
    point = {"epsilon": 600, "k": 10, "sigma": 1, "gap": 1}
    assert "says nothing here: a delta is at most 1" in evaluate("lebeda2025.thm12", point, arithmetic).remark
    assert evaluate("lebeda2025.thm12", {**point, "epsilon": 1, "gap": 30}, arithmetic).remark is None
    assert evaluate("rogers2024.thm7.gaussian.T", {"delta": "1e-6", "epsilon": 1}, arithmetic).remark is None
