"""Faults of the Unknown Domain Binary Mechanism of rogers2024."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT, one_sided
from mechanisms.mechanism import Parameters
from mechanisms.noise import normal
from mechanisms.unknown_domain.binary.mechanism import MECHANISM, UnknownDomainBinary, new_mass, threshold
from mechanisms.unknown_domain.profiles import gaussian_shift
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.neighbours import without_event
from proofs_numeric.statements.adjacency import encode
from proofs_numeric.statements.neighbours import Neighbours

# --- noise ------------------------------------------------------------------------------------------------------------


class FreshNoise(UnknownDomainBinary):
    """Running counts with independent noises of the right variance."""

    def noise(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noise of variance popcount(r) sigma^2, independent over rounds."""
        cells = np.array([r.bit_count() for r in range(1, self.rounds + 1)], dtype=np.float64)
        return normal.sample(rng, (n, self.rounds), scale=self.scale) * np.sqrt(cells)


class SharedTable(UnknownDomainBinary):
    """Running counts whose items share their noise."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """The same noise for every item of a run."""
        return super().release_many(histogram, n, _Repeating(rng.integers(2**32)))  # type: ignore[arg-type]


class _Repeating:
    """A generator that starts again for every array it is asked for."""

    def __init__(self, seed: int) -> None:
        self.seed = int(seed)

    def standard_normal(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The same draws each time."""
        return np.random.default_rng(self.seed).standard_normal(shape)


# --- thresholds -------------------------------------------------------------------------------------------------------


def for_one_cell(mechanism: UnknownDomainBinary) -> UnknownDomainBinary:
    """T = 1 + sigma z."""
    return replace(mechanism, threshold=1 + (mechanism.threshold - 1) / mechanism.rounds.bit_length() ** 0.5)


def threshold_for_one_cell(A: Arithmetic, **parameters: Any) -> Number:
    """1 + (T - 1)/sqrt(2) at L = 3."""
    return 1 + (threshold(A, **parameters) - 1) / A.sqrt(2)


def without_one(mechanism: UnknownDomainBinary) -> UnknownDomainBinary:
    """T less one."""
    return replace(mechanism, threshold=mechanism.threshold - 1)


def threshold_without_one(A: Arithmetic, **parameters: Any) -> Number:
    """T less one."""
    return threshold(A, **parameters) - 1


def without_rounds(mechanism: UnknownDomainBinary) -> UnknownDomainBinary:
    """T for one round."""
    one, every = (float(normal_quantile_complement(Float64(), 0.05 / rounds)) for rounds in (1, mechanism.rounds))
    return replace(mechanism, threshold=1 + (mechanism.threshold - 1) * one / every)


def threshold_without_rounds(A: Arithmetic, **_parameters: Any) -> Number:
    """1 + sigma sqrt(2) z(delta) at L = 3, sigma = 4."""
    return 1 + 4 * A.sqrt(2) * normal_quantile_complement(A, A.number(1) / 20)


def _first_event_at(low: Any, parameters: Mapping[str, Any]) -> Any:
    """Profile of one item of the first event where the threshold is `low`."""
    return partial(one_sided, mass=partial(new_mass, items=1, at=low, **parameters))


_SHORT: Parameters = {**MECHANISM.parameters, "sigma": 4}
_ALWAYS = [["u", "v"]] * 63

FAULTS = (
    MECHANISM.broken(
        id="unknown_domain_binary_fresh_noise", title="fresh noise in every round", caught_by="numeric.pair_profile",
        subclass=FreshNoise, parameters={"L": 127, "sigma": 1}, pair=without_event(127, removed=64),
        profile=partial(gaussian_shift, squared=sum((Fraction(1, r.bit_count()) for r in range(64, 128)), Fraction(0))),
        epsilon=12,
        explanation="Averaging over rounds removes the noise: the squared distance is sum 1/popcount(r) over all "
        "later rounds.",
    ),
    MECHANISM.broken(
        id="unknown_domain_binary_shared_table", title="one noise table for all items",
        caught_by="numeric.pair_profile", subclass=SharedTable, parameters={"L": 63, "delta_0": 2},
        pair=Neighbours(
            "u.shared", encode(_ALWAYS), encode([*_ALWAYS[:62], ["v"]]),
            "the difference of the last two counts is exact; both are released up to Phi(-9)",
        ),
        profile=DISJOINT, epsilon=20, explanation="The difference of two counts carries no noise.",
    ),
    MECHANISM.broken(
        id="unknown_domain_binary_threshold_for_one_cell", title="threshold for one cell", change=for_one_cell,
        parameters={**_SHORT, "delta": "1/100"}, pair="u1",
        profile=_first_event_at(threshold_for_one_cell, {**_SHORT, "delta": "1/100"}), epsilon=2,
        explanation="A count is the sum of up to ceil(log2(L + 1)) noisy cells.",
    ),
    MECHANISM.broken(
        id="unknown_domain_binary_threshold_without_one", title="threshold without the count of a new item",
        change=without_one, parameters={"L": 1, "sigma": 1}, pair="u1",
        profile=_first_event_at(threshold_without_one, {**MECHANISM.parameters, "L": 1, "sigma": 1}), epsilon=4,
        explanation="A new item has count one, not zero.",
    ),
    MECHANISM.broken(
        id="unknown_domain_binary_threshold_without_rounds", title="threshold for one round",
        caught_by="numeric.pair_profile", change=without_rounds, parameters=_SHORT, pair="u1",
        profile=_first_event_at(threshold_without_rounds, _SHORT), epsilon=2,
        explanation="A new item has a chance to pass in each of L rounds.",
    ),
)  # fmt: skip
