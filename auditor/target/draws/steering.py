"""Generators that draw chosen numbers from tilted laws, with the likelihood ratio of each release.

For an event E of a release with draws z of density f, here drawn with density q,

    P(E) = E_q[w 1_E],  w = f(z) / q(z),

so importance sampling sees an event of probability 1e-12 in most releases, each with a small weight. The proposal is a
mixture:

    q = sum_m share_m q_m,  w = 1 / sum_m share_m (q_m / f)(z).

Component m, chosen once per release, tilts a few coordinates; component 0 tilts none, so w is at most 1 / share_0. A
coordinate is one number of one draw. Its address has four parts: site, method, order and position. The site is
file:line of the first caller outside NumPy, SciPy and the standard library. The order counts the calls from there
within the release. The position is an index into the array.

A tilt of strength t moves a draw to a tail of probability about e^-|t|, upwards for t > 0, downwards for t < 0. The
laws are as documented by NumPy. The log-ratio is a sum of a few float64 terms, accurate to about 1e-12. Uniforms stay
on NumPy's grid, multiples of 2^-53, so their ratio is one of integers.

If noise consists of many draws, such as coins in a loop, no single draw matters. Draws with the same call path then
share a tilt: a table with the probability of each cell of outcomes, followed by the last component. The number of draws
may depend on the draws: the ratio of a stopped sequence is the ratio of its draws.

The target sees a `numpy.random.Generator`; NumPy makes the untilted draws. Never tilted: methods in neither METHODS nor
ALIKE (except `choice`, which calls those), single-precision noise and `out=`. The module imports nothing of the
auditor: the worker loads this file in the target's interpreter.

The target may use other generators. During a tilted release `Instead` replaces the generators that the operating system
seeds: NumPy's and the ones of the modules `random` and `secrets`. Their draws come from the tilting generator, with
equal laws. A generator with an explicit seed is left alone. A generator that is not found, such as one
in C code, draws untilted numbers, which enter no ratio.
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
"""An array of doubles; `NDArray` is missing in old versions of NumPy that a target may use."""
APART = 2**64
"""Distance between the streams of two releases, in numbers."""
MOST_ALIKE = 1024
"""Maximum number of draws per release that follow tables."""
FEW_ALIKE = 16
"""Maximum size of an array whose positions are distinguished."""
TURNS, CALLS = 3, 8
"""Loop iterations, and calls of the noise function, that are distinguished; later ones are alike."""
ALONE = 32
"""Maximum number of outcomes with a cell each; with more, cells are narrow near both ends and the middle."""
HALF = 2**16
FINE = sorted({*(2**j for j in range(16)), *(HALF - 2**j for j in range(16)), *range(0, HALF, HALF // 16)})
"""First outcomes of cells in the lower half, in units of 2^-17 of all outcomes."""
MOST_LOGGED = 256
"""Maximum number of logged draws per release."""
GRID_BITS = 53
"""Bits of NumPy's uniforms."""
MOST_BITS = 63
"""Maximum bits of an integer that is one draw."""
LIBRARIES = tuple(f"{os.sep}{name}{os.sep}" for name in ("numpy", "scipy"))
ASKING = (
    __file__,
    *(str(Path(random.__file__).with_name(f"{name}.py")) for name in ("random", "secrets", "statistics")),
)
"""Files whose frames call the generator on behalf of the target, besides LIBRARIES."""
HALVINGS = 60
UNSURE = 1e-3
"""Mean number of failures left when a tilt makes every trial a success."""
ROOT_TAU = math.sqrt(2.0 * math.pi)


