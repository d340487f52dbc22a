"""Faults and controls of the unknown-domain algorithms: certified against their claims, and by simulation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from auditor.engine.registry import registry
from mechanisms.mechanism import AccountantFault
from mechanisms.unknown_domain.binary import mechanism as unknown_domain_binary
from mechanisms.unknown_domain.histogram import gaussian as unknown_domain_gaussian
from mechanisms.unknown_domain.release import BOTTOM
from mechanisms.unknown_domain.top import mechanism as unknown_domain_top
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.statements.neighbours import Direction

KNOWN = registry()
FAMILY = {i for i, spec in KNOWN.mechanisms.items() if spec.guarantee_claim.startswith("rogers2024.")}
ALL = {i: fault for i, fault in KNOWN.faults.items() if fault.mechanism in FAMILY}
FAULTS = {i: fault for i, fault in ALL.items() if not isinstance(fault, AccountantFault)}
CONTROLS = {i: control for i, control in KNOWN.controls.items() if control.mechanism in FAMILY}
BY_DIVERGENCE = sorted(i for i, fault in FAULTS.items() if fault.caught_by == "numeric.renyi")
BY_KEY = sorted(i for i, fault in FAULTS.items() if fault.caught_by == "empirical.impossible_key")
N = 200_000

CATALOGUE = {
    "M1a": "unknown_domain_threshold_without_sensitivity",
    "M1b": "unknown_domain_threshold_without_union",
    "M1d, Laplace": "unknown_domain_fresh_noise_released",
    "M1d, Gaussian": "unknown_domain_fresh_gaussian_released",
    "M1e": "unknown_domain_shared_noise",
    "M1g": "unknown_domain_laplace_noise_gaussian_threshold",
    "M1h, discrete": "unknown_domain_discrete_inclusive_boundary",
    "M1i": "unknown_domain_quantile_of_complement",
    "M2a": "unknown_domain_top_noiseless_threshold",
    "M2b": "unknown_domain_top_threshold_without_root_two",
    "M2b''": "unknown_domain_top_threshold_without_union",
    "M2c": "unknown_domain_top_threshold_noise_per_item",
    "M2d": "unknown_domain_top_fresh_noise_released",
    "M2e": "unknown_domain_top_true_counts_compared",
    "M2i": "unknown_domain_top_ties_by_row",
    "M3a": "unknown_domain_gumbel_threshold_without_k_bar",
    "M3b": "unknown_domain_gumbel_threshold_without_one",
    "M3c": "unknown_domain_gumbel_noiseless_threshold",
    "M3e": "unknown_domain_gumbel_scores_released",
    "M3f": "unknown_domain_gumbel_replaced_user",
    "M4a": "unknown_domain_pay_bottom_free",
    "M4b": "unknown_domain_pay_threshold_of_first_query",
    "M4c": "unknown_domain_pay_uncapped_query",
    "M5a": "unknown_domain_binary_fresh_noise",
    "M5b": "unknown_domain_binary_threshold_without_rounds",
    "M5c": "unknown_domain_binary_threshold_for_one_cell",
    "M5d": "unknown_domain_binary_threshold_without_one",
}
NEUTRAL = {
    "M1h, continuous": "unknown_domain_inclusive_boundary",
    "M1j": "unknown_domain_clamped",
    "M2h": "unknown_domain_top_without_padding",
    "M3h": "unknown_domain_gumbel_without_bottom",
    "M5h": "unknown_domain_binary_sticky",
}


def test_every_mutant_of_the_catalogue_is_registered():
    """As a fault, or as a control where it is equivalent; M5g, whose missing level costs nothing, is a claim."""
    assert set(CATALOGUE.values()) <= set(FAULTS)
    assert set(NEUTRAL.values()) == set(CONTROLS)
    assert "rogers2024.bm.float_levels.corrected" in KNOWN.claims


@pytest.mark.parametrize("identifier", BY_DIVERGENCE)
def test_no_hockey_stick_shows_a_second_release(identifier):
    """Why these faults need a divergence: over a grid of epsilon the profile stays below the claim, both ways."""
    fault = FAULTS[identifier]
    claim = KNOWN.claims[fault.violates]
    for epsilon in (0, 1, 2, 4):
        with Ball(128) as A:
            parameters = {name: v for name, v in fault.parameters.items() if name in claim.domain.names}
            parsed = claim.domain.parse({**parameters, "epsilon": epsilon})
            claimed = claim.formula(A, **{n: A.number(v) if isinstance(v, Fraction) else v for n, v in parsed.items()})
            assert all(A.number(fault.pair.profile(A, A.number(epsilon), way)) < claimed for way in Direction)


@pytest.mark.parametrize("identifier", [*BY_DIVERGENCE, "unknown_domain_fresh_gaussian_released"])
def test_the_value_shown_knows_nothing_of_the_decision(identifier):
    """Released as often as the law says, and then centred at the count: no truncation pulls the mean up."""
    fault = FAULTS[identifier]
    mechanism = fault.build(**fault.parameters)
    law = fault.pair.profile.keywords
    for histogram, side in ((fault.pair.left, "left"), (fault.pair.right, "right")):
        ((key, count),) = histogram.items()
        keys, values = mechanism.release_many(histogram, N, np.random.default_rng([41, count]))
        column = values[:, keys.index(key)]
        output = column[~np.isnan(column)]
        assert stats.binomtest(output.size, N, float(law[side](Float64()))).pvalue > 1e-10
        assert abs(output.mean() - count) < 7 / math.sqrt(output.size)


@pytest.mark.parametrize("identifier", BY_KEY)
def test_impossible_keys_appear_as_often_as_the_exact_mass(identifier):
    """Code and law of a fault are one mechanism."""
    fault = FAULTS[identifier]
    keys, values = fault.build(**fault.parameters).release_many(fault.pair.left, N, np.random.default_rng(43))
    own = [i for i, key in enumerate(keys) if key in fault.pair.left and key not in fault.pair.right]
    hits = int(np.any(~np.isnan(values[:, own]), axis=1).sum())
    assert stats.binomtest(hits, N, float(fault.exact_delta(Float64(), np.float64(60.0)))).pvalue > 1e-10


@pytest.mark.slow
def test_fresh_noise_every_round_is_independent_between_rounds():
    """M5a: rounds 64 and 96 share a cell in the mechanism, nothing in the fault."""
    fault = FAULTS["unknown_domain_binary_fresh_noise"]
    correct = unknown_domain_binary.build(**fault.parameters)
    shared, fresh = (
        m.noise(40_000, np.random.default_rng(47))[:, [63, 95]] for m in (correct, fault.build(**fault.parameters))
    )
    assert np.cov(shared.T)[0, 1] == pytest.approx(1, abs=0.06)
    assert np.cov(fresh.T)[0, 1] == pytest.approx(0, abs=0.06)


def test_controls_differ_from_the_mechanism():
    """A control that changes nothing would test nothing."""
    rng = np.random.default_rng(59)
    mechanisms = {identifier: control.build(**control.parameters) for identifier, control in CONTROLS.items()}
    far = {"a": 2000, "b": 500}
    clamped = mechanisms["unknown_domain_clamped"].release_many(far, 1000, rng)[1]
    assert np.nanmax(clamped) == 1000
    assert np.array_equal(clamped, np.rint(clamped))
    inclusive = mechanisms["unknown_domain_inclusive_boundary"]
    assert (
        inclusive.boundary is not unknown_domain_gaussian.build(**unknown_domain_gaussian.MECHANISM.parameters).boundary
    )
    keys, _values = mechanisms["unknown_domain_top_without_padding"].release_many({"a": 50}, 1, rng)
    assert not any(key.startswith(BOTTOM) for key in keys)
    padded = unknown_domain_top.build(**CONTROLS["unknown_domain_top_without_padding"].parameters)
    assert any(key.startswith(BOTTOM) for key in padded.release_many({"a": 50}, 1, rng)[0])
    assert BOTTOM not in mechanisms["unknown_domain_gumbel_without_bottom"].release_many({"a": 50}, 1, rng)[0]
    control = CONTROLS["unknown_domain_binary_sticky"]
    _keys, values = mechanisms["unknown_domain_binary_sticky"].release_many(control.pair.left, 20_000, rng)
    early = values[~np.isnan(values[:, 0])]
    assert len(early) > 10
    assert np.all(early == early[:, :1])
