r"""Two thresholded rows: Lemma 5.3 and the tightness of Theorem 5.4 beyond one row, from the law itself.

Two changed rows with ``margin_1`` and ``margin_2`` (counts above tau* with the user; each one less without), noise
``N(0, sigma^2)``, each row withheld below tau*.  The rows are independent, so

    H(epsilon) = E over the first row's outcome o of  H_2(epsilon - log P_1(o)/Q_1(o)),

where ``H_2`` is the second row's own profile (:mod:`proofs_numeric.wilkins2024.lemma_5_3.one_row`), which has three
branches: ``f(1/sigma, e)`` for large e, then two that integrate in closed form.  One integral of an analytic function
is left.

The same decomposition gives Lemma 5.3 for any number of rows: replacing ``H_2`` by its bound ``f(1/sigma, .)`` at every
real level turns the second row into a Gaussian one, row by row; n Gaussian rows are at distance ``sqrt(n)/sigma``.
"""

import itertools
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic.special import integral, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.statements.profiles import PartlyShown, Withheld
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS
from proofs_numeric.wilkins2024.finite import RATIOS, FiniteLaw, hockey_stick, joint, laws, masses, probability
from proofs_numeric.wilkins2024.lemma_5_3.one_row import forward_row
from proofs_numeric.wilkins2024.outcomes import BY_WITHHELD, EQUAL, PRODUCT, RATIO, WITHHELD, of_sums
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

FAR = 38
"""Standard deviations integrated: the rest has mass below 1e-300 and is enclosed."""


def forward_rows(A: Arithmetic, *, epsilon: Number, sigma: Number, margin_1: Number, margin_2: Number) -> Number:
    """Exact hockey stick of two changed rows, user present against absent; any real epsilon."""
    epsilon, sigma = A.number(epsilon), A.number(sigma)
    first, second, unit = A.number(margin_1) / sigma, A.number(margin_2) / sigma, 1 / sigma
    half = unit / 2
    silent = log_normal_cdf(A, -first) - log_normal_cdf(A, unit - first)
    withheld = normal_cdf(A, -first) * forward_row(A, epsilon=epsilon - silent, sigma=sigma, margin=margin_2)
    # The first row is released at v standard deviations above its count: loss (v + 1/(2 sigma))/sigma.
    # H_2 changes its branch where its own best half-line, then the event of silence, comes to count.
    second_silent = log_normal_cdf(A, -second) - log_normal_cdf(A, unit - second)
    cut_from = sigma * epsilon - half - (half - second)
    silence_from = sigma * (epsilon - second_silent) - half
    start, far = A.maximum(-first, A.number(-FAR)), A.number(FAR)
    cut = A.maximum(start, cut_from)
    silence = A.maximum(cut, silence_from)

    def smooth(B: Arithmetic, v: Number) -> Number:
        return normal_pdf(B, v) * written_profile(B, epsilon - (v + half) * unit, unit)

    own_event = integral(A, smooth, start, A.maximum(start, A.minimum(cut, far)), bits=A.bits // 2)
    mass = normal_cdf(A, -cut) - normal_cdf(A, -silence)
    other = A.exp(epsilon) * (normal_cdf(A, -cut - unit) - normal_cdf(A, -silence - unit))
    released = normal_cdf(A, second) * mass - normal_cdf(A, second - unit) * other
    everything = normal_cdf(A, -silence) - A.exp(epsilon) * normal_cdf(A, -silence - unit)
    value = withheld + own_event + released + everything
    return A.between(value, value + 2 * normal_cdf(A, A.number(-FAR)))


def written_profile(B: Arithmetic, epsilon: Number, mu: Number) -> Number:
    """The Gaussian profile, written out: the kernels of `gaussian_profile` take real arguments."""
    return normal_cdf(B, mu / 2 - epsilon / mu) - B.exp(epsilon) * normal_cdf(B, -mu / 2 - epsilon / mu)


margin_1, margin_2, excess = symbols("margin_1 margin_2 excess")
_rows_forward = algorithm(forward_rows)()
forward_rows_swapped = _rows_forward(margin_1=margin_2, margin_2=margin_1)
"""The same with the rows in the other order: the first by its profile, the second by its outcomes."""
backward_rows = -expm1(epsilon) + exp(epsilon) * _rows_forward(epsilon=-epsilon)
"""Exact hockey stick of two changed rows, user absent against present: the complementary events, reflected."""
rows_bound = profile(epsilon, sqrt(2) / sigma)
"""``f(mu(2), epsilon)``, (5.6) and (5.7) at ``a_+ = 2``: the same rows without their thresholds."""
_log_all_shown = log_cdf(margin_1 / sigma) + log_cdf(margin_2 / sigma)
_all_shown = exp(_log_all_shown)
"""The chance that both rows are released."""
rows_bound_less_withheld = maximum(0, rows_bound - (1 - _all_shown))
"""``f(mu(2), epsilon)`` less the chance that some row is withheld; at least 0."""
_far_rows_shown = exp(c_u * log_cdf(excess / sigma))
"""The chance that all rows above tau* are released."""
_of_pairs = maximum(delta_infinite, delta_gaussian) - (1 - _far_rows_shown)
exact_less_withheld = maximum(0, _of_pairs)
"""Exact delta of Theorem 5.4 less the chance that some of the rows above tau* is withheld; at least 0."""

_LEVEL = Parameter("epsilon", "privacy-loss level", "nats", upper=100, log=True)
_TWO_ROWS = (
    Parameter("sigma", "standard deviation of the noise", "counts", "1/10", 100, log=True),
    *(Parameter(f"margin_{i}", f"count of row {i} with the user, less tau*", "counts", -300, 1000) for i in (1, 2)),
)
_FORWARD, _REAL = (Box((level, *_TWO_ROWS)) for level in (_LEVEL, replace(_LEVEL, lower=-20, upper=20, log=False)))
_CORNERS = points(
    "epsilon sigma margin_1 margin_2", (1, 1, -2, -2), ("1/10", 2, 1, 0), (0, 2, -5, 3), (20, "1/10", 3, 0),
    (1, 10, 300, 300),
)  # fmt: skip

_SEARCHED: dict[str, tuple[Value, Value]] = {
    "epsilon": (0, 100), "c_u": (1, 20), "sigma": ("1/10", 100), "gap": (-10, 500), "mu_o": (0, 10),
}  # fmt: skip
"""Ranges in which no number is too small to be told from 0, and no difference is lost to float64."""


def product_sums(case: tuple[FiniteLaw, FiniteLaw, FiniteLaw, FiniteLaw, Fraction]) -> Iterator[Instance]:
    """The profile of a product, and the mean over its first factor of the second's profile at a shifted level.

    What the first factor's other law alone has stands beside one of its outcomes.
    """
    left, right, left_2, right_2, ratio = case
    first = [(p, q) for p, q in masses(left, right) if p]
    alone = 1 - sum((q for _p, q in first), Fraction(0))
    steps = (
        {"p_1": p, "q_1": q, "p_2": p_2, "q_2": q_2, "q_alone": Fraction(0) if place else alone}
        for place, (p, q) in enumerate(first)
        for p_2, q_2 in masses(left_2, right_2)
    )
    shifted = (p * hockey_stick(left_2, right_2, ratio * q / p) for p, q in first)
    whole = hockey_stick(joint(left, left_2), joint(right, right_2), ratio)
    yield of_sums({"ratio": ratio}, steps, whole, sum(shifted, Fraction(0)))


def _products(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, FiniteLaw, FiniteLaw, Fraction]]:
    yield from itertools.product(laws(2, size), laws(2, size), laws(3, size), laws(3, size), RATIOS)


