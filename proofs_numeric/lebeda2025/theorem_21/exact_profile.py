r"""The exact delta of Theorem 21's mechanism at every epsilon, by convolution.

A pair (l, j): l counters are new, j of the ``d = k - l`` shared ones are one larger under H', and far above the
threshold. Every pair of k-sparse monotonic neighbours is a post-processing of one, as the claim's proof says.

In half units, with ``s = 2 sigma``, ``w_n`` the n-fold law of the own noises and ``a``, ``b`` the sums of the changed
and of the other outputs: multiplying out the square, ``w_n(a - n z) = w_n(a) exp((2 a z - n z^2)/(2 s^2))``, so Z is
summed out once for all,

    Q(a, b) = w_j(a) w_(d-j)(b) G_0(a + b),    G_i(t) = sum_z P[Z = z] g(z)^i exp((2 t z - d z^2)/(2 s^2)),
    P(a, b, no new counter) = w_j(a - 2 j) w_(d-j)(b) G_l(a + b - 2 j),    g(z) = P[Z_1 <= 2 tau - z],

and the two sums are sufficient: own noises are equal. Forward the release of a new counter comes on top, which H
cannot show. Columns beside the counters, with noise of their own, multiply P and Q by what they show of the j changed.
"""

import functools
import itertools
import math
import operator
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy.special import logsumexp

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.finite_laws import Masses, lattice
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.likeliest import Beside
from proofs_numeric.arithmetic.special import in_balls
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian, delta_infinite, noises, release_probability
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.classical import DATA_PROCESSING

Columns = Sequence[tuple[Any, Any]]
"""Masses with and without the user of what the columns of the changed counters show."""
NONE: Columns = ((1, 1),)

FEW = 4
"""Columns that are counted one by one, for less than looking them up takes."""


class _Moved:
    """Columns beside one outcome, the likeliest of the first law last: which ones tell is looked up, but for ties.

    Right whatever their order: those count whose ratio is certainly beyond the outcome's, and open ones one by one.
    """

    def __init__(self, columns: Iterable[tuple[Any, Any]]) -> None:
        self.masses = [(flint.arb(x), flint.arb(y)) for x, y in columns][::-1]
        least, most, infinite = [], [], flint.arb("inf")
        for x, y in self.masses:
            ratio = infinite if y.is_zero() else x / y
            finite = y.is_zero() or ratio.is_finite()
            least.append(ratio.lower() if finite else -infinite)
            most.append(ratio.upper() if finite else infinite)
        # Negated, as lists that rise are searched: at most every ratio up to each place, at least all from it on.
        self.least = [-x for x in itertools.accumulate(least, min)]
        self.most = [-x for x in itertools.accumulate(reversed(most), max)][::-1]
        none = flint.arb(0), flint.arb(0)
        self.first = [
            *itertools.accumulate(self.masses, lambda one, two: (one[0] + two[0], one[1] + two[1]), initial=none)
        ]

    def stick(self, p: Any, q: Any) -> Any:
        """``sum of (x p - y q)_+`` over the columns (x, y), p, q >= 0."""
        sure, end = 0, len(self.masses)
        if p.is_zero():
            return p
        if end > FEW and (ratio := q / p).is_finite():
            sure, end = bisect_left(self.least, -ratio.upper()), bisect_left(self.most, -ratio.lower())
        total, zero = self.first[sure][0] * p - self.first[sure][1] * q, flint.arb(0)
        for x, y in self.masses[sure:end]:
            total += (x * p - y * q).max(zero)
        return total


@functools.singledispatch
def pair_sticks(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, twice: int, l: int, j: int, columns: Columns = NONE
) -> Any:
    """Both hockey sticks of the pair (l, j), ``l < k``, forward first; ``twice = floor(2 tau)``.

    What ``columns`` leave out is the caller's.
    """
    raise TypeError(f"expected an arithmetic that convolves, got {A.name}")


