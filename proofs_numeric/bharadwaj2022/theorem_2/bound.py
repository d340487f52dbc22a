"""Theorem 2: the printed bound, its direction, its case split, and what is said of the sample's size."""

from dataclasses import replace
from itertools import product as pairs_of
from typing import Any

from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.formulas import sampling_rate as rate
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression import larger
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts
from proofs_numeric.statements.tactics import Peak

SHARE = Parameter("share", "delta over the printed bound", lower=0, upper=1)
S = Parameter("s", "share of the way from p to 1", lower=0, upper=1, open_upper=True)
N = Parameter("n", "clients", "clients", 1000, 10**9, integer=True, log=True)
MORE = Parameter("more", "copies more, m", "clients", integer=True)
BEYOND = Parameter("beyond", "how far above the threshold", "clients", integer=True)
HIGHER = Parameter("higher", "threshold less first bad count", "clients", integer=True)
SMALL = Box((EPSILON, ALPHA, TAU_SMALL))
share, s, n, more, beyond, higher, copies, v, left, p_2 = symbols("share s n more beyond higher copies v left p_2")

# The rate above which a count is bad, q = bad_rate, and D(q || p), Chernoff's exponent a client.
exponent = bad_rate * divergence
tight = algorithm(cells.tight, r"\delta_{{\mathrm{{tight}}}}({all})")()

# Counts: the hockey stick of k against k - 1 copies at a threshold, and the first count that is bad.
first_bad = floor(k * q) + 1
bad_counts = at_threshold(tau=first_bad)
# By what q lacks to 1: where that is below 1e-16, k q is k in doubles, and no count is above it.
least_bad = k + 1 + floor(-(k * exp(-epsilon) * (1 - rate)))
least_shown_bad = larger(tau, least_bad)
bad_probability = tail(k, rate, least_shown_bad)
forward = tail(k, rate, least_shown_bad) - exp(epsilon) * tail(k - 1, rate, least_shown_bad)
above_kq, above_kq_of_fewer = tail(k, rate, least_bad), tail(k - 1, rate, least_bad)
size_before_threshold = above_kq - exp(epsilon) * above_kq_of_fewer
printed_exact_binomial = tail(floor(tau / bad_rate), rate, tau + 1)
mass_at = (tail(k, p, tau) - tail(k, p, tau + 1)) / (k * (1 - q))
log_chernoff = -k * bad_rate * divergence
chernoff = exp(log_chernoff)

# Chernoff's bound of P[Bin(k, p) >= tau], tilted to the mean k x, x = p + (1 - p) s.
x = p + (1 - p) * s
tail_bound = (p / x) ** tau * (1 - s) ** (tau - k)
tilted = tail(k, x, tau)
share_of_bad_rate = -expm1(-epsilon)
exponent_a_client = kl(q=x) / x

# No loss when a copy is added.
largest_backward = maximum(0, backward_rate)

# With m = p n fixed.
later_rate = rate * n / (n - 1)
fixed_m = tail(k, rate, tau) - exp(epsilon) * tail(k - 1, later_rate, tau)
at_constant_rate = tail(k, rate, tau) - exp(epsilon) * tail(k - 1, rate, tau)

TAIL = Box((P, replace(ANY_K, lower=0), replace(ANY_TAU, lower=0)))
SMALL_EPSILON = replace(EPSILON, lower="1/20", upper=5)
SMALL_K = Box((SMALL_EPSILON, ALPHA, TAU_SMALL, K))
CASE_2 = Box((SMALL_EPSILON, ALPHA, TAU_SMALL, K), at_most(tau / bad_rate, k), "k >= tau / q")
by_counts = algorithm(cells.cell_profile)(factor=exp(epsilon), p=alpha * (1 - exp(-epsilon)))
"""The same hockey stick from its definition, count by count: no bad event is known."""


