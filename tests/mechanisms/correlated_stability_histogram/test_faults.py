"""Planted faults of the correlated mechanisms: certified above their claims, and their code shows the stated delta."""

import math

import numpy as np
import pytest

from auditor.engine.registry import registry
from mechanisms.correlated_stability_histogram.faults import zeros_cuts
from mechanisms.mechanism import Fault
from tests.mechanisms.variants import shows_its_delta

FAMILIES = {
    "correlated_stability_histogram",
    "correlated_stability_histogram_aggregates",
    "correlated_gaussian",
    "discrete_correlated",
    "misra_gries",
    "top_k",
}
FAULTS = {
    name: fault for name, fault in registry().faults.items() if fault.mechanism in FAMILIES and isinstance(fault, Fault)
}


def test_every_fault_has_its_event():
    """The parametrised tests below have cases, and no event is left over."""
    assert len(FAULTS) >= 25
    assert set(EVENTS) == set(FAULTS)


def _residuals(keys, values, fault, *, prefix="k"):
    """Released counters less their right-hand counts, in the order of columns."""
    chosen = [key for key in keys if key.startswith(prefix)]
    right = np.array([fault.pair.right.get(key, 0) for key in chosen])
    return values[:, [keys.index(key) for key in chosen]] - right


def _sum_moves(variance):
    """All k counters changed: the loss is linear in their sum, of this variance (in sigma^2) a release."""

    def event(keys, values, fault):
        k, sigma = int(fault.parameters["k"]), float(fault.parameters["sigma"])
        spread = variance(k) * sigma**2
        return k * _residuals(keys, values, fault).sum(axis=1) / spread - k * k / (2 * spread) > float(fault.epsilon)

    return event


def _published(keys, values, fault):
    less = values - values[:, [keys.index("shared")]]
    return _sum_moves(lambda k: k)(keys, less, fault)


def _loss(residuals, change, gamma, sigma):
    """Loss of counters with shared noise of variance sigma^2/gamma that move by ``change``."""
    d = len(change)
    weight = (change - change.sum() / (d + gamma)) / sigma**2
    return residuals @ weight - change @ weight / 2


def _floor(keys, values, fault):
    sigma = float(fault.parameters["sigma"])
    right = fault.pair.right
    floor = right["z"] - values[:, keys.index("floor")]
    names = [f"k{i}" for i in range(4)]
    counters = values[:, [keys.index(name) for name in names]] - [right[name] - right["z"] for name in names]
    loss = _loss(counters, np.array([1.0, 1.0, 1.0, 0.0]), 2.0, sigma) + (floor - 0.5) / sigma**2
    return loss > float(fault.epsilon)


def _skipped(keys, values, fault):
    change = np.array([float(fault.pair.left[key] - fault.pair.right[key]) for key in keys])
    return _loss(_residuals(keys, values, fault), change, 1.0, float(fault.parameters["sigma"])) > float(fault.epsilon)


def _wide(keys, values, fault):
    """The one shared counter beyond the cut of two centred normals; new counters never pass here."""
    k, sigma = int(fault.parameters["k"]), float(fault.parameters["sigma"])
    narrow, wide = 1 + k**-0.5, 2.0
    cut = math.sqrt(2 * (float(fault.epsilon) + math.log(wide / narrow) / 2) / (1 / narrow - 1 / wide)) * sigma
    column = values[:, keys.index("k9")]
    return np.abs(column - fault.pair.right["k9"]) >= cut


def _zeros(keys, values, fault):
    k, sigma, gap = (float(fault.parameters[name]) for name in ("k", "sigma", "gap"))
    cuts = zeros_cuts(float(fault.epsilon), 1, k=int(k), sigma=sigma, gap=gap)
    passed = np.sum(~np.isnan(values[:, [i for i, key in enumerate(keys) if key.startswith("z")]]), axis=1)
    mean = _residuals(keys, values, fault).mean(axis=1)
    return (passed < len(cuts)) & (mean > np.array(cuts)[np.minimum(passed, len(cuts) - 1)])


