"""Three-valued comparison, enclosures, roots, branch and bound, decimal rounding."""

from dataclasses import replace
from fractions import Fraction

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import (
    UNDERFLOW,
    Enclosure,
    NotEnclosedError,
    Order,
    bounds,
    compare,
    decimal_string,
    enclose,
    exact_value,
)
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.kernel.boxes import bisect, maximum_over_integers, positive_on_box, ranges_of, replay_tree
from proofs_numeric.statements.box import Box, Parameter

RATIONALS = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(10) ** e, st.integers(-(10**9), 10**9), st.integers(1, 10**6),
    st.integers(-330, 330),
)  # fmt: skip
SQUARE = Box((Parameter("x", "x", lower=-1, upper=1), Parameter("y", "y", lower=-1, upper=1)))

root_two = lambda A: A.sqrt(A.number(2))  # the square root of two


@pytest.mark.slow
@given(value=RATIONALS, digits=st.integers(1, 40))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_decimal_rounding_is_outward_and_within_one_unit(value, digits):
    """Rounded down is at most the value, rounded up at least, both within a unit of the last digit."""
    down, near, up = (Fraction(decimal_string(value, digits, direction)) for direction in (-1, 0, 1))
    assert down <= value <= up
    assert down <= near <= up
    if value:
        unit = abs(value) / Fraction(10) ** (digits - 1)
        assert up - down <= unit
        assert 2 * abs(near - value) <= unit


@pytest.mark.slow
@given(value=RATIONALS, digits=st.integers(1, 30))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_decimal_strings_have_no_more_digits_than_asked(value, digits):
    """The mantissa carries at most the digits asked for, besides zeros that mark the place."""
    for direction in (-1, 0, 1):
        mantissa = decimal_string(value, digits, direction).split("e")[0].lstrip("-").replace(".", "").strip("0")
        assert len(mantissa) <= digits


@pytest.mark.parametrize(
    ("value", "digits", "direction", "text"),
    [
        (Fraction(0), 5, 1, "0"),
        (Fraction(999_999, 10**6), 3, 1, "1"),
        (Fraction(-1, 3), 3, -1, "-0.334"),
        (Fraction(-1, 3), 3, 1, "-0.333"),
        (Fraction(1, 8), 2, 0, "0.13"),
        (Fraction(12345), 2, -1, "1.2e+04"),
        (Fraction(1, 10**8), 5, 0, "1e-08"),
    ],
)
def test_decimal_strings_by_example(value, digits, direction, text):
    """Carries, signs and both notations."""
    assert decimal_string(value, digits, direction) == text


def test_enclosure_prints_value_between_its_ends():
    """The printed value lies between the printed ends, which lie outside the true ones."""
    enclosure = enclose(root_two, {}, 40)
    middle, lower, upper = map(Fraction, enclosure.decimal(12))
    assert lower <= enclosure.lower <= enclosure.upper <= upper
    assert lower <= middle <= upper
    assert lower**2 < 2 < upper**2


def test_enclose_raises_precision_until_the_digits_are_there():
    """Massive cancellation costs bits, not correctness."""
    tiny = Fraction(1, 10**60)
    enclosure = enclose(lambda A, x: A.expm1(x) - x, {"x": tiny}, 30)
    assert enclosure.bits > 128
    assert enclosure.lower <= tiny**2 / 2 + tiny**3 / 6 + tiny**4 <= enclosure.upper * (1 + Fraction(1, 10**50))


def test_enclose_says_when_it_cannot():
    """A zero that is only known to be small is not enclosed relatively."""
    with pytest.raises(NotEnclosedError, match="512 bits"):
        enclose(lambda A: A.exp(A.number(1)) - A.exp(A.number(1)), {}, 10, last_bits=512)


def test_bounds_of_tiny_and_wild_balls():
    """Magnitudes beyond the range of fractions are rounded outward, non-finite balls have no ends."""
    with Ball(64) as A:
        tiny = A.exp(A.number(-(10**9)))
        assert bounds(tiny) == (0, UNDERFLOW)
        assert bounds(-tiny) == (-UNDERFLOW, 0)
        assert bounds(flint.arb("nan")) is None
        assert bounds(A.infinity) is None
        assert bounds(A.number(Fraction(1, 4))) == (Fraction(1, 4), Fraction(1, 4))


