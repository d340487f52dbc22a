"""The certificate and the exact delta as claims: what the analysis rests on besides reverse <= forward (reverse)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact_analysis import exact_delta
from proofs_numeric.lebeda2025.exact_pair import new_released, pair_delta, shared_mu
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.oracle import delta_by_definition
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, J, K, L, ours, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Identity, Inequality
from proofs_numeric.statements.proof import ByClaim, Proof, SymbolicIdentity, Trusted
from proofs_numeric.statements.verdict import Expectation

BITS = 30


def _pair(A: Arithmetic, *, direction: str, **at: Any) -> Any:
    return pair_delta(A, **at, direction=direction, bits=BITS)


def forward(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """Forward hockey stick of (l, j), to nine digits."""
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="forward")


def forward_ceiling(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """``1 - (1 - A_l)(1 - HS(mu_j, epsilon))``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + (1 - new) * gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def forward_sum(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any, l: int, j: int) -> Any:
    """``A_l + HS(mu_j, epsilon)``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def _join(_A: Arithmetic, *, a: Any, g: Any) -> Any:
    return a + (1 - a) * g


def _join_less_sum(_A: Arithmetic, *, a: Any, g: Any) -> Any:
    return a + g - a * g


def _reverse_all_new(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=k, j=0, direction="reverse")


def _reverse_all_new_closed(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=k)
    return A.maximum(0, 1 - A.exp(epsilon) * (1 - new))


PAIRS = Box(
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
        kind=DeltaBound(
            formula=exact_delta,
            oracle=delta_by_definition,
            oracle_points=(
                {"epsilon": "0.3", "k": 2, "sigma": 2, "gap": 3},
                {"epsilon": "0.3", "k": 1, "sigma": "1.5", "gap": 6},
                {"epsilon": 0, "k": 2, "sigma": "363109.174", "gap": "2320662.02"},
            ),
        ),
        domain=_BOX,
        assumptions=("k-sparse monotonic neighbours (Definition 9)", "the universe has at least k keys"),
        quantity=QuantityKind.DELTA,
        role=Role.EXACT,
        privacy=STABILITY_HISTOGRAM,
        bracketed="where the certificate of sec3.cert fails and k > 16 the exact delta is known between two bounds",
        points=(
            {"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},
            {"epsilon": "0.349", "k": 51914, "sigma": "1116.683797699", "gap": "7005.638328965"},
            {"epsilon": 0, "k": 2, "sigma": "363109.174", "gap": "2320662.02"},
            {"epsilon": 0, "k": 20, "sigma": 100000, "gap": 500000},
        ),
        note="an enclosure right in both regimes: max(A_k, G_k) where certified, else the searched forward pairs",
        cost=3,
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
        domain=PAIRS,
        note="with sec3.reverse: max(A_k, G_k) <= exact delta <= max(A_k, G_k, max_l [A_l + dg(k-l)])",
        cost=3,
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
        domain=PAIRS,
        cost=3,
    ),
    Claim(
        id="lebeda2025.csh.exact.all_new",
        source=ours("Section 3"),
        title="the reverse direction of the all-new pair is not 0",
        statement=r"\delta_{k,0}^{\leftarrow}(\epsilon) = \max(0, 1 - e^\epsilon (1 - A_k))",
        kind=Identity(left=_reverse_all_new, right=_reverse_all_new_closed),
        domain=Box((replace(EPSILON, upper=5), K, SIGMA, GAP)),
        cost=3,
    ),
)
