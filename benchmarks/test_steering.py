"""Steered draws: releases that decide a rare threshold, false alarms of right ones, and what the generator costs."""

import math
import time
from statistics import median

import numpy as np
import pytest

from auditor.mechanism_audit.draws.gaussian_value import gaussian_value_test
from auditor.mechanism_audit.draws.steered import SLACK, SteeredTest, Steering, steered_test, unguessable
from auditor.mechanism_audit.one_sample import Exposed
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.statistics.nonnegative import log_capital
from auditor.target.draws.steering import Proposal
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Direction, Neighbours
from tests.auditor.mechanism_audit import thresholds
from tests.auditor.mechanism_audit.draws.test_gaussian_value import PAIR as ONE
from tests.auditor.mechanism_audit.draws.test_gaussian_value import rounded, scaled

NEW_KEY = Exposed(Neighbours("new key", {"s0": 90, "k0": 1}, {"s0": 90}), Direction.FORWARD, ("k0",))
ALPHA = 0.05


def live(mechanism):
    """Return the mechanism itself."""
    return mechanism() if isinstance(mechanism, type) else mechanism


def outcome(mechanism, delta: float, seed: int, alpha: float = 1e-7) -> SteeredTest:
    """The test of a delta with power for three times as much, pilot stream included."""
    with as_target(live(mechanism), "mechanism") as target:
        test = steered_test(
            Sampler(target, Pace(600.0)), NEW_KEY, Level(1.0, delta), alpha, seed, 3 * delta, declared=False
        )
    assert test is not None
    return test


@pytest.mark.parametrize("mechanism", thresholds.TRUTHS)
def test_a_tenth_of_the_true_delta_is_refuted_within_1e5_releases(mechanism, benchmark) -> None:
    """Claimed 1e-10, true 1e-9, false alarms 1e-7: the median over three seeds, and the blocks of the search."""
    truth = thresholds.TRUTHS[mechanism]
    tests = benchmark.pedantic(
        lambda: [outcome(mechanism, truth / 10, seed) for seed in range(3)], rounds=1, iterations=1
    )
    needed = median(test.samples if test.rejected else math.inf for test in tests)
    benchmark.extra_info.update(median=needed, blocks=median(test.blocks for test in tests))
    assert needed <= 1e5


def test_few_draws_that_share_the_work_are_found_with_every_seed(benchmark) -> None:
    """The mean of four normals, none of which matters more than the others: 15 seeds."""
    tests = benchmark.pedantic(
        lambda: [outcome(thresholds.by_a_mean, 1e-10, seed) for seed in range(15)], rounds=1, iterations=1
    )
    benchmark.extra_info.update(refuted=sum(test.rejected for test in tests), median=median(t.samples for t in tests))
    assert all(test.rejected for test in tests)


def right(histogram, rng):
    """Laplace noise for epsilon 1, and a threshold for delta 1e-12."""
    return {key: value for key, count in histogram.items() if (value := count + rng.laplace()) >= 1 + 27}


def test_silence_at_1e_12_tells_its_power(benchmark) -> None:
    """A threshold whose delta is 9.4e-13, where 1e-12 is claimed: three times as much would have been seen."""
    tests = benchmark.pedantic(lambda: [outcome(right, 1e-12, seed) for seed in range(3)], rounds=1, iterations=1)
    benchmark.extra_info.update(power=median(t.power for t in tests), median=median(t.samples for t in tests))
    assert not any(test.rejected for test in tests)
    assert max(test.power for test in tests) <= 3e-12


TIGHT = [
    thresholds.by_comprehension, thresholds.at_once, thresholds.by_inversion, thresholds.by_a_sum,
    thresholds.by_a_difference, *thresholds.ELSEWHERE,
]  # fmt: skip
WHOLE = [thresholds.by_comprehension, thresholds.at_once, thresholds.by_gauss, thresholds.by_an_imported_function]


def test_bets_on_weights_alarm_at_most_at_the_level(benchmark) -> None:
    """400 runs of 256 steered releases of each kind, tested at their exact probability after each release."""

    def alarms(mechanism) -> int:
        pair = unguessable(NEW_KEY, 1)
        with as_target(live(mechanism), "mechanism") as target:
            steering = Steering(Sampler(target, Pace(1e6)), pair, 1, 1e6)
            plan = steering.plan()
            assert plan is not None
            values = np.concatenate([steering.shoot(plan, 2**11).values for _ in range(50)]).reshape(400, 256)
        truth = thresholds.TRUTHS[mechanism]
        return sum(bool(log_capital(row, truth).max() >= -math.log(ALPHA)) for row in values)

    alarm_counts = benchmark.pedantic(lambda: [alarms(mechanism) for mechanism in TIGHT], rounds=1, iterations=1)
    rate = sum(alarm_counts) / (400 * len(TIGHT))
    benchmark.extra_info.update(alarms=alarm_counts, runs=400 * len(TIGHT), rate=rate)
    assert rate <= ALPHA


def test_audits_of_tight_claims_alarm_at_most_at_the_level(benchmark) -> None:
    """200 whole tests, each with its own pilot stream, of a claim that leaves nothing to spare."""

    def alarms() -> int:
        return sum(
            outcome(mechanism, thresholds.TRUTHS[mechanism] / (1 + SLACK), seed, ALPHA).rejected
            for mechanism in WHOLE
            for seed in range(50)
        )

    count = benchmark.pedantic(alarms, rounds=1, iterations=1)
    benchmark.extra_info.update(alarms=count, runs=200, rate=count / 200)
    assert count <= 200 * ALPHA


@pytest.mark.parametrize("mechanism", [rounded, scaled])
def test_too_little_gaussian_noise_is_refuted_within_1e5_releases(mechanism, benchmark) -> None:
    """Of a count that both neighbours release; claimed 1e-10, true 1e-9: the median over five seeds."""

    def needed(seed: int) -> float:
        with as_target(mechanism, "mechanism") as target:
            sampler, level = Sampler(target, Pace(600.0)), Level(1.0, 1e-10)
            test = gaussian_value_test(sampler, ONE, Direction.FORWARD, level, 1e-7, seed)
        return test.samples if test is not None and test.rejected else math.inf

    used = benchmark.pedantic(lambda: median(needed(seed) for seed in range(5)), rounds=1, iterations=1)
    benchmark.extra_info.update(median=used)
    assert used <= 1e5


@pytest.mark.parametrize("shape", [(10_000, 8), (1000, 1)])
def test_draws_of_arrays_cost_less_than_twice_numpys(shape, benchmark) -> None:
    """The draw of an array with one tilted coordinate against NumPy's own."""

    def draw(rng):
        return rng.normal(0.0, 2.0, shape)

    proposal, plain = Proposal(), np.random.Generator(np.random.PCG64(1))
    address = [f"{__file__}:{draw.__code__.co_firstlineno + 1}", "normal", 0, 0]
    proposal.follow({"shares": [0.1, 0.9], "tilts": [[], [[address, 18.0]]]}, 1, ())

    def seconds(rng) -> float:
        best = math.inf
        for i in range(200):
            if rng is not plain:
                proposal.begin(i)
            started = time.perf_counter()
            draw(rng)
            best = min(best, time.perf_counter() - started)
        return best

    ratio = benchmark.pedantic(lambda: seconds(proposal.generator) / seconds(plain), rounds=1, iterations=1)
    assert proposal.steered == 1
    benchmark.extra_info.update(ratio=ratio)
    assert ratio < 2
