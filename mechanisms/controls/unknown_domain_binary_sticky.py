"""The binary mechanism that repeats an item's first released count for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.mechanism import Control
from mechanisms.unknown_domain.binary import mechanism as correct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class Sticky(correct.UnknownDomainBinary):
    """Running counts that stop at the first release."""

    def shown(self, noisy: NDArray[np.float64]) -> NDArray[np.float64]:
        """The first released count from then on."""
        released = super().shown(noisy)
        first = np.argmax(~np.isnan(released), axis=1)
        value = released[np.arange(len(released)), first][:, None]
        return np.where(np.arange(released.shape[1]) >= first[:, None], value, np.nan)


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> Sticky:
    """Running counts that stop at the first release."""
    return Sticky(**vars(correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)))


_PARAMETERS: Parameters = {"L": 3, "delta_0": 1, "sigma": 2, "delta": "1/20"}

CONTROL = Control(
    id="unknown_domain_binary_sticky",
    title="sticky releases",
    mechanism="unknown_domain_binary",
    satisfies="rogers2024.thm11.profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pair_u1(_PARAMETERS),
    epsilon=3,
    proof=(
        "What is shown is a function of the stream of releases of the reference mechanism: post-processing. "
        "An item that never passes is never shown."
    ),
)