class Law:
    """A standard law and its tilts."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        """Return a number drawn with a tilt of strength t; t = 0 draws from the law itself."""
        raise NotImplementedError

    def log_ratio(self, x: Floats, t: float) -> Floats:
        """Return log(q_t(x) / f(x)) for numbers of any shape; exactly 0 for t = 0."""
        raise NotImplementedError

    def levels(self, x: float) -> tuple[float, float]:
        """Return approximations of -log P[X >= x] and -log P[X <= x]; they choose tilts and enter no ratio."""
        raise NotImplementedError


class Normal(Law):
    """N(0, 1); a tilt shifts the mean."""

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
    """N(0, 1); a tilt draws only beyond the mean of Normal's tilt, with an exponential law there."""

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
    """Return theta in (-1, 1) such that e^(theta x) tilts the tail e^-x to mean 1 + |t|."""
    return t / (1.0 + abs(t))


class Laplace(Law):
    """Density e^-|x| / 2; a tilt multiplies it by e^(theta x)."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        theta, size = exponent(t), rng.standard_exponential()
        return size / (1.0 - theta) if rng.random() < 0.5 * (1.0 + theta) else -size / (1.0 + theta)

    def log_ratio(self, x: Floats, t: float) -> Floats:
        theta = exponent(t)
        return theta * x + math.log1p(-theta * theta)

    def levels(self, x: float) -> tuple[float, float]:
        return (max(x, 0.0), max(-x, 0.0))


class Exponential(Law):
    """Density e^-x; a tilt changes the rate."""

    def draw(self, rng: np.random.Generator, t: float) -> float:
        return rng.standard_exponential() * (1.0 + t if t >= 0 else math.exp(t))

    def log_ratio(self, x: Floats, t: float) -> Floats:
        return exponent(t) * x - math.log1p(t) if t >= 0 else -t - math.expm1(-t) * x

    def levels(self, x: float) -> tuple[float, float]:
        return (x, -math.log(-math.expm1(-x)) if x > 0 else 0.0)


class Gumbel(Law):
    """X = -log of a standard exponential; a tilt changes its shape as a gamma variable."""

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
    """X = the log-odds of a uniform; a tilt makes the uniform a beta variable."""

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
    """P[K = k] = (1 - p)^(k - 1) p; a tilt changes p."""

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
    """Laws of counts with a tilted mean; `cost(mean)` is the divergence, in nats."""

    mean: float
    most: float

    def cost(self, mean: float) -> float:
        """Return the divergence of the law with this mean from the untilted law, in nats."""
        raise NotImplementedError

    @functools.lru_cache(maxsize=64)  # noqa: B019 - laws are few and live as long as the process
    def tilted_mean(self, t: float) -> float:
        """Return the mean on the side of t whose cost is |t|, or the extreme mean if no mean costs as much."""
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
    """Return x log(x / y); 0 for x = 0."""
    return x * math.log(x / y) if x > 0 else 0.0


class Binomial(Counting):
    """Binomial(n, p), 0 < p < 1; a tilt changes p."""

    def __init__(self, n: int, p: float) -> None:
        self.n, self.p, self.mean = n, p, n * p
        self.most = n - min(UNSURE, 0.5 * (n - self.mean))  # with p = 1 the ratio is infinite

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
    """Poisson(mean); a tilt changes the mean."""

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
    """Return, for j = 0..52, the cumulated shares of "uniform below 2^-j" and their total density at depth j."""
    ratio = t / (t + math.log(2.0))
    shares = [ratio**j for j in range(GRID_BITS)]
    total, cumulated, density, below, level = math.fsum(shares), [], [], 0.0, 0.0
    for j, share in enumerate(shares):
        below, level = below + share / total, level + share / total * 2.0**j
        cumulated.append(below)
        density.append(level)
    return tuple(cumulated), tuple(density)


class Uniform(Law):
    """Multiples of 2^-53 in [0, 1), as NumPy draws them; a tilt mixes uniforms below (or above) powers of 1/2."""

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
        bits = np.frexp(step)[1]  # exact: a step has at most GRID_BITS bits
        return np.log(depths(abs(t))[1])[np.minimum(GRID_BITS - bits, GRID_BITS - 1)]

    def levels(self, x: float) -> tuple[float, float]:
        return (-math.log(1.0 - x), -math.log(x + 1.0 / self.STEPS))


class Even(Law):
    """Uniform integers 0 to m - 1; a tilt mixes uniforms below (or above) m over powers of 2."""

    def __init__(self, m: int) -> None:
        self.m = m
        self.ends = [m]
        while self.ends[-1] > 1:
            self.ends.append(self.ends[-1] // 2)

    @functools.lru_cache(maxsize=64)  # noqa: B019 - laws are few and live as long as the process
    def depths(self, t: float) -> tuple[list[float], list[float]]:
        """Return the cumulated shares of the ends, and the density ratio to the untilted law at each end."""
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
    """How to tilt a method of a generator.

    Attributes:
        parameters: names and defaults of the parameters before `size`; None: required.
        law: the standard law for the parameters of one number; None if it has no tilt (a scale of 0).
        place: maps a standard draw and the parameters to the number.
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
    """Return the first of the integers that can be drawn, and the integer after the last."""
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
WATCHED_METHODS: Mapping[str, Method] = {
    **METHODS,
    "integers": Method((("low", None), ("high", None)), _of_whole, lambda x, low, _end: int(low) + x),
}
"""Methods tilted while branches are watched: there also integers, which decide branches but are no noise."""
ORDERS = ("permutation", "permuted", "shuffle")
"""Methods without a tail to tilt."""
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
    """Outcomes 0, 1, ... of a draw, grouped in cells of equally likely outcomes.

    Args:
        kind: "even": equally likely outcomes, whose number is the one parameter; "weights": given probabilities.

    Attributes:
        edges: first outcome of each cell, then the number of outcomes.
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
        """Return a cell drawn with the given cumulated probabilities, and an outcome in it."""
        cell = min(bisect.bisect(cumulated, rng.random()), len(self.masses) - 1)
        start, end = self.edges[cell], self.edges[cell + 1]
        return cell, start if end == start + 1 else int(rng.integers(start, end, dtype=np.uint64))


class Alike(NamedTuple):
    """Draws of a method that may share a tilt: arguments of their Cells, and the map from outcome to value."""

    cells: tuple[Any, ...]
    place: Callable[[int], Any]


def _several(value: Any) -> bool:
    """Return whether a parameter is an array; the test of plain numbers avoids NumPy, which takes as long as a draw."""
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
    """The tilt of draws that are alike: cumulated probabilities of cells, and log-ratios to the untilted ones."""

    cumulated: list[float]
    log_ratios: list[float]


class Coordinate(NamedTuple):
    """One number of one draw: index in the plan, position, strength by component, and components by strength."""

    place: int
    position: int
    strengths: dict[int, float]
    components: dict[float, list[int]]


class Proposal:
    """The law of the draws under a plan, see the module; without a plan, the target's own law.

    A plan has `shares` of the components (sum 1) and their `tilts`, each a list of (address, strength). An address is
    (site, method, order, position). Optional entries:
    - `log`: whether draws are logged;
    - `beyond`: whether a tilted normal variable is drawn beyond a point instead of being shifted;
    - `tables`: (kind of draw, probabilities of its cells) for draws that are alike, in the last component;
    - `watched`: files watched by `auditor.target.draws.watching`; integers are tilted too.

    Attributes:
        bits: the stream of all untilted draws.
        generator: draws from that stream.
        components: number of components of the plan.
        coordinates: number of coordinates of the plan.
        anew: redrawn numbers of the current release: law, coordinate and standard number.
        of_tables: log-ratio of the last component by the tables, in the current release.
        levels: both levels of each coordinate in the current release; NaN if not drawn.
        steered: number of coordinates drawn in the current release.
        touched: whether the target took the bit generator or a copy in the current release: its ratio may be off.
        logged: draws of the current release, (site, method, order, size, parameters) each.
        alike: cells of the draws of the current release by kind, (site, method, way, turn, cells); if the plan has
            tables.
        met: whether draws could be tilted, by (site, method), over all releases of a watched plan, which also logs the
            draws that it does not tilt.
    """

    def __init__(self) -> None:
        self.bits, self._tilts = np.random.PCG64(0), np.random.PCG64(0)
        self.generator = SteeredGenerator(self)
        self._rng = np.random.Generator(self._tilts)
        self.rest()

    def rest(self) -> None:
        """Draw from the untilted laws, with a seed of the operating system."""
        self.follow({"shares": [1.0], "tilts": [[]]}, random.SystemRandom().getrandbits(128), ())

    def follow(self, plan: Mapping[str, Any], entropy: int, spawn_key: tuple[int, ...]) -> None:
        """Set the plan and the seed sequence of its releases."""
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
        """Start a release with streams of its own, independent of earlier draws; untilted unless `tilted`."""
        for place, bits in enumerate((self.bits, self._tilts)):
            bits.state = self._starts[place]
            bits.advance(release * APART)
        self._start_state = self.bits.state
        chosen = min(bisect.bisect(self._cumulated, self._rng.random()), self.components - 1)
        self._component = chosen if tilted else 0
        self._orders: dict[tuple[str, str], int] = {}
        self.anew: list[tuple[Law, Coordinate, float]] = []
        self.of_tables = 0.0
        self.levels = [math.nan] * (2 * self.coordinates)
        self.steered, self.is_touched = 0, False
        self.logged: list[tuple[str, str, int, int, dict[str, Any]]] = []
        self.alike: dict[tuple[Any, ...], list[int]] = {}
        self._passed: dict[Any, dict[int, int]] = {}
        self._visits: dict[int, int] = {}
        self._visited = 0
        self._starter = sys._getframe(1)  # noqa: SLF001 - the way from it to a draw is the target's

    def log_ratios(self, releases: Sequence[tuple[Sequence[tuple[Law, Coordinate, float]], float]]) -> Floats:
        """Return log(q_m / f) of releases, (n, components), given `anew` and `of_tables` of each.

        Computed for all releases at once: one by one they take up to a hundred microseconds each.
        """
        ratios = np.zeros((len(releases), self.components))
        alike: dict[tuple[Law, int], tuple[Coordinate, list[int], list[float]]] = {}
        for row, (anew, _of_tables) in enumerate(releases):
            for law, coordinate, x in anew:
                _, rows, numbers = alike.setdefault((law, coordinate.place), (coordinate, [], []))
                rows.append(row)
                numbers.append(x)
        for (law, _place), (coordinate, rows, numbers) in alike.items():
            values = np.array(numbers)
            for strength, components in coordinate.components.items():
                ratios[np.ix_(rows, components)] += law.log_ratio(values, strength)[:, None]
        ratios[:, -1] += [of_tables for _anew, of_tables in releases]
        return ratios

    def weights(self, log_ratios: Floats) -> Floats:
        """Return the likelihood ratios f / q of releases, (n,), given their log-ratios, (n, components)."""
        return np.exp(-np.logaddexp.reduce(np.log(self._shares) + log_ratios, axis=1))

    @property
    def drew(self) -> bool:
        """Whether the current release drew any number."""
        return bool(self.bits.state != self._start_state)

    def replace_draw(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any, asking: Any) -> Any:
        """Return the result of a method called from a frame, with the coordinates of the plan drawn anew."""
        if self._tables is not None:
            return self._drawn_alike(name, args, kwargs, result, asking) if name in ALIKE else result
        site = asked_from(asking)
        order = self._orders.get((site, name), 0)
        self._orders[site, name] = order + 1
        coordinates = self._index.get((site, name, order), ())
        if not (coordinates or self._log or self._watch):
            return result
        method = (WATCHED_METHODS if self._watch else METHODS).get(name)
        number = 0 if method is None else len(method.parameters)
        if method is WATCHED_METHODS["integers"]:
            args, kwargs = _bounds(*args, **kwargs), {}
        is_supported = len(args) <= number + 1 and kwargs.keys().isdisjoint(("dtype", "out"))
        if self._watch:
            known_now = (is_supported and method is not None) or name in ORDERS
            self.met[site, name] = self.met.get((site, name), True) and known_now
        if method is None or not is_supported:
            return result
        parameters = [
            args[place] if place < len(args) else kwargs.get(parameter, default)
            for place, (parameter, default) in enumerate(method.parameters)
        ]
        array = isinstance(result, np.ndarray)
        new = self._watch and (site, name) not in self._planned
        if (self._log or new) and len(self.logged) < MOST_LOGGED:
            described = {key: plain(parameters[place]) for place, (key, _) in enumerate(method.parameters)}
            self.logged.append((site, name, order, result.size if array else 1, described))
        for coordinate in coordinates:
            if coordinate.position >= (result.size if array else 1):
                continue
            arguments = [number_at(value, result, coordinate.position) for value in parameters]
            law = method.law(*arguments)
            if law is None:
                continue
            law = NORMAL_BEYOND if self._beyond and law is NORMAL else law
            value = method.place(self._tilted(law, coordinate), *arguments)
            if array:
                result.reshape(-1)[coordinate.position] = value
            else:
                result = type(result)(value)
        return result

    def _drawn_alike(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any, asking: Any) -> Any:
        """Return the result of a method with its first numbers drawn anew, cell by cell."""
        alike = ALIKE[name](*args, **kwargs) if self.steered < MOST_ALIKE else None
        if alike is None:
            return result
        site, (way, turn), array = asked_from(asking), self._way(asking), isinstance(result, np.ndarray)
        cells, tables = Cells(*alike.cells), self._tables or {}
        size, is_last = result.size if array else 1, self._component == self.components - 1
        for position in range(min(size, MOST_ALIKE - self.steered)):
            kind = site, name, way, f"{turn}[{position if size <= FEW_ALIKE else 0}]", alike.cells
            table = tables.get(kind) or tables.get((site, name, way, "", alike.cells))
            cell, outcome = cells.draw(self._rng, table.cumulated if table is not None and is_last else cells.cumulated)
            if table is not None:
                self.of_tables += table.log_ratios[cell]
            self.alike.setdefault(kind, []).append(cell)
            self.steered += 1
            if array:
                result.reshape(-1)[position] = alike.place(outcome)
            else:
                result = type(result)(alike.place(outcome))
        return result

    def _way(self, frame: Any) -> tuple[str, str]:
        """Return the call path of a draw with the index of its call, and the iteration of the innermost loop.

        An iteration is a draw, or a call that draws, from one line of one function call. The index counts the calls
        made by the function that is entered first.
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
        depth = len(calls) - 2
        while depth > 0 and calls[depth - 1].startswith("<"):  # a comprehension inside it
            depth -= 1
        line = lines[depth]
        self._visits[line] = self._visits.get(line, -1) + (line != self._visited)
        self._visited = line
        first = min(counts[depth][line] if depth > 0 else self._visits[line], CALLS)
        return f"{'<'.join(calls)} {first}", turn

    def _tilted(self, law: Law, coordinate: Coordinate) -> float:
        x = law.draw(self._rng, coordinate.strengths.get(self._component, 0.0))
        self.anew.append((law, coordinate, x))
        self.levels[2 * coordinate.place : 2 * coordinate.place + 2] = law.levels(x)
        self.steered += 1
        return x


