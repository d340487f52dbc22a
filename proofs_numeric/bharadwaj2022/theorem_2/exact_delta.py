"""The exact add/remove delta: closed form against scans, exact enumeration and brute force over small histograms."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Rational
from proofs_numeric.arithmetic.finite_laws import image, joint, released, stick
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.formulas import sampling_rate as rate
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.bound import less_shown
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts
from proofs_numeric.statements.tactics import Peak

RATES = (Fraction(3, 2), Fraction(2), Fraction(3))
"""e^epsilon of the exact enumerations."""
Setting = tuple[Fraction, Fraction, int, int]


def tight_by_scan(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Exact delta from the definition: the largest enumerated hockey stick over k = 1 .. 2 tau / q, both directions."""
    small = A.exp(-A.number(epsilon))
    p = A.number(alpha) * (1 - small)
    return rate_by_scan(A, epsilon=epsilon, p=p, tau=tau, last=int(2 * tau / float(1 - small * (1 - p))) + 1)


def rate_by_scan(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, last: int | None = None) -> Number:
    """Exact delta at a fixed rate from the definition: enumerated hockey sticks over k, both directions."""
    factor, p = A.exp(A.number(epsilon)), A.number(p)
    at: dict[str, Any] = {"factor": factor, "p": p, "tau": tau}
    counts = range(1, last or int(3 * tau / float(p)) + 10)
    return A.maximum(*(cells.cell_profile(A, **at, k=k, forward=way) for k in counts for way in (True, False)))


def rational_settings(size: int) -> Iterator[Setting]:
    """(e^epsilon, p, tau, k) with p <= 1 - e^-epsilon, everything rational."""
    for factor, share, threshold, count in product(RATES, (1, 2, 5), range(1, 4), range(1, size + 1)):
        yield factor, (1 - 1 / factor) / share, threshold, count


def histograms_of_three(size: int) -> Iterator[tuple[Fraction, Fraction, int, tuple[int, int, int]]]:
    """(e^epsilon, p, tau, counts of three items), at most ``size`` clients, p below and above 1 - e^-epsilon."""
    size = min(size, 8)
    rates = ((Fraction(3, 2), 2), (Fraction(2), 3))
    for (factor, threshold), share in product(rates, (Fraction(1, 2), Fraction(3, 2))):
        for a, b, c in product(range(1, size + 1), range(size + 1), range(size + 1)):
            if a + b + c <= size:
                yield factor, (1 - 1 / factor) * share, threshold, (a, b, c)


def law_by_subsets(counts: tuple[int, ...], p: Fraction, tau: int) -> dict[tuple[int, ...], Fraction]:
    """Masses of the released histogram, by running over every subset of the clients."""
    items = [item for item, count in enumerate(counts) for _client in range(count)]
    clients = joint({item: p, None: 1 - p} for item in items)
    return released(image(clients, lambda sampled: tuple(map(sampled.count, range(len(counts))))), tau)


def neighbours_within_formulas(case: tuple[Fraction, Fraction, int, tuple[int, int, int]]) -> bool:
    """Whether brute force over subsets of clients agrees exactly with the formulas: removed, added and replaced."""
    factor, p, tau, counts = case
    A, (a, b, c) = Rational(), counts
    fewer, moved = (a - 1, b, c), (a - 1, b + 1, c)
    more, less, other = (law_by_subsets(histogram, p, tau) for histogram in (counts, fewer, moved))
    at: dict[str, Any] = {"factor": factor, "p": p, "tau": tau}
    return bool(
        stick(more, less, factor) == cells.cell_profile(A, **at, k=a)
        and stick(less, more, factor) == cells.cell_profile(A, **at, k=a, forward=False)
        and stick(more, other, factor) == cells.replacement_at(A, **at, ka=a, kb=b)
        and stick(other, more, factor) == cells.replacement_at(A, **at, ka=b + 1, kb=a - 1)
    )


more, copies, beyond = symbols("more copies beyond")
worst = floor((tau - 1) / q) + 1
at_worst = at_threshold(k=worst)
mass_below = p * (tail(k, p, tau - 1) - tail(k, p, tau)) / (k * (1 - q))
"""``p b_k(tau - 1)/(k (1 - q))``: times ``tau - 1 - k q`` what one copy more adds."""
unseen_at_worst = unseen_at(k=worst)

# At a threshold t above tau; one copy less than is worst there is floor(t/q), so t is not below the bad counts.
above = tau + more
one_less = worst(tau=above + 1) - 1
gap_of_one_less = at_worst - at_threshold(k=one_less, tau=above)
mass_of_one_less = (1 - p) * (tail(one_less, p, above) - tail(one_less, p, above + 1)) / (one_less * (1 - q))

worst_of = worst(q=bad_rate)


def every_count(copies: Expression, beyond: Expression) -> Tactic:
    """No count and no event gives more away than the closed form."""
    return ByClaim("bharadwaj2022.tight.every_count", {"p": rate, "q": bad_rate, "k": copies, "more": beyond})


