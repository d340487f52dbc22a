"""Theorem 11: the Unknown Domain Binary Mechanism."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.binary import binary_digits, sum_by_ones
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import (
    gaussian_profile,
    integral,
    log_normal_cdf,
    normal_cdf,
    normal_pdf,
    normal_quantile_complement,
)
from proofs_numeric.rogers2024.achieved import UNION_MASS
from proofs_numeric.rogers2024.enumeration import floor_levels, levels
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    DELTA_LINEAR,
    EPSILON,
    ROUNDS,
    SIGMA,
    ours,
    printed,
)
from proofs_numeric.rogers2024.theorem_11.union import crossing
from proofs_numeric.rogers2024.thresholds import threshold_of_proof, threshold_of_statement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Editorial, Identity, Inequality
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    LargestTerm,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation


def mass_of_union(A: Arithmetic, *, lead: Number, L: int, delta_0: Number) -> Any:
    """``D_0 sum_r Phi(-lead/sqrt(ones(r)))``: union over items and rounds, each with its own noise terms."""
    return delta_0 * sum_by_ones(A, L, lambda ones: gaussian_tail(A, A.number(lead) / A.sqrt(A.number(ones))))


def union_mass(A: Arithmetic, *, value: Number, L: int, delta_0: Number, epsilon: Number, delta: Number) -> Any:
    """:func:`mass_of_union` at the threshold ``value``, where sigma is 1/epsilon."""
    return mass_of_union(A, lead=(A.number(value) - 1) * A.number(epsilon), L=L, delta_0=delta_0)


def mass_of_one_round(
    A: Arithmetic, *, value: Number, L: int, delta_0: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact Pr[some of D_0 new items is printed at a round of the most noise terms]: a part of Pr[not E]."""
    lead = (A.number(value) - 1) * A.number(epsilon)
    return above_any(A, delta_0, gaussian_tail(A, lead / A.sqrt(A.number(floor_levels(L)))))


def first_round_mass_of_statement(A: Arithmetic, *, L: int, delta_0: Number, epsilon: Number, delta: Number) -> Number:
    """Exact Pr[some of D_0 items new at round 1 is printed at round 1] at the statement's T: a part of Pr[not E]."""
    lead = (threshold_of_statement(A, L=L, delta_0=delta_0, epsilon=epsilon, delta=delta) - 1) * A.number(epsilon)
    return above_any(A, delta_0, gaussian_tail(A, lead))


def union_at_proof_threshold(A: Arithmetic, **parameters: Any) -> Any:
    """:func:`union_mass` at the proof's T."""
    return union_mass(A, value=threshold_of_proof(A, **parameters), **parameters)


def target(A: Arithmetic, *, delta: Number, **_parameters: Any) -> Number:
    """``delta``."""
    return A.number(delta)


def stream_new_mass_at(A: Arithmetic, *, lead: Number, L: int, delta_0: Number) -> Number:
    """Exact Pr[not E] of U1 for ``L`` in 1, 2, 3: D_0 items new at round 1, never seen again.

    ``lead = (T - 1)/sigma``.  Sums S_1, S_2 are independent; S_3 = S_2 + a fresh cell.
    """
    q = gaussian_tail(A, lead)
    if L == 1:
        survival_loss = q
    elif L == 2:
        survival_loss = q * (2 - q)
    else:
        # 1 - Phi(x) E[1{S_2 <= x} Phi(x - S_2)] with the loss of the average written as q + J.
        loss = q + _joint_loss(A, lead)
        survival_loss = q + loss - q * loss
    return above_any(A, delta_0, survival_loss)


def _joint_loss(A: Arithmetic, lead: Number) -> Number:
    def integrand(B: Arithmetic, u: Number) -> Number:
        return normal_pdf(B, u) * normal_cdf(B, u - lead)

    reach = 40
    return A.sum(integral(A, integrand, lead + i, lead + i + 4) for i in range(-2 * reach, 0, 4))


