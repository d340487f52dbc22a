"""Releases a side until a violation is refuted (medians over 31 seeds, alpha = .05).

Run with `make bench`. Each figure is a ratio to its target or to the mechanism's own sampling, so that none depends
on the speed of the machine.
"""

import math
from statistics import median

import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from auditor.statistics import exact_tests
from auditor.statistics.binomial import fewest_below
from auditor.statistics.power import kl_inf
from mechanisms.gaussian_sparse_histogram.faults.noise import FAULTS
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.verdict import Verdict
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from tests.auditor.statistics.mechanisms_under_audit import ONE_KEY, laplace

(HALF_NOISE,) = (fault for fault in FAULTS if fault.id == "half_noise")
SEEDS = range(1000, 1031)
"""Used nowhere else: nothing was tuned on them."""


@pytest.mark.slow
def test_a_hundredth_too_little_noise_takes_600_000_releases(benchmark) -> None:
    """The median number of releases per dataset; larger violations are rows of `test_samples_to_decide.py`."""

    def needed(seed: int) -> float:
        sampler, budget = histogram_sampler(laplace(0.99)), Budget(6_000_000, confirmation=0.0)
        result = audit_pairs(sampler, [ONE_KEY], 1.0, 0.0, alpha=0.05, seed=seed, budget=budget)
        return result.samples if result.verdict is Verdict.REFUTED else math.inf

    used = benchmark.pedantic(lambda: median(needed(seed) for seed in SEEDS), rounds=1, iterations=1)
    benchmark.extra_info.update(median=used)
    assert used <= 600_000


def test_opendp_threshold_needs_1500_with_the_one_sample_test(benchmark) -> None:
    """Threshold 5 on integers, against the .004926 that it claims: 1500 keys of one user are 1500 releases of one.

    Power by the exact law of the threshold (.0134); then OpenDP's own draws, of which the median is refuted.
    """
    pytest.importorskip("opendp", reason="opendp is not installed: pip install '.[accountants]'")
    from tests.engines.opendp_thresholds import dp, space

    measurement = dp.m.make_laplace_threshold(*space(dp.l01inf_distance, int), scale=1.0, threshold=5)
    claimed, true = 0.004926, 0.0134

    def power(n: int) -> float:
        return float(binom.sf(fewest_below(n, claimed, 0.05) - 1, n, true))

    users = {f"u{i}": 1 for i in range(1500)}
    hits = benchmark.pedantic(lambda: [len(measurement(users)) for _ in SEEDS], rounds=1, iterations=1)
    refuted = [exact_tests.one_run_test(count, 1500, claimed, 0.05).rejected for count in hits]
    half = next(n for n in range(50, 1500, 10) if power(n) >= 0.5)
    benchmark.extra_info.update(refuted=f"{sum(refuted)} of {len(refuted)}", half_power_at=half, power=power(1500))
    assert power(1500) >= 0.95
    assert median(refuted)


def test_no_auditor_beats_the_optimum() -> None:
    """The median against log(1 / alpha) / KL_inf of the true laws: an efficiency above 1 would be a bug."""
    from scipy.stats import laplace as law

    cuts = np.linspace(0, 1, 11)
    p, q = (np.diff(np.concatenate([[0.0], law(c, 0.5).cdf(cuts), [1.0]])) for c in (0, 1))
    optimum = math.log(20) / kl_inf(p, q, 1.0, 0.0, 0.0).upper
    sampler = histogram_sampler(laplace(0.5))
    used = [
        audit_pairs(sampler, [ONE_KEY], 1.0, 0.0, alpha=0.05, seed=s, budget=Budget(2000, confirmation=0.0)).samples
        for s in SEEDS
    ]
    assert 0.15 < optimum / median(used) < 1.0


def told_the_event(mu: float, delta: float, power: float = 0.95) -> int:
    """Releases a side that two Clopper-Pearson bounds need for the best threshold on the loss of a Gaussian pair."""

    def refutes(n: int, p: float, q: float) -> float:
        hits = np.arange(binom.ppf(1e-7, n, q), binom.isf(1e-7, n, q) + 1)
        bound = math.exp(1.0) * beta.isf(0.025, hits + 1, n - hits) + delta
        needed = np.searchsorted(beta.ppf(0.025, np.arange(1, n + 1), np.arange(n, 0, -1)), bound, side="right") + 1
        return float(binom.pmf(hits, n, q) @ binom.sf(needed - 1, n, p))

    def needed(cut: float) -> int:
        p, q = float(norm.sf(cut - mu)), float(norm.sf(cut))
        low, high = 10, 200_000
        while high - low > max(1, low // 100):
            middle = (low + high) // 2
            low, high = (low, middle) if refutes(middle, p, q) >= power else (middle, high)
        return high

    return min(needed(cut) for cut in np.linspace(1 / mu + mu / 2, 2 / mu + mu / 2, 9))


def half_noise_releases(c_u: int, *, every_pair: bool) -> tuple[float, int, int]:
    """Half the noise in Algorithm 1, held to Algorithm 1's own exact delta at epsilon 1: releases per dataset.

    Returns: the median over the seeds, told only the pair or only the catalogue of worst-case pairs; what the informed
    test needs with power .95; the same with power 1/2.
    """
    parameters = {**HALF_NOISE.parameters, "c_u": c_u}
    sigma, gap = float(parameters["sigma"]), float(parameters["gap"])
    delta = float(delta_exact(Float64(), epsilon=1.0, c_u=c_u, sigma=sigma, gap=gap, mu_o=0.0))
    pairs = [pair for pair in MECHANISM.pairs(parameters) if every_pair or pair.id == HALF_NOISE.pair.id]
    sampler = histogram_sampler(HALF_NOISE.build(**parameters))

    def needed(seed: int) -> float:
        budget = Budget(100_000, confirmation=0.0)
        result = audit_pairs(sampler, pairs, 1.0, delta, alpha=0.05, seed=seed, budget=budget)
        return result.samples if result.verdict is Verdict.REFUTED else math.inf

    mu = 2 * math.sqrt(c_u) / sigma
    return median(needed(seed) for seed in SEEDS), told_the_event(mu, delta), told_the_event(mu, delta, power=0.5)


@pytest.mark.parametrize("c_u", [1, 3])
def test_half_the_noise_against_a_test_that_is_told_the_event(c_u: int, benchmark) -> None:
    """On the pair that shows it, half the noise takes at most 1.5 times the releases of the informed test."""
    used, informed, informed_half = benchmark.pedantic(
        half_noise_releases, args=(c_u,), kwargs={"every_pair": False}, rounds=1, iterations=1
    )
    benchmark.extra_info.update(
        median=used, informed=informed, ratio=used / informed, ratio_at_power_half=used / informed_half
    )
    assert used <= 1.5 * informed


@pytest.mark.parametrize(("c_u", "price"), [(1, 1.5), (3, 2.5)])
def test_half_the_noise_on_every_worst_case_pair(c_u: int, price: float, benchmark) -> None:
    """With the pair to be found too, among five (C_u = 1) or seven (C_u = 3): releases over all pairs together."""
    used, informed, informed_half = benchmark.pedantic(
        half_noise_releases, args=(c_u,), kwargs={"every_pair": True}, rounds=1, iterations=1
    )
    benchmark.extra_info.update(
        median=used, informed=informed, ratio=used / informed, ratio_at_power_half=used / informed_half
    )
    assert used <= price * informed
