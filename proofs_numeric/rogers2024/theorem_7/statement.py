"""Theorem 7: thresholds, rho and privacy profiles of Algorithm 1."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, laplace_tail
from proofs_numeric.rogers2024.achieved import GAUSSIAN_MASS, LAPLACE_MASS
from proofs_numeric.rogers2024.conversion import converted
from proofs_numeric.rogers2024.enumeration import Items, neighbour_pairs
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail, laplace_renyi
from proofs_numeric.rogers2024.lemma_4_1 import ABOVE_TANGENT, half_spaces_bound
from proofs_numeric.rogers2024.neighbours import GAUSSIAN_HISTOGRAM, LAPLACE_HISTOGRAM
from proofs_numeric.rogers2024.orders import LAPLACE, laplace_rho
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    DELTA_INF,
    DELTA_LINEAR,
    EPSILON,
    LEVEL,
    SCALE,
    SIGMA,
    ours,
    printed,
)
from proofs_numeric.rogers2024.theorem_7.exact_profile import (
    gaussian_rate,
    gaussian_square,
    laplace_loss_rate,
    laplace_move,
    laplace_rate,
    laplace_worst,
)
from proofs_numeric.rogers2024.thresholds import gaussian_threshold, laplace_threshold
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import Calibration, DeltaBound, FiniteStatement, Identity, Inequality, Relation
from proofs_numeric.statements.profiles import ConcentratedRows, NoneNamed, Promised, SparseRows
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Part,
    Product,
    Rewrite,
    Sign,
    Split,
    Substitute,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation


def _threshold_by_odds(A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number) -> Number:
    return delta_inf / A.number(epsilon) * A.log(delta_0 * A.exp(epsilon) / (2 * A.number(delta)))


def laplace_new_mass(
    A: Arithmetic, *, value: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact Pr[some of D_0 new items of count D_inf is printed] at the threshold ``value``, Laplace noise."""
    x = (A.number(value) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, laplace_tail(A, x))


