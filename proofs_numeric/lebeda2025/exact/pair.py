"""The exact hockey stick of the correlated stability histogram on one pair of neighbours.

The pair (l, j) with ``d = k - l``: l counters are 1 under H' and absent under H; d counters are shared and far above
the threshold, j of them one larger under H'.

1. Every pair of neighbours is a post-processing of some (l, j): supports are nested, all new counts are 1, at most
   k - l counters are shared; smaller shared counts, counts at the threshold and fewer shared counters lose information.
2. The shared outputs carry two independent statistics.  Along the change, ``N(0, 1)`` against ``N(mu_1, 1)``,
   ``mu_1^2 = j (d - j)/(d sigma^2)``; along the mean, ``N(0, s_2^2)`` against ``N(j/d, s_2^2)``,
   ``s_2^2 = sigma^2 (d + gamma)/(d gamma)``, that is ``mu_2 = (j/d)/s_2`` in its own unit x (standard normal under
   H').
3. Given the mean, Z has standard deviation ``sigma/sqrt(gamma + d)`` and mean ``sigma x sqrt(d/(gamma (gamma + d)))``
   under H'.  So no new counter is released with probability
   ``g(x) = E[Phi(t - x sqrt(d/(gamma (gamma+d))) - X/sqrt(gamma + d))^l]``, ``t = tau/sigma``.
4. Forward (H' first) the event "some new counter" has probability 0 under H:
   ``A_l + int phi(x) g(x) HS(mu_1, epsilon - mu_2 x - mu_2^2/2 - ln g(x)) dx``.
   Reverse: ``int phi(x + mu_2) HS(mu_1, epsilon + mu_2 x + mu_2^2/2 + ln g(x)) dx``.
5. Two enclosures that cost nothing: forward lies between ``max(A_l, HS(mu_j))`` and ``1 - (1 - A_l)(1 - HS(mu_j))``,
   ``mu_j^2 = mu_1^2 + mu_2^2`` (upper end: ``g -> sup_S [g P'(S) - e^epsilon P(S)]`` is convex and 0 at g = 0, so the
   integrand is at most ``phi g HS(mu_1, epsilon - L_2)``; g falls and HS rises in x, so Chebyshev's association
   inequality splits the integral); reverse lies between ``max(HS(mu_j), 1 - e^epsilon (1 - A_l))`` and 1.
"""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number, Rational
from proofs_numeric.arithmetic.integer_part import ceiling_of_half, ceiling_of_root
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.mixed_pair import MixedPair
from proofs_numeric.lebeda2025.exact.mixed_pair_enclosure import enclosure
from proofs_numeric.lebeda2025.exact.mixed_pair_quadrature import quadrature
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.oracle import pair_delta_by_definition
from proofs_numeric.lebeda2025.parameters import DIRECTION, EPSILON, GAP, K_SMALL, SIGMA, J, L, ours
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import DeltaBound


def shared_mu(A: Arithmetic, *, k: int, sigma: Number, d: int, j: int) -> Number:
    """``mu_j = sqrt(j - j^2/(d + sqrt(k)))/sigma``: distance of the shared counters' laws when j of d change."""
    gamma = A.sqrt(A.number(k))
    return A.sqrt(j * (d - j + gamma) / (d + gamma)) / sigma


def turning_point(A: Arithmetic, *, k: int, d: int) -> int:
    """The integer that maximises ``j - j^2/(d + sqrt(k))``: the step from j gains iff ``2j + 1 < d + sqrt(k)``."""
    return ceiling_of_half(A, d + ceiling_of_root(A, k) - 1)


def worst_among(A: Arithmetic, *, k: int, d: int) -> Any:
    """The integer ``0 <= j <= d`` that maximises ``j - j^2/(d + sqrt(k))``, by integers alone."""
    return A.minimum(d, turning_point(A, k=k, d=d))


def worst_change(k: int, d: int) -> int:
    """:func:`worst_among`, as an integer."""
    return int(worst_among(Rational(), k=k, d=d))


def shared_delta(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, d: int) -> Any:
    """``dg(d; epsilon)``: the worst hockey stick of d shared counters when nothing else changes."""
    return gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=d, j=worst_among(A, k=k, d=d)))


def new_released(A: Arithmetic, *, k: int, sigma: Number, gap: Number, l: int) -> Number:
    """``A_l``: probability that some of l new counters is released."""
    return released(A, l=l, t=gap / sigma, b=shared_slope(A, k))


