r"""Releases of the integer histogram beside Gaussian ones: each moved key is no worse than one Gaussian pair.

Letters: m = per_key, ``p_i`` the masses of the noise Z, ``P_j = P[Z >= j]``, ``a_j = z(P_j)`` with z the upper normal
quantile, so ``a_(1-j) = -a_j``.

1. Z + m against Z has half-lines for best events, and ``P_(j-m) - e^epsilon P_j <= f(mu, epsilon)`` at every real
   epsilon where ``a_j - a_(j-m) <= mu``. So mu is the largest difference, over ``j >= (m + 1)/2`` by symmetry.
2. Beyond ``R = 36 sigma``, m at most 8 sigma, no difference is above ``(m/sigma)(1 + kappa)`` with ``kappa (R - 2 m) =
   1/2 + 1/(e^v - 1)``, ``v = (2 R + 3 - 2 m)/(2 sigma^2)``. For j > R the density is convex and its normaliser is at
   most the masses' (Poisson summation), so ``P_j <= Phi(-(j - 1/2)/sigma)``: ``a_j >= (j - 1/2)/sigma``. The normal
   hazard at t is above t, so ``log Phi(mu - a_j)/Phi(-a_j) >= mu (j - 1/2)/sigma - mu^2/2``. And given Z >= j, Z - j is
   below a geometric variable of ratio ``r = e^(-(2 j + 1)/(2 sigma^2))``, so ``log P_(j-m)/P_j`` is at most
   ``(2 m j - m^2)/(2 sigma^2) + log((1 - r)/(1 - r e^(m/sigma^2)))``, whose last term is at most
   ``(m/sigma^2)/(e^v - 1)``.
3. A new key names the side with probability ``P_(T-m)`` at most: a row of `wilkins2024.composition`, with that chance
   and this distance.

Near 0 a difference is about ``m/(24 sigma^3)`` above the continuous ``m/sigma``.
"""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

from proofs_numeric.arithmetic.discrete_gaussian import discrete_gaussian_terms, moved_profile
from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.special import (
    discrete_gaussian_normaliser,
    discrete_gaussian_tail_bound,
    normal_cdf,
    normal_quantile_complement,
)
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import points
from proofs_numeric.statements.classical import POISSON
from proofs_numeric.thresholds.integer import gaussian_weight, passing
from proofs_numeric.thresholds.integer_profile import BOX, KEYS, exact_profile
from proofs_numeric.thresholds.parameters import c_u, own, per_key, sigma, threshold
from proofs_numeric.wilkins2024.composition.adaptive import RELEASES, named_or_gaussian
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.parameters import EPSILON_REAL, epsilon

_NAMES = "epsilon releases sigma threshold c_u per_key"
_DEVIATIONS = 36
"""Beyond, differences have a bound of their own; tails there are 1e-283, which doubles hold."""
MOST_MOVED = 8
"""Deviations that a count may move by."""
_SIGMA = replace(BOX["sigma"], upper=300, searched=("0.2", 8))
"""The search compares with exact laws, whose tables grow with sigma."""
LITTLE = f"per_key <= {MOST_MOVED} sigma"


