"""Claims as data: domains, parsing with one-line errors, grids."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.box import Box, Parameter, ParameterError, format_parameters, grid
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Quantity

SIGMA = Parameter("sigma", "noise", "counts", "0.01", 10**6, log=True, default="1")
ROWS = Parameter("c_u", "rows", "rows", 1, 10**9, integer=True, log=True)
MU = Parameter("mu", "distance", lower=0, open_lower=True)
GAP = Parameter("gap", "difference", "counts", "-infinity", "infinity")
ORDER = Parameter("direction", "order", choices=("forward", "backward"))


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (SIGMA, 0, "expected 0.01 <= sigma <= 1000000 (counts), got sigma=0"),
        (SIGMA, "1e7", "expected 0.01 <= sigma <= 1000000 (counts), got sigma=1e7"),
        (ROWS, "1/2", "an integer"),
        (ROWS, 0, "got c_u=0"),
        (MU, 0, "expected 0 < mu"),
        (ORDER, "sideways", "expected direction in {forward, backward}, got direction=sideways"),
    ],
)
def test_values_outside_the_domain_are_refused_in_one_line(parameter, value, message):
    """The message gives the domain and the value."""
    with pytest.raises(ParameterError) as error:
        parameter.parse(value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [0.5, None, "abc", "nan", "1/0"])
def test_values_that_are_not_exact_are_refused(value):
    """A float where an exact number defines a claim gets one line that names the parameter."""
    with pytest.raises(ParameterError, match=r"^sigma: expected an exact number"):
        SIGMA.parse(value)


def test_a_number_beyond_doubles_is_refused_in_one_line():
    """An unbounded parameter has an end where a double has: no formula is asked to go on."""
    with pytest.raises(ParameterError, match=r"\Aexpected any real .*largest double; got .*=-1e400\Z"):
        GAP.parse("-1e400")


def test_parsed_values_are_exact_and_typed():
    """Integer parameters give int (formulas loop over them), real ones fractions."""
    assert ROWS.parse("1e3") == 1000
    assert isinstance(ROWS.parse("1e3"), int)
    assert SIGMA.parse("0.349") == Fraction(349, 1000)
    assert isinstance(SIGMA.parse(2), Fraction)
    assert ORDER.parse("forward") == "forward"
    assert GAP.parse("-1e-9") == Fraction(-1, 10**9)


def test_box_fills_defaults_and_names_what_is_missing_or_unknown():
    """Missing, unknown and jointly impossible parameters are three different one-line errors."""
    box = Box((SIGMA, ROWS), lambda sigma, c_u: sigma < c_u, "sigma < c_u")
    assert box.parse({"c_u": 7}) == {"sigma": 1, "c_u": 7}
    with pytest.raises(ParameterError, match="missing parameter c_u"):
        box.parse({})
    with pytest.raises(ParameterError, match="unknown parameter tau; allowed: sigma, c_u"):
        box.parse({"tau": 1, "c_u": 2})
    with pytest.raises(ParameterError, match="expected sigma < c_u, got sigma=9, c_u=2"):
        box.parse({"sigma": 9, "c_u": 2})


def test_grid_holds_the_corners_and_only_admitted_points():
    """Closed ends are on the grid, open ends are not, the constraint cuts."""
    box = Box((SIGMA, ROWS, MU), lambda sigma, c_u, mu: c_u != 1, "c_u > 1")
    points = list(grid(box, 2))
    assert {point["sigma"] for point in points} >= {Fraction(1, 100), Fraction(10**6)}
    assert max(point["c_u"] for point in points) == 10**9
    assert all(point["c_u"] != 1 and point["mu"] > 0 for point in points)
    assert all(box.parse(point) == point for point in points)
    assert points == list(grid(box, 2))


@pytest.mark.slow
@given(
    lower=st.fractions(-10, 10, max_denominator=50),
    width=st.fractions(Fraction(1, 50), 20, max_denominator=50),
    open_lower=st.booleans(),
    open_upper=st.booleans(),
    count=st.integers(0, 6),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_grid_stays_inside_any_domain(lower, width, open_lower, open_upper, count):
    """Every grid point satisfies its parameter, whatever ends are open."""
    parameter = Parameter("x", "x", "", lower, lower + width, open_lower=open_lower, open_upper=open_upper)
    values = [point["x"] for point in grid(Box((parameter,)), count)]
    assert all(parameter.contains(value) for value in values)
    assert (lower in values) is not open_lower


def test_unbounded_domains_are_cut_on_the_grid():
    """Infinite sides are searched to 10^3, and to 10^12 on a logarithmic scale."""
    far = Parameter("x", "x", lower=0, log=True)
    assert max(point["x"] for point in grid(Box((far,)), 1)) == 10**12
    assert {point["gap"] for point in grid(Box((GAP,)), 1)} == {-1000, 0, 1000}


def test_evaluation_converts_fractions_and_keeps_integers_and_words():
    """Fractions become numbers of the arithmetic; integers and choices pass as they are."""
    seen = {}

    def formula(A, **parameters):
        seen.update(parameters)
        return A.number(0)

    evaluate_in(Float64(), formula, {"sigma": Fraction(1, 2), "c_u": 3, "direction": "forward"})
    assert seen == {"sigma": 0.5, "c_u": 3, "direction": "forward"}


def test_a_claim_answers_with_its_kind_s_formula_unless_told_otherwise():
    """Evaluate uses the kind's formula, or the one given; an editorial entry has none."""
    one = lambda A: A.number(1)
    two = lambda A: A.number(2)

    common = {"id": "x.y", "source": Source("x", "y"), "title": "t", "statement": "s"}
    assert Claim(kind=DeltaBound(one), **common).formula is one
    assert Claim(kind=Quantity(one, "1"), evaluates=two, **common).formula is two
    assert Claim(kind=Editorial("a", "b", "c"), **common).formula is None


def test_parameters_are_printed_in_order():
    """Messages list parameters as they were given."""
    assert format_parameters({"b": 1, "a": Fraction(1, 3)}) == "b=1, a=1/3"
