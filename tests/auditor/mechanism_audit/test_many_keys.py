"""Releases of many keys of one user each: what draws nobody can tilt is decided all the same."""

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.mechanism_audit import many_keys
from auditor.mechanism_audit.random_names import largest_probability, name_bytes
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.sampler import Pace, Sampler
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, ReplaceUser, SparseMonotone
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit import urandom
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

TRUE = math.exp(-5) / (1 + math.exp(-1))
"""Probability that the key of one user passes the threshold."""
WRONG, RIGHT = f"{TRUE / math.e:.6g}", f"{TRUE * 1.0001:.6g}"
HERE = Path(urandom.__file__)
OPTIONS = {"epsilon": "1", "budget": 30.0, "samples": 2000, "alpha": "1e-9"}


def result_of(name, delta, **options):
    """Return the test alone, of a target in a file of somebody's, and its notes."""
    request = MechanismRequest.of(f"{HERE}:{name}", None, {}, delta=delta, **(OPTIONS | options))
    notes = []
    with request.located() as target:
        sampler = Sampler(target, Pace(request.budget, request.blocks))
        sampler.rows = request.rows
        result = many_keys.many_keys_test(sampler, request.promise(), request, 1e-9, notes)
    return result, notes, tuple(sampler.pace.blocks)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("threshold", {}),
        ("labels", {}),
        ("rows_threshold", {"rows": True}),
        ("threshold", {"adjacency": "replace"}),
        ("threshold", {"direction": "backward"}),
    ],
)
def test_a_threshold_one_too_low_is_refuted_on_neighbours_of_many_keys(name, options):
    """They differ by the key of one user; the bound is above the claim and below the truth."""
    test, _notes, _drawn = result_of(name, WRONG, detect="1.5x", **options)  # far more than this error takes
    assert test.rejected
    assert float(WRONG) < test.delta_lower < TRUE
    left, right = test.neighbours.left, test.neighbours.right
    if options.get("direction") == "backward":
        left, right = right, left
    loss, won = left.keys() - right.keys(), right.keys() - left.keys()
    assert loss == set(test.keys)
    assert len(won) == (options.get("adjacency") == "replace")
    assert set(left.values()) == {1}
    assert len(left) == test.users
    assert test.result().direction is Direction(options.get("direction", "forward"))


@pytest.mark.parametrize("name", ["threshold", "labels", "capped"])
def test_a_right_threshold_is_not_refuted_and_the_power_is_stated(name):
    """Three times the claim would have been found."""
    test, _notes, _drawn = result_of(name, RIGHT)
    assert not test.rejected
    assert test.power <= 3 * float(RIGHT)
    assert (
        f"{test.releases} releases of up to {test.users:,} keys of one user each would have found >= 0.01"
        in test.power_text
    )
    assert test.to_json()["chances"] == test.chances
    assert "releases of one key of one user " in replace(test, users=1).power_text


def test_keys_of_two_share_a_trial_where_a_user_has_two():
    """Either of them gives him away."""
    test, _notes, _drawn = result_of("threshold", WRONG, c_u=2)
    assert test.rejected
    assert len(test.neighbours.left.keys() - test.neighbours.right.keys()) == 2
    assert float(WRONG) < test.delta_lower < 2 * TRUE


def test_one_draw_for_all_keys_is_no_false_alarm_and_lowers_the_power():
    """Each key alone keeps the claim."""
    test, _notes, _drawn = result_of("one_draw", RIGHT)
    assert not test.rejected
    if test.hits >= 64:  # fewer may be those of one small release, which says nothing of independence
        assert test.together
        assert test.power > 3 * float(RIGHT)


def test_a_cap_on_released_keys_hides_nothing_of_few_keys():
    """One of many keys is released always: a release of one key shows it, one of a thousand would not."""
    test, _notes, _drawn = result_of("loudest", "0.0001")
    assert test.rejected
    assert test.users <= 4


def test_a_target_that_releases_no_key_that_it_cannot_know_is_not_tested():
    """Nothing is said of one."""
    test, notes, _drawn = result_of("fixed", RIGHT)
    assert test is None
    assert notes == [many_keys.NOT_RELEASED]


def test_a_target_that_refuses_many_keys_is_not_refuted():
    """An exception releases no key."""
    test, _notes, _drawn = result_of("refuses_many", RIGHT, samples=200)
    assert not test.rejected


def test_the_same_blocks_draw_the_same_sizes():
    """Those of a finished audit, whatever the clock says."""
    first, _notes, drawn = result_of("threshold", RIGHT, samples=200)
    again, _notes, drawn_again = result_of("threshold", RIGHT, samples=200, blocks=drawn, budget=1e-3)
    assert (again.users, again.releases, drawn_again) == (first.users, first.releases, drawn)
    assert first.releases == 200


