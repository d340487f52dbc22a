"""The maximum rule on integers, loss by loss: where it fails and where it holds, against the profile."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.thresholds.integer_profile import exact_profile, two_ends
from proofs_numeric.thresholds.two_ends import Noise, beside_at_the_tie, maximum_rule_holds, noises


@pytest.mark.parametrize("sigma", ["17/25", "7/10", "1/2"])
def test_it_fails_where_a_witness_is_known_or_found(sigma):
    """At 17/25 that of thresholds.gaussian.integer.two_ends."""
    assert not maximum_rule_holds(Noise(Fraction(sigma), 1))


def test_where_it_fails_the_tie_shows_it():
    """Noise 7/10, keys that move by one: by the searched statement's own sides, at losses of all keys."""
    with Ball(96) as A:
        at = [
            {"epsilon": A.number(Fraction(100 * s, 49) - Fraction(50 * keys, 49)), "c_u": keys, "new": new}
            for keys in range(2, 7)
            for new in range(1, keys)
            for s in range((keys + 1) // 2, keys + 3)
        ]
        more = {"sigma": A.number(Fraction(7, 10)), "per_key": 1}
        assert any(beside_at_the_tie(A, **one, **more) > beside_at_the_tie(A, **one, **more, ends=True) for one in at)


@pytest.mark.parametrize(("sigma", "per_key"), [("1", 1), ("3/2", 2), ("2", 4)])
def test_where_it_holds_no_threshold_shows_otherwise(sigma, per_key):
    """The profile, mixed pairs and both orders, is the larger end at whole thresholds and all sorts of epsilon."""
    assert maximum_rule_holds(Noise(Fraction(sigma), per_key))
    with Ball(96) as A:
        for i in range(12):
            at = {"epsilon": A.number(Fraction(i, 3)), "sigma": A.number(Fraction(sigma)), "per_key": per_key}
            for threshold in range(per_key + 1, per_key + 7):
                assert exact_profile(A, threshold=threshold, c_u=4, **at).overlaps(
                    two_ends(A, threshold=threshold, c_u=4, **at)
                )


def test_the_grid_has_both_ends():
    """Two steps a count: 15 noises, four moves."""
    found = [*noises(2)]
    assert len(found) == 60
    assert {found[0].sigma, found[-1].sigma} == {1, 8}
