"""Lemma 6: the failure probability is the sum over the outcomes that fail; no probability leaves [0, 1]."""

from fractions import Fraction
from itertools import product

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.bharadwaj2022 import cells, lemma_5, lemma_6, quantiles
from proofs_numeric.statements.box import grid
from proofs_numeric.statements.verdict import Expectation

CLAIMS = registry().claims


@pytest.mark.parametrize("gamma", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_an_item_fails_that_is_not_shown_or_is_shown_too_far_off(gamma):
    """Outcome by outcome in fractions, thresholds below, within and above the interval of good counts."""
    A = Rational()
    for clients, p, tau in product((1, 5, 12), (Fraction(1, 5), Fraction(2, 3)), (1, 3, 8, 13)):
        mean = clients * p
        law = cells.binomial_law(A, clients, p)
        failing = sum(mass for v, mass in enumerate(law) if v < tau or abs(v - mean) > gamma * mean)
        assert lemma_6.outside(A, gamma=gamma, W=clients, p_s=p, tau=tau) == failing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "claim"),
    [
        (lemma_6.outside, "lem6.stmt"),
        (lemma_6.outside, "lem6.corrected.exact"),
        (lemma_5.omission, "lem5.stmt"),
        (lemma_5.omission_with_replacement, "lem5.foot"),
        (quantiles.search_error, "lem8.stmt"),
    ],
)
def test_no_probability_leaves_the_unit_interval(formula, claim):
    """All over the claim's domain, in balls: no enclosure lies above 1 or below 0."""
    points = list(grid(CLAIMS[f"bharadwaj2022.{claim}"].domain, 1))
    assert points
    for point in points:
        value = evaluate_in(Ball(256), formula, point)
        assert not value > 1, point
        assert not value < 0, point


def test_the_printed_exponent_fails_where_the_item_is_shown():
    """At the claim's own point tau is far below the interval: what fails is the exponent."""
    claim = CLAIMS["bharadwaj2022.lem6.stmt"]
    assert claim.expected is Expectation.REFUTED
    (point,) = claim.points
    assert (1 - Fraction(point["gamma"])) * point["W"] * Fraction(point["p_s"]) >= point["tau"]
    exact = claim.domain.parse(point)
    failing, printed, corrected = (
        evaluate_in(Ball(128), formula, exact)
        for formula in (lemma_6.outside, lemma_6.two_sided_as_printed, lemma_6.two_sided)
    )
    assert 1e4 * printed < failing < corrected
