"""The second arithmetic encloses what the first does, and the checker refuses what was tampered with."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from auditor.interval import Interval
from auditor.report.model import Enclosed, EnclosureRow, EnclosuresEvidence, ProofEvidence
from auditor.report.model import Interval as Range
from auditor.verify import _boxes, _meets
from proofs_numeric.arithmetic import Ball
from proofs_numeric.certify import bounds, positive_on_box
from proofs_numeric.claim import Box, DeltaBound, Inequality, Parameter, PositiveOnBox, Proof
from proofs_numeric.special import gaussian_profile, log_normal_cdf, mills, normal_cdf
from tests.checks.claims import claim, square


def rational(mpf) -> Fraction:
    """Exact value of an mpmath number in its raw form (sign, mantissa, exponent, bits)."""
    sign, mantissa, exponent, _bits = mpf
    return (-1) ** sign * int(mantissa) * Fraction(2) ** exponent


@pytest.mark.parametrize("primitive", [normal_cdf, log_normal_cdf, mills])
def test_intervals_and_balls_enclose_the_same_numbers(primitive):
    """At 400 points of [-40, 40] the interval contains the much narrower ball, and is itself narrow."""
    points = random.Random(7)  # noqa: S311 - test points, not secrets
    for _case in range(400):
        x = Fraction(points.randint(-40_000, 40_000), 1000)
        low, high = map(rational, primitive(Interval(96), Interval(96).number(x))._mpi_)
        with Ball(1024) as ball:
            lower, upper = bounds(primitive(ball, ball.number(x)))
        hair = Fraction(1, 10**300)  # the ball's own width
        assert low - hair <= lower <= upper <= high + hair
        # 96 bits less what the tails cancel: e^(x^2/2) against 1.
        assert high - low <= abs(upper) * Fraction(1, 10**18) + Fraction(1, 10**26)


POSITIVE = PositiveOnBox(
    "gap", lambda A, *, x: x * x - x + A.number("0.3"), Box((Parameter("x", "", upper=1),)), "x (1 - x) <= 1/4"
)
PROVED = claim(Inequality(square, square, proof=Proof((POSITIVE,))))


def evidence(tree: str) -> ProofEvidence:
    """What a report holds of the proof."""
    return ProofEvidence(
        method="boxes",
        expression="gap",
        claim="test.lemma",
        step="gap",
        box={"x": Range(lower="0", upper="1")},
        tree=tree,
    )


def test_a_recorded_tree_stands():
    """Every leaf of the bisection is above zero in intervals too."""
    assert _boxes(PROVED, evidence(positive_on_box(POSITIVE.formula, POSITIVE.box).tree)) == ""


def test_a_truncated_tree_does_not_cover_the_box():
    """A proof with a branch cut off is refused."""
    with pytest.raises(ValueError, match="truncated"):
        _boxes(PROVED, evidence("a."))


def test_a_tree_of_a_false_statement_fails():
    """The same tree under a formula that dips below zero is refused."""
    false = PositiveOnBox("gap", lambda A, *, x: x * x - x + A.number("0.2"), POSITIVE.box, "")
    moved = claim(Inequality(square, square, proof=Proof((false,))))
    assert "not above zero" in _boxes(moved, evidence(positive_on_box(POSITIVE.formula, POSITIVE.box).tree))


PROFILE = claim(
    DeltaBound(lambda A, *, epsilon: gaussian_profile(A, epsilon, A.number(1))), domain=Box((Parameter("epsilon", ""),))
)


@pytest.mark.parametrize(
    ("lower", "upper", "stands"),
    [("0.126936737506", "0.126936737507", True), ("0.126936737508", "0.126936737509", False)],
)
def test_enclosures_are_computed_again(lower, upper, stands):
    """A digit changed in a report's enclosure is found."""
    row = EnclosureRow(parameters={"epsilon": "1"}, quantity=Enclosed(lower=lower, upper=upper))
    rows = EnclosuresEvidence(quantity="delta", relation="=", digits=12, cases=1, rows=[row])
    assert (_meets(PROFILE, rows.rows[0].parameters, rows.rows[0].quantity) == "") is stands
