"""Theorem 11: virtual items couple the Unknown Domain Binary Mechanism on neighbouring streams."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from proofs_numeric.arithmetic import Ball
from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.rogers2024.conversion import converted
from proofs_numeric.rogers2024.enumeration import cells_of_event, cells_of_sum, levels
from proofs_numeric.rogers2024.laws import gaussian_tail, truncated_renyi_excess
from proofs_numeric.rogers2024.lemma_4_1 import ABOVE_TANGENT, half_spaces_bound
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    EPSILON,
    LEVEL,
    ROUNDS,
    SIGMA,
    delta,
    delta_0,
    epsilon,
    own,
    sigma,
    stated,
)
from proofs_numeric.rogers2024.theorem_11.statement import STREAM, L, stream_rho, stream_worst_known
from proofs_numeric.rogers2024.theorem_11.union import crossing, noises
from proofs_numeric.rogers2024.thresholds import digits, threshold_of_levels
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import integer_of
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.gaussians import Streams
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.tactics import ByClaim, Induction, Sign

# --- small streams ----------------------------------------------------------------------------------------------------

StreamCase = tuple[int, frozenset[int], int, int, Fraction]
"""(L, rounds in which each of the D_0 items of one event comes, the event's round, D_0, delta)."""

_ABOVE = Fraction(1, 2**20)
"""A threshold that much above the proof's: at L = 1 it is met with equality, which no ball decides."""


def stream_cases(size: int) -> Iterator[StreamCase]:
    """Streams of up to ``size`` rounds, the event in any of those in which the items come."""
    for length in range(1, size + 1):
        for count in range(1, length + 1):
            for rounds in combinations(range(1, length + 1), count):
                for event in rounds:
                    yield length, frozenset(rounds), event, 1, Fraction(9, 10)
                    yield length, frozenset(rounds), event, 3, Fraction(1, 100)


def certificate_holds(case: StreamCase) -> bool:
    """The table without the event is at most D_0 B cells away, and what is suppressed is missed with at most delta.

    Where one sum of an item is suppressed the truncated divergence has a closed form: at most alpha rho, both ways.
    """
    L, rounds, event, delta_0, delta = case
    without = rounds - {event}
    moved = cells_of_event(event, L)
    hidden = [l for l in range(1, L + 1) if min(rounds) <= l and not any(r <= l for r in without)]
    once = all(sum(r <= l for r in rounds) == 1 and event <= l for l in hidden)
    with Ball(128) as A:
        lead = (
            threshold_of_levels(A, terms=levels(L), L=L, delta_0=delta_0, epsilon=1, delta=delta) - 1 + A.number(_ABOVE)
        )
        noises = [A.sqrt(A.number(len(cells_of_sum(l)))) for l in hidden]
        likely = A.number(delta_0) * A.sum(gaussian_tail(A, lead / noise) for noise in noises) <= A.number(delta)
        rho = stream_rho(A, L=L, delta_0=delta_0, epsilon=1)
        near = all(
            delta_0 * (A.number(alpha) * len(moved) / 2 + (truncated_renyi_excess(A, alpha=alpha, left=a, right=b)))
            <= alpha * rho
            for noise in noises[:1]
            if len(noises) == 1
            for a, b in ((lead / noise, (lead + 1) / noise), ((lead + 1) / noise, lead / noise))
            for alpha in (2, 8)
        )
    return once and len(moved) <= levels(L) and bool(likely) and near


# --- streams of any length --------------------------------------------------------------------------------------------


_DIGITS, above = symbols("digits above")
_THRESHOLD = threshold_of_levels(terms=_DIGITS) + above
"""Any threshold from the proof's on; the statement's is one where its quantile is not negative."""

STREAMS = Streams(
    Box(
        (
            ALPHA, ROUNDS, DELTA_0, EPSILON, DELTA,
            Parameter("digits", "binary digits of L, ceil(log2(L + 1))", "levels", lower=1, integer=True),
            Parameter("above", "threshold above that of the proof", "counts"),
        )
    ),
    rounds="L", items="delta_0", digits="digits", noise=1 / epsilon, threshold=_THRESHOLD, delta=delta,
    rho=delta_0 * _DIGITS * epsilon * epsilon / 2,
)  # fmt: skip
_COUPLED = GivenEvent(
    bound=half_spaces_bound, positive=Sign(), counts=Induction("digits", factor=integer_of(2)),
    likely=crossing(raised=above * epsilon / sqrt(noises), one_round=True),
    truncated=ByClaim("rogers2024.lem4.1.half_spaces"), moved=Sign(), printed=ABOVE_TANGENT,
)  # fmt: skip

_PROFILE = Box((LEVEL, ROUNDS, DELTA_0, SIGMA, DELTA))
CLAIMS = (
    stated(
        "thm11.rho", "Theorem 11",
        "The Unknown Domain Binary Mechanism is delta-approximate Delta_0 ceil(log2(L+1)) epsilon^2/2-CDP",
        r"P \ge (1-\delta)P',\ Q \ge (1-\delta)Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\Delta_0\lceil\log_2(L+1)\rceil\varepsilon^2/2",
        FiniteStatement(
            stream_cases, certificate_holds, {"quick": 5, "standard": 8, "deep": 11}, "L", every=STREAMS,
            proof=_COUPLED,
        ),
        domain=(ROUNDS, DELTA_0, EPSILON), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=UNKNOWN_STREAM,
        evaluates=stream_rho,
        note="Event level, sigma = 1/epsilon, any T from the proof's on. The printed factorisation is false: virtual "
        "items keep both sides truncated to the same half-spaces (rogers2024.lem4.1.half_spaces).",
        loose="by one level: Delta_0 floor(log2 L) epsilon^2/2 suffices (rogers2024.sharp.binary.rho)",
    ),
    own(
        "thm11.profile", "Theorem 11 and its best conversion", "Privacy profile that Theorem 11 promises",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = "
        r"\Delta_0\lceil\log_2(L+1)\rceil/(2\sigma^2)",
        DeltaBound(
            STREAM.profile, exact=stream_worst_known,
            pairs=Promised(STREAMS, {"epsilon": 1 / sigma, "digits": digits(L)}),
            proof=converted(ByClaim("rogers2024.thm11.rho"), STREAM),
        ),
        domain=_PROFILE, quantity=QuantityKind.DELTA, role=Role.UPPER, privacy=UNKNOWN_STREAM, promise=STREAM,
    ),
)  # fmt: skip
