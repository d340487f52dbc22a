"""Values of rows: what lies within the data or the declared range, and what lies beyond."""

import math

from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.data import Rows
from auditor.inputs.values import Values, distinct, same, spread
from auditor.mechanism_audit.input_search import values_of

NUMBERS = st.floats(-1e12, 1e12)


@given(st.tuples(NUMBERS, NUMBERS).map(sorted), st.lists(NUMBERS, max_size=20))
def test_values_within_lie_in_the_range_and_values_beyond_do_not(ends, own):
    """Both ends are tried first, and no value is tried twice."""
    values = Values(ends[0], ends[1], (), tuple(own))
    within, beyond = values.within(), values.beyond()
    assert {values.far, values.near} <= set(within)
    assert all(ends[0] <= value <= ends[1] for value in within)
    assert not any(values.holds(value) for _kind, value in beyond)
    assert len(within) == len(distinct(within))


def test_a_declared_range_has_nothing_beyond_and_may_have_missing_values():
    """Whoever declares the values answers for what lies outside."""
    declared = Values(0.0, 10.0, (math.nan,), declared=True)
    assert declared.beyond() == []
    assert any(map(math.isnan, declared.within()))


def test_data_without_missing_values_have_nan_infinities_and_other_magnitudes_beyond():
    """Every order of magnitude is tried on both sides of the range."""
    kinds = [kind for kind, _value in Values(0.0, 60.0).beyond()]
    beyond = [value for kind, value in Values(0.0, 60.0).beyond() if kind == "a value"]
    assert {"NaN", "infinity", "a value"} == set(kinds)
    assert {1e6, -1e6, -0.001} <= set(beyond)


def test_whole_numbers_stay_whole_within_the_data_and_others_are_beyond():
    """An answer of 0 or 1 is no half answer; a range with fractional ends has fractions."""
    votes = Rows([("x", "vote", 0.0), ("y", "vote", 1.0), ("z", "vote", math.nan)])
    for declared in (None, (0.0, 1.0)):
        known = values_of(votes, declared)
        assert {value for value in known.within() if math.isfinite(value)} == {0.0, 1.0, -0.0}
        assert (("a value", 0.5) in known.beyond()) is (declared is None)
    assert 0.75 in values_of(votes, (0.5, 1.0)).within()
    assert 0.5 in values_of(Rows([("x", "vote", 0.0), ("y", "vote", 1.0), ("z", "vote", 0.2)]), None).within()


def test_two_doubles_are_the_same_by_sign_of_zero_too():
    """NaN is itself, and 0 is not -0."""
    assert same(math.nan, math.nan)
    assert not same(0.0, -0.0)
    assert spread([3.0, 1.0, math.inf, 2.0, 1.0], 2) == [1.0, 3.0]
