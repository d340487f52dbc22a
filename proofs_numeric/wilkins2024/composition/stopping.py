r"""The best adversary over several adaptive releases stops once: its value as one of optimal stopping, certified.

Three things can happen to a row of a release, to the value W of all later ones at the level y = e^epsilon:

    at the threshold, the user on the left:    1 - p + p W(epsilon + L),
    at the threshold, the user on the right:   W(epsilon - L),
    far above it, on either side:              E[W(epsilon - loss)],   loss ~ N(k^2/2, k^2).

Each is a mean that commutes with the others, and after rows at the threshold the level is known: to play them later
is no worse, for then one may still choose. So the adversary plays rows far above, and from some release on none. With
t releases of C_u rows left rows at the threshold, all on the side that the level's sign asks for, are worth

    g_t(epsilon) = 1 - p^(t C_u) min(1, e^epsilon),   g_0 = (1 - e^epsilon)_+,

and with single rows ``W_T(epsilon) = sup over tau <= T of E[g_(T - tau)(epsilon - loss_1 - ... - loss_tau)]``.

Blocks. ``1 - g_(t+s) = p^(s C_u) (1 - g_t)``, and the mean of ``min(1, e^level)`` does not grow: who stops within a
block of rows loses, by waiting for its end, no more than its rows at the threshold. So for blocks of n rows, W the
value of stopping at their ends and ``x = 1 - W``, x is at most ``p^-(n-1)`` times what single rows leave of 1.
Rows released together are rows with nothing seen between them; whole releases are blocks.

W is convex in y and does not grow. On an even grid of levels chords between values above it bound its mean from above,
and the values 1 - alpha - beta y of the tests that the adversary's plans are bound it from below. Masses are certified
in balls, and only nonnegative doubles are added up and multiplied.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import as_fraction, normal_cdf
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, Quoted
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Trusted, Unchecked
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.wilkins2024.composition.adaptive import RELEASES, TWICE, adaptive_bound, maximum_rule
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import C_U, EPSILON, GAP, MU_O, SIGMA, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import INTEGER_TAU, distance, loss_rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BLOCKS = 100
"""Blocks of releases: the bounds differ by a hundredth of what rows at the threshold do, and by the grid's."""
_CELLS = 20
"""Cells of the grid in a block's standard deviation; at most ``_COARSEST`` wide."""
_COARSEST = 0.1
_REACH = 10
"""Standard deviations of a block that the grid's sums reach; the mass beyond is bounded."""
_FAR = 20
"""Distance of all releases from which the bounds of :func:`adaptive_bound` and Theorem 5.4 do."""
_UP = 1 + 2.0**-52


def _ends(ball: Any) -> tuple[float, float]:
    """Doubles below and above it."""
    return math.nextafter(float(ball.lower()), -math.inf), math.nextafter(float(ball.upper()), math.inf)


def _all(balls: Any, side: int) -> Floats:
    """Nonnegative doubles below (side 0) or above (side 1)."""
    return np.array([max(0.0, _ends(ball)[side]) for ball in balls])


@dataclass(frozen=True)
class _Loss:
    """A block's loss on the grid: masses of where the level goes, by cells from ``-reach`` on.

    Attributes:
        chords: from above, what V at each level counts in the mean of its chords.
        P, Q: from below and from above, the two laws' masses of the cells about the levels.
        beyond: what P has beyond them all, from above.
    """

    reach: int
    chords: Floats
    P: Floats
    Q: Floats
    beyond: float

    @classmethod
    def of(cls, A: Ball, mu: Number, h: float) -> _Loss:
        spread, width = float(mu), A.number(Fraction(h))
        reach = math.ceil(spread / h * (_REACH + spread / 2)) + 1
        places = range(-2 * reach - 1, 2 * reach + 2)
        below = [[normal_cdf(A, d * width / 2 / mu + side * mu / 2) for d in places] for side in (1, -1)]
        (P, Q), (P_about, Q_about) = ([np.diff(np.array(x[i::2])) for x in below] for i in (1, 0))
        # A chord's share of its two ends: those with the mean of 1 and of the level, one under P and the other Q.
        step, y = A.expm1(width), np.array([A.exp(-d * width) for d in range(-reach, reach)])
        right = (Q * y - P) / step
        shares = np.append(P - right, A.number(0)) + np.append(A.number(0), right)
        beyond = 1 - below[0][-2] + below[0][1]
        return cls(reach, _all(shares, 1), _all(P_about, 0), _all(Q_about, 1), _ends(beyond)[1])

    def mean(self, masses: Floats, values: Floats, low: float) -> Floats:
        """Sums of nonnegative values by masses, ``low`` below the grid and the last value beyond it."""
        n = self.reach
        return np.convolve(np.concatenate([np.full(n, low), values, np.full(n, values[-1])]), masses[::-1], "valid")


