"""Lemma 10: how likely none of k new counters passes the threshold, bounded below by products.

The exact probability is enclosed with full relative accuracy, as itself and as one less its complement, so a bound is
decided where it is tiny, where it is near one, and for a million counters.
"""

import functools
from typing import Any

from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.noise_maximum import released, unreleased
from proofs_numeric.lebeda2025.exact.noise_maximum import NOISE, POINTS, SHAPE, delta_infinite, shared_slope
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.noise import OfSharedNoise

share, x, r, a, more, y = symbols("share x r a more y")
_split_argument = gap / ((1 + shared_slope) * sigma)
log_split_probability = log_cdf(_split_argument)
"""``log psi``."""
slepian_probability = exp(k * log_cdf(gap / (sigma * sqrt(1 + 1 / sqrt(k)))))
"""``Phi(tau/(sigma sqrt(1 + k^{-1/2})))^k``: the maximum of k independent normals of the same variances."""
split_bound = exp((k + 1) * log_split_probability)
"""``psi^{k+1}`` (Lemma 10)."""
power_bound = exp(k * log_split_probability)
"""``psi^k``: one factor fewer than Lemma 10."""


@functools.singledispatch
def unreleased_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_unused: Any) -> Number:
    """``P[max_i (Z + Z_i) <= tau]``, exact; balls are as wide as comparisons need."""
    return 1 - delta_infinite(A, k=k, sigma=sigma, gap=gap)


