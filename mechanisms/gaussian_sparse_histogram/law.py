"""Exact laws of the Gaussian sparse histogram mechanism on two neighbouring histograms.

A user's rows are independent, and each is one of four kinds (`proofs_numeric.wilkins2024.neighbours`): below tau, where
nothing is ever released; at the threshold, which only one side can release; far above, a Gaussian mechanism; near tau*,
a normal censored there. Untouched rows tell nothing. Source: wilkins2024 Lemmas 5.1 to 5.3; every profile holds for any
real epsilon.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.laws.privacy_loss import GaussianLoss, SumLoss, unreleased_keys_loss
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, integral, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.neighbours import FAR, thresholds

if TYPE_CHECKING:
    from collections.abc import Callable

    from mechanisms.laws.privacy_loss import Loss
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law on neighbours with one record more in some groups of `left`; none where no formula is known.

    Known for rows at the threshold beside rows far above it, for one near row, and for two equal near rows without
    aggregates.

    Args:
        neighbours: any two histograms.
        parameters: c_u, sigma, gap or tau_star, and mu_o (0 unless given) and tau (1, or any real: Algorithm 1 then
            has the lower threshold max(1, ceil(tau))).
    """
    (tau, tau_star), sigma = thresholds(parameters), Fraction(parameters["sigma"])
    mu_o = Fraction(parameters.get("mu_o", 0))
    left, right = neighbours.left, neighbours.right
    changed = [(left.get(key, 0), right.get(key, 0)) for key in sorted({*left, *right})]
    if any(here - there not in {0, 1} for here, there in changed):
        return ExactLaw()
    counts = [here for here, there in changed if here > there and here >= tau]
    near = [count for count in counts if tau < count < tau_star + FAR * sigma + 1]
    if not near:
        rows: dict[str, Any] = {"at_threshold": counts.count(tau), "far": len(counts) - counts.count(tau)}
        rows |= {"sigma": sigma, "gap": tau_star - tau, "mu_o": mu_o}
        return ExactLaw(partial(rows_profile, **rows), partial(rows_loss, **rows))
    if len(counts) == 1:
        return ExactLaw(partial(near_profile, count=near[0], tau_star=tau_star, sigma=sigma, mu_o=mu_o))
    if counts == [near[0]] * 2 and mu_o == 0:
        return ExactLaw(partial(two_near_profile, count=near[0], tau_star=tau_star, sigma=sigma))
    return ExactLaw()


def rows_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    at_threshold: int,
    far: int,
    sigma: Value,
    gap: Value,
    mu_o: Value = 0,
) -> Number:
    """Exact profile of `at_threshold` rows at tau beside `far` rows far above (Lemma 5.2 with Lemma 5.3).

    With beta = Phi(gap / sigma)^at_threshold and f the Gaussian profile at mu = sqrt(far (1/sigma^2 + mu_o^2)), it is
    1 - beta + beta f(mu, epsilon - log beta) forward and f(mu, epsilon + log beta) backward.
    """
    epsilon, s, m = A.number(epsilon), A.number(sigma), A.number(mu_o)
    log_beta = at_threshold * log_normal_cdf(A, A.number(gap) / s)
    mu = A.sqrt(far * (1 / (s * s) + m * m))
    if direction is Direction.FORWARD:
        value = -A.expm1(log_beta) + A.exp(log_beta) * gaussian_profile(A, epsilon - log_beta, mu)
    else:
        value = gaussian_profile(A, epsilon + log_beta, mu)
    return widened(A, value, -far * normal_cdf(A, A.number(-FAR)))


def rows_loss(
    direction: Direction, *, at_threshold: int, far: int, sigma: Value, gap: Value, mu_o: Value = 0
) -> SumLoss:
    """Privacy loss of the pair of `rows_profile`, row by row: released far rows are Gaussian, new rows are not there.

    Row by row rather than through mu and beta, so that it shares no step with the formula it is held against.
    """
    s, m = float(Fraction(sigma)), float(Fraction(mu_o))
    far_row: list[Loss] = [GaussianLoss(1 / s), *([GaussianLoss(m)] if m else [])]
    return SumLoss((*(far_row * far), *[unreleased_keys_loss(1, float(Fraction(gap)) / s, direction)] * at_threshold))


def widened(A: Arithmetic, value: Number, change: Number) -> Number:
    """Enclosure of everything between value and value + change; the value where the arithmetic does not enclose.

    Merging outputs of probability q lowers a hockey stick by at most q; leaving out a stretch of an integral of such
    probability does the same.
    """
    return A.between(value, value + change)