def stream_new_mass(A: Arithmetic, *, L: int, delta_0: Number, delta: Number) -> Number:
    """Pr[not E] of U1 at the proof's T."""
    lead = A.sqrt(A.number(levels(L))) * normal_quantile_complement(A, A.number(delta) / (delta_0 * L))
    return stream_new_mass_at(A, lead=lead, L=L, delta_0=delta_0)


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
    survival = A.number(1)
    for _item in range(delta_0):
        survival = survival * silent
    return 1 - survival


def stream_rho(A: Arithmetic, *, L: int, delta_0: Number, epsilon: Number) -> Number:
    """``D_0 ceil(log2(L+1)) epsilon^2 / 2``."""
    epsilon = A.number(epsilon)
    return A.number(delta_0) * binary_digits(A, L) * epsilon * epsilon / 2


def stream_renyi(A: Arithmetic, *, alpha: Number, L: int, delta_0: Number, sigma: Number) -> Number:
    """``alpha D_0 B / (2 sigma^2)``: Gaussian partial sums, D_0 items in B cells each."""
    return A.number(alpha) * delta_0 * levels(L) / (2 * A.number(sigma) * sigma)


def stream_renyi_without_half(A: Arithmetic, *, alpha: Number, L: int, delta_0: Number, sigma: Number) -> Number:
    """``alpha D_0 B / sigma^2``, as printed."""
    return 2 * stream_renyi(A, alpha=alpha, L=L, delta_0=delta_0, sigma=sigma)


def stream_promise(A: Arithmetic, *, L: int, delta_0: Number, sigma: Number, delta: Number) -> tuple[Any, Any]:
    """``(delta, D_0 B/(2 sigma^2))`` of Theorem 11."""
    return A.number(delta), stream_rho(A, L=L, delta_0=delta_0, epsilon=1 / A.number(sigma))


def stream_bound(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Number:
    """Delta that :func:`stream_promise` implies at ``epsilon``."""
    delta, rho = stream_promise(A, **parameters)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def stream_worst_known(A: Arithmetic, *, epsilon: Number, L: int, delta_0: Number, sigma: Number, delta: Number) -> Any:
    """Profile of U2 without censoring: D_0 items on the longest later path, ``floor(log2 L)`` cells."""
    cells = L.bit_length() - 1
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(cells) * delta_0) / sigma)


def conditional_survival(A: Arithmetic, *, x: Number, y: Number) -> Number:
    """``Pr[S_2 <= T | S_3 = y]`` on ({}, {u}, {u}), sigma = 1, ``x = T - 1``: ``Phi(sqrt(2)(x - (y-2)/2))``."""
    return normal_cdf(A, A.sqrt(2) * (A.number(x) - (A.number(y) - 2) / 2))


def unconditional_survival(A: Arithmetic, *, x: Number, y: Number) -> Number:
    """``Pr[E] = Pr[S_2 <= T] = Phi(x)``."""
    return normal_cdf(A, A.number(x))


def untruncated_renyi(A: Arithmetic, *, alpha: Number, x: Number, start: Number) -> Any:
    """At most ``D_alpha(Q||P')``: what [start, start + 1] adds, P' given that S_2 was suppressed, Q as it is.

    On ({}, {u}, {u}) against ({}, {}, {u}), sigma = 1, ``x = T - 1``: the count of round 3 is N(2, 2) weighed by
    :func:`conditional_survival`, against N(1, 2).
    """
    alpha, x, start = A.number(alpha), A.number(x), A.number(start)

    def density(B: Arithmetic, y: Number) -> Number:
        return B.exp(_log_power(B, alpha, x, y))

    return A.log(integral(A, density, start, start + 1) / A.sqrt(4 * A.pi)) / (alpha - 1)


def _log_power(A: Arithmetic, alpha: Number, x: Number, y: Number) -> Any:
    """Log of ``q(y)^alpha p'(y)^(1 - alpha)`` times ``sqrt(4 pi)``."""
    survival = log_normal_cdf(A, A.sqrt(2) * (x - (y - 2) / 2)) - log_normal_cdf(A, x)
    return -alpha * (y - 1) ** 2 / 4 - (1 - alpha) * (y - 2) ** 2 / 4 + (1 - alpha) * survival


