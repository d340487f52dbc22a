"""What the closed forms of many releases say of one, of one kind, and of other mechanisms."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.composition import heterogeneous, homogeneous, kinds, three_kinds
from proofs_numeric.standard.one_release import discrete_laplace, randomized_response


def value(formula, **point):
    """Enclose a formula at exact numbers."""
    return enclose(formula, {name: x if isinstance(x, int) else Fraction(x) for name, x in point.items()}, 25)


@pytest.mark.parametrize("epsilon", ["0", "0.3", "0.9"])
def test_one_release_is_a_randomised_response(epsilon):
    """Discrete Laplace noise at sensitivity 1, the composition of one, and two answers have one profile."""
    response = value(randomized_response, epsilon=epsilon, epsilon_0="1/2", categories=2)
    same = [
        value(discrete_laplace, epsilon=epsilon, scale="2", sensitivity=1),
        value(homogeneous, epsilon=epsilon, epsilon_0="1/2", delta_0="0", k=1),
    ]
    assert all(abs(one.lower - response.lower) <= Fraction(1, 10**20) for one in same)


def test_two_kinds_that_are_one_are_its_composition():
    """Twelve and thirty mechanisms of one pair are forty-two of it."""
    pair = {"epsilon": "1", "epsilon_0": "1/10", "delta_0": "1e-7"}
    both = value(heterogeneous, **pair, k=12, epsilon_1="1/10", delta_1="1e-7", m=30)
    one = value(homogeneous, **pair, k=42)
    assert abs(both.lower - one.lower) <= one.lower / 10**15


def test_adding_epsilons_and_deltas_is_no_less():
    """Basic composition is an upper bound: at k epsilon_0 only the deltas are left."""
    left = value(homogeneous, epsilon="3", epsilon_0="1/10", delta_0="1e-7", k=30)
    assert Fraction("29e-7") < left.lower <= left.upper <= Fraction("30e-7")


def test_a_third_kind_that_is_the_second_is_more_of_it():
    """Five of one pair, and seven and four of another: five and eleven."""
    pair = {"epsilon": "1", "epsilon_0": "1/10", "delta_0": "1e-7", "k": 5, "epsilon_1": "1/4", "delta_1": "1e-8"}
    three = value(three_kinds, **pair, m=7, epsilon_2="1/4", delta_2="1e-8", n=4)
    two = value(heterogeneous, **pair, m=11)
    assert abs(three.lower - two.lower) <= two.lower / 10**15


def test_a_kind_of_count_0_is_absent_and_their_order_is_none():
    """Six kinds of which three are there: the three, whichever place they have."""
    three = {
        "epsilon_0": "1/10",
        "delta_0": "1e-7",
        "epsilon_1": "1/4",
        "delta_1": "1e-8",
        "epsilon_2": 1,
        "delta_2": 0,
    }
    named = value(three_kinds, epsilon="1", **three, k=5, m=7, n=4)
    for places in ((0, 1, 2), (5, 0, 3)):
        point = {f"{name}_{i}": 0 if name == "k" else "1/2" for i in range(6) for name in ("epsilon", "delta", "k")}
        for place, (i, count) in zip(places, enumerate((5, 7, 4)), strict=True):
            point |= {
                f"epsilon_{place}": three[f"epsilon_{i}"],
                f"delta_{place}": three[f"delta_{i}"],
                f"k_{place}": count,
            }
        found = value(kinds, epsilon="1", **point)
        assert abs(found.lower - named.lower) <= named.lower / 10**15
