"""What columns add to an outcome, against every column's positive part."""

import random
from itertools import product

import flint
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.lebeda2025.theorem_21.exact_profile import _Moved

ZERO = flint.arb(0)


def _sticks(columns, p, q):
    return _Moved(columns).stick(p, q), _Moved((y, x) for x, y in reversed(columns)).stick(q, p)


def _each(columns, p, q):
    gains = [x * p - y * q for x, y in columns]
    return sum((gain.max(ZERO) for gain in gains), ZERO), sum(((-gain).max(ZERO) for gain in gains), ZERO)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0, 1e-20, 0.1])
def test_columns_in_any_order_and_known_to_any_width_are_enclosed(spread):
    """Masses of 0 on either side and on both too; to all digits where they are points."""
    draw = random.Random(1)  # noqa: S311 - not for secrets
    with Ball(128) as ball:
        values = [ball.number(n) / 3 for n in (0, 1, 2, 3, 6)]
        for _ in range(100):
            exact = [(draw.choice(values), draw.choice(values)) for _ in range(draw.randint(1, 9))]
            columns = [tuple(x if x.is_zero() else x + flint.arb(0, spread) for x in pair) for pair in exact]
            for p, q in product(values, repeat=2):
                for found, within in zip(_sticks(columns, p, q), _each(exact, p, q), strict=True):
                    assert found.overlaps(within)
                    if not spread:
                        assert found.rad() < 1e-30


def test_ties_are_looked_at_one_by_one():
    """An outcome whose ratio is that of a column gains nothing by it, and stays narrow."""
    with Ball(128) as ball:
        third = ball.number(1) / 3
        columns = [(2 * third, third)] * 2 + [(third, third)] * 2 + [(third, 2 * third)] * 2
        forward, backward = _sticks(columns, third, third)
        assert forward.overlaps(ball.number(2) / 9)
        assert backward.overlaps(ball.number(2) / 9)
        assert max(forward.rad(), backward.rad()) < 1e-30
