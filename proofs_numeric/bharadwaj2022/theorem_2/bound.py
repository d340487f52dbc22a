"""Theorem 2: the printed bound, its direction, its case split, and what is said of the sample's size."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import floor_of, larger_of
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import (
    ALPHA,
    ANY_K,
    ANY_TAU,
    EPSILON,
    EPSILON_ALPHA_TAU,
    SETTINGS,
    TAU_SMALL,
    K,
    P,
    Q,
    own,
    refuted,
    stated,
)
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import AtMost, DeltaBound, Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts
from proofs_numeric.statements.tactics import (
    Boxes,
    ByClaim,
    Given,
    Have,
    Increasing,
    Induction,
    Maximum,
    Part,
    Peak,
    Product,
    Sign,
    Slope,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)

DELTA_UPPER: dict[str, Any] = {"quantity": QuantityKind.DELTA, "role": Role.UPPER, "privacy": neighbours.ITEM}
"""What a claim that bounds the delta of one histogram says beside its formula."""
SMALL = Box((EPSILON, ALPHA, TAU_SMALL))
_SMALL_K = Box((replace(EPSILON, lower="1/20", upper=5), ALPHA, TAU_SMALL, K))
SHARE = Parameter("share", "delta over the printed bound", lower=0, upper=1)


def tight_or_larger_share(A: Arithmetic, *, share: Number, **point: Any) -> Any:
    """The delta that Theorem 2 as printed allows: any share of its bound."""
    return share * cells.theorem_2(A, **point)


def _tight_without_share(A: Arithmetic, *, share: Number, **point: Any) -> Number:
    del share
    return cells.tight(A, **point)


def printed_exact_binomial(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """``P[Bin(floor(tau / q), p) > tau]``: "the exact Binomial at k = tau / q" with the proof's strict inequality."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    k = floor_of(A, tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha))
    return cells.upper_tail(A, k, p, tau + 1)


def _count_at_least(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int) -> int:
    """Smallest bad shown count: v >= tau and v > k q."""
    return larger_of(A, tau, _least_bad(A, epsilon=epsilon, alpha=alpha, k=k))


def bad_probability(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int) -> Number:
    """``P[B >= tau, B > k q]`` for B ~ Bin(k, p)."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return cells.upper_tail(A, k, p, _count_at_least(A, epsilon=epsilon, alpha=alpha, tau=tau, k=k))


def _bad_probability_after(A: Arithmetic, *, k: int, **point: Any) -> Number:
    return bad_probability(A, k=k + 1, **point)


def shown(A: Arithmetic, *, p: Number, k: int, tau: int, more: int) -> Number:
    """``P[Bin(k, p) >= tau]``."""
    del more
    return cells.upper_tail(A, k, p, tau)


def shown_of_more(A: Arithmetic, *, k: int, more: int, **point: Any) -> Number:
    """``P[Bin(k + more, p) >= tau]``."""
    return shown(A, k=k + more, more=more, **point)


def _first_bad(A: Arithmetic, *, q: Number, k: int, **_rest: Any) -> int:
    return floor_of(A, k * q) + 1


def bad_counts(A: Arithmetic, *, p: Number, q: Number, k: int, **_tau: int) -> Any:
    """Hockey stick of k against k - 1 copies without a threshold, or with one that ``k q`` passes: the counts above."""
    return cells.at_threshold(A, p=p, q=q, k=k, tau=_first_bad(A, q=q, k=k))


def _bad_counts_after(A: Arithmetic, *, k: int, **rates: Any) -> Any:
    return bad_counts(A, k=k + 1, **rates)


def _mass_at(A: Arithmetic, *, p: Number, q: Number, k: int, tau: int) -> Number:
    """``b_k(tau)/(k (1 - q))``: times ``tau - k q`` what passing the threshold by one loses."""
    return (cells.upper_tail(A, k, p, tau) - cells.upper_tail(A, k, p, tau + 1)) / (k * (1 - q))


def _past_bad(_A: Arithmetic, *, q: Number, k: int, tau: int, **_p: Number) -> Number:
    return tau - k * q


def _before_bad(_A: Arithmetic, *, q: Number, k: int, tau: int, **_p: Number) -> Number:
    return k * q - tau


def _last_copy(sampled: int) -> Part:
    """The last of k + 1 copies is sampled, or not: then k copies are seen at this place, which is no better."""

    def chance(A: Arithmetic, *, p: Number, **_rest: Any) -> Any:
        return A.number(p if sampled else 1 - p)

    def place(A: Arithmetic, *, q: Number, k: int, **_p: Number) -> int:
        return _first_bad(A, q=q, k=k + 1) - sampled

    def worse(A: Arithmetic, **at: Any) -> Any:
        return bad_counts(A, **at) - cells.at_threshold(A, **at, tau=place(A, **at))

    return Part(
        lambda A, **at: chance(A, **at) * worse(A, **at),
        Product((Part(chance), Part(worse, ByClaim("bharadwaj2022.thm2.best_event", {"tau": place})))),
    )


def forward(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int) -> Any:
    """Exact forward hockey stick of k against k - 1 copies."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    t = _count_at_least(A, epsilon=epsilon, alpha=alpha, tau=tau, k=k)
    return cells.forward_at(A, factor=A.exp(epsilon), p=p, tau=t, k=k)