@pytest.mark.slow
@given(x=st.fractions(-100, 100, max_denominator=10**6), radius=st.fractions(0, 1, max_denominator=10**6))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_bounds_contain_the_interval(x, radius):
    """The rational ends enclose what the ball encloses."""
    with Ball(64) as A:
        lower, upper = bounds(A.interval(x - radius, x + radius))
    assert lower <= x - radius
    assert upper >= x + radius


def test_comparison_is_three_valued():
    """Less, equal and greater are certified; what no precision separates is undecided, never equal."""

    def constant(value):
        return lambda A: A.number(value)

    assert compare(root_two, constant("1.41421356237309504880168872421"), {}).order is Order.LESS
    assert compare(root_two, constant("1.41421356237309504880168872420"), {}).order is Order.GREATER
    assert compare(constant(Fraction(1, 4)), constant("0.25"), {}).order is Order.EQUAL
    undecided = compare(lambda A: root_two(A) ** 2, constant(2), {}, (128, 256))
    assert undecided.order is Order.UNDECIDED
    assert undecided.bits == 256
    assert undecided.left.lower < 2 < undecided.left.upper


def test_comparison_of_an_undefined_side_is_undecided():
    """A division by zero has no enclosure and decides nothing."""
    comparison = compare(lambda A: A.number(1) / A.number(0), lambda A: A.number(1), {}, (128,))
    assert comparison.order is Order.UNDECIDED
    assert comparison.left is None


def test_comparison_raises_precision():
    """A difference in the hundredth digit is found."""
    close = Fraction(1, 10**100)
    assert compare(lambda A: A.number(0), lambda A: A.expm1(A.number(close)) - A.number(close), {}).order is Order.LESS
    assert compare(root_two, lambda A: root_two(A) + A.number(close), {}).bits > 256


def test_comparison_leaves_the_precision_alone():
    """The global precision is restored."""
    before = flint.ctx.prec
    compare(root_two, root_two, {}, (128, 256))
    assert flint.ctx.prec == before


def test_branch_and_bound_proves_what_is_true():
    """Every leaf of the tree is positive and the leaves cover the box."""
    formula = lambda A, *, x, y: x * x + y * y - x * y + A.number(Fraction(1, 100))

    proof = positive_on_box(formula, SQUARE)
    assert proof.decided is True
    assert 0 < proof.least <= Fraction(1, 100)
    leaves = list(replay_tree(SQUARE, proof.tree))
    assert sum(area(leaf) for leaf in leaves) == 4
    with Ball(proof.bits) as A:
        assert all(formula(A, **{n: A.interval(*r) for n, r in leaf.items()}) > 0 for leaf in leaves)
    assert proof.boxes == 2 * len(leaves) - 1


def area(leaf):
    """Area of a leaf."""
    (x0, x1), (y0, y1) = leaf["x"], leaf["y"]
    return (x1 - x0) * (y1 - y0)


def test_branch_and_bound_refutes_what_is_false():
    """A claim moved past its margin gets a witness at which it fails."""
    formula = lambda A, *, x, y: x * x + y * y - A.number(Fraction(1, 100))

    proof = positive_on_box(formula, SQUARE)
    assert proof.decided is False
    assert proof.witness["x"] ** 2 + proof.witness["y"] ** 2 <= Fraction(1, 100)


def test_branch_and_bound_says_when_it_runs_out():
    """Touching zero is neither proved nor refuted: the open box is named."""
    formula = lambda A, *, x, y: (x - A.number(Fraction(1, 3))) ** 2 + y * y

    proof = positive_on_box(formula, SQUARE, max_boxes=300)
    assert proof.decided is None
    assert proof.boxes == 300
    assert proof.widest["x"][0] <= Fraction(1, 3) <= proof.widest["x"][1]


def test_a_comparison_of_constants_is_a_box_without_parameters():
    """One enclosure decides it."""
    proof = positive_on_box(lambda A: root_two(A) - 1, Box())
    assert proof.decided is True
    assert proof.tree == "."


def test_unbounded_boxes_are_refused():
    """Only compact boxes are covered by finitely many balls."""
    with pytest.raises(ValueError, match="expected a compact box"):
        ranges_of(Box((Parameter("x", "x", lower=0),)))
    with pytest.raises(ValueError, match="expected a compact box"):
        ranges_of(Box((Parameter("x", "x", lower="-infinity", upper=1),)))


