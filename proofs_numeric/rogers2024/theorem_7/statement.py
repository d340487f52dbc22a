"""Theorem 7: thresholds, rho and privacy profiles of Algorithm 1."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import special
from proofs_numeric.arithmetic.laplace import laplace_histogram_profile
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.achieved import GAUSSIAN_MASS, LAPLACE_MASS
from proofs_numeric.rogers2024.conversion import Promise, converted
from proofs_numeric.rogers2024.enumeration import Items, neighbour_pairs
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail, laplace_renyi, laplace_tail, some_of
from proofs_numeric.rogers2024.lemma_4_1 import ABOVE_TANGENT, half_spaces_bound
from proofs_numeric.rogers2024.neighbours import GAUSSIAN_HISTOGRAM, LAPLACE_HISTOGRAM
from proofs_numeric.rogers2024.orders import LAPLACE, laplace_rho
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_7 import exact_profile
from proofs_numeric.rogers2024.thresholds import gaussian_threshold, laplace_threshold
from proofs_numeric.statements.box import points
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.instances import LawInstances, RowsAt
from proofs_numeric.statements.profiles import AtThreshold, ConcentratedRows, Promised, SparseRows

value, x, new, share = symbols("value x new share")
_margin = (value - delta_inf) * epsilon / delta_inf
laplace_new_mass = some_of(delta_0, laplace_tail(_margin))
"""Exact Pr[some of D_0 new items of count D_inf is printed] at the threshold ``value``, Laplace noise."""
gaussian_new_mass = some_of(delta_0, Phi(-_margin))
"""The same with Gaussian noise."""
slope_of_kept = 1 - exp((delta_0 - 1) * log1p(-delta / delta_0))
rho_of_ratio = delta_0 * epsilon * epsilon / 2
"""``rho`` of Theorems 7 and 8."""
GAUSSIAN, LAPLACE_PROMISE = (Promise(rho_of_ratio(epsilon=delta_inf / scale), delta) for scale in (sigma, b))
"""Of Theorems 7 and 8 with Gaussian noise, and of Theorem 7 with Laplace noise."""
alpha_rho = alpha * (epsilon * epsilon / 2)
gaussian_renyi = alpha * delta_0 * delta_inf * delta_inf / (2 * sigma * sigma)
"""Exact ``D_alpha`` when D_0 shared counts move by D_inf: ``alpha |shift|^2 / (2 sigma^2)`` (Theorem 4)."""


def laplace_worst_known(
    A: Arithmetic, *, epsilon: Number, delta_0: int, delta_inf: Number, b: Number, delta: Number
) -> Number:
    """At the threshold of Theorem 7, the worst of D_0 new items and of users of at most `SOLVED` labels.

    Exact (``rogers2024.thm7.laplace.exact``) up to that D_0, a delta that is attained beyond.
    """
    x = A.log(A.number(delta_0) / (2 * A.number(delta)))
    loss, move = exact_profile.laplace_loss_rate(A, margin=x), A.number(delta_inf) / b
    worst = laplace_histogram_profile(A, A.number(epsilon), keys=min(int(delta_0), SOLVED), distance=move, loss=loss)
    return A.maximum(above_any(A, delta_0, special.laplace_tail(A, x)), worst)


SOLVED = 4
"""Labels up to which the Laplace bounds are compared with the exact delta."""
T_BOX = Box((DELTA_0, DELTA_INF, EPSILON, DELTA))
_NAMES = "delta_0 delta_inf epsilon delta"

# --- Laplace noise: the threshold lies x = log(Delta_0/(2 delta)) scales above Delta_inf ------------------------------


def _within_delta(left: Expression) -> Tactic:
    """``1 - (1 - P[Laplace > x])^(new Delta_0) <= Delta_0 e^-x/2``: most at new = 1, and the gap grows with Delta_0."""
    at_one = Derivative("delta_0", "lower", Derivative("delta_0", "lower", at_end=Derivative("x", "upper")))
    proof = Derivative("new", "upper", at_end=at_one)
    box = Box(
        (
            Parameter("x", "log(Delta_0/(2 delta))", lower="-infinity"), Parameter("delta_0", "labels", lower=1),
            Parameter("new", "share of them that is new", upper=1),
        )
    )  # fmt: skip
    at = {"x": log(delta_0) - log(2 * delta), "new": lift(1)}
    return Substitute(box, at, Split("x", 0, proof, proof), left, delta_0 * exp(-x) / 2)


RENYI_BOX = Box((ALPHA, DELTA_0, DELTA_INF, SIGMA))
ORDER_BOX = Box((replace(ALPHA, searched=(1, 1000)), EPSILON))

# --- the theorem on small histograms ----------------------------------------------------------------------------------

Case = tuple[Items, Items, int, int]


def cases(size: int) -> Iterator[Case]:
    """(h, h', D_0, D_inf) on two labels with counts up to ``size``."""
    for labels, most in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(2, size, labels, most):
            yield larger, smaller, labels, most


def new_items(larger: Items, smaller: Items) -> Items:
    """The items of h whose labels h' lacks."""
    counts = dict(smaller)
    return tuple(item for item in larger if item[0] not in counts)


def _rows(noise: Promise, scale: Expression, **parts: Any) -> LawInstances:
    """Theorem 7 of a pair, with noise of the scale ``D_inf/epsilon``, at epsilon 1 and delta 1/10."""

    def instances(case: Case) -> Iterator[RowsAt]:
        larger, smaller, rows, fall = case
        at = {"delta_0": lift(rows), "delta_inf": lift(fall), str(scale.head): lift(fall), "delta": lift("1/10")}
        yield RowsAt(at, (dict(larger), dict(smaller)), rows, fall, scale, delta=noise.delta, rho=noise.rho, **parts)

    return LawInstances(instances)


_SIZES, _SIZE_TEXT = {"quick": 2, "standard": 3, "deep": 5}, "largest count, two labels"
_gaussian_threshold, _laplace_threshold = (
    gaussian_threshold(epsilon=delta_inf / sigma), laplace_threshold(epsilon=delta_inf / b)
)  # fmt: skip

# --- the theorem ------------------------------------------------------------------------------------------------------

ROWS = ConcentratedRows(
    Box((ALPHA, DELTA_0, DELTA_INF, SIGMA, DELTA)),
    SparseRows(delta_0, exact_profile.gaussian_rate(T=_gaussian_threshold), exact_profile.gaussian_square),
    delta=delta, rho=GAUSSIAN.rho,
)  # fmt: skip
_NONE_NAMED = GivenEvent(
    bound=half_spaces_bound, likely=Derivative("delta", "lower", Rewrite(Sign(), right=slope_of_kept)),
    truncated=ByClaim("rogers2024.lem4.1.half_spaces"), moved=Sign(), printed=ABOVE_TANGENT,
)  # fmt: skip
LAPLACE_ROWS = ConcentratedRows(
    Box((ALPHA, DELTA_0, DELTA_INF, SCALE, DELTA)),
    SparseRows(delta_0, exact_profile.laplace_rate(T=_laplace_threshold), shift=exact_profile.laplace_move),
    delta=delta, rho=LAPLACE_PROMISE.rho,
)  # fmt: skip
_SHARP_IS_LESS = product_of(
    alpha * delta_0, (epsilon**2 / 2 - laplace_rho, Derivative("epsilon", "lower", Derivative("epsilon", "lower")))
)
_NONE_NAMED_OF_LAPLACE = GivenEvent(
    likely=_within_delta(-expm1(-(new * delta_0 * exact_profile.laplace_loss_rate(margin=x)))),
    moved=Through(
        delta_0 * alpha_rho(epsilon=share * delta_inf / b),
        Substitute(
            Box((ALPHA, Parameter("epsilon", "shift in scales"), DELTA_0)), {"epsilon": share * delta_inf / b},
            Through(
                delta_0 * alpha * laplace_rho, product_of(delta_0, (alpha * laplace_rho - laplace_renyi, LAPLACE)),
                _SHARP_IS_LESS,
            ),
            delta_0 * laplace_renyi, delta_0 * alpha_rho,
        ),
    ),
    printed=ABOVE_TANGENT,
)  # fmt: skip

_tail_at_lead = laplace_tail(symbol("lead"))
_mass_at_lead = some_of(delta_0, _tail_at_lead)
_LOST_AT_LEAD = Increasing("log", lift(1), 1 / (1 - _tail_at_lead), product_of(1 / (1 - _tail_at_lead), _tail_at_lead))

CLAIMS = (
    own(
        "thm7.laplace.new_item_mass", "Theorem 7", "Exact mass of new items of Algorithm 1 with Laplace noise",
        r"\Pr[\neg E] = 1 - (1 - \Pr[\mathrm{Lap} > \text{lead}])^{\Delta_0}",
        DeltaBound(
            _mass_at_lead, pairs=SparseRows(delta_0, -log1p(-_tail_at_lead)),
            proof=AtThreshold(Symbolic(), attained=Symbolic(), lost=_LOST_AT_LEAD),
        ),
        domain=(
            replace(LEVEL, upper="infinity", searched=(0, 700)), DELTA_0,
            Parameter("lead", "T - Delta_inf in scales of the noise", lower="-infinity", searched=(-5, 300)),
        ),
        quantity=QuantityKind.PROBABILITY, falls=("epsilon", "lead"), rises=("delta_0",),
        moves={"delta_0": Slope(product_of(1 - _mass_at_lead, (-log1p(-_tail_at_lead), _LOST_AT_LEAD)))},
    ),
    stated(
        "thm7.laplace.T", "Theorem 7", "Laplace threshold of Algorithm 1", None,
        Calibration(
            laplace_threshold, laplace_new_mass, tight=False, by=LAPLACE_MASS,
            proof=_within_delta(some_of(new * delta_0, laplace_tail(x))),
        ),
        domain=T_BOX, falls=("delta",), rises=("delta_0",), privacy=LAPLACE_HISTOGRAM,
        points=points(_NAMES, (1, 1, 1, "1e-6"), (1, 1, "0.3", "3/4"), (5, 3, 1, "1e-300")),
        loose="1 - (1 - delta)^(1/Delta_0) may replace delta/Delta_0 (rogers2024.sharp.threshold)",
        note="Holds for delta > Delta_0/2 as well, where T < Delta_inf: e^-x/2 >= tail(x) for every real x.",
    ),
    refuted(
        "thm7.laplace.T_positive", "Algorithm 1 with Theorem 7",
        "The threshold that Algorithm 1 requires to be positive", r"T > 0 \text{ for } 0 < \delta \le 1",
        laplace_threshold > 0, by="thm7.laplace.T_positive.corrected",
        domain=(replace(DELTA_0, upper=10), DELTA_INF, EPSILON, replace(DELTA_LINEAR, open_upper=False)),
        note="Negative exactly when Delta_0 = 1, epsilon < log 2 and delta > e^epsilon / 2.",
    ),
    stated(
        "thm7.laplace.T_positive.corrected", "Algorithm 1 with Theorem 7",
        "The Laplace threshold is positive exactly where 2 delta < Delta_0 e^epsilon", None,
        eq(laplace_threshold, delta_inf / epsilon * log(delta_0 * exp(epsilon) / (2 * delta))), proof=Symbolic(),
        domain=T_BOX, note="The Gaussian threshold needs delta < Delta_0 to be finite.",
    ),
    stated(
        "thm7.laplace.rho", "Theorem 7", "Algorithm 1 with Laplace noise is delta-approximate Delta_0 epsilon^2/2-CDP",
        r"P \ge (1-\delta)P',\ Q = Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\Delta_0\varepsilon^2/2,\ \varepsilon = \Delta_\infty/b",
        FiniteStatement(
            cases,
            _rows(
                LAPLACE_PROMISE, b, threshold=_laplace_threshold, tail=special.laplace_tail, divergence=laplace_renyi
            ),
            _SIZES, _SIZE_TEXT, every=LAPLACE_ROWS, proof=_NONE_NAMED_OF_LAPLACE,
        ),
        domain=(DELTA_0, DELTA_INF, SCALE, DELTA), quantity=QuantityKind.RHO, role=Role.UPPER,
        privacy=LAPLACE_HISTOGRAM, evaluates=LAPLACE_ROWS.rho,
        loose="rho = Delta_0 (epsilon - 1 + e^-epsilon) is exact (rogers2024.sharp.laplace)",
    ),
    own(
        "thm7.laplace.profile", "Theorem 7 and its best conversion",
        "Privacy profile that Theorem 7 promises, Laplace noise",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = \Delta_0\Delta_\infty^2/(2b^2)",
        DeltaBound(
            LAPLACE_PROMISE.profile, exact=laplace_worst_known, pairs=Promised(LAPLACE_ROWS, {}),
            proof=converted(_NONE_NAMED_OF_LAPLACE, LAPLACE_PROMISE),
        ),
        domain=(LEVEL, DELTA_0, DELTA_INF, SCALE, DELTA), role=Role.UPPER, privacy=LAPLACE_HISTOGRAM,
        promise=LAPLACE_PROMISE,
    ),
    stated(
        "thm7.gaussian.T", "Theorem 7", "Gaussian threshold of Algorithm 1", None,
        Calibration(
            gaussian_threshold, gaussian_new_mass, tight=False, by=GAUSSIAN_MASS,
            proof=Derivative("delta", "lower", Rewrite(Sign(), right=slope_of_kept)),
        ),
        domain=T_BOX, falls=("delta",), rises=("delta_0",), privacy=GAUSSIAN_HISTOGRAM,
        points=points(_NAMES, (1, 1, 1, "1e-6"), (10, 5, "1/2", "1e-8"), (1, 1, 1, "1e-300")),
        loose="Pr[not E] = 1 - (1 - delta/Delta_0)^Delta_0, below delta for Delta_0 > 1", note="Needs delta < Delta_0.",
    ),
    stated(
        "thm7.gaussian.rho", "Theorem 7",
        "Algorithm 1 with Gaussian noise is delta-approximate Delta_0 epsilon^2/2-CDP",
        r"P \ge (1-\delta)P',\ Q = Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\Delta_0\varepsilon^2/2,\ \varepsilon = \Delta_\infty/\sigma",
        FiniteStatement(
            cases, _rows(GAUSSIAN, sigma, threshold=_gaussian_threshold, tail=gaussian_tail, divergence=alpha_rho),
            _SIZES, _SIZE_TEXT, every=ROWS, proof=_NONE_NAMED,
        ),
        domain=(DELTA_0, DELTA_INF, SIGMA, DELTA), quantity=QuantityKind.RHO, role=Role.UPPER,
        privacy=GAUSSIAN_HISTOGRAM, evaluates=ROWS.rho,
        note="Thresholding is post-processing. Attained by the pair A1.high.",
    ),
    own(
        "thm7.gaussian.profile", "Theorem 7 and its best conversion",
        "Privacy profile that Theorem 7 promises, Gaussian noise",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = \Delta_0\Delta_\infty^2/(2\sigma^2)",
        DeltaBound(
            GAUSSIAN.profile, pairs=Promised(ROWS, {}), proof=converted(_NONE_NAMED, GAUSSIAN),
            # At the threshold of Theorem 7 (rogers2024.thm7.gaussian.exact).
            exact=maximum(some_of(delta_0, delta / delta_0), profile(epsilon, sqrt(delta_0) * delta_inf / sigma)),
        ),
        domain=(LEVEL, DELTA_0, DELTA_INF, SIGMA, DELTA), role=Role.UPPER, privacy=GAUSSIAN_HISTOGRAM, promise=GAUSSIAN,
    ),
)  # fmt: skip
