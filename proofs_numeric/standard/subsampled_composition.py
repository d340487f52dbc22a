"""Many Poisson-subsampled Gaussian steps: what DP-SGD loses, and in which order.

With a record removed the loss of a step is `log(1 - q + q e^Y)` under the law that has it, where under the other
`Y ~ N(-mu^2/2, mu^2)`, `mu = 1/sigma`, and its moments are

    M(z) = G(z + 1),    G(s) = E (1 - q + q e^Y)^s.

With a record added it is minus that logarithm under the law of Y itself: its moments are `G(-z)`, and no loss of a step
exceeds `-log(1 - q)`.

`1 - q + q e^y` has no zero in |Im y| < pi: the integral moves up to `y + i v`, where for `Im s >= 0` the integrand
oscillates no more but falls, and its trapezoidal sum errs by what the integrand is on two other lines.

The central limit of Gaussian differential privacy is an estimate: its mu is the square root of the chi-squared
divergence of k steps. The delta of mu-GDP with that mu may lie below the exact delta.
"""

import contextlib
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import accumulate, repeat
from operator import mul
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.special import gaussian_profile_direct, integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard import inversion
from proofs_numeric.standard.one_release import subsampled_gaussian, subsampled_gaussian_added
from proofs_numeric.standard.parameters import *

MOST_NODES = 30_000
MOST_POINTS = 100_000
"""Of one step's trapezoidal sum; more are needed where a power is so large that next to nothing is left of delta."""
MOST_TERMS = 6 * 10**7
"""Of all of them."""
MOST_EVALUATIONS = 5000
"""For one bound on a step's moment; what is not told finer by as many is wide, and true."""
SMALL = 80.0
"""Nats below one where a bound on one step's moment may be cut off."""
NEGLIGIBLE = 1000.0
"""Nats below one from where no digits of delta are looked for: the smallest double is e^-744.4."""
ROUGH_POINTS = 301
"""In doubles, where a line is chosen: any choice is right."""
HIGHEST = 1.5
"""How far lines move off the real one: below pi, where the base has its zeros."""
_DISTANCES = HIGHEST * 0.7 ** np.arange(24)
"""How far, where the best is looked for."""


