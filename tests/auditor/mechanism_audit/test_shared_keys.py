"""Guesses of who holds shared keys: a target too slow for counting is decided by few releases of many keys."""

import math
import time
from functools import partial

import numpy as np
import pytest

from auditor.mechanism_audit import shared_keys
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.sampler import Pace, Sampler
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit import urandom
from tests.auditor.mechanism_audit.audit_call import audit_mechanism
from tests.known_violations import nulls

RIGHT = f"{math.exp(-5) / (1 + math.exp(-1)) * 1.0001:.6g}"
"""Probability that the key of one user passes a threshold of 6."""
LOW = "0.036398"
"""Slightly more than P[Z >= 3], of a threshold of 4."""
OPTIONS = {"epsilon": "1", "budget": 30.0, "samples": 40, "alpha": "1e-9"}


def geometric(scale):
    """Return integer Laplace noise that nobody can tilt."""
    return math.floor(-scale * math.log(urandom.uniform())) - math.floor(-scale * math.log(urandom.uniform()))


def half_noise(histogram, rng):
    """Release noisy counts of at least 6, with half of the noise."""
    return {key: noisy for key, count in histogram.items() if (noisy := count + geometric(0.5)) >= 6}


def half_noise_above(histogram, rng):
    """Halve the noise of counts of at least 8: new keys are as private as they should be."""
    noisy = {key: count + geometric(1 if count < 8 else 0.5) for key, count in histogram.items()}
    return {key: number for key, number in noisy.items() if number >= 6}


def last_bit(histogram, rng):
    """Release twice the noisy count, and whether the count is odd in the last bit."""
    return {key: 2 * noisy + histogram[key] % 2 for key, noisy in urandom.threshold(histogram, rng).items()}


def rows_half_noise(rows, rng):
    """Count the users of each partition, with half of the noise."""
    users = {}
    for user, partition, _value in rows:
        users.setdefault(partition, set()).add(user)
    return half_noise({partition: len(own) for partition, own in users.items()}, rng)


def in_lists(histogram, rng):
    """Release keys beside their counts, which no key names."""
    return [[key, noisy] for key, noisy in urandom.threshold(histogram, rng).items()]


def result_of(target, delta, **options):
    """Return the test alone, and its notes."""
    request, notes = MechanismRequest.of(target, None, {}, delta=delta, **(OPTIONS | options)), []
    with request.located() as located:
        sampler = Sampler(located, Pace(request.budget, request.blocks), rows=request.rows)
        promise = request.promise()
        found = shared_keys.shared_keys_test(sampler, promise, request, float(request.alpha), notes)
    return found, notes, tuple(sampler.pace.blocks)


@pytest.mark.parametrize(
    ("target", "options"),
    [
        (half_noise, {}),
        (half_noise_above, {}),
        (last_bit, {}),
        (rows_half_noise, {"rows": True}),
        (half_noise, {"adjacency": "replace"}),
        (half_noise, {"c_u": 2}),
    ],
)
def test_a_wrong_count_is_refuted_by_few_releases(target, options):
    """The neighbours differ by the user of one shared key, and the bound is above the claim."""
    test, _notes, _drawn = result_of(target, RIGHT, **options)
    assert test.rejected
    assert float(RIGHT) < test.lower < 1
    assert test.releases <= 40
    left, right = test.neighbours.left, test.neighbours.right
    lost, won = ({key for key in one if one[key] > two.get(key, 0)} for one, two in ((left, right), (right, left)))
    assert len(lost) == options.get("c_u", 1)
    assert len(won) == (options.get("c_u", 1) if options.get("adjacency") == "replace" else 0)
    larger, smaller = test.rates if test.direction is Direction.FORWARD else test.rates[::-1]
    assert larger > math.e * smaller
    assert "other users" in test.result().event


def test_half_of_the_noise_above_a_threshold_shows_where_it_is():
    """The keys of one user are right there."""
    test, _notes, _drawn = result_of(half_noise_above, RIGHT)
    assert "a key of 1 other users" not in test.event


