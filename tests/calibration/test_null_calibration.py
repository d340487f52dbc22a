"""The auditor audited: false alarms of every test on mechanisms exactly at their claim, judged exactly at 1e-9."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import PairAudit, confirm, histogram_sampler
from auditor.statistics import exact_tests
from auditor.statistics.betting import hypothesis
from auditor.statistics.e_process import EProcess
from auditor.statistics.evidence import AccumulatedEvidence
from auditor.statistics.tilting import tilted_interval
from auditor.statistics.tradeoff import band_of_cells
from mechanisms.correlated_stability_histogram.law import new_counters_loss, pair_profile
from mechanisms.laws.privacy_loss import GaussianLoss, LaplaceLoss, Loss, SharedLoss, SumLoss
from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism
from tests.auditor.statistics.mechanisms_under_audit import ONE_KEY, RandomisedResponse, gaussian, laplace
from tests.calibration.broken_auditors import (
    BROKEN,
    EPSILON,
    RELEASES,
    TOO_GREEN,
    guesses_refute,
    laplace_at_its_claim,
    laplace_of_half_the_noise,
    two_bounds_refute,
)
from tests.calibration.null_calibration import Calibration, calibrate, judged, misses

Auditor = Callable[[np.random.Generator, float], bool]
assert len(BROKEN) == 18
assert len(TOO_GREEN) == 13


@pytest.mark.slow
@pytest.mark.parametrize("auditor", BROKEN, ids=lambda auditor: auditor.__name__)
def test_broken_auditors_are_caught(auditor: Auditor) -> None:
    """Each of their mistakes makes more false alarms than chance allows once in 1e9."""
    assert any(seen.too_many for seen in judged(auditor, seed=1, whole=False))


@pytest.mark.parametrize("auditor", TOO_GREEN, ids=lambda auditor: auditor.__name__)
def test_auditors_that_miss_what_leaks_are_caught(auditor: Auditor) -> None:
    """Each of their mistakes lets pass, more often than not, what any sound test of their releases refutes."""
    assert misses(auditor, seed=14)


def test_sound_tests_miss_nothing_that_leaks_so_much() -> None:
    """Exact guesses and two separate bounds refute twice the claim, at the same numbers of releases and levels."""

    def two_bounds(rng: np.random.Generator, alpha: float) -> bool:
        x, y = laplace_of_half_the_noise(rng)
        return two_bounds_refute(int((x < 0).sum()), int((y < 0).sum()), RELEASES, alpha)

    def guesses(rng: np.random.Generator, alpha: float) -> bool:
        x, y = laplace_of_half_the_noise(rng)
        correct, wrong = int((x < 0).sum() + (y > 1).sum()), int((x > 1).sum() + (y < 0).sum())
        return guesses_refute(correct, wrong, alpha)

    assert not any(misses(auditor, seed=15) for auditor in (two_bounds, guesses))


def test_the_judge_accepts_what_is_right_and_notices_what_is_timid() -> None:
    """Frequencies at alpha pass; twice alpha and a hundredth of it do not."""
    assert not Calibration(500, 10_000, 0.05).too_many
    assert not Calibration(500, 10_000, 0.05).too_few
    assert Calibration(1000, 10_000, 0.05).too_many
    assert Calibration(5, 10_000, 0.05).too_few


def impossible(rng: np.random.Generator, alpha: float) -> bool:
    """One-sample test exactly at delta."""
    return exact_tests.impossible_event_test(int(rng.binomial(3000, 0.01)), 3000, 0.01, alpha).rejected


def one_run(rng: np.random.Generator, alpha: float) -> bool:
    """One release of 3000 single-user keys, each released with probability delta exactly."""
    threshold = 1 + math.log(1 / (2 * 0.01))
    released = int((1 + rng.laplace(0.0, 1.0, 3000) >= threshold).sum())
    return exact_tests.one_run_test(released, 3000, 0.01, alpha).rejected


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.17, 0.25, 0.6, 1.0])
def test_what_decides_whether_alarms_are_too_many_decides_it_for_all_runs(rate: float) -> None:
    """Whoever stops where the runs that are left change nothing says what all of them say, of any rate."""

    def auditor(rng: np.random.Generator, _alpha: float) -> bool:
        nonlocal made
        made += 1
        return bool(rng.random() < rate)

    for seed in range(20):
        made = 0
        few = calibrate(auditor, 0.05, 100, seed, whole=False)
        stopped, made = made, 0
        assert few.too_many == calibrate(auditor, 0.05, 100, seed).too_many
        assert stopped <= made == 100
        assert stopped < 100 or 0 < rate < 1


@pytest.mark.slow
@pytest.mark.parametrize("auditor", [impossible, one_run], ids=lambda auditor: auditor.__name__)
def test_fixed_sample_tests_keep_their_level_and_use_it(auditor: Auditor) -> None:
    """False alarms are compatible with alpha and not with less than alpha / 5, in as many runs as that takes to see."""
    observations = [*judged(auditor, seed=2)]
    assert Calibration(0, observations[0].runs, observations[0].alpha).too_few
    assert not any(level.too_many or level.too_few for level in observations)


@pytest.mark.slow
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


RATIOS = (0.5, 0.8, 0.99)


@pytest.mark.slow
def test_power_falls_with_the_ratio_of_the_noise() -> None:
    """2000 releases per dataset at alpha = .05: certain at half the noise, rare at .99, falling in between."""

    def power(ratio: float) -> float:
        sampler, budget = histogram_sampler(laplace(ratio)), Budget(2000, confirmation=0.0)
        runs = [
            audit_pairs(sampler, [ONE_KEY], 1.0, 0.0, alpha=0.05, seed=seed, budget=budget).verdict
            for seed in range(10)
        ]
        return sum(verdict is Verdict.REFUTED for verdict in runs) / len(runs)

    curve = [power(ratio) for ratio in RATIOS]
    assert curve[0] == 1.0
    assert curve[1] > 0.6
    assert curve[-1] < 0.3
    assert curve == sorted(curve, reverse=True)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_exact_level_of_a_binomial_bound(alpha: float) -> None:
    """Clopper-Pearson at every probability of a grid: wrong with probability <= alpha, at worst above alpha / 5."""
    n, hits = 30, np.arange(31)
    lower = np.array([exact_tests.clopper_pearson_lower(int(k), n, alpha) for k in hits])
    upper = np.array([exact_tests.clopper_pearson_upper(int(k), n, alpha) for k in hits])
    grid = np.linspace(0.01, 0.99, 99)
    low, high = (
        [float(binom.pmf(hits, n, p) @ wrong) for p, wrong in zip(grid, table, strict=True)]
        for table in (lower > grid[:, None], upper < grid[:, None])
    )
    assert alpha / 5 < max(low) <= alpha
    assert alpha / 5 < max(high) <= alpha


@pytest.mark.slow
def test_two_separate_bounds_are_valid_and_timid() -> None:
    """Two Clopper-Pearson bounds keep the level at the price of a tenth of it: the reason for the joint test."""

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        x, y = laplace_at_its_claim(rng)
        return two_bounds_refute(int((x < 0).sum()), int((y < 0).sum()), len(x), alpha)

    calibration = calibrate(auditor, 0.2, 3000, seed=3)
    assert not calibration.too_many
    assert calibration.refuted < 3000 * 0.2 / 3


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


SIGMA, DELTA = 2.0, float(gaussian_profile(Float64(), 1.0, 0.5))
AT_CLAIM: dict[str, tuple[Any, float]] = {
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

    calibration = calibrate(auditor, 0.2, 60, seed=5, whole=False)
    assert not calibration.too_many


def history_of_runs(rng: np.random.Generator, alpha: float) -> bool:
    """Three versions of randomised response at its claim, four runs each, looked at after every run."""
    p = math.exp(EPSILON) / (1 + math.exp(EPSILON))

    def e_value() -> float:
        process = EProcess(hypothesis(EPSILON, 0.0))
        for place, n in enumerate((24, 24, 24)):
            x, y = rng.binomial(n, p), rng.binomial(n, 1 - p)
            counts = np.array([[x, y], [n - x, n - y]])
            if place:
                process.update(counts)
            else:
                process.freeze(counts)
        return process.log_wealth

    history = AccumulatedEvidence("response", alpha, 0)
    for number in range(12):
        version = f"v{number // 4}"
        history = history.begin(version).finish(number, e_value(), 72)
        if history.refuted(version):
            return True
    return False


def event_that_nothing_deserves(rng: np.random.Generator, alpha: float) -> bool:
    """An event learnt from a mechanism at its claim is confirmed on fresh releases."""
    sampler = histogram_sampler(AT_CLAIM["response"][0])
    audit = PairAudit(ONE_KEY, sampler, hypothesis(1.0, 0.0), int(rng.integers(2**60)), "null", -math.log(alpha))
    for _ in range(6):
        audit.step(audit.next_block())
    assert audit.view is not None
    event = audit.view.event(*audit.process.richest_event())
    return confirm(audit, audit.claim, event, alpha, 300, None, math.inf)[0] is not None


def lower_bound(rng: np.random.Generator, alpha: float) -> bool:
    """The bound on delta exceeds the exact delta of the Gaussian pair."""
    sampler, seed = histogram_sampler(gaussian(SIGMA)), int(rng.integers(2**60))
    budget = Budget(400, confirmation=0.0)
    return audit_pairs(sampler, [ONE_KEY], 1.0, DELTA / 3, alpha=alpha, seed=seed, budget=budget).delta_lower > DELTA


def tilted(rng: np.random.Generator, alpha: float) -> bool:
    """The interval for a Gaussian delta misses the exact value."""
    interval = tilted_interval(GaussianLoss(0.3), 1.0, 400, alpha, rng)
    return not interval.lower <= float(gaussian_profile(Float64(), 1.0, 0.3)) <= interval.upper


def tradeoff_band(rng: np.random.Generator, alpha: float) -> bool:
    """The band of cells of Laplace noise bounds delta above the exact profile."""
    edges = [-math.inf, *np.linspace(0.0, 1.0, 21), math.inf]
    band = band_of_cells(np.stack([np.histogram(side, edges)[0] for side in laplace_at_its_claim(rng)], axis=1), alpha)
    return any(band.delta_lower(epsilon) > max(0.0, 1 - math.exp((epsilon - 1) / 2)) for epsilon in (0.0, 0.5, 1.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("auditor", "alpha", "runs", "seed", "some"),
    [
        (process_on_two_cells, 0.3, 400, 4, True),
        (history_of_runs, 0.5, 150, 9, True),
        (event_that_nothing_deserves, 0.3, 100, 10, True),
        (lower_bound, 0.2, 60, 6, False),
        (tilted, 0.2, 400, 7, True),
        (tradeoff_band, 0.2, 1000, 8, False),
    ],
)
def test_what_stops_names_or_bounds_keeps_its_level(auditor: Auditor, alpha: float, runs: int, seed: int, some: bool):
    """Wrong in at most a share alpha of runs, under optional stopping too; and now and then where `some`."""
    calibration = calibrate(auditor, alpha, runs, seed=seed, whole=False)
    assert not calibration.too_many
    assert calibration.refuted > 0 or not some


class TellsWhetherAnyKey:
    """Randomised response to whether the histogram has a key: exactly at epsilon = 1 for every pair that tells."""

    def release_many(self, histogram: dict[str, int], n: int, rng: np.random.Generator) -> tuple[tuple[str], Any]:
        """Return n releases of one key."""
        right = rng.random((n, 1)) < 1 / (1 + math.exp(-1))
        return ("any",), (right == bool(histogram)).astype(float)


@pytest.mark.slow
@pytest.mark.usefixtures("verdict_alone")
def test_a_search_among_pairs_costs_no_level() -> None:
    """Pairs searched by what they seem to leak, then judged on fresh releases: a right mechanism, alpha = .05."""

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        seed, target = int(rng.integers(2**60)), TellsWhetherAnyKey()
        found = audit_mechanism(target, epsilon="1", delta="0", budget=60.0, samples=200, alpha=str(alpha), seed=seed)
        return found.verdict is Verdict.REFUTED

    assert not calibrate(auditor, 0.05, 16, seed=11, whole=False).too_many


@pytest.mark.slow
def test_bounds_on_the_profile_and_on_epsilon_keep_their_level() -> None:
    """A bound on delta at an epsilon of the grid exceeds the truth with probability alpha, or one on epsilon does."""
    exact = {epsilon: float(gaussian_profile(Float64(), epsilon, 0.5)) for epsilon in (0.0, 0.5, 1.0, 2.0)}
    claimed = exact[0.5] / 3
    truth = brentq(lambda epsilon: gaussian_profile(Float64(), epsilon, 0.5) - claimed, 0.0, 9.0)

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        result = audit_pairs(
            histogram_sampler(gaussian(SIGMA)), [ONE_KEY], 0.5, claimed, alpha=alpha / 2,
            seed=int(rng.integers(2**60)), budget=Budget(400, confirmation=0.0), profile=tuple(exact),
        )  # fmt: skip
        return result.epsilon_lower > truth or any(bound > exact[epsilon] for epsilon, bound in result.profile)

    assert not calibrate(auditor, 0.4, 45, seed=12, whole=False).too_many


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sum", "shared"])
def test_tilted_intervals_of_sums_and_of_shared_noise_keep_their_level(kind: str) -> None:
    """A composition of Gaussian and Laplace releases, and counters that share noise: as for one Gaussian."""
    loss: Loss | SharedLoss
    if kind == "sum":  # as many losses of an untilted composition as its delta takes for one per cent
        loss = SumLoss((GaussianLoss(0.3), LaplaceLoss(2.0), LaplaceLoss(2.0)))
        plain, _ = loss.sample(0.0, 10**6, np.random.default_rng(1))
        exact = float(np.maximum(0.0, -np.expm1(1.0 - plain)).mean())
    else:
        at = {"k": 4, "sigma": 4, "gap": 12, "l": 1, "j": 1}
        loss = new_counters_loss(Direction.BACKWARD, **at)
        with MpReal(30) as A:
            exact = float(pair_profile(A, A.number("0.7"), Direction.BACKWARD, **at))
    epsilon, room = (1.0, 0.02) if kind == "sum" else (0.7, 1e-9)

    def auditor(rng: np.random.Generator, alpha: float) -> bool:
        interval = tilted_interval(loss, epsilon, 400, alpha, rng)
        return not interval.lower * (1 - room) <= exact <= interval.upper * (1 + room)

    calibration = calibrate(auditor, 0.2, 300, seed=13, whole=False)
    assert not calibration.too_many
    assert calibration.refuted > 0
