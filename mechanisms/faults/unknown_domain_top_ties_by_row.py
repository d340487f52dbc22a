"""Algorithm 2 breaks ties by the order of rows, which depends on the data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import one_sided, users
from mechanisms.unknown_domain.top import mechanism as correct
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.top_counts import mass_above_noisy_threshold
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


class TiesByRow(correct.UnknownDomainTop):
    """Algorithm 2 on whatever rows come first."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Among equal counts the earlier row wins."""
        row = {key: index for index, key in enumerate(histogram)}
        mechanism = correct.UnknownDomainTop(**(vars(self) | {"ties": row.__getitem__}))
        return mechanism.release_many(histogram, n, rng)


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> TiesByRow:
    """Algorithm 2 with ties by row."""
    return TiesByRow(**vars(correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)))


def new_mass(A: Any) -> Any:
    """Six items at the count of the next one plus T less one standard lead: 1 - E[Phi(sqrt(2) z + epsilon + Z)^6]."""
    margin = A.sqrt(2) * normal_quantile_complement(A, A.number(1) / 20) + A.number(1) / 10
    return mass_above_noisy_threshold(A, items=6, margin=margin)


_PARAMETERS: Parameters = {"k_bar": 6, "delta_0": 1, "delta_inf": 1, "sigma": 10, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_top_ties_by_row",
    title="ties by the order of rows",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b6",
        dict.fromkeys("abcdefghijklm", 5),
        dict.fromkeys("ghijklabcdef", 5) | {"m": 4},
        "thirteen equal counts: the tops are {a..f} and {g..l}",
        users(_PARAMETERS),
        partial(one_sided, mass=new_mass),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation=(
        "With data-dependent ties all k_bar items of the top can change although one count moves: k_bar new "
        "items, T for Delta_0."
    ),
)