def test_a_wrong_one_is_red_in_a_whole_audit():
    """The neighbours are those of many keys, and the command draws the same again."""
    audit = audit_mechanism(f"{HERE}:threshold", delta=WRONG, detect="1.5x", **OPTIONS)  # it is 2.7 times
    assert audit.verdict is Verdict.REFUTED
    assert audit.many_keys.rejected
    assert audit.result.delta_lower > float(WRONG)
    assert audit.to_json()["pair"]["id"] == audit.many_keys.neighbours.id


def low_at_epsilon_5(histogram, rng):
    """Release noisy counts of at least 1.66: a key of one user with probability e^-3.3 / 2 = .0185."""
    return {key: noisy for key, count in histogram.items() if (noisy := round(count + rng.laplace(0, 0.2), 3)) >= 1.66}


def test_large_epsilon_hides_no_key():
    """Counting would have to bound the neighbour by e^-5 of what is seen."""
    audit = audit_mechanism(low_at_epsilon_5, epsilon="5", delta="0.00129", budget=20.0)
    assert audit.verdict is Verdict.REFUTED
    assert 0.00129 < audit.result.delta_lower < 0.0185
    assert audit.result.samples < 1000


def at_epsilon_50(histogram, rng):
    """Release a key of one user with probability 1.19e-9."""
    threshold = 1 + math.log(0.5 / 1.19e-9) / 50
    return {key: noisy for key, n in histogram.items() if (noisy := round(n + rng.laplace(0, 0.02), 4)) >= threshold}


@pytest.mark.slow
def test_an_epsilon_beyond_counting_is_decided_by_names_and_the_exploration():
    """No number of releases outweighs e^50: a right threshold is green without counting, a wrong one is red."""
    right, wrong = (audit_mechanism(at_epsilon_50, epsilon="50", delta=delta) for delta in ("1.2e-9", "1e-10"))
    assert right.verdict is Verdict.CONSISTENT, right.detail
    assert "importance-sampled releases would have found >= 3" in right.detail
    assert "counting detects nothing: no number of releases outweighs e^50" in right.detail
    assert right.result.samples <= 2**15
    assert wrong.verdict is Verdict.REFUTED


def test_the_time_that_many_keys_lack_is_proposed_and_not_that_of_counting():
    """With the power of many keys, counting has to see likelier events alone: by itself it would take an hour."""
    audit = audit_mechanism(f"{HERE}:high_threshold", epsilon="1", delta="2.5e-4", detect="1.2x", budget=2.0)
    assert audit.verdict is Verdict.UNDECIDED
    assert audit.many_keys.lacking > 0
    assert audit.would_take.seconds < 300
    assert audit.result.lacking > 1e6


@pytest.mark.slow(60)
def test_a_right_one_is_green_where_keys_and_what_is_likelier_would_be_seen():
    """The power of counting alone would not do."""
    right = math.exp(-8) / (1 + math.exp(-1)) * 1.0001
    audit = audit_mechanism(f"{HERE}:high_threshold", epsilon="1", delta=f"{right:.6g}")
    assert audit.verdict is Verdict.CONSISTENT, audit.detail
    assert audit.many_keys.power <= audit.detect < audit.result.power <= many_keys.COUNTED
    assert "where keys are released independently" in audit.detail


def as_slow_as_an_engine(histogram, _rng):
    """Release noisy counts from 5 on, half a millisecond later; the noise is the operating system's."""
    for _ in range(20_000):
        pass
    noisy = {
        key: n + random.SystemRandom().expovariate(1) - random.SystemRandom().expovariate(1)
        for key, n in histogram.items()
    }
    return {key: round(value, 3) for key, value in noisy.items() if value >= 5}


@pytest.mark.slow(60)
def test_a_slow_right_one_is_green_at_a_large_delta_too():
    """Counting has to see likelier events alone, evenly on all pairs: it would lack ten times the budget otherwise."""
    audit = audit_mechanism(as_slow_as_an_engine, epsilon="1", delta="0.00916", steer=False)
    assert audit.verdict is Verdict.CONSISTENT, audit.detail
    assert audit.many_keys.power <= audit.detect < audit.result.power <= many_keys.COUNTED


@pytest.mark.parametrize(
    ("adjacency", "relation"),
    [
        (AddRemoveUser(3, 2), (3, False)),
        (ReplaceUser(2), (2, True)),
        (SparseMonotone(5), (1, False)),
        (SparseMonotone(1), None),
        (EachAnswer(4), None),
    ],
)
def test_who_may_leave_or_change_keys(adjacency, relation):
    """None of a relation of answers, which has no users."""
    assert many_keys._relation(adjacency) == relation


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 50.0, 700.0])
def test_names_outweigh_e_to_the_epsilon(epsilon):
    """What the neighbour may give them is nothing beside the smallest delta."""
    assert name_bytes(epsilon) % 5 == 0
    assert 0 < math.exp(epsilon) * largest_probability(8, epsilon, 1e-13) < 1e-18
