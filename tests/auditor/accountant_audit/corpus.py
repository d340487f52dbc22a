"""Accountants as people write them, right in several styles and wrong in one place, with what an audit must say.

All compute the delta of the Gaussian mechanism (epsilon, mu) or of the sparse histogram (epsilon, c_u, sigma, gap).
"""

import functools
import math
import os
import random
import sys
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
from scipy.special import log_ndtr, ndtr

from mechanisms.baselines import analytic_gaussian_accountant
from mechanisms.gaussian_sparse_histogram import accountant

MEMORY = SimpleNamespace(calls=0, mu=1.0)


def gaussian(epsilon, mu):
    """Return the exact delta of the Gaussian mechanism."""
    return analytic_gaussian_accountant.delta(epsilon, mu=mu)


def histogram(epsilon, c_u, sigma, gap):
    """Return the exact delta of the sparse histogram."""
    return accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap)


def with_mpmath(epsilon, mu):
    """Four hundred digits: a difference of tails loses none that matter."""
    with mpmath.workdps(400):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)


def with_logarithms(epsilon, mu):
    """SciPy's logarithms of tails; relative error up to 1e-7 where delta is below 1e-200."""
    above, below = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(np.exp(above) * -np.expm1(below - above))


def rounded_up(epsilon, mu):
    """Six digits, upward."""
    delta = gaussian(epsilon, mu)
    grain = 10.0 ** (math.floor(math.log10(delta)) - 5) if delta else 0.0
    return min(1.0, math.ceil(delta / grain * (1 + 1e-12)) * grain * (1 + 1e-12)) if grain else 5e-324


def printing(epsilon, mu):
    """Print on the way."""
    sys.stdout.write(f"delta is {gaussian(epsilon, mu)}\n")
    return gaussian(epsilon, mu)


def textbook(epsilon, mu):
    """The difference of tails in doubles: right for mu >= 1e-4 but for a last bit of epsilon."""
    return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)


def dies(epsilon, mu):
    """Leave the process where mu is small."""
    return gaussian(epsilon, mu) if mu > 1e-3 else os._exit(3)


def counts_calls(epsilon, mu):
    """Every fiftieth answer is a tenth too small."""
    MEMORY.calls += 1
    return gaussian(epsilon, mu) * (0.9 if MEMORY.calls % 50 == 0 else 1)


def remembers_the_largest(epsilon, mu):
    """Never answers less than for the largest mu so far: safe, and another answer each time."""
    MEMORY.mu = max(MEMORY.mu, mu)
    return gaussian(epsilon, MEMORY.mu)


def guesses(epsilon, mu):
    """Over by a random part of a tenth."""
    return min(1.0, gaussian(epsilon, mu) * (1 + 0.1 * random.random()))  # noqa: S311 - an estimate


def times(factor, where):
    """Return the Gaussian accountant, multiplied by a factor somewhere."""
    return lambda epsilon, mu: gaussian(epsilon, mu) * (factor if where(epsilon, mu) else 1)


def at(value, where):
    """Return the Gaussian accountant that answers something else somewhere."""
    return lambda epsilon, mu: value if where(epsilon, mu) else gaussian(epsilon, mu)


def of(convert):
    """Return the Gaussian accountant that answers in another type."""
    return lambda epsilon, mu: convert(gaussian(epsilon, mu))


def everywhere(*_):
    """Return whether a mistake is made at a point: it is."""
    return True


RIGHT = {
    "doubles": gaussian,
    "mpmath": with_mpmath,
    "logarithms": with_logarithms,
    "textbook": textbook,
    "rounded up": rounded_up,
    "prints": printing,
    "an array of one": of(lambda delta: np.array([delta])),
    "an array without axes": of(np.asarray),
    "a NumPy scalar": of(np.float64),
    "a fraction": of(Fraction),
    "a decimal": of(Decimal),
    "keywords": lambda **given: gaussian(given["epsilon"], given["mu"]),
    "a partial": functools.partial(gaussian),
    "loose below mu = 1/100": lambda epsilon, mu: gaussian(epsilon, max(mu, 0.01)),
    "always one": of(lambda _: 1.0),
}
"""Never below the truth, at a tolerance of 1e-6."""

WRONG = {
    "wrong for small mu": (times(0.9, lambda _, mu: mu < 1e-3), "unsafe"),
    "nothing below 1e-16": (of(lambda delta: delta if delta > 1e-16 else 0.0), "unsafe"),
    "wrong in one corner": (times(0.5, lambda epsilon, mu: epsilon > 40 and mu > 15), "unsafe"),
    "wrong in a strip": (times(0.99, lambda _, mu: 0.3 < mu < 0.4), "unsafe"),
    "two millionths": (times(1 - 2e-6, everywhere), "unsafe"),
    "a hundred millionth": (times(1 - 1e-8, everywhere), "unsafe"),
    "single precision": (of(np.float32), "unsafe"),
    "six digits to nearest": (of(lambda delta: float(f"{delta:.6g}")), "unsafe"),
    "a constant": (of(lambda _: 1e-5), "unsafe"),
    "ignores epsilon": (lambda epsilon, mu: gaussian(1.0 + 0 * epsilon, mu), "unsafe"),
    "clamps mu": (lambda epsilon, mu: gaussian(epsilon, min(mu, 10)), "unsafe"),
    "subtracts a grain": (of(lambda delta: delta - 1e-17), "invalid"),
    "per cent": (of(lambda delta: 100 * delta), "invalid"),
    "a logarithm": (of(lambda delta: math.log(delta) if delta else -math.inf), "invalid"),
    "NaN beyond mu = 1": (at(math.nan, lambda _, mu: mu > 1), "invalid"),
    "fails at epsilon = 0": (lambda epsilon, mu: gaussian(epsilon, mu) / (epsilon > 0), "invalid"),
    "dies for small mu": (dies, "invalid"),
    "text": (of(str), "invalid"),
    "nothing": (of(lambda _: None), "invalid"),
    "true": (of(lambda _: True), "invalid"),
    "an integer beyond doubles": (of(lambda _: 10**400), "invalid"),
    "a pair at times": (of(lambda delta: delta if delta > 1e-20 else np.array([delta, 1.0])), "invalid"),
    "counts its calls": (counts_calls, "unsafe"),
    "remembers": (remembers_the_largest, "inconsistent"),
    "guesses": (guesses, "inconsistent"),
}
"""Accountant of the Gaussian mechanism, and the class that shows it."""

WRONG_HISTOGRAMS = {
    "odd c_u": lambda epsilon, c_u, sigma, gap: (
        histogram(epsilon, c_u, sigma, gap) * (0.9 if c_u % 2 and c_u > 1 else 1)
    ),
    "c_u less one": lambda epsilon, c_u, sigma, gap: histogram(epsilon, max(1, c_u - 1), sigma, gap),
    "c_u at most 65536": lambda epsilon, c_u, sigma, gap: histogram(epsilon, min(c_u, 2**16), sigma, gap),
    "root of c_u": lambda epsilon, c_u, sigma, gap: histogram(epsilon, math.isqrt(c_u), sigma, gap),
    "size of the gap": lambda epsilon, c_u, sigma, gap: histogram(epsilon, c_u, sigma, abs(gap)),
    "sign of the gap": lambda epsilon, c_u, sigma, gap: histogram(epsilon, c_u, sigma, -gap),
}
"""All unsafe."""
