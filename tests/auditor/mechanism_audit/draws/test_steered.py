"""Steered audits: rare releases are seen in few, right mechanisms stay silent, what cannot be steered says nothing."""

import math
import random
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from auditor.errors import ExitCode
from auditor.inputs.data import Rows, as_rows
from auditor.mechanism_audit.draws import explored, steered
from auditor.mechanism_audit.draws.steered import (
    BLOCK,
    MOST_STRENGTH,
    SMALLEST,
    Address,
    OverError,
    Plan,
    Shot,
    SteeredTest,
    Steering,
    UnsteeredError,
    most_allowed,
    refined,
    steered_test,
    unguessable,
)
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler, has_key
from auditor.target.target import Batch, as_target
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit import thresholds
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

NEW_KEY = Exposed(Neighbours("new key", {"s0": 90, "k0": 1}, {"s0": 90}), Direction.FORWARD, ("k0",))
ALPHA = 1e-7


def outcome(
    mechanism, delta: float, *, declared: bool = False, epsilon: float = 1.0, seed: int = 5, exposed: Exposed = NEW_KEY
) -> SteeredTest | None:
    """The steered test of one new key beside another, or of others, with power for three times the delta."""
    live = mechanism() if isinstance(mechanism, type) else mechanism
    with as_target(live, "mechanism") as target:
        sampler = Sampler(target, Pace(120.0))
        sampler.rows = isinstance(exposed.pair.left, Rows)
        return steered_test(sampler, exposed, Level(epsilon, delta), ALPHA, seed, 3 * delta, declared=declared)


@pytest.mark.slow
def test_nothing_is_steered_that_would_take_longer_than_there_is():
    """A steered release takes at least what one takes that is not, and as long as the last steered one took."""
    with as_target(thresholds.by_comprehension, "mechanism") as target:
        sampler = Sampler(target, Pace(120.0))
        sampler.release_count, sampler.pace.computed = 10, 100.0
        steering = Steering(sampler, NEW_KEY, 1, seconds=40.0)
        with pytest.raises(OverError):
            steering.batch(Plan.of([]).to_json(), 4)
        assert steering.blocks == 0
        sampler.pace.computed = 0.0
        assert len(steering.batch(Plan.of([]).to_json(), 4).values) == 4
        assert sampler.steered_seconds > 0
        sampler.steered_seconds = 10.0
        with pytest.raises(OverError):
            steering.batch(Plan.of([]).to_json(), 4)
        assert steering.blocks == 1


def learnt_before(test):
    """Return what gives the plan of a test, whatever is claimed, and leaves the blocks that it was learnt from."""

    def plan(steering):
        steering.blocks = test.blocks - test.samples // BLOCK
        return test.plan

    return plan


@pytest.mark.parametrize(
    "mechanism",
    [
        pytest.param(each, marks=() if each is thresholds.by_comprehension else pytest.mark.slow)
        for each in thresholds.TRUTHS
    ],
)
def test_a_delta_of_1e_9_is_told_from_a_tenth_of_it_and_not_from_itself(mechanism, request, monkeypatch):
    """Within 1e5 releases: refuted where a tenth is claimed, silent with its power where the truth is claimed.

    Fair integers are the dearest: that they stay silent is seen of their coins and of every other law.
    """
    if mechanism is thresholds.by_scipy_alone:
        request.getfixturevalue("everything")
    truth = thresholds.TRUTHS[mechanism]
    wrong = outcome(mechanism, truth / 10)
    assert wrong.rejected
    assert wrong.samples <= 1e5
    assert truth / 10 < wrong.lower <= truth
    if mechanism is thresholds.exactly:
        return
    monkeypatch.setattr(Steering, "plan", learnt_before(wrong))
    right = outcome(mechanism, truth)
    assert not right.rejected
    assert right.lower <= truth < right.power <= 3 * truth
    assert right.estimate == pytest.approx(truth, rel=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 4])
def test_draws_that_share_the_work_are_all_tilted(seed):
    """The first of them that shows the key, by chance, is not alone."""
    found = outcome(thresholds.by_a_mean, 1e-10, seed=seed)
    assert found.rejected
    assert {address.position for tilts in found.plan.tilts for address in tilts} == {0, 1, 2, 3}


def only_its_own(histogram, rng):
    """A right mechanism of two keys."""
    return {key: histogram.get(key, 0) + rng.laplace() for key in ("s0", "s1")}


def refuses(histogram, rng):
    """Names what it does not know, in an exception."""
    unknown = [key for key in histogram if key != "s0"]
    if unknown:
        raise KeyError(unknown[0])
    return {"s0": histogram["s0"] + rng.laplace()}


