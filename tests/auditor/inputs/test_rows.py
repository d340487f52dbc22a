"""Neighbouring pairs of rows differ by the rows of one user, wherever they stand."""

import math
from collections import Counter
from dataclasses import replace
from itertools import groupby, product

import pytest

from auditor.inputs.data import OTHER_USER, Rows
from auditor.inputs.histograms import HistogramModel
from auditor.inputs.rows import RowModel
from auditor.inputs.shrinking import without_users
from auditor.inputs.values import Values
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours

OWN = Rows([("u0", "a", 1.0), ("u1", "b", 7.0), ("u2", "a", 3.0), ("u1", "a", 7.0)])


def model(own=OWN, replaces=False, declared=(False, False)):
    """Rows of two keys and values from 1 to 7."""
    return RowModel(own, ("a", "b"), Values(1.0, 7.0, (), (1.0, 3.0)), 2, 1, replaces, declared, seed=1)


def difference(pair: Neighbours) -> set[str]:
    """Users whose rows differ between the sides."""
    sides = [Counter((row[0], row[1], repr(row[2])) for row in side.rows) for side in (pair.left, pair.right)]
    return {user for user, _key, _value in (sides[0] - sides[1]) | (sides[1] - sides[0])}


@pytest.mark.parametrize("replaces", [False, True])
def test_each_pair_differs_by_one_user(replaces):
    """Added, removed or replaced; within the data he has no more than neighbours may differ by."""
    found = [*model(replaces=replaces).candidates(), *model(replaces=replaces).beyond()]
    assert len(found) > 300
    for candidate in found:
        assert len(difference(candidate.pair)) == 1, candidate.pair.id
        if not candidate.beyond:
            (user,) = difference(candidate.pair)
            for side in (candidate.pair.left, candidate.pair.right):
                held = side.shares.get(user, Counter())
                assert len(held) <= 2
                assert max(held.values(), default=0) <= 1


def test_the_one_user_stands_first_last_and_in_the_middle_and_every_user_is_removed():
    """Nothing assumes that rows are a set; of the user's own data only users of the data come and go."""
    pairs = [candidate.pair for candidate in model().candidates() if candidate.family in ("own data", "removals")]
    assert {difference(pair).pop() for pair in pairs} == {"u0", "u1", "u2"}
    places = {[row[0] for row in pair.left.rows].index("u0") for pair in pairs if difference(pair) == {"u0"}}
    assert {0, 1, 3} <= places


@pytest.mark.parametrize("replaces", [False, True])
def test_rows_of_the_one_user_stand_apart_from_one_another(replaces):
    """Other users stand between them, in made-up data and in ever larger data."""
    many = replace(model(own=None, replaces=replaces), c_u=3, per_key=2, keys=("a", "b", "c"))
    found = [one.pair for one in many.candidates() if " apart " in one.pair.id]
    found += [one.pair for _size, one in many.powers() if " apart" in one.pair.id]
    assert len(found) > 50
    for pair in found:
        (user,) = difference(pair)
        names = [row[0] for row in pair.left.rows]
        runs, own = [name for name, _rows in groupby(names)], names.count(user)
        assert runs.count(user) == min(own, len(names) - own + 1), pair.id
    assert max([row[0] for row in pair.left.rows].count(OTHER_USER) for pair in found) == 6


def test_a_user_of_several_keys_has_those_most_alike_too():
    """A target that cuts names takes them for one, and the first keys of the data need not be among them."""
    keys = ("south", "east", "mid", "northwest", "west", "north", "northeast")
    several = replace(model(own=None), c_u=3, keys=keys)
    found = {frozenset(one.pair.left.shares[OTHER_USER]) for one in several.candidates()}
    assert {frozenset(keys[:3]), frozenset(keys[-3:]), frozenset({"north", "northeast", "northwest"})} <= found


def test_values_vary_between_the_user_and_the_others():
    """A user of the least value joins others of the largest, and the reverse."""
    pairs = [candidate.pair for candidate in model(own=None).candidates() if not candidate.beyond]
    found = set()
    for pair in pairs:
        (user,) = difference(pair)
        own = {row[2] for row in pair.left.rows if row[0] == user}
        found |= {(value, other) for value in own for other in {row[2] for row in pair.right.rows}}
    assert {(1.0, 7.0), (7.0, 1.0)} <= found


