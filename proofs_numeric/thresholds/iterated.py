r"""Iterated weighted set union (DP-SIPS): three rounds, each without the keys that the rounds before have shown.

Source: Swanberg, Desfontaines and Haney, PoPETs 2023 (arXiv 2301.01998), of which the abstract and a public
implementation were read, not the paper. In round i a user of t keys that are left adds ``1/sqrt(t)`` to each of them; a
key whose weight with noise of deviation ``sigma_i`` passes ``T_i`` is shown with that noisy weight, and removed. The
paper's keys are a function of this release. The implementation promises ``f(M, epsilon)`` and the sum of the deltas.

**From above.** Given what the rounds before have shown, a round is a weighted set union, and the weights of all other
users agree on both sides. A user with a new keys among t loses ``a L_t`` and keeps the square
``(t - a)/(t sigma_i^2)``: a step within the budgets ``max(L_1, C_u L_(C_u))`` (`thresholds.weighted.ends`) and
``1/sigma_i^2``.

**Of several keys**, where the data stay the same, a new key stays new: each round has the same a new keys, until one is
shown. The other keys of the user have at most the share ``1 - a/C_u`` of a square. So new keys lose at most

    G(a) = sum over i of a L_(i,a),    L_(i,a) = -log Phi((T_i - 1/sqrt(a))/sigma_i),

and the other keys keep the square ``(1 - a/C_u) M^2``. A user of a keys that are all new loses ``G(a)``: the bound is
exact where none is larger than that of a user whose keys are all new.

**Exactly**, where a user has one key: weights are numbers of users, and one key differs. If w others have it, the
release is a censored normal, round by round; the likelihood ratio of a shown weight grows with it, so the best event
is, in each round, the weights above a cut or below. If nobody else has it, it names the user in whichever round it is
shown. What w others leave is above the limit of many others, ``f(1/sigma_1, epsilon)``, by less than the probability
that round 1 withholds the key: the search over w ends where the largest value so far exceeds that.
"""

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.neighbours import Direction, Neighbours, Privacy
from proofs_numeric.thresholds.parameters import C_U, own
from proofs_numeric.thresholds.weighted import FAR, adjacency, most_lost, of_records
from proofs_numeric.wilkins2024.composition.adaptive import far_integral, named_or_gaussian
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.composition.filter import MU
from proofs_numeric.wilkins2024.composition.stopping import adaptive_value
from proofs_numeric.wilkins2024.parameters import EPSILON, epsilon, mu

_HERE = "iterated weighted set union (DP-SIPS)"
ROUNDS = (1, 2, 3)
_sigmas, _thresholds = symbols("sigma_1 sigma_2 sigma_3"), symbols("threshold_1 threshold_2 threshold_3")
_losses = [most_lost(sigma=s, threshold=T) for s, T in zip(_sigmas, _thresholds, strict=True)]
_squares = [1 / s**2 for s in _sigmas]
iterated_bound = filter_bound(
    loss=_losses[0] + _losses[1] + _losses[2], mu=sqrt(_squares[0] + _squares[1] + _squares[2])
)
"""Delta of users of at most c_u keys is at most this, whatever the data become between the rounds."""
_each = symbols("loss_1 loss_2 loss_3")
_all = _each[0] + _each[1] + _each[2]
_noise = profile(epsilon, mu)
rounds_added = -(expm1(-_each[0]) + expm1(-_each[1]) + expm1(-_each[2])) + _noise
"""What the rounds' deltas of new keys, by their losses, add up to, beside the delta of all noise."""
_ADDED = sum_of(
    factors(-expm1(-_each[0]), -expm1(-_each[1])), factors(-expm1(-_each[2]), -expm1(-(_each[0] + _each[1]))),
    factors((_noise, ByClaim("wilkins2024.thm2.2.positive")), -expm1(-_all)),
)  # fmt: skip

Rounds = Sequence[tuple[Any, Any]]
"""Noise and threshold of each round."""


def rounds_of(number: Callable[[Any], Any], at: Mapping[str, Any]) -> Rounds:
    """Return noise and threshold of each round, of the parameters sigma_1, threshold_1 and so on."""
    return [(number(at[f"sigma_{i}"]), number(at[f"threshold_{i}"])) for i in ROUNDS]


