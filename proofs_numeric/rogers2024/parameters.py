"""The parameters that the claims of the paper share, with their domains.

``epsilon`` is the noise parameter of the paper's algorithms (scale = delta_inf / epsilon) wherever a threshold or a
rho is meant; the ``*.profile`` claims, which speak of the privacy profile, name the noise by its scale instead and
keep ``epsilon`` for the point of the profile.
"""

from fractions import Fraction

from proofs_numeric.expression.vocabulary import *

PAPER = "rogers2024"

EPSILON = Parameter(
    "epsilon", "noise parameter: scale = delta_inf / epsilon", unit="nats", lower=0, open_lower=True, log=True,
    searched=(0, 700),
)  # fmt: skip
LEVEL = Parameter("epsilon", "privacy-loss level of the profile", unit="nats", lower=0, upper=700, log=True)
DELTA = Parameter(
    "delta", "failure probability", unit="probability", lower=0, upper=1, open_lower=True, open_upper=True, log=True
)
DELTA_LINEAR = Parameter(
    "delta", "failure probability", unit="probability", lower=0, upper=1, open_lower=True, open_upper=True
)
DELTA_PRIME = Parameter(
    "delta_prime", "delta' of the conversion", unit="probability", lower=0, upper=1, open_lower=True, log=True
)
DELTA_0 = Parameter(
    "delta_0", "most labels one user changes", unit="labels", lower=1, upper=10**9, integer=True, log=True, default=1
)
DELTA_INF = Parameter(
    "delta_inf", "most by which one count changes", unit="counts", lower=1, upper=10**9, integer=True, log=True,
    default=1,
)  # fmt: skip
K_BAR = Parameter(
    "k_bar", "number of items the data system returns", unit="items", lower=1, upper=10**9, integer=True, log=True
)
K = Parameter("k", "number of items released", unit="items", lower=1, upper=10**6, integer=True, log=True, default=1)
ROUNDS = Parameter("L", "length of the stream", unit="rounds", lower=1, upper=2**60, integer=True, log=True)
RHO = Parameter("rho", "concentrated privacy loss", unit="nats", lower=0, upper=10**6, open_lower=True, log=True)
ALPHA = Parameter(
    "alpha", "Renyi order (lambda in print)", lower=1, open_lower=True, log=True, default=2, searched=(1, 10**4)
)
THETA = Parameter(
    "theta", "mass of the outcome with the larger ratio", lower=0, upper=1, open_lower=True, open_upper=True,
    default=Fraction(1, 2),
)  # fmt: skip
SIGMA = Parameter(
    "sigma", "standard deviation of the noise", unit="counts", lower="1e-6", upper=10**6, log=True, default=1
)
SCALE = Parameter("b", "scale of the Laplace noise", unit="counts", lower="1e-6", upper=10**6, log=True, default=1)
BETA = Parameter("beta", "scale of the Gumbel noise", unit="counts", lower="1e-6", upper=10**6, log=True, default=1)
COORDINATE = Box(
    (
        Parameter("x", "coordinate of the outcome, in scales of the noise", lower="-infinity", searched=(-20, 20)),
        Parameter("d", "move of the coordinate, in scales of the noise", lower="-infinity", searched=(-20, 20)),
    )
)
"""Of one coordinate of an outcome: where it is, and how far apart the neighbours' are there."""

epsilon, delta, delta_prime, delta_0, delta_inf = symbols("epsilon delta delta_prime delta_0 delta_inf")
alpha, beta, b, sigma, rho, k_bar, k, l_star, k_star = symbols("alpha beta b sigma rho k_bar k l_star k_star")
NOTATION = {
    epsilon: r"\varepsilon", delta_prime: r"\delta'", delta_0: r"\Delta_0", delta_inf: r"\Delta_\infty",
    k_bar: r"\bar k", l_star: r"\ell^*", k_star: "k^*", symbol("delta_first"): r"\delta_1",
    symbol("delta_second"): r"\delta_2",
}  # fmt: skip
_paper = Paper(PAPER, NOTATION)
ours, stated, refuted, own, uncheckable = _paper.ours, _paper.stated, _paper.refuted, _paper.own, _paper.uncheckable
