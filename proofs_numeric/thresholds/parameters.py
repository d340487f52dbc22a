"""The parameters and symbols of claims about thresholded counts, and who their neighbours are."""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.neighbours import ByParameters

own = Paper("thresholds").own

epsilon, sigma, threshold, c_u, per_key = symbols("epsilon sigma threshold c_u per_key")
EPSILON = Parameter("epsilon", "privacy-loss level", "nats", 0, 50)
C_U = Parameter("c_u", "keys that one user changes", "keys", 1, 10**6, integer=True, log=True, default=1)
PER_KEY = Parameter("per_key", "most that one user changes one count", "counts", 1, 1000, integer=True, default=1)
SIGMA = Parameter("sigma", "parameter of the Gaussian noise, exp(-x^2/(2 sigma^2))", "counts", "0.1", 100, log=True)
THRESHOLD = Parameter("threshold", "least noisy count that is released", "counts", 1, 10**5, log=True)
INTEGER_THRESHOLD = replace(THRESHOLD, integer=True)


def above_move(*parameters: Parameter) -> Box:
    """With a threshold that a new key passes by its noise alone."""
    return Box(parameters, lambda **values: bool(values["threshold"] > values["per_key"]), "threshold > per_key")


adjacency = ByParameters(AddRemoveUser, {"c_u": "c_u", "per_key": "per_key"})
"""One user in at most `c_u` keys, at most `per_key` in each (1 and 1 where the claim fixes them)."""