def _stopped(
    A: Ball, *, epsilon: Any, rate: Any, square: Any, releases: int, c_u: int, blocks: int
) -> tuple[float, float]:
    """Doubles below and above W of stopping at the ends of blocks of releases."""
    size = -(-releases // blocks)
    count = -(-releases // size)
    first = releases - size * (count - 1)
    whole, block = (math.sqrt(float(square) * n * c_u) for n in (releases, size))
    h = min(block / _CELLS, _COARSEST)
    reach = 12 * whole + whole**2 / 2
    left, right = math.ceil(min(float(epsilon) + 6 * whole, reach) / h), math.ceil(5 * whole / h)
    levels = [epsilon + i * A.number(Fraction(h)) for i in range(-left, right + 1)]
    gone, y_up = _all([-A.expm1(level) for level in levels], 1), _all([A.exp(level) for level in levels], 1)
    negative = np.array([float(level) < 0 for level in levels])
    upper, c, s = gone, negative.astype(float), negative.astype(float)
    rows = 0
    for b in range(count):
        n = size if b < count - 1 else first
        if b in (0, count - 1):
            loss = _Loss.of(A, A.sqrt(square * n * c_u), h)
            up = _UP ** (4 * loss.reach + 8)  # above the rounding of a sum of so many terms
        rows += n * c_u
        # Rows at the threshold: from above g, from below its two lines.
        kept = A.exp(-rate * rows)
        named = 1 - kept
        g = (gone + np.minimum(1, y_up) * _ends(named)[1]) * _UP**4
        upper = np.maximum(loss.mean(loss.chords, upper, 1.0) * up + loss.beyond, g)
        c, s = loss.mean(loss.P, c, 1.0) / up, loss.mean(loss.Q, s, 1.0) * up
        stop_c, stop_s = np.where(negative, 1.0, max(0.0, _ends(named)[0])), np.where(negative, _ends(kept)[1], 0.0)
        stops = stop_c - stop_s * y_up > c - s * y_up
        c, s = np.where(stops, stop_c, c), np.where(stops, stop_s, s)
    value = A.number(Fraction(c[left])) - A.number(Fraction(s[left])) * A.exp(epsilon)
    return _ends(value)[0], float(upper[left])


@functools.lru_cache(maxsize=64)
def _bounds(
    epsilon: tuple[float, float],
    rate: tuple[float, float],
    square: tuple[float, float],
    releases: int,
    c_u: int,
    blocks: int,
) -> tuple[float, float]:
    """Doubles below and above the delta, of parameters between doubles."""
    with Ball(128) as A:
        level, loss, far = (A.interval(*map(Fraction, ends)) for ends in (epsilon, rate, square))
        low, high = _stopped(A, epsilon=level, rate=loss, square=far, releases=releases, c_u=c_u, blocks=blocks)
        late = -(-releases // blocks) * c_u - 1
        return low, _ends(1 - A.exp(-loss * late) * (1 - A.number(Fraction(high))))[1]


def stopping_value(
    A: Arithmetic,
    *,
    epsilon: Number,
    releases: int,
    c_u: int,
    sigma: Number,
    gap: Number,
    mu_o: Number,
    blocks: int = BLOCKS,
) -> Any:
    """Delta of T releases, neighbours chosen as one goes: exact for one, else a bracket; its lower end but in balls."""
    at: dict[str, Any] = {
        "epsilon": epsilon,
        "releases": releases,
        "c_u": c_u,
        "sigma": sigma,
        "gap": gap,
        "mu_o": mu_o,
    }
    if releases == 1:
        return maximum_rule(A, **at)
    with Ball(128) as B:
        real = {name: B.number(x if isinstance(A, Ball) else as_fraction(x)) for name, x in at.items()}
        real |= {"releases": releases, "c_u": c_u}
        low, high = maximum_rule(B, **real), adaptive_bound(B, **real)
        one = {"sigma": real["sigma"], "mu_o": real["mu_o"]}
        if distance(B, rows=releases * c_u, **one) < _FAR:
            ends = (real["epsilon"], loss_rate(B, sigma=one["sigma"], gap=real["gap"]), distance(B, rows=1, **one) ** 2)
            stopped = _bounds(*map(_ends, ends), releases, c_u, blocks)
            below, above = (B.number(Fraction(end)) for end in stopped)
            low, high = B.maximum(low, below), B.minimum(high, above)
        known = Fraction(_ends(low)[0]), Fraction(_ends(high)[1])
    return A.between(*map(A.number, known))


def by_choices(
    A: Arithmetic, *, epsilon: Number, releases: int, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    """The best of every number of rows at the threshold on either side, release after release; losses by nodes."""
    from scipy.stats import norm

    sigma, gap, level = float(sigma), float(gap), float(epsilon)
    squares, shown = 1 / sigma**2 + float(mu_o) ** 2, norm.sf(gap / sigma)
    reach = 9 * math.sqrt(releases * c_u * squares) + releases * c_u * squares
    edges = np.concatenate([np.linspace(-reach, 0, 61), np.linspace(0, level + reach, 61)[1:]])
    node, weight = np.polynomial.legendre.leggauss(8)
    half = np.diff(edges)[:, None] / 2
    u, du = (edges[:-1, None] + half * (1 + node)).ravel(), (half * weight).ravel()
    later = [np.maximum(0, -np.expm1(u))]

    def value(t: int, x: Any) -> Any:
        if t == 0:
            return np.maximum(0, -np.expm1(x))
        best = np.zeros_like(x)
        for at in range(c_u + 1):
            hidden = (1 - shown) ** at
            for user_left in (True, False):
                level_then = x - math.log(hidden) * (1 if user_left else -1)
                if at == c_u:
                    rest = value(t - 1, level_then)
                else:
                    k = math.sqrt((c_u - at) * squares)
                    rest = (
                        norm.pdf(u, level_then[:, None] - k * k / 2, k) @ (later[t - 1] * du)
                        + norm.cdf(-reach, level_then - k * k / 2, k)
                        + later[t - 1][-1] * norm.sf(level + reach, level_then - k * k / 2, k)
                    )
                best = np.maximum(best, 1 - hidden + hidden * rest if user_left else rest)
        return best

    for t in range(1, releases):
        later += [value(t, u)]
    return A.number(Fraction(float(value(releases, np.array([level]))[0])))


def _point(epsilon: str, releases: int, c_u: int, sigma: str, gap: str, mu_o: str = "0") -> dict[str, Value]:
    return {"epsilon": epsilon, "releases": releases, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}


EVERY_DAY = _point("1", 10**4, 1, "373.1", "2238")
"""Ten thousand releases, both deltas of the maximum rule 1e-5."""

CLAIMS = (
    Claim(
        id="wilkins2024.composition.adaptive.stopping",
        source=ours("Theorem 5.4, several releases"),
        title="Delta of T releases whose neighbours, either way round, are chosen as one goes: when to stop",
        statement=r"\delta_T=\sup_{\tau\le T}E[1-p^{T-\tau}\min(1,e^{\epsilon-X_\tau})],\ "
        r"X_\tau\sim N(\tau k^2/2,\tau k^2)\quad(C_u=1)",
        kind=DeltaBound(
            stopping_value,
            oracle=by_choices,
            oracle_points=(
                _point("1", 1, 3, "4", "13"),
                _point("0", 2, 1, "3", "4"),
                _point("1/5", 3, 1, "2", "4", "1/5"),
                _point("1", 2, 2, "4", "14"),
                {**TWICE, "releases": 4, "sigma": "4", "gap": "11.7"},
            ),
            proof=Derivation(
                (
                    Trusted(
                        DATA_PROCESSING,
                        "the hockey stick of all releases is the mean over the first of a convex function of its "
                        "likelihood ratio: rows near the threshold, post-processings of those far above, give no more, "
                        "nor do fewer rows",
                    ),
                    SymbolicIdentity(
                        "rows at the threshold commute with a mean over rows far above",
                        lambda _A, *, p, q, v, w: (1 - p) + p * (q * v + (1 - q) * w),
                        lambda _A, *, p, q, v, w: q * ((1 - p) + p * v) + (1 - q) * ((1 - p) + p * w),
                        ("p", "q", "v", "w"),
                        (),
                        "after them the level is known, and rows far above leave a choice: played first they are no "
                        "worse, so all rows at the threshold are the last ones",
                    ),
                    SymbolicIdentity(
                        "i of n rows at the threshold on the left, the others on the right, at a level >= 0",
                        lambda _A, *, a, b, y: (1 - a) + a * (1 - y / a * b),
                        lambda _A, *, a, b, y: 1 - y * b,
                        ("a", "b", "y"),
                        ("a",),
                        "a = p^i, b = p^(n-i): 1 - a + (a - y b)_+ is at most 1 - p^n min(1, y)",
                    ),
                    SymbolicIdentity(
                        "a block's rows more at the threshold",
                        lambda _A, *, p, q, m: 1 - (1 - p * q * m),
                        lambda _A, *, p, q, m: q * (1 - (1 - p * m)),
                        ("p", "q", "m"),
                        (),
                        "min(1, e^level) is concave in the likelihood ratio, a martingale: its mean does not grow, and "
                        "who waits for a block's end loses a factor p^(n-1) of 1 - W at most",
                    ),
                    Unchecked("several rows of a release are rows with nothing seen between them"),
                    Premise("wilkins2024.thm5.4", "one release"),
                    Premise("wilkins2024.composition.adaptive", "safe, and used where the distance is 20 or more"),
                )
            ),
        ),
        domain=Box(
            (
                replace(EPSILON, upper=20),
                replace(RELEASES, upper=10**4),
                replace(C_U, upper=1000),
                replace(SIGMA, lower=1, upper=10**5),
                replace(GAP, lower=0, upper=10**7),
                replace(MU_O, upper=1),
            )
        ),
        assumptions=(INTEGER_TAU, "the noise of a release is fresh"),
        quantity=QuantityKind.DELTA,
        falls=("epsilon", "gap"),
        rises=("releases", "c_u", "mu_o"),
        privacy=SPARSE_HISTOGRAM,
        points=(TWICE, _point("1", 1, 4, "4", "14"), EVERY_DAY),
        bracketed=f"from below the adversary stops after whole blocks of releases, {BLOCKS} at most, from above after "
        "any row: a block's rows at the threshold lie between, one per cent of all or C_u - 1 rows, and the grid's "
        "width squared",
        note="Where both deltas of the maximum rule are 0.0068 (mu = 1/2, epsilon = 1) it is 1.29 times that at T = 2, "
        "1.47 at T = 30 and 1.48 at T = 10^4; where both are 1e-5, 1.68 to 1.69 at T = 10^4.",
        cost=30,
        quoted=(Quoted("one key a user, ten thousand releases, of data that may follow earlier ones", EVERY_DAY),),
    ),
)
