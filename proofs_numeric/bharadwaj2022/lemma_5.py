"""Lemma 5: the probability that an item is omitted."""

from dataclasses import replace
from typing import Any

from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *

W = Parameter("W", "clients that hold the item", "clients", 1, 10_000, integer=True, log=True)
M = Parameter("m", "expected sample size", "clients", 1, 10**9, integer=True, log=True)
N = Parameter("n", "clients", "clients", 10_000, 10**8, integer=True, log=True)
FALL = Parameter("fall", "by how much the mean is tilted down, relatively", upper=1, open_upper=True)
LESS = Parameter("less", "below the share of the mean", "clients", integer=True)
TAU_100 = replace(TAU, upper=100)
ANY_TAIL = Box((P, replace(ANY_K, lower=0), replace(ANY_TAU, lower=0), FALL))
UPPER: dict[str, Any] = {**PROBABILITY, "role": Role.UPPER}
fall, less, w, p_s, m, n = symbols("fall less W p_s m n")

mean = w * p_s
omission_bound = exp(-(mean - tau) * (mean - tau) / (2 * mean))
omission = hidden(w, p_s, tau - 1)
"""Exact probability that the item is not shown."""
omission_with_tau = hidden(w, p_s, tau)
"""The same as the proof writes it."""
omission_bound_as_printed = exp(-(w * m / n - tau) * (w * m / n - tau) * n / (2 * w * m))
omission_with_replacement = hidden(m, w / n, tau)
"""The footnote's sampling with replacement."""

# --- Chernoff's bound -------------------------------------------------------------------------------------------------

tilted_rate = p * (1 - fall)
below, tilted = hidden(k, p, tau - 1), hidden(k, tilted_rate, tau - 1)
by_rates = (1 - fall) ** (1 - tau) * ((1 - p) / (1 - tilted_rate)) ** (k - tau + 1)
"""``(p/x)^(t - 1) ((1 - p)/(1 - x))^(k - t + 1)``, t = tau, x = (1 - fall) p."""
tail_below = (1 - p * fall) ** k * (1 - fall) ** (1 - tau)
# One count more has the tilted chance with its weight, which grows with the count.
CHERNOFF_BELOW = Through(
    by_rates * tilted,
    Induction(
        "tau",
        product_of(
            by_rates, fall / ((1 - fall) * (1 - p)),
            (tilted, ByClaim("bharadwaj2022.thm2.tail", {"p": tilted_rate, "s": lift(0)})),
        ),
        base=Symbolic(),
    ),
    product_of(by_rates, 1 - tilted),
)  # fmt: skip
share_of_mean = floor((1 - fall) * k * p)
below_share_of_mean = hidden(k, p, share_of_mean - less)
square_of_fall = -k * p * fall**2 / 2
exponent = fall + (1 - fall) * log1p(-fall)
"""What Chernoff's exponent is at least, a unit of the mean."""
BY_MEAN = Through(
    below_share_of_mean(less=0), Induction("less"),
    Through(
        tail_below(tau=share_of_mean + 1), ByClaim("bharadwaj2022.lem5.tail", {"tau": share_of_mean + 1}),
        Increasing(
            "exp", k * log1p(-p * fall) - share_of_mean * log1p(-fall), square_of_fall,
            sum_of(
                factors((1 - fall) * k * p - share_of_mean, -log1p(-fall)),
                factors(k, (-log1p(-p * fall) - p * fall, Derivative("fall", "lower"))),
                factors(p * k, (exponent - fall**2 / 2, ByClaim("bharadwaj2022.lem5.exponent"))),
            ),
        ),
    ),
)  # fmt: skip


BY_SHARE = ByClaim(
    "bharadwaj2022.lem5.below", {"p": p_s, "k": w, "fall": 1 - tau / mean, "less": lift(1)},
    {"fall": product_of(1 / mean, (mean - tau, Hypothesis())), "fall <": Sign()},
)  # fmt: skip

