r"""The best adversary over several adaptive releases: of one kind it stops once, of several it looks at each.

Three things can happen to a row of a release, to the value W of all later ones at the level y = e^epsilon:

    at the threshold, the user on the left:    1 - p + p W(epsilon + L),
    at the threshold, the user on the right:   W(epsilon - L),
    far above it, on either side:              E[W(epsilon - loss)],   loss ~ N(k^2/2, k^2).

Where all releases are of one kind rows at the threshold may be played later: the three commute, and after rows at the
threshold the level is known. So the adversary plays rows far above, and from some release on none. With t releases of
C_u rows left rows at the threshold, all on the side that the level's sign asks for, are worth

    g_t(epsilon) = 1 - p^(t C_u) min(1, e^epsilon),   g_0 = (1 - e^epsilon)_+,

and with single rows ``W_T(epsilon) = sup over tau <= T of E[g_(T - tau)(epsilon - loss_1 - ... - loss_tau)]``. Releases
of several kinds have their order, and the adversary may play both kinds of row again and again. Whoever may choose the
order, too, takes that of ``L / k^2`` and stops once. The numbers are `game.value`'s.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.special import as_fraction, gaussian_profile
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.wilkins2024.composition import game
from proofs_numeric.wilkins2024.composition.adaptive import RELEASES, TWICE, maximum_rule, of_releases
from proofs_numeric.wilkins2024.composition.fixed import THREE_KINDS, point_of_kinds
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import INTEGER_TAU, distance, loss_rate

_FAR = 20
_APART = 2.0**-20
"""The bounds of ``wilkins2024.composition.adaptive`` and its two ends do from this distance of all releases on, and no
further apart than this share."""

Release = tuple[int, Number, Number, Number]
"""Rows, sigma, gap and mu_o."""


def adaptive_value(
    A: Arithmetic, epsilon: Number, runs: Iterable[tuple[int, Release]], *, any_order: bool = False
) -> Any:
    """Delta of so many releases of a kind after so many of another, neighbours chosen as one goes.

    Exact where there is one release in all, else a bracket; its lower end but in balls.

    Args:
        A: the arithmetic.
        epsilon: the level, >= 0 (nats).
        runs: numbers of releases >= 1 and their parameters.
        any_order: the adversary takes the releases in the order it likes.

    """
    runs = list(runs)
    if [times for times, _release in runs] == [1]:
        ((_once, (c_u, sigma, gap, mu_o)),) = runs
        return maximum_rule(A, epsilon=epsilon, releases=1, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    with Ball(128) as B:

        def real(x: Number) -> Any:
            return B.number(x if isinstance(A, Ball) else as_fraction(x))

        level, rows = real(epsilon), []
        loss = square = B.number(0)
        for times, (c_u, sigma, gap, mu_o) in runs:
            noise = {"sigma": real(sigma), "mu_o": real(mu_o)}
            rate, mu = loss_rate(B, sigma=noise["sigma"], gap=real(gap)), distance(B, rows=1, **noise)
            loss, square = loss + times * c_u * rate, square + times * c_u * mu * mu
            rows.append((times, game.Rows(c_u, game.ends(rate), game.ends(mu * mu))))
        profile = gaussian_profile(B, level, B.sqrt(square))
        low = B.maximum(-B.expm1(-loss), profile)
        high = -B.expm1(-loss) + B.exp(-loss) * profile
        if square < _FAR**2 and not high <= low * (1 + _APART):
            below, above = game.value(game.ends(level), tuple(rows), any_order)
            low, high = B.maximum(low, B.number(Fraction(below))), B.minimum(high, B.number(Fraction(above)))
        bounds = Fraction(game.ends(low)[0]), Fraction(game.ends(high)[1])
    return A.between(*map(A.number, bounds))


def _runs(c_u: int, at: dict[str, Any]) -> list[tuple[int, Release]]:
    """The kinds that have releases, of ``releases_1``, ``sigma_1``, ``gap_1`` and so on, one after the other."""
    return [(at[f"releases_{i}"], (c_u, at[f"sigma_{i}"], at[f"gap_{i}"], 0)) for i in _KINDS if at[f"releases_{i}"]]


def by_choices(A: Arithmetic, epsilon: Number, runs: Sequence[tuple[int, Release]], *, any_order: bool = False) -> Any:
    """The best of every number of rows at the threshold on either side, release after release; losses by nodes."""
    from scipy.special import ndtr

    level, kinds = float(epsilon), []
    for _times, (c_u, sigma, gap, mu_o) in runs:
        kinds.append((c_u, 1 / float(sigma) ** 2 + float(mu_o) ** 2, ndtr(-float(gap) / float(sigma))))
    total = sum(times * rows * square for (times, _kind), (rows, square, _release) in zip(runs, kinds, strict=True))
    reach = 9 * math.sqrt(total) + total
    edges = np.concatenate([np.linspace(-reach, 0, 61), np.linspace(0, level + reach, 61)[1:]])
    node, weight = np.polynomial.legendre.leggauss(8)
    half = np.diff(edges)[:, None] / 2
    u, du = (edges[:-1, None] + half * (1 + node)).ravel(), (half * weight).ravel()

    @functools.cache
    def at_nodes(left: tuple[int, ...]) -> Any:
        return value(left, u)

    def value(left: tuple[int, ...], x: Any) -> Any:
        """With so many releases of each kind left."""
        best = np.maximum(0, -np.expm1(x))
        following = [i for i, times in enumerate(left) if times]
        for i in following if any_order else following[:1]:
            (rows, square, release), after = kinds[i], (*left[:i], left[i] - 1, *left[i + 1 :])
            for new_left, new_right in product(range(rows + 1), repeat=2):
                far = rows - new_left - new_right
                hidden, then = (1 - release) ** new_left, x - math.log1p(-release) * (new_left - new_right)
                if far > 0:
                    k, later = math.sqrt(far * square), at_nodes(after)
                    middle = then - k * k / 2
                    density = np.exp(-(((u - middle[:, None]) / k) ** 2) / 2) / (k * math.sqrt(2 * math.pi))
                    rest = (
                        density @ (later * du)
                        + ndtr((-reach - middle) / k)
                        + later[-1] * ndtr((middle - level - reach) / k)
                    )
                    best = np.maximum(best, 1 - hidden + hidden * rest)
                elif far == 0:
                    best = np.maximum(best, 1 - hidden + hidden * value(after, then))
        return best

    return A.number(Fraction(float(value(tuple(times for times, _release in runs), np.array([level]))[0])))


def order_by_choices(A: Arithmetic, *, epsilon: Number, c_u: int, any_order: bool = False, **at: Any) -> Any:
    """:func:`by_choices` of three kinds, in their order unless any is allowed."""
    kinds = ((at[f"releases_{i}"], (c_u, at[f"sigma_{i}"], at[f"gap_{i}"], 0)) for i in _KINDS)
    return by_choices(A, epsilon, [(times, release) for times, release in kinds if times], any_order=any_order)


_KINDS = (1, 2, 3)
_NO_THIRD: dict[str, Value] = {"releases": 0, "sigma": 1, "gap": 0}


def _kind(i: int) -> Iterable[Parameter]:
    """Parameters of the i-th kind; but the first may have no release, and the third has none unless told."""
    for parameter, lower, upper in ((RELEASES, int(i == 1), 30), (SIGMA, 1, 10**5), (GAP, 0, 10**7)):
        default = None if i < _KINDS[-1] else _NO_THIRD[parameter.name]
        numbered = replace(parameter, name=f"{parameter.name}_{i}", description=f"{parameter.description}, kind {i}")
        yield replace(
            numbered, lower=lower, upper=upper, open_lower=False, searched=None, log=parameter.log and lower > 0,
            default=default,
        )  # fmt: skip


_point = functools.partial(point_of_kinds, "releases")
(EVERY_DAY,) = of_releases((1, 10**4, 1, "373.1", 2238, 0))
"""Ten thousand releases, both deltas of the maximum rule 1e-5."""
LOW_FIRST, LOW_LAST = (
    _point(1, *kinds, c_u=1)
    for kinds in (((30, "15.5", "55.1"), (30, "15.5", "61.3")), ((30, "15.5", "61.3"), (30, "15.5", "55.1")))
)
"""Five of six parts of the losses at the lower threshold; both deltas of the maximum rule 0.0068."""
_KINDS_BOX = Box((replace(EPSILON, upper=20), replace(C_U, upper=10), *(p for i in _KINDS for p in _kind(i))))
_SMALL = (
    _point(1, (1, 4, 10), (2, 3, 14), c_u=1),
    _point(0, (1, 5, 9), (1, 3, 8), c_u=2),
    _point("1/2", (1, 3, 12), (1, 4, 8), (1, 2, 9), c_u=1),
)

p, q, v, w, a, b, y = symbols("p q v w a b y")
_WORST_ROWS = Trusted(
    DATA_PROCESSING,
    "the hockey stick of all releases is the mean over the first of a convex function of its likelihood ratio: rows "
    "near the threshold, post-processings of those far above, give no more, nor do fewer rows",
)
_BY_BUDGETS = Premise(
    "wilkins2024.composition.adaptive", "each release's pair; used where no strategy gains a millionth"
)
_MOVES: dict[str, Any] = {
    "falls": ("epsilon", *(f"gap_{i}" for i in _KINDS)), "rises": ("c_u", *(f"releases_{i}" for i in _KINDS)),
}  # fmt: skip
_WIDTH = (
    f"from below the adversary looks after {game.LOOKS} groups of releases at most; from above, too, where there are "
    "no more"
)

CLAIMS = (
    own(
        "composition.adaptive.stopping", "Theorem 5.4, several releases",
        "Delta of T releases whose neighbours, either way round, are chosen as one goes: when to stop",
        r"\delta_T=\sup_{\tau\le T}E[1-p^{T-\tau}\min(1,e^{\epsilon-X_\tau})],\ X_\tau\sim N(\tau k^2/2,\tau "
        r"k^2)\quad(C_u=1)",
        DeltaBound(
            lambda A, *, epsilon, releases, c_u, sigma, gap, mu_o: adaptive_value(
                A, epsilon, [(releases, (c_u, sigma, gap, mu_o))]
            ),
            oracle=lambda A, *, epsilon, releases, c_u, sigma, gap, mu_o: by_choices(
                A, epsilon, [(releases, (c_u, sigma, gap, mu_o))]
            ),
            oracle_points=of_releases(
                (1, 1, 3, 4, 13, 0), (0, 2, 1, 3, 4, 0), ("1/5", 3, 1, 2, 4, "1/5"), (1, 2, 2, 4, 14, 0),
                (1, 4, 1, 4, "11.7", 0),
            ),
            proof=derived(
                _WORST_ROWS,
                SymbolicIdentity(
                    "rows at the threshold commute with a mean over rows far above",
                    (1 - p) + p * (q * v + (1 - q) * w), q * ((1 - p) + p * v) + (1 - q) * ((1 - p) + p * w),
                    ("p", "q", "v", "w"), (),
                    "after them the level is known, and rows far above leave a choice: played first they are no "
                    "worse, so all rows at the threshold are the last ones",
                ),
                SymbolicIdentity(
                    "i of n rows at the threshold on the left, the others on the right, at a level >= 0",
                    (1 - a) + a * (1 - y / a * b), 1 - y * b, ("a", "b", "y"), ("a",),
                    "a = p^i, b = p^(n-i): 1 - a + (a - y b)_+ is at most 1 - p^n min(1, y)",
                ),
                Unchecked(
                    "rows of one release one by one",
                    "several rows of a release are rows with nothing seen between them",
                ),
                Premise("wilkins2024.thm5.4", "one release"),
                Premise("wilkins2024.composition.adaptive", "safe, and used where no strategy gains a millionth"),
            ),
        ),
        domain=(
            replace(EPSILON, upper=20), replace(RELEASES, upper=10**4), replace(C_U, upper=1000),
            replace(SIGMA, lower=1, open_lower=False, upper=10**5), replace(GAP, lower=0, upper=10**7),
            replace(MU_O, upper=1),
        ),
        assumptions=(INTEGER_TAU, "the noise of a release is fresh"), falls=("epsilon", "gap"),
        rises=("releases", "c_u", "mu_o"), privacy=SPARSE_HISTOGRAM,
        points=(TWICE, *of_releases((1, 1, 4, 4, 14, 0)), EVERY_DAY),
        bracketed=f"{_WIDTH}, after any row else: a hundredth of all threshold rows lies between, and the "
        "grid's width squared",
        note="Where both deltas of the maximum rule are 0.0068 (mu = 1/2, epsilon = 1) it is 1.29 times that at T = "
        "2, 1.47 at T = 30 and 1.48 at T = 10^4; where both are 1e-5, 1.68 to 1.69 at T = 10^4.",
        cost=30,
        quoted=(Quoted("one key a user, ten thousand releases, of data that may follow earlier ones", EVERY_DAY),),
    ),
    own(
        "composition.adaptive.line", "Theorem 5.4, several releases",
        "What is left of a level is worth at least that share of what the level is worth, along a line",
        r"e^{-a-b}(v+wy)\le e^{-a}(v+we^{a-b}y),\quad a,b,v,w\ge0",
        exp(-(a + b)) * (v + w * y) <= exp(-a) * (v + w * exp(a - b) * y),
        proof=sum_of(factors(v, exp(-a), -expm1(-b)), factors(w, y, exp(-b), -expm1(-a))),
        domain=(
            *(Parameter(name, "of the line") for name in "vw"), Parameter("y", "level e^epsilon"),
            *(Parameter(name, "losses of rows at the threshold", "nats") for name in "ab"),
        ),
    ),
    own(
        "composition.adaptive.kinds", "Theorem 5.4, several releases",
        "Delta of releases of three kinds, one kind after the other, neighbours chosen as one goes",
        r"\delta=1-U_1(e^\epsilon),\ U_t(y)=\min_{a+b\le C_u}E[p_t^aU_{t+1}(p_t^{b-a}y\,e^{-X})],\ "
        r"U_{T+1}(y)=\min(1,y),\ X\sim N(\kappa/2,\kappa),\ \kappa=(C_u-a-b)/\sigma_t^2",
        DeltaBound(
            lambda A, *, epsilon, c_u, **at: adaptive_value(A, epsilon, _runs(c_u, at)), oracle=order_by_choices,
            oracle_points=_SMALL,
            proof=derived(
                _WORST_ROWS,
                Premise(
                    "wilkins2024.composition.adaptive.line",
                    "from above: U is a least of lines that grow and are at least 0 at 0, so p^a U(p^(b-a) y) >= "
                    "p^(a+b) U(y)",
                ),
                Unchecked(
                    "bounds between numbers of rows",
                    "min(1, y) is a least of such lines, and factors, means over a release and least values keep "
                    "that, so the game is that of a bound on U at each level; numbers of rows between two cost at "
                    "most the larger's factor and the smaller's mean",
                ),
                Unchecked(
                    "limit of many releases",
                    "more releases than are looked at one by one: rows divided, in any order, are no worse for "
                    "the adversary; then those of least L/k^2 come first, far above, as what is left has the "
                    "largest factor to lose whenever one stops, and who stops within a step of the clock is worth "
                    "no less by its end with the factor from its beginning, for E[U] does not grow",
                ),
                _BY_BUDGETS,
            ),
        ),
        domain=_KINDS_BOX,
        assumptions=(INTEGER_TAU, "the noise of a release is fresh", "all parameters are fixed in advance"),
        privacy=THREE_KINDS, points=(LOW_LAST, LOW_FIRST), **_MOVES,
        bracketed=f"{_WIDTH}: the grid's width squared, a fifth of a per cent, and the losses times the power of the "
        "best test, more than that where delta is above a thousandth",
        note="Thresholds that differ make the order matter: five sixths of the losses at the lower threshold and both "
        "deltas of the maximum rule 0.0068, it is 1.64 times that where the lower threshold comes last, 1.34 times "
        "where it comes first.",
        cost=30, quoted=(Quoted("thirty releases with a higher threshold, then thirty with a lower one", LOW_LAST),),
    ),
    own(
        "composition.adaptive.any_order", "Theorem 5.4, several releases",
        "Delta of releases of three kinds whose neighbours and order are chosen as one goes",
        r"\delta=\sup_\tau E[1-e^{-\Lambda(S-\tau)}\min(1,e^{\epsilon-X_\tau})],\ X_\tau\sim N(\tau/2,\tau),\ "
        r"\Lambda(r)=\max\{\textstyle\sum_ia_iL_i:\sum_ia_ik_i^2\le r\},\ S=\sum_in_ik_i^2\quad(\text{rows divided})",
        DeltaBound(
            lambda A, *, epsilon, c_u, **at: adaptive_value(A, epsilon, _runs(c_u, at), any_order=True),
            oracle=functools.partial(order_by_choices, any_order=True), oracle_points=_SMALL,
            proof=derived(
                _WORST_ROWS,
                Unchecked(
                    "order of rows",
                    "rows far above and at the threshold commute where the latter cost a factor of U alone, and "
                    "rows at the threshold that come last can still be chosen: they come last",
                ),
                Unchecked(
                    "stopping in one order",
                    "rows far above of squares s leave rows of squares S - s, whose losses are at most Lam(S - "
                    "s): attained for every s by one order, that of L/k^2, so one need only decide when to stop",
                ),
                _BY_BUDGETS,
            ),
        ),
        domain=_KINDS_BOX, assumptions=(INTEGER_TAU, "the noise of a release is fresh"),
        privacy=THREE_KINDS, points=(LOW_LAST, LOW_FIRST), **_MOVES,
        bracketed="from below whole releases in the order of L/k^2, from above rows divided and the losses of a "
        f"{game.LOOKS}th of all squares more",
        note="The same for every order of the releases: what a stream is worth whose schedule may change.", cost=30,
    ),
)  # fmt: skip
