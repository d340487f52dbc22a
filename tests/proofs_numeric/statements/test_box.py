"""Domains as printed, and what grids and searches try of them."""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.statements.box import Box, Parameter, grid


def test_a_range_that_is_searched_lies_in_the_domain():
    """Grids stay in it, and in a domain that is made smaller; values beyond it are parsed."""
    wide = Parameter("x", "", lower=0, open_lower=True, log=True, searched=("1/100", 100))
    assert [min(axis := [p["x"] for p in grid(Box((wide,)), 3)]), max(axis)] == [Fraction(1, 100), 100]
    assert wide.parse("1e9") == 10**9
    narrow = replace(wide, lower=1, open_lower=False, upper=10)
    assert narrow.range_searched == (1, 10)
    assert {p["x"] for p in grid(Box((narrow,)), 1)} >= {1, 10}
    assert replace(wide, searched=None).range_searched == (0, 10**12)
