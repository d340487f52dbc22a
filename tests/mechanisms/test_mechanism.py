"""What every registered mechanism refuses, and what its releases have in common with those of every variant."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from auditor.engine.registry import registry
from mechanisms.mechanism import BatchMechanism, Releasing

SPECS = registry().mechanisms
RELEASING = {i: one for i, one in registry().subjects.items() if isinstance(one, Releasing)}
NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), "nan", "infinity", "two", "", "1/0", None, True, [3], 1j)
NO_DOUBLES = (10**400, -(10**5000), "1e400", "1e-400", Fraction(1, 10**400))
NO_COUNTS = (-1, 1.0, 1.5, -0.0, True, "3", float("nan"), None)
NO_HISTOGRAMS = ([1, 2], "ab", 3, None, {1: 2}, {"": 1}, *({"k0": count} for count in NO_COUNTS))


@pytest.mark.parametrize("identifier", SPECS)
def test_what_is_no_number_is_refused_in_one_line(identifier):
    """Every parameter of every mechanism, by name, before anything is built."""
    spec = SPECS[identifier]
    for name in spec.parameters:
        for value in (*NO_NUMBERS, *NO_DOUBLES):
            with pytest.raises(ValueError, match=rf"\Aexpected an exact number {name} .*got .*\Z"):
                spec.build(**{**spec.parameters, name: value})


@pytest.mark.parametrize("identifier", SPECS)
def test_decimal_strings_and_fractions_build_the_same(identifier):
    """Parameters may be written any exact way."""
    spec = SPECS[identifier]
    written = {name: str(Fraction(value)) for name, value in spec.parameters.items()}
    assert type(spec.build(**written)) is type(spec.build(**spec.parameters))


@pytest.mark.parametrize("identifier", RELEASING)
def test_a_release_is_a_row_of_the_batch(identifier):
    """Finite values under its keys; equal seeds give equal releases, in another process too; the input stays as is."""
    subject = RELEASING[identifier]
    mechanism = subject.build(**subject.parameters)
    histogram = dict(subject.audited_pairs[0].left)
    keys, values = mechanism.release_many(histogram, 3, np.random.default_rng(0))
    assert values.shape == (3, len(keys))
    travelled = pickle.loads(pickle.dumps(mechanism))  # noqa: S301 - our own bytes
    first, again = (each.release(histogram, np.random.default_rng(1)) for each in (mechanism, travelled))
    assert first == again
    if type(mechanism).release is BatchMechanism.release:
        keys, values = mechanism.release_many(histogram, 1, np.random.default_rng(1))
        assert first == {key: x for key, x in zip(keys, values[0], strict=True) if not math.isnan(x)}
    assert set(first) <= set(keys)
    assert all(map(math.isfinite, first.values()))
    assert histogram == dict(subject.audited_pairs[0].left)


@pytest.mark.parametrize("identifier", [*SPECS, *registry().controls])
def test_what_is_no_histogram_is_not_released(identifier):
    """Exact or in bulk, one line, and the generator is not asked; nor is any number of releases but a whole one."""
    subject = RELEASING[identifier]
    mechanism, rng = subject.build(**subject.parameters), np.random.default_rng(0)
    before = rng.bit_generator.state
    for histogram in NO_HISTOGRAMS:
        for release in (mechanism.release, lambda given, rng: mechanism.release_many(given, 5, rng)):
            with pytest.raises(ValueError, match=r"\Aexpected .*got .*\Z"):
                release(histogram, rng)
    for n in (-1, 1.5, True):
        with pytest.raises(ValueError, match=f"expected an integer n >= 0 .releases., got n={n!r}"):
            mechanism.release_many({}, n, rng)
    assert rng.bit_generator.state == before
