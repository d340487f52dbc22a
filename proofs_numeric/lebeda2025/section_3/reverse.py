"""Only forward pairs need be searched: reverse <= forward (``sec3.reverse``), for every (l, j) and epsilon >= 0.

H' is the larger histogram; p' and p are the laws of the shared outputs under H' and H.

1. The shared outputs tell through x (their mean, ``N(0, 1)`` under H', ``N(-mu_2, 1)`` under H) and w (along the
   change, ``N(mu_1, 1)`` and ``N(0, 1)``), independent.  ``L = log p'/p = mu_2 x + mu_1 w + (mu_2^2 - mu_1^2)/2``, so L
   is ``N(mu^2/2, mu^2)`` under H' and ``N(-mu^2/2, mu^2)`` under H, ``mu^2 = mu_1^2 + mu_2^2``; and x grows with L when
   ``T = mu_1 x - mu_2 w``, which is independent of L and has one law under both, is held.
2. No new counter is released with conditional probability ``g(x) = e^{-G}``, which falls as x grows
   (``sec3.reverse.silence``): for fixed T, G >= 0 does not fall in L.
3. At epsilon = 0 both directions are the total variation distance.
4. A hockey stick ``sup_S P(S) - e^epsilon Q(S)`` falls in epsilon at the rate ``e^epsilon Q[log dP/dQ > epsilon]``, so
   ``d(reverse - forward)/d epsilon = e^epsilon (P[L - G > epsilon] - P'[no new, L - G < -epsilon])``.
5. ``P[L - G > epsilon] <= Phi_1(-epsilon - G_0)``, ``G_0 = G(x_0)``, x_0 the first point where ``x - G(x)`` reaches
   epsilon (none: it is 0), Phi_1 the distribution function of ``N(mu^2/2, mu^2)``; and the other probability is at
   least ``e^{-G_1} Phi_1(-epsilon + G_1)``, ``G_1 = G(L_1)``, L_1 the first point where ``L - G(L)`` reaches -epsilon.
   ``L_1 <= x_0``, so ``G_1 <= G_0``.
6. ``Phi_1(-epsilon - G) <= e^{-G} Phi_1(-epsilon + G)`` (``sec3.reverse.hazard``): the logarithm of right over left is
   0 at G = 0 and grows, because the hazard ``h = phi/Phi`` exceeds ``-x``.  So the difference starts at 0 and never
   grows.
"""

from typing import Any

from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.lebeda2025.exact.pair import forward, reverse
from proofs_numeric.lebeda2025.laws import PAIR
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.section_3.certificate import PAIRS
from proofs_numeric.statements.shared import Falling


def silence(A: Arithmetic, *, k: int, l: int, t: Number, x: Number) -> Any:
    """``g(x)``: no new counter of l is released, given the mean x of k - l shared ones (`pair_stick`)."""
    d, gamma = k - l, A.sqrt(A.number(k))
    slope = A.sqrt(d / (gamma * (gamma + d)))
    return unreleased(A, l=l, t=A.number(t) - slope * x, b=1 / A.sqrt(gamma + d))


loss, mu = symbols("loss mu")
_low = log_cdf((-epsilon - loss) / mu - mu / 2)
"""``log Phi_1(-epsilon - G)``."""
_high = log_cdf((loss - epsilon) / mu - mu / 2) - loss
"""``log(e^{-G} Phi_1(-epsilon + G))``."""


def _exceeds(side: int) -> Part:
    """How far the hazard at an argument is above what is taken off it."""
    at = (side * loss - epsilon) / mu - mu / 2
    excess = at + phi(at) / Phi(at)
    return part((excess / mu, product_of(1 / mu, (excess, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": at})))))


HAZARD = Derivative("loss", "lower", sum_of(_exceeds(1), _exceeds(-1), 2 * epsilon / (mu * mu)))
"""The logarithm of right over left is 0 at G = 0 and grows."""

CLAIMS = (
    own(
        "sec3.reverse", "Section 3", "the reverse direction never exceeds the forward one",
        r"\delta_{l,j}^{\leftarrow}(\epsilon) \le \delta_{l,j}^{\to}(\epsilon) \text{ for } \epsilon \ge 0",
        Inequality(reverse, forward, proof=Falling(HAZARD), pair=PAIR), domain=PAIRS,
        note="so only the forward direction is searched", cost=3, quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec3.reverse.silence", "Section 3", "silence about new counters is the less likely the larger the shared mean",
        r"g(x) = E[\Phi(t - x\sqrt{d/(\gamma(\gamma+d))} - X/\sqrt{\gamma+d})^l] \text{ falls in } x",
        Monotonicity(formula=silence, parameter="x", increasing=False, proof=Slope()),
        domain=Box(
            (
                replace(K, lower=2, upper=1000), replace(L, lower=1, upper=999),
                Parameter("t", "tau/sigma", lower=-20, upper=20),
                Parameter("x", "mean of the shared outputs in its deviations", lower=-20, upper=20),
            ),
            lambda *, k, l, **_rest: l < k, "l < k",
        ),
        cost=2, quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec3.reverse.hazard", "Section 3", "the hazard inequality behind reverse <= forward",
        r"\Phi(\tfrac{-\epsilon - G}{\mu} - \tfrac{\mu}{2}) \le e^{-G} \Phi(\tfrac{-\epsilon + G}{\mu} - "
        r"\tfrac{\mu}{2}) \text{ for } \epsilon, G \ge 0",
        _low <= _high, proof=HAZARD,
        domain=(
            EPSILON, replace(EPSILON, name="loss", description="G, what silence about new counters tells"),
            replace(SIGMA, name="mu", description="distance of the shared laws", unit="no unit"),
        ),
        note="compared as logarithms",
    ),
)  # fmt: skip