# Of a law F, a copy less shows less no more than r times as often: by (r (1 - p) - 1) F(t - 1) + r p F(t - 2).
NOTHING_FOR_FEWER = Through(
    lift(0),
    sum_of(
        factors((1 - alpha) * expm1(epsilon), less_shown(tau + beyond, p=rate, k=copies - 1)),
        factors(alpha * expm1(epsilon), less_shown(tau + beyond - 1, p=rate, k=copies - 1)),
    ),
    every_count(lift(1), lift(1)),
)

# --- a fixed rate -----------------------------------------------------------------------------------------------------

FIXED_RATE = Box((replace(EPSILON, lower=0), rate_within("1/50", "19/20"), replace(TAU, upper=60)))
FIXED_RATE_COUNTS = Counts(p, tau)
"""Whatever epsilon."""

bad_rate_at = bad_rate_of(factor=exp(epsilon))
closed_forward = algorithm(cells.tight_of)(factor=exp(epsilon))
closed_backward = unseen_at_worst(q=positive_backward_rate)
all_sampled = p**tau
unseen = unseen_at(q=positive_backward_rate, k=copies, tau=tau + beyond)
worst_backward = worst(q=positive_backward_rate)
unseen_of_level = unseen_at(q=backward_rate, k=k + 1)

NOT_ALL = Part(1 - all_sampled, Induction("tau", sum_of(1 - p), factor=p))
BELOW_ALL = Through(
    all_sampled, ByClaim("bharadwaj2022.tight.unseen.limit", {"q": all_sampled}, {"q <": NOT_ALL.proof}),
    Through(
        closed_forward, ByClaim("bharadwaj2022.tight.every_count", {"q": bad_rate_at, "k": tau, "more": lift(0)}),
        Symbolic(),
    ),
)  # fmt: skip
# Where p^tau stands for c, that is no more than what tau copies give away forward.
ATTAINED = largest_of(
    (closed_forward, Symbolic()),
    (
        closed_backward,
        Substitute(
            Box((*FIXED_RATE.parameters, replace(ANY_K, lower=0))), {"k": worst_backward - 1},
            largest_of(
                (backward_rate, Through(unseen_of_level, Symbolic(), Symbolic())), (all_sampled, BELOW_ALL), inside=True
            ),
            unseen_at(q=positive_backward_rate, k=k + 1), maximum(closed_forward, unseen_of_level),
        )
    )
)  # fmt: skip
BELOW_ONE = largest_of(backward_rate, (all_sampled, NOT_ALL.proof))
FORWARD = ByClaim("bharadwaj2022.tight.every_count", {"q": bad_rate_at, "k": copies, "more": beyond})
BACKWARD = Through(
    unseen,
    product_of(
        1 / (1 - p),
        (positive_backward_rate - backward_rate, largest_of(backward_rate, (all_sampled, Hypothesis()), inside=True)),
        (
            hidden(copies, p, tau + beyond - 1),
            ByClaim("bharadwaj2022.thm2.tail", {"k": copies, "tau": tau + beyond, "s": lift(0)}),
        ),
    ),
    Through(
        closed_backward,
        ByClaim(
            "bharadwaj2022.tight.unseen", {"q": positive_backward_rate, "k": copies, "more": beyond}, {"q <": BELOW_ONE}
        ),
        Symbolic(),
    ),
)  # fmt: skip
EITHER_WAY = BadCounts(
    Through(closed_forward, FORWARD, Symbolic()), BACKWARD,
    (AtCount(worst(q=bad_rate_at)), AtCount(worst_backward, fewer=True)), ATTAINED,
)  # fmt: skip
MORE = Parameter("more", "how far t is above tau", "clients", integer=True)
_BACKWARD_LARGER: dict[str, Value] = {"epsilon": "1/100", "p": "19/20", "tau": 21}
"""Where the other direction is the larger."""

