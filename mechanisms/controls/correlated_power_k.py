"""Theorem 11 with psi^k where it has psi^(k+1): one factor fewer, and still a bound for tau >= 0."""

from __future__ import annotations

from functools import partial

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters, pair_profile
from mechanisms.mechanism import Control

_PARAMETERS = {"k": 4, "sigma": 4, "gap": 3, "tau": 1}

CONTROL = Control(
    id="correlated_power_k",
    title="delta_infinity with psi^k in place of psi^(k+1)",
    mechanism="correlated_stability_histogram",
    satisfies="lebeda2025.thm11.power",
    build=correct.build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "all counters new: the pair on which a delta_infinity too small would show",
        _PARAMETERS,
        new=4,
        shared=(),
        changed=0,
        profile=partial(pair_profile, k=4, sigma=4, gap=3, l=4, j=0),
    ),
    epsilon=1,
    proof=(
        "For tau >= 0, psi = Phi(tau/((1 + k^(-1/4)) sigma)) is at most Phi(tau/(sigma sqrt(1 + k^(-1/2)))), whose "
        "k-th power Slepian's inequality puts below the exact probability (lebeda2025.lem10.power.corrected). For "
        "tau < 0 the order reverses."
    ),
)