def _excess(A: Arithmetic, *, alpha: Number, x: Number, beyond: Number) -> Any:
    """How far the count is above ``2 + 2 x``: far enough, and as far beyond as one likes."""
    alpha, x = A.number(alpha), A.number(x)
    return 2 * (alpha + 2 * x + 2) / (alpha - 2) + alpha * (1 + 2 * x) ** 2 / 4 + alpha + 1 + beyond


def log_power_far_out(A: Arithmetic, *, alpha: Number, x: Number, beyond: Number) -> Any:
    """Log of ``q(y)^alpha p'(y)^(1 - alpha)`` far out."""
    alpha, x = A.number(alpha), A.number(x)
    y = 2 + 2 * x + _excess(A, alpha=alpha, x=x, beyond=beyond)
    return _log_power(A, alpha, x, y) - A.log(4 * A.pi) / 2


def _quadratic(A: Arithmetic, *, alpha: Number, x: Number, beyond: Number) -> Any:
    """What is left of it with ``u^2/2`` for ``-log Phi(-u)`` and -1 for ``log Phi(x)``."""
    alpha, x, t = A.number(alpha), A.number(x), _excess(A, alpha=alpha, x=x, beyond=beyond)
    return (
        (alpha - 2) * t**2 / 4 - (alpha + 2 * x) * t / 2 - alpha * (1 + 2 * x) ** 2 / 4 + (alpha - 1) * (x**2 - 1) - 2
    )


def _beyond_square(A: Arithmetic, *, u: Number) -> Any:
    return -log_normal_cdf(A, -A.number(u)) - A.number(u) ** 2 / 2


def _orders(A: Arithmetic, *, alpha: Number, **_rest: Number) -> Any:
    return A.number(alpha) - 1


def _in_u(A: Arithmetic, **at: Number) -> Any:
    return _excess(A, **at) / A.sqrt(A.number(2))


def _tail_room(A: Arithmetic, **at: Number) -> Any:
    return _beyond_square(A, u=_in_u(A, **at))


def _start_room(A: Arithmetic, *, x: Number, **_rest: Number) -> Any:
    return log_normal_cdf(A, A.number(x)) + 1


def _both(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) * second(A, **at)


def _units(A: Arithmetic, **_rest: Number) -> Any:
    return 2 - A.log(4 * A.pi) / 2


_FAR_OUT = Through(
    _quadratic,
    Sign(),
    Sum(
        (
            Part(
                _both(_orders, _tail_room),
                Product(
                    (
                        Part(_orders),
                        Part(
                            _tail_room,
                            Substitute(
                                Box((Parameter("u", ""),)),
                                {"u": _in_u},
                                Derivative(
                                    "u", "lower", ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda _A, *, u: -u})
                                ),
                                zero,
                                _beyond_square,
                            ),
                        ),
                    )
                ),
            ),
            Part(_both(_orders, _start_room), Product((Part(_orders), Part(_start_room, Derivative("x", "lower"))))),
            Part(_units),
        )
    ),
)
"""The normal tail is below ``e^(-u^2/2)``; the quadratic that is left has a positive leading coefficient."""


def two_cells(A: Arithmetic, *, alpha: Number, **_rest: Any) -> Number:
    """``alpha D_0 B/2`` at L = 3, sigma = 1: ``alpha``."""
    return A.number(alpha)


_T_BOX = Box((ROUNDS, DELTA_0, EPSILON, DELTA))


