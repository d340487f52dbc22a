"""Several releases of one histogram, a sum beside each counter, for users of few counters (lebeda2025.sparse.releases).

Noise of counters and sums is fresh in every release. Its accountant is `composed_accountant.few_counters_delta`.
"""

import math
from collections import ChainMap
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.correlated_stability_histogram import sparse_users
from mechanisms.correlated_stability_histogram.law import Moves
from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.privacy_loss import GaussianLoss
from mechanisms.mechanism import AccountantFault, BatchMechanism, InDoubles, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025 import sparse_users_releases as exact
from proofs_numeric.lebeda2025.sparse_users_histogram import FEW_OF_SPARSE, total_deviation
from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class Releases(BatchMechanism):
    """The same histogram again and again; release t has the keys `count/t/KEY` and `value/t/KEY`.

    Attributes:
        one: the histogram of one release, with its column of sums.
        releases: how many, an integer >= 1.
    """

    one: sparse_users.SparseUsersHistogram
    releases: int
    releases_only_input_keys = False

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N times all releases: columns in their order, NaN where a counter is held back with its sum."""
        every = [self.one.release_many(copy, n, rng) for copy in self.copies(histogram)]
        keys = tuple(name for names, _values in every for name in names)
        return keys, np.concatenate([values for _names, values in every], axis=1)

    def copies(self, histogram: Histogram) -> list[dict[str, int]]:
        """Of each release, the histogram by its own names of the keys."""
        validate(histogram)
        return [{f"{t}/{key}": count for key, count in histogram.items()} for t in range(1, self.releases + 1)]


@of_numbers
def build(*, releases: Value, mu_o: Value, **one: Value) -> Releases:
    """The mechanism by the names of its claim: one column `value`, the count with noise of variance 1/mu_o^2."""
    distance, several = Fraction(mu_o), Fraction(releases)
    if distance <= 0:
        raise ValueError(f"expected mu_o > 0 (standard deviations), got mu_o={mu_o}")
    if several.denominator != 1 or several < 1:
        raise ValueError(f"expected an integer releases >= 1, got releases={releases}")
    column = Aggregates(("value",), (1.0,), ((float(1 / distance**2),),))
    return Releases(replace(sparse_users.build(**one), aggregates=column), int(several))


def changed_profile(
    A: Arithmetic, epsilon: Number, _direction: Direction, *, releases: int, d: int, j: int, **at: Fraction
) -> Any:
    """Exact hockey stick of j of d shared counters that change with their sums, r independent times."""
    sigma, gamma, mu_o = (A.number(at[name]) for name in ("sigma", "gamma", "mu_o"))
    square = squared_distance(d=d, j=j, ratio=gamma) / sigma**2 + j * mu_o**2
    return gaussian_profile(A, A.number(epsilon), A.sqrt(releases * square))


def changed_loss(_direction: Direction, *, releases: int, d: int, j: int, **at: Fraction) -> GaussianLoss:
    """Its privacy loss."""
    sigma, gamma, mu_o = (float(at[name]) for name in ("sigma", "gamma", "mu_o"))
    return GaussianLoss(math.sqrt(releases * (squared_distance(d=d, j=j, ratio=gamma) / sigma**2 + j * mu_o**2)))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where all counters are new, or all shared and far above the threshold; else none is known."""
    releases, tau = int(parameters["releases"]), int(parameters.get("tau", 1))
    at = {name: Fraction(parameters[name]) for name in ("sigma", "gamma")}
    gap = Fraction(parameters["gap"])
    changes = Moves.of(neighbours, tau=tau, threshold=tau + gap, sigma=total_deviation(parameters))
    if (
        changes is None
        or changes.near
        or bool(changes.new) == bool(changes.far)
        or not (changes.new or changes.changed)
    ):
        return ExactLaw()
    if changes.new:
        new: dict[str, Any] = {**at, "gap": gap, "l": changes.new, "releases": releases}
        return ExactLaw(partial(sparse_users.new_profile, **new), partial(sparse_users.new_loss, **new))
    moved: dict[str, Any] = {**at, "mu_o": Fraction(parameters["mu_o"]), "releases": releases}
    moved |= {"d": len(changes.far), "j": changes.changed}
    return ExactLaw(partial(changed_profile, **moved), partial(changed_loss, **moved))