@pair_sticks.register
def _(A: Ball, *, epsilon: Any, k: int, sigma: Any, twice: int, l: int, j: int, columns: Columns = NONE) -> Any:
    (shared_law, own_law), d = noises(A, k, sigma), k - l
    z, law = shared_law.values, shared_law.masses
    silent = [(1 - own_law.survival(twice - x + 1)) ** l for x in z]
    w, others = ((flint.arb_poly(own_law.masses) ** n).coeffs() if n else [A.number(1)] for n in (j, d - j))
    rate = 1 / (2 * (2 * sigma) ** 2)
    reach = d * own_law.count

    powers, step = [[A.exp(-(d * x * x) * rate) for x in z]], [A.exp(2 * x * rate) for x in z]
    for _t in range(reach):  # t and -t: the powers of one exponential and of its inverse
        powers.append([*map(operator.mul, powers[-1], step)])
    hidden = [p * g for p, g in zip(law, silent, strict=True)]
    columns_of = [[*law], hidden, hidden[::-1]]  # the law is even
    even, ahead, behind = zip(*(flint.arb_mat(powers) * flint.arb_mat(columns_of).transpose()).tolist(), strict=True)
    with_user, without = [*behind[:0:-1], *ahead], [*even[:0:-1], *even]
    level, zero, move = A.exp(epsilon), A.number(0), 2 * j
    gained, lost = _Moved(columns), _Moved((y, x) for x, y in reversed(columns))
    forward = backward = zero
    last = len(w) - 1
    for a, b in itertools.product(range(len(w) + move), range(len(others))):
        p = w[a - move] * others[b] * with_user[a - move + b] if a >= move else zero
        q = w[a] * others[b] * without[a + b] if a <= last else zero
        forward += gained.stick(p, level * q)
        backward += lost.stick(q, level * p)
    beyond = 2 * shared_law.survival(shared_law.count + 1) + 2 * d * own_law.survival(own_law.count + 1)
    left_out = (-level * beyond).union(beyond)
    released = A.sum(p * (1 - g) for p, g in zip(law, silent, strict=True))
    return released + forward + left_out, backward + left_out


@pair_sticks.register
def _(A: Float64, *, epsilon: Any, k: int, sigma: Any, twice: int, l: int, j: int, columns: Columns = NONE) -> Any:
    (shared_law, own_law), d = noises(A, k, sigma), k - l
    z, law = _possible(shared_law)
    hidden = np.array([own_law.survival(twice - int(x) + 1) for x in z])
    outputs, one = _possible(own_law)
    w, others = (functools.reduce(np.convolve, [one] * n, np.ones(1)) for n in (j, d - j))
    t = np.arange(d * outputs[0], d * outputs[-1] + 1)
    exponent = (2 * np.outer(t, z) - d * z * z) / (2 * sigma) / (2 * sigma) / 2
    with np.errstate(divide="ignore"):
        with_user, without = (
            logsumexp(exponent + np.log(weights), axis=1) for weights in (law * (1 - hidden) ** l, law)
        )
        log_w, log_others = np.log(w), np.log(others)
    place = np.arange(len(w))[:, None] + np.arange(len(others))
    pad = np.zeros((2 * j, len(others)))
    p = np.concatenate([pad, np.exp(log_w[:, None] + log_others + with_user[place])])
    q = np.concatenate([np.exp(log_w[:, None] + log_others + without[place]), pad])
    released = float(np.sum(law * (-np.expm1(l * np.log1p(-np.minimum(hidden, 1 - 2**-53)))))) if l else 0.0
    left_out = (d + 1) * 2 * own_law.count * 2.0**-80
    forward, backward = (
        math.fsum(_stick(epsilon, x * p, y * q) for (x, p), (y, q) in orders)
        for orders in zip(*((((x, p), (y, q)), ((y, q), (x, p))) for x, y in columns), strict=True)
    )
    return released + forward + left_out, backward + left_out