def gaussian_new_mass(
    A: Arithmetic, *, value: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact Pr[some of D_0 new items of count D_inf is printed] at the threshold ``value``, Gaussian noise."""
    x = (A.number(value) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, gaussian_tail(A, x))


def _slope_of_kept(A: Arithmetic, *, delta_0: Number, delta: Number, **_rest: Any) -> Number:
    return 1 - A.exp((delta_0 - 1) * A.log1p(-A.number(delta) / delta_0))


def target_delta(A: Arithmetic, *, delta: Number, **_parameters: Any) -> Number:
    """The failure probability asked for."""
    return A.number(delta)


def rho_of_ratio(A: Arithmetic, *, delta_0: Number, epsilon: Number) -> Number:
    """``rho = D_0 epsilon^2 / 2`` (Theorems 7 and 8)."""
    epsilon = A.number(epsilon)
    return delta_0 * epsilon * epsilon / 2


def gaussian_promise(
    A: Arithmetic, *, delta_0: Number, delta_inf: Number, sigma: Number, delta: Number
) -> tuple[Any, Any]:
    """``(delta, D_0 D_inf^2/(2 sigma^2))`` of Theorems 7 and 8 with Gaussian noise."""
    return A.number(delta), rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / sigma)


def gaussian_bound(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Number:
    """Delta that :func:`gaussian_promise` implies at ``epsilon``."""
    delta, rho = gaussian_promise(A, **parameters)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def gaussian_exact_of_delta(
    A: Arithmetic, *, epsilon: Number, delta_0: Number, delta_inf: Number, sigma: Number, delta: Number
) -> Number:
    """Exact delta at the threshold of Theorem 7 (``rogers2024.thm7.gaussian.exact``)."""
    distance = A.sqrt(A.number(delta_0)) * delta_inf / sigma
    new = above_any(A, delta_0, A.number(delta) / delta_0)
    return A.maximum(new, gaussian_profile(A, A.number(epsilon), distance))


def laplace_promise(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number, delta: Number) -> tuple[Any, Any]:
    """``(delta, D_0 D_inf^2/(2 b^2))`` of Theorem 7 with Laplace noise."""
    return A.number(delta), rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / b)


def laplace_bound(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Number:
    """Delta that :func:`laplace_promise` implies at ``epsilon``."""
    delta, rho = laplace_promise(A, **parameters)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def laplace_worst_known(
    A: Arithmetic, *, epsilon: Number, delta_0: int, delta_inf: Number, b: Number, delta: Number
) -> Number:
    """At the threshold of Theorem 7, the worst of D_0 new items and of users of at most `SOLVED` labels.

    Exact (``rogers2024.thm7.laplace.exact``) up to that D_0, a delta that is attained beyond.
    """
    x = A.log(A.number(delta_0) / (2 * A.number(delta)))
    worst = laplace_worst(
        A,
        A.number(epsilon),
        labels=min(int(delta_0), SOLVED),
        distance=A.number(delta_inf) / b,
        rate=laplace_loss_rate(A, x),
    )
    return A.maximum(above_any(A, delta_0, laplace_tail(A, x)), worst)


def alpha_rho(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    """``alpha epsilon^2 / 2``."""
    return alpha * rho_of_ratio(A, delta_0=1, epsilon=epsilon)


def gaussian_renyi(A: Arithmetic, *, alpha: Number, delta_0: Number, delta_inf: Number, sigma: Number) -> Number:
    """Exact ``D_alpha`` when D_0 shared counts move by D_inf: ``alpha |shift|^2 / (2 sigma^2)`` (Theorem 4)."""
    return A.number(alpha) * delta_0 * A.number(delta_inf) * delta_inf / (2 * A.number(sigma) * sigma)


SOLVED = 4
"""Labels up to which the Laplace bounds are compared with the exact delta."""

T_BOX = Box((DELTA_0, DELTA_INF, EPSILON, DELTA))


# --- Laplace noise: the threshold lies x = log(Delta_0/(2 delta)) scales above Delta_inf ------------------------------


def _at_tail(A: Arithmetic, *, x: Number, delta_0: Number, new: Number) -> Number:
    return above_any(A, new * delta_0, laplace_tail(A, x))


def _delta_of_tail(A: Arithmetic, *, x: Number, delta_0: Number, new: Number) -> Number:
    return delta_0 * A.exp(-x) / 2


def _log_odds(A: Arithmetic, *, delta_0: Number, delta: Number, **_rest: Any) -> Number:
    return A.log(A.number(delta_0)) - A.log(2 * A.number(delta))


def _within_delta(new: Mapping[str, Formula], left: Formula, right: Formula) -> Tactic:
    """``1 - (1 - P[Laplace > x])^(new Delta_0) <= Delta_0 e^-x/2``: most at new = 1, and the gap grows with Delta_0."""
    at_one = Derivative("delta_0", "lower", Derivative("delta_0", "lower", at_end=Derivative("x", "upper")))
    proof = Derivative("new", "upper", at_end=at_one)
    box = Box(
        (
            Parameter("x", "log(Delta_0/(2 delta))", lower="-infinity"),
            Parameter("delta_0", "labels", lower=1),
            Parameter("new", "share of them that is new", upper=1),
        )
    )
    return Substitute(box, {"x": _log_odds, **new}, Split("x", 0, proof, proof), left, right)


RENYI_BOX = Box((ALPHA, DELTA_0, DELTA_INF, SIGMA))


ORDER_BOX = Box((replace(ALPHA, upper=1000), EPSILON))


# --- the theorem on small histograms ----------------------------------------------------------------------------------

Case = tuple[Items, Items, int, int]
_EPSILON, _DELTA, _ABOVE = 1, Fraction(1, 10), Fraction(1, 2**20)
"""A threshold that much above Theorem 7's: one new item meets delta with equality, which no ball decides."""


def cases(size: int) -> Iterator[Case]:
    """(h, h', D_0, D_inf) on two labels with counts up to ``size``."""
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(2, size, delta_0, delta_inf):
            yield larger, smaller, delta_0, delta_inf


def new_items(larger: Items, smaller: Items) -> Items:
    """The items of h whose labels h' lacks."""
    kept = dict(smaller)
    return tuple(item for item in larger if item[0] not in kept)


def _concentrated(case: Case, *, threshold: Formula, tail: Formula, divergence: Formula) -> bool:
    """New items pass with at most delta together; the divergences of the others add up to at most alpha rho."""
    larger, smaller, delta_0, delta_inf = case
    with Ball(128) as A:
        level = threshold(A, delta_0=delta_0, delta_inf=delta_inf, epsilon=_EPSILON, delta=_DELTA) + A.number(_ABOVE)
        silent, kept, counts = A.number(1), A.number(1 - _DELTA), dict(larger)
        for _label, count in new_items(larger, smaller):
            silent = silent * (1 - tail(A, (level - count) * _EPSILON / delta_inf))
        moves = [A.number(Fraction((counts[label] - count) * _EPSILON, delta_inf)) for label, count in smaller]
        rho = rho_of_ratio(A, delta_0=delta_0, epsilon=_EPSILON)
        near = (
            A.sum(divergence(A, alpha=alpha, epsilon=move) for move in moves if move > 0) <= alpha * rho
            for alpha in (2, 8)
        )
        return bool(silent >= kept) and all(map(bool, near))


def gaussian_is_concentrated(case: Case) -> bool:
    """Theorem 7 of a pair, with Gaussian noise of sigma = D_inf/epsilon."""
    return _concentrated(case, threshold=gaussian_threshold, tail=gaussian_tail, divergence=alpha_rho)


def laplace_is_concentrated(case: Case) -> bool:
    """Theorem 7 of a pair, with Laplace noise of b = D_inf/epsilon."""
    return _concentrated(case, threshold=laplace_threshold, tail=laplace_tail, divergence=laplace_renyi)


_SIZES = {"quick": 2, "standard": 3, "deep": 5}
_SIZE_TEXT = "largest count, two labels"

# --- the theorem ------------------------------------------------------------------------------------------------------


def _rate(A: Arithmetic, *, delta_0: Number, delta_inf: Number, sigma: Number, delta: Number) -> Any:
    epsilon = delta_inf / A.number(sigma)
    T = gaussian_threshold(A, delta_0=delta_0, delta_inf=delta_inf, epsilon=epsilon, delta=delta)
    return gaussian_rate(A, delta_inf=delta_inf, sigma=sigma, T=T)


_PROFILE = Box((LEVEL, DELTA_0, DELTA_INF, SIGMA, DELTA))
ROWS = ConcentratedRows(
    Box((replace(ALPHA, upper="infinity"), DELTA_0, DELTA_INF, SIGMA, DELTA)),
    SparseRows(parameter_named("delta_0"), _rate, gaussian_square),
    delta=lambda A, **at: gaussian_promise(A, **at)[0],
    rho=lambda A, **at: gaussian_promise(A, **at)[1],
)
_NONE_NAMED = NoneNamed(
    bound=half_spaces_bound,
    likely=Derivative("delta", "lower", Rewrite(Sign(), right=_slope_of_kept)),
    truncated=ByClaim("rogers2024.lem4.1.half_spaces"),
    moved=Sign(),
    printed=ABOVE_TANGENT,
)


def laplace_shift(A: Arithmetic, *, delta_inf: Number, b: Number, **_rest: Any) -> Any:
    """``D_inf/b``."""
    return A.number(delta_inf) / b


def _laplace_rate(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number, delta: Number) -> Any:
    epsilon = A.number(delta_inf) / b
    T = laplace_threshold(A, delta_0=delta_0, delta_inf=delta_inf, epsilon=epsilon, delta=delta)
    return laplace_rate(A, delta_inf=delta_inf, b=b, T=T)


def _silent(A: Arithmetic, *, x: Number, delta_0: Number, new: Number) -> Any:
    return -A.expm1(-(A.number(new) * delta_0 * laplace_loss_rate(A, x)))


def _divergence(A: Arithmetic, *, alpha: Number, epsilon: Number, delta_0: Number) -> Any:
    return A.number(delta_0) * laplace_renyi(A, alpha=alpha, epsilon=epsilon)


def _sharp(A: Arithmetic, *, alpha: Number, epsilon: Number, delta_0: Number) -> Any:
    return A.number(delta_0) * alpha * laplace_rho(A, epsilon=epsilon)


def _allowed(A: Arithmetic, *, alpha: Number, epsilon: Number, delta_0: Number, **_rest: Any) -> Any:
    return A.number(delta_0) * alpha_rho(A, alpha=alpha, epsilon=epsilon)


_LAPLACE_PROFILE = Box((LEVEL, DELTA_0, DELTA_INF, SCALE, DELTA))
LAPLACE_ROWS = ConcentratedRows(
    Box((replace(ALPHA, upper="infinity"), DELTA_0, DELTA_INF, SCALE, DELTA)),
    SparseRows(parameter_named("delta_0"), _laplace_rate, shift=laplace_move),
    delta=lambda A, **at: laplace_promise(A, **at)[0],
    rho=lambda A, **at: laplace_promise(A, **at)[1],
)
_NONE_NAMED_OF_LAPLACE = NoneNamed(
    likely=_within_delta({"new": one}, _silent, _delta_of_tail),
    moved=Through(
        lambda A, *, share, delta_inf, b, **at: _allowed(A, epsilon=A.number(share) * delta_inf / b, **at),
        Substitute(
            Box((replace(ALPHA, upper="infinity"), Parameter("epsilon", "shift in scales"), DELTA_0)),
            {"epsilon": lambda A, *, share, delta_inf, b, **_rest: A.number(share) * delta_inf / b},
            Through(
                _sharp,
                Product(
                    (
                        Part(lambda A, *, delta_0, **_rest: A.number(delta_0)),
                        Part(
                            lambda A, *, alpha, epsilon, delta_0: (
                                alpha * laplace_rho(A, epsilon=epsilon) - laplace_renyi(A, alpha=alpha, epsilon=epsilon)
                            ),
                            LAPLACE,
                        ),
                    )
                ),
                Product(
                    (
                        Part(lambda A, *, alpha, delta_0, **_rest: A.number(alpha) * delta_0),
                        Part(
                            lambda A, *, epsilon, **_rest: A.number(epsilon) ** 2 / 2 - laplace_rho(A, epsilon=epsilon),
                            Derivative("epsilon", "lower", Derivative("epsilon", "lower")),
                        ),
                    )
                ),
            ),
            _divergence,
            _allowed,
        ),
    ),
    printed=ABOVE_TANGENT,
)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm7.laplace.T",
        source=printed("Theorem 7"),
        title="Laplace threshold of Algorithm 1",
        statement=r"T = \Delta_\infty + \frac{\Delta_\infty}{\varepsilon}\log\frac{\Delta_0}{2\delta}",
        kind=Calibration(
            laplace_threshold,
            laplace_new_mass,
            tight=False,
            by=LAPLACE_MASS,
            proof=_within_delta({"new": one}, _at_tail, _delta_of_tail),
        ),
        domain=T_BOX,
        falls=("delta",),
        rises=("delta_0",),
        privacy=LAPLACE_HISTOGRAM,
        points=(
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},
            {"delta_0": 1, "delta_inf": 1, "epsilon": "0.3", "delta": "3/4"},
            {"delta_0": 5, "delta_inf": 3, "epsilon": 1, "delta": "1e-300"},
        ),
        loose="1 - (1 - delta)^(1/Delta_0) may replace delta/Delta_0 (rogers2024.sharp.threshold)",
        note="Holds for delta > Delta_0/2 as well, where T < Delta_inf: e^-x/2 >= tail(x) for every real x.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.T_positive",
        source=printed("Algorithm 1 with Theorem 7"),
        title="The threshold that Algorithm 1 requires to be positive",
        statement=r"T > 0 \text{ for } 0 < \delta \le 1",
        kind=Inequality(zero, laplace_threshold, Relation.LESS),
        domain=Box((replace(DELTA_0, upper=10), DELTA_INF, EPSILON, replace(DELTA_LINEAR, open_upper=False))),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.laplace.T_positive.corrected",
        note="Negative exactly when Delta_0 = 1, epsilon < log 2 and delta > e^epsilon / 2.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.T_positive.corrected",
        source=printed("Algorithm 1 with Theorem 7"),
        title="The Laplace threshold is positive exactly where 2 delta < Delta_0 e^epsilon",
        statement=r"T = \frac{\Delta_\infty}{\varepsilon}\log\frac{\Delta_0 e^\varepsilon}{2\delta}",
        kind=Identity(laplace_threshold, _threshold_by_odds, Symbolic()),
        domain=T_BOX,
        note="The Gaussian threshold needs delta < Delta_0 to be finite.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.rho",
        source=printed("Theorem 7"),
        title="Algorithm 1 with Laplace noise is delta-approximate Delta_0 epsilon^2/2-CDP",
        statement=r"P \ge (1-\delta)P',\ Q = Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ "
        r"\rho = \Delta_0\varepsilon^2/2,\ \varepsilon = \Delta_\infty/b",
        kind=FiniteStatement(
            cases, laplace_is_concentrated, _SIZES, _SIZE_TEXT, every=LAPLACE_ROWS, proof=_NONE_NAMED_OF_LAPLACE
        ),
        domain=Box((DELTA_0, DELTA_INF, SCALE, DELTA)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        privacy=LAPLACE_HISTOGRAM,
        evaluates=LAPLACE_ROWS.rho,
        loose="rho = Delta_0 (epsilon - 1 + e^-epsilon) is exact (rogers2024.sharp.laplace)",
    ),
    Claim(
        id="rogers2024.thm7.laplace.profile",
        source=ours("Theorem 7 and its best conversion"),
        title="Privacy profile that Theorem 7 promises, Laplace noise",
        statement=(
            r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = "
            r"\Delta_0\Delta_\infty^2/(2b^2)"
        ),
        kind=DeltaBound(
            laplace_bound,
            exact=laplace_worst_known,
            pairs=Promised(LAPLACE_ROWS, {}),
            proof=converted(_NONE_NAMED_OF_LAPLACE, laplace_promise, _LAPLACE_PROFILE),
        ),
        domain=_LAPLACE_PROFILE,
        role=Role.UPPER,
        privacy=LAPLACE_HISTOGRAM,
        promise=laplace_promise,
    ),
    Claim(
        id="rogers2024.thm7.gaussian.T",
        source=printed("Theorem 7"),
        title="Gaussian threshold of Algorithm 1",
        statement=r"T = \Delta_\infty + \frac{\Delta_\infty}{\varepsilon}\Phi^{-1}(1 - \delta/\Delta_0)",
        kind=Calibration(
            gaussian_threshold,
            gaussian_new_mass,
            tight=False,
            by=GAUSSIAN_MASS,
            proof=Derivative("delta", "lower", Rewrite(Sign(), right=_slope_of_kept)),
        ),
        domain=T_BOX,
        falls=("delta",),
        rises=("delta_0",),
        privacy=GAUSSIAN_HISTOGRAM,
        points=(
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},
            {"delta_0": 10, "delta_inf": 5, "epsilon": "1/2", "delta": "1e-8"},
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-300"},
        ),
        loose="Pr[not E] = 1 - (1 - delta/Delta_0)^Delta_0, below delta for Delta_0 > 1",
        note="Needs delta < Delta_0.",
    ),
    Claim(
        id="rogers2024.thm7.gaussian.rho",
        source=printed("Theorem 7"),
        title="Algorithm 1 with Gaussian noise is delta-approximate Delta_0 epsilon^2/2-CDP",
        statement=r"P \ge (1-\delta)P',\ Q = Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ "
        r"\rho = \Delta_0\varepsilon^2/2,\ \varepsilon = \Delta_\infty/\sigma",
        kind=FiniteStatement(cases, gaussian_is_concentrated, _SIZES, _SIZE_TEXT, every=ROWS, proof=_NONE_NAMED),
        domain=Box((DELTA_0, DELTA_INF, SIGMA, DELTA)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        privacy=GAUSSIAN_HISTOGRAM,
        evaluates=ROWS.rho,
        note="Thresholding is post-processing. Attained by the pair A1.high.",
    ),
    Claim(
        id="rogers2024.thm7.gaussian.profile",
        source=ours("Theorem 7 and its best conversion"),
        title="Privacy profile that Theorem 7 promises, Gaussian noise",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ "
        r"\rho = \Delta_0\Delta_\infty^2/(2\sigma^2)",
        kind=DeltaBound(
            gaussian_bound,
            exact=gaussian_exact_of_delta,
            pairs=Promised(ROWS, {}),
            proof=converted(_NONE_NAMED, gaussian_promise, _PROFILE),
        ),
        domain=_PROFILE,
        role=Role.UPPER,
        privacy=GAUSSIAN_HISTOGRAM,
        promise=gaussian_promise,
    ),
)