MECHANISM = MechanismSpec(
    id="correlated_stability_histogram_releases",
    title="several releases of the correlated stability histogram with sums, for users of few counters", build=build,
    parameters={"releases": 2, "k": 4, "m": 2, "sigma": 3, "gamma": 4, "gap": 8, "mu_o": "1/8"},
    guarantee_claim="lebeda2025.sparse.releases",
    source="a statement of this project; lebeda2025, Algorithm 2 and Section 6", privacy=FEW_OF_SPARSE, law=law,
)  # fmt: skip

CALIBRATOR = replace(
    sparse_users.CALIBRATOR,
    id=MECHANISM.id,
    claim=MECHANISM.guarantee_claim,
    release="repeated_counts",
    users={**sparse_users.CALIBRATOR.users, "releases": "releases"},
)
CALIBRATORS = (
    replace(
        CALIBRATOR, id=f"{MECHANISM.id}_adaptive", mechanism=MECHANISM.id, claim="lebeda2025.sparse.releases.adaptive",
        release="adaptive_counts", noise_share=Fraction(3, 4),
    ),
)  # fmt: skip


class SharedOnce(Releases):
    """The shared noise of a release is kept for all: one histogram with a copy of each counter a release."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N times all releases, of one Z each."""
        every = dict(ChainMap(*self.copies(histogram)))
        return replace(self.one, k=self.releases * self.one.k).release_many(every, n, rng)


def shared_once_profile(A: Arithmetic, epsilon: Number, direction: Direction, **at: Any) -> Any:
    """Exact hockey stick: one histogram in which a user changes every copy."""
    releases = at["releases"]
    return changed_profile(
        A, epsilon, direction, **{**at, "releases": 1, "d": releases * at["d"], "j": releases * at["j"]}
    )


@InDoubles
def sums_once(A: Arithmetic, *, releases: int, mu_o: Number, **point: Any) -> Any:
    """The larger of the two ends, with the sums' distance in one release alone."""
    return exact.ends(A, releases=releases, mu_o=A.number(mu_o) / A.sqrt(A.number(releases)), **point)


_ONCE: dict[str, Any] = {"releases": 1, "k": 4, "m": 2, "sigma": 2, "gamma": 4, "gap": 20, "mu_o": "1/4"}
_TWICE: dict[str, Any] = {"releases": 2, "d": 4, "j": 2}
_TWICE |= {name: Fraction(MECHANISM.parameters[name]) for name in ("sigma", "gamma", "mu_o")}

FAULTS = (
    MECHANISM.broken(
        id="correlated_stability_histogram_releases_refreshed",
        title="calibrated for one release, and drawn again for each of three readers", parameters=_ONCE,
        at={"releases": 3}, pair="worst",
        explanation="Fresh noise averages out: three releases are at the distance of one times the root of three.",
    ),
    AccountantFault(
        id="correlated_stability_histogram_releases_sums_once_accountant",
        title="the sums are accounted for once, not in every release", mechanism=MECHANISM.id,
        violates="lebeda2025.sparse.releases", accountant=sums_once,
        parameters={
            "epsilon": 1, "releases": 30, "k": 10, "m": 3, "sigma": 40, "gamma": 10, "gap": 225, "mu_o": "1/20",
        },
        explanation="A counter that is shown takes its sum along every time.",
    ),
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="correlated_stability_histogram_releases_shared_once",
        title="the shared noise is drawn once for all releases", subclass=SharedOnce, pair="worst",
        profile=partial(shared_once_profile, **_TWICE),
        proof="It is one histogram of r copies of each counter, a user in r m of r k. Its ceiling at (r l, r j) has a "
        "distance of at most r (j - j^2/(k - l + gamma))/sigma^2 from the counters, as (r j)^2/(r (k - l) + gamma) >= "
        "r j^2/(k - l + gamma), and new counters pass no oftener: E[p^r] >= E[p]^r, p the probability given Z that "
        "none passes in one release.",
    ),
)  # fmt: skip