def by_counts(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int) -> Any:
    """The same hockey stick from its definition, count by count: no bad event is known."""
    p = A.number(alpha) * (1 - A.exp(-A.number(epsilon)))
    more, fewer = (cells.outcomes_from_coefficients(A, copies, p, tau) for copies in (k, k - 1))
    return cells.hockey_stick(A, more, fewer, A.exp(A.number(epsilon)))


def _copies_of_case_2(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, **_k: int) -> Any:
    """``tau / q``."""
    return tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha)


def _copies(A: Arithmetic, *, k: int, **_rest: Any) -> Any:
    return A.number(k)


_CASE_2 = Box(_SMALL_K.parameters, AtMost(_copies_of_case_2, _copies), "k >= tau / q")


def chernoff(A: Arithmetic, *, epsilon: Number, alpha: Number, k: int, **_tau: int) -> Number:
    """``exp(-k D(q || p))``, the right side of (5)."""
    q = cells.bad_rate(A, epsilon=epsilon, alpha=alpha)
    return A.exp(-k * q * cells.divergence(A, epsilon=epsilon, alpha=alpha))


def _chernoff_after(A: Arithmetic, *, k: int, **point: Any) -> Number:
    return chernoff(A, k=k + 1, **point)


def _exponent(A: Arithmetic, *, epsilon: Number, alpha: Number, **_k: Any) -> Number:
    """``D(q || p)``."""
    return cells.bad_rate(A, epsilon=epsilon, alpha=alpha) * cells.divergence(A, epsilon=epsilon, alpha=alpha)


def _share_shown(p: Number, s: Number) -> Number:
    return p + (1 - p) * s


def _exponent_a_client(A: Arithmetic, *, p: Number, s: Number) -> Number:
    """``D(x || p)/x`` at ``x = p + (1 - p) s``."""
    x = _share_shown(A.number(p), A.number(s))
    return cells.kl(A, q=x, p=p) / x


def _slope_scale(_A: Arithmetic, *, p: Number, s: Number) -> Number:
    return (1 - p) / _share_shown(p, s) ** 2


def _log_left(A: Arithmetic, *, p: Number, s: Number) -> Number:
    """``-ln((1 - x)/(1 - p))``."""
    del p
    return -A.log(1 - s)


def _rate(A: Arithmetic, *, epsilon: Number, alpha: Number, **_rest: int) -> Number:
    return cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)


def _share_of_bad_rate(A: Arithmetic, *, epsilon: Number, **_rest: Any) -> Any:
    """Where q lies between p and 1."""
    return -A.expm1(-epsilon)


def _least_bad(A: Arithmetic, *, epsilon: Number, alpha: Number, k: int, **_tau: int) -> int:
    return floor_of(A, k * cells.bad_rate(A, epsilon=epsilon, alpha=alpha)) + 1


def above_kq(A: Arithmetic, *, k: int, **at: Any) -> Number:
    """``P[Bin(k, p) > k q]``."""
    return cells.upper_tail(A, k, _rate(A, **at), _least_bad(A, k=k, **at))


def _above_kq_of_fewer(A: Arithmetic, *, k: int, **at: Any) -> Number:
    return cells.upper_tail(A, k - 1, _rate(A, **at), _least_bad(A, k=k, **at))


