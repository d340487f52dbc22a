"""Claims of lebeda2025 about the privacy of a mechanism own their adjacency and worst-case neighbours."""

from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.neighbours import FAR
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS

CLAIMS = [claim for claim in registry().claims.values() if claim.source.paper == "lebeda2025"]
OWNERS = [claim for claim in CLAIMS if claim.privacy is not None]
POINT = {
    "epsilon": 1,
    "sigma": Fraction(9, 2),
    "gap": Fraction(41, 2),
    "mu_o": "1/4",
    "delta": "1e-6",
    "gamma": Fraction(47),
    "releases": 3,
    "sigma_s": 32,
    "per_sum": 2,
}


def _at(claim, k):
    """The point, with k counters, all of which a user may change."""
    return {name: k if name in {"k", "m"} else POINT[name] for name in claim.domain.names}


def _largest(claim):
    return int(claim.domain["k"].range_searched[1])


@pytest.mark.parametrize("claim", OWNERS, ids=lambda claim: claim.id)
@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_the_claims_own_parameters_place_its_neighbours(claim, k):
    """They are neighbours under its adjacency, with distinct ids and all k counters somewhere; tau is 1."""
    parameters = _at(claim, k)
    found, relation = claim.privacy.worst_cases(parameters), claim.privacy.adjacency(parameters)
    assert len({each.id for each in found}) == len(found) >= 2
    for each in found:
        relation.check(each.left, each.right)
        assert each.description
        assert "present" not in each.description
    assert max(len(each.left) for each in found) >= k


@pytest.mark.parametrize("claim", OWNERS, ids=lambda claim: claim.id)
def test_neighbours_stay_few_for_any_k(claim):
    """At the largest k that is searched they are neighbours with a few hundred keys, and what was left out is said."""
    parameters = _at(claim, _largest(claim))
    found, relation = claim.privacy.worst_cases(parameters), claim.privacy.adjacency(parameters)
    assert found
    for each in found:
        relation.check(each.left, each.right)
        assert len({*each.left, *each.right}) <= MOST_CHANGED_KEYS + 1
    if _largest(claim) > MOST_CHANGED_KEYS:
        assert any(str(MOST_CHANGED_KEYS) in each.description for each in found)


@pytest.mark.parametrize("tau", [1, 4])
def test_new_counters_stand_at_the_lower_threshold(tau):
    """They are below it without the user, and far ones are out of the noise's reach above the upper one."""
    claim = registry().claim("lebeda2025.csh.exact")
    found = {each.id: each for each in claim.privacy.worst_cases({**_at(claim, 3), "tau": tau})}
    assert set(found["n1"].left.values()) == {tau}
    assert all(count == tau - 1 for count in found["n1"].right.values())
    assert min(found["n2"].right.values()) > tau + POINT["gap"] + FAR * POINT["sigma"]


def test_a_sketch_and_a_reduction_have_neighbours_of_their_own():
    """Somebody's sketch is given streams one element apart, somebody's Top-k users with any number of keys."""
    claims = registry().claims
    stream = claims["lebeda2025.def9.mg.delta"].privacy.adjacency({"k": 2})
    with pytest.raises(ValueError, match="c_u=1"):
        stream.check({"a": 1, "b": 1}, {})
    claims["lebeda2025.cor14.exact"].privacy.adjacency({"k": 2}).check(dict.fromkeys("abcdef", 1), {})


def test_the_threshold_of_lemma_22_places_its_neighbours():
    """The near counters of N6 are the first at or above 1 + tau; where no threshold helps they are at 1."""
    claim = registry().claim("lebeda2025.lem22")
    at = {"epsilon": 1, "delta": "1e-3", "k": 2, "sigma": 4}
    found = {each.id: each for each in claim.privacy.worst_cases(at)}
    gap = float(claim.formula(Float64(), epsilon=1, delta=Fraction(1, 1000), k=2, sigma=4))
    assert min(found["n6"].right.values()) - 1 < 1 + gap <= min(found["n6"].right.values())
    starved = {each.id: each for each in claim.privacy.worst_cases({**at, "sigma": Fraction(1, 10)})}
    assert set(starved["n6"].right.values()) == {1}
