"""The certificate: a forward pair is at most its two parts together."""

from proofs_numeric.lebeda2025.exact.pair import forward, new_released, shared_delta, shared_mu, worst_among
from proofs_numeric.lebeda2025.laws import PAIR, mixed, of_pair, positive, silent_loss
from proofs_numeric.lebeda2025.lemma_8 import worst_change_is
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.shared import ASSOCIATED

_changed_alone = profile(epsilon, shared_mu(d=k - l))
forward_ceiling = new_released + (1 - new_released) * _changed_alone
"""``1 - (1 - A_l)(1 - HS(mu_j, epsilon))``."""
forward_sum = new_released + _changed_alone
"""``A_l + HS(mu_j, epsilon)``."""


def _both(positive: Tactic) -> Product:
    """What the sum has above the ceiling: the product of the two."""
    return product_of(new_released, (_changed_alone, positive))


square_of_pair = shared_mu(d=k - l) ** 2
"""``mu_(l,j)^2``."""
worst_of_pair = square_of_pair(j=worst_among(d=k - l))
"""The largest ``mu_(l,j)^2`` of any j."""
WORST_OF_PAIR = worst_change_is(k - l, k, j, 1 / sigma**2)
"""That it is."""
WORST_PROFILE = part((profile(epsilon, sqrt(worst_of_pair)), positive(worst_of_pair)))
_silent, _rise = exp(-silent_loss), expm1(epsilon)
_NOTHING_CHANGED = largest_of(
    (zero, product_of(_silent, WORST_PROFILE)),
    (-_rise, product_of(_silent, (WORST_PROFILE.formula + _rise, sum_of(WORST_PROFILE, _rise)))), inside=True
)  # fmt: skip
"""``1 - e^-loss (1 - (1 - e^epsilon)_+)`` is less where epsilon >= 0."""
BESIDE = at_most(l + maximum(1, j), k)
"""Some counter is shared, and of those j."""
PAIRS = Box(
    (
        replace(EPSILON, upper=5), replace(K, lower=2, upper=6), replace(SIGMA, lower="0.1", upper=1000),
        replace(GAP, lower=-10, upper=1000), replace(L, lower=1, upper=5), replace(J, upper=5),
    ),
    lambda *, k, l, j, **_rest: l < k and l + j <= k, "l < k and l + j <= k",
)  # fmt: skip

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
            new_released + (1 - new_released) * shared_delta(d=k - l), exact=forward, pairs=PAIR,
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