def near_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, count: int, tau_star: Value, sigma: Value, mu_o: Value = 0
) -> Number:
    """Exact profile of one changed row, count against count - 1, both at least tau: two normals censored at tau*.

    Without aggregates the likelihood ratio is monotone in the released value, so the best event is a half-line and
    perhaps the event of no release. With them, a Gaussian of distance mu_o is composed where the row is released, and
    the value is integrated (scalar epsilon).
    """
    epsilon, s, t = A.number(epsilon), A.number(sigma), A.number(tau_star)
    mean, other = (count, count - 1) if direction is Direction.FORWARD else (count - 1, count)
    e, middle = A.exp(epsilon), count - A.number(Fraction(1, 2))
    far_part = A.maximum(0, normal_cdf(A, (t - mean) / s) - e * normal_cdf(A, (t - other) / s))
    if Fraction(mu_o) == 0:
        if direction is Direction.FORWARD:
            cut = A.maximum(t, middle + s * s * epsilon)
            return far_part + normal_cdf(A, (mean - cut) / s) - e * normal_cdf(A, (other - cut) / s)
        cut = A.maximum(t, middle - s * s * epsilon)
        inside = normal_cdf(A, (cut - mean) / s) - normal_cdf(A, (t - mean) / s)
        return far_part + inside - e * (normal_cdf(A, (cut - other) / s) - normal_cdf(A, (t - other) / s))
    far = A.maximum(t, A.number(count)) + FAR * s

    def integrand(B: Any, y: Number) -> Any:
        loss = (mean - other) * (y - middle) / (s * s)
        return normal_pdf(B, (y - mean) / s) / s * gaussian_profile(B, epsilon - loss, B.number(mu_o))

    steps = [t, *(A.maximum(t, count + k * s) for k in (-8, -4, -2, 0, 2, 4, 8)), far]
    body = A.sum(integral(A, integrand, a, b) for a, b in itertools.pairwise(steps))
    return widened(A, far_part + body, normal_cdf(A, A.number(-FAR)))


def reverse(A: Arithmetic, epsilon: Number, forward: Callable[[Number], Number]) -> Any:
    """Profile of (Q, P) from that of (P, Q), 1 - e^epsilon + e^epsilon forward(-epsilon): the complementary event."""
    epsilon = A.number(epsilon)
    return -A.expm1(epsilon) + A.exp(epsilon) * forward(-epsilon)


def two_near_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, count: int, tau_star: Value, sigma: Value
) -> Any:
    """Exact profile of two equal changed rows near tau*, without aggregates (scalar epsilon).

    D(P x P, Q x Q) at epsilon is the integral over the first row's output o of P(o) D(P, Q) at epsilon - log P(o)/Q(o).
    The inner profile is that of `near_profile`; its kinks split the integral, and only the stretch where the inner cut
    lies above tau* is left to quadrature.
    """
    if direction is Direction.BACKWARD:
        forward = partial(two_near_profile, direction=Direction.FORWARD, count=count, tau_star=tau_star, sigma=sigma)
        return reverse(A, epsilon, lambda value: forward(A, value))
    epsilon, s, t, half = A.number(epsilon), A.number(sigma), A.number(tau_star), A.number(Fraction(1, 2))
    e = A.exp(epsilon)
    p, q = normal_cdf(A, (t - count) / s), normal_cdf(A, (t - count + 1) / s)
    up, uq = normal_cdf(A, (count - t) / s), normal_cdf(A, (count - 1 - t) / s)
    log_held = log_normal_cdf(A, (t - count) / s) - log_normal_cdf(A, (t - count + 1) / s)
    # First row held, second row any.
    first_held = p * near_profile(A, epsilon - log_held, Direction.FORWARD, count=count, tau_star=tau_star, sigma=sigma)
    # First row released at y, second held: worth taking when the loss of y exceeds epsilon - log_held.
    cut = A.maximum(t, count - half + s * s * (epsilon - log_held))
    second_held = p * normal_cdf(A, (count - cut) / s) - e * q * normal_cdf(A, (count - 1 - cut) / s)
    # Both released: the sum of the two values exceeds 2 count - 1 + sigma^2 epsilon.
    total = 2 * count - 1 + s * s * epsilon
    kink = A.maximum(t, total - t)
    always = up * normal_cdf(A, (count - kink) / s) - e * uq * normal_cdf(A, (count - 1 - kink) / s)

    def integrand(B: Any, y: Number) -> Number:
        left = normal_pdf(B, (y - count) / s) * normal_cdf(B, (count - total + y) / s)
        right = normal_pdf(B, (y - count + 1) / s) * normal_cdf(B, (count - 1 - total + y) / s)
        return (left - e * right) / s

    return first_held + second_held + always + integral(A, integrand, t, kink)