def backward_by_counts(A: Arithmetic, *, epsilon: Number, p: Number) -> Any:
    """The largest hockey stick of fewer against more copies, count by count, of few of them and small thresholds."""
    factor = A.exp(A.number(epsilon))
    places = pairs_of(range(1, 4), range(1, 9))
    return A.maximum(
        *(cells.cell_profile(A, factor=factor, p=A.number(p), tau=t, k=k, forward=False) for t, k in places)
    )


def last_copy(sampled: int) -> Part:
    """The last of k + 1 copies is sampled, or not: then k copies are seen at this place, which is no better."""
    place = first_bad(k=k + 1) - sampled
    worse = bad_counts - at_threshold(tau=place)
    return factors(p if sampled else 1 - p, (worse, ByClaim("bharadwaj2022.thm2.best_event", {"tau": place})))


def tail_at(**at: Any) -> Tactic:
    """A tail at other values is at least 0."""
    return Substitute(TAIL, at, Sign(), lift(0), tail(k, p, tau))


def less_shown(place: Expression, **at: Expression) -> Part:
    """That less than ``place`` is shown, of k copies at the rate p unless others are named: a probability."""
    above = tail(k, p, tau)(tau=place, **at)
    return Part(1 - above, ByClaim("bharadwaj2022.thm2.tail", {**at, "tau": place, "s": lift(0)}))


def at_bad_rate(threshold: Expression, copies: Expression, exponent: Expression, *parts: Any) -> Tactic:
    """The tail is at most its bound at x = q, whose logarithm is at most ``exponent``: by the product of the parts."""
    at = {"p": rate, "s": share_of_bad_rate, "k": copies, "tau": threshold}
    log_bound = epsilon * (copies - threshold) - log_odds * threshold
    return Through(
        tail_bound(**at),
        ByClaim("bharadwaj2022.thm2.tail", at),
        Increasing("exp", log_bound, exponent, product_of(*parts)),
    )


# Of a law F, a copy less shows less by c F(t) - r p F(t - 1), c = 1 - r (1 - p).
BACKWARD = sum_of(
    factors(largest_backward - backward_rate, less_shown(beyond + 1, k=copies - 1)),
    factors(largest_backward, (tail(copies - 1, p, beyond + 1), tail_at(k=copies - 1, tau=beyond + 1))),
    factors(exp(epsilon) * p, less_shown(beyond, k=copies - 1)),
)
# One copy more adds p b_k(tau - 1) to the tail, and that and more to the tilted one with its weight.
CHERNOFF_BOUND = Through(
    tail_bound * tilted,
    Induction("k", product_of(tail_bound, s / (1 - s), tilted), base=Split("tau", 0, Sign(), Sign())),
    product_of(tail_bound, (1 - tilted, Induction("tau"))),
)
LATER = ByClaim(
    "bharadwaj2022.thm2.shown_of_rate",
    {"p": rate, "p_2": later_rate, "k": k - 1},
    {"p <": Boxes(), "p_2 <": Hypothesis()},
)
MORE_SHOWN_LATER = tail(k - 1, later_rate, tau) - tail(k - 1, rate, tau), Split("k", 1, Sign(), LATER)
AT_CONSTANT_RATE = Have(
    at_most(later_rate, 1, strict=True), Boxes(),
    Through(
        at_constant_rate, product_of(exp(epsilon), MORE_SHOWN_LATER),
        ByClaim("bharadwaj2022.tight.every_count", {"p": rate, "q": bad_rate, "more": lift(0)}),
    ),
)  # fmt: skip
# Where all counts that are shown are bad, the more are the better.
PLACE = first_bad + higher + beyond
SHOWN_ARE_BAD = Substitute(
    Box((P, Q, ANY_K, HIGHER, BEYOND)), {"p": rate, "q": bad_rate, "higher": tau - least_bad},
    Induction("beyond", product_of(mass_at(tau=PLACE), PLACE - k * q)), at_threshold(tau=PLACE),
    at_threshold(tau=first_bad + higher), {"higher": Hypothesis()},
)  # fmt: skip
BEST_EVENT = largest_of(
    (tau, SHOWN_ARE_BAD),
    (least_bad, ByClaim("bharadwaj2022.thm2.best_event", {"p": rate, "q": bad_rate, "tau": tau + beyond})), inside=True,
)  # fmt: skip

