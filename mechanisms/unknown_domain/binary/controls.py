"""A variant of the Unknown Domain Binary Mechanism of rogers2024 that looks wrong and is not."""

import numpy as np
from numpy.typing import NDArray

from mechanisms.unknown_domain.binary.mechanism import MECHANISM, UnknownDomainBinary


class Sticky(UnknownDomainBinary):
    """Running counts that stop at the first release."""

    def select_released(self, noisy: NDArray[np.float64]) -> NDArray[np.float64]:
        """The first released count from then on."""
        released = super().select_released(noisy)
        first = np.argmax(~np.isnan(released), axis=1)
        value = released[np.arange(len(released)), first][:, None]
        return np.where(np.arange(released.shape[1]) >= first[:, None], value, np.nan)


CONTROLS = (
    MECHANISM.neutral(
        id="unknown_domain_binary_sticky", title="sticky releases", subclass=Sticky, pair="u1", epsilon=3,
        proof="What is shown is a function of the stream of releases of the reference mechanism: post-processing. An "
        "item that never passes is never shown.",
    ),
)  # fmt: skip