def named_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, rounds: Rounds, new: int, far: int) -> Any:
    """Exact hockey stick of a user's new keys beside others far above the first threshold; any real epsilon.

    Keys far above are shown in round 1 but for a probability below 1e-349.
    """
    epsilon, mu = A.number(epsilon), A.number(0)
    log_hidden, keys = A.number(0), new + far
    for i, (sigma, threshold) in enumerate(rounds):
        weight = 1 / A.sqrt(A.number(new if i else keys)) if new or not i else A.number(0)
        log_hidden = log_hidden + new * log_normal_cdf(A, (threshold - weight) / sigma)
        mu = mu if i else A.sqrt(A.number(far)) * weight / sigma
    if direction is Direction.FORWARD:
        return -A.expm1(log_hidden) + A.exp(log_hidden) * gaussian_profile(A, epsilon - log_hidden, mu)
    return gaussian_profile(A, epsilon + log_hidden, mu)


def shared_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, rounds: Rounds, others: int) -> Any:
    """Exact hockey stick of one key that the user and so many others have; any real epsilon.

    A shown weight is likelier with the user above ``others + 1/2 + sigma^2 level``, the level being epsilon and what
    the rounds before lost; without the user it is likelier below.
    """
    with_user, without = others + 1, others
    forward = direction is Direction.FORWARD
    mean, other = (with_user, without) if forward else (without, with_user)
    level, log_hidden, value = A.number(epsilon), A.number(0), A.number(0)
    for sigma, threshold in rounds:
        toward = 1 if forward else -1
        cut = A.maximum(threshold, others + A.number(Fraction(1, 2)) + toward * sigma * sigma * level)
        ratio = A.exp(level)
        if forward:
            part = normal_cdf(A, (mean - cut) / sigma) - ratio * normal_cdf(A, (other - cut) / sigma)
        else:
            here, there = (
                normal_cdf(A, (cut - x) / sigma) - normal_cdf(A, (threshold - x) / sigma) for x in (mean, other)
            )
            part = here - ratio * there
        value = value + A.exp(log_hidden) * part
        hidden, other_hidden = (log_normal_cdf(A, (threshold - x) / sigma) for x in (mean, other))
        log_hidden, level = log_hidden + hidden, level - (hidden - other_hidden)
    return value + A.exp(log_hidden) * A.maximum(A.number(0), -A.expm1(level))


def losses_of_new(A: Arithmetic, rounds: Rounds, keys: Number) -> list[Any]:
    """Return what a user of so many keys, all new, loses in each round (nats): ``keys L_(i,keys)``."""
    weight = 1 / A.sqrt(A.number(keys))
    return [-keys * log_normal_cdf(A, (threshold - weight) / sigma) for sigma, threshold in rounds]


def same_data_bound(A: Arithmetic, *, epsilon: Number, c_u: int, **at: Any) -> Any:
    """Upper bound on delta if the data stay the same, epsilon >= 0: the largest over the number of new keys.

    A round loses at most what it loses at one end of a range of numbers (`thresholds.weighted.ends`), and the noise
    costs most at the smaller number. So a range is skipped if these two give no more than a number before.
    """
    rounds = rounds_of(A.number, at)
    square = A.sum(1 / (sigma * sigma) for sigma, _threshold in rounds)
    losses = functools.cache(lambda new: losses_of_new(A, rounds, new))

    def bound(new: int, each: Sequence[Any]) -> Any:
        loss, others = A.sum(each), A.number(Fraction(c_u - new, c_u))
        return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, A.number(epsilon), A.sqrt(square * others))

    best, ranges = A.maximum(bound(0, [A.number(0)]), bound(c_u, losses(c_u))), [(1, c_u - 1)]
    while ranges:
        low, high = ranges.pop()
        if low > high or bound(low, [A.maximum(*ends) for ends in zip(losses(low), losses(high), strict=True)]) <= best:
            continue
        middle = (low + high) // 2
        best = A.maximum(best, bound(middle, losses(middle)))
        ranges += [(low, middle - 1), (middle + 1, high)]
    return best


