r"""Users who change at most m of k counters: no Gaussian covariance has less noise than one shared and own noises.

Noise with covariance S keeps the distance 1 if ``v^T S^-1 v <= 1`` for the indicator v of each set of at most m
counters; changes in [0, 1] are convex combinations of those. By a Schur complement the condition is ``S - v v^T >= 0``
(positive semidefinite): a convex set of S, which permutations of the counters keep. The mean of S over all
permutations is in it, with the same mean variance: ``S = s^2 ((1 - r) I + r J)``, J all ones, is as good. Its inverse
says ``v^T S^-1 v = (j - c j^2)/((1 - r) s^2)`` for j changes, with ``c = r/(1 + (k-1) r)``, so the variance needed is

    N(r) = max over j <= m of (j - c j^2)/(1 - r).

At r > 0 it is the N(gamma) of `sparse_users` at ``gamma = (1 - r)/r``; at r = 0 it is m, the limit of large gamma; at
r < 0 it is more than m: with ``c = -t`` all m changes are the worst, ``N = (m + t m^2) (1 + (k-1) t)/(1 + k t)``.

The result is about counters that are all released. Sums and count queries as in Joseph and Yu (COLT 2024), of which
public descriptions were read, not the paper, are the same problem.
"""

from typing import Any

from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.sparse_users import M, least_noise

_HERE = "Section 8 (open problem)"
m, more, t = symbols("m more t")
_others = m + more - 1
noise_of_opposed = (m + t * m**2) * (1 + _others * t) / (1 + (m + more) * t)
"""``N`` at c = -t, k = m + more: a counter's variance at distance 1, where counters have a negative correlation."""


def correlated_noise(A: Arithmetic, *, k: int, m: int, correlation: Number) -> Any:
    """``N(r)``: variance of a counter at distance 1 against changes of at most m; ``-1/(k-1) < r < 1``, 2 <= m <= k."""
    r = A.number(correlation)
    c = r / (1 + (k - 1) * r)
    turn = 1 / (2 * c) if c else A.number(m)
    near = float(turn) if c else m
    middle = int(min(m, near)) if near > 0 else m
    changes = {1, m, *(max(1, min(m, middle + step)) for step in (-1, 0, 1, 2))}
    return A.maximum(*(j - c * j * j for j in sorted(changes))) / (1 - r)


CLAIMS = (
    own(
        "sparse.covariance.opposed", _HERE, "a negative correlation needs more noise than independent counters",
        r"m \le \frac{(m + t m^2)(1 + (k-1)t)}{1 + kt}", m <= noise_of_opposed,
        proof=product_of(m * t / (1 + (m + more) * t), m - 1 + t * m * _others),
        domain=(
            Parameter("m", "most counters that a user changes", "counters", 1, "infinity"),
            Parameter("more", "k - m", "counters", 0, "infinity"),
            Parameter("t", "-r/(1 + (k-1) r), of the correlation r < 0", "", 0, "infinity"),
        ),
        quantity=QuantityKind.NONE,
    ),
    own(
        "sparse.covariance", _HERE, "no Gaussian covariance has less noise than own and shared noise",
        r"\min_\Sigma \{\tfrac1k \mathrm{tr} \Sigma: v^T\Sigma^{-1}v \le 1,\ v \in \{0,1\}^k,\ |v| \le m\} = "
        r"\min_\gamma N(\gamma) \le N(r)",
        algorithm(least_noise)() <= algorithm(correlated_noise)(),
        proof=derived(
            Unchecked(
                "mean over permutations",
                "v^T S^-1 v <= 1 says that S - v v^T is positive semidefinite (Schur complement), a convex condition "
                "that permutations keep: the mean of S over them fulfils it, with the same trace",
            ),
            Unchecked("invariant matrices", "a matrix that all permutations keep has one variance and one correlation"),
            Premise("lebeda2025.sparse.least", "a positive correlation, gamma = (1 - r)/r"),
            Premise("lebeda2025.sparse.covariance.opposed", "a negative one"),
        ),
        domain=Box(
            (
                Parameter("k", K.description, "counters", 2, 1000, integer=True),
                Parameter("m", M.description, "counters", 2, 1000, integer=True),
                Parameter("correlation", "r, of two counters' noise", "", "-1", "0.999"),
            ),
            lambda *, k, m, correlation: m <= k and correlation * (k - 1) > -1, "m <= k, (k - 1) r > -1",
        ),
        points=points("k m correlation", (5, 2, "-1/5"), (5, 5, "1/3"), (100, 10, "1/30"), (3, 2, 0)),
    ),
)  # fmt: skip
