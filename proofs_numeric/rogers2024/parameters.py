"""The parameters that the claims of the paper share, with their domains.

``epsilon`` is the noise parameter of the paper's algorithms (scale = delta_inf / epsilon) wherever a threshold or a
rho is meant; the ``*.profile`` claims, which speak of the privacy profile, name the noise by its scale instead and
keep ``epsilon`` for the point of the profile.
"""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.expression.vocabulary import *

PAPER = "rogers2024"

EPSILON = Parameter(
    "epsilon", "noise parameter: scale = delta_inf / epsilon", "nats", open_lower=True, log=True, searched=(0, 700)
)
LEVEL = Parameter("epsilon", "privacy-loss level of the profile", "nats", upper=700, log=True)
DELTA = Parameter("delta", "failure probability", "probability", upper=1, log=True, open_lower=True, open_upper=True)
DELTA_LINEAR = replace(DELTA, log=False)
DELTA_PRIME = replace(DELTA, name="delta_prime", description="delta' of the conversion", open_upper=False)
DELTA_0 = Parameter("delta_0", "most labels one user changes", "labels", 1, 10**9, integer=True, log=True, default=1)
DELTA_INF = replace(DELTA_0, name="delta_inf", description="most by which one count changes", unit="counts")
K_BAR = Parameter("k_bar", "number of items the data system returns", "items", 1, 10**9, integer=True, log=True)
K = Parameter("k", "number of items released", "items", 1, 10**6, integer=True, log=True, default=1)
ROUNDS = Parameter("L", "length of the stream", "rounds", 1, 2**60, integer=True, log=True)
ELL_STAR = replace(K, name="l_star", description="number of top-k queries", unit="queries")
K_STAR = replace(K, name="k_star", description="entries that may be printed in all, bottom included", unit="entries")
RHO = Parameter("rho", "concentrated privacy loss", "nats", upper=10**6, open_lower=True, log=True)
ALPHA = Parameter(
    "alpha", "Renyi order (lambda in print)", lower=1, open_lower=True, log=True, default=2, searched=(1, 10**4)
)
THETA = Parameter(
    "theta", "mass of the outcome with the larger ratio", upper=1, open_lower=True, open_upper=True,
    default=Fraction(1, 2),
)  # fmt: skip
SIGMA = Parameter("sigma", "standard deviation of the noise", "counts", "1e-6", 10**6, log=True, default=1)
SCALE, BETA = (
    replace(SIGMA, name=name, description=f"scale of the {noise} noise")
    for name, noise in (("b", "Laplace"), ("beta", "Gumbel"))
)
COORDINATE = Box(
    tuple(
        Parameter(name, f"{what}, in scales of the noise", lower="-infinity", searched=(-20, 20))
        for name, what in (("x", "coordinate of the outcome"), ("d", "move of the coordinate"))
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
