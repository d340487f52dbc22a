"""Theorem 11: how many noise terms a round adds, virtual items that couple neighbouring streams, and certificates."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.binary_mechanism import LENGTHS, up_to
from proofs_numeric.rogers2024.conversion import converted, converted_moves
from proofs_numeric.rogers2024.enumeration import cells_of_event, cells_of_sum, floor_levels, levels
from proofs_numeric.rogers2024.laws import truncated_renyi_excess
from proofs_numeric.rogers2024.lemma_4_1 import ABOVE_TANGENT, half_spaces_bound
from proofs_numeric.rogers2024.log_concave import beyond_chord, half_line
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_11.statement import STREAM, L, stream_rho, stream_worst_known
from proofs_numeric.rogers2024.theorem_11.union import crossing, noises
from proofs_numeric.rogers2024.thresholds import digits, threshold_of_levels
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.gaussians import Streams
from proofs_numeric.statements.instances import LawInstances, StreamsAt
from proofs_numeric.statements.profiles import Promised


def rounds_by_digits(L: int) -> Iterator[Instance]:
    """Each round up to L with its digits, and ``2^ones(l) - (l + 1)``, which is 0 at most."""
    for round_ in range(1, L + 1):
        digits = [Fraction(int(digit)) for digit in f"{round_:b}"]
        power, whole = 2 ** round_.bit_count(), 2 ** floor_levels(2 ** len(digits) - 1)
        yield Instance(
            at={}, inputs=tuple({"digit": digit} for digit in digits), left=Fraction(max(power - round_ - 1, 0)),
            right=Fraction(0),
            state={
                "number": Fraction(round_), "power": Fraction(power), "all_ones": Fraction(whole - 1),
                "its_power": Fraction(whole),
            },
        )  # fmt: skip


number, power, all_ones, its_power, digit = symbols("number power all_ones its_power digit")
_too_many = power - number - 1
"""``2^ones(l) - (l + 1)``."""
_apart = its_power - all_ones - 1
left, right, d, x, y, t, u = symbols("left right d x y t u")
extrapolated = log_cdf(alpha * left + (1 - alpha) * right)
line_through = alpha * log_cdf(left) + (1 - alpha) * log_cdf(right)
_m = alpha * t + (1 - alpha) * u
_EDGES = {"left": x, "right": x + 1}
_excess = truncated_renyi_excess(**_EDGES)
truncated_pair_renyi = alpha / 2 + _excess
"""``D_alpha`` of U3's two sides, both truncated to ``S_2 <= T`` (sigma = 1, ``x = T - 1``).

The two noisy cells (S_2, cell of round 3) have means (1, 1) and (0, 1): one step along the truncated coordinate,
whose edge lies ``x`` and ``x + 1`` beyond the means.  The theorem's ``alpha D_0 B/2`` is alpha at L = 3.
"""
_ROOM = (line_through - extrapolated)(**_EDGES), ByClaim("rogers2024.repair.thm11.half_space", _EDGES)

# --- small streams ----------------------------------------------------------------------------------------------------

StreamCase = tuple[int, frozenset[int], int, int, Fraction]
"""(L, rounds in which each of the D_0 items of one event comes, the event's round, D_0, delta)."""


def stream_cases(size: int) -> Iterator[StreamCase]:
    """Streams of up to ``size`` rounds, the event in any of those in which the items come."""
    for length in range(1, size + 1):
        for count in range(1, length + 1):
            for rounds in combinations(range(1, length + 1), count):
                for event in rounds:
                    yield length, frozenset(rounds), event, 1, Fraction(9, 10)
                    yield length, frozenset(rounds), event, 3, Fraction(1, 100)


_DIGITS, above = symbols("digits above")
_THRESHOLD = threshold_of_levels(terms=_DIGITS) + above
"""Any threshold from the proof's on; the statement's is one where its quantile is not negative."""


def certificate(case: StreamCase) -> Iterator[StreamsAt]:
    """The table without the event is so many cells away; what is suppressed are sums that are 1.

    At a threshold a little above the proof's: at L = 1 it is met with equality, which no ball decides.
    """
    length, rounds, event, items, share = case
    hidden = [l for l in range(1, length + 1) if min(rounds) <= l and not any(r <= l for r in rounds - {event})]
    at = {
        "L": lift(length), "delta_0": lift(items), "epsilon": lift(1), "delta": lift(share),
        "digits": lift(levels(length)), "above": lift(Fraction(1, 2**20)),
    }  # fmt: skip
    sums = tuple(len(cells_of_sum(l)) for l in hidden)
    yield StreamsAt(
        at, items, rounds, event, len(cells_of_event(event, length)), sums, 1 / epsilon, _THRESHOLD, delta, stream_rho
    )


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
    likely=crossing(offset=above * epsilon / sqrt(noises), one_round=True),
    truncated=ByClaim("rogers2024.lem4.1.half_spaces"), moved=Sign(), printed=ABOVE_TANGENT,
)  # fmt: skip