CLAIMS = (
    own(
        "tight", "Theorem 2", "Exact add/remove delta of sample-and-threshold",
        r"\delta(\epsilon)=S_{k^*}-e^\epsilon S_{k^*-1},\ S_k=\Pr[\mathrm{Bin}(k,p)\ge\tau],\ "
        r"k^*=\lceil(\tau-1)/q\rceil,\ p=\alpha(1-e^{-\epsilon}),\ q=1-e^{-\epsilon}(1-p)",
        DeltaBound(
            cells.tight, tight_by_scan, (*SETTINGS[1:3], *points("epsilon alpha tau", (1, "1/6", 10), (2, "0.9", 1))),
            pairs=Counts(rate, tau),
            proof=BadCounts(every_count(copies, beyond), NOTHING_FOR_FEWER, (AtCount(worst_of),), Symbolic()),
        ),
        domain=EPSILON_ALPHA_TAU, falls=("tau",), rises=("alpha",),
        moves={
            name: derived(Premise("bharadwaj2022.tight", "it is the largest over all counts"), *each.steps)
            for name, each in {"tau": moves.THRESHOLD, "alpha": moves.THINNED}.items()
        },
        turns=(Turn("epsilon", {"alpha": "1/6", "tau": 11}, ("1/50", "2/5", 2)),), points=SETTINGS,
        privacy=neighbours.ITEM.releasing(rate=-alpha * expm1(-epsilon)),
        note="Closed form; why it holds is in the docstring of proofs_numeric.bharadwaj2022.cells.",
        quoted=(Quoted("each client with a fixed chance, threshold 11", {"epsilon": 1, "alpha": "1/6", "tau": 11}),),
    ),
    own(
        "tight.rate", "Theorem 2", "Exact add/remove delta at any epsilon for a fixed sampling rate",
        r"\max\left(S_{k^*}-e^\epsilon S_{k^*-1},\ \max_kH_{e^\epsilon}(k-1\|k)\right)",
        DeltaBound(
            cells.tight_rate, rate_by_scan,
            (*points("epsilon p tau", (0, "3/10", 5), ("1/10", "1/2", 3), (1, "3/10", 5)), _BACKWARD_LARGER),
            pairs=FIXED_RATE_COUNTS, proof=EITHER_WAY,
        ),
        domain=FIXED_RATE, privacy=neighbours.ITEM, falls=("epsilon", "tau"), rises=("p",), cost=3,
    ),
    own(
        "tight.worst_count", "Theorem 2",
        "Of all counts, the one next to (t - 1)/q gives most away by being shown at threshold t",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_{k'}(t)-e^\epsilon S_{k'-1}(t),\ k'=\lfloor(t-1)/q\rfloor+1",
        at_threshold <= at_worst, domain=(P, Q, ANY_K, ANY_TAU),
        proof=Peak(
            "k", worst, rises=product_of(mass_below, tau - 1 - k * q), falls=product_of(mass_below, k * q - (tau - 1)),
        ),
        **PROBABILITY,
    ),
    own(
        "tight.every_count", "Theorem 2",
        "The closed form dominates every count and every event that a count is large and shown",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_{k^*}-e^\epsilon S_{k^*-1}\ \forall k,\ \forall t\ge\tau",
        at_threshold(tau=above) <= at_worst, domain=(P, Q, ANY_K, ANY_TAU, MORE),
        proof=Through(
            at_worst(tau=above), ByClaim("bharadwaj2022.tight.worst_count", {"tau": above}),
            Induction(
                "more",
                Through(
                    gap_of_one_less, ByClaim("bharadwaj2022.tight.worst_count", {"k": one_less, "tau": above}),
                    product_of(mass_of_one_less, above - one_less * q),
                ),
            ),
        ),
        note="At k* = floor((tau - 1)/q) + 1, which gives what ceil((tau - 1)/q) gives.", **PROBABILITY,
    ),
    own(
        "tight.unseen", "Theorem 2",
        "The closed form dominates every count and every event that a count is small, or not shown",
        r"F_{k-1}(t)-e^\epsilon F_k(t)\le F_{k^*-1}-e^\epsilon F_{k^*},\ F_k(t)=\Pr[\mathrm{Bin}(k,p)<t],\ "
        r"e^\epsilon=\tfrac{1-c}{1-p}\ \forall k,\ \forall t\ge\tau",
        unseen_at(tau=above) <= unseen_at_worst, domain=(P, Q, ANY_K, ANY_TAU, MORE),
        proof=product_of(
            (1 - q) / (1 - p), (at_worst - at_threshold(tau=above), ByClaim("bharadwaj2022.tight.every_count")),
        ),
        note="q is c = 1 - e^epsilon (1 - p); at k* = floor((tau - 1)/c) + 1.", **PROBABILITY,
    ),
    own(
        "tight.unseen.limit", "Theorem 2",
        "That a count is small, or not shown, gives no more away than the rate c, however many copies there are",
        r"F_k(t)-\tfrac{1-c}{1-p}F_{k+1}(t)\le c", unseen_at(k=k + 1) <= q,
        domain=(P, Q, replace(ANY_K, lower=0), ANY_TAU),
        proof=sum_of(q * tail(k, p, tau), factors(p * (1 - q) / (1 - p), less_shown(tau - 1))), **PROBABILITY,
    ),
    own(
        "tight.brute_force", "Section 2",
        "Brute force over all small histograms agrees with both formulas, in exact fractions",
        r"\text{add/remove and replacement hockey sticks of the output laws}",
        FiniteStatement(histograms_of_three, neighbours_within_formulas, sizes(4, 6, 8), "n"),
    ),
    own(
        "delta_binom", "Theorem 2", "A simple rigorous bound: the exact binomial at floor(tau / q)",
        r"\delta\le\Pr[\mathrm{Bin}(\lfloor\tau/q\rfloor,p)\ge\tau]",
        DeltaBound(delta_binom, exact=cells.tight, by=Achieved("bharadwaj2022.tight")), domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        proof=Through(
            tail(worst_of, rate, tau), product_of(exp(epsilon), tail(worst_of - 1, rate, tau)),
            ByClaim("bharadwaj2022.thm2.case1", {"p": rate, "k": worst_of, "more": floor(tau / bad_rate) - worst_of}),
        ),
        **DELTA_UPPER,
    ),
)  # fmt: skip
