"""What every registered mechanism's `build` refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from auditor.engine.registry import registry

SPECS = registry().mechanisms
NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), "nan", "infinity", "two", "1/0", None, True, [3], 1j)
NO_DOUBLES = (10**400, -(10**5000), "1e400", Fraction(1, 10**400))


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
