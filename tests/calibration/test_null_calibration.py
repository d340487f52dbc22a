"""The auditor audited: false alarms of every test on mechanisms exactly at their claim, judged exactly at 1e-9."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from auditor.statistics import exact_tests
from auditor.statistics.betting import hypothesis
from auditor.statistics.black_box import Budget, audit_pairs
from auditor.statistics.e_process import EProcess
from auditor.statistics.pair_audit import histogram_sampler
from auditor.statistics.tilting import tilted_interval
from auditor.statistics.tradeoff import tradeoff_band
from mechanisms.privacy_loss import GaussianLoss
from proofs_numeric.arithmetic import Float64
from proofs_numeric.special import gaussian_profile
from proofs_numeric.verdict import Verdict
from tests.calibration.broken_auditors import BROKEN, EPSILON, laplace_at_its_claim, two_bounds_refute
from tests.calibration.null_calibration import Calibration, calibrate
from tests.statistics.mechanisms_under_audit import ONE_KEY, RandomisedResponse, gaussian, laplace

assert len(BROKEN) == 4


@pytest.mark.parametrize("auditor", BROKEN, ids=lambda auditor: auditor.__name__)
def test_broken_auditors_are_caught(auditor) -> None:
    """Multiplicity ignored, a margin without alpha, an event judged on its own sample, a wrong model."""
    assert calibrate(auditor, 0.001, 1500, seed=1).too_many


def test_the_judge_accepts_what_is_right_and_notices_what_is_timid() -> None:
    """Frequencies at alpha pass; twice alpha and a hundredth of it do not."""
    assert not Calibration(500, 10_000, 0.05).too_many
    assert not Calibration(500, 10_000, 0.05).too_few
    assert Calibration(1000, 10_000, 0.05).too_many
    assert Calibration(5, 10_000, 0.05).too_few


def guess(rng: np.random.Generator, alpha: float) -> bool:
    """Guess the side of Laplace noise by its tails."""
    x, y = laplace_at_its_claim(rng)
    correct, wrong = int((x < 0).sum() + (y > 1).sum()), int((x > 1).sum() + (y < 0).sum())
    return exact_tests.guess_test(correct, correct + wrong, EPSILON, alpha).p_value <= alpha


def impossible(rng: np.random.Generator, alpha: float) -> bool:
    """One-sample test exactly at delta."""
    return exact_tests.impossible_event_test(int(rng.binomial(3000, 0.01)), 3000, 0.01, alpha).rejected


@pytest.mark.parametrize("auditor", [guess, impossible], ids=lambda auditor: auditor.__name__)
def test_fixed_sample_tests_keep_their_level_and_use_it(auditor) -> None:
    """False alarms are compatible with alpha and not with less than alpha / 5, in as many runs as that takes to see."""
    runs = 2500
    assert Calibration(0, runs, 0.05).too_few
    seen = calibrate(auditor, 0.05, runs, seed=2)
    assert not seen.too_many
    assert not seen.too_few


@pytest.mark.parametrize("alpha", [1e-6, 1e-3, 0.05])
@pytest.mark.parametrize(("n", "delta"), [(10, 1e-3), (100, 0.3), (3000, 0.01), (100_000, 1e-3)])
def test_the_exact_level_of_the_one_sample_test(n: int, delta: float, alpha: float) -> None:
    """By the binomial law itself: at most alpha, and more than alpha / 5 where enough hits are expected."""
    rejected = [
        hits for hits in range(min(n, 400) + 1) if exact_tests.impossible_event_test(hits, n, delta, alpha).rejected
    ]
    level = float(binom.sf(rejected[0] - 1, n, delta)) if rejected else 0.0
    assert rejected == list(range(rejected[0], min(n, 400) + 1)) if rejected else True
    assert level <= alpha
    assert level > alpha / 5 or n * delta < 10


@pytest.mark.parametrize("alpha", [1e-3, 0.05])
def test_the_exact_level_of_the_guessing_test(alpha: float) -> None:
    """Right guesses at the largest probability that epsilon allows: level in (alpha / 5, alpha]."""
    guesses, chance = 400, 1 / (1 + math.exp(-EPSILON))
    tails = binom.sf(np.arange(-1, guesses), guesses, chance)
    level = max(
        tail
        for correct, tail in enumerate(tails)
        if exact_tests.guess_test(correct, guesses, EPSILON, alpha).p_value <= alpha
    )
    assert alpha / 5 < level <= alpha


def test_the_exact_level_of_the_two_sample_test() -> None:
    """All tables of 20 releases a side, along the boundary p = e^epsilon q + delta: in (alpha / 5, alpha]."""
    n, delta, alpha = 20, 0.05, 0.05
    counts = np.arange(n + 1)
    rejected = np.array(
        [[exact_tests.two_sample_test(x, n, y, n, EPSILON, delta, alpha).rejected for y in counts] for x in counts]
    )
    levels = []
    for q in np.linspace(0.0, (1 - delta) / math.e, 60):
        p = math.exp(EPSILON) * q + delta
        levels.append(float(binom.pmf(counts, n, p) @ rejected @ binom.pmf(counts, n, q)))
    assert alpha / 5 < max(levels) <= alpha


RATIOS = (0.5, 0.7, 0.8, 0.9, 0.99)


@pytest.mark.slow
def test_power_falls_with_the_ratio_of_the_noise() -> None:
    """2000 releases a side at alpha = .05: certain at half the noise, rare at .99, falling in between."""

    def power(ratio: float) -> float:
        sampler, budget = histogram_sampler(laplace(ratio)), Budget(2000, confirmation=0.0)
        runs = [
            audit_pairs(sampler, [ONE_KEY], 1.0, 0.0, alpha=0.05, seed=seed, budget=budget).verdict
            for seed in range(20)
        ]
        return sum(verdict is Verdict.REFUTED for verdict in runs) / len(runs)

    curve = [power(ratio) for ratio in RATIOS]
    assert curve[0] == curve[1] == 1.0
    assert curve[2] > 0.6
    assert curve[-1] < 0.3
    assert curve == sorted(curve, reverse=True)


def test_two_separate_bounds_are_valid_and_timid() -> None:
    """Two Clopper-Pearson bounds keep the level at the price of a tenth of it: the reason for the joint test."""

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        x, y = laplace_at_its_claim(rng)
        return two_bounds_refute(int((x < 0).sum()), int((y < 0).sum()), len(x), alpha)

    seen = calibrate(auditor, 0.2, 3000, seed=3)
    assert not seen.too_many
    assert seen.refuted < 3000 * 0.2 / 3


def process_on_two_cells(rng: np.random.Generator, alpha: float) -> bool:
    """The e-process on randomised response exactly at epsilon, looked at after every block."""
    p = math.exp(EPSILON) / (1 + math.exp(EPSILON))

    def block(n: int) -> np.ndarray:
        x, y = rng.binomial(n, p), rng.binomial(n, 1 - p)
        return np.array([[x, y], [n - x, n - y]])

    process = EProcess(hypothesis(EPSILON, 0.0))
    process.freeze(block(16))
    for n in (8, 8, 12, 16, 24, 32, 48, 64):
        process.update(block(n))
        if process.log_wealth >= -math.log(alpha):
            return True
    return False


def test_the_e_process_keeps_its_level_under_optional_stopping() -> None:
    """Stopped when it looks best, the wealth exceeds 1 / alpha at most in a share alpha of runs."""
    seen = calibrate(process_on_two_cells, 0.3, 400, seed=4)
    assert not seen.too_many
    assert seen.refuted > 0


SIGMA, DELTA = 2.0, float(gaussian_profile(Float64(), 1.0, 0.5))
AT_CLAIM = {
    "laplace": (laplace(1.0), 0.0),
    "gaussian": (gaussian(SIGMA), DELTA),
    "response": (RandomisedResponse(1 / (1 + math.exp(-1))), 0.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_CLAIM)
def test_the_whole_auditor_keeps_its_level(name: str) -> None:
    """Learning events, all features, both directions, every stop: false alarms compatible with alpha = .2."""
    mechanism, delta = AT_CLAIM[name]

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        result = audit_pairs(
            histogram_sampler(mechanism), [ONE_KEY], 1.0, delta, alpha=alpha, seed=int(rng.integers(2**60)),
            budget=Budget(200, confirmation=0.0),
        )  # fmt: skip
        return result.verdict is Verdict.REFUTED

    seen = calibrate(auditor, 0.2, 120, seed=5)
    assert not seen.too_many


@pytest.mark.slow
def test_lower_bounds_keep_their_level() -> None:
    """The bound on delta exceeds the exact delta of the Gaussian pair in at most a share alpha of runs."""

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        seed = int(rng.integers(2**60))
        sampler = histogram_sampler(gaussian(SIGMA))
        budget = Budget(400, confirmation=0.0)
        return (
            audit_pairs(sampler, [ONE_KEY], 1.0, DELTA / 3, alpha=alpha, seed=seed, budget=budget).delta_lower > DELTA
        )

    assert not calibrate(auditor, 0.2, 100, seed=6).too_many


def test_tilted_intervals_keep_their_level() -> None:
    """The interval for a Gaussian delta misses the exact value in at most a share alpha of runs."""
    exact = float(gaussian_profile(Float64(), 1.0, 0.3))

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        interval = tilted_interval(GaussianLoss(0.3), 1.0, 400, alpha, rng)
        return not interval.lower <= exact <= interval.upper

    seen = calibrate(auditor, 0.2, 400, seed=7)
    assert not seen.too_many
    assert seen.refuted > 0


def test_the_tradeoff_band_keeps_its_level() -> None:
    """The band of Laplace scores bounds delta above the exact profile in at most a share alpha of runs."""
    exact = {epsilon: max(0.0, 1 - math.exp((epsilon - 1) / 2)) for epsilon in (0.0, 0.5, 1.0)}

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        x, y = laplace_at_its_claim(rng)
        band = tradeoff_band(-x, -y, alpha)
        return any(band.delta_lower(epsilon) > delta for epsilon, delta in exact.items())

    assert not calibrate(auditor, 0.2, 1000, seed=8).too_many
