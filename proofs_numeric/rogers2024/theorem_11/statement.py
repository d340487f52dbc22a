"""Theorem 11: the Unknown Domain Binary Mechanism."""

import math
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic.binary import sum_by_ones
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.achieved import UNION_MASS
from proofs_numeric.rogers2024.conversion import Promise
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail, some_of
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_11.union import crossing
from proofs_numeric.rogers2024.thresholds import digits, floor_levels, threshold_of_proof, threshold_of_statement
from proofs_numeric.statements.box import points


def mass_of_union(A: Arithmetic, *, lead: Number, L: int, delta_0: Number) -> Any:
    """``D_0 sum_r Phi(-lead/sqrt(ones(r)))``: union over items and rounds, each with its own noise terms."""
    return delta_0 * sum_by_ones(A, L, lambda ones: gaussian_tail(A, A.number(lead) / A.sqrt(A.number(ones))))


L, value, x, y, u, beyond = symbols("L value x y u beyond")
_lead = (value - 1) * epsilon
union_mass = algorithm(mass_of_union)(lead=_lead)
"""At the threshold ``value``, where sigma is 1/epsilon."""
mass_of_one_round = some_of(delta_0, Phi(-(_lead / sqrt(floor_levels(L)))))
"""Exact Pr[some of D_0 new items is printed at a round of the most noise terms]: a part of Pr[not E]."""
first_round_mass_of_statement = some_of(delta_0, Phi(-_lead(value=threshold_of_statement)))
"""Exact Pr[some of D_0 items new at round 1 is printed at round 1] at the statement's T: a part of Pr[not E]."""


def stream_new_mass_at(A: Arithmetic, *, lead: Number, L: int, delta_0: Number) -> Number:
    """Exact Pr[not E] of U1 for ``L`` in 1, 2, 3: D_0 items new at round 1, never seen again.

    ``lead = (T - 1)/sigma``.  Sums S_1, S_2 are independent; S_3 = S_2 + a fresh cell.
    """
    q: Any = gaussian_tail(A, lead)
    if L == 1:
        return above_any(A, delta_0, q)
    if L == 2:
        return above_any(A, delta_0, q * (2 - q))

    def joint(B: Arithmetic, u: Number) -> Number:
        return normal_pdf(B, u) * normal_cdf(B, u - lead)

    # 1 - Phi(x) E[1{S_2 <= x} Phi(x - S_2)] with the loss of the average written as q + J.
    loss = q + A.sum(integral(A, joint, lead + i, lead + i + 4) for i in range(-80, 0, 4))
    return above_any(A, delta_0, q + loss - q * loss)


stream_new_mass = algorithm(stream_new_mass_at)(lead=sqrt(digits(L)) * quantile_complement(delta / (delta_0 * L)))
"""Pr[not E] of U1 at the proof's T."""


def stream_new_mass_by_survival(A: Arithmetic, *, L: int, delta_0: int, delta: Number) -> Number:
    """The same from the other side: no item crosses at any round, the average over S_2 integrated, item by item."""
    lead = A.sqrt(A.number(len(f"{L:b}"))) * normal_quantile_complement(A, A.number(delta) / (delta_0 * L))
    silent = normal_cdf(A, lead)

    def both(B: Arithmetic, x: Number) -> Number:
        return normal_pdf(B, x) * normal_cdf(B, lead - x)

    if L == 2:
        silent = silent * silent
    elif L == 3:
        silent = silent * A.sum(integral(A, both, lead - n - 1, lead - n) for n in range(60))
    return 1 - math.prod(silent for _item in range(delta_0))


stream_rho = delta_0 * digits(L) * epsilon * epsilon / 2
STREAM = Promise(stream_rho(epsilon=1 / sigma), delta)
"""Of Theorem 11."""
stream_renyi = alpha * delta_0 * digits(L) / (2 * sigma * sigma)
"""Gaussian partial sums, D_0 items in B cells each."""
stream_worst_known = profile(epsilon, sqrt((digits(L) - 1) * delta_0) / sigma)
"""Profile of U2 without censoring: D_0 items on the longest later path, ``floor(log2 L)`` cells."""
conditional_survival = Phi(sqrt(2) * (x - (y - 2) / 2))
"""``Pr[S_2 <= T | S_3 = y]`` on ({}, {u}, {u}), sigma = 1, ``x = T - 1``."""
_log_suppressed = log_cdf(sqrt(2) * (x - (y - 2) / 2)) - log_cdf(x)
_log_power = -alpha * (y - 1) ** 2 / 4 - (1 - alpha) * (y - 2) ** 2 / 4 + (1 - alpha) * _log_suppressed
"""Log of ``q(y)^alpha p'(y)^(1 - alpha)`` times ``sqrt(4 pi)``."""


