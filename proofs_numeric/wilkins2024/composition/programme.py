r"""The adversary's programme V_t over several adaptive releases, from below and from above.

V_t is convex and does not grow in ``y = e^epsilon``; it is 1 at y = 0, at least ``1 - y``. On an even grid of levels:

- from above, values; between them V_t is at most their chord, and the mean of a chord's pieces over the Gaussian loss
  is two differences of normal distribution functions;
- from below, lines ``constant + slope y`` that lie under V_t everywhere. If the adversary's next line is chosen by the
  loss alone, the one of the level nearest to that of the grid point, then the mean is a line in y again.

Every step is a convolution, and both stay on their sides: they differ by the square of the grid's width.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.convolution import convolved
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity, Trusted, Unchecked
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.wilkins2024.composition.adaptive import TWICE, one_look
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import C_U, EPSILON, GAP, MU_O, SIGMA, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import INTEGER_TAU, distance, loss_rate

_NEGLIGIBLE = 1e-40
_REACH = 9
"""Half the grid's width, in distances of all releases together."""


@dataclass(frozen=True)
class _Loss:
    """The loss of one release on the grid, by P and Q of ``level - loss < e_j``, ``i - j`` from low to high.

    Its masses in the cells, differences, are kept where either is above a negligible size; the others' sum is enclosed.
    """

    A: Arithmetic
    P: Any
    Q: Any
    first: int
    last: int

    @classmethod
    def of(cls, A: Arithmetic, P: Any, Q: Any) -> Self:
        seen = [i for i in range(len(P) - 1) if any(abs(float(_middle(x[i] - x[i + 1]))) > _NEGLIGIBLE for x in (P, Q))]
        return cls(A, P, Q, min(seen, default=0), max(seen, default=0) + 1)

    def mean(self, pieces: Any, side: Any, levels: int) -> Any:
        """Means of the pieces by the masses of P or Q, level by level."""
        A, n, window = self.A, len(pieces), side[self.first : self.last + 1]
        found = convolved(A, pieces, window[:-1] - window[1:])
        beyond = ((side[0] - window[0]) + (window[-1] - side[-1])) * A.maximum(*abs(pieces))
        places = range(n - 1 - self.first, n - 1 - self.first + levels)
        return np.array([found[t] if 0 <= t < len(found) else A.number(0) for t in places]) + A.between(-beyond, beyond)


@dataclass
class _Programme:
    """The grid ``epsilon + j h``, ``-m <= j <= m``, with V_t on it from both sides.

    Attributes:
        upper: values that V_t does not exceed.
        constants, slopes: lines that V_t is nowhere below, one a level.
        certain: V_t at an infinite level, ``1 - p^(t C_u)``.
    """

    A: Arithmetic
    c_u: int
    rate: Number
    h: Number
    y: Any
    losses: list[tuple[_Loss, _Loss]]
    upper: Any
    constants: Any
    slopes: Any
    certain: Number

    def step(self) -> None:
        """One release more: the best number of rows at the threshold, level by level."""
        y, tried = self.y, range(self.c_u + 1)
        rises = (self.upper[1:] - self.upper[:-1]) / (y[1:] - y[:-1])
        chords = self.upper[:-1] - rises * y[:-1], rises
        upper = [self._above(a, *chords) for a in tried]
        lines = [self._below(a) for a in tried]
        best = [max(tried, key=lambda a: float(_middle(lines[a][0][i] + lines[a][1][i] * y[i]))) for i in range(len(y))]
        self.constants, self.slopes = (np.array([lines[a][part][i] for i, a in enumerate(best)]) for part in (0, 1))
        self.upper = np.array([self.A.maximum(*values) for values in zip(*upper, strict=True)])
        self.certain = 1 - (1 - self.certain) * self.A.exp(-(self.c_u * self.rate))

    def _above(self, a: int, constants: Any, slopes: Any) -> Any:
        p, n = self.A.exp(-(a * self.rate)), len(self.y)
        y, first, last = self.y / p, (self.upper[0] - 1) / self.y[0], self.upper[-1]
        if a == self.c_u:
            cells = a * self.rate / self.h
            right = int(float(_middle(cells)))
            if not (cells >= right and cells <= right + 1):  # not known: the level below it has no less
                right, constants, slopes = max(0, right - 1), self.upper[:-1], 0 * slopes
            within = np.arange(n) + right < n - 1
            inner = [constants[i + right] + slopes[i + right] * y[i] for i in np.flatnonzero(within)]
            mean = np.array([*inner, *[last] * int(np.sum(~within))])
        else:
            loss, _nearest = self.losses[a]
            P, Q = loss.P, loss.Q
            ends = P[n - 1 :] + first * y * Q[n - 1 :] + last * (1 - P[:n])
            mean = ends + loss.mean(constants, P, n) + y * loss.mean(slopes, Q, n)
        return (1 - p) + p * mean

    def _below(self, a: int) -> tuple[Any, Any]:
        p, n = self.A.exp(-(a * self.rate)), len(self.y)
        if a == self.c_u:
            right = round(float(_middle(a * self.rate / self.h)))
            ends = [min(i + right, n - 1) for i in range(n)]
            constants, slopes = self.constants[ends], self.slopes[ends]
        else:
            # Half a cell to either side of a level: a difference of P is the mass of one.
            _between, loss = self.losses[a]
            P, Q = loss.P, loss.Q
            constants = P[n:] + loss.mean(self.constants, P, n) + self.certain * (1 - P[:n])
            slopes = loss.mean(self.slopes, Q, n) - Q[n:]
        return (1 - p) + p * constants, slopes


