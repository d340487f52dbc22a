"""wilkins2024: the case study (Figures 1a and 1b); and how noise and threshold grow with the releases."""

import math
from functools import cache, partial

import numpy as np

from auditor.experiments.computed import Chart, Curve, Figure
from mechanisms.gaussian_sparse_histogram import accountant, add_the_deltas_accountant
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release
from mechanisms.gaussian_sparse_histogram.ledger import Ledger
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.statements.concentrated import delta_upper

_STUDY = {"c_u": 51914}
_EPSILON, _DELTA = 0.349, 1e-5
_FAR_DELTA = 1e-8
"""delta_infinite of Figure 1b."""


def least_sigma() -> float:
    """Least noise of the case study: where the curves of Figure 1a begin, and the noise of Figure 1b."""
    return accountant.sigma(_EPSILON, _DELTA, **_STUDY)


def _gap(of: object, sigma: float) -> float:
    return float(of.gap(_EPSILON, _DELTA, sigma=sigma, **_STUDY))  # type: ignore[attr-defined]


def _delta(of: object, epsilon: float) -> float:
    sigma = least_sigma()
    gap = accountant.threshold(_FAR_DELTA, sigma=sigma, **_STUDY)
    return float(of.delta(epsilon, sigma=sigma, gap=gap, **_STUDY))  # type: ignore[attr-defined]


def _ratio(epsilon: float) -> float:
    return _delta(add_the_deltas_accountant, epsilon) / _delta(accountant, epsilon)


_BEYOND = (0.01, 1, 3, 6, 11, 21, 31, 46, 71, 96, 121, 171, 221, 271, 300)
_SIGMAS = tuple(least_sigma() + more for more in _BEYOND)
_FULL_SIGMAS = tuple(least_sigma() + 0.01 + more for more in range(300))
_EPSILONS = (*(round(0.1 + step / 40, 3) for step in range(17)), 0.504)
_FULL_EPSILONS = tuple(round(0.1 + step / 1000, 3) for step in range(405))
_EXACT, _ADDED = "exact (Theorem 5.4)", "add the deltas (Theorem 4.1)"

FIGURE_1 = Figure(
    id="wilkins2024.figure1", title="The case study: least threshold by noise, and delta by epsilon",
    source="Figures 1a and 1b",
    charts=(
        Chart(
            "1a", "(epsilon, delta) = (0.349, 1e-5)", "sigma (users)", "least tau* - tau (users)", _SIGMAS,
            _FULL_SIGMAS,
            (
                Curve("exact", _EXACT, partial(_gap, accountant)),
                Curve("added", _ADDED, partial(_gap, add_the_deltas_accountant), dashed=True),
            ),
            {"least noise": least_sigma},
        ),
        Chart(
            "1b", "least sigma, delta_infinite = 1e-8", "epsilon (nats)", "delta", _EPSILONS, _FULL_EPSILONS,
            (
                Curve("exact", _EXACT, partial(_delta, accountant)),
                Curve("added", _ADDED, partial(_delta, add_the_deltas_accountant), dashed=True),
            ),
            log="y",
        ),
        Chart(
            "1b.ratio", "the same", "epsilon (nats)", "delta, added / exact", _EPSILONS, _FULL_EPSILONS,
            (Curve("ratio", _ADDED, _ratio, dashed=True),),
        ),
    ),
    settings=(
        "C_u = 51914, tau = 1, no aggregates", "Figure 1a: sigma from the least one to 300 above it",
        "Figure 1b: epsilon from 0.1 to 0.504",
    ),
    unstated=("sigma of Figure 1b: the least one, 2228.48, of which the paper prints 2228 (wilkins2024.sec6.2.range)",),
)  # fmt: skip

# --- releases ---------------------------------------------------------------------------------------------------------

_KEYS = 10
_TIMES = (1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 365.0)
_FULL_TIMES = (*_TIMES, 1000.0, 3000.0, 10_000.0)


def fixed(times: float) -> Release:
    """Least noise and threshold where all data is fixed in advance (wilkins2024.composition.equal)."""
    rows = _KEYS * int(times)
    sigma = accountant.sigma(1.0, _DELTA, c_u=rows)
    return Release(_KEYS, sigma, accountant.threshold(_DELTA, c_u=rows, sigma=sigma))


def chosen(times: float) -> Release:
    """The same where data and parameters are chosen as one goes (wilkins2024.composition.filter)."""
    return Ledger(epsilon=1.0, delta=_DELTA).equal(int(times), c_u=_KEYS)


@cache
def rho_of_half(delta: float) -> float:
    """Rho that costs half of delta at epsilon = 1 by Renyi orders."""
    A = Float64()
    return float(increasing_root(A, lambda rho: delta_upper(A, rho=rho, epsilon=np.float64(1)) - delta / 2, 1e-6, 1.0))


def added(times: float) -> Release:
    """The same by adding up rho, and the deltas of new keys, half of delta each."""
    sigma = (_KEYS * times / (2 * rho_of_half(_DELTA))) ** 0.5
    return Release(_KEYS, sigma, accountant.threshold(_DELTA / (2 * times), c_u=_KEYS, sigma=sigma))


_WAYS = (
    ("fixed", "data fixed in advance", fixed),
    ("chosen", "chosen as one goes: the ledger", chosen),
    ("added", "adding up rho and delta", added),
)


def _of(way: object, name: str, times: float) -> float:
    return float(getattr(way(times), name)) / math.sqrt(times)  # type: ignore[operator]


RELEASES = Figure(
    id="wilkins2024.releases",
    title="Least noise and threshold of each of T releases",
    source="wilkins2024.composition.* (no paper has it)",
    charts=tuple(
        Chart(
            name,
            "ten keys a user, (1, 1e-5) together",
            "T (releases)",
            f"least {title}, over sqrt(T) (users)",
            _TIMES,
            _FULL_TIMES,
            tuple(Curve(id_, label, partial(_of, way, name), dashed=id_ == "added") for id_, label, way in _WAYS),
            log="x",
        )
        for name, title in (("sigma", "sigma"), ("gap", "tau* - tau"))
    ),
    settings=(
        "equal releases of the Gaussian sparse histogram, ten keys a user, no aggregates",
        "the noise is the least at which some threshold keeps the promise, the threshold the least at it",
        "times sqrt(T): of each release; noise of one release grows with sqrt(T), what is drawn is the rest",
        "ledger: a quarter of delta for rows at the threshold; adding up: half of it",
    ),
    unstated=("everything: no paper composes these releases",),
)
EXPERIMENTS = (FIGURE_1, RELEASES)