def size_before_threshold(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int) -> Any:
    """Exact delta of the sample's size before thresholding, k clients against k - 1."""
    del tau
    more, fewer = (shown(A, epsilon=epsilon, alpha=alpha, k=k) for shown in (above_kq, _above_kq_of_fewer))
    return more - A.exp(epsilon) * fewer


def tail(A: Arithmetic, *, p: Number, s: Number, k: int, tau: int) -> Number:
    """``P[Bin(k, p) >= tau]``."""
    del s
    return cells.upper_tail(A, k, p, tau)


_TAIL = Box((P, replace(ANY_K, lower=0), replace(ANY_TAU, lower=0)))
_TAIL_OF_FEWER = Substitute(
    _TAIL, {"p": _rate, "k": lambda _A, *, k, **_rest: k - 1, "tau": _least_bad}, Sign(), zero, cells.upper_tail
)


def tail_bound(A: Arithmetic, *, p: Number, s: Number, k: int, tau: int) -> Number:
    """``(p/x)^tau ((1 - p)/(1 - x))^(k - tau)`` at ``x = p + (1 - p) s``: Chernoff's bound, tilted to the mean k x."""
    p, s = A.number(p), A.number(s)
    return (p / _share_shown(p, s)) ** tau * (1 - s) ** (tau - k)


def _tilted(A: Arithmetic, *, p: Number, s: Number, k: int, tau: int) -> Number:
    return cells.upper_tail(A, k, _share_shown(A.number(p), A.number(s)), tau)


def _missed_when_tilted(A: Arithmetic, **at: Any) -> Any:
    return 1 - _tilted(A, **at)


_CHERNOFF_BOUND = Through(
    lambda A, **at: tail_bound(A, **at) * _tilted(A, **at),
    Induction(
        "k",
        Product((Part(tail_bound), Part(lambda _A, *, s, **_rest: s / (1 - s)), Part(_tilted))),
        base=Split("tau", 0, Sign(), Sign()),
    ),
    Product((Part(tail_bound), Part(_missed_when_tilted, Induction("tau")))),
)
"""One copy more adds ``p b_k(tau - 1)`` to the tail, and that and more to the tilted one with its weight."""


def at_bad_rate(threshold: Formula, copies: Formula, exponent: Formula, *parts: Part) -> Tactic:
    """The tail is at most its bound at x = q, whose logarithm is at most ``exponent``: by the product of the parts."""

    def at(A: Arithmetic, **values: Any) -> dict[str, Any]:
        return {"k": copies(A, **values), "tau": threshold(A, **values)}

    def bound(A: Arithmetic, **values: Any) -> Number:
        return tail_bound(A, p=_rate(A, **values), s=_share_of_bad_rate(A, **values), **at(A, **values))

    def log_bound(A: Arithmetic, *, epsilon: Number, alpha: Number, **values: Any) -> Any:
        counts = at(A, epsilon=epsilon, alpha=alpha, **values)
        log_odds = A.log((1 + alpha * A.exp(-epsilon)) / alpha)
        return epsilon * (counts["k"] - counts["tau"]) - log_odds * counts["tau"]

    return Through(
        bound,
        ByClaim("bharadwaj2022.thm2.tail", {"p": _rate, "s": _share_of_bad_rate, "k": copies, "tau": threshold}),
        Increasing("exp", log_bound, exponent, Product(parts)),
    )


def _bound_of_cells(A: Arithmetic, *, k: int, **point: Any) -> Any:
    del k
    return cells.theorem_2(A, **point)


def backward_by_counts(A: Arithmetic, *, epsilon: Number, p: Number) -> Any:
    """The largest hockey stick of fewer against more copies, count by count, of few of them and small thresholds."""
    return A.maximum(
        *(
            cells.cell_profile(A, factor=A.exp(A.number(epsilon)), p=A.number(p), tau=tau, k=k, forward=False)
            for tau, k in product(range(1, 4), range(1, 9))
        )
    )


def _one(_A: Arithmetic, **_parameters: Any) -> int:
    return 1


def _largest_backward(A: Arithmetic, *, epsilon: Number, p: Number, **_counts: int) -> Any:
    return A.maximum(0, cells.backward_rate(A, epsilon=epsilon, p=p))


def _copies_less(_A: Arithmetic, *, copies: int, **_rest: Any) -> int:
    return copies - 1