def test_what_lies_beyond_names_the_option_and_is_left_out_where_it_is_declared():
    """Larger users and other values, each with the option that says whether there are any."""
    beyond = list(model().beyond())
    assert not any(candidate.beyond for candidate in model().candidates())
    assert {"NaN", "infinity", "a value", "more keys", "more rows"} == {one.family for one in beyond}
    assert all(one.remedy.startswith("--") for one in beyond)
    declared = RowModel(
        OWN, ("a", "b"), Values(1.0, 7.0, declared=True), 2, 1, replaces=False, declared=(True, True), seed=1
    )
    assert not list(declared.beyond())


def test_the_order_of_pairs_depends_on_the_seed_alone():
    """A replay tries the same pairs."""
    first, again = ([one.pair.id for one in model().candidates()] for _ in range(2))
    assert first == again


@pytest.mark.parametrize("adjacency", [AddRemoveUser(2), ReplaceUser(), EachAnswer(3)])
def test_pairs_of_histograms_are_neighbours(adjacency):
    """Of every adjacency, powers of two among them; one answer moves against all others where answers may."""
    histograms = HistogramModel(("a", "b", "c"), has_keys=True, adjacency=adjacency, largest=2**33, seed=2)
    found = [*histograms.candidates(), *histograms.powers(7, 33)]
    for candidate in found:
        adjacency.check(candidate.pair.left, candidate.pair.right)
    assert len({candidate.pair.id for candidate in found}) == len(found)
    largest = max(count for one in found for count in one.pair.left.values())
    assert largest == 2**33
    opposed = {one.family.partition(" against others")[0] for one in found if "against others" in one.family}
    assert opposed == ({"a", "c"} if isinstance(adjacency, EachAnswer) else set())


def test_common_users_are_left_out_as_long_as_the_pair_refutes():
    """The smallest pair keeps the user that it takes to refute, missing values among his."""
    left = Rows([("x", "a", 1.0), *((f"w{i}", "a", math.nan) for i in range(20))])
    pair = Neighbours("pair", left, Rows(left.rows[1:]))
    found = without_users(pair, lambda smaller: "w7" in smaller.left.shares)
    assert [user for user, *_ in found[-1].left.rows] == ["x", "w7"]
    assert without_users(pair, lambda _smaller: None) == [pair]


@pytest.mark.parametrize("tried", [1, 2, 6])
def test_no_made_up_data_have_more_users_than_declared(tried):
    """Neither keys alike nor data beyond the declared; the users of the caller's data stay."""
    made = replace(model(own=None, declared=(False, False)), largest=tried, limit=tried)
    for candidate in (*made.candidates(), *made.alike(opened=True), *made.beyond()):
        for side in (candidate.pair.left, candidate.pair.right):
            assert len({user for user, *_ in side.rows}) <= tried, candidate.pair.id


def test_other_users_have_missing_values_if_rows_may():
    """A mean over few of many values depends on one user."""
    ratings = replace(model(own=None), values=Values(0.0, 1.0, (math.nan,)))
    others = [{repr(value) for *_, value in base.rows} for _name, base, _family in ratings.bases()]
    assert {"nan"} in others


def test_made_up_data_grow_by_powers_of_two_up_to_the_largest_count():
    """The cap holds for every made-up data set; more users than the data have are beyond them."""
    capped = replace(model(own=None), largest=1000, limit=3000)
    sizes = dict(capped.powers())
    assert [*sizes] == [512, 1024, 2048]
    assert {users for users, one in sizes.items() if one.beyond} == {1024, 2048}
    assert all(len(one.pair.left.shares) == users for users, one in sizes.items())
    assert all(len(difference(one.pair)) == 1 for one in sizes.values())
    counted = [one.pair.left for one in capped.of_counts((17,))]
    assert {(key, left[key]) for left in counted for key in left if len(left) == 1} == {*product("ab", (17, 18))}
    first = [left for left in counted if left.rows[0] == (OTHER_USER, "a", 7.0)]
    assert [dict(left) for left in first] == [{"a": 1, "b": 16}, {"a": 1, "b": 17}]
    few = replace(model(own=None), limit=20)
    assert max(len(one.pair.left.shares) for one in few.candidates()) <= 20
    assert not [*few.powers()]
