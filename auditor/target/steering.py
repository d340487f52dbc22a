"""Generators whose chosen draws come from tilted laws, with the likelihood ratio of each release.

For an event E of a release made with draws z of density f, made here with draws of density q,

    P(E) = E_q[w 1_E],  w = f(z) / q(z),

so an event of probability 1e-12 is seen in most releases, each with its small weight. The proposal is a mixture:

    q = sum_m share_m q_m,  w = 1 / sum_m share_m (q_m / f)(z),

where component m, chosen once a release, tilts a few coordinates and component 0 none: w is at most 1 / share_0. A
coordinate is one number of one draw, addressed by where the target asks for it (file:line of the first caller outside
NumPy, SciPy and the standard library), the method, which of the calls from there within the release, and its position
in the array.

A tilt of strength t moves a draw to where its own law has probability about e^-|t|: upwards for t > 0, downwards for
t < 0. Laws are those that NumPy documents. The ratio is a sum of a few float64 terms, good to about 1e-12; uniforms
keep to NumPy's own grid, multiples of 2^-53, and their ratio is one of integers.

Noise made of many draws, such as coins in a loop, has no single one that matters. There all draws that are alike, by
what calls what on the way to them, share a tilt: a table with the probability of each cell of their outcomes, followed
by the last component. How many are drawn may depend on them: the ratio of a sequence that stops is that of its draws.

To the target it is a `numpy.random.Generator`: what is not tilted is drawn by NumPy. Methods that are in neither
METHODS nor ALIKE, but for `choice`, which asks those, noise in single precision and `out=` are never tilted. Nothing of
the auditor is imported here: the worker loads this file in the target's interpreter.

A target that draws elsewhere is met there: while it is steered, the generators of the process that the operating
system seeds, NumPy's and those of the modules `random` and `secrets`, are stood in for (`Instead`), and what they draw
is drawn by the steered one, of the same law. One that is given a seed draws what the seed says, and is left alone. What
is not met, such as a generator of C code, draws untilted numbers that no ratio needs to know of.
"""

import bisect
import functools
import gc
import itertools
import math
import os
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

