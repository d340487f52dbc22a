"""Planted faults and harmless variants of sample-and-threshold and of its baselines: their numbers and their code."""

import math

import numpy as np
import pytest
from scipy import stats

from auditor.engine.registry import registry
from mechanisms.baselines import central_laplace, hadamard_response
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composed_levels
from proofs_numeric.bharadwaj2022.section_5 import baselines
from proofs_numeric.statements.neighbours import Direction

N = 40_000
LEVEL = 1e-10
KNOWN = registry()
OURS = {name for name, spec in KNOWN.mechanisms.items() if spec.source.startswith("bharadwaj2022")}
FAULTS = sorted(n for n, f in KNOWN.faults.items() if f.mechanism in OURS and isinstance(f, Fault))
CONTROLS = sorted(n for n, c in KNOWN.controls.items() if c.mechanism in OURS)


def test_every_mechanism_has_faults_of_its_own_or_of_its_family():
    """Discovery finds the family; the lists below have cases."""
    assert len(OURS) >= 12
    assert len(FAULTS) >= 20
    assert len(CONTROLS) >= 9


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAULTS, *CONTROLS])
def test_the_stated_law_is_the_law_of_the_code(name):
    """The exact total variation of the pair is not exceeded by any column's or by the number of columns shown."""
    subject = {**KNOWN.faults, **KNOWN.controls}[name]
    mechanism = subject.build(**subject.parameters)
    sides = []
    for seed, histogram in enumerate((subject.pair.left, subject.pair.right)):
        keys, values = mechanism.release_many(histogram, N, np.random.default_rng([5, seed]))
        sides.append({key: np.nan_to_num(values[:, i], nan=-1.0) for i, key in enumerate(keys)})
    distance = float(subject.pair.profile(Float64(), 0.0, Direction.FORWARD))
    band = math.sqrt(math.log(4e12) / N)
    for key in sorted(set(sides[0]) | set(sides[1])):
        left, right = (side.get(key, np.full(N, -1.0)) for side in sides)
        cuts = np.unique(np.concatenate([left, right]))[:: max(1, len(left) // 2000)][:200]
        gap = max(abs(float(np.mean(left >= cut) - np.mean(right >= cut))) for cut in cuts)
        assert gap <= distance + band


@pytest.mark.parametrize(
    ("name", "default", "visible"),
    [
        ("strict_binomial", 5.500e-15, 9.97e-4),
        ("strict_binomial_above", 1.65e-14, 5.087e-3),
        ("constant_sign", 9.82e-24, 1.11e-3),
        ("power_of_alpha", 2.74e-16, 3.125e-2),
        ("divergence_in_bits", 8.9e-18, 2.25e-2),
        ("divergence_reversed", 8.75e-10, 6.40e-2),
        ("atom_only", 2.84e-20, 3.15e-3),
    ],
)
def test_accountant_faults_have_their_catalogued_values(name, default, visible):
    """At the paper's default and at (1, 1/2, 5) each wrong formula gives the number that was worked out for it."""
    formula = KNOWN.faults[f"sample_and_threshold_{name}"].formula
    assert float(formula(Float64(), epsilon=1.0, alpha=1 / 6, tau=20)) == pytest.approx(default, rel=6e-3)
    assert float(formula(Float64(), epsilon=1.0, alpha=1 / 2, tau=5)) == pytest.approx(visible, rel=6e-3)


def test_one_histogram_faults_have_their_catalogued_deltas():
    """P1 and P2: off-by-one 2.70851e-14 and 1.015323e-2, linear rate 1.65375e-11 and 3.125e-2, no alpha 1.45873e-3."""
    for epsilon, alpha, tau, off_by_one, linear, forgotten in (
        (1.0, 1 / 6, 20, 2.70851e-14, 1.65375e-11, 1.45873e-3),
        (1.0, 1 / 2, 5, 1.015323e-2, 3.125e-2, 0.1009252),
    ):
        p = -alpha * math.expm1(-epsilon)

        def largest(rate, threshold, epsilon=epsilon):
            return max(
                float(cells.cell_profile(Float64(), factor=math.exp(epsilon), p=rate, tau=threshold, k=k))
                for k in range(1, 60)
            )

        assert largest(p, tau - 1) == pytest.approx(off_by_one, rel=1e-5)
        assert largest(alpha * epsilon, tau) == pytest.approx(linear, rel=1e-5)
        assert largest(-math.expm1(-epsilon), tau) == pytest.approx(forgotten, rel=1e-5)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.2418367), (0.5, 0.1238491), (0.1, 0.0249898)])
