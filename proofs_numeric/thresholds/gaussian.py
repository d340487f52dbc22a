"""Calibration of the Gaussian mechanism: epsilon for a delta, noise for both, as roots of the exact profile."""

from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.expression import claim
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.claim import Source
from proofs_numeric.wilkins2024.neighbours import GAUSSIAN
from proofs_numeric.wilkins2024.profile_roots import largest_distance, least_epsilon_at

epsilon, sigma, value = symbols("epsilon sigma value")
least_epsilon = algorithm(gaussian_epsilon)(mu=1 / sigma)
"""Least `epsilon >= 0` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1; 0 where delta is that large."""
least_sigma = 1 / algorithm(gaussian_mu)()
"""Least `sigma` with `f(1/sigma, epsilon) <= delta`, for sensitivity 1 and `epsilon >= 0`."""

SIGMA = Parameter("sigma", "noise standard deviation for sensitivity 1", lower="0.01", upper=10**4, log=True)
EPSILON = Parameter("epsilon", "privacy-loss level", "nats", 0, 700, log=True)
DELTA = Parameter("delta", "target delta", "probability", "1e-300", "0.999", log=True)
_SOURCE = Source("thresholds", "Gaussian mechanism, sensitivity 1", ours=True)

CLAIMS = (
    claim(
        "thresholds.gaussian.epsilon", _SOURCE, "Least epsilon of the Gaussian mechanism for a delta",
        r"\varepsilon = \min\{e \ge 0 : f(1/\sigma, e) \le \delta\}",
        Calibration(
            least_epsilon, profile(value, 1 / sigma), tight=False,
            by=Achieved("wilkins2024.thm2.2", {"epsilon": value, "mu": 1 / sigma}),
        ),
        proof=least_epsilon_at(1 / sigma, Hypothesis()), domain=Box((SIGMA, DELTA)), quantity=QuantityKind.EPSILON,
        falls=("delta", "sigma"), privacy=GAUSSIAN,
        loose="where delta exceeds f(1/sigma, 0) the least epsilon is 0 and achieves less than delta",
    ),
    claim(
        "thresholds.gaussian.sigma", _SOURCE, "Least noise of the Gaussian mechanism for (epsilon, delta)",
        r"\sigma = \min\{s > 0 : f(1/s, \varepsilon) \le \delta\}",
        Calibration(
            least_sigma, profile(epsilon, 1 / value),
            by=Achieved("wilkins2024.thm2.2", {"mu": 1 / value}, lower=0, open_lower=True),
        ),
        proof=largest_distance(Both(Hypothesis(), Hypothesis())), domain=Box((EPSILON, DELTA)),
        quantity=QuantityKind.SCALE, falls=("epsilon", "delta"), privacy=GAUSSIAN,
    ),
)  # fmt: skip
