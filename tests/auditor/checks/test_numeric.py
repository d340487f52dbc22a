"""Numeric checks: what is right is enclosed, what is wrong in any digit is refuted."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks.numeric import check_calibration, check_oracle, check_quantity, check_value
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import Enclosure
from proofs_numeric.arithmetic.integer_part import floor_of, floors
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_quantile_complement
from proofs_numeric.expression import at_most, exp, expm1, symbol
from proofs_numeric.kernel.numbers import printed_digits, reads_as
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, SpecialValue
from proofs_numeric.statements.kinds import Achieved, Calibration, DeltaBound, Identity, Quantity, Reading
from proofs_numeric.statements.verdict import Expectation, Verdict
from proofs_numeric.wilkins2024.theorem_5_4.lower_threshold import ceiling
from tests.auditor.checks.claims import claim, context

EPSILON = Parameter("epsilon", "privacy loss", "nats", 0, 700)
MU = Parameter("mu", "distance", "no unit", "1e-6", "1e6", log=True)

profile = lambda A, *, epsilon, mu: gaussian_profile(A, epsilon, mu)  # the hockey stick of two unit normals


def from_the_definition(A, *, epsilon, mu):
    """Integral of (p - e^epsilon q)_+ over x > epsilon/mu - mu/2, shifted so that p has mean zero."""
    density = lambda x: A.context.npdf(x) - A.exp(epsilon) * A.context.npdf(x + mu)
    start = epsilon / mu - mu / 2
    return A.context.quad(density, [start, start + 3, start + 10, start + 40])


BOUND = DeltaBound(
    profile, oracle=from_the_definition, oracle_points=({"epsilon": "1/2", "mu": "1"}, {"epsilon": 0, "mu": 2})
)


@pytest.mark.slow
def test_a_right_bound_is_enclosed_and_agrees_with_its_definition():
    """Every grid point gives an enclosure; the definition agrees to the stated digits."""
    right = claim(BOUND, domain=Box((EPSILON, MU)), quantity=QuantityKind.DELTA)
    (bound,), (oracle,) = check_value(right, context()), check_oracle(right, context())
    assert bound.verdict is Verdict.CONSISTENT
    assert oracle.verdict is Verdict.CONSISTENT
    rows = [row for found in (bound, oracle) for row in found.evidence[0].rows]
    assert len(rows) > 2
    for row in rows:  # both sides are told, and as close as the ratio says
        assert float(row.against.lower) <= float(row.against.value) <= float(row.against.upper)
        assert float(row.against.value) == pytest.approx(float(row.quantity.value), rel=2 * float(row.ratio) + 1e-14)


def test_a_wrong_formula_differs_from_its_definition():
    """A sign error in the formula is caught by the definition, in all three arithmetics at once."""
    wrong = replace(BOUND, formula=lambda A, *, epsilon, mu: normal_cdf(A, mu / 2 - epsilon / mu))
    (found,) = check_oracle(claim(wrong, domain=Box((EPSILON, MU))), context())
    assert found.verdict is Verdict.REFUTED
    (witness,) = found.evidence
    assert float(witness.left.value) != pytest.approx(float(witness.right.value), rel=1e-3)


class OneMore(Float64):
    """Doubles whose integer parts are one too high."""


@floors.register
def _(_A: OneMore, x):
    return [math.floor(x) + 1]


@ceiling.register
def _(_A: OneMore, x):
    return math.ceil(x) + 1


def test_a_float64_formula_that_is_off_by_more_than_declared_is_refuted(monkeypatch):
    """Enclosed in balls rightly, and one too high in doubles: of a delta and of a calibrated value; 16 at worst."""
    monkeypatch.setattr("auditor.checks.numeric.Float64", OneMore)
    box = Box((Parameter("x", "", lower=1, upper=20),))
    steps = lambda A, *, x: A.number(floor_of(A, A.number(x) + A.number(Fraction(1, 3))) + 1)
    delta = claim(DeltaBound(steps), domain=box)
    threshold = claim(Calibration(steps, lambda A, *, value, x: A.number(x), "x"), domain=box)
    for check, one in ((check_value, delta), (check_calibration, replace(threshold, points=({"x": 3},)))):
        (found,) = check(one, context())
        assert found.verdict is Verdict.REFUTED
        assert "float64 formula is off by" in found.headline
        (fine,) = check(replace(one, float64_lost=1), context())
        assert fine.verdict is Verdict.CONSISTENT


def test_a_number_that_a_statement_declares_is_judged_in_float64():
    """A difference of exponentials loses its digits in doubles; the same number without the difference does not."""
    x = symbol("x")
    kind, at = Identity(exp(x) - 1, expm1(x)), {"domain": Box((Parameter("x", "x"),)), "points": ({"x": "1e-9"},)}
    (lossy,), (right,) = (
        check_value(claim(kind, evaluates=number, **at), context()) for number in (kind.left, kind.right)
    )
    assert (lossy.verdict, right.verdict) == (Verdict.REFUTED, Verdict.CONSISTENT)
    assert "float64 formula is off by" in lossy.headline


def test_the_threshold_of_theorem_5_4_is_judged_in_float64(monkeypatch):
    """With integer parts one too high in doubles its check fails, and without it does not."""
    tau = registry().claim("wilkins2024.thm5.4.tau.corrected")
    assert check_value(tau, context())[0].verdict is Verdict.CONSISTENT
    monkeypatch.setattr("auditor.checks.numeric.Float64", OneMore)
    assert check_value(tau, context())[0].verdict is Verdict.REFUTED


def test_a_value_that_is_not_finite_in_float64_is_counted_and_not_judged():
    """The square of a large number, divided by itself."""
    huge = lambda A, *, x: (A.exp(A.number(x)) / A.exp(A.number(x))) / 2
    somewhere = claim(DeltaBound(huge), domain=Box((Parameter("x", "", upper=2000),)))
    (found,) = check_value(replace(somewhere, points=({"x": 1},)), context())
    assert found.verdict is Verdict.CONSISTENT
    assert re.search(r"no finite number at \d+ points?$", found.headline)


def test_an_oracle_that_is_never_asked_is_an_error():
    """No vacuous green: an oracle needs points."""
    with pytest.raises(ValueError, match="never asked"):
        check_oracle(claim(replace(BOUND, oracle_points=()), domain=Box((EPSILON, MU))), context())


def between_two_bounds(A, *, epsilon, mu):
    """Known exactly for mu <= 1, within a factor 5/4 beyond."""
    value = profile(A, epsilon=epsilon, mu=mu)
    return A.between(value, value * 5 / 4) if mu > 1 else value


def test_points_that_stay_bracketed_are_counted():
    """They are no rows of the table, but the headline says how many there are and how wide the widest is."""
    domain = Box((replace(EPSILON, upper=1), replace(MU, lower="1/2", upper=2)))
    bracketed = claim(DeltaBound(between_two_bounds), domain=domain, bracketed="beyond mu = 1")
    (found,) = check_value(bracketed, context())
    assert found.verdict is Verdict.CONSISTENT
    assert re.search(r"; [1-9]\d* points bracketed to a factor 1\.25", found.headline)


DELTA = Parameter("delta", "mass", "no unit", "1e-300", "1/4", log=True)


@pytest.mark.parametrize(
    ("factor", "verdict"), [("1", Verdict.CONSISTENT), ("0.9", Verdict.REFUTED), ("1.1", Verdict.REFUTED)]
)
def test_a_threshold_is_judged_by_the_delta_it_achieves(factor, verdict):
    """Too low is unsafe, too high is not the least one; only the exact threshold passes."""
    kind = Calibration(
        formula=lambda A, *, delta: A.number(factor) * normal_quantile_complement(A, delta),
        achieved=lambda A, *, value, delta: normal_cdf(A, -value),
    )
    (found,) = check_calibration(claim(kind, domain=Box((DELTA,))), context())
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("printed", "reading", "verdict"),
    [
        ("3.1416", Reading.NEAREST, Verdict.PROVED),
        ("3.1415", Reading.TRUNCATED, Verdict.PROVED),
        ("3.1415", Reading.NEAREST, Verdict.REFUTED),
        ("3.1416", Reading.TRUNCATED, Verdict.REFUTED),
        ("3.1416", Reading.ROUNDED_UP, Verdict.PROVED),
        ("10", Reading.ORDER, Verdict.PROVED),
        ("100", Reading.ORDER, Verdict.REFUTED),
    ],
)
def test_printed_numbers_are_read_as_stated(printed, reading, verdict):
    """Rounding to nearest and truncation are told apart in the last printed digit."""
    expected = Expectation.REFUTED if verdict is Verdict.REFUTED else Expectation.HOLDS
    (found,) = check_quantity(
        claim(Quantity(lambda A: A.pi, printed, reading), domain=Box(), expected=expected), context()
    )
    assert found.verdict is verdict
    assert found.met


def test_a_number_on_the_edge_of_a_reading_is_undecided():
    """An enclosure that straddles the rounding boundary decides nothing."""
    straddles = Enclosure(Fraction("3.14159"), Fraction("3.14161"), 64)
    assert reads_as(straddles, "3.1416", Reading.TRUNCATED) is None


@pytest.mark.parametrize(
    ("printed", "digits"), [("0.349", 3), ("1e-5", 1), ("16,176".replace(",", ""), 5), ("2.50", 3)]
)
def test_printed_digits_are_counted(printed, digits):
    """Leading zeros and exponents are not digits; trailing zeros are."""
    assert printed_digits(printed) == digits


NOWHERE, EVERYWHERE = (at_most(*sides) for sides in ((1, 0), (0, 1)))


@pytest.mark.parametrize(
    "changed",
    [
        {"special_value": lambda **_at: SpecialValue("infinity", "none")},
        {"kind": {"answered": NOWHERE}},
        {"kind": {"answered": at_most(symbol("x"), 3)}},
        {
            "kind": {"answered": EVERYWHERE},
            "special_value": lambda *, x: SpecialValue("infinity", "") if x > 9 else None,
        },
    ],
)
def test_a_calibration_whose_answers_are_other_than_those_of_its_proof_is_refuted(changed):
    """A special value everywhere, a condition nowhere or on a part, a special value on a part."""
    kind = Calibration(lambda A, *, x: A.number(x), lambda A, *, value, x: A.number(value), "x", answered=EVERYWHERE)
    right = claim(kind, domain=Box((Parameter("x", "", lower=1, upper=20),)))
    assert check_calibration(right, context())[0].verdict is Verdict.CONSISTENT
    wrong = replace(right, **{**changed, "kind": replace(kind, **changed.get("kind", {}))})
    (found,) = check_calibration(wrong, context())
    assert (found.verdict, "whether there is an answer" in found.headline) == (Verdict.REFUTED, True)


def test_a_calibrated_value_outside_its_declared_range_is_refuted():
    """The value that its proof takes for positive is not."""
    kind = Calibration(
        lambda A, *, x: -A.number(x), lambda A, *, value, x: -A.number(value), "x", by=Achieved("t", lower=0)
    )
    (found,) = check_calibration(claim(kind, domain=Box((Parameter("x", "", lower=1, upper=20),))), context())
    assert found.verdict is Verdict.REFUTED
    assert "outside its declared range, 0 <= value" in found.headline


def in_doubles(formula, wrong):
    """The formula with another value in float64 alone."""
    return lambda A, **at: wrong(A, formula(A, **at)) if A.name == Float64().name else formula(A, **at)


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [(lambda _A, _x: math.nan, Verdict.UNDECIDED), (lambda _A, x: 0 * x, Verdict.REFUTED)],
    ids=["never a number", "always 0"],
)
def test_a_float64_formula_without_a_right_number_is_not_consistent(wrong, verdict):
    """Of a delta and of a calibration: what was never judged is not within the declared error."""
    registered = registry().claims
    delta, gap = registered["wilkins2024.thm5.4.tau.corrected"], registered["wilkins2024.thm5.4.gap"]
    for one, check in ((delta, check_value), (gap, check_calibration)):
        changed = replace(one, kind=replace(one.kind, formula=in_doubles(one.kind.formula, wrong)))
        assert check(changed, context())[0].verdict is verdict


def test_a_float64_value_beside_a_number_below_every_double_is_judged():
    """0.5 for e^-800."""
    tiny = lambda A, *, epsilon: A.exp(-800 - A.number(epsilon))
    half = claim(DeltaBound(in_doubles(tiny, lambda _A, _x: 0.5)), domain=Box((EPSILON,)))
    assert check_value(half, context())[0].verdict is Verdict.REFUTED
    assert check_value(replace(half, kind=DeltaBound(tiny)), context())[0].verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(("name", "more"), [("keep", {}), ("keys", {"c_u": 4}), ("keys", {"c_u": 1000})])
def test_a_tie_that_balls_leave_open_is_decided(name, more):
    """Equal probabilities lose nothing at epsilon 0, also where their powers are long; others lose what they lose."""
    selection = registry().claim(f"standard.partition_selection.{name}")
    at = lambda keep_next: {"epsilon": 0, "keep": "1/3", "keep_next": keep_next, **more}
    for keep_next in ("1/3", "1/4"):
        (found,) = check_value(replace(selection, points=(at(keep_next),), domain=selection.domain), context())
        assert found.verdict is Verdict.CONSISTENT, found.headline


def test_a_tie_that_mpmath_denies_is_refuted():
    """A value that is 0 in balls alone."""
    third = Fraction(1, 3)

    def lost(A, *, x):
        return A.number(x) - A.number(third) + A.number(0 if A.encloses else third)

    nothing = claim(DeltaBound(lost), domain=Box((Parameter("x", "", lower=third, upper=third),)))
    (found,) = check_value(nothing, context())
    assert found.verdict is Verdict.REFUTED