def one_key_delta(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    """Exact delta of users of one key, epsilon >= 0: the largest over the number of others who have the key."""
    rounds = rounds_of(A.number, at)
    sigma, threshold = rounds[0]
    limit = gaussian_profile(A, A.number(epsilon), 1 / sigma)
    best = A.maximum(limit, named_profile(A, epsilon, Direction.FORWARD, rounds=rounds, new=1, far=0))
    for others in range(1, math.ceil(float(at["threshold_1"]) + FAR * float(at["sigma_1"])) + 1):
        best = A.maximum(best, *(shared_profile(A, epsilon, way, rounds=rounds, others=others) for way in Direction))
        if limit + normal_cdf(A, (threshold - others) / sigma) < best:
            break
    return best


def between_rounds(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    """Bracket of the delta of users of one key, if data and neighbours are chosen after each round."""
    releases = [(1, (1, sigma, threshold - 1, 0)) for sigma, threshold in rounds_of(lambda x: x, at)]
    return adaptive_value(A, epsilon, releases)


def worst_others(at: Mapping[str, Any]) -> int:
    """Return the number of others with the largest delta of a shared key at epsilon 1, in doubles."""
    A = Float64()
    rounds = rounds_of(lambda x: A.number(float(Fraction(x))), at)
    delta = functools.partial(shared_profile, A, A.number(1), Direction.BACKWARD, rounds=rounds)
    most = math.ceil(max(T + 6 * s for s, T in rounds))
    return max(range(1, max(2, most)), key=lambda others: float(delta(others=others)))


def worst_cases(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Return a user of one new key, one of most, one of most far above all thresholds, and one of one shared key.

    The keys are those of `weighted.of_records`.
    """
    c_u = int(parameters["c_u"])
    if not {f"{name}_{i}" for name in ("sigma", "threshold") for i in ROUNDS} <= parameters.keys():
        return tuple(of_records(c_u))
    far = max(1, *(math.ceil(T + FAR * s) for s, T in rounds_of(Fraction, parameters)))
    near = {"k0": worst_others(parameters)}
    beside = Neighbours("near", near | {"u/k0": 1}, near, "a user of one key that others have, too")
    return (*of_records(c_u, far, "T_1"), beside)


ITERATED = Privacy(adjacency, worst_cases, records=True)
_ONE_KEY = Privacy(
    lambda parameters: adjacency({**parameters, "c_u": 1}), lambda parameters: worst_cases({**parameters, "c_u": 1}),
    records=True,
)  # fmt: skip

_REACH, _CELLS = 9, 400


def by_cells(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    """Every number of others, the shown weights of each round in cells of a fixed grid, in both orders."""
    rounds = [(A.number(at[f"sigma_{i}"]), A.number(at[f"threshold_{i}"])) for i in ROUNDS]
    factor = A.exp(A.number(epsilon))

    def parts(others: int) -> Iterator[tuple[Any, Any]]:
        """Masses of one outcome of either side, small cells of the shown weights."""
        hidden = [A.number(1), A.number(1)]
        for sigma, threshold in rounds:
            end = A.maximum(threshold, A.number(others)) + _REACH * sigma
            ends = [threshold + cell * (end - threshold) / _CELLS for cell in range(_CELLS + 1)]
            below = [[normal_cdf(A, (y - mean) / sigma) for y in ends] for mean in (others + 1, others)]
            masses = [[high - low for low, high in pairwise(each)] for each in below]
            yield from ((hidden[0] * p, hidden[1] * q) for p, q in zip(*masses, strict=True))
            hidden = [h * each[0] for h, each in zip(hidden, below, strict=True)]
        yield hidden[0], hidden[1]

    best = 1 - math.prod(normal_cdf(A, (threshold - 1) / sigma) for sigma, threshold in rounds)
    for others in range(1, math.ceil(float(at["threshold_1"]) + _REACH * float(at["sigma_1"]))):
        cells = list(parts(others))
        for p, q in ((0, 1), (1, 0)):
            best = A.maximum(best, A.sum(A.maximum(A.number(0), one[p] - factor * one[q]) for one in cells))
    return best


def by_numbers_of_new(A: Arithmetic, *, epsilon: Number, c_u: int, **at: Any) -> Any:
    """Every number of new keys, the normal tails and the noise of the others by quadrature."""
    rounds = [(A.number(at[f"sigma_{i}"]), A.number(at[f"threshold_{i}"])) for i in ROUNDS]
    best = A.number(0)
    for new in range(c_u + 1):
        silent = A.number(1)
        for sigma, threshold in rounds if new else ():
            passes = far_integral(A, normal_pdf, (threshold - 1 / A.sqrt(A.number(new))) / sigma)
            silent = silent * (1 - passes) ** new
        square = sum((c_u - new) / (c_u * sigma * sigma) for sigma, _threshold in rounds)
        delta = named_or_gaussian(A, epsilon=epsilon, silent=silent, mu=A.sqrt(square)) if new < c_u else 1 - silent
        best = A.maximum(best, delta)
    return best


def attained(A: Arithmetic, *, epsilon: Number, c_u: int, **at: Any) -> Any:
    """Delta that users of one key, and users of most keys that are all new or all far above T_1, attain."""
    new = named_profile(A, epsilon, Direction.FORWARD, rounds=rounds_of(A.number, at), new=c_u, far=0)
    return A.maximum(one_key_delta(A, epsilon=epsilon, **at), new)


_LEVEL = replace(EPSILON, upper=20)
_ROUNDS = tuple(
    Parameter(f"{name}_{i}", f"{meaning} {i}", "weights", lower, upper, log=is_scale)
    for i in ROUNDS
    for name, meaning, lower, upper, is_scale in (
        ("sigma", "standard deviation of the noise on weights, round", "1/2", 100, True),
        ("threshold", "T: what a noisy weight passes in round", 1, 1000, False),
    )
)
_FALLS = ("epsilon", *(f"threshold_{i}" for i in ROUNDS))
_ROUND_NAMES = " ".join(f"sigma_{i} threshold_{i}" for i in ROUNDS)
SPLIT, _HIGH, _SMALL = points(
    f"epsilon {_ROUND_NAMES}", ("1", "15.26", "77.0", "8.36", "40.6", "4.58", "21.6"), ("1", *("5", "900") * 3),
    ("1", "3", "6", "2", "5", "3/2", "4"),
)  # fmt: skip
"""The first: a total of (1, 1e-5), half for new keys, split by the implementation's default factor 0.3."""

CLAIMS = (
    own(
        "iterated.delta", _HERE, "Delta of three rounds of weighted set union, whatever the data become between them",
        r"\delta \le 1 - e^{-\Lambda} + e^{-\Lambda} f(M, \varepsilon),\ \Lambda = \sum_i \max(L_{i,1}, C_u L_{i,C_u}),"
        r"\ M^2 = \sum_i \sigma_i^{-2}",
        DeltaBound(
            iterated_bound, exact=attained,
            proof=derived(
                Unchecked(
                    "a round is a step",
                    "given the rounds before, the other users weigh the same on both sides, so new keys name the user "
                    "and the other keys show what follows from a Gaussian vector",
                ),
                Premise("thresholds.weighted.ends", "new keys of a round lose no more than its part of the loss"),
                Premise("wilkins2024.composition.filter", "steps within the two budgets"),
            ),
        ),
        domain=(_LEVEL, *_ROUNDS, replace(C_U, upper=1000)), role=Role.UPPER, falls=_FALLS, rises=("c_u",),
        moves={
            **dict.fromkeys(
                _FALLS[2:], derived(Premise("thresholds.weighted.keys.lost", "new keys lose less at a higher one"))
            ),
            "c_u": derived(Unchecked("users of fewer keys", "users of fewer keys are among those of at most more")),
        },
        privacy=ITERATED, assumptions=("the noise of a round is fresh",),
        points=({**SPLIT, "c_u": 1}, {**SPLIT, "c_u": 10}),
        loose="data that stay the same have less: thresholds.iterated.keys", cost=40,
    ),
    own(
        "iterated.keys", _HERE, "Delta of three rounds for users of several keys, if the data stay the same",
        r"\delta \le \max_{0 \le a \le C_u} 1 - e^{-G(a)} + e^{-G(a)} f(\sqrt{1 - a/C_u}\,M, \varepsilon),\ "
        r"G(a) = -a \sum_i \ln \Phi((T_i - 1/\sqrt a)/\sigma_i)",
        DeltaBound(
            same_data_bound, by_numbers_of_new, ({**_SMALL, "c_u": 3}, {**SPLIT, "epsilon": "1/4", "c_u": 4}),
            exact=attained,
            proof=derived(
                Unchecked("new keys stay new", "each round has the same a new keys, of at most C_u keys"),
                Unchecked(
                    "a round is a step",
                    "given the rounds before, the other users weigh the same on both sides; a new keys name the user, "
                    "and the others, at most the share 1 - a/C_u of a square, follow from a Gaussian vector",
                ),
                Premise("thresholds.weighted.ends", "numbers of new keys between two lose no more in a round"),
                Premise("wilkins2024.composition.filter", "steps within the two budgets of a new keys"),
            ),
        ),
        domain=(_LEVEL, *_ROUNDS, replace(C_U, upper=1000)), role=Role.UPPER, falls=_FALLS, rises=("c_u",),
        moves={name: derived(Unchecked("each bound", "of a number of new keys moves so")) for name in (*_FALLS, "c_u")},
        privacy=ITERATED, assumptions=("the noise of a round is fresh", "the data stay the same in all rounds"),
        points=({**SPLIT, "c_u": 1}, {**SPLIT, "c_u": 10}),
        loose="exact where users of new keys alone have the largest bound; else f(M, epsilon) is not attained",
        cost=60, quoted=(Quoted("three rounds of partition selection, ten keys a user", {**SPLIT, "c_u": 10}),),
        note="At (1, 1e-5) with the implementation's split exact from two keys a user on. There the noise, which does "
        "not decide, is open: one shared key has 1.4e-6, two have 1.95e-6, and the bound counts 5.0e-6.",
    ),
    own(
        "iterated.between", _HERE, "Delta of three rounds for users of one key, if the data may change between them",
        r"\delta \le 1 - U_1(e^\varepsilon),\ U_t(y) = \min_{a+b\le1} E[p_t^a U_{t+1}(p_t^{b-a} y e^{-X})],\ p_t = "
        r"\Phi((T_t - 1)/\sigma_t)",
        DeltaBound(
            between_rounds, exact=one_key_delta,
            proof=derived(
                Unchecked("a round", "is a release of one row at sigma_i with the gap T_i - 1, whoever chose the data"),
                Premise("wilkins2024.composition.adaptive.kinds", "three releases, neighbours chosen as one goes"),
            ),
        ),
        domain=(_LEVEL, *(replace(one, lower=1) if one.name.startswith("sigma") else one for one in _ROUNDS)),
        role=Role.UPPER, falls=("epsilon",), privacy=_ONE_KEY, points=(SPLIT, _HIGH), cost=30,
        assumptions=("the noise of a round is fresh", "a user has one key"),
        bracketed="as wilkins2024.composition.adaptive.kinds, whose number it is",
        loose="data that stay the same have less: thresholds.iterated.one",
        note="At (1, 1e-5) with the implementation's split 7.7e-6, where the bound says 9.8e-6.",
    ),
    own(
        "iterated.one", _HERE, "Exact delta of three rounds for users of one key",
        r"\delta = \max\{1 - \prod_i \Phi((T_i - 1)/\sigma_i),\ \max_w \delta_w(\varepsilon),\ f(1/\sigma_1, "
        r"\varepsilon)\}",
        DeltaBound(
            one_key_delta, by_cells, (_SMALL,),
            proof=derived(
                Unchecked("pairs", "one key differs; all other keys have the same law on both sides, independently"),
                Unchecked("events", "the ratio of a shown weight grows with it: in each round a cut is best"),
                Unchecked("many others", "the release of round 1 alone, but for the probability that it withholds"),
            ),
        ),
        domain=(_LEVEL, *_ROUNDS), falls=("epsilon",), privacy=_ONE_KEY,
        assumptions=("the noise of a round is fresh", "a user has one key"), points=(SPLIT,), cost=200,
        note="At (1, 1e-5) with the implementation's split the noise costs 1.4e-6, where composition counts 5e-6.",
    ),
    own(
        "iterated.added", _HERE, "The bound is at most the sum of the rounds' deltas of new keys and that of all noise",
        r"1 - e^{-\Lambda} + e^{-\Lambda} f(M, \varepsilon) \le \sum_i (1 - e^{-\Lambda_i}) + f(M, \varepsilon)",
        Inequality(filter_bound(loss=_all, mu=mu), rounds_added, proof=_ADDED),
        domain=(
            _LEVEL, *(Parameter(f"loss_{i}", f"Lam_i: loss of new keys in round {i}", "nats") for i in ROUNDS),
            replace(MU, lower=0, upper="infinity", open_lower=True),
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
