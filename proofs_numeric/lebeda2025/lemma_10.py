"""Lemma 10: how likely none of k new counters passes the threshold, bounded below by products.

The exact probability is enclosed with full relative accuracy, as itself and as one less its complement, so a bound is
decided where it is tiny, where it is near one, and for a million counters.
"""

import functools
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.noise_maximum import released, unreleased
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.lebeda2025.exact.noise_maximum import NOISE, POINTS, SHAPE, delta_infinite, shared_slope
from proofs_numeric.lebeda2025.parameters import GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.noise import Apart, OfIndependent
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Increasing,
    Induction,
    Part,
    Product,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
)
from proofs_numeric.statements.verdict import Expectation


def log_split_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``log psi``."""
    return log_normal_cdf(A, gap / ((1 + shared_slope(A, k)) * sigma))


def slepian_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``Phi(tau/(sigma sqrt(1 + k^{-1/2})))^k``: the maximum of k independent normals of the same variances."""
    return A.exp(k * log_normal_cdf(A, gap / (sigma * A.sqrt(1 + 1 / A.sqrt(A.number(k))))))


def split_bound(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``psi^{k+1}`` (Lemma 10)."""
    return A.exp((k + 1) * log_split_probability(A, k=k, sigma=sigma, gap=gap))


def power_bound(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``psi^k``: one factor fewer than Lemma 10."""
    return A.exp(k * log_split_probability(A, k=k, sigma=sigma, gap=gap))


@functools.singledispatch
def unreleased_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_unused: Any) -> Number:
    """``P[max_i (Z + Z_i) <= tau]``, exact; balls are as wide as comparisons need."""
    return 1 - delta_infinite(A, k=k, sigma=sigma, gap=gap)


