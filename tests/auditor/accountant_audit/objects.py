"""Accountants in several parts, right and wrong in known ways, with the relation that shows it."""

# ruff: noqa: D101, D103 - the names say what each does

import math

from mechanisms.baselines import analytic_gaussian_accountant as gaussian


class Gaussian:
    """Right: k releases with noise sigma."""

    def __init__(self, sigma, k=1):
        self.noise, self.k = sigma, k

    @property
    def mu(self):
        return math.sqrt(self.k) / self.noise

    def delta(self, epsilon):
        return gaussian.delta(epsilon, mu=self.mu)

    def epsilon(self, delta):
        return gaussian.epsilon(delta, mu=self.mu)

    @staticmethod
    def sigma(epsilon, delta, k=1):
        return gaussian.sigma(epsilon, delta, sensitivity=math.sqrt(k))

    def compose(self, k):
        return type(self)(self.noise, self.k * k)

    def describe(self):
        return "k releases"


class Pairwise(Gaussian):
    """Right: composes with another accountant."""

    def compose(self, other):
        return type(self)(self.noise, self.k + other.k)


class Laplace:
    """Right: epsilon_0 = 1/scale, one release; compose changes the object and returns nothing."""

    def __init__(self, scale):
        self.rate, self.times = 1 / scale, 1

    def delta(self, epsilon):
        if self.times > 1:
            return max(0.0, min(1.0, -math.expm1(epsilon - self.times * self.rate)))
        return max(0.0, -math.expm1((epsilon - self.rate) / 2))

    def epsilon(self, delta):
        return max(0.0, self.rate + 2 * math.log1p(-delta))

    def compose(self, k):
        self.times *= k


def response(epsilon, epsilon_0):
    """Right: one randomised response, a profile with a kink."""
    return max(0.0, math.exp(epsilon_0) - math.exp(epsilon)) / (math.exp(epsilon_0) + 1)


def several_responses(epsilon, epsilon_0, k):
    """Right: k of them, a profile with k kinks."""
    p = 1 / (1 + math.exp(-epsilon_0))
    terms = ((p**i * (1 - p) ** (k - i), p ** (k - i) * (1 - p) ** i, i) for i in range(k + 1))
    return sum(math.comb(k, i) * max(0.0, one - math.exp(epsilon) * other) for one, other, i in terms)


def rounded_up(epsilon, mu):
    """Right to a millionth: six digits, upward."""
    delta = gaussian.delta(epsilon, mu=mu)
    grain = 10.0 ** (math.floor(math.log10(delta)) - 6) if delta else 0.0
    return min(1.0, math.ceil(delta / grain) * grain) if grain else 0.0


def best_of_two(epsilon, mu):
    """A bound that is no profile: the smaller of two."""
    return min(1.0, math.exp(20 - 20 * epsilon), 0.1 * math.exp(-epsilon) + 0 * mu)


def on_a_grid(epsilon, mu, width):
    """Right as a bound: losses rounded up to a grid."""
    return gaussian.delta(max(0.0, math.floor(epsilon / width) * width), mu=mu)


def nearest_on_a_grid(epsilon, mu, width):
    """Losses rounded to the nearest point of a grid."""
    return gaussian.delta(round(epsilon / width) * width, mu=mu)


def wrong_power(epsilon, sigma, k):
    return gaussian.delta(epsilon, mu=k**0.4 / sigma)


def right_power(epsilon, sigma, k):
    return gaussian.delta(epsilon, mu=k**0.5 / sigma)


def once_too_few(epsilon, sigma, k):
    return gaussian.delta(epsilon, mu=math.sqrt(max(1, k - 1)) / sigma)


def sums_too_much_noise(epsilon, sigma, k):
    return gaussian.delta(epsilon, mu=1 / sigma) + 0 * k


def ripples(epsilon, mu):
    """Falls everywhere, a thousandth of itself up and down."""
    return gaussian.delta(epsilon, mu=mu) * (1 + 1e-3 * math.sin(20 * epsilon))


def not_a_number(epsilon, mu):
    return math.nan if epsilon > 3 else gaussian.delta(epsilon, mu=mu)


class RoundedUp(Gaussian):
    """Right: delta and what it achieves are told by a millionth too large, epsilon as it is."""

    def delta(self, epsilon):
        return min(1.0, super().delta(epsilon) * (1 + 1e-6))


class EpsilonTooSmall(Gaussian):
    def epsilon(self, delta):
        return 0.99 * super().epsilon(delta)


class SigmaTooSmall(Gaussian):
    @staticmethod
    def sigma(epsilon, delta, k=1):
        return 0.99 * gaussian.sigma(epsilon, delta, sensitivity=math.sqrt(k))


class ComposesOneTooFew(Gaussian):
    def compose(self, k):
        return type(self)(self.noise, max(1, k - 1))


class ForgetsTheOther(Pairwise):
    def compose(self, other):
        return type(self)(self.noise, self.k)


class SigmaRises(Gaussian):
    def delta(self, epsilon):
        return gaussian.delta(epsilon, mu=min(1.0, self.mu) + 1e-3 * self.noise)