def always(histogram, rng):
    """Releases every key: counting sees that."""
    return {key: count + rng.laplace() for key, count in histogram.items()}


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [only_its_own, refuses, always])
def test_what_cannot_be_steered_says_nothing(mechanism):
    """A key that it does not know, an exception, a key that is always there."""
    assert outcome(mechanism, 1e-10) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (thresholds.Buffered, "draws no number that can be tilted"),
        (thresholds.in_single_precision, "draws no number that can be tilted"),
        (thresholds.of_an_order, "under any tilt"),
    ],
)
def test_what_cannot_be_steered_says_why(mechanism, words):
    """Most releases draw nothing of their own, or nothing of a known law; no tilt shows the key."""
    with pytest.raises(UnsteeredError, match=words):
        outcome(mechanism, 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "seed"), [(thresholds.Prefetching, 4), (thresholds.FarAhead, 1)])
def test_noise_that_is_kept_for_a_later_release_refutes_nothing(mechanism, seed):
    """Its releases are the same in any order, but by the tilted draws of another each, whose ratio is not theirs."""
    with pytest.raises(UnsteeredError, match="keeps draws"):
        outcome(mechanism, 1e-7, seed=seed)


def one_key_of_each(rows, rng, delta=0.97e-6):
    """(2, delta)-private: of each user one key counts, of whatever name."""
    held = {}
    for user, key, _value in rows:
        if key not in held.setdefault(user, []):
            held[user].append(key)
    counts = Counter(keys[int(rng.integers(len(keys)))] for keys in held.values())
    noisy = {key: count + rng.laplace() for key, count in counts.items()}
    return {key: value for key, value in noisy.items() if value > 1 + math.log(1 / (2 * delta))}