_HALF_BOX = Box(
    _T_BOX.parameters, lambda L, delta_0, delta, **_rest: 2 * delta <= delta_0 * L, "2 delta <= delta_0 * L"
)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm11.T_stmt",
        source=printed("Theorem 11"),
        title="Threshold of the statement",
        statement=r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil + 1}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        kind=Calibration(
            threshold_of_statement,
            union_mass,
            tight=False,
            achieved_at_least=mass_of_one_round,
            by=UNION_MASS,
            proof=LargestTerm("L", crossing(more=1)),
        ),
        domain=_HALF_BOX,
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("delta_0",),
        role=Role.CALIBRATION,
        privacy=UNKNOWN_STREAM,
        points=({"L": 7, "delta_0": 1, "epsilon": 1, "delta": "1e-6"},),
        loose="the +1 under the root is not needed (rogers2024.thm11.T_proof)",
        note="Needs delta <= Delta_0 L / 2: else the quantile is negative and more variance lowers T.",
    ),
    Claim(
        id="rogers2024.thm11.T_stmt.as_printed",
        source=printed("Theorem 11"),
        title="The statement's threshold for any delta > 0",
        statement=r"\Pr[\text{a new item is printed at round 1}] \le \delta",
        kind=Inequality(first_round_mass_of_statement, target),
        domain=Box((replace(ROUNDS, upper=16, log=False), replace(DELTA_0, upper=8, log=False), EPSILON, DELTA_LINEAR)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.T_proof",
        note="Only at L = Delta_0 = 1, delta > 1/2: at delta = .9 the mass is .96504.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm11.T_proof",
        source=printed("Theorem 11, proof item 1"),
        title="Threshold of the proof",
        statement=r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        kind=Calibration(
            threshold_of_proof,
            union_mass,
            tight=False,
            achieved_at_least=mass_of_one_round,
            by=UNION_MASS,
            proof=Split("L", 1, LargestTerm("L", Symbolic()), LargestTerm("L", crossing())),
        ),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("delta_0",),
        role=Role.CALIBRATION,
        privacy=UNKNOWN_STREAM,
        points=(
            {"L": 7, "delta_0": 1, "epsilon": 1, "delta": "1e-6"},
            {"L": 1, "delta_0": 1, "epsilon": 1, "delta": "0.9"},
        ),
        loose="floor(log2(L+1)) for the ceiling, or the union summed exactly (rogers2024.sharp.binary)",
    ),
    Claim(
        id="rogers2024.thm11.new_item_mass",
        source=ours("Theorem 11"),
        title="Exact mass of new items over streams of up to three rounds",
        statement=r"\Pr[\neg E],\ L \le 3",
        kind=DeltaBound(
            stream_new_mass,
            oracle=stream_new_mass_by_survival,
            oracle_points=tuple({"L": n, "delta_0": d, "delta": "1e-3"} for n, d in ((1, 2), (2, 1), (3, 1), (3, 4))),
        ),
        domain=Box(
            (
                replace(ROUNDS, upper=3, log=False),
                replace(DELTA_0, upper=1000),
                replace(DELTA, lower="1e-9", upper="1/2"),
            )
        ),
        quantity=QuantityKind.PROBABILITY,
        cost=5,
        note="Items new at round 1 that never return (pair U1), at the proof's threshold.",
    ),
    Claim(
        id="rogers2024.thm11.union.mass",
        source=printed("Theorem 11, proof item 1"),
        title="New items are printed with at most the sum over items and rounds",
        statement=r"\Delta_0\sum_{r \le L}\Pr[N(0, \text{ones}(r)\sigma^2) \ge T - 1],\ \text{lead} = (T - 1)/\sigma",
        kind=DeltaBound(mass_of_union, exact=stream_new_mass_at),
        domain=Box(
            (
                replace(ROUNDS, upper=3, log=False),
                replace(DELTA_0, upper=1000),
                Parameter("lead", "T - 1 in units of one cell's noise", upper=40),
            )
        ),
        role=Role.UPPER,
        quantity=QuantityKind.PROBABILITY,
        note="The exact mass is known up to three rounds; the formula is that of any number.",
        cost=5,
    ),
    Claim(
        id="rogers2024.thm11.union",
        source=printed("Theorem 11, proof item 1"),
        title="Union bound over items and rounds",
        statement=r"\Delta_0\sum_{r \le L}\Pr[N(0, \text{ones}(r)\sigma^2) \ge T - 1] \le \delta",
        kind=Inequality(union_at_proof_threshold, target, proof=LargestTerm("L", crossing())),
        domain=_HALF_BOX,
        note="Covers release at every later round; that the rounds share noise is irrelevant to a union bound.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm11.factor",
        source=printed("Theorem 11, proof item 2"),
        title="The law of a stream factors",
        statement=r"\Pr[S_2 \le T \mid S_3 = y] = \Pr[S_2 \le T]",
        kind=Identity(conditional_survival, unconditional_survival),
        domain=Box(
            (
                Parameter("x", "(T - 1)/sigma", lower=0, upper=6),
                Parameter("y", "count printed at round 3", lower=0, upper=20),
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.rho",
        note="An item new at round 2 that returns at round 3: its suppressed count shares a partial sum with the "
        "printed one. At y = T + 6 the ratio is 0.0987.",
    ),
    Claim(
        id="rogers2024.thm11.factor.untruncated",
        source=printed("Theorem 11, proof item 2"),
        title="With the other side left untruncated the divergence is within the theorem's",
        statement=r"\frac{1}{\alpha-1}\log\int_s^{s+1} q(y)^\alpha p'(y)^{1-\alpha}\,dy \le \alpha",
        kind=Inequality(untruncated_renyi, two_cells),
        domain=Box(
            (
                Parameter("alpha", "Renyi order", lower=1, upper=10, open_lower=True),
                Parameter("x", "(T - 1)/sigma", lower=0, upper=6),
                Parameter("start", "lower end of the counts integrated over", lower=0, upper=200),
            )
        ),
        points=({"alpha": 3, "x": 4, "start": 40},),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.repair.thm11.truncated",
        note="It grows like (alpha - 2) s^2/4 over alpha - 1; that it is infinite is rogers2024.thm11.factor.infinite.",
        cost=5,
    ),
    Claim(
        id="rogers2024.thm11.factor.infinite",
        source=ours("Theorem 11, proof item 2"),
        title="... and it is infinite at every order above 2: from some count on what is integrated is at least 1",
        statement=r"q(y)^\alpha p'(y)^{1-\alpha} \ge 1,\ y \ge y_0(\alpha, x),\ \alpha > 2",
        kind=Inequality(zero, log_power_far_out, proof=_FAR_OUT),
        domain=Box(
            (
                Parameter("alpha", "Renyi order", lower=2, upper=10, open_lower=True),
                Parameter("x", "(T - 1)/sigma", lower=0, upper=6),
                Parameter("beyond", "count beyond y_0"),
            )
        ),
    ),
    Claim(
        id="rogers2024.thm11.renyi.as_printed",
        source=printed("Theorem 11, proof item 3"),
        title="The Renyi divergence of the partial sums without the half",
        statement=r"D_\alpha = \alpha\Delta_0\lceil\log_2(L+1)\rceil/\sigma^2",
        kind=Identity(stream_renyi, stream_renyi_without_half),
        domain=Box((ALPHA, ROUNDS, DELTA_0, SIGMA)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.rho",
        note="In print the inequality stands twice with the same arguments.",
    ),
    Claim(
        id="rogers2024.thm11.proof.letters",
        source=printed("Theorem 11, proof"),
        title="Which outcomes S is, a subset written as a member, and one divergence for two",
        statement=r"S \text{ is all outcomes}; \quad h \in h'; \quad D_\lambda(P'\|Q) \text{ twice}",
        kind=Editorial(
            printed="since the stream has an empty round l, S is all outcomes so that Q(y) = Q'(y); the common items "
            "of one stream and itself; D(P'||Q) <= b and D(P'||Q) <= b",
            corrected="S is every outcome that the stream without the event can give, so that Q(y) = Q'(y) on it; of "
            "both streams; D(P'||Q') <= b and D(Q'||P') <= b",
            reason="The other stream prints new items too: outside S the law P has mass, which is what delta pays for. "
            "Approximate CDP bounds the divergence in both directions, of P' and Q'.",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
)
