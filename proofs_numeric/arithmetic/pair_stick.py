"""How well counters that share a part of their noise tell two histograms apart: the hockey stick of one pair.

With the user l counters are new, of 1 each, and j of d others, far above the threshold, are larger by one.  Counter i
has the noise ``Z + Z_i``, independent and normal, ``Z_i`` of scale own, Z of variance ``own^2/ratio``; those above 1
and the gap are shown.  The d others tell through two independent normals:

- along the change ``N(mu_1, 1)`` with the user and ``N(0, 1)`` without, ``mu_1^2 = j (d - j)/(d own^2)``;
- their mean x in its own deviations, ``N(0, 1)`` with the user and ``N(-mu_2, 1)`` without, ``mu_2 = (j/d)/s``,
  ``s^2 = own^2 (1/d + 1/ratio)``.

Given x no new counter is shown with probability

    g(x) = E[Phi(t - x sqrt(d/(ratio (ratio + d))) - X/sqrt(ratio + d))^l],  t = gap/own,

X standard normal; so some is with ``A_l = 1 - E[Phi(t - X/sqrt(ratio))^l]``.  (With d = 0 there is no x: mu_1 = mu_2 =
0 and g = 1 - A_l.)  f is the Gaussian profile.  With the user first ("forward", ``H_(e^epsilon)(P||Q)``) a new counter
that is shown names the user:

    A_l + int phi(x) g(x) f(mu_1, epsilon - mu_2 x - mu_2^2/2 - ln g(x)) dx,

and with the user second ("reverse", ``H_(e^epsilon)(Q||P)``)

    int phi(x + mu_2) f(mu_1, epsilon + mu_2 x + mu_2^2/2 + ln g(x)) dx.

Two enclosures that cost nothing, at ``mu^2 = mu_1^2 + mu_2^2``: forward lies between ``max(A_l, f(mu, epsilon))`` and
``1 - (1 - A_l)(1 - f(mu, epsilon))`` (upper end: ``g -> sup_S [g P'(S) - e^epsilon P(S)]`` is convex and 0 at g = 0, so
the integrand is at most ``phi g f(mu_1, epsilon - L_2)``; g falls and f rises in x, so Chebyshev's association
inequality splits the integral); reverse lies between ``max(f(mu, epsilon), 1 - e^epsilon (1 - A_l))`` and ``min(1,
f(mu, epsilon) + e^epsilon A_l)`` (upper end: ``(p - e^epsilon g q)_+ <= (p - e^epsilon q)_+ + e^epsilon (1 - g) q``).
"""

import functools
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mixed_pair import MixedPair, squared_distance
from proofs_numeric.arithmetic.mixed_pair_enclosure import enclosure
from proofs_numeric.arithmetic.mixed_pair_quadrature import quadrature
from proofs_numeric.arithmetic.noise_maximum import released, unreleased
from proofs_numeric.arithmetic.special import gaussian_profile

_LARGEST_EPSILON = 709


@functools.singledispatch
def pair_stick(
    A: Arithmetic,
    *,
    epsilon: Number,
    own: Number,
    gap: Number,
    ratio: Number,
    l: int,
    d: int,
    j: int,
    forward: bool,
    bits: int | None = None,
    new: Any = None,
) -> Any:
    """Hockey stick of the pair at ``epsilon`` of either sign; own, ratio > 0, ``l >= 0``, ``0 <= j <= d``.

    ``bits`` asks balls for a wider, cheaper enclosure; ``new`` is ``A_l`` where it is known.

    Raises:
        ValueError: there is no such pair, or epsilon above 709 in reverse, whose exponential is no double, in doubles.

    """
    if not (l >= 0 and 0 <= j <= d):
        raise ValueError(f"expected 0 <= l and 0 <= j <= d (counters), got l={l}, d={d}, j={j}")
    if isinstance(A, Float64) and not forward and epsilon > _LARGEST_EPSILON:
        raise ValueError(f"expected epsilon <= {_LARGEST_EPSILON} (nats) in reverse in doubles, got epsilon={epsilon}")
    epsilon, own, gap, ratio = (A.number(real) for real in (epsilon, own, gap, ratio))
    gaussian = gaussian_profile(A, epsilon, A.sqrt(squared_distance(d=d, j=j, ratio=ratio)) / own)
    if l == 0:
        return gaussian
    passing: dict[str, Any] = {"l": l, "t": gap / own, "b": 1 / A.sqrt(ratio)}
    new = released(A, **passing) if new is None else new
    silent = 1 - new if forward else unreleased(A, **passing)  # less than 1 - new keeps may decide at a large epsilon
    if d == 0:
        loss = -A.expm1(epsilon)
        return A.maximum(new, loss) if forward else A.maximum(0, new + loss * silent)
    pair = MixedPair(l, d, j, A, epsilon, own, gap, ratio, new, silent, gaussian, forward)
    return enclosure(A, pair, bits=bits) if isinstance(A, Ball) else quadrature(A, pair)