def untruncated_renyi(A: Arithmetic, *, alpha: Number, x: Number, start: Number) -> Any:
    """At most ``D_alpha(Q||P')``: what [start, start + 1] adds, P' given that S_2 was suppressed, Q as it is.

    On ({}, {u}, {u}) against ({}, {}, {u}), sigma = 1, ``x = T - 1``: the count of round 3 is N(2, 2) weighed by
    ``conditional_survival``, against N(1, 2).
    """
    alpha, x, start = A.number(alpha), A.number(x), A.number(start)
    added = integral(A, lambda B, y: B.exp(_log_power(B, alpha=alpha, x=x, y=y)), start, start + 1)
    return A.log(added / A.sqrt(4 * A.pi)) / (alpha - 1)


_excess = 2 * (alpha + 2 * x + 2) / (alpha - 2) + alpha * (1 + 2 * x) ** 2 / 4 + alpha + 1 + beyond
"""How far the count is above ``2 + 2 x``: far enough, and as far beyond as one likes."""
_quadratic = (
    (alpha - 2) * _excess**2 / 4 - (alpha + 2 * x) * _excess / 2 - alpha * (1 + 2 * x) ** 2 / 4 + (alpha - 1) * (
        x**2 - 1
    ) - 2
)  # fmt: skip
"""What is left of it with ``u^2/2`` for ``-log Phi(-u)`` and -1 for ``log Phi(x)``."""
_beyond_square, _in_u = -log_cdf(-u) - u**2 / 2, _excess / sqrt(2)
_TAIL_ROOM = (
    _beyond_square(u=_in_u),
    Substitute(
        Box((Parameter("u", ""),)), {"u": _in_u},
        Derivative("u", "lower", ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -u})), zero, _beyond_square,
    ),
)  # fmt: skip
_FAR_OUT = Through(
    _quadratic, Sign(),
    sum_of(
        factors(alpha - 1, _TAIL_ROOM), factors(alpha - 1, (log_cdf(x) + 1, Derivative("x", "lower"))),
        2 - log(4 * pi) / 2,
    ),
)  # fmt: skip
"""The normal tail is below ``e^(-u^2/2)``; the quadratic that is left has a positive leading coefficient."""
_X = Parameter("x", "(T - 1)/sigma", upper=6)
_FEW_ROUNDS = replace(ROUNDS, upper=3, log=False), replace(DELTA_0, upper=1000)
_T_BOX = Box((ROUNDS, DELTA_0, EPSILON, DELTA))
HALF_BOX = Box(_T_BOX.parameters, lambda L, delta_0, delta, **_rest: 2 * delta <= delta_0 * L, "2 delta <= delta_0 * L")

