"""Optimal partition selection: the closed form, its optimality by search, its sampler, and its laws."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.partition_selection import accountant
from mechanisms.partition_selection.faults import FAULTS
from mechanisms.partition_selection.mechanism import MECHANISM, build
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.standard.partition_selection import worse_order
from proofs_numeric.standard.selection import keys_delta, last_rising
from proofs_numeric.statements.neighbours import Direction


def keep(epsilon, delta, users):
    """The accountant's probability."""
    return accountant.keep(users, epsilon_0=epsilon, delta_0=delta)


def delta_of_step(epsilon, one, other):
    """Delta of two probabilities of releasing a key, outcome by outcome, both orders."""
    pairs = ((one, other), (other, one))
    return max(max(0, p - math.exp(epsilon) * q) + max(0, (1 - p) - math.exp(epsilon) * (1 - q)) for p, q in pairs)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-5), (0.1, 1e-3), (3.0, 0.2), (0.5, 1e-8)])
def test_every_step_costs_the_whole_delta_until_the_key_is_certain(epsilon, delta):
    """A larger next probability, by a part in a thousand of what is left, is not private."""
    chances = [keep(epsilon, delta, users) for users in range(200)]
    assert chances[0] == 0
    for one, other in itertools.pairwise(chances):
        if 1 - other < 1e-6:  # doubles have no digit of what is missing to spare
            break
        assert delta_of_step(epsilon, one, other) == pytest.approx(delta, rel=1e-6)
        assert delta_of_step(epsilon, one, other + (1 - other) * 1e-3) > delta * (1 + 1e-6)
        exact = worse_order(Float64(), epsilon=epsilon, keep=one, keep_next=other)
        assert float(exact) == pytest.approx(delta, rel=1e-6)
    assert chances[-1] == 1


def test_no_random_private_probabilities_are_larger():
    """A thousand private sequences, each step a random part of what is allowed by bisection of its own delta."""
    epsilon, delta, rng = 0.7, 1e-2, np.random.default_rng(46)
    for _sequence in range(1000):
        here = 0.0
        for users in range(1, 15):
            low, high = here, 1.0
            if delta_of_step(epsilon, here, 1.0) > delta:
                for _halving in range(60):
                    middle = (low + high) / 2
                    low, high = (middle, high) if delta_of_step(epsilon, here, middle) <= delta else (low, middle)
            else:
                low = 1.0
            here += (low - here) * rng.uniform() ** 0.1
            assert here <= keep(epsilon, delta, users) * (1 + 1e-9)


def test_keys_are_released_as_often_as_the_closed_form_says():
    """One, ten and twelve users, 100,000 releases: within six deviations; a lowest number of users takes some away."""
    users = {"a": 1, "b": 10, "c": 12}
    for lowest in (1, 3):
        mechanism = build(epsilon_0=1, delta_0="1e-4", lowest=lowest)
        keys, values = mechanism.release_many(users, 100_000, np.random.default_rng(8))
        for key, shown in zip(keys, np.mean(~np.isnan(values), axis=0), strict=True):
            exact = keep(1.0, 1e-4, users[key] - lowest + 1) if users[key] >= lowest else 0.0
            assert shown == pytest.approx(exact, abs=6 * math.sqrt(exact * (1 - exact) / 100_000))


def test_the_delta_of_new_keys_is_the_claims_at_the_level_of_all_keys():
    """From epsilon = c_u epsilon_0 on it is 1 - (1 - delta_0)^c_u; no declared pair exceeds the claim below it."""
    parameters = {"epsilon_0": Fraction(1, 4), "delta_0": Fraction(1, 50), "c_u": 3}
    pairs = MECHANISM.pairs(parameters)
    for epsilon in (Fraction(3, 4), Fraction(1), Fraction(1, 4), Fraction(0)):
        with Ball(128) as A:
            at = {name: A.number(value) for name, value in parameters.items() if name != "c_u"}
            claimed = float(keys_delta(A, epsilon=A.number(epsilon), c_u=3, **at).mid())
            deltas = [float(A.number(p.profile(A, A.number(epsilon), way)).mid()) for p in pairs for way in Direction]
        assert max(deltas) <= claimed * (1 + 1e-12)
        if epsilon >= Fraction(3, 4):
            assert max(deltas) == pytest.approx(claimed, rel=1e-12)
            assert claimed == pytest.approx(1 - (49 / 50) ** 3, rel=1e-12)


def test_the_terms_cross_where_the_closed_form_says():
    """The first users that the second term serves have a smaller probability than the first term allows."""
    for epsilon, delta in ((1.0, 1e-5), (0.1, 1e-3), (2.0, 1e-10)):
        last = last_rising(Float64(), epsilon_0=np.float64(epsilon), delta_0=np.float64(delta))
        rising = [math.exp(epsilon) * keep(epsilon, delta, users) + delta for users in (last - 1, last)]
        assert keep(epsilon, delta, last) == pytest.approx(rising[0], rel=1e-9)
        assert keep(epsilon, delta, last + 1) < rising[1] * (1 - 1e-9)


def test_faults_leak_more_than_their_claim():
    """Exact delta of each planted fault against the claim at its point."""
    for fault in FAULTS:
        with Ball(128) as A:
            at = {name: A.number(Fraction(value)) for name, value in fault.parameters.items() if name != "c_u"}
            epsilon = A.number(Fraction(fault.epsilon))
            claimed = keys_delta(A, epsilon=epsilon, c_u=int(fault.parameters["c_u"]), **at)
            assert float(A.number(fault.exact_delta(A, epsilon)).mid()) > 1.5 * float(claimed.mid()), fault.id


@pytest.mark.parametrize(("keys", "users"), [(1, 12), (3, 33), (10, 109)])
def test_users_from_whom_a_key_is_released_more_often_than_not_at_the_split_of_1_and_1e_5(keys, users):
    """The numbers of the how-to page, by the steps themselves."""
    epsilon, delta, chance, found = 1 / keys, -math.expm1(math.log1p(-1e-5) / keys), 0.0, 0
    while chance < 0.5:
        chance, found = (
            min(math.exp(epsilon) * chance + delta, 1 - math.exp(-epsilon) * (1 - chance - delta)),
            found + 1,
        )
    assert found == users
    assert keep(epsilon, delta, users) == pytest.approx(chance, rel=1e-9)
