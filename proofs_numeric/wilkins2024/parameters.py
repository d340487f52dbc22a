"""The parameters that the claims of the paper share, with their domains.

Domains are wide on purpose (sigma over 12 decades, a billion rows a user, epsilon up to 700): a formula that holds only
in the middle is found out at the corners.
"""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *

PROOF_OF_541 = "Proof of Corollary 5.4.1"

EPSILON = Parameter("epsilon", "privacy-loss level at which delta is evaluated", "nats", 0, log=True, searched=(0, 700))
EPSILON_REAL = replace(
    EPSILON, lower="-infinity", log=False, description="privacy-loss level of either sign", searched=(-700, 700)
)
DELTA = Parameter("delta", "target delta", "probability", 0, 1, log=True, open_lower=True, open_upper=True)
C_U = Parameter(
    "c_u", "most rows that one user touches, C_u", "rows", 1, integer=True, log=True, default=1, searched=(1, 10**9)
)
SIGMA = Parameter(
    "sigma", "standard deviation of the noise on counts", "counts", open_lower=True, log=True, default=1,
    searched=("1e-6", 10**6),
)  # fmt: skip
GAP = Parameter("gap", "tau* - tau: noisy threshold less integer lower threshold", "counts", "-infinity")
MU_O = Parameter(
    "mu_o", "Mahalanobis sensitivity of one row's other aggregates, mu_o of (5.1)", lower=0, log=True, default=0,
    searched=(0, 10**6),
)  # fmt: skip
MU = Parameter(
    "mu", "distance of the two Gaussians in noise standard deviations", log=True, open_lower=True, searched=(0, 10**6)
)
BROAD_MU = replace(MU, searched=("1e-3", 1000))
TAU = Parameter("tau", "lower threshold on the true count, an integer", unit="counts", lower=1, integer=True, default=1)
TAU_STAR = Parameter("tau_star", "threshold on the noisy count", "counts", "-infinity")
A_EQUAL = Parameter(
    "a_equal", "rows of the user at the lower threshold, a_=", "rows", integer=True, log=True, searched=(0, 10**9)
)
A_PLUS = replace(A_EQUAL, name="a_plus", description="rows of the user above the lower threshold, a_+")

epsilon, delta, mu, sigma, gap, mu_o, c_u = symbols("epsilon delta mu sigma gap mu_o c_u")
_LETTERS = {"c_u": "C_u", "a_equal": "a_=", "a_plus": "a_+", "tau_star": r"\tau^*", "rate": "L", "unit": "k"}
_paper = Paper("wilkins2024", {symbol(name): letter for name, letter in _LETTERS.items()})
printed, ours, stated, refuted = _paper.printed, _paper.ours, _paper.stated, _paper.refuted
own, uncheckable = _paper.own, _paper.uncheckable


def positive(**at: Formula) -> ByClaim:
    """That the Gaussian profile is positive, its level ``epsilon`` and distance ``mu`` being those ``at``."""
    return ByClaim("wilkins2024.thm2.2.positive", at)