class SteeredGenerator(np.random.Generator):
    """NumPy's generator with draws from a proposal."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(proposal.bits)
        self._proposal = proposal

    @property
    def bit_generator(self) -> Any:
        """The bit generator; its use by the target makes the ratio of the release unreliable."""
        self._proposal.is_touched = True
        return super().bit_generator

    def __reduce__(self) -> Any:
        self._proposal.is_touched = True
        return np.random.Generator(self._proposal.bits).__reduce__()

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """Return independent generators, whose draws are not tilted."""
        self._proposal.met[asked_from(sys._getframe(1)), "spawn"] = False  # noqa: SLF001 - the way to the caller
        return [np.random.Generator(child) for child in self._proposal.bits.spawn(n_children)]


def _overridden(name: str) -> Callable[..., Any]:
    plain_method = getattr(np.random.Generator, name)

    def draw(self: SteeredGenerator, *args: Any, **kwargs: Any) -> Any:
        result = plain_method(self, *args, **kwargs)
        return self._proposal.replace_draw(name, args, kwargs, result, sys._getframe(1))  # noqa: SLF001 - the way to the caller

    draw.__name__, draw.__doc__ = name, plain_method.__doc__
    return draw


for _name in {*METHODS, *ALIKE, *OTHERS}:
    setattr(SteeredGenerator, _name, _overridden(_name))


class StandsFor(type):
    """Metaclass of stand-ins; instances of the replaced class count as instances of the stand-in."""

    stands_for: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.stands_for)


class Unseeded(metaclass=StandsFor):
    """An unseeded generator; once seeded, or once its state is used, it switches to one of the original kind."""

    proposal: ClassVar[Proposal]
    _seeded: Any

    @classmethod
    def _of_seed(cls, *seed: Any) -> Any:
        """Return a seeded generator of the original kind; its draws are not tilted."""
        cls.proposal.met[asked_from(sys._getframe(1)), cls.stands_for.__name__] = False  # noqa: SLF001 - as above
        return cls.stands_for(*seed)

    def _left(self) -> Any:
        """Return the generator used from now on; the target has its state, so ratios are unreliable."""
        self.proposal.is_touched, self._seeded = True, self._seeded or type(self).stands_for()
        return self._seeded

    def __reduce__(self) -> Any:
        return self._left().__reduce__()


class SteeredState(Unseeded, np.random.RandomState):
    """NumPy's `RandomState` with draws from the tilting generator, of equal laws."""

    stands_for = np.random.RandomState

    def __new__(cls, seed: Any = None) -> Any:
        """Return NumPy's own `RandomState` if there is a seed."""
        return super().__new__(cls) if seed is None else cls._of_seed(seed)

    def __init__(self, seed: None = None) -> None:
        del seed
        super().__init__(self.proposal.bits)
        self._seeded: Any = None

    def seed(self, seed: Any = None) -> None:
        """Use the seed from now on; without one, use the tilting generator again."""
        self._seeded = None if seed is None else self._of_seed(seed)

    def get_state(self, *args: Any, **kwargs: Any) -> Any:
        """Return the state."""
        return self._left().get_state(*args, **kwargs)

    def set_state(self, state: Any) -> None:
        """Continue from a state."""
        self._left().set_state(state)

    @property
    def _bit_generator(self) -> Any:  # type: ignore[override]
        return self._left()._bit_generator  # noqa: SLF001 - as NumPy's own functions do

    def random_sample(self, size: Any = None) -> Any:
        """Return uniforms on [0, 1)."""
        return (self._seeded or self.proposal.generator).random(size)

    def rand(self, *shape: int) -> Any:
        """Return uniforms on [0, 1)."""
        return self.random_sample(shape or None)

    def randn(self, *shape: int) -> Any:
        """Return draws of N(0, 1)."""
        return self.standard_normal(shape or None)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Return integers in [0, low) or [low, high)."""
        if self._seeded is not None:
            return self._seeded.randint(low, high, size, dtype)
        kind = {} if dtype is int else {"dtype": dtype}
        number = self.proposal.generator.integers(low, high, size, **kind)
        return int(number) if dtype is int and np.ndim(number) == 0 else number

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Return integers in [1, low] or [low, high]."""
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    def tomaxint(self, size: Any = None) -> Any:
        """Return integers in [0, sys.maxsize)."""
        return self.randint(0, sys.maxsize, size, np.int64)


