"""Hockey sticks beside a fixed law, against the sum of positive parts that they are."""

from fractions import Fraction
from itertools import product

import pytest

from proofs_numeric.arithmetic.likeliest import Beside

MASSES = [Fraction(n, 5) for n in (0, 1, 2, 4)]


@pytest.mark.parametrize("law", [list(product(MASSES, repeat=2)), [(MASSES[1], MASSES[2])], [(MASSES[0], MASSES[1])]])
def test_what_counts_is_every_outcome_that_gains_whatever_their_order(law):
    """At ties, at masses that only one side has, and where p or q is 0."""
    for p, q in product(MASSES, repeat=2):
        assert Beside(law).stick(p, q) == sum(max(0, p * x - q * y) for x, y in law)
