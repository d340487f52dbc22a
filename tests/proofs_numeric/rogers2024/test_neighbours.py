"""Adjacency and worst-case neighbours of the paper's claims about privacy."""

from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.rogers2024.neighbours import MOST_KEYS, TOP, labels
from proofs_numeric.statements.adjacency import AddRemoveUser, EventLevel

KNOWN = registry()
CLAIMS = {i.removeprefix("rogers2024."): c for i, c in KNOWN.claims.items() if i.startswith("rogers2024.")}
PRIVATE = {i: c for i, c in CLAIMS.items() if c.privacy is not None}


def _corner(claim, end):
    """The claim's parameters at the lower or upper end of each domain, a little inside where it is open."""
    point = {}
    for parameter in claim.domain.parameters:
        low, high = ("-1e6" if parameter.lower == "-infinity" else parameter.lower), parameter.upper
        low, high = Fraction(low), Fraction(10**12 if high == "infinity" else high)
        inside = min(Fraction(1, 10**6), (high - low) / 10**6)
        point[parameter.name] = (
            low + inside * parameter.open_lower if end == "lower" else high - inside * parameter.open_upper
        )
    return point


@pytest.mark.parametrize("identifier", sorted(PRIVATE))
def test_the_level_of_a_profile_moves_no_neighbours(identifier):
    """Where a claim names the noise by its scale, epsilon is where its profile is read."""
    claim, point = PRIVATE[identifier], _corner(PRIVATE[identifier], "upper")
    if {"epsilon"} < set(point) and {"sigma", "b", "beta"} & set(point):
        rest = {name: value for name, value in point.items() if name != "epsilon"}
        assert claim.privacy.worst_cases(point) == claim.privacy.worst_cases(rest)


def test_delta_0_and_delta_inf_say_who_is_a_neighbour():
    """A user of three labels adds three keys; one of two counts each adds two to each."""
    claim = PRIVATE["thm7.gaussian.profile"]
    point = {"epsilon": 1, "delta_0": 3, "delta_inf": 2, "sigma": 1, "delta": Fraction(1, 20)}
    relation = claim.privacy.adjacency(point)
    relation.check({"a": 2, "b": 2, "c": 2}, {})
    assert relation == AddRemoveUser(c_u=3, per_key=2)
    new = next(found for found in claim.privacy.worst_cases(point) if found.id == "a1.new")
    assert (new.left, new.right) == (dict.fromkeys(labels(3), 2), {})
    assert PRIVATE["thm11.profile"].privacy.adjacency({"L": 5, "delta_0": 2}) == EventLevel(2)


def test_what_was_cut_is_said():
    """A million labels are shown by two hundred."""
    point = {"delta_0": 10**6, "delta_inf": 1, "sigma": 1, "delta": Fraction(1, 20)}
    new = PRIVATE["thm7.gaussian.profile"].privacy.worst_cases(point)[0]
    assert len(new.left) == MOST_KEYS
    assert new.description.endswith("(200 for delta_0 = 1000000)")


def test_the_top_of_a_claim_without_k_bar_holds_all_that_one_user_adds():
    """Algorithm 2 with k_bar = delta_0, unless k_bar is given."""
    point = {"delta_0": 4, "delta_inf": 1, "sigma": 1, "delta": Fraction(1, 20)}
    new = {found.id: found for found in TOP.worst_cases(point)}["b1'"]
    assert len(new.left) == 4
    assert len({found.id: found for found in TOP.worst_cases({**point, "k_bar": 2})}["b1'"].left) == 2


def test_an_absent_count_is_below_the_least_listed_one():
    """Items that appear with c_min - 1 + delta_inf users had c_min - 1 before."""
    point = {"c_min": 10, "delta_0": 1, "delta_inf": 2, "epsilon": 1, "delta": Fraction(1, 20)}
    new, *_rest = PRIVATE["alg1.ext_cmin"].privacy.worst_cases(point)
    assert (new.left, new.right) == ({"k00": 11}, {"k00": 9})


def test_a_count_that_moves_by_less_than_a_user_has_no_neighbours():
    """Said in one line, with what was given."""
    with pytest.raises(ValueError, match=r"delta_1 >= 1 \(counts\) .* got delta_1=1/2"):
        PRIVATE["thm1.laplace"].privacy.worst_cases({"delta_1": Fraction(1, 2), "b": 1})


def test_keys_are_sorted_in_order():
    """However many there are."""
    assert all(labels(number) == sorted(labels(number)) for number in (1, 100, 101, 1001))
