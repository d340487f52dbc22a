"""Claims about privacy own their neighbours: which do, which do not, and that the neighbours are neighbours."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from auditor.engine.registry import registry
from proofs_numeric.statements.box import Box, ParameterError, grid
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS
from proofs_numeric.wilkins2024.neighbours import FAR, SPARSE_HISTOGRAM, thresholds, worst_cases

PRIVACY_NUMBERS = {
    QuantityKind.DELTA,
    QuantityKind.EPSILON,
    QuantityKind.THRESHOLD,
    QuantityKind.SCALE,
    QuantityKind.RHO,
}
CLAIMS = {
    name: claim
    for name, claim in registry().claims.items()
    if name.startswith(("wilkins2024.", "thresholds.")) and claim.quantity in PRIVACY_NUMBERS
}
OWNERS = {name: claim for name, claim in CLAIMS.items() if claim.privacy is not None}
POINTS = 20
"""Of a claim's box, where it has more corners."""
OF_NO_MECHANISM = {
    "thresholds.opendp2922.origin": "what an accountant reports, which no mechanism has",
    "wilkins2024.composition.filter": "any releases within two budgets: no one mechanism",
    "wilkins2024.floor.raised": "one delta of two choices of thresholds",
    "wilkins2024.lem5.1": "the pairs whose rows are all at tau, not every pair of neighbours",
    "wilkins2024.lem5.3.row.forward": "one pair in one direction",
    "wilkins2024.lem5.3.row.backward": "one pair in one direction",
    "wilkins2024.lem5.3.ub2": "one pair in one direction",
    "wilkins2024.lem5.3.ub3": "one pair in one direction",
    "wilkins2024.lem5.3.ub2.two": "one pair in one direction",
    "wilkins2024.lem5.3.ub3.two": "one pair in one direction",
    "wilkins2024.lem5.3.ub2.any": "one pair in one direction",
    "wilkins2024.lem5.3.ub3.any": "one pair in one direction",
    "wilkins2024.lem5.3.tight.two": "one pair in one direction",
    "wilkins2024.thm5.4.exact": "pairs whose counts are told apart from the largest by a margin",
    "wilkins2024.composition.equal": "several releases of rows at one threshold: those of composition.fixed",
    "wilkins2024.cor5.4.1.free": "Theorem 5.4 with a threshold of its own for each delta",
    "thresholds.gaussian.integer.pair": "two Gaussian laws that no release of whole counts exceeds",
    "wilkins2024.lemA.7": "a composition of two trade-off functions",
    "wilkins2024.sec6.loss.2400": "a difference of two thresholds",
    "wilkins2024.sec6.loss.2300": "a difference of two thresholds",
    "wilkins2024.sec6.loss.2240": "a difference of two thresholds",
}


def test_every_number_about_a_mechanisms_privacy_has_its_neighbours():
    """A delta, an epsilon, a threshold or a scale without neighbours stands in the table above, with the reason."""
    assert set(CLAIMS) - set(OWNERS) == set(OF_NO_MECHANISM)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWNERS)
def test_worst_cases_are_neighbours_all_over_the_claims_box(name):
    """At the corners too (a billion rows, noise of 1e-6), from the claim's own parameters only, and of bounded size."""
    claim = OWNERS[name]
    axes = {one.name: [point[one.name] for point in grid(Box((one,)), 2)] for one in claim.domain.parameters}
    rng, found = np.random.default_rng(7), 0
    drawn = ({name: places[rng.integers(len(places))] for name, places in axes.items()} for _ in range(50 * POINTS))
    corners = list(itertools.islice(filter(claim.domain.admits, drawn), POINTS))
    assert corners
    for point in [*claim.points, *corners]:
        parameters = claim.domain.parse(point)
        try:
            pairs = claim.privacy.worst_cases(parameters)
        except ValueError as error:
            assert "finite answer" in str(error)  # noqa: PT017 - a calibration may have none at a corner
            continue
        assert pairs
        assert len({pair.id for pair in pairs}) == len(pairs)
        for pair in pairs:
            claim.privacy.adjacency(parameters).check(pair.left, pair.right)
            assert len(pair.left) <= MOST_CHANGED_KEYS + 1
            found += 1
    assert found


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
