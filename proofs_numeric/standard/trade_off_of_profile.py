"""The best test against many releases, from their privacy profile alone, whose conjugate its power is.

With `F(t) = delta(log t) + alpha t` the largest power at level alpha is the least of F over `t >= 0` (Dong, Roth and Su
2022): every value of F is a bound from above. F is convex, `F(0) = 1`, its slope at least `alpha - 1`, and F at least
`alpha t`: below it lies every chord, prolonged beyond its ends. Between neighbouring points the chords on both sides of
them bound it from below where they meet: at a kink, as of atoms, at once, and elsewhere nearer by a factor of four and
more with each point, until the vertex of a parabola tells more. Points are chosen in low precision: every choice is
right, and some are narrow.
"""

import contextlib
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import flint

from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.special import binomial_pmf, binomial_tail, integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion, laplace_composition, one_release, partition_selection, range_composition
from proofs_numeric.standard.composition import DELTA_1, EPSILON_1, FEW, OTHERS, heterogeneous, homogeneous
from proofs_numeric.standard.integer_composition import OF_GAUSSIAN, OF_LAPLACE, gaussian_delta, laplace_delta
from proofs_numeric.standard.parameters import *
from proofs_numeric.standard.subsampled_composition import NOISE, SAMPLING, STEPS, steps_profile
from proofs_numeric.standard.trade_off import by_answers, likeliest
from proofs_numeric.thresholds.integer import gaussian_weight

Profile = Callable[[Any], Any]
"""Delta as a function of epsilon: a ball that is an exact real, of either sign."""

INFINITE = flint.arb("inf")
MOST_POINTS = 150
LARGEST_PART = flint.arb(1) / 16
"""Of the width about the best point in which the next ones are chosen."""
BESIDE = 3
"""Of the first points those that are kept on each side of the best: chords far off are of noise alone."""
ROUGH_BITS, SPARE_BITS = 48, 32
"""Of balls, twice the digits that are asked for: of the first points, and more than what the power is good for."""
FIRST = 1e-6
"""Epsilon in whose multiples the first points are looked for, each a tenth more than the one before."""


def no_atoms(_epsilon: Any, **_parameters: Any) -> Sequence[Any]:
    """No loss but what the profile itself tells."""
    return ()


def both_signs(delta: Profile, reverse: Profile) -> Profile:
    """Return a profile for every real epsilon from those of both orders of the pair at positive ones."""

    def profile(epsilon: Any) -> Any:
        if not epsilon < 0:
            return delta(epsilon)
        return epsilon.exp() * reverse(-epsilon) - epsilon.expm1()

    return profile


@dataclass(frozen=True)
class Point:
    """A place and a value of F there, both balls."""

    t: Any
    value: Any

    def slope(self, other: "Point") -> Any:
        """Of the chord to another point."""
        return (other.value - self.value) / (other.t - self.t)


def _between(left: Point, falls: Any, right: Point, rises: Any) -> tuple[Any, Any, Any]:
    """At most the least of a function above two lines, one through each end, where they meet, and the middle."""
    width, zero, middle = right.t - left.t, flint.arb(0), (left.t + right.t) / 2
    least = (left.value + falls.min(zero) * width).max(right.value - rises.max(zero) * width)
    if not falls < 0 < rises:
        return least, middle, middle
    meet = (left.value - right.value + rises * right.t - falls * left.t) / (rises - falls)
    return least.max(left.value + falls * (meet - left.t)), meet, middle


def _lower(points: Sequence[Point], alpha: Any) -> tuple[Any, Any, Any]:
    """At most the least value of F, and two places to look for it."""
    slopes = [alpha - 1, *(one.slope(other) for one, other in pairwise(points)), alpha]
    ends = [*points[1:-1], Point(points[-1].t, alpha * points[-1].t)]
    bounds = [
        _between(left, slopes[place], right, slopes[place + 2])
        for place, (left, right) in enumerate(zip(points, ends, strict=False))
    ]
    last, slope = points[-1], slopes[-2].min(flint.arb(0))
    meet = (last.value - slope * last.t) / (alpha - slope)
    bounds.append(((alpha * meet).min(last.value), meet, 2 * last.t))
    return min(bounds, key=lambda one: one[0].lower())