_ABOVE_ONE = Parameter("alpha", "Renyi order", lower=1, upper=100, open_lower=True)

CLAIMS = (
    stated(
        "thm11.popcount", "Theorem 11, proof item 1", "Noise terms of any round",
        r"\max_{\ell \le L}\text{ones}(\ell) = \lfloor\log_2(L+1)\rfloor \le \lceil\log_2(L+1)\rceil",
        FiniteStatement(
            up_to, Instances(rounds_by_digits), LENGTHS, "L",
            every=Recurrence(
                state=Box(
                    (
                        Parameter("number", "l, of the digits so far", "rounds"),
                        Parameter("power", "2^ones(l)", "rounds", lower=1),
                        Parameter("all_ones", "the number all of whose digits are 1", "rounds"),
                        Parameter("its_power", "2^ones of it", "rounds", lower=1),
                    ),
                ),
                inputs=Box((Parameter("digit", "of l", "digits", upper=1, integer=True),)),
                start={"number": zero, "power": one, "all_ones": zero, "its_power": one},
                step={
                    "number": 2 * number + digit, "power": power * (1 + digit), "all_ones": 2 * all_ones + 1,
                    "its_power": 2 * its_power,
                },
                left=maximum(_too_many, _apart, -_apart), right=zero,
            ),
            proof=largest_of(
                (_too_many, Steps(proof=Split("digit", 0, Sign(), Sign()), factor=1 + digit)),
                (_apart, Steps(factor=integer_of(2))), (-_apart, Steps(factor=integer_of(2)))
            ),
        ),
        note="ones(l) <= log2(l + 1) for every l, and 2^n - 1 has n ones: n <= floor(log2 x) exactly where 2^n <= x.",
    ),
    own(
        "repair.thm11.tilt", "Theorem 11, repaired proof", "Gaussian part of the truncated divergence",
        r"\frac{m^2 - \alpha t^2 - (1-\alpha)u^2}{2(\alpha-1)} = \alpha(t-u)^2/2,\ m = \alpha t + (1-\alpha)u",
        eq((_m * _m / 2 - alpha * t * t / 2 - (1 - alpha) * u * u / 2) / (alpha - 1), alpha * (t - u) * (t - u) / 2),
        proof=Symbolic(),
        domain=(_ABOVE_ONE, *(Parameter(name, "mean", lower=-100, upper=100) for name in ("t", "u"))),
    ),
    own(
        "repair.thm11.half_space", "Theorem 11, repaired proof", "Truncating both sides to one half-space adds nothing",
        r"\log\Phi(\alpha x + (1-\alpha)y) \le \alpha\log\Phi(x) + (1-\alpha)\log\Phi(y),\ \alpha \ge 1",
        extrapolated <= line_through,
        proof=beyond_chord(
            half_line, {"d": left - right, "y": right}, log_cdf(y + alpha * d),
            alpha * log_cdf(y + d) + (1 - alpha) * log_cdf(y),
        ),
        domain=(
            replace(_ABOVE_ONE, open_lower=False),
            *(Parameter(name, "distance of the edge", lower=-20, upper=20) for name in ("left", "right")),
        ),
        note="The region of Theorem 11 is an intersection of half-spaces; Lemma 4.1 covers it in every dimension.",
    ),
    own(
        "repair.thm11.truncated", "Theorem 11, repaired proof", "U3 truncated on both sides",
        r"D_\alpha(P'\|Q') \le \alpha,\ L = 3,\ \Delta_0 = \sigma = 1", truncated_pair_renyi <= alpha,
        proof=sum_of((-_excess, product_of(1 / (alpha - 1), _ROOM)), alpha / 2),
        domain=(_ABOVE_ONE, Parameter("x", "(T - 1)/sigma", lower=-3, upper=10)),
        note="With Q left untruncated the divergence is infinite for alpha > 2.",
    ),
    stated(
        "thm11.rho", "Theorem 11",
        "The Unknown Domain Binary Mechanism is delta-approximate Delta_0 ceil(log2(L+1)) epsilon^2/2-CDP",
        r"P \ge (1-\delta)P',\ Q \ge (1-\delta)Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\Delta_0\lceil\log_2(L+1)\rceil\varepsilon^2/2",
        FiniteStatement(
            stream_cases, LawInstances(certificate), {"quick": 5, "standard": 8, "deep": 11}, "L", every=STREAMS,
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
        domain=(LEVEL, ROUNDS, DELTA_0, SIGMA, DELTA), role=Role.UPPER, falls=("epsilon", "sigma"),
        rises=("L", "delta_0", "delta"), moves=converted_moves("sigma", "L", "delta_0", "delta"),
        privacy=UNKNOWN_STREAM, promise=STREAM,
    ),
)  # fmt: skip