@unreleased_probability.register
def _(A: Ball, *, k: int, sigma: Number, gap: Number, **_unused: Any) -> Any:
    at = {"l": k, "t": A.number(gap) / sigma, "b": shared_slope(A, k=k), "bits": max(12, A.bits // 8)}
    return both(unreleased(A, **at), 1 - released(A, **at))


_split_at = Phi(share * gap / (sigma * shared_slope)) * exp(k * log_cdf((1 - share) * gap / sigma))
"""``P[Z <= share tau] P[Z_1 <= (1 - share) tau]^k``: any split of tau."""
_variance_argument = gap / ((1 + 1 / sqrt(k)) * sigma)
variance_split = exp((k + 1) * log_cdf(_variance_argument))
"""``Phi(tau/((1 + k^{-1/2}) sigma))^{k+1}``: the bound with the ratio of variances in place of deviations."""
# The factors' arguments are at most Slepian's, x/sqrt(1 + r^2), for x = tau/sigma >= 0 and r = k^{-1/4}: psi's
# x/(1 + r), and x/(1 + r^2).
_slepian_argument = gap / sigma / sqrt(1 + 1 / sqrt(k))
_root = sqrt(1 + r * r)


def _wider(beyond: Expression, of_one_sign: Expression) -> Substitute:
    """Slepian's argument is the larger one, as a formula of x and r."""
    box = Box((Parameter("x", "tau/sigma"), Parameter("r", "k^(-1/4)", open_lower=True)))
    return Substitute(box, {"x": gap / sigma, "r": shared_slope}, sum_of(of_one_sign), zero, beyond)


_WIDER = _wider(x / _root - x / (1 + r), 2 * r * x / ((1 + r + _root) * (1 + r) * _root))
_WIDER_BY_VARIANCE = _wider(x / _root - x / (1 + r * r), x * r * r / ((1 + _root) * (1 + r * r)))
_GAIN = k * (log_cdf(a + more) - log_cdf(a)), Derivative("more", "lower")
_log_power, _log_power_at = k * log_cdf(a + more), k * log_cdf(a)
_log_power_of_one_more = (k + 1) * log_cdf(a)
printed_share = gap * shared_slope / (1 + shared_slope)
"""``tau k^{-1/4}/(1 + k^{-1/4})``: both factors are psi then."""
_WIDER_NORMAL = Box(
    (Parameter("k", "counters", lower=1), Parameter("a", "psi's argument"), Parameter("more", "beyond"))
)
POWER_BELOW = Substitute(
    _WIDER_NORMAL, {"a": _split_argument, "more": _slepian_argument - _split_argument},
    Increasing("exp", _log_power_at, _log_power, sum_of(_GAIN)), exp(_log_power_at), exp(_log_power), {"more": _WIDER},
)  # fmt: skip
"""psi is at most the factor of independent normals, where tau is not negative."""


def _factor_below(argument: Expression, wider: Tactic) -> Substitute:
    """One more factor with this argument is at most k of independent normals."""
    return Substitute(
        _WIDER_NORMAL, {"a": argument, "more": _slepian_argument - argument},
        Increasing("exp", _log_power_of_one_more, _log_power, sum_of(_GAIN, -log_cdf(a))), exp(_log_power_of_one_more),
        exp(_log_power), {"more": wider},
    )  # fmt: skip


_ABOVE_BELOW_ZERO = Substitute(
    Box((Parameter("k", "counters", lower=1), Parameter("a", "less the argument"), Parameter("r", "", upper=1))),
    {"a": -_variance_argument, "r": shared_slope}, Derivative("r", "upper", at_end=Symbolic()),
    exp((k + 1) * log_cdf(-a)), Phi(-a * r) * exp(k * log_cdf(-a)),
    {"r <": Increasing("sqrt", 1 / sqrt(k), one, Increasing("sqrt", 1 / k, one))},
)  # fmt: skip
"""Where tau < 0 the shared noise's factor is the larger one."""

TANGENT = ByClaim("lebeda2025.lem10.tangent")
_lower_bound = functools.partial(DeltaBound, exact=unreleased_probability, noise=NOISE)

CLAIMS = (
    stated(
        "lem10", "Lemma 10", "the correlated noises stay below the threshold",
        r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^{k+1}, \psi = \Phi(\tau/((1 + k^{-1/4})\sigma))",
        _lower_bound(split_bound, proof=OfSharedNoise(Symbolic(), printed_share)),
        domain=SHAPE, quantity=QuantityKind.PROBABILITY, role=Role.LOWER,
        loose="the exact probability is lebeda2025.csh.exact.delta_inf's complement; see lem10.slepian", points=POINTS,
    ),
    stated(
        "lem10.proof", "Appendix B.2",
        "every split of tau bounds the probability; the printed one makes the two factors equal",
        r"P[Z \le s\tau] P[Z_1 \le (1-s)\tau]^k \le P[\max_i (Z + Z_i) \le \tau]",
        _lower_bound(_split_at, proof=OfSharedNoise(Symbolic(), gap * share)),
        domain=(K, SIGMA, GAP, Parameter("share", "fraction of tau given to Z", lower=0, upper=1)),
        quantity=QuantityKind.PROBABILITY, role=Role.LOWER,
    ),
    own(
        "lem10.slepian", "Lemma 10",
        "the correlated maximum stays below at least as often as the independent one (Slepian's inequality)",
        r"P[\max_i (Z + Z_i) \le \tau] \ge \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k",
        _lower_bound(slepian_probability, proof=OfSharedNoise(Symbolic(), tangent=TANGENT)),
        domain=SHAPE, quantity=QuantityKind.PROBABILITY, role=Role.LOWER, points=POINTS,
    ),
    own(
        "lem10.tangent", "Lemma 10", "a power lies above its tangent at 1", None, 1 + k * (y - 1) <= y**k,
        proof=Induction("k", product_of(k, (y - 1) ** 2), factor=y),
        domain=(
            Parameter("k", "counters", "counters", 1, integer=True),
            Parameter("y", "conditional probability over its mean"),
        ),
    ),
    own(
        "lem10.slepian.order", "Lemma 10", "Slepian's bound is at least Lemma 10's, whatever tau",
        r"\psi^{k+1} \le \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k for every real \tau",
        split_bound <= slepian_probability, domain=(K, replace(SIGMA, lower="1e-2", upper=100), GAP),
        expected=Expectation.REFUTED, corrected_by="lebeda2025.lem10.slepian.order.corrected",
        note="fails for negative tau and k >= 2, where 2 k^{3/4} > 1 + k^{-1/2}", quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem10.slepian.order.corrected", "Lemma 10", "Slepian's bound is at least Lemma 10's for tau >= 0",
        r"\psi^{k+1} \le \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k for \tau \ge 0", split_bound <= slepian_probability,
        proof=_factor_below(_split_argument, _WIDER), domain=(K, SIGMA, replace(GAP, lower=0)),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem10.variance", "Lemma 10 (erratum trap L2)", "splitting tau by variances instead of deviations is sound too",
        r"P[\max_i (Z + Z_i) \le \tau] \ge \Phi(\tau/((1 + k^{-1/2})\sigma))^{k+1}",
        _lower_bound(
            variance_split,
            proof=Split(
                "gap", 0, OfSharedNoise(_ABOVE_BELOW_ZERO, gap / (sqrt(k) + 1)),
                OfSharedNoise(_factor_below(_variance_argument, _WIDER_BY_VARIANCE), tangent=TANGENT),
            ),
        ),
        domain=SHAPE, note="for tau > 0 the printed proof alone does not give it: Z's factor is then the smaller one",
        quantity=QuantityKind.PROBABILITY, role=Role.LOWER,
    ),
    own(
        "lem10.power", "Lemma 10", "one factor fewer, psi^k, is a bound too, for tau of either sign",
        r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^k for \tau < 0 too", Inequality(power_bound, unreleased_probability),
        domain=(K, replace(SIGMA, lower=1, upper=100), replace(GAP, lower=-10, upper=10)), expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem10.power.corrected",
        note="fails for tau < 0: at k = 1 psi^k is Phi(tau/(2 sigma)) against Phi(tau/(sqrt(2) sigma))",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "lem10.power.corrected", "Lemma 10", "psi^k bounds the probability for tau >= 0",
        r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^k for \tau \ge 0",
        _lower_bound(power_bound, proof=OfSharedNoise(POWER_BELOW, tangent=TANGENT)),
        domain=(K, SIGMA, replace(GAP, lower=0)), quantity=QuantityKind.PROBABILITY, role=Role.LOWER,
    ),
)  # fmt: skip