def _any(keys, values, fault):
    return np.any(~np.isnan(values), axis=1)


def _first(keys, values, fault):
    return ~np.isnan(values[:, keys.index("k0")]) if "k0" in keys else np.zeros(len(values), dtype=bool)


def _high(keys, values, fault):
    """At least four half steps: the best tail of the sum of two discrete Gaussians at epsilon = 2."""
    return 2 * (values[:, 0] - fault.pair.right["k0"]) >= 4


def _root_plus_one(keys, values, fault):
    """One counter, k = 1: its own variance and half of it again."""
    sigma = float(fault.parameters["sigma"])
    spread = 1.5 * sigma**2
    return (_residuals(keys, values, fault)[:, 0] - 0.5) / spread > float(fault.epsilon)


def _merged_sum(keys, values, fault):
    """The element z lowers the counters of even names on the left; the others tell the shared noise."""
    change = np.array([-float(int(key[1:]) % 2 == 0) for key in keys])
    return _loss(_residuals(keys, values, fault), change, 2.0, float(fault.parameters["sigma"])) > float(fault.epsilon)


def _evicted(keys, values, fault):
    return ~np.isnan(values[:, keys.index("z")]) if "z" in keys else np.zeros(len(values), dtype=bool)


def _true_column(keys, values, fault):
    return values[:, keys.index("value/k0")] == fault.pair.left["k0"]


def _column(keys, values, fault):
    return ~np.isnan(values[:, keys.index("value/k0")]) if keys else np.zeros(len(values), dtype=bool)


def _not_zero(keys, values, fault):
    return values[:, keys.index("k0")] != 0


def _beyond(keys, values, fault):
    """What clipped noise on the smaller count never reaches: it is at most four half steps."""
    return 2 * (values[:, 0] - fault.pair.right["k0"]) > 4


EVENTS = {
    "correlated_aggregates_not_thresholded": _column,
    "correlated_aggregates_without_noise": _true_column,
    "correlated_discrete_clipped_noise": _beyond,
    "correlated_gaussian_zeros_exact": _not_zero,
    "correlated_lower_threshold_not_added": _any,
    "correlated_misra_gries_dead_slots": _first,
    "correlated_misra_gries_merge_sum": _merged_sum,
    "correlated_misra_gries_space_saving": _evicted,
    "correlated_shared_noise_too_wide": _any,
    "correlated_shared_variance_over_root_plus_one": _root_plus_one,
    "correlated_top_k_kth_if_more": _first,
    "correlated_discrete_inclusive_boundary": _any,
    "correlated_discrete_unscaled": _high,
    "correlated_gamma_from_support": _wide,
    "correlated_misra_gries_two_elements": _any,
    "correlated_shared_noise_omitted": _sum_moves(lambda k: k),
    "correlated_shared_noise_per_counter": _sum_moves(lambda k: k * (1 + k**-0.5)),
    "correlated_shared_noise_published": _published,
    "correlated_shared_variance_over_k": _sum_moves(lambda k: 2 * k),
    "correlated_threshold_before_shared_noise": _first,
    "correlated_threshold_without_one": _any,
    "correlated_top_k_floor_released": _floor,
    "correlated_top_k_skipped": _skipped,
    "correlated_top_k_without_subtraction": _first,
    "correlated_zero_counters_noised": _zeros,
}


_IMPOSSIBLE = {_any, _first, _evicted, _true_column, _column, _not_zero, _beyond}
"""Events that the other side never shows."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_the_code_of_a_fault_shows_its_exact_delta(name):
    """On its best event."""
    impossible = EVENTS[name] in _IMPOSSIBLE and name != "correlated_threshold_before_shared_noise"
    shows_its_delta(FAULTS[name], EVENTS[name], impossible=impossible)
