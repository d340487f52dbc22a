"""Numbers as findings write them."""

from fractions import Fraction

import pytest

from auditor.checks.show import exact_text
from proofs_numeric.arithmetic import exact


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(349, 1000), "0.349"),
        (Fraction(1, 10**100), "1e-100"),
        (Fraction(999, 10**153), "9.99e-151"),
        (Fraction(0.1), "0.1000000000000000055511151231257827021181583404541015625"),
        (Fraction(1, 2**150), f"1/{2**150}"),
        (Fraction(1, 3), "1/3"),
        (10**9, "1000000000"),
    ],
)
def test_what_is_written_as_exact_is_read_as_the_same_number(value, text):
    """A decimal of any exponent where its digits are few: no digit is lost, and no row of zeros shown."""
    assert exact_text(value) == text
    assert Fraction(exact(text)) == value
