"""Releases drawn through the array API: the law of the mechanism, in the strict standard and in what is installed."""

from __future__ import annotations

from dataclasses import replace

import array_api_strict
import numpy as np
import pytest

from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from auditor.statistics.laws import cells_test, distribution_test
from mechanisms.array_library import LIBRARIES, LibraryError, numpy_library
from mechanisms.array_release import elementwise, on
from mechanisms.baselines import analytic_gaussian, laplace_mechanism
from mechanisms.correlated_stability_histogram import mechanism as correlated_stability_histogram
from mechanisms.gaussian_sparse_histogram import mechanism as gaussian_sparse_histogram
from mechanisms.noise import laplace, normal
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.statistics.mechanisms_under_audit import Neighbours

ALPHA = 1e-10


def strict_library():
    """Arrays that can do what the array API standard says, and nothing else."""
    plain = numpy_library()
    return replace(
        plain,
        name="the standard",
        namespace=array_api_strict,
        uniform=lambda seed, shape: array_api_strict.asarray(plain.uniform(seed, shape)),
        from_host=array_api_strict.asarray,
    )


def loads(load):
    """Whether the library can be used here."""
    try:
        load()
    except LibraryError:
        return False
    return True


USABLE = [strict_library, *(load for load in LIBRARIES.values() if loads(load))]
"""The standard and NumPy always; CuPy and PyTorch where they are installed."""


SPARSE = gaussian_sparse_histogram.build(c_u=1, sigma=2, gap=3, mu_o=0, tau=1)
LAPLACE = laplace_mechanism.build(delta_1=1, b=2)
GAUSSIAN = analytic_gaussian.build(mu="1/2")


@pytest.mark.parametrize("library", USABLE)
def test_continuous_noise_follows_its_distribution_function(library):
    """Rounded far below what the inequality of Dvoretzky, Kiefer and Wolfowitz can see."""
    A = Float64()
    for mechanism, cdf in (
        (LAPLACE, lambda x: laplace.cdf(A, x, scale=2.0)),
        (GAUSSIAN, lambda x: normal.cdf(A, x, scale=GAUSSIAN.sigma)),
    ):
        key = mechanism.universe[0]
        keys, values = on(library, mechanism).release_many({key: 7}, 100_000, np.random.default_rng(1))
        assert keys == mechanism.universe
        noise = values[:, 0] - 7 + mechanism.grid * (np.random.default_rng(2).random(100_000) - 0.5)
        assert not distribution_test(noise, cdf, ALPHA).rejected


@pytest.mark.parametrize("library", USABLE)
def test_a_threshold_holds_back_as_the_mechanism_does(library):
    """Shares of released keys against the mechanism's own law; a count below the lower threshold never appears."""
    histogram = {"b": 3, "a": 1, "none": 0}
    keys, values = on(library, SPARSE).release_many(histogram, 100_000, np.random.default_rng(3))
    own_keys, own = SPARSE.release_many(histogram, 100_000, np.random.default_rng(4))
    assert keys == own_keys == ("a", "b", "none")
    assert np.isnan(values[:, 2]).all()
    A = Float64()
    for column, count in ((0, 1), (1, 3)):
        shown = int((~np.isnan(values[:, column])).sum())
        p = float(normal.survival(A, SPARSE.tau_star - count, scale=SPARSE.sigma))
        assert not cells_test(np.array([shown, 100_000 - shown]), np.array([p, 1 - p]), ALPHA).rejected
        assert np.nanmin(values[:, column]) >= SPARSE.tau_star - SPARSE.grid
        assert abs(np.nanmean(values[:, column]) - np.nanmean(own[:, column])) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("library", USABLE)
def test_the_auditor_cannot_tell_it_from_the_mechanism(library):
    """Left drawn by one, right by the other: at epsilon 0 and a small delta nothing is refuted; half the noise is."""

    def audit(other):
        samplers = {"left": on(library, other), "right": SPARSE}

        def sample(pair, side, n, rng):
            return histogram_sampler(samplers[side])(pair, side, n, rng)

        pair = Neighbours("same", {"k0": 3}, {"k0": 3})
        return audit_pairs(sample, [pair], 0.0, 0.01, alpha=ALPHA, seed=5, budget=Budget(50_000)).verdict

    assert audit(SPARSE) is not Verdict.REFUTED
    assert audit(gaussian_sparse_histogram.build(c_u=1, sigma=1, gap=3, mu_o=0, tau=1)) is Verdict.REFUTED


@pytest.mark.parametrize("library", USABLE)
def test_the_same_generator_gives_the_same_releases(library):
    """Replays need the device, not luck."""
    first, again, other = (
        on(library, LAPLACE).release_many({"k0": 1}, 100, np.random.default_rng(seed))[1] for seed in (6, 6, 7)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_shared_noise_is_refused():
    """Noise that keys have in common is not added key by key."""
    shared = correlated_stability_histogram.build(k=2, sigma=2, gap=3)
    with pytest.raises(ValueError, match=r"noise key by key .*, got CorrelatedStabilityHistogram"):
        elementwise(shared)


@pytest.mark.parametrize("library", USABLE)
def test_input_is_refused_as_the_mechanism_refuses_it(library):
    """Negative counts, counts of too many grid steps, no number of releases, no mapping."""
    drawn = on(library, SPARSE)
    for mechanism in (drawn, SPARSE):
        for histogram, n, message in (
            ({"k0": -1}, 1, "k0"),
            ({"k0": 2**52}, 1, "grid steps"),
            ({"k0": 1}, -1, "n="),
            ([("k0", 1)], 1, "list"),
        ):
            with pytest.raises(ValueError, match=message):
                mechanism.release_many(histogram, n, np.random.default_rng(8))
    assert drawn.release({}, np.random.default_rng(8)) == {}
    assert drawn.release({"k0": 1000}, np.random.default_rng(8)).keys() == {"k0"}


def test_nothing_is_loaded_before_the_first_release():
    """A device that is opened before a fork is lost to the child, in which targets draw."""

    def load():
        raise LibraryError("loaded")

    drawn = on(load, SPARSE)
    assert drawn.releases_only_input_keys
    with pytest.raises(LibraryError, match="loaded"):
        drawn.release({"k0": 1}, np.random.default_rng(0))