def test_laplace_noise_for_one_count_has_its_catalogued_delta_under_replacement(epsilon, delta):
    """Scale 1/epsilon: 1 - e^(-epsilon/2)(1 + epsilon/4), and nothing from 2 epsilon on."""
    assert float(baselines.laplace_replacement(Float64(), epsilon=epsilon, b=1 / epsilon)) == pytest.approx(
        delta, rel=3e-6
    )
    assert float(baselines.laplace_replacement(Float64(), epsilon=2 * epsilon, b=1 / epsilon)) == 0.0


def test_laplace_noise_on_a_sample_is_amplified_to_the_catalogued_epsilon():
    """Scale 1 at p = 0.1053534: ln(1 + p (e - 1)) = 0.1663 is where the delta vanishes."""
    p = -math.expm1(-1.0) / 6
    amplified = math.log1p(p * math.expm1(1.0))
    assert amplified == pytest.approx(0.1663, abs=1e-4)
    just_below, at = (
        float(baselines.laplace(Float64(), epsilon=amplified * s, epsilon_0=1.0, p=p)) for s in (0.99, 1.001)
    )
    assert just_below > 0
    assert at == 0


def test_hadamard_faults_have_their_catalogued_deltas():
    """Lies from all indices: exactly 1/4 at epsilon; twice the epsilon: 0.2784 less what one half allows."""
    lie, twice = (KNOWN.faults[f"hadamard_{name}"].pair.profile for name in ("lie_from_all", "twice_epsilon"))
    assert float(lie(Float64(), 1.0, Direction.FORWARD)) == pytest.approx(0.25, rel=1e-12)
    expected = (math.exp(2) - math.e) / (2 * (1 + math.exp(2)))
    assert expected == pytest.approx(0.2784, abs=5e-5)
    assert float(twice(Float64(), 1.0, Direction.FORWARD)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("name", "item", "bias"), [("hadamard_row_zero", 0, True), ("hadamard_rows_wrapped", 3, True),
                                                    ("", 2, False)])  # fmt: skip
def test_what_the_private_hadamard_variants_break_is_the_estimate(name, item, bias):
    """The item on the constant row is estimated far from its frequency; the mechanism's own estimate is unbiased."""
    control = KNOWN.controls.get(name)
    mechanism = control.build(**control.parameters) if control else hadamard_response.build(epsilon_0=2, p="1/2")
    rng = np.random.default_rng(11)
    items = np.full(N, item)
    estimate = mechanism.local.frequencies(mechanism.local.reports(items, rng))
    error = abs(float(estimate[min(item, len(estimate) - 1)]) - 1.0)
    noise = 7 / (0.5 * (2 * mechanism.local.keep - 1)) / math.sqrt(N)
    assert (error > 0.3) is bias
    assert bias or error < noise


def test_the_level_faults_compose_as_catalogued():
    """Three unsplit levels at P2 have 1.56e-2 at one level's epsilon: above the exact 5.4e-3, below Theorem 2."""
    p = -math.expm1(-1.0) / 2
    unsplit = max(float(composed_levels.path(Float64(), epsilon=1.0, p=p, tau=5, levels=3, k=k)) for k in range(5, 9))
    assert unsplit == pytest.approx(1.559918e-2, rel=1e-6)
    one, printed = (float(f(Float64(), epsilon=1.0, alpha=0.5, tau=5)) for f in (cells.tight, cells.theorem_2))
    assert one < unsplit < printed


def test_empty_items_without_noise_give_the_sampled_client_away():
    """The faulty Laplace mechanism leaves an empty item out; the correct one never does."""
    fault = KNOWN.faults["central_laplace_empty_without_noise"]
    rng = np.random.default_rng(12)
    _keys, values = fault.build(**fault.parameters).release_many({"k0": 1}, N, rng)
    hits = int(np.sum(~np.isnan(values[:, 0])))
    assert stats.binomtest(hits, N, 0.3).pvalue > LEVEL
    _keys, values = central_laplace.build(epsilon_0=2, p="3/10").release_many({}, N, rng)
    assert not np.isnan(values).any()
