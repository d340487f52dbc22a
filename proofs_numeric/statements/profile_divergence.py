"""What a privacy profile says about Renyi divergences: refuting concentrated privacy from hockey sticks alone.

With ``H(gamma) = sup_S P(S) - gamma Q(S)`` and ``H'`` the same with P and Q exchanged, every f-divergence is an
average of hockey sticks (Sason and Verdu 2016): for twice differentiable f with ``f(1) = 0``

    D_f(P||Q) = integral_1^inf  f''(g) H(g) + g^-3 f''(1/g) H'(g)  dg.

``f(t) = t^alpha - 1`` gives ``exp((alpha - 1) D_alpha) - 1``, ``f(t) = t log t`` the Kullback-Leibler divergence.

If P and Q are mixtures ``(1 - delta) P' + delta P''`` and likewise for Q, then ``H <= (1 - delta) H_good + delta``
at every g: the good parts of delta-approximate rho-CDP have profiles at least ``(H - delta)_+ / (1 - delta)``.  A
lower bound of that divergence above ``alpha rho`` refutes the promise, whatever the good parts are.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Exact, Number


def good_profile_lower(A: Arithmetic, profile: Sequence[Any], delta: Number) -> list[Any]:
    """``(H - delta)_+ / (1 - delta)``: at most the profile of any good parts."""
    return [A.maximum(0, (value - delta) / (1 - delta)) for value in profile]


def renyi_lower(
    A: Arithmetic, ratios: Sequence[Any], forward: Sequence[Any], backward: Sequence[Any], alpha: Exact
) -> Number:
    """A lower bound of ``D_alpha(P||Q)``, ``alpha >= 1``, from both profiles at ``1 = ratios[0] < ratios[1] < ...``.

    Profiles are convex and fall, so between two points each lies above the chords of the neighbouring intervals
    extended, and above its value at the right end; beyond the last point it counts as zero.
    """
    order = A.number(alpha)
    ahead = _convex_lower(A, ratios, forward, Fraction(alpha) - 2)
    behind = _convex_lower(A, ratios, backward, -Fraction(alpha) - 1)
    if alpha == 1:
        return ahead + behind
    return A.log1p(order * (order - 1) * (ahead + behind)) / (order - 1)


def _convex_lower(A: Arithmetic, ratios: Sequence[Any], values: Sequence[Any], power: Fraction) -> Number:
    """Lower bound of ``integral g^power H(g) dg`` over the range of ``ratios``."""
    slopes = [(values[i + 1] - values[i]) / (ratios[i + 1] - ratios[i]) for i in range(len(ratios) - 1)]
    total = A.number(0)
    for i in range(len(slopes)):
        a, b = ratios[i], ratios[i + 1]
        middle = (a + b) / 2
        from_left = (values[i], slopes[i - 1], a) if i else None
        from_right = (values[i + 1], slopes[i + 1], b) if i + 1 < len(slopes) else None
        for low, high, chord in ((a, middle, from_left or from_right), (middle, b, from_right or from_left)):
            flat = values[i + 1] * _power_integral(A, power, low, high)
            total = total + (flat if chord is None else A.maximum(flat, _chord_integral(A, power, low, high, *chord)))
    return total


def _chord_integral(
    A: Arithmetic, power: Fraction, low: Number, high: Number, value: Number, slope: Number, at: Number
) -> Number:
    """``integral_low^high g^power (value + slope (g - at)) dg``."""
    level = value - slope * at
    return level * _power_integral(A, power, low, high) + slope * _power_integral(A, power + 1, low, high)


def _power_integral(A: Arithmetic, power: Fraction, low: Number, high: Number) -> Number:
    if power == -1:
        return A.log(high) - A.log(low)
    exponent = A.number(power + 1)
    return (A.exp(exponent * A.log(high)) - A.exp(exponent * A.log(low))) / exponent
