"""Why a delta moves one way in a parameter: the arguments that many claims share.

A delta is the largest hockey stick ``sum (p - e^epsilon q)_+`` of some pairs of laws, or a bound built of such.
"""

from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Derivation, Premise, Trusted, Unchecked, derived

EPSILON = derived(
    Premise(
        "lebeda2025.csh.exact.move",
        "with q = s q' and s >= 1: (p - e^epsilon q)_+ never grows with epsilon, so neither does a sum over outcomes, "
        "nor the largest sum of some pairs",
    )
)  # fmt: skip
"""Of a value that is itself the largest of hockey sticks."""


def by_channel(argument: str) -> Derivation:
    """Pairs of laws on one side of the move are post-processings of pairs on the other: how."""
    return derived(Trusted(DATA_PROCESSING, argument))


def by_profiles(argument: str) -> Derivation:
    """The value grows with Gaussian profiles f(mu, epsilon) and probabilities that it is built of: which move how."""
    return derived(
        Premise("wilkins2024.thm2.2.mono", "f grows with mu"),
        Premise("wilkins2024.sec7.mono", "f falls with epsilon"),
        Unchecked("values built of monotone profiles", argument),
    )


THRESHOLD = by_channel("a release at the higher threshold is one at the lower with the values below left out")
THINNED = by_channel(
    "a release at the smaller rate is one at the larger: every shown count is thinned, and shown if it still passes"
)
MIXED = by_channel(
    "at the smaller rate the laws of both neighbours are those at the larger rate, mixed with the law that ignores the "
    "client: a coin replaces the release by one without the client"
)
LAPLACE_ADDED = by_channel("Laplace noise of a larger scale is noise of the smaller scale and independent noise")
