"""What the closed forms of many releases say of one, of one kind, and of other mechanisms."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.composition import heterogeneous, homogeneous, kinds, of_kinds
from proofs_numeric.standard.one_release import discrete_laplace, randomized_response
from tests.proofs_numeric.value import value


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


@pytest.mark.parametrize(("places", "most"), [((0, 1, 2), 6), ((5, 0, 3), 6), ((9, 4, 1), 10)])
def test_a_kind_of_count_0_is_absent_and_the_order_of_kinds_is_none(places, most):
    """Five of one pair, and seven and four of another: five and eleven of two kinds, in whichever place each has."""
    pair = {"epsilon": "1", "epsilon_0": "1/10", "delta_0": "1e-7", "k": 5, "epsilon_1": "1/4", "delta_1": "1e-8"}
    two = value(heterogeneous, **pair, m=11)
    point = {"epsilon": "1"}
    for place, first, count in zip(places, (True, False, False), (5, 7, 4), strict=True):
        pair = ("1/10", "1e-7") if first else ("1/4", "1e-8")
        point |= {f"epsilon_{place}": pair[0], f"delta_{place}": pair[1], f"k_{place}": count}
    parsed = of_kinds(most).domain.parse({"epsilon_7": 3, **point} if most > 7 else point)
    found = enclose(kinds, parsed, 25)
    assert abs(found.lower - two.lower) <= two.lower / 10**15


@pytest.mark.slow
def test_ten_kinds_agree_with_their_definition():
    """Every answer of each of ten, from the claim that a file of one's own holds."""
    claim = of_kinds(10, each=1)
    for point in (*claim.kind.oracle_points, *claim.points):
        parsed = claim.domain.parse(point)
        found, defined = enclose(claim.formula, parsed, 15), claim.kind.oracle(MpReal(20), **parsed)
        assert abs(found.lower / Fraction(str(defined)) - 1) <= Fraction(1, 10**14)