def _fewer_below(less: int) -> Part:
    """That one copy less shows less than ``beyond + 1 - less``: a probability."""

    def place(_A: Arithmetic, *, beyond: int, **_rest: Any) -> int:
        return beyond + 1 - less

    def chance(A: Arithmetic, *, p: Number, copies: int, beyond: int, **_epsilon: Number) -> Any:
        return 1 - cells.upper_tail(A, copies - 1, p, beyond + 1 - less)

    return Part(chance, ByClaim("bharadwaj2022.thm2.tail", {"k": _copies_less, "tau": place, "s": zero}))


def _fewer_above(A: Arithmetic, *, p: Number, copies: int, beyond: int, **_epsilon: Number) -> Any:
    return cells.upper_tail(A, copies - 1, p, beyond + 1)


def _above_rate(A: Arithmetic, *, epsilon: Number, p: Number, **_counts: int) -> Any:
    return _largest_backward(A, epsilon=epsilon, p=p) - cells.backward_rate(A, epsilon=epsilon, p=p)


def _times(first: Part, second: Part) -> Part:
    return Part(lambda A, **at: first.formula(A, **at) * second.formula(A, **at), Product((first, second)))


_BACKWARD = Sum(
    (
        _times(Part(_above_rate), _fewer_below(0)),
        _times(
            Part(_largest_backward),
            Part(
                _fewer_above,
                Substitute(
                    _TAIL,
                    {"k": _copies_less, "tau": lambda _A, *, beyond, **_rest: beyond + 1},
                    Sign(),
                    zero,
                    cells.upper_tail,
                ),
            ),
        ),
        _times(Part(lambda A, *, epsilon, p, **_counts: A.exp(A.number(epsilon)) * p), _fewer_below(1)),
    )
)
"""Of a law F, a copy less shows less by ``c F(t) - r p F(t - 1)``, c = 1 - r (1 - p)."""


def fixed_m(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, k: int, n: int) -> Number:
    """What "the cell is shown" gives away when m = p n is fixed and a client leaves."""
    p = cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    later = p * n / (n - 1)
    return cells.upper_tail(A, k, p, tau) - A.exp(epsilon) * cells.upper_tail(A, k - 1, later, tau)


def _later_rate(A: Arithmetic, *, n: int, **at: Any) -> Any:
    return _rate(A, **at) * n / (n - 1)


def _at_constant_rate(A: Arithmetic, *, tau: int, k: int, n: int, **at: Any) -> Any:
    del n
    p = _rate(A, **at)
    return cells.upper_tail(A, k, p, tau) - A.exp(at["epsilon"]) * cells.upper_tail(A, k - 1, p, tau)


def _more_shown_later(A: Arithmetic, *, tau: int, k: int, **at: Any) -> Any:
    early, late = (cells.upper_tail(A, k - 1, rate(A, **at), tau) for rate in (_rate, _later_rate))
    return late - early


_AT_CONSTANT_RATE = Have(
    AtMost(_later_rate, one, strict=True),
    Boxes(),
    Through(
        _at_constant_rate,
        Product(
            (
                Part(lambda A, *, epsilon, **_rest: A.exp(epsilon)),
                Part(
                    _more_shown_later,
                    Split(
                        "k",
                        1,
                        Sign(),
                        ByClaim(
                            "bharadwaj2022.thm2.shown_of_rate",
                            {"p": _rate, "p_2": _later_rate, "k": lambda _A, *, k, **_rest: k - 1},
                            {"p <": Boxes(), "p_2 <": Given()},
                        ),
                    ),
                ),
            )
        ),
        ByClaim(
            "bharadwaj2022.tight.every_count",
            {
                "p": _rate,
                "q": lambda A, *, epsilon, alpha, **_rest: cells.bad_rate(A, epsilon=epsilon, alpha=alpha),
                "more": lambda _A, **_rest: 0,
            },
        ),
    ),
)


def _q(A: Arithmetic, *, epsilon: Number, p: Number) -> Number:
    return 1 - A.exp(-epsilon) * (1 - p)


def _copies_whole(_A: Arithmetic, *, k: int, **_rest: Any) -> int:
    return k


def _log_chernoff(A: Arithmetic, *, k: int, **at: Any) -> Any:
    return -k * _exponent(A, **at)


def _above_kq(A: Arithmetic, *, k: int, **at: Any) -> Number:
    return _least_bad(A, k=k, **at) - k * cells.bad_rate(A, **at)