def _powers(x: Any, count: int) -> list[Any]:
    """The first powers of a complex ball, each by few products: many in a row would turn it, and widen it each time."""
    powers = [flint.acb(1), x]
    for n in range(2, count):
        powers.append(powers[n // 2] * powers[n - n // 2])
    return powers[:count]


@dataclass(frozen=True)
class SampledLoss(inversion.Loss):
    """Of `k` steps at a distance of `mu > 0` standard deviations and sampling rate `q` in (0, 1).

    The record is in the left data set, or `added`: in the right one.
    """

    mu: Any
    q: Any
    k: int
    added: bool = False
    grids: dict[Any, tuple[list[Any], list[Any], Any]] = field(default_factory=dict, compare=False)
    lines: dict[Any, list[Any]] = field(default_factory=dict, compare=False)
    means: dict[float, float] = field(default_factory=dict, compare=False)
    turn_lines: dict[float, tuple[Any, Any]] = field(default_factory=dict, compare=False)

    @property
    def largest(self) -> Any:
        """Its supremum, where the record is in the right data set."""
        return -self.k * (-self.q).log1p() if self.added else super().largest

    def _power(self, c: Any) -> Any:
        """Real part of the base's power at real part c."""
        return -c if self.added else c + 1

    def _reach(self, s: Any, nats: float) -> tuple[Any, Any, Any]:
        """Both ends of what is summed of `_dominant`, and at least the mean outside of them, about e^-nats."""
        mu, q = float(self.mu.mid()), float(self.q.mid())
        power, middle, far = float(s.mid()), -mu * mu / 2, math.sqrt(2 * nats) + 1
        if power < 0:
            low, high = middle - (far + math.sqrt(-2 * power * -math.log1p(-q))) * mu, middle + far * mu
        else:

            def outside(y: float) -> float:
                over = (y - middle) / mu - power * mu
                log_base = np.logaddexp(math.log1p(-q), math.log(q) + y)
                return float(power * (log_base - y + middle) + (power * mu) ** 2 / 2 - max(over, 0.0) ** 2 / 2)

            low = middle - far * mu
            high = middle + power * mu * mu  # from here on what bounds the integrand falls
            top = high + far * mu
            while outside(top) > -nats:
                top += mu
            while top - high > mu / 4:
                half = (high + top) / 2
                high, top = (half, top) if outside(half) > -nats else (high, half)
            high = top
        ball, left, right = Ball(flint.ctx.prec), flint.arb(low), flint.arb(high)
        below = normal_cdf(ball, (left + self.mu**2 / 2) / self.mu)
        over = (right + self.mu**2 / 2) / self.mu
        if power < 0:
            return left, right, (1 - self.q) ** s * below + self._dominant(s, right) * normal_cdf(ball, -over)
        tilted = (s * (s - 1) * self.mu**2 / 2 - s * right).exp() * normal_cdf(ball, s * self.mu - over)
        return left, right, self._dominant(s, left) * below + self._dominant(s, right) * tilted

    def _dominant(self, s: Any, y: Any) -> Any:
        """At least `|1 - q + q e^(y + i v)|^s` at real y, s, and |v| <= HIGHEST; monotone in y.

        It rises for `s >= 0`, and then by less than `e^(s y)`.
        """
        return (1 - self.q + self.q * y.exp() * (flint.arb(HIGHEST).cos() if s < 0 else 1)) ** s

    def _mean(self, s: Any) -> Any:
        """At least the mean of `_dominant`."""
        low, high, outside = self._reach(s, SMALL)
        turning = self.q * flint.arb(HIGHEST).cos() if s < 0 else self.q
        log_density, rest = self._log_density(), 1 - self.q

        def integrand(y: Any, analytic: bool) -> Any:
            return (log_density(y) + s * (rest + turning * y.exp()).log(analytic)).exp()

        inside = flint.acb.integral(integrand, low, high, rel_tol=flint.arb(2) ** -8, eval_limit=MOST_EVALUATIONS)
        mean = inside.real.abs_upper() + outside.abs_upper()
        if mean.is_finite():
            return mean
        r = s.max(flint.arb(1))  # below s = 1 at most 1, from there on by convexity
        return (1 - self.q) ** s if s < 0 else 1 + self.q * (self.mu**2 * r * (r - 1) / 2).exp()

    def _log_density(self) -> Callable[[Any], Any]:
        """Of Y, in the precision of the context."""
        scale, tilt = -1 / (2 * self.mu**2), -flint.arb(0.5)
        constant = -(self.mu**2) / 8 - (self.mu * (2 * flint.arb.pi()).sqrt()).log()
        return lambda y: (scale * y + tilt) * y + constant

    def _grid(self, s: Any) -> tuple[list[Any], list[Any], Any]:
        """Logarithms of the base and weights of its powers, for exponents of real part s; and their error."""
        key = flint.ctx.prec, float(s.mid())
        if key not in self.grids:
            with inversion.ROUGH:
                mean = self._mean(s)
                above = float(mean.log().mid()) - self._log_mean(float(s.mid()))
            nats = (flint.ctx.prec - inversion.GUARD // 2) * math.log(2) + max(0.0, above)
            v = flint.arb(min(HIGHEST / 2, float(self.mu.mid()) * math.sqrt(nats / 2)))
            up, top = (v**2 / (2 * self.mu**2)).exp(), (2 * v**2 / self.mu**2).exp()
            step = 2 * flint.arb.pi() * v / flint.arb(nats + float(top.log().mid()))
            low, high, outside = self._reach(s, nats + float(up.log().mid()))
            first, last = math.floor(float((low / step).mid())) - 1, math.ceil(float((high / step).mid())) + 1
            if last - first > MOST_POINTS:
                raise NotEnclosedError(f"expected at most {MOST_POINTS} points, got {last - first}")
            ratio, point = step.exp(), flint.acb(first * step, v)
            powers = list(accumulate(repeat(ratio, last - first), mul, initial=self.q * point.exp()))
            logs = [(1 - self.q + power).log() for power in powers]
            middle, scale = point + self.mu**2 / 2, 1 / (2 * self.mu**2)
            height = step / (self.mu * (2 * flint.arb.pi()).sqrt())
            weights = [height * (s * log - scale * (middle + j * step) ** 2).exp() for j, log in enumerate(logs)]
            error = up * outside + mean * (1 + top) / (2 * flint.arb.pi() * v / step).expm1()
            self.grids[key] = logs, weights, error.union(-error)
        return self.grids[key]

    def moment(self, z: Any) -> Any:
        """The first of those from a real point on."""
        return self.moments(z.real, flint.arb(0), 1)[0]

    def moments(self, c: Any, step: Any, count: int) -> list[Any]:
        """`G^k` by the trapezoidal sum on the line `Im y = v`: a product of two matrices."""
        key = flint.ctx.prec, count, *(end.man_exp() for x in (c, step) for end in (x.mid(), x.rad()))
        if key not in self.lines:
            self.lines[key] = self._moments(c, step, count)
        return self.lines[key]

    def _moments(self, c: Any, step: Any, count: int) -> list[Any]:
        logs, weights, error = self._grid(self._power(c))
        if len(logs) * count > MOST_TERMS:
            raise NotEnclosedError(f"expected at most {MOST_TERMS} terms, got {len(logs) * count}")
        width = math.isqrt(count - 1) + 1
        turns = [(flint.acb(0, step) * log).exp() for log in logs]
        few = flint.acb_mat([_powers(turn, width) for turn in turns])
        strides = [_powers(turn**width, width) for turn in turns]
        far = [[w * stride[n] for w, stride in zip(weights, strides, strict=True)] for n in range(width)]
        values = (flint.acb_mat(far) * few).entries()[:count]
        values = [(value + flint.acb(error, error)) ** self.k for value in values]
        return [value.conjugate() for value in values] if self.added else values

    def beyond(self, c: Any, t: Any) -> Any:
        """On the line `Im y = d` the integrand is at most `density |base|^s e^(-t arg base)`, which falls in t."""
        s = self._power(c)
        d = flint.arb(self._best_line(float(s.mid()), float(t.mid()))[0])
        paid = d**2 / (2 * self.mu**2)
        small = float(paid.mid()) + SMALL
        with inversion.ROUGH:  # which is a bound in any precision
            low, high, outside = self._reach(s, small)
            log_density, rest, half = self._log_density(), 1 - self.q, flint.acb(s, t) / 2
            turns = [(self.q * flint.acb(0, e).exp(), power) for e, power in ((d, half), (-d, half.conjugate()))]

            def integrand(y: Any, analytic: bool) -> Any:
                growth = y.exp()
                logs = [power * (rest + turn * growth).log(analytic) for turn, power in turns]
                return (log_density(y) + logs[0] + logs[1]).exp()

            fine = flint.arb(2) ** -32
            inside = flint.acb.integral(
                integrand, low, high, rel_tol=fine, abs_tol=fine * flint.arb(-small).exp(), eval_limit=MOST_EVALUATIONS
            ).real
        return (paid.exp() * (inside.abs_upper() + outside)) ** self.k

    def _normal(self, s: float) -> tuple[float, float, Any, Any]:
        """In doubles: mu, q, points that cover the law tilted by the power s, and their weights' logarithms."""
        mu, q = float(self.mu.mid()), float(self.q.mid())
        low = high = -mu * mu / 2
        if s > 0:
            high += s * mu * mu
        else:  # log-concave, and its mode is where the square and the power pull the same
            left, right = low + s * mu * mu, high
            for _ in range(60):
                middle = (left + right) / 2
                pull = s * mu * mu * q * math.exp(middle) / (1 - q + q * math.exp(middle))
                left, right = (middle, right) if middle - high < pull else (left, middle)
            low = high = left
        y = np.linspace(low - 12 * mu, high + 12 * mu, ROUGH_POINTS)
        weights = -((y + mu * mu / 2) ** 2) / (2 * mu * mu) + math.log((y[1] - y[0]) / (mu * math.sqrt(2 * math.pi)))
        return mu, q, y, weights

    def log_moment(self, c: float) -> float:
        """In doubles."""
        if c not in self.means:
            self.means[c] = self._log_mean(self._power(c))
        return self.k * self.means[c]

    def _log_mean(self, s: float) -> float:
        """Logarithm of the base's mean s-th power, in doubles."""
        _mu, q, y, weights = self._normal(s)
        return float(np.logaddexp.reduce(weights + s * np.logaddexp(math.log1p(-q), math.log(q) + y)))

    def log_beyond(self, c: float, t: float) -> float:
        """In doubles."""
        return self.k * float(np.logaddexp(self._best_line(self._power(c), t)[1], -SMALL))

    def _best_line(self, s: float, t: float) -> tuple[float, float]:
        """Where the bound at t is least, and its logarithm there, in doubles."""
        if s not in self.turn_lines:
            mu, q, y, weights = self._normal(s)
            shift = np.maximum(y, 0.0)
            flat, turning = (1 - q) * np.exp(-shift), q * np.exp(y - shift)
            real, imaginary = flat + turning * np.cos(_DISTANCES)[:, None], turning * np.sin(_DISTANCES)[:, None]
            sizes = weights + s * (shift + np.log(np.hypot(real, imaginary)))
            self.turn_lines[s] = sizes + _DISTANCES[:, None] ** 2 / (2 * mu * mu), np.arctan2(imaginary, real)
        sizes, angles = self.turn_lines[s]
        sums = np.logaddexp.reduce(sizes - t * angles, axis=1)
        return float(_DISTANCES[sums.argmin()]), float(sums.min())


@functools.lru_cache(maxsize=32)
def _loss(_precision: int, *parameters: Any) -> SampledLoss:
    """Of centre and radius of sigma and rate, k, added: claims of either order and of both ask for the same ones."""
    *ends, k, added = parameters
    sigma, rate = flint.arb(*ends[:2]), flint.arb(*ends[2:])
    return SampledLoss(1 / sigma, rate, k, added)


def _enclosed(loss: SampledLoss, epsilon: Any, bits: int) -> Any:
    """Its digits where a double holds delta and they are had in bounded time; else from 0 to a bound."""
    with contextlib.suppress(NotEnclosedError):
        if inversion.chernoff([loss], float(epsilon.mid()))[1] > -NEGLIGIBLE:
            return inversion.delta([loss], epsilon, bits, MOST_NODES)
    return inversion.at_most([loss], epsilon, NEGLIGIBLE)


def steps_profile(
    A: Arithmetic, *, sigma: Number, rate: Number, k: int, added: bool = False
) -> Callable[[Number], Any]:
    """Return delta of `k` steps by epsilon, whose values share what no epsilon changes.

    With a record `added` it is 0 from `-k log(1 - rate)` on, which no loss exceeds.
    """

    def enclosed(bits: int, *, epsilon: Any, sigma: Any, rate: Any) -> Any:
        ends = (end.man_exp() for x in (sigma, rate) for end in (x.mid(), x.rad()))
        # each bit of precision has its points: no more than are asked for and a guard where a ball tells what was lost
        with Ball(bits + inversion.GUARD if A.encloses else flint.ctx.prec):
            loss = _loss(flint.ctx.prec, *ends, k, added)
            spare = loss.largest - epsilon
            if not bool(spare > 0):
                return flint.arb(0).union((-(-spare).expm1()).max(flint.arb(0)))
            return _enclosed(loss, epsilon, bits)

    return lambda epsilon: inversion.in_balls(A, enclosed, epsilon=epsilon, sigma=sigma, rate=rate)


def removed_steps(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Any:
    """Delta of `k` steps, the record in the left data set."""
    return steps_profile(A, sigma=sigma, rate=rate, k=k)(epsilon)


def added_steps(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Any:
    """Delta of `k` steps, the record in the right data set."""
    return steps_profile(A, sigma=sigma, rate=rate, k=k, added=True)(epsilon)


steps = maximum(algorithm(removed_steps)(), algorithm(added_steps)())
"""Delta of `k` steps in the worse order."""


def _by_quadrature(A: Arithmetic, *, added: bool, epsilon: Number, sigma: Number, rate: Number, k: int) -> Any:
    """The profile of one step, in closed form, integrated over the loss of every step before it; any real epsilon."""
    epsilon, sigma, rate = A.number(epsilon), A.number(sigma), A.number(rate)
    least = A.log1p(-rate)
    if k == 1 and not added and epsilon <= least:  # no loss is less
        return -A.expm1(epsilon)
    if k == 1:
        return (subsampled_gaussian_added if added else subsampled_gaussian)(A, epsilon=epsilon, sigma=sigma, rate=rate)

    def weighted(_: Arithmetic, x: Number) -> Any:
        base = 1 - rate + rate * A.exp((2 * x - 1) / (2 * sigma * sigma))
        level = epsilon + A.log(base) if added else epsilon - A.log(base)
        others = _by_quadrature(A, added=added, epsilon=level, sigma=sigma, rate=rate, k=k - 1)
        return normal_pdf(A, x / sigma) / sigma * (others if added else base * others)

    ends = [sigma * step for step in range(-9, 10)]
    kink = A.exp((-epsilon if added else epsilon) - (k - 1) * least) - (1 - rate)
    if kink > 0:
        ends.append(sigma * sigma * A.log(kink / rate) + A.number(1) / 2)
    return integral_over(A, weighted, sorted(ends))


central_limit = profile(epsilon, rate * sqrt(k * expm1(1 / sigma**2)))
"""Delta of mu-GDP with `mu = q sqrt(k (e^(1/sigma^2) - 1))`."""


def _chi_squared_by_quadrature(A: Arithmetic, *, epsilon: Number, sigma: Number, rate: Number, k: int) -> Number:
    """The chi-squared divergence of one step, integrated; then the analytic Gaussian delta."""
    epsilon, sigma, rate = A.number(epsilon), A.number(sigma), A.number(rate)

    def square(B: Arithmetic, x: Number) -> Number:
        ratio = rate * B.exp((2 * x - 1) / (2 * sigma * sigma)) - rate
        return ratio * ratio * normal_pdf(B, x / sigma) / sigma

    mu = A.sqrt(k * integral_over(A, square, (sigma * step + 2 for step in range(-45, 46))))
    return gaussian_profile_direct(A, epsilon, mu)


LEVEL = Parameter("epsilon", "privacy-loss level", "nats", 0, 20, log=True)
NOISE = Parameter("sigma", "standard deviation of the noise", "sensitivities", "0.5", 10, log=True)
SAMPLING = Parameter("rate", "probability with which a record is in a sample", "probability", "1e-4", "0.99", log=True)
STEPS = Parameter("k", "number of steps", "steps", 1, 10**4, integer=True, log=True, default=1000)
BOX = Box(
    (LEVEL, NOISE, SAMPLING, STEPS),
    constraint=lambda epsilon, sigma, rate, k: (
        (k >= 100 and k * rate * rate >= Fraction(1, 10**3)) or (sigma >= 5 and rate >= Fraction(1, 2))
    ),
    constraint_text="k >= 100 and k rate^2 >= 1e-3, or sigma >= 5 and rate >= 1/2 (elsewhere the moments fall slowly)",
)
ORACLE_POINTS: tuple[dict[str, Any], ...] = points("epsilon sigma rate k", ("0.1", 10, "0.5", 2), ("0.2", 5, "0.8", 2))
DP_SGD: tuple[dict[str, Any], ...] = points("epsilon sigma rate k", (2, 1, "0.01", 1000), (8, 1, "0.01", 10**4))
LAWS = r"P = q N(1, \sigma^2) + (1-q) N(0, \sigma^2), \; L = \sum_i \log\tfrac{dP}{dN(0, \sigma^2)}(x_i)"
METHOD = "By inversion of the moment generating function; what the sum leaves out is bounded, and added."


def _claim(suffix: str, order: str, statement: str, kind: DeltaBound, note: str) -> Claim:
    return own(
        f"subsampled_gaussian.composition{suffix}", "Poisson-subsampled Gaussian mechanism, k steps",
        f"Exact delta of k Poisson-subsampled Gaussian steps, a record {order}", statement, kind, domain=BOX,
        quantity=QuantityKind.DELTA, points=DP_SGD, falls=("epsilon",), rises=("rate", "k"), counts="k",
        note=f"{METHOD} {note}", cost=400,
    )  # fmt: skip


CLAIMS = (
    _claim(
        "", "removed", rf"E_{{P^k}}(1 - e^{{\varepsilon - L}})_+, \; {LAWS}",
        DeltaBound(removed_steps, partial(_by_quadrature, added=False), ORACLE_POINTS),
        "A lower bound on the delta of both orders.",
    ),
    _claim(
        ".added", "added", rf"E_{{N(0, \sigma^2)^k}}(1 - e^{{\varepsilon + L}})_+, \; {LAWS}",
        DeltaBound(added_steps, partial(_by_quadrature, added=True), ORACLE_POINTS),
        "A lower bound on the delta of both orders; 0 from -k log(1 - rate) on. Below e^-1000, and close to that end "
        "of the losses, it is enclosed from 0 to a bound, without digits.",
    ),
    _claim(
        ".both", "added or removed",
        rf"\max(E_{{P^k}}(1 - e^{{\varepsilon - L}})_+, \; E_{{N(0, \sigma^2)^k}}(1 - e^{{\varepsilon + L}})_+), \;"
        rf" {LAWS}",
        DeltaBound(
            steps, lambda A, **point: max(_by_quadrature(A, added=added, **point) for added in (False, True)),
            ORACLE_POINTS,
        ),
        "What an accountant of add-or-remove neighbours owes for k steps.",
    ),
    own(
        "central_limit", "central limit of Poisson-subsampled Gaussian steps",
        "Delta of k Poisson-subsampled Gaussian steps by the central limit: an estimate, no bound",
        r"f(q \sqrt{k (e^{1/\sigma^2} - 1)}, \varepsilon)",
        DeltaBound(
            central_limit, _chi_squared_by_quadrature,
            points("epsilon sigma rate k", (1, 1, "0.01", 1000), ("0.5", 2, "0.1", 50)),
        ),
        domain=(EPSILON, SIGMA, RATE, K), falls=("epsilon", "sigma"), rises=("rate", "k"), counts="k",
        note="Use it to audit a program that computes this estimate. Its delta may be below the exact one.",
    ),
)  # fmt: skip