CLAIMS = (
    stated(
        "thm2.stmt", "Theorem 2", "Sample-and-threshold is (epsilon, delta)-DP under add/remove",
        r"\delta\ge\exp(-\tfrac{\tau}{q}D(q\|p)),\ e^{-\epsilon}\le 1-p",
        DeltaBound(theorem_2, exact=cells.tight, by=Achieved("bharadwaj2022.tight")), domain=EPSILON_ALPHA_TAU,
        proof=Through(delta_binom, ByClaim("bharadwaj2022.delta_binom"), ByClaim("bharadwaj2022.lem3.order.binomial")),
        points=SETTINGS, loose="by 2.2e2 at the paper's default, see bharadwaj2022.tight",
        note="Direction of the printed inequality repaired (thm2.direction) and neighbours add/remove (thm2.repl).",
        **DELTA_UPPER,
    ),
    refuted(
        "thm2.direction", "Theorem 2", "Theorem 2 as printed: any delta up to the bound",
        r"\delta\le\exp(-\tfrac{\tau}{q}D(q\|p))\ \text{suffices}", tight <= share * theorem_2,
        domain=(EPSILON, ALPHA, TAU_SMALL, SHARE), by="thm2.stmt", note="The printed inequality allows delta = 0.",
        **PROBABILITY,
    ),
    stated(
        "thm2.lower", "Theorem 2, (2)", "No backward loss if and only if p <= 1 - e^-epsilon",
        r"\max_{k,\tau}H_{e^\epsilon}(k-1\|k)=\max(0,1-e^\epsilon(1-p)),\ 0\iff p\le1-e^{-\epsilon}",
        DeltaBound(
            largest_backward, backward_by_counts,
            points("epsilon p", ("1/2", "1/2"), (0, "1/10"), (1, "1/10"), ("1/10", "1/10")),
            pairs=Counts(p, lift(1), reverse=True),
        ),
        domain=(LEVEL, P), proof=BadCounts(fewer=BACKWARD, worst=(AtCount(lift(1), fewer=True),), attained=Symbolic()),
        note="Attained by one client where every count is shown; a higher threshold tells a part of that. There is no "
        "loss at one tau long before: at p = epsilon = 0.1 and tau = 20 the largest is below 1e-134.",
        **PROBABILITY,
    ),
    stated(
        "thm2.lower.iff", "Theorem 2, (2)", "The ratio of no shown count is below that of v = 0, which is 1 - p", None,
        1 - p <= (1 - p) * (v + left) / left,
        domain=(
            P, Parameter("v", "shown count", "clients", 0, 10**9, integer=True, log=True),
            Parameter("left", "copies not sampled, k - v", "clients", 1, 10**9, integer=True, log=True),
        ),
        proof=product_of((1 - p) / left, v),
        note="So e^-epsilon is at most the ratio at every v if and only if at v = 0: e^-epsilon <= 1 - p.",
    ),
    stated(
        "thm2.upper", "Theorem 2, (3)", "The bad counts are those above k q",
        r"1-e^\epsilon\tfrac{k-v}{k(1-p)}=\tfrac{v-kq}{k(1-q)}",
        eq(
            1 - exp(epsilon) * (k - v) / (k * (1 - p)),
            (v - k * (1 - exp(-epsilon) * (1 - p))) / (k * exp(-epsilon) * (1 - p)),
        ),
        domain=(EPSILON, P, K, replace(K, name="v", description="shown count")), proof=Symbolic(),
    ),
    stated(
        "thm2.qprop", "Theorem 2, (4)", "p < q < 1", None, p < 1 - exp(-epsilon) * (1 - p), domain=(EPSILON, P),
        proof=Sign(),
    ),
    stated(
        "thm2.bad", "Theorem 2", "The delta of a count is gathered on its bad event, and nowhere else",
        r"H_{e^\epsilon}(k\|k-1)=\Pr[E_k]-e^\epsilon\Pr[E_{k-1}],\ E=\{B\ge\tau,\,B>kq\}",
        DeltaBound(
            forward, by_counts,
            points(
                "epsilon alpha tau k", (1, "1/2", 3, 5), ("1/2", 1, 1, 7), (2, "1/10", 4, 4), ("1/10", "1/6", 2, 30),
            ),
            pairs=Counts(rate, tau, k),
        ),
        domain=(EPSILON, ALPHA, ANY_TAU, ANY_K),
        proof=BadCounts(BEST_EVENT, worst=(AtCount(k, least_shown_bad - tau),), attained=Symbolic()),
        note="So at most Pr[B >= tau, B > kq]. With the printed event B > max(kq, tau) even that fails at k = tau "
        "(thm2.bad.strict).",
        **PROBABILITY,
    ),
    refuted(
        "thm2.bad.strict", "Theorem 2", "The printed bad event is strict in tau",
        r"H_{e^\epsilon}(k\|k-1)\le\Pr[B>\max(kq,\tau)]", forward <= bad_probability(tau=tau + 1), domain=SMALL_K,
        by="thm2.bad", note="At k = tau the printed probability is 0 and the delta is p^tau.", **PROBABILITY,
    ),
    stated(
        "thm2.case1", "Theorem 2, Case 1", "The probability that a count is shown grows with the number of copies",
        None, tail(k, p, tau) <= tail(k + more, p, tau), domain=(P, ANY_K, ANY_TAU, MORE), proof=Induction("more"),
        note="For k <= tau/q it is the bad event's, as there v >= tau has v > k q or v = k q = tau, which counts "
        "nothing. The delta itself is not monotone: it peaks at k*.",
        **PROBABILITY,
    ),
    own(
        "thm2.best_event", "Theorem 2", "Of all events that a count is large, the bad one tells most",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_k(t')-e^\epsilon S_{k-1}(t'),\ t'=\lfloor kq\rfloor+1",
        at_threshold <= bad_counts, domain=(P, Q, ANY_K, replace(ANY_TAU, lower=0)),
        proof=Peak("tau", first_bad, rises=product_of(mass_at, k * q - tau), falls=product_of(mass_at, tau - k * q)),
        **PROBABILITY,
    ),
    refuted(
        "thm2.case2", "Theorem 2, Case 2", "For k >= tau/q the bad event's probability falls with k",
        r"\Pr[B_{k+1}>(k+1)q]\le\Pr[B_k>kq]", bad_probability(k=k + 1) <= bad_probability, domain=CASE_2,
        by="thm2.case2.corrected",
        note="Only the Chernoff bound falls; with lattice effects the exact probability jumps up.", **PROBABILITY,
    ),
    own(
        "thm2.case2.corrected", "Theorem 2, Case 2",
        "For k >= tau/q, where k q passes the threshold, the exact hockey stick never grows with k",
        r"H_{e^\epsilon}(k+1\|k)\le H_{e^\epsilon}(k\|k-1)", bad_counts(k=k + 1) <= bad_counts, domain=(P, Q, ANY_K),
        proof=sum_of(last_copy(1), last_copy(0)),
        note="Of the counts above k q, for every k: the last client is a coin that both neighbours have.",
        **PROBABILITY,
    ),
    refuted(
        "thm2.case2.tightest", "Theorem 2, Case 2", "Among k >= tau/q Chernoff's bound is smallest at the smallest k",
        r"\exp(-kD(q\|p))\le\exp(-(k+1)D(q\|p))", chernoff <= chernoff(k=k + 1), domain=(SMALL_EPSILON, ALPHA, K),
        by="thm2.case2.largest",
        note='"the tightest bound is for the smallest value of k" means the largest, the one that all others keep.',
        **PROBABILITY,
    ),
    own(
        "thm2.case2.largest", "Theorem 2, Case 2", "Chernoff's bound falls with k: the smallest k is the worst",
        r"\exp(-(k+1)D(q\|p))<\exp(-kD(q\|p))", chernoff(k=k + 1) < chernoff, domain=(SMALL_EPSILON, ALPHA, K),
        proof=Increasing("exp", log_chernoff(k=k + 1), log_chernoff, product_of((exponent, Boxes()))), **PROBABILITY,
    ),
    own(
        "thm2.exponent", "Theorem 2, Case 1", "Chernoff's exponent a shown client grows with the share shown, above p",
        r"x\mapsto D(x\|p)/x\ \text{increases},\quad x=p+(1-p)s>p",
        Monotonicity(exponent_a_client, "s", increasing=True), domain=(P, replace(S, open_lower=True)),
        proof=Slope(product_of((1 - p) / x**2, -log(1 - s))),
        note="So Case 1's bound exp(-k D(tau/k || p)) grows with k, up to Theorem 2's at k = tau/q.",
    ),
    stated(
        "thm2.chern", "Theorem 2, (5)", "Chernoff-Hoeffding for the bad event", r"\Pr[B(k,p)>kq]\le\exp(-kD(q\|p))",
        above_kq <= chernoff, domain=(*EPSILON_ALPHA.parameters, ANY_K),
        proof=at_bad_rate(least_bad, k, log_chernoff, least_bad - k * bad_rate, epsilon + log_odds), **PROBABILITY,
    ),
    own(
        "thm2.tail", "Theorem 2, (5)", "Chernoff's bound of a binomial tail, tilted to any larger mean",
        r"\Pr[\mathrm{Bin}(k,p)\ge t]\le(p/x)^t\left(\tfrac{1-p}{1-x}\right)^{k-t},\quad x=p+(1-p)s\ge p",
        tail(k, p, tau) <= tail_bound, domain=(*TAIL.parameters, S), proof=CHERNOFF_BOUND, **PROBABILITY,
    ),
    refuted(
        "thm2.exactk", "Section 3.1", "The exact binomial at k = tau/q, with the proof's strict inequality",
        r"\delta\le\Pr[B(\lfloor\tau/q\rfloor,p)>\tau]", tight <= printed_exact_binomial,
        domain=SMALL, by="delta_binom", evaluates=printed_exact_binomial,
        note="5.500e-15 against 6.869e-15 at the paper's default.", **DELTA_UPPER,
    ),
    refuted(
        "thm2.size", "Section 3.2", "The size of the sample is DP by Theorem 2",
        r"H_{e^\epsilon}(\mathrm{Bin}(n+1,p)\|\mathrm{Bin}(n,p))\le\exp(-\tfrac{\tau}{q}D(q\|p))",
        size_before_threshold <= theorem_2, domain=SMALL_K, by="thm2.size.corrected",
        note="With few clients the size tells (n = 1: delta = p); it holds for n + 1 >= tau/q.", **PROBABILITY,
    ),
    own(
        "thm2.size.corrected", "Section 3.2", "The size of the sample keeps the bound once n + 1 >= tau/q", None,
        size_before_threshold <= theorem_2, domain=CASE_2,
        proof=Through(
            above_kq, product_of(exp(epsilon), (above_kq_of_fewer, tail_at(p=rate, k=k - 1, tau=least_bad))),
            Through(
                chernoff, ByClaim("bharadwaj2022.thm2.chern"),
                Increasing(
                    "exp", log_chernoff, -tau * divergence,
                    product_of((exponent, Boxes()), (k - tau / bad_rate, Hypothesis())),
                ),
            ),
        ),
        **PROBABILITY,
    ),
    own(
        "thm2.shown_of_rate", "Theorem 2", "The probability that a count is shown grows with the sampling rate", None,
        Monotonicity(tail(k, p, tau), "p", increasing=True, strict=False), domain=(P, ANY_K, ANY_TAU), proof=Slope(),
        **PROBABILITY,
    ),
    own(
        "thm2.mfixed.shown", "Section 3.1",
        "With m fixed, that the cell which lost a copy is shown gives away no more than at constant p", None,
        fixed_m <= tight, domain=(*SMALL_K.parameters, N), proof=AT_CONSTANT_RATE,
        note="One event of one cell; the other cells tell, too (thm2.mfixed).", **PROBABILITY,
    ),
)  # fmt: skip