def pair_delta(
    A: Arithmetic,
    *,
    epsilon: Number,
    k: int,
    sigma: Number,
    gap: Number,
    l: int,
    j: int,
    direction: str,
    d: int | None = None,
    bits: int | None = None,
    new: Any = None,
) -> Any:
    """Exact hockey stick of the pair (l, j) at ``epsilon`` of either sign; ``0 <= j <= d``, ``d = k - l`` unless given.

    ``bits`` asks balls for a wider, cheaper enclosure; ``new`` is ``A_l`` where it is known.
    """
    d = k - l if d is None else d
    if not (k >= 1 and 0 <= l <= k and 0 <= j <= d <= k):
        raise ValueError(f"expected 0 <= l <= k and 0 <= j <= k - l (counters), got k={k}, l={l}, j={j}")
    epsilon, sigma, gap = A.number(epsilon), A.number(sigma), A.number(gap)
    forward = direction == "forward"
    gaussian = gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=d, j=j))
    if l == 0:
        return gaussian
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=l) if new is None else new
    if d == 0:
        loss = -A.expm1(epsilon)
        return A.maximum(new, loss) if forward else A.maximum(0, new + loss * (1 - new))
    pair = MixedPair(k, l, d, j, A, epsilon, sigma, gap, new, gaussian, forward)
    return enclosure(A, pair, bits=bits) if isinstance(A, Ball) else quadrature(A, pair)


def _squares_of_statistics(A: Arithmetic, *, j: Number, d: Number, gamma: Number, sigma: Number) -> Number:
    """``j (d - j)/(d sigma^2) + (j/d)^2/s_2^2``, ``s_2^2 = sigma^2 (d + gamma)/(d gamma)``."""
    variance_of_mean = sigma * sigma * (1 / d + 1 / gamma)
    return j * (d - j) / (d * sigma * sigma) + (j / d) ** 2 / variance_of_mean


def _square_of_distance(A: Arithmetic, *, j: Number, d: Number, gamma: Number, sigma: Number) -> Number:
    return (j - j * j / (d + gamma)) / sigma**2


def _variance_given_the_mean(A: Arithmetic, *, d: Number, gamma: Number, sigma: Number) -> Number:
    """Of the shared noise, of variance ``sigma^2/gamma``, given its sum with a mean of d own noises."""
    shared = sigma * sigma / gamma
    return shared - shared * shared / (shared + sigma * sigma / d)


def _variance_of_shared_noise(A: Arithmetic, *, d: Number, gamma: Number, sigma: Number) -> Number:
    return sigma**2 / (gamma + d)


def _fits(*, k: int, l: int, j: int, **_rest: Any) -> bool:
    return l + j <= k


CLAIMS = (
    Claim(
        id="lebeda2025.csh.exact.pair",
        source=ours("Section 8 (open problem)"),
        title="exact delta of one pair of neighbours",
        statement=r"\delta_{l,j}^{\to}(\epsilon) = A_l + \int \varphi(x) g(x) f(\mu_1, \epsilon - L_2(x) - \ln g(x))dx",
        kind=DeltaBound(
            formula=pair_delta,
            proof=Derivation(
                (
                    Unchecked(
                        "step 2: the change along j of d shared counters and their mean are independent Gaussian "
                        "statistics, sufficient beside the new counters"
                    ),
                    SymbolicIdentity(
                        "mu_1^2 + mu_2^2 = mu_j^2",
                        _squares_of_statistics,
                        _square_of_distance,
                        ("j", "d", "gamma", "sigma"),
                        ("j", "d", "gamma", "sigma"),
                        "no information of the shared counters is lost",
                    ),
                    SymbolicIdentity(
                        "the mean leaves Z the variance sigma^2/(gamma + d)",
                        _variance_given_the_mean,
                        _variance_of_shared_noise,
                        ("d", "gamma", "sigma"),
                        ("d", "gamma", "sigma"),
                        "step 3: g(x) is the chance of no new counter, given the mean",
                    ),
                    Unchecked(
                        "step 4: given x the hockey stick is that of N(mu_1, 1) and N(0, 1) at the level left; some "
                        "new counter has no probability without them"
                    ),
                )
            ),
            oracle=pair_delta_by_definition,
            oracle_points=(
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 1, "direction": "forward"},
                {"epsilon": "0.1", "k": 4, "sigma": 2, "gap": 4, "l": 1, "j": 2, "direction": "reverse"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 2, "direction": "reverse"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 0, "direction": "reverse"},
                {"epsilon": "0.3", "k": 3, "sigma": 2, "gap": 3, "l": 2, "j": 1, "direction": "forward"},
            ),
        ),
        domain=Box((EPSILON, K_SMALL, SIGMA, GAP, L, J, DIRECTION), _fits, "l + j <= k"),
        role=Role.EXACT,
        points=(
            {"epsilon": 0, "k": 6, "sigma": 100000, "gap": 564930, "l": 3, "j": 2, "direction": "forward"},
            {"epsilon": Fraction(3, 10), "k": 3, "sigma": 2, "gap": 3, "l": 1, "j": 2, "direction": "reverse"},
        ),
    ),
)