def _same(name: str) -> Callable[..., Any]:
    """Return a `RandomState` method that delegates to the tilting generator's method of equal name."""

    def draw(self: SteeredState, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._seeded or self.proposal.generator, name)(*args, **kwargs)

    draw.__name__, draw.__doc__ = name, getattr(np.random.RandomState, name).__doc__
    return draw


for _name in {*dir(np.random.RandomState)} & {*dir(np.random.Generator)}:
    if not _name.startswith("_"):
        setattr(SteeredState, _name, _same(_name))


class SteeredRandom(Unseeded, random.Random):  # noqa: S311 - what somebody else draws noise by
    """The standard library's `Random` with tilted draws; its other methods build on the methods defined here."""

    stands_for = random.Random  # noqa: S311 - as above

    def __new__(cls, *seed: Any) -> Any:
        """Return the library's own `Random` if there is a seed."""
        return super().__new__(cls) if seed in ((), (None,)) else cls._of_seed(*seed)

    def __init__(self, *_none: None) -> None:
        self._seeded: Any = None

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Use the seed from now on; without one, use the tilting generator again."""
        self._seeded = None
        if a is not None:
            self._seeded = self._of_seed()
            self._seeded.seed(a, version)

    def getstate(self) -> Any:
        """Return the state."""
        return self._left().getstate()

    def setstate(self, state: Any) -> None:
        """Continue from a state."""
        self._left().setstate(state)

    def random(self) -> float:
        """Return a uniform on [0, 1)."""
        return float((self._seeded or self.proposal.generator).random())

    def uniform(self, a: float, b: float) -> float:
        """Return a uniform between a and b."""
        return float((self._seeded or self.proposal.generator).uniform(min(a, b), max(a, b)))

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a draw of N(mu, sigma^2)."""
        if self._seeded is not None:
            return float(self._seeded.gauss(mu, sigma))
        return self.proposal.generator.normal(float(mu), abs(float(sigma)))

    normalvariate = gauss

    def expovariate(self, lambd: float = 1.0) -> float:
        """Return an exponential with rate lambd."""
        if self._seeded is not None:
            return float(self._seeded.expovariate(lambd))
        return math.copysign(self.proposal.generator.exponential(abs(1.0 / float(lambd))), lambd)

    def getrandbits(self, k: int) -> int:
        """Return an integer of k fair bits."""
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
    """The standard library's `SystemRandom`, without seed and state."""

    stands_for = random.SystemRandom

    def __new__(cls, *_seed: Any) -> Any:
        """Ignore a seed."""
        return super().__new__(cls)

    seed = random.SystemRandom.seed  # type: ignore[assignment]
    getstate = random.SystemRandom.getstate
    setstate = random.SystemRandom.setstate


