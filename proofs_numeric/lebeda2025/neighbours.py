"""What the exact analysis rests on: reverse <= forward, the certificate, and ``lebeda2025.csh.exact`` itself.

Reverse <= forward (``sec3.reverse``), for every (l, j) and epsilon >= 0:

1. The shared outputs enter through L = log p'/p (p' the law under H') and a statistic T independent of L with one law
   under both; ``L ~ N(-mu^2/2, mu^2)`` under H and ``N(mu^2/2, mu^2)`` under H'.
2. "No new counter" has conditional probability ``g = e^{-G(L)}`` given T, with G >= 0 non-decreasing in L: the
   posterior mean of Z has non-negative covariance with L, and g falls in it.
3. At epsilon = 0 both directions are the total variation distance.
4. ``d(reverse - forward)/d epsilon = e^epsilon (P[L - G > epsilon] - P'[no new, L - G < -epsilon])``.
5. Reflecting L, the first probability is ``P'[L + G(-L) < -epsilon] <= Phi_1(-epsilon - G_0)``, ``G_0 = G(x_0)``, x_0
   the first root of ``x - G(x) = epsilon`` (none: it is 0), Phi_1 the distribution function of ``N(mu^2/2, mu^2)``.
6. The second is at least ``e^{-G_1} Phi_1(-epsilon + G_1)``, ``G_1 = G(L_1)``, L_1 the first root of
   ``L - G(L) = -epsilon``; ``L_1 <= x_0``, so ``G_1 <= G_0``.
7. ``Phi_1(-epsilon - G_1) <= e^{-G_1} Phi_1(-epsilon + G_1)`` (``sec3.reverse.hazard``): at G_1 = 0 both are equal, and
   the hazard inequality compares them for G_1 > 0.  So the difference starts at 0 and does not grow.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Claim,
    DeltaBound,
    Editorial,
    Identity,
    Inequality,
    Proof,
    QuantityKind,
    Role,
    SymbolicIdentity,
    Trusted,
)
from proofs_numeric.lebeda2025.exact_analysis import exact_delta
from proofs_numeric.lebeda2025.exact_pair import new_released, pair_delta, shared_mu
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, J, K, L, ours, printed
from proofs_numeric.special import gaussian_profile, log_normal_cdf
from proofs_numeric.verdict import Expectation

_BITS = 30


def _pair(A: Arithmetic, *, direction: str, **at: Any) -> Any:
    return pair_delta(A, **at, direction=direction, bits=_BITS)


def forward(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """Forward hockey stick of (l, j), to nine digits."""
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="forward")


def reverse(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """Reverse hockey stick of (l, j), to nine digits."""
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="reverse")


def forward_ceiling(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """``1 - (1 - A_l)(1 - HS(mu_j, epsilon))``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + (1 - new) * gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def forward_sum(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """``A_l + HS(mu_j, epsilon)``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def _low(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    """``log Phi_1(-epsilon - G)``."""
    return log_normal_cdf(A, (-epsilon - loss) / mu - mu / 2)


def _high(A: Arithmetic, *, epsilon: Any, loss: Any, mu: Any) -> Any:
    """``log(e^{-G} Phi_1(-epsilon + G))``."""
    return log_normal_cdf(A, (loss - epsilon) / mu - mu / 2) - loss


def _join(_A: Arithmetic, *, a: Any, g: Any) -> Any:
    return a + (1 - a) * g


def _join_less_sum(_A: Arithmetic, *, a: Any, g: Any) -> Any:
    return a + g - a * g


def _reverse_all_new(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=k, j=0, direction="reverse")


def _reverse_all_new_closed(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=k)
    return A.maximum(0, 1 - A.exp(epsilon) * (1 - new))


_PAIRS = Box(
    (
        replace(EPSILON, upper=5),
        replace(K, lower=2, upper=6),
        replace(SIGMA, lower="0.1", upper=1000),
        replace(GAP, lower=-10, upper=1000),
        replace(L, lower=1, upper=5),
        replace(J, upper=5),
    ),
    lambda *, k, l, j, **_rest: l < k and l + j <= k,
    "l < k and l + j <= k",
)
_BOX = Box((EPSILON, K, SIGMA, GAP))

CLAIMS = (
    Claim(
        id="lebeda2025.csh.exact",
        source=ours("Section 8 (open problem)"),
        title="exact delta of the correlated stability histogram",
        statement=r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        kind=DeltaBound(formula=exact_delta),
        domain=_BOX,
        assumptions=("k-sparse monotonic neighbours (Definition 9)", "the universe has at least k keys"),
        quantity=QuantityKind.DELTA,
        role=Role.EXACT,
        bracketed="where the certificate of sec3.cert fails and k > 16 the exact delta is known between two bounds",
        points=(
            {"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},
            {"epsilon": "0.349", "k": 51914, "sigma": "1116.683797699", "gap": "7005.638328965"},
            {"epsilon": 0, "k": 2, "sigma": 100000, "gap": 500000},
        ),
        note="an enclosure right in both regimes: max(A_k, G_k) where certified, else the searched forward pairs",
        max_examples=20,
    ),
    Claim(
        id="lebeda2025.sec8.open",
        source=printed("Section 8"),
        title="exact bounds for the mechanism: an open problem of the paper",
        statement=r"\text{it would be interesting to derive exact bounds for our mechanism as well}",
        kind=Editorial(
            printed="Theorem 12 is not tight; exact bounds are left open",
            corrected="lebeda2025.csh.exact computes them",
            reason="numerical, not closed form: O(k) for the certificate, O(k^2) pairs where it fails",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
    Claim(
        id="lebeda2025.sec3.reverse",
        source=ours("Section 3"),
        title="the reverse direction never exceeds the forward one",
        statement=r"\delta_{l,j}^{\leftarrow}(\epsilon) \le \delta_{l,j}^{\to}(\epsilon) \text{ for } \epsilon \ge 0",
        kind=Inequality(
            left=reverse,
            right=forward,
            proof=Proof(
                (
                    Trusted("1. L = log p'/p and T independent of L with one law under both; L is N(-+mu^2/2, mu^2)"),
                    Trusted("2. g = e^{-G(L)} given T, G >= 0 non-decreasing: Z's posterior mean does not fall with L"),
                    Trusted("3. at epsilon = 0 both directions are the total variation distance"),
                    Trusted("4. d(reverse - forward)/d eps = e^eps (P[L - G > eps] - P'[no new, L - G < -eps])"),
                    Trusted("5. P[L - G > eps] <= Phi_1(-eps - G_0), G_0 = G at the first root of x - G(x) = eps"),
                    Trusted("6. P'[no new, L - G < -eps] >= e^{-G_1} Phi_1(-eps + G_1), G_1 <= G_0"),
                    ByClaim("lebeda2025.sec3.reverse.hazard", "7. Phi_1(-eps - G) <= e^{-G} Phi_1(-eps + G)"),
                )
            ),
        ),
        domain=_PAIRS,
        note="so only the forward direction is searched",
        max_examples=12,
    ),
    Claim(
        id="lebeda2025.sec3.reverse.hazard",
        source=ours("Section 3"),
        title="the hazard inequality behind reverse <= forward",
        statement=r"\Phi(\tfrac{-\epsilon - G}{\mu} - \tfrac{\mu}{2}) \le"
        r" e^{-G} \Phi(\tfrac{-\epsilon + G}{\mu} - \tfrac{\mu}{2}) \text{ for } \epsilon, G \ge 0",
        kind=Inequality(
            left=_low,
            right=_high,
            proof=Proof(
                (
                    Trusted(
                        "with h = phi/Phi and y = -epsilon/mu - mu/2 the log of right over left is 0 at G = 0 and has "
                        "derivative (h(y + G/mu) + h(y - G/mu))/mu - 1 >= 0"
                    ),
                    Trusted("h is convex, so the bracket is at least 2 h(y); and h(y) >= -y >= mu/2 as epsilon >= 0"),
                )
            ),
        ),
        domain=Box(
            (
                EPSILON,
                replace(EPSILON, name="loss", description="G, what silence about new counters tells"),
                replace(SIGMA, name="mu", description="distance of the shared laws", unit="no unit"),
            )
        ),
    ),
    Claim(
        id="lebeda2025.sec3.cert",
        source=ours("Section 3"),
        title="the certificate: a forward pair is at most its two parts together",
        statement=r"\max(A_l, f(\mu_j, \epsilon)) \le \delta_{l,j}^{\to}(\epsilon) \le A_l + f(\mu_j, \epsilon)",
        kind=Inequality(
            left=forward,
            right=forward_sum,
            proof=Proof(
                (
                    ByClaim("lebeda2025.sec3.cert.sharp", "the sharper ceiling"),
                    SymbolicIdentity(
                        "the sharper ceiling is the sum less a product", _join, _join_less_sum, ("a", "g")
                    ),
                )
            ),
        ),
        domain=_PAIRS,
        note="with sec3.reverse: max(A_k, G_k) <= exact delta <= max(A_k, G_k, max_l [A_l + dg(k-l)])",
        max_examples=12,
    ),
    Claim(
        id="lebeda2025.sec3.cert.sharp",
        source=ours("Section 3"),
        title="the sharper certificate that csh.exact uses",
        statement=r"\delta_{l,j}^{\to}(\epsilon) \le 1 - (1 - A_l)(1 - f(\mu_j, \epsilon))",
        kind=Inequality(
            left=forward,
            right=forward_ceiling,
            proof=Proof(
                (
                    Trusted(
                        "g -> sup_S [g P'(S) - e^eps P(S)] is convex and 0 at g = 0, so at most g times its value at 1"
                    ),
                    Trusted("g falls and f(mu_1, eps - L_2) grows with the mean x: Chebyshev's association inequality"),
                )
            ),
        ),
        domain=_PAIRS,
        max_examples=12,
    ),
    Claim(
        id="lebeda2025.csh.exact.all_new",
        source=ours("Section 3"),
        title="the reverse direction of the all-new pair is not 0",
        statement=r"\delta_{k,0}^{\leftarrow}(\epsilon) = \max(0, 1 - e^\epsilon (1 - A_k))",
        kind=Identity(left=_reverse_all_new, right=_reverse_all_new_closed),
        domain=Box((replace(EPSILON, upper=5), K, SIGMA, GAP)),
        max_examples=40,
    ),
)
