"""The certificate: a forward pair is at most its two parts together."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_mu
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, J, K, L, ours
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import Inequality, Recurrence
from proofs_numeric.statements.tactics import Steps

BITS = 30


def _pair(A: Arithmetic, *, direction: str, **at: Any) -> Any:
    return pair_delta(A, **at, direction=direction, bits=BITS)


def forward(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    """Forward hockey stick of (l, j), to nine digits."""
    return _pair(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="forward")


def forward_ceiling(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    """``1 - (1 - A_l)(1 - HS(mu_j, epsilon))``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + (1 - new) * gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def forward_sum(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    """``A_l + HS(mu_j, epsilon)``."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l)
    return new + gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


def _join(_A: Arithmetic, *, a: Number, g: Number) -> Number:
    return a + (1 - a) * g


def _join_less_sum(_A: Arithmetic, *, a: Number, g: Number) -> Number:
    return a + g - a * g


_ASSOCIATED = Recurrence(
    state=Box(
        tuple(
            Parameter(name, meaning)
            for name, meaning in (
                ("mass", "sum of the weights"),
                ("lag", "sum of w times how far f is below its last value"),
                ("lead", "sum of w times how far g is above its last value"),
                ("joint", "sum of w times both"),
            )
        )
    ),
    given=Box(
        (
            Parameter("weight", "w of the next place"),
            Parameter("rise", "of f up to there"),
            Parameter("fall", "of g up to there"),
        )
    ),
    start=dict.fromkeys(("mass", "lag", "lead", "joint"), zero),
    step={
        "mass": lambda A, *, mass, weight, **_rest: A.number(mass) + weight,
        "lag": lambda A, *, lag, mass, rise, **_rest: A.number(lag) + A.number(rise) * mass,
        "lead": lambda A, *, lead, mass, fall, **_rest: A.number(lead) + A.number(fall) * mass,
        "joint": lambda A, *, joint, lag, lead, mass, rise, fall, **_rest: (
            A.number(joint) + A.number(rise) * lead + A.number(fall) * lag + A.number(rise) * fall * mass
        ),
    },
    left=lambda A, *, lag, lead, **_rest: A.number(lag) * lead,
    right=lambda A, *, mass, joint, **_rest: A.number(mass) * joint,
    proof=Steps(),
)


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


CLAIMS = (
    Claim(
        id="lebeda2025.sec3.cert",
        source=ours("Section 3"),
        title="the certificate: a forward pair is at most its two parts together",
        statement=r"\max(A_l, f(\mu_j, \epsilon)) \le \delta_{l,j}^{\to}(\epsilon) \le A_l + f(\mu_j, \epsilon)",
        kind=Inequality(
            left=forward,
            right=forward_sum,
            proof=Derivation(
                (
                    Premise("lebeda2025.sec3.cert.sharp", "the sharper ceiling"),
                    SymbolicIdentity(
                        "the sharper ceiling is the sum less a product", _join, _join_less_sum, ("a", "g")
                    ),
                )
            ),
        ),
        domain=PAIRS,
        note="with sec3.reverse: max(A_k, G_k) <= exact delta <= max(A_k, G_k, max_l [A_l + dg(k-l)])",
        cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.sec3.cert.sharp",
        source=ours("Section 3"),
        title="the sharper certificate that csh.exact uses",
        statement=r"\delta_{l,j}^{\to}(\epsilon) \le 1 - (1 - A_l)(1 - f(\mu_j, \epsilon))",
        kind=Inequality(
            left=forward,
            right=forward_ceiling,
            proof=Derivation(
                (
                    Unchecked(
                        "g -> sup_S [g P'(S) - e^eps P(S)] is convex and 0 at g = 0, so at most g times its value at 1"
                    ),
                    Premise(
                        "lebeda2025.sec3.cert.association",
                        "g falls and f(mu_1, eps - L_2) grows with the mean x: the mean of their product, an integral "
                        "that such sums come near to, is at most the product of their means",
                    ),
                )
            ),
        ),
        domain=PAIRS,
        cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.sec3.cert.association",
        source=ours("Section 3"),
        title="Of functions that rise and fall the mean of the product is at most the product of the means",
        statement=r"\sum_i w_i \sum_i w_i f_i g_i \le \sum_i w_i f_i \sum_i w_i g_i,\ "
        r"f_i \le f_{i+1},\ g_i \ge g_{i+1},\ w_i \ge 0",
        kind=_ASSOCIATED,
        note="Chebyshev's association inequality, by covariances: f and g are measured from their last values.",
    ),
)