class LooseBits(Unseeded):
    """Bit generators that the target creates; their draws are not tilted."""

    def __new__(cls, *seed: Any) -> Any:
        """Return NumPy's own bit generator and record the caller."""
        return cls._of_seed(*seed)


BITS = tuple(getattr(np.random, name) for name in ("PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"))


class Instead:
    """Replaces unseeded generators with stand-ins that draw from a proposal, inside its `with` block.

    It finds generators of the standard kinds held by a name, an attribute, a dictionary entry or a closure, and the
    methods, classes and constructors that modules name. Stand-in classes create later generators. On exit all originals
    are restored; stand-ins that the target kept continue with untilted draws.
    """

    def __init__(self, proposal: Proposal) -> None:
        self._kinds: dict[type, Callable[[], Any]] = {np.random.Generator: lambda: SteeredGenerator(proposal)}
        self._substitutes: dict[int, tuple[Any, Any]] = {}
        """Stand-ins by the identity of their original, with the original, which stays alive."""
        for kind in (SteeredState, SteeredRandom, SteeredSystemRandom):
            substitute = StandsFor(kind.stands_for.__name__, (kind,), {"proposal": proposal})
            self._kinds[kind.stands_for] = substitute
            self._know(kind.stands_for, substitute)
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

    def _know(self, original: Any, substitute: Any) -> Any:
        self._substitutes[id(original)] = original, substitute
        return substitute

    def _of(self, value: Any) -> Any:
        """Return the stand-in of a value; None if it has none."""
        entry = self._substitutes.get(id(value))
        if entry is not None:
            return entry[1]
        if type(value) in self._kinds:
            return self._know(value, self._kinds[type(value)]())
        if isinstance(value, (types.MethodType, types.BuiltinMethodType)) and type(value.__self__) in self._kinds:
            return getattr(self._of(value.__self__), value.__name__)
        return None

    def __enter__(self) -> None:
        # the last module too: the count misses a removal with an addition
        modules = len(sys.modules), sys.modules[next(reversed(sys.modules))]
        if modules[0] != self._modules[0] or modules[1] is not self._modules[1]:
            self._modules = modules
            self._places = [
                (holder, name)
                for holder in self._holders()
                for name, value in list(_values_of(holder).items())
                if self._of(value) is not None and not _pickled_by(holder, value)
            ]
        for holder, name in self._places:
            value = _values_of(holder).get(name)
            substitute = self._of(value)
            if substitute is not None:
                self._put.append((holder, name, value, substitute))
                _hold(holder, name, substitute)

    def __exit__(self, *_: object) -> None:
        for holder, name, value, substitute in self._put:
            if _values_of(holder).get(name) is substitute:
                _hold(holder, name, value)
        self._put.clear()
        self._proposal.rest()

    def generator_of(self, kind: str) -> Any:
        """Return a tilting generator of a kind: Generator, RandomState or Random."""
        return next(made for each, made in self._kinds.items() if each.__name__ == kind)()

    def _holders(self) -> Iterator[Any]:
        """Yield dictionaries, classes and closures that hold generators, or name their methods and classes."""
        every = gc.get_objects()
        modules = [*sys.modules.values(), *every]  # modules that the collector ignores, and modules without a name
        names = [vars(each) for each in modules if issubclass(type(each), types.ModuleType)]
        names += [each.__globals__ for each in every if type(each) is types.FunctionType]  # also of notebooks
        ids = {id(dictionary) for dictionary in (vars(self._proposal), self._substitutes)}
        for dictionary in names:
            if id(dictionary) not in ids:
                ids.add(id(dictionary))
                if any(self._of(value) is not None for value in list(dictionary.values())):
                    yield dictionary
        for each in every:
            if issubclass(type(each), type) and any(type(value) in self._kinds for value in list(vars(each).values())):
                ids.update(map(id, gc.get_referents(each)))  # never write to its dictionary: attributes are cached
                yield each
        for holder in gc.get_referrers(*(each for each in every if type(each) in self._kinds)):
            content = holder if type(holder) in (dict, types.CellType) else getattr(holder, "__dict__", None)
            if type(content) in (dict, types.CellType) and id(content) not in ids:
                ids.add(id(content))
                yield content


def _pickled_by(holder: Any, value: Any) -> bool:
    """Return whether the holder is the module that defines a bit generator class: pickles look it up there."""
    return (
        any(value is bits for bits in BITS) and isinstance(holder, dict) and holder.get("__name__") == value.__module__
    )


def _values_of(holder: Any) -> Mapping[Any, Any]:
    """Return the values held by a dictionary, a class or a closure, by name."""
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
    """Return file:line of the first caller outside the libraries."""
    while frame.f_back is not None and _of_library(frame.f_code.co_filename):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def number_at(value: Any, result: Any, position: int) -> float:
    """Return a parameter's value for the number at a position of a draw."""
    if isinstance(value, (int, float)):
        return value
    number: float = np.broadcast_to(value, np.shape(result)).item(position)
    return number


def plain(value: Any) -> Any:
    """Return a parameter as JSON: a number, or the first numbers of an array."""
    return np.ravel(np.asarray(value))[:MOST_LOGGED].tolist() if np.ndim(value) else float(value)