def moved_distance(A: Arithmetic, *, sigma: Number, per_key: int) -> Any:
    """Distance of a Gaussian pair that a noisy count which moves by ``per_key`` is no worse than; at most 8 sigma."""
    sigma = A.number(sigma)
    reach = math.floor(_DEVIATIONS * float(sigma))
    terms = reach + discrete_gaussian_terms(A, sigma)
    masses = [A.exp(-A.number(x * x) / (2 * sigma * sigma)) for x in range(terms, 0, -1)]
    sums = list(accumulate(masses, initial=discrete_gaussian_tail_bound(A, sigma, terms + 1)))[::-1]
    total = discrete_gaussian_normaliser(A, sigma, terms)
    above = [normal_quantile_complement(A, tail / total) for tail in sums[:reach]]

    def a(j: int) -> Any:
        return above[j - 1] if j > 0 else -above[-j]

    near = (a(j) - a(j - per_key) for j in range((per_key + 2) // 2, reach + 1))
    beyond = A.number(1) / 2 + 1 / A.expm1(A.number(2 * reach + 3 - 2 * per_key) / (2 * sigma * sigma))
    return A.maximum(per_key / sigma * (1 + beyond / (reach - 2 * per_key)), *near)


_distance = algorithm(moved_distance)()
_rows = symbol("releases") * c_u
releases_bound = filter_bound(loss=-_rows * log1p(-passing(sigma, threshold - per_key)), mu=sqrt(_rows) * _distance)
"""``1 - e^-Lam + e^-Lam f(M, epsilon)``, safe whatever was seen before."""


def fixed_in_advance(A: Arithmetic, *, epsilon: Number, releases: int, c_u: int, **at: Any) -> Any:
    """What data that is fixed in advance attains: one release with all the keys."""
    return exact_profile(A, epsilon=epsilon, c_u=releases * c_u, **at)


def by_bisection(
    A: Arithmetic, *, epsilon: Number, releases: int, sigma: Number, threshold: int, c_u: int, per_key: int
) -> Any:
    """The least distance at which no half-line near 0 tells more, sought; all rows' loss integrated.

    Below sigma = 2 nothing far out tells more than what is near 0.
    """
    sigma = A.number(sigma)
    law = lattice(A, lambda x: gaussian_weight(A, x, sigma), 40 * math.ceil(float(sigma)) + threshold)

    def tail(x: int) -> Any:
        return A.sum(mass for y, mass in law.items() if y >= x)

    row = A.number(0)
    for x in range(per_key - 6, per_key + 6):
        moved, still = tail(x - per_key), tail(x)
        low, high = A.number(-40), A.number(40)
        for _halving in range(130):  # the place whose normal tail is `still`
            middle = (low + high) / 2
            low, high = (middle, high) if normal_cdf(A, -middle) > still else (low, middle)
        least, most = A.number(0), A.number(40)
        for _halving in range(130):
            mu = (least + most) / 2
            least, most = (mu, most) if normal_cdf(A, mu - low) < moved else (least, mu)
        row = max(row, least)
    silent, rows = (1 - tail(threshold - per_key)), releases * c_u
    return named_or_gaussian(A, epsilon=epsilon, silent=silent**rows, mu=row * A.sqrt(A.number(rows)))


def _one_key(A: Arithmetic, *, epsilon: Number, sigma: Number, per_key: int) -> Any:
    return moved_profile(A, epsilon, n=1, sigma=sigma, per_key=per_key)


_one_pair = profile(epsilon, _distance)


def _moves_little(*, sigma: Fraction, per_key: int, **_rest: Any) -> bool:
    return per_key <= MOST_MOVED * sigma


mu, z, beyond = symbols("mu z beyond")
_best = mu / 2 + epsilon / mu
_weighted = exp(epsilon - (_best + beyond) ** 2 / 2) / sqrt(2 * pi)
_excess = Phi(mu - z) - exp(epsilon) * Phi(-z)
_LEVEL = replace(EPSILON_REAL, lower="-infinity", upper="infinity", searched=(-50, 50))
_MU = Parameter("mu", "distance", lower=0, open_lower=True, log=True, searched=("1e-3", 100))
_EVENT = Substitute(
    Box((_LEVEL, _MU, Parameter("beyond", "how far z is above the best", lower="-infinity"))), {"beyond": z - _best},
    Split(
        "beyond", 0, Derivative("beyond", "upper", product_of(_weighted, -expm1(mu * beyond))),
        Derivative("beyond", "lower", product_of(_weighted, expm1(mu * beyond))),
    ),
    _excess(z=_best + beyond), profile(epsilon, mu),
)  # fmt: skip
"""The densities' ratio is ``e^(mu beyond)`` times that at the best place."""
_HAZARD = Substitute(
    Box((Parameter("beyond", "any real number", lower="-infinity"),)), {"beyond": mu - z},
    Derivative("beyond", "lower"), lift(0), phi(beyond) + beyond * Phi(beyond),
)  # fmt: skip
_tilt = exp(mu * mu / 2 - mu * z)
_above = mu - z
_TILTED = product_of(
    1 / _tilt,
    (
        _tilt * Phi(_above) - Phi(-z),
        Derivative("mu", "lower", product_of(_tilt, (phi(_above) + _above * Phi(_above), _HAZARD))),
    ),
)
"""Tilted by mu the tail beyond z is no heavier than the tail beyond z - mu, as the normal hazard at t exceeds t."""
# --- tails beyond R ---------------------------------------------------------------------------------------------------

past, added, apart, part_of, t, y, kappa, more, less, m, reach, v = symbols(
    "past added apart part_of t y kappa more less m reach v"
)
_near, _far = 1 + apart * (1 - part_of), 1 + apart * (1 + part_of)
_mean_less_middle = Phi(_far) - Phi(_near) - 2 * apart * part_of * phi(1 + apart)
_curvature = sum_of(
    factors(apart**3, phi(_far), _far**2 - 1),
    factors(apart**3, phi(_near), (_near**2 - 1, product_of(apart, 1 - part_of, _near + 1))),
)
_CONVEX = Substitute(
    Box((Parameter("apart", "of the middle from 1"), Parameter("part_of", "half of the width, of that", upper=1))),
    {"apart": (past + beyond + lift("1/2")) / sigma, "part_of": 1 / (1 + 2 * past + 2 * beyond)},
    Derivative("part_of", "lower", Derivative("part_of", "lower", Derivative("part_of", "lower", _curvature))),
    lift(0), _mean_less_middle,
)  # fmt: skip
"""The density is convex from one deviation on: in the middle of an interval it is at most its mean there."""
_first = sigma + lift("1/2") + beyond
_next = (_first + past) / sigma
_half = 1 / (2 * sigma)
_TAIL = Recurrence(
    state=Box((Parameter("past", "integers so far", "integers"), Parameter("added", "their masses", "probability"))),
    inputs=Box(()), start={"past": lift(0), "added": lift(0)},
    step={"past": past + 1, "added": added + phi(_next) / sigma}, left=added,
    right=Phi(_next - _half) - Phi(_first / sigma - _half),
    proof=Steps(sum_of((Phi(_next + _half) - Phi(_next - _half) - phi(_next) / sigma, _CONVEX))),
)  # fmt: skip
_sooner = m * (reach + 1 + more - m / 2) + m * (kappa * (reach - 2 * m) - lift("1/2"))
_distance_beyond = m * (1 + kappa)
_later = _distance_beyond * (reach + more + lift("1/2")) - _distance_beyond**2 / 2
_reach, _moved = _DEVIATIONS * sigma - 1 + more, MOST_MOVED * sigma - less
_slower = (2 * _reach + 3 - 2 * _moved) / (2 * sigma**2)
_GROWTH = Substitute(Box((Parameter("v", ""),)), {"v": _slower}, Derivative("v", "lower"), lift(0), expm1(v) - v)
_HALF_LINES = derived(
    Premise(
        "thresholds.gaussian.integer.pair.event",
        "step 1: at z = a_j, where P_(j-m) <= Phi(mu - z), as mu is at least the difference of the quantiles",
    ),
    Premise("thresholds.gaussian.integer.pair.tilted", "step 2: log Phi(mu - a_j)/Phi(-a_j) >= mu a_j - mu^2/2"),
    Premise("thresholds.gaussian.integer.pair.tail", "step 2: P_j <= Phi(-(j - 1/2)/sigma), of ever more masses"),
    Trusted(POISSON, "the masses before they are normalised have the density's integral in all, or more"),
    Premise(
        "lebeda2025.sec3.cert.association",
        "step 2: P_(j-m)/P_j is the mean of e^((2 m x - m^2)/(2 sigma^2)) over the integers x >= j. It grows with x, "
        "and the masses over those of the geometric law fall: its mean there is no less",
    ),
    Premise("thresholds.gaussian.integer.pair.ratio", "that mean, at y = r e^(m/sigma^2) <= e^-v and t = m/sigma^2"),
    Premise("thresholds.gaussian.integer.pair.kappa", "kappa <= 2, at R > 36 sigma - 1 and m <= 8 sigma"),
    Premise("thresholds.gaussian.integer.pair.beyond", "so mu of step 2 is enough"),
)  # fmt: skip

CLAIMS = (
    own(
        "gaussian.integer.pair", "integer thresholds",
        "A count with discrete Gaussian noise is no worse than one Gaussian pair",
        r"P[Z \ge j - m] - e^\varepsilon P[Z \ge j] \le f(\mu, \varepsilon),\ \mu = \max_j(\Phi^{-1}(P[Z < j]) - "
        r"\Phi^{-1}(P[Z < j - m]))",
        Inequality(_one_key, _one_pair, proof=_HALF_LINES),
        domain=Box((BOX["epsilon"], _SIGMA, BOX["per_key"]), _moves_little, LITTLE), quantity=QuantityKind.DELTA,
        evaluates=_one_pair, points=points("epsilon sigma per_key", (0, 1, 1), (1, "5/2", 2)),
        note="m/sigma itself will not do: at sigma = 1 a total variation of 0.399 is not 0.383.", cost=100,
    ),
    own(
        "gaussian.integer.pair.event", "integer thresholds",
        "No half-line tells more of a Gaussian pair than its profile", None, _excess <= profile(epsilon, mu),
        proof=_EVENT, domain=Box((_LEVEL, _MU, Parameter("z", "where the half-line begins", lower="-infinity"))),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "gaussian.integer.pair.tilted", "integer thresholds",
        "The tail of a moved normal is above that of the normal, tilted at its beginning",
        r"\Phi(-z) e^{\mu z - \mu^2/2} \le \Phi(\mu - z)", Phi(-z) / _tilt <= Phi(_above), proof=_TILTED,
        domain=(
            replace(_MU, open_lower=False, log=False, searched=(0, 40)),
            Parameter("z", "where the tail begins", lower="-infinity", searched=(-30, 30)),
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "gaussian.integer.pair.tail", "integer thresholds",
        "Beyond one deviation the masses of integers are below the normal probability from half an integer before",
        r"\sum_{x=j}^{j+n}\varphi(x/\sigma)/\sigma \le \Phi((j+n+\tfrac12)/\sigma) - \Phi((j-\tfrac12)/\sigma),\ "
        r"j \ge \sigma + \tfrac12",
        _TAIL, domain=(_SIGMA, Parameter("beyond", "j less sigma + 1/2", "integers")),
    ),
    own(
        "gaussian.integer.pair.ratio", "integer thresholds",
        "By how much the mean of a geometric law's exponential is above 1",
        r"\log\frac{1-ye^{-t}}{1-y} \le \frac{ty}{1-y}",
        log((1 - y * exp(-t)) / (1 - y)) <= t * y / (1 - y), proof=Derivative("t", "lower"),
        domain=(Parameter("t", "exponent"), Parameter("y", "ratio times e^t", upper=1, open_upper=True)),
    ),
    own(
        "gaussian.integer.pair.kappa", "integer thresholds", "Beyond R kappa is at most 2",
        r"\tfrac12 + \tfrac1{e^v-1} \le 2(R-2m),\ v = \tfrac{2R+3-2m}{2\sigma^2},\ R \ge 36\sigma-1,\ m \le 8\sigma",
        lift("1/2") + 1 / expm1(_slower) <= 2 * (_reach - 2 * _moved),
        proof=Through(
            lift("1/2") + 1 / _slower, product_of(1 / _slower, 1 / expm1(_slower), (expm1(_slower) - _slower, _GROWTH)),
        ),
        domain=(_SIGMA, Parameter("more", "R less 36 sigma - 1"), Parameter("less", "8 sigma less m")),
    ),
    own(
        "gaussian.integer.pair.beyond", "integer thresholds",
        "Beyond R the distance (m/sigma)(1 + kappa) is enough",
        r"m(j-\tfrac m2) + mE \le m(1+\kappa)(j-\tfrac12) - \tfrac{m^2(1+\kappa)^2}2,\ E = \kappa(R-2m)-\tfrac12,\ j "
        r"> R,\ \kappa \le 2",
        _sooner <= _later, proof=product_of(m * kappa, more + lift("1/2") + m * (1 - kappa / 2)),
        domain=(
            Parameter("m", "by how much a count moves", lower=1), Parameter("kappa", "of the distance", upper=2),
            Parameter("reach", "R"), Parameter("more", "j less R + 1"),
        ),
    ),
    own(
        "gaussian.integer.releases", "integer thresholds",
        "Delta of releases of the integer histogram, data chosen as one goes",
        r"\delta_T \le 1 - e^{-\Lambda} + e^{-\Lambda} f(\sqrt{TC_u}\mu, \varepsilon),\ \Lambda = -TC_u\log P[Z < T^* "
        r"- m]",
        DeltaBound(
            releases_bound, exact=fixed_in_advance, oracle=by_bisection,
            oracle_points=points(_NAMES, ("1", 2, "1", 6, 1, 1), ("0", 3, "3/2", 8, 1, 1), ("2", 1, "3/2", 9, 2, 2)),
            proof=derived(
                Premise("thresholds.gaussian.integer.pair", "a key that moves, in either order, by reflection"),
                Premise("wilkins2024.composition.filter", "rows that name the side or are Gaussian, within totals"),
                Unchecked(
                    "new and shared keys as steps",
                    "step 3: a new key is released with a chance of P[Z >= T - m] at most, and names the side; a "
                    "shared key shows a function of its noisy count",
                ),
            ),
        ),
        domain=Box(
            (
                BOX["epsilon"], _SIGMA, BOX["threshold"], replace(BOX["c_u"], upper=1000, searched=(1, 6)),
                BOX["per_key"], replace(RELEASES, upper=1000, searched=(1, 4)),
            ),
            lambda *, threshold, **at: threshold > at["per_key"] and _moves_little(**at),
            f"threshold > per_key and {LITTLE}",
        ),
        assumptions=("the noise of a release is fresh",), role=Role.UPPER, falls=("epsilon", "threshold"),
        rises=("releases", "c_u", "per_key"),
        moves=dict.fromkeys(
            ("epsilon", "threshold", "releases", "c_u", "per_key"),
            moves.by_profiles(
                "1 - e^-Lam (1 - f) grows with Lam and f; Lam falls with the threshold; each grows with rows and m, "
                "as a_j falls with j",
            ),
        ),
        turns=(Turn("sigma", {"epsilon": 1, "releases": 1, "c_u": 4, "per_key": 1, "threshold": 8}, (1, 2, 20)),),
        privacy=KEYS,
        loose="compared with data fixed in advance; at sigma = 10 a key takes 0.2 % more distance than m/sigma",
        points=points(_NAMES, ("1", 1, "2", 9, 2, 1), ("1", 3, "5", 30, 1, 1)), cost=200,
        quoted=(
            Quoted(
                "two keys a user, integer noise, twice, of data that may follow the first release",
                *points(_NAMES, (1, 2, "7.6", 39, 2, 1)),
            ),
        ),
    ),
)  # fmt: skip
