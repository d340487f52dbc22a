"""Accountants that compute nothing, and so start at once: constants, a hang, a death, other parameters."""

# ruff: noqa: D103 - the names say what each does

import math
import os
import time


def zero(epsilon, mu):
    return 0.0


def one(epsilon, mu):
    return 1.0


def infinite(epsilon, mu):
    return math.inf


def hangs(epsilon, mu):
    time.sleep(1000)


def dies(epsilon, mu):
    os._exit(1)


def laplace_threshold(delta_0, delta_inf, epsilon, delta):
    return delta_inf * (1 + math.log(delta_0 / (2 * delta)) / epsilon)


def takes_something_else(x):
    return x


def randomized_response(epsilon, epsilon_0):
    return max(0.0, -math.expm1(epsilon - epsilon_0)) / (1 + math.exp(-epsilon_0))


def randomized_response_in_part(epsilon, epsilon_0):
    if not 0.5 <= epsilon <= 0.9:
        raise ValueError("epsilon is outside of [0.5, 0.9]")
    return randomized_response(epsilon, epsilon_0)
