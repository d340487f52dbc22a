"""Variants of sample-and-threshold that look wrong and are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Boundary, Control
from mechanisms.sample_and_threshold import mechanism as correct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_PARAMETERS: dict[str, Exact] = {"p": "3/10", "tau": 5}
_PAIR = correct.cell_pair("worst", 6, _PARAMETERS, "6 copies against 5: the worst count at epsilon = 1")


def build_exclusive(*, p: Exact, tau: Exact) -> correct.SampleAndThreshold:
    """Shows counts above tau - 1: the same rule in the paper's other words."""
    mechanism = correct.build(p=p, tau=tau)
    return replace(mechanism, tau=mechanism.tau - 1, rule=Boundary.EXCLUSIVE)


class ReleasedShares(correct.SampleAndThreshold):
    """Counts over their released total, with the total beside them."""

    releases_only_input_keys = False
    """No: `total` is released too."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases of shares; the last column is the released total."""
        keys, values = super().release_many(histogram, n, rng)
        total = np.nansum(values, axis=1, keepdims=True)
        return (*keys, "total"), np.concatenate([values / np.maximum(total, 1), total], axis=1)


def build_shares(*, p: Exact, tau: Exact) -> ReleasedShares:
    """The mechanism, normalised by what it released."""
    return ReleasedShares(**vars(correct.build(p=p, tau=tau)))


def _control(stem: str, title: str, build: Any, proof: str) -> Control:
    return Control(
        id=f"sample_and_threshold_{stem}",
        title=title,
        mechanism="sample_and_threshold",
        satisfies="bharadwaj2022.tight.rate",
        build=build,
        parameters=_PARAMETERS,
        pair=_PAIR,
        epsilon=1,
        proof=proof,
    )


CONTROLS = (
    _control(
        "exclusive_rule",
        "more than tau - 1 in place of at least tau",
        build_exclusive,
        "Counts are integers, so the two rules show the same counts.",
    ),
    _control(
        "released_shares",
        "counts divided by their released total",
        build_shares,
        "The total and the shares are functions of the release: post-processing.",
    ),
)