def ten_times_too_often(rows, rng):
    """Its threshold is for another delta."""
    return one_key_of_each(rows, rng, 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("declared", [True, False])
def test_new_keys_of_rows_are_one_users(declared):
    """Tilted draws see one user's keys at once, with names of their own; three users with a key each are nobody's."""
    exposed = replace(NEW_KEY, pair=Neighbours("heavy user", *as_rows(dict.fromkeys("abc", 1), {})), keys=(*"abc",))
    right, wrong = (
        outcome(each, 1e-6, declared=declared, epsilon=2.0, exposed=exposed)
        for each in (one_key_of_each, ten_times_too_often)
    )
    assert wrong.rejected
    assert not right.rejected
    assert right.power < 3e-6
    left = right.exposed.pair.left
    assert {partition for _user, partition, _value in left.rows} == {*right.exposed.keys}
    assert len({user for user, _partition, _value in left.rows}) == 1


class Seeds:
    """Draws from a generator that the given one seeds."""

    releases_only_input_keys = True

    def release(self, histogram, rng):
        legacy = np.random.RandomState(rng.integers(2**31))
        return [key for key, count in histogram.items() if count + legacy.normal(0, 2) > 20]


@pytest.mark.slow
def test_a_generator_that_seeds_another_one_is_told_as_not_steered(monkeypatch):
    """No tilt of the integer that it gives shows anything; where counting suffices nothing is lost, nor said."""
    monkeypatch.setattr(explored, "EACH", 8)  # what else is rare is not asked
    monkeypatch.setattr(steered, "LARGE", 512)
    options = {"epsilon": "1", "pair": {"left": {"k0": 1, "s0": 20}, "right": {"s0": 20}}, "samples": 200}
    rare, common = (audit_mechanism(Seeds(), **options, delta=delta) for delta in ("1e-9", "0.01"))
    assert sum("under any tilt that was found" in note for note in rare.notes) == 1
    assert not any("tilt" in note for note in common.notes)


def test_the_name_of_a_key_cannot_be_guessed():
    """200 bits at epsilon = 1, the same for the same seed, on both sides and in both directions."""
    named, again, other = (unguessable(NEW_KEY, seed, 1.0) for seed in (1, 1, 2))
    (key,) = named.keys
    assert len(key) == 40
    assert named.pair.left == {"s0": 90, key: 1}
    assert named.pair.right == {"s0": 90}
    assert again.keys == named.keys != other.keys


def test_a_key_is_found_wherever_it_is_released_but_in_an_exception():
    """As a key, in a list or as the release; as the beginning of another where no other name can hold it."""
    shapes = ('{"abc":#}', '["x","abc"]', 'raised KeyError: "abc"', '{"abcd":#}', '"abc"')
    batch = Batch(
        shapes, np.arange(5), (), np.empty((5, 0)), mutated=False, rng_used=True, seconds=0.0, cpu_seconds=0.0
    )
    assert has_key(batch, ("abc", "zzz")).tolist() == [True, True, False, False, True]
    assert has_key(batch, ("abc", "zzz"), within=True).tolist() == [True, True, False, True, True]


def test_the_claim_is_held_to_a_little_more_and_never_to_what_doubles_cannot_tell():
    """What the neighbour may give the event counts e^epsilon times."""
    assert 1e-9 < most_allowed(Level(1.0, 1e-9), 1e-27) < 1.02e-9
    assert most_allowed(Level(1.0, 0.0), 1e-27) > SMALLEST
    assert most_allowed(Level(40.0, 1e-9), 1e-27) > math.exp(40.0) * 1e-27
    assert most_allowed(Level(700.0, 1e-9), 0.0) < 1.02e-9


def test_shares_of_a_plan_leave_a_tenth_untilted():
    """The first component is the law itself."""
    a, b = Address("f:1", "normal", 0, 0), Address("f:1", "normal", 1, 0)
    plan = Plan.of([{a: 2.0}, {b: 1.0, a: -1.0}], [1.0, 3.0])
    assert plan.shares == pytest.approx((0.1, 0.225, 0.675))
    assert plan.coordinates == (a, b)
    assert Plan.of([]).shares == (1.0,)


def test_tilts_by_which_a_key_hardly_shows_are_made_stronger():
    """The ladder may stop at chance hits; nothing is learnt of so few, and nothing gets stuck."""
    address = Address("f:1", "normal", 0, 0)
    plan = Plan.of([{address: -30.0}, {address: 60.0}])
    shot = Shot(plan, np.zeros(512, dtype=bool), np.ones(512), np.ones((512, 3)), np.zeros((512, 1, 2)))
    assert refined(shot).tilts == ({}, {address: -60.0}, {address: MOST_STRENGTH})
    assert refined(shot).shares == plan.shares


@pytest.mark.slow
def test_a_target_that_ignores_the_generator_is_told_what_it_loses():
    """Only where a delta is asked for that counting cannot show."""

    def ignores(histogram, _rng):
        own = random.Random(time.time_ns())
        return {key: count + own.gauss(0, 20) for key, count in histogram.items()}

    options = {"epsilon": "1", "pair": {"left": {"k0": 2}, "right": {"k0": 1}}, "samples": 200}
    rare, common = (audit_mechanism(ignores, **options, delta=delta) for delta in ("1e-9", "0.01"))
    assert sum("importance sampling is not possible" in note for note in rare.notes) == 1
    assert not any("importance sampling is not possible" in note for note in common.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "law", "epsilon"), [(thresholds.at_once, "laplace", "1"), (thresholds.by_gauss, "normal", "8")]
)
def test_an_audit_of_a_plain_function_refutes_and_is_replayed(mechanism, law, epsilon):
    """By default: no declaration, no key, no claim but two numbers; the draw is named, and so is the key."""
    options = {"epsilon": epsilon, "delta": "1e-10"}
    audit = audit_mechanism(mechanism, **options)
    assert audit.verdict is Verdict.REFUTED
    assert audit.exit_code is ExitCode.FINDINGS
    assert f"{law} at" in audit.detail
    assert f"sets the comparison value of {law}" in audit.where[0]
    assert "thresholds.py" in audit.detail
    document = audit.to_json()
    assert 1e-10 < float(document["delta_lower"]) < 1e-9
    assert document["samples"] <= 1e5
    (steered,) = document["steered"]
    assert steered["event"] == document["event"] == f"releases {next(iter(audit.pair.left))}"
    words = audit.reproduce.split()
    blocks = tuple(map(int, words[words.index("--blocks") + 1].split(",")))
    again = audit_mechanism(mechanism, **options, blocks=blocks).to_json()
    if (
        mechanism is thresholds.by_gauss
    ):  # its releases that are not steered are others, and so are the pairs they suggest
        assert all(again[name] == document[name] for name in ("verdict", "event", "delta_lower", "samples", "steered"))
    else:
        assert again == {**document}


class Right:
    """Laplace noise for epsilon 1, and a threshold for delta 1e-12."""

    releases_only_input_keys = True

    def release(self, histogram, rng):
        return {key: value for key, count in histogram.items() if (value := count + rng.laplace()) >= 1 + 27}


@pytest.mark.slow
def test_silence_at_1e_12_has_its_power_and_without_steering_it_is_undecided():
    """The same mechanism and claim."""
    options = {"epsilon": "1", "delta": "1e-12", "pair": {"left": {"k0": 1, "s0": 90}, "right": {"s0": 90}}}
    silent = audit_mechanism(Right(), **options, samples=40_000)
    assert silent.verdict is Verdict.CONSISTENT, silent.detail
    assert max(float(test["power"]) for test in silent.to_json()["steered"]) <= 3e-12
    assert "in the release of a key that the neighbour lacks" in silent.detail
    counted = audit_mechanism(Right(), **options, samples=2000, steer=False)
    assert counted.verdict is Verdict.UNDECIDED
    assert counted.to_json()["steered"] == []
    assert "--no-steer" in counted.reproduce