PRIVATE = [urandom.threshold, urandom.labels, nulls.keys_alone, nulls.keys_at_once, nulls.keys_in_blocks]
PRIVATE += [nulls.keys_sorted, nulls.keys_with_a_cap]


@pytest.mark.parametrize("target", PRIVATE, ids=lambda target: target.__name__)
def test_private_targets_are_not_refuted_whatever_their_keys_have_in_common(target):
    """Alone, by one draw for all, in blocks, sorted by noise, or with a cap on the number of released keys."""
    delta = RIGHT if target.__module__ == urandom.__name__ else f"{nulls.OF_A_KEY * 1.0001:.6g}"
    test, _notes, _drawn = result_of(target, delta)
    if test is not None:
        assert not test.rejected
        assert test.power_text


def test_a_right_threshold_has_the_power_of_counting_in_few_releases():
    """A delta of .05 in the count of one key would have been found."""
    test, _notes, _drawn = result_of(urandom.threshold, RIGHT)
    assert test.power <= 0.05
    assert test.lacking_seconds == 0
    assert f"{test.releases} releases of 3 x {test.keys:,} keys shared by 1, 10 or 40 users would" in test.power_text


def test_numbers_that_no_key_names_leave_the_test_without_power():
    """The test would not see what they say."""
    test, _notes, _drawn = result_of(in_lists, RIGHT)
    assert test.power == 1
    assert "do not name the keys of their numbers" in test.power_text


def test_a_target_that_releases_no_invented_key_is_not_tested():
    """Nothing is said of one."""
    test, notes, _drawn = result_of(urandom.fixed, RIGHT)
    assert test is None
    assert notes == [shared_keys.NOT_RELEASED]


def test_the_same_blocks_draw_the_same_sizes():
    """Those of a finished audit, whatever the clock says."""
    first, _notes, drawn = result_of(urandom.threshold, RIGHT)
    again, _notes, drawn_again = result_of(urandom.threshold, RIGHT, blocks=drawn, budget=1e-3)
    assert (again.keys, again.releases, drawn_again) == (first.keys, first.releases, drawn)


def slow(scale_above, histogram, rng):
    """Release noisy counts of at least 4 after some CPU time, with another scale of the noise from 8 users on."""
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    counts = np.fromiter(histogram.values(), dtype=np.int64, count=len(histogram))
    p = -np.expm1(-1 / np.where(counts < 8, 1.0, scale_above))
    noisy = counts + rng.geometric(p) - rng.geometric(p)
    return {key: number for key, number in zip(histogram, noisy.tolist(), strict=True) if number >= 4}


@pytest.mark.slow(120)
@pytest.mark.parametrize(
    ("scale_above", "delta", "verdict"),
    [(1.0, LOW, Verdict.CONSISTENT), (1.0, "0.0134", Verdict.REFUTED), (0.5, LOW, Verdict.REFUTED)],
)
def test_a_target_too_slow_for_counting_is_decided_by_default(scale_above, delta, verdict):
    """The headline says what was not tested."""
    target = partial(slow, scale_above)
    audit = audit_mechanism(target, epsilon="1", delta=delta, budget=60.0, alpha="1e-3", steer=False)
    assert audit.verdict is verdict, audit.detail
    if verdict is Verdict.CONSISTENT:
        assert "too slow for counting" in audit.detail
        assert max(audit.many_keys.power, audit.shared_keys.power) <= audit.detect < audit.result.power


@pytest.mark.slow(60)
def test_a_slow_target_without_time_is_undecided_with_the_time_that_decides():
    """The proposed command has a larger budget."""
    audit = audit_mechanism(partial(slow, 1.0), epsilon="1", delta=LOW, budget=6.0, alpha="1e-6", steer=False)
    assert audit.verdict is Verdict.UNDECIDED
    assert 6 < audit.would_take.seconds < 100