def withheld_sums(case: tuple[FiniteLaw, FiniteLaw, Fraction, frozenset[Hashable]]) -> Iterator[Instance]:
    """By how much the hockey stick falls by more than the probability under ``left`` of a set shown as one symbol."""
    left, right, ratio, hidden = case
    none = dict.fromkeys("pqrs", Fraction(0))
    both = zip({**left, **right}, masses(left, right), strict=True)
    steps = ({**none, **({"r": p, "s": q} if o in hidden else {"p": p, "q": q})} for o, (p, q) in both)
    lost, direct = probability(left, hidden), hockey_stick(left, right, ratio)
    after = hockey_stick(_symbol_for(left, hidden), _symbol_for(right, hidden), ratio)
    yield Instance({"ratio": lift(ratio)}, tuple(steps), direct - lost - after, Fraction(0))


def _symbol_for(law: FiniteLaw, hidden: frozenset[Hashable]) -> FiniteLaw:
    """What is shown: one symbol for all hidden outcomes."""
    return {None: probability(law, hidden), **{o: p for o, p in law.items() if o not in hidden}}


def _withholdings(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction, frozenset[Hashable]]]:
    hidden = [frozenset(chosen) for count in range(1, 4) for chosen in itertools.combinations(range(4), count)]
    yield from itertools.product(laws(4, size), laws(4, size), RATIOS, hidden)


def _bound(where: str, direction: str, exact: Formula, domain: Box) -> Claim:
    number = where[-1]
    return stated(
        f"lem5.3.{where}.two", "Lemma 5.3", f"Two thresholded rows are no worse than a Gaussian, {direction}",
        rf"H_{{\varepsilon_{number}}}(\text{{two rows}}) \le f(\sqrt2/\sigma, \varepsilon_{number})",
        DeltaBound(rows_bound, exact=exact, budgets=Budgets(zero, 2 / sigma**2)), equation="5.7",
        proof=WITHIN_BUDGETS, domain=domain, quantity=QuantityKind.DELTA, role=Role.UPPER, points=_CORNERS, cost=2,
        partial="two rows of any counts whose user is in no other aggregate (a_+ = 2, m = 1); any rows and aggregates: "
        f"wilkins2024.lem5.3.{where}.any",
        note="Searched against the law of the pair.",
    )  # fmt: skip


