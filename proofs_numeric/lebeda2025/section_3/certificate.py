"""The certificate: a forward pair is at most its two parts together."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.analysis import ceiling
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_mu, worst_among
from proofs_numeric.lebeda2025.laws import PAIR, mixed, of_pair, positive, profile_at, silent_loss
from proofs_numeric.lebeda2025.lemma_8 import worst_change_is
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, J, K, L, j, k, l, own, sigma
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import AtMost, DeltaBound
from proofs_numeric.statements.shared import ASSOCIATED
from proofs_numeric.statements.tactics import Maximum, Part, Product, Sign, Sum, Symbolic, Tactic

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


def _released_alone(A: Arithmetic, *, k: int, sigma: Number, gap: Number, l: int, **_rest: Any) -> Any:
    return new_released(A, k=k, sigma=A.number(sigma), gap=A.number(gap), l=l)


def _changed_alone(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, l: int, j: int, **_gap: Any) -> Any:
    return gaussian_profile(A, A.number(epsilon), shared_mu(A, k=k, sigma=A.number(sigma), d=k - l, j=j))


def _both(positive: Tactic) -> Product:
    """What the sum has above the ceiling: the product of the two."""
    return Product((Part(_released_alone), Part(_changed_alone, positive)))


def square_of_pair(A: Arithmetic, *, k: int, sigma: Number, l: int, j: int, **_rest: Any) -> Any:
    """``mu_(l,j)^2``."""
    return shared_mu(A, k=k, sigma=A.number(sigma), d=k - l, j=j) ** 2


def worst_of_pair(A: Arithmetic, *, k: int, l: int, j: int, **at: Any) -> Any:
    """The largest ``mu_(l,j)^2`` of any j."""
    del j
    return square_of_pair(A, k=k, l=l, j=worst_among(A, k=k, d=k - l), **at)


WORST_OF_PAIR = worst_change_is(k - l, k, j, 1 / sigma**2)
"""That it is."""
_WORST_PROFILE = Part(profile_at(worst_of_pair), positive(worst_of_pair))
_SILENT = Part(lambda A, **at: A.exp(-silent_loss(A, **at)))
_RISE = Part(lambda A, *, epsilon, **_rest: A.expm1(A.number(epsilon)))


def _above_loss(A: Arithmetic, **at: Any) -> Any:
    return _WORST_PROFILE.formula(A, **at) + _RISE.formula(A, **at)


_NOTHING_CHANGED = Maximum(
    (
        Part(zero, Product((_SILENT, _WORST_PROFILE))),
        Part(
            lambda A, **at: -_RISE.formula(A, **at), Product((_SILENT, Part(_above_loss, Sum((_WORST_PROFILE, _RISE)))))
        ),
    ),
    inside=True,
)
"""``1 - e^-loss (1 - (1 - e^epsilon)_+)`` is less where epsilon >= 0."""


def _ceiling(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    del j
    epsilon, sigma, gap = (A.number(real) for real in (epsilon, sigma, gap))
    return ceiling(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, d=k - l)


BESIDE = AtMost(lambda A, *, l, j, **_rest: l + A.maximum(1, j), lambda A, *, k, **_rest: A.number(k))
"""Some counter is shared, and of those j."""
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
    own(
        "sec3.cert", "Section 3", "the certificate: a forward pair is at most its two parts together",
        r"\max(A_l, f(\mu_j, \epsilon)) \le \delta_{l,j}^{\to}(\epsilon) \le A_l + f(\mu_j, \epsilon)",
        DeltaBound(
            forward_sum, exact=forward, pairs=PAIR, proof=of_pair(_both(positive(square_of_pair)), _both(Sign())),
        ),
        domain=PAIRS, role=Role.UPPER,
        note="with sec3.reverse: max(A_k, G_k) <= exact delta <= max(A_k, G_k, max_l [A_l + dg(k-l)])", cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec3.cert.sharp", "Section 3", "the sharper certificate",
        r"\delta_{l,j}^{\to}(\epsilon) \le 1 - (1 - A_l)(1 - f(\mu_j, \epsilon))",
        DeltaBound(forward_ceiling, exact=forward, pairs=PAIR, proof=of_pair(Symbolic(), Symbolic())), domain=PAIRS,
        role=Role.UPPER, cost=3, quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec3.cert.ceiling", "Section 3", "no pair is above its ceiling, whatever changes",
        r"\delta_{l,j}^{\to}(\epsilon) \le 1 - (1 - A_l)(1 - dg(k - l; \epsilon))",
        DeltaBound(
            _ceiling, exact=forward, pairs=PAIR,
            proof=of_pair(mixed(silent_loss, square_of_pair, worst_of_pair, WORST_OF_PAIR), _NOTHING_CHANGED),
        ),
        domain=Box(
            (
                EPSILON, K, replace(SIGMA, lower=0, upper="infinity", open_lower=True), GAP,
                replace(L, lower=1, log=True), replace(J, log=True),
            ),
            BESIDE, "l < k and l + j <= k",
        ),
        role=Role.UPPER, note="where none is above max(A_k, G_k), csh.exact is that", cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "sec3.cert.association", "Section 3",
        "Of functions that rise and fall the mean of the product is at most the product of the means",
        r"\sum_i w_i \sum_i w_i f_i g_i \le \sum_i w_i f_i \sum_i w_i g_i,\ f_i \le f_{i+1},\ g_i \ge g_{i+1},\ w_i "
        r"\ge 0",
        ASSOCIATED,
        note="Chebyshev's association inequality, by covariances: f and g are measured from their last values.",
    ),
)  # fmt: skip