def _possible(noise: Any) -> tuple[Any, Any]:
    """The outputs of a noise whose masses are doubles, and these."""
    x, masses = np.array(noise.values), np.array(noise.masses)
    return x[masses > 0], masses[masses > 0]


def _stick(epsilon: Any, p: Any, q: Any) -> float:
    """``sum of (p - e^epsilon q)_+`` over arrays; the level alone may be no double."""
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.sum(np.maximum(p - (np.exp(epsilon) * q if epsilon < 700 else np.exp(epsilon + np.log(q))), 0)))


@functools.singledispatch
def sums(A: Arithmetic, sigma_s: Number, per_sum: int, j: int) -> tuple[Columns, Any]:
    """Masses ``W(u - j C), W(u)`` of the total of j sums, and twice what lies outside their table."""
    raise TypeError(f"expected an arithmetic that convolves, got {A.name}")


@sums.register
def _(A: Ball, sigma_s: Any, per_sum: int, j: int) -> tuple[Columns, Any]:
    law = DiscreteGaussian(A, A.number(sigma_s))
    return _shifted((flint.arb_poly(law.masses) ** j).coeffs(), A.number(0), j * per_sum), 4 * j * law.survival(
        law.count + 1
    )


@sums.register
def _(A: Float64, sigma_s: Any, per_sum: int, j: int) -> tuple[Columns, Any]:
    one = np.array(DiscreteGaussian(A, A.number(sigma_s)).masses)
    masses = functools.reduce(np.convolve, [one] * j, np.ones(1))
    return _shifted([*masses], 0.0, j * per_sum), j * 2.0**-80


def _shifted(masses: list[Any], zero: Any, move: int) -> Columns:
    pad = [zero] * move
    return tuple(zip([*pad, *masses], [*masses, *pad], strict=True))


def sticks_with_sums(A: Arithmetic, *, epsilon: Number, totals: tuple[Columns, Any], **pair: Any) -> tuple[Any, Any]:
    """Both hockey sticks of the pair (l, j), ``l < k``, forward first, from j's `sums`; `pair` is `pair_sticks`'."""
    columns, outside = totals
    slack = A.between(A.number(0), outside) - A.between(A.number(0), A.exp(epsilon) * outside)
    forward, backward = pair_sticks(A, epsilon=epsilon, columns=columns, **pair)
    return forward + slack, backward + slack


def _pairs(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, sigma_s: Number = 1, per_sum: int = 0
) -> Iterator[Any]:
    """Delta of every pair, in both orders, and that of k new counters."""
    at: dict[str, Any] = {"epsilon": A.number(epsilon), "sigma": A.number(sigma), "k": k}
    twice = floor_of(A, 2 * A.number(gap))
    for j in range(k + 1):
        pair = functools.partial(pair_sticks, A, **at, twice=twice, j=j)
        if per_sum:
            pair = functools.partial(sticks_with_sums, A, **at, twice=twice, j=j, totals=sums(A, sigma_s, per_sum, j))
        for l in range(0 if j else 1, min(k, k - j + 1)):
            yield from pair(l=l)
    yield release_probability(A, k=k, sigma=at["sigma"], gap=A.number(Fraction(twice, 2)))


@functools.singledispatch
def exact_profile(A: Arithmetic, **parameters: Any) -> Any:
    """Exact delta over all k-sparse monotonic neighbours, ``epsilon >= 0``; pairs of k counters, O(k^4 sigma^2).

    With a sum beside each counter that moves by ``per_sum`` under noise of ``sigma_s``, if they are given.
    """
    return A.minimum(1, A.maximum(*_pairs(A, **parameters)))


@exact_profile.register
def _(A: MpReal, **parameters: Any) -> Any:
    return in_balls(A, exact_profile, **parameters)