_EXACT_BY_PAIRS = largest_of(
    lift(0),
    (_of_pairs, largest_of((delta_infinite, Through(delta_infinite)), (delta_gaussian, Symbolic()), inside=True)),
)
"""The larger of the two deltas, less something, is not above them both less that of the second alone."""

CLAIMS = (
    own(
        "lem5.3.product", "Lemma 5.3", "Independent rows one at a time",
        r"H_{\varepsilon}(P_1\times P_2,Q_1\times Q_2)=\mathrm{E}_{o\sim P_1}H_{\varepsilon-\log "
        r"P_1(o)/Q_1(o)}(P_2,Q_2)",
        FiniteStatement(
            _products, Instances(product_sums), sizes(2, 3, 5), "denominator of the laws on 2 and 3 outcomes",
            every=PRODUCT, proof=EQUAL,
        ),
        domain=(RATIO,), note="In exact rationals, zeros and infinite losses included.",
    ),
    own(
        "lem5.3.withheld", "Lemma 5.3", "Withholding some outputs costs at most their chance",
        r"H_\varepsilon(P,Q)-P(R)\le H_\varepsilon(P_R,Q_R),\ P_R\text{ shows one symbol for all of }R",
        FiniteStatement(
            _withholdings, Instances(withheld_sums), sizes(2, 4, 6), "denominator of the laws on 4 outcomes",
            every=WITHHELD, proof=BY_WITHHELD,
        ),
        domain=(RATIO,), note="In exact rationals, every set R of outcomes.",
    ),
    own(
        "lem5.3.two.swapped", "Lemma 5.3", "Two rows may be swapped: by outcomes or by profile, either gives the same",
        r"H_\varepsilon(c_1,c_2)=H_\varepsilon(c_2,c_1)", Identity(forward_rows, forward_rows_swapped), domain=_FORWARD,
        points=_CORNERS, cost=4, quantity=QuantityKind.PROBABILITY,
        note="One row is integrated over its outcomes, of the other three branches of its profile are: an error in "
        "either is no symmetric one.",
    ),
    _bound("ub2", "user present against absent", forward_rows, _FORWARD),
    _bound("ub3", "user absent against present", backward_rows, _REAL),
    own(
        "lem5.3.tight.two", "Lemma 5.3", "The bound is the supremum over counts, for two rows",
        r"f(\sqrt2/\sigma,\varepsilon)-H_\varepsilon(c_1,c_2)\le1-\Phi((c_1-\tau^*)/\sigma)\Phi((c_2-\tau^*)/\sigma)\t"
        r"o0",
        DeltaBound(
            rows_bound_less_withheld, exact=forward_rows, pairs=PartlyShown(sqrt(2) / sigma, _all_shown),
            proof=Withheld(chance=Increasing("exp", _log_all_shown, zero)),
        ),
        domain=_FORWARD, points=_CORNERS, cost=2, note="The proof is the same for any number of rows.", role=Role.LOWER,
    ),
    stated(
        "thm5.4.exact", "Theorem 5.4", "The accounting is exact: thresholded rows come arbitrarily close",
        r"\delta_{(5.8)}-[1-\Phi(e/\sigma)^{C_u}]\le\max\{1-p^{C_u},\ H_\epsilon(C_u\text{ rows at "
        r"}\tau^*+e\,\|\,\tau^*+e-1)\}",
        DeltaBound(
            exact_less_withheld, exact=delta_exact, proof=Withheld(_EXACT_BY_PAIRS),
            pairs=PartlyShown(distance(rows=c_u), _far_rows_shown, delta_infinite),
        ),
        domain=(
            *(replace(DOMAIN[name], searched=ends) for name, ends in _SEARCHED.items()),
            Parameter("excess", "count above tau*", unit="counts", searched=(0, 1000)),
        ),
        assumptions=("counts unbounded", "at least C_u groups", "each row's aggregates may be mu_o apart"),
        points=points(
            "epsilon c_u sigma gap mu_o excess", (1, 2, 2, 6, 0, 20), (0, 1, 1, 3, "1/10", 6), ("1/2", 20, 3, 8, 0, 30),
        ),
        cost=2,
        note="The right side is the law of Algorithm 1 itself on two pairs; as the counts grow what is withheld "
        "vanishes, so no smaller delta works. With fewer than C_u groups replace C_u by their number. For two rows "
        "wilkins2024.lem5.3.tight.two has the law.",
        role=Role.LOWER,
    ),
)  # fmt: skip
"""Claims about two rows, checked against their law."""
