"""Releases of the correlated stability histogram against its exact deltas."""

from __future__ import annotations

import pytest

from auditor.report.chapters.correlated_simulation import CASES, simulate

PUBLISHED = {
    CASES[0]: (0.143639016125, 0.088418919763),
    CASES[1]: (0.268137606170, 0.186225761013),
    CASES[2]: (0.191345487284, 0.186549995805),
    CASES[3]: (0.208671549524, 0.108802230566),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_releases_enclose_the_exact_delta(case, direction):
    """The published values to all their digits, inside limits from 200000 releases that are at most .04 apart."""
    found = simulate(case, direction, 200_000)
    assert found.exact == pytest.approx(PUBLISHED[case][direction == "reverse"], abs=1e-12)
    assert found.lower <= found.exact <= found.upper
    assert found.upper - found.lower < 0.04


@pytest.mark.slow
@pytest.mark.parametrize("case", [CASES[0], CASES[1], CASES[3]], ids=str)
def test_releases_tell_the_directions_apart(case):
    """The comparison can fail: the reverse delta lies outside the limits of the forward one."""
    found = simulate(case, "forward", 200_000)
    assert not found.lower <= PUBLISHED[case][1] <= found.upper