def _gain(A: Arithmetic, *, epsilon: Number, alpha: Number, **_k: int) -> Any:
    """``ln(q (1 - p)/(p (1 - q)))``."""
    return epsilon + A.log((1 + alpha * A.exp(-epsilon)) / alpha)


_EP = Box((EPSILON, P))
_CHERNOFF = Box((replace(EPSILON, lower="1/20", upper=5), ALPHA, K))


def _threshold(_A: Arithmetic, *, tau: int, **_rest: Any) -> int:
    return tau


def _bad_beyond(A: Arithmetic, *, tau: int, **at: Any) -> int:
    """How far the bad counts that are shown begin above the threshold."""
    return _count_at_least(A, tau=tau, **at) - tau


def _bad_rate(A: Arithmetic, *, epsilon: Number, alpha: Number, **_rest: Any) -> Number:
    return cells.bad_rate(A, epsilon=epsilon, alpha=alpha)


def _mass_of_bad(A: Arithmetic, *, q: Number, k: int, higher: int, beyond: int, p: Number) -> Number:
    return _mass_at(A, p=p, q=q, k=k, tau=_first_bad(A, q=q, k=k) + higher + beyond)


def _past_first_bad(A: Arithmetic, *, q: Number, k: int, higher: int, beyond: int, **_p: Number) -> Number:
    return _first_bad(A, q=q, k=k) + higher + beyond - k * q


def _all_bad(A: Arithmetic, *, p: Number, q: Number, k: int, higher: int, beyond: int) -> Any:
    return cells.at_threshold(A, p=p, q=q, k=k, tau=_first_bad(A, q=q, k=k) + higher + beyond)


_HIGHER = Substitute(
    Box(
        (
            P,
            Q,
            ANY_K,
            Parameter("higher", "threshold less first bad count", "clients", integer=True),
            Parameter("beyond", "how far above the threshold", "clients", integer=True),
        )
    ),
    {
        "p": _rate,
        "q": _bad_rate,
        "higher": lambda A, *, tau, k, **at: tau - _least_bad(A, k=k, **{n: at[n] for n in ("epsilon", "alpha")}),
    },
    Induction("beyond", Product((Part(_mass_of_bad), Part(_past_first_bad)))),
    _all_bad,
    lambda A, **at: _all_bad(A, **{**at, "beyond": 0}),
    {"higher": Given()},
)
"""Where all counts that are shown are bad, the more are the better."""

_BEST_EVENT = Maximum(
    (
        Part(lambda A, *, tau, **_rest: A.number(tau), _HIGHER),
        Part(
            lambda A, *, tau, beyond, **at: A.number(_least_bad(A, **at)),
            ByClaim(
                "bharadwaj2022.thm2.best_event",
                {"p": _rate, "q": _bad_rate, "tau": lambda _A, *, tau, beyond, **_rest: tau + beyond},
            ),
        ),
    ),
    inside=True,
)

