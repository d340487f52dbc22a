"""Every key of a universe declared in advance is treated alike, empty groups too: no lower threshold at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.pairs import adjacency, changed_rows, near_profile
from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, Control

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class DeclaredUniverse(BatchMechanism):
    """Releases every key of the universe whose noisy count reaches tau*; keys outside it are ignored."""

    universe: tuple[str, ...]
    tau_star: float
    sigma: float

    releases_only_input_keys = False
    """No: a key of the universe can come out with nobody in it."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; one column for each key of the universe."""
        validate(histogram)
        # Counts are raised by one together with the thresholds, so that empty groups are visited.
        raised = {key: histogram.get(key, 0) + 1 for key in self.universe}
        mechanism = correct.GaussianSparseHistogram(
            1, self.tau_star + 1, self.sigma, grid=min(1.0, correct.grid_for(self.sigma))
        )
        keys, values = mechanism.release_many(raised, n, rng)
        return keys, values - 1


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> DeclaredUniverse:
    """The row formula of the paper at tau = 0 over the universe k0 .. k7, with tau* = tau + gap; counts only."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return DeclaredUniverse(tuple(f"k{i}" for i in range(8)), mechanism.tau_star, mechanism.sigma)


_PARAMETERS = {"c_u": 1, "sigma": 2, "gap": 6, "mu_o": 0, "tau": 1}

CONTROL = Control(
    id="declared_universe",
    title="empty groups of a declared universe are released like others",
    mechanism="gaussian_sparse_histogram",
    satisfies="wilkins2024.thm5.4",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc1",
        [1],
        "one group of one user against none: both can be released",
        adjacency(_PARAMETERS),
        partial(near_profile, count=1, tau_star=7, sigma=2),
    ),
    epsilon=1,
    proof=(
        "With the universe fixed in advance the noisy counts of all its keys are a Gaussian mechanism of distance "
        "sqrt(C_u)/sigma, and thresholding them is post-processing: delta is at most the second term of Theorem "
        "5.4 alone. (The same rule over keys found in the data is the fault tau_zero.)"
    ),
)