def _middle(value: Number) -> Any:
    return value.mid() if hasattr(value, "mid") else value


def programme(
    A: Arithmetic, *, epsilon: Number, releases: int, c_u: int, sigma: Number, gap: Number, mu_o: Number, half: int
) -> tuple[Any, Any]:
    """A number below V_T(epsilon) and one above it, on a grid of ``2 half + 1`` levels; they meet as it grows."""
    rate, at = loss_rate(A, sigma=sigma, gap=gap), {"sigma": sigma, "mu_o": mu_o}
    h = distance(A, rows=releases * c_u, **at) * _REACH / half
    y = np.array([A.exp(A.number(epsilon) + j * h) for j in range(-half, half + 1)])

    def losses(rows: int, shift: Number) -> tuple[_Loss, _Loss]:
        """P and Q at ``level = e_i + shift``, for i - j in whole steps and between them."""
        mu = distance(A, rows=rows, **at)
        offsets = [(d * h / 2 + shift) / mu for d in range(-4 * half - 1, 4 * half + 2)]
        P, Q = (np.array([normal_cdf(A, side * mu / 2 - x) for x in offsets]) for side in (1, -1))
        return _Loss.of(A, P[1::2], Q[1::2]), _Loss.of(A, P[::2], Q[::2])

    start = np.array([A.maximum(0, 1 - value) for value in y])
    below = [bool(value < 1) for value in y]
    found = _Programme(
        A,
        c_u,
        rate,
        h,
        y,
        losses=[losses(c_u - a, a * rate) for a in range(c_u)],
        upper=start,
        constants=np.array([A.number(int(left)) for left in below]),
        slopes=np.array([A.number(-int(left)) for left in below]),
        certain=A.number(0),
    )
    for _release in range(releases):
        found.step()
    return found.constants[half] + found.slopes[half] * y[half], found.upper[half]


def adaptive_value(A: Arithmetic, **parameters: Any) -> Any:
    """The upper end of :func:`programme`, on a grid fine enough for about a percent."""
    return programme(A, **parameters, half=_HALF)[1]


_HALF = 80

CLAIMS = (
    Claim(
        id="wilkins2024.composition.adaptive.value",
        source=ours("Theorem 5.4, several releases"),
        title="What an adversary attains over several releases, from above",
        statement=r"V_t(\epsilon)=\max_{a\le C_u}1-p^a+p^aE[V_{t-1}(\epsilon+aL-\text{loss}_{C_u-a})],\ "
        r"V_0(\epsilon)=(1-e^\epsilon)_+,\ \delta_T\le V_T",
        kind=DeltaBound(
            adaptive_value,
            exact=one_look,
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "two releases against the level are the second against the level less the first's loss",
                        lambda A, *, epsilon, p, q, rest, other: p * rest - A.exp(epsilon) * q * other,
                        lambda A, *, epsilon, p, q, rest, other: (
                            p * (rest - A.exp(epsilon - (A.log(p) - A.log(q))) * other)
                        ),
                        ("epsilon", "p", "q", "rest", "other"),
                        ("p", "q", "rest", "other"),
                        "so the hockey stick of all releases is the mean over the first of that of the rest; an "
                        "outcome of the left side alone counts 1",
                    ),
                    Trusted(
                        DATA_PROCESSING,
                        "that mean is an f-divergence of the first release, as V_(t-1) is convex in e^epsilon: rows "
                        "near the threshold, post-processings of those far above, give no more, nor do fewer rows",
                    ),
                    Unchecked(
                        "V_(t-1) is convex, the largest of sums of (p - e^epsilon q)_+, and so below the chords "
                        "between values above it, whose pieces are integrated"
                    ),
                )
            ),
        ),
        domain=Box(
            (
                replace(EPSILON, lower="1/100", upper=5),
                Parameter("releases", "number of releases, T", "releases", 1, 6, integer=True),
                replace(C_U, upper=2, log=False),
                replace(SIGMA, lower=1, upper=1000),
                replace(GAP, lower=0, upper=10**4),
                replace(MU_O, upper=1),
            )
        ),
        assumptions=(INTEGER_TAU, "the user is in the left histogram of every release"),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        falls=("epsilon", "gap"),
        privacy=SPARSE_HISTOGRAM,
        loose="by the square of the grid's width, about a percent; compared with an adversary who looks once, the best "
        "one for two releases of one row",
        points=(TWICE, {**TWICE, "releases": 4, "sigma": 4, "gap": "11.7"}),
        note="Where both deltas of the maximum rule are 1e-6 at epsilon = 1, V_T is 1.46 times them at T = 2 and 1.71 "
        "times at T = 30; it is never twice (wilkins2024.composition.adaptive).",
        cost=200,
    ),
)