CLAIMS = (
    stated(
        "thm2.stmt",
        "Theorem 2",
        "Sample-and-threshold is (epsilon, delta)-DP under add/remove",
        r"\delta\ge\exp(-\tfrac{\tau}{q}D(q\|p)),\ e^{-\epsilon}\le 1-p",
        DeltaBound(
            cells.theorem_2,
            exact=cells.tight,
            proof=Through(
                cells.delta_binom, ByClaim("bharadwaj2022.delta_binom"), ByClaim("bharadwaj2022.lem3.order.binomial")
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        loose="by 2.2e2 at the paper's default, see bharadwaj2022.tight",
        note="Direction of the printed inequality repaired (thm2.direction) and neighbours add/remove (thm2.repl).",
        **DELTA_UPPER,
    ),
    refuted(
        "thm2.direction",
        "Theorem 2",
        "Theorem 2 as printed: any delta up to the bound",
        r"\delta\le\exp(-\tfrac{\tau}{q}D(q\|p))\ \text{suffices}",
        Inequality(_tight_without_share, tight_or_larger_share),
        by="thm2.stmt",
        domain=Box((*SMALL.parameters, SHARE)),
        note="The printed inequality allows delta = 0.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "thm2.lower",
        "Theorem 2, (2)",
        "No backward loss if and only if p <= 1 - e^-epsilon",
        r"\max_{k,\tau}H_{e^\epsilon}(k-1\|k)=\max(0,1-e^\epsilon(1-p)),\ 0\iff p\le1-e^{-\epsilon}",
        DeltaBound(
            _largest_backward,
            oracle=backward_by_counts,
            oracle_points=(
                {"epsilon": "1/2", "p": "1/2"},
                {"epsilon": 0, "p": "1/10"},
                {"epsilon": 1, "p": "1/10"},
                {"epsilon": "1/10", "p": "1/10"},
            ),
            pairs=Counts(parameter_named("p"), _one, reverse=True),
            proof=BadCounts(fewer=_BACKWARD, worst=(AtCount(_one, fewer=True),), attained=Symbolic()),
        ),
        domain=Box((replace(EPSILON, lower=0, log=False), P)),
        quantity=QuantityKind.PROBABILITY,
        note="Attained by one client where every count is shown; a higher threshold tells a part of that. There is no "
        "loss at one tau long before: at p = epsilon = 0.1 and tau = 20 the largest is below 1e-134.",
    ),
    stated(
        "thm2.lower.iff",
        "Theorem 2, (2)",
        "The ratio of no shown count is below that of v = 0, which is 1 - p",
        r"1-p\le(1-p)\tfrac{k}{k-v},\text{ equal at }v=0,\ k=v+\text{left}",
        Inequality(
            lambda A, *, p, v, left: 1 - A.number(p),
            lambda A, *, p, v, left: (1 - A.number(p)) * (v + left) / A.number(left),
            proof=Product((Part(lambda A, *, p, v, left: (1 - A.number(p)) / left), Part(lambda _A, *, v, **_rest: v))),
        ),
        domain=Box(
            (
                P,
                Parameter("v", "shown count", "clients", 0, 10**9, integer=True, log=True),
                Parameter("left", "copies not sampled, k - v", "clients", 1, 10**9, integer=True, log=True),
            )
        ),
        note="So e^-epsilon is at most the ratio at every v if and only if at v = 0: e^-epsilon <= 1 - p.",
    ),
    stated(
        "thm2.upper",
        "Theorem 2, (3)",
        "The bad counts are those above k q",
        r"1-e^\epsilon\tfrac{k-v}{k(1-p)}=\tfrac{v-kq}{k(1-q)}",
        Identity(
            lambda A, *, epsilon, p, k, v: 1 - A.exp(epsilon) * (k - v) / (k * (1 - p)),
            lambda A, *, epsilon, p, k, v: (v - k * _q(A, epsilon=epsilon, p=p)) / (k * A.exp(-epsilon) * (1 - p)),
            proof=Symbolic(),
        ),
        domain=Box((EPSILON, P, K, replace(K, name="v", description="shown count"))),
    ),
    stated(
        "thm2.qprop",
        "Theorem 2, (4)",
        "p < q < 1",
        r"p<q=1-e^{-\epsilon}(1-p)<1",
        Inequality(lambda _A, *, epsilon, p: p, _q, Relation.LESS, proof=Sign()),
        domain=_EP,
    ),
    stated(
        "thm2.bad",
        "Theorem 2",
        "The delta of a count is gathered on its bad event, and nowhere else",
        r"H_{e^\epsilon}(k\|k-1)=\Pr[E_k]-e^\epsilon\Pr[E_{k-1}],\ E=\{B\ge\tau,\,B>kq\}",
        DeltaBound(
            forward,
            oracle=by_counts,
            oracle_points=(
                {"epsilon": 1, "alpha": "1/2", "tau": 3, "k": 5},
                {"epsilon": "1/2", "alpha": 1, "tau": 1, "k": 7},
                {"epsilon": 2, "alpha": "1/10", "tau": 4, "k": 4},
                {"epsilon": "1/10", "alpha": "1/6", "tau": 2, "k": 30},
            ),
            pairs=Counts(_rate, _threshold, _copies_whole),
            proof=BadCounts(_BEST_EVENT, worst=(AtCount(_copies_whole, _bad_beyond),), attained=Symbolic()),
        ),
        domain=Box((EPSILON, ALPHA, ANY_TAU, ANY_K)),
        note="So at most Pr[B >= tau, B > kq]. With the printed event B > max(kq, tau) even that fails at k = tau "
        "(thm2.bad.strict).",
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm2.bad.strict",
        "Theorem 2",
        "The printed bad event is strict in tau",
        r"H_{e^\epsilon}(k\|k-1)\le\Pr[B>\max(kq,\tau)]",
        Inequality(forward, lambda A, *, tau, **rest: bad_probability(A, tau=tau + 1, **rest)),
        by="thm2.bad",
        domain=_SMALL_K,
        note="At k = tau the printed probability is 0 and the delta is p^tau.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "thm2.case1",
        "Theorem 2, Case 1",
        "The probability that a count is shown grows with the number of copies",
        r"\Pr[B_k\ge\tau]\le\Pr[B_{k+m}\ge\tau]",
        Inequality(shown, shown_of_more, proof=Induction("more")),
        domain=Box((P, ANY_K, ANY_TAU, Parameter("more", "copies more, m", "clients", integer=True))),
        note="For k <= tau/q it is the bad event's, as there v >= tau has v > k q or v = k q = tau, which counts "
        "nothing. The delta itself is not monotone: it peaks at k*.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.best_event",
        "Theorem 2",
        "Of all events that a count is large, the bad one tells most",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_k(t')-e^\epsilon S_{k-1}(t'),\ t'=\lfloor kq\rfloor+1",
        Inequality(
            cells.at_threshold,
            bad_counts,
            proof=Peak(
                "tau",
                _first_bad,
                rises=Product((Part(_mass_at), Part(_before_bad))),
                falls=Product((Part(_mass_at), Part(_past_bad))),
            ),
        ),
        domain=Box((P, Q, ANY_K, replace(ANY_TAU, lower=0))),
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm2.case2",
        "Theorem 2, Case 2",
        "For k >= tau/q the bad event's probability falls with k",
        r"\Pr[B_{k+1}>(k+1)q]\le\Pr[B_k>kq]",
        Inequality(_bad_probability_after, bad_probability),
        by="thm2.case2.corrected",
        domain=_CASE_2,
        note="Only the Chernoff bound falls; with lattice effects the exact probability jumps up.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.case2.corrected",
        "Theorem 2, Case 2",
        "For k >= tau/q, where k q passes the threshold, the exact hockey stick never grows with k",
        r"H_{e^\epsilon}(k+1\|k)\le H_{e^\epsilon}(k\|k-1)",
        Inequality(_bad_counts_after, bad_counts, proof=Sum((_last_copy(1), _last_copy(0)))),
        domain=Box((P, Q, ANY_K)),
        note="Of the counts above k q, for every k: the last client is a coin that both neighbours have.",
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm2.case2.tightest",
        "Theorem 2, Case 2",
        "Among k >= tau/q Chernoff's bound is smallest at the smallest k",
        r"\exp(-kD(q\|p))\le\exp(-(k+1)D(q\|p))",
        Inequality(chernoff, _chernoff_after),
        by="thm2.case2.largest",
        domain=_CHERNOFF,
        note='"the tightest bound is for the smallest value of k" means the largest, the one that all others keep.',
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.case2.largest",
        "Theorem 2, Case 2",
        "Chernoff's bound falls with k: the smallest k is the worst",
        r"\exp(-(k+1)D(q\|p))<\exp(-kD(q\|p))",
        Inequality(
            _chernoff_after,
            chernoff,
            Relation.LESS,
            proof=Increasing(
                "exp",
                lambda A, *, k, **point: -(k + 1) * _exponent(A, **point),
                lambda A, *, k, **point: -k * _exponent(A, **point),
                Product((Part(_exponent, Boxes()),)),
            ),
        ),
        domain=_CHERNOFF,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.exponent",
        "Theorem 2, Case 1",
        "Chernoff's exponent a shown client grows with the share shown, above p",
        r"x\mapsto D(x\|p)/x\ \text{increases},\quad x=p+(1-p)s>p",
        Monotonicity(
            _exponent_a_client, "s", increasing=True, proof=Slope(Product((Part(_slope_scale), Part(_log_left))))
        ),
        domain=Box(
            (P, Parameter("s", "share of the way from p to 1", lower=0, upper=1, open_lower=True, open_upper=True))
        ),
        note="So Case 1's bound exp(-k D(tau/k || p)) grows with k, up to Theorem 2's at k = tau/q.",
    ),
    stated(
        "thm2.chern",
        "Theorem 2, (5)",
        "Chernoff-Hoeffding for the bad event",
        r"\Pr[B(k,p)>kq]\le\exp(-kD(q\|p))",
        Inequality(
            above_kq,
            chernoff,
            proof=at_bad_rate(_least_bad, _copies_whole, _log_chernoff, Part(_above_kq), Part(_gain)),
        ),
        domain=Box((EPSILON, ALPHA, ANY_K)),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.tail",
        "Theorem 2, (5)",
        "Chernoff's bound of a binomial tail, tilted to any larger mean",
        r"\Pr[\mathrm{Bin}(k,p)\ge t]\le(p/x)^t\left(\tfrac{1-p}{1-x}\right)^{k-t},\quad x=p+(1-p)s\ge p",
        Inequality(tail, tail_bound, proof=_CHERNOFF_BOUND),
        domain=Box(
            (*_TAIL.parameters, Parameter("s", "share of the way from p to 1", lower=0, upper=1, open_upper=True))
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm2.exactk",
        "Section 3.1",
        "The exact binomial at k = tau/q, with the proof's strict inequality",
        r"\delta\le\Pr[B(\lfloor\tau/q\rfloor,p)>\tau]",
        Inequality(cells.tight, printed_exact_binomial),
        by="delta_binom",
        evaluates=printed_exact_binomial,
        domain=Box((EPSILON, ALPHA, replace(TAU_SMALL, lower=1))),
        note="5.500e-15 against 6.869e-15 at the paper's default.",
        **DELTA_UPPER,
    ),
    refuted(
        "thm2.size",
        "Section 3.2",
        "The size of the sample is DP by Theorem 2",
        r"H_{e^\epsilon}(\mathrm{Bin}(n+1,p)\|\mathrm{Bin}(n,p))\le\exp(-\tfrac{\tau}{q}D(q\|p))",
        Inequality(size_before_threshold, _bound_of_cells),
        by="thm2.size.corrected",
        domain=_SMALL_K,
        note="With few clients the size tells (n = 1: delta = p); it holds for n + 1 >= tau/q.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.size.corrected",
        "Section 3.2",
        "The size of the sample keeps the bound once n + 1 >= tau/q",
        r"n+1\ge\tau/q",
        Inequality(
            size_before_threshold,
            _bound_of_cells,
            proof=Through(
                above_kq,
                Product(
                    (Part(lambda A, *, epsilon, **_rest: A.exp(epsilon)), Part(_above_kq_of_fewer, _TAIL_OF_FEWER))
                ),
                Through(
                    chernoff,
                    ByClaim("bharadwaj2022.thm2.chern"),
                    Increasing(
                        "exp",
                        _log_chernoff,
                        lambda A, *, k, tau, **at: -tau * cells.divergence(A, **at),
                        Product(
                            (
                                Part(_exponent, Boxes()),
                                Part(lambda A, *, k, **at: k - _copies_of_case_2(A, **at), Given()),
                            )
                        ),
                    ),
                ),
            ),
        ),
        domain=_CASE_2,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.shown_of_rate",
        "Theorem 2",
        "The probability that a count is shown grows with the sampling rate",
        r"p\mapsto\Pr[\mathrm{Bin}(k,p)\ge\tau]\ \text{increases}",
        Monotonicity(
            lambda A, *, p, k, tau: cells.upper_tail(A, k, p, tau), "p", increasing=True, strict=False, proof=Slope()
        ),
        domain=Box((P, ANY_K, ANY_TAU)),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.mfixed.shown",
        "Section 3.1",
        "With m fixed, that the cell which lost a copy is shown gives away no more than at constant p",
        r"\Pr[\mathrm{Bin}(k,\tfrac mn)\ge\tau]-e^\epsilon\Pr[\mathrm{Bin}(k-1,\tfrac m{n-1})\ge\tau]"
        r"\le\delta_{\mathrm{tight}}",
        Inequality(
            fixed_m,
            lambda A, *, epsilon, alpha, tau, k, n: cells.tight(A, epsilon=epsilon, alpha=alpha, tau=tau),
            proof=_AT_CONSTANT_RATE,
        ),
        domain=Box(
            (
                *_SMALL_K.parameters,
                Parameter("n", "clients", unit="clients", lower=1000, upper=10**9, integer=True, log=True),
            )
        ),
        quantity=QuantityKind.PROBABILITY,
        note="One event of one cell; the other cells tell, too (thm2.mfixed).",
    ),
)
