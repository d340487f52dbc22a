"""Figure 3: draws against the exact probability that some new counter is released, at its least noise and threshold."""

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from proofs_numeric.expression import Phi, sqrt
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.parameters import gap, k, ours, sigma
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Mean

LEAST = (
    (10, "17.741998401", "96.753015889"), (51914, "1116.683797698", "7005.638328965"), (10**6, "4892.7616", "32827.37"),
)  # fmt: skip
"""(k, sigma, tau) at epsilon = 0.349 and delta = 1e-5, in counts; k = 10^6 lies beyond the figure."""


def one_over_released(n: int, rng: np.random.Generator, *, k: int, sigma: float, gap: float) -> NDArray[np.float64]:
    """One over the number S of released counters, n times, given that the first of k new ones is released.

    An outcome with S released counters is met once from each of them, so ``P[S >= 1] = k P[Z + Z_1 > tau]
    E[1/S | Z + Z_1 > tau]``.  Z + Z_1 is drawn above the threshold, Z given it, and given Z how many others are above.
    """
    b, t = k**-0.25, gap / sigma
    spread = math.sqrt(1 + b * b)
    first = -spread * special.ndtri(rng.random(n) * special.ndtr(-t / spread))
    shared = b * first / spread**2 + rng.standard_normal(n) / spread
    return np.asarray(1 / (1 + rng.binomial(k - 1, special.ndtr(b * shared - t))))


expected_released = k * Phi(-gap / (sigma * sqrt(1 + 1 / sqrt(k))))
"""``k P[Z + Z_1 > tau]``."""

CLAIMS = tuple(
    Claim(
        id=f"lebeda2025.fig3.draws.{k}",
        source=ours("Section 5, Figure 3"),
        title=f"k = {k}, sigma = {sigma}, tau = {gap}: P[S >= 1] against draws",
        statement=r"P[S \ge 1] = k\,P[Z + Z_1 > \tau]\,E[1/S \mid Z + Z_1 > \tau]",
        kind=Mean(
            partial(one_over_released, k=k, sigma=float(sigma), gap=float(gap)),
            expected_released(k=k, sigma=sigma, gap=gap),
            delta_infinite(k=k, sigma=sigma, gap=gap),
        ),
        domain=Box(()),
    )
    for k, sigma, gap in LEAST
)