def by_outputs(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, sigma_s: Number = 1, per_sum: int = 0
) -> Any:
    """Both orders of every pair, summed over every output of every counter, and of its sum, and every value of Z."""
    level = A.exp(A.number(epsilon))
    own_masses, shared_masses, hidden = _noises(A, k, sigma, gap, 13)
    column = _normal(A, A.number(sigma_s), 13) if per_sum else {0: 1}
    reach, far = max(own_masses), max(column) + per_sum
    best = A.number(0)
    for l, j in itertools.product(range(k + 1), repeat=2):
        if l + j > k:
            continue
        both = [
            (math.prod(column.get(u - per_sum, 0) for u in columns), math.prod(column.get(u, 0) for u in columns))
            for columns in itertools.product(range(-far, far + 1), repeat=j)
        ]
        moved, back = Beside(both), Beside((there, here) for here, there in both)
        sticks = [1 - sum(w * hidden[z] ** l for z, w in shared_masses.items()), A.number(0)]
        for outputs in itertools.product(range(-2 * reach, 2 * reach + 3), repeat=k - l):
            p, q = A.number(0), A.number(0)
            for z, weight in shared_masses.items():
                larger, smaller = weight * hidden[z] ** l, weight
                for i, y in enumerate(outputs):
                    larger = larger * own_masses.get(y - z - 2 * (i < j), 0)
                    smaller = smaller * own_masses.get(y - z, 0)
                p, q = p + larger, q + smaller
            sticks = [sticks[0] + moved.stick(p, level * q), sticks[1] + back.stick(q, level * p)]
        best = max(best, *sticks)
    return best


def _normal(A: Arithmetic, width: Number, deviations: int) -> Masses:
    return lattice(A, lambda x: A.exp(-x * x / (2 * width * width)), math.ceil(deviations * float(width)))


def _noises(A: Arithmetic, k: int, sigma: Number, gap: Number, deviations: int) -> tuple[Masses, Masses, Masses]:
    """Masses of one Z_i and of Z in whole half units, and the probability, given Z, that a new counter is held back."""
    scale = 2 * A.number(sigma)
    own_masses, shared_masses = (_normal(A, x, deviations) for x in (scale, scale / A.sqrt(A.sqrt(A.number(k)))))
    hidden = {z: sum(w for x, w in own_masses.items() if x + z <= 2 * A.number(gap)) for z in shared_masses}
    return own_masses, shared_masses, hidden


x, y, z, s, shared_part, own_part = symbols("x y z s shared own")
_factored = -(x * x + y * y) / (2 * s * s) + (2 * (x + y) * z - 2 * z * z) / (2 * s * s)
_delta_infinite = algorithm(release_probability)()


