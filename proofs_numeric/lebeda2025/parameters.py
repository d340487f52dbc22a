"""The words that the claims are written in: the vocabulary, and the parameters that they share, with their domains."""

from proofs_numeric.expression.vocabulary import *

EPSILON = Parameter("epsilon", "privacy-loss level at which delta is evaluated", "nats", 0, log=True, searched=(0, 700))
DELTA = Parameter("delta", "target delta", "probability", 0, 1, log=True, open_lower=True, open_upper=True)
K = Parameter("k", "sparsity bound on every histogram", "counters", 1, integer=True, log=True, searched=(1, 10**6))
K_SMALL = replace(K, upper=64)
SIGMA = Parameter(
    "sigma", "standard deviation of the noise of one counter, Z_i", "counts", open_lower=True, log=True,
    searched=("1e-6", 10**6),
)  # fmt: skip
GAP = Parameter(
    "gap", "tau: distance of the threshold on noisy counts above 1 (above the lower threshold, if there is one)",
    "counts", "-infinity", "infinity",
)  # fmt: skip
SMALL_SIGMA = Parameter("sigma", "noise parameter", "counts", "0.1", 100, log=True)
SMALL_GAP = replace(GAP, lower=0, upper=2000)
L = Parameter("l", "counters that are non-zero under one neighbour only", "counters", integer=True, searched=(0, 10**6))
J = replace(L, name="j", description="shared counters that change")
DIRECTION = Parameter(
    "direction",
    "forward: the neighbour with the larger counts comes first in P(S) - e^epsilon Q(S); reverse: it comes second",
    choices=("forward", "reverse"),
)

epsilon, delta, k, sigma, gap, l, j = symbols("epsilon delta k sigma gap l j")
NOTATION = {gap: r"\tau"}
_paper = Paper("lebeda2025", NOTATION)
own, stated, refuted, uncheckable = _paper.own, _paper.stated, _paper.refuted, _paper.uncheckable
SPARSE_MONOTONIC = "k-sparse monotonic neighbours (Definition 9)"
ENOUGH_KEYS = "the universe has at least k keys"
