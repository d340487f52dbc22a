"""The inversion meets a closed form that shares no code with it, and the Gaussian limit."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.standard import inversion, laplace_composition
from proofs_numeric.standard.laplace_composition import composed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "scale", "k"),
    [
        ("3", "1/20", 1),
        ("0", "10000", 1),
        ("1", "1/2", 3),
        ("3.3", "3", 10),
        ("1/2", "10", 20),
        ("99.9999", "1/20", 5),
        ("100", "1/5", 50),
        ("1", "30", 100),
        ("150", "1", 200),
    ],
)
def test_the_inversion_is_the_closed_form(epsilon, scale, k):
    """The expanded power of `sqrt(dP dQ)`, in O(k^2): 22 digits, on both paths, on and off the lattice of losses."""
    point = {"epsilon": Fraction(epsilon), "scale": Fraction(scale)}
    with Ball(1024) as ball:
        values = {name: ball.number(x) for name, x in point.items()}
        closed = laplace_counts_profile(ball, values["epsilon"], n=k, distance=1 / values["scale"])
    with Ball(128) as ball:
        values = {name: ball.number(x) for name, x in point.items()}
        found = composed(ball, **values, k=k)
    with Ball(1024):
        assert found.overlaps(closed)
        assert found.rel_accuracy_bits() > 70


@pytest.mark.slow
def test_both_paths_meet():
    """Where the atoms are few, the plain sum and the sum by classes are of one number."""
    with Ball(192) as ball:
        epsilon, u = ball.number(40), 1 / ball.number(3)
        plain = inversion.delta([laplace_composition.LaplaceLoss(u, 400)], epsilon, 72)
        classes = laplace_composition._by_classes([laplace_composition.LaplaceLoss(u, 400)], epsilon, 72)
        assert plain.overlaps(classes)
        assert min(plain.rel_accuracy_bits(), classes.rel_accuracy_bits()) > 70


def test_nothing_is_lost_beyond_the_largest_loss():
    """At k/b and above: 0, exactly; where a ball cannot tell, hardly more."""
    assert enclose(composed, {"epsilon": Fraction(3), "scale": Fraction(1, 2), "k": 1}, 20).upper == 0
    with Ball(128) as ball:
        almost = composed(ball, epsilon=ball.number(1) / 3, scale=ball.number(9), k=3)
        assert almost.contains(0)
        assert almost < ball.number(2) ** -100


def test_ten_thousand_releases_at_a_delta_of_1e_12():
    """Twenty certified digits of it."""
    found = enclose(composed, {"epsilon": Fraction(1), "scale": Fraction(750), "k": 10**4}, 20)
    assert Fraction(1, 10**17) < found.lower < Fraction(1, 10**12)
    assert found.upper - found.lower <= found.lower / 10**20


def test_next_to_the_largest_loss_delta_is_enclosed_from_0():
    """Less than 1e-19 below it, where no digit is known: by what the loss exceeds epsilon at most."""
    with Ball(128) as ball:
        epsilon, scale = ball.number(20 - Fraction(1, 10**20)), ball.number(Fraction(1, 20))
        found = composed(ball, epsilon=epsilon, scale=scale, k=1)
        assert found.contains(0)
        assert found < ball.number(Fraction(2, 10**20))