CLAIMS = (
    stated(
        "thm11.T_stmt", "Theorem 11", "Threshold of the statement",
        r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil + 1}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        Calibration(
            threshold_of_statement, union_mass, tight=False, achieved_at_least=mass_of_one_round, by=UNION_MASS,
            proof=LargestTerm("L", crossing(more=1)),
        ),
        domain=HALF_BOX, falls=("delta",), rises=("delta_0",), privacy=UNKNOWN_STREAM,
        points=({"L": 7, "delta_0": 1, "epsilon": 1, "delta": "1e-6"},),
        loose="the +1 under the root is not needed (rogers2024.thm11.T_proof)",
        note="Needs delta <= Delta_0 L / 2: else the quantile is negative and more variance lowers T.",
    ),
    refuted(
        "thm11.T_stmt.as_printed", "Theorem 11", "The statement's threshold for any delta > 0",
        r"\Pr[\text{a new item is printed at round 1}] \le \delta", first_round_mass_of_statement <= delta,
        by="thm11.T_proof",
        domain=(replace(ROUNDS, upper=16, log=False), replace(DELTA_0, upper=8, log=False), EPSILON, DELTA_LINEAR),
        note="Only at L = Delta_0 = 1, delta > 1/2: at delta = .9 the mass is .96504.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "thm11.T_proof", "Theorem 11, proof item 1", "Threshold of the proof",
        r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        Calibration(
            threshold_of_proof, union_mass, tight=False, achieved_at_least=mass_of_one_round, by=UNION_MASS,
            proof=Split("L", 1, LargestTerm("L", Symbolic()), LargestTerm("L", crossing())),
        ),
        domain=_T_BOX, falls=("delta",), rises=("delta_0",), privacy=UNKNOWN_STREAM,
        points=points("L delta_0 epsilon delta", (7, 1, 1, "1e-6"), (1, 1, 1, "0.9")),
        loose="floor(log2(L+1)) for the ceiling, or the union summed exactly (rogers2024.sharp.binary)",
    ),
    own(
        "thm11.new_item_mass", "Theorem 11", "Exact mass of new items over streams of up to three rounds",
        r"\Pr[\neg E],\ L \le 3",
        DeltaBound(
            stream_new_mass, oracle=stream_new_mass_by_survival,
            oracle_points=tuple({"L": n, "delta_0": d, "delta": "1e-3"} for n, d in ((1, 2), (2, 1), (3, 1), (3, 4))),
        ),
        domain=(*_FEW_ROUNDS, replace(DELTA, lower="1e-9", upper="1/2")), quantity=QuantityKind.PROBABILITY, cost=5,
        note="Items new at round 1 that never return (pair U1), at the proof's threshold.",
    ),
    stated(
        "thm11.union.mass", "Theorem 11, proof item 1",
        "New items are printed with at most the sum over items and rounds",
        r"\Delta_0\sum_{r \le L}\Pr[N(0, \text{ones}(r)\sigma^2) \ge T - 1],\ \text{lead} = (T - 1)/\sigma",
        DeltaBound(mass_of_union, exact=stream_new_mass_at),
        domain=(*_FEW_ROUNDS, Parameter("lead", "T - 1 in units of one cell's noise", upper=40)),
        role=Role.UPPER, quantity=QuantityKind.PROBABILITY,
        note="The exact mass is known up to three rounds; the formula is that of any number.", cost=5,
    ),
    stated(
        "thm11.union", "Theorem 11, proof item 1", "Union bound over items and rounds",
        r"\Delta_0\sum_{r \le L}\Pr[N(0, \text{ones}(r)\sigma^2) \ge T - 1] \le \delta",
        union_mass(value=threshold_of_proof) <= delta, proof=LargestTerm("L", crossing()), domain=HALF_BOX,
        note="Covers release at every later round; that the rounds share noise is irrelevant to a union bound.",
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm11.factor", "Theorem 11, proof item 2", "The law of a stream factors",
        r"\Pr[S_2 \le T \mid S_3 = y] = \Pr[S_2 \le T]", eq(conditional_survival, Phi(x)), by="thm11.rho",
        domain=(_X, Parameter("y", "count printed at round 3", upper=20)),
        note="An item new at round 2 that returns at round 3: its suppressed count shares a partial sum with the "
        "printed one. At y = T + 6 the ratio is 0.0987.",
    ),
    refuted(
        "thm11.factor.untruncated", "Theorem 11, proof item 2",
        "With the other side left untruncated the divergence is within the theorem's",
        r"\frac{1}{\alpha-1}\log\int_s^{s+1} q(y)^\alpha p'(y)^{1-\alpha}\,dy \le \alpha",
        Inequality(untruncated_renyi, alpha), by="repair.thm11.truncated",
        domain=(
            Parameter("alpha", "Renyi order", lower=1, upper=10, open_lower=True), _X,
            Parameter("start", "lower end of the counts integrated over", upper=200),
        ),
        points=({"alpha": 3, "x": 4, "start": 40},),
        note="It grows like (alpha - 2) s^2/4 over alpha - 1; that it is infinite is rogers2024.thm11.factor.infinite.",
        cost=5,
    ),
    own(
        "thm11.factor.infinite", "Theorem 11, proof item 2",
        "... and it is infinite at every order above 2: from some count on what is integrated is at least 1",
        r"q(y)^\alpha p'(y)^{1-\alpha} \ge 1,\ y \ge y_0(\alpha, x),\ \alpha > 2",
        _log_power(y=2 + 2 * x + _excess) - log(4 * pi) / 2 >= 0, proof=_FAR_OUT,
        domain=(
            Parameter("alpha", "Renyi order", lower=2, upper=10, open_lower=True), _X,
            Parameter("beyond", "count beyond y_0"),
        ),
    ),
    refuted(
        "thm11.renyi.as_printed", "Theorem 11, proof item 3",
        "The Renyi divergence of the partial sums without the half",
        r"D_\alpha = \alpha\Delta_0\lceil\log_2(L+1)\rceil/\sigma^2", eq(stream_renyi, 2 * stream_renyi),
        by="thm11.rho", domain=(ALPHA, ROUNDS, DELTA_0, SIGMA),
        note="In print the inequality stands twice with the same arguments.",
    ),
    uncheckable(
        "thm11.proof.letters", "Theorem 11, proof",
        "Which outcomes S is, a subset written as a member, and one divergence for two",
        r"S \text{ is all outcomes}; \quad h \in h'; \quad D_\lambda(P'\|Q) \text{ twice}",
        Editorial(
            printed="since the stream has an empty round l, S is all outcomes so that Q(y) = Q'(y); the common items "
            "of one stream and itself; D(P'||Q) <= b and D(P'||Q) <= b",
            corrected="S is every outcome that the stream without the event can give, so that Q(y) = Q'(y) on it; of "
            "both streams; D(P'||Q') <= b and D(Q'||P') <= b",
            reason="The other stream prints new items too: outside S the law P has mass, which is what delta pays "
            "for. Approximate CDP bounds the divergence in both directions, of P' and Q'.",
        ),
    ),
)  # fmt: skip
