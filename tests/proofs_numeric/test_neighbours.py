"""Claims about privacy own their neighbours: which do, which do not, and that the neighbours are neighbours."""

import itertools

import numpy as np
import pytest

from auditor.engine.registry import registry
from mechanisms.histogram import validate
from proofs_numeric.statements.box import Box, grid
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS

KNOWN = registry()
PRIVACY_NUMBERS = {
    QuantityKind.DELTA,
    QuantityKind.EPSILON,
    QuantityKind.THRESHOLD,
    QuantityKind.SCALE,
    QuantityKind.RHO,
}
OWNERS = {name: claim for name, claim in KNOWN.claims.items() if claim.privacy is not None}
POINTS = 20
"""Of a claim's box, where it has more corners."""
OF_NO_MECHANISM = {
    "bharadwaj2022.tight.replacement": "one pair of counts in one direction",
    "bharadwaj2022.lem7.path": "one pair of counts in one direction",
    "bharadwaj2022.lem7.every_path": "every pair of counts, in one direction",
    "bharadwaj2022.lem7.kov": "composition of any mechanisms: mathematics",
    "bharadwaj2022.rem.fair.corrected": "amplification by sampling of any mechanism: mathematics",
    "lebeda2025.csh.exact.delta_inf": "the probability of one event on one pair, whatever epsilon",
    "lebeda2025.csh.exact.pair": "one pair, in one direction, both of them parameters",
    "lebeda2025.lem5": "a query of any real sensitivity: no histogram",
    "lebeda2025.lem17": "a conversion between two notions of privacy: no mechanism",
    "rogers2024.thm3.cdp_to_dp": "turns a rho into an epsilon, whatever mechanism has it",
    "rogers2024.thm3.dp_to_cdp": "turns an epsilon into a rho, whatever mechanism has it",
    "rogers2024.sharp.pure": "the same, sharply",
    "rogers2024.thm6.delta": "adds up two failure probabilities, whatever mechanisms have them",
    "rogers2024.range.gaussian.share": "compares two profiles, of a pick and of a Gaussian pair",
    "rogers2024.rem7.single": "turns one release's rho into an epsilon",
    "rogers2024.rem7.eps1": "adds up two epsilons",
    "rogers2024.thm3.cdp_to_dp.tail": "turns a rho into a delta",
    "rogers2024.rem7.eps2": "turns the sum of two rhos into an epsilon",
    "rogers2024.lists.counts": "a list and then its counts: two releases",
    "rogers2024.lists.one": "the same two releases",
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
    "thresholds.laplace.integer.releases": "several releases of keys at one threshold",
    "thresholds.laplace.integer.releases.reverse": "several releases of keys at one threshold",
    "thresholds.laplace.real.releases": "several releases of keys at one threshold",
    "thresholds.laplace.real.releases.reverse": "several releases of keys at one threshold",
    "thresholds.weighted.keys": "users of one number of keys, not every pair of neighbours",
    "wilkins2024.lemA.7": "a composition of two trade-off functions",
    "wilkins2024.sec6.loss.2400": "a difference of two thresholds",
    "wilkins2024.sec6.loss.2300": "a difference of two thresholds",
    "wilkins2024.sec6.loss.2240": "a difference of two thresholds",
}


def test_every_number_about_a_mechanisms_privacy_has_its_neighbours():
    """One without stands in the table above, with the reason; laws and conversions of the field are of no mechanism."""
    about = {name for name, claim in KNOWN.claims.items() if claim.quantity in PRIVACY_NUMBERS}
    assert {name for name in about - OWNERS.keys() if not name.startswith("standard.")} == set(OF_NO_MECHANISM)
    assert OWNERS.keys() - about == {"rogers2024.thm4.gauss"}  # the profile of what has the rho that it states


@pytest.mark.parametrize("spec", KNOWN.mechanisms.values(), ids=lambda spec: spec.id)
def test_a_mechanism_is_held_to_the_neighbours_of_its_claim(spec):
    """The very object, so that somebody's file is audited on what the registered mechanism is audited on."""
    claim = KNOWN.claims[spec.guarantee_claim]
    assert spec.privacy is claim.privacy
    given = {"epsilon": 1, **spec.parameters}  # with thresholds, which its code has and the claim may not
    claim.domain.parse({name: value for name, value in given.items() if name in claim.domain.names})


@pytest.mark.slow
@pytest.mark.parametrize("name", OWNERS)
def test_worst_cases_are_neighbours_all_over_the_claims_box(name):
    """At the corners too (a billion rows, noise of 1e-6), from the claim's own parameters only, and of bounded size."""
    claim = OWNERS[name]
    axes = {one.name: [point[one.name] for point in grid(Box((one,)), 2)] for one in claim.domain.parameters}
    rng, found = np.random.default_rng(7), 0
    drawn = ({name: places[rng.integers(len(places))] for name, places in axes.items()} for _ in range(50 * POINTS))
    ends = ({name: places[end] for name, places in axes.items()} for end in (0, -1))
    corners = list(itertools.islice(filter(claim.domain.admits, itertools.chain(ends, drawn)), POINTS))
    assert corners
    for point in [*claim.points, *corners]:
        parameters = claim.domain.parse(point)
        try:
            pairs = claim.privacy.worst_cases(parameters)
        except ValueError as error:
            assert "finite answer" in str(error) or "delta_1 >= 1" in str(error)  # noqa: PT017 - none at a corner
            continue
        assert pairs
        assert len({pair.id for pair in pairs}) == len(pairs)
        for pair in pairs:
            validate(pair.left)
            validate(pair.right)
            claim.privacy.adjacency(parameters).check(pair.left, pair.right)
            assert len({*pair.left, *pair.right}) <= MOST_CHANGED_KEYS + 2
            found += 1
    assert found