CLAIMS = (
    refuted(
        "lem5.stmt", "Lemma 5", "An item of count W is omitted with probability at most exp(-(w - tau)^2/(2w))",
        r"\exp(-(\tfrac{Wm}n-\tau)^2\tfrac{n}{2Wm})", omission <= omission_bound, by="lem5.stmt.corrected",
        domain=(W, P_S, TAU_100), evaluates=omission_bound,
        note="Needs w > tau; at W = 1, p = 0.1, tau = 20 the bound is e^-1980 and the truth 1.", **UPPER,
    ),
    own(
        "lem5.stmt.corrected", "Lemma 5", "The bound holds for w > tau", None, omission <= omission_bound,
        proof=BY_SHARE, evaluates=omission_bound,
        domain=Box((W, P_S, TAU_100), at_most(tau, mean, strict=True), "W p_s > tau"),
        points=({"W": 3, "p_s": "99/100", "tau": 2},), **UPPER,
    ),
    own(
        "lem5.tail", "Lemma 5", "Chernoff's bound of a lower tail, tilted to any smaller mean",
        r"\Pr[\mathrm{Bin}(k,p)<t]\le(1-pg)^k(1-g)^{1-t},\quad 0\le g<1", below <= tail_below, domain=ANY_TAIL,
        proof=Substitute(ANY_TAIL, {"fall": (1 - p) * fall / (1 - p * fall)}, CHERNOFF_BELOW, below, by_rates), **UPPER,
    ),
    own(
        "lem5.below", "Lemma 5",
        "A binomial count falls below a share of its mean with probability at most exp(-g^2 w/2)",
        r"\Pr[\mathrm{Bin}(k,p)\le(1-g)kp]\le\exp(-g^2kp/2)", below_share_of_mean <= exp(square_of_fall), proof=BY_MEAN,
        domain=(P, replace(ANY_K, lower=0), FALL, LESS), **UPPER,
    ),
    own(
        "lem5.exponent", "Lemma 5",
        "Chernoff's exponent below the mean is at least a half of the squared relative fall",
        r"\tfrac{g^2}2\le g+(1-g)\ln(1-g)", fall**2 / 2 <= exponent,
        proof=Derivative("fall", "lower", Derivative("fall", "lower")), domain=(FALL,),
    ),
    stated(
        "lem5.alg", "Lemma 5", "The two forms of the bound",
        r"(\tfrac{Wm}n-\tau)^2\tfrac n{2Wm}=\tfrac{(w-\tau)^2}{2w}",
        eq(omission_bound_as_printed, omission_bound(p_s=m / n)), proof=Symbolic(),
        domain=(W, replace(M, upper=10**4), N, TAU_100),
    ),
    stated(
        "lem5.foot", "Lemma 5, footnote", "The bound also covers Bin(m, W/n), sampling with replacement",
        r"\Pr[\mathrm{Bin}(m,W/n)\le\tau]\le\exp(-(w-\tau)^2/(2w))",
        omission_with_replacement <= omission_bound_as_printed,
        domain=Box(
            (W, replace(M, upper=10**4), N, TAU_100), lambda *, W, m, n, tau: n >= W and m <= n and W * m > tau * n,
            "W <= n, m <= n, W m > tau n",
        ),
        note="Neither kind of sampling is the mechanism's: its X is Bin(W, m/n). Chernoff covers all three.",
        **PROBABILITY,
    ),
    stated(
        "lem5.num", "Section 3.3", "exp(-32) < 1e-13 at w = 100, tau = 20", None,
        omission_bound(W=1000, p_s="1/10", tau=20) < "1e-13", loose="the exact probability is 1.08e-24",
    ),
    refuted(
        "lem5.equal", "Lemma 5, proof", "The proof's last line, with an equality",
        r"\Pr[X\le(1-\tfrac{w-\tau}w)\mathrm E X]=\exp(-\tfrac{(w-\tau)^2}{2w})", eq(omission_with_tau, omission_bound),
        by="lem5.stmt.corrected",
        domain=Box((replace(W, upper=1000), P_S, TAU_100), at_most(tau, mean, strict=True), "W p_s > tau"),
        note="Chernoff's bound is at most, not equal; at w = 100, tau = 20 it is 1.3e-14, the probability 6e-24.",
        points=({"W": 1000, "p_s": "1/10", "tau": 20},), **PROBABILITY,
    ),
)  # fmt: skip
