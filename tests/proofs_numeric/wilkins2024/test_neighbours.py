"""Neighbours of the sparse histogram: where rows stand, and what is left out."""

from fractions import Fraction

import pytest

from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS
from proofs_numeric.wilkins2024.neighbours import FAR, SPARSE_HISTOGRAM, thresholds, worst_cases


def test_more_rows_than_a_histogram_should_have_are_capped_and_said():
    """C_u = 51914 of the case study: 500 rows, still neighbours, and the description says of how many."""
    (wc1, *_rest) = worst_cases({"c_u": 51_914, "sigma": 2228, "gap": 13_947})
    assert len(wc1.left) == MOST_CHANGED_KEYS
    assert "500 rows of the 51914" in wc1.description


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"gap": 5}, (1, 6)),
        ({"gap": "9/2", "tau": "3/2"}, (2, 6)),
        ({"gap": 5, "tau": 0}, (1, 5)),
        ({"tau": 3, "tau_star": "17/2"}, (3, Fraction(17, 2))),
    ],
)
def test_thresholds_are_those_that_algorithm_1_uses(given, expected):
    """The lower one acts as max(1, ceil(tau)); the upper one is tau + gap with tau as given."""
    assert thresholds(given) == expected


def test_far_rows_are_visited_and_far_on_both_sides_even_below_tau():
    """Where tau* + 40 sigma lies below tau, a far row still has to reach tau without the user."""
    pairs = {pair.id: pair for pair in worst_cases({"c_u": 1, "sigma": "1/10", "gap": -90, "tau": 100})}
    (count,) = pairs["wc2"].right.values()
    assert count >= 100
    assert count >= 10 + FAR / 10


def test_a_claim_on_the_gap_takes_the_thresholds_instead():
    """Tau* less tau is the gap, and tau goes on to place counts; gap and tau* together are refused."""
    assert SPARSE_HISTOGRAM.reads({"sigma": 2, "tau": 3, "tau_star": 9}) == ({"sigma": 2, "gap": 6}, {"tau": 3})
    assert SPARSE_HISTOGRAM.reads({"sigma": 2, "gap": 6}) == ({"sigma": 2, "gap": 6}, {})
    with pytest.raises(ParameterError, match="expected gap or tau_star"):
        SPARSE_HISTOGRAM.reads({"gap": 6, "tau_star": 9})