def _best(points: Sequence[Point]) -> int:
    return min(range(len(points)), key=lambda place: points[place].value.upper())


def _about_vertex(points: Sequence[Point], least_part: Any) -> list[Any]:
    """Three places about where the parabola through the best point and its neighbours is least; none at a kink.

    They are as far apart, at least by so much of the neighbours' distance, as the curvature's change says that the
    vertex may be off: the distance falls as its own square.
    """
    place = _best(points)
    near = [Point(point.t.mid(), point.value.mid()) for point in points[max(0, place - 2) : place + 3]]
    if len(near) < 5:
        return []
    slopes = [one.slope(other) for one, other in pairwise(near)]
    curved = [(slopes[j + 1] - slopes[j]) / (near[j + 2].t - near[j].t) for j in range(3)]
    least, most = min(curved, key=lambda c: c.mid()), max(curved, key=lambda c: c.mid())
    if not (least > 0 and most < 2 * least):
        return []
    left, best, right = near[1:4]
    width = right.t - left.t
    part = 2 * (most / least - 1) * width / (near[4].t - near[0].t)
    step = part.max(least_part).min(LARGEST_PART) * width
    vertex = (left.t + best.t - slopes[1] / curved[1]) / 2
    return [t.mid() for t in (vertex - step, vertex, vertex + step) if left.t < t < right.t]


def _narrow(points: Sequence[Point], alpha: Any, bits: int, spare: int, at: Callable[..., Any]) -> None:
    """Let `at` add points until the least value is known to `bits`, or no value to `spare` bits of what is open."""
    while len(points) < MOST_POINTS:
        least = points[_best(points)].value.upper()
        low, *meeting = _lower(points, alpha)
        gap, goal = least - low.lower(), least * flint.arb(2) ** -bits
        if gap < goal:
            return
        for places in (_about_vertex(points, (goal / gap).sqrt() / 4), meeting):
            new = [t for t in places if not any(point.t.overlaps(t) for point in points)]
            values = [at(t.log().mid(), most=gap / 2**spare) for t in new]
            if any(value.is_finite() for value in values):
                break
        else:
            return