Floats = Any
"""An array of doubles: NumPy has a name for them from a version on that the target may not have."""
APART = 2**64
"""Numbers between the streams of two releases."""
MOST_ALIKE = 1024
"""Draws of a release that follow tables at most."""
FEW_ALIKE = 16
"""Numbers of an array up to which each place is told apart from the others."""
TURNS, CALLS = 3, 8
"""Turns of a loop, and calls of the function that makes noise, that are told apart; later ones are alike."""
ALONE = 32
"""Outcomes that have a cell each; of more, cells are narrow towards both ends and the middle."""
HALF = 2**16
FINE = sorted({*(2**j for j in range(16)), *(HALF - 2**j for j in range(16)), *range(0, HALF, HALF // 16)})
"""Where cells begin, in units of a part in 2^17 of all outcomes, in the lower half."""
MOST_LOGGED = 256
"""Draws of a release that are logged at most."""
GRID_BITS = 53
"""Bits of NumPy's uniforms."""
MOST_BITS = 63
"""Of an integer that is one draw."""
LIBRARIES = tuple(f"{os.sep}{name}{os.sep}" for name in ("numpy", "scipy"))
ASKING = (
    __file__,
    *(str(Path(random.__file__).with_name(f"{name}.py")) for name in ("random", "secrets", "statistics")),
)
"""Whose frames ask on behalf of the target: packages, and files."""
HALVINGS = 60
UNSURE = 1e-3
"""Mean of failures that are left where every trial is tilted to succeed."""
ROOT_TAU = math.sqrt(2.0 * math.pi)


class Law:
    """A standard law and its tilts."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        """Return a number drawn with a tilt of strength t; from the law itself for t = 0."""
        raise NotImplementedError

    def log_ratio(self, x: Floats, t: float) -> Floats:
        """Return log(q_t(x) / f(x)) of numbers of any shape, exactly 0 for t = 0."""
        raise NotImplementedError

    def levels(self, x: float) -> tuple[float, float]:
        """Return about -log P[X >= x] and about -log P[X <= x]: they choose tilts, and enter no ratio."""
        raise NotImplementedError


class Normal(Law):
    """N(0, 1), shifted."""

    @staticmethod
    def _shift(t: float) -> float:
        return math.copysign(math.sqrt(2.0 * abs(t)), t)

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return rng.standard_normal() + self._shift(t)

    def log_ratio(self, x: Floats, t: float) -> Floats:
        return self._shift(t) * x - abs(t)

    def levels(self, x: float) -> tuple[float, float]:
        half = 0.5 * x * x
        return (half, 0.0) if x > 0 else (0.0, half)


class NormalBeyond(Normal):
    """N(0, 1), beyond the point where the other tilt has its mean: of exponential law there, and nowhere else."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        start = self._shift(t)
        return start + rng.standard_exponential() / start if t else rng.standard_normal()

    def log_ratio(self, x: Floats, t: float) -> Floats:
        start, sign = math.sqrt(2.0 * abs(t)), math.copysign(1.0, t)
        if t == 0:
            return 0.0 * x
        beyond = sign * x - start
        return np.where(beyond >= 0, math.log(start * ROOT_TAU) - start * beyond + 0.5 * x * x, -math.inf)


def exponent(t: float) -> float:
    """Return theta in (-1, 1): e^(theta x) takes the tail e^-x to mean 1 + |t|."""
    return t / (1.0 + abs(t))


class Laplace(Law):
    """Density e^-|x| / 2, times e^(theta x)."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        theta, size = exponent(t), rng.standard_exponential()
        return size / (1.0 - theta) if rng.random() < 0.5 * (1.0 + theta) else -size / (1.0 + theta)

    def log_ratio(self, x: Floats, t: float) -> Floats:
        theta = exponent(t)
        return theta * x + math.log1p(-theta * theta)

    def levels(self, x: float) -> tuple[float, float]:
        return (max(x, 0.0), max(-x, 0.0))


class Exponential(Law):
    """Density e^-x with another rate."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return rng.standard_exponential() * (1.0 + t if t >= 0 else math.exp(t))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        return exponent(t) * x - math.log1p(t) if t >= 0 else -t - math.expm1(-t) * x

    def levels(self, x: float) -> tuple[float, float]:
        return (x, -math.log(-math.expm1(-x)) if x > 0 else 0.0)


class Gumbel(Law):
    """X = -log of a standard exponential, whose shape as a gamma variable is tilted."""

    @staticmethod
    def _shape(t: float) -> float:
        return 1.0 - exponent(t) if t >= 0 else 1.0 - t

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return -math.log(max(rng.standard_gamma(self._shape(t)), sys.float_info.min))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        shape = self._shape(t)
        return (1.0 - shape) * x - math.lgamma(shape)

    def levels(self, x: float) -> tuple[float, float]:
        return (max(x, 0.0), math.exp(min(-x, 100.0)))


class Logistic(Law):
    """X = the log-odds of a uniform, which becomes a beta variable."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        theta, least = exponent(t), sys.float_info.min
        up, down = rng.standard_gamma(1.0 + theta), rng.standard_gamma(1.0 - theta)
        return math.log(max(up, least)) - math.log(max(down, least))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        theta = exponent(t)
        return theta * x - math.lgamma(1.0 + theta) - math.lgamma(1.0 - theta)

    def levels(self, x: float) -> tuple[float, float]:
        return (max(x, 0.0), max(-x, 0.0))


class Geometric(Law):
    """P[K = k] = (1 - p)^(k - 1) p, with another p."""

    def __init__(self, p: float) -> None:
        self.p, self.log_q = p, math.log1p(-p)

    def _log_q(self, t: float) -> float:
        return self.log_q / (1.0 + t) if t >= 0 else self.log_q * (1.0 - t)

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return int(rng.geometric(-math.expm1(self._log_q(t)) if t else self.p))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        log_q = self._log_q(t)
        scale = math.log(math.expm1(log_q) / math.expm1(self.log_q)) if t else 0.0
        return (x - 1.0) * (log_q - self.log_q if t else 0.0) + scale

    def levels(self, x: float) -> tuple[float, float]:
        return ((1.0 - x) * self.log_q, -math.log(-math.expm1(x * self.log_q)))


class Counting(Law):
    """Laws of counts with a mean that is tilted: `cost(mean)` is how unlikely it is, in nats."""

    mean: float
    most: float

    def cost(self, mean: float) -> float:
        """Return the divergence of the law of another mean from this one."""
        raise NotImplementedError

    @functools.lru_cache(maxsize=64)  # noqa: B019 - laws are few and live as long as the process
    def tilted_mean(self, t: float) -> float:
        """Return the mean on the side of t whose cost is |t|, or as far as there is one."""
        if t == 0:
            return self.mean
        inside, outside = self.mean, 0.0 if t < 0 else min(self.most, 2.0 * self.mean + 4.0 * t + 4.0)
        for _ in range(HALVINGS):
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if self.cost(middle) < abs(t) else (inside, middle)
        return inside

    def levels(self, x: float) -> tuple[float, float]:
        cost = self.cost(x)
        return (cost, 0.0) if x > self.mean else (0.0, cost)


def entropy_term(x: float, y: float) -> float:
    """Return x log(x / y), 0 for x = 0."""
    return x * math.log(x / y) if x > 0 else 0.0


class Binomial(Counting):
    """Binomial(n, p), 0 < p < 1, with another p."""

    def __init__(self, n: int, p: float) -> None:
        self.n, self.p, self.mean = n, p, n * p
        self.most = n - min(UNSURE, 0.5 * (n - self.mean))  # a certain one has no ratio

    def cost(self, mean: float) -> float:
        return entropy_term(mean, self.mean) + entropy_term(self.n - mean, self.n - self.mean)

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return int(rng.binomial(self.n, self.tilted_mean(t) / self.n if t else self.p))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        if t == 0:
            return 0.0 * x
        p = self.tilted_mean(t) / self.n
        return x * math.log(p / self.p) + (self.n - x) * math.log((1.0 - p) / (1.0 - self.p))


class Poisson(Counting):
    """Poisson(mean), with another mean."""

    def __init__(self, mean: float) -> None:
        self.mean, self.most = mean, math.inf

    def cost(self, mean: float) -> float:
        return entropy_term(mean, self.mean) - mean + self.mean

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return int(rng.poisson(self.tilted_mean(t)))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        mean = self.tilted_mean(t)
        return x * math.log(mean / self.mean) - mean + self.mean


@functools.lru_cache(maxsize=256)
def depths(t: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return for j = 0..52 the shares of "uniform below 2^-j", cumulated, and the density that they have at depth j."""
    ratio = t / (t + math.log(2.0))
    shares = [ratio**j for j in range(GRID_BITS)]
    total, cumulated, density, below, level = math.fsum(shares), [], [], 0.0, 0.0
    for j, share in enumerate(shares):
        below, level = below + share / total, level + share / total * 2.0**j
        cumulated.append(below)
        density.append(level)
    return tuple(cumulated), tuple(density)


class Uniform(Law):
    """Multiples of 2^-53 in [0, 1), as NumPy draws them: a mixture of uniforms below (or above) powers of 1/2."""

    STEPS = 2**GRID_BITS

    def draw(self, rng: np.random.Generator, t: float) -> float:
        if t == 0:
            return rng.random()
        cumulated, _ = depths(abs(t))
        u = rng.random()
        depth = next((j for j, share in enumerate(cumulated) if u < share), GRID_BITS - 1)
        step = int(rng.integers(0, 2 ** (GRID_BITS - depth)))
        return float((self.STEPS - 1 - step if t > 0 else step) / self.STEPS)

    def log_ratio(self, x: Floats, t: float) -> Floats:
        if t == 0:
            return 0.0 * x
        step = np.floor(np.multiply(x, float(self.STEPS)))
        step = self.STEPS - 1.0 - step if t > 0 else step
        bits = np.frexp(step)[1]  # exact: a step has GRID_BITS at most
        return np.log(depths(abs(t))[1])[np.minimum(GRID_BITS - bits, GRID_BITS - 1)]

    def levels(self, x: float) -> tuple[float, float]:
        return (-math.log(1.0 - x), -math.log(x + 1.0 / self.STEPS))


class Even(Law):
    """Whole numbers 0 to m - 1, equally likely: a mixture of even ones below (or above) m over powers of 2."""

    def __init__(self, m: int) -> None:
        self.m = m
        self.ends = [m]
        while self.ends[-1] > 1:
            self.ends.append(self.ends[-1] // 2)

    @functools.lru_cache(maxsize=64)  # noqa: B019 - laws are few and live as long as the process
    def depths(self, t: float) -> tuple[list[float], list[float]]:
        """Return the shares of the ends, cumulated, and the density over the law itself that they have at each."""
        ratio = t / (t + math.log(2.0))
        shares = [ratio**j for j in range(len(self.ends))]
        total = math.fsum(shares)
        levels = (share / total * self.m / end for share, end in zip(shares, self.ends))  # noqa: B905 - Python 3.9
        return [each / total for each in itertools.accumulate(shares)], [*itertools.accumulate(levels)]

    def draw(self, rng: np.random.Generator, t: float) -> float:
        depth = 0 if t == 0 else min(bisect.bisect(self.depths(abs(t))[0], rng.random()), len(self.ends) - 1)
        k = int(rng.integers(0, self.ends[depth]))
        return self.m - 1 - k if t > 0 else k

    def log_ratio(self, x: Floats, t: float) -> Floats:
        if t == 0:
            return 0.0 * x
        k = self.m - 1 - x if t > 0 else x
        beyond = np.searchsorted(self.ends[::-1], k, side="right")
        return np.log(self.depths(abs(t))[1])[len(self.ends) - 1 - beyond]

    def levels(self, x: float) -> tuple[float, float]:
        return (-math.log((self.m - x) / self.m), -math.log((x + 1.0) / self.m))


class Method(NamedTuple):
    """How a method of a generator is tilted.

    Attributes:
        parameters: names and defaults of its parameters before `size`; None: required.
        law: the standard law for the parameters of one number; None where it has no tilt (a scale of 0).
        place: from a standard draw and the parameters to the number.
    """

    parameters: tuple[tuple[str, float | None], ...]
    law: Callable[..., Law | None]
    place: Callable[..., float]


NORMAL, NORMAL_BEYOND, LAPLACE, EXPONENTIAL, GUMBEL, LOGISTIC, UNIFORM = (
    Normal(), NormalBeyond(), Laplace(), Exponential(), Gumbel(), Logistic(), Uniform(),
)  # fmt: skip
geometric, binomial, poisson, even = (
    functools.lru_cache(maxsize=256)(kind) for kind in (Geometric, Binomial, Poisson, Even)
)


def _of_whole(low: float, end: float) -> Law | None:
    return even(int(end) - int(low)) if 1 < int(end) - int(low) < 2**MOST_BITS else None


def _bounds(
    low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
) -> tuple[Any, Any]:
    """Return the first of the whole numbers that are drawn, and what is beyond the last."""
    del size, dtype
    start, end = (0, low) if high is None else (low, high)
    return start, np.add(end, int(endpoint))


def _located(law: Law) -> Method:
    return Method(
        (("loc", 0.0), ("scale", 1.0)),
        lambda _loc, scale: law if scale > 0 else None,
        lambda x, loc, scale: loc + scale * x,
    )


def _standard(law: Law) -> Method:
    return Method((), lambda: law, lambda x: x)


def _counting(*parameters: tuple[str, float | None], law: Callable[..., Law | None]) -> Method:
    return Method(parameters, law, lambda x, *_: x)


METHODS: Mapping[str, Method] = {
    "normal": _located(NORMAL),
    "laplace": _located(LAPLACE),
    "gumbel": _located(GUMBEL),
    "logistic": _located(LOGISTIC),
    "standard_normal": _standard(NORMAL),
    "standard_exponential": _standard(EXPONENTIAL),
    "random": _standard(UNIFORM),
    "exponential": Method(
        (("scale", 1.0),), lambda scale: EXPONENTIAL if scale > 0 else None, lambda x, scale: scale * x
    ),
    "uniform": Method(
        (("low", 0.0), ("high", 1.0)), lambda _low, _high: UNIFORM, lambda x, low, high: low + (high - low) * x
    ),
    "geometric": _counting(("p", None), law=lambda p: geometric(p) if p < 1 else None),
    "binomial": _counting(("n", None), ("p", None), law=lambda n, p: binomial(n, p) if n > 0 and 0 < p < 1 else None),
    "poisson": _counting(("lam", 1.0), law=lambda lam: poisson(lam) if lam > 0 else None),
}
WATCHED: Mapping[str, Method] = {
    **METHODS,
    "integers": Method((("low", None), ("high", None)), _of_whole, lambda x, low, _end: int(low) + x),
}
"""Those that are tilted where branches are watched: whole numbers that decide between them are no noise."""
ORDERS = ("permutation", "permuted", "shuffle")
"""What has no tail."""
OTHERS = (
    *ORDERS,
    *("beta", "bytes", "chisquare", "dirichlet", "f", "gamma", "hypergeometric", "lognormal", "logseries"),
    *("multinomial", "multivariate_hypergeometric", "negative_binomial", "noncentral_chisquare", "noncentral_f"),
    *("pareto", "power", "rayleigh", "standard_cauchy", "standard_gamma", "standard_t", "triangular", "vonmises"),
    *("wald", "weibull", "zipf"),
)
"""Methods that are never tilted."""


@functools.lru_cache(maxsize=1024)
class Cells:
    """Outcomes 0, 1, ... of a draw, in cells of equally likely ones.

    Args:
        kind: "even" for as many outcomes as the one parameter says, or "weights" for outcomes of these probabilities.

    Attributes:
        edges: first outcome of each cell, and their number.
        masses: probability of each cell.
    """

    def __init__(self, kind: str, *parameters: float) -> None:
        if kind == "even":
            m = int(parameters[0])
            places = (*FINE, *(HALF + place for place in FINE), 2 * HALF)
            self.edges = [*range(m + 1)] if m <= ALONE else sorted({m * place // (2 * HALF) for place in places})
            self.masses = [(end - start) / m for start, end in zip(self.edges, self.edges[1:])]  # noqa: B905 - Python 3.9
        else:
            self.edges, self.masses = [*range(len(parameters) + 1)], [*parameters]
        self.cumulated = [*itertools.accumulate(self.masses)]

    def draw(self, rng: np.random.Generator, cumulated: Sequence[float]) -> tuple[int, int]:
        """Return a cell, drawn with these probabilities, and an outcome of it."""
        cell = min(bisect.bisect(cumulated, rng.random()), len(self.masses) - 1)
        start, end = self.edges[cell], self.edges[cell + 1]
        return cell, start if end == start + 1 else int(rng.integers(start, end, dtype=np.uint64))


class Alike(NamedTuple):
    """What a method draws whose draws may share a tilt: cells, and what the target gets for an outcome."""

    cells: tuple[Any, ...]
    place: Callable[[int], Any]


def _several(value: Any) -> bool:
    """Return whether it is an array of parameters; of a plain number NumPy takes as long to say as to draw one."""
    return not isinstance(value, (int, float, type(None))) and np.ndim(value) > 0


def _of_random(size: Any = None, dtype: Any = np.float64, out: Any = None) -> Alike | None:
    del size
    steps = 2**24 if np.dtype(dtype) == np.float32 else 2**GRID_BITS
    return None if out is not None else Alike(("even", steps), lambda k: k / steps)


def _of_uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Alike | None:
    del size
    if _several(low) or _several(high):
        return None
    return Alike(("even", 2**GRID_BITS), lambda k: low + (high - low) * (k / 2**GRID_BITS))


def _of_integers(
    low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
) -> Alike | None:
    del size, dtype
    if _several(low) or _several(high):
        return None
    start, end = (0, low) if high is None else (low, high)
    start, number = int(start), int(end) - int(start) + bool(endpoint)
    return Alike(("even", number), lambda k: start + k) if 1 < number <= 2**63 else None


def _of_binomial(n: Any, p: Any, size: Any = None) -> Alike | None:
    del size
    if _several(n) or _several(p) or not (0 < n < ALONE and 0 < p < 1):
        return None
    n, p = int(n), float(p)
    return Alike(("weights", *(math.comb(n, k) * p**k * (1.0 - p) ** (n - k) for k in range(n + 1))), lambda k: k)


ALIKE: Mapping[str, Callable[..., Alike | None]] = {
    "random": _of_random,
    "uniform": _of_uniform,
    "integers": _of_integers,
    "binomial": _of_binomial,
}


class Table(NamedTuple):
    """The tilt of draws that are alike: probabilities of cells, cumulated, and log-ratios to their own."""

    cumulated: list[float]
    log_ratios: list[float]


class Coordinate(NamedTuple):
    """One number of one draw: its place among the coordinates of the plan, its strength by component, and back."""

    place: int
    position: int
    strengths: dict[int, float]
    components: dict[float, list[int]]


class Proposal:
    """The law that releases are drawn from, by a plan: see the module. Until there is one, that of the target.

    Args of a plan: `shares` of the components, sum 1, and their `tilts`, each a list of (address, strength), where an
    address is (site, method, order, position); `log`: whether draws are logged; `beyond`: whether a normal variable
    is tilted to lie beyond a point, in place of a shift; `tables`, where draws that are alike follow any: (kind of
    draw, probabilities of its cells) each, in the last component; `watched`: files that are watched
    (`auditor.target.watching`), so that whole numbers are tilted too.

    Attributes:
        bits: the stream of all draws that are not tilted.
        generator: draws from it.
        components: how many the plan has, and `coordinates` likewise.
        anew: what of the release under way was drawn anew: its law, its coordinate, and the standard number.
        of_tables: of the release under way, the log-ratio of the last component by the tables.
        levels: of the release under way, both levels of each coordinate; NaN where it was not drawn.
        steered: how many coordinates were drawn in the release under way.
        touched: the target took the bit generator, or a copy, in the release under way: then the ratio may be another.
        logged: draws of the release under way, (site, method, order, size, parameters) each.
        alike: cells of the draws of the release under way by kind, (site, method, way, turn, cells); where the
            plan has tables.
        met: whether what was drawn could be tilted, by (site, method), of all releases of the plan that is watched;
            of those that the plan does not tilt the draws are logged.
    """

    def __init__(self) -> None:
        self.bits, self._tilts = np.random.PCG64(0), np.random.PCG64(0)
        self.generator = SteeredGenerator(self)
        self._own = np.random.Generator(self._tilts)
        self.rest()

    def rest(self) -> None:
        """Draw from the laws themselves, from a seed of the operating system."""
        self.follow({"shares": [1.0], "tilts": [[]]}, random.SystemRandom().getrandbits(128), ())

    def follow(self, plan: Mapping[str, Any], entropy: int, spawn_key: tuple[int, ...]) -> None:
        """Take a plan and the seed sequence of its releases."""
        tilts = [{tuple(address): strength for address, strength in component} for component in plan["tilts"]]
        addresses = list(dict.fromkeys(address for component in tilts for address in component))
        self._index: dict[tuple[str, str, int], list[Coordinate]] = {}
        for place, address in enumerate(addresses):
            strengths = {m: component[address] for m, component in enumerate(tilts) if address in component}
            alike: dict[float, list[int]] = {}
            for m, strength in strengths.items():
                alike.setdefault(strength, []).append(m)
            self._index.setdefault(address[:3], []).append(Coordinate(place, address[3], strengths, alike))
        self._shares, self._cumulated = plan["shares"], [*itertools.accumulate(plan["shares"])]
        self._starts = [
            np.random.PCG64(each).state for each in np.random.SeedSequence(entropy, spawn_key=spawn_key).spawn(2)
        ]
        self.coordinates, self.components = len(addresses), len(tilts)
        self._log, self._beyond = bool(plan.get("log")), bool(plan.get("beyond"))
        self._watch = "watched" in plan
        self._planned = {(site, name) for site, name, _order in self._index}
        self.met: dict[tuple[str, str], bool] = {}
        self._tables: dict[tuple[Any, ...], Table] | None = None
        if plan.get("tables") is not None:
            self._tables = {}
            for (*kind, cells), masses in plan["tables"]:
                ratios = [math.log(q / f) for q, f in zip(masses, Cells(*cells).masses)]  # noqa: B905 - Python 3.9
                self._tables[(*kind, tuple(cells))] = Table([*itertools.accumulate(masses)], ratios)
        self.begin(0)

    def begin(self, release: int, *, tilted: bool = True) -> None:
        """Start a release: from streams of its own, whatever was drawn before; of the laws themselves if not tilted."""
        for place, bits in enumerate((self.bits, self._tilts)):
            bits.state = self._starts[place]
            bits.advance(release * APART)
        self._begun = self.bits.state
        chosen = min(bisect.bisect(self._cumulated, self._own.random()), self.components - 1)
        self._component = chosen if tilted else 0
        self._orders: dict[tuple[str, str], int] = {}
        self.anew: list[tuple[Law, Coordinate, float]] = []
        self.of_tables = 0.0
        self.levels = [math.nan] * (2 * self.coordinates)
        self.steered, self.touched = 0, False
        self.logged: list[tuple[str, str, int, int, dict[str, Any]]] = []
        self.alike: dict[tuple[Any, ...], list[int]] = {}
        self._passed: dict[Any, dict[int, int]] = {}
        self._visits: dict[int, int] = {}
        self._visited = 0
        self._starter = sys._getframe(1)  # noqa: SLF001 - the way from it to a draw is the target's

    def log_ratios(self, releases: Sequence[tuple[Sequence[tuple[Law, Coordinate, float]], float]]) -> Floats:
        """Return log(q_m / f) of releases, (n, components), by `anew` and `of_tables` of each.

        All at once: one by one they take as long as a hundred microseconds.
        """
        found = np.zeros((len(releases), self.components))
        alike: dict[tuple[Law, int], tuple[Coordinate, list[int], list[float]]] = {}
        for row, (anew, _of_tables) in enumerate(releases):
            for law, coordinate, x in anew:
                _, rows, numbers = alike.setdefault((law, coordinate.place), (coordinate, [], []))
                rows.append(row)
                numbers.append(x)
        for (law, _place), (coordinate, rows, numbers) in alike.items():
            drawn = np.array(numbers)
            for strength, components in coordinate.components.items():
                found[np.ix_(rows, components)] += law.log_ratio(drawn, strength)[:, None]
        found[:, -1] += [of_tables for _anew, of_tables in releases]
        return found

    def weights(self, log_ratios: Floats) -> Floats:
        """Return the likelihood ratios f / q of releases, (n,), by their log-ratios, (n, components)."""
        return np.exp(-np.logaddexp.reduce(np.log(self._shares) + log_ratios, axis=1))

    @property
    def drew(self) -> bool:
        """Whether the release under way drew anything."""
        return bool(self.bits.state != self._begun)

    def drawn(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], drawn: Any, asking: Any) -> Any:
        """Return what a method has drawn for a frame that asked, with the coordinates of the plan drawn anew."""
        if self._tables is not None:
            return self._drawn_alike(name, args, kwargs, drawn, asking) if name in ALIKE else drawn
        site = asked_from(asking)
        order = self._orders.get((site, name), 0)
        self._orders[site, name] = order + 1
        coordinates = self._index.get((site, name, order), ())
        if not (coordinates or self._log or self._watch):
            return drawn
        method = (WATCHED if self._watch else METHODS).get(name)
        number = 0 if method is None else len(method.parameters)
        if method is WATCHED["integers"]:
            args, kwargs = _bounds(*args, **kwargs), {}
        known = len(args) <= number + 1 and kwargs.keys().isdisjoint(("dtype", "out"))
        if self._watch:
            known_now = (known and method is not None) or name in ORDERS
            self.met[site, name] = self.met.get((site, name), True) and known_now
        if method is None or not known:
            return drawn
        parameters = [
            args[place] if place < len(args) else kwargs.get(parameter, default)
            for place, (parameter, default) in enumerate(method.parameters)
        ]
        array = isinstance(drawn, np.ndarray)
        new = self._watch and (site, name) not in self._planned
        if (self._log or new) and len(self.logged) < MOST_LOGGED:
            described = {key: plain(parameters[place]) for place, (key, _) in enumerate(method.parameters)}
            self.logged.append((site, name, order, drawn.size if array else 1, described))
        for coordinate in coordinates:
            if coordinate.position >= (drawn.size if array else 1):
                continue
            own = [number_at(value, drawn, coordinate.position) for value in parameters]
            law = method.law(*own)
            if law is None:
                continue
            law = NORMAL_BEYOND if self._beyond and law is NORMAL else law
            value = method.place(self._tilted(law, coordinate), *own)
            if array:
                drawn.reshape(-1)[coordinate.position] = value
            else:
                drawn = type(drawn)(value)
        return drawn

    def _drawn_alike(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], drawn: Any, asking: Any) -> Any:
        """Return what a method has drawn, with its first numbers drawn anew, cell by cell."""
        found = ALIKE[name](*args, **kwargs) if self.steered < MOST_ALIKE else None
        if found is None:
            return drawn
        site, (way, turn), array = asked_from(asking), self._way(asking), isinstance(drawn, np.ndarray)
        cells, tables = Cells(*found.cells), self._tables or {}
        size, own = drawn.size if array else 1, self._component == self.components - 1
        for position in range(min(size, MOST_ALIKE - self.steered)):
            kind = site, name, way, f"{turn}[{position if size <= FEW_ALIKE else 0}]", found.cells
            table = tables.get(kind) or tables.get((site, name, way, "", found.cells))
            cell, outcome = cells.draw(self._own, table.cumulated if table is not None and own else cells.cumulated)
            if table is not None:
                self.of_tables += table.log_ratios[cell]
            self.alike.setdefault(kind, []).append(cell)
            self.steered += 1
            if array:
                drawn.reshape(-1)[position] = found.place(outcome)
            else:
                drawn = type(drawn)(found.place(outcome))
        return drawn

    def _way(self, frame: Any) -> tuple[str, str]:
        """Return what calls what on the way to a draw and for which call, and which turn of the innermost loop it is.

        A turn is a draw or a call that draws, from one line of one call of a function; the call told is the one made
        by the function that is entered first.
        """
        calls, lines, counts = list[str](), list[int](), list[dict[int, int]]()
        before, self._passed, entering, turn = self._passed, {}, True, ""
        while frame is not None and frame is not self._starter:
            line, turns = frame.f_lineno, before.get(frame)
            counted, entering = entering, turns is None
            turns = self._passed[frame] = {} if turns is None else turns
            if counted:
                turns[line] = turns.get(line, -1) + 1
            if not turn and turns[line]:
                turn = f"{len(lines)}:{min(turns[line], TURNS)}"
            calls.append(f"{frame.f_code.co_name}:{line}")
            lines.append(line)
            counts.append(turns)
            frame = frame.f_back
        entered = len(calls) - 2
        while entered > 0 and calls[entered - 1].startswith("<"):  # a comprehension in it
            entered -= 1
        line = lines[entered]
        self._visits[line] = self._visits.get(line, -1) + (line != self._visited)
        self._visited = line
        first = min(counts[entered][line] if entered > 0 else self._visits[line], CALLS)
        return f"{'<'.join(calls)} {first}", turn

    def _tilted(self, law: Law, coordinate: Coordinate) -> float:
        x = law.draw(self._own, coordinate.strengths.get(self._component, 0.0))
        self.anew.append((law, coordinate, x))
        self.levels[2 * coordinate.place : 2 * coordinate.place + 2] = law.levels(x)
        self.steered += 1
        return x


class SteeredGenerator(np.random.Generator):
    """NumPy's generator, whose draws follow a proposal."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(proposal.bits)
        self._proposal = proposal

    @property
    def bit_generator(self) -> Any:
        """The bit generator: with it the target can do what no ratio accounts for."""
        self._proposal.touched = True
        return super().bit_generator

    def __reduce__(self) -> Any:
        self._proposal.touched = True
        return np.random.Generator(self._proposal.bits).__reduce__()

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """Return generators of their own, which are not steered."""
        self._proposal.met[asked_from(sys._getframe(1)), "spawn"] = False  # noqa: SLF001 - the way to the caller
        return [np.random.Generator(child) for child in self._proposal.bits.spawn(n_children)]


def _overridden(name: str) -> Callable[..., Any]:
    plain_method = getattr(np.random.Generator, name)

    def draw(self: SteeredGenerator, *args: Any, **kwargs: Any) -> Any:
        drawn = plain_method(self, *args, **kwargs)
        return self._proposal.drawn(name, args, kwargs, drawn, sys._getframe(1))  # noqa: SLF001 - the way to the caller

    draw.__name__, draw.__doc__ = name, plain_method.__doc__
    return draw


for _name in {*METHODS, *ALIKE, *OTHERS}:
    setattr(SteeredGenerator, _name, _overridden(_name))


class StandsFor(type):
    """Of classes that stand in for another, whose objects are taken for theirs."""

    stands_for: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.stands_for)


class Unseeded(metaclass=StandsFor):
    """A generator without a seed; it is one of another's own from where it is given one, or its state is taken."""

    proposal: ClassVar[Proposal]
    _seeded: Any

    @classmethod
    def _of_seed(cls, *seed: Any) -> Any:
        """Return one of the kind's own that is given a seed: what it draws is not tilted."""
        cls.proposal.met[asked_from(sys._getframe(1)), cls.stands_for.__name__] = False  # noqa: SLF001 - as above
        return cls.stands_for(*seed)

    def _left(self) -> Any:
        """Return the generator that is drawn from henceforth: with its state the target can do what no ratio tells."""
        self.proposal.touched, self._seeded = True, self._seeded or type(self).stands_for()
        return self._seeded

    def __reduce__(self) -> Any:
        return self._left().__reduce__()


class SteeredState(Unseeded, np.random.RandomState):
    """NumPy's `RandomState`: its draws are those of the steered generator, of the same laws."""

    stands_for = np.random.RandomState

    def __new__(cls, seed: Any = None) -> Any:
        """Return NumPy's own where there is a seed."""
        return super().__new__(cls) if seed is None else cls._of_seed(seed)

    def __init__(self, seed: None = None) -> None:
        del seed
        super().__init__(self.proposal.bits)
        self._seeded: Any = None

    def seed(self, seed: Any = None) -> None:
        """Draw what the seed says; of none what the operating system gives."""
        self._seeded = None if seed is None else self._of_seed(seed)

    def get_state(self, *args: Any, **kwargs: Any) -> Any:
        """Return a state."""
        return self._left().get_state(*args, **kwargs)

    def set_state(self, state: Any) -> None:
        """Draw from a state on."""
        self._left().set_state(state)

    @property
    def _bit_generator(self) -> Any:  # type: ignore[override]
        return self._left()._bit_generator  # noqa: SLF001 - as NumPy's own functions do

    def random_sample(self, size: Any = None) -> Any:
        """Uniform on [0, 1)."""
        return (self._seeded or self.proposal.generator).random(size)

    def rand(self, *shape: int) -> Any:
        """Uniform on [0, 1)."""
        return self.random_sample(shape or None)

    def randn(self, *shape: int) -> Any:
        """N(0, 1)."""
        return self.standard_normal(shape or None)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Integers below the end, or from the first to below the second."""
        if self._seeded is not None:
            return self._seeded.randint(low, high, size, dtype)
        kind = {} if dtype is int else {"dtype": dtype}
        drawn = self.proposal.generator.integers(low, high, size, **kind)
        return int(drawn) if dtype is int and np.ndim(drawn) == 0 else drawn

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Integers, the end included."""
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    def tomaxint(self, size: Any = None) -> Any:
        """Integers from 0 to the largest of the machine."""
        return self.randint(0, sys.maxsize, size, np.int64)


def _same(name: str) -> Callable[..., Any]:
    """Return the method of a `RandomState` that the steered generator has as well."""

    def draw(self: SteeredState, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._seeded or self.proposal.generator, name)(*args, **kwargs)

    draw.__name__, draw.__doc__ = name, getattr(np.random.RandomState, name).__doc__
    return draw


for _name in {*dir(np.random.RandomState)} & {*dir(np.random.Generator)}:
    if not _name.startswith("_"):
        setattr(SteeredState, _name, _same(_name))


class SteeredRandom(Unseeded, random.Random):  # noqa: S311 - what somebody else draws noise by
    """The standard library's `Random`, likewise: what is not here it makes of what is."""

    stands_for = random.Random  # noqa: S311 - as above

    def __new__(cls, *seed: Any) -> Any:
        """Return the library's own where there is a seed."""
        return super().__new__(cls) if seed in ((), (None,)) else cls._of_seed(*seed)

    def __init__(self, *_none: None) -> None:
        self._seeded: Any = None

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Draw what the seed says; of none what the operating system gives."""
        self._seeded = None
        if a is not None:
            self._seeded = self._of_seed()
            self._seeded.seed(a, version)

    def getstate(self) -> Any:
        """Return a state."""
        return self._left().getstate()

    def setstate(self, state: Any) -> None:
        """Draw from a state on."""
        self._left().setstate(state)

    def random(self) -> float:
        """Uniform on [0, 1)."""
        return float((self._seeded or self.proposal.generator).random())

    def uniform(self, a: float, b: float) -> float:
        """Uniform between the two."""
        return float((self._seeded or self.proposal.generator).uniform(min(a, b), max(a, b)))

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """N(mu, sigma^2)."""
        if self._seeded is not None:
            return float(self._seeded.gauss(mu, sigma))
        return self.proposal.generator.normal(float(mu), abs(float(sigma)))

    normalvariate = gauss

    def expovariate(self, lambd: float = 1.0) -> float:
        """Exponential with this rate."""
        if self._seeded is not None:
            return float(self._seeded.expovariate(lambd))
        return math.copysign(self.proposal.generator.exponential(abs(1.0 / float(lambd))), lambd)

    def getrandbits(self, k: int) -> int:
        """Fair bits."""
        if self._seeded is not None:
            return int(self._seeded.getrandbits(k))
        if 0 < k < MOST_BITS:
            return int(self.proposal.generator.integers(2**k))
        return int.from_bytes(self.proposal.generator.bytes(-(-k // 8)), "big") >> -k % 8

    def _randbelow(self, n: int) -> int:
        if self._seeded is None and 0 < n < 2**MOST_BITS:
            return int(self.proposal.generator.integers(n))
        return int(self._randbelow_with_getrandbits(n))  # type: ignore[attr-defined]


class SteeredSystemRandom(SteeredRandom, random.SystemRandom):
    """The standard library's `SystemRandom`, which has no seed and no state."""

    stands_for = random.SystemRandom

    def __new__(cls, *_seed: Any) -> Any:
        """Take no notice of a seed."""
        return super().__new__(cls)

    seed = random.SystemRandom.seed  # type: ignore[assignment]
    getstate = random.SystemRandom.getstate
    setstate = random.SystemRandom.setstate


class LooseBits(Unseeded):
    """Bit generators of one's own: what is drawn from them is not tilted."""

    def __new__(cls, *seed: Any) -> Any:
        """Return NumPy's own, and note where it was asked for."""
        return cls._of_seed(*seed)


BITS = tuple(getattr(np.random, name) for name in ("PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"))


class Instead:
    """While it is entered, what draws by itself draws from a proposal: names, attributes and closures hold stand-ins.

    Found are generators of the standard kinds wherever a name, an attribute, an entry of a dictionary or a closure
    holds one, and by the names of modules their methods, their classes and what makes them. Later ones are made by the
    classes that stand in. Afterwards everything is as it was, and what was made goes on drawing, from the laws.
    """

    def __init__(self, proposal: Proposal) -> None:
        self._kinds: dict[type, Callable[[], Any]] = {np.random.Generator: lambda: SteeredGenerator(proposal)}
        self._known: dict[int, tuple[Any, Any]] = {}
        """Stand-ins by the identity of what they stand in for, which is kept alive."""
        for kind in (SteeredState, SteeredRandom, SteeredSystemRandom):
            own = StandsFor(kind.stands_for.__name__, (kind,), {"proposal": proposal})
            self._kinds[kind.stands_for] = own
            self._know(kind.stands_for, own)
        for bits in BITS:
            self._know(bits, StandsFor(bits.__name__, (LooseBits,), {"proposal": proposal, "stands_for": bits}))
        default_rng = np.random.default_rng

        @functools.wraps(default_rng)
        def unseeded(seed: Any = None) -> Any:
            if seed is None:
                return SteeredGenerator(proposal)
            proposal.met[asked_from(sys._getframe(1)), "default_rng"] = False  # noqa: SLF001 - the way to the caller
            return default_rng(seed)

        self._know(default_rng, unseeded)
        self._know(np.random.seed, self._of(np.random.mtrand._rand).seed)  # noqa: SLF001 - the one of NumPy's functions
        self._proposal = proposal
        self._modules: tuple[int, types.ModuleType | None] = 0, None
        self._places: list[tuple[Any, Any]] = []
        self._put: list[tuple[Any, Any, Any, Any]] = []

    def _know(self, original: Any, own: Any) -> Any:
        self._known[id(original)] = original, own
        return own

    def _of(self, value: Any) -> Any:
        """Return what stands in for a value; None where nothing does."""
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if type(value) in self._kinds:
            return self._know(value, self._kinds[type(value)]())
        if isinstance(value, (types.MethodType, types.BuiltinMethodType)) and type(value.__self__) in self._kinds:
            return getattr(self._of(value.__self__), value.__name__)
        return None

    def __enter__(self) -> None:
        # by the last one too: of as many, one that is gone since and one that came
        modules = len(sys.modules), sys.modules[next(reversed(sys.modules))]
        if modules[0] != self._modules[0] or modules[1] is not self._modules[1]:
            self._modules = modules
            self._places = [
                (holder, name)
                for holder in self._found()
                for name, value in list(_held(holder).items())
                if self._of(value) is not None and not _pickled_by(holder, value)
            ]
        for holder, name in self._places:
            value = _held(holder).get(name)
            own = self._of(value)
            if own is not None:
                self._put.append((holder, name, value, own))
                _hold(holder, name, own)

    def __exit__(self, *_: object) -> None:
        for holder, name, value, own in self._put:
            if _held(holder).get(name) is own:
                _hold(holder, name, value)
        self._put.clear()
        self._proposal.rest()

    def asked(self, kind: str) -> Any:
        """Return a generator of the kind of this name: Generator, RandomState or Random."""
        return next(made for each, made in self._kinds.items() if each.__name__ == kind)()

    def _found(self) -> Iterator[Any]:
        """Yield dictionaries, classes and closures that hold generators, or their methods and classes by name."""
        every = gc.get_objects()
        modules = [*sys.modules.values(), *every]  # those that the collector leaves alone, and those without a name
        names = [vars(each) for each in modules if issubclass(type(each), types.ModuleType)]
        names += [each.__globals__ for each in every if type(each) is types.FunctionType]  # of notebooks too
        seen = {id(own) for own in (vars(self._proposal), self._known)}
        for own in names:
            if id(own) not in seen:
                seen.add(id(own))
                if any(self._of(value) is not None for value in list(own.values())):
                    yield own
        for each in every:
            if issubclass(type(each), type) and any(type(value) in self._kinds for value in list(vars(each).values())):
                seen.update(map(id, gc.get_referents(each)))  # its dictionary is not written to: attributes are cached
                yield each
        for holder in gc.get_referrers(*(each for each in every if type(each) in self._kinds)):
            held = holder if type(holder) in (dict, types.CellType) else getattr(holder, "__dict__", None)
            if type(held) in (dict, types.CellType) and id(held) not in seen:
                seen.add(id(held))
                yield held


def _pickled_by(holder: Any, value: Any) -> bool:
    """Return whether a class of bit generators is held where it is made: pickles look for it there."""
    return (
        any(value is bits for bits in BITS) and isinstance(holder, dict) and holder.get("__name__") == value.__module__
    )


def _held(holder: Any) -> Mapping[Any, Any]:
    """Return what a dictionary, a class or a closure holds, by name."""
    if isinstance(holder, types.CellType):
        try:
            return {"cell_contents": holder.cell_contents}
        except ValueError:
            return {}
    return holder if isinstance(holder, dict) else vars(holder)


def _hold(holder: Any, name: Any, value: Any) -> None:
    if isinstance(holder, dict):
        holder[name] = value
    else:
        setattr(holder, name, value)


@functools.lru_cache(maxsize=1024)
def _of_library(filename: str) -> bool:
    return filename in ASKING or any(library in filename for library in LIBRARIES)


def asked_from(frame: Any) -> str:
    """Return file:line of the first caller that asks for itself."""
    while frame.f_back is not None and _of_library(frame.f_code.co_filename):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def number_at(value: Any, drawn: Any, position: int) -> float:
    """Return a parameter of the number at a position of what was drawn."""
    if isinstance(value, (int, float)):
        return value
    number: float = np.broadcast_to(value, np.shape(drawn)).item(position)
    return number


def plain(value: Any) -> Any:
    """Return a parameter as JSON: a number, or the numbers of a short array."""
    return np.ravel(np.asarray(value))[:MOST_LOGGED].tolist() if np.ndim(value) else float(value)