def test_bisection_splits_exactly():
    """The halves share the exact midpoint."""
    left, right = bisect({"x": (Fraction(0), Fraction(1, 3))}, "x")
    assert left["x"] == (0, Fraction(1, 6))
    assert right["x"] == (Fraction(1, 6), Fraction(1, 3))


@pytest.mark.slow
@given(tree=st.recursive(st.just("."), lambda t: st.tuples(st.sampled_from("ab"), t, t).map("".join), max_leaves=30))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_leaves_of_any_tree_cover_the_box(tree):
    """Whatever the splits, the areas of the leaves add up to that of the box."""
    assert sum(area(leaf) for leaf in replay_tree(SQUARE, tree)) == 4


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("a.", "truncated"),
        ("a...", "of 3 symbols"),
        ("", "truncated"),
        ("z..", "one of "),
        ("`..", "one of "),
        ("a" * 5000 + "." * 5001, "at most 256 bisections"),
    ],
)
def test_a_tree_that_bisection_did_not_make_is_refused(tree, words):
    """A proof that lost its tail covers less than its box; a forged one takes no longer to refuse than to read."""
    with pytest.raises(ValueError, match=words):
        list(replay_tree(SQUARE, tree))


@pytest.mark.parametrize(("peak", "upper"), [(0, 10), (37, 100), (12_345, 10**6), (999_999_999, 10**9)])
def test_integer_maximum_is_found(peak, upper):
    """Best-first branch and bound finds the argument and encloses the maximum."""
    formula = lambda A, n: A.exp(-(((n - peak) / A.number(upper)) ** 2))

    found = maximum_over_integers(formula, 0, upper)
    assert found.argument == peak
    assert found.enclosure.lower <= 1 <= found.enclosure.upper


def test_integer_maximum_agrees_with_brute_force():
    """A bumpy function over a short range."""
    formula = lambda A, n: (n * n * 7) / 100 - n * n * n / A.number(1000)

    values = {n: Fraction(7 * n * n, 100) - Fraction(n**3, 1000) for n in range(3, 91)}
    found = maximum_over_integers(formula, 3, 90)
    assert values[found.argument] == max(values.values())
    assert found.enclosure.lower <= max(values.values()) <= found.enclosure.upper


def test_enclosures_are_data():
    """Frozen, comparable, replaceable."""
    enclosure = Enclosure(Fraction(1), Fraction(2), 64)
    assert replace(enclosure, bits=128) != enclosure


def test_a_rational_value_is_seen_and_an_irrational_one_is_not():
    """Sums, products, quotients and maxima of exact numbers are exact; anything else has no exact value here."""
    assert exact_value(lambda A: A.number("1e-5"), {}) == Fraction(1, 10**5)
    assert exact_value(lambda A, *, x: A.maximum(1 - x, x / 3) ** 2, {"x": Fraction(1, 4)}) == Fraction(9, 16)
    assert exact_value(lambda A, *, x: A.sqrt(x), {"x": Fraction(1, 4)}) is None
    assert exact_value(lambda A, *, x: normal_cdf(A, x), {"x": Fraction(0)}) is None


@pytest.mark.parametrize("exponent", [1, 9, 9864, 9865, 20000, 78000])
def test_digits_of_tiny_and_huge_numbers_are_known(exponent):
    """A third of a power of ten: every digit is 3, also far beyond the doubles."""
    for sign in (-1, 1):
        value = Fraction(10) ** (sign * exponent) / 3
        text = decimal_string(value, 20, 0).replace(".", "").lstrip("0")
        assert text.startswith("3" * 20)


def test_of_a_number_that_may_be_zero_no_digit_is_printed():
    """Nor of one below the least that has exact ends."""
    with Ball(64) as A:
        tiny = Enclosure(*bounds(A.exp(A.number(-(10**9)))), 64)
    assert tiny.underflows
    assert tiny.decimal(10)[:2] == ("0", "0")
    assert not Enclosure(Fraction(0), Fraction(0), 64).underflows
    assert Enclosure(Fraction(-1), Fraction(2), 64).decimal(5) == ("0", "-1", "2")
