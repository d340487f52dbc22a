"""rogers2024: noise and threshold of Algorithm 1 by its theorems and exactly (the paper has no figure)."""

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from auditor.experiments.computed import Chart, Curve, Figure
from auditor.experiments.gaussian_sparse_histogram import rho_of_half
from mechanisms.gaussian_sparse_histogram.ledger import Schedule
from mechanisms.unknown_domain.gumbel import accountant as lists
from mechanisms.unknown_domain.histogram import accountant
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.rogers2024.thresholds import gaussian_threshold
from proofs_numeric.statements.concentrated import cdp_to_dp_epsilon_upper

_DELTA = 1e-5


@cache
def exact(delta_0: int) -> tuple[float, float]:
    """Least noise and threshold, exact (rogers2024.thm7.gaussian.exact)."""
    return accountant.gaussian_noise(1.0, _DELTA, delta_0=delta_0, delta_inf=1)


@cache
def by_theorems(delta_0: int) -> tuple[float, float]:
    """Noise and threshold of Theorem 7 with Theorem 3, half of delta each."""
    log = math.log(2 / _DELTA)
    rho = (math.sqrt(log + 1) - math.sqrt(log)) ** 2  # epsilon = rho + 2 sqrt(rho log) = 1
    sigma = math.sqrt(delta_0 / (2 * rho))
    at = {"delta_0": np.float64(delta_0), "delta_inf": np.float64(1), "epsilon": np.float64(1 / sigma)}
    return sigma, float(gaussian_threshold(Float64(), **at, delta=np.float64(_DELTA / 2)))


def _of(way: Callable[[int], tuple[float, float]], part: int, delta_0: float) -> float:
    return way(int(delta_0))[part]


def _picks(k: float) -> float:
    return lists.least_epsilon(2e-6, k=int(k), beta=10.0, delta=1e-6)


def _picks_by_theorems(k: float) -> float:
    A = Float64()
    return float(cdp_to_dp_epsilon_upper(A, rho=np.float64(k / (8 * 10.0**2)), delta=np.float64(1e-6)))


def _daily(k: float) -> float:
    """Least beta of each of thirty lists of k labels on a schedule, a quarter of delta for new labels."""

    def excess(beta: float) -> float:
        cost = lists.cost(k=int(k), beta=float(beta), delta=0.25 * _DELTA / 30)
        return _DELTA - Schedule(1.0, _DELTA, releases=(cost,) * 30).spent

    root = math.sqrt(30 * k)
    return float(increasing_root(Float64(), excess, root, 4 * root))


def _daily_by_rho(k: float) -> float:
    """The same by adding up rho = k/(8 beta^2), half of delta for new labels."""
    return math.sqrt(30 * k / (8 * rho_of_half(_DELTA)))


_LABELS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_PICKS = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0)
_EXACT, _THEOREMS = "this project's accountants", "the paper's theorems"

FIGURE = Figure(
    id="rogers2024.noise",
    title="Algorithms 1 and 3: what the theorems ask for, and what is needed",
    source="rogers2024.thm7.gaussian.exact, rogers2024.range.* (the paper has no figure)",
    charts=(
        *(
            Chart(
                name,
                "Algorithm 1, Gaussian, (1, 1e-5)",
                "Delta_0 (labels of a user)",
                f"least {name} (counts)",
                _LABELS,
                (*_LABELS, 200.0, 500.0, 1000.0),
                (
                    Curve("exact", _EXACT, partial(_of, exact, part)),
                    Curve("theorems", _THEOREMS, partial(_of, by_theorems, part), dashed=True),
                ),
                log="xy",
            )
            for part, name in enumerate(("sigma", "T"))
        ),
        Chart(
            "picks",
            "Algorithm 3, beta = 10, delta = 2e-6",
            "k (labels released)",
            "epsilon (nats)",
            _PICKS,
            (*_PICKS, 50.0, 100.0),
            (Curve("composed", _EXACT, _picks), Curve("theorems", _THEOREMS, _picks_by_theorems, dashed=True)),
        ),
        Chart(
            "lists",
            "Algorithm 3, thirty lists, (1, 1e-5) together",
            "k (labels released)",
            "least beta (counts)",
            _PICKS,
            (*_PICKS, 50.0, 100.0),
            (Curve("schedule", _EXACT, _daily), Curve("rho", "adding up rho", _daily_by_rho, dashed=True)),
            log="xy",
        ),
    ),
    settings=(
        "Theorem 7 with Theorem 3, half of delta for each; Delta_infinity = 1",
        "Algorithm 3: delta = 1e-6 for new labels, as much for the picks; by Theorem 9 rho = k/(8 beta^2)",
        "thirty lists, data chosen as one goes: rogers2024.range.pool; rho = k/(8 beta^2) of each, best Renyi order",
    ),
    unstated=("everything: the paper has no figure",),
)
EXPERIMENTS = (FIGURE,)
