"""Whole sums beside whole counts, of independent and of correlated noise."""

import numpy as np
import pytest

from mechanisms.discrete_correlated import sums as correlated
from mechanisms.integer_sparse_histogram import sums as independent

SPECS = (independent.MECHANISM, correlated.MECHANISM)
both = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)


@both
def test_a_key_that_is_held_back_takes_its_sum_with_it(spec):
    """In both samplers, and sums of a table are taken as they are, of either sign."""
    mechanism, rng = spec.build(**spec.parameters), np.random.default_rng(3)
    near = int(spec.parameters.get("threshold", 5))
    keys, values = mechanism.release_many({"a": near, "b": 40}, 500, rng)
    assert keys == ("count/a", "count/b", "sum/a", "sum/b")
    hidden = np.isnan(values)
    assert 0 < hidden[:, 0].sum() < 500
    assert np.array_equal(hidden[:, :2], hidden[:, 2:])
    for _release in range(50):
        output = mechanism.release({"a": near, "b": 40}, rng)
        assert {"count/b", "sum/b"} <= {*output} <= {*keys}
        assert ("count/a" in output) == ("sum/a" in output)
    assert mechanism.release_table({"c": (60, -(10**6))}, rng)["c"][1] < -(10**6) + 100


@both
def test_no_key_of_the_input_is_taken_for_a_column(spec):
    """Whatever keys are called: each key that is shown has a count and a sum of its own."""
    mechanism, rng = spec.build(**spec.parameters), np.random.default_rng(4)
    for keys in ({"a", "a.sum"}, {"a", "sum/a"}, {"count/a", "sum/a"}, {"sum/sum/a", "sum/a"}):
        histogram = dict.fromkeys(sorted(keys), 100)
        names, _values = mechanism.release_many(histogram, 1, rng)
        assert len({*names}) == len(names) == 2 * len(keys)
        assert {*mechanism.release(histogram, rng)} == {*names}


@pytest.mark.parametrize("wrong", [{"sigma_s": 0}, {"per_sum": 0}, {"per_sum": "5/2"}, {"sigma": 0}])
@both
def test_what_is_no_setting_is_refused(spec, wrong):
    """One line: what, value, allowed."""
    with pytest.raises(ValueError, match="expected"):
        spec.build(**{**spec.parameters, **wrong})


@both
def test_a_sum_that_is_not_whole_is_refused(spec):
    """The law is that of whole sums."""
    mechanism = spec.build(**spec.parameters)
    with pytest.raises(ValueError, match=r"expected whole sums \(int\), got 1.5 for 'a'; round them first"):
        mechanism.release_table({"a": (30, 1.5)}, np.random.default_rng(1))


def test_correlated_sums_are_drawn_from_the_law_of_the_pair():
    """Far above the threshold: counts have covariance sigma^2/sqrt(k) apart, sums none; within six deviations."""
    mechanism, n = correlated.build(k=2, sigma=1, gap=3, sigma_s=2, per_sum=1), 40_000
    _keys, values = mechanism.release_many({"a": 100, "b": 100}, n, np.random.default_rng(5))
    shared = 2**-0.5
    expected = np.diag([1.0, 1.0, 4.0, 4.0])
    expected[:2, :2] += shared
    assert np.allclose(np.cov(values.T), expected, atol=6 * 4 * (2 / n) ** 0.5)