def power(
    profile: Profile,
    alpha: Any,
    bits: int,
    rough: Profile | None = None,
    atoms: Callable[[Any], Sequence[Any]] = no_atoms,
) -> Any:
    """Largest power at a level in (0, 1), a ball in the precision of the context.

    Args:
        profile: of the pair, under the law whose rejections are the power.
        alpha: the level.
        bits: that are asked for: the more, the more points.
        rough: the same profile, to fewer digits: for the first points.
        atoms: losses about an epsilon, next to which the profile has no digits.

    Raises:
        NotEnclosedError: the profile is known at too few points.

    """
    points = [Point(flint.arb(0), flint.arb(1))]

    def at(epsilon: Any, profile: Profile = profile, most: Any = INFINITE) -> Any:
        """Note the value at an epsilon, unless it is wider than `most`, and return at least it; infinity without."""
        t = epsilon.exp()
        value = INFINITE
        with contextlib.suppress(NotEnclosedError):
            value = profile(epsilon) + alpha * t
        if not value.is_finite() or value.rad() > most:
            return INFINITE
        points[:] = [*(point for point in points if not point.t.overlaps(t)), Point(t, value)]
        points.sort(key=lambda point: point.t.mid())
        return value.upper()

    cache: dict[int, Any] = {}

    def about(step: int) -> Any:
        epsilon = math.copysign(FIRST * math.expm1(abs(step) / 8), step)
        if epsilon < -flint.ctx.prec:  # F is one, to all digits
            return flint.arb(1 - step)
        if step not in cache:
            cache[step] = at(flint.arb(epsilon), rough or profile)
        return cache[step]

    step, width = 0, 64
    while width:
        best = min((step, step - width, step + width), key=about)
        step, width = best, width // 2 if best == step else width
    place = _best(points)
    points[:] = [points[0], *points[max(1, place - BESIDE) : place + BESIDE + 1]]
    known_losses = [at(loss) for loss in atoms(points[_best(points)].t.log())]
    if rough is not None and not known_losses:
        _narrow(points, alpha, ROUGH_BITS // 3, 10, partial(at, profile=rough))
        near = points[max(1, _best(points) - 2) : _best(points) + 3]
        points[:] = [point for point in points if point not in near]
        for point in near:
            at(point.t.log().mid())
    _narrow(points, alpha, bits, 2, at)
    low = _lower(points, alpha)[0].lower().max(alpha)
    return low.union(points[_best(points)].value.min(flint.arb(1)))


def of_profile(
    prepared: Callable[..., Profile],
    atoms: Callable[..., Sequence[Any]] = no_atoms,
    whole: Sequence[str] = ("sensitivity", "k", "m"),
) -> Any:
    """Return the formula of the power from `prepared(ball, **parameters)`, the profile at every epsilon.

    The parameters in `whole` are no reals, and are passed on as they are.
    """

    def formula(A: Arithmetic, *, alpha: Number, **parameters: Any) -> Any:
        counts = {name: parameters.pop(name) for name in whole if name in parameters}

        def enclosed(bits: int, *, alpha: Any, **numbers: Any) -> Any:
            rough, fine = (prepared(Ball(size), **numbers, **counts) for size in (ROUGH_BITS, 2 * bits + SPARE_BITS))
            return power(fine, alpha, bits, rough, lambda epsilon: atoms(epsilon, **numbers, **counts))

        return inversion.in_balls(A, enclosed, alpha=alpha, **parameters)

    return formula


def alike(delta: Callable[..., Any], reverse: Callable[..., Any] | None = None) -> Any:
    """Return the profile of a pair that is the same in both orders, or of one whose other order is `reverse`."""

    def prepared(ball: Ball, **parameters: Any) -> Profile:
        orders = (lambda epsilon, f=f: f(ball, epsilon=epsilon, **parameters) for f in (delta, reverse or delta))
        return both_signs(*orders)

    return prepared


def _laplace_atoms(epsilon: Any, *, scale: Any, k: int) -> Sequence[Any]:
    """The losses of `k` Laplace releases that have mass of their own, about an epsilon: `(k - 2 j)/scale`."""
    place = max(0.0, min(float(k), (k - float((epsilon * scale).mid())) / 2))
    return [(k - 2 * flint.arb(j)) / scale for j in {math.floor(place), math.ceil(place)}]


def _steps(ball: Ball, *, added: bool, **parameters: Any) -> Profile:
    """Of many subsampled Gaussian steps, a record removed or added."""
    return both_signs(*(steps_profile(ball, added=order, **parameters) for order in (added, not added)))


def worse_order(removed: Any, added: Any) -> Any:
    """Return the larger of two formulas: the power against the order of the neighbours that has more."""

    def formula(A: Arithmetic, **point: Any) -> Any:
        return A.maximum(removed(A, **point), added(A, **point))

    return formula


removed_power = of_profile(alike(one_release.subsampled_gaussian, one_release.subsampled_gaussian_added))
added_power = of_profile(alike(one_release.subsampled_gaussian_added, one_release.subsampled_gaussian))
keys_power = worse_order(
    of_profile(alike(partition_selection.fewer, partition_selection.more)),
    of_profile(alike(partition_selection.more, partition_selection.fewer)),
)
steps_power = worse_order(of_profile(partial(_steps, added=False)), of_profile(partial(_steps, added=True)))


def range_power(A: Arithmetic, *, alpha: Number, eta: Number, k: int) -> Any:
    """Power at level `alpha` against the worst `k` equal pairs of range `eta` among those whose test needs no coin.

    Of each number of larger losses the pair at which seeing as many has the level; any pair is a bound from below.
    """
    alpha, eta = A.number(alpha), A.number(eta)
    best = alpha
    for least in range(1, k + 1):
        low, high = A.number(0), eta  # at `high` the level is kept
        for _step in range(80):
            t = (low + high) / 2
            here, there = range_composition.larger(A, t, eta)
            low, high = (low, t) if binomial_tail(A, k, there, least) <= alpha else (t, high)
        here, _there = range_composition.larger(A, high, eta)
        best = A.maximum(best, binomial_tail(A, k, here, least))
    return best


def _likelier(A: Arithmetic, ratio: Number, steps: int, *, sampled: bool, sigma: Number, rate: Number) -> Any:
    """Mass of answers whose likelihood with the record is more than `ratio` times the one without it."""
    shifts = ((rate, 1), (1 - rate, 0)) if sampled else ((1, 0),)
    if steps == 1:
        if ratio <= 1 - rate:
            return A.number(1)
        least = sigma * sigma * A.log((ratio - 1 + rate) / rate) + A.number(1) / 2
        return A.sum(share * normal_cdf(A, (shift - least) / sigma) for share, shift in shifts)

    def weighted(_: Arithmetic, x: Number) -> Any:
        first = 1 - rate + rate * A.exp((2 * x - 1) / (2 * sigma * sigma))
        density = A.sum(share * normal_pdf(A, (x - shift) / sigma) / sigma for share, shift in shifts)
        return density * _likelier(A, ratio / first, steps - 1, sampled=sampled, sigma=sigma, rate=rate)

    return integral_over(A, weighted, (sigma * step for step in range(-9, 10)))


def _steps_by_threshold(A: Arithmetic, *, alpha: Number, sigma: Number, rate: Number, k: int = 1) -> Any:
    """Neyman and Pearson's test in each order: rejected are answers of `k` steps that are likelier than a number.

    The number is sought in doubles. What its level lacks then is next to nothing, and buys that many times the power.
    """
    from scipy.optimize import brentq

    def masses(A: Arithmetic, ratio: Number) -> Any:
        at = {"sigma": A.number(sigma), "rate": A.number(rate)}
        return (_likelier(A, A.number(ratio), k, sampled=sampled, **at) for sampled in (False, True))

    def threshold(order: int) -> Any:
        """The ratio, between the least one and that of nine sigmas."""

        def excess(log_ratio: float) -> float:
            return float([*masses(Float64(), math.exp(log_ratio))][order]) - levels[order]

        levels = float(alpha), 1 - float(alpha)
        step = (18 * float(sigma) - 1) / (2 * float(sigma) ** 2)
        ends = math.log1p(-float(rate)), math.log1p(float(rate) * math.expm1(step))
        return A.number(Fraction(math.exp(brentq(excess, k * ends[0], k * ends[1], xtol=1e-13))))

    ratio = threshold(0)
    level, power = masses(A, ratio)
    removed = power + ratio * (alpha - level)
    ratio = threshold(1)
    power, level = (1 - mass for mass in masses(A, ratio))
    return max(removed, power + (alpha - level) / ratio)


def by_search(delta: Claim) -> Any:
    """The least bound of all epsilons, by golden section on a profile from its definition, at any real epsilon."""
    assert isinstance(delta.kind, DeltaBound) and delta.kind.oracle is not None  # noqa: PT018, S101 - as those below
    profile = delta.kind.oracle

    def oracle(A: Arithmetic, *, alpha: Number, **parameters: Any) -> Any:
        alpha = A.number(alpha)

        def bound(epsilon: Number) -> Any:
            return profile(A, epsilon=epsilon, **parameters) + A.exp(epsilon) * alpha

        part = (A.sqrt(5) - 1) / 2
        lower, two, upper = A.number(-2), A.number(4) * part - 2, A.number(2)
        best = bound(two)
        for _step in range(36):  # the end that is further from the best so far moves, or the best does
            one = lower + upper - two
            value = bound(one)
            if (one < two) == (value < best):
                upper = max(one, two)
            else:
                lower = min(one, two)
            two, best = (one, value) if value < best else (two, best)
        return best

    return oracle


def _pairs_by_answers(A: Arithmetic, *, alpha: Number, k: int, m: int = 0, **point: Number) -> Any:
    """What only one law can say decides; of the rest, how many answers of each kind are true, the likeliest first."""
    laws = [(A.number(1), A.number(1))]
    for place, count in enumerate((k, m)[: len(point) // 2]):
        one, finite = 1 / (1 + A.exp(-A.number(point[f"epsilon_{place}"]))), (1 - A.number(point[f"delta_{place}"]))
        finite **= count
        answers = [finite * binomial_pmf(A, count, one, true) for true in range(count + 1)]
        laws = [(p * moved, q * mass) for p, q in laws for moved, mass in zip(answers, answers[::-1], strict=True)]
    return likeliest(A, alpha, 1 - A.sum(moved for moved, _ in laws), laws)


def _keys_by_answers(A: Arithmetic, *, alpha: Number, keep: Number, keep_next: Number) -> Any:
    """Whether the key is released, in either order of the neighbours."""
    one, two = ((A.number(p), 1 - A.number(p)) for p in (keep, keep_next))
    orders = ((one, two), (two, one))
    return max(likeliest(A, alpha, A.number(0), list(zip(*order, strict=True))) for order in orders)


LEVEL = Parameter("alpha", "level: false alarms of the test", "probability", "1e-15", 1, log=True, open_upper=True)


def _claim(
    name: str, against: str, domain: Any, *bound: Any, rises: tuple[str, ...], note: str = "", **more: Any
) -> Claim:
    return own(
        f"power.{name}", f"trade-off function, {against}", f"Largest power of a test at level alpha against {against}",
        r"1 - \beta(\alpha) = \min_\varepsilon (\delta(\varepsilon) + e^\varepsilon \alpha)", DeltaBound(*bound),
        domain=domain, quantity=QuantityKind.PROBABILITY, rises=("alpha", *rises),
        note="The trade-off function is beta, one less this power; the profile's conjugate (Dong, Roth and Su 2022)."
        + note,
        **more,
    )  # fmt: skip


def power_of(claim: Claim, *, attained: bool) -> Claim:
    """Return the claim of the largest power against what a claim says the exact delta of; a file may hold one.

    Args:
        claim: an exact delta by epsilon, the larger of both orders of the neighbours.
        attained: whether one pair is worst at every epsilon: the power is then its own; else an upper bound.

    Raises:
        ValueError: a claim of another kind, or whose domain ties the others to epsilon.

    """
    delta, constraint = claim.formula, claim.domain.constraint
    exact = (claim.quantity, claim.role) == (QuantityKind.DELTA, Role.EXACT)
    if not exact or delta is None or "epsilon" not in claim.domain.names:
        raise ValueError(f"expected a claim of an exact delta by epsilon, got {claim.id}")
    if constraint is not None and "epsilon" in inspect.signature(constraint).parameters:
        raise ValueError(f"expected a claim of every epsilon, got {claim.id}: {claim.domain.constraint_text}")
    others = tuple(parameter for parameter in claim.domain.parameters if parameter.name != "epsilon")
    whole = [parameter.name for parameter in others if parameter.integer or parameter.choices]
    return _claim(
        claim.id.replace("standard.", ""), f"that of: {claim.title}",
        replace(
            claim.domain, parameters=(LEVEL, *others),
            constraint=constraint and (lambda alpha, **point: constraint(**point)),
        ),
        of_profile(alike(delta), whole=whole), rises=claim.rises,
        falls=tuple(name for name in claim.falls if name != "epsilon"), cost=20 * claim.cost,
        role=Role.EXACT if attained else Role.UPPER,
    )  # fmt: skip


CLAIMS = (
    _claim(
        "laplace.composition", "k releases with Laplace noise", (LEVEL, SCALE, laplace_composition.MANY),
        of_profile(alike(laplace_composition.composed), _laplace_atoms), by_search(laplace_composition.CLAIMS[0]),
        points("alpha scale k", ("0.4", 1, 1), ("0.2", 2, 2)), rises=("k",), falls=("scale",), cost=1000,
    ),
    _claim(
        "discrete_laplace.composition", "k releases with discrete Laplace noise", (LEVEL, *OF_LAPLACE),
        of_profile(laplace_delta), by_answers("scale", laplace_weight, lambda scale: 60 * scale),
        points("alpha scale sensitivity k", ("0.01", "1.5", 4, 1), ("0.3", "0.5", 3, 2)), rises=("sensitivity", "k"),
        falls=("scale",), cost=20,
    ),
    _claim(
        "discrete_gaussian.composition", "k releases with discrete Gaussian noise", (LEVEL, *OF_GAUSSIAN),
        of_profile(gaussian_delta), by_answers("sigma", gaussian_weight, lambda sigma: 12 * sigma),
        points("alpha sigma sensitivity k", ("0.01", "1.5", 4, 1), ("0.7", 1, 1, 2)), rises=("sensitivity", "k"),
        cost=100,
    ),
    _claim(
        "composition.homogeneous", "k mechanisms that are (epsilon_0, delta_0)-DP", (LEVEL, EPSILON_0, DELTA_0, K),
        of_profile(alike(homogeneous)), _pairs_by_answers,
        points("alpha epsilon_0 delta_0 k", ("0.01", "0.1", "1e-3", 30), ("0.6", 1, 0, 4)),
        rises=("epsilon_0", "delta_0", "k"), cost=20,
    ),
    _claim(
        "composition.heterogeneous", "k mechanisms of one (epsilon, delta) and m of another",
        (LEVEL, EPSILON_0, DELTA_0, FEW, EPSILON_1, DELTA_1, OTHERS), of_profile(alike(heterogeneous)),
        _pairs_by_answers,
        points(
            "alpha epsilon_0 delta_0 k epsilon_1 delta_1 m", ("0.05", "0.5", "1e-3", 3, "0.2", "0.01", 4),
            ("0.7", 1, 0, 1, 2, 0, 2),
        ),
        rises=("epsilon_0", "delta_0", "k", "epsilon_1", "delta_1", "m"), cost=400,
    ),
    _claim(
        "partition_selection", "a key that is released with probability keep, or keep_next with one user more",
        (LEVEL, partition_selection.KEEP, partition_selection.KEEP_NEXT), keys_power, _keys_by_answers,
        points("alpha keep keep_next", ("1e-3", "1e-6", "1e-5"), ("0.7", "0.6", "0.9"), ("0.1", 0, "0.01")), rises=(),
        cost=20,
    ),
    _claim(
        "subsampled_gaussian", "one Poisson-subsampled Gaussian step, a record added or removed", (LEVEL, SIGMA, RATE),
        worse_order(removed_power, added_power), _steps_by_threshold,
        points("alpha sigma rate", ("0.01", 1, "0.1"), ("0.9", 2, "0.5")), rises=("rate",), falls=("sigma",), cost=20,
    ),
    _claim(
        "subsampled_gaussian.composition", "k Poisson-subsampled Gaussian steps, a record added or removed",
        Box(
            (LEVEL, replace(NOISE, lower=1), SAMPLING, STEPS),
            lambda sigma, rate, k, **_: (k >= 100 and 10 * k * rate**2 >= 1) or (sigma >= 5 and 2 * rate >= 1),
            "k >= 100 and k rate^2 >= 1/10, or sigma >= 5 and rate >= 1/2 (elsewhere a power takes a minute)",
        ),
        steps_power, _steps_by_threshold, points("alpha sigma rate k", ("0.3", 5, "0.5", 1), ("0.2", 5, "0.8", 2)),
        rises=("rate", "k"), cost=1000,
    ),
    _claim(
        "bounded_range.composition", "k mechanisms of bounded range that are fixed in advance, from their profile",
        (LEVEL, ETA, replace(range_composition.MANY, upper=50)), of_profile(alike(range_composition.composed)),
        by_search(range_composition.CLAIMS[0]), points("alpha eta k", ("0.3", 1, 1), ("0.05", "0.4", 3)), range_power,
        role=Role.UPPER, rises=("eta", "k"), cost=400,
        note=" Every epsilon has its own worst pair, and where those of two are apart no pair attains this power: it "
        "is .69500 at alpha=.3, eta=1, k=4, and that of the best pair, below which nothing is safe, .69442.",
    ),
)  # fmt: skip