def _released_by_outputs(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Any:
    """Every value of Z and of one Z_i."""
    _one, shared_masses, hidden = _noises(A, k, sigma, gap, 15)
    return 1 - sum(w * hidden[z] ** k for z, w in shared_masses.items())


_FOUR = {"k": 4, "sigma": 4, "gap": 20}
_SECOND = 25
"""Largest k^2 sigma (counters^2 counts) of which the profile is enclosed in about a second."""

CLAIMS = (
    own(
        "thm21.exact", "Theorem 21", "exact delta of the discrete correlated stability histogram",
        r"\delta(\epsilon) = \max_{l, j} \max\{\delta_{l,j}^{\to}(\epsilon), \delta_{l,j}^{\leftarrow}(\epsilon)\}",
        DeltaBound(
            exact_profile, by_outputs,
            points(
                "epsilon k sigma gap", ("1", 1, "1/2", "3/2"), ("3", 1, "1/2", "1"), ("1/2", 2, "3/10", "1"),
                ("5", 2, "3/10", "3/2"),
            ),
            proof=derived(
                Trusted(
                    DATA_PROCESSING,
                    "supports are nested, new counts are 1, what is released of a shared counter is a function of "
                    "its noisy count, and fewer shared counters are one more: every pair of neighbours is a "
                    "post-processing of some (l, j)",
                ),
                SymbolicIdentity(
                    "given Z the outputs' density depends on Z through their sum alone (two outputs; more add up)",
                    -((x - z) ** 2 + (y - z) ** 2) / (2 * s * s), _factored, ("x", "y", "z", "s"), ("s",),
                ),
                Unchecked(
                    "sufficiency of sums",
                    "so the sums of the changed and of the other outputs are sufficient for the pair",
                ),
                Unchecked(
                    "supremum at large counts",
                    "counts that grow without bound come as close to the supremum as one likes",
                ),
            ),
        ),
        domain=Box(
            (
                replace(EPSILON, upper=20), replace(K, upper=10, log=False, searched=(1, 3)),
                replace(SMALL_SIGMA, upper=25, searched=("1/10", 1)), replace(SMALL_GAP, upper=200, searched=(0, 20)),
            ),
            lambda *, k, sigma, **_rest: bool(k * k * sigma <= _SECOND), f"k^2 sigma <= {_SECOND}",
        ),
        assumptions=(SPARSE_MONOTONIC, ENOUGH_KEYS), falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD},
        turns=(
            Turn("sigma", {"epsilon": 1, "k": 2, "gap": 4}, ("1/2", 1, 3)),
            Turn("k", {"epsilon": 5, "sigma": 1, "gap": 5}, (1, 2, 5)),
        ),
        privacy=DISCRETE, points=points("epsilon k sigma gap", ("1", 2, "1", "9/2"), ("0", 3, "1/2", "2")),
        note="No mixed pair was the largest in a search over k <= 3; all are in the formula all the same. Against "
        "Theorem 21 the gain is the conversion from zCDP and the split of Lemma 20.",
        cost=150,
        quoted=(
            Quoted("two counters, correlated integer noise, once", {"epsilon": 1, "k": 2, "sigma": 1, "gap": "11/2"}),
        ),
    ),
    own(
        "thm21.delta_inf", "Theorem 21", "exact delta_inf of the discrete correlated stability histogram",
        r"\delta_\infty = 1 - \sum_z P[Z = z] P[Z_1 \le 2\tau - z]^k",
        DeltaBound(
            _delta_infinite, _released_by_outputs, points("k sigma gap", (1, 1, 3), (5, "3/2", "9/2"), (10, 1, "11/4")),
            proof=derived(
                SymbolicIdentity(
                    "what Z + Z_i lacks to 2 tau, in half units, Z_i lacks to 2 tau - Z",
                    2 * gap - (shared_part + own_part), (2 * gap - shared_part) - own_part, ("gap", "shared", "own"),
                ),
                Unchecked(
                    "law of the shared integer",
                    "the Z_i are independent of Z and of each other: that all stay below is the sum over Z's "
                    "integers z of P[Z = z] P[Z_1 <= 2 tau - z]^k, and what is released else is delta_inf",
                ),
            ),
        ),
        float64_lost="1e-15",
        domain=(replace(K, upper=1000), replace(SMALL_SIGMA, upper=20), replace(SMALL_GAP, upper=200)), falls=("gap",),
        turns=(Turn("k", {"sigma": 4, "gap": 16}, (1, 4, 128)),), privacy=DISCRETE,
        note="The delta of every epsilon that the shared counters do not reach. At large gaps it falls with k first, "
        "as each counter's own noise has a smaller scale; more counters raise it later.",
        cost=5,
    ),
    own(
        "thm21.delta_inf.gain", "Theorem 21", "Lemma 20's split costs a factor 83 at k = 4, sigma = 4, tau = 20",
        r"83\, \delta_\infty < 1 - \max_a P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        83 * _delta_infinite(**_FOUR) < algorithm(delta_infinite)(**_FOUR), quantity=QuantityKind.RATIO,
    ),
)  # fmt: skip