@unreleased_probability.register
def _(A: Ball, *, k: int, sigma: Number, gap: Number, **_unused: Any) -> Any:
    at = {"l": k, "t": A.number(gap) / sigma, "b": shared_slope(A, k), "bits": max(12, A.bits // 8)}
    return both(unreleased(A, **at), 1 - released(A, **at))


def _split_at(A: Arithmetic, *, k: int, sigma: Number, gap: Number, share: Number) -> Number:
    """``P[Z <= share tau] P[Z_1 <= (1 - share) tau]^k``: any split of tau."""
    eta = sigma * shared_slope(A, k)
    return normal_cdf(A, share * gap / eta) * A.exp(k * log_normal_cdf(A, (1 - share) * gap / sigma))


def variance_split(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``Phi(tau/((1 + k^{-1/2}) sigma))^{k+1}``: the bound with the ratio of variances in place of deviations."""
    return A.exp((k + 1) * log_normal_cdf(A, gap / ((1 + 1 / A.sqrt(A.number(k))) * sigma)))


# The factors' arguments are at most Slepian's, x/sqrt(1 + r^2), for x = tau/sigma >= 0 and r = k^{-1/4}: psi's
# x/(1 + r), and x/(1 + r^2).


def _split_argument(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_rest: Any) -> Number:
    return gap / ((1 + shared_slope(A, k)) * sigma)


def _variance_argument(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_rest: Any) -> Number:
    return gap / ((1 + 1 / A.sqrt(A.number(k))) * sigma)


def _slepian_beyond(argument: Formula) -> Formula:
    """By how much Slepian's argument is larger."""

    def beyond(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_rest: Any) -> Any:
        return gap / sigma / A.sqrt(1 + 1 / A.sqrt(A.number(k))) - argument(A, k=k, sigma=sigma, gap=gap)

    return beyond


def _root(A: Arithmetic, r: Number) -> Any:
    return A.sqrt(1 + A.number(r) * r)


def _wider(beyond: Formula, of_one_sign: Formula) -> Substitute:
    """Slepian's argument is the larger one, as a formula of x and r."""
    return Substitute(
        Box((Parameter("x", "tau/sigma"), Parameter("r", "k^(-1/4)", open_lower=True))),
        {"x": lambda _A, *, gap, sigma, **_rest: gap / sigma, "r": lambda A, *, k, **_rest: shared_slope(A, k)},
        Sum((Part(of_one_sign),)),
        zero,
        beyond,
    )


_WIDER = _wider(
    lambda A, *, x, r: x / _root(A, r) - x / (1 + r),
    lambda A, *, x, r: 2 * r * x / ((1 + r + _root(A, r)) * (1 + r) * _root(A, r)),
)
_WIDER_BY_VARIANCE = _wider(
    lambda A, *, x, r: x / _root(A, r) - x / (1 + A.number(r) * r),
    lambda A, *, x, r: x * A.number(r) * r / ((1 + _root(A, r)) * (1 + A.number(r) * r)),
)


def _power_gain(A: Arithmetic, *, k: Number, a: Number, more: Number) -> Number:
    return k * (log_normal_cdf(A, a + more) - log_normal_cdf(A, a))


def _factor_lost(A: Arithmetic, *, a: Number, **_rest: Number) -> Number:
    return -log_normal_cdf(A, a)


def _tangent(_A: Arithmetic, *, k: int, y: Number) -> Number:
    return 1 + k * (y - 1)


def _power(A: Arithmetic, *, k: int, y: Number) -> Any:
    return A.number(y) ** k


def printed_share(A: Arithmetic, *, k: int, gap: Number, **_rest: Number) -> Any:
    """``tau k^{-1/4}/(1 + k^{-1/4})``: both factors are psi then."""
    r = shared_slope(A, k)
    return A.number(gap) * r / (1 + r)


def _any_share(A: Arithmetic, *, gap: Number, share: Number, **_rest: Number) -> Any:
    return A.number(gap) * share


def _log_power(A: Arithmetic, *, k: int, a: Number, more: Number) -> Any:
    return k * log_normal_cdf(A, A.number(a) + more)


def _log_power_at(A: Arithmetic, *, k: int, a: Number, more: Number) -> Any:
    return k * log_normal_cdf(A, a)


_WIDER_NORMAL = Box(
    (Parameter("k", "counters", lower=1), Parameter("a", "psi's argument"), Parameter("more", "beyond"))
)
POWER_BELOW = Substitute(
    _WIDER_NORMAL,
    {"a": _split_argument, "more": _slepian_beyond(_split_argument)},
    Increasing("exp", _log_power_at, _log_power, Sum((Part(_power_gain, Derivative("more", "lower")),))),
    lambda A, **at: A.exp(_log_power_at(A, **at)),
    lambda A, **at: A.exp(_log_power(A, **at)),
    {"more": _WIDER},
)
"""psi is at most the factor of independent normals, where tau is not negative."""


def _factor_below(argument: Formula, wider: Tactic) -> Substitute:
    """One more factor with this argument is at most k of independent normals."""

    def log_power_of_one_more(A: Arithmetic, *, k: int, a: Number, more: Number) -> Any:
        return (k + 1) * log_normal_cdf(A, A.number(a))

    return Substitute(
        _WIDER_NORMAL,
        {"a": argument, "more": _slepian_beyond(argument)},
        Increasing(
            "exp",
            log_power_of_one_more,
            _log_power,
            Sum((Part(_power_gain, Derivative("more", "lower")), Part(_factor_lost))),
        ),
        lambda A, **at: A.exp(log_power_of_one_more(A, **at)),
        lambda A, **at: A.exp(_log_power(A, **at)),
        {"more": wider},
    )


def _share_of_variances(A: Arithmetic, *, k: int, gap: Number, **_sigma: Number) -> Any:
    """``tau k^{-1/2}/(1 + k^{-1/2})``."""
    return A.number(gap) / (A.sqrt(A.number(k)) + 1)


_ABOVE_BELOW_ZERO = Substitute(
    Box((Parameter("k", "counters", lower=1), Parameter("a", "less the argument"), Parameter("r", "", upper=1))),
    {"a": lambda A, **at: -_variance_argument(A, **at), "r": lambda A, *, k, **_rest: shared_slope(A, k)},
    Derivative("r", "upper", at_end=Symbolic()),
    lambda A, *, k, a, r: A.exp((k + 1) * log_normal_cdf(A, -A.number(a))),
    lambda A, *, k, a, r: normal_cdf(A, -a * A.number(r)) * A.exp(k * log_normal_cdf(A, -A.number(a))),
    {
        "r <": Increasing(
            "sqrt",
            lambda A, *, k, **_rest: 1 / A.sqrt(A.number(k)),
            one,
            Increasing("sqrt", lambda A, *, k, **_rest: 1 / A.number(k), one),
        )
    },
)
"""Where tau < 0 the shared noise's factor is the larger one."""

_PRODUCT = Symbolic()
TANGENT = ByClaim("lebeda2025.lem10.tangent")


CLAIMS = (
    Claim(
        id="lebeda2025.lem10",
        source=printed("Lemma 10"),
        title="the correlated noises stay below the threshold",
        statement=r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^{k+1}, \psi = \Phi(\tau/((1 + k^{-1/4})\sigma))",
        kind=DeltaBound(
            formula=split_bound, exact=unreleased_probability, noise=NOISE, proof=Apart(printed_share, _PRODUCT)
        ),
        domain=SHAPE,
        quantity=QuantityKind.PROBABILITY,
        role=Role.LOWER,
        loose="the exact probability is lebeda2025.csh.exact.delta_inf's complement; see lem10.slepian",
        points=POINTS,
    ),
    Claim(
        id="lebeda2025.lem10.proof",
        source=printed("Appendix B.2"),
        title="every split of tau bounds the probability; the printed one makes the two factors equal",
        statement=r"P[Z \le s\tau] P[Z_1 \le (1-s)\tau]^k \le P[\max_i (Z + Z_i) \le \tau]",
        kind=DeltaBound(
            formula=_split_at, exact=unreleased_probability, noise=NOISE, proof=Apart(_any_share, Symbolic())
        ),
        domain=Box((K, SIGMA, GAP, Parameter("share", "fraction of tau given to Z", lower=0, upper=1))),
        quantity=QuantityKind.PROBABILITY,
        role=Role.LOWER,
    ),
    Claim(
        id="lebeda2025.lem10.slepian",
        source=ours("Lemma 10"),
        title="the correlated maximum stays below at least as often as the independent one (Slepian's inequality)",
        statement=r"P[\max_i (Z + Z_i) \le \tau] \ge \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k",
        kind=DeltaBound(
            formula=slepian_probability,
            exact=unreleased_probability,
            noise=NOISE,
            proof=OfIndependent(Symbolic(), TANGENT),
        ),
        domain=SHAPE,
        quantity=QuantityKind.PROBABILITY,
        role=Role.LOWER,
        points=POINTS,
    ),
    Claim(
        id="lebeda2025.lem10.tangent",
        source=ours("Lemma 10"),
        title="a power lies above its tangent at 1",
        statement=r"1 + k (y - 1) \le y^k",
        kind=Inequality(
            left=_tangent,
            right=_power,
            proof=Induction(
                "k",
                Product((Part(lambda _A, *, k, **_y: k), Part(lambda _A, *, y, **_k: (y - 1) ** 2))),
                factor=lambda _A, *, y, **_k: y,
            ),
        ),
        domain=Box(
            (
                Parameter("k", "counters", "counters", lower=1, integer=True),
                Parameter("y", "conditional probability over its mean"),
            )
        ),
    ),
    Claim(
        id="lebeda2025.lem10.slepian.order",
        source=ours("Lemma 10"),
        title="Slepian's bound is at least Lemma 10's, whatever tau",
        statement=r"\psi^{k+1} \le \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k for every real \tau",
        kind=Inequality(left=split_bound, right=slepian_probability),
        domain=Box((K, replace(SIGMA, lower="1e-2", upper=100), GAP)),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem10.slepian.order.corrected",
        note="fails for negative tau and k >= 2, where 2 k^{3/4} > 1 + k^{-1/2}",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.lem10.slepian.order.corrected",
        source=ours("Lemma 10"),
        title="Slepian's bound is at least Lemma 10's for tau >= 0",
        statement=r"\psi^{k+1} \le \Phi(\tau/(\sigma\sqrt{1 + k^{-1/2}}))^k for \tau \ge 0",
        kind=Inequality(left=split_bound, right=slepian_probability, proof=_factor_below(_split_argument, _WIDER)),
        domain=Box((K, SIGMA, replace(GAP, lower=0))),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.lem10.variance",
        source=ours("Lemma 10 (erratum trap L2)"),
        title="splitting tau by variances instead of deviations is sound too",
        statement=r"P[\max_i (Z + Z_i) \le \tau] \ge \Phi(\tau/((1 + k^{-1/2})\sigma))^{k+1}",
        kind=DeltaBound(
            formula=variance_split,
            exact=unreleased_probability,
            noise=NOISE,
            proof=Split(
                "gap",
                0,
                Apart(_share_of_variances, _ABOVE_BELOW_ZERO),
                OfIndependent(_factor_below(_variance_argument, _WIDER_BY_VARIANCE), TANGENT),
            ),
        ),
        domain=SHAPE,
        note="for tau > 0 the printed proof alone does not give it: Z's factor is then the smaller one",
        quantity=QuantityKind.PROBABILITY,
        role=Role.LOWER,
    ),
    Claim(
        id="lebeda2025.lem10.power",
        source=ours("Lemma 10"),
        title="one factor fewer, psi^k, is a bound too, for tau of either sign",
        statement=r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^k for \tau < 0 too",
        kind=Inequality(left=power_bound, right=unreleased_probability),
        domain=Box((K, replace(SIGMA, lower=1, upper=100), replace(GAP, lower=-10, upper=10))),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem10.power.corrected",
        note="fails for tau < 0: at k = 1 psi^k is Phi(tau/(2 sigma)) against Phi(tau/(sqrt(2) sigma))",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="lebeda2025.lem10.power.corrected",
        source=ours("Lemma 10"),
        title="psi^k bounds the probability for tau >= 0",
        statement=r"P[\max_i (Z + Z_i) \le \tau] \ge \psi^k for \tau \ge 0",
        kind=DeltaBound(
            formula=power_bound, exact=unreleased_probability, noise=NOISE, proof=OfIndependent(POWER_BELOW, TANGENT)
        ),
        domain=Box((K, SIGMA, replace(GAP, lower=0))),
        quantity=QuantityKind.PROBABILITY,
        role=Role.LOWER,
    ),
)
