"""Claims of the paper about privacy own their neighbours: true ones, near the worst, bounded."""

import math
from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from mechanisms.sample_and_threshold import contacts, fixed_size_sample, hierarchical_histogram, interactive_quantile
from mechanisms.sample_and_threshold import mechanism as sample_and_threshold
from mechanisms.sample_and_threshold import trie_heavy_hitters as trie
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_7 import composed_levels
from proofs_numeric.statements.box import grid
from proofs_numeric.statements.neighbours import Direction, Neighbours

KNOWN = registry()
OWNERS = [claim for name, claim in registry().claims.items() if name.startswith("bharadwaj2022.") and claim.privacy]


@pytest.mark.parametrize("claim", OWNERS, ids=lambda claim: claim.id)
def test_counts_of_worst_cases_are_of_bounded_size(claim):
    """No item exceeds what the claim or the cap says; some client is there."""
    for point in grid(claim.domain, 1):
        for case in claim.privacy.worst_cases(point):
            counts = [*case.left.values(), *case.right.values()]
            assert min([1, *counts]) == 1
            assert max([0, *counts]) <= max(neighbours.LARGEST + 2, int(point.get("n", 0)))


def test_what_was_capped_is_said():
    """At the smallest rate the worst counts are above the cap, and the descriptions name both."""
    smallest = {"epsilon": "1e-4", "alpha": "1e-3", "tau": 1000}
    cases = {case.id: case for case in neighbours.one_item(smallest)}
    assert cases["far"].left == {"k0": neighbours.LARGEST}
    assert f"{neighbours.LARGEST} clients in the place of" in cases["far"].description
    assert "in the place of" not in cases["at_tau"].description


@pytest.mark.parametrize("parameters", [{"p": "3/10", "tau": 5}, {"p": "1/2", "tau": 3}, {"alpha": "1/2", "tau": 5}])
def test_the_worst_count_attains_the_delta(parameters):
    """At epsilon = 1 the delta of the count placed as worst is the claim's."""
    p, tau = float(neighbours.sampling_rate(parameters)), parameters["tau"]
    k = neighbours.worst_count(parameters)
    found = cells.cell_profile(Float64(), factor=Float64().exp(1.0), p=p, tau=tau, k=k)
    assert float(found) == pytest.approx(float(cells.tight_rate(Float64(), epsilon=1.0, p=p, tau=tau)), rel=1e-9)


def test_every_split_separates_the_values_of_the_search():
    """The value next to 1 is right of the last split at every depth, and 0 left of the first."""
    for levels in (1, 9, 10, 30, 64):
        case = neighbours.split_values({"p": "3/10", "tau": 5, "levels": levels})[0]
        low, high = (Fraction(text) for text in sorted(case.left))
        assert low == 0
        assert 1 - Fraction(1, 2**levels) <= high < 1


def _stick(law, direction=Direction.FORWARD, epsilon=1.0):
    return float(law.profile(Float64(), epsilon, direction))


def test_laws_follow_from_the_two_histograms():
    """The sides swapped swap the directions; what does not change says nothing; a foreign pair has no law."""
    parameters = {"p": "3/10", "tau": 5, "levels": 2}
    one = sample_and_threshold.law(Neighbours("x", {"a": 6, "b": 9}, {"a": 5, "b": 9}), parameters)
    back = sample_and_threshold.law(Neighbours("x", {"a": 5}, {"a": 6}), parameters)
    # Shown with 5 or 6 of 6 sampled, against 5 of 5.
    exact = 6 * 0.3**5 * 0.7 + 0.3**6 - math.e * 0.3**5
    assert _stick(one) == _stick(back, Direction.BACKWARD) == pytest.approx(exact, rel=1e-12)
    assert one.loss is not None
    assert back.loss is None
    assert sample_and_threshold.law(Neighbours("x", {"a": 1, "b": 1, "c": 1}, {}), parameters).profile is None
    shared = trie.law(Neighbours("x", {"aa": 6, "ab": 9}, {"aa": 5, "ab": 9}), parameters)
    alone = trie.law(Neighbours("x", {"aa": 6}, {"aa": 5}), parameters)
    assert _stick(shared) != _stick(alone)
    assert trie.law(Neighbours("x", {"aa": 1, "ab": 0}, {"aa": 0, "ab": 1}), parameters).profile is None
    value = hierarchical_histogram.law(Neighbours("x", {"0.1": 6}, {"0.1": 5}), parameters)
    assert _stick(value) == _stick(alone)
    assert interactive_quantile.law(Neighbours("x", {"1/2": 6}, {"1/2": 5}), parameters).profile is None
    step = interactive_quantile.law(Neighbours("x", {"0.9": 6}, {"0.9": 5}), parameters)
    point = {"p": 0.3, "tau": 5, "levels": 2, "k": 6}
    assert _stick(step) == pytest.approx(float(composed_levels.path(Float64(), epsilon=1.0, **point)), rel=1e-12)


def test_a_fixed_size_is_the_contact_scheme_in_which_all_take_part():
    """Its law on the paper's pair is m/n by either mechanism."""
    pair = Neighbours("unique", {"k0": 9, "k1": 1}, {"k0": 10})
    fixed = fixed_size_sample.law(pair, {"m": 5, "n": 10, "tau": 2})
    asked = contacts.law(pair, {"m": 5, "contacts": 5, "n": 10, "tau": 2})
    assert _stick(fixed) == pytest.approx(0.5, rel=1e-12)
    assert _stick(asked) == pytest.approx(0.5, rel=1e-12)
    apart = Neighbours("x", {"k0": 8, "k1": 2}, {"k0": 9, "k1": 1})
    assert fixed_size_sample.law(apart, {"m": 5, "n": 10, "tau": 2}).profile is None
