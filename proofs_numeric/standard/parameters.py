"""Parameters of the standard mechanisms, and how claims about them are declared."""

from proofs_numeric.expression.vocabulary import *

EPSILON = Parameter("epsilon", "privacy-loss level", "nats", 0, 700, log=True)
EPSILON_0 = Parameter("epsilon_0", "epsilon of one mechanism", "nats", "1e-4", 20, log=True)
DELTA_0 = Parameter("delta_0", "delta of one mechanism", "probability", 0, "0.5", log=True)
SIGMA = Parameter("sigma", "standard deviation of the noise", "sensitivities", "0.05", 10**5, log=True)
SCALE = Parameter("scale", "scale b of the noise, exp(-|x|/b)", "sensitivities", "0.05", 10**4, log=True)
K = Parameter("k", "number of releases", "releases", 1, 10**5, integer=True, log=True, default=1)
SENSITIVITY = Parameter(
    "sensitivity", "most that one user changes the count", "counts", 1, 100, integer=True, default=1
)
NARROW = Parameter("sigma", "parameter of the noise, exp(-x^2/(2 sigma^2))", "counts", "0.1", 200, log=True)
CATEGORIES = Parameter("categories", "possible answers", "answers", 2, 10**6, integer=True, log=True, default=2)
ETA = Parameter("eta", "largest loss less smallest", "nats", "1e-6", 100, log=True)
RATE = Parameter("rate", "probability with which a record is in the sample", "probability", "1e-6", 1, log=True)
FAR = 120
"""Scales beyond which no mass is summed by a definition: e^-120 of a Laplace law, far less of a Gaussian one."""

epsilon, epsilon_0, delta_0, sigma, scale, k = symbols("epsilon epsilon_0 delta_0 sigma scale k")
categories, eta, rate, alpha, rho = symbols("categories eta rate alpha rho")
own = Paper("standard").own


def laplace_weight(A: Arithmetic, x: Number, scale: Number) -> Number:
    """Density of Laplace noise up to a factor."""
    return A.exp(-abs(x) / scale)
