"""Accountants of the Gaussian mechanism and of the sparse histogram, right and wrong in known ways."""

# ruff: noqa: D103 - the names say what each does

import math

from scipy.special import ndtr  # not scipy.stats: every audit starts two interpreters that import this file

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact


def right(epsilon, c_u, sigma, gap, mu_o=0.0):
    return exact.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)


def wrong_c_u(epsilon, c_u, sigma, gap, mu_o=0.0):
    return exact.delta(epsilon, c_u=max(1, c_u - 1), sigma=sigma, gap=gap, mu_o=mu_o)


def naive_power(epsilon, c_u, sigma, gap):
    infinite = 1 - float(ndtr(gap / sigma)) ** c_u
    return max(infinite, gaussian.delta(epsilon, mu=math.sqrt(c_u) / sigma))


def sum_of_deltas(epsilon, c_u, sigma, gap):
    infinite = exact.delta_infinite(c_u, sigma, gap)
    return min(1.0, infinite + gaussian.delta(epsilon, mu=math.sqrt(c_u) / sigma))


def gaussian_cancels(epsilon, mu):
    return max(0.0, ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


def above_one(epsilon, mu):
    return 1.5 if mu > 7 else gaussian.delta(epsilon, mu=mu)


def not_a_number_beyond(epsilon, mu):
    return math.nan if epsilon > 10 else gaussian.delta(epsilon, mu=mu)


def jumps(epsilon, mu):
    factor = 2 if 1 <= epsilon < 2 else 1
    return min(1.0, factor * gaussian.delta(epsilon, mu=mu))


def sigma_right(epsilon, delta):
    return gaussian.sigma(epsilon, delta, sensitivity=1.0)


def sigma_small(epsilon, delta):
    return 0.99 * gaussian.sigma(epsilon, delta, sensitivity=1.0)


def epsilon_right(sigma, delta):
    return gaussian.epsilon(delta, mu=1 / sigma)
