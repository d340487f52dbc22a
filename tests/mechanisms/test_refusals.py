"""What accountants and builders refuse: settings that are none, in one line with what is allowed."""

import math

import pytest

from mechanisms.adaptive_weights import accountant as adaptive
from mechanisms.correlated_gaussian import sparse_users as correlated_gaussian
from mechanisms.correlated_stability_histogram import releases, sparse_users
from mechanisms.discrete_correlated import accountant as discrete
from mechanisms.geometric_sparse_histogram import accountant as geometric
from mechanisms.integer_sparse_histogram import accountant as integer
from mechanisms.iterated_selection import accountant as iterated
from mechanisms.partition_selection import accountant as selection_accountant
from mechanisms.partition_selection import mechanism as selection
from mechanisms.weighted_set_union import accountant as weighted

NAN = math.nan
ONE = {"epsilon": 1.0}
FEW = {**ONE, "k": 10, "m": 3, "sigma": 2.0, "gamma": 10.0}
KEYS = {**ONE, "threshold": 9, "c_u": 2}
COUNTERS = {**ONE, "k": 2, "sigma": 1.0, "gap": 4}
ROUNDS = {f"{name}_{i}": x for i, sizes in enumerate(((3, 5), (2, 4), (1, 3)), 1)
          for name, x in zip(("sigma", "threshold"), sizes, strict=True)}  # fmt: skip
MANY = {"releases": 2, "k": 3, "m": 2, "sigma": 2, "gamma": 4, "gap": 0, "mu_o": "1/2"}
REFUSED = [
    (correlated_gaussian.delta, FEW, {"m": (0, 11), "sigma": (0.0,), "gamma": (NAN,), "epsilon": (-1.0,)}),
    (sparse_users.delta, {**FEW, "gap": 8.0},
     {"m": (0, 11), "sigma": (0.0,), "gamma": (NAN,), "epsilon": (-1.0,), "gap": (math.inf,)}),
    (releases.build, MANY, {"releases": (0, "3/2"), "mu_o": (0,), "m": (4,), "gamma": (0,)}),
    (iterated.delta, {**ONE, **ROUNDS, "c_u": 2},
     {"sigma_1": (0.0,), "threshold_3": (NAN,), "c_u": (0,), "epsilon": (-1.0,)}),
    (weighted.delta, {**KEYS, "sigma": 2.0}, {"sigma": (0.0,), "threshold": (NAN,), "c_u": (0,), "epsilon": (-1.0,)}),
    (selection.build, {"epsilon_0": 1, "delta_0": "1e-5"},
     {"epsilon_0": (0,), "delta_0": (0, 1), "lowest": (0,), "c_u": ("1/2",)}),
    (selection_accountant.delta, {**ONE, "epsilon_0": 1.0, "delta_0": 1e-5},
     {"epsilon": (-1.0,), "epsilon_0": (0.0, NAN), "delta_0": (1.0, NAN), "c_u": (0, 1.5, True)}),
    (selection_accountant.keep, {"users": 3, "epsilon_0": 1.0, "delta_0": 1e-5},
     {"users": (-1, 1.5), "epsilon_0": (0.0,), "delta_0": (0.0,)}),
    (adaptive.delta, {**KEYS, "sigma": 2.0}, {"sigma": (0.0,), "threshold": (NAN,), "c_u": (0,), "epsilon": (-1.0,)}),
    (discrete.delta, COUNTERS, {"k": (0,), "sigma": (65.0,), "gap": (math.inf,), "epsilon": (NAN,)}),
    (discrete.delta_with_sums, {**COUNTERS, "sigma_s": 2.0, "per_sum": 1},
     {"sigma_s": (0.0, NAN), "per_sum": (0,), "k": (0,)}),
    (discrete.least, {**ONE, "delta_target": 1e-5, "k": 2},
     {"k": (0, 30), "sums": ((0.1, 2),), "delta_target": (0.0,)}),
    (geometric.delta, {**KEYS, "scale": 2.0},
     {"scale": (0, NAN), "threshold": (0,), "epsilon": (-1.0,), "c_u": (0, 300), "per_key": (1.5,)}),
    (integer.delta, {**KEYS, "sigma": 2.0},
     {"sigma": (0,), "threshold": (1, 2.5), "epsilon": (NAN,), "c_u": (0, 10**6)}),
    (integer.delta_with_sums, {**KEYS, "sigma": 2.0, "sigma_s": 3.0, "per_sum": 1},
     {"sigma_s": (0.0, NAN), "per_sum": (0, 1.5)}),
    (integer.release, {"sigma": 2.0, "threshold": 9, "c_u": 1},
     {"sigma": (0.1, NAN), "threshold": (1,), "sums": ((0.1, 5),)}),
]  # fmt: skip
"""What is called, a setting, and by parameter what is no setting beside the others."""


@pytest.mark.parametrize(
    ("called", "setting", "name", "value"),
    [(called, setting, name, x) for called, setting, wrong in REFUSED for name, xs in wrong.items() for x in xs],
)
def test_what_is_no_setting_is_refused(called, setting, name, value):
    """One line: what, value, allowed."""
    with pytest.raises(ValueError, match="expected"):
        called(**{**setting, name: value})
